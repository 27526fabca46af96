// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Boxes and hulls: distances by closed forms, boxes that rest, slide and stand on each other, meshes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "base/error.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double G = 9.81;

// corners of a box of 0.4, 0.3 and 0.2 m, with points in faces, on edges and inside
#define CORNERS                                                                                    \
  "[[0.2, 0.15, 0.1], [0.2, 0.15, -0.1], [0, 0, 0.1], [0.2, -0.15, 0.1], [0.2, -0.15, -0.1], "     \
  "[0, 0, 0], [-0.2, 0.15, 0.1], [-0.2, 0.15, -0.1], [0.2, 0, 0.1], [-0.2, -0.15, 0.1], "          \
  "[-0.2, -0.15, -0.1]]"


//---- distances -----------------------------------------------------------------------------------

static const artModel *pair_model(const char *one, const char *other)
{
  return keep_text_of("articula: 1\n"
                      "bodies: {b: {mass: 1, inertia: [1, 1, 1]}}\n"
                      "joints: {f: {type: free, from: ground, to: b}}\n"
                      "surfaces:\n"
                      "  one: {body: ground, %s}\n"
                      "  other: {body: b, %s}\n"
                      "forces: {touch: {type: contact, between: [one, other], stiffness: 1}}\n"
                      "outputs: {gap: %s, nx: %s, ny: %s, nz: %s}\n",
                      one, other, "touch.gap", "touch.nx", "touch.ny", "touch.nz");
}


TEST(a_ball_is_as_far_from_a_hull_as_from_the_box_of_its_corners)
{
  const artModel *hull = pair_model("type: hull, points: " CORNERS, "type: sphere, radius: 0.03");
  const artModel *box =
      pair_model("type: box, size: [0.4, 0.3, 0.2]", "type: sphere, radius: 0.03");
  artData *d = keep_fresh_data(hull), *e = keep_fresh_data(box);
  static const char *const name[4] = {"gap", "nx", "ny", "nz"};
  for (int i = 0; i < 300; i++) {
    const double at[3] = {0.5 * sin(1.7 * i), 0.5 * sin(2.9 * i + 1), 0.4 * sin(0.7 * i + 2)};
    memcpy(d->q, at, sizeof at);
    memcpy(e->q, at, sizeof at);
    art_update(hull, d);
    art_update(box, e);
    for (int k = 0; k < 4; k++)
      CHECK_CLOSE(output_named(hull, d, name[k]), output_named(box, e, name[k]), 1e-13);
  }
}


// two boxes on their edges, across each other: the gap is that of the edges
TEST(edges_touch_across_each_other)
{
  const artModel *m = keep_text_of(
      "articula: 1\n"
      "ground: {frames: {roof: {orientation: {axis: x, angle: 45 deg}}}}\n"
      "bodies: {b: {mass: 1, inertia: [1, 1, 1], frames: {keel: {orientation: {axis: y, angle: 45 "
      "deg}}}}}\n"
      "joints: {f: {type: free, from: ground, to: b}}\n"
      "surfaces:\n"
      "  one: {body: ground.roof, type: box, size: [1, 0.2, 0.2]}\n"
      "  other: {body: b.keel, type: box, size: [0.2, 1, 0.2]}\n"
      "forces: {touch: {type: contact, between: [one, other], stiffness: 1}}\n"
      "outputs: {gap: \"= 'touch/1'.gap\", nz: \"= 'touch/1'.up_z\", x: \"= 'touch/1'.x\",\n"
      "          y: \"= 'touch/1'.y\", z: \"= 'touch/1'.z\", second: \"= 'touch/2'.gap\"}\n");
  artData *d = keep_fresh_data(m);
  for (int i = 0; i < 5; i++) {
    const double z = 0.2 * sqrt(2) + 0.002 * (i - 3);
    d->q[0] = 0.1, d->q[1] = -0.2, d->q[2] = z;
    art_update(m, d);
    CHECK_CLOSE(output_named(m, d, "gap"), z - 0.2 * sqrt(2), 1e-14);
    CHECK_CLOSE(output_named(m, d, "nz"), 1, 1e-14);
    CHECK_CLOSE(output_named(m, d, "x"), 0.1, 1e-14);
    CHECK_CLOSE(output_named(m, d, "y"), 0, 1e-14);
    CHECK_CLOSE(output_named(m, d, "z"), 0.5 * z, 1e-14);
    CHECK(output_named(m, d, "second") > 0.1);
  }
}


//---- at rest -------------------------------------------------------------------------------------

static artData *data_at(const artModel *m, double tolerance, double t)
{
  artRunDef study = art_default_run();
  study.until = t;
  study.tolerance = tolerance;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  if (!CHECK(run && art_run_to(run, t, &check_error) == ART_OK)) puts(check_error.text);
  return d;
}


// A box of 1 kg falls on one of 2 kg that stands on the floor; the outputs are its loads.
static const artModel *stack(const char *upper, const char *initial, const char *contact)
{
  return keep_text_of(
      "articula: 1\n"
      "bodies:\n"
      "  a: {mass: 2, inertia: [0.02, 0.02, 0.02]}\n"
      "  b: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
      "joints:\n"
      "  ja: {type: free, from: ground, to: a}\n"
      "  jb: {type: free, from: ground, to: b}\n"
      "surfaces:\n"
      "  floor: {type: plane, body: ground}\n"
      "  ca: {type: box, body: a, size: [0.4, 0.2, 0.2]}\n"
      "  cb: {body: b, %s}\n"
      "forces:\n"
      "  low: {between: [floor, ca], %s}\n"
      "  high: {between: [ca, cb], %s}\n"
      "initial: {ja: {z: 0.1}, jb: {z: 0.27, %s}}\n"
      "outputs:\n"
      "  load: \"= 'high/1'.fz + 'high/2'.fz + 'high/3'.fz + 'high/4'.fz\"\n"
      "  tip_x: \"= 'high/1'.x*'high/1'.fz + 'high/2'.x*'high/2'.fz + 'high/3'.x*'high/3'.fz + "
      "'high/4'.x*'high/4'.fz\"\n",
      upper, contact, contact, initial);
}


// Within the other face, flush with it, across it, beyond its edge: it stands on its face to rounding, and does not creep.
TEST(a_box_stands_on_a_box)
{
  static const char *const upper[] = {
      "type: box, size: [0.1, 0.1, 0.1]", "type: box, size: [0.4, 0.2, 0.1]",
      "type: box, size: [0.1, 0.6, 0.1]", "type: box, size: [0.3, 0.3, 0.1]",
      "type: hull, points: [[0, 0.1, -0.05], [0.1, -0.1, -0.05], [-0.1, -0.1, -0.05], [0, 0, "
      "0.1]]"};
  static const char *const initial[] = {"x: 0.1, y: 0.02", "x: 0", "x: -0.1, y: 0.05",
                                        "x: 0.15, y: 0.08", "x: 0.02"};
  static const double x[] = {0.1, 0, -0.1, 0.15, 0.02};
  for (int i = 0; i < 5; i++) {
    const artModel *m = stack(upper[i], initial[i], "type: rigid-contact, friction: 0.5");
    artData *d = data_at(m, 1e-9, 10);
    CHECK_CLOSE(d->q[7 + 2], 0.25, 1e-13);
    CHECK_CLOSE(d->q[7], x[i], 1e-12);
    CHECK_WORKS(art_accelerate(m, d, ART_AUTOMATIC, &check_error));
    if (!CHECK_CLOSE(output_named(m, d, "load"), G, 1e-9)) printf("  %s\n", upper[i]);
    CHECK_CLOSE(output_named(m, d, "tip_x"), x[i] * G, 1e-9);
    for (int k = 0; k < 12; k++) CHECK(fabs(d->v[k]) < 1e-12);
  }
}


TEST(a_box_sinks_into_a_box_by_its_weight)
{
  const artModel *m = stack("type: box, size: [0.2, 0.4, 0.1]", "x: 0.03",
                            "type: contact, stiffness: 1e5, damping: 400, friction: 0.5");
  artData *d = data_at(m, 1e-8, 4);
  CHECK_CLOSE(d->q[2], 0.1 - 3 * G / 4e5, 1e-8);
  CHECK_CLOSE(output_named(m, d, "load"), G, 1e-4);
}


// and falls over when its centre of mass is beyond the edge
TEST(a_box_beyond_an_edge_falls)
{
  const artModel *m = stack("type: box, size: [0.2, 0.2, 0.1]", "x: 0.205", "type: rigid-contact");
  const artData *d = data_at(m, 1e-8, 0.6);
  CHECK(d->q[7 + 2] < 0.24);
}


// g (sin a - mu cos a) on the top of a box that is turned by a
TEST(a_box_slides_on_a_slope_of_a_box)
{
  const artModel *m =
      keep_text_of("articula: 1\n"
                   "ground: {frames: {slope: {orientation: {axis: y, angle: 30 deg}}}}\n"
                   "bodies: {b: {mass: 1, inertia: [0.01, 0.01, 0.01]}}\n"
                   "joints: {f: {type: free, from: ground.slope, to: b}}\n"
                   "surfaces:\n"
                   "  one: {body: ground.slope, type: box, size: [9, 1, 1]}\n"
                   "  other: {body: b, type: box, size: [0.2, 0.2, 0.1]}\n"
                   "forces: {touch: {type: rigid-contact, between: [one, other], friction: 0.3}}\n"
                   "initial: {f: {x: -2, z: 0.55}}\n");
  const artData *d = data_at(m, 1e-9, 0.8);
  const double a = G * (0.5 - 0.3 * sqrt(0.75));
  CHECK_CLOSE(d->q[0], -2 + 0.5 * a * 0.64, 1e-9);
  CHECK_CLOSE(d->q[2], 0.55, 1e-12);
}


// five boxes fall on each other by fixed steps, as one pile
TEST(a_pile_of_boxes_stands)
{
  char bodies[600] = "", joints[600] = "", surfaces[600] = "", initial[600] = "";
  for (int k = 0; k < 5; k++) {
    base_append(bodies, sizeof bodies, "  b%d: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n", k);
    base_append(joints, sizeof joints, "  j%d: {type: free, from: ground, to: b%d}\n", k, k);
    base_append(surfaces, sizeof surfaces, "  s%d: {type: box, body: b%d, size: [0.2, 0.2, 0.2]}\n",
                k, k);
    base_append(initial, sizeof initial, "  j%d: {x: %g, z: %g}\n", k, 0.02 * (k % 2),
                0.105 + 0.21 * k);
  }
  const artModel *m = keep_text_of(
      "articula: 1\nbodies:\n%sjoints:\n%ssurfaces:\n  floor: {type: plane, body: ground}\n%s"
      "forces: {all: {type: rigid-pile, between: [all, all], friction: 0.5}}\ninitial:\n%s",
      bodies, joints, surfaces, initial);
  artRunDef study = art_default_run();
  study.until = 2;
  study.integrator = ART_MOREAU;
  study.step = 2e-3;
  artData *d = keep_fresh_data(m);
  artRun *run = keep_started_run(m, d, &study);
  if (!CHECK(run && art_run_to(run, 2, &check_error) == ART_OK)) puts(check_error.text);
  for (int k = 0; k < 5; k++) CHECK_CLOSE(d->q[7 * k + 2], 0.1 + 0.2 * k, 1e-10);
}


//---- meshes --------------------------------------------------------------------------------------

// a ball over a mesh that a visual shows: the gap, NAN where the mesh is refused
static double gap_over_mesh(int n, const float *vertex, int ntriangle, const int *triangle)
{
  artBuilder *b = keep_builder(art_create_builder());
  artBodyDef body = art_default_body();
  body.name = "b", body.mass = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  art_add_body(b, &body);
  artJointDef joint = art_default_joint();
  joint.name = "f", joint.type = ART_FREE, joint.from = "ground", joint.to = "b";
  art_add_joint(b, &joint);
  artVisualDef visual = art_default_visual();
  visual.type = ART_VISUAL_MESH;
  visual.nvertex = n, visual.vertex = vertex, visual.ntriangle = ntriangle,
  visual.triangle = triangle;
  art_add_visual(b, "b", &visual);
  artSurfaceDef shape = art_default_surface(), ball = shape;
  shape.name = "shape", shape.type = ART_SURFACE_VISUAL, shape.on = "b";
  ball.name = "ball", ball.type = ART_SURFACE_SPHERE, ball.on = "ground", ball.radius = 0.1;
  ball.position[2] = 2;
  art_add_surface(b, &shape);
  art_add_surface(b, &ball);
  artContactDef contact = art_default_contact();
  contact.name = "touch", contact.from = "shape", contact.to = "ball", contact.stiffness = 1;
  art_add_contact(b, &contact);
  art_add_output(b, "gap", "touch.gap");
  artModel *m = NULL;
  check_error = (artError){.status = ART_OK};
  if (art_compile_model(&m, b, &check_error) != ART_OK) return NAN;
  keep_model(m);
  artData *d = keep_fresh_data(m);
  art_update(m, d);
  return output_named(m, d, "gap");
}


TEST(convex_meshes_touch_and_others_are_refused)
{
  // an octahedron of half the width 0.5, every corner twice as in STL, and one that is pressed in at the top
  float vertex[12][3] = {{0.5f, 0, 0}, {-0.5f, 0, 0}, {0, 0.5f, 0}, {0, -0.5f, 0},
                         {0, 0, 0.5f}, {0, 0, -0.5f}, {0.5f, 0, 0}, {-0.5f, 0, 0},
                         {0, 0.5f, 0}, {0, -0.5f, 0}, {0, 0, 0.5f}, {0, 0, -0.5f}};
  const int triangle[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                              {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  CHECK_CLOSE(gap_over_mesh(12, vertex[0], 8, triangle[0]), 1.4, 1e-7);
  vertex[4][2] = vertex[10][2] = -0.1f;
  CHECK(isnan(gap_over_mesh(12, vertex[0], 8, triangle[0])));
  CHECK_CONTAINS(check_error.text, "is not convex; split it into convex parts");
}


//---- refusals ------------------------------------------------------------------------------------

TEST(hulls_have_no_generated_equations)
{
  const artModel *m =
      stack("type: box, size: [0.1, 0.1, 0.1]", "x: 0", "type: contact, stiffness: 1e5");
  artRunDef study = art_default_run();
  study.until = 1;
  study.backend = ART_BACKEND_GENERATED;
  artRun *run = NULL;
  CHECK(art_create_run(&run, m, keep_fresh_data(m), &study, &check_error) != ART_OK);
  CHECK_CONTAINS(check_error.text,
                 "not for contact 'high/1' of 'ca' and 'cb', whose nearest features");
}
