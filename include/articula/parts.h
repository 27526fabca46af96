// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The parts of a compiled model by index, for viewers: bodies, joints, loops, forces and shapes,
// their poses at an instant, and the forces that act there.
//
// Functions art_get_* return 0, or NULL, after the last part of their kind. Joints and loops of
// engaged latches are not included.
#ifndef ARTICULA_PARTS_H
#define ARTICULA_PARTS_H

#include "articula/data.h"

#ifdef __cplusplus
extern "C" {
#endif

//---- bodies and joints ---------------------------------------------------------------------------

typedef struct artBodyPart {
  const char *name;
  double mass, com[3], inertia[6]; // as in artBodyDef
  int parent;                      // the previous body in the spanning tree; 0: ground, or a rod
  int is_rod;                      // 1: a thin bar from its origin along z,
  double length;                   // of this length, m
} artBodyPart;

// Index 0 is ground, then the bodies as numbered by art_find_body, then rods.
ART_API int art_get_body(const artModel *model, int i, artBodyPart *part);

typedef struct artJointPart {
  const char *name;
  artJointType type;
  int body[2];    // from, to
  artPose end[2]; // the joint frame on each body, z along its axis
  int closes_loop;
  int slides, turns;           // translational and rotational freedoms: 0 and 1 for a hinge
  double angle_off, place_off; // rad, m: misalignment of the file that was treated as rounding; 0:
                               // none
} artJointPart;
ART_API int art_get_joint(const artModel *model, int i, artJointPart *part);

// A loop, closed by a joint or by a relation between coordinates.
typedef struct artLoopPart {
  const char *name, *type;
  int joint; // index of the joint; -1: a relation
} artLoopPart;
ART_API int art_get_loop(const artModel *model, int i, artLoopPart *part);

// A shape of the model file, and its body; NULL after the last.
ART_API const artVisualDef *art_get_visual(const artModel *model, int i, int *body);

ART_API void art_get_gravity(const artModel *model, double gravity[3]);

//---- sliders -------------------------------------------------------------------------------------

// A slider of live pages, from the section `live` of the model file.
typedef struct artSliderPart {
  const char *name;          // of a parameter or an input
  const char *title, *group; // "" if there is none
  double least, largest;     // -HUGE_VAL and HUGE_VAL if the file has no range
} artSliderPart;
ART_API int art_get_slider(const artModel *model, int i, artSliderPart *part);

//---- inputs, states, signals ---------------------------------------------------------------------

typedef struct artInputPart {
  const char *name, *unit; // "" if the unit is unknown
  double initial;
  double least, largest; // -HUGE_VAL and HUGE_VAL if there are no limits
  double every;          // s; 0: unspecified
  artHold hold;
} artInputPart;
ART_API int art_get_input(const artModel *model, int i, artInputPart *part);

// A state of artData's s; `rate` is its formula, or NULL for states of force elements.
typedef struct artStatePart {
  const char *name, *unit;
  double initial;
  const char *rate;
} artStatePart;
ART_API int art_get_state(const artModel *model, int i, artStatePart *part);

// A named formula.
typedef struct artSignalPart {
  const char *name, *unit;
  const char *value; // the formula
} artSignalPart;
ART_API int art_get_signal(const artModel *model, int i, artSignalPart *part);

//---- forces --------------------------------------------------------------------------------------

typedef enum artGlyph { ART_GLYPH_NONE, ART_GLYPH_COIL, ART_GLYPH_LINK, ART_GLYPH_WHEEL } artGlyph;

typedef struct artForcePart {
  const char *name, *type;
  artGlyph glyph;      // symbol in the viewer
  int npoint;          // number of attachment points: art_get_force_point
  int is_element;      // 0: a rope of the section `latches`
  int is_torque;       // 1: its arrow is a torque,
  int is_contact;      // 1: its arrow is the force of a tyre or contact, at the contact point
  double rest;         // free length of a spring, m; 0: none
  double radius;       // of a tyre, m; 0: not a tyre
  double width;        // of a tyre, from its file or typical
  double axle[3];      // of a tyre: unit vector in its body, to the left
  const artRoad *road; // under a tyre; NULL: z = 0
  int ncontact;        // of a pile: contacts that may be shown (art_pile_arrow)
} artForcePart;

// Force elements in order, then ropes of the section `latches`.
ART_API int art_get_force(const artModel *model, int i, artForcePart *part);

// Height of the ground under a tyre, from a road or a user function; NaN if it has no height there,
// or force i is not a tyre.
ART_API double art_ground_height(const artModel *model, int i, double x, double y);

// Point k of force i: the index of its frame, its body, and its position in the body.
typedef struct artPointPart {
  int frame, body;
  double at[3];
} artPointPart;
ART_API int art_get_force_point(const artModel *model, int i, int k, artPointPart *part);

//---- an instant ----------------------------------------------------------------------------------

// Pose and velocity of a body or rod in ground, after art_update. The spin of a rod is
// undetermined: its frame is rotated from z by the shortest rotation, and its angular velocity is
// perpendicular to it.
ART_API void art_body_pose(const artModel *model, const artData *data, int i, artPose *pose);
ART_API void art_body_velocity(const artModel *model, const artData *data, int i, double linear[3],
                               double angular[3]);

// The force or torque that a force element applies at the last of its points, and that point, both
// in ground; zero for elements without points. After art_outputs.
ART_API void art_force_arrow(const artModel *model, const artData *data, int i, double at[3],
                             double vector[3]);

// The k-th contact of a pile that has a force, k from 0: the force on its second surface and where it acts, both in ground. Zero
// where the pile has no more. After a step of a run.
ART_API void art_pile_arrow(const artModel *model, const artData *data, int i, int k, double at[3],
                            double vector[3]);

// Reaction of a joint on its body `to`, at the joint frame on that body. After art_outputs.
ART_API void art_joint_arrow(const artModel *model, const artData *data, int i, double at[3],
                             double force[3], double torque[3]);

#ifdef __cplusplus
}
#endif

#endif
