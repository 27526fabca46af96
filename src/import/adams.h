// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// State of the reader of ADAMS decks: statements, parts with their markers, joints, and
// expressions.
#ifndef IMPORT_ADAMS_H
#define IMPORT_ADAMS_H

#include "import/import_work.h"

//---- statements (adams_scan.c) -------------------------------------------------------------------

// KEY = VALUE, or a keyword alone; a list of values is one string with commas.
typedef struct admField {
  const char *key, *value;
  artPlace place;
  bool is_read;
} admField;

typedef struct admReader admReader;
typedef struct admStatement admStatement;

// Treatment of a statement. WHOLE: all its fields are read. ASKED: read when another statement
// refers to it. DATA: only its values are read by others. OTHER: read elsewhere, or without
// effect. LEFT_OUT: left out. REFUSED: rejected, because the machine would be another one without
// it.
typedef enum admFate {
  ADM_WHOLE,
  ADM_ASKED,
  ADM_DATA,
  ADM_OTHER,
  ADM_LEFT_OUT,
  ADM_LOST, // left out, which changes the motion
  ADM_REFUSED
} admFate;

typedef struct admVerb {
  const char *name; // full name in capitals
  admFate fate;
  void (*read)(admReader *r, admStatement *s); // reader of a force statement
  const char *function;                        // function that reads its load
  const char *type;                            // type of the element that it becomes
  const char *why;                             // why it is left out; NULL: a solver setting
} admVerb;
extern const admVerb adm_verbs[]; // terminated by an entry without a name (adams.c)

struct admStatement {
  const admVerb *kind;
  const char *verb; // its name
  long id;
  const char *name; // from the comment above it, or its keyword and number
  artPlace place;
  int nfield, field_capacity;
  admField *field;
};

enum { ADM_ARGUMENTS = 34 };

typedef struct admPart admPart;
typedef struct admMarker admMarker;
typedef struct admJoint admJoint;
typedef struct admForce admForce;

// a chain of six joints between two markers, driven by motions
typedef struct admRow {
  const admMarker *i, *j;
  int first; // index of the first joint in the machine
} admRow;

struct admReader {
  importWork *w;
  int nstatement, statement_capacity;
  admStatement *statement;
  baseTable ids;                    // "VERB/ID" -> index of the statement
  double length, mass, force, time; // units of the deck in SI
  int npart, nmarker, njoint, joint_capacity, nact, act_capacity;
  admPart *part;
  admMarker *marker;
  int *part_of, *marker_of; // by index of the statement
  baseTable frames;         // "BODY.FRAME"
  admJoint *joint;
  admForce *act;
  int nrow, row_capacity;
  admRow *row;
  const char *
      *written; // names in the written file of variables, states and curves, by index of the
                // statement
  int depth;    // nesting of variables that refer to each other
};

// Read the statements of a deck.
void adm_scan(admReader *r, const char *text, size_t length);

// A field by its key, which the file may abbreviate to `least` or more letters; NULL if missing.
admField *adm_field(admStatement *s, const char *key, int least);
bool adm_has(admStatement *s, const char *key, int least);

// Read a number at the start of a string and return its end; NULL if there is none.
const char *adm_read_number(const char *at, double *x);

// Read at most `most` numbers of a field; returns their number. A D after a number means degrees.
int adm_numbers(admReader *r, admField *field, int most, double *x);
double adm_number(admReader *r, admStatement *s, const char *key, int least, double otherwise);

// adm_find: index of a statement, -1 if there is none. Markers that fields refer to, NULL if
// missing.
int adm_find(admReader *r, const char *verb, long id);

// Convert a number in a list to the number of a statement; -1 if it is not an integer.
long adm_whole(double x);
long adm_id(admReader *r, admField *field);
admMarker *adm_marker(admReader *r, admStatement *s, const char *key, int least);
admMarker *adm_marker_by_id(admReader *r, long id, artPlace place);
admMarker *adm_need_marker(admReader *r, admStatement *s, const char *key);
void adm_need_pair(admReader *r, admStatement *s, admMarker **i, admMarker **j); // on two different
                                                                                 // parts
admField *adm_need_function(admReader *r, admStatement *s); // its FUNCTION field

// A name for an unnamed item of the statement.
const char *adm_name(admReader *r, const admStatement *s, const char *kind);

//---- the machine (adams_parts.c, adams_joints.c) -------------------------------------------------

struct admPart {
  admStatement *s;
  int body; // -1: ground
  modelPose pose;
  bool has_velocity;
  double cm[3], velocity[3], omega[3]; // velocity of the centre of mass, angular velocity; all in
                                       // ground axes
};

struct admMarker {
  admStatement *s;
  admPart *part;
  const char *frame; // PART.MARKER
  modelPose pose;    // in the part
  bool is_floating;
};

// sign * coordinate + offset
typedef struct admAxis {
  admJoint *joint;
  const char *coordinate, *rate;
  double sign, offset;
} admAxis;

// a joint of the deck with coordinates along or about the z axes of its markers
struct admJoint {
  admStatement *s;
  admMarker *i, *j;
  const char *name;
  int slides, turns;   // 1: it has a coordinate of this kind
  double slide, angle; // initial values
  double drawn;        // angle between its markers in the deck
  bool has_reaction;   // its reaction is the whole load of the joint
  bool is_rod, keeps_point, is_swapped;
  bool is_row; // the ball at the end of a chain
  int number;  // index in the machine
  bool slide_driven, angle_driven, has_start;
  bool is_turned_by;                        // an element acts on its angle
  admStatement *slide_motion, *turn_motion; // motions that drive it
};

// Convert a number with a unit of the deck to SI.
double adm_si(double x, double unit);

void adm_read_parts(admReader *r);
void adm_read_joints(admReader *r);

// adm_find_joint: the joint with a number; throws an error at the place if there is none.
// adm_keep_joint: register a joint under its number.
admJoint *adm_find_joint(admReader *r, long id, artPlace place);
admJoint *adm_keep_joint(admReader *r, admStatement *s, admMarker *i, admMarker *j,
                         const char *name);

// adm_is_off: true if markers are apart in a direction that the joint fixes: x, y, z of their
// origins, Z the z axes, R all axes. adm_note_gap: the note about it.
bool adm_is_off(const admReader *r, modelPose p, const char *holds);
void adm_note_gap(admReader *r, const admStatement *s, bool is_open);

// Motion of I relative to J: velocity of the origin of I, and angular velocity, in ground axes.
void adm_relative_rates(const admMarker *i, const admMarker *j, v3 *velocity, v3 *omega);

// Initial values of a coordinate and its rate, and of a ball joint; NULL if all are zero.
const char *adm_start(importWork *w, const char *coordinate, double value, double rate);
const char *adm_ball_start(importWork *w, const admMarker *i, const admMarker *j, m3 R);

// A universal joint with two perpendicular axes; its frames have z along the first and y along the
// second axis.
void adm_cross(admReader *r, const admStatement *s, v3 first, v3 second, importJoint *joint,
               m3 *at_j, m3 *at_i);

// Add a chain of joints (adams_couplings.c); returns the index of the first. Constraints by chains
// and by couplings.
int adm_add_row(admReader *r, admStatement *s, admMarker *i, admMarker *j, const char *steps);
typedef void admRead(admReader *r, admStatement *s);
typedef void admReadPair(admReader *r, admStatement *s, admMarker *i, admMarker *j);
admRead adm_read_jprim, adm_read_coupler, adm_read_gear;
admReadPair adm_read_convel, adm_read_screw, adm_read_rackpin;

// The initial pose of a marker in ground, and relative to another.
modelPose adm_place(const admMarker *m);
modelPose adm_relative(const admMarker *i, const admMarker *j);

// The joint coordinate that is the rotation of i relative to j about an axis (0, 1, 2) of j; false
// if there is none.
bool adm_turn(admReader *r, const admMarker *i, const admMarker *j, int axis, admAxis *turn);

// Add free joints for parts not connected to ground, and initial values.
void adm_read_start(admReader *r);

//---- expressions (adams_formula.c) ---------------------------------------------------------------

typedef struct admExpr {
  char type; // 'n' number, 'c' call or name, 'm' unary minus, or + - * / ^
  double number;
  const char *name;
  int narg;
  struct admExpr *arg[ADM_ARGUMENTS];
} admExpr;

admExpr *adm_parse(admReader *r, const char *text, artPlace place);

// Quantities that a formula may read.
typedef enum admUse { USE_TIME, USE_MOTION, USE_ALL } admUse;

// State of the conversion of a formula. In outputs, which have no effect, an unsupported expression
// sets `why` instead of throwing an error.
typedef struct admFormula {
  admReader *r;
  artPlace place;
  admUse use;
  bool is_output;
  bool is_si;      // in SI instead of units of the deck
  const char *why; // why it cannot be converted
} admFormula;

// The expression as a formula, in units of the deck.
const char *adm_formula(admFormula *f, const admExpr *e);

// Reject an expression with a reason; throws an error unless it is an output.
const char *adm_refuse(admFormula *f, const char *why);

// Argument k: a marker (NULL: ground); a number.
const admMarker *adm_marker_at(admFormula *f, const admExpr *e, int k);
int adm_number_at(admFormula *f, const admExpr *e, int k);

// Functions by kind (adams_markers.c, adams_signals.c); NULL: another kind.
const char *adm_marker_function(admFormula *f, const admExpr *e);
const char *adm_load_function(admFormula *f, const admExpr *e);

// The expression of a field times a factor, as a formula in SI.
const char *adm_scaled(admReader *r, admField *field, double factor, admUse use);

// A function of variables, states, splines (adams_signals.c) as a formula; NULL: another function.
const char *adm_signal(admFormula *f, const admExpr *e);

// The position of a marker relative to the origin of a body, in ground axes, as a factor.
const char *adm_from_body(admReader *r, const admMarker *i, const char *body, int component);

// A component in ground axes of an axis (0, 1, 2) of a marker, as a factor.
const char *adm_axis(admReader *r, const admMarker *m, int axis, int component);

//---- forces and outputs (adams_motions.c, adams_forces.c, adams_outputs.c) -----------------------

// a force of the deck between two markers, for functions that read it
struct admForce {
  admStatement *s;
  const admMarker *i, *j;
  const char *name; // name of its element; for 's' and 'r' the reference to the force
  // references to forces on coordinates of a joint, which are not part of its reaction, or NULL
  const char *along, *about;
  // 'l' along a line, 's' along and 'r' about the z axis of j, 'd' a rod, 'b' in all six
  // directions, 'p' a joint that keeps its markers together, 'j' another joint, '?' unknown
  char form;
  double sign;     // of the coordinate relative to the rotation of i
  bool is_swapped; // i and j are swapped, because the element has the opposite direction
};

// Add a named formula without unit.
const char *adm_add_block(admReader *r, const admStatement *s, const char *what,
                          const char *formula);

// A force at a point or a torque on a body, with components in ground axes.
void adm_push(admReader *r, admStatement *s, const char *name, const char *point, bool is_torque,
              const char *const x[3]);

// Single forces (adams_forces.c), vector forces and stiffnesses (adams_vectors.c).
admRead adm_read_sforce, adm_read_springdamper, adm_read_vector;
admRead adm_read_bush, adm_read_field, adm_read_beam;

// Register a load between two markers, and joints as loads, for functions that read them.
void adm_add_load(admReader *r, admForce load);
void adm_keep_loads(admReader *r);

void adm_read_motions(admReader *r);
void adm_read_forces(admReader *r);
void adm_read_outputs(admReader *r);

#endif
