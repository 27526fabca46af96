// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Warnings of a model: what is allowed and probably not meant. They are found while the model is compiled.
#include <math.h>
#include <string.h>

#include "articula/model.h"
#include "base/arithmetic.h"
#include "model/define/builder.h"
#include "model/define/records.h"
#include "model/model.h"

static const double NO_OFFSET = 1e-12; // m


const char *art_model_warning(const artModel *m, int i)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && i >= 0, NULL);
  return i < m->nwarning ? m->warning[i] : NULL;
}


static void add_warning(artModel *m, const char *text)
{
  for (int i = 0; i < m->nwarning; i++) {
    if (strcmp(m->warning[i], text) == 0) return;
  }
  m->warning =
      arena_grow(&m->arena, m->warning, m->nwarning, &m->warning_capacity, sizeof *m->warning);
  m->warning[m->nwarning++] = arena_text(&m->arena, text);
}


void model_begin_warnings(artModel *m, const artBuilder *b)
{
  m->may_warn = 1;
  for (int i = 0; i < b->warnings.count; i++) {
    add_warning(m, *RECORD(b->warnings, const char *, i));
  }
}


// A body without a position has the frame of ground, though its joint is elsewhere: its origin is not on it.
static void warn_of_origin(artModel *m, const char *what, const char *name, int body,
                           artPlace place)
{
  if (!m->may_warn || !m->body[body].is_as_ground) return;
  artError text;
  const char *own = m->body[body].name;
  (void) base_fail(&text, ART_BAD_INPUT, place,
                   "%s '%s' uses the origin of body '%s', which is the origin of ground: '%s' has "
                   "no 'position' and its joint '%s' has an 'at'; use a point of the body "
                   "('%s.NAME', from its 'frames'), or give the body a 'position' ([0, 0, 0] if "
                   "this is meant)",
                   what, name, own, own, m->joint[m->body[body].joint].name, own);
  add_warning(m, text.text);
}


void model_warn_of_quantity(artModel *m, const char *reference, const modelQuantity *quantity,
                            artPlace place)
{
  static const quantityKind kinds[] = {QUANTITY_POINT, QUANTITY_POINT_VELOCITY,
                                       QUANTITY_POINT_ACCELERATION, QUANTITY_COURSE,
                                       QUANTITY_SURGE};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (quantity->kind != kinds[i] || quantity->index >= m->nbody) continue;
    warn_of_origin(m, "quantity", reference, quantity->index, place);
  }
}


static void warn_of_frames(artModel *m, const char *what, const char *name, int n, const int *frame,
                           artPlace place)
{
  for (int k = 0; k < n; k++) {
    // the first frames are the bodies' own
    if (frame[k] < m->nbody) warn_of_origin(m, what, name, frame[k], place);
  }
}


// the ends of a rod lie in the axes of their bodies
static void warn_of_rod(artModel *m, const modelJoint *joint)
{
  for (int side = 0; side < 2; side++) {
    const double *at = joint->end[side].position;
    const int is_origin =
        fabs(at[0]) < NO_OFFSET && fabs(at[1]) < NO_OFFSET && fabs(at[2]) < NO_OFFSET;
    if (is_origin)
      warn_of_origin(m, "rod", joint->name, side ? joint->to : joint->from, joint->place);
  }
}


void model_end_warnings(artModel *m)
{
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (e->is_torque) continue; // acts alike at all points
    warn_of_frames(m, "force", e->name, e->nframe, e->frame, e->place);
  }
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *latch = &m->latch[i];
    if (latch->type != ART_LOCK) {
      warn_of_frames(m, art_latch_type_name(latch->type), latch->name, 2, latch->frame,
                     latch->place);
    }
  }
  for (int j = 0; j < m->njoint; j++) {
    if (joint_is_rod(m->joint[j].type)) warn_of_rod(m, &m->joint[j]);
  }
  m->may_warn = 0;
}
