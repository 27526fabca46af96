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


OF_MACHINE(whole_data)
{
  artData *to = art_create_data(x.m);
  NEEDS_BOTH(art_copy_data(m, to, d, NULL) == ART_BAD_INPUT);
  NEEDS_BOTH(art_copy_data(m, d, to, NULL) == ART_BAD_INPUT);
  CHECK(art_copy_data(x.m, to, to, NULL) == ART_OK);
  CHECK(art_copy_data(x.m, to, x.d, NULL) == ART_OK);
  art_free_data(to);
  MISUSE(art_data_size(NULL) == 0);
  CHECK(art_data_size(x.m) > sizeof(artData));
  NEEDS_BOTH((art_reset(m, d), 1));
}


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


OF_MACHINE(positions)
{
  double qdot[20], zero[20] = {0};
  const double step[20] = {0};
  NEEDS_BOTH((art_position_rates(m, d, qdot), 1));
  MISUSE((art_position_rates(x.m, x.d, NULL), 1));
  MISUSE((art_move(NULL, x.d->q, step), 1));
  MISUSE((art_move(x.m, NULL, step), 1));
  MISUSE((art_move(x.m, x.d->q, NULL), 1));
  MISUSE(art_normalise(NULL, x.d->q) == 0);
  MISUSE(art_normalise(x.m, NULL) == 0);
  CHECK(art_normalise(x.m, zero) == 0);
}


OF_MACHINE(frames)
{
  double p[3], q[4], J[6 * 20] = {7};
  const int f = art_find_frame(x.m, "crank.tip");
  NEEDS_BOTH((art_frame_position(m, d, f, p), are_nan(3, p)));
  MISUSE((art_frame_position(x.m, x.d, f, NULL), 1));
  MISUSE_INDEX(5, (art_frame_position(x.m, x.d, i, p), are_nan(3, p)))
  art_frame_position(x.m, x.d, 4, p);
  CHECK(!are_nan(1, p));
  NEEDS_BOTH((art_frame_rotation(m, d, 1, q), are_nan(4, q)));
  MISUSE((art_frame_rotation(x.m, x.d, 1, NULL), 1));
  MISUSE_INDEX(5, (art_frame_rotation(x.m, x.d, i, q), are_nan(4, q)))
  NEEDS_BOTH((art_frame_jacobian(m, d, 1, J), J[0] == 7));
  MISUSE((art_frame_jacobian(x.m, x.d, 1, NULL), 1));
  MISUSE_INDEX(5, (art_frame_jacobian(x.m, x.d, i, J), J[0] == 7))
}


OF_MACHINE(motion_of_frames)
{
  double v[3], w[3], a[3], alpha[3];
  NEEDS_BOTH((art_frame_velocity(m, d, 1, v, w), are_nan(3, v) && are_nan(3, w)));
  art_frame_velocity(x.m, x.d, 1, NULL, w);
  art_frame_velocity(x.m, x.d, 1, v, NULL);
  MISUSE_INDEX(5, (art_frame_velocity(x.m, x.d, i, v, w), are_nan(3, v) && are_nan(3, w)))
  CHECK(art_accelerate(x.m, x.d, ART_AUTOMATIC, NULL) == ART_OK);
  NEEDS_BOTH((art_frame_acceleration(m, d, 1, a, alpha), are_nan(3, a) && are_nan(3, alpha)));
  art_frame_acceleration(x.m, x.d, 1, NULL, NULL);
  MISUSE_INDEX(5,
               (art_frame_acceleration(x.m, x.d, i, a, alpha), are_nan(3, a) && are_nan(3, alpha)))
}


OF_MACHINE(dynamics)
{
  double tau[20] = {7}, M[400] = {7}, a[20];
  NEEDS_BOTH((art_inverse_dynamics(m, d, NULL, tau), tau[0] == 7));
  MISUSE((art_inverse_dynamics(x.m, x.d, NULL, NULL), 1));
  NEEDS_BOTH((art_mass_matrix(m, d, M), M[0] == 7));
  MISUSE((art_mass_matrix(x.m, x.d, NULL), 1));
  NEEDS_BOTH((art_mass_matrix_lower(m, d, M), M[0] == 7));
  MISUSE((art_mass_matrix_lower(x.m, x.d, NULL), 1));
  NEEDS_BOTH(art_forward_dynamics(m, d, tau, a, NULL) == ART_BAD_INPUT);
  MISUSE(art_forward_dynamics(x.m, x.d, NULL, a, NULL) == ART_BAD_INPUT);
  MISUSE(art_forward_dynamics(x.m, x.d, tau, NULL, NULL) == ART_BAD_INPUT);
  tau[0] = NAN;
  CHECK(art_forward_dynamics(x.m, x.d, tau, a, NULL) == ART_SINGULAR);
}


OF_MACHINE(accelerations)
{
  artError error = {0};
  NEEDS_BOTH(art_accelerate(m, d, ART_AUTOMATIC, NULL) == ART_BAD_INPUT);
  MISUSE_INDEX(ART_METHODS, art_accelerate(x.m, x.d, (artMethod) i, &error) == ART_BAD_INPUT &&
                                error.status == ART_BAD_INPUT &&
                                strstr(error.text, "art_accelerate"))
  NEEDS_BOTH(art_accelerate_generated(m, d, NULL) == ART_BAD_INPUT);
  CHECK(art_accelerate_generated(x.m, x.d, NULL) == ART_OK);
}


OF_MACHINE(applied_forces)
{
  const double f[3] = {1, 2, 3};
  NEEDS_BOTH(art_apply_forces(m, d, NULL) == ART_BAD_INPUT);
  NEEDS_BOTH((art_apply_force(m, d, 1, f), 1));
  MISUSE((art_apply_force(x.m, x.d, 1, NULL), 1));
  MISUSE_INDEX(5, (art_apply_force(x.m, x.d, i, f), 1))
  NEEDS_BOTH((art_apply_torque(m, d, 1, f), 1));
  MISUSE((art_apply_torque(x.m, x.d, 1, NULL), 1));
  MISUSE_INDEX(5, (art_apply_torque(x.m, x.d, i, f), 1))
  NEEDS_BOTH((art_apply_joint_force(m, d, 0, 1), 1));
  MISUSE_INDEX(x.n.nv, (art_apply_joint_force(x.m, x.d, i, 1), 1))
}


OF_MACHINE(reactions)
{
  double f[3], t[3], first[3], second[3];
  CHECK(art_accelerate(x.m, x.d, ART_AUTOMATIC, NULL) == ART_OK);
  NEEDS_BOTH(art_reaction(m, d, "pin", f, t, NULL) == ART_BAD_INPUT && are_nan(3, f));
  MISUSE(art_reaction(x.m, x.d, NULL, f, t, NULL) == ART_BAD_INPUT && are_nan(3, t));
  MISUSE(art_reaction(x.m, x.d, "pin", NULL, t, NULL) == ART_BAD_INPUT);
  MISUSE(art_reaction(x.m, x.d, "pin", f, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_reaction(x.m, x.d, "no", f, t, NULL) == ART_BAD_INPUT && are_nan(3, f));
  CHECK(art_reaction(x.m, x.d, "", f, t, NULL) == ART_BAD_INPUT);
  NEEDS_BOTH(art_rod_forces(m, d, "pin", first, second, NULL) == ART_BAD_INPUT &&
             are_nan(3, first));
  MISUSE(art_rod_forces(x.m, x.d, NULL, first, second, NULL) == ART_BAD_INPUT &&
         are_nan(3, second));
  MISUSE(art_rod_forces(x.m, x.d, "pin", NULL, second, NULL) == ART_BAD_INPUT);
  MISUSE(art_rod_forces(x.m, x.d, "pin", first, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_rod_forces(x.m, x.d, "pin", first, second, NULL) == ART_BAD_INPUT && are_nan(3, first));
}


OF_MACHINE(sums_and_outputs)
{
  double p[3], l[3], y[3] = {7};
  NEEDS_BOTH(isnan(art_energy(m, d).kinetic) && isnan(art_energy(m, d).power));
  NEEDS_BOTH((art_momentum(m, d, p, l), are_nan(3, p) && are_nan(3, l)));
  MISUSE((art_momentum(x.m, x.d, NULL, l), 1));
  MISUSE((art_momentum(x.m, x.d, p, NULL), 1));
  MISUSE((art_set_work(NULL, 0, 0), 1));
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
    REFUSE_INDEX(n, !get(x.m, i, &part))                                                           \
  } while (0)


OF_CALL(art_get_body, NEEDS_PART(art_get_body, artBodyPart, x.n.bodies + 1))
OF_CALL(art_get_joint, NEEDS_PART(art_get_joint, artJointPart, x.n.joints))
OF_CALL(art_get_input, NEEDS_PART_OF(PLANT, art_get_input, artInputPart, x.n.inputs))
OF_CALL(art_get_state, NEEDS_PART_OF(PLANT, art_get_state, artStatePart, x.n.states))
OF_CALL(art_get_signal, NEEDS_PART_OF(PLANT, art_get_signal, artSignalPart, x.n.signals))
OF_CALL(art_get_slider, NEEDS_PART(art_get_slider, artSliderPart, 0))
OF_CALL(art_get_loop, NEEDS_PART(art_get_loop, artLoopPart, x.n.loops))
OF_CALL(art_get_visual, NEEDS_PART(art_get_visual, int, 0))
OF_CALL(art_get_force, NEEDS_PART(art_get_force, artForcePart, x.n.forces))


OF(art_ground_height)
{
  misuseMachine x = misuse_read(MACHINE);
  MISUSE(isnan(art_ground_height(NULL, 0, 0, 0)));
  MISUSE_INDEX(x.n.forces, isnan(art_ground_height(x.m, i, 0, 0)))
  CHECK(isnan(art_ground_height(x.m, 0, 0, 0))); // it is not a tyre
}


OF(art_set_input)
{
  misuseMachine x = misuse_read(PLANT);
  NEEDS_BOTH(art_set_input(m, d, 0, 0, NULL) == ART_BAD_INPUT);
  MISUSE_INDEX(x.n.inputs, art_set_input(x.m, x.d, i, 0, NULL) == ART_BAD_INPUT)
  REFUSE_NUMBER(art_set_input(x.m, x.d, 0, r, NULL) == ART_BAD_INPUT)
  CHECK(art_set_input(x.m, x.d, 0, 1.5, NULL) == ART_BAD_INPUT && x.d->u[0] == 0);
  CHECK(art_set_input(x.m, x.d, 0, 0.5, NULL) == ART_OK && x.d->u[0] == 0.5);
}


OF_MACHINE(points_and_gravity)
{
  artPointPart part;
  double g[3] = {7};
  MISUSE(!art_get_force_point(NULL, 0, 0, &part));
  MISUSE(!art_get_force_point(x.m, 0, 0, NULL));
  REFUSE_INDEX(x.n.forces, !art_get_force_point(x.m, i, 0, &part))
  REFUSE_INDEX(100, !art_get_force_point(x.m, 0, i, &part))
  MISUSE((art_get_gravity(NULL, g), g[0] == 7));
  MISUSE((art_get_gravity(x.m, NULL), 1));
}


OF_MACHINE(motion_of_parts)
{
  artPose p;
  double v[3], w[3], at[3], f[3], from[3], force[3], t[3];
  NEEDS_BOTH((art_body_pose(m, d, 1, &p), are_nan(3, p.position) && are_nan(4, p.rotation)));
  MISUSE((art_body_pose(x.m, x.d, 1, NULL), 1));
  MISUSE_INDEX(x.n.bodies + 1, (art_body_pose(x.m, x.d, i, &p), are_nan(3, p.position)))
  NEEDS_BOTH((art_body_velocity(m, d, 1, v, w), are_nan(3, v) && are_nan(3, w)));
  MISUSE_INDEX(x.n.bodies + 1,
               (art_body_velocity(x.m, x.d, i, v, w), are_nan(3, v) && are_nan(3, w)))
  NEEDS_BOTH((art_force_arrow(m, d, 0, at, f), are_nan(3, at) && are_nan(3, f)));
  NEEDS_BOTH((art_pile_arrow(m, d, 0, 0, at, f), are_nan(3, at) && are_nan(3, f)));
  MISUSE_INDEX(x.n.forces, (art_pile_arrow(x.m, x.d, i, 0, at, f), are_nan(3, at) && are_nan(3, f)))
  MISUSE_INDEX(x.n.forces, (art_force_arrow(x.m, x.d, i, at, f), are_nan(3, at) && are_nan(3, f)))
  NEEDS_BOTH((art_joint_arrow(m, d, 0, from, force, t), are_nan(3, from) && are_nan(3, force)));
  MISUSE_INDEX(x.n.joints,
               (art_joint_arrow(x.m, x.d, i, from, force, t), are_nan(3, from) && are_nan(3, t)))
}


MISUSE_MAIN("data.h", "parts.h")
