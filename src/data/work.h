// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The values of a data block besides the state: results of recursions, values of elements, frozen
// modes.
#ifndef DATA_WORK_H
#define DATA_WORK_H

#include <stdint.h>

#include "articula/data.h"
#include "model/model.h"
#include "tree/tree.h"

// Parts of a data block owned by upper layers: each layer creates its part, registers an owner that
// can free it, and alone knows its contents. Parts are freed from the last owner to the first.
struct forceWork;  // formulas, drives, tyres, reactions (force/force_work.h)
struct loopWork;   // closed loops (loop/loop.h)
struct methodWork; // equations of motion (method/method.h)
struct studyWork;  // studies with their own closing of loops (study/inverse/inverse.c)
enum { WORK_FORCES, WORK_LOOPS, WORK_METHODS, WORK_STUDIES, WORK_OWNERS };

typedef struct workOwner {
  int (*free)(artWorkspace *w);    // 0: a thread still uses the data, which must not be freed
  void (*forget)(artWorkspace *w); // drop earlier motion; NULL: nothing to drop

  // Make `to`, a data block of the same variant of a model, give the same results as `from`; may
  // modify its state and allocate memory. `from`, or its part, may be missing where `to` has one.
  artStatus (*copy)(artData *to, const artData *from, artError *error);

  // A parameter of the model has changed: drop all numbers derived from the model, but not
  // settings. Earlier motion is already dropped. NULL: none.
  void (*refresh)(const artModel *m, artData *d);

  // Transfer the values that remain valid in another variant of the model; NULL: none.
  void (*hand_over)(const artModel *m, const artWorkspace *from, artWorkspace *to);
} workOwner;

// Rods with mass in the equations of motion (rod_inertia.h).
typedef struct rodInertia {
  double *S; // [3 nrod nv] by rows; structural zeros stay zero
  v3 *s;     // [nrod]
  double *P; // [3 nv] rows of S of one rod, projected
} rodInertia;

// Positions and velocities before and after the last assembly; NULL if there are no loops.
typedef struct assemblyRecord {
  double *q_before, *q_after; // [nq]
  double *v_before, *v_after; // [nv]
} assemblyRecord;

struct artWorkspace {
  const artModel *model; // from which the data was created
  // the variant that the data is in: `model`, unless a run has engaged or released a latch
  const artModel *now;

  unsigned revision; // revision of the model's parameters known to this block

  // for a copy of a data block in another variant: the block for `model`, to which the copy returns
  artWorkspace *first;
  artModel *own_variant; // that variant, owned by the copy; NULL: none

  treeData tree;
  double *scratch; // [nv]

  // forces of elements and drives
  wrench *applied; // [links] by elements; tree.f_ext points here while they are applied
  double *value;   // [nvalue] of elements
  int *mode;       // [nmode] frozen segments and branches
  int is_frozen;   // set while a stepper controls the modes
  double *a_drive; // [nv] accelerations of driven coordinates, 0 elsewhere
  double power;    // of nonconservative forces, including drives

  assemblyRecord assembled;

  rodInertia rods;
  v3 *rod_force;  // [nrod] force on each end (rod_inertia.h), by every method
  int has_motion; // tree_rne has run for the present accelerations

  // with asserts enabled: checksums of the positions of tree.pose, the velocities of tree.vel, and
  // the velocities and accelerations of tree.body
  double placed, moved, accelerated;

  struct dataProfile *profile; // NULL: not requested

  baseArena arena; // owns all of the above except the profile

  struct forceWork *force;
  struct loopWork *loop;     // NULL when there are none
  struct methodWork *method; // NULL until a method needs it
  struct studyWork *study;   // NULL until a study needs it
  const workOwner *owner[WORK_OWNERS];
};

// Create the block for a variant of a model, without the parts of upper layers; NULL when memory
// ran out.
artWorkspace *data_create_work(const artModel *model, const artModel *variant);
int data_free_work(artWorkspace *work); // 0: must not be freed yet; accepts NULL

// Copy all values besides the state from a block for the same variant, except parts of upper
// layers, the profile, and temporary values of an evaluation.
void data_copy_work(artWorkspace *to, const artWorkspace *from);

// Transfer the values that remain valid in another variant of the model.
void data_hand_over(const artModel *m, const artWorkspace *from, artWorkspace *to);

// Drop earlier motion: the next motion starts anew.
void data_forget_motion(artWorkspace *work);

// Parameters of the model have changed: keep the state, drop numbers derived from the model.
void data_refresh(artData *d);

// For the public interface: require a data block of this model; afterwards `m` is the variant that
// the data is in.
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
