// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Collecting mistakes instead of stopping at the first.
#include "base/error_recovery.h"

#include <stdarg.h>
#include <string.h>

#include "base/format.h"
#include "base/memory.h"
#include "base/throw.h"

struct recoveryTry {
  recoveryTry *outer;
  artPlace key, value;
  bool is_spoilt;
};

static _Thread_local recoveryList *current;


recoveryList *recovery_use(recoveryList *list)
{
  recoveryList *outer = current;
  current = list;
  return outer;
}


recoveryList *recovery_list(void)
{
  return current;
}


//---- lists ---------------------------------------------------------------------------------------

// Add an item to a list; false when memory ran out.
#define APPEND(l, list, n, room, ...)                                                              \
  (make_room(l, (void **) &(l)->list, (l)->n, &(l)->room, sizeof *(l)->list) &&                    \
   ((l)->list[(l)->n++] = __VA_ARGS__, true))

static bool make_room(recoveryList *l, void **list, int n, int *capacity, size_t size)
{
  memSource *outer = mem_use(NULL); // not in the memory of the work
  void *grown = arena_grow(&l->memory, *list, n, capacity, size);
  mem_use(outer);
  if (grown) *list = grown;
  return grown != NULL;
}


static const char *keep_text(recoveryList *l, const char *text)
{
  memSource *outer = mem_use(NULL);
  const char *own = arena_text(&l->memory, text);
  mem_use(outer);
  return own;
}


static bool is_same_place(artPlace a, artPlace b)
{
  return a.file && b.file && a.line == b.line && a.column == b.column &&
         strcmp(a.file, b.file) == 0;
}


static bool is_spoilt(const recoveryList *l, artPlace place)
{
  for (int i = 0; i < l->nspoilt; i++) {
    if (is_same_place(l->spoilt[i], place)) return true;
  }
  return false;
}


// the pieces that are being tried, from the innermost outward
static bool spoil_pieces(recoveryList *l)
{
  bool is_done = true;
  for (recoveryTry *t = l->innermost; t && !t->is_spoilt; t = t->outer) {
    t->is_spoilt = true;
    is_done = is_done && APPEND(l, spoilt, nspoilt, spoilt_capacity, t->key) &&
              APPEND(l, spoilt, nspoilt, spoilt_capacity, t->value);
  }
  return is_done;
}


static artStatus add_mistake(recoveryList *l, const artError *error, artPlace place)
{
  if (!error->text[0] || l->count >= RECOVERY_MOST_MISTAKES) return ART_OK;
  for (int i = 0; i < l->count; i++) {
    if (strcmp(l->found[i].error.text, error->text) == 0) return ART_OK;
  }
  if (place.file && !(place.file = keep_text(l, place.file))) return ART_NO_MEMORY;
  return APPEND(l, found, count, capacity, (recoveryMistake){*error, place}) ? ART_OK
                                                                             : ART_NO_MEMORY;
}


void recovery_spoil(int n)
{
  bool is_done = true;
  for (const recoveryTry *t = current ? current->innermost : NULL; t && n > 0; t = t->outer, n--) {
    is_done = is_done && APPEND(current, spoilt, nspoilt, spoilt_capacity, t->value);
  }
  if (!is_done) error_throw();
}


void recovery_spoil_place(artPlace place)
{
  if (current && !APPEND(current, spoilt, nspoilt, spoilt_capacity, place)) error_throw();
}


bool recovery_is_spoilt(void)
{
  return current && current->innermost && current->innermost->is_spoilt;
}


artStatus recovery_add(recoveryList *l, const artError *error)
{
  const artPlace place = error_place_of_last();
  return is_spoilt(l, place) ? ART_OK : add_mistake(l, error, place);
}


static void note(recoveryList *l, const artError *error, recoveryKind kind)
{
  const bool is_always = kind == RECOVERY_ALWAYS;
  const artStatus status =
      is_always ? add_mistake(l, error, error_place_of_last()) : recovery_add(l, error);
  if (!status && (kind != RECOVERY_SPOILS || spoil_pieces(l))) return;
  error_check(base_no_memory(error_current()));
}


//---- pieces --------------------------------------------------------------------------------------

bool recovery_try(artPlace key, artPlace value, void (*work)(void *context), void *context)
{
  recoveryList *l = current;
  if (!l) return work(context), true;
  artError error = {0};
  recoveryTry piece = {.outer = l->innermost, .key = key, .value = value};
  l->innermost = &piece;
  const artStatus status = error_try(work, context, &error);
  if (status && status != ART_NO_MEMORY) note(l, &error, RECOVERY_SPOILS);
  l->innermost = piece.outer;
  if (!status) return true;
  if (status == ART_NO_MEMORY || l->count >= RECOVERY_MOST_MISTAKES) {
    *error_current() = error;
    error_throw();
  }
  return false;
}


void recovery_note(recoveryKind kind, artPlace place, const char *format, ...)
{
  char text[ART_ERROR_LENGTH];
  va_list args;
  va_start(args, format);
  format_text_list(text, sizeof text, format, args);
  va_end(args);
  recoveryList *l = current;
  if (!l) error_refuse(place, "%s", text);
  artError error = {0};
  (void) base_fail(&error, ART_BAD_INPUT, place, "%s", text);
  note(l, &error, kind);
}


void recovery_drop(void)
{
  *error_current() = (artError){.status = ART_BAD_INPUT};
  error_throw();
}


//---- names ---------------------------------------------------------------------------------------

void recovery_lose(const char *name)
{
  recoveryList *l = current;
  if (!l || !name[0]) return;
  const char *own = keep_text(l, name);
  if (!own || !APPEND(l, lost, nlost, lost_capacity, own)) error_throw();
}


void recovery_hang(recoveryList *l, const char *body)
{
  const char *own = keep_text(l, body);
  if (!own || !APPEND(l, hanging, nhanging, hanging_capacity, own)) error_throw();
}


bool recovery_is_lost(const char *name)
{
  for (int i = 0; current && i < current->nlost; i++) {
    const char *lost = current->lost[i];
    const size_t n = strlen(lost);
    if (strncmp(name, lost, n) == 0 && (lost[n - 1] == '/' || strchr(".", name[n]))) return true;
  }
  return false;
}


void recovery_pass_joints(void)
{
  if (current && current->has_lost_joints) recovery_drop();
}


void recovery_pass(const char *name)
{
  if (current && (current->has_lost_names || recovery_is_lost(name))) recovery_drop();
}
