// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The structure of a model: all that data blocks, runs and generated code are made by, besides numbers.
#include <stdio.h>
#include <string.h>

#include "base/format.h"
#include "model/read/source.h"

enum { WORDS = 200 };

#define DIFFER(...) return format_text(words, WORDS, __VA_ARGS__), 0


typedef struct partCount {
  const char *what;
  int a, b;
} partCount;


static int are_counts_equal(size_t n, const partCount *count, char *words)
{
  for (size_t i = 0; i < n; i++) {
    if (count[i].a == count[i].b) continue;
    DIFFER("the number of %s is %d and was %d", count[i].what, count[i].b, count[i].a);
  }
  return 1;
}


static int has_tree_counts(const artModel *a, const artModel *b, char *words)
{
  const partCount counts[] = {{"bodies that are no rods", a->nbody, b->nbody},
                              {"frames", a->nframe, b->nframe},
                              {"joints", a->njoint, b->njoint},
                              {"bars that are rods", a->nbar, b->nbar},
                              {"points on bars", a->nbar_point, b->nbar_point},
                              {"joints that close loops", a->ncut, b->ncut},
                              {"couplings", a->nrelation, b->nrelation},
                              {"constraint rows", a->nrow, b->nrow},
                              {"links", a->tree.n, b->tree.n},
                              {"position coordinates", a->tree.nq, b->tree.nq},
                              {"velocity coordinates", a->tree.nv, b->tree.nv}};
  return are_counts_equal(sizeof counts / sizeof *counts, counts, words);
}


static int has_action_counts(const artModel *a, const artModel *b, char *words)
{
  const partCount counts[] = {{"latches", a->nlatch, b->nlatch},
                              {"quantities that formulas read", a->nquantity, b->nquantity},
                              {"forces", a->nelement, b->nelement},
                              {"values of forces", a->nvalue, b->nvalue},
                              {"states", a->nstate, b->nstate},
                              {"held values", a->nheld, b->nheld},
                              {"inputs", a->ninput, b->ninput},
                              {"clocks", a->nclock, b->nclock},
                              {"samplers", a->nsampler, b->nsampler},
                              {"states with formulas", a->nrate, b->nrate},
                              {"states of positions and velocities", a->nearly, b->nearly},
                              {"named formulas", a->nsignal, b->nsignal},
                              {"rules of formulas", a->nrule, b->nrule},
                              {"drives", a->ndrive, b->ndrive},
                              {"outputs", a->noutput, b->noutput},
                              {"studies", a->nstudy, b->nstudy},
                              {"parameters", a->nparameter, b->nparameter},
                              {"curves", a->ncurve, b->ncurve},
                              {"functions", a->nfunction, b->nfunction},
                              {"pieces of laws and formulas that switch", a->nswitch, b->nswitch},
                              {"modes of laws and formulas", a->nmode, b->nmode},
                              {"values that the longest formula keeps", a->stack, b->stack}};
  return are_counts_equal(sizeof counts / sizeof *counts, counts, words);
}


static int has_equal_links(const artModel *a, const artModel *b, char *words)
{
  for (int i = 1; i < a->tree.n; i++) {
    const treeLink *x = &a->tree.link[i], *y = &b->tree.link[i];
    if (x->parent == y->parent && x->kind == y->kind && x->q0 == y->q0 && x->v0 == y->v0 &&
        x->is_driven == y->is_driven) {
      continue;
    }
    const int joint = y->nv > 0 ? b->velocity[y->v0].joint : -1;
    DIFFER("the tree is another one at %s%s%s", joint >= 0 ? "joint '" : "a fixed joint",
           joint >= 0 ? b->joint[joint].name : "", joint >= 0 ? "'" : "");
  }
  return 1;
}


static int has_joints(const artModel *a, const artModel *b, char *words)
{
  for (int i = 0; i < a->nbody; i++) {
    if (strcmp(a->body[i].name, b->body[i].name) == 0) continue;
    DIFFER("body '%s' is there instead of '%s'", b->body[i].name, a->body[i].name);
  }
  for (int i = 0; i < a->njoint; i++) {
    const modelJoint *x = &a->joint[i], *y = &b->joint[i];
    if (strcmp(x->name, y->name) == 0 && x->type == y->type && x->from == y->from &&
        x->to == y->to && x->is_cut == y->is_cut && x->twin == y->twin &&
        x->is_reversed == y->is_reversed) {
      continue;
    }
    DIFFER("joint '%s' is %s and was %s", y->name,
           model_closes_loop(y) ? "one that closes a loop" : "another one in the tree",
           model_closes_loop(x) ? "one that closes a loop" : "in the tree");
  }
  for (int i = 0; i < a->ncut; i++) {
    const modelCut *x = &a->cut[i], *y = &b->cut[i];
    if (x->joint == y->joint && x->type == y->type && x->side[0].link == y->side[0].link &&
        x->side[1].link == y->side[1].link && x->side[0].n == y->side[0].n &&
        x->side[1].n == y->side[1].n) {
      continue;
    }
    DIFFER("a loop is closed by joint '%s' in another way", b->joint[y->joint].name);
  }
  return 1;
}


static int has_forces(const artModel *a, const artModel *b, char *words)
{
  for (int i = 0; i < a->nquantity; i++) {
    const modelQuantity *x = &a->quantity[i], *y = &b->quantity[i];
    if (x->kind == y->kind && x->index == y->index && x->component == y->component) continue;
    DIFFER("formulas read other quantities");
  }
  for (int i = 0; i < a->nelement; i++) {
    const modelElement *x = &a->element[i], *y = &b->element[i];
    elementLaw one[ELEMENT_MOST_LAWS], two[ELEMENT_MOST_LAWS];
    const int nlaw = element_laws(x, one);
    int is_same = strcmp(x->name, y->name) == 0 && x->type == y->type && x->nterm == y->nterm &&
                  nlaw == element_laws(y, two);
    for (int k = 0; k < nlaw && is_same; k++) is_same = !one[k].law == !two[k].law;
    if (is_same) continue;
    DIFFER("force '%s' acts in another way", y->name);
  }
  for (int i = 0; i < a->noutput; i++) {
    if (strcmp(a->output[i].name, b->output[i].name) == 0) continue;
    DIFFER("output '%s' is there instead of '%s'", b->output[i].name, a->output[i].name);
  }
  return 1;
}


int model_has_same_tree(const artModel *a, const artModel *b, char words[WORDS])
{
  words[0] = '\0';
  return has_tree_counts(a, b, words) && has_equal_links(a, b, words) && has_joints(a, b, words);
}


int model_is_alike(const artModel *a, const artModel *b, char words[WORDS])
{
  return model_has_same_tree(a, b, words) && has_action_counts(a, b, words) &&
         has_forces(a, b, words);
}
