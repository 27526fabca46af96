// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Remarks on parameters: the user's names of their owners.
#include "gen/build.h"

#include <string.h>

#include "base/hash.h"
#include "element/kind.h"
#include "model/read/reader.h"

// Kinds of objects that the index of a parameter counts, by how its name begins.
typedef enum commentKind {
  OF_LINK,
  OF_BODY,
  OF_FRAME,
  OF_ELEMENT,
  OF_CUT,
  OF_RELATION,
  OF_DRIVE,
  OF_ALL
} commentKind;

typedef struct commentRule {
  const char *beginning;
  commentKind kind;
  const char *what;
  int each;         // parameters of the name that one owner has
  const char *word; // what names of parameters have after the owner's: "elbow.place.x"
  const char *unit; // NULL: its owner has it
} commentRule;

// Quantities of elements and drives that are measured like their coordinate. Coefficients of laws are that by `per` to the power of
// the coefficient.
typedef struct ownQuantity {
  const char *beginning;
  keyQuantity quantity, per;
} ownQuantity;

// coefficients of a law that names count
enum { LAW_COEFFICIENTS = 16 };

// the first that fits
static const commentRule rules[] = {
    {"point_", OF_FRAME, "point", 1, "point", "m"},
    {"free_length", OF_ELEMENT, "free length", 1, "free_length", "m"},
    {"rest", OF_ELEMENT, "position at rest", 1, "rest", NULL},
    {"stop_stiffness", OF_ELEMENT, "stop", 1, "stop.stiffness", NULL},
    {"stop_damping", OF_ELEMENT, "stop", 1, "stop.damping", NULL},
    {"stop_", OF_ELEMENT, "stop", 1, "stop", NULL},
    {"friction_stribeck", OF_ELEMENT, "friction", 1, "friction.stribeck", NULL},
    {"friction_creep", OF_ELEMENT, "friction", 1, "friction.creep", NULL},
    {"friction_viscous", OF_ELEMENT, "friction", 1, "friction.viscous", NULL},
    {"friction_", OF_ELEMENT, "friction", 1, "friction", NULL},
    {"spring", OF_ELEMENT, "spring", LAW_COEFFICIENTS, "spring", NULL},
    {"damper", OF_ELEMENT, "damper", LAW_COEFFICIENTS, "damper", NULL},
    {"factor", OF_ELEMENT, "factor of a coordinate", MODEL_LONGEST_RELATION, "factor", NULL},
    {"drag_half", OF_ELEMENT, "half of density times area", 1, "half_density_area", "kg/m"},
    {"drag_lift", OF_ELEMENT, "half of density times area times lift", 1, "half_density_area_lift",
     "kg/m"},
    {"drag_", OF_ELEMENT, "coefficient of drag", 1, "drag", "1"},
    {"wind_", OF_ELEMENT, "velocity of the air", 1, "wind", "m/s"},
    {"tyre_relaxation_", OF_ELEMENT, "relaxation length", 1, "relaxation", "m"},
    {"tyre_radius", OF_ELEMENT, "free radius", 1, "radius", "m"},
    {"tyre_stiffness", OF_ELEMENT, "radial stiffness", 1, "stiffness", "N/m"},
    {"tyre_damping", OF_ELEMENT, "radial damping", 1, "damping", "N s/m"},
    {"tyre_load", OF_ELEMENT, "nominal load", 1, "load", "N"},
    {"tyre_slip", OF_ELEMENT, "stiffness of longitudinal slip", 1, "tyre.slip", "N"},
    {"tyre_cornering", OF_ELEMENT, "cornering stiffness", 1, "tyre.cornering", "N/rad"},
    {"tyre_camber", OF_ELEMENT, "camber stiffness", 1, "tyre.camber", "N/rad"},
    {"tyre_trail", OF_ELEMENT, "pneumatic trail", 1, "tyre.trail", "m"},
    {"tyre_friction", OF_ELEMENT, "friction of the tyre", 1, "tyre.friction", "1"},
    {"offset2_", OF_ELEMENT, "place of the second surface on its frame", 1, "offset2", "m"},
    {"offset_", OF_ELEMENT, "place of the first surface on its frame", 1, "offset", "m"},
    {"half2_", OF_ELEMENT, "half length of the second surface", 1, "half2", "m"},
    {"half_", OF_ELEMENT, "half length of the first surface", 1, "half", "m"},
    {"top2", OF_ELEMENT, "upper radius of the second surface", 1, "top2", "m"},
    {"top", OF_ELEMENT, "upper radius of the first surface", 1, "top", "m"},
    {"tube2", OF_ELEMENT, "radius of the tube of the second surface", 1, "tube2", "m"},
    {"tube", OF_ELEMENT, "radius of the tube of the first surface", 1, "tube", "m"},
    {"radius2", OF_ELEMENT, "radius of the second surface", 1, "radius2", "m"},
    {"radius", OF_ELEMENT, "radius of the first surface", 1, "radius", "m"},
    {"drive", OF_DRIVE, "drive", LAW_COEFFICIENTS, "drive", NULL},
    {"rod_mass", OF_CUT, "two thirds of the mass", 1, "two_thirds_of_mass", "kg"},
    {"rod_length", OF_CUT, "length", 1, "length", "m"},
    {"from_R", OF_CUT, "orientation on the first of its bodies", 1, "from.orientation", "1"},
    {"from_", OF_CUT, "place on the first of its bodies", 1, "from", "m"},
    {"to_R", OF_CUT, "orientation on the second of its bodies", 1, "to.orientation", "1"},
    {"to_", OF_CUT, "place on the second of its bodies", 1, "to", "m"},
    {"axis2_", OF_CUT, "second axis", 1, "axis2", "1"},
    {"surface_radius", OF_CUT, "radius of its surface", 1, "surface_radius", "m"},
    {"cone_sine", OF_CUT, "sine of the half angle", 1, "sine", "1"},
    {"cone_cosine", OF_CUT, "cosine of the half angle", 1, "cosine", "1"},
    {"cut_pitch", OF_CUT, "advance in a radian", 1, "pitch", "m/rad"},
    {"frame_R", OF_FRAME, "orientation", 1, "orientation", "1"},
    {"frame_", OF_FRAME, "place of the origin", 1, "origin", "m"},
    {"baumgarte_stiffness", OF_ALL, "pulls openings of loops back, 1/s^2", 1, "baumgarte.stiffness",
     "1/s^2"},
    {"baumgarte_damping", OF_ALL, "damps rates of openings of loops, 1/s", 1, "baumgarte.damping",
     "1/s"},
    {"actuator_weight", OF_ALL, "weight of the square of this actuator's force", 1,
     "actuator_weight", "1"},
    {"air_pressure", OF_ELEMENT, "air spring", 1, "air.pressure", "Pa"},
    {"air_ambient", OF_ELEMENT, "air spring", 1, "air.ambient", "Pa"},
    {"air_volume", OF_ELEMENT, "air spring", 1, "air.volume", "m^3"},
    {"air_", OF_ELEMENT, "air spring", 1, "air", NULL},
    {"coupling_constant", OF_RELATION, "constant", 1, "constant", NULL},
    {"coupling", OF_RELATION, "coefficient", 64, "coefficient", NULL},
    {"call", OF_ELEMENT, "parameter of the function", FUNCTION_PARAMETERS, "parameter", "SI"},
    {"relation", OF_RELATION, "parameter of the function", FUNCTION_PARAMETERS, "parameter", "SI"},
    {"mass", OF_BODY, "mass", 1, "mass", "kg"},
    {"hx", OF_BODY, "mass times centre of mass", 1, "moment.x", "kg m"},
    {"hy", OF_BODY, "mass times centre of mass", 1, "moment.y", "kg m"},
    {"hz", OF_BODY, "mass times centre of mass", 1, "moment.z", "kg m"},
    {"J", OF_BODY, "moment of inertia about the joint", 1, "inertia_at_joint", "kg m^2"},
    {"px", OF_LINK, "place", 1, "place.x", "m"},
    {"py", OF_LINK, "place", 1, "place.y", "m"},
    {"pz", OF_LINK, "place", 1, "place.z", "m"},
    {"R", OF_LINK, "orientation", 1, "orientation", "1"},
    {"rotor", OF_LINK, "inertia of the rotor", 1, "rotor", NULL},
    {"pitch", OF_LINK, "advance in a radian", 1, "pitch", "m/rad"},
    {"g", OF_ALL, "gravity", 1, "gravity", "m/s^2"},
    {NULL, OF_ALL, NULL, 1, NULL, NULL},
};


static const ownQuantity own_quantities[] = {
    {"rest", Q_X, Q_NUMBER},
    {"stop_stiffness", Q_X_STIFFNESS, Q_NUMBER},
    {"stop_damping", Q_X_DISSIPATION, Q_NUMBER},
    {"stop_", Q_X, Q_NUMBER},
    {"friction_stribeck", Q_X_RATE, Q_NUMBER},
    {"friction_creep", Q_X_RATE, Q_NUMBER},
    {"friction_viscous", Q_X_DAMPING, Q_NUMBER},
    {"friction_", Q_X_FORCE, Q_NUMBER},
    {"spring", Q_X_FORCE, Q_X},
    {"damper", Q_X_FORCE, Q_X_RATE},
    {"drive", Q_X, Q_TIME},
    {"air_", Q_X_AREA, Q_NUMBER},
    {"factor", Q_NUMBER, Q_NUMBER},
    {NULL, Q_NUMBER, Q_NUMBER},
};


static int name_begins(const char *name, const char *beginning)
{
  return strncmp(name, beginning, strlen(beginning)) == 0;
}


static ownQuantity own_quantity(const char *name)
{
  const ownQuantity *own = own_quantities;
  while (own->beginning && !name_begins(name, own->beginning)) own++;
  return *own;
}


// parameters of a kind of element alone, NULL: it is none of these
static const elementParameter *kind_parameter(const char *name)
{
  for (int i = 0; reader_forms_force[i]; i++) {
    const elementParameter *own = element_of_form(reader_forms_force[i])->parameters;
    while (own && own->beginning && !name_begins(name, own->beginning)) own++;
    if (own && own->beginning) return own;
  }
  return NULL;
}


// the general rules, then the parameters of a kind of element alone
static commentRule rule_of(const char *name)
{
  const commentRule *rule = rules;
  while (rule->beginning && !name_begins(name, rule->beginning)) rule++;
  const elementParameter *own = rule->beginning ? NULL : kind_parameter(name);
  if (!own) return *rule;
  return (commentRule){own->beginning, OF_ELEMENT, own->help, own->each, own->word, NULL};
}


void gen_find_owners(genBuild *b)
{
  const artModel *m = b->m;
  const size_t n = (size_t) m->tree.n;
  b->joint_of = gen_alloc(b, n, sizeof *b->joint_of);
  b->body_of = gen_alloc(b, n, sizeof *b->body_of);
  for (int j = m->njoint - 1; j >= 0; j--) {
    const modelJoint *joint = &m->joint[j];
    for (int k = 0; !joint->is_cut && k < joint->nlink; k++) {
      b->joint_of[joint->link + k] = joint->name;
    }
  }

  // bodies that are fixed to one another share a link: the first of them
  for (int i = m->nbody - 1; i >= 0; i--) b->body_of[m->body[i].link] = m->body[i].name;
}


static const char *latch_name(const artModel *m, int i)
{
  return i < m->nlatch ? m->latch[i].name : NULL;
}


static const char *parameter_owner(const genBuild *b, commentKind kind, int i)
{
  const artModel *m = b->m;
  switch (kind) {
  case OF_LINK: return i < m->tree.n ? b->joint_of[i] : NULL;
  case OF_BODY: return i < m->tree.n ? b->body_of[i] : NULL;
  case OF_FRAME: return i < m->nframe ? m->frame[i].name : NULL;
  case OF_ELEMENT: return i < m->nelement ? m->element[i].name : NULL;
  case OF_DRIVE: return i < m->ndrive ? m->velocity[m->drive[i].velocity].name : NULL;
  case OF_CUT:
    if (i >= m->own_cuts) return latch_name(m, i - m->own_cuts);
    return m->joint[m->cut[i].joint].name;
  case OF_RELATION:
    return i < m->own_relations ? m->relation[i].name : latch_name(m, i - m->own_relations);
  case OF_ALL: break;
  }
  return NULL;
}


int gen_are_alike(const char *name, int i, int j)
{
  const int each = rule_of(name).each;
  return i % each == j % each;
}


static const char *comment_of_one(genBuild *b, const char *name, int index)
{
  const commentRule rule = rule_of(name);
  if (!rule.what) return NULL;
  const char *of = parameter_owner(b, rule.kind, index / rule.each);
  if (!of) return rule.kind == OF_ALL ? rule.what : NULL;
  static const char *const word[] = {
      [OF_LINK] = "joint",       [OF_BODY] = "body",        [OF_FRAME] = "frame",
      [OF_ELEMENT] = "force",    [OF_DRIVE] = "coordinate", [OF_CUT] = "joint",
      [OF_RELATION] = "coupling"};
  return arena_format(&b->program->arena, "%s, %s '%s'", rule.what, word[rule.kind], of);
}


const char *gen_parameter_comment(genBuild *b, int k)
{
  ART_ASSERT(k >= 0 && k < b->tree->parameter_count);
  const exprNode *symbol = &b->pool->nodes[b->tree->parameter[k]];
  // the others that share it, the first of them by name
  const char *remark = comment_of_one(b, symbol->name, symbol->index);
  enum { NAMED = 3 };
  const symTree *s = b->tree;
  const commentRule rule = rule_of(symbol->name);
  int others = 0;
  for (int i = 0; i < s->shared_count; i++) {
    if (s->shared[i].parameter != k || others++ >= NAMED) continue;
    const int index = s->shared[i].index;
    const char *of = rule.what ? parameter_owner(b, rule.kind, index / rule.each) : NULL;
    const char *before = remark ? remark : "", *joint = others > 1 ? ", "
                                                        : remark   ? "; also "
                                                                   : "also ";
    remark = of ? arena_format(&b->program->arena, "%s%s'%s'", before, joint, of)
                : arena_format(&b->program->arena, "%s%s%s_%d", before, joint, symbol->name, index);
  }
  return others > NAMED ? arena_format(&b->program->arena, "%s and %d more", remark, others - NAMED)
                        : remark;
}


//---- names ---------------------------------------------------------------------------------------

// what is left of a name behind the beginning of its rule: "x" of "from_x", "xx" of "Jxx", "coulomb" of "friction_coulomb"
static const char *rest_of_name(const commentRule *rule, const char *name)
{
  const char *rest = name + strlen(rule->beginning);
  return *rest == '_' ? rest + 1 : rest;
}


// a law in one piece that is a slope alone
static int is_slope(const forceLaw *law)
{
  return law && law->nsegment == 1 && law->degree == 1 && law->c[0] == 0;
}


// number k of an owner: "springs.rz.c3", "stiffness.x.ry", "coefficient.2"
static const char *counted_word(genBuild *b, const commentRule *rule, const char *name, int i,
                                int k)
{
  static const char *const direction[6] = {"x", "y", "z", "rx", "ry", "rz"};
  baseArena *arena = &b->program->arena;
  const elementParameter *own = kind_parameter(name);
  const keyQuantity per = own_quantity(name).per;
  if (own && own->form == PARAMETER_ROW) {
    return arena_format(arena, "%s.%s", rule->word, direction[k]);
  }
  if (own && own->form == PARAMETER_MATRIX) {
    const int is_diagonal = k / 6 == k % 6;
    return arena_format(arena, "%s.%s%s%s", rule->word, direction[k / 6], is_diagonal ? "" : ".",
                        is_diagonal ? "" : direction[k % 6]);
  }
  if (own) {
    return arena_format(arena, "%s.%s.c%d", rule->word, direction[k / LAW_COEFFICIENTS % 6],
                        k % LAW_COEFFICIENTS);
  }
  if (per == Q_NUMBER) return arena_format(arena, "%s.%d", rule->word, k + 1);
  if (rule->kind == OF_ELEMENT && k == 1) {
    const modelElement *e = &b->m->element[i];
    if (per == Q_X && is_slope(e->spring)) return "stiffness";
    if (per == Q_X_RATE && is_slope(e->damper)) return "damping";
  }
  return arena_format(arena, "%s.c%d", rule->word, k);
}


const char *gen_constant_name(genBuild *b, const char *name, int index)
{
  baseArena *arena = &b->program->arena;
  const commentRule rule = rule_of(name);
  const int i = rule.what ? index / rule.each : 0;
  const char *of = rule.what ? parameter_owner(b, rule.kind, i) : NULL;
  if (!rule.what || (!of && rule.kind != OF_ALL)) return arena_format(arena, "%s_%d", name, index);
  const char *rest = rest_of_name(&rule, name);
  const char *word = rule.each > 1 ? counted_word(b, &rule, name, i, index % rule.each) : rule.word;
  return arena_format(arena, "%s%s%s%s%s", of ? of : "", of && *word ? "." : "", word,
                      *rest ? "." : "", rest);
}

//---- units ---------------------------------------------------------------------------------------

static baseDimension power_of(baseDimension of, int k)
{
  baseDimension all = UNIT_NUMBER;
  for (int i = 0; i < k; i++) all = unit_product(all, of, 1);
  return all;
}


// angles have no dimension of their own
static const char *unit_text(genBuild *b, baseDimension d, int is_turn)
{
  char name[UNIT_NAME_LENGTH];
  if (is_turn && d.kg == 0 && d.m == 0 && d.s == 0) return "rad";
  if (is_turn && d.kg == 0 && d.m == 0 && d.s == -1) return "rad/s";
  return arena_text(&b->program->arena, unit_name(d, name));
}


// force or torque by displacement or turn
static baseDimension pair_dimension(const elementParameter *own, int k)
{
  const baseDimension rate = unit_product(UNIT_NUMBER, UNIT_TIME, -1);
  const int by = own->form == PARAMETER_LAWS ? k / LAW_COEFFICIENTS % 6 : k % 6;
  const int of = own->form == PARAMETER_MATRIX ? k / 6 : by;
  const int power =
      own->form == PARAMETER_LAWS ? k % LAW_COEFFICIENTS : own->form == PARAMETER_MATRIX;
  baseDimension per = by < 3 ? UNIT_LENGTH : UNIT_NUMBER;
  if (own->is_by_rates) per = unit_product(per, rate, 1);
  return unit_product(of < 3 ? UNIT_FORCE : UNIT_TORQUE, power_of(per, power), -1);
}


// the dimension of the quantity that a coupling keeps: of its first coordinate with the factor 1
static baseDimension kept_dimension(const artModel *m, const modelRelation *r)
{
  for (int i = 0; r->coefficient && i < r->n; i++) {
    if (r->coefficient[i] == 1) return m->position[r->position[i]].dimension;
  }
  return m->position[r->position[0]].dimension;
}


const char *gen_constant_unit(genBuild *b, const char *name, int index)
{
  const artModel *m = b->m;
  const commentRule rule = rule_of(name);
  const int i = rule.what ? index / rule.each : 0, k = rule.what ? index % rule.each : 0;
  if (!rule.what) return "SI";
  if (rule.unit) return rule.unit;
  if (rule.kind == OF_ELEMENT && i < m->nelement) {
    const modelElement *e = &m->element[i];
    const ownQuantity own = own_quantity(name);
    if (!own.beginning) return unit_text(b, pair_dimension(kind_parameter(name), k), 0);
    const fieldAxis axis = model_element_axis(m, e);
    const fieldAxis along = axis == AXIS_UNKNOWN ? AXIS_LINEAR : axis;
    if (own.quantity == Q_NUMBER) {
      const baseDimension first = m->velocity[e->term[0].velocity].dimension;
      return unit_text(b, unit_product(first, m->velocity[e->term[k].velocity].dimension, -1), 0);
    }
    const baseDimension of = field_dimension(own.quantity, along);
    if (own.per == Q_NUMBER) {
      return unit_text(b, of, own.quantity == Q_X || own.quantity == Q_X_RATE);
    }
    return unit_text(b, unit_product(of, power_of(field_dimension(own.per, along), k), -1), 0);
  }
  if (rule.kind == OF_RELATION && i < m->nrelation) {
    const modelRelation *r = &m->relation[i];
    const baseDimension kept = kept_dimension(m, r);
    if (rule.each == 1) return unit_text(b, kept, 1);
    return unit_text(b, unit_product(kept, m->position[r->position[k]].dimension, -1), 0);
  }
  if (rule.kind == OF_LINK && i < m->tree.n) {
    return m->tree.link[i].kind == LINK_PRISMATIC ? "kg" : "kg m^2";
  }
  if (rule.kind == OF_DRIVE && i < m->ndrive) {
    const int q = m->velocity[m->drive[i].velocity].partner;
    const baseDimension of = q >= 0 ? m->position[q].dimension : UNIT_NUMBER;
    return unit_text(b, unit_product(of, power_of(UNIT_TIME, k), -1), k < 2);
  }
  return "SI";
}


//---- links ---------------------------------------------------------------------------------------

// joints of several links have one body at their end; the others are named after the joint
static const char *link_title_of(genBuild *b, int link)
{
  ART_ASSERT(link >= 0 && link < b->tree->n);
  const char *body = b->body_of[link], *joint = b->joint_of[link];
  if (body) return arena_format(&b->program->arena, "body '%s'", body);
  return joint ? arena_format(&b->program->arena, "joint '%s'", joint) : NULL;
}


static int link_of_symbol(const genBuild *b, const exprNode *symbol)
{
  const treeModel *t = &b->m->tree;
  const int i = symbol->index;
  const char *name = symbol->name;
  if (strcmp(name, "q") == 0) {
    // positions of links follow one another
    int from = 0, to = t->n;
    while (from + 1 < to) {
      const int middle = (from + to) / 2;
      if (t->link[middle].q0 <= i) {
        from = middle;
      } else {
        to = middle;
      }
    }
    while (from > 0 && t->link[from].nv == 0) from--;
    return from;
  }
  if (strcmp(name, "v") == 0 || strcmp(name, "a") == 0 || strcmp(name, "tau") == 0) {
    return i < t->nv ? t->dof_link[i] : 0;
  }
  const commentRule rule = rule_of(name);
  const int is_link = rule.what && (rule.kind == OF_LINK || rule.kind == OF_BODY);
  return is_link && i > 0 && i < t->n ? i : 0;
}


// of the kind of joint, and of the parameters that are there
static void find_link_kinds(genBuild *b)
{
  const treeModel *t = &b->m->tree;
  eqnProgram *program = b->program;
  for (int i = 1; i < program->nlink; i++) {
    program->link_kind[i] = (unsigned) t->link[i].kind + 100u * (unsigned) t->link[i].is_driven;
  }
  for (int i = 0; i < b->pool->count; i++) {
    const exprNode *n = &b->pool->nodes[i];
    if (n->op != EXPR_SYMBOL || !rule_of(n->name).what) continue;
    const int link = program->link_of[n->a];
    const uint64_t hash = base_hash(BASE_HASH_EMPTY, n->name, strlen(n->name));
    program->link_kind[link] += (unsigned) (hash ^ hash >> 32);
  }
}


void gen_title_links(genBuild *b)
{
  eqnProgram *program = b->program;
  const exprPool *pool = b->pool;
  program->nlink = b->m->tree.n;
  program->link = gen_alloc(b, (size_t) program->nlink, sizeof *program->link);
  program->word = b->words->link;
  program->link_of = gen_alloc(b, (size_t) pool->symbol_count, sizeof *program->link_of);
  program->link_parent = gen_alloc(b, (size_t) program->nlink, sizeof *program->link_parent);
  program->nsymbol = pool->symbol_count;
  program->link_kind = gen_alloc(b, (size_t) program->nlink, sizeof *program->link_kind);
  for (int i = 1; i < program->nlink; i++) {
    program->link[i] = link_title_of(b, i);
    program->link_parent[i] = b->m->tree.link[i].parent;
  }
  for (int i = 0; i < pool->count; i++) {
    if (pool->nodes[i].op != EXPR_SYMBOL) continue;
    program->link_of[pool->nodes[i].a] = link_of_symbol(b, &pool->nodes[i]);
  }

  // a parameter that many share speaks of none
  for (int i = 0; i < b->tree->shared_count; i++) {
    const int symbol = b->tree->parameter[b->tree->shared[i].parameter];
    program->link_of[pool->nodes[symbol].a] = 0;
  }
  find_link_kinds(b);
}
