// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Units of ADAMS.
#include "base/adams_units.h"
#include "base/ascii.h"

#include <stddef.h>

#define POUND   0.45359237
#define GRAVITY 9.80665
#define DEGREE  0.017453292519943295

// clang-format off
static const struct {
  adamsQuantity quantity;
  const char *name;
  double size;
} units[] = {
    {ADAMS_LENGTH, "meter", 1},            {ADAMS_LENGTH, "metre", 1},         {ADAMS_LENGTH, "m", 1},
    {ADAMS_LENGTH, "millimeter", 1e-3},    {ADAMS_LENGTH, "mm", 1e-3},         {ADAMS_LENGTH, "centimeter", 1e-2},
    {ADAMS_LENGTH, "cm", 1e-2},            {ADAMS_LENGTH, "kilometer", 1e3},   {ADAMS_LENGTH, "km", 1e3},
    {ADAMS_LENGTH, "micrometer", 1e-6},    {ADAMS_LENGTH, "nanometer", 1e-9},  {ADAMS_LENGTH, "inch", 0.0254},
    {ADAMS_LENGTH, "foot", 0.3048},        {ADAMS_LENGTH, "yard", 0.9144},     {ADAMS_LENGTH, "mile", 1609.344},
    {ADAMS_FORCE, "newton", 1},            {ADAMS_FORCE, "n", 1},              {ADAMS_FORCE, "knewton", 1e3},
    {ADAMS_FORCE, "kilonewton", 1e3},      {ADAMS_FORCE, "kn", 1e3},           {ADAMS_FORCE, "meganewton", 1e6},
    {ADAMS_FORCE, "centinewton", 1e-2},    {ADAMS_FORCE, "millinewton", 1e-3}, {ADAMS_FORCE, "micronewton", 1e-6},
    {ADAMS_FORCE, "dyne", 1e-5},           {ADAMS_FORCE, "kgf", GRAVITY},      {ADAMS_FORCE, "kg_force", GRAVITY},
    {ADAMS_FORCE, "kilogram_force", GRAVITY},             {ADAMS_FORCE, "lbf", POUND * GRAVITY},
    {ADAMS_FORCE, "pound_force", POUND * GRAVITY},        {ADAMS_FORCE, "kpound_force", 1e3 * POUND * GRAVITY},
    {ADAMS_FORCE, "ounce_force", POUND / 16 * GRAVITY},   {ADAMS_FORCE, "poundal", POUND * 0.3048},
    {ADAMS_ANGLE, "radians", 1},           {ADAMS_ANGLE, "radian", 1},         {ADAMS_ANGLE, "rad", 1},
    {ADAMS_ANGLE, "degrees", DEGREE},      {ADAMS_ANGLE, "degree", DEGREE},    {ADAMS_ANGLE, "deg", DEGREE},
    {ADAMS_MASS, "kilogram", 1},           {ADAMS_MASS, "kg", 1},              {ADAMS_MASS, "gram", 1e-3},
    {ADAMS_MASS, "milligram", 1e-6},       {ADAMS_MASS, "megagram", 1e3},      {ADAMS_MASS, "tonne", 1e3},
    {ADAMS_MASS, "pound_mass", POUND},     {ADAMS_MASS, "lbm", POUND},         {ADAMS_MASS, "kpound_mass", 1e3 * POUND},
    {ADAMS_MASS, "ounce_mass", POUND / 16},               {ADAMS_MASS, "slug", POUND * GRAVITY / 0.3048},
    {ADAMS_MASS, "slinch", POUND * GRAVITY / 0.0254},
    {ADAMS_TIME, "second", 1},             {ADAMS_TIME, "seconds", 1},         {ADAMS_TIME, "sec", 1},
    {ADAMS_TIME, "s", 1},                  {ADAMS_TIME, "millisecond", 1e-3},  {ADAMS_TIME, "ms", 1e-3},
    {ADAMS_TIME, "microsecond", 1e-6},     {ADAMS_TIME, "nanosecond", 1e-9},   {ADAMS_TIME, "minute", 60},
    {ADAMS_TIME, "hour", 3600},            {ADAMS_TIME, "day", 86400},
    {ADAMS_PRESSURE, "pascal", 1},         {ADAMS_PRESSURE, "pa", 1},          {ADAMS_PRESSURE, "kpa", 1e3},
    {ADAMS_PRESSURE, "bar", 1e5},          {ADAMS_PRESSURE, "psi", 6894.757293168361},
};
// clang-format on


double adams_unit(adamsQuantity quantity, const char *name, baseNearest *nearest)
{
  for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
    if (units[i].quantity != quantity) continue;
    if (ascii_compare(units[i].name, name) == 0) return units[i].size;
    base_consider(nearest, units[i].name);
  }
  return 0;
}
