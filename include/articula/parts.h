// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The parts of a compiled model by number, for programs that show it: bodies, joints, loops, forces and shapes, where
// they are at an instant, and which forces act there.
//
// Functions art_get_* answer 0, or NULL, behind the last part of their kind. Joints and loops of latches that are
// engaged are not among the parts.
#ifndef ARTICULA_PARTS_H
#define ARTICULA_PARTS_H

#include "articula/data.h"

#ifdef __cplusplus
extern "C" {
#endif

//---- bodies and joints ---------------------------------------------------------------------------

typedef struct artBodyPart {
  const char *name;
  double mass, com[3], inertia[6]; // as artBodyDef has them
  int parent;                      // the body before it in the spanning tree; 0: ground, or a rod
  int is_rod;                      // a thin bar from its origin along z,
  double length;                   // so long
} artBodyPart;

// Ground (i = 0), the bodies of the model as art_find_body numbers them, then its rods.
ART_API int art_get_body(const artModel *model, int i, artBodyPart *part);

typedef struct artJointPart {
  const char *name;
  artJointType type;
  int body[2];    // from, to
  artPose end[2]; // the joint's frame in either, z along its axis
  int closes_loop;
  int slides, turns;           // how many of either it leaves: 0 and 1 of a hinge, 2 and 3 of a rod
  double angle_off, place_off; // rad, m: rounding of the file that was taken as alignment; 0: none
} artJointPart;
ART_API int art_get_joint(const artModel *model, int i, artJointPart *part);

// A loop, closed by a joint or by a relation between coordinates.
typedef struct artLoopPart {
  const char *name, *type;
  int joint; // its number; -1: a relation
} artLoopPart;
ART_API int art_get_loop(const artModel *model, int i, artLoopPart *part);

// A shape that the model file asks for, and its body; NULL behind the last.
ART_API const artVisualDef *art_get_visual(const artModel *model, int i, int *body);

ART_API void art_get_gravity(const artModel *model, double gravity[3]);

//---- inputs, states, signals ---------------------------------------------------------------------

typedef struct artInputPart {
  const char *name, *unit; // "" where no unit is known
  double initial;
  double least, largest; // -HUGE_VAL and HUGE_VAL without limits
  double every;          // s; 0: not said
  artHold hold;
} artInputPart;
ART_API int art_get_input(const artModel *model, int i, artInputPart *part);

// A state of artData's s; `rate` is the text of its formula, or NULL where a force element gives it.
typedef struct artStatePart {
  const char *name, *unit;
  double initial;
  const char *rate;
} artStatePart;
ART_API int art_get_state(const artModel *model, int i, artStatePart *part);

// A named formula.
typedef struct artSignalPart {
  const char *name, *unit;
  const char *value; // the text of the formula
} artSignalPart;
ART_API int art_get_signal(const artModel *model, int i, artSignalPart *part);

//---- forces --------------------------------------------------------------------------------------

typedef enum artGlyph { ART_GLYPH_NONE, ART_GLYPH_COIL, ART_GLYPH_LINK, ART_GLYPH_WHEEL } artGlyph;

typedef struct artForcePart {
  const char *name, *type;
  artGlyph glyph;      // how it is drawn
  int npoint;          // where it holds on to bodies: art_get_force_point
  int is_element;      // else a rope of the section latches
  int is_torque;       // its arrow is a torque,
  int is_contact;      // or the force at the contact of a tyre
  double rest;         // free length of a spring, m; 0: none
  double radius;       // of a tyre, m; 0: it is none
  double width;        // of a tyre, as its file tells, or as usual tyres are
  double axle[3];      // of a tyre: in its body, to the left
  const artRoad *road; // under a tyre; NULL: level at z = 0
} artForcePart;

// Force elements in their order, then ropes of the section latches.
ART_API int art_get_force(const artModel *model, int i, artForcePart *part);

// Height of the ground under a tyre, of a road or by the function of the user; NaN where it has none, or force i is no tyre.
ART_API double art_ground_height(const artModel *model, int i, double x, double y);

// Point k of force i: the number of its frame, its body, and where it is there.
typedef struct artPointPart {
  int frame, body;
  double at[3];
} artPointPart;
ART_API int art_get_force_point(const artModel *model, int i, int k, artPointPart *part);

//---- an instant ----------------------------------------------------------------------------------

// The pose and the velocity of a body or rod in ground, after art_update. Nothing determines the spin of a rod: it is
// turned from z by the shortest way, and its angular velocity is square to it.
ART_API void art_body_pose(const artModel *model, const artData *data, int i, artPose *pose);
ART_API void art_body_velocity(const artModel *model, const artData *data, int i, double linear[3],
                               double angular[3]);

// The force or torque that a force element applies to the last of its points, and where, both in ground; zero for
// elements without points. After art_outputs.
ART_API void art_force_arrow(const artModel *model, const artData *data, int i, double at[3],
                             double vector[3]);

// Reaction of a joint on its body `to`, at the joint on that side. After art_outputs.
ART_API void art_joint_arrow(const artModel *model, const artData *data, int i, double at[3],
                             double force[3], double torque[3]);

#ifdef __cplusplus
}
#endif

#endif
