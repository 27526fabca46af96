// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// R^T M R as a sparse matrix: coordinates on separate branches, such as wheels of a vehicle, are
// coupled only through the link that carries both. The pattern is found and ordered once per
// partition; the factors are L D L^T (num/positive.h).
#include <string.h>

#include "method/reduce.h"
#include "num/positive.h"

struct reducePattern {
  numPattern pattern;
  long *at;      // [entries] index in Mr
  long *mirror;  // [entries] index in the upper triangle of Mr
  double *value; // [entries]
  numPositive *factors;
};

//---- pattern -------------------------------------------------------------------------------------

// mark the entries that couple the free coordinates of k and j, in the lower triangle by rows
static void mark_pair(const methodReduce *r, int k, int j, char *mark)
{
  ART_ASSERT(k >= 0 && j >= 0);
  const reduceRow a = r->R[k], b = r->R[j];
  const long nf = r->nf;
  for (int i = 0; i < a.n; i++) {
    for (int e = 0; e < b.n; e++) {
      const int x = a.number[i], y = b.number[e];
      mark[x > y ? x * nf + y : y * nf + x] = 1;
    }
  }
}


// all pairs of coordinates coupled by the tree, and for rods with mass the coordinates of their
// ends
static void mark_entries(const methodReduce *r, const artModel *m, char *mark)
{
  const treeModel *t = &m->tree;
  const long nf = r->nf;
  for (long k = 0; k < nf; k++) mark[k * nf + k] = 1;
  for (int k = 0; k < t->nv; k++) {
    for (int j = k; j >= 0; j = t->dof_parent[j]) mark_pair(r, k, j, mark);
  }
  for (int i = 0; i < m->nrod; i++) {
    const cutSide *side = m->cut[m->rod[i]].side;
    for (int k = model_last_dof(t, side[0].link); k >= 0; k = t->dof_parent[k]) {
      for (int j = model_last_dof(t, side[1].link); j >= 0; j = t->dof_parent[j]) {
        mark_pair(r, k, j, mark);
      }
    }
  }
}


// convert the marks to a lower triangle by columns
static int list_lower_entries(methodReduce *r, int nf, const char *mark)
{
  struct reducePattern *p = r->pattern;
  size_t count = 0;
  for (long e = 0; e < (long) nf * nf; e++) count += mark[e] != 0;
  p->pattern = (numPattern){.n = nf,
                            .start = arena_alloc(r->memory, (size_t) nf + 1, sizeof(int)),
                            .row = arena_alloc(r->memory, count, sizeof(int))};
  if (!p->pattern.start || !p->pattern.row || !ARENA_TAKE(r->memory, p->at, count) ||
      !ARENA_TAKE(r->memory, p->mirror, count) || !ARENA_TAKE(r->memory, p->value, count))
    return 0;
  int n = 0;
  for (int j = 0; j < nf; j++) {
    p->pattern.start[j] = n;
    for (int i = j; i < nf; i++) {
      if (!mark[(long) i * nf + j]) continue;
      p->pattern.row[n] = i;
      p->mirror[n] = (long) j * nf + i;
      p->at[n++] = (long) i * nf + j;
    }
  }
  p->pattern.start[nf] = n;
  return 1;
}


static int start_sparse(methodReduce *r, const artModel *m)
{
  const size_t entries = (size_t) r->nf * (size_t) r->nf;
  r->pattern = arena_alloc(r->memory, 1, sizeof *r->pattern);
  char *mark = arena_alloc(r->memory, entries, 1);
  int ready = r->pattern && mark;
  if (ready) {
    mark_entries(r, m, mark);
    ready = list_lower_entries(r, r->nf, mark);
  }
  memset(r->Mr, 0, entries * sizeof *r->Mr);
  return ready && positive_create(&r->pattern->factors, &r->pattern->pattern, POSITIVE_AUTOMATIC,
                                  NULL) == ART_OK;
}


static void stop_sparse(methodReduce *r)
{
  if (r->pattern) positive_free(r->pattern->factors);
}

//---- R^T M R -------------------------------------------------------------------------------------

// outside the pattern Mr is always zero
static void make_sparse(methodReduce *r, const treeModel *t)
{
  const struct reducePattern *p = r->pattern;
  const int count = p->pattern.start[r->nf];
  for (int e = 0; e < count; e++) r->Mr[p->at[e]] = r->Mr[p->mirror[e]] = 0;
  reduce_add_tree(r, t);
  for (int e = 0; e < count; e++) r->Mr[p->at[e]] += r->Mr[p->mirror[e]];
}


static int solve_free_sparse(methodReduce *r, double *x)
{
  struct reducePattern *p = r->pattern;
  int worst;
  for (int e = 0; e < p->pattern.start[p->pattern.n]; e++) p->value[e] = r->Mr[p->at[e]];
  if (positive_factor(p->factors, p->value, &worst) != ART_OK) return worst;
  positive_solve(p->factors, x);
  return -1;
}


const reduceMass reduce_mass_sparse = {.start = start_sparse,
                                       .stop = stop_sparse,
                                       .reduce = make_sparse,
                                       .solve_free = solve_free_sparse};
