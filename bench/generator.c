// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations of generated equations compared with the published ones. Counted as Postiau (2004) does: sums,
// products, quotients and functions one each, changes of sign and combinations of parameters not.
//
// Then what large machines take: seconds of CPU time to make the C of `accelerate` and, with the argument
// `compile`, of `cc -O2` to compile it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "articula/articula.h"
#include "emit/emit.h"
#include "eqn/list.h"
#include "gen/gen.h"

// the angle of an arm that is 0, and rods without mass: numbers where the published figures come from
static const char *const frozen[] = {"arm1/a", "arm2/a", "arm3/a", "arm1/m2", "arm2/m2", "arm3/m2"};

typedef struct figure {
  const char *model;
  genParameters parameters;
  const char *function;
  int published; // 0: none
} figure;

// clang-format off
static const figure figures[] = {
    {"models/generator/puma-thesis.yaml", GEN_CLASSICAL, "inverse", 361},
    {"models/generator/puma-thesis.yaml", GEN_CLASSICAL, "mass_bias", 689},
    {"models/generator/puma-thesis.yaml", GEN_CLASSICAL, "forward", 873},
    {"models/generator/puma-thesis.yaml", GEN_CLASSICAL, "forward_n", 1220},
    {"models/generator/puma-thesis.yaml", GEN_BARYCENTRIC, "inverse", 325},
    {"models/generator/puma-thesis.yaml", GEN_BARYCENTRIC, "mass_bias", 527},
    {"models/generator/puma-thesis.yaml", GEN_BARYCENTRIC, "forward", 711},
    {"models/generator/puma-thesis.yaml", GEN_BARYCENTRIC, "forward_n", 0},
    {"models/puma560.yaml", GEN_CLASSICAL, "inverse", 0},
    {"models/puma560.yaml", GEN_BARYCENTRIC, "inverse", 0},
    {"models/puma560.yaml", GEN_CLASSICAL, "forward", 0},
    {"models/puma560.yaml", GEN_BARYCENTRIC, "forward", 0},
    {"models/puma560.yaml", GEN_BARYCENTRIC, "forward_n", 0},
    {"models/motorcycle.yaml", GEN_CLASSICAL, "forward", 2950},
    {"models/motorcycle.yaml", GEN_BARYCENTRIC, "forward", 2576},
    {"models/motorcycle.yaml", GEN_CLASSICAL, "forward_n", 2821},
    {"models/motorcycle.yaml", GEN_BARYCENTRIC, "forward_n", 0},
    {"models/generator/humanoid.yaml", GEN_CLASSICAL, "inverse", 4106},
    {"models/generator/humanoid.yaml", GEN_CLASSICAL, "mass_bias", 17414},
    {"models/generator/humanoid.yaml", GEN_CLASSICAL, "forward", 0},
    {"models/generator/humanoid.yaml", GEN_CLASSICAL, "forward_n", 0},
    {"models/generator/humanoid.yaml", GEN_BARYCENTRIC, "inverse", 4106},
    {"models/generator/humanoid.yaml", GEN_BARYCENTRIC, "mass_bias", 17414},
    {"models/generator/humanoid.yaml", GEN_BARYCENTRIC, "forward", 0},
    {"models/generator/humanoid.yaml", GEN_BARYCENTRIC, "forward_n", 0},
    {"models/iiwa.yaml", GEN_BARYCENTRIC, "inverse", 0},
    {"models/iiwa.yaml", GEN_BARYCENTRIC, "forward", 0},
    {"models/chain-10.yaml", GEN_BARYCENTRIC, "inverse", 0},
    {"models/chain-10.yaml", GEN_BARYCENTRIC, "forward", 0},
    {"models/chain-10.yaml", GEN_BARYCENTRIC, "forward_n", 0},
};
// clang-format on


// machines with loops: all of `accelerate`, and of it the reduction to independent coordinates
typedef struct loopFigure {
  const char *model;
  int published, published_reduction; // 0: none
  int shares;                         // also with parameters that equal parts share
} loopFigure;

// clang-format off
static const loopFigure loop_figures[] = {
    {"models/loops/planar-robot-1.yaml", 1447, 0, 0},
    {"models/loops/planar-robot-2.yaml", 861, 0, 0},
    {"models/loops/planar-robot-3.yaml", 845, 0, 0},
    {"models/loops/planar-robot-4.yaml", 772, 0, 0},
    {"models/loops/delta.yaml", 0, 60, 0},
    {"models/generator/delta-massless.yaml", 0, 60, 0},
    {"models/loops/stewart.yaml", 0, 330, 1},
    {"models/generator/stewart-massless.yaml", 0, 330, 1},
    {"models/generator/stewart-bare.yaml", 0, 330, 1},
    {"models/vehicles/caracas-bogie.yaml", 0, 1075, 0},
};
// clang-format on


static double seconds(void)
{
  return (double) clock() / CLOCKS_PER_SEC;
}


static void print_figure(const figure *x, const eqnProgram *program, double made)
{
  const eqnFunction *f = gen_function(program, x->function);
  const eqnOptions options = eqn_default_options();
  const double start = seconds();
  eqnList *list = f ? eqn_list_create(program, f, &options) : NULL;
  if (!list) return;
  const eqnCount c = list->total;
  printf("| %s | %s | %s | %d | %d | %d | %d | **%d** |", x->model,
         x->parameters == GEN_BARYCENTRIC ? "minimal" : "classical", x->function, c.add, c.mul,
         c.div, c.trig, c.total);
  if (x->published > 0) {
    printf(" %d |", x->published);
  } else {
    printf(" |");
  }
  printf(" %.0f | %.0f |\n", 1e3 * made, 1e3 * (seconds() - start));
  eqn_list_free(list);
}


static void run_figure(const figure *x)
{
  const genOptions options = {
      .nfreeze = 6,
      .freeze = frozen,
      .forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL | GEN_FORWARD_N,
      .parameters = x->parameters,
  };
  artError error = {0};
  artModel *m = NULL;
  eqnProgram *program = NULL;
  if (art_load_model(&m, x->model, &error) != ART_OK) {
    fprintf(stderr, "%s\n", error.text);
    return;
  }
  artData *d = art_create_data(m);
  const double start = seconds();
  if (gen_create(&program, m, d, &options, &error) == ART_OK) {
    print_figure(x, program, seconds() - start);
  } else {
    fprintf(stderr, "%s: %s\n", x->model, error.text);
  }
  gen_free(program);
  art_free_data(d);
  art_free_model(m);
}


static void print_published(int published)
{
  if (published > 0) {
    printf(" %d |", published);
  } else {
    printf(" |");
  }
}


static void print_loops(const loopFigure *x, const char *parameters, const eqnProgram *program)
{
  const eqnOptions options = eqn_default_options();
  eqnList *list = eqn_list_create(program, gen_function(program, "accelerate"), &options);
  if (!list) return;
  printf("| %s | %s | **%d** |", x->model, parameters, list->total.total);
  print_published(x->published);
  printf(" %d |", list->group[GROUP_REDUCTION].total);
  print_published(x->published_reduction);
  printf("\n");
  eqn_list_free(list);
}


static void run_loops(const loopFigure *x, genParameters parameters, int share)
{
  const genOptions options = {.nfreeze = 6,
                              .freeze = frozen,
                              .forms = GEN_ACCELERATE,
                              .parameters = parameters,
                              .share = share};
  artError error = {0};
  artAssembly assembly;
  artModel *m = NULL;
  eqnProgram *program = NULL;
  artStatus status = art_load_model(&m, x->model, &error);
  artData *d = m ? art_create_data(m) : NULL;
  if (status == ART_OK) status = art_assemble(m, d, &assembly, &error);
  if (status == ART_OK) status = gen_create(&program, m, d, &options, &error);
  if (status == ART_OK) {
    print_loops(x,
                share                           ? "shared"
                : parameters == GEN_BARYCENTRIC ? "minimal"
                                                : "classical",
                program);
  } else {
    fprintf(stderr, "%s: %s\n", x->model, error.text);
  }
  gen_free(program);
  art_free_data(d);
  art_free_model(m);
}


//---- large machines ------------------------------------------------------------------------------

static const char *const large[] = {
    "models/benchmarks/four-bars-40.yaml", "models/vehicles/multilink-car.yaml",
    "models/vehicles/truck.yaml", "models/vehicles/road-train.yaml"};


// CPU time of compilers so far
static double waited(void)
{
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double) (used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double) (used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}


static void compile(const char *folder)
{
  char command[200];
  const double start = waited();
  snprintf(command, sizeof command, "cd %s && cc -std=c11 -O2 -c program.c", folder);
  if (system(command) == 0) printf(" %.1f", waited() - start);
}


static void print_large(const char *name, const artModel *m, artData *d, int compiles)
{
  char folder[] = "/tmp/articula-generator-XXXXXX", path[60], command[60];
  const double start = seconds();
  const genOptions options = {.nfreeze = 6, .freeze = frozen, .forms = GEN_ACCELERATE};
  const eqnOptions standard = eqn_default_options();
  eqnProgram *program = NULL;
  if (!mkdtemp(folder)) return;
  snprintf(path, sizeof path, "%s/program.c", folder);
  FILE *out = fopen(path, "w");
  if (out && gen_create(&program, m, d, &options, NULL) == ART_OK &&
      emit_program(out, program, EMIT_C, &(emitOptions){0}, NULL) == ART_OK) {
    const double made = seconds() - start;
    const long length = ftell(out);
    eqnList *list = eqn_list_create(program, gen_function(program, "accelerate"), &standard);
    printf("| %s | %d | %d | %d | %.2f | %.2f |", name, m->nbody - 1, m->nrow,
           list ? list->total.total : 0, 1e-6 * (double) length, made);
    fflush(out);
    if (compiles) compile(folder);
    printf(" |\n");
    eqn_list_free(list);
  }
  if (out) fclose(out);
  snprintf(command, sizeof command, "rm -r %s", folder);
  if (system(command) != 0) fprintf(stderr, "%s is left\n", folder);
  gen_free(program);
}


static void run_large(const char *name, int compiles)
{
  artError error = {0};
  artAssembly assembly;
  artModel *m = NULL;
  artStatus status = art_load_model(&m, name, &error);
  artData *d = m ? art_create_data(m) : NULL;
  if (status == ART_OK) status = art_assemble(m, d, &assembly, &error);
  if (status == ART_OK)
    print_large(name, m, d, compiles);
  else
    fprintf(stderr, "%s: %s\n", name, error.text);
  art_free_data(d);
  art_free_model(m);
}


int main(int argc, char **argv)
{
  const int compiles = argc > 1 && strcmp(argv[1], "compile") == 0;
  printf("| model | parameters | function | sums | products | quotients | sines | all | published |"
         " made in, ms | list in, ms |\n");
  printf("|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) run_figure(&figures[i]);

  printf(
      "\n| model with loops | parameters | accelerate | published | its reduction | published |\n");
  printf("|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof loop_figures / sizeof *loop_figures; i++) {
    run_loops(&loop_figures[i], GEN_CLASSICAL, 0);
    run_loops(&loop_figures[i], GEN_BARYCENTRIC, 0);
    if (loop_figures[i].shares) run_loops(&loop_figures[i], GEN_CLASSICAL, 1);
  }

  printf("\n| large machine | bodies | rows | accelerate | text, MB | made in, s | compiled in, s "
         "|\n");
  printf("|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof large / sizeof *large; i++) run_large(large[i], compiles);
  return 0;
}
