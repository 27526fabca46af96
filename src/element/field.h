// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Field lists: the keys that a user may write of an item, with type, unit, default, range and meaning, and the places
// of their values in the definition and in the compiled element. Reader, builder, compiler, JSON Schema and the tables
// of doc/reference/model-format.md all go by these lists.
#ifndef ELEMENT_FIELD_H
#define ELEMENT_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "articula/model.h"
#include "base/unit.h"

//---- quantities ----------------------------------------------------------------------------------

// The last ones depend on whether the coordinate they belong to is a length or an angle.
typedef enum keyQuantity {
  Q_NUMBER,
  Q_ANGLE,
  Q_LENGTH,
  Q_VELOCITY,
  Q_ACCELERATION,
  Q_RATE,
  Q_MASS,
  Q_INERTIA,
  Q_TIME,
  Q_FORCE,
  Q_TORQUE,
  Q_STIFFNESS,
  Q_DAMPING,
  Q_DISSIPATION,
  Q_AREA,
  Q_DENSITY,
  Q_PRESSURE,
  Q_VOLUME,
  Q_FREQUENCY,     // Hz
  Q_DECAY,         // 1/s
  Q_ANY,           // of any dimension
  Q_X,             // m or rad
  Q_X_RATE,        // m/s or rad/s
  Q_X_FORCE,       // N or N m
  Q_X_STIFFNESS,   // N/m or N m/rad
  Q_X_DAMPING,     // N s/m or N m s/rad
  Q_X_DISSIPATION, // s/m or s/rad
  Q_X_AREA         // m^2 or m^3/rad: of a volume by the coordinate
} keyQuantity;

typedef enum fieldAxis { AXIS_UNKNOWN, AXIS_LINEAR, AXIS_ANGULAR } fieldAxis;

// The dimension of a quantity; `any` when it depends on an unknown coordinate.
baseDimension field_dimension(keyQuantity quantity, fieldAxis axis);

// Its unit in words: "kg m^2", "N/m or N m/rad".
const char *field_unit(keyQuantity quantity);

//---- fields --------------------------------------------------------------------------------------

typedef enum keyType {
  KEY_NUMBER,      // double: a quantity or a formula of parameters
  KEY_VECTOR,      // double[3]
  KEY_TENSOR,      // double[6]: 3 or 6 entries
  KEY_AXIS,        // double[3]: x, -z, [1, 0, 1]
  KEY_AXES,        // double[3], double[3]
  KEY_ORIENTATION, // double[4]
  KEY_TEXT,        // const char *
  KEY_FLAG,        // int: true or false
  KEY_CHOICE,      // int: one of the words
  KEY_REFERENCE,   // const char *: a body, or a frame of a body
  KEY_END,         // readerEnd: one end of a joint
  KEY_BETWEEN,     // const char *[2]: two references
  KEY_THROUGH,     // const char *[ART_MOST_POINTS]: two references or more, NULL after the last
  KEY_COORDINATE,  // const char *: of a joint; decides the unit of the Q_X... that follow
  KEY_COEFFICIENT, // artLawDef: the number of a linear law
  KEY_LAW,         // artLawDef: {polynomial: [..]}, {piecewise: [[x, f], ..]}, {table: [..]},
                   // {segments: {..}}, {air: {..}}
  KEY_STOPS,       // artStopsDef: a mapping
  KEY_SIX,         // double[6]: forces and torques
  KEY_SIX_BY_SIX,  // double[36]: a diagonal, or rows
  KEY_SIX_LAWS,    // artLawDef[6]: directions and laws
  KEY_FORMULA,     // const char *: evaluated as time goes on
  KEY_FORMULAS,    // const char *[3]
  KEY_TABLE,       // readerRows: time and value
  KEY_PROFILE,     // readerRows: distance and height
  KEY_COUNT,       // int: a whole number
  KEY_NUMBERS,     // artNumbers: a list of any length
  KEY_NAMES,       // const yamlNode *: a list of names
  KEY_NAME_LIST,   // artNames: the same, of a study
  KEY_TRACKS,      // const yamlNode *: a list of tracks
  KEY_POINTS,      // const yamlNode *: names and positions
  KEY_FRAMES,      // const yamlNode *: names and poses
  KEY_VISUAL,      // const yamlNode *: a shape by type, or a list of them
  KEY_INERTIA,     // const yamlNode *
  KEY_MOTION,      // artMotions: coordinates and formulas
  KEY_PARAMETERS,  // const yamlNode *: names and quantities
  KEY_RENAMES,     // const yamlNode *: names and what they stand for
  KEY_COORDINATES, // const char *[2]: two of them
  KEY_TERMS,       // const yamlNode *: coordinates and factors
  KEY_PATH,        // artPathDef: the name of a curve, or a path by type
  KEY_COMBINATION, // readerTerms: the same; the first decides the unit of the Q_X... that follow
  KEY_ACTUATORS,   // artNames: a list of coordinates
  KEY_INDEPENDENT, // const char *: a list of joints or coordinates, with commas between them
  KEY_ALONG,       // const char *: the first of several coordinates; the reader keeps all of them
  KEY_FUNCTION,    // artCallDef: the name of a function of the user
  KEY_ARGUMENTS,   // artCallDef: the numbers for its function
  KEY_ROAD,        // const char *: one of the section `roads`
  KEY_TYRE,        // const char *: one of the section `tyres`
  KEY_TYPES
} keyType;

typedef enum keyNeed { OPTIONAL, REQUIRED, ONE_OF } keyNeed;

// The numbers that a field of a definition may hold. Most are finite.
typedef enum keyRange {
  RANGE_FINITE,
  RANGE_POSITIVE,
  RANGE_NOT_NEGATIVE,
  RANGE_CHECKED, // the check of the whole definition looks at it
} keyRange;

typedef struct fieldKey {
  const char *name;
  keyType type;
  keyQuantity quantity;
  keyNeed need;
  size_t offset;                // of the value in the definition
  const char *mark;             // name of the definition's field where it is not the key's
  const char *rival;            // the key that must not stand beside this one
  const char *(*choice)(int i); // of KEY_CHOICE: the words, NULL after the last
  const char *fallback;         // the default, for the documentation
  double value;                 // and as a number
  bool above_zero; // of KEY_NUMBER: where it is given, for 0 in the record is its absence
  keyRange range;  // of numbers in definitions of elements and studies
  int methods;     // of studies: traits of the methods that use it (model/methods.h); 0: all
  size_t to;       // offset of the compiled value in modelElement; 0: the kind compiles it
  const char *help;
  const char
      *foreign; // words of others for it (base/foreign.h), besides those for keys of that name
} fieldKey;

// A default that is a number, in figures and in words.
#define FALLBACK(x) .value = (x), .fallback = #x

// The keys of one kind of item, ended by a key without a name. With a type, `type: KIND`
// stands among them.
typedef struct fieldForm {
  const char *name; // "body", "joint", "force"
  const char *type;
  const char *help;
  const char *foreign; // words of others for the type (base/foreign.h)
  const fieldKey *keys;
  bool is_part; // of another item: its keys are not marked for the builder, coordinates are those
                // of the whole
} fieldForm;

// Set the defaults of a zeroed definition: numbers and choices, and stops with their own.
void field_set_defaults(const fieldForm *form, void *def);

// Parts of definitions that have keys of their own.
extern const fieldForm field_form_air, field_form_stops;
extern const fieldForm *const field_forms_path[]; // by type, ended by NULL

//---- places and checks ---------------------------------------------------------------------------

// where the value of one key stands
typedef struct fieldMark {
  const char *key;
  artPlace place;
} fieldMark;

// where an item stands, and its values
typedef struct fieldWhere {
  artPlace place;
  int nmark;
  const fieldMark *mark;
} fieldWhere;

// The place of a key's value, or of the item when the key was not marked.
artPlace field_place(const fieldWhere *where, const char *key);

// Who checks a definition: its name and places, and the error, of which the first is kept.
typedef struct fieldCheck {
  const char *name;
  const fieldWhere *where;
  artError *error;
} fieldCheck;

// A number by the range of its key; `name`: the field's, for the message.
artStatus field_check_number(const fieldCheck *c, const fieldKey *key, const char *name, double x);

artStatus field_check_finite(const fieldCheck *c, const char *key, int n, const double *x);
artStatus field_check_positive(const fieldCheck *c, const char *key, double x, int zero_too);

// A member of an enumeration, or a whole number between two others.
artStatus field_check_member(const fieldCheck *c, const char *key, int value, int first, int last);

// A 6 x 6 matrix by rows: finite, and its own transpose but for rounding.
artStatus field_check_symmetric(const fieldCheck *c, const char *key, const double A[36]);

// Stops: stiffness, dissipation, and limits in their order.
artStatus field_check_stops(const fieldCheck *c, double lower, double upper, double stiffness,
                            double damping);

#endif
