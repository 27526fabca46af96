// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The cars, the motorcycle and the bogie of models/vehicles: their structure beside that of their sources,
// wheel loads beside the balance of the weight, all methods beside each other, energy and loops.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/work.h"
#include "loop/loop.h"
#include "loop/partition.h"
#include "method/method.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"


//---- models --------------------------------------------------------------------------------------

// a model of models/vehicles in its initial state, loops closed
static void load(simulation *s, const char *name)
{
  char path[512];
  snprintf(path, sizeof path, "vehicles/%s", name);
  s->model = keep_machine(path), s->data = keep_assembled_data(s->model), s->run = NULL;
}


//---- structure -----------------------------------------------------------------------------------

typedef struct structure {
  const char *name;
  int bodies, velocities, driven, rows, dof;
  double mass;
} structure;

static const structure structures[] = {
    // Robotran's model of the IAVSD vehicle: 1513.4 kg; 4 mounts of suspensions count as bodies
    {"iltis", 18, 23, 1, 8, 14, 1513.4},
    // Postiau 2004, section 2.8.1: 54 variables, 40 constraints, 14 degrees of freedom, and the rack
    {"multilink-car", 34, 55, 1, 40, 14, 1517.2},
    // table 1.9: 14 joints, one of them locked
    {"motorcycle", 14, 14, 1, 0, 13, 250.65},
    // Postiau 2004, table 4.1: 23 joints, 7 constraints
    {"bogie", 23, 23, 0, 7, 16, 4353},
};


TEST(structures_are_those_of_the_sources)
{
  for (size_t i = 0; i < sizeof structures / sizeof *structures; i++) {
    const structure *want = &structures[i];
    simulation s;
    artAssembly assembly;
    load(&s, want->name);
    CHECK(art_assemble(s.model, s.data, &assembly, NULL) == ART_OK);
    const artCounts n = art_count(s.model);
    bool ok = CHECK_EQ_INT(n.bodies, want->bodies);
    ok &= CHECK_EQ_INT(n.nv, want->velocities);
    ok &= CHECK_EQ_INT(n.drives, want->driven);
    ok &= CHECK_EQ_INT(assembly.rows, want->rows);
    ok &= CHECK_EQ_INT(assembly.rank, want->rows);
    ok &= CHECK_EQ_INT(assembly.dof, want->dof);
    ok &= CHECK_CLOSE(s.model->mass, want->mass, 1e-9);
    if (!ok) printf("  in models/vehicles/%s.yaml\n", want->name);
  }
}


static void check_output(const simulation *s, const char *name, double want, double tolerance)
{
  const double got = simulation_output(s, name);
  if (CHECK(fabs(got - want) <= tolerance)) return;
  printf("  %s is %.9g, expected %.9g\n", name, got, want);
}


//---- rest ----------------------------------------------------------------------------------------

// a vehicle in its static equilibrium, accelerations found
static void rest(simulation *s, const char *name)
{
  artEquilibrium equilibrium;
  load(s, name);
  CHECK_WORKS(art_find_equilibrium(s->model, s->data, &equilibrium, &check_error));
  CHECK_WORKS(art_accelerate(s->model, s->data, ART_AUTOMATIC, &check_error));
}


// the benchmark paper's forces as drawn, which its sampled model has to 0.1 N
TEST(the_iltis_has_its_nominal_forces)
{
  simulation s;
  load(&s, "iltis-rest");
  CHECK_WORKS(art_accelerate(s.model, s.data, ART_AUTOMATIC, &check_error));
  check_output(&s, "leaf_fl", -2728.9, 0.1);
  check_output(&s, "leaf_rl", -2728.9, 0.1);
  check_output(&s, "shock_fl", -128.0, 0.1);
  check_output(&s, "shock_rl", -128.0, 0.1);
  check_output(&s, "load_fl", 3829.6, 0.1 + 1e-9);
  check_output(&s, "load_fr", 3829.6, 0.1 + 1e-9);
  check_output(&s, "load_rl", 3593.6, 0.1);
  check_output(&s, "load_rr", 3593.6, 0.1);
}


// Robotran's equilibrium; its tyres stand on the point below the hub, ours on that of a disc with camber
TEST(the_iltis_rests_as_its_sampled_model_does)
{
  simulation s;
  rest(&s, "iltis-rest");
  check_output(&s, "dz", -7.083e-3, 2e-6);
  check_output(&s, "pitch", 0.1465 * 3.14159265358979 / 180, 2e-6);
  check_output(&s, "load_fl", 3831.31, 0.02);
  check_output(&s, "load_rl", 3591.91, 0.02);
  check_output(&s, "shock_fl", -335.29, 0.1);
  check_output(&s, "shock_rl", -241.64, 0.1);
  check_output(&s, "leaf_fl", -3068.62, 0.2);
  check_output(&s, "leaf_rl", -2885.51, 0.2);
  check_output(&s, "rod_fl", -1408.51, 4);
  check_output(&s, "rod_rl", -1335.52, 2);
}


// sum of m (x_m - x)
static double mass_ahead_of(const simulation *s, double x)
{
  double moment = 0;
  const artModel *m = s->model;
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    const v3 h = m3_back(s->data->work->tree.world[i].R, link->h);
    moment += link->mass * (s->data->work->tree.world[i].o.x - x) + h.x;
  }
  return moment;
}


// Front wheels carry  m g (x_m - x_r) / (x_f - x_r),  rear wheels the rest, left and right alike. Wheels of the
// Iltis lean, and tyres that roll would make side forces of it.
TEST(wheel_loads_balance_the_weight)
{
  static const char *const cars[] = {"iltis-rest", "iltis", "multilink-car"};
  for (int i = 0; i < 3; i++) {
    simulation s;
    rest(&s, cars[i]);
    const double contact_rear = simulation_output(&s, "contact_rl");
    const double base = simulation_output(&s, "contact_fl") - contact_rear;
    const double weight = 9.81 * s.model->mass;
    const double front = 9.81 * mass_ahead_of(&s, contact_rear) / base;
    check_output(&s, "load_fl", front / 2, 1e-6 * weight);
    check_output(&s, "load_fr", front / 2, 1e-6 * weight);
    check_output(&s, "load_rl", (weight - front) / 2, 1e-6 * weight);
    check_output(&s, "load_rr", (weight - front) / 2, 1e-6 * weight);
  }
}


// it runs level on the loads of its two wheels
TEST(the_motorcycle_stands_on_its_wheels)
{
  simulation s;
  load(&s, "motorcycle");
  CHECK_WORKS(art_accelerate(s.model, s.data, ART_AUTOMATIC, &check_error));
  const double weight = 9.81 * s.model->mass, front = 9.81 * mass_ahead_of(&s, 0) / 1.410;
  check_output(&s, "front_tyre.fz", front, 1e-9 * weight);
  check_output(&s, "rear_tyre.fz", weight - front, 1e-9 * weight);
  for (int k = 0; k < art_count(s.model).nv; k++) CHECK(fabs(s.data->a[k]) < 1e-9);
}


// Upright and straight on, a motorcycle has a plane of symmetry: it vibrates in that plane or across it, in no mode in both.
TEST(modes_of_the_motorcycle_are_in_its_plane_or_across)
{
  static const char *const across[] = {"y.", "yaw.", "roll.", "waist.", "torsion.", "steer."};
  simulation s;
  artTrim trim;
  artLinear *lin = NULL;
  int count[2] = {0, 0};
  load(&s, "motorcycle");
  CHECK_WORKS(art_find_trim(s.model, s.data, 40, &trim, &check_error));
  CHECK_WORKS(art_linearise(s.model, s.data, ART_AUTOMATIC, &lin, &check_error));
  keep_linear(lin);
  for (int e = 0; e < lin->order; e++) {
    double share = 0;
    for (int k = 0; k < 6 * lin->n; k++) {
      const char *name = art_position_name(s.model, lin->coordinate[k / 6]);
      const int is_across = strncmp(name, across[k % 6], strlen(across[k % 6])) == 0;
      if (is_across) share += lin->share[e * lin->n + k / 6];
    }
    if (!(lin->imaginary[e] > 0)) continue;
    CHECK(fabs(share) < 1e-9 || fabs(share - 1) < 1e-9);
    count[share > 0.5]++;
  }
  // bounce, pitch and hop; weave, wobble and the frame's own
  CHECK(count[0] >= 3 && count[1] >= 3);
}


//---- the bogie -----------------------------------------------------------------------------------

// coordinates 23, 21, 22, 7, 8, 11, 12 of table 4.1, and the pattern of J_v printed with them
enum { BOGIE_ROWS = 7 };
static const char *const bogie_dependent[BOGIE_ROWS] = {
    "anchor_rise.angle", "lever_turn.angle", "yoke_turn.angle", "front_yaw.angle",
    "front_slide.slide", "steer_fl.angle",   "steer_rr.angle"};
static const char *const bogie_pattern[BOGIE_ROWS] = {"x......", ".x.....", "x.xxx..", "x.xxx..",
                                                      ".x.xx..", "..x..x.", "x.xxx.x"};
// rows of the model in the order of the thesis: height of the ball, rod to the rear, ball, rod to the
// front, the two rods of steered wheels
static const int bogie_row[BOGIE_ROWS] = {2, 3, 0, 1, 4, 5, 6};


TEST(the_bogie_has_the_jacobian_of_the_thesis)
{
  simulation s;
  load(&s, "bogie");

  // away from the drawing: the independent coordinates of frames and main frame
  static const char *const moved[] = {"yaw.angle", "roll.angle", "pitch.angle", "rear_yaw.angle",
                                      "rear_slide.slide"};
  const int nv = art_count(s.model).nv;
  for (int k = 0; k < 5; k++) s.data->q[art_find_position(s.model, moved[k])] = 0.02 + 0.01 * k;
  artAssembly assembly;
  art_update(s.model, s.data);
  CHECK(art_assemble(s.model, s.data, &assembly, NULL) == ART_OK);
  CHECK(assembly.moved < 0.2);

  const loopMatrix *J = &s.data->work->loop->rows.J;
  for (int i = 0; i < BOGIE_ROWS; i++) {
    char row[BOGIE_ROWS + 1] = {0};
    for (int k = 0; k < BOGIE_ROWS; k++) {
      const double entry =
          matrix_at(J, bogie_row[i], art_find_position(s.model, bogie_dependent[k]));
      row[k] = fabs(entry) > 1e-12 ? 'x' : '.';
    }
    CHECK_TEXT(row, bogie_pattern[i]);
  }

  // its partition, and the blocks of table 4.2: 23; 21; 22, 7, 8; 11; 12
  static const int blocks[] = {1, 1, 3, 1, 1};
  bool pattern[BOGIE_ROWS * 64];
  loopPartition partition;
  int hand[64], n = 0;
  for (int k = 0; k < nv; k++) {
    bool is_dependent = false;
    for (int i = 0; i < BOGIE_ROWS; i++) {
      if (k == art_find_position(s.model, bogie_dependent[i])) is_dependent = true;
    }
    if (!is_dependent) hand[n++] = k;
  }
  for (int e = 0; e < matrix_count(J); e++) pattern[e] = fabs(J->value[e]) > 1e-12;
  const partitionRequest request = {.J = J,
                                    .pattern = pattern,
                                    .rank = &s.data->work->loop->rank,
                                    .choice = LOOP_BY_HAND,
                                    .hand_count = n,
                                    .hand = hand};
  if (CHECK(partition_find(&partition, &request, NULL) == ART_OK)) {
    CHECK_EQ_INT(partition.block_count, 5);
    for (int k = 0; k < 5 && k < partition.block_count; k++) {
      CHECK_EQ_INT(partition.block_start[k + 1] - partition.block_start[k], blocks[k]);
    }
    partition_free(&partition);
  }
}


//---- motion --------------------------------------------------------------------------------------

// vehicles by a study of theirs
typedef struct manoeuvre {
  const char *name, *study;
  double until;  // of the short piece that is run here, s
  double energy; // largest error of the balance, of the energies at hand
} manoeuvre;

static const manoeuvre manoeuvres[] = {
    {"iltis", "ramp", 1, 1e-6},
    {"iltis-bump", NULL, 0.6, 1e-9},
    {"iltis-stairs", "reference", 1, 1e-8},
    {"multilink-car", "double_lane_change", 0.2, 1e-7},
    {"motorcycle", "ride", 1, 1e-9},
    {"bogie", "shift", 1, 1e-9},
};
enum { MANOEUVRES = sizeof manoeuvres / sizeof *manoeuvres };


static void start(simulation *s, const manoeuvre *what)
{
  load(s, what->name);
  const artRunDef *study = art_find_run(s->model, what->study);
  CHECK(study);
  check_stop_if_failed();
  s->run = keep_started_run(s->model, s->data, study);
}


TEST(motions_keep_loops_closed_and_energy_balanced)
{
  for (int i = 0; i < MANOEUVRES; i++) {
    simulation s;
    start(&s, &manoeuvres[i]);
    for (int k = 1; k <= 20; k++) {
      if (!simulation_go(&s, manoeuvres[i].until * k / 20)) break;
    }
    const artCertificate c = art_certify(s.run);
    bool ok = CHECK(c.position_residual < 1e-9);
    ok &= CHECK(c.velocity_residual < 1e-9);
    ok &= CHECK(c.acceleration_residual < 1e-9);
    ok &= CHECK(c.energy_error < manoeuvres[i].energy * c.energy_scale);
    if (!ok) {
      printf("  in models/vehicles/%s.yaml: loops %.1e %.1e %.1e, energy %g of %g J\n",
             manoeuvres[i].name, c.position_residual, c.velocity_residual, c.acceleration_residual,
             c.energy_error, c.energy_scale);
    }
  }
}


// largest difference of the accelerations by a method from those kept, of the largest or 1
static double difference(const artModel *m, artData *d, int method, const double *kept)
{
  if (!CHECK_WORKS(method_accelerate(m, d, method, &check_error))) {
    printf("  %s: %s\n", model_way_name(method), check_error.text);
    return INFINITY;
  }
  const int nv = art_count(m).nv;
  return check_apart(nv, d->a, kept) / check_scale(nv, kept);
}


TEST(all_methods_give_the_same_accelerations)
{
  static const int loops[] = {ART_RECURSIVE, ART_AUGMENTED, ART_INDEX1};
  static const int trees[] = {ART_MASS_MATRIX, ART_ORDER_N, ART_INDEX1};
  for (int i = 0; i < MANOEUVRES; i++) {
    simulation s;
    start(&s, &manoeuvres[i]);
    for (int instant = 0; instant < 4; instant++) {
      double kept[64];
      if (!simulation_go(&s, manoeuvres[i].until * instant / 4) ||
          !CHECK(art_count(s.model).nv <= 64) ||
          !CHECK(art_accelerate(s.model, s.data, ART_AUTOMATIC, NULL) == ART_OK)) {
        break;
      }
      memcpy(kept, s.data->a, sizeof *kept * (size_t) art_count(s.model).nv);
      for (int k = 0; k < 3; k++) {
        const int method = art_count(s.model).loops > 0 ? loops[k] : trees[k];
        const double off = difference(s.model, s.data, method, kept);
        if (CHECK(off < 1e-9)) continue;
        printf("  in models/vehicles/%s.yaml: %s at instant %d: %g\n", manoeuvres[i].name,
               model_way_name(method), instant, off);
      }
      CHECK(art_accelerate(s.model, s.data, ART_AUTOMATIC, NULL) == ART_OK);
    }
  }
}


// height and pitch of the Iltis on its bump at 0.3 s by a method and a step
static void place_on_bump(int method, double step, double place[2])
{
  simulation s;
  artRunDef study = art_default_run();
  study.until = 1;
  model_set_way(&study, method);
  study.step = step;
  study.tolerance = art_method_is_natural(method) ? 1e-9 : 1e-11;
  load(&s, "iltis-bump");
  s.run = keep_started_run(s.model, s.data, &study);
  simulation_go(&s, 0.3);
  place[0] = simulation_output(&s, "dz");
  place[1] = simulation_output(&s, "pitch");
}


TEST(all_methods_give_the_same_motion_to_their_order)
{
  static const int exact[] = {ART_RECURSIVE, ART_AUGMENTED};
  static const int second[] = {ART_INDEX1, ART_INDEX3, ART_CONSERVING};
  double want[2], place[2], half[2];
  place_on_bump(ART_SEMIRECURSIVE, 0, want);
  for (int k = 0; k < 2; k++) {
    place_on_bump(exact[k], 0, place);
    CHECK_NEAR(place, want, 2, 1e-10);
  }
  for (int k = 0; k < 3; k++) {
    place_on_bump(second[k], 2e-3, place);
    place_on_bump(second[k], 1e-3, half);
    for (int i = 0; i < 2; i++) {
      const double order = log2(fabs(place[i] - want[i]) / fabs(half[i] - want[i]));
      if (CHECK(order > 1.8 && order < 2.2 && fabs(half[i] - want[i]) < 1e-4)) continue;
      printf("  %s: order %g, off by %g\n", model_way_name(second[k]), order, half[i] - want[i]);
    }
  }
}


//---- histories of others -------------------------------------------------------------------------

static const double DEGREE = 3.14159265358979 / 180;

// how far a history may lie from the samples of test/data/iltis
typedef struct sampled {
  const char *file, *kind, *model, *study;
  double until, height, angle, load; // s, m, rad, N
} sampled;


// angles of the samples follow one another as roll, pitch, yaw; heights in bump.csv are in mm
static void compare_row(const simulation *s, const sampled *what, const char *line)
{
  double x[14], roll = simulation_output(s, "roll"), pitch = simulation_output(s, "pitch"),
                yaw = simulation_output(s, "yaw");
  const bool is_bump = strcmp(what->file, "bump") == 0;
  const double s13 = cos(yaw) * sin(pitch) * cos(roll) + sin(yaw) * sin(roll);
  const double s23 = sin(yaw) * sin(pitch) * cos(roll) - cos(yaw) * sin(roll);
  const double s12 = cos(yaw) * sin(pitch) * sin(roll) - sin(yaw) * cos(roll);
  const double turned[3] = {asin(s13), atan2(-s23, cos(pitch) * cos(roll)),
                            atan2(-s12, cos(yaw) * cos(pitch))};

  int n = 0;
  for (const char *at = strchr(line, ','); at && n < 14; at = strchr(at + 1, ',')) {
    x[n++] = strtod(at + 1, NULL);
  }
  const double height = is_bump ? x[2] * 1e-3 : x[3] - 0.57;
  const double *angle = x + (is_bump ? 3 : 4), *load = x + n - 4;
  check_output(s, "dz", height, what->height);
  for (int k = 0; k < 3; k++) CHECK(fabs(turned[k] - angle[k] * DEGREE) < what->angle);
  check_output(s, "load_fl", load[0], what->load);
  check_output(s, "load_fr", load[1], what->load);
  check_output(s, "load_rl", load[2], what->load);
  check_output(s, "load_rr", load[3], what->load);
}


TEST(histories_of_the_iltis_are_those_of_its_sampled_model)
{
  // the bump is met by another contact there, on the point below the hub
  static const sampled cases[] = {{"steer", "ramp-20,", "iltis", "ramp", 1, 1e-4, 2e-4, 8},
                                  {"bump", "in-5,", "iltis-bump", NULL, 1, 4e-3, 4e-3, 180}};
  for (int i = 0; i < 2; i++) {
    const sampled *what = &cases[i];
    const manoeuvre run = {what->model, what->study, 0, 0};
    char path[512], line[256];
    simulation s;
    int rows = 0;
    snprintf(path, sizeof path, "%s/test/data/iltis/%s.csv", ART_SOURCE_DIR, what->file);
    FILE *file = fopen(path, "r");
    start(&s, &run);
    while (CHECK(file) && fgets(line, sizeof line, file)) {
      const double t = strtod(line + strlen(what->kind), NULL);
      if (strncmp(line, what->kind, strlen(what->kind)) != 0 || t > what->until) continue;
      if (!simulation_go(&s, t)) break;
      compare_row(&s, what, line);
      rows++;
    }
    CHECK(rows >= 3);
    if (file) fclose(file);
  }
}


//---- ramp and stairs -----------------------------------------------------------------------------

// the manoeuvre of Dopico et al. by a study of the file with another step
typedef struct stairsPath {
  bool is_done;
  double x[80], pitch[80], most; // every 0.1 s; largest vertical acceleration there, m/s^2
  artCertificate certificate;
} stairsPath;


static stairsPath run_stairs_of(const char *model, const char *name, double step, double until)
{
  stairsPath path = {0};
  simulation s;
  const int n = (int) (until / 0.1 + 0.5);
  load(&s, model);
  const artRunDef *found = art_find_run(s.model, name);
  if (!CHECK(found)) return path;
  artRunDef study = *found;
  study.step = step;
  study.backend = ART_BACKEND_NUMERIC; // the same without a compiler
  s.run = keep_started_run(s.model, s.data, &study);
  int k = 0;
  for (; k < n && simulation_go(&s, 0.1 * (k + 1)); k++) {
    path.x[k] = simulation_output(&s, "x"), path.pitch[k] = simulation_output(&s, "pitch");
    path.most = check_larger(path.most, fabs(simulation_output(&s, "az")));
  }
  path.is_done = k == n;
  path.certificate = art_certify(s.run);
  return path;
}


static stairsPath run_stairs(const char *name, double step, double until)
{
  return run_stairs_of("iltis-stairs", name, step, until);
}


static double rms(const double *a, const double *b, int n)
{
  double sum = 0;
  for (int k = 0; k < n; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sqrt(sum / n);
}


// Index 3 with projections and the conserving method with them pass the stairs with steps of 10 ms. Without
// them the latter leaves the constraints of the velocities. ART_SOAK=1 in the environment goes all the way;
// else it is the foot of the ramp.
TEST(the_iltis_passes_ramp_and_stairs)
{
  const double until = getenv("ART_SOAK") ? 8 : 1.2;
  const int n = (int) (until / 0.1 + 0.5);
  const stairsPath reference = run_stairs("reference", 0, until);
  const stairsPath projections = run_stairs("projections", 10e-3, until);
  const stairsPath combined = run_stairs("combined", 10e-3, until);
  const stairsPath conserving = run_stairs("conserving", 10e-3, until);
  const stairsPath quick = run_stairs("quick", 0, until);
  CHECK(quick.is_done && rms(quick.x, reference.x, n) < 1e-3);
  CHECK(rms(quick.pitch, reference.pitch, n) < 2e-4);
  CHECK(reference.is_done && projections.is_done && combined.is_done && conserving.is_done);
  CHECK(projections.certificate.position_residual < 1e-9);
  CHECK(projections.certificate.velocity_residual < 1e-9);
  CHECK(combined.certificate.velocity_residual < 1e-9);
  CHECK(conserving.certificate.velocity_residual > 1e-4);
  CHECK(conserving.certificate.energy_error < 1e-4);
  CHECK(rms(projections.x, reference.x, n) < 2e-2);
  CHECK(rms(combined.x, reference.x, n) < 2e-2);
  CHECK(rms(projections.pitch, reference.pitch, n) < 5e-3);
  CHECK(rms(combined.pitch, reference.pitch, n) < 5e-3);
  if (until == 8) CHECK(reference.most > 2 * 9.81);
}


// with 5 ms the second is twice as accurate as the first: the trapezoidal rule lags behind
TEST(conserving_lags_less_behind_on_the_stairs)
{
  if (!getenv("ART_SOAK")) return;
  const stairsPath reference = run_stairs("reference", 0, 8);
  const stairsPath projections = run_stairs("projections", 5e-3, 8);
  const stairsPath combined = run_stairs("combined", 5e-3, 8);
  CHECK(reference.is_done && projections.is_done && combined.is_done);
  CHECK(rms(projections.x, reference.x, 80) < 6e-3);
  CHECK(rms(combined.x, reference.x, 80) < 0.6 * rms(projections.x, reference.x, 80));
  CHECK(rms(combined.pitch, reference.pitch, 80) <
        0.6 * rms(projections.pitch, reference.pitch, 80));
}


// Vertical risers: wheels roll over the edges and the car comes to the foot of the stairs. By the methods of natural
// coordinates with ART_SOAK.
TEST(the_iltis_rolls_down_vertical_stairs)
{
  static const char *const name[3] = {"projections", "combined", "conserving"};
  const stairsPath reference = run_stairs_of("iltis-edges", "reference", 0, 8);
  CHECK(reference.is_done && reference.certificate.energy_error < 0.1);
  CHECK_NEAR(&reference.x[79], ((double[]){29.5529}), 1, 1e-3);
  for (int i = 0; i < 3 && getenv("ART_SOAK"); i++) {
    const stairsPath path = run_stairs_of("iltis-edges", name[i], 10e-3, 8);
    CHECK(path.is_done && rms(path.x, reference.x, 80) < 3e-3);
    CHECK(rms(path.pitch, reference.pitch, 80) < 5e-4);
  }
}
