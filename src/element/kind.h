// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A kind of force element: the fields of its definition, the outputs that it has, and how the compiled element is made
// from a checked definition. Every kind stands in a file of its own beside this header; kinds.h lists them.
#ifndef ELEMENT_KIND_H
#define ELEMENT_KIND_H

#include "articula/parts.h"
#include "base/arena.h"
#include "base/vocabulary.h"
#include "element/element.h"
#include "element/field.h"
#include "element/part.h"

typedef enum outputFlag {
  OUTPUT_USUAL = 1,  // written where the file names no outputs
  OUTPUT_CALLED = 2, // there is such an output only with a function of the user
  OUTPUT_GROUP = 4,  // begins a group in lists for people
} outputFlag;

// An output `force.name`. Quantities that depend on the coordinate are measured like the first one.
typedef struct elementOutput {
  const char *name;
  int component; // of the values; below LEVEL_ACCELERATION it is computed where it is asked for
  quantityLevel level;
  keyQuantity quantity;
  int flags; // of outputFlag
} elementOutput;

// Outputs along x, y and z behind a stem, from the component `first` on; a group may begin with them.
#define OUTPUTS_XYZ(stem, first, level, quantity, flags)                                           \
  {stem "x", first, level, quantity, flags},                                                       \
      {stem "y", (first) + 1, level, quantity, (flags) & ~OUTPUT_GROUP},                           \
  {                                                                                                \
    stem "z", (first) + 2, level, quantity, (flags) & ~OUTPUT_GROUP                                \
  }

// Parameters of a kind between two frames in generated text, by how their names begin: a row of six for the directions x, y, z, rx,
// ry, rz, a matrix of them, or coefficients of six laws.
typedef enum elementForm { PARAMETER_ROW, PARAMETER_MATRIX, PARAMETER_LAWS } elementForm;

typedef struct elementParameter {
  const char *beginning, *help;
  int each;         // of the name that one element has
  const char *word; // in names for readers: "stiffness" of "seat.stiffness.rz"
  elementForm form;
  bool is_by_rates; // of a matrix and of laws: of rates, not of displacements
} elementParameter;

// How the values of an element give the force that is drawn at the last of its points.
typedef enum elementArrow {
  ARROW_NONE,
  ARROW_LINE,    // the first: tension along the line between the points
  ARROW_AXES,    // three: along the axes of the first frame
  ARROW_GROUND,  // three: along the axes of ground, or of the frame with in_body
  ARROW_CONTACT, // of a tyre, at its contact
} elementArrow;

// Compiling: what the model tells a kind behind the fields that are compiled already.
typedef struct elementContext {
  baseArena *arena;
  const fieldWhere *where;
  partNumbers numbers;
  const char *x, *rate;  // of joint elements: their coordinate and its rate as texts of a formula
  baseDimension formula; // of the user's formula
  bool is_constant;      // all formulas are
} elementContext;

// Compiled numbers in terms of numbers of the definition, for generated text: a term, factor a b (b NULL: 1), of
// which one number may have several; a law.
typedef struct elementParameterMap {
  void *context;
  void (*term)(void *context, const double *compiled, double factor, const double *a,
               const double *b);
  void (*law)(void *context, const forceLaw *law, const artLawDef *def);
  void (*start)(void *context, const char *element, const char *tail, const double *a,
                const double *b); // start value of a state, a/b
} elementParameterMap;

typedef struct elementKind {
  fieldForm form;
  elementTag tag;
  size_t size; // of the definition, which begins with its name

  // The kind that a definition means where two kinds share it; may be NULL.
  const struct elementKind *(*variant)(const void *def);

  // Check what the fields do not tell, and complete defaults that depend on other fields; may be NULL.
  void (*check)(const fieldCheck *check, void *def);

  // Add states, signals and held numbers of its own, by texts; where formulas of all items can name them. Coordinates
  // are compiled by then, other fields are not; may be NULL.
  void (*declare)(const modelElement *e, const void *def, const elementContext *c,
                  partContext *parts);

  // The rest of the compiled element: derived numbers, texts of formulas (arena_compose), states; may be NULL.
  void (*compile)(modelElement *e, const void *def, const elementContext *c);

  // Numbers of the compiled element that `compile` has made of numbers of the definition; may be NULL.
  void (*follow)(const modelElement *e, const void *def, const elementParameterMap *f);

  artGlyph glyph;     // how it is drawn,
  elementArrow arrow; // and its force
  const vocabularyWords
      *advice; // for words of others in other places; ended by one without a context
  const elementOutput *outputs;       // ended by one without a name
  const elementParameter *parameters; // in generated text; ended by one without a name, or NULL
  const char *const *states;          // names, of the nstate that `compile` may ask for
  struct {                            // a function of the user in the place of laws, formulas or
    functionKind kind;                // forces: how it is called,
    int inputs, results;              // and with how many numbers; results 0: it cannot be
  } call;                             //
} elementKind;

// The start of a kind: name, definition, word in model files, fields, words of others for it, and help.
#define ELEMENT_KIND(kind, T, word, keys_of, others, words)                                        \
  .form = {.name = "force", .type = word, .keys = keys_of, .help = words, .foreign = others},      \
  .tag = ELEMENT_##kind, .size = sizeof(T)

// The kind that a form of an element belongs to.
static inline const elementKind *element_of_form(const fieldForm *form)
{
  return (const elementKind *) (const void *) form; // the first member of its kind
}

// Whether the element has the output.
static inline int element_has(const modelElement *e, const elementOutput *output)
{
  return !(output->flags & OUTPUT_CALLED) || e->call.function;
}

// A compiled law of a definition, or NULL for ART_LAW_NONE (law_def.c). Compiling is left where a law is refused.
forceLaw *element_make_law(baseArena *arena, const artLawDef *def, artPlace place);

// Outputs of elements on joint coordinates that have no others than their force.
extern const elementOutput element_joint_outputs[];

// Outputs of elements along a line between points.
extern const elementOutput element_line_outputs[];

// The speed of a frame along its x axis, as the text of a formula (driver.c).
const char *element_speed_text(baseArena *arena, const char *frame);

// Keys of elements that act on joint coordinates, or call functions of the user.
// clang-format off
#define COORDINATE_FIELDS(T)                                                                       \
  {"coordinate", KEY_COORDINATE, .need = ONE_OF, .offset = offsetof(T, coordinate),                \
   .rival = "coordinates",                                                                         \
   .help = "the joint coordinate it acts on: `pin.angle`, or `pin` when the joint has one"},       \
  {"coordinates", KEY_ALONG, .need = ONE_OF, .offset = offsetof(T, coordinate),                    \
   .mark = "coordinate", .rival = "coordinate",                                                    \
   .help = "or several of them with factors, of which it acts on the sum"}

#define PARAMETERS_FIELD(T)                                                                        \
  {"parameters", KEY_ARGUMENTS, Q_ANY, .offset = offsetof(T, call),                                \
   .help = "numbers that follow the inputs of the function, of any unit, at most 32"}

#define FUNCTION_FIELDS(T)                                                                         \
  {"function", KEY_FUNCTION, .need = ONE_OF, .offset = offsetof(T, call), .rival = "value",        \
   .help = "or the name of a [function of the user](user-functions.md) that makes it"},            \
  PARAMETERS_FIELD(T),                                                                             \
  {"arguments", KEY_SOME_FORMULAS, Q_ANY, .offset = offsetof(T, call.arguments),                   \
   .to = offsetof(modelElement, formula),                                                          \
   .help = "formulas, at most 3, whose values follow the parameters: states, commands, readings"}
// clang-format on

#endif
