// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Constraint rows of cut joints and relations:  phi(q) = 0,  J v = 0,  J a = gamma.
//
// A row of a cut joint measures how `to` has moved against `from`. It is a wrench w on `to` and its
// opposite on `from`, for which  d phi/dt = w . (V_to - V_from);  its multiplier lambda is the size of
// that wrench in  M a + h = tau + J^T lambda.  Axes are fixed in `from`, so that motion common to both
// sides drops out of J exactly.
#ifndef LOOP_ROWS_H
#define LOOP_ROWS_H

#include "data/work.h"
#include "loop/matrix.h"
#include "loop/row.h"

// the rows of a cut that are asked for
typedef struct loopKept {
  int n, row[6];
  rowKind kind[6];
  int needs_to; // one of them reads the axes of `to`
} loopKept;

typedef struct loopRows {
  loopKept *all; // [ncut] every row
  double *phi;   // [nrow] how far the rows are open, m or rad
  double *gamma; // [nrow] right-hand side of J a = gamma, at the accelerations of the drives
  loopMatrix
      J; // [nrow nv] entries of the coordinates that move a side of a cut, or that a relation ties
  int **side;      // [2 ncut] places of a side's coordinates in the rows of its cut
  int **tied;      // [nrelation] of a relation's in its row
  double *lambda;  // [nrow] multipliers
  loopRow *row;    // [nrow] of cuts
  cutState *state; // [ncut]
} loopRows;

// Take the memory; 0 when there is none.
int rows_start(loopRows *rows, const artModel *m, baseArena *arena);

// Write into kept[ncut] the rows of cuts with keep[row] (NULL: all). The functions below find these
// rows (NULL: all), and the rows of relations always.
void rows_select(const artModel *m, const char *keep, loopKept *kept);

// phi and what J needs.                                      reads q, tree.world
artStatus rows_positions(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                         artError *error);

// phi of further rows of cuts, where rows_positions has seen some.
void rows_others(const artModel *m, const artData *d, loopRows *rows, const loopKept *others);

// Entries of J.                                              reads rows, tree.world, tree.S
artStatus rows_jacobian(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                        artError *error);

// The same for a single cut, or a single relation, for which tree.world and tree.S must be up to date.
void rows_cut(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept, int cut);
artStatus rows_relation(const artModel *m, const artData *d, loopRows *rows, int relation,
                        artError *error);

// Motion of `to` against `from` at a cut, but for the motion that both have in common: the power of a row's wrench in it
// is the rate of the row.                                    reads state, v, tree.world, S
motion rows_motion(const artModel *m, const artData *d, const loopRows *rows, int cut);

// gamma, from the motion that tree_rne found at v and the accelerations of the drives.
// rows_positions must have seen these rows.
//                                                            reads rows, v, tree.world, S, body
artStatus rows_gamma(const artModel *m, const artData *d, loopRows *rows, const loopKept *kept,
                     artError *error);

// Add the wrenches of the cuts' multipliers to work->applied.
void rows_apply(const artModel *m, artData *d, const loopRows *rows);

// J^T lambda of the relations into force[nv].
void rows_relation_forces(const artModel *m, const loopRows *rows, double *force);

// Force and torque on `to` at the joint, in ground axes, of a cut.
wrench rows_reaction(const artModel *m, const loopRows *rows, int cut);

//---- rows of the assembly (assembly_rows.c) ------------------------------------------------------

// Loops that are far from closed: the rows above measure the angles of axes by cosines, which vanish as well when an
// axis points the wrong way. In the assembly the missing rotation takes their place: it vanishes in the right attitude
// alone and agrees with them to first order there.
// After rows_positions: phi and wrenches of the rows "turn x", "turn y", "turn z" of all cuts.
void wide_turns(const artModel *m, const artData *d, loopRows *rows);

//---- derivatives of constraint functions (relation.c) --------------------------------------------

// Compare dh/dq and the bias of every constraint by a function of the host or the user with differences at the positions of the data. A function that
// fails beside these is not looked at.
artStatus relation_check_all(const artModel *m, const artData *d, artError *error);

//---- how well the loops are closed (residual.c) --------------------------------------------------

// The largest |phi|, |d phi/dt| and |d2 phi/dt2| at the present state and its accelerations, for
// which tree_rne has been run (work->has_motion).
typedef struct loopResidual {
  double position, velocity, acceleration; // m or rad, per s, per s^2
} loopResidual;

// The first two of them alone, for which no accelerations are needed.
artStatus residual_open(const artModel *m, artData *d, loopResidual *residual, artError *error);

artStatus residual_find(const artModel *m, artData *d, loopResidual *residual, artError *error);

//---- structurally redundant rows (structural_rank.c) ---------------------------------------------

// Structurally redundant rows follow from other rows in every configuration. A planar loop has some, which only
// keep it in its plane. Write into keep[nrow] which rows are needed to know all others, at any positions where those kept
// are independent. All are kept when some of them are not independent at the present positions: then
// which rows count depends on where the machine stands. Relations and rows that ask something of the
// drives are kept in any case. Looks at J here and at a few places nearby; takes memory, and gives it
// back. Positions stay, J does not.
artStatus always_needed(const artModel *m, artData *d, char *keep, artError *error);

#endif
