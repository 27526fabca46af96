// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of the bare tree: no forces but gravity and those that are given, loops open.
#include "gen/tree/tree_equations.h"

#include <string.h>

#include "eqn/list_builder.h"
#include "gen/build.h"
#include "gen/parameter/definition.h"
#include "gen/tree/tree_part.h"


static int asks_for_form(const genBuild *b, unsigned form)
{
  return (b->options->forms & form) != 0;
}


// stages ahead of the last, which takes the rest
enum { STAGES = 3 };
typedef struct stageList {
  int n;
  eqnStage stage[STAGES];
} stageList;


static void add_tree_stage(genBuild *b, stageList *list, const char *title, eqnGroup group, int n,
                           const int *node)
{
  ART_ASSERT(list->n < STAGES);
  list->stage[list->n++] =
      (eqnStage){.title = title, .group = group, .nroot = n, .root = gen_copy(b, n, node)};
}


// the motion of the links as it was recorded last
static void add_motion_stage(genBuild *b, stageList *list)
{
  const int n = GEN_MOTION * b->tree->n;
  int *node = gen_alloc(b, (size_t) n, sizeof *node);
  gen_motion(b->tree, node);
  add_tree_stage(b, list, "motion of the links", GROUP_FORWARD, n, node);
}


static eqnFunction *add_staged(genBuild *b, eqnFunctionKind kind, const char *what,
                               const char *letters, int noutput, const stageList *list,
                               const char *title, eqnGroup group)
{
  const int ninput = (int) strlen(letters);
  eqnFunction *f = gen_add_function(b, kind, what, ninput + 1, noutput, list->n + 1);
  f->ninput = ninput; // there is room for one more
  gen_put_inputs(b, f, letters);
  memcpy(f->stage, list->stage, (size_t) list->n * sizeof *f->stage);
  f->stage[list->n] = (eqnStage){.title = title, .group = group};
  return f;
}


//---- dynamics ------------------------------------------------------------------------------------

static void add_inverse(genBuild *b, eqnFunctionKind kind, const char *what, int with_forces)
{
  stageList list = {0};
  int *tau = gen_alloc(b, (size_t) b->tree->nv, sizeof *tau);
  gen_record_inverse(b->tree, b->tree->a, tau);
  add_motion_stage(b, &list);
  eqnFunction *f = add_staged(b, kind, what, with_forces ? "qvaf" : "qva", 1, &list, "joint forces",
                              GROUP_BACKWARD);
  f->output[0] = gen_along_velocities(b, "tau", "joint forces, N or N m", tau);
}


// mass matrix and joint forces at given accelerations, of drives or none
typedef struct massBias {
  int *M, *h;
} massBias;


static void record_mass_bias(genBuild *b, int with_drives, massBias *x, stageList *list)
{
  const int nv = b->tree->nv;
  const treeModel *t = &b->m->tree;
  int *a = gen_alloc(b, (size_t) nv, sizeof *a);
  x->M = gen_alloc(b, (size_t) nv * (size_t) nv, sizeof *x->M);
  x->h = gen_alloc(b, (size_t) nv, sizeof *x->h);
  for (int k = 0; with_drives && k < nv; k++) {
    if (b->given[t->dof_link[k]]) a[k] = b->tree->a[k];
  }
  gen_record_inverse(b->tree, a, x->h);
  add_motion_stage(b, list);
  gen_record_mass(b->tree, x->M);
}


// accelerations as an output; driven coordinates, and others that move no mass, have theirs as inputs
static void finish_forward(genBuild *b, eqnFunction *f, const int *a)
{
  int n = 0;
  for (int i = 1; i < b->m->tree.n; i++) n += b->given[i];
  if (n > 0) {
    int *given = gen_alloc(b, (size_t) n, sizeof *given), count = 0;
    const char **label = gen_alloc(b, (size_t) n, sizeof *label);
    for (int i = 1; i < b->m->tree.n; i++) {
      const treeLink *link = &b->m->tree.link[i];
      if (!b->given[i]) continue;
      label[count] = b->m->velocity[link->v0].name;
      given[count++] = b->tree->a[link->v0];
    }
    f->input[f->ninput++] =
        gen_vector(b, "a_driven", "accelerations of coordinates that are driven or move no mass", n,
                   given, label);
  }
  f->output[0] = gen_accelerations(b, a);
}


static void add_forward_n(genBuild *b, eqnFunctionKind kind, const char *what, int with_forces)
{
  stageList list = {0};
  int *a = gen_alloc(b, (size_t) b->tree->nv, sizeof *a);
  int *node = gen_alloc(b, GEN_VELOCITY * (size_t) b->tree->n, sizeof *node);
  sym_record_forward(b->tree, a);
  gen_velocity_terms(b->tree, node);
  add_tree_stage(b, &list, "velocities of the links", GROUP_FORWARD, GEN_VELOCITY * b->tree->n,
                 node);
  eqnFunction *f = add_staged(b, kind, what, with_forces ? "qvtf" : "qvt", 1, &list,
                              "articulated bodies", GROUP_BACKWARD);
  finish_forward(b, f, a);
}


// operations after a function, those on parameters alone not counted
static int function_operations(genBuild *b, const eqnFunction *f)
{
  const exprPool *pool = b->pool;
  unsigned char *needed = arena_alloc(&b->scratch, (size_t) pool->count, 1);
  unsigned char *constant = arena_alloc(&b->scratch, (size_t) pool->count, 1);
  int total = 0;
  list_builder_mark_needed(pool, f, needed);
  list_builder_mark_constant(pool, b->tree->parameter_count, b->tree->parameter, constant);
  for (int i = 0; i < pool->count; i++) {
    if (needed[i] && !constant[i]) total += list_builder_operations(pool, i);
  }
  arena_free(&b->scratch);
  return total;
}


// the cheaper of the two
static void choose_forward(genBuild *b)
{
  const int factors = function_operations(b, eqn_function(b->program, EQN_FORWARD));
  const int order_n = function_operations(b, eqn_function(b->program, EQN_FORWARD_N));
  const int by_factors = factors <= order_n;
  const char *what = arena_format(
      &b->program->arena,
      "Accelerations the cheaper way, %s: as recorded, %d operations by the factors of the mass "
      "matrix and %d in O(n)",
      by_factors ? "by factors" : "in O(n)", factors, order_n);
  const eqnFunction chosen = *eqn_function(b->program, by_factors ? EQN_FORWARD : EQN_FORWARD_N);
  eqnFunction *f = gen_add_function(b, EQN_FORWARD_BEST, what, 0, 0, 0);
  const eqnFunction own = *f;
  *f = chosen;
  f->kind = own.kind;
  f->name = own.name;
  f->what = what; // vectors and stages are shared
}

//---- identification ------------------------------------------------------------------------------

// the parameters that are left: pivots of moves are not
static int remaining_parameters(genBuild *b, int nmove, const genMove *moves, int *parameter)
{
  const int n = b->tree->n;
  char *is_moved = gen_alloc(b, GEN_INERTIA * (size_t) n, 1);
  for (int k = 0; k < nmove; k++) is_moved[GEN_INERTIA * moves[k].link + moves[k].pivot] = 1;
  int count = 0;
  for (int i = 1; i < n; i++) {
    for (int k = 0; k < GEN_INERTIA; k++) {
      if (!is_moved[GEN_INERTIA * i + k]) parameter[count++] = GEN_INERTIA * i + k;
    }
    if (gen_has_rotor(b, i)) parameter[count++] = -1 - i;
  }
  return count;
}


static void add_regressor(genBuild *b, int nmove, const genMove *moves)
{
  const int n = b->tree->n, nv = b->tree->nv;
  int *parameter = gen_alloc(b, (GEN_INERTIA + 1) * (size_t) n, sizeof *parameter);
  int *X = gen_alloc(b, GEN_INERTIA * (size_t) n, sizeof *X);
  const int count = remaining_parameters(b, nmove, moves, parameter);
  int *delta = gen_alloc(b, (size_t) count, sizeof *delta);
  int *Psi = gen_alloc(b, (size_t) nv * (size_t) count, sizeof *Psi);
  const char **label = gen_alloc(b, (size_t) count, sizeof *label);

  gen_inertia(b->tree, X);
  gen_record_regressor(b->tree, count, parameter, Psi);
  for (int c = 0; c < count; c++) {
    const int is_rotor = parameter[c] < 0;
    const int link = is_rotor ? -1 - parameter[c] : parameter[c] / GEN_INERTIA;
    delta[c] = is_rotor ? gen_rotor(b->tree, link) : X[parameter[c]];
    label[c] =
        arena_format(&b->program->arena, "%s_%d",
                     is_rotor ? "rotor" : gen_inertia_name[parameter[c] % GEN_INERTIA], link);
  }

  eqnFunction *f = gen_add_plain(b, EQN_REGRESSOR, NULL,
                                 "Psi of the identification form tau = Psi delta, delta being the "
                                 "minimal parameters",
                                 "qva", 1, GROUP_BACKWARD);
  f->output[0] =
      gen_vector(b, "Psi", "nv rows, a column for each minimal parameter", nv * count, Psi, NULL);
  f = gen_add_plain(b, EQN_MINIMAL_PARAMETERS, NULL,
                    "delta, the parameters that joint forces can distinguish", "", 1, GROUP_OTHER);
  f->output[0] = gen_vector(b, "delta", "minimal parameters", count, delta, label);
}

//---- all of them ---------------------------------------------------------------------------------

static void add_dynamics(genBuild *b)
{
  sym_tree_unforced(b->tree);
  const genLinks *before = gen_save_links(b->tree);
  gen_slide_origins(b->tree);
  if (asks_for_form(b, GEN_INVERSE))
    add_inverse(b, EQN_INVERSE, "Joint forces for accelerations a", 0);
  if (asks_for_form(b, GEN_MASS)) {
    massBias x;
    stageList list = {0};
    const int nv = b->tree->nv;
    record_mass_bias(b, 0, &x, &list);
    eqnFunction *f = add_staged(b, EQN_MASS_BIAS, "Mass matrix M and bias h of M a + h = tau", "qv",
                                2, &list, "mass matrix and bias", GROUP_BACKWARD);
    for (int i = 0; i < nv; i++) {
      for (int j = 0; j < i; j++) x.M[j * nv + i] = x.M[i * nv + j];
    }
    f->output[0] = gen_vector(b, "M", "mass matrix, by rows", nv * nv, x.M, NULL);
    f->output[1] = gen_along_velocities(b, "h", "joint forces at zero acceleration", x.h);
  }
  if (asks_for_form(b, GEN_FORWARD_LDL)) {
    massBias x;
    stageList list = {0};
    const int nv = b->tree->nv;
    int *a = gen_alloc(b, (size_t) nv, sizeof *a);
    record_mass_bias(b, 1, &x, &list);
    add_tree_stage(b, &list, "bias", GROUP_BACKWARD, nv, x.h);
    add_tree_stage(b, &list, "mass matrix", GROUP_BACKWARD, nv * nv, x.M);
    gen_record_solution(b->tree, x.M, x.h, b->options->cholesky, a);
    eqnFunction *f = add_staged(b, EQN_FORWARD,
                                "Accelerations by the factors of the mass matrix from the leaves",
                                "qvt", 1, &list, "solution", GROUP_SOLVE);
    finish_forward(b, f, a);
  }
  if (asks_for_form(b, GEN_FORWARD_N)) add_forward_n(b, EQN_FORWARD_N, "Accelerations in O(n)", 0);
  gen_restore_links(b->tree, before);
  if (asks_for_form(b, GEN_FORWARD_LDL) && asks_for_form(b, GEN_FORWARD_N)) choose_forward(b);
}


// Links as dynamics need them: with minimal parameters if they are asked for, with the cheapest origins. Returns them as
// they were.
static const genLinks *begin_view(genBuild *b)
{
  const genLinks *before = gen_save_links(b->tree);
  if (b->options->parameters == GEN_BARYCENTRIC) {
    genMove *moves = gen_alloc(b, GEN_INERTIA * (size_t) b->tree->n, sizeof *moves);
    gen_make_moves(b->tree, gen_find_moves(b, moves), moves);
  }
  gen_slide_origins(b->tree);
  return before;
}


// a lower triangle that is being recorded
typedef struct massRows {
  genBuild *b;
  genMatrix *M;
  genEntry *entry; // [nv]
} massRows;


// a row has entries at the coordinates on its way to ground, and nothing but zeros is left of it
static void take_mass_row(void *context, int k, int *row)
{
  const massRows *w = context;
  const treeModel *t = &w->b->m->tree;
  int n = t->nv;
  for (int j = k; j >= 0; j = t->dof_parent[j]) {
    if (row[j] != 0) w->entry[--n] = (genEntry){j, row[j]};
    row[j] = 0;
  }
  matrix_set(w->M, k, t->nv - n, w->entry + n, &w->b->program->arena);
}


void gen_tree_mass_bias(genBuild *b, const int *a, genMatrix *M, int *h)
{
  const size_t nv = (size_t) b->tree->nv;
  massRows rows = {b, M, gen_alloc(b, nv, sizeof *rows.entry)};
  int *row = gen_alloc(b, nv, sizeof *row);
  matrix_open(M, (int) nv, &b->program->arena);
  const genLinks *before = begin_view(b);
  gen_record_inverse(b->tree, a, h);
  gen_record_mass_rows(b->tree, row, take_mass_row, &rows);
  gen_restore_links(b->tree, before);
}


void gen_tree_inverse(genBuild *b, const int *a, int *h, int *moved)
{
  const genLinks *before = begin_view(b);
  gen_record_inverse(b->tree, a, h);
  gen_motion(b->tree, moved);
  gen_restore_links(b->tree, before);
}


int gen_operations(genBuild *b, int n, int *node)
{
  eqnVector output = {.name = "x", .n = n, .node = node};
  eqnStage stage = {.title = "all"};
  const eqnFunction f = {.noutput = 1, .output = &output, .nstage = 1, .stage = &stage};
  return function_operations(b, &f);
}


int gen_factors_may_pay(const artModel *m)
{
  enum { MOST = 500 }; // operations of O(n) for one coordinate; a chain takes 205, the humanoid 254
  const treeModel *t = &m->tree;
  double elimination = 0;
  for (int k = 0; k < t->nv; k++) {
    int above = 0;
    for (int i = t->dof_parent[k]; i >= 0; i = t->dof_parent[i]) above++;
    elimination += (double) above * (above + 1);
  }
  return elimination <= MOST * (double) t->nv;
}


void gen_tree_forward(genBuild *b, int *a, genFactors *d)
{
  const size_t nv = (size_t) b->tree->nv;
  const genForward way = b->options->forward;
  const int try_factors =
      way == GEN_BY_FACTORS || (way == GEN_CHEAPER && gen_factors_may_pay(b->m));
  *d = (genFactors){0};
  if (try_factors) {
    d->M = gen_alloc(b, nv * nv, sizeof *d->M);
    d->h = gen_alloc(b, nv, sizeof *d->h);
  }
  int *given = gen_alloc(b, nv, sizeof *given), *x = gen_alloc(b, nv, sizeof *x);
  const genLinks *before = begin_view(b);
  if (try_factors) {
    // M, h and x = M^-1 (tau - h) but for driven coordinates, where x is a
    for (int k = 0; k < b->tree->nv; k++) {
      if (b->m->tree.link[b->m->tree.dof_link[k]].is_driven) given[k] = a[k];
    }
    gen_record_inverse(b->tree, given, d->h);
    gen_record_mass(b->tree, d->M);
    gen_record_solution(b->tree, d->M, d->h, 0, x);
  }
  if (way != GEN_BY_FACTORS) sym_record_forward(b->tree, a);
  gen_restore_links(b->tree, before);

  int by_factors = try_factors;
  if (try_factors && way == GEN_CHEAPER) {
    const int factors = gen_operations(b, (int) nv, x), order_n = gen_operations(b, (int) nv, a);
    by_factors = factors <= order_n;
  }
  if (by_factors && nv > 0) memcpy(a, x, nv * sizeof *a);
  if (!by_factors) *d = (genFactors){0};
}


void gen_tree_forms(genBuild *b)
{
  const unsigned forms = GEN_INVERSE | GEN_MASS | GEN_FORWARD_LDL | GEN_FORWARD_N | GEN_KINEMATICS |
                         GEN_ENERGY | GEN_REACTIONS | GEN_REGRESSOR;
  if (!asks_for_form(b, forms)) return;
  // forms that need the parameters as they are
  if (asks_for_form(b, GEN_KINEMATICS)) gen_add_frames(b);
  if (asks_for_form(b, GEN_ENERGY)) gen_add_energy(b);
  if (asks_for_form(b, GEN_REACTIONS)) gen_add_reactions(b);
  if (asks_for_form(b, GEN_INVERSE)) {
    add_inverse(b, EQN_INVERSE_LOADED, "Joint forces for accelerations a under applied wrenches f",
                1);
  }
  if (asks_for_form(b, GEN_FORWARD_N)) {
    add_forward_n(b, EQN_FORWARD_LOADED, "Accelerations under applied wrenches f, in O(n)", 1);
  }

  const int barycentric = b->options->parameters == GEN_BARYCENTRIC;
  if (!barycentric) add_dynamics(b);
  if (!barycentric && !asks_for_form(b, GEN_REGRESSOR)) return;

  genMove *moves = gen_alloc(b, GEN_INERTIA * (size_t) b->tree->n, sizeof *moves);
  const int nmove = gen_find_moves(b, moves);
  const genLinks *before = gen_save_links(b->tree);
  gen_make_moves(b->tree, nmove, moves);
  if (barycentric) add_dynamics(b);
  if (asks_for_form(b, GEN_REGRESSOR)) add_regressor(b, nmove, moves);
  gen_restore_links(b->tree, before);
}
