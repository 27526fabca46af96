// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws of forces on symbols: law/law_values.h with `real` a node.
#define ART_SYMBOLIC

#include "gen/port_equations.h"
#include "spatial/scalar.h"

// Under which name and index the numbers of a law become parameters; name NULL: they are data.
typedef struct lawNames {
  genBuild *b;
  const char *name;
  int index;
} lawNames;


// coefficients of a law in one piece are parameters, those of tables are data
static real law_coefficient(const lawNames *names, const forceLaw *law, double value, int k)
{
  enum { MOST = 16 };
  if (!names->name || law->nsegment > 1 || k >= MOST) return r_const(value);
  return (real){gen_parameter(names->b, value, names->name, MOST * names->index + k)};
}


static real law_constant(const lawNames *names, double value, const char *name)
{
  return (real){gen_parameter(names->b, value, name, names->index)};
}

#include "law/law_values.h"


// the segments from first to last: halves them until one is left
static real choose_segment(const forceLaw *law, real held, real x, const lawNames *names,
                           int is_integral, int first, int last)
{
  if (first == last) return law_on_segment(law, first, x, names, is_integral);
  const int middle = (first + last) / 2, is_held = held.node >= 0;
  const real border = r_const(is_held ? middle + 0.5 : law->knot[middle]);
  return r_select(r_less(is_held ? held : x, border),
                  choose_segment(law, held, x, names, is_integral, first, middle),
                  choose_segment(law, held, x, names, is_integral, middle + 1, last));
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
