// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tables that studies fill: columns of numbers with names and units.
#include "study/study.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/memory.h"

// what `memory` points to
typedef struct resultMemory {
  baseArena arena;
  int named; // columns so far
} resultMemory;


artTable *result_create(int columns, long rows)
{
  artTable *table = mem_alloc(1, sizeof *table);
  resultMemory *memory = mem_alloc(1, sizeof *memory);
  if (!table || !memory) {
    mem_free(table);
    mem_free(memory);
    return NULL;
  }
  *memory = (resultMemory){0};
  *table = (artTable){.columns = columns, .rows = rows, .memory = memory};
  table->name = arena_alloc(&memory->arena, (size_t) columns, sizeof *table->name);
  table->unit = arena_alloc(&memory->arena, (size_t) columns, sizeof *table->unit);
  table->value =
      arena_alloc(&memory->arena, (size_t) columns * (size_t) rows, sizeof *table->value);
  if (table->name && table->unit && table->value) return table;
  art_free_table(table);
  return NULL;
}


int result_add_column(artTable *table, const char *unit, const char *format, ...)
{
  resultMemory *memory = table->memory;
  char name[512];
  va_list values;
  va_start(values, format);
  vsnprintf(name, sizeof name, format, values);
  va_end(values);
  table->unit[memory->named] = arena_text(&memory->arena, unit);
  table->name[memory->named] = arena_text(&memory->arena, name);
  const int is_named = table->unit[memory->named] && table->name[memory->named];
  memory->named++;
  return is_named;
}


void art_free_table(artTable *table)
{
  if (!table) return;
  arena_free(&((resultMemory *) table->memory)->arena);
  mem_free(table->memory);
  mem_free(table);
}
