// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any text as title and names of a model whose results become a table, JSON, pages, pictures, glTF and
// lines on the terminal. All of them can be read back, and pages have no markup but that of harmless words.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "markup.h"
#include "show/columns.h"
#include "show/json.h"
#include "show/json_read.h"

static char model[FUZZ_PATH_LENGTH], result[FUZZ_PATH_LENGTH], report[FUZZ_PATH_LENGTH];
static char picture[FUZZ_PATH_LENGTH], page[FUZZ_PATH_LENGTH], glb[FUZZ_PATH_LENGTH];


static void write_model(const char *title, const char *output, const char *body)
{
  FILE *file = fopen(fuzz_path(model, "words.yaml"), "wb");
  REQUIRE(file);
  ioJson json = {.file = file};
  json_object(&json, NULL);
  json_integer(&json, "articula", 1);
  json_text(&json, "title", title);
  json_object(&json, "ground");
  json_list(&json, "visual");
  json_end(&json);
  json_end(&json);
  json_object(&json, "bodies");
  json_object(&json, body);
  json_integer(&json, "mass", 1);
  json_numbers(&json, "inertia", 3, (double[]){1, 1, 1});
  json_object(&json, "visual");
  json_text(&json, "type", "box");
  json_numbers(&json, "size", 3, (double[]){1, 1, 1});
  json_end(&json);
  json_end(&json);
  json_end(&json);
  json_object(&json, "joints");
  json_object(&json, "pin");
  json_text(&json, "type", "revolute");
  json_text(&json, "from", "ground");
  json_text(&json, "to", body);
  json_end(&json);
  json_end(&json);
  json_object(&json, "outputs");
  json_text(&json, output, "pin.angle");
  json_end(&json);
  json_object(&json, "study");
  json_text(&json, "type", "run");
  json_number(&json, "until", 0.01);
  json_end(&json);
  json_end(&json);
  fclose(file);
}


static int command(const char *verb, const char *operand, const char *option, const char *value)
{
  return fuzz_command((const char *[]){verb, operand, option, value, NULL});
}


static int plot(const char *option)
{
  return fuzz_command((const char *[]){"plot", result, "*", option, option ? picture : NULL, NULL});
}


static void write_all(void)
{
  REQUIRE(command("report", result, "-o", report) == 0);
  REQUIRE(plot("-o") == 0 && plot(NULL) == 0);
  REQUIRE(command("view", result, "--html", page) == 0);
  REQUIRE(command("export", result, "--glb", glb) == 0);
}


static void learn(void)
{
  char path[FUZZ_PATH_LENGTH];
  static const char viewer[] = "<!doctype html><body><!--articula-scenes--></body>";
  setenv("ARTICULA_VIEWER", fuzz_write(path, "viewer.html", viewer, strlen(viewer)), 1);
  fuzz_path(result, "words");
  fuzz_path(report, "report.html");
  fuzz_path(picture, "picture.svg");
  fuzz_path(page, "page.html");
  fuzz_path(glb, "machine.glb");
  write_model("title", "angle", "rod");
  REQUIRE(command("run", model, "-o", result) == 0);
  write_all();
  markup_learn(report);
  markup_learn(picture);
  markup_learn(page);
}


static void check_json(const char *bytes, size_t size)
{
  const jsonNode *root;
  baseArena arena = {0};
  REQUIRE(json_read(&root, bytes, size, "json", &arena, NULL) == ART_OK);
  arena_free(&arena);
}


// certificate.json, the JSON of glTF, the names of the table
static void check_files(const char *output)
{
  char path[FUZZ_PATH_LENGTH];
  size_t size;
  char *text = fuzz_read(fuzz_path(path, "words/certificate.json"), &size);
  check_json(text, size);
  free(text);
  text = fuzz_read(glb, &size);
  uint32_t length;
  REQUIRE(size > 20);
  memcpy(&length, text + 12, 4);
  REQUIRE(length < size);
  check_json(text + 20, length);
  free(text);
  ioColumns table = {0};
  REQUIRE(columns_read(&table, result, NULL) == ART_OK);
  REQUIRE(table.count == 2 && output);
  columns_free(&table);
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (!model[0]) learn();
  char *text = fuzz_text(data, size);
  const char *piece[3] = {"title", "angle", "rod"};
  const char *at = text;
  for (int k = 0; k < 3 && at < text + size; k++, at += strlen(at) + 1) piece[k] = at;

  write_model(piece[0], piece[1], piece[2]);
  int status = command("run", model, "-o", result);
  if (status != 0) {
    write_model(piece[0], "angle", "rod");
    status = command("run", model, "-o", result);
  }
  (void) command("check", model, NULL, NULL);
  if (status == 0) {
    write_all();
    markup_check(report);
    markup_check(picture);
    markup_check(page);
    fuzz_check_plain(report);
    fuzz_check_plain(picture);
    check_files(piece[1]);
  }
  free(text);
  return 0;
}
