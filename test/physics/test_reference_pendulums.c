// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The pendulums of the papers against reference motions computed in 34-digit arithmetic
// (Gragg-Bulirsch-Stoer extrapolation, two step sizes).
#include <math.h>
#include <stdio.h>

#include "support/check.h"
#include "support/simulate.h"

//---- double pendulum -----------------------------------------------------------------------------

// Cardenal, Cuadrado, Bayo 1997: two uniform bars, absolute angles. `growth` is how much a small
// disturbance of the start has grown; energy 0 throughout.
typedef struct doubleRow {
  double t, angle[2], rate[2], tips[4], tip_velocities[4], growth;
} doubleRow;

// clang-format off
static const doubleRow double_rows[] = {
  {1, {-2.7785125649855, -2.3851873498862}, {-3.406517532972, -0.51604547210521},
   {-0.93480735014435, -0.35515520285659, -1.6621151358161, -1.0414666371932},
   {-1.2098424254572, 3.1844376282178, -1.5640103336006, 3.5597615178406}, 3.099},
  {2, {-1.6535546336155, -1.163434251883}, {-0.961145444546, 11.898955053045},
   {-0.082663871422408, -0.99657748537756, 0.31352477645018, -1.9147466175623},
   {-0.95785591020775, 0.079452003446184, 9.9673973247521, 4.7936829170089}, 22.49},
  {3, {-0.54571031450617, -1.0750616791679}, {-4.593357105475, 1.1843208806142},
   {0.85475883519574, -0.51902536898964, 1.330436825144, -1.3986448605192},
   {-2.3840688665703, -3.9262125691138, -1.3423171357566, -3.3628571931695}, 14.94},
  {4, {-2.8222164690906, -4.2300593336717}, {0.63846486415813, -0.35995877445667},
   {-0.94943146487079, -0.31397435168067, -1.4132757702536, 0.57194238276106},
   {0.20046159179494, -0.60617863124618, 0.51935509379524, -0.43921380354187}, 4.396},
  {5, {-0.43225253012302, -0.32641639904464}, {4.9109500240045, -5.4247105931589},
   {0.90802443043306, -0.41891721585144, 1.8552219377581, -0.7395679325468},
   {2.0572815112415, 4.4592625984318, 0.31784417168026, -0.67900975336795}, 6.441},
  {6, {-2.4730876653412, -0.80829630102914}, {-4.2902947958827, -2.2601524448881},
   {-0.78474917093899, -0.61981347090118, -0.09401777193606, -1.3429248969148},
   {-2.6591825086253, 3.3668052841528, -4.2935245660565, 1.8056470239354}, 36.81},
  {7, {-0.47842834171669, -3.5061642600082}, {3.969140282842, 4.4567532228074},
   {0.88771958605962, -0.46038455287525, -0.046557004171413, -0.10383546376369},
   {1.8273308744154, 3.523483568897, 0.23827957242839, -0.64035663560857}, 460.8},
  {8, {-2.6219705829329, -0.89695625495459}, {-2.6687054250454, -6.8381025148791},
   {-0.86800690328174, -0.49655212803416, -0.24401557070686, -1.2779833898041},
   {-1.3251513579026, 2.3164547317648, -6.6686584342171, -1.9504619687782}, 1309},
  {9, {-0.72327094355211, -9.1266931334518}, {0.77917076261032, -7.4532394856714},
   {0.7496449011376, -0.66184025428981, -0.20625580783661, -0.95553028575598},
   {0.5156865756612, 0.58410138930632, -1.6732555634106, 7.7086582978142}, 1470},
  {10, {-2.3152034153039, -15.916516061509}, {-4.0351713204934, 4.8968140781736},
   {-0.67753584924859, -0.73548975042687, -1.65586742418, -0.52844548102495},
   {-2.9678271474393, 2.733973227494, -3.9816844406518, -2.056734601752}, 12010},
};
// clang-format on


// two points of the model and their velocities in the plane x-y
static void tips(const simulation *s, double position[4], double velocity[4])
{
  static const char *const names[] = {"upper.end", "lower.tip"};
  for (int i = 0; i < 2; i++) {
    double p[3], v[3], w[3];
    const int frame = art_find_frame(s->model, names[i]);
    art_frame_position(s->model, s->data, frame, p);
    art_frame_velocity(s->model, s->data, frame, v, w);
    for (int c = 0; c < 2; c++) {
      position[2 * i + c] = p[c];
      velocity[2 * i + c] = v[c];
    }
  }
}


// an error made early grows as the disturbance does
static double check_double_row(const simulation *s, const doubleRow *row)
{
  const double tol = 1e-9 * check_larger(1, row->growth / 100);
  const double *q = s->data->q, *v = s->data->v;
  const double angle[2] = {q[0], q[0] + q[1]}, rate[2] = {v[0], v[0] + v[1]};
  double position[4], velocity[4];
  tips(s, position, velocity);
  CHECK_NEAR(angle, row->angle, 2, tol);
  CHECK_NEAR(rate, row->rate, 2, 10 * tol);
  CHECK_NEAR(position, row->tips, 4, tol);
  CHECK_NEAR(velocity, row->tip_velocities, 4, 10 * tol);
  return check_larger(check_apart(2, angle, row->angle), check_apart(4, position, row->tips));
}


static void double_pendulum(artMethod method, artIntegrator integrator)
{
  simulation s;
  double error[10] = {0};
  if (simulation_start(&s, "double-pendulum", method, integrator, 1e-13)) {
    for (int i = 0; i < 10 && simulation_go(&s, double_rows[i].t); i++) {
      error[i] = check_double_row(&s, &double_rows[i]);
    }
    const artCertificate c = art_certify(s.run);
    CHECK(c.energy_error < 1e-9);
    printf("%s, %s: error at 1 s %.1e, 5 s %.1e, 10 s %.1e; energy error %.1e J\n",
           art_method_name(method), art_integrator_name(integrator), error[0], error[4], error[9],
           c.energy_error);
  }
}


CASE(double_pendulum_by_order_n, double_pendulum(ART_ORDER_N, ART_DOPRI5))
CASE(double_pendulum_by_the_mass_matrix, double_pendulum(ART_MASS_MATRIX, ART_DOPRI5))


//---- spherical compound pendulum -----------------------------------------------------------------

// Dopico and others: the particle in the middle, its velocity, and the particle at the end.
typedef struct ballRow {
  double t, r1[3], v1[3], r2[3];
} ballRow;

// clang-format off
static const ballRow ball_rows[] = {
  {1, {-0.70362692226133, -0.053058777692157, -0.70858585956739},
   {-1.9563594692982, -0.858128111737, 2.0069246397315},
   {-1.4072538445227, -0.10611755538431, -1.4171717191348}},
  {2, {-0.63614817495483, -0.47685827790699, -0.60656548063108},
   {1.6608550289685, 0.45900071785603, -2.1027048655831},
   {-1.2722963499097, -0.95371655581399, -1.2131309612622}},
  {3, {0.74003418109451, 0.67253088119983, -0.0071850291829899},
   {-0.33473648674044, 0.37144145855016, 0.29080043132182},
   {1.480068362189, 1.3450617623997, -0.01437005836598}},
  {4, {-0.42416062616285, -0.41891699028779, -0.80286755972661},
   {-1.12414834173, -2.2890499024815, 1.7882667482332},
   {-0.8483212523257, -0.83783398057559, -1.6057351194532}},
  {5, {-0.17260167451714, -0.84710498620868, -0.5026149662458},
   {0.8090601628574, 1.0739113546718, -2.087802538036},
   {-0.34520334903428, -1.6942099724174, -1.0052299324916}},
};
// clang-format on


static void spherical_pendulum(artMethod method)
{
  simulation s;
  double worst = 0;
  if (simulation_start(&s, "spherical-pendulum", method, ART_DOPRI5, 1e-13)) {
    const int middle = art_find_frame(s.model, "bar.r1"), end = art_find_frame(s.model, "bar.r2");
    for (int i = 0; i < 5 && simulation_go(&s, ball_rows[i].t); i++) {
      double r1[3], r2[3], v1[3], w[3];
      art_frame_position(s.model, s.data, middle, r1);
      art_frame_position(s.model, s.data, end, r2);
      art_frame_velocity(s.model, s.data, middle, v1, w);
      CHECK_NEAR(r1, ball_rows[i].r1, 3, 1e-10);
      CHECK_NEAR(r2, ball_rows[i].r2, 3, 2e-10);
      CHECK_NEAR(v1, ball_rows[i].v1, 3, 1e-9);
      worst = check_larger(worst, check_apart(3, r2, ball_rows[i].r2));
    }

    // 0.625 J, counted from the support
    const artEnergy energy = art_energy(s.model, s.data);
    const double total = energy.kinetic + energy.potential;
    CHECK_CLOSE(total, 0.625, 1e-10);
    printf("%s: error over 5 s %.1e m, energy %.13g J\n", art_method_name(method), worst, total);
  }
}


CASE(spherical_compound_pendulum_by_order_n, spherical_pendulum(ART_ORDER_N))
CASE(spherical_compound_pendulum_by_the_mass_matrix, spherical_pendulum(ART_MASS_MATRIX))
