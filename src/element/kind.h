// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A kind of force element: the fields of its definition, its outputs, and the compilation of a
// checked definition. Every kind is defined in a file of its own in this folder; kinds.h lists
// them.
#ifndef ELEMENT_KIND_H
#define ELEMENT_KIND_H

#include "articula/parts.h"
#include "base/arena.h"
#include "base/vocabulary.h"
#include "element/element.h"
#include "element/field.h"
#include "element/part.h"

typedef enum outputFlag {
  OUTPUT_USUAL = 1,  // written if the file names no outputs
  OUTPUT_CALLED = 2, // exists only with a user function
  OUTPUT_GROUP = 4,  // begins a group in listings
} outputFlag;

// An output `force.name`. Quantities that depend on the coordinate have the unit of the first one.
typedef struct elementOutput {
  const char *name;
  int component; // index of the value; below LEVEL_ACCELERATION it is computed on request
  quantityLevel level;
  keyQuantity quantity;
  int flags; // of outputFlag
} elementOutput;

// Outputs along x, y and z with a common stem, from component `first`; they may begin a group.
#define OUTPUTS_XYZ(stem, first, level, quantity, flags)                                           \
  {stem "x", first, level, quantity, flags},                                                       \
      {stem "y", (first) + 1, level, quantity, (flags) & ~OUTPUT_GROUP},                           \
  {                                                                                                \
    stem "z", (first) + 2, level, quantity, (flags) & ~OUTPUT_GROUP                                \
  }

// Parameters of a kind between two frames in generated source, by the beginning of their names: a
// row of six for the directions x, y, z, rx, ry, rz; a matrix of such rows; or coefficients of six
// laws.
typedef enum elementForm { PARAMETER_ROW, PARAMETER_MATRIX, PARAMETER_LAWS } elementForm;

typedef struct elementParameter {
  const char *beginning, *help;
  int each;         // numbers of one element with that name
  const char *word; // for users: "stiffness" in "seat.stiffness.rz"
  elementForm form;
  bool is_by_rates; // matrix and laws: acts on rates instead of displacements
} elementParameter;

// How to draw the force of an element at its last point, from its values.
typedef enum elementArrow {
  ARROW_NONE,
  ARROW_LINE,    // first value: tension along the line between the points
  ARROW_AXES,    // three values: along the axes of the first frame
  ARROW_GROUND,  // three values: along the axes of ground, or of the frame with in_body
  ARROW_CONTACT, // tyre: at the contact point
  ARROW_TOUCH,   // three values: along the axes of ground, at the contact point of two surfaces
} elementArrow;

// Data for compiling a kind, after the fields have been compiled.
typedef struct elementContext {
  baseArena *arena;
  const fieldWhere *where;
  partNumbers numbers;
  const char *x, *rate;  // joint elements: formulas of the coordinate and its rate
  baseDimension formula; // dimension of the user's formula
  bool is_constant;      // all formulas are constant

  // contacts: the surfaces, and which of their points it is
  const artSurfaceDef *surface[2];
  int part;
} elementContext;

// Compiled numbers as functions of numbers of the definition, for generated source. term: add
// factor a b (b NULL: 1) to a compiled number. law: a compiled law and its definition.
typedef struct elementParameterMap {
  void *context;
  void (*term)(void *context, const double *compiled, double factor, const double *a,
               const double *b);
  void (*law)(void *context, const forceLaw *law, const artLawDef *def);
  void (*start)(void *context, const char *element, const char *tail, const double *a,
                const double *b); // initial value of a state, a/b
} elementParameterMap;

typedef struct elementKind {
  fieldForm form;
  elementTag tag;
  size_t size; // of the definition, whose first member is its name

  // Selects the kind if two kinds share a definition; may be NULL.
  const struct elementKind *(*variant)(const void *def);

  // Check rules that the fields do not express, and set defaults that depend on other fields; may
  // be NULL.
  void (*check)(const fieldCheck *check, void *def);

  // Add states, signals and discrete states as formulas, so that the formulas of all items can name
  // them. Coordinates are already compiled, other fields are not; may be NULL.
  void (*declare)(const modelElement *e, const void *def, const elementContext *c,
                  partContext *parts);

  // Compile the rest: derived numbers, formulas (arena_compose), states; may be NULL.
  void (*compile)(modelElement *e, const void *def, const elementContext *c);

  // Report the numbers that `compile` has derived from numbers of the definition; may be NULL.
  void (*follow)(const modelElement *e, const void *def, const elementParameterMap *f);

  // Contacts: offsets of numbers that, above zero or live, give torques on both bodies, which are
  // the parts tx, ty, tz of the element in ground axes, on the second body.
  size_t torques[2];

  bool is_whole;      // pairs of its surfaces are not elements of their own
  artGlyph glyph;     // how to draw it
  elementArrow arrow; // how to draw its force
  // for words of other programs in other places; the last one has no context
  const vocabularyWords *advice;
  const elementOutput *outputs;       // the last one has no name
  const elementParameter *parameters; // in generated source; the last one has no name; or NULL
  const char *const *states;          // names of the nstate states that `compile` may request
  struct {                            // user function that replaces laws, formulas or
    functionKind kind;                // forces: its type,
    int inputs, results;              // and numbers of values; results 0: not possible
  } call;
} elementKind;

// Start of a kind: name, definition, keyword in model files, fields, words of other programs, and
// help.
#define ELEMENT_KIND(kind, T, word, keys_of, others, words)                                        \
  .form = {.name = "force", .type = word, .keys = keys_of, .help = words, .foreign = others},      \
  .tag = ELEMENT_##kind, .size = sizeof(T)

// The kind to which a form of an element belongs.
static inline const elementKind *element_of_form(const fieldForm *form)
{
  return (const elementKind *) (const void *) form; // the form is the first member of its kind
}

// The field with the two surfaces of a kind of contact, each pair of which is an element; NULL: it has none.
static inline const fieldKey *element_surfaces_key(const elementKind *kind)
{
  const fieldKey *key = kind->form.keys;
  while (key->name && key->type != KEY_SURFACES) key++;
  return key->name && !kind->is_whole ? key : NULL;
}

// Does the element have the output?
static inline int element_has(const modelElement *e, const elementOutput *output)
{
  return !(output->flags & OUTPUT_CALLED) || e->call.function;
}

// Compile a law of a definition (law_def.c); NULL for ART_LAW_NONE. Throws an error if the law is
// refused.
forceLaw *element_make_law(baseArena *arena, const artLawDef *def, artPlace place);

// Outputs of elements on joint coordinates that output only their force.
extern const elementOutput element_joint_outputs[];

// Outputs of elements along a line between points.
extern const elementOutput element_line_outputs[];

// Formula of the speed of a frame along its x axis (driver.c).
const char *element_speed_text(baseArena *arena, const char *frame);

// Keys of elements that act on joint coordinates or call user functions.
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
   .help = "or the name of a user function that makes it"},            \
  PARAMETERS_FIELD(T),                                                                             \
  {"arguments", KEY_SOME_FORMULAS, Q_ANY, .offset = offsetof(T, call.arguments),                   \
   .to = offsetof(modelElement, formula),                                                          \
   .help = "formulas, at most 3, whose values follow the parameters: states, commands, readings"}
// clang-format on

#endif
