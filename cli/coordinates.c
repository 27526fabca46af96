// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Natural coordinates of a model in short.
#include "loops.h"

#include "natural/natural.h"


int coordinates_examine(cliCoordinates *c, const artModel *m, artData *d, artError *error)
{
  *c = (cliCoordinates){0};
  naturalMachine *machine = NULL;
  if (natural_create(&machine, m, d, NATURAL_AUTOMATIC, &c->error) == ART_OK) {
    c->is_planar = machine->is_planar;
    c->items = machine->nitem;
    c->shared = machine->nshared;
    c->coordinates = machine->s->n;
    c->rows = machine->s->nrow;
  }
  natural_destroy(machine);
  if (c->error.status != ART_NO_MEMORY) return 1;
  *error = c->error;
  return 0;
}


void coordinates_tell(cliReport *report, const cliCoordinates *c)
{
  json_object(report, "natural_coordinates");
  if (c->error.status) {
    tell(report, "error: %s", "none: %s\n", c->error.text);
  } else {
    json_fields(report, "planar: %i, items: %d, shared: %d, coordinates: %d, rows: %d",
                c->is_planar, c->items, c->shared, c->coordinates, c->rows);
    say(report, "%d in %s: %d points and vectors, shared %d times; %d constraint rows\n",
        c->coordinates, c->is_planar ? "the plane" : "space", c->items, c->shared, c->rows);
  }
  json_end(report);
}
