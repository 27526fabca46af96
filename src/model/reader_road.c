// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads of a model file; roads made of others name those that stand before them.
#include "model/reader.h"

#include <math.h>

#include "articula/road.h"
#include "model/records.h"

typedef struct roadText {
  artPlaneRoad plane;
  artBumpRoad bump;
  artRampRoad ramp;
  artStairsRoad stairs;
  artSineRoad sine;
  artRandomRoad random;
  artTableRoad table;
  readerRows profile;
  double count, seed;
  const char *iso_class, *part;
  const yamlNode *parts, *tracks;
  double blend;
  artPlacedRoad placed;
} roadText;

typedef struct trackText {
  const char *road;
  double from, to;
} trackText;


static const char *curve_word(int i)
{
  static const char *const words[] = {"cubic", "linear", NULL};
  return words[i];
}


// clang-format off
#define AT(field) offsetof(roadText, field)

static const fieldKey plane_keys[] = {
    {"height", KEY_NUMBER, Q_LENGTH, .offset = AT(plane.height), .fallback = "0", .help = "at x = y = 0"},
    {"grade", KEY_NUMBER, .offset = AT(plane.grade), .fallback = "0", .help = "slope along x: 0.1 climbs 10 %"},
    {"bank", KEY_NUMBER, .offset = AT(plane.bank), .fallback = "0", .help = "slope along y: positive where the left side is higher"},
    {0}};
static const fieldKey bump_keys[] = {
    {"start", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(bump.start), .help = "where the first bump begins"},
    {"length", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(bump.length), .help = "of a bump"},
    {"height", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(bump.height), .help = "of a bump; negative: a hole"},
    {"count", KEY_NUMBER, .above_zero = true, .offset = AT(count), .fallback = "1", .help = "number of bumps"},
    {"spacing", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = AT(bump.spacing), .fallback = "the length", .help = "from start to start"},
    {0}};
static const fieldKey ramp_keys[] = {
    {"start", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(ramp.start), .help = "where it begins"},
    {"up", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(ramp.up), .help = "length of the way up"},
    {"plateau", KEY_NUMBER, Q_LENGTH, .offset = AT(ramp.plateau), .fallback = "0", .help = "length of the level part"},
    {"down", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = AT(ramp.down), .fallback = "stays up", .help = "length of the way down"},
    {"height", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(ramp.height), .help = "negative: a trough"},
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(ramp.radius), .help = "of the rounded corners"},
    {0}};
static const fieldKey stairs_keys[] = {
    {"start", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(stairs.start), .help = "foot of the first riser"},
    {"count", KEY_NUMBER, .need = REQUIRED, .offset = AT(count), .help = "number of steps"},
    {"rise", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(stairs.rise), .help = "height of a step; negative: downwards"},
    {"tread", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(stairs.tread), .help = "from riser to riser"},
    {"riser", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(stairs.riser), .help = "length of a riser along x"},
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(stairs.radius), .help = "of the rounded edges"},
    {0}};
static const fieldKey sine_keys[] = {
    {"amplitude", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(sine.amplitude), .help = "of the waves"},
    {"wavelength", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(sine.wavelength), .help = "of the first wave"},
    {"last_wavelength", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = AT(sine.last_wavelength), .fallback = "the same", .help = "of the last wave: a sweep"},
    {"phase", KEY_NUMBER, Q_ANGLE, .offset = AT(sine.phase), .fallback = "0", .help = "at the start"},
    {"start", KEY_NUMBER, Q_LENGTH, .offset = AT(sine.start), .fallback = "0", .help = "where the waves begin"},
    {"length", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = AT(sine.length), .fallback = "without end", .help = "of the waves; a sweep needs it"},
    {"blend", KEY_NUMBER, Q_LENGTH, .offset = AT(sine.blend), .fallback = "0", .help = "over which they swell and fade; needed with a length"},
    {0}};
static const fieldKey random_keys[] = {
    {"class", KEY_TEXT, .need = ONE_OF, .offset = AT(iso_class), .rival = "roughness", .help = "of ISO 8608, A (very good) to H"},
    {"roughness", KEY_NUMBER, .need = ONE_OF, .offset = AT(random.roughness), .rival = "class", .help = "Gd(n0) in m^3 at 0.1 cycles/m"},
    {"seed", KEY_NUMBER, .offset = AT(seed), .fallback = "0", .help = "a whole number; the same seed gives the same road"},
    {"track", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = AT(random.track), .fallback = "one profile", .help = "distance of left and right profile"},
    {"coherence", KEY_NUMBER, .offset = AT(random.coherence), .fallback = "0", .help = "of the two profiles, 0 to 1"},
    {"period", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = AT(random.period), .fallback = "1024 m", .help = "after which the road repeats"},
    {"lowest", KEY_NUMBER, .above_zero = true, .offset = AT(random.lowest), .fallback = "0.011", .help = "wave number, cycles/m"},
    {"highest", KEY_NUMBER, .above_zero = true, .offset = AT(random.highest), .fallback = "2.83", .help = "wave number, cycles/m"},
    {"start", KEY_NUMBER, Q_LENGTH, .offset = AT(random.start), .fallback = "0", .help = "flat up to here, when there is a blend"},
    {"blend", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = AT(random.blend), .fallback = "no beginning", .help = "over which the profile grows to its height"},
    {0}};
static const fieldKey table_keys[] = {
    {"profile", KEY_PROFILE, Q_LENGTH, .need = REQUIRED, .offset = AT(profile), .help = "rows [distance, height]; level before and after"},
    {"curve", KEY_CHOICE, .offset = AT(table.curve), .choice = curve_word, .fallback = "cubic", .help = "through the points: a spline, or lines with rounded corners"},
    {"radius", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = AT(table.radius), .fallback = "as the lines allow", .help = "of the corners of lines"},
    {0}};
static const fieldKey tracks_keys[] = {
    {"tracks", KEY_TRACKS, .need = REQUIRED, .offset = AT(tracks), .help = "a list of {from, to, road}, from right to left"},
    {"blend", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = AT(blend), .help = "width over which one passes into the other"},
    {"ground", KEY_TEXT, .offset = AT(part), .fallback = "flat", .help = "the road outside of all tracks"},
    {0}};
static const fieldKey track_keys[] = {
    {"road", KEY_TEXT, .need = REQUIRED, .offset = offsetof(trackText, road), .help = "the road of this track"},
    {"from", KEY_NUMBER, Q_LENGTH, .offset = offsetof(trackText, from), .fallback = "without end", .help = "y of its right edge"},
    {"to", KEY_NUMBER, Q_LENGTH, .offset = offsetof(trackText, to), .fallback = "without end", .help = "y of its left edge"},
    {0}};
static const fieldKey sum_keys[] = {
    {"parts", KEY_NAMES, .need = REQUIRED, .offset = AT(parts), .help = "roads whose heights add up"},
    {0}};
static const fieldKey placed_keys[] = {
    {"road", KEY_TEXT, .need = REQUIRED, .offset = AT(part), .help = "the road that is moved"},
    {"position", KEY_VECTOR, Q_LENGTH, .offset = AT(placed.position), .fallback = "[0, 0, 0]", .help = "of its origin"},
    {"heading", KEY_NUMBER, Q_ANGLE, .offset = AT(placed.heading), .fallback = "0", .help = "of its x axis, positive to the left"},
    {0}};

#define FORM(word, text) \
  static const fieldForm word##_form = {.name = "road", .type = #word, .keys = word##_keys, .help = text}
FORM(plane, "A plane, level or inclined.");
FORM(bump, "Cosine bumps in a row.");
FORM(ramp, "Up, level, down, with rounded corners.");
FORM(stairs, "Steps with rounded edges.");
FORM(sine, "Waves, or a sweep.");
FORM(random, "A random profile of ISO 8608.");
FORM(table, "Heights over distances.");
FORM(tracks, "Roads side by side.");
FORM(sum, "Roads on top of each other.");
FORM(placed, "A road moved and turned.");
// clang-format on

const fieldForm reader_form_track = {.name = "track", .keys = track_keys, .is_part = true};

enum { PLANE, BUMP, RAMP, STAIRS, SINE, RANDOM, TABLE, TRACKS, SUM, PLACED };
const fieldForm *const reader_forms_road[] = {
    &plane_form, &bump_form,   &ramp_form, &stairs_form, &sine_form, &random_form,
    &table_form, &tracks_form, &sum_form,  &placed_form, NULL,
};


//---- roads made of others ------------------------------------------------------------------------

static artStatus find_road(modelReader *reader, const char *name, artPlace place,
                           const artRoad **road)
{
  *road = builder_find_road(reader->builder, name);
  if (*road) return ART_OK;
  return READER_FAIL(reader, place, "'%.60s' is no road that stands before this one", name);
}


static artStatus make_sum(modelReader *reader, const roadText *text, artRoadLabel label,
                          artRoad **road)
{
  const size_t n = (size_t) text->parts->count;
  const artRoad **parts = arena_alloc(&reader->arena, n, sizeof *parts);
  if (!parts) return base_no_memory(reader->error);
  artSumRoad def = {.label = label, .parts = parts};
  artStatus status = ART_OK;
  for (const yamlNode *item = text->parts->first; item && !status; item = item->next) {
    status = find_road(reader, item->text, item->place, &parts[def.count++]);
  }
  return status ? status : art_create_sum_road(road, &def, reader->error);
}


static artStatus read_track(modelReader *reader, const yamlNode *item, artRoadTrack *track)
{
  trackText text = {.from = -INFINITY, .to = INFINITY};
  const artStatus status = reader_read_form(reader, &reader_form_track, item, &text);
  if (status) return status;
  *track = (artRoadTrack){.from = text.from, .to = text.to};
  return find_road(reader, text.road, yaml_find(item, "road")->place, &track->road);
}


static artStatus make_tracks(modelReader *reader, const yamlNode *item, const roadText *text,
                             artRoadLabel label, artRoad **road)
{
  const size_t n = (size_t) text->tracks->count;
  artRoadTrack *tracks = arena_alloc(&reader->arena, n, sizeof *tracks);
  if (!tracks) return base_no_memory(reader->error);
  artTracksRoad def = {.label = label, .tracks = tracks, .blend = text->blend};
  artStatus status = ART_OK;
  for (const yamlNode *t = text->tracks->first; t && !status; t = t->next) {
    status = read_track(reader, t, &tracks[def.count++]);
  }
  if (!status && text->part) {
    status = find_road(reader, text->part, yaml_find(item, "ground")->place, &def.ground);
  }
  return status ? status : art_create_tracks_road(road, &def, reader->error);
}


static artStatus make_placed(modelReader *reader, const yamlNode *item, roadText *text,
                             artRoad **road)
{
  const artStatus status =
      find_road(reader, text->part, yaml_find(item, "road")->place, &text->placed.road);
  return status ? status : art_create_placed_road(road, &text->placed, reader->error);
}


//---- all -----------------------------------------------------------------------------------------

static artStatus take_whole(modelReader *reader, const yamlNode *item, const char *key, double x,
                            double most, double *whole)
{
  *whole = x;
  if (x == floor(x) && x >= 0 && x <= most) return ART_OK;
  return READER_FAIL(reader, yaml_find(item, key)->place,
                     "'%s' is %g, expected a whole number from 0 to %g", key, x, most);
}


static artStatus take_class(modelReader *reader, const yamlNode *item, roadText *text)
{
  if (!text->iso_class) return ART_OK;
  text->random.iso_class = text->iso_class[0];
  if (text->iso_class[1] == '\0') return ART_OK;
  return READER_FAIL(reader, yaml_find(item, "class")->place,
                     "'class' is '%.20s', expected a letter from A to H", text->iso_class);
}


static artStatus make_road(modelReader *reader, const yamlNode *item, int type, roadText *text,
                           artRoad **road)
{
  const artRoadLabel label = {item->key, item->key_place};
  text->plane.label = text->bump.label = text->ramp.label = text->stairs.label = label;
  text->sine.label = text->random.label = text->table.label = text->placed.label = label;
  artStatus status = ART_OK;
  switch (type) {
  case PLANE:
    return art_create_plane_road(road, &text->plane, reader->error);
  case BUMP:
    status = take_whole(reader, item, "count", text->count, 1e9, &text->count);
    text->bump.count = (int) text->count;
    return status ? status : art_create_bump_road(road, &text->bump, reader->error);
  case RAMP:
    return art_create_ramp_road(road, &text->ramp, reader->error);
  case STAIRS:
    status = take_whole(reader, item, "count", text->count, 1e9, &text->count);
    text->stairs.count = (int) text->count;
    return status ? status : art_create_stairs_road(road, &text->stairs, reader->error);
  case SINE:
    return art_create_sine_road(road, &text->sine, reader->error);
  case RANDOM:
    status = take_class(reader, item, text);
    if (!status) status = take_whole(reader, item, "seed", text->seed, 0x1p53, &text->seed);
    text->random.seed = (unsigned long long) text->seed;
    return status ? status : art_create_random_road(road, &text->random, reader->error);
  case TABLE:
    text->table.count = text->profile.n;
    text->table.distance = text->profile.x;
    text->table.height = text->profile.f;
    return art_create_table_road(road, &text->table, reader->error);
  case TRACKS:
    return make_tracks(reader, item, text, label, road);
  case SUM:
    return make_sum(reader, text, label, road);
  default:
    return make_placed(reader, item, text, road);
  }
}


static artStatus read_road(modelReader *reader, const yamlNode *item)
{
  int type = 0;
  roadText text = {.count = 1};
  artRoad *road = NULL;
  artStatus status = reader_check_name(reader, item, "a road", false);
  if (!status) status = reader_choose_form(reader, reader_forms_road, item, &type);
  if (!status) status = builder_at(reader->builder, item->key_place);
  if (!status) status = reader_read_form(reader, reader_forms_road[type], item, &text);
  if (!status) status = make_road(reader, item, type, &text, &road);
  if (!status) status = art_add_road(reader->builder, item->key, road);
  art_free_road(road);
  return status;
}


artStatus reader_read_roads(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of roads");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = read_road(reader, item);
  }
  return status;
}
