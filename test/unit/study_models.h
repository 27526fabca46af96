// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines for the tests of studies, made with the builder in a few words.
#ifndef UNIT_STUDY_MODELS_H
#define UNIT_STUDY_MODELS_H

#include <math.h>
#include <stdio.h>

#include "articula/articula.h"
#include "support/check.h"

static const double PI = 3.14159265358979323846;
static const double GRAVITY = 9.81;

static const double X[3] = {1, 0, 0}, Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1}, ORIGIN[3] = {0, 0, 0};

// a body with a diagonal inertia tensor about its centre of mass
static inline void put_body(artBuilder *b, const char *name, double mass, double x, double y,
                            double z, double Jx, double Jy, double Jz)
{
  artBodyDef def = art_default_body();
  def.name = name;
  def.mass = mass;
  def.com[0] = x, def.com[1] = y, def.com[2] = z;
  def.inertia[0] = Jx, def.inertia[1] = Jy, def.inertia[2] = Jz;
  art_add_body(b, &def);
}


// a joint placed in ground at the reference configuration; the second axis of a universal joint
// follows x -> y -> z -> x
static inline void put_joint(artBuilder *b, const char *name, artJointType type, const char *from,
                             const char *to, const double at[3], const double axis[3])
{
  artJointDef def = art_default_joint();
  def.name = name, def.type = type, def.from = from, def.to = to, def.in_ground = 1;
  for (int k = 0; k < 3; k++) {
    def.at[k] = at[k];
    def.axis[k] = axis[k];
    def.axis2[(k + 1) % 3] = type == ART_UNIVERSAL ? axis[k] : 0;
  }
  art_add_joint(b, &def);
}


static inline artLawDef linear_law(double coefficient)
{
  return (artLawDef){.type = ART_LAW_LINEAR, .coefficient = coefficient};
}


static inline void put_joint_spring(artBuilder *b, const char *name, const char *coordinate,
                                    double stiffness, double damping, double rest)
{
  artJointSpringDef def = {.name = name, .coordinate = coordinate, .rest = rest};
  if (stiffness != 0) def.spring = linear_law(stiffness);
  if (damping != 0) def.damper = linear_law(damping);
  art_add_joint_spring(b, &def);
}


static inline void put_joint_force(artBuilder *b, const char *name, const char *coordinate,
                                   const char *text)
{
  const artJointForceDef def = {.name = name, .coordinate = coordinate, .formula = text};
  art_add_joint_force(b, &def);
}


static inline void put_drive(artBuilder *b, const char *name, const char *coordinate,
                             const char *text)
{
  const artDriveDef def = {.name = name, .coordinate = coordinate, .formula = text};
  art_add_drive(b, &def);
}


static inline void put_frame(artBuilder *b, const char *body, const char *name, double x, double y,
                             double z)
{
  artPose pose = art_default_pose();
  pose.position[0] = x, pose.position[1] = y, pose.position[2] = z;
  art_add_frame(b, body, name, &pose);
}


static inline void put_spring(artBuilder *b, const char *name, const char *from, const char *to,
                              double stiffness, double damping, double length)
{
  artSpringDamperDef def = {.name = name, .from = from, .to = to, .free_length = length};
  def.spring = linear_law(stiffness);
  if (damping != 0) def.damper = linear_law(damping);
  art_add_spring_damper(b, &def);
}


static inline void weightless(artBuilder *b)
{
  art_set_gravity(b, ORIGIN);
}


// the model of a builder, which is freed; NULL with a failed check when it does not compile
static inline artModel *finish(artBuilder *b)
{
  artModel *m = NULL;
  artError error = {0};
  const artStatus status = art_compile_model(&m, b, &error);
  if (status != ART_OK) printf("%s\n", error.text);
  CHECK(status == ART_OK);
  art_free_builder(b);
  return m;
}


//---- machines ------------------------------------------------------------------------------------

// a point mass on a rod of length 1.3 m: pin.angle about y, 0 when it hangs down
static const double ROD = 1.3;
static inline artBuilder *pendulum_builder(double angle)
{
  artBuilder *b = art_create_builder();
  put_body(b, "bob", 2, 0, 0, -ROD, 0, 0, 0);
  put_joint(b, "pin", ART_REVOLUTE, "ground", "bob", ORIGIN, Y);
  art_set_initial(b, "pin.angle", angle);
  return b;
}


// a mass that slides along x without gravity
static inline artBuilder *slider_builder(double mass, double x, double v)
{
  artBuilder *b = art_create_builder();
  weightless(b);
  put_body(b, "mass", mass, 0, 0, 0, 0, 0, 0);
  put_joint(b, "slide", ART_PRISMATIC, "ground", "mass", ORIGIN, X);
  if (x != 0) art_set_initial(b, "slide.slide", x);
  if (v != 0) art_set_initial(b, "slide.rate", v);
  return b;
}


// two point masses one below the other: shoulder and elbow about y, both 0 when they hang down
typedef struct twoLink {
  double m1, m2, l1, l2;
} twoLink;
static const twoLink TWO = {.m1 = 1.7, .m2 = 0.9, .l1 = 0.8, .l2 = 1.1};
static inline artBuilder *double_pendulum_builder(void)
{
  const double elbow[3] = {0, 0, -TWO.l1};
  artBuilder *b = art_create_builder();
  put_body(b, "upper", TWO.m1, 0, 0, -TWO.l1, 0, 0, 0);
  put_body(b, "lower", TWO.m2, 0, 0, -TWO.l1 - TWO.l2, 0, 0, 0);
  put_joint(b, "shoulder", ART_REVOLUTE, "ground", "upper", ORIGIN, Y);
  put_joint(b, "elbow", ART_REVOLUTE, "upper", "lower", elbow, Y);
  return b;
}


// the motion of a fresh machine by one integrator with a tolerance (rk4: a step)
static inline artRunDef run_study(artIntegrator integrator, double until, double tolerance)
{
  artRunDef study = art_default_run();
  study.integrator = integrator;
  study.until = until;
  if (integrator == ART_RK4) {
    study.step = tolerance;
  } else {
    study.tolerance = tolerance;
  }
  return study;
}

#endif
