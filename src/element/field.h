// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Field lists: the keys that a user may write for an item, with type, unit, default, range and
// meaning, and the offsets of their values in the definition and in the compiled element. Defaults
// of the C interface, reader, builder, compiler, JSON Schema and the tables of
// doc/reference/model are all derived from these lists.
#ifndef ELEMENT_FIELD_H
#define ELEMENT_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "articula/model.h"
#include "base/error.h"
#include "base/unit.h"

//---- quantities ----------------------------------------------------------------------------------

// The last ones depend on whether their coordinate is a length or an angle.
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
  Q_FREQUENCY, // Hz
  Q_DECAY,     // 1/s
  Q_VOLTAGE,
  Q_CURRENT,
  Q_RESISTANCE,
  Q_INDUCTANCE,
  Q_TORQUE_CONSTANT,
  Q_TORQUE_DAMPING,
  Q_FLOW,
  Q_LEAKAGE,
  Q_TEMPERATURE,
  Q_GAS,           // gas constant
  Q_CONDUCTANCE,   // thermal conductance
  Q_ANY,           // of any dimension
  Q_OWN,           // the unit given in the item
  Q_OWN_RATE,      // that unit per second
  Q_X,             // m or rad
  Q_X_RATE,        // m/s or rad/s
  Q_X_FORCE,       // N or N m
  Q_X_STIFFNESS,   // N/m or N m/rad
  Q_X_DAMPING,     // N s/m or N m s/rad
  Q_X_DISSIPATION, // s/m or s/rad
  Q_X_AREA         // m^2 or m^3/rad: derivative of a volume with respect to the coordinate
} keyQuantity;

typedef enum fieldAxis { AXIS_UNKNOWN, AXIS_LINEAR, AXIS_ANGULAR } fieldAxis;

// Dimension of a quantity; `any` when it depends on an unknown coordinate.
baseDimension field_dimension(keyQuantity quantity, fieldAxis axis);

// Its unit as text: "kg m^2", "N/m or N m/rad".
const char *field_unit(keyQuantity quantity);

//---- fields --------------------------------------------------------------------------------------

typedef enum keyType {
#define KEY(type, words, definition) KEY_##type,
#include "element/key_types.h"
#undef KEY
  KEY_TYPES
} keyType;

// Values with several members, in this order in definitions.
typedef struct fieldTerms {
  int n;
  const char *const *coordinate;
  const double *coefficient;
} fieldTerms;

typedef struct fieldRows {
  int n;
  const double *x, *f;
} fieldRows;

#define FIELD_HAS_TERMS(T)                                                                         \
  _Static_assert(offsetof(T, coordinate) == offsetof(T, n) + offsetof(fieldTerms, coordinate) &&   \
                     offsetof(T, coefficient) ==                                                   \
                         offsetof(T, n) + offsetof(fieldTerms, coefficient),                       \
                 "n, coordinate and coefficient of " #T " stand like fieldTerms")
#define FIELD_HAS_ROWS(T, count, first, second)                                                    \
  _Static_assert(offsetof(T, first) == offsetof(T, count) + offsetof(fieldRows, x) &&              \
                     offsetof(T, second) == offsetof(T, count) + offsetof(fieldRows, f),           \
                 #count ", " #first " and " #second " of " #T " stand like fieldRows")

// Names of the choices of a field: returns the k-th, NULL after the last.
#define FIELD_WORDS(name, ...)                                                                     \
  static const char *name(int k)                                                                   \
  {                                                                                                \
    static const char *const words[] = {__VA_ARGS__, NULL};                                        \
    return words[k];                                                                               \
  }

typedef enum keyNeed { OPTIONAL, REQUIRED, ONE_OF } keyNeed;

// Admissible numbers of a field.
typedef enum keyRange {
  RANGE_FINITE,
  RANGE_POSITIVE,
  RANGE_NOT_NEGATIVE,
  RANGE_CHECKED, // checked together with the whole definition
} keyRange;

typedef struct fieldKey {
  const char *name;
  keyType type;
  keyQuantity quantity;
  keyNeed need;
  size_t offset;                // offset of the value in the definition
  const char *mark;             // name of the definition's field if it differs from the key
  const char *rival;            // key that excludes this one
  const char *(*choice)(int i); // KEY_CHOICE, KEY_METHOD: names of the choices, NULL after the last
  const int *values;            // value of each choice; NULL: its index
  size_t beside; // offset of a second value: pose of the end (KEY_END), back end (KEY_METHOD)
  size_t given;  // offset of an int that is set to 1 if the key is given; 0: none
  int count;     // length of KEY_ROW
  const char *fallback; // the default, for the documentation
  double value;         // the default as a number
  bool may_be_infinite; // limits: inf and -inf mean no limit on that side
  // KEY_NUMBER: must be positive if given, because 0 in the definition means absent
  bool above_zero;
  keyRange range; // admissible numbers
  int methods;    // studies: traits of the methods that use it (model/methods.h); 0: all
  size_t to;      // offset of the compiled value in modelElement; 0: compiled by the kind
  const char *help;
  // words of other programs for it (base/vocabulary.h), in addition to those for keys of that name
  const char *foreign;
} fieldKey;

// A numeric default, as number and as text.
#define FALLBACK(x) .value = (x), .fallback = #x

// The keys of one kind of item; the last key has no name. If `type` is set, `type: KIND` is one of
// the keys.
typedef struct fieldForm {
  const char *name; // "body", "joint", "force"
  const char *type;
  const char *help;
  const char *foreign; // words of other programs for the type (base/vocabulary.h)
  const fieldKey *keys;
  bool is_part; // part of another item: the builder does not mark its keys, and its coordinate is
                // that of the whole item
} fieldForm;

// Set the defaults of a zeroed definition.
void field_set_defaults(const fieldForm *form, void *def);

// Parse an axis, a letter with optional sign; returns false if it is not one.
bool field_axis(const char *word, double axis[3]);

// Parts of definitions that have keys of their own.
extern const fieldForm field_form_air, field_form_stops;
extern const fieldForm *const field_forms_path[]; // by type, ended by NULL

//---- locations and checks ------------------------------------------------------------------------

// place of the value of a key
typedef struct fieldMark {
  const char *key;
  artPlace place;
} fieldMark;

// place of an item, and of its values
typedef struct fieldWhere {
  artPlace place;
  long nmark; // long, because all words of records are values of that size (base/pool.h)
  const fieldMark *mark;
} fieldWhere;

// Place of a key's value, or of the item if the key was not marked.
artPlace field_place(const fieldWhere *where, const char *key);

// Name and places of a definition under check. A failed check throws an error (base/error.h) at the
// place of a key's value, or of the whole item.
typedef struct fieldCheck {
  const char *name;
  const fieldWhere *where;
} fieldCheck;
#define field_refuse(c, key, ...) error_refuse(field_place((c)->where, key), __VA_ARGS__)
#define field_refuse_all(c, ...)  error_refuse((c)->where->place, __VA_ARGS__)

// Check a number against the range of its key; `name`: name of the field for the message.
void field_check_number(const fieldCheck *c, const fieldKey *key, const char *name, double x);

void field_check_finite(const fieldCheck *c, const char *key, int n, const double *x);
void field_check_positive(const fieldCheck *c, const char *key, double x, int zero_too);

// Check a member of an enumeration, or an integer in first..last.
void field_check_member(const fieldCheck *c, const char *key, int value, int first, int last);

// Check that a list is present if its length is not zero.
void field_check_list(const fieldCheck *c, const char *key, int n, const void *list);

// Check a direction: finite components and a length that can be normalised. `owner` is "joint" or
// "latch".
void field_check_axis(const fieldCheck *c, const char *key, const char *owner,
                      const double axis[3]);

// Check that a quaternion can be normalised.
void field_check_rotation(const fieldCheck *c, const char *key, const double rotation[4]);

// Check the numbers of a definition, or of one field, against the field list. Skips fields that are
// not numbers.
void field_check_value(const fieldCheck *c, const fieldKey *key, const void *def);
void field_check_all(const fieldCheck *c, const fieldForm *form, const void *def);

// Check stops: stiffness, dissipation, and the order of the limits.
void field_check_stops(const fieldCheck *c, double lower, double upper, double stiffness,
                       double damping);

#endif
