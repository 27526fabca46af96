// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which contacts of a run are looked at. Surfaces that stay apart in a step, by spheres about them that move along cubics through both
// ends of the step, have no force, and no switching function of theirs comes to zero: a run leaves them out of its evaluations, of
// its events and of the look into its steps. Bristles of a contact that is left out relax by their own rates.
#ifndef FORCE_CONTACT_WATCH_H
#define FORCE_CONTACT_WATCH_H

#include "force/contact_spheres.h"

// A contact that nothing but itself and outputs reads: its ranges of the lists below.
typedef struct watchedContact {
  int element[2], quantity[2], relaxed[2], signal[2], state[2], switches[2];
} watchedContact;

// The middle of a sphere at both ends of a step.
typedef struct watchedPlace {
  double at[2][3], rate[2][3];
} watchedPlace;

// What a pass goes through: numbers of the model, first those that belong to no contact that may be left out, then those of contacts
// in reach, and from `read` on those of others that outputs read.
typedef struct watchedList {
  int ncore, n, all;
  int *number;
} watchedList;

typedef struct contactWatch {
  int n;
  watchedContact *contact; // [n]
  int *element, *quantity, *relaxed, *signal, *state,
      *switches; // numbers of the model, by contacts; signals in the order of evaluation
  int *of_element, *of_quantity, *of_signal, *of_state; // the contact that they belong to, -1: none

  contactSpheres spheres;
  watchedPlace *place; // [spheres.n]
  broadPhase phase;
  int *touch; // [phase.npair] contacts of two spheres
  int (*pair)[2];
  int nplane; // contacts of a plane on ground
  int (*plane)
      [4]; // [nplane] contact, sphere at the plane and at the other surface, frame of the plane
  int *shown, nshown;

  unsigned char *is_near; // [n] in reach
  int nnear, *near;       // upwards
  int njoined, *joined;   // those in reach that were not in the step before
  int nslack, *slack;     // out of reach, with bristles that relax
  watchedList elements, quantities, signals, states;
  int *core;    // [elements.ncore] those of elements
  int *scratch; // [n]
} contactWatch;

// For a run of the model; *out is NULL where nothing can be left out. 0: there is no memory.
int force_watch_create(contactWatch **out, baseArena *arena, const artModel *m);

// Numbers of the model have changed.
void force_watch_renew(contactWatch *w, const artModel *m);

// The spheres where the data is: at the beginning of a step, 0, or at its end, 1.
void force_watch_take(contactWatch *w, const artModel *m, const artData *d, int end);

// The contacts in reach in a step of length h, whose ends have been taken. Returns how many have joined.
int force_watch_find(contactWatch *w, const artModel *m, artData *d, double h);

// Until it is called with 0, evaluations are those of contacts that have joined.
void force_watch_select(contactWatch *w, int joined);

// The state may have jumped: all contacts are in reach.
void force_watch_forget(contactWatch *w);

// Rates of bristles that relax.
void force_relax_contacts(const artModel *m, artData *d);

// The watch of a data block in a run, NULL: there is none; number k of a list, or k itself.
const contactWatch *force_watch(const artData *d);
static inline int watched_number(const watchedList *list, int k)
{
  return list ? list->number[k] : k;
}

// Is an element out of reach?
int force_is_far(const artData *d, int element);

#endif
