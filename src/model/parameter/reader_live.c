// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Formulas of numbers that come from parameters, kept as texts while the file is read, and parsed with parameters as
// slots once all of them have their numbers.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "base/format.h"
#include "model/define/records.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"


void reader_keep_live(modelReader *reader, double *number)
{
  const readerSource *source = &reader->source;
  if (!source->text) return;
  const liveNumber own = {.number = number,
                          .text = source->text,
                          .place = source->place,
                          .section = reader->section,
                          .scope = source->file};
  reader_built(reader, live_add(reader->builder, &own));
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
  return own ? arena_format(&reader->arena, "(%s)", own->text)
             : arena_format(&reader->arena, "(%.17g[%s])", *number, unit);
}


void reader_compose(modelReader *reader, double *number, artPlace place, const char *format, ...)
{
  char text[FORMULA_LONGEST];
  va_list args;
  va_start(args, format);
  const int length = format_text_list(text, sizeof text, format, args);
  va_end(args);
  if (length < 0 || length >= FORMULA_LONGEST) {
    error_refuse(place, "the formulas here are longer than %d characters together",
                 FORMULA_LONGEST);
  }
  const liveNumber own = {.number = number,
                          .text = arena_text(&reader->arena, text),
                          .place = place,
                          .section = reader->section,
                          .scope = reader->file};
  reader_built(reader, live_add(reader->builder, &own));
}


//---- parsing -------------------------------------------------------------------------------------

// Dimensions have been checked with the values; here a name goes with everything.
static int find_parameter_slot(void *context, const char *reference, artPlace place,
                               formulaSymbol *found)
{
  (void) place;
  const readerParameter *parameter = reader_find_parameter(context, reference);
  if (!parameter) return 0;
  *found = (formulaSymbol){.slot = parameter->number, .dimension = UNIT_ANY};
  return 1;
}


static const formula *parse_live_formula(modelReader *reader, const char *text, artPlace place,
                                         const readerFile *file)
{
  const formulaScope scope = {
      .find = find_parameter_slot, .context = (void *) (uintptr_t) file, .slots_are_constant = 1};
  formula *parsed = NULL;
  error_check(formula_parse(&parsed, &reader->builder->arena, text, place, &scope, UNIT_ANY,
                            error_current()));
  return parsed;
}


static void parse_parameters(modelReader *reader, const readerFile *file)
{
  for (int i = 0; i < file->nparameter; i++) {
    const readerParameter *p = &file->parameter[i];
    if (!p->source.text) continue;
    const formula *own =
        parse_live_formula(reader, p->source.text, p->source.place, p->source.file);
    if (p->is_set) continue; // it is a number, with a formula in the same memory that nobody reads
    RECORD(reader->builder->parameters, parameterRecord, p->number)->formula = own;
  }
  for (const readerFile *child = file->first; child; child = child->next) {
    parse_parameters(reader, child);
  }
}


void reader_parse_live(modelReader *reader, const readerFile *file)
{
  artBuilder *b = reader->builder;
  live_begin(b);
  parse_parameters(reader, file);
  for (int i = 0; i < b->live.count; i++) {
    liveNumber *own = RECORD(b->live, liveNumber, i);
    own->formula = parse_live_formula(reader, own->text, own->place, own->scope);
  }
}
