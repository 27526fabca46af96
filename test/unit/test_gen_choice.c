// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The choices of the generator: partitions that a body leads, ways through a tree, other cuts. They say the same
// of a machine, and the numeric side says it too.
#include <math.h>
#include <string.h>

#include "loop/loop.h"
#include "model/read/reader.h"
#include "support/oracle.h"
#include "support/programs.h"

#define MODELS ART_SOURCE_DIR "/models/"
enum { MOST = 64 };

typedef struct scene {
  artModel *m;
  artData *d;
} scene;


static scene open_scene(const char *path, int ncut, const readerCut *cut)
{
  scene s = {0};
  CHECK_WORKS(reader_load_recut(&s.m, path, ncut, cut, &check_error));
  s.d = keep_assembled_data(keep_model(s.m));
  CHECK(s.m->tree.nv <= MOST);
  return s;
}


// the operations of accelerations, which are those of the numeric side
static int generate(scene *s, genParameters parameters, genForward forward)
{
  const genOptions options = {
      .forms = GEN_ACCELERATE, .parameters = parameters, .forward = forward};
  uint64_t seed = 5;
  eqnProgram *p = NULL;
  CHECK_WORKS(gen_create(&p, s->m, s->d, &options, &check_error));
  CHECK(oracle_compare(s->m, keep_recorded(p), 5, &seed, NULL, NULL) > 2);
  const eqnOptions standard = eqn_default_options();
  return keep_function(p, "accelerate", &standard)->total.total;
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
  const int before = generate(&s, GEN_CLASSICAL, GEN_CHEAPER);
  lead(&s, "platform");
  const loopPartition *p = &s.d->work->loop->partition;
  CHECK_EQ_INT(p->nf, 3);
  for (int i = 0; i < p->nf; i++) {
    CHECK(strcmp(s.m->joint[s.m->velocity[p->free[i]].joint].name,
                 (const char *[]){"x", "y", "z"}[i]) == 0);
  }

  // each arm has a block of its own then
  CHECK_EQ_INT(p->block_count, 3);
  CHECK(generate(&s, GEN_CLASSICAL, GEN_CHEAPER) < before);
  generate(&s, GEN_BARYCENTRIC, GEN_CHEAPER);
  lead(&s, "arm2/forearm");
  generate(&s, GEN_CLASSICAL, GEN_CHEAPER);
}


TEST(both_ways_through_a_tree_agree)
{
  static const genForward way[3] = {GEN_BY_FACTORS, GEN_IN_ORDER_N, GEN_CHEAPER};
  scene s = open_scene(MODELS "motorcycle.yaml", 0, NULL);
  int operations[3];
  for (int i = 0; i < 3; i++) operations[i] = generate(&s, GEN_CLASSICAL, way[i]);
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
  CHECK_WORKS(art_accelerate(s.m, s.d, ART_SEMIRECURSIVE, &check_error));
  CHECK_WORKS(art_accelerate(cut.m, cut.d, ART_SEMIRECURSIVE, &check_error));
  for (int i = 0; i < s.m->tree.nv; i++) {
    for (int j = 0; j < cut.m->tree.nv; j++) {
      if (strcmp(s.m->velocity[i].name, cut.m->velocity[j].name) != 0) continue;
      CHECK_CLOSE(cut.d->a[j], s.d->a[i], 1e-10 * check_larger(1, fabs(s.d->a[i])));
    }
  }
}
