// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// JSON read back: values, escapes, places of mistakes, and what the writer of JSON writes.
#include <math.h>
#include <stdlib.h>

#include "show/json.h"
#include "show/json_read.h"
#include "support/check.h"


static const jsonNode *read(const char *text, baseArena *arena)
{
  const jsonNode *root = NULL;
  CHECK_WORKS(json_read(&root, text, strlen(text), "x.json", arena, &check_error));
  return root;
}


TEST(values_are_what_they_are_written_as)
{
  baseArena arena = {0};
  double row[3] = {0};
  const jsonNode *root =
      read(" {\"a\": -1.5e2, \"b\": [1, 2.5, 3], \"c\": {\"d\": true, \"e\": null},\n"
           "\"f\": \"x\", \"g\": [], \"h\": {}, \"i\": 7, \"j\": false} ",
           &arena);
  CHECK(json_find_number(root, "a", 0) == -150);
  CHECK(json_find_numbers(root, "b", 3, row) && row[0] == 1 && row[1] == 2.5 && row[2] == 3);
  CHECK(!json_find_numbers(root, "b", 2, row) && !json_find_numbers(root, "a", 1, row));
  CHECK(json_find_bool(json_find(root, "c"), "d") && !json_find_bool(root, "j"));
  CHECK(json_find(json_find(root, "c"), "e")->kind == JSON_NULL);
  CHECK_TEXT(json_find_text(root, "f", "?"), "x");
  CHECK_TEXT(json_find_text(root, "a", "?"), "?");
  CHECK_EQ_INT(json_find_count(root, "b"), 3);
  CHECK_EQ_INT(json_find_count(root, "g"), 0);
  CHECK_EQ_INT(json_find_index(root, "i", -1), 7);
  CHECK_EQ_INT(json_find_index(root, "x", -1), -1);
  CHECK(json_find(NULL, "x") == NULL && json_find(root, "x") == NULL);
  CHECK_EQ_INT(root->count, 8);
  arena_free(&arena);
}


TEST(escapes_become_characters)
{
  baseArena arena = {0};
  const jsonNode *root =
      read("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\","
           " \"\\ud800x\", \"\\ud83d\\u0041\", \"\\u0000\"]",
           &arena);
  const jsonNode *item = root->first;
  CHECK_TEXT(item->text, "\"\\/\b\f\n\r\t");
  item = item->next;
  CHECK_TEXT(item->text, "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
  item = item->next;
  CHECK_TEXT(item->text, "\xef\xbf\xbdx"); // halves of pairs, and zero, are no characters
  item = item->next;
  CHECK_TEXT(item->text, "\xef\xbf\xbd"
                         "A");
  item = item->next;
  CHECK_TEXT(item->text, "\xef\xbf\xbd");
  arena_free(&arena);
}


TEST(mistakes_are_told_with_their_line)
{
  static const struct {
    const char *text, *message;
  } bad[] = {{"", "x.json:1: this is not JSON: expected a value"},
             {"{\"a\": 1,\n\"b\" 2}", "x.json:2: this is not JSON: expected ':' after a key"},
             {"[1, 2\n, 3", "x.json:2: this is not JSON: expected ',' or the end of a list"},
             {"{a: 1}", "x.json:1: this is not JSON: expected a key in quotes"},
             {"[1] 2", "x.json:1: this is not JSON: something follows its end"},
             {"\"abc", "x.json:1: this is not JSON: a string does not end"},
             {"\"a\nb\"", "x.json:1: this is not JSON: a string has a control character"},
             {"\"\\x\"", "x.json:1: this is not JSON: unknown escape in a string"},
             {"\"\\u12\"", "x.json:1: this is not JSON: \\u needs four hexadecimal digits"},
             {"nan", "x.json:1: this is not JSON: expected a value"},
             {"+1", "x.json:1: this is not JSON: expected a value"},
             {"1e999", "x.json:1: this is not JSON: expected a value"},
             {"[1,]", "x.json:1: this is not JSON: expected a value"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    baseArena arena = {0};
    artError error = {0};
    const jsonNode *root;
    CHECK(json_read(&root, bad[i].text, strlen(bad[i].text), "x.json", &arena, &error) ==
          ART_BAD_INPUT);
    CHECK(root == NULL);
    if (!CHECK(strncmp(error.text, "x.json:", 7) == 0 &&
               strstr(error.text, strchr(bad[i].message, ' ')))) {
      printf("  '%s': %s\n", bad[i].text, error.text);
    }
    arena_free(&arena);
  }
}


TEST(deep_nests_are_refused)
{
  char text[402];
  baseArena arena = {0};
  const jsonNode *root;
  memset(text, '[', 200);
  memset(text + 200, ']', 200);
  CHECK_FAILS(json_read(&root, text, 400, "x.json", &arena, &check_error), ART_BAD_INPUT,
              "nested too deeply");
  arena_free(&arena);
}


TEST(what_the_writer_writes_reads_back_to_the_same_bits)
{
  uint64_t seed = 3;
  double numbers[200];
  for (int i = 0; i < 200; i++) numbers[i] = ldexp(check_uniform(&seed, -1, 1), i - 100);
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  ioJson json = {.file = stream};
  json_object(&json, NULL);
  json_text(&json, "t\t\"", "a\\b\"\n\x01\xc3\xa9");
  json_numbers(&json, "n", 200, numbers);
  json_end(&json);
  fclose(stream);
  baseArena arena = {0};
  double back[200];
  const jsonNode *root = read(text, &arena);
  CHECK(json_find_numbers(root, "n", 200, back));
  for (int i = 0; i < 200; i++) CHECK(back[i] == numbers[i]);
  CHECK_TEXT(json_find_text(root, "t\t\"", ""), "a\\b\"\n\x01\xc3\xa9");
  arena_free(&arena);
  free(text);
}


TEST(fields_are_written_by_their_conversions)
{
  baseArena arena = {0};
  char *text = NULL;
  size_t size = 0;
  ioJson json = {.file = open_memstream(&text, &size)};
  json_object(&json, NULL);
  json_fields(&json, "name: %s, none: %s, two words: %g, rough: %.6g, is: %i", "a, b: %s",
              getenv("ARTICULA_NOBODY_SETS_THIS"), 0.1, 1.0 / 3, true);
  json_item(&json, "counts", "int: %d, long: %ld, more: %lld, size: %zu", -3, -4L, 1LL << 40,
            (size_t) 5);
  json_end(&json);
  fclose(json.file);
  CHECK_CONTAINS(text, "\"two words\": 0.1,");
  CHECK_CONTAINS(text, "\"rough\": 0.333333,");
  const jsonNode *root = read(text, &arena), *counts = json_find(root, "counts");
  CHECK_TEXT(json_find_text(root, "name", ""), "a, b: %s");
  CHECK(json_find(root, "none")->kind == JSON_NULL && json_find_bool(root, "is"));
  CHECK(json_find_number(counts, "int", 0) == -3 && json_find_number(counts, "long", 0) == -4);
  CHECK(json_find_number(counts, "more", 0) == 0x1p40 && json_find_number(counts, "size", 0) == 5);
  arena_free(&arena);
  free(text);
}
