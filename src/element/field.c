// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Quantities of fields, defaults, and checks shared by definitions.
#include "element/field.h"

#include <math.h>
#include <string.h>

#include "base/max_nan.h"

//---- quantities ----------------------------------------------------------------------------------

// clang-format off
static const struct {
  const char *unit;
  baseDimension linear, angular;
} quantities[] = {
    [Q_NUMBER]        = {"",                    {0, 0, 0, 0, 0, 0},   {0, 0, 0, 0, 0, 0}},
    [Q_ANGLE]         = {"rad",                 {0, 0, 0, 0, 0, 0},   {0, 0, 0, 0, 0, 0}},
    [Q_LENGTH]        = {"m",                   {0, 1, 0, 0, 0, 0},   {0, 1, 0, 0, 0, 0}},
    [Q_VELOCITY]      = {"m/s",                 {0, 1, -1, 0, 0, 0},  {0, 1, -1, 0, 0, 0}},
    [Q_ACCELERATION]  = {"m/s^2",               {0, 1, -2, 0, 0, 0},  {0, 1, -2, 0, 0, 0}},
    [Q_RATE]          = {"rad/s",               {0, 0, -1, 0, 0, 0},  {0, 0, -1, 0, 0, 0}},
    [Q_MASS]          = {"kg",                  {1, 0, 0, 0, 0, 0},   {1, 0, 0, 0, 0, 0}},
    [Q_INERTIA]       = {"kg m^2",              {1, 2, 0, 0, 0, 0},   {1, 2, 0, 0, 0, 0}},
    [Q_TIME]          = {"s",                   {0, 0, 1, 0, 0, 0},   {0, 0, 1, 0, 0, 0}},
    [Q_FORCE]         = {"N",                   {1, 1, -2, 0, 0, 0},  {1, 1, -2, 0, 0, 0}},
    [Q_TORQUE]        = {"N m",                 {1, 2, -2, 0, 0, 0},  {1, 2, -2, 0, 0, 0}},
    [Q_STIFFNESS]     = {"N/m",                 {1, 0, -2, 0, 0, 0},  {1, 0, -2, 0, 0, 0}},
    [Q_DAMPING]       = {"N s/m",               {1, 0, -1, 0, 0, 0},  {1, 0, -1, 0, 0, 0}},
    [Q_DISSIPATION]   = {"s/m",                 {0, -1, 1, 0, 0, 0},  {0, -1, 1, 0, 0, 0}},
    [Q_AREA]          = {"m^2",                 {0, 2, 0, 0, 0, 0},   {0, 2, 0, 0, 0, 0}},
    [Q_DENSITY]       = {"kg/m^3",              {1, -3, 0, 0, 0, 0},  {1, -3, 0, 0, 0, 0}},
    [Q_PRESSURE]      = {"Pa",                  {1, -1, -2, 0, 0, 0}, {1, -1, -2, 0, 0, 0}},
    [Q_FREQUENCY]     = {"Hz",                  {0, 0, -1, 0, 0, 0},  {0, 0, -1, 0, 0, 0}},
    [Q_DECAY]         = {"1/s",                 {0, 0, -1, 0, 0, 0},  {0, 0, -1, 0, 0, 0}},
    [Q_VOLUME]        = {"m^3",                 {0, 3, 0, 0, 0, 0},   {0, 3, 0, 0, 0, 0}},
    [Q_VOLTAGE]       = {"V",                   {1, 2, -3, 0, -1, 0}, {1, 2, -3, 0, -1, 0}},
    [Q_CURRENT]       = {"A",                   {0, 0, 0, 0, 1, 0},   {0, 0, 0, 0, 1, 0}},
    [Q_RESISTANCE]    = {"Ohm",                 {1, 2, -3, 0, -2, 0}, {1, 2, -3, 0, -2, 0}},
    [Q_INDUCTANCE]    = {"H",                   {1, 2, -2, 0, -2, 0}, {1, 2, -2, 0, -2, 0}},
    [Q_TORQUE_CONSTANT] = {"N m/A",             {1, 2, -2, 0, -1, 0}, {1, 2, -2, 0, -1, 0}},
    [Q_TORQUE_DAMPING] = {"N m s/rad",          {1, 2, -1, 0, 0, 0},  {1, 2, -1, 0, 0, 0}},
    [Q_FLOW]          = {"m^3/s",               {0, 3, -1, 0, 0, 0},  {0, 3, -1, 0, 0, 0}},
    [Q_LEAKAGE]       = {"m^3/s/Pa",            {-1, 4, 1, 0, 0, 0},  {-1, 4, 1, 0, 0, 0}},
    [Q_TEMPERATURE]   = {"K",                   {0, 0, 0, 0, 0, 1},   {0, 0, 0, 0, 0, 1}},
    [Q_GAS]           = {"J/kg/K",              {0, 2, -2, 0, 0, -1}, {0, 2, -2, 0, 0, -1}},
    [Q_CONDUCTANCE]   = {"W/K",                 {1, 2, -3, 0, 0, -1}, {1, 2, -3, 0, 0, -1}},
    [Q_ANY]           = {"",                    {0, 0, 0, 1, 0, 0},   {0, 0, 0, 1, 0, 0}},
    [Q_OWN]           = {"its unit",            {0, 0, 0, 1, 0, 0},   {0, 0, 0, 1, 0, 0}},
    [Q_OWN_RATE]      = {"its unit per s",      {0, 0, 0, 1, 0, 0},   {0, 0, 0, 1, 0, 0}},
    [Q_X]             = {"m or rad",            {0, 1, 0, 0, 0, 0},   {0, 0, 0, 0, 0, 0}},
    [Q_X_RATE]        = {"m/s or rad/s",        {0, 1, -1, 0, 0, 0},  {0, 0, -1, 0, 0, 0}},
    [Q_X_FORCE]       = {"N or N m",            {1, 1, -2, 0, 0, 0},  {1, 2, -2, 0, 0, 0}},
    [Q_X_STIFFNESS]   = {"N/m or N m/rad",      {1, 0, -2, 0, 0, 0},  {1, 2, -2, 0, 0, 0}},
    [Q_X_DAMPING]     = {"N s/m or N m s/rad",  {1, 0, -1, 0, 0, 0},  {1, 2, -1, 0, 0, 0}},
    [Q_X_DISSIPATION] = {"s/m or s/rad",        {0, -1, 1, 0, 0, 0},  {0, 0, 1, 0, 0, 0}},
    [Q_X_AREA]        = {"m^2 or m^3/rad",      {0, 2, 0, 0, 0, 0},   {0, 3, 0, 0, 0, 0}},
};
// clang-format on


baseDimension field_dimension(keyQuantity quantity, fieldAxis axis)
{
  if (axis == AXIS_UNKNOWN && quantity >= Q_X) return UNIT_ANY;
  return axis == AXIS_ANGULAR ? quantities[quantity].angular : quantities[quantity].linear;
}


const char *field_unit(keyQuantity quantity)
{
  return quantities[quantity].unit;
}


//---- defaults ------------------------------------------------------------------------------------

bool field_axis(const char *word, double axis[3])
{
  const bool negative = word[0] == '-';
  const char *letter = word + (negative || word[0] == '+');
  if (letter[0] < 'x' || letter[0] > 'z' || letter[1] != '\0') return false;
  axis[0] = axis[1] = axis[2] = 0;
  axis[letter[0] - 'x'] = negative ? -1 : 1;
  return true;
}


void field_set_defaults(const fieldForm *form, void *def)
{
  static const double no_rotation[4] = {1, 0, 0, 0}, x_and_y[6] = {1, 0, 0, 0, 1, 0};
  for (const fieldKey *key = form->keys; key->name; key++) {
    char *field = (char *) def + key->offset;
    switch (key->type) {
    case KEY_NUMBER: memcpy(field, &key->value, sizeof key->value); break;
    case KEY_CHOICE:
    case KEY_FLAG:
    case KEY_COUNT:
    case KEY_WHOLE:
    case KEY_COLOUR: *(int *) (void *) field = (int) key->value; break;
    case KEY_AXIS:
      if (key->fallback) field_axis(key->fallback, (double *) (void *) field);
      break;
    case KEY_AXES: memcpy(field, x_and_y, sizeof x_and_y); break;
    case KEY_ORIENTATION: memcpy(field, no_rotation, sizeof no_rotation); break;
    case KEY_END:
      memcpy((char *) def + key->beside + offsetof(artPose, rotation), no_rotation,
             sizeof no_rotation);
      break;
    case KEY_STOPS: field_set_defaults(&field_form_stops, field); break;
    default: // zero means no string, list or law
      break;
    }
  }
}


//---- locations and checks ------------------------------------------------------------------------

artPlace field_place(const fieldWhere *where, const char *key)
{
  for (int i = 0; i < where->nmark; i++) {
    if (strcmp(where->mark[i].key, key) == 0) return where->mark[i].place;
  }
  return where->place;
}


void field_check_finite(const fieldCheck *c, const char *key, int n, const double *x)
{
  ART_ASSERT(x || n == 0);
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i])) field_refuse(c, key, "'%s' is %g, a finite number is wanted", key, x[i]);
  }
}


void field_check_positive(const fieldCheck *c, const char *key, double x, int zero_too)
{
  field_check_finite(c, key, 1, &x);
  if (x > 0 || (zero_too && x == 0)) return;
  field_refuse(c, key, "'%s' is %g, a %s number is wanted", key, x,
               zero_too ? "non-negative" : "positive");
}


void field_check_number(const fieldCheck *c, const fieldKey *key, const char *name, double x)
{
  if (key->range == RANGE_POSITIVE) field_check_positive(c, name, x, 0);
  if (key->range == RANGE_NOT_NEGATIVE) field_check_positive(c, name, x, 1);
  if (key->range == RANGE_FINITE) field_check_finite(c, name, 1, &x);
}


void field_check_member(const fieldCheck *c, const char *key, int value, int first, int last)
{
  ART_ASSERT(first <= last);
  if (value >= first && value <= last) return;
  field_refuse(c, key, "'%s' is %d, expected a number from %d to %d", key, value, first, last);
}


void field_check_list(const fieldCheck *c, const char *key, int n, const void *list)
{
  if (n == 0 || (n > 0 && list)) return;
  field_refuse(c, key, "'%s' has the length %d%s", key, n, list ? "" : " and no values");
}


void field_check_axis(const fieldCheck *c, const char *key, const char *owner, const double axis[3])
{
  field_check_finite(c, key, 3, axis);
  const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  if (length > 1e-100 && length < 1e100) return;
  field_refuse(c, key, "the axis of %s '%s' is (%g, %g, %g), which has no direction", owner,
               c->name, axis[0], axis[1], axis[2]);
}


void field_check_rotation(const fieldCheck *c, const char *key, const double r[4])
{
  field_check_finite(c, key, 4, r);
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
  if (square > 1e-200 && square < 1e200) return;
  field_refuse(c, key, "the rotation is the quaternion (%g, %g, %g, %g), which has no direction",
               r[0], r[1], r[2], r[3]);
}


// check that a 6 x 6 matrix by rows is finite and symmetric to rounding error
static void field_check_symmetric(const fieldCheck *c, const char *key, const double A[36])
{
  field_check_finite(c, key, 36, A);
  double most = 0;
  for (int i = 0; i < 36; i++) most = max_nan(most, fabs(A[i]));
  for (int i = 0; i < 36; i++) {
    const int row = i / 6, column = i % 6;
    const double other = A[6 * column + row];
    if (fabs(A[i] - other) <= 1e-9 * most) continue;
    field_refuse(c, key,
                 "'%s' is %g in row %d, column %d but %g in row %d, column %d, expected a "
                 "symmetric matrix",
                 key, A[i], row + 1, column + 1, other, column + 1, row + 1);
  }
}


// Refuse lengths, or vectors of lengths, whose squares underflow in double precision: inertias and
// lever arms would silently vanish.
static void check_not_tiny(const fieldCheck *c, const fieldKey *key, const char *name, int n,
                           const double *x)
{
  const double least = 1e-150;
  double most = 0;
  if (key->quantity != Q_LENGTH) return;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  if (!(most > 0 && most < least)) return;
  field_refuse(c, name,
               "'%s' is %g m, and the square of so short a length is zero in double precision; "
               "give 0 or at least %g m",
               name, most, least);
}


void field_check_value(const fieldCheck *c, const fieldKey *key, const void *def)
{
  const char *name = key->mark ? key->mark : key->name;
  const void *field = (const char *) def + key->offset;
  const double *x = field;
  const artPose *pose = (const void *) ((const char *) def + key->beside);
  const int n = key->type == KEY_NUMBER ? 1 : 3;
  switch (key->type) {
  case KEY_NUMBER:
  case KEY_VECTOR:
    for (int i = 0; i < n; i++) field_check_number(c, key, name, x[i]);
    check_not_tiny(c, key, name, n, x);
    break;
  case KEY_AXIS: field_check_finite(c, name, 3, x); break;
  case KEY_TENSOR:
  case KEY_INERTIA:
  case KEY_AXES:
  case KEY_SIX: field_check_finite(c, name, 6, x); break;
  case KEY_SIX_BY_SIX: field_check_symmetric(c, name, x); break;
  case KEY_ORIENTATION: field_check_rotation(c, name, x); break;
  case KEY_END:
    field_check_finite(c, name, 3, pose->position);
    field_check_rotation(c, name, pose->rotation);
    break;
  default: break;
  }
}


void field_check_all(const fieldCheck *c, const fieldForm *form, const void *def)
{
  for (const fieldKey *key = form->keys; key->name; key++) field_check_value(c, key, def);
}


void field_check_stops(const fieldCheck *c, double lower, double upper, double stiffness,
                       double damping)
{
  field_check_positive(c, "stiffness", stiffness, 0);
  field_check_positive(c, "damping", damping, 1);
  if (lower < upper) return;
  field_refuse(c, "upper", "stop '%s' has its upper limit %g not above its lower limit %g", c->name,
               upper, lower);
}
