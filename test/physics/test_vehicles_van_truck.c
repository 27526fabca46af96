// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Van and semi-trailer truck (Hidalgo, Garcia de Jalon 2012), and the truck with a second trailer: counts, masses,
// wheel loads against the balance of weights by hand, agreement of the methods, loops and energy along the manoeuvres.


#include "loop/loop.h"
#include "model/model.h"
#include "support/check.h"
#include "support/simulate.h"

enum { MOST = 128, MAX_WHEELS = 16 };

static const double gravity = 9.81;

// a mass as the files give it: kg, m
typedef struct part {
  double mass, x, y, z;
} part;

typedef struct vehicle {
  const char *name;
  int velocities, rank, dof, massless; // massless: bodies without mass in chains of one-dof joints
  double until;                        // of the short run, s
  double energy;                       // error allowed, relative
  int wheels;
  const char *load[MAX_WHEELS]; // outputs
  const char *hub[MAX_WHEELS];
  double want[MAX_WHEELS]; // loads by hand, N
  const part *parts;       // end with a mass of 0
} vehicle;

//---- weights by hand -----------------------------------------------------------------------------

// clang-format off
#define F 0.3266
#define R 0.3382
#define B (-3.45)

static const part van_parts[] = {
  {2290, -1.62, 0, 0.86},                                                        // chassis
  {24, 0.005, 0, F - 0.096}, {48, 0, 0, F + 0.01}, {12, -0.01, 0, F + 0.216},    // wishbones, knuckles
  {64, 0, 0, F},                                                                 // front wheels
  {4, -0.5, 0.38, 0.75}, {6, -0.15, 0, F - 0.028}, {9, 0.22, 0, F + 0.035},      // column, rack, bar
  {3.2, -0.15, 0, F - 0.042},                                                    // tie rods
  {1.2, 0.05, 0, F - 0.03},                                                      // links of the bar
  {7.8, B + 0.62 - 0.093, 0, R + 0.07}, {18.2, B + 0.217, 0, R + 0.07},          // leaf springs
  {135, B, 0, R}, {124, B, 0, R},                                                // axle, rear wheels
  // shaft from (-3.17, 0, 0.3582) to (-1.15, 0, 0.46): pinion, crosses, yoke, tube, flange
  {7, -3.22, 0, R + 0.02}, {1.2, -3.17, 0, R + 0.02}, {1.2, -1.15, 0, 0.46},
  {5, -3.17 + 0.2*2.02, 0, R + 0.02 + 0.2*(0.44 - R)}, {11, -3.17 + 0.65*2.02, 0, R + 0.02 + 0.65*(0.44 - R)},
  {4, -1.10, 0, 0.46},
  {0, 0, 0, 0},
};

#define H1 0.5090
#define H2 0.5218
#define H3 0.5103
#define X2 (-3.80)
#define XK (-3.20)
#define TRAILER_AXLE(x) {500, x, 0, H3}, {70, x + 0.25, 0, H3 - 0.12}, {2*114.005, x, 0, H3}

#define TRUCK_PARTS \
  {5600, -1.05, -5.266e-4, 1.15}, /* tractor */ \
  {581, 0, 0, H1}, {90, 0.40, 0, H1 + 0.06}, {136, 0, 0, H1}, {2*134.705, 0, 0, H1}, /* front axle */ \
  {5, -0.2, 0, H1 + 0.1}, {1.2, -0.2, -0.781974035, H1 + 0.1}, /* tie rod */ \
  {5, 0.5, 0.627341392, H1 + 0.1}, {1.2, 0, 0.627341392, H1 + 0.1}, /* drag link */ \
  {717, X2, 0, H2}, {70, X2 + 0.25, 0, H2 - 0.12}, {2*254.705, X2, 0, H2}, /* driven axle */ \
  /* shaft from (-3.38, 0, 0.5618) to (-1.5, 0, 0.72): pinion, yoke, tube, flange */ \
  {24, -3.43, 0, H2 + 0.04}, {16, -3.38 + 0.2*1.88, 0, H2 + 0.04 + 0.2*(0.68 - H2)}, \
  {38, -3.38 + 0.65*1.88, 0, H2 + 0.04 + 0.65*(0.68 - H2)}, {15, -1.45, 0, 0.72}, \
  {20000, XK - 5.96, 0, 1.85}, /* trailer */ \
  TRAILER_AXLE(XK - 6.28), TRAILER_AXLE(XK - 7.59), TRAILER_AXLE(XK - 8.90)

static const part truck_parts[] = {TRUCK_PARTS, {0, 0, 0, 0}};
enum { FIRST_OF_TRAILER = 16 };

#define X6 (-17.40)

static const part train_parts[] = {
  TRUCK_PARTS,
  {900, X6 - 70*0.25/900, 0, 0.95}, TRAILER_AXLE(X6),                            // dolly
  {14797.8, X6 - 4.2821, 0, 1.85}, TRAILER_AXLE(X6 - 5.40), TRAILER_AXLE(X6 - 6.71),
  {0, 0, 0, 0},
};
enum { FIRST_OF_SECOND_TRAILER = 30 };

static vehicle van = {
  .name = "vehicles/van", .velocities = 43, .rank = 25, .dof = 17, .massless = 17, .until = 1.2, .energy = 1e-6, .wheels = 4,
  .load = {"load_front_left", "load_front_right", "load_rear_left", "load_rear_right"},
  .hub = {"left/wheel.hub", "right/wheel.hub", "rear_left.hub", "rear_right.hub"}, .parts = van_parts,
};

static vehicle truck = {
  .name = "vehicles/truck", .velocities = 81, .rank = 40, .dof = 40, .massless = 34, .until = 0.5, .energy = 1e-9, .wheels = 10,
  .load = {"load1_left", "load1_right", "load2_left", "load2_right", "load3_left", "load3_right", "load4_left", "load4_right",
           "load5_left", "load5_right"},
  .hub = {"front/wheels/left.hub", "front/wheels/right.hub", "rear/wheels/left.hub", "rear/wheels/right.hub",
          "axle3/wheels/left.hub", "axle3/wheels/right.hub", "axle4/wheels/left.hub", "axle4/wheels/right.hub",
          "axle5/wheels/left.hub", "axle5/wheels/right.hub"}, .parts = truck_parts,
};

static vehicle train = {
  .name = "vehicles/road-train", .velocities = 119, .rank = 55, .dof = 63, .massless = 49, .until = 0.2, .energy = 1e-9, .wheels = 16,
  .load = {"load1_left", "load1_right", "load2_left", "load2_right", "load3_left", "load3_right", "load4_left", "load4_right",
           "load5_left", "load5_right", "load6_left", "load6_right", "load7_left", "load7_right", "load8_left", "load8_right"},
  .hub = {"front/wheels/left.hub", "front/wheels/right.hub", "rear/wheels/left.hub", "rear/wheels/right.hub",
          "axle3/wheels/left.hub", "axle3/wheels/right.hub", "axle4/wheels/left.hub", "axle4/wheels/right.hub",
          "axle5/wheels/left.hub", "axle5/wheels/right.hub", "axle6/wheels/left.hub", "axle6/wheels/right.hub",
          "axle7/wheels/left.hub", "axle7/wheels/right.hub", "axle8/wheels/left.hub", "axle8/wheels/right.hub"}, .parts = train_parts,
};
// clang-format on

static part sum_of(const part *p)
{
  part sum = {0};
  for (; p->mass > 0; p++) {
    sum.mass += p->mass;
    sum.x += p->mass * p->x, sum.y += p->mass * p->y, sum.z += p->mass * p->z;
  }
  sum.x /= sum.mass, sum.y /= sum.mass, sum.z /= sum.mass;
  return sum;
}


// two axles at the distance of the wheelbase; what stands off the middle is a hundredth of a newton
// metre in a thousand and left out
static void balance_van(void)
{
  const part sum = sum_of(van_parts);
  const double rear = sum.mass * gravity * sum.x / B;
  van.want[0] = van.want[1] = (sum.mass * gravity - rear) / 2;
  van.want[2] = van.want[3] = rear / 2;
}


// the trailer on the kingpin and on three axles that carry alike, then the tractor with what the
// kingpin bears
static void balance_truck(void)
{
  const part trailer = sum_of(truck_parts + FIRST_OF_TRAILER), all = sum_of(truck_parts);
  const double three = trailer.mass * gravity * (trailer.x - XK) / -7.59;
  const double all_moment = all.mass * gravity * all.x;
  const double driven = (all_moment - three * (XK - 7.59)) / X2;
  const double front = all.mass * gravity - three - driven;
  for (int k = 0; k < 10; k++) truck.want[k] = (k < 2 ? front : k < 4 ? driven : three / 3) / 2;
}

// the second trailer on its kingpin and two axles that carry alike; the dolly, with that kingpin above its axle, bears
// nothing at the drawbar, and the truck in front of it stands as it does alone
static void balance_train(void)
{
  const part last = sum_of(train_parts + FIRST_OF_SECOND_TRAILER), all = sum_of(train_parts);
  const double two = last.mass * gravity * (last.x - X6) / -6.055;
  const double one = (all.mass - sum_of(truck_parts).mass) * gravity - two;
  for (int k = 0; k < 16; k++)
    train.want[k] = k < 10 ? truck.want[k] : (k < 12 ? one : two / 2) / 2;
}

//---- help ----------------------------------------------------------------------------------------

static simulation start(const vehicle *v)
{
  simulation s;
  artRunDef study = art_default_run();
  study.until = 5, study.interval = 0.01, study.method = ART_SEMIRECURSIVE;
  study.integrator = ART_RK4, study.step = 1e-3;
  simulation_begin(&s, v->name, &study);
  check_stop_if_failed();
  return s;
}


// mass and its centre by the momentum of a machine that moves as a whole:  p = M v,  L = M c x v
static void find_centre(const artModel *m, artData *d, double *mass, double c[3])
{
  double p[3], L[3];
  memset(d->v, 0, (size_t) art_count(m).nv * sizeof *d->v);
  d->v[2] = 1; // the free joint comes first
  art_update(m, d);
  art_momentum(m, d, p, L);
  *mass = p[2];
  c[0] = -L[1] / p[2], c[1] = L[0] / p[2];
  d->v[2] = 0, d->v[0] = 1;
  art_update(m, d);
  art_momentum(m, d, p, L);
  c[2] = L[1] / p[0];
  d->v[0] = 0;
  art_update(m, d);
}

//---- counts, masses, loads -----------------------------------------------------------------------

static void check_counts(const vehicle *v)
{
  simulation s = start(v);
  const artCertificate c = art_certify(s.run);
  CHECK_EQ_INT(art_count(s.model).nv, v->velocities);
  CHECK_EQ_INT(c.rows, v->rank);
  CHECK_EQ_INT(c.rank, v->rank);
  CHECK_EQ_INT(c.dof, v->dof);
  CHECK_EQ_INT(s.model->ndrive, 1);

  // bodies of the file that have mass, one for each chain of joints
  int heavy = 0;
  for (int i = 1; i < s.model->nbody; i++) heavy += s.model->body[i].mass > 0;
  CHECK_EQ_INT(v->velocities - heavy, v->massless);
}


TEST(both_have_the_published_numbers_of_bodies_and_degrees_of_freedom)
{
  check_counts(&van);
  check_counts(&truck);
}


static void check_mass(const vehicle *v)
{
  simulation s = start(v);
  const part sum = sum_of(v->parts);
  const double want[3] = {sum.x, sum.y, sum.z};
  double mass, c[3];
  art_reset(s.model, s.data);
  find_centre(s.model, s.data, &mass, c);
  CHECK_CLOSE_REL(mass, sum.mass, 1e-12);
  CHECK_NEAR(c, want, 3, 1e-12);
}


TEST(the_train_has_more_than_eighty_bodies_and_fifty_constraints)
{
  check_counts(&train);
}


TEST(mass_and_its_centre_are_the_sums_of_the_parts)
{
  check_mass(&van);
  check_mass(&truck);
  check_mass(&train);
}


// forces and their moments balance the weight where the vehicle stands
static void check_balance(const artModel *m, artData *d, const vehicle *v, const double *load)
{
  double mass, c[3], sum = 0, moment[2] = {0};
  find_centre(m, d, &mass, c);
  for (int k = 0; k < v->wheels; k++) {
    double hub[3];
    art_frame_position(m, d, art_find_frame(m, v->hub[k]), hub);
    sum += load[k];
    moment[0] += load[k] * hub[0], moment[1] += load[k] * hub[1];
  }
  const double weight = mass * gravity, want[2] = {weight * c[0], weight * c[1]};
  CHECK_CLOSE_REL(sum, weight, 1e-9);
  CHECK_CLOSE(moment[0], want[0], 2e-6 * weight);

  // wheels that lean by a thousandth touch the road beside their hubs
  CHECK_CLOSE(moment[1], want[1], 5e-5 * weight);
}


static void check_loads(const vehicle *v)
{
  simulation s = start(v);
  artEquilibrium found;
  double load[MAX_WHEELS];
  art_reset(s.model, s.data);
  if (!CHECK_WORKS(art_find_equilibrium(s.model, s.data, &found, &check_error))) {
    printf("  %s: %s\n", v->name, check_error.text);
  }
  for (int k = 0; k < v->wheels; k++) load[k] = simulation_output(&s, v->load[k]);
  check_balance(s.model, s.data, v, load);
  for (int k = 0; k < v->wheels; k++) {
    // by hand left and right are alike; the column of the van and the steering of the truck are not
    CHECK_CLOSE_REL((load[k] + load[k ^ 1]) / 2, v->want[k], 2e-4);
    CHECK_CLOSE_REL(load[k], v->want[k], 5e-3);
  }
}


// as drawn, where it moves off: a hair beside the equilibrium
static void check_start(const vehicle *v)
{
  simulation s = start(v);
  art_update(s.model, s.data);
  CHECK(art_accelerate(s.model, s.data, ART_SEMIRECURSIVE, NULL) == ART_OK);
  for (int k = 0; k < v->wheels; k++) {
    CHECK_CLOSE_REL(simulation_output(&s, v->load[k]), v->want[k], 2e-3);
  }
  CHECK(fabs(s.data->a[2]) < 0.3);
}


TEST(wheel_loads_at_rest_are_those_by_hand)
{
  balance_van();
  balance_truck();
  balance_train();
  check_start(&van);
  check_start(&truck);
  check_start(&train);
  check_loads(&van);
  check_loads(&truck);
  check_loads(&train);
}

//---- motion --------------------------------------------------------------------------------------

// accelerations by all methods at the present state
static void compare_methods(const artModel *m, artData *d, const char *name)
{
  static const artMethod others[] = {ART_RECURSIVE, ART_AUGMENTED, ART_INDEX1};
  const int nv = art_count(m).nv;
  double want[MOST];
  art_update(m, d);
  if (!CHECK_WORKS(art_accelerate(m, d, ART_SEMIRECURSIVE, &check_error))) return;
  memcpy(want, d->a, (size_t) nv * sizeof *want);
  for (int i = 0; i < 3; i++) {
    art_update(m, d);
    const bool ok = CHECK_WORKS(art_accelerate(m, d, others[i], &check_error)) &&
                    CHECK_NEAR(d->a, want, nv, 1e-9 * check_largest(nv, want));
    if (!ok) printf("  %s by %s %s\n", name, art_method_name(others[i]), check_error.text);
  }
}


// the manoeuvre for a while: loops stay closed, energy goes nowhere, and methods agree at the end
static void check_motion(const vehicle *v)
{
  simulation s = start(v);
  compare_methods(s.model, s.data, v->name);
  for (int k = 1; k <= 20; k++) {
    if (!CHECK(art_run_to(s.run, v->until * k / 20, NULL) == ART_OK)) break;
  }
  const artCertificate c = art_certify(s.run);
  CHECK(c.position_residual < 1e-12 && c.velocity_residual < 1e-11);
  CHECK(c.acceleration_residual < 1e-9);
  CHECK(c.energy_error < v->energy * c.energy_scale);
  CHECK(c.repartitions == 0);
  compare_methods(s.model, s.data, v->name);
}


CASE(the_van_crosses_a_bump, check_motion(&van))
CASE(the_truck_begins_its_slalom, check_motion(&truck))
CASE(the_train_begins_its_slalom, check_motion(&train))


// Natural coordinates keep all constraints at steps of 10 ms, which are shortened where they must be.
static void check_index3(const vehicle *v)
{
  simulation s;
  artRunDef study = art_default_run();
  study.method = ART_INDEX3;
  study.step = 1e-2;
  if (simulation_begin(&s, v->name, &study) && simulation_go(&s, 0.1)) {
    const artCertificate c = art_certify(s.run);
    CHECK(c.position_residual < 1e-9 && c.velocity_residual < 1e-8);
    CHECK(c.energy_error < 1e-3 * c.energy_scale);
  }
}


TEST(both_move_in_natural_coordinates_at_ten_milliseconds)
{
  check_index3(&van);
  check_index3(&truck);
}
