// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// data.h against its rules: NULL, data of another model, frames and coordinates that there are not, methods
// that are none, states that are not finite.
#include "articula/data.h"
#include "articula/parts.h"
#include "support/misuse.h"

// a joint of one coordinate, a ball joint and a free body; five frames
static const char MACHINE[] = "articula: 1\n"
                              "bodies:\n"
                              "  crank: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01], "
                              "points: {tip: [0.2, 0, 0]}}\n"
                              "  bob: {mass: 1, com: [0, 0, -0.1], inertia: [0.01, 0.01, 0.01]}\n"
                              "  free: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
                              "joints:\n"
                              "  pin: {type: revolute, axis: y, from: ground, to: crank}\n"
                              "  ball: {type: spherical, from: crank.tip, to: bob}\n"
                              "  float: {type: free, from: ground, to: free}\n"
                              "outputs: [pin.angle, energy.total, ball.qw]\n";

static const char PLANT[] = "articula: 1\n"
                            "bodies: {bob: {mass: 1}}\n"
                            "joints: {pin: {type: prismatic, from: ground, to: bob}}\n"
                            "inputs: {push: {limits: [-1, 1]}}\n"
                            "states: {level: {rate: = push}}\n"
                            "blocks: {twice: {type: formula, value: = 2*level}}\n";


static int are_nan(int n, const double *a)
{
  int count = 0;
  for (int k = 0; k < n; k++) count += isnan(a[k]);
  return count == n;
}


OF_CALL(art_create_data, MISUSE(art_create_data(NULL) == NULL))
OF_CALL(art_free_data, art_free_data(NULL))


OF_MACHINE(art_copy_data)
{
  artData *to = art_create_data(x.m);
  NEEDS_BOTH(art_copy_data(m, to, d, NULL) == ART_BAD_INPUT);
  NEEDS_BOTH(art_copy_data(m, d, to, NULL) == ART_BAD_INPUT);
  CHECK(art_copy_data(x.m, to, to, NULL) == ART_OK);
  CHECK(art_copy_data(x.m, to, x.d, NULL) == ART_OK);
  art_free_data(to);
}


OF_MACHINE(art_data_size)
{
  MISUSE(art_data_size(NULL) == 0);
  CHECK(art_data_size(x.m) > sizeof(artData));
}


OF_MACHINE_CALL(art_reset, NEEDS_BOTH((art_reset(m, d), 1)))


OF_MACHINE(art_update)
{
  NEEDS_BOTH((art_update(m, d), 1));

  // a state that is not finite goes through all evaluations
  double out[3], J[6 * 20], M[20 * 20];
  for (int k = 0; k < x.n.nq + x.n.nv; k++) {
    for (int i = 0; i < MISUSE_NUMBERS; i++) {
      art_reset(x.m, x.d);
      *(k < x.n.nq ? x.d->q + k : x.d->v + k - x.n.nq) = misuse_number(i);
      art_normalise(x.m, x.d->q);
      art_update(x.m, x.d);
      art_frame_velocity(x.m, x.d, 2, out, NULL);
      art_frame_jacobian(x.m, x.d, 2, J);
      art_mass_matrix(x.m, x.d, M);
      CHECK(art_accelerate(x.m, x.d, ART_AUTOMATIC, NULL) != ART_OK);
      CHECK(art_accelerate(x.m, x.d, ART_MASS_MATRIX, NULL) != ART_OK);
      CHECK(art_accelerate(x.m, x.d, ART_INDEX1, NULL) != ART_OK);
      CHECK(!isfinite(art_energy(x.m, x.d).kinetic));
    }
  }
}


OF_MACHINE(art_position_rates)
{
  double qdot[20];
  NEEDS_BOTH((art_position_rates(m, d, qdot), 1));
  MISUSE((art_position_rates(x.m, x.d, NULL), 1));
}


OF_MACHINE(art_move)
{
  const double step[20] = {0};
  MISUSE((art_move(NULL, x.d->q, step), 1));
  MISUSE((art_move(x.m, NULL, step), 1));
  MISUSE((art_move(x.m, x.d->q, NULL), 1));
}


OF_MACHINE(art_normalise)
{
  double zero[20] = {0};
  MISUSE(art_normalise(NULL, x.d->q) == 0);
  MISUSE(art_normalise(x.m, NULL) == 0);
  CHECK(art_normalise(x.m, zero) == 0);
}


OF_MACHINE(art_frame_position)
{
  double p[3];
  const int f = art_find_frame(x.m, "crank.tip");
  NEEDS_BOTH((art_frame_position(m, d, f, p), are_nan(3, p)));
  MISUSE((art_frame_position(x.m, x.d, f, NULL), 1));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE((art_frame_position(x.m, x.d, misuse_index(5, k), p), are_nan(3, p)));
  }
  art_frame_position(x.m, x.d, 4, p);
  CHECK(!are_nan(1, p));
}


OF_MACHINE(art_frame_rotation)
{
  double q[4];
  NEEDS_BOTH((art_frame_rotation(m, d, 1, q), are_nan(4, q)));
  MISUSE((art_frame_rotation(x.m, x.d, 1, NULL), 1));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE((art_frame_rotation(x.m, x.d, misuse_index(5, k), q), are_nan(4, q)));
  }
}


OF_MACHINE(art_frame_velocity)
{
  double v[3], w[3];
  NEEDS_BOTH((art_frame_velocity(m, d, 1, v, w), are_nan(3, v) && are_nan(3, w)));
  art_frame_velocity(x.m, x.d, 1, NULL, w);
  art_frame_velocity(x.m, x.d, 1, v, NULL);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    const int f = misuse_index(5, k);
    MISUSE((art_frame_velocity(x.m, x.d, f, v, w), are_nan(3, v) && are_nan(3, w)));
  }
}


OF_MACHINE(art_frame_acceleration)
{
  double v[3], w[3];
  CHECK(art_accelerate(x.m, x.d, ART_AUTOMATIC, NULL) == ART_OK);
  NEEDS_BOTH((art_frame_acceleration(m, d, 1, v, w), are_nan(3, v) && are_nan(3, w)));
  art_frame_acceleration(x.m, x.d, 1, NULL, NULL);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    const int f = misuse_index(5, k);
    MISUSE((art_frame_acceleration(x.m, x.d, f, v, w), are_nan(3, v) && are_nan(3, w)));
  }
}


OF_MACHINE(art_frame_jacobian)
{
  double J[6 * 20] = {7};
  NEEDS_BOTH((art_frame_jacobian(m, d, 1, J), J[0] == 7));
  MISUSE((art_frame_jacobian(x.m, x.d, 1, NULL), 1));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE((art_frame_jacobian(x.m, x.d, misuse_index(5, k), J), J[0] == 7));
  }
}


OF_MACHINE(art_inverse_dynamics)
{
  double tau[20] = {7};
  NEEDS_BOTH((art_inverse_dynamics(m, d, NULL, tau), tau[0] == 7));
  MISUSE((art_inverse_dynamics(x.m, x.d, NULL, NULL), 1));
}


OF_MACHINE(art_mass_matrix)
{
  double M[400] = {7};
  NEEDS_BOTH((art_mass_matrix(m, d, M), M[0] == 7));
  MISUSE((art_mass_matrix(x.m, x.d, NULL), 1));
}


OF_MACHINE(art_mass_matrix_lower)
{
  double M[400] = {7};
  NEEDS_BOTH((art_mass_matrix_lower(m, d, M), M[0] == 7));
  MISUSE((art_mass_matrix_lower(x.m, x.d, NULL), 1));
}


OF_MACHINE(art_forward_dynamics)
{
  double tau[20] = {0}, a[20];
  NEEDS_BOTH(art_forward_dynamics(m, d, tau, a, NULL) == ART_BAD_INPUT);
  MISUSE(art_forward_dynamics(x.m, x.d, NULL, a, NULL) == ART_BAD_INPUT);
  MISUSE(art_forward_dynamics(x.m, x.d, tau, NULL, NULL) == ART_BAD_INPUT);
  tau[0] = NAN;
  CHECK(art_forward_dynamics(x.m, x.d, tau, a, NULL) == ART_SINGULAR);
}


OF_MACHINE_CALL(art_apply_forces, NEEDS_BOTH(art_apply_forces(m, d, NULL) == ART_BAD_INPUT))


OF_MACHINE(art_accelerate)
{
  artError error = {0};
  NEEDS_BOTH(art_accelerate(m, d, ART_AUTOMATIC, NULL) == ART_BAD_INPUT);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    const artMethod method = (artMethod) misuse_index(ART_METHODS, k);
    MISUSE(art_accelerate(x.m, x.d, method, &error) == ART_BAD_INPUT &&
           error.status == ART_BAD_INPUT && strstr(error.text, "art_accelerate"));
  }
}


OF_MACHINE(art_accelerate_generated)
{
  NEEDS_BOTH(art_accelerate_generated(m, d, NULL) == ART_BAD_INPUT);
  CHECK(art_accelerate_generated(x.m, x.d, NULL) == ART_OK);
}


OF_MACHINE(art_apply_force)
{
  const double f[3] = {1, 2, 3};
  NEEDS_BOTH((art_apply_force(m, d, 1, f), 1));
  MISUSE((art_apply_force(x.m, x.d, 1, NULL), 1));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE((art_apply_force(x.m, x.d, misuse_index(5, k), f), 1));
  }
}


OF_MACHINE(art_apply_torque)
{
  const double f[3] = {1, 2, 3};
  NEEDS_BOTH((art_apply_torque(m, d, 1, f), 1));
  MISUSE((art_apply_torque(x.m, x.d, 1, NULL), 1));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE((art_apply_torque(x.m, x.d, misuse_index(5, k), f), 1));
  }
}


OF_MACHINE(art_apply_joint_force)
{
  NEEDS_BOTH((art_apply_joint_force(m, d, 0, 1), 1));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE((art_apply_joint_force(x.m, x.d, misuse_index(x.n.nv, k), 1), 1));
  }
}


OF_MACHINE(art_reaction)
{
  double f[3], t[3];
  CHECK(art_accelerate(x.m, x.d, ART_AUTOMATIC, NULL) == ART_OK);
  NEEDS_BOTH(art_reaction(m, d, "pin", f, t, NULL) == ART_BAD_INPUT && are_nan(3, f));
  MISUSE(art_reaction(x.m, x.d, NULL, f, t, NULL) == ART_BAD_INPUT && are_nan(3, t));
  MISUSE(art_reaction(x.m, x.d, "pin", NULL, t, NULL) == ART_BAD_INPUT);
  MISUSE(art_reaction(x.m, x.d, "pin", f, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_reaction(x.m, x.d, "no", f, t, NULL) == ART_BAD_INPUT && are_nan(3, f));
  CHECK(art_reaction(x.m, x.d, "", f, t, NULL) == ART_BAD_INPUT);
}


OF_MACHINE(art_rod_forces)
{
  double f[3], t[3];
  NEEDS_BOTH(art_rod_forces(m, d, "pin", f, t, NULL) == ART_BAD_INPUT && are_nan(3, f));
  MISUSE(art_rod_forces(x.m, x.d, NULL, f, t, NULL) == ART_BAD_INPUT && are_nan(3, t));
  MISUSE(art_rod_forces(x.m, x.d, "pin", NULL, t, NULL) == ART_BAD_INPUT);
  MISUSE(art_rod_forces(x.m, x.d, "pin", f, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_rod_forces(x.m, x.d, "pin", f, t, NULL) == ART_BAD_INPUT && are_nan(3, f));
}


OF_MACHINE_CALL(art_energy,
                NEEDS_BOTH(isnan(art_energy(m, d).kinetic) && isnan(art_energy(m, d).power)))


OF_MACHINE(art_momentum)
{
  double p[3], l[3];
  NEEDS_BOTH((art_momentum(m, d, p, l), are_nan(3, p) && are_nan(3, l)));
  MISUSE((art_momentum(x.m, x.d, NULL, l), 1));
  MISUSE((art_momentum(x.m, x.d, p, NULL), 1));
}


OF_CALL(art_set_work, MISUSE((art_set_work(NULL, 0, 0), 1)))


OF_MACHINE(art_outputs)
{
  double y[3] = {7};
  CHECK(art_accelerate(x.m, x.d, ART_AUTOMATIC, NULL) == ART_OK);
  NEEDS_BOTH((art_outputs(m, d, y), y[0] == 7));
  MISUSE((art_outputs(x.m, x.d, NULL), 1));
}


//---- parts ---------------------------------------------------------------------------------------

// parts by number: NULL, then numbers of parts that do not exist, of which there are n
#define NEEDS_PART(get, T, n) NEEDS_PART_OF(MACHINE, get, T, n)
#define NEEDS_PART_OF(text, get, T, n)                                                             \
  do {                                                                                             \
    misuseMachine x = misuse_read(text);                                                           \
    T part;                                                                                        \
    MISUSE(!get(NULL, 0, &part));                                                                  \
    MISUSE(!get(x.m, 0, NULL));                                                                    \
    for (int k = 0; k < MISUSE_INDICES; k++) CHECK(!get(x.m, misuse_index(n, k), &part));          \
  } while (0)


OF_CALL(art_get_body, NEEDS_PART(art_get_body, artBodyPart, x.n.bodies + 1))
OF_CALL(art_get_joint, NEEDS_PART(art_get_joint, artJointPart, x.n.joints))
OF_CALL(art_get_input, NEEDS_PART_OF(PLANT, art_get_input, artInputPart, x.n.inputs))
OF_CALL(art_get_state, NEEDS_PART_OF(PLANT, art_get_state, artStatePart, x.n.states))
OF_CALL(art_get_signal, NEEDS_PART_OF(PLANT, art_get_signal, artSignalPart, x.n.signals))


OF(art_set_input)
{
  misuseMachine x = misuse_read(PLANT);
  NEEDS_BOTH(art_set_input(m, d, 0, 0, NULL) == ART_BAD_INPUT);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    MISUSE(art_set_input(x.m, x.d, misuse_index(x.n.inputs, k), 0, NULL) == ART_BAD_INPUT);
  }
  for (int i = 0; i < MISUSE_NUMBERS; i++) {
    CHECK(art_set_input(x.m, x.d, 0, misuse_number(i), NULL) == ART_BAD_INPUT);
  }
  CHECK(art_set_input(x.m, x.d, 0, 1.5, NULL) == ART_BAD_INPUT && x.d->u[0] == 0);
  CHECK(art_set_input(x.m, x.d, 0, 0.5, NULL) == ART_OK && x.d->u[0] == 0.5);
}


OF_CALL(art_get_loop, NEEDS_PART(art_get_loop, artLoopPart, x.n.loops))
OF_CALL(art_get_visual, NEEDS_PART(art_get_visual, int, 0))
OF_CALL(art_get_force, NEEDS_PART(art_get_force, artForcePart, x.n.forces))


OF_MACHINE(art_get_force_point)
{
  artPointPart part;
  MISUSE(!art_get_force_point(NULL, 0, 0, &part));
  MISUSE(!art_get_force_point(x.m, 0, 0, NULL));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    CHECK(!art_get_force_point(x.m, misuse_index(x.n.forces, k), 0, &part));
    CHECK(!art_get_force_point(x.m, 0, misuse_index(100, k), &part));
  }
}


OF_MACHINE(art_get_gravity)
{
  double g[3] = {7};
  MISUSE((art_get_gravity(NULL, g), g[0] == 7));
  MISUSE((art_get_gravity(x.m, NULL), 1));
}


OF_MACHINE(art_body_pose)
{
  artPose p;
  NEEDS_BOTH((art_body_pose(m, d, 1, &p), are_nan(3, p.position) && are_nan(4, p.rotation)));
  MISUSE((art_body_pose(x.m, x.d, 1, NULL), 1));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    const int i = misuse_index(x.n.bodies + 1, k);
    MISUSE((art_body_pose(x.m, x.d, i, &p), are_nan(3, p.position)));
  }
}


OF_MACHINE(art_body_velocity)
{
  double v[3], w[3];
  NEEDS_BOTH((art_body_velocity(m, d, 1, v, w), are_nan(3, v) && are_nan(3, w)));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    const int i = misuse_index(x.n.bodies + 1, k);
    MISUSE((art_body_velocity(x.m, x.d, i, v, w), are_nan(3, v) && are_nan(3, w)));
  }
}


OF_MACHINE(art_force_arrow)
{
  double at[3], f[3];
  NEEDS_BOTH((art_force_arrow(m, d, 0, at, f), are_nan(3, at) && are_nan(3, f)));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    const int i = misuse_index(x.n.forces, k);
    MISUSE((art_force_arrow(x.m, x.d, i, at, f), are_nan(3, at) && are_nan(3, f)));
  }
}


OF_MACHINE(art_joint_arrow)
{
  double at[3], f[3], t[3];
  NEEDS_BOTH((art_joint_arrow(m, d, 0, at, f, t), are_nan(3, at) && are_nan(3, f)));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    const int i = misuse_index(x.n.joints, k);
    MISUSE((art_joint_arrow(x.m, x.d, i, at, f, t), are_nan(3, at) && are_nan(3, t)));
  }
}


MISUSE_MAIN("data.h", "parts.h")
