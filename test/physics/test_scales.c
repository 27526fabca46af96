// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The same machine in other lengths, times and masses: the same motion within the tolerance, and the same verdict.
#include <math.h>
#include <stdio.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"

typedef struct size {
  double length, time, mass;
} size;

static const size sizes[] = {{1, 1, 1},   {1e-9, 1, 1},    {1e-9, 1e-3, 1}, {1e-6, 1e-3, 1e-9},
                             {1e3, 1, 1}, {1e6, 1e3, 1e9}, {1e9, 1, 1},     {1, 1e-6, 1},
                             {1, 1e6, 1}, {1, 1, 1e-12},   {1, 1, 1e12},    {1e-9, 1e-9, 1e-18}};
enum { NSIZE = sizeof sizes / sizeof *sizes };

typedef artModel *machine(size s);


// x = l cos(10 t / time)
static artModel *keep_slide(size s)
{
  return keep_text_of("articula: 1\n"
                      "gravity: [0, 0, 0]\n"
                      "bodies: {a: {mass: %.17g}}\n"
                      "joints: {z: {type: prismatic, axis: z, from: ground, to: a}}\n"
                      "forces: {k: {type: joint-spring, coordinate: z.slide, stiffness: %.17g}}\n"
                      "initial: {z: {slide: %.17g}}\n",
                      s.mass, 100 * s.mass / (s.time * s.time), s.length);
}


static artModel *keep_double_pendulum(size s)
{
  const double l = s.length, m = s.mass, I = m * l * l;
  return keep_text_of("articula: 1\n"
                      "gravity: [0, 0, %.17g]\n"
                      "bodies:\n"
                      "  a: {mass: %.17g, com: [%.17g, 0, 0], inertia: {about: com, tensor: "
                      "[%.17g, %.17g, %.17g]}}\n"
                      "  b: {mass: %.17g, com: [%.17g, 0, 0], inertia: {about: com, tensor: "
                      "[%.17g, %.17g, %.17g]}}\n"
                      "joints:\n"
                      "  pin: {type: revolute, axis: y, from: ground, to: a}\n"
                      "  knee: {type: revolute, axis: y, from: a, at: [%.17g, 0, 0], to: b}\n"
                      "initial: {pin: {rate: %.17g}}\n",
                      -9.81 * l / (s.time * s.time), 2 * m, 0.5 * l, 0.01 * I, 0.2 * I, 0.2 * I, m,
                      1.4 * l, 0.01 * I, 0.1 * I, 0.1 * I, l, 1 / s.time);
}


// a body in space on a spring with a damper
static artModel *keep_body_in_space(size s)
{
  const double l = s.length, t = s.time, m = s.mass, I = m * l * l;
  return keep_text_of("articula: 1\n"
                      "gravity: [0, 0, %.17g]\n"
                      "bodies:\n"
                      "  a: {mass: %.17g, com: [%.17g, 0, 0], inertia: {about: com, tensor: "
                      "[%.17g, %.17g, %.17g]},\n"
                      "      points: {p: [%.17g, 0, 0]}}\n"
                      "joints: {base: {type: free, from: ground, to: a}}\n"
                      "forces: {k: {type: spring-damper, between: [ground, a.p], stiffness: %.17g, "
                      "damping: %.17g,\n"
                      "             free_length: %.17g}}\n"
                      "initial: {base: {x: %.17g, wx: %.17g, wz: %.17g}}\n",
                      -9.81 * l / (t * t), m, 0.3 * l, 0.02 * I, 0.1 * I, 0.11 * I, 0.5 * l,
                      60 * m / (t * t), 0.5 * m / t, 0.3 * l, 0.2 * l, 1 / t, 2 / t);
}


// Where the machine is at the end, lengths in its own; returns its certificate.
static artCertificate run_in_size(machine *keep, size s, artIntegrator integrator, double *q)
{
  artModel *m = keep(s);
  artData *d = keep_fresh_data(m);
  artRunDef study = art_default_run();
  study.integrator = integrator;
  study.until = s.time;
  study.step = integrator == ART_RK4 ? 1e-3 * s.time : 0;
  artRun *run = keep_started_run(m, d, &study);
  for (int k = 1; k <= 10; k++) CHECK_WORKS(art_run_to(run, s.time * k / 10, &check_error));
  for (int k = 0; k < art_count(m).nq; k++) {
    const int is_length = art_position_unit(m, k)[0] == 'm';
    q[k] = d->q[k] / (is_length ? s.length : 1);
  }
  return art_certify(run);
}


static void check_sizes(machine *keep, int nq)
{
  static const artIntegrator all[] = {ART_DOPRI5, ART_RK4,
#ifdef ART_HAVE_SUNDIALS
                                      ART_BDF, ART_ADAMS
#endif
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    double want[8], q[8];
    const artCertificate c = run_in_size(keep, sizes[0], all[i], want);
    CHECK_EQ_INT(art_judge(&c, NULL).verdict, ART_VERDICT_GOOD);
    for (int k = 1; k < NSIZE; k++) {
      const artCertificate other = run_in_size(keep, sizes[k], all[i], q);
      const double joule = sizes[k].mass * pow(sizes[k].length / sizes[k].time, 2);
      int same = CHECK_NEAR(q, want, nq, 1e-6);
      same &= CHECK_EQ_INT(art_judge(&other, NULL).verdict, ART_VERDICT_GOOD);

      // what counts as rest is of the machine, too, but for the powers of 1024
      const double rest = other.energy_resolved / joule / c.energy_resolved;
      same &= CHECK(rest > 1e-4 && rest < 1e4);
      if (!same) {
        printf("  by %s in lengths of %g m, times of %g s, masses of %g kg\n",
               art_integrator_name(all[i]), sizes[k].length, sizes[k].time, sizes[k].mass);
      }
    }
  }
}


TEST(slides_of_all_sizes_move_alike)
{
  check_sizes(keep_slide, 1);
}


TEST(pendulums_of_all_sizes_move_alike)
{
  check_sizes(keep_double_pendulum, 2);
}


TEST(bodies_in_space_of_all_sizes_move_alike)
{
  check_sizes(keep_body_in_space, 7);
}


// 1 nm, 1e3 rad/s, with and without gravity across: it was off by a sixth, with the verdict good
TEST(an_oscillator_of_a_nanometre_keeps_its_phase)
{
  static const artIntegrator all[] = {ART_DOPRI5,
#ifdef ART_HAVE_SUNDIALS
                                      ART_BDF, ART_ADAMS
#endif
  };
  for (int is_heavy = 0; is_heavy < 2; is_heavy++) {
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
      artModel *m =
          keep_text_of("articula: 1\n"
                       "gravity: [%g, 0, 0]\n"
                       "bodies: {a: {mass: 1, inertia: {about: com, tensor: [1, 1, 1]}}}\n"
                       "joints: {z: {type: prismatic, axis: z, from: ground, to: a}}\n"
                       "forces: {k: {type: joint-spring, coordinate: z.slide, stiffness: 1e6}}\n"
                       "initial: {z: {slide: 1e-9}}\n",
                       is_heavy ? 9.81 : 0.0);
      artData *d = keep_fresh_data(m);
      artRunDef study = art_default_run();
      study.integrator = all[i];
      artRun *run = keep_started_run(m, d, &study);
      CHECK_WORKS(art_run_to(run, 1, &check_error));
      CHECK_CLOSE(d->q[0], 1e-9 * cos(1000), 2e-3 * 1e-9);
      const artCertificate c = art_certify(run);
      CHECK(c.energy_error < 1e-3 * c.energy_scale);
      if (!is_heavy) CHECK(c.energy_resolved < 1e-3 * c.energy_scale);
      CHECK_EQ_INT(art_judge(&c, NULL).verdict, ART_VERDICT_GOOD);
    }
  }
}


// The same oscillator beside bodies that have nothing to do with it: a body in space, far away, and a pendulum.
TEST(bodies_elsewhere_do_not_change_how_a_machine_is_measured)
{
  static const artIntegrator all[] = {ART_DOPRI5,
#ifdef ART_HAVE_SUNDIALS
                                      ART_BDF, ART_ADAMS
#endif
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    artModel *m =
        keep_text("articula: 1\n"
                  "gravity: [9.81, 0, 0]\n"
                  "bodies: {far: {mass: 1, inertia: [1, 1, 1]}, a: {mass: 1, inertia: [1, 1, 1]}, "
                  "b: {mass: 1, com: [0, 0, 1]}}\n"
                  "joints:\n"
                  "  f: {type: free, from: ground, to: far}\n"
                  "  z: {type: prismatic, axis: z, from: ground, to: a}\n"
                  "  y: {type: revolute, axis: y, from: ground, to: b}\n"
                  "forces: {k: {type: joint-spring, coordinate: z.slide, stiffness: 1e6}}\n"
                  "initial: {z: {slide: 1e-9}, f: {x: 1e9, wz: 1}}\n");
    artData *d = keep_fresh_data(m);
    artRunDef study = art_default_run();
    study.integrator = all[i];
    artRun *run = keep_started_run(m, d, &study);
    CHECK_WORKS(art_run_to(run, 1, &check_error));
    CHECK_CLOSE(d->q[art_find_position(m, "z.slide")], 1e-9 * cos(1000), 2e-3 * 1e-9);
  }
}


// machines of everyday sizes are measured in metres and seconds
TEST(scales_of_usual_machines_are_metres_and_seconds)
{
  static const char *const names[] = {"double-pendulum", "loops/four-bar", "vehicles/cart",
                                      "puma560"};
  for (int i = 0; i < 4; i++) {
    artModel *m = keep_machine(names[i]);
    const artRunDef study = art_default_run();
    const artCertificate c = art_certify(keep_started_run(m, keep_fresh_data(m), &study));
    CHECK(c.length == 1 && c.pace == 1);
  }
}
