// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// MJCF, the format of MuJoCo (mujoco.readthedocs.io, XML reference): shared parts of its reader.
#ifndef IMPORT_MJCF_H
#define IMPORT_MJCF_H

#include "import/import_work.h"

// A joint of the file. MuJoCo counts its coordinate from `ref` at the configuration of the file, ours from zero.
typedef struct mjcfJoint {
  int joint; // of the machine
  double ref;
  v3 point, axis;  // in ground, at the configuration of the file
  double bound[2]; // of what all actuators do along it; NAN: none
  int nactuator;
  double armature;        // of a ball or free joint on ground
  double spring_times[2]; // 'springdamper', 0: not given
} mjcfJoint;

// A body, a frame of it with its foreign name, or a tendon that is a sum of coordinates.
typedef struct mjcfSite {
  int body; // -1: ground
  const char *name;
  modelPose pose;
} mjcfSite;

// A piece of a tendon between two sites.
typedef struct mjcfSpan {
  const mjcfSite *a, *b;
  double weight;    // one over the divisor of the pulley before it
  const char *name; // of the block that is its length
  struct mjcfSpan *next;
} mjcfSpan;

typedef struct mjcfTendon {
  const char *name; // a name that its parts begin with
  xmlNode *node;
  artPlace place;
  const char *terms;  // "a: 1, b: -2"; NULL: it goes through points
  mjcfSpan *span;     // of one through points; NULL: around something, and left out
  const char *length; // a formula of it
  const char *rate;
  const char *pull; // formulas of tensions that add up, or NULL
  double start;     // its length at the configuration of the file, as MuJoCo counts
  double rest;      // that at which springs of joints rest, from start on
  bool slides;      // the first coordinate is a length
} mjcfTendon;

// A class of defaults, and the one that it goes on with; of its elements the last one of each kind.
typedef struct mjcfClass {
  xmlNode *node, *outer;
  baseTable kinds;
  int nkind, kind_capacity;
  xmlNode **last;
} mjcfClass;

// An element of a class, by its number: the one of its kind before it, or NULL.
typedef struct mjcfElement {
  xmlNode *before;
  int class;
} mjcfElement;

typedef struct mjcfReader {
  importWork *w;
  xmlNode *root;
  double degree; // of the file in rad
  char sequence[4];
  bool autolimits, from_geoms, balance;
  double groups[2]; // of geoms that have mass
  double total_mass, least_mass, least_inertia;
  int nfile, ncopy, depth; // depth: of files that attach or include each other
  int level;               // of elements of other files around it
  const char *folder;      // from the file of the call to this one, with a slash behind it, or ""
  const char *meshdir;
  xmlNode *classes; // the last <default> at the top, or NULL
  baseTable class_names, joints, sites, tendons, meshes, materials;
  mjcfClass *class;
  mjcfElement *element;
  xmlNode **mesh_node;
  const meshMoments **mesh_weight; // [nmesh] of unit density, NULL: not found yet
  importFill mesh_fill;            // of meshes that say nothing
  int nclass, class_capacity, nelement, element_capacity, nmesh, mesh_capacity, nbody,
      body_capacity;
  int njoint, joint_capacity, nsite, site_capacity, ntendon, tendon_capacity;
  mjcfJoint *joint;
  mjcfSite *site;
  mjcfTendon *tendon;
  modelPose *pose; // [nbody] in ground, at the configuration of the file
  bool has_loops, has_key;
  const double *control; // of all actuators at the keyframe of the call, or NULL
  int nactuator;         // so far, the present one too
} mjcfReader;

// An attribute of an element, its own or that of its class; NULL where there is none.
const char *mjcf_get(mjcfReader *r, xmlNode *node, const char *attribute);

// Where attributes of an element are looked for after `at`, which is the element first: lines of its class from the
// last on, then lines of the classes around it; NULL at the end.
xmlNode *mjcf_above(mjcfReader *r, xmlNode *node, const xmlNode *at);

// Exactly n numbers of an attribute; false where there is none, and x is left alone.
bool mjcf_numbers(mjcfReader *r, xmlNode *node, const char *attribute, int n, double *x);

// As many numbers as a text has, at most n, of an attribute that may be short; returns how many.
int mjcf_some(mjcfReader *r, artPlace place, const char *attribute, const char *text, int n,
              double *x);
double mjcf_number(mjcfReader *r, xmlNode *node, const char *attribute, double otherwise);
bool mjcf_is(mjcfReader *r, xmlNode *node, const char *attribute, const char *word);

// Where an element stands in the one around it: pos with quat, axisangle, euler, xyaxes or zaxis.
modelPose mjcf_pose(mjcfReader *r, xmlNode *node);

// Three turns by the sequence of the file, in the unit of the file.
modelPose mjcf_euler(mjcfReader *r, const double angle[3]);

// Write out what <replicate> makes within an element (mjcf_copy.c).
void mjcf_replicate(mjcfReader *r, xmlNode *node);

// Write out what <attach> brings from other files within an element (mjcf_copy.c). Such a file with its settings and
// classes; the class of its elements, which stands above all classes of this file; the attribute of its meshes for their folder.
void mjcf_attach(mjcfReader *r, xmlNode *node);
mjcfReader *mjcf_open_other(mjcfReader *r, const char *file, const xmlNode *attach);
extern const char mjcf_no_class[];
#define MJCF_FOLDER " folder"

// The name of a file without its folder and ending.
const char *mjcf_bare_name(importWork *w, const char *file);

// The elements that attributes name; the functions fail where no element has the name.
const mjcfJoint *mjcf_find_joint(mjcfReader *r, xmlNode *node, const char *attribute);
const mjcfSite *mjcf_find_site(mjcfReader *r, xmlNode *node, const char *attribute);
mjcfTendon *mjcf_find_tendon(mjcfReader *r, xmlNode *node, const char *attribute);

// The joint, which must have one coordinate.
const importJoint *mjcf_one_coordinate(mjcfReader *r, xmlNode *node, const mjcfJoint *joint);

// Where a body is at the configuration of the file; -1 is ground.
modelPose mjcf_body_pose(const mjcfReader *r, int body);

// The name of an element, or one after its kind.
const char *mjcf_name(mjcfReader *r, xmlNode *node, const char *kind);

// A range in force by its flag, which may be left to 'autolimits'.
bool mjcf_limits(mjcfReader *r, xmlNode *node, const char *key, const char *flag, double range[2]);

// Tendons (mjcf_tendon.c), and when actuators are known, what pulls along those through points.
void mjcf_read_tendons(mjcfReader *r, xmlNode *section);
void mjcf_pull_tendons(mjcfReader *r);

// Length and rate of a tendon through points, as names of blocks; a tension more along it.
void mjcf_measure_tendon(mjcfReader *r, mjcfTendon *tendon);
void mjcf_add_pull(mjcfReader *r, mjcfTendon *tendon, const char *formula);

// Armatures of balls, and springs and dampers by their times, when all bodies are known (mjcf_inertia.c).
void mjcf_settle_inertia(mjcfReader *r);

// Actuators (mjcf_actuator.c).
void mjcf_read_actuator(mjcfReader *r, xmlNode *node);

// Parts of the file (mjcf_body.c, mjcf_action.c).
void mjcf_read_bodies(mjcfReader *r);
void mjcf_read_actions(mjcfReader *r);

#endif
