// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The compiled model: the tree, the user's names for it, and everything that acts on it.
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdio.h>

#include "articula/model.h"
#include "base/pool.h"
#include "base/table.h"
#include "element/element.h"
#include "model/compile/span.h"
#include "model/define/joint_kind.h"
#include "model/define/records.h"
#include "model/formula/formula.h"
#include "model/formula/quantity_kind.h"
#include "model/links.h"
#include "model/roll_surface.h"
#include "model/signal.h"

//---- names ---------------------------------------------------------------------------------------

typedef struct modelBody {
  const char *name;
  int link;
  int joint;                       // that leads to it in the tree; -1 for ground
  double mass, com[3], inertia[6]; // as artBodyDef has them, or its solids give them
  int nsolid, nturned;             // solids, and meshes among them that were inside out
  const char *bar_note;            // why it stays a body though it is a bar; or NULL
  artPose reference;               // in ground at the reference configuration
  int is_as_ground;                // it has ground's frame there for want of a stated position,
                                   // though it hangs on a joint elsewhere
} modelBody;

// a frame or point fixed in a body; the first ones are the bodies' own, in their order
typedef struct modelFrame {
  const char *name; // "crank.tip", "crank", "ground"
  int body, link;
  m3c R; // v_frame = R v_link
  v3c r; // origin, in the link
} modelFrame;

// a shape of a body
typedef struct modelVisual {
  int body;
  artVisualDef def;
} modelVisual;

typedef struct modelJoint {
  const char *name;
  artJointType type;
  int from, to; // bodies
  int is_cut;   // closes a loop; has no links and no coordinates
  int cut;      // its number among the cuts then
  int twin;     // closes a loop but has links and coordinates, since something names them: the last
                // of its links, which a cut welds to the body after it; 0: none
  int is_reversed; // the tree runs from `to` to `from`
  int link, nlink; // its links, consecutive
  int q0, nq, v0, nv;
  artPose end[2]; // its frame in `from` and `to`, z along the axis
  double angle_off,
      place_off; // how far it was off what was meant, rad and m (ends.h); 0: not at all
  v3c axis2;     // universal: the second axis, in its frame
  artPlace place;
} modelJoint;

// one position or velocity coordinate
typedef struct modelCoordinate {
  const char *name; // "pin.angle"
  int joint;
  baseDimension dimension;
  int partner; // velocity coordinate whose integral this position is (or the other way), -1: none
} modelCoordinate;

//---- loops ---------------------------------------------------------------------------------------

// one side of a cut joint
typedef struct cutSide {
  int link;
  m3c R;       // joint frame: v_frame = R v_link
  v3c r;       // its origin, in the link
  int n, *dof; // velocity coordinates that move this side but not the other
} cutSide;

// a joint that closes a loop: side 0 is `from`, side 1 `to`; with a twin, side 0 is the twin and side 1
// the body that it is welded to
typedef struct modelCut {
  int joint;
  artJointType type; // whose rows it has: that of the joint, or fixed where the joint has a twin
  spanReason reason;
  cutSide side[2];
  v3c axis2; // universal: second axis, in the joint frame of `to`; of a disc or blade its unit axis
  double pitch, length; // a disc or ball that rolls has its radius for length
  modelSurface on;      // of what rolls
  double mass;          // rod: of which the links at its ends carry a sixth each (data/rod.h)
  int row0, nrow;
  const rowKind *kind; // [nrow]: joint_closing_rows
} modelCut;

// What rolls without slip: rows of velocities in addition to the row of its cut. A disc and a ball have
// two, along the plane; a knife edge has one, across its blade.
typedef struct modelRoll {
  int cut;
  rollKind kind;
  int row0, nrow; // among the rows of velocities
} modelRoll;

//---- rigid contacts -------------------------------------------------------------------------------

// A contact is apart, or its surfaces touch and it slides or holds; it asks where a run has to decide which. Its resistance to rolling
// has a mode of its own, which slides or holds while the surfaces touch.
typedef enum rigidMode { RIGID_APART, RIGID_SLIDES, RIGID_HOLDS, RIGID_ASKS } rigidMode;

// What a contact resists: slip and spin together, and rolling.
typedef enum rigidPart { RIGID_SLIP, RIGID_ROLL, RIGID_PARTS } rigidPart;

// Its switching functions, by their place: the gap, or the normal force while it touches; for each part what the resistance has left
// while it holds, or the speed along the direction in which it slides.
enum { RIGID_TOUCH, RIGID_PART, RIGID_SWITCHES = RIGID_PART + RIGID_PARTS };

// Arms of the resistance to spinning and rolling, m; 0: there is none.
typedef struct rigidArms {
  double spinning, rolling;
} rigidArms;

// gaps below this part of the size of the surfaces are closed
#define RIGID_REACH 1e-9

typedef struct modelRigid {
  int element;     // whose surfaces they are
  cutSide side[2]; // the velocities that move them: link, n, dof
  double restitution, friction;
  rigidArms arms;
  double reach;       // m; gaps below are closed
  int mode0, switch0; // RIGID_PARTS modes, RIGID_SWITCHES switching functions
} modelRigid;

// Rigid contacts of a pile.
typedef struct pileSurface {
  int frame;
  const artSurfaceDef *def;
  const contactHull *hull; // of a box
} pileSurface;

typedef struct pilePair {
  int surface[2], part; // which of their contact points
} pilePair;

typedef struct modelPile {
  int element;
  double restitution, friction;
  rigidArms arms;
  int nsurface, npair;
  pileSurface *surface;
  pilePair *pair;
} modelPile;

// a body between two ball joints that has become a rod of the same name, with its ends at the joints
typedef struct modelBar {
  const char *name;
  const char *joint[2]; // ball joints at `from` and `to` of the rod
  int leads[2];         // to the bar: its reaction is that on the bar, not on its neighbour
  int cut;              // of the rod
} modelBar;

// a point of such a bar: on its line (1 - s) of `from` and s of `to`
typedef struct modelBarPoint {
  const char *name; // of the frame that it was: "bar", "bar.middle"
  int bar;
  double s; // NAN when it does not lie on the line
} modelBarPoint;

// a relation between coordinates, one row
enum { MODEL_LONGEST_RELATION = 64 };
typedef struct modelRelation {
  const char *name;
  artPlace place;
  int n;
  int *position, *velocity;
  double *coefficient; // of a coupling
  double constant;
  artConstraintDef user; // user.value is set when it is the host's own, or calls
  modelCall call, bias;  // functions of the user
  int row;
} modelRelation;

//---- constraints that come and go ----------------------------------------------------------------

// Locks, latches and ropes. Rows of the engaged ones follow rows of cuts and relations that are
// always there, and the model is one of its variants: all of them have the same tree, forces and outputs.
typedef enum latchMode {
  LATCH_OPEN,
  LATCH_ENGAGED,
  LATCH_SPENT, // open, and the condition that engaged it has not been false since
} latchMode;

// The modes of a latch, by their place. Between two ends of a step its ends may come near and part again: the instant
// at which they are nearest is an event of its own, and so none is missed.
enum { LATCH_NEARS, LATCH_STATE, LATCH_BRANCHES };

// numbers of an engaged one in a variant: the constant of a lock, or the frame of `from` in its link, R by rows
// and r, at which a latch holds `to`
enum { LATCH_NUMBERS = 12 };

typedef struct modelLatch {
  const char *name;
  artPlace place;
  artLatchType type;
  int is_engaged; // at the start
  double distance;
  int frame[2];              // latch, rope: `from` and `to`
  modelRelation relation;    // lock: its row
  modelJoint joint;          // latch, rope: what represents it among the joints
  modelCut cut;              // and its rows
  formula *engage, *release; // or NULL
  int mode0; // is it coming nearer (LATCH_NEARS)? a latchMode, branches of engage and release,
  int switch0, nswitch; // with as many switching functions
} modelLatch;

//---- forces (element/element.h), curves, drives ---------------------------------------------------

// a curve that formulas call by its name
typedef struct modelCurve {
  const char *name;
  formulaCurve own;
} modelCurve;

typedef struct modelDrive {
  const char *kind, *name; // "drive", for messages
  artPlace place;
  int position, velocity; // coordinates it prescribes
  formula *formula;       // of time, or NULL with
  forceLaw *table;        // a curve over time
  int mode0, nmode;       // of the formula; its switching functions are as many
  int switch0;
} modelDrive;

typedef struct modelOutput {
  const char *name;
  const char *unit;
  formula *formula; // of quantities, or NULL with
  artValue *value;  // a function of the host program
  void *context;
  artPlace place; // of the formula, or of the part whose it is where the file has none
} modelOutput;

typedef struct modelStudy {
  artStudyDef def;
  recordHead head;
  formula **motion; // inverse: [nq] formula of time of every position coordinate
  int nactuator;    // inverse: 0 lets the independent coordinates act
  int *actuator;    // velocity coordinates
  artPlace hand;    // where `independent` stands
} modelStudy;

// A formula that reads parameters, or numbers of items that come from parameters, or calls curves, and all that it takes to
// parse it again.
typedef struct modelProgram {
  formula *f;
  const char *text, *scope;
  const recordList *aliases;
  artPlace place;
  baseDimension expected;
  quantityLevel level; // the highest that it may read
  int is_loose;        // by units: plain numbers have any
  int has_one_place;   // the text was written by a kind
  int calls_curves;
} modelProgram;

// An item whose rules look at the value of a parameter.
typedef struct modelCheck {
  int parameter, item;
} modelCheck;

//---- the model -----------------------------------------------------------------------------------

struct artModel {
  baseArena arena;
  baseArena formulas;         // of programs, and of quantities that they read
  unsigned revision;          // how often a parameter has changed
  struct modelSource *source; // files that it was read from (model/read/source.h), and
  memPool *pool;              // memory that holds all of it then; NULL: a program has built it
  baseArena attached;         // of what was attached afterwards
  baseArena scratch;          // of the work while it is compiled
  const recordList *live;     // numbers that are functions of parameters, while it is compiled,
  recordList *programs;       // formulas that read such, as they are parsed,
  recordList *checks;         // and parameters that items look at
  artBuilder *records;  // of a model that was read, as they were compiled (model/parameter/live.h)
  const char **warning; // [nwarning] texts with their places (warn.c)
  int nwarning, warning_capacity;
  int may_warn; // while it is compiled
  const char *title;
  treeModel tree;
  const struct layPlan *plan; // how its numbers follow from the records (model/compile/lay.h)

  int nbody; // ground included
  modelBody *body;
  int nframe;
  modelFrame *frame;
  int nvisual;
  modelVisual *visual;
  int njoint;
  modelJoint *joint;
  int ncut;
  modelCut *cut;
  int nrod, most_rods; // with mass, and with such as a parameter may give one
  int *rod;            // [nrod] cuts that are rods with mass
  int nroll, nroll_row;
  modelRoll *roll; // [nroll]; nroll_row rows of velocities in all
  int nrigid;
  modelRigid *rigid;
  int npile;
  modelPile *pile;
  int nbar;
  modelBar *bar;
  int nbar_point;
  modelBarPoint *bar_point;
  int nrelation;
  modelRelation *relation;
  int nrow; // constraint rows of all cuts and relations
  int nlatch;
  modelLatch *latch;
  int own_joints, own_cuts, own_relations; // that are always there
  int *engaged;                            // [nlatch] which are, in this variant,
  double *latch_number;                    // [nlatch LATCH_NUMBERS] room for where they hold
  int *latch_row;                          // [nlatch] and their cut or relation, or -1
  quantityLevel latch_level;               // of what their conditions read
  double mass;                             // of all bodies and rods
  int project;                             // initial velocities onto the loops
  char *carries;                           // [links] CARRIES_...: what moves with them
  int is_light;                            // a link is CARRIES_LIGHT
  char *is_given_q;                        // [nq] the user gave an initial value
  char *is_given_v;                        // [nv]
  modelCoordinate *position;               // [nq]
  modelCoordinate *velocity;               // [nv]
  double *q_initial, *v_initial;

  int nquantity, quantity_capacity;
  modelQuantity *quantity;
  int nelement;
  modelElement *element;
  int nvalue; // of all elements
  int nheld, ninput, held_capacity;
  modelHeld *held; // inputs first
  int nclock;
  modelClock *clock;
  int nsampler, *sampler;     // [nsampler] samplers in the order of evaluation, memories last
  quantityLevel sample_level; // of what they read
  int nstate, state_capacity;
  modelState *state;
  int nrate;          // states whose rates are formulas, before states of elements,
  int nearly, *early; // [nearly] rates that read positions and velocities,
  int nlate, *late;   // [nlate] and rates that read accelerations and forces as well
  int nsignal, signal_capacity;
  modelSignal *signal;
  int *signal_order; // [nsignal] each after those that it reads
  int nordered;
  int nrule, rule_capacity;
  modelRule *rule;
  int parsing; // the signal whose formula is being parsed, or -1
  int nroad, ntyre;
  artRoad **road; // kept
  artTyre **tyre;
  int nfunction;
  modelFunction *function;
  int nlibrary;
  void **library; // shared objects that are open
  int ndrive;
  modelDrive *drive;
  int noutput;
  modelOutput *output;
  int nstudy;
  modelStudy *study;

  int nparameter;
  parameterRecord *parameter;
  int ncurve;
  modelCurve *curve;

  int nmode, nswitch;
  int *switch_owner; // [nswitch] element, or nelement + number of a frozen formula; -1: another one
  int stack;         // deepest formula
  baseTable bodies, frames, joints, elements, positions, velocities, parameters, relations, curves,
      latches, helds, states, signals;
  baseTable quantities; // by kind, index and component
  unsigned long long hash;
  int is_hash_old; // forces have changed since: it follows from the records, whenever it is asked for
};

//---- compiling, step by step ---------------------------------------------------------------------

// All of it is a work that is left where it fails (base/error.h).

// The curves that formulas call (compile_curve.c).
void model_compile_curves(artModel *m, const artBuilder *b);

// Bodies, frames, spanning tree, links and coordinates (compile_tree.c).
void model_compile_tree(artModel *m, const artBuilder *b);

// The frame of a name, which an item, "joint" and "pin", names at a place (compile_tree.c).
int model_find_frame(const artModel *m, const char *name, artPlace place, const char *kind,
                     const char *item);

// Everything that initial values, forces, drives, couplings, outputs and studies name, in the order of
// the file, with full names; the scratch is for the work (use.c).
typedef struct modelUse {
  const char *reference;
  const char *kind, *name; // of who names it: "output", "speed"
  int is_value;            // in a formula, where no more than its value is asked for
  spanUse how;
} modelUse;
typedef void (*modelUseVisitor)(void *context, const modelUse *use);
void model_each_use(const artBuilder *b, modelUseVisitor visit, void *context, baseArena *scratch);

// Is it a component of frames (x, vx, wz, yaw) that bars which have become rods lack? (quantity.c)
int model_bar_lacks(const char *component, int is_on_line);

// Is it one of fx fy fz tx ty tz? (use.c)
int model_is_reaction(const char *component);

// Bodies that are bars between two ball joints, in loops, become rods: *out is the builder without
// them, its records in the model's scratch; names that stay known go into the model (bars.c).
void model_remove_bars(artModel *m, const artBuilder *b, artBuilder *out);

// The use that the rest of the model makes of the coordinates of each joint, use[njoint] (use.c).
void model_joint_uses(artModel *m, const artBuilder *b, spanUse *use);

// Shapes of bodies (compile_visual.c).
void model_compile_visuals(artModel *m, const artBuilder *b);

// Relations between coordinates, and what loops need of cuts (compile_loop.c).
void model_compile_loops(artModel *m, const artBuilder *b);

// Keep the name of a place's file in the model, for messages of runs (compile_loop.c).
void model_keep_place(artModel *m, artPlace *place);

// The cut that a row belongs to, -1: it is that of a relation.
int model_row_cut(const artModel *m, int row);

// The name of a row with its constraint: "joint 'hinge3', row 5 (turn about y)" (compile_loop.c).
enum { MODEL_ROW_LENGTH = 200 };
const char *model_row_name(const artModel *m, int row, char buffer[MODEL_ROW_LENGTH]);

// The kind of a link and the links after it: nothing that counts, something with mass, or free and without mass in a loop.
enum { CARRIES_NOTHING, CARRIES_MASS, CARRIES_LIGHT };

// Find it for all links; a free one that carries no mass outside of loops is refused (compile.c).
void model_check_carried(artModel *m);

// Does a link resist when it is moved?
static inline int model_has_inertia(const treeLink *link)
{
  return link->mass != 0 || link->J.xx != 0 || link->J.yy != 0 || link->J.zz != 0;
}

// Does the joint close a loop, with or without coordinates?
static inline int model_closes_loop(const modelJoint *joint)
{
  return joint->is_cut || joint->twin > 0;
}

// The cut of a rod that art_get_body numbers among the bodies; -1: the number is of no rod (parts.c).
int model_rod_cut(const artModel *m, int body);

// The last velocity coordinate on the way from ground to a link, or -1 (compile_loop.c).
int model_last_dof(const treeModel *t, int link);

// The coordinates that move the sides of a cut: marks[nv] are 0 before and after (compile_loop.c).
void model_find_sides(artModel *m, modelCut *cut, char *mark);

// What rolls (compile/compile_roll.c): list it once the sides of cuts are known; the number of a joint among it, or -1;
// ART_BAD_INPUT, with the place of the first, where `what` ("natural coordinates") cannot have any.
void model_compile_rolls(artModel *m, const artBuilder *b);
int model_find_roll(const artModel *m, const modelJoint *joint);

// The first of what rolls whose point of contact is found by iteration, or -1.
int model_find_searched_roll(const artModel *m);

// The surface of a joint that rolls; and the road of a name, which is refused where there is none.
void model_take_surface(const artBuilder *b, const jointRecord *record, modelSurface *on);
const artRoad *model_need_road(const artBuilder *b, const char *name, artPlace place);
artStatus model_refuse_rolls(const artModel *m, const char *what, artError *error);

// One relation, whose row is still to be numbered.
void model_take_relation(artModel *m, modelRelation *r, const constraintRecord *record);

// Rigid contacts, after forces and latches (compile_rigid.c); refuse what cannot have them, by the name of the first.
void model_compile_rigid(artModel *m, const artBuilder *b);

// Are there rigid contacts, alone or in piles?
static inline int model_has_rigid(const artModel *m)
{
  return m->nrigid + m->npile > 0;
}

// m; gaps of a pair of surfaces in these frames below are closed
double model_touch_reach(const artModel *m, const int frame[2], const contactPair *contact);

// The pairs of all piles, and the most contacts that they may have at once.
int model_pile_pairs(const artModel *m);
int model_pile_contacts(const artModel *m);
artStatus model_refuse_rigid(const artModel *m, const char *what, artError *error);

// Latches, none of them engaged, and then the variant of the start (latch.c).
void model_compile_latches(artModel *m, const artBuilder *b);
void model_engage_first(artModel *m);

// The axes of the joint that a latch is, in the axes of the frames at its ends.
m3 model_latch_axes(const artLatchDef *def);

// The variant of a model in which the latches with engaged[i] hold, as number[nlatch LATCH_NUMBERS] says; the model
// must outlive it.
artStatus model_create_variant(artModel **out, const artModel *m, const int *engaged,
                               const double *number, artError *error);
void model_free_variant(artModel *variant); // accepts NULL

// A parameter of the model has changed: the variant has the same latches engaged, which hold where they did.
void model_refresh_variant(artModel *variant, const artModel *m);

// The numbers that an engaged latch of a variant was given.
void model_latch_numbers(const artModel *m, int latch, double number[LATCH_NUMBERS]);

// The endings, up to NULL, of what is written of a latch when the file gives no outputs.
const char *const *model_latch_outputs(artLatchType type);

// Initial values (compile_tree.c); needs the drives.
void model_compile_initial(artModel *m, const artBuilder *b);

// Room for the functions that constraints and forces name; what one of them calls, its function added where
// it is new; the hash of it (function.c).
void model_take_functions(artModel *m, const artBuilder *b);
typedef struct functionUse {
  functionKind kind;
  int ninput, n;
  const char *what, *user; // "force", "shock"
  artPlace place;
} functionUse;
void model_take_call(artModel *m, modelCall *out, const artCallDef *def, const functionUse *use);
unsigned long long model_mix_call(unsigned long long hash, const modelCall *call);
void model_close_libraries(artModel *m);

// Call a function at the inputs x, after which there is room for its parameters; results must be finite.
// The caller, "force" and "shock", and the time (NAN: none) are for the message.
typedef struct functionCaller {
  const char *what, *name;
  artPlace place;
  double time;
} functionCaller;
artStatus model_call(const modelCall *call, const functionCaller *caller, double *x, double *y,
                     artError *error);

// The same with its parameters in x.
// The function of the user under a tyre, where its road is one or a sum with one (ground_call.c); and a call of it, without the
// other parts of the sum.
void model_take_ground(artModel *m, modelElement *e);
artStatus model_call_ground(const modelElement *e, double t, double x, double y, double *z,
                            double slope[2], artError *error);

artStatus model_call_function(const modelFunction *f, const functionCaller *caller, const double *x,
                              double *y, artError *error);

// Hands attachments of a model by name on to another reading of it.
artStatus model_hand_attached(const artModel *from, artModel *to, artError *error);

// A force of the host program that has no law: the message.
artStatus model_no_law(const modelElement *e, artError *error);

// The function of a relation, at the time t.
artStatus model_call_relation(const modelRelation *r, const modelCall *call, double t, double *x,
                              double *y, artError *error);

// A coupling by a polynomial (polynomial.c): the name of its function with n coefficients; whether a relation is one; the
// function that goes with the name.
enum { POLYNOMIAL_NAME_LENGTH = 40 };
const char *model_polynomial_name(int n, char name[POLYNOMIAL_NAME_LENGTH]);
bool model_is_polynomial(const modelRelation *r);
void model_take_polynomial(artModel *m, const modelRelation *r);

// Force elements, drives, outputs and studies (compile_force.c, compile.c, compile_study.c).
void model_compile_forces(artModel *m, const artBuilder *b);

// Can an element be compiled without looking at others? Compile it again from its record, into scratch memory and from there
// instead of the present one; 0: it has another structure, and the present one stays (compile_force.c).
int model_stands_alone(const modelElement *e);
int model_take_again(artModel *m, int i);

// The records have other numbers: the tree, its frames and loops, and where has_shapes shapes; initial values. Compiled
// again in the pool `work`, which is in use; 0: the structure is another one, or the numbers are refused (compile_again.c).
int model_lay_again(artModel *m, const memPool *work, int has_shapes);
void model_start_again(artModel *m);

// The same of all latches, after tree and initial values; of a curve; a drive; a study; an input, a state, or a block, or a sensor, by
// its number among such.
int model_latches_again(artModel *m);
int model_curve_again(artModel *m, int i);
int model_drive_again(artModel *m, int i);
int model_study_again(artModel *m, int i);
int model_input_again(artModel *m, int i);
int model_state_again(artModel *m, int i);
int model_block_again(artModel *m, int i);

// A copy of the model into which items declare their signals again, in the pool that is in use; then their numbers in the
// place of the old ones, 0: they have other formulas (compile_signal.c).
artModel model_without_signals(const artModel *m);
int model_take_signals(artModel *m, const artModel *own);

void model_compile_drives(artModel *m, const artBuilder *b);
// Compile the items of a list of records of that size one by one. Where mistakes are collected
// (base/error_recovery.h), items that fail lose the names in their records at the offset `name`, and the stage ends
// after the others; 0: nothing depends on them.
void model_each(const recordList *list, size_t size, size_t name,
                void (*compile)(void *context, int i), void *context);
#define MODEL_EACH(list, T, name, compile, context)                                                \
  model_each(&(list), sizeof(T), offsetof(T, name), compile, context)

// for such functions
typedef struct modelWork {
  artModel *m;
  const artBuilder *b;
} modelWork;

// The same of a signal formula that belongs to the item which the name begins with; false: it has failed.
bool model_try_signal(artModel *m, const signalFormula *s, const char *name,
                      void (*parse)(artModel *m, int i), int i);

void model_compile_outputs(artModel *m, const artBuilder *b);
void model_compile_studies(artModel *m, const artBuilder *b);

// Whether the coordinate of a joint element is a length or an angle; AXIS_UNKNOWN for all others (quantity.c).
fieldAxis model_element_axis(const artModel *m, const modelElement *e);

// The number of the quantity that a reference names ("pin.angle"), added when it is new (quantity.c). References are
// complete: no scope is added.
int model_quantity(artModel *m, const char *reference, artPlace place);

// Warnings (warn.c): begin with those of the builder; a formula reads a quantity; end with those of forces, latches and rods.
void model_begin_warnings(artModel *m, const artBuilder *b);
void model_warn_of_quantity(artModel *m, const char *reference, const modelQuantity *quantity,
                            artPlace place);
void model_end_warnings(artModel *m);

// The quantities of a joint, a force, a constraint, a body or a point, or of `energy`, as words for a message; 0 when
// there is none of that name.
int model_write_parts(const artModel *m, const char *name, FILE *out);
const char *model_quantity_unit(const artModel *m, const modelQuantity *quantity);

// The joint that closes a loop and whose coordinate a reference ("close.angle") would name if the
// joint had any; -1 when there is none (quantity.c).
int model_cut_named(const artModel *m, const char *reference);

// Parse a formula of parameters and quantities up to a level (compile_formula.c). Slots of the formula
// are numbers of quantities.
void model_formula(artModel *m, formula **out, const recordHead *head, const char *text,
                   artPlace place, quantityLevel level, baseDimension expected);

// Refuse a hysteresis in formulas that are evaluated here and there: of drives, motions and outputs.
void model_refuse_memory(const formula *f, const char *what, artPlace place);

// The same for a signal or a rate, which may read everything: its level is that of what it reads.
void model_signal_formula(artModel *m, signalFormula *s, baseDimension expected);

// Parse a formula of a model again, in the pool that is in use, and let its constants take the place of the old ones; 0: it
// has other steps, or is refused.
int model_parse_again(artModel *m, const modelProgram *program);

// The value of a text of numbers and parameters; 0: it reads something else, or is not a formula (compile_formula.c).
int model_constant(artModel *m, const recordHead *head, const char *text, double *value);

// A signal whose formula is parsed now, if it has not been; ART_BAD_INPUT where it reads itself (compile_signal.c).
void model_need_signal(artModel *m, int signal, artPlace place);

// The coordinate that a reference names: "pin.angle", or "pin" of a joint with one coordinate.
// Returns its position number or -1 with an error.
int model_coordinate(const artModel *m, const char *reference, artPlace place, artError *error);
int model_need_coordinate(const artModel *m, const char *reference, artPlace place); // or leaves

// The velocity coordinates of actuators by their names, in list[n], each once.
artStatus model_find_actuators(const artModel *m, int n, const char *const *name, artPlace place,
                               int *list, artError *error);

//---- independent coordinates by hand -------------------------------------------------------------

// The velocity coordinates that names of joints and coordinates mean, in list[nv], each once. Of joints with several
// coordinates the driven ones are left out.
artStatus model_find_independent(const artModel *m, const char *text, artPlace place, int *list,
                                 int *count, artError *error);

#endif
