// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The scoreboard of the site: published problems, methods and peers, as pictures and tables. All figures are read from the
// tables of the reports; a row of them that is not known here is an error.
import { existsSync, readFileSync } from "node:fs";

const REPORTS = "doc/reports";

// ---- tables of the reports -----------------------------------------------------------------------------

/** The rows of the table that the report marks with this command (of several, the k-th), as objects by the names of its head ('column 3' where it has none, or one of an earlier column). */
function rowsOf(report, command, k = 0) {
  const text = readFileSync(`${REPORTS}/${report}.md`, "utf8");
  const marks = [...text.matchAll(/<!-- table: (.*?) -->\n((?:\|.*\n)+)/g)].filter(([, mark]) => mark.split(";")[0].trim() === command);
  if (!marks[k]) throw new Error(`${report}.md has no table of '${command}'`);
  const [head, , ...rows] = marks[k][2].trim().split("\n").map((line) => line.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim()));
  const names = head.map((name, i) => (name === "" || head.indexOf(name) < i ? `column ${i}` : name));
  return rows.map((cells) => Object.fromEntries(names.map((name, i) => [name, cells[i]])));
}

/** A cell for a table of the page; links within the report lead to it. */
const cell = (text, report) => text.replace(/\]\(#/g, `](${report}.md#`);
const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const from = (report, anchor, words) => `From [${words}](${report}.md${anchor}), which says how it was measured.`;

/** The cell that opens models in the playground. */
function open(...models) {
  for (const model of models) if (!existsSync(`models/${model}.yaml`)) throw new Error(`scoreboard: there is no models/${model}.yaml`);
  return models.map((model) => `[${model.split("/").pop()}](../../models/${model}.yaml)`).join(", ") || "in the tests alone";
}

const UNITS = { s: 1, ms: 1e-3, "µs": 1e-6, us: 1e-6, ns: 1e-9 };
function seconds(text) {
  const [, number, unit] = /^([\d.]+) (s|ms|µs|us|ns)\b/.exec(text) ?? [];
  if (!unit) throw new Error(`scoreboard: '${text}' is not a time`);
  return Number(number) * UNITS[unit];
}
const number = (text) => {
  const value = Number(text);
  if (Number.isNaN(value)) throw new Error(`scoreboard: '${text}' is not a number`);
  return value;
};

/** A number by this many digits, without an exponent. */
const round = (value, digits) => String(Number(value.toPrecision(digits)));

// ---- the published problems of `articula bench` --------------------------------------------------------

/** Problems with the runs of all methods. */
function problems() {
  const found = [];
  for (const row of rowsOf("loops", "tools/tables/loops.py scoreboard")) {
    if (row.problem) found.push({ name: row.problem, limit: number(row.limit.split(" ")[1]), norm: row.limit, runs: [] });
    const is_met = { met: true, missed: false }[row["column 10"]];
    if (is_met === undefined) throw new Error(`scoreboard: '${row["column 10"]}' is neither met nor missed`);
    found.at(-1).runs.push({ method: row.method, time: seconds(row.time), shown: row.time, error: number(row.error), printed: row.error, is_met });
  }
  return found.map((problem) => ({ ...problem, title: /^# problem: (.*)$/m.exec(readFileSync(`models/benchmarks/${problem.name}.csv`, "utf8"))[1] }));
}

const WIDTH = 300, HEIGHT = 200, LEFT = 42, RIGHT = 22, TOP = 8, BOTTOM = 34;
const TIMES = [-3, 1], ERRORS = [-5, 9]; // powers of ten: seconds, error over limit

/** Errors over times of one problem. */
function panel({ name, title, runs, limit }) {
  const x = (time) => LEFT + ((Math.log10(time) - TIMES[0]) / (TIMES[1] - TIMES[0])) * (WIDTH - LEFT - RIGHT);
  const y = (error) => HEIGHT - BOTTOM - ((Math.log10(error / limit) - ERRORS[0]) / (ERRORS[1] - ERRORS[0])) * (HEIGHT - TOP - BOTTOM);
  const inside = (value, [low, high]) => value >= 10 ** low && value <= 10 ** high;
  for (const { time, error } of runs) {
    if (!inside(time, TIMES) || !inside(error / limit, ERRORS)) throw new Error(`scoreboard: a run of ${name} is outside of the picture`);
  }
  const ticks = ["1 ms", "10 ms", "0.1 s", "1 s", "10 s"].map((words, k) => `<text x="${x(10 ** (TIMES[0] + k))}" y="${HEIGHT - BOTTOM + 14}" text-anchor="middle">${words}</text>`);
  const levels = [-4, 0, 4, 8].map((power) => `<text x="${LEFT - 5}" y="${y(limit * 10 ** power) + 4}" text-anchor="end">${power === 0 ? "limit" : `10${[...String(power)].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c] ?? "⁻").join("")}`}</text>`);
  const marks = runs.map(({ method, time, shown, error, printed, is_met }) => `<circle class="${is_met ? "met" : "missed"}" cx="${x(time).toFixed(1)}" cy="${y(error).toFixed(1)}" r="4.5"><title>${method}: error ${printed} in ${shown}, ${is_met ? "met" : "missed"}</title></circle>`);
  return `<a class="panel" href="play.html#example=models/benchmarks/${name}.yaml"><b>${title}</b><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Errors over times of ${runs.length} methods on ${name}">
<path d="M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}"/><path class="limit" d="M${LEFT} ${y(limit)}H${WIDTH - RIGHT}"/>${ticks.join("")}${levels.join("")}${marks.join("")}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 4}" text-anchor="middle">time of the run</text></svg></a>`;
}

/** A row for each problem: the quickest method that keeps the limit, and those that do not. */
function problemTable(list) {
  return table(["problem", "limit", "quickest within it", "time", "error", "methods within it", "beyond it", "open"], list.map(({ name, title, norm, runs }) => {
    const met = runs.filter((run) => run.is_met).sort((a, b) => a.time - b.time);
    const missed = runs.filter((run) => !run.is_met).map((run) => run.method);
    return [title, norm, met[0]?.method ?? "none", met[0]?.shown ?? "", met[0]?.printed ?? "", `${met.length} of ${runs.length}`, missed.length ? `missed: ${missed.join(", ")}` : "", open(`benchmarks/${name}`)];
  }));
}

// ---- published results ---------------------------------------------------------------------------------

// machines of the rows of doc/reports/validation.md, by their beginnings
const MACHINES = [
  [/^PUMA 560/, "puma560"],
  [/^KUKA iiwa/, "iiwa"],
  [/^Simple pendulum/, "benchmarks/pendulum"],
  [/^Double pendulum of Cardenal/, "experiments/double-pendulum"],
  [/^Spherical compound pendulum/, "experiments/spherical-pendulum"],
  [/^Revolute, spherical, prismatic/, "adams/spherical-1", "adams/prismatic-2", "adams/spring-1"],
  [/^Four-bar windows|^1, 10 and 40 windows/, "benchmarks/four-bars-40"],
  [/^Two windows|^Two and 40 windows/, "benchmarks/four-bars-2"],
  [/^Andrews/, "benchmarks/andrews"],
  [/^Spatial slider-crank/, "benchmarks/spatial-slider-crank"],
  [/^Planar slider-crank/, "benchmarks/slider-crank", "benchmarks/spatial-slider-crank-haug"],
  [/^Loops of 5 and 15/, "benchmarks/loop-5", "benchmarks/loop-15"],
  [/^Four-bars through change points/],
  [/^Planar 3-RRR robot/, "loops/planar-robot-1"],
  [/^Precession of a fast gyroscope/, "gyro"],
];

function published() {
  return table(["what", "source", "limit", "difference", "open"], rowsOf("validation", "tools/tables/validation.py what").map((row) => {
    const [, ...models] = MACHINES.find(([pattern]) => pattern.test(row.what)) ?? [];
    if (!MACHINES.some(([pattern]) => pattern.test(row.what))) throw new Error(`scoreboard: no machine is known for '${row.what}'`);
    return [row.what, row.source, row.limit, cell(row.difference, "validation"), open(...models)];
  }));
}

/** The largest part of its limit that a column of each case takes. */
function adams() {
  const [limits, ...cases] = rowsOf("validation", "tools/tables/validation.py adams");
  return table(["case", "largest part of a limit", "of", "", "open"], cases.map((row) => {
    const parts = Object.keys(limits).slice(1).map((column) => [number(row[column]) / number(limits[column]), column]);
    const [part, column] = parts.sort((a, b) => b[0] - a[0])[0];
    return [row.case, part.toPrecision(2), column, part <= 1 ? "met" : "missed", open(`adams/${row.case}`)];
  }));
}

// ---- peers ---------------------------------------------------------------------------------------------

/** Comparisons with other programs: how many times our time theirs is, and the aim where there is one. */
function peers() {
  const list = [];
  for (const row of rowsOf("performance", "tools/tables/performance.py peers")) {
    for (const peer of ["MuJoCo", "Simbody"]) {
      list.push({ job: `${row.job}, chain of 30`, peer, factor: seconds(row[peer]) / seconds(row["gcc -O3"]), aim: peer === "MuJoCo" ? 1 / number(row.aim) : undefined, model: "chain-10" });
    }
  }
  const [pendulum] = rowsOf("performance", "tools/tables/performance.py double_pendulum");
  list.push({ job: "run of the double pendulum, RK4", peer: "MuJoCo", factor: seconds(pendulum.MuJoCo) / seconds(pendulum.Articula), model: "double-pendulum" });
  for (const row of rowsOf("performance", "tools/tables/performance.py generated", 1)) {
    const name = row["column 0"], peer = `${/\((\w+)\)/.exec(name)?.[1] ?? "best kernel"}, quoted`, job = name.replace(/ \(\w+\)/, "");
    const model = /PUMA/.test(name) ? "puma560" : /^chain/.test(name) ? "chain-10" : /^quadruped/.test(name) ? "generator/quadruped" : "generator/humanoid";
    list.push({ job: `generated inverse dynamics, ${job}`, peer, factor: number(row.faster), aim: number(row.aim), model });
    list.push({ job: `generated forward dynamics, ${job}`, peer, factor: number(row["column 4"]), model });
  }
  for (const row of rowsOf("performance", "tools/tables/performance.py positive").filter(({ chain }) => / 100$/.test(chain))) {
    for (const peer of ["LAPACK", "KLU", "CHOLMOD simplicial", "CHOLMOD supernodal"]) {
      list.push({ job: `positive definite system, ${row.chain} links`, peer, factor: number(row[peer]) });
    }
  }
  return list;
}

const verdict = ({ factor, aim }) => (factor < 1 ? "slower" : aim && Math.round(factor * 100) < Math.round(aim * 100) ? `faster, but missed: aim ${round(aim, 3)}` : "faster");

function peerTable(list) {
  return table(["job", "program", "its time over ours", "", "open"], list.map((entry) => [entry.job, entry.peer, round(entry.factor, 3), verdict(entry), entry.model ? open(entry.model) : ""]));
}

/** A bar for each comparison, on a logarithmic axis of our time. */
function peerPicture(list) {
  const high = 256, low = 0.7, row = 21, left = 330, width = 760;
  const x = (factor) => left + (Math.log(factor / low) / Math.log(high / low)) * (width - left - 20);
  const bars = list.map((entry, k) => {
    const state = { f: "met", s: "missed" }[verdict(entry)[0]], y = 8 + k * row;
    const at = Math.min(high, Math.max(low, entry.factor)), begin = Math.min(x(1), x(at));
    return `<text x="${left - 8}" y="${y + 12}" text-anchor="end">${entry.job}</text><rect class="${verdict(entry).includes("missed") ? "near" : state}" x="${begin.toFixed(1)}" y="${y}" width="${Math.abs(x(at) - x(1)).toFixed(1)}" height="15" rx="3"><title>${entry.peer}: ${round(entry.factor, 3)} times our time</title></rect><text x="${(x(at) + 6).toFixed(1)}" y="${y + 12}">${entry.peer} ${round(entry.factor, 2)}</text>`;
  });
  const bottom = 8 + list.length * row;
  const ticks = [1, 2, 4, 8, 16, 32, 64, 128].map((t) => `<path d="M${x(t)} 4V${bottom}"${t === 1 ? ' class="limit"' : ""}/><text x="${x(t)}" y="${bottom + 14}" text-anchor="middle">${t === 1 ? "ours" : `${t} ×`}</text>`);
  return `<svg class="bars" viewBox="0 0 ${width + 120} ${bottom + 20}" role="img" aria-label="Times of other programs over ours">${ticks.join("")}${bars.join("")}</svg>`;
}

/** Tables of vehicles.md in which a published or another program's figure is next to ours. */
function robotran() {
  const statics = rowsOf("vehicles", "tools/tables/vehicles.py statics"), modes = rowsOf("vehicles", "tools/tables/vehicles.py modes");
  const whole = (rows) => table(Object.keys(rows[0]).map((name) => (name.startsWith("column ") ? "" : name)), rows.map((row) => Object.values(row)));
  return `Bombardier Iltis, forces at rest: ${open("vehicles/iltis-rest")}\n\n${whole(statics)}\n\nIts modes at 20 m/s, 1/s: ${open("vehicles/iltis")}. Robotran's are of linear tyres and shock absorbers; the last two rows differ.\n\n${whole(modes)}`;
}

// ---- the five source documents -------------------------------------------------------------------------

function seeds() {
  const text = readFileSync(`${REPORTS}/seeds.md`, "utf8");
  const parts = text.split(/^## /m).slice(1).filter((part) => part.includes("<!-- table:"));
  return table(["document", "tables, figures and equations", "open"], parts.map((part) => {
    const title = part.split("\n")[0], count = part.split("\n").filter((line) => line.startsWith("|")).length - 2;
    const models = [...new Set([...part.matchAll(/models\/([\w./-]+)\.yaml/g)].map(([, model]) => model))].filter((model) => existsSync(`models/${model}.yaml`));
    return [title, String(count), open(...models)];
  }));
}

// ---- the page ------------------------------------------------------------------------------------------

/** Markdown of the page, in which '@@NAME@@' stands for a picture, and the pictures. */
export function scoreboard() {
  const list = problems(), others = peers();
  const runs = list.flatMap((problem) => problem.runs), met = runs.filter((run) => run.is_met).length;
  const text = `# Scoreboard

Every published problem that the tests repeat, our methods and the programs that were run for comparison. Red is where a limit is missed or another program is better; orange is where we are faster and miss our own aim. All figures are read from the reports; each machine opens in the playground.

## Error against time

${list.length} problems with published or independent references, ${runs.length} runs: ${met} (green) keep the limit, ${runs.length - met} (red) do not. Methods of natural coordinates are of second order and shown at their first step. Point at a mark for its method.

@@problems@@

${problemTable(list)}

${from("loops", "#scoreboard", "machines with closed loops")}

## Other programs

Their time over ours, on one machine; those that are *quoted* were measured elsewhere.

@@peers@@

${peerTable(others)}

${from("performance", "", "performance")}

${robotran()}

${from("vehicles", "#bombardier-iltis", "vehicles")}

## Published results

${published()}

${from("validation", "", "validation")}

## Joints against ADAMS

Nine histories of MSC ADAMS. The largest root mean square of a column, as a part of its limit:

${adams()}

${from("validation", "#adams-histories", "validation")}

## Five source documents

Each of their tables and figures is repeated, with the difference: [item by item](seeds.md).

${seeds()}
`;
  return { text, pictures: { problems: `<div class="panels">${list.map(panel).join("\n")}</div>`, peers: peerPicture(others) } };
}
