// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A small reader of JSON (RFC 8259).
#include "show/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { DEEPEST = 64 };

typedef struct jsonReader {
  const char *next, *end, *begin;
  const char *name;
  baseArena *arena;
  artError *error;
  int depth;
} jsonReader;

static artStatus read_json_value(jsonReader *r, jsonNode *node);


static artStatus fail_in_json(const jsonReader *r, const char *what)
{
  int line = 1;
  for (const char *s = r->begin; s < r->next; s++) line += *s == '\n';
  return base_fail(r->error, ART_BAD_INPUT, (artPlace){.file = r->name, .line = line},
                   "this is no JSON: %s", what);
}


static void skip_json_space(jsonReader *r)
{
  while (r->next < r->end && strchr(" \t\r\n", *r->next) && *r->next) r->next++;
}


// is this character next? it is taken then
static bool take_json_character(jsonReader *r, char c)
{
  skip_json_space(r);
  if (r->next >= r->end || *r->next != c) return false;
  r->next++;
  return true;
}


//---- texts ---------------------------------------------------------------------------------------

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


// \uXXXX, two of them for a character beyond the first 65536; halves of pairs become U+FFFD
static artStatus read_code(jsonReader *r, char **to)
{
  unsigned code, low;
  if (!hex_digits(r, &code)) return fail_in_json(r, "\\u needs four hexadecimal digits");
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
  *to = put_character(*to, code ? code : 0xfffd);
  return ART_OK;
}


static artStatus read_escape(jsonReader *r, char **to)
{
  static const char letters[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
  if (r->next >= r->end) return fail_in_json(r, "a text does not end");
  const char c = *r->next++;
  if (c == 'u') return read_code(r, to);
  const char *at = c ? strchr(letters, c) : NULL;
  if (!at) return fail_in_json(r, "unknown escape in a text");
  *(*to)++ = meaning[at - letters];
  return ART_OK;
}


// after the opening quote; what is written is never longer than what is read
static artStatus read_json_text(jsonReader *r, const char **text)
{
  const char *quote = r->next;
  while (quote < r->end && *quote != '"') quote += *quote == '\\' ? 2 : 1;
  if (quote >= r->end) return fail_in_json(r, "a text does not end");
  char *to = arena_alloc(r->arena, (size_t) (quote - r->next) + 1, 1);
  if (!to) return base_no_memory(r->error);
  *text = to;
  while (r->next < quote) {
    const char c = *r->next++;
    if ((unsigned char) c < 0x20) return fail_in_json(r, "a text has a control character");
    if (c != '\\') {
      *to++ = c;
    } else {
      const artStatus status = read_escape(r, &to);
      if (status) return status;
    }
  }
  r->next = quote + 1;
  return ART_OK;
}


//---- values --------------------------------------------------------------------------------------

static artStatus read_json_number(jsonReader *r, jsonNode *node)
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
  node->number = strtod(digits, &rest);
  if (n == 0 || *rest || digits[0] == '+' || digits[0] == '.' || !isfinite(node->number)) {
    return fail_in_json(r, "expected a value");
  }
  r->next += n;
  return ART_OK;
}


static bool take_json_word(jsonReader *r, const char *word)
{
  const size_t n = strlen(word);
  if ((size_t) (r->end - r->next) < n || memcmp(r->next, word, n) != 0) return false;
  r->next += n;
  return true;
}


static artStatus add_item(jsonReader *r, jsonNode *node, jsonNode ***last)
{
  jsonNode *item = arena_alloc(r->arena, 1, sizeof *item);
  if (!item) return base_no_memory(r->error);
  artStatus status = ART_OK;
  if (node->kind == JSON_OBJECT) {
    if (!take_json_character(r, '"')) return fail_in_json(r, "expected a key in quotes");
    status = read_json_text(r, &item->key);
    if (!status && !take_json_character(r, ':')) return fail_in_json(r, "expected ':' after a key");
  }
  if (!status) status = read_json_value(r, item);
  if (status) return status;
  **last = item;
  *last = &item->next;
  node->count++;
  return ART_OK;
}


static artStatus read_json_items(jsonReader *r, jsonNode *node, char close)
{
  jsonNode **last = &node->first;
  if (take_json_character(r, close)) return ART_OK;
  if (++r->depth > DEEPEST) return fail_in_json(r, "nested too deeply");
  for (;;) {
    const artStatus status = add_item(r, node, &last);
    if (status) return status;
    if (take_json_character(r, close)) break;
    if (!take_json_character(r, ',')) return fail_in_json(r, "expected ',' or the end of a list");
  }
  r->depth--;
  return ART_OK;
}


static artStatus read_json_value(jsonReader *r, jsonNode *node)
{
  if (take_json_character(r, '{')) {
    node->kind = JSON_OBJECT;
    return read_json_items(r, node, '}');
  }
  if (take_json_character(r, '[')) {
    node->kind = JSON_ARRAY;
    return read_json_items(r, node, ']');
  }
  if (take_json_character(r, '"')) {
    node->kind = JSON_TEXT;
    return read_json_text(r, &node->text);
  }
  if (take_json_word(r, "null")) return ART_OK;
  node->kind = JSON_BOOL;
  node->number = 1;
  if (take_json_word(r, "true")) return ART_OK;
  node->number = 0;
  if (take_json_word(r, "false")) return ART_OK;
  return read_json_number(r, node);
}


artStatus json_read(const jsonNode **root, const char *text, size_t n, const char *name,
                    baseArena *arena, artError *error)
{
  jsonReader r = {
      .next = text, .begin = text, .end = text + n, .name = name, .arena = arena, .error = error};
  jsonNode *node = arena_alloc(arena, 1, sizeof *node);
  *root = NULL;
  if (!node) return base_no_memory(error);
  const artStatus status = read_json_value(&r, node);
  if (status) return status;
  skip_json_space(&r);
  if (r.next < r.end) return fail_in_json(&r, "something follows its end");
  *root = node;
  return ART_OK;
}


//---- asking --------------------------------------------------------------------------------------

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
