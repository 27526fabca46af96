// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The promises of articula/base.h on threads: constant objects are shared, all else is one thread's own.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "articula/schedule.h"
#include "support/check.h"

enum { THREADS = 4, ROUNDS = 4, MOST = 100 };

typedef struct shared {
  const artModel *m;
  const artRoad *road;
  const artTyre *tyre;
  const artSchedule *schedule;
} shared;

// a thread's share, and what it comes to
typedef struct worker {
  const shared *s;
  int number;
  int failures;
  double q[MOST];
  unsigned long long hash;
  char text[ART_ERROR_LENGTH];
} worker;


static void run_all(const shared *s, void *(*work)(void *), worker w[THREADS])
{
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++) {
    w[i] = (worker){.s = s, .number = i};
    CHECK(pthread_create(&thread[i], NULL, work, &w[i]) == 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(thread[i], NULL);
    CHECK_EQ_INT(w[i].failures, 0);
  }
}


static artModel *load(const char *name)
{
  char path[500];
  artModel *m = NULL;
  artError error = {0};
  snprintf(path, sizeof path, "%s/models/%s", ART_SOURCE_DIR, name);
  if (art_load_model(&m, path, &error) != ART_OK) printf("  %s\n", error.text);
  return m;
}

//---- one model, a data block each ----------------------------------------------------------------

static void run_briefly(worker *w, const artModel *m, artData *d, artMethod method)
{
  artRunDef study = art_default_run();
  artRun *run = NULL;
  study.method = method;
  study.until = 0.02;
  art_reset(m, d);
  w->failures += art_create_run(&run, m, d, &study, NULL) != ART_OK;
  if (run) w->failures += art_run_to(run, study.until, NULL) != ART_OK;
  memcpy(w->q, d->q, (size_t) art_count(m).nq * sizeof *w->q);
  w->failures += run && !(art_certify(run).steps > 0);
  art_free_run(run);
}


static void *simulate(void *context)
{
  worker *w = context;
  const artModel *m = w->s->m;
  artData *d = art_create_data(m);
  double p[3], outputs[MOST];
  for (int i = 0; i < 2 && d; i++) run_briefly(w, m, d, i ? ART_INDEX3 : ART_SEMIRECURSIVE);
  art_reset(m, d);
  w->failures += art_assemble(m, d, NULL, NULL) != ART_OK;
  w->failures += art_accelerate(m, d, ART_AUTOMATIC, NULL) != ART_OK;
  art_outputs(m, d, outputs);
  art_frame_position(m, d, 0, p);
  artLinear *linear = NULL;
  w->failures += art_linearise(m, d, ART_AUTOMATIC, &linear, NULL) != ART_OK;
  art_free_linear(linear);
  for (int k = 0; art_position_name(m, k); k++) {
    w->failures += art_find_position(m, art_position_name(m, k)) != k;
  }
  art_free_data(d);
  return NULL;
}


TEST(threads_share_a_model)
{
  artModel *m = load("loops/four-bar.yaml");
  if (!CHECK(m)) return;
  worker w[THREADS];
  run_all(&(shared){.m = m}, simulate, w);
  const size_t bytes = (size_t) art_count(m).nq * sizeof(double);
  for (int i = 1; i < THREADS; i++) CHECK(memcmp(w[i].q, w[0].q, bytes) == 0);
  art_free_model(m);
}

//---- roads, tyres, schedules ---------------------------------------------------------------------

static void *evaluate(void *context)
{
  worker *w = context;
  const shared *s = w->s;
  const artGround ground = art_ground_of_road(s->road);
  const artWheel wheel = {{1, 0.1, 0.3}, {0, 1, 0}, {10, 0, 0}, {0, 30, 0}};
  for (int i = 0; i < 50 * ROUNDS; i++) {
    artRoadPoint point;
    artTyreAnswer answer;
    art_evaluate_road(s->road, 0.1 * i, 0.2, &point);
    w->failures += art_put_tyre_on_road(s->tyre, &ground, &wheel, NULL, &answer) != ART_OK;
    w->q[0] += point.z + answer.force.Fx;
  }
  for (int k = 0; k < art_schedule_info(s->schedule).operations; k++) {
    w->failures += !art_scheduled_operation(s->schedule, k).name;
  }
  return NULL;
}


TEST(threads_share_roads_tyres_and_schedules)
{
  artRoad *road = NULL;
  artTyre *tyre = NULL;
  artSchedule *schedule = NULL;
  const artRandomRoad rough = {.iso_class = 'C', .seed = 1, .period = 64};
  const artLinearTyre linear = {{0.3, 2e5, 100, 3000}, 1e5, 5e4, 1e3, 0.03, 1, {0.3, 0.3}};
  const artScheduleDef def = {.form = ART_FORM_INVERSE};
  artModel *m = load("double-pendulum.yaml");
  artData *d = m ? art_create_data(m) : NULL;
  if (!CHECK(d) || !CHECK(art_create_random_road(&road, &rough, NULL) == ART_OK) ||
      !CHECK(art_create_linear_tyre(&tyre, &linear, NULL) == ART_OK) ||
      !CHECK(art_create_schedule(&schedule, m, d, &def, NULL) == ART_OK)) {
    return;
  }
  worker w[THREADS];
  run_all(&(shared){NULL, road, tyre, schedule}, evaluate, w);
  for (int i = 1; i < THREADS; i++) CHECK(w[i].q[0] == w[0].q[0]);
  art_free_schedule(schedule);
  art_free_data(d);
  art_free_model(m);
  art_free_road(road);
  art_free_tyre(tyre);
}

//---- all else is a thread's own ------------------------------------------------------------------

static void *read_models(void *context)
{
  static const char *const names[] = {"double-pendulum.yaml", "loops/four-bar.yaml",
                                      "vehicles/bogie.yaml"};
  worker *w = context;
  for (int i = 0; i < 3; i++) {
    artModel *m = load(names[i]);
    w->failures += m == NULL;
    if (m) w->hash = 31 * w->hash + art_model_hash(m);
    art_free_model(m);
  }
  return NULL;
}


TEST(threads_read_models_at_the_same_time)
{
  worker w[THREADS];
  run_all(NULL, read_models, w);
  for (int i = 1; i < THREADS; i++) CHECK(w[i].hash == w[0].hash);
}


// roads and tyres are kept by the builders and models of all threads
static void *build_models(void *context)
{
  worker *w = context;
  union {
    const void *constant;
    artRoad *road;
    artTyre *tyre;
  } road = {.constant = w->s->road}, tyre = {.constant = w->s->tyre};
  for (int i = 0; i < ROUNDS; i++) {
    artBuilder *b = art_create_builder();
    artBodyDef body = art_default_body();
    artJointDef joint = art_default_joint();
    const artTyreForceDef force = {.name = "contact", .wheel = "wheel", .tyre = "t", .road = "r"};
    artModel *m = NULL;
    body.name = "wheel", body.mass = 10;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    joint.name = "free", joint.type = ART_FREE, joint.from = "ground", joint.to = "wheel";
    art_add_body(b, &body);
    art_add_joint(b, &joint);
    art_add_road(b, "r", road.road);
    art_add_tyre(b, "t", tyre.tyre);
    art_add_tyre_force(b, &force);
    w->failures += art_compile_model(&m, b, NULL) != ART_OK;
    art_free_builder(b);
    w->hash = m ? art_model_hash(m) : 0;
    art_free_model(m);
  }
  return NULL;
}


TEST(threads_build_with_the_same_road_and_tyre)
{
  artRoad *road = NULL;
  artTyre *tyre = NULL;
  const artPlaneRoad plane = {.height = 0};
  const artRadialTyre radial = {0.3, 2e5, 100, 3000};
  if (!CHECK(art_create_plane_road(&road, &plane, NULL) == ART_OK)) return;
  if (!CHECK(art_create_radial_tyre(&tyre, &radial, NULL) == ART_OK)) return;
  worker w[THREADS];
  run_all(&(shared){.road = road, .tyre = tyre}, build_models, w);
  for (int i = 1; i < THREADS; i++) CHECK(w[i].hash == w[0].hash);
  art_free_road(road);
  art_free_tyre(tyre);
}


static void *generate(void *context)
{
  worker *w = context;
  artData *d = art_create_data(w->s->m);
  artGenerateDef def = art_default_generate();
  char path[100];
  def.language = (artLanguage) (w->number % ART_LANGUAGES);
  snprintf(path, sizeof path, "/tmp/articula-share-%d.txt", w->number);
  w->failures += art_assemble(w->s->m, d, NULL, NULL) != ART_OK;
  w->failures += art_write_source(w->s->m, d, &def, path, NULL) != ART_OK;
  remove(path);
  artGenerated *g = NULL;
  artError error = {0};
  const artStatus status = art_load_generated(&g, w->s->m, d, &def, &error);
  w->failures += status != ART_OK && status != ART_UNSUPPORTED;
  if (g) {
    w->failures +=
        art_generated_accelerate(g, 0, d->q, d->v, w->q, NULL, NULL) != ART_OK || d->time != 0;
  }
  art_free_generated(g);
  art_free_data(d);
  return NULL;
}


TEST(threads_generate_at_the_same_time)
{
  char cache[] = "/tmp/articula-share-XXXXXX", command[100];
  artModel *m = load("loops/four-bar.yaml");
  if (!CHECK(m) || !CHECK(mkdtemp(cache))) return;
  setenv("XDG_CACHE_HOME", cache, 1);
  worker w[THREADS];
  run_all(&(shared){.m = m}, generate, w);
  for (int i = 1; i < THREADS; i++) CHECK(w[i].q[0] == w[0].q[0]);
  art_free_model(m);
  snprintf(command, sizeof command, "rm -rf %s", cache);
  CHECK(system(command) == 0);
}


static void *fail(void *context)
{
  worker *w = context;
  for (int i = 0; i < 20 * ROUNDS; i++) {
    char text[200];
    artModel *m = NULL;
    artError error = {0};
    snprintf(text, sizeof text, "articula: 1\nbodies: {b%d: {mass: no%d}}\n", w->number, i);
    w->failures += art_read_model(&m, text, strlen(text), "m.yaml", &error) != ART_BAD_INPUT;
    snprintf(text, sizeof text, "no%d", i);
    w->failures += !strstr(error.text, text);
  }
  return NULL;
}


TEST(threads_fail_at_the_same_time)
{
  worker w[THREADS];
  run_all(NULL, fail, w);
}
