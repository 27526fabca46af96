// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Switching functions of a machine change their sign at the instant at which a piecewise law, a stop or a
// formula switches to another segment. Solvers that look for zero crossings find these instants by them.
#include "gen/build.h"
#include "gen/element/port_equations.h"


int gen_is_watching(const genBuild *b)
{
  return b->is_watching;
}


// its place among those that are noted; -1: it is not
static int watched_place_of(const genBuild *b, int node)
{
  for (int i = 0; i < b->nwatched; i++) {
    if (b->watched[i] == node) return i;
  }
  return -1;
}


// whether it is a number, or parameters alone decide it
static int is_settled_node(const genBuild *b, int node)
{
  const exprOp op = b->pool->nodes[node].op;
  const symTree *s = b->tree;
  int k = 0;
  if (op == EXPR_SYMBOL) {
    while (k < s->parameter_count && s->parameter[k] != node) k++;
    return k < s->parameter_count;
  }
  if (op == EXPR_CALL || op == EXPR_ELEMENT) return 0;
  const int n = expr_argument_count(b->pool, node);
  while (k < n && is_settled_node(b, expr_argument(b->pool, node, k))) k++;
  return k == n;
}


// each node once; a node that does not move never changes its sign
void gen_watch(genBuild *b, int node)
{
  if (!b->is_watching || is_settled_node(b, node) || watched_place_of(b, node) >= 0) return;
  baseArena *arena = &b->program->arena;
  int *room = b->watched_room;
  b->watched = arena_grow(arena, b->watched, b->nwatched, &room[0], sizeof *b->watched);
  b->watcher = arena_grow(arena, b->watcher, b->nwatched, &room[1], sizeof *b->watcher);
  b->watcher[b->nwatched] = b->owner;
  b->watched[b->nwatched++] = node;
}


// the borders of a hysteresis, whose side is a relay's
void gen_watch_loop(genBuild *b, int low, int high)
{
  const int before = b->nwatched;
  gen_watch(b, low);
  gen_watch(b, high);
  b->nloop += b->nwatched - before;
}

//---- sides that are let go between steps ---------------------------------------------------------

static const char SIDE[] = "side";


int gen_is_free(const genBuild *b)
{
  return expr_symbol(b->pool, SIDE, 0);
}


int gen_may_go(const genBuild *b, int side)
{
  return b->options->frees && side == gen_is_free(b);
}


// -1: no switching function tells of it, and it is not held
static int side_at(genBuild *b, int beyond)
{
  gen_watch(b, beyond);
  const int k = b->is_watching ? watched_place_of(b, beyond) : -1;
  return k < 0 ? -1 : expr_symbol(b->pool, SIDE, 1 + k);
}


// A corner that stands on its border, 0.5, is not held: the state chooses the branch that it leaves on.
static int held_or_own(const genBuild *b, int side, int own, int held)
{
  exprPool *p = b->pool;
  const int stands = expr_operate(p, EXPR_EQUAL, side, expr_constant(p, 0.5));
  return expr_select(p, gen_is_free(b), own, expr_select(p, stands, own, held));
}


int gen_turn_side(genBuild *b, int beyond, int own)
{
  const int side = side_at(b, beyond);
  return side < 0 ? own : held_or_own(b, side, own, side);
}


int gen_turn_truth(genBuild *b, int beyond, int own, int is_strict)
{
  const int side = side_at(b, beyond), between = expr_constant(b->pool, 0.5);
  if (side < 0) return own;
  const exprOp op = is_strict ? EXPR_LESS : EXPR_LESS_EQUAL;
  return held_or_own(b, side, own, expr_operate(b->pool, op, between, side));
}


int gen_turn_value(genBuild *b, int beyond, int own, int behind, int before)
{
  const int side = side_at(b, beyond);
  if (side < 0) return own;
  return held_or_own(b, side, own, expr_select(b->pool, side, behind, before));
}


eqnVector gen_sides(genBuild *b)
{
  const int n = 1 + b->program->nside;
  int *node = gen_alloc(b, (size_t) n, sizeof *node);
  for (int i = 0; i < n; i++) node[i] = expr_symbol(b->pool, SIDE, i);
  return gen_vector(b, SIDE, "whether corners are let go, sides on which they are held", n, node,
                    NULL);
}

//---- the function --------------------------------------------------------------------------------

void gen_watch_law(genBuild *b, const forceLaw *law, int held, int x)
{
  if ((!b->is_watching && held < 0) || law_is_smooth(law)) return;
  for (int i = 0; i + 1 < law->nsegment; i++) {
    const int beyond = expr_sub(b->pool, x, gen_number_at(b, &law->knot[i], "law"));
    gen_watch(b, beyond);
    gen_knot_margin(b, held, i, beyond);
  }
}


void gen_switches(genBuild *b)
{
  const int n = b->nwatched + b->nlatch;
  if (n == 0) return;
  eqnFunction *f = gen_like_accelerate(
      b, EQN_SWITCHES, "what changes its sign where a piecewise law switches to another segment",
      1);
  int *g = gen_alloc(b, (size_t) n, sizeof *g);
  const char **label = gen_alloc(b, (size_t) n, sizeof *label);
  for (int i = 0; i < n; i++) {
    const int latch = i - b->nwatched;
    g[i] = latch < 0 ? b->watched[i] : gen_latch_indicator(b, latch);
    label[i] = latch < 0 ? b->watcher[i] : b->m->latch[latch].name;
  }
  f->output[f->noutput++] =
      gen_vector(b, "g", "switching functions, by the names of their owners", n, g, label);
}
