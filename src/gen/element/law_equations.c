// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws of forces on symbols: law/law_values.h with `real` a node.
#define ART_SYMBOLIC

#include "gen/element/port_equations.h"
#include "law/join.h"
#include "law/map.h"
#include "spatial/scalar.h"

// Under which name and index the numbers of a law become parameters; name NULL: they are data.
typedef struct lawNames {
  genBuild *b;
  const char *name;
  int index;
} lawNames;


// a number of a table: data, but where parameters of the user give it
static real table_number(const lawNames *names, const double *x)
{
  return (real){gen_number_at(names->b, x, "law")};
}


// coefficients of a law in one piece are parameters, coefficients of tables are data
static real law_coefficient(const lawNames *names, const forceLaw *law, const double *x, int k)
{
  enum { MOST = 16 };
  if (!names->name || law->nsegment > 1 || k >= MOST) return table_number(names, x);
  return (real){gen_parameter_at(names->b, x, names->name, MOST * names->index + k)};
}


static real law_constant(const lawNames *names, const double *x, const char *name)
{
  return (real){gen_parameter_at(names->b, x, name, names->index)};
}

static real law_origin(const lawNames *names, const double *x)
{
  return table_number(names, x);
}

static real law_primary(const lawNames *names, const forceLaw *law, int segment);

#include "law/law_values.h"


static int has_parameters(const lawNames *names, const forceLaw *law)
{
  const int n = law->nsegment * (law->degree + 1);
  int found = 0;
  for (int i = 0; i < n; i++) found |= gen_is_defined(names->b, &law->c[i]);
  for (int i = 0; i + 1 < law->nsegment; i++) found |= gen_is_defined(names->b, &law->knot[i]);
  return found;
}


// the integral of a segment's polynomial to x, continuous with the integral of the first one
static real joined_integral(const lawNames *names, const forceLaw *law, int segment, real x)
{
  real sum = law_polynomial(law, segment, x, names, 1);
  for (int i = 0; i < segment; i++) {
    const real knot = table_number(names, &law->knot[i]);
    sum = r_add(sum, r_sub(law_polynomial(law, i, knot, names, 1),
                           law_polynomial(law, i + 1, knot, names, 1)));
  }
  return sum;
}


// a number, but where parameters give the law: the polynomials meet at the knots, and 0 is where the integral is 0
static real law_primary(const lawNames *names, const forceLaw *law, int segment)
{
  if (law->nsegment == 1 || !has_parameters(names, law)) return r_const(law->primary[segment]);
  const real zero = r_const(0);
  const real own = r_sub(joined_integral(names, law, segment, zero),
                         law_polynomial(law, segment, zero, names, 1));
  real at_zero = joined_integral(names, law, law->nsegment - 1, zero);
  for (int i = law->nsegment - 2; i >= 0; i--) {
    at_zero = r_select(r_less(zero, table_number(names, &law->knot[i])),
                       joined_integral(names, law, i, zero), at_zero);
  }
  return r_sub(own, at_zero);
}


// the value before a knot, or the value after it
static real choose_side(const lawNames *names, real held, real x, const forceLaw *law, int knot,
                        real before, real behind)
{
  const real border = table_number(names, &law->knot[knot]), is_before = r_less(x, border);
  if (held.node < 0) return r_select(is_before, before, behind);
  if (!gen_may_go(names->b, held.node)) {
    return r_select((real){gen_knot_side(names->b, held.node, knot)}, behind, before);
  }
  const int beyond = r_sub(x, border).node;
  const real is_behind = {gen_turn_side(names->b, beyond, r_not(is_before).node)};
  return r_select(is_behind, behind, before);
}


// the segments from first to last: halves them until one is left
static real choose_segment(const forceLaw *law, real held, real x, const lawNames *names,
                           int is_integral, int first, int last)
{
  ART_ASSERT(first >= 0 && first <= last && last < law->nsegment);
  if (first == last) return law_on_segment(law, first, x, names, is_integral);
  const int middle = (first + last) / 2;
  const real before = choose_segment(law, held, x, names, is_integral, first, middle);
  const real behind = choose_segment(law, held, x, names, is_integral, middle + 1, last);
  return choose_side(names, held, x, law, middle, before, behind);
}


int gen_curve(genBuild *b, const forceLaw *law, int held, int x, const char *name, int index,
              int is_integral)
{
  const lawNames names = {b, name, index};
  exprPool *before = expr_use(gen_pool(b));
  const real value =
      choose_segment(law, (real){held}, (real){x}, &names, is_integral, 0, law->nsegment - 1);
  expr_use(before);
  return value.node;
}


// a table of two dimensions where it is asked for
typedef struct mapPlace {
  const lawMap *map;
  int held_x, x;
  real held_y, y;
} mapPlace;


// the segments of the weights from first to last; columns are nodes that all of them share
static real choose_weights(const mapPlace *at, const lawNames *names, int first, int last)
{
  ART_ASSERT(first <= last);
  const lawMap *map = at->map;
  if (first < last) {
    const int middle = (first + last) / 2;
    return choose_side(names, at->held_y, at->y, map->weight[0], middle,
                       choose_weights(at, names, first, middle),
                       choose_weights(at, names, middle + 1, last));
  }
  int from, to;
  law_map_columns(map, first, &from, &to);
  real sum = r_const(0);
  for (int j = from; j <= to; j++) {
    const real column = {gen_curve(names->b, map->column[j], at->held_x, at->x, NULL, 0, 0)};
    sum = r_add(sum, r_mul(law_on_segment(map->weight[j], first, at->y, names, 0), column));
  }
  return sum;
}


int gen_map(genBuild *b, const lawMap *map, int held_x, int held_y, int x, int y)
{
  const lawNames names = {b, NULL, 0};
  const mapPlace at = {map, held_x, x, {held_y}, {y}};
  exprPool *before = expr_use(gen_pool(b));
  const real value = choose_weights(&at, &names, 0, map->weight[0]->nsegment - 1);
  expr_use(before);
  return value.node;
}

//---- laws through points -------------------------------------------------------------------------

void gen_join_points(exprPool *pool, int n, const int *x, const int *f, int *c, int *knot,
                     int *origin, int *spare)
{
  ART_ASSERT(n >= 2);
  exprPool *before = expr_use(pool);
  const lawJoin join = {
      n, 1, (const real *) x, (const real *) f, (real *) c, (real *) knot, (real *) origin};
  if (spare) {
    join_smoothly(&join, (real *) spare, (real *) spare + n);
  } else {
    join_straight(&join);
  }
  expr_use(before);
}
