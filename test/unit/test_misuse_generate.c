// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// generate.h, batch.h and schedule.h against their rules: NULL, functions, vectors and operations that there are not,
// languages and forms that are none.
#include <string.h>

#include "articula/batch.h"
#include "articula/schedule.h"
#include "support/keep.h"
#include "support/misuse.h"

static const char MACHINE[] = "articula: 1\n"
                              "bodies: {rod: {mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1]}}\n"
                              "joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n";


#define REFUSED(change, call)                                                                      \
  do {                                                                                             \
    def.change;                                                                                    \
    artError error = {0};                                                                          \
    CHECK((call) == ART_BAD_INPUT && error.text[0]);                                               \
    def = good;                                                                                    \
  } while (0)

//---- writing -------------------------------------------------------------------------------------

OF_UNKNOWN(art_language_name, artLanguage, ART_LANGUAGES, "unknown")
OF_UNKNOWN(art_language_ending, artLanguage, ART_LANGUAGES, "")
OF_UNKNOWN(art_scheme_name, artScheme, ART_SCHEMES, "unknown")
OF_CALL(art_default_generate, CHECK(art_default_generate().forms == 0))

#define WRITE(write) write(x.m, x.d, &def, "/nowhere/x.c", &error)
#define OF_WRITE(write)                                                                            \
  do {                                                                                             \
    misuseMachine x = misuse_read(MACHINE);                                                        \
    const artGenerateDef good = art_default_generate();                                            \
    artGenerateDef def = good;                                                                     \
    const char *none[1] = {NULL};                                                                  \
    NEEDS_BOTH(write(m, d, &def, "/dev/null", NULL) == ART_BAD_INPUT);                             \
    MISUSE(write(x.m, x.d, NULL, "/dev/null", NULL) == ART_BAD_INPUT);                             \
    MISUSE(write(x.m, x.d, &def, NULL, NULL) == ART_BAD_INPUT);                                    \
    CHECK(write(x.m, x.d, &def, "/nowhere/x.c", NULL) == ART_IO);                                  \
    for (int k = 0; k < MISUSE_INDICES; k++) {                                                     \
      REFUSED(language = (artLanguage) misuse_index(ART_LANGUAGES, k), WRITE(write));              \
    }                                                                                              \
    for (int k = 0; k < MISUSE_INDICES; k++) {                                                     \
      REFUSED(scheme = (artScheme) misuse_index(ART_SCHEMES, k), WRITE(write));                    \
    }                                                                                              \
    REFUSED(forms = 1u << 16, WRITE(write));                                                       \
    REFUSED(forms = 1u << 31, WRITE(write));                                                       \
    REFUSED(lanes = 3, WRITE(write));                                                              \
    REFUSED(lanes = INT_MIN, WRITE(write));                                                        \
    REFUSED(nfreeze = 1, WRITE(write));                                                            \
    REFUSED(nfreeze = -1, WRITE(write));                                                           \
    REFUSED(nsensitive = 1, WRITE(write));                                                         \
    REFUSED(nsensitive = INT_MIN, WRITE(write));                                                   \
    REFUSED(nactuator = 1, WRITE(write));                                                          \
    REFUSED(nactuator = INT_MIN, WRITE(write));                                                    \
    REFUSED(independent = "nobody", WRITE(write));                                                 \
    def.nfreeze = 1;                                                                               \
    REFUSED(freeze = none, WRITE(write));                                                          \
    const char *nobody[2] = {"nobody", "nobody"};                                                  \
    const double weight[2] = {1, NAN};                                                             \
    def.nfreeze = 1;                                                                               \
    REFUSED(freeze = nobody, WRITE(write));                                                        \
    def = good;                                                                                    \
    def.forms = ART_FORM_MACHINE_INVERSE;                                                          \
    def.nactuator = 1;                                                                             \
    REFUSED(actuator = nobody, WRITE(write));                                                      \
    def.nactuator = 2;                                                                             \
    def.actuator = nobody;                                                                         \
    REFUSED(weight = weight, WRITE(write));                                                        \
  } while (0)


OF_CALL(art_write_source, OF_WRITE(art_write_source))
OF_CALL(art_write_header, OF_WRITE(art_write_header))

//---- loading -------------------------------------------------------------------------------------

static artGenerated *load(misuseMachine *x)
{
  artGenerated *g = NULL;
  const artGenerateDef def = {.forms = ART_FORM_ACCELERATE | ART_FORM_POWER};
  CHECK_WORKS(art_load_generated(&g, x->m, x->d, &def, &check_error));
  return g;
}


OF_MACHINE(art_load_generated)
{
  const artGenerateDef good = art_default_generate();
  artGenerateDef def = good;
  artGenerated *g = (artGenerated *) 1;
  MISUSE(art_load_generated(NULL, x.m, x.d, &def, NULL) == ART_BAD_INPUT);
  NEEDS_BOTH((g = (artGenerated *) 1, art_load_generated(&g, m, d, &def, NULL)) == ART_BAD_INPUT &&
             g == NULL);
  MISUSE(art_load_generated(&g, x.m, x.d, NULL, NULL) == ART_BAD_INPUT && g == NULL);
  REFUSED(forms = 1u << 20, art_load_generated(&g, x.m, x.d, &def, &error));
  REFUSED(nfreeze = 2, art_load_generated(&g, x.m, x.d, &def, &error));
}


OF_CALL(art_free_generated, art_free_generated(NULL))
OF_CALL(art_generated_count, MISUSE(art_generated_count(NULL) == 0))

#define OF_VECTORS(ask, count)                                                                     \
  do {                                                                                             \
    misuseMachine x = misuse_read(MACHINE);                                                        \
    artGenerated *g = keep_generated(load(&x));                                                    \
    const int n = art_generated_function(g, 0).count;                                              \
    MISUSE(ask(NULL, 0, 0).name == NULL);                                                          \
    MISUSE_INDEX(n, ask(g, 0, i).name == NULL)                                                     \
    MISUSE_INDEX(art_generated_count(g), ask(g, i, 0).name == NULL)                                \
    CHECK(ask(g, 0, n - 1).name);                                                                  \
  } while (0)


OF_CALL(art_generated_input, OF_VECTORS(art_generated_input, ninput))
OF_CALL(art_generated_output, OF_VECTORS(art_generated_output, noutput))


OF_MACHINE(generated_functions)
{
  artGenerated *g = keep_generated(load(&x));
  const int n = art_generated_count(g);
  MISUSE(art_generated_function(NULL, 0).name == NULL);
  MISUSE_INDEX(n, art_generated_function(g, i).name == NULL)
  CHECK(art_generated_function(g, n - 1).name);
  MISUSE(art_find_generated(NULL, "accelerate") == -1);
  MISUSE(art_find_generated(g, NULL) == -1);
  CHECK(art_find_generated(g, "no") == -1 && art_find_generated(g, "accelerate") == 0);
}


OF_MACHINE(generated_calls)
{
  artGenerated *g = keep_generated(load(&x));
  double t = 0, a, power;
  double *in[3] = {&t, x.d->q, x.d->v}, *out[2] = {&a, &power};
  CHECK(art_generated_call(g, 0, in, out, NULL) == ART_OK);
  MISUSE(art_generated_call(NULL, 0, in, out, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_call(g, 0, NULL, out, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_call(g, 0, in, NULL, NULL) == ART_BAD_INPUT);
  MISUSE_INDEX(art_generated_count(g), art_generated_call(g, i, in, out, NULL) == ART_BAD_INPUT)
  in[1] = NULL;
  MISUSE(art_generated_call(g, 0, in, out, NULL) == ART_BAD_INPUT);
  CHECK(art_generated_accelerate(g, 0, x.d->q, x.d->v, &a, NULL, NULL) == ART_OK);
  MISUSE(art_generated_accelerate(NULL, 0, x.d->q, x.d->v, &a, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_accelerate(g, 0, NULL, x.d->v, &a, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_accelerate(g, 0, x.d->q, NULL, &a, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_accelerate(g, 0, x.d->q, x.d->v, NULL, NULL, NULL) == ART_BAD_INPUT);
}


OF_MACHINE(generated_parameters)
{
  artGenerated *g = keep_generated(load(&x));
  double value = 7, before = 0, after = 1;
  MISUSE(art_generated_parameter(NULL, "gravity_z", &value, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_parameter(g, NULL, &value, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_parameter(g, "gravity_z", NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_generated_parameter(g, "no", &value, NULL) == ART_BAD_INPUT && value == 7);
  MISUSE(art_set_generated_parameter(NULL, "gravity_z", 1, NULL) == ART_BAD_INPUT);
  MISUSE(art_set_generated_parameter(g, NULL, 1, NULL) == ART_BAD_INPUT);
  CHECK(art_set_generated_parameter(g, "no", 1, NULL) == ART_BAD_INPUT);
  CHECK(art_generated_parameter(g, "gravity_z", &before, NULL) == ART_OK);
  REFUSE_NUMBER(art_set_generated_parameter(g, "gravity_z", r, NULL) == ART_BAD_INPUT)
  CHECK(art_generated_parameter(g, "gravity_z", &after, NULL) == ART_OK && after == before);
}

//---- schedules -----------------------------------------------------------------------------------

OF_CALL(art_default_schedule, CHECK(art_default_schedule().form == ART_FORM_ACCELERATE))


#define SCHEDULE art_create_schedule(&s, x.m, x.d, &def, &error)


OF_MACHINE(art_create_schedule)
{
  const artScheduleDef good = {.form = ART_FORM_INVERSE};
  artScheduleDef def = good;
  artSchedule *s = (artSchedule *) 1;
  MISUSE(art_create_schedule(NULL, x.m, x.d, &def, NULL) == ART_BAD_INPUT);
  NEEDS_BOTH((s = (artSchedule *) 1, art_create_schedule(&s, m, d, &def, NULL)) == ART_BAD_INPUT &&
             s == NULL);
  MISUSE(art_create_schedule(&s, x.m, x.d, NULL, NULL) == ART_BAD_INPUT && s == NULL);
  REFUSED(form = (artForm) 3, SCHEDULE);
  REFUSED(form = (artForm) -1, SCHEDULE);
  REFUSED(form = (artForm) (2 * ART_FORM_IMPLICIT), SCHEDULE);
  for (int i = 0; i < 2; i++) {
    const int number = i ? INT_MAX : -1;
    for (int k = 0; k < ART_UNITS; k++) {
      REFUSED(count[k] = number, SCHEDULE);
      REFUSED(latency[k] = number, SCHEDULE);
      REFUSED(interval[k] = number, SCHEDULE);
    }
    REFUSED(transfer = number, SCHEDULE);
  }
}


OF_CALL(art_free_schedule, art_free_schedule(NULL))
OF_CALL(art_schedule_info, MISUSE(art_schedule_info(NULL).function == NULL))


OF_MACHINE(made_schedule)
{
  artSchedule *s = NULL;
  const artScheduleDef def = {.form = ART_FORM_INVERSE};
  CHECK(art_create_schedule(&s, x.m, x.d, &def, NULL) == ART_OK);
  const int n = art_schedule_info(s).operations;
  MISUSE(art_scheduled_operation(NULL, 0).name == NULL);
  MISUSE_INDEX(n, art_scheduled_operation(s, i).name == NULL)
  CHECK(n > 0 && art_scheduled_operation(s, n - 1).name);
  MISUSE(art_write_schedule(NULL, "/dev/null", NULL) == ART_BAD_INPUT);
  MISUSE(art_write_schedule(s, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_write_schedule(s, "/nowhere/x.svg", NULL) == ART_IO);
  art_free_schedule(s);
}


//---- batches -------------------------------------------------------------------------------------

OF_UNKNOWN(art_device_name, artDevice, ART_DEVICES, "unknown")
OF_UNKNOWN(art_precision_name, artPrecision, ART_PRECISIONS, "unknown")


OF(art_default_batch)
{
  CHECK(art_default_batch().n == 1 && art_default_batch().device == ART_CPU);
  CHECK_TEXT(art_device_name(ART_GPU), "gpu");
  CHECK_TEXT(art_precision_name(ART_MIXED), "mixed");
}

#define BATCH art_create_batch(&b, x.m, &x.study, &def, &error)


OF_MACHINE(art_create_batch)
{
  const artBatchDef good = art_default_batch();
  artBatchDef def = good;
  artBatch *b = NULL;
  MISUSE(art_create_batch(NULL, x.m, &x.study, &def, NULL) == ART_BAD_INPUT);
  MISUSE(art_create_batch(&b, NULL, &x.study, &def, NULL) == ART_BAD_INPUT);
  MISUSE(art_create_batch(&b, x.m, NULL, &def, NULL) == ART_BAD_INPUT);
  MISUSE(art_create_batch(&b, x.m, &x.study, NULL, NULL) == ART_BAD_INPUT);
  REFUSED(n = 0, BATCH);
  REFUSED(threads = -1, BATCH);
  REFUSED(gpu = -1, BATCH);
  REFUSED(nown = 1, BATCH); // without names
  REFUSED(precision = ART_PRECISIONS, BATCH);
  REFUSED(device = ART_DEVICES, BATCH);
  def.n = LONG_MAX / 64;
  CHECK(art_create_batch(&b, x.m, &x.study, &def, NULL) == ART_NO_MEMORY && b == NULL);
}


OF_CALL(art_free_batch, art_free_batch(NULL))
OF_CALL(art_batch_info, MISUSE(art_batch_info(NULL).n == 0))


OF_MACHINE(batch_parts)
{
  artBatch *b = keep_started_batch(x.m, &x.study, &(artBatchDef){.n = 2});
  const int n = art_batch_width(b, ART_BATCH_PARAMETERS);
  MISUSE(art_batch_width(NULL, ART_BATCH_TIME) == 0);
  MISUSE_INDEX(ART_BATCH_VECTORS, art_batch_width(b, (artBatchVector) i) == 0)
  CHECK(art_batch_width(b, ART_BATCH_POSITIONS) == 1);
  MISUSE(art_batch_is_free(NULL, 0) == 0);
  MISUSE_INDEX(1, art_batch_is_free(b, i) == 0)
  CHECK(art_batch_is_free(b, 0));
  MISUSE(art_batch_parameter_name(NULL, 0) == NULL);
  MISUSE_INDEX(n, art_batch_parameter_name(b, i) == NULL)
  MISUSE(art_find_batch_parameter(NULL, "x") == -1);
  MISUSE(art_find_batch_parameter(b, NULL) == -1);
  CHECK(art_find_batch_parameter(b, "nobody") == -1);
  MISUSE(art_batch_failure(NULL, 0, NULL, NULL) == ART_BAD_INPUT);
  MISUSE_INDEX(2, art_batch_failure(b, i, NULL, NULL) == ART_BAD_INPUT)
  CHECK(art_batch_failure(b, 1, NULL, NULL) == ART_OK);
}

// no batch, no numbers, vectors that there are not
#define OF_BATCH_VECTOR(take, numbers)                                                             \
  MISUSE(take(NULL, ART_BATCH_POSITIONS, numbers, NULL) == ART_BAD_INPUT);                         \
  MISUSE(take(b, ART_BATCH_POSITIONS, NULL, NULL) == ART_BAD_INPUT);                               \
  MISUSE_INDEX(ART_BATCH_VECTORS, take(b, (artBatchVector) i, numbers, NULL) == ART_BAD_INPUT)


OF_MACHINE(batch_vectors)
{
  artBatch *b = keep_started_batch(x.m, &x.study, &(artBatchDef){.n = 2});
  artBatchView view;
  double q[2] = {0, 0};
  OF_BATCH_VECTOR(art_set_batch, q)
  OF_BATCH_VECTOR(art_get_batch, q)
  OF_BATCH_VECTOR(art_view_batch, &view)
  OF_BATCH_VECTOR(art_put_batch, q)
  MISUSE(art_touch_batch(NULL, ART_BATCH_POSITIONS, NULL) == ART_BAD_INPUT);
  MISUSE_INDEX(ART_BATCH_VECTORS, art_touch_batch(b, (artBatchVector) i, NULL) == ART_BAD_INPUT)
  for (int k = ART_BATCH_OUTPUTS; k < ART_BATCH_VECTORS; k++) {
    CHECK(art_set_batch(b, (artBatchVector) k, q, NULL) == ART_BAD_INPUT);
    CHECK(art_touch_batch(b, (artBatchVector) k, NULL) == ART_BAD_INPUT);
  }
  for (int k = 0; k < MISUSE_NUMBERS; k++) {
    q[1] = misuse_number(k);
    CHECK_FAILS(art_set_batch(b, ART_BATCH_POSITIONS, q, &check_error), ART_BAD_INPUT,
                "instance 1: 'pin.angle' is set to");
    CHECK(art_set_batch(b, ART_BATCH_FORCES, q, NULL) == ART_BAD_INPUT);
  }
  CHECK(art_get_batch(b, ART_BATCH_POSITIONS, q, NULL) == ART_OK && q[1] == 0);
  CHECK(art_get_batch(b, ART_BATCH_FORCES, q, NULL) == ART_OK && q[1] == 0);
}


OF_MACHINE(batch_steps)
{
  artBatch *b = keep_started_batch(x.m, &x.study, &(artBatchDef){.n = 2});
  double rounding = NAN;
  MISUSE(art_batch_rounding(NULL, &rounding, NULL) == ART_BAD_INPUT);
  MISUSE(art_batch_rounding(b, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_batch_rounding(b, &rounding, NULL) == ART_OK && rounding == 0);
  MISUSE(art_step_batch(NULL, 1e-3, 1, NULL) == ART_BAD_INPUT);
  CHECK(art_step_batch(b, 0, 1, NULL) == ART_BAD_INPUT);
  CHECK(art_step_batch(b, -1e-3, 1, NULL) == ART_BAD_INPUT);
  CHECK(art_step_batch(b, 1e-3, -1, NULL) == ART_BAD_INPUT);
  REFUSE_NUMBER(art_step_batch(b, r, 1, NULL) == ART_BAD_INPUT)
  CHECK(art_step_batch(b, 1e-3, 0, NULL) == ART_OK);
  MISUSE(art_advance_batch(NULL, 1, 1e-3, 1e-6, NULL) == ART_BAD_INPUT);
  CHECK(art_advance_batch(b, 1, 0, 1e-6, NULL) == ART_BAD_INPUT);
  CHECK(art_advance_batch(b, 1, 1e-3, 0, NULL) == ART_BAD_INPUT);
  REFUSE_NUMBER(art_advance_batch(b, r, 1e-3, 1e-6, NULL) == ART_BAD_INPUT)
  REFUSE_NUMBER(art_advance_batch(b, 1, r, 1e-6, NULL) == ART_BAD_INPUT)
  REFUSE_NUMBER(art_advance_batch(b, 1, 1e-3, r, NULL) == ART_BAD_INPUT)
}


MISUSE_MAIN("generate.h", "batch.h", "schedule.h")
