// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files of other programs with mistakes that can be mended: each is read, the mistake is noted, and strict imports refuse it.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

#ifdef ART_HAVE_EXPAT

static void write_file(const char *name, const char *text)
{
  FILE *file = fopen(folder_path(name), "w");
  CHECK(file);
  check_stop_if_failed();
  fputs(text, file);
  fclose(file);
}


#define HEAVY                                                                                      \
  "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "                   \
  "iyz='0'/></inertial>"
#define LINK(name, inside) "<link name='" name "'>" HEAVY inside "</link>"
#define JOINT(name, type, from, to, inside)                                                        \
  "<joint name='" name "' type='" type "'><parent link='" from "'/><child link='" to               \
  "'/><axis xyz='0 1 0'/>" inside "</joint>"
#define PICTURE(inside)                                                                            \
  "<robot>" LINK("a", "<visual><geometry>" inside "</geometry></visual>") "</robot>"
#define COLOUR(rgba)                                                                               \
  "<robot>" LINK("a", "<visual><geometry><sphere radius='1'/></geometry><material name='m'>"       \
                      "<color rgba='" rgba "'/></material></visual>") "</robot>"
#define SDF(inside) "<sdf version='1.9'>" inside "</sdf>"
#define SHOWN(inside)                                                                              \
  SDF("<model name='m'><link name='a'><visual name='v'><geometry>" inside                          \
      "</geometry></visual></link></model>")
#define WORLD(inside) "<mujoco><worldbody>" inside "</worldbody></mujoco>"
#define BODY(inside)                                                                               \
  WORLD("<body name='a'><inertial mass='1' pos='0 0 0' diaginertia='1 1 1'/><joint "               \
        "name='j'/>" inside "</body>")

// a file, its ending, the note, and a part of the text that must be there, or with ! must not
static const struct {
  const char *ending, *text, *note, *part;
} lenient[] = {
    // shapes without an extent
    {"urdf", PICTURE("<box size='0 0 0'/>"), "a <box> without an extent", "!type: box"},
    {"urdf", PICTURE("<box size='1 0 2'/>"), "a <box> without an extent", "!type: box"},
    {"urdf", PICTURE("<box/>"), "a <box> without an extent", "!type: box"},
    {"urdf", PICTURE("<sphere/>"), "a <sphere> without an extent", "!type: sphere"},
    {"urdf", PICTURE("<sphere radius='-1'/>"), "a <sphere> without an extent", "!type: sphere"},
    {"urdf", PICTURE("<cylinder radius='1'/>"), "a <cylinder> without", "!type: cylinder"},
    {"urdf", PICTURE("<cylinder length='1' radius='0'/>"), "a <cylinder> without", "!cylinder,"},
    {"sdf", SHOWN("<box><size>0 0 0</size></box>"), "a <box> without an extent", "!type: box"},
    {"sdf", SHOWN("<sphere/>"), "a <sphere> without an extent", "!type: sphere"},
    {"sdf", SHOWN("<cylinder><radius>1</radius></cylinder>"), "a <cylinder> without", "!cylinder,"},
    {"xml", BODY("<geom type='box' size='0 0 0'/>"), "without sizes above zero", "!type: box"},
    {"xml", BODY("<geom type='sphere'/>"), "without sizes above zero", "!type: sphere"},
    {"xml", BODY("<geom type='capsule' size='1'/>"), "without sizes above zero", "!capsule,"},
    // colours
    {"urdf", COLOUR(""), "a colour without numbers", "!colour:"},
    {"urdf", COLOUR("  "), "a colour without numbers", "!colour:"},
    {"urdf", "<robot><material name='m'><color rgba=''/></material>" LINK("a", "") "</robot>",
     "a colour without numbers", "a:"},
    {"xml", BODY("<geom size='1' rgba=''/>"), "'rgba' is empty", "!colour:"},
    {"xml",
     "<mujoco><asset><material name='m' rgba=' '/></asset><worldbody><body><geom size='1' "
     "material='m'/></body></worldbody></mujoco>",
     "'rgba' is empty", "!colour:"},
    // comments
    {"urdf", "<robot><!-- left -- right -->" LINK("a", "") "</robot>", "line 1: a comment holds --",
     "a:"},
    {"urdf", "<robot>\n<!---- a\n --- b ---->\n" LINK("a", "") "</robot>",
     "line 2: a comment holds --", "# line 4"},
    {"xml", "<!-- a -- b --><!-- good -->\n" BODY("<!-- -- -->"), "line 1: a comment holds --",
     "a:"},
    {"sdf", SDF("<model name='m'><!-- x ---><link name='a'/></model>"), "a comment holds --", "a:"},
    // macros that are left over
    {"urdf", "<robot><xacro:property name='x' value='${3*y}'/>" LINK("a", "") "</robot>",
     "<xacro:property> is left over", "a:"},
    {"urdf",
     "<robot><xacro:macro name='leg'><link name='${side}'/></xacro:macro>" LINK("a", "") "</robot>",
     "<xacro:macro> is left over", "a:"},
    {"urdf", "<robot><xacro:include filename='b.xacro'/>" LINK("a", "") "</robot>",
     "<xacro:include> is left over", "a:"},
    {"urdf",
     "<robot><xacro:wheel side='left'/>" LINK("a", "<xacro:insert_block name='o'/>") "</robot>",
     "<xacro:wheel> is left over", "a:"},
    // mimic
    {"urdf",
     "<robot>" LINK("a", "") LINK("b", "") LINK("c", "") JOINT("j", "revolute", "a", "b", "")
         JOINT("k", "fixed", "b", "c", "<mimic joint='j'/>") "</robot>",
     "joint 'k' is fixed and mimics nothing", "k: {type: fixed"},
    {"urdf",
     "<robot>" LINK("a", "") LINK("b", "")
         JOINT("k", "fixed", "a", "b", "<mimic joint='gone'/>") "</robot>",
     "joint 'k' is fixed and mimics nothing", "k: {type: fixed"},
    {"urdf",
     "<robot>" LINK("a", "") LINK("b", "") LINK("c", "") JOINT("j", "fixed", "a", "b", "") JOINT(
         "k", "revolute", "b", "c", "<mimic joint='j' multiplier='2' offset='0.3'/>") "</robot>",
     "which is fixed: it is held at its offset", "{coordinate: k, value: 0.3}"},
    {"urdf",
     "<robot>" LINK("a", "") LINK("b", "")
         JOINT("j", "revolute", "a", "b", "<joint_properties friction='0.1'/>") "</robot>",
     "<joint_properties> of <joint> is left out", "j: {type: revolute"},
    // links that are not there
    {"urdf", "<robot>" LINK("a", "") JOINT("j", "fixed", "a", "b", "") "</robot>",
     "joint 'j' is left out: the file has no link 'b'", "!j: {"},
    {"urdf",
     "<robot>" LINK("a", "") LINK("b", "") JOINT("j", "revolute", "a", "b", "")
         JOINT("k", "revolute", "nobody", "a", "<mimic joint='j'/>") "</robot>",
     "joint 'k' is left out: the file has no link 'nobody'", "j: {type: revolute"},
    {"urdf", "<robot>" LINK("a", "") JOINT("j", "fixed", "x", "y", "") "</robot>",
     "joint 'j' is left out: the file has no link 'x'", "!j: {"},
    // models without a name
    {"sdf", SDF("<model><link name='a'/></model>"), "a <model> without a name", "a:"},
    {"sdf", SDF("<model name=''><link name='a'/></model>"), "a <model> without a name", "a:"},
    {"sdf",
     SDF("<world name='w'><model><link name='a'/></model><model><link name='a'/></model>"
         "</world>"),
     "a <model> without a name", "model_3__a:"},
    // MuJoCo takes the way of the class before 'quat' of the element
    {"xml",
     "<mujoco><default><geom euler='90 0 0'/></default>"
     "<worldbody><body><joint/><geom type='box' size='1 2 3' quat='0.8 0 0 0.6'/></body>"
     "</worldbody></mujoco>",
     "by 'quat' and by 'euler' of a class, which decides", "orientation: [0.7071"}};


TEST(files_with_small_mistakes_are_read_and_strict_refuses_them)
{
  for (size_t i = 0; i < sizeof lenient / sizeof *lenient; i++) {
    char name[20];
    artImport *import = NULL;
    artImportDef def = art_default_import();
    snprintf(name, sizeof name, "file.%s", lenient[i].ending);
    write_file(name, lenient[i].text);
    CHECK_WORKS(art_import(&import, folder_path(name), &def, &check_error));
    if (!import) {
      printf("  of \"%s\"\n", lenient[i].text);
      continue;
    }
    const char *text = art_import_text(import), *part = lenient[i].part;
    CHECK_CONTAINS(text, lenient[i].note);
    CHECK(part[0] == '!' ? !strstr(text, part + 1) : strstr(text, part) != NULL);
    art_free_import(import);
    keep_file(folder_path(name)); // it is a model
    def.strict = 1;
    CHECK_FAILS(art_import(&import, folder_path(name), &def, &check_error), ART_BAD_INPUT, "file.");
  }
}


// as exporters of CAD models write it
TEST(joint_properties_of_zero_raise_no_alarm)
{
  artImport *import = NULL;
  artImportDef def = art_default_import();
  write_file("zero.urdf", "<robot>" LINK("a", "") LINK("b", "") LINK("c", "")
                              JOINT("j", "revolute", "a", "b", "<joint_properties friction='0.0'/>")
                                  JOINT("k", "fixed", "b", "c",
                                        "<joint_properties friction='0.0'/>") "</robot>");
  def.strict = 1;
  CHECK_WORKS(art_import(&import, folder_path("zero.urdf"), &def, &check_error));
  if (import) CHECK(!strstr(art_import_text(import), "joint_properties"));
  art_free_import(import);
}


// Names in an included file count from it as well as from the file of the call, and never lead out of the folder of that.
TEST(included_files_include_files_beside_them)
{
  mkdir(folder_path("parts"), 0700);
  mkdir(folder_path("parts/deep"), 0700);
  write_file("whole.xml", WORLD("<include file='parts/a.xml'/>"));
  write_file("parts/a.xml", "<mujocoinclude><body name='a'><joint/><geom size='1'/><include "
                            "file='deep/b.xml'/></body></mujocoinclude>");
  write_file("parts/deep/b.xml", "<mujocoinclude><body name='b'><joint/><geom size='1'/><include "
                                 "file='../c.xml'/></body></mujocoinclude>");
  write_file("parts/c.xml", "<mujocoinclude><body name='c'><joint/><geom size='1'/></body>"
                            "</mujocoinclude>");
  CHECK(art_find_body(keep_file(folder_path("whole.xml")), "c") >= 0);
  write_file("whole.sdf", SDF("<model name='m'><link name='o'/><include><uri>parts/a.sdf</uri>"
                              "</include></model>"));
  write_file("parts/a.sdf", SDF("<model name='i'><link name='x'/><include><uri>deep/b.sdf</uri>"
                                "</include></model>"));
  write_file("parts/deep/b.sdf", SDF("<model name='k'><link name='y'/></model>"));
  CHECK(art_find_body(keep_file(folder_path("whole.sdf")), "i__k__y") >= 0);
  artModel *m = NULL;
  write_file("parts/deep/b.xml",
             "<mujocoinclude><include file='../../../out.xml'/></mujocoinclude>");
  CHECK_FAILS(art_load_model(&m, folder_path("whole.xml"), &check_error), ART_BAD_INPUT,
              "lies outside of the folder of the model");
}


// 2 kg with damping 1 along x of the joint's frame, which is turned by a quarter about x: x' = -x, z stays under the weight
TEST(planar_joint_of_drake_in_sdf_moves_in_its_plane)
{
  write_file(
      "planar.sdf",
      SDF("<world name='w'><gravity>0 0 -4</gravity><model name='m'><link name='a'><inertial>"
          "<mass>2</mass></inertial></link><drake:joint name='p' type='planar'>"
          "<drake:parent>world</drake:parent><drake:child>a</drake:child><pose>0 0 0 "
          "1.5707963267948966 0 0</pose><drake:damping>1 0 6</drake:damping></drake:joint>"
          "</model></world>"));
  const artModel *m = keep_file(folder_path("planar.sdf"));
  artData *d = keep_fresh_data(m);
  CHECK_EQ_INT(art_count(m).nv, 3);
  check_stop_if_failed();
  d->v[0] = 3;
  d->v[2] = 2;
  art_update(m, d);
  CHECK_WORKS(art_accelerate(m, d, ART_MASS_MATRIX, &check_error));
  // y of the frame is z of the world, z of the frame -y
  CHECK_NEAR(d->a, ((const double[3]){-1.5, -4, -12}), 3, 1e-12);
}


// A bar of 2 kg on a pin at x = 1 of its post, with its centre at 0.5 m and 3 kg m^2 about y: the same pendulum by URDF alone
// and included in a world of SDF; the acceleration is that of a compound pendulum, m g l/(I + m l^2).
TEST(robots_of_urdf_are_included_in_sdf)
{
  write_file(
      "bar.urdf",
      "<robot name='bar'><link name='post'/><link name='bar'><inertial><origin xyz='0.5 0 "
      "0'/><mass value='2'/><inertia ixx='3' iyy='3' izz='3' ixy='0' ixz='0' iyz='0'/>"
      "</inertial><visual><geometry><box size='1 0.1 0.1'/></geometry></visual></link><joint "
      "name='pin' type='continuous'><origin xyz='1 0 0' rpy='0 0 0.3'/><parent link='post'/>"
      "<child link='bar'/><axis xyz='0 1 0'/><dynamics damping='0.25'/></joint><joint "
      "name='foot' type='fixed'><parent link='world'/><child link='post'/></joint></robot>");
  write_file("yard.sdf", SDF("<world name='w'><gravity>0 0 -4</gravity><include><uri>bar.urdf</uri>"
                             "<pose>0 0 7 0 0 0.2</pose></include></world>"));
  const artModel *m = keep_file(folder_path("yard.sdf"));
  artData *d = keep_fresh_data(m);
  CHECK_EQ_INT(art_count(m).nv, 1);
  check_stop_if_failed();
  d->v[0] = 2;
  art_update(m, d);
  CHECK_WORKS(art_accelerate(m, d, ART_MASS_MATRIX, &check_error));
  CHECK_CLOSE_REL(d->a[0], (2 * 4 * 0.5 - 0.25 * 2) / (3 + 2 * 0.25), 1e-12);
  double at[3];
  art_frame_position(m, d, art_find_frame(m, "bar"), at);
  CHECK_NEAR(at, ((const double[3]){cos(0.2), sin(0.2), 7}), 3, 1e-12);
}

#endif
