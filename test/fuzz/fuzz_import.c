// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as a file of another program, imported and, one time in sixteen, read as a model. The first
// byte chooses the ending and whether collision shapes touch; ART_FUZZ_ENDING, one of those below, fixes it and tells at the end how many were imported.
// An import either has a text or a message. Half of the changes are made to whole values and tags, so that the file
// stays one of its format.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/import.h"
#include "articula/model.h"
#include "harness.h"

enum { ENDINGS = 5, MAX_PIECES = 4096 };

static const char *const endings[ENDINGS] = {"urdf", "xml", "mbs", "sdf", "adm"};
static long ntried, nimported, nread;


static void tell(void)
{
  fprintf(stderr, "%ld files, %ld of them imported, %ld of these read as a model\n", ntried,
          nimported, nread);
}


static const char *fixed_ending(void)
{
  static const char *ending;
  if (ending || !getenv("ART_FUZZ_ENDING")) return ending;
  ending = getenv("ART_FUZZ_ENDING");
  atexit(tell);
  return ending;
}


//---- changes -------------------------------------------------------------------------------------

typedef struct piece {
  size_t at, length;
} piece;

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);


// text between two characters, as values of attributes, tags, and words of decks have it
static int find_pieces(const uint8_t *data, size_t size, char from, char to, piece *p)
{
  int n = 0;
  for (size_t i = 1; i < size && n < MAX_PIECES; i++) {
    if (data[i] != from) continue;
    size_t end = i + 1;
    while (end < size && data[end] != to) end++;
    if (end == size) break;
    p[n++] = (piece){i + 1, end - i - 1};
    i = from == to && from != '"' ? end - 1 : end;
  }
  return n;
}


static size_t put(uint8_t *data, size_t size, size_t most, piece old, const uint8_t *by, size_t n)
{
  if (size - old.length + n > most) return size;
  memmove(data + old.at + n, data + old.at + old.length, size - old.at - old.length);
  memcpy(data + old.at, by, n);
  return size - old.length + n;
}


// a piece becomes another of its kind, goes, comes twice, or is changed within
static size_t change_piece(uint8_t *data, size_t size, size_t most, unsigned seed)
{
  static const char kinds[][2] = {{'"', '"'}, {'>', '<'}, {'<', '>'}, {',', ','}, {'\n', '\n'}};
  static piece p[MAX_PIECES];
  static uint8_t word[1 << 16];
  srand(seed);
  const char *kind = kinds[rand() % 5];
  const int n = find_pieces(data, size, kind[0], kind[1], p);
  if (n == 0) return LLVMFuzzerMutate(data, size, most);
  const piece old = p[rand() % n], other = p[rand() % n];
  size_t length = 0;
  switch (rand() % 4) {
  case 0: memcpy(word, data + other.at, length = other.length); break;
  case 1: break;
  case 2:
    memcpy(word, data + old.at, length = old.length);
    length = LLVMFuzzerMutate(word, length, length + 16);
    for (size_t i = 0; i < length; i++) word[i] = word[i] < ' ' || word[i] > '~' ? '0' : word[i];
    break;
  default: // with the characters around it, behind itself
    memcpy(word, data + old.at - 1, length = old.length + 2);
    return put(data, size, most, (piece){old.at + old.length + 1, 0}, word, length);
  }
  return put(data, size, most, old, word, length);
}


size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
  if (size < 2 || size > 1 << 15 || seed % 4 == 0) return LLVMFuzzerMutate(data, size, most);
  return change_piece(data, size, most, seed / 4);
}


//---- one file ------------------------------------------------------------------------------------

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size == 0) return 0;
  art_set_sandbox(ART_SANDBOX_OFF); // the reader itself
  const char *ending = fixed_ending();
  char path[FUZZ_PATH_LENGTH], name[16];
  snprintf(name, sizeof name, "fuzz.%.8s", ending ? ending : endings[data[0] % ENDINGS]);
  fuzz_write(path, name, data + 1, size - 1);
  artImport *import = NULL;
  artError error = {0};
  artImportDef def = art_default_import();
  def.contact = data[0] / ENDINGS % 2 && data[0] % ENDINGS != 2 && data[0] % ENDINGS != 4;
  const artStatus status = art_import(&import, path, &def, &error);
  REQUIRE((status == ART_OK) == (error.text[0] == '\0'));
  REQUIRE((status == ART_OK) == (import != NULL));
  ntried++;
  if (!status && nimported++ % 16 == 0) {
#ifndef FUZZ_READERS_ALONE
    const char *text = art_import_text(import);
    artModel *model = NULL;
    if (art_read_model(&model, text, strlen(text), path, &error) == ART_OK)
      art_free_model(model), nread++;
#endif
  }
  art_free_import(import);
  return 0;
}
