// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers of roads as data in C, for texts that hold the functions of src/road.
#include <math.h>

#include "base/format.h"
#include "base/memory.h"
#include "gen/gen.h"
#include "road/road_kinds.h"

enum { MAX_ROADS = 500 };

typedef struct roadPrinter {
  FILE *out;
  const char *name;               // of the machine
  int count;                      // roads so far,
  const artRoad *road[MAX_ROADS]; // each once
} roadPrinter;


static void print_number(FILE *out, double x)
{
  format_stream(out, "%.17g", isfinite(x) ? x : 0);
}


static void print_list(FILE *out, const char *type, int road, const char *list, long n,
                       const double *x)
{
  fprintf(out, "static %sdouble road_%d_%s[] = {", type, road, list);
  for (long i = 0; i < n; i++) {
    fputs(i % 4 == 0 ? "\n    " : " ", out);
    print_number(out, x[i]);
    fputc(',', out);
  }
  fputs("};\n", out);
}


// a struct of the kind with its function, then numbers in their order
static void begin_road_data(const roadPrinter *p, const char *kind, int road, const char *function)
{
  fprintf(p->out, "static const %sRoad road_%d = {{%s_%s_height}", kind, road, p->name, function);
}


static void print_road_numbers(FILE *out, int n, const double *x)
{
  for (int i = 0; i < n; i++) {
    fputs(", ", out);
    print_number(out, x[i]);
  }
}


static int print_road(roadPrinter *p, const artRoad *road);


static void print_polyline(const roadPrinter *p, int k, const polylineRoad *x)
{
  print_list(p->out, "", k, "knot", x->nknot, x->knot);
  fprintf(p->out, "static polyPiece road_%d_piece[] = {", k);
  for (int i = 0; i <= x->nknot; i++) {
    const polyPiece *q = &x->piece[i];
    const double numbers[] = {q->x, q->z, q->c, q->s, q->radius, q->bend};
    fputs("\n    {", p->out);
    for (int j = 0; j < 6; j++) {
      if (j > 0) fputs(", ", p->out);
      print_number(p->out, numbers[j]);
    }
    fputs("},", p->out);
  }
  fputs("};\n", p->out);
  begin_road_data(p, "polyline", k, "polyline");
  fprintf(p->out, ", %d, road_%d_knot, road_%d_piece, 0};\n\n", x->nknot, k, k);
}


static void print_spline(const roadPrinter *p, int k, const splineRoad *x)
{
  print_list(p->out, "", k, "x", x->n, x->x);
  print_list(p->out, "", k, "number", (long) SPLINE_NUMBERS * (x->n + 1), x->number);
  begin_road_data(p, "spline", k, "spline");
  fprintf(p->out, ", %d, road_%d_x, road_%d_number};\n\n", x->n, k, k);
}


static void print_random(const roadPrinter *p, int k, const randomRoad *x)
{
  const int is_single = x->left == x->right;
  const double numbers[] = {x->track, x->start, x->blend};
  print_list(p->out, "const ", k, "left", x->n + 3L, x->left);
  if (!is_single) print_list(p->out, "const ", k, "right", x->n + 3L, x->right);
  begin_road_data(p, "random", k, "random");
  fprintf(p->out, ", %d, ", x->n);
  print_number(p->out, x->period);
  fprintf(p->out, ", road_%d_left, road_%d_%s", k, k, is_single ? "left" : "right");
  print_road_numbers(p->out, 3, numbers);
  fputs("};\n\n", p->out);
}


static void print_tracks(roadPrinter *p, int k, const tracksRoad *x)
{
  fprintf(p->out, "static const artRoadTrack road_%d_tracks[] = {", k);
  for (int i = 0; i < x->count; i++) {
    fputs("\n    {", p->out);
    print_number(p->out, x->tracks[i].from);
    fputs(", ", p->out);
    print_number(p->out, x->tracks[i].to);
    fprintf(p->out, ", &road_%d.road},", print_road(p, x->tracks[i].road));
  }
  fputs("};\n", p->out);
  begin_road_data(p, "tracks", k, "tracks");
  fprintf(p->out, ", %d, road_%d_tracks", x->count, k);
  print_road_numbers(p->out, 1, &x->blend);
  if (x->ground) {
    fprintf(p->out, ", &road_%d.road};\n\n", print_road(p, x->ground));
  } else {
    fputs(", NULL};\n\n", p->out);
  }
}


static void print_sum(roadPrinter *p, int k, const sumRoad *x)
{
  fprintf(p->out, "static const artRoad *const road_%d_parts[] = {", k);
  for (int i = 0; i < x->count; i++) {
    fprintf(p->out, "%s&road_%d.road", i ? ", " : "", print_road(p, x->parts[i]));
  }
  fputs("};\n", p->out);
  begin_road_data(p, "sum", k, "sum");
  fprintf(p->out, ", %d, road_%d_parts, NULL};\n\n", x->count, k);
}


static void print_plain(const roadPrinter *p, const char *kind, int k, int n, const double *x)
{
  begin_road_data(p, kind, k, kind);
  print_road_numbers(p->out, n, x);
  fputs("};\n\n", p->out);
}


// parts before roads that are made of them
static void print_parts(roadPrinter *p, const artRoad *road)
{
  const tracksRoad *tracks = (const tracksRoad *) road;
  const sumRoad *sum = (const sumRoad *) road;
  if (road->kind == ROAD_PLACED) print_road(p, ((const placedRoad *) road)->part);
  for (int i = 0; road->kind == ROAD_SUM && i < sum->count; i++) print_road(p, sum->parts[i]);
  if (road->kind != ROAD_TRACKS) return;
  if (tracks->ground) print_road(p, tracks->ground);
  for (int i = 0; i < tracks->count; i++) print_road(p, tracks->tracks[i].road);
}


// the number of a road, which is printed unless it was before
static int print_road(roadPrinter *p, const artRoad *road)
{
  for (int i = 0; i < p->count; i++) {
    if (p->road[i] == road) return i;
  }
  print_parts(p, road);
  if (p->count == MAX_ROADS) return 0;
  const int k = p->count++;
  p->road[k] = road;
  switch (road->kind) {
  case ROAD_PLANE: {
    const planeRoad *x = (const planeRoad *) road;
    print_plain(p, "plane", k, 3, (const double[]){x->height, x->grade, x->bank});
    break;
  }
  case ROAD_BUMP: {
    const bumpRoad *x = (const bumpRoad *) road;
    print_plain(p, "bump", k, 5,
                (const double[]){x->start, x->length, x->height, x->spacing, x->last});
    break;
  }
  case ROAD_SINE: {
    const sineRoad *x = (const sineRoad *) road;
    print_plain(
        p, "sine", k, 7,
        (const double[]){x->amplitude, x->phase, x->k, x->dk, x->start, x->length, x->blend});
    break;
  }
  case ROAD_POLYLINE: print_polyline(p, k, (const polylineRoad *) road); break;
  case ROAD_SPLINE: print_spline(p, k, (const splineRoad *) road); break;
  case ROAD_PLACED: {
    const placedRoad *x = (const placedRoad *) road;
    begin_road_data(p, "placed", k, "placed");
    fprintf(p->out, ", &road_%d.road", print_road(p, x->part));
    print_road_numbers(p->out, 5, (const double[]){x->x, x->y, x->z, x->c, x->s});
    fputs("};\n\n", p->out);
    break;
  }
  case ROAD_SUM: print_sum(p, k, (const sumRoad *) road); break;
  case ROAD_RANDOM: print_random(p, k, (const randomRoad *) road); break;
  case ROAD_TRACKS: print_tracks(p, k, (const tracksRoad *) road); break;
  case ROAD_FUNCTION: break; // its equations are calls
  }
  return k;
}


int gen_print_roads(FILE *out, const char *name, int n, const artRoad *const *road, int *number)
{
  roadPrinter *p = mem_alloc(1, sizeof *p);
  if (!p) return 0;
  p->out = out;
  p->name = name;
  for (int i = 0; i < n; i++) number[i] = print_road(p, road[i]);
  const int fits = p->count < MAX_ROADS;
  mem_free(p);
  return fits;
}
