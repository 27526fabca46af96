// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Makers of generated models: they run the recursions on symbols and gather the results as functions of
// a program.
#ifndef GEN_GEN_H
#define GEN_GEN_H

#include <stdio.h>

#include "articula/data.h"
#include "eqn/program.h"
#include "gen/tree/scheme.h"
#include "model/model.h"

// The forms that are generated; a set of bits.
typedef enum genForm {
  GEN_INVERSE = 1 << 0,     // joint forces for given accelerations
  GEN_MASS = 1 << 1,        // mass matrix and bias (semi-explicit)
  GEN_FORWARD_LDL = 1 << 2, // accelerations through L^T D L from the leaves
  GEN_FORWARD_N = 1 << 3,   // accelerations in O(n)
  GEN_KINEMATICS = 1 << 4,  // frames: positions, rotations, velocities, accelerations, Jacobians
  GEN_ENERGY = 1 << 5,      // kinetic, potential, power
  GEN_REACTIONS = 1 << 6,   // of all joints
  GEN_REGRESSOR = 1 << 7,   // identification form Q = Psi delta, with minimal parameters
  GEN_CONSTRAINTS = 1 << 8, // of loops: h, J, Jdot v
  GEN_ACCELERATE = 1 << 9,  // the whole machine: forces, drives, loops; simulations call it
  GEN_AUGMENTED = 1 << 10,  // the same by multipliers, stabilised
  GEN_LINEAR = 1 << 11,     // GEN_ACCELERATE with its derivatives
  GEN_OUTPUTS = 1 << 12,    // the outputs of the model
  GEN_POWER = 1 << 13, // with GEN_ACCELERATE: also the power of forces without potential and drives
  GEN_MACHINE_INVERSE = 1 << 14, // the whole machine: forces of actuators for given accelerations
  GEN_IMPLICIT = 1 << 15,        // the same as psi and G of psi = G tau
  GEN_STRAIN = 1 << 16,   // with loops: how the built-in choice of coordinates and pivots does
  GEN_SWITCHES = 1 << 17, // what changes its sign where a piecewise law switches to another segment
  GEN_SAMPLE = 1 << 18,   // sampled values after an instant of samplers
} genForm;

typedef enum genParameters { GEN_CLASSICAL, GEN_BARYCENTRIC } genParameters;

// How accelerations of a machine without loops are found.
typedef enum genForward { GEN_CHEAPER, GEN_BY_FACTORS, GEN_IN_ORDER_N } genForward;

typedef struct genOptions {
  unsigned forms;
  const char *name; // of the program, a word; NULL: made of the title of the model
  genParameters parameters;
  genForward forward;
  genScheme scheme; // of GEN_KINEMATICS
  int cholesky;     // GEN_FORWARD_LDL by G^T G instead of L^T D L
  int freeze_all;   // all constants are numbers
  int nfreeze;      // or these parameters only
  const char *const *freeze;
  int fixed_bodies; // masses, centres of mass and inertias keep the values that they have
  int is_present; // parameters keep the values that they have, so that nobody asks what others would do
  char *frozen; // [nfreeze] 1 where a constant has the name; NULL: not noted
  int nalso;    // numbers in other equations of the same text, for what they reach there
  const struct eqnFrozen *also;
  int share;  // constants of the same name with equal values are one parameter
  int modes;  // piecewise laws stay on the segments that an input `mode` of "accelerate" says
  int relays; // sides of hystereses are numbers after held ones, and "relays" says how far they are from switching
  int corners; // with relays: sides of laws, stops and branches of formulas are held as sides of hystereses are
  int frees; // with corners: their sides are an input `side` of their own, after a number that lets them go
  int latches; // with relays: sides of latches are held after sides of hystereses, and where they hold before all sides
  int paces; // functions say how many steps in a second wheels need, and what formulas of the motion read
  int masks;   // with latches: all are locks, and one set of equations has them, engaged or not
  int impacts; // "accelerate" has an input `impact` that is added to the accelerations of drives
  int jumps; // instants at which drives jump are numbers outside of the program, and so is what they depend on,
  double from, until; // in this time
  int motions; // after the outputs of the model: the motion of its bodies and rods (gen_motion_name)
  int shows;   // after these: arrows and checks (gen_show_count)
  int loads;  // "accelerate" has an input `tau` of joint forces which add to the forces of elements
  int strain; // with loops: "accelerate" also writes how its choice of coordinates and pivots does
  int together; // what does not wait for each other is iterated in one loop: blocks, contacts of wheels
  int tangents; // derivatives of every function, "f_tangent" of "f"
  int follows;  // "accelerate_tangent" also says how dependent coordinates follow the free ones
  int starts; // "start" has start values of states that follow parameters; those that move others are numbers
  // [nv nv] with `starts`, by rows: how velocities follow given ones where something rolls; NULL: not
  const double *led;
  int nsensitive; // parameters by which derivatives are taken, too: "mass_3", or "mass" for all
  const char *const *sensitive;
  const char *
      independent; // the independent coordinates by hand, names between commas; NULL: as the data has them
  int nactuator; // coordinates whose forces make the motion; none: the free ones. Drives act in any case
  const char *const *actuator;
  const double *weight; // [nactuator] of their squares in the sum that is least; NULL: 1
} genOptions;

// Forms that need accelerations of the bare tree, or of its coordinates one by one; and a velocity coordinate
// that moves nothing when loops are open, so that there are none, -1: all do. Returns 0 when memory ran out.
enum { GEN_NEED_INERTIA = GEN_FORWARD_LDL | GEN_FORWARD_N | GEN_AUGMENTED };
int gen_find_massless(const artModel *m, artData *d, int *coordinate);

// Links of one coordinate whose accelerations must be given to find the others with open loops: driven ones, and those
// that move no mass; given[links]. *massless: a coordinate of another link that moves nothing, -1: none. Returns 0 when
// memory ran out.
int gen_find_given(const artModel *m, artData *d, unsigned char *given, int *massless);

// Numbers of the motion of a body after the outputs, in ground axes: position of its frame, the frame's axes x, y, z,
// velocity of the position, angular velocity. Of a rod: its first end, zeros instead of axes x and y, its direction,
// velocity of the end, angular velocity. Bodies are numbered as art_get_body numbers them, without ground.
enum { GEN_MOTION_SIZE = 18 };
int gen_motion_count(const artModel *m);
const char *gen_motion_name(const artModel *m, int k,
                            baseArena *arena); // "arm.axis_x.z"; NULL: no memory

// Numbers after the motions, in ground axes: of each force element its place and force; of each joint its place, force
// and torque on `to`; kinetic and potential energy, J, work of forces without potential since the beginning, J, and the
// largest violation of a constraint and of its rate.
enum { GEN_FORCE_ARROW = 6, GEN_JOINT_ARROW = 9, GEN_CHECKS = 5 };
int gen_show_count(const artModel *m);

// Numbers of the geometry, in axes of bodies: of each joint both ends, each with place and axis; of each frame and of the
// centre of mass of each body its place; of each rod its length; of each shape of the model file size, radius, length,
// place, axes x and z. Those that follow parameters come last in the outputs, in the order of eqnProgram.geometry.
enum { GEN_END = 6, GEN_VISUAL = 14 };
typedef struct genGeometry {
  int joint, frame, body, rod, visual; // first number of the first of each kind
  int count;
} genGeometry;
genGeometry gen_geometry(const artModel *m);

// The data holds a consistent state: where cuts are closed and blocks are pivoted.
artStatus gen_create(eqnProgram **out, const artModel *m, artData *d, const genOptions *options,
                     artError *error);
void gen_free(eqnProgram *program);

// How many numbers say where a latch of this type holds: none of a rope, one of a lock, the frame of a latch.
int gen_hold_count(artLatchType type);

// Locks that can be in one set of equations, engaged or not: the machine is a tree without latches of other types,
// no drive moves what they hold, and each has a coordinate, the pivot, that none after it in the order has. Returns how
// many have been ordered; where these are not all, a latch that cannot be follows them.
int gen_order_locks(const artModel *m, int *order, int *pivot);

// Constants of another program of the same model, with other latches engaged, after the constants of `to`.
artStatus gen_add_parameters(eqnProgram *to, const eqnProgram *from, artError *error);

// Programs offer what their functions read, of all of them together: other parameters go. Equations must be listed after this.
// Returns 0 when memory ran out.
int gen_drop_unread(int n, eqnProgram *const *program);

// Whether a word means something in one of the languages.
int gen_is_reserved(const char *word);

// Whether all names to be frozen are constants of programs that were made with these options, which note them.
artStatus gen_check_frozen(const eqnProgram *program, const genOptions *options, artError *error);

// The name of the function that represents a road of the model, by its number, where the program has no
// equations of it.
#define GEN_ROAD_NAME "road_%d"

// Roads as data in C, under numbers of their own, for text that has the functions of src/road; `name` comes before the names
// of these. Returns 0 when memory ran out or there are hundreds of them.
int gen_print_roads(FILE *out, const char *name, int n, const artRoad *const *road, int *number);

// Whether accelerations by factors of the mass matrix may take fewer operations than in O(n): in long chains
// elimination alone, which grows with the cube of their length, takes more.
int gen_factors_may_pay(const artModel *m);

// The function of a name in a program, or NULL; see eqn_function for one of a kind.
const eqnFunction *gen_function(const eqnProgram *program, const char *name);

// The function that represents a form, the first of a program for those with one for each frame and the like; or NULL.
const eqnFunction *gen_function_of(const eqnProgram *program, unsigned form);

#endif
