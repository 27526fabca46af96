// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The values of a data block besides the state: results of the recursions, values of elements, frozen modes.
#ifndef DATA_WORK_H
#define DATA_WORK_H

#include <stdint.h>

#include "articula/data.h"
#include "model/model.h"
#include "tree/tree.h"

// Parts of a data block that upper layers keep: each layer makes its part, leaves an owner that can end it, and alone
// knows its contents. Parts end from the last owner to the first.
struct forceWork;  // formulas, drives, tyres, reactions (force/force_work.h)
struct loopWork;   // closed loops (loop/loop.h)
struct methodWork; // equations of motion (method/method.h)
struct studyWork;  // studies that close loops otherwise (study/inverse/inverse.c)
enum { WORK_FORCES, WORK_LOOPS, WORK_METHODS, WORK_STUDIES, WORK_OWNERS };

typedef struct workOwner {
  int (*free)(artWorkspace *w);    // 0: somebody is still at work on the data, which must stay
  void (*forget)(artWorkspace *w); // earlier motion; NULL: there is nothing to forget

  // Bring `to`, a data block of the same variant of a model, to give the same results; may move its state and take
  // memory. `from`, or its part, may be missing where `to` has one.
  artStatus (*copy)(artData *to, const artData *from, artError *error);

  // A parameter of the model has changed: forget all numbers that come from the model, but not settings.
  // Earlier motion is forgotten already. NULL: there are none.
  void (*refresh)(const artModel *m, artData *d);

  // The values that go on when a data block goes over to another variant of its model; NULL: there are none.
  void (*hand_over)(const artModel *m, const artWorkspace *from, artWorkspace *to);
} workOwner;

// Rods with mass in the equations of motion (rod_inertia.h).
typedef struct rodInertia {
  double *S; // [3 nrod nv] by rows; entries that are never used stay zero
  v3 *s;     // [nrod]
  double *P; // [3 nv] rows of S of one rod, projected
} rodInertia;

// Positions and velocities before and after the last assembly; NULL where the machine has no loops.
typedef struct assemblyRecord {
  double *q_before, *q_after; // [nq]
  double *v_before, *v_after; // [nv]
} assemblyRecord;

struct artWorkspace {
  const artModel *model; // that the data was created from
  const artModel
      *now; // the variant of it that the data is in: that model, but where a run has engaged
            // or released a latch

  unsigned revision; // of the model's parameters, that the block knows

  artWorkspace *
      first; // of a copy of a data block in such a variant: the block for `model`, which comes back
  artModel *own_variant; // and the variant, which the copy owns; NULL: none

  treeData tree;
  double *scratch; // [nv]

  // what elements and drives give
  wrench *applied; // [links] by elements; tree.f_ext points here while it counts
  double *value;   // [nvalue] of elements
  int *mode;       // [nmode] frozen segments and branches
  int is_frozen;   // set while a stepper is in charge of the modes
  double *a_drive; // [nv] accelerations of driven coordinates, 0 elsewhere
  double power;    // of forces without potential, drives included

  assemblyRecord assembled;

  rodInertia rods;
  v3 *rod_force;  // [nrod] force on both ends alike (rod_inertia.h), by every method
  int has_motion; // tree_rne has been run for the present accelerations

  // where asserts are on: sums over the positions of tree.pose, the velocities of tree.vel, and the velocities and
  // accelerations of tree.body
  double placed, moved, accelerated;

  struct dataProfile *profile; // where the time of evaluations goes; NULL: nobody asks

  baseArena arena; // owns all of the above, but the profile

  struct forceWork *force;
  struct loopWork *loop;     // NULL when there are none
  struct methodWork *method; // NULL until a method asks for it
  struct studyWork *study;   // NULL until a study asks for it
  const workOwner *owner[WORK_OWNERS];
};

// The block for a variant of a model, without the parts of upper layers; NULL when memory ran out.
artWorkspace *data_create_work(const artModel *model, const artModel *variant);
int data_free_work(artWorkspace *work); // 0: it must stay; accepts NULL

// All values besides the state from a block for the same variant, without the parts of upper layers, the profile and what
// ends with an evaluation.
void data_copy_work(artWorkspace *to, const artWorkspace *from);

// The values that go on when a data block goes over to another variant of its model.
void data_hand_over(const artModel *m, const artWorkspace *from, artWorkspace *to);

// The next motion has nothing to do with the last one.
void data_forget_motion(artWorkspace *work);

// Parameters of the model have changed: the block keeps its state, and forgets what it has found of the model's numbers.
void data_refresh(artData *d);

// At the public interface: the data block must be there and belong to the model; from there on the model is the
// variant that the data is in.
static inline int work_is_of(const artModel *m, const artData *d)
{
  return m && d && (d->work->model == m || d->work->now == m);
}

static inline void work_look(const artData *d)
{
  if (d->work->revision != d->work->model->revision) data_refresh((artData *) (uintptr_t) d);
}

#define WORK_REQUIRE(m, d, error)                                                                  \
  do {                                                                                             \
    if (!work_is_of(m, d)) return base_misuse(error, __func__, "a model and a data block of it");  \
    work_look(d);                                                                                  \
    (m) = (d)->work->now;                                                                          \
  } while (0)
#define WORK_REQUIRE_OR(m, d, otherwise)                                                           \
  do {                                                                                             \
    if (!work_is_of(m, d)) {                                                                       \
      (void) base_misuse(NULL, __func__, "a model and a data block of it");                        \
      return otherwise;                                                                            \
    }                                                                                              \
    work_look(d);                                                                                  \
    (m) = (d)->work->now;                                                                          \
  } while (0)

#endif
