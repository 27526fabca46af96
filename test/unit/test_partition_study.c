// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Partitions that a study asks for: from the pattern, by full pivoting, by hand; in the file, from C, and refused.
#include <math.h>
#include <string.h>

#include "loop/loop.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"

enum { MAX_V = 32 };

static const char robot[] = "models/loops/planar-robot-by-hand.yaml";
static const char bar[] = "models/loops/four-bar.yaml";


// independent rates at the start of a run, "a.rate b.rate", after which it runs for a while
static void run(const artModel *m, artData *d, const artRunDef *study, double until,
                char independent[200], artCertificate *c)
{
  artRun *run = NULL;
  independent[0] = '\0';
  art_reset(m, d);
  if (!CHECK_WORKS(art_create_run(&run, m, d, study, &check_error))) return;
  const loopPartition *p = &d->work->loop->partition;
  for (int i = 0; i < p->nf; i++) {
    if (i > 0) strcat(independent, " ");
    strncat(independent, art_velocity_name(m, p->free[i]), 40);
  }
  CHECK_WORKS(art_run_to(run, until, &check_error));
  *c = art_certify(run);
  art_free_run(run);
  CHECK(d->work->loop->asked == LOOP_SYMBOLIC && d->work->loop->hand_count == 0);
}


TEST(every_partition_gives_the_same_motion)
{
  static const struct {
    int method;
    artPartition partition;
    const char *independent, *chosen;
  } ways[] = {
      {ART_AUTOMATIC, ART_PARTITION_SYMBOLIC, "float",
       "float.x_rate float.y_rate float.angle_rate"},
      {ART_AUTOMATIC, ART_PARTITION_PIVOTING, NULL, NULL},
      {ART_AUTOMATIC, ART_PARTITION_SYMBOLIC, "arm1/base, arm2/base.angle\tarm3/base.rate",
       "arm1/base.rate arm2/base.rate arm3/base.rate"},
      {ART_RECURSIVE, ART_PARTITION_SYMBOLIC, "arm1/base arm2/base arm3/base",
       "arm1/base.rate arm2/base.rate arm3/base.rate"},
      {MODEL_GENERATED, ART_PARTITION_SYMBOLIC, "arm1/base arm2/base arm3/base",
       "arm1/base.rate arm2/base.rate arm3/base.rate"},
  };
  artModel *m = keep_file(robot);
  artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
  artCertificate c;
  char chosen[200];
  artRunDef study = *art_find_run(m, NULL);
  study.independent = NULL;
  run(m, d, &study, 1, chosen, &c);
  CHECK_TEXT(chosen, "float.x_rate float.y_rate float.angle_rate");
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    model_set_way(&study, ways[i].method);
    study.partition = ways[i].partition;
    study.independent = ways[i].independent;
    run(m, e, &study, 1, chosen, &c);
    if (ways[i].chosen) CHECK_TEXT(chosen, ways[i].chosen);
    CHECK_NEAR(e->q, d->q, m->tree.nq, 1e-8);
    CHECK_NEAR(e->v, d->v, m->tree.nv, 1e-7);
  }
}


// full pivoting takes the largest entries of J for dependent columns: the four-bar's pins that are far from the cut
TEST(pivoting_is_that_of_the_matrix)
{
  artModel *m = keep_file(bar);
  artData *d = keep_fresh_data(m);
  artCertificate c;
  char symbolic[200], pivoting[200];
  artRunDef study = *art_find_run(m, NULL);
  run(m, d, &study, 0, symbolic, &c);
  CHECK(d->work->loop->partition.choice == LOOP_SYMBOLIC);
  study.partition = ART_PARTITION_PIVOTING;
  run(m, d, &study, 0, pivoting, &c);
  CHECK(d->work->loop->partition.choice == LOOP_NUMERIC);

  // by hand: the largest entry of the rows that count is at a dependent coordinate
  const loopPartition *p = &d->work->loop->partition;
  double most = 0;
  int column = -1;
  for (int i = 0; i < p->nd; i++) {
    for (int j = 0; j < p->n; j++) {
      const double size = fabs(d->work->loop->J_chosen[p->row[i] * p->n + j]) / p->scale[p->row[i]];
      if (size > most) most = size, column = j;
    }
  }
  CHECK(column >= 0 && column != p->free[0]);
}


TEST(a_file_says_it_by_names)
{
  artModel *m = keep_file(robot);
  artData *d = keep_fresh_data(m);
  artCertificate c;
  char chosen[200];
  const artRunDef *study = art_find_run(m, NULL);
  CHECK_TEXT(study->independent, "arm1/base, arm2/base, arm3/base");
  run(m, d, study, 0.1, chosen, &c);
  CHECK_TEXT(chosen, "arm1/base.rate arm2/base.rate arm3/base.rate");
}


// the crank of a four-bar that swings: at its dead centres it does not say where the rocker goes
TEST(a_choice_by_hand_gives_way_where_it_no_longer_determines_the_others)
{
  artModel *m = keep_file(bar);
  artData *d = keep_fresh_data(m), *e = keep_fresh_data(m);
  artCertificate c;
  char chosen[200];
  artRunDef study = *art_find_run(m, NULL);
  run(m, d, &study, 1, chosen, &c);
  study.independent = "pivot";
  run(m, e, &study, 1, chosen, &c);
  CHECK_TEXT(chosen, "pivot.rate");
  CHECK(c.repartitions > 0 && c.position_residual < 1e-13);
  CHECK_NEAR(e->q, d->q, m->tree.nq, 1e-8);
  CHECK(e->work->loop->choice == LOOP_NUMERIC);
}


static void refuse(const artModel *m, artData *d, const char *independent, artPartition partition,
                   const char *text)
{
  artRun *run = NULL;
  artRunDef study = *art_find_run(m, NULL);
  study.independent = independent;
  study.partition = partition;
  CHECK_SAYS(art_create_run(&run, m, d, &study, &check_error), ART_BAD_INPUT, text);
  CHECK(run == NULL && d->work->loop->asked == LOOP_SYMBOLIC);
}


TEST(a_choice_that_does_not_fit_is_refused_by_names)
{
  artModel *m = keep_file(bar), *arms = keep_file(robot);
  artData *d = keep_fresh_data(m), *e = keep_fresh_data(arms);
  const artPartition usual = ART_PARTITION_SYMBOLIC;
  refuse(
      m, d, "pivot, bearing", usual,
      "the constraints leave 1 coordinates free, and the choice of independent ones does not fit; "
      "these follow from the others, leave them out: 'pivot.angle'");
  refuse(
      arms, e, "arm1/base, arm2/base", usual,
      "the constraints leave 3 coordinates free, and the choice of independent ones does not fit; "
      "these are left undetermined, choose them too: 'tip3.angle'");
  refuse(m, d, "pivot pivot.rate", usual, "'pivot.rate' is chosen twice as independent coordinate");
  refuse(m, d, "pivo", usual, "'pivo' is not a joint coordinate (did you mean 'pivot'?)");
  refuse(
      m, d, "pivot", ART_PARTITION_PIVOTING,
      "the independent coordinates are given by hand and by partition: pivoting; leave out one of "
      "them");
}


TEST(a_key_is_set_from_text)
{
  artStudyDef study = art_default_study(ART_RUN);
  CHECK_WORKS(art_set_study(&study, "partition", "pivoting", &check_error));
  CHECK(study.run.partition == ART_PARTITION_PIVOTING);
  CHECK(art_set_study(&study, "independent", "pin", &check_error) == ART_BAD_INPUT);
  CHECK(study.run.independent == NULL);
  CHECK_WORKS(art_set_study(&study, "partition", "symbolic", &check_error));
  CHECK_WORKS(art_set_study(&study, "independent", "pin, slide", &check_error));
  CHECK_TEXT(study.run.independent, "pin, slide");
  CHECK_WORKS(art_set_study(&study, "step", "1 ms", &check_error));
  CHECK_TEXT(study.run.independent, "pin, slide");
}


TEST(a_run_goes_on_with_the_partition_it_was_saved_with)
{
  artError error = {0};
  artModel *m = keep_file(bar);
  artData *d = keep_fresh_data(m);
  artRunDef study = *art_find_run(m, NULL);
  static char bytes[1 << 16];
  artRun *run = NULL;
  double q[MAX_V];
  study.independent = "bearing";
  CHECK(art_create_run(&run, m, d, &study, &error) == ART_OK);
  CHECK(art_run_to(run, 0.05, &error) == ART_OK);
  const size_t size = art_run_state_size(run);
  CHECK(size <= sizeof bytes && art_save_run(run, bytes, size, &error) == ART_OK);
  CHECK(art_run_to(run, 0.3, &error) == ART_OK);
  memcpy(q, d->q, (size_t) m->tree.nq * sizeof *q);
  art_free_run(run);

  art_reset(m, d);
  CHECK(art_create_run(&run, m, d, &study, &error) == ART_OK);
  CHECK(art_load_run(run, bytes, size, &error) == ART_OK);
  CHECK(art_run_to(run, 0.3, &error) == ART_OK);
  CHECK_NEAR(d->q, q, m->tree.nq, 0);
  art_free_run(run);

  art_reset(m, d);
  study.independent = "pivot";
  CHECK(art_create_run(&run, m, d, &study, &error) == ART_OK);
  CHECK(art_load_run(run, bytes, size, &error) == ART_BAD_INPUT);
  CHECK_TEXT(error.text,
             "the run was saved with another choice of independent coordinates; give the same "
             "'partition' and 'independent'");
  art_free_run(run);
}
