// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Minimal parameters: which parts of a link's inertia are felt as if its parent carried them.
//
// Joint forces are linear in inertias. A part d of link i can be moved when at all states
//   tau(d on i) = tau(d on the parent, where the joint is at zero)
// which a few random states decide.
#include <string.h>

#include "base/arena.h"
#include "base/max_nan.h"
#include "gen/build.h"
#include "gen/parameter/definition.h"
#include "gen/tree/tree_equations.h"
#include "tree/tree.h"

enum { STATES = 3 };

const char *const gen_inertia_name[GEN_INERTIA] = {"mass", "hx",  "hy",  "hz",  "Jxx",
                                                   "Jyy",  "Jzz", "Jxy", "Jxz", "Jyz"};

typedef struct trial {
  treeModel t; // links without inertia, but for those on trial
  treeData d;
  double *q[STATES], *v[STATES], *a[STATES];
  double *tau, *sum;
} trial;

//---- random states -------------------------------------------------------------------------------

static double *next_numbers(baseArena *arena, int n, unsigned long long *seed)
{
  double *x = arena_alloc(arena, (size_t) n, sizeof *x);
  for (int k = 0; k < n; k++) {
    // between -2 and 2, the same on every machine
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    x[k] = (double) (*seed >> 11) / 2251799813685248.0 - 2;
  }
  return x;
}


// at present values of the user's parameters, or at others
static void start_trial(trial *w, genBuild *b, int is_present, baseArena *arena)
{
  unsigned long long seed = 1;
  const treeModel *t = &b->m->tree;
  w->t = *t;
  w->t.link = arena_copy(arena, t->link, (size_t) t->n, sizeof *t->link);
  w->tau = arena_alloc(arena, (size_t) t->nv, sizeof(double));
  w->sum = arena_alloc(arena, (size_t) t->nv, sizeof(double));
  if (!is_present) gen_try_links(b, t->n, w->t.link);
  tree_start(&w->t, &w->d, arena);
  for (int i = 0; i < t->n; i++) {
    treeLink *link = &w->t.link[i];
    link->mass = link->rotor = 0;
    link->has_rotor = 0;
    memset(&link->h, 0, sizeof link->h);
    memset(&link->J, 0, sizeof link->J);
    memset(&w->d.body[i].K, 0, sizeof(s3));
  }
  for (int k = 0; k < STATES; k++) {
    w->q[k] = next_numbers(arena, t->nq, &seed);
    w->v[k] = next_numbers(arena, t->nv, &seed);
    w->a[k] = next_numbers(arena, t->nv, &seed);
  }
}

//---- trials --------------------------------------------------------------------------------------

static void put_inertia(trial *w, int i, const double X[GEN_INERTIA])
{
  ART_ASSERT(i > 0 && i < w->t.n);
  treeLink *link = &w->t.link[i];
  link->mass = X[0];
  link->h = (v3){X[1], X[2], X[3]};
  link->J = (s3){X[4], X[5], X[6], X[7], X[8], X[9]};
  w->d.body[i].K = tree_second_moments(link->J);
}


// joint forces of one inertia at one state, added to the sum; returns how large its own wrench is
static double add_response(trial *w, int state, int i, const double X[GEN_INERTIA], double factor)
{
  ART_ASSERT(state >= 0 && state < STATES);
  put_inertia(w, i, X);
  tree_rne(&w->t, &w->d, w->v[state], w->a[state], w->tau);
  for (int k = 0; k < w->t.nv; k++) w->sum[k] += factor * w->tau[k];
  const treeBody *b = &w->d.body[i];
  const wrench own = tree_inertia_force(&w->t.link[i], b->K, b->B, b->acc.lin);
  put_inertia(w, i, (double[GEN_INERTIA]){0});
  return max_magnitude(6, (const double *) &own);
}


static int is_felt_the_same(trial *w, const genMove *move)
{
  const double tolerance = 1e-9;
  const treeLink *link = &w->t.link[move->link];
  double image[GEN_INERTIA];
  // inertia of a link as part of its parent, the joint being at zero
  const v3 p = link->p,
           h = m3_back(link->R, (v3){move->direction[1], move->direction[2], move->direction[3]});
  const s3 J = s3_back(link->R, (s3){move->direction[4], move->direction[5], move->direction[6],
                                     move->direction[7], move->direction[8], move->direction[9]});

  // k = h + m p / 2,  J' = J + 2 (p.k) 1 - k p^T - p k^T
  const v3 k = v3_add(h, v3_scale(0.5 * move->direction[0], p));
  const double dot = 2 * v3_dot(p, k);
  const v3 sum = v3_add(h, v3_scale(move->direction[0], p));
  const double all[GEN_INERTIA] = {move->direction[0],
                                   sum.x,
                                   sum.y,
                                   sum.z,
                                   J.xx + dot - 2 * k.x * p.x,
                                   J.yy + dot - 2 * k.y * p.y,
                                   J.zz + dot - 2 * k.z * p.z,
                                   J.xy - k.x * p.y - k.y * p.x,
                                   J.xz - k.x * p.z - k.z * p.x,
                                   J.yz - k.y * p.z - k.z * p.y};
  memcpy(image, all, sizeof all);
  for (int s = 0; s < STATES; s++) {
    memset(w->sum, 0, (size_t) w->t.nv * sizeof *w->sum);
    tree_place(&w->t, &w->d, w->q[s]);
    double size = add_response(w, s, move->link, move->direction, 1);
    if (move->to_rotor) {
      w->sum[link->v0] -= w->a[s][link->v0];
    } else if (link->parent > 0) {
      size += add_response(w, s, link->parent, image, -1);
    }
    if (!(max_magnitude(w->t.nv, w->sum) <= tolerance * size)) return 0;
  }
  return 1;
}

//---- candidates ----------------------------------------------------------------------------------

// one parameter alone, in the order of trial; then pairs of second moments: matter along an axis
static const int single[] = {0, 1, 2, 3, 7, 8, 9, 4, 5, 6};
static const int pair[][2] = {{4, 5}, {4, 6}, {5, 6}};


// at present and at other values of the user's parameters, w[2]
static int try_move(trial *w, genMove *moves, int n, genMove move)
{
  for (int k = 0; k < n; k++) {
    if (moves[k].link == move.link && moves[k].pivot == move.pivot) return n;
  }
  if (!is_felt_the_same(&w[0], &move) || !is_felt_the_same(&w[1], &move)) return n;
  moves[n] = move;
  return n + 1;
}


static int moves_of_link(trial *w, genMove *moves, int n, int i, int has_rotor)
{
  for (int k = 0; k < GEN_INERTIA; k++) {
    genMove move = {.link = i, .pivot = single[k]};
    move.direction[single[k]] = 1;
    n = try_move(w, moves, n, move);
  }
  for (int k = 0; k < 3; k++) {
    genMove move = {.link = i, .pivot = pair[k][1]};
    move.direction[pair[k][0]] = move.direction[pair[k][1]] = 1;
    n = try_move(w, moves, n, move);
  }
  for (int k = 0; has_rotor && k < GEN_INERTIA; k++) {
    genMove move = {.link = i, .pivot = k, .to_rotor = 1};
    move.direction[k] = 1;
    n = try_move(w, moves, n, move);
  }
  return n;
}


int gen_find_moves(genBuild *b, genMove *moves)
{
  trial w[2] = {0};
  int n = 0;
  start_trial(&w[0], b, 1, &b->scratch);
  start_trial(&w[1], b, 0, &b->scratch);
  for (int i = w->t.n - 1; i > 0; i--) n = moves_of_link(w, moves, n, i, gen_has_rotor(b, i));
  arena_free(&b->scratch);
  return n;
}
