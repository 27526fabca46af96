// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The choices of the generator: partitions that a body leads, ways through a tree, other cuts. They say the same
// of a machine, and the numeric side says it too.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "loop/loop.h"
#include "model/reader.h"
#include "support/programs.h"

#define MODELS ART_SOURCE_DIR "/models/"
enum { MOST = 64 };

typedef struct scene {
  artModel *m;
  artData *d;
  double a[MOST]; // generated accelerations at the initial state
  int operations;
} scene;


static scene open_scene(const char *path, int ncut, const readerCut *cut)
{
  scene s = {0};
  CHECK_WORKS(reader_load_recut(&s.m, path, ncut, cut, &check_error));
  s.d = keep_assembled_data(keep_model(s.m));
  CHECK(s.m->tree.nv <= MOST);
  return s;
}


static void generate(scene *s, genParameters parameters, genForward forward)
{
  const genOptions options = {
      .forms = GEN_ACCELERATE, .parameters = parameters, .forward = forward};
  const eqnOptions standard = eqn_default_options();
  eqnProgram *p = NULL;
  CHECK_WORKS(gen_create(&p, s->m, s->d, &options, &check_error));
  const eqnList *list = keep_function(keep_recorded(p), "accelerate", &standard);
  double q[MOST + 8], v[MOST], t = s->d->time;
  memcpy(q, s->d->q, (size_t) s->m->tree.nq * sizeof *q);
  memcpy(v, s->d->v, (size_t) s->m->tree.nv * sizeof *v);
  CHECK_EQ_INT(eqn_evaluate(list, NULL, (double *[]){&t, q, v}, (double *[]){s->a}, NULL, NULL), 0);
  s->operations = list->total.total;
}


static void check_numbers(scene *s)
{
  const artMethod method = s->m->nrow > 0 ? ART_SEMIRECURSIVE : ART_ORDER_N;
  double size = 1;
  if (!CHECK(art_accelerate(s->m, s->d, method, NULL) == ART_OK)) return;
  for (int k = 0; k < s->m->tree.nv; k++) size = check_larger(size, fabs(s->d->a[k]));
  for (int k = 0; k < s->m->tree.nv; k++) CHECK(fabs(s->a[k] - s->d->a[k]) < 1e-11 * size);
}


// coordinates on the way to a body stay free if they can
static void lead(scene *s, const char *body)
{
  char prefer[MOST] = {0};
  struct loopWork *loop = s->d->work->loop;
  int link = 0;
  for (int i = 0; i < s->m->nbody; i++) {
    if (strcmp(s->m->body[i].name, body) == 0) link = s->m->body[i].link;
  }
  for (; link > 0; link = s->m->tree.link[link].parent) {
    const treeLink *x = &s->m->tree.link[link];
    for (int k = 0; k < x->nv; k++) prefer[x->v0 + k] = 1;
  }
  loop_forget(loop);
  loop->choice = LOOP_NUMERIC;
  loop->prefer = prefer;
  CHECK(loop_partition(s->m, s->d, NULL) == ART_OK);
  loop->prefer = NULL;
}


TEST(a_body_leads_the_partition)
{
  scene s = open_scene(MODELS "loops/delta.yaml", 0, NULL);
  generate(&s, GEN_CLASSICAL, GEN_CHEAPER);
  const int before = s.operations;
  lead(&s, "platform");
  const loopPartition *p = &s.d->work->loop->partition;
  CHECK_EQ_INT(p->nf, 3);
  for (int i = 0; i < p->nf; i++) {
    CHECK(strcmp(s.m->joint[s.m->velocity[p->free[i]].joint].name,
                 (const char *[]){"x", "y", "z"}[i]) == 0);
  }

  // each arm has a block of its own then
  CHECK_EQ_INT(p->block_count, 3);
  generate(&s, GEN_CLASSICAL, GEN_CHEAPER);
  check_numbers(&s);
  CHECK(s.operations < before);
  generate(&s, GEN_BARYCENTRIC, GEN_CHEAPER);
  check_numbers(&s);
  lead(&s, "arm2/forearm");
  generate(&s, GEN_CLASSICAL, GEN_CHEAPER);
  check_numbers(&s);
}


TEST(both_ways_through_a_tree_agree)
{
  static const genForward way[3] = {GEN_BY_FACTORS, GEN_IN_ORDER_N, GEN_CHEAPER};
  scene s = open_scene(MODELS "motorcycle.yaml", 0, NULL);
  int operations[3];
  for (int i = 0; i < 3; i++) {
    generate(&s, GEN_CLASSICAL, way[i]);
    check_numbers(&s);
    operations[i] = s.operations;
  }
  CHECK(operations[0] != operations[1]);
  CHECK_EQ_INT(operations[2], operations[0] < operations[1] ? operations[0] : operations[1]);
}


// the rocker answers alike wherever the linkage is cut
TEST(other_cuts_move_alike)
{
  static const readerCut other[2] = {{"crankpin", -1}, {"wrist", 0}};
  scene s = open_scene(MODELS "loops/four-bar.yaml", 0, NULL);
  scene cut = open_scene(MODELS "loops/four-bar.yaml", 2, other);
  CHECK(s.m->joint[s.m->cut[0].joint].type == ART_REVOLUTE);
  CHECK(strcmp(s.m->joint[s.m->cut[0].joint].name, "wrist") == 0);
  CHECK(strcmp(cut.m->joint[cut.m->cut[0].joint].name, "crankpin") == 0);
  generate(&s, GEN_CLASSICAL, GEN_CHEAPER);
  generate(&cut, GEN_CLASSICAL, GEN_CHEAPER);
  check_numbers(&s);
  check_numbers(&cut);
  for (int i = 0; i < s.m->tree.nv; i++) {
    for (int j = 0; j < cut.m->tree.nv; j++) {
      if (strcmp(s.m->velocity[i].name, cut.m->velocity[j].name) != 0) continue;
      CHECK(fabs(s.a[i] - cut.a[j]) < 1e-10 * check_larger(1, fabs(s.a[i])));
    }
  }
}
