// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts of formulas: numbers, references, sums and products of both, and components of places, velocities and axes of markers,
// which are numbers for markers of ground.
#include "import/adams_terms.h"

#include <math.h>
#include <string.h>


bool term_is_ground(const admMarker *m)
{
  return !m || m->part->body < 0;
}


// component c of a vector of a marker along ground axes; quantities as in adams.h
term term_vector(admReader *r, char quantity, const admMarker *m, int c)
{
  const char *name = quantity == 'd' ? "" : quantity == 'l' ? "al" : (char[2]){quantity, 0};
  if (!term_is_ground(m)) {
    return (term){import_format(r->w, "%s.%s%c", m->frame, name, 'x' + c), 0};
  }
  if (!m || quantity != 'd') return (term){NULL, 0};
  const v3 at = adm_place(m).r;
  return (term){NULL, c == 0 ? at.x : c == 1 ? at.y : at.z};
}


// component c, along ground, of an axis of a marker
term term_axis(admReader *r, const admMarker *m, int axis, int c)
{
  if (!term_is_ground(m))
    return (term){import_format(r->w, "%s.%c%c", m->frame, 'x' + axis, 'x' + c), 0};
  if (!m) return (term){NULL, axis == c};
  const m3 R = adm_place(m).R;
  const v3 a = axis == 0 ? R.x : axis == 1 ? R.y : R.z;
  return (term){NULL, c == 0 ? a.x : c == 1 ? a.y : a.z};
}


term term_difference(admReader *r, term a, term b)
{
  const double number = a.number - b.number;
  if (!b.text) return (term){a.text, number};
  const char *taken = term_text(r, (term){b.text, 0});
  if (!a.text) return (term){import_format(r->w, "-%s", taken), number};
  return (term){import_format(r->w, "%s - %s", a.text, taken), number};
}


// as a factor of a product
const char *term_text(admReader *r, term t)
{
  if (!t.text) {
    return import_format(r->w, t.number < 0 ? "(%s)" : "%s", import_number(r->w, t.number));
  }
  if (t.number == 0 && !strchr(t.text, ' ') && t.text[0] != '-') return t.text;
  if (t.number == 0) return import_format(r->w, "(%s)", t.text);
  // a number beside a text is a length
  return import_format(r->w, "(%s %c %s[m])", t.text, t.number < 0 ? '-' : '+',
                       import_number(r->w, fabs(t.number)));
}


// sqrt(x^2 + y^2 + z^2)
const char *term_length(admReader *r, const term x[3])
{
  const char *square[3];
  for (int c = 0; c < 3; c++) {
    const char *text = term_text(r, x[c]);
    const bool is_product = text[0] != '(' && strpbrk(text, "*/");
    const bool has_more = text[0] == '(' && strstr(text, ")*");
    square[c] = import_format(r->w, is_product || has_more ? "(%s)^2" : "%s^2", text);
  }
  return import_format(r->w, "sqrt(%s + %s + %s)", square[0], square[1], square[2]);
}


term term_product(admReader *r, term a, term b)
{
  if (!a.text && !b.text) return (term){NULL, a.number * b.number};
  if ((!a.text && a.number == 0) || (!b.text && b.number == 0)) return (term){NULL, 0};
  if (!b.text) return term_product(r, b, a);
  if (!a.text && a.number == 1) return b;
  if (!a.text && a.number == -1) return (term){import_format(r->w, "-%s", term_text(r, b)), 0};
  const char *left =
      a.text || a.number > 0 ? term_text(r, a) : import_format(r->w, "(%s)", term_text(r, a));
  return (term){import_format(r->w, "%s*%s", left, term_text(r, b)), 0};
}


term term_sum(admReader *r, term a, term b)
{
  const double number = a.number + b.number;
  if (!a.text || !b.text) return (term){a.text ? a.text : b.text, number};
  if (b.text[0] == '-') {
    return (term){import_format(r->w, "%s - %s", a.text, b.text + 1), number};
  }
  return (term){import_format(r->w, "%s + %s", a.text, b.text), number};
}


//---- places and velocities -----------------------------------------------------------------------

// component c, along ground, of i against j as l sees it
term term_relative(admReader *r, char quantity, const admMarker *i, const admMarker *j,
                   const admMarker *l, int c)
{
  const term plain =
      term_difference(r, term_vector(r, quantity, i, c), term_vector(r, quantity, j, c));
  if (quantity != 'v' || term_is_ground(l)) return plain;
  // v - w x d
  const int a = (c + 1) % 3, b = (c + 2) % 3;
  const term da = term_relative(r, 'd', i, j, NULL, a), db = term_relative(r, 'd', i, j, NULL, b);
  const term turn = term_difference(r, term_product(r, term_vector(r, 'w', l, a), db),
                                    term_product(r, term_vector(r, 'w', l, b), da));
  if (!turn.text) return plain;
  return term_difference(r, plain, (term){term_text(r, turn), 0});
}


static term component(admReader *r, char quantity, const admMarker *i, const admMarker *j,
                      const admMarker *k, const admMarker *l, int axis)
{
  term all = {NULL, 0};
  for (int c = 0; c < 3; c++) {
    const term part = term_relative(r, quantity, i, j, l, c);
    all = term_sum(r, all, term_product(r, term_axis(r, k, axis, c), part));
  }
  return all;
}


const char *adm_component(admReader *r, char quantity, const admMarker *i, const admMarker *j,
                          const admMarker *k, const admMarker *l, int axis)
{
  return term_text(r, component(r, quantity, i, j, k, l, axis));
}


const char *adm_from_body(admReader *r, const admMarker *i, const char *body, int component)
{
  const term origin = {import_format(r->w, "%s.%c", body, 'x' + component), 0};
  return term_text(r, term_difference(r, term_vector(r, 'd', i, component), origin));
}


const char *adm_axis(admReader *r, const admMarker *m, int axis, int component)
{
  return term_text(r, term_axis(r, m, axis, component));
}


// text times a factor
const char *term_times(admReader *r, double factor, const char *text)
{
  if (factor == 1) return text;
  if (factor == -1) return import_format(r->w, "(-%s)", text);
  return import_format(r->w, factor < 0 ? "(%s*%s)" : "%s*%s", import_number(r->w, factor), text);
}
