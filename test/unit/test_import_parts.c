// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Elements of machines of other programs against closed forms: tendons, actuators with states, copies, loops beside a file.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

#ifdef ART_HAVE_EXPAT

static void write_text(const char *name, const char *text)
{
  FILE *file = fopen(folder_path(name), "w");
  CHECK(file);
  check_stop_if_failed();
  fputs(text, file);
  fclose(file);
}


static artModel *keep_written(const char *name, const char *text)
{
  write_text(name, text);
  return keep_file(folder_path(name));
}


// the acceleration of the one coordinate at q, v
static double accelerate(const artModel *m, artData *d, double q, double v)
{
  d->q[0] = q;
  d->v[0] = v;
  art_update(m, d);
  CHECK_WORKS(art_accelerate(m, d, ART_MASS_MATRIX, &check_error));
  return d->a[0];
}


#define NO_WEIGHT "<option gravity='0 0 0'/>"
#define SLIDER                                                                                     \
  "<worldbody><site name='up' pos='0 1 0'/><site name='down' pos='0 -1 0'/><body name='a'>"        \
  "<inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/><joint name='j' type='slide' "              \
  "axis='1 0 0'/><site name='eye'/></body></worldbody>"
#define THROUGH "<site site='up'/><site site='eye'/><site site='down'/>"


// a line from (0, 1) through (x, 0) to (0, -1): L = 2 sqrt(1 + x^2), of which dL/dx = 4 x/L
TEST(tendon_of_mjcf_through_three_points_pulls_along_its_spans)
{
  const double x = 0.7, v = 0.4, L = 2 * sqrt(1 + x * x), slope = 4 * x / L;
  artModel *m =
      keep_written("path.xml", "<mujoco>" NO_WEIGHT SLIDER
                               "<tendon><spatial name='t' stiffness='12' damping='5' "
                               "springlength='1.5'>" THROUGH "</spatial></tendon></mujoco>");
  const double found = accelerate(m, keep_fresh_data(m), x, v);
  const double tension = 12 * (L - 1.5) + 5 * slope * v;
  CHECK_NEAR(&found, ((const double[1]){-tension * slope / 3}), 1, 1e-14);
}


// A cuboid of 2 x 4 x 6 m, 10 kg/m^3, about z of the body at 3 m from its centre, beside a ball of 5 kg: as points, some on
// faces and within, as faces, and as points of a cube with a scale; J = m (2^2 + 4^2)/12 + m 3^2 + J of the ball.
TEST(meshes_of_mjcf_by_their_vertices_have_mass)
{
  static const char *const meshes[] = {
      "vertex='-1 -2 -3 1 -2 -3 -1 2 -3 1 2 -3 -1 -2 3 1 -2 3 -1 2 3 1 2 3 0 0 0 1 0 0 1 2 0 1 2 "
      "3'",
      "vertex='-1 -2 -3 1 -2 -3 -1 2 -3 1 2 -3 -1 -2 3 1 -2 3 -1 2 3 1 2 3' face='0 2 1 1 2 3 4 5 "
      "6 "
      "5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5'",
      "scale='-1 2 3' vertex='-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1'"};
  for (int i = 0; i < 3; i++) {
    char text[1200];
    snprintf(text, sizeof text,
             "<mujoco><asset><mesh name='m' %s/></asset><worldbody><body name='a'><joint name='j' "
             "axis='0 0 1'/><geom type='mesh' mesh='m' pos='3 0 0' density='10'/><geom size='0.1' "
             "mass='5'/></body></worldbody></mujoco>",
             meshes[i]);
    artModel *m = keep_written("points.xml", text);
    artData *d = keep_fresh_data(m);
    double M;
    art_update(m, d);
    art_mass_matrix(m, d, &M);
    const double mass = 10 * 2 * 4 * 6, want = mass * 20 / 12 + mass * 9 + 0.4 * 5 * 0.01;
    CHECK_REL(&M, &want, 1, 1e-14);
  }
}


// the same line, with a half of its tension in the second span behind a pulley
TEST(motor_of_mjcf_pulls_on_a_tendon_over_a_pulley)
{
  const double x = 0.7, L = 2 * sqrt(1 + x * x), slope = 4 * x / L;
  artModel *m = keep_written(
      "pulley.xml",
      "<mujoco>" NO_WEIGHT SLIDER
      "<tendon><spatial name='t'><site site='up'/><site site='eye'/><pulley divisor='2'/>"
      "<site site='eye'/><site site='down'/></spatial></tendon>"
      "<actuator><motor name='u' tendon='t' gear='7'/></actuator></mujoco>");
  artData *d = keep_fresh_data(m);
  CHECK_WORKS(art_set_input(m, d, art_find_input(m, "u"), 2, &check_error));
  const double found = accelerate(m, d, x, 0);
  CHECK_NEAR(&found, ((const double[1]){14 * slope * 0.75 / 3}), 1, 1e-14);
}


// x'' = a/m with a = u (1 - exp(-t/T)) and with a = u t
TEST(actuators_of_mjcf_have_states)
{
  artModel *m = keep_written(
      "states.xml",
      "<mujoco>" NO_WEIGHT
      "<worldbody><body name='a'><inertial pos='0 0 0' mass='3' diaginertia='1 1 1'/>"
      "<joint name='j' type='slide' axis='1 0 0'/></body><body name='b'><inertial pos='0 0 0' "
      "mass='3' diaginertia='1 1 1'/><joint name='k' type='slide' axis='1 0 0'/></body></worldbody>"
      "<actuator><general name='u' joint='j' dyntype='filter' dynprm='0.2'/><general name='w' "
      "joint='k' dyntype='integrator'/></actuator></mujoco>");
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.tolerance = 1e-11;
  CHECK_WORKS(art_set_input(m, d, art_find_input(m, "u"), 6, &check_error));
  CHECK_WORKS(art_set_input(m, d, art_find_input(m, "w"), 6, &check_error));
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.5, &check_error));
  const double T = 0.2, t = 0.5;
  const double found[2] = {d->q[art_find_position(m, "j.slide")],
                           d->q[art_find_position(m, "k.slide")]};
  const double wanted[2] = {2 * (t * t / 2 - T * t + T * T * (1 - exp(-t / T))), 2 * t * t * t / 6};
  CHECK_NEAR(found, wanted, 2, 1e-9);
}


// a rotor at (1, 0, 0), turned by 90 deg about x: its thrust along z is along -y of the body, its torque likewise
TEST(actuator_of_mjcf_at_a_site_pushes_in_its_axes)
{
  artModel *m = keep_written(
      "site.xml", "<mujoco>" NO_WEIGHT "<worldbody><body name='a'><freejoint name='f'/>"
                  "<inertial pos='0 0 0' mass='2' diaginertia='1 4 5'/><site name='s' pos='1 0 0' "
                  "euler='90 0 0'/></body></worldbody><actuator><motor name='u' site='s' "
                  "gear='0 0 1 0 0 0.5'/></actuator></mujoco>");
  artData *d = keep_fresh_data(m);
  CHECK_WORKS(art_set_input(m, d, art_find_input(m, "u"), 8, &check_error));
  art_update(m, d);
  CHECK_WORKS(art_accelerate(m, d, ART_MASS_MATRIX, &check_error));
  CHECK_NEAR(d->a, ((const double[6]){0, -4, 0, 0, -1, -8.0 / 5}), 6, 1e-14);
}


// a ball of inertia 2 in a ball joint on a free body of inertia 3: relative spin w slows by -d w (1/2 + 1/3)
TEST(ball_joints_of_mjcf_are_damped_between_their_bodies)
{
  artModel *m = keep_written(
      "ball.xml",
      "<mujoco>" NO_WEIGHT "<worldbody><body name='a'><freejoint name='f'/>"
      "<inertial pos='0 0 0' mass='2' diaginertia='3 3 3'/><body name='b'><joint name='j' "
      "type='ball' damping='0.6'/><inertial pos='0 0 0' mass='2' diaginertia='2 2 2'/></body>"
      "</body></worldbody></mujoco>");
  artData *d = keep_fresh_data(m);
  d->v[art_find_velocity(m, "j.wz")] = 4;
  art_update(m, d);
  CHECK_WORKS(art_accelerate(m, d, ART_MASS_MATRIX, &check_error));
  const double found[2] = {d->a[art_find_velocity(m, "f.wz")], d->a[art_find_velocity(m, "j.wz")]};
  CHECK_NEAR(found, ((const double[2]){0.8, -1.2 - 0.8}), 2, 1e-14);
}


// all of a keyframe: places, velocities, inputs
TEST(keyframe_of_mjcf_is_the_initial_state)
{
  static const char text[] =
      "<mujoco><worldbody><body name='a'><freejoint name='f'/><geom size='0.1'/><body name='b'>"
      "<joint name='j' ref='10'/><geom size='0.1'/></body></body></worldbody>"
      "<actuator><position name='p' joint='j' ctrlrange='0 1'/></actuator><keyframe>"
      "<key name='other'/><key name='home' qpos='1 2 3 0 1 0 0 0.5' qvel='4 5 6 7 8 9 0.3' "
      "ctrl='0.7'/></keyframe></mujoco>";
  write_text("key.xml", text);
  artImportDef def = art_default_import();
  artImport *import = NULL;
  def.key = "home";
  CHECK_WORKS(art_import(&import, folder_path("key.xml"), &def, &check_error));
  check_stop_if_failed();
  artModel *m = keep_text(art_import_text(import));
  art_free_import(import);
  artData *d = keep_fresh_data(m);
  const double q[8] = {1, 2, 3, 0, 1, 0, 0, 0.5 - 10 * acos(-1) / 180},
               v[7] = {4, 5, 6, 7, 8, 9, 0.3};
  artInputPart input;
  CHECK_NEAR(d->q, q, 8, 1e-15);
  CHECK_NEAR(d->v, v, 7, 1e-15);
  CHECK(art_get_input(m, art_find_input(m, "p"), &input) && input.initial == 0.7);
}


// A joint that follows another comes to where its leader is, 0.1 + 2 * 0.3 + 0.5 * 0.09; the others start where the keyframe
// has them.
TEST(keyframe_of_mjcf_holds_for_leaders)
{
  write_text(
      "lead.xml",
      "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body><body><joint name='k'/>"
      "<geom size='1'/></body></worldbody><equality><joint joint1='j' joint2='k' "
      "polycoef='0.1 2 0.5'/></equality><keyframe><key name='a' qpos='0.9 0.3'/></keyframe>"
      "</mujoco>");
  artImportDef def = art_default_import();
  artImport *import = NULL;
  def.key = "a";
  CHECK_WORKS(art_import(&import, folder_path("lead.xml"), &def, &check_error));
  check_stop_if_failed();
  artModel *m = keep_text(art_import_text(import));
  art_free_import(import);
  artData *d = keep_fresh_data(m);
  artAssembly result;
  CHECK_WORKS(art_assemble(m, d, &result, &check_error));
  CHECK_NEAR(d->q, ((const double[2]){0.745, 0.3}), 2, 1e-12);
}


// copies a quarter of a turn apart, each one step along its own x: at (0, 0), (1, 0), (1, 1)
TEST(replicate_of_mjcf_copies_bodies_and_what_refers_to_them)
{
  artModel *m = keep_written(
      "copies.xml",
      "<mujoco><worldbody><replicate count='3' offset='1 0 0' euler='0 0 90' sep='-'>"
      "<body name='b'><joint name='j'/><geom size='0.1'/></body></replicate></worldbody>"
      "<actuator><motor name='u' joint='j'/></actuator></mujoco>");
  artData *d = keep_fresh_data(m);
  art_update(m, d);
  const char *const names[] = {"b-0", "b-1", "b-2"}, *const inputs[] = {"u-0", "u-1", "u-2"};
  const double wanted[3][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
  for (int i = 0; i < 3; i++) {
    double at[3];
    CHECK(art_find_input(m, inputs[i]) >= 0);
    art_frame_position(m, d, art_find_frame(m, names[i]), at);
    CHECK_NEAR(at, wanted[i], 3, 1e-15);
  }
}


// diagonal of the inertia of a body of one geom with 1 kg, about its centre
static void inertia_of_geom(const char *geom, double I[3])
{
  char text[400];
  snprintf(
      text, sizeof text,
      "<mujoco><asset><mesh name='m' inertia='shell' vertex='-1 -2 "
      "-3 1 -2 -3 -1 2 -3 1 2 -3 -1 -2 3 1 -2 3 -1 2 3 1 2 3' face='0 2 1 1 2 3 4 5 6 5 7 6 0 1 "
      "4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5'/></asset><worldbody><body><joint/><geom "
      "mass='1' %s/></body></worldbody></mujoco>",
      geom);
  write_text("shell.xml", text);
  const artImportDef def = art_default_import();
  artImport *import = NULL;
  CHECK_WORKS(art_import(&import, folder_path("shell.xml"), &def, &check_error));
  check_stop_if_failed();
  const char *at = strstr(art_import_text(import), "inertia: [");
  CHECK(at && sscanf(at, "inertia: [%lf, %lf, %lf]", &I[0], &I[1], &I[2]) == 3);
  art_free_import(import);
}


// moments of a solid of density one, by its half lengths or by radius and half length: its volume and inertia
static void solid(char type, const double s[3], double x[4])
{
  const double pi = acos(-1), r = s[0], h = 2 * s[1];
  const double ball = 4 * pi / 3 * r * r * r, tube = pi * r * r * h;
  if (type == 'b') {
    x[0] = 8 * s[0] * s[1] * s[2];
    for (int i = 0; i < 3; i++)
      x[1 + i] = x[0] / 3 * (pow(s[(i + 1) % 3], 2) + pow(s[(i + 2) % 3], 2));
    return;
  }
  x[0] = tube + (type == 'c' ? ball : 0);
  x[1] = x[2] = tube * (3 * r * r + h * h) / 12 +
                (type == 'c' ? ball * (0.4 * r * r + h * h / 4 + 0.375 * h * r) : 0);
  x[3] = tube * r * r / 2 + (type == 'c' ? 0.4 * ball * r * r : 0);
}


// A shell is the layer between two solids, all faces of which are 2e apart: I = (I_outer - I_inner)/(V_outer - V_inner).
TEST(shells_of_mjcf_have_the_inertia_of_thin_layers)
{
  static const struct {
    const char *geom;
    char type;
    double size[3], grows[3];
  } shells[] = {{"shellinertia='true' type='box' size='1 2 3'", 'b', {1, 2, 3}, {1, 1, 1}},
                {"type='mesh' mesh='m'", 'b', {1, 2, 3}, {1, 1, 1}},
                {"shellinertia='true' type='cylinder' size='0.5 2'", 'z', {0.5, 2, 0}, {1, 1, 0}},
                {"shellinertia='true' type='capsule' size='0.5 2'", 'c', {0.5, 2, 0}, {1, 0, 0}},
                {"shellinertia='true' type='sphere' size='0.5'", 'c', {0.5, 0, 0}, {1, 0, 0}},
                {"shellinertia='true' type='ellipsoid' size='1 1 1'", 'c', {1, 0, 0}, {1, 0, 0}}};
  const double e = 1e-4;
  for (size_t k = 0; k < sizeof shells / sizeof *shells; k++) {
    double found[3], wanted[3], outer[4], inner[4], more[3], less[3];
    for (int i = 0; i < 3; i++) {
      more[i] = shells[k].size[i] + e * shells[k].grows[i];
      less[i] = shells[k].size[i] - e * shells[k].grows[i];
    }
    solid(shells[k].type, more, outer);
    solid(shells[k].type, less, inner);
    for (int i = 0; i < 3; i++) wanted[i] = (outer[1 + i] - inner[1 + i]) / (outer[0] - inner[0]);
    inertia_of_geom(shells[k].geom, found);
    CHECK_NEAR(found, wanted, 3, 1e-7);
  }
}


// An arm in degrees and with classes of its own, at two places of a file in radians with other classes: masses, ranges and
// damping belong to the arm, and references to a part that is not attached stay away.
TEST(attach_of_mjcf_brings_bodies_of_other_files)
{
  write_text(
      "arm.xml",
      "<mujoco><default><joint damping='3'/><default class='c'><geom size='1' mass='2'/></default>"
      "</default><worldbody><body name='upper' pos='0 0 2' childclass='c'><joint name='j' "
      "range='-90 90'/><geom/><body name='lower' euler='0 90 0' pos='0 0 1'><joint name='k' "
      "type='slide'/><geom/></body></body></worldbody><actuator><motor name='u' joint='j'/><motor "
      "name='v' joint='k'/></actuator></mujoco>");
  artModel *m = keep_written(
      "scene.xml",
      "<mujoco><compiler angle='radian'/><default><geom mass='99'/><joint damping='7'/></default>"
      "<asset><model name='arm' file='arm.xml'/></asset><worldbody><attach model='arm' "
      "body='upper' "
      "prefix='l_'/><frame pos='5 0 0'><attach model='arm' body='lower' prefix='r_'/></frame>"
      "</worldbody></mujoco>");
  artData *d = keep_fresh_data(m);
  double at[3];
  CHECK(m && art_find_input(m, "l_u") >= 0 && art_find_input(m, "r_v") >= 0);
  CHECK(art_find_input(m, "r_u") < 0);
  art_update(m, d);
  art_frame_position(m, d, art_find_frame(m, "l_lower"), at);
  CHECK_NEAR(at, ((const double[3]){0, 0, 3}), 3, 1e-15);
  art_frame_position(m, d, art_find_frame(m, "r_lower"), at);
  CHECK_NEAR(at, ((const double[3]){5, 0, 1}), 3, 1e-15);
  const int k = art_find_velocity(m, "r_k.rate");
  CHECK(k >= 0);
  check_stop_if_failed();
  d->v[k] = 1;
  art_update(m, d);
  CHECK_WORKS(art_accelerate(m, d, ART_MASS_MATRIX, &check_error));
  CHECK_NEAR(&d->a[k], ((const double[1]){-1.5}), 1, 1e-14);
  // a class for another kind of actuator
  write_text("arm.xml",
             "<mujoco><default><position kp='5'/></default><worldbody><body name='upper'>"
             "<joint name='j'/><geom size='1'/><body name='lower'/></body></worldbody>"
             "<actuator><general joint='j'/></actuator></mujoco>");
  const artImportDef def = art_default_import();
  artImport *import = NULL;
  CHECK_FAILS(art_import(&import, folder_path("scene.xml"), &def, &check_error), ART_BAD_INPUT,
              "has 'kp' of a class for <position>");
}


// A file of version 1.4, whose axis counts in its model, included twice in one of version 1.9, turned by a quarter and
// merged: links stand where their poses say, and both axes lead along y of the world.
TEST(included_files_of_sdf_stand_in_their_places)
{
  write_text("part.sdf",
             "<sdf version='1.4'><model name='p'><pose>9 9 9 0 0 0</pose><link name='a'/><link "
             "name='b'><pose>1 0 0 0 0 0.5</pose></link><joint name='j' type='prismatic'><parent>a"
             "</parent><child>b</child><axis><xyz>1 0 0</xyz></axis></joint></model></sdf>");
  artModel *m = keep_written(
      "whole.sdf",
      "<sdf version='1.9'><model name='w'><link "
      "name='o'/><include><uri>part.sdf</uri><name>q</name>"
      "<pose>0 0 2 0 0 1.5707963267948966</pose></include><include merge='true'><uri>part.sdf</uri>"
      "<pose relative_to='o'>5 0 0 0 0 1.5707963267948966</pose></include><joint name='f' "
      "type='fixed'><parent>o</parent><child>q::a</child></joint><joint name='g' type='fixed'>"
      "<parent>o</parent><child>a</child></joint><joint name='h' "
      "type='fixed'><parent>world</parent>"
      "<child>o</child></joint></model></sdf>");
  artData *d = keep_fresh_data(m);
  const char *const names[] = {"q__b", "b"};
  const double wanted[2][3] = {{0, 1.5, 2}, {5, 1.5, 0}};
  for (int i = 0; i < 2; i++) d->q[i] = 0.5;
  art_update(m, d);
  for (int i = 0; i < 2; i++) {
    double at[3];
    art_frame_position(m, d, art_find_frame(m, names[i]), at);
    CHECK_NEAR(at, wanted[i], 3, 1e-15);
  }
}


// two cranks whose couplers meet in a ball: 5 velocities behind a ball joint, and 3 rows
TEST(loops_beside_a_urdf_file_are_closed)
{
  artModel *m = keep_file("models/import/five-bar.urdf");
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  CHECK(art_find_velocity(m, "right_elbow.wx") >= 0);
  CHECK(art_find_input(m, "left_motor_effort") >= 0 && art_find_input(m, "left_elbow_effort") < 0);
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.2, &check_error));
  double a[3], b[3];
  art_update(m, d);
  art_frame_position(m, d, art_find_frame(m, "left_end"), a);
  art_frame_position(m, d, art_find_frame(m, "right_end"), b);
  CHECK_NEAR(a, b, 3, 1e-12);
}


#define BAR(name)                                                                                  \
  "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "     \
  "ixz='0' iyz='0'/></inertial></link>"
#define TURN(name, type, from, to, x)                                                              \
  "<joint name='" name "' type='" type "'><parent link='" from "'/><child link='" to               \
  "'/><origin xyz='" x "'/><axis xyz='0 1 0'/><limit lower='-9' upper='9' effort='5'/></joint>"

// Four bars of 0.5, 0.8, 0.7 and 1 m whose ends lie 0.1 m apart along the axes: held along x and z alone they close, near the
// state of the SRDF file; the passive joint has no motor.
TEST(loops_of_srdf_files_hold_what_their_masks_say)
{
  write_text("bars.urdf",
             "<robot name='r'><link name='o'/>" BAR("c") BAR("k")
                 BAR("s") "<link name='A'/><link "
                          "name='B'/>" TURN("p", "revolute", "o", "c", "0 0 0")
                              TURN("q", "revolute", "c", "k", "0.5 0 0")
                                  TURN("t", "revolute", "o", "s", "1 0 0")
                                      TURN("a", "fixed", "k", "A", "0.8 0.1 0")
                                          TURN("b", "fixed", "s", "B", "0.7 0 0") "</robot>");
  write_text("bars.srdf",
             "<robot name='r'><loop_constraint frame1='A' frame2='B' mask='x z'/><passive_joint "
             "name='q'/><group_state name='home'><joint name='p' value='-1.5'/><joint name='q' "
             "value='1.2'/><joint name='t' value='-1.6'/></group_state></robot>");
  artModel *m = keep_file(folder_path("bars.urdf"));
  artData *d = keep_fresh_data(m);
  artAssembly result;
  double a[3], b[3];
  CHECK(art_find_input(m, "p_effort") >= 0 && art_find_input(m, "q_effort") < 0);
  CHECK_WORKS(art_assemble(m, d, &result, &check_error));
  art_update(m, d);
  art_frame_position(m, d, art_find_frame(m, "A"), a);
  art_frame_position(m, d, art_find_frame(m, "B"), b);
  CHECK_NEAR(a, ((const double[3]){b[0], 0.1, b[2]}), 3, 1e-12);
  CHECK(fabs(d->q[0] + 1.5) < 0.3 && fabs(d->q[1] - 1.2) < 0.3);
}


#define LINK(name)                                                                                 \
  "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>" \
  "</link>"
#define PIN(name, from, to)                                                                        \
  "<joint name='" name "' type='continuous'><parent link='" from "'/><child link='" to             \
  "'/><origin xyz='1 0 0'/></joint>"

// files of loops that are wrong, and what the message says
static const struct {
  const char *text, *message;
} loops[] = {
    {"closed_loop: [[c]]", "loops.yaml:1:15: entry 1 of 'closed_loop' is not a pair"},
    {"closed_loop: [[c, c]]", "both are the link 'c'"},
    {"closed_loop: [[c, a]]\ntype: [4d]", "neither 6d nor 3d"},
    {"closed_loop: [[c, a]]\njoint_name: [x]\njoint_type: [SPHERICAL]",
     "loops.yaml:2:14: there is no joint 'x'"},
    {"closed_loop: [[c, a]]\njoint_name: [p]\njoint_type: [WIRE]", "joint 'p' is of type 'WIRE'"},
    {"closed_loop: [[c, a]\n", "cannot read the loops next to the robot: "},
    {"closed_loop: [[c, a]]\nmore: &x 1\n", "loops.yaml:2:7: anchors ('&x')"}};


// The text of a robot with links a, b, c, joints p (to b), q (to c) and a file beside it.
static artImport *import_beside(const char *file, const char *text)
{
  artImport *import = NULL;
  const artImportDef def = art_default_import();
  write_text("open.urdf", "<robot>" LINK("a") LINK("b") LINK("c") PIN("p", "a", "b")
                              PIN("q", "b", "c") "</robot>");
  write_text(file, text);
  CHECK_WORKS(art_import(&import, folder_path("open.urdf"), &def, &check_error));
  check_stop_if_failed();
  remove(folder_path(file));
  return import;
}


// frames of Pinocchio: a joint is in the frame of its child link
TEST(pairs_of_loop_files_may_name_joints)
{
  static const struct {
    const char *text, *closure;
  } cases[] = {{"closed_loop: [[q, a]]\ntype: [3d]", "closes_a: {type: spherical, from: c, to: a,"},
               {"closed_loop: [[a, q]]", "closes_c: {type: fixed, from: a, to: c,"},
               {"closed_loop: [[a, q]]\ntype: 3d", "closes_c: {type: spherical, from: a, to: c,"},
               {"closed_loop: [[p, q]]\ntype: [6D]", "closes_c: {type: fixed, from: b, to: c,"}};
  static const char *const files[] = {"open.yaml", "open.yml", "robot.yaml", "robot.yml"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int k = 0; k < 4; k++) {
      artImport *import = import_beside(files[k], cases[i].text);
      CHECK_CONTAINS(art_import_text(import), cases[i].closure);
      art_free_import(import);
    }
  }
}


TEST(loop_files_that_are_not_understood_are_noted)
{
  static const struct {
    const char *file, *text, *note;
  } cases[] = {
      {"robot.yaml", "closed_loop: [[x, y], [u, v]]", "loops of the file are left out"},
      {"robot.yaml", "legs: {closed_loop: [[a, c]]}", "no list 'closed_loop' at its top"},
      {"open.yaml", "- closed_loop: [[a, c]]", "no list 'closed_loop' at its top"},
      {"open.yml", "closed_loop: a", "no list 'closed_loop' at its top"},
      {"open.yml", "closed_loop: [[a, c]]\ngears: 3", "'gears' is left out"},
      {"open.yml", "loops: [[a, c]]", "'loops' of this file next to the robot is not read"},
      {"open.yaml", "robot:\n  'Loop-Closures' : [[a, c]", "'Loop-Closures' of this file"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    artImport *import = import_beside(cases[i].file, cases[i].text);
    CHECK_CONTAINS(art_import_text(import), cases[i].note);
    art_free_import(import);
  }
  // one that names some link of ours is ours: the rest of it must be right
  artModel *m = NULL;
  write_text("robot.yaml", "closed_loop: [[x, a]]");
  CHECK_FAILS(art_load_model(&m, folder_path("open.urdf"), &check_error), ART_BAD_INPUT,
              "the file has no link or joint 'x'");
  remove(folder_path("robot.yaml"));
}


TEST(wrong_files_of_loops_are_refused_with_their_place)
{
  FILE *file = fopen(folder_path("loops.urdf"), "w");
  fputs("<robot>" LINK("a") LINK("b") LINK("c") PIN("p", "a", "b") PIN("q", "b", "c") "</robot>",
        file);
  fclose(file);
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
    artModel *m = NULL;
    artError error = {0};
    file = fopen(folder_path("loops.yaml"), "w");
    fputs(loops[i].text, file);
    fclose(file);
    CHECK(art_load_model(&m, folder_path("loops.urdf"), &error) == ART_BAD_INPUT && !m);
    if (!CHECK(strstr(error.text, loops[i].message))) CHECK_TEXT(error.text, loops[i].message);
  }
}

#ifdef ART_ASSIMP_LIBRARY

#define BOX_VERTICES  "0 0 0 100 0 0 100 200 0 0 200 0 0 0 300 100 0 300 100 200 300 0 200 300"
#define BOX_TRIANGLES "0 2 1 0 3 2 4 5 6 4 6 7 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7"

// a box of 1 x 2 x 3 m in cm, with z up, moved by 1 m along x
static const char collada[] =
    "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' "
    "version='1.4.1'><asset><unit name='centimeter' meter='0.01'/><up_axis>Z_UP</up_axis></asset>"
    "<library_geometries><geometry id='g'><mesh><source id='p'><float_array id='pa' "
    "count='24'>" BOX_VERTICES
    "</float_array><technique_common><accessor source='#pa' count='8' stride='3'>"
    "<param name='X' type='float'/><param name='Y' type='float'/><param name='Z' type='float'/>"
    "</accessor></technique_common></source><vertices id='v'><input semantic='POSITION' "
    "source='#p'/></vertices><triangles count='12'><input semantic='VERTEX' source='#v' "
    "offset='0'/><p>" BOX_TRIANGLES "</p></triangles></mesh></geometry></library_geometries>"
    "<library_visual_scenes><visual_scene id='s'><node id='n'><translate>100 0 0</translate>"
    "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene>"
    "<instance_visual_scene url='#s'/></scene></COLLADA>";


// the same box; numbers of glTF are the bytes of floats and short integers
static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty "
                          "float y\nproperty float z\n"
                          "element face 12\nproperty list uchar int vertex_indices\nend_header\n"
                          "1 0 0\n2 0 0\n1 2 0\n2 2 0\n1 0 3\n2 0 3\n1 2 3\n2 2 3\n"
                          "3 0 2 1\n3 1 2 3\n3 4 5 6\n3 5 7 6\n3 0 1 4\n3 1 5 4\n3 2 6 3\n3 3 6 "
                          "7\n3 0 4 2\n3 2 4 6\n3 1 3 5\n3 3 7 5\n";
static const char gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{"
    "\"mesh\":0}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":8,\"type\":\"VEC3\",\"min\":"
    "[1,0,"
    "0],\"max\":[2,2,3]},{\"bufferView\":1,\"componentType\":5123,\"count\":36,\"type\":\"SCALAR\"}"
    "],"
    "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":96},{\"buffer\":0,"
    "\"byteOffset\":96,"
    "\"byteLength\":72}],\"buffers\":[{\"byteLength\":168,\"uri\":\"data:application/"
    "octet-stream;base64,"
    "AACAPwAAAAAAAAAAAAAAQAAAAAAAAAAAAACAPwAAAEAAAAAAAAAAQAAAAEAAAAAAAACAPwAAAAAAAEBAAAAAQAAA"
    "AAAAAEBAAACAPwAAAEAAAEBAAAAAQAAAAEAAAEBAAAACAAEAAQACAAMABAAFAAYABQAHAAYAAAABAAQAAQAFAAQA"
    "AgAGAAMAAwAGAAcAAAAEAAIAAgAEAAYAAQADAAUAAwAHAAUA"
    "\"}]}";


TEST(solids_may_be_meshes_of_scenes)
{
  static const struct {
    const char *name, *text;
    double slack; // of centimetres in single precision
  } files[] = {{"box.dae", collada, 1e-4}, {"box.ply", ply, 1e-12}, {"box.gltf", gltf, 1e-12}};
  for (int i = 0; i < 3; i++) {
    FILE *file = fopen(folder_path(files[i].name), "w");
    fputs(files[i].text, file);
    fclose(file);
    char text[300];
    snprintf(text, sizeof text,
             "articula: 1\nbodies: {a: {solid: {type: mesh, file: %s, density: 100}}}\n"
             "joints: {j: {type: revolute, axis: z, from: ground, to: a}}\n",
             files[i].name);
    artModel *m = keep_written("box.yaml", text);
    artBodyPart body;
    CHECK(art_get_body(m, 1, &body));
    const double *I = body.inertia,
                 found[10] = {body.mass, body.com[0], body.com[1], body.com[2], I[0],
                              I[1],      I[2],        I[3],        I[4],        I[5]};
    CHECK_NEAR(found, ((const double[10]){600, 1.5, 1, 1.5, 650, 500, 250, 0, 0, 0}), 10,
               files[i].slack);
  }
}


TEST(scenes_that_are_none_are_refused)
{
  artModel *m = NULL;
  FILE *file = fopen(folder_path("none.glb"), "w");
  fputs("glTF", file);
  fclose(file);
  file = fopen(folder_path("none.yaml"), "w");
  fputs("articula: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1], visual: {type: mesh, file: "
        "none.glb}}}\njoints: {j: {type: revolute, axis: z, from: ground, to: a}}\n",
        file);
  fclose(file);
  CHECK_FAILS(art_load_model(&m, folder_path("none.yaml"), &check_error), ART_BAD_INPUT,
              "cannot be used: assimp cannot read it");
  CHECK(!m);
}

#endif

#endif


// frames that are attached to frames, far more than a human writes: the chain ends at the link
TEST(long_chains_of_sdf_frames_are_followed)
{
  enum { FRAMES = 1500, ROOM = 200000 };
  static char text[ROOM];
  int n = snprintf(text, ROOM, "<sdf version='1.9'><model name='m'><link name='a'/>");
  for (int i = 0; i < FRAMES; i++) {
    n += snprintf(text + n, (size_t) (ROOM - n), "<frame name='f%d' attached_to='%s%d'/>", i,
                  i ? "f" : "g", i ? i - 1 : 0);
  }
  snprintf(text + n, (size_t) (ROOM - n),
           "<frame name='g0' attached_to='a'/><link name='b'/><joint name='j' type='revolute'>"
           "<parent>f%d</parent><child>b</child><axis><xyz>0 0 1</xyz></axis></joint>"
           "</model></sdf>",
           FRAMES - 1);
  artModel *m = keep_written("chain.sdf", text);
  CHECK(m && art_find_velocity(m, "j.rate") >= 0);
}
