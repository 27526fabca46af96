// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names of nodes for readers of generated source.
#include "gen/vectors.h"

#include <string.h>

#include "base/ascii.h"
#include "base/table.h"

enum { LONGEST_WORD = 24, LONGEST_NAME = 80 };

static const char *const axis[3] = {"x", "y", "z"};

//---- words ---------------------------------------------------------------------------------------

// letters, digits and single underscores, a letter first; functions of the user's begin with user_
static const char *name_word_of(genBuild *b, const char *text)
{
  char word[LONGEST_WORD + 1];
  int n = 0;
  for (const char *c = text ? text : ""; *c && n < LONGEST_WORD; c++) {
    const int is_kept = (unsigned char) *c < 128 && ascii_is_word((unsigned char) *c);
    if (is_kept || (n > 0 && word[n - 1] != '_')) word[n++] = (char) (is_kept ? *c : '_');
  }
  while (n > 0 && word[n - 1] == '_') n--;
  word[n] = 0;
  const int is_word = ascii_is_letter((unsigned char) word[0]) && strncmp(word, "user", 4) != 0;
  return arena_format(&b->program->arena, is_word ? "%s" : n > 0 ? "n_%s" : "part%s", word);
}


// the same, of which there is none yet in any case: 'a-b' and 'A_b' are told apart
static const char *new_word(genBuild *b, baseTable *taken, const char *text)
{
  baseArena *arena = &b->program->arena;
  const char *word = name_word_of(b, text), *own = word;
  for (int k = 2;; k++) {
    char *lower = arena_text(arena, own);
    for (char *c = lower; *c; c++) *c = (char) ascii_lower((unsigned char) *c);
    if (table_find(taken, lower) < 0) return table_add(taken, arena, lower, 0), own;
    own = arena_format(arena, "%s_%d", word, k);
  }
}


static const char **new_words(genBuild *b, int n)
{
  return gen_alloc(b, (size_t) n + 1, sizeof(const char *));
}


// of joints, and of coordinates: a joint with one lends it its word
static void find_joint_words(genBuild *b, genWords *w)
{
  const artModel *m = b->m;
  baseTable taken = {0};
  w->joint = new_words(b, m->njoint);
  w->velocity = new_words(b, m->tree.nv);
  for (int j = 0; j < m->njoint; j++) w->joint[j] = new_word(b, &taken, m->joint[j].name);
  for (int k = 0; k < m->tree.nv; k++) {
    const modelCoordinate *x = &m->velocity[k];
    const int is_only = x->joint >= 0 && m->joint[x->joint].nv == 1;
    const char *name = x->partner >= 0 ? m->position[x->partner].name : x->name;
    w->velocity[k] = is_only ? w->joint[x->joint] : new_word(b, &taken, name);
  }
}


// links of a joint ahead of its body are called after the joint
static void find_link_words(genBuild *b, genWords *w)
{
  const int n = b->m->tree.n;
  baseTable taken = {0};
  w->link = new_words(b, n);
  for (int i = 1; i < n; i++) {
    if (b->body_of[i]) w->link[i] = new_word(b, &taken, b->body_of[i]);
  }
  for (int i = 1; i < n; i++) {
    if (!w->link[i]) w->link[i] = new_word(b, &taken, b->joint_of[i]);
  }
}


void gen_find_words(genBuild *b)
{
  genWords *w = b->words = gen_alloc(b, 1, sizeof *w);
  find_joint_words(b, w);
  find_link_words(b, w);
  baseTable taken = {0};
  w->element = new_words(b, b->m->nelement);
  for (int i = 0; i < b->m->nelement; i++) {
    w->element[i] = new_word(b, &taken, b->m->element[i].name);
  }
  const artModel *m = b->m;
  w->row = new_words(b, m->nrow);
  for (int i = 0; i < m->nrow; i++) {
    const int c = model_row_cut(m, i);
    if (c < 0) continue;
    const modelCut *cut = &m->cut[c];
    const char *joint = cut->joint >= 0 ? w->joint[cut->joint] : "cut";
    w->row[i] = arena_format(&b->program->arena, "%s_row_%d", joint, i - cut->row0 + 1);
  }
  for (int i = 0; i < m->nrelation; i++) {
    w->row[m->relation[i].row] = name_word_of(b, m->relation[i].name);
  }
}

//---- names ---------------------------------------------------------------------------------------

void gen_name(genBuild *b, int node, const char *owner, const char *quantity)
{
  char name[LONGEST_NAME];
  if (node <= 0 || expr_arity(b->pool->nodes[node].op) == 0) return;
  const char *who = owner ? owner : "part";

  // a long one is cut
  if (snprintf(name, sizeof name, "%.*s_%s", LONGEST_NAME / 2, who, quantity) < 0) return;
  expr_name(b->pool, node, name, -1);
}


void gen_name_of(genBuild *b, int node, const char *owner, const char *quantity)
{
  gen_name(b, node, name_word_of(b, owner), quantity);
}


// a number or another word after it
static void name_with(genBuild *b, int node, const char *owner, const char *quantity,
                      const char *end)
{
  char both[LONGEST_NAME];
  snprintf(both, sizeof both, "%s_%s", quantity, end ? end : "part");
  gen_name(b, node, owner, both);
}


void gen_name_vector(genBuild *b, v3 node, const char *owner, const char *quantity)
{
  int nodes[3];
  v3_put(nodes, node);
  for (int k = 0; k < 3; k++) name_with(b, nodes[k], owner, quantity, axis[k]);
}

void gen_name_value(genBuild *b, int element, int node, const char *quantity)
{
  ART_ASSERT(element >= 0 && element < b->m->nelement);
  gen_name(b, node, b->words->element[element], quantity);
}


void gen_name_values(genBuild *b, int element, int n, const int *node, const char *quantity)
{
  for (int k = 0; k < n; k++) {
    char number[12];
    snprintf(number, sizeof number, "%d", k + 1);
    name_with(b, node[k], b->words->element[element], quantity, number);
  }
}


void gen_name_frame(genBuild *b, int frame, v3 node, const char *quantity)
{
  gen_name_vector(b, node, name_word_of(b, b->m->frame[frame].name), quantity);
}

//---- what a machine has --------------------------------------------------------------------------

static void name_forces(genBuild *b)
{
  const genWords *w = b->words;
  for (int k = 0; k < b->tree->nv; k++) gen_name(b, b->tau[k], w->velocity[k], "given_force");
  for (int i = 1; i < b->tree->n; i++) {
    gen_name_vector(b, b->applied[i].ang, w->link[i], "given_moment");
    gen_name_vector(b, b->applied[i].lin, w->link[i], "given_force");
  }
  for (int i = 0; i < b->m->ndrive; i++) {
    const char *word = w->velocity[b->m->drive[i].velocity];
    static const char *const order[3] = {"drive", "drive_rate", "drive_acc"};
    for (int k = 0; k < 3; k++) gen_name(b, b->drive[k][i], word, order[k]);
  }
  for (int i = 0; i < b->m->nstate; i++) {
    if (b->state_rate[i] > 0) gen_name_of(b, b->state_rate[i], b->m->state[i].name, "rate");
  }
}


static void name_rows(genBuild *b, const genRows *rows)
{
  const genWords *w = b->words;
  for (int i = 0; rows->phi && i < rows->n; i++) {
    gen_name(b, rows->phi[i], w->row[i], "opening");
    gen_name(b, rows->gamma[i], w->row[i], "gamma");
    for (int k = 0; k < rows->J.count[i]; k++) {
      const genEntry *e = &rows->J.row[i][k];
      name_with(b, e->node, w->row[i], "by", w->velocity[e->column]);
    }
  }
}


// corrections of Newton's method, and new values
static void name_stages(genBuild *b, const eqnFunction *f)
{
  for (int s = 0; s < f->nstage; s++) {
    const eqnStage *stage = &f->stage[s];
    for (int i = 0; i < stage->nunknown; i++) {
      const exprNode *unknown = &b->pool->nodes[stage->unknown[i]];
      const int k = unknown->index, is_position = strcmp(unknown->name, "q") == 0;
      const int v = is_position ? b->m->position[k].partner : k;
      if (!is_position && strcmp(unknown->name, "v") != 0) continue;
      const char *word = v >= 0 ? b->words->velocity[v] : name_word_of(b, b->m->position[k].name);
      gen_name(b, stage->correction[i], word,
               is_position || stage->kind == STAGE_NEWTON ? "correction" : "velocity");
    }
    for (int k = 0; stage->coordinate && k < b->tree->nv; k++) {
      if (stage->coordinate != b->m->velocity[k].name) continue;
      gen_name(b, stage->residual, b->words->velocity[k], "opening_squared");
    }
  }
}


void gen_name_reduced(genBuild *b, const genReduced *reduced)
{
  const genLoops *l = &b->loops;
  for (int i = 0; i < reduced->n; i++) {
    const char *word = b->words->velocity[l->free[i]];
    gen_name(b, reduced->r[i], word, "reduced_force");
    for (int j = 0; j <= i; j++) {
      name_with(b, reduced->A[i * reduced->n + j], word, "reduced_mass",
                b->words->velocity[l->free[j]]);
    }
    for (int k = 0; k < l->nd; k++) {
      const char *other = b->words->velocity[l->dependent[k]];
      name_with(b, reduced->P[k * reduced->n + i], other, "mass_per", word);
    }
  }
}


void gen_name_loops(genBuild *b)
{
  name_rows(b, &b->rows);
  name_rows(b, &b->closing);
  const genBlocks *blocks = &b->blocks;
  for (int k = 0; b->loops.LU && k < blocks->count; k++) {
    const int first = blocks->start[k], n = blocks->start[k + 1] - first;
    for (int i = 0; i < n * n; i++) {
      const char *word = b->words->velocity[blocks->column[first + i / n]];
      const char *other = b->words->row[blocks->row[first + i % n]];
      name_with(b, b->loops.LU[k][i], word, "solves", other);
      if (b->loops.T && b->loops.T[k]) name_with(b, b->loops.T[k][i], word, "solves", other);
    }
  }
  const genLoops *l = &b->loops;
  const int nu = l->nf + l->nc;
  for (int i = 0; l->B && i < l->nd; i++) {
    const char *word = b->words->velocity[l->dependent[i]];
    for (int j = 0; j < nu; j++) {
      const int lead = j < l->nf ? l->free[j] : l->driven[j - l->nf];
      name_with(b, l->B[i * nu + j], word, "per", b->words->velocity[lead]);
    }
    gen_name(b, l->b[i], word, "acc_0");
  }
}


void gen_name_machine(genBuild *b)
{
  const int nv = b->tree->nv;
  const artModel *m = b->m;
  for (int k = 0; k < m->tree.nq; k++) {
    const int v = m->position[k].partner;
    const char *word = v >= 0 ? b->words->velocity[v] : name_word_of(b, m->position[k].name);
    const int s = expr_find(b->pool, EXPR_SIN, b->tree->q[k], 0);
    const int c = expr_find(b->pool, EXPR_COS, b->tree->q[k], 0);
    if (s > 0) gen_name(b, s, word, "sin");
    if (c > 0) gen_name(b, c, word, "cos");
  }
  name_forces(b);
  gen_name_loops(b);
  const genWords *w = b->words;
  for (int i = 0; b->dynamics.h && i < b->dynamics.M.n; i++) {
    gen_name(b, b->dynamics.h[i], w->velocity[i], "bias");
    if (b->dynamics.recursion) gen_name(b, b->dynamics.recursion[i], w->velocity[i], "tree_bias");
    for (int k = 0; k < b->dynamics.M.count[i]; k++) {
      const genEntry *e = &b->dynamics.M.row[i][k];
      name_with(b, e->node, w->velocity[i], "mass", w->velocity[e->column]);
    }
  }
  for (int k = 0; b->acceleration && k < nv; k++) {
    gen_name(b, b->acceleration[k], b->words->velocity[k], "acceleration");
  }
  for (int i = 0; b->multiplier && i < b->m->nrow; i++) {
    gen_name(b, b->multiplier[i], b->words->row[i], "multiplier");
  }
  for (int i = 0; i < b->program->nfunction; i++) name_stages(b, &b->program->function[i]);
}
