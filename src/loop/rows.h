// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows of cut joints and relations:  phi(q) = 0,  J v = 0,  J a = gamma.
//
// A row of a cut joint measures the displacement of `to` relative to `from`. It is a wrench w on
// `to` and its opposite on `from`, with  d phi/dt = w . (V_to - V_from).  Its multiplier lambda is
// the magnitude of that wrench in  M a + h = tau + J^T lambda.  Axes are fixed in `from`, so motion
// common to both sides cancels exactly in J.
#ifndef LOOP_ROWS_H
#define LOOP_ROWS_H

#include "data/work.h"
#include "loop/matrix.h"
#include "loop/row.h"

// the selected rows of a cut
typedef struct loopKept {
  int n, row[6];
  rowKind kind[6];
  int needs_to; // does one of them use the axes of `to`?
} loopKept;

typedef struct loopRows {
  loopKept *all; // [ncut] every row
  double *phi;   // [nrow] constraint violation, m or rad
  // [nrow] right-hand side of J a = gamma, for the prescribed accelerations of drives
  double *gamma;
  // [nrow nv] pattern: coordinates that move one side of a cut, or that belong to a relation
  loopMatrix J;
  int **side;      // [2 ncut] for each coordinate of a side, its index within the rows of its cut
  int **tied;      // [nrelation] the same for coordinates of a relation
  double *lambda;  // [nrow] multipliers
  loopRow *row;    // [nrow] rows of cuts
  cutState *state; // [ncut]
} loopRows;

// Allocate memory; returns 0 when there is none.
int rows_start(loopRows *rows, const artModel *m, baseArena *arena);

// Write the cut rows with keep[row] (NULL: all) into kept[ncut]. The functions below evaluate these
// cut rows (NULL: all) and always the rows of all relations.
void rows_select(const artModel *m, const char *keep, loopKept *kept);

// Compute phi and the quantities that J needs.                reads q, tree.world
artStatus rows_positions(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                         artError *error);

// phi of further cut rows, after rows_positions.
void rows_others(const artModel *m, const artData *d, loopRows *rows, const loopKept *others);

// Compute the values of J.                                    reads rows, tree.world, tree.S
artStatus rows_jacobian(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                        artError *error);

// The same for one cut or one relation; tree.world and tree.S must be up to date.
void rows_cut(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept, int cut);
artStatus rows_relation(const artModel *m, const artData *d, loopRows *rows, int relation,
                        artError *error);

// Velocity of `to` relative to `from` at a cut, without the motion common to both. The power of a
// row's wrench in this motion is the rate of the row.
//                                                            reads state, v, tree.world, S
motion rows_motion(const artModel *m, const artData *d, const loopRows *rows, int cut);

// Velocity at the point r, and motion of the frame, of one side of a cut, with the coordinates that
// move it alone.                                              reads v, tree.world, S; tree.world, body
motion rows_side_velocity(const artModel *m, const artData *d, const cutSide *side, v3 r);
cutMotion rows_side_motion(const artData *d, const cutSide *side);

// Compute gamma from the motion found by tree_rne at v and from the accelerations of the drives,
// for rows already evaluated by rows_positions.
//                                                            reads rows, v, tree.world, S, body
artStatus rows_gamma(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                     artError *error);

// Add the wrenches of the cut multipliers to work->applied.
void rows_apply(const artModel *m, artData *d, const loopRows *rows);

// Write J^T lambda of the relations into force[nv].
void rows_relation_forces(const artModel *m, const loopRows *rows, double *force);

// Force and torque at a cut joint acting on `to`, in ground axes.
wrench rows_reaction(const artModel *m, const loopRows *rows, int cut);

//---- rows for the assembly (assembly_rows.c) -----------------------------------------------------

// For loops that are far from closed. The rows above measure angles between axes by cosines, which
// also vanish when an axis points the opposite way. The assembly uses the rotation vector of the
// error instead: it vanishes only in the correct attitude, and agrees with those rows to first
// order there.
// After rows_positions: phi and wrenches of the rows "turn x", "turn y", "turn z" of all cuts.
void wide_turns(const artModel *m, const artData *d, loopRows *rows);

//---- derivatives of constraint functions (relation.c) --------------------------------------------

// Compare dh/dq and the bias of every constraint function of the host or the user with finite
// differences at the positions of the data. Skips a function that fails at the neighbouring
// positions.
artStatus relation_check_all(const artModel *m, const artData *d, artError *error);

//---- residuals of the constraints (residual.c) ---------------------------------------------------

// Largest |phi|, |d phi/dt| and |d2 phi/dt2| at the present state and its accelerations; needs
// tree_rne before (work->has_motion).
typedef struct loopResidual {
  double position, velocity, acceleration; // m or rad, per s, per s^2
} loopResidual;

// Position and velocity residual only; needs no accelerations.
artStatus residual_open(const artModel *m, artData *d, loopResidual *residual, artError *error);

artStatus residual_find(const artModel *m, artData *d, loopResidual *residual, artError *error);

//---- structurally redundant rows (structural_rank.c) ---------------------------------------------

// Structurally redundant rows depend on other rows in every configuration, as those rows of a
// planar loop that only keep it in its plane. Write into keep[nrow] which rows imply all others, at
// every position where the kept rows are independent. Keeps all rows if the kept rows are dependent
// at the present positions: then redundancy depends on the configuration. Always keeps relations
// and rows that constrain the drives. Evaluates J here and at a few positions nearby, in temporary
// memory. Preserves positions, overwrites J.
artStatus always_needed(const artModel *m, artData *d, char *keep, artError *error);

#endif
