// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Couplings by a polynomial, h = b - p(a), p = c0 + c1 a + c2 a^2 + ...: a function as users write them, with the
// coefficients as parameters after its inputs.
#include <stdio.h>
#include <string.h>

#include "model/model.h"

const char *model_polynomial_name(int n, char name[POLYNOMIAL_NAME_LENGTH])
{
  snprintf(name, POLYNOMIAL_NAME_LENGTH, "articula_polynomial_%d", n);
  return name;
}


// p, p', p'' by Horner's rule
static void polynomial_evaluate(int n, const double *c, double a, double p[3])
{
  ART_ASSERT(n >= 1);
  p[0] = p[1] = p[2] = 0;
  for (int k = n - 1; k >= 0; k--) {
    p[2] = p[2] * a + 2 * p[1];
    p[1] = p[1] * a + p[0];
    p[0] = p[0] * a + c[k];
  }
}


// h and its derivatives from b, a
static artStatus polynomial_value(void *context, const double *x, double *y)
{
  const modelFunction *f = context;
  double p[3];
  polynomial_evaluate(f->nparameter, x + f->ninput, x[1], p);
  y[0] = x[0] - p[0];
  y[1] = 1;
  y[2] = -p[1];
  return ART_OK;
}


// -p'' a'^2 from b, a, b', a'
static artStatus polynomial_bias(void *context, const double *x, double *y)
{
  const modelFunction *f = context;
  double p[3];
  polynomial_evaluate(f->nparameter, x + f->ninput, x[1], p);
  y[0] = -p[2] * x[3] * x[3];
  return ART_OK;
}


bool model_is_polynomial(const modelRelation *r)
{
  return r->call.function && r->call.function->code == polynomial_value;
}


void model_take_polynomial(artModel *m, const modelRelation *r)
{
  char name[POLYNOMIAL_NAME_LENGTH];
  const modelFunction *f = r->call.function;
  if (r->n != 2 || strcmp(f->name, model_polynomial_name(f->nparameter, name)) != 0) return;
  for (int i = 0; i < m->nfunction; i++) {
    modelFunction *own = &m->function[i];
    if (own != f && own != r->bias.function) continue;
    own->code = own == f ? polynomial_value : polynomial_bias;
    own->context = own;
  }
}
