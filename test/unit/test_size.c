// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Large machines cost what they hold: memory asked for, from the builder to accelerations, grows with the
// number of bodies and no faster. A matrix over all coordinates, or a search that keeps a list for each of
// them, would make it grow with the square.
#include <stdio.h>

#include "articula/articula.h"
#include "emit/emit.h"
#include "gen/gen.h"
#include "loop/loop.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/keep.h"
#include "support/loops.h"

enum { FEW = 200, MANY = 800 };

// allowed for four times as many bodies; the square would be 16
#define GROWTH 4.6


// a hanging chain of n links
static artModel *chain(int n)
{
  artBuilder *b = keep_builder(art_create_builder());
  char name[32], joint[32], before[32] = "ground";
  for (int i = 0; i < n; i++) {
    artBodyDef body = art_default_body();
    artJointDef pin = art_default_joint();
    snprintf(name, sizeof name, "link%d", i);
    snprintf(joint, sizeof joint, "joint%d", i);
    body.name = name, body.mass = 1, body.com[2] = -0.5;
    body.inertia[0] = body.inertia[1] = 1.0 / 12;
    pin.name = joint, pin.from = before, pin.to = name, pin.axis[1] = 1, pin.axis[2] = 0;
    art_add_body(b, &body);
    art_add_joint(b, &pin);
    snprintf(before, sizeof before, "%s", name);
  }
  artModel *model = NULL;
  CHECK(art_compile_model(&model, b, NULL) == ART_OK);
  return model;
}


typedef struct cost {
  double bytes, requests;
} cost;


static cost cost_of(artModel *(*make)(int n), int n, artMethod method)
{
  heap_watch();
  artModel *m = make(n);
  artData *d = m ? art_create_data(m) : NULL;
  if (CHECK(d)) {
    CHECK_WORKS(art_assemble(m, d, NULL, &check_error));
    art_update(m, d);
    CHECK_WORKS(art_accelerate(m, d, method, &check_error));
  }
  const cost found = {(double) heap_bytes(), (double) heap_taken()};
  art_free_data(d);
  art_free_model(m);
  heap_unwatch();
  return found;
}


static void check_growth(artModel *(*make)(int n), artMethod method)
{
  const cost few = cost_of(make, FEW, method), many = cost_of(make, MANY, method);
  if (!CHECK(many.bytes < GROWTH * few.bytes) || !CHECK(many.requests < GROWTH * few.requests)) {
    printf("  %s: %.2f times the bytes, %.2f times the requests\n", art_method_name(method),
           many.bytes / few.bytes, many.requests / few.requests);
  }
}


TEST(windows_take_memory_in_proportion)
{
  check_growth(loop_four_bars, ART_SEMIRECURSIVE);
  check_growth(loop_four_bars, ART_RECURSIVE);
  check_growth(loop_four_bars, ART_INDEX3);
}


TEST(chains_take_memory_in_proportion)
{
  check_growth(chain, ART_ORDER_N);
  check_growth(chain, ART_INDEX3);
}


static double bytes_of_equations(artModel *(*make)(int n), int n)
{
  const genOptions options = {.forms = GEN_ACCELERATE | GEN_POWER, .strain = 1};
  const emitOptions how = {0};
  eqnProgram *program = NULL;
  artModel *m = make(n);
  artData *d = art_create_data(m);
  FILE *nowhere = fopen("/dev/null", "w");
  CHECK(art_assemble(m, d, NULL, NULL) == ART_OK);
  art_update(m, d);
  heap_watch();
  if (CHECK(gen_create(&program, m, d, &options, NULL) == ART_OK)) {
    CHECK(emit_program(nowhere, program, EMIT_C, &how, NULL) == ART_OK);
  }
  const double bytes = (double) heap_bytes();
  gen_free(program);
  heap_unwatch();
  fclose(nowhere);
  art_free_data(d);
  art_free_model(m);
  return bytes;
}


static void check_equations(artModel *(*make)(int n), double growth)
{
  const double few = bytes_of_equations(make, FEW), many = bytes_of_equations(make, MANY);
  if (!CHECK(many < growth * few)) printf("  %.2f times the bytes\n", many / few);
}


// all that expressions take is far more than one matrix: with one of rows and coordinates it is 4.4 times as much
TEST(equations_take_memory_in_proportion)
{
  check_equations(loop_four_bars, 4.25);
  check_equations(chain, GROWTH);
}


// entries of J, coordinates that a block depends on, and entries that a walk looks at, for each window
TEST(blocks_of_windows_stay_small)
{
  artModel *m = keep_model(loop_four_bars(MANY));
  artData *d = keep_fresh_data(m);
  if (CHECK(d) && CHECK(art_assemble(m, d, NULL, NULL) == ART_OK)) {
    struct loopWork *loop = d->work->loop;
    CHECK_EQ_INT(matrix_count(&loop->rows.J), 5 * 3 * MANY);
    CHECK_EQ_INT(loop->blocks->block_count, MANY);
    CHECK_EQ_INT(loop->partition.nf, 1);
    for (int k = 0; k < loop->blocks->block_count; k++) {
      singular_path_find_input(&loop->hold, loop->blocks, k);
      if (!CHECK_EQ_INT(loop->hold.walk_count, 1)) break;
    }
  }
}
