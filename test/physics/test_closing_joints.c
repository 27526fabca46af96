// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Joints that close loops have coordinates like all others. A machine in which forces and outputs name every
// joint moves in the same way wherever its loop is cut, and by every method.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "method/method.h"
#include "model/model.h"
#include "support/check.h"
#include "support/keep.h"

enum { MAX_OUTPUTS = 40, MAX_JOINTS = 6, TEXT = 6000 };

// A machine; $name stands where 'loop: cut' may go into a joint.
typedef struct machine {
  const char *name;
  const char *text;
  const char *joints[MAX_JOINTS]; // that may close the loop
} machine;

static const machine machines[] = {
    {"four-bar, rubbing in all pins",
     "articula: 1\n"
     "bodies:\n"
     "  crank: {mass: 1, position: [0, 0, 0], com: [0, 0, 0.2], inertia: [0.02, 0.03, 0.01]}\n"
     "  coupler: {mass: 2, position: [0, 0, 0.4], com: [0.5, 0, 0.1], inertia: [0.02, 0.2, 0.2]}\n"
     "  rocker: {mass: 1.5, position: [1, 0, 0], com: [0, 0, 0.35], inertia: [0.1, 0.1, 0.02]}\n"
     "joints:\n"
     "  A: {type: revolute, $A axis: y, from: ground, to: crank, at: [0, 0, 0]}\n"
     "  B: {type: revolute, $B axis: y, from: crank, to: coupler, at: [0, 0, 0.4]}\n"
     "  C: {type: revolute, $C axis: y, from: coupler, to: rocker, at: [1, 0, 0.7]}\n"
     "  D: {type: revolute, $D axis: y, from: rocker, to: ground, at: [1, 0, 0]}\n"
     "forces:\n"
     "  fa: {type: joint-friction, coordinate: A, coulomb: 0.3, transition: 0.05}\n"
     "  fb: {type: joint-friction, coordinate: B, coulomb: 0.2, transition: 0.05}\n"
     "  fc: {type: joint-friction, coordinate: C, coulomb: 0.4, transition: 0.05}\n"
     "  fd: {type: joint-friction, coordinate: D, coulomb: 0.1, transition: 0.05}\n"
     "  sc: {type: joint-spring, coordinate: C, stiffness: 5, damping: 0.3}\n"
     "  stop: {type: joint-stop, coordinate: D, lower: -0.9, upper: 0.4, stiffness: 300}\n"
     "initial: {A: {rate: 4}  }\n"
     "outputs: [A.angle, B.angle, C.angle, D.angle, A.rate, B.rate, C.rate, D.rate, C.accel,\n"
     "  D.accel, C.force, D.force, B.force, C.fx, C.fz, D.fx, D.fz, A.fx, A.fz, energy.balance]\n",
     {"A", "B", "C", "D"}},
    {"slider-crank with a drive, a rotor and a coupling",
     "articula: 1\n"
     "bodies:\n"
     "  crank: {mass: 1, position: [0, 0, 0], com: [0.05, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
     "  rod: {mass: 0.6, position: [0.1, 0, 0], com: [0.15, 0, 0], inertia: [0, 0.01, 0.01]}\n"
     "  piston: {mass: 0.8, position: [0.4, 0, 0], inertia: [1e-3, 1e-3, 1e-3]}\n"
     "  flywheel: {mass: 3, position: [0, 0.2, 0], inertia: [0.05, 0.09, 0.05]}\n"
     "joints:\n"
     "  shaft: {type: revolute, $shaft axis: y, from: ground, to: crank, at: [0, 0, 0]}\n"
     "  pin: {type: revolute, $pin axis: y, from: crank, to: rod, at: [0.1, 0, 0], rotor: 0.02}\n"
     "  wrist: {type: revolute, $wrist axis: y, from: rod, to: piston, at: [0.4, 0, 0]}\n"
     "  bore: {type: prismatic, $bore axis: x, from: ground, to: piston, at: [0.4, 0, 0]}\n"
     "  wheel: {type: revolute, axis: y, from: ground, to: flywheel, at: [0, 0.2, 0]}\n"
     "couplings:\n"
     "  gear: {type: linear, terms: {wheel: 1, wrist: 3}}\n"
     "forces:\n"
     "  gas: {type: joint-force, coordinate: bore, value: '= 20*exp(-10*bore.slide)'}\n"
     "  rub: {type: joint-friction, coordinate: wrist, coulomb: 0.02, transition: 0.1}\n"
     "  seal: {type: joint-spring, coordinate: bore, damping: 2}\n"
     "initial: {shaft: {angle: 50 deg, rate: 6}}\n"
     "outputs: [shaft.angle, pin.angle, wrist.angle, bore.slide, wheel.angle, wrist.rate, "
     "bore.rate,\n  wrist.accel, bore.accel, gear.force, bore.fz, wrist.fx, wrist.fz, "
     "energy.balance]\n",
     {"shaft", "pin", "wrist", "bore"}},
    {"spatial loop of revolute, ball and universal joints",
     "articula: 1\n"
     "bodies:\n"
     "  crank: {mass: 1, position: [0, 0, 0], com: [0, 0.1, 0.1], inertia: [0.03, 0.02, 0.02]}\n"
     "  link: {mass: 1, position: [0, 0.2, 0.3], com: [0.4, 0.1, 0], inertia: [0.02, 0.1, 0.1]}\n"
     "  arm: {mass: 2, position: [1, 0, 0], com: [0, 0.2, 0.2], inertia: [0.1, 0.1, 0.1]}\n"
     "joints:\n"
     "  A: {type: revolute, $A axis: x, from: ground, to: crank, at: [0, 0, 0]}\n"
     "  S: {type: spherical, $S from: crank, to: link, at: [0, 0.2, 0.3]}\n"
     "  U: {type: universal, $U axes: [[0, 0.6, 0.8], x], from: link, to: arm, at: [1, 0.5, "
     "0.5]}\n"
     "  D: {type: revolute, $D axis: [0.6, 0, 0.8], from: ground, to: arm, at: [1, 0, 0]}\n"
     "forces:\n"
     "  twist: {type: joint-spring, coordinate: U.angle1, stiffness: 4, damping: 0.2}\n"
     "  bend: {type: joint-spring, coordinate: U.angle2, stiffness: 2, damping: 0.1}\n"
     "  push: {type: joint-force, coordinate: D, value: '= sin(3*time) - 0.2*U.angle1_rate'}\n"
     "initial: {A: {rate: 1}}\n"
     "outputs: [A.angle, U.angle1, U.angle2, D.angle, S.wx, S.wy, S.wz, U.angle1_rate,\n"
     "  U.angle2_rate, U.angle1_accel, D.accel, U.fx, U.ty, S.fx, S.fz, D.tx, energy.balance]\n",
     {"S", "U", "D"}},
    {"revolute, screw, cylindrical and ball joint",
     "articula: 1\n"
     "bodies:\n"
     "  crank: {mass: 1, position: [0, 0, 0], com: [0, 0.1, 0.1], inertia: [0.03, 0.02, 0.02]}\n"
     "  nut: {mass: 1, position: [0, 0.3, 0.1], com: [0.2, 0.1, 0.1], inertia: [0.1, 0.1, 0.1]}\n"
     "  sleeve: {mass: 1, position: [0.5, 0, 0], com: [0, 0.1, 0], inertia: [0.05, 0.05, 0.05]}\n"
     "joints:\n"
     "  A: {type: revolute, axis: x, from: ground, to: crank, at: [0, 0, 0]}\n"
     "  H: {type: screw, $H axis: [0.6, 0.8, 0], pitch: 0.05, from: crank, to: nut, at: [0, 0.3, "
     "0.1]}\n"
     "  S: {type: spherical, $S from: nut, to: sleeve, at: [0.5, 0.2, 0.2]}\n"
     "  C: {type: cylindrical, $C axis: [0, 0.8, 0.6], from: ground, to: sleeve, at: [0.5, 0, 0]}\n"
     "forces:\n"
     "  wind: {type: joint-spring, coordinate: H, stiffness: 3, damping: 0.1}\n"
     "  draw: {type: joint-spring, coordinate: C.slide, stiffness: 200, damping: 3}\n"
     "  turn: {type: joint-friction, coordinate: C.angle, coulomb: 0.1, transition: 0.1}\n"
     "initial: {A: {rate: 1}}\n"
     "outputs: [A.angle, H.angle, C.slide, C.angle, S.wx, S.wz, H.rate, C.slide_rate,\n"
     "  C.angle_accel, H.accel, C.fx, C.tx, S.fy, energy.balance]\n",
     {"S", "C"}},
    {"planar joint",
     "articula: 1\n"
     "gravity: [0.5, -2, 0]\n"
     "bodies:\n"
     "  plate: {mass: 2, position: [1, 1, 0], com: [0.1, 0.1, 0], inertia: [0.1, 0.1, 0.2]}\n"
     "  arm: {mass: 1, position: [0, 0, 0], com: [0.5, 0.2, 0], inertia: [0.01, 0.1, 0.1]}\n"
     "joints:\n"
     "  P: {type: planar, $P axis: z, from: ground, to: plate, at: [1, 1, 0]}\n"
     "  Q: {type: revolute, $Q axis: z, from: arm, to: plate, at: [1, 0.5, 0]}\n"
     "  R: {type: revolute, $R axis: z, from: ground, to: arm, at: [0, 0, 0]}\n"
     "forces:\n"
     "  x: {type: joint-spring, coordinate: P.x, stiffness: 9, damping: 0.5}\n"
     "  y: {type: joint-spring, coordinate: P.y, stiffness: 7}\n"
     "  q: {type: joint-spring, coordinate: Q, stiffness: 3}\n"
     "  r: {type: joint-friction, coordinate: R, coulomb: 0.2, transition: 0.1}\n"
     "initial: {P: {angle_rate: 2}, R: {rate: 0.5}}\n"
     "outputs: [P.x, P.y, P.angle, Q.angle, R.angle, P.x_rate, P.angle_accel, Q.accel, R.accel,\n"
     "  Q.fx, Q.fy, R.fx, energy.balance]\n",
     {"P", "Q", "R"}},
};

enum { MACHINES = sizeof machines / sizeof *machines };


// the text with the loop cut at a joint ("" leaves the choice to the program)
static void cut_at(const char *text, const char *joint, char out[TEXT])
{
  const size_t n = strlen(joint);
  char *to = out;
  while (*text && to < out + TEXT - 20) {
    if (*text != '$') {
      *to++ = *text++;
      continue;
    }
    if (n > 0 && strncmp(text + 1, joint, n) == 0 && text[n + 1] == ' ') {
      to += sprintf(to, "loop: cut,");
    }
    while (*text != ' ') text++;
  }
  *to = '\0';
}


// outputs after a second; returns how many there are, 0 with a failed check
static int move(const artModel *m, int method, double step, double *out)
{
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.until = 1;
  study.tolerance = 1e-11;
  model_set_way(&study, method);
  if (step > 0) study.step = step;
  if (!CHECK_WORKS(art_run_to(keep_started_run(m, d, &study), 1, &check_error))) {
    printf("  %s\n", model_way_name(method));
    return 0;
  }
  art_outputs(m, d, out);
  return m->noutput;
}


static artModel *cut_model(const machine *x, const char *joint)
{
  char text[TEXT];
  cut_at(x->text, joint, text);
  artModel *m = keep_text(text);
  const int j = table_find(&m->joints, joint);
  CHECK(j < 0 || (m->joint[j].twin > 0 && m->ncut == 1 && m->cut[0].joint == j));
  return m;
}


TEST(any_joint_may_close_the_loop)
{
  for (int i = 0; i < MACHINES; i++) {
    double want[MAX_OUTPUTS] = {0}, got[MAX_OUTPUTS];
    for (int k = 0; k < MAX_JOINTS && machines[i].joints[k]; k++) {
      artModel *m = cut_model(&machines[i], machines[i].joints[k]);
      const int n = m ? move(m, ART_AUTOMATIC, 0, k == 0 ? want : got) : 0;
      if (n > 0 && k > 0 && !CHECK_NEAR(got, want, n, 2e-7)) {
        printf("  %s, cut at %s\n", machines[i].name, machines[i].joints[k]);
      }
    }
  }
}


TEST(all_methods_agree)
{
  static const int exact[] = {ART_RECURSIVE, ART_AUGMENTED, MODEL_GENERATED};
  for (int i = 0; i < MACHINES; i++) {
    for (int k = 0; k < MAX_JOINTS && machines[i].joints[k]; k++) {
      double want[MAX_OUTPUTS] = {0}, got[MAX_OUTPUTS];
      artModel *m = cut_model(&machines[i], machines[i].joints[k]);
      if (!m || move(m, ART_SEMIRECURSIVE, 0, want) == 0) continue;
      for (size_t j = 0; j < sizeof exact / sizeof *exact; j++) {
        if (exact[j] == MODEL_GENERATED && k > 0) continue;
        const int n = move(m, exact[j], 0, got);
        if (n > 0 && !CHECK_NEAR(got, want, n, 1e-6)) {
          printf("  %s, cut at %s, %s\n", machines[i].name, machines[i].joints[k],
                 model_way_name(exact[j]));
        }
      }
    }
  }
}


// methods of natural coordinates have an error of second order: a quarter of it at half the step
TEST(natural_coordinates_converge)
{
  for (int i = 0; i < MACHINES; i++) {
    for (int k = 0; k < MAX_JOINTS && machines[i].joints[k]; k++) {
      double want[MAX_OUTPUTS] = {0}, coarse[MAX_OUTPUTS], fine[MAX_OUTPUTS];
      double limit[MAX_OUTPUTS], error[MAX_OUTPUTS];
      static const double zero[MAX_OUTPUTS] = {0};
      artModel *m = cut_model(&machines[i], machines[i].joints[k]);
      if (!m || move(m, ART_SEMIRECURSIVE, 0, want) == 0) continue;
      const int n = move(m, ART_INDEX3, 4e-4, coarse);
      if (n > 0 && move(m, ART_INDEX3, 2e-4, fine) > 0) {
        for (int c = 0; c < n; c++) {
          limit[c] = (4 * fine[c] - coarse[c]) / 3;
          error[c] = (limit[c] - want[c]) / (1 + fabs(want[c]));
        }
        if (!CHECK_NEAR(error, zero, n, 2e-4)) {
          printf("  %s, cut at %s\n", machines[i].name, machines[i].joints[k]);
        }
      }
    }
  }
}


// of two pendulums: where one is as seen from the other, by a free joint between them
TEST(a_free_joint_measures)
{
  artModel *m =
      keep_text("articula: 1\n"
                "bodies:\n"
                "  a: {mass: 1, position: [0, 0, 0], com: [0, 0, -1], inertia: [1, 1, 1]}\n"
                "  b: {mass: 2, position: [1, 0, 0], com: [0, 0, -1], inertia: [1, 1, 1]}\n"
                "joints:\n"
                "  pa: {type: revolute, axis: y, from: ground, to: a, at: [0, 0, 0]}\n"
                "  pb: {type: revolute, axis: y, from: ground, to: b, at: [1, 0, 0]}\n"
                "  seen: {type: free, from: a, to: b, at: [1, 0, 0]}\n"
                "initial: {pa: {angle: 0.3, rate: 1}, pb: {angle: -0.5, rate: 2}}\n"
                "outputs: [seen.x, seen.z, seen.qy, seen.wy, pa.angle, pb.angle, pb.rate]\n");
  artData *d = keep_fresh_data(m);
  double out[7];
  CHECK_EQ_INT(art_assemble(m, d, NULL, NULL), ART_OK);
  CHECK_EQ_INT(art_accelerate(m, d, ART_AUTOMATIC, NULL), ART_OK);
  art_outputs(m, d, out);

  // the hinge of b, less where it is at zero angle, in the axes of a, which are turned about y
  const double want[7] = {cos(0.3) - 1, sin(0.3), sin(-0.4), 1, 0.3, -0.5, 2};
  CHECK_NEAR(out, want, 7, 1e-12);
}


// an angle of the closing joint decides how the loop is assembled
TEST(an_initial_value_of_the_closing_joint_holds)
{
  char text[TEXT];
  cut_at(machines[0].text, "C", text);
  char *at = strstr(text, "{A: {rate: 4}  }");
  memcpy(at, "{C: {angle: .2}}", 16);
  artModel *m = keep_text(text);
  artData *d = keep_fresh_data(m);
  CHECK_EQ_INT(art_assemble(m, d, NULL, NULL), ART_OK);
  CHECK_CLOSE(d->q[table_find(&m->positions, "C.angle")], 0.2, 1e-14);
}


// A hinge by equal vectors has one row more, which follows from the others at every position; motion and reactions are those
// of a hinge by angles.
TEST(a_hinge_by_vectors_moves_like_one_by_angles)
{
  static const char hinge[] = "axis: [0.6, 0, 0.8], loop: cut, closing: %s, from: ground, to: arm, "
                              "at: [1, 0, 0]}\nforces: {}\ninitial: {A: {rate: 3}}\noutputs: "
                              "[A.angle, U.angle1, U.angle2, A.rate, U.angle1_accel, D.fx, D.fy, "
                              "D.fz, D.tx, D.ty, D.tz, energy.balance]\n";
  static const int methods[] = {ART_SEMIRECURSIVE, ART_RECURSIVE, ART_AUGMENTED, MODEL_GENERATED};
  double want[MAX_OUTPUTS] = {0}, got[MAX_OUTPUTS];
  char text[TEXT], end[TEXT];
  cut_at(machines[2].text, "", text);
  char *at = strstr(text, "axis: [0.6, 0, 0.8]");
  const size_t room = sizeof text - (size_t) (at - text);
  snprintf(end, sizeof end, hinge, "angles");
  snprintf(at, room, "%s", end);
  artModel *by_angles = keep_text(text);
  CHECK_EQ_INT(by_angles->nrow, 5);
  const int n = move(by_angles, ART_SEMIRECURSIVE, 0, want);

  snprintf(end, sizeof end, hinge, "vectors");
  snprintf(at, room, "%s", end);
  artModel *by_vectors = keep_text(text);
  CHECK_EQ_INT(by_vectors->nrow, 6);
  CHECK(art_model_hash(by_angles) != art_model_hash(by_vectors));
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    CHECK_EQ_INT(move(by_vectors, methods[k], 0, got), n);
    if (!CHECK_NEAR(got, want, n, 1e-7)) printf("  %s\n", model_way_name(methods[k]));
  }

  // all six rows at every evaluation, as Hidalgo and Garcia de Jalon have them
  static const artRedundant ways[] = {ART_REDUNDANT_LU, ART_REDUNDANT_UMFPACK, ART_REDUNDANT_SPQR};
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    artData *d = keep_fresh_data(by_vectors);
    artRunDef study = art_default_run();
    study.until = 1, study.tolerance = 1e-11, study.redundant = ways[k];
    CHECK_WORKS(art_run_to(keep_started_run(by_vectors, d, &study), 1, &check_error));
    art_outputs(by_vectors, d, got);
    CHECK_NEAR(got, want, n, 1e-7);
  }
}
