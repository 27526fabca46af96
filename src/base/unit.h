// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Units and quantities: "N/mm", "30 deg". All values are stored in SI; angles are plain numbers
// (rad = 1).
#ifndef BASE_UNIT_H
#define BASE_UNIT_H

#include "articula/base.h"

//---- dimensions ----------------------------------------------------------------------------------

// kg^kg m^m s^s A^A K^K. With `any` set the dimension is unknown: the value was written without a
// unit, counts as SI, and agrees with everything. Mechanical dimensions omit the last two members.
typedef struct baseDimension {
  signed char kg, m, s;
  signed char any;
  signed char A, K;
} baseDimension;

// A unit: multiply by scale = factor * 10^ten to convert to SI. Powers of ten are stored separately
// so that unit_to_si rounds only once: 0.3 mm is 0.3/1000, not 0.3*0.001.
typedef struct baseUnit {
  double scale;
  double factor;
  int ten;
  baseDimension dimension;
} baseUnit;

// Convert x to SI.
double unit_to_si(double x, baseUnit unit);

#define UNIT_ANY          ((baseDimension){.any = 1})
#define UNIT_NUMBER       ((baseDimension){.kg = 0, .m = 0, .s = 0}) // also angles
#define UNIT_LENGTH       ((baseDimension){.kg = 0, .m = 1, .s = 0})
#define UNIT_VELOCITY     ((baseDimension){.kg = 0, .m = 1, .s = -1})
#define UNIT_ACCELERATION ((baseDimension){.kg = 0, .m = 1, .s = -2})
#define UNIT_MASS         ((baseDimension){.kg = 1, .m = 0, .s = 0})
#define UNIT_TIME         ((baseDimension){.kg = 0, .m = 0, .s = 1})
#define UNIT_FORCE        ((baseDimension){.kg = 1, .m = 1, .s = -2})
#define UNIT_TORQUE       ((baseDimension){.kg = 1, .m = 2, .s = -2}) // also energy, torsional stiffness

// Are the dimensions equal? `any` agrees with everything.
int unit_agree(baseDimension a, baseDimension b);

// Dimension of a product (sign = 1) or quotient (sign = -1); `any` with anything stays `any`.
// Exponents saturate at +-UNIT_LARGEST.
enum { UNIT_LARGEST = 60 };
baseDimension unit_product(baseDimension a, baseDimension b, int sign);

//---- names, for messages and column headings -----------------------------------------------------

enum { UNIT_NAME_LENGTH = 64 };

// SI name: "N/m", "kg m^2", "1/s"; "1" for a number, "" for `any`. Returns the buffer.
const char *unit_name(baseDimension dimension, char buffer[UNIT_NAME_LENGTH]);

// For sentences: "a length in m", "a plain number", "a quantity in kg^2 m". Returns the buffer.
const char *unit_describe(baseDimension dimension, char buffer[UNIT_NAME_LENGTH]);

//---- text to units -------------------------------------------------------------------------------

// Parse a complete unit: names with SI prefixes, products (`*` or a space), quotients, integer
// powers, parentheses: "N*m/rad", "kg m^2", "1/s", "km/h". `place` is the place of text[0];
// messages point at the offending character.
artStatus unit_parse(baseUnit *unit, const char *text, artPlace place, artError *error);

// The same for the first `length` bytes of the text.
artStatus unit_parse_n(baseUnit *unit, const char *text, size_t length, artPlace place,
                       artError *error);

// Parse a quantity: a decimal number and an optional unit ("25 N/mm", "-2.5 kg", "1e-3"). The value
// is returned in SI and must agree with the expected dimension; a bare number always does. `found`
// (may be NULL) receives the dimension, UNIT_ANY for a bare number. nan, inf, hexadecimal numbers
// and overflow are errors.
artStatus unit_parse_quantity(double *value, baseDimension *found, const char *text, artPlace place,
                              baseDimension expected, artError *error);

// Parse the decimal number (digits, point, exponent; no sign, nan, inf or hexadecimal) at the start
// of the text. Returns its length in bytes, 0 when there is none, -1 when it overflows a double.
int unit_scan_number(const char *text, double *value);

// Length in bytes of the first UTF-8 character of a nonempty text, to quote it as a whole.
int unit_character(const char *text);

// base_fail for an error `offset` bytes into a text located at `place`. Without a file, the message
// quotes the text and counts columns in it.
artStatus unit_fail_at(artError *error, artPlace place, const char *text, size_t length,
                       size_t offset, const char *format, ...) ART_PRINTF(6, 7);

#endif
