// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// modelDescription.xml of a unit: what it is, its variables, and how they depend on each other.
#ifndef FMI_DESCRIPTION_H
#define FMI_DESCRIPTION_H

#include <stdbool.h>

#include "articula/base.h"
#include "base/arena.h"
#include "base/table.h"
#include "base/unit.h"
#include "import/xml.h"

// Kinds of variables; kinds of version 3.0 that 2.0 has too have their names there.
#define FMI_TYPES(F)                                                                               \
  F(FMI_FLOAT64, "Float64", "Real")                                                                \
  F(FMI_FLOAT32, "Float32", NULL)                                                                  \
  F(FMI_INT8, "Int8", NULL)                                                                        \
  F(FMI_UINT8, "UInt8", NULL)                                                                      \
  F(FMI_INT16, "Int16", NULL)                                                                      \
  F(FMI_UINT16, "UInt16", NULL)                                                                    \
  F(FMI_INT32, "Int32", "Integer")                                                                 \
  F(FMI_UINT32, "UInt32", NULL)                                                                    \
  F(FMI_INT64, "Int64", NULL)                                                                      \
  F(FMI_UINT64, "UInt64", NULL)                                                                    \
  F(FMI_BOOLEAN, "Boolean", "Boolean")                                                             \
  F(FMI_STRING, "String", "String")                                                                \
  F(FMI_BINARY, "Binary", NULL)                                                                    \
  F(FMI_ENUMERATION, "Enumeration", "Enumeration")                                                 \
  F(FMI_CLOCK, "Clock", NULL)

typedef enum fmiType {
#define FMI_TYPE_ENUM(name, three, two) name,
  FMI_TYPES(FMI_TYPE_ENUM)
#undef FMI_TYPE_ENUM
      FMI_TYPE_COUNT
} fmiType;

typedef enum fmiCausality {
  FMI_PARAMETER,
  FMI_CALCULATED_PARAMETER,
  FMI_STRUCTURAL_PARAMETER,
  FMI_INPUT,
  FMI_OUTPUT,
  FMI_LOCAL,
  FMI_INDEPENDENT
} fmiCausality;

typedef enum fmiVariability {
  FMI_CONSTANT,
  FMI_FIXED,
  FMI_TUNABLE,
  FMI_DISCRETE,
  FMI_CONTINUOUS
} fmiVariability;

typedef enum fmiInitial { FMI_EXACT, FMI_APPROX, FMI_CALCULATED, FMI_NO_INITIAL } fmiInitial;

// The measure of a variable's number: value in SI = factor number + offset, in kg^kg m^m ...; angles are plain numbers.
typedef struct fmiMeasure {
  bool is_known;
  baseDimension dimension;
  int mol, cd; // exponents beside these
  double factor, offset;
} fmiMeasure;

// A variable, or one element of an array: A[1,2] after A[1,1], by rows, all with the reference of the array.
typedef struct fmiVariable {
  const char *name, *unit; // "" where no unit is known
  fmiMeasure measure;      // by the definition of its unit
  unsigned reference;
  fmiType type;
  fmiCausality causality;
  fmiVariability variability;
  fmiInitial initial;    // FMI_NO_INITIAL: the standard's default for causality and variability
  const char *start;     // its text, or NULL
  double least, largest; // infinite without limits
  int derivative_of;     // number of the variable whose derivative this is, -1: none
  int count, element;    // of an array: how many elements it has, and which of them this is, from 0
  artPlace place;
} fmiVariable;

// An element of ModelStructure.
typedef struct fmiUnknown {
  int variable;
  int ndependency; // -1: on all knowns
  const int *dependency;
} fmiUnknown;

typedef struct fmiUnknowns {
  int n;
  const fmiUnknown *unknown;
} fmiUnknowns;

// Abilities of one kind, model exchange or co-simulation.
typedef struct fmiInterface {
  bool is_there;
  const char *identifier; // of its binary
  bool needs_tool, can_save, can_serialise, has_directional, has_adjoint;
  bool any_step;     // of co-simulation: steps of changing length
  bool takes_lines;  // 2.0: canInterpolateInputs
  bool has_events;   // 3.0: hasEventMode
  double fixed_step; // 3.0: fixedInternalStepSize; NAN: not said
  int nsource;
  const char *const *source; // files of version 2.0
} fmiInterface;

typedef struct fmiDescription {
  int version; // 2 or 3
  const char *name, *token;
  fmiInterface exchange, simulation;
  double from, until, tolerance, step; // NAN: not said
  int nvariable, nindicator;
  const fmiVariable *variable;
  baseTable names; // of variables
  fmiUnknowns outputs, derivatives, initial, indicators;
} fmiDescription;

// Read modelDescription.xml; all lives in the arena, which leaves where memory runs out. Mistakes leave the work (base/error.h),
// and messages name file and line.
void fmi_read_description(baseArena *arena, xmlNode *root, fmiDescription *d);

// An attribute that must be there.
const char *fmi_need(xmlNode *node, const char *key);

// How many numbers the variables of a list have: arrays have several.
int fmi_count_numbers(const fmiDescription *d, const fmiUnknowns *list);

// Number of a variable by its name, or -1.
int fmi_find_variable(const fmiDescription *d, const char *name);

// Is it a number, and no text, bytes or clock?
bool fmi_is_number(const fmiVariable *variable);

#endif
