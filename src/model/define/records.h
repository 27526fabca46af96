// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The records of a builder: each def as it was given, names completed by the scope, with its places.
#ifndef MODEL_RECORDS_H
#define MODEL_RECORDS_H

#include "articula/model.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "base/unit.h"
#include "element/block_kind.h"
#include "element/kind.h"
#include "model/formula/formula.h"

typedef struct recordList {
  void *items;
  int count, capacity;
} recordList;

#define RECORD(list, T, i) (&((T *) (list).items)[i])

typedef struct recordHead {
  fieldWhere where;
  const char *scope; // prefix that names inside its formulas take, "" at the top
  const recordList *aliases;
  long item; // of the files that it was read in, -1: none; long, as above
} recordHead;

typedef struct parameterRecord {
  recordHead head;
  const char *name;
  double value;
  baseDimension dimension;
  const char *unit; // its name, "" where it has none
  int has_limits;
  double limits[2];
  const char *help;                // "" where there is none
  const formula *formula;          // of other parameters, which are its slots; or NULL
  struct readerParameter *reading; // NULL: it was not read from a file
} parameterRecord;

typedef struct bodyRecord {
  recordHead head;
  artBodyDef def;
  const char *bar_note;            // why it stays a body though it is a bar; or NULL
  const struct bodyRecord *origin; // the record that this one is a copy of; NULL: it is none
} bodyRecord;

// a slider of live pages
typedef struct sliderRecord {
  const char *name, *title,
      *group;      // of a parameter or an input; title and group "" where there is none
  double range[2]; // infinite where there is none
} sliderRecord;

typedef struct frameRecord {
  recordHead head;
  const char *body, *name; // name is "body.frame"
  artPose pose;
  const struct frameRecord *origin; // as above
} frameRecord;

typedef struct visualRecord {
  recordHead head;
  const char *body;
  artVisualDef def;
} visualRecord;

typedef struct jointRecord {
  recordHead head;
  artJointDef def;
  int is_bar;    // a rod that was a body between ball joints ...
  double far[3]; // ... with `to` here in ground at the reference configuration, when def.in_ground
  const struct layBar *bar;         // addresses of its numbers (lay.h)
  const struct jointRecord *origin; // as above
} jointRecord;

typedef struct initialRecord {
  recordHead head;
  const char *coordinate;
  double value;
  int is_guess;
} initialRecord;

// a coupling, or a relation of the host's own (user.value is set), of which def has name and coordinates
typedef struct constraintRecord {
  recordHead head;
  artCouplingDef def;
  artConstraintDef user;
} constraintRecord;

typedef struct latchRecord {
  recordHead head;
  artLatchDef def;
} latchRecord;

typedef struct surfaceRecord {
  recordHead head;
  artSurfaceDef def;
} surfaceRecord;

// A pair of surfaces, and the number of its contact points.
typedef struct surfacePair {
  const char *surface[2];
  int number[2]; // of their records
  int count;
} surfacePair;

// Elements of one contact with several points share its definition.
typedef struct elementRecord {
  recordHead head;
  const elementKind *kind;
  const char *name;
  fieldTerms along; // the sum of coordinates that joint elements act along; n = 0 for all others
  const artCallDef *call; // in the definition; NULL: its kind calls no function of the user
  void *def;
  const char *surface[2];  // of a contact
  int part;                // which of its points it is
  const surfacePair *pair; // of a pile: its pairs
  int npair;
} elementRecord;

typedef struct curveRecord {
  recordHead head;
  artCurveDef def;
  artMapDef map; // of a table of two dimensions, whose name is that of def; nx = 0: it is none
  baseDimension x, y, f; // of its points, `any` where no unit was given
} curveRecord;

// roads and tyres that elements name; kept as long as the builder
typedef struct roadRecord {
  const char *name;
  artRoad *road;
  const void *def; // of a road of a model file, the definition of its kind; NULL: none is known
  const fieldForm *form;
} roadRecord;

typedef struct tyreRecord {
  const char *name;
  artTyre *tyre;
} tyreRecord;

typedef struct inputRecord {
  recordHead head;
  artInputDef def;
} inputRecord;

typedef struct stateRecord {
  recordHead head;
  artStateDef def;
} stateRecord;

typedef struct blockRecord {
  recordHead head;
  const blockKind *kind;
  const char *name;
  const void *def;
} blockRecord;

typedef struct driveRecord {
  recordHead head;
  artDriveDef def;
} driveRecord;

typedef struct outputRecord {
  recordHead head;
  const char *name, *formula;
} outputRecord;

typedef struct studyRecord {
  recordHead head;
  artStudyDef def;
} studyRecord;

struct artBuilder {
  baseArena arena;
  artError error;
  baseTable names; // of everything that has one, to keep them apart: value = index into `place`
  recordList name_places;
  baseTable parameter_names;
  baseTable signal_names; // of inputs, states and blocks, which differ from the names of parameters

  const char *scope;
  fieldWhere next;  // of the next record
  recordList marks; // of the next record

  const char *title;
  double gravity[3];
  int project;    // initial velocities onto the loops
  int names_time; // among the outputs is the time, which every table has in its first column
  const recordList *known_roads; // that others are made of; NULL: its own
  struct modelReader *reader;    // that has read it, for items that are read again; or NULL
  baseTable curve_names;
  recordList aliases;
  recordList items; // of files that it was read from (model/parameter/reader_item.h)
  recordList live;  // numbers that are functions of parameters (model/parameter/live.h)
  int live_pending; // the first that may still move with its definition
  recordList
      programs; // formulas of the model that was made of it which read parameters (modelProgram),
  recordList checks;   // and parameters that its items look at when it is made (modelCheck)
  recordList warnings; // texts (const char *), each with its place
  recordList parameters, curves, bodies, frames, visuals, joints, constraints, latches, initials,
      roads, tyres, elements, drives, outputs, studies, inputs, states, blocks, sliders, surfaces;
};

#endif
