// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A system in natural coordinates at a state: forms, constraints, Jacobian, tangent.
#include <math.h>
#include <string.h>

#include "natural/system.h"

#include "base/arithmetic.h"
#include "base/three.h"

int natural_start_state(const naturalSystem *s, naturalState *x, baseArena *arena)
{
  int widest = 0;
  for (int r = 0; r < s->nrow; r++) widest = widest > s->patch[r].n ? widest : s->patch[r].n;
  const struct {
    double **array;
    int count;
  } all[] = {{&x->form, 3 * s->nform},
             {&x->form_rate, 3 * s->nform},
             {&x->phi, s->nrow},
             {&x->J, s->row_start[s->nrow]},
             {&x->phi_t, s->nrow},
             {&x->bias, s->nrow},
             {&x->drive, s->ndrive},
             {&x->drive_rate, s->ndrive},
             {&x->drive_acceleration, s->ndrive},
             {&x->scratch, 3 * widest}};
  *x = (naturalState){0};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    *all[i].array = arena_alloc(arena, (size_t) all[i].count, sizeof(double));
    if (!*all[i].array) return 0;
  }
  return 1;
}


//---- forms ---------------------------------------------------------------------------------------

// a component at q, but for its constant
static inline double component_at(const naturalSystem *s, int c, const double *q)
{
  double sum = 0;
  for (int i = s->term_start[c]; i < s->term_start[c + 1]; i++)
    sum += s->term[i].c * q[s->term[i].q];
  return sum;
}


v3 natural_form_rate(const naturalSystem *s, int form, const double *v)
{
  ART_ASSERT(form >= 0 && form < s->nform);
  const int c = 3 * form;
  return (v3){component_at(s, c, v), component_at(s, c + 1, v), component_at(s, c + 2, v)};
}


v3 natural_form_at(const naturalSystem *s, int form, const double *q)
{
  ART_ASSERT(form >= 0 && form < s->nform);
  const double *constant = s->constant + 3 * form;
  return v3_add(natural_form_rate(s, form, q), (v3){constant[0], constant[1], constant[2]});
}


void natural_pull(const naturalSystem *s, int form, v3 force, double *Q)
{
  ART_ASSERT(form >= 0 && form < s->nform);
  const double f[3] = {force.x, force.y, force.z};
  for (int k = 0; k < 3; k++) {
    const int c = 3 * form + k;
    for (int i = s->term_start[c]; i < s->term_start[c + 1]; i++) {
      Q[s->term[i].q] += f[k] * s->term[i].c;
    }
  }
}


void natural_add_gradient(const naturalSystem *s, int row, int component, double factor,
                          double *gradient)
{
  ART_ASSERT(row >= 0 && row < s->nrow && component >= 0 && component < 3 * s->nform);
  const int *column = s->column + s->row_start[row];
  int k = 0;
  for (int i = s->term_start[component]; i < s->term_start[component + 1]; i++) {
    // both lists ascend
    while (column[k] != s->term[i].q) k++;
    gradient[k] += factor * s->term[i].c;
  }
}


//---- products ------------------------------------------------------------------------------------

// phi = scale (x.y + linear - constant - drive)
static void product_position(const naturalSystem *s, naturalState *x, int r, const double *q)
{
  const naturalRow *row = &s->row[r];
  double sum = -row->constant;
  if (row->x >= 0) sum += three_dot(x->form + 3 * row->x, x->form + 3 * row->y);
  for (int i = 0; i < row->nlinear; i++) sum += row->linear[i].c * q[row->linear[i].q];
  if (row->drive >= 0) sum -= x->drive[row->drive];
  x->phi[r] = row->scale * sum;
  x->phi_t[r] = row->drive >= 0 ? -row->scale * x->drive_rate[row->drive] : 0;

  for (int i = s->entry_start[r]; i < s->entry_start[r + 1]; i++) {
    const naturalEntry *e = &s->entry[i];
    x->J[e->place] += e->coefficient * x->form[e->component];
  }
}


static double product_bias(const naturalState *x, const naturalRow *row)
{
  double sum = 0;
  if (row->x >= 0) sum = 2 * three_dot(x->form_rate + 3 * row->x, x->form_rate + 3 * row->y);
  if (row->drive >= 0) sum -= x->drive_acceleration[row->drive];
  return row->scale * sum;
}


//---- angles --------------------------------------------------------------------------------------

// w = p x + r y in the plane of x and y, and p^2 + r^2
typedef struct planeAngle {
  double p, r, square;
} planeAngle;


static planeAngle angle_at(const naturalState *x, const naturalRow *row)
{
  const double *w = x->form + 3 * row->w;
  planeAngle a = {.p = three_dot(x->form + 3 * row->x, w), .r = three_dot(x->form + 3 * row->y, w)};
  a.square = a.p * a.p + a.r * a.r;
  return a;
}


double natural_near_angle(double angle, double s)
{
  const double full = 2 * acos(-1.0);
  return angle + full * round((s - angle) / full);
}


// phi = s - sign atan2(r, p) - constant;  d atan2 = (p dr - r dp) / (p^2 + r^2)
static void angle_position(const naturalSystem *s, naturalState *x, int r, const double *q)
{
  const naturalRow *row = &s->row[r];
  const planeAngle a = angle_at(x, row);
  const double own = q[row->linear[0].q];
  x->phi[r] = own - natural_near_angle(row->sign * atan2(a.r, a.p) + row->constant, own);
  x->phi_t[r] = 0;

  double *J = x->J + s->row_start[r];
  for (int k = 0; k < s->patch[r].n; k++) J[k] = s->patch[r].q[k] == row->linear[0].q;
  const double by_p = row->sign * a.r / a.square, by_r = -row->sign * a.p / a.square;
  for (int k = 0; k < 3; k++) {
    const int cx = 3 * row->x + k, cy = 3 * row->y + k, cw = 3 * row->w + k;
    natural_add_gradient(s, r, cx, by_p * x->form[cw], J);
    natural_add_gradient(s, r, cy, by_r * x->form[cw], J);
    natural_add_gradient(s, r, cw, by_p * x->form[cx] + by_r * x->form[cy], J);
  }
}


static double angle_bias(const naturalState *x, const naturalRow *row)
{
  const planeAngle a = angle_at(x, row);
  const double *f = x->form, *g = x->form_rate;
  const int cx = 3 * row->x, cy = 3 * row->y, cw = 3 * row->w;
  const double p1 = three_dot(g + cx, f + cw) + three_dot(f + cx, g + cw);
  const double r1 = three_dot(g + cy, f + cw) + three_dot(f + cy, g + cw);
  const double p2 = 2 * three_dot(g + cx, g + cw), r2 = 2 * three_dot(g + cy, g + cw);

  // angle'' = (p r'' - r p'' - 2 (p p' + r r') angle') / (p^2 + r^2)
  const double rate = (a.p * r1 - a.r * p1) / a.square;
  const double stretch = 2 * (a.p * p1 + a.r * r1) * rate;
  return -row->sign * (a.p * r2 - a.r * p2 - stretch) / a.square;
}


//---- relations of the host -----------------------------------------------------------------------

static artStatus user_position(const naturalSystem *s, naturalState *x, int r, const double *q)
{
  const naturalRow *row = &s->row[r];
  double *value = x->scratch, *gradient = x->scratch + row->nlinear;
  for (int i = 0; i < row->nlinear; i++) {
    value[i] = q[row->linear[i].q];
    gradient[i] = 0;
  }
  const artStatus status = row->user.value(row->user.context, value, &x->phi[r], gradient);
  arithmetic_renew();
  x->phi_t[r] = 0;
  for (int k = s->row_start[r]; k < s->row_start[r + 1]; k++) {
    x->J[k] = 0;
    for (int i = 0; i < row->nlinear; i++) {
      if (row->linear[i].q == s->column[k]) x->J[k] += gradient[i];
    }
  }
  return status;
}


static artStatus user_bias(const naturalRow *row, naturalState *x, const double *q, const double *v,
                           double *bias)
{
  double *value = x->scratch, *rate = x->scratch + row->nlinear;
  for (int i = 0; i < row->nlinear; i++) {
    value[i] = q[row->linear[i].q];
    rate[i] = v[row->linear[i].q];
  }
  const artStatus status = row->user.bias(row->user.context, value, rate, bias);
  arithmetic_renew();
  return status;
}


//---- factors of rows -----------------------------------------------------------------------------

// With mu = sum of J_i^2 / m_i over the coordinates of a row, a penalty alpha leaves 1 / (1 + alpha mu) of
// its violation. A row with mu more than 1000 times that of the typical mass needs less. A mass of less than 1e-15 of
// the largest is rounding.
int natural_weigh_rows(naturalSystem *s, double t, const double *q)
{
  baseArena scratch = {0};
  naturalState x;
  double heaviest = 0;
  int light = 0;
  s->factor = NULL;
  double *factor = arena_alloc(&s->arena, (size_t) s->nrow, sizeof *factor);
  const int taken = factor && natural_start_state(s, &x, &scratch);
  if (taken && natural_positions(s, &x, t, q) == ART_OK) {
    for (int i = 0; i < s->n; i++) heaviest = fmax(heaviest, s->M[s->pattern.start[i]]);
    for (int r = 0; r < s->nrow; r++) {
      double mu = 0;
      for (int k = s->row_start[r]; k < s->row_start[r + 1]; k++) {
        const double mass = s->M[s->pattern.start[s->column[k]]];
        if (mass > 1e-15 * heaviest) mu += x.J[k] * x.J[k] / mass;
      }
      factor[r] = mu * s->mass > 1e3 ? sqrt(1e3 / (mu * s->mass)) : 1;
      light += factor[r] < 1;
    }
  }
  if (light > 0) s->factor = factor;
  arena_free(&scratch);
  return taken;
}


//---- all rows ------------------------------------------------------------------------------------

artStatus natural_positions(const naturalSystem *s, naturalState *x, double t, const double *q)
{
  x->t = t;
  x->q = q;
  for (int i = 0; i < s->nhot; i++) {
    const int c = s->hot[i];
    x->form[c] = s->constant[c] + component_at(s, c, q);
  }
  if (s->ndrive > 0) {
    s->drive(s->drive_context, t, x->drive, x->drive_rate, x->drive_acceleration);
  }
  memcpy(x->J, s->fixed, (size_t) s->row_start[s->nrow] * sizeof *x->J);
  for (int r = 0; r < s->nrow; r++) {
    if (s->row[r].kind == NATURAL_PRODUCT) {
      product_position(s, x, r, q);
    } else if (s->row[r].kind == NATURAL_ANGLE) {
      angle_position(s, x, r, q);
    } else {
      const artStatus status = user_position(s, x, r, q);
      if (status != ART_OK) x->failed = &s->row[r];
      if (status != ART_OK) return status;
    }
  }
  for (int r = 0; r < s->nrow && s->factor; r++) {
    x->phi[r] *= s->factor[r];
    x->phi_t[r] *= s->factor[r];
    for (int k = s->row_start[r]; k < s->row_start[r + 1]; k++) x->J[k] *= s->factor[r];
  }
  return ART_OK;
}


artStatus natural_velocities(const naturalSystem *s, naturalState *x, const double *v)
{
  for (int i = 0; i < s->nhot; i++) x->form_rate[s->hot[i]] = component_at(s, s->hot[i], v);
  for (int r = 0; r < s->nrow; r++) {
    const naturalRow *row = &s->row[r];
    if (row->kind == NATURAL_PRODUCT) {
      x->bias[r] = product_bias(x, row);
    } else if (row->kind == NATURAL_ANGLE) {
      x->bias[r] = angle_bias(x, row);
    } else {
      const artStatus status = user_bias(row, x, x->q, v, &x->bias[r]);
      if (status != ART_OK) x->failed = row;
      if (status != ART_OK) return status;
    }
  }
  for (int r = 0; r < s->nrow && s->factor; r++) x->bias[r] *= s->factor[r];
  return ART_OK;
}


//---- products with matrices ----------------------------------------------------------------------

void natural_add_transposed(const naturalSystem *s, const naturalState *x, const double *u,
                            double *y)
{
  for (int r = 0; r < s->nrow; r++) {
    for (int k = s->row_start[r]; k < s->row_start[r + 1]; k++) y[s->column[k]] += x->J[k] * u[r];
  }
}


void natural_times(const naturalSystem *s, const naturalState *x, const double *v, double *y)
{
  for (int r = 0; r < s->nrow; r++) {
    double sum = 0;
    for (int k = s->row_start[r]; k < s->row_start[r + 1]; k++) sum += x->J[k] * v[s->column[k]];
    y[r] = sum;
  }
}


void natural_tangent(const naturalSystem *s, const naturalState *x, double m, double a,
                     double *values)
{
  const int count = s->pattern.start[s->n];
  for (int i = 0; i < count; i++) values[i] = m * s->M[i];
  for (int r = 0; r < s->nrow; r++) {
    const naturalPatch *patch = &s->patch[r];
    const double *J = x->J + s->row_start[r];
    const int *place = patch->place;
    for (int i = 0; i < patch->n; i++) {
      const double c = a * J[i];
      for (int j = 0; j <= i; j++) values[*place++] += c * J[j];
    }
  }
}


void natural_mass_times(const naturalSystem *s, const double *x, double *y)
{
  const numPattern *p = &s->pattern;
  memset(y, 0, (size_t) s->n * sizeof *y);
  for (int j = 0; j < s->n; j++) {
    const int first = p->start[j];
    double sum = s->M[first] * x[j];
    for (int k = first + 1; k < p->start[j + 1]; k++) {
      sum += s->M[k] * x[p->row[k]];
      y[p->row[k]] += s->M[k] * x[j];
    }
    y[j] += sum;
  }
}


double natural_kinetic(const naturalSystem *s, const double *v, double *scratch)
{
  natural_mass_times(s, v, scratch);
  double sum = 0;
  for (int i = 0; i < s->n; i++) sum += v[i] * scratch[i];
  return sum / 2;
}


int natural_worst_row(const naturalSystem *s, const double *value)
{
  int worst = 0;
  for (int r = 1; r < s->nrow && !isnan(value[worst]); r++) {
    if (!(fabs(value[r]) <= fabs(value[worst]))) worst = r;
  }
  return worst;
}


//---- second derivatives --------------------------------------------------------------------------

// factor times the second derivative of the product of two components
static void add_curvature_pair(const naturalSystem *s, int x, int y, double factor, double *values)
{
  for (int i = s->term_start[x]; i < s->term_start[x + 1]; i++) {
    for (int j = s->term_start[y]; j < s->term_start[y + 1]; j++) {
      const double c = factor * s->term[i].c * s->term[j].c;
      const int a = s->term[i].q, b = s->term[j].q;
      values[natural_entry(&s->pattern, a, b)] += a == b ? 2 * c : c;
    }
  }
}


// d2 angle = (dp, dr) H (dp, dr)^T + angle_p d2p + angle_r d2r
static void add_angle_curvature(const naturalSystem *s, const naturalState *x, int r, double factor,
                                double *values)
{
  ART_ASSERT(s->row[r].kind == NATURAL_ANGLE);
  const naturalRow *row = &s->row[r];
  const planeAngle a = angle_at(x, row);
  const double f = -factor * row->sign, by_p = -a.r / a.square, by_r = a.p / a.square;
  for (int k = 0; k < 3; k++) {
    add_curvature_pair(s, 3 * row->x + k, 3 * row->w + k, f * by_p, values);
    add_curvature_pair(s, 3 * row->y + k, 3 * row->w + k, f * by_r, values);
  }

  // gradients of p and r on the row's coordinates
  const int n = s->patch[r].n;
  double *dp = x->scratch, *dr = x->scratch + n;
  memset(dp, 0, 2 * (size_t) n * sizeof *dp);
  for (int k = 0; k < 3; k++) {
    const int cx = 3 * row->x + k, cy = 3 * row->y + k, cw = 3 * row->w + k;
    natural_add_gradient(s, r, cx, x->form[cw], dp);
    natural_add_gradient(s, r, cw, x->form[cx], dp);
    natural_add_gradient(s, r, cy, x->form[cw], dr);
    natural_add_gradient(s, r, cw, x->form[cy], dr);
  }
  const double pp = 2 * by_p * -by_r, rr = 2 * by_r * by_p, pr = by_p * by_p - by_r * by_r;
  const int *place = s->patch[r].place;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      const double h =
          pp * dp[i] * dp[j] + rr * dr[i] * dr[j] + pr * (dp[i] * dr[j] + dr[i] * dp[j]);
      values[*place++] += f * h;
    }
  }
}


void natural_add_curvature(const naturalSystem *s, const naturalState *x, const double *mu,
                           double factor, double *values)
{
  for (int r = 0; r < s->nrow; r++) {
    const double f = factor * mu[r] * (s->factor ? s->factor[r] : 1);
    for (int i = s->curve_start[r]; i < s->curve_start[r + 1]; i++) {
      values[s->curve[i].q] += f * s->curve[i].c;
    }
    if (s->row[r].kind == NATURAL_ANGLE) add_angle_curvature(s, x, r, f, values);
  }
}


//---- within a step -------------------------------------------------------------------------------

// x and x' at the part u of a step of length h, with d = x1 - x0, A = h x0' - d and B = h x1' - d:
//   x = x0 + u d + u (1-u) ((1-u) A - u B)
static void follow_cubic(int n, double h, double u, const double *const x[2],
                         const double *const rate[2], double *at, double *rate_at)
{
  for (int i = 0; i < n; i++) {
    const double d = x[1][i] - x[0][i], A = h * rate[0][i] - d, B = h * rate[1][i] - d;
    at[i] = x[0][i] + u * d + u * (1 - u) * ((1 - u) * A - u * B);
    if (rate_at) rate_at[i] = (d + (1 - u) * (1 - 3 * u) * A - u * (2 - 3 * u) * B) / h;
  }
}


void natural_within(const naturalSpan *x, int n, int nstate, double t, double *q, double *v,
                    double *s)
{
  ART_ASSERT(t >= x->from && t <= x->to && x->from < x->to);
  const double h = x->to - x->from, u = (t - x->from) / h;
  follow_cubic(n, h, u, x->q, x->v, q, v);
  follow_cubic(nstate, h, u, x->s, x->s_rate, s, NULL);
}
