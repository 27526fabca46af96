// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A reader of a foreign file at work. A mistake of the file, and memory that runs out, leave the work (throw.h)
// to art_import, which frees everything; so readers follow the file and nothing else.
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

// the type of the force element with stiffness along and about three axes between two frames (adams.c)
extern const char import_six_axis_spring[];

// something that was left out or changed
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
  baseTable names;  // taken in the file that is written
  int *next_number; // by names: to be tried after it for another thing of the name
  int number_capacity;
  baseTable bodies; // by their names in the foreign file
  baseTable given;  // names of all kinds in the foreign file, in our letters
  int nnote, note_capacity;
  importNote *note;
  char **kept; // texts of files, for mem_free
  int nkept, kept_capacity;
  FILE *out_stream; // of the text, while it is written
  char *text;       // the model file, of open_memstream
} importWork;

// Leave the work with a message.
_Noreturn void import_fail(importWork *w, artPlace place, const char *format, ...) ART_PRINTF(3, 4);
_Noreturn void import_leave(importWork *w, artStatus status);

// Note something that is left out or changed; the same sentence is counted. The first one is for what acts on the motion,
// the second one for mistakes of the file that were mended, the last one for names, pictures and outputs.
void import_note_motion(importWork *w, artPlace place, const char *format, ...) ART_PRINTF(3, 4);
void import_note_mended(importWork *w, artPlace place, const char *format, ...) ART_PRINTF(3, 4);
void import_note(importWork *w, artPlace place, const char *format, ...) ART_PRINTF(3, 4);
void import_note_look(importWork *w, artPlace place, const char *format, ...) ART_PRINTF(3, 4);

// Put the most important notes first.
void import_sort_notes(importWork *w);

// Note an element or attribute of another that nobody reads, by what its name says about its importance.
void import_note_part(importWork *w, const xmlNode *owner, artPlace place, const char *name,
                      const char *format, ...) ART_PRINTF(5, 6);

// Zeroed memory of the arena, a copy of a text, and printf into it; they return or leave.
void *import_take(importWork *w, size_t count, size_t size);
char *import_text(importWork *w, const char *text);
char *import_format(importWork *w, const char *format, ...) ART_PRINTF(2, 3);

// A text that grows at its end, by what printf writes; starts from {0}.
typedef struct importLine {
  char *text; // NULL: nothing yet
  int length, capacity;
} importLine;
void import_append(importWork *w, importLine *line, const char *format, ...) ART_PRINTF(3, 4);

// A name of the file that is written: letters, digits, _ and -, and no other thing has it. One that must differ from the
// foreign name is noted.
const char *import_name(importWork *w, const char *wanted, const char *kind, artPlace place);

// A name for a part that the file does not name, as printf makes it: nothing in it is called so, before or behind.
const char *import_fresh(importWork *w, const char *wanted, ...) ART_PRINTF(2, 3);

// A name in our letters, that others may have; for frames of a body.
char *import_spell(importWork *w, const char *wanted);

// A name within a formula, in quotes where it needs them.
const char *import_quoted(importWork *w, const char *name);

// The number of a name in a table, unless another has it there.
void import_enter(importWork *w, baseTable *table, const char *name, int number);

// Room for one more in a list of the arena; the old one is left there.
void import_grow(importWork *w, void **items, int count, int *capacity, size_t size);

//---- the machine ---------------------------------------------------------------------------------

// New things, with numbers that have no effect. The body is found by its foreign name from then on.
importBody *import_add_body(importWork *w, const char *foreign, artPlace place);
importJoint *import_add_joint(importWork *w, const char *name, artJointType type, int from, int to,
                              artPlace place);
void import_add_item(importWork *w, const char *section, const char *name, artPlace place,
                     const char *format, ...) ART_PRINTF(5, 6);

// Forces along a coordinate that several formats have (yaml_write.c): by a formula; by a spring and a damper, of whose texts
// those that are NULL are left out.
void import_add_joint_force(importWork *w, const char *name, artPlace place, const char *coordinate,
                            const char *value);
void import_add_joint_spring(importWork *w, const char *name, artPlace place,
                             const char *coordinate, const char *stiffness, const char *rest,
                             const char *damping);
importShape *import_add_shape(importWork *w, importShape **list, importShapeType type);
importFrame *import_add_frame(importWork *w, importFrame **list, const char *name, importPose pose);
importFrame *import_first_frame(importWork *w, importBody *body, const char *name, importPose pose);

// A mesh, or NULL after a note where it is scaled differently along its axes, or its file cannot be read (import_mesh).
importShape *import_add_mesh(importWork *w, importShape **list, const char *name,
                             const char *folder, const double scale[3], artPlace place);

// The shape that an element of URDF or SDF holds, with a function for n numbers of it by name, which returns 0 where there
// are none. NULL: another shape, or after a note one without an extent.
typedef int importSizes(importWork *w, xmlNode *node, const char *name, int n, double *x);
importShape *import_read_shape(importWork *w, importShape **list, xmlNode *geometry,
                               importSizes *read);

// Centre of mass and inertia, which are given in a frame of the body, turned or along its axes.
void import_set_inertia(importBody *body, modelPose frame, bool is_turned, const double tensor[6]);

// Red, green and blue from 0 to 1 as a colour.
int import_colour(const double rgb[3]);

// Does a joint have one coordinate? The coordinate of one that has; the text of its initial value: "angle: 0.5". A failure at the place where damping
// or friction is negative.
bool import_has_one(const importJoint *joint);
const char *import_coordinate(const importJoint *joint);
const char *import_start_at(importWork *w, const importJoint *joint, double value);
void import_check_losses(importWork *w, const importJoint *joint, artPlace place);

// Where zero lies outside of its range, the joint starts at the nearest limit.
void import_start_inside(importWork *w, importJoint *joint, artPlace place);

// The triangles of a file, in its units; false with a reason where it cannot be read (mesh_weight.c).
bool import_read_triangles(importWork *w, const char *path, artPlace place, modelMesh *mesh,
                           artError *error);

// Volume, centre and inertia of triangles of unit density. Where they have none of the wanted kind, their hull is taken, then
// their surface, with a note; NULL: they have no area.
const meshMoments *import_weigh_mesh(importWork *w, const artSolidDef *mesh, importFill fill,
                                     const char *name, artPlace place);

// An ellipsoid that is seen alone, as a ball of its volume: viewers know balls. The same of any shape, with a note.
void import_show_ball(importShape *shape);
void import_show(importWork *w, importShape *shape, artPlace place);

// The weight of a body of meshes or shells as numbers, its other solids for sight alone.
void import_state_weight(importBody *body);
void import_make_stated(importBody *body); // the same whatever its solids are

// Mass, centre and inertia about it of a body, stated or of its solids (body_mass.c).
typedef struct importWeight {
  double mass, inertia[6];
  v3 com;
} importWeight;
importWeight import_weigh(const importBody *body);

// The inertia of a body, at a pose in ground, about an axis (of length one) through a point of ground.
double import_turning_mass(const importWeight *weight, modelPose body, v3 point, v3 axis);

// Can a solid have this tensor?
bool import_is_solid(const double I[6]);

// Take a share of the weight from a body: a force in its centre of mass. Gravity must be known.
void import_take_weight(importWork *w, importBody *body, double share);

// The number of a body by its foreign name, -1 for ground; -2: there is none. Its name in the file that is written; with a
// frame, which may be NULL, behind it.
int import_find_body(const importWork *w, const char *foreign);
const char *import_frame_text(importWork *w, int body, const char *frame);

// One coordinate less a factor times another one (or NULL) has a value, as a coupling. A joint follows another one so.
const char *import_line_text(importWork *w, const char *one, const char *two, double factor,
                             double value);
void import_parameter_map(importWork *w, importJoint *joint, int leader, double factor,
                          double value, bool is_gear, artPlace place);

//---- numbers and poses ---------------------------------------------------------------------------

// Finite numbers separated by space, exactly n of them; fails at the place, where `what` is wrong.
void import_numbers(importWork *w, artPlace place, const char *what, const char *text, int n,
                    double *x);

// The same of an attribute; 0 where there is none, and x is left alone.
int import_get(importWork *w, xmlNode *node, const char *attribute, int n, double *x);

// An attribute that must be there; numbers of it.
const char *import_need(importWork *w, xmlNode *node, const char *attribute);
void import_need_numbers(importWork *w, xmlNode *node, const char *attribute, int n, double *x);

// The text of the first element of this name inside, or NULL; numbers of it, 0 where there is none, and x is left alone.
const char *import_child_text(xmlNode *node, const char *name);
int import_child_numbers(importWork *w, xmlNode *node, const char *name, int n, double *x);

// Three numbers as a vector, and back.
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
    const importPose *pose); // by angles that are not all zero, or by anything else

// Turns about the fixed axes x, y, z, in this order; of a quaternion (w, x, y, z); without known angles.
importPose import_by_angles(const double position[3], const double rpy[3]);
importPose import_by_quaternion(const double position[3], const double q[4]);
importPose import_pose(modelPose pose);

// A tensor from the axes of an inner frame to the axes of the outer one: xx, yy, zz, xy, xz, yz.
void import_turn_tensor(modelPose frame, const double in[6], double out[6]);

// The shortest text of a number that reads as the same one; of a list in brackets.
const char *import_number(importWork *w, double x);
const char *import_quantity(importWork *w, double x, const char *unit);
const char *import_list(importWork *w, int n, const double *x);

//---- files (paths.c) -----------------------------------------------------------------------------

// The file that a mesh is in, as the text that is written names it; NULL after a note when there is none that can be
// read. `folder` (or NULL) lies between the foreign file and the name.
const char *import_mesh(importWork *w, const char *name, const char *folder, artPlace place);

// The bytes of a file; the tree of an XML file. They live as long as the work.
const char *import_bytes(importWork *w, const char *path, size_t *length);
xmlNode *import_xml(importWork *w, const char *path);

// A failure where an element, with those around it and so many levels above these, is nested deeper than a file may be.
void import_check_depth(importWork *w, const xmlNode *root, int above);

// The file that a name or an address (model://, package://, file://) leads to, NULL where there is none that may be read.
const char *import_file(importWork *w, const char *name, const char *folder);

// The same of a name in another file, beside which it is: NULL where it is not there, or outside of the folders of the call.
const char *import_file_beside(importWork *w, const char *other, const char *name);

// An attribute of an element, given anew.
void import_set(importWork *w, xmlNode *node, const char *name, const char *value);

// Note all that nobody has read.
void import_note_unread(importWork *w, xmlNode *root);

//---- formats -------------------------------------------------------------------------------------

typedef void importRead(importWork *w, xmlNode *root);
importRead urdf_read, mjcf_read, sdf_read, robotran_read;
void adams_read(importWork *w); // no XML

// Let the helper do it all (import_sandbox.c), whose answer is freed by the caller.
void import_ask(importWork *w, sandboxAnswer *answer);

// Write the model file into the text of the work (yaml_write.c). Its notes come last, under titles that begin so.
#define IMPORT_NOTES "# Left out or changed, "
void import_write(importWork *w);

#endif
