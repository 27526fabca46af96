// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas: grammar, dimensions, messages, derivatives, switching.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/formula/formula.h"
#include "support/check.h"
#include "support/heap.h"

#define PI 3.14159265358979323846

//---- a scope for the tests -----------------------------------------------------------------------

static const struct {
  const char *name;
  formulaSymbol symbol;
} names[] = {
    {"L", {.is_constant = 1, .value = 2, .dimension = {0, 1, 0, 0, 0, 0}}},
    {"m", {.is_constant = 1, .value = 3, .dimension = {1, 0, 0, 0, 0, 0}}},
    {"k", {.is_constant = 1, .value = 100, .dimension = {0, 0, 0, 1, 0, 0}}},
    {"omega", {.is_constant = 1, .value = 5, .dimension = {0, 0, 0, 1, 0, 0}}},
    {"tau", {.is_constant = 1, .value = 4, .dimension = {0, 0, 0, 1, 0, 0}}},
    {"time", {.slot = 0, .dimension = {0, 0, 1, 0, 0, 0}}},
    {"x", {.slot = 1, .dimension = {0, 0, 0, 1, 0, 0}}},
    {"y", {.slot = 2, .dimension = {0, 0, 0, 1, 0, 0}}},
    {"pin.angle", {.slot = 3, .dimension = {0, 0, 0, 0, 0, 0}}},
    {"pin.rate", {.slot = 4, .dimension = {0, 0, -1, 0, 0, 0}}},
    {"crank.tip.x", {.slot = 5, .dimension = {0, 1, 0, 0, 0, 0}}},
    {"front/left-pin.rate", {.slot = 6, .dimension = {0, 0, -1, 0, 0, 0}}},
};

enum { NNAME = sizeof names / sizeof names[0], NSLOT = 7, ROOM = 64 };

static const artPlace place = {"car.yaml", 7, 20};


static int find(void *context, const char *reference, artPlace at, formulaSymbol *found)
{
  (void) context;
  for (int i = 0; i < NNAME; i++) {
    if (strcmp(names[i].name, reference) != 0) continue;
    *found = names[i].symbol;
    return 1;
  }
  if (strncmp(reference, "pin.", 4) == 0) {
    error_refuse(at, "joint 'pin' has no output '%s'", reference + 4);
  }
  return 0;
}


static void list(void *context, baseNearest *nearest)
{
  (void) context;
  for (int i = 0; i < NNAME; i++) base_consider(nearest, names[i].name);
}


// slope: 1 + 2 x - 3 y + 4 x y, bump: anything, both from point to point
static int find_map(const char *name, formulaCurve *found, baseNearest *nearest)
{
  static const double x[] = {-1, 0, 2}, y[] = {0, 1, 1.5, 3};
  static const double bumps[12] = {0, 1, 0, 2, 3, -1, 4, 1, 2, 0, 5, 1};
  static baseArena maps;
  double slope[12];
  for (int i = 0; i < 12; i++) {
    slope[i] = 1 + 2 * x[i / 4] - 3 * y[i % 4] + 4 * x[i / 4] * y[i % 4];
  }
  const int is_slope = strcmp(name, "slope") == 0;
  const lawGrid grid = {3, 4, x, y, is_slope ? slope : bumps, 1};
  lawMap *map = NULL;
  base_consider(nearest, "slope");
  if (!is_slope && strcmp(name, "bump") != 0) return 0;
  if (law_create_map(&map, &maps, &grid, place, NULL) != ART_OK) return 0;
  *found = (formulaCurve){.map = map, .x = UNIT_ANY, .y = UNIT_ANY, .f = UNIT_ANY};
  return 1;
}


// hill: the parabola-like spline through four points, metres to metres; grip: straight lines, any unit
static int find_curve(void *context, const char *name, formulaCurve *found, baseNearest *nearest)
{
  static const lawPoint hill[] = {{-1, 2}, {0, 0}, {1, 1}, {3, 5}};
  static const lawPoint grip[] = {{0, 0}, {1, 10}, {2, 12}};
  static baseArena laws;
  forceLaw *law = NULL;
  (void) context;
  base_consider(nearest, "hill");
  base_consider(nearest, "grip");
  base_consider(nearest, "front/hill");
  if (strcmp(name, "hill") == 0 || strcmp(name, "front/hill") == 0) {
    if (law_create_spline(&law, &laws, 4, hill, place, NULL) != ART_OK) return 0;
    *found = (formulaCurve){.law = law, .x = UNIT_LENGTH, .f = UNIT_LENGTH};
  } else if (strcmp(name, "grip") == 0) {
    if (law_create_piecewise(&law, &laws, 3, grip, place, NULL) != ART_OK) return 0;
    *found = (formulaCurve){.law = law, .x = UNIT_ANY, .f = UNIT_ANY};
  }
  return law != NULL || find_map(name, found, nearest);
}


static const formulaScope scope = {.find = find, .list = list, .curve = find_curve};
static baseArena arena; // until the program ends


static formula *parse(const char *text, baseDimension expected)
{
  formula *f;
  const artStatus status = formula_parse(&f, &arena, text, place, &scope, expected, &check_error);
  if (status) printf("%s: %s\n", text, check_error.text);
  CHECK(status == ART_OK);
  return f;
}


// value with the branches that the slots call for
static double value(const formula *f, const double *slots)
{
  double stack[ROOM];
  int branch[ROOM];
  CHECK(f->depth <= ROOM && f->nswitch <= ROOM);
  formula_set_branches(f, slots, branch, stack);
  return formula_value(f, slots, branch, stack);
}

//---- values --------------------------------------------------------------------------------------


TEST(constant_formulas_are_folded_to_their_value)
{
  static const struct {
    const char *text;
    double value;
  } cases[] = {
      {"1 + 2*3", 7},
      {"-2^2", -4},
      {"2^-1", 0.5},
      {"2^3^2", 512},
      {"(-2)^3", -8},
      {"8/4/2", 1},
      {"7 - 4 - 2", 1},
      {"--3", 3},
      {"-+-3", 3},
      {"1.5e1*.5", 7.5},
      {"m*L^2/12", 1},
      {"25[N/mm]", 25000},
      {"90 [deg]", PI / 2},
      {"pi", PI},
      {"2*pi/2", PI},
      {"log(e)", 1},
      {"sqrt(2)^2", 2.0000000000000004},
      {"log10(1000)", 3},
      {"min(3, 1, 2)", 1},
      {"max(3, 1, 2, 7, 5)", 7},
      {"max(min(4, 3), min(2, 9))", 3},
      {"mod(-7, 3)", 2},
      {"mod(7, -3)", -2},
      {"floor(-0.5)", -1},
      {"floor(3e12 + 0.5)", 3e12},
      {"hypot(3, 4)", 5},
      {"pow(2, 10)", 1024},
      {"atan2(1, -1)", 3 * PI / 4},
      {"atan2(-1, -1)", -3 * PI / 4},
      {"sign(-3) + sign(0) + 10*sign(2)", 9},
      {"abs(-3)", 3},
      {"step(-1) + 10*step(0) + 100*step(1)", 110},
      {"pulse(1, 1, 2) + 10*pulse(2, 1, 2) + 100*pulse(0, 1, 2)", 1},
      {"ramp(0, 1, 5, 3, 9)", 5},
      {"ramp(2.5, 1, 5, 3, 9)", 8},
      {"ramp(4, 1, 5, 3, 9)", 9},
      {"smooth(2, 1, 5, 3, 9)", 7},
      {"smooth(1.5, 1, 0, 3, 1)", 0.103515625},
      {"smooth(0, 1, 5, 3, 9) + smooth(3, 1, 5, 3, 9)", 14},
      {"if(1 < 2, 3, 4)", 3},
      {"if(2 <= 1 or not 1 > 2 and 2 >= 2, 3, 4)", 3},
      {"if(not not 1 == 2, 3, 4)", 4},
      {"if((1 != 2) and (1 < 2 or 1/3 > 1), 3, 4)", 3},
      {"'k' + k", 200},
      {"\tL \n* 2\r", 4},
      {"grip(0.5) + grip(-1) + grip(4)", 5 - 10 + 16},
      {"hill(1[m])/1[m] + 'front/hill'(0)/1[m]", 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const formula *f = parse(cases[i].text, UNIT_ANY);
    if (!f || !CHECK(formula_is_constant(f))) continue;
    const double got = formula_constant(f);
    if (!CHECK_CLOSE_REL(got, cases[i].value, 3e-16)) printf("  in %s\n", cases[i].text);
    CHECK_EQ_INT(f->nswitch, 0);
    CHECK_EQ_INT(f->nstep, 1);
  }
}


TEST(references_reach_their_slots)
{
  const double slots[NSLOT] = {0.5, 2, 3, 0.25, -4, 7, 11};
  static const struct {
    const char *text;
    double value;
  } cases[] = {
      {"'front/left-pin'.rate", 11},
      {"pin.angle + 'pin'.angle", 0.5},
      {"crank.tip.x/L", 3.5},
      {"if(pin.angle > 0, k, 2*k)*x", 200},
      {"2[m]*sin(omega*time) + 0.1[m]", 2 * 0.598472144103956494 + 0.1},
      {"(x + y)*(x - y) - x*(y - (x - (y - (x + y))))", -5 - 2 * (3 - (2 - (3 - 5)))},
      {"if(x > y and pin.rate < 0, 1, if(x < y, 2, 3))", 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const formula *f = parse(cases[i].text, UNIT_ANY);
    if (!f) continue;
    CHECK(!formula_is_constant(f));
    const double got = value(f, slots);
    if (!CHECK_CLOSE_REL(got, cases[i].value, 1e-15)) printf("  in %s\n", cases[i].text);
  }
}


TEST(the_stack_is_as_deep_as_the_formula_says)
{
  CHECK_EQ_INT(parse("x", UNIT_ANY)->depth, 1);
  CHECK_EQ_INT(parse("x + y + x + y", UNIT_ANY)->depth, 2);
  CHECK_EQ_INT(parse("x + (y + (x + y))", UNIT_ANY)->depth, 4);
  CHECK_EQ_INT(parse("x*y + x*y", UNIT_ANY)->depth, 3);
  CHECK_EQ_INT(parse("if(x > y, x*y, x + x*y)", UNIT_ANY)->depth, 5);
  CHECK_EQ_INT(parse("min(x, y, x, y, x)", UNIT_ANY)->depth, 2);
  CHECK_EQ_INT(parse("ramp(x, 0, 1, 2, y)", UNIT_ANY)->depth, 5);
}


TEST(a_formula_knows_the_slots_it_reads)
{
  const formula *f = parse("2*sin(omega*time)", UNIT_NUMBER);
  CHECK(formula_uses(f, 0) && !formula_uses(f, 1));
  f = parse("sin(omega*time) + x", UNIT_ANY);
  CHECK(formula_uses(f, 0) && formula_uses(f, 1));
  f = parse("k*2", UNIT_ANY);
  CHECK(!formula_uses(f, 0));
}


TEST(the_scope_comes_before_the_constants)
{
  formula *f;
  CHECK(formula_constant(parse("2*tau", UNIT_ANY)) == 8);
  CHECK(formula_parse(&f, &arena, "2*tau", place, NULL, UNIT_ANY, NULL) == ART_OK);
  CHECK(formula_constant(f) == 4 * PI);
}

//---- dimensions ----------------------------------------------------------------------------------


TEST(results_have_their_dimension)
{
  static const struct {
    const char *text;
    baseDimension dimension;
  } cases[] = {
      {"L", {0, 1, 0, 0, 0, 0}},
      {"m*L^2/12", {1, 2, 0, 0, 0, 0}},
      {"2*L", {0, 1, 0, 0, 0, 0}},
      {"L*k", {0, 0, 0, 1, 0, 0}},
      {"L + k", {0, 1, 0, 0, 0, 0}},
      {"k + L", {0, 1, 0, 0, 0, 0}},
      {"k + 1", {0, 0, 0, 1, 0, 0}},
      {"1 + k", {0, 0, 0, 1, 0, 0}},
      {"1/3", {0, 0, 0, 1, 0, 0}},
      {"L + 0", {0, 1, 0, 0, 0, 0}},
      {"0 - L", {0, 1, 0, 0, 0, 0}},
      {"max(0, L, k)", {0, 1, 0, 0, 0, 0}},
      {"max(0, k, L)", {0, 1, 0, 0, 0, 0}},
      {"if(x > 0, L, 0)", {0, 1, 0, 0, 0, 0}},
      {"if(x > 0, 0, k)", {0, 0, 0, 1, 0, 0}},
      {"sqrt(L^2)", {0, 1, 0, 0, 0, 0}},
      {"(m*L/1[s]^2)^-2", {-2, -2, 4, 0, 0, 0}},
      {"(L^4)^0.75", {0, 3, 0, 0, 0, 0}},
      {"sqrt(k)", {0, 0, 0, 1, 0, 0}},
      {"k^2.5", {0, 0, 0, 1, 0, 0}},
      {"sin(k)", {0, 0, 0, 0, 0, 0}},
      {"L/1[mm]", {0, 0, 0, 0, 0, 0}},
      {"sign(L)*m", {1, 0, 0, 0, 0, 0}},
      {"atan2(L, 2*L)", {0, 0, 0, 0, 0, 0}},
      {"hypot(L, L)", {0, 1, 0, 0, 0, 0}},
      {"mod(time, 2[s])", {0, 0, 1, 0, 0, 0}},
      {"ramp(time, 0, 0, 2[s], L)", {0, 1, 0, 0, 0, 0}},
      {"smooth(time, 1[s], k, 2[s], L)", {0, 1, 0, 0, 0, 0}},
      {"pulse(time, 0, 2[s])*1[N]", {1, 1, -2, 0, 0, 0}},
      {"2^x", {0, 0, 0, 0, 0, 0}},
      {"2^pin.angle", {0, 0, 0, 0, 0, 0}},
      {"-L", {0, 1, 0, 0, 0, 0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const formula *f = parse(cases[i].text, UNIT_ANY);
    if (f && !CHECK(memcmp(&f->dimension, &cases[i].dimension, sizeof f->dimension) == 0)) {
      printf("  in %s\n", cases[i].text);
    }
  }
}


TEST(plain_numbers_are_taken_in_the_expected_unit)
{
  const double third = 1.0 / 3, got = formula_constant(parse("1/3", UNIT_LENGTH));
  CHECK(got == third);
  CHECK(formula_constant(parse("pi/2", UNIT_FORCE)) == PI / 2);
  CHECK(formula_constant(parse("k*L", UNIT_FORCE)) == 200);
}


TEST(wrong_formulas_are_refused_with_place_and_remedy)
{
  const struct {
    int column; // from 1, in the text
    baseDimension expected;
    const char *text, *message;
  } cases[] = {
      // dimensions
      {3, UNIT_ANY, "L + 1", "adds 1 (a plain number) to 'L' (a length in m); write 1[m]"},
      {3, UNIT_ANY, "1 - L", "subtracts 'L' (a length in m) from 1 (a plain number); write 1[m]"},
      {3, UNIT_ANY, "L + m", "adds 'm' (a mass in kg) to 'L' (a length in m)"},
      {5, UNIT_ANY, "2*L - (1 + 2)",
       "subtracts '(1 + 2)' (a plain number) from '2*L' (a length in "
       "m); multiply '(1 + 2)' by 1[m] if that is its unit"},
      {11, UNIT_ANY, "pin.angle + L", "adds 'L' (a length in m) to 'pin.angle' (a plain number)"},
      {6, UNIT_ANY, "if(L > 3, 1, 2)",
       "compares 'L' (a length in m) with 3 (a plain number); write 3[m]"},
      {8, UNIT_ANY, "min(L, 1)",
       "min mixes 'L' (a length in m) with 1 (a plain number); write "
       "1[m]"},
      {5, UNIT_ANY, "sin(2*time)", "sin takes '2*time' (a time in s), expected a plain number"},
      {6, UNIT_ANY, "sqrt(L)", "sqrt takes 'L' (a length in m), expected even powers as in m^2"},
      {2, UNIT_ANY, "L^x",
       "raises 'L' (a length in m) to a power that varies, expected a constant "
       "power"},
      {2, UNIT_ANY, "L^0.5", "raises 'L' (a length in m) to the power 0.5, which leaves no unit"},
      {2, UNIT_ANY, "L^100", "raises 'L' (a length in m) to the power 100, which leaves no unit"},
      {3, UNIT_ANY, "2^L", "the exponent takes 'L' (a length in m), expected a plain number"},
      {1, UNIT_FORCE, "m*L", "the formula gives a quantity in kg m, expected a force in N"},
      {1, UNIT_FORCE, "10*sin(omega*time)",
       "the formula gives a plain number, expected a force in N; multiply it by 1[N] if that is "
       "its "
       "unit"},
      {12, UNIT_ANY, "ramp(time, 1, 0, 2, 1)",
       "ramp mixes 'time' (a time in s) with 1 (a plain number); write 1[s]"},

      // names
      {5, UNIT_ANY, "2 + omga", "unknown name 'omga' (did you mean 'omega'?)"},
      {1, UNIT_ANY, "crank.tip.z", "unknown name 'crank.tip.z' (did you mean 'crank.tip.x'?)"},
      {1, UNIT_ANY, "nothing_like_it", "unknown name 'nothing_like_it'"},
      {5, UNIT_ANY, "2 * pin.angel", "joint 'pin' has no output 'angel'"},
      {1, UNIT_ANY, "infinity", "unknown name 'infinity'"},
      {1, UNIT_ANY, "sni(x)", "unknown function 'sni' (did you mean 'sin'?)"},
      {1, UNIT_ANY, "hil(L)", "unknown function 'hil' (did you mean 'hill'?)"},
      {1, UNIT_ANY, "'rear/hill'(L)", "unknown function 'rear/hill' (did you mean 'front/hill'?)"},
      {13, UNIT_ANY, "2 + hill(L, L)", "found more arguments than in hill(x)"},
      {1, UNIT_ANY, "slope(x)", "found 1 argument, expected slope(x, y)"},
      {13, UNIT_ANY, "slope(x, y, x)", "found more arguments than in slope(x, y)"},
      {18, UNIT_ANY, "hysteresis(x, 2, 1)",
       "hysteresis goes from low = 2 to high = 1, expected low < high"},
      {1, UNIT_ANY, "hill()", "found 0 arguments, expected hill(x)"},
      {6, UNIT_ANY, "hill(m)", "curve 'hill' takes 'm' (a mass in kg), expected a length in m"},
      {6, UNIT_ANY, "hill(2)", "curve 'hill' takes 2 (a plain number), expected a length in m"},
      {6, UNIT_ANY, "grip(x > 1)",
       "found the condition 'x > 1', expected a number; write if(condition, a, b)"},
      {1, UNIT_MASS, "hill(L)", "the formula gives a length in m, expected a mass in kg"},
      {1, UNIT_ANY, "sin + 1", "'sin' is a function, expected sin(x)"},
      {3, UNIT_ANY, "x.", "expected a name here"},
      {3, UNIT_ANY, "x.''", "expected a name here"},
      {5, UNIT_ANY, "1 + 'pin", "found a quote ' that is not closed"},

      // grammar
      {1, UNIT_ANY, "", "the formula is empty"},
      {1, UNIT_ANY, " \t", "the formula is empty"},
      {4, UNIT_ANY, "1 +", "the formula ends here, expected a number, a name or '('"},
      {3, UNIT_ANY, "1 2", "found '2', expected an operator or the end of the formula"},
      {3, UNIT_ANY, "x y", "found 'y', expected an operator or the end of the formula"},
      {2, UNIT_ANY, "2x",
       "found 'x' right after a number, expected an operator; a product takes "
       "'*', a unit brackets as in 1[m]"},
      {2, UNIT_ANY, "0x10",
       "found 'x' right after a number, expected an operator; a product takes "
       "'*', a unit brackets as in 1[m]"},
      {3, UNIT_ANY, "(x", "the formula ends here, expected ')' or an operator"},
      {3, UNIT_ANY, "x ** 2", "found '**'; a power is written ^"},
      {6, UNIT_ANY, "if(x = 1, 2, 3)", "found '='; constants are compared with =="},
      {10, UNIT_ANY, "if(x > 0 && x < 1, 2, 3)", "found '&&'; write and"},
      {4, UNIT_ANY, "if(!x, 2, 3)", "found '!'; write not"},
      {6, UNIT_ANY, "if(x == 1, 2, 3)",
       "compares values that vary by '=='; write abs(a - b) < tolerance"},
      {6, UNIT_ANY, "if(1 < x < 2, 2, 3)", "found two comparisons in a row; write a < b and b < c"},
      {4, UNIT_ANY, "if(x, 2, 3)",
       "found 'x' (a value of any unit), expected a condition such as x "
       "> 0"},
      {1, UNIT_ANY, "x > 0",
       "found the condition 'x > 0', expected a number; write if(condition, a, "
       "b)"},
      {5, UNIT_ANY, "1 + (x > 0)",
       "found the condition '(x > 0)', expected a number; write "
       "if(condition, a, b)"},
      {1, UNIT_ANY, "and", "found 'and', expected a number, a name or '('"},
      {1, UNIT_ANY, "sin()", "found 0 arguments, expected sin(x)"},
      {8, UNIT_ANY, "sin(x, y)", "found more arguments than in sin(x)"},
      {1, UNIT_ANY, "min(x)", "found 1 argument, expected min(a, b, ...)"},
      {5, UNIT_ANY, "sin(", "the formula ends here, expected a number, a name or '('"},
      {6, UNIT_ANY, "sin(x", "the formula ends here, expected ',' or ')'"},
      {1, UNIT_ANY, "\xc3\xa9", "found '\xc3\xa9', expected a number, a name or '('"},
      {1, UNIT_ANY, "1e400", "the number is too large or too long"},
      {2, UNIT_ANY, "1[m", "found '[' without ']', expected a unit as in 1[N/mm]"},
      {5, UNIT_ANY, "1[N/mn]", "unknown unit 'mn' (did you mean 'min'?)"},

      // arithmetic that fails
      {1, UNIT_ANY, "1/0", "'1/0' is not a finite number"},
      {5, UNIT_ANY, "x + log(1 - 2)", "'log(1 - 2)' is not a finite number"},
      {13, UNIT_ANY, "pulse(x, 2, 2)", "pulse goes from x0 = 2 to x1 = 2, expected x0 < x1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    formula *f;
    artError error = {0};
    char want[ART_ERROR_LENGTH];
    snprintf(want, sizeof want, "car.yaml:7:%d: %s", 19 + cases[i].column, cases[i].message);
    CHECK(formula_parse(&f, &arena, cases[i].text, place, &scope, cases[i].expected, &error) ==
          ART_BAD_INPUT);
    CHECK(f == NULL);
    if (!CHECK_TEXT(error.text, want)) printf("  in %s\n", cases[i].text);
  }
}


TEST(without_a_file_the_message_quotes_the_formula)
{
  formula *f;
  CHECK_SAYS(formula_parse(&f, &arena, "L + 1", (artPlace){0}, &scope, UNIT_ANY, &check_error),
             ART_BAD_INPUT,
             "'L + 1', column 3: adds 1 (a plain number) to 'L' (a length in m); write "
             "1[m]");
}


// "((( ... x ... )))" and its like: head n times, x, tail n times
static artStatus parse_repeated(const char *head, const char *tail, int n, artError *error)
{
  char *text = calloc(1, (strlen(head) + strlen(tail)) * (size_t) n + 2);
  for (int i = 0; i < n; i++) strcat(text, head);
  strcat(text, "x");
  for (int i = 0; i < n; i++) strcat(text, tail);
  formula *f;
  const artStatus status = formula_parse(&f, &arena, text, place, &scope, UNIT_ANY, error);
  free(text);
  return status;
}


TEST(deep_and_long_formulas_are_refused)
{
  static const struct {
    const char *head, *tail;
  } nests[] = {{"(", ")"},   {"-", ""},       {"2^", ""},         {"sin(", ")"}, {"2^-", ""},
               {"1*(", ")"}, {"min(1,", ")"}, {"if(x>0,1,", ")"}, {"(-(", "))"}};
  for (size_t i = 0; i < sizeof nests / sizeof nests[0]; i++) {
    artError error = {0};
    CHECK(parse_repeated(nests[i].head, nests[i].tail, 60, &error) == ART_OK);
    CHECK(parse_repeated(nests[i].head, nests[i].tail, 999, &error) == ART_BAD_INPUT);
    CHECK_CONTAINS(error.text, "the formula is nested deeper than 200");
  }
  artError error = {0};
  CHECK(parse_repeated("x+", "", 4999, &error) == ART_OK);
  CHECK(parse_repeated("x+", "", 5000, &error) == ART_BAD_INPUT);
  CHECK_TEXT(error.text, "car.yaml:7:20: the formula is longer than 10000 characters");
}

//---- jets ----------------------------------------------------------------------------------------


// slot k moves as 0.5 + 0.3 sin(w t + k), w = 1 + k/4
static formulaJet moving(int k, double t)
{
  const double w = 1 + 0.25 * k, a = w * t + k;
  return (formulaJet){0.5 + 0.3 * sin(a), 0.3 * w * cos(a), -0.3 * w * w * sin(a)};
}


static double value_at(const formula *f, const int *branch, double t)
{
  double slots[NSLOT], stack[ROOM];
  for (int k = 0; k < NSLOT; k++) slots[k] = moving(k, t).x;
  return formula_value(f, slots, branch, stack);
}


// first and second derivative by central differences of order 8
static void difference(const formula *f, const int *branch, double t, double *first, double *second)
{
  static const double a[] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  static const double b[] = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
  const double h = 0.02;
  *first = 0;
  *second = -205.0 / 72 * value_at(f, branch, t);
  for (int i = 1; i <= 4; i++) {
    const double after = value_at(f, branch, t + i * h), before = value_at(f, branch, t - i * h);
    *first += a[i - 1] * (after - before);
    *second += b[i - 1] * (after + before);
  }
  *first /= h;
  *second /= h * h;
}


TEST(jets_agree_with_high_order_differences)
{
  static const char *const texts[] = {
      "sin(x*y)",
      "cos(2*x + y)",
      "tan(x)",
      "asin(0.9*x)",
      "acos(0.9*x*y)",
      "atan(3*x)",
      "sinh(x) + cosh(y)",
      "tanh(4*x)",
      "exp(-x*y)",
      "log(x + y)",
      "log10(x)*y",
      "sqrt(x*y)",
      "hypot(x, y - 0.2)",
      "atan2(x - 0.5, y - 0.5)",
      "x^3 - y^-2",
      "x^2.5",
      "(-x)^3",
      "x^y",
      "pow(x, pin.angle)",
      "2^x",
      "x/y/pin.angle",
      "-x*(y - 3*x)",
      "abs(x - 0.5)",
      "sign(x - 0.5)*x",
      "min(x, y)*max(x, y)^2",
      "mod(5*x, y)",
      "x*floor(9*y)",
      "step(y - 0.5)*x^2",
      "pulse(x, 0.3, y)*x",
      "ramp(x, 0.3, y, 0.6, x*y)",
      "smooth(x, 0.1*y, y^2, 1, x*y)",
      "if(x > y, x^3, sin(y))",
      "if(x > y or not (pin.angle >= 0.6 and x < 0.4), x*pin.angle, y/x)",
      "sin(omega*time/1[s])*exp(-x)",
      "hill(x)*y",
      "grip(3*x)*x + hill(x*y)",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    const formula *f = parse(texts[i], UNIT_ANY);
    for (int trial = 0; f && trial < 20; trial++) {
      const double t = 0.31 * trial;
      formulaJet slots[NSLOT], stack[ROOM];
      double values[NSLOT], room[ROOM];
      int branch[ROOM];
      for (int k = 0; k < NSLOT; k++) slots[k] = moving(k, t), values[k] = slots[k].x;
      formula_set_branches(f, values, branch, room);

      const formulaJet jet = formula_jet(f, slots, branch, stack);
      double want[3] = {formula_value(f, values, branch, room), 0, 0};
      CHECK(jet.x == want[0]);
      difference(f, branch, t, &want[1], &want[2]);
      const double scale = 1 + fabs(want[1]) + fabs(want[2]);
      if (!CHECK_CLOSE(jet.dx, want[1], 2e-8 * scale) ||
          !CHECK_CLOSE(jet.ddx, want[2], 1e-6 * scale)) {
        printf("  in %s at t = %g\n", texts[i], t);
      }
    }
  }
}


TEST(jets_agree_with_closed_forms)
{
  // x(t) has x = u, x' = 2, x'' = -3, so f(x)' = 2 f', f(x)'' = 4 f'' - 3 f'
  const double u = 0.4, s = sin(u), c = cos(u), w = 1 - u * u, z = 1 + u * u;
  const struct {
    const char *text;
    double f, df, ddf;
  } cases[] = {
      {"x", u, 1, 0},
      {"sin(x)", s, c, -s},
      {"cos(x)", c, -s, -c},
      {"tan(x)", s / c, 1 / (c * c), 2 * s / (c * c * c)},
      {"asin(x)", asin(u), 1 / sqrt(w), u / (w * sqrt(w))},
      {"acos(x)", acos(u), -1 / sqrt(w), -u / (w * sqrt(w))},
      {"atan(x)", atan(u), 1 / z, -2 * u / (z * z)},
      {"sinh(x)", sinh(u), cosh(u), sinh(u)},
      {"cosh(x)", cosh(u), sinh(u), cosh(u)},
      {"tanh(x)", tanh(u), 1 - pow(tanh(u), 2), -2 * tanh(u) * (1 - pow(tanh(u), 2))},
      {"exp(x)", exp(u), exp(u), exp(u)},
      {"log(x)", log(u), 1 / u, -1 / (u * u)},
      {"log10(x)", log10(u), 1 / (u * log(10)), -1 / (u * u * log(10))},
      {"sqrt(x)", sqrt(u), 0.5 / sqrt(u), -0.25 / (u * sqrt(u))},
      {"x^5", pow(u, 5), 5 * pow(u, 4), 20 * pow(u, 3)},
      {"x^-1", 1 / u, -1 / (u * u), 2 / (u * u * u)},
      {"x^0", 1, 0, 0},
      {"x^1", u, 1, 0},
      {"1/x", 1 / u, -1 / (u * u), 2 / (u * u * u)},
      {"x*x/x", u, 1, 0},
      {"3^x", pow(3, u), log(3) * pow(3, u), log(3) * log(3) * pow(3, u)},
      {"x^x", pow(u, u), pow(u, u) * (log(u) + 1), pow(u, u) * (pow(log(u) + 1, 2) + 1 / u)},
      {"hypot(x, 1)", sqrt(z), u / sqrt(z), 1 / (z * sqrt(z))},
      {"atan2(x, 1)", atan(u), 1 / z, -2 * u / (z * z)},
      {"atan2(1, x)", PI / 2 - atan(u), -1 / z, 2 * u / (z * z)},
      {"abs(-x)", u, 1, 0},
      {"mod(x, 0.3)", u - 0.3, 1, 0},
      {"floor(10*x + 0.5)", 4, 0, 0},
      {"ramp(x, 0, 1, 2, 5)", 1 + 2 * u, 2, 0},
      {"smooth(x, 0, 0, 1, 1)", u * u * u * (10 - 15 * u + 6 * u * u),
       30 * u * u * (1 - u) * (1 - u), 60 * u * (1 - u) * (1 - 2 * u)},
      {"smooth(x, 1, 7, 2, 9)", 7, 0, 0},
      {"if(x < 1, x^2, x)", u * u, 2 * u, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const formula *f = parse(cases[i].text, UNIT_ANY);
    if (!f) continue;
    const formulaJet slots[NSLOT] = {[1] = {u, 2, -3}};
    const double values[NSLOT] = {[1] = u};
    formulaJet stack[ROOM];
    double room[ROOM];
    int branch[ROOM];
    formula_set_branches(f, values, branch, room);
    const formulaJet jet = formula_jet(f, slots, branch, stack);
    const double got[3] = {jet.x, jet.dx, jet.ddx};
    const double want[3] = {cases[i].f, 2 * cases[i].df, 4 * cases[i].ddf - 3 * cases[i].df};
    if (!CHECK_NEAR(got, want, 3, 1e-14 * (1 + fabs(want[2])))) printf("  in %s\n", cases[i].text);
  }
}


TEST(jets_of_resting_arguments_rest_even_at_singular_points)
{
  static const char *const texts[] = {"sqrt(x)", "x^0.5", "x^2",         "hypot(x, y)",
                                      "x^1",     "x^0",   "atan2(x, y)", "asin(1 - x)"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    const formula *f = parse(texts[i], UNIT_ANY);
    formulaJet slots[NSLOT] = {0}, stack[ROOM];
    const int branch[ROOM] = {1};
    const formulaJet jet = formula_jet(f, slots, branch, stack);
    CHECK(isfinite(jet.x) && jet.dx == 0 && jet.ddx == 0);

    // and powers 1 and 2 are regular at zero also in motion
    if (strcmp(texts[i], "x^2") != 0) continue;
    slots[1] = (formulaJet){0, 3, 5};
    const formulaJet square = formula_jet(f, slots, branch, stack);
    CHECK(square.x == 0 && square.dx == 0 && square.ddx == 18);
  }
}

//---- switching -----------------------------------------------------------------------------------

// Walk x from -3 to 3 and back and follow the switches alone. The frozen formula must equal the one
// whose branches are chosen from the values, except on the borders.
static void walk(const char *text)
{
  const formula *f = parse(text, UNIT_ANY);
  if (!f) return;
  double slots[NSLOT] = {0.3, -3.0007, 0.6, 0.4, 1, 1, 1}, g[ROOM], stack[ROOM];
  int branch[ROOM], ncross = 0;
  formula_set_branches(f, slots, branch, stack);

  for (int i = 0; i < 1200; i++) {
    slots[1] = i < 600 ? -3.0007 + 0.01 * i : 2.9993 - 0.01 * (i - 600);
    for (int rounds = 0; rounds < 10; rounds++) {
      formula_switches(f, slots, branch, g, stack);
      for (int k = 0; k < f->nswitch; k++) {
        if (g[k] < 0) formula_switch_mode(f, k, branch), ncross++;
      }
    }
    const double frozen = formula_value(f, slots, branch, stack), chosen = value(f, slots);
    if (!CHECK(frozen == chosen)) {
      printf("  in %s at x = %.17g: %g, want %g\n", text, slots[1], frozen, chosen);
      return;
    }
    formula_switches(f, slots, branch, g, stack);
    for (int k = 0; k < f->nswitch; k++) CHECK(g[k] > 0);
  }
  CHECK(ncross > 0);
}


TEST(switches_followed_one_by_one_keep_the_formula_right)
{
  // clang-format off
  static const char *const texts[] = {
      "abs(x)", "sign(x - 1)", "min(x, y)", "max(x, -x, 2*y)", "step(x + 1)", "floor(x)",
      "floor(3*x) + floor(-x)", "mod(x, 0.7)", "mod(-x, 1.1)", "pulse(x, -1, 2)",
      "ramp(x, -1, 3, 1, 7)", "clamp(x, -1, 2)", "clamp(2*x, y - 1, x + 2)", "atan2(x, -1)",
      "atan2(x, 1)", "if(x > 1, 2, 3)", "if(x >= 1 and x < 2 or not x > -1, x, x^2)",
      "abs(abs(x) - 1)", "if(abs(x) < 1, floor(2*x), min(x - 0.1, mod(x, 0.3)))",
      "if(x > 0, abs(sqrt(x) - 1), x)", "grip(x)", "grip(2*x - 1)*hill(x)", "bump(x, y)",
      "bump(x - 0.2, 1.5 - x/2)"};
  // clang-format on
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) walk(texts[i]);
}


TEST(frozen_branches_continue_smoothly)
{
  static const struct {
    const char *text;
    double from, to, value, g;
  } cases[] = {
      {"abs(x)", 1, -2, -2, -2},
      {"abs(x)", -1, 2, -2, -2},
      {"clamp(x, -1, 2)", 0, -3, -3, -2},
      {"step(x)", 1, -0.5, 1, -0.5},
      {"min(x, 1)", 0, 3, 3, -2},
      {"max(x, 1)", 0, 3, 1, -2},
      {"floor(x)", 2.5, 1.5, 2, -0.5},
      {"mod(x, 2)", 3, 1, -1, -0.5},
      {"sign(x)", 2, -1, 1, -1},
      {"ramp(x, 0, 0, 2, 4)", 1, -1, -2, -1},
      {"atan2(x, -1)", 1, -1, 5 * PI / 4, -1},
      {"atan2(x, -1)", -1, 1, -5 * PI / 4, -1},
      {"if(x > 2, 5, 6)", 3, 1, 5, -1},
      {"if(x <= 2, 5, 6)", 3, 1, 6, -1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const formula *f = parse(cases[i].text, UNIT_ANY);
    double slots[NSLOT] = {[1] = cases[i].from}, stack[ROOM], g[ROOM];
    int branch[ROOM];
    formula_set_branches(f, slots, branch, stack);
    formula_switches(f, slots, branch, g, stack);
    CHECK(g[0] > 0);

    slots[1] = cases[i].to;
    const double got = formula_value(f, slots, branch, stack);
    formula_switches(f, slots, branch, g, stack);
    if (!CHECK_CLOSE(got, cases[i].value, 1e-15) || !CHECK_CLOSE(g[0], cases[i].g, 1e-15)) {
      printf("  in %s\n", cases[i].text);
    }
  }
}


// For slopes a corner is the mean of both sides, and only there.
TEST(corners_are_linearised_between_their_sides)
{
  static const struct {
    const char *text;
    double from, to, value;
  } cases[] = {
      {"min(x, 0) + max(x, 0)", 0, 2, 2},
      {"min(0, x) + max(0, x)", 0, 2, 2},
      {"max(x, 0) + min(0, x)", 0, 2, 2},
      {"max(x, 0) - max(-x, 0)", 0, 2, 2},
      {"abs(x)", 0, 2, 0},
      {"abs(x)", 1, -2, -2},
      {"clamp(x, 0, 1)", 0, 2, 1},
      {"clamp(x, 0, 1) + max(x, 1)", 1, 3, 4},
      {"clamp(x, 1, 1 + (x - 1)^2)", 1, 3, 3},
      {"min(x, 1)", 0, 3, 3},
      {"if(x >= 0, x, 0)", 0, 2, 2},
      {"if(x > 0, x, 0)", 0, 2, 0},
      {"ramp(x, 0, 0, 1, 1)", 0, 2, 2},
      {"ramp(x, 0, 0, 1, 1)", 1, 3, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const formula *f = parse(cases[i].text, UNIT_ANY);
    double slots[NSLOT] = {[1] = cases[i].from}, stack[ROOM];
    int branch[ROOM], before[ROOM];
    formula_set_branches(f, slots, branch, stack);
    memcpy(before, branch, (size_t) f->nswitch * sizeof *branch);
    formula_set_corners(f, slots, branch, stack);
    formulaJet jets[NSLOT] = {[1] = {cases[i].to, 1, 0}}, room[ROOM];
    slots[1] = cases[i].to;
    const double got = formula_value(f, slots, branch, stack);
    CHECK_CLOSE(formula_jet(f, jets, branch, room).x, got, 0);
    if (!CHECK_CLOSE(got, cases[i].value, 0)) printf("  in %s\n", cases[i].text);
    formula_leave_corners(f, slots, branch, stack);
    CHECK(memcmp(before, branch, (size_t) f->nswitch * sizeof *branch) == 0);
  }
}


TEST(sign_is_zero_at_rest_and_leaves_it_either_way)
{
  const formula *f = parse("sign(x)", UNIT_ANY);
  double slots[NSLOT] = {0}, stack[ROOM], g[ROOM];
  int branch[ROOM];
  CHECK_EQ_INT(f->nswitch, 2);
  formula_set_branches(f, slots, branch, stack);
  CHECK(formula_value(f, slots, branch, stack) == 0);
  formula_switches(f, slots, branch, g, stack);
  CHECK(g[0] == 0 && g[1] == 0);

  slots[1] = 0.1;
  formula_switches(f, slots, branch, g, stack);
  CHECK(g[0] > 0 && g[1] < 0);
  formula_switch_mode(f, 1, branch);
  CHECK(formula_value(f, slots, branch, stack) == 1);

  slots[1] = -0.1;
  formula_switches(f, slots, branch, g, stack);
  CHECK(g[0] < 0 && g[1] > 0);
  formula_switch_mode(f, 0, branch);
  CHECK(formula_value(f, slots, branch, stack) == -1);
}


TEST(branches_on_borders_are_those_of_the_definition)
{
  // branches on both sides of the border of switch i, and on it: -2 where both stay
  static const struct {
    const char *text;
    int i, below, above, there;
  } cases[] = {{"sign(x)", 0, -1, 1, 0},
               {"sign(x)", 1, -1, 1, 0},
               {"if(x > 0, 1, 2)", 0, 0, 1, 0},
               {"if(x >= 0, 1, 2)", 0, 0, 1, 1},
               {"if(x < 0, 1, 2)", 0, 0, 1, 0},
               {"if(x <= 0, 1, 2)", 0, 0, 1, 1},
               {"step(x)", 0, 0, 1, 1},
               {"floor(x)", 1, -1, -1, 0},
               {"floor(x)", 0, 0, 0, 0},
               {"mod(x, 1)", 1, 1, 1, 2},
               {"atan2(x, -1)", 0, 0, 1, 1},
               {"pulse(x, 0, 1)", 1, 0, 1, 1},
               {"max(x, 0)", 0, 0, 1, -2},
               {"abs(x)", 0, 0, 1, -2},
               {"hysteresis(x, 0, 1)", 0, 0, 1, -2}};
  for (int i = 0; i < (int) (sizeof cases / sizeof *cases); i++) {
    const formula *f = parse(cases[i].text, UNIT_ANY);
    const int at = cases[i].i;
    for (int side = 0; f && side < 2; side++) {
      const int now = side ? cases[i].above : cases[i].below;
      const int there = cases[i].there == -2 ? now : cases[i].there;
      int branch[2] = {now, now};
      CHECK_EQ_INT(formula_switching_surface(f, at, branch, 0), there != now);
      CHECK_EQ_INT(branch[at], now);
      CHECK_EQ_INT(formula_switching_surface(f, at, branch, 1), there != now);
      CHECK_EQ_INT(branch[at], there);
      CHECK_EQ_INT(formula_is_latching(f, at), formula_has_memory(f));
    }
  }
}


TEST(a_hysteresis_keeps_its_side_between_its_borders)
{
  const formula *f = parse("3*hysteresis(x, -1, 2)", UNIT_ANY);
  static const double x[] = {0, 1.9, 2.1, 1, -0.9, -1.1, 0, 2.1};
  static const int side[] = {0, 0, 1, 1, 1, 0, 0, 1};
  double slots[NSLOT] = {0}, stack[ROOM], g[ROOM];
  int free[ROOM] = {0}, held[ROOM] = {0};
  CHECK_EQ_INT(f->nswitch, 1);
  CHECK(formula_has_memory(f) && !formula_has_memory(parse("step(x)", UNIT_ANY)));
  for (int i = 0; i < 8; i++) {
    slots[1] = x[i];
    formula_set_branches(f, slots, free, stack);
    CHECK(formula_value(f, slots, free, stack) == 3 * side[i]);

    // the frozen side stays beyond its border, and says so; crossing leads to the other one
    CHECK(formula_value(f, slots, held, stack) == 3 * held[0]);
    formula_switches(f, slots, held, g, stack);
    CHECK_CLOSE(g[0], held[0] ? x[i] + 1 : 2 - x[i], 1e-15);
    if (g[0] < 0) formula_switch_mode(f, 0, held);
    CHECK_EQ_INT(held[0], side[i]);
  }
}


//---- the last change of a branch -----------------------------------------------------------------

TEST(the_last_change_of_a_formula_of_time_is_known_where_there_is_one)
{
  static const struct {
    const char *text;
    double last;
  } cases[] = {
      {"sin(time/1[s])", -INFINITY},
      {"step(time - 4[s])", 4},
      {"pulse(time, 2[s], 5[s])*sin(time/1[s])^3 - pulse(time, 8[s], 11[s])", 11},
      {"ramp(3[s] - time, 1[s], 0, 2[s], 1)", 2},
      {"if(2*time - 1[s] > (7[s] - time)/2, 1, 2)", 1.8},
      {"abs(max(time, 6[s]) - 2[s])", INFINITY},
      {"clamp(-time/4, -3[s], -1[s])/1[s]", 12},
      {"min(time, 9[s])/1[s]", 9},
      {"if(sin(time/1[s]) > 0, 1, 2)", INFINITY},
      {"if(time*time > 4[s^2], 1, 2)", INFINITY},
      {"step(1[s^2]/time - 1[s])", INFINITY},
      {"mod(time, 2[s])/1[s]", INFINITY},
      {"floor(time/1[s])", INFINITY},
      {"hysteresis(time, 1[s], 2[s])", INFINITY},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double last = formula_last_change(parse(cases[i].text, UNIT_ANY));
    CHECK(last == cases[i].last || fabs(last - cases[i].last) < 1e-12);
  }
}


//---- tables of two dimensions --------------------------------------------------------------------

// bilinear functions are exact in every cell and behind the ends; derivatives follow both arguments
TEST(bilinear_tables_are_exact_on_products)
{
  const formula *f = parse("slope(x, y)", UNIT_ANY);
  CHECK_EQ_INT(f->nswitch, 4);
  for (int i = 0; i < 200; i++) {
    const double x = -2 + 0.031 * i, y = 4 - 0.047 * i;
    double slots[NSLOT] = {[1] = x, [2] = y}, stack[ROOM];
    CHECK_CLOSE(value(f, slots), 1 + 2 * x - 3 * y + 4 * x * y, 1e-13 * 100);

    // x = x0 + 5 t, y = y0 + 7 t + 2 t^2
    formulaJet jets[NSLOT] = {[1] = {x, 5, 0}, [2] = {y, 7, 4}}, jet_stack[ROOM];
    int branch[ROOM];
    formula_set_branches(f, slots, branch, stack);
    const formulaJet jet = formula_jet(f, jets, branch, jet_stack);
    CHECK_CLOSE(jet.dx, 10 - 21 + 4 * (5 * y + 7 * x), 1e-12 * 100);
    CHECK_CLOSE(jet.ddx, -12 + 4 * (70 + 4 * x), 1e-12 * 100);
  }
}


//---- memory --------------------------------------------------------------------------------------

TEST(every_failing_allocation_ends_in_a_clean_error)
{
  const char *text = "abs(x)+abs(x)+abs(y)+abs(x)+abs(y)+abs(y)+abs(x)+abs(y)+abs(x)+abs(y)";
  int n = 0;
  artStatus status;
  do {
    baseArena own = {0};
    formula *f;
    artError error = {0};
    heap_run_dry_after(n++);
    status = formula_parse(&f, &own, text, place, &scope, UNIT_ANY, &error);
    if (status) {
      CHECK(status == ART_NO_MEMORY && error.status == ART_NO_MEMORY && f == NULL);
      CHECK_TEXT(error.text, "out of memory");
    }
    arena_free(&own);
  } while (status && n < 100);
  CHECK(status == ART_OK && n > 4);
  heap_unwatch();
}
