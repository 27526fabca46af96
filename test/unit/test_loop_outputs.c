// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reactions, multipliers and tensions in machines with closed loops: against Newton's law body by
// body, and against closed forms.
#include <math.h>
#include <stdio.h>

#include "force/force.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/models.h"

enum { MAX_LINKS = 400 };

//---- Newton, body by body ------------------------------------------------------------------------

// the point of ground where a joint's reaction acts: the joint's frame on `to`'s side
static v3 point_of(const artModel *m, const artData *d, const modelJoint *joint)
{
  const treeData *t = &d->work->tree;
  if (joint->is_cut) {
    const cutSide *to = &m->cut[joint->cut].side[1];
    return tree_point(t, to->link, to->r);
  }
  const treeLink *first = &m->tree.link[joint->link];
  if (joint->is_reversed) return tree_point(t, first->parent, first->p);
  return t->world[joint->link + joint->nlink - 1].o;
}


// rods with mass pull at both ends in ways of their own
static void add_rod_start(const artModel *m, artData *d, const modelJoint *joint, wrench *sum)
{
  const cutSide *from = &m->cut[joint->cut].side[0];
  double f[3], other[3];
  CHECK_EQ_INT(art_rod_forces(m, d, joint->name, f, other, NULL), ART_OK);
  const v3 force = {f[0], f[1], f[2]};
  sum->lin = v3_add(sum->lin, force);
  sum->ang = v3_add(sum->ang, v3_cross(tree_point(&d->work->tree, from->link, from->r), force));
}


// force and moment about the ground's origin that the joints exert on a body
static wrench joint_loads(const artModel *m, artData *d, int body, double *size)
{
  wrench sum = {{0, 0, 0}, {0, 0, 0}};
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    const double sign = joint->to == body ? 1 : joint->from == body ? -1 : 0;
    if (sign == 0) continue;
    if (sign < 0 && joint->type == ART_ROD) {
      add_rod_start(m, d, joint, &sum);
      continue;
    }
    double f[3], t[3];
    CHECK_EQ_INT(art_reaction(m, d, joint->name, f, t, NULL), ART_OK);
    const v3 force = {sign * f[0], sign * f[1], sign * f[2]};
    const v3 torque = {sign * t[0], sign * t[1], sign * t[2]};
    sum.lin = v3_add(sum.lin, force);
    sum.ang = v3_add(sum.ang, v3_add(torque, v3_cross(point_of(m, d, joint), force)));
    for (int k = 0; k < 3; k++) *size = check_larger(*size, check_larger(fabs(f[k]), fabs(t[k])));
  }
  return sum;
}


// of the sixths of rods that a link carries
static wrench sixth_loads(const artModel *m, const artData *d, int link)
{
  wrench sum = {{0, 0, 0}, {0, 0, 0}};
  const treeData *t = &d->work->tree;
  for (int e = 0; e < 2 * m->ncut; e++) {
    const cutSide *side = &m->cut[e / 2].side[e % 2];
    if (side->link != link) continue;
    const v3 a = tree_point_acceleration(&m->tree, t, link, side->r);
    const v3 force = v3_scale(m->cut[e / 2].mass / 6, v3_sub(a, m->tree.gravity));
    sum.lin = v3_add(sum.lin, force);
    sum.ang = v3_add(sum.ang, v3_cross(tree_point(t, link, side->r), force));
  }
  return sum;
}


// mass times acceleration less weight and applied forces, about the ground's origin
static wrench inertia_loads(const artModel *m, artData *d, int body, const wrench *applied)
{
  const treeData *t = &d->work->tree;
  const int i = m->body[body].link;
  const treeLink *link = &m->tree.link[i];
  const m3 R = t->world[i].R;
  double a[3], alpha[3], v[3], omega[3];
  const int frame = body; // a body's own frame has its number
  art_frame_acceleration(m, d, frame, a, alpha);
  art_frame_velocity(m, d, frame, v, omega);

  // second moments about the link's origin o, in the link's axes
  const v3 w = m3_mul(R, (v3){omega[0], omega[1], omega[2]});
  const v3 e = m3_mul(R, (v3){alpha[0], alpha[1], alpha[2]});
  const v3 a_o =
      m3_mul(R, v3_sub(tree_point_acceleration(&m->tree, t, i, (v3){0, 0, 0}), m->tree.gravity));
  const v3 Jw = {link->J.xx * w.x + link->J.xy * w.y + link->J.xz * w.z,
                 link->J.xy * w.x + link->J.yy * w.y + link->J.yz * w.z,
                 link->J.xz * w.x + link->J.yz * w.y + link->J.zz * w.z};
  const v3 Je = {link->J.xx * e.x + link->J.xy * e.y + link->J.xz * e.z,
                 link->J.xy * e.x + link->J.yy * e.y + link->J.yz * e.z,
                 link->J.xz * e.x + link->J.yz * e.y + link->J.zz * e.z};
  // f = m a_o + alpha x h + w x (w x h),  n_o = J alpha + w x J w + h x a_o
  const v3 f = v3_sub(v3_add(v3_scale(link->mass, a_o),
                             v3_add(v3_cross(e, link->h), v3_cross(w, v3_cross(w, link->h)))),
                      applied[i].lin);
  const v3 n = v3_sub(v3_add(Je, v3_add(v3_cross(w, Jw), v3_cross(link->h, a_o))), applied[i].ang);
  const v3 force = m3_back(R, f);
  const wrench all = {v3_add(m3_back(R, n), v3_cross(t->world[i].o, force)), force};
  return wr_sub(all, sixth_loads(m, d, i));
}


static void balance_bodies(const artModel *m, artData *d, artMethod method)
{
  static wrench applied[MAX_LINKS];
  CHECK_WORKS(art_accelerate(m, d, method, &check_error));

  // forces of the elements, alone
  artData *copy = keep_fresh_data(m);
  copy->time = d->time;
  memcpy(copy->q, d->q, (size_t) m->tree.nq * sizeof *d->q);
  memcpy(copy->v, d->v, (size_t) m->tree.nv * sizeof *d->v);
  art_update(m, copy);
  CHECK_WORKS(art_apply_forces(m, copy, &check_error));
  const int has_any = copy->work->tree.f_ext != NULL;
  memset(applied, 0, sizeof applied);
  if (has_any) memcpy(applied, copy->work->applied, (size_t) m->tree.n * sizeof *applied);

  for (int body = 1; body < m->nbody; body++) {
    double size = 1;
    const wrench joints = joint_loads(m, d, body, &size);
    const wrench wanted = inertia_loads(m, d, body, applied);
    const double got[6] = {joints.lin.x, joints.lin.y, joints.lin.z,
                           joints.ang.x, joints.ang.y, joints.ang.z};
    const double want[6] = {wanted.lin.x, wanted.lin.y, wanted.lin.z,
                            wanted.ang.x, wanted.ang.y, wanted.ang.z};
    CHECK_NEAR(got, want, 6, 1e-9 * size);
  }
}


TEST(reactions_keep_every_body_in_its_motion)
{
  for (const loopSample *sample = loop_samples; sample->name; sample++) {
    artModel *m = keep_model(sample->make());
    if (!CHECK(m)) continue;
    artData *d = keep_fresh_data(m);
    uint64_t seed = 3;
    for (int trial = 0; trial < 4; trial++) {
      if (!loop_random_state(m, d, &seed)) break;
      balance_bodies(m, d, ART_AUTOMATIC);
      balance_bodies(m, d, ART_AUGMENTED);
    }
  }
}


static void ask_about_the_open_tree(const char *sample)
{
  artModel *m = keep_model(loop_sample(sample));
  artData *d = keep_fresh_data(m);
  uint64_t seed = 9;
  double before[12], after[12], tau[64], a[64];
  const char *joint = m->joint[m->cut[0].joint].name;
  const char *other = m->joint[0].name;
  CHECK(loop_random_state(m, d, &seed));
  CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
  art_reaction(m, d, other, before, before + 3, NULL);
  art_reaction(m, d, joint, before + 6, before + 9, NULL);
  for (int k = 0; k < 4; k++) {
    // the last time before anybody has asked for reactions
    if (k == 3) CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
    art_inverse_dynamics(m, d, NULL, tau);
    if (k > 0) CHECK_EQ_INT(art_forward_dynamics(m, d, tau, a, NULL), ART_OK);
    art_reaction(m, d, other, after, after + 3, NULL);
    art_reaction(m, d, joint, after + 6, after + 9, NULL);
    CHECK_NEAR(after, before, 12, 1e-11);
  }
}


TEST(questions_about_the_open_tree_leave_reactions_alone)
{
  ask_about_the_open_tree("spatial slider-crank");
  ask_about_the_open_tree("platform on heavy rods");
}


//---- closed forms --------------------------------------------------------------------------------

static void add_body(artBuilder *b, const char *name, double mass, double inertia)
{
  artBodyDef body = art_default_body();
  body.name = name;
  body.mass = mass;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = inertia;
  art_add_body(b, &body);
}


static void add_joint(artBuilder *b, artJointType type, const char *name, const char *from,
                      const char *to)
{
  artJointDef joint = art_default_joint();
  joint.name = name, joint.type = type, joint.from = from, joint.to = to;
  art_add_joint(b, &joint);
}


// a mass on a rod from ground swings through its lowest point
TEST(a_rod_pulls_with_the_weight_and_the_centripetal_force)
{
  const double mass = 2.5, length = 0.8, speed = 1.7, g = 9.81;
  artBuilder *b = art_create_builder();
  add_body(b, "bob", mass, 0.3);
  add_joint(b, ART_FREE, "fly", "ground", "bob");
  artJointDef rod = art_default_joint();
  rod.name = "rod", rod.type = ART_ROD, rod.from = "ground", rod.to = "bob", rod.length = length;
  art_add_joint(b, &rod);
  art_set_initial(b, "fly.z", -length);
  art_set_initial(b, "fly.vx", speed);
  art_add_output(b, NULL, "rod.force");
  art_add_output(b, NULL, "rod.length");
  art_add_output(b, NULL, "rod.fx");
  art_add_output(b, NULL, "rod.fz");
  art_add_output(b, NULL, "rod.ty");
  artModel *m = keep_model(model_compile(b));
  artData *d = keep_fresh_data(m);
  CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
  double got[5];
  art_outputs(m, d, got);
  const double tension = mass * (g + speed * speed / length);
  CHECK_NEAR(got, ((double[5]){tension, length, 0, tension, 0}), 5, 1e-12 * tension);
  CHECK_TEXT(art_output_unit(m, 0), "N");
  CHECK_TEXT(art_output_unit(m, 1), "m");
}


// two wheels geared 1 : 2, the first under a torque, or driven
static artBuilder *two_wheels(double J1, double J2)
{
  static const char *const coordinate[] = {"first", "second.angle"};
  static const double coefficient[] = {1, -2};
  artBuilder *b = art_create_builder();
  add_body(b, "a", 1, J1);
  add_body(b, "b", 1, J2);
  add_joint(b, ART_REVOLUTE, "first", "ground", "a");
  add_joint(b, ART_REVOLUTE, "second", "ground", "b");
  art_add_coupling(
      b, &(artCouplingDef){
             .name = "gear", .n = 2, .coordinate = coordinate, .coefficient = coefficient});
  art_add_output(b, NULL, "gear.force");
  art_add_output(b, NULL, "first.force");
  art_add_output(b, NULL, "first.accel");
  art_add_output(b, NULL, "second.accel");
  art_add_output(b, NULL, "second.force");
  return b;
}


TEST(gears_pass_torque_on)
{
  // J1 a1 = tau + lambda,  J2 a2 = -2 lambda,  a1 = 2 a2
  const double J1 = 0.7, J2 = 1.9, tau = 3;
  const double a2 = tau / (2 * J1 + J2 / 2), lambda = -J2 * a2 / 2;
  artBuilder *b = two_wheels(J1, J2);
  art_add_joint_force(b,
                      &(artJointForceDef){.name = "motor", .coordinate = "first", .formula = "3"});
  artModel *m = model_compile(b);
  artData *d = art_create_data(m);
  double got[5];
  CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
  art_outputs(m, d, got);
  CHECK_NEAR(got, ((double[5]){lambda, tau + lambda, 2 * a2, a2, -2 * lambda}), 5, 1e-13);
  CHECK_TEXT(art_output_unit(m, 0), "N m");
  art_free_data(d);
  art_free_model(m);

  // driven, a1 = 4: the motor turns both
  b = two_wheels(J1, J2);
  art_add_drive(b, &(artDriveDef){.name = "motor", .coordinate = "first", .formula = "2*time^2"});
  m = model_compile(b);
  d = art_create_data(m);
  d->time = 0.5;
  art_update(m, d);
  d->q[art_find_position(m, "second.angle")] = 0.25;
  art_update(m, d);
  CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
  art_outputs(m, d, got);
  // the force along a coordinate is all that turns its wheel, the motor's 4 J1 + J2 less the gear's J2
  CHECK_NEAR(got, ((double[5]){-J2, 4 * J1, 4, 2, 2 * J2}), 5, 1e-12);
  const double power = (4 * J1 + J2) * 2;
  CHECK_CLOSE(art_energy(m, d).power, power, 1e-12);
  art_free_data(d);
  art_free_model(m);
}


//---- names ---------------------------------------------------------------------------------------

static void refuse_output(artBuilder *b, const char *reference, const char *why)
{
  artModel *m = NULL;
  art_add_output(b, NULL, reference);
  CHECK_FAILS(art_compile_model(&m, b, &check_error), ART_BAD_INPUT, why);
  art_free_builder(b);
}


TEST(what_cuts_and_couplings_do_not_have_is_refused)
{
  refuse_output(two_wheels(1, 1), "gear.length",
                "constraint 'gear' has no output 'length', only "
                "'force'");
  artBuilder *b = two_wheels(1, 1);
  artJointDef rod = art_default_joint();
  rod.name = "stay", rod.type = ART_ROD, rod.from = "a", rod.to = "b", rod.length = 1;
  art_add_joint(b, &rod);
  refuse_output(b, "stay.angle",
                "rod joint 'stay' has no 'angle': it closes a loop and has no coordinates of its "
                "own; there are the reactions fx fy fz, tx ty tz, those on its other end from_fx "
                "from_fy from_fz, the tension force and the length");
}
