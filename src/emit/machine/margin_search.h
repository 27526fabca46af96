// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The instant at which a relay switches, for machines and units. All from the next line on goes as source into generated files,
// where it belongs to their user.
//---- where a margin becomes zero -----------------------------------------------------------------

static const double STANDING = 1e30; // the margin of a corner that stands on its border

// A margin is positive at lo and negative at hi: secants with the weights of Illinois (Dowell, Jarratt 1971), and bisections.
// A corner that stands on its border leaves that at lo, to the last digit of time.
typedef struct marginSearch {
  double lo, hi, below, beyond; // how far into a step, and the margins there
  double width, rounding;       // of an interval and of a margin, that count as nothing
  int last, n;                  // side of the last trial; how many there were
} marginSearch;


static inline marginSearch search_open(double t, double length, double below, double beyond)
{
  const double width = 2.2e-16 * fmax(fabs(t), length);
  const double at_lo = below < STANDING ? below : 0, rounding = below - at_lo > 0 ? 0 : 1e-15;
  return (marginSearch){0, length, at_lo, beyond, width, rounding * (below - beyond), 0, 0};
}


// Where to look next; 0: nowhere, it becomes zero at hi.
static inline int search_next(marginSearch *s, double *at)
{
  if (s->n >= 100 || !(s->hi - s->lo > s->width && s->beyond < -s->rounding)) return 0;
  const double share = s->n++ % 3 == 2 ? 0.5 : s->below / (s->below - s->beyond);
  *at = s->lo + fmin(fmax(share, 1e-3), 1 - 1e-3) * (s->hi - s->lo);
  return 1;
}


// The margin there; returns whether that is hi from now on.
static inline int search_take(marginSearch *s, double at, double margin)
{
  if (margin > 0) {
    if (s->last == 1) s->beyond *= 0.5;
    s->lo = at;
    s->below = margin;
    s->last = 1;
    return 0;
  }
  if (s->last == -1) s->below *= 0.5;
  s->hi = at;
  s->beyond = margin;
  s->last = -1;
  return 1;
}
