// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Units and quantities: names, prefixes, products, and numbers with units.
#include "base/unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/format.h"

#define PI 3.14159265358979323846

//---- known units ---------------------------------------------------------------------------------

typedef struct unitEntry {
  const char *name;
  double factor; // in SI: factor * 10^ten
  int ten;
  signed char kg, m, s;
  int takes_prefix;
  signed char A, K;
} unitEntry;

// clang-format off
static const unitEntry units[] = {
    {"m",   1, 0,   0, 1, 0,  1, 0, 0},   {"g",   1, -3,  1, 0, 0,  1, 0, 0},   {"s",   1, 0,   0, 0, 1,  1, 0, 0},
    {"N",   1, 0,   1, 1, -2, 1, 0, 0},   {"Nm",  1, 0,   1, 2, -2, 1, 0, 0},   {"J",   1, 0,   1, 2, -2, 1, 0, 0},
    {"W",   1, 0,   1, 2, -3, 1, 0, 0},   {"Pa",  1, 0,   1, -1, -2, 1, 0, 0},  {"bar", 1, 5,   1, -1, -2, 1, 0, 0},
    {"Hz",  1, 0,   0, 0, -1, 1, 0, 0},   {"rad", 1, 0,   0, 0, 0,  1, 0, 0},   {"t",   1, 3,   1, 0, 0,  0, 0, 0},
    {"min", 6, 1,   0, 0, 1,  0, 0, 0},   {"h",   36, 2,  0, 0, 1,  0, 0, 0},   {"deg", PI / 180, 0, 0, 0, 0, 0, 0, 0},
    {"\xc2\xb0", PI / 180, 0, 0, 0, 0, 0, 0, 0},          {"rev", 2 * PI, 0, 0, 0, 0, 0, 0, 0},
    {"rpm", 2 * PI / 60, 0, 0, 0, -1, 0, 0, 0},           {"in",  254, -4,  0, 1, 0, 0, 0, 0},
    {"ft",  3048, -4, 0, 1, 0, 0, 0, 0},                  {"lb",  45359237, -8, 1, 0, 0, 0, 0, 0},
    {"lbf", 44482216152605.0, -13, 1, 1, -2, 0, 0, 0},
    {"A",   1, 0,   0, 0, 0,  1, 1, 0},             {"K",   1, 0,   0, 0, 0,  1, 0, 1},
    {"V",   1, 0,   1, 2, -3, 1, -1, 0},            {"Ohm", 1, 0,   1, 2, -3, 1, -2, 0},
    {"C",   1, 0,   0, 0, 1,  1, 1, 0},             {"F",   1, 0,   -1, -2, 4, 1, 2, 0},
    {"H",   1, 0,   1, 2, -2, 1, -2, 0},            {"Wb",  1, 0,   1, 2, -2, 1, -1, 0},
    {"T",   1, 0,   1, 0, -2, 1, -1, 0},            {"S",   1, 0,   -1, -2, 3, 1, 2, 0},
};

static const struct { const char *name; int ten; } prefixes[] = {
    {"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"m", -3}, {"c", -2}, {"d", -1},
    {"da", 1}, {"h", 2}, {"k", 3}, {"M", 6}, {"G", 9},
};

// names of dimensions; the first match is used
static const struct { signed char kg, m, s; const char *name, *kind; signed char A, K; } kinds[] = {
    {0, 0, 0, "1", NULL, 0, 0},             {0, 1, 0, "m", "a length", 0, 0},
    {0, 2, 0, "m^2", "an area", 0, 0},      {0, 3, 0, "m^3", "a volume", 0, 0},
    {0, 1, -1, "m/s", "a velocity", 0, 0},  {0, 1, -2, "m/s^2", "an acceleration", 0, 0},
    {1, 0, 0, "kg", "a mass", 0, 0},        {1, 2, 0, "kg m^2", "a moment of inertia", 0, 0},
    {0, 0, 1, "s", "a time", 0, 0},         {0, 0, -1, "1/s", "a rate", 0, 0},
    {0, 0, -2, "1/s^2", "an angular acceleration", 0, 0},
    {1, 1, -2, "N", "a force", 0, 0},       {1, 2, -2, "N m", "a torque or an energy", 0, 0},
    {1, 2, -3, "W", "a power", 0, 0},       {1, 0, -2, "N/m", "a stiffness", 0, 0},
    {1, 0, -1, "N s/m", "a damping", 0, 0}, {1, 2, -1, "N m s", "an angular damping or momentum", 0, 0},
    {1, 1, -1, "N s", "a momentum", 0, 0},  {1, -1, -2, "Pa", "a pressure", 0, 0},
    {1, -3, 0, "kg/m^3", "a density", 0, 0},
    {0, 0, 0, "A", "a current", 1, 0},
    {0, 0, 0, "K", "a temperature", 0, 1},
    {1, 2, -3, "V", "a voltage", -1, 0},
    {1, 2, -3, "Ohm", "a resistance", -2, 0},
    {0, 0, 1, "C", "a charge", 1, 0},
    {-1, -2, 4, "F", "a capacitance", 2, 0},
    {1, 2, -2, "H", "an inductance", -2, 0},
    {1, 2, -2, "Wb", "a magnetic flux", -1, 0},
};
// clang-format on

#define COUNT(array) ((int) (sizeof(array) / sizeof((array)[0])))

//---- dimensions ----------------------------------------------------------------------------------


static int same_dimension(baseDimension a, baseDimension b)
{
  return a.kg == b.kg && a.m == b.m && a.s == b.s && a.A == b.A && a.K == b.K;
}


int unit_agree(baseDimension a, baseDimension b)
{
  return a.any || b.any || same_dimension(a, b);
}


static signed char saturate_exponent(int exponent)
{
  if (exponent > UNIT_LARGEST) return UNIT_LARGEST;
  if (exponent < -UNIT_LARGEST) return -UNIT_LARGEST;
  return (signed char) exponent;
}


baseDimension unit_product(baseDimension a, baseDimension b, int sign)
{
  ART_ASSERT(sign == 1 || sign == -1);
  if (a.any || b.any) return UNIT_ANY;
  return (baseDimension){.kg = saturate_exponent(a.kg + sign * b.kg),
                         .m = saturate_exponent(a.m + sign * b.m),
                         .s = saturate_exponent(a.s + sign * b.s),
                         .A = saturate_exponent(a.A + sign * b.A),
                         .K = saturate_exponent(a.K + sign * b.K)};
}


// the first entry of the list with this dimension; -1: none
static int find_dimension_kind(baseDimension d)
{
  for (int i = 0; i < COUNT(kinds); i++) {
    const baseDimension own = {kinds[i].kg, kinds[i].m, kinds[i].s, 0, kinds[i].A, kinds[i].K};
    if (same_dimension(d, own)) return i;
  }
  return -1;
}


// append the units whose exponents have this sign, as "kg^2 m"
static void append_powers(char *buffer, baseDimension d, int sign)
{
  const struct {
    const char *base;
    int exponent;
  } all[] = {{"kg", sign * d.kg},
             {"m", sign * d.m},
             {"s", sign * d.s},
             {"A", sign * d.A},
             {"K", sign * d.K}};
  for (int i = 0; i < COUNT(all); i++) {
    const size_t used = strlen(buffer);
    const char *gap = used && buffer[used - 1] != '/' && buffer[used - 1] != '(' ? " " : "";
    if (all[i].exponent <= 0) continue;
    base_append(buffer, UNIT_NAME_LENGTH, "%s%s", gap, all[i].base);
    if (all[i].exponent > 1) base_append(buffer, UNIT_NAME_LENGTH, "^%d", all[i].exponent);
  }
}


const char *unit_name(baseDimension d, char buffer[UNIT_NAME_LENGTH])
{
  const int kind = find_dimension_kind(d);
  const int divisors = (d.kg < 0) + (d.m < 0) + (d.s < 0) + (d.A < 0) + (d.K < 0);
  buffer[0] = '\0';
  if (d.any || kind >= 0) {
    snprintf(buffer, UNIT_NAME_LENGTH, "%s", d.any ? "" : kinds[kind].name);
    return buffer;
  }

  // no name: numerator units, then denominator units
  append_powers(buffer, d, 1);
  base_append(buffer, UNIT_NAME_LENGTH, "%s%s", buffer[0] ? "" : "1",
              divisors > 1 ? "/("
              : divisors   ? "/"
                           : "");
  append_powers(buffer, d, -1);
  if (divisors > 1) base_append(buffer, UNIT_NAME_LENGTH, ")");
  return buffer;
}


const char *unit_describe(baseDimension dimension, char buffer[UNIT_NAME_LENGTH])
{
  char name[UNIT_NAME_LENGTH];
  const int number = find_dimension_kind(dimension);
  const char *kind = number >= 0 ? kinds[number].kind : "a quantity";
  if (dimension.any || !kind) {
    snprintf(buffer, UNIT_NAME_LENGTH, "%s",
             dimension.any ? "a value of any unit" : "a plain number");
  } else {
    snprintf(buffer, UNIT_NAME_LENGTH, "%s in %s", kind, unit_name(dimension, name));
  }
  return buffer;
}

//---- located messages ----------------------------------------------------------------------------


int unit_character(const char *text)
{
  int n = 1;
  while (n < 4 && ((unsigned char) text[n] & 0xc0) == 0x80) n++;
  return n;
}


artStatus unit_fail_at(artError *error, artPlace place, const char *text, size_t length,
                       size_t offset, const char *format, ...)
{
  ART_ASSERT(offset <= length);
  enum { MAX_QUOTED = 60 };
  char message[ART_ERROR_LENGTH];
  va_list args;
  va_start(args, format);
  format_text_list(message, sizeof message, format, args);
  va_end(args);

  place.column += (int) offset;
  if (place.file) return base_fail(error, ART_BAD_INPUT, place, "%s", message);
  return base_fail(error, ART_BAD_INPUT, place, "'%.*s%s', column %d: %s",
                   length > MAX_QUOTED ? MAX_QUOTED : (int) length, text,
                   length > MAX_QUOTED ? "..." : "", (int) offset + 1, message);
}

//---- numbers -------------------------------------------------------------------------------------


static int count_digits(const char *text)
{
  int n = 0;
  while (text[n] >= '0' && text[n] <= '9') n++;
  return n;
}


// length in bytes of a decimal number, 0 when there is none
static int number_length(const char *text)
{
  int n = count_digits(text), ndigit = n;
  if (text[n] == '.') {
    const int fraction = count_digits(text + n + 1);
    ndigit += fraction;
    n += 1 + fraction;
  }
  if (ndigit == 0) return 0;
  if (text[n] == 'e' || text[n] == 'E') {
    const int sign = text[n + 1] == '+' || text[n + 1] == '-';
    const int exponent = count_digits(text + n + 1 + sign);
    if (exponent > 0) n += 1 + sign + exponent;
  }
  return n;
}


int unit_scan_number(const char *text, double *value)
{
  enum { MAX_NUMBER_LENGTH = 400 };
  const int length = number_length(text);
  if (length == 0) return 0;
  if (length > MAX_NUMBER_LENGTH) return -1;

  // copy the decimal number, because format_read would accept more, as in 0x1
  char copy[MAX_NUMBER_LENGTH + 1];
  memcpy(copy, text, (size_t) length);
  copy[length] = '\0';
  *value = format_read(copy, NULL);
  return isfinite(*value) ? length : -1;
}

//---- unit texts ----------------------------------------------------------------------------------

typedef struct unitReader {
  const char *text;
  size_t length, at;
  artPlace place;
  artError *error;
  int nesting;
} unitReader;

enum { MAX_NESTING = 20, MAX_POWER_OF_TEN = 300 };


static double power_of_ten(int n)
{
  ART_ASSERT(n >= 0);
  // exact up to 1e22, correctly rounded above
  static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  return n < COUNT(exact) ? exact[n] : pow(10, n);
}


double unit_to_si(double x, baseUnit unit)
{
  if (unit.ten < 0) return x * unit.factor / power_of_ten(-unit.ten);
  return x * unit.factor * power_of_ten(unit.ten);
}


static int is_name_byte(const unitReader *r, size_t at)
{
  if (at >= r->length) return 0;
  const unsigned char c = (unsigned char) r->text[at];
  const unsigned char next = at + 1 < r->length ? (unsigned char) r->text[at + 1] : 0;
  // the middle dot and the superscripts 2 and 3 are operators
  if (c == 0xc2 && (next == 0xb7 || next == 0xb2 || next == 0xb3)) return 0;
  return ascii_is_letter(c) || c >= 0x80;
}


static void skip_unit_space(unitReader *r)
{
  while (r->at < r->length && strchr(" \t\r\n", r->text[r->at]) && r->text[r->at]) r->at++;
}


// consume the sequence if it is next
static int take_unit_sequence(unitReader *r, const char *sequence)
{
  const size_t n = strlen(sequence);
  if (r->length - r->at < n || memcmp(r->text + r->at, sequence, n) != 0) return 0;
  r->at += n;
  return 1;
}


static const unitEntry *find_unit_entry(const char *name, size_t length, int want_prefix)
{
  for (int i = 0; i < COUNT(units); i++) {
    if (want_prefix && !units[i].takes_prefix) continue;
    if (strlen(units[i].name) == length && !memcmp(units[i].name, name, length)) return &units[i];
  }
  return NULL;
}


// find a unit by name, with or without prefix
static int find_unit(const char *name, size_t length, baseUnit *unit)
{
  int ten = 0;
  const unitEntry *entry = find_unit_entry(name, length, 0);
  for (int i = 0; !entry && i < COUNT(prefixes); i++) {
    const size_t n = strlen(prefixes[i].name);
    if (length <= n || memcmp(prefixes[i].name, name, n) != 0) continue;
    entry = find_unit_entry(name + n, length - n, 1);
    ten = prefixes[i].ten;
  }
  if (!entry) return 0;
  *unit = (baseUnit){.factor = entry->factor,
                     .ten = entry->ten + ten,
                     .dimension = {entry->kg, entry->m, entry->s, 0, entry->A, entry->K}};
  return 1;
}


// a common spelled-out name; "Ns" is written "N s"; else the nearest name
static const char *unit_hint(const char *name, size_t length, char buffer[BASE_HINT_LENGTH])
{
  static const char *const others[] = {"kg", "mm", "cm",  "km", "ms",
                                       "us", "kN", "kHz", "kW", "km/h"};
  char word[32];
  baseUnit unused;
  buffer[0] = '\0';
  if (length >= sizeof word) return buffer;
  snprintf(word, sizeof word, "%.*s", (int) length, name);
  baseNearest nearest = {.word = word, .context = "unit"};
  for (int i = 0; i < COUNT(units); i++) base_consider(&nearest, units[i].name);
  for (int i = 0; i < COUNT(others); i++) base_consider(&nearest, others[i]);
  const int is_foreign = nearest.best && nearest.distance < 0;
  for (size_t i = 1; i < length && !is_foreign; i++) {
    if (!find_unit(name, i, &unused) || !find_unit(name + i, length - i, &unused)) continue;
    snprintf(buffer, BASE_HINT_LENGTH, " (did you mean '%.*s %s'?)", (int) i, name, word + i);
    return buffer;
  }
  return base_hint(&nearest, buffer);
}


#define FAIL(r, offset, ...)                                                                       \
  unit_fail_at((r)->error, (r)->place, (r)->text, (r)->length, offset, __VA_ARGS__)

static artStatus read_unit_product(unitReader *r, baseUnit *unit);


static artStatus fail_found_in_unit(unitReader *r, const char *expected)
{
  if (r->at >= r->length) return FAIL(r, r->at, "the unit ends here, expected %s", expected);
  return FAIL(r, r->at, "found '%.*s' in a unit, expected %s", unit_character(r->text + r->at),
              r->text + r->at, expected);
}


static artStatus read_name(unitReader *r, baseUnit *unit)
{
  const size_t start = r->at;
  while (is_name_byte(r, r->at)) r->at++;
  const size_t length = r->at - start;
  if (length == 0) return fail_found_in_unit(r, "the name of a unit such as mm or N");
  if (!find_unit(r->text + start, length, unit)) {
    char hint[BASE_HINT_LENGTH];
    return FAIL(r, start, "unknown unit '%.*s'%s", length > 40 ? 40 : (int) length, r->text + start,
                unit_hint(r->text + start, length, hint));
  }
  if (r->at < r->length && ascii_is_digit((unsigned char) r->text[r->at])) {
    return FAIL(r, r->at, "found '%c' after a unit, expected a power as in m^2", r->text[r->at]);
  }
  return ART_OK;
}


// a name, the number 1, or a unit in parentheses
static artStatus read_unit_base(unitReader *r, baseUnit *unit)
{
  const size_t start = r->at;
  if (take_unit_sequence(r, "1")) {
    *unit = (baseUnit){.factor = 1};
    if (r->at < r->length && ascii_is_digit((unsigned char) r->text[r->at])) {
      return FAIL(r, start, "found a number in a unit, expected the name of a unit");
    }
    return ART_OK;
  }
  if (!take_unit_sequence(r, "(")) return read_name(r, unit);

  if (++r->nesting > MAX_NESTING) return FAIL(r, start, "too many nested parentheses in a unit");
  const artStatus status = read_unit_product(r, unit);
  if (status) return status;
  r->nesting--;
  return take_unit_sequence(r, ")") ? ART_OK : fail_found_in_unit(r, "')'");
}


// parse an optional exponent; 1 if there is none
static artStatus read_exponent(unitReader *r, int *exponent)
{
  *exponent = 1;
  if (take_unit_sequence(r, "\xc2\xb2")) *exponent = 2;
  if (take_unit_sequence(r, "\xc2\xb3")) *exponent = 3;
  if (!take_unit_sequence(r, "^")) return ART_OK;

  const int sign = take_unit_sequence(r, "-") ? -1 : 1;
  if (r->at >= r->length || !ascii_is_digit((unsigned char) r->text[r->at])) {
    return fail_found_in_unit(r, "an integer power as in m^2");
  }
  *exponent = sign * (r->text[r->at++] - '0');
  if (r->at < r->length && ascii_is_digit((unsigned char) r->text[r->at])) {
    return FAIL(r, r->at - 1, "the power of a unit is too large, expected at most 9");
  }
  return ART_OK;
}


// unit = unit * factor^exponent
static artStatus multiply_unit(unitReader *r, baseUnit *unit, baseUnit factor, int exponent,
                               size_t start)
{
  for (int i = 0; i < abs(exponent); i++) {
    unit->factor = exponent > 0 ? unit->factor * factor.factor : unit->factor / factor.factor;
    unit->ten += exponent > 0 ? factor.ten : -factor.ten;
    unit->dimension = unit_product(unit->dimension, factor.dimension, exponent > 0 ? 1 : -1);
  }
  const baseDimension d = unit->dimension;
  const int too_large = abs(d.kg) >= UNIT_LARGEST || abs(d.m) >= UNIT_LARGEST ||
                        abs(d.s) >= UNIT_LARGEST || abs(d.A) >= UNIT_LARGEST ||
                        abs(d.K) >= UNIT_LARGEST || abs(unit->ten) > MAX_POWER_OF_TEN;
  if (too_large || !(unit->factor < 1e100 && unit->factor > 1e-100)) {
    return FAIL(r, start, "the unit grows too large here");
  }
  return ART_OK;
}


// parse factors joined by `*`, a space or the middle dot, and divisors after `/`
static artStatus read_unit_product(unitReader *r, baseUnit *unit)
{
  *unit = (baseUnit){.factor = 1};
  int sign = 1;
  for (;;) {
    skip_unit_space(r);
    const size_t start = r->at;
    baseUnit factor;
    int exponent;
    artStatus status = read_unit_base(r, &factor);
    if (!status) status = read_exponent(r, &exponent);
    if (!status) status = multiply_unit(r, unit, factor, sign * exponent, start);
    if (status) return status;

    skip_unit_space(r);
    sign = take_unit_sequence(r, "/") ? -1 : 1;
    const int joined = sign < 0 || take_unit_sequence(r, "*") || take_unit_sequence(r, "\xc2\xb7");
    if (!joined && !is_name_byte(r, r->at)) return ART_OK;
  }
}


artStatus unit_parse_n(baseUnit *unit, const char *text, size_t length, artPlace place,
                       artError *error)
{
  unitReader r = {.text = text, .length = length, .place = place, .error = error};
  const artStatus status = read_unit_product(&r, unit);
  if (status) return status;
  if (r.at < r.length) return fail_found_in_unit(&r, "'*', '/', '^' or the end of the unit");
  unit->scale = unit_to_si(1, *unit);
  return ART_OK;
}


artStatus unit_parse(baseUnit *unit, const char *text, artPlace place, artError *error)
{
  return unit_parse_n(unit, text, strlen(text), place, error);
}

//---- quantities ----------------------------------------------------------------------------------


// parse the signed number before the unit
static artStatus read_quantity_number(unitReader *r, double *number)
{
  skip_unit_space(r);
  const double sign = take_unit_sequence(r, "-") ? -1 : (take_unit_sequence(r, "+"), 1);
  const int length = unit_scan_number(r->text + r->at, number);
  if (length == 0) {
    size_t n = 0;
    while (n < 20 && r->at + n < r->length && !ascii_is_space((unsigned char) r->text[r->at + n]))
      n++;
    if (n == 0 && r->at >= r->length) return FAIL(r, r->at, "found nothing, expected a number");
    return FAIL(r, r->at, "found '%.*s', expected a finite number such as 2.5 or 25 N/mm", (int) n,
                r->text + r->at);
  }
  if (length < 0) return FAIL(r, r->at, "the number is too large or too long");

  *number *= sign;
  const size_t start = r->at;
  r->at += (size_t) length;
  const char next = r->text[r->at];
  const int is_zero = length == 1 && r->text[start] == '0';
  if (is_zero && (next == 'x' || next == 'X')) {
    return FAIL(r, start, "found a hexadecimal number, expected a decimal one");
  }
  if (next == ',') return FAIL(r, r->at, "found ',', expected a unit; decimals take a point");
  return ART_OK;
}


artStatus unit_parse_quantity(double *value, baseDimension *found, const char *text, artPlace place,
                              baseDimension expected, artError *error)
{
  unitReader r = {.text = text, .length = strlen(text), .place = place, .error = error};
  baseUnit unit = {.factor = 1, .dimension = UNIT_ANY};
  double number;
  artStatus status = read_quantity_number(&r, &number);
  if (status) return status;

  skip_unit_space(&r);
  const size_t start = r.at;
  if (r.at < r.length) {
    status = read_unit_product(&r, &unit);
    if (!status && r.at < r.length) status = fail_found_in_unit(&r, "the end of the quantity");
    if (status) return status;
  }
  if (!unit_agree(unit.dimension, expected)) {
    char is[UNIT_NAME_LENGTH], wanted[UNIT_NAME_LENGTH];
    return FAIL(&r, start, "found %s, expected %s", unit_describe(unit.dimension, is),
                unit_describe(expected, wanted));
  }

  *value = unit_to_si(number, unit);
  if (!isfinite(*value)) return FAIL(&r, 0, "the quantity is too large");
  if (found) *found = unit.dimension;
  return ART_OK;
}
