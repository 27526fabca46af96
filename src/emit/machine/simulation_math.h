// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// States of simulators and S-functions between steps. All from the next line on goes as source into generated files,
// where it belongs to their user.
//---- states between steps ------------------------------------------------------------------------

// How far evaluations are from an instant at which rates jump, to either side.
static inline double side_width(double t)
{
  return 1.4e-14 * fmax(fabs(t), 1e-3);
}


// Quaternions, which begin at these places of q, get the length one; those that have it to rounding stay as they are.
static inline void unit_quaternions(int count, const int *place, double *q)
{
  for (int k = 0; k < count; k++) {
    double *e = q + place[k];
    const double square = e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
    if (fabs(square - 1) < 1.5e-15) continue;
    for (int i = 0; i < 4; i++) e[i] /= sqrt(square);
  }
}


// Has closing the loops at the end of a step made another motion of the velocities v than the step has led to?
static inline int has_jumped(int n, const double *v, const double *closed)
{
  double fastest = 0, jump = 0;
  int is_finite = 1;
  for (int i = 0; i < n; i++) {
    is_finite &= closed[i] - closed[i] == 0;
    if (!(fabs(v[i]) <= fastest)) fastest = fabs(v[i]);
    if (!(fabs(closed[i] - v[i]) <= jump)) jump = fabs(closed[i] - v[i]);
  }
  return !is_finite || !(jump <= 0.1 * fastest);
}
