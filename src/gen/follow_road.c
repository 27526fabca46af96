// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which numbers of definitions become which numbers of roads: of those with equations in numbers of their own. Lines,
// arcs and splines through points are laid when the road is made; random roads and tracks are functions with data.
#include "gen/definition.h"
#include "gen/lay_symbolic.h"
#include "gen/road_symbolic.h"
#include "tyre/edges.h"

static void follow_same(genBuild *b, const double *compiled, const double *number)
{
  gen_follow(b, compiled, 1, number, NULL);
}


static void follow_plane(genBuild *b, const planeRoad *road, const artPlaneRoad *def)
{
  follow_same(b, &road->height, &def->height);
  follow_same(b, &road->grade, &def->grade);
  follow_same(b, &road->bank, &def->bank);
}


static void follow_bump(genBuild *b, const bumpRoad *road, const artBumpRoad *def)
{
  const int is_apart = road->last > 0 && def->spacing != 0;
  follow_same(b, &road->start, &def->start);
  follow_same(b, &road->length, &def->length);
  follow_same(b, &road->height, &def->height);
  follow_same(b, &road->spacing, is_apart ? &def->spacing : &def->length);
}

//---- waves ---------------------------------------------------------------------------------------

// k = 2 pi/wavelength
static int wave_number(genBuild *b, const double *wavelength)
{
  exprPool *pool = b->definitions->pool;
  return expr_div(pool, expr_constant(pool, 0x1.921fb54442d18p+2), gen_laid_number(b, wavelength));
}


static int first_wave(genBuild *b, const void *def)
{
  return wave_number(b, &((const artSineRoad *) def)->wavelength);
}


// (k_last - k)/length
static int wave_change(genBuild *b, const void *from)
{
  const artSineRoad *def = from;
  exprPool *pool = b->definitions->pool;
  const int change = expr_sub(pool, wave_number(b, &def->last_wavelength), first_wave(b, def));
  return expr_div(pool, change, gen_laid_number(b, &def->length));
}


// whether there is an end of the waves, and another length there, is decided once
static void follow_sine(genBuild *b, const sineRoad *road, const artSineRoad *def)
{
  follow_same(b, &road->amplitude, &def->amplitude);
  follow_same(b, &road->phase, &def->phase);
  follow_same(b, &road->start, &def->start);
  follow_same(b, &road->blend, &def->blend);
  gen_follow_number(b, &def->wavelength);
  gen_add_term(b, &(followTerm){.compiled = &road->k, .make = first_wave, .def = def});
  if (def->length > 0) follow_same(b, &road->length, &def->length);
  if (!(def->last_wavelength > 0)) return;
  gen_follow_number(b, &def->last_wavelength);
  gen_add_term(b, &(followTerm){.compiled = &road->dk, .make = wave_change, .def = def});
}

//---- roads that are moved ------------------------------------------------------------------------

static int heading_of(genBuild *b, const void *def)
{
  return gen_laid_number(b, &((const artPlacedRoad *) def)->heading);
}


static int heading_cosine(genBuild *b, const void *def)
{
  return expr_cos(b->definitions->pool, heading_of(b, def));
}


static int heading_sine(genBuild *b, const void *def)
{
  return expr_sin(b->definitions->pool, heading_of(b, def));
}


static void follow_placed(genBuild *b, const placedRoad *road, const artPlacedRoad *def)
{
  follow_same(b, &road->x, &def->position[0]);
  follow_same(b, &road->y, &def->position[1]);
  follow_same(b, &road->z, &def->position[2]);
  gen_follow_number(b, &def->heading);
  gen_add_term(b, &(followTerm){.compiled = &road->c, .make = heading_cosine, .def = def});
  gen_add_term(b, &(followTerm){.compiled = &road->s, .make = heading_sine, .def = def});
}

//---- all -----------------------------------------------------------------------------------------

static int has_part(const artRoad *road, const artRoad *part)
{
  if (road == part) return 1;
  if (road->kind == ROAD_PLACED) return has_part(((const placedRoad *) road)->part, part);
  const sumRoad *sum = (const sumRoad *) road;
  for (int i = 0; road->kind == ROAD_SUM && i < sum->count; i++) {
    if (has_part(sum->parts[i], part)) return 1;
  }
  const tracksRoad *tracks = (const tracksRoad *) road;
  for (int i = 0; road->kind == ROAD_TRACKS && i < tracks->count; i++) {
    if (has_part(tracks->tracks[i].road, part)) return 1;
  }
  return road->kind == ROAD_TRACKS && tracks->ground && has_part(tracks->ground, part);
}


// parts of roads that are data, and of those whose corners wheels touch at several places, which are decided once
static int is_fixed(const genBuild *b, const artRoad *road)
{
  roadProfile profile;
  for (int i = 0; i < b->m->nroad; i++) {
    const artRoad *whole = b->m->road[i];
    if (!sym_road_has_equations(whole) && has_part(whole, road)) return 1;
  }
  for (int i = 0; i < b->m->nelement; i++) {
    const modelElement *e = &b->m->element[i];
    if (!e->tyre || !e->road || !has_part(e->road, road)) continue;
    if (tyre_meets_edges(e->tyre, e->road, &profile)) return 1;
  }
  return 0;
}


void gen_follow_roads(genBuild *b)
{
  const recordList *list = &b->m->records->roads;
  for (int i = 0; i < list->count; i++) {
    const roadRecord *record = RECORD(*list, roadRecord, i);
    const artRoad *road = record->road;
    if (!record->def || is_fixed(b, road)) continue;
    if (road->kind == ROAD_PLANE) follow_plane(b, (const planeRoad *) road, record->def);
    if (road->kind == ROAD_BUMP) follow_bump(b, (const bumpRoad *) road, record->def);
    if (road->kind == ROAD_SINE) follow_sine(b, (const sineRoad *) road, record->def);
    if (road->kind == ROAD_PLACED) follow_placed(b, (const placedRoad *) road, record->def);
  }
}
