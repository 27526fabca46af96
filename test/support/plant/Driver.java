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
    for (int i = 0; i < list.length; i++) {
      System.out.println(word + ' ' + i + ' ' + list[i].name + '|' + list[i].unit);
    }
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
    int failures = 0;
    for (Field field : plant.Parameters.class.getFields()) {
      m.start();
      check(14, m.close() == 0);
      field.setDouble(m.p, field.getDouble(m.p) + 100);
      m.prepare();
      final double[] before = state(m);
      if (m.step(h) == 0) continue;
      failures++;
      check(16, Arrays.equals(state(m), before) && m.failed != null);
      System.out.println("loop " + m.failed);
    }
    System.out.println("failures " + failures);
  }
}
