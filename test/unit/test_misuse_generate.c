// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// generate.h, batch.h and schedule.h against their rules: NULL, functions, vectors and operations that there are not,
// languages and forms that are none.
#include <string.h>

#include "articula/batch.h"
#include "articula/schedule.h"
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

OF(art_language_name)
{
  for (int k = 0; k < MISUSE_INDICES; k++) {
    CHECK_TEXT(art_language_name((artLanguage) misuse_index(ART_LANGUAGES, k)), "unknown");
  }
}


OF(art_language_ending)
{
  for (int k = 0; k < MISUSE_INDICES; k++) {
    CHECK_TEXT(art_language_ending((artLanguage) misuse_index(ART_LANGUAGES, k)), "");
  }
}


OF(art_scheme_name)
{
  for (int k = 0; k < MISUSE_INDICES; k++) {
    CHECK_TEXT(art_scheme_name((artScheme) misuse_index(ART_SCHEMES, k)), "unknown");
  }
}


OF_CALL(art_default_generate, CHECK(art_default_generate().forms == 0))

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
      REFUSED(language = (artLanguage) misuse_index(ART_LANGUAGES, k),                             \
              write(x.m, x.d, &def, "/nowhere/x.c", &error));                                      \
    }                                                                                              \
    for (int k = 0; k < MISUSE_INDICES; k++) {                                                     \
      REFUSED(scheme = (artScheme) misuse_index(ART_SCHEMES, k),                                   \
              write(x.m, x.d, &def, "/nowhere/x.c", &error));                                      \
    }                                                                                              \
    REFUSED(forms = 1u << 16, write(x.m, x.d, &def, "/nowhere/x.c", &error));                      \
    REFUSED(forms = 1u << 31, write(x.m, x.d, &def, "/nowhere/x.c", &error));                      \
    REFUSED(lanes = 3, write(x.m, x.d, &def, "/nowhere/x.c", &error));                             \
    REFUSED(lanes = INT_MIN, write(x.m, x.d, &def, "/nowhere/x.c", &error));                       \
    REFUSED(nfreeze = 1, write(x.m, x.d, &def, "/nowhere/x.c", &error));                           \
    REFUSED(nfreeze = -1, write(x.m, x.d, &def, "/nowhere/x.c", &error));                          \
    REFUSED(nsensitive = 1, write(x.m, x.d, &def, "/nowhere/x.c", &error));                        \
    REFUSED(nsensitive = INT_MIN, write(x.m, x.d, &def, "/nowhere/x.c", &error));                  \
    REFUSED(nactuator = 1, write(x.m, x.d, &def, "/nowhere/x.c", &error));                         \
    REFUSED(nactuator = INT_MIN, write(x.m, x.d, &def, "/nowhere/x.c", &error));                   \
    REFUSED(independent = "nobody", write(x.m, x.d, &def, "/nowhere/x.c", &error));                \
    def.nfreeze = 1;                                                                               \
    REFUSED(freeze = none, write(x.m, x.d, &def, "/nowhere/x.c", &error));                         \
    const char *nobody[2] = {"nobody", "nobody"};                                                  \
    const double weight[2] = {1, NAN};                                                             \
    def.nfreeze = 1;                                                                               \
    REFUSED(freeze = nobody, write(x.m, x.d, &def, "/nowhere/x.c", &error));                       \
    def = good;                                                                                    \
    def.forms = ART_FORM_MACHINE_INVERSE;                                                          \
    def.nactuator = 1;                                                                             \
    REFUSED(actuator = nobody, write(x.m, x.d, &def, "/nowhere/x.c", &error));                     \
    def.nactuator = 2;                                                                             \
    def.actuator = nobody;                                                                         \
    REFUSED(weight = weight, write(x.m, x.d, &def, "/nowhere/x.c", &error));                       \
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


OF_MACHINE(art_generated_function)
{
  artGenerated *g = load(&x);
  const int n = art_generated_count(g);
  MISUSE(art_generated_function(NULL, 0).name == NULL);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE(art_generated_function(g, misuse_index(n, k)).name == NULL);
  }
  CHECK(art_generated_function(g, n - 1).name);
  art_free_generated(g);
}

#define OF_VECTORS(ask, count)                                                                     \
  do {                                                                                             \
    misuseMachine x = misuse_read(MACHINE);                                                        \
    artGenerated *g = load(&x);                                                                    \
    const int n = art_generated_function(g, 0).count;                                              \
    MISUSE(ask(NULL, 0, 0).name == NULL);                                                          \
    for (int k = 0; k < MISUSE_INDICES; k++) {                                                     \
      MISUSE(ask(g, 0, misuse_index(n, k)).name == NULL);                                          \
      MISUSE(ask(g, misuse_index(art_generated_count(g), k), 0).name == NULL);                     \
    }                                                                                              \
    CHECK(ask(g, 0, n - 1).name);                                                                  \
    art_free_generated(g);                                                                         \
  } while (0)


OF_CALL(art_generated_input, OF_VECTORS(art_generated_input, ninput))
OF_CALL(art_generated_output, OF_VECTORS(art_generated_output, noutput))


OF_MACHINE(art_find_generated)
{
  artGenerated *g = load(&x);
  MISUSE(art_find_generated(NULL, "accelerate") == -1);
  MISUSE(art_find_generated(g, NULL) == -1);
  CHECK(art_find_generated(g, "no") == -1 && art_find_generated(g, "accelerate") == 0);
  art_free_generated(g);
}


OF_MACHINE(art_generated_call)
{
  artGenerated *g = load(&x);
  double t = 0, a, power;
  double *in[3] = {&t, x.d->q, x.d->v}, *out[2] = {&a, &power};
  CHECK(art_generated_call(g, 0, in, out, NULL) == ART_OK);
  MISUSE(art_generated_call(NULL, 0, in, out, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_call(g, 0, NULL, out, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_call(g, 0, in, NULL, NULL) == ART_BAD_INPUT);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    const int f = misuse_index(art_generated_count(g), k);
    MISUSE(art_generated_call(g, f, in, out, NULL) == ART_BAD_INPUT);
  }
  in[1] = NULL;
  MISUSE(art_generated_call(g, 0, in, out, NULL) == ART_BAD_INPUT);
  art_free_generated(g);
}


OF_MACHINE(art_generated_accelerate)
{
  artGenerated *g = load(&x);
  double a;
  CHECK(art_generated_accelerate(g, 0, x.d->q, x.d->v, &a, NULL, NULL) == ART_OK);
  MISUSE(art_generated_accelerate(NULL, 0, x.d->q, x.d->v, &a, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_accelerate(g, 0, NULL, x.d->v, &a, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_accelerate(g, 0, x.d->q, NULL, &a, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_accelerate(g, 0, x.d->q, x.d->v, NULL, NULL, NULL) == ART_BAD_INPUT);
  art_free_generated(g);
}


OF_MACHINE(art_generated_parameter)
{
  artGenerated *g = load(&x);
  double value = 7;
  MISUSE(art_generated_parameter(NULL, "gz_0", &value, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_parameter(g, NULL, &value, NULL) == ART_BAD_INPUT);
  MISUSE(art_generated_parameter(g, "gz_0", NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_generated_parameter(g, "no", &value, NULL) == ART_BAD_INPUT && value == 7);
  art_free_generated(g);
}


OF_MACHINE(art_set_generated_parameter)
{
  artGenerated *g = load(&x);
  double before = 0, after = 1;
  MISUSE(art_set_generated_parameter(NULL, "gz_0", 1, NULL) == ART_BAD_INPUT);
  MISUSE(art_set_generated_parameter(g, NULL, 1, NULL) == ART_BAD_INPUT);
  CHECK(art_set_generated_parameter(g, "no", 1, NULL) == ART_BAD_INPUT);
  CHECK(art_generated_parameter(g, "gz_0", &before, NULL) == ART_OK);
  for (int i = 0; i < MISUSE_NUMBERS; i++) {
    CHECK(art_set_generated_parameter(g, "gz_0", misuse_number(i), NULL) == ART_BAD_INPUT);
  }
  CHECK(art_generated_parameter(g, "gz_0", &after, NULL) == ART_OK && after == before);
  art_free_generated(g);
}

//---- schedules -----------------------------------------------------------------------------------

OF_CALL(art_default_schedule, CHECK(art_default_schedule().form == ART_FORM_ACCELERATE))


OF_MACHINE(art_create_schedule)
{
  const artScheduleDef good = {.form = ART_FORM_INVERSE};
  artScheduleDef def = good;
  artSchedule *s = (artSchedule *) 1;
  MISUSE(art_create_schedule(NULL, x.m, x.d, &def, NULL) == ART_BAD_INPUT);
  NEEDS_BOTH((s = (artSchedule *) 1, art_create_schedule(&s, m, d, &def, NULL)) == ART_BAD_INPUT &&
             s == NULL);
  MISUSE(art_create_schedule(&s, x.m, x.d, NULL, NULL) == ART_BAD_INPUT && s == NULL);
  REFUSED(form = (artForm) 3, art_create_schedule(&s, x.m, x.d, &def, &error));
  REFUSED(form = (artForm) -1, art_create_schedule(&s, x.m, x.d, &def, &error));
  REFUSED(form = (artForm) (2 * ART_FORM_IMPLICIT),
          art_create_schedule(&s, x.m, x.d, &def, &error));
  for (int i = 0; i < 2; i++) {
    const int number = i ? INT_MAX : -1;
    for (int k = 0; k < ART_UNITS; k++) {
      REFUSED(count[k] = number, art_create_schedule(&s, x.m, x.d, &def, &error));
      REFUSED(latency[k] = number, art_create_schedule(&s, x.m, x.d, &def, &error));
      REFUSED(interval[k] = number, art_create_schedule(&s, x.m, x.d, &def, &error));
    }
    REFUSED(transfer = number, art_create_schedule(&s, x.m, x.d, &def, &error));
  }
}


static artSchedule *schedule(misuseMachine *x)
{
  artSchedule *s = NULL;
  const artScheduleDef def = {.form = ART_FORM_INVERSE};
  CHECK(art_create_schedule(&s, x->m, x->d, &def, NULL) == ART_OK);
  return s;
}


OF_CALL(art_free_schedule, art_free_schedule(NULL))
OF_CALL(art_schedule_info, MISUSE(art_schedule_info(NULL).function == NULL))


OF_MACHINE(art_scheduled_operation)
{
  artSchedule *s = schedule(&x);
  const int n = art_schedule_info(s).operations;
  MISUSE(art_scheduled_operation(NULL, 0).name == NULL);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE(art_scheduled_operation(s, misuse_index(n, k)).name == NULL);
  }
  CHECK(n > 0 && art_scheduled_operation(s, n - 1).name);
  art_free_schedule(s);
}


OF_MACHINE(art_write_schedule)
{
  artSchedule *s = schedule(&x);
  MISUSE(art_write_schedule(NULL, "/dev/null", NULL) == ART_BAD_INPUT);
  MISUSE(art_write_schedule(s, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_write_schedule(s, "/nowhere/x.svg", NULL) == ART_IO);
  art_free_schedule(s);
}


//---- batches -------------------------------------------------------------------------------------

OF(art_device_name)
{
  CHECK_TEXT(art_device_name(ART_GPU), "gpu");
  for (int k = 0; k < MISUSE_INDICES; k++) {
    CHECK_TEXT(art_device_name((artDevice) misuse_index(ART_DEVICES, k)), "unknown");
  }
}


OF(art_precision_name)
{
  CHECK_TEXT(art_precision_name(ART_MIXED), "mixed");
  for (int k = 0; k < MISUSE_INDICES; k++) {
    CHECK_TEXT(art_precision_name((artPrecision) misuse_index(ART_PRECISIONS, k)), "unknown");
  }
}


OF(art_default_batch)
{
  CHECK(art_default_batch().n == 1 && art_default_batch().device == ART_CPU);
}


static artBatch *open_batch(misuseMachine *x)
{
  const artBatchDef def = {.n = 2};
  artBatch *b = NULL;
  CHECK_WORKS(art_create_batch(&b, x->m, &x->study, &def, &check_error));
  return b;
}


OF_MACHINE(art_create_batch)
{
  const artBatchDef good = art_default_batch();
  artBatchDef def = good;
  artBatch *b = NULL;
  MISUSE(art_create_batch(NULL, x.m, &x.study, &def, NULL) == ART_BAD_INPUT);
  MISUSE(art_create_batch(&b, NULL, &x.study, &def, NULL) == ART_BAD_INPUT);
  MISUSE(art_create_batch(&b, x.m, NULL, &def, NULL) == ART_BAD_INPUT);
  MISUSE(art_create_batch(&b, x.m, &x.study, NULL, NULL) == ART_BAD_INPUT);
  REFUSED(n = 0, art_create_batch(&b, x.m, &x.study, &def, &error));
  REFUSED(threads = -1, art_create_batch(&b, x.m, &x.study, &def, &error));
  REFUSED(gpu = -1, art_create_batch(&b, x.m, &x.study, &def, &error));
  REFUSED(nown = 1, art_create_batch(&b, x.m, &x.study, &def, &error)); // without names
  REFUSED(precision = ART_PRECISIONS, art_create_batch(&b, x.m, &x.study, &def, &error));
  REFUSED(device = ART_DEVICES, art_create_batch(&b, x.m, &x.study, &def, &error));
  def.n = LONG_MAX / 64;
  CHECK(art_create_batch(&b, x.m, &x.study, &def, NULL) == ART_NO_MEMORY && b == NULL);
}


OF_CALL(art_free_batch, art_free_batch(NULL))
OF_CALL(art_batch_info, MISUSE(art_batch_info(NULL).n == 0))


OF_MACHINE(art_batch_width)
{
  artBatch *b = open_batch(&x);
  MISUSE(art_batch_width(NULL, ART_BATCH_TIME) == 0);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE(art_batch_width(b, (artBatchVector) misuse_index(ART_BATCH_VECTORS, k)) == 0);
  }
  CHECK(art_batch_width(b, ART_BATCH_POSITIONS) == 1);
  art_free_batch(b);
}


OF_MACHINE(art_batch_is_free)
{
  artBatch *b = open_batch(&x);
  MISUSE(art_batch_is_free(NULL, 0) == 0);
  for (int k = 0; k < MISUSE_INDICES; k++) MISUSE(art_batch_is_free(b, misuse_index(1, k)) == 0);
  CHECK(art_batch_is_free(b, 0));
  art_free_batch(b);
}


OF_MACHINE(art_batch_parameter_name)
{
  artBatch *b = open_batch(&x);
  const int n = art_batch_width(b, ART_BATCH_PARAMETERS);
  MISUSE(art_batch_parameter_name(NULL, 0) == NULL);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE(art_batch_parameter_name(b, misuse_index(n, k)) == NULL);
  }
  art_free_batch(b);
}


OF_MACHINE(art_find_batch_parameter)
{
  artBatch *b = open_batch(&x);
  MISUSE(art_find_batch_parameter(NULL, "x") == -1);
  MISUSE(art_find_batch_parameter(b, NULL) == -1);
  CHECK(art_find_batch_parameter(b, "nobody") == -1);
  art_free_batch(b);
}


OF_MACHINE(art_set_batch)
{
  artBatch *b = open_batch(&x);
  double q[2] = {0, 0};
  MISUSE(art_set_batch(NULL, ART_BATCH_POSITIONS, q, NULL) == ART_BAD_INPUT);
  MISUSE(art_set_batch(b, ART_BATCH_POSITIONS, NULL, NULL) == ART_BAD_INPUT);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE(art_set_batch(b, (artBatchVector) misuse_index(ART_BATCH_VECTORS, k), q, NULL) ==
           ART_BAD_INPUT);
  }
  for (int k = ART_BATCH_OUTPUTS; k < ART_BATCH_VECTORS; k++) {
    CHECK(art_set_batch(b, (artBatchVector) k, q, NULL) == ART_BAD_INPUT);
  }
  for (int k = 0; k < MISUSE_NUMBERS; k++) {
    artError error = {0};
    q[1] = misuse_number(k);
    CHECK(art_set_batch(b, ART_BATCH_POSITIONS, q, &error) == ART_BAD_INPUT);
    CHECK(strstr(error.text, "instance 1: 'pin.angle' is set to") != NULL);
    CHECK(art_set_batch(b, ART_BATCH_FORCES, q, NULL) == ART_BAD_INPUT);
  }
  CHECK(art_get_batch(b, ART_BATCH_POSITIONS, q, NULL) == ART_OK && q[1] == 0);
  CHECK(art_get_batch(b, ART_BATCH_FORCES, q, NULL) == ART_OK && q[1] == 0);
  art_free_batch(b);
}


OF_MACHINE(art_get_batch)
{
  artBatch *b = open_batch(&x);
  double q[2];
  MISUSE(art_get_batch(NULL, ART_BATCH_POSITIONS, q, NULL) == ART_BAD_INPUT);
  MISUSE(art_get_batch(b, ART_BATCH_POSITIONS, NULL, NULL) == ART_BAD_INPUT);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE(art_get_batch(b, (artBatchVector) misuse_index(ART_BATCH_VECTORS, k), q, NULL) ==
           ART_BAD_INPUT);
  }
  art_free_batch(b);
}


OF_MACHINE(art_view_batch)
{
  artBatch *b = open_batch(&x);
  artBatchView view;
  MISUSE(art_view_batch(NULL, ART_BATCH_POSITIONS, &view, NULL) == ART_BAD_INPUT);
  MISUSE(art_view_batch(b, ART_BATCH_POSITIONS, NULL, NULL) == ART_BAD_INPUT);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE(art_view_batch(b, (artBatchVector) misuse_index(ART_BATCH_VECTORS, k), &view, NULL) ==
           ART_BAD_INPUT);
  }
  art_free_batch(b);
}


OF_MACHINE(art_touch_batch)
{
  artBatch *b = open_batch(&x);
  MISUSE(art_touch_batch(NULL, ART_BATCH_POSITIONS, NULL) == ART_BAD_INPUT);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE(art_touch_batch(b, (artBatchVector) misuse_index(ART_BATCH_VECTORS, k), NULL) ==
           ART_BAD_INPUT);
  }
  for (int k = ART_BATCH_OUTPUTS; k < ART_BATCH_VECTORS; k++) {
    CHECK(art_touch_batch(b, (artBatchVector) k, NULL) == ART_BAD_INPUT);
  }
  art_free_batch(b);
}


OF_MACHINE(art_put_batch)
{
  artBatch *b = open_batch(&x);
  const double q[2] = {0, 0};
  MISUSE(art_put_batch(NULL, ART_BATCH_POSITIONS, q, NULL) == ART_BAD_INPUT);
  MISUSE(art_put_batch(b, ART_BATCH_POSITIONS, NULL, NULL) == ART_BAD_INPUT);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE(art_put_batch(b, (artBatchVector) misuse_index(ART_BATCH_VECTORS, k), q, NULL) ==
           ART_BAD_INPUT);
  }
  art_free_batch(b);
}


OF_MACHINE(art_batch_rounding)
{
  artBatch *b = open_batch(&x);
  double rounding = NAN;
  MISUSE(art_batch_rounding(NULL, &rounding, NULL) == ART_BAD_INPUT);
  MISUSE(art_batch_rounding(b, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_batch_rounding(b, &rounding, NULL) == ART_OK && rounding == 0);
  art_free_batch(b);
}


OF_MACHINE(art_step_batch)
{
  artBatch *b = open_batch(&x);
  MISUSE(art_step_batch(NULL, 1e-3, 1, NULL) == ART_BAD_INPUT);
  CHECK(art_step_batch(b, 0, 1, NULL) == ART_BAD_INPUT);
  CHECK(art_step_batch(b, -1e-3, 1, NULL) == ART_BAD_INPUT);
  CHECK(art_step_batch(b, 1e-3, -1, NULL) == ART_BAD_INPUT);
  for (int k = 0; k < MISUSE_NUMBERS; k++) {
    CHECK(art_step_batch(b, misuse_number(k), 1, NULL) == ART_BAD_INPUT);
  }
  CHECK(art_step_batch(b, 1e-3, 0, NULL) == ART_OK);
  art_free_batch(b);
}


OF_MACHINE(art_advance_batch)
{
  artBatch *b = open_batch(&x);
  MISUSE(art_advance_batch(NULL, 1, 1e-3, 1e-6, NULL) == ART_BAD_INPUT);
  CHECK(art_advance_batch(b, 1, 0, 1e-6, NULL) == ART_BAD_INPUT);
  CHECK(art_advance_batch(b, 1, 1e-3, 0, NULL) == ART_BAD_INPUT);
  for (int k = 0; k < MISUSE_NUMBERS; k++) {
    CHECK(art_advance_batch(b, misuse_number(k), 1e-3, 1e-6, NULL) == ART_BAD_INPUT);
    CHECK(art_advance_batch(b, 1, misuse_number(k), 1e-6, NULL) == ART_BAD_INPUT);
    CHECK(art_advance_batch(b, 1, 1e-3, misuse_number(k), NULL) == ART_BAD_INPUT);
  }
  art_free_batch(b);
}


OF_MACHINE(art_batch_failure)
{
  artBatch *b = open_batch(&x);
  MISUSE(art_batch_failure(NULL, 0, NULL, NULL) == ART_BAD_INPUT);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE(art_batch_failure(b, misuse_index(2, k), NULL, NULL) == ART_BAD_INPUT);
  }
  CHECK(art_batch_failure(b, 1, NULL, NULL) == ART_OK);
  art_free_batch(b);
}


MISUSE_MAIN("generate.h", "batch.h", "schedule.h")
