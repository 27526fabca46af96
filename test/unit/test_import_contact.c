// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Collision shapes of URDF, MJCF and SDF as surfaces on planes: weights that contacts carry, heights
// at rest, friction on a slope, and which pairs touch.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/simulate.h"

#ifdef ART_HAVE_EXPAT

static const double G = 9.81, PI = 3.14159265358979323846;

//---- support -------------------------------------------------------------------------------------

static artStatus import_path(artImport **import, const char *path, artImportBase base)
{
  artImportDef def = art_default_import();
  def.contact = 1;
  def.base = base;
  return art_import(import, path, &def, &check_error);
}


// the import of a text with contact, with `more` at its end; the next call overwrites it
static const char *import_text_of(const char *name, const char *text, const char *more)
{
  static char written[60000];
  artImport *import = NULL;
  folder_write(folder_path(name), text);
  const artImportBase base = strstr(name, ".xml") ? ART_BASE_BY_FORMAT : ART_BASE_FREE;
  if (!CHECK_WORKS(import_path(&import, folder_path(name), base))) return "";
  snprintf(written, sizeof written, "%s%s", art_import_text(import), more);
  art_free_import(import);
  return written;
}


static int count_of(const char *text, const char *part)
{
  int n = 0;
  for (const char *at = text; (at = strstr(at, part)); at++) n++;
  return n;
}


static void check_refused(const char *name, const char *text, const char *message)
{
  artImport *import = NULL;
  folder_write(folder_path(name), text);
  CHECK_FAILS(import_path(&import, folder_path(name), ART_BASE_BY_FORMAT), ART_BAD_INPUT, message);
}


// a machine at rest: 2 s after the start
static artData *at_rest(const artModel *m)
{
  artRunDef study = art_default_run();
  study.until = 2;
  study.tolerance = 1e-11;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  CHECK_WORKS(art_run_to(run, 2, &check_error));
  return d;
}


static double height(const artModel *m, const artData *d, const char *body)
{
  artPose pose;
  art_body_pose(m, d, art_find_body(m, body), &pose);
  return pose.position[2];
}


//---- MJCF ----------------------------------------------------------------------------------------

// Every body stands 0.1 mm above the plane; geoms are turned and moved in their bodies.
#define MJCF_SHAPES                                                                                \
  "<mujoco><compiler angle='degree'/>"                                                             \
  "<default><geom mass='2'/><default class='big'><geom size='0.1'/></default></default>"           \
  "<worldbody><geom name='floor' type='plane' size='1 1 1' pos='0 0 0.3'/>"                        \
  "<body name='crate' pos='0 0 0.3501'><freejoint/>"                                               \
  "<geom type='box' size='0.1 0.05 0.2' euler='90 0 0' /></body>"                                  \
  "<body name='ball' pos='1 0 0.1501'><freejoint/><geom class='big' pos='0 0 0.25'/></body>"       \
  "<body name='pill' pos='2 0 0.4001'><freejoint/>"                                                \
  "<geom type='capsule' fromto='-0.2 0 -0.05 0.2 0 -0.05' size='0.05'/></body>"                    \
  "<body name='can' pos='3 0 0.4501'><freejoint/>"                                                 \
  "<geom type='cylinder' size='0.1 0.15'/></body>"                                                 \
  "<body name='roll' pos='4 0 0.4001'><freejoint/>"                                                \
  "<geom type='cylinder' size='0.1 0.15' zaxis='0 1 0'/></body>"                                   \
  "</worldbody></mujoco>"


// m g = n k d, where n points carry it; k is such that all bodies, 10 kg, make 1 mm on one point
TEST(shapes_of_mjcf_rest_on_the_plane_of_the_world)
{
  static const struct {
    const char *body;
    int points;
    double height; // without overlap
  } row[] = {
      {"crate", 4, 0.35}, {"ball", 1, 0.15}, {"pill", 2, 0.4}, {"can", 1, 0.45}, {"roll", 2, 0.4}};
  artModel *m = keep_text(import_text_of(
      "shapes.xml", MJCF_SHAPES,
      "\noutputs:\n"
      "  crate: \"= 'crate_surface_on_floor/1'.normal + 'crate_surface_on_floor/2'.normal + "
      "'crate_surface_on_floor/3'.normal + 'crate_surface_on_floor/4'.normal + "
      "'crate_surface_on_floor/5'.normal + 'crate_surface_on_floor/6'.normal + "
      "'crate_surface_on_floor/7'.normal + 'crate_surface_on_floor/8'.normal\"\n"
      "  ball: ball_surface_on_floor.normal\n"
      "  pill: \"= 'pill_surface_on_floor/1'.normal + 'pill_surface_on_floor/2'.normal\"\n"
      "  can: \"= 'can_surface_on_floor/1'.normal + 'can_surface_on_floor/2'.normal\"\n"
      "  roll: \"= 'roll_surface_on_floor/1'.normal + 'roll_surface_on_floor/2'.normal\"\n"));
  artData *d = at_rest(m);
  const double k = 10 * G / 1e-3;
  for (int i = 0; i < 5; i++) {
    CHECK_CLOSE(output_named(m, d, row[i].body), 2 * G, 2 * G * 1e-9);
    // the rim of a roll is off by up to 1e-3 of its radius
    const double tolerance = i == 4 ? 1e-6 : 1e-9;
    CHECK_CLOSE(height(m, d, row[i].body), row[i].height - 2 * G / (row[i].points * k), tolerance);
  }
}


// On a slope friction carries m g sin, along it.
TEST(friction_of_mjcf_holds_a_block_on_a_tilted_plane)
{
  artModel *m = keep_text(import_text_of(
      "slope.xml",
      "<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1' euler='0 20 0' "
      "friction='0.5'/>"
      "<body name='block' euler='0 20 0' pos='0.01711 0 0.04699'><freejoint/>"
      "<geom name='sides' type='box' size='0.1 0.1 0.05' mass='2' friction='0.3'/></body>"
      "</worldbody></mujoco>",
      "\noutputs:\n"
      "  load: \"= 'sides_on_floor/1'.normal + 'sides_on_floor/2'.normal + "
      "'sides_on_floor/3'.normal + 'sides_on_floor/4'.normal\"\n"
      "  drag: \"= 'sides_on_floor/1'.friction + 'sides_on_floor/2'.friction + "
      "'sides_on_floor/3'.friction + 'sides_on_floor/4'.friction\"\n"));
  artData *d = at_rest(m);
  const double slope = 20 * PI / 180;
  CHECK_CLOSE(output_named(m, d, "load"), 2 * G * cos(slope), 1e-7);
  CHECK_CLOSE(output_named(m, d, "drag"), 2 * G * sin(slope), 1e-4);
}


// a body of MJCF with a sphere of these attributes
#define BALL(name, attributes)                                                                     \
  "<body name='" name "' pos='0 0 1'><freejoint/><geom name='" name                                \
  "_skin' size='0.1' " attributes "/></body>"
#define ON_PLANE(balls, more)                                                                      \
  "<mujoco><default><default class='even'><geom friction='0.4 0.1 0.1'/></default></default>"      \
  "<worldbody><geom name='plane' type='plane' size='1 1 1' contype='4' conaffinity='1'/>" balls    \
  "</worldbody>" more "</mujoco>"


// (contype1 & conaffinity2) || (contype2 & conaffinity1), <exclude> and <pair>
TEST(masks_exclusions_and_pairs_of_mjcf_decide_what_touches)
{
  const char *text = import_text_of(
      "masks.xml",
      ON_PLANE(BALL("a", "") BALL("b", "contype='2' conaffinity='2'")
                   BALL("c", "contype='0' conaffinity='4'") BALL("d", "contype='0' conaffinity='0'")
                       BALL("e", "") BALL("f", "contype='0' conaffinity='0'"),
               "<contact><exclude body1='e' body2='world'/>"
               "<pair geom1='f_skin' geom2='plane' friction='0.7 0.7 0 0 0'/>"
               "<pair geom1='a_skin' geom2='b_skin' condim='1'/></contact>"),
      "");
  CHECK(count_of(text, "type: contact") == 4);
  CHECK_CONTAINS(text, "between: [plane, a_skin], stiffness: = contact_stiffness");
  CHECK_CONTAINS(text, "between: [plane, c_skin]");
  CHECK_CONTAINS(text, "between: [f_skin, plane], stiffness: = contact_stiffness, damping: = "
                       "contact_damping, friction: 0.7}");
  CHECK_CONTAINS(text, "between: [a_skin, b_skin], stiffness: = contact_stiffness, damping: = "
                       "contact_damping}");
  // without a bit in any mask there is no surface, unless a pair names it
  CHECK(!strstr(text, "  d_skin: {type: sphere") && strstr(text, "  f_skin: {type: sphere"));
  keep_text(text);
}


// the larger friction, or that of the higher priority; none if both have condim 1
TEST(friction_of_mjcf_is_the_larger_one_or_that_of_priority)
{
  const char *text =
      import_text_of("friction.xml",
                     ON_PLANE(BALL("a", "friction='1.5'") BALL("b", "class='even'")
                                  BALL("c", "class='even' priority='1'")
                                      BALL("d", "condim='1' priority='1'") BALL("e", "condim='1'"),
                              ""),
                     "");
  CHECK_CONTAINS(
      text, "a_skin], stiffness: = contact_stiffness, damping: = contact_damping, friction: 1.5}");
  CHECK_CONTAINS(
      text, "b_skin], stiffness: = contact_stiffness, damping: = contact_damping, friction: 1}");
  CHECK_CONTAINS(
      text, "c_skin], stiffness: = contact_stiffness, damping: = contact_damping, friction: 0.4}");
  CHECK_CONTAINS(text, "d_skin], stiffness: = contact_stiffness, damping: = contact_damping}");
  CHECK_CONTAINS(
      text, "e_skin], stiffness: = contact_stiffness, damping: = contact_damping, friction: 1}");
}


TEST(ellipsoids_become_surfaces)
{
  const char *text = import_text_of(
      "egg.xml",
      ON_PLANE("<body name='egg'><freejoint/><geom type='ellipsoid' size='1 2 3'/></body>", ""),
      "");
  CHECK_CONTAINS(text, "egg_surface: {type: ellipsoid, body: egg, size: [2, 4, 6]}");
  CHECK(count_of(text, "type: contact") == 1);
}


TEST(what_touches_nothing_is_told)
{
  const char *text = import_text_of(
      "egg.xml",
      ON_PLANE(
          BALL("a", "") "<body name='egg'><freejoint/><geom type='hfield' size='1 2 3'/></body>"
                        "<body name='post'><geom type='box' size='1 1 1'/></body>",
          ""),
      "");
  CHECK_CONTAINS(text, "line 1: a collision shape of type hfield touches nothing");
  CHECK_CONTAINS(text, "post_surface: {type: box, body: post, size: [2, 2, 2]}");
  CHECK(count_of(text, "type: contact") == 1);
  text = import_text_of("off.xml",
                        ON_PLANE(BALL("a", ""), "<option><flag contact='disable'/></option>"), "");
  CHECK_CONTAINS(text, "nothing touches: the file has disabled contact");
  CHECK(count_of(text, "type: contact") == 0);
}


// a quadruped stands by its position actuators
TEST(a_robot_of_mjcf_stands_on_its_feet)
{
  artImport *import = NULL;
  CHECK_WORKS(
      import_path(&import, ART_SOURCE_DIR "/models/import/quadruped.xml", ART_BASE_BY_FORMAT));
  check_stop_if_failed();
  static char text[30000];
  snprintf(text, sizeof text,
           "%s\noutputs: {load: = fl_on_floor.normal + fr_on_floor.normal + hl_on_floor.normal + "
           "hr_on_floor.normal}\n",
           art_import_text(import));
  art_free_import(import);
  CHECK_CONTAINS(text, "between: [floor, fl], stiffness: = contact_stiffness, damping: = "
                       "contact_damping, friction: 0.8}");
  CHECK(count_of(text, "type: contact") == 5);
  artModel *m = keep_text(text);
  artData *d = at_rest(m);
  CHECK_CLOSE(output_named(m, d, "load"), 6.4 * G, 6.4 * G * 1e-6);
}


//---- URDF ----------------------------------------------------------------------------------------

// The plane is z = 0: a table on three spheres under a turned box, which is above it.
TEST(links_of_urdf_rest_on_the_plane_of_ground)
{
  const char *text = import_text_of(
      "table.urdf",
      "<robot name='table'><link name='top'>"
      "<inertial><mass value='3'/><inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' "
      "iyz='0'/></inertial>"
      "<collision><origin xyz='0 0 0.2' rpy='0 0 0.5'/><geometry><box size='1 1 "
      "0.1'/></geometry></collision>"
      "<collision><origin xyz='0.3 0 -0.1'/><geometry><sphere radius='0.1'/></geometry></collision>"
      "<collision><origin xyz='-0.15 0.26 -0.1'/><geometry><sphere "
      "radius='0.1'/></geometry></collision>"
      "</link><link name='leg'>"
      "<collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
      "<joint name='foot' type='fixed'><parent link='top'/><child link='leg'/>"
      "<origin xyz='-0.15 -0.26 -0.1'/></joint>"
      "<gazebo reference='leg'><mu1>0.4</mu1><kp value='29400'/><kd>500</kd></gazebo></robot>",
      "initial: {base: {z: 0.2}}\n"
      "outputs: {load: = top_surface_2_on_floor.normal + top_surface_3_on_floor.normal + "
      "leg_surface_on_floor.normal, leg: leg_surface_on_floor.normal}\n");
  CHECK_CONTAINS(text, "  contact_friction: 1\n");
  CHECK_CONTAINS(
      text,
      "between: [floor, leg_surface], stiffness: 29400 N/m, damping: 500 N s/m, friction: 0.4}");
  CHECK_CONTAINS(text, "floor: {type: plane, body: ground, position: [0, 0, = floor_height]}");
  CHECK_CONTAINS(text, "the file has no ground: the plane z = 0 is one (floor_height)");
  artModel *m = keep_text(text);
  artData *d = at_rest(m);
  CHECK_CLOSE(output_named(m, d, "load"), 3 * G, 3 * G * 1e-9);
  // each foot carries a third; k = 3 g/1 mm, in three digits
  CHECK_CLOSE(output_named(m, d, "leg"), G, 1e-8);
  CHECK_CLOSE(height(m, d, "top"), 0.2 - G / 29400, 1e-9);
}


TEST(a_link_that_is_fixed_to_ground_does_not_touch_it)
{
  artImport *import = NULL;
  const char *path = folder_path("post.urdf");
  folder_write(path, "<robot name='post'><link name='post'><collision><geometry><box size='1 1 1'/>"
                     "</geometry></collision></link></robot>");
  CHECK_WORKS(import_path(&import, path, ART_BASE_BY_FORMAT));
  CHECK_CONTAINS(art_import_text(import), "post_surface: {type: box");
  CHECK(!strstr(art_import_text(import), "type: contact"));
  CHECK_CONTAINS(art_import_text(import), "nothing touches");
  art_free_import(import);
}


//---- SDF -----------------------------------------------------------------------------------------

#define SDF_WORLD(normal, surface) SDF_SURFACES(normal, "", surface)
#define SDF_SURFACES(normal, ground, surface)                                                      \
  "<sdf version='1.9'><world name='yard'><gravity>0 0 -9.81</gravity><model "                      \
  "name='ground'><static>"                                                                         \
  "true</static><pose>0 0 0.5 0 0 0</pose><link name='link'><collision name='c'><geometry><plane>" \
  "<normal>" normal "</normal></plane></geometry><surface>" ground                                 \
  "</surface></collision></link></model>"                                                          \
  "<model name='box'><pose>0 0 0.651 0 0 0.3</pose><link name='body'><inertial><mass>4</mass>"     \
  "<inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial><collision name='c'>"   \
  "<pose>0 0 -0.1 1.5707963267948966 0 0</pose><geometry><box><size>0.4 0.1 "                      \
  "0.3</size></box></geometry>"                                                                    \
  "<surface>" surface "</surface></collision></link></model></world></sdf>"


// 4 corners carry it, with the stiffness of the file
TEST(a_box_of_sdf_rests_on_the_plane_of_a_static_model)
{
  const char *text = import_text_of(
      "yard.sdf",
      SDF_WORLD("0 0 2", "<friction><ode><mu>0.6</mu></ode></friction>"
                         "<contact><ode><kp>20000</kp><kd>300</kd></ode></contact>"),
      "outputs: {load: \"= 'body_surface_on_floor/1'.normal + 'body_surface_on_floor/2'.normal + "
      "'body_surface_on_floor/3'.normal + 'body_surface_on_floor/4'.normal + "
      "'body_surface_on_floor/5'.normal + 'body_surface_on_floor/6'.normal + "
      "'body_surface_on_floor/7'.normal + 'body_surface_on_floor/8'.normal\"}\n");
  CHECK_CONTAINS(text, "stiffness: 20000 N/m, damping: 300 N s/m, friction: 0.6}");
  CHECK(!strstr(text, "parameters:"));
  artModel *m = keep_text(text);
  artData *d = at_rest(m);
  CHECK_CLOSE(output_named(m, d, "load"), 4 * G, 4 * G * 1e-9);
  CHECK_CLOSE(height(m, d, "body"), 0.5 + 0.1 + 0.05 - 4 * G / (4 * 20000), 1e-9);
}


// the normal is the z axis of the plane's frame
TEST(normals_of_planes_of_sdf_turn_their_frames)
{
  static const struct {
    const char *normal;
    double z[3];
  } row[] = {{"1 0 0", {1, 0, 0}},
             {"0 -3 0", {0, -1, 0}},
             {"0 0 -1", {0, 0, -1}},
             {"3 0 4", {0.6, 0, 0.8}}};
  for (int i = 0; i < 4; i++) {
    char sdf[4000];
    snprintf(sdf, sizeof sdf, SDF_WORLD("%s", ""), row[i].normal);
    artModel *m = keep_text(import_text_of("turned.sdf", sdf, ""));
    artData *d = keep_fresh_data(m);
    double q[4], at[3];
    const int frame = art_find_frame(m, "ground.floor_frame");
    art_frame_position(m, d, frame, at);
    art_frame_rotation(m, d, frame, q);
    const double z[3] = {2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                         1 - 2 * (q[1] * q[1] + q[2] * q[2])};
    CHECK_NEAR(z, row[i].z, 3, 1e-14);
    CHECK_CLOSE(at[2], 0.5, 1e-14);
  }
}


// springs in series, dampers side by side, the smaller friction
TEST(numbers_of_two_surfaces_of_sdf_make_those_of_the_contact)
{
  const char *text =
      import_text_of("two.sdf",
                     SDF_SURFACES("0 0 1",
                                  "<friction><ode><mu>0.5</mu></ode></friction>"
                                  "<contact><ode><kp>60000</kp><kd>100</kd></ode></contact>",
                                  "<friction><ode><mu>0.6</mu></ode></friction>"
                                  "<contact><ode><kp>20000</kp><kd>300</kd></ode></contact>"),
                     "");
  CHECK_CONTAINS(text, "stiffness: 15000 N/m, damping: 400 N s/m, friction: 0.5}");
}


// Stiffness beyond what a run can use is not taken, and bits in common decide what touches.
TEST(rigid_contacts_and_bitmasks_of_sdf)
{
  const char *text =
      import_text_of("rigid.sdf",
                     SDF_WORLD("0 0 1", "<contact><ode><kp>1e13</kp><kd>1</kd></ode></contact>"
                                        "<friction><ode><mu>100</mu></ode></friction>"),
                     "");
  CHECK_CONTAINS(text, "stiffness: = contact_stiffness, damping: = contact_damping, friction: 1}");
  CHECK_CONTAINS(text, "  contact_stiffness: 3.92e+04 N/m\n");
  CHECK_CONTAINS(text, "kp above 1e+09 N/m means a rigid contact and is not taken");
  text = import_text_of(
      "apart.sdf",
      SDF_WORLD("0 0 1", "<contact><collide_bitmask>0x10000</collide_bitmask></contact>"), "");
  CHECK_CONTAINS(text, "nothing touches");
}


//---- refused files -------------------------------------------------------------------------------

TEST(wrong_numbers_of_contacts_are_refused_with_their_place)
{
  check_refused("a.xml", ON_PLANE(BALL("a", "contype='1.5'"), ""),
                "a.xml:1:214: 'contype' of a geom is 1.5, expected an integer of 32 bits");
  check_refused("b.xml", ON_PLANE(BALL("a", "friction='-1'"), ""),
                "friction of <geom> is negative");
  check_refused("c.xml", ON_PLANE(BALL("a", "friction='nan'"), ""), "'friction' is 'nan'");
  check_refused("d.xml",
                ON_PLANE(BALL("a", ""), "<contact><pair geom1='a_skin' geom2='b'/></contact>"),
                "there is no geom 'b'");
  check_refused("e.xml",
                ON_PLANE(BALL("a", ""), "<contact><exclude body1='a' body2='b'/></contact>"),
                "there is no body 'b'");
  check_refused("f.sdf", SDF_WORLD("0 0 0", ""), "the normal of a plane is zero");
  check_refused("g.sdf", SDF_WORLD("0 0 1", "<friction><ode><mu>-1</mu></ode></friction>"),
                "friction, kp or kd of a collision shape is negative");
  check_refused("h.sdf",
                SDF_WORLD("0 0 1", "<contact><collide_bitmask>-1</collide_bitmask></contact>"),
                "collide_bitmask is '-1'");
  check_refused(
      "i.urdf",
      "<robot name='r'><link name='a'><collision><geometry><sphere radius='x'/></geometry>"
      "</collision></link></robot>",
      "i.urdf:1:53: 'radius' is 'x'");
}


// numbers that files can have, and products of them that double precision does not
TEST(chosen_numbers_are_finite)
{
  const char *text = import_text_of("heavy.xml", ON_PLANE(BALL("a", "mass='1e308'"), ""), "");
  CHECK_CONTAINS(text, "  contact_stiffness: 1e+30 N/m\n  contact_damping: 2e+30 N s/m\n");
}


// A sphere of 1 um and 1 ng rests where its weight has pressed it in by a tenth of its diameter, and does not fall through.
TEST(small_machines_yield_by_a_part_of_their_size)
{
  const char *text = import_text_of(
      "small.urdf",
      "<robot name='small'><link name='ball'><inertial><mass value='1e-12'/>"
      "<inertia ixx='1e-24' iyy='1e-24' izz='1e-24' ixy='0' ixz='0' iyz='0'/></inertial>"
      "<collision><geometry><sphere radius='1e-6'/></geometry></collision></link></robot>",
      "");
  CHECK_CONTAINS(text, "  contact_stiffness: 4.9e-05 N/m\n");
}


TEST(contact_has_no_meaning_for_other_formats)
{
  artImport *import = NULL;
  CHECK_FAILS(import_path(&import, ART_SOURCE_DIR "/models/import/crank.adm", ART_BASE_BY_FORMAT),
              ART_BAD_INPUT, "--contact has no meaning for files of ADAMS");
}


// Without the wish for contact a file gives the machine that it gave before.
TEST(without_contact_there_are_no_surfaces)
{
  artImport *import = NULL;
  const artImportDef def = art_default_import();
  folder_write(folder_path("plain.xml"), MJCF_SHAPES);
  CHECK_WORKS(art_import(&import, folder_path("plain.xml"), &def, &check_error));
  CHECK(!strstr(art_import_text(import), "surface") &&
        !strstr(art_import_text(import), "type: contact"));
  CHECK_CONTAINS(art_import_text(import), "contact of geoms: bodies do not collide here (6 times)");
  art_free_import(import);
}

#endif
