// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Memory: none is taken while a run advances, and where it runs out everything ends cleanly.
#include <stdlib.h>

#include "articula/import.h"
#include "gen/gen.h"
#include "study/generate/product_writer.h"
#include "support/heap.h"
#include "support/keep.h"
#include "support/mallocs.h"
#include "unit/study_models.h"

//---- machines ------------------------------------------------------------------------------------

static artStatus push(void *context, const artModel *m, artData *d)
{
  (void) context;
  art_apply_joint_force(m, d, 0, 0.1);
  return ART_OK;
}


// every kind of element, drive and joint that takes memory of its own
static artBuilder *rich_builder(void)
{
  static const double x[] = {-0.1, 0, 0.1}, f[] = {-4, 0, 9}, cubic[] = {30, 0, 5};
  static const double time[] = {0, 1, 2, 3}, value[] = {0, 0.5, 0.2, 0.1};
  static const artMotionDef motions[] = {{"slide", "0.1*sin(time)"},
                                         {"ball.qx", "if(time>1,0.1,0.2)"}};
  const double at[3] = {0.2, 0, 0}, far[3] = {0.4, 0, 0};
  artBuilder *b = art_create_builder();
  if (!b) return NULL;
  art_set_title(b, "rich");
  art_add_parameter(b, "F", 3, "N");
  put_body(b, "cart", 0.7, 0, 0, 0, 0.1, 0.1, 0.1);
  put_body(b, "bob", 0.4, 0.2, 0, -0.3, 0.01, 0.01, 0.01);
  put_body(b, "wheel", 0.2, 0.4, 0, 0, 0.01, 0.01, 0.01);
  put_joint(b, "slide", ART_PRISMATIC, "ground", "cart", ORIGIN, X);
  put_joint(b, "ball", ART_SPHERICAL, "cart", "bob", at, Z);
  put_joint(b, "axle", ART_REVOLUTE, "cart", "wheel", far, Y);
  put_frame(b, "ground", "hook", 0.2, 0, -2);
  put_spring(b, "tether", "ground.hook", "bob", 20, 1, 1.5);
  const artJointSpringDef spring = {.name = "spring",
                                    .coordinate = "slide",
                                    .spring = {ART_LAW_PIECEWISE, 0, 3, x, f},
                                    .damper = {ART_LAW_POLYNOMIAL, 0, 3, NULL, cubic}};
  const artJointStopDef stop = {"stop", "slide", -0.15, 0.12, 4000, 0.3};
  const artJointFrictionDef friction = {"friction", "slide", 0.5, 0.8, 0.3, 0.1, 0.05};
  const artDriveDef drive = {
      .name = "motor", .coordinate = "axle", .n = 4, .time = time, .value = value};
  const artBodyForceDef wind = {
      .name = "wind", .on = "bob", .components = {"F*sin(3*time)", "0", "0"}};
  const artCallbackDef callback = {.name = "push", .apply = push};
  art_add_joint_spring(b, &spring);
  art_add_joint_stop(b, &stop);
  art_add_joint_friction(b, &friction);
  art_add_drive(b, &drive);
  art_add_body_force(b, &wind);
  art_add_callback(b, &callback);
  put_joint_force(b, "shaker", "slide", "if(sin(9*time) > 0, 3, -2)");
  art_set_initial(b, "slide.rate", 1.1);
  art_add_output(b, "slip", "2*slide.rate");
  art_add_output(b, NULL, "energy.balance");
  artStudyDef study = art_default_study(ART_INVERSE);
  study.inverse.motion = (artMotions){2, motions};
  art_add_study(b, &study);
  return b;
}


//---- no memory in a step -------------------------------------------------------------------------

TEST(a_thousand_outputs_take_no_memory)
{
  heap_watch();
  artModel *m = finish(rich_builder());
  if (!m) return;
  for (int i = 0; i < ART_MOREAU; i++) {
    artData *d = art_create_data(m);
    artRunDef study = run_study((artIntegrator) i, 2, i == ART_RK4 ? 1e-3 : 1e-6);
    study.interval = 2e-3;
    CHECK_EQ_INT(art_output_count(&study), 1001);
    artRun *run;
    double values[2], tau[8];
    if (!CHECK_WORKS(art_create_run(&run, m, d, &study, &check_error))) break;
    const size_t size = art_run_state_size(run);
    void *bytes = malloc(size);

    // CVODE takes the last of its memory in its first step
    CHECK_WORKS(art_run_to(run, art_output_time(&study, 1), &check_error));
    const long taken = heap_taken(), mallocs_before = mallocs;
    for (long k = 2; k < 1001; k++) {
      CHECK_WORKS(art_run_to(run, art_output_time(&study, k), &check_error));
      art_outputs(m, d, values);
    }
    CHECK_WORKS(art_save_run(run, bytes, size, &check_error));
    CHECK_EQ_INT(heap_taken() - taken, 0);
    CHECK_EQ_INT(mallocs - mallocs_before, 0);
    CHECK(art_certify(run).events > 5);
    art_free_run(run);

    // nor do forces along a motion
    const artInverseDef *inverse = &art_find_study(m, ART_INVERSE, NULL)->inverse;
    const long before = heap_taken();
    for (int k = 0; k < 100; k++) {
      CHECK_WORKS(art_inverse_at(m, d, inverse, 0.03 * k, tau, &check_error));
    }
    CHECK_EQ_INT(heap_taken() - before, 0);
    free(bytes);
    art_free_data(d);
  }
  art_free_model(m);
  CHECK_EQ_INT(heap_live(), 0);
  heap_unwatch();
}


//---- no memory in steps for controllers ----------------------------------------------------------

typedef struct stepCase {
  const char *file;
  double dt;
  int steps;
  int all; // methods and integrators; else the usual method alone
  artAlgebra algebra;
  artRedundant redundant;
} stepCase;


static int is_for(artMethod method, const artModel *m)
{
  const int is_tree = method == ART_ORDER_N || method == ART_MASS_MATRIX;
  const int is_loop =
      method == ART_SEMIRECURSIVE || method == ART_RECURSIVE || method == ART_AUGMENTED;
  return art_count(m).loops > 0 ? !is_tree : !is_loop;
}


// the first number among the parameters, so much larger than in the file
static void set_first(artModel *m, double factor)
{
  int i = 0;
  while (i < art_count_parameters(m) && art_parameter_is_formula(m, i)) i++;
  if (i == art_count_parameters(m)) return;
  static double x;
  if (factor == 1) x = art_parameter_value(m, i);
  CHECK_WORKS(art_set_parameter(m, art_parameter_name(m, i), factor * x, &check_error));
}


// From the first step on, and behind changes of a parameter, which may take memory themselves.
static artCertificate check_no_memory(const stepCase *c, artMethod method, artIntegrator integrator)
{
  artModel *m = keep_file(c->file);
  if (!m || !is_for(method, m)) return (artCertificate){0};
  artData *d = keep_fresh_data(m);
  const artRunDef *found = art_find_run(m, NULL);
  artRunDef study = found ? *found : art_default_study(ART_RUN).run;
  study.method = method, study.integrator = integrator, study.algebra = c->algebra;
  study.redundant = c->redundant;
  if (art_integrator_is_fixed(integrator)) study.step = fmin(c->dt, 2e-3);
  artRun *run = keep_started_run(m, d, &study);
  artError error = {0};
  long taken = 0;
  for (int k = 0; k < c->steps && !error.text[0]; k++) {
    // a parameter of a contact reads the model again
    if (k % (c->steps / 4) == 1 && integrator != ART_MOREAU)
      set_first(m, k == 1 ? 1 : 1 + 1e-7 * k);
    const long before = mallocs;
    CHECK_EQ_INT(art_step(run, c->dt, &error), ART_OK);
    taken += mallocs - before;
  }
  if (!CHECK_EQ_INT(taken, 0) || !CHECK_TEXT(error.text, "")) {
    printf("%s, %s, %s\n", c->file, art_method_name(method), art_integrator_name(integrator));
  }
  return art_certify(run);
}


TEST(a_machine_that_changes_its_independent_coordinates_takes_no_memory)
{
  const stepCase c = {"models/loops/four-bar.yaml", 1e-2, 200, 1, 0, 0};
  for (int method = 0; method < ART_METHODS; method++) {
    for (int i = 0; i < ART_MOREAU; i++) {
      const artCertificate found = check_no_memory(&c, (artMethod) method, (artIntegrator) i);
      const int is_relative = method == ART_SEMIRECURSIVE || method == ART_RECURSIVE;
      if (is_relative) CHECK(found.repartitions > 10);
    }
  }
}


TEST(nor_do_other_treatments_of_rows_and_masses)
{
  const stepCase cases[] = {
      {"models/loops/four-bar.yaml", 1e-2, 200, 0, ART_ALGEBRA_DENSE, ART_REDUNDANT_DROP},
      {"models/loops/four-bar.yaml", 1e-2, 200, 0, ART_ALGEBRA_PLAIN, ART_REDUNDANT_LU},
      {"models/vehicles/van-redundant.yaml", 1e-3, 20, 0, ART_ALGEBRA_DENSE, ART_REDUNDANT_LU}};
  for (int k = 0; k < 3; k++) {
    const artCertificate c = check_no_memory(&cases[k], ART_SEMIRECURSIVE, ART_RK4);
    if (k < 2) CHECK(c.repartitions > 10);
  }
}


TEST(latches_that_engage_and_release_take_no_memory)
{
  static const stepCase cases[] = {{"models/loops/four-bar-lock.yaml", 1e-2, 200, 1, 0, 0},
                                   {"models/rope-pendulum.yaml", 1e-2, 200, 1, 0, 0},
                                   {"models/plant/industrial-robot.yaml", 1e-3, 60, 0, 0, 0}};
  for (int k = 0; k < 3; k++) {
    for (int method = 0; method < (cases[k].all ? ART_METHODS : 1); method++) {
      const artCertificate c = check_no_memory(&cases[k], (artMethod) method, ART_DOPRI5);
      if (method == ART_AUTOMATIC) CHECK(c.latched > 1);
    }
  }
}


TEST(steps_take_no_memory)
{
  static const stepCase cases[] = {
      {"models/pendulum.yaml", 1e-2, 40, 1, 0, 0},
      {"models/loops/stewart.yaml", 1e-2, 40, 1, 0, 0},
      {"models/loops/delta.yaml", 1e-2, 40, 1, 0, 0},
      {"models/loops/seven-body.yaml", 1e-4, 100, 0, 0, 0},
      {"models/vehicles/iltis.yaml", 1e-3, 40, 0, 0, 0},
      {"models/vehicles/van.yaml", 1e-3, 40, 0, 0, 0},
      {"models/plant/inverted-pendulum.yaml", 1e-3, 100, 1, 0, 0}, // samplers
      {"models/plant/excavator.yaml", 1e-3, 100, 0, 0, 0},         // events, states
      {"models/plant/stewart-pid.yaml", 1e-3, 40, 0, 0, 0},
      {"models/loops/four-bar-friction.yaml", 1e-3, 100, 0, 0, 0},
      {"test/models/good/sampled.yaml", 1e-3, 100, 1, 0, 0}, // delays
      {"test/models/good/signals.yaml", 2e-3, 8, 1, 0, 0},   // every kind of signal
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    for (int method = 0; method < (cases[k].all ? ART_METHODS : 1); method++) {
      for (int i = 0; i < ART_MOREAU; i++) {
        (void) check_no_memory(&cases[k], (artMethod) method, (artIntegrator) i);
      }
    }
  }
}


TEST(fixed_steps_of_contacts_take_no_memory)
{
  static const stepCase cases[] = {
      {"models/contact/rigid/gripper.yaml", 1e-3, 200, 0, 0, 0},
      {"models/contact/rigid/cam-and-follower.yaml", 1e-3, 200, 0, 0, 0},
      {"models/contact/pile/pile.yaml", 2e-3, 50, 0, 0, 0}};
  for (int k = 0; k < 3; k++) (void) check_no_memory(&cases[k], ART_AUTOMATIC, ART_MOREAU);
}


//---- every allocation fails once -----------------------------------------------------------------

static artStatus run_all(const artModel *m, artData *d, artIntegrator integrator, artError *error)
{
  static char bytes[1 << 16];
  const artRunDef study = run_study(integrator, 0.2, integrator == ART_RK4 ? 1e-2 : 1e-4);
  artRun *run;
  artStatus status = art_create_run(&run, m, d, &study, error);
  if (status != ART_OK) return status;
  const size_t size = art_run_state_size(run);
  status = art_run_to(run, 0.1, error);
  if (status == ART_OK && CHECK(size <= sizeof bytes))
    status = art_save_run(run, bytes, size, error);
  if (status == ART_OK) status = art_load_run(run, bytes, size, error);
  if (status == ART_OK) status = art_run_to(run, 0.2, error);
  art_free_run(run);
  return status;
}


static artStatus study_all(const artModel *m, artError *error)
{
  artData *d = art_create_data(m);
  if (!d) return ART_NO_MEMORY;
  artStatus status = ART_OK;
  for (int i = 0; i < ART_MOREAU && status == ART_OK; i++) {
    status = run_all(m, d, (artIntegrator) i, error);
  }

  artEquilibrium equilibrium;
  artLinear *lin = NULL;
  double tau[32];
  const artInverseDef *inverse = &art_find_study(m, ART_INVERSE, NULL)->inverse;
  if (status == ART_OK) {
    art_reset(m, d);
    status = art_find_equilibrium(m, d, &equilibrium, error);
    if (status == ART_NO_CONVERGENCE) status = ART_OK;
  }
  if (status == ART_OK) status = art_linearise(m, d, ART_MASS_MATRIX, &lin, error);
  if (status == ART_OK) status = art_inverse_at(m, d, inverse, 1, tau, error);
  art_free_linear(lin);
  art_free_data(d);
  return status;
}


static artStatus build_and_study(artError *error)
{
  artBuilder *b = rich_builder();
  artModel *m;
  artStatus status = art_compile_model(&m, b, error);
  if (status == ART_OK) status = study_all(m, error);
  art_free_model(m);
  art_free_builder(b);
  return status;
}


// texts that kinds of forces write, each longer than what an arena has in stock
static artStatus build_brakes(artError *error)
{
  char demand[9000] = "1";
  for (size_t n = 1; n + 8 < sizeof demand; n += 7) memcpy(demand + n, "+sin(1)", 8);
  artBuilder *b = art_create_builder();
  if (!b) return ART_NO_MEMORY;
  put_body(b, "rod", 1, 0, 0, -1, 0.1, 0.1, 0.1);
  put_joint(b, "pin", ART_REVOLUTE, "ground", "rod", ORIGIN, Y);
  art_add_brake(b, &(artBrakeDef){"left", "pin", demand, 0.1});
  art_add_brake(b, &(artBrakeDef){"right", "pin", demand, 0.1});
  artModel *m;
  const artStatus status = art_compile_model(&m, b, error);
  art_free_model(m);
  art_free_builder(b);
  return status;
}


static const char *file_to_load;


static artStatus load(artError *error)
{
  char path[512];
  snprintf(path, sizeof path, "%s/test/models/good/%s", ART_SOURCE_DIR, file_to_load);
  artModel *m;
  const artStatus status = art_load_model(&m, path, error);
  art_free_model(m);
  return status;
}


// Fail the first call, then the second, ... until there are no more calls to fail. Each must be told.
static void fail_each(artStatus (*work)(artError *error), int at_least)
{
  for (long k = 1;; k++) {
    artError error = {0};
    heap_fail_at(k);
    const artStatus status = work(&error);
    const int reached = heap_taken() >= k;
    CHECK_EQ_INT(heap_live(), 0);
    heap_unwatch();
    if (!reached) {
      if (status != ART_OK) printf("%s\n", error.text);
      CHECK_EQ_INT(status, ART_OK);
      CHECK(k > at_least);
      return;
    }
    if (!CHECK(status == ART_NO_MEMORY)) {
      printf("allocation %ld: status %d, '%s'\n", k, (int) status, error.text);
      return;
    }
  }
}


TEST(every_allocation_of_a_study_may_fail)
{
  fail_each(build_and_study, 60);
}


TEST(every_allocation_of_texts_that_forces_write_may_fail)
{
  fail_each(build_brakes, 15);
}


// the parts that a model keeps come from a pool
TEST(every_allocation_of_a_reader_may_fail)
{
  static const char *const files[] = {"all-forces.yaml", "all-joints.yaml", "studies.yaml",
                                      "train.yaml"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    file_to_load = files[i];
    CHECK_EQ_INT(load(NULL), ART_OK);
    fail_each(load, i == 0 ? 50 : 20);
  }
}


// a robot with a file of loops beside it
static artStatus import_loops(artError *error)
{
  artImport *import = NULL;
  const artImportDef def = art_default_import();
  const char *path = ART_SOURCE_DIR "/models/import/five-bar.urdf";
  const artStatus status = art_import(&import, path, &def, error);
  if (status == ART_OK) CHECK_CONTAINS(art_import_text(import), "loop: cut");
  art_free_import(import);
  return status;
}


TEST(every_allocation_of_an_import_may_fail)
{
  fail_each(import_loops, 5);
}


static artModel *generated;
static genOptions options_to_generate;


// equations of a machine with a loop, a parameter and all that follows from them
static artStatus generate(artError *error)
{
  eqnProgram *program = NULL;
  artData *d = art_create_data(generated);
  if (!d) return ART_NO_MEMORY;
  art_update(generated, d);
  artStatus status = art_assemble(generated, d, NULL, error);
  if (status == ART_OK) status = gen_create(&program, generated, d, &options_to_generate, error);
  gen_free(program);
  art_free_data(d);
  return status;
}


TEST(every_allocation_of_a_generated_program_may_fail)
{
  static const char text[] =
      "articula: 1\nparameters: {L: 0.6 m}\n"
      "bodies:\n"
      "  crank: {mass: 1, com: [0, 0.1, 0], inertia: [4e-3, 1e-4, 4e-3]}\n"
      "  coupler: {mass: 2, com: [\"= L/2\", 0.2, 0], inertia: [1e-3, 0.06, 0.06]}\n"
      "  rocker: {mass: 1.5, com: [0.55, 0.1, 0], inertia: [7e-3, 2e-3, 7e-3]}\n"
      "joints:\n"
      "  pivot: {type: revolute, axis: z, from: ground, to: crank, at: [0, 0, 0]}\n"
      "  crankpin: {type: revolute, axis: z, from: crank, to: coupler, at: [0, 0.2, 0]}\n"
      "  wrist: {type: revolute, axis: z, from: coupler, to: rocker, at: [\"= L\", 0.2, 0]}\n"
      "  bearing: {type: revolute, axis: z, from: rocker, to: ground, at: [0.5, 0, 0], loop: cut}\n"
      "outputs: {angle: pivot.angle, force: pivot.fx}\n";
  if (!CHECK(art_read_model(&generated, text, sizeof text - 1, "text", NULL) == ART_OK)) return;
  const genOptions options[] = {
      {.forms = GEN_ACCELERATE | GEN_POWER | GEN_OUTPUTS | GEN_STRAIN | GEN_MACHINE_INVERSE |
                GEN_REACTIONS | GEN_AUGMENTED | GEN_FORWARD_N | GEN_KINEMATICS,
       .tangents = 1,
       .is_present = 1},
      {.forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL | GEN_ENERGY | GEN_REGRESSOR,
       .parameters = GEN_BARYCENTRIC}};
  for (int i = 0; i < 2; i++) {
    options_to_generate = options[i];
    CHECK_EQ_INT(generate(NULL), ART_OK);
    fail_each(generate, i == 0 ? 100 : 40);
  }
  art_free_model(generated);
}


// The text of a machine as a simulator of this kind; NULL: a failure.
static char *write_text(emitLanguage language, artError *error)
{
  const genOptions options = {.name = "machine", .forms = GEN_ACCELERATE};
  const artStudyDef *study = art_find_study(generated, ART_RUN, NULL);
  const simulatorKind kind = language == EMIT_CUDA ? SIMULATOR_CUDA : SIMULATOR_MACHINE;
  simulatorForm form = {.kind = kind, .name = "machine", .language = language};
  char *text = NULL;
  size_t length;
  if (language == EMIT_FORTRAN) form.header_name = "machine.c";
  artData *d = art_create_data(generated);
  FILE *out = d ? open_memstream(&text, &length) : NULL;
  if (!out) return NULL;
  if (form.header_name) form.header = out; // both files, one after the other
  art_update(generated, d);
  artStatus status = art_assemble(generated, d, NULL, error);
  if (status == ART_OK) {
    status = study_write_simulator(generated, d, &study->run, &options, &form, out, error);
  }
  fclose(out);
  art_free_data(d);
  if (status == ART_OK) return text;
  CHECK_EQ_INT(status, ART_NO_MEMORY);
  free(text);
  return NULL;
}


// A text from which parts are missing for want of memory must not come out.
TEST(texts_are_whole_or_none_where_allocations_fail)
{
  static const emitLanguage language[] = {EMIT_C, EMIT_CUDA, EMIT_FORTRAN, EMIT_C};
  for (int i = 0; i < 4; i++) {
    generated = keep_machine(i < 3 ? "rope-pendulum" : "crane");
    char *whole = write_text(language[i], NULL);
    int is_reached = 1;
    for (long k = 1; CHECK(whole) && is_reached; k += k < 300 ? 7 : 3) {
      artError error = {0};
      heap_fail_at(k);
      char *text = write_text(language[i], &error);
      is_reached = heap_taken() >= k;
      CHECK_EQ_INT(heap_live(), 0);
      heap_unwatch();
      if (text && !CHECK(strcmp(text, whole) == 0)) printf("allocation %ld\n", k);
      free(text);
    }
    free(whole);
  }
}
