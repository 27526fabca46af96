// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Definitions of constants by parameters of the user.
#include "gen/parameter/definition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/plain.h"
#include "eqn/list.h"
#include "gen/element/port_equations.h"
#include "gen/parameter/lay_symbolic.h"
#include "model/compile/lay.h"
#include "model/parameter/live.h"
#include "sym/loop_symbolic.h"

_Static_assert((int) LAID_CUT == (int) CUT_NAMES, "each number of a cut has a name");

//---- live numbers --------------------------------------------------------------------------------

static int compare_addresses(const double *a, const double *b)
{
  return a < b ? -1 : a > b;
}


static int compare_live(const void *a, const void *b)
{
  return compare_addresses(((const liveEntry *) a)->number, ((const liveEntry *) b)->number);
}


static int compare_terms(const void *a, const void *b)
{
  return compare_addresses(((const parameterTerm *) a)->compiled,
                           ((const parameterTerm *) b)->compiled);
}


static liveEntry *find_live_definition(const genDefinitions *d, const double *number)
{
  const liveEntry wanted = {.number = number};
  if (!number || d->nlive == 0) return NULL;
  return bsearch(&wanted, d->live, (size_t) d->nlive, sizeof wanted, compare_live);
}


static void list_live(genBuild *b)
{
  genDefinitions *d = b->definitions;
  const recordList *list = &b->m->records->live;
  d->live = gen_alloc(b, (size_t) list->count, sizeof *d->live);
  for (int i = 0; i < list->count; i++) {
    const liveNumber *own = RECORD(*list, liveNumber, i);
    d->live[d->nlive++] = (liveEntry){.number = own->number, .own = own, .node = -1};
  }
  if (d->nlive > 0) qsort(d->live, (size_t) d->nlive, sizeof *d->live, compare_live);
}


void gen_parameter_map(genBuild *b, const double *compiled, double factor, const double *x,
                       const double *y)
{
  gen_follow_number(b, x);
  gen_follow_number(b, y);
  gen_add_term(b, &(parameterTerm){.compiled = compiled, .factor = factor, .a = x, .b = y});
}


void gen_add_term(genBuild *b, const parameterTerm *term)
{
  genDefinitions *d = b->definitions;
  d->term = arena_grow(&b->work, d->term, d->nterm, &d->term_capacity, sizeof *term);
  d->term[d->nterm++] = *term;
}


int gen_is_live(const genBuild *b, const double *number)
{
  return find_live_definition(b->definitions, number) != NULL;
}


void gen_follow_number(genBuild *b, const double *number)
{
  liveEntry *live = find_live_definition(b->definitions, number);
  if (live) live->is_followed = 1;
}

//---- frozen parameters ---------------------------------------------------------------------------

void gen_freeze(genBuild *b, int p, const char *what)
{
  ART_ASSERT(p >= 0 && p < b->m->nparameter);
  genDefinitions *d = b->definitions;
  if (d->frozen[p]) return;
  d->frozen[p] = 1;
  const parameterRecord *own = &b->m->parameter[p];
  if (own->formula) {
    for (int k = 0; k < own->formula->nstep; k++) {
      const int slot = formula_read(own->formula, k);
      if (slot >= 0) gen_freeze(b, slot, what);
    }
    return;
  }
  eqnProgram *program = b->program;
  program->frozen = arena_grow(&program->arena, program->frozen, program->nfrozen,
                               &d->frozen_capacity, sizeof *program->frozen);
  program->frozen[program->nfrozen++] = (eqnFrozen){own->name, what};
}


void gen_freeze_formula(genBuild *b, const formula *f, int first, const char *what)
{
  for (int k = 0; k < f->nstep; k++) {
    const int p = formula_read(f, k) - first;
    if (p >= b->m->nparameter) {
      const int i = p - b->m->nparameter;
      gen_freeze_formula(b, RECORD(b->m->records->live, liveNumber, i)->formula, 0, what);
    } else if (p >= 0) {
      gen_freeze(b, p, what);
    }
  }
}


// Numbers that the tree is laid from are followed; others are no part of equations. Of initial values, those that locks
// hold from the start on are followed.
static int is_harmless(const genBuild *b, const liveEntry *live)
{
  static const char *const sections[] = {"bodies",  "joints",   "ground",  "initial",
                                         "guess",   "assembly", "gravity", "study",
                                         "studies", "outputs",  "inputs",
                                         "states", // initial values
                                         NULL};
  const char *section = live->own->section;
  // numbers of blocks are in texts and clocks, or give initial values: a trial tells
  if (b->m->source && live->number &&
      plain_is_one_of(section, (const char *const[]){"blocks", "sensors", NULL})) {
    return 1;
  }
  return plain_is_one_of(section, sections);
}


static void freeze_unfollowed(genBuild *b)
{
  genDefinitions *d = b->definitions;
  for (int i = 0; i < d->nlive; i++) {
    const liveEntry *live = &d->live[i];
    if (live->is_followed || is_harmless(b, live) || !live->own->formula) continue;
    const char *what =
        arena_format(&b->program->arena, "%s, line %d", live->own->section, live->own->place.line);
    gen_freeze_formula(b, live->own->formula, 0, what);
  }
}

//---- parameters of the user ----------------------------------------------------------------------

// some languages do not tell cases apart
static const char *small_letters(genBuild *b, const char *word)
{
  char *small = arena_text(&b->program->arena, word);
  for (char *c = small; *c; c++) *c = (char) ascii_lower((unsigned char) *c);
  return small;
}


// "front/k" is front_k. Long names lose their middle: Fortran and MATLAB read 63 characters, of which prefix and number
// take up to ten.
const char *gen_label(genBuild *b, const char *name)
{
  enum { MAX_LABEL = 52, KEPT_END = 16, KEPT_HEAD = MAX_LABEL - KEPT_END };
  baseArena *arena = &b->program->arena;
  char *word = arena_text(arena, name);
  const size_t length = strlen(word);
  if (length > MAX_LABEL) {
    memmove(word + KEPT_HEAD, word + length - KEPT_END, KEPT_END + 1);
    word[KEPT_HEAD - 1] = '_';
  }
  for (char *c = word; *c; c++) {
    if (!ascii_is_word((unsigned char) *c) || (unsigned char) *c >= 128) *c = '_';
  }
  if (ascii_is_digit((unsigned char) *word) || *word == '_' || gen_is_reserved(word)) {
    word = arena_format(arena, "p_%s", word);
  }
  const char *own = word;
  for (int k = 2; table_find(&b->labels, small_letters(b, own)) >= 0; k++) {
    own = arena_format(arena, "%s_%d", word, k);
  }
  return own;
}


void gen_take_label(genBuild *b, const char *label)
{
  table_add(&b->labels, &b->program->arena, small_letters(b, label), 0);
}


void gen_share_body(genBuild *b, const bodyNumber *own, int k)
{
  genDefinitions *d = b->definitions;
  d->shared = arena_grow(&b->work, d->shared, d->nshared, &d->shared_capacity, sizeof *d->shared);
  d->shared[d->nshared++] = (eqnShared){own->label, k};
  gen_add_also(b, k, own->name);
}


static int make_parameter(genBuild *b, int p)
{
  ART_ASSERT(p >= 0 && p < b->m->nparameter);
  genDefinitions *d = b->definitions;
  const parameterRecord *own = &b->m->parameter[p];
  if (d->parameter[p] >= 0) return d->parameter[p];
  if (d->frozen[p]) return d->parameter[p] = expr_constant(d->pool, own->value);
  if (!own->formula) return d->parameter[p] = expr_symbol(d->pool, d->label[p], -1);
  for (int k = 0; k < own->formula->nstep; k++) {
    const int slot = formula_read(own->formula, k);
    if (slot >= 0) make_parameter(b, slot);
  }
  return d->parameter[p] = gen_formula_in(b, d->pool, own->formula, d->parameter);
}


int gen_find_user(const genBuild *b, const char *word)
{
  const genDefinitions *d = b->definitions;
  for (int p = 0; d && p < d->nparameter; p++) {
    if (strcmp(word, b->m->parameter[p].name) == 0 || strcmp(word, d->label[p]) == 0) return p;
  }
  return -1;
}

//---- definitions by address ----------------------------------------------------------------------

int gen_laid_number(genBuild *b, const double *x)
{
  const liveEntry *live = find_live_definition(b->definitions, x);
  const int own = live ? live->node : gen_body_node(b->definitions, x);
  return own >= 0 ? own : expr_constant(b->definitions->pool, *x);
}


// the sum of its terms, -1: it has none
static int compiled_node(genBuild *b, const double *compiled)
{
  const genDefinitions *d = b->definitions;
  const parameterTerm wanted = {.compiled = compiled};
  if (d->nterm == 0) return -1;
  const parameterTerm *term =
      bsearch(&wanted, d->term, (size_t) d->nterm, sizeof wanted, compare_terms);
  if (!term) return -1;
  if (term->law) return gen_law_node(b, term->law, term->k);
  if (term->make) return term->make(b, term->def);
  while (term > d->term && term[-1].compiled == compiled) term--;
  int sum = 0;
  for (; term < d->term + d->nterm && term->compiled == compiled; term++) {
    int own = expr_mul(d->pool, expr_constant(d->pool, term->factor), gen_laid_number(b, term->a));
    if (term->b) own = expr_mul(d->pool, own, gen_laid_number(b, term->b));
    sum = expr_add(d->pool, sum, own);
  }
  return sum;
}

int gen_is_defined(genBuild *b, const double *compiled)
{
  const genDefinitions *d = b->definitions;
  const int node = d ? compiled_node(b, compiled) : -1;
  return node >= 0 && !expr_is_constant(d->pool, node);
}

//---- definitions by name -------------------------------------------------------------------------

void gen_name_node(genBuild *b, int node, const char *name, int index)
{
  genDefinitions *d = b->definitions;
  if (node < 0 || expr_is_constant(d->pool, node)) return;
  const char *word = arena_format(&b->program->arena, "%s_%d", name, index);
  if (table_find(&d->names, word) < 0) table_add(&d->names, &b->program->arena, word, node);
  expr_name(d->pool, node, name, index);
}


// numbers of one kind
static void name_kind(genBuild *b, int n, int *node, const char *const *name, int index)
{
  gen_fold_constants(b, n, node);
  for (int k = 0; k < n; k++) gen_name_node(b, node[k], name[k], index);
}


// Name the numbers of `kind`, a list of counts that ends with 0.
static void name_kinds(genBuild *b, int *node, const char *const *name, const int *kind, int index)
{
  for (; *kind; node += *kind, name += *kind, kind++) name_kind(b, *kind, node, name, index);
}


// Sides of latches and ropes are frames of bodies, their axes turned; a rope has its length.
static void name_latches(genBuild *b, const laidTree *laid)
{
  const artModel *m = b->m;
  exprPool *p = b->definitions->pool;
  for (int i = 0; i < m->nlatch; i++) {
    const artLatchDef *def = &RECORD(m->records->latches, latchRecord, i)->def;
    if (def->type == ART_LOCK) continue;
    const m3 axes = model_latch_axes(def);
    const double turn[9] = {axes.x.x, axes.x.y, axes.x.z, axes.y.x, axes.y.y,
                            axes.y.z, axes.z.x, axes.z.y, axes.z.z};
    int node[LAID_CUT] = {0};
    for (int side = 0; side < 2; side++) {
      // whether an end of it stands where it does before it has engaged on the way
      ART_ASSERT(i >= 0 && i < m->nlatch && (side == 0 || side == 1));
      const int row = m->latch_row[i];
      const cutSide *own = &m->latch[i].cut.side[side];
      const cutSide *now = row < 0 ? own : &m->cut[row].side[side];
      if (!(memcmp(&now->R, &own->R, sizeof own->R) == 0 &&
            memcmp(&now->r, &own->r, sizeof own->r) == 0))
        continue;
      const int *from = laid->frame + LAID_FRAME * m->latch[i].frame[side];
      int *to = node + LAID_FRAME * side;
      for (int k = 0; k < 9; k++) {
        for (int j = 0; j < 3; j++) {
          const int factor = expr_constant(p, turn[3 * (k / 3) + j]);
          to[k] = expr_add(p, to[k], expr_mul(p, factor, from[3 * j + k % 3]));
        }
      }
      memcpy(to + 9, from + 9, 3 * sizeof *to);
    }
    node[LAID_LENGTH] = def->type == ART_ROPE ? gen_laid_number(b, &def->length) : 0;
    name_kinds(b, node, sym_cut_name, (const int[]){9, 3, 9, 3, 3, 1, 1, 1, 1, 2, 0},
               m->own_cuts + i);
  }
}


static void name_tree(genBuild *b)
{
  static const char *const link[LAID_LINK] = {
      "Rxx",   "Rxy",   "Rxz",  "Ryx", "Ryy", "Ryz", "Rzx", "Rzy", "Rzz", "px",  "py",  "pz",
      "pitch", "rotor", "mass", "hx",  "hy",  "hz",  "Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz"};
  static const char *const frame[LAID_FRAME] = {"frame_Rxx", "frame_Rxy", "frame_Rxz", "frame_Ryx",
                                                "frame_Ryy", "frame_Ryz", "frame_Rzx", "frame_Rzy",
                                                "frame_Rzz", "point_x",   "point_y",   "point_z"};
  laidTree laid;
  gen_lay_bodies(b, &laid);
  for (int i = 1; i < laid.nlink; i++) {
    gen_join_nodes(b, 3, laid.link + LAID_LINK * i + LAID_MOMENTS);
    name_kinds(b, laid.link + LAID_LINK * i, link, (const int[]){9, 3, 1, 1, 1, 3, 6, 0}, i);
    // moments of a link that are 0 for any mass and inertia are so in spite of rounding
    const int *node = laid.link + LAID_LINK * i;
    genDefinitions *d = b->definitions;
    for (int k = LAID_FIRST; k < LAID_LINK && !b->options->fixed_bodies; k++) {
      if (!expr_is_constant(d->pool, node[k]) || d->pool->nodes[node[k]].value != 0) continue;
      const char *word = arena_format(&b->program->arena, "%s_%d", link[k], i);
      if (table_find(&d->names, word) < 0) table_add(&d->names, &b->program->arena, word, node[k]);
    }
  }
  for (int i = 0; i < laid.nframe; i++) {
    name_kinds(b, laid.frame + LAID_FRAME * i, frame, (const int[]){9, 3, 0}, i);
  }
  for (int i = 0; i < laid.ncut; i++) {
    name_kinds(b, laid.cut + LAID_CUT * i, sym_cut_name,
               (const int[]){9, 3, 9, 3, 3, 1, 1, 1, 1, 2, 0}, i);
  }
  if (!b->m->records) return;
  name_latches(b, &laid);
  gen_name_geometry(b, &laid);
  static const char *const gravity[] = {"gx", "gy", "gz"};
  int node[3];
  for (int k = 0; k < 3; k++) node[k] = gen_laid_number(b, &b->m->records->gravity[k]);
  name_kind(b, 3, node, gravity, 0);
}


int gen_definition(void *context, const char *name, int index)
{
  const genBuild *b = context;
  char word[100];
  if (!b->definitions) return -1;
  snprintf(word, sizeof word, "%s_%d", name, index);
  const int node = table_find(&b->definitions->names, word);
  return node >= 0 && expr_is_constant(b->definitions->pool, node) ? SYM_NOTHING : node;
}


void gen_name_definition(genBuild *b, const double *compiled, const char *name, int index)
{
  int node = b->definitions ? compiled_node(b, compiled) : -1;
  if (node >= 0) name_kind(b, 1, &node, &name, index);
}


int gen_is_followed(const genBuild *b, const double *compiled)
{
  const genDefinitions *d = b->definitions;
  const parameterTerm wanted = {.compiled = compiled};
  return d && d->nterm > 0 &&
         bsearch(&wanted, d->term, (size_t) d->nterm, sizeof wanted, compare_terms) != NULL;
}


int gen_number_at(genBuild *b, const double *compiled, const char *name)
{
  if (!gen_is_defined(b, compiled)) return expr_constant(b->pool, *compiled);
  const parameterTerm wanted = {.compiled = compiled}, *term = b->definitions->term;
  const parameterTerm *own =
      bsearch(&wanted, term, (size_t) b->definitions->nterm, sizeof wanted, compare_terms);
  return gen_parameter_at(b, compiled, name, (int) (own - term));
}


int gen_user_parameter(genBuild *b, int p)
{
  ART_ASSERT(p >= 0 && p < b->m->nparameter);
  const genDefinitions *d = b->definitions;
  const double value = b->m->parameter[p].value;
  if (!d || expr_is_constant(d->pool, d->parameter[p])) return expr_constant(b->pool, value);
  return sym_defined(b->tree, value, "user", p, d->parameter[p]);
}

int gen_live_number(genBuild *b, int i)
{
  const double *number = RECORD(b->m->records->live, liveNumber, i)->number;
  const liveEntry *live = b->definitions ? find_live_definition(b->definitions, number) : NULL;
  if (!live || live->node < 0 || expr_is_constant(b->definitions->pool, live->node)) {
    return expr_constant(b->pool, *number);
  }
  return sym_defined(b->tree, *number, "number", i, live->node);
}

//---- all -----------------------------------------------------------------------------------------

static void take_definition_room(genBuild *b)
{
  genDefinitions *d = b->definitions;
  const size_t n = (size_t) b->m->nparameter;
  d->nparameter = b->m->nparameter;
  d->pool = b->program->definitions = gen_create_pool();
  d->parameter = gen_alloc(b, n, sizeof *d->parameter);
  d->label = gen_alloc(b, n, sizeof *d->label);
  d->frozen = gen_alloc(b, n, 1);
  for (int p = 0; p < d->nparameter; p++) {
    d->parameter[p] = -1;
    d->label[p] = gen_label(b, b->m->parameter[p].name);
    gen_take_label(b, d->label[p]);
  }
  if (b->m->records) list_live(b);
}


static void follow_user_parameters(genBuild *b)
{
  genDefinitions *d = b->definitions;
  gen_follow_all(b);
  if (d->nterm > 0) qsort(d->term, (size_t) d->nterm, sizeof *d->term, compare_terms);
  freeze_unfollowed(b);
  // a planar joint without a wish for its x has it along an axis of ground that the largest component of its own axis
  // chooses, which is chosen once
  const layPlan *plan = b->m->plan;
  for (int j = 0; j < plan->njoint; j++) {
    const layJoint *joint = &plan->joint[j];
    const double *x = joint->axis2;
    if (!joint_kinds[joint->type].has_x || x[0] != 0 || x[1] != 0 || x[2] != 0) continue;
    for (int k = 0; k < 6; k++) {
      const liveEntry *live =
          find_live_definition(b->definitions, k < 3 ? &joint->axis[k] : &x[k - 3]);
      if (!live || !live->own->formula) continue;
      const char *what =
          arena_format(&b->program->arena, "the axis of a planar joint without x, line %d",
                       live->own->place.line);
      gen_freeze_formula(b, live->own->formula, 0, what);
    }
  }
  for (int p = 0; p < d->nparameter; p++) {
    const genOptions *o = b->options;
    int found = 0;
    for (int i = 0; i < o->nfreeze; i++) {
      if (strcmp(o->freeze[i], b->m->parameter[p].name) != 0 &&
          strcmp(o->freeze[i], b->definitions->label[p]) != 0) {
        continue;
      }
      if (o->frozen) o->frozen[i] = 1;
      found = 1;
    }
    if (found) d->frozen[p] = 1;
  }
  for (int i = 0; i < b->options->nalso; i++) {
    const eqnFrozen *also = &b->options->also[i];
    gen_freeze(b, gen_find_user(b, also->name), arena_text(&b->program->arena, also->what));
  }
  gen_freeze_structure(b);
}


static void make_live_nodes(genBuild *b)
{
  const artModel *m = b->m;
  genDefinitions *d = b->definitions;
  for (int p = 0; p < d->nparameter; p++) make_parameter(b, p);
  // in the order of the file, not of addresses, so that texts do not depend on where memory lies
  for (int i = 0; i < d->nlive; i++) {
    liveEntry *live = find_live_definition(d, RECORD(m->records->live, liveNumber, i)->number);
    if (live && live->own->formula)
      live->node = gen_formula_in(b, d->pool, live->own->formula, d->parameter);
  }
}


// A model without records does not say what follows its parameters: they keep their values.
static void make_frozen_nodes(genBuild *b)
{
  genDefinitions *d = b->definitions;
  for (int p = 0; p < d->nparameter; p++) {
    d->frozen[p] = 1;
    make_parameter(b, p);
  }
}


void gen_open_definitions(genBuild *b)
{
  const artModel *m = b->m;
  const int has_parameters = m->records && m->nparameter > 0;
  if (b->options->freeze_all || (b->options->fixed_bodies && !has_parameters)) return;
  genDefinitions *d = b->definitions = gen_alloc(b, 1, sizeof *b->definitions);
  take_definition_room(b);
  if (has_parameters) follow_user_parameters(b);
  exprPool *before = expr_use(d->pool);
  if (has_parameters)
    make_live_nodes(b);
  else
    make_frozen_nodes(b);
  name_tree(b);
  expr_use(before);
}


//---- derivatives ---------------------------------------------------------------------------------

int gen_slope(genBuild *b, int k, int moved)
{
  ART_ASSERT(k >= 0 && k < b->tree->parameter_count && moved >= 0);
  genDefinitions *d = b->definitions;
  symTree *s = b->tree;
  const int definition = s->parameter_definition[k];
  int slope = 0;
  if (definition < 0) return 0;
  eqn_differentiate(d->pool, 1, &definition, 1, &moved, 0, NULL, &slope, &b->scratch);
  if (expr_is_constant(d->pool, slope)) return expr_constant(b->pool, d->pool->nodes[slope].value);
  const exprNode *symbol = &b->pool->nodes[s->parameter[k]];
  const char *name =
      arena_format(&b->program->arena, "%s_by_%s", symbol->name, d->pool->nodes[moved].name);
  const int index = symbol->index;
  expr_name(d->pool, slope, name, index);
  return sym_defined(s, 0, name, index, slope);
}
