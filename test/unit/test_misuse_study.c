// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// study.h against its rules: NULL, data of another model, studies that make no sense, times that are not finite.
#include <stdlib.h>

#include "articula/study.h"
#include "support/keep.h"
#include "support/misuse.h"

static const char MACHINE[] =
    "articula: 1\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.1, 0.1, 0.1], points: {tip: [1, 0, 0]}}\n"
    "  bar: {mass: 1, inertia: [0.1, 0.1, 0.1], points: {tip: [1, 0, 0]}}\n"
    "joints:\n"
    "  pin: {type: revolute, axis: y, from: ground, to: crank}\n"
    "  knee: {type: revolute, axis: y, from: crank.tip, to: bar}\n"
    "  foot: {type: rod, from: bar.tip, to: ground, length: 1.5}\n"
    "outputs: [pin.angle]\n";


// a study with one field changed, which a call refuses with a text
#define REFUSED(change, call) REFUSED_OF(artRunDef, x.study, change, call)
#define REFUSED_OF(type, def, change, call)                                                        \
  do {                                                                                             \
    type study = def;                                                                              \
    artError error = {0};                                                                          \
    study.change;                                                                                  \
    CHECK((call) == ART_BAD_INPUT);                                                                \
    CHECK(error.status == ART_BAD_INPUT && error.text[0]);                                         \
  } while (0)

// the same with each number of a field that is not finite, or with numbers of members that there are not
#define NUMBER(field, call) NUMBER_OF(artRunDef, x.study, field, call)
#define NUMBER_OF(type, def, field, call)                                                          \
  for (int n = 0; n < MISUSE_NUMBERS; n++) REFUSED_OF(type, def, field = misuse_number(n), call)
#define MEMBER(field, type, count, call) MEMBER_OF(artRunDef, x.study, field, type, count, call)
#define MEMBER_OF(study_type, def, field, type, count, call)                                       \
  for (int n = 0; n < MISUSE_INDICES; n++) {                                                       \
    REFUSED_OF(study_type, def, field = (type) misuse_index(count, n), call);                      \
  }


OF_MACHINE(art_assemble)
{
  artAssembly result;
  NEEDS_BOTH(art_assemble(m, d, &result, NULL) == ART_BAD_INPUT);
  CHECK(art_assemble(x.m, x.d, NULL, NULL) == ART_OK);
  for (int i = 0; i < MISUSE_NUMBERS; i++) {
    art_reset(x.m, x.d);
    x.d->q[0] = misuse_number(i);
    art_update(x.m, x.d);
    CHECK(art_assemble(x.m, x.d, &result, NULL) != ART_OK);
  }
}


OF_MACHINE(art_assemble_with)
{
  const artSetting value[] = {{"pin.angle", 0.3}, {"pin.angle", 0.3}};
  const char *const unknown[] = {"pin", "nothing.angle", "", NULL, "pin.angle.x"};
  artAssembly result;
  NEEDS_BOTH(art_assemble_with(m, d, 1, value, &result, NULL) == ART_BAD_INPUT);
  MISUSE(art_assemble_with(x.m, x.d, 1, NULL, &result, NULL) == ART_BAD_INPUT);
  MISUSE(art_assemble_with(x.m, x.d, -1, value, &result, NULL) == ART_BAD_INPUT);
  CHECK(art_assemble_with(x.m, x.d, 1, value, &result, NULL) == ART_OK);
  CHECK(x.d->q[0] == 0.3);
  const double was = x.d->q[1];
  CHECK(art_assemble_with(x.m, x.d, 2, value, NULL, NULL) == ART_BAD_INPUT);
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    const artSetting other = {unknown[i], 0.1};
    CHECK(art_assemble_with(x.m, x.d, 1, &other, NULL, NULL) == ART_BAD_INPUT);
  }
  for (int i = 0; i < MISUSE_NUMBERS; i++) {
    const artSetting other = {"pin.angle", misuse_number(i)};
    CHECK(art_assemble_with(x.m, x.d, 1, &other, NULL, NULL) == ART_BAD_INPUT);
  }
  CHECK(x.d->q[0] == 0.3 && x.d->q[1] == was);
}


OF_MACHINE(art_assembly_move)
{
  artMove move;
  CHECK(art_assemble(x.m, x.d, NULL, NULL) == ART_OK);
  NEEDS_BOTH(art_assembly_move(m, d, 0, &move) == 0);
  MISUSE(art_assembly_move(x.m, x.d, 0, NULL) == 0);
  int n = 0;
  while (art_assembly_move(x.m, x.d, n, &move)) n++;
  CHECK(n > 0);
  REFUSE_INDEX(n, art_assembly_move(x.m, x.d, i, &move) == 0)
}


OF_MACHINE(art_redundant_row)
{
  char text[ART_ROW_LENGTH];
  NEEDS_BOTH(art_redundant_row(m, d, 0, text) == text && text[0] == '\0');
  MISUSE(art_redundant_row(x.m, x.d, 0, NULL) == NULL);
  REFUSE_INDEX(0, art_redundant_row(x.m, x.d, i, text)[0] == '\0')
}


OF_UNKNOWN(art_verdict_name, artVerdict, ART_VERDICTS, "unknown")


OF(art_stiffness_note)
{
  artCertificate c = {0};
  char text[ART_REASON_LENGTH];
  MISUSE(art_stiffness_note(NULL, text) == NULL);
  MISUSE(art_stiffness_note(&c, NULL) == NULL);
  CHECK(art_stiffness_note(&c, text) == NULL);
  c = (artCertificate){.is_stiff = 1, .stiff_time = 0.5, .is_changed_over = 1};
  CHECK_TEXT(art_stiffness_note(&c, text), "stiff from t = 0.5 s, continues with bdf");
}


OF(art_judge)
{
  const artCertificate c = {.energy_error = NAN};
  MISUSE(art_judge(NULL, NULL).verdict == ART_VERDICT_FAILED);
  CHECK(art_judge(&c, NULL).verdict != ART_VERDICT_GOOD);
}

//---- runs ----------------------------------------------------------------------------------------

#define CREATE art_create_run(&run, x.m, x.d, &study, &error)


OF_MACHINE(art_create_run)
{
  artRun *run = (artRun *) 1;
  MISUSE(art_create_run(NULL, x.m, x.d, &x.study, NULL) == ART_BAD_INPUT);
  NEEDS_BOTH((run = (artRun *) 1, art_create_run(&run, m, d, &x.study, NULL)) == ART_BAD_INPUT &&
             run == NULL);
  MISUSE(art_create_run(&run, x.m, x.d, NULL, NULL) == ART_BAD_INPUT && run == NULL);
  MEMBER(method, artMethod, ART_METHODS, CREATE)
  MEMBER(backend, artBackend, ART_BACKENDS, CREATE)
  MEMBER(integrator, artIntegrator, ART_INTEGRATORS, CREATE)
  MEMBER(algebra, artAlgebra, ART_ALGEBRAS, CREATE)
  MEMBER(redundant, artRedundant, ART_REDUNDANTS, CREATE)
  MEMBER(newton, artNewton, ART_NEWTONS, CREATE)
  MEMBER(partition, artPartition, ART_PARTITIONS, CREATE)
  MEMBER(projections, artProjections, ART_PROJECTIONS, CREATE)
  NUMBER(from, CREATE);
  NUMBER(until, CREATE);
  NUMBER(step, CREATE);
  NUMBER(interval, CREATE);
  NUMBER(tolerance, CREATE);
  NUMBER(alpha, CREATE);
  NUMBER(beta, CREATE);
  NUMBER(penalty, CREATE);
  NUMBER(spectral_radius, CREATE);
  REFUSED(step = -1, CREATE);
  REFUSED(tolerance = 0, CREATE);
  REFUSED(until = -1, CREATE);
}


// runs forward to finite times
#define OF_STEP(go, finite, none)                                                                  \
  OF_MACHINE(go)                                                                                   \
  {                                                                                                \
    artRun *run = keep_started_run(x.m, x.d, &x.study);                                            \
    MISUSE(go(NULL, none, NULL) == ART_BAD_INPUT);                                                 \
    REFUSE_NUMBER(go(run, r, NULL) == ART_BAD_INPUT)                                               \
    CHECK(go(run, finite, NULL) == ART_BAD_INPUT);                                                 \
    CHECK(go(run, 0.01, NULL) == ART_OK && x.d->time == 0.01);                                     \
  }


OF_STEP(art_run_to, -1, 0)
OF_STEP(art_step, -0.01, 0.01)
OF_STEP(art_step_to, -1, 0.01)


OF_MACHINE(runs_again)
{
  artRun *run = keep_started_run(x.m, x.d, &x.study);
  MISUSE((art_restart_run(NULL), 1));
  art_restart_run(run);
  CHECK(art_step(run, 0.01, NULL) == ART_OK && x.d->time == 0.01);
  MISUSE(art_run_next(NULL, &x.study, NULL) == ART_BAD_INPUT);
  MISUSE(art_run_next(run, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_run_next(run, &x.study, NULL) == ART_OK);
  NUMBER(from, art_run_next(run, &study, &error));
  NUMBER(until, art_run_next(run, &study, &error));
  NUMBER(interval, art_run_next(run, &study, &error));
}


OF_CALL(art_free_run, art_free_run(NULL))
OF_CALL(art_certify, MISUSE(isnan(art_certify(NULL).time)))
OF_CALL(art_run_state_size, MISUSE(art_run_state_size(NULL) == 0))


OF_MACHINE(saved_runs)
{
  artRun *run = keep_started_run(x.m, x.d, &x.study);
  const size_t size = art_run_state_size(run);
  char *bytes = calloc(1, size);
  MISUSE(art_load_run(NULL, bytes, size, NULL) == ART_BAD_INPUT);
  MISUSE(art_load_run(run, NULL, size, NULL) == ART_BAD_INPUT);
  CHECK(art_load_run(run, NULL, 0, NULL) == ART_BAD_INPUT);
  CHECK(art_load_run(run, bytes, size, NULL) == ART_BAD_INPUT);
  MISUSE(art_save_run(NULL, bytes, size, NULL) == ART_BAD_INPUT);
  MISUSE(art_save_run(run, NULL, size, NULL) == ART_BAD_INPUT);
  CHECK(art_save_run(run, bytes, 0, NULL) == ART_BAD_INPUT);
  CHECK(art_save_run(run, bytes, size - 1, NULL) == ART_BAD_INPUT);
  CHECK(art_save_run(run, bytes, (size_t) -1, NULL) == ART_BAD_INPUT);
  CHECK(art_save_run(run, bytes, size, NULL) == ART_OK);
  CHECK(art_load_run(run, bytes, size - 1, NULL) == ART_BAD_INPUT);
  CHECK(art_load_run(run, bytes, size, NULL) == ART_OK);
  free(bytes);
}


OF(output_times)
{
  artRunDef study = art_default_run();
  MISUSE(isnan(art_output_time(NULL, 0)));
  CHECK(art_output_time(&study, -1) == study.from);
  CHECK(art_output_time(&study, LONG_MIN) == study.from);
  CHECK(art_output_time(&study, LONG_MAX) == study.until);
  MISUSE(art_output_count(NULL) == 0);
  study.interval = 5e-324;
  CHECK(art_output_count(&study) == LONG_MAX);
  study.interval = NAN;
  CHECK(art_output_count(&study) == 101);
  study.until = INFINITY;
  CHECK(art_output_count(&study) >= 1);
  study.until = NAN;
  CHECK(art_output_count(&study) == 1);
}

//---- states --------------------------------------------------------------------------------------

// equilibria need a place for the result and a state that is finite
#define OF_EQUILIBRIUM(find, number)                                                               \
  OF_MACHINE(find)                                                                                 \
  {                                                                                                \
    artEquilibrium result;                                                                         \
    NEEDS_BOTH(find(m, d, &result, NULL) == ART_BAD_INPUT);                                        \
    MISUSE(find(x.m, x.d, NULL, NULL) == ART_BAD_INPUT);                                           \
    x.d->q[0] = number;                                                                            \
    art_update(x.m, x.d);                                                                          \
    CHECK(find(x.m, x.d, &result, NULL) != ART_OK);                                                \
  }


OF_EQUILIBRIUM(art_find_equilibrium, NAN)
OF_EQUILIBRIUM(art_find_stable_equilibrium, INFINITY)


OF_MACHINE(starts)
{
  artTrim result;
  const artStartDef start = {0};
  NEEDS_BOTH(art_find_trim(m, d, 1, &result, NULL) == ART_BAD_INPUT);
  MISUSE(art_find_trim(x.m, x.d, 1, NULL, NULL) == ART_BAD_INPUT);
  REFUSE_NUMBER(art_find_trim(x.m, x.d, r, &result, NULL) == ART_BAD_INPUT)
  NEEDS_BOTH(art_find_start(m, d, &start, NULL, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_find_start(x.m, x.d, NULL, NULL, NULL, NULL) == ART_BAD_INPUT);
  NUMBER_OF(artStartDef, start, speed, art_find_start(x.m, x.d, &study, NULL, NULL, &error));
}


OF_MACHINE(art_linearise)
{
  artLinear *lin = (artLinear *) 1;
  CHECK(art_assemble(x.m, x.d, NULL, NULL) == ART_OK);
  MISUSE(art_linearise(x.m, x.d, ART_AUTOMATIC, NULL, NULL) == ART_BAD_INPUT);
  NEEDS_BOTH((lin = (artLinear *) 1, art_linearise(m, d, ART_AUTOMATIC, &lin, NULL)) ==
                 ART_BAD_INPUT &&
             lin == NULL);
  MISUSE_INDEX(ART_METHODS,
               art_linearise(x.m, x.d, (artMethod) i, &lin, NULL) == ART_BAD_INPUT && lin == NULL)
  x.d->q[0] = NAN;
  art_update(x.m, x.d);
  CHECK(art_linearise(x.m, x.d, ART_AUTOMATIC, &lin, NULL) != ART_OK && lin == NULL);
}


OF_CALL(art_free_linear, art_free_linear(NULL))
OF_CALL(art_free_table, art_free_table(NULL))


#define KINEMATICS art_find_kinematics(x.m, x.d, &study, &table, &error)


OF_MACHINE(art_find_kinematics)
{
  artTable *table = (artTable *) 1;
  const char *frames[1] = {"bar"}, *none[1] = {NULL}, *unknown[1] = {"no"};
  artKinematicsDef def = art_default_kinematics();
  def.wheels = (artNames){1, frames};
  MISUSE(art_find_kinematics(x.m, x.d, &def, NULL, NULL) == ART_BAD_INPUT);
  NEEDS_BOTH((table = (artTable *) 1, art_find_kinematics(m, d, &def, &table, NULL)) ==
                 ART_BAD_INPUT &&
             table == NULL);
  MISUSE(art_find_kinematics(x.m, x.d, NULL, &table, NULL) == ART_BAD_INPUT && table == NULL);
  REFUSED_OF(artKinematicsDef, def, wheels.count = 0, KINEMATICS);
  REFUSED_OF(artKinematicsDef, def, wheels.count = -1, KINEMATICS);
  REFUSED_OF(artKinematicsDef, def, wheels.name = NULL, KINEMATICS);
  REFUSED_OF(artKinematicsDef, def, wheels.name = none, KINEMATICS);
  REFUSED_OF(artKinematicsDef, def, wheels.name = unknown, KINEMATICS);
  REFUSED_OF(artKinematicsDef, def, hold.count = 1, KINEMATICS);
  NUMBER_OF(artKinematicsDef, def, bump, KINEMATICS);
  NUMBER_OF(artKinematicsDef, def, rebound, KINEMATICS);
  NUMBER_OF(artKinematicsDef, def, lateral, KINEMATICS);
  MEMBER_OF(artKinematicsDef, def, steps, int, 10001, KINEMATICS)
  REFUSED_OF(artKinematicsDef, def, steps = 0, KINEMATICS);
}


#define RESPONSE art_find_response(x.m, x.d, &study, &table, &peaks, &error)


OF_MACHINE(art_find_response)
{
  artTable *table = (artTable *) 1, *peaks = (artTable *) 1;
  const char *none[1] = {NULL}, *unknown[1] = {"no"};
  const double one = 1;
  artResponseDef def = art_default_response();
  MISUSE(art_find_response(x.m, x.d, &def, NULL, &peaks, NULL) == ART_BAD_INPUT && !peaks);
  NEEDS_BOTH((table = (artTable *) 1, art_find_response(m, d, &def, &table, NULL, NULL)) ==
                 ART_BAD_INPUT &&
             table == NULL);
  MISUSE(art_find_response(x.m, x.d, NULL, &table, NULL, NULL) == ART_BAD_INPUT && table == NULL);
  REFUSED_OF(artResponseDef, def, tyres.count = -1, RESPONSE);
  REFUSED_OF(artResponseDef, def, tyres.count = 1, RESPONSE);
  def.tyres.count = 1;
  REFUSED_OF(artResponseDef, def, tyres.name = none, RESPONSE);
  REFUSED_OF(artResponseDef, def, tyres.name = unknown, RESPONSE);
  def.tyres.count = 0, def.factors.value = def.delays.value = &one;
  REFUSED_OF(artResponseDef, def, factors.count = 1, RESPONSE);
  REFUSED_OF(artResponseDef, def, delays.count = -1, RESPONSE);
  REFUSED_OF(artResponseDef, def, count = -1, RESPONSE);
  REFUSED_OF(artResponseDef, def, count = INT_MAX, RESPONSE);
  NUMBER_OF(artResponseDef, def, from, RESPONSE);
  NUMBER_OF(artResponseDef, def, to, RESPONSE);
  MEMBER_OF(artResponseDef, def, method, artMethod, ART_METHODS, RESPONSE)
}


OF_MACHINE(art_inverse_at)
{
  double tau[3];
  CHECK(art_assemble(x.m, x.d, NULL, NULL) == ART_OK);
  NEEDS_BOTH(art_inverse_at(m, d, NULL, 0, tau, NULL) == ART_BAD_INPUT);
  MISUSE(art_inverse_at(x.m, x.d, NULL, 0, NULL, NULL) == ART_BAD_INPUT);
  const artInverseDef foreign = {.motion.count = 1};
  CHECK(art_inverse_at(x.m, x.d, &foreign, 0, tau, NULL) == ART_BAD_INPUT);
  REFUSE_NUMBER(art_inverse_at(x.m, x.d, NULL, r, tau, NULL) == ART_BAD_INPUT)
}

//---- sweeps --------------------------------------------------------------------------------------

OF(art_make_grid)
{
  artRange range[2] = {{0, 1, 2}, {0, 1, 3}};
  MISUSE(art_make_grid(-1, range, NULL) == -1);
  MISUSE(art_make_grid(2, NULL, NULL) == -1);
  CHECK(art_make_grid(0, NULL, NULL) == 1);
  CHECK(art_make_grid(2, range, NULL) == 6);
  for (int k = 0; k < 3; k++) {
    const long count[] = {0, -1, LONG_MIN};
    range[1].count = count[k];
    CHECK(art_make_grid(2, range, NULL) == -1);
  }
  range[1].count = LONG_MAX;
  CHECK(art_make_grid(2, range, NULL) == -1);
}


OF_UNKNOWN(art_sampling_name, artSampling, ART_SAMPLINGS, "unknown")


OF(art_make_samples)
{
  const artRange range = {0, 1, 1};
  double x[2];
  MISUSE(art_make_samples(ART_LATIN, 1, -1, &range, 2, x, NULL) == ART_BAD_INPUT);
  MISUSE(art_make_samples(ART_LATIN, 1, 1, &range, -1, x, NULL) == ART_BAD_INPUT);
  MISUSE(art_make_samples(ART_LATIN, 1, 1, NULL, 2, x, NULL) == ART_BAD_INPUT);
  MISUSE(art_make_samples(ART_LATIN, 1, 1, &range, 2, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_make_samples(ART_LATIN, 1, 1, &range, 0, NULL, NULL) == ART_OK);
  MISUSE_INDEX(ART_SAMPLINGS,
               art_make_samples((artSampling) i, 1, 1, &range, 2, x, NULL) == ART_BAD_INPUT)
}


OF_UNKNOWN(art_digest_name, artDigest, ART_DIGESTS, "unknown")


static artStatus take_case(void *context, const artCase *c, artError *error)
{
  (void) error;
  *(artStatus *) context = c->error.status;
  return ART_OK;
}

#define SWEEP(change)                                                                              \
  do {                                                                                             \
    artSweepDef def = good;                                                                        \
    artError error = {0};                                                                          \
    def.change;                                                                                    \
    CHECK(art_run_sweep(&def, &error) == ART_BAD_INPUT && error.text[0]);                          \
  } while (0)


OF(art_run_sweep)
{
  artStatus last = ART_OK;
  const char *names[1] = {NULL};
  const double value = 1;
  artResultDef result = {ART_FINAL, 0};
  const artSweepDef good = {.path = ART_SOURCE_DIR "/models/double-pendulum.yaml",
                            .nparameter = 1,
                            .parameter = names,
                            .ncase = 1,
                            .value = &value,
                            .nresult = 1,
                            .result = &result,
                            .threads = 1,
                            .done = take_case,
                            .context = &last};
  MISUSE(art_run_sweep(NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_run_sweep(&good, NULL) == ART_OK && last == ART_BAD_INPUT);
  SWEEP(path = NULL);
  SWEEP(done = NULL);
  SWEEP(nparameter = -1);
  SWEEP(parameter = NULL);
  SWEEP(ncase = -1);
  SWEEP(value = NULL);
  SWEEP(nlibrary = -1);
  SWEEP(nlibrary = 1);
  SWEEP(nresult = -1);
  SWEEP(result = NULL);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    result.digest = (artDigest) misuse_index(ART_DIGESTS, k);
    SWEEP(nresult = 1);
  }
  result = (artResultDef){ART_FINAL, -1};
  SWEEP(nresult = 1);
  result = (artResultDef){ART_FINAL, INT_MAX};
  last = ART_OK;
  CHECK(art_run_sweep(&good, NULL) == ART_OK && last == ART_BAD_INPUT);
}


MISUSE_MAIN("study.h")
