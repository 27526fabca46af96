// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers, poses and tensors of foreign files.
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit.h"
#include "import/work.h"


//---- numbers -------------------------------------------------------------------------------------

static const char *skip_space(const char *text)
{
  while (*text && strchr(" \t\r\n", *text)) text++;
  return text;
}


void import_numbers(importWork *w, artPlace place, const char *what, const char *text, int n,
                    double *x)
{
  int found = 0;
  const char *at = skip_space(text);
  for (; *at; at = skip_space(at)) {
    double number;
    const int sign = *at == '+' || *at == '-';
    const int length = unit_scan_number(at + sign, &number);
    if (length <= 0 || (at[sign + length] && !strchr(" \t\r\n", at[sign + length]))) {
      import_fail(w, place, "'%s' is '%.60s', expected %d finite number%s", what, text, n,
                  n == 1 ? "" : "s");
    }
    if (found < n) x[found] = *at == '-' ? -number : number;
    found++;
    at += sign + length;
  }
  if (found == n) return;
  import_fail(w, place, "'%s' has %d number%s, expected %d", what, found, found == 1 ? "" : "s", n);
}


int import_get(importWork *w, xmlNode *node, const char *attribute, int n, double *x)
{
  const char *text = xml_get(node, attribute);
  if (text) import_numbers(w, node->place, attribute, text, n, x);
  return text != NULL;
}


const char *import_need(importWork *w, xmlNode *node, const char *attribute)
{
  const char *text = xml_get(node, attribute);
  if (text && text[0]) return text;
  import_fail(w, node->place, "<%.60s> has no '%s'", node->name, attribute);
}


// of a zero there is one
static double plain(double x)
{
  return x == 0 ? 0 : x;
}


const char *import_number(importWork *w, double x)
{
  char text[40];
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, plain(x));
    if (strtod(text, NULL) == x) break;
  }
  char *point = strchr(text, localeconv()->decimal_point[0]);
  if (point) *point = '.';
  return import_text(w, text);
}


const char *import_list(importWork *w, int n, const double *x)
{
  const char *text = "";
  for (int i = 0; i < n; i++) {
    text = import_format(w, "%s%s%s", text, i ? ", " : "[", import_number(w, x[i]));
  }
  return import_format(w, "%s]", text);
}


//---- poses ---------------------------------------------------------------------------------------

importPose import_identity(void)
{
  return (importPose){.in = pose_identity(), .has_angles = true};
}


importPose import_pose(modelPose pose)
{
  return (importPose){.in = pose};
}


importPose import_by_angles(const double position[3], const double rpy[3])
{
  const double cr = cos(rpy[0]), sr = sin(rpy[0]), cp = cos(rpy[1]), sp = sin(rpy[1]),
               cy = cos(rpy[2]), sy = sin(rpy[2]);
  // Rz(yaw) Ry(pitch) Rx(roll), of which the rows below are the columns: the axes of the frame
  const m3 R = {v3_make(cy * cp, sy * cp, -sp),
                v3_make(cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr),
                v3_make(cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr)};
  return (importPose){.in = {R, v3_make(position[0], position[1], position[2])},
                      .has_angles = true,
                      .rpy = {rpy[0], rpy[1], rpy[2]}};
}


importPose import_by_quaternion(const double position[3], const double q[4])
{
  return import_pose(pose_by_quaternion(q, v3_make(position[0], position[1], position[2])));
}


void import_turn_tensor(modelPose frame, const double in[6], double out[6])
{
  // R^T I R, with I full
  const m3 I = {v3_make(in[0], in[3], in[4]), v3_make(in[3], in[1], in[5]),
                v3_make(in[4], in[5], in[2])};
  const m3 turned = m3_mul_m3(m3_transpose(frame.R), m3_mul_m3(I, frame.R));
  const double sorted[6] = {turned.x.x, turned.y.y, turned.z.z, turned.x.y, turned.x.z, turned.y.z};
  memcpy(out, sorted, sizeof sorted);
}
