// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The state that the makers of a program share while it is made.
#ifndef GEN_BUILD_H
#define GEN_BUILD_H

#include "gen/element/port_equations.h"
#include "gen/expression_matrix.h"
#include "gen/gen.h"
#include "model/formula/formula_program.h"
#include "sym/tree_symbolic.h"

// forms of the whole machine: accelerations under forces, and forces at accelerations
enum {
  GEN_MACHINE_FORWARD =
      GEN_CONSTRAINTS | GEN_ACCELERATE | GEN_AUGMENTED | GEN_LINEAR | GEN_OUTPUTS | GEN_STRAIN,
  GEN_MACHINE_BACKWARD = GEN_MACHINE_INVERSE | GEN_IMPLICIT
};

// the constraint rows that count, as nodes
typedef struct genRows {
  int n;            // all rows of the model
  int *phi, *gamma; // [n]
  genMatrix J;
  int *action; // [9 n] wrench of cut rows, in ground axes
} genRows;

// The order in which the closing rows are solved: a partition's blocks, taken apart where closing rows have fewer
// entries than the machine's rows.
typedef struct genBlocks {
  int count, *start;
  int *row, *column;  // [nd] pivots on the diagonal
  int *place;         // [nv] of a coordinate among these columns, -1: it is not dependent
  int groups, *group; // [count] of blocks that are closed in one loop, one group after the other
} genBlocks;

// How the inertia of a block is taken to the free coordinates: by all of B, solved for column by column; by the
// rows of B that have inertia; or by the inertia that the block has at its rows.
typedef enum genWay { WAY_COLUMNS, WAY_ROWS, WAY_INERTIA } genWay;

// how dependent coordinates follow: v_v = B v_u, a_v = B a_u + b
typedef struct genLoops {
  int nd, nf, nc;       // dependent, free, driven
  const int *dependent; // [nd] velocity coordinates in solve order
  const int *free;      // [nf]
  const int *driven;    // [nc]
  int **LU, **T;        // factors of the diagonal blocks; inverses where a way needs them
  genWay *way;          // of each block
  int *K;               // [nd (nf + nc)] J_u, rows in solve order; free coordinates first
  int *B, *columns;     // [nd (nf + nc)] by rows; as it is solved for by columns
  int *b;               // [nd]
} genLoops;

// mass matrix and bias of the tree, rods included
typedef struct genDynamics {
  genMatrix M;    // all of it
  int *h;         // [nv] joint forces at some accelerations, less forces of elements
  int *recursion; // [nv] the recursion's part of them
} genDynamics;

// the same of a tree without loops, where it is solved by factors
typedef struct genFactors {
  int *M, *h; // [nv nv] lower triangle, [nv]; NULL: it is not
} genFactors;

// Dependent coordinates whose inertia c stands alone in its row of the mass matrix (alone.c).
typedef struct genAlone {
  int *inertia; // [nd] c, or 0 where the row has others
  int *rest;    // [nd] y where the joint force without accelerations is c y, else -1
  int *first; // [nd] of those that are summed before c comes in: the first with the same c; else -1
  char *scaled;   // [nd nf] whether c is multiplied into an entry of B
  char *by_force; // [nd] of first ones: whether c is multiplied into b + y where it is not into B
} genAlone;

// A a + r = 0 of the free coordinates
typedef struct genReduced {
  int n;
  int *A; // [n n] lower triangle
  int *r; // [n]
  int *P; // [nd n] M R on the dependent rows, 0 where c stays outside of sums
  genAlone alone;
  const int *carried; // [nd] what the right side has by P^T a (reduced_equations.c); NULL: nothing
  int npart, *part;   // terms of single blocks
} genReduced;

// What rolls without slip (roll_equations.c).
enum { ROLL_PLACE = 12 };
typedef struct genRolls {
  int n, *A, *gamma;  // rows of velocities, [n nv] A a = gamma where nothing slips
  int *place;         // [ROLL_PLACE nroll] normal, along, across, point of contact, in ground axes
  int nkept, *row;    // [nkept] rows that are independent of those before
  int *G;             // [nkept nu] of these over free and driven coordinates
  int *L, *Z, *W, *S; // [nf nf], [nkept nf], [nkept nf], [nkept nkept]
  int *change;        // [nf] of velocities of the free coordinates where they are projected
  int *force;         // [n] multipliers, once known
} genRolls;

// Quantities that are known once the accelerations are (reactions.c).
typedef struct genSettled {
  struct motion *acc;     // [n] of links at their origins, in their axes, less gravity
  struct wrench *on_link; // [n] of parents on links through joints
  int *on_joint;          // [nv] of elements, couplings and drives together
  struct wrench *on_to;   // [ncut] of cuts on bodies, ground axes
  struct v3 *on_from;     // [ncut] forces alone
} genSettled;

// Words with which names of their quantities begin, words in every language.
typedef struct genWords {
  const char **link;     // [n] the body, or the joint of a link without one
  const char **joint;    // [njoint]
  const char **velocity; // [nv] the joint, or the coordinate of a joint with several
  const char **element;  // [nelement]
  const char **row;      // [nrow] the joint and the number of its row
} genWords;

// A list of nodes, each once.
typedef struct genNodes {
  int n, room, *node;
} genNodes;

// A constant of the equations, and where the compiled model has it.
typedef struct genPlace {
  int symbol;
  const double *at;
} genPlace;

// Makers leave (base/leave.h) where memory runs out, which pieces of the program's arena do by themselves, or something cannot be made.
typedef struct genBuild {
  artStatus status;  // why something could not be made
  baseArena scratch; // empty between those that use it
  baseArena work;    // until the program is made
  int has_massless; // with open loops a coordinate moves no mass; asked for the form with multipliers alone
  unsigned char
      *given; // [links] forms of the bare tree take its acceleration: driven, or moves no mass
  const artModel *m;
  artData *d;
  const genOptions *options;
  exprPool *pool;
  symTree *tree;
  eqnProgram *program;
  int function_room, external_room; // of the program's lists
  int nat, at_capacity;
  genPlace *at;     // [nat] of constants of elements
  baseTable labels; // words of the text that parameters have, in small letters
  artError *error;

  const char **joint_of, **body_of; // [n] names of the joint and the body at each link, for remarks
  genWords *words;
  int time;                // symbol
  struct treeWorld *world; // [n] of links; these vectors are nodes (gen/vectors.h)
  struct motion *velocity; // [n]
  int *impact; // [ndrive] symbols of what is added to the accelerations of drives; NULL: nothing
  int *mode;   // [nmode] symbols of the segments that laws stay on, -1 or NULL: they choose
  const int *branch; // of these, the ones of the formula at hand
  int is_condition;  // this is a condition of a latch, which stays on them
  int is_watching, nwatched, watched_room[2];
  int *watched;           // [nwatched] nodes that change their sign where a law switches (switch.c)
  const char **watcher;   // [nwatched] names of those whose laws they are
  int nloop;              // of these are borders of hystereses
  const char *owner;      // of the law at hand
  int *slot;              // [nquantity] nodes, -1: not made yet
  int *value;             // [3 nelement] what elements do, -1: not made yet
  int *tau;               // [nv] of all elements: joint forces,
  struct wrench *applied; // [n] wrenches on links
  int power;              // of forces without potential, drives not counted
  int drive_power;        // of drives, once accelerations are known
  int load_power;         // of joint forces that are given
  int potential;          // of elements
  int *state, *state_rate; // [nstate] symbols, and their rates
  int nheld, *held;        // [nheld] symbols: inputs, numbers of samplers, sides of relays
  int nrelay;
  struct genRelay *relay;       // [nrelay] hystereses whose sides are held (relay_equations.c)
  int *latch_margin;            // [nlatch]
  int *lock_order, *lock_pivot; // [nlatch] see gen_order_locks
  int *lock_force;              // [nlatch] of locks in one set of equations, once known; NULL: sets
  int *hold;                    // [nhold] symbols, NULL: they are numbers
  int nlatch,
      nhold; // latches whose sides are held after these, and numbers at which they hold, before
  int nwheel;
  struct genWheel *wheel; // [nelement]
  int *road;              // [nroad] external functions, -1: not made
  int *function;          // [nfunction] the same of the user's functions
  int *drive[3];          // [ndrive] value, rate, acceleration
  genRows rows;           // as the machine has them
  genRows closing;  // as its loops are closed: cheaper ones that mean the same (loop_equations.c)
  genBlocks blocks; // of these
  genLoops loops;
  genRolls *rolls;      // NULL: not made yet, or nothing rolls
  genEntry *entry;      // [nv] see gen_dependent_entries
  genDynamics dynamics; // of machines with loops, at what is known ahead of their accelerations
  int *acceleration;    // [nv], once known
  int *multiplier;      // [n rows], once known
  genSettled *settled;  // NULL: nobody has asked for it
  struct genDefinitions
      *definitions;   // of constants by parameters of the user; NULL: there are none
  int run[RUN_COUNT]; // symbols of what a run knows; 0: nobody has asked for it
  int is_noting_laws; // forces and rates are being made, of which steps are looked through
  genNodes path, law; // what their formulas read, and these (path_equations.c)
  int pace;           // node of the steps in a second that wheels need, 0: they need none
} genBuild;

// A pool, and a copy of nodes in memory of the program.
exprPool *gen_create_pool(void);
int *gen_copy(genBuild *b, int n, const int *node);

// Something cannot be made, and the error says what; the same unless all is well.
_Noreturn void gen_leave(genBuild *b, artStatus status);
void gen_must(genBuild *b, artStatus status);

// Whether a word means the constant of equations: "px_3", or "px" for all links.
int gen_is_meant(const char *word, const char *name, int index);

// Its name for users, "elbow.place.x", and its unit; whether a word of a call means it by either of its names.
const char *gen_constant_name(genBuild *b, const char *name, int index);
const char *gen_constant_unit(genBuild *b, const char *name, int index);
int gen_means_constant(genBuild *b, const char *word, const char *name, int index);

// Add a function with capacity for these numbers of vectors and stages, and return it.
eqnFunction *gen_add_function(genBuild *b, eqnFunctionKind kind, const char *what, int ninput,
                              int noutput, int nstage);

// The same of one with a name of its own, which becomes another where the program has it already.
eqnFunction *gen_add_named_function(genBuild *b, eqnFunctionKind kind, const char *name,
                                    const char *what, int ninput, int noutput, int nstage);

// A function that the user of the program supplies, in the order in which the pool numbers them.
void gen_add_external(genBuild *b, const char *name, const char *what, int narg, int n);

// Vectors of the tree's symbols: "q", "v", "a", "tau".
eqnVector gen_positions(genBuild *b);
eqnVector gen_velocities(genBuild *b);
eqnVector gen_accelerations(genBuild *b, const int *a);
eqnVector gen_joint_forces(genBuild *b);
eqnVector gen_impacts(genBuild *b);

eqnVector gen_along_velocities(genBuild *b, const char *name, const char *what, const int *node);

// States of elements, or their rates.
eqnVector gen_held_values(genBuild *b);
eqnVector gen_states(genBuild *b, const char *name, const char *what, const int *node);

// The inputs of a function of the state: "t", "q", "v", "state", "u" and "side" where the machine has these. Returns
// their number; there is room for GEN_STATE_INPUTS.
enum { GEN_STATE_INPUTS = 6 };
int gen_state_inputs(genBuild *b, eqnVector *input);

// A vector of n nodes, copied; labels of velocity coordinates when `labelled`.
eqnVector gen_vector(genBuild *b, const char *name, const char *what, int n, const int *node,
                     const char *const *label);

//---- tree_equations.c --------------------------------------------------------------------------------------

// Functions of the bare tree that the options ask for.
void gen_tree_forms(genBuild *b);

// Mass matrix by rows, lower triangle, and joint forces h at the accelerations a[nv] (node 0: none) under
// the applied forces of the tree. Of the kind of parameters that the options ask for.
void gen_tree_mass_bias(genBuild *b, const int *a, genMatrix *M, int *h);

// Joint forces alone, and the motion of the links as they are found from it, moved[GEN_MOTION n].
void gen_tree_inverse(genBuild *b, const int *a, int *h, int *moved);

// Accelerations under the forces of the tree, by factors of the mass matrix or in O(n), whichever takes
// fewer operations. a[nv] holds driven accelerations, which are also the tree's own, on entry.
// The dynamics by which it was done, or none.
void gen_tree_forward(genBuild *b, int *a, genFactors *d);

// dq[nq] of a motion of the velocity coordinates, q' = N v: angles and slides add, quaternions turn (tree_frame.c). The
// same of one link; returns how many positions it has.
void gen_position_rates(genBuild *b, const int *move, int *dq);
int gen_link_rates(const genBuild *b, const treeLink *link, const int *move, int *dq);

//---- lock_equations.c ----------------------------------------------------------------------------

// Locks in one set of equations: their order; whether one is engaged, 1 or 0; stages that hold its positions and velocities; the
// accelerations of a tree with all of them, and their forces; what these are on a joint.
void gen_take_locks(genBuild *b);
int gen_lock_side(const genBuild *b, int lock);
void gen_lock_stages(genBuild *b, eqnFunction *f, int has_accelerations);

// Moves of velocity coordinates in n directions, by columns, become those that locks allow; directions from `first` on are the numbers
// at which they hold, -1: none is.
void gen_lock_moves(genBuild *b, int n, int first, int *move);
void gen_locked_forward(genBuild *b, int *a, genFactors *d);
int gen_lock_share(genBuild *b, int velocity);
int gen_masked_quantity(const genBuild *b, const modelQuantity *quantity); // of a lock; -1: another

// Operations after n nodes as they are recorded, those on parameters alone not counted.
int gen_operations(genBuild *b, int n, int *node);

//---- quantity_equations.c, quantity_symbolic.c, formula_symbolic.c --------------------------------------------------------------

// A formula over the nodes of its slots.
int gen_formula(genBuild *b, const formula *f, artPlace place, const char *name);

// A formula with parameters as slots that can take its place, or NULL; and parameters in slots from `first` on become
// numbers, since they reach `what` (definition.c, parameter_map.c).
const formula *gen_live_formula(const genBuild *b, const formula *f);
void gen_freeze_formula(genBuild *b, const formula *f, int first, const char *what);

// The node of a quantity; its value, where all that it reads is known; symbols of values that a run knows.
int gen_quantity(genBuild *b, int quantity, artPlace place, const char *name);
int gen_quantity_value(genBuild *b, const modelQuantity *quantity);
int gen_run(genBuild *b, quantityRun k);

// Energies of the whole machine, rods and elements included.
int gen_kinetic(genBuild *b);
int gen_potential(genBuild *b);

//---- rod_equations.c -----------------------------------------------------------------------------

// Add the inertia of all rods to M, if it is asked for, and to joint forces h at the accelerations of the tree.
void gen_add_rods(genBuild *b, genMatrix *M, int *h);

//---- force_equations.c -------------------------------------------------------------------------------------

// All elements: tau, applied, power, potential, value. Drives: values with derivatives.
void gen_forces(genBuild *b);

// Held numbers after an instant of samplers (sample_equations.c).
void gen_sample(genBuild *b);

// Start values that are formulas of parameters (`starts` of the options): of coordinates that nothing leads, and of states.
void gen_starts(genBuild *b);
int gen_follows_position(const genBuild *b, int i);
int gen_follows_velocity(const genBuild *b, int i);

// Rates of states with formulas, of those with these numbers.
void gen_rates(genBuild *b, int n, const int *which);
void gen_drives(genBuild *b);

//---- switch.c ------------------------------------------------------------------------------------

// The function of all nodes that were noted while forces and drives were made (gen_watch).
void gen_switches(genBuild *b);

// How many steps in a second wheels need.
void gen_pace(genBuild *b);

// Formulas of the motion that act, and quantities that they read, noted while forces and rates are made; the functions of both.
void gen_note_path(genBuild *b, const modelQuantity *quantity, int node);
void gen_note_law(genBuild *b, const formula *f, int node);
void gen_paths(genBuild *b);

// The vector of sides of corners, after a number that lets them go (`frees` of the options).
eqnVector gen_sides(genBuild *b);

// Relays: modes of hystereses become symbols of held numbers; signals that have some,
// whoever reads them; the function of margins. Names of all held numbers.
void gen_find_relays(genBuild *b);
void gen_relay_signals(genBuild *b);
void gen_latch_margins(genBuild *b); // before switching functions, of which they are the last
int gen_latch_indicator(const genBuild *b, int latch);
void gen_relays(genBuild *b);
int gen_border_of_relay(const genBuild *b, int i); // a node; -1: it is of a latch, or has none
const char **gen_held_names(genBuild *b);
int gen_cut_number(const artModel *m, int cut);    // of names, the same in whatever set of latches
const int *gen_hold(const genBuild *b, int latch); // symbols of the numbers at which it holds
void gen_hold_values(const genBuild *b, double *symbols); // the model's values, by ordinals

// Slots of formulas: quantities, parameters, numbers that parameters give.
int gen_slot_count(const artModel *m);

//---- tyre_equations.c --------------------------------------------------------------------------------------

// The tyre of element i: its forces, its values and the rates of its states.
void gen_tyre(genBuild *b, const modelElement *e, int i, int *value);

// Whether a road and all its parts have short equations (road_symbolic.c).
int sym_road_has_equations(const artRoad *road);

//---- wheel.c -------------------------------------------------------------------------------------

// Stages in which contacts are found and forces of tyres evaluated, their number at most; needs that
// positions and velocities are known.
static inline int gen_wheel_stage_count(const genBuild *b)
{
  return 4 + 2 * b->nwheel;
}
void gen_wheel_stages(genBuild *b, eqnFunction *f);

//---- loop_equations.c --------------------------------------------------------------------------------------

// Rows of all cuts and relations; and those that close the loops, once there is a partition.
void gen_rows(genBuild *b);
void gen_closing_rows(genBuild *b);

// Rows of velocities of what rolls: A[n nv], gamma[n], place[ROLL_PLACE nroll].
void gen_rolling_rows(genBuild *b, int *A, int *gamma, int *place);

//---- machine_equations.c -----------------------------------------------------------------------------------

// The whole machine.
void gen_machine(genBuild *b);

// One more stage of a function, its nodes copied; a straight one for n roots.
void gen_add_stage(genBuild *b, eqnFunction *f, eqnStage stage);
void gen_add_straight(genBuild *b, eqnFunction *f, const char *title, eqnGroup group, int n,
                      int *root);

// n symbols, or symbols of dependent coordinates, symbol[nv], get new values.
void gen_add_assignment(genBuild *b, eqnFunction *f, const char *title, eqnGroup group, int n,
                        int *symbol, int *value);
void gen_assign_dependent(genBuild *b, eqnFunction *f, const char *title, eqnGroup group,
                          const int *symbol, int *value);

// Values of drives, given to positions and velocities, and to accelerations.
void gen_drive_stage(genBuild *b, eqnFunction *f, int with_accelerations);

// Partition, factors of blocks and couplings, once; stages that close the loops.
void gen_open_loops(genBuild *b);
void gen_closing_stages(genBuild *b, eqnFunction *f);

// Mass matrix, and joint forces at the accelerations a_0[nv] (node 0: none).
void gen_find_dynamics(genBuild *b, const int *a_0, genDynamics *d);

// Joint forces that are missing at the accelerations a[nv], elements and rods counted, as gen_tree_inverse finds them.
void gen_missing_at(genBuild *b, const int *a, int *h, int *moved);

// b->multiplier by  J_v^T lambda = missing forces on the dependent coordinates [nd], blocks from the last to the first,
// of the rows as the machine has them. And these multipliers as a vector with names.
void gen_find_multipliers(genBuild *b, const int *missing);
eqnVector gen_multipliers(genBuild *b);

// A function with the stages and inputs of `accelerate`, and capacity for one more input and `noutput` outputs.
eqnFunction *gen_like_accelerate(genBuild *b, eqnFunctionKind kind, const char *what, int noutput);

//---- output.c ------------------------------------------------------------------------------------

// Force and torque of every joint at the accelerations and multipliers of the machine; functions "outputs" and
// "machine_reactions".
eqnVector gen_reaction_vector(genBuild *b);
void gen_outputs(genBuild *b);
void gen_machine_reactions(genBuild *b);

//---- reactions.c ---------------------------------------------------------------------------------

// Accelerations of links, and forces through joints, cuts and rods, all of it once. After the machine was made.
const genSettled *gen_settle(genBuild *b);

//---- couple.c ------------------------------------------------------------------------------------

// Entry of J of the rows that close the loops, in the order of the blocks; of the mass matrix.
static inline int gen_closing_entry(const genBuild *b, int row, int column)
{
  return matrix_entry(&b->closing.J, b->blocks.row[row], column);
}
static inline int gen_mass_entry(const genDynamics *d, int i, int j)
{
  return matrix_entry(&d->M, i, j);
}

// Entries of a row in columns of dependent coordinates, in the order of these and with their places there; returns how
// many. They stay until the next call.
int gen_dependent_entries(const genBuild *b, const genMatrix *A, int row, const genEntry **entry);

// J_v x = right sides in x[nd], rows in the order of the blocks, once these are factored; and J_v^T x = what x[nd] has of
// their columns.
void gen_solve_blocks(genBuild *b, int *x);
void gen_solve_blocks_transposed(genBuild *b, int *x);

// B and b.
void gen_couple(genBuild *b);

// Whether blocks may have a choice, by their rows; and use a way for all that do, by their inertia too.
int gen_has_choice(genBuild *b);
void gen_choose_way(genBuild *b, const genDynamics *d, genWay way);

// B v_u and B a_u + b in solve order, of velocities and accelerations [nv], read of free and driven coordinates;
// `known` has the accelerations without the part of the free ones, if somebody has found them.
int *gen_follow_velocities(genBuild *b, const int *v);
int *gen_follow_accelerations(genBuild *b, const int *a, const int *known);

//---- roll_equations.c ----------------------------------------------------------------------------

// What rolls; NULL: nothing. The same with its rows over free and driven coordinates, once it is known how others follow.
const genRolls *gen_rolls(genBuild *b);
const genRolls *gen_reduced_rolls(genBuild *b);

// The stage that projects velocities of the free coordinates, once it is known how others follow. Accelerations of
// the free coordinates, where right[nf] has the right side -r and a_0[nv] what is known without them, in place.
void gen_roll_velocities(genBuild *b, eqnFunction *f);
void gen_roll_accelerations(genBuild *b, const int *a_0, int *right);

// Joint force of what rolls on a velocity coordinate, with open loops.
int gen_roll_share(genBuild *b, int velocity);

//---- alone.c -------------------------------------------------------------------------------------

// Find the coordinates that stand alone at a dynamics without accelerations.
void gen_find_alone(genBuild *b, const genDynamics *d, genAlone *x);

// The terms of coordinates with the same c in an entry of the reduced mass matrix, and of the right side with
// accelerations b + y in carried[nd], -1 for a coordinate that is not meant.
int gen_alone_part(genBuild *b, const genAlone *x, const int *P, int first, int f, int g);
int gen_alone_force(genBuild *b, const genAlone *x, const int *P, const int *carried, int first,
                    int f);

//---- reduced_equations.c ------------------------------------------------------------------------------------

// R^T M R, its parts and P, of a dynamics without accelerations; R^T h; and the ways that
// take the fewest operations. Dependent coordinates that act by P^T a instead have accelerations in carried[nd], others
// -1; NULL: all.
void gen_reduce(genBuild *b, const genDynamics *d, genReduced *out);
int *gen_reduce_forces(genBuild *b, const genReduced *reduced, const int *h, const int *carried);
void gen_choose_cheapest_way(genBuild *b);

//---- reduced_rhs.c -------------------------------------------------------------------------------

// The right-hand side at the accelerations a_0[nv], derived in the way that takes the fewest operations, goes to
// `reduced`, its joint forces to b->dynamics.
//   rest       dynamics at zero accelerations
//   recursive  dynamics at a_0, by the recursion
void gen_choose_right_side(genBuild *b, const genDynamics *rest, const genDynamics *recursive,
                           const int *a_0, genReduced *reduced);

// Residual forces  h_v + P a_f  on the dependent coordinates at the accelerations a[nv]; h[nv]: joint forces at the
// accelerations known ahead. The result has length nd.
int *gen_missing_forces(genBuild *b, const genDynamics *rest, const genReduced *reduced,
                        const int *h, const int *a);

//---- actuator_equations.c -----------------------------------------------------------------------------------

// Forces of actuators at given accelerations.
void gen_actuate(genBuild *b);

//---- tangent.c -----------------------------------------------------------------------------------

// Derivatives of all functions made so far, or of "accelerate" alone, as further functions.
void gen_tangents(genBuild *b);

//---- augmented_equations.c ---------------------------------------------------------------------------------

// Accelerations and multipliers together, loops taken as they are and stabilised.
void gen_augmented(genBuild *b);

//---- name.c --------------------------------------------------------------------------------------

// Names of nodes for readers of generated source: the user's name of a body, joint or force, then the quantity. Nodes keep
// the first name that they get.

// Words of links, joints and forces, once there are owners.
void gen_find_words(genBuild *b);

// A name, "strut" and "length" to strut_length.
void gen_name(genBuild *b, int node, const char *owner, const char *quantity);
void gen_name_of(genBuild *b, int node, const char *owner, const char *quantity); // of any owner

// Name the nodes of the forms of the whole machine: closed loops, all, the equations of the free coordinates.
void gen_name_loops(genBuild *b);
void gen_name_machine(genBuild *b);
void gen_name_reduced(genBuild *b, const genReduced *reduced);

//---- parameter_comment.c ------------------------------------------------------------------------------------

// Names of joints and bodies at links, for remarks.
void gen_find_owners(genBuild *b);

// The remark on parameter k of the tree: kind and owner in the user's names; NULL when not known.
const char *gen_parameter_comment(genBuild *b, int k);

// Whether parameters i and j of a name are of one kind: the same coefficient of two laws, the same entry of two matrices.
int gen_are_alike(const char *name, int i, int j);

// Titles of links, and which link each symbol of the pool speaks of, for the program.
void gen_title_links(genBuild *b);

#endif
