// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces by functions of the user.
#include "force/user.h"

#include <math.h>
#include <string.h>

//---- inputs --------------------------------------------------------------------------------------

static void put(double *to, v3 a)
{
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}


static void point_inputs(const artModel *m, const artData *d, const modelElement *e, double *x)
{
  const treeData *t = &d->work->tree;
  const modelFrame *frame = &m->frame[e->frame[0]];
  const m3 link = tree_in_ground(t, frame->link)->R;
  put(x + ART_POINT_POSITION, tree_point(t, frame->link, frame->r));
  put(x + ART_POINT_VELOCITY, tree_point_velocity(t, frame->link, frame->r));
  put(x + ART_POINT_OMEGA, m3_back(link, tree_motion(t, frame->link)->ang));
  x[ART_POINT_TIME] = d->time;

  // the axes of the frame are columns
  const v3 axis[3] = {frame->R.x, frame->R.y, frame->R.z};
  for (int j = 0; j < 3; j++) {
    double own[3];
    put(own, m3_back(link, axis[j]));
    for (int i = 0; i < 3; i++) x[ART_POINT_ROTATION + 3 * i + j] = own[i];
  }
}


void user_inputs(const artModel *m, const artData *d, const modelElement *e,
                 double x[FUNCTION_INPUTS])
{
  if (e->kind == ELEMENT_BODY_FORCE) {
    point_inputs(m, d, e, x);
  } else if (e->kind == ELEMENT_SPRING_DAMPER) {
    const forceLine line = force_line(m, d, e);
    x[ART_LINK_LENGTH] = line.length;
    x[ART_LINK_RATE] = line.rate;
    x[ART_LINK_TIME] = d->time;
  } else {
    x[ART_JOINT_POSITION] = force_axis_x(d, e);
    x[ART_JOINT_RATE] = force_axis_rate(d, e);
    x[ART_JOINT_TIME] = d->time;
  }
}


//---- forces --------------------------------------------------------------------------------------

static artStatus call(const artData *d, const modelElement *e, double *x, double *y,
                      artError *error)
{
  const functionCaller caller = {"force", e->name, e->place, d->time};
  return model_call(&e->call, &caller, x, y, error);
}


// tension pulls the points together
static void pull_along(const artModel *m, artData *d, const modelElement *e, double tension)
{
  const modelFrame *a = &m->frame[e->frame[0]], *b = &m->frame[e->frame[1]];
  const forceLine line = force_line(m, d, e);
  const v3 pull = v3_scale(tension, line.direction);
  force_at_point(d, a->link, a->r, pull);
  force_at_point(d, b->link, b->r, v3_neg(pull));
  d->work->power -= tension * line.rate;
}


static void push_point(const artModel *m, artData *d, const modelElement *e, const double *x,
                       const double *y)
{
  const modelFrame *frame = &m->frame[e->frame[0]];
  force_at_point(d, frame->link, frame->r, (v3){y[0], y[1], y[2]});
  force_torque(d, frame->link, (v3){y[3], y[4], y[5]});

  // F.v + M.omega
  for (int c = 0; c < 3; c++) {
    d->work->power += y[c] * x[ART_POINT_VELOCITY + c] + y[3 + c] * x[ART_POINT_OMEGA + c];
  }
}


artStatus user_apply(const artModel *m, artData *d, const modelElement *e, double *value,
                     artError *error)
{
  double x[FUNCTION_INPUTS];
  user_inputs(m, d, e, x);
  const artStatus status = call(d, e, x, value, error);
  if (status != ART_OK) return status;
  if (e->kind == ELEMENT_BODY_FORCE) {
    push_point(m, d, e, x, value);
  } else if (e->kind == ELEMENT_SPRING_DAMPER) {
    pull_along(m, d, e, value[0]);
  } else {
    force_along_axis(d, e, value[0]);
    d->work->power += value[0] * x[ART_JOINT_RATE];
  }
  return ART_OK;
}


// (f(x + h) - f(x - h)) / 2h
void user_slope(const artData *d, const modelElement *e, double x[FUNCTION_INPUTS], int k,
                double *slope)
{
  double y[2][FUNCTION_RESULTS];
  const double at = x[k], h = 1e-6 * fmax(1, fabs(at));
  x[k] = at + h;
  artStatus status = call(d, e, x, y[0], NULL);
  x[k] = at - h;
  if (status == ART_OK) status = call(d, e, x, y[1], NULL);
  x[k] = at;
  for (int i = 0; i < e->call.function->n; i++) {
    slope[i] = status == ART_OK ? (y[0][i] - y[1][i]) / (2 * h) : 0;
  }
}
