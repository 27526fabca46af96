// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parameters that change: a model of which one was set is the model that is read with it, to the last bit, in every
// word of its memory, in the accelerations by every method and in a run, with data blocks that were there before.
#include <math.h>
#include <string.h>

#include "articula/articula.h"
#include "base/memory.h"
#include "model/read/source.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/mallocs.h"

enum { MOST = 4096 };


//---- the same bits -------------------------------------------------------------------------------

static int are_same(const artModel *m, artData *a, const artModel *n, artData *b)
{
  const artCounts c = art_count(m);
  double x[MOST], y[MOST];
  if (!CHECK(c.outputs <= MOST)) return 0;
  art_outputs(m, a, x);
  art_outputs(n, b, y);
  const artEnergy e = art_energy(m, a), f = art_energy(n, b);
  return memcmp(a->q, b->q, (size_t) c.nq * sizeof *a->q) == 0 &&
         memcmp(a->v, b->v, (size_t) c.nv * sizeof *a->v) == 0 &&
         memcmp(a->a, b->a, (size_t) c.nv * sizeof *a->a) == 0 &&
         memcmp(x, y, (size_t) c.outputs * sizeof *x) == 0 && memcmp(&e, &f, sizeof e) == 0;
}


// the model of a file with settings, or its refusal
static artModel *load_with(const char *path, int n, const artSetting *setting, artError *refusal)
{
  artModel *m = NULL;
  return art_load_model_with(&m, path, n, setting, refusal) == ART_OK ? keep_model(m) : NULL;
}


// Every word of two models agrees.
static int check_words_of(const artModel *m, const artModel *other)
{
  return CHECK_EQ_INT(pool_differences(m->pool, other->pool), 0) &&
         CHECK(art_model_hash(m) == art_model_hash(other));
}


static void check_methods(const artModel *m, artData *a, const artModel *n, artData *b,
                          const char *what)
{
  for (int method = 0; method < ART_METHODS; method++) {
    artError error = {0}, other = {0};
    art_reset(m, a);
    art_reset(n, b);
    const artStatus status = art_accelerate(m, a, (artMethod) method, &error);
    if (!CHECK_EQ_INT(art_accelerate(n, b, (artMethod) method, &other), status) ||
        (status == ART_OK && !CHECK(are_same(m, a, n, b)))) {
      printf("%s: method %s: %s, %s\n", what, art_method_name((artMethod) method), error.text,
             other.text);
    }
  }
}


static void check_run(const artModel *m, artData *a, const artModel *n, artData *b,
                      const char *what)
{
  const artRunDef *found = art_find_run(m, NULL), *other = art_find_run(n, NULL);
  if (!found || !CHECK(other)) return;
  artRun *one = NULL, *two = NULL;
  art_reset(m, a);
  art_reset(n, b);
  artStatus status = art_create_run(&one, m, a, found, &check_error);
  CHECK_EQ_INT(art_create_run(&two, n, b, other, NULL), status);
  const double t = found->from + 1e-3 * (found->until - found->from);
  if (!keep_run(one) || !keep_run(two)) return;
  status = art_run_to(one, t, &check_error);
  if (!CHECK_EQ_INT(art_run_to(two, t, NULL), status) || !CHECK(are_same(m, a, n, b))) {
    printf("%s: %s\n", what, check_error.text);
  }
}


// One parameter, a little larger; the data block of the model has been at work before.
static void check_parameter(const char *path, int i, int with_run)
{
  artModel *m = keep_file(path);
  artError error = {0}, refusal = {0};
  const double x = art_parameter_value(m, i);
  const artSetting setting = {art_parameter_name(m, i), x == 0 ? 1e-3 : x * 1.001};
  char what[400];
  snprintf(what, sizeof what, "%s, %s = %g", path, setting.name, setting.value);
  artData *d = keep_fresh_data(m);
  for (int k = 0; k < ART_METHODS; k++) (void) art_accelerate(m, d, (artMethod) k, NULL);
  const artModel *other = load_with(path, 1, &setting, &refusal);
  CHECK_EQ_INT(art_set_parameter(m, setting.name, setting.value, &error), refusal.status);
  if (!CHECK_TEXT(error.text, refusal.text)) printf("%s\n", what);
  if (other) {
    artData *fresh = keep_fresh_data(other);
    if (!check_words_of(m, other)) printf("%s\n", what);
    check_methods(m, d, other, fresh, what);
    if (with_run) check_run(m, d, other, fresh, what);
    CHECK(art_set_parameter(m, setting.name, x * 1.002, &error) == ART_OK);
    CHECK(art_set_parameter(m, setting.name, setting.value, &error) == ART_OK);
    CHECK(art_model_hash(m) == art_model_hash(other));
  }
  if (!CHECK(m->source->nretired == 0)) printf("%s\n", what);
}


// Every word of a model agrees with the file with this setting, and both are refused alike; or the machine would
// have another structure, which is told. Returns how often the change asked for memory.
static long check_words(artModel *m, const char *path, const artSetting *setting)
{
  artError error = {0}, refusal = {0};
  const artModel *other = load_with(path, 1, setting, &refusal);
  const long before = mallocs;
  const artStatus own = art_set_parameter(m, setting->name, setting->value, &error);
  const long asked = mallocs - before;
  const int is_another = own == ART_BAD_INPUT && strstr(error.text, "has another structure");
  if (!is_another) {
    CHECK_EQ_INT(own, refusal.status);
    CHECK_TEXT(error.text, refusal.text);
  }
  const int i = art_find_parameter(m, setting->name);
  if (own == ART_OK) CHECK_TEXT(art_parameter_unit(m, i), art_parameter_unit(other, i));
  if (own == ART_OK && !check_words_of(m, other)) {
    printf("%s, %s = %g\n", path, setting->name, setting->value);
  }
  return asked;
}


static int has_contacts(const artModel *m)
{
  for (int i = 0; i < m->nelement; i++) {
    if (m->element[i].contact) return 1;
  }
  return 0;
}


// Parameters one after the other, each to and fro, without memory and without reading the model, but for surfaces and contacts,
// which are read with all others. A formula that is set is a number from then on, and the next one begins with the file.
static void check_items(const char *path, int most)
{
  artModel *m = keep_file(path);
  for (int i = 0; i < art_count_parameters(m) && i < most; i++) {
    const double x = art_parameter_value(m, i);
    const int was_formula = art_parameter_is_formula(m, i);
    const artSetting setting = {art_parameter_name(m, i), x == 0 ? 1e-3 : x * 1.001};
    const char *unit = art_parameter_unit(m, i);
    CHECK_EQ_INT(check_words(m, path, &setting), 0);
    const int is_taken = art_parameter_value(m, i) == setting.value; // else it was refused
    CHECK(art_set_parameter(m, setting.name, x, NULL) == ART_OK);
    if ((is_taken && !has_contacts(m) && !CHECK_EQ_INT(m->source->nreading, 0)) ||
        !CHECK(art_parameter_unit(m, i) == unit)) {
      printf("%s: %s\n", path, setting.name);
    }
    if (!is_taken || was_formula) m = keep_file(path);
  }
}


// Values that no file should have, and back: the model with them is the file with them or the same refusal, and afterwards
// every word agrees with the file with the old value.
static void check_hard_values(const char *path, int i)
{
  static const double values[] = {0, -1, 1e300, -1e300, 1e-300, NAN};
  artModel *m = keep_file(path);
  const double x = art_parameter_value(m, i);
  const artSetting old = {art_parameter_name(m, i), x};
  const artModel *twin = load_with(path, 1, &old, NULL);
  if (!CHECK(twin)) return;
  CHECK(art_set_parameter(m, old.name, x, NULL) == ART_OK);
  for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
    const artSetting setting = {old.name, values[k]};
    const unsigned revision = art_model_revision(m);
    if (values[k] == x) continue;
    check_words(m, path, &setting);
    if (art_model_revision(m) != revision) CHECK(art_set_parameter(m, old.name, x, NULL) == ART_OK);
    if (!check_words_of(m, twin)) {
      printf("%s: %s, which was %g\n", path, setting.name, values[k]);
    }
  }
}


static unsigned random_bits(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}


static double random_value(unsigned *seed, double x)
{
  const double values[] = {0, -0.0, -x, 2 * x, x / 2, 1, -1, 1e300, 1e-300, 5e-324, NAN, INFINITY};
  const unsigned k = random_bits(seed) % 20;
  if (k < sizeof values / sizeof *values) return values[k];
  return k < 16 ? x : (x == 0 ? 1e-3 : x) * (1 + 1e-9 * random_bits(seed));
}


// Any changes, of which some are refused: in the end every word agrees with the file with the values that it took, and
// accelerations of a data block that was at work in between agree with a fresh one.
static void check_sequence(const char *path, int changes)
{
  static artSetting own[MOST], taken[MOST];
  artModel *m = keep_file(path);
  unsigned seed = 1;
  const int n = art_count_parameters(m);
  if (!CHECK(n <= MOST)) return;
  memset(own, 0, sizeof own);
  artData *d = keep_fresh_data(m);
  for (int i = 0; i < n; i++) own[i].value = art_parameter_value(m, i);
  for (int k = 0; k < changes && n > 0; k++) {
    const int i = (int) (random_bits(&seed) % (unsigned) n);
    const artSetting next = {art_parameter_name(m, i), random_value(&seed, own[i].value)};
    const long before = mallocs;
    if (art_set_parameter(m, next.name, next.value, NULL) == ART_OK) own[i] = next;
    if (!CHECK_EQ_INT(mallocs - before, 0)) printf("%s: %s = %g\n", path, next.name, next.value);
    for (int j = 0; j < ART_METHODS && k == changes / 2; j++) {
      (void) art_accelerate(m, d, (artMethod) j, NULL);
    }
  }
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (own[i].name) taken[count++] = own[i];
  }
  const artModel *other = load_with(path, count, taken, NULL);
  if (!CHECK(other)) return;
  if (!check_words_of(m, other) || !CHECK_EQ_INT(m->source->nretired, 0)) printf("%s\n", path);
  check_methods(m, d, other, keep_fresh_data(other), path);
}


static void check_model(const char *path, int *count)
{
  artModel *m = NULL;
  if (art_load_model(&m, path, NULL) != ART_OK) return; // a part that is given values elsewhere
  keep_model(m);
  const int n = art_count_parameters(m), is_soak = getenv("ART_SOAK") != NULL;
  int hard = is_soak ? n : 2;
  for (int i = 0; i < n && hard > 0; i++) {
    if (art_parameter_is_formula(m, i)) continue;
    hard--;
    check_hard_values(path, i);
  }
  check_items(path, is_soak ? n : 8);
  check_sequence(path, is_soak ? 1000 : 30);
  const int few = 3, stride = is_soak || n < few ? 1 : n / few;
  for (int i = 0; i < n; i += stride) {
    ++*count;
    check_parameter(path, i, i % (4 * stride) == 0);
  }
  if (is_soak) printf("%s: %d parameters\n", path, n), fflush(stdout);
  check_free_kept();
}


TEST(a_parameter_that_is_set_gives_the_model_that_is_read_with_it)
{
  glob_t found = folder_models(2);
  CHECK(found.gl_pathc > 100);
  int count = 0;
  for (size_t i = 0; i < found.gl_pathc; i++) check_model(found.gl_pathv[i], &count);
  globfree(&found);
  CHECK(count > 150);
}


//---- memory --------------------------------------------------------------------------------------

TEST(setting_a_parameter_allocates_nothing)
{
  static const char *const files[] = {"models/pendulum.yaml",       "models/loops/four-bar.yaml",
                                      "models/vehicles/iltis.yaml", "models/vehicles/van.yaml",
                                      "models/loops/stewart.yaml",  "models/motorcycle.yaml"};
  for (int k = 0; k < 6; k++) {
    artModel *m = keep_file(files[k]);
    int i = 0;
    while (art_parameter_is_formula(m, i)) i++;
    const char *name = art_parameter_name(m, i);
    const double x = art_parameter_value(m, i);
    const artStudyDef *study = art_find_study(m, ART_RUN, NULL);
    const long before = mallocs;
    CHECK_WORKS(art_set_parameter(m, name, 1.001 * x, &check_error));
    CHECK_WORKS(art_set_parameter(m, name, 1.002 * x, &check_error));
    if (!CHECK_EQ_INT(mallocs - before, 0)) printf("%s: %s\n", files[k], name);
    CHECK(art_parameter_value(m, art_find_parameter(m, name)) == 1.002 * x);
    CHECK(art_find_study(m, ART_RUN, NULL) == study && art_parameter_name(m, i) == name);
    CHECK_EQ_INT(art_model_revision(m), 2);
  }
}


// The formula stands in the memory of the model, and nobody reads it.
TEST(a_formula_that_becomes_a_number_needs_the_same_memory)
{
  const char *file = ART_SOURCE_DIR "/models/loops/planar-robot-1.yaml";
  artModel *m = keep_file(file);
  const artSetting setting = {"J", 0.034};
  const artModel *other = load_with(file, 1, &setting, NULL);
  if (!CHECK(other)) return;
  for (int k = 1; k >= 0; k--) {
    CHECK(art_set_parameter(m, setting.name, setting.value + 1e-3 * k, NULL) == ART_OK);
  }
  CHECK_EQ_INT(pool_differences(m->pool, other->pool), 0);
  CHECK_EQ_INT(m->source->nretired, 0);
  CHECK_EQ_INT(m->source->nreading, 0);
  CHECK(!art_parameter_is_formula(m, art_find_parameter(m, "J")));
}


TEST(a_change_evaluates_the_formulas_that_read_the_parameter_and_no_others)
{
  artModel *m =
      keep_text("articula: 1\n"
                "parameters: {a: 1 m, b: = 2*a, c: 3 m, d: \"= c + 1[m]\"}\n"
                "study: {type: run, until: \"= a*1[s/m]\", step: \"= c*1[ms/m]\"}\n"
                "bodies:\n"
                "  one: {mass: 1, com: [= a, = b, = c]}\n"
                "  two: {mass: 1, com: [= d, = 2*c, \"= pi*1[m]\"]}\n"
                "joints:\n"
                "  p: {type: revolute, axis: y, from: ground, to: one}\n"
                "  q: {type: revolute, axis: y, from: one, to: two, at: [= a + c, 0, 0]}\n");
  const readerMemo *memo = &m->source->memo;
  m->source->affected.first = NULL; // nothing is known of what parameters reach: all of it is read
  const int all = memo->evaluated;
  CHECK_EQ_INT(all, 11); // b, d, two of the study, six of centres, the pin
  CHECK_WORKS(art_set_parameter(m, "a", 2, &check_error));
  CHECK_EQ_INT(memo->evaluated, 5); // b, study, a, b, a + c
  CHECK_WORKS(art_set_parameter(m, "c", 5, &check_error));
  CHECK_EQ_INT(memo->evaluated, 6); // d, study, c, d, 2 c, a + c
  CHECK(art_parameter_value(m, art_find_parameter(m, "d")) == 6);
  CHECK_WORKS(art_set_parameter(m, "b", 7, &check_error));
  CHECK_WORKS(art_set_parameter(m, "a", 3, &check_error));
  CHECK(art_parameter_value(m, art_find_parameter(m, "b")) == 7);
  CHECK_EQ_INT(memo->evaluated, 3); // study, a, a + c
}


//---- forces alone --------------------------------------------------------------------------------

#define SPRINGS                                                                                    \
  "articula: 1\n"                                                                                  \
  "parameters:\n"                                                                                  \
  "  k: 100 N/m\n"                                                                                 \
  "  zeal: = share*0.1[s] + k*0.01[s]\n"                                                           \
  "  share: = k/2\n"                                                                               \
  "  bound: {value: = k/10, limits: [0 N/m, 50 N/m]}\n"                                            \
  "  load: 2 kg\n"                                                                                 \
  "  rest: 1 m\n"                                                                                  \
  "  gain: 3 N\n"                                                                                  \
  "bodies: {bob: {mass: = load}}\n"                                                                \
  "joints: {slide: {type: prismatic, axis: x, from: ground, to: bob}}\n"                           \
  "forces:\n"                                                                                      \
  "  one: {type: spring-damper, between: [ground, bob], stiffness: = k, damping: = zeal, "         \
  "free_length: = rest}\n"                                                                         \
  "  two: {type: joint-spring, coordinate: slide, stiffness: = share + bound}\n"                   \
  "  three: {type: joint-force, coordinate: slide, value: = gain*cos(3*time)}\n"


// the text of a machine, in which something is replaced by something as long, or as it is
static artModel *read_with(const char *machine, const char *old, const char *new)
{
  char text[2000];
  snprintf(text, sizeof text, "%s", machine);
  char *at = old ? strstr(text, old) : NULL;
  if (at) memcpy(at, new, strlen(new));
  CHECK(!old || (at && strlen(new) == strlen(old)));
  return keep_text(text);
}


TEST(a_parameter_that_reaches_forces_alone_reads_these_alone)
{
  artModel *m = read_with(SPRINGS, NULL, NULL);
  const long before = mallocs;
  CHECK_WORKS(art_set_parameter(m, "k", 110, &check_error));
  CHECK_EQ_INT(mallocs - before, 0);
  CHECK_EQ_INT(m->source->nreading, 0);
  CHECK_EQ_INT(art_model_revision(m), 1);
  CHECK(art_parameter_value(m, art_find_parameter(m, "zeal")) == 55 * 0.1 + 110 * 0.01);
  check_words_of(m, read_with(SPRINGS, "k: 100", "k: 110"));

  // parameters of bodies read bodies, parameters of formulas in time parse them, and all go together
  CHECK_WORKS(art_set_parameter(m, "gain", 4, &check_error));
  CHECK_WORKS(art_set_parameter(m, "k", 100, &check_error));
  check_words_of(m, read_with(SPRINGS, "gain: 3", "gain: 4"));
  CHECK_WORKS(art_set_parameter(m, "gain", 3, &check_error));
  CHECK_WORKS(art_set_parameter(m, "load", 5, &check_error));
  CHECK_EQ_INT(m->source->nreading, 0);
  check_words_of(m, read_with(SPRINGS, "load: 2", "load: 5"));
  CHECK_WORKS(art_set_parameter(m, "load", 2, &check_error));

  // a damper that does nothing is still one
  CHECK_WORKS(art_set_parameter(m, "k", 0, &check_error));
  check_words_of(m, read_with(SPRINGS, "k: 100", "k: 000"));

  // a formula that is set no longer follows
  CHECK_WORKS(art_set_parameter(m, "share", 7, &check_error));
  CHECK_WORKS(art_set_parameter(m, "k", 10, &check_error));
  CHECK_WORKS(art_set_parameter(m, "share", 8, &check_error));
  CHECK_EQ_INT(m->source->nreading, 0);
  CHECK(art_parameter_value(m, art_find_parameter(m, "zeal")) == 8 * 0.1 + 10 * 0.01);
  CHECK(m->element[1].spring->c[1] == 8 + 1);
}


TEST(a_force_that_cannot_be_leaves_all_as_it_was)
{
  artModel *m = read_with(SPRINGS, NULL, NULL);
  CHECK_FAILS(art_set_parameter(m, "rest", -1, &check_error), ART_BAD_INPUT, "machine.yaml:13:");
  CHECK_FAILS(art_set_parameter(m, "k", 600, &check_error), ART_BAD_INPUT,
              "parameter 'bound' is 60 N/m, outside its limits 0 to 50 N/m");
  CHECK_EQ_INT(art_model_revision(m), 0);
  check_words_of(m, read_with(SPRINGS, NULL, NULL));
  CHECK(art_set_parameter(m, "rest", 2, NULL) == ART_OK);
  check_words_of(m, read_with(SPRINGS, "rest: 1", "rest: 2"));
}


//---- parts other than forces ----------------------------------------------------------------------

#define ROUND                                                                                      \
  "articula: 1\n"                                                                                  \
  "parameters: {load: 2 kg, wheel: 0.1 kg m^2, rise: 0.1 m, end: 3 s, wide: 4, rod: 5 kg,\n"       \
  "             most: 9, some: {value: 4, limits: [0, = most]}, late: = end/2}\n"                  \
  "bodies:\n"                                                                                      \
  "  arm: {mass: = load, com: [1, 0, 0], points: {tip: [2, 0, 0]}}\n"                              \
  "  link: {mass: 5, com: [2.5, 0, 0]}\n"                                                          \
  "  bar: {mass: = rod, com: [2, 0, -0.5], inertia: [\"= rod*1[m^2]/12\", \"= rod*1[m^2]/12\", "   \
  "0]}\n"                                                                                          \
  "joints:\n"                                                                                      \
  "  pin: {type: revolute, axis: y, from: ground, to: arm, rotor: = wheel}\n"                      \
  "  knee: {type: revolute, axis: y, from: arm, to: link, at: [2, 0, 0]}\n"                        \
  "  ball: {type: spherical, from: arm, to: bar, at: [2, 0, 0]}\n"                                 \
  "  foot: {type: spherical, from: ground, to: bar, at: [2, 0, -1]}\n"                             \
  "roads:\n"                                                                                       \
  "  hill: {type: bump, start: 1, length: 2, height: = rise}\n"                                    \
  "  rows: {type: table, profile: [[0, 0], [1, = rise], [2, 0]]}\n"                                \
  "  moved: {type: placed, road: hill, position: [1, 0, 0]}\n"                                     \
  "  both: {type: sum, parts: [moved, rows]}\n"                                                    \
  "  lanes: {type: tracks, blend: 0.1, tracks: [{from: = -wide, to: = wide, road: both}]}\n"       \
  "studies:\n"                                                                                     \
  "  go: {type: run, until: = end, interval: = late/100}\n"


// studies, roads and those made of them, limits, masses of rods and bodies and rotors that become nothing: without a reading, to and fro
TEST(a_parameter_of_anything_changes_without_a_reading)
{
  static const struct {
    const char *name, *old, *new;
    double value, before;
  } changes[] = {{"end", "end: 3 s", "end: 7 s", 7, 3},
                 {"rise", "rise: 0.1 m", "rise: 0.4 m", 0.4, 0.1},
                 {"rise", "rise: 0.1 m", "rise: 0.0 m", 0, 0.1},
                 {"wide", "wide: 4", "wide: 2", 2, 4},
                 {"most", "most: 9", "most: 5", 5, 9},
                 {"rod", "rod: 5 kg", "rod: 0 kg", 0, 5},
                 {"wheel", "wheel: 0.1 kg", "wheel: 0.0 kg", 0, 0.1},
                 {"load", "load: 2 kg", "load: 0 kg", 0, 2}};
  artModel *m = read_with(ROUND, NULL, NULL);
  artData *d = keep_fresh_data(m);
  for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
    artModel *other = read_with(ROUND, changes[k].old, changes[k].new);
    const long before = mallocs;
    CHECK_WORKS(art_set_parameter(m, changes[k].name, changes[k].value, &check_error));
    CHECK_EQ_INT(mallocs - before, 0);
    check_words_of(m, other);
    check_methods(m, d, other, keep_fresh_data(other), changes[k].new);
    CHECK_WORKS(art_set_parameter(m, changes[k].name, changes[k].before, &check_error));
    if (!CHECK_EQ_INT(m->source->nreading, 0)) printf("%s\n", changes[k].name);
  }
  check_words_of(m, read_with(ROUND, NULL, NULL));
  double limits[2] = {0};
  CHECK(art_set_parameter(m, "most", 3, NULL) == ART_BAD_INPUT); // less than what it limits
  CHECK(art_set_parameter(m, "most", 6, NULL) == ART_OK);
  CHECK(art_parameter_limits(m, art_find_parameter(m, "some"), limits) && limits[1] == 6);
  CHECK(art_set_parameter(m, "some", 6.5, NULL) == ART_BAD_INPUT);
}


#define ROADS                                                                                      \
  "articula: 1\n"                                                                                  \
  "parameters: {n: 3, level: 1 m, rise: 0.1 m, round: 20 m}\n"                                     \
  "bodies: {bob: {mass: 1}}\n"                                                                     \
  "joints: {s: {type: prismatic, axis: x, from: ground, to: bob}}\n"                               \
  "roads:\n"                                                                                       \
  "  steps: {type: stairs, start: 1, count: = n, rise: = rise, tread: 1, riser: 0.1, radius: "     \
  "0.01}\n"                                                                                        \
  "  ramp: {type: ramp, start: 1, up: 1, plateau: = level, down: 2, height: = rise, radius: "      \
  "0.01}\n"                                                                                        \
  "  rough: {type: random, class: C, seed: 3, period: = round, track: 1.5}\n"                      \
  "  both: {type: sum, parts: [steps, ramp]}\n"                                                    \
  "  lanes: {type: tracks, blend: 0.1, tracks: [{from: -2, to: 0, road: steps}, {from: 0, to: 2, " \
  "road: both}]}\n"


static void check_roads(const artModel *m, const artModel *other, const char *what)
{
  const int n = m->records->roads.count;
  if (!CHECK(n == 5 && other->records->roads.count == n)) return;
  for (int i = 0; i < n; i++) {
    const roadRecord *a = RECORD(m->records->roads, roadRecord, i);
    const roadRecord *b = RECORD(other->records->roads, roadRecord, i);
    int apart = 0;
    for (int k = 0; k < 2000; k++) {
      artRoadPoint one = {0}, two = {0};
      const double x = -2 + 0.073 * (k / 5), y = -1.9 + 0.9 * (k % 5);
      art_evaluate_road(a->road, x, y, &one);
      art_evaluate_road(b->road, x, y, &two);
      apart += memcmp(&one, &two, sizeof one) != 0;
    }
    if (!CHECK_EQ_INT(apart, 0)) printf("%s: road '%s'\n", what, a->name);
  }
}


// Numbers of points change with all but the height, to and fro.
TEST(roads_that_get_another_number_of_points_are_those_that_are_read)
{
  static const struct {
    const char *name, *old, *new;
    double value, before;
  } changes[] = {{"n", "n: 3", "n: 4", 4, 3},
                 {"n", "n: 3", "n: 2", 2, 3},
                 {"level", "level: 1 m", "level: 0 m", 0, 1},
                 {"rise", "rise: 0.1 m", "rise: 0.2 m", 0.2, 0.1},
                 {"round", "round: 20 m", "round: 10 m", 10, 20}};
  artModel *m = read_with(ROADS, NULL, NULL), *first = read_with(ROADS, NULL, NULL);
  for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
    const artModel *other = read_with(ROADS, changes[k].old, changes[k].new);
    CHECK_WORKS(art_set_parameter(m, changes[k].name, changes[k].value, &check_error));
    check_roads(m, other, changes[k].new);
    CHECK_WORKS(art_set_parameter(m, changes[k].name, changes[k].before, &check_error));
    check_roads(m, first, changes[k].old);
  }
}


// Attached tables stand in the model's memory, and a long one in more than the model had: the second change finds it.
TEST(what_is_attached_moves_without_allocation)
{
  enum { ROWS = 20000 };
  static double time[ROWS], value[ROWS];
  artModel *m =
      keep_text("articula: 1\n"
                "parameters: {load: 2 kg, k: 100 N/m}\n"
                "inputs: {push: {unit: N}}\n"
                "bodies: {bob: {mass: = load}}\n"
                "joints: {slide: {type: prismatic, axis: x, from: ground, to: bob}}\n"
                "forces: {f: {type: joint-force, coordinate: slide, value: = push}, s: {type: "
                "joint-spring, coordinate: slide, stiffness: = k}}\n");
  for (int i = 0; i < ROWS; i++) time[i] = value[i] = i;
  CHECK_WORKS(art_attach_table(m, "push", ROWS, time, value, &check_error));
  CHECK_WORKS(art_set_parameter(m, "load", 3, &check_error));
  const unsigned long long hash = art_model_hash(m);
  const long before = mallocs;
  for (int k = 0; k < 5; k++) {
    CHECK_WORKS(art_set_parameter(m, "load", 4 + k, &check_error));
    CHECK_WORKS(art_set_parameter(m, "k", 110 + k, &check_error));
  }
  CHECK_EQ_INT(mallocs - before, 0);
  CHECK(m->held[0].table && m->held[0].table->value[ROWS - 1] == ROWS - 1);
  CHECK_WORKS(art_set_parameter(m, "k", 100, &check_error));
  CHECK_WORKS(art_set_parameter(m, "load", 3, &check_error));
  CHECK(art_model_hash(m) == hash);
}


//---- refusals ------------------------------------------------------------------------------------

#define SWING                                                                                      \
  "articula: 1\n"                                                                                  \
  "parameters: {length: 1 m, load: 2 kg, k: 3 N/m, twice: = 2*length}\n"                           \
  "bodies: {bob: {mass: = load, com: [= length, 0, 0], inertia: [0, 0.1, 0.1]}}\n"                 \
  "joints: {pin: {type: revolute, axis: y, from: ground, to: bob}}\n"                              \
  "forces: {s: {type: spring-damper, between: [ground, bob], stiffness: = k, free_length: = "      \
  "twice}}\n"


static void check_refused(artModel *m, const char *name, double value, const char *message)
{
  const unsigned long long hash = art_model_hash(m);
  CHECK_FAILS(art_set_parameter(m, name, value, &check_error), ART_BAD_INPUT, message);
  CHECK(art_model_hash(m) == hash && art_model_revision(m) == 0);
}


TEST(values_that_cannot_be_are_refused_and_leave_the_model_as_it_was)
{
  artModel *m = keep_text(SWING);
  check_refused(m, "lenght", 1, "there is no parameter 'lenght' (did you mean 'length'?)");
  check_refused(m, "length", NAN, "'length' is set to nan, a finite number is wanted");
  check_refused(m, "load", -1, "machine.yaml:3:");
  check_refused(m, "load", 0, "body 'bob' has inertia but no mass");
  CHECK(art_parameter_value(m, art_find_parameter(m, "twice")) == 2);
  CHECK(art_set_parameter(m, "length", 3, NULL) == ART_OK);
  CHECK(art_parameter_value(m, art_find_parameter(m, "twice")) == 6);

  // a formula that is set is a number from then on
  CHECK(art_set_parameter(m, "twice", 5, NULL) == ART_OK);
  CHECK(art_set_parameter(m, "length", 4, NULL) == ART_OK);
  CHECK(art_parameter_value(m, art_find_parameter(m, "twice")) == 5);
  CHECK_TEXT(art_parameter_unit(m, art_find_parameter(m, "k")), "N/m");
}


// a value with which the model needs far more memory is refused after a part of it was read
TEST(a_value_that_needs_more_memory_and_is_refused_leaves_the_model_as_it_was)
{
  static const char text[] =
      "articula: 1\n"
      "parameters: {late: 15 ms}\n"
      "bodies: {bob: {mass: 1, com: [1, 0, 0]}}\n"
      "joints: {pin: {type: revolute, axis: y, from: ground, to: bob}}\n"
      "blocks: {past: {type: delay, input: = pin.rate, delay: = late, every: 5 ms}}\n"
      "forces:\n"
      "  s: {type: joint-spring, coordinate: pin, damping: \"= late*1[N m/rad]\"}\n"
      "  f: {type: joint-force, coordinate: pin, value: = -past}\n";
  artModel *m = keep_text(text), *other = keep_text(text);
  check_refused(m, "late", 4.5, "with this value of 'late' the machine has another structure");
  check_words_of(m, other);
}


TEST(limits_hold_for_everybody)
{
  artModel *m = keep_file("test/models/good/parameters.yaml"), *other = NULL;
  double limits[2] = {0};
  const int load = art_find_parameter(m, "load"), mass = art_find_parameter(m, "mass");
  CHECK(art_parameter_limits(m, load, limits) && limits[0] == 0 && limits[1] == 8);
  CHECK(!art_parameter_limits(m, mass, limits));
  CHECK_TEXT(art_parameter_help(m, load), "what hangs at the end");
  CHECK_TEXT(art_parameter_help(m, mass), "");
  CHECK(art_parameter_is_design(m, load, NULL) && art_parameter_is_design(m, load, "study"));
  CHECK(!art_parameter_is_design(m, load, "other") && !art_parameter_is_design(m, mass, NULL));
  check_refused(m, "load", 8.1, "parameters.yaml:14:38: parameter 'load' is 8.1 kg, outside its");
  check_refused(m, "mass_of_hook", 0.7, "parameter 'load' is 3 kg, outside its limits 0 to 2.8 kg");
  check_refused(m, "mass_of_hook", 0.2, "parameter 'load' is 3 kg, outside its limits 0 to 0.8 kg");
  check_refused(m, "mass_of_hook", 2.3, "parameter 'most' is 9.2 kg, outside its limits 1 to 9 kg");

  const artSetting setting = {"load", -1};
  const char *path = ART_SOURCE_DIR "/test/models/good/parameters.yaml";
  CHECK_FAILS(art_load_model_with(&other, path, 1, &setting, &check_error), ART_BAD_INPUT,
              "parameters.yaml:14:38: parameter 'load' is -1 kg, outside its");
  CHECK_WORKS(art_set_parameter(m, "mass_of_hook", 2.1, &check_error));
  CHECK(art_parameter_limits(m, load, limits) && limits[1] == 8.4);
  CHECK_WORKS(art_set_parameter(m, "load", 8.3, &check_error));
}


TEST(models_of_programs_are_built_anew)
{
  artBuilder *b = keep_builder(art_create_builder());
  artBodyDef body = art_default_body();
  artJointDef joint = art_default_joint();
  artModel *m = NULL;
  body.name = "bob";
  body.mass = 1;
  joint.name = "slide";
  joint.type = ART_PRISMATIC;
  joint.from = "ground";
  joint.to = "bob";
  art_add_parameter(b, "k", 3, "N/m");
  art_add_body(b, &body);
  art_add_joint(b, &joint);
  if (!CHECK(art_compile_model(&m, b, NULL) == ART_OK)) return;
  keep_model(m);
  CHECK_FAILS(art_set_parameter(m, "k", 4, &check_error), ART_BAD_INPUT, "built by a program");
}


//---- runs ----------------------------------------------------------------------------------------

// the file's own study by a method
static artRunDef study_by(const artModel *m, artMethod method)
{
  const artRunDef *found = art_find_run(m, NULL);
  CHECK(found);
  check_stop_if_failed();
  artRunDef study = *found;
  study.method = method;
  return study;
}


// A run whose model changes at half time goes on as one that begins there with the new value does.
static void check_going_on(const char *path, const char *name, double factor, artMethod method,
                           double limit)
{
  artModel *m = keep_file(path);
  artData *d = keep_fresh_data(m);
  artRunDef study = study_by(m, method);
  const double x = art_parameter_value(m, art_find_parameter(m, name));
  const double half = 0.1, end = 0.2;
  study.tolerance = 1e-10;
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, half, &check_error));

  char file[1024];
  snprintf(file, sizeof file, "%s/%s", ART_SOURCE_DIR, path);
  const artSetting setting = {name, factor * x};
  const artModel *other = load_with(file, 1, &setting, &check_error);
  if (!CHECK(other)) return;
  artData *e = keep_fresh_data(other);
  const artCounts n = art_count(m);
  memcpy(e->q, d->q, (size_t) n.nq * sizeof *d->q);
  memcpy(e->v, d->v, (size_t) n.nv * sizeof *d->v);
  e->time = half;
  art_update(other, e);
  artRunDef rest = study;
  rest.from = half;
  artRun *second = keep_started_run(other, e, &rest);

  CHECK_WORKS(art_set_parameter(m, name, factor * x, &check_error));
  CHECK_WORKS(art_run_to(run, end, &check_error));
  CHECK_WORKS(art_run_to(second, end, &check_error));
  if (!CHECK_NEAR(d->q, e->q, n.nq, limit) || !CHECK_NEAR(d->v, e->v, n.nv, 10 * limit)) {
    printf("%s: %s by %s\n", path, name, art_method_name(method));
  }
}


// Changes between steps, one parameter after the other: two data blocks of the model, and one of a model that is read as a
// whole each time, go on to the same bits.
static void check_between_steps(const char *path, artMethod method, artIntegrator integrator)
{
  artModel *m[2] = {keep_file(path), keep_file(path)};
  artRun *run[3] = {NULL};
  artData *d[3];
  artRunDef study = study_by(m[0], method);
  study.integrator = integrator;
  if (integrator == ART_RK4 || art_method_is_natural(method)) study.step = 1e-3;
  m[1]->source->affected.first = NULL; // nothing is known of what parameters reach
  for (int k = 0; k < 3; k++) {
    d[k] = keep_fresh_data(m[k == 2]);
    run[k] = keep_started_run(m[k == 2], d[k], &study);
  }
  const artCounts n = art_count(m[0]);
  const int np = art_count_parameters(m[0]), stride = np > 8 ? np / 8 : 1;
  for (int i = 0; i < np; i += stride) {
    const char *name = art_parameter_name(m[0], i);
    const double x = art_parameter_value(m[0], i);
    artError error[3] = {{0}};
    artStatus status[3];
    const artStatus set = art_set_parameter(m[0], name, x == 0 ? 1e-4 : 1.0001 * x, NULL);
    CHECK_EQ_INT(art_set_parameter(m[1], name, x == 0 ? 1e-4 : 1.0001 * x, NULL), set);
    for (int k = 0; k < 3; k++) status[k] = art_step(run[k], 3e-3, &error[k]);
    for (int k = 1; k < 3; k++) {
      if (!CHECK_EQ_INT(status[k], status[0]) ||
          !CHECK(memcmp(d[k]->q, d[0]->q, (size_t) n.nq * sizeof *d[0]->q) == 0) ||
          !CHECK(memcmp(d[k]->v, d[0]->v, (size_t) n.nv * sizeof *d[0]->v) == 0)) {
        printf("%s: %s by %s: %s\n", path, name, art_integrator_name(integrator), error[k].text);
      }
    }
  }
  CHECK(m[0]->source->nreading < m[1]->source->nreading);
}


TEST(parameters_change_between_steps)
{
  static const char *const files[] = {"models/plant/industrial-robot.yaml",
                                      "models/plant/inverted-pendulum.yaml",
                                      "models/plant/gear-motor.yaml",
                                      "models/plant/van-abs.yaml",
                                      "models/motorcycle.yaml",
                                      "models/loops/four-bar-lock.yaml"};
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    for (int i = 0; i < ART_MOREAU; i++) {
      check_between_steps(files[k], ART_AUTOMATIC, (artIntegrator) i);
    }
  }
  for (int k = ART_SEMIRECURSIVE; k < ART_METHODS; k++) {
    check_between_steps("models/loops/four-bar.yaml", (artMethod) k, ART_DOPRI5);
    check_between_steps("models/benchmarks/slider-crank.yaml", (artMethod) k, ART_DOPRI5);
  }
}


TEST(a_run_goes_on_with_the_new_value)
{
  check_going_on("models/pendulum.yaml", "L", 1.3, ART_AUTOMATIC, 1e-7);
  check_going_on("models/tackle.yaml", "k", 0.5, ART_AUTOMATIC, 1e-7);
  check_going_on("models/benchmarks/slider-crank.yaml", "m1", 3, ART_SEMIRECURSIVE, 1e-7);
  check_going_on("models/benchmarks/slider-crank.yaml", "m1", 3, ART_AUGMENTED, 1e-7);
  for (int method = ART_INDEX1; method <= ART_CONSERVING; method++) {
    check_going_on("models/pendulum.yaml", "L", 1.3, (artMethod) method, 1e-6);
  }
}


// lengths of loops that change: they are closed by the dependent coordinates, in every kind of coordinates
static void check_closing(artMethod method, artBackend backend, double *q, double *v)
{
  artModel *m = keep_file("models/loops/four-bar.yaml");
  artData *d = keep_fresh_data(m);
  artRunDef study = study_by(m, method);
  study.step = 1e-4;
  study.backend = backend;
  study.until = 1;
  study.tolerance = 1e-9;
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.1, &check_error));
  const double crank = art_parameter_value(m, art_find_parameter(m, "crank"));
  for (int k = 1; k <= 5; k++) {
    CHECK_WORKS(art_set_parameter(m, "crank", crank * (1 + 0.002 * k), &check_error));
    CHECK_WORKS(art_step(run, 0.01, &check_error));
  }
  CHECK_TEXT(check_error.text, "");
  const artCertificate c = art_certify(run);
  if (!CHECK(c.position_residual < 1e-8 && c.energy_error < 1e-4 * c.energy_scale)) {
    printf("%s: open by %g m, %g of %g J\n", art_method_name(method), c.position_residual,
           c.energy_error, c.energy_scale);
  }
  memcpy(q, d->q, 3 * sizeof *q);
  memcpy(v, d->v, 3 * sizeof *v);
}


TEST(loops_close_by_the_new_lengths)
{
  double q[3], v[3], p[3], w[3];
  check_closing(ART_SEMIRECURSIVE, ART_BACKEND_NUMERIC, q, v);
  check_closing(ART_AUGMENTED, ART_BACKEND_NUMERIC, p, w);
  CHECK_NEAR(p, q, 3, 1e-6);
  CHECK_NEAR(w, v, 3, 1e-5);
  check_closing(ART_AUTOMATIC, ART_BACKEND_GENERATED, p, w);
  CHECK_NEAR(p, q, 3, 1e-6);
  CHECK_NEAR(w, v, 3, 1e-5);
  for (int method = ART_INDEX1; method <= ART_CONSERVING; method++) {
    check_closing((artMethod) method, ART_BACKEND_NUMERIC, p, w);
    CHECK_NEAR(p, q, 3, 1e-4);
    CHECK_NEAR(w, v, 3, 1e-3);
  }
}


// lengths that the loop cannot have where it is: the run says so, and goes on with those that it had
static void check_coming_back(artMethod method)
{
  artModel *m = keep_file("models/loops/four-bar.yaml");
  artData *d = keep_fresh_data(m);
  artRunDef study = study_by(m, method);
  study.step = 1e-3;
  artError error = {0};
  artRun *run = keep_started_run(m, d, &study);
  CHECK(art_step(run, 0.1, &error) == ART_OK);
  double q[3];
  memcpy(q, d->q, sizeof q);
  CHECK(art_set_parameter(m, "coupler", 3, &error) == ART_OK);
  CHECK(art_set_parameter(m, "rocker", 0.1, &error) == ART_OK);
  CHECK_EQ_INT(art_step(run, 0.01, &error), ART_NO_CONVERGENCE);
  CHECK_EQ_INT(art_step(run, 0.01, &error), ART_NO_CONVERGENCE);
  error = (artError){0};
  CHECK(art_set_parameter(m, "coupler", 0.6, &error) == ART_OK);
  CHECK(art_set_parameter(m, "rocker", hypot(0.1, 0.2), &error) == ART_OK);
  CHECK(art_step(run, 0, &error) == ART_OK);
  CHECK_TEXT(error.text, "");
  if (!CHECK_NEAR(d->q, q, 3, 1e-9)) printf("%s\n", art_method_name(method));
  CHECK(art_step(run, 0.01, &error) == ART_OK);
}


TEST(a_run_that_cannot_follow_waits_for_another_value)
{
  check_coming_back(ART_SEMIRECURSIVE);
  check_coming_back(ART_AUGMENTED);
  check_coming_back(ART_INDEX3);
}


//---- numbers that look like addresses ------------------------------------------------------------

enum { WORDS = 4 };

// a block that holds an address in its pool and three numbers
static uintptr_t *make_words(memPool *pool, uintptr_t number)
{
  memPool *outer = pool_use(pool);
  uintptr_t *words = mem_alloc(WORDS, sizeof *words);
  pool_use(outer);
  if (words) {
    words[0] = (uintptr_t) &words[2];
    words[1] = number;
  }
  return words;
}


// The bits of a number are those of an address in the memory that the new values come from: it stays a number.
TEST(a_number_with_the_bits_of_an_address_is_no_address)
{
  memPool *own = pool_create(), *twin = pool_create();
  uintptr_t *words = make_words(own, 0), *other = make_words(twin, 0);
  uintptr_t root[2] = {(uintptr_t) words, 0}, root_twin[2] = {(uintptr_t) other, 0};
  CHECK(!pool_copy(own, root, twin, root_twin, sizeof root)); // nothing is known yet
  CHECK(pool_mark_addresses(own, root, twin, root_twin, sizeof root));
  other[1] = 5;
  root_twin[1] = 7;
  CHECK(pool_copy(own, root, twin, root_twin, sizeof root));
  CHECK(words[0] == (uintptr_t) &words[2] && words[1] == 5 && root[1] == 7);
  words[1] = 0;
  other[1] = (uintptr_t) &other[3]; // looks like an address, beside a word that was 0
  CHECK(!pool_copy(own, root, twin, root_twin, sizeof root));
  CHECK(!pool_take(own, twin, words, other, WORDS * sizeof *words));
  CHECK(words[1] == 0);
  words[1] = (uintptr_t) &words
      [3]; // a number that looks like an address in its own pool takes another value
  other[1] = 11;
  CHECK(pool_take(own, twin, words, other, WORDS * sizeof *words));
  CHECK(words[1] == 11 && words[0] == (uintptr_t) &words[2]);
  CHECK(pool_has_marks(own));
  CHECK(make_words(own, 0));
  CHECK(!pool_has_marks(own)); // what is new has none
  pool_free(own);
  pool_free(twin);
}


TEST(a_parameter_with_the_bits_of_an_address_keeps_its_bits)
{
  artModel *m = read_with(SPRINGS, NULL, NULL);
  if (!CHECK(m)) return;
  const int a = art_find_parameter(m, "k");
  for (int is_whole = 0; is_whole < 2; is_whole++) {
    CHECK_WORKS(art_set_parameter(m, "load", 4 + is_whole, &check_error));
    CHECK_WORKS(art_set_parameter(m, "k", 0, &check_error));
    if (m->source->affected.is_beyond) m->source->affected.is_beyond[a] = (char) is_whole;
    // of 64 bits these are of a number near 1e-310, or, with 32-bit addresses, the lower half of one
    memPool *outer = pool_use(m->source->spare);
    char *place = mem_alloc(1, 16);
    const uintptr_t address = (uintptr_t) place - 256; // of what will be there again
    mem_free(place);
    pool_use(outer);
    double value = 0;
    memcpy(&value, &address, sizeof address);
    CHECK_WORKS(art_set_parameter(m, "k", value, &check_error));
    const double got = art_parameter_value(m, a);
    CHECK(memcmp(&got, &value, sizeof value) == 0);
    CHECK(m->parameter[a].value == value);
  }
}
