// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// modelDescription.xml of an FMU: its interfaces, its variables, and their dependencies.
#ifndef FMI_DESCRIPTION_H
#define FMI_DESCRIPTION_H

#include <stdbool.h>

#include "articula/base.h"
#include "base/arena.h"
#include "base/table.h"
#include "base/unit.h"
#include "import/xml.h"

// Types of variables, with their names in versions 3.0 and 2.0.
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

// The unit of a variable: value in SI = factor * number + offset, with the dimension kg^.. m^..
// ...; angles are dimensionless.
typedef struct fmiMeasure {
  bool is_known;
  baseDimension dimension;
  int mol, cd; // additional exponents
  double factor, offset;
} fmiMeasure;

// A variable, or one element of an array: A[1,2] follows A[1,1], by rows, all with the reference of
// the array.
typedef struct fmiVariable {
  const char *name, *unit; // "" if unknown
  fmiMeasure measure;      // from the definition of its unit
  unsigned reference;
  fmiType type;
  fmiCausality causality;
  fmiVariability variability;
  fmiInitial initial;    // FMI_NO_INITIAL: the standard's default for causality and variability
  const char *start;     // as a string, or NULL
  double least, largest; // infinite if unlimited
  int derivative_of;     // index of the variable whose derivative it is; -1: none
  int count, element;    // number of elements of its array, and the index of this one, from 0
  artPlace place;
} fmiVariable;

// An element of ModelStructure.
typedef struct fmiUnknown {
  int variable;
  int ndependency; // -1: depends on all knowns
  const int *dependency;
} fmiUnknown;

typedef struct fmiUnknowns {
  int n;
  const fmiUnknown *unknown;
} fmiUnknowns;

// Capabilities of one interface, model exchange or co-simulation.
typedef struct fmiInterface {
  bool is_there;
  const char *identifier; // name of its binary
  bool needs_tool, can_save, can_serialise, has_directional, has_adjoint;
  bool any_step;     // co-simulation: step lengths may vary
  bool takes_lines;  // 2.0: canInterpolateInputs
  bool has_events;   // 3.0: hasEventMode
  double fixed_step; // 3.0: fixedInternalStepSize; NAN: undefined
  int nsource;
  const char *const *source; // source files, version 2.0
} fmiInterface;

typedef struct fmiDescription {
  int version; // 2 or 3
  const char *name, *token;
  fmiInterface exchange, simulation;
  double from, until, tolerance, step; // NAN: undefined
  int nvariable, nindicator;
  const fmiVariable *variable;
  baseTable names; // index of variables by name
  fmiUnknowns outputs, derivatives, initial, indicators;
} fmiDescription;

// Read modelDescription.xml into the arena. Errors are thrown (base/error.h), with file and line.
void fmi_read_description(baseArena *arena, xmlNode *root, fmiDescription *d);

// A required attribute.
const char *fmi_need(xmlNode *node, const char *key);

// The total number of elements of the variables in a list.
int fmi_count_numbers(const fmiDescription *d, const fmiUnknowns *list);

// Index of a variable by its name, or -1.
int fmi_find_variable(const fmiDescription *d, const char *name);

// True for numeric and Boolean variables; false for strings, binaries and clocks.
bool fmi_is_number(const fmiVariable *variable);

#endif
