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


// a law that is continuous where a = b: a or b, and at the corner itself their mean
static inline NUMBER N(meet)(int truth, NUMBER a, NUMBER b)
{
  return truth == FORMULA_AT_CORNER ? N(scale)(0.5, N(add)(a, b)) : N(choose)(truth, a, b);
}


// min(above, high) with above = max(x, low); at both corners the limits are equal, and the slope of x counts on no side
static inline NUMBER N(limit)(int over, int under, NUMBER above, NUMBER low, NUMBER high)
{
  const int is_closed = over == FORMULA_AT_CORNER && under == FORMULA_AT_CORNER;
  return N(meet)(under, is_closed ? low : above, high);
}


// sum_j w_j(y) c_j(x)
static inline NUMBER N(map)(const freezer *z, const lawMap *map, int at_x, int at_y, NUMBER x,
                            NUMBER y)
{
  int first, last;
  law_map_columns(map, at_y, &first, &last);
  NUMBER sum = N(constant)(0);
  for (int j = first; j <= last; j++) {
    sum =
        N(add)(sum, N(mul)(N(law)(z, map->weight[j], at_y, y), N(law)(z, map->column[j], at_x, x)));
  }
  return sum;
}


// a - n b
static inline NUMBER N(mod)(NUMBER a, NUMBER b, double n)
{
  return N(sub)(a, N(scale)(n, b));
}
