// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The machine as data: read from a file or built call by call, then compiled into a constant model.
//
// A machine is a graph of bodies and joints with forces, drives, initial values, outputs and studies.
// Names are given by the user and never indices; a frame or point of a body is written `body.frame`,
// a coordinate of a joint `joint.coordinate`. SI units, radians, right-handed frames, Z up.
// Quaternions are (w, x, y, z). A compiled model is constant and may be shared by many threads.
#ifndef ARTICULA_MODEL_H
#define ARTICULA_MODEL_H

#include "articula/base.h"
#include "articula/call.h"
#include "articula/road.h"
#include "articula/tyre.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct artBuilder artBuilder;
typedef struct artModel artModel;
typedef struct artData artData;

// Position and orientation of one frame in another.
typedef struct artPose {
  double position[3];
  double rotation[4]; // quaternion w x y z; need not be normalised, must not be zero
} artPose;

// No displacement, no rotation.
ART_API artPose art_default_pose(void);

//---- reading -------------------------------------------------------------------------------------

// Read a model file (doc/reference/model-format.md) and compile it. On failure *model is NULL and error says
// where, what was found and what to do.
ART_API artStatus art_load_model(artModel **model, const char *path, artError *error);

// The same from memory; `name` stands for the file in messages and anchors relative includes.
ART_API artStatus art_read_model(artModel **model, const char *text, size_t length,
                                 const char *name, artError *error);

// A parameter of a model file, or an initial value, and the number that takes the place of the file's own, in
// SI units. Parameters of included files have the prefix of the file in front ("front/track"); names with a dot
// are coordinates and velocities ("pin.angle").
typedef struct artSetting {
  const char *name;
  double value;
} artSetting;

// Read a model file with other values. A name that the file does not know is ART_BAD_INPUT, with a
// suggestion, and so is one that is given twice.
ART_API artStatus art_load_model_with(artModel **model, const char *path, int n,
                                      const artSetting *setting, artError *error);

// All mistakes of a model file, where art_load_model and art_load_model_with tell the one that they
// meet first: each is told to `tell`, in the order of their places, up to a hundred. A mistake that
// merely follows from another is left out; behind an error of syntax nothing is looked for. The
// file is read once for each of them. Returns their number, 0 for a good file, -1 for a mistake of
// the program.
ART_API int art_list_mistakes(const char *path, int n, const artSetting *setting,
                              void (*tell)(void *context, const artError *error), void *context);

// Accepts NULL.
ART_API void art_free_model(artModel *model);

// Warnings: what a model may have and probably does not mean, such as angles of more than a turn without a unit, or a force at the
// origin of a body that has no position. "file:line:column: ..."; NULL after the last.
ART_API const char *art_model_warning(const artModel *model, int i);

//---- parameters ----------------------------------------------------------------------------------

// The parameters of a model in their order, parameters of included files with their prefix ("front/track"); -1, NULL, NAN for
// a name or number that there is not. Values are in SI units. Is it a formula of others in the file?
ART_API int art_count_parameters(const artModel *model);
ART_API int art_find_parameter(const artModel *model, const char *name);
ART_API const char *art_parameter_name(const artModel *model, int i);
ART_API const char *art_parameter_unit(const artModel *model, int i); // "" where it has none
ART_API double art_parameter_value(const artModel *model, int i);
ART_API int art_parameter_is_formula(const artModel *model, int i);

// Its help text, "" where there is none; its limits, beyond which nobody may set it: 0 where it has none. Is it a design
// parameter, one that is to be chosen, of this study (NULL: of any)?
ART_API const char *art_parameter_help(const artModel *model, int i);
ART_API int art_parameter_limits(const artModel *model, int i, double limits[2]);
ART_API int art_parameter_is_design(const artModel *model, int i, const char *study);

// Change a parameter of a model that was read, between steps or between runs: from then on the model is the one that
// art_load_model_with gives for this value, to the last bit, at the same address. A parameter that is a formula becomes
// a number. Names, studies and definitions that the model has handed out stay valid and show the new values; files are
// not read again. Nothing is allocated, except where a law or a road needs another amount of memory than it did.
//
// Data blocks notice at their next call and keep their state; call art_reset for the initial values that the parameter
// changes. A run goes on from its state, with its integrator begun anew and loops closed as lengths are now. Models that
// a program has built, and not read, refuse: they are built anew. No other thread may use the model meanwhile.
//
// A value that the file could not have is refused as it would be there; so is one that changes the structure (bodies,
// cuts, coordinates: a body that becomes a thin rod), which has to be loaded anew. The model is then as it was.
ART_API artStatus art_set_parameter(artModel *model, const char *name, double value,
                                    artError *error);

// How often a parameter of the model has changed.
ART_API unsigned art_model_revision(const artModel *model);

//---- functions of the user -----------------------------------------------------------------------

// Forces and constraints of a model file may name functions of the user's own (articula/user.h,
// doc/reference/user-functions.md). A model that is read knows their names alone: no code is loaded until one of
// these calls attaches it, and a study that needs a function without code says so. Attach before the
// model is shared with other threads.

// One function, by its name in the model file; a constraint needs NAME and NAME_bias. x and y are the arguments of
// articula/user.h; a status other than ART_OK stops the study. A name that the model does not know is
// ART_BAD_INPUT, with a suggestion.
typedef artStatus artFunction(void *context, const double *x, double *y);
ART_API artStatus art_attach_function(artModel *model, const char *name, artFunction *function,
                                      void *context, artError *error);

// All functions of the model that a shared object has and nobody has attached yet, under the names NAME,
// NAME_ (Fortran), user_NAME and user_NAME_ (names in generated code), in this order. The model keeps the
// object open until it is freed. An object that cannot be opened, or that has none of them, is ART_BAD_INPUT.
ART_API artStatus art_attach_library(artModel *model, const char *path, artError *error);

// The law of a force that the model file leaves to the host program, `motor: {type: callback}`: def->name is its name there.
// Potential and context as in art_add_callback.
typedef struct artCallbackDef artCallbackDef;
ART_API artStatus art_attach_force(artModel *model, const artCallbackDef *def, artError *error);

// A number that the host program finds at a state of the machine; the data is that of a row.
typedef double artValue(void *context, const artModel *model, artData *data);

// Let a function give the value of an input, at its instants k every: it sees the machine just before the instant, and its
// value is held from there on. An input without `every`, of first order, or that the model does not know is ART_BAD_INPUT; a value that
// art_set_input would refuse ends the study.
ART_API artStatus art_attach_input(artModel *model, const char *name, artValue *value,
                                   void *context, artError *error);

// Let an input follow a table of n rows, in runs and in searches of their start: value[k] from time[k] on (s, not decreasing; where
// values are held, the last of rows at one time counts),
// held or on straight lines as the `hold` of the input says; the first value before the table, the last one behind it.
// Steps end at its rows, and nobody else may set the input. A row that is not finite, not in order or beyond the limits
// is ART_BAD_INPUT. The table is copied; a later one takes its place. Before data blocks are made.
ART_API artStatus art_attach_table(artModel *model, const char *name, int n, const double *time,
                                   const double *value, artError *error);

// An output behind the outputs of the model, found with them (art_outputs) at every row. Its name is not that of another one; the unit
// may be NULL. Before data blocks, runs and arrays of outputs are made.
typedef struct artOutputDef {
  const char *name;
  const char *unit;
  artValue *value;
  void *context;
} artOutputDef;
ART_API artStatus art_attach_output(artModel *model, const artOutputDef *def, artError *error);

// Have all functions code? Else the first that has none, with the place of who names it.
ART_API artStatus art_check_functions(const artModel *model, artError *error);

//---- building ------------------------------------------------------------------------------------

// Every art_add_* copies what it is given. The first mistake is kept in the builder and all later
// calls return it unchanged, so a program may check once, at art_compile_model.
// A NULL in the place of a builder stands for one that could not be created: ART_NO_MEMORY.
ART_API artBuilder *art_create_builder(void);
ART_API void art_free_builder(artBuilder *builder); // accepts NULL

// Make the constant model. The builder stays usable and must still be freed.
ART_API artStatus art_compile_model(artModel **model, artBuilder *builder, artError *error);

// A title for reports (NULL: none), and the gravity vector in ground; the default is (0, 0, -9.81)
// m/s^2.
ART_API artStatus art_set_title(artBuilder *builder, const char *title);
ART_API artStatus art_set_gravity(artBuilder *builder, const double gravity[3]);

// A number that run-time formulas may use by name. The unit ("m", "N/mm", or NULL for none) is what
// the value is given in; NULL lets it combine with any unit.
ART_API artStatus art_add_parameter(artBuilder *builder, const char *name, double value,
                                    const char *unit);

//---- solids --------------------------------------------------------------------------------------

// Shapes filled with matter of one density, from which mass, centre of mass and inertia follow. All are centred at
// their pose; round ones lie along their own z axis.
typedef enum artSolidType {
  ART_SOLID_BOX,
  ART_SOLID_CYLINDER,
  ART_SOLID_SPHERE,
  ART_SOLID_TUBE,
  ART_SOLID_CONE, // or a frustum; its pose is in the middle of its length
  ART_SOLID_CAPSULE,
  ART_SOLID_ELLIPSOID,
  ART_SOLID_MESH,
  ART_SOLID_TYPES
} artSolidType;

typedef struct artSolidDef {
  artSolidType type;
  double size[3];       // box: edges; ellipsoid: diameters
  double radius;        // cylinder, sphere, capsule; tube: outside; cone: at its lower end
  double inner;         // tube: of the bore, >= 0
  double top;           // cone: radius at its upper end, >= 0
  double length;        // cylinder, tube, cone; capsule: between the centres of its caps
  const char *file;     // mesh: its name in messages, or NULL
  double scale;         // mesh: m per unit of its vertices
  int nvertex;          //
  const double *vertex; // [nvertex][3]
  int ntriangle;        //
  const int *triangle;  // [ntriangle][3] of a closed surface, counter-clockwise seen from outside
  double density;       // kg/m^3; 0: mass says it, or the mass of the whole
  double mass;          // kg, without its holes; 0: density says it
  int is_hole;    // takes matter away from the solid before it, and has neither density nor mass
  artPose pose;   // in the body
  double axis[3]; // its own z axis, in the frame of its pose; any length
  int colour;     // 0xrrggbb; -1: one is chosen
} artSolidDef;
ART_API artSolidDef art_default_solid(void);

typedef struct artSolidInertia {
  double volume; // m^3
  double mass;
  double com[3];
  double inertia[6]; // xx yy zz xy xz yz of the tensor about com
  int turned;        // meshes whose triangles were clockwise, all of them, and have been turned
} artSolidInertia;

// Mass, centre and inertia of solids together. mass > 0: that of the whole, to which densities are scaled; without
// any they are equal. mass = 0: each solid has a density or a mass. Meshes are checked: open or twisted surfaces,
// and holes that leave their solid, are ART_BAD_INPUT.
ART_API artStatus art_solid_inertia(int n, const artSolidDef *solid, double mass,
                                    artSolidInertia *inertia, artError *error);

//---- bodies --------------------------------------------------------------------------------------

typedef struct artBodyDef {
  const char *name;
  double mass;       // kg; 0 makes an auxiliary body, allowed where it carries others
  double com[3];     // centre of mass, in the body frame
  double inertia[6]; // xx yy zz xy xz yz of the tensor about the centre of mass, body axes
  int nsolid;        // solids in the place of com and inertia, and of mass where that is 0
  const artSolidDef *solid;
  artPose pose;  // body frame in ground at the reference configuration ...
  int has_pose;  // ... when given; else it follows from the frames of the joint that leads to
                 // it, or, where that joint is in_ground, coincides with ground. A pose besides
                 // a joint that is not in_ground must be the one that follows from its frames
  int unchecked; // 1: take an inertia that no solid can have, as identification may give
} artBodyDef;

ART_API artBodyDef art_default_body(void);
ART_API artStatus art_add_body(artBuilder *builder, const artBodyDef *body);

// A named frame fixed in a body (or in "ground"); a point is a frame whose rotation is not used.
ART_API artStatus art_add_frame(artBuilder *builder, const char *body, const char *name,
                                const artPose *pose);

//---- what bodies look like ----------------------------------------------------------------------

// Shapes, for viewers alone: nothing of the motion depends on them. All are centred at their pose;
// cylinders and capsules lie along its z axis.
typedef enum artVisualType {
  ART_VISUAL_NONE, // nothing: not even what would be guessed
  ART_VISUAL_BOX,
  ART_VISUAL_CYLINDER,
  ART_VISUAL_SPHERE,
  ART_VISUAL_CAPSULE,
  ART_VISUAL_MESH,
  ART_VISUAL_TYPES
} artVisualType;

typedef struct artVisualDef {
  artVisualType type;
  double size[3];      // box: edges
  double radius;       // cylinder, sphere, capsule
  double length;       // cylinder; capsule: between the centres of its caps
  int nvertex;         // mesh
  const float *vertex; // [nvertex][3]
  int ntriangle;       //
  const int *triangle; // [ntriangle][3] counter-clockwise seen from outside
  artPose pose;        // in the body
  int colour;          // 0xrrggbb; -1: one is chosen
} artVisualDef;
ART_API artVisualDef art_default_visual(void);

// A shape of a body, or of "ground"; a body with shapes is drawn by them alone.
ART_API artStatus art_add_visual(artBuilder *builder, const char *body, const artVisualDef *visual);

//---- joints --------------------------------------------------------------------------------------

// Joint types, their name in files, and the names of their coordinates and velocities.
typedef enum artJointType {
  ART_FIXED,
  ART_REVOLUTE,    // angle | rate
  ART_PRISMATIC,   // slide | rate
  ART_SCREW,       // angle | rate ; slides pitch * angle
  ART_CYLINDRICAL, // slide, angle | slide_rate, angle_rate
  ART_UNIVERSAL,   // angle1, angle2 | angle1_rate, angle2_rate
  ART_PLANAR,      // x, y, angle | x_rate, y_rate, angle_rate ; x, y in the frame of `from`
  ART_SPHERICAL,   // qw, qx, qy, qz | wx, wy, wz ; angular velocity of `to` in `from`, axes of `to`
  ART_FREE,        // x, y, z, qw, qx, qy, qz | vx, vy, vz, wx, wy, wz ; v = d(x, y, z)/dt
  ART_ROD,         // no coordinates: keeps two points at a distance; always closes a loop
  ART_JOINT_TYPES
} artJointType;

// The name of a joint type in model files ("revolute").
ART_API const char *art_joint_type_name(artJointType type);

// Rows by which a revolute joint closes a loop, besides those that hold its point: two axes of `from` stay square to the
// axis of `to`, or the unit vectors along the axis in `from` and `to` are equal, three rows of which one is redundant.
typedef enum artClosing { ART_CLOSE_BY_ANGLES, ART_CLOSE_BY_VECTORS } artClosing;

typedef struct artJointDef {
  const char *name;
  artJointType type;
  const char *from, *to; // "ground", "crank" or "crank.tip": a body, or a frame of a body

  // in_ground = 1: the joint sits at point `at` with its axes along `axis`, `axis2`, all in ground
  // at the reference configuration, where all coordinates are zero.
  // in_ground = 0: the coordinates are zero when the frames `from` and `to` (each moved by its
  // offset) coincide; axis and axis2 are in these frames, `at` is not used.
  int in_ground;
  double at[3];
  double axis[3];  // any length; default z. Revolute, prismatic, screw, cylindrical: the axis.
                   // Planar: the normal. Universal: the first axis, fixed in `from`.
  double axis2[3]; // Universal: the second axis, fixed in `to`, square to the first.
                   // Planar: direction of x (zero: chosen). Not used otherwise.
  double pitch;    // screw: slide in m per rad
  double rotor;    // one-dof joints: inertia of a rotor geared to the joint, seen at the joint
                   // (its gyroscopic effect is left out): Jm G^2, in kg m^2 or kg
  artPose from_offset, to_offset; // of the joint's frames in `from` and `to`, when in_ground = 0
  double length;                  // rod: distance of its ends, the origins of `from` and `to`
                                  // (0: the one at the reference configuration)
  double mass;                    // rod: of a uniform thin bar between its ends; may be 0

  // keep: 1 forces the joint into the spanning tree, -1 makes it the cut of a loop, 0 lets us choose
  int keep;
  artClosing closing; // revolute
} artJointDef;

// The first function gives the defaults of a joint of a type, as a model file has them: axes [x, y] of a universal
// joint, z of all others. The second gives a revolute joint, from which programs may go on to other types.
ART_API artJointDef art_default_joint_of(artJointType type);
ART_API artJointDef art_default_joint(void);
ART_API artStatus art_add_joint(artBuilder *builder, const artJointDef *joint);

// Initial value of a coordinate or velocity, e.g. ("pin.angle", 0.5), ("pin.rate", -1),
// ("base.qw", 1). Not given: zero, and the unit quaternion (1, 0, 0, 0). Quaternions are normalised.
ART_API artStatus art_set_initial(artBuilder *builder, const char *coordinate, double value);

// The same as a first guess only: the coordinate may move when loops are closed, while coordinates
// with an initial value stay where they are put.
ART_API artStatus art_set_guess(artBuilder *builder, const char *coordinate, double value);

// Treatment of initial velocities that contradict the loops: 0 refuse them (the default), 1 take
// the nearest ones that do not.
ART_API artStatus art_set_projection(artBuilder *builder, int project);

//---- constraints besides joints ------------------------------------------------------------------

// A linear relation between coordinates: sum of coefficient[i] * coordinate[i] = constant. Gears,
// racks and screws are of this kind. Output: force, the multiplier.
typedef struct artCouplingDef {
  const char *name;
  int n;
  const char *const *coordinate; // "pin.angle", or "pin" when the joint has one coordinate
  const double *coefficient;
  double constant;
} artCouplingDef;
ART_API artCouplingDef art_default_coupling(void);
ART_API artStatus art_add_coupling(artBuilder *builder, const artCouplingDef *def);

// A relation of the host program's own, g(q) = 0, between the coordinates it names. `value` gives
// g and its derivatives dg/dx[i] with respect to them; `bias` gives the part of d2g/dt2 that is left
// when all accelerations are zero. Both must be pure functions. With a call in their place the functions NAME
// and NAME_bias are attached to the model later. Output: force, the multiplier.
typedef struct artConstraintDef {
  const char *name;
  int n;
  const char *const *coordinate;
  artStatus (*value)(void *context, const double *x, double *g, double *dg);
  artStatus (*bias)(void *context, const double *x, const double *v, double *bias);
  void *context;
  artCallDef call;
} artConstraintDef;
ART_API artConstraintDef art_default_constraint(void);
ART_API artStatus art_add_constraint(artBuilder *builder, const artConstraintDef *def);

//---- constraints that come and go ----------------------------------------------------------------

typedef enum artLatchType {
  ART_LOCK,  // holds a coordinate, or a sum of them, where it is when it engages
  ART_LATCH, // joins two frames as they stand to each other when it engages
  ART_ROPE,  // two points are at most `length` apart: slack, without a row, or taut, with one
  ART_LATCH_TYPES
} artLatchType;
ART_API const char *art_latch_type_name(artLatchType type); // "lock", "latch", "rope"

// A constraint that is there while it is engaged. A lock or latch engages when the formula `engage` becomes
// positive, a latch also when its frames come nearer than `distance`, and releases when `release` becomes
// positive; formulas may read all outputs, its own force included. After a release `engage`, or the
// distance, must have been past its limit again before it engages once more. A rope becomes taut
// when its points are `length` apart and slack when its tension falls to zero. Velocities jump
// where one engages as after a impact without rebound, M (v1 - v0) + J^T p = 0, J v1 = 0, with all rows that are
// engaged by then. Studies other than runs take those that are engaged at the start.
// Outputs: engaged (0 or 1), force (lock: along the sum; latch: magnitude; rope: tension); of a latch
// distance, fx fy fz, tx ty tz on `to` in ground axes; of a rope length and rate.
typedef struct artLatchDef {
  const char *name;
  artLatchType type;
  int engaged; // at the start: a lock holds the initial values, the frames of a latch coincide,
               // a rope is taut

  int n; // lock: sum of coefficient[i] * coordinate[i]; coefficient NULL: all are 1
  const char *const *coordinate;
  const double *coefficient;

  const char *from, *to; // latch: "body.frame", rope: points
  artJointType joint;    // latch: fixed, revolute, prismatic, cylindrical, planar or spherical
  double axis[3];        // latch: of the joint, in the frame `to`
  double distance;       // latch: 0: `engage` alone counts
  double length;         // rope: > 0

  const char *engage, *release; // lock, latch: formulas, or NULL: never
} artLatchDef;
ART_API artLatchDef art_default_latch(void);
ART_API artStatus art_add_latch(artBuilder *builder, const artLatchDef *def);

//---- inputs, states and blocks --------------------------------------------------------------------
//
// Their names stand in formulas of forces, conditions, outputs, rates and blocks as they are: "steer". Names of several
// states have their number behind a dot: "heat.2". Units are SI units; NULL: of any dimension. A formula of an
// item with a unit is checked against it.

typedef enum artHold {
  ART_HOLD_ZERO,  // an input keeps its value until it is set again
  ART_HOLD_FIRST, // it goes on a straight line from value to value (art_step)
  ART_HOLDS
} artHold;

// A number that the host program sets as time goes on (art_set_input).
typedef struct artInputDef {
  const char *name;
  const char *unit;
  double initial;   // until it is set for the first time
  int has_limits;   // 0: it may have any value
  double limits[2]; // least and largest
  double every;     // s; how often it is meant to be set; 0: not said
  artHold hold;
} artInputDef;
ART_API artInputDef art_default_input(void);
ART_API artStatus art_add_input(artBuilder *builder, const artInputDef *def);

// A list of a definition; the builder copies it.
typedef struct artNumbers {
  int count;
  const double *value;
} artNumbers;

// First-order states: ds/dt = rate, a formula of anything, accelerations and reactions included. Several have as many
// initial values and rates.
typedef struct artStateDef {
  const char *name;
  const char *unit; // of the state, not of its rate
  artNumbers initial;
  artNames rate;
} artStateDef;
ART_API artStateDef art_default_state(void);
ART_API artStatus art_add_state(artBuilder *builder, const artStateDef *def);

// Blocks with a clock are samplers: at t = offset + k every, k = 0, 1, 2 ..., all that is due is evaluated in the order of
// the data flow, the machine as it is just before the instant, and blocks by new values of other blocks of that instant.
// The results are held from then on.

// A block that is a named formula.
typedef struct artFormulaBlockDef {
  const char *name;
  const char *unit;
  const char *value;
  double every, offset; // s; every 0: the value follows at all times
  double initial;       // of a sampler, before its first instant
} artFormulaBlockDef;
ART_API artFormulaBlockDef art_default_formula_block(void);
ART_API artStatus art_add_formula_block(artBuilder *builder, const artFormulaBlockDef *def);

// Sample and hold: the value of a formula at its instants, `delay` of them ago.
typedef struct artSampleBlockDef {
  const char *name;
  const char *unit;
  const char *input;
  double every, offset; // s; every > 0
  int delay;            // whole samples
  double initial;       // until it is filled
} artSampleBlockDef;
ART_API artSampleBlockDef art_default_sample_block(void);
ART_API artStatus art_add_sample_block(artBuilder *builder, const artSampleBlockDef *def);

// Blocks below are continuous, or samplers with a clock. Gains, times and limits are formulas, too, so that they may
// depend on anything; NULL stands for the default.

// A controller: u = kp e + I + D between the limits, dI/dt = ki e, filter dD/dt + D = kd dx/dt with x = e or -measured. The
// integral stays between the limits, or follows a limited value with the time constant `tracking`.
typedef struct artPidBlockDef {
  const char *name, *unit;
  const char *input;    // the error e
  const char *measured; // or NULL
  const char *kp, *ki, *kd;
  const char *filter;   // s
  artNames limits;      // least and largest value, or none
  const char *tracking; // s
  double initial;       // of the integral
  double before;        // what the derivative is taken of, before the start
  double every, offset; // s; every 0: continuous
} artPidBlockDef;
ART_API artPidBlockDef art_default_pid_block(void);
ART_API artStatus art_add_pid_block(artBuilder *builder, const artPidBlockDef *def);

// time dy/dt + y = gain u
typedef struct artLagBlockDef {
  const char *name, *unit, *input;
  const char *time; // s
  const char *gain;
  double initial;
  double every, offset; // s; every 0: continuous
} artLagBlockDef;
ART_API artLagBlockDef art_default_lag_block(void);
ART_API artStatus art_add_lag_block(artBuilder *builder, const artLagBlockDef *def);

// y'' + 2 damping w y' + w^2 y = gain w^2 u, w = 2 pi frequency
typedef struct artSecondOrderBlockDef {
  const char *name, *unit, *input;
  const char *frequency; // Hz
  const char *damping, *gain;
  double initial;       // at rest; of a continuous one
  double every, offset; // s; every 0: continuous
} artSecondOrderBlockDef;
ART_API artSecondOrderBlockDef art_default_second_order_block(void);
ART_API artStatus art_add_second_order_block(artBuilder *builder,
                                             const artSecondOrderBlockDef *def);

// A ratio of polynomials in s, coefficients of the highest power first; proper.
typedef struct artTransferFunctionBlockDef {
  const char *name, *unit, *input;
  artNumbers numerator, denominator;
  double before;        // input with which it is at rest at the start
  double every, offset; // s; every 0: continuous
} artTransferFunctionBlockDef;
ART_API artTransferFunctionBlockDef art_default_transfer_function_block(void);
ART_API artStatus art_add_transfer_function_block(artBuilder *builder,
                                                  const artTransferFunctionBlockDef *def);

// dy/dt = gain u, between limits
typedef struct artIntegratorBlockDef {
  const char *name, *unit, *input;
  const char *gain;
  artNames limits; // or none
  double initial;
  double every, offset; // s; every 0: continuous
} artIntegratorBlockDef;
ART_API artIntegratorBlockDef art_default_integrator_block(void);
ART_API artStatus art_add_integrator_block(artBuilder *builder, const artIntegratorBlockDef *def);

// filter dy/dt + y = gain du/dt
typedef struct artDerivativeBlockDef {
  const char *name, *unit, *input;
  const char *gain;
  const char *filter;   // s
  double before;        // input before the start
  double every, offset; // s; every 0: continuous
} artDerivativeBlockDef;
ART_API artDerivativeBlockDef art_default_derivative_block(void);
ART_API artStatus art_add_derivative_block(artBuilder *builder, const artDerivativeBlockDef *def);

// The value of a time before: exact where sampled, else the approximation by Padé of an order.
typedef struct artDelayBlockDef {
  const char *name, *unit, *input;
  double delay; // s
  int order;    // 1 to 10, of a continuous one
  double before;
  double every, offset; // s; every 0: continuous
} artDelayBlockDef;
ART_API artDelayBlockDef art_default_delay_block(void);
ART_API artStatus art_add_delay_block(artBuilder *builder, const artDelayBlockDef *def);

// A value that follows its input no faster than it may; a continuous one comes to rest with a time constant.
typedef struct artRateLimiterBlockDef {
  const char *name, *unit, *input;
  const char *rising, *falling; // positive, per second
  const char *time;             // s, of a continuous one
  double initial;
  double every, offset; // s; every 0: continuous
} artRateLimiterBlockDef;
ART_API artRateLimiterBlockDef art_default_rate_limiter_block(void);
ART_API artStatus art_add_rate_limiter_block(artBuilder *builder,
                                             const artRateLimiterBlockDef *def);

// Saturation: the input between two limits. Dead band: nothing between them, beyond them the distance.
typedef struct artBandBlockDef {
  const char *name, *unit, *input;
  artNames limits;      // two
  double every, offset; // s; every 0: continuous
} artBandBlockDef;
ART_API artBandBlockDef art_default_saturation_block(void);
ART_API artStatus art_add_saturation_block(artBuilder *builder, const artBandBlockDef *def);
ART_API artBandBlockDef art_default_dead_band_block(void);
ART_API artStatus art_add_dead_band_block(artBuilder *builder, const artBandBlockDef *def);

// A switch that goes on above the second border and off below the first.
typedef struct artRelayBlockDef {
  const char *name, *unit, *input;
  artNames band;        // two borders
  artNames values;      // off and on; none: 0 and 1
  int on;               // sampled: before the first instant
  double every, offset; // s; every 0: continuous
} artRelayBlockDef;
ART_API artRelayBlockDef art_default_relay_block(void);
ART_API artStatus art_add_relay_block(artBuilder *builder, const artRelayBlockDef *def);

// A curve (art_add_curve) of the input, or a table of two dimensions (art_add_map) of two inputs.
typedef struct artTableBlockDef {
  const char *name, *unit, *input;
  const char *second; // or NULL
  const char *curve;
  double every, offset; // s; every 0: continuous
} artTableBlockDef;
ART_API artTableBlockDef art_default_table_block(void);
ART_API artStatus art_add_table_block(artBuilder *builder, const artTableBlockDef *def);

// Sensors: readings of the machine, y = gain x + bias between limits; sampled, they may be multiples of a resolution and
// late. Vectors have the parts x, y and z. Fields that a kind does not name are not read.
typedef struct artSensorDef {
  const char *name;
  const char *unit;       // of the reading; NULL: that of the quantity
  const char *frame;      // body or frame where it is
  const char *relative;   // that it is seen from, or NULL: ground
  const char *axes;       // along whose axes its components are, or NULL
  const char *between[2]; // of distance and angle
  const char *joint;      // of force and torque, which act on `to`, at the joint
  const char *value;      // of quantity: a formula
  int axis;               // of angle: 0, 1 or 2 for x, y, z of both frames
  int gravity;            // of acceleration: whether it feels gravity, a - g
  const char *gain;       // NULL: 1
  artNames bias;          // none, one, or one for each component
  artNames limits;        // none, or least and largest reading
  const char *resolution; // of a sampled one, or NULL
  double delay;           // s, a multiple of every
  double initial;         // sampled: until the first sample arrives
  double every, offset;   // s; every 0: continuous
} artSensorDef;
// frame, relative, axes (default: the axes of relative)
ART_API artSensorDef art_default_position_sensor(void);
ART_API artStatus art_add_position_sensor(artBuilder *builder, const artSensorDef *def);
// the same, as seen from relative, which may turn
ART_API artSensorDef art_default_velocity_sensor(void);
ART_API artStatus art_add_velocity_sensor(artBuilder *builder, const artSensorDef *def);
// frame, axes (its own), gravity
ART_API artSensorDef art_default_acceleration_sensor(void);
ART_API artStatus art_add_acceleration_sensor(artBuilder *builder, const artSensorDef *def);
// frame, relative, axes (its own)
ART_API artSensorDef art_default_gyro_sensor(void);
ART_API artStatus art_add_gyro_sensor(artBuilder *builder, const artSensorDef *def);
// frame, relative
ART_API artSensorDef art_default_speed_sensor(void);
ART_API artStatus art_add_speed_sensor(artBuilder *builder, const artSensorDef *def);
// joint, axes (default: the axes of ground)
ART_API artSensorDef art_default_force_sensor(void);
ART_API artStatus art_add_force_sensor(artBuilder *builder, const artSensorDef *def);
// the same
ART_API artSensorDef art_default_torque_sensor(void);
ART_API artStatus art_add_torque_sensor(artBuilder *builder, const artSensorDef *def);
// between; its part `rate` where it has neither bias nor limits nor resolution
ART_API artSensorDef art_default_distance_sensor(void);
ART_API artStatus art_add_distance_sensor(artBuilder *builder, const artSensorDef *def);
// between, axis
ART_API artSensorDef art_default_angle_sensor(void);
ART_API artStatus art_add_angle_sensor(artBuilder *builder, const artSensorDef *def);
// value
ART_API artSensorDef art_default_quantity_sensor(void);
ART_API artStatus art_add_quantity_sensor(artBuilder *builder, const artSensorDef *def);

//---- laws ----------------------------------------------------------------------------------------

typedef enum artLawType {
  ART_LAW_NONE,
  ART_LAW_LINEAR,     // f = coefficient * x
  ART_LAW_POLYNOMIAL, // f = c[0] x + c[1] x^2 + ... ; values in f, n of them
  ART_LAW_PIECEWISE,  // straight lines through (x[i], f[i]), end slopes continued
  ART_LAW_TABLE,      // smooth curve through (x[i], f[i]), end slopes continued
  ART_LAW_SEGMENTS, // n polynomials c[0] + c[1] x + ..., rows of `width` coefficients in f, with the
                    // n - 1 borders x[i] between them, where they must meet
  ART_LAW_AIR,      // air spring: f = A (p_a - p0 (V0/(V0 + A x))^n)
} artLawType;

// Gas behind a piston; pressures are absolute, in Pa.
typedef struct artAirDef {
  double pressure; // p0, at x = 0
  double area;     // A in m^2 (m^3/rad over an angle); negative where the volume shrinks as x grows
  double volume;   // V0 in m^3, at x = 0
  double exponent; // n: 1 isothermal, 1.4 adiabatic
  double ambient;  // p_a
} artAirDef;

typedef struct artLawDef {
  artLawType type;
  double coefficient;
  int n;
  const double *x, *f;
  int width; // of segments
  artAirDef air;
} artLawDef;

//---- curves --------------------------------------------------------------------------------------

// A curve f(x) through points, n >= 2 with x increasing, end slopes continued, that every formula of time
// calls by its name: path(car.x). Smooth (a natural cubic spline) or straight from point to point. Units
// say what it takes and gives, and are checked; NULL goes with everything, in SI.
typedef struct artCurveDef {
  const char *name; // letters, digits and _
  int n;
  const double *x, *f;
  int is_piecewise;
  const char *x_unit, *f_unit; // or NULL
} artCurveDef;
ART_API artStatus art_add_curve(artBuilder *builder, const artCurveDef *def);

// A table of two dimensions f(x, y), nx rows of ny values, called by two arguments: grip(load, speed). Smooth (natural
// cubic splines in both directions) or bilinear from point to point, end slopes continued.
typedef struct artMapDef {
  const char *name; // letters, digits and _
  int nx, ny;       // at least 2
  const double *x, *y;
  const double *f; // [nx ny], f[i*ny + j] at x[i], y[j]
  int is_piecewise;
  const char *x_unit, *y_unit, *f_unit; // or NULL
} artMapDef;
ART_API artStatus art_add_map(artBuilder *builder, const artMapDef *def);

//---- forces --------------------------------------------------------------------------------------

// Every definition has the defaults of the model file (doc/reference/model-format.md): art_default_joint_stop() has no
// limits, art_default_drag() the density of air, and so on. A program sets what differs. ART_UNSET stands for a number
// whose default follows from others.
#define ART_UNSET (-1.7e308)

// Stops: beyond a limit of a length or coordinate by d > 0 it is pushed back by F = k d (1 + c ddot),
// F >= 0. Use -INFINITY or INFINITY for a limit that is not there; k = 0: there are no stops at all.
typedef struct artStopsDef {
  double lower, upper;
  double stiffness; // k >= 0
  double damping;   // c >= 0, in s/m
} artStopsDef;

// Spring and damper between two points: tension F = spring(length - free_length) + damper(d length/dt),
// and stops on the length. Outputs: length, rate, force.
typedef struct artSpringDamperDef {
  const char *name;
  const char *from, *to; // points: "body.frame", "body" (its origin), "ground"
  double free_length;
  artLawDef spring, damper;
  artStopsDef stops;
} artSpringDamperDef;
ART_API artSpringDamperDef art_default_spring_damper(void);
ART_API artStatus art_add_spring_damper(artBuilder *builder, const artSpringDamperDef *def);

// A force along the line between two points as a formula of time, parameters and outputs, its own length and rate
// among them, or by a function of the user, F(Z, Zd, t). Outputs: length, rate, force (tension is positive).
typedef struct artLinkForceDef {
  const char *name;
  const char *from, *to;
  const char *formula; // NULL with a call
  artCallDef call;
} artLinkForceDef;
ART_API artLinkForceDef art_default_link_force(void);
ART_API artStatus art_add_link_force(artBuilder *builder, const artLinkForceDef *def);

// A rope of points in their order, over pulleys without size and friction: x is the length of all spans together. Beyond
// its free length by d > 0 the tension is T = k d (1 + c ddot), T >= 0; a slack rope does nothing.
// Outputs: length, rate, force (the tension).
enum { ART_MOST_POINTS = 16 };
typedef struct artRopeDef {
  const char *name;
  const char *through[ART_MOST_POINTS]; // two or more, NULL after the last
  double free_length;                   // m, >= 0
  double stiffness;                     // k, N/m, > 0
  double damping;                       // c, s/m, >= 0
} artRopeDef;
ART_API artRopeDef art_default_rope(void);
ART_API artStatus art_add_rope(artBuilder *builder, const artRopeDef *def);

// Spring and damper in a joint: Q = -spring(x - rest) - damper(dx/dt) on coordinate x.
// Output: force.
typedef struct artJointSpringDef {
  const char *name;
  const char *coordinate; // "pin.angle", or "pin" when the joint has one coordinate
  double rest;
  artLawDef spring, damper;
} artJointSpringDef;
ART_API artJointSpringDef art_default_joint_spring(void);
ART_API artStatus art_add_joint_spring(artBuilder *builder, const artJointSpringDef *def);

// Stops: beyond a limit by d > 0 the coordinate is pushed back by F = k d (1 + c ddot), F >= 0.
// Use -INFINITY or INFINITY for a limit that is not there. Output: force.
typedef struct artJointStopDef {
  const char *name;
  const char *coordinate;
  double lower, upper;
  double stiffness; // k > 0
  double damping;   // c >= 0, in s/m or s/rad
} artJointStopDef;
ART_API artJointStopDef art_default_joint_stop(void);
ART_API artStatus art_add_joint_stop(artBuilder *builder, const artJointStopDef *def);

// Dry friction, regularised, with Stribeck effect (v = dx/dt):
// Q = -[(coulomb + (breakaway - coulomb) exp(-(v/stribeck)^2)) tanh(v/transition) + viscous v]
// Output: force.
typedef struct artJointFrictionDef {
  const char *name;
  const char *coordinate;
  double coulomb;    // >= 0
  double breakaway;  // static friction, >= coulomb; ART_UNSET: coulomb
  double stribeck;   // > 0 where breakaway > coulomb; ART_UNSET: 10 times transition
  double transition; // > 0
  double viscous;    // >= 0
} artJointFrictionDef;
ART_API artJointFrictionDef art_default_joint_friction(void);
ART_API artStatus art_add_joint_friction(artBuilder *builder, const artJointFrictionDef *def);

// A force or torque on a joint coordinate, positive along it, as a formula of time, parameters and
// outputs: "2*sin(3*time) - 0.1*pin.rate"; or by a function of the user, Q(q, qd, t). Output: force.
typedef struct artJointForceDef {
  const char *name;
  const char *coordinate;
  const char *formula; // NULL with a call
  artCallDef call;
} artJointForceDef;
ART_API artJointForceDef art_default_joint_force(void);
ART_API artStatus art_add_joint_force(artBuilder *builder, const artJointForceDef *def);

// Let a force element that acts on a joint coordinate act along a combination of several instead:
// x = sum of coefficient[i] coordinate[i], and with the force F along x coordinate[i] feels
// coefficient[i] F. x is measured like the first coordinate. A spring on {left: 1, right: -1} is an
// anti-roll bar, friction on it a limited slip; a torque on {left: 0.5, right: 0.5} is split by
// an open differential.
ART_API artStatus art_set_combination(artBuilder *builder, const char *force, int n,
                                      const char *const *coordinate, const double *coefficient);

// A brake on a joint coordinate: Q = -demand tanh(v/transition) with v = dx/dt, so it creeps at standstill
// by transition * load/demand. The demand is a formula, in N or N m. Output: force.
typedef struct artBrakeDef {
  const char *name;
  const char *coordinate;
  const char *demand;
  double transition; // > 0, of the rate
} artBrakeDef;
ART_API artBrakeDef art_default_brake(void);
ART_API artStatus art_add_brake(artBuilder *builder, const artBrakeDef *def);

// Path of a driver: lateral place y over x of ground.
typedef enum artPathType {
  ART_PATH_CURVE,       // a curve of the model
  ART_PATH_LANE_CHANGE, // centre line of the obstacle avoidance track of ISO 3888-2
  ART_PATH_CIRCLE,      // along x to `start`, then round and round (as ISO 4138 asks)
  ART_PATH_SLALOM,      // a sine past pylons, growing from `start` on
} artPathType;

typedef struct artPathDef {
  artPathType type;
  const char *curve; // ART_PATH_CURVE: its name
  double start;      // x where it begins, m
  double width;      // of the vehicle, m: lanes are as wide as ISO 3888-2 makes them from it
  double radius;     // of the circle, m; negative to the right
  double spacing;    // of pylons, m: half a period
  double amplitude;  // of the sine, m
  double ramp;       // over which it grows, m
} artPathDef;

// A driver who steers by a point ahead. It lies L = hypot(distance, time u) before the origin of `frame`,
// along its x axis, u being its speed that way; e is how far the path lies to the left of that point.
// wanted = limit tanh(gain e / (L limit)),  Q = stiffness (wanted - x) - damping dx/dt
// on the steering coordinate x. Outputs: force, angle (wanted), error (e).
typedef struct artDriverDef {
  const char *name;
  const char *coordinate;
  const char *frame; // of the vehicle: "car", "car.nose"
  artPathDef path;
  double distance; // > 0, m
  double time;     // >= 0, s
  double gain;     // steering angle per angle under which the path is seen
  double limit;    // > 0, largest wanted angle
  double stiffness, damping;
} artDriverDef;
ART_API artDriverDef art_default_driver(void);
ART_API artStatus art_add_driver(artBuilder *builder, const artDriverDef *def);

// A cruise control: Q = gain (speed - u), limited smoothly to `drive` and `brake`, with the speed u of a frame
// along its x axis. Outputs: force, speed (u).
typedef struct artCruiseDef {
  const char *name;
  const char *coordinate;
  const char *frame;
  const char *speed;   // wanted, a formula, m/s
  double gain;         // > 0
  double drive, brake; // > 0, largest Q forwards and backwards
} artCruiseDef;
ART_API artCruiseDef art_default_cruise(void);
ART_API artStatus art_add_cruise(artBuilder *builder, const artCruiseDef *def);

// A motor behind a gear: Q = G T with T = k i - b w at the rotor, w = G dx/dt, and the current by
// L di/dt = u - R i - k w, at once where L = 0; or with a torque T by formula. Formulas may read `NAME.speed`.
// Outputs: force (Q), torque (T), speed (w), power (u i, or T w); with a voltage also voltage, current.
typedef struct artMotorDef {
  const char *name;
  const char *coordinate;
  const char *voltage, *torque; // formulas in V or N m, of which one is given
  double constant;              // k, N m/A, > 0 with a voltage
  double resistance;            // R, Ohm, > 0 with a voltage
  double inductance;            // L, H, >= 0
  double gear;                  // G: rad of the rotor per m or rad of the coordinate
  double friction;              // b, N m s/rad, >= 0
  const char *limit;            // of |T|, formula in N m; NULL: none
  double most;                  // of |i|, A; 0: no limit
  double current;               // i at the start, A
} artMotorDef;
ART_API artMotorDef art_default_motor(void);
ART_API artStatus art_add_motor(artBuilder *builder, const artMotorDef *def);

// A hydraulic cylinder between two points, with a 4/3 valve: pressure in side a pushes them apart, in side b it pulls
// them together; src/element/hydraulic_cylinder.c has the equations. Outputs: length, rate, force (tension),
// pressure_a, pressure_b, flow_a, flow_b (into the sides), opening.
typedef struct artHydraulicCylinderDef {
  const char *name;
  const char *from, *to;
  double shortest, stroke;       // m
  double area_a, area_b;         // m^2
  double dead_a, dead_b;         // m^3, of each side at its end of the stroke
  double bulk;                   // Pa
  double flow, drop;             // m^3/s of the open valve at so many Pa over an edge
  const char *opening;           // formula, -1 to 1
  double supply, tank;           // Pa
  double leakage;                // m^3/s/Pa, past the piston
  double transition;             // Pa, where the valve becomes linear
  double pressure_a, pressure_b; // Pa, at the start; ART_UNSET: the pressure of the tank
} artHydraulicCylinderDef;
ART_API artHydraulicCylinderDef art_default_hydraulic_cylinder(void);
ART_API artStatus art_add_hydraulic_cylinder(artBuilder *builder,
                                             const artHydraulicCylinderDef *def);

// Gas behind a piston between two points, which pushes them apart, with a valve from a supply and to the ambience;
// src/element/pneumatic_cylinder.c has the equations. Closed and without heat it is the air spring of artAirDef.
// Outputs: length, rate, force (tension), pressure, temperature, volume, mass, flow_in, flow_out, opening.
typedef struct artPneumaticCylinderDef {
  const char *name;
  const char *from, *to;
  double free_length;  // m, where the gas has
  double pressure;     // p_0, Pa absolute, and
  double area;         // m^2
  double volume;       // V_0, m^3
  double exponent;     // k > 1
  double gas;          // R, J/kg/K
  double ambient;      // Pa absolute
  double temperature;  // K, of everything at the start, of the ambience and the supply
  double heat;         // W/K, through the wall
  double supply;       // Pa absolute
  double valve;        // m^2
  const char *opening; // formula, -1 to 1, positive from the supply; NULL: 0
} artPneumaticCylinderDef;
ART_API artPneumaticCylinderDef art_default_pneumatic_cylinder(void);
ART_API artStatus art_add_pneumatic_cylinder(artBuilder *builder,
                                             const artPneumaticCylinderDef *def);

// A force (at a point) or a torque on a body. Components are formulas; plain numbers make it
// constant, and a constant force in ground axes has a potential. With a call in their place a function of
// the user gives force and moment at the point from its motion, in ground axes. Outputs: x, y, z; of a call
// also mx, my, mz.
typedef struct artBodyForceDef {
  const char *name;
  const char *on;            // point the force acts on: "body.frame" or "body" (its origin)
  const char *components[3]; // formulas in N or N m
  int is_torque;             // 1: a torque, of which the point does not matter
  int in_body;               // 1: components along the axes of the body, 0: of ground
  artCallDef call;
} artBodyForceDef;
ART_API artBodyForceDef art_default_body_force(void);
ART_API artStatus art_add_body_force(artBuilder *builder, const artBodyForceDef *def);

// Roads and tyres by name, for the wheels that roll on them. The builder and its models keep them: they
// may be freed at once, but the parts of roads made of others must be added, too, or live longer.
ART_API artStatus art_add_road(artBuilder *builder, const char *name, artRoad *road);
ART_API artStatus art_add_tyre(artBuilder *builder, const char *name, artTyre *tyre);

// A tyre between a wheel and the road (doc/reference/tyres.md). The wheel is a frame whose origin is the centre and
// whose y axis is the axle, to the left. Outputs: fx fy fz mx my mz in the axes of the contact, slip,
// slip_angle, camber, depth, spin, x y z of the contact point.
typedef struct artTyreForceDef {
  const char *name;
  const char *wheel; // "wheel", "wheel.hub"
  const char *tyre;
  const char *road; // NULL: flat, z = 0
  int relaxation;   // 1: slips lag behind over the relaxation lengths, two states; 0: steady slips
  artCallDef
      call; // with a function the tyre gives contact, load and slips, the function the forces
} artTyreForceDef;
ART_API artTyreForceDef art_default_tyre_force(void);
ART_API artStatus art_add_tyre_force(artBuilder *builder, const artTyreForceDef *def);

// A bushing between two frames: displacements x = (d, r) of `to` in `from`, along the axes of `from`, with
// r the rotation vector; generalised forces s = preload - stiffness x - spring(x) - damping x' -
// damper(x'). The first three are the force on `to`, at its frame; the torque on it is J^-T of the other
// three with r' = J^-1 w, so that the elastic part has a potential. Rotations stay below half a turn.
// Outputs: dx dy dz rx ry rz, fx fy fz tx ty tz (on `to`, along the axes of `from`).
typedef struct artBushingDef {
  const char *name;
  const char *from, *to;
  double stiffness[36], damping[36]; // by rows, symmetric
  artLawDef spring[6], damper[6];    // one a direction; none by default
  double preload[6];
} artBushingDef;
ART_API artBushingDef art_default_bushing(void);
ART_API artStatus art_add_bushing(artBuilder *builder, const artBushingDef *def);

// Aerodynamic drag on a point. With the velocity u of the point against the air, along the axes of its
// frame: F = density area/2 |u| (-drag ux, -side uy, -vertical uz + lift |u|).
// Outputs: fx, fy, fz (along the axes of the frame).
typedef struct artDragDef {
  const char *name;
  const char *on; // "body.frame" or "body"
  double density; // kg/m^3, >= 0
  double area;    // m^2, >= 0
  double drag, side, vertical, lift;
  double wind[3]; // velocity of the air, in ground
} artDragDef;
ART_API artDragDef art_default_drag(void);
ART_API artStatus art_add_drag(artBuilder *builder, const artDragDef *def);

// A force law of the host program. `apply` is called once per evaluation and adds its effect through
// art_apply_force, art_apply_torque and art_apply_joint_force (data.h); it may read positions and
// velocities from the data. With a potential given the law counts as conservative and energy balances
// include it. Both must be pure functions of time, positions and velocities.
struct artCallbackDef {
  const char *name;
  artStatus (*apply)(void *context, const artModel *model, artData *data);
  double (*potential)(void *context, const artModel *model, const artData *data); // or NULL
  void *context;
};
ART_API artStatus art_add_callback(artBuilder *builder, const artCallbackDef *def);

//---- drives --------------------------------------------------------------------------------------

// Prescribed motion of a joint coordinate: a formula of time and parameters, of which velocity and
// acceleration are derived exactly, or a table (time, value) joined by a smooth curve (n >= 2).
// The force it takes is the output `joint.force`.
typedef struct artDriveDef {
  const char *name;
  const char *coordinate;
  const char *formula; // or NULL with a table
  int n;
  const double *time, *value;
} artDriveDef;
ART_API artDriveDef art_default_drive(void);
ART_API artStatus art_add_drive(artBuilder *builder, const artDriveDef *def);

//---- outputs -------------------------------------------------------------------------------------

// A named result: a reference ("pin.angle", "crank.tip.vx", "shock.force", "energy.total") or a
// formula of references. doc/reference/model-format.md lists what can be named. A NULL name takes the text of
// the formula. Without any output all coordinates, velocities and energies are written.
ART_API artStatus art_add_output(artBuilder *builder, const char *name, const char *formula);

//---- studies -------------------------------------------------------------------------------------

typedef enum artStudyType {
  ART_RUN,        // motion in time
  ART_EQUIL,      // static equilibrium
  ART_LINEAR,     // linearised matrices, eigenvalues, modes
  ART_INVERSE,    // forces along a given motion
  ART_KINEMATICS, // wheels of an axle through their travel
  ART_RESPONSE,   // frequency response from the road to the outputs
  ART_STUDY_TYPES
} artStudyType;

typedef enum artIntegrator {
  ART_RK4,                  // Runge-Kutta of order 4, fixed step
  ART_DOPRI5,               // Dormand-Prince 5(4), error control
  ART_BDF,                  // CVODE, stiff
  ART_ADAMS,                // CVODE, not stiff
  ART_INTEGRATOR_AUTOMATIC, // dopri5, and bdf from where the motion proves stiff
  ART_INTEGRATORS
} artIntegrator;

typedef enum artMethod {
  ART_AUTOMATIC,     // order-n for trees, semirecursive where there are loops
  ART_ORDER_N,       // articulated bodies, O(n)
  ART_MASS_MATRIX,   // mass matrix and its factors from the leaves
  ART_SEMIRECURSIVE, // loops: independent coordinates, all others solved for at every evaluation
  ART_RECURSIVE,     // loops: articulated bodies with multipliers of the cut joints
  ART_AUGMENTED,     // loops: accelerations and multipliers together

  // Trees and loops in natural coordinates (points and unit vectors) by augmented Lagrangian methods.
  // In a run they bring their own rule of integration, and the integrator is of no account; asked for
  // accelerations they all give the ones of index 1.
  ART_INDEX1,      // accelerations, trapezoidal rule, projections onto the constraints
  ART_INDEX3,      // positions by Newton with the multiplier iteration, projections
  ART_MULTI_INDEX, // variable step steered by the energy, between the two
  ART_CONSERVING,  // energy and momentum kept by discrete gradients
  ART_METHODS
} artMethod;

// Who evaluates the equations of a method.
typedef enum artBackend {
  ART_BACKEND_NUMERIC, // the library
  ART_BACKEND_GENERATED, // method automatic: equations generated for this machine, compiled and loaded
  // The study of a model file that asks for generated equations. A file cannot start a compiler: the study is refused until
  // the program chooses one of the two above.
  ART_BACKEND_ASKED,
  ART_BACKENDS
} artBackend;

// Is the method one of natural coordinates?
ART_API int art_method_is_natural(artMethod method);

// Does a run by the method read this key of a study: "alpha", "hht", "energy_upper"? Keys that every method reads, and
// unknown ones, are read.
ART_API int art_method_reads(artMethod method, const char *key);

// Linear algebra of the semi-recursive method and of natural coordinates; results differ by rounding
// alone.
typedef enum artAlgebra {
  ART_ALGEBRA_AUTOMATIC, // plain; natural coordinates: dense or sparse by their number
  ART_ALGEBRA_PLAIN,     // straight C
  ART_ALGEBRA_DENSE, // full matrices; semirecursive: by BLAS and LAPACK where they are large enough to pay
  ART_ALGEBRA_SPARSE, // sparse factors, analysed once
  ART_ALGEBRAS
} artAlgebra;

// Treatment of redundant constraint rows of closed loops in the semi-recursive method; rows that keep a planar linkage in
// its plane are an example. The motion is the same to rounding. Reactions, which are not unique in such machines, are
// carried by the independent rows in every case.
typedef enum artRedundant {
  ART_REDUNDANT_DROP,    // leave them out
  ART_REDUNDANT_LU,      // solve with all: LU of a rectangular matrix, full pivoting, by BLAS
  ART_REDUNDANT_UMFPACK, // the same with sparse factors, LU
  ART_REDUNDANT_SPQR,    // and QR
  ART_REDUNDANTS
} artRedundant;

// How the independent coordinates of a machine with closed loops are chosen, unless a study names them.
typedef enum artPartition {
  ART_PARTITION_SYMBOLIC, // from the pattern of the constraints, so that the others are solved for in small blocks;
                          // by pivoting where that conditions badly
  ART_PARTITION_PIVOTING, // by Gauss elimination with full pivoting
  ART_PARTITIONS
} artPartition;

// How bdf solves the linear equations of Newton's iteration. With a full matrix, found by an evaluation for each of n
// unknowns and factored in n^3 operations, or by GMRES, which takes an evaluation for each of a few iterations.
typedef enum artNewton {
  ART_NEWTON_AUTOMATIC, // dense up to 128 unknowns, positions and velocities counted
  ART_NEWTON_DENSE,
  ART_NEWTON_KRYLOV,
  ART_NEWTONS
} artNewton;

// Projection of the part of a step that leaves the constraints, by methods of natural coordinates; or instead, with
// index1, constraints in the accelerations alone, with Baumgarte's terms.
typedef enum artProjections {
  ART_PROJECTIONS_AUTOMATIC, // yes; no with the conserving method
  ART_PROJECTIONS_NO,
  ART_PROJECTIONS_YES,     // taken out, in the norm of the mass matrix
  ART_PROJECTIONS_TANGENT, // taken out with the matrix of the last iteration, factored already
  ART_PROJECTIONS_BAUMGARTE, // index1: none; phi'' + 2 alpha phi' + beta^2 phi = 0 instead of phi'' = 0
  ART_PROJECTIONS
} artProjections;

// The names in model files: "run", "dopri5", "order-n", ...
ART_API const char *art_study_type_name(artStudyType type);
ART_API const char *art_integrator_name(artIntegrator integrator);
ART_API const char *art_method_name(artMethod method);
ART_API const char *art_backend_name(artBackend backend);
ART_API const char *art_algebra_name(artAlgebra algebra);
ART_API const char *art_redundant_name(artRedundant redundant);
ART_API const char *art_partition_name(artPartition partition);
ART_API const char *art_newton_name(artNewton newton);
ART_API const char *art_projections_name(artProjections projections);

// The motion of one coordinate in an inverse study, a formula of time.
typedef struct artMotionDef {
  const char *coordinate; // "pin.angle", "base.qw"
  const char *formula;
} artMotionDef;
typedef struct artMotions {
  int count;
  const artMotionDef *item;
} artMotions;

// The equilibrium at which a study works (art_find_start).
typedef struct artStartDef {
  int at_equilibrium; // 0: at the initial state; of no account in a study of type equil
  int nearest;        // the equilibrium nearest to the initial state, stable or not
  double speed;       // steady motion at this speed instead of rest, m/s
} artStartDef;

// How multi-index chooses its steps; 0 is the default of each. With T the error of a step over what it may be,
// the next step is  (safety / T)^(1/2)  times as long, within the limits.
typedef struct artSteering {
  double safety;            // 0.8
  double growth, shrink;    // largest and least factor from one step to the next: 2, 0.1
  double longest, shortest; // steps, s: 10 ms or a hundredth of the duration; 1e-4 of the longest
  double leave_3,
      leave_1;       // s: index 3 is left below the first, index 1 above the second: 0.1 ms, twice
                     // that
  double reductions; // of one step in a row, after which index 3 is left: 5
  double local;      // error of the trapezoidal rule per second, in units of the coordinates:
                     // 5e-5 over the duration; any where energy_upper is given
  double energy;     // J, to which errors of the energy relate: the largest so far
} artSteering;

// Motion in time (art_create_run).
typedef struct artRunDef {
  double from, until; // s
  double interval;    // between outputs, s; 0: follows the motion (art_run_next)
  artMethod method;
  artBackend backend;
  artIntegrator integrator;
  artAlgebra algebra;
  artRedundant redundant; // semirecursive
  artPartition partition; // closed loops, not in natural coordinates

  // The same by hand: names of joints and coordinates, with commas or blanks between them; NULL or "": not by hand. A
  // joint stands for all its coordinates. They are the independent ones until they no longer determine the others, from
  // where on the run chooses by full pivoting.
  const char *independent;
  artNewton newton; // bdf

  // Step of rk4, first step otherwise (0: automatic), s. In natural coordinates the step, the first one
  // of multi-index; 0: 1 ms or a thousandth of the duration, whichever is shorter.
  double step;
  artStartDef start;

  // Relative; absolute is a thousandth of it. In natural coordinates a tenth of it, 1e-12 or more, in
  // units of the machine's size, is what ends the iterations.
  double tolerance;

  // recursive and augmented: loops that are open close by  phi'' + 2 alpha phi' + beta^2 phi = 0
  // (Baumgarte), and all constraints of index1 with ART_PROJECTIONS_BAUMGARTE; 10 1/s each
  double alpha, beta;

  // onto the constraints, after every step: in natural coordinates, recursive and augmented; the latter
  // know no tangent
  artProjections projections;

  // natural coordinates; 0 is the default of all but the spectral radius
  double penalty;         // of the augmented Lagrangian, kg; 0: automatic
  double spectral_radius; // index3: at high frequency, 0 .. 1; 1: the trapezoidal rule
  double hht;             // index3: alpha of Hilber, Hughes and Taylor instead, -1/3 .. 0
  int whole_steps; // not multi-index: no event is located, no step divided; one that fails ends the run
  int iterations; // most in a step; 0: automatic
  int forces_at_ends; // conserving: forces without a potential as the mean of both ends, not at the middle
  double energy_upper, energy_lower; // multi-index: error of the energy in a step, relative, above
                                     // which it is taken again, below which the next one is longer
  artSteering steering;              // multi-index, besides these
} artRunDef;

// Static equilibrium, or steady motion of a vehicle (art_find_start).
typedef struct artEquilDef {
  artMethod method;
  artBackend backend;
  artStartDef start;
} artEquilDef;

// Linearised matrices, eigenvalues and modes (art_linearise).
typedef struct artLinearDef {
  artMethod method;
  artBackend backend;
  artStartDef start;
} artLinearDef;

// Forces along a given motion (art_inverse_at).
typedef struct artInverseDef {
  double from, until, interval; // s; interval 0: as close as the motion needs
  artMotions motion;
  artNames
      actuators; // coordinates whose forces make the motion; none: the independent ones. Drives act in any case.
} artInverseDef;

// Wheels of an axle through their travel (art_find_kinematics).
typedef struct artKinematicsDef {
  artNames wheels;      // frames: origin the wheel centre, y the spin axis, pointing left
  artNames hold;        // joints that keep their positions
  double bump, rebound; // how far wheels go up and down, m
  int steps;            // each way
  int is_opposite;      // wheels of the right side go down while the left ones go up
  double radius;        // loads act so far below the wheel centre, m
  double longitudinal, lateral, aligning; // loads on every wheel, N, N, N m
} artKinematicsDef;

// Frequency response to the road (art_find_response).
typedef struct artResponseDef {
  artMethod method;
  artBackend backend;
  artNames tyres;             // force elements; none: all tyres
  artNumbers factors, delays; // none or one for each tyre; height of the road under each:
                              // factor e^(j w (t - delay)); 1, s
  double from, to;            // frequencies, Hz
  int count;                  // of frequencies, by equal factors
  artStartDef start;
} artResponseDef;

// The word of a run for `method` in model files, where "generated" names the back end.
ART_API const char *art_run_method_name(const artRunDef *run);

// The integrator that a run begins with: "dopri5" where it is automatic.
ART_API const char *art_run_integrator_name(const artRunDef *run);

// Definitions with the defaults of model files.
ART_API artRunDef art_default_run(void);
ART_API artEquilDef art_default_equil(void);
ART_API artLinearDef art_default_linear(void);
ART_API artInverseDef art_default_inverse(void);
ART_API artKinematicsDef art_default_kinematics(void);
ART_API artResponseDef art_default_response(void);

// A study of a model: a name, and the definition of its type.
typedef struct artStudyDef {
  const char *name; // "study" when the file has a single one
  artStudyType type;
  union {
    artRunDef run;
    artEquilDef equil;
    artLinearDef linear;
    artInverseDef inverse;
    artKinematicsDef kinematics;
    artResponseDef response;
  };
  artNames design; // parameters that are to be chosen by it (art_parameter_is_design)
} artStudyDef;

ART_API artStudyDef art_default_study(artStudyType type);
ART_API artStatus art_add_study(artBuilder *builder, const artStudyDef *study);

// Set one key of a study as a model file would, quantities with units included: "alpha", "5 1/s". Lists
// (motion, wheels ...) are not taken, but for "independent", whose value must last as long as the study. On failure the
// study is as before.
ART_API artStatus art_set_study(artStudyDef *study, const char *key, const char *value,
                                artError *error);

//---- asking a model ------------------------------------------------------------------------------

// How many bodies (ground not counted), joints, positions q, velocities v, loops, drives, outputs.
typedef struct artCounts {
  int bodies, joints, nq, nv, loops, forces, drives, outputs, studies;
  int states; // of the section states, of blocks, and of force elements
  int links;  // bodies of the internal tree, auxiliary ones of compound joints included
  int latches; // locks, latches and ropes; loops are those that the engaged ones of the start close, too
  int inputs;
  int held; // numbers that are constant between instants: inputs first, then memories of samplers
  int signals; // named formulas
} artCounts;
ART_API artCounts art_count(const artModel *model);

// The title; "" when there is none.
ART_API const char *art_title(const artModel *model);

// Names with their units: position k of nq ("pin.angle"), velocity k of nv ("pin.rate"), output k;
// NULL when there is no k-th.
ART_API const char *art_position_name(const artModel *model, int k);
ART_API const char *art_position_unit(const artModel *model, int k);
ART_API const char *art_velocity_name(const artModel *model, int k);
ART_API const char *art_velocity_unit(const artModel *model, int k);
ART_API const char *art_output_name(const artModel *model, int k);
ART_API const char *art_output_unit(const artModel *model, int k);

// State k of artData's s ("heat", "tyre_fl.kappa"), and its unit, "" where none is known.
ART_API const char *art_state_name(const artModel *model, int k);
ART_API const char *art_state_unit(const artModel *model, int k);

// Index of a name, or -1. A body is an index from 1 (0 is ground); a frame is for art_frame_*.
ART_API int art_find_body(const artModel *model, const char *name);
ART_API int art_find_frame(const artModel *model,
                           const char *name); // "body.frame", "body", "ground"
ART_API int art_find_position(const artModel *model, const char *name);
ART_API int art_find_velocity(const artModel *model, const char *name);
ART_API int art_find_state(const artModel *model, const char *name);
ART_API int art_find_input(const artModel *model, const char *name);

// The study of this name, or with NULL the first of the type; NULL when there is none.
ART_API const artStudyDef *art_find_study(const artModel *model, artStudyType type,
                                          const char *name);

// The definition of the run of this name, or with NULL of the first run; NULL when there is none.
ART_API const artRunDef *art_find_run(const artModel *model, const char *name);

// A 64-bit fingerprint of everything that determines results: files with the same meaning have the
// same one, whatever their layout.
ART_API unsigned long long art_model_hash(const artModel *model);

#ifdef __cplusplus
}
#endif

#endif
