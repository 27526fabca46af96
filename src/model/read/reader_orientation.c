// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Orientations of a model file, in the ways people have them, as quaternions (w, x, y, z).
#include "model/parameter/live.h"
#include "model/read/reader.h"

#include <math.h>
#include <string.h>


// p q, the rotation q seen in the axes that p turns (Diebel 2006, eq. 108 with w first)
static void multiply_rotations(const double p[4], const double q[4], double pq[4])
{
  pq[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
  pq[1] = p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2];
  pq[2] = p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1];
  pq[3] = p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0];
}


static void rotation_about_axis(const double axis[3], double angle, double rotation[4])
{
  const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double s = sin(angle / 2) / length;
  rotation[0] = cos(angle / 2);
  for (int i = 0; i < 3; i++) rotation[i + 1] = s * axis[i];
}


// turns about the axes that the letters name, each in the frame that the earlier ones have moved
static void turn_in_sequence(const char *letters, const double angles[3], double rotation[4])
{
  memcpy(rotation, (double[4]){1, 0, 0, 0}, 4 * sizeof(double));
  for (int i = 0; i < 3; i++) {
    double axis[3] = {0}, step[4], before[4];
    axis[letters[i] - 'x'] = 1;
    rotation_about_axis(axis, angles[i], step);
    memcpy(before, rotation, sizeof before);
    multiply_rotations(before, step, rotation);
  }
}


//---- the same as formulas -------------------------------------------------------------------------

// The rotation has these components, times any factor where it is to be scaled.
static void compose_rotation(modelReader *reader, artPlace place, const char *const part[4],
                             bool is_scaled, double rotation[4])
{
  for (int i = 0; i < 4; i++) {
    if (is_scaled) {
      reader_compose(reader, &rotation[i], place, "(%s)/sqrt((%s)^2 + (%s)^2 + (%s)^2 + (%s)^2)",
                     part[i], part[0], part[1], part[2], part[3]);
    } else {
      reader_compose(reader, &rotation[i], place, "%s", part[i]);
    }
  }
}


static void forget_all(modelReader *reader, int n, const double *numbers)
{
  for (int i = 0; i < n; i++) live_forget(reader->builder, &numbers[i]);
}


static void compose_turn(modelReader *reader, artPlace place, const double axis[3],
                         const double *angle, double rotation[4])
{
  baseArena *arena = &reader->arena;
  if (!reader_is_live(reader, 3, axis) && !reader_is_live(reader, 1, angle)) return;
  const char *a[3], *half = reader_live_text(reader, angle, "rad");
  for (int i = 0; i < 3; i++) a[i] = reader_live_text(reader, &axis[i], "1");
  const char *part[4] = {arena_format(arena, "cos(%s/2)", half)};
  for (int i = 0; i < 3; i++) {
    part[i + 1] =
        arena_format(arena, "sin(%s/2)*%s/sqrt(%s^2 + %s^2 + %s^2)", half, a[i], a[0], a[1], a[2]);
  }
  forget_all(reader, 3, axis);
  forget_all(reader, 1, angle);
  compose_rotation(reader, place, part, false, rotation);
}


// with c and s of half an angle about axis k, (w, q) (c, s e_k) = (w c - q_k s, q c + (w e_k + q x e_k) s)
static void compose_turns(modelReader *reader, artPlace place, const char *letters,
                          const double *const angles[3], double rotation[4])
{
  baseArena *arena = &reader->arena;
  if (!reader_is_live(reader, 1, angles[0]) && !reader_is_live(reader, 1, angles[1]) &&
      !reader_is_live(reader, 1, angles[2])) {
    return;
  }
  const char *part[4] = {"1", "0", "0", "0"};
  for (int i = 0; i < 3; i++) {
    const char *angle = reader_live_text(reader, angles[i], "rad");
    const int k = letters[i] - 'x', l = (k + 1) % 3, m = (k + 2) % 3;
    const char *w = part[0], *qk = part[k + 1], *ql = part[l + 1], *qm = part[m + 1];
#define COMBINE(x, sign, y)                                                                        \
  arena_format(arena, "((%s)*cos(%s/2) " sign " (%s)*sin(%s/2))", x, angle, y, angle)
    part[0] = COMBINE(w, "-", qk);
    part[k + 1] = COMBINE(qk, "+", w);
    part[l + 1] = COMBINE(ql, "+", qm);
    part[m + 1] = COMBINE(qm, "-", ql);
#undef COMBINE
  }
  for (int i = 0; i < 3; i++) forget_all(reader, 1, angles[i]);
  compose_rotation(reader, place, part, false, rotation);
}


//---- axis and angle ------------------------------------------------------------------------------

typedef struct axisAngle {
  double axis[3], angle;
} axisAngle;

static const fieldKey axis_angle_keys[] = {
    {"axis", KEY_AXIS, .need = REQUIRED, .offset = offsetof(axisAngle, axis), .help = "the axis"},
    {"angle", KEY_NUMBER, Q_ANGLE, .need = REQUIRED, .offset = offsetof(axisAngle, angle),
     .help = "the turn about it"},
    {0}};
static const fieldForm axis_angle = {
    .name = "orientation", .keys = axis_angle_keys, .is_part = true};


//---- three angles --------------------------------------------------------------------------------

static void read_euler(modelReader *reader, const yamlNode *node, const yamlNode *sequence,
                       double rotation[4])
{
  char found[YAML_PHRASE_LENGTH];
  double angles[3] = {0};
  if (!sequence) {
    error_refuse(node->key_place, "'euler' needs 'sequence', like {euler: [..], sequence: zxz}");
  }
  const char *text = sequence->kind == NODE_SCALAR ? sequence->text : "";
  if (strlen(text) != 3 || strspn(text, "xyz") != 3 || text[0] == text[1] || text[1] == text[2]) {
    error_refuse(sequence->place,
                 "'sequence' is %s, expected three letters x, y, z, no two alike in a row",
                 yaml_describe(sequence, found));
  }
  reader_look_at_angles(reader, "euler", node);
  reader_read_vector(reader, node, UNIT_NUMBER, 3, angles);
  turn_in_sequence(text, angles, rotation);
  compose_turns(reader, node->place, text,
                (const double *const[3]){&angles[0], &angles[1], &angles[2]}, rotation);
}


//---- matrix --------------------------------------------------------------------------------------

// is M^T M = 1 and det M = 1, as far as printed digits can tell?
static bool is_rotation(double M[3][3])
{
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const double dot = M[0][i] * M[0][j] + M[1][i] * M[1][j] + M[2][i] * M[2][j];
      if (!(fabs(dot - (i == j)) <= 1e-4)) return false;
    }
  }
  const double det = M[0][0] * (M[1][1] * M[2][2] - M[1][2] * M[2][1]) -
                     M[0][1] * (M[1][0] * M[2][2] - M[1][2] * M[2][0]) +
                     M[0][2] * (M[1][0] * M[2][1] - M[1][1] * M[2][0]);
  return det > 0;
}


// Shepperd's method (1978): start from the component that is surely not small
static int largest_part(double M[3][3])
{
  const double trace = M[0][0] + M[1][1] + M[2][2];
  int largest = 0;
  double best = trace;
  for (int i = 0; i < 3; i++) {
    if (M[i][i] <= best) continue;
    best = M[i][i];
    largest = i + 1;
  }
  return largest;
}


static void from_matrix(double M[3][3], double rotation[4])
{
  const int largest = largest_part(M);
  if (largest == 0) {
    rotation[0] = 1 + (M[0][0] + M[1][1] + M[2][2]);
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      rotation[i + 1] = M[k][j] - M[j][k];
    }
  } else {
    const int i = largest - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    rotation[0] = M[k][j] - M[j][k];
    rotation[i + 1] = 1 + M[i][i] - M[j][j] - M[k][k];
    rotation[j + 1] = M[i][j] + M[j][i];
    rotation[k + 1] = M[i][k] + M[k][i];
  }
}


static void compose_matrix(modelReader *reader, artPlace place, double M[3][3], double rotation[4])
{
  if (!reader_is_live(reader, 9, M[0])) return;
  baseArena *arena = &reader->arena;
  const char *t[3][3], *part[4];
  for (int k = 0; k < 9; k++) t[k / 3][k % 3] = reader_live_text(reader, &M[k / 3][k % 3], "1");
  const int largest = largest_part(M);
  if (largest == 0) {
    part[0] = arena_format(arena, "1 + %s + %s + %s", t[0][0], t[1][1], t[2][2]);
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      part[i + 1] = arena_format(arena, "%s - %s", t[k][j], t[j][k]);
    }
  } else {
    const int i = largest - 1, j = (i + 1) % 3, k = (i + 2) % 3;
    part[0] = arena_format(arena, "%s - %s", t[k][j], t[j][k]);
    part[i + 1] = arena_format(arena, "1 + %s - %s - %s", t[i][i], t[j][j], t[k][k]);
    part[j + 1] = arena_format(arena, "%s + %s", t[i][j], t[j][i]);
    part[k + 1] = arena_format(arena, "%s + %s", t[i][k], t[k][i]);
  }
  forget_all(reader, 9, M[0]);
  compose_rotation(reader, place, part, true, rotation);
}


static void read_rotation_matrix(modelReader *reader, const yamlNode *node, double rotation[4])
{
  double M[3][3] = {{0}};
  reader_check_list(node, 3, 3, "3 rows of 3 numbers");
  int row = 0;
  for (const yamlNode *item = node->first; item; item = item->next, row++) {
    reader_read_vector(reader, item, UNIT_NUMBER, 3, M[row]);
  }
  if (!is_rotation(M)) {
    error_refuse(node->place,
                 "the matrix is not a rotation: its columns must be of length 1, square to "
                 "each other, and right-handed");
  }
  from_matrix(M, rotation);
  compose_matrix(reader, node->place, M, rotation);
}


//---- quaternion ----------------------------------------------------------------------------------

static void read_rotation_quaternion(modelReader *reader, const yamlNode *node, double rotation[4])
{
  reader_read_vector(reader, node, UNIT_NUMBER, 4, rotation);
  if (!reader_is_live(reader, 4, rotation)) return;
  const char *part[4];
  for (int i = 0; i < 4; i++) part[i] = reader_live_text(reader, &rotation[i], "1");
  forget_all(reader, 4, rotation);
  compose_rotation(reader, node->place, part, true, rotation);
}


//---- all together --------------------------------------------------------------------------------

static void read_mapping(modelReader *reader, const yamlNode *node, double rotation[4])
{
  const yamlNode *value = NULL;
  if ((value = yaml_find(node, "euler")) && node->count <= 2) {
    read_euler(reader, value, yaml_find(node, "sequence"), rotation);
  } else if ((value = yaml_find(node, "rpy")) && node->count == 1) {
    // roll, pitch, yaw about the fixed axes x, y, z: the same as yaw, pitch, roll about moving ones
    double rpy[3] = {0};
    reader_look_at_angles(reader, "rpy", value);
    reader_read_vector(reader, value, UNIT_NUMBER, 3, rpy);
    turn_in_sequence("zyx", (double[3]){rpy[2], rpy[1], rpy[0]}, rotation);
    compose_turns(reader, node->place, "zyx", (const double *const[3]){&rpy[2], &rpy[1], &rpy[0]},
                  rotation);
  } else if ((value = yaml_find(node, "matrix")) && node->count == 1) {
    read_rotation_matrix(reader, value, rotation);
  } else if ((value = yaml_find(node, "quaternion")) && node->count == 1) {
    read_rotation_quaternion(reader, value, rotation);
  } else if (yaml_find(node, "axis") || yaml_find(node, "angle")) {
    axisAngle given = {0};
    reader_read_form(reader, &axis_angle, node, &given);
    rotation_about_axis(given.axis, given.angle, rotation);
    compose_turn(reader, node->place, given.axis, &given.angle, rotation);
  } else {
    char hint[BASE_HINT_LENGTH];
    const baseNearest foreign = {.word = node->first ? node->first->key : "",
                                 .context = "orientation"};
    error_refuse(node->place,
                 "an orientation is [w, x, y, z] or one of {axis, angle}, {rpy}, {euler, "
                 "sequence}, {matrix}, {quaternion}%s",
                 base_hint(&foreign, hint));
  }
}


void reader_read_orientation(modelReader *reader, const yamlNode *node, double rotation[4])
{
  (node->kind == NODE_MAPPING ? read_mapping : read_rotation_quaternion)(reader, node, rotation);
  double sum = 0;
  for (int i = 0; i < 4; i++) sum += rotation[i] * rotation[i];
  if (!(sum > 1e-20 && sum < 1e20)) {
    error_refuse(node->place,
                 "the quaternion (w, x, y, z) must not be zero; [1, 0, 0, 0] is not a rotation");
  }
  for (int i = 0; i < 4; i++) rotation[i] /= sqrt(sum);
}
