// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tables of the threads that share an instance.
#include "emit/gpu/thread_partition.h"

#include <string.h>

//---- functions -----------------------------------------------------------------------------------

int thread_partition_open(threadPartition *x, emitSimulation *s, int least, simulationNeed *needs)
{
  ART_ASSERT(s->nprogram >= 1);
  const eqnProgram *p = s->program[0];
  eqnFunction f = *eqn_function(p, EQN_ACCELERATE);
  *x = (threadPartition){0};
  f.noutput -= s->without_power && strcmp(f.output[f.noutput - 1].name, "power") == 0;
  if (!eqn_share(&x->shares, p, &f, least, &x->arena)) return 0;
  const int n = x->shares.n;
  if (n == 0) return 1;
  eqnFunction *function =
      arena_alloc(&x->arena, (size_t) (p->nfunction + n), sizeof *x->program.function);
  if (!function) return 0;
  memcpy(function, p->function, (size_t) p->nfunction * sizeof *function);
  for (int g = 0; g < n; g++) function[p->nfunction + g] = x->shares.share[g].function;
  x->program = *p;
  x->program.function = function;
  x->program.nfunction = p->nfunction + n;
  x->programs[0] = &x->program;
  s->program = x->programs;
  while (needs->kind != EQN_OTHER) needs++;
  for (int g = 0; g < n; g++) {
    needs[g] = (simulationNeed){EQN_BRANCH, 1, 1, &function[p->nfunction + g]};
  }
  return 1;
}


void thread_partition_close(threadPartition *x)
{
  arena_free(&x->arena);
}

//---- tables --------------------------------------------------------------------------------------

static int ordinal_of(const eqnProgram *p, int node)
{
  return p->pool->nodes[node].a;
}


// where the symbol stands that a thread has instead of an entry
static int twin_of(const eqnProgram *p, const int *twin, const eqnVector *v, int i)
{
  const int wanted = twin[ordinal_of(p, v->node[i])];
  for (int k = 0; k < v->n; k++) {
    if (ordinal_of(p, v->node[k]) == wanted) return k;
  }
  return i;
}


// rows of a table, a thread each: entries of one vector, or of two one after the other
static void print_twins(FILE *out, const eqnShares *s, const eqnProgram *p, const char *name,
                        const eqnVector *first, const eqnVector *second)
{
  const int n = first->n + (second ? second->n : 0);
  fprintf(out, "TABLE static const short %s[THREADS][%d] = {", name, n > 0 ? n : 1);
  for (int k = 0; k < s->nthread; k++) {
    fputs(k > 0 ? ",\n    {" : "\n    {", out);
    for (int i = 0; i < n; i++) {
      const int is_first = i < first->n;
      const int at = is_first ? twin_of(p, s->twin[k], first, i)
                              : first->n + twin_of(p, s->twin[k], second, i - first->n);
      fprintf(out, "%s%d", i > 0 ? ", " : "", at);
    }
    fputs(n > 0 ? "}" : "0}", out);
  }
  fputs("};\n", out);
}


// of a family's states 64 bits, 1 where an entry is of a kind
static void print_bits(FILE *out, const eqnShare *share, const eqnProgram *p, const eqnVector *q,
                       const eqnVector *v, int from, int kind)
{
  unsigned long long bits = 0;
  for (int i = from; i < from + 64 && i < q->n + v->n; i++) {
    const int node = i < q->n ? q->node[i] : v->node[i - q->n];
    if (share->is_own[ordinal_of(p, node)] == kind) bits |= 1ull << (i - from);
  }
  fprintf(out, "0x%llxull", bits);
}


// numbers handed over and given, and a flag of each; an odd number, so that banks of memory differ
int thread_partition_places(const eqnShares *s)
{
  return (s->nmet + s->ngiven * s->share[s->carrier].members + s->nthread) | 1;
}


void thread_partition_print(FILE *out, const eqnShares *s, const eqnProgram *p)
{
  const eqnFunction *f = eqn_function(p, EQN_ACCELERATE);
  const eqnVector *q = eqn_input(f, "q"), *v = eqn_input(f, "v");
  fprintf(out,
          "enum { CARRIER = %d, FIRST_CARRIER = %d, NGIVEN = %d,\n"
          "       GIVEN_AT = %d, FLAGS_AT = %d, PLACES = %d };\n",
          s->carrier, s->share[s->carrier].thread, s->ngiven, s->nmet,
          s->nmet + s->ngiven * s->share[s->carrier].members, thread_partition_places(s));
  fputs("#define EACH_FAMILY(F)", out);
  for (int g = 0; g < s->n; g++) fprintf(out, " F(%d)", g);
  fputs("\nTABLE static const short family_of[THREADS] = {", out);
  for (int g = 0; g < s->n; g++) {
    for (int k = 0; k < s->share[g].members; k++) fprintf(out, "%d, ", g);
  }
  fputs("};\nTABLE static const short hand_at[THREADS] = {", out);
  for (int g = 0; g < s->n; g++) {
    const eqnShare *x = &s->share[g];
    for (int k = 0; k < x->members; k++) fprintf(out, "%d, ", x->first + k * x->nhand);
  }
  fputs("};\n", out);
  print_twins(out, s, p, "twin_state", q, v);
  print_twins(out, s, p, "twin_force", v, NULL);
  print_twins(out, s, p, "twin_parameter", &p->parameter, NULL);
  fputs("\n\n", out);
  // known where the text is compiled, so that a thread has room for its own states alone
  static const char *const name[2] = {"is_of_branch", "is_of_trunk"};
  for (int kind = 1; kind <= 2; kind++) {
    fprintf(out, "HERE int %s(int family, int k)\n{\n  unsigned long long bits = 0;\n",
            name[kind - 1]);
    for (int g = 0; g < s->n; g++) {
      for (int from = 0; from < q->n + v->n; from += 64) {
        fprintf(out, "  if (family == %d && k/64 == %d) bits = ", g, from / 64);
        print_bits(out, &s->share[g], p, q, v, from, kind);
        fputs(";\n", out);
      }
    }
    fputs("  return (int) (bits >> k%64 & 1);\n}\n\n\n", out);
  }
}
