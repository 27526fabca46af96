// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mutants of model files. A model is changed as a tree of YAML nodes, never as bytes: numbers, units, axes, types of
// joints, references, whole elements dropped, doubled or brought over from another model. The text that comes of it is
// always YAML, and most of the time a model.
#ifndef SUPPORT_MUTATE_H
#define SUPPORT_MUTATE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/yaml.h"

// One to four changes of the model, with elements of the donor, by random numbers from the seed. The nodes of
// the model are changed in their place; new ones live in the arena.
void mutate_model(yamlNode *model, const yamlNode *donor, uint64_t *seed, baseArena *arena);

// The model as text for free(), every element in a line of its own.
char *mutate_write(const yamlNode *model);

// Take the element out whose line of that text is given; 0 when none stands there that can be missing.
int mutate_drop_line(yamlNode *model, int line);

#endif
