// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The program of driver.c in Java, but for differences.
import java.lang.reflect.Field;
import java.util.Arrays;

public class Driver {
  static void say(String word, double... x) {
    final StringBuilder line = new StringBuilder(word);
    for (double y : x) line.append(' ').append(y);
    System.out.println(line);
  }

  static void say(String word, double[][] x) {
    final StringBuilder line = new StringBuilder(word);
    for (double[] row : x) {
      for (double y : row) line.append(' ').append(y);
    }
    System.out.println(line);
  }

  static void names(String word, plant.Entry[] list) {
    final double[][] data = new double[list.length][];
    for (int i = 0; i < list.length; i++) {
      final plant.Entry e = list[i];
      System.out.println(word + ' ' + i + ' ' + e.name + '|' + e.unit);
      data[i] = new double[] {e.value, Math.max(e.lower, -1e300), Math.min(e.upper, 1e300)};
    }
    say(word + "-data", data);
  }

  static double[] state(plant m) {
    final double[] x = Arrays.copyOf(m.q, plant.NQ + plant.NV + plant.NS + 1);
    System.arraycopy(m.v, 0, x, plant.NQ, plant.NV);
    System.arraycopy(m.s, 0, x, plant.NQ + plant.NV, plant.NS);
    x[plant.NQ + plant.NV + plant.NS] = m.t;
    return x;
  }

  static void check(int number, boolean holds) {
    if (!holds) System.exit(number);
  }

  static void put(plant m, double t, double[] x, double length, double[] rate) {
    m.t = t + length;
    for (int i = 0; i < plant.NQ; i++) m.q[i] = x[i] + length*rate[i];
    for (int i = 0; i < plant.NV; i++) m.v[i] = x[plant.NQ + i] + length*rate[plant.NQ + i];
    final int first = plant.NQ + plant.NV;
    for (int i = 0; i < plant.NS; i++) m.s[i] = x[first + i] + length*rate[first + i];
  }

  /** A step by the midpoint method from (t, x); returns the least margin at its end. */
  static double leap(plant m, double t, double[] x, double length) {
    final double[] rate = new double[x.length];
    put(m, t, x, 0, rate);
    check(20, m.rates(rate) == 0);
    final double[] own = state(m);
    put(m, t, own, length/2, rate);
    check(20, m.rates(rate) == 0);
    put(m, t, own, length, rate);
    check(20, m.close() == 0);
    return m.margin();
  }

  /** A leap to the instant at which a margin becomes zero, where it does so within a length; returns
   * whether it does. */
  static boolean leap_to_border(plant m, double length) {
    final double[] x = state(m);
    final double t = m.t;
    double lo = 0;
    if (!(leap(m, t, x, length) < 0)) return false;
    for (int i = 0; i < 50; i++) {
      final double middle = (lo + length)/2;
      if (leap(m, t, x, middle) < 0) {
        length = middle;
      } else {
        lo = middle;
      }
    }
    leap(m, t, x, length);
    return true;
  }

  static double some(double x) {
    return x < Double.POSITIVE_INFINITY ? x : -1;
  }

  /** A program that integrates by itself, by way of all instants and borders. It begins anew half way,
   * and has a relay go over at last. */
  static void lead(plant m, double h, int steps) {
    int instants = 0, changes = 0, has_begun = 0;
    m.start();
    check(20, m.begin() == 0);
    final double end = m.t + steps*h, half = m.t + steps/2*h;
    while (m.t < end && changes < 1000) {
      if (m.t > half && has_begun++ == 0) check(20, m.begin() == 0);
      final double next = m.next_instant(), goal = Math.min(Math.min(m.t + h, end), next);
      if (leap_to_border(m, goal - m.t)) {
        check(20, m.settle(true) == 0);
        changes++;
        continue;
      }
      m.t = goal;
      if (goal < next) continue;
      check(20, m.pass() == 0);
      instants++;
    }
    say("own", state(m));
    say("held", m.u);
    say("passed", instants, changes, some(m.next_instant()), some(m.margin()));
    final int forced = m.settle(true);
    say("forced", forced);
    say("sides", forced == 0 ? m.u : new double[0]);
  }

  public static void main(String[] argument) throws Exception {
    final double h = Double.parseDouble(argument[0]);
    final int steps = Integer.parseInt(argument[1]);
    final int n = 2*plant.NFREE + plant.NS, k = plant.NU + plant.NV;
    final double[] rate = new double[plant.NQ + plant.NV + plant.NS], a = new double[plant.NV];
    final double[] y = new double[plant.NY], g = new double[plant.NEVENT];
    final double[] force = new double[plant.NACTUATOR];
    final double[][] A = new double[n][n], B = new double[n][k];
    final double[][] C = new double[plant.NY][n], D = new double[plant.NY][k];
    final int[] free = new int[plant.NFREE];
    plant m = new plant();
    say("sizes", plant.NQ, plant.NV, plant.NS, plant.NU, plant.NY, plant.NEVENT, plant.NACTUATOR,
        plant.NPARAMETER, plant.NFREE);
    names("position", plant.positions);
    names("velocity", plant.velocities);
    names("state", plant.states);
    names("output", plant.outputs);
    names("event", plant.events);
    names("input", plant.inputs);
    names("actuator", plant.actuators);
    names("parameter", plant.parameters);
    say("begin", state(m));
    check(4, m.close() == 0);
    say("closed", state(m));
    check(5, m.rates(rate) == 0 && m.accelerate(a) == 0);
    say("rates", rate);
    say("accelerations", a);
    check(6, m.outputs(y) == 0);
    say("outputs", y);
    check(7, m.events(g) == 0);
    say("events", g);
    check(8, m.inverse(a, force) == 0);
    say("idle", force);
    check(9, m.linear(free, A, B, C, D) == 0);
    say("A", A);
    say("B", B);
    say("C", C);
    say("D", D);
    say("free", Arrays.stream(free).asDoubleStream().toArray());
    final plant other = m.copy();
    check(10, m.step(h) == 0 && other.step(h) == 0 && Arrays.equals(state(m), state(other)));
    for (int i = 1; i < steps; i++) check(12, m.step(h) == 0);
    say("end", state(m));
    check(13, m.outputs(y) == 0);
    say("last", y);
    lead(m, h, steps);
    final plant twin = m.copy();
    int failures = 0;
    for (Field field : plant.Parameters.class.getFields()) {
      m.start();
      check(14, m.close() == 0);
      field.setDouble(m.p, field.getDouble(m.p) + 100);
      check(22, field.getDouble(m.p) != field.getDouble(twin.p));
      m.prepare();
      final double[] before = state(m);
      if (m.step(h) == 0) continue;
      failures++;
      check(16, Arrays.equals(state(m), before) && m.failed != null);
      System.out.println("loop " + m.failed);
    }
    System.out.println("failures " + failures);
    int unmade = 0;
    for (Field field : plant.Parameters.class.getFields()) {
      m.start();
      check(14, m.close() == 0);
      field.setDouble(m.p, Double.NaN);
      m.prepare();
      for (int i = 0; i < plant.NU; i++) m.u[i] += 0.25;
      final double[] before = state(m), held = m.u.clone();
      if (m.begin() == 0) continue;
      unmade++;
      check(21, Arrays.equals(state(m), before) && Arrays.equals(m.u, held) && m.failed != null);
      System.out.println("loop " + m.failed);
    }
    System.out.println("unmade " + unmade);
  }
}
