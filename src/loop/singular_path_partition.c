// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bridges that remain valid after a change of the partition.
#include "loop/singular_path.h"

#include <math.h>
#include <string.h>

#include "base/max_nan.h"

// Along the new input the polynomial must agree with the old one to MAX_MISMATCH (rad or m), and
// the new input must move at least MIN_INPUT_SPEED times as fast as the old one.
#define MAX_MISMATCH    1e-12
#define MIN_INPUT_SPEED 0.02

// the earlier partition and its bridges
typedef struct source {
  const singularPath *hold;
  const loopBlocks *blocks;
  int k;
} source;


static int has_column(const source *s, int column)
{
  return column >= 0 && (column == s->hold->input[s->k] ||
                         singular_path_find_column(s->blocks, s->k, column) >= 0);
}


// does block k have the same coordinates, including its input?
static int is_block_unchanged(const singularPath *hold, const loopBlocks *blocks, int k,
                              const source *s)
{
  const loopBlock *block = &blocks->block[k];
  int same = block->size == s->blocks->block[s->k].size && has_column(s, hold->input[k]);
  for (int i = 0; same && i < block->size; i++) {
    same = has_column(s, blocks->column[block->first + i]);
  }
  return same;
}


// the block with the same coordinates; -1: none
static int find_same(const singularPath *hold, const loopBlocks *blocks, const source *s)
{
  const loopBlock *old = &s->blocks->block[s->k];
  for (int i = -1; i < old->size; i++) {
    const int column = i < 0 ? s->hold->input[s->k] : s->blocks->column[old->first + i];
    const int p = blocks->position[column];
    if (p >= 0 && is_block_unchanged(hold, blocks, blocks->block_of[p], s))
      return blocks->block_of[p];
  }
  return -1;
}


// coordinates from which bridges are built
static double read_from(const source *s, int column)
{
  const int is_input = column == s->hold->input[s->k];
  return is_input ? s->hold->from_u[s->k] : s->hold->from_q[s->hold->places->place[column]];
}


static singularTaylor along_old_bridge(const source *s, int column, double w)
{
  return singular_path_along(s->hold, s->blocks, s->k, column, w);
}


// convert a node of the old bridge to the new one; 0 when the new input reverses or hardly moves
// there
static int add_turned_node(singularPath *hold, const loopBlocks *blocks, int k, const source *s,
                           double w)
{
  const loopBlock *block = &blocks->block[k];
  const int input = hold->input[k];
  const singularBridge *b = &hold->bridge[k], *from = &s->hold->bridge[s->k];
  const singularTaylor u = along_old_bridge(s, input, w);
  if (!(u.df * along_old_bridge(s, input, 0).df > 0 && fabs(u.df) > MIN_INPUT_SPEED * from->unit))
    return 0;
  for (int i = 0; i < block->size; i++) {
    const singularTaylor x = along_old_bridge(s, blocks->column[block->first + i], w);
    block->given[i] = x.f;
    block->slope[i] = x.df / u.df;
  }
  singular_path_add(hold, blocks, k, (u.f - b->middle) / b->unit);
  return 1;
}


// difference between the new bridge and the old one at w
static double bridge_miss(const singularPath *hold, const loopBlocks *blocks, int k,
                          const source *s, double w)
{
  const loopBlock *block = &blocks->block[k];
  const singularBridge *b = &hold->bridge[k];
  const double to = (along_old_bridge(s, hold->input[k], w).f - b->middle) / b->unit;
  double most = 0;
  for (int i = 0; i < block->size; i++) {
    const int column = blocks->column[block->first + i];
    const double now = singular_path_along(hold, blocks, k, column, to).f;
    most = max_nan(most, fabs(now - along_old_bridge(s, column, w).f));
  }
  return most;
}


// Convert the bridge that the machine is on to the new input; 0 when impossible. Drop all other
// bridges: the new input may pass there again with different values of the other coordinates.
static int turn_bridge(singularPath *hold, const loopBlocks *blocks, int k, const source *s)
{
  const singularBridge *from = &s->hold->bridge[s->k];
  singularBridge *b = &hold->bridge[k];
  const singularTaylor u = along_old_bridge(s, hold->input[k], 0);
  *b = *from;
  b->middle = u.f, b->unit = fabs(u.df), b->count = 0;
  for (int i = 0; i < SINGULAR_NODES; i++) {
    if (!add_turned_node(hold, blocks, k, s, from->node[i])) return 0;
  }
  const double one = along_old_bridge(s, hold->input[k], from->window).f - u.f;
  const double other = along_old_bridge(s, hold->input[k], -from->window).f - u.f;
  b->window = fmax(fabs(one), fabs(other)) / b->unit;
  const double off =
      max_nan(bridge_miss(hold, blocks, k, s, 0.5),
              max_nan(bridge_miss(hold, blocks, k, s, 0), bridge_miss(hold, blocks, k, s, -0.5)));
  return off < MAX_MISMATCH;
}


static void carry_bridge(singularPath *hold, const loopBlocks *blocks, int k, const source *s)
{
  const singularBridge *from = &s->hold->bridge[s->k];
  const double last = s->hold->last_u[s->k];
  if (hold->input[k] == s->hold->input[s->k]) {
    // same input: copy the bridge
    const loopBlock *block = &blocks->block[k];
    hold->bridge[k] = s->hold->bridge[s->k];
    for (int to = block->first; to < block->first + block->size; to++) {
      const int p = singular_path_find_column(s->blocks, s->k, blocks->column[to]);
      memcpy(hold->line + 2 * to, s->hold->line + 2 * p, 2 * sizeof *hold->line);
      for (int i = 0; i < SINGULAR_TERMS; i++) {
        hold->term[(long) i * blocks->nd + to] = s->hold->term[(long) i * s->blocks->nd + p];
      }
    }
    hold->last_u[k] = last;
    hold->sound[k] = max_nan(hold->sound[k], s->hold->sound[s->k]);
  } else if (s->blocks->block[s->k].is_held && turn_bridge(hold, blocks, k, s)) {
    hold->last_u[k] = along_old_bridge(s, hold->input[k], (last - from->middle) / from->unit).f;
  } else {
    hold->bridge[k] = (singularBridge){.count = 0};
  }
}


static void carry_block(singularPath *hold, const loopBlocks *blocks, int k, const source *s)
{
  const loopPlaces *places = hold->places;
  const loopBlock *block = &blocks->block[k];
  for (int t = 0; t < places->turn_count; t++) {
    const int at = places->turn[t].q;
    if (hold->turn_block[t] != k) continue;
    memcpy(hold->base + at, s->hold->base + at, 4 * sizeof *hold->base);
    memcpy(hold->from_q + at, s->hold->from_q + at, 4 * sizeof *hold->from_q);
  }
  carry_bridge(hold, blocks, k, s);
  hold->from_u[k] = read_from(s, hold->input[k]);
  for (int p = block->first; p < block->first + block->size; p++) {
    const int place = places->place[blocks->column[p]];
    if (place >= 0) hold->from_q[place] = read_from(s, blocks->column[p]);
  }
}


void carry_over(singularPath *hold, const loopBlocks *blocks, const singularPath *old,
                const loopBlocks *old_blocks)
{
  for (int k = 0; k < old_blocks->block_count; k++) {
    const source s = {old, old_blocks, k};
    if (old->input[k] < 0) continue;
    const int same = find_same(hold, blocks, &s);
    if (same >= 0) carry_block(hold, blocks, same, &s);
  }
}
