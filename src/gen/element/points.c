// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws through points of which parameters give some: their coefficients as expressions of these.
#include "gen/parameter/definition.h"
#include "gen/parameter/lay_symbolic.h"
#include "law/map.h"

static int coefficient_count(const forceLaw *law)
{
  return law->nsegment * (law->degree + 1);
}


int gen_law_node(genBuild *b, lawNodes *own, int k)
{
  ART_ASSERT(k >= 0);
  if (!own->node) {
    const forceLaw *law = own->law;
    const int n = own->n, ncoefficient = coefficient_count(law);
    const int count = ncoefficient + 2 * law->nsegment;
    exprPool *pool = b->definitions->pool;
    int *node = gen_alloc(b, (size_t) (count + 4 * n), sizeof *node);
    int *x = node + count, *f = x + n, *knot = node + ncoefficient;
    for (int i = 0; i < n; i++) {
      x[i] = gen_laid_number(b, &own->x[i]);
      f[i] = own->f ? gen_laid_number(b, &own->f[i * own->stride])
                    : expr_constant(pool, i == own->one);
    }
    int *spare = law_is_smooth(law) ? x + 2 * n : NULL;
    gen_join_points(pool, n, x, f, node, knot, knot + law->nsegment, spare);
    own->node = node;
  }
  return own->node[k];
}


static int is_live_row(genBuild *b, int n, const double *x, int stride)
{
  int found = 0;
  for (int i = 0; i < n; i++) {
    found |= gen_is_live(b, &x[i * stride]);
    gen_follow_number(b, &x[i * stride]);
  }
  return found;
}


// one that no parameter reaches is data
static void follow_nodes(genBuild *b, const lawNodes *of)
{
  const forceLaw *law = of->law;
  const int found =
      is_live_row(b, of->n, of->x, 1) | (of->f ? is_live_row(b, of->n, of->f, of->stride) : 0);
  if (!found) return;
  lawNodes *own = arena_copy(&b->program->arena, of, 1, sizeof *of);
  const int ncoefficient = coefficient_count(law), n = law->nsegment;
  for (int k = 0; k < ncoefficient; k++) {
    gen_add_term(b, &(parameterTerm){.compiled = &law->c[k], .law = own, .k = k});
  }
  for (int i = 0; i < n; i++) {
    const int at = ncoefficient + i;
    if (i + 1 < n)
      gen_add_term(b, &(parameterTerm){.compiled = &law->knot[i], .law = own, .k = at});
    gen_add_term(b, &(parameterTerm){.compiled = &law->origin[i], .law = own, .k = at + n});
  }
}


void gen_follow_points(genBuild *b, const forceLaw *law, int n, const double *x, const double *f)
{
  follow_nodes(b, &(lawNodes){.law = law, .n = n, .x = x, .f = f, .stride = 1});
}


// column j through f_ij at x_i, its weight through 1 at y_j and 0 at the others
void gen_follow_map(genBuild *b, const lawMap *map, const artMapDef *def)
{
  for (int j = 0; j < map->n; j++) {
    follow_nodes(
        b,
        &(lawNodes){
            .law = map->column[j], .n = def->nx, .x = def->x, .f = def->f + j, .stride = def->ny});
    follow_nodes(b, &(lawNodes){.law = map->weight[j], .n = def->ny, .x = def->y, .one = j});
  }
}
