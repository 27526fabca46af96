// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Motions for the tests: a double pendulum by two step sizes, something like a car, a field of a thousand bodies.
import type { Pose, SceneHeader, Shape, Vector3 } from "../../src/data/header";
import type { Instant, Motion } from "./scene-writer";

const NOWHERE: Pose = [0, 0, 0, 1, 0, 0, 0];
const G = 9.81;

type Quaternion = [number, number, number, number];

const aboutX = (a: number): Quaternion => [Math.cos(a / 2), Math.sin(a / 2), 0, 0];
const aboutY = (a: number): Quaternion => [Math.cos(a / 2), 0, Math.sin(a / 2), 0];
const aboutZ = (a: number): Quaternion => [Math.cos(a / 2), 0, 0, Math.sin(a / 2)];

function times(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

function baseHeader(title: string, method: string): SceneHeader {
  return {
    format: "articula-scene",
    version: 1,
    program: "test",
    model: { title, file: "test.yaml", hash: "0123456789abcdef" },
    method,
    integrator: "rk4",
    chunk: 64,
    velocities: true,
    gravity: [0, 0, -G],
    size: 4,
    bodies: [],
    joints: [],
    forces: [],
    loops: [],
    road: null,
    vectors: [],
    channels: [],
  };
}

//---- double pendulum -----------------------------------------------------------------------------

// two equal point masses on bars of length 1: angles from the vertical and their rates
function pendulumRates([a, b, u, v]: number[]): number[] {
  const d = a - b;
  const below = 2 - Math.cos(d) ** 2;
  const du = (-u * u * Math.sin(d) * Math.cos(d) + G * Math.sin(b) * Math.cos(d) - v * v * Math.sin(d) - 2 * G * Math.sin(a)) / below;
  const dv = (v * v * Math.sin(d) * Math.cos(d) + 2 * (G * Math.sin(a) * Math.cos(d) + u * u * Math.sin(d) - G * Math.sin(b))) / below;
  return [u, v, du, dv];
}

function rungeKutta(x: number[], h: number): number[] {
  const plus = (k: number[], s: number): number[] => x.map((value, i) => value + s * k[i]);
  const k1 = pendulumRates(x);
  const k2 = pendulumRates(plus(k1, h / 2));
  const k3 = pendulumRates(plus(k2, h / 2));
  const k4 = pendulumRates(plus(k3, h));
  return x.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
}

export function doublePendulum(steps = 10, method = "recursive", seconds = 10): Motion {
  const frames = Math.round(seconds * 50) + 1;
  const states = [[1.6, 1.1, 0, 0]];
  for (let k = 1; k < frames; k++) {
    let x = states[k - 1];
    for (let s = 0; s < steps; s++) x = rungeKutta(x, 0.02 / steps);
    states.push(x);
  }
  return { header: pendulumHeader(method), frames, at: (frame) => pendulumInstant(0.02 * frame, states[frame]) };
}

function pendulumHeader(method: string): SceneHeader {
  const bar = (colour: string): Shape[] => [
    { type: "capsule", radius: 0.04, length: 1, pose: [0, 0, -0.5, 1, 0, 0, 0], colour },
    { type: "sphere", radius: 0.1, pose: [0, 0, -1, 1, 0, 0, 0], colour },
    { type: "cylinder", radius: 0.055, length: 0.14, pose: [0, 0, 0, ...aboutX(Math.PI / 2)], colour: "#4a4e55" },
  ];
  const pin = (from: number, to: number, z: number, name: string) => ({
    name,
    type: "revolute",
    from,
    to,
    at: { from: [0, 0, z, ...aboutX(-Math.PI / 2)] as Pose, to: [0, 0, 0, ...aboutX(-Math.PI / 2)] as Pose },
  });
  return {
    ...baseHeader("Double pendulum", method),
    bodies: [
      { name: "upper", mass: 1, com: [0, 0, -1], inertia: [0, 0, 0, 0, 0, 0], parent: -1, shapes: bar("#3b7dd8") },
      { name: "lower", mass: 1, com: [0, 0, -1], inertia: [0, 0, 0, 0, 0, 0], parent: 0, shapes: bar("#e08a2c") },
    ],
    ground: { shapes: [{ type: "box", size: [0.3, 0.2, 0.08], pose: [0, 0, 0.06, 1, 0, 0, 0], colour: "#7a7f87" }] },
    joints: [pin(-1, 0, 0, "shoulder"), pin(0, 1, -1, "elbow")],
    forces: [{ name: "bearing", type: "joint-spring", ends: [] }],
    vectors: [
      { name: "shoulder", kind: "reaction", unit: "N", body: 0 },
      { name: "weight", kind: "force", unit: "N", body: 1 },
    ],
    channels: [
      { name: "shoulder.angle", unit: "rad", group: "shoulder", type: "f64" },
      { name: "elbow.angle", unit: "rad", group: "elbow", type: "f64" },
      { name: "shoulder.rate", unit: "rad/s", group: "shoulder", type: "f64" },
      { name: "energy.kinetic", unit: "J", group: "energy", type: "f64" },
      { name: "energy.total", unit: "J", group: "energy", type: "f64" },
    ],
  };
}

function pendulumInstant(time: number, [a, b, u, v]: number[]): Instant {
  const elbow: Vector3 = [Math.sin(a), 0, -Math.cos(a)];
  const elbowSpeed = [u * Math.cos(a), 0, u * Math.sin(a)];
  const tipSpeed = [elbowSpeed[0] + v * Math.cos(b), 0, elbowSpeed[2] + v * Math.sin(b)];
  const tip = [elbow[0] + Math.sin(b), 0, elbow[2] - Math.cos(b)];
  const kinetic = 0.5 * (u * u + tipSpeed[0] ** 2 + tipSpeed[2] ** 2);
  return {
    time,
    poses: [0, 0, 0, ...aboutY(-a), ...elbow, ...aboutY(-b)],
    velocities: [0, 0, 0, 0, -u, 0, ...elbowSpeed, 0, -v, 0],
    vectors: [0, 0, 0, -8 * elbow[0], 0, 2 * G - 8 * elbow[2], ...tip, 0, 0, -G],
    channels: [a, b - a, u, kinetic, kinetic + G * (elbow[2] + tip[2])],
  };
}

//---- car -----------------------------------------------------------------------------------------

const WHEELS: [string, number, number][] = [
  ["front left", 1.3, 0.75],
  ["front right", 1.3, -0.75],
  ["rear left", -1.3, 0.75],
  ["rear right", -1.3, -0.75],
];
const RADIUS = 0.32;
const SPEED = 14;

const bump = (x: number): number => (x > 30 && x < 33 ? 0.06 * Math.sin((Math.PI * (x - 30)) / 3) ** 2 : 0);

export function car(seconds = 10): Motion {
  const frames = Math.round(seconds * 100) + 1;
  return { header: carHeader(seconds), frames, at: (frame) => carInstant(0.01 * frame) };
}

function carHeader(seconds: number): SceneHeader {
  const nx = Math.round((SPEED * seconds + 24) / 0.5);
  const z = Array.from({ length: nx * 9 }, (_, k) => bump(-12 + 0.5 * (k % nx)));
  const hull: Shape[] = [
    { type: "box", size: [3.9, 1.5, 0.42], pose: [0, 0, 0.15, 1, 0, 0, 0], colour: "#3b7dd8" },
    { type: "box", size: [1.9, 1.3, 0.46], pose: [-0.25, 0, 0.58, 1, 0, 0, 0], colour: "#5b93de" },
  ];
  return {
    ...baseHeader("Something like a car", "semirecursive"),
    bodies: [
      { name: "chassis", mass: 1200, com: [0, 0, 0.2], inertia: [400, 1600, 1800, 0, 0, 0], parent: -1, shapes: hull },
      ...WHEELS.map(([name]) => ({
        name: `${name} wheel`,
        mass: 25,
        com: [0, 0, 0] as Vector3,
        inertia: [0.6, 1.1, 0.6, 0, 0, 0],
        parent: 0,
        shapes: [{ type: "tyre", radius: RADIUS, length: 0.21, pose: [0, 0, 0, ...aboutX(-Math.PI / 2)], colour: "#2e2f33" } as Shape],
      })),
    ],
    joints: [
      { name: "base", type: "free", from: -1, to: 0, at: { from: NOWHERE, to: NOWHERE } },
      ...WHEELS.map(([name, x, y], k) => ({
        name: `${name} axle`,
        type: "cylindrical",
        from: 0,
        to: k + 1,
        at: { from: [x, y, -0.1, ...aboutX(-Math.PI / 2)] as Pose, to: [0, 0, 0, ...aboutX(-Math.PI / 2)] as Pose },
      })),
    ],
    forces: [
      ...WHEELS.map(([name, x, y], k) => ({
        name: `${name} spring`,
        type: "spring-damper",
        glyph: "coil",
        radius: 0.06,
        rest: 0.4,
        ends: [
          { body: 0, point: [x, 0.72 * y, 0.42] as Vector3 },
          { body: k + 1, point: [0, -Math.sign(y) * 0.18, 0] as Vector3 },
        ],
      })),
      ...WHEELS.map(([name], k) => ({ name: `${name} tyre`, type: "tyre", glyph: "wheel", radius: RADIUS, width: 0.21, ends: [{ body: k + 1, point: [0, 0, 0] as Vector3 }] })),
    ],
    loops: [],
    road: { type: "grid", x0: -12, dx: 0.5, nx, y0: -6, dy: 1.5, ny: 9, z },
    vectors: WHEELS.map(([name], k) => ({ name: `${name} tyre`, kind: "contact" as const, unit: "N", body: k + 1 })),
    channels: [
      { name: "chassis.z", unit: "m", group: "chassis", type: "f64" },
      { name: "chassis.y", unit: "m", group: "chassis", type: "f64" },
      { name: "chassis.roll", unit: "rad", group: "chassis", type: "f64" },
      ...WHEELS.map(([name]) => ({ name: `${name}.load`, unit: "N", group: "tyres", type: "f64" as const })),
    ],
  };
}

function carInstant(t: number): Instant {
  const x = SPEED * t;
  const y = 1.6 / (1 + Math.exp(-1.6 * (t - 4)));
  const yaw = (1.6 * 1.6 * Math.exp(-1.6 * (t - 4))) / (1 + Math.exp(-1.6 * (t - 4))) ** 2 / SPEED;
  const z = 0.52 + 0.5 * (bump(x + 1.3) + bump(x - 1.3)) + 0.01 * Math.sin(9 * t) * Math.exp(-0.4 * t);
  const roll = 0.03 * Math.sin(1.6 * (t - 4)) * Math.exp(-0.3 * (t - 4) ** 2);
  const turn = times(aboutZ(yaw), aboutX(roll));
  const poses = [x, y, z, ...turn];
  const velocities = [SPEED, 0, 0, 0, 0, 0];
  const vectors: number[] = [];
  const loads: number[] = [];
  for (const [, dx, dy] of WHEELS) {
    const [wx, wy] = [x + dx * Math.cos(yaw) - dy * Math.sin(yaw), y + dx * Math.sin(yaw) + dy * Math.cos(yaw)];
    const ground = bump(wx);
    poses.push(wx, wy, RADIUS + ground, ...times(aboutZ(yaw), aboutY((SPEED / RADIUS) * t)));
    velocities.push(SPEED, 0, 0, 0, SPEED / RADIUS, 0);
    const load = 3200 + 60000 * ground - 9000 * roll * Math.sign(dy);
    vectors.push(wx, wy, ground, 0, -1500 * roll, load);
    loads.push(load);
  }
  return { time: t, poses, velocities, vectors, channels: [z, y, roll, ...loads] };
}

//---- a thousand bodies ---------------------------------------------------------------------------

export const MANY = 1000;

/** Boxes, balls and rods on a wave; frames are computed when asked for. */
export function manyBodies(frames = 100_000): Motion {
  const shapes: Shape[] = [
    { type: "box", size: [0.5, 0.3, 0.2] },
    { type: "sphere", radius: 0.22 },
    { type: "cylinder", radius: 0.12, length: 0.6 },
  ];
  const header: SceneHeader = {
    ...baseHeader("A thousand bodies", "recursive"),
    size: 47,
    bodies: Array.from({ length: MANY }, (_, k) => ({ name: `body ${k + 1}`, mass: 1, com: [0, 0, 0] as Vector3, parent: -1, shapes: [shapes[k % 3]] })),
    channels: [{ name: "wave", unit: "m", group: "", type: "f64" }],
  };
  return { header, frames, at: (frame) => manyInstant(0.001 * frame), outline: (frame) => manyOutline(0.001 * frame) };
}

function manyInstant(time: number): Instant {
  const poses = new Array<number>(7 * MANY);
  for (let k = 0; k < MANY; k++) {
    const [x, y] = [(k % 40) - 20, Math.floor(k / 40) - 12];
    const phase = 2 * time + 0.4 * x + 0.3 * y;
    const pose = [x, y, 1 + 0.5 * Math.sin(phase), Math.cos(phase / 2), 0, 0, Math.sin(phase / 2)];
    for (let c = 0; c < 7; c++) poses[7 * k + c] = pose[c];
  }
  return { ...manyOutline(time), poses, velocities: new Array<number>(6 * MANY).fill(0), vectors: [] };
}

function manyOutline(time: number): { time: number; channels: number[] } {
  return { time, channels: [Math.sin(2 * time) + 0.1 * Math.sin(400 * time)] };
}

//---- certificates --------------------------------------------------------------------------------

export function certificate(method: string, error: number): unknown {
  return {
    articula: "0.1.0",
    status: "finished",
    study: { method, integrator: "rk4", tolerance: 1e-8, step: 0.002 },
    constraints: { rows: 6, rank: 5, redundant: ["row 3 of 'hinge' follows from 'slider' and 'pin'"], position_residual: 3.1e-12, velocity_residual: 2e-11, acceleration_residual: 4e-10, quaternion_error: 0 },
    energy: { start: -7.5, end: -7.5, work: 0, error, scale: 31, relative_error: error / 31 },
    steps: { accepted: 5000, rejected: 3, evaluations: 20012, events: 0, shortest: 0.002, longest: 0.002 },
    wall_clock: { total: 0.011 },
  };
}
