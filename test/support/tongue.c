// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Languages of generated code: a caller of all functions of a program, how both are made, and how they run.
#include "support/tongue.h"

#include <stdlib.h>
#include <string.h>

#include "emit/write/writer.h"
#include "support/check.h"
#include "support/folder.h"

//---- vectors -------------------------------------------------------------------------------------

int tongue_inputs(const eqnProgram *p, const eqnVector **list)
{
  int n = 0;
  for (int i = 0; i < p->nfunction; i++) {
    const eqnFunction *f = &p->function[i];
    for (int k = 0; k < f->ninput; k++) {
      int at = 0;
      while (at < n && strcmp(list[at]->name, f->input[k].name) != 0) at++;
      if (at == n && CHECK(n < TONGUE_VECTORS)) list[n++] = &f->input[k];
      CHECK_EQ_INT(f->input[k].n, list[at]->n);
    }
  }
  return n;
}


// vectors that a function changes and gives
static int list_answers(const eqnFunction *f, const eqnVector **list)
{
  int n = 0;
  for (int k = 0; k < f->ninput; k++) {
    if (emit_is_written(f, &f->input[k])) list[n++] = &f->input[k];
  }
  for (int k = 0; k < f->noutput; k++) list[n++] = &f->output[k];
  return n;
}


static int list_vectors(const eqnFunction *f, const eqnVector **list)
{
  int n = 0;
  for (int k = 0; k < f->ninput; k++) list[n++] = &f->input[k];
  for (int k = 0; k < f->noutput; k++) list[n++] = &f->output[k];
  return n;
}


void tongue_host(void *program, int external, const double *x, double *result)
{
  const eqnProgram *p = program;
  for (int i = 0; i < p->external[external].n; i++) {
    result[i] = i + 1;
    for (int k = 0; k < p->external[external].narg; k++) result[i] += (k + 2) * x[k] * x[0];
  }
}

//---- C -------------------------------------------------------------------------------------------

static const char c_head[] =
    "#include <stdio.h>\n#include <string.h>\n#include \"program.h\"\n"
    "static FILE *in;\n"
    "static void get(int n, double *x)\n{\n"
    "  if (fread(x, sizeof *x, (size_t) n, in) != (size_t) n) x[0] = 0;\n}\n"
    "static void put(int n, const double *x)\n{\n  fwrite(x, sizeof *x, (size_t) n, stdout);\n}\n";


static void write_c_function(FILE *out, const eqnProgram *p, const eqnFunction *f, int number)
{
  const eqnVector *v[TONGUE_VECTORS];
  const int n = list_vectors(f, v);
  fprintf(out, "static int call_%d(const %s_parameters *p)\n{\n", number, p->name);
  fprintf(out, "  static %s_%s_constants c;\n  %s_%s_prepare(p, &c);\n", p->name, f->name, p->name,
          f->name);
  for (int k = 0; k < n; k++) {
    fprintf(out, "  static double %s[%d];\n", v[k]->name, v[k]->n + 1);
    if (k < f->ninput) {
      fprintf(out, "  memcpy(%s, in_%s, sizeof %s);\n", v[k]->name, v[k]->name, v[k]->name);
    }
  }
  fprintf(out, "  if (%s_%s(p, &c", p->name, f->name);
  for (int k = 0; k < n; k++) fprintf(out, ", %s", v[k]->name);
  fputs(", NULL)) return 1;\n", out);
  const int nanswer = list_answers(f, v);
  for (int k = 0; k < nanswer; k++) fprintf(out, "  put(%d, %s);\n", v[k]->n, v[k]->name);
  fputs("  return 0;\n}\n", out);
}


static void write_c_caller(FILE *out, const eqnProgram *p, const char *const *external)
{
  const eqnVector *v[TONGUE_VECTORS];
  const int n = tongue_inputs(p, v);
  fputs(c_head, out);
  for (int i = 0; i < p->nexternal; i++) {
    fprintf(
        out,
        "void %s(const double *x, double *y, void *user)\n{\n  (void) user;\n  for (int i = 0; i < "
        "%d; i++) {\n    y[i] = i + 1;\n    for (int k = 0; k < %d; k++) y[i] += (k + "
        "2)*x[k]*x[0];\n  }\n}\n",
        external[i], p->external[i].n, p->external[i].narg);
  }
  for (int k = 0; k < n; k++) fprintf(out, "static double in_%s[%d];\n", v[k]->name, v[k]->n + 1);
  for (int i = 0; i < p->nfunction; i++) write_c_function(out, p, &p->function[i], i);
  fprintf(out, "int main(void)\n{\n  static %s_parameters p;\n  %s_default(&p);\n", p->name,
          p->name);
  fputs("  double states[1];\n  if (!(in = fopen(\"in\", \"rb\"))) return 1;\n  get(1, states);\n"
        "  for (int state = 0; state < (int) states[0]; state++) {\n",
        out);
  for (int k = 0; k < n; k++) fprintf(out, "    get(%d, in_%s);\n", v[k]->n, v[k]->name);
  for (int i = 0; i < p->nfunction; i++) fprintf(out, "    if (call_%d(&p)) return 1;\n", i);
  fputs("  }\n  return 0;\n}\n", out);
}

//---- Fortran -------------------------------------------------------------------------------------

static void write_fortran_function(FILE *out, const eqnFunction *f, int number)
{
  const eqnVector *v[TONGUE_VECTORS];
  const int n = list_vectors(f, v);
  fprintf(out, "  subroutine call_%d()\n    double precision :: c(%s_constants)\n", number,
          f->name);
  for (int k = 0; k < n; k++) {
    fprintf(out, "    double precision :: %s(%d)\n", v[k]->name, v[k]->n);
  }
  fputs("    integer :: status\n", out);
  for (int k = 0; k < f->ninput; k++) {
    fprintf(out, "    %s = in_%s\n", v[k]->name, v[k]->name);
  }
  fprintf(out, "    call %s_prepare(p, c)\n    call %s(p, c", f->name, f->name);
  for (int k = 0; k < n; k++) fprintf(out, ", &\n      %s", v[k]->name);
  fputs(", status)\n    if (status /= 0) stop 1\n", out);
  const int nanswer = list_answers(f, v);
  for (int k = 0; k < nanswer; k++) fprintf(out, "    write (answers) %s\n", v[k]->name);
  fputs("  end subroutine\n", out);
}


static void write_fortran_caller(FILE *out, const eqnProgram *p, const char *const *external)
{
  const eqnVector *v[TONGUE_VECTORS];
  const int n = tongue_inputs(p, v);
  for (int i = 0; i < p->nexternal; i++) {
    fprintf(out,
            "subroutine %s(x, y)\n  double precision, intent(in) :: x(%d)\n  double precision, "
            "intent(out) :: y(%d)\n  integer :: i, k\n  do i = 1, %d\n    y(i) = i\n    do k = 1, "
            "%d\n      y(i) = y(i) + (k + 1)*x(k)*x(1)\n    end do\n  end do\nend subroutine\n",
            external[i], p->external[i].narg, p->external[i].n, p->external[i].n,
            p->external[i].narg);
  }
  fprintf(out,
          "program caller\n  use %.50s_model\n  implicit none\n  type(parameters) :: p\n"
          "  integer :: state, input, answers\n  double precision :: states\n",
          p->name);
  for (int k = 0; k < n; k++)
    fprintf(out, "  double precision :: in_%s(%d)\n", v[k]->name, v[k]->n);
  fputs("  open (newunit=input, file='in', access='stream', form='unformatted', status='old')\n"
        "  open (newunit=answers, file='/dev/stdout', access='stream', form='unformatted')\n"
        "  read (input) states\n  do state = 1, int(states)\n",
        out);
  for (int k = 0; k < n; k++) fprintf(out, "    read (input) in_%s\n", v[k]->name);
  for (int i = 0; i < p->nfunction; i++) fprintf(out, "    call call_%d()\n", i);
  fputs("  end do\ncontains\n", out);
  for (int i = 0; i < p->nfunction; i++) write_fortran_function(out, &p->function[i], i);
  fputs("end program\n", out);
}

//---- Python --------------------------------------------------------------------------------------

static const char python_head[] =
    "import array\nimport sys\nimport program\n\n\nclass user:\n    pass\n\n\n"
    "numbers = array.array('d')\nwith open('in', 'rb') as file:\n"
    "    numbers.frombytes(file.read())\nplace = 0\n\n\n"
    "def get(n):\n    global place\n    place += n\n"
    "    return numbers[place - n:place].tolist()\n\n\n"
    "def put(x):\n    sys.stdout.buffer.write(array.array('d', x).tobytes())\n\n\n";


static void write_python_caller(FILE *out, const eqnProgram *p, const char *const *external)
{
  const eqnVector *v[TONGUE_VECTORS];
  const int n = tongue_inputs(p, v);
  fputs(python_head, out);
  for (int i = 0; i < p->nexternal; i++) {
    fprintf(out,
            "user.%s = lambda x: [i + 1 + sum((k + 2)*x[k]*x[0] for k in range(%d)) for i in "
            "range(%d)]\n",
            external[i], p->external[i].narg, p->external[i].n);
  }
  fputs("p = program.Parameters()\n", out);
  for (int i = 0; i < p->nfunction; i++) {
    fprintf(out, "c_%d = program.%s_prepare(p)\n", i, p->function[i].name);
  }
  fputs("for state in range(int(get(1)[0])):\n", out);
  for (int k = 0; k < n; k++) fprintf(out, "    in_%s = get(%d)\n", v[k]->name, v[k]->n);
  for (int i = 0; i < p->nfunction; i++) {
    const eqnFunction *f = &p->function[i];
    for (int k = 0; k < f->ninput; k++) {
      fprintf(out, "    %s = in_%s[:]\n", f->input[k].name, f->input[k].name);
    }
    fprintf(out, "    result = program.%s(p, c_%d", f->name, i);
    for (int k = 0; k < f->ninput; k++) fprintf(out, ", %s", f->input[k].name);
    fputs(", user)\n", out);
    const int nchanged = list_answers(f, v) - f->noutput;
    for (int k = 0; k < nchanged; k++) fprintf(out, "    put(%s)\n", v[k]->name);
    for (int k = 0; k < f->noutput; k++) {
      if (f->noutput == 1) fputs("    put(result)\n", out);
      if (f->noutput > 1) fprintf(out, "    put(result[%d])\n", k);
    }
  }
}

//---- Python on arrays ----------------------------------------------------------------------------

static const char arrays_head[] =
    "import array\nimport sys\nsys.dont_write_bytecode = True\nimport program\n"
    "is_numpy = hasattr(program, 'np')\n"
    "if is_numpy:\n    import numpy\nelse:\n    import traced\n\n\nclass user:\n    pass\n\n\n"
    "numbers = array.array('d')\nwith open('in', 'rb') as file:\n"
    "    numbers.frombytes(file.read())\nplace = 0\n\n\n"
    "def get(n):\n    global place\n    place += n\n"
    "    return numbers[place - n:place].tolist()\n\n\n"
    "def put(x):\n    sys.stdout.buffer.write(array.array('d', x).tobytes())\n\n\n"
    "# all states at a time by NumPy, one by one with traced numbers\n"
    "def call(function, p, c, inputs):\n"
    "    if is_numpy:\n"
    "        given = [numpy.array(x).T for x in inputs]\n"
    "        before = [x.copy() for x in given]\n"
    "        results = function(p, c, *given, user)\n"
    "        assert all((x == y).all() for x, y in zip(given, before)), 'inputs are changed'\n"
    "        results = results if isinstance(results, tuple) else (results,)\n"
    "        wide = [numpy.broadcast_to(x.T, (states, len(x))) for x in results]\n"
    "        return [[x[k].tolist() for x in wide] for k in range(states)]\n"
    "    answers = []\n"
    "    for k in range(states):\n"
    "        results = function(p, c, *[traced.vector(x[k]) for x in inputs], user)\n"
    "        results = results if isinstance(results, tuple) else (results,)\n"
    "        answers.append([traced.values(x) for x in results])\n"
    "    return answers\n\n\n";


static void write_arrays_caller(FILE *out, const eqnProgram *p, const char *const *external)
{
  const eqnVector *v[TONGUE_VECTORS];
  const int n = tongue_inputs(p, v);
  fputs(arrays_head, out);
  for (int i = 0; i < p->nexternal; i++) {
    fprintf(out,
            "user.%s = lambda x: [i + 1 + sum((k + 2)*x[k]*x[0] for k in range(%d)) for i in "
            "range(%d)]\n",
            external[i], p->external[i].narg, p->external[i].n);
  }
  fputs("p = program.Parameters()\nstates = int(get(1)[0])\nanswers = []\n", out);
  for (int k = 0; k < n; k++) fprintf(out, "in_%s = []\n", v[k]->name);
  fputs("for state in range(states):\n", out);
  for (int k = 0; k < n; k++) fprintf(out, "    in_%s.append(get(%d))\n", v[k]->name, v[k]->n);
  fputs("    pass\n", out);
  for (int i = 0; i < p->nfunction; i++) {
    const eqnFunction *f = &p->function[i];
    const int nchanged = list_answers(f, v) - f->noutput;
    fprintf(out, "given = call(program.%s, p, program.%s_prepare(p), [", f->name, f->name);
    for (int k = 0; k < f->ninput; k++) fprintf(out, "%sin_%s", k ? ", " : "", f->input[k].name);
    fprintf(out, "])\nassert len(given[0]) == %d\n", f->noutput + nchanged);
    fprintf(out, "answers.append([x[%d:] + x[:%d] for x in given])\n", f->noutput, f->noutput);
  }
  fputs("for state in range(states):\n    for answer in answers:\n"
        "        for x in answer[state]:\n            put(x)\n",
        out);
}

//---- Octave --------------------------------------------------------------------------------------

// states are asked so many at a time, the last of a thousand alone
enum { OCTAVE_COLUMNS = 333 };


static void write_octave_call(FILE *out, const eqnFunction *f, int number)
{
  const eqnVector *v[TONGUE_VECTORS];
  const int n = list_answers(f, v), nchanged = n - f->noutput;
  for (int k = 0; k < f->ninput; k++) {
    fprintf(out, "  %s = in_%s;\n", f->input[k].name, f->input[k].name);
  }
  fputs("  [", out);
  for (int k = 0; k < n; k++) fprintf(out, "%s%s", k ? ", " : "", v[(nchanged + k) % n]->name);
  fprintf(out, "] = m.%s(p, c_%d", f->name, number);
  for (int k = 0; k < f->ninput; k++) fprintf(out, ", %s", f->input[k].name);
  fprintf(out, ", user);\n  answers{%d} = [", number + 1);
  for (int k = 0; k < n; k++) fprintf(out, "%s%s", k ? "; " : "", v[k]->name);
  fprintf(out, "]%s;\n", f->ninput > 0 ? "" : " + zeros(1, columns)");
}


static void write_octave_caller(FILE *out, const eqnProgram *p, const char *const *external)
{
  const eqnVector *v[TONGUE_VECTORS];
  const int n = tongue_inputs(p, v);
  int rows = 0;
  fputs("1;\ninput_file = fopen('in', 'rb'); user = struct();\n", out);
  for (int i = 0; i < p->nexternal; i++) {
    fprintf(out, "user.%s = @(x) (1:%d)' + sum((2:%d)' .* x .* x(1,:), 1);\n", external[i],
            p->external[i].n, p->external[i].narg + 1);
  }
  fprintf(out, "m = %s();\np = m.parameters();\n", p->name);
  for (int i = 0; i < p->nfunction; i++) {
    fprintf(out, "c_%d = m.%s_prepare(p);\n", i, p->function[i].name);
  }
  for (int k = 0; k < n; k++) rows += v[k]->n;
  fprintf(out,
          "states = fread(input_file, 1, 'double');\nwhile states > 0\n"
          "  columns = min(states, %d);\n  states = states - columns;\n"
          "  all = fread(input_file, [%d, columns], 'double');\n",
          OCTAVE_COLUMNS, rows);
  for (int k = 0, row = 1; k < n; row += v[k++]->n) {
    fprintf(out, "  in_%s = all(%d:%d,:);\n", v[k]->name, row, row + v[k]->n - 1);
  }
  for (int i = 0; i < p->nfunction; i++) write_octave_call(out, &p->function[i], i);
  fputs("  fwrite(stdout, vertcat(answers{:}), 'double');\nend\n", out);
}

//---- Java ----------------------------------------------------------------------------------------

static const char java_head[] =
    "import java.io.*;\nimport java.nio.*;\nimport java.nio.file.*;\n"
    "public class Caller {\n  static ByteBuffer in;\n"
    "  static BufferedOutputStream out = new BufferedOutputStream(System.out, 65536);\n"
    "  static double[] get(int n) {\n    double[] x = new double[n];\n"
    "    for (int i = 0; i < n; i++) x[i] = in.getDouble();\n    return x;\n  }\n"
    "  static void put(double[] x) throws IOException {\n"
    "    ByteBuffer b = ByteBuffer.allocate(8 * x.length).order(ByteOrder.nativeOrder());\n"
    "    for (double y : x) b.putDouble(y);\n    out.write(b.array());\n  }\n";


static void write_java_function(FILE *out, const eqnProgram *p, const eqnFunction *f, int number)
{
  const eqnVector *v[TONGUE_VECTORS];
  const int n = list_vectors(f, v);
  fprintf(out, "  static double[] c_%d = %s.%s_prepare(p);\n", number, p->name, f->name);
  fprintf(out, "  static void call_%d() throws IOException {\n", number);
  for (int k = 0; k < f->ninput; k++) {
    fprintf(out, "    double[] %s = in_%s.clone();\n", v[k]->name, v[k]->name);
  }
  for (int k = f->ninput; k < n; k++) {
    fprintf(out, "    double[] %s = new double[%d];\n", v[k]->name, v[k]->n);
  }
  fprintf(out, "    if (%s.%s(p, c_%d", p->name, f->name, number);
  for (int k = 0; k < n; k++) fprintf(out, ", %s", v[k]->name);
  fputs(", host) != 0) System.exit(1);\n", out);
  const int nanswer = list_answers(f, v);
  for (int k = 0; k < nanswer; k++) fprintf(out, "    put(%s);\n", v[k]->name);
  fputs("  }\n", out);
}


static void write_java_caller(FILE *out, const eqnProgram *p, const char *const *external)
{
  const eqnVector *v[TONGUE_VECTORS];
  const int n = tongue_inputs(p, v);
  fputs(java_head, out);
  fprintf(out, "  static class Host implements %s.User {\n", p->name);
  for (int i = 0; i < p->nexternal; i++) {
    fprintf(
        out,
        "    public void %s(double[] x, double[] y) {\n      for (int i = 0; i < %d; i++) {\n    "
        "    y[i] = i + 1;\n        for (int k = 0; k < %d; k++) y[i] += (k + 2)*x[k]*x[0];\n    "
        "  }\n    }\n",
        external[i], p->external[i].n, p->external[i].narg);
  }
  fprintf(out,
          "  }\n  static Host host = new Host();\n"
          "  static %s.Parameters p = new %s.Parameters();\n",
          p->name, p->name);
  for (int k = 0; k < n; k++) fprintf(out, "  static double[] in_%s;\n", v[k]->name);
  for (int i = 0; i < p->nfunction; i++) write_java_function(out, p, &p->function[i], i);
  fputs("  public static void main(String[] a_) throws IOException {\n"
        "    in = ByteBuffer.wrap(Files.readAllBytes(Paths.get(\"in\")));\n"
        "    in.order(ByteOrder.nativeOrder());\n    int states = (int) in.getDouble();\n"
        "    for (int state = 0; state < states; state++) {\n",
        out);
  for (int k = 0; k < n; k++) fprintf(out, "      in_%s = get(%d);\n", v[k]->name, v[k]->n);
  for (int i = 0; i < p->nfunction; i++) fprintf(out, "      call_%d();\n", i);
  fputs("    }\n    out.flush();\n  }\n}\n", out);
}

//---- all -----------------------------------------------------------------------------------------

#define STAND_IN "PYTHONPATH=" ART_SOURCE_DIR "/test/support/stand_in python3 caller.py"

static const tongue tongues[EMIT_ALL_LANGUAGES] = {
    [EMIT_C] = {EMIT_C, "cc", 0, "caller.c", write_c_caller,
                "$(command -v clang-14 || echo cc) -std=c11 -Wall -Wextra -Wpedantic -Wshadow "
                "-Wconversion -Werror $LEVEL -c "
                "program.c && cc -std=c11 $LEVEL caller.c program.o -lm -o c_caller",
                "./c_caller"},
    [EMIT_FORTRAN] = {EMIT_FORTRAN, "gfortran", 0, "caller.f90", write_fortran_caller,
                      "gfortran -std=f2008 -Wall -Wno-unused-dummy-argument -Werror $LEVEL -c "
                      "program.f90 -o f_program.o && gfortran -O0 f_program.o caller.f90 -o "
                      "f_caller",
                      "./f_caller"},
    [EMIT_MATLAB] = {EMIT_MATLAB, "octave-cli", 1, "caller.m", write_octave_caller,
                     "mv program.m $NAME.m", "octave-cli --norc --quiet caller.m"},
    [EMIT_JAVA] = {EMIT_JAVA, "javac", 1, "Caller.java", write_java_caller,
                   "mv program.java $NAME.java && javac -g:none -proc:none -J-XX:+UseSerialGC "
                   "-J-XX:TieredStopAtLevel=1 Caller.java $NAME.java",
                   "java -Xshare:auto -XX:+UseSerialGC -XX:TieredStopAtLevel=1 Caller"},
    [EMIT_PYTHON] = {EMIT_PYTHON, "python3", 0, "caller.py", write_python_caller,
                     "rm -rf __pycache__", "python3 caller.py"},
    [EMIT_NUMPY] = {EMIT_NUMPY, "/usr/lib/python3/dist-packages/numpy", 0, "caller.py",
                    write_arrays_caller, "rm -rf __pycache__", "/usr/bin/python3 caller.py"},
    [EMIT_CASADI] = {EMIT_CASADI, "python3", 0, "caller.py", write_arrays_caller,
                     "rm -rf __pycache__", STAND_IN},
    [EMIT_JAX] = {EMIT_JAX, "python3", 0, "caller.py", write_arrays_caller, "rm -rf __pycache__",
                  STAND_IN},
};


const tongue *tongue_of(emitLanguage language)
{
  return &tongues[language];
}


int tongue_is_installed(const char *program)
{
  char command[200];
  snprintf(command, sizeof command, "command -v %s > /dev/null 2>&1 || test -d %s", program,
           program);
  return system(command) == 0;
}


int tongue_is_spoken(const tongue *t)
{
  if (t->is_extra && !getenv("ART_TEST_ALL")) return 0;
  if (tongue_is_installed(t->needs)) return 1;
  printf("  %s is not installed: %s is not tested\n", t->needs, emit_language_name(t->language));
  return 0;
}


void tongue_write(const tongue *t, const char *folder, const eqnProgram *p,
                  const emitOptions *options)
{
  char name[40];
  artError error = {0};
  baseArena arena = {0};
  snprintf(name, sizeof name, "program%s", emit_file_ending(t->language));
  FILE *out = folder_open(folder, name, "w");
  CHECK(emit_program(out, p, t->language, options, &error) == ART_OK);
  fclose(out);
  out = folder_open(folder, t->caller, "w");
  t->write(out, p, emit_external_names(p, &arena));
  fclose(out);
  arena_free(&arena);
  if (t->language != EMIT_C) return;
  out = folder_open(folder, "program.h", "w");
  CHECK(emit_c_header(out, p, &(emitOptions){0}, &error) == ART_OK);
  fclose(out);
}


int tongue_make(const tongue *t, const char *folder, const eqnProgram *p, const char *level)
{
  return folder_run(folder, "NAME=%s; LEVEL=%s; %s", p->name, level, t->make);
}


artStatus tongue_write_simulator(const artModel *m, artData *d, const artRunDef *study,
                                 const genOptions *options, simulatorForm form, const char *file,
                                 artError *error)
{
  FILE *out = folder_open(folder_own(), file, "w");
  CHECK(out);
  check_stop_if_failed();
  const artStatus status = study_write_simulator(m, d, study, options, &form, out, error);
  fclose(out);
  return status;
}


FILE *tongue_open(const tongue *t, const char *folder, const eqnProgram *p)
{
  char command[400];
  snprintf(command, sizeof command, "cd %s && export NAME=%s && exec env %s 2> said_%s", folder,
           p->name, t->run, emit_language_name(t->language));
  return popen(command, "r");
}


void tongue_close(const tongue *t, const char *folder, FILE *answers)
{
  if (CHECK_EQ_INT(pclose(answers), 0)) return;
  folder_run(folder, "head -20 said_%s", emit_language_name(t->language));
}
