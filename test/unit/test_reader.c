// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Model files: good ones say what the builder would be told, bad ones are refused with the message
// in their first line (test/models).
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "articula/model.h"
#include "model/model.h"
#include "support/check.h"
#include "support/keep.h"

#define MODELS ART_SOURCE_DIR "/test/models/"


static void check_refused(const char *text, const char *message)
{
  artModel *model = NULL;
  artError error = {0};
  CHECK_EQ_INT(art_read_model(&model, text, strlen(text), "m.yaml", &error), ART_BAD_INPUT);
  CHECK_EQ_INT(error.status, ART_BAD_INPUT);
  CHECK_TEXT(error.text, message);
  CHECK(model == NULL);
}


//---- the examples --------------------------------------------------------------------------------

static int for_each_file(const char *folder, void (*visit)(const char *path))
{
  DIR *dir = opendir(folder);
  if (!CHECK(dir)) return 0;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (entry->d_name[0] == '.') continue;
    char path[1024];
    snprintf(path, sizeof path, "%s%s", folder, entry->d_name);
    visit(path);
    count++;
  }
  closedir(dir);
  return count;
}


static void check_good(const char *path)
{
  artModel *model = NULL;
  artError error = {0};
  if (art_load_model(&model, path, &error) != ART_OK) CHECK_TEXT(error.text, path);
  art_free_model(model);
}


TEST(good_models_are_read)
{
  CHECK(for_each_file(MODELS "good/", check_good) >= 12);
}


// the first line is "# " and the message without the file's name
static void check_bad(const char *path)
{
  char line[1100] = "", want[2200];
  FILE *file = fopen(path, "r");
  if (!CHECK(file && fgets(line, sizeof line, file))) return;
  fclose(file);
  line[strcspn(line, "\n")] = '\0';

  artModel *model = NULL;
  artError error = {0};
  CHECK(art_load_model(&model, path, &error) != ART_OK);
  CHECK(model == NULL);

  // messages about another file name it themselves, in the folder of the tests
  const char *name = strrchr(path, '/') + 1;
  char text[ART_ERROR_LENGTH] = "";
  for (const char *p = error.text, *found; *p; p = found + strlen(MODELS "bad/")) {
    found = strstr(p, MODELS "bad/");
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "%.*s", found ? (int) (found - p) : -1, p);
    if (!found) break;
  }
  snprintf(want, sizeof want, "%s:%s", name, line + 2);
  if (strncmp(text, name, strlen(name)) != 0) snprintf(want, sizeof want, "%s", line + 2);
  CHECK_TEXT(text, want);
}


TEST(bad_models_are_refused_with_their_message)
{
  CHECK(for_each_file(MODELS "bad/", check_bad) >= 60);
}


//---- words of other programs ----------------------------------------------------------------------

static void check_suggestion(const char *section, const char *want)
{
  char text[800];
  artModel *model = NULL;
  artError error = {0};
  snprintf(text, sizeof text, "articula: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n%s%s\n",
           strstr(section, "joints:") ? ""
                                      : "joints: {pin: {type: revolute, from: ground, to: a}}\n",
           section);
  CHECK(art_read_model(&model, text, strlen(text), "text", &error) == ART_BAD_INPUT);
  if (!strstr(error.text, want)) CHECK_TEXT(error.text, want);
  art_free_model(model);
}


TEST(words_of_other_programs_are_known)
{
  static const char *const types[][2] = {
      {"hinge", "revolute"},      {"ball", "spherical"},
      {"slide", "prismatic"},     {"weld", "fixed"},
      {"pin", "revolute"},        {"cylinder", "cylindrical"},
      {"floating", "free"},       {"Hooke", "universal"},
      {"BallJoint", "spherical"}, {"translational", "prismatic"}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    char section[200], want[80];
    snprintf(section, sizeof section, "joints: {p: {type: %s, from: ground, to: a}}", types[i][0]);
    snprintf(want, sizeof want, "(did you mean '%s'?)", types[i][1]);
    check_suggestion(section, want);
  }
  static const char *const others[][2] = {
      {"joints: {p: {type: revolute, parent: ground, to: a}}", "(did you mean 'from'?)"},
      {"joints: {p: {type: revolute, from: ground, child: a}}", "(did you mean 'to'?)"},
      {"joints: {p: {type: revolute, from: ground, to: a, damping: 1}}", "type joint-spring"},
      {"joints: {p: {type: revolute, from: ground, to: a, limits: [0, 1]}}", "type joint-stop"},
      {"joints: {p: {type: universal, from: ground, to: a, axis: x}}", "(did you mean 'axes'?)"},
      {"joints: {p: {type: gear, from: ground, to: a}}", "in the section 'couplings'"},
      {"forces: {f: {type: joint-spring, coordinate: pin, damping-coefficient: 1}}",
       "(did you mean 'damping'?)"},
      {"forces: {f: {type: joint-spring, coordinate: pin, springConstant: 1}}",
       "(did you mean 'stiffness'?)"},
      {"forces: {f: {type: TSDA}}", "(did you mean 'spring-damper'?)"},
      {"forces: {f: {type: joint-force, coordinate: pin, value: = sin(t)}}",
       "unknown name 't' (did you mean 'time'?)"},
      {"forces: {f: {type: joint-force, coordinate: pin, value: = sin(90 deg)}}",
       "a unit is in brackets, 90[deg]"},
      {"forces: {f: {type: joint-force, coordinate: pin, value: = 2.5e1N*m}}", "2.5e1[N]"},
      {"forces: {f: {type: joint-force, coordinate: pin, value: = 2*deg}}", "as in 1[deg]"},
      {"forces: {f: {type: joint-force, coordinate: pin, value: = ln(2)}}", "'log'"},
      {"initial: {pin: {position: 1}}", "(did you mean 'angle'?)"},
      {"initial: {pin: {velocity: 1}}", "(did you mean 'rate'?)"},
      {"outputs: [pin.position]", "(did you mean 'pin.angle'?)"},
      {"outputs: [t]", "(did you mean 'time'?)"},
      {"study: {type: run, t_end: 1}", "(did you mean 'until'?)"},
      {"study: {type: run, integrator: ode45}", "(did you mean 'dopri5'?)"},
      {"study: {type: modal}", "(did you mean 'linear'?)"},
      {"links: {b: {mass: 1}}", "(did you mean 'bodies'?)"},
      {"units: SI", "write the unit after its number"},
      {"ground: {frames: {f: {xyz: [0, 0, 0]}}}", "(did you mean 'position'?)"},
      {"ground: {frames: {f: {origin: 1}}}", "xyz becomes position"},
      {"ground: {frames: {f: {orientation: {roll: 1}}}}", "{rpy: [roll, pitch, yaw]}"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    check_suggestion(others[i][0], others[i][1]);
  }
}


//---- the same model ------------------------------------------------------------------------------

static artModel *build_pendulum(void)
{
  artBuilder *b = keep_builder(art_create_builder());
  artModel *model = NULL;
  artBodyDef rod = art_default_body();
  rod.name = "rod", rod.mass = 1.5, rod.com[0] = 0.25;
  rod.inertia[1] = rod.inertia[2] = 1.5 * 0.5 * 0.5 / 12;
  art_add_body(b, &rod);
  artPose tip = art_default_pose();
  tip.position[0] = 0.5;
  art_add_frame(b, "rod", "tip", &tip);

  artJointDef pin = art_default_joint();
  pin.name = "pin", pin.from = "ground", pin.to = "rod", pin.in_ground = 1;
  memcpy(pin.axis, (double[3]){0, 1, 0}, sizeof pin.axis);
  art_add_joint(b, &pin);
  art_set_initial(b, "pin.angle", 0.5);
  art_set_initial(b, "pin.rate", -1);

  const artSpringDamperDef spring = {.name = "spring",
                                     .from = "ground",
                                     .to = "rod.tip",
                                     .free_length = 0.2,
                                     .spring = {.type = ART_LAW_LINEAR, .coefficient = 25e3}};
  art_add_spring_damper(b, &spring);
  CHECK_EQ_INT(art_compile_model(&model, b, NULL), ART_OK);
  return model;
}


TEST(files_and_builder_make_the_same_model)
{
  static const char block[] = "articula: 1\n"
                              "parameters: {L: 500 mm, I: = m*L^2/12, m: 1.5 kg}\n"
                              "bodies:\n"
                              "  rod:\n"
                              "    mass: = m\n"
                              "    com: [= L/2, 0, 0]\n"
                              "    inertia: {tensor: [0, = I, = I]}\n"
                              "    points: {tip: [= L, 0, 0]}\n"
                              "joints:\n"
                              "  pin: {type: revolute, axis: y, from: ground, to: rod, at: [0, 0, "
                              "0]}\n"
                              "forces:\n"
                              "  spring: {type: spring-damper, between: [ground, rod.tip], "
                              "stiffness: 25 N/mm, free_length: 20 cm}\n"
                              "initial: {pin: {angle: 0.5, rate: -1 rad/s}}\n";
  static const char json[] =
      "{\"initial\": {\"pin\": {\"rate\": -1, \"angle\": 0.5}}, \"forces\": {\"spring\": "
      "{\"type\": \"spring-damper\", \"free_length\": 0.2, \"stiffness\": 25e3, \"between\": "
      "[\"ground\", \"rod.tip\"]}}, \"joints\": {\"pin\": {\"axis\": [0, 1, 0], \"at\": [0, 0, 0], "
      "\"to\": \"rod\", \"from\": \"ground\", \"type\": \"revolute\"}}, \"bodies\": {\"rod\": "
      "{\"mass\": 1.5, \"com\": [0.25, 0, 0], \"inertia\": [0, 0.03125, 0.03125], \"points\": "
      "{\"tip\": [0.5, 0, 0]}}}, \"articula\": 1, \"parameters\": {\"L\": \"0.5 m\", \"I\": "
      "\"0.03125 kg m^2\", \"m\": \"1500 g\"}}";

  artModel *built = keep_model(build_pendulum()), *a = keep_text(block), *b = keep_text(json);
  if (CHECK(built && a && b)) {
    CHECK(art_model_hash(a) == art_model_hash(b));
    CHECK_CLOSE(a->body[1].mass, built->body[1].mass, 0);
    CHECK_CLOSE(a->tree.link[1].J.yy, built->tree.link[1].J.yy, 1e-17);
    CHECK_CLOSE(a->q_initial[0], built->q_initial[0], 0);
    CHECK_CLOSE(a->v_initial[0], built->v_initial[0], 0);
    CHECK_EQ_INT(art_find_frame(a, "rod.tip"), art_find_frame(built, "rod.tip"));
  }
}


TEST(every_way_to_write_an_orientation_agrees)
{
  artModel *model = keep_file(MODELS "good/orientations.yaml");
  const double want[4] = {sqrt(0.5), 0, 0, sqrt(0.5)};
  CHECK_EQ_INT(model->nbody, 9);
  for (int i = 1; i < model->nbody; i++) {
    const double *q = model->body[i].reference.rotation;
    const double sign = q[0] < 0 ? -1 : 1,
                 got[4] = {sign * q[0], sign * q[1], sign * q[2], sign * q[3]};
    CHECK_NEAR(got, want, 4, 4e-16);
  }
}


// the attitude of a free body given as this text
static void check_attitude(const char *orientation, const double want[4])
{
  char text[800];
  snprintf(text, sizeof text,
           "articula: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\njoints: {j: {type: free, "
           "from: ground, to: b}}\ninitial: {j: {orientation: %s}}\n",
           orientation);
  artModel *model = keep_text(text);

  // q and -q are the same attitude
  double got[4], dot = 0;
  for (int i = 0; i < 4; i++) dot += model->q_initial[3 + i] * want[i];
  for (int i = 0; i < 4; i++) got[i] = copysign(1, dot) * model->q_initial[3 + i];
  CHECK_NEAR(got, want, 4, 1e-15);
}


TEST(angles_turn_about_the_axes_that_are_said)
{
  // yaw 90 then roll 90: x points to y, y to z, z to x, a third of a turn about (1, 1, 1)
  const double third[4] = {0.5, 0.5, 0.5, 0.5};
  check_attitude("{rpy: [90 deg, 0, 90 deg]}", third);
  check_attitude("{euler: [90 deg, 90 deg, 0], sequence: zxz}", third);
  check_attitude("{axis: [1, 1, 1], angle: 120 deg}", third);
  check_attitude("{matrix: [[0, 0, 1], [1, 0, 0], [0, 1, 0]]}", third);

  // half turns leave no trace, so the matrix has to be read by its diagonal
  check_attitude("{matrix: [[1, 0, 0], [0, -1, 0], [0, 0, -1]]}", (double[4]){0, 1, 0, 0});
  check_attitude("{matrix: [[-1, 0, 0], [0, 1, 0], [0, 0, -1]]}", (double[4]){0, 0, 1, 0});
  check_attitude("{matrix: [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]}", (double[4]){0, 0, 0, 1});
  const double c = cos(0.1), s = sin(0.1);
  check_attitude("{rpy: [0, 0.2, 0]}", (double[4]){c, 0, s, 0});
  check_attitude("{euler: [0.1, 0, 0.1], sequence: xyx}", (double[4]){c, s, 0, 0});
}


TEST(matrices_of_any_rotation_are_read)
{
  uint64_t seed = 7;
  for (int trial = 0; trial < 100; trial++) {
    double q[4], square = 0;
    for (int i = 0; i < 4; i++) q[i] = check_uniform(&seed, i ? -1 : 0, 1);

    // every second one is near a half turn
    if (trial % 2) q[0] *= 1e-9;
    for (int i = 0; i < 4; i++) square += q[i] * q[i];
    for (int i = 0; i < 4; i++) q[i] /= sqrt(square);

    const double w = q[0], x = q[1], y = q[2], z = q[3];
    char text[400];
    snprintf(text, sizeof text,
             "{matrix: [[%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g], [%.17g, %.17g, %.17g]]}",
             1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
             1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
             1 - 2 * (x * x + y * y));
    check_attitude(text, q);
  }
}


TEST(inertia_about_the_origin_is_moved_to_the_centre_of_mass)
{
  artModel *model = keep_text("articula: 1\n"
                              "bodies:\n"
                              "  b: {mass: 2, com: [1, 2, 3], inertia: {about: origin, tensor: "
                              "[27, 21, 11, -4, -6, -12]}}\n"
                              "joints: {j: {type: free, from: ground, to: b}}\n");

  // a point mass has I = m (c.c 1 - c c^T) = (26, 20, 10, -4, -6, -12); one more each way is left
  const double got[7] = {model->body[1].mass, 0, 0, 0, 0, 0, 0};
  CHECK_NEAR(got, (double[7]){2}, 7, 0);
  const treeLink *link = &model->tree.link[model->body[1].link];
  CHECK_NEAR(&link->J.xx, (double[1]){27}, 1, 1e-14);
  CHECK_NEAR(&link->J.yy, (double[1]){21}, 1, 1e-14);
  CHECK_NEAR(&link->J.zz, (double[1]){11}, 1, 1e-14);
}


static const modelElement *element_of(const artModel *model, const char *name)
{
  const int e = table_find(&model->elements, name);
  return CHECK(e >= 0) ? &model->element[e] : &model->element[0];
}


TEST(forces_carry_the_numbers_of_the_file)
{
  artModel *model = keep_file(MODELS "good/all-forces.yaml");
  const modelElement *rope = element_of(model, "rope");
  const double rope_got[3] = {rope->rest, law_value(rope->spring, 0, 1),
                              law_value(rope->damper, 0, 1)};
  CHECK_REL(rope_got, ((double[3]){1.9, 25e3, 2500}), 3, 1e-15);

  // f = 10 x + 5 x^3 at x = 2
  const modelElement *hardening = element_of(model, "hardening");
  CHECK_NEAR((double[1]){law_value(hardening->spring, 0, 2)}, (double[1]){60}, 1, 1e-13);

  const modelElement *bump = element_of(model, "bump");
  const double bump_got[3] = {law_value(bump->spring, law_segment(bump->spring, 0.015), 0.015),
                              law_value(bump->damper, law_segment(bump->damper, -1), -1),
                              law_value(bump->damper, law_segment(bump->damper, 1), 1)};
  CHECK_REL(bump_got, ((double[3]){25.5, -200, 400}), 3, 1e-14);

  const modelElement *spring = element_of(model, "return");
  CHECK_REL(&spring->rest, (double[1]){5 * acos(-1.0) / 180}, 1, 1e-15);
  const forceStop ends = element_of(model, "ends")->stop, stop = element_of(model, "stop")->stop;
  CHECK_REL(((double[4]){ends.lower, ends.upper, ends.stiffness, ends.damping}),
            ((double[4]){-0.5, 0.5, 1e5, 0.2}), 4, 1e-15);
  CHECK(stop.lower == -INFINITY && ends.upper == 0.5);

  const forceFriction rub = element_of(model, "rub")->friction;
  CHECK_REL(
      ((double[5]){rub.coulomb, rub.breakaway, rub.stribeck_speed, rub.creep_speed, rub.viscous}),
      ((double[5]){0.1, 0.15, 0.1, 1e-3, 1e-3}), 5, 1e-15);
  const forceFriction scrape = element_of(model, "scrape")->friction;
  CHECK_REL(((double[3]){scrape.breakaway, scrape.stribeck_speed, scrape.creep_speed}),
            ((double[3]){1, 1e-2, 1e-3}), 3, 1e-15);

  CHECK(!element_of(model, "wind")->in_body && element_of(model, "thrust")->in_body);
  CHECK(!element_of(model, "thrust")->is_torque && element_of(model, "swirl")->is_torque);
}


TEST(loops_are_cut_where_the_file_says)
{
  for (int cut = 0; cut < 3; cut++) {
    char text[800];
    const char *loops[3] = {"keep", "keep", "keep"};
    loops[cut] = "cut";
    snprintf(text, sizeof text,
             "articula: 1\n"
             "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints:\n"
             "  j0: {type: revolute, from: ground, to: a, at: [0, 0, 0], loop: %s}\n"
             "  j1: {type: revolute, from: a, to: b, at: [1, 0, 0], loop: %s}\n"
             "  j2: {type: revolute, from: b, to: ground, at: [1, 1, 0], loop: %s}\n",
             loops[0], loops[1], loops[2]);
    artModel *model = keep_text(text);
    for (int j = 0; j < 3; j++) CHECK_EQ_INT(model->joint[j].is_cut, j == cut);
  }
}


TEST(a_model_remembers_where_its_parts_stand)
{
  artModel *model = keep_file(MODELS "good/car.yaml");
  int lines = 0;
  for (int i = 0; i < model->njoint; i++) {
    const artPlace place = model->joint[i].place;
    const int is_own = strcmp(model->joint[i].name, "heave") == 0;
    CHECK_TEXT(place.file, is_own ? MODELS "good/car.yaml" : MODELS "good/wheel.yaml");
    lines += place.line;
  }
  CHECK_EQ_INT(lines, 12 + 4 * (11 + 12));
  CHECK_CONTAINS(model->element[0].place.file, "wheel.yaml");
}


//---- parameters and includes ---------------------------------------------------------------------

TEST(parameters_are_evaluated_in_any_order)
{
  artModel *model = keep_file(MODELS "good/parameters.yaml");
  const double mass = 7850 * 0.5 * 0.03 * 0.01;
  CHECK_CLOSE_REL(model->body[1].mass, mass, 1e-15);
  CHECK_CLOSE_REL(model->q_initial[0], atan2(3, 4) / 2, 1e-15);
}


TEST(long_chains_of_parameters_do_not_run_deep)
{
  enum { LINKS = 3000 };
  char *text = malloc(LINKS * 40), *end = text;
  if (!CHECK(text)) return;
  end += sprintf(end, "articula: 1\nparameters:\n");
  for (int i = 0; i < LINKS; i++) end += sprintf(end, "  p%05d: = p%05d + 1\n", i, i + 1);
  sprintf(end, "  p%05d: 1\n", LINKS);
  artModel *model = keep_text(text);
  if (model) {
    const int first = table_find(&model->parameters, "p00000");
    if (CHECK(first >= 0)) CHECK(model->parameter[first].value == LINKS + 1);
  }

  // closed to a ring it is refused, with as much of the chain as fits
  sprintf(end, "  p%05d: = p00000\n", LINKS);
  CHECK_FAILS(art_read_model(&model, text, strlen(text), "m.yaml", &check_error), ART_BAD_INPUT,
              "m.yaml:3:3: parameter 'p00000' depends on itself: p00000 -> p00001");
  free(text);
}


TEST(included_files_get_their_prefix_and_parameters)
{
  artModel *model = keep_file(MODELS "good/car.yaml");
  CHECK_EQ_INT(art_count(model).bodies, 9);
  CHECK_EQ_INT(art_count(model).joints, 9);
  const int front = art_find_body(model, "front/left/wheel");
  const int rear = art_find_body(model, "rear/right/wheel");
  if (CHECK(front > 0 && rear > 0)) {
    const double moments[2] = {model->tree.link[model->body[front].link].J.zz,
                               model->tree.link[model->body[rear].link].J.zz};
    CHECK_NEAR(moments, ((double[2]){15 * 0.09 / 2, 15 * 0.32 * 0.32 / 2}), 2, 1e-15);
  }
  // a bare number takes the unit of the value that it replaces
  const int radius = table_find(&model->parameters, "rear/left/radius");
  if (CHECK(radius >= 0)) CHECK(unit_agree(model->parameter[radius].dimension, UNIT_LENGTH));
  if (radius >= 0) CHECK(!model->parameter[radius].dimension.any);
  CHECK(art_find_body(model, "wheel") < 0);
  CHECK(art_find_velocity(model, "front/left/spin.rate") >= 0);
  CHECK(art_find_frame(model, "rear/left/hub.centre") >= 0);
}


TEST(prefixes_of_nested_includes_join)
{
  artModel *model = keep_file(MODELS "good/train.yaml");
  CHECK_EQ_INT(art_count(model).bodies, 8);
  const int wheel = art_find_body(model, "a2/left/wheel");
  if (CHECK(wheel > 0)) {
    const double moment = model->tree.link[model->body[wheel].link].J.zz;
    CHECK_NEAR(&moment, (double[1]){15 * 0.16 / 2}, 1, 1e-15);
  }
  const int travel = art_find_position(model, "a2/left/travel.slide");
  if (CHECK(travel >= 0)) CHECK_NEAR(&model->q_initial[travel], (double[1]){1e-3}, 1, 0);

  // the studies of an included file are its own
  CHECK_EQ_INT(art_count(model).studies, 0);
}


TEST(included_files_are_sought_beside_the_including_one)
{
  static const char text[] = "articula: 1\ninclude: [{file: wheel.yaml, prefix: w}]\n";
  artModel *model = NULL;
  CHECK_EQ_INT(art_read_model(&model, text, strlen(text), MODELS "good/memory.yaml", NULL), ART_OK);
  art_free_model(model);
  check_refused("articula: 1\ninclude: [{file: [a]}]\n",
                "m.yaml:2:18: found a list of 1 item, expected a string");
}


//---- trouble -------------------------------------------------------------------------------------

TEST(texts_that_are_no_models_are_refused)
{
  check_refused("", "m.yaml: the file is empty");
  check_refused("\n", "m.yaml: the file holds only blanks and comments");
  check_refused("\x7f"
                "ELF",
                "m.yaml:1:1: control character 0x7F (offset 0); is this a binary file?");
  artModel *model = NULL;
  CHECK_EQ_INT(art_load_model(&model, MODELS, NULL), ART_BAD_INPUT);
  CHECK_EQ_INT(art_load_model(&model, MODELS "none.yaml", NULL), ART_IO);
}


//---- zero and absence ----------------------------------------------------------------------------

static artStatus read_part(const char *part, artError *error)
{
  char text[600];
  artModel *model = NULL;
  snprintf(text, sizeof text,
           "articula: 1\nbodies: {a: {mass: 1}, b: {mass: 1, position: [1, 0, 0]}}\njoints:\n"
           "  s: {type: free, from: ground, to: a}\n  t: {type: free, from: ground, to: b, at: [1, "
           "0, 0]}\n%s\n",
           part);
  const artStatus status = art_read_model(&model, text, strlen(text), "m.yaml", error);
  art_free_model(model);
  return status;
}


TEST(zero_does_not_stand_for_absence)
{
  static const char *const parts[] = {
      "  r: {type: rod, from: a, to: b, length: 0}",
      "roads: {r: {type: bump, start: 1, length: 1, height: 0.1, count: 0}}",
      "roads: {r: {type: bump, start: 1, length: 1, height: 0.1, count: 2, spacing: 0}}",
      "roads: {r: {type: ramp, start: 1, up: 1, height: 0.1, radius: 0.1, down: 0}}",
      "roads: {r: {type: sine, amplitude: 0.1, wavelength: 2, last_wavelength: 0}}",
      "roads: {r: {type: sine, amplitude: 0.1, wavelength: 2, length: 0}}",
      "roads: {r: {type: random, class: A, track: 0}}",
      "roads: {r: {type: random, class: A, period: 0}}",
      "roads: {r: {type: random, class: A, lowest: 0}}",
      "roads: {r: {type: random, class: A, highest: 0}}",
      "roads: {r: {type: table, profile: [[0, 0], [1, 0.1]], curve: linear, radius: 0}}",
      "tyres: {r: {type: linear, radius: 0.3, stiffness: 2e5, load: 4000, friction: 0}}",
      "tyres: {r: {type: linear, radius: 0.3, stiffness: 2e5, load: 4000, relaxation_x: 0}}",
      "study: {type: run, interval: 0}",
      "study: {type: run, step: 0}",
  };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    CHECK_FAILS(read_part(parts[k], &check_error), ART_BAD_INPUT,
                "is 0, expected more than 0; without it the default holds: ");
  }
}


TEST(documented_defaults_are_taken)
{
  static const char *const parts[] = {
      "roads: {r: {type: bump, start: 1, length: 1, height: 0.1, count: 2}}",
      "roads: {r: {type: ramp, start: 1, up: 1, height: 0.1, radius: 0.1, down: 1}}",
      "roads: {r: {type: ramp, start: 1, up: 1, height: 0.1, radius: 0.1, plateau: 0}}",
  };
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    CHECK_WORKS(read_part(parts[k], &check_error));
  }
}


// whoever writes the file does not start a compiler: the program chooses
TEST(compiled_equations_of_a_file_are_refused_until_the_program_asks)
{
  static const char text[] = "articula: 1\n"
                             "bodies: {rod: {mass: 1, com: [0, 0, -1]}}\n"
                             "joints: {pin: {type: revolute, from: ground, to: rod, axis: y}}\n"
                             "study: {type: run, method: generated, until: 1 ms}\n";
  artModel *model = NULL;
  if (!CHECK_WORKS(art_read_model(&model, text, strlen(text), "m.yaml", &check_error))) return;
  artData *data = art_create_data(model);
  artRun *run = NULL;
  artRunDef study = *art_find_run(model, NULL);
  CHECK_EQ_INT(study.backend, ART_BACKEND_ASKED);
  CHECK_FAILS(art_create_run(&run, model, data, &study, &check_error), ART_BAD_INPUT,
              "a file cannot start a compiler");
  study.backend = ART_BACKEND_NUMERIC;
  CHECK_WORKS(art_create_run(&run, model, data, &study, &check_error));
  art_free_run(run);
  art_free_data(data);
  art_free_model(model);
}
