// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Internals of the recursive method: paths of constraints to ground, and operations branch by
// branch.
#ifndef METHOD_RECURSIVE_WORK_H
#define METHOD_RECURSIVE_WORK_H

#include <math.h>

#include "loop/loop.h"
#include "method/method.h"
#include "num/skyline.h"
#include "tree/tree.h"

//---- branches (branches.c) -----------------------------------------------------------------------

// Subtrees that share no link except the base that carries them, so recursions can process them in
// parallel. They depend on the tree alone.

// links in [first, end): the root, then everything outward of it
typedef struct treeBranch {
  int first, end;
  int inner; // first link whose joint belongs to the branch: the root if it is attached to ground,
             // else the link after it, because the joint of the root belongs to the base
} treeBranch;

typedef struct treeBranches {
  int n;
  treeBranch *branch; // in the order of links
  int nbase;
  int *base; // in order: links between ground and branches, and roots of branches attached to them
  int *of;   // [links] branch of a link, -1 for ground and other links of the base
} treeBranches;

// Branches start at ground. If one of them would contain more than a quarter of the tree and the
// tree forks further out, the links up to the fork join the base. Returns 0 when memory ran out.
int branches_find(treeBranches *b, const treeModel *t, baseArena *arena);

// Assign branches to workers (greedy: most expensive branch first, each to the worker with least
// load): writes worker[branch] from cost[branch]. load: scratch for `workers` numbers.
void branches_deal(int n, const double *cost, int workers, double *load, int *worker);

// which rows are used
typedef enum rowSet { USUAL, ALL, SETS } rowSet;

// one link on the path of a constraint to ground
typedef struct wayLink {
  int link;
  int at; // index in u: [rows][nv] generalised forces of a unit multiplier at the joint
} wayLink;

// the same where the joint belongs to the base
typedef struct baseLink {
  wayLink step;
  // [rows] wrenches that a branch has accumulated at its root, if this link is one; else NULL
  const wrench *root;
} baseLink;

typedef enum wayKind { WAY_CUT, WAY_RELATION, WAY_ROD } wayKind;

// a cut, a relation or the mass of a rod: its rows, and all links that they act on
typedef struct constraintWay {
  wayKind kind;
  int index;                   // index of the cut, relation or rod in the model
  int row[6];                  // its rows, usual ones first
  int first[SETS], nrow[SETS]; // position in the matrix, and count
  int n;
  wayLink *step; // from the leaves to ground
  int nbase;
  baseLink *base; // path links whose joint belongs to the base

  // except for relations: the two end links; wrenches of a unit of each row, and of all multipliers
  // together, at the links' origins in link axes
  int end[2];
  wrench unit[2][6], push[2];
} constraintWay;

// a constraint that acts on a link
typedef struct linkVisit {
  const constraintWay *way;
  int at;
  int place; // its first row in the matrix of the link's branch
} linkVisit;

// a constraint that acts on a branch, at path steps [begin, end)
typedef struct branchWay {
  constraintWay *way;
  int begin, end;
  int place;
} branchWay;

typedef struct recursiveBranch {
  treeBranch links;
  int n;
  branchWay *way;
  int nrow;     // rows of all these constraints
  double **row; // [nrow][nrow] contribution to J M^-1 J^T, lower triangle
  wrench *root; // [nrow] wrenches of unit multipliers at the root, if its joint belongs to the base
  int is_weak;  // a joint moves no inertia, or a result is not finite
} recursiveBranch;

struct methodRecursive {
  // the model's links, possibly with distributed inertia (recursive_twins.c)
  const treeModel *weights;
  int count;
  constraintWay *way;
  int *visit0; // [links + 1] first of each link's visits, in the order of constraints
  linkVisit *visit;
  double *u;
  wrench *f;                 // [links] entry of ground stays zero
  double *tau;               // [nv] zero between evaluations
  char *keep;                // [nrow] is it one of the usual rows?
  loopKept *kept[SETS];      // [ncut] rows of cuts
  loopKept *none;            // [ncut] no row of a cut
  numSkyline delassus[SETS]; // J M^-1 J^T
  double *x;                 // [nrow + 3 nrod] multipliers in the order of the matrix

  treeBranches tree;
  recursiveBranch *branch; // [tree.n]
  int is_grounded;         // all branches are attached to ground
  int is_anchored;         // no branch refers to an anchor in another branch
  rowSet set;              // rows used by the branches at present
  int is_singular;         // the last evaluation detected a nearby singular position and stopped
};

static inline struct methodRecursive *recursive_of(const artData *d)
{
  return method_part(d, ART_RECURSIVE);
}

// Create everything, with closed loops; keep: the usual rows, if already known (else NULL).
artStatus recursive_start(const artModel *m, artData *d, const char *keep, artError *error);

// The links of the model; if loops are closed by counterparts of bodies (modelJoint), the inertia
// of each body is distributed evenly over it and its counterparts, so that every joint moves some
// inertia. NULL: memory ran out.
const treeModel *recursive_weights(const artModel *m, baseArena *arena);

// Does the joint have coordinates that are not driven?
static inline int recursive_yields(const treeLink *link)
{
  return link->nv > 0 && !link->is_driven;
}

// Scale of the rows of a rod: sqrt(m/6 / M).
static inline double recursive_rod_scale(const artModel *m, int rod)
{
  return sqrt(m->cut[m->rod[rod]].mass / 6 / m->mass);
}

//---- operations branch by branch -----------------------------------------------------------------

// A phase writes nothing that another branch reads in the same phase. Sums over branches are
// accumulated in the order of branches regardless of who computed them, so results are
// bit-identical for any number of workers. One worker processes the base, before and after.
typedef void recursivePhase(const artModel *m, artData *d, int branch);

recursivePhase recursive_place; // link positions in ground, velocities; axes if all are anchored
// articulated inertia; also motion of the open tree if all are grounded
recursivePhase recursive_inertia;
recursivePhase recursive_move; // motion of the open tree, if there is a base
recursivePhase recursive_rows; // unit multipliers inward, and their contribution to the matrix
// recursive_inertia and recursive_rows in one phase, which saves a synchronisation
recursivePhase recursive_inward;
recursivePhase recursive_respond; // inward: effect of the multipliers; also outward if grounded
recursivePhase recursive_spread;  // outward, if there is a base

// The same for the base, in this order around the phases of the branches.
void recursive_place_base(const artModel *m, artData *d);
void recursive_start_base(const artModel *m, artData *d); // before recursive_inertia
void recursive_move_base(const artModel *m, artData *d);  // after recursive_inertia
// after recursive_rows: assembles the matrix
void recursive_rows_base(const artModel *m, artData *d);
void recursive_respond_base(const artModel *m, artData *d);

// recursive_units: unit multipliers of the present rows as wrenches. recursive_push: the same for
// the multipliers found.
void recursive_units(const artModel *m, artData *d);
void recursive_push(const artModel *m, artData *d);

#endif
