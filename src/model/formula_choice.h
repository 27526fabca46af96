// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Comparisons and choices of formula_run.h for a NUMBER that has a plain VALUE, included with it by formula_eval.c.

static inline int N(more)(NUMBER a, NUMBER b)
{
  return VALUE(a) > VALUE(b);
}


static inline int N(at_least)(NUMBER a, NUMBER b)
{
  return VALUE(a) >= VALUE(b);
}


static inline int N(equal)(NUMBER a, NUMBER b)
{
  return VALUE(a) == VALUE(b);
}


static inline int N(holds)(NUMBER a)
{
  return VALUE(a) != 0;
}


static inline int N (and)(int a, int b)
{
  return a && b;
}


static inline int N(or)(int a, int b)
{
  return a || b;
}


static inline int N(not )(int a)
{
  return !a;
}


static inline NUMBER N(truth)(int a)
{
  return N(constant)(a);
}


static inline NUMBER N(choose)(int truth, NUMBER a, NUMBER b)
{
  return truth ? a : b;
}


// a - n b
static inline NUMBER N(mod)(NUMBER a, NUMBER b, double n)
{
  return N(sub)(a, N(scale)(n, b));
}
