// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Draws the pictures of doc/reference/model/roads.md, one SVG for each kind of road: tools/draw-roads.sh
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "articula/road.h"

enum { WIDTH = 640, HEIGHT = 190, LEFT = 52, RIGHT = 16, TOP = 26, BOTTOM = 34 };

static const char *folder;
static const char *const colours[] = {"#1f5fa8", "#c2571a", "#3d8c40"};


// a mistake in this program's own roads
static void must(artStatus status, const artError *error)
{
  if (status == ART_OK) return;
  fprintf(stderr, "draw-roads: %s\n", error->text);
  exit(1);
}


static double height_at(const artRoad *road, double x, double y)
{
  artRoadPoint point;
  art_evaluate_road(road, x, y, &point);
  return point.z;
}

//---- profiles ------------------------------------------------------------------------------------

// Heights along x, between the given bounds: a curve for each road.
typedef struct sheet {
  const char *name, *title;
  double from, to, low, high; // m
  double x_tick, z_tick;      // m
  FILE *file;
} sheet;


static double across(const sheet *s, double x)
{
  return LEFT + (x - s->from) / (s->to - s->from) * (WIDTH - LEFT - RIGHT);
}


static double up(const sheet *s, double z)
{
  return HEIGHT - BOTTOM - (z - s->low) / (s->high - s->low) * (HEIGHT - TOP - BOTTOM);
}


static void open_picture(sheet *s, int height)
{
  char path[1024];
  snprintf(path, sizeof path, "%s/road-%s.svg", folder, s->name);
  s->file = fopen(path, "w");
  if (!s->file) {
    perror(path);
    exit(1);
  }
  fprintf(s->file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
          "font-family=\"sans-serif\" "
          "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
          "<text x=\"%d\" y=\"16\" font-size=\"12\">%s</text>\n",
          WIDTH, height, LEFT, s->title);
}


static void close_picture(sheet *s)
{
  fprintf(s->file, "</svg>\n");
  if (fclose(s->file)) perror(s->name);
}


static void open_sheet(sheet *s)
{
  open_picture(s, HEIGHT);
  fprintf(s->file, "<g stroke=\"#ddd\" fill=\"#444\">\n");
  for (int k = 0; s->from + k * s->x_tick <= s->to * (1 + 1e-9); k++) {
    const double x = s->from + k * s->x_tick, px = across(s, x);
    fprintf(s->file,
            "<path d=\"M%.1f %d V%d\"/><text stroke=\"none\" x=\"%.1f\" y=\"%d\" "
            "text-anchor=\"middle\">%g</text>\n",
            px, TOP, HEIGHT - BOTTOM, px, HEIGHT - BOTTOM + 14, x);
  }
  for (int k = 0; s->low + k * s->z_tick <= s->high + 1e-9; k++) {
    const double z = s->low + k * s->z_tick, pz = up(s, z);
    fprintf(s->file,
            "<path d=\"M%d %.1f H%d\"/><text stroke=\"none\" x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%g</text>\n",
            LEFT, pz, WIDTH - RIGHT, LEFT - 6, pz + 4, fabs(z) < 1e-12 ? 0 : z);
  }
  const double per_x = (WIDTH - LEFT - RIGHT) / (s->to - s->from);
  const double per_z = (HEIGHT - TOP - BOTTOM) / (s->high - s->low);
  fprintf(s->file,
          "<text stroke=\"none\" x=\"%d\" y=\"%d\" text-anchor=\"end\">x, z in m; heights "
          "times %.*f</text>\n</g>\n",
          WIDTH - RIGHT, HEIGHT - 6, per_z < 10 * per_x, per_z / per_x);
}


static void draw_curve(sheet *s, const artRoad *road, double y, int colour, const char *what)
{
  enum { POINTS = 450 };
  fprintf(s->file, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" d=\"", colours[colour]);
  for (int i = 0; i <= POINTS; i++) {
    const double x = s->from + (s->to - s->from) * i / POINTS;
    fprintf(s->file, "%c%.1f %.1f", i ? 'L' : 'M', across(s, x), up(s, height_at(road, x, y)));
  }
  fprintf(s->file, "\"/>\n");
  if (what) {
    fprintf(s->file, "<text x=\"%d\" y=\"16\" text-anchor=\"end\" fill=\"%s\">%s</text>\n",
            WIDTH - RIGHT - 90 * (1 - colour), colours[colour], what);
  }
}


static void draw_profile(sheet s, const artRoad *road)
{
  open_sheet(&s);
  draw_curve(&s, road, 0, 0, NULL);
  close_picture(&s);
}

//---- surfaces ------------------------------------------------------------------------------------


// a point of space on paper, seen from the right and from above
static void put(sheet *s, char letter, double x, double y, double z)
{
  const double scale = 44, high = s->z_tick; // how much larger heights are drawn
  fprintf(s->file, "%c%.1f %.1f", letter, 60 + scale * (x + 0.55 * (y + 2)),
          165 - scale * (0.42 * (y + 2) + high * z));
}


// lines along x over 0 <= x <= 10 m, from the left edge y = 2 m to the right one; what stands in front
// covers what is behind
static void draw_surface(sheet s, const artRoad *road)
{
  enum { LINES = 20, POINTS = 100 };
  open_picture(&s, 205);
  fprintf(s.file, "<g fill=\"#fff\" stroke=\"%s\">\n", colours[0]);
  for (int j = 0; j <= LINES; j++) {
    const double y = 2 - 4.0 * j / LINES;
    fprintf(s.file, "<path d=\"");
    for (int i = 0; i <= POINTS; i++) {
      const double x = 10.0 * i / POINTS;
      put(&s, i ? 'L' : 'M', x, y, height_at(road, x, y));
    }
    fprintf(s.file, "\"/>\n");
  }
  fprintf(s.file,
          "</g>\n<text x=\"620\" y=\"197\" text-anchor=\"end\" fill=\"#444\">x from 0 to 10 m to "
          "the right, "
          "y from -2 to 2 m into the picture; heights times %g</text>\n",
          s.z_tick);
  close_picture(&s);
}

//---- the pictures --------------------------------------------------------------------------------


static void draw_shapes(void)
{
  artError error = {0};
  artRoad *r;
  must(art_create_plane_road(&r, &(artPlaneRoad){.grade = 0.1, .bank = 0.15}, &error), &error);
  draw_surface((sheet){.name = "plane", .title = "plane: grade 0.1, bank 0.15", .z_tick = 1}, r);
  art_free_road(r);

  must(art_create_bump_road(&r, &(artBumpRoad){.start = 4, .length = 2, .height = 0.1}, &error),
       &error);
  draw_profile((sheet){"bump", "bump: length 2, height 0.1", 0, 10, 0, 0.12, 1, 0.04, NULL}, r);
  art_free_road(r);

  const artBumpRoad row = {.start = 2, .length = 0.9, .height = 0.07, .count = 4, .spacing = 4.5};
  must(art_create_bump_road(&r, &row, &error), &error);
  draw_profile((sheet){"bumps", "four speed bumps, 4.5 apart", 0, 20, 0, 0.09, 2, 0.03, NULL}, r);
  art_free_road(r);

  const artRampRoad ramp = {
      .start = 1, .up = 3, .plateau = 2, .down = 1.5, .height = 0.6, .radius = 1.5};
  must(art_create_ramp_road(&r, &ramp, &error), &error);
  draw_profile(
      (sheet){"ramp", "ramp: up 3, plateau 2, down 1.5, radius 1.5", 0, 10, 0, 0.8, 1, 0.2, NULL},
      r);
  art_free_road(r);

  const artStairsRoad stairs = {
      .start = 0.5, .count = 5, .rise = 0.15, .tread = 0.6, .riser = 0.08, .radius = 0.06};
  must(art_create_stairs_road(&r, &stairs, &error), &error);
  draw_profile((sheet){"stairs", "stairs: rise 0.15, tread 0.6, riser 0.08, radius 0.06", 0, 4, 0,
                       0.9, 0.5, 0.15, NULL},
               r);
  art_free_road(r);
}


static void draw_waves(void)
{
  artError error = {0};
  artRoad *r;
  const artSineRoad sine = {
      .amplitude = 0.02, .wavelength = 3, .start = 2, .length = 16, .blend = 3};
  must(art_create_sine_road(&r, &sine, &error), &error);
  draw_profile((sheet){"sine", "sine: wavelength 3, on 2 to 18 with blends of 3", 0, 20, -0.03,
                       0.03, 2, 0.01, NULL},
               r);
  art_free_road(r);

  const artSineRoad sweep = {.amplitude = 0.02,
                             .wavelength = 6,
                             .last_wavelength = 0.5,
                             .start = 1,
                             .length = 18,
                             .blend = 1.5};
  must(art_create_sine_road(&r, &sweep, &error), &error);
  draw_profile((sheet){"sweep", "sweep: wavelength 6 to 0.5", 0, 20, -0.03, 0.03, 2, 0.01, NULL},
               r);
  art_free_road(r);

  const artRandomRoad random = {
      .iso_class = 'C', .seed = 1, .track = 1.5, .coherence = 0.8, .start = 10, .blend = 10};
  must(art_create_random_road(&r, &random, &error), &error);
  sheet s = {"random", "random: class C, seed 1, coherence 0.8", 0, 100, -0.08, 0.08, 10, 0.04,
             NULL};
  open_sheet(&s);
  draw_curve(&s, r, 0.75, 0, "left track");
  draw_curve(&s, r, -0.75, 1, "right track");
  close_picture(&s);
  art_free_road(r);
}


static void draw_tables(void)
{
  artError error = {0};
  artRoad *cubic, *linear;
  static const double x[] = {1, 2, 3, 5, 8, 9}, z[] = {0, 0.2, 0.15, 0, -0.05, 0.1};
  artTableRoad def = {.count = 6, .distance = x, .height = z};
  must(art_create_table_road(&cubic, &def, &error), &error);
  def.curve = ART_ROAD_LINEAR;
  must(art_create_table_road(&linear, &def, &error), &error);

  sheet s = {"table", "tables through the same six points", 0, 10, -0.15, 0.25, 1, 0.05, NULL};
  open_sheet(&s);
  draw_curve(&s, cubic, 0, 0, "cubic");
  draw_curve(&s, linear, 0, 1, "linear");
  for (int i = 0; i < 6; i++) {
    fprintf(s.file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"#222\"/>\n", across(&s, x[i]),
            up(&s, z[i]));
  }
  close_picture(&s);
  art_free_road(cubic);
  art_free_road(linear);
}


static void draw_compositions(void)
{
  artError error = {0};
  artRoad *ramp, *row, *plane, *tracks, *sum, *two, *placed;
  const artRampRoad ramp_def = {
      .start = 2, .up = 2, .plateau = 3, .down = 2, .height = 0.4, .radius = 0.8};
  const artBumpRoad row_def = {.start = 1, .length = 1, .height = 0.25, .count = 4, .spacing = 2.2};
  must(art_create_ramp_road(&ramp, &ramp_def, &error), &error);
  must(art_create_bump_road(&row, &row_def, &error), &error);
  must(art_create_plane_road(&plane, &(artPlaneRoad){.grade = 0.06, .bank = 0.1}, &error), &error);

  const artRoadTrack pair[] = {{-1.4, -0.4, ramp}, {0.4, 1.4, row}};
  const artTracksRoad tracks_def = {.count = 2, .tracks = pair, .blend = 0.3};
  must(art_create_tracks_road(&tracks, &tracks_def, &error), &error);
  draw_surface((sheet){.name = "tracks",
                       .title = "tracks: a ramp on the right, bumps on the left",
                       .z_tick = 1.5},
               tracks);

  const artRoad *const parts[] = {tracks, plane};
  must(art_create_sum_road(&sum, &(artSumRoad){.count = 2, .parts = parts}, &error), &error);
  draw_surface((sheet){.name = "sum", .title = "sum of those tracks and a plane", .z_tick = 1.5},
               sum);

  const artBumpRoad two_def = {.start = 1, .length = 1, .height = 0.25, .count = 2, .spacing = 2.5};
  must(art_create_bump_road(&two, &two_def, &error), &error);
  const artPlacedRoad placed_def = {.road = two, .position = {2, 0, 0}, .heading = -0.6};
  must(art_create_placed_road(&placed, &placed_def, &error), &error);
  draw_surface((sheet){.name = "placed",
                       .title = "placed: two bumps at (2, 0) with a heading of -0.6 rad",
                       .z_tick = 1.5},
               placed);

  artRoad *const all[] = {placed, two, sum, tracks, plane, row, ramp};
  for (int i = 0; i < 7; i++) art_free_road(all[i]);
}


int main(int argc, char **argv)
{
  if (argc != 2) {
    fprintf(stderr, "usage: draw-roads FOLDER\n");
    return 2;
  }
  folder = argv[1];
  draw_shapes();
  draw_waves();
  draw_tables();
  draw_compositions();
  return 0;
}
