// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine as a unit of the Functional Mock-up Interface: its variables, its description in XML, and the text around
// the machine that answers calls of importers.
#ifndef EMIT_UNIT_SOURCES_H
#define EMIT_UNIT_SOURCES_H

#include "emit/machine/machine.h"

// Names among many, or all of them.
typedef struct unitNames {
  int n; // -1: all
  const char *const *name;
} unitNames;

typedef struct emitFmu {
  int version;                 // of the standard, 2 or 3
  int has_exchange, has_steps; // model exchange, co-simulation
  int is_binary;               // the unit has no sources in it
  unitNames inputs, outputs;   // velocities may be among the inputs: forces act along them
  const char *tool;            // that writes it: "Articula 0.1.0"
  FILE *description, *source;  // modelDescription.xml; NAME_unit.c
  FILE *build;                 // buildDescription.xml of version 3
  FILE *document;              // documentation/index.html, or NULL
  FILE *system;                // SystemStructure.ssd around the FMU, or NULL
  FILE *terminals;             // terminalsAndIcons.xml of version 3, or NULL
  int icon_width, icon_height; // of the picture of the machine in pixels, 0: there is none
} emitFmu;

//---- variables -----------------------------------------------------------------------------------

// Role of a variable. Its reference is its place in blocks of roles, in the order of texts/unit_core.c.in.
typedef enum unitRole {
  ROLE_TIME,
  ROLE_STATE,
  ROLE_RATE_OF,
  ROLE_INPUT,
  ROLE_HELD,
  ROLE_FORCE_ON,
  ROLE_OUTPUT,
  ROLE_HIDDEN, // an output that nobody has asked for
  ROLE_PARAMETER,
  ROLE_INDICATOR,
  ROLE_STEP,
  ROLE_METHOD,
} unitRole;

typedef struct fmuVariable {
  unitRole role;
  int reference;
  int number;                              // within its block
  const char *name, *unit, *remark, *part; // part: of the machine, or NULL
  double start, lower, upper;              // limits are infinite where there are none
  int is_led;      // a state that loops or drives lead: its start is a guess
  int may_jump;    // a state that an event may change
  int is_computed; // a state whose start value follows from parameters
  int is_discrete; // an output that changes at events alone
  double nominal;  // size of a state, 0 of other variables
} fmuVariable;

typedef struct fmuVariables {
  int n;
  fmuVariable *variable;
  int first_state;      // its place in the list; rates follow all states, in their order
  int nstate;           // all continuous ones, the work of forces among them
  int has_work;         // outputs ask for it
  int has_derivatives;  // directional and adjoint ones
  int width;            // of the table of knowns: states, inputs, forces, time
  const char *known;    // [states + outputs][width] whether rates and outputs depend on them
  const char *is_force; // [nv] a force acts along a velocity
} fmuVariables;

// All variables of a unit, in the order of their references. A name that is not known is ART_BAD_INPUT.
artStatus unit_list(fmuVariables *list, const machineText *text, const emitFmu *unit,
                    baseArena *arena, artError *error);

// The list gets the dependences of its variables on one another; 0 when memory ran out.
int unit_find_structure(fmuVariables *list, const machineText *text, baseArena *arena);

// The longest step of integrators inside: the study's, or a thousandth of its time.
double unit_longest_step(const emitSimulation *simulation);

//---- texts ---------------------------------------------------------------------------------------

enum { UNIT_TOKEN_LENGTH = 40 };

// modelDescription.xml, with the token in place of a GUID.
void unit_describe_machine(FILE *out, const machineText *text, const emitFmu *unit,
                           const fmuVariables *list, const char *token);

// Text within XML or HTML.
void unit_print_escaped(FILE *out, const char *text);

// A page about the unit, for those who import it.
void unit_document(FILE *out, const machineText *text, const emitFmu *unit,
                   const fmuVariables *list);

// SystemStructure.ssd with the FMU resources/NAME.fmu as its component; and the definition of a physical unit, the tags of which
// have a prefix.
void unit_write_system(FILE *out, const machineText *text, const emitFmu *unit,
                       const fmuVariables *list);
void unit_define(FILE *out, const char *prefix, const char *name);

// terminalsAndIcons.xml.
void unit_write_terminals(FILE *out, const emitFmu *unit, const fmuVariables *list);

// The picture of the machine in the archive of a version.
const char *unit_icon_path(int version);

// All files of an FMU besides the machine itself, which is written by emit_machine.
artStatus emit_unit(const emitSimulation *simulation, const emitFmu *unit,
                    const emitOptions *options, artError *error);

// The declarations of the standard that its sources include, as "fmi2.h".
void emit_unit_standard(FILE *out, int version);

#endif
