// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints of MJCF by the inertia of the machine: armatures and springs of balls and free joints, springs by their times, armatures of
// tendons; against accelerations and stiffnesses that MuJoCo 2.2.2 finds for the same files, and closed forms.
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


// accelerations at rest, at these coordinates
static const double *accelerate_at(const artModel *m, int nq, const double *q)
{
  artData *d = keep_fresh_data(m);
  memcpy(d->q, q, (size_t) nq * sizeof *q);
  art_update(m, d);
  CHECK_WORKS(art_accelerate(m, d, ART_MASS_MATRIX, &check_error));
  return d->a;
}


#define TILTED                                                                                     \
  "<mujoco><option gravity='0.3 0 -9.81'/><worldbody><body name='a' pos='0.2 0 1' "                \
  "euler='10 20 30'>"
#define BRICK "<geom type='box' size='.1 .05 .2' pos='0.1 0.02 -0.2'/>"


// qacc of MuJoCo, angular ones in the axes of the child body
TEST(armature_and_stiffness_of_balls_act_as_in_mujoco)
{
  const artModel *m = keep_written(
      "ball.xml",
      TILTED "<joint type='ball' name='b' pos='0 0 .2' armature='0.7' stiffness='5'/>" BRICK
             "<body pos='0 0 -0.4' euler='0 40 0'><joint type='ball' name='c' stiffness='3'/><geom "
             "type='box' size='.1 .05 .12' pos='0.05 0 -0.1'/></body></body></worldbody></mujoco>");
  const double n = sqrt(0.95), q[8] = {0.9 / n, 0.1 / n, 0.2 / n, 0.3 / n, 1};
  const double want[6] = {-10.2709143094, -1.58873955075, -6.67167408842,
                          1.27347675146,  -15.0334433259, 10.1539386066};
  CHECK_REL(accelerate_at(m, 8, q), want, 6, 1e-10);
}


TEST(armature_and_stiffness_of_free_joints_act_as_in_mujoco)
{
  const artModel *m = keep_written(
      "free.xml", TILTED "<joint type='free' name='b' armature='0.7' stiffness='5'/>" BRICK
                         "</body></worldbody></mujoco>");
  const double n = sqrt(0.95), q[7] = {0.5, 0.1, 1.3, 0.9 / n, 0.1 / n, 0.2 / n, 0.3 / n};
  const double want[6] = {-0.170927009145, -0.0631052689626, -9.16021431562,
                          -0.43536020154,  -1.08234994169,   -0.764294394317};
  CHECK_REL(accelerate_at(m, 7, q), want, 6, 1e-10);
}


// 'ref' and 'springref' are of coordinates; a range holds unless it is said not to
TEST(attributes_that_balls_do_not_have_raise_no_alarm)
{
  static const struct {
    const char *attributes, *note;
  } cases[] = {{"springref='3' ref='2'", NULL},
               {"range='0 1' limited='false'", NULL},
               {"range='0 1'", "the range of a ball joint is left out"},
               {"range='0 1' limited='true'", "the range of a ball joint is left out"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "<mujoco><worldbody><body><joint type='ball' %s/><geom size='1'/></body></worldbody>"
             "</mujoco>",
             cases[i].attributes);
    artImport *import = NULL;
    artImportDef def = art_default_import();
    def.strict = 1;
    write_text("attributes.xml", text);
    const artStatus status = art_import(&import, folder_path("attributes.xml"), &def, &check_error);
    CHECK_EQ_INT(status, cases[i].note ? ART_BAD_INPUT : ART_OK);
    if (cases[i].note) CHECK_CONTAINS(check_error.text, cases[i].note);
    art_free_import(import);
  }
}


// a damper and a spring in the text of an import
static void find_spring(const char *text, const char *name, double found[2])
{
  const char *at = strstr(text, name);
  CHECK(at);
  check_stop_if_failed();
  CHECK_EQ_INT(sscanf(strstr(at, "stiffness:"), "stiffness: %lf", &found[0]), 1);
  CHECK_EQ_INT(sscanf(strstr(at, "damping:"), "damping: %lf", &found[1]), 1);
}


// A mass m on a slide alone: k = m/(T z)^2, d = 2 m/T; in a tree with balls and a free body, what MuJoCo finds.
TEST(springdamper_takes_the_inertia_that_the_joint_feels)
{
  static const struct {
    const char *name;
    double want[2];
  } springs[] = {{"j1_spring", {24.6182881111, 16.6419627631}},
                 {"j2_spring", {19.676215162, 1.92826908587}},
                 {"j4_spring", {1.44035593007, 0.86421355804}},
                 {"s_spring", {3 / (0.5 * 0.5 * 4), 2 * 3 / 0.5}}};
  artImport *import = NULL;
  const artImportDef def = art_default_import();
  keep_written(
      "times.xml",
      "<mujoco><worldbody><body name='a' pos='0 0 1'><joint name='j1' axis='0 1 0' "
      "springdamper='0.2 1.3' armature='0.05'/><geom type='box' size='.1 .05 .2' pos='0.1 "
      "0.02 -0.2'/><body name='b' pos='0 0 -.5' euler='10 20 30'><joint name='j2' axis='1 "
      "0.2 0' springdamper='0.1 0.7'/><joint name='j3' type='slide' axis='0 0 1'/><geom "
      "type='capsule' size='.05 .2' pos='0.1 0 0'/><body pos='0 0.3 0'><joint name='bb' "
      "type='ball' pos='0.1 0 0'/><geom type='box' size='.1 .1 .05' pos='0.1 0.2 0'/></body>"
      "</body></body><body name='f' pos='3 0 0'><freejoint/><geom size='0.1'/><body pos='0 "
      "0 .3'><joint name='j4' axis='1 0 0' springdamper='0.3 1'/><geom size='0.1' pos='0 0.4 "
      "0'/></body></body><body><joint name='s' type='slide' springdamper='0.5 2'/><geom "
      "size='1' mass='3'/></body></worldbody></mujoco>");
  CHECK_WORKS(art_import(&import, folder_path("times.xml"), &def, &check_error));
  for (size_t i = 0; i < sizeof springs / sizeof *springs; i++) {
    double found[2] = {NAN, NAN};
    find_spring(art_import_text(import), springs[i].name, found);
    CHECK_REL(found, springs[i].want, 2, 1e-10);
  }
  art_free_import(import);
}


// Two masses of 2 kg on slides under a force of 12 N on the first: with L = 3 x - y, M = 2 1 + 0.5 (3, -1)(3, -1)^T
TEST(armature_of_a_fixed_tendon_couples_its_joints)
{
  const artModel *m = keep_written(
      "wheel.xml",
      "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='x' type='slide' axis='1 0 "
      "0'/><geom size='1' mass='2'/></body><body><joint name='y' type='slide' axis='1 0 0'/><geom "
      "size='1' mass='2'/></body></worldbody><tendon><fixed name='t' armature='0.5'><joint "
      "joint='x' coef='3'/><joint joint='y' coef='-1'/></fixed></tendon><actuator><motor name='u' "
      "joint='x'/></actuator></mujoco>");
  artData *d = keep_fresh_data(m);
  CHECK_WORKS(art_set_input(m, d, art_find_input(m, "u"), 12, &check_error));
  art_update(m, d);
  CHECK_WORKS(art_accelerate(m, d, ART_AUTOMATIC, &check_error));
  // M = [[6.5, -1.5], [-1.5, 2.5]], det 14
  const double x = d->a[art_find_velocity(m, "x.rate")], y = d->a[art_find_velocity(m, "y.rate")];
  CHECK_CLOSE_REL(x, 12 * 2.5 / 14, 1e-12);
  CHECK_CLOSE_REL(y, 12 * 1.5 / 14, 1e-12);
}


// A four-bar linkage in a plane, in frames that are turned, written with seven digits: the two points are a hinge, whose rows
// agree to 1e-7 alone. It moves, as the exact one does.
TEST(loops_that_are_redundant_but_for_rounding_of_the_file_move)
{
  const artModel *m = keep_written(
      "rounded.xml",
      "<mujoco><worldbody><body name='crank' pos='0 0 0' quat='0.9479571 -0.2687392 0.16008"
      "69 0.05940382'><inertial mass='1' pos='-0.01238669 -0.03386833 0.05499551' diaginert"
      "ia='0.01 0.01 0.01'/><joint name='p' axis='0.02658127 0.8485009 0.528526'/><body nam"
      "e='rod' pos='-0.02477338 -0.06773665 0.109991' quat='0.573471 -0.547221 -0.1310511 -"
      "0.5954039'><inertial mass='1' pos='0.06489945 0.06606929 0.03902447' diaginertia='0."
      "01 0.01 0.01'/><joint name='q' axis='-0.02706772 -0.488539 0.8721221'/></body></body"
      "><body name='rocker' pos='0.27 0 0.01' quat='-0.7225914 -0.567397 -0.3445783 -0.1928"
      "424'><inertial mass='1' pos='-0.01395711 0.04764455 0.005932644' diaginertia='0.01 0"
      ".01 0.01'/><joint name='s' axis='0.6697178 0.2817449 -0.6870938'/></body></worldbody"
      "><equality><connect body1='rod' body2='rocker' anchor='0.1833655 0.1839831 0.1087534"
      "'/><connect body1='rod' body2='rocker' anchor='0.1825535 0.169327 0.134917'/></equal"
      "ity></mujoco>");
  artData *d = keep_fresh_data(m);
  const artRunDef study = art_default_run();
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 0.3, &check_error));
  const artCertificate c = art_certify(run);
  CHECK_EQ_INT(c.dof, 1);
  CHECK(fabs(d->v[0]) > 0.1 && c.energy_error < 1e-6 * c.energy_scale);
}

#endif
