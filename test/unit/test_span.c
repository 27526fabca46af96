// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The spanning tree: cheap cuts, short branches, and what the rest of a model asks for.
#include <stdio.h>
#include <stdlib.h>

#include "model/model.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"

enum { MOST = 64 };

typedef struct spanned {
  int joint_of[MOST], order[MOST];
  int reached;
} spanned;


static spanned span(int nbody, int njoint, const spanJoint *joint)
{
  spanned s = {.reached = 0};
  const spanGraph graph = {nbody, njoint, joint};
  s.reached = span_find(&graph, s.joint_of, s.order);
  return s;
}


static int is_cut(const spanned *s, int joint)
{
  for (int i = 1; i < s->reached; i++) {
    if (s->joint_of[s->order[i]] == joint) return 0;
  }
  return 1;
}


// a ring: ground, bodies 1 to n, ground; joint i leads to body i + 1
static void lay_ring(int n, artJointType type, spanJoint *ring)
{
  for (int i = 0; i <= n; i++) ring[i] = (spanJoint){.type = type, .body = {i, i < n ? i + 1 : 0}};
}


//---- the choice ----------------------------------------------------------------------------------

TEST(a_ring_is_cut_in_its_middle)
{
  for (int n = 2; n < 20; n++) {
    spanJoint ring[MOST];
    lay_ring(n, ART_REVOLUTE, ring);
    const spanned s = span(n + 1, n + 1, ring);
    CHECK_EQ_INT(s.reached, n + 1);
    int cuts = 0;
    for (int j = 0; j <= n; j++) {
      if (!is_cut(&s, j)) continue;
      // j bodies on one branch, n - j on the other
      CHECK(abs(2 * j - n) <= 1);
      cuts++;
    }
    CHECK_EQ_INT(cuts, 1);
  }
}


TEST(branches_are_counted_in_coordinates)
{
  // a planar joint counts three, so its body is alone on its side
  spanJoint ring[MOST];
  lay_ring(4, ART_REVOLUTE, ring);
  ring[0].type = ART_PLANAR;
  spanned s = span(5, 5, ring);
  CHECK(is_cut(&s, 1));

  // a fixed joint does not count
  lay_ring(4, ART_REVOLUTE, ring);
  ring[0].type = ART_FIXED;
  s = span(5, 5, ring);
  CHECK(is_cut(&s, 2) || is_cut(&s, 3));
  CHECK_EQ_INT(s.order[1], 1);
}


TEST(the_cheapest_joint_of_a_loop_is_cut)
{
  static const artJointType plain[] = {ART_REVOLUTE, ART_PRISMATIC, ART_SCREW, ART_CYLINDRICAL,
                                       ART_PLANAR};
  for (int k = 0; k < 5; k++) {
    for (int at = 0; at < 5; at++) {
      spanJoint ring[MOST];
      lay_ring(4, plain[k], ring);
      ring[at].type = ART_SPHERICAL;
      ring[(at + 2) % 5].type = ART_UNIVERSAL;
      ring[(at + 3) % 5].type = ART_FIXED;
      spanned s = span(5, 5, ring);
      CHECK(is_cut(&s, at)); // the ball joint
      CHECK_EQ_INT(span_reason(&ring[at]), SPAN_BALL);

      ring[at].type = plain[k];
      s = span(5, 5, ring);
      CHECK(is_cut(&s, (at + 2) % 5)); // the universal joint
      CHECK_EQ_INT(span_reason(&ring[(at + 2) % 5]), SPAN_UNIVERSAL);

      ring[(at + 2) % 5].type = plain[k];
      s = span(5, 5, ring);
      CHECK(!is_cut(&s, (at + 3) % 5)); // never the fixed one
    }
  }
}


TEST(rods_are_always_cut)
{
  const spanJoint joint[] = {
      {ART_REVOLUTE, {0, 1}, 0, 0}, {ART_ROD, {0, 2}, 0, 0}, {ART_REVOLUTE, {1, 2}, 0, 0}};
  const spanned s = span(3, 3, joint);
  CHECK_EQ_INT(s.reached, 3);
  CHECK(is_cut(&s, 1));
  CHECK_EQ_INT(span_reason(&joint[1]), SPAN_ROD);

  // and nothing is reached by one
  CHECK_EQ_INT(span(3, 2, joint).reached, 2);
}


TEST(ball_joints_carry_what_nothing_else_reaches)
{
  // a platform on three legs with balls at their heads: one ball stays, two are cut
  const spanJoint joint[] = {{ART_REVOLUTE, {0, 1}, 0, 0},  {ART_REVOLUTE, {0, 2}, 0, 0},
                             {ART_REVOLUTE, {0, 3}, 0, 0},  {ART_SPHERICAL, {4, 1}, 0, 0},
                             {ART_SPHERICAL, {2, 4}, 0, 0}, {ART_SPHERICAL, {4, 3}, 0, 0}};
  const spanned s = span(5, 6, joint);
  CHECK_EQ_INT(s.reached, 5);
  CHECK(is_cut(&s, 3) && !is_cut(&s, 4) && is_cut(&s, 5)); // the one that runs from leg to platform
}


TEST(balls_are_crossed_backwards_as_a_last_resort_only)
{
  // body 2 hangs on two balls that both lead away from it, and on a revolute to 3 that a third ball
  // reaches the right way
  const spanJoint joint[] = {{ART_REVOLUTE, {0, 1}, 0, 0},
                             {ART_SPHERICAL, {2, 1}, 0, SPAN_NAMED},
                             {ART_SPHERICAL, {0, 3}, 0, 0},
                             {ART_REVOLUTE, {3, 2}, 0, 0}};
  spanned s = span(4, 4, joint);
  CHECK(is_cut(&s, 1) && s.joint_of[2] == 3 && s.joint_of[3] == 2);
  s = span(3, 2, joint);
  CHECK_EQ_INT(s.reached, 3);
  CHECK_EQ_INT(s.joint_of[2], 1);
}


TEST(free_joints_are_kept_where_only_balls_compete)
{
  spanJoint joint[] = {
      {ART_REVOLUTE, {0, 1}, 0, 0}, {ART_SPHERICAL, {1, 2}, 0, 0}, {ART_FREE, {0, 2}, 0, 0}};
  spanned s = span(3, 3, joint);
  CHECK(is_cut(&s, 1));
  joint[1].type = ART_REVOLUTE;
  s = span(3, 3, joint);
  CHECK(is_cut(&s, 2));
  CHECK_EQ_INT(span_reason(&joint[2]), SPAN_LOOSE);
}


TEST(what_is_asked_for_comes_first)
{
  for (int at = 0; at < 6; at++) {
    spanJoint ring[MOST];
    lay_ring(5, ART_REVOLUTE, ring);
    ring[at].keep = -1;
    spanned s = span(6, 6, ring);
    CHECK(is_cut(&s, at));
    CHECK_EQ_INT(span_reason(&ring[at]), SPAN_TOLD);

    // all kept but one, which is the only one left to cut; then named and started ones likewise
    for (int how = 0; how < 3; how++) {
      lay_ring(5, ART_REVOLUTE, ring);
      for (int j = 0; j < 6; j++) {
        if (j == at) continue;
        ring[j].keep = how == 0;
        ring[j].use = how == 1 ? SPAN_NAMED : how == 2 ? SPAN_STARTED : SPAN_UNUSED;
      }
      s = span(6, 6, ring);
      CHECK(is_cut(&s, at));

      // a ball in use stays, and a revolute goes
      if (at == 0) continue;
      ring[at - 1].type = ART_SPHERICAL;
      s = span(6, 6, ring);
      CHECK(is_cut(&s, at));
    }
  }
}


TEST(the_order_of_joints_matters_only_among_equals)
{
  // four loops around a hub: bodies 1..4 on ground, hub 5 on ball joints, all but one of which go
  enum { N = 9 };
  spanJoint joint[N];
  for (int i = 0; i < 4; i++) {
    joint[2 * i] = (spanJoint){ART_REVOLUTE, {0, i + 1}, 0, 0};
    joint[2 * i + 1] = (spanJoint){ART_SPHERICAL, {i + 1, 5}, 0, i == 2 ? SPAN_STARTED : 0};
  }
  joint[8] = (spanJoint){ART_UNIVERSAL, {1, 2}, 0, 0};
  uint64_t seed = 5;
  for (int trial = 0; trial < 50; trial++) {
    spanJoint shuffled[N];
    int order[N];
    for (int j = 0; j < N; j++) {
      const int k = (int) check_uniform(&seed, 0, j + 1);
      order[j] = order[k];
      order[k] = j;
    }
    for (int j = 0; j < N; j++) shuffled[j] = joint[order[j]];
    const spanned s = span(6, N, shuffled);
    for (int j = 0; j < N; j++) {
      const spanJoint *a = &shuffled[j];
      const int stays = a->type == ART_REVOLUTE || a->use == SPAN_STARTED;
      CHECK_EQ_INT(is_cut(&s, j), !stays);
    }
  }
}


//---- in a model ----------------------------------------------------------------------------------

// a four-bar: pins a, b, c, d at the corners of a square, `close` being told nothing
static artBuilder *four_bar(void)
{
  static const char *const bodies[] = {"ground", "crank", "coupler", "rocker", "ground"};
  static const char *const joints[] = {"a", "b", "c", "d"};
  static const double at[4][3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}};
  artBuilder *b = art_create_builder();
  for (int i = 1; i < 4; i++) {
    artBodyDef body = art_default_body();
    body.name = bodies[i];
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    art_add_body(b, &body);
  }
  for (int i = 0; i < 4; i++) {
    artJointDef pin = art_default_joint();
    pin.name = joints[i], pin.from = bodies[i], pin.to = bodies[i + 1], pin.in_ground = 1;
    pin.axis[1] = 1, pin.axis[2] = 0;
    for (int k = 0; k < 3; k++) pin.at[k] = at[i][k];
    art_add_joint(b, &pin);
  }
  return b;
}


static const char *cut_of(artBuilder *b, spanReason *reason)
{
  static char name[20];
  artModel *m = keep_model(model_compile(b));
  snprintf(name, sizeof name, "%s", m->joint[m->cut[0].joint].name);
  if (reason) *reason = m->cut[0].reason;
  return name;
}


TEST(coordinates_in_use_stay_in_the_tree)
{
  spanReason reason = SPAN_IN_TREE;
  CHECK_TEXT(cut_of(four_bar(), &reason), "c");
  CHECK_EQ_INT(reason, SPAN_EVEN);

  artBuilder *b = four_bar();
  art_set_guess(b, "c.angle", 0.1);
  CHECK_TEXT(cut_of(b, NULL), "b");

  b = four_bar();
  art_add_drive(b, &(artDriveDef){.name = "motor", .coordinate = "c", .formula = "time"});
  art_set_initial(b, "b.angle", 0);
  CHECK_TEXT(cut_of(b, NULL), "d");

  // formulas count too, but not for reactions
  b = four_bar();
  art_add_output(b, NULL, "2*c.rate");
  CHECK_TEXT(cut_of(b, NULL), "b");
  b = four_bar();
  art_add_output(b, NULL, "hypot(c.fx, c.fz)");
  CHECK_TEXT(cut_of(b, NULL), "c");

  // all of them: the middle goes as ever, and keeps its coordinate
  b = four_bar();
  art_set_initial(b, "a.angle", 0);
  art_set_initial(b, "b.angle", 0);
  art_set_initial(b, "c.angle", 0);
  art_set_initial(b, "d.angle", 0);
  artModel *m = keep_model(model_compile(b));
  if (!CHECK(m)) return;
  CHECK_EQ_INT(m->tree.nv, 4);
  CHECK(m->ncut == 1 && strcmp(m->joint[m->cut[0].joint].name, "c") == 0);
  CHECK(table_find(&m->positions, "c.angle") >= 0 && m->cut[0].type == ART_FIXED);
}


TEST(a_rotor_gives_a_cut_its_coordinate)
{
  artBuilder *b = four_bar();
  artJointDef geared = art_default_joint();
  geared.name = "second", geared.from = "crank", geared.to = "rocker", geared.rotor = 1;
  geared.keep = -1;
  art_add_joint(b, &geared);
  artModel *m = keep_model(model_compile(b));
  if (!CHECK(m)) return;
  const modelJoint *second = &m->joint[table_find(&m->joints, "second")];
  CHECK(second->twin > 0 && m->tree.link[second->twin].has_rotor);
}
