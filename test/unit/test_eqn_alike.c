// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Branches that are built alike: which links form families, which equations stand in loops, and that another order of
// equations changes no bit. That the text of loops says what the equations say, test_gen_states tests.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "emit/emit.h"
#include "eqn/family.h"
#include "eqn_vectors.h"
#include "support/programs.h"

//---- families ------------------------------------------------------------------------------------

// families of a tree by parents and kinds, links from 1 on
static familyTree families(int n, const int *parent, const unsigned *kind, baseArena *arena)
{
  familyTree tree;
  eqnProgram p = {.nlink = n, .link_parent = (int *) parent, .link_kind = (unsigned *) kind};
  family_find(&tree, &p, arena);
  return tree;
}


TEST(legs_of_the_same_links_are_a_family)
{
  // a trunk, two legs of two links, a tail like the second link of a leg, one more leg
  const int parent[] = {0, 0, 1, 2, 1, 4, 1, 1, 7};
  const unsigned kind[] = {0, 9, 1, 2, 1, 2, 2, 1, 2};
  baseArena arena = {0};
  const familyTree t = families(9, parent, kind, &arena);
  CHECK_EQ_INT(t.n, 1);
  CHECK_EQ_INT(t.size[1], 2);
  const int of[] = {0, 0, 1, 1, 1, 1, 0, 0, 0}, copy[] = {0, 0, 0, 0, 1, 1, 0, 0, 0};
  CHECK(memcmp(t.of, of, sizeof of) == 0);
  CHECK(memcmp(t.copy, copy, sizeof copy) == 0);
  arena_free(&arena);
}


TEST(wheels_of_several_branches_are_a_family)
{
  // a chassis with a rack, and twice two rods and an axle that carries a wheel
  const int parent[] = {0, 0, 1, 1, 1, 1, 5, 1, 1, 1, 9};
  const unsigned kind[] = {0, 9, 8, 1, 1, 2, 3, 1, 1, 2, 3};
  baseArena arena = {0};
  const familyTree t = families(11, parent, kind, &arena);
  CHECK_EQ_INT(t.n, 1);
  CHECK_EQ_INT(t.size[1], 2);
  const int of[] = {0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, copy[] = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
  CHECK(memcmp(t.of, of, sizeof of) == 0);
  CHECK(memcmp(t.copy, copy, sizeof copy) == 0);
  arena_free(&arena);
}

//---- lists ---------------------------------------------------------------------------------------

typedef struct sample {
  artModel *m;
  artData *d;
  eqnProgram *p;
  eqnList *plain, *looped;
} sample;


static void open_sample(sample *s, const char *model, unsigned form, const char *function)
{
  const genOptions options = {.forms = form,
                              .parameters = form == GEN_INVERSE ? GEN_BARYCENTRIC : GEN_CLASSICAL};
  eqnOptions passes = eqn_default_options();
  s->m = keep_machine(model), s->d = keep_fresh_data(s->m);
  s->p = keep_program(s->m, s->d, &options);
  s->plain = keep_function(s->p, function, &passes);
  passes.passes |= 1u << PASS_ALIKE;
  s->looped = keep_function(s->p, function, &passes);
}


static int count_in_loops(const eqnList *list, int size)
{
  int n = 0;
  for (int e = 0; e < list->n; e++) {
    const eqnEquation *x = &list->equation[e];
    n += x->loop > 0 && list->set[list->set_of[x->node]].n == size;
  }
  return n;
}


static int last_loop(const eqnList *list)
{
  int last = 0;
  for (int e = 0; e < list->n; e++)
    last = list->equation[e].loop > last ? list->equation[e].loop : last;
  return last;
}


// all equations but the trunk's; motion and forces are two stages
TEST(the_legs_of_a_quadruped_stand_in_two_loops)
{
  sample s;
  open_sample(&s, "generator/quadruped", GEN_INVERSE, "inverse");
  int running = 0;
  for (int e = 0; e < s.looped->n; e++) running += s.looped->equation[e].stage >= 0;
  CHECK_EQ_INT(last_loop(s.looped), 2);
  const int inside = count_in_loops(s.looped, 4);
  CHECK(inside > 0.85 * running);
  CHECK_EQ_INT(inside % 4, 0);
  CHECK_EQ_INT(s.looped->effect[PASS_ALIKE].equations, running - inside / 4 * 3);
  CHECK_EQ_INT(s.looped->total.total, s.plain->total.total);
}


// an equation of a loop reads within it numbers of its own branch
static int reads_what_is_known(const eqnList *list, int e)
{
  const eqnEquation *x = &list->equation[e];
  for (int k = 0; k < x->nparent; k++) {
    const eqnEquation *parent = &list->equation[x->parent[k]];
    if (x->parent[k] >= e) return 0;
    if (x->loop > 0 && parent->loop == x->loop && parent->copy != x->copy) return 0;
  }
  return 1;
}


// equations of a loop come in sets, branch by branch
static int stands_in_its_set(const eqnList *list, int e)
{
  const eqnEquation *x = &list->equation[e];
  if (x->loop == 0) return 1;
  const eqnSet *set = &list->set[list->set_of[x->node]];
  return set->node[x->copy] == x->node && list->equation_of[set->node[0]] == e - x->copy;
}


static void check_order(const eqnList *list)
{
  int wrong = 0;
  for (int e = 0; e < list->n; e++) {
    wrong += !reads_what_is_known(list, e) || !stands_in_its_set(list, e);
  }
  CHECK_EQ_INT(wrong, 0);
}


static void check_bits(const sample *s)
{
  const eqnFunction *f = s->plain->function;
  double **in[2], **out[2];
  const eqnList *const list[2] = {s->plain, s->looped};
  for (int k = 0; k < 2; k++) {
    in[k] = vectors_of(f->ninput, f->input, s->d);
    out[k] = vectors_of(f->noutput, f->output, s->d);
    CHECK_EQ_INT(eqn_evaluate(list[k], NULL, in[k], out[k], NULL, NULL), 0);
  }
  for (int v = 0; v < f->noutput; v++) {
    CHECK(memcmp(out[0][v], out[1][v], (size_t) f->output[v].n * sizeof(double)) == 0);
  }
  for (int k = 0; k < 2; k++) {
    free_vectors(in[k], f->ninput);
    free_vectors(out[k], f->noutput);
  }
}


TEST(another_order_changes_no_bit)
{
  static const struct {
    const char *model;
    unsigned form;
    const char *function;
    int size, least; // equations in loops of so many branches
  } cases[] = {
      {"generator/quadruped", GEN_INVERSE, "inverse", 4, 396},
      {"generator/quadruped", GEN_ACCELERATE, "accelerate", 4, 400},
      {"generator/humanoid", GEN_INVERSE, "inverse", 2, 400},
      {"loops/planar-robot-1", GEN_ACCELERATE, "accelerate", 2, 0},
      {"loops/stewart", GEN_ACCELERATE, "accelerate", 3, 60},
      {"vehicles/multilink-car", GEN_ACCELERATE, "accelerate", 2, 400},
      {"vehicles/truck", GEN_ACCELERATE, "accelerate", 3, 400},
      {"puma560", GEN_INVERSE, "inverse", 2, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    sample s;
    open_sample(&s, cases[i].model, cases[i].form, cases[i].function);
    const int inside = count_in_loops(s.looped, cases[i].size);
    if (!CHECK(inside >= cases[i].least)) printf("  %s: %d\n", cases[i].model, inside);
    check_order(s.looped);
    check_bits(&s);
  }
}


// five sixths of the lines of a quadruped's equations, and what the four hips have stands side by side
TEST(text_has_loops)
{
  sample s;
  char *text = NULL;
  size_t length = 0;
  open_sample(&s, "generator/quadruped", GEN_INVERSE, "inverse");
  FILE *out = open_memstream(&text, &length);
  CHECK(emit_program(out, s.p, EMIT_C, &(emitOptions){0}, NULL) == ART_OK);
  fclose(out);
  CHECK(strstr(text, "  for (int k = 0; k < 4; k++) {\n") != NULL);
  CHECK(strstr(text, "  const double v_6[] = {v[6], v[9], v[12], v[15]};\n") != NULL);
  CHECK(strstr(text, "// body 'left_fore_hip', body 'right_fore_hip', body 'left_hind_hip', "
                     "body 'right_hind_hip'\n") != NULL);
  free(text);
}


// "  v[11] = w1692;" needs "  const double w1692 = " before it, not one within a loop
static int count_undeclared(const char *text)
{
  int wrong = 0, number;
  for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL) {
    char declared[40];
    if (sscanf(line, "  v[%*d] = w%d;", &number) != 1) continue;
    snprintf(declared, sizeof declared, "\n  const double w%d = ", number);
    const char *place = strstr(text, declared);
    wrong += !place || place > line;
  }
  return wrong;
}


// the dependent velocities of a truck's axles are found in a loop and assigned behind it
TEST(what_stages_assign_is_known_behind_loops)
{
  sample s;
  char *text = NULL;
  size_t length = 0;
  open_sample(&s, "vehicles/truck", GEN_ACCELERATE, "accelerate");
  FILE *out = open_memstream(&text, &length);
  CHECK(emit_program(out, s.p, EMIT_C, &(emitOptions){.statements = 1000000}, NULL) == ART_OK);
  fclose(out);
  CHECK(strstr(text, "\n  v[11] = ") != NULL);
  CHECK_EQ_INT(count_undeclared(text), 0);
  free(text);
}
