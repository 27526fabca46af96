// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Masses of imported bodies that come from meshes, against closed forms: cubes with a void, and without a face.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

#ifdef ART_HAVE_EXPAT

static FILE *begin_file(const char *name)
{
  FILE *file = fopen(folder_path(name), "w");
  CHECK(file);
  check_stop_if_failed();
  return file;
}


// corners of a cube of edge 2 h about the origin, and faces of it, of which some may be missing, or all turned
static void print_cube(FILE *file, double h, int first, int nface, bool is_turned)
{
  static const int face[6][4] = {{1, 2, 4, 3}, {5, 7, 8, 6}, {1, 5, 6, 2},
                                 {3, 4, 8, 7}, {1, 3, 7, 5}, {2, 6, 8, 4}};
  for (int i = 0; i < 8; i++)
    fprintf(file, "v %g %g %g\n", i & 4 ? h : -h, i & 2 ? h : -h, i & 1 ? h : -h);
  for (int f = 0; f < nface; f++) {
    const int *c = face[f];
    fprintf(file, "f %d %d %d %d\n", first + c[0], first + c[is_turned ? 3 : 1], first + c[2],
            first + c[is_turned ? 1 : 3]);
  }
}


// a cube of edge 2 with a void of edge 1 in its middle
static void write_hollow_cube(void)
{
  FILE *file = begin_file("hollow.obj");
  print_cube(file, 1, 0, 6, false);
  print_cube(file, 0.5, 8, 6, true);
  fclose(file);
}


// the last face is missing
static void write_open_cube(void)
{
  FILE *file = begin_file("open.obj");
  print_cube(file, 1, 0, 5, false);
  fclose(file);
}


typedef struct weighed {
  double mass, com[3], inertia[3];
  char text[6000];
  int notes; // about meshes that enclose nothing
} weighed;


static weighed weigh_text(const char *name, const char *text)
{
  weighed found = {0};
  artImport *import = NULL;
  const artImportDef def = art_default_import();
  FILE *file = begin_file(name);
  fputs(text, file);
  fclose(file);
  CHECK_WORKS(art_import(&import, folder_path(name), &def, &check_error));
  check_stop_if_failed();
  snprintf(found.text, sizeof found.text, "%s", art_import_text(import));
  const char *mass = strstr(found.text, "mass: "), *com = strstr(found.text, "com: ["),
             *inertia = strstr(found.text, "inertia: [");
  if (mass) CHECK_EQ_INT(sscanf(mass, "mass: %lf", &found.mass), 1);
  double *c = found.com, *I = found.inertia;
  if (com) CHECK_EQ_INT(sscanf(com, "com: [%lf, %lf, %lf", c, c + 1, c + 2), 3);
  if (inertia) CHECK_EQ_INT(sscanf(inertia, "inertia: [%lf, %lf, %lf", I, I + 1, I + 2), 3);
  const char *note;
  for (int i = 0; (note = art_import_note(import, i, NULL, NULL)); i++)
    found.notes += strstr(note, "encloses no volume") != NULL;
  art_free_import(import);
  return found;
}


// a body that slides, with one mesh of 1 kg/m^3
static weighed weigh_mesh(const char *compiler, const char *mesh)
{
  char text[1000];
  snprintf(text, sizeof text,
           "<mujoco><compiler %s/><asset><mesh name='m' %s/></asset><worldbody><body name='a'>"
           "<joint type='slide'/><geom type='mesh' mesh='m' density='1'/></body></worldbody>"
           "</mujoco>",
           compiler, mesh);
  return weigh_text("mesh.xml", text);
}


// J = m a^2/6 of a cube of edge a. Pyramids over the faces of the void count as positive, so that it is added.
TEST(void_in_a_mesh_of_mjcf_is_added_by_default_and_taken_away_by_exact)
{
  static const struct {
    const char *compiler, *mesh;
    double mass, J;
  } cases[] = {{"", "", 9, 8 * 4. / 6 + 1. / 6},
               {"", "inertia='legacy'", 9, 8 * 4. / 6 + 1. / 6},
               {"", "inertia='exact'", 7, 8 * 4. / 6 - 1. / 6},
               {"", "inertia='convex'", 8, 8 * 4. / 6},
               // plates of a cube: two of mass A at a/2, four about their own middle and beside it
               {"", "inertia='shell'", 30, 24 * 4 * 5. / 18 + 6 * 5. / 18},
               {"exactmeshinertia='true'", "", 7, 8 * 4. / 6 - 1. / 6},
               {"exactmeshinertia='true'", "inertia='convex'", 8, 8 * 4. / 6}};
  write_hollow_cube();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char mesh[100];
    snprintf(mesh, sizeof mesh, "file='hollow.obj' %s", cases[i].mesh);
    const weighed w = weigh_mesh(cases[i].compiler, mesh);
    const double J[3] = {cases[i].J, cases[i].J, cases[i].J};
    CHECK_CLOSE_REL(w.mass, cases[i].mass, 1e-14);
    CHECK_REL(w.inertia, J, 3, 1e-14);
    CHECK_EQ_INT(w.notes, 0);
    CHECK_CONTAINS(w.text, "visual: {type: mesh, file: \"hollow.obj\"");
  }
}


// v' = s R^T (v - p): the cube moves by -p and grows by s
TEST(mesh_of_mjcf_is_moved_turned_and_scaled_before_it_is_weighed)
{
  write_hollow_cube();
  const weighed w = weigh_mesh(
      "", "file='hollow.obj' inertia='convex' refpos='1 2 3' refquat='0 0 0 1' scale='2 2 2'");
  const double J = 64 * 16 / 6., centre[3] = {2, 4, -6}, all[3] = {J, J, J};
  CHECK_CLOSE_REL(w.mass, 64, 1e-14);
  CHECK_REL(w.com, centre, 3, 1e-14);
  CHECK_REL(w.inertia, all, 3, 1e-14);
  CHECK_CONTAINS(w.text, "scale: 2");
  // unequal scales have their weight, and are not seen
  const weighed slab = weigh_mesh("", "file='hollow.obj' inertia='convex' scale='-1 2 3'");
  CHECK_CLOSE_REL(slab.mass, 48, 1e-14);
  CHECK(!strstr(slab.text, "visual: {"));
}


// Without the face at x = 1 the centre of the surface is at x = -1/5, that of the pyramids over it at -0.175; seen from
// there, four of them have 4/3 each, and the last one 4/3 (1 - 0.175).
TEST(mesh_of_mjcf_without_a_face_is_weighed_by_pyramids_as_in_mujoco)
{
  write_open_cube();
  const weighed w = weigh_mesh("", "file='open.obj'");
  const double axis = w.com[0] + w.com[1] + w.com[2];
  CHECK_CLOSE_REL(w.mass, 4 * 4. / 3 + 4. / 3 * (1 - 0.175), 1e-14);
  CHECK_CLOSE_REL(fabs(axis), 0.175, 1e-14);
  CHECK_EQ_INT(w.notes, 0);
}


TEST(mesh_that_is_not_closed_has_the_mass_of_its_hull_or_of_its_surface)
{
  write_open_cube();
  const weighed hull = weigh_mesh("", "file='open.obj' inertia='exact'");
  CHECK_CLOSE_REL(hull.mass, 8, 1e-14);
  CHECK_EQ_INT(hull.notes, 1);
  FILE *file = begin_file("flat.obj");
  fputs("v 0 0 0\nv 2 0 0\nv 2 3 0\nv 0 3 0\nf 1 2 3 4\n", file);
  fclose(file);
  const weighed plate = weigh_mesh("", "file='flat.obj'");
  CHECK_CLOSE_REL(plate.mass, 6, 1e-14);
  CHECK_REL(plate.inertia, ((const double[3]){6 * 9 / 12., 6 * 4 / 12., 6 * 13 / 12.}), 3, 1e-14);
  CHECK_EQ_INT(plate.notes, 1);
}


// the mass of what stands still plays no part
TEST(mesh_of_a_fixed_body_may_be_missing)
{
  artModel *m;
  const char *text = "<mujoco><asset><mesh name='m' file='nowhere.stl'/></asset><worldbody><body>"
                     "<geom type='mesh' mesh='m'/><body><geom type='mesh' mesh='m'/><body><joint/>"
                     "<geom size='1' mass='3'/></body></body></body></worldbody></mujoco>";
  CHECK_CONTAINS(weigh_text("fixed.xml", text).text, "which is fixed, is left out");
  m = keep_file(folder_path("fixed.xml"));
  CHECK(m);
}


// Gazebo fills the meshes of collisions
TEST(automatic_inertia_of_sdf_fills_meshes)
{
  write_hollow_cube();
  write_open_cube();
  static const char *const files[] = {"hollow", "open"};
  for (int i = 0; i < 2; i++) {
    char text[600];
    snprintf(text, sizeof text,
             "<sdf version='1.11'><model name='m'><link name='a'><inertial auto='true'><density>2"
             "</density></inertial><collision name='c'><geometry><mesh><uri>%s.obj</uri><scale>2 2 "
             "2</scale></mesh></geometry></collision></link></model></sdf>",
             files[i]);
    const weighed w = weigh_text("auto.sdf", text);
    CHECK_CLOSE_REL(w.mass, 2 * 8 * (i ? 8 : 7), 1e-14);
    CHECK_EQ_INT(w.notes, i);
  }
}


//---- <attach> ------------------------------------------------------------------------------------

static double attached_mass(const char *what)
{
  char text[400];
  FILE *file = begin_file("child.xml");
  fputs("<mujoco><worldbody><frame name='left' pos='0 0 1'><body name='l'><joint/><geom size='1' "
        "mass='2'/></body></frame><frame name='right' pos='0 0 2'><body name='r'><joint/><geom "
        "size='1' mass='8000'/><frame name='hand'><body name='h'><joint/><geom size='1' mass='5'/>"
        "</body></frame></body></frame></worldbody></mujoco>",
        file);
  fclose(file);
  snprintf(text, sizeof text,
           "<mujoco><asset><model name='c' file='child.xml'/></asset><worldbody><attach model='c' "
           "prefix='p_' %s/></worldbody></mujoco>",
           what);
  const weighed w = weigh_text("parent.xml", text);
  double sum = 0, mass = 0;
  for (const char *at = w.text; (at = strstr(at, "mass: ")); at++)
    sum += sscanf(at, "mass: %lf", &mass) == 1 ? mass : NAN;
  return sum;
}


TEST(attached_frame_brings_what_is_in_it_and_nothing_else)
{
  CHECK_CLOSE(attached_mass("frame='left'"), 2, 1e-12);
  CHECK_CLOSE(attached_mass("frame='right'"), 8005, 1e-9);
  CHECK_CLOSE(attached_mass("frame='hand'"), 5, 1e-12);
  CHECK_CLOSE(attached_mass("body='l'"), 2, 1e-12);
  CHECK_CLOSE(attached_mass(""), 8007, 1e-9);
}


TEST(frame_that_the_attached_file_does_not_have_is_refused)
{
  artImport *import;
  const artImportDef def = art_default_import();
  attached_mass("");
  FILE *file = begin_file("wrong.xml");
  fputs("<mujoco><asset><model name='c' file='child.xml'/></asset><worldbody><attach model='c' "
        "prefix='p_' frame='middle'/></worldbody></mujoco>",
        file);
  fclose(file);
  CHECK_FAILS(art_import(&import, folder_path("wrong.xml"), &def, &check_error), ART_BAD_INPUT,
              "the attached file has no frame 'middle'");
}

#endif
