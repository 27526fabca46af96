// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// References: what "pin.angle", "crank.tip.vx" or "energy.total" represent.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error_recovery.h"
#include "model/model.h"

// a component that bodies and points have
typedef struct componentName {
  const char *name;
  quantityKind kind;
  int component;
  quantityLevel level;
  baseDimension dimension;
} componentName;

// clang-format off

// the components along x, y and z after a stem, from the component `first` on
#define XYZ(stem, kind, first, level, ...)                                                         \
  {stem "x", kind, first, level, __VA_ARGS__}, {stem "y", kind, (first) + 1, level, __VA_ARGS__},  \
  {stem "z", kind, (first) + 2, level, __VA_ARGS__}

static const componentName frame_components[] = {
  XYZ("", QUANTITY_POINT, 0, LEVEL_POSITION, {0, 1, 0, 0, 0, 0}),
  XYZ("v", QUANTITY_POINT_VELOCITY, 0, LEVEL_VELOCITY, {0, 1, -1, 0, 0, 0}),
  XYZ("a", QUANTITY_POINT_ACCELERATION, 0, LEVEL_ACCELERATION, {0, 1, -2, 0, 0, 0}),
  XYZ("x", QUANTITY_AXIS, 0, LEVEL_POSITION, {0, 0, 0, 0, 0, 0}),
  XYZ("y", QUANTITY_AXIS, 3, LEVEL_POSITION, {0, 0, 0, 0, 0, 0}),
  XYZ("z", QUANTITY_AXIS, 6, LEVEL_POSITION, {0, 0, 0, 0, 0, 0}),
  {"qw", QUANTITY_ROTATION, 0, LEVEL_POSITION, {0, 0, 0, 0, 0, 0}},
  XYZ("q", QUANTITY_ROTATION, 1, LEVEL_POSITION, {0, 0, 0, 0, 0, 0}),
  XYZ("w", QUANTITY_OMEGA, 0, LEVEL_VELOCITY, {0, 0, -1, 0, 0, 0}),
  XYZ("al", QUANTITY_ALPHA, 0, LEVEL_ACCELERATION, {0, 0, -2, 0, 0, 0}),
  {"yaw", QUANTITY_ATTITUDE, 0, LEVEL_POSITION, {0, 0, 0, 0, 0, 0}},
  {"pitch", QUANTITY_ATTITUDE, 1, LEVEL_POSITION, {0, 0, 0, 0, 0, 0}},
  {"roll", QUANTITY_ATTITUDE, 2, LEVEL_POSITION, {0, 0, 0, 0, 0, 0}},
  {"roll_rate", QUANTITY_TURN, 0, LEVEL_VELOCITY, {0, 0, -1, 0, 0, 0}},
  {"pitch_rate", QUANTITY_TURN, 1, LEVEL_VELOCITY, {0, 0, -1, 0, 0, 0}},
  {"yaw_rate", QUANTITY_TURN, 2, LEVEL_VELOCITY, {0, 0, -1, 0, 0, 0}},
  {"forward", QUANTITY_COURSE, 0, LEVEL_VELOCITY, {0, 1, -1, 0, 0, 0}},
  {"sideways", QUANTITY_COURSE, 1, LEVEL_VELOCITY, {0, 1, -1, 0, 0, 0}},
  {"sideslip", QUANTITY_COURSE, 2, LEVEL_VELOCITY, {0, 0, 0, 0, 0, 0}},
  {"along", QUANTITY_SURGE, 0, LEVEL_ACCELERATION, {0, 1, -2, 0, 0, 0}},
  {"across", QUANTITY_SURGE, 1, LEVEL_ACCELERATION, {0, 1, -2, 0, 0, 0}},
  {NULL, 0, 0, 0, {0, 0, 0, 0, 0, 0}},
};

static const componentName system_quantities[] = {
  {"time", QUANTITY_TIME, 0, LEVEL_POSITION, {0, 0, 1, 0, 0, 0}},
  {"energy.kinetic", QUANTITY_ENERGY, 0, LEVEL_VELOCITY, {1, 2, -2, 0, 0, 0}},
  {"energy.potential", QUANTITY_ENERGY, 1, LEVEL_VELOCITY, {1, 2, -2, 0, 0, 0}},
  {"energy.total", QUANTITY_ENERGY, 2, LEVEL_VELOCITY, {1, 2, -2, 0, 0, 0}},
  {"energy.work", QUANTITY_ENERGY, 3, LEVEL_ACCELERATION, {1, 2, -2, 0, 0, 0}},
  {"energy.balance", QUANTITY_ENERGY, 4, LEVEL_ACCELERATION, {1, 2, -2, 0, 0, 0}},
  XYZ("momentum.", QUANTITY_MOMENTUM, 0, LEVEL_VELOCITY, {1, 1, -1, 0, 0, 0}),
  XYZ("momentum.l", QUANTITY_MOMENTUM, 3, LEVEL_VELOCITY, {1, 2, -1, 0, 0, 0}),
  XYZ("ground.g", QUANTITY_GRAVITY, 0, LEVEL_POSITION, {0, 1, -2, 0, 0, 0}),
  {"step.size", QUANTITY_STEP, 0, LEVEL_ACCELERATION, {0, 0, 1, 0, 0, 0}},
  {"step.index", QUANTITY_STEP, 1, LEVEL_ACCELERATION, {0, 0, 0, 0, 0, 0}},
  {"constraint.position", QUANTITY_CONSTRAINT, 0, LEVEL_ACCELERATION, {0, 0, 0, 0, 0, 0}},
  {"constraint.velocity", QUANTITY_CONSTRAINT, 1, LEVEL_ACCELERATION, {0, 0, -1, 0, 0, 0}},
  {"constraint.acceleration", QUANTITY_CONSTRAINT, 2, LEVEL_ACCELERATION, {0, 0, -2, 0, 0, 0}},
  {NULL, 0, 0, 0, {0, 0, 0, 0, 0, 0}},
};

static const componentName rod_components[] = {
  {"force", QUANTITY_ROD, 0, LEVEL_ACCELERATION, {1, 1, -2, 0, 0, 0}},
  {"length", QUANTITY_ROD, 1, LEVEL_POSITION, {0, 1, 0, 0, 0, 0}},
  XYZ("from_f", QUANTITY_ROD, 2, LEVEL_ACCELERATION, {1, 1, -2, 0, 0, 0}),
  {NULL, 0, 0, 0, {0, 0, 0, 0, 0, 0}},
};

static const componentName roll_components[] = {
  {"normal", QUANTITY_ROLL, 0, LEVEL_ACCELERATION, {1, 1, -2, 0, 0, 0}},
  {"along", QUANTITY_ROLL, 1, LEVEL_ACCELERATION, {1, 1, -2, 0, 0, 0}},
  {"across", QUANTITY_ROLL, 2, LEVEL_ACCELERATION, {1, 1, -2, 0, 0, 0}},
  XYZ("p", QUANTITY_ROLL, 3, LEVEL_POSITION, {0, 1, 0, 0, 0, 0}),
  {NULL, 0, 0, 0, {0, 0, 0, 0, 0, 0}},
};

static const componentName reactions[] = {
  XYZ("f", QUANTITY_REACTION, 0, LEVEL_ACCELERATION, {1, 1, -2, 0, 0, 0}),
  XYZ("t", QUANTITY_REACTION, 3, LEVEL_ACCELERATION, {1, 2, -2, 0, 0, 0}),
  {NULL, 0, 0, 0, {0, 0, 0, 0, 0, 0}},
};
// clang-format on


static const componentName *find_component(const componentName *list, const char *name)
{
  for (; list->name; list++) {
    if (strcmp(list->name, name) == 0) return list;
  }
  return NULL;
}


static modelQuantity from_component(const componentName *c, int index)
{
  return (modelQuantity){.kind = c->kind,
                         .index = index,
                         .component = c->component,
                         .level = c->level,
                         .dimension = c->dimension};
}


//---- joints --------------------------------------------------------------------------------------


// the velocity coordinate of a joint whose name, with `rate` replaced by `ending`, is the component:
// "pin.accel" and "pin.force" belong to "pin.rate", "cyl.angle_accel" to "cyl.angle_rate"
static int velocity_with_ending(const artModel *m, const modelJoint *joint, const char *component,
                                const char *ending)
{
  for (int k = joint->v0; k < joint->v0 + joint->nv; k++) {
    const char *own = m->velocity[k].name + strlen(joint->name) + 1; // "rate", "angle_rate", "vx"
    const size_t stem = strlen(own) >= 4 ? strlen(own) - 4 : 0;
    if (strcmp(own + stem, "rate") != 0) continue;
    if (strncmp(own, component, stem) == 0 && strcmp(component + stem, ending) == 0) return k;
  }
  return -1;
}


// accelerations of ball and free joints: ax ay az, alx aly alz
static int ball_acceleration(const artModel *m, const modelJoint *joint, const char *component)
{
  static const char *const own[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  static const char *const rate[] = {"ax", "ay", "az", "alx", "aly", "alz"};
  if (!joint_is_directed(joint->type)) return -1;
  for (int i = 0; i < 6; i++) {
    if (strcmp(component, rate[i]) != 0) continue;
    for (int k = joint->v0; k < joint->v0 + joint->nv; k++) {
      if (strcmp(m->velocity[k].name + strlen(joint->name) + 1, own[i]) == 0) return k;
    }
  }
  return -1;
}


// reactions of the ball joints that a bar had before it became a rod, of which the forces are known
static int bar_reaction(const artModel *m, const char *joint, const char *component,
                        modelQuantity *out)
{
  const componentName *reaction = find_component(reactions, component);
  for (int i = 0; i < m->nbar && reaction; i++) {
    const modelBar *bar = &m->bar[i];
    for (int k = 0; k < 2; k++) {
      if (strcmp(bar->joint[k], joint) != 0) continue;
      const int axis = reaction->component;
      *out = from_component(reaction, m->cut[bar->cut].joint);
      if (k == 1 && !bar->leads[1]) return 1;
      out->kind = QUANTITY_ROD;
      out->index = bar->cut;
      out->component = axis > 2 ? 11 : axis + (k == 1 ? 8 : bar->leads[0] ? 5 : 2);
      return 1;
    }
  }
  return 0;
}


// quantities that such a bar still has: place, velocity and acceleration of points on its line, and how it
// turns, in this order; -1: anything else
static int bar_group(const char *component)
{
  static const quantityKind known[] = {QUANTITY_POINT, QUANTITY_POINT_VELOCITY,
                                       QUANTITY_POINT_ACCELERATION, QUANTITY_OMEGA, QUANTITY_ALPHA};
  const componentName *found = find_component(frame_components, component);
  int group = found ? 4 : -1;
  while (group >= 0 && known[group] != found->kind) group--;
  return group;
}


int model_bar_lacks(const char *component, int is_on_line)
{
  const int group = bar_group(component);
  return find_component(frame_components, component) && group < 3 && (group < 0 || !is_on_line);
}


// points on the line of such a bar
static int bar_quantity(const artModel *m, const char *point, const char *component,
                        modelQuantity *out)
{
  const componentName *found = find_component(frame_components, component);
  const int group = bar_group(component);
  if (group < 0) return 0;
  for (int i = 0; i < m->nbar_point; i++) {
    if (strcmp(m->bar_point[i].name, point) != 0) continue;
    if (group < 3 && isnan(m->bar_point[i].s)) return 0;
    *out = from_component(found, i);
    out->kind = QUANTITY_BAR;
    out->component += 3 * group;
    return 1;
  }
  return 0;
}


//---- latches -------------------------------------------------------------------------------------

// clang-format off
static const componentName latch_components[] = {
  {"engaged", QUANTITY_LATCH, LATCH_IS_ENGAGED, LEVEL_ACCELERATION, {0, 0, 0, 0, 0, 0}},
  {"force", QUANTITY_LATCH, LATCH_FORCE, LEVEL_ACCELERATION, {1, 1, -2, 0, 0, 0}},
  {"distance", QUANTITY_LATCH, LATCH_LENGTH, LEVEL_ACCELERATION, {0, 1, 0, 0, 0, 0}},
  XYZ("f", QUANTITY_LATCH, LATCH_FX, LEVEL_ACCELERATION, {1, 1, -2, 0, 0, 0}),
  XYZ("t", QUANTITY_LATCH, LATCH_FX + 3, LEVEL_ACCELERATION, {1, 2, -2, 0, 0, 0}),
  {NULL, 0, 0, 0, {0, 0, 0, 0, 0, 0}},
};

static const componentName rope_components[] = {
  {"engaged", QUANTITY_LATCH, LATCH_IS_ENGAGED, LEVEL_ACCELERATION, {0, 0, 0, 0, 0, 0}},
  {"force", QUANTITY_LATCH, LATCH_FORCE, LEVEL_ACCELERATION, {1, 1, -2, 0, 0, 0}},
  {"length", QUANTITY_LATCH, LATCH_LENGTH, LEVEL_ACCELERATION, {0, 1, 0, 0, 0, 0}},
  {"rate", QUANTITY_LATCH, LATCH_RATE, LEVEL_ACCELERATION, {0, 1, -1, 0, 0, 0}},
  {NULL, 0, 0, 0, {0, 0, 0, 0, 0, 0}},
};
// clang-format on


// The position along which the multiplier of a relation is the force: the first with the coefficient one, so that the
// multiplier of slide - radius*angle is in N; the first of all where no coefficient is one.
static int multiplier_coordinate(const modelRelation *r)
{
  for (int i = 0; r->coefficient && i < r->n; i++) {
    if (r->coefficient[i] == 1) return r->position[i];
  }
  return r->position[0];
}


// the force of a lock is one along its first coordinate, if that has the coefficient one
static int latch_quantity(const artModel *m, int i, const char *component, modelQuantity *out)
{
  ART_ASSERT(i >= 0 && i < m->nlatch);
  const modelLatch *latch = &m->latch[i];
  const componentName *found =
      find_component(latch->type == ART_ROPE ? rope_components : latch_components, component);
  if (!found || (latch->type == ART_LOCK && found->component > LATCH_FORCE)) return 0;
  *out = from_component(found, i);
  const int turns =
      latch->type == ART_LOCK && m->position[latch->relation.position[0]].dimension.m != 1;
  if (turns && found->component == LATCH_FORCE) out->dimension = UNIT_TORQUE;
  return 1;
}


static const char *latch_words(artLatchType type)
{
  return type == ART_ROPE    ? "engaged force length rate"
         : type == ART_LATCH ? "engaged force distance, fx fy fz, tx ty tz"
                             : "engaged force";
}


static int joint_quantity(const artModel *m, int j, const char *component, modelQuantity *out)
{
  ART_ASSERT(j >= 0 && j < m->njoint);
  const modelJoint *joint = &m->joint[j];
  const int roll = model_find_roll(m, joint);
  const componentName *of_roll = roll >= 0 ? find_component(roll_components, component) : NULL;
  if (of_roll) {
    *out = from_component(of_roll, roll);
    return 1;
  }
  const componentName *of_rod =
      joint_is_rod(joint->type) ? find_component(rod_components, component) : NULL;
  const componentName *reaction = find_component(reactions, component);
  if (of_rod || reaction) {
    *out = of_rod ? from_component(of_rod, joint->cut) : from_component(reaction, j);
    return 1;
  }
  if (joint->is_cut) return 0;

  int k = velocity_with_ending(m, joint, component, "accel");
  if (k < 0) k = ball_acceleration(m, joint, component);
  if (k >= 0) {
    baseDimension dimension = m->velocity[k].dimension;
    dimension.s = (signed char) (dimension.s - 1);
    *out = (modelQuantity){QUANTITY_ACCELERATION, k, 0, LEVEL_ACCELERATION, dimension, 0};
    return 1;
  }
  k = velocity_with_ending(m, joint, component, "force");
  if (k >= 0) {
    const int slides = m->velocity[k].dimension.m == 1;
    *out = (modelQuantity){
        QUANTITY_JOINT_FORCE, k, 0, LEVEL_ACCELERATION, slides ? UNIT_FORCE : UNIT_TORQUE, 0};
    return 1;
  }
  return 0;
}


//---- force elements ------------------------------------------------------------------------------


fieldAxis model_element_axis(const artModel *m, const modelElement *e)
{
  if (e->nterm == 0) return AXIS_UNKNOWN;
  return m->velocity[e->term[0].velocity].dimension.m == 1 ? AXIS_LINEAR : AXIS_ANGULAR;
}


static int element_quantity(const artModel *m, int i, const char *component, modelQuantity *out)
{
  ART_ASSERT(i >= 0 && i < m->nelement);
  const modelElement *e = &m->element[i];
  const fieldAxis axis = model_element_axis(m, e);
  for (const elementOutput *o = e->type->outputs; o->name; o++) {
    if (strcmp(o->name, component) != 0 || !element_has(e, o)) continue;
    *out = (modelQuantity){.kind = QUANTITY_ELEMENT,
                           .index = i,
                           .component = o->component,
                           .level = o->level,
                           .dimension = field_dimension(o->quantity, axis)};
    return 1;
  }
  return 0;
}


//---- all -----------------------------------------------------------------------------------------


// "a.b.c" -> head "a.b" in the buffer, tail "c"; 0 when there is no dot or the head is too long
static int split_reference(const char *reference, char head[300], const char **tail)
{
  const char *dot = strrchr(reference, '.');
  if (!dot || dot - reference >= 300) return 0;
  memcpy(head, reference, (size_t) (dot - reference));
  head[dot - reference] = '\0';
  *tail = dot + 1;
  return 1;
}


static int resolve_quantity(const artModel *m, const char *reference, modelQuantity *out)
{
  const componentName *whole = find_component(system_quantities, reference);
  if (whole) {
    *out = from_component(whole, 0);
    return 1;
  }
  const int q = table_find(&m->positions, reference);
  if (q >= 0) {
    *out = (modelQuantity){QUANTITY_POSITION, q, 0, LEVEL_POSITION, m->position[q].dimension, 0};
    return 1;
  }
  const int v = table_find(&m->velocities, reference);
  if (v >= 0) {
    *out = (modelQuantity){QUANTITY_VELOCITY, v, 0, LEVEL_VELOCITY, m->velocity[v].dimension, 0};
    return 1;
  }

  if (model_find_signal(m, reference, out)) return 1;

  char head[300];
  const char *tail;
  if (!split_reference(reference, head, &tail)) return 0;
  const int joint = table_find(&m->joints, head);
  if (joint >= 0 && joint_quantity(m, joint, tail, out)) return 1;
  if (bar_reaction(m, head, tail, out) || bar_quantity(m, head, tail, out)) return 1;
  const int relation = table_find(&m->relations, head);
  if (relation >= 0) {
    const int slides = m->position[multiplier_coordinate(&m->relation[relation])].dimension.m == 1;
    *out = (modelQuantity){
        QUANTITY_MULTIPLIER, relation, 0, LEVEL_ACCELERATION, slides ? UNIT_FORCE : UNIT_TORQUE, 0};
    return strcmp(tail, "force") == 0;
  }
  const int latch = table_find(&m->latches, head);
  if (latch >= 0) return latch_quantity(m, latch, tail, out);
  const int element = table_find(&m->elements, head);
  if (element >= 0) return element_quantity(m, element, tail, out);
  const int frame = table_find(&m->frames, head);
  const componentName *component = frame >= 0 ? find_component(frame_components, tail) : NULL;
  if (component) *out = from_component(component, frame);
  return component != NULL;
}


int model_cut_named(const artModel *m, const char *reference)
{
  char head[300];
  const char *tail;
  if (!split_reference(reference, head, &tail)) return -1;
  const int j = table_find(&m->joints, head);
  return j >= 0 && m->joint[j].is_cut ? j : -1;
}


//---- what there is -------------------------------------------------------------------------------

static const char *const frame_words =
    "x y z, vx vy vz, ax ay az, qw qx qy qz, wx wy wz, alx aly alz, its axes xx xy xz, yx yy yz, "
    "zx zy zz, and as a vehicle yaw pitch roll, yaw_rate pitch_rate roll_rate, forward sideways "
    "sideslip, along across";


// its outputs in a row: "fx fy fz, tx ty tz"
static const char *element_words(const modelElement *e, char words[BASE_HINT_LENGTH])
{
  words[0] = '\0';
  for (const elementOutput *o = e->type->outputs; o->name; o++) {
    if (!element_has(e, o)) continue;
    const char *gap = words[0] == '\0' ? "" : o->flags & OUTPUT_GROUP ? ", " : " ";
    base_append(words, BASE_HINT_LENGTH, "%s%s", gap, o->name);
  }
  return words[0] ? words : "no outputs";
}


// coordinates and reactions
static void write_joint_quantities(const artModel *m, const modelJoint *joint, FILE *out)
{
  const size_t skip = strlen(joint->name) + 1;
  for (int k = joint->q0; !joint->is_cut && k < joint->q0 + joint->nq; k++) {
    fprintf(out, "%s ", m->position[k].name + skip);
  }
  for (int k = joint->v0; !joint->is_cut && k < joint->v0 + joint->nv; k++) {
    const char *own = m->velocity[k].name + skip;
    const int stem = (int) strlen(own) - 4;
    fprintf(out, "%s ", own);
    if (stem < 0 || strcmp(own + stem, "rate") != 0) continue;
    fprintf(out, "%.*saccel %.*sforce ", stem, own, stem, own);
  }
  fputs("fx fy fz tx ty tz", out);
}


// parts of a sensor, a block or several states of one name: "gyro.x gyro.y gyro.z"
static int write_part(const char *part, const char *name, int count, FILE *out)
{
  const size_t n = strlen(name);
  if (strncmp(part, name, n) != 0 || part[n] != '.') return 0;
  fprintf(out, "%s %s", count == 0 ? "; there is" : "", part);
  return 1;
}


static int write_signals(const artModel *m, const char *name, FILE *out)
{
  int count = 0;
  for (int i = 0; i < m->nheld; i++) {
    if (m->held[i].is_shown) count += write_part(m->held[i].name, name, count, out);
  }
  for (int i = 0; i < m->nstate; i++) {
    if (m->state[i].is_shown) count += write_part(m->state[i].name, name, count, out);
  }
  for (int i = 0; i < m->nsignal; i++) {
    if (m->signal[i].is_shown) count += write_part(m->signal[i].name, name, count, out);
  }
  return count;
}


int model_write_parts(const artModel *m, const char *name, FILE *out)
{
  const int joint = table_find(&m->joints, name), element = table_find(&m->elements, name);
  if (joint >= 0) {
    fprintf(out, "; joint '%s' has ", name);
    write_joint_quantities(m, &m->joint[joint], out);
  } else if (element >= 0) {
    char words[BASE_HINT_LENGTH];
    fprintf(out, "; force '%s' has %s", name, element_words(&m->element[element], words));
  } else if (table_find(&m->relations, name) >= 0) {
    fprintf(out, "; constraint '%s' has force", name);
  } else if (table_find(&m->latches, name) >= 0) {
    const modelLatch *latch = &m->latch[table_find(&m->latches, name)];
    fprintf(out, "; %s '%s' has %s", art_latch_type_name(latch->type), name,
            latch_words(latch->type));
  } else if (table_find(&m->frames, name) >= 0) {
    fprintf(out, "; body or point '%s' has %s", name, frame_words);
  } else {
    int count = write_signals(m, name, out);
    for (const componentName *c = system_quantities; c->name; c++) {
      count += write_part(c->name, name, count, out);
    }
    return count > 0;
  }
  fputs("; name one of them after a dot", out);
  return 1;
}


// a body, point or joint that is called like the one in front of the dot
static void hint_at_owner(const artModel *m, const char *head, const char *tail,
                          char hint[BASE_HINT_LENGTH])
{
  baseNearest nearest = {.word = head};
  for (int k = 0; k < m->nframe; k++) base_consider(&nearest, m->frame[k].name);
  for (int k = 0; k < m->njoint; k++) base_consider(&nearest, m->joint[k].name);
  if (!nearest.best) return;
  snprintf(hint, BASE_HINT_LENGTH, " (did you mean '%.120s.%.40s'?)", nearest.best, tail);
}


static int begins_with(const char *name, const char *head, size_t n)
{
  return strncmp(name, head, n) == 0 && name[n] == '/';
}


static int ends_with(const char *name, const char *tail)
{
  const size_t n = strlen(name), k = strlen(tail);
  return n >= k && strcmp(name + n - k, tail) == 0;
}


// A contact of several points or pairs is several elements, NAME/1 or NAME/A/B.
static void hint_at_parts(const artModel *m, const char *head, const char *tail,
                          char hint[BASE_HINT_LENGTH])
{
  const char *part = strrchr(head, '/');
  const modelElement *first = NULL, *meant = NULL;
  int count = 0;
  for (int k = m->nelement - 1; k >= 0; k--) {
    const modelElement *e = &m->element[k];
    if (begins_with(e->name, head, strlen(head))) first = e, count++;
    if (part && begins_with(e->name, head, strcspn(head, "/")) && ends_with(e->name, part))
      meant = e;
  }
  if (first) {
    snprintf(hint, BASE_HINT_LENGTH,
             " ('%.50s' is %d elements; the first one has \"'%.60s'.%.30s\")", head, count,
             first->name, tail);
  } else if (meant) {
    snprintf(hint, BASE_HINT_LENGTH, " (did you mean '%.120s.%.40s'?)", meant->name, tail);
  }
}


// say what could have been meant
_Noreturn static void refuse_unknown(const artModel *m, const char *reference, artPlace place)
{
  char head[300] = "";
  const char *tail = "";
  split_reference(reference, head, &tail);
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = reference};
  if (recovery_is_lost(reference)) recovery_drop();

  if (table_find(&m->joints, head) >= 0) {
    const modelJoint *joint = &m->joint[table_find(&m->joints, head)];
    if (joint->is_cut) {
      if (!joint_is_rod(joint->type)) recovery_pass_joints();
      error_refuse(place,
                   "%s joint '%s' has no '%s': it closes a loop and has no coordinates of its own; "
                   "there are the reactions fx fy fz, tx ty tz%s",
                   art_joint_type_name(joint->type), head, tail,
                   joint_is_rod(joint->type)
                       ? ", those on its other end from_fx from_fy from_fz, the tension force and "
                         "the length"
                   : joint_roll(joint->type) != ROLL_NONE
                       ? ", the forces normal along across and the point of contact px py pz"
                       : "");
    }
    char words[200] = "";
    nearest = (baseNearest){.word = tail, .context = "coordinate"};
    for (int k = 0; k < joint->nq + joint->nv; k++) {
      const int i = k - joint->nq;
      const char *name = i < 0 ? m->position[joint->q0 + k].name : m->velocity[joint->v0 + i].name;
      name = strrchr(name, '.') + 1;
      base_consider(&nearest, name);
      snprintf(words + strlen(words), sizeof words - strlen(words), "%s ", name);
    }
    if (nearest.best) {
      error_refuse(place, "%s joint '%s' has no '%s' (did you mean '%.150s.%s'?)",
                   art_joint_type_name(joint->type), head, tail, head, nearest.best);
    }
    error_refuse(place, "%s joint '%s' has no '%s'; it has %sfx fy fz tx ty tz%s",
                 art_joint_type_name(joint->type), head, tail, words,
                 strstr(words, "rate ") ? ", and accel and force instead of rate" : "");
  }
  if (table_find(&m->relations, head) >= 0) {
    error_refuse(place, "constraint '%s' has no output '%s', only 'force'", head, tail);
  }
  if (table_find(&m->latches, head) >= 0) {
    const modelLatch *latch = &m->latch[table_find(&m->latches, head)];
    error_refuse(place, "%s '%s' has no output '%s'; it has %s", art_latch_type_name(latch->type),
                 head, tail, latch_words(latch->type));
  }
  if (table_find(&m->elements, head) >= 0) {
    error_refuse(place, "force '%s' has no output '%s'; it has %s", head, tail,
                 element_words(&m->element[table_find(&m->elements, head)], hint));
  }
  if (table_find(&m->frames, head) >= 0) {
    nearest.word = tail;
    for (const componentName *c = frame_components; c->name; c++) base_consider(&nearest, c->name);
    error_refuse(place, "'%s' has no '%s'%s; a body or point has %s", head, tail,
                 base_hint(&nearest, hint), frame_words);
  }
  recovery_pass(reference);
  nearest.context = "name";
  for (const componentName *c = system_quantities; c->name; c++) base_consider(&nearest, c->name);
  for (int k = 0; k < m->tree.nq; k++) base_consider(&nearest, m->position[k].name);
  for (int k = 0; k < m->tree.nv; k++) base_consider(&nearest, m->velocity[k].name);
  for (int k = 0; k < m->nparameter; k++) base_consider(&nearest, m->parameter[k].name);
  for (int k = 0; k < m->nheld; k++) base_consider(&nearest, m->held[k].name);
  for (int k = 0; k < m->nstate; k++) base_consider(&nearest, m->state[k].name);
  for (int k = 0; k < m->nsignal; k++) base_consider(&nearest, m->signal[k].name);
  if (!base_hint(&nearest, hint)[0]) hint_at_parts(m, head, tail, hint);
  if (!hint[0]) hint_at_owner(m, head, tail, hint);
  error_refuse(place, "'%s' is not known%s", reference, hint);
}


// each has one slot, however often and by whatever name it is read
static int add_model_quantity(artModel *m, const modelQuantity *wanted)
{
  char key[40];
  snprintf(key, sizeof key, "%d %d %d", (int) wanted->kind, wanted->index, wanted->component);
  const int known = table_find(&m->quantities, key);
  if (known >= 0) return known;
  m->quantity = arena_grow(&m->formulas, m->quantity, m->nquantity, &m->quantity_capacity,
                           sizeof *m->quantity);
  table_add(&m->quantities, &m->formulas, arena_text(&m->formulas, key), m->nquantity);
  m->quantity[m->nquantity] = *wanted;
  if (wanted->kind == QUANTITY_SIGNAL) m->signal[wanted->index].slot = m->nquantity;
  if (wanted->kind == QUANTITY_HELD) m->held[wanted->index].slot = m->nquantity;
  if (wanted->kind == QUANTITY_STATE) m->state[wanted->index].slot = m->nquantity;
  return m->nquantity++;
}


int model_quantity(artModel *m, const char *reference, artPlace place)
{
  modelQuantity found;
  if (!resolve_quantity(m, reference, &found)) refuse_unknown(m, reference, place);
  if (m->may_warn) model_warn_of_quantity(m, reference, &found, place);
  return add_model_quantity(m, &found);
}


static int is_element_angle(const artModel *m, const modelQuantity *quantity)
{
  for (const elementOutput *o = m->element[quantity->index].type->outputs; o->name; o++) {
    const int is_angle = o->quantity == Q_ANGLE || o->quantity == Q_RATE;
    if (is_angle && o->component == quantity->component) return 1;
  }
  return 0;
}


// angles and their rates have no dimension of their own: rad where they are meant
const char *model_quantity_unit(const artModel *m, const modelQuantity *quantity)
{
  const baseDimension d = quantity->dimension;
  switch (quantity->kind) {
  case QUANTITY_HELD: return m->held[quantity->index].unit;
  case QUANTITY_STATE: return m->state[quantity->index].unit;
  case QUANTITY_SIGNAL: return m->signal[quantity->index].unit;
  case QUANTITY_ENERGY: return d.kg == 1 && d.m == 2 && d.s == -2 ? "J" : NULL;
  case QUANTITY_POSITION: // quaternions have no unit
    if (m->position[quantity->index].partner < 0) break;
    // fall through
  case QUANTITY_VELOCITY:
  case QUANTITY_ACCELERATION:
  case QUANTITY_OMEGA:
  case QUANTITY_ALPHA:
  case QUANTITY_ATTITUDE:
  case QUANTITY_TURN:
  case QUANTITY_COURSE:
  case QUANTITY_BAR:
  case QUANTITY_ELEMENT:
    if (quantity->kind == QUANTITY_BAR && quantity->component <= 8) break;
    if (quantity->kind == QUANTITY_ELEMENT && !is_element_angle(m, quantity)) break;
    if (d.kg || d.m) break;
    if (d.s == 0) return "rad";
    if (d.s == -1) return "rad/s";
    if (d.s == -2) return "rad/s^2";
    break;
  default: break;
  }
  return d.kg == 1 && d.m == 2 && d.s == -2 ? "N m" : NULL;
}
