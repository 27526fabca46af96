// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files of other programs: machines that come out against closed forms, and files that are refused.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

#ifdef ART_HAVE_EXPAT

//---- support -------------------------------------------------------------------------------------

// the text of an import with a closure or without
static artImport *import_file(const char *path, const artClosureDef *closure)
{
  artImportDef def = art_default_import();
  artImport *import = NULL;
  def.nclosure = closure != NULL;
  def.closure = closure;
  CHECK_WORKS(art_import(&import, path, &def, &check_error));
  check_stop_if_failed();
  return import;
}


//---- URDF ----------------------------------------------------------------------------------------

// Double pendulum with angles q1 and q1 + q2 from the vertical: m1 at c1 with J1 about y, behind the elbow at l the
// lower link together with its fingers.
typedef struct twoLinks {
  double m1, c1, J1, l, m2, s2, J2; // mass, first moment and moment about the elbow
} twoLinks;

static const twoLinks ARM = {2,
                             0.25,
                             0.05 + 2 * 0.25 * 0.25,
                             0.5,
                             1.6,
                             1.5 * 0.2 + 0.1 * 0.42,
                             0.02 + 1.5 * 0.04 + 2e-5 + 0.1 * 0.42 * 0.42};


TEST(arm_of_urdf_has_the_mass_matrix_of_the_double_pendulum)
{
  artModel *m = keep_file("models/import/arm.urdf");
  artData *d = keep_fresh_data(m);
  const double q2 = 0.7, c = cos(q2), L = ARM.l;
  const int shoulder = art_find_position(m, "shoulder.angle"),
            elbow = art_find_position(m, "elbow.angle");
  d->q[shoulder] = 0.4;
  d->q[elbow] = q2;
  art_update(m, d);
  double M[16];
  art_mass_matrix(m, d, M);
  const int i = art_find_velocity(m, "shoulder.rate"), k = art_find_velocity(m, "elbow.rate");
  const double found[3] = {M[4 * i + i], M[4 * i + k], M[4 * k + k]};
  const double want[3] = {ARM.J1 + ARM.J2 + ARM.m2 * L * L + 2 * ARM.s2 * L * c,
                          ARM.J2 + ARM.s2 * L * c, ARM.J2};
  CHECK_NEAR(found, want, 3, 1e-14);
}


TEST(arm_of_urdf_has_the_weight_of_the_double_pendulum)
{
  artModel *m = keep_file("models/import/arm.urdf");
  artData *d = keep_fresh_data(m);
  const double q1 = 0.4, q2 = 0.7, g = 9.81, a[4] = {0};
  const int i = art_find_velocity(m, "shoulder.rate"), k = art_find_velocity(m, "elbow.rate");
  d->q[art_find_position(m, "shoulder.angle")] = q1;
  d->q[art_find_position(m, "elbow.angle")] = q2;
  art_update(m, d);
  double tau[4];
  art_inverse_dynamics(m, d, a, tau);
  // links hang along -z and turn about y: the torque that holds them
  const double behind = ARM.s2 * g * sin(q1 + q2);
  const double want[2] = {(ARM.m1 * ARM.c1 + ARM.m2 * ARM.l) * g * sin(q1) + behind, behind};
  const double found[2] = {tau[i], tau[k]};
  CHECK_NEAR(found, want, 2, 1e-13);
}


TEST(fingers_of_urdf_follow_by_mimic)
{
  artModel *m = keep_file("models/import/arm.urdf");
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  CHECK_WORKS(art_set_input(m, d, art_find_input(m, "grip-1_effort"), 0.1, &check_error));
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.1, &check_error));
  const double one = d->q[art_find_position(m, "grip-1.slide")],
               two = d->q[art_find_position(m, "grip-2.slide")];
  // 0.1 N on both masses together
  CHECK_NEAR(&one, ((const double[1]){0.5 * 0.1 / 0.1 * 0.01}), 1, 1e-6);
  CHECK_NEAR(&two, ((const double[1]){-one}), 1, 1e-13);
}


TEST(pairs_of_links_close_loops)
{
  const artClosureDef pin = {"end_a", "end_b", 0};
  artImport *import = import_file("models/import/four-bar.urdf", &pin);
  const char *text = art_import_text(import);
  artModel *m = keep_text_at(text, "four-bar.yaml");
  art_free_import(import);
  artData *d = keep_assembled_data(m);
  // the ends are in the same place, within the lengths of the bars
  double a[3], b[3];
  art_frame_position(m, d, art_find_frame(m, "end_a"), a);
  art_frame_position(m, d, art_find_frame(m, "end_b"), b);
  CHECK_NEAR(a, b, 3, 1e-12);
  CHECK(hypot(b[0] - 0.6, b[2]) > 0.39);
}


// torques at the published state (reference G1), where the file of Drake is at hand
TEST(arm_of_drake_has_the_published_torques)
{
  const char *path = "../shared/benchmarks/urdf/drake_benchmarks/kuka_iiwa_robot.urdf";
  if (access(path, R_OK) != 0) return;
  static const double rates[7] = {.1, .2, .3, .4, .5, .6, .7};
  static const double accelerations[7] = {.7, .6, .5, .4, .3, .2, .1};
  // with a gravity of 9.8 m/s^2, and without
  static const double heavy[7] = {0.88481882199,  -30.319570933,    -4.26077050266,   -5.1128681569,
                                  0.327123738563, -0.0553638526841, 0.000864907664254};
  static const double weightless[7] = {0.88481882199,    3.57524012745,    0.593242816047,
                                       -0.711107623222,  -0.0348339908496, -0.0326067326114,
                                       0.000864907664254};
  artModel *m = keep_file(path);
  artData *d = keep_fresh_data(m);
  for (int i = 0; i < 7; i++) d->q[i] = (i % 2 ? 30 : 60) * acos(-1) / 180, d->v[i] = rates[i];
  art_update(m, d);
  double tau[7], want[7];
  art_inverse_dynamics(m, d, accelerations, tau);
  // weight goes with gravity, which is 9.81 here
  for (int i = 0; i < 7; i++) want[i] = weightless[i] + (heavy[i] - weightless[i]) * 9.81 / 9.8;
  CHECK_NEAR(tau, want, 7, 1e-9);
}


//---- MJCF ----------------------------------------------------------------------------------------

// a capsule of 2000 kg/m^3, and what the file states
TEST(swing_of_mjcf_has_the_masses_of_its_geoms_and_rotors)
{
  artModel *m = keep_file("models/import/swing.xml");
  artData *d = keep_fresh_data(m);
  art_update(m, d);
  double M[16];
  art_mass_matrix(m, d, M);
  const double pi = acos(-1), r = 0.02;
  const double capsule = 2000 * (pi * r * r * 0.4 + 4 * pi / 3 * r * r * r);
  const int rail = art_find_velocity(m, "rail.rate"), knee = art_find_velocity(m, "knee.rate"),
            pin = art_find_velocity(m, "pin.rate");
  const double found[3] = {M[5 * rail], M[5 * knee], M[5 * pin]};
  const double want[3] = {capsule + 1.2 + 0.01, 0.01 + 1.2 * 0.15 * 0.15 + 0.01,
                          0.6 * (0.04 * 0.04 + 0.4 * 0.4) / 12 + 0.6 * 0.2 * 0.2};
  CHECK_NEAR(found, want, 3, 1e-14);
}


// 10 degrees are zero here, springs rest and keyframes count from there
TEST(coordinates_of_mjcf_count_from_the_configuration_of_the_file)
{
  artImportDef def = art_default_import();
  artImport *import = NULL;
  def.key = "aside";
  CHECK_WORKS(art_import(&import, "models/import/swing.xml", &def, &check_error));
  if (!import) return;
  artModel *m = keep_text(art_import_text(import));
  art_free_import(import);
  artData *d = keep_fresh_data(m);
  const double degree = acos(-1) / 180;
  const double found[3] = {d->q[art_find_position(m, "rail.slide")],
                           d->q[art_find_position(m, "hip.angle")],
                           d->q[art_find_position(m, "knee.angle")]};
  CHECK_NEAR(found, ((const double[3]){0.1, 0.4 - 10 * degree, 0.2}), 3, 1e-15);
  def.key = "elsewhere";
  CHECK(art_import(&import, "models/import/swing.xml", &def, &check_error) == ART_BAD_INPUT);
}


// two bars of 1 m from pins 1 m apart, and a third one that a connect of the file closes
static const char BARS[] =
    "<mujoco><compiler angle='radian'/><default><geom type='capsule' size='0.02'/>"
    "<joint axis='0 1 0'/></default><worldbody>"
    "<body name='a'><joint name='p'/><geom fromto='0 0 0 0 0 1'/>"
    "<body name='b' pos='0 0 1'><joint name='q'/><geom fromto='0 0 0 1 0 0'/></body></body>"
    "<body name='c' pos='1 0 0'><joint name='s'/><geom fromto='0 0 0 0 0 1'/></body>"
    "</worldbody><equality><connect body1='b' body2='c' anchor='1 0 0'/></equality></mujoco>";


TEST(connect_of_mjcf_is_a_loop_that_stays_closed)
{
  folder_write(folder_path("bars.xml"), BARS);
  artModel *m = keep_file(folder_path("bars.xml"));
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  d->v[art_find_velocity(m, "p.rate")] = d->v[art_find_velocity(m, "s.rate")] = 1;
  d->v[art_find_velocity(m, "q.rate")] = -1;
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.5, &check_error));
  // parallel bars: the two on pins turn alike, the third one stays level
  const double p = d->q[art_find_position(m, "p.angle")];
  CHECK(p > 0.5);
  const double found[2] = {d->q[art_find_position(m, "q.angle")],
                           d->q[art_find_position(m, "s.angle")]};
  CHECK_NEAR(found, ((const double[2]){-p, p}), 2, 1e-12);
}


// q - q0 = 0.1 + 0.5 (p - p0) + 0.4 (p - p0)^2 - 0.2 (p - p0)^4 with p0 = 0.3, q0 = 0.2 by `ref`, from which coordinates count
TEST(polynomial_of_mjcf_is_an_exact_coupling)
{
  folder_write(
      folder_path("poly.xml"),
      "<mujoco><compiler angle='radian'/><default><joint axis='0 1 0'/></default><worldbody>"
      "<body name='a'><joint name='p' ref='0.3'/><geom type='capsule' size='0.02' fromto='0 0 0 1 "
      "0 0'/>"
      "</body><body name='b'><joint name='q' ref='0.2'/><geom size='0.1' pos='0 0 "
      "-1'/></body></worldbody>"
      "<equality><joint joint1='q' joint2='p' polycoef='0.1 0.5 0.4 0 -0.2'/></equality></mujoco>");
  artModel *m = keep_file(folder_path("poly.xml"));
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.8, &check_error));
  const double p = d->q[art_find_position(m, "p.angle")], q = d->q[art_find_position(m, "q.angle")];
  CHECK(fabs(p) > 0.1);
  CHECK_NEAR(&q, ((const double[1]){0.1 + p * (0.5 + p * (0.4 - 0.2 * p * p))}), 1, 1e-12);
}


// A joint in frames of a body: at (1, 0, 0) + Rz(90 deg) (0.5, 0, 0), about Rz(90 deg) y = -x; of the geoms no mass is taken.
TEST(joint_of_mjcf_within_frames_stands_in_them)
{
  folder_write(
      folder_path("frames.xml"),
      "<mujoco><worldbody><body name='a'><inertial pos='0 0 0' mass='2' diaginertia='1 1 1'/>"
      "<frame pos='1 0 0' euler='0 0 90'><frame pos='0.25 0 0'>"
      "<joint name='j' axis='0 1 0' pos='0.25 0 0'/><geom size='1'/></frame></frame></body>"
      "</worldbody></mujoco>");
  artModel *m = keep_file(folder_path("frames.xml"));
  artData *d = keep_fresh_data(m);
  d->q[0] = acos(-1) / 2;
  art_update(m, d);
  double at[3], M;
  art_frame_position(m, d, art_find_frame(m, "a"), at);
  art_mass_matrix(m, d, &M);
  // the body goes from (0, -0.5) to (0, 0.5) of y and z, turned about -x
  CHECK_NEAR(at, ((const double[3]){0, 0.5, 0.5}), 3, 1e-15);
  CHECK_NEAR(&M, ((const double[1]){1 + 2 * 0.25}), 1, 1e-15);
}


// x'' = -w^2 (x - 0.5) between two points, with w = 2, from x = 0.8
TEST(tendon_of_mjcf_between_two_points_is_a_spring)
{
  folder_write(
      folder_path("line.xml"),
      "<mujoco><worldbody><site name='s'/><body name='a' pos='0.8 0 0'><inertial pos='0 0 0' "
      "mass='3' diaginertia='1 1 1'/><joint name='j' type='slide' axis='1 0 0'/>"
      "<site name='t'/></body></worldbody><tendon><spatial name='line' stiffness='12' "
      "springlength='0.5' limited='true' range='0.1 1'><site site='s'/><site site='t'/>"
      "</spatial></tendon></mujoco>");
  artModel *m = keep_file(folder_path("line.xml"));
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.tolerance = 1e-11;
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.7, &check_error));
  CHECK_NEAR(d->q, ((const double[1]){0.5 + 0.3 * cos(1.4) - 0.8}), 1, 1e-9);
}


// x'' = -(1 - 0.75) g of a body that falls with a quarter of its weight
TEST(gravcomp_of_mjcf_takes_a_share_of_the_weight)
{
  folder_write(folder_path("share.xml"),
               "<mujoco><option gravity='0 0 -8'/><worldbody><body name='a' gravcomp='0.75'>"
               "<inertial pos='0.3 0 0' mass='3' diaginertia='1 1 1'/>"
               "<joint name='j' type='slide' axis='0 0 1'/></body></worldbody></mujoco>");
  artModel *m = keep_file(folder_path("share.xml"));
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.5, &check_error));
  CHECK_NEAR(d->q, ((const double[1]){-0.25}), 1, 1e-12);
}


// a sum of coordinates whose spring rests between two lengths, and one that rests where the spring of its joint does
TEST(springs_of_tendons_of_mjcf_rest_where_the_file_says)
{
  folder_write(
      folder_path("sum.xml"),
      "<mujoco><compiler angle='radian'/><worldbody><body name='a'><inertial pos='0 0 0' "
      "mass='3' diaginertia='1 1 1'/><joint name='j' axis='1 0 0' ref='0.125' springref='0.5'/>"
      "</body></worldbody><tendon><fixed stiffness='5' springlength='0.25 0.5'><joint joint='j' "
      "coef='2'/></fixed><fixed stiffness='5'><joint joint='j' coef='2'/></fixed></tendon>"
      "</mujoco>");
  artImport *import = import_file(folder_path("sum.xml"), NULL);
  const char *text = art_import_text(import);
  CHECK(strstr(text, "spring: {piecewise: [[-1, -5], [0, 0], [0.25, 0], [1.25, 5]]}, rest: 0,"));
  CHECK(strstr(text, "stiffness: 5, rest: 0.75,"));
  artModel *m = keep_text(text);
  CHECK(m);
  art_free_import(import);
}


//---- Robotran ------------------------------------------------------------------------------------

TEST(cuts_of_robotran_stay_closed)
{
  artModel *m = keep_file("models/import/crank.mbs");
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.5, &check_error));
  double end[3], other[3], middle[3], bob[3];
  art_frame_position(m, d, art_find_frame(m, "coupler.end"), end);
  art_frame_position(m, d, art_find_frame(m, "rocker.end"), other);
  art_frame_position(m, d, art_find_frame(m, "coupler.middle"), middle);
  art_frame_position(m, d, art_find_frame(m, "bob"), bob);
  CHECK_NEAR(end, other, 3, 1e-12);
  const double length = hypot(hypot(middle[0] - bob[0], middle[1] - bob[1]), middle[2] - bob[2]);
  CHECK_NEAR(&length, ((const double[1]){0.5}), 1, 1e-12);
  const artEnergy energy = art_energy(m, d);
  CHECK(isfinite(energy.kinetic) && energy.kinetic > 0.01);
}


//---- SDF -----------------------------------------------------------------------------------------

// Parallel bars at the angle a from the vertical turn alike: (2 (J + m l^2/4) + M l^2) a'^2/2 + (m + M) g l cos a is kept.
TEST(linkage_of_sdf_is_closed_and_turns_as_parallel_bars)
{
  artModel *m = keep_file("models/import/linkage.sdf");
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.tolerance = 1e-11;
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.4, &check_error));
  const double q = d->q[art_find_position(m, "left.angle")];
  const double found[3] = {d->q[art_find_position(m, "right.angle")],
                           d->q[art_find_position(m, "knee.angle")],
                           d->v[art_find_velocity(m, "left.rate")]};
  const double l = 0.4, inertia = 2 * (0.01 + 0.5 * 0.2 * 0.2) + 2 * l * l;
  const double fall = 2.5 * 9.81 * l * (cos(0.3) - cos(0.3 + q));
  CHECK(q > 0.3);
  CHECK_NEAR(found, ((const double[3]){q, -q, sqrt(2 * fall / inertia)}), 3, 1e-8);
  double at[3];
  art_frame_position(m, d, art_find_frame(m, "crank.tip"), at);
  const double x = l * sin(0.3 + q);
  CHECK_NEAR(at, ((const double[3]){0.2 + x * cos(0.8), x * sin(0.8), 0.5 + l * cos(0.3 + q)}), 3,
             1e-12);
}


#define LINK(name, pose)                                                                           \
  "<link name='" name "'><pose>" pose "</pose><inertial><mass>2</mass><inertia><ixx>3</ixx>"       \
  "<iyy>4</iyy><izz>5</izz></inertia></inertial></link>"

// a screw of 2 m/rev, an old one of -2 rad/m, and bars that a gearbox and a mimic couple
static const char PARTS[] = "<sdf version='1.6'><model name='m'>" LINK("post", "0 0 0 0 0 0") LINK(
    "nut", "0 0 1 0 0 0") LINK("bolt", "0 0 2 0 0 0") LINK("a", "0 0 3 0 0 0") LINK("b",
                                                                                    "0 0 4 0 0 0")
    LINK("c", "0 0 5 0 0 0") LINK("d", "0 0 6 0 0.5 0") LINK("e", "0 0 7 0 0 0") LINK(
        "f",
        "1 0 7 0 0 0") "<joint name='hold' "
                       "type='fixed'><parent>world</parent><child>post</child></joint>"
                       "<joint name='new' type='screw'><parent>post</parent><child>nut</child>"
                       "<screw_thread_pitch>2</screw_thread_pitch><axis><xyz>0 0 "
                       "1</xyz></axis></joint>"
                       "<joint name='old' type='screw'><parent>post</parent><child>bolt</child>"
                       "<thread_pitch>-2</thread_pitch><axis><xyz>0 0 1</xyz></axis></joint>"
                       "<joint name='ja' type='revolute'><parent>post</parent><child>a</child>"
                       "<axis><xyz>0 0 1</xyz></axis></joint>"
                       "<joint name='jb' type='revolute'><parent>b</parent><child>post</child>"
                       "<axis><xyz>0 0 1</xyz></axis></joint>"
                       "<joint name='box' type='gearbox'><parent>a</parent><child>b</child>"
                       "<gearbox_reference_body>post</gearbox_reference_body><gearbox_ratio>3</"
                       "gearbox_ratio>"
                       "<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 -1</xyz></axis2></joint>"
                       "<joint name='jc' "
                       "type='prismatic'><parent>post</parent><child>c</child><axis><xyz>0 0 "
                       "1</xyz>"
                       "<mimic "
                       "joint='ja'><multiplier>0.5</multiplier><offset>0.1</offset><reference>1</"
                       "reference>"
                       "</mimic></axis></joint>"
                       "<joint name='jd' "
                       "type='prismatic'><parent>post</parent><child>d</child><axis><xyz>1 0 "
                       "0</xyz>"
                       "<use_parent_model_frame>1</use_parent_model_frame></axis></joint>"
                       "<joint name='cross' type='universal'><parent>post</parent><child>e</child>"
                       "<axis><xyz>1 0 "
                       "0</xyz><dynamics><spring_stiffness>7</spring_stiffness></dynamics></axis>"
                       "<axis2><xyz>1 2 0</xyz></axis2></joint>"
                       "<joint name='ball' type='ball'><parent>e</parent><child>f</child></joint>"
                       "</model></sdf>";


TEST(screws_gears_and_axes_of_sdf_move_their_links)
{
  folder_write(folder_path("parts.sdf"), PARTS);
  artModel *m = keep_file(folder_path("parts.sdf"));
  artData *d = keep_fresh_data(m);
  const double pi = acos(-1);
  d->q[art_find_position(m, "new.angle")] = pi;
  d->q[art_find_position(m, "old.angle")] = 0.3;
  d->q[art_find_position(m, "jd.slide")] = 0.25;
  d->q[art_find_position(m, "cross.angle")] = pi / 2;
  d->q[art_find_position(m, "cross_2.angle")] = 0.1;
  art_update(m, d);
  double nut[3], bolt[3], slid[3];
  art_frame_position(m, d, art_find_frame(m, "nut"), nut);
  art_frame_position(m, d, art_find_frame(m, "bolt"), bolt);
  art_frame_position(m, d, art_find_frame(m, "d"), slid);
  CHECK_NEAR(nut, ((const double[3]){0, 0, 2}), 3, 1e-15);
  CHECK_NEAR(bolt, ((const double[3]){0, 0, 2.15}), 3, 1e-15);
  CHECK_NEAR(slid, ((const double[3]){0.25, 0, 6}), 3, 1e-15);
  // about z: J + m h^2
  const int n = art_count(m).nv, turn = art_find_velocity(m, "new.rate");
  double *M = malloc(sizeof(double) * (size_t) (n * n));
  art_mass_matrix(m, d, M);
  CHECK_NEAR(&M[(n + 1) * turn], ((const double[1]){5 + 2 / (pi * pi)}), 1, 1e-14);
  free(M);
}


// theta_2 = -3 theta_1 about z and -z; the joint of b leads from b to the post, so that its angle is theta_2. A slide c follows.
TEST(gearbox_and_mimic_of_sdf_couple_coordinates)
{
  folder_write(folder_path("parts.sdf"), PARTS);
  artImport *import = import_file(folder_path("parts.sdf"), NULL);
  const char *text = art_import_text(import);
  CHECK(strstr(text, "box: {type: gear, joints: [ja, jb], ratio: -3}"));
  CHECK(strstr(text, "jc_mimic: {type: linear, terms: {jc: 1, ja: -0.5}, value: -0.4}"));
  art_free_import(import);
}


// every joint of the loop has a damper, so that the last one leads to a body that is welded
static const char DAMPED[] = "<sdf version='1.9'><model name='m'>" LINK("a", "0 0 0 0 0 0")
    LINK("b", "0.6 0 0.8 0 0 0") LINK("c", "2 0 0.8 0 0 0")
#define DAMPED_JOINT(name, parent, child)                                                          \
  "<joint name='" name "' type='revolute'><parent>" parent "</parent><child>" child                \
  "</child><axis><xyz>0 1 0</xyz><dynamics><damping>0.5</damping></dynamics></axis></joint>"
        DAMPED_JOINT("p", "world", "a") DAMPED_JOINT("q", "a", "b") DAMPED_JOINT(
            "s", "b",
            "c") "<joint name='t' type='prismatic'><parent>world</parent><child>c</child><axis>"
                 "<xyz>1 0 "
                 "0</xyz><dynamics><damping>0.5</damping></dynamics></axis></joint></model></sdf>";


TEST(loop_of_sdf_keeps_all_coordinates_that_something_acts_on)
{
  folder_write(folder_path("damped.sdf"), DAMPED);
  artModel *m = keep_file(folder_path("damped.sdf"));
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.3, &check_error));
  // c slides level, at the end of b and b at the end of a
  static const char *const names[4] = {"p.angle", "q.angle", "s.angle", "t.slide"};
  double q[4], c[3];
  for (int i = 0; i < 4; i++) {
    const int at = art_find_position(m, names[i]);
    if (!CHECK(at >= 0)) return;
    q[i] = d->q[at];
  }
  art_frame_position(m, d, art_find_frame(m, "c"), c);
  const double p = q[0], b = q[0] + q[1];
  const double end[3] = {0.6 * cos(p) + 0.8 * sin(p) + 1.4 * cos(b), 0,
                         0.8 * cos(p) - 0.6 * sin(p) - 1.4 * sin(b)};
  CHECK_NEAR(c, end, 3, 1e-12);
  CHECK_NEAR(c, ((const double[3]){2 + q[3], 0, 0.8}), 3, 1e-12);
  CHECK(fabs(p) > 0.01);
  CHECK_NEAR(&q[2], ((const double[1]){-b}), 1, 1e-12);
}


// a sphere of the density 3000 kg/m^3 at 2 m
TEST(inertia_of_sdf_may_come_from_shapes)
{
  folder_write(folder_path("auto.sdf"),
               "<sdf version='1.11'><model name='m'><link name='bob'><inertial auto='true'/>"
               "<collision name='c'><pose>2 0 0 0 0 0</pose><density>3000</density><geometry>"
               "<sphere><radius>0.1</radius></sphere></geometry></collision></link><joint name='p' "
               "type='revolute'><parent>world</parent><child>bob</child><axis><xyz>0 1 0</xyz>"
               "</axis></joint></model></sdf>");
  artModel *m = keep_file(folder_path("auto.sdf"));
  artData *d = keep_fresh_data(m);
  art_update(m, d);
  double M;
  art_mass_matrix(m, d, &M);
  const double mass = 3000 * 4 * acos(-1) / 3 * 1e-3;
  CHECK_NEAR(&M, ((const double[1]){mass * (4 + 0.4 * 0.01)}), 1, 1e-12);
}


TEST(link_of_sdf_without_weight_floats)
{
  folder_write(folder_path("light.sdf"),
               "<sdf version='1.9'><model name='m'><link name='a'><gravity>0</gravity><inertial>"
               "<pose>0.3 0 0 0 0 0</pose><mass>2</mass></inertial></link>"
               "<joint name='p' type='revolute'><parent>world</parent><child>a</child><axis>"
               "<xyz>0 1 0</xyz></axis></joint></model></sdf>");
  artModel *m = keep_file(folder_path("light.sdf"));
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 1, &check_error));
  CHECK_NEAR(d->q, ((const double[1]){0}), 1, 1e-14);
}


// as in Gazebo: z = z0 - g t^2/2, for each body that nothing joins to the world
TEST(bodies_of_sdf_without_a_joint_to_the_world_fall)
{
  folder_write(folder_path("fall.sdf"),
               "<sdf version='1.9'><world name='w'><gravity>0 0 -4</gravity><model name='ball'>"
               "<pose>0 0 7 0 0 0</pose><link name='a'><inertial><mass>2</mass></inertial></link>"
               "</model><model name='other'><pose>1 0 3 0 0 0</pose><link name='b'/></model>"
               "</world></sdf>");
  artModel *m = keep_file(folder_path("fall.sdf"));
  artData *d = keep_fresh_data(m);
  const artRunDef study = art_default_run();
  CHECK_WORKS(art_run_to(keep_started_run(m, d, &study), 0.5, &check_error));
  artPose at;
  const double want[2] = {6.5, 2.5};
  art_update(m, d);
  for (int i = 0; i < 2; i++) {
    art_body_pose(m, d, art_find_body(m, i ? "other__b" : "ball__a"), &at);
    CHECK_NEAR(&at.position[2], &want[i], 1, 1e-9);
  }
  // unless the call says otherwise
  artImportDef def = art_default_import();
  def.base = ART_BASE_FIXED;
  artImport *import = NULL;
  CHECK_WORKS(art_import(&import, folder_path("fall.sdf"), &def, &check_error));
  CHECK_CONTAINS(art_import_text(import), "base: {type: fixed");
  art_free_import(import);
}


//---- files that are refused ----------------------------------------------------------------------

// files that are wrong, and what the message says
#define MESH(attributes)                                                                           \
  "<mujoco><asset><mesh name='m' " attributes "/></asset><worldbody><body><joint/><geom "          \
  "type='mesh' mesh='m'/></body></worldbody></mujoco>"

static const struct {
  const char *text, *message;
} bad[] = {
    {"<robot name='a'>", "this is not XML"},
    {"<house/>", "bad.urdf:1:1: the file begins with <house>"},
    {"<!DOCTYPE r [<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>]><robot name='&b;'/>",
     "defines the entity 'a'"},
    {"<robot/>", "the robot has no link"},
    {"<robot><link/></robot>", "<link> has no 'name'"},
    {"<robot><link name='a'/><link name='a'/></robot>", "is given to two bodies"},
    {"<robot><link name='a'><inertial/></link></robot>", "has no <mass>"},
    {"<robot><link name='a'><inertial><mass value='-1'/></inertial></link></robot>",
     "has the mass -1 kg"},
    {"<robot><link name='a'><inertial><mass value='1 kg'/></inertial></link></robot>",
     "'value' is '1 kg', expected 1 finite number"},
    {"<robot><link name='a'><inertial><mass value='nan'/></inertial></link></robot>",
     "expected 1 finite number"},
    {"<robot><link name='a'/><joint name='j' type='fixed'><parent link='a'/></joint></robot>",
     "has no <child>"},
    {"<robot><link name='a'/><link name='b'/><joint name='j' type='wire'><parent link='a'/>"
     "<child link='b'/></joint></robot>",
     "'wire', which is none of URDF"},
    {"<robot><link name='a'/><link name='b'/>"
     "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"
     "<joint name='k' type='fixed'><parent link='a'/><child link='b'/></joint></robot>",
     "has two parents"},
    {"<robot><link name='a'/><link name='b'/>"
     "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>"
     "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint></robot>",
     "its joints form a circle"},
    {"<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/>"
     "<child link='b'/><axis xyz='0 0 0'/></joint></robot>",
     "the axis of joint 'j' is zero"},
    {"<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/>"
     "<child link='b'/><origin xyz='0 0'/></joint></robot>",
     "'xyz' has 2 numbers, expected 3"},
    {"<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/>"
     "<child link='b'/><mimic joint='j'/></joint></robot>",
     "which is not another joint"},
    {"<robot xmlns:xacro='x'><xacro:macro name='leg'/><link name='a'/><xacro:leg/></robot>",
     "<xacro:leg> is a macro: write out the file first"},
    {"<robot><link name='${side}_leg'/></robot>", "a formula of xacro: write out the file first"},
    {"<mbsDescR7/>", "the file has no <base>"},
    {"<mbsDescR7><base/><bodytree><body/></bodytree></mbsDescR7>", "<body> has no <bodyname>"},
    {"<mbsDescR7><base/><bodytree><body><bodyname>a</bodyname><parent><bodyname>base</bodyname>"
     "<pointname>p</pointname></parent></body></bodytree></mbsDescR7>",
     "body 'base' has no point 'p'"},
    {"<mbsDescR7><base/><bodytree><body><bodyname>a</bodyname><parent><bodyname>base</bodyname>"
     "<pointname>origin</pointname></parent><joint><type>R4</type></joint></body></bodytree>"
     "</mbsDescR7>",
     "a joint is of type 'R4'"},
    {"<sdf version='2.0'/>", "version '2.0' of SDF"},
    {"<sdf version='1.9'/>", "no link that moves"},
    {"<sdf version='1.9'><model name='m'><include/></model></sdf>",
     "the included file '' is not there"},
    {"<sdf version='1.9'><model name='m'><include><uri>../x.sdf</uri></include></model></sdf>",
     "the included file '../x.sdf' is not there, or outside"},
    {"<sdf version='1.9'><model name='m'><include><uri>bad.urdf</uri></include></model></sdf>",
     "files include each other more than 16 deep"},
    {"<sdf version='1.9'><model name='m'><link name='a'/><link name='a'/></model></sdf>",
     "'a' is given twice"},
    {"<sdf version='1.9'><model name='m'><link name='a'><pose relative_to='b'/></link>"
     "<joint name='j' type='fixed'><parent>world</parent><child>a</child></joint></model></sdf>",
     "there is no link, frame, joint or model 'b' in 'm'"},
    {"<sdf version='1.9'><model name='m'><link name='a'><pose relative_to='b'/></link>"
     "<link name='b'><pose relative_to='a'/></link></model></sdf>",
     "the pose of 'm::a' refers to itself"},
    {"<sdf version='1.9'><model name='m'><link name='a'/><frame name='f' attached_to='g'/>"
     "<frame name='g' attached_to='f'/></model></sdf>",
     "'m::f' is attached to itself"},
    {"<sdf version='1.9'><model name='m'><link name='a'/><joint name='j' type='revolute'>"
     "<parent>world</parent><child>a</child></joint></model></sdf>",
     "joint 'm::j' has no <axis>"},
    {"<sdf version='1.9'><model name='m'><link name='a'/><joint name='j' type='wire'>"
     "<parent>world</parent><child>a</child></joint></model></sdf>",
     "'wire', which is none of SDF"},
    {"<sdf version='1.9'><model name='m'><link name='a'/><joint name='j' type='ball'>"
     "<parent>a</parent><child>__model__</child></joint></model></sdf>",
     "joins a link with itself"},
    {"<sdf version='1.9'><model name='m'><link name='a'/><joint name='j' type='universal'>"
     "<parent>world</parent><child>a</child><axis/><axis2/></joint></model></sdf>",
     "are parallel"},
    {"<sdf version='1.9'><model name='m'><link name='a'/><drake:joint name='j' "
     "type='planar'/></model>"
     "</sdf>",
     "joint 'm::j' has no <parent>"},
    {"<robot><link name='a'/><drake:linear_bushing_rpy/></robot>", "the machine would be another"},
    {"<mujoco><include file='bad.urdf'/></mujoco>", "files include each other more than 16 deep"},
    {"<mujoco><include file='../x.xml'/></mujoco>", "lies outside of the folder"},
    {"<mujoco><compiler coordinate='global'/></mujoco>", "coordinates are 'global'"},
    {"<mujoco><worldbody><body><geom class='a' size='1'/></body></worldbody></mujoco>",
     "there is no class 'a'"},
    {"<mujoco><worldbody><body><joint/><geom type='box' size='1'/></body></worldbody></mujoco>",
     "its 3 sizes must be given and above zero"},
    {"<mujoco><worldbody><body><geom mesh='m'/></body></worldbody></mujoco>",
     "there is no mesh 'm'"},
    {"<mujoco><compiler settotalmass='2'/><worldbody><body gravcomp='1'/></worldbody></mujoco>",
     "'gravcomp' is given together with 'settotalmass'"},
    {"<mujoco><compiler settotalmass='2'/><worldbody><body/></worldbody></mujoco>",
     "'settotalmass' scales bodies without mass"},
    {"<mujoco><worldbody><replicate/></worldbody></mujoco>", "<replicate> has no 'count'"},
    {"<mujoco><worldbody><replicate count='1e4'><replicate count='1e4'><body/></replicate>"
     "</replicate></worldbody></mujoco>",
     "makes more than 100000 elements"},
    {"<mujoco><worldbody><composite/></worldbody></mujoco>",
     "<composite> makes bodies that deform"},
    {"<mujoco><worldbody><attach model='a'/></worldbody></mujoco>", "there is no <model> 'a'"},
    {"<mujoco><asset><model name='a' file='bad.urdf'/></asset><worldbody><attach model='a'/>"
     "</worldbody></mujoco>",
     "files include each other more than 16 deep"},
    {"<mujoco><asset><model file='../a.xml'/></asset><worldbody><attach model='a'/></worldbody>"
     "</mujoco>",
     "lies outside of the folder"},
    {"<mujoco><worldbody><site name='s'/></worldbody><tendon><spatial><site site='s'/><pulley/>"
     "</spatial></tendon></mujoco>",
     "'divisor' of a pulley is not above zero"},
    {"<mujoco><worldbody><body><joint type='rope'/></body></worldbody></mujoco>",
     "'rope', which is none of MJCF"},
    {"<mujoco><equality><weld body1='a' body2='b'/></equality></mujoco>", "there is no body 'a'"},
    {"<mujoco><actuator><motor joint='j'/></actuator></mujoco>", "there is no joint 'j'"},
#define IN_BODY(inside) "<mujoco><worldbody><body>" inside "</body></worldbody></mujoco>"
    {IN_BODY("<inertial mass='1' pos='0 0 0' diaginertia='1 1'/>"), "'diaginertia' has 2 numbers"},
    {IN_BODY("<inertial mass='1' pos='0 0 0' fullinertia='1 1 1'/>"),
     "'fullinertia' has 3 numbers, expected 6"},
    {IN_BODY("<inertial mass='1' pos='0 0'/>"), "'pos' has 2 numbers"},
    {IN_BODY("<geom size='1' quat='1 0 0'/>"), "'quat' has 3 numbers"},
    {IN_BODY("<geom size='1' euler='90'/>"), "'euler' has 1 number"},
    {IN_BODY("<geom size='1' euler='90 0 0' quat='1 0 0 0'/>"), "the axes are given twice"},
    {IN_BODY("<joint/><geom size=''/>"), "its 1 sizes must be given and above zero"},
    {IN_BODY("<joint axis='0 1'/>"), "'axis' has 2 numbers"},
    {IN_BODY("<joint range='1'/>"), "'range' has 1 number"},
    {IN_BODY("<joint range='20 10'/>"), "does not rise"},
    {IN_BODY("<joint limited='true' range='1 1'/>"), "does not rise"},
    {IN_BODY("<joint armature='-1'/>"), "is negative"},
    {IN_BODY("<joint stiffness=''/>"), "'stiffness' has 0 numbers"},
    {IN_BODY("<joint axis='0,5 1 0'/>"), "'axis' is '0,5 1 0'"},
    {MESH("file='m.stl'"), "its file 'm.stl' is not there"},
    {MESH("vertex='0 0 0 1 0 0 0 1 0 0 0 1' refquat='0 0 0 0'"), "'refquat' is zero"},
    {MESH("vertex='0 0 0 1 0 0 0 1 0 0 0 1' inertia='soft'"), "'inertia' of a mesh is 'soft'"},
    {MESH("vertex='0 0 0 1 0 0 0 1 0 1 1 0'"), "it has no area"},
    {MESH("vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 2 9'"), "names vertex 9, of which there are 4"},
    {MESH("vertex='0 0 0 1 0 0 0 1'"), "'vertex' has 8 numbers"},
    {MESH(""), "it has neither a file nor vertices"},
    {"<mujoco><asset><mesh name='m' file='m.stl'/></asset><worldbody><body><joint/><geom "
     "type='box' "
     "mesh='m'/></body></worldbody></mujoco>",
     "it is fitted to a mesh"},
    {"<mujoco><default><default class='c'/><default class='c'/></default></mujoco>",
     "the class 'c' is given twice"},
    {"<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/>"
     "<child link='b'/><axis xyz='0,5 1 0'/></joint></robot>",
     "'xyz' is '0,5 1 0'"},
};


#define BALL          "<geom size='0.1'/>"
#define WORLD(inside) "<worldbody><body name='p'>" inside "</body></worldbody>"
#define HINGE         WORLD("<joint name='j'/>" BALL)

#define ORIGIN(body) "<parent><bodyname>" body "</bodyname><pointname>origin</pointname></parent>"
#define TURN(name)                                                                                 \
  "<joint><jointname>" name "</jointname><type>R1</type><nature>independent</nature></joint>"
#define HEAVY                                                                                      \
  "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "                   \
  "iyz='0'/></inertial>"
#define PAIR(inside)                                                                               \
  "<robot name='r'><link name='a'/><link name='b'>" HEAVY "</link><joint name='k' "                \
  "type='revolute'><parent link='a'/><child link='b'/>" inside "</joint></robot>"

// files that come out as a line says
static const struct {
  const char *text, *line;
} fine[] = {
    // lines of <default> at the top go on with each other, and classes know what stands before them
    {"<mujoco><default><joint damping='0.3'/></default><default><joint "
     "stiffness='5'/></default>" HINGE "</mujoco>",
     "stiffness: 5 N m/rad, damping: 0.3 N m s/rad"},
    {"<mujoco><default><joint damping='0.3'/></default><default><default class='c'><joint "
     "stiffness='5'/></default></default>" WORLD("<joint name='j' class='c'/>" BALL) "</mujoco>",
     "stiffness: 5 N m/rad, damping: 0.3 N m s/rad"},
    {"<mujoco><default><default class='c'><joint "
     "stiffness='5'/></default></default><default><joint "
     "damping='0.3'/></default>" WORLD("<joint name='j' class='c'/>" BALL) "</mujoco>",
     "stiffness: 5 N m/rad}"},
    {"<mujoco><default><joint damping='0.3'/><joint damping='0.4'/></default>" HINGE "</mujoco>",
     "damping: 0.4 N m s/rad"},
    {"<mujoco><default><joint damping='1e11'/></default>" HINGE "</mujoco>",
     "run it with '--integrator bdf'"},
    // actuators of all kinds share their defaults
    {"<mujoco><default><motor gear='150'/></default>" HINGE
     "<actuator><general name='g' joint='j'/></actuator></mujoco>",
     "\"= 150*(1*g)\""},
    {"<mujoco><default><general gainprm='50' biastype='affine' biasprm='0 -50 -2'/></default>" HINGE
     "<actuator><motor name='g' joint='j'/></actuator></mujoco>",
     "\"= 1*(1*g)\""},
    {"<mujoco><default><position kp='50' kv='2'/></default>" HINGE
     "<actuator><general name='g' joint='j'/></actuator></mujoco>",
     "\"= 1*(50*g + (-50)*1*(j.angle + 0) + (-2)*1*j.rate)\""},
    {"<mujoco><default><position kp='50' kv='2'/></default>" HINGE
     "<actuator><velocity name='g' joint='j'/></actuator></mujoco>",
     "\"= 1*(50*g + (-50)*1*j.rate)\""},
    {"<mujoco>" HINGE "<actuator><motor name='g' joint='j' ctrlrange='0.5 1'/></actuator></mujoco>",
     "g: {limits: [0.5, 1], default: 0.5}"},
    // activations, gains of rates, damping by a ratio: 2*0.5*sqrt(100*(4 + 5)) of 4 kg and a rotor of 5 kg
    {"<mujoco>" HINGE "<actuator><damper name='g' joint='j' kv='3' gear='2'/></actuator></mujoco>",
     "\"= 2*((-3*2*j.rate)*g)\""},
    {"<mujoco>" HINGE "<actuator><cylinder name='g' joint='j' area='3' timeconst='0.2' "
     "bias='1 0 0'/></actuator></mujoco>",
     "\"= 1*(3*g_activation + 1)\""},
    {"<mujoco>" HINGE "<actuator><intvelocity name='g' joint='j' kp='3' actrange='1 2'/></actuator>"
     "</mujoco>",
     "{type: integrator, input: \"= g\", limits: [1, 2], initial: 1}"},
    {"<mujoco>" WORLD(
         "<inertial pos='0 0 0' mass='4' diaginertia='1 1 1'/><joint name='j' "
         "type='slide' armature='5' range='-2 1'/>") "<actuator><position name='g' "
                                                     "joint='j' kp='100' dampratio='0.5' "
                                                     "inheritrange='1'/></actuator></mujoco>",
     "\"= 1*(100*g + (-100)*1*(j.slide + 0) + (-30)*1*j.rate)\""},
    // 2*0.5*sqrt(100*(1 + 3)) of 1 kg m^2 behind two joints
    {"<mujoco>" WORLD(
         "<inertial pos='0 0 0' mass='4' diaginertia='1 1 1'/>"
         "<joint name='j' armature='3'/><joint name='k' type='slide'/>") "<actuator><position "
                                                                         "name='g' joint='j' "
                                                                         "kp='100' "
                                                                         "dampratio='0.5'/></"
                                                                         "actuator></mujoco>",
     "\"= 1*(100*g + (-100)*1*(j.angle + 0) + (-20)*1*j.rate)\""},
    {"<mujoco>" WORLD("<joint name='j' type='slide' range='-2 1'/>" BALL) "<actuator><position "
                                                                          "name='g' joint='j' "
                                                                          "inheritrange='2'/></"
                                                                          "actuator></mujoco>",
     "g: {limits: [-3.5, 2.5]}"},
    {"<mujoco>" WORLD(
         "<joint name='j' actuatorfrcrange='-1 2'/>" BALL) "<actuator><motor name='g' joint='j' "
                                                           "gear='3'/></actuator></mujoco>",
     "\"= clamp(3*(1*g), -1, 2)\""},
    // settings of the compiler about masses
    {"<mujoco><compiler inertiafromgeom='true'/>" WORLD("<inertial pos='0 0 0' mass='4' "
                                                        "diaginertia='1 1 1'/><joint/><geom "
                                                        "size='1' mass='7'/>") "</mujoco>",
     "{type: sphere, radius: 1, mass: 7 kg}"},
    {"<mujoco><compiler inertiagrouprange='2 3'/>" WORLD(
         "<joint/><geom size='1' mass='7'/><geom size='1' mass='5' group='3'/>") "</mujoco>",
     "solid: {type: sphere, radius: 1, mass: 5 kg}"},
    {"<mujoco><compiler settotalmass='6'/>" WORLD(
         "<joint/><geom size='1' mass='2'/><body><inertial pos='0 0 0' mass='1' "
         "diaginertia='1 1 1'/></body>") "</mujoco>",
     "mass: 2 kg\n    inertia: [2, 2, 2]"},
    {"<mujoco><compiler balanceinertia='true'/>" WORLD(
         "<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 7'/>") "</mujoco>",
     "inertia: [3, 3, 3]"},
    {"<mujoco><compiler boundmass='2' boundinertia='3'/>" WORLD(
         "<joint/><inertial pos='0 0 0' mass='1' diaginertia='1 4 4'/>") "</mujoco>",
     "mass: 2 kg\n    inertia: [3, 4, 4]"},
    {"<mujoco>" WORLD("<joint name='j' type='slide'/>" BALL) "<tendon><fixed name='t' range='1 2'>"
                                                             "<joint joint='j' "
                                                             "coef='3'/></fixed></tendon></mujoco>",
     "joint-stop, coordinates: {j: 3}, lower: 1, upper: 2,"},
    // the element decides before its class
    {"<mujoco><default><geom quat='1 1 0 0'/></default>" WORLD(
         "<joint/><geom type='box' size='1 2 3' euler='0 0 0' pos='0 0 1'/>") "</mujoco>",
     "position: [0, 0, 1]}"},
    {"<mujoco><compiler angle='radian'/>" WORLD("<joint name='j' range='0.5 1'/>" BALL) "</mujoco>",
     "j: {angle: 0.5"},
    {"<sdf version='1.9'><model name='m'><static>False</static><link name='a'/></model><model "
     "name='n'><static>True</static><link name='b'/></model></sdf>",
     "  a:\n    mass: 1 kg\n    inertia: [1, 1, 1]\n\njoints:"},
    // parts that readers of URDF pass over
    {"\n\n<?xml version='1.0' encoding='utf8'?><robot name='r'><link name='a'>" HEAVY
     "</link></robot>",
     "  # line 3\n  a:"},
    {"<!-- by\nhand --><?xml version='1.0'?>\n<robot name='r'><link name='a'>" HEAVY
     "</link></robot>",
     "  # line 3\n  a:"},
    {"<?xml verison='1.0'?>\n<robot name='r'><link name='a'>" HEAVY "</link></robot>",
     "  # line 2\n  a:"},
    // of sensors the inertial ones
    {"<sdf version='1.9'><model name='m'><link name='a'><sensor name='imu' type='imu'><pose>0 0 1 "
     "0 "
     "0 0</pose></sensor></link></model></sdf>",
     "imu_gyro: {type: gyro, frame: a.imu}"},
    {"<sdf version='1.9'><model name='m'><link name='a'><sensor name='eye' type='camera'/></link>"
     "</model></sdf>",
     "<sensor> of <link> is left out"},
    // names that the file does not give belong to nobody in it
    {"<mujoco><worldbody><body name='p'><joint name='a'/><joint name='b' axis='0 1 0'/>" BALL
     "<body name='p_1'>" BALL "</body></body></worldbody></mujoco>",
     "\n  p_1_2:"},
    {"<mujoco><worldbody><body><joint/>" BALL "</body><body name='body_1'>" BALL
     "</body></worldbody></mujoco>",
     "\n  body_1_2:"},
    {"<mbsDescR7><base/><bodytree><body><bodyname>w</bodyname>" ORIGIN("base") TURN("a") TURN(
         "b") "<mass>1</mass></body><body><bodyname>w_1</bodyname>" ORIGIN("w") "</body></bodytree>"
                                                                                "</mbsDescR7>",
     "w_1_2"},
    {"<mbsDescR7><base/><bodytree><body><bodyname>w</bodyname>" ORIGIN("base") TURN(
         "a") "<mass>1</mass><point><pointname>p</pointname></point></body></bodytree><links><link>"
              "<name>s</name><endpoint1><bodyname>base</bodyname><pointname>origin</pointname>"
              "</endpoint1><endpoint2><bodyname>w</bodyname><pointname>p</pointname></endpoint2>"
              "</link></links></mbsDescR7>",
     "s: {type: link-force, between: [ground, w.p], value: \"= s_tension\"}"},
    // gravity of old worlds
    {"<sdf version='1.4'><world name='v'><physics type='ode'><gravity>0 0 -1.6</gravity></physics>"
     "<model name='m'><link name='a'/></model></world></sdf>",
     "gravity: [0, 0, -1.6]"},
    // bounds without end, and ranges that are one place
    {PAIR("<limit lower='-inf' upper='1' effort='inf' velocity='inf'/>"), "k_effort: {unit: N m}"},
    {PAIR("<limit lower='-inf' upper='1' effort='inf' velocity='inf'/>"),
     "joint-stop, coordinate: k, upper: 1 rad,"},
    {PAIR("<limit lower='0.5' upper='0.5' effort='1'/>"), "k_held: {coordinate: k, value: 0.5}"},
    {PAIR("<limit lower='0' upper='0' effort='0' velocity='0'/>"), "has no inside and is left out"},
    {"<sdf version='1.9'><model name='m'><link name='a'/><joint name='k' type='revolute'><parent>"
     "world</parent><child>a</child><axis><limit><lower>0</lower><upper>0</upper></limit></axis>"
     "</joint></model></sdf>",
     "k_held: {coordinate: k, value: 0}"},
    // viewers know balls
    {"<sdf version='1.9'><model name='m'><link name='a'><visual "
     "name='v'><geometry><ellipsoid><radii>"
     "1 1 8</radii></ellipsoid></geometry></visual></link></model></sdf>",
     "visual: {type: sphere, radius: 2}"},
};


TEST(files_come_out_as_their_programs_read_them)
{
  char path[300];
  snprintf(path, sizeof path, "%s", folder_path("fine.xml"));
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
    folder_write(path, fine[i].text);
    artImport *import = import_file(path, NULL);
    const char *text = art_import_text(import);
    if (!CHECK(strstr(text, fine[i].line))) CHECK_TEXT(text, fine[i].line);
    art_free_import(import);
  }
}


// q_k = 2 q_lead, with 1 kg m^2 behind k
TEST(joint_without_mass_may_lead_one_with_mass)
{
  char path[300];
  snprintf(path, sizeof path, "%s", folder_path("lead.urdf"));
  folder_write(path,
               "<robot name='r'><link name='a'/><link name='d'/><link name='b'>" HEAVY
               "</link><joint name='lead' type='continuous'><parent link='a'/><child link='d'/>"
               "<limit effort='9' velocity='9'/></joint>"
               "<joint name='k' type='continuous'><parent link='a'/><child link='b'/>"
               "<mimic joint='lead' multiplier='2'/></joint></robot>");
  artModel *m = keep_file(path);
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  CHECK_WORKS(art_set_input(m, d, art_find_input(m, "lead_effort"), 4, &check_error));
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 1, &check_error));
  // 4 N m on 2^2 kg m^2
  const double found[2] = {d->q[art_find_position(m, "lead.angle")],
                           d->q[art_find_position(m, "k.angle")]};
  CHECK_NEAR(found, ((const double[2]){0.5, 1}), 2, 1e-6);
}


TEST(settings_without_effect_are_refused)
{
  const artClosureDef pair = {"a", "b", 0};
  const struct {
    const char *path;
    artImportDef def;
    const char *message;
  } calls[] = {
      {"models/import/swing.xml", {.nclosure = 1, .closure = &pair}, "--close has no meaning"},
      {"models/import/swing.xml", {.base = ART_BASE_FREE}, "--base free has no meaning"},
      {"models/import/linkage.sdf", {.nclosure = 1, .closure = &pair}, "--close has no meaning"},
      {"models/import/arm.urdf", {.key = "home"}, "an SRDF file next to the URDF file"},
      {"models/import/linkage.sdf", {.key = "home"}, "--key has no meaning"},
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    artImport *import = NULL;
    CHECK_FAILS(art_import(&import, calls[i].path, &calls[i].def, &check_error), ART_BAD_INPUT,
                calls[i].message);
  }
}


TEST(wrong_files_are_refused_with_their_place)
{
  char path[300];
  snprintf(path, sizeof path, "%s", folder_path("bad.urdf"));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    const artImportDef def = art_default_import();
    artImport *import = (artImport *) 1;
    artError error = {0};
    folder_write(path, bad[i].text);
    CHECK(art_import(&import, path, &def, &error) == ART_BAD_INPUT && import == NULL);
    if (!CHECK(strstr(error.text, bad[i].message))) CHECK_TEXT(error.text, bad[i].message);
    CHECK(strncmp(error.text, path, strlen(path)) == 0);
  }
}


TEST(deep_elements_are_refused)
{
  char path[300], text[4096] = "<robot>";
  snprintf(path, sizeof path, "%s", folder_path("deep.urdf"));
  for (int i = 0; i < 300; i++) strcat(text, "<a>");
  folder_write(path, text);
  artModel *m = NULL;
  CHECK_FAILS(art_load_model(&m, path, &check_error), ART_BAD_INPUT, "256 levels");
}


TEST(what_is_left_out_is_told_and_strict_refuses_it)
{
  artImport *import = import_file("models/import/arm.urdf", NULL);
  artPlace place;
  int count, found = 0;
  const char *note;
  for (int i = 0; (note = art_import_note(import, i, &place, &count)); i++) {
    found += strstr(note, "<mu1>") && place.line == 67 && count == 1;
    found += strstr(note, "velocity of <limit>") && count == 3;
  }
  CHECK(found == 2);
  CHECK_TEXT(art_import_format(import), "URDF");
  art_free_import(import);
  artImportDef def = art_default_import();
  def.strict = 1;
  CHECK_WORKS(art_import(&import, "models/import/arm.urdf", &def, &check_error));
  art_free_import(import);
  folder_write(folder_path("odd.urdf"), "<robot><link name='a'/><spring/></robot>");
  CHECK_FAILS(art_import(&import, folder_path("odd.urdf"), &def, &check_error), ART_BAD_INPUT,
              "odd.urdf:1:24: <spring> of <robot> is left out");
}

#endif


TEST(foreign_files_are_known_by_their_ending)
{
  CHECK(art_is_foreign("a/robot.urdf") && art_is_foreign("robot.URDF"));
  CHECK(art_is_foreign("scene.xml") && art_is_foreign("car.mbs"));
  CHECK(art_is_foreign("arm.sdf") && art_is_foreign("yard.world"));
  CHECK(art_is_foreign("deck.adm"));
  CHECK(!art_is_foreign("robot.yaml") && !art_is_foreign(".urdf") && !art_is_foreign("urdf"));
}
