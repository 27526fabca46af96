// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// MJCF, the format of MuJoCo (mujoco.readthedocs.io, XML reference): common parts of its reader.
#ifndef IMPORT_MJCF_H
#define IMPORT_MJCF_H

#include "import/import_work.h"

// A joint of the file. At the configuration of the file its coordinate is `ref` in MuJoCo, and zero
// here.
typedef struct mjcfJoint {
  int joint; // index in the machine
  double ref;
  v3 point, axis;  // in ground, at the configuration of the file
  double bound[2]; // limits of the total actuator force along it; NAN: none
  int nactuator;
  double armature;        // of a ball joint, or of a free joint on ground
  double spring_times[2]; // 'springdamper'; 0: missing
} mjcfJoint;

// A body, or a frame of it with its original name.
typedef struct mjcfSite {
  int body; // -1: ground
  const char *name;
  modelPose pose;
} mjcfSite;

// A segment of a tendon between two sites.
typedef struct mjcfSpan {
  const mjcfSite *a, *b;
  double weight;    // 1 / divisor of the preceding pulley
  const char *name; // of the block that computes its length
  struct mjcfSpan *next;
} mjcfSpan;

typedef struct mjcfTendon {
  const char *name; // prefix of the names of its parts
  xmlNode *node;
  artPlace place;
  const char *terms;  // "a: 1, b: -2" for a sum of coordinates; NULL: it goes through points
  mjcfSpan *span;     // of one through points; NULL: it wraps around a geom, and is left out
  const char *length; // a formula
  const char *rate;
  const char *pull; // formula of the total tension, or NULL
  double start;     // length at the configuration of the file, as defined by MuJoCo
  double rest;      // length at which springs of joints are at rest, relative to start
  bool slides;      // the first coordinate is a length
} mjcfTendon;

// A class of defaults, and the class that it extends; for each kind the last element.
typedef struct mjcfClass {
  xmlNode *node, *outer;
  baseTable kinds;
  int nkind, kind_capacity;
  xmlNode **last;
} mjcfClass;

// An element of a class, by index: the previous one of its kind, or NULL.
typedef struct mjcfElement {
  xmlNode *before;
  int class;
} mjcfElement;

typedef struct mjcfReader {
  importWork *w;
  xmlNode *root;
  double degree; // the angle unit of the file in rad
  char sequence[4];
  bool autolimits, from_geoms, balance;
  double groups[2]; // range of geom groups that have mass
  double total_mass, least_mass, least_inertia;
  int nfile, ncopy, depth; // depth: nesting of files by attach or include
  int level;               // nesting of elements in files around it
  const char *folder;      // path from the imported file to this one, with trailing slash, or ""
  const char *meshdir;
  xmlNode *classes; // the last <default> at top level, or NULL
  baseTable class_names, joints, sites, tendons, meshes, materials, geoms;
  mjcfClass *class;
  mjcfElement *element;
  xmlNode **mesh_node;
  const meshMoments **mesh_weight; // [nmesh] of unit density; NULL: not computed yet
  importFill mesh_fill;            // default for meshes
  int nclass, class_capacity, nelement, element_capacity, nmesh, mesh_capacity, nbody,
      body_capacity;
  int njoint, joint_capacity, nsite, site_capacity, ntendon, tendon_capacity;
  mjcfJoint *joint;
  mjcfSite *site;
  mjcfTendon *tendon;
  modelPose *pose; // [nbody] in ground, at the configuration of the file
  bool has_loops, has_key;
  const double *control; // inputs of all actuators at the requested keyframe, or NULL
  int nactuator;         // so far, including the present one
} mjcfReader;

// An attribute of an element or its class; NULL if missing.
const char *mjcf_get(mjcfReader *r, xmlNode *node, const char *attribute);

// The elements that define attributes of an element, in order, after `at`, which starts as the
// element itself: the elements of its class from the last on, then those of the enclosing classes;
// NULL at the end.
xmlNode *mjcf_above(mjcfReader *r, xmlNode *node, const xmlNode *at);

// Exactly n numbers of an attribute; false, with x unchanged, if it is missing.
bool mjcf_numbers(mjcfReader *r, xmlNode *node, const char *attribute, int n, double *x);

// At most n numbers of a text that may be shorter; returns their number.
int mjcf_some(mjcfReader *r, artPlace place, const char *attribute, const char *text, int n,
              double *x);
double mjcf_number(mjcfReader *r, xmlNode *node, const char *attribute, double otherwise);
bool mjcf_is(mjcfReader *r, xmlNode *node, const char *attribute, const char *word);

// The pose of an element in its parent: pos with quat, axisangle, euler, xyaxes or zaxis.
modelPose mjcf_pose(mjcfReader *r, xmlNode *node);

// Three rotations in the sequence and the unit of the file.
modelPose mjcf_euler(mjcfReader *r, const double angle[3]);

// Expand <replicate> within an element (mjcf_copy.c).
void mjcf_replicate(mjcfReader *r, xmlNode *node);

// mjcf_attach: expand <attach> within an element (mjcf_copy.c). mjcf_open_other: open an attached
// file with its settings and classes. mjcf_no_class: class of attached elements, outside all
// classes of this file. MJCF_FOLDER: attribute of attached meshes with their folder.
void mjcf_attach(mjcfReader *r, xmlNode *node);
mjcfReader *mjcf_open_other(mjcfReader *r, const char *file, const xmlNode *attach);
extern const char mjcf_no_class[];
#define MJCF_FOLDER " folder"

// The name of a file without folder and extension.
const char *mjcf_bare_name(importWork *w, const char *file);

// The element that an attribute names; throws an error if there is none.
const mjcfJoint *mjcf_find_joint(mjcfReader *r, xmlNode *node, const char *attribute);
const mjcfSite *mjcf_find_site(mjcfReader *r, xmlNode *node, const char *attribute);
mjcfTendon *mjcf_find_tendon(mjcfReader *r, xmlNode *node, const char *attribute);

// The joint, which must have one coordinate.
const importJoint *mjcf_one_coordinate(mjcfReader *r, xmlNode *node, const mjcfJoint *joint);

// The pose of a body at the configuration of the file; -1 is ground.
modelPose mjcf_body_pose(const mjcfReader *r, int body);

// The name of an element, or one derived from its kind.
const char *mjcf_name(mjcfReader *r, xmlNode *node, const char *kind);

// True if a range is active according to its flag, or to 'autolimits' if the flag is missing.
bool mjcf_limits(mjcfReader *r, xmlNode *node, const char *key, const char *flag, double range[2]);

// The body that an attribute names; -1: the world, or a missing attribute.
int mjcf_find_body(mjcfReader *r, xmlNode *node, const char *attribute);

// A geom of a body (-1: ground) as a surface, with its shape or NULL; after all bodies are read, the
// section <contact> (mjcf_contact.c).
void mjcf_add_surface(mjcfReader *r, xmlNode *geom, int body, const char *type,
                      const importShape *shape, modelPose pose);
void mjcf_read_contacts(mjcfReader *r);

// Read tendons (mjcf_tendon.c); after all actuators are read, write the tensions of those through
// points.
void mjcf_read_tendons(mjcfReader *r, xmlNode *section);
void mjcf_pull_tendons(mjcfReader *r);

// Length and rate of a tendon through points, as names of blocks; add a tension to it.
void mjcf_measure_tendon(mjcfReader *r, mjcfTendon *tendon);
void mjcf_add_pull(mjcfReader *r, mjcfTendon *tendon, const char *formula);

// Armatures of ball joints, and springs and dampers given by time constants; after all bodies are
// read (mjcf_inertia.c).
void mjcf_settle_inertia(mjcfReader *r);

// Actuators (mjcf_actuator.c).
void mjcf_read_actuator(mjcfReader *r, xmlNode *node);

// Parts of the file (mjcf_body.c, mjcf_action.c).
void mjcf_read_bodies(mjcfReader *r);
void mjcf_read_actions(mjcfReader *r);

#endif
