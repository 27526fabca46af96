// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Generated code over lanes, compiled and loaded, against the same code of one instance: states and parameters
// of every lane their own, to 1e-13 and four times what the last digits of the state make. Lanes do not know
// their neighbours, not even those whose loops cannot be closed.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "articula/articula.h"
#include "gen/gen.h"
#include "load/code.h"
#include "load/compiler.h"
#include "model/model.h"
#include "support/check.h"

enum { MOST = 8, VECTORS = 8 };

// a machine, and its code in both forms
typedef struct pair {
  artModel *m;
  artData *d;
  eqnProgram *program;
  artGenerated *one, *many;
  const eqnFunction *f; // accelerate
  int lanes;
} pair;


static const eqnFunction *find_function(const eqnProgram *p, const char *name)
{
  for (int i = 0; i < p->nfunction; i++) {
    if (strcmp(p->function[i].name, name) == 0) return &p->function[i];
  }
  return NULL;
}


static void close_pair(pair *x)
{
  art_free_generated(x->one);
  art_free_generated(x->many);
  gen_free(x->program);
  art_free_data(x->d);
  art_free_model(x->m);
}


static int open_pair(pair *x, const char *model, int lanes)
{
  char path[300];
  artAssembly assembly;
  *x = (pair){.lanes = lanes};
  snprintf(path, sizeof path, ART_SOURCE_DIR "/models/%s.yaml", model);
  artStatus status = art_load_model(&x->m, path, &check_error);
  if (!status) x->d = art_create_data(x->m);
  if (!status) status = art_assemble(x->m, x->d, &assembly, &check_error);
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER};
  if (!status) status = gen_create(&x->program, x->m, x->d, &options, &check_error);
  if (!status) status = load_program(&x->one, x->m, x->program, 1, NULL, &check_error);
  if (!status) status = load_program(&x->many, x->m, x->program, lanes, NULL, &check_error);
  if (!status) x->f = find_function(x->program, "accelerate");
  if (CHECK(status == ART_OK)) return 1;
  printf("  %s: %s\n", model, check_error.text);
  close_pair(x);
  return 0;
}


//---- vectors -------------------------------------------------------------------------------------

typedef struct vectors {
  double *one[VECTORS], *many[VECTORS];
} vectors;


static void take(vectors *v, int n, const eqnVector *vector, int lanes)
{
  for (int k = 0; k < n; k++) {
    const size_t count = (size_t) (vector[k].n + 1);
    v->one[k] = calloc(count * (size_t) lanes, sizeof(double));
    v->many[k] = calloc(count * (size_t) lanes, sizeof(double));
  }
}


static void give(vectors *v, int n)
{
  for (int k = 0; k < n; k++) {
    free(v->one[k]);
    free(v->many[k]);
  }
}


// the state of the data, with velocities, slips and independent positions moved at random in each lane
static void fill(const pair *x, vectors *in, uint64_t *seed, double size)
{
  for (int k = 0; k < x->f->ninput; k++) {
    const eqnVector *v = &x->f->input[k];
    const int is_q = strcmp(v->name, "q") == 0, is_v = strcmp(v->name, "v") == 0;
    for (int i = 0; i < v->n; i++) {
      for (int lane = 0; lane < x->lanes; lane++) {
        double value = is_q ? x->d->q[i] : is_v ? x->d->v[i] : 0;
        if (is_v) value += size * check_uniform(seed, -1, 1);
        if (is_q) value += 1e-3 * size * check_uniform(seed, -1, 1);
        if (strcmp(v->name, "state") == 0) value = 0.05 * check_uniform(seed, -1, 1);
        in->one[k][lane * v->n + i] = value;
        in->many[k][i * x->lanes + lane] = value;
      }
    }
  }
}


static int call_one(const pair *x, const vectors *in, const vectors *out, int lane)
{
  double *from[VECTORS], *to[VECTORS];
  for (int k = 0; k < x->f->ninput; k++) from[k] = in->one[k] + lane * x->f->input[k].n;
  for (int k = 0; k < x->f->noutput; k++) to[k] = out->one[k] + lane * x->f->output[k].n;
  return art_generated_call(x->one, art_find_generated(x->one, "accelerate"), from, to, NULL) !=
         ART_OK;
}


static int call_many(const pair *x, const vectors *in, const vectors *out)
{
  return load_call_lanes(x->many, art_find_generated(x->many, "accelerate"), in->many, out->many);
}


// the largest difference of two vectors with steps between their elements, relative to the largest number, or to
// one of its unit where all are smaller
static double distance(int n, const double *a, int step_a, const double *b, int step_b)
{
  double scale = 1, most = 0;
  for (int i = 0; i < n; i++) {
    const double x = a[i * step_a], y = b[i * step_b];
    scale = check_larger(scale, fabs(x));
    most = x == y ? most : check_larger(most, fabs(x - y));
  }
  return most / scale;
}


static double difference(const pair *x, const vectors *v, int n, const eqnVector *vector, int lane)
{
  double worst = 0;
  for (int k = 0; k < n; k++) {
    worst = check_larger(worst, distance(vector[k].n, v->one[k] + lane * vector[k].n, 1,
                                         v->many[k] + lane, x->lanes));
  }
  return worst;
}


// The change of one instance's results, which stand in out, by the last digits of the state, of 0.1 m or rad at least: the largest of some
// trials. Stiff springs and tyres make it larger than rounding is elsewhere.
static double noise(const pair *x, const vectors *in, const vectors *out, int lane)
{
  double *from[VECTORS], *again[VECTORS], worst = 0;
  uint64_t seed = 21;
  for (int trial = 0; trial < 4; trial++) {
    for (int k = 0; k < x->f->ninput; k++) {
      const int n = x->f->input[k].n;
      from[k] = calloc((size_t) n + 1, sizeof(double));
      for (int i = 0; i < n; i++) {
        const double value = in->one[k][lane * n + i],
                     digit = 0x1p-52 * check_larger(0.1, fabs(value));
        from[k][i] = value + digit * check_uniform(&seed, -2, 2);
      }
    }
    for (int k = 0; k < x->f->noutput; k++) {
      again[k] = calloc((size_t) x->f->output[k].n + 1, sizeof(double));
    }
    const int function = art_find_generated(x->one, "accelerate");
    const int is_good = art_generated_call(x->one, function, from, again, NULL) == ART_OK;
    for (int k = 0; k < x->f->noutput; k++) {
      const int n = x->f->output[k].n;
      if (is_good) worst = check_larger(worst, distance(n, out->one[k] + lane * n, 1, again[k], 1));
      free(again[k]);
    }
    for (int k = 0; k < x->f->ninput; k++) free(from[k]);
  }
  return worst;
}


//---- tests ---------------------------------------------------------------------------------------

// Parameters of each lane: the model's but for a thousandth
static void set_parameters(const pair *x, int lane, uint64_t *seed, double *value)
{
  const int n = x->program->parameter.n;
  for (int k = 0; k < n; k++) {
    value[k] = x->program->value[k] * (1 + 1e-4 * check_uniform(seed, -1, 1));
  }
  load_set_lane(x->many, lane, value);
}


static double compare(pair *x, uint64_t *seed, double size, int has_parameters)
{
  vectors in, out;
  double value[MOST][4096], worst = 0;
  take(&in, x->f->ninput, x->f->input, x->lanes);
  take(&out, x->f->noutput, x->f->output, x->lanes);
  fill(x, &in, seed, size);
  for (int lane = 0; lane < x->lanes && has_parameters; lane++) {
    set_parameters(x, lane, seed, value[lane]);
  }
  if (has_parameters) load_prepare(x->many);
  const int failed = call_many(x, &in, &out);
  for (int lane = 0; lane < x->lanes; lane++) {
    if (has_parameters) {
      load_set_lane(x->one, 0, value[lane]);
      load_prepare(x->one);
    }
    const int has_failed = call_one(x, &in, &out, lane);
    CHECK_EQ_INT((failed >> lane) & 1, has_failed);
    if (has_failed) continue;
    worst = check_larger(worst, difference(x, &in, x->f->ninput, x->f->input, lane));
    const double most = difference(x, &out, x->f->noutput, x->f->output, lane);
    worst = check_larger(worst, most - 4 * noise(x, &in, &out, lane));
  }
  give(&in, x->f->ninput);
  give(&out, x->f->noutput);
  return worst;
}


static void compare_model(const char *model, int lanes, double tolerance)
{
  pair x;
  uint64_t seed = 11;
  double worst = 0;
  if (!open_pair(&x, model, lanes)) return;
  for (int trial = 0; trial < 20; trial++) {
    worst = check_larger(worst, compare(&x, &seed, trial % 4 ? 0.1 : 0, trial >= 10));
  }
  if (getenv("ART_VERBOSE")) printf("%-40s %d lanes %.1e\n", model, lanes, worst);
  if (!CHECK(worst <= tolerance)) printf("  %s, %d lanes: %.2e\n", model, lanes, worst);
  close_pair(&x);
}


TEST(lanes_agree_with_one_instance)
{
  compare_model("puma560", 4, 1e-13);
  compare_model("loops/four-bar", 2, 1e-13);
  compare_model("loops/delta", 4, 1e-13);
  compare_model("vehicles/cart", 2, 1e-13);
}


TEST(lanes_agree_with_one_instance_in_large_models)
{
  if (!getenv("ART_SOAK")) return;
  static const char *const models[] = {"double-pendulum",
                                       "motorcycle",
                                       "gimbal",
                                       "satellite",
                                       "spindle",
                                       "puck",
                                       "iiwa",
                                       "loops/stewart",
                                       "loops/planar-robot-1",
                                       "benchmarks/andrews",
                                       "vehicles/iltis",
                                       "vehicles/motorcycle",
                                       "vehicles/single-track",
                                       "vehicles/multilink-car",
                                       "vehicles/truck",
                                       "vehicles/bogie"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    compare_model(models[i], compiler_best_lanes(), 1e-13);
  }
}


// one lane is given lengths that cannot close; it says so, and the others have the bits that they have alone
TEST(a_lane_that_fails_leaves_the_others_alone)
{
  pair x;
  vectors in, out, alone;
  uint64_t seed = 5;
  if (!open_pair(&x, "loops/four-bar", 4)) return;
  take(&in, x.f->ninput, x.f->input, x.lanes);
  take(&out, x.f->noutput, x.f->output, x.lanes);
  take(&alone, x.f->noutput, x.f->output, x.lanes);
  fill(&x, &in, &seed, 0.1);
  CHECK_EQ_INT(call_many(&x, &in, &alone), 0);
  double value[100];
  const int n = x.program->parameter.n;
  for (int k = 0; k < n; k++) value[k] = NAN;
  load_set_lane(x.many, 2, value);
  load_prepare(x.many);
  seed = 5;
  fill(&x, &in, &seed, 0.1);
  CHECK_EQ_INT(call_many(&x, &in, &out), 4);
  for (int i = 0; i < x.f->output[0].n; i++) {
    for (int lane = 0; lane < 4; lane++) {
      const double a = alone.many[0][4 * i + lane], b = out.many[0][4 * i + lane];
      CHECK(lane == 2 || memcmp(&a, &b, sizeof a) == 0);
    }
  }
  give(&in, x.f->ninput);
  give(&out, x.f->noutput);
  give(&alone, x.f->noutput);
  close_pair(&x);
}
