// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What a machine shows: outputs, reactions, energies.
#ifndef GEN_OUTPUT_H
#define GEN_OUTPUT_H

#include "gen/build.h"

// Force and torque of every joint at the accelerations and multipliers of the machine.
eqnVector gen_reaction_vector(genBuild *b);

// Functions "outputs" and "machine_reactions".
void gen_outputs(genBuild *b);
void gen_machine_reactions(genBuild *b);

#endif
