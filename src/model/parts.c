// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The parts of a model by number, as the public interface tells them.
#include "articula/parts.h"

#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "model/define/records.h"
#include "model/link_pose.h"
#include "model/model.h"
#include "tyre/tyre.h"


// the cut of rod number i, counted from 0; -1: there is none
static int rod_cut(const artModel *m, int i)
{
  ART_ASSERT(i >= 0);
  for (int c = 0; c < m->own_cuts; c++) {
    if (joint_is_rod(m->cut[c].type) && i-- == 0) return c;
  }
  return -1;
}


int model_rod_cut(const artModel *m, int body)
{
  return body < m->nbody ? -1 : rod_cut(m, body - m->nbody);
}


int art_get_body(const artModel *m, int i, artBodyPart *part)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && part, 0);
  const int c = model_rod_cut(m, i);
  if (i < 0 || (i >= m->nbody && c < 0)) return 0;
  if (i >= m->nbody) {
    const modelCut *cut = &m->cut[c];
    const double across = cut->mass * cut->length * cut->length / 12;
    *part = (artBodyPart){.name = m->joint[cut->joint].name,
                          .mass = cut->mass,
                          .com = {0, 0, cut->length / 2},
                          .inertia = {across, across},
                          .is_rod = 1,
                          .length = cut->length};
    return 1;
  }
  const modelBody *body = &m->body[i];
  *part = (artBodyPart){.name = body->name, .mass = body->mass};
  memcpy(part->com, body->com, sizeof part->com);
  memcpy(part->inertia, body->inertia, sizeof part->inertia);
  if (body->joint >= 0) {
    const modelJoint *joint = &m->joint[body->joint];
    part->parent = joint->is_reversed ? joint->to : joint->from;
  }
  return 1;
}


static int count_rows(artJointType type, rowKind first, rowKind last)
{
  int n = 0;
  for (int k = (int) first; k <= (int) last; k++) n += joint_holds(type, (rowKind) k);
  return n;
}


int art_get_joint(const artModel *m, int i, artJointPart *part)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && part, 0);
  if (i < 0 || i >= m->own_joints) return 0;
  const modelJoint *joint = &m->joint[i];
  *part = (artJointPart){.name = joint->name,
                         .type = joint->type,
                         .body = {joint->from, joint->to},
                         .end = {joint->end[0], joint->end[1]},
                         .closes_loop = model_closes_loop(joint),
                         .slides = 3 - count_rows(joint->type, SLIDE_X, SLIDE_Z) -
                                   count_rows(joint->type, LENGTH, BALL_GAP) -
                                   count_rows(joint->type, DISC_GAP, DISC_GAP),
                         .turns = 3 - count_rows(joint->type, TURN_X, SQUARE),
                         .angle_off = joint->angle_off,
                         .place_off = joint->place_off};
  return 1;
}


int art_get_loop(const artModel *m, int i, artLoopPart *part)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && part, 0);
  if (i < 0 || i >= m->own_cuts + m->own_relations) return 0;
  if (i < m->own_cuts) {
    const int j = m->cut[i].joint;
    *part = (artLoopPart){m->joint[j].name, art_joint_type_name(m->joint[j].type), j};
  } else {
    const modelRelation *relation = &m->relation[i - m->own_cuts];
    *part = (artLoopPart){relation->name, relation->user.value ? "constraint" : "coupling", -1};
  }
  return 1;
}


const artVisualDef *art_get_visual(const artModel *m, int i, int *body)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && body, NULL);
  if (i < 0 || i >= m->nvisual) return NULL;
  *body = m->visual[i].body;
  return &m->visual[i].def;
}


void art_get_gravity(const artModel *m, double gravity[3])
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && gravity, );
  const v3 g = m->tree.gravity;
  memcpy(gravity, (double[]){g.x, g.y, g.z}, 3 * sizeof *gravity);
}


int art_get_slider(const artModel *m, int i, artSliderPart *part)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && part, 0);
  if (!m->records || i < 0 || i >= m->records->sliders.count) return 0;
  const sliderRecord *own = RECORD(m->records->sliders, sliderRecord, i);
  *part = (artSliderPart){own->name, own->title, own->group, own->range[0], own->range[1]};
  return 1;
}


//---- forces --------------------------------------------------------------------------------------

// the rope after the force elements, or NULL
static const modelLatch *rope_at(const artModel *m, int i)
{
  i -= m->nelement;
  for (int k = 0; k < m->nlatch && i >= 0; k++) {
    if (m->latch[k].type == ART_ROPE && i-- == 0) return &m->latch[k];
  }
  return NULL;
}


static void tell_tyre(const artModel *m, const modelElement *e, artForcePart *part)
{
  const modelFrame *wheel = &m->frame[e->frame[0]], *own = &m->frame[wheel->body];
  const v3 axle = m3_mul(own->R, m3_back(wheel->R, (v3){0, 1, 0}));
  memcpy(part->axle, (double[]){axle.x, axle.y, axle.z}, sizeof part->axle);
  part->radius = e->tyre->radial.radius;
  part->road = e->road;
  if (art_get_tyre_number(e->tyre, "WIDTH", &part->width) != ART_OK || !(part->width > 0)) {
    part->width = 0.6 * part->radius;
  }
}


// A ball in a heap has six neighbours that push, more or less.
static int shown_contacts(const modelPile *pile)
{
  enum { SHOWN_OF_SURFACE = 4, MOST_SHOWN = 8000 };
  const int most = SHOWN_OF_SURFACE * (pile->nsurface < MOST_SHOWN ? pile->nsurface : MOST_SHOWN);
  const int shown = most < MOST_SHOWN ? most : MOST_SHOWN;
  return shown < pile->npair ? shown : pile->npair;
}


int art_get_force(const artModel *m, int i, artForcePart *part)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && part, 0);
  const modelLatch *rope = rope_at(m, i);
  if (i < 0 || (i >= m->nelement && !rope)) return 0;
  if (rope) {
    *part = (artForcePart){.name = rope->name,
                           .type = art_latch_type_name(ART_ROPE),
                           .glyph = ART_GLYPH_LINK,
                           .npoint = 2};
    return 1;
  }
  const modelElement *e = &m->element[i];
  *part = (artForcePart){.name = e->name,
                         .type = e->type->form.type,
                         .glyph = e->type->glyph,
                         .npoint = e->nframe,
                         .is_element = 1,
                         .is_torque = e->is_torque,
                         .is_contact =
                             e->type->arrow == ARROW_CONTACT || e->type->arrow == ARROW_TOUCH};
  if (part->glyph == ART_GLYPH_COIL) part->rest = e->rest;
  if (e->pile) part->ncontact = shown_contacts(&m->pile[e->pile - 1]);
  if (e->tyre) tell_tyre(m, e, part);
  return 1;
}


int art_get_force_point(const artModel *m, int i, int k, artPointPart *part)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(m && part, 0);
  const modelLatch *rope = rope_at(m, i);
  if (i < 0 || k < 0 || (i >= m->nelement && !rope)) return 0;
  if (k >= (rope ? 2 : m->element[i].nframe)) return 0;
  const int number = rope ? rope->frame[k] : m->element[i].frame[k];

  // the model knows a frame in its link
  const modelFrame *frame = &m->frame[number], *body = &m->frame[frame->body];
  const v3 r =
      pose_compose(pose_inverse((modelPose){body->R, body->r}), (modelPose){frame->R, frame->r}).r;
  *part = (artPointPart){.frame = number, .body = frame->body, .at = {r.x, r.y, r.z}};
  return 1;
}


//---- inputs, states, signals ---------------------------------------------------------------------

int art_get_input(const artModel *m, int i, artInputPart *part)
{
  ART_REQUIRE_OR(m && part, 0);
  if (i < 0 || i >= m->ninput) return 0;
  const modelHeld *held = &m->held[i];
  *part = (artInputPart){held->name,    held->unit,  held->initial, held->least,
                         held->largest, held->every, held->hold};
  return 1;
}


int art_get_state(const artModel *m, int i, artStatePart *part)
{
  ART_REQUIRE_OR(m && part, 0);
  if (i < 0 || i >= m->nstate) return 0;
  const modelState *state = &m->state[i];
  *part = (artStatePart){state->name, state->unit, state->initial, state->rate.text};
  return 1;
}


int art_get_signal(const artModel *m, int i, artSignalPart *part)
{
  ART_REQUIRE_OR(m && part, 0);
  if (i < 0 || i >= m->nsignal) return 0;
  const modelSignal *signal = &m->signal[i];
  *part = (artSignalPart){signal->name, signal->unit, signal->value.text};
  return 1;
}
