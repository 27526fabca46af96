// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Remarks on parameters: the user's names of what they belong to.
#include "gen/remark.h"

#include <string.h>

// What the index of a parameter counts, by how its name begins.
typedef enum remarkKind {
  OF_LINK,
  OF_BODY,
  OF_FRAME,
  OF_ELEMENT,
  OF_LAW,
  OF_CUT,
  OF_RELATION,
  OF_TERM,
  OF_DRIVE,
  OF_ALL
} remarkKind;

typedef struct remarkRule {
  const char *beginning;
  remarkKind kind;
  const char *what;
} remarkRule;

// the first that fits
static const remarkRule rules[] = {
    {"point_", OF_FRAME, "point"},
    {"free_length", OF_ELEMENT, "free length"},
    {"rest", OF_ELEMENT, "position at rest"},
    {"stop_", OF_ELEMENT, "stop"},
    {"friction_", OF_ELEMENT, "friction"},
    {"lower", OF_ELEMENT, "lower stop"},
    {"upper", OF_ELEMENT, "upper stop"},
    {"spring", OF_LAW, "spring"},
    {"damper", OF_LAW, "damper"},
    {"tyre_relaxation_", OF_ELEMENT, "relaxation length"},
    {"tyre_radius", OF_ELEMENT, "free radius"},
    {"tyre_stiffness", OF_ELEMENT, "radial stiffness"},
    {"tyre_damping", OF_ELEMENT, "radial damping"},
    {"tyre_load", OF_ELEMENT, "nominal load"},
    {"tyre_", OF_ELEMENT, "law of the tyre"},
    {"drive", OF_DRIVE, "drive"},
    {"rod_mass", OF_CUT, "two thirds of the mass"},
    {"coupling_constant", OF_RELATION, "constant"},
    {"coupling", OF_TERM, "coefficient"},
    {"mass", OF_BODY, "mass"},
    {"hx", OF_BODY, "mass times centre of mass"},
    {"hy", OF_BODY, "mass times centre of mass"},
    {"hz", OF_BODY, "mass times centre of mass"},
    {"J", OF_BODY, "moment of inertia about the joint"},
    {"px", OF_LINK, "place"},
    {"py", OF_LINK, "place"},
    {"pz", OF_LINK, "place"},
    {"R", OF_LINK, "orientation"},
    {"rotor", OF_LINK, "inertia of the rotor"},
    {"pitch", OF_LINK, "advance in a radian"},
    {"g", OF_ALL, "gravity"},
    {NULL, OF_ALL, NULL},
};


static const remarkRule *rule_of(const char *name)
{
  const remarkRule *rule = rules;
  while (rule->beginning && strncmp(name, rule->beginning, strlen(rule->beginning)) != 0) rule++;
  return rule;
}


static const char *joint_at(const artModel *m, int link)
{
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (!joint->is_cut && link >= joint->link && link < joint->link + joint->nlink) {
      return joint->name;
    }
  }
  return NULL;
}


// bodies that are fixed to one another share a link: the first of them
static const char *body_at(const artModel *m, int link)
{
  for (int i = 0; i < m->nbody; i++) {
    if (m->body[i].link == link) return m->body[i].name;
  }
  return NULL;
}


static const char *owner(const artModel *m, remarkKind kind, int i)
{
  switch (kind) {
  case OF_LINK:
    return joint_at(m, i);
  case OF_BODY:
    return body_at(m, i);
  case OF_FRAME:
    return i < m->nframe ? m->frame[i].name : NULL;
  case OF_ELEMENT:
    return i < m->nelement ? m->element[i].name : NULL;
  case OF_LAW:
    return i / 16 < m->nelement ? m->element[i / 16].name : NULL;
  case OF_DRIVE:
    return i / 16 < m->ndrive ? m->velocity[m->drive[i / 16].velocity].name : NULL;
  case OF_CUT:
    return i < m->ncut ? m->joint[m->cut[i].joint].name : NULL;
  case OF_RELATION:
    return i < m->nrelation ? m->relation[i].name : NULL;
  case OF_TERM:
    return i / 64 < m->nrelation ? m->relation[i / 64].name : NULL;
  case OF_ALL:
    break;
  }
  return NULL;
}


const char *gen_remark(genBuild *b, const char *name, int index)
{
  const remarkRule *rule = rule_of(name);
  if (!rule->what) return NULL;
  const char *of = owner(b->m, rule->kind, index);
  if (!of) return rule->kind == OF_ALL ? rule->what : NULL;
  static const char *const word[] = {
      [OF_LINK] = "joint",    [OF_BODY] = "body",         [OF_FRAME] = "frame",
      [OF_ELEMENT] = "force", [OF_LAW] = "force",         [OF_DRIVE] = "coordinate",
      [OF_CUT] = "joint",     [OF_RELATION] = "coupling", [OF_TERM] = "coupling"};
  return arena_format(&b->program->arena, "%s, %s '%s'", rule->what, word[rule->kind], of);
}


//---- links ---------------------------------------------------------------------------------------

// joints of several links have one body at their end; the others are named after the joint
static const char *title_of(genBuild *b, int link)
{
  const char *body = body_at(b->m, link), *joint = joint_at(b->m, link);
  if (body) return arena_format(&b->program->arena, "body '%s'", body);
  return joint ? arena_format(&b->program->arena, "joint '%s'", joint) : NULL;
}


static int link_of_symbol(const genBuild *b, const exprNode *symbol)
{
  const treeModel *t = &b->m->tree;
  const int i = symbol->index;
  const char *name = symbol->name;
  if (strcmp(name, "q") == 0) {
    for (int k = t->n - 1; k > 0; k--) {
      if (t->link[k].q0 <= i && t->link[k].nv > 0) return k;
    }
    return 0;
  }
  if (strcmp(name, "v") == 0 || strcmp(name, "a") == 0 || strcmp(name, "tau") == 0) {
    return i < t->nv ? t->dof_link[i] : 0;
  }
  const remarkRule *rule = rule_of(name);
  const int is_link = rule->what && (rule->kind == OF_LINK || rule->kind == OF_BODY);
  return is_link && i > 0 && i < t->n ? i : 0;
}


void gen_title_links(genBuild *b)
{
  eqnProgram *program = b->program;
  const exprPool *pool = b->pool;
  program->nlink = b->m->tree.n;
  program->link = gen_alloc(b, (size_t) program->nlink, sizeof *program->link);
  program->link_of = gen_alloc(b, (size_t) pool->symbol_count, sizeof *program->link_of);
  program->link_parent = gen_alloc(b, (size_t) program->nlink, sizeof *program->link_parent);
  program->nsymbol = pool->symbol_count;
  if (!program->link || !program->link_of || !program->link_parent) return;
  for (int i = 1; i < program->nlink; i++) {
    program->link[i] = title_of(b, i);
    program->link_parent[i] = b->m->tree.link[i].parent;
  }
  for (int i = 0; i < pool->count; i++) {
    if (pool->nodes[i].op != EXPR_SYMBOL) continue;
    program->link_of[pool->nodes[i].a] = link_of_symbol(b, &pool->nodes[i]);
  }
}
