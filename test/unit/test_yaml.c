// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The located YAML tree: what it holds, and what it says of files that are not models.
#include "base/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/heap.h"

static baseArena arena;
static artError failure;


static const yamlNode *read_bytes(const char *text, size_t length)
{
  yamlNode *root = NULL;
  failure = (artError){0};
  arena_free(&arena);
  const artStatus status = yaml_read_text(&arena, "m.yaml", text, length, &root, &failure);
  CHECK_EQ_INT(status, failure.status);
  CHECK((status == ART_OK) == (root != NULL));
  return root;
}


static const yamlNode *read_text(const char *text)
{
  return read_bytes(text, strlen(text));
}


// the text is refused with just this message
static void check_refused(const char *text, const char *message)
{
  CHECK(read_text(text) == NULL);
  CHECK_EQ_INT(failure.status, ART_BAD_INPUT);
  CHECK_TEXT(failure.text, message);
}


static void check_place(artPlace place, int line, int column)
{
  CHECK_TEXT(place.file, "m.yaml");
  CHECK_EQ_INT(place.line, line);
  CHECK_EQ_INT(place.column, column);
}


//---- the tree ------------------------------------------------------------------------------------

TEST(every_node_knows_its_line_and_column)
{
  const yamlNode *root = read_text("articula: 1\n"
                                   "bodies:\n"
                                   "  crank: {mass: = m, com: [1, 2 , \"3\"]}\n");
  if (!CHECK(root && root->kind == NODE_MAPPING && root->count == 2)) return;
  check_place(root->place, 1, 1);
  check_place(root->first->place, 1, 11);
  CHECK_TEXT(root->first->text, "1");

  const yamlNode *crank = yaml_find(yaml_find(root, "bodies"), "crank");
  if (!CHECK(crank && crank->count == 2)) return;
  check_place(crank->key_place, 3, 3);
  check_place(crank->place, 3, 10);
  CHECK_TEXT(yaml_find(crank, "mass")->text, "= m");
  check_place(yaml_find(crank, "mass")->place, 3, 17);

  const yamlNode *com = yaml_find(crank, "com");
  CHECK(com->kind == NODE_SEQUENCE && com->count == 3);
  CHECK(com->first->key == NULL);
  check_place(com->first->next->place, 3, 31);
  CHECK_TEXT(com->first->next->text, "2");
  CHECK(!com->first->next->quoted && com->first->next->next->quoted);
  CHECK(com->first->next->next->next == NULL);
}


TEST(columns_count_characters_not_bytes)
{
  const yamlNode *root = read_text("{\"größe\": 3}");
  if (!CHECK(root)) return;
  CHECK_TEXT(root->first->key, "größe");
  check_place(root->first->place, 1, 11);
}


TEST(json_is_accepted)
{
  const yamlNode *root =
      read_text("{\n  \"a\": [1.5e3, true, null],\n  \"b\": {\"c\": \"x\\ny\"}\n}\n");
  if (!CHECK(root)) return;
  const yamlNode *list = yaml_find(root, "a");
  CHECK_TEXT(list->first->text, "1.5e3");
  CHECK_TEXT(list->first->next->text, "true");
  CHECK_TEXT(yaml_find(yaml_find(root, "b"), "c")->text, "x\ny");
  CHECK_EQ_INT((long long) yaml_find(yaml_find(root, "b"), "c")->length, 3);
}


TEST(a_byte_order_mark_and_windows_line_ends_are_skipped)
{
  const yamlNode *root = read_text("\xEF\xBB\xBF"
                                   "a: 1\r\nb: 2\r\n");
  if (!CHECK(root && root->count == 2)) return;
  CHECK_TEXT(root->first->key, "a");
  check_place(root->first->key_place, 1, 1);
  check_place(root->first->next->place, 2, 4);
  CHECK_TEXT(root->first->next->text, "2");
}


TEST(missing_keys_are_not_found)
{
  const yamlNode *root = read_text("a: [b]");
  CHECK(yaml_find(root, "b") == NULL);
  CHECK(yaml_find(yaml_find(root, "a"), "b") == NULL);
}


TEST(nodes_are_described_in_words)
{
  char phrase[YAML_PHRASE_LENGTH];
  const yamlNode *root = read_text("[abc, , '', [], [1], [1, 2], {}, {a: 1}, \"a\\e[31m\\n\"]");
  const char *want[] = {"'abc'",
                        "an empty value",
                        "an empty string",
                        "an empty list",
                        "a list of 1 item",
                        "a list of 2 items",
                        "an empty mapping",
                        "a mapping",
                        "'a?[31m?'"};
  // a comma with nothing before it is not YAML, so the empty value stands in a mapping
  CHECK(root == NULL);
  root = read_text("[abc, {k: }, '', [], [1], [1, 2], {}, {a: 1}, \"a\\e[31m\\n\"]");
  if (!CHECK(root)) return;
  const yamlNode *item = root->first;
  for (int i = 0; i < 9; i++, item = item->next) {
    CHECK_TEXT(yaml_describe(i == 1 ? item->first : item, phrase), want[i]);
  }
}


TEST(long_texts_are_cut_between_characters)
{
  char phrase[YAML_PHRASE_LENGTH];
  const yamlNode *root = read_text("ääääääääääääääääääääääääääääääää");
  if (!CHECK(root)) return;
  CHECK_TEXT(yaml_describe(root, phrase), "'ääääääääääääääääääääää...'");
}


//---- refused texts -------------------------------------------------------------------------------

TEST(files_without_a_document_are_refused)
{
  check_refused("", "m.yaml: the file is empty");
  check_refused("\n\n", "m.yaml: the file holds only blanks and comments");
  check_refused("# nothing\n", "m.yaml: the file holds only blanks and comments");
}


TEST(binary_files_are_refused_with_the_offset)
{
  CHECK(read_bytes("a: 1\nb: \0", 9) == NULL);
  CHECK_TEXT(failure.text, "m.yaml:2:4: zero byte (offset 8); is this a binary file?");
  check_refused("a: 1\nb: \xff\n",
                "m.yaml:2:4: byte 0xFF (offset 8) is not UTF-8; is this a binary file? Save text "
                "as UTF-8");
  check_refused("\x7f"
                "ELF",
                "m.yaml:1:1: control character 0x7F (offset 0); is this a binary file?");
}


TEST(malformed_utf8_is_refused)
{
  const char *bad[] = {
      "\xC0\x80", "\xC1\xBF",         "\xE0\x9F\xBF",     "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
      "\xE2\x82", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80",         "\xC3("};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CHECK(read_text(bad[i]) == NULL);
    CHECK_CONTAINS(failure.text, "m.yaml:1:1: byte 0x");
  }
  CHECK(read_text("a: \xEF\xBF\xBF") == NULL);
  CHECK_CONTAINS(failure.text, "control character");
}


TEST(constructs_outside_the_format_are_refused)
{
  check_refused("a: &x 1\n",
                "m.yaml:1:4: anchors ('&x') are not part of the model format; use parameters");
  check_refused("a: &x [1]\n",
                "m.yaml:1:4: anchors ('&x') are not part of the model format; use parameters");
  check_refused("a: &x {b: 1}\n",
                "m.yaml:1:4: anchors ('&x') are not part of the model format; use parameters");
  check_refused("a: *x\n",
                "m.yaml:1:4: aliases ('*x') are not part of the model format; use parameters");
  check_refused("a: !!float 1\n",
                "m.yaml:1:4: tags ('tag:yaml.org,2002:float') are not part of the model format; "
                "the place of a value decides its type");
  check_refused("<<: {a: 1}\n", "m.yaml:1:1: merge keys ('<<') are not part of the model format; "
                                "use parameters or 'include'");
  check_refused("a: 1\n---\nb: 2\n",
                "m.yaml:2:1: a second document starts here; a file holds one model");
  check_refused("? [1, 2]\n: 3\n", "m.yaml:1:3: a key must be a plain word, found a list");
  check_refused("? {a: 1}\n: 3\n", "m.yaml:1:3: a key must be a plain word, found a mapping");
  check_refused("a: \"x\\0y\"\n", "m.yaml:1:4: text must not hold a zero character ('\\0')");
}


TEST(duplicate_keys_are_refused_with_the_first)
{
  check_refused("a: 1\nb: 2\nc: 3\n'a': 4\n",
                "m.yaml:4:1: 'a' is given twice; the first is in line 1");
  check_refused("{x: {q: 1,\n q: 2}}", "m.yaml:2:2: 'q' is given twice; the first is in line 1");
}


TEST(syntax_errors_say_what_to_do)
{
  check_refused("a:\n\tb: 1\n", "m.yaml:2:1: a tab is used for indentation; YAML wants spaces");
  check_refused("a: @b\n", "m.yaml:1:4: a value cannot start with '@'; put the text in quotes");
  check_refused("ä: `b`\n", "m.yaml:1:4: a value cannot start with '`'; put the text in quotes");
  check_refused("a: {b: 1\nc: 2\n",
                "m.yaml:2:2: expected ',' or '}' (formulas with brackets or commas "
                "need quotes here); the '{' is in line 1");
  check_refused("a: [1, 2\nb: 2\n",
                "m.yaml:2:2: expected ',' or ']' (formulas with brackets or commas "
                "need quotes here); the '[' is in line 1");
  check_refused("a: 1\n b: 2\n", "m.yaml:2:3: ':' is not expected here; check the indentation, or "
                                 "put text that contains ': ' in quotes");
  check_refused("a:\n  b: 1\n c: 2\n", "m.yaml:3:2: expected a key, indented like the others of "
                                       "the mapping that starts in line 1");
  check_refused("a: 'open\n",
                "m.yaml:2:1: the closing quote is missing; the opening one is in line 1");
  check_refused("a: \"\\q\"\n",
                "m.yaml:1:5: unknown escape after '\\' in double quotes; write '\\\\' for a "
                "backslash, or use single quotes");
  check_refused("a: - b\n",
                "m.yaml:1:4: '- ' is not expected here; start the list on a line of its own");
  check_refused("a: 1\nb\nc: 2\n", "m.yaml:3:1: expected ': ' after the key that starts in line 2");
  check_refused("- a\nb: 1\n", "m.yaml:2:1: expected '- ', indented like the others of the list "
                               "that starts in line 1");
  check_refused("a: 1\n]\n", "m.yaml:2:1: expected a key, indented like the others of the mapping "
                             "that starts in line 1");
  check_refused("[1]\nb: 1\n", "m.yaml:2:1: unexpected text after the end of the model; check the "
                               "indentation and the brackets before it");
  check_refused("a: [1, = 2[N]*sin(x)]\n",
                "m.yaml:1:14: '*' cannot start a value; formulas with brackets or commas need "
                "quotes inside [ ] and { }");
  check_refused("a: [,]\n", "m.yaml:1:5: expected a value");
}


//---- limits --------------------------------------------------------------------------------------

// `head`, then `unit` n times, then `tail`
static char *repeated(const char *head, const char *unit, int n, const char *tail)
{
  const size_t size = strlen(head) + strlen(unit) * (size_t) n + strlen(tail) + 1;
  char *text = malloc(size), *end = text;
  if (!text) abort();
  end += sprintf(end, "%s", head);
  for (int i = 0; i < n; i++) end += sprintf(end, "%s", unit);
  sprintf(end, "%s", tail);
  return text;
}


static void check_deep(const char *open, const char *inside, const char *close, int levels, int ok)
{
  char *head = repeated("", open, levels, inside), *text = repeated(head, close, levels, "");
  CHECK((read_text(text) != NULL) == ok);
  if (!ok) CHECK_CONTAINS(failure.text, "nested deeper than 64 levels");
  free(text);
  free(head);
}


TEST(nesting_ends_at_64_levels)
{
  check_deep("[", "1", "]", 64, 1);
  check_deep("[", "1", "]", 65, 0);
  check_deep("{a: ", "1", "}", 64, 1);
  check_deep("{a: ", "1", "}", 65, 0);
  check_deep("- ", "1", "", 65, 0);
  check_deep("[", "", "", 10000, 0);
  check_deep("{a: ", "", "", 10000, 0);
  check_deep("- ", "1", "", 10000, 0);
  check_deep("? ", "1", "", 10000, 0);
}


TEST(five_million_nodes_are_enough)
{
  for (int beyond = CHECK_CASES(0, 1); beyond < 2; beyond++) {
    char *text = repeated("[", "1,", 5000000 - 1 + beyond, "]");
    CHECK((read_text(text) == NULL) == beyond);
    if (beyond)
      CHECK_CONTAINS(failure.text,
                     "one call may read 5000000 elements, attributes and values in all");
    free(text);
  }
}


//---- files ---------------------------------------------------------------------------------------

static artStatus read_path(const char *path)
{
  yamlNode *root = NULL;
  failure = (artError){0};
  arena_free(&arena);
  const artStatus status = yaml_read_file(&arena, path, &root, &failure);
  CHECK((status == ART_OK) == (root != NULL));
  return status;
}


TEST(a_file_is_read_whole)
{
  folder_write(folder_path("good.yaml"), "a: {b: 1}\n");
  CHECK_EQ_INT(read_path(folder_path("good.yaml")), ART_OK);
  folder_write(folder_path("bad.yaml"), "a: {b: 1\n");
  CHECK_EQ_INT(read_path(folder_path("bad.yaml")), ART_BAD_INPUT);
  CHECK_CONTAINS(failure.text, "bad.yaml:2:1: expected ',' or '}'");
  folder_write(folder_path("empty.yaml"), "");
  CHECK_EQ_INT(read_path(folder_path("empty.yaml")), ART_BAD_INPUT);
  CHECK_CONTAINS(failure.text, "empty.yaml: the file is empty");
}


TEST(what_is_not_a_file_is_refused)
{
  CHECK_EQ_INT(read_path(folder_path("absent.yaml")), ART_IO);
  CHECK_CONTAINS(failure.text, "absent.yaml: cannot open: No such file or directory");
  CHECK_EQ_INT(read_path(folder_own()), ART_BAD_INPUT);
  CHECK_CONTAINS(failure.text, "this is a directory, expected a file; name one of those in it");
  if (!CHECK(mkfifo(folder_path("pipe"), 0600) == 0)) return;
  CHECK_EQ_INT(read_path(folder_path("pipe")), ART_BAD_INPUT);
  CHECK_CONTAINS(failure.text, "this is a pipe, expected a file; save its contents as one");
  CHECK_EQ_INT(read_path("/dev/zero"), ART_BAD_INPUT);
}


TEST(files_that_may_not_be_read_are_refused)
{
  folder_write(folder_path("secret.yaml"), "a: 1\n");
  if (!CHECK(chmod(folder_path("secret.yaml"), 0) == 0)) return;
  if (access(folder_path("secret.yaml"), R_OK) == 0) return; // the superuser may read anything
  CHECK_EQ_INT(read_path(folder_path("secret.yaml")), ART_IO);
  CHECK_CONTAINS(failure.text, "secret.yaml: cannot open: Permission denied");
}


TEST(a_file_of_100_megabytes_is_refused_unread)
{
  const int fd = open(folder_path("large.yaml"), O_CREAT | O_WRONLY, 0600);
  if (!CHECK(fd >= 0)) return;
  CHECK(ftruncate(fd, 100000000) == 0); // a sparse file: reading it would say "zero byte"
  close(fd);
  CHECK_EQ_INT(read_path(folder_path("large.yaml")), ART_BAD_INPUT);
  CHECK_CONTAINS(failure.text, "large.yaml: the file is larger than 64 MiB");
}


//---- memory --------------------------------------------------------------------------------------

TEST(every_failing_allocation_of_ours_ends_in_a_clean_error)
{
  char *text = repeated("a: 1\nb: {c: 2, d: [", "12345678,", 500, "]}\n");
  folder_write(folder_path("memory.yaml"), text);
  free(text);
  arena_free(&arena);
  int failures = 0;
  for (int n = 0; n < 1000; n++, failures++) {
    heap_run_dry_after(n);
    if (read_path(folder_path("memory.yaml")) == ART_OK) break;
    CHECK_EQ_INT(failure.status, ART_NO_MEMORY);
  }
  CHECK(failures > 3 && failures < 100);
  arena_free(&arena);
  heap_unwatch();
}


// libyaml takes its memory from malloc directly; where the C library lets us stand in its place we
// make that fail, too
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&       \
    !defined(__clang__)
extern void *__libc_malloc(size_t size);
extern void *__libc_realloc(void *block, size_t size);
void *malloc(size_t size);
void *realloc(void *block, size_t size);

static long mallocs_left = -1; // negative: no limit


static int refused(void)
{
  if (mallocs_left < 0) return 0;
  if (mallocs_left > 0) return mallocs_left--, 0;
  errno = ENOMEM;
  return 1;
}


void *malloc(size_t size)
{
  return refused() ? NULL : __libc_malloc(size);
}


void *realloc(void *block, size_t size)
{
  return refused() ? NULL : __libc_realloc(block, size);
}


TEST(every_failing_allocation_of_libyaml_ends_in_a_clean_error)
{
  static const char text[] = "articula: 1\nbodies:\n  crank: {mass: 1 kg, com: [= L/2, 0, \"0\"]}\n"
                             "joints:\n- a\n- |\n  long\n  text\n";
  long failures = 0;
  for (long n = 0; n < 10000; n++, failures++) {
    yamlNode *root = NULL;
    artError error = {0};
    baseArena own = {0};
    mallocs_left = n;
    const artStatus status = yaml_read_text(&own, "m.yaml", text, strlen(text), &root, &error);
    mallocs_left = -1;
    arena_free(&own);
    if (status == ART_OK) break;
    CHECK_EQ_INT(status, ART_NO_MEMORY);
    CHECK_TEXT(error.text, "out of memory");
  }
  CHECK(failures > 50 && failures < 10000);
}
#endif
