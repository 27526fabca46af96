// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What readers of formats share: leaving, notes, names, and new parts of the machine.
#include "import/work.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/leave.h"
#include "base/memory.h"
#include "base/plain.h"

enum { SENTENCE_LENGTH = 600 };


//---- leaving and notes ---------------------------------------------------------------------------

void import_leave(importWork *w, artStatus status)
{
  if (!w->error.status) base_fail(&w->error, status, base_nowhere(), "%s", art_status_text(status));
  leave_work();
}


void import_fail(importWork *w, artPlace place, const char *format, ...)
{
  char sentence[SENTENCE_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  base_fail(&w->error, ART_BAD_INPUT, place, "%s", sentence);
  leave_work();
}


// room for one more in a list of the work
static void grow(importWork *w, void **items, int count, int *capacity, size_t size)
{
  if (!mem_grow(items, count, capacity, size)) import_leave(w, ART_NO_MEMORY);
}


void import_note(importWork *w, artPlace place, const char *format, ...)
{
  char sentence[SENTENCE_LENGTH];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  plain_tidy(sentence);
  for (int i = w->nnote - 1; i >= 0 && i > w->nnote - 200; i--) {
    if (strcmp(w->note[i].text, sentence) != 0) continue;
    w->note[i].count++;
    return;
  }
  grow(w, (void **) &w->note, w->nnote, &w->note_capacity, sizeof *w->note);
  const char *text = import_text(w, sentence);
  w->note[w->nnote++] = (importNote){text, place, 1};
}


//---- memory --------------------------------------------------------------------------------------

void *import_take(importWork *w, size_t count, size_t size)
{
  void *block = arena_alloc(&w->arena, count, size);
  if (!block) import_leave(w, ART_NO_MEMORY);
  return block;
}


char *import_text(importWork *w, const char *text)
{
  char *copy = arena_text(&w->arena, text);
  if (!copy) import_leave(w, ART_NO_MEMORY);
  return copy;
}


static char *format_list(importWork *w, const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  const int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = import_take(w, (size_t) (n < 0 ? 0 : n) + 1, 1);
  vsnprintf(text, (size_t) (n < 0 ? 0 : n) + 1, format, arguments);
  return text;
}


char *import_format(importWork *w, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *text = format_list(w, format, arguments);
  va_end(arguments);
  return text;
}


void import_grow(importWork *w, void **items, int count, int *capacity, size_t size)
{
  if (count < *capacity) return;
  *capacity = 2 * count + 16;
  void *room = import_take(w, (size_t) *capacity, size);
  if (count > 0) memcpy(room, *items, (size_t) count * size);
  *items = room;
}


//---- names ---------------------------------------------------------------------------------------

static bool is_letter(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}


// the name with other characters in the place of those that ours do not have
char *import_spell(importWork *w, const char *wanted)
{
  char *name = import_format(w, "%s%.200s", is_letter(wanted[0]) ? "" : "n", wanted);
  for (char *c = name; *c; c++) {
    if (!is_letter(*c) && !(*c >= '0' && *c <= '9') && *c != '-') *c = '_';
  }
  return name;
}


static bool is_taken(const importWork *w, const char *name)
{
  static const char *const ours[] = {"ground", "time", "energy", "momentum", "step", "constraint"};
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
    if (strcmp(ours[i], name) == 0) return true;
  }
  return table_find(&w->names, name) >= 0;
}


const char *import_name(importWork *w, const char *wanted, const char *kind, artPlace place)
{
  const char *name = wanted[0] ? import_spell(w, wanted) : import_text(w, kind);
  if (is_taken(w, name)) name = import_format(w, "%s_%s", name, kind);
  const char *stem = name;
  for (int i = 2; is_taken(w, name); i++) name = import_format(w, "%s_%d", stem, i);
  if (!table_add(&w->names, &w->arena, name, w->names.count)) import_leave(w, ART_NO_MEMORY);
  if (wanted[0] && strcmp(name, wanted) != 0) {
    import_note(w, place, "%s '%.80s' is called '%.80s' here", kind, wanted, name);
  }
  return name;
}


const char *import_fresh(importWork *w, const char *wanted)
{
  const char *name = wanted;
  // the number stays where the spelling is cut
  for (int i = 2; table_find(&w->given, import_spell(w, name)) >= 0; i++) {
    name = import_format(w, "%.180s_%d", wanted, i);
  }
  return name;
}


const char *import_quoted(importWork *w, const char *name)
{
  return strchr(name, '-') ? import_format(w, "'%s'", name) : name;
}


//---- the machine ---------------------------------------------------------------------------------

importBody *import_add_body(importWork *w, const char *foreign, artPlace place)
{
  importMachine *m = &w->machine;
  if (foreign[0] && table_find(&w->bodies, foreign) >= 0) {
    import_fail(w, place, "the name '%.80s' is given to two bodies", foreign);
  }
  grow(w, (void **) &m->body, m->nbody, &m->body_capacity, sizeof *m->body);
  importBody *body = &m->body[m->nbody];
  *body = (importBody){.name = import_name(w, foreign, "body", place), .place = place};
  const char *key = foreign[0] ? import_text(w, foreign) : body->name;
  if (!table_add(&w->bodies, &w->arena, key, m->nbody)) import_leave(w, ART_NO_MEMORY);
  m->nbody++;
  return body;
}


int import_find_body(const importWork *w, const char *foreign)
{
  const int found = table_find(&w->bodies, foreign);
  return found >= 0 ? found : -2;
}


importJoint *import_add_joint(importWork *w, const char *name, artJointType type, artPlace place)
{
  importMachine *m = &w->machine;
  grow(w, (void **) &m->joint, m->njoint, &m->joint_capacity, sizeof *m->joint);
  importJoint *joint = &m->joint[m->njoint++];
  *joint = (importJoint){.type = type,
                         .place = place,
                         .from_pose = import_identity(),
                         .to_pose = import_identity(),
                         .axis = {0, 0, 1},
                         .lower = NAN,
                         .upper = NAN,
                         .leader = -1};
  joint->name = import_name(w, name, "joint", place);
  return joint;
}


void import_add_item(importWork *w, const char *section, const char *name, artPlace place,
                     const char *format, ...)
{
  importMachine *m = &w->machine;
  va_list arguments;
  va_start(arguments, format);
  const char *value = format_list(w, format, arguments);
  va_end(arguments);
  grow(w, (void **) &m->item, m->nitem, &m->item_capacity, sizeof *m->item);
  m->item[m->nitem++] = (importItem){section, name, value, place};
}


importShape *import_add_shape(importWork *w, importShape **list, importShapeType type)
{
  importShape *shape = import_take(w, 1, sizeof *shape);
  *shape = (importShape){.type = type,
                         .scale = 1,
                         .pose = import_identity(),
                         .colour = -1,
                         .density = NAN,
                         .mass = NAN};
  while (*list) list = &(*list)->next;
  *list = shape;
  return shape;
}


const char *import_coordinate(const importJoint *joint)
{
  return joint->type == ART_PRISMATIC ? "slide" : "angle";
}


const char *import_start_at(importWork *w, const importJoint *joint, double value)
{
  return import_format(w, "%s: %s", import_coordinate(joint), import_number(w, value));
}


void import_check_losses(importWork *w, const importJoint *joint, artPlace place)
{
  if (joint->damping < 0 || joint->friction < 0)
    import_fail(w, place, "damping or friction of joint '%.80s' is negative", joint->name);
}


bool import_take_weight(importWork *w, importBody *body, double share)
{
  const importMachine *m = &w->machine;
  importWeight weight;
  if (!import_weigh(body, &weight)) return false;
  const double usual[3] = {0, 0, -9.81}, *g = m->has_gravity ? m->gravity : usual;
  const double scale = -share * weight.mass, up[3] = {scale * g[0], scale * g[1], scale * g[2]};
  const char *stem = body->name;
  importFrame *centre = import_take(w, 1, sizeof *centre);
  centre->name =
      import_name(w, import_fresh(w, import_format(w, "%s_centre", stem)), "frame", body->place);
  centre->pose = import_identity();
  centre->pose.in.r = weight.com;
  centre->next = body->frame;
  body->frame = centre;
  import_add_item(
      w, "forces",
      import_name(w, import_fresh(w, import_format(w, "%s_weight", stem)), "force", body->place),
      body->place, "{type: force, point: %s.%s, value: %s}", stem, centre->name,
      import_list(w, 3, up));
  return true;
}
