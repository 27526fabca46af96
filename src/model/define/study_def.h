// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Definitions of studies by their field lists.
#ifndef MODEL_STUDY_DEF_H
#define MODEL_STUDY_DEF_H

#include "base/arena.h"
#include "element/field.h"

// The field lists in the order of artStudyType, ended by NULL; offsets are those in artRunDef, artEquilDef ...
extern const fieldForm *const model_forms_study[];

// The field of a study that a key of model files names; NULL: its type has none.
void *model_study_field(artStudyDef *study, const char *key);

enum { MODEL_NAME_LENGTH = 512 };

// Whether a text of names, which may be NULL, has any.
int model_has_names(const char *text);

// The next of the names in a text, which commas or blanks part, copied; NULL: there is none.
const char *model_next_name(const char **text, char name[MODEL_NAME_LENGTH]);

// Check a definition (artRunDef ...) that a program hands over, by the rules of art_add_study; options that its method
// does not use may be in it.
artStatus model_check_study(artStudyType type, const void *def, artError *error);

// Check a study, an artStudyDef, that becomes part of a model.
void model_check_study_def(const fieldCheck *check, void *study);

// Replace all lists and texts of a definition by copies in an arena, which leaves the work where memory runs out.
typedef struct studyCopier {
  baseArena *arena;
  const char *(*copy_name)(void *context, const char *key, const char *name);
  void *context;
} studyCopier;
void model_copy_study(const studyCopier *copier, artStudyDef *study);

// The numbers of a study instead of the numbers of another that has the same keys; 0: a list has another length.
int model_take_study(artStudyDef *to, const artStudyDef *from);

//---- choices in words (study_words.c) ------------------------------------------------------------

// Words as in model files and on the command line: the k-th word, NULL after the last.
const char *method_word(int k);
const char *backend_word(int k);
const char *integrator_word(int k);
const char *algebra_word(int k);
const char *redundant_word(int k);
const char *partition_word(int k);
const char *newton_word(int k);
const char *projections_word(int k);

// Names that other programs have for the k-th word of one of these lists (base/foreign.h), or NULL.
const char *word_called(const char *(*word)(int k), int k);

#endif
