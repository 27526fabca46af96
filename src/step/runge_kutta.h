// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Steps of Runge-Kutta methods, for single machines and for lanes side by side. Chapters from the next line on go as
// text into simulators, where they belong to their user.
//---- Runge-Kutta methods -------------------------------------------------------------------------

// rate[n] = f(t, y). The function may make y consistent; it returns 0, or another number that ends the step.
typedef int rkRates(void *context, double t, double *y, double *rate);

//---- the classical method ------------------------------------------------------------------------

// One step of the classical method of order 4 from (t, y), whose rates are k1:
//   end = y + h/6 (k1 + 2 k2 + 2 k3 + k4)
// space has length 3n; end may be y, which is left as it is where rates fail.
static inline int rk4_step(rkRates *rates, void *context, int n, double t, double h,
                           const double *y, const double *k1, double *end, double *space)
{
  static const double node[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  const double *previous = k1;
  double *k = space, *sum = space + n, *stage = space + 2 * n;
  for (int j = 0; j < n; j++) sum[j] = k1[j];
  for (int i = 1; i < 4; i++) {
    for (int j = 0; j < n; j++) stage[j] = y[j] + h * node[i] * previous[j];
    const int status = rates(context, t + h * node[i], stage, k);
    if (status) return status;
    for (int j = 0; j < n; j++) sum[j] += weight[i] * k[j];
    previous = k;
  }
  for (int j = 0; j < n; j++) end[j] = y[j] + h / 6 * sum[j];
  return 0;
}

//---- weights of Dormand and Prince ---------------------------------------------------------------

// Entry j of the sum of weight[i] k_i over the first count of the vectors k_i, which lie one after the other.
static inline double rk_combine(int n, const double *k, const double *weight, int count, int j)
{
  double sum = 0;
  for (int i = 0; i < count; i++) sum += weight[i] * k[i * n + j];
  return sum;
}


// Row i of the coefficients of Dormand and Prince, a_ij; row 6 has the weights of the formula of order 5, and row 7 those less the ones
// of order 4.
static inline const double *dopri5_row(int i)
{
  static const double a[8][7] = {
      {0},
      {1.0 / 5},
      {3.0 / 40, 9.0 / 40},
      {44.0 / 45, -56.0 / 15, 32.0 / 9},
      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
      {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
      {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40},
  };
  return a[i];
}


// The part of the step at which stage i stands, c_i.
static inline double dopri5_node(int i)
{
  static const double c[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
  return c[i];
}


// Entry j of the estimated error of a step with these rates: the formula of order 5 less the one of order 4.
static inline double dopri5_error(int n, double h, const double *k, int j)
{
  return h * rk_combine(n, k, dopri5_row(7), 7, j);
}

//---- the method of Dormand and Prince ------------------------------------------------------------

// A step of the method of Dormand and Prince, order 5 with an estimate of order 4 (J. Comp. Appl. Math. 6, 1980,
// table 2), from (t, y), whose rates are the first vector of k:
//   k_i = f(t + c_i h, y + h sum_j a_ij k_j)
// The last row is also the formula of order 5: the last stage is `end`, and its rates, the seventh vector of k, are the
// first of the next step. `side` holds the other stages and may be `end`.
static inline int dopri5_step(rkRates *rates, void *context, int n, double t, double h,
                              const double *y, double *k, double *side, double *end)
{
  for (int i = 1; i < 7; i++) {
    double *stage = i == 6 ? end : side;
    for (int j = 0; j < n; j++) stage[j] = y[j] + h * rk_combine(n, k, dopri5_row(i), i, j);
    const int status = rates(context, t + dopri5_node(i) * h, stage, k + i * n);
    if (status) return status;
  }
  return 0;
}

//---- steps whose length follows the error --------------------------------------------------------

// The error of an entry in a step from y to `end` as a multiple of the tolerance.
static inline double rk_error_part(double error, double absolute, double relative, double y,
                                   double end)
{
  return error / (absolute + relative * fmax(fabs(y), fabs(end)));
}


// The length to try after a step that should have been shorter by this factor.
static inline double rk_next_length(double length, double factor, double fastest)
{
  return length / fmax(1 / fastest, fmin(5.0, factor / 0.9));
}


// The length of the next step from t, where h is in view: all or half of the rest, where h is not shorter.
static inline double rk_cut_length(double h, double t, double end)
{
  const double left = end - t;
  return 1.001 * h >= left ? left : fmin(h, 0.5 * left);
}


// The length in view after it: a step that was cut says nothing against a longer one.
static inline double rk_length_in_view(double h, double length, double size, double order)
{
  const double next = rk_next_length(length, pow(size, 1 / order), 5);
  return length < h && next >= length ? fmax(h, next) : next;
}


static inline int rk_is_stuck(double h, double t)
{
  return h < 1e-14 * (1 + fabs(t));
}

//---- the motion within such a step ---------------------------------------------------------------

// Entry j of the last coefficient of the continuous extension, of order 4 (Hairer, Norsett, Wanner, Solving Ordinary
// Differential Equations I, section II.6):
//   y(x) = y0 + x (r0 + (1-x) (r1 + x (r2 + (1-x) r3))),  x from 0 to 1
static inline double dopri5_bend(int n, double h, const double *k, int j)
{
  static const double weight[7] = {-12715105075.0 / 11282082432,  0,
                                   87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                                   701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                                   69997945.0 / 29380423};
  return h * rk_combine(n, k, weight, 7, j);
}


// Entry j of the state at x of a step from y to `end`.
static inline double dopri5_within(int n, double h, const double *k, const double *y,
                                   const double *end, double x, int j)
{
  const double r0 = end[j] - y[j], r1 = h * k[j] - r0, r2 = r0 - h * k[6 * n + j] - r1;
  return y[j] + x * (r0 + (1 - x) * (r1 + x * (r2 + (1 - x) * dopri5_bend(n, h, k, j))));
}
