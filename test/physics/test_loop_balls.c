// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Four-bars in a tilted plane whose couplers hang on ball joints, through singular positions: they move as with pins,
// and a coupler that spins about its line moves as a rotor on a carrier without mass.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/work.h"
#include "loop/loop.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/models.h"
#include "support/simulate.h"

typedef enum couplerKind {
  ON_PINS,
  ON_BALLS,
  BALL_AND_PIN, // the pin closes the loop: three components of the ball joint are dependent
  FREE,         // with six coordinates of its own, held by a ball joint and a pin
  ON_A_CARRIER, // on pins, with the coupler on a revolute joint along its line
  PIVOT_CUT     // on balls, with the loop cut at the pivot of the crank
} couplerKind;

// the crank turns about (0, 0), the rocker about (ground, 0)
typedef struct fourBar {
  double crank[2], rocker[2], ground; // where their tips are
  double rate, other_rate;            // of the crank; of the rocker, NAN: it follows
} fourBar;

static const fourBar parallelogram = {
    {0.7648421872844885, 0.644217687237691}, {0.2648421872844885, 0.644217687237691}, -0.5, 6, NAN};
static const fourBar in_line = {{1, 0}, {0.5, 0}, -0.5, 2, 2};

// two pairs of equal bars; crank 0.3, ground 0.5
static const fourBar kite = {{0.10870732634300208, 0.27961172579016785},
                             {0.3380250483649098, 0.4730371180391769},
                             0.5,
                             12,
                             NAN};

static const int methods[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED, MODEL_GENERATED};

//---- machines ------------------------------------------------------------------------------------


// (x, y, z) of the tilted axes in ground
static void tilt(double x, double y, double z, double to[3])
{
  static const double R[3][3] = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}};
  for (int i = 0; i < 3; i++) to[i] = R[i][0] * x + R[i][1] * y + R[i][2] * z;
}


static void add_body(artBuilder *b, const char *name, double mass, const double at[3],
                     const double inertia[6])
{
  artBodyDef body = art_default_body();
  body.name = name;
  body.mass = mass;
  tilt(at[0], at[1], at[2], body.com);
  memcpy(body.inertia, inertia, sizeof body.inertia);
  art_add_body(b, &body);
}


static void add_joint(artBuilder *b, artJointType type, const char *name, const char *from,
                      const char *to, const double at[2], int keep)
{
  artJointDef joint = art_default_joint();
  joint.type = type;
  joint.name = name, joint.from = from, joint.to = to;
  joint.in_ground = 1;
  joint.keep = keep;
  tilt(at[0], at[1], 0, joint.at);
  tilt(0, 0, 1, joint.axis);
  art_add_joint(b, &joint);
}


// the coupler spins about the line through its joints
static void add_rotor(artBuilder *b, const fourBar *bars)
{
  artJointDef joint = art_default_joint();
  joint.name = "spin", joint.from = "carrier", joint.to = "coupler";
  joint.in_ground = 1;
  tilt(bars->crank[0], bars->crank[1], 0, joint.at);
  tilt(bars->crank[0] - bars->rocker[0], bars->crank[1] - bars->rocker[1], 0, joint.axis);
  art_add_joint(b, &joint);
}


// The coupler moves at the start with the angular velocity `turn` about the normal of the plane, and spins.
static void set_spin(artBuilder *b, const fourBar *bars, couplerKind kind, double turn, double spin)
{
  static const char *const names[] = {"pin.wx", "pin.wy", "pin.wz"};
  const double x = bars->crank[0] - bars->rocker[0], y = bars->crank[1] - bars->rocker[1];
  double w[3];
  tilt(spin * x / hypot(x, y), spin * y / hypot(x, y), turn, w);
  if (kind == ON_A_CARRIER) art_set_initial(b, "spin.rate", spin);
  for (int i = 0; i < 3 && kind == ON_BALLS; i++) art_set_initial(b, names[i], w[i]);
}


// turn: angular velocity of the coupler against the rocker at the start
static artModel *four_bar(const fourBar *bars, couplerKind kind, double turn, double spin)
{
  static const double even[6] = {0.1, 0.1, 0.1}, odd[6] = {0.02, 0.03, 0.025, 0.002, 0.001, -0.003};
  artBuilder *b = art_create_builder();
  const double *tip = bars->crank, *top = bars->rocker, ground[2] = {bars->ground, 0};
  const int has_pin = kind == BALL_AND_PIN || kind == FREE;
  const artJointType type = kind == ON_PINS || kind == ON_A_CARRIER ? ART_REVOLUTE : ART_SPHERICAL;
  const char *coupler = kind == ON_A_CARRIER ? "carrier" : "coupler";
  double g[3];
  tilt(0, -9.81, 0, g);
  art_set_gravity(b, g);
  add_body(b, "crank", 1, (double[3]){tip[0] / 2, tip[1] / 2, 0}, even);
  add_body(b, "rocker", 2, (double[3]){(top[0] + ground[0]) / 2, top[1] / 2, 0}, even);
  if (kind == ON_A_CARRIER) add_body(b, "carrier", 0, (double[3]){0, 0, 0}, (double[6]){0});
  add_body(b, "coupler", 0.5,
           (double[3]){(tip[0] + top[0]) / 2 + 0.03, (tip[1] + top[1]) / 2 + 0.05, 0.04}, odd);
  add_joint(b, ART_REVOLUTE, "pivot", "ground", "crank", (double[2]){0, 0},
            kind == PIVOT_CUT ? -1 : 1);
  add_joint(b, ART_REVOLUTE, "bearing", "ground", "rocker", ground, 1);
  if (kind == FREE) add_joint(b, ART_FREE, "own", "ground", "coupler", (double[2]){0, 0}, 1);
  add_joint(b, type, "pin", "rocker", coupler, top, kind == FREE ? -1 : 1);
  add_joint(b, has_pin ? ART_REVOLUTE : type, "wrist", coupler, "crank", tip,
            kind == PIVOT_CUT ? 1 : -1);
  if (kind == ON_A_CARRIER) add_rotor(b, bars);
  art_set_initial(b, "pivot.rate", bars->rate);
  if (!isnan(bars->other_rate)) art_set_initial(b, "bearing.rate", bars->other_rate);
  if (spin != 0) set_spin(b, bars, kind, turn, spin);
  return model_compile(b);
}


// A test ends where a run does not begin.
static void start(simulation *s, artModel *model, int method, artIntegrator integrator,
                  double tolerance)
{
  artRunDef study = art_default_run();
  study.until = 1e3;
  model_set_way(&study, method);
  study.integrator = integrator;
  study.tolerance = tolerance;
  if (integrator == ART_RK4) study.step = 2.5e-4;
  simulation_run(s, keep_model(model), &study);
  check_stop_if_failed();
}


static const double *angle(const simulation *s, const char *name)
{
  return &s->data->q[art_find_position(s->model, name)];
}


// both machines at t
static void compare(const simulation *s, const simulation *reference, double limit)
{
  CHECK_NEAR(angle(s, "pivot.angle"), angle(reference, "pivot.angle"), 1, limit);
  CHECK_NEAR(angle(s, "bearing.angle"), angle(reference, "bearing.angle"), 1, limit);
}


//---- tests ---------------------------------------------------------------------------------------


// by every method and integrator, from beside a line and in it; the lines are passed six times
TEST(couplers_on_ball_joints_move_as_on_pins)
{
  static const fourBar *const bars[] = {&parallelogram, &in_line, &kite};
  for (int n = 0; n < 3; n++) {
    simulation pins, carrier;
    start(&pins, four_bar(bars[n], ON_PINS, 0, 0), ART_SEMIRECURSIVE, ART_DOPRI5, 1e-12);
    start(&carrier, four_bar(bars[n], ON_A_CARRIER, 0, 0), ART_SEMIRECURSIVE, ART_DOPRI5, 1e-12);
    simulation_go(&pins, 3);
    simulation_go(&carrier, 3);
    for (int i = 0; i < 4 * ART_MOREAU * 3; i++) {
      const artIntegrator integrator = (artIntegrator) (i % ART_MOREAU);
      const couplerKind kind = (couplerKind) (ON_BALLS + i / ART_MOREAU % 3);
      const int method = methods[i / (3 * ART_MOREAU)];
      simulation s;
      if (integrator == ART_RK4 && method != ART_SEMIRECURSIVE) continue;
      start(&s, four_bar(bars[n], kind, 0, 0), method, integrator, 1e-12);
      simulation_go(&s, 3);
      const artCertificate c = art_certify(s.run);
      compare(&s, kind == ON_BALLS ? &carrier : &pins, integrator == ART_DOPRI5 ? 1e-7 : 1e-4);
      CHECK(c.passages > 4);
      CHECK(c.position_residual < 1e-12 && c.velocity_residual < 1e-9);
      if (c.time < 3) {
        printf("  machine %d, kind %d, %s, integrator %d\n", n, (int) kind, model_way_name(method),
               (int) integrator);
      }
    }
  }
}


TEST(tolerances_do_not_matter)
{
  static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
  simulation carrier, s;
  start(&carrier, four_bar(&parallelogram, ON_A_CARRIER, 0, 0), ART_SEMIRECURSIVE, ART_DOPRI5,
        1e-12);
  simulation_go(&carrier, 3);
  for (int i = 0; i < 16; i++) {
    const double tolerance = tolerances[i % 4];
    start(&s, four_bar(&parallelogram, ON_BALLS, 0, 0), methods[i / 4], ART_DOPRI5, tolerance);
    simulation_go(&s, 3);
    compare(&s, &carrier, 300 * tolerance);
  }
}


// ten lines while the coupler, of three different inertias and off its line, spins
TEST(a_spinning_coupler_moves_as_a_rotor)
{
  static const double spins[] = {5, -0.3};
  for (int i = 0; i < 8; i++) {
    simulation rotor, s;
    const double spin = spins[i / 4];
    start(&rotor, four_bar(&parallelogram, ON_A_CARRIER, 0, spin), ART_SEMIRECURSIVE, ART_DOPRI5,
          1e-12);
    start(&s, four_bar(&parallelogram, ON_BALLS, -6, spin), methods[i % 4], ART_DOPRI5, 1e-12);
    simulation_go(&rotor, 5);
    simulation_go(&s, 5);
    const artCertificate c = art_certify(s.run);
    compare(&s, &rotor, 1e-7);
    CHECK(c.passages >= 9);
    CHECK(c.energy_error < 1e-9 * c.energy_scale && c.acceleration_residual < 1e-9);
  }
}


// from a line, with a spin that is slow or much faster than the cranks
TEST(spinning_couplers_start_in_line)
{
  static const double spins[] = {1, 40};
  for (int i = 0; i < 8; i++) {
    simulation rotor, s;
    const double spin = spins[i / 4];
    start(&rotor, four_bar(&in_line, ON_A_CARRIER, 0, spin), ART_SEMIRECURSIVE, ART_DOPRI5, 1e-12);
    start(&s, four_bar(&in_line, ON_BALLS, -2, spin), methods[i % 4], ART_DOPRI5, 1e-12);
    simulation_go(&rotor, 1);
    simulation_go(&s, 1);
    compare(&s, &rotor, 1e-7);
  }
}


// saved while the loop is held, and loaded into another run
static void resume_inside(int method)
{
  simulation s, again;
  int held = 0;
  start(&s, four_bar(&parallelogram, ON_BALLS, -6, 5), method, ART_DOPRI5, 1e-9);
  for (int i = 1; i <= 1000 && held < 3 && simulation_go(&s, 1e-3 * i); i++) {
    held += s.data->work->loop->hold.held > 0;
  }
  if (!CHECK(held == 3)) return;
  const savedRun saved = keep_saved_run(s.run);
  start(&again, four_bar(&parallelogram, ON_BALLS, -6, 5), method, ART_DOPRI5, 1e-9);
  CHECK_WORKS(art_load_run(again.run, saved.bytes, saved.size, &check_error));
  simulation_go(&s, 3);
  simulation_go(&again, 3);
  const artCounts n = art_count(s.model);
  CHECK(memcmp(s.data->q, again.data->q, (size_t) n.nq * sizeof *s.data->q) == 0);
  CHECK(memcmp(s.data->v, again.data->v, (size_t) n.nv * sizeof *s.data->v) == 0);
}


TEST(a_run_goes_on_from_inside_a_passage_bit_by_bit)
{
  for (int i = 0; i < 4; i++) resume_inside(methods[i]);
}


// idle spins are none of the ways to go on
TEST(the_ways_from_a_line_are_told)
{
  fourBar bars = in_line;
  bars.other_rate = 1.5;
  artModel *m = keep_model(four_bar(&bars, ON_BALLS, 0, 0));
  artData *d = keep_fresh_data(m);
  artRun *run = NULL;
  artRunDef study = art_default_run();
  study.until = 1;
  CHECK_FAILS(art_create_run(&run, m, d, &study, &check_error), ART_BAD_INPUT,
              "'pivot', 'bearing', 'pin' and 'wrist'");
  CHECK_CONTAINS(check_error.text, "follow none of them; its ways to go on are ");
  CHECK_CONTAINS(check_error.text, "pivot.rate = 1, bearing.rate = 1, ");
  CHECK_CONTAINS(check_error.text, "pivot.rate = 1, bearing.rate = 0.333333, ");
  art_free_run(run);
}


// the spin of the coupler is a combination of two ball joints of the tree
TEST(a_spin_that_two_ball_joints_share_stops_by_name)
{
  for (int i = 0; i < 4; i++) {
    simulation s;
    start(&s, four_bar(&parallelogram, PIVOT_CUT, 0, 0), methods[i], ART_DOPRI5, 1e-9);
    CHECK_FAILS(art_run_to(s.run, 3, &check_error), ART_SINGULAR,
                "has come to a singular position at t = 0.4");
    CHECK_CONTAINS(check_error.text, "let one of these close the loop");
  }
}
