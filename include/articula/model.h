// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The machine as data: read from a file or built call by call, then compiled into a constant model.
//
// A machine is a graph of bodies and joints with forces, drives, initial values, outputs and
// studies. Items are referred to by user-defined names, not by indices; a frame or point of a body
// is written `body.frame`, a coordinate of a joint `joint.coordinate`. SI units, radians,
// right-handed frames, Z up. Quaternions are (w, x, y, z). A compiled model is constant and may be
// shared by many threads.
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
  double rotation[4]; // quaternion (w, x, y, z); need not be normalised, must not be zero
} artPose;

// The identity: no displacement, no rotation.
ART_API artPose art_default_pose(void);

//---- reading -------------------------------------------------------------------------------------

// Read a model file (doc/reference/model) and compile it. On failure *model is NULL and
// error says where, what was found and what to do.
ART_API artStatus art_load_model(artModel **model, const char *path, artError *error);

// The same from memory; `name` replaces the file name in messages, and relative includes start from
// its folder.
ART_API artStatus art_read_model(artModel **model, const char *text, size_t length,
                                 const char *name, artError *error);

// A parameter of a model file, or an initial value, and the number that replaces the one in the
// file, in SI units. Parameters of included files are prefixed with the name of the include
// ("front/track"); names with a dot are coordinates and velocities ("pin.angle").
typedef struct artSetting {
  const char *name;
  double value;
} artSetting;

// Read a model file with other values. A name that is not in the file gives ART_BAD_INPUT with a
// suggestion; so does a name that is given twice.
ART_API artStatus art_load_model_with(artModel **model, const char *path, int n,
                                      const artSetting *setting, artError *error);

// List all errors of a model file; art_load_model and art_load_model_with report only the first.
// Calls `tell` for each error in the order of position, a hundred at most. Errors that follow from
// other errors are left out, and nothing is checked after a syntax error. The file is read once for
// each error. Returns the number of errors, 0 for a valid file, -1 for a programming error.
ART_API int art_list_mistakes(const char *path, int n, const artSetting *setting,
                              void (*tell)(void *context, const artError *error), void *context);

// Accepts NULL.
ART_API void art_free_model(artModel *model);

// Warnings: legal input that is probably not intended, such as angles of more than a turn without a
// unit, or a force at the origin of a body that has no position. "file:line:column: ..."; NULL
// after the last.
ART_API const char *art_model_warning(const artModel *model, int i);

//---- parameters ----------------------------------------------------------------------------------

// The parameters of a model in order; parameters of included files are prefixed ("front/track").
// Unknown names and indices give -1, NULL or NAN. Values are in SI units. art_parameter_is_formula:
// 1 if the file defines it by a formula of other parameters.
ART_API int art_count_parameters(const artModel *model);
ART_API int art_find_parameter(const artModel *model, const char *name);
ART_API const char *art_parameter_name(const artModel *model, int i);
ART_API const char *art_parameter_unit(const artModel *model, int i); // "" if it has none
ART_API double art_parameter_value(const artModel *model, int i);
ART_API int art_parameter_is_formula(const artModel *model, int i);

// Help text, "" if there is none. art_parameter_limits returns 0 if the parameter has no limits;
// values outside the limits are always rejected. art_parameter_is_design: 1 if it is a design
// parameter of this study (NULL: of any study).
ART_API const char *art_parameter_help(const artModel *model, int i);
ART_API int art_parameter_limits(const artModel *model, int i, double limits[2]);
ART_API int art_parameter_is_design(const artModel *model, int i, const char *study);

// Change a parameter of a model that was read from a file, between steps or between runs. The model
// becomes bit-identical to that of art_load_model_with for this value, at the same address. A
// parameter defined by a formula becomes a number. Names, studies and definitions that the model
// has returned stay valid and show the new values; files are not read again. Allocates only if a
// law or a road needs another amount of memory than before.
//
// Data blocks update themselves at their next call and keep their state; call art_reset for initial
// values that the parameter changes. A run continues from its state with a restarted integrator,
// and closes loops with the new lengths. Models built by a program, not read, refuse the change:
// build them again. No other thread may use the model during the call.
//
// A value that the file could not have is rejected in the same way; so is a value that changes the
// structure (bodies, cuts, coordinates; a body that becomes a thin rod): load the model again
// instead. After a rejection the model is unchanged.
ART_API artStatus art_set_parameter(artModel *model, const char *name, double value,
                                    artError *error);

// Number of parameter changes of the model so far.
ART_API unsigned art_model_revision(const artModel *model);

//---- user functions ------------------------------------------------------------------------------

// Forces and constraints of a model file may name user functions (articula/user.h,
// doc/reference/user-functions.md). Reading a model loads no code: the functions below attach it,
// and a study that needs a function without code returns an error. Attach before the model is
// shared with other threads.

// Attach one function by its name in the model file; a constraint needs NAME and NAME_bias. x and y
// are the arguments of articula/user.h; a status other than ART_OK ends the study. An unknown name
// gives ART_BAD_INPUT with a suggestion.
typedef artStatus artFunction(void *context, const double *x, double *y);
ART_API artStatus art_attach_function(artModel *model, const char *name, artFunction *function,
                                      void *context, artError *error);

// Attach all functions that a shared object defines and that are not attached yet, under the names
// NAME, NAME_ (Fortran), user_NAME and user_NAME_ (names in generated code), in this order. The
// model keeps the object open until it is freed. An object that cannot be opened, or that defines
// none of them, gives ART_BAD_INPUT.
ART_API artStatus art_attach_library(artModel *model, const char *path, artError *error);

// Attach the law of a force that the model file leaves to the host program, `motor: {type:
// callback}`; def->name is its name in the file. Potential and context as in art_add_callback.
typedef struct artCallbackDef artCallbackDef;
ART_API artStatus art_attach_force(artModel *model, const artCallbackDef *def, artError *error);

// A value that the host program computes from a state of the machine; the data is at an output
// instant.
typedef double artValue(void *context, const artModel *model, artData *data);

// Compute the value of an input by a function, at its instants k * every: the function sees the
// machine just before the instant, and the value is held until the next one. ART_BAD_INPUT for an
// unknown input, an input without `every` and an input of first order. A value that art_set_input
// would reject ends the study.
ART_API artStatus art_attach_input(artModel *model, const char *name, artValue *value,
                                   void *context, artError *error);

// Let an input follow a table of n rows, in runs and in searches of their start. value[k] applies
// from time[k] on (s, not decreasing; of held values at the same time the last applies). The input
// is held or linear between rows, as its `hold` says; the first value applies before the table, the
// last one after it. Steps end at the rows, and no other source may set the input. A row that is
// not finite, out of order or outside the limits gives ART_BAD_INPUT. The table is copied; a later
// one replaces it. Call it before data blocks are created.
ART_API artStatus art_attach_table(artModel *model, const char *name, int n, const double *time,
                                   const double *value, artError *error);

// Add an output after the outputs of the model; art_outputs computes it with them at every row. Its
// name must be new; the unit may be NULL. Call it before data blocks, runs and arrays of outputs
// are created.
typedef struct artOutputDef {
  const char *name;
  const char *unit;
  artValue *value;
  void *context;
} artOutputDef;
ART_API artStatus art_attach_output(artModel *model, const artOutputDef *def, artError *error);

// ART_OK if all functions have code; else an error for the first that has none, with the place that
// names it.
ART_API artStatus art_check_functions(const artModel *model, artError *error);

//---- building ------------------------------------------------------------------------------------

// Every art_add_* copies its arguments. The builder stores the first error, and all later calls
// return it, so it is enough to check once, at art_compile_model. A NULL builder is one that could
// not be created: calls return ART_NO_MEMORY.
ART_API artBuilder *art_create_builder(void);
ART_API void art_free_builder(artBuilder *builder); // accepts NULL

// Create the constant model. The builder can be used further and must still be freed.
ART_API artStatus art_compile_model(artModel **model, artBuilder *builder, artError *error);

// The title for reports (NULL: none), and the gravity vector in ground, (0, 0, -9.81) m/s^2 by
// default.
ART_API artStatus art_set_title(artBuilder *builder, const char *title);
ART_API artStatus art_set_gravity(artBuilder *builder, const double gravity[3]);

// A number that run-time formulas may use by name. The value is in the given unit ("m", "N/mm",
// NULL: none); NULL may be combined with any unit.
ART_API artStatus art_add_parameter(artBuilder *builder, const char *name, double value,
                                    const char *unit);

//---- solids --------------------------------------------------------------------------------------

// Solids of uniform density, which determine mass, centre of mass and inertia. Their pose is that
// of their centre; round solids have their axis along their own z axis.
typedef enum artSolidType {
  ART_SOLID_BOX,
  ART_SOLID_CYLINDER,
  ART_SOLID_SPHERE,
  ART_SOLID_TUBE,
  ART_SOLID_CONE, // or a frustum; its pose is at half its length
  ART_SOLID_CAPSULE,
  ART_SOLID_ELLIPSOID,
  ART_SOLID_MESH,
  ART_SOLID_TYPES
} artSolidType;

typedef struct artSolidDef {
  artSolidType type;
  double size[3];   // box: edges; ellipsoid: diameters
  double radius;    // cylinder, sphere, capsule; tube: outside; cone: at its lower end
  double inner;     // tube: inner radius, >= 0
  double top;       // cone: radius at its upper end, >= 0
  double length;    // cylinder, tube, cone; capsule: between the centres of its caps
  const char *file; // mesh: name for messages, or NULL
  double scale;     // mesh: m per unit of its vertices
  int nvertex;
  const double *vertex; // [nvertex][3]
  int ntriangle;
  const int *triangle; // [ntriangle][3] of a closed surface, counter-clockwise seen from outside
  double density;      // kg/m^3; 0: determined by `mass`, or by the mass of the body
  double mass;         // kg, before holes are subtracted; 0: determined by density
  int is_hole;         // 1: a hole in the solid before it, without density and mass
  artPose pose;        // in the body
  double axis[3];      // its z axis, in the frame of its pose; any length
  int colour;          // 0xrrggbb; -1: automatic
} artSolidDef;
ART_API artSolidDef art_default_solid(void);

typedef struct artSolidInertia {
  double volume; // m^3
  double mass;
  double com[3];
  double inertia[6]; // xx yy zz xy xz yz of the tensor about com
  int turned;        // meshes whose triangles were all clockwise and have been reversed
} artSolidInertia;

// Mass, centre of mass and inertia of several solids together. mass > 0: the total mass, to which
// densities are scaled; without densities, all are equal. mass = 0: each solid has a density or a
// mass. Meshes are checked: open or twisted surfaces, and holes that extend outside their solid,
// give ART_BAD_INPUT.
ART_API artStatus art_solid_inertia(int n, const artSolidDef *solid, double mass,
                                    artSolidInertia *inertia, artError *error);

//---- bodies --------------------------------------------------------------------------------------

typedef struct artBodyDef {
  const char *name;
  double mass;       // kg; 0: an auxiliary body, allowed if it carries others
  double com[3];     // centre of mass, in the body frame
  double inertia[6]; // xx yy zz xy xz yz of the tensor about the centre of mass, body axes
  int nsolid;        // solids instead of com and inertia, and of mass if that is 0
  const artSolidDef *solid;
  artPose pose;  // body frame in ground at the reference configuration, ...
  int has_pose;  // ... if 1. If 0, it follows from the frames of the joint that leads to the body,
                 // or coincides with ground if that joint is in_ground. With a joint that is not
                 // in_ground, a given pose must be the one that follows from its frames.
  int unchecked; // 1: accept an inertia that no solid can have, for instance from identification
} artBodyDef;

ART_API artBodyDef art_default_body(void);
ART_API artStatus art_add_body(artBuilder *builder, const artBodyDef *body);

// A named frame fixed in a body (or in "ground"); a point is a frame whose rotation is not used.
ART_API artStatus art_add_frame(artBuilder *builder, const char *body, const char *name,
                                const artPose *pose);

//---- visual shapes -------------------------------------------------------------------------------

// Shapes for viewers; they do not affect the motion. Their pose is that of their centre; cylinders
// and capsules have their axis along its z axis.
typedef enum artVisualType {
  ART_VISUAL_NONE, // draw nothing, not even a default shape
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
  int ntriangle;
  const int *triangle; // [ntriangle][3] counter-clockwise seen from outside
  artPose pose;        // in the body
  int colour;          // 0xrrggbb; -1: automatic
} artVisualDef;
ART_API artVisualDef art_default_visual(void);

// Add a shape to a body or to "ground"; a body with shapes is drawn by them only.
ART_API artStatus art_add_visual(artBuilder *builder, const char *body, const artVisualDef *visual);

//---- joints --------------------------------------------------------------------------------------

// Joint types; the comments give the names of their coordinates | velocities.
typedef enum artJointType {
  ART_FIXED,
  ART_REVOLUTE,    // angle | rate
  ART_PRISMATIC,   // slide | rate
  ART_SCREW,       // angle | rate ; slide = pitch * angle
  ART_CYLINDRICAL, // slide, angle | slide_rate, angle_rate
  ART_UNIVERSAL,   // angle1, angle2 | angle1_rate, angle2_rate
  ART_PLANAR,      // x, y, angle | x_rate, y_rate, angle_rate ; x, y in the frame of `from`
  ART_SPHERICAL,   // qw, qx, qy, qz | wx, wy, wz ; angular velocity of `to` in `from`, axes of `to`
  ART_FREE,        // x, y, z, qw, qx, qy, qz | vx, vy, vz, wx, wy, wz ; v = d(x, y, z)/dt
  ART_ROD,         // no coordinates: constant distance of two points; always closes a loop
  // Rolling without slip on the x-y plane of the frame `from`; no coordinates, always closes a loop.
  ART_ROLLING_DISC, // the rim of a thin disc
  ART_ROLLING_BALL, // a sphere
  ART_KNIFE_EDGE,   // a blade: its point stays in the plane and has no velocity sideways
  ART_JOINT_TYPES
} artJointType;

// The name of a joint type in model files ("revolute").
ART_API const char *art_joint_type_name(artJointType type);

// Constraint rows of a revolute joint that closes a loop, in addition to those of its point.
// BY_ANGLES: two axes of `from` are perpendicular to the axis of `to`. BY_VECTORS: the unit vectors
// along the axis in `from` and `to` are equal, three rows of which one is redundant.
typedef enum artClosing { ART_CLOSE_BY_ANGLES, ART_CLOSE_BY_VECTORS } artClosing;

// Rolling disc, rolling ball, knife edge: the surface in the frame of `from`. A sphere is about its origin, a cylinder about its z
// axis, a cone opens from the origin along z.
typedef enum artRollSurface {
  ART_ROLL_PLANE, // x-y
  ART_ROLL_SPHERE,
  ART_ROLL_CYLINDER,
  ART_ROLL_CONE
} artRollSurface;

typedef struct artJointDef {
  const char *name;
  artJointType type;
  const char *from, *to; // "ground", "crank" or "crank.tip": a body, or a frame of a body

  // in_ground = 1: the joint is at point `at` with its axes along `axis`, `axis2`, all in ground at
  // the reference configuration, where all coordinates are zero. in_ground = 0: the coordinates are
  // zero if the frames `from` and `to` (each moved by its offset) coincide; axis and axis2 are in
  // these frames, `at` is not used.
  int in_ground;
  double at[3];
  double axis[3];  // any length; default z. Revolute, prismatic, screw, cylindrical: the axis.
                   // Planar: the normal. Universal: the first axis, fixed in `from`.
  double axis2[3]; // Universal: the second axis, fixed in `to`, perpendicular to the first. Planar:
                   // direction of x (zero: automatic). Rolling disc: its axis, fixed in `to`. Knife
                   // edge: its sideways direction, fixed in `to`. Not used otherwise.
  double pitch;    // screw: slide in m per rad
  double rotor;    // one-dof joints: inertia of a geared rotor, referred to the joint, Jm G^2, in
                   // kg m^2 or kg; without gyroscopic effect
  artPose from_offset, to_offset; // of the joint's frames in `from` and `to`, when in_ground = 0
  double length;                  // rod: distance of its ends, the origins of `from` and `to` (0:
                                  // their distance at the reference configuration); rolling
                                  // disc and ball: the radius
  double mass;                    // rod: mass of a uniform thin bar between its ends; may be 0

  // 1: the joint is in the spanning tree; -1: it is a cut joint; 0: automatic
  int keep;
  artClosing closing; // revolute

  // what rolls or glides
  artRollSurface surface;
  int inside;            // 1: inside of a sphere, cylinder or cone; 0: outside
  double surface_radius; // of a sphere or cylinder
  double half_angle;     // of a cone, between its axis and its side, rad
  const char
      *road; // a road, whose heights are along z over the x-y plane of `from`; NULL: the surface
} artJointDef;

// art_default_joint_of returns the defaults of a joint type, as in model files: axes [x, y] for a
// universal joint, z for all others. art_default_joint returns a revolute joint, which programs may
// change to other types.
ART_API artJointDef art_default_joint_of(artJointType type);
ART_API artJointDef art_default_joint(void);
ART_API artStatus art_add_joint(artBuilder *builder, const artJointDef *joint);

// Initial value of a coordinate or velocity, e.g. ("pin.angle", 0.5), ("pin.rate", -1), ("base.qw",
// 1). Default: zero, and the unit quaternion (1, 0, 0, 0). Quaternions are normalised.
ART_API artStatus art_set_initial(artBuilder *builder, const char *coordinate, double value);

// The same as an initial guess: the coordinate may change when loops are closed, whereas
// coordinates with an initial value do not.
ART_API artStatus art_set_guess(artBuilder *builder, const char *coordinate, double value);

// Treatment of initial velocities that contradict the loops: 0: reject them (default), 1: project
// them to the nearest admissible ones.
ART_API artStatus art_set_projection(artBuilder *builder, int project);

//---- constraints other than joints ---------------------------------------------------------------

// A linear relation between coordinates: sum of coefficient[i] * coordinate[i] = constant, for
// gears, racks and screws. Output: force, the multiplier.
typedef struct artCouplingDef {
  const char *name;
  int n;
  const char *const *coordinate; // "pin.angle", or "pin" if the joint has one coordinate
  const double *coefficient;
  double constant;
} artCouplingDef;
ART_API artCouplingDef art_default_coupling(void);
ART_API artStatus art_add_coupling(artBuilder *builder, const artCouplingDef *def);

// A constraint of the host program, g(q) = 0, on the named coordinates. `value` returns g and its
// derivatives dg/dx[i]; `bias` returns the part of d2g/dt2 that remains at zero accelerations. Both
// must be pure functions. If `call` is used instead, the functions NAME and NAME_bias are attached
// to the model later. Output: force, the multiplier.
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

//---- unilateral and switching constraints --------------------------------------------------------

typedef enum artLatchType {
  ART_LOCK,  // fixes a coordinate, or a sum of them, at its value at engagement
  ART_LATCH, // fixes the relative pose of two frames at engagement
  ART_ROPE,  // keeps two points at most `length` apart: slack, without a constraint row, or taut,
             // with one
  ART_LATCH_TYPES
} artLatchType;
ART_API const char *art_latch_type_name(artLatchType type); // "lock", "latch", "rope"

// A constraint that acts while it is engaged. A lock or latch engages when the formula `engage`
// becomes positive, a latch also when its frames come closer than `distance`; it releases when
// `release` becomes positive. Formulas may read all outputs, including its own force. After a
// release it engages again only after `engage`, or the distance, has been beyond its limit. A rope
// becomes taut when its points are `length` apart and slack when its tension falls to zero.
// Engagement is an impact without rebound, M (v1 - v0) + J^T p = 0, J v1 = 0, with the rows of all
// constraints engaged at that instant. Studies other than runs use the constraints that are engaged
// at the start.
//
// Outputs: engaged (0 or 1), force (lock: along the sum; latch: magnitude; rope: tension); latch:
// also distance, fx fy fz, tx ty tz on `to` in ground axes; rope: also length and rate.
typedef struct artLatchDef {
  const char *name;
  artLatchType type;
  int engaged; // 1: at the start: a lock fixes the initial values, the frames of a latch coincide, a
               // rope is taut

  int n; // lock: sum of coefficient[i] * coordinate[i]; coefficient NULL: all are 1
  const char *const *coordinate;
  const double *coefficient;

  const char *from, *to; // latch: "body.frame", rope: points
  artJointType joint;    // latch: fixed, revolute, prismatic, cylindrical, planar or spherical
  double axis[3];        // latch: axis of the joint, in the frame `to`
  double distance;       // latch; 0: only `engage` applies
  double length;         // rope: > 0

  const char *engage, *release; // lock, latch: formulas, or NULL: never
} artLatchDef;
ART_API artLatchDef art_default_latch(void);
ART_API artStatus art_add_latch(artBuilder *builder, const artLatchDef *def);

//---- inputs, states and blocks -------------------------------------------------------------------
//
// Formulas of forces, conditions, outputs, rates and blocks use their names directly: "steer". With
// several states, a dot and the number follow: "heat.2". Units are SI units; NULL: any dimension.
// The formula of an item with a unit is checked against it.

typedef enum artHold {
  ART_HOLD_ZERO,  // constant until the input is set again
  ART_HOLD_FIRST, // linear from value to value (art_step)
  ART_HOLDS
} artHold;

// A value that the host program sets during the motion (art_set_input).
typedef struct artInputDef {
  const char *name;
  const char *unit;
  double initial;   // until it is set for the first time
  int has_limits;   // 0: any value is allowed
  double limits[2]; // lower and upper
  double every;     // s, intended period between settings; 0: unspecified
  artHold hold;
} artInputDef;
ART_API artInputDef art_default_input(void);
ART_API artStatus art_add_input(artBuilder *builder, const artInputDef *def);

// A list of numbers in a definition; the builder copies it.
typedef struct artNumbers {
  int count;
  const double *value;
} artNumbers;

// First-order states: ds/dt = rate, a formula of any quantities, including accelerations and
// reactions. The numbers of initial values and rates are equal.
typedef struct artStateDef {
  const char *name;
  const char *unit; // of the state, not of its rate
  artNumbers initial;
  artNames rate;
} artStateDef;
ART_API artStateDef art_default_state(void);
ART_API artStatus art_add_state(artBuilder *builder, const artStateDef *def);

// Blocks with a clock are samplers. At t = offset + k every, k = 0, 1, 2 ..., all blocks that are
// due are evaluated in the order of the data flow: they read the machine just before the instant,
// and the new values of other blocks of that instant. Results are held until the next instant.

// A block defined by a named formula.
typedef struct artFormulaBlockDef {
  const char *name;
  const char *unit;
  const char *value;
  double every, offset; // s; every = 0: continuous
  double initial;       // sampler: before its first instant
} artFormulaBlockDef;
ART_API artFormulaBlockDef art_default_formula_block(void);
ART_API artStatus art_add_formula_block(artBuilder *builder, const artFormulaBlockDef *def);

// Sample and hold: the value of a formula at sample instants, delayed by `delay` samples.
typedef struct artSampleBlockDef {
  const char *name;
  const char *unit;
  const char *input;
  double every, offset; // s; every > 0
  int delay;            // whole samples
  double initial;       // until the first delayed sample
} artSampleBlockDef;
ART_API artSampleBlockDef art_default_sample_block(void);
ART_API artStatus art_add_sample_block(artBuilder *builder, const artSampleBlockDef *def);

// The blocks below are continuous, or samplers if they have a clock. Gains, times and limits are
// formulas too, of any quantities; NULL: the default.

// PID controller: u = kp e + I + D within the limits, dI/dt = ki e, filter dD/dt + D = kd dx/dt
// with x = e or -measured. Anti-windup: the integral stays within the limits, or follows the
// limited value with the time constant `tracking`.
typedef struct artPidBlockDef {
  const char *name, *unit;
  const char *input;    // the error e
  const char *measured; // or NULL
  const char *kp, *ki, *kd;
  const char *filter;   // s
  artNames limits;      // lower and upper, or none
  const char *tracking; // s
  double initial;       // of the integral
  double before;        // x of the derivative before the start
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
  double initial;       // at rest; continuous blocks only
  double every, offset; // s; every 0: continuous
} artSecondOrderBlockDef;
ART_API artSecondOrderBlockDef art_default_second_order_block(void);
ART_API artStatus art_add_second_order_block(artBuilder *builder,
                                             const artSecondOrderBlockDef *def);

// A proper rational function of s; coefficients of the highest power first.
typedef struct artTransferFunctionBlockDef {
  const char *name, *unit, *input;
  artNumbers numerator, denominator;
  double before;        // input whose steady state is the initial state
  double every, offset; // s; every 0: continuous
} artTransferFunctionBlockDef;
ART_API artTransferFunctionBlockDef art_default_transfer_function_block(void);
ART_API artStatus art_add_transfer_function_block(artBuilder *builder,
                                                  const artTransferFunctionBlockDef *def);

// dy/dt = gain u, within limits
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

// The input delayed by a constant time: exact if sampled, else a Padé approximation.
typedef struct artDelayBlockDef {
  const char *name, *unit, *input;
  double delay; // s
  int order;    // of the Padé approximation, 1 to 10; continuous blocks only
  double before;
  double every, offset; // s; every 0: continuous
} artDelayBlockDef;
ART_API artDelayBlockDef art_default_delay_block(void);
ART_API artStatus art_add_delay_block(artBuilder *builder, const artDelayBlockDef *def);

// Rate limiter: y follows the input at a bounded rate; a continuous one settles with a time
// constant.
typedef struct artRateLimiterBlockDef {
  const char *name, *unit, *input;
  const char *rising, *falling; // positive, per second
  const char *time;             // s; continuous blocks only
  double initial;
  double every, offset; // s; every 0: continuous
} artRateLimiterBlockDef;
ART_API artRateLimiterBlockDef art_default_rate_limiter_block(void);
ART_API artStatus art_add_rate_limiter_block(artBuilder *builder,
                                             const artRateLimiterBlockDef *def);

// Saturation: the input limited to a band. Dead band: zero inside, the distance to the nearest
// limit outside.
typedef struct artBandBlockDef {
  const char *name, *unit, *input;
  artNames limits;      // two
  double every, offset; // s; every 0: continuous
} artBandBlockDef;
ART_API artBandBlockDef art_default_saturation_block(void);
ART_API artStatus art_add_saturation_block(artBuilder *builder, const artBandBlockDef *def);
ART_API artBandBlockDef art_default_dead_band_block(void);
ART_API artStatus art_add_dead_band_block(artBuilder *builder, const artBandBlockDef *def);

// A relay: switches on above the upper threshold and off below the lower one.
typedef struct artRelayBlockDef {
  const char *name, *unit, *input;
  artNames band;        // lower and upper threshold
  artNames values;      // off and on; none: 0 and 1
  int on;               // sampled: 1 if on before the first instant
  double every, offset; // s; every 0: continuous
} artRelayBlockDef;
ART_API artRelayBlockDef art_default_relay_block(void);
ART_API artStatus art_add_relay_block(artBuilder *builder, const artRelayBlockDef *def);

// A curve (art_add_curve) of the input, or a two-dimensional table (art_add_map) of two inputs.
typedef struct artTableBlockDef {
  const char *name, *unit, *input;
  const char *second; // or NULL
  const char *curve;
  double every, offset; // s; every 0: continuous
} artTableBlockDef;
ART_API artTableBlockDef art_default_table_block(void);
ART_API artStatus art_add_table_block(artBuilder *builder, const artTableBlockDef *def);

// Sensors: readings of the machine, y = gain x + bias within limits; sampled readings may be
// quantised and delayed. Vectors have the components x, y and z. Each sensor type reads only the
// fields named above its functions.
typedef struct artSensorDef {
  const char *name;
  const char *unit;       // of the reading; NULL: that of the quantity
  const char *frame;      // measured body or frame
  const char *relative;   // reference frame, or NULL: ground
  const char *axes;       // frame for the components, or NULL
  const char *between[2]; // two points or frames, for distance and angle
  const char *joint;      // for force and torque on `to`, at the joint
  const char *value;      // for quantity: a formula
  int axis;               // for angle: 0, 1 or 2 for x, y, z of both frames
  int gravity;            // for acceleration; 1: a - g, as accelerometers measure
  const char *gain;       // NULL: 1
  artNames bias;          // none, one, or one for each component
  artNames limits;        // none, or lower and upper
  const char *resolution; // sampled: quantisation step, or NULL
  double delay;           // s, a multiple of every
  double initial;         // sampled: before the first sample
  double every, offset;   // s; every 0: continuous
} artSensorDef;
// frame, relative, axes (default: the axes of relative)
ART_API artSensorDef art_default_position_sensor(void);
ART_API artStatus art_add_position_sensor(artBuilder *builder, const artSensorDef *def);
// the same fields; velocity relative to a frame that may rotate
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
// joint, axes (default: the axes of ground)
ART_API artSensorDef art_default_torque_sensor(void);
ART_API artStatus art_add_torque_sensor(artBuilder *builder, const artSensorDef *def);
// between; has the component `rate` if it has no bias, limits or resolution
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
  ART_LAW_POLYNOMIAL, // f = c[0] x + c[1] x^2 + ... ; n coefficients, in f
  ART_LAW_PIECEWISE,  // linear between (x[i], f[i]), end slopes continued
  ART_LAW_TABLE,      // cubic spline through (x[i], f[i]), end slopes continued
  ART_LAW_SEGMENTS,   // n polynomials c[0] + c[1] x + ..., `width` coefficients each in a row of f,
                      // continuous at the n - 1 break points x[i]
  ART_LAW_AIR,        // air spring: f = A (p_a - p0 (V0/(V0 + A x))^n)
} artLawType;

// Gas in a cylinder; pressures are absolute, in Pa.
typedef struct artAirDef {
  double pressure; // p0, at x = 0
  double area;     // A in m^2 (m^3/rad for an angle); negative if the volume shrinks as x grows
  double volume;   // V0 in m^3, at x = 0
  double exponent; // n: 1 isothermal, 1.4 adiabatic
  double ambient;  // p_a
} artAirDef;

typedef struct artLawDef {
  artLawType type;
  double coefficient;
  int n;
  const double *x, *f;
  int width; // ART_LAW_SEGMENTS: coefficients per polynomial
  artAirDef air;
} artLawDef;

//---- curves --------------------------------------------------------------------------------------

// A curve f(x) through points, n >= 2 with x increasing, end slopes continued. Every formula of
// time may call it by name: path(car.x). Smooth (a natural cubic spline) or linear between points.
// Units of argument and value are checked; NULL is compatible with every unit and means SI.
typedef struct artCurveDef {
  const char *name; // letters, digits and _
  int n;
  const double *x, *f;
  int is_piecewise;
  const char *x_unit, *f_unit; // or NULL
} artCurveDef;
ART_API artStatus art_add_curve(artBuilder *builder, const artCurveDef *def);

// A two-dimensional table f(x, y), nx rows of ny values, called with two arguments: grip(load,
// speed). Smooth (natural cubic splines in both directions) or bilinear, end slopes continued.
typedef struct artMapDef {
  const char *name; // letters, digits and _
  int nx, ny;       // at least 2
  const double *x, *y;
  const double *f; // [nx ny], f[i * ny + j] at x[i], y[j]
  int is_piecewise;
  const char *x_unit, *y_unit, *f_unit; // or NULL
} artMapDef;
ART_API artStatus art_add_map(artBuilder *builder, const artMapDef *def);

//---- forces --------------------------------------------------------------------------------------

// art_default_* returns the defaults of the model file (doc/reference/model):
// art_default_joint_stop() has no limits, art_default_drag() the density of air, and so on. Set
// only fields that differ. ART_UNSET marks a number whose default follows from other fields.
#define ART_UNSET (-1.7e308)

// Stops: beyond a limit by d > 0, the restoring force on the length or coordinate is F = k d (1 + c
// ddot), F >= 0. -INFINITY or INFINITY: no such limit; k = 0: no stops at all.
typedef struct artStopsDef {
  double lower, upper;
  double stiffness; // k >= 0
  double damping;   // c >= 0, in s/m
} artStopsDef;

// Spring and damper between two points, and stops on the length. Tension
// F = spring(length - free_length) + damper(d length/dt). Outputs: length, rate, force.
typedef struct artSpringDamperDef {
  const char *name;
  const char *from, *to; // points: "body.frame", "body" (its origin), "ground"
  double free_length;
  artLawDef spring, damper;
  artStopsDef stops;
} artSpringDamperDef;
ART_API artSpringDamperDef art_default_spring_damper(void);
ART_API artStatus art_add_spring_damper(artBuilder *builder, const artSpringDamperDef *def);

// A force along the line between two points, by a formula of time, parameters and outputs,
// including its own length and rate, or by a user function F(Z, Zd, t). Outputs: length, rate,
// force (tension is positive).
typedef struct artLinkForceDef {
  const char *name;
  const char *from, *to;
  const char *formula; // NULL if `call` is used
  artCallDef call;
} artLinkForceDef;
ART_API artLinkForceDef art_default_link_force(void);
ART_API artStatus art_add_link_force(artBuilder *builder, const artLinkForceDef *def);

// A rope through points in order, over pulleys without size and friction: x is the total length of
// its spans. If x exceeds the free length by d > 0, the tension is T = k d (1 + c ddot), T >= 0; a
// slack rope exerts no force. Outputs: length, rate, force (the tension).
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

// Stops: beyond a limit by d > 0, the restoring force on the coordinate is F = k d (1 + c ddot), F
// >= 0. -INFINITY or INFINITY: no such limit. Output: force.
typedef struct artJointStopDef {
  const char *name;
  const char *coordinate;
  double lower, upper;
  double stiffness; // k > 0
  double damping;   // c >= 0, in s/m or s/rad
} artJointStopDef;
ART_API artJointStopDef art_default_joint_stop(void);
ART_API artStatus art_add_joint_stop(artBuilder *builder, const artJointStopDef *def);

// Regularised dry friction with Stribeck effect (v = dx/dt):
//   Q = -[(coulomb + (breakaway - coulomb) exp(-(v/stribeck)^2)) tanh(v/transition) + viscous v]
// Output: force.
typedef struct artJointFrictionDef {
  const char *name;
  const char *coordinate;
  double coulomb;    // >= 0
  double breakaway;  // static friction, >= coulomb; ART_UNSET: coulomb
  double stribeck;   // > 0 if breakaway > coulomb; ART_UNSET: 10 * transition
  double transition; // > 0
  double viscous;    // >= 0
} artJointFrictionDef;
ART_API artJointFrictionDef art_default_joint_friction(void);
ART_API artStatus art_add_joint_friction(artBuilder *builder, const artJointFrictionDef *def);

// A force or torque on a joint coordinate, positive along it, by a formula of time, parameters and
// outputs, "2*sin(3*time) - 0.1*pin.rate", or by a user function Q(q, qd, t). Output: force.
typedef struct artJointForceDef {
  const char *name;
  const char *coordinate;
  const char *formula; // NULL if `call` is used
  artCallDef call;
} artJointForceDef;
ART_API artJointForceDef art_default_joint_force(void);
ART_API artStatus art_add_joint_force(artBuilder *builder, const artJointForceDef *def);

// Apply a force element of a joint coordinate to a linear combination of several instead: x = sum
// of coefficient[i] coordinate[i]. A force F along x acts on coordinate[i] as coefficient[i] F. x
// has the unit of the first coordinate. A spring on {left: 1, right: -1} is an anti-roll bar,
// friction on it a limited-slip differential; a torque on {left: 0.5, right: 0.5} is split by an
// open differential.
ART_API artStatus art_set_combination(artBuilder *builder, const char *force, int n,
                                      const char *const *coordinate, const double *coefficient);

// A brake on a joint coordinate: Q = -demand tanh(v/transition), v = dx/dt. Under a load it creeps
// at about transition * load/demand. The demand is a formula, in N or N m. Output: force.
typedef struct artBrakeDef {
  const char *name;
  const char *coordinate;
  const char *demand;
  double transition; // > 0, unit of the rate
} artBrakeDef;
ART_API artBrakeDef art_default_brake(void);
ART_API artStatus art_add_brake(artBuilder *builder, const artBrakeDef *def);

// Path of a driver: lateral position y over x, in ground axes.
typedef enum artPathType {
  ART_PATH_CURVE,       // a curve of the model
  ART_PATH_LANE_CHANGE, // centre line of the obstacle avoidance track of ISO 3888-2
  ART_PATH_CIRCLE,      // straight along x to `start`, then a circle (as in ISO 4138)
  ART_PATH_SLALOM,      // a sine past pylons, of growing amplitude from `start` on
} artPathType;

typedef struct artPathDef {
  artPathType type;
  const char *curve; // ART_PATH_CURVE: name of the curve
  double start;      // x of its start, m
  double width;      // of the vehicle, m; determines the lane widths of ISO 3888-2
  double radius;     // of the circle, m; negative to the right
  double spacing;    // between pylons, m: half a period
  double amplitude;  // of the sine, m
  double ramp;       // distance over which the amplitude grows, m
} artPathDef;

// A driver who steers by a preview point, which is L = hypot(distance, time u) ahead of the origin
// of `frame` along its x axis; u is the speed along that axis, e the distance of the path to the
// left of the point.
//   wanted = limit tanh(gain e / (L limit)),  Q = stiffness (wanted - x) - damping dx/dt
// on the steering coordinate x. Outputs: force, angle (wanted), error (e).
typedef struct artDriverDef {
  const char *name;
  const char *coordinate;
  const char *frame; // of the vehicle: "car", "car.nose"
  artPathDef path;
  double distance; // > 0, m
  double time;     // >= 0, s
  double gain;     // steering angle per angle to the path
  double limit;    // > 0, largest wanted angle
  double stiffness, damping;
} artDriverDef;
ART_API artDriverDef art_default_driver(void);
ART_API artStatus art_add_driver(artBuilder *builder, const artDriverDef *def);

// A cruise control: Q = gain (speed - u), smoothly limited to `drive` and `brake`; u is the speed
// of a frame along its x axis. Outputs: force, speed (u).
typedef struct artCruiseDef {
  const char *name;
  const char *coordinate;
  const char *frame;
  const char *speed;   // set speed, a formula, m/s
  double gain;         // > 0
  double drive, brake; // > 0, largest Q forward and backward
} artCruiseDef;
ART_API artCruiseDef art_default_cruise(void);
ART_API artStatus art_add_cruise(artBuilder *builder, const artCruiseDef *def);

// A motor with a gear: Q = G T with rotor torque T = k i - b w, w = G dx/dt, and current L di/dt =
// u - R i - k w (algebraic if L = 0); or with the torque T given by a formula. Formulas may read
// `NAME.speed`. Outputs: force (Q), torque (T), speed (w), power (u i, or T w); with a voltage also
// voltage, current.
typedef struct artMotorDef {
  const char *name;
  const char *coordinate;
  const char *voltage, *torque; // formulas in V or N m; exactly one is given
  double constant;              // k, N m/A, > 0 with a voltage
  double resistance;            // R, Ohm, > 0 with a voltage
  double inductance;            // L, H, >= 0
  double gear;                  // G: rad of the rotor per m or rad of the coordinate
  double friction;              // b, N m s/rad, >= 0
  const char *limit;            // formula, largest |T| in N m; NULL: none
  double most;                  // largest |i|, A; 0: no limit
  double current;               // i at the start, A
} artMotorDef;
ART_API artMotorDef art_default_motor(void);
ART_API artStatus art_add_motor(artBuilder *builder, const artMotorDef *def);

// A hydraulic cylinder between two points, with a 4/3 valve: pressure in chamber a pushes the
// points apart, in chamber b it pulls them together. The equations are in
// src/element/hydraulic_cylinder.c. Outputs: length, rate, force (tension), pressure_a, pressure_b,
// flow_a, flow_b (into the chambers), opening.
typedef struct artHydraulicCylinderDef {
  const char *name;
  const char *from, *to;
  double shortest, stroke; // m
  double area_a, area_b;   // m^2
  double dead_a, dead_b;   // m^3, dead volume of each chamber at its end of the stroke
  double bulk;             // Pa, bulk modulus
  double flow, drop;       // m^3/s through the open valve at this pressure drop (Pa) over an edge
  const char *opening;     // formula, -1 to 1
  double supply, tank;     // Pa
  double leakage;          // m^3/s/Pa, past the piston
  double transition;       // Pa, pressure drop below which the valve flow is linear
  double pressure_a, pressure_b; // Pa, at the start; ART_UNSET: the tank pressure
} artHydraulicCylinderDef;
ART_API artHydraulicCylinderDef art_default_hydraulic_cylinder(void);
ART_API artStatus art_add_hydraulic_cylinder(artBuilder *builder,
                                             const artHydraulicCylinderDef *def);

// A pneumatic cylinder between two points, which its gas pushes apart, with a valve to a supply and
// to the atmosphere. The equations are in src/element/pneumatic_cylinder.c. Closed and without heat
// transfer it is the air spring of artAirDef. Outputs: length, rate, force (tension), pressure,
// temperature, volume, mass, flow_in, flow_out, opening.
typedef struct artPneumaticCylinderDef {
  const char *name;
  const char *from, *to;
  double free_length;  // m, the length at which the gas has
  double pressure;     // p_0, Pa absolute, and
  double area;         // m^2
  double volume;       // V_0, m^3
  double exponent;     // k > 1
  double gas;          // R, J/kg/K
  double ambient;      // Pa absolute
  double temperature;  // K, of gas, atmosphere and supply at the start
  double heat;         // W/K, heat transfer through the wall
  double supply;       // Pa absolute
  double valve;        // m^2, area of the open valve
  const char *opening; // formula, -1 to 1, positive from the supply; NULL: 0
} artPneumaticCylinderDef;
ART_API artPneumaticCylinderDef art_default_pneumatic_cylinder(void);
ART_API artStatus art_add_pneumatic_cylinder(artBuilder *builder,
                                             const artPneumaticCylinderDef *def);

// A force at a point of a body, or a torque on it. Components are formulas; plain numbers make it
// constant, and a constant force in ground axes has a potential. With `call` instead, a user
// function computes force and moment at the point from its motion, in ground axes. Outputs: x, y,
// z; with `call` also mx, my, mz.
typedef struct artBodyForceDef {
  const char *name;
  const char *on;            // point of application: "body.frame" or "body" (its origin)
  const char *components[3]; // formulas in N or N m
  int is_torque;             // 1: a torque, independent of the point
  int in_body;               // 1: components in body axes; 0: in ground axes
  artCallDef call;
} artBodyForceDef;
ART_API artBodyForceDef art_default_body_force(void);
ART_API artStatus art_add_body_force(artBuilder *builder, const artBodyForceDef *def);

// Roads and tyres by name, for the wheels that roll on them. The builder and its models share
// ownership: the caller may free them at once, but parts of composite roads must be added too, or
// outlive them.
ART_API artStatus art_add_road(artBuilder *builder, const char *name, artRoad *road);
ART_API artStatus art_add_tyre(artBuilder *builder, const char *name, artTyre *tyre);

// A tyre between a wheel and the road (doc/reference/model/tyres.md). The wheel is a frame with its
// origin at the wheel centre and its y axis along the axle, to the left. Outputs: fx fy fz mx my mz
// in contact axes, slip, slip_angle, camber, depth, spin, x y z of the contact point.
typedef struct artTyreForceDef {
  const char *name;
  const char *wheel; // "wheel", "wheel.hub"
  const char *tyre;
  const char *road; // NULL: flat, z = 0
  int relaxation;   // 1: transient slips with relaxation lengths, two states; 0: steady-state slips
  const char *road_height; // formula: added to the height of the road, m; NULL: 0
  const char *road_rate;   // formula of its rate, m/s; both or neither
  // if set, the tyre computes contact, load and slips, and the user function the forces
  artCallDef call;
} artTyreForceDef;
ART_API artTyreForceDef art_default_tyre_force(void);
ART_API artStatus art_add_tyre_force(artBuilder *builder, const artTyreForceDef *def);

// A bushing between two frames: displacements x = (d, r) of `to` relative to `from`, in axes of
// `from`, with the rotation vector r; generalised forces
//   s = preload - stiffness x - spring(x) - damping x' - damper(x').
// The first three components are the force on `to`, at its frame; the torque on it is J^-T of the
// other three with r' = J^-1 w, so that the elastic part has a potential. Rotations must stay below
// half a turn. Outputs: dx dy dz rx ry rz, fx fy fz tx ty tz (on `to`, in axes of `from`).
typedef struct artBushingDef {
  const char *name;
  const char *from, *to;
  double stiffness[36], damping[36]; // by rows, symmetric
  artLawDef spring[6], damper[6];    // one for each direction; default: none
  double preload[6];
} artBushingDef;
ART_API artBushingDef art_default_bushing(void);
ART_API artStatus art_add_bushing(artBuilder *builder, const artBushingDef *def);

// Contact surfaces of bodies and of ground. A plane is the half-space below the xy-plane of its
// frame; a box has its faces across the axes of its frame; the axis of a capsule, cylinder, cone or
// torus is the z axis of its frame. Surfaces must be added before the contacts that name them.
typedef enum artSurfaceType {
  ART_SURFACE_PLANE,
  ART_SURFACE_BOX,
  ART_SURFACE_CAPSULE,  // points within `radius` of a line of the given length
  ART_SURFACE_CYLINDER, // the two rims
  ART_SURFACE_SPHERE,
  ART_SURFACE_POINT,
  ART_SURFACE_ELLIPSOID,
  ART_SURFACE_CONE,    // the two rims; seen by spheres also the side, as a cylinder is
  ART_SURFACE_TORUS,   // points within `tube` of a circle
  ART_SURFACE_PROFILE, // a closed profile in the xy-plane of its frame, extruded along z
  ART_SURFACE_HULL,    // convex hull of points
  ART_SURFACE_ROAD,    // the ground below the height of a road, over the xy-plane of its frame
  ART_SURFACE_SOLID, // shape, place and orientation of a solid of the body `on`; a mesh must be convex
  ART_SURFACE_VISUAL, // the same of a visual; both must be added before the surface
  ART_SURFACE_TYPES
} artSurfaceType;

typedef struct artSurfaceDef {
  const char *name;
  artSurfaceType type;
  const char *on;        // "body.frame", "body" or "ground"
  double position[3];    // of its centre, in axes of the frame
  double size[3];        // box: edge lengths; ellipsoid: diameters; > 0
  double radius, length; // capsule, cylinder, cone: > 0; sphere, torus: radius > 0
  double top;            // cone: radius at its upper end, >= 0
  double tube;           // torus: radius of its tube, >= 0
  int number;            // solid, visual: which one, from 1 on; 0: the only one
  const char *group;     // a name that contacts may give instead of surfaces; NULL: none
  artNumbers
      points; // profile: x, y and radius of each point, in order; an arc of the radius leads to
              // the next one, outward if it is positive and inward if negative; 0: a line
  // hull: x, y and z of each point
  int is_smooth;       // profile: arcs through the points, without corners; radii are 0
  int copies;          // profile: the points are repeated, turned on about z; 0: 1
  const artRoad *road; // road: one that art_add_road has added before
} artSurfaceDef;
ART_API artSurfaceDef art_default_surface(void);
ART_API artStatus art_add_surface(artBuilder *builder, const artSurfaceDef *def);

typedef enum artContactLaw {
  ART_CONTACT_LINEAR,        // N = max(0, k d + c d') for d > 0
  ART_CONTACT_HERTZ,         // N = max(0, k d^p (1 + c d')) with p = 3/2
  ART_CONTACT_HUNT_CROSSLEY, // the same with any p
  ART_CONTACT_LAWS
} artContactLaw;

// Contact of two surfaces at the depth d: a normal force that only pushes, and Coulomb friction with
// a bristle z, which moves with the slip velocity s while it holds:
//   F = -h k_t (z + tau s),   z' = (h (z + tau s) - z)/tau,   h = min(1, mu N/|k_t (z + tau s)|)
// A contact with several points (box or capsule on plane, cylinder on plane) becomes as many
// elements, NAME/1, NAME/2 and so on. Outputs: fx fy fz (force on the second surface, ground axes),
// gap, rate, slip_x slip_y slip_z, nx ny nz, x y z, normal, friction, stored, loss.
typedef struct artContactDef {
  const char *name;
  const char *from, *to; // surfaces or groups; "all": the group of all
  artContactLaw law;
  double stiffness;      // k, N/m (linear) or N/m^p; 0: from young, poisson and the radii
  double young, poisson; // Hertz: of both bodies; young 0: not given
  double exponent;       // p of Hunt-Crossley, >= 1
  double damping;        // c, N s/m (linear) or s/m, >= 0
  double restitution,
      speed;               // Hertz, Hunt-Crossley: c from the restitution at this speed of impact;
                           // restitution 0: not given
  double friction;         // mu, >= 0
  double static_friction;  // mu at rest, >= friction; ART_UNSET: the same
  double transition_speed; // slip velocity at which 63 % of the difference has gone, > 0
  double tangential_stiffness; // k_t, N/m, > 0; ART_UNSET: k of the linear law
  double retardation;          // tau, s, > 0
  double rolling;              // b, m, >= 0: resistance to rolling, a torque b N
  double spinning;             // e, m, >= 0: resistance to spinning, a torque mu e N
} artContactDef;
ART_API artContactDef art_default_contact(void);
ART_API artStatus art_add_contact(artBuilder *builder, const artContactDef *def);

// Rigid contact of two surfaces: they never overlap. A normal force holds the gap closed while it pushes, Coulomb friction
// holds or slides, and impacts are instants, with Newton's restitution and friction in the impulse. Numbers of points, names and
// outputs as of artContactDef, but for stored and loss; state is 0 apart, 1 sliding, 2 holding.
typedef struct artRigidContactDef {
  const char *name;
  const char *from, *to; // surfaces
  double restitution;    // ratio of normal speeds after and before an impact, 0 to 1
  double friction;       // mu, >= 0
  double rolling;        // b, >= 0, m: a torque up to b N resists rolling
  double spinning;       // e, >= 0, m: friction also resists spinning, by mu e N alone
} artRigidContactDef;
ART_API artRigidContactDef art_default_rigid_contact(void);

// Rigid contacts of all pairs of two surfaces or groups together, for heaps: one element with sums as outputs, for runs by integrator
// moreau alone.
typedef struct artRigidPileDef {
  const char *name;
  const char *from, *to; // surfaces or groups
  double restitution;    // ratio of normal speeds after and before an impact, 0 to 1
  double friction;       // mu, >= 0
  double rolling;        // b, >= 0, m: a torque up to b N resists rolling
  double spinning;       // e, >= 0, m: friction also resists spinning, by mu e N alone
} artRigidPileDef;
ART_API artRigidPileDef art_default_rigid_pile(void);
ART_API artStatus art_add_rigid_pile(artBuilder *builder, const artRigidPileDef *def);
ART_API artStatus art_add_rigid_contact(artBuilder *builder, const artRigidContactDef *def);

// Aerodynamic drag on a point. With the velocity u of the point relative to the air, in axes of its
// frame:
//   F = density area/2 |u| (-drag ux, -side uy, -vertical uz + lift |u|)
// Outputs: fx, fy, fz (in axes of the frame).
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

// A force law of the host program. `apply` is called once per evaluation and adds forces through
// art_apply_force, art_apply_torque and art_apply_joint_force (data.h); it may read positions and
// velocities from the data. A law with a potential is conservative, and energy balances include it.
// Both must be pure functions of time, positions and velocities.
struct artCallbackDef {
  const char *name;
  artStatus (*apply)(void *context, const artModel *model, artData *data);
  double (*potential)(void *context, const artModel *model, const artData *data); // or NULL
  void *context;
};
ART_API artStatus art_add_callback(artBuilder *builder, const artCallbackDef *def);

//---- drives --------------------------------------------------------------------------------------

// Prescribed motion of a joint coordinate: a formula of time and parameters, whose derivatives are
// exact, or a smooth curve through a table (time, value), n >= 2. The required force is the output
// `joint.force`.
typedef struct artDriveDef {
  const char *name;
  const char *coordinate;
  const char *formula; // NULL if a table is given
  int n;
  const double *time, *value;
} artDriveDef;
ART_API artDriveDef art_default_drive(void);
ART_API artStatus art_add_drive(artBuilder *builder, const artDriveDef *def);

//---- outputs -------------------------------------------------------------------------------------

// A named result: a reference ("pin.angle", "crank.tip.vx", "shock.force", "energy.total") or a
// formula of references. doc/reference/model/outputs.md lists all references. A NULL name: the
// formula is the name. A model without outputs writes all coordinates, velocities and energies.
ART_API artStatus art_add_output(artBuilder *builder, const char *name, const char *formula);

//---- studies -------------------------------------------------------------------------------------

typedef enum artStudyType {
  ART_RUN,        // motion in time
  ART_EQUIL,      // static equilibrium
  ART_LINEAR,     // linearised matrices, eigenvalues, modes
  ART_INVERSE,    // forces along a given motion
  ART_KINEMATICS, // wheel travel of an axle
  ART_RESPONSE,   // frequency response from the road to the outputs
  ART_STUDY_TYPES
} artStudyType;

typedef enum artIntegrator {
  ART_RK4,                  // Runge-Kutta of order 4, fixed step
  ART_DOPRI5,               // Dormand-Prince 5(4), error control
  ART_BDF,                  // CVODE, BDF, for stiff motions
  ART_ADAMS,                // CVODE, Adams-Moulton, for nonstiff motions
  ART_INTEGRATOR_AUTOMATIC, // dopri5, then bdf from the time at which the motion proves stiff
  ART_MOREAU, // rigid contacts by fixed steps, after Moreau and Jean; those before it are for all machines
  ART_INTEGRATORS
} artIntegrator;

typedef enum artMethod {
  ART_AUTOMATIC,     // order-n for trees, semirecursive for loops
  ART_ORDER_N,       // articulated bodies, O(n)
  ART_MASS_MATRIX,   // mass matrix, factored from the leaves
  ART_SEMIRECURSIVE, // loops: independent coordinates; solves for all others at every evaluation
  ART_RECURSIVE,     // loops: articulated bodies with multipliers of the cut joints
  ART_AUGMENTED,     // loops: solves for accelerations and multipliers together

  // Trees and loops in natural coordinates (points and unit vectors) by augmented Lagrangian
  // methods. In runs they use their own integration rule and ignore the integrator; accelerations
  // alone are those of index 1 for all of them.
  ART_INDEX1,      // accelerations, trapezoidal rule, projection onto the constraints
  ART_INDEX3,      // positions by Newton's method with multiplier iteration, projection
  ART_MULTI_INDEX, // switches between the two, with a variable step controlled by the energy
  ART_CONSERVING,  // conserves energy and momentum by discrete gradients
  ART_METHODS
} artMethod;

// The back end that evaluates the equations of a method.
typedef enum artBackend {
  ART_BACKEND_NUMERIC,   // the library
  ART_BACKEND_GENERATED, // method automatic: equations generated for this machine, compiled and
                         // loaded
  // A study of a model file that asks for generated equations. A file may not start a compiler: the
  // study is rejected until the program chooses one of the two above.
  ART_BACKEND_ASKED,
  ART_BACKENDS
} artBackend;

// 1 if the method uses natural coordinates.
ART_API int art_method_is_natural(artMethod method);

// 1 if a run by the method reads this key of a study: "alpha", "hht", "energy_upper"; also 1 for
// keys that every method reads and for unknown keys.
ART_API int art_method_reads(artMethod method, const char *key);

// Linear algebra of the semi-recursive method and of natural coordinates; results differ only by
// rounding.
typedef enum artAlgebra {
  ART_ALGEBRA_AUTOMATIC, // plain; natural coordinates: dense or sparse, by their number
  ART_ALGEBRA_PLAIN,     // plain C
  ART_ALGEBRA_DENSE,     // full matrices; semirecursive: BLAS and LAPACK if they are large enough
  ART_ALGEBRA_SPARSE,    // sparse factors, analysed once
  ART_ALGEBRAS
} artAlgebra;

// Treatment of redundant constraint rows of closed loops in the semi-recursive method, such as the
// out-of-plane rows of a planar linkage. The motion is the same to rounding. Reactions, which are
// not unique in such machines, are always carried by the independent rows.
typedef enum artRedundant {
  ART_REDUNDANT_DROP,    // remove them
  ART_REDUNDANT_LU,      // keep all rows: LU of a rectangular matrix with full pivoting, by BLAS
  ART_REDUNDANT_UMFPACK, // the same with sparse LU
  ART_REDUNDANT_SPQR,    // the same with sparse QR
  ART_REDUNDANTS
} artRedundant;

// Choice of the independent coordinates of a machine with closed loops, unless a study names them.
typedef enum artPartition {
  ART_PARTITION_SYMBOLIC, // from the sparsity pattern of the constraints, so that the dependent
                          // ones are solved for in small blocks; by pivoting if that is badly
                          // conditioned
  ART_PARTITION_PIVOTING, // by Gaussian elimination with full pivoting
  ART_PARTITIONS
} artPartition;

// Linear solver of bdf's Newton iteration: a full matrix, which costs an evaluation for each of n
// unknowns and n^3 operations to factor, or GMRES, which costs an evaluation for each of a few
// iterations.
typedef enum artNewton {
  ART_NEWTON_AUTOMATIC, // dense up to 128 unknowns (positions and velocities)
  ART_NEWTON_DENSE,
  ART_NEWTON_KRYLOV,
  ART_NEWTONS
} artNewton;

// Projection of positions and velocities onto the constraints after a step, by methods of natural
// coordinates. Alternatively, with index1, constraints on accelerations only, with Baumgarte
// stabilisation.
typedef enum artProjections {
  ART_PROJECTIONS_AUTOMATIC, // yes; no for the conserving method
  ART_PROJECTIONS_NO,
  ART_PROJECTIONS_YES,       // in the norm of the mass matrix
  ART_PROJECTIONS_TANGENT,   // with the factored matrix of the last iteration
  ART_PROJECTIONS_BAUMGARTE, // index1, without projection: phi'' + 2 alpha phi' + beta^2 phi = 0
                             // instead of phi'' = 0
  ART_PROJECTIONS
} artProjections;

// Names in model files: "run", "dopri5", "order-n", ...
ART_API const char *art_study_type_name(artStudyType type);
ART_API const char *art_integrator_name(artIntegrator integrator);

// Does it take steps of a given length (rk4, moreau)?
ART_API int art_integrator_is_fixed(artIntegrator integrator);
ART_API const char *art_method_name(artMethod method);
ART_API const char *art_backend_name(artBackend backend);
ART_API const char *art_algebra_name(artAlgebra algebra);
ART_API const char *art_redundant_name(artRedundant redundant);
ART_API const char *art_partition_name(artPartition partition);
ART_API const char *art_newton_name(artNewton newton);
ART_API const char *art_projections_name(artProjections projections);

// The motion of one coordinate in an inverse study, as a formula of time.
typedef struct artMotionDef {
  const char *coordinate; // "pin.angle", "base.qw"
  const char *formula;
} artMotionDef;
typedef struct artMotions {
  int count;
  const artMotionDef *item;
} artMotions;

// The equilibrium at which a study starts (art_find_start).
typedef struct artStartDef {
  int at_equilibrium; // 0: at the initial state; ignored in a study of type equil
  int nearest;        // 1: the equilibrium nearest to the initial state, stable or not
  double speed;       // m/s; not 0: steady motion at this speed instead of rest
} artStartDef;

// Step size control of multi-index; 0 is the default of each. With T the error of a step relative
// to its tolerance, the next step is (safety / T)^(1/2) times as long, within the limits.
typedef struct artSteering {
  double safety;            // default 0.8
  double growth, shrink;    // largest and smallest ratio of successive steps: 2, 0.1
  double longest, shortest; // limits of the step, s: 10 ms or a hundredth of the duration; 1e-4 of
                            // the longest
  double leave_3,
      leave_1;       // s: switches from index 3 below leave_3, from index 1 above leave_1: 0.1 ms,
                     // twice that
  double reductions; // successive reductions of one step after which it leaves index 3: 5
  double local;      // tolerance of the trapezoidal rule per second, in units of the coordinates:
                     // 5e-5 over the duration; none if energy_upper is given
  double energy;     // J, scale of energy errors: the largest energy so far
} artSteering;

// Motion in time (art_create_run).
typedef struct artRunDef {
  double from, until; // s
  double interval;    // between outputs, s; 0: adapts to the motion (art_run_next)
  artMethod method;
  artBackend backend;
  artIntegrator integrator;
  artAlgebra algebra;
  artRedundant redundant; // semirecursive
  artPartition partition; // closed loops, not in natural coordinates

  // Independent coordinates chosen by the user: names of joints and coordinates, separated by
  // commas or blanks; NULL or "": chosen by `partition`. A joint represents all its coordinates.
  // They are used as long as they determine the others; from then on the run chooses by full
  // pivoting.
  const char *independent;
  artNewton newton; // bdf

  // Step of rk4, or the first step of other integrators (0: automatic), s. Natural coordinates: the
  // step, for multi-index the first one; 0: 1 ms or a thousandth of the duration, whichever is
  // shorter.
  double step;
  artStartDef start;

  // Relative tolerance; the absolute one is a thousandth of it. In natural coordinates iterations
  // end at a tenth of it, at least 1e-12, in units of the machine's size.
  double tolerance;

  // Baumgarte stabilisation  phi'' + 2 alpha phi' + beta^2 phi = 0  of open loops in recursive and
  // augmented, and of all constraints in index1 with ART_PROJECTIONS_BAUMGARTE; 10 1/s each.
  double alpha, beta;

  // onto the constraints, after every step: natural coordinates, recursive and augmented; the
  // latter two do not support tangent
  artProjections projections;

  // Natural coordinates; 0 is the default of all but the spectral radius.
  double penalty;         // of the augmented Lagrangian, kg; 0: automatic
  double spectral_radius; // index3: at infinite frequency, 0 .. 1; 1: the trapezoidal rule
  double hht;             // index3: alpha of Hilber, Hughes and Taylor instead, -1/3 .. 0
  int whole_steps;    // not multi-index. 1: events are not located, steps are not divided, and a
                      // failed step ends the run
  int iterations;     // most iterations per step; 0: automatic
  int forces_at_ends; // conserving: 1: forces without a potential as the mean of both ends, 0: at
                      // the midpoint
  double energy_upper, energy_lower; // multi-index: relative energy error of a step above which it
                                     // is repeated, and below which the next one is longer
  artSteering steering;              // multi-index, in addition to these
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
  double from, until, interval; // s; interval 0: as small as the motion needs
  artMotions motion;
  // coordinates with actuators; none: the independent ones. Drives always act.
  artNames actuators;
} artInverseDef;

// Wheel travel of an axle (art_find_kinematics).
typedef struct artKinematicsDef {
  artNames wheels;      // frames: origin at the wheel centre, y along the spin axis, to the left
  artNames hold;        // joints that keep their positions
  double bump, rebound; // travel of the wheels up and down, m
  int steps;            // in each direction
  int is_opposite;      // 1: right wheels move down while left ones move up
  double radius;        // loads act this far below the wheel centre, m
  double longitudinal, lateral, aligning; // loads on every wheel, N, N, N m
} artKinematicsDef;

// Frequency response to the road (art_find_response).
typedef struct artResponseDef {
  artMethod method;
  artBackend backend;
  artNames tyres;             // force elements; none: all tyres
  artNumbers factors, delays; // none, or one for each tyre; the road height under it is
                              // factor e^(j w (t - delay)); delay in s
  double from, to;            // frequencies, Hz
  int count;                  // of frequencies, logarithmically spaced
  artStartDef start;
} artResponseDef;

// The value of `method` for a run in model files; "generated" for the back end.
ART_API const char *art_run_method_name(const artRunDef *run);

// The integrator with which a run starts: "dopri5" for automatic.
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
  const char *name; // "study" if the file has only one
  artStudyType type;
  union {
    artRunDef run;
    artEquilDef equil;
    artLinearDef linear;
    artInverseDef inverse;
    artKinematicsDef kinematics;
    artResponseDef response;
  };
  artNames design; // design parameters of the study (art_parameter_is_design)
} artStudyDef;

ART_API artStudyDef art_default_study(artStudyType type);
ART_API artStatus art_add_study(artBuilder *builder, const artStudyDef *study);

// Set one key of a study as in a model file, with units: "alpha", "5 1/s". Lists (motion, wheels
// ...) are not supported, except "independent", whose string must live as long as the study. On
// failure the study is unchanged.
ART_API artStatus art_set_study(artStudyDef *study, const char *key, const char *value,
                                artError *error);

//---- queries of a model --------------------------------------------------------------------------

// Sizes of a model: bodies (without ground), joints, positions q, velocities v, and so on.
typedef struct artCounts {
  int bodies, joints, nq, nv, loops, forces, drives, outputs, studies;
  int states;  // of the section `states`, of blocks, and of force elements
  int links;   // bodies of the internal tree, including auxiliary ones of compound joints
  int latches; // locks, latches and ropes; `loops` includes loops closed by those engaged at the
               // start
  int inputs;
  int held; // discrete states, constant between instants: inputs first, then memories of samplers
  int signals; // named formulas
} artCounts;
ART_API artCounts art_count(const artModel *model);

// The title; "" if there is none.
ART_API const char *art_title(const artModel *model);

// Names and units: position k of nq ("pin.angle"), velocity k of nv ("pin.rate"), output k; NULL if
// k is out of range.
ART_API const char *art_position_name(const artModel *model, int k);
ART_API const char *art_position_unit(const artModel *model, int k);
ART_API const char *art_velocity_name(const artModel *model, int k);
ART_API const char *art_velocity_unit(const artModel *model, int k);
ART_API const char *art_output_name(const artModel *model, int k);
ART_API const char *art_output_unit(const artModel *model, int k);

// State k of artData's s ("heat", "tyre_fl.kappa"), and its unit, "" if unknown.
ART_API const char *art_state_name(const artModel *model, int k);
ART_API const char *art_state_unit(const artModel *model, int k);

// Index of a name, or -1. Body indices start at 1 (0 is ground); a frame index is for art_frame_*.
ART_API int art_find_body(const artModel *model, const char *name);
ART_API int art_find_frame(const artModel *model,
                           const char *name); // "body.frame", "body", "ground"
ART_API int art_find_position(const artModel *model, const char *name);
ART_API int art_find_velocity(const artModel *model, const char *name);
ART_API int art_find_state(const artModel *model, const char *name);
ART_API int art_find_input(const artModel *model, const char *name);

// The study of this name, or with NULL the first of the type; NULL if there is none.
ART_API const artStudyDef *art_find_study(const artModel *model, artStudyType type,
                                          const char *name);

// The definition of the run of this name, or with NULL of the first run; NULL if there is none.
ART_API const artRunDef *art_find_run(const artModel *model, const char *name);

// A 64-bit hash of everything that determines results: files with the same meaning have the same
// hash, whatever their layout.
ART_API unsigned long long art_model_hash(const artModel *model);

#ifdef __cplusplus
}
#endif

#endif
