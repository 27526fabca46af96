// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A reader of ADAMS decks at work: statements, parts with their markers, joints, and expressions.
#ifndef IMPORT_ADAMS_H
#define IMPORT_ADAMS_H

#include "import/import_work.h"

//---- statements (adams_scan.c) -------------------------------------------------------------------

// KEY = VALUE, or a word alone; a list of values is one text with commas.
typedef struct admField {
  const char *key, *value;
  artPlace place;
  bool is_read;
} admField;

typedef struct admReader admReader;
typedef struct admStatement admStatement;

// The fate of a statement: its fields are read, all of them; others ask for it; others ask for its values; it is read
// elsewhere or says nothing; it is left out; without it there would be another machine.
typedef enum admFate {
  ADM_WHOLE,
  ADM_ASKED,
  ADM_DATA,
  ADM_OTHER,
  ADM_LEFT_OUT,
  ADM_LOST, // left out, and the machine moves otherwise without it
  ADM_REFUSED
} admFate;

typedef struct admVerb {
  const char *name; // in full and in capitals
  admFate fate;
  void (*read)(admReader *r, admStatement *s); // a force
  const char *function;                        // that asks for its load
  const char *type;                            // of the element that it becomes
  const char *why;                             // it is left out; NULL: a setting of the solver
} admVerb;
extern const admVerb adm_verbs[]; // ended by one without a name (adams.c)

struct admStatement {
  const admVerb *kind;
  const char *verb; // its name
  long id;
  const char *name; // of the remark above it, or its verb and number
  artPlace place;
  int nfield, field_capacity;
  admField *field;
};

enum { ADM_ARGUMENTS = 34 };

typedef struct admPart admPart;
typedef struct admMarker admMarker;
typedef struct admJoint admJoint;
typedef struct admForce admForce;

// six joints between two markers, that motions drive
typedef struct admRow {
  const admMarker *i, *j;
  int first; // of the joints, among the joints of the machine
} admRow;

struct admReader {
  importWork *w;
  int nstatement, statement_capacity;
  admStatement *statement;
  baseTable ids;                    // "VERB/ID", numbers of statements
  double length, mass, force, time; // units of the deck in SI
  int npart, nmarker, njoint, joint_capacity, nact, act_capacity;
  admPart *part;
  admMarker *marker;
  int *part_of, *marker_of; // by numbers of statements
  baseTable frames;         // of bodies, "BODY.FRAME"
  admJoint *joint;
  admForce *act;
  int nrow, row_capacity;
  admRow *row;
  const char *
      *written; // variables, states and curves by their names in the file, by numbers of statements
  int depth;    // of variables that name each other
};

// The statements of the text of a deck.
void adm_scan(admReader *r, const char *text, size_t length);

// A field by its key, of which the file may write the first letters, at least `least`; NULL: there is none.
admField *adm_field(admStatement *s, const char *key, int least);
bool adm_has(admStatement *s, const char *key, int least);

// A number at the head of a text, and where it ends; NULL: there is none.
const char *adm_read_number(const char *at, double *x);

// Numbers of a field, up to `most` of them; how many there are. D behind a number makes it degrees.
int adm_numbers(admReader *r, admField *field, int most, double *x);
double adm_number(admReader *r, admStatement *s, const char *key, int least, double otherwise);

// The number of a statement, -1: there is none; markers that fields name, NULL where they are not there.
int adm_find(admReader *r, const char *verb, long id);

// The number of a statement that stands among other numbers; -1: it is none.
long adm_whole(double x);
long adm_id(admReader *r, admField *field);
admMarker *adm_marker(admReader *r, admStatement *s, const char *key, int least);
admMarker *adm_marker_by_id(admReader *r, long id, artPlace place);
admMarker *adm_need_marker(admReader *r, admStatement *s, const char *key);
void adm_need_pair(admReader *r, admStatement *s, admMarker **i, admMarker **j); // of two parts
admField *adm_need_function(admReader *r, admStatement *s);                      // its FUNCTION

// A name for something of the statement that has none.
const char *adm_name(admReader *r, const admStatement *s, const char *kind);

//---- the machine (adams_parts.c, adams_joints.c) -------------------------------------------------

struct admPart {
  admStatement *s;
  int body; // -1: ground
  modelPose pose;
  bool has_velocity;
  double cm[3], velocity[3], omega[3]; // of the centre of mass, all in ground axes
};

struct admMarker {
  admStatement *s;
  admPart *part;
  const char *frame; // PART.MARKER
  modelPose pose;    // in the part
  bool is_floating;
};

// sign times a coordinate, and an offset
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
  int slides, turns;   // has a coordinate of this kind
  double slide, angle; // at the start
  double drawn;        // angle between its markers as the deck has them
  bool has_reaction;   // the joint alone carries its loads
  bool is_rod, keeps_point, is_swapped;
  bool is_row; // the ball at the end of a row
  int number;  // among the joints of the machine
  bool slide_driven, angle_driven, has_start;
  bool is_turned_by;                        // an element acts along its angle
  admStatement *slide_motion, *turn_motion; // that drive it
};

// A number of a unit of the deck in SI.
double adm_si(double x, double unit);

void adm_read_parts(admReader *r);
void adm_read_joints(admReader *r);

// The joint of a number, or a failure at the place; a joint that is known by its number from then on.
admJoint *adm_find_joint(admReader *r, long id, artPlace place);
admJoint *adm_keep_joint(admReader *r, admStatement *s, admMarker *i, admMarker *j,
                         const char *name);

// Do markers part along what a joint holds: x, y, z of their origins, Z the z axes, R all axes? And the note about it.
bool adm_is_off(const admReader *r, modelPose p, const char *holds);
void adm_note_gap(admReader *r, const admStatement *s, bool is_open);

// How I moves against J: velocity of the origin of I, and angular velocity, in ground axes.
void adm_relative_rates(const admMarker *i, const admMarker *j, v3 *velocity, v3 *omega);

// Initial values of a coordinate with its rate, and of a ball joint; NULL where all are zero.
const char *adm_start(importWork *w, const char *coordinate, double value, double rate);
const char *adm_ball_start(importWork *w, const admMarker *i, const admMarker *j, m3 R);

// A universal joint about two axes, which must be square to each other; its frames with z along the first and y along the
// second axis.
void adm_cross(admReader *r, const admStatement *s, v3 first, v3 second, importJoint *joint,
               m3 *at_j, m3 *at_i);

// Rows of joints (adams_couplings.c): the number of the first. Constraints by rows and by couplings.
int adm_add_row(admReader *r, admStatement *s, admMarker *i, admMarker *j, const char *steps);
typedef void admRead(admReader *r, admStatement *s);
typedef void admReadPair(admReader *r, admStatement *s, admMarker *i, admMarker *j);
admRead adm_read_jprim, adm_read_coupler, adm_read_gear;
admReadPair adm_read_convel, adm_read_screw, adm_read_rackpin;

// Where a marker is in ground at the start, and its relative pose in another.
modelPose adm_place(const admMarker *m);
modelPose adm_relative(const admMarker *i, const admMarker *j);

// The coordinate of a joint that is the turn of i against j about an axis (0, 1, 2) of j; false: there is none.
bool adm_turn(admReader *r, const admMarker *i, const admMarker *j, int axis, admAxis *turn);

// Free joints for what nothing connects with ground, and initial values.
void adm_read_start(admReader *r);

//---- expressions (adams_formula.c) ---------------------------------------------------------------

typedef struct admExpr {
  char type; // 'n' number, 'c' call or name, 'm' minus, or + - * / ^
  double number;
  const char *name;
  int narg;
  struct admExpr *arg[ADM_ARGUMENTS];
} admExpr;

admExpr *adm_parse(admReader *r, const char *text, artPlace place);
const admExpr *adm_minus(admReader *r, const admExpr *e);

// The quantities that formulas may read where they stand.
typedef enum admUse { USE_TIME, USE_MOTION, USE_ALL } admUse;

// A formula at work. In outputs, which nothing depends on, what cannot be written is a reason and no failure.
typedef struct admFormula {
  admReader *r;
  artPlace place;
  admUse use;
  bool is_output;
  bool is_si;      // in SI, not in units of the deck
  const char *why; // it cannot be written
} admFormula;

// The expression as a formula of ours, in units of the deck.
const char *adm_formula(admFormula *f, const admExpr *e);

// A reason not to write it, which is a failure where something depends on it.
const char *adm_refuse(admFormula *f, const char *why);

// Argument k: a marker, NULL is ground; a number.
const admMarker *adm_marker_at(admFormula *f, const admExpr *e, int k);
int adm_number_at(admFormula *f, const admExpr *e, int k);

// Functions by their kinds (adams_markers.c, adams_signals.c); NULL: it is of another kind.
const char *adm_marker_function(admFormula *f, const admExpr *e);
const char *adm_load_function(admFormula *f, const admExpr *e);

// The expression of a field times a factor, as a formula in SI.
const char *adm_scaled(admReader *r, admField *field, double factor, admUse use);

// Variables, states, splines (adams_signals.c): the text of such a function, NULL: it is another one.
const char *adm_signal(admFormula *f, const admExpr *e);

// Where a marker is against the origin of a body, along ground, as a factor.
const char *adm_from_body(admReader *r, const admMarker *i, const char *body, int component);

// A component, along ground, of an axis (0, 1, 2) of a marker, as a factor.
const char *adm_axis(admReader *r, const admMarker *m, int axis, int component);

//---- forces and outputs (adams_motions.c, adams_forces.c, adams_outputs.c) -----------------------

// a force of the deck between two markers, for functions that ask for it
struct admForce {
  admStatement *s;
  const admMarker *i, *j;
  const char *name; // of the element that shows it; of 's' and 'r' the reference to the force
  // references to what acts in the coordinates of a joint, which is no load of it, or NULL
  const char *along, *about;
  // 'l' along a line, 's' along and 'r' about the z axis of j, 'd' a rod, 'b' in all six directions, 'p' a joint that keeps its
  // markers together, 'j' another joint, '?' not known
  char form;
  double sign;     // of a coordinate against the turn of i
  bool is_swapped; // i and j belong to the element, which leads the other way
};

// A formula under a name of its own, which has no unit.
const char *adm_add_block(admReader *r, const admStatement *s, const char *what,
                          const char *formula);

// A force at a point or a torque on a body, by components along ground.
void adm_push(admReader *r, admStatement *s, const char *name, const char *point, bool is_torque,
              const char *const x[3]);

// Single forces (adams_forces.c), vectors and stiffnesses (adams_vectors.c).
admRead adm_read_sforce, adm_read_springdamper, adm_read_vector;
admRead adm_read_bush, adm_read_field, adm_read_beam;

// A load between two markers, and joints as loads: for functions that ask for them.
void adm_add_load(admReader *r, admForce load);
void adm_keep_loads(admReader *r);

void adm_read_motions(admReader *r);
void adm_read_forces(admReader *r);
void adm_read_outputs(admReader *r);

#endif
