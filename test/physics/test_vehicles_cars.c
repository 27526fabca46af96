// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The cars, the motorcycle and the bogie of models/vehicles: their structure beside that of their sources,
// wheel loads beside the balance of the weight, all methods beside each other, energy and loops.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "force/work.h"
#include "loop/loop.h"
#include "loop/partition.h"
#include "simulate.h"


//---- models --------------------------------------------------------------------------------------

// a model of models/vehicles in its initial state, loops closed
static bool load(simulation *s, const char *name)
{
  char path[512];
  artError error = {0};
  artAssembly assembly;
  *s = (simulation){0};
  snprintf(path, sizeof path, "%s/models/vehicles/%s.yaml", ART_SOURCE_DIR, name);
  bool ok = CHECK(art_load_model(&s->model, path, &error) == ART_OK) &&
            CHECK((s->data = art_create_data(s->model)) != NULL);
  if (ok) {
    art_update(s->model, s->data);
    ok = CHECK(art_assemble(s->model, s->data, &assembly, &error) == ART_OK);
  }
  if (error.status) printf("  %s\n", error.text);
  return ok;
}


//---- structure -----------------------------------------------------------------------------------

typedef struct structure {
  const char *name;
  int bodies, velocities, driven, rows, dof;
  double mass;
} structure;

static const structure structures[] = {
    // Postiau 2004, table 4.1: 23 joints, 7 constraints
    {"bogie", 23, 23, 0, 7, 16, 4353},
};


static void structures_are_those_of_the_sources(void)
{
  for (size_t i = 0; i < sizeof structures / sizeof *structures; i++) {
    const structure *want = &structures[i];
    simulation s;
    artAssembly assembly;
    if (load(&s, want->name)) {
      CHECK(art_assemble(s.model, s.data, &assembly, NULL) == ART_OK);
      const artCounts n = art_count(s.model);
      const bool ok =
          CHECK_EQ_INT(n.bodies, want->bodies) & CHECK_EQ_INT(n.nv, want->velocities) &
          CHECK_EQ_INT(n.drives, want->driven) & CHECK_EQ_INT(assembly.rows, want->rows) &
          CHECK_EQ_INT(assembly.rank, want->rows) & CHECK_EQ_INT(assembly.dof, want->dof) &
          CHECK_NEAR(&s.model->mass, &want->mass, 1, 1e-9);
      if (!ok) printf("  in models/vehicles/%s.yaml\n", want->name);
    }
    simulation_free(&s);
  }
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


static int find_position(const artModel *m, const char *name)
{
  for (int k = 0; k < art_count(m).nv; k++) {
    if (strcmp(art_position_name(m, k), name) == 0) return k;
  }
  CHECK_TEXT("no such coordinate", name);
  return 0;
}


static void the_bogie_has_the_jacobian_of_the_thesis(void)
{
  simulation s;
  if (!load(&s, "bogie")) return;

  // away from the drawing: the independent coordinates of frames and main frame
  static const char *const moved[] = {"yaw.angle", "roll.angle", "pitch.angle", "rear_yaw.angle",
                                      "rear_slide.slide"};
  const int nv = art_count(s.model).nv;
  for (int k = 0; k < 5; k++) s.data->q[find_position(s.model, moved[k])] = 0.02 + 0.01 * k;
  artAssembly assembly;
  art_update(s.model, s.data);
  CHECK(art_assemble(s.model, s.data, &assembly, NULL) == ART_OK);
  CHECK(assembly.moved < 0.2);

  const double *J = s.data->work->loop->rows.J;
  for (int i = 0; i < BOGIE_ROWS; i++) {
    char row[BOGIE_ROWS + 1] = {0};
    for (int k = 0; k < BOGIE_ROWS; k++) {
      const double entry = J[bogie_row[i] * nv + find_position(s.model, bogie_dependent[k])];
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
      if (k == find_position(s.model, bogie_dependent[i])) is_dependent = true;
    }
    if (!is_dependent) hand[n++] = k;
  }
  for (int k = 0; k < BOGIE_ROWS * nv; k++) pattern[k] = fabs(J[k]) > 1e-12;
  const partitionRequest request = {.m = BOGIE_ROWS,
                                    .n = nv,
                                    .J = J,
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
  simulation_free(&s);
}


//---- motion --------------------------------------------------------------------------------------

// vehicles by a study of theirs
typedef struct manoeuvre {
  const char *name, *study;
  double until;  // of the short piece that is run here, s
  double energy; // largest error of the balance, of the energies at hand
} manoeuvre;

static const manoeuvre manoeuvres[] = {
    {"bogie", "shift", 1, 1e-9},
};
enum { MANOEUVRES = sizeof manoeuvres / sizeof *manoeuvres };


static bool start(simulation *s, const manoeuvre *what)
{
  artError error = {0};
  bool ok = load(s, what->name);
  const artStudyDef *study = ok ? art_find_study(s->model, ART_RUN, what->study) : NULL;
  if (ok) ok = CHECK(study != NULL);
  if (ok) ok = CHECK(art_create_run(&s->run, s->model, s->data, study, &error) == ART_OK);
  if (error.status) printf("  in models/vehicles/%s.yaml: %s\n", what->name, error.text);
  return ok;
}


static void motions_keep_loops_closed_and_energy_balanced(void)
{
  for (int i = 0; i < MANOEUVRES; i++) {
    simulation s;
    if (start(&s, &manoeuvres[i])) {
      for (int k = 1; k <= 20; k++) {
        if (!simulation_go(&s, manoeuvres[i].until * k / 20)) break;
      }
      const artCertificate c = art_certify(s.run);
      const bool ok = CHECK(c.position_residual < 1e-9) & CHECK(c.velocity_residual < 1e-9) &
                      CHECK(c.acceleration_residual < 1e-9) &
                      CHECK(c.energy_error < manoeuvres[i].energy * c.energy_scale);
      if (!ok) {
        printf("  in models/vehicles/%s.yaml: loops %.1e %.1e %.1e, energy %g of %g J\n",
               manoeuvres[i].name, c.position_residual, c.velocity_residual,
               c.acceleration_residual, c.energy_error, c.energy_scale);
      }
    }
    simulation_free(&s);
  }
}


// largest difference of the accelerations by a method from those kept, of the largest or 1
static double difference(const artModel *m, artData *d, artMethod method, const double *kept)
{
  artError error = {0};
  double most = 0, scale = 1;
  if (!CHECK(art_accelerate(m, d, method, &error) == ART_OK)) {
    printf("  %s: %s\n", art_method_name(method), error.text);
    return INFINITY;
  }
  for (int k = 0; k < art_count(m).nv; k++) {
    most = fmax(most, fabs(d->a[k] - kept[k]));
    scale = fmax(scale, fabs(kept[k]));
  }
  return most / scale;
}


static void all_methods_give_the_same_accelerations(void)
{
  static const artMethod loops[] = {ART_RECURSIVE, ART_AUGMENTED, ART_INDEX1};
  static const artMethod trees[] = {ART_MASS_MATRIX, ART_ORDER_N, ART_INDEX1};
  for (int i = 0; i < MANOEUVRES; i++) {
    simulation s;
    bool ok = start(&s, &manoeuvres[i]);
    for (int instant = 0; ok && instant < 4; instant++) {
      double kept[64];
      ok = simulation_go(&s, manoeuvres[i].until * instant / 4) &&
           CHECK(art_count(s.model).nv <= 64) &&
           CHECK(art_accelerate(s.model, s.data, ART_AUTOMATIC, NULL) == ART_OK);
      if (!ok) break;
      memcpy(kept, s.data->a, sizeof *kept * (size_t) art_count(s.model).nv);
      for (int k = 0; k < 3; k++) {
        const artMethod method = art_count(s.model).loops > 0 ? loops[k] : trees[k];
        const double off = difference(s.model, s.data, method, kept);
        if (CHECK(off < 1e-9)) continue;
        printf("  in models/vehicles/%s.yaml: %s at instant %d: %g\n", manoeuvres[i].name,
               art_method_name(method), instant, off);
      }
      CHECK(art_accelerate(s.model, s.data, ART_AUTOMATIC, NULL) == ART_OK);
    }
    simulation_free(&s);
  }
}


int main(int argc, char **argv)
{
  static const checkTest tests[] = {
      TEST(structures_are_those_of_the_sources),
      TEST(the_bogie_has_the_jacobian_of_the_thesis),
      TEST(motions_keep_loops_closed_and_energy_balanced),
      TEST(all_methods_give_the_same_accelerations),
      {0},
  };
  return check_main(argc, argv, tests);
}
