// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Types of joints: a joint of the tree is a chain of links, a joint that closes a loop a list of constraint rows. All that
// differs from type to type follows from these lists, which are in joint_def.c; no other file names a type.
#ifndef MODEL_JOINT_KIND_H
#define MODEL_JOINT_KIND_H

#include "base/error.h"
#include "element/field.h"
#include "model/links.h"

// constraint rows of a joint that closes a loop: what `to` may not do as seen from `from`
typedef enum rowKind {
  SLIDE_X,
  SLIDE_Y,
  SLIDE_Z,
  TURN_X,
  TURN_Y,
  TURN_Z,
  EQUAL_1,
  EQUAL_2,
  EQUAL_3,
  SQUARE,
  DISC_GAP,
  THREAD,
  LENGTH,
  BALL_GAP,
  CURVED_GAP // of what rolls on a surface that is not a plane
} rowKind;

// What rolls without slip, by rows of velocities (loop/roll_rows.h) in addition to its rows.
typedef enum rollKind { ROLL_NONE, ROLL_DISC, ROLL_BALL, ROLL_EDGE } rollKind;

typedef struct jointCoordinate {
  const char *name; // "angle", "rate"
  keyQuantity quantity;
  bool is_position;
} jointCoordinate;

// the axis of a link, in the frame of its joint
typedef enum linkAxis { LINK_ALONG_Z, LINK_ALONG_X, LINK_ALONG_Y, LINK_ALONG_AXIS2 } linkAxis;

typedef struct jointKind {
  const jointCoordinate *coordinate; // then the velocities, ended by one without a name
  int nlink;                         // from `from` to `to`
  linkKind link[3];
  linkAxis along[3];
  int nrow;
  rowKind row[6];
  bool has_axis; // z of its frame is along the member `axis`
  bool has_x;    // and x along `axis2`, where that is given
  rollKind roll;
} jointKind;

extern const jointKind joint_kinds[ART_JOINT_TYPES];

// The rows by which a joint closes a loop, *n of them: those of its type, of a hinge by vectors six, or of what rolls on a
// curved surface its gap.
const rowKind *joint_closing_rows(const artJointDef *def, int *n);

// Does what rolls or glides do so on a plane?
static inline bool joint_rolls_on_plane(const artJointDef *def)
{
  return def->surface == ART_ROLL_PLANE && !def->road;
}

// The joints that a latch may be: they have no more to say than their axis. Ended by -1.
extern const int joint_latches[];

// The type of joint that is one such link.
artJointType joint_of_link(linkKind link);

// The place of a row among the rows of a joint, or -1 when it has none.
static inline int joint_find_row(artJointType type, rowKind row)
{
  ART_ASSERT((unsigned) type < ART_JOINT_TYPES);
  const jointKind *kind = &joint_kinds[type];
  int i = kind->nrow - 1;
  while (i >= 0 && kind->row[i] != row) i--;
  return i;
}


static inline bool joint_holds(artJointType type, rowKind row)
{
  return joint_find_row(type, row) >= 0;
}


static inline bool joint_is_rod(artJointType type)
{
  return joint_holds(type, LENGTH);
}


static inline rollKind joint_roll(artJointType type)
{
  ART_ASSERT((unsigned) type < ART_JOINT_TYPES);
  return joint_kinds[type].roll;
}


// a joint that closes a loop wherever it is, and whose ends need not coincide
static inline bool joint_only_closes(artJointType type)
{
  return joint_is_rod(type) || joint_roll(type) != ROLL_NONE;
}


static inline bool joint_is_rigid(artJointType type)
{
  ART_ASSERT((unsigned) type < ART_JOINT_TYPES);
  return joint_kinds[type].nrow == 6;
}


static inline bool joint_is_free(artJointType type)
{
  return joint_kinds[type].nrow == 0;
}


static inline bool joint_holds_point(artJointType type)
{
  return joint_kinds[type].nrow > 2 && joint_kinds[type].row[2] == SLIDE_Z;
}


static inline bool joint_is_ball(artJointType type)
{
  return joint_kinds[type].nrow == 3 && joint_holds_point(type);
}


static inline bool joint_is_hinge(artJointType type)
{
  return joint_kinds[type].nrow == 5 && joint_kinds[type].row[4] == TURN_Y;
}


static inline bool joint_turns_about_z(artJointType type)
{
  return joint_holds(type, TURN_X) && !joint_holds(type, TURN_Z);
}


// in the plane square to z, and perhaps along it
static inline bool joint_turns_in_plane(artJointType type)
{
  return joint_turns_about_z(type) && joint_holds(type, SLIDE_Z);
}


// a slide along z without any turn
static inline bool joint_is_slide(artJointType type)
{
  return joint_holds(type, TURN_Z) && !joint_holds(type, SLIDE_Z);
}


// Quaternions describe `to` as seen from `from`, and the other way round are others.
static inline bool joint_is_directed(artJointType type)
{
  const linkKind link = joint_kinds[type].link[0];
  return link == LINK_SPHERICAL || link == LINK_FREE;
}

#endif
