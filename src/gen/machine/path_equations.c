// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas of the motion for looks into steps: their values and the borders at which they switch, over what they read. A program
// that integrates follows what they read, the paths, through each step, and encloses the formulas along these.
#include "gen/build.h"
#include "model/formula/formula.h"

static int has_node(int n, const int *node, int x)
{
  int i = 0;
  while (i < n && node[i] != x) i++;
  return i < n;
}


static void add_to_list(genBuild *b, genNodes *list, int node)
{
  if (b->pool->nodes[node].op == EXPR_CONSTANT || has_node(list->n, list->node, node)) return;
  list->node = arena_grow(&b->program->arena, list->node, list->n, &list->room, sizeof *list->node);
  list->node[list->n++] = node;
}


// what moves, and is known ahead of accelerations and forces
static int is_on_path(const modelQuantity *quantity)
{
  switch (quantity->kind) {
  case QUANTITY_TIME:
  case QUANTITY_SIGNAL:
  case QUANTITY_ENERGY:
  case QUANTITY_MOMENTUM:
  case QUANTITY_LATCH: return 0;
  default: return quantity->level <= LEVEL_VELOCITY;
  }
}


void gen_note_path(genBuild *b, const modelQuantity *quantity, int node)
{
  if (b->is_noting_laws && is_on_path(quantity)) add_to_list(b, &b->path, node);
}


// A polynomial of smooth quantities is as smooth as they are.
void gen_note_law(genBuild *b, const formula *f, int node)
{
  if (b->is_noting_laws && !formula_is_polynomial(f)) add_to_list(b, &b->law, node);
}


// Borders of formulas are among those at which sides of the machine turn.
static genNodes borders_of(genBuild *b)
{
  genNodes border = {0};
  for (int i = 0; i < b->nwatched; i++) add_to_list(b, &border, b->watched[i]);
  for (int i = 0; i < b->nrelay && b->nwatched == 0; i++) {
    const int margin = gen_border_of_relay(b, i);
    if (margin >= 0) add_to_list(b, &border, margin);
  }
  return border;
}


static eqnFunction *add_path_function(genBuild *b, eqnFunctionKind kind, const char *what)
{
  eqnFunction *f = gen_add_function(b, kind, what, GEN_STATE_INPUTS + 1, 3, 1);
  f->stage[0] = (eqnStage){.title = "paths"};
  f->given = 0; // corners are held on their sides
  f->ninput = gen_state_inputs(b, f->input);
  f->noutput = 0;
  f->output[f->noutput++] =
      gen_vector(b, "path", "what formulas of the motion read", b->path.n, b->path.node, NULL);
  return f;
}


void gen_paths(genBuild *b)
{
  if (b->law.n == 0 || b->path.n == 0) return;
  const genNodes border = borders_of(b);
  add_path_function(b, EQN_PATHS,
                    "what formulas of the motion read, where loops are closed and drives are "
                    "followed");
  eqnFunction *f = add_path_function(b, EQN_LAWS, "formulas of the motion, and their borders");
  f->output[f->noutput++] =
      gen_vector(b, "law", "formulas of the motion", b->law.n, b->law.node, NULL);
  f->output[f->noutput++] = gen_vector(b, "border", "what changes its sign where they switch",
                                       border.n, border.node, NULL);
}
