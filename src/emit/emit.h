// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Writers: programs as source text in several languages. The written text belongs to its user.
#ifndef EMIT_EMIT_H
#define EMIT_EMIT_H

#include <stdio.h>

#include "emit/language/options.h"

// The names by which generated code calls the functions that its user supplies, [program->nexternal]:
// "user_" and the name in letters, digits and underscores, the same in every language. NULL when memory
// ran out.
const char *const *emit_external_names(const eqnProgram *program, baseArena *arena);

// One source file with all functions of the program; the header of the C.
artStatus emit_program(FILE *out, const eqnProgram *program, emitLanguage language,
                       const emitOptions *options, artError *error);
artStatus emit_c_header(FILE *out, const eqnProgram *program, const emitOptions *options,
                        artError *error);

// Whether threads of a kernel share accelerations of the program, a subtree each (cuda.c); -1: memory ran out. New expressions go
// into its pool.
int emit_partitions_subtrees(const eqnProgram *program);

// A complete simulator in one C file: the equations, RK4 and Dormand-Prince, CSV on standard output with
// the outputs of the model. q and v are the state at the beginning.
//
// Machines with loops may bring several programs, each with another choice of independent coordinates
// built in, and with the function "strain": the simulator switches to the one with the least strain,
// relative to what it was where the program was made.
//
// A number of a machine as its users know it.
typedef struct emitEntry {
  const char *name, *unit, *remark;
  double value, lower, upper; // at the beginning; limits, infinite where there are none
  const char *part;           // of the machine that it is about, or NULL
} emitEntry;

typedef struct emitEntries {
  int n;
  const emitEntry *entry;
} emitEntries;

// A machine behind the interface in data, as its text has it: lengths of vectors, by which all languages know them, and lists that describe vectors.
enum {
  MACHINE_NQ,
  MACHINE_NV,
  MACHINE_NS,
  MACHINE_NU,
  MACHINE_NY,
  MACHINE_NEVENT,
  MACHINE_NACTUATOR,
  MACHINE_NPARAMETER,
  MACHINE_NFREE,
  MACHINE_NDRIVE,
  MACHINE_SIZES
};
enum { MACHINE_LISTS = 8 };
extern const char *const machine_lists[MACHINE_LISTS + 1];
typedef struct emitAbout {
  const char *name; // that names in the text begin with
  int size[MACHINE_SIZES];
  emitEntries list[MACHINE_LISTS];
  baseArena arena; // of all above; arena_free it
} emitAbout;

typedef struct emitLatch {
  int is_rope, nhold; // numbers at which it holds
} emitLatch;

// later than any run comes, and no overflow in texts that add to it
#define EMIT_ALWAYS 1e300

typedef struct emitSimulation {
  const char *name; // of the function that MATLAB calls, and of its file
  int is_dopri5;    // by Dormand and Prince, else by Runge and Kutta
  double from, until, step, interval, tolerance;
  const double *q, *v;
  const double *state; // of tyres that lag behind, if there are any
  int nprogram;
  eqnProgram *const *program;
  const double *const *strain;      // [nprogram] of machines with loops, where they were made,
  const char *const *const *joints; // and the joints of the loops that strain belongs to
  int ndrive, ncorner;
  const double *corner; // [ncorner (1 + ndrive)] instants at which prescribed rates jump, and jumps
  int is_switched;      // formulas of drives have branches
  double known_until;   // such instants are known until then, EMIT_ALWAYS: all of them
  int tasks;            // threads that share accelerations where that pays; 0 and 1: none
  int prefers_subtrees; // of CUDA: no team where subtrees can have threads of their own
  int without_power;    // nobody asks for the work of forces
  int counts_work;      // the work is a state also where outputs do not ask for it
  const char *const *const *loops; // [nprogram] joints of the loop of each block that is closed

  int nclock, ninput; // numbers that are held begin after the inputs
  int nrelay;         // the last of these are sides of relays
  const double *rest; // [nrelay] margins on borders where they may stand, -1e30: nowhere
  int nside;          // corners that are held within steps, by the first switching functions
  int nlatch;         // the last of these are sides of latches, whose numbers come before all sides
  int is_masked;      // one program has all of them, engaged or not
  const int *set;     // [nprogram] latches that are engaged in it, by bits
  const emitLatch *latch; // [nlatch]

  // Of machines behind the interface: the elements of their vectors.
  emitEntries positions, velocities, states, inputs, outputs;
  int tangents;       // derivatives of dependent coordinates are wanted, too
  const int *spin;    // [positions] the first velocity of the ball of a quaternion, -1: it is none
  const int *partner; // [positions] the velocity whose integral each is, -1: none alone
} emitSimulation;

// How many threads there are is in *tasks: fewer than asked for where more would have nothing to do.
artStatus emit_simulator(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                         int *tasks, artError *error);

// Functions of all kinds of roads as text of C (src/road), in front of their data; then the function by which programs call road
// `number`, which represents road `model` of the model, or its derivatives.
void emit_road_functions(FILE *out, const char *name);
void emit_road_call(FILE *out, int model, int number, int is_derivative);

// The same machine behind the interface of doc/reference/generated-code.md: its declarations, and the text itself, which
// includes the header that the options name.
artStatus emit_machine_header(FILE *out, const emitSimulation *simulation,
                              const emitOptions *options, artError *error);
artStatus emit_machine(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                       artError *error);

// The same interface in another language, which calls the machine in C; the header that the options name is the file of the C.
artStatus emit_machine_language(FILE *out, FILE *c, const emitSimulation *simulation,
                                emitLanguage language, const emitOptions *options, artError *error);

// The same machine as functions and kernels of CUDA for many instances, which compilers of C take, too. With two or more tasks
// in the simulation steps of RK4 are made by teams of warps, where equations are long and nothing switches; how many tasks
// a team has is in *tasks, 1: there are no teams.
artStatus emit_cuda(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                    int *tasks, artError *error);

// The same machine as a block of Simulink, a C S-function of level 2, without integrators; its programs have an
// input `tau` of joint forces.
artStatus emit_sfunction(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                         artError *error);

// The same machine as a function of MATLAB or Octave that integrates by ode45.
artStatus emit_ode45(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                     artError *error);

#endif
