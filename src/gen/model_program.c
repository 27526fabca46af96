// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Programs of a model: the build they are made in, and functions that their makers share.
#include "gen/element/wheel.h"

#include <string.h>

#include "base/ascii.h"
#include "base/memory.h"
#include "base/throw.h"
#include "element/kind.h"
#include "gen/parameter/definition.h"
#include "gen/tree/tree_equations.h"
#include "model/define/study_def.h"

//---- memory and functions ------------------------------------------------------------------------

void *gen_alloc(genBuild *b, size_t count, size_t size)
{
  return arena_alloc(&b->program->arena, count, size);
}


int *gen_copy(genBuild *b, int n, const int *node)
{
  return arena_copy(&b->program->arena, node, (size_t) n, sizeof *node);
}


void gen_leave(genBuild *b, artStatus status)
{
  b->status = status;
  error_throw();
}


void gen_must(genBuild *b, artStatus status)
{
  if (status != ART_OK) gen_leave(b, status);
}


exprPool *gen_pool(genBuild *b)
{
  return b->pool;
}


int gen_parameter(genBuild *b, double value, const char *name, int index)
{
  return sym_parameter(b->tree, value, name, index);
}


int gen_parameter_at(genBuild *b, const double *x, const char *name, int index)
{
  gen_name_definition(b, x, name, index);
  const int node = gen_parameter(b, *x, name, index);
  if (b->pool->nodes[node].op != EXPR_SYMBOL) return node;
  b->at = arena_grow(&b->work, b->at, b->nat, &b->at_capacity, sizeof *b->at);
  b->at[b->nat++] = (genPlace){node, x};
  return node;
}


int gen_number(genBuild *b, double value, const char *name, int index)
{
  if (gen_definition(b, name, index) < 0) return expr_constant(b->pool, value);
  return gen_parameter(b, value, name, index);
}


// a name that no function has so far: bodies 'a-b' and 'a_b' are one word in every language
static const char *own_function_name(eqnProgram *program, const char *name)
{
  const char *own = arena_text(&program->arena, name);
  for (int k = 2; gen_function(program, own); k++) {
    own = arena_format(&program->arena, "%s_%d", name, k);
  }
  return own;
}


eqnFunction *gen_add_named_function(genBuild *b, eqnFunctionKind kind, const char *name,
                                    const char *what, int ninput, int noutput, int nstage)
{
  ART_ASSERT(ninput >= 0 && noutput >= 0 && nstage >= 0);
  eqnProgram *program = b->program;
  program->function = arena_grow(&program->arena, program->function, program->nfunction,
                                 &b->function_room, sizeof *program->function);
  eqnFunction *f = &program->function[program->nfunction];
  *f = (eqnFunction){.kind = kind,
                     .name = own_function_name(program, name),
                     .what = arena_text(&program->arena, what),
                     .ninput = ninput,
                     .noutput = noutput,
                     .nstage = nstage};
  // `accelerate` holds corners
  if (program->nside > 0 && kind != EQN_ACCELERATE) f->given = gen_is_free(b);
  f->input = gen_alloc(b, (size_t) ninput, sizeof *f->input);
  f->output = gen_alloc(b, (size_t) noutput, sizeof *f->output);
  f->stage = gen_alloc(b, (size_t) nstage, sizeof *f->stage);
  program->nfunction++;
  return f;
}


eqnFunction *gen_add_function(genBuild *b, eqnFunctionKind kind, const char *what, int ninput,
                              int noutput, int nstage)
{
  return gen_add_named_function(b, kind, eqn_function_name(kind), what, ninput, noutput, nstage);
}


void gen_add_external(genBuild *b, const char *name, const char *what, int narg, int n)
{
  ART_ASSERT(narg >= 0 && n > 0);
  eqnProgram *p = b->program;
  p->external =
      arena_grow(&p->arena, p->external, p->nexternal, &b->external_room, sizeof *p->external);
  p->external[p->nexternal++] = (eqnExternal){name, what, narg, n, 0};
}


const eqnFunction *gen_function(const eqnProgram *program, const char *name)
{
  for (int i = 0; i < program->nfunction; i++) {
    if (strcmp(program->function[i].name, name) == 0) return &program->function[i];
  }
  return NULL;
}


const eqnFunction *gen_function_of(const eqnProgram *program, unsigned form)
{
  static const struct {
    unsigned form;
    eqnFunctionKind kind;
  } table[] = {
      {GEN_INVERSE, EQN_INVERSE},           {GEN_MASS, EQN_MASS_BIAS},
      {GEN_FORWARD_LDL, EQN_FORWARD},       {GEN_FORWARD_N, EQN_FORWARD_N},
      {GEN_LINEAR, EQN_ACCELERATE_TANGENT}, {GEN_REACTIONS, EQN_MACHINE_REACTIONS},
      {GEN_OUTPUTS, EQN_OUTPUTS},           {GEN_ENERGY, EQN_MACHINE_ENERGY},
      {GEN_ACCELERATE, EQN_ACCELERATE},     {GEN_MACHINE_INVERSE, EQN_MACHINE_INVERSE},
      {GEN_IMPLICIT, EQN_IMPLICIT},         {GEN_CONSTRAINTS, EQN_CONSTRAINTS},
      {GEN_AUGMENTED, EQN_AUGMENTED},       {GEN_REGRESSOR, EQN_REGRESSOR},
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (form & table[k].form) return eqn_function(program, table[k].kind);
  }
  return program->nfunction > 0 ? &program->function[0] : NULL;
}

//---- vectors -------------------------------------------------------------------------------------

eqnVector gen_vector(genBuild *b, const char *name, const char *what, int n, const int *node,
                     const char *const *label)
{
  baseArena *arena = &b->program->arena;
  eqnVector x = {.name = arena_text(arena, name), .what = arena_text(arena, what), .n = n};
  x.node = arena_copy(arena, node, (size_t) n, sizeof *node);
  if (label) x.label = gen_alloc(b, (size_t) n, sizeof *x.label);
  for (int i = 0; label && i < n; i++) x.label[i] = arena_text(arena, label[i]);
  return x;
}


// a vector over coordinates, with their names
static eqnVector coordinate_vector(genBuild *b, const char *name, const char *what, int n,
                                   const int *node, const modelCoordinate *list)
{
  const char **label = gen_alloc(b, (size_t) n, sizeof *label);
  for (int k = 0; k < n; k++) label[k] = list[k].name;
  return gen_vector(b, name, what, n, node, label);
}


eqnVector gen_along_velocities(genBuild *b, const char *name, const char *what, const int *node)
{
  return coordinate_vector(b, name, what, b->tree->nv, node, b->m->velocity);
}


static eqnVector gen_time(genBuild *b)
{
  return gen_vector(b, "t", "time, s", 1, &b->time, NULL);
}


eqnVector gen_positions(genBuild *b)
{
  return coordinate_vector(b, "q", "positions, m or rad", b->tree->nq, b->tree->q, b->m->position);
}


eqnVector gen_velocities(genBuild *b)
{
  return gen_along_velocities(b, "v", "velocities, m/s or rad/s", b->tree->v);
}


eqnVector gen_states(genBuild *b, const char *name, const char *what, const int *node)
{
  const char **label = gen_alloc(b, (size_t) b->m->nstate, sizeof *label);
  for (int i = 0; i < b->m->nstate; i++) label[i] = b->m->state[i].name;
  return gen_vector(b, name, what, b->m->nstate, node, label);
}


eqnVector gen_held_values(genBuild *b)
{
  const char **label = gen_held_names(b);
  return gen_vector(b, "u", "inputs, then held numbers of samplers and sides of relays", b->nheld,
                    b->held, label);
}


int gen_state_inputs(genBuild *b, eqnVector *input)
{
  int n = 0;
  input[n++] = gen_time(b);
  input[n++] = gen_positions(b);
  input[n++] = gen_velocities(b);
  if (b->m->nstate > 0) {
    input[n++] = gen_states(
        b, "state", "states of blocks, of the section states, and of elements, as slips", b->state);
  }
  if (b->nheld > 0) input[n++] = gen_held_values(b);
  if (b->program->nside > 0) input[n++] = gen_sides(b);
  return n;
}


eqnVector gen_accelerations(genBuild *b, const int *a)
{
  return gen_along_velocities(b, "a", "accelerations, m/s^2 or rad/s^2", a);
}


eqnVector gen_impacts(genBuild *b)
{
  return gen_vector(b, "impact", "added to accelerations of drives", b->m->ndrive, b->impact, NULL);
}


eqnVector gen_joint_forces(genBuild *b)
{
  return coordinate_vector(b, "tau", "joint forces, N or N m", b->tree->nv, b->tree->tau,
                           b->m->velocity);
}

//---- the program ---------------------------------------------------------------------------------

// words that mean something in one of the languages and that a machine might be called
int gen_is_reserved(const char *word)
{
  static const char *const reserved[] = {
      "auto",      "bool",         "complex",     "delete",   "explicit",   "export",
      "extern",    "friend",       "inline",      "linux",    "mutable",    "namespace",
      "none",      "operator",     "register",    "restrict", "signed",     "sizeof",
      "struct",    "template",     "typedef",     "typename", "union",      "unix",
      "unsigned",  "using",        "virtual",     "volatile", "wchar_t",    "xor",
      "abstract",  "and",          "as",          "assert",   "async",      "await",
      "boolean",   "break",        "byte",        "case",     "catch",      "char",
      "class",     "classdef",     "const",       "continue", "def",        "default",
      "del",       "do",           "double",      "elif",     "else",       "elseif",
      "end",       "endfor",       "endfunction", "endif",    "endswitch",  "endwhile",
      "enum",      "except",       "extends",     "false",    "final",      "finally",
      "float",     "for",          "from",        "function", "global",     "goto",
      "if",        "implements",   "import",      "in",       "instanceof", "int",
      "interface", "is",           "lambda",      "long",     "math",       "model",
      "native",    "new",          "nonlocal",    "not",      "null",       "or",
      "otherwise", "package",      "parfor",      "pass",     "permits",    "persistent",
      "private",   "protected",    "public",      "raise",    "record",     "return",
      "sealed",    "short",        "spmd",        "static",   "strictfp",   "super",
      "switch",    "synchronized", "this",        "throw",    "throws",     "transient",
      "true",      "try",          "until",       "var",      "void",       "while",
      "with",      "yield"};
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
    if (strcmp(word, reserved[i]) == 0) return 1;
  }
  return 0;
}


// the title as a word that every language takes: letters, digits and underscores, not too long
static const char *title_word_of(baseArena *arena, const char *title)
{
  enum { LONGEST = 32 };
  char *word = arena_text(arena, title && *title ? title : "machine");
  int n = 0;
  for (const char *c = word; *c; c++) {
    const int kept = ascii_is_word((unsigned char) *c) && (unsigned char) *c < 128;
    if (kept) {
      word[n++] = (char) ascii_lower((unsigned char) *c);
    } else if (n > 0 && word[n - 1] != '_') {
      word[n++] = '_';
    }
  }
  if (n > LONGEST) n = LONGEST;
  while (n > 0 && word[n - 1] == '_') n--;
  word[n] = 0;
  if (n == 0) return arena_text(arena, "machine");
  const int is_word = !ascii_is_digit((unsigned char) word[0]) && !gen_is_reserved(word);
  return is_word ? word : arena_format(arena, "model_%s", word);
}


// parameters that are numbers though nobody has named them
static const char *frozen_text(eqnProgram *program)
{
  enum { NAMED = 8 };
  const char *text =
      program->nfrozen > 0 ? "; parameters that are numbers here, for what they reach" : "";
  for (int i = 0; i < program->nfrozen && i < NAMED; i++) {
    const eqnFrozen *x = &program->frozen[i];
    text = arena_format(&program->arena, "%s%s %s (%s)", text, i > 0 ? "," : ":", x->name, x->what);
  }
  if (program->nfrozen > NAMED) {
    text = arena_format(&program->arena, "%s and %d more", text, program->nfrozen - NAMED);
  }
  return text;
}


// moments of links follow from masses, centres of mass and inertias of bodies, or are numbers
static int is_moment(const genBuild *b, const char *name)
{
  int k = 0;
  while (k < GEN_INERTIA && strcmp(name, gen_inertia_name[k]) != 0) k++;
  return k < GEN_INERTIA && b->definitions && !b->options->fixed_bodies;
}


// names by which a parameter can be frozen: "px_3", or "px" for all links
static int is_frozen_parameter(void *context, const char *name, int index)
{
  genBuild *b = context;
  const genOptions *o = b->options;
  int found = 0;
  for (int i = 0; i < o->nfreeze; i++) {
    if (!gen_means_constant(b, o->freeze[i], name, index)) continue;
    if (o->frozen) o->frozen[i] = 1;
    found = 1;
  }
  return found || is_moment(b, name);
}


artStatus gen_check_frozen(const eqnProgram *program, const genOptions *o, artError *error)
{
  for (int i = 0; i < o->nfreeze && o->frozen; i++) {
    if (!o->frozen[i]) {
      const char *word = o->freeze[i];
      char hint[BASE_HINT_LENGTH], list[200] = "";
      const char *last = "";
      baseNearest nearest = {.word = word};
      for (int k = 0; k < program->parameter.n; k++) {
        const char *name = program->user[k].name;
        base_consider(&nearest, name);
        if (program->parameter.label) base_consider(&nearest, program->parameter.label[k]);
        const size_t used = strlen(list);
        if (strcmp(name, last) == 0 || strstr(list, name) || used > 100) continue;
        snprintf(list + used, sizeof list - used, "%s%.60s", used ? ", " : "; there is ", name);
        last = name;
      }
      return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "'%.60s' is to be frozen and is not a parameter of these equations%s", word,
                       nearest.best ? base_hint(&nearest, hint) : list);
    }
  }
  return ART_OK;
}


static int is_alike_parameter(void *context, const char *name, int i, int j)
{
  (void) context;
  return gen_are_alike(name, i, j);
}


static int *filled_nodes(genBuild *b, int n, int value)
{
  int *x = gen_alloc(b, (size_t) n, sizeof *x);
  for (int i = 0; i < n; i++) x[i] = value;
  return x;
}


int gen_slot_count(const artModel *m)
{
  return m->nquantity + m->nparameter + (m->records ? m->records->live.count : 0);
}


static void take_build_work(genBuild *b)
{
  const int n = b->tree->n, nv = b->tree->nv;
  gen_find_words(b);
  b->time = expr_symbol(b->pool, "t", 0);
  if (b->options->modes) {
    b->mode = filled_nodes(b, b->m->nmode, 0);
    for (int i = 0; i < b->m->nmode; i++) b->mode[i] = expr_symbol(b->pool, "mode", i);
  } else if (b->options->relays) {
    b->mode = filled_nodes(b, b->m->nmode, -1);
    b->nlatch = b->options->latches ? b->m->nlatch : 0;
    for (int i = 0; i < b->nlatch; i++) b->nhold += gen_hold_count(b->m->latch[i].type);
    gen_find_relays(b);
    if (b->options->masks) gen_take_locks(b);
  }
  if (b->options->impacts) {
    b->impact = filled_nodes(b, b->m->ndrive, 0);
    for (int i = 0; i < b->m->ndrive; i++) b->impact[i] = expr_symbol(b->pool, "impact", i);
  }
  b->world = gen_alloc(b, (size_t) n, sizeof *b->world);
  b->velocity = gen_alloc(b, (size_t) n, sizeof *b->velocity);
  b->slot = filled_nodes(b, gen_slot_count(b->m), -1);
  b->value = filled_nodes(b, b->m->nvalue, -1);
  b->tau = filled_nodes(b, nv, 0);
  b->state = filled_nodes(b, b->m->nstate, 0);
  b->state_rate = filled_nodes(b, b->m->nstate, 0);
  for (int i = 0; i < b->m->nstate; i++) b->state[i] = expr_symbol(b->pool, "state", i);
  b->nheld = b->m->nheld + b->nhold + b->nrelay + b->nlatch;
  b->held = filled_nodes(b, b->nheld, 0);
  for (int i = 0; i < b->nheld; i++) b->held[i] = expr_symbol(b->pool, "u", i);
  b->hold = b->nhold > 0 ? b->held + b->m->nheld : NULL;
  b->applied = gen_alloc(b, (size_t) n, sizeof *b->applied);
  b->wheel = gen_alloc(b, (size_t) b->m->nelement, sizeof *b->wheel);
  b->road = filled_nodes(b, b->m->nroad, -1);
  b->function = filled_nodes(b, b->m->nfunction, -1);
  for (int k = 0; k < 3; k++) b->drive[k] = filled_nodes(b, b->m->ndrive, 0);
  sym_record_world(b->tree, (int *) b->world);
  sym_record_velocity(b->tree, (int *) b->velocity);
}


static int number_node(void *b, const double *number)
{
  return gen_number_at(b, number, "given");
}


static artStatus check_inertia(const artModel *m, artData *d, unsigned forms, artError *error)
{
  int k = -1;
  if (!(forms & GEN_NEED_INERTIA)) return ART_OK;
  if (!gen_find_massless(m, d, &k)) return base_no_memory(error);
  if (k < 0 || m->nrow > 0) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "'%s' moves no mass, so that the forms forward and forward-n do not exist",
                   m->velocity[k].name);
}


// the form with multipliers is written otherwise then
static void find_massless(genBuild *b)
{
  int k = -1;
  if (!(b->options->forms & GEN_AUGMENTED)) return;
  if (!gen_find_massless(b->m, b->d, &k)) error_throw();
  b->has_massless = k >= 0;
}


// Where loops hold coordinates that move no mass, forms of the bare tree take their accelerations like a drive's.
static void find_given_links(genBuild *b)
{
  const artModel *m = b->m;
  int massless = -1;
  b->given = gen_alloc(b, (size_t) m->tree.n, 1);
  for (int i = 0; i < m->tree.n; i++) b->given[i] = (unsigned char) m->tree.link[i].is_driven;
  if (m->nrow == 0 || !(b->options->forms & (GEN_FORWARD_LDL | GEN_FORWARD_N))) return;
  if (!gen_find_given(m, b->d, b->given, &massless)) error_throw();
  for (int i = 1; i < m->tree.n; i++) {
    if (b->given[i]) gen_give(b->tree, i);
  }
  if (massless < 0) return;
  gen_leave(b, base_fail(b->error, ART_BAD_INPUT, base_nowhere(),
                         "with open loops '%s' moves no mass, so that the form forward does not "
                         "exist; 'accelerate' closes the loops",
                         m->velocity[massless].name));
}


// The nearest point of a road takes more corrections the larger the ball is in its valleys.
static artStatus refuse_large_ball(const modelElement *e, artError *error)
{
  static const double LARGEST = 0.25;
  const contactSide *side = e->contact->side;
  const contactSide *road = side[0].road ? &side[0] : &side[1],
                    *ball = road == side ? side + 1 : side;
  if (!road->road || !(road->valley * ball->radius > LARGEST)) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, e->place,
                   "generated equations: the radius %g m of '%s' at contact '%s' is more than a "
                   "quarter of the least one of the valleys, %g m; make it smaller",
                   ball->radius, ball->surface->name, e->name, 1 / road->valley);
}


// The features of polyhedra that touch are chosen by numbers.
static artStatus refuse_hulls(const artModel *m, artError *error)
{
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (!element_surfaces_key(e->type)) continue;
    const artStatus status = refuse_large_ball(e, error);
    if (status != ART_OK) return status;
    const contactSide *side = e->contact->side;
    const int first = e->contact->first;
    if (side[0].shape != CONTACT_HULL && side[1].shape != CONTACT_HULL &&
        !contact_is_convex(side[first].shape, side[!first].shape))
      continue;
    return base_fail(error, ART_BAD_INPUT, e->place,
                     "generated equations: not for contact '%s' of '%s' and '%s', whose nearest "
                     "features are chosen by numbers; put points or spheres on one of the "
                     "bodies instead",
                     e->name, side[0].surface->name, side[1].surface->name);
  }
  return ART_OK;
}


// contacts that are found by iteration
static artStatus refuse_searched_rolls(const artModel *m, artError *error)
{
  const int i = model_find_searched_roll(m);
  if (i < 0) return ART_OK;
  const modelJoint *joint = &m->joint[m->cut[m->roll[i].cut].joint];
  return base_fail(error, ART_BAD_INPUT, joint->place,
                   "generated equations: not for '%s', whose point of contact is found by "
                   "iteration, as on roads, and of discs on cylinders and cones",
                   joint->name);
}


static artStatus check_loops(const artModel *m, const genOptions *options, artError *error)
{
  static const struct {
    unsigned form;
    const char *what;
  } loops_alone[] = {{GEN_AUGMENTED, "the form augmented"}, {GEN_IMPLICIT, "the form implicit"}};
  artStatus possible = model_refuse_rigid(m, "generated equations", error);
  if (possible == ART_OK) possible = refuse_hulls(m, error);
  if (possible == ART_OK) possible = refuse_searched_rolls(m, error);
  if (possible != ART_OK) return possible;
  for (size_t k = 0; k < sizeof loops_alone / sizeof *loops_alone; k++) {
    if (!(options->forms & loops_alone[k].form)) continue;
    const artStatus status = model_refuse_rolls(m, loops_alone[k].what, error);
    if (status != ART_OK) return status;
  }
  if (!model_has_names(options->independent) || m->nrow > 0) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "independent coordinates are chosen by hand where loops are closed, and this "
                   "machine has none");
}


exprPool *gen_create_pool(void)
{
  exprPool *pool = expr_create(EXPR_SIMPLIFY);
  if (!pool) error_throw();
  pool->leaves = 1;
  return pool;
}


static void make_program(void *context)
{
  genBuild *b = context;
  const genOptions *options = b->options;
  const symOptions constants = {options->freeze_all ? SYM_NUMBERS : SYM_PARAMETERS,
                                is_frozen_parameter, options->share ? is_alike_parameter : NULL,
                                gen_definition, b};
  b->pool = b->program->pool = gen_create_pool();
  expr_use(b->pool);
  b->program->arena.leaves = b->scratch.leaves = b->work.leaves = 1;
  gen_find_owners(b);
  gen_open_definitions(b);
  b->tree = sym_tree_create(b->pool, &b->m->tree, &constants);
  if (!b->tree) error_throw();
  eqnProgram *program = b->program;
  const artModel *m = b->m;
  const char *name = options->name;
  program->name = name && !gen_is_reserved(name)
                      ? arena_text(&program->arena, name)
                      : title_word_of(&program->arena, name ? name : m->title);
  program->title = arena_text(&program->arena, m->title);
  program->source = arena_format(
      &program->arena, "model %016llx%s%s", art_model_hash(m),
      m->nlatch > 0 && !options->latches ? ", with the latches that are engaged at the start" : "",
      frozen_text(program));
  take_build_work(b);
  find_massless(b);
  find_given_links(b);
  const unsigned machine = GEN_MACHINE_FORWARD | GEN_MACHINE_BACKWARD;
  sym_use_numbers(number_node, b);
  gen_tree_forms(b);
  if (b->options->forms & machine) gen_machine(b);
  gen_name_machine(b);
  if (b->options->tangents || b->options->forms & GEN_LINEAR) gen_tangents(b);
  gen_list_parameters(b);
  gen_check_definitions(b);
  gen_title_links(b);
}


artStatus gen_create(eqnProgram **out, const artModel *m, artData *d, const genOptions *options,
                     artError *error)
{
  *out = NULL;
  artStatus status = check_inertia(m, d, options->forms, error);
  if (status == ART_OK) status = check_loops(m, options, error);
  if (status != ART_OK) return status;
  genBuild b = {.m = m, .d = d, .options = options, .error = error};
  b.program = MEM_ARRAY(eqnProgram, 1);
  if (!b.program) return base_no_memory(error);
  exprPool *before = expr_use(NULL);
  const bool is_made = error_catch(make_program, &b);
  expr_use(before);
  sym_use_numbers(NULL, NULL);
  sym_tree_free(b.tree);
  arena_free(&b.work);
  arena_free(&b.scratch);
  b.program->arena.leaves = 0;
  if (is_made) {
    b.pool->leaves = 0;
    if (b.program->definitions) b.program->definitions->leaves = 0;
    *out = b.program;
    return ART_OK;
  }
  gen_free(b.program);
  return b.status != ART_OK ? b.status : base_no_memory(error);
}


void gen_free(eqnProgram *program)
{
  if (!program) return;
  arena_free(&program->arena);
  expr_free(program->pool);
  expr_free(program->definitions);
  mem_free(program);
}
