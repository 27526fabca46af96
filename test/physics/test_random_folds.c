// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Random machines with loops that meet singular positions at every turn (support/random_folds.h): all
// methods in relative coordinates come to the same place, or stop for the same reason.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/study.h"
#include "data/work.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/random_folds.h"

enum { MACHINES = 21, MANY = 540, BALLS = 5, MANY_BALLS = 100, ROWS = 10, MAX_Q = 80 };

#define UNTIL 5.0

// how near the methods come, and the tolerances of the integrator; the second where errors grow so much
// that the first does not do
#define AGREE  1e-6
#define FINE   1e-12
#define FINEST 3e-14

static const int methods[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED, MODEL_GENERATED};

// positions at instants, and why it ended before
typedef struct trip {
  int rows, nq;
  double q[ROWS + 1][MAX_Q];
  double time;
  artError error;
  artCertificate certificate;
} trip;


// a function that makes a machine of a seed
typedef artModel *(*maker)(uint64_t *seed);


static void travel(maker make, uint64_t number, int method, double tolerance, trip *t)
{
  uint64_t seed = number;
  artModel *m = keep_model(make(&seed));
  artData *d = keep_fresh_data(m);
  artRun *run = NULL;
  artRunDef study = art_default_run();
  study.until = UNTIL;
  model_set_way(&study, method);
  study.tolerance = tolerance;
  *t = (trip){.rows = 0};
  if (CHECK(d && m->tree.nq <= MAX_Q) && art_create_run(&run, m, d, &study, &t->error) == ART_OK) {
    t->nq = m->tree.nq;
    while (t->rows < ROWS && art_run_to(run, UNTIL * (t->rows + 1) / ROWS, &t->error) == ART_OK) {
      memcpy(t->q[t->rows++], d->q, (size_t) m->tree.nq * sizeof *d->q);
    }
    t->time = d->time;
    t->certificate = art_certify(run);
  }
  art_free_run(run);
}


static double distance(const trip *a, const trip *b)
{
  double most = 0;
  for (int r = 0; r < a->rows && r < b->rows; r++) {
    for (int k = 0; k < a->nq; k++) {
      const double off = fabs(a->q[r][k] - b->q[r][k]);
      if (!(off <= most)) most = off;
    }
  }
  return most;
}


// messages say when
static int same_reason(const trip *a, const trip *b)
{
  const char *x = strstr(a->error.text, " at t = "), *y = strstr(b->error.text, " at t = ");
  const size_t n = x ? (size_t) (x - a->error.text) : strlen(a->error.text);
  return a->error.status == b->error.status && (x != NULL) == (y != NULL) &&
         strncmp(a->error.text, b->error.text, n) == 0;
}


static int stopped; // machines


static int look_at(maker make, uint64_t number, double *worst)
{
  static trip first, other;
  int held = 1;
  travel(make, number, methods[0], FINE, &first);
  stopped += first.rows < ROWS;
  if (first.rows < ROWS) printf("  machine %d: %s\n", (int) number, first.error.text);
  const int generates = number % 20 == 1;
  for (int i = 1; i < (generates ? 4 : 3); i++) {
    travel(make, number, methods[i], FINE, &other);
    if (!(distance(&first, &other) < AGREE)) {
      travel(make, number, methods[0], FINEST, &first);
      travel(make, number, methods[i], FINEST, &other);
    }
    const double off = distance(&first, &other);
    if (!(off <= *worst)) *worst = off;
    held &= CHECK_EQ_INT(other.rows, first.rows) && CHECK(off < AGREE) &&
            CHECK(same_reason(&first, &other));
    if (!held) {
      printf("  machine %d: semirecursive to %g s, %s\n  %s to %g s, %s\n  %.1e apart\n",
             (int) number, first.time, first.error.text, model_way_name(methods[i]), other.time,
             other.error.text, off);
      break;
    }
  }
  return held;
}


static void compare_methods(maker make, int few, int many)
{
  int from = 1, to = getenv("ART_SOAK") ? many : getenv("ART_TEST_ALL") ? 2 * few : few, held = 0;
  const char *asked = getenv("ART_MACHINES");
  if (asked) CHECK_EQ_INT(sscanf(asked, "%d-%d", &from, &to), 2);
  double worst = 0;
  for (int i = from; i <= to; i++) held += look_at(make, (uint64_t) i, &worst);
  printf("  %d of %d machines agree, %.1e apart at most; %d stopped, all methods for the same "
         "reason\n",
         held, to - from + 1, worst, stopped);
}


TEST(all_methods_agree)
{
  stopped = 0;
  compare_methods(random_folds, MACHINES, MANY);
}


TEST(all_methods_agree_on_ball_joints)
{
  stopped = 0;
  compare_methods(random_balls, BALLS, MANY_BALLS);
}


// A loop is held along a coordinate that its neighbour turns back; a bridge is first tried too far away.
TEST(bridges_go_on_along_other_coordinates)
{
  static const uint64_t numbers[] = {181, 414};
  double worst = 0;
  for (int i = 0; i < 2; i++) look_at(random_folds, numbers[i], &worst);
}
