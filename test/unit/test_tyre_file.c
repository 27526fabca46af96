// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyre property files: nothing is lost, oddities are noted, faults are located, rubbish does no harm.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "articula/tyre.h"
#include "base/file.h"
#include "base/memory.h"
#include "support/check.h"
#include "support/heap.h"
#include "support/keep.h"

#define TYRES ART_SOURCE_DIR "/models/tyres/MagicFormula"

static const char *const files[] = {TYRES "52_Parameters.tir", TYRES "61_Parameters.tir",
                                    TYRES "62_Parameters.tir"};

// keys, table rows and unknown keys of the three
static const int nvalue[] = {163, 263, 272};

enum { NFILE = 3 };

static const char small[] = "[MODEL]\nFITTYP = 61\n[DIMENSION]\nUNLOADED_RADIUS = 0.3\n[VERTICAL]\n"
                            "FNOMIN = 4000\nVERTICAL_STIFFNESS = 2e5\n";


static artTyre *parse(const char *text)
{
  artTyre *tyre;
  CHECK_WORKS(art_parse_tyre(&tyre, text, strlen(text), "x.tir", &check_error));
  return tyre;
}


static void check_refused(const char *text, const char *message)
{
  artTyre *tyre;
  CHECK_FAILS(art_parse_tyre(&tyre, text, strlen(text), "x.tir", &check_error), ART_BAD_INPUT,
              message);
  CHECK(tyre == NULL);
}


static double number(const artTyre *tyre, const char *key)
{
  double x = NAN;
  CHECK(art_get_tyre_number(tyre, key, &x) == ART_OK);
  return x;
}


// the file again, from the list of what was read
static void write_back(const artTyre *tyre, FILE *out)
{
  const char *section = "";
  for (int i = 0; i < art_count_tyre_values(tyre); i++) {
    const artTyreValue v = art_get_tyre_value(tyre, i);
    if (strcmp(v.section, section) != 0) (void) fprintf(out, "[%s]\n", v.section);
    section = v.section;
    if (!v.key[0])
      (void) fprintf(out, "%s\n", v.text);
    else if (v.is_number)
      (void) fprintf(out, "%s = %.17g\n", v.key, v.number);
    else
      (void) fprintf(out, "%s = '%s'\n", v.key, v.text);
  }
}


static void check_same_value(artTyreValue a, artTyreValue b)
{
  CHECK_TEXT(a.section, b.section);
  CHECK_TEXT(a.key, b.key);
  CHECK(a.is_number == b.is_number);
  CHECK(a.number == b.number);
  if (!a.is_number) CHECK_TEXT(a.text, b.text);
}


TEST(three_versions_are_read_without_loss)
{
  for (int v = 0; v < NFILE; v++) {
    artTyre *first, *second;
    if (!CHECK(art_load_tyre(&first, files[v], NULL) == ART_OK)) return;
    CHECK_EQ_INT(art_count_tyre_values(first), nvalue[v]);
    CHECK_EQ_INT(art_count_tyre_notes(first), 0);

    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    write_back(first, out);
    (void) fclose(out);
    if (!CHECK(art_parse_tyre(&second, text, size, "again.tir", NULL) == ART_OK)) return;
    if (CHECK_EQ_INT(art_count_tyre_values(second), nvalue[v])) {
      for (int i = 0; i < nvalue[v]; i++) {
        check_same_value(art_get_tyre_value(first, i), art_get_tyre_value(second, i));
      }
    }
    free(text);
    art_free_tyre(first);
    art_free_tyre(second);
  }
}


// every line with an equals sign, and every row of a table, is in the list with its line
TEST(every_line_of_the_file_is_in_the_list)
{
  for (int v = 0; v < NFILE; v++) {
    artTyre *tyre;
    if (!CHECK(art_load_tyre(&tyre, files[v], NULL) == ART_OK)) return;
    FILE *in = fopen(files[v], "r");
    char line[1024];
    int at = 0, found = 0;
    while (fgets(line, sizeof line, in)) {
      at++;
      if (line[0] == '$' || line[0] == '[' || line[strspn(line, " \r\n")] == '\0') continue;
      const artTyreValue value = art_get_tyre_value(tyre, found++);
      CHECK_EQ_INT(value.line, at);
      CHECK(strstr(line, value.key) && strstr(line, value.text));
    }
    CHECK_EQ_INT(found, nvalue[v]);
    (void) fclose(in);
    art_free_tyre(tyre);
  }
}


TEST(numbers_have_the_values_of_the_file)
{
  artTyre *tyre;
  CHECK(art_load_tyre(&tyre, files[0], NULL) == ART_OK);
  CHECK(number(tyre, "PHX1") == 8.731E-5 && number(tyre, "PTX2") == -6.148E-4);
  CHECK(number(tyre, "fnomin") == 9416.6 && number(tyre, "QEZ5") == -99.3);

  // coefficients that the file leaves out have their defaults
  CHECK(number(tyre, "PKY4") == 2 && number(tyre, "LKYC") == 1 && number(tyre, "Q_RE0") == 1);
  CHECK(number(tyre, "PPX1") == 0 && number(tyre, "QSY7") == 1);
  double x;
  CHECK(art_get_tyre_number(tyre, "NOSUCH", &x) == ART_BAD_INPUT);
  art_free_tyre(tyre);
}


TEST(unknown_keys_and_repeated_ones_are_noted)
{
  char text[512];
  (void) snprintf(text, sizeof text, "%sWOBBLE = 3 $ of whom?\n[MODEL]\nVXLOW = 2\nvxlow=3\n",
                  small);
  artTyre *tyre = keep_tyre(parse(text));
  if (!CHECK_EQ_INT(art_count_tyre_notes(tyre), 2)) return;
  const artTyreNote unknown = art_get_tyre_note(tyre, 0), again = art_get_tyre_note(tyre, 1);
  CHECK(unknown.kind == ART_TYRE_KEY_UNKNOWN && unknown.line == 8);
  CHECK_TEXT(unknown.key, "WOBBLE");
  CHECK(again.kind == ART_TYRE_KEY_AGAIN && again.line == 11);
  CHECK(number(tyre, "VXLOW") == 3);
}


TEST(units_are_turned_into_si)
{
  artTyre *tyre = keep_tyre(
      parse("[UNITS]\nLENGTH='mm'\nFORCE='kN'\nANGLE='deg'\nMASS='kg'\nTIME='second'\n"
            "[MODEL]\nFITTYP=6\nLONGVL=15000\n[DIMENSION]\nUNLOADED_RADIUS=300\n[VERTICAL]\n"
            "FNOMIN=4\nVERTICAL_STIFFNESS=0.2\nVERTICAL_DAMPING=5e-4\n[INERTIA]\nMASS=9\n"
            "[SLIP_ANGLE_RANGE]\nALPMAX=90\n[OPERATING_CONDITIONS]\nNOMPRES=2.2e-4\n"));
  const double got[] = {number(tyre, "UNLOADED_RADIUS"),  number(tyre, "FNOMIN"),
                        number(tyre, "LONGVL"),           number(tyre, "VERTICAL_STIFFNESS"),
                        number(tyre, "VERTICAL_DAMPING"), number(tyre, "MASS"),
                        number(tyre, "ALPMAX"),           number(tyre, "NOMPRES")};
  const double want[] = {0.3, 4000, 15, 2e5, 500, 9, 1.5707963267948966, 2.2e5};
  CHECK_REL(got, want, 8, 1e-15);
}


TEST(faults_are_located)
{
  check_refused("[MODEL]\nFITTYP = 61\nrubbish here\n", "x.tir:3:1: expected KEY = value");
  check_refused("[MODEL\nFITTYP = 61\n", "x.tir:1:1: a section is written [NAME], found: '[MODEL'");
  check_refused("[MODEL]\nFITTYP = \n", "x.tir:2:1: a value is missing");
  check_refused("[MODEL]\n = 3\n", "x.tir:2:1: a key is missing");
  check_refused("[MODEL]\nTYRESIDE = 'left\n", "x.tir:2:1: a quote is not closed");
  check_refused("[MODEL]\nFITTYP = 61\nVXLOW = 1.5.2\n",
                "x.tir:3:1: VXLOW wants a number, found '1.5.2'");
  check_refused("[MODEL]\nFITTYP = 61\nVXLOW = 1e999\n", "x.tir:3:1: VXLOW wants a number");
  check_refused("[MODEL]\nFITTYP = 99\n", "x.tir:2:1: FITTYP = 99 is not supported");
  check_refused("[MODEL]\nVXLOW = 1\n", "FITTYP is missing");
  check_refused("[UNITS]\nLENGTH = 'metr'\n",
                "x.tir:2:1: LENGTH has the unknown unit 'metr' (did you mean");
  check_refused("[MODEL]\nFITTYP=61\n[VERTICAL]\nFNOMIN = 4000\n", "UNLOADED_RADIUS is missing");
  check_refused("[MODEL]\nFITTYP=61\n[DIMENSION]\nUNLOADED_RADIUS = -0.3\n",
                "x.tir:4:1: UNLOADED_RADIUS is -0.3, expected a positive number");
  artTyre *tyre;
  CHECK_FAILS(art_load_tyre(&tyre, "/nowhere/x.tir", &check_error), ART_IO, "/nowhere/x.tir");
  CHECK(!tyre);
}


TEST(numbers_that_make_no_sense_cannot_be_set)
{
  artTyre *tyre = keep_tyre(parse(small));
  CHECK(art_set_tyre_number(tyre, "FNOMIN", -1, &check_error) == ART_BAD_INPUT);
  CHECK(art_set_tyre_number(tyre, "FNOMIN", NAN, &check_error) == ART_BAD_INPUT);
  CHECK_FAILS(art_set_tyre_number(tyre, "NOSUCH", 1, &check_error), ART_BAD_INPUT, "NOSUCH");
  CHECK(number(tyre, "FNOMIN") == 4000);
}


// tyres from a parse that went well can be used
static void use(const artTyre *tyre)
{
  const artTyreInput in = {3000, 0.05, 0.04, 0.03, 10, 0};
  double J[6][4];
  (void) art_evaluate_tyre(tyre, &in);
  art_differentiate_tyre(tyre, &in, J);
  const artTyreDeflection d = {.depth = 0.01, .rate = 0.1, .spin = 3};
  (void) art_tyre_load(tyre, &d);
  for (int i = 0; i < art_count_tyre_values(tyre); i++) (void) art_get_tyre_value(tyre, i);
}


TEST(spoiled_files_do_no_harm)
{
  static const char spice[] = "=[]{}$!'\"\n\r\t\0 -+.eEdD0129AZ\377";
  uint64_t seed = 3;
  for (int n = 0; n < 3000; n++) {
    char *bytes;
    size_t size;
    if (!CHECK(file_read(files[n % NFILE], &bytes, &size, NULL) == ART_OK)) return;
    const int spoiled = 1 + (int) check_uniform(&seed, 0, 8);
    for (int k = 0; k < spoiled; k++) {
      const size_t at = (size_t) check_uniform(&seed, 0, (double) size);
      bytes[at] = spice[(int) check_uniform(&seed, 0, sizeof spice - 1)];
    }
    if (n % 5 == 0) size = (size_t) check_uniform(&seed, 0, (double) size);

    artTyre *tyre;
    artError error = {0};
    const artStatus status = art_parse_tyre(&tyre, bytes, size, "spoiled.tir", &error);
    CHECK((status == ART_OK) == (tyre != NULL));
    if (tyre)
      use(tyre);
    else
      CHECK_CONTAINS(error.text, "spoiled.tir");
    art_free_tyre(tyre);
    mem_free(bytes);
  }
}


TEST(memory_that_runs_out_is_a_clean_error)
{
  long n = 0;
  artStatus status = ART_NO_MEMORY;
  while (status == ART_NO_MEMORY && n < 20000) {
    artTyre *tyre;
    heap_fail_at(++n);
    status = art_parse_tyre(&tyre, small, sizeof small - 1, "x.tir", NULL);
    art_free_tyre(tyre);
    CHECK(heap_live() == 0);
    heap_unwatch();
  }
  CHECK(status == ART_OK && n > 3);
}
