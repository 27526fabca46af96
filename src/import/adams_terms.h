// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts of formulas that functions of markers are made of.
#ifndef IMPORT_ADAMS_TERMS_H
#define IMPORT_ADAMS_TERMS_H

#include "import/adams.h"

// A part of a formula: a number, a reference, or both added.
typedef struct term {
  const char *text; // NULL: the number alone
  double number;    // beside a text, a length in m
} term;

bool term_is_ground(const admMarker *m);

term term_difference(admReader *r, term a, term b);
term term_product(admReader *r, term a, term b);
term term_sum(admReader *r, term a, term b);

// As a factor of a product; a text times a factor.
const char *term_text(admReader *r, term t);
const char *term_times(admReader *r, double factor, const char *text);

// The length of a vector.
const char *term_length(admReader *r, const term x[3]);

// Component c, along ground, of a vector of a marker, of an axis of it, of i against j as l sees it; quantities as of
// adm_component.
term term_vector(admReader *r, char quantity, const admMarker *m, int c);
term term_axis(admReader *r, const admMarker *m, int axis, int c);
term term_relative(admReader *r, char quantity, const admMarker *i, const admMarker *j,
                   const admMarker *l, int c);

#endif
