// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of the recursive method: ways of constraints to ground, and what is done branch by branch.
#ifndef METHOD_RECURSIVE_WORK_H
#define METHOD_RECURSIVE_WORK_H

#include <math.h>

#include "loop/loop.h"
#include "method/method.h"
#include "num/skyline.h"
#include "tree/tree.h"

//---- branches (branches.c) -----------------------------------------------------------------------

// Parts of a tree that meet nowhere but at the base they stand on, so that recursions go through them side by side. Which parts
// these are follows from the tree alone.

// links from first to before end: the root, then all that it carries
typedef struct treeBranch {
  int first, end;
  int inner; // first link whose joint belongs to the branch: the root where it stands on ground, else the
             // one after it; then the joint of the root is the base's
} treeBranch;

typedef struct treeBranches {
  int n;
  treeBranch *branch; // in the order of links
  int nbase;
  int *
      base; // links between ground and branches, and roots of branches that stand on them, in order
  int *of;  // [links] branch of a link, -1 for ground and other links of the base
} treeBranches;

// Branches stand on ground, and where one of them would be more than a quarter of the tree and parts
// further out, on the links up to there. 0 when memory ran out.
int branches_find(treeBranches *b, const treeModel *t, baseArena *arena);

// Deal the branches to workers so that the dearest share is cheap: worker[branch] for cost[branch], the
// dearest first, each to who has least. load is of as many numbers as there are workers.
void branches_deal(int n, const double *cost, int workers, double *load, int *worker);

// which rows take part
typedef enum rowSet { USUAL, ALL, SETS } rowSet;

// one link on the way of a constraint to ground
typedef struct wayLink {
  int link;
  int at; // in u: [rows][nv] of what the joint feels
} wayLink;

// the same where its joint is the base's
typedef struct baseLink {
  wayLink step;
  const wrench *root; // [rows] what a branch has brought to its root, if it is one; else NULL
} baseLink;

typedef enum wayKind { WAY_CUT, WAY_RELATION, WAY_ROD } wayKind;

// a cut, a relation or the mass of a rod: its rows, and all links that feel them
typedef struct constraintWay {
  wayKind kind;
  int index;                   // of model's cuts, relations or rods
  int row[6];                  // its rows, the usual ones first
  int first[SETS], nrow[SETS]; // where they stand in the matrix, how many there are
  int n;
  wayLink *step; // from the leaves to ground
  int nbase;
  baseLink *base; // links of the way whose joint is the base's

  // but for relations: links at both ends, what a unit of each row does to them, and what the
  // multipliers do together, at the links' origins and in their axes
  int end[2];
  wrench unit[2][6], push[2];
} constraintWay;

// a constraint that a link feels
typedef struct linkVisit {
  const constraintWay *way;
  int at;
  int place; // first row in the matrix of the link's branch
} linkVisit;

// a constraint that a branch feels, at the steps from begin to before end
typedef struct branchWay {
  constraintWay *way;
  int begin, end;
  int place;
} branchWay;

typedef struct recursiveBranch {
  treeBranch links;
  int n;
  branchWay *way;
  int nrow;     // of all of them
  double **row; // [nrow][nrow] its part of J M^-1 J^T, lower triangle
  wrench *root; // [nrow] what unit multipliers come to at the root, if its joint is the base's
  int is_weak;  // a joint moves nothing that has inertia, or something is not finite
} recursiveBranch;

struct methodRecursive {
  const treeModel
      *weights; // inertia of the links: the model's, or that with twins (recursive_twins.c)
  int count;
  constraintWay *way;
  int *visit0; // [links + 1] first of each link's visits, in the order of ways
  linkVisit *visit;
  double *u;
  wrench *f;                 // [links] that of ground stays zero
  double *tau;               // [nv] all zero between evaluations
  char *keep;                // [nrow] usual rows
  loopKept *kept[SETS];      // [ncut] rows of cuts
  loopKept *none;            // [ncut] no row of a cut
  numSkyline delassus[SETS]; // J M^-1 J^T
  double *x;                 // [nrow + 3 nrod] multipliers, as they stand in the matrix

  treeBranches tree;
  recursiveBranch *branch; // [tree.n]
  int is_grounded;         // all of them are
  int is_anchored;         // no branch looks at a point of another one
  rowSet set;              // that the branches look at
  int is_singular;         // the last evaluation has found a singular position near, and no more
};

static inline struct methodRecursive *recursive_of(const artData *d)
{
  return method_part(d, ART_RECURSIVE);
}

// Take all of it, at closed loops; with the usual rows, where somebody else has found them (else NULL).
artStatus recursive_start(const artModel *m, artData *d, const char *keep, artError *error);

// The links as the model has them; where twins of bodies close loops (modelJoint), with the inertia of each
// body shared evenly among it and its twins, so that all joints move something. NULL: no memory.
const treeModel *recursive_weights(const artModel *m, baseArena *arena);

// Does a joint give way to forces?
static inline int recursive_yields(const treeLink *link)
{
  return link->nv > 0 && !link->is_driven;
}

// Of the rows of a rod: sqrt(m/6 / M).
static inline double recursive_rod_scale(const artModel *m, int rod)
{
  return sqrt(m->cut[m->rod[rod]].mass / 6 / m->mass);
}

//---- what is done branch by branch ---------------------------------------------------------------

// Each phase writes nothing that another branch reads in the same phase. Sums over branches are those
// of their parts in the order of branches, whoever found them: results are the same to the last bit for
// any number of workers. The base is served by one of them, before and after.
typedef void recursivePhase(const artModel *m, artData *d, int branch);

recursivePhase recursive_place; // links in ground, velocities, axes if they are anchored
recursivePhase
    recursive_inertia;           // articulated inertia; on ground, motion of the open loops as well
recursivePhase recursive_move;   // motion of the open loops, where the base is in between
recursivePhase recursive_rows;   // unit multipliers inward, and their part of the matrix
recursivePhase recursive_inward; // both at once: one meeting less for those who share
recursivePhase recursive_respond; // inward: what multipliers do; on ground, outward as well
recursivePhase recursive_spread;  // outward, where the base is in between

// The same for the base, in this order around the phases of branches.
void recursive_place_base(const artModel *m, artData *d);
void recursive_start_base(const artModel *m, artData *d); // before recursive_inertia
void recursive_move_base(const artModel *m, artData *d);  // after it
void recursive_rows_base(const artModel *m, artData *d);  // after recursive_rows: the whole matrix
void recursive_respond_base(const artModel *m, artData *d);

// Unit multipliers of the present set as wrenches; the multipliers that were found.
void recursive_units(const artModel *m, artData *d);
void recursive_push(const artModel *m, artData *d);

#endif
