// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Frequency response from the height of the road under tyres to the outputs:
//   H(j w) = C (j w - A)^-1 (B0 + j w B1) + D0 + j w D1
// All matrices come from the linearisation, with the height of the road and its rate as inputs.
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/study.h"
#include "base/arena.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/format.h"
#include "base/numbers.h"
#include "data/work.h"
#include "model/define/study_def.h"
#include "model/methods.h"
#include "num/dense.h"
#include "study/study.h"

static const double TURN = 6.283185307179586; // 2 pi
static const double UNDAMPED = 1e-9;          // a damping ratio that is rounding

static const double GOLDEN = 0.61803398874989485; // (sqrt(5) - 1) / 2
static const double NARROW = 1e-9;                // of a frequency
static const double FLAT = 1e-9; // of a magnitude: less above the neighbours is rounding

enum { NAROUND = 9, MAX_SECTIONS = 80 }; // places that are looked at around a pole

// The magnitude of an output where it is the largest.
typedef struct peak {
  int output;
  double f, y;
} peak;

typedef struct responseWork {
  const artModel *m;
  artData *d;
  const artResponseDef *study;
  artLinear *lin;
  artTable *table, **peaks; // peaks may be NULL
  baseArena arena;

  studyLifts lifts;
  int *tyre;              // [lifts.n] elements
  double *factor, *delay; // [lifts.n]
  double complex *Z, *x;  // [order order], [order]
  int *pivot;             // [order]
} responseWork;


//---- tyres ---------------------------------------------------------------------------------------

// the tyres that the study names, or all
static void find_tyres(responseWork *w)
{
  const artModel *m = w->m;
  const artResponseDef *study = w->study;
  const int room = study->tyres.count > m->nelement ? study->tyres.count : m->nelement;
  ARENA_TAKE(&w->arena, w->tyre, room);
  ARENA_TAKE(&w->arena, w->factor, room);
  ARENA_TAKE(&w->arena, w->delay, room);
  for (int i = 0; i < m->nelement && study->tyres.count == 0; i++) {
    if (m->element[i].tyre) w->tyre[w->lifts.n++] = i;
  }
  for (int i = 0; i < study->tyres.count; i++) {
    w->tyre[w->lifts.n++] = table_find(&m->elements, study->tyres.name[i]);
  }
  if ((study->factors.count > 0 && study->factors.count != w->lifts.n) ||
      (study->delays.count > 0 && study->delays.count != w->lifts.n)) {
    error_refuse(base_nowhere(),
                 "the study has %d factors and %d delays of %d tyres, expected none or one each",
                 study->factors.count, study->delays.count, w->lifts.n);
  }
  for (int i = 0; i < w->lifts.n; i++) {
    w->factor[i] = study->factors.count > 0 ? study->factors.value[i] : 1;
    w->delay[i] = study->delays.count > 0 ? study->delays.value[i] : 0;
    if (w->tyre[i] >= 0 && m->element[w->tyre[i]].tyre) continue;
    error_refuse(base_nowhere(), "'%.80s' is not a tyre", study->tyres.name[i]);
  }
  if (w->lifts.n > 0) return;
  error_refuse(base_nowhere(), "the machine has no tyres under which a road could go up and down");
}


//---- response ------------------------------------------------------------------------------------

// x = (j w - A)^-1 sum of factor e^(-j w delay) (B0 + j w B1)
static artStatus respond_at_frequency(responseWork *w, double omega)
{
  const long n = w->lin->order;
  memset(w->x, 0, (size_t) n * sizeof *w->x);
  for (int t = 0; t < w->lifts.n; t++) {
    const double complex lift = w->factor[t] * cexp(-I * omega * w->delay[t]);
    for (long i = 0; i < n; i++) {
      w->x[i] += lift * (w->lifts.B[0][t * n + i] + I * omega * w->lifts.B[1][t * n + i]);
    }
  }
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) w->Z[j * n + i] = -w->lin->A[i * n + j];
    w->Z[i * n + i] += I * omega;
  }
  return num_solve_complex((int) n, (double *) w->Z, 1, (double *) w->x, w->pivot, error_current());
}


static double complex response_output(const responseWork *w, int k, double omega)
{
  ART_ASSERT(k >= 0 && k < w->m->noutput);
  const long n = w->lin->order, ny = w->m->noutput;
  double complex y = 0;
  for (long i = 0; i < n; i++) y += w->lin->Cy[k * n + i] * w->x[i];
  for (int t = 0; t < w->lifts.n; t++) {
    const double complex lift = w->factor[t] * cexp(-I * omega * w->delay[t]);
    y += lift * (w->lifts.D[0][t * ny + k] + I * omega * w->lifts.D[1][t * ny + k]);
  }
  return y;
}


// f_k = lowest (highest / lowest)^(k / (count - 1))
static double frequency_at(const artResponseDef *study, int k)
{
  ART_ASSERT(k >= 0 && k < study->count && study->count > 1);
  const double part = (double) k / (study->count - 1);
  return study->from * pow(study->to / study->from, part);
}


//---- peaks ---------------------------------------------------------------------------------------

// magnitudes of all outputs at a frequency; without bound at a pole without damping
static void magnitudes_at(responseWork *w, double f, double *y)
{
  const artStatus status = respond_at_frequency(w, TURN * f);
  if (status != ART_SINGULAR) error_check(status);
  base_forget(error_current());
  for (int k = 0; k < w->m->noutput; k++) {
    y[k] = status == ART_OK ? cabs(response_output(w, k, TURN * f)) : HUGE_VAL;
  }
}


// The frequencies of the study, and those at and around each pole  -s + j p:  p + t max(s, p/1000) of
// which no grid may see the peak. They ascend, without doubles.
static int list_frequencies(const responseWork *w, double *f)
{
  static const double AROUND[NAROUND] = {-4, -2, -1, -0.5, 0, 0.5, 1, 2, 4};
  const artResponseDef *study = w->study;
  int n = study->count;
  for (int k = 0; k < n; k++) f[k] = frequency_at(study, k);
  for (int e = 0; e < w->lin->order; e++) {
    const double p = w->lin->imaginary[e], s = fmax(fabs(w->lin->real[e]), 1e-3 * p);
    for (int t = 0; t < NAROUND && p > 0; t++) {
      const double at = (p + AROUND[t] * s) / TURN;
      if (at > study->from && at < study->to) f[n++] = at;
    }
  }
  qsort(f, (size_t) n, sizeof *f, base_order_doubles);
  int kept = 1;
  for (int k = 1; k < n; k++) {
    if (f[k] > f[kept - 1] * (1 + 1e-12)) f[kept++] = f[k];
  }
  return kept;
}


// the top of output k between frequencies a and b, by golden sections
static void refine_peak(responseWork *w, int k, double a, double b, double *y, peak *top)
{
  ART_ASSERT(a < b);
  double x[2] = {b - GOLDEN * (b - a), a + GOLDEN * (b - a)}, value[2];
  for (int i = 0; i < 2; i++) {
    magnitudes_at(w, x[i], y);
    value[i] = y[k];
  }
  for (int i = 0; i < MAX_SECTIONS && b - a > NARROW * b; i++) {
    const int right = value[1] > value[0];
    if (right) {
      a = x[0], x[0] = x[1], value[0] = value[1];
      x[1] = a + GOLDEN * (b - a);
    } else {
      b = x[1], x[1] = x[0], value[1] = value[0];
      x[0] = b - GOLDEN * (b - a);
    }
    magnitudes_at(w, x[right], y);
    value[right] = y[k];
  }
  const int right = value[1] > value[0];
  *top = (peak){k, x[right], value[right]};
}


static int stands_out(double before, double here, double after)
{
  return here > before * (1 + FLAT) && here > after * (1 + FLAT);
}


static int by_output_then_height(const void *a, const void *b)
{
  const peak *p = a, *q = b;
  if (p->output != q->output) return p->output < q->output ? -1 : 1;
  if (p->y != q->y) return p->y > q->y ? -1 : 1;
  return p->f < q->f ? -1 : 1;
}


static void find_peaks(responseWork *w, artTable **peaks)
{
  double *f;
  peak *list;
  int count;
  ARENA_TAKE(&w->arena, f, w->study->count + NAROUND * w->lin->order);
  // all that stand out between the first and the last of the frequencies f[nf], one for each that is higher than its neighbours
  const int nf = list_frequencies(w, f);
  const int n = w->m->noutput;
  double *all, *y;
  count = 0;
  ARENA_TAKE(&w->arena, all, (size_t) nf * (size_t) n);
  ARENA_TAKE(&w->arena, y, n);
  ARENA_TAKE(&w->arena, list, (size_t) nf * (size_t) n);
  for (int i = 0; i < nf; i++) {
    magnitudes_at(w, f[i], all + (long) i * n);
  }
  for (int i = 1; i + 1 < nf; i++) {
    const double *here = all + (long) i * n;
    for (int k = 0; k < n; k++) {
      if (!stands_out(here[k - n], here[k], here[k + n])) continue;
      refine_peak(w, k, f[i - 1], f[i + 1], y, list + (count)++);
    }
  }

  // a peak at a pole without damping has no height: what the search found is how near it came
  for (int i = 0; i < count; i++) {
    for (int e = 0; e < w->lin->order; e++) {
      const double p = w->lin->imaginary[e];
      const int is_there = fabs(TURN * list[i].f - p) <= 1e-6 * p;
      if (p > 0 && is_there && fabs(w->lin->real[e]) <= UNDAMPED * p) list[i].y = HUGE_VAL;
    }
  }
  qsort(list, (size_t) count, sizeof *list, by_output_then_height);

  result_create(peaks, 3, count);
  result_add_column(*peaks, "1", "output");
  result_add_column(*peaks, "Hz", "frequency");
  result_add_column(*peaks, "1", "magnitude");
  for (int i = 0; i < count; i++) {
    double *row = (*peaks)->value + 3 * (long) i;
    row[0] = list[i].output, row[1] = list[i].f, row[2] = list[i].y;
  }
}


//---- all -----------------------------------------------------------------------------------------

// the unit of an output by metre
static void unit_by_metre(const char *unit, char text[80])
{
  if (strcmp(unit, "m") == 0)
    snprintf(text, 80, "1");
  else
    format_text(text, 80, strchr(unit, '/') ? "(%s)/m" : "%s/m", unit);
}


static void find_response(void *context)
{
  responseWork *w = context;
  const int way = model_join_way(w->study->method, w->study->backend);
  find_tyres(w);
  w->lifts.tyre = w->tyre;
  w->lifts.arena = &w->arena;
  error_check(study_linearise(w->m, w->d, way, &w->lin, &w->lifts, error_current()));
  const int n = w->lin->order;
  ARENA_TAKE(&w->arena, w->Z, n * n);
  ARENA_TAKE(&w->arena, w->x, n);
  ARENA_TAKE(&w->arena, w->pivot, n);
  const artModel *m = w->m;
  result_create(&w->table, 1 + 2 * m->noutput, w->study->count);
  result_add_column(w->table, "Hz", "frequency");
  for (int k = 0; k < m->noutput; k++) {
    char unit[80];
    unit_by_metre(art_output_unit(m, k), unit);
    result_add_column(w->table, unit, "%s.magnitude", m->output[k].name);
    result_add_column(w->table, "rad", "%s.phase", m->output[k].name);
  }
  for (int r = 0; r < w->study->count; r++) {
    double *row = w->table->value + (long) r * w->table->columns;
    row[0] = frequency_at(w->study, r);
    error_check(respond_at_frequency(w, TURN * row[0]));
    for (int k = 0; k < w->m->noutput; k++) {
      const double complex y = response_output(w, k, TURN * row[0]);
      row[1 + 2 * k] = cabs(y);
      row[2 + 2 * k] = carg(y);
    }
  }
  if (w->peaks) find_peaks(w, w->peaks);
}


artStatus art_find_response(const artModel *m, artData *d, const artResponseDef *study,
                            artTable **result, artTable **peaks, artError *error)
{
  ARITHMETIC_GUARD;
  if (peaks) *peaks = NULL;
  ART_REQUIRE(result, error);
  *result = NULL;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(study, error);
  artStatus status = model_check_study(ART_RESPONSE, study, error);
  if (status != ART_OK) return status;
  responseWork w = {.m = m, .d = d, .study = study, .peaks = peaks, .arena.leaves = 1};
  status = error_try(find_response, &w, error);
  art_free_linear(w.lin);
  arena_free(&w.arena);
  if (status != ART_OK) {
    art_free_table(w.table);
    w.table = NULL;
    if (peaks) art_free_table(*peaks), *peaks = NULL;
  }
  *result = w.table;
  return status;
}
