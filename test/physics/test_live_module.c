// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Machines of live pages: their text compiled for this processor and as WebAssembly, which Node.js runs. Poses, arrows and
// energies agree with the library, and both move alike: to the bit where the C library here is the one that WebAssembly has (musl).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/parts.h"
#include "base/memory.h"
#include "gen/gen.h"
#include "spatial/pose.h"
#include "study/generate/live_module.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

enum { MOST = 8000 };

// the geometry where the first parameter has the value of the call: which numbers follow parameters, and their values
static const char RESHAPED[] =
    "\n#include <stdio.h>\n"
    "int main(void)\n"
    "{\n"
    "  if (live_start()) return 1;\n"
    "  *live_vector(6) = %.17g;\n"
    "  if (live_change() || live_show()) return 2;\n"
    "  for (int i = 0; i < live_count(11); i++)\n"
    "    printf(\"%%d %%a\\n\", live_geometry_number(i), live_vector(11)[i]);\n"
    "  return 0;\n"
    "}\n";

// the numbers of both programs: poses, arrows and checks at the beginning; poses, positions and velocities behind the steps
static const char HOST[] =
    "\n#include <stdio.h>\n"
    "static void print(int which)\n"
    "{\n"
    "  for (int i = 0; i < live_count(which); i++) printf(\"%a\\n\", live_vector(which)[i]);\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "  if (live_start() || live_show()) return 1;\n"
    "  print(8), print(9), print(10);\n"
    "  if (live_step(100, 1e-3) || live_show()) return 2;\n"
    "  print(8), print(1), print(2);\n"
    "  return 0;\n"
    "}\n";

static const char PAGE[] =
    "const { readFileSync } = require('fs');\n"
    "const unit = new WebAssembly.Module(readFileSync(process.argv[2]));\n"
    "if (WebAssembly.Module.imports(unit).length > 0) process.exit(3);\n"
    "const m = new WebAssembly.Instance(unit, {}).exports;\n"
    "const print = (which) => {\n"
    "  const all = new Float64Array(m.memory.buffer, m.vector(which), m.count(which));\n"
    "  for (const x of all) console.log(Object.is(x, -0) ? '-0' : String(x));\n"
    "};\n"
    "if (m.start() || m.show()) process.exit(1);\n"
    "print(8), print(9), print(10);\n"
    "if (m.step(100, 1e-3) || m.show()) process.exit(2);\n"
    "print(8), print(1), print(2);\n";


static int has(const char *command)
{
  char line[200];
  snprintf(line, sizeof line, "command -v %s > /dev/null", command);
  return system(line) == 0;
}


static int read_numbers(const char *command, double *x)
{
  int n = 0;
  FILE *pipe = popen(command, "r");
  while (pipe && n < MOST && fscanf(pipe, "%lf", &x[n]) == 1) n++;
  CHECK(pipe && pclose(pipe) == 0);
  return n;
}


static int write_bytes(const char *path, const char *bytes, size_t n)
{
  FILE *file = fopen(path, "wb");
  return file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0;
}


static int write_source_with(const artModel *m, artData *d, const artRunDef *study,
                             const char *host)
{
  FILE *file = fopen(folder_path("live.c"), "w");
  const int is_written = file && live_write(m, d, study, file, &check_error) == ART_OK;
  if (!CHECK(is_written)) printf("  %s\n", check_error.text);
  if (file) fputs(host, file);
  return file && fclose(file) == 0 && is_written;
}


static int write_source(const artModel *m, artData *d, const artRunDef *study)
{
  return write_source_with(m, d, study, HOST);
}


static const double *check_poses(const artModel *m, const artData *d, const double *found)
{
  artBodyPart part;
  for (int i = 1; art_get_body(m, i, &part); i++) {
    artPose pose;
    art_body_pose(m, d, i, &pose);
    const double *own = found;
    found += 7;
    CHECK_NEAR(own, pose.position, 3, 1e-12);
    double same = 0;
    for (int k = 0; k < 4; k++) same += own[3 + k] * pose.rotation[k];
    if (!CHECK_CLOSE(fabs(same), 1, 1e-12)) printf("  %s\n", part.name);
  }
  return found;
}


// arrows of forces, then of joints with their torques
static const double *check_arrows(const artModel *m, const artData *d, const double *found)
{
  artForcePart force;
  artJointPart joint;
  double arrow[9];
  for (int i = 0; art_get_force(m, i, &force); i++) {
    if (!force.is_element) continue;
    art_force_arrow(m, d, i, arrow, arrow + 3);
    if (!CHECK_NEAR(found, arrow, 6, 1e-8)) printf("  %s\n", force.name);
    found += 6;
  }
  for (int j = 0; art_get_joint(m, j, &joint); j++) {
    art_joint_arrow(m, d, j, arrow, arrow + 3, arrow + 6);
    if (!CHECK_NEAR(found, arrow, 9, 1e-8)) printf("  %s\n", joint.name);
    found += 9;
  }
  return found;
}


// energies, no work yet, loops closed
static const double *check_checks(const artModel *m, artData *d, const double *found)
{
  const artEnergy energy = art_energy(m, d);
  CHECK_CLOSE(found[0], energy.kinetic, 1e-10 * (1 + energy.kinetic));
  CHECK_CLOSE(found[1], energy.potential, 1e-10 * (1 + fabs(energy.potential)));
  CHECK_CLOSE(found[2], 0, 0);
  CHECK_CLOSE(found[3], 0, 1e-10);
  CHECK_CLOSE(found[4], 0, 1e-9);
  return found + 5;
}


static void check_machine(const char *path)
{
  static double here[MOST], there[MOST];
  char command[400];
  artModel *m = keep_file(path);
  artData *d = keep_fresh_data(m);
  const artRunDef *study = art_find_run(m, NULL);
  if (!CHECK(study)) return;
  keep_started_run(m, d, study);
  if (!write_source(m, d, study)) return;

  const int has_musl = has("musl-gcc");
  snprintf(command, sizeof command, "%s -w -O2 -std=c11 -ffp-contract=off -o live live.c -lm",
           has_musl ? "musl-gcc" : "cc");
  if (!folder_run(folder_own(), "%s", command)) return;
  const int n = read_numbers(folder_path("live"), here);
  CHECK(art_accelerate(m, d, ART_AUTOMATIC, NULL) == ART_OK);
  art_outputs(m, d, there); // forces of joints follow
  const double *moved = check_checks(m, d, check_arrows(m, d, check_poses(m, d, here)));
  CHECK(moved - here < n);

  char *module = NULL;
  size_t size = 0;
  if (!CHECK_WORKS(live_compile(m, d, study, &module, &size, &check_error))) return;
  CHECK(write_bytes(folder_path("live.wasm"), module, size));
  CHECK(write_bytes(folder_path("page.cjs"), PAGE, strlen(PAGE)));
  mem_free(module);
  snprintf(command, sizeof command, "node %s %s", folder_path("page.cjs"),
           folder_path("live.wasm"));
  if (!CHECK_EQ_INT(read_numbers(command, there), n)) return;
  for (int i = 0; i < n; i++) {
    const int is_same =
        has_musl ? here[i] == there[i] : fabs(here[i] - there[i]) <= 1e-9 * (1 + fabs(here[i]));
    if (!CHECK(is_same)) {
      printf("  %s: number %d is %.17g here, %.17g there\n", path, i, here[i], there[i]);
      return;
    }
  }
}


TEST(modules_move_as_native_code_does)
{
  static const char *const models[] = {"models/pendulum.yaml",
                                       "models/loops/four-bar.yaml",
                                       "models/loops/delta-rods.yaml",
                                       "models/satellite.yaml",
                                       "models/spherical-pendulum.yaml",
                                       "models/vehicles/single-track.yaml",
                                       "models/contact/rolling/bicycle.yaml",
                                       "models/vehicles/iltis.yaml",
                                       "models/loops/seven-body.yaml",
                                       "models/loops/stewart.yaml",
                                       "models/loops/planar-robot-by-hand.yaml",
                                       "models/vehicles/multilink-car.yaml",
                                       "models/contact/rolling/cart.yaml",
                                       "models/contact/rolling/tricycle.yaml"};
  const size_t quick = 7, all = sizeof models / sizeof *models;
  if (!has("node") || !has("clang") || !has("wasm-ld")) {
    printf("without node, clang and wasm-ld no module is made\n");
    return;
  }
  for (size_t i = 0; i < (getenv("ART_SOAK") ? all : quick); i++) check_machine(models[i]);
}


// the data has been in a run that chose its independent coordinates by hand
TEST(machines_with_coordinates_chosen_by_hand_have_a_text)
{
  artModel *m = keep_file("models/loops/planar-robot-by-hand.yaml");
  artData *d = keep_fresh_data(m);
  const artRunDef *study = art_find_run(m, NULL);
  artRun *run = NULL;
  if (!CHECK(study && art_create_run(&run, m, d, study, NULL) == ART_OK)) return;
  art_free_run(run);
  write_source(m, d, study);
}


// a carriage to and fro, whose rate jumps every 30 ms, long behind a study of 40 ms: the pendulum on it moves as in a
// run of the library
TEST(drives_jump_behind_the_study)
{
  static const char TEXT[] =
      "articula: 1\n"
      "bodies: {carriage: {mass: 1}, bob: {mass: 1, com: [0, 0, -0.2]}}\n"
      "joints:\n"
      "  slide: {type: prismatic, from: ground, to: carriage, axis: x}\n"
      "  pin: {type: revolute, from: carriage, to: bob, axis: y}\n"
      "drives: {shake: {coordinate: slide, value: \"= 1[m/s]*abs(mod(time, 0.06[s]) - "
      "0.03[s])\"}}\n"
      "studies: {go: {type: run, until: 40 ms, integrator: rk4, step: 1 ms}}\n";
  static double found[MOST];
  artModel *m = keep_text(TEXT);
  artData *d = keep_fresh_data(m);
  const artRunDef *study = art_find_run(m, NULL);
  if (!CHECK(study)) return;
  keep_started_run(m, d, study);
  if (!write_source(m, d, study)) return;
  if (!folder_run(folder_own(), "cc -w -O1 -std=c11 -o live live.c -lm")) return;
  const int n = read_numbers(folder_path("live"), found);

  artRunDef longer = *study;
  longer.until = 0.1;
  artData *own = keep_fresh_data(m);
  artRun *run = keep_started_run(m, own, &longer);
  if (!CHECK(n > 4 && art_run_to(run, longer.until, NULL) == ART_OK)) return;
  const double *q = found + n - 4, *v = q + 2;
  CHECK_NEAR(q, own->q, 2, 1e-9);
  CHECK_NEAR(v, own->v, 2, 1e-7);
  CHECK(fabs(v[1]) > 1); // impacts have come
}

//---- geometry ------------------------------------------------------------------------------------

// lengths in a joint, an end of a spring, a centre of mass, a rod, a shape, and a solid with an axis of its own
static const char LENGTHS[] =
    "articula: 1\n"
    "parameters: {L: 0.5, half: = L/2}\n"
    "ground: {points: {anchor: [= 2*L, 0, 0]}}\n"
    "bodies:\n"
    "  arm: {mass: 1, com: [= half, 0.1, 0], inertia: [0.01, 0.1, 0.1],\n"
    "        points: {eye: [= 3*half, 0, = L^2]},\n"
    "        visual: [{type: sphere, radius: 0.1},\n"
    "                 {type: box, size: [= L, 0.1, = 0.2*L], position: [= half, 0, 0.02]}]}\n"
    "  drum: {solid: {type: cylinder, radius: = 0.3*L, length: = L + 0.1, axis: [1, = L, 0],\n"
    "                 density: 700, position: [0, = half, 0]}}\n"
    "  foot: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "joints:\n"
    "  hip: {type: revolute, from: ground, to: arm, axis: y}\n"
    "  knee: {type: revolute, from: {frame: arm, position: [= L, 0, 0]}, to: drum, axis: [0, 1, = "
    "L]}\n"
    "  slide: {type: prismatic, from: ground, to: foot, at: [0, = L, -1], axis: x}\n"
    "  strut: {type: rod, from: {frame: foot, position: [0, 0, = half]}, to: arm.eye}\n"
    "forces: {spring: {type: spring-damper, between: [ground.anchor, arm.eye], stiffness: 10, "
    "free_length: 1}}\n"
    "studies: {go: {type: run, until: 1, integrator: rk4, step: 1 ms}}\n";


static double *put_three(double *to, const double at[3])
{
  memcpy(to, at, 3 * sizeof *to);
  return to + 3;
}


static double *put_axis(double *to, v3 axis)
{
  return put_three(to, (double[]){axis.x, axis.y, axis.z});
}


// all numbers as the library has them; NAN for frames at which no force acts
static void find_geometry(const artModel *m, double *x)
{
  const genGeometry g = gen_geometry(m);
  artJointPart joint;
  artBodyPart body;
  artPointPart point;
  const artVisualDef *visual;
  double *rod = x + g.rod;
  for (int k = 0; k < g.count; k++) x[k] = NAN;
  for (int e = 0; art_get_joint(m, e / 2, &joint); e++) {
    const artPose *end = &joint.end[e % 2];
    put_axis(put_three(x + g.joint + GEN_END * e, end->position), pose_from_art(end).R.z);
  }
  for (int k = 0; art_get_force_point(m, 0, k, &point); k++) {
    put_three(x + g.frame + 3 * point.frame, point.at);
  }
  for (int i = 1; art_get_body(m, i, &body); i++) {
    if (!body.is_rod) put_three(x + g.body + 3 * (i - 1), body.com);
    if (body.is_rod) *rod++ = body.length;
  }
  for (int i = 0, owner; (visual = art_get_visual(m, i, &owner)); i++) {
    double *to = put_three(x + g.visual + GEN_VISUAL * i, visual->size);
    *to++ = visual->radius;
    *to++ = visual->length;
    const modelPose pose = pose_from_art(&visual->pose);
    put_axis(put_axis(put_three(to, visual->pose.position), pose.R.x), pose.R.z);
  }
}


TEST(shapes_follow_lengths)
{
  static double found[MOST], before[MOST], after[MOST];
  const double longer = 0.55;
  char host[sizeof RESHAPED + 40];
  artModel *m = keep_text(LENGTHS);
  artData *d = keep_fresh_data(m);
  const artRunDef *study = art_find_run(m, NULL);
  if (!CHECK(study)) return;
  keep_started_run(m, d, study);
  find_geometry(m, before);
  snprintf(host, sizeof host, RESHAPED, longer);
  if (!write_source_with(m, d, study, host)) return;
  if (!folder_run(folder_own(), "cc -w -O1 -std=c11 -o live live.c -lm")) return;
  const int n = read_numbers(folder_path("live"), found);

  CHECK_WORKS(art_set_parameter(m, "L", longer, &check_error));
  find_geometry(m, after);
  char is_moving[MOST] = {0};
  for (int i = 0; i + 1 < n; i += 2) {
    const int k = (int) found[i];
    is_moving[k] = 1;
    if (isnan(after[k])) continue;
    if (!CHECK_CLOSE(found[i + 1], after[k], 1e-12)) printf("  number %d\n", k);
    if (!CHECK(fabs(after[k] - before[k]) > 1e-3)) printf("  number %d stays\n", k);
  }
  int moved = 0;
  for (int k = 0; k < gen_geometry(m).count; k++) {
    moved += after[k] != before[k] && !isnan(after[k]);
    if (isnan(after[k]) || is_moving[k]) continue;
    if (!CHECK_CLOSE(after[k], before[k], 1e-14)) printf("  number %d stays\n", k);
  }
  CHECK(moved > 25);
}
