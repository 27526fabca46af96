// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A JSON reader (RFC 8259).
#include "show/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"

enum { DEEPEST = 64 };

typedef struct jsonReader {
  const char *next, *end, *begin;
  const char *name;
  baseArena *arena; // throws on failure
  jsonNode *root;
  int depth;
} jsonReader;

static void read_json_value(jsonReader *r, jsonNode *node);


_Noreturn static void fail_in_json(const jsonReader *r, const char *what)
{
  int line = 1;
  for (const char *s = r->begin; s < r->next; s++) line += *s == '\n';
  error_refuse(((artPlace){.file = r->name, .line = line}), "this is not JSON: %s", what);
}


static void skip_json_space(jsonReader *r)
{
  while (r->next < r->end && strchr(" \t\r\n", *r->next) && *r->next) r->next++;
}


// true, and skips it, if this is the next character
static bool take_json_character(jsonReader *r, char c)
{
  skip_json_space(r);
  if (r->next >= r->end || *r->next != c) return false;
  r->next++;
  return true;
}


//---- strings -------------------------------------------------------------------------------------

static int hex_digits(const jsonReader *r, unsigned *code)
{
  if (r->end - r->next < 4) return 0;
  *code = 0;
  for (int k = 0; k < 4; k++) {
    const char c = r->next[k];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return 0;
    *code = *code * 16 + (unsigned) digit;
  }
  return 1;
}


static char *put_character(char *to, unsigned code)
{
  if (code < 0x80) {
    *to++ = (char) code;
  } else if (code < 0x800) {
    *to++ = (char) (0xc0 | code >> 6);
    *to++ = (char) (0x80 | (code & 0x3f));
  } else {
    if (code >= 0x10000) {
      *to++ = (char) (0xf0 | code >> 18);
      *to++ = (char) (0x80 | (code >> 12 & 0x3f));
    } else {
      *to++ = (char) (0xe0 | code >> 12);
    }
    *to++ = (char) (0x80 | (code >> 6 & 0x3f));
    *to++ = (char) (0x80 | (code & 0x3f));
  }
  return to;
}


// \uXXXX, or a surrogate pair; unpaired surrogates become U+FFFD
static char *read_code(jsonReader *r, char *to)
{
  unsigned code, low;
  if (!hex_digits(r, &code)) fail_in_json(r, "\\u needs four hexadecimal digits");
  r->next += 4;
  if (code >= 0xd800 && code < 0xe000) {
    const bool is_pair =
        code < 0xdc00 && r->end - r->next >= 6 && r->next[0] == '\\' && r->next[1] == 'u';
    if (is_pair) r->next += 2;
    if (is_pair && hex_digits(r, &low) && low >= 0xdc00 && low < 0xe000) {
      r->next += 4;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else {
      if (is_pair) r->next -= 2;
      code = 0xfffd;
    }
  }
  return put_character(to, code ? code : 0xfffd);
}


static char *read_escape(jsonReader *r, char *to)
{
  static const char letters[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
  if (r->next >= r->end) fail_in_json(r, "a string does not end");
  const char c = *r->next++;
  if (c == 'u') return read_code(r, to);
  const char *at = c ? strchr(letters, c) : NULL;
  if (!at) fail_in_json(r, "unknown escape in a string");
  *to++ = meaning[at - letters];
  return to;
}


// reads after the opening quote, in place: the result is never longer than the source
static const char *read_json_text(jsonReader *r)
{
  const char *quote = r->next;
  while (quote < r->end && *quote != '"') quote += *quote == '\\' ? 2 : 1;
  if (quote >= r->end) fail_in_json(r, "a string does not end");
  char *text = arena_alloc(r->arena, (size_t) (quote - r->next) + 1, 1), *to = text;
  while (r->next < quote) {
    const char c = *r->next++;
    if ((unsigned char) c < 0x20) fail_in_json(r, "a string has a control character");
    if (c == '\\') {
      to = read_escape(r, to);
    } else {
      *to++ = c;
    }
  }
  r->next = quote + 1;
  return text;
}


//---- values --------------------------------------------------------------------------------------

static void read_json_number(jsonReader *r, jsonNode *node)
{
  char digits[64];
  size_t n = 0;
  while (r->next + n < r->end && n < sizeof digits - 1 && r->next[n] &&
         strchr("+-.0123456789eE", r->next[n])) {
    digits[n] = r->next[n];
    n++;
  }
  digits[n] = 0;
  char *rest;
  node->kind = JSON_NUMBER;
  node->number = format_read(digits, &rest);
  if (n == 0 || *rest || digits[0] == '+' || digits[0] == '.' || !isfinite(node->number)) {
    fail_in_json(r, "expected a value");
  }
  r->next += n;
}


static bool take_json_word(jsonReader *r, const char *word)
{
  const size_t n = strlen(word);
  if ((size_t) (r->end - r->next) < n || memcmp(r->next, word, n) != 0) return false;
  r->next += n;
  return true;
}


static void read_json_items(jsonReader *r, jsonNode *node, char close)
{
  jsonNode **last = &node->first;
  if (take_json_character(r, close)) return;
  if (++r->depth > DEEPEST) fail_in_json(r, "nested too deeply");
  do {
    if (node->count > 0 && !take_json_character(r, ','))
      fail_in_json(r, "expected ',' or the end of a list");
    jsonNode *item = *last = arena_alloc(r->arena, 1, sizeof *item);
    if (node->kind == JSON_OBJECT) {
      if (!take_json_character(r, '"')) fail_in_json(r, "expected a key in quotes");
      item->key = read_json_text(r);
      if (!take_json_character(r, ':')) fail_in_json(r, "expected ':' after a key");
    }
    read_json_value(r, item);
    last = &item->next;
    node->count++;
  } while (!take_json_character(r, close));
  r->depth--;
}


static void read_json_value(jsonReader *r, jsonNode *node)
{
  if (take_json_character(r, '{')) {
    node->kind = JSON_OBJECT;
    read_json_items(r, node, '}');
  } else if (take_json_character(r, '[')) {
    node->kind = JSON_ARRAY;
    read_json_items(r, node, ']');
  } else if (take_json_character(r, '"')) {
    node->kind = JSON_TEXT;
    node->text = read_json_text(r);
  } else if (!take_json_word(r, "null")) {
    node->kind = JSON_BOOL;
    node->number = take_json_word(r, "true");
    if (node->number == 0 && !take_json_word(r, "false")) read_json_number(r, node);
  }
}


static void read_json_root(void *context)
{
  jsonReader *r = context;
  r->root = arena_alloc(r->arena, 1, sizeof *r->root);
  read_json_value(r, r->root);
  skip_json_space(r);
  if (r->next < r->end) fail_in_json(r, "something follows its end");
}


artStatus json_read(const jsonNode **root, const char *text, size_t n, const char *name,
                    baseArena *arena, artError *error)
{
  jsonReader r = {.next = text, .begin = text, .end = text + n, .name = name, .arena = arena};
  const int leaves = arena->leaves;
  arena->leaves = 1;
  const artStatus status = error_try(read_json_root, &r, error);
  arena->leaves = leaves;
  *root = status ? NULL : r.root;
  return status;
}


//---- queries -------------------------------------------------------------------------------------

const jsonNode *json_find(const jsonNode *node, const char *key)
{
  if (!node || node->kind != JSON_OBJECT) return NULL;
  for (const jsonNode *item = node->first; item; item = item->next) {
    if (strcmp(item->key, key) == 0) return item;
  }
  return NULL;
}


double json_find_number(const jsonNode *node, const char *key, double otherwise)
{
  const jsonNode *item = json_find(node, key);
  return item && item->kind == JSON_NUMBER ? item->number : otherwise;
}


const char *json_find_text(const jsonNode *node, const char *key, const char *otherwise)
{
  const jsonNode *item = json_find(node, key);
  return item && item->kind == JSON_TEXT ? item->text : otherwise;
}


bool json_find_bool(const jsonNode *node, const char *key)
{
  const jsonNode *item = json_find(node, key);
  return item && item->kind == JSON_BOOL && item->number != 0;
}


int json_find_index(const jsonNode *node, const char *key, int otherwise)
{
  const double x = json_find_number(node, key, otherwise);
  return x == floor(x) && fabs(x) < 1e9 ? (int) x : otherwise;
}


int json_find_numbers(const jsonNode *node, const char *key, int n, double *values)
{
  const jsonNode *list = json_find(node, key);
  if (!list || list->kind != JSON_ARRAY || list->count != n) return 0;
  for (const jsonNode *item = list->first; item; item = item->next) {
    if (item->kind != JSON_NUMBER) return 0;
    *values++ = item->number;
  }
  return 1;
}


int json_find_count(const jsonNode *node, const char *key)
{
  const jsonNode *list = json_find(node, key);
  return list && list->kind == JSON_ARRAY ? list->count : 0;
}
