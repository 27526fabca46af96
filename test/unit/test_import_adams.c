// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Decks of ADAMS: machines that come out against closed forms and against the same machines in YAML, expressions by
// their values, and decks that are refused.
#include <math.h>
#include <stdio.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double PI = 3.14159265358979323846;

#define SI    "title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=METER, TIME=SECOND\n"
#define MM    "title\nUNITS/FORCE=NEWTON, MASS=KILOGRAM, LENGTH=MILLIMETER, TIME=SECOND\n"
#define EARTH "PART/1, GROUND\nMARKER/1, PART=1\n"


//---- support -------------------------------------------------------------------------------------

static const char *deck_path(const char *text)
{
  static char path[300];
  snprintf(path, sizeof path, "%s", folder_path("deck.adm"));
  FILE *file = fopen(path, "w");
  if (!CHECK(file)) return path;
  fputs(text, file);
  fclose(file);
  return path;
}


static artModel *deck(const char *text)
{
  artModel *m = NULL;
  artError error = {0};
  if (!CHECK(art_load_model(&m, deck_path(text), &error) == ART_OK)) CHECK_TEXT(error.text, "");
  return keep_model(m);
}


static simulation start(artModel *m)
{
  simulation s = {0};
  artRunDef study = art_default_run();
  study.until = 1e6;
  study.tolerance = 1e-11;
  CHECK(simulation_run(&s, m, &study));
  check_stop_if_failed();
  return s;
}


static void check_output(const simulation *s, const char *name, double want, double tolerance)
{
  const double found = simulation_output(s, name);
  if (!CHECK_NEAR(&found, &want, 1, tolerance)) printf("of %s\n", name);
}


// both machines at the same instants, by outputs of the same name
static void check_alike(const char *text, const char *yaml, const char *const *outputs,
                        double until)
{
  simulation a = start(deck(text)), b = start(keep_text(yaml));
  for (int k = 0; k <= 5; k++) {
    CHECK(simulation_go(&a, until * k / 5) && simulation_go(&b, until * k / 5));
    for (int i = 0; outputs[i]; i++) {
      check_output(&a, outputs[i], simulation_output(&b, outputs[i]), 1e-9);
    }
  }
}


//---- parts and markers ---------------------------------------------------------------------------

// A slug of a spring pendulum in inches: w^2 = k/m
TEST(units_of_decks_become_si)
{
  simulation s = start(
      deck("title\nUNITS/FORCE=POUND_FORCE, MASS=POUND_MASS, LENGTH=INCH, TIME=MILLISECOND\n" EARTH
           "PART/2, MASS=386.0885826771654, CM=2\nMARKER/2, PART=2, REULER=0,0,0\n"
           "JOINT/1, TRANSLATIONAL, I=2, J=1\n"
           "SFORCE/1, TRANS, ACTIONONLY, I=2, J=1, FUNC=10 - 4*DZ(2,1) + 1000*VZ(2,1)*0\n"
           "REQUEST/1, DISP, I=2, J=1\n"));
  // m = 1 slinch, k = 4 lbf/in: z = 2.5 in (1 - cos 2t)
  CHECK(simulation_go(&s, 0.7));
  check_output(&s, "REQUEST_1_DZ", 2.5 * 0.0254 * (1 - cos(1.4)), 1e-9);
}


TEST(inertia_of_decks_is_moved_and_turned_to_the_centre_of_mass)
{
  // a point mass of 3 kg in (1, 2, 0) of the marker 3, which stands turned by 90 degrees about z at (0, 0, 5)
  artModel *m = deck(
      SI EARTH "PART/2, MASS=3, CM=2, IM=3, IP=13, 4, 16, 6, 0, 0\nMARKER/2, PART=2, QP=-2, 1, 5\n"
               "MARKER/3, PART=2, QP=0,0,5, REULER=90D,0,0\nJOINT/1, FIXED, I=2, J=1\n");
  artData *d = keep_fresh_data(m);
  art_update(m, d);
  // what is left about the centre of mass: 1, 1, 1
  artImport *import = NULL;
  const artImportDef def = art_default_import();
  CHECK(art_import(&import, folder_path("deck.adm"), &def, NULL) == ART_OK);
  CHECK_CONTAINS(art_import_text(import), "com: [-2, 1, 5]\n    inertia: [1, 1, 1]\n");
  art_free_import(import);
}


TEST(markers_of_decks_stand_as_points_or_angles_say)
{
  simulation s = start(
      deck(SI EARTH "PART/2, MASS=1, CM=2, IP=1,1,1, QG=1,2,3, REULER=90D,90D,0\nMARKER/2, PART=2\n"
                    "MARKER/3, PART=2, QP=1,0,0, ZP=1,3,0, XP=2,1,0\n"
                    "MARKER/4, PART=2, ZP=0,1,1, XP=0,2,0, USEXP\nJOINT/1, SPHERICAL, I=5, J=1\n"
                    "MARKER/5, PART=2, QP=-2,-3,-1\n"
                    "REQUEST/1, F2=DX(3)\\F3=DY(3)\\F4=DZ(3)\\F6=DX(4,0,3)\\F7=DY(1,4,4)\n"
                    "REQUEST/2, D, I=3, J=2\nREQUEST/3, D, I=4, J=2"));
  // axes of part 2 in ground: x = y, y = z, z = x
  check_output(&s, "REQUEST_1_F2", 1, 1e-15);
  check_output(&s, "REQUEST_1_F3", 3, 1e-15);
  check_output(&s, "REQUEST_1_F4", 3, 1e-15);
  // marker 3 has z along y of the part, x along its x, y along its -z; marker 4 x along y, z along z of the part
  check_output(&s, "REQUEST_1_F6", 2, 1e-15);
  check_output(&s, "REQUEST_1_F7", 2, 1e-15);
  check_output(&s, "REQUEST_2_THETA", PI / 2, 1e-15);
  check_output(&s, "REQUEST_3_THETA", 0, 1e-7);
}


// The body starts with the velocity of its centre of mass and turns about the axes of CM.
TEST(initial_velocities_of_parts_are_those_of_their_centres)
{
  simulation s =
      start(deck(SI EARTH "PART/2, MASS=1, CM=2, IP=1,2,3, QG=0,0,1, VX=1, VY=2, WZ=3\n"
                          "MARKER/2, PART=2, QP=1,0,0, REULER=0,90D,0\nMARKER/3, PART=2\n"
                          "REQUEST/1, V, I=2, J=1\nREQUEST/2, V, I=3, J=1\n"));
  check_output(&s, "REQUEST_1_VX", 1, 1e-15);
  check_output(&s, "REQUEST_1_VY", 2, 1e-15);
  check_output(&s, "REQUEST_1_WY", -3, 1e-15); // z of the marker is -y
  check_output(&s, "REQUEST_2_VX", 1, 1e-15);
  check_output(&s, "REQUEST_2_VZ", -3, 1e-15); // w x (-1, 0, 0)
}


//---- joints and forces ---------------------------------------------------------------------------

// A flywheel on a torsion spring: the angle counts whole turns.
TEST(angles_of_joints_count_whole_turns)
{
  simulation s =
      start(deck(SI EARTH "PART/2, MASS=1, CM=2, IP=1,1,2\nMARKER/2, PART=2, REULER=30D,0,0\n"
                          "JOINT/1, REVOLUTE, I=2, J=1\n"
                          "SFORCE/1, ROTATIONAL, I=2, J=1, FUNCTION=-8*(AZ(2,1) - 20)\n"
                          "REQUEST/1, F2=AZ(2,1)\\F6=TZ(2,1)\\F7=SFORCE(1,1,8,0)\n"));
  CHECK(simulation_go(&s, 1.1));
  const double angle = 20 + (PI / 6 - 20) * cos(2.2);
  check_output(&s, "REQUEST_1_F2", angle, 1e-8);
  check_output(&s, "REQUEST_1_F7", 8 * (angle - 20), 1e-7);
}


// the same about joints that lead the other way, with axes against each other
TEST(torsion_springs_act_between_their_markers)
{
  const char *const text[2] = {
      "JOINT/1, REVOLUTE, I=2, J=1\nSPRINGDAMPER/1, ROTATION, I=2, J=1, KT=8, CT=0.5, ANGLE=20, "
      "TORQUE=4\n",
      "JOINT/1, REVOLUTE, I=3, J=4\nMARKER/3, PART=1, REULER=0,180D,0\nMARKER/4, PART=2, "
      "REULER=0,180D,0\n"
      "SPRINGDAMPER/1, ROTATION, I=2, J=1, KT=8, CT=0.5, ANGLE=20, TORQUE=4\n"};
  for (int k = 0; k < 2; k++) {
    char whole[1000];
    snprintf(whole, sizeof whole, "%s%sREQUEST/1, F2=AZ(2,1)\n",
             SI EARTH "PART/2, MASS=1, CM=2, IP=1,1,2\nMARKER/2, PART=2, REULER=30D,0,0\n",
             text[k]);
    simulation s = start(deck(whole));
    CHECK(simulation_go(&s, 0.9));
    // 2 a'' + 0.5 a' + 8 (a - 20.5) = 0
    const double d = 0.125, w = sqrt(4 - d * d), a = PI / 6 - 20.5;
    check_output(&s, "REQUEST_1_F2",
                 20.5 + a * exp(-0.9 * d) * (cos(0.9 * w) + d / w * sin(0.9 * w)), 1e-8);
  }
}


TEST(decks_move_as_their_twins_in_yaml)
{
  static const char *const outputs[] = {"z", "turn", NULL};
  // a cylinder that slides and turns under its weight, a spring and a driven bar on a cross
  check_alike(
      SI EARTH
      "MARKER/9, PART=1, QP=0,0,2\nPART/2, MASS=2, CM=2, IP=0.1,0.2,0.3, QG=0,0,0.5, VZ=-1, WZ=2\n"
      "MARKER/2, PART=2\nMARKER/3, PART=2, QP=0.3,0,0\n!  adams_view_name='j'\nJOINT/1, "
      "CYLINDRICAL, I=2, J=1\n"
      "SPRINGDAMPER/1, TRANSLATION, I=3, J=9, K=50, C=2, LENGTH=1, FORCE=3\nACCGRAV/KGRAV=-9.81\n"
      "!  adams_view_name='z'\nVARIABLE/1, FUNCTION=DZ(2,1)\n!  "
      "adams_view_name='turn'\nVARIABLE/2, FUNCTION=AZ(2,1)\n",
      "articula: 1\nground: {points: {top: [0, 0, 2]}}\n"
      "bodies: {b: {mass: 2, inertia: [0.1, 0.2, 0.3], points: {p: [0.3, 0, 0]}}}\n"
      "joints: {j: {type: cylindrical, axis: z, from: ground, to: b}}\n"
      "forces:\n  s: {type: spring-damper, between: [ground.top, b.p], free_length: 1.06, "
      "stiffness: 50, damping: 2}\n"
      "initial: {j: {slide: 0.5, slide_rate: -1, angle_rate: 2}}\n"
      "outputs: {z: j.slide, turn: j.angle}\n",
      outputs, 2);
  check_alike(
      SI EARTH
      "PART/2, MASS=2, CM=3, IP=0.1,0.2,0.3\nMARKER/2, PART=2\nMARKER/3, PART=2, QP=0,0,-0.5\n"
      "MARKER/4, PART=1, REULER=0,90D,0\nMARKER/5, PART=2, REULER=90D,90D,0\n"
      "JOINT/1, UNIVERSAL, I=5, J=4\nACCGRAV/IGRAV=1, JGRAV=2, KGRAV=-9.81\n"
      "!  adams_view_name='z'\nVARIABLE/1, FUNCTION=DZ(3)\n!  adams_view_name='turn'\nVARIABLE/2, "
      "FUNCTION=DX(3)\n",
      "articula: 1\ngravity: [1, 2, -9.81]\n"
      "bodies: {b: {mass: 2, com: [0, 0, -0.5], inertia: [0.1, 0.2, 0.3], points: {c: [0, 0, "
      "-0.5]}}}\n"
      "joints: {j: {type: universal, axes: [y, x], from: ground, to: b}}\n"
      "outputs: {z: b.c.z, turn: b.c.x}\n",
      outputs, 2);
}


// a bar on a motion; drives read time alone
TEST(motions_are_drives)
{
  simulation s = start(deck(
      MM EARTH "PART/2, MASS=2, CM=2, IP=1,1,1\nMARKER/2, PART=2\nJOINT/1, TRANS, I=2, J=1\n"
               "MOTION/1, TRANSLATION, JOINT=1, FUNCTION=STEP5(TIME,0,0,2,30) + 5*SIN(90D*TIME)\n"
               "REQUEST/1, D, I=2, J=1\n"));
  CHECK(simulation_go(&s, 1));
  check_output(&s, "REQUEST_1_DZ", 0.015 + 0.005, 1e-12);
}


//---- expressions ---------------------------------------------------------------------------------

static const struct {
  const char *expression;
  double value; // at 0.3 s
} expressions[] = {
    {"2**3**2", 512},
    {"-TIME**2", -0.09},
    {"2*-TIME + 3", 2.4},
    {"1 - (2 - 3) - 4", -2},
    {"8/2/2", 2},
    {"1.5D0 + 1E-1 + 2D-1", 1.8},
    {"SIN(90D)", 1},
    {"IF(TIME - 0.3: 1, 2, 3)", 2},
    {"IF(TIME - 0.4: 1, 2, 3)", 1},
    {"IF(TIME - 0.2: 1, 2, 3)", 3},
    {"STEP(TIME, 0, 1, 0.6, 3)", 2},
    {"STEP(TIME, 0.1, 0, 0.5, 8)", 4},
    {"STEP(TIME, 0.4, 7, 0.5, 8)", 7},
    {"STEP5(TIME, 0, 1, 0.6, 3)", 2},
    {"HAVSIN(TIME, 0, 1, 0.6, 3)", 2},
    {"POLY(TIME, 0.1, 1, 2, 3)", 1 + 0.4 + 0.12},
    {"CHEBY(TIME, 0, 1, 2, 3)", 1 + 0.6 + 3 * (2 * 0.09 - 1)},
    {"FORSIN(TIME, 0.1, 2, 1, 3, 4)", 0},
    {"FORCOS(TIME, 0.1, 2, 1, 3, 4)", 0},
    {"SHF(TIME, 0.1, 2, 3, 0.4, 5)", 0},
    {"MOD(-7, 3)", -1},
    {"SIGN(2, -TIME)", -2},
    {"DIM(TIME, 1)", 0},
    {"AINT(-1.7) + ANINT(-1.7)", -3},
    {"MAX(1, MIN(2, 3))", 2},
    {"ATAN2(1, -1)*RTOD", 135},
    {"IMPACT(TIME, -2, 0.5, 10, 2, 3, 0.4)", 0},
    {"IMPACT(0.6, -2, 0.5, 10, 2, 3, 0.4)", 0},
    {"BISTOP(TIME, 2, -1, 0.1, 10, 1, 3, 0.2)", -(10 * 0.2 + 2 * 3)},
    {"BISTOP(-1.2, 0, -1, 0.1, 10, 1, 3, 0.2)", 2},
    {"BISTOP(0, 2, -1, 0.1, 10, 1, 3, 0.2)", 0},
    {"ABS(-2) + SQRT(4) + EXP(0) + LOG(1) + LOG10(100) + COSH(0) + TANH(0) + ASIN(0)", 8},
};


static double expected(size_t i)
{
  const char *e = expressions[i].expression;
  if (strncmp(e, "FORSIN", 6) == 0) return 1 + 3 * sin(0.4) + 4 * sin(0.8);
  if (strncmp(e, "FORCOS", 6) == 0) return 1 + 3 * cos(0.4) + 4 * cos(0.8);
  if (strncmp(e, "SHF", 3) == 0) return 2 * sin(3 * 0.2 - 0.4) + 5;
  if (strncmp(e, "IMPACT(T", 8) == 0) return 10 * 0.04 + 3 * 2 * 0.5; // half of the border
  return expressions[i].value;
}


TEST(expressions_have_their_values)
{
  for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
    char text[600];
    snprintf(text, sizeof text,
             SI EARTH "PART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\nVARIABLE/1, FUNCTION=%s\n",
             expressions[i].expression);
    simulation s = start(deck(text));
    CHECK(simulation_go(&s, 0.3));
    const double found = simulation_output(&s, "VARIABLE_1"), want = expected(i);
    if (!CHECK_NEAR(&found, &want, 1, 1e-12)) printf("%s\n", expressions[i].expression);
  }
}


// continuation lines, abbreviations, names by remarks, ampersands
TEST(statements_go_over_lines)
{
  simulation s = start(deck(
      "title\nunits/ &\nforce=newton, mass=kilogram &\n, length=meter, time=second\nPART/1, GR\n"
      "! remark, with a comma\nMAR/1, PART = 1   ! behind\nPART/2\n!\n, MASS = 1\n, CM = 2,\n, IP "
      "= 1\n, 2, 3\n"
      "!    adams_view_name='tip'\nMARKER/2\n, PART = 2; JOINT/1, SPH, I=2, J=1\n"
      "!    adams_view_name='sum'\nVARIABLE/1\n, FUNCTION = MAX(1,\n, 2) +\n, MIN(3\n, 4)\n, + "
      "5\n"));
  check_output(&s, "sum", 2 + 3 + 5, 1e-15);
}


//---- refusals ------------------------------------------------------------------------------------

#define TWO SI EARTH "PART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\n"

static const struct {
  const char *text, *message;
} bad[] = {
    {"title\n", "the deck has no statement"},
    {"title\nNONSENSE/1\n", ":2:1: 'NONSENSE' is no statement of ADAMS"},
    {TWO "JOINT/1, REVOLUTE, I=2\n", ":7:1: JOINT/1 names no marker J"},
    {TWO "JOINT/1, REVOLUTE, I=2, J=77\n", "there is no MARKER/77"},
    {TWO "JOINT/1, WEAVE, I=2, J=1\n", "the type of JOINT/1 is not known"},
    {TWO "JOINT/1, REVOLUTE, I=2, J=2\n", "in one part"},
    {TWO "MARKER/2, PART=2\n", "MARKER/2 is defined twice"},
    {TWO "MARKER/3, PART=9\n", "PART/9, which is not defined"},
    {TWO "MARKER/3, PART=2, QP=1,2\n", "'QP' needs three numbers"},
    {TWO "MARKER/3, PART=2, QP=1,2,3,4\n", "more than 3 numbers"},
    {TWO "MARKER/3, PART=2, QP=1,2,1e999\n", "expected numbers"},
    {TWO "MARKER/3, PART=2, ZP=0,0,0\n", "points of the axes"},
    {TWO "PART/3, MASS=-1\n", "a negative mass"},
    {TWO "PART/3, MASS=1\n", "has mass and no CM"},
    {TWO "GCON/1, I=2, FUNCTION=DX(2,1)\n", "of general constraints distances are known"},
    {TWO "SFORCE/1, I=2, J=1, FUNCTION=1\n", "not TRANSLATIONAL or ROTATIONAL"},
    {TWO "SFORCE/1, TRANS, I=2, J=1\n", "SFORCE/1 has no FUNCTION"},
    {TWO "SFORCE/1, TRANS, I=2, J=1\n, FUNCTION=USER(1,2)\n",
     ":8:1: the function USER is not known"},
    {TWO "SFORCE/1, TRANS, I=2, J=1, FUNCTION=1+\n", "has no number or name"},
    {TWO "SFORCE/1, TRANS, I=2, J=1, FUNCTION=(1\n", "lacks a ')'"},
    {TWO "SFORCE/1, TRANS, I=2, J=1, FUNCTION=SIN(1,2)\n", "SIN has 2 arguments"},
    {TWO "SFORCE/1, TRANS, I=2, J=1, FUNCTION=ACCX(2)\n", "may not depend on accelerations"},
    {TWO "JOINT/1, REV, I=2, J=1\nMOTION/1, ROT, JOINT=1, FUNCTION=DX(2)\n",
     "may depend on TIME alone"},
    {TWO "JOINT/1, REV, I=2, J=1\nMOTION/1, TRANS, JOINT=1, FUNCTION=1\n",
     "a coordinate that it has not"},
    {TWO "GSE/1\n", "GSE/1 is not known here, and the machine would be another"},
    {"title\nUNITS/LENGTH=CUBIT\n", "'CUBIT' is no unit of LENGTH"},
    {"title\nUNITS/UCF=3\n", "UCF does not say the units"},
};


TEST(wrong_decks_are_refused_with_their_place)
{
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const char *path = deck_path(bad[i].text);
    artModel *m = NULL;
    artError error = {0};
    CHECK(art_load_model(&m, path, &error) == ART_BAD_INPUT && !m);
    if (!CHECK(strstr(error.text, bad[i].message))) CHECK_TEXT(error.text, bad[i].message);
    CHECK(strncmp(error.text, path, strlen(path)) == 0);
  }
}


TEST(what_decks_lose_is_told_and_strict_refuses_it)
{
  const char *path =
      deck_path(TWO "REQUEST/1, F2=USER(3)\nCONTACT/1\nFRICTION/1\nINTEGRATOR/GSTIFF\n");
  artImportDef def = art_default_import();
  artImport *import = NULL;
  artError error = {0};
  CHECK(art_import(&import, path, &def, &error) == ART_OK);
  check_stop_if_failed();
  CHECK_CONTAINS(art_import_text(import), "#   line 8: CONTACT: bodies do not collide here");
  CHECK_CONTAINS(art_import_text(import),
                 "#   line 7: F2 of REQUEST/1 is left out: the function USER");
  CHECK_TEXT(art_import_format(import), "ADAMS");
  art_free_import(import);
  def.strict = 1;
  CHECK(art_import(&import, path, &def, &error) == ART_BAD_INPUT);
}
