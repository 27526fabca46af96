// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Result files: JSON and CSV that read back to the same bits, checkpoints, and failures with a path.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "show/certificate.h"
#include "show/checkpoint.h"
#include "show/columns.h"
#include "show/csv.h"
#include "show/json.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/keep.h"

// the whole file as text; the caller frees it
static char *text_of(const char *name)
{
  char *text = NULL;
  size_t size = 0;
  CHECK(file_read(folder_path(name), &text, &size, NULL) == ART_OK);
  return text;
}


// the text that a function writes as JSON
static char *json_of(void (*write)(ioJson *json))
{
  FILE *file = fopen(folder_path("out.json"), "w");
  if (!CHECK(file != NULL)) exit(1);
  ioJson json = {.file = file};
  write(&json);
  CHECK(fclose(file) == 0);
  return text_of("out.json");
}


//---- JSON ----------------------------------------------------------------------------------------

static void write_layout(ioJson *json)
{
  const double row[] = {1, 0.1};
  json_object(json, NULL);
  json_text(json, "name", "crank");
  json_numbers(json, "row", 2, row);
  json_array(json, "rows");
  json_numbers(json, NULL, 2, row);
  json_object(json, NULL);
  json_bool(json, "yes", true);
  json_integer(json, "count", -3);
  json_end(json);
  json_end(json);
  json_list(json, "none");
  json_end(json);
  json_object(json, "empty");
  json_end(json);
  json_end(json);
}


TEST(json_is_laid_out_in_lines)
{
  char *text = json_of(write_layout);
  CHECK_TEXT(text, "{\n"
                   "  \"name\": \"crank\",\n"
                   "  \"row\": [1, 0.1],\n"
                   "  \"rows\": [\n"
                   "    [1, 0.1],\n"
                   "    {\n"
                   "      \"yes\": true,\n"
                   "      \"count\": -3\n"
                   "    }\n"
                   "  ],\n"
                   "  \"none\": [],\n"
                   "  \"empty\": {}\n"
                   "}\n");
  mem_free(text);
}


static void write_texts(ioJson *json)
{
  json_list(json, NULL);
  json_text(json, NULL, "quote \" and \\ and \n and \t and \x01");
  json_text(json, NULL,
            "Stra\xc3\x9f"
            "e \xe2\x82\xac \xf0\x9f\x9a\xb2");
  json_text(json, NULL, "bad \xff \xc0\x80 \xed\xa0\x80 end\xe2\x82");
  json_text(json, NULL, NULL);
  json_number(json, NULL, NAN);
  json_number(json, NULL, -INFINITY);
  json_end(json);
}


TEST(json_texts_are_escaped_and_always_utf8)
{
  char *text = json_of(write_texts);
  CHECK_TEXT(text, "[\"quote \\\" and \\\\ and \\n and \\t and \\u0001\", "
                   "\"Stra\xc3\x9f"
                   "e \xe2\x82\xac \xf0\x9f\x9a\xb2\", "
                   "\"bad \\ufffd \\ufffd\\ufffd \\ufffd\\ufffd\\ufffd end\\ufffd\\ufffd\", "
                   "null, null, null]\n");
  mem_free(text);
}


TEST(numbers_read_back_to_the_same_bits)
{
  const double special[] = {0.0, -0.0, 0.1, 1.0 / 3, DBL_MIN, DBL_MAX, 5e-324, -2e300, 1e22};
  char buffer[JSON_NUMBER_LENGTH];
  uint64_t seed = 7;
  for (size_t i = 0; i < sizeof special / sizeof *special + 2000; i++) {
    const double power = check_uniform(&seed, -300, 300);
    const double x = i < sizeof special / sizeof *special
                         ? special[i]
                         : check_uniform(&seed, -1, 1) * pow(10, power);
    const double back = strtod(json_number_text(x, buffer), NULL);
    if (!CHECK(memcmp(&back, &x, sizeof x) == 0)) return;
  }
  CHECK_TEXT(json_number_text(0.1, buffer), "0.1");
  CHECK_TEXT(json_number_text(250, buffer), "250");
}


//---- errors --------------------------------------------------------------------------------------

static void write_error(ioJson *json)
{
  const artError located = {ART_BAD_INPUT, "a b: c.yaml:12:7: found 3: too much"};
  const artError plain = {ART_SINGULAR, "time 3:14: no"};
  json_array(json, NULL);
  const artError whole = {ART_BAD_INPUT, "car.yaml: there is no study 'x'"};
  const artError other = {ART_IO, "out/a: b.csv: cannot write: full"};
  error_write(json, NULL, &located, "car.yaml");
  error_write(json, NULL, &plain, NULL);
  error_write(json, NULL, &plain, "car.yaml");
  error_write(json, NULL, &whole, "car.yaml");
  error_write(json, NULL, &other, "car.yaml");
  json_end(json);
}


TEST(an_error_is_taken_apart_into_place_and_message)
{
  char *text = json_of(write_error);
  CHECK_CONTAINS(text, "\"status\": \"ART_BAD_INPUT\",\n    \"message\": \"found 3: too much\"");
  CHECK_CONTAINS(text, "\"file\": \"a b: c.yaml\",\n    \"line\": 12,\n    \"column\": 7");
  CHECK_CONTAINS(text, "\"status\": \"ART_SINGULAR\",\n    \"message\": \"time 3:14: no\"\n  }");
  CHECK_CONTAINS(text, "\"message\": \"time 3:14: no\",\n    \"file\": \"car.yaml\"\n  }");
  CHECK_CONTAINS(text, "\"message\": \"there is no study 'x'\",\n    \"file\": \"car.yaml\"\n  }");
  CHECK_CONTAINS(text, "\"message\": \"cannot write: full\",\n    \"file\": \"out/a: b.csv\"\n  }");
  mem_free(text);
}


//---- CSV -----------------------------------------------------------------------------------------

TEST(csv_quotes_names_where_it_must)
{
  ioCsv csv = {0};
  CHECK(csv_create(&csv, folder_path("names.csv"), NULL) == ART_OK);
  csv_name(&csv, "time", "s");
  csv_name(&csv, "max(a, \"b\")", "N m");
  csv_name(&csv, "plain", NULL);
  CHECK(csv_end_line(&csv, NULL) == ART_OK);
  csv_number(&csv, 0.1);
  csv_number(&csv, -1.0 / 3);
  csv_number(&csv, 2);
  CHECK(csv_end_line(&csv, NULL) == ART_OK);
  CHECK(csv_close(&csv, NULL) == ART_OK);
  char *text = text_of("names.csv");
  CHECK_TEXT(text, "time [s],\"max(a, \"\"b\"\") [N m]\",plain\n"
                   "0.10000000000000001,-0.33333333333333331,2\n");
  mem_free(text);
}


TEST(csv_goes_on_after_the_bytes_that_are_good)
{
  ioCsv csv = {0};
  long long length = 0;
  CHECK(csv_create(&csv, folder_path("cut.csv"), NULL) == ART_OK);
  csv_number(&csv, 1);
  CHECK(csv_end_line(&csv, NULL) == ART_OK);
  CHECK(csv_flush(&csv, &length, NULL) == ART_OK);
  CHECK_EQ_INT(length, 2);
  csv_number(&csv, 12345);
  CHECK(csv_close(&csv, NULL) == ART_OK);

  CHECK(csv_resume(&csv, folder_path("cut.csv"), length, NULL) == ART_OK);
  csv_number(&csv, 7);
  CHECK(csv_end_line(&csv, NULL) == ART_OK);
  CHECK(csv_close(&csv, NULL) == ART_OK);
  char *text = text_of("cut.csv");
  CHECK_TEXT(text, "1\n7\n");
  mem_free(text);

  CHECK_FAILS(csv_resume(&csv, folder_path("cut.csv"), 100, &check_error), ART_BAD_INPUT,
              "cut.csv: found 4 bytes, expected at least the 100");
  CHECK(csv_close(&csv, NULL) == ART_OK);
  CHECK_FAILS(csv_resume(&csv, folder_path("nosuch.csv"), 0, &check_error), ART_BAD_INPUT,
              "nosuch.csv: the results of the interrupted run are gone");
}


TEST(a_full_disk_is_reported_with_the_path)
{
  ioCsv csv = {0};
  if (access("/dev/full", W_OK) != 0) return;
  CHECK(csv_create(&csv, "/dev/full", NULL) == ART_OK);
  csv_number(&csv, 1);
  CHECK(csv_end_line(&csv, NULL) == ART_OK); // still in the buffer
  CHECK_FAILS(csv_flush(&csv, NULL, &check_error), ART_IO,
              "/dev/full: cannot write: No space left on device");
  CHECK(csv_close(&csv, &check_error) == ART_IO);

  CHECK(csv_create(&csv, "/dev/full", NULL) == ART_OK);
  csv_number(&csv, 1);
  CHECK(csv_close(&csv, &check_error) == ART_IO); // the last chance to see it
}


// the sum kept while rows are written is that of the file
static void check_csv_sum(const ioCsv *csv, const char *name, long want)
{
  char kept[SHA256_LENGTH], found[SHA256_LENGTH];
  long rows = -1;
  csv_digest(csv, kept);
  CHECK_WORKS(csv_sum(folder_path(name), &rows, found, &check_error));
  CHECK_EQ_INT(rows, want);
  CHECK_TEXT(found, kept);
}


TEST(csv_sums_what_it_writes_and_what_it_keeps)
{
  ioCsv csv = {0};
  char sha256[SHA256_LENGTH];
  long long length = 0;
  long rows = -1;
  csv_digest(&csv, sha256);
  CHECK_TEXT(sha256, "");
  CHECK(csv_create(&csv, folder_path("sum.csv"), NULL) == ART_OK);
  csv_name(&csv, "two\nlines, \"quoted\"", "m");
  CHECK(csv_end_line(&csv, NULL) == ART_OK);
  for (int i = 0; i < 3000; i++) {
    csv_number(&csv, i / 3.0);
    CHECK(csv_end_line(&csv, NULL) == ART_OK);
    if (i == 1999) CHECK(csv_flush(&csv, &length, NULL) == ART_OK);
  }
  CHECK(csv_close(&csv, NULL) == ART_OK);
  check_csv_sum(&csv, "sum.csv", 3000);

  // of the 3000 rows 2000 are kept, one is added, and half a row is cut off
  CHECK(csv_resume(&csv, folder_path("sum.csv"), length, NULL) == ART_OK);
  csv_number(&csv, -7);
  CHECK(csv_end_line(&csv, NULL) == ART_OK);
  CHECK(csv_flush(&csv, NULL, NULL) == ART_OK);
  check_csv_sum(&csv, "sum.csv", 2001);
  ioCsv whole = csv;
  csv_number(&csv, 5);
  CHECK(csv_close(&csv, NULL) == ART_OK);
  CHECK_WORKS(csv_settle(folder_path("sum.csv"), &rows, sha256, &check_error));
  CHECK_EQ_INT(rows, 2001);
  check_csv_sum(&whole, "sum.csv", 2001);
  CHECK(csv_settle(folder_path("nosuch.csv"), &rows, sha256, NULL) == ART_IO);
  CHECK_EQ_INT(rows, 0);
  CHECK_TEXT(sha256, "");
}


//---- files ---------------------------------------------------------------------------------------

TEST(directories_are_made_from_the_top)
{
  struct stat status;
  CHECK_WORKS(file_make_directory(folder_path("a/b/c"), &check_error));
  CHECK(stat(folder_path("a/b/c"), &status) == 0 && S_ISDIR(status.st_mode));
  CHECK_WORKS(file_make_directory(folder_path("a/b/c/"), &check_error));

  FILE *file = fopen(folder_path("a/file"), "w");
  if (!CHECK(file && fclose(file) == 0)) return;
  CHECK_FAILS(file_make_directory(folder_path("a/file/b"), &check_error), ART_IO,
              "a/file: cannot make the directory: Not a directory");
  CHECK_WORKS(file_remove(folder_path("a/file"), &check_error));
  CHECK_WORKS(file_remove(folder_path("a/file"), &check_error));
}


TEST(a_file_is_replaced_whole_or_not_at_all)
{
  baseFile file;
  CHECK_WORKS(file_begin(&file, folder_path("whole"), &check_error));
  fputs("old", file.stream);
  CHECK_WORKS(file_commit(&file, &check_error));

  CHECK_WORKS(file_begin(&file, folder_path("whole"), &check_error));
  fputs("new", file.stream);
  fflush(file.stream);
  char *text = text_of("whole");
  CHECK_TEXT(text, "old");
  mem_free(text);
  CHECK_WORKS(file_commit(&file, &check_error));
  text = text_of("whole");
  CHECK_TEXT(text, "new");
  mem_free(text);
  CHECK(access(folder_path("whole.part"), F_OK) != 0);

  CHECK_FAILS(file_begin(&file, folder_path("nowhere/whole"), &check_error), ART_IO,
              "nowhere/whole: cannot write: No such file or directory");
}


//---- checkpoints ---------------------------------------------------------------------------------

static artModel *small_model(double mass)
{
  artModel *model = NULL;
  artBuilder *builder = keep_builder(art_create_builder());
  artBodyDef body = art_default_body();
  artJointDef joint = art_default_joint();
  body.name = "block";
  body.mass = mass;
  joint.name = "rail", joint.type = ART_PRISMATIC, joint.from = "ground", joint.to = "block";
  art_add_body(builder, &body);
  art_add_joint(builder, &joint);
  CHECK(art_compile_model(&model, builder, NULL) == ART_OK);
  return model;
}


TEST(a_checkpoint_comes_back_as_it_was)
{
  char state[] = "some state";
  artModel *model = keep_model(small_model(1));
  const artStudyDef study = art_default_study(ART_RUN);
  ioCheckpoint saved = checkpoint_describe(model, &study), back;
  saved.rows = 12, saved.length = 3456, saved.time = 0.1, saved.values = 99, saved.state = state;
  saved.size = sizeof state;
  CHECK(checkpoint_save(folder_path("checkpoint"), &saved, NULL) == ART_OK);
  CHECK(checkpoint_load(folder_path("checkpoint"), &back, NULL) == ART_OK);
  CHECK(checkpoint_compare("x", &back, &saved, NULL) == ART_OK);
  CHECK_EQ_INT(back.rows, 12);
  CHECK_EQ_INT(back.length, 3456);
  CHECK_EQ_INT((long long) back.values, 99);
  CHECK(back.time == 0.1);
  CHECK_EQ_INT((long long) back.size, sizeof state);
  CHECK_TEXT(back.state, state);
  checkpoint_free(&back);
}


// the checkpoint of a study differs from the given one by what `change` did
static void check_difference(const ioCheckpoint *now, const artModel *model, artStudyDef study,
                             const char *message)
{
  const ioCheckpoint saved = checkpoint_describe(model, &study);
  CHECK_FAILS(checkpoint_compare("dir/checkpoint", &saved, now, &check_error), ART_BAD_INPUT,
              message);
}


TEST(a_checkpoint_of_another_run_is_refused)
{
  artModel *model = keep_model(small_model(1)), *other = keep_model(small_model(2));
  artStudyDef study = art_default_study(ART_RUN);
  const ioCheckpoint now = checkpoint_describe(model, &study);
  check_difference(&now, other, study, "dir/checkpoint: the interrupted run was of another model");
  study.run.tolerance = 1e-6;
  check_difference(&now, model, study, "had tolerance 1e-06, this one has 1e-08");
  study.run.integrator = ART_BDF;
  check_difference(&now, model, study, "had integrator bdf, this one has automatic");
  study.run.method = ART_MASS_MATRIX;
  check_difference(&now, model, study, "had method mass-matrix, this one has automatic");
  study.name = "other";
  check_difference(&now, model, study, "had study other, this one has study");

  ioCheckpoint older = now;
  snprintf(older.version, sizeof older.version, "0.0.1");
  CHECK_FAILS(checkpoint_compare("x", &older, &now, &check_error), ART_BAD_INPUT,
              "had version 0.0.1, this one has " ART_VERSION);
}


static bool is_refused(const char *bytes, size_t n)
{
  ioCheckpoint back;
  FILE *file = fopen(folder_path("checkpoint"), "wb");
  if (!CHECK(file && fwrite(bytes, 1, n, file) == n && fclose(file) == 0)) return false;
  const artStatus status = checkpoint_load(folder_path("checkpoint"), &back, NULL);
  checkpoint_free(&back);
  return CHECK_EQ_INT(status, ART_BAD_INPUT);
}


TEST(a_damaged_checkpoint_is_refused)
{
  char state[100] = {0}, *bytes = NULL;
  size_t size = 0;
  artModel *model = keep_model(small_model(1));
  const artStudyDef study = art_default_study(ART_RUN);
  ioCheckpoint saved = checkpoint_describe(model, &study);
  saved.state = state;
  saved.size = sizeof state;
  CHECK(checkpoint_save(folder_path("checkpoint"), &saved, NULL) == ART_OK);
  CHECK(file_read(folder_path("checkpoint"), &bytes, &size, NULL) == ART_OK);

  // every length but the whole, and every bit of head and state
  for (size_t n = 0; n < size; n++) {
    if (!is_refused(bytes, n)) break;
  }
  for (size_t bit = 0; bit < 8 * size; bit++) {
    bytes[bit / 8] = (char) (bytes[bit / 8] ^ (1 << bit % 8));
    if (!is_refused(bytes, size)) break;
    bytes[bit / 8] = (char) (bytes[bit / 8] ^ (1 << bit % 8));
  }
  mem_free(bytes);
}


//---- tables that are read back -------------------------------------------------------------------

static artStatus read_table(ioColumns *t, const char *text, artError *error)
{
  FILE *file = fopen(folder_path("table.csv"), "wb");
  CHECK(file && fwrite(text, 1, strlen(text), file) == strlen(text) && fclose(file) == 0);
  *t = (ioColumns){0};
  return columns_read(t, folder_path("table.csv"), error);
}


TEST(quoted_names_of_columns_are_read_as_plain_text)
{
  ioColumns t;
  CHECK(read_table(&t, "time [s],\"two\nlines, \"\"a\"\" [m]\",\"\nb\"\r\n0,1,2\r\n3,4,5\n",
                   NULL) == ART_OK);
  if (CHECK(t.count == 3 && t.rows == 2)) {
    CHECK_TEXT(t.column[0].name, "time");
    CHECK_TEXT(t.column[1].name, "two lines, \"a\"");
    CHECK_TEXT(t.column[1].unit, "m");
    CHECK_TEXT(t.column[2].name, " b");
    CHECK(t.column[2].value[1] == 5);
  }
  columns_free(&t);
}


TEST(heads_that_quotes_leave_open_are_refused)
{
  static const char *const heads[] = {
      "\"a\"x,b\n1,2\n",       // something behind a closing quote
      "\"a\n,\"\"\n,b\n1,2\n", // a quote that never closes
      "a\"b,c\"d,e\n1,2\n",    // three columns, two numbers
      "",
      "\"\"\n1\n",
  };
  for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
    ioColumns t;
    CHECK_EQ_INT(read_table(&t, heads[k], &check_error), ART_BAD_INPUT);
    columns_free(&t);
  }
}


// 20,000 columns before a million empty lines have no numbers: room is taken for rows that the bytes may hold
TEST(small_tables_do_not_ask_for_large_memory)
{
  enum { COLUMNS = 20000, LINES = 1000000 };
  ioColumns t = {0};
  FILE *file = fopen(folder_path("wide.csv"), "wb");
  for (int i = 0; i < COLUMNS; i++) fprintf(file, "%sc%d", i ? "," : "", i);
  for (int i = 0; i <= LINES; i++) fputc('\n', file);
  CHECK(fclose(file) == 0);
  CHECK_EQ_INT(columns_read(&t, folder_path("wide.csv"), &check_error), ART_BAD_INPUT);
  CHECK_CONTAINS(check_error.text, "wide.csv:2:1: column 1 ('c0'): found");
  columns_free(&t);

  setenv("ARTICULA_LIMITS", "items=1000", 1);
  CHECK_EQ_INT(columns_read(&t, folder_path("wide.csv"), &check_error), ART_BAD_INPUT);
  CHECK_CONTAINS(check_error.text, "one call may read 1000 elements");
  columns_free(&t);
  unsetenv("ARTICULA_LIMITS");
}


//---- certificates --------------------------------------------------------------------------------

TEST(a_certificate_says_what_was_computed_from_what)
{
  artModel *model = keep_model(small_model(1));
  const artStudyDef study = art_default_study(ART_RUN);
  const ioCertificate certificate = {.status = "failed",
                                     .file = "rail.yaml",
                                     .directory = "out",
                                     .model = model,
                                     .study = &study,
                                     .rows = 3,
                                     .numbers = {.time = 0.3, .steps = 4, .energy_error = NAN},
                                     .error = {ART_SINGULAR, "rail.yaml:3:1: singular"}};
  char hash[40];
  snprintf(hash, sizeof hash, "\"hash\": \"%016llx\"", art_model_hash(model));
  CHECK(certificate_save(folder_path("certificate.json"), &certificate, NULL) == ART_OK);
  char *text = text_of("certificate.json");
  CHECK_CONTAINS(text, "\"articula\": \"" ART_VERSION "\"");
  CHECK_CONTAINS(text, "\"status\": \"failed\"");
  CHECK_CONTAINS(text, "\"message\": \"singular\"");
  CHECK_CONTAINS(text, hash);
  CHECK_CONTAINS(text, "\"integrator\": \"automatic\"");
  CHECK_CONTAINS(text, "\"integrator\": \"dopri5\"");
  CHECK_CONTAINS(text, "\"time\": 0.3,");
  CHECK_CONTAINS(text, "\"accepted\": 4,");
  CHECK_CONTAINS(text, "\"error\": null,");
  CHECK_CONTAINS(text, "\"redundant\": []");
  mem_free(text);
}
