// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Roads: the fields of each type, their defaults, and their section in model files. Roads made of others name those
// that come before them. src/road checks the numbers when it makes a road.
#include <math.h>

#include "articula/road.h"
#include "base/throw.h"
#include "model/define/records.h"
#include "model/parameter/live.h"
#include "model/read/reader.h"


FIELD_WORDS(curve_word, "cubic", "linear")


FIELD_HAS_ROWS(artTableRoad, count, distance, height);

// clang-format off
static const fieldKey plane_keys[] = {
    {"height", KEY_NUMBER, Q_LENGTH, .offset = offsetof(artPlaneRoad, height), FALLBACK(0),
     .help = "at x = y = 0"},
    {"grade", KEY_NUMBER, .offset = offsetof(artPlaneRoad, grade), FALLBACK(0),
     .help = "slope along x: 0.1 climbs 10 %"},
    {"bank", KEY_NUMBER, .offset = offsetof(artPlaneRoad, bank), FALLBACK(0),
     .help = "slope along y: positive where the left side is higher"},
    {0}};
static const fieldKey bump_keys[] = {
    {"start", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artBumpRoad, start),
     .help = "where the first bump begins"},
    {"length", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artBumpRoad, length),
     .help = "of a bump"},
    {"height", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artBumpRoad, height),
     .help = "of a bump; negative: a hole"},
    {"count", KEY_WHOLE, .above_zero = true, .offset = offsetof(artBumpRoad, count), FALLBACK(1),
     .help = "number of bumps"},
    {"spacing", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(artBumpRoad, spacing), .fallback = "the length",
     .help = "from start to start"},
    {0}};
static const fieldKey ramp_keys[] = {
    {"start", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artRampRoad, start),
     .help = "where it begins"},
    {"up", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artRampRoad, up),
     .help = "length of the way up"},
    {"plateau", KEY_NUMBER, Q_LENGTH, .offset = offsetof(artRampRoad, plateau), FALLBACK(0),
     .help = "length of the level part"},
    {"down", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(artRampRoad, down), .fallback = "stays up",
     .help = "length of the way down"},
    {"height", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artRampRoad, height),
     .help = "negative: a trough"},
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artRampRoad, radius),
     .help = "of the rounded corners"},
    {0}};
static const fieldKey stairs_keys[] = {
    {"start", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artStairsRoad, start),
     .help = "foot of the first riser"},
    {"count", KEY_WHOLE, .need = REQUIRED, .offset = offsetof(artStairsRoad, count),
     .help = "number of steps"},
    {"rise", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artStairsRoad, rise),
     .help = "height of a step; negative: downwards"},
    {"tread", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artStairsRoad, tread),
     .help = "from riser to riser"},
    {"riser", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artStairsRoad, riser),
     .help = "length of a riser along x"},
    {"radius", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artStairsRoad, radius),
     .help = "of the rounded edges"},
    {0}};
static const fieldKey sine_keys[] = {
    {"amplitude", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artSineRoad, amplitude),
     .help = "of the waves"},
    {"wavelength", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artSineRoad, wavelength),
     .help = "of the first wave"},
    {"last_wavelength", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(artSineRoad, last_wavelength), .fallback = "the same",
     .help = "of the last wave: a sweep"},
    {"phase", KEY_NUMBER, Q_ANGLE, .offset = offsetof(artSineRoad, phase), FALLBACK(0),
     .help = "at the start"},
    {"start", KEY_NUMBER, Q_LENGTH, .offset = offsetof(artSineRoad, start), FALLBACK(0),
     .help = "where the waves begin"},
    {"length", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(artSineRoad, length), .fallback = "without end",
     .help = "of the waves; a sweep needs it"},
    {"blend", KEY_NUMBER, Q_LENGTH, .offset = offsetof(artSineRoad, blend), FALLBACK(0),
     .help = "over which they swell and fade; needed with a length"},
    {0}};
static const fieldKey random_keys[] = {
    {"class", KEY_LETTER, .need = ONE_OF, .offset = offsetof(artRandomRoad, iso_class), .rival = "roughness",
     .help = "of ISO 8608, A (very good) to H"},
    {"roughness", KEY_NUMBER, .need = ONE_OF, .offset = offsetof(artRandomRoad, roughness), .rival = "class",
     .help = "Gd(n0) in m^3 at 0.1 cycles/m"},
    {"seed", KEY_SEED, .offset = offsetof(artRandomRoad, seed), FALLBACK(0),
     .help = "a whole number; the same seed gives the same road"},
    {"track", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(artRandomRoad, track), .fallback = "one profile",
     .help = "distance of left and right profile"},
    {"coherence", KEY_NUMBER, .offset = offsetof(artRandomRoad, coherence), FALLBACK(0),
     .help = "of the two profiles, 0 to 1"},
    {"period", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(artRandomRoad, period), .fallback = "1024 m",
     .help = "after which the road repeats"},
    {"lowest", KEY_NUMBER, .above_zero = true, .offset = offsetof(artRandomRoad, lowest), .fallback = "0.011",
     .help = "wave number, cycles/m"},
    {"highest", KEY_NUMBER, .above_zero = true, .offset = offsetof(artRandomRoad, highest), .fallback = "2.83",
     .help = "wave number, cycles/m"},
    {"start", KEY_NUMBER, Q_LENGTH, .offset = offsetof(artRandomRoad, start), FALLBACK(0),
     .help = "flat up to here, when there is a blend"},
    {"blend", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(artRandomRoad, blend), .fallback = "no beginning",
     .help = "over which the profile grows to its height"},
    {0}};
static const fieldKey table_keys[] = {
    {"profile", KEY_PROFILE, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artTableRoad, count),
     .help = "rows [distance, height]; level before and after"},
    {"curve", KEY_CHOICE, .offset = offsetof(artTableRoad, curve), .choice = curve_word, .fallback = "cubic",
     .help = "through the points: a spline, or lines with rounded corners"},
    {"radius", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(artTableRoad, radius), .fallback = "as the lines allow",
     .help = "of the corners of lines"},
    {0}};
static const fieldKey tracks_keys[] = {
    {"tracks", KEY_TRACKS, .need = REQUIRED, .offset = offsetof(artTracksRoad, count),
     .help = "a list of {from, to, road}, from right to left"},
    {"blend", KEY_NUMBER, Q_LENGTH, .need = REQUIRED, .offset = offsetof(artTracksRoad, blend),
     .help = "width over which one passes into the other"},
    {"ground", KEY_PART, .offset = offsetof(artTracksRoad, ground), .fallback = "flat",
     .help = "the road outside of all tracks"},
    {0}};
static const fieldKey track_keys[] = {
    {"road", KEY_PART, .need = REQUIRED, .offset = offsetof(artRoadTrack, road),
     .help = "the road of this track"},
    {"from", KEY_NUMBER, Q_LENGTH, .offset = offsetof(artRoadTrack, from), .value = -INFINITY, .fallback = "without end",
     .help = "y of its right edge"},
    {"to", KEY_NUMBER, Q_LENGTH, .offset = offsetof(artRoadTrack, to), .value = INFINITY, .fallback = "without end",
     .help = "y of its left edge"},
    {0}};
static const fieldKey sum_keys[] = {
    {"parts", KEY_PARTS, .need = REQUIRED, .offset = offsetof(artSumRoad, count),
     .help = "roads whose heights add up"},
    {0}};
static const fieldKey placed_keys[] = {
    {"road", KEY_PART, .need = REQUIRED, .offset = offsetof(artPlacedRoad, road),
     .help = "the road that is moved"},
    {"position", KEY_VECTOR, Q_LENGTH, .offset = offsetof(artPlacedRoad, position), .fallback = "[0, 0, 0]",
     .help = "of its origin"},
    {"heading", KEY_NUMBER, Q_ANGLE, .offset = offsetof(artPlacedRoad, heading), FALLBACK(0),
     .help = "of its x axis, positive to the left"},
    {0}};
static const fieldKey function_keys[] = {
    {"function", KEY_FUNCTION, .need = REQUIRED, .offset = offsetof(artFunctionRoad, call),
     .help = "the name of a user function: x, y to z, dz/dx, dz/dy"},
    {"parameters", KEY_ARGUMENTS, Q_ANY, .offset = offsetof(artFunctionRoad, call),
     .help = "numbers that follow x and y, of any unit, at most 32"},
    {"resolution", KEY_NUMBER, Q_LENGTH, .above_zero = true, .offset = offsetof(artFunctionRoad, resolution), FALLBACK(0.01),
     .help = "steps look at points this far apart; what is shorter may be missed"},
    {0}};
// clang-format on

const fieldForm reader_form_track = {.name = "track", .keys = track_keys, .is_part = true};

// R has the word of a type, its definition, and help.
#define ROADS(R)                                                                                   \
  R(plane, artPlaneRoad, "A plane, level or inclined.")                                            \
  R(bump, artBumpRoad, "Cosine bumps in a row.")                                                   \
  R(ramp, artRampRoad, "Up, level, down, with rounded corners.")                                   \
  R(stairs, artStairsRoad, "Steps with rounded edges.")                                            \
  R(sine, artSineRoad, "Waves, or a sweep.")                                                       \
  R(random, artRandomRoad, "A random profile of ISO 8608.")                                        \
  R(table, artTableRoad, "Heights over distances.")                                                \
  R(tracks, artTracksRoad, "Roads side by side.")                                                  \
  R(sum, artSumRoad, "Roads on top of each other.")                                                \
  R(placed, artPlacedRoad, "A road moved and turned.")                                             \
  R(function, artFunctionRoad, "Heights by a function of the user.")

#define DEFINE(word, T, text)                                                                      \
  static const fieldForm word##_form = {                                                           \
      .name = "road", .type = #word, .keys = word##_keys, .help = text};                           \
  T art_default_##word##_road(void)                                                                \
  {                                                                                                \
    T def = {.label = {0}};                                                                        \
    field_set_defaults(&word##_form, &def);                                                        \
    return def;                                                                                    \
  }                                                                                                \
  static artStatus create_##word(artRoad **road, const void *def, artError *error)                 \
  {                                                                                                \
    return art_create_##word##_road(road, def, error);                                             \
  }
ROADS(DEFINE)

#define FORM(word, T, text) &word##_form,
const fieldForm *const reader_forms_road[] = {ROADS(FORM) NULL};


typedef union roadText {
#define MEMBER(word, T, text) T word;
  ROADS(MEMBER)
} roadText;


// the numbers of the definition that parameters give stay with the record
static void keep_definition(artBuilder *b, const void *def, const fieldForm *form)
{
  roadText *own = arena_copy(&b->arena, def, 1, sizeof *own);
  if (!own) error_throw();
  live_settle(b, def, own, sizeof *own);
  roadRecord *record = RECORD(b->roads, roadRecord, b->roads.count - 1);
  record->def = own;
  record->form = form;
}


static void read_road_item(modelReader *reader, const yamlNode *item, int type, void *def)
{
#define CREATE(word, T, text) create_##word,
  static artStatus (*const create[])(artRoad * *road, const void *def,
                                     artError *error) = {ROADS(CREATE)};
  artRoad *road = NULL;
  *(artRoadLabel *) def = (artRoadLabel){item->key, item->key_place}; // every definition begins so
  error_check(create[type](&road, def, error_current()));
  reader_built(reader, art_add_road(reader->builder, item->key, road));
  keep_definition(reader->builder, def, reader_forms_road[type]);
  art_free_road(road);
}


const itemFamily item_road = {
    .what = "road", .forms = reader_forms_road, .size = sizeof(roadText), .read = read_road_item};
