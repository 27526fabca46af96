// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Operations of the tip of an arm by the schemes of gen/tree/scheme.h, and of factors of full mass matrices, compared with
// tables 1.1 to 1.3 of Postiau (2004). Counted as bench/generator does.
#include <stdio.h>
#include <stdlib.h>

#include "articula/articula.h"
#include "eqn/list.h"
#include "gen/gen.h"

enum { MAX_TEXT = 40000 };

//---- frames --------------------------------------------------------------------------------------

// x, R, xd, omega, xdd, alpha of the motion, then J, as bits
typedef struct frameFigure {
  const char *what;
  unsigned outputs;
  int published[4]; // by genScheme; 0: none
} frameFigure;

// clang-format off
static const frameFigure frames[] = {
    {"p", 1, {0, 69, 43, 0}},
    {"p, R", 3, {0, 73, 75, 0}},
    {"p, v", 5, {0, 118, 87, 0}},
    {"p, R, v, omega", 15, {0, 122, 130, 0}},
    {"p, R, v, omega, a, alpha", 63, {0, 247, 259, 0}},
    {"p, J", 65, {0, 117, 0, 100}},
    {"p, v, omega, J", 77, {0, 164, 0, 149}},
};
// clang-format on


static int count(const eqnProgram *program, const eqnFunction *f, int group)
{
  const eqnOptions options = eqn_default_options();
  eqnList *list = eqn_list_create(program, f, &options);
  if (!list) return -1;
  const int total = group < 0 ? list->total.total : list->group[group].total;
  eqn_list_free(list);
  return total;
}


static int count_frame(const eqnProgram *program, unsigned outputs)
{
  const eqnFunction *jacobian = gen_function(program, "hand_tip_jacobian");
  eqnFunction f = *gen_function(program, "hand_tip_motion");
  eqnVector list[7];
  int n = 0;
  for (int k = 0; k < 7; k++) {
    if (outputs & 1u << k) list[n++] = k < 6 ? f.output[k] : jacobian->output[0];
  }
  f.output = list;
  f.noutput = n;
  return count(program, &f, -1);
}


static int print_frames(const artModel *m, artData *d)
{
  eqnProgram *program[4] = {0};
  for (int k = 0; k < 4; k++) {
    const genOptions options = {.forms = GEN_KINEMATICS, .scheme = (genScheme) k};
    artError error = {0};
    if (gen_create(&program[k], m, d, &options, &error) == ART_OK) continue;
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  printf("| tip of the arm | links | progressive | published | regressive | published | hybrid | "
         "published |\n|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
    printf("| %s |", frames[i].what);
    for (int k = 0; k < 4; k++) {
      printf(" %d |", count_frame(program[k], frames[i].outputs));
      if (k == 0) continue;
      if (frames[i].published[k] > 0) printf(" %d", frames[i].published[k]);
      printf(" |");
    }
    printf("\n");
  }
  for (int k = 0; k < 4; k++) gen_free(program[k]);
  return 0;
}

//---- factors -------------------------------------------------------------------------------------

// n links that turn about axes in general directions
static artModel *make_chain(int n)
{
  static char text[MAX_TEXT];
  artModel *m = NULL;
  int at = snprintf(text, MAX_TEXT, "articula: 1\ntitle: Chain\nbodies:\n");
  for (int i = 1; i <= n; i++) {
    at += snprintf(text + at, (size_t) (MAX_TEXT - at),
                   "  b%d: {mass: 1, com: [0.1, 0.2, 0.3], inertia: [0.1, 0.2, 0.15, 0.01, 0.02, "
                   "0.03]}\n",
                   i);
  }
  at += snprintf(text + at, (size_t) (MAX_TEXT - at), "joints:\n");
  for (int i = 1; i <= n; i++) {
    char parent[20] = "ground";
    if (i > 1) snprintf(parent, sizeof parent, "b%d", i - 1);
    at += snprintf(text + at, (size_t) (MAX_TEXT - at),
                   "  j%d: {type: revolute, axis: [%d, 2, 3], from: %s, to: b%d}\n", i, i % 3 - 1,
                   parent, i);
  }
  artError error = {0};
  if (art_read_model(&m, text, (size_t) at, "chain", &error) != ART_OK) {
    fprintf(stderr, "%s\n", error.text);
  }
  return m;
}


// of elimination and substitution; tau - h is not counted
static int count_solution(int n, int cholesky)
{
  const genOptions options = {.forms = GEN_FORWARD_LDL, .cholesky = cholesky};
  artModel *m = make_chain(n);
  artData *d = m ? art_create_data(m) : NULL;
  eqnProgram *program = NULL;
  int total = -1;
  if (d && gen_create(&program, m, d, &options, NULL) == ART_OK) {
    total = count(program, gen_function(program, "forward"), GROUP_SOLVE) - n;
  }
  gen_free(program);
  art_free_data(d);
  art_free_model(m);
  return total;
}


static void print_factors(void)
{
  static const int size[] = {5, 10, 20, 50}, ldl[] = {113, 628, 3858, 49148},
                   cholesky[] = {110, 595, 3690, 47975};
  printf("| coordinates | L^T D L | published | Cholesky | published |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
    printf("| %d | %d | %d | %d | %d |\n", size[i], count_solution(size[i], 0), ldl[i],
           count_solution(size[i], 1), cholesky[i]);
  }
}


int main(void)
{
  artModel *m = NULL;
  artError error = {0};
  if (art_load_model(&m, "models/generator/arm-5.yaml", &error) != ART_OK) {
    fprintf(stderr, "%s\n", error.text);
    return 1;
  }
  artData *d = art_create_data(m);
  const int status = print_frames(m, d);
  printf("\n");
  print_factors();
  art_free_data(d);
  art_free_model(m);
  return status;
}
