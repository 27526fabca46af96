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
  return keep_file(deck_path(text));
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
  // the inertia about the centre of mass is 1, 1, 1
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
                          "REQUEST/1, F2=AZ(2,1)\\F6=TM(2,1)\\F7=SFORCE(1,1,8,0)\n"));
  CHECK(simulation_go(&s, 1.1));
  const double angle = 20 + (PI / 6 - 20) * cos(2.2);
  check_output(&s, "REQUEST_1_F2", angle, 1e-8);
  check_output(&s, "REQUEST_1_F6", 8 * fabs(angle - 20), 1e-7);
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


//---- rows of joints and couplings ----------------------------------------------------------------

#define RIGID                                                                                      \
  "PART/2, MASS=2, CM=3, IP=0.1,0.2,0.3\nMARKER/2, PART=2\nMARKER/3, PART=2, QP=0.1,0.2,-0.5\n"
#define FALL "ACCGRAV/IGRAV=1, JGRAV=2, KGRAV=-9.81\n"
#define SEES                                                                                       \
  "!  adams_view_name='a'\nVARIABLE/1, FUNCTION=DX(3)\n!  adams_view_name='b'\nVARIABLE/2, "       \
  "FUNCTION=DY(3)\n!  adams_view_name='c'\nVARIABLE/3, FUNCTION=DZ(3)\n"
#define TWIN                                                                                       \
  "articula: 1\ngravity: [1, 2, -9.81]\nbodies:\n  b: {mass: 2, com: [0.1, 0.2, -0.5], inertia: "  \
  "[0.1, 0.2, 0.3], points: {c: [0.1, 0.2, -0.5]}}\n"
#define SHOWS "outputs: {a: b.c.x, b: b.c.y, c: b.c.z}\n"

// Each primitive as a joint of ours that does the same, where there is one: a joint of ADAMS with a primitive beside it, or
// a chain of joints.
static const struct {
  const char *deck, *joints;
} rows[] = {
    {"JPRIM/1, ATPOINT, I=2, J=1\n", "joints: {j: {type: spherical, from: ground, to: b}}\n"},
    {"JPRIM/1, INLINE, I=2, J=1\n", "  m: {}\njoints: {s: {type: prismatic, axis: z, from: ground, "
                                    "to: m}, j: {type: spherical, from: m, to: b}}\n"},
    {"JPRIM/1, INPLANE, I=2, J=1\n",
     "  m: {}\njoints: {s: {type: planar, axis: z, from: ground, to: m}, j: {type: universal, "
     "axes: [x, y], from: m, to: b}}\n"},
    {"JPRIM/1, ORIENTATION, I=2, J=1\n",
     "  m: {}\n  n: {}\njoints: {x: {type: prismatic, axis: y, from: ground, to: m}, y: {type: "
     "prismatic, axis: x, from: m, to: n}, "
     "z: {type: prismatic, axis: z, from: n, to: b}}\n"},
    {"JPRIM/1, PARALLEL_AXES, I=2, J=1\n",
     "  m: {}\njoints: {s: {type: planar, axis: z, from: ground, to: m}, z: {type: prismatic, "
     "axis: z, from: m, to: b}}\n"},
    {"MARKER/4, PART=2, REULER=0,90D,0\nJPRIM/1, PERPENDICULAR, I=4, J=1\n",
     "  m: {}\n  n: {}\njoints: {s: {type: planar, axis: z, from: ground, to: m}, z: {type: "
     "prismatic, axis: z, from: m, to: n}, "
     "t: {type: revolute, axis: y, from: n, to: b}}\n"},
    {"JPRIM/1, ATPOINT, I=2, J=1\nJPRIM/2, PARALLEL, I=2, J=1\n",
     "joints: {j: {type: revolute, axis: z, from: ground, to: b}}\n"},
    {"JPRIM/1, INLINE, I=1, J=2\nJPRIM/2, ORIENTATION, I=2, J=1\n",
     "joints: {j: {type: prismatic, axis: z, from: ground, to: b}}\n"},
    {"JOINT/1, PLANAR, I=1, J=2\n", "joints: {j: {type: planar, axis: z, from: b, to: ground}}\n"},
    {"MARKER/5, PART=1, REULER=0,90D,0\nMARKER/6, PART=2, REULER=90D,90D,0\n"
     "MARKER/7, PART=2, ZP=0,0,1, XP=1,0,0\nMARKER/8, PART=1, ZP=0,0,1, XP=1,0,0\nJOINT/1, HOOKE, "
     "I=7, J=8\n",
     "joints: {j: {type: universal, axes: [y, x], from: ground, to: b}}\n"},
    {"MARKER/7, PART=2, ZP=0,0,1, XP=1,0,0\nMARKER/8, PART=1, ZP=0,0,1, XP=1,0,0\nJOINT/1, HOOKE, "
     "I=8, J=7\n",
     "joints: {j: {type: universal, axes: [x, y], from: ground, to: b}}\n"},
    {"MARKER/4, PART=2, REULER=0,90D,0\nJPRIM/1, PERPENDICULAR, I=1, J=4\n",
     "  m: {}\n  n: {}\njoints: {s: {type: planar, axis: z, from: ground, to: m}, z: {type: "
     "prismatic, axis: z, from: m, to: n}, "
     "t: {type: revolute, axis: y, from: n, to: b}}\n"},
    {"JPRIM/1, PARALLEL_AXES, I=1, J=2\n",
     "  m: {}\njoints: {s: {type: planar, axis: z, from: ground, to: m}, z: {type: prismatic, "
     "axis: z, from: m, to: b}}\n"},
    {"JPRIM/1, INPLANE, I=1, J=2\n", "  m: {}\njoints: {j: {type: spherical, from: ground, to: m}, "
                                     "s: {type: planar, axis: z, from: m, to: b}}\n"
                                     "couplings: {t: {type: linear, terms: {s.angle: 1}}}\n"},
    {"MARKER/9, PART=1, REULER=90D,90D,0\nGCON/1, FUNCTION=DZ(2,1,9)\n",
     "  m: {}\n  n: {}\njoints: {y: {type: prismatic, axis: y, from: ground, to: m}, z: {type: "
     "prismatic, "
     "axis: z, from: m, to: n}, j: {type: spherical, from: n, to: b}}\n"},
    {"GCON/1, FUNCTION=DX(2,1,1)\nGCON/2, FUNCTION=0 - DY(2,1,1)\n",
     "  m: {}\njoints: {s: {type: prismatic, axis: z, from: ground, to: m}, j: {type: spherical, "
     "from: m, to: b}}\n"},
    {"GCON/1, I=1, FUNCTION=2 - DM(9, 1)\nMARKER/9, PART=2, QP=0,2,0\n",
     "joints: {f: {type: free, from: ground, to: b}, j: {type: rod, from: ground, to: {frame: b, "
     "position: [0, 2, 0]}, length: 2}}\n"},
};


TEST(primitives_hold_what_joints_hold)
{
  static const char *const outputs[] = {"a", "b", "c", NULL};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    char text[2000], yaml[2000];
    snprintf(text, sizeof text, "%s%s", SI EARTH RIGID FALL SEES, rows[k].deck);
    snprintf(yaml, sizeof yaml, TWIN "%s" SHOWS, rows[k].joints);
    check_alike(text, yaml, outputs, 0.5);
  }
}


// Two shafts at an angle turn alike at every instant.
TEST(shafts_of_constant_velocity_turn_alike)
{
  for (int k = 0; k < 2; k++) {
    char text[1200];
    snprintf(
        text, sizeof text,
        SI EARTH
        "MARKER/9, PART=1, QP=0,0,1, REULER=0,30D,0\nPART/2, MASS=1, CM=2, IP=1,2,3\nMARKER/2, "
        "PART=2\n"
        "PART/3, MASS=1, CM=3, IP=3,2,1, QG=0,0,1, REULER=0,30D,0\nMARKER/3, PART=3\nMARKER/4, "
        "PART=2, QP=0,0,1\n"
        "MARKER/5, PART=3, REULER=%s\nJOINT/1, REVOLUTE, I=2, J=1\nJOINT/2, REVOLUTE, I=3, J=9\n"
        "JOINT/3, CONVEL, I=5, J=4\nSFORCE/1, ROTATIONAL, I=2, J=1, FUNCTION=5\n"
        "VARIABLE/1, FUNCTION=WZ(2,1,1)\nVARIABLE/2, FUNCTION=WZ(3,9,9)\nVARIABLE/3, "
        "FUNCTION=AZ(3,9)-AZ(2,1)\n",
        k ? "0,180D,0" : "0,0,0");
    simulation s = start(deck(text));
    CHECK(simulation_go(&s, 0.8));
    // both shafts about their z axes: (3 + 1) w' = 5
    check_output(&s, "VARIABLE_1", 5 * 0.8 / 4, 1e-9);
    check_output(&s, "VARIABLE_2", 5 * 0.8 / 4, 1e-9);
    check_output(&s, "VARIABLE_3", 0, 1e-9);
  }
}


#define WHEELS                                                                                     \
  "PART/2, MASS=1, CM=2, IP=1,1,2\nMARKER/2, PART=2\nPART/3, MASS=1, CM=3, IP=1,1,3, "             \
  "QG=0.4,0,0\nMARKER/3, PART=3\nMARKER/9, PART=1, QP=0.4,0,0\nJOINT/1, REVOLUTE, I=2, J=1\n"      \
  "JOINT/2, REVOLUTE, I=3, J=9\nSFORCE/1, ROTATIONAL, I=2, J=1, FUNCTION=4\nVARIABLE/1, "          \
  "FUNCTION=WZ(2,1,1)\nVARIABLE/2, FUNCTION=WZ(3,9,9)\n"

TEST(couplers_and_gears_tie_rates)
{
  // radii 0.1 and 0.3: w2 = -w1/3, (2 + 3/9) w' = 4
  simulation s = start(deck(
      SI EARTH WHEELS "MARKER/8, PART=1, QP=0.1,0,0, REULER=0,90D,0\nGEAR/1, JOINTS=1,2, CV=8\n"));
  CHECK(simulation_go(&s, 0.5));
  check_output(&s, "VARIABLE_1", 2 / (2 + 1. / 3), 1e-9);
  check_output(&s, "VARIABLE_2", -2 / (2 + 1. / 3) / 3, 1e-9);
  // q1 - 2 q2 = 0: (2 + 3/4) w' = 4
  s = start(deck(SI EARTH WHEELS "COUPLER/1, JOINTS=1,2, TYPE=R:R, SCALES=1,-2\n"));
  CHECK(simulation_go(&s, 0.5));
  check_output(&s, "VARIABLE_1", 2 / 2.75, 1e-9);
  check_output(&s, "VARIABLE_2", 1 / 2.75, 1e-9);
}


TEST(screws_racks_and_couplers_of_slides_move_in_si)
{
  // 31.4159 mm a turn: 5 mm per rad
  simulation s = start(deck(
      MM EARTH "PART/2, MASS=2, CM=2, IP=1,1,50\nMARKER/2, PART=2\nJOINT/1, CYLINDRICAL, I=2, J=1\n"
               "JOINT/2, SCREW, I=2, J=1, PITCH=31.41592653589793\nSFORCE/1, ROTATIONAL, I=2, J=1, "
               "FUNCTION=10\n"
               "REQUEST/1, V, I=2, J=1\n"));
  CHECK(simulation_go(&s, 0.5));
  // (50e-6 + 2*0.005^2) w' = 0.01
  check_output(&s, "REQUEST_1_WZ", 0.005 / 100e-6, 1e-7);
  check_output(&s, "REQUEST_1_VZ", 0.005 * 0.005 / 100e-6, 1e-9);
#define RACK                                                                                       \
  "PART/2, MASS=1, CM=2, IP=1,1,50\nMARKER/2, PART=2\nPART/3, MASS=2, CM=3, IP=1,1,1, "            \
  "QG=0,-20,0\n"                                                                                   \
  "MARKER/3, PART=3, REULER=90D,90D,0\nMARKER/9, PART=1, QP=0,-20,0, REULER=90D,90D,0\n"           \
  "JOINT/1, REVOLUTE, I=2, J=1\nJOINT/2, TRANSLATIONAL, I=3, J=9\nSFORCE/1, ROTATIONAL, I=2, "     \
  "J=1, FUNCTION=10\nREQUEST/1, V, I=2, J=1\nREQUEST/2, V, I=3\n"
  // below the pinion the rack goes with its rim, along +x: (50e-6 + 2*0.02^2) w' = 0.01
  s = start(deck(MM EARTH RACK "JOINT/3, RACKPIN, I=2, J=3, PD=40\n"));
  CHECK(simulation_go(&s, 0.5));
  check_output(&s, "REQUEST_1_WZ", 0.005 / 850e-6, 1e-8);
  check_output(&s, "REQUEST_2_VX", 0.02 * 0.005 / 850e-6, 1e-10);
  // markers in one point: PD above zero moves the rack along z, which is +x, as the pinion turns about its z
  s = start(deck(MM EARTH RACK
                 "MARKER/30, PART=3, QP=0,20,0, REULER=90D,90D,0\nJOINT/3, RACKPIN, I=2, J=30, "
                 "PD=40\n"));
  CHECK(simulation_go(&s, 0.5));
  check_output(&s, "REQUEST_2_VX", 0.02 * 0.005 / 850e-6, 1e-10);
  // 20 q1 - q2 = 0 in mm
  s = start(deck(MM EARTH RACK "COUPLER/1, JOINTS=1,2, TYPE=R:T, SCALES=20,-1\n"));
  CHECK(simulation_go(&s, 0.5));
  check_output(&s, "REQUEST_2_VX", 0.02 * 0.005 / 850e-6, 1e-10);
}


// A crank, a coupler and a rocker, each drawn with angles of its own and joined by markers that are turned against each
// other: the loop stays as it is drawn, and energy is kept.
TEST(loops_of_decks_start_as_they_are_drawn)
{
  static const char *const last[] = {
      "JOINT/4, REVOLUTE, I=43, J=9\n",  "JOINT/4, REVOLUTE, I=9, J=43\n",
      "JOINT/4, SPHERICAL, I=9, J=43\n", "JOINT/4, CYLINDRICAL, I=9, J=43\n",
      "JPRIM/4, INLINE, I=43, J=9\n",    "JPRIM/4, INLINE, I=9, J=43\n"};
  double first = NAN;
  for (size_t k = 0; k < sizeof last / sizeof *last; k++) {
    char text[1500];
    // corners (0, 0), (0, 1), (2, 1.5), (2, -0.5), all about z
    snprintf(text, sizeof text,
             SI EARTH
             "MARKER/9, PART=1, QP=2,-0.5,0, REULER=25D,0,0\nACCGRAV/IGRAV=3, JGRAV=-9.81\n"
             "PART/2, MASS=1, CM=2, IP=0.1,0.1,0.2, REULER=90D,0,0\nMARKER/2, PART=2, QP=0.5,0,0\n"
             "MARKER/22, PART=2\nMARKER/23, PART=2, QP=1,0,0, REULER=-70D,0,0\n"
             "PART/3, MASS=2, CM=3, IP=0.1,0.1,0.3, QG=0,1,0\nMARKER/3, PART=3, QP=1,0.25,0\n"
             "MARKER/32, PART=3\nMARKER/33, PART=3, QP=2,0.5,0, REULER=30D,0,0\n"
             "PART/4, MASS=1, CM=4, IP=0.1,0.1,0.2, QG=2,1.5,0, REULER=-90D,0,0\nMARKER/4, PART=4, "
             "QP=1,0,0\n"
             "MARKER/42, PART=4, REULER=110D,0,0\nMARKER/43, PART=4, QP=2,0,0\n"
             "JOINT/1, REVOLUTE, I=22, J=1\nJOINT/2, REVOLUTE, I=23, J=32\nJOINT/3, REVOLUTE, "
             "I=33, J=42\n%s"
             "REQUEST/1, D, I=2, J=1\nREQUEST/2, D, I=3, J=1\nREQUEST/3, D, I=4, J=1\nVARIABLE/1, "
             "FUNCTION=DM(43,9)\n"
             "VARIABLE/2, FUNCTION=AZ(33,42)\nVARIABLE/3, FUNCTION=0.5*(VM(2)**2 + 2*VM(3)**2 + "
             "VM(4)**2)\n"
             ", + 0.1*WZ(2)**2 + 0.15*WZ(3)**2 + 0.1*WZ(4)**2 + 9.81*(DY(2) + 2*DY(3) + DY(4)) - "
             "3*(DX(2) + 2*DX(3) + DX(4))\n",
             last[k]);
    simulation s = start(deck(text));
    check_output(&s, "REQUEST_1_DY", 0.5, 1e-12);
    check_output(&s, "REQUEST_2_DX", 1, 1e-12);
    check_output(&s, "REQUEST_2_DY", 1.25, 1e-12);
    check_output(&s, "REQUEST_3_DY", 0.5, 1e-12);
    check_output(&s, "VARIABLE_2", (30 - 110 + 90) * PI / 180, 1e-12);
    const double before = simulation_output(&s, "VARIABLE_3");
    CHECK(simulation_go(&s, 1.5));
    check_output(&s, "VARIABLE_1", 0, 1e-8);
    check_output(&s, "VARIABLE_3", before, 1e-7);
    // all of them move alike
    if (k == 0) {
      first = simulation_output(&s, "REQUEST_2_DX");
      CHECK(fabs(first - 1) > 0.1);
    }
    check_output(&s, "REQUEST_2_DX", first, 1e-8);
  }
}


// A ball joint either way round, with a body that stands turned and spins.
TEST(ball_joints_lead_either_way)
{
  double place[2][3];
  for (int k = 0; k < 2; k++) {
    char text[800];
    snprintf(
        text, sizeof text,
        SI EARTH
        "MARKER/9, PART=1, QP=1,2,3, REULER=10D,20D,30D\nACCGRAV/JGRAV=-9.81\n"
        "PART/2, MASS=1, CM=2, IP=0.1,0.2,0.25, QG=1,2,3, REULER=40D,50D,60D, WX=1, WY=2, WZ=3\n"
        "MARKER/2, PART=2, REULER=5D,6D,7D\nMARKER/3, PART=2, QP=0.4,0.1,-0.2\n"
        "PART/3, MASS=1, CM=5, IP=0.1,0.2,0.25, QG=2,2,3\nMARKER/5, PART=3\nMARKER/6, PART=3, "
        "QP=-1,0,0\n"
        "MARKER/7, PART=2\nJOINT/1, SPHERICAL, %s\nJPRIM/2, ATPOINT, %s\nREQUEST/1, D, I=3, J=9, "
        "RM=9\n",
        k ? "I=9, J=2" : "I=2, J=9", k ? "I=6, J=7" : "I=7, J=6");
    simulation s = start(deck(text));
    CHECK(simulation_go(&s, 0.6));
    for (int c = 0; c < 3; c++) {
      char name[20];
      snprintf(name, sizeof name, "REQUEST_1_D%c", 'X' + c);
      place[k][c] = simulation_output(&s, name);
    }
  }
  CHECK_NEAR(place[0], place[1], 3, 1e-8);
}


//---- vectors and stiffnesses ---------------------------------------------------------------------

// A force between two free bodies changes neither momentum; components are along the axes of RM, which turns.
TEST(vector_forces_have_their_reactions)
{
  static const char *const kinds[] = {
      "VFORCE/1, I=4, JFLOAT=5, RM=6, FX=3*TIME\\FY=-2\\FZ=1 + DX(4,6)\n",
      "VTORQUE/1, I=4, JFLOAT=5, RM=6, TX=3*TIME\\TY=-2\\TZ=1 + DX(4,6)\n",
      "GFORCE/1, I=4, JFLOAT=5, RM=6, FX=1\\FY=-2*VY(4,6)\\FZ=0\\TX=3*TIME\\TY=-2\\TZ=1\n",
      "SFORCE/1, ROTATIONAL, I=4, J=6, FUNCTION=3*TIME - WZ(4,6,6)\n",
      "BUSHING/1, I=4, J=6, K=10,20,30, KT=1,2,3, C=1,1,1, CT=0.1,0.1,0.1, FORCE=1,2,3, "
      "TORQUE=0.1,0,0\n"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    char text[1200];
    snprintf(text, sizeof text,
             SI
             "PART/1, GROUND\nPART/2, MASS=1, CM=2, IP=1,2,2.5, WX=1, VY=2\nMARKER/2, PART=2, "
             "QP=0.1,0,0\n"
             "MARKER/4, PART=2, QP=0.5,0.2,0\nPART/3, MASS=2, CM=3, IP=3,2,1.5, QG=1,0,0, WY=0.5\n"
             "MARKER/3, PART=3\nMARKER/6, PART=3, QP=0,0.3,0, REULER=20D,30D,0\nMARKER/5, PART=3, "
             "FLOATING\n%s",
             kinds[k]);
    artModel *m = deck(text);
    artData *d = keep_fresh_data(m);
    art_update(m, d);
    double before[6], after[6];
    art_momentum(m, d, before, before + 3);
    simulation s = start(m);
    CHECK(simulation_go(&s, 0.7));
    art_momentum(m, s.data, after, after + 3);
    if (!CHECK_NEAR(after, before, 6, 1e-8)) printf("of %s\n", kinds[k]);
    // and something happens
    CHECK(fabs(s.data->v[0] - d->v[0]) + fabs(s.data->v[3] - d->v[3]) > 1e-3);
  }
}


// A mass at the end of a beam along x: 12 E I/L^3 across it with the slope held, E A/L along.
TEST(beams_bend_and_stretch)
{
  simulation s = start(deck(
      SI EARTH
      "PART/2, MASS=2, CM=2, IP=1,1,1, QG=0.5,0,0, VX=0.1, VY=0.2\nMARKER/2, PART=2\n"
      "JPRIM/1, ORIENTATION, I=2, J=1\n"
      "BEAM/1, I=2, J=1, LENGTH=0.5, IXX=2e-8, IYY=1e-8, IZZ=2e-8, AREA=1e-4, EMOD=1e9, GMOD=4e8\n"
      "REQUEST/1, D, I=2, J=1\n"));
  CHECK(simulation_go(&s, 0.3));
  const double wx = sqrt(1e9 * 1e-4 / 0.5 / 2), wy = sqrt(12 * 1e9 * 2e-8 / 0.125 / 2);
  check_output(&s, "REQUEST_1_DX", 0.5 + 0.1 / wx * sin(0.3 * wx), 1e-7);
  check_output(&s, "REQUEST_1_DY", 0.2 / wy * sin(0.3 * wy), 1e-7);
}


// F = FORCE - K (x - LENGTH) - 0.1 K x'
TEST(fields_have_their_own_zero)
{
  simulation s = start(deck(
      SI EARTH
      "PART/2, MASS=2, CM=2, IP=1,1,1\nMARKER/2, PART=2\nJPRIM/1, ORIENTATION, I=2, J=1\n"
      "FIELD/1, I=2, J=1, LENGTH=0.5,0,0,0,0,0, FORCE=4,0,1,0,0,0, CRATIO=0.1\n"
      ", KMATRIX=8,0,0,0,0,0, 0,1,0,0,0,0, 0,0,1,0,0,0, 0,0,0,1,0,0\n, 0,0,0,0,1,0, 0,0,0,0,0,1\n"
      "REQUEST/1, D, I=2, J=1\n"));
  CHECK(simulation_go(&s, 0.9));
  // 2 x'' + 0.8 x' + 8 (x - 1) = 0
  const double d = 0.2, w = sqrt(4 - d * d);
  check_output(&s, "REQUEST_1_DX", 1 - exp(-0.9 * d) * (cos(0.9 * w) + d / w * sin(0.9 * w)), 1e-9);
}


//---- signals and motions -------------------------------------------------------------------------

TEST(states_variables_and_splines_are_read)
{
  simulation s = start(deck(
      SI EARTH RIGID
      "DIFF/1, IC=2, FUNCTION=-3*DIF(1) + VARVAL(1)\nVARIABLE/1, FUNCTION=6\n"
      "SPLINE/1, X=0,1,2,3, Y=1,3,5,7\nVARIABLE/2, FUNCTION=CUBSPL(TIME*2, 0, 1)\n"
      "VARIABLE/3, FUNCTION=DIF(1)\nARRAY/1, U, SIZE=1, VARIABLES=1\nARRAY/2, Y, SIZE=1\nARRAY/3, "
      "X, SIZE=1\n"
      "TFSISO/1, X=3, U=1, Y=2, NUM=2, DEN=1,0.5\nVARIABLE/4, FUNCTION=ARYVAL(2,1) + YAW(2,1)\n"));
  CHECK(simulation_go(&s, 0.4));
  check_output(&s, "VARIABLE_2", 1 + 2 * 0.8, 1e-12);
  check_output(&s, "VARIABLE_3", 2, 1e-9);
  check_output(&s, "VARIABLE_4", 12 * (1 - exp(-0.8)), 1e-7);
}


// x1' = x2, x2' = -4 x1 + u, y = 3 x1 + 2 u, with u = 8
TEST(linear_state_equations_are_states)
{
  simulation s = start(deck(
      SI EARTH RIGID
      "VARIABLE/1, FUNCTION=8\nARRAY/1, U, VARIABLES=1\nARRAY/2, X, SIZE=2\nARRAY/3, Y, SIZE=1\n"
      "ARRAY/4, IC, SIZE=2, NUMBERS=1,0\nMATRIX/1, FULL=RORDER, M=2, N=2, VALUES=0,1,-4,0\n"
      "MATRIX/2, FULL=CORDER, M=2, N=1, VALUES=0,1\nMATRIX/3, FULL=CORDER, M=1, N=2, VALUES=3,0\n"
      "MATRIX/4, FULL=RORDER, M=1, N=1, VALUES=2\nLSE/1, X=2, U=1, Y=3, A=1, B=2, C=3, D=4, IC=4\n"
      "VARIABLE/2, FUNCTION=ARYVAL(2,1)\nVARIABLE/3, FUNCTION=ARYVAL(3,1)\n"));
  CHECK(simulation_go(&s, 0.6));
  check_output(&s, "VARIABLE_2", 2 - cos(1.2), 1e-9);
  check_output(&s, "VARIABLE_3", 3 * (2 - cos(1.2)) + 16, 1e-9);
}


static const struct {
  const char *motion;
  double place; // at 1.5 s
} motions[] = {
    {"VELOCITY, FUNCTION=2", 3},
    {"VELOCITY, FUNCTION=2*TIME - 1, ICDISP=0.5", 0.5 + 2.25 - 1.5},
    {"ACCELERATION, FUNCTION=4, ICVEL=1, ICDISP=2", 2 + 1.5 + 2 * 2.25},
    {"VELOCITY, FUNCTION=STEP(TIME, 0, 0, 1, 4)", 2 + 2},
    {"VELOCITY, FUNCTION=3*STEP5(TIME, 0.5, 1, 1, 2)", 3 * (1.5 + 0.25 + 0.5)},
    {"VELOCITY, FUNCTION=2*SIN(3*TIME + 0.5)", 0},
    {"VELOCITY, FUNCTION=-COS(TIME*2)/4 + TIME**2", 0},
    {"ACCELERATION, FUNCTION=2*COS(3*TIME + 0.5), ICVEL=1", 0},
};


TEST(motions_by_velocity_are_integrated)
{
  for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
    char text[800];
    snprintf(text, sizeof text,
             SI EARTH RIGID
             "JOINT/1, TRANS, I=2, J=1\nREQUEST/1, D, I=2, J=1\nMOTION/1, TRANS, JOINT=1, %s\n",
             motions[k].motion);
    simulation s = start(deck(text));
    CHECK(simulation_go(&s, 1.5));
    const double want = k == 5   ? 2 * (cos(0.5) - cos(5)) / 3
                        : k == 6 ? -sin(3) / 8 + 1.125
                        : k == 7 ? 1.5 + 2 * ((cos(0.5) - cos(5)) / 3 - 1.5 * sin(0.5)) / 3
                                 : motions[k].place;
    const double found = simulation_output(&s, "REQUEST_1_DZ");
    if (!CHECK_NEAR(&found, &want, 1, 1e-9)) printf("%s\n", motions[k].motion);
  }
}


// Joints of ADAMS do not carry what moves them along their coordinates.
TEST(joints_carry_what_their_motions_leave)
{
  simulation s = start(
      deck(SI EARTH RIGID
           "MARKER/9, PART=1, REULER=0,90D,0\nMARKER/8, PART=2, REULER=0,90D,0\nJOINT/1, "
           "TRANSLATIONAL, I=8, J=9\n"
           "ACCGRAV/JGRAV=-10, KGRAV=-9\nMOTION/1, TRANSLATIONAL, JOINT=1, FUNCTION=1.5*TIME**2\n"
           "REQUEST/1, F2=JOINT(1,0,2,0)\\F3=JOINT(1,0,3,0)\\F4=JOINT(1,0,4,0)\n"
           "REQUEST/2, F2=MOTION(1,0,2,0)\\F3=MOTION(1,0,3,0)\\F4=MOTION(1,1,3,0)\n"
           "REQUEST/3, FORCE, I=9, J=8\n"));
  CHECK(simulation_go(&s, 0.2));
  // z of the markers is -y: the part goes along -y with 3 m/s^2
  check_output(&s, "REQUEST_1_F3", 0, 1e-9);
  check_output(&s, "REQUEST_1_F4", 18, 1e-9);
  check_output(&s, "REQUEST_2_F2", 0, 1e-9);
  check_output(&s, "REQUEST_2_F3", 2 * (10 - 3), 1e-9);
  check_output(&s, "REQUEST_2_F4", -14, 1e-9);
  check_output(&s, "REQUEST_3_FY", -14, 1e-9);
  check_output(&s, "REQUEST_3_FZ", -18, 1e-9);
}


TEST(angles_of_markers_are_those_that_they_are_given_by)
{
  simulation s = start(deck(
      SI EARTH RIGID
      "MARKER/11, PART=2, REULER=25D,40D,-70D\nMARKER/12, PART=2, REULER=90D,20D,-90D\n"
      "MARKER/13, PART=2, REULER=0,15D,0\nMARKER/9, PART=1, REULER=10D,20D,30D\nMARKER/14, PART=2, "
      "REULER=30D,0,0\n"
      "REQUEST/1, "
      "F1=PSI(11)\\F2=THETA(11,1)\\F3=PHI(11)\\F4=PITCH(12)\\F5=ROLL(13)\\F6=YAW(14)\\F7=AY(12,1)\n"
      "REQUEST/2, F1=PSI(2,9)\\F2=THETA(2,9)\\F3=PHI(2,9)\\F4=ROLL(12)\n"));
  const double degree = PI / 180, want[7] = {25, 40, -70, -20, 15, 30, 20};
  for (int k = 0; k < 7; k++) {
    char name[32];
    snprintf(name, sizeof name, "REQUEST_1_F%d", k + 1);
    check_output(&s, name, want[k] * degree, 1e-12);
  }
  // the inverse of turns a, b, c is turns pi - c, b, pi - a
  check_output(&s, "REQUEST_2_F1", PI - 30 * degree, 1e-12);
  check_output(&s, "REQUEST_2_F2", 20 * degree, 1e-12);
  check_output(&s, "REQUEST_2_F3", PI - 10 * degree, 1e-12);
  check_output(&s, "REQUEST_2_F4", 0, 1e-12);
}


// Velocities seen from the turning marker are the rates of the displacements along its axes.
TEST(velocities_seen_from_a_marker_are_rates)
{
  simulation s = start(
      deck(SI "PART/1, GROUND\nPART/2, MASS=1, CM=2, IP=1,2,2.5, WX=1, VY=2\nMARKER/2, "
              "PART=2\nMARKER/4, PART=2, QP=0.5,0.2,0\n"
              "PART/3, MASS=2, CM=3, IP=3,2,1.5, QG=1,0,0, WY=0.5, WZ=2\nMARKER/3, "
              "PART=3\nMARKER/6, PART=3, QP=0,0.3,0, REULER=20D,30D,0\n"
              "DIFF/1, FUNCTION=VX(4,6,6,6)\nDIFF/2, FUNCTION=VY(4,6,6,6)\nDIFF/3, "
              "FUNCTION=VZ(4,6,6,6)\nDIFF/4, FUNCTION=VR(4,6)\n"
              "VARIABLE/1, FUNCTION=DX(4,6,6) - DIF(1)\nVARIABLE/2, FUNCTION=DY(4,6,6) - DIF(2)\n"
              "VARIABLE/3, FUNCTION=DZ(4,6,6) - DIF(3)\nVARIABLE/4, FUNCTION=DM(4,6) - DIF(4)\n"));
  double before[4];
  static const char *const name[4] = {"VARIABLE_1", "VARIABLE_2", "VARIABLE_3", "VARIABLE_4"};
  for (int k = 0; k < 4; k++) before[k] = simulation_output(&s, name[k]);
  CHECK(simulation_go(&s, 1.3));
  for (int k = 0; k < 4; k++) check_output(&s, name[k], before[k], 1e-8);
}


// forces along a line: the components give the magnitude
TEST(magnitudes_are_those_of_components)
{
  simulation s = start(
      deck(SI EARTH RIGID
           "MARKER/9, PART=1, QP=1,2,3\nSPRINGDAMPER/1, TRANS, I=3, J=9, K=10, LENGTH=0.5\n"
           "REQUEST/1, F2=FM(3,9)\\F3=SQRT(FX(3,9)**2+FY(3,9)**2+FZ(9,3)**2)\\F4=10*(DM(3,9)-0.5)\n"
           "REQUEST/2, F2=VM(3,9,2)\\F3=SQRT(VX(3,9,3,2)**2+VY(3,9,3,2)**2+VZ(3,9,3,2)**2)\n"));
  CHECK(simulation_go(&s, 0.4));
  check_output(&s, "REQUEST_1_F2", simulation_output(&s, "REQUEST_1_F4"), 1e-12);
  check_output(&s, "REQUEST_1_F3", simulation_output(&s, "REQUEST_1_F4"), 1e-12);
  check_output(&s, "REQUEST_2_F2", simulation_output(&s, "REQUEST_2_F3"), 1e-12);
  CHECK(simulation_output(&s, "REQUEST_2_F2") > 0.1);
}


// loads of a bushing on both of its markers, along ground, and loads not known with another element between them
TEST(loads_between_markers_are_all_of_them)
{
  const char *const text = SI EARTH RIGID
      "MARKER/9, PART=1, QP=0.5,0,0, REULER=90D,0,0\nBUSHING/1, I=2, J=9, K=1,2,3, FORCE=0,0,5\n"
      "REQUEST/1, FORCE, I=2, J=9\nREQUEST/2, FORCE, I=9, J=2\nREQUEST/3, F2=BUSH(1,0,3,0)\n%s";
  char whole[1000];
  snprintf(whole, sizeof whole, text, "");
  simulation s = start(deck(whole));
  // d = (-0.5, 0, 0) is (0, 0.5, 0) along J: the force (0, -1, 5) there
  check_output(&s, "REQUEST_1_FX", 1, 1e-12);
  check_output(&s, "REQUEST_1_FZ", 5, 1e-12);
  check_output(&s, "REQUEST_2_FX", -1, 1e-12);
  check_output(&s, "REQUEST_2_TY", -2.5, 1e-12);
  check_output(&s, "REQUEST_3_F2", 0, 1e-12);
  snprintf(whole, sizeof whole, text, "GFORCE/1, I=2, JFLOAT=9, RM=1, FX=1\n");
  artImport *import = NULL;
  const artImportDef def = art_default_import();
  CHECK(art_import(&import, deck_path(whole), &def, NULL) == ART_OK);
  CHECK_CONTAINS(art_import_text(import), "FX of REQUEST/1 is left out: what acts between");
  art_free_import(import);
}


// a marker driven along x and about z of another one; the rest falls
TEST(motions_between_markers_leave_the_rest_free)
{
  simulation s = start(deck(
      SI EARTH
      "PART/2, MASS=2, CM=2, IP=1,1,1, QG=1,0,0\nMARKER/2, PART=2\nACCGRAV/JGRAV=-10\n"
      "MOTION/1, I=2, J=1, X, FUNCTION=1 + SIN(TIME)\nMOTION/2, I=2, J=1, B3, FUNCTION=2*TIME\n"
      "REQUEST/1, D, I=2, J=1\nVARIABLE/1, FUNCTION=WZ(2)\n"));
  CHECK(simulation_go(&s, 0.6));
  check_output(&s, "REQUEST_1_DX", 1 + sin(0.6), 1e-12);
  check_output(&s, "REQUEST_1_DY", -5 * 0.36, 1e-9);
  check_output(&s, "VARIABLE_1", 2, 1e-9);
}


TEST(joints_start_where_they_are_told)
{
  simulation s = start(deck(MM EARTH "PART/2, MASS=2, CM=2, IP=1,1,1\nMARKER/2, PART=2\nJOINT/1, "
                                     "CYL, I=2, J=1, ICTRAN=20,100, ICROT=30D,2\n"
                                     "REQUEST/1, F2=AZ(2,1)\nREQUEST/2, D, I=2, J=1\n"));
  CHECK(simulation_go(&s, 0.5));
  check_output(&s, "REQUEST_1_F2", PI / 6 + 1, 1e-12);
  check_output(&s, "REQUEST_2_DZ", 0.02 + 0.05, 1e-12);
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
    {"1.5D0 + 1E-1 + 0.2", 1.8},
    {"90D+TIME*0 - PI/2 + 1", 1},
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
    {"CHEBY(TIME, -1, 1, 2, 0, 3)", 1 + 2 * 1.3 + 3 * (4 * 1.3 * 1.69 - 3 * 1.3)},
    {"FORSIN(TIME, 0.1, 2, 1, 3, 4)", 0},
    {"FORCOS(TIME, 0.1, 2, 1, 3, 4)", 0},
    {"SHF(TIME, 0.1, 2, 3, 0.4, 5)", 0},
    {"MOD(-7, 3)", -1},
    {"SIGN(2, -TIME)", -2},
    {"DIM(TIME, 1)", 0},
    {"AINT(-1.7) + ANINT(-1.7)", -3},
    {"MAX(1, MIN(2, 3))", 2},
    {"ATAN2(1, -1)*RTOD", 135},
    {"DM(8, 9) + DX(8, 9)*2", -1},
    {"-DX(9, 8)**2 - DX(8, 9) - DX(9, 8)", -1},
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
             SI EARTH
             "PART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\nMARKER/8, PART=1, QP=1,0,0\n"
             "MARKER/9, PART=1, QP=2,0,0\nVARIABLE/1, FUNCTION=%s\n",
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
      "!    adams_view_name='su-m'\nVARIABLE/1\n, FUNCTION = MAX(1,\n, 2) +\n, MIN(3\n, 4)\n, + "
      "5\n"));
  check_output(&s, "su_m", 2 + 3 + 5, 1e-15);
}


//---- refusals ------------------------------------------------------------------------------------

#define TWO SI EARTH "PART/2, MASS=1, CM=2, IP=1,1,1\nMARKER/2, PART=2\n"

static const struct {
  const char *text, *message;
} bad[] = {
    {"title\n", "the deck has no statement"},
    {"title\nNONSENSE/1\n", ":2:1: 'NONSENSE' is not a statement of ADAMS"},
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
    {TWO "PART/3, GROUND\n", "PART/3 is a second ground"},
    {TWO "PART/3, MASS=-1\n", "a negative mass"},
    {TWO "PART/3, MASS=1\n", "has mass and no CM"},
    {TWO "GCON/1, I=2, FUNCTION=DX(2,1)\n", "of general constraints those are known"},
    {TWO "SFORCE/1, I=2, J=1, FUNCTION=1\n", "not TRANSLATIONAL or ROTATIONAL"},
    {TWO "SFORCE/1, TRANS, I=2, J=1\n", "SFORCE/1 has no FUNCTION"},
    {TWO "SFORCE/1, TRANS, I=2, J=1\n, FUNCTION=USER(1,2)\n",
     ":8:1: the function USER is not known"},
    {TWO "SFORCE/1, TRANS, I=2, J=1, FUNCTION=1+\n", "has no number or name"},
    {TWO "SFORCE/1, TRANS, I=2, J=1, FUNCTION=30D-5\n", "degrees or a power"},
    {TWO "MARKER/3\n", "MARKER/3 names no PART"},
    {TWO "SFORCE/1, TRANS, I=2, J=1, FUNCTION=(1\n", "lacks a ')'"},
    {TWO "SFORCE/1, TRANS, I=2, J=1, FUNCTION=SIN(1,2)\n", "SIN has 2 arguments"},
    {TWO "SFORCE/1, TRANS, I=2, J=1, FUNCTION=ACCX(2)\n", "may not depend on accelerations"},
    {TWO "JOINT/1, REV, I=2, J=1\nMOTION/1, ROT, JOINT=1, FUNCTION=DX(2)\n",
     "may depend on TIME alone"},
    {TWO "JOINT/1, REV, I=2, J=1\nMOTION/1, TRANS, JOINT=1, FUNCTION=1\n",
     "a coordinate that it has not"},
    {TWO "JOINT/1, SCREW, I=2, J=1, PITCH=1\n", "goes with a cylindrical joint"},
    {TWO "JOINT/1, RACKPIN, I=2, J=1, PD=1\n", "the pinion must turn and the rack slide"},
    {TWO "JPRIM/1, I=2, J=1\n", "the type of JPRIM/1"},
    {TWO "COUPLER/1, JOINTS=1,2, SCALES=1\n", "there is no JOINT/1"},
    {TWO "JOINT/1, REV, I=2, J=1\nMOTION/1, ROT, VEL, JOINT=1, FUNC=EXP(TIME)\n",
     "the integral of 'EXP(TIME)'"},
    {TWO "VARIABLE/1, FUNCTION=VARVAL(1)\n", "on itself"},
    {TWO "VARIABLE/1, FUNCTION=VARVAL(7)\n", "VARIABLE/7, which is not defined"},
    {TWO "SPLINE/1, X=1,2,3, Y=1,2\nVARIABLE/1, FUNCTION=AKISPL(TIME,0,1)\n",
     "3 values X and 2 values Y"},
    {TWO "FIELD/1, I=2, J=1, KMATRIX=1,2\n", "needs 36 numbers"},
    {TWO "BEAM/1, I=2, J=1\n", "BEAM/1 has no LENGTH"},
    {TWO "GFORCE/1, I=2, FUNCTION=USER(1)\n", "is made by a subroutine"},
    {TWO "JOINT/1, SPH, I=2, J=1, IC=3\n", "a coordinate that it has not"},
    {TWO "GSE/1\n", "GSE/1 is not known here, and the machine would be another"},
    {"title\nUNITS/LENGTH=CUBIT\n", "'CUBIT' is not a unit of LENGTH"},
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
  CHECK_WORKS(art_import(&import, path, &def, &check_error));
  check_stop_if_failed();
  CHECK_CONTAINS(art_import_text(import), "#   line 8: CONTACT: bodies do not collide here");
  CHECK_CONTAINS(art_import_text(import),
                 "#   line 7: F2 of REQUEST/1 is left out: the function USER");
  CHECK_TEXT(art_import_format(import), "ADAMS");
  art_free_import(import);
  def.strict = 1;
  CHECK(art_import(&import, path, &def, &check_error) == ART_BAD_INPUT);
}
