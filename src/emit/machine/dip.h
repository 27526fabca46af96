// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Where a switching function that is positive at both ends of a step may be negative in between, as where a stop is touched at
// the turn of a motion. The chapter goes as source into generated files, where it belongs to their user.
#include <math.h>

//---- dips within a step --------------------------------------------------------------------------

// Three instants in their order with the values of the function: the beginning of the step before and both ends of the step,
// then looks within the step, about the least value so far. Parabolas through them say where to look.
typedef struct dipSearch {
  double t[3], g[3];
  int looks;
} dipSearch;


// Where to look next; 0: nowhere, for the function is not likely to come to zero.
static inline int dip_next(const dipSearch *d, double *at)
{
  const double *t = d->t, *g = d->g, h = t[2] - t[1], before = t[1] - t[0];
  if (!(before > 0 && h > 0 && g[1] > 0 && g[2] > 0) || d->looks >= 8) return 0;
  const double slope = (g[1] - g[0]) / before, bend = ((g[2] - g[1]) / h - slope) / (h + before);
  const double way = -0.5 * (slope / bend + before), least = g[1] - bend * way * way;
  *at = t[1] + way;
  if (!(bend > 0 && least < 0.5 * g[1])) return 0;
  if (d->looks > 0) return *at > t[0] && *at < t[2] && *at != t[1];
  *at = t[1] + fmin(fmax(way, h / 16), h - h / 16);
  return least < 0.5 * g[2] && way > -0.25 * h && way < 1.25 * h;
}


// The value there: of the four instants those about the lower of the inner two stay.
static inline void dip_take(dipSearch *d, double at, double g)
{
  const int is_first = d->looks++ == 0, is_late = is_first || at > d->t[1];
  const int kept = is_first || (g <= d->g[1]) == is_late, place = is_late ? 2 : 1;
  double t[4], value[4];
  for (int k = 0, n = 0; k < 4; k++) {
    t[k] = k == place ? at : d->t[n];
    value[k] = k == place ? g : d->g[n++];
  }
  for (int k = 0; k < 3; k++) {
    d->t[k] = t[k + kept];
    d->g[k] = value[k + kept];
  }
}
