// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine in C with its choices of independent coordinates: the interface of generated code, and the part of simulators
// that is the same.
#ifndef EMIT_MACHINE_H
#define EMIT_MACHINE_H

#include "emit/machine/look.h"
#include "emit/machine/simulation.h"
#include "eqn/share.h"

// Conditions of the template, in this order.
enum {
  MACHINE_TEAM,
  MACHINE_PROGRAM,
  MACHINE_PRODUCT,
  MACHINE_SWITCHES,
  MACHINE_LOOPS,
  MACHINE_LINEAR,
  MACHINE_TANGENT,
  MACHINE_INVERSE,
  MACHINE_RUN,
  MACHINE_INPUTS,
  MACHINE_SAMPLERS,
  MACHINE_RELAYS,
  MACHINE_STARTS,
  MACHINE_SIDES,
  MACHINE_TURNS,
  MACHINE_DIPS,     // steps look for relays that go there and back
  MACHINE_PATHS,    // formulas of the motion are looked at after each step,
  MACHINE_HALVES,   // for which its middle is needed,
  MACHINE_RETRIES,  // and which is tried again where it has passed something unseen
  MACHINE_UNPROVED, // steps that are looked into are counted where that proves nothing
  MACHINE_LOOK,     // some of what acts, or turns sides, depends on time and held numbers alone
  MACHINE_WHEELS,   // wheels bound steps
  MACHINE_LOOKS,    // either
  MACHINE_LONG,     // too much depends on time alone for a text
  MACHINE_LATCHES,
  MACHINE_LOADS,
  MACHINE_ENERGY,
  MACHINE_HELD,
  MACHINE_SWITCHED,
  MACHINE_JUMPS,
  MACHINE_QUATERNIONS,
  MACHINE_DEVICE,
  MACHINE_CONDITIONS
};

typedef struct machineText {
  FILE *out;
  const char *name; // of the machine
  const emitSimulation *simulation;
  simulationParts *parts;
  int tasks;
  lookText look, motion;                           // of the first choice
  const eqnShares *shares;                         // of threads; NULL: an instance has one thread
  templateCondition where[MACHINE_CONDITIONS + 8]; // texts for devices have more
} machineText;

typedef struct machineSize {
  const char *name, *what; // "NQ", "positions"
} machineSize;
extern const machineSize machine_sizes[MACHINE_SIZES];
int machine_size(const machineText *text, int which);

// Sides of relays after all held numbers, where latches hold, which of them are ropes and which choices are for them; a word before
// each table.
void machine_print_relays(const machineText *text, const char *before);

// Sections of texts/switching.c.in: functions of latches, relays and samplers, and of rates that jump. They need `kinetic`,
// `find_margins` and `take_sample`, and steps between the first two of them.
void machine_print_switching(const machineText *text, const char *section, const char *other);
void machine_print_latches(const machineText *text);
void machine_print_steps(const machineText *text);

// Steps of the method of Dormand and Prince whose length follows the error, `go_by_error`, which need `try_dopri5` and `arrive`; and the
// way by the instants of switching of `go` with this ending, `advance` with the same one.
void machine_print_adaptive_steps(const machineText *text, const char *linkage);
void machine_print_advance(const machineText *text, const char *way);

// Lists that describe vectors: entry i of one, 0: there is none.
int machine_entry(const machineText *text, int list, int i, emitEntry *entry);

// All of these; returns 0 when memory ran out.
int machine_describe(const machineText *text, emitAbout *about);

// The programs of a simulation under the names of one machine: NAME_1, NAME_2, ... Functions besides `accelerate`,
// `outputs`, `position_rates` and `strain` are there where programs have them; a simulator is a program with one machine. Without tasks,
// statements stand one by one, as in languages other than C.
// Close the parts with simulation_close in any case.
artStatus machine_open(machineText *text, simulationParts *parts, FILE *out,
                       const emitSimulation *simulation, int is_program, int tasks,
                       const emitOptions *options, artError *error);

// Sections of the template with the names of the machine and of its first program.
void machine_print(const machineText *text, const char *section, const char *word);

// Sizes and the struct of a machine; all functions that evaluate its state, up to a step. Return 0 when memory ran out.
int machine_declare(const machineText *text);
int machine_define(const machineText *text);

// The whole text, which includes a header, NULL: it has all declarations itself; a line between two parts of it. Returns 0 when memory
// ran out.
int machine_print_product(const machineText *text, const char *header);
void machine_print_rule(FILE *out, const char *title);

// How many numbers a function works out once from parameters; -1: there is no memory.
int machine_constants(const emitJob *job, const emitSyntax *syntax, int function);

#endif
