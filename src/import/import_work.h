// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// State of an import. Errors in the file and lack of memory are thrown (throw.h) to art_import,
// which frees everything, so readers need no error handling.
#ifndef IMPORT_IMPORT_WORK_H
#define IMPORT_IMPORT_WORK_H

#include <stdio.h>

#include "articula/import.h"
#include "base/error.h"
#include "base/named.h"
#include "base/sandbox.h"
#include "base/table.h"
#include "import/imported_machine.h"
#include "import/xml.h"

// type of the force element with stiffness along and about three axes between two frames (adams.c)
extern const char import_six_axis_spring[];

// a note that something was left out or changed
typedef struct importNote {
  artNoteLevel level;
  const char *text;
  artPlace place;
  int count;
} importNote;

typedef struct importWork {
  artError error;
  baseArena arena;
  const char *path;
  const artImportDef *def;
  importMachine machine;
  baseTable names;  // used in the written file
  int *next_number; // by index in `names`: next number to append to that name
  int number_capacity;
  baseTable bodies; // by their names in the original file
  baseTable given;  // names of all kinds in the original file, spelled with our characters
  int nnote, note_capacity;
  importNote *note;
  char **kept; // contents of files; free with mem_free
  int nkept, kept_capacity;
  FILE *out_stream; // stream for the text being written
  char *text;       // the model file, from open_memstream
} importWork;

// Throw an error with a message; or with a status.
_Noreturn void import_fail(importWork *w, artPlace place, const char *format, ...) ART_PRINTF(3, 4);
_Noreturn void import_leave(importWork *w, artStatus status);

// Add a note that something is left out or changed; equal notes are counted. import_note_motion:
// affects the motion; import_note_mended: a repaired error of the file; import_note_look: names,
// appearance and outputs.
void import_note_motion(importWork *w, artPlace place, const char *format, ...) ART_PRINTF(3, 4);
void import_note_mended(importWork *w, artPlace place, const char *format, ...) ART_PRINTF(3, 4);
void import_note(importWork *w, artPlace place, const char *format, ...) ART_PRINTF(3, 4);
void import_note_look(importWork *w, artPlace place, const char *format, ...) ART_PRINTF(3, 4);

// Sort notes by importance.
void import_sort_notes(importWork *w);

// Add a note on an unread element or attribute; its name determines the importance.
void import_note_part(importWork *w, const xmlNode *owner, artPlace place, const char *name,
                      const char *format, ...) ART_PRINTF(5, 6);

// Zeroed memory of the arena, a copy of a string, and printf into the arena; they throw an error if
// memory runs out.
void *import_take(importWork *w, size_t count, size_t size);
char *import_text(importWork *w, const char *text);
char *import_format(importWork *w, const char *format, ...) ART_PRINTF(2, 3);

// A string to which printf appends; start from {0}.
typedef struct importLine {
  char *text; // NULL: empty
  int length, capacity;
} importLine;
void import_append(importWork *w, importLine *line, const char *format, ...) ART_PRINTF(3, 4);

// A unique name in the written file, of letters, digits, _ and -. A note is added if it differs
// from the original name.
const char *import_name(importWork *w, const char *wanted, const char *kind, artPlace place);

// A unique name, formatted by printf, for a part that has no name in the file; no other name of the
// file is equal, even a later one.
const char *import_fresh(importWork *w, const char *wanted, ...) ART_PRINTF(2, 3);

// A name with our characters, which need not be unique; for frames of a body.
char *import_spell(importWork *w, const char *wanted);

// A name in a formula, quoted if necessary.
const char *import_quoted(importWork *w, const char *name);

// Enter the index of a name in a table, unless the name is already there.
void import_enter(importWork *w, baseTable *table, const char *name, int number);

// Grow a list in the arena to hold one more item; the old list is not freed.
void import_grow(importWork *w, void **items, int count, int *capacity, size_t size);

//---- the machine ---------------------------------------------------------------------------------

// Add a part with default values. A body can be found by its original name from then on.
importBody *import_add_body(importWork *w, const char *foreign, artPlace place);
importJoint *import_add_joint(importWork *w, const char *name, artJointType type, int from, int to,
                              artPlace place);
void import_add_item(importWork *w, const char *section, const char *name, artPlace place,
                     const char *format, ...) ART_PRINTF(5, 6);

// Forces along a coordinate that several formats have (yaml_write.c): by a formula; by a spring and
// a damper; arguments that are NULL are left out.
void import_add_joint_force(importWork *w, const char *name, artPlace place, const char *coordinate,
                            const char *value);
void import_add_joint_spring(importWork *w, const char *name, artPlace place,
                             const char *coordinate, const char *stiffness, const char *rest,
                             const char *damping);
importShape *import_add_shape(importWork *w, importShape **list, importShapeType type);
importFrame *import_add_frame(importWork *w, importFrame **list, const char *name, importPose pose);
importFrame *import_first_frame(importWork *w, importBody *body, const char *name, importPose pose);

// Add a mesh; NULL, with a note, if its scale is not uniform, or its file cannot be read
// (import_mesh).
importShape *import_add_mesh(importWork *w, importShape **list, const char *name,
                             const char *folder, const double scale[3], artPlace place);

// The shape in an element of URDF or SDF, with a function that reads n numbers by name and returns
// 0 if they are missing. NULL: not a supported shape, or, with a note, one without extent.
typedef int importSizes(importWork *w, xmlNode *node, const char *name, int n, double *x);
importShape *import_read_shape(importWork *w, importShape **list, xmlNode *geometry,
                               importSizes *read);

// Set centre of mass and inertia, given in a frame of the body, rotated or parallel to its axes.
void import_set_inertia(importBody *body, modelPose frame, bool is_turned, const double tensor[6]);

// Convert red, green and blue from 0 to 1 to a colour.
int import_colour(const double rgb[3]);

// import_has_one: true if a joint has one coordinate. import_coordinate: the name of that
// coordinate. import_start_at: its initial value as text, "angle: 0.5". import_check_losses: throw
// an error at the place if damping or friction is negative.
bool import_has_one(const importJoint *joint);
const char *import_coordinate(const importJoint *joint);
const char *import_start_at(importWork *w, const importJoint *joint, double value);
void import_check_losses(importWork *w, const importJoint *joint, artPlace place);

// If zero is outside the joint's range, start at the nearest limit.
void import_start_inside(importWork *w, importJoint *joint, artPlace place);

// The triangles of a file, in its units; false, with a reason, if it cannot be read
// (mesh_weight.c).
bool import_read_triangles(importWork *w, const char *path, artPlace place, modelMesh *mesh,
                           artError *error);

// Moments of triangles with unit density. If `fill` is not possible, uses the hull, then the
// surface, with a note; NULL if they have no area.
const meshMoments *import_weigh_mesh(importWork *w, const artSolidDef *mesh, importFill fill,
                                     const char *name, artPlace place);

// Show an ellipsoid that is only visual as a sphere of equal volume, with a note, because viewers have no ellipsoids.
void import_show(importWork *w, importShape *shape, artPlace place);

// Replace the mass properties of meshes or shells by numbers; other solids become visual only.
void import_state_weight(importBody *body);
void import_make_stated(importBody *body); // the same for any solids

// Mass, centre of mass and inertia about it, given or from solids (body_mass.c).
typedef struct importWeight {
  double mass, inertia[6];
  v3 com;
} importWeight;
importWeight import_weigh(const importBody *body);

// The moment of inertia of a body with a pose in ground about an axis (unit vector) through a point
// of ground.
double import_turning_mass(const importWeight *weight, modelPose body, v3 point, v3 axis);

// True if a solid can have this tensor.
bool import_is_solid(const double I[6]);

// Cancel a fraction of a body's weight by a force at its centre of mass. Gravity must be known.
void import_take_weight(importWork *w, importBody *body, double share);

// import_find_body: index of a body by its original name, -1 for ground; -2: unknown.
// import_frame_text: its name in the written file, followed by a frame (may be NULL).
int import_find_body(const importWork *w, const char *foreign);
const char *import_frame_text(importWork *w, int body, const char *frame);

// The coupling one - factor * two = value (two may be NULL), as text; and a joint that follows
// another one by it.
const char *import_line_text(importWork *w, const char *one, const char *two, double factor,
                             double value);
void import_parameter_map(importWork *w, importJoint *joint, int leader, double factor,
                          double value, bool is_gear, artPlace place);

//---- numbers and poses ---------------------------------------------------------------------------

// Read exactly n finite numbers separated by spaces; throws an error at the place, about `what`, if
// that fails.
void import_numbers(importWork *w, artPlace place, const char *what, const char *text, int n,
                    double *x);

// The same for an attribute; returns 0 and does not change x if it is missing.
int import_get(importWork *w, xmlNode *node, const char *attribute, int n, double *x);

// A required attribute; numbers of it.
const char *import_need(importWork *w, xmlNode *node, const char *attribute);
void import_need_numbers(importWork *w, xmlNode *node, const char *attribute, int n, double *x);

// The text of the first child element of this name, or NULL; numbers of it: returns 0 and does not
// change x if it is missing.
const char *import_child_text(xmlNode *node, const char *name);
int import_child_numbers(importWork *w, xmlNode *node, const char *name, int n, double *x);

// Conversion between arrays and vectors.
static inline v3 import_v3(const double x[3])
{
  return v3_make(x[0], x[1], x[2]);
}
static inline void import_store(double x[3], v3 a)
{
  x[0] = a.x;
  x[1] = a.y;
  x[2] = a.z;
}

importPose import_identity(void);
bool import_is_turned(
    // true for nonzero angles, and for rotations given in another form
    const importPose *pose);

// Rotations about the fixed axes x, y, z, in this order; from a quaternion (w, x, y, z); from a
// pose without known angles.
importPose import_by_angles(const double position[3], const double rpy[3]);
importPose import_by_quaternion(const double position[3], const double q[4]);
importPose import_pose(modelPose pose);

// Transform a tensor xx, yy, zz, xy, xz, yz from an inner frame to the outer one.
void import_turn_tensor(modelPose frame, const double in[6], double out[6]);

// The shortest text that reads as the same number; with a unit; of a list in brackets.
const char *import_number(importWork *w, double x);
const char *import_quantity(importWork *w, double x, const char *unit);
const char *import_list(importWork *w, int n, const double *x);

//---- files (paths.c) -----------------------------------------------------------------------------

// The file of a mesh, as a path for the written file; NULL, with a note, if there is no readable
// one. `folder` (or NULL) is relative to the original file, and the name to it.
const char *import_mesh(importWork *w, const char *name, const char *folder, artPlace place);

// The contents of a file; the tree of an XML file. They live as long as the import.
const char *import_bytes(importWork *w, const char *path, size_t *length);
xmlNode *import_xml(importWork *w, const char *path);

// Throw an error if an element, with its parents and `above` further levels, is nested too deeply.
void import_check_depth(importWork *w, const xmlNode *root, int above);

// The file for a name or an address (model://, package://, file://); NULL if there is none that may
// be read.
const char *import_file(importWork *w, const char *name, const char *folder);

// The same for a name relative to another file; NULL if it does not exist, or is outside the
// allowed folders.
const char *import_file_beside(importWork *w, const char *other, const char *name);

// Set an attribute of an element.
void import_set(importWork *w, xmlNode *node, const char *name, const char *value);

// Add notes for all elements and attributes that were not read.
void import_note_unread(importWork *w, xmlNode *root);

//---- formats -------------------------------------------------------------------------------------

typedef void importRead(importWork *w, xmlNode *root);
importRead urdf_read, mjcf_read, sdf_read, robotran_read;
void adams_read(importWork *w); // not XML

// Run the import in the helper (import_sandbox.c); the caller frees the answer.
void import_ask(importWork *w, sandboxAnswer *answer);

// Write the model file into the text of the import (yaml_write.c). Notes are at its end, under
// titles that begin with this.
#define IMPORT_NOTES "# Left out or changed, "
void import_write(importWork *w);

#endif
