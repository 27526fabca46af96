// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Motors, hydraulic and pneumatic cylinders against closed forms, and every method against every other.
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "support/check.h"
#include "support/keep.h"
#include "support/simulate.h"

static const double PI = 3.14159265358979323846;


// a run of a text, at its start; extra: forces, outputs of all names are there
static simulation start(const char *text, artMethod method, double tolerance)
{
  simulation s = {0};
  artRunDef study = art_default_run();
  study.until = 100, study.method = method, study.tolerance = tolerance, study.step = 2e-5;
  if (method == ART_INDEX3) study.step = 1e-4;
  simulation_run(&s, keep_text(text), &study);
  return s;
}


static double at(simulation *s, double t, const char *name)
{
  if (!simulation_go(s, t)) return NAN;
  return simulation_output(s, name);
}


//---- motors --------------------------------------------------------------------------------------

#define AXLE                                                                                       \
  "articula: 1\ngravity: [0, 0, 0]\nbodies: {wheel: {mass: 1, inertia: [1, 1, 0.02]}}\n"           \
  "joints: {axle: {type: revolute, axis: z, from: ground, to: wheel}}\n"
#define CIRCUIT "constant: 0.05, resistance: 0.5, gear: 10"


// L i' = u - R i - k G w, J w' = G k i: eigenvalues -a1, -a2 of s^2 + R/L s + (k G)^2/(J L)
TEST(a_motor_has_the_step_response_of_its_circuit)
{
  simulation s = start(
      AXLE "forces: {m: {type: motor, coordinate: axle, voltage: 24 V, inductance: 2 mH, " CIRCUIT
           "}}\noutputs: [axle.rate, m.current, m.torque, m.speed, m.power, m.force]\n",
      ART_AUTOMATIC, 1e-11);
  const double R = 0.5, L = 2e-3, k = 0.05, G = 10, J = 0.02, u = 24;
  const double root = sqrt(R * R / (4 * L * L) - k * G * k * G / (J * L));
  const double a1 = R / (2 * L) - root, a2 = R / (2 * L) + root;
  for (int n = 1; n <= 5; n++) {
    const double t = 0.01 * n;
    const double i = u / L * (exp(-a1 * t) - exp(-a2 * t)) / (a2 - a1);
    const double w = u / (k * G) * (1 - (a2 * exp(-a1 * t) - a1 * exp(-a2 * t)) / (a2 - a1));
    CHECK_CLOSE(at(&s, t, "m.current"), i, 1e-7);
    CHECK_CLOSE(simulation_output(&s, "axle.rate"), w, 1e-7);
    CHECK_CLOSE(simulation_output(&s, "m.speed"), G * w, 1e-6);
    CHECK_CLOSE(simulation_output(&s, "m.torque"), k * i, 1e-8);
    CHECK_CLOSE(simulation_output(&s, "m.force"), G * k * i, 1e-7);
    CHECK_CLOSE(simulation_output(&s, "m.power"), u * i, 1e-5);
  }
}


TEST(without_inductance_the_current_follows_at_once)
{
  simulation s =
      start(AXLE "forces: {m: {type: motor, coordinate: axle, voltage: 24, friction: 1e-4, " CIRCUIT
                 "}}\noutputs: [axle.rate, m.current]\n",
            ART_AUTOMATIC, 1e-11);
  // J w' = G (k i - b G w), i = (u - k G w)/R
  const double R = 0.5, k = 0.05, G = 10, J = 0.02, u = 24, b = 1e-4;
  const double rate = (k * G * k * G / R + b * G * G) / J, end = G * k * u / R / J / rate;
  for (int n = 0; n <= 4; n++) {
    const double w = end * (1 - exp(-rate * 0.02 * n));
    CHECK_CLOSE(at(&s, 0.02 * n, "axle.rate"), w, 1e-8);
    CHECK_CLOSE(simulation_output(&s, "m.current"), (u - k * G * w) / R, 1e-8);
  }
}


#define LOCKED AXLE "drives: {hold: {coordinate: axle, value: 0}}\n"

TEST(a_locked_rotor_has_the_current_of_a_coil_up_to_its_limit)
{
  simulation s = start(LOCKED "forces: {m: {type: motor, coordinate: axle, voltage: 10, "
                              "inductance: 0.1, current: 2, " CIRCUIT "}}\noutputs: [m.current]\n",
                       ART_AUTOMATIC, 1e-11);
  for (int n = 0; n <= 4; n++) {
    CHECK_CLOSE(at(&s, 0.1 * n, "m.current"), 20 - 18 * exp(-0.5 * n), 1e-8);
  }

  // 20 (1 - exp(-5 t)) reaches 8 at 0.1022 s and stays; after 0.2 s it falls towards 0
  simulation limited =
      start(LOCKED "forces: {m: {type: motor, coordinate: axle, voltage: \"= if(time < 0.2[s], 10, "
                   "0)\", inductance: 0.1, most: 8, " CIRCUIT "}}\noutputs: [m.current]\n",
            ART_AUTOMATIC, 1e-10);
  CHECK_CLOSE(at(&limited, 0.05, "m.current"), 20 * (1 - exp(-0.25)), 1e-7);
  CHECK_CLOSE(at(&limited, 0.15, "m.current"), 8, 1e-7);
  CHECK_CLOSE(at(&limited, 0.3, "m.current"), 8 * exp(-0.5), 1e-6);
}


// J w' = k i: the current comes to its limit, stays while the voltage has more than R i + k w to give, and leaves it once
TEST(a_current_that_rests_at_its_limit_has_fixed_steps)
{
  for (int i = 0; i < 48; i++) {
    const double voltage = (i % 2 ? -1 : 1) * (9 + 4 * (i / 2)), h = i % 3 ? 1e-3 : 2e-3;
    char text[600];
    snprintf(text, sizeof text,
             "articula: 1\ngravity: [0, 0, 0]\nbodies: {wheel: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints: {axle: {type: revolute, axis: z, from: ground, to: wheel}}\n"
             "forces: {m: {type: motor, coordinate: axle, voltage: %g, constant: 1, resistance: 1,"
             " inductance: 5 mH, most: 8}}\noutputs: [axle.rate, m.current]\n",
             voltage);
    simulation s = {0}, exact = start(text, ART_AUTOMATIC, 1e-10);
    artRunDef study = art_default_run();
    study.integrator = ART_RK4;
    study.step = h;
    simulation_run(&s, keep_text(text), &study);
    for (int n = 1; n <= 4; n++) {
      CHECK_CLOSE(at(&s, 0.05 * n, "axle.rate"), at(&exact, 0.05 * n, "axle.rate"), 1e-4);
      CHECK_CLOSE(simulation_output(&s, "m.current"), simulation_output(&exact, "m.current"), 1e-3);
    }
  }
}


// a voltage that leads to the very limit: with a limit of 1 mA rates beside it are of the size of their rounding
TEST(a_current_that_comes_to_its_limit_and_no_further_stays_there)
{
  static const artIntegrator INTEGRATORS[] = {ART_RK4, ART_DOPRI5, ART_BDF};
  for (int i = 0; i < 6; i++) {
    char text[600];
    snprintf(
        text, sizeof text,
        "articula: 1\ngravity: [0, 0, 0]\nbodies: {wheel: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints: {axle: {type: revolute, axis: z, from: ground, to: wheel}}\n"
        "forces: {m: {type: motor, coordinate: axle, voltage: %g, constant: 1e-9, resistance: 1,"
        " inductance: 1, most: 1e-3}}\noutputs: [m.current]\n",
        i % 2 ? -1e-3 : 1e-3);
    simulation s = {0};
    artRunDef study = art_default_run();
    study.integrator = INTEGRATORS[i / 2];
    if (i < 2) study.step = 0.01;
    simulation_run(&s, keep_text(text), &study);
    at(&s, 40, "m.current");
    CHECK_CLOSE(simulation_output(&s, "m.current"), i % 2 ? -1e-3 : 1e-3, 1e-8);
  }
}


TEST(a_torque_speed_curve_limits_an_engine)
{
  simulation s = start(AXLE "curves: {peak: {piecewise: [[0, 0.4], [100, 0.2], [200, 0]]}}\n"
                            "inputs: {throttle: {default: 1}}\n"
                            "forces: {m: {type: motor, coordinate: axle, torque: = 5*throttle, "
                            "limit: = peak(m.speed), gear: 2}}\n"
                            "outputs: [m.speed, m.torque, m.power]\n",
                       ART_AUTOMATIC, 1e-11);
  // J w' = G (0.4 - 0.002 G w): exponential towards 200 rad/s at the rotor
  const double rate = 0.002 * 4 / 0.02;
  for (int n = 0; n <= 3; n++) {
    const double w = 200 * (1 - exp(-rate * n));
    CHECK_CLOSE(at(&s, n, "m.speed"), w, 1e-7);
    CHECK_CLOSE(simulation_output(&s, "m.torque"), 0.4 - 0.002 * w, 1e-9);
    CHECK_CLOSE(simulation_output(&s, "m.power"), w * (0.4 - 0.002 * w), 1e-6);
  }
}


TEST(beyond_its_curve_a_motor_gives_nothing)
{
  simulation s = start(AXLE "initial: {axle: {rate: 300}}\n"
                            "forces: {m: {type: motor, coordinate: axle, torque: 5, limit: = 0.4 - "
                            "0.002*m.speed}}\noutputs: [m.speed, m.torque]\n",
                       ART_AUTOMATIC, 1e-10);
  CHECK_CLOSE(at(&s, 1, "m.torque"), 0, 0);
  CHECK_CLOSE(simulation_output(&s, "m.speed"), 300, 1e-9);
}


TEST(bad_actuators_are_refused_where_they_stand)
{
  static const struct {
    const char *motor, *message;
  } cases[] = {
      {"", "a motor force needs 'voltage' or 'torque'"},
      {", voltage: 1, constant: 1", "so it needs 'constant' and 'resistance' of more than 0"},
      {", voltage: 1 A, constant: 1, resistance: 1", "expected a voltage in V"},
      {", torque: 1, gear: 0", "the gear of motor 'm' is 0"},
      {", torque: 1, limit: -2", "t.yaml:5:63: 'limit' of force 'm' is -2, a non-negative number"},
      {", torque: 1, limit: = L}}\nparameters: {L: -2}\ninitial: {axle: {rate: 1",
       "'limit' of force 'm' is -2"},
      {", voltage: 1, constant: 1, resistance: 1, current: 2", "belongs to 'inductance'"},
      {", voltage: 1, constant: 1, resistance: 1, inductance: 1, most: 1, current: -2",
       "begins with a current of -2 A, beyond its largest one, 1 A"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[600];
    artModel *m = NULL;
    snprintf(text, sizeof text, "%sforces: {m: {type: motor, coordinate: axle%s}}\n", AXLE,
             cases[i].motor);
    if (!CHECK_FAILS(art_read_model(&m, text, strlen(text), "t.yaml", &check_error), ART_BAD_INPUT,
                     cases[i].message))
      printf("  %s\n", cases[i].motor);
    art_free_model(m);
  }
}


//---- hydraulics ----------------------------------------------------------------------------------

#define RAIL                                                                                       \
  "articula: 1\ngravity: [0, 0, 0]\nbodies: {block: {mass: 100}}\n"                                \
  "joints: {rail: {type: prismatic, axis: x, from: ground, to: block}}\n"
#define CYLINDER                                                                                   \
  "type: hydraulic-cylinder, between: [ground, block], shortest: 0.5, stroke: 1, dead_a: 1e-4, "   \
  "dead_b: 1e-4, flow: 5e-4, drop: 3.5e6, supply: 2e7, transition: 100"


// A_a v = c o sqrt(p_s - p_a), A_b v = c o sqrt(p_b), A_a p_a = A_b p_b
TEST(a_cylinder_comes_to_the_speed_of_its_flow)
{
  simulation s =
      start(RAIL "initial: {rail: {slide: 0.7}}\nforces: {c: {" CYLINDER
                 ", area_a: 2e-3, area_b: 1e-3, opening: 0.3}}\n"
                 "outputs: [rail.rate, c.flow_a, c.flow_b, c.force, c.pressure_a, c.pressure_b]\n",
            ART_AUTOMATIC, 1e-9);
  const double A = 2e-3, B = 1e-3, c = 0.3 * 5e-4 / sqrt(3.5e6), supply = 2e7;
  const double v = c * sqrt(A * supply / (A * A * A + B * B * B));
  CHECK_CLOSE_REL(at(&s, 1.5, "rail.rate"), v, 1e-6);
  CHECK_CLOSE_REL(simulation_output(&s, "c.pressure_b"), B * v / c * (B * v / c), 1e-5);
  CHECK_CLOSE_REL(simulation_output(&s, "c.pressure_a"), supply - A * v / c * (A * v / c), 1e-5);
  CHECK_CLOSE_REL(simulation_output(&s, "c.flow_a"), A * v, 1e-5);
  CHECK_CLOSE_REL(simulation_output(&s, "c.flow_b"), -B * v, 1e-5);

  // and back, by the other edges: A_a v = c o sqrt(p_a), A_b v = c o sqrt(p_s - p_b)
  simulation back =
      start(RAIL "initial: {rail: {slide: 1.4}}\nforces: {c: {" CYLINDER
                 ", area_a: 2e-3, area_b: 1e-3, opening: -0.3}}\noutputs: [rail.rate]\n",
            ART_AUTOMATIC, 1e-9);
  CHECK_CLOSE_REL(at(&back, 1.5, "rail.rate"), -c * sqrt(B * supply / (A * A * A + B * B * B)),
                  1e-6);
}


// oil on both sides is a spring of B A^2 (1/V_a + 1/V_b): in the middle w^2 = 4 B A^2/(V m) with V of both
TEST(a_closed_cylinder_swings_at_the_frequency_of_its_oil)
{
  simulation s =
      start(RAIL "initial: {rail: {slide: 1, rate: 1e-4}}\nforces: {c: {" CYLINDER
                 ", area_a: 2e-3, area_b: 2e-3, opening: 0, pressure_a: 1e7, pressure_b: 1e7}}\n"
                 "outputs: [rail.slide]\n",
            ART_AUTOMATIC, 1e-12);
  const double w = sqrt(4 * 1.4e9 * 2e-3 * 2e-3 / (2 * (1e-4 + 2e-3 * 0.5)) / 100);
  for (int n = 1; n <= 4; n++) {
    const double t = 0.7 * n * PI / w;
    CHECK_CLOSE(at(&s, t, "rail.slide") - 1, 1e-4 / w * sin(w * t), 1e-9 / w);
  }
}


TEST(leakage_lets_a_load_sink)
{
  // a load of 2 kN on equal areas: p_a - p_b = 1 MPa in the end, l (p_a - p_b) = A v
  simulation s = start(RAIL "initial: {rail: {slide: 1}}\nforces: {c: {" CYLINDER
                            ", area_a: 2e-3, area_b: 2e-3, opening: 0, leakage: 2e-12, pressure_a: "
                            "1e7, pressure_b: 1e7}, "
                            "load: {type: joint-force, coordinate: rail, value: -2000}}\noutputs: "
                            "[rail.rate, c.pressure_a, c.pressure_b]\n",
                       ART_AUTOMATIC, 1e-9);
  CHECK_CLOSE_REL(at(&s, 20, "rail.rate"), -2e-12 * 1e6 / 2e-3, 1e-3);
}


TEST(oil_does_not_pull)
{
  // the rod is pulled out with closed sides: side a boils and holds 0 Pa
  simulation s =
      start(RAIL "initial: {rail: {slide: 1}}\nforces: {c: {" CYLINDER
                 ", area_a: 2e-3, area_b: 2e-3, opening: 0, pressure_a: 1e5, pressure_b: 1e5}, "
                 "load: {type: joint-force, coordinate: rail, value: 8000}}\noutputs: "
                 "[c.pressure_a, c.pressure_b]\n",
            ART_AUTOMATIC, 1e-8);
  for (int n = 1; n <= 20; n++) CHECK(at(&s, 0.005 * n, "c.pressure_a") > -1);
}


// The excavator lifts its boom: side b of its ram boils until 0.12 s. Rounding of the rate there decided whether the
// pressure rose above 0 and fell again, without end within one step.
TEST(a_side_that_boils_is_left_once_by_fixed_steps)
{
  simulation s = {0};
  artRunDef study = art_default_run();
  study.integrator = ART_RK4, study.step = 1e-3, study.until = 0.2;
  simulation_run(&s, keep_file(ART_SOURCE_DIR "/models/plant/excavator.yaml"), &study);
  for (int n = 1; n <= 200; n++) {
    const double p = at(&s, 1e-3 * n, "ram.pressure_b"); // Pa, of 25e6
    CHECK(p >= 0 && (n < 60 || n > 120 || p < 0.03));
  }
  CHECK(at(&s, 0.2, "ram.pressure_b") > 1e5);
}


//---- pneumatics ----------------------------------------------------------------------------------

#define GAS                                                                                        \
  "type: pneumatic-cylinder, between: [ground, block], free_length: 0.5, pressure: 3e5, area: "    \
  "2e-3, volume: 1e-3"


TEST(closed_gas_is_the_air_spring)
{
  const char *const forces[2] = {
      RAIL "initial: {rail: {slide: 0.6}}\nforces: {g: {" GAS
           "}, k: {type: spring-damper, between: "
           "[ground, block], free_length: 0.4, stiffness: 3000}}\noutputs: [rail.slide, g.force]\n",
      RAIL
      "initial: {rail: {slide: 0.6}}\nforces: {g: {type: spring-damper, between: [ground, block], "
      "free_length: 0.5, "
      "spring: {air: {pressure: 3e5, area: 2e-3, volume: 1e-3, exponent: 1.4, ambient: 101325}}}, "
      "k: {type: spring-damper, between: [ground, block], free_length: 0.4, stiffness: 3000}}\n"
      "outputs: [rail.slide, g.force]\n"};
  simulation own = start(forces[0], ART_AUTOMATIC, 1e-12),
             law = start(forces[1], ART_AUTOMATIC, 1e-12);
  for (int n = 0; n <= 10; n++) {
    const double x = at(&law, 0.1 * n, "rail.slide"), force = simulation_output(&law, "g.force");
    CHECK_CLOSE(at(&own, 0.1 * n, "rail.slide"), x, 1e-9);
    CHECK_CLOSE(simulation_output(&own, "g.force"), force, 1e-6);
  }
}


#define HELD RAIL "drives: {hold: {coordinate: rail, value: 0.5}}\n"

// choked: w = a p_s/sqrt(R T) psi, dp/dt = k R T w/V
TEST(a_choked_valve_fills_a_volume_at_a_constant_rate)
{
  simulation s = start(HELD "forces: {g: {" GAS ", supply: 1e6, valve: 2e-6, opening: 1}}\n"
                            "outputs: [g.pressure, g.flow_in, g.mass, g.temperature]\n",
                       ART_AUTOMATIC, 1e-11);
  const double k = 1.4, R = 287.05, T = 293.15, psi = sqrt(k * pow(2 / (k + 1), (k + 1) / (k - 1)));
  const double w = 2e-6 * 1e6 / sqrt(R * T) * psi, slope = k * R * T * w / 1e-3;
  for (int n = 0; n <= 4; n++) {
    const double t = 0.05 * n, p = 3e5 + slope * t;
    CHECK_CLOSE_REL(at(&s, t, "g.pressure"), p, 1e-9);
    CHECK(p < 0.528 * 1e6);
    CHECK_CLOSE_REL(simulation_output(&s, "g.flow_in"), w, 1e-12);
    CHECK_CLOSE_REL(simulation_output(&s, "g.mass"), 3e5 * 1e-3 / (R * T) + w * t, 1e-9);
    CHECK_CLOSE_REL(simulation_output(&s, "g.temperature") * simulation_output(&s, "g.mass"),
                    p * 1e-3 / R, 1e-9);
  }

  // it ends at the pressure of the supply, and let out at that of the ambience
  CHECK_CLOSE_REL(at(&s, 20, "g.pressure"), 1e6, 1e-6);
  simulation out = start(HELD "forces: {g: {" GAS ", valve: 5e-6, opening: -1, heat: 2}}\n"
                              "outputs: [g.pressure, g.temperature, g.flow_out]\n",
                         ART_AUTOMATIC, 1e-10);
  CHECK_CLOSE_REL(at(&out, 0, "g.flow_out"), 5e-6 * 3e5 / sqrt(R * T) * psi, 1e-12);
  CHECK_CLOSE_REL(at(&out, 60, "g.pressure"), 101325, 1e-6);
  CHECK_CLOSE_REL(simulation_output(&out, "g.temperature"), T, 1e-5);
}


// m c_v dT/dt = h (T_0 - T) at constant volume
TEST(heat_passes_the_wall)
{
  simulation s =
      start(RAIL "drives: {push: {coordinate: rail, value: \"= 0.5 - 0.1*min(time/1e-3[s], "
                 "1)\"}}\n"
                 "forces: {g: {" GAS ", heat: 3}}\noutputs: [g.temperature, g.pressure]\n",
            ART_AUTOMATIC, 1e-11);
  const double R = 287.05, T0 = 293.15, cv = R / 0.4, m = 3e5 * 1e-3 / (R * T0);
  const double first = at(&s, 1e-3, "g.temperature") - T0;
  CHECK_CLOSE_REL(first + T0, T0 * pow(1 / 0.8, 0.4), 1e-3);
  for (int n = 1; n <= 3; n++) {
    const double T = T0 + first * exp(-3 / (m * cv) * 0.5 * n);
    CHECK_CLOSE_REL(at(&s, 1e-3 + 0.5 * n, "g.temperature"), T, 1e-8);
    CHECK_CLOSE_REL(simulation_output(&s, "g.pressure"), m * R * T / 0.8e-3, 1e-8);
  }
}


//---- methods -------------------------------------------------------------------------------------

#define ARM                                                                                        \
  "articula: 1\nground: {points: {foot: [0.3, 0, -0.4]}}\n"                                        \
  "bodies: {boom: {solid: {type: box, size: [1.5, 0.1, 0.15], position: [0.75, 0, 0], mass: 40}, " \
  "points: {lug: [0.6, 0, 0]}}, "                                                                  \
  "stick: {solid: {type: box, size: [1, 0.1, 0.1], position: [0.5, 0, 0], mass: 20}}}\n"           \
  "joints: {foot: {type: revolute, axis: y, from: ground, to: boom}, elbow: {type: revolute, "     \
  "axis: y, from: {frame: boom, position: "                                                        \
  "[1.5, 0, 0]}, to: stick}}\n"

TEST(all_methods_move_actuators_alike)
{
  static const char text[] =
      ARM "forces:\n  lift: {type: hydraulic-cylinder, between: [ground.foot, boom.lug], shortest: "
          "0.3, stroke: 0.4, area_a: 2e-3, "
          "area_b: 1.2e-3, dead_a: 5e-4, dead_b: 5e-4, bulk: 2e7, flow: 2e-4, drop: 3.5e6, "
          "opening: \"= 0.5*sin(5[1/s]*time)\", supply: 1e7, "
          "pressure_a: 1e6, pressure_b: 1e5, leakage: 1e-11}\n"
          "  air: {type: pneumatic-cylinder, between: [ground.foot, boom.lug], free_length: 0.5, "
          "pressure: 3e5, area: 1e-3, volume: 1e-3, "
          "heat: 2, supply: 8e5, valve: 2e-6, opening: \"= 0.5*cos(4[1/s]*time)\"}\n"
          "  turn: {type: motor, coordinate: elbow, voltage: \"= 12*sin(3[1/s]*time)\", constant: "
          "0.05, resistance: 0.5, inductance: 5 mH, gear: 60, friction: 1e-4}\n"
          "outputs: [foot.angle, elbow.angle, lift.pressure_a, air.pressure, turn.current]\n";
  static const char *const names[] = {"foot.angle", "elbow.angle", "lift.pressure_a",
                                      "air.pressure", "turn.current"};
  static const artMethod methods[] = {ART_RECURSIVE, ART_SEMIRECURSIVE, ART_INDEX1, ART_INDEX3};
  simulation first = start(text, ART_AUTOMATIC, 1e-10);
  double want[5];
  for (int k = 0; k < 5; k++) want[k] = at(&first, 0.4, names[k]);
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    simulation s = start(text, methods[i], 1e-10);
    for (int k = 0; k < 5; k++) {
      CHECK_CLOSE_REL(at(&s, 0.4, names[k]), want[k], methods[i] >= ART_INDEX1 ? 2e-4 : 1e-7);
    }
  }
}
