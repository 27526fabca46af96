// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated code in every language, compiled and run, against the evaluation of its equations.
//
// C always; Fortran and Python when they are installed (`make test` sees to it); Octave and Java when the
// variable ART_TEST_ALL is set besides (`make test-all`).
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "articula/study.h"
#include "emit/emit.h"
#include "force/tyre.h"
#include "gen/gen.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/loops.h"
#include "support/models.h"

static uint64_t seed = 11;

enum { STATES = 3, VECTORS = 40 };

//---- a folder, and commands in it ----------------------------------------------------------------

static char folder[] = "/tmp/articula-emit-XXXXXX";


static int is_installed(const char *program)
{
  char command[200];
  snprintf(command, sizeof command, "command -v %s > /dev/null 2>&1", program);
  return system(command) == 0;
}


//---- programs of models --------------------------------------------------------------------------

typedef struct scene {
  artModel *m;
  artData *d;
  eqnProgram *p;
} scene;


static int open_scene_with(scene *s, const char *file, const genOptions *options)
{
  char path[300];
  artError error = {0};
  artAssembly assembly;
  *s = (scene){0};
  snprintf(path, sizeof path, "%s/models/%s", ART_SOURCE_DIR, file);
  if (!CHECK(art_load_model(&s->m, path, &error) == ART_OK)) return 0;
  s->d = art_create_data(s->m);
  art_update(s->m, s->d);
  return CHECK(art_assemble(s->m, s->d, &assembly, &error) == ART_OK) &&
         CHECK(gen_create(&s->p, s->m, s->d, options, &error) == ART_OK);
}


static int open_scene(scene *s, const char *file, unsigned forms)
{
  const genOptions options = {.forms = forms};
  return open_scene_with(s, file, &options);
}


static void close_scene(scene *s)
{
  gen_free(s->p);
  art_free_data(s->d);
  art_free_model(s->m);
}


// a state that closes the loops
static void next_state(const scene *s)
{
  const int nv = s->m->tree.nv;
  if (s->m->nrow > 0) {
    CHECK(loop_random_state(s->m, s->d, &seed));
  } else {
    double *move = calloc((size_t) nv + 1, sizeof *move);
    sample_numbers(&seed, 0.5, nv, move);
    art_move(s->m, s->d->q, move);
    sample_numbers(&seed, 1, nv, s->d->v);
    free(move);
  }
}


//---- what is asked and what should be answered ---------------------------------------------------

// an input vector at a state: time, positions, velocities, or numbers
static void fill_input(const scene *s, const eqnVector *v, double *x)
{
  sample_numbers(&seed, 1, v->n, x);
  if (!s->m) return;
  if (strcmp(v->name, "q") == 0) memcpy(x, s->d->q, (size_t) v->n * sizeof *x);
  if (strcmp(v->name, "v") == 0) memcpy(x, s->d->v, (size_t) v->n * sizeof *x);
}


// the user's function of the tests: sums of products, the same in every language
static void host(void *context, int external, const double *x, double *result)
{
  const eqnProgram *p = context;
  for (int i = 0; i < p->external[external].n; i++) {
    result[i] = i + 1;
    for (int k = 0; k < p->external[external].narg; k++) result[i] += (k + 2) * x[k] * x[0];
  }
}


// what differences in a vector are measured by: its largest number, 1 or more
static void find_scale(const eqnVector *v, const double *x, double *scale)
{
  double most = 1;
  for (int i = 0; i < v->n; i++) most = fmax(most, fabs(x[i]));
  for (int i = 0; i < v->n; i++) scale[i] = most;
}


// inputs go into the file, answers into an array: vectors read, then vectors written; returns how many
static int ask(const scene *s, FILE *in, double *answer, double *scale)
{
  int n = 0;
  const eqnOptions options = eqn_default_options();
  for (int f = 0; f < s->p->nfunction; f++) {
    const eqnFunction *function = &s->p->function[f];
    eqnList *list = eqn_list_create(s->p, function, &options);
    double *input[VECTORS], *output[VECTORS];
    for (int k = 0; k < function->ninput; k++) {
      input[k] = answer + n;
      n += function->input[k].n;
      fill_input(s, &function->input[k], input[k]);
      for (int i = 0; i < function->input[k].n; i++) fprintf(in, "%.17g\n", input[k][i]);
    }
    for (int k = 0; k < function->noutput; k++) {
      output[k] = answer + n;
      n += function->output[k].n;
    }
    CHECK_EQ_INT(eqn_evaluate(list, NULL, input, output, host, s->p), 0);
    for (int k = 0; k < function->ninput; k++) {
      find_scale(&function->input[k], input[k], scale + (input[k] - answer));
    }
    for (int k = 0; k < function->noutput; k++) {
      find_scale(&function->output[k], output[k], scale + (output[k] - answer));
    }
    eqn_list_free(list);
  }
  return n;
}


//---- callers in every language -------------------------------------------------------------------

// A caller reads, for each state and function, the input vectors, calls the function, and prints input
// and output vectors.
typedef void writeCaller(FILE *out, const eqnProgram *p, const char *const *external);


static int list_vectors(const eqnFunction *f, const eqnVector **list, int *ninput)
{
  int n = 0;
  for (int k = 0; k < f->ninput; k++) list[n++] = &f->input[k];
  *ninput = n;
  for (int k = 0; k < f->noutput; k++) list[n++] = &f->output[k];
  return n;
}


static void write_c_caller(FILE *out, const eqnProgram *p, const char *const *external)
{
  fputs("#include <stdio.h>\n#include \"program.h\"\n", out);
  fputs("static void get(int n, double *x)\n{\n  for (int i = 0; i < n; i++) if (scanf(\"%lf\", x "
        "+ i) "
        "!= 1) return;\n}\n"
        "static void put(int n, const double *x)\n{\n  for (int i = 0; i < n; i++) "
        "printf(\"%.17g\\n\", x[i]);\n}\n",
        out);
  for (int i = 0; i < p->nexternal; i++) {
    fprintf(
        out,
        "void %s(const double *x, double *y, void *user)\n{\n  (void) user;\n  for (int i = 0; i < "
        "%d; i++) {\n    y[i] = i + 1;\n    for (int k = 0; k < %d; k++) y[i] += (k + "
        "2)*x[k]*x[0];\n  }\n}\n",
        external[i], p->external[i].n, p->external[i].narg);
  }
  fprintf(out, "int main(void)\n{\n  static %s_parameters p;\n  %s_default(&p);\n", p->name,
          p->name);
  fprintf(out, "  for (int state = 0; state < %d; state++) {\n", STATES);
  for (int i = 0; i < p->nfunction; i++) {
    const eqnFunction *f = &p->function[i];
    const eqnVector *v[VECTORS];
    int ninput;
    const int n = list_vectors(f, v, &ninput);
    fprintf(out, "    {\n      static %s_%s_constants c;\n      %s_%s_prepare(&p, &c);\n", p->name,
            f->name, p->name, f->name);
    for (int k = 0; k < n; k++) {
      fprintf(out, "      static double %s[%d];\n", v[k]->name, v[k]->n + 1);
      if (k < ninput) fprintf(out, "      get(%d, %s);\n", v[k]->n, v[k]->name);
    }
    fprintf(out, "      if (%s_%s(&p, &c", p->name, f->name);
    for (int k = 0; k < n; k++) fprintf(out, ", %s", v[k]->name);
    fputs(", NULL)) return 1;\n", out);
    for (int k = 0; k < n; k++) fprintf(out, "      put(%d, %s);\n", v[k]->n, v[k]->name);
    fputs("    }\n", out);
  }
  fputs("  }\n  return 0;\n}\n", out);
}


static void write_fortran_caller(FILE *out, const eqnProgram *p, const char *const *external)
{
  for (int i = 0; i < p->nexternal; i++) {
    fprintf(out,
            "subroutine %s(x, y)\n  double precision, intent(in) :: x(%d)\n  double precision, "
            "intent(out) :: y(%d)\n  integer :: i, k\n  do i = 1, %d\n    y(i) = i\n    do k = 1, "
            "%d\n      y(i) = y(i) + (k + 1)*x(k)*x(1)\n    end do\n  end do\nend subroutine\n",
            external[i], p->external[i].narg, p->external[i].n, p->external[i].n,
            p->external[i].narg);
  }
  fprintf(
      out,
      "program caller\n  use %.50s_model\n  implicit none\n  type(parameters) :: p\n  integer :: "
      "state\n  do state = 1, %d\n",
      p->name, STATES);
  for (int i = 0; i < p->nfunction; i++) fprintf(out, "    call call_%d()\n", i);
  fputs("  end do\ncontains\n", out);
  for (int i = 0; i < p->nfunction; i++) {
    const eqnFunction *f = &p->function[i];
    const eqnVector *v[VECTORS];
    int ninput;
    const int n = list_vectors(f, v, &ninput);
    fprintf(out, "  subroutine call_%d()\n    double precision :: c(%s_constants)\n", i, f->name);
    for (int k = 0; k < n; k++) {
      fprintf(out, "    double precision :: %s(%d)\n", v[k]->name, v[k]->n);
    }
    fputs("    integer :: status\n", out);
    for (int k = 0; k < ninput; k++) {
      if (v[k]->n > 0) fprintf(out, "    read (*, *) %s\n", v[k]->name);
    }
    fprintf(out, "    call %s_prepare(p, c)\n    call %s(p, c", f->name, f->name);
    for (int k = 0; k < n; k++) fprintf(out, ", &\n      %s", v[k]->name);
    fputs(", status)\n    if (status /= 0) stop 1\n", out);
    for (int k = 0; k < n; k++) {
      fprintf(out, "    write (*, '(es25.17e3)') %s\n", v[k]->name);
    }
    fputs("  end subroutine\n", out);
  }
  fputs("end program\n", out);
}


static void write_python_caller(FILE *out, const eqnProgram *p, const char *const *external)
{
  fputs("import sys\nimport program\n\n\nclass user:\n    pass\n\n\n", out);
  for (int i = 0; i < p->nexternal; i++) {
    fprintf(out,
            "user.%s = lambda x: [i + 1 + sum((k + 2)*x[k]*x[0] for k in range(%d)) for i in "
            "range(%d)]\n",
            external[i], p->external[i].narg, p->external[i].n);
  }
  fputs("numbers = map(float, sys.stdin)\n\n\ndef get(n):\n    return [next(numbers) for i in "
        "range(n)]\n\n\ndef put(x):\n    for y in x:\n        print('%.17g' % y)\n\n\n"
        "p = program.Parameters()\n",
        out);
  fprintf(out, "for state in range(%d):\n", STATES);
  for (int i = 0; i < p->nfunction; i++) {
    const eqnFunction *f = &p->function[i];
    fprintf(out, "    c = program.%s_prepare(p)\n", f->name);
    for (int k = 0; k < f->ninput; k++) {
      fprintf(out, "    %s = get(%d)\n", f->input[k].name, f->input[k].n);
    }
    fprintf(out, "    result = program.%s(p, c", f->name);
    for (int k = 0; k < f->ninput; k++) fprintf(out, ", %s", f->input[k].name);
    fputs(", user)\n", out);
    for (int k = 0; k < f->ninput; k++) fprintf(out, "    put(%s)\n", f->input[k].name);
    for (int k = 0; k < f->noutput; k++) {
      if (f->noutput == 1) fputs("    put(result)\n", out);
      if (f->noutput > 1) fprintf(out, "    put(result[%d])\n", k);
    }
  }
}


static int is_changed(const eqnFunction *f, const eqnVector *v)
{
  for (int s = 0; s < f->nstage; s++) {
    for (int i = 0; i < f->stage[s].nunknown; i++) {
      for (int k = 0; k < v->n; k++) {
        if (f->stage[s].unknown[i] == v->node[k]) return 1;
      }
    }
  }
  return 0;
}


static void write_octave_caller(FILE *out, const eqnProgram *p, const char *const *external)
{
  fputs("1;\nnumbers = load('-ascii', 'in'); at = 0;\nuser = struct();\n", out);
  for (int i = 0; i < p->nexternal; i++) {
    fprintf(out, "user.%s = @(x) (1:%d) + sum((2:%d) .* x * x(1));\n", external[i],
            p->external[i].n, p->external[i].narg + 1);
  }
  fprintf(out, "m = %s();\np = m.parameters();\nfor state = 1:%d\n", p->name, STATES);
  for (int i = 0; i < p->nfunction; i++) {
    const eqnFunction *f = &p->function[i];
    fprintf(out, "  c = m.%s_prepare(p);\n", f->name);
    for (int k = 0; k < f->ninput; k++) {
      const eqnVector *v = &f->input[k];
      fprintf(out, "  %s = numbers(at + (1:%d)); at = at + %d;\n", v->name, v->n, v->n);
    }
    fputs("  [", out);
    for (int k = 0; k < f->noutput; k++) fprintf(out, "%s%s", k ? ", " : "", f->output[k].name);
    for (int k = 0; k < f->ninput; k++) {
      if (is_changed(f, &f->input[k])) fprintf(out, ", %s", f->input[k].name);
    }
    fprintf(out, "] = m.%s(p, c", f->name);
    for (int k = 0; k < f->ninput; k++) fprintf(out, ", %s", f->input[k].name);
    fputs(", user);\n", out);
    for (int k = 0; k < f->ninput; k++) {
      fprintf(out, "  printf('%%.17g\\n', %s);\n", f->input[k].name);
    }
    for (int k = 0; k < f->noutput; k++) {
      fprintf(out, "  printf('%%.17g\\n', %s);\n", f->output[k].name);
    }
  }
  fputs("end\n", out);
}


static void write_java_caller(FILE *out, const eqnProgram *p, const char *const *external)
{
  fputs(
      "import java.io.*;\npublic class Caller {\n  static BufferedReader in = new "
      "BufferedReader(new "
      "InputStreamReader(System.in));\n  static double[] get(int n) throws IOException {\n    "
      "double[] x = new double[n];\n    for (int i = 0; i < n; i++) x[i] = "
      "Double.parseDouble(in.readLine());\n    return x;\n  }\n  static void put(double[] x) {\n  "
      "  for (double y : x) System.out.println(y);\n  }\n",
      out);
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
          "  }\n  public static void main(String[] a_) throws IOException {\n    %s.Parameters "
          "p = new %s.Parameters();\n    for (int state = 0; state < %d; state++) {\n",
          p->name, p->name, STATES);
  for (int i = 0; i < p->nfunction; i++) {
    const eqnFunction *f = &p->function[i];
    const eqnVector *v[VECTORS];
    int ninput;
    const int n = list_vectors(f, v, &ninput);
    fputs("      {\n", out);
    for (int k = 0; k < n; k++) {
      fprintf(out, "        double[] %s = %s%d%s;\n", v[k]->name,
              k < ninput ? "get(" : "new double[", v[k]->n, k < ninput ? ")" : "]");
    }
    fprintf(out, "        if (%s.%s(p, %s.%s_prepare(p)", p->name, f->name, p->name, f->name);
    for (int k = 0; k < n; k++) fprintf(out, ", %s", v[k]->name);
    fputs(", new Host()) != 0) System.exit(1);\n", out);
    for (int k = 0; k < n; k++) fprintf(out, "        put(%s);\n", v[k]->name);
    fputs("      }\n", out);
  }
  fputs("    }\n  }\n}\n", out);
}


//---- comparison ----------------------------------------------------------------------------------

#define STRICT "-std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"

typedef struct tongue {
  emitLanguage language;
  const char *needs;  // a program
  int is_extra;       // only when all shall be tested
  const char *caller; // file
  writeCaller *write;
  const char *commands; // %s: name of the program
} tongue;

static const tongue c_tongue = {EMIT_C,
                                "cc",
                                0,
                                "caller.c",
                                write_c_caller,
                                "cc " STRICT
                                " -O1 -c program.c && cc -std=c11 -O1 caller.c program.o -lm "
                                "-o caller && ./caller < in > out"};
static const tongue tongues[] = {
    {EMIT_FORTRAN, "gfortran", 0, "caller.f90", write_fortran_caller,
     "gfortran -std=f2008 -Wall -Wno-unused-dummy-argument -Werror -O1 -c program.f90 && gfortran "
     "-O0 "
     "program.o caller.f90 -o caller && ./caller < in > out"},
    {EMIT_PYTHON, "python3", 0, "caller.py", write_python_caller, "python3 caller.py < in > out"},
    {EMIT_MATLAB, "octave-cli", 1, "caller.m", write_octave_caller,
     "mv program.m %s.m && octave-cli --norc --quiet caller.m > out"},
    {EMIT_JAVA, "javac", 1, "Caller.java", write_java_caller,
     "mv program.java %s.java && javac Caller.java %s.java && java -Xshare:auto Caller < in > out"},
};


static void write_program(const scene *s, const tongue *t, const emitOptions *options)
{
  char name[40];
  artError error = {0};
  baseArena arena = {0};
  snprintf(name, sizeof name, "program%s", emit_file_ending(t->language));
  FILE *out = folder_open(folder, name, "w");
  CHECK(emit_program(out, s->p, t->language, options, &error) == ART_OK);
  fclose(out);
  out = folder_open(folder, t->caller, "w");
  t->write(out, s->p, emit_external_names(s->p, &arena));
  fclose(out);
  arena_free(&arena);
  if (t->language != EMIT_C) return;
  out = folder_open(folder, "program.h", "w");
  CHECK(emit_c_header(out, s->p, &(emitOptions){0}, &error) == ART_OK);
  fclose(out);
}


static void compare_answers(const char *name, const tongue *t, int n, const double *answer,
                            const double *scale)
{
  FILE *out = folder_open(folder, "out", "r");
  int held = CHECK(out != NULL);
  for (int i = 0; held && i < n; i++) {
    double x;
    held = CHECK(fscanf(out, "%lf", &x) == 1) && CHECK(fabs(x - answer[i]) <= 1e-12 * scale[i]);
    if (!held) printf("  number %d of %s in %s\n", i, name, emit_language_name(t->language));
  }
  if (out) fclose(out);
}


static void check_tongue(const char *name, const scene *s, const tongue *t,
                         const emitOptions *options)
{
  enum { MOST = 20000 };
  if (!is_installed(t->needs)) {
    printf("  %s is not installed: %s is not tested\n", t->needs, emit_language_name(t->language));
    return;
  }
  double *answer = calloc(MOST, sizeof *answer), *scale = calloc(MOST, sizeof *scale);
  FILE *in = folder_open(folder, "in", "w");
  int n = 0;
  for (int i = 0; i < STATES; i++) {
    if (s->m) next_state(s);
    n += ask(s, in, answer + n, scale + n);
  }
  fclose(in);
  write_program(s, t, options);
  if (folder_run(folder, t->commands, s->p->name, s->p->name)) {
    compare_answers(name, t, n, answer, scale);
  }
  free(answer);
  free(scale);
}


static void check_all(const char *name, const scene *s, const emitOptions *options)
{
  check_tongue(name, s, &c_tongue, options);
  for (size_t i = 0; i < sizeof tongues / sizeof *tongues; i++) {
    if (tongues[i].is_extra && !getenv("ART_TEST_ALL")) continue;
    check_tongue(name, s, &tongues[i], options);
  }
}


//---- tests ---------------------------------------------------------------------------------------

static void models_are_the_same_in_every_language(void)
{
  static const char *const files[] = {
      "double-pendulum.yaml", "spherical-pendulum.yaml",      "satellite.yaml",
      "adams/spring-2.yaml",  "loops/four-bar.yaml",          "loops/geared-five-bar.yaml",
      "screw-jack.yaml",      "benchmarks/slider-crank.yaml", "vehicles/cart.yaml"};
  const emitOptions options = {0};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    scene s;
    if (open_scene(&s, files[i], GEN_ACCELERATE | GEN_MASS | GEN_ENERGY | GEN_REACTIONS)) {
      check_all(files[i], &s, &options);
    }
    close_scene(&s);
  }
}


// a wheel whose tyre does more near standstill than else
static void conditions_hold_alike_in_every_language(void)
{
  static const char text[] =
      "articula: 1\n"
      "tyres: {t: {type: magic, scale: {VXLOW: 0.4}, file: " ART_SOURCE_DIR
      "/models/tyres/MagicFormula61_Parameters.tir}}\n"
      "bodies: {hub: {mass: 60, inertia: [4, 5, 6]}, wheel: {mass: 40, inertia: [1, 2, 1]}}\n"
      "joints:\n"
      "  base: {type: free, from: ground, to: hub}\n"
      "  spin: {type: revolute, axis: y, from: hub, to: wheel}\n"
      "initial: {base: {z: 0.3}}\n"
      "forces: {tyre: {type: tyre, wheel: wheel, tyre: t}}\n";
  const genOptions options = {.forms = GEN_ACCELERATE};
  scene s = {0};
  if (CHECK(art_read_model(&s.m, text, strlen(text), "wheel", NULL) == ART_OK) &&
      CHECK((s.d = art_create_data(s.m)) != NULL) &&
      CHECK(gen_create(&s.p, s.m, s.d, &options, NULL) == ART_OK)) {
    for (int cut = 0; cut < 2; cut++) {
      check_all("wheel", &s, &(emitOptions){.statements = cut ? 25 : 0});
    }
  }
  close_scene(&s);
}


static void derivatives_are_the_same_in_every_language(void)
{
  static const char *const files[] = {"double-pendulum.yaml", "spherical-pendulum.yaml",
                                      "loops/four-bar.yaml"};
  static const char *const sensitive[] = {"mass", "py_2"};
  const emitOptions options = {0};
  for (int i = 0; i < 3; i++) {
    scene s;
    const genOptions all = {.forms = GEN_ACCELERATE | GEN_INVERSE | GEN_KINEMATICS | GEN_ENERGY,
                            .tangents = 1,
                            .nsensitive = i == 2 ? 2 : 0,
                            .sensitive = sensitive};
    if (open_scene_with(&s, files[i], &all)) check_all(files[i], &s, &options);
    close_scene(&s);
  }
}


static void code_is_clean_under_sanitizers(void)
{
  tongue watched = c_tongue;
  watched.commands = "cc -std=c11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all "
                     "caller.c program.c -lm -o caller && ./caller < in > out";
  static const char *const files[] = {"puck.yaml", "loops/delta-rods.yaml"};
  for (int i = 0; i < 2; i++) {
    scene s;
    const unsigned forms = GEN_ACCELERATE | GEN_MASS | GEN_REACTIONS | GEN_OUTPUTS | GEN_REGRESSOR;
    if (open_scene(&s, files[i], forms)) check_tongue(files[i], &s, &watched, &(emitOptions){0});
    close_scene(&s);
  }
}


static void long_functions_are_cut_into_parts(void)
{
  const emitOptions options = {.statements = 25};
  static const char *const files[] = {"loops/four-bar.yaml", "puma560.yaml", "vehicles/cart.yaml"};
  for (int i = 0; i < 3; i++) {
    scene s;
    if (open_scene(&s, files[i], GEN_ACCELERATE | GEN_MASS | GEN_REGRESSOR))
      check_all(files[i], &s, &options);
    close_scene(&s);
  }
}


static void models_compile_without_a_warning_by_both_compilers(void)
{
  static const char *const files[] = {"motorcycle.yaml", "loops/stewart.yaml",
                                      "benchmarks/andrews.yaml", "vehicles/cart.yaml"};
  static const char *const compilers[] = {"gcc", "clang"};
  const emitOptions options = {0};
  for (int i = 0; i < 4; i++) {
    scene s;
    if (open_scene(&s, files[i], GEN_ACCELERATE | GEN_INVERSE)) {
      write_program(&s, &c_tongue, &options);
      for (int k = 0; k < 2; k++) {
        if (is_installed(compilers[k])) {
          folder_run(folder, "%s " STRICT " -fsyntax-only program.c", compilers[k]);
        }
      }
      folder_run(folder, "! grep -n '.\\{101\\}' program.c program.h");
    }
    close_scene(&s);
  }
}


//---- many angles ---------------------------------------------------------------------------------

// sines and cosines of four angles, small, moderate, huge and not finite, against the C library's
static const char angle_caller[] =
    "#include \"program.c\"\n"
    "int main(void)\n{\n"
    "  const double sizes[] = {1e-9, 1, 10, 1e3, 9e4, 2e5, 1e9, 1e300};\n"
    "  angles_parameters p;\n  angles_turn_constants c;\n"
    "  angles_default(&p);\n  angles_turn_prepare(&p, &c);\n"
    "  unsigned long long r = 1;\n"
    "  for (int i = 0; i < 80000; i++) {\n"
    "    double x[3], y[8];\n"
    "    for (int k = 0; k < 3; k++) {\n"
    "      r = r * 6364136223846793005ull + 1442695040888963407ull;\n"
    "      x[k] = sizes[(i + 3 * k) % 8] * ((double) (r >> 11) * 0x1p-52 - 1);\n"
    "    }\n"
    "    angles_turn(&p, &c, x, y, 0);\n"
    "    for (int k = 0; k < 4; k++) {\n"
    "      const double angle = k < 3 ? x[k] : x[0] + x[1];\n"
    "      if (!(fabs(y[k] - sin(angle)) < 3.3e-16)) return 1;\n"
    "      if (!(fabs(y[k + 4] - cos(angle)) < 3.3e-16)) return 2;\n"
    "    }\n"
    "  }\n"
    "  double x[3] = {HUGE_VAL, 1, NAN}, y[8];\n"
    "  angles_turn(&p, &c, x, y, 0);\n"
    "  return y[0] == y[0] || y[2] == y[2] || y[1] != y[1] ? 3 : 0;\n}\n";


static void sines_and_cosines_of_many_angles_are_those_of_the_c_library(void)
{
  exprPool *pool = expr_create(EXPR_RECORD);
  int x[4], y[8];
  for (int i = 0; i < 3; i++) x[i] = expr_symbol(pool, "x", i);
  x[3] = expr_add(pool, x[0], x[1]);
  for (int i = 0; i < 4; i++) y[i] = expr_sin(pool, x[i]);
  for (int i = 0; i < 4; i++) y[i + 4] = expr_cos(pool, x[i]);
  eqnStage stage = {.title = "all"};
  eqnVector input = {.name = "x", .what = "angles", .n = 3, .node = x};
  eqnVector output = {.name = "y", .what = "sines and cosines", .n = 8, .node = y};
  eqnFunction function = {"turn", "sines and cosines", 1, &input, 1, &output, 1, &stage};
  eqnProgram p = {.pool = pool,
                  .name = "angles",
                  .title = "Angles",
                  .source = "a test",
                  .nfunction = 1,
                  .function = &function};
  p.parameter.name = "parameters";
  const scene s = {.p = &p};
  write_program(&s, &c_tongue, &(emitOptions){0});
  FILE *out = folder_open(folder, "angles.c", "w");
  fputs(angle_caller, out);
  fclose(out);
  folder_run(folder, "grep -q 'angles_sincos(4,' program.c");
  folder_run(folder, "cc -std=c11 -O3 angles.c -lm -o angles && ./angles");
  folder_run(folder, "cc -std=c11 -O3 -ffp-contract=fast angles.c -lm -o angles && ./angles");
  expr_free(pool);
}


//---- every operation, and functions of the user --------------------------------------------------

enum { SYMBOLS = 4, RESULTS = 80 };


static int all_operations(exprPool *pool, const int *x, int *y)
{
  int n = 0;
  const int one = expr_constant(pool, 1);
  const int inside = expr_div(pool, x[0], expr_add(pool, one, expr_mul(pool, x[0], x[0])));
  const int above = expr_add(pool, one, expr_mul(pool, x[1], x[1]));
  for (exprOp op = EXPR_NEG; op < EXPR_OP_COUNT; op++) {
    const int a = op == EXPR_ASIN || op == EXPR_ACOS ? inside : op == EXPR_POW ? above : x[2];
    const int is_positive = op == EXPR_SQRT || op == EXPR_LOG || op == EXPR_LOG10;
    if (expr_arity(op) == 1 && op != EXPR_ELEMENT)
      y[n++] = expr_operate(pool, op, is_positive ? above : a, 0);
    if (expr_arity(op) == 2) y[n++] = expr_operate(pool, op, a, x[3]);
    if (op == EXPR_SELECT) {
      const int less = expr_operate(pool, EXPR_LESS, x[0], x[1]);
      y[n++] = expr_select(pool, less, x[2], x[3]);
    }
  }

  // operators side by side, and what binds how
  const int minus = expr_neg(pool, x[1]);
  y[n++] = expr_node(pool, EXPR_SUB, x[0], minus);
  const int sum = expr_node(pool, EXPR_ADD, x[0], expr_node(pool, EXPR_MUL, minus, x[2]));
  y[n++] = sum;
  y[n++] = expr_node(pool, EXPR_SUB, x[0], expr_node(pool, EXPR_SUB, x[1], x[2]));
  y[n++] = expr_node(pool, EXPR_DIV, x[0], expr_node(pool, EXPR_DIV, above, x[3]));
  y[n++] = expr_node(pool, EXPR_MUL, x[0], expr_constant(pool, -1.5e-300));
  y[n++] = expr_node(pool, EXPR_MUL, sum, expr_operate(pool, EXPR_MOD, x[2], x[3]));
  y[n++] = expr_operate(pool, EXPR_FLOOR, expr_mul(pool, expr_constant(pool, 7), x[2]), 0);

  // a root that is not taken may be none, a quotient may have no denominator, a cell no width
  const int root = expr_sqrt(pool, x[0]), is_one = expr_operate(pool, EXPR_LESS, 0, x[0]);
  y[n++] = expr_select(pool, is_one, root, x[1]);
  const int none = expr_operate(pool, EXPR_LESS, above, 0);
  const int is_some = expr_operate(pool, EXPR_NOT, expr_operate(pool, EXPR_EQUAL, none, 0), 0);
  const int exists = expr_operate(pool, EXPR_LESS, 0, none);
  const int quotient = expr_node(pool, EXPR_DIV, x[2], none);
  y[n++] = expr_select(pool, is_some, quotient, x[1]);
  y[n++] = expr_select(pool, is_some, expr_mul(pool, quotient, x[3]), x[2]);
  y[n++] = expr_select(pool, exists, expr_operate(pool, EXPR_MOD, x[2], none), x[3]);
  y[n++] = expr_select(pool, exists, expr_operate(pool, EXPR_FLOOR, quotient, 0), x[3]);
  y[n++] = expr_select(pool, exists, expr_operate(pool, EXPR_SIN, quotient, 0), x[3]);
  return n;
}


static void operations_and_functions_of_the_user_are_the_same_in_every_language(void)
{
  exprPool *pool = expr_create(EXPR_RECORD);
  int x[SYMBOLS], y[RESULTS];
  for (int i = 0; i < SYMBOLS; i++) x[i] = expr_symbol(pool, "x", i);
  int n = all_operations(pool, x, y);
  const int f = expr_external(pool, 2, 3), g = expr_external(pool, 1, 1);
  const int sum = expr_add(pool, x[0], x[1]);
  const int call = expr_call(pool, f, (int[]){sum, x[2]});
  for (int i = 0; i < 3; i++) y[n++] = expr_element(pool, call, i);
  const int first = expr_element(pool, call, 0);
  y[n++] = expr_element(pool, expr_call(pool, g, &first), 0);

  eqnExternal external[2] = {{"rig/tyre-law.x", "a law with an awkward name", 2, 3},
                             {"rig.tyre_law/x", "another that reads alike", 1, 1}};
  eqnStage stage = {.title = "all"};
  eqnVector input = {.name = "x", .what = "numbers", .n = SYMBOLS, .node = x};
  eqnVector output = {.name = "y", .what = "numbers", .n = n, .node = y};
  eqnFunction function = {"everything", "all operations", 1, &input, 1, &output, 1, &stage};
  eqnProgram p = {.pool = pool,
                  .name = "operations",
                  .title = "Operations",
                  .source = "a test",
                  .nfunction = 1,
                  .function = &function,
                  .nexternal = 2,
                  .external = external};
  p.parameter.name = "parameters";
  const scene s = {.p = &p};
  for (int cut = 0; cut < 2; cut++) {
    check_all("operations", &s, &(emitOptions){.statements = cut ? 5 : 0});
  }
  expr_free(pool);
}


int main(int argc, char **argv)
{
  const checkTest tests[] = {
      TEST(models_are_the_same_in_every_language),
      TEST(conditions_hold_alike_in_every_language),
      TEST(derivatives_are_the_same_in_every_language),
      TEST(code_is_clean_under_sanitizers),
      TEST(long_functions_are_cut_into_parts),
      TEST(models_compile_without_a_warning_by_both_compilers),
      TEST(sines_and_cosines_of_many_angles_are_those_of_the_c_library),
      TEST(operations_and_functions_of_the_user_are_the_same_in_every_language),
      {0},
  };
  if (!mkdtemp(folder)) return 1;
  const int status = check_main(argc, argv, tests);
  char command[100];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  return system(command) == 0 ? status : 1;
}
