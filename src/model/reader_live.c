// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas of numbers that come from parameters, kept as texts while the file is read, and parsed with parameters as
// slots once all of them have their numbers.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "model/live.h"
#include "model/reader.h"
#include "model/records.h"


artStatus reader_keep_live(modelReader *reader, double *number)
{
  const readerSource *source = &reader->source;
  if (!source->text) return ART_OK;
  return live_add(reader->builder, &(liveNumber){.number = number,
                                                 .text = source->text,
                                                 .place = source->place,
                                                 .section = reader->section,
                                                 .scope = source->file});
}


//---- composed formulas ---------------------------------------------------------------------------

int reader_is_live(const modelReader *reader, int n, const double *numbers)
{
  for (int i = 0; i < n; i++) {
    if (live_find(reader->builder, &numbers[i])) return 1;
  }
  return 0;
}


const char *reader_live_text(modelReader *reader, const double *number, const char *unit)
{
  const liveNumber *own = live_find(reader->builder, number);
  const char *text = own ? arena_format(&reader->arena, "(%s)", own->text)
                         : arena_format(&reader->arena, "(%.17g[%s])", *number, unit);
  if (!text) base_no_memory(reader->error);
  return text ? text : "0";
}


artStatus reader_compose(modelReader *reader, double *number, artPlace place, const char *format,
                         ...)
{
  char text[FORMULA_LONGEST];
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (length < 0 || length >= FORMULA_LONGEST) {
    return READER_FAIL(reader, place, "the formulas here are longer than %d characters together",
                       FORMULA_LONGEST);
  }
  const liveNumber own = {.number = number,
                          .text = arena_text(&reader->arena, text),
                          .place = place,
                          .section = reader->section,
                          .scope = reader->file};
  if (!own.text) return base_no_memory(reader->error);
  return live_add(reader->builder, &own);
}


//---- parsing -------------------------------------------------------------------------------------

// Dimensions have been checked with the values; here a name goes with everything.
static int find_slot(void *context, const char *reference, artPlace place, formulaSymbol *found,
                     artError *error)
{
  (void) place;
  (void) error;
  const readerParameter *parameter = reader_find_parameter(context, reference);
  if (!parameter) return 0;
  *found = (formulaSymbol){.slot = parameter->number, .dimension = UNIT_ANY};
  return 1;
}


static artStatus parse(modelReader *reader, const formula **out, const char *text, artPlace place,
                       const readerFile *file)
{
  const formulaScope scope = {
      .find = find_slot, .context = (void *) (uintptr_t) file, .slots_are_constant = 1};
  formula *parsed = NULL;
  const artStatus status =
      formula_parse(&parsed, &reader->builder->arena, text, place, &scope, UNIT_ANY, reader->error);
  *out = parsed;
  return status;
}


static artStatus parse_parameters(modelReader *reader, const readerFile *file)
{
  artStatus status = ART_OK;
  for (int i = 0; i < file->nparameter && !status; i++) {
    const readerParameter *p = &file->parameter[i];
    if (!p->source.text) continue;
    const formula *own = NULL;
    status = parse(reader, &own, p->source.text, p->source.place, p->source.file);
    if (p->is_set) continue; // it is a number, with a formula in the same memory that nobody reads
    RECORD(reader->builder->parameters, parameterRecord, p->number)->formula = own;
  }
  for (const readerFile *child = file->first; child && !status; child = child->next) {
    status = parse_parameters(reader, child);
  }
  return status;
}


artStatus reader_parse_live(modelReader *reader, const readerFile *file)
{
  artBuilder *b = reader->builder;
  live_begin(b);
  artStatus status = parse_parameters(reader, file);
  for (int i = 0; i < b->live.count && !status; i++) {
    liveNumber *own = RECORD(b->live, liveNumber, i);
    status = parse(reader, &own->formula, own->text, own->place, own->scope);
  }
  return status;
}
