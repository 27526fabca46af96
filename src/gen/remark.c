// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Remarks on parameters: the user's names of their owners.
#include "gen/build.h"

#include <string.h>

#include "base/hash.h"
#include "element/kind.h"
#include "model/reader.h"

// Kinds of objects that the index of a parameter counts, by how its name begins.
typedef enum remarkKind {
  OF_LINK,
  OF_BODY,
  OF_FRAME,
  OF_ELEMENT,
  OF_CUT,
  OF_RELATION,
  OF_DRIVE,
  OF_ALL
} remarkKind;

typedef struct remarkRule {
  const char *beginning;
  remarkKind kind;
  const char *what;
  int each;         // parameters of the name that one owner has
  const char *word; // what names of parameters have after the owner's: "elbow.place.x"
  const char *unit; // "SI": it depends on the law
} remarkRule;

// the first that fits
static const remarkRule rules[] = {
    {"point_", OF_FRAME, "point", 1, "point", "m"},
    {"free_length", OF_ELEMENT, "free length", 1, "free_length", "m"},
    {"rest", OF_ELEMENT, "position at rest", 1, "rest", "m or rad"},
    {"stop_", OF_ELEMENT, "stop", 1, "stop", "SI"},
    {"friction_", OF_ELEMENT, "friction", 1, "friction", "SI"},
    {"lower", OF_ELEMENT, "lower stop", 1, "lower", "m or rad"},
    {"upper", OF_ELEMENT, "upper stop", 1, "upper", "m or rad"},
    {"spring", OF_ELEMENT, "spring", 16, "spring", "SI"},
    {"damper", OF_ELEMENT, "damper", 16, "damper", "SI"},
    {"tyre_relaxation_", OF_ELEMENT, "relaxation length", 1, "relaxation", "m"},
    {"tyre_radius", OF_ELEMENT, "free radius", 1, "radius", "m"},
    {"tyre_stiffness", OF_ELEMENT, "radial stiffness", 1, "stiffness", "N/m"},
    {"tyre_damping", OF_ELEMENT, "radial damping", 1, "damping", "N s/m"},
    {"tyre_load", OF_ELEMENT, "nominal load", 1, "load", "N"},
    {"tyre_", OF_ELEMENT, "law of the tyre", 1, "tyre", "SI"},
    {"drive", OF_DRIVE, "drive", 16, "drive", "SI"},
    {"rod_mass", OF_CUT, "two thirds of the mass", 1, "two_thirds_of_mass", "kg"},
    {"rod_length", OF_CUT, "length", 1, "length", "m"},
    {"from_R", OF_CUT, "orientation on the first of its bodies", 1, "from.orientation", "1"},
    {"from_", OF_CUT, "place on the first of its bodies", 1, "from", "m"},
    {"to_R", OF_CUT, "orientation on the second of its bodies", 1, "to.orientation", "1"},
    {"to_", OF_CUT, "place on the second of its bodies", 1, "to", "m"},
    {"axis2_", OF_CUT, "second axis", 1, "axis2", "1"},
    {"cut_pitch", OF_CUT, "advance in a radian", 1, "pitch", "m/rad"},
    {"frame_R", OF_FRAME, "orientation", 1, "orientation", "1"},
    {"frame_", OF_FRAME, "place of the origin", 1, "origin", "m"},
    {"baumgarte_stiffness", OF_ALL, "pulls openings of loops back, 1/s^2", 1, "baumgarte.stiffness",
     "1/s^2"},
    {"baumgarte_damping", OF_ALL, "damps rates of openings of loops, 1/s", 1, "baumgarte.damping",
     "1/s"},
    {"actuator_weight", OF_ALL, "weight of the square of this actuator's force", 1,
     "actuator_weight", "1"},
    {"air_", OF_ELEMENT, "air spring", 1, "air", "SI"},
    {"coupling_constant", OF_RELATION, "constant", 1, "constant", "SI"},
    {"coupling", OF_RELATION, "coefficient", 64, "coefficient", "SI"},
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
    {"rotor", OF_LINK, "inertia of the rotor", 1, "rotor", "kg m^2"},
    {"pitch", OF_LINK, "advance in a radian", 1, "pitch", "m/rad"},
    {"g", OF_ALL, "gravity", 1, "gravity", "m/s^2"},
    {NULL, OF_ALL, NULL, 1, NULL, NULL},
};


static int name_begins(const char *name, const char *beginning)
{
  return strncmp(name, beginning, strlen(beginning)) == 0;
}


// the general rules, then the parameters of a kind of element alone
static remarkRule rule_of(const char *name)
{
  const remarkRule *rule = rules;
  while (rule->beginning && !name_begins(name, rule->beginning)) rule++;
  for (int i = 0; !rule->beginning && reader_forms_force[i]; i++) {
    const elementParameter *own = element_of_form(reader_forms_force[i])->parameters;
    while (own && own->beginning && !name_begins(name, own->beginning)) own++;
    if (own && own->beginning)
      return (remarkRule){own->beginning, OF_ELEMENT, own->help, own->each, own->beginning, "SI"};
  }
  return *rule;
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


static const char *parameter_owner(const genBuild *b, remarkKind kind, int i)
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


static const char *remark_of_one(genBuild *b, const char *name, int index)
{
  const remarkRule rule = rule_of(name);
  if (!rule.what) return NULL;
  const char *of = parameter_owner(b, rule.kind, index / rule.each);
  if (!of) return rule.kind == OF_ALL ? rule.what : NULL;
  static const char *const word[] = {
      [OF_LINK] = "joint",       [OF_BODY] = "body",        [OF_FRAME] = "frame",
      [OF_ELEMENT] = "force",    [OF_DRIVE] = "coordinate", [OF_CUT] = "joint",
      [OF_RELATION] = "coupling"};
  return arena_format(&b->program->arena, "%s, %s '%s'", rule.what, word[rule.kind], of);
}


// the others that share it, the first of them by name
static const char *add_others(genBuild *b, int k, const exprNode *symbol, const char *remark)
{
  enum { NAMED = 3 };
  const symTree *s = b->tree;
  const remarkRule rule = rule_of(symbol->name);
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


const char *gen_remark(genBuild *b, int k)
{
  ART_ASSERT(k >= 0 && k < b->tree->parameter_count);
  const exprNode *symbol = &b->pool->nodes[b->tree->parameter[k]];
  return add_others(b, k, symbol, remark_of_one(b, symbol->name, symbol->index));
}


//---- names ---------------------------------------------------------------------------------------

// what is left of a name behind the beginning of its rule: "x" of "from_x", "xx" of "Jxx", "coulomb" of "friction_coulomb"
static const char *rest_of_name(const remarkRule *rule, const char *name)
{
  const char *rest = name + strlen(rule->beginning);
  return *rest == '_' ? rest + 1 : rest;
}


const char *gen_constant_name(genBuild *b, const char *name, int index)
{
  baseArena *arena = &b->program->arena;
  const remarkRule rule = rule_of(name);
  const char *of = rule.what ? parameter_owner(b, rule.kind, index / rule.each) : NULL;
  if (!rule.what || (!of && rule.kind != OF_ALL)) return arena_format(arena, "%s_%d", name, index);
  const char *rest = rest_of_name(&rule, name);
  const char *own = arena_format(arena, "%s%s%s%s%s", of ? of : "", of && *rule.word ? "." : "",
                                 rule.word, *rest ? "." : "", rest);
  return rule.each > 1 ? arena_format(arena, "%s.%d", own, index % rule.each + 1) : own;
}


const char *gen_constant_unit(const char *name)
{
  const remarkRule rule = rule_of(name);
  return rule.unit ? rule.unit : "SI";
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


// positions of links follow one another
static int link_of_position(const treeModel *t, int i)
{
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


static int link_of_symbol(const genBuild *b, const exprNode *symbol)
{
  const treeModel *t = &b->m->tree;
  const int i = symbol->index;
  const char *name = symbol->name;
  if (strcmp(name, "q") == 0) return link_of_position(t, i);
  if (strcmp(name, "v") == 0 || strcmp(name, "a") == 0 || strcmp(name, "tau") == 0) {
    return i < t->nv ? t->dof_link[i] : 0;
  }
  const remarkRule rule = rule_of(name);
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
