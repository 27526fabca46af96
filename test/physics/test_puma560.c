// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// PUMA 560 against the published numbers, to all printed digits.
//
// The rows stand in the tests of the Robotics Toolbox for Python (tests/test_DHRobot.py, commit
// a9ed8d4, MIT), at the nominal pose with g = 9.81 m/s^2. Numbers are printed to four decimals or to
// six digits.
#include "articula/articula.h"
#include "printed.h"
#include "support/keep.h"

enum { N = 6 };
static const double zero[N] = {0};
static const double ones[N] = {1, 1, 1, 1, 1, 1};
static const double fast[N] = {1, 2, 3, 1, 2, 3};

typedef struct puma {
  artModel *model;
  artData *data;
} puma;


static puma puma_load(void)
{
  artModel *m = keep_file("models/puma560.yaml");
  return (puma){m, keep_fresh_data(m)};
}


// torques of the bare arm at the nominal pose
static void open_tree_torques(puma p, const double *v, const double *a, double *tau)
{
  memcpy(p.data->v, v, N * sizeof(double));
  art_update(p.model, p.data);
  art_inverse_dynamics(p.model, p.data, a, tau);
}


// torques of the motors: the torque that moves the arm, and the torque that friction takes
static void motor_torques(puma p, const double *v, const double *a, double *tau)
{
  open_tree_torques(p, v, a, tau);
  CHECK(art_apply_forces(p.model, p.data, NULL) == ART_OK);
  for (int k = 0; k < N; k++) tau[k] -= p.data->force[k];
}


TEST(gravity_load_at_the_nominal_pose)
{
  const puma p = puma_load();
  double tau[N];
  motor_torques(p, zero, zero, tau);
  printed_row_near(tau, N, "0.0000 31.6399 6.0351 0.0000 0.0283 0.0000", 0);
}


TEST(newton_euler_rows_with_friction_and_motor_inertia)
{
  const puma p = puma_load();
  double tau[N], gravity[N];
  motor_torques(p, zero, ones, tau);
  printed_row_near(tau, N, "3.35311 36.0025 7.42596 0.190043 0.203441 0.194133", 0);
  motor_torques(p, ones, ones, tau);
  printed_row_near(tau, N, "32.4952 60.8670 17.7436 1.45452 1.29911 0.713781", 0);
  motor_torques(p, ones, zero, tau);
  printed_row_near(tau, N, "29.1421 56.5044 16.3528 1.26448 1.12392 0.519648", 0);

  // without gravity
  motor_torques(p, zero, zero, gravity);
  motor_torques(p, ones, ones, tau);
  for (int k = 0; k < N; k++) tau[k] -= gravity[k];
  printed_row_near(tau, N, "32.4952 29.2271 11.7085 1.45452 1.27086 0.713781", 0);
}


TEST(inertia_matrix_and_inertial_torques)
{
  static const char *const rows[N] = {
      "3.6594 -0.4044 0.1006 -0.0025 0.0000 0.0000", "-0.4044 4.4137 0.3509 0.0000 0.0024 0.0000",
      "0.1006 0.3509 0.9378 0.0000 0.0015 0.0000",   "-0.0025 0.0000 0.0000 0.1925 0.0000 0.0000",
      "0.0000 0.0024 0.0015 0.0000 0.1713 0.0000",   "0.0000 0.0000 0.0000 0.0000 0.0000 0.1941",
  };
  const puma p = puma_load();
  double M[N * N], tau[N] = {0};
  art_update(p.model, p.data);
  art_mass_matrix(p.model, p.data, M);
  for (int i = 0; i < N; i++) {
    printed_row_near(M + N * i, N, rows[i], 0);
    for (int j = 0; j < N; j++) tau[i] += M[N * i + j] * fast[j];
  }
  printed_row_near(tau, N, "3.1500 9.4805 3.6189 0.1901 0.3519 0.5823", 0);
}


// the velocity terms of the bare arm, gravity taken off
static void velocity_torques(puma p, const double *v, double *tau)
{
  double gravity[N];
  open_tree_torques(p, zero, zero, gravity);
  open_tree_torques(p, v, zero, tau);
  for (int k = 0; k < N; k++) tau[k] -= gravity[k];
}


// The matrix C with C v = velocity torques that splits every product v_i v_j evenly:
// C(:,j) = h(e_j) v_j + sum over k of [h(e_j + e_k) - h(e_j) - h(e_k)] v_k / 2
static void coriolis_matrix(puma p, const double *v, double C[N][N])
{
  double h[N][N], both[N];
  for (int j = 0; j < N; j++) {
    double e[N] = {0};
    e[j] = 1;
    velocity_torques(p, e, h[j]);
  }
  for (int j = 0; j < N; j++) {
    for (int i = 0; i < N; i++) C[i][j] = h[j][i] * v[j];
    for (int k = 0; k < N; k++) {
      if (k == j) continue;
      double e[N] = {0};
      e[j] = e[k] = 1;
      velocity_torques(p, e, both);
      for (int i = 0; i < N; i++) C[i][j] += (both[i] - h[j][i] - h[k][i]) * v[k] / 2;
    }
  }
}


TEST(coriolis_matrix_entry_by_entry)
{
  static const char *const rows[N] = {
      "-0.1735 -2.0494 -0.1178 -0.0002 -0.0045 0.0001",
      "0.6274 1.1572 1.9287 -0.0015 -0.0003 0.0000",
      "-0.3608 -0.7734 -0.0018 -0.0009 -0.0064 0.0000",
      "0.0011 0.0005 -0.0001 0.0002 0.0002 -0.0001",
      "-0.0002 0.0028 0.0046 -0.0002 0.0000 0.0000",
      "0.0001 0.0000 0.0000 0.0000 0.0000 0.0000",
  };
  const puma p = puma_load();
  double C[N][N], product[N] = {0}, tau[N];
  coriolis_matrix(p, fast, C);
  for (int i = 0; i < N; i++) {
    printed_row_near(C[i], N, rows[i], 0);
    for (int j = 0; j < N; j++) product[i] += C[i][j] * fast[j];
  }

  // and the matrix times the rates is the bias itself
  velocity_torques(p, fast, tau);
  CHECK_NEAR(product, tau, N, 1e-12);
}


TEST(accelerations_under_given_torques)
{
  static const double rates[N] = {.1, .2, .8, .2, .5, 1.0};
  static const double torques[N] = {1.0, 3.2, 1.8, 0.1, 0.7, 4.6};
  const puma p = puma_load();
  double total[N], a[N];
  memcpy(p.data->v, rates, sizeof rates);
  art_update(p.model, p.data);
  CHECK(art_apply_forces(p.model, p.data, NULL) == ART_OK);
  for (int k = 0; k < N; k++) total[k] = torques[k] + p.data->force[k];
  CHECK(art_forward_dynamics(p.model, p.data, total, a, NULL) == ART_OK);
  printed_row_near(a, N, "-7.4102 -9.8432 -10.9694 -4.4314 -0.9881 21.0228", 0);
}


// rotate a vector by a unit quaternion
static void rotate(const double q[4], const double u[3], double out[3])
{
  // out = u + 2 w (e x u) + 2 e x (e x u)
  const double c[3] = {q[2] * u[2] - q[3] * u[1], q[3] * u[0] - q[1] * u[2],
                       q[1] * u[1] - q[2] * u[0]};
  const double d[3] = {q[2] * c[2] - q[3] * c[1], q[3] * c[0] - q[1] * c[2],
                       q[1] * c[1] - q[2] * c[0]};
  for (int i = 0; i < 3; i++) out[i] = u[i] + 2 * (q[0] * c[i] + d[i]);
}


// force (1, 2, 3) and torque (1, 2, 3) in the axes of the hand, which the hand gives to its
// surroundings: the joints must give J^T times that
TEST(torques_under_a_wrench_at_the_hand)
{
  const puma p = puma_load();
  const double wrench[3] = {1, 2, 3};
  double q[4], w[3], J[6 * N], tau[N];
  motor_torques(p, zero, zero, tau);
  const int hand = art_find_frame(p.model, "link6");
  art_frame_rotation(p.model, p.data, hand, q);
  art_frame_jacobian(p.model, p.data, hand, J);
  rotate(q, wrench, w);
  for (int k = 0; k < N; k++) {
    for (int i = 0; i < 3; i++) tau[k] += (J[N * i + k] + J[N * (i + 3) + k]) * w[i];
  }
  printed_row_near(tau, N, "0.642756 29.0866 4.70321 2.82843 -1.97175 3.00000", 0);
}
