// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equilibrium, linearisation and inverse dynamics of machines with closed loops, against closed forms.
#include <math.h>
#include <stdio.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/loops.h"
#include "support/models.h"

static const double PI = 3.14159265358979323846, G = 9.81;

//---- building ------------------------------------------------------------------------------------

static void add_bar(artBuilder *b, const char *name, double mass, double inertia, double x,
                    double z)
{
  artBodyDef body = art_default_body();
  body.name = name, body.mass = mass, body.com[0] = x, body.com[2] = z;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = inertia;
  art_add_body(b, &body);
}


// a joint at (x, 0, z) of ground at the reference configuration
static artJointDef joint_at(artJointType type, const char *name, const char *from, const char *to,
                            double x, double z)
{
  artJointDef joint = art_default_joint();
  joint.name = name, joint.type = type, joint.from = from, joint.to = to, joint.in_ground = 1;
  joint.at[0] = x, joint.at[2] = z, joint.axis[1] = 1, joint.axis[2] = 0;
  return joint;
}


static void add_pin(artBuilder *b, const char *name, const char *from, const char *to, double x,
                    double z)
{
  const artJointDef pin = joint_at(ART_REVOLUTE, name, from, to, x, z);
  art_add_joint(b, &pin);
}


// two cranks of length r side by side, upright at the reference configuration, and a coupler
typedef struct parallelogram {
  double r, m, J; // of a crank, J about its centre of mass in the middle
  double M, JM;   // of the coupler
} parallelogram;

static const parallelogram two_cranks = {.r = 0.6, .m = 1.4, .J = 0.05, .M = 3.2, .JM = 0.4};


static artBuilder *build_parallelogram(const char *cut)
{
  const parallelogram *p = &two_cranks;
  artBuilder *b = art_create_builder();
  add_bar(b, "left", p->m, p->J, 0, p->r / 2);
  add_bar(b, "coupler", p->M, p->JM, 0.5, p->r);
  add_bar(b, "right", p->m, p->J, 1, p->r / 2);
  static const char *const names[] = {"a", "b", "c", "d"};
  static const char *const from[] = {"ground", "left", "right", "ground"};
  static const char *const to[] = {"left", "coupler", "coupler", "right"};
  for (int i = 0; i < 4; i++) {
    artJointDef pin =
        joint_at(ART_REVOLUTE, names[i], from[i], to[i], i < 2 ? 0 : 1, i % 3 ? p->r : 0);
    if (cut && strcmp(cut, names[i]) == 0) pin.keep = -1;
    art_add_joint(b, &pin);
  }
  return b;
}


static double crank_inertia(void)
{
  const parallelogram *p = &two_cranks;
  // both cranks about their pins, the coupler without turning
  return 2 * (p->J + p->m * p->r * p->r / 4) + p->M * p->r * p->r;
}


// weight times lever: dV/dangle = -lift sin(angle)
static double lift(void)
{
  return (two_cranks.m + two_cranks.M) * two_cranks.r * G;
}


//---- equilibrium ---------------------------------------------------------------------------------

TEST(a_parallelogram_leans_on_its_spring)
{
  // k (angle - rest) = lift sin(angle); the same whichever joint is cut
  static const char *const cuts[] = {NULL, "b", "c", "d"};
  const double k = 60, rest = 0.3;
  double angle = 0.5;
  for (int i = 0; i < 50; i++) {
    angle -= (k * (angle - rest) - lift() * sin(angle)) / (k - lift() * cos(angle));
  }
  for (int i = 0; i < 4; i++) {
    artBuilder *b = build_parallelogram(cuts[i]);
    const artLawDef stiffness = {.type = ART_LAW_LINEAR, .coefficient = k};
    art_add_joint_spring(
        b,
        &(artJointSpringDef){.name = "hold", .coordinate = "a", .rest = rest, .spring = stiffness});
    art_set_guess(b, "a.angle", 0.4);
    artModel *m = keep_model(model_compile(b));
    artData *d = keep_fresh_data(m);
    artEquilibrium e;
    CHECK_WORKS(art_find_equilibrium(m, d, &e, &check_error));
    CHECK_CLOSE(d->q[art_find_position(m, "a.angle")], angle, 1e-11);
    CHECK(e.residual < 1e-9);
    CHECK_EQ_INT(e.stable, k > lift() * cos(angle));

    // reactions there: each pin of ground carries half the weight, the spring's torque couples them
    double f1[3], f2[3], t[3];
    CHECK_WORKS(art_reaction(m, d, "a", f1, t, &check_error));
    CHECK_WORKS(art_reaction(m, d, "d", f2, t, &check_error));
    const double weight = (2 * two_cranks.m + two_cranks.M) * G;
    const double sum[3] = {f1[0] + f2[0], f1[1] + f2[1], f1[2] + f2[2]};
    CHECK_NEAR(sum, ((double[3]){0, 0, weight}), 3, 1e-9);
  }
}


TEST(upright_and_hanging_are_told_apart)
{
  artBuilder *b = build_parallelogram(NULL);
  art_set_guess(b, "a.angle", 0);
  artModel *m = keep_model(model_compile(b));
  artData *d = keep_fresh_data(m);
  artEquilibrium e;
  CHECK_EQ_INT(art_find_equilibrium(m, d, &e, NULL), ART_OK);
  CHECK_CLOSE(e.moved, 0, 1e-10);
  CHECK_EQ_INT(e.stable, 0);

  // let go nearby, it swings down
  const int a = art_find_position(m, "a.angle");
  d->q[a] = 2.6;
  d->q[art_find_position(m, "b.angle")] = -2.6;
  d->q[art_find_position(m, "d.angle")] = 2.6;
  CHECK_EQ_INT(art_find_equilibrium(m, d, &e, NULL), ART_OK);
  CHECK_CLOSE(d->q[a], PI, 1e-10);
  CHECK_EQ_INT(e.stable, 1);
}


//---- linearisation -------------------------------------------------------------------------------

TEST(a_hanging_parallelogram_swings_at_its_frequency)
{
  static const char *const cuts[] = {NULL, "a", "b", "c", "d"};
  const double want = sqrt(lift() / crank_inertia()) / (2 * PI);
  for (int i = 0; i < 5; i++) {
    artBuilder *b = build_parallelogram(cuts[i]);
    artModel *m = keep_model(model_compile(b));
    artData *d = keep_fresh_data(m);
    // hanging: all cranks turned by half a turn, the coupler not
    static const char *const names[] = {"a.angle", "b.angle", "c.angle", "d.angle"};
    static const double angle[] = {PI, -PI, -PI, PI};
    for (int k = 0; k < 4; k++) {
      const int q = art_find_position(m, names[k]);
      if (q >= 0) d->q[q] = angle[k];
    }
    artLinear *lin;
    CHECK_WORKS(art_linearise(m, d, ART_AUTOMATIC, &lin, &check_error));
    if (!lin) return;
    CHECK_EQ_INT(lin->n, 1);
    CHECK_EQ_INT(lin->nall, 3);
    CHECK_NEAR(lin->frequency, ((double[2]){want, want}), 2, 1e-10);
    CHECK_NEAR(lin->real, ((double[2]){0, 0}), 2, 1e-9);
    CHECK_CLOSE(lin->M[0], crank_inertia(), 1e-12);
    CHECK_CLOSE(lin->K[0], lift(), 1e-9);

    // all angles move alike in size; the energies give the shares
    double sum = 0;
    for (int k = 0; k < 3; k++) {
      CHECK_CLOSE(fabs(lin->shape_real[k]), 1, 1e-12);
      sum += lin->shape_share[k];
    }
    CHECK_CLOSE(sum, 1, 1e-12);
    art_free_linear(lin);
  }
}


enum { MOST = 40 };

// W of a state, and M dW/dt as K holds it
typedef struct turning {
  int n;
  double W[MOST * MOST], M[MOST * MOST], rate[MOST * MOST];
} turning;


static int find_turning(const artModel *m, artData *d, turning *t)
{
  artLinear *lin = NULL;
  if (!CHECK_EQ_INT(art_linearise(m, d, ART_AUTOMATIC, &lin, NULL), ART_OK)) return 0;
  const int n = t->n = lin->n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      t->W[i * n + j] = -lin->A[i * 2 * n + j];
      t->M[i * n + j] = lin->M[i * n + j];
    }
  }

  // M dW = K - R_q - R_v W,  R_q = -M A_21,  R_v = -M A_22
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = lin->K[i * n + j];
      for (int l = 0; l < n; l++) {
        double turned = lin->A[(n + l) * 2 * n + j];
        for (int p = 0; p < n; p++) turned += lin->A[(n + l) * 2 * n + n + p] * t->W[p * n + j];
        sum += lin->M[i * n + l] * turned;
      }
      t->rate[i * n + j] = sum;
    }
  }
  art_free_linear(lin);
  return 1;
}


// dW/dt against W a little before and after
static void check_turning(const artModel *m, artData *d)
{
  static turning at[3];
  const double h = 1e-4;
  artRunDef study = art_default_run();
  study.from = d->time, study.until = d->time + 3 * h, study.integrator = ART_RK4, study.step = h;
  artRun *run = keep_started_run(m, d, &study);
  for (int k = 0; k < 3; k++) {
    CHECK_EQ_INT(art_run_to(run, study.from + k * h, NULL), ART_OK);
    if (!find_turning(m, d, &at[k])) break;
  }
  const int n = at[0].n;
  double most = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double want = 0;
      for (int l = 0; l < n; l++) {
        want += at[1].M[i * n + l] * (at[2].W[l * n + j] - at[0].W[l * n + j]) / (2 * h);
      }
      most = check_larger(most, fabs(want));
      CHECK_NEAR(&at[1].rate[i * n + j], &want, 1, 2e-5 * (1 + fabs(want)));
    }
  }
  CHECK(most > 0.01);
}


TEST(balls_in_loops_turn_their_displacements)
{
  static const char *const names[] = {"closed by a spherical joint", "closed by a rod",
                                      "closed by a universal joint"};
  for (int i = 0; i < 3; i++) {
    artModel *m = keep_model(loop_sample(names[i]));
    artData *d = keep_fresh_data(m);
    uint64_t seed = 4;
    if (loop_random_state(m, d, &seed)) check_turning(m, d);
  }
}


// eigenvalues do not depend on where the loop is cut
TEST(modes_do_not_depend_on_the_cut)
{
  double reference[2] = {0};
  static const char *const cuts[] = {"b", "c", "d", NULL};
  for (int i = 0; i < 4; i++) {
    artBuilder *b = build_parallelogram(cuts[i]);
    const artLawDef stiffness = {.type = ART_LAW_LINEAR, .coefficient = 60};
    const artLawDef damping = {.type = ART_LAW_LINEAR, .coefficient = 2};
    art_add_joint_spring(b, &(artJointSpringDef){.name = "hold",
                                                 .coordinate = "a",
                                                 .rest = 0.3,
                                                 .spring = stiffness,
                                                 .damper = damping});
    art_set_initial(b, "a.angle", 0.7);
    art_set_initial(b, "a.rate", 1.5);
    artModel *m = keep_model(model_compile(b));
    artData *d = keep_fresh_data(m);
    artLinear *lin;
    CHECK_EQ_INT(art_linearise(m, d, ART_AUTOMATIC, &lin, NULL), ART_OK);
    if (!lin) return;
    const double got[2] = {lin->real[0], lin->imaginary[0]};
    if (i == 0) memcpy(reference, got, sizeof got);
    CHECK_NEAR(got, reference, 2, 1e-8);

    // M a'' + 2 a' + (60 - lift cos a) a = 0, in the crank's angle: the inertia is constant
    const double I = crank_inertia(), stiff = 60 - lift() * cos(0.7);
    const double real = -1 / I, square = stiff / I - real * real;
    const double want[2] = {square > 0 ? real : real + sqrt(-square),
                            square > 0 ? -sqrt(square) : 0};
    CHECK_NEAR(got, want, 2, 1e-8);
    art_free_linear(lin);
  }
}


//---- inverse dynamics ----------------------------------------------------------------------------

// crank of length r, rod of length l, slider along x; straight at the reference configuration
typedef struct sliderCrank {
  double r, l;
  double J;      // crank about its pin, balanced
  double mr, Jr; // rod, centre in its middle
  double ms;     // slider
} sliderCrank;

static const sliderCrank engine = {
    .r = 0.1, .l = 0.35, .J = 0.02, .mr = 0.8, .Jr = 0.009, .ms = 1.3};


static artBuilder *build_engine(void)
{
  const sliderCrank *e = &engine;
  artBuilder *b = art_create_builder();
  add_bar(b, "crank", 2, e->J, 0, 0);
  add_bar(b, "rod", e->mr, e->Jr, e->r + e->l / 2, 0);
  add_bar(b, "slider", e->ms, 0.01, e->r + e->l, 0);
  add_pin(b, "main", "ground", "crank", 0, 0);
  add_pin(b, "big", "crank", "rod", e->r, 0);
  add_pin(b, "small", "rod", "slider", e->r + e->l, 0);
  artJointDef guide = joint_at(ART_PRISMATIC, "guide", "ground", "slider", 0, 0);
  guide.axis[0] = 1;
  guide.axis[1] = 0;
  art_add_joint(b, &guide);
  return b;
}


// derivatives by the crank's angle, which turns about y: the crank pin is at (r cos, -r sin)
typedef struct engineSlopes {
  double slide, turn, x, z; // of slider, rod, and the rod's centre
} engineSlopes;


static engineSlopes slopes_at(double angle)
{
  const sliderCrank *e = &engine;
  const double s = e->r * sin(angle), c = e->r * cos(angle), w = sqrt(e->l * e->l - s * s);
  const double turn = c / w; // of the rod, against the crank
  return (engineSlopes){
      .slide = -s - s * c / w, .turn = turn, .x = -s - s * c / w / 2, .z = -c / 2};
}


static double engine_inertia(double angle)
{
  const engineSlopes d = slopes_at(angle);
  return engine.J + engine.Jr * d.turn * d.turn + engine.mr * (d.x * d.x + d.z * d.z) +
         engine.ms * d.slide * d.slide;
}


// Lagrange: I a'' + I' a'^2 / 2 + dV/da, weight of the rod along -z
static double engine_torque(double angle, double rate, double accel)
{
  const double h = 1e-3;
  double slope = 0;
  static const double weight[] = {0.75, -0.15, 1.0 / 60};
  for (int i = 0; i < 3; i++) {
    const double s = (i + 1) * h;
    slope += weight[i] * (engine_inertia(angle + s) - engine_inertia(angle - s)) / h;
  }
  return engine_inertia(angle) * accel + 0.5 * slope * rate * rate +
         engine.mr * G * slopes_at(angle).z;
}


// the study "turn" of an engine: main.angle = 20 time^2 + 3 time
static artModel *engine_study(int nactuator, const char *const *actuator)
{
  artBuilder *b = build_engine();
  artStudyDef study = art_default_study(ART_INVERSE);
  const artMotionDef motion = {"main", "20*time^2 + 3*time"};
  study.name = "turn";
  study.inverse.motion = (artMotions){1, &motion};
  study.inverse.actuators = (artNames){nactuator, actuator};
  art_add_study(b, &study);
  return model_compile(b);
}


// along more than two turns
static void follow_engine(int nactuator, const char *const *actuator,
                          void (*check)(const artModel *m, artData *d, double psi, double slide,
                                        const double *tau))
{
  artModel *m = keep_model(engine_study(nactuator, actuator));
  artData *d = keep_fresh_data(m);
  const artInverseDef *study = &art_find_study(m, ART_INVERSE, NULL)->inverse;
  double tau[4];
  for (int k = 0; k <= 40; k++) {
    const double t = 0.0203 * k + 0.005, angle = 20 * t * t + 3 * t, rate = 40 * t + 3;
    CHECK_WORKS(art_inverse_at(m, d, study, t, tau, &check_error));
    CHECK_CLOSE(d->q[art_find_position(m, "main.angle")], angle, 1e-12 * (1 + angle));
    check(m, d, engine_torque(angle, rate, 40), slopes_at(angle).slide, tau);

    // the reactions on the slider accelerate it; reactions of cut joints count among them
    double f1[3], f2[3], t1[3], a[3], alpha[3];
    art_reaction(m, d, "small", f1, t1, NULL);
    art_reaction(m, d, "guide", f2, t1, NULL);
    art_frame_acceleration(m, d, art_find_frame(m, "slider"), a, alpha);
    const double got[2] = {f1[0] + f2[0], f1[2] + f2[2]};
    CHECK_NEAR(got, ((double[2]){engine.ms * a[0], engine.ms * G}), 2, 1e-8 * (1 + fabs(a[0])));
  }
}


static int dof(const artModel *m, const char *name)
{
  return art_find_velocity(m, name);
}


static void crank_alone(const artModel *m, artData *d, double psi, double slide, const double *tau)
{
  (void) slide;
  const double size = fabs(psi) + 10;
  CHECK_CLOSE(tau[dof(m, "main.rate")], psi, 1e-10 * size);
  for (int k = 0; k < art_count(m).nv; k++) {
    if (k != dof(m, "main.rate")) CHECK_CLOSE(tau[k], 0, 0);
  }
  CHECK_CLOSE(d->force[dof(m, "main.rate")], psi, 1e-10 * size);
}


static void slider_alone(const artModel *m, artData *d, double psi, double slide, const double *tau)
{
  (void) d;
  const double want = psi / slide;
  CHECK_CLOSE(tau[dof(m, "guide.rate")], want, 1e-8 * (fabs(want) + 10));
  CHECK_CLOSE(tau[dof(m, "main.rate")], 0, 0);
}


static void crank_and_slider(const artModel *m, artData *d, double psi, double slide,
                             const double *tau)
{
  (void) d;
  const double share = psi / (1 + slide * slide), size = fabs(psi) + 10;
  CHECK_CLOSE(tau[dof(m, "main.rate")], share, 1e-9 * size);
  CHECK_CLOSE(tau[dof(m, "guide.rate")], share * slide, 1e-9 * size);
}


TEST(an_engine_takes_the_torque_of_lagrange)
{
  static const char *const main_only[] = {"main.angle"}, *const guide_only[] = {"guide"};
  static const char *const both[] = {"main", "guide.rate"};
  follow_engine(0, NULL, crank_alone);
  follow_engine(1, main_only, crank_alone);
  follow_engine(1, guide_only, slider_alone); // unique, though not where the motion is given
  follow_engine(2, both, crank_and_slider);   // over-actuated: the least forces
}


TEST(actuators_that_cannot_do_it_say_what_is_missing)
{
  // a pendulum of two links with a motor in the shoulder only
  artBuilder *b = art_create_builder();
  add_bar(b, "upper", 1, 0.1, 0, -0.5);
  add_bar(b, "lower", 2, 0.1, 0.4, -1);
  add_pin(b, "shoulder", "ground", "upper", 0, 0);
  add_pin(b, "elbow", "upper", "lower", 0, -1);
  artStudyDef study = art_default_study(ART_INVERSE);
  const char *const actuator[] = {"shoulder"};
  study.inverse.actuators = (artNames){1, actuator};
  art_add_study(b, &study);
  artModel *m = keep_model(model_compile(b));
  artData *d = keep_fresh_data(m);
  double tau[2];
  CHECK_SAYS(
      art_inverse_at(m, d, &art_find_study(m, ART_INVERSE, NULL)->inverse, 0, tau, &check_error),
      ART_SINGULAR,
      "the actuators cannot make this motion at t = 0 s: -7.848 N m is missing "
      "along 'elbow.rate'; add an actuator there");
  CHECK_NEAR(tau, ((double[2]){0, -2 * G * 0.4}), 2, 1e-12);
}


TEST(more_motion_than_freedom_is_refused)
{
  artBuilder *b = build_engine();
  const artMotionDef motion[] = {{"main", "time"}, {"guide", "0.1*time"}};
  artStudyDef study = art_default_study(ART_INVERSE);
  study.name = "both";
  study.inverse.motion = (artMotions){2, motion};
  art_add_study(b, &study);
  artModel *m = keep_model(model_compile(b));
  artData *d = keep_fresh_data(m);
  double tau[4];
  CHECK_FAILS(
      art_inverse_at(m, d, &art_find_study(m, ART_INVERSE, NULL)->inverse, 0.1, tau, &check_error),
      ART_BAD_INPUT,
      "the motion of study 'both' gives more than the machine has freedom "
      "for: row");
  CHECK_CONTAINS(check_error.text, "to each other; leave one of them out");

  // the machine's own loops are as before
  CHECK_WORKS(art_accelerate(m, d, ART_AUTOMATIC, &check_error));
}
