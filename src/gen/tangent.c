// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Derivatives of generated functions.
//
// A way is a bundle of directions in which symbols move. Functions that take the coordinates as they are
// move along each of them,  dq = N e_k,  q' = N v. Those that close the loops move along the free ones, and
// the dependent ones follow:
//   dq = N R_k,  R = [1; B];      dv_v = d(B v_u)/dq dq,  and so do accelerations that are given
// A parameter moves the dependent positions by  J_v dq_v = -dphi/dp. Along a way expressions are
// differentiated once for each direction, whatever the number of symbols that move.
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "eqn/list.h"
#include "gen/parameter/definition.h"

typedef struct tangentWay {
  const char *name, *what; // of the input: "q"; "along the coordinates"
  int n;                   // directions
  int nsymbol;             // that move
  eqnDependent *symbol;    // d[n] of each
} tangentWay;

// All that derivatives of machines with loops need.
typedef struct tangentLoops {
  tangentWay q, v, a, state, u, tau, p;
  const char *free; // names of the free coordinates
} tangentLoops;

//---- ways ----------------------------------------------------------------------------------------

static void open_way(genBuild *b, tangentWay *way, const char *name, const char *what, int n,
                     int nsymbol)
{
  *way = (tangentWay){.name = name, .what = what, .n = n};
  way->symbol = gen_alloc(b, (size_t) nsymbol, sizeof *way->symbol);
}


// one more symbol that moves; its derivatives are to be filled in
static int *add_symbol(genBuild *b, tangentWay *way, int symbol)
{
  int *d = gen_alloc(b, (size_t) way->n, sizeof *d);
  way->symbol[way->nsymbol++] = (eqnDependent){symbol, d};
  return d;
}


// each element of a vector by itself, those that are held not at all
static void add_unit_ways(genBuild *b, tangentWay *way, int n, const int *symbol, const char *held)
{
  for (int k = 0; k < n; k++) {
    if (held && held[k]) continue;
    add_symbol(b, way, symbol[k])[k] = expr_constant(b->pool, 1);
  }
}


static void unit_way(genBuild *b, tangentWay *way, const char *name, const char *what, int n,
                     const int *symbol, const char *held)
{
  open_way(b, way, name, what, n, n);
  add_unit_ways(b, way, n, symbol, held);
}


// of the symbols that move along any of the n ways: move[n nx]
static void add_moves(genBuild *b, tangentWay *way, int n, int nx, const int *symbol,
                      const int *move)
{
  for (int j = 0; j < nx; j++) {
    int moves = 0;
    for (int k = 0; k < n; k++) moves |= move[(long) k * nx + j] != 0;
    int *d = moves ? add_symbol(b, way, symbol[j]) : NULL;
    for (int k = 0; moves && k < n; k++) d[k] = move[(long) k * nx + j];
  }
}


// positions along the moves of velocity coordinates, by columns: move[n nv]
static void position_way(genBuild *b, tangentWay *way, const char *what, int n, const int *move,
                         int more)
{
  const int nq = b->tree->nq, nv = b->tree->nv;
  int *dq = gen_alloc(b, (size_t) n * (size_t) nq, sizeof *dq);
  open_way(b, way, "q", what, n, nq + more);
  for (int k = 0; k < n; k++) gen_position_rates(b, move + (long) k * nv, dq + (long) k * nq);
  add_moves(b, way, n, nq, b->tree->q, dq);
}


// the same of velocities
static void velocity_way(genBuild *b, const int *move, int n, const char *what, int more,
                         tangentWay *way)
{
  const int nv = b->tree->nv;
  open_way(b, way, "v", what, n, nv + more);
  add_moves(b, way, n, nv, b->tree->v, move);
}


static int *differentiate_along(genBuild *b, const tangentWay *way, int n, const int *node)
{
  int *d = gen_alloc(b, (size_t) n * (size_t) way->n, sizeof *d);
  eqn_differentiate(b->pool, n, node, way->n, NULL, way->nsymbol, way->symbol, d, &b->scratch);
  return d;
}

//---- parameters ----------------------------------------------------------------------------------

int gen_is_meant(const char *word, const char *name, int index)
{
  const size_t n = strlen(name);
  if (strncmp(word, name, n) != 0) return 0;
  if (word[n] == 0) return 1;
  return word[n] == '_' && ascii_is_digit((unsigned char) word[n + 1]) &&
         atoi(word + n + 1) == index;
}


// "elbow.place.x", or elbow_place_x as the text has it
static int is_name_or_label(const char *word, const char *name)
{
  for (; *word && *name; word++, name++) {
    if (*word != *name && (*word != '_' || ascii_is_word((unsigned char) *name))) return 0;
  }
  return *word == *name;
}


int gen_means_constant(genBuild *b, const char *word, const char *name, int index)
{
  return gen_is_meant(word, name, index) ||
         is_name_or_label(word, gen_constant_name(b, name, index));
}


static artStatus refuse_parameter(genBuild *b, const char *word)
{
  const symTree *s = b->tree;
  for (int i = 0; i < s->shared_count; i++) {
    const exprNode *symbol = &b->pool->nodes[s->parameter[s->shared[i].parameter]];
    if (!gen_means_constant(b, word, symbol->name, s->shared[i].index)) continue;
    return base_fail(b->error, ART_BAD_INPUT, base_nowhere(),
                     "'%.100s' is one parameter with '%s', whose value it has; derivatives are by "
                     "that one, or by each where parameters are not shared",
                     word, gen_constant_name(b, symbol->name, symbol->index));
  }
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = word};
  for (int p = 0; b->definitions && p < b->m->nparameter; p++) {
    base_consider(&nearest, b->m->parameter[p].name);
  }
  for (int i = 0; b->definitions && i < b->definitions->nbody; i++) {
    base_consider(&nearest, b->definitions->body[i].name);
    base_consider(&nearest, b->definitions->body[i].label);
  }
  for (int k = 0; k < s->parameter_count; k++) {
    const exprNode *symbol = &b->pool->nodes[s->parameter[k]];
    if (s->parameter_definition[k] >= 0) continue;
    base_consider(&nearest, symbol->name);
    base_consider(&nearest, gen_constant_name(b, symbol->name, symbol->index));
  }
  return base_fail(b->error, ART_BAD_INPUT, base_nowhere(),
                   "'%.100s' is not a parameter of the generated model%s", word,
                   nearest.best
                       ? base_hint(&nearest, hint)
                       : "; its parameters are listed in the struct of the generated header");
}


// along a parameter of the definitions all constants move that it defines, among the first `count`: way k of n
static void add_defining(genBuild *b, tangentWay *way, int count, int parameter, int k)
{
  const symTree *s = b->tree;
  for (int i = 0; i < count; i++) {
    const int slope = gen_slope(b, i, parameter);
    if (slope == 0) continue;
    int *d = NULL;
    for (int j = 0; j < way->nsymbol && !d; j++) {
      if (way->symbol[j].symbol == s->parameter[i]) d = (int *) way->symbol[j].d;
    }
    if (!d) d = add_symbol(b, way, s->parameter[i]);
    d[k] = slope;
  }
}


// whether a word means a parameter of the user that moves something; a frozen one moves nothing
static int user_meant(const genBuild *b, const char *word)
{
  const int p = gen_find_user(b, word);
  const genDefinitions *d = b->definitions;
  return p >= 0 && d->pool->nodes[d->parameter[p]].op == EXPR_SYMBOL ? p : -1;
}


// symbols by which derivatives are taken: of the definitions, or of the equations
typedef struct wayParameters {
  int n, *symbol;
  char *is_defining;
} wayParameters;


static void add_way_parameter(wayParameters *p, int symbol, int is_defining)
{
  for (int i = 0; i < p->n; i++) {
    if (p->symbol[i] == symbol && p->is_defining[i] == is_defining) return;
  }
  p->symbol[p->n] = symbol;
  p->is_defining[p->n++] = (char) is_defining;
}


static void parameter_way(genBuild *b, tangentWay *way)
{
  const symTree *s = b->tree;
  const genOptions *o = b->options;
  const genDefinitions *d = b->definitions;
  const int nbody = d ? d->nbody : 0;
  const size_t most = (size_t) s->parameter_count + (size_t) nbody + (size_t) o->nsensitive;
  wayParameters p = {.symbol = gen_alloc(b, most, sizeof *p.symbol),
                     .is_defining = gen_alloc(b, most, 1)};
  for (int k = 0; k < o->nsensitive; k++) {
    const int own = user_meant(b, o->sensitive[k]), before = p.n;
    int found = own >= 0;
    if (found) add_way_parameter(&p, d->parameter[own], 1);
    for (int i = 0; i < nbody && own < 0; i++) {
      if (!gen_means_body(&d->body[i], o->sensitive[k])) continue;
      add_way_parameter(&p, d->body[i].node, 1);
      found = 1;
    }
    for (int i = 0; i < s->parameter_count && own < 0; i++) {
      const exprNode *symbol = &b->pool->nodes[s->parameter[i]];
      if (s->parameter_definition[i] >= 0) continue;
      if (!gen_means_constant(b, o->sensitive[k], symbol->name, symbol->index)) continue;
      add_way_parameter(&p, s->parameter[i], 0);
      found = 1;
    }
    if (!found && before == p.n) gen_leave(b, refuse_parameter(b, o->sensitive[k]));
  }
  const int count = s->parameter_count; // without slopes, which become constants as they are found
  open_way(b, way, "p", "by the parameters in the order asked for", p.n, count + p.n);
  for (int k = 0; k < p.n; k++) {
    if (p.is_defining[k]) {
      add_defining(b, way, count, p.symbol[k], k);
    } else {
      add_symbol(b, way, p.symbol[k])[k] = expr_constant(b->pool, 1);
    }
  }
}

//---- machines with loops -------------------------------------------------------------------------

// symbols [nv] of dependent coordinates move as what they follow from, follow[nd], does along a way
static void add_followers(genBuild *b, tangentWay *way, const int *follow, const int *symbol)
{
  const genLoops *l = &b->loops;
  const int *change = differentiate_along(b, way, l->nd, follow);
  for (int i = 0; i < l->nd; i++) {
    int *d = add_symbol(b, way, symbol[l->dependent[i]]);
    memcpy(d, change + (long) i * way->n, (size_t) way->n * sizeof *d);
  }
}


// dependent accelerations follow where they are given
static void add_accelerations(genBuild *b, tangentWay *way)
{
  if (!(b->options->forms & GEN_MACHINE_BACKWARD)) return;
  add_followers(b, way, gen_follow_accelerations(b, b->tree->a, NULL), b->tree->a);
}


// velocities of the free coordinates as they are projected where something rolls, differentiated along a way: [nf n]
static int *differentiate_rolling(genBuild *b, const tangentWay *way)
{
  const int nf = b->loops.nf;
  int *v = gen_alloc(b, (size_t) nf, sizeof *v);
  for (int i = 0; i < nf; i++) {
    v[i] = expr_add(b->pool, b->tree->v[b->loops.free[i]], b->rolls->change[i]);
  }
  return differentiate_along(b, way, nf, v);
}


// Velocities of the free coordinates follow the positions of a way where something rolls, dependent velocities all of these,
// and accelerations both.
static void add_following(genBuild *b, tangentWay *way)
{
  const int *rolling = b->rolls ? differentiate_rolling(b, way) : NULL;
  for (int i = 0; i < b->loops.nf && rolling; i++) {
    int *d = add_symbol(b, way, b->tree->v[b->loops.free[i]]);
    memcpy(d, rolling + (long) i * way->n, (size_t) way->n * sizeof *d);
  }
  add_followers(b, way, gen_follow_velocities(b, b->tree->v), b->tree->v);
  add_accelerations(b, way);
}


// R by columns, [nf nv]
static int *free_moves(genBuild *b)
{
  const genLoops *l = &b->loops;
  const int nv = b->tree->nv, nu = l->nf + l->nc;
  int *R = gen_alloc(b, (size_t) l->nf * (size_t) nv, sizeof *R);
  for (int k = 0; k < l->nf; k++) {
    int *column = R + (long) k * nv;
    column[l->free[k]] = expr_constant(b->pool, 1);
    for (int i = 0; i < l->nd; i++) column[l->dependent[i]] = l->B[i * nu + k];
  }
  return R;
}


// by columns, of velocities: where something rolls, R P with the projection P of those of the free coordinates
static const int *free_velocity_moves(genBuild *b, const int *R)
{
  exprPool *p = b->pool;
  const genLoops *l = &b->loops;
  const int nf = l->nf, nv = b->tree->nv;
  if (!b->rolls) return R;
  tangentWay own;
  open_way(b, &own, "v", "", nf, nf);
  for (int k = 0; k < nf; k++) {
    add_symbol(b, &own, b->tree->v[l->free[k]])[k] = expr_constant(p, 1);
  }
  const int *P = differentiate_rolling(b, &own);
  int *moves = gen_alloc(b, (size_t) nf * (size_t) nv, sizeof *moves);
  for (int k = 0; k < nf; k++) {
    for (int j = 0; j < nv; j++) moves[(long) k * nv + j] = expr_dot(p, nf, R + j, nv, P + k, nf);
  }
  return moves;
}


// the parameters of a way move dependent positions too
static void add_closing(genBuild *b, const tangentWay *own, tangentWay *way)
{
  const genLoops *l = &b->loops;
  const int n = own->n, nd = l->nd, nv = b->tree->nv;
  int *x = gen_alloc(b, (size_t) nd, sizeof *x);
  int *move = gen_alloc(b, (size_t) n * (size_t) nv, sizeof *move);
  const int *phi_p = differentiate_along(b, own, b->rows.n, b->closing.phi);
  for (int k = 0; k < n; k++) {
    // J_v dq_v = -dphi/dp
    for (int i = 0; i < nd; i++) x[i] = expr_neg(b->pool, phi_p[b->blocks.row[i] * n + k]);
    gen_solve_blocks(b, x);
    for (int i = 0; i < nd; i++) move[(long) k * nv + l->dependent[i]] = x[i];
  }
  position_way(b, way, own->what, n, move, own->nsymbol + 2 * nd + b->loops.nf);
  way->name = own->name;
  memcpy(way->symbol + way->nsymbol, own->symbol, (size_t) own->nsymbol * sizeof *own->symbol);
  way->nsymbol += own->nsymbol;
  add_following(b, way);
}


static void loop_ways(genBuild *b, const tangentWay *p, tangentLoops *t)
{
  const int *R = free_moves(b);
  tangentWay u;
  t->free = "";
  for (int k = 0; k < b->loops.nf; k++) {
    t->free = arena_format(&b->program->arena, "%s%s%s", t->free, k ? ", " : "",
                           b->m->velocity[b->loops.free[k]].name);
  }
  position_way(b, &t->q, "along the free coordinates", b->loops.nf, R,
               2 * b->loops.nd + b->loops.nf);
  add_following(b, &t->q);
  const genLoops *l = &b->loops;
  velocity_way(b, free_velocity_moves(b, R), l->nf, "by the velocities of the free coordinates",
               l->nd, &t->v);
  add_accelerations(b, &t->v);
  const int nf = b->options->forms & GEN_MACHINE_BACKWARD ? l->nf : 0;
  open_way(b, &t->a, "a", "by the accelerations of the free coordinates", nf, nf + l->nd);
  for (int k = 0; k < nf; k++) {
    add_symbol(b, &t->a, b->tree->a[l->free[k]])[k] = expr_constant(b->pool, 1);
  }
  add_accelerations(b, &t->a);
  unit_way(b, &t->state, "state", "by state", b->m->nstate, b->state, NULL);
  unit_way(b, &u, "u", "by u", b->nheld, b->held, NULL);
  t->u = u;
  if (b->nhold > 0) add_closing(b, &u, &t->u);
  unit_way(b, &t->tau, "tau", "by tau", b->options->loads ? b->tree->nv : 0, b->tree->tau, NULL);
  add_closing(b, p, &t->p);
}

//---- functions -----------------------------------------------------------------------------------

// one output along one way, "a_q", if it depends on it at all
static void put_derivative(genBuild *b, eqnFunction *f, const eqnVector *y, const tangentWay *way)
{
  baseArena *arena = &b->program->arena;
  const char *name = arena_format(arena, "%s_%s", y->name, way->name);
  const char *what = arena_format(arena, "%s %s, %d columns, by rows", y->name, way->what, way->n);
  const int n = y->n * way->n, *d = differentiate_along(b, way, y->n, y->node);
  int depends = 0;
  for (int i = 0; i < n; i++) depends |= d[i] != 0;
  if (depends) f->output[f->noutput++] = gen_vector(b, name, what, n, d, NULL);
}


// a function with the inputs and stages of another, its outputs differentiated along ways
static void add_tangent_function(genBuild *b, const eqnFunction *of, int nway,
                                 const tangentWay *way, const char *free)
{
  baseArena *arena = &b->program->arena;
  const eqnFunctionKind kind = of->kind == EQN_ACCELERATE ? EQN_ACCELERATE_TANGENT
                               : of->kind == EQN_OUTPUTS  ? EQN_OUTPUTS_TANGENT
                                                          : EQN_OTHER;
  const char *name = arena_format(arena, "%s_tangent", of->name);
  const char *what = arena_format(arena, "derivatives of the results of %s%s%s", of->name,
                                  free ? "; free coordinates are " : "", free ? free : "");
  eqnFunction *f = gen_add_named_function(b, kind, name, what, 0, of->noutput * nway + 5, 0);
  f->ninput = of->ninput;
  f->input = of->input;
  f->nstage = of->nstage;
  f->stage = of->stage;
  f->noutput = 0;
  for (int k = 0; k < of->noutput; k++) {
    for (int i = 0; i < nway; i++) {
      if (of->output[k].n > 0 && way[i].n > 0) put_derivative(b, f, &of->output[k], &way[i]);
    }
  }
  if (f->noutput == 0) b->program->nfunction--;
}


// positions of loops, or velocities of what rolls
static int closes_loops(const eqnFunction *f)
{
  for (int s = 0; s < f->nstage; s++) {
    const eqnGroup group = f->stage[s].group;
    if (f->stage[s].kind != STAGE_NEWTON) continue;
    if (group == GROUP_POSITION || group == GROUP_VELOCITY) return 1;
  }
  return 0;
}


// whether a function projects velocities of what rolls
static int projects(const eqnFunction *f)
{
  for (int s = 0; s < f->nstage; s++) {
    if (f->stage[s].kind == STAGE_NEWTON && f->stage[s].group == GROUP_VELOCITY) return 1;
  }
  return 0;
}


// coordinates that a function takes from drives do not move
static char *held_coordinates(genBuild *b, const eqnFunction *f)
{
  char *held = gen_alloc(b, (size_t) b->tree->nv, 1);
  const int follows = f->nstage > 0 && f->stage[0].kind == STAGE_ASSIGN;
  for (int i = 0; follows && i < b->m->ndrive; i++) held[b->m->drive[i].velocity] = 1;
  return held;
}


// each coordinate by itself, and what locks lead by it
static int *coordinate_moves(genBuild *b, const char *held)
{
  const int nv = b->tree->nv;
  int *move = gen_alloc(b, (size_t) nv * (size_t) nv, sizeof *move);
  for (int k = 0; k < nv; k++) {
    if (!held[k]) move[(long) k * nv + k] = expr_constant(b->pool, 1);
  }
  if (b->options->masks) gen_lock_moves(b, nv, -1, move);
  return move;
}


// by inputs and held numbers; those at which locks hold lead coordinates
static void held_way(genBuild *b, const eqnVector *u, tangentWay *way)
{
  const int nv = b->tree->nv, n = u->n;
  if (!b->options->masks) {
    unit_way(b, way, "u", "by u", n, u->node, NULL);
    return;
  }
  int *move = gen_alloc(b, (size_t) nv * (size_t) n, sizeof *move);
  gen_lock_moves(b, n, b->m->nheld, move);
  position_way(b, way, "by u", n, move, n);
  way->name = "u";
  add_unit_ways(b, way, n, u->node, NULL);
}


// by what runs count, work first, where it is asked for
static void run_way(genBuild *b, const eqnFunction *f, tangentWay *way)
{
  const eqnVector *run = b->options->follows ? eqn_input(f, "run") : NULL;
  unit_way(b, way, "run", "by run", run ? run->n : 0, run ? run->node : NULL, NULL);
}


// coordinates as they are given
static void open_tangent(genBuild *b, const eqnFunction *f, const tangentWay *p)
{
  static const char *const plain[] = {"a", "tau", "f", "a_driven", "state"};
  enum { MOST = 11 };
  tangentWay way[MOST];
  int n = 0;
  const char *held = held_coordinates(b, f);
  const int nv = b->tree->nv, *move = coordinate_moves(b, held);
  if (eqn_input(f, "q")) position_way(b, &way[(n)++], "along the coordinates", nv, move, 0);
  if (eqn_input(f, "v")) velocity_way(b, move, nv, "by velocities", 0, &way[(n)++]);
  for (int k = 0; k < 5; k++) {
    const eqnVector *x = eqn_input(f, plain[k]);
    if (!x) continue;
    unit_way(b, &way[n++], x->name, arena_format(&b->program->arena, "by %s", x->name), x->n,
             x->node, k == 0 ? held : NULL);
  }
  const eqnVector *u = eqn_input(f, "u");
  if (u) held_way(b, u, &way[n++]);
  run_way(b, f, &way[n++]);
  way[n++] = *p;
  add_tangent_function(b, f, n, way, NULL);
}


// velocities of the free coordinates along a way: [nfree n]
static int *differentiate_free(genBuild *b, const tangentWay *way)
{
  const int n = b->program->nfree;
  int *v = gen_alloc(b, (size_t) n, sizeof *v);
  for (int i = 0; i < n; i++) v[i] = b->tree->v[b->program->free[i]];
  return differentiate_along(b, way, n, v);
}


// Where something rolls: rates of displacements, and with `follows` all velocities, by velocities of the free coordinates.
static void add_rolling_rates(genBuild *b, const tangentWay *v)
{
  const int nv = b->tree->nv, n = v->n;
  eqnFunction *f = (eqnFunction *) eqn_function(b->program, EQN_ACCELERATE_TANGENT);
  if (!b->rolls || !f) return;
  f->output[f->noutput++] =
      gen_vector(b, "dq_v",
                 "rates of displacements of the free coordinates by their velocities, which are "
                 "projected, by rows",
                 b->program->nfree * n, differentiate_free(b, v), NULL);
  if (!b->options->follows) return;
  f->output[f->noutput++] =
      gen_vector(b, "v_v", "velocities by those of the free coordinates, by rows", nv * n,
                 differentiate_along(b, v, nv, b->tree->v), NULL);
}


// Displacements of balls turn with them: d(dq)/dt = dv - W dq, W = omega x, of the free coordinates along moves by
// columns, R[n nv], or along each coordinate (NULL). dv of what rolls is along displacements, q, too.
static void add_ball_turning(genBuild *b, const int *R, int n, const tangentWay *q)
{
  exprPool *p = b->pool;
  const int nv = b->tree->nv, nfree = b->program->nfree;
  eqnFunction *f = (eqnFunction *) eqn_function(b->program, EQN_ACCELERATE_TANGENT);
  int *node = gen_alloc(b, (size_t) nfree * (size_t) n, sizeof *node), depends = 0;
  if (!f) return;
  if (b->rolls) {
    memcpy(node, differentiate_free(b, q), (size_t) nfree * (size_t) n * sizeof *node);
    for (int i = 0; i < nfree * n; i++) depends |= node[i] != 0;
  }
  for (int i = 0; i < nfree; i++) {
    const int own = b->program->free[i];
    const treeLink *link = &b->m->tree.link[b->m->tree.dof_link[own]];
    const int spin = link->v0 + link_straight(link), c = own - spin;
    if (!link_turns(link) || c < 0) continue;
    const int next = spin + (c + 1) % 3, last = spin + (c + 2) % 3;
    for (int k = 0; k < n; k++) {
      const int *move = R ? R + (long) k * nv : NULL;
      const int along_next = move ? move[next] : expr_constant(p, k == next);
      const int along_last = move ? move[last] : expr_constant(p, k == last);
      const int turn = expr_sub(p, expr_mul(p, b->tree->v[last], along_next),
                                expr_mul(p, b->tree->v[next], along_last));
      node[i * n + k] = expr_add(p, node[i * n + k], turn);
      depends |= node[i * n + k] != 0;
    }
  }
  if (depends) {
    f->output[f->noutput++] = gen_vector(b, "dq_q",
                                         "rates of displacements of the free coordinates along "
                                         "displacements, next to their velocities, by rows",
                                         nfree * n, node, NULL);
  }
}


// How all coordinates follow: displacements and velocities, "moves", along R[n nv] by columns.
static void tell_moves(genBuild *b, const int *R, int n)
{
  const int nv = b->tree->nv;
  eqnFunction *f = (eqnFunction *) eqn_function(b->program, EQN_ACCELERATE_TANGENT);
  int *node = gen_alloc(b, (size_t) nv * (size_t) n, sizeof *node);
  if (!f || n == 0) return;
  for (int i = 0; i < nv; i++) {
    for (int k = 0; k < n; k++) node[i * n + k] = R[(long) k * nv + i];
  }
  f->output[f->noutput++] =
      gen_vector(b, "moves", "displacements of all coordinates along the free ones, by rows",
                 nv * n, node, NULL);
}


// How dependent coordinates follow: besides their moves, velocities along displacements, "v_q".
static void add_follow(genBuild *b, const int *R, const tangentWay *q)
{
  const int nv = b->tree->nv, nf = b->loops.nf;
  eqnFunction *f = (eqnFunction *) eqn_function(b->program, EQN_ACCELERATE_TANGENT);
  int depends = 0;
  if (!f) return;
  const int *change = differentiate_along(b, q, nv, b->tree->v);
  tell_moves(b, R, nf);
  for (int i = 0; i < nv * nf; i++) depends |= change[i] != 0;
  if (depends) {
    f->output[f->noutput++] =
        gen_vector(b, "v_q", "velocities along displacements of the free coordinates, by rows",
                   nv * nf, change, NULL);
  }
}


// accelerations alone are differentiated, and with inputs the outputs, unless all is asked for
static int is_meant(const genOptions *o, eqnFunctionKind function)
{
  return o->tangents || function == EQN_ACCELERATE || (o->loads && function == EQN_OUTPUTS);
}


void gen_tangents(genBuild *b)
{
  const int n = b->program->nfunction;
  tangentWay p, run;
  tangentLoops both[2] = {{.free = NULL}, {.free = NULL}}; // velocities as they are, and projected
  genRolls *const rolls = b->rolls;
  parameter_way(b, &p);
  for (int i = 0; i < n; i++) {
    const eqnFunction f = b->program->function[i];
    const int is_loaded = b->options->loads && f.kind == EQN_ACCELERATE;
    if (!is_meant(b->options, f.kind)) continue;
    if (!closes_loops(&f)) {
      open_tangent(b, &f, &p);
      if (is_loaded) add_ball_turning(b, NULL, b->tree->nv, NULL);
      if (is_loaded && b->options->follows && b->options->masks) {
        tell_moves(b, coordinate_moves(b, held_coordinates(b, &f)), b->tree->nv);
      }
      continue;
    }
    tangentLoops *loops = &both[projects(&f)];
    b->rolls = projects(&f) ? rolls : NULL;
    if (!loops->free) loop_ways(b, &p, loops);
    run_way(b, &f, &run);
    const tangentWay way[8] = {loops->q, loops->v,   loops->a, loops->state,
                               loops->u, loops->tau, loops->p, run};
    add_tangent_function(b, &f, 8, way, loops->free);
    if (is_loaded) add_ball_turning(b, free_moves(b), b->loops.nf, &loops->q);
    if (is_loaded) add_rolling_rates(b, &loops->v);
    if (is_loaded && b->options->follows) add_follow(b, free_moves(b), &loops->q);
    b->rolls = rolls;
  }
  eqn_complete_externals(b->program);
}
