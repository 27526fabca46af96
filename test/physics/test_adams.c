// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Nine single-joint machines against histories computed with MSC ADAMS, within the limits of those who
// publish them (Project Chrono): root mean square of each column over 5 s. Where ../shared is there, the decks of
// ADAMS themselves, imported.
//
// test_adams --write FOLDER writes the differences instead, for tools/plot-adams.sh.
#include <math.h>
#include <stdio.h>

#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"
#include "support/simulate.h"

#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 501, WIDEST = 4 };

// quantities of the files, and how far a column may be off in the root mean square
typedef enum historyKind {
  POSITION,
  VELOCITY,
  ACCELERATION,
  ROTATION,
  ANGULAR_VELOCITY,
  ANGULAR_ACCELERATION,
  REACTION_FORCE,
  REACTION_TORQUE,
  KINDS
} historyKind;

static const struct {
  const char *ending;
  int columns;
  double limit;
} kinds[KINDS] = {
    [POSITION] = {"Pos", 3, 1e-3},          [VELOCITY] = {"Vel", 3, 1e-3},
    [ACCELERATION] = {"Acc", 3, 2e-2},      [ROTATION] = {"Quat", 4, 1e-3},
    [ANGULAR_VELOCITY] = {"Avel", 3, 1e-3}, [ANGULAR_ACCELERATION] = {"Aacc", 3, 2e-2},
    [REACTION_FORCE] = {"Rforce", 3, 2e-2}, [REACTION_TORQUE] = {"Rtorque", 3, 2e-2},
};

static const struct {
  const char *model, *history;
} cases[] = {
    {"adams/revolute-1", "Revolute_Case01"},   {"adams/revolute-2", "Revolute_Case02"},
    {"adams/spherical-1", "Spherical_Case01"}, {"adams/spherical-2", "Spherical_Case02"},
    {"adams/prismatic-1", "Prismatic_Case01"}, {"adams/prismatic-2", "Prismatic_Case02"},
    {"adams/prismatic-3", "Prismatic_Case03"}, {"adams/spring-1", "TranSpring_Case01"},
    {"adams/spring-2", "TranSpring_Case02"},
};
enum { CASES = sizeof cases / sizeof cases[0] };

typedef double history[ROWS][KINDS][WIDEST];

//---- their histories -----------------------------------------------------------------------------


// rows of time and columns, after three lines of heading
static bool read_kind(const char *name, historyKind kind, history values)
{
  char path[512], line[256];
  int row = 0;
  snprintf(path, sizeof path, "%s/%s_ADAMS_%s.txt", ART_SOURCE_DIR, name, kinds[kind].ending);
  FILE *file = fopen(path, "r");
  if (!CHECK(file)) return false;
  while (row < ROWS && fgets(line, sizeof line, file)) {
    double t, x[WIDEST] = {0};
    const int n = sscanf(line, "%lf %lf %lf %lf %lf", &t, &x[0], &x[1], &x[2], &x[3]);
    if (n != 1 + kinds[kind].columns) continue;
    CHECK(fabs(t - 0.01 * row) < 1e-9);
    memcpy(values[row++][kind], x, sizeof x);
  }
  fclose(file);
  return CHECK_EQ_INT(row, ROWS);
}


static bool read_history(const char *folder, const char *name, history values)
{
  char path[300];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  for (historyKind kind = 0; kind < KINDS; kind++) {
    if (!read_kind(path, kind, values)) return false;
  }
  return true;
}


//---- ours ----------------------------------------------------------------------------------------


// ADAMS writes what the body does to ground, at the joint's place in ground, in ground axes. Ours is
// force and torque of ground on the body, at the joint's place in the body: a slide has parted the two.
static void reaction_on_ground(simulation *s, const double travel[3], double force[3],
                               double torque[3])
{
  double f[3], t[3];
  CHECK(art_reaction(s->model, s->data, "pin", f, t, NULL) == ART_OK);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    force[i] = -f[i];
    torque[i] = -(t[i] + travel[j] * f[k] - travel[k] * f[j]);
  }
}


// the spring pulls ground towards the body with its tension
static void spring_on_ground(simulation *s, const double body[3], double force[3])
{
  double values[16] = {0}, tension = NAN, length = NAN;
  art_outputs(s->model, s->data, values);
  for (int k = 0; k < art_count(s->model).outputs; k++) {
    if (strcmp(art_output_name(s->model, k), "spring.force") == 0) tension = values[k];
    if (strcmp(art_output_name(s->model, k), "spring.length") == 0) length = values[k];
  }
  for (int i = 0; i < 3; i++) force[i] = length > 0 ? tension * body[i] / length : 0;
}


// `start` is where the body was at time 0
static void take_row(simulation *s, const double start[3], double row[KINDS][WIDEST])
{
  const int body = art_find_frame(s->model, "pendulum");
  art_frame_position(s->model, s->data, body, row[POSITION]);
  art_frame_rotation(s->model, s->data, body, row[ROTATION]);
  art_frame_velocity(s->model, s->data, body, row[VELOCITY], row[ANGULAR_VELOCITY]);
  art_frame_acceleration(s->model, s->data, body, row[ACCELERATION], row[ANGULAR_ACCELERATION]);
  if (art_count(s->model).nq == 7) {
    spring_on_ground(s, row[POSITION], row[REACTION_FORCE]);
  } else {
    const bool slides = art_find_position(s->model, "pin.slide") >= 0;
    double travel[3];
    for (int i = 0; i < 3; i++) travel[i] = slides ? row[POSITION][i] - start[i] : 0;
    reaction_on_ground(s, travel, row[REACTION_FORCE], row[REACTION_TORQUE]);
  }
}


static bool simulate(const char *model, artMethod method, double tolerance, history values)
{
  simulation s;
  bool ok = simulation_start(&s, model, method, ART_DOPRI5, tolerance);
  for (int row = 0; row < ROWS && ok; row++) {
    ok = simulation_go(&s, 0.01 * row);
    if (ok) take_row(&s, values[0][POSITION], values[row]);
  }
  return ok;
}


//---- comparison ----------------------------------------------------------------------------------


// q and -q are the same attitude
static double turned_alike(const double a[4], const double b[4])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
}


static double difference(history ours, history theirs, int row, historyKind kind, int column)
{
  const double *a = ours[row][kind], *b = theirs[row][kind];
  return a[column] - (kind == ROTATION ? turned_alike(a, b) : 1) * b[column];
}


// the largest root mean square of a column
static double root_mean_square(history ours, history theirs, historyKind kind)
{
  double worst = 0;
  for (int column = 0; column < kinds[kind].columns; column++) {
    double sum = 0;
    for (int row = 0; row < ROWS; row++) {
      const double d = difference(ours, theirs, row, kind, column);
      sum += d * d;
    }
    worst = check_larger(worst, sqrt(sum / ROWS));
  }
  return worst;
}


//---- the three histories of a case ---------------------------------------------------------------

typedef struct threeHistories {
  history theirs, ours;
  history again; // ours by another method with another tolerance
} threeHistories;


// NULL when something went wrong; the caller frees it
static threeHistories *histories_of(int i)
{
  threeHistories *h = calloc(1, sizeof *h);
  if (!CHECK(h)) return NULL;
  if (read_history("test/data/adams", cases[i].history, h->theirs) &&
      simulate(cases[i].model, ART_ORDER_N, 1e-10, h->ours) &&
      simulate(cases[i].model, ART_MASS_MATRIX, 1e-13, h->again)) {
    return h;
  }
  free(h);
  return NULL;
}


static void compare(int i)
{
  threeHistories *h = histories_of(i);
  if (!h) return;
  printf("%-18s", cases[i].history);
  for (historyKind kind = 0; kind < KINDS; kind++) {
    const double rms = root_mean_square(h->ours, h->theirs, kind);
    CHECK(rms < kinds[kind].limit);
    printf(" %s %.1e", kinds[kind].ending, rms);

    // ours does not move when method and tolerance change: what differs is theirs
    CHECK(root_mean_square(h->ours, h->again, kind) < 1e-7);
  }
  printf("\n");
  free(h);
}


// length of the difference of two vectors
static double distance(history a, history b, int row, historyKind kind)
{
  double sum = 0;
  for (int column = 0; column < kinds[kind].columns; column++) {
    const double d = difference(a, b, row, kind, column);
    sum += d * d;
  }
  return sqrt(sum);
}


// a file for each case: time, then for each kind the distance to theirs and to our other run
static int write_differences(const char *folder)
{
  for (int i = 0; i < CASES; i++) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s.txt", folder, cases[i].history);
    threeHistories *h = histories_of(i);
    FILE *file = h ? fopen(path, "w") : NULL;
    for (int row = 0; row < ROWS && file; row++) {
      fprintf(file, "%.2f", 0.01 * row);
      for (historyKind kind = 0; kind < KINDS; kind++) {
        fprintf(file, " %.3e %.3e", distance(h->ours, h->theirs, row, kind),
                distance(h->ours, h->again, row, kind));
      }
      fprintf(file, "\n");
    }
    free(h);
    if (!file || fclose(file)) return 1;
  }
  return 0;
}


//---- tests ---------------------------------------------------------------------------------------


static void compare_cases(int first, int last)
{
  for (int i = first; i <= last; i++) compare(i);
}


CASE(revolute_joint, compare_cases(0, 1))
CASE(spherical_joint, compare_cases(2, 3))


// A ball joint lets the pendulum of case 1 swing as the revolute joint does. Our motions agree; ADAMS's
// part by more than a millimetre a second, which is the error of its history of the ball joint.
TEST(ball_and_revolute_joint_make_the_same_motion)
{
  threeHistories *ball = histories_of(2), *pin = histories_of(0);
  if (ball && pin) {
    const double ours = root_mean_square(ball->again, pin->again, VELOCITY);
    const double theirs = root_mean_square(ball->theirs, pin->theirs, VELOCITY);
    CHECK(ours < 1e-10);
    CHECK(theirs > 9e-4);
    printf("ball and revolute joint, velocity: ours part by %.1e, theirs by %.1e m/s\n", ours,
           theirs);
  }
  free(ball);
  free(pin);
}


CASE(prismatic_joint, compare_cases(4, 6))
CASE(translational_spring, compare_cases(7, 8))


//---- decks ---------------------------------------------------------------------------------------

#define SHARED "../shared/benchmarks/adams_joints"

static const struct {
  const char *deck, *folder, *history;
  double stiffness, damping,
      length; // in the place of the deck's, which are of neither history
} decks[] = {
    {"Revolute_Case01", "revolute_joint", "Revolute_Case01", 0, 0, 0},
    {"Revolute_Case02", "revolute_joint", "Revolute_Case02", 0, 0, 0},
    {"Spherical_Case01", "spherical_joint", "Spherical_Case01", 0, 0, 0},
    {"Spherical_Case02", "spherical_joint", "Spherical_Case02", 0, 0, 0},
    {"Prismatic_Case01", "prismatic_joint", "Prismatic_Case01", 0, 0, 0},
    {"Prismatic_Case02", "prismatic_joint", "Prismatic_Case02", 0, 0, 0},
    {"Prismatic_Case03", "prismatic_joint", "Prismatic_Case03", 0, 0, 0},
    {"Distance_Case01", "distance_constraint", "Distance_Case01", 0, 0, 0},
    {"Distance_Case02", "distance_constraint", "Distance_Case02", 0, 0, 0},
    {"Distance_Case03", "distance_constraint", "Distance_Case03", 0, 0, 0},
    {"TransSpring_Case01", "transpring_force", "TranSpring_Case02", 100, 5, 2},
};
enum { DECKS = sizeof decks / sizeof decks[0] };

// requests of the decks by kinds of histories; reactions by functions or by the request for forces
static const char *const requests[KINDS][2][WIDEST] = {
    [POSITION] = {{"1_DX", "1_DY", "1_DZ"}},
    [VELOCITY] = {{"2_VX", "2_VY", "2_VZ"}},
    [ACCELERATION] = {{"3_ACCX", "3_ACCY", "3_ACCZ"}},
    [ROTATION] = {{"4_F2", "4_F3", "4_F4", "4_F6"}},
    [ANGULAR_VELOCITY] = {{"2_WX", "2_WY", "2_WZ"}},
    [ANGULAR_ACCELERATION] = {{"3_WDTX", "3_WDTY", "3_WDTZ"}},
    [REACTION_FORCE] = {{"5_F2", "5_F3", "5_F4"}, {"5_FX", "5_FY", "5_FZ"}},
    [REACTION_TORQUE] = {{"5_F6", "5_F7", "5_F8"}, {"5_TX", "5_TY", "5_TZ"}},
};


// the deck with the numbers of its spring replaced
static const char *deck_with(const char *path, int i)
{
  static char other[300];
  snprintf(other, sizeof other, "%s", folder_path("deck.adm"));
  FILE *from = fopen(path, "r"), *to = fopen(other, "w");
  char line[256];
  while (CHECK(from && to) && fgets(line, sizeof line, from)) {
    if (strstr(line, "100.0*(dm(204,205)-2.0)")) {
      fprintf(to, ", FUNCTION = -%g*(dm(204,205)-%g)\n", decks[i].stiffness, decks[i].length);
    } else if (strstr(line, "1.0*vr(204,205)")) {
      fprintf(to, ", - %g*vr(204,205)\n", decks[i].damping);
    } else {
      fputs(line, to);
    }
  }
  if (from) fclose(from);
  if (to) fclose(to);
  return other;
}


static void take_requests(const simulation *s, double row[KINDS][WIDEST])
{
  for (historyKind kind = 0; kind < KINDS; kind++) {
    char name[40];
    snprintf(name, sizeof name, "REQUEST_%s", requests[kind][1][0] ? requests[kind][1][0] : "");
    int set = 0;
    for (int k = 0; k < art_count(s->model).outputs; k++) {
      set |= strcmp(art_output_name(s->model, k), name) == 0;
    }
    for (int column = 0; column < kinds[kind].columns; column++) {
      snprintf(name, sizeof name, "REQUEST_%s", requests[kind][set][column]);
      row[kind][column] = simulation_output(s, name);
    }
  }
}


static bool simulate_deck(int i, history values)
{
  char path[400];
  snprintf(path, sizeof path, "%s/%s/adams_models/test_%s.adm", ART_SOURCE_DIR, SHARED,
           decks[i].deck);
  const char *used = decks[i].stiffness > 0 ? deck_with(path, i) : path;
  artModel *m = keep_file(used);
  artRunDef study = art_default_run();
  study.until = 1e6;
  study.tolerance = 1e-10;
  simulation s = {0};
  bool ok = m && simulation_run(&s, m, &study);
  for (int row = 0; row < ROWS && ok; row++) {
    ok = simulation_go(&s, 0.01 * row);
    if (ok) take_requests(&s, values[row]);
  }
  return ok;
}


TEST(decks_move_as_adams_moved_them)
{
  char sign[400];
  snprintf(sign, sizeof sign, "%s/%s/SOURCE.txt", ART_SOURCE_DIR, SHARED);
  if (access(sign, R_OK) != 0) return;
  for (int i = 0; i < DECKS; i++) {
    threeHistories *h = calloc(1, sizeof *h);
    char folder[300];
    snprintf(folder, sizeof folder, "%s/%s", SHARED, decks[i].folder);
    if (CHECK(h) && read_history(folder, decks[i].history, h->theirs) &&
        simulate_deck(i, h->ours)) {
      printf("deck %-18s", decks[i].history);
      for (historyKind kind = 0; kind < KINDS; kind++) {
        const double rms = root_mean_square(h->ours, h->theirs, kind);
        CHECK(rms < kinds[kind].limit);
        printf(" %s %.1e", kinds[kind].ending, rms);
      }
      printf("\n");
    }
    free(h);
  }
}


int main(int argc, char **argv)
{
  if (argc == 3 && strcmp(argv[1], "--write") == 0) return write_differences(argv[2]);
  return check_main(argc, argv);
}
