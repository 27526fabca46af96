// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Units and quantities: values to the last bit, names, and the messages for what is wrong.
#include <math.h>

#include "base/unit.h"
#include "support/check.h"

#define PI 3.14159265358979323846

static const artPlace place = {"car.yaml", 4, 10};


TEST(units_have_their_si_scale_and_dimension)
{
  static const struct {
    const char *text;
    double scale;
    int kg, m, s;
  } cases[] = {
      {"m", 1, 0, 1, 0},
      {"mm", 1e-3, 0, 1, 0},
      {"mm^3", 1e-9, 0, 3, 0},
      {"cm^4", 1e-8, 0, 4, 0},
      {"N/mm", 1e3, 1, 0, -2},
      {"kg*m^2", 1, 1, 2, 0},
      {"kg m^2", 1, 1, 2, 0},
      {"kg\xc2\xb7m\xc2\xb2", 1, 1, 2, 0},
      {"g/cm^3", 1e3, 1, -3, 0},
      {"N*m/rad", 1, 1, 2, -2},
      {"N m", 1, 1, 2, -2},
      {"kNm", 1e3, 1, 2, -2},
      {"m/s^2", 1, 0, 1, -2},
      {"m s^-2", 1, 0, 1, -2},
      {"m/s/s", 1, 0, 1, -2},
      {"N/(m/s)", 1, 1, 0, -1},
      {"(N s)^2/m", 1, 2, 1, -2},
      {"1/s", 1, 0, 0, -1},
      {"1", 1, 0, 0, 0},
      {"Hz", 1, 0, 0, -1},
      {"km/h", 1 / 3.6, 0, 1, -1},
      {"g", 1e-3, 1, 0, 0},
      {"kg", 1, 1, 0, 0},
      {"t", 1e3, 1, 0, 0},
      {"deg/s", PI / 180, 0, 0, -1},
      {"rpm", 2 * PI / 60, 0, 0, -1},
      {"rev/min", 2 * PI / 60, 0, 0, -1},
      {"\xc2\xb0", PI / 180, 0, 0, 0},
      {"J", 1, 1, 2, -2},
      {"kW", 1e3, 1, 2, -3},
      {"MPa", 1e6, 1, -1, -2},
      {"bar", 1e5, 1, -1, -2},
      {"mbar", 100, 1, -1, -2},
      {"daN", 10, 1, 1, -2},
      {"ms", 1e-3, 0, 0, 1},
      {"us", 1e-6, 0, 0, 1},
      {"\xc2\xb5m", 1e-6, 0, 1, 0},
      {"min", 60, 0, 0, 1},
      {"h", 3600, 0, 0, 1},
      {"lbf", 4.4482216152605, 1, 1, -2},
      {"in", 0.0254, 0, 1, 0},
      {"ft", 0.3048, 0, 1, 0},
      {"lb", 0.45359237, 1, 0, 0},
      {"lbf/in", 175.12683524647636, 1, 0, -2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    baseUnit unit;
    if (!CHECK(unit_parse(&unit, cases[i].text, place, NULL) == ART_OK)) continue;
    CHECK_CLOSE_REL(unit.scale, cases[i].scale, 3e-16);
    CHECK_EQ_INT(unit.dimension.kg, cases[i].kg);
    CHECK_EQ_INT(unit.dimension.m, cases[i].m);
    CHECK_EQ_INT(unit.dimension.s, cases[i].s);
    CHECK_EQ_INT(unit.dimension.any, 0);
  }
}


TEST(quantities_come_in_si_with_one_rounding)
{
  static const struct {
    const char *text;
    double value;
    baseDimension dimension;
  } cases[] = {
      {"30 deg", 30 * PI / 180, {0, 0, 0, 0, 0, 0}},
      {"25 N/mm", 25e3, {1, 0, -2, 0, 0, 0}},
      {"1e-3", 1e-3, {0, 0, 0, 1, 0, 0}},
      {" -2.5 kg ", -2.5, {1, 0, 0, 0, 0, 0}},
      {"+.5m", 0.5, {0, 1, 0, 0, 0, 0}},
      {"0.3 mm", 0.0003, {0, 1, 0, 0, 0, 0}},
      {"1.1 us", 1.1e-6, {0, 0, 1, 0, 0, 0}},
      {"7.3 mm^2", 7.3 / 1e6, {0, 2, 0, 0, 0, 0}},
      {"5.7 GPa", 5.7e9, {1, -1, -2, 0, 0, 0}},
      {"12.", 12, {0, 0, 0, 1, 0, 0}},
      {"36 km/h", 10, {0, 1, -1, 0, 0, 0}},
      {"1E2 N", 100, {1, 1, -2, 0, 0, 0}},
      {"-0", 0, {0, 0, 0, 1, 0, 0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double value = NAN;
    baseDimension found;
    if (!CHECK(unit_parse_quantity(&value, &found, cases[i].text, place, UNIT_ANY, NULL) ==
               ART_OK)) {
      continue;
    }
    CHECK_CLOSE_REL(value, cases[i].value, 0);
    CHECK(memcmp(&found, &cases[i].dimension, sizeof found) == 0);
  }
}


TEST(wrong_texts_are_refused_with_the_column)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"nan", "car.yaml:4:10: found 'nan', expected a finite number such as 2.5 or 25 N/mm"},
      {"-inf", "car.yaml:4:11: found 'inf', expected a finite number such as 2.5 or 25 N/mm"},
      {"", "car.yaml:4:10: found nothing, expected a number"},
      {"0x1p3", "car.yaml:4:10: found a hexadecimal number, expected a decimal one"},
      {"1,5 m", "car.yaml:4:11: found ',', expected a unit; decimals take a point"},
      {"1e999", "car.yaml:4:10: the number is too large or too long"},
      {"1e300 Gm^9", "car.yaml:4:10: the quantity is too large"},
      {"3 metre", "car.yaml:4:12: unknown unit 'metre' (did you mean 'm'?)"},
      {"3 Kg", "car.yaml:4:12: unknown unit 'Kg' (did you mean 'kg'?)"},
      {"3 dge", "car.yaml:4:12: unknown unit 'dge' (did you mean 'deg'?)"},
      {"3 Ns/m", "car.yaml:4:12: unknown unit 'Ns' (did you mean 'N s'?)"},
      {"3 m2", "car.yaml:4:13: found '2' after a unit, expected a power as in m^2"},
      {"3 N/", "car.yaml:4:14: the unit ends here, expected the name of a unit such as mm or N"},
      {"3 N//m", "car.yaml:4:14: found '/' in a unit, expected the name of a unit such as mm or N"},
      {"3 m^x", "car.yaml:4:14: found 'x' in a unit, expected an integer power as in m^2"},
      {"3 m^22", "car.yaml:4:14: the power of a unit is too large, expected at most 9"},
      {"3 (m", "car.yaml:4:14: the unit ends here, expected ')'"},
      {"3 m ?", "car.yaml:4:14: found '?' in a unit, expected the end of the quantity"},
      {"3 m \xe2\x82\xac", "car.yaml:4:14: unknown unit '\xe2\x82\xac'"},
      {"1 2", "car.yaml:4:12: found '2' in a unit, expected the name of a unit such as mm or N"},
      {"(m)^9*(m)^9*(m^9)^9", "car.yaml:4:10: found '(m)^9*(m)^9*(m^9)^9', expected a finite "
                              "number such as 2.5 or 25 N/mm"},
      {"1 (m^9)^9", "car.yaml:4:12: the unit grows too large here"},
      {"1 ((((((((((((((((((((((m", "car.yaml:4:32: too many nested parentheses in a unit"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double value;
    CHECK_SAYS(unit_parse_quantity(&value, NULL, cases[i].text, place, UNIT_ANY, &check_error),
               ART_BAD_INPUT, cases[i].message);
  }
}


TEST(a_quantity_of_the_wrong_kind_is_refused)
{
  double value;
  CHECK_SAYS(unit_parse_quantity(&value, NULL, "25 N/mm", place, UNIT_LENGTH, &check_error),
             ART_BAD_INPUT, "car.yaml:4:13: found a stiffness in N/m, expected a length in m");
  CHECK_SAYS(unit_parse_quantity(&value, NULL, "3 m", place, UNIT_NUMBER, &check_error),
             ART_BAD_INPUT, "car.yaml:4:12: found a length in m, expected a plain number");
  CHECK_WORKS(unit_parse_quantity(&value, NULL, "3", place, UNIT_LENGTH, &check_error));
}


TEST(without_a_file_the_message_quotes_the_text)
{
  baseUnit unit;
  CHECK_SAYS(unit_parse(&unit, "N/mmm", (artPlace){0}, &check_error), ART_BAD_INPUT,
             "'N/mmm', column 3: unknown unit 'mmm' (did you mean 'm mm'?)");
}


TEST(dimensions_have_names)
{
  static const struct {
    baseDimension dimension;
    const char *name, *described;
  } cases[] = {
      {{0, 0, 0, 1, 0, 0}, "", "a value of any unit"},
      {{0, 0, 0, 0, 0, 0}, "1", "a plain number"},
      {{1, 0, -2, 0, 0, 0}, "N/m", "a stiffness in N/m"},
      {{1, 2, 0, 0, 0, 0}, "kg m^2", "a moment of inertia in kg m^2"},
      {{0, 0, -1, 0, 0, 0}, "1/s", "a rate in 1/s"},
      {{2, 1, 0, 0, 0, 0}, "kg^2 m", "a quantity in kg^2 m"},
      {{1, 1, -3, 0, 0, 0}, "kg m/s^3", "a quantity in kg m/s^3"},
      {{1, -2, -3, 0, 0, 0}, "kg/(m^2 s^3)", "a quantity in kg/(m^2 s^3)"},
      {{0, -1, 0, 0, 0, 0}, "1/m", "a quantity in 1/m"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char buffer[UNIT_NAME_LENGTH];
    CHECK_TEXT(unit_name(cases[i].dimension, buffer), cases[i].name);
    CHECK_TEXT(unit_describe(cases[i].dimension, buffer), cases[i].described);
  }
}


TEST(names_parse_back_to_their_dimension)
{
  for (int code = 0; code < 7 * 7 * 7; code++) {
    const baseDimension dimension = {(signed char) (code % 7 - 3),
                                     (signed char) (code / 7 % 7 - 3),
                                     (signed char) (code / 49 - 3),
                                     0,
                                     0,
                                     0};
    char buffer[UNIT_NAME_LENGTH];
    baseUnit unit;
    if (!CHECK(unit_parse(&unit, unit_name(dimension, buffer), place, NULL) == ART_OK)) continue;
    CHECK(unit_agree(unit.dimension, dimension));
    CHECK(unit.scale == 1);
  }
}
