// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Linearisation about a state, at rest or moving.
//
// With the missing joint forces  r(q, v) = M a0 + h - tau  at the accelerations a0 of the state,
//   M da + R_v dv + R_q dq = 0,   R_q = dr/dq,  R_v = dr/dv  by differences.
// dq are displacements along the velocity coordinates. For ball and free joints they are rotation
// vectors in the axes of the link: from  R' = R exp(dq x)  follows  omega' = omega + ddq/dt + omega x dq,
//   ddq/dt = dv - W dq,   W = omega x  in the blocks of these joints, 0 elsewhere.
// Hence A, and with dv taken out  C = R_v + M W,  K = R_q + R_v W + M dW/dt.
//
// With closed loops all of this is meant for the independent coordinates, from which the others follow:
// v = R v_f, M represents R^T M R, W for the rows f of W R. With F what is left of the forces,
// a_f = M^-1 F  and  r = M a0 - F,  hence  dr = -M da_f  at the state: it is the accelerations that
// are differentiated there.
//
// States s of force elements add  da = a_s ds  and  ds' = r_q dq + r_v dv + r_s ds.
// Inputs u add columns B of rates; outputs y(x, u) have the slopes  Cy = dy/dx  and  Dy = dy/du.
#include <math.h>
#include <string.h>

#include "articula/study.h"
#include "base/arithmetic.h"
#include "base/error.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "base/throw.h"
#include "force/tyre_element.h"
#include "method/method.h"
#include "num/dense.h"
#include "num/difference.h"
#include "study/assemble/assemble.h"
#include "study/study.h"

// the moved quantity: a displacement, a velocity, a state, an input, the height of a road or its rate
typedef enum linearKind {
  ALONG_Q,
  ALONG_V,
  ALONG_S,
  ALONG_U,
  ALONG_LIFT,
  ALONG_LIFT_RATE
} linearKind;

// slopes of velocities that what rolls ties to others are exact but for this part
static const double ROUNDED = 1e-9;

typedef struct linearWork {
  const artModel *m;
  artData *d;
  baseArena arena;
  artLinear *lin;
  int way;           // of model/methods.h
  studyLifts *lifts; // NULL: none
  linearKind kind;
  double *q, *v, *a; // [nq], [nv], [nv] the state
  double *s, *u;     // [nstate], [ninput]
  double scale;      // of the input that is moved: the unit of its differences
  double *move;      // [nv]
  double *all;       // [nv] joint forces
  double *mass;      // [nv nv]
  double *R;         // [nv n] by rows: v = R v_f
  double *dR;        // [nv n] its rate, where it is needed
  double time;
  double *slope;   // [n]
  double *space;   // [4 n]
  double *y;       // [noutput] slopes of outputs
  double *outputs; // [6 noutput]
  double *Rq, *Rv; // [n n] by rows
  double *W, *dW;  // [n n] by rows
  double *solved;  // [n 2n] by columns: M^-1 (R_q R_v)
  double *factor;  // [n n]
} linearWork;

//---- memory --------------------------------------------------------------------------------------

void art_free_linear(artLinear *lin)
{
  if (!lin) return;
  mem_free(lin->coordinate);
  mem_free(lin->all);
  mem_free(lin->speed);
  mem_free(lin->M);
  mem_free(lin);
}


// one block of numbers, cut into the pieces
static int take_result(artLinear *lin, const artModel *model, int n, int nspeed, int nall)
{
  const int nstate = model->nstate;
  const size_t nn = (size_t) n * (size_t) n, n2 = 2 * (size_t) n + (size_t) nstate;
  const size_t m = (size_t) nall, ny = (size_t) model->noutput, nu = (size_t) model->ninput;
  lin->n = n;
  lin->nstate = nstate;
  lin->nspeed = nspeed;
  lin->order = n + nspeed + nstate;
  lin->nall = nall;
  lin->ninput = model->ninput;
  lin->noutput = model->noutput;
  lin->coordinate = MEM_ARRAY(int, n);
  lin->all = MEM_ARRAY(int, nall);
  lin->speed = MEM_ARRAY(int, n);
  double *next = MEM_ARRAY(double, 3 * nn + n2 * n2 + 4 * n2 + 3 * n2 * (size_t) n +
                                       (size_t) n * m + 3 * n2 * m + (ny + nu) * n2 + ny * nu);
  lin->M = next;
  if (!next || !lin->coordinate || !lin->all || !lin->speed) return 0;
  lin->C = next += nn;
  lin->K = next += nn;
  lin->A = next += nn;
  lin->real = next += n2 * n2;
  lin->imaginary = next += n2;
  lin->frequency = next += n2;
  lin->damping = next += n2;
  lin->mode_real = next += n2;
  lin->mode_imaginary = next += n2 * (size_t) n;
  lin->share = next += n2 * (size_t) n;
  lin->R = next += n2 * (size_t) n;
  lin->shape_real = next += (size_t) n * m;
  lin->shape_imaginary = next += n2 * m;
  lin->shape_share = next += n2 * m;
  lin->B = next += n2 * m;
  lin->Cy = next += n2 * nu;
  lin->Dy = next + n2 * ny;
  return 1;
}


static void take_linear_work(linearWork *w)
{
  baseArena *a = &w->arena;
  const size_t nv = (size_t) w->m->tree.nv, n = (size_t) w->lin->n, ny = (size_t) w->lin->noutput;
  const size_t all = 2 * n + (size_t) w->lin->nstate;
  w->u = arena_copy(a, w->d->u, (size_t) w->lin->ninput, sizeof *w->u);
  ARENA_TAKE(a, w->y, ny);
  ARENA_TAKE(a, w->outputs, 6 * ny);
  ARENA_TAKE(a, w->move, nv);
  ARENA_TAKE(a, w->all, nv);
  ARENA_TAKE(a, w->mass, nv * nv);
  ARENA_TAKE(a, w->R, nv * n);
  ARENA_TAKE(a, w->dR, nv * n);
  ARENA_TAKE(a, w->slope, all);
  ARENA_TAKE(a, w->space, 4 * all);
  ARENA_TAKE(a, w->Rq, n * n);
  ARENA_TAKE(a, w->Rv, n * n);
  ARENA_TAKE(a, w->W, n * n);
  ARENA_TAKE(a, w->dW, n * n);
  ARENA_TAKE(a, w->solved, 2 * n * n);
  ARENA_TAKE(a, w->factor, n * n);
}


//---- the matrices --------------------------------------------------------------------------------

static void put_linear_state(const linearWork *w)
{
  const treeModel *t = &w->m->tree;
  memcpy(w->d->q, w->q, (size_t) t->nq * sizeof *w->q);
  memcpy(w->d->v, w->v, (size_t) t->nv * sizeof *w->v);
  if (w->lin->nstate > 0) memcpy(w->d->s, w->s, (size_t) w->lin->nstate * sizeof *w->s);
  for (int i = 0; i < w->lin->ninput; i++) w->d->u[i] = w->u[i];
  for (int i = 0; w->lifts && i < w->lifts->n; i++) {
    const int k = w->m->element[w->lifts->tyre[i]].value0;
    w->d->work->force->lift[k] = w->d->work->force->lift_rate[k] = 0;
  }
}


// a displacement along a column of R, a velocity, a state; dependent ones follow as loops are closed
static void put_linear_along_column(linearWork *w, int column, double s)
{
  const artLinear *lin = w->lin;
  put_linear_state(w);
  if (w->kind >= ALONG_LIFT) {
    const int k = w->m->element[w->lifts->tyre[column]].value0;
    struct forceWork *force = w->d->work->force;
    (w->kind == ALONG_LIFT ? force->lift : force->lift_rate)[k] = s;
  } else if (w->kind == ALONG_U) {
    w->d->u[column] += s * w->scale;
  } else if (w->kind == ALONG_S) {
    w->d->s[column] += s;
  } else if (w->kind == ALONG_V) {
    w->d->v[lin->coordinate[lin->speed[column]]] += s;
  } else {
    for (int k = 0; k < w->m->tree.nv; k++) w->move[k] = s * w->R[(long) k * lin->n + column];
    art_move(w->m, w->d->q, w->move);
  }
  art_update(w->m, w->d);
}


static artStatus missing_linear_along_column(void *context, int column, double s, double *r,
                                             artError *error)
{
  linearWork *w = context;
  const artLinear *lin = w->lin;
  put_linear_along_column(w, column, s);
  const artStatus status = study_missing_forces(w->m, w->d, w->a, w->all, error);
  for (int i = 0; i < lin->n; i++) r[i] = w->all[lin->coordinate[i]];
  return status;
}


// accelerations at a moved state, where what rolls follows the independent velocities
static artStatus accelerate_linear(linearWork *w, artError *error)
{
  artStatus status = ART_OK;
  if (w->m->nroll > 0) status = method_roll_follow(w->m, w->d, error);
  return status == ART_OK ? art_accelerate(w->m, w->d, ART_AUTOMATIC, error) : status;
}


static artStatus accelerations_along_column(void *context, int column, double s, double *a,
                                            artError *error)
{
  linearWork *w = context;
  const artLinear *lin = w->lin;
  put_linear_along_column(w, column, s);
  const artStatus status = accelerate_linear(w, error);
  for (int i = 0; i < lin->nspeed; i++) a[i] = w->d->a[lin->coordinate[lin->speed[i]]];
  return status;
}


// dr/dq or dr/dv, by rows; with loops da/dq or da/dv
static void find_force_slopes(linearWork *w, linearKind kind, double *R)
{
  const int n = w->lin->n;
  const differenceFunction f = {
      n, w->m->nrow > 0 ? accelerations_along_column : missing_linear_along_column, w};
  w->kind = kind;
  for (int j = 0; j < n; j++) {
    error_check(difference_slope(&f, j, w->space, w->slope, error_current()));
    for (int i = 0; i < n; i++) R[(long) i * n + j] = w->slope[i];
  }
}


// R^T M R
static void find_mass(linearWork *w)
{
  artLinear *lin = w->lin;
  const long n = lin->n, nv = w->m->tree.nv;
  art_mass_matrix(w->m, w->d, w->mass);
  if (w->m->nrow == 0) {
    for (long i = 0; i < n; i++) {
      for (long j = 0; j < n; j++) {
        lin->M[i * n + j] = w->mass[lin->coordinate[i] * nv + lin->coordinate[j]];
      }
    }
    return;
  }
  for (long k = 0; k < nv; k++) {
    memset(w->slope, 0, (size_t) n * sizeof *w->slope);
    for (long l = 0; l < nv; l++) {
      for (long j = 0; j < n; j++) w->slope[j] += w->mass[k * nv + l] * w->R[l * n + j];
    }
    for (long i = 0; i < n; i++) {
      for (long j = 0; j < n; j++) lin->M[i * n + j] += w->R[k * n + i] * w->slope[j];
    }
  }
}


// sum[i n + j] += (u x R)_c: how component c of omega x dq depends on the free displacements
static void add_cross_component(const double u[3], int c, int n, const double *R, double *sum)
{
  ART_ASSERT(c >= 0 && c < 3);
  const int a = (c + 1) % 3, b = (c + 2) % 3;
  for (int j = 0; j < n; j++) {
    sum[j] += u[a] * R[(long) b * n + j] - u[b] * R[(long) a * n + j];
  }
}


// R at the state of the data a little later
static artStatus transformation_later(void *context, int column, double s, double *R,
                                      artError *error)
{
  linearWork *w = context;
  (void) column;
  put_linear_state(w);
  for (int k = 0; k < w->m->tree.nv; k++) w->move[k] = s * w->v[k];
  art_move(w->m, w->d->q, w->move);
  w->d->time = w->time + s;
  art_update(w->m, w->d);
  const artStatus status = study_close(w->m, w->d, error);
  w->d->time = w->time;
  if (status == ART_OK) {
    study_transformation(w->m, w->d, w->lin->n, w->lin->coordinate, R);
  }
  return status;
}


// dR/dt, which is zero without loops
static void find_transformation_rate(linearWork *w)
{
  const int length = w->m->tree.nv * w->lin->n;
  if (w->m->nrow == 0 || length == 0) return;
  double *space = arena_alloc(&w->arena, 4 * (size_t) length, sizeof *space);
  const differenceFunction f = {length, transformation_later, w};
  error_check(difference_slope(&f, 0, space, w->dR, error_current()));
}


// W of ball and free joints, and its rate: rows of  omega x R  and of its derivative
static void find_turning(linearWork *w)
{
  const artLinear *lin = w->lin;
  const int n = lin->n;
  int has_rate = 0;
  for (int i = 0; i < n; i++) {
    const int k = lin->coordinate[i];
    const treeLink *link = &w->m->tree.link[w->m->tree.dof_link[k]];
    const int spin = link->v0 + (link->kind == LINK_FREE ? 3 : 0);
    if ((link->kind != LINK_SPHERICAL && link->kind != LINK_FREE) || k < spin) continue;
    const double *omega = w->v + spin, *alpha = w->a + spin;
    const long first = (long) spin * n, row = (long) i * n;
    const int moves = omega[0] != 0 || omega[1] != 0 || omega[2] != 0;
    if (moves && !has_rate) {
      find_transformation_rate(w);
      has_rate = 1;
    }
    add_cross_component(omega, k - spin, n, w->R + first, w->W + row);
    add_cross_component(alpha, k - spin, n, w->R + first, w->dW + row);
    if (moves) add_cross_component(omega, k - spin, n, w->dR + first, w->dW + row);
  }
}


// sum += A B, n x n by rows
static void add_matrix_product(int n, const double *A, const double *B, double *sum)
{
  for (long i = 0; i < n; i++) {
    for (long k = 0; k < n; k++) {
      if (A[i * n + k] == 0) continue;
      for (long j = 0; j < n; j++) sum[i * n + j] += A[i * n + k] * B[k * n + j];
    }
  }
}


// M ddq'' + C ddq' + K dq = 0
static void second_order_form(linearWork *w)
{
  artLinear *lin = w->lin;
  const size_t bytes = (size_t) lin->n * (size_t) lin->n * sizeof *lin->C;
  memcpy(lin->C, w->Rv, bytes);
  memcpy(lin->K, w->Rq, bytes);
  add_matrix_product(lin->n, lin->M, w->W, lin->C);
  add_matrix_product(lin->n, w->Rv, w->W, lin->K);
  add_matrix_product(lin->n, lin->M, w->dW, lin->K);
}


// A = [-W  1; -M^-1 R_q  -M^-1 R_v]
static void first_order_form(linearWork *w)
{
  artLinear *lin = w->lin;
  const long n = lin->n;
  for (long i = 0; i < n; i++) {
    for (long j = 0; j < n; j++) {
      w->factor[j * n + i] = lin->M[i * n + j];
      w->solved[j * n + i] = w->Rq[i * n + j];
      w->solved[(n + j) * n + i] = w->Rv[i * n + j];
    }
  }
  error_check(num_solve_positive(lin->n, w->factor, 2 * lin->n, w->solved, error_current()));

  for (long i = 0; i < n; i++) {
    double *above = lin->A + i * lin->order, *below = lin->A + (n + i) * lin->order;
    for (long j = 0; j < n; j++) above[j] = 0 - w->W[i * n + j];
    above[n + i] = 1;
    for (long j = 0; j < 2 * n; j++) below[j] = -w->solved[j * n + i];
  }
}


// slopes of accelerations into slopes of forces: -M da
static void take_force_slopes(linearWork *w, double *slopes)
{
  const int n = w->lin->n;
  double *product = w->factor;
  memset(product, 0, (size_t) n * (size_t) n * sizeof *product);
  add_matrix_product(n, w->lin->M, slopes, product);
  for (long e = 0; e < (long) n * n; e++) slopes[e] = -product[e];
}


static void find_second_order_slopes(linearWork *w)
{
  find_force_slopes(w, ALONG_Q, w->Rq);
  find_force_slopes(w, ALONG_V, w->Rv);
  if (w->m->nrow == 0) return;
  take_force_slopes(w, w->Rq);
  take_force_slopes(w, w->Rv);
}


//---- what rolls ----------------------------------------------------------------------------------

// all velocities of the independent positions, then accelerations of the independent velocities
static artStatus rolling_along_column(void *context, int column, double s, double *rate,
                                      artError *error)
{
  linearWork *w = context;
  const artLinear *lin = w->lin;
  const artStatus status = accelerations_along_column(w, column, s, rate + lin->n, error);
  for (int i = 0; i < lin->n; i++) rate[i] = w->d->v[lin->coordinate[i]];
  return status;
}


// Rows of velocities A(q) v = 0 leave v = V(q) v_i, of which rates are taken by differences:
//   ddq/dt = dv/dq dq + V dv_i - W dq,   dv_i/dt = da_i
// No forces of second order belong to that, so that C and K have no values.
static void rolling_form(linearWork *w)
{
  artLinear *lin = w->lin;
  const int n = lin->n, rates = n + lin->nspeed;
  const differenceFunction f = {rates, rolling_along_column, w};
  for (long e = 0; e < (long) n * n; e++) lin->C[e] = lin->K[e] = NAN;
  for (int j = 0; j < rates; j++) {
    w->kind = j < n ? ALONG_Q : ALONG_V;
    error_check(difference_slope(&f, j < n ? j : j - n, w->space, w->slope, error_current()));
    const double most = max_magnitude(n, w->slope);
    for (int i = 0; i < rates; i++) {
      const double turn = i < n && j < n ? w->W[(long) i * n + j] : 0;
      const double slope = i < n && fabs(w->slope[i]) < ROUNDED * most ? 0 : w->slope[i];
      lin->A[(long) i * lin->order + j] = slope - turn;
    }
  }
}


// accelerations, then rates of the states
static artStatus rates_along_column(void *context, int column, double s, double *rate,
                                    artError *error)
{
  linearWork *w = context;
  const artLinear *lin = w->lin;
  const artStatus status = accelerations_along_column(w, column, s, rate, error);
  if (status == ART_OK) {
    memcpy(rate + lin->nspeed, w->d->s_rate, (size_t) lin->nstate * sizeof *rate);
  }
  return status;
}


// the rows of the states in columns of A, and of the accelerations in columns of the states
static void add_state_columns(linearWork *w, linearKind kind, int first, int count)
{
  artLinear *lin = w->lin;
  const int n = lin->nspeed;
  const differenceFunction f = {n + lin->nstate, rates_along_column, w};
  w->kind = kind;
  if (lin->nstate == 0) return;
  for (int j = 0; j < count; j++) {
    error_check(difference_slope(&f, j, w->space, w->slope, error_current()));
    double *column = lin->A + first + j;
    for (int i = kind == ALONG_S ? 0 : n; i < n + lin->nstate; i++) {
      column[(long) (lin->n + i) * lin->order] = w->slope[i];
    }
  }
}


static artStatus outputs_along_column(void *context, int column, double s, double *y,
                                      artError *error)
{
  linearWork *w = context;
  put_linear_along_column(w, column, s);
  const artStatus status = accelerate_linear(w, error);
  if (status == ART_OK) art_outputs(w->m, w->d, y);
  return status;
}


// columns of Cy along one kind of variable
static void find_output_columns(linearWork *w, linearKind kind, int first, int count)
{
  const artLinear *lin = w->lin;
  const differenceFunction f = {lin->noutput, outputs_along_column, w};
  w->kind = kind;
  for (int j = 0; j < count && lin->noutput > 0; j++) {
    error_check(difference_rows(&f, j, w->outputs, w->y, error_current()));
    for (int i = 0; i < lin->noutput; i++) lin->Cy[(long) i * lin->order + first + j] = w->y[i];
  }
}


// Columns of B and Dy of one input. Inputs are of any size: differences are measured in the width of the limits, or else in
// units that make rates of about one.
static void find_input_columns(linearWork *w, int j)
{
  ART_ASSERT(j >= 0 && j < w->m->ninput);
  artLinear *lin = w->lin;
  const int n = lin->n, rates = lin->nspeed + lin->nstate;
  const differenceFunction along = {rates, rates_along_column, w};
  const differenceFunction seen = {lin->noutput, outputs_along_column, w};
  const modelHeld *input = &w->m->held[j];
  const double width = input->largest - input->least;
  const int is_bounded = isfinite(width) && width > 0;
  w->kind = ALONG_U;
  w->scale = is_bounded ? width : fmax(1, fabs(w->u[j]));
  error_check(difference_slope(&along, j, w->space, w->slope, error_current()));
  const double most = max_magnitude(rates, w->slope);
  if (!is_bounded && most > 0 && most < 1) {
    w->scale /= fmax(most, 1e-9);
    error_check(difference_slope(&along, j, w->space, w->slope, error_current()));
  }

  // no displacement has a rate that an input changes at once
  for (int i = 0; i < rates; i++) {
    lin->B[(long) (n + i) * lin->ninput + j] = w->slope[i] / w->scale;
  }
  if (lin->noutput == 0) return;
  error_check(difference_rows(&seen, j, w->outputs, w->y, error_current()));
  for (int i = 0; i < lin->noutput; i++) lin->Dy[(long) i * lin->ninput + j] = w->y[i] / w->scale;
}


// rates of the whole state, of which displacements do not depend on the road, then outputs
static artStatus values_along_column(void *context, int column, double s, double *f,
                                     artError *error)
{
  linearWork *w = context;
  const artLinear *lin = w->lin;
  memset(f, 0, (size_t) lin->n * sizeof *f);
  const artStatus status = rates_along_column(w, column, s, f + lin->n, error);
  if (status == ART_OK) art_outputs(w->m, w->d, f + lin->order);
  return status;
}


static void find_linear_matrices(void *context)
{
  linearWork *w = context;
  const artLinear *lin = w->lin;
  find_mass(w);
  w->d->work->is_frozen = 1;
  force_set_corners(w->m, w->d);
  find_turning(w);
  const int states = lin->n + lin->nspeed;
  if (w->m->nroll > 0) {
    rolling_form(w);
  } else {
    find_second_order_slopes(w);
    second_order_form(w);
    first_order_form(w);
  }
  add_state_columns(w, ALONG_Q, 0, lin->n);
  add_state_columns(w, ALONG_V, lin->n, lin->nspeed);
  add_state_columns(w, ALONG_S, states, lin->nstate);
  find_output_columns(w, ALONG_Q, 0, lin->n);
  find_output_columns(w, ALONG_V, lin->n, lin->nspeed);
  find_output_columns(w, ALONG_S, states, lin->nstate);
  for (int j = 0; j < lin->ninput; j++) find_input_columns(w, j);
  if (w->lifts) {
    // columns of the heights of the road and of their rates
    studyLifts *lifts = w->lifts;
    const int n = w->lin->order, ny = w->lin->noutput;
    const differenceFunction f = {n + ny, values_along_column, w};
    double *slope, *space;
    ARENA_TAKE(&w->arena, slope, n + ny);
    ARENA_TAKE(&w->arena, space, 6 * (n + ny));
    for (int k = 0; k < 2; k++) {
      w->kind = k == 0 ? ALONG_LIFT : ALONG_LIFT_RATE;
      ARENA_TAKE(lifts->arena, lifts->B[k], lifts->n * n);
      ARENA_TAKE(lifts->arena, lifts->D[k], lifts->n * ny);
      for (int j = 0; j < lifts->n; j++) {
        error_check(difference_rows(&f, j, space, slope, error_current()));
        memcpy(lifts->B[k] + (long) j * n, slope, (size_t) n * sizeof *slope);
        memcpy(lifts->D[k] + (long) j * ny, slope + n, (size_t) ny * sizeof *slope);
      }
    }
  }
  const v3 g = w->m->tree.gravity;
  mode_find(w->lin, fmax(sqrt(v3_dot(g, g)), 1), w->m->tree.nv, w->mass, &w->arena);
}


//---- all -----------------------------------------------------------------------------------------

// the state, with its accelerations, and the transformation there
static void begin_linearisation(void *context)
{
  linearWork *w = context;
  const artModel *m = w->m;
  artData *d = w->d;
  art_normalise(m, d->q);
  art_update(m, d);
  error_check(study_assemble(m, d, NULL, error_current()));
  const int nall = study_free_velocities(m, NULL), n = study_independent(m, d, NULL);
  int nspeed = n;
  error_check(study_close(m, d, error_current()));
  if (m->nroll > 0) error_check(method_roll_choose(m, d, &nspeed, error_current()));
  if (!take_result(w->lin, m, n, nspeed, nall)) error_throw();
  take_linear_work(w);
  study_free_velocities(m, w->lin->all);
  study_independent(m, d, w->lin->coordinate);
  int count = 0;
  for (int i = 0; i < n; i++) {
    if (m->nroll == 0 || !method_roll_follows(d, w->lin->coordinate[i])) {
      w->lin->speed[count++] = i;
    }
  }
  study_transformation(m, d, w->lin->n, w->lin->coordinate, w->R);
  for (int i = 0; i < nall; i++) {
    memcpy(w->lin->R + (long) i * w->lin->n, w->R + (long) w->lin->all[i] * w->lin->n,
           (size_t) w->lin->n * sizeof *w->R);
  }
  error_check(force_settle_states(m, d, error_current()));
  error_check(method_accelerate(m, d, w->way, error_current()));
  error_check(force_check_rules(m, d, error_current()));
  error_check(force_check_rates(m, d, error_current()));
  art_outputs(w->m, w->d, w->y);
  for (int i = 0; i < w->m->noutput; i++) {
    const modelOutput *output = &w->m->output[i];
    if (isfinite(w->y[i])) continue;
    error_throw_at(ART_NO_CONVERGENCE, output->place,
                   "output '%s' is %g at the state that is linearised: it has no slopes",
                   output->name, w->y[i]);
  }
  w->time = d->time;
  w->s = arena_copy(&w->arena, d->s, (size_t) m->nstate, sizeof *w->s);
  w->q = arena_copy(&w->arena, d->q, (size_t) m->tree.nq, sizeof *w->q);
  w->v = arena_copy(&w->arena, d->v, (size_t) m->tree.nv, sizeof *w->v);
  w->a = arena_copy(&w->arena, d->a, (size_t) m->tree.nv, sizeof *w->a);
}


static artStatus linearise_machine(linearWork *w, artError *error)
{
  artData *d = w->d;
  const int was_frozen = d->work->is_frozen;
  artStatus status = error_try(begin_linearisation, w, error);
  if (status != ART_OK) return status;
  status = error_try(find_linear_matrices, w, error);

  // the data as it was
  put_linear_state(w);
  force_leave_corners(w->m, d);
  art_update(w->m, d);
  d->work->is_frozen = was_frozen;
  const artStatus again = method_accelerate(w->m, d, w->way, status == ART_OK ? error : NULL);
  return status == ART_OK ? again : status;
}


artStatus art_linearise(const artModel *m, artData *d, artMethod method, artLinear **out,
                        artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(out, error);
  *out = NULL;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE((unsigned) method < ART_METHODS, error);
  return study_linearise(m, d, (int) method, out, NULL, error);
}


artStatus study_linearise(const artModel *m, artData *d, int way, artLinear **out,
                          studyLifts *lifts, artError *error)
{
  ART_ASSERT(way >= 0 && way < MODEL_WAYS);
  *out = NULL;
  const artStatus possible = model_refuse_rigid(m, "linearised equations", error);
  if (possible != ART_OK) return possible;
  *out = NULL;
  WORK_REQUIRE(m, d, error);
  linearWork w = {.m = m,
                  .d = d,
                  .way = way,
                  .lifts = lifts,
                  .lin = mem_alloc(1, sizeof *w.lin),
                  .arena.leaves = 1};
  if (!w.lin) return base_no_memory(error);
  const artStatus status = linearise_machine(&w, error);
  arena_free(&w.arena);
  if (status != ART_OK) {
    art_free_linear(w.lin);
    return status;
  }
  *out = w.lin;
  return ART_OK;
}
