// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Field lists: the keys that a user may write of an item, with type, unit, default, range and meaning, and the places
// of their values in the definition and in the compiled element. Defaults of the C interface, reader, builder, compiler,
// JSON Schema and the tables of doc/reference/model-format.md all go by these lists.
#ifndef ELEMENT_FIELD_H
#define ELEMENT_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "articula/model.h"
#include "base/error.h"
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
  Q_GAS,           // constant of a gas
  Q_CONDUCTANCE,   // of heat
  Q_ANY,           // of any dimension
  Q_OWN,           // that of the unit which the item gives
  Q_OWN_RATE,      // the same per second
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
#define KEY(type, words, definition) KEY_##type,
#include "element/key_types.h"
#undef KEY
  KEY_TYPES
} keyType;

// Values of several members, which stand in this order in definitions.
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

// A choice of a field in words: the k-th of them, NULL behind the last.
#define FIELD_WORDS(name, ...)                                                                     \
  static const char *name(int k)                                                                   \
  {                                                                                                \
    static const char *const words[] = {__VA_ARGS__, NULL};                                        \
    return words[k];                                                                               \
  }

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
  const char *(*choice)(int i); // of KEY_CHOICE and KEY_METHOD: the words, NULL after the last,
  const int *values;            // and the value of each; NULL: its number
  size_t
      beside; // offset of a second value: of KEY_END the pose of the end, of KEY_METHOD the back end
  size_t given;         // offset of an int that is 1 where the key is given; 0: there is none
  int count;            // of KEY_ROW
  const char *fallback; // the default, for the documentation
  double value;         // and as a number
  bool may_be_infinite; // of limits: inf and -inf are none on that side
  bool above_zero;      // of KEY_NUMBER: where it is given, for 0 in the record is its absence
  keyRange range;       // of numbers in definitions
  int methods;          // of studies: traits of the methods that use it (model/methods.h); 0: all
  size_t to;            // offset of the compiled value in modelElement; 0: the kind compiles it
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

// Set the defaults of a zeroed definition.
void field_set_defaults(const fieldForm *form, void *def);

// The axis that a letter with or without a sign names; false: it names none.
bool field_axis(const char *word, double axis[3]);

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
  long nmark; // long, as all words of records have values (base/pool.h)
  const fieldMark *mark;
} fieldWhere;

// The place of a key's value, or of the item when the key was not marked.
artPlace field_place(const fieldWhere *where, const char *key);

// The name of a definition that is checked, and its places. A check is a work that is left where it fails (base/error.h): at
// the place of a key's value, or of the whole.
typedef struct fieldCheck {
  const char *name;
  const fieldWhere *where;
} fieldCheck;
#define field_refuse(c, key, ...) error_refuse(field_place((c)->where, key), __VA_ARGS__)
#define field_refuse_all(c, ...)  error_refuse((c)->where->place, __VA_ARGS__)

// A number by the range of its key; `name`: the field's, for the message.
void field_check_number(const fieldCheck *c, const fieldKey *key, const char *name, double x);

void field_check_finite(const fieldCheck *c, const char *key, int n, const double *x);
void field_check_positive(const fieldCheck *c, const char *key, double x, int zero_too);

// A member of an enumeration, or a whole number between two others.
void field_check_member(const fieldCheck *c, const char *key, int value, int first, int last);

// A list and its length, which go together.
void field_check_list(const fieldCheck *c, const char *key, int n, const void *list);

// A direction of finite components, not too short or long to be normalised. `owner` is "joint" or "latch".
void field_check_axis(const fieldCheck *c, const char *key, const char *owner,
                      const double axis[3]);

// A quaternion that has a direction.
void field_check_rotation(const fieldCheck *c, const char *key, const double rotation[4]);

// The numbers of a definition, or of one of its fields, by the list. Fields that are no numbers are left to others.
void field_check_value(const fieldCheck *c, const fieldKey *key, const void *def);
void field_check_all(const fieldCheck *c, const fieldForm *form, const void *def);

// Stops: stiffness, dissipation, and limits in their order.
void field_check_stops(const fieldCheck *c, double lower, double upper, double stiffness,
                       double damping);

#endif
