// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any text as title, names and formulas of a model that is written in every language. Without its
// comments and texts the code agrees with the same model in harmless words: it has the same tokens, but for
// names. Nothing in the file can end a line or a comment by other means.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "articula/articula.h"
#include "harness.h"
#include "model/model.h"

enum { PIECES = 4 };
typedef struct words {
  const char *piece[PIECES]; // title, name of the body, name of an output, its formula
} words;

static const words harmless = {{"title", "rod", "angle", "pin.angle"}};


//---- the model -----------------------------------------------------------------------------------

static artModel *compile(const words *w)
{
  artBuilder *builder = art_create_builder();
  artBodyDef body = art_default_body();
  artJointDef pin = art_default_joint();
  artModel *model = NULL;
  body.name = pin.to = w->piece[1];
  body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  body.com[2] = -1;
  pin.name = "pin";
  pin.from = "ground";
  pin.axis[1] = 1;
  pin.axis[2] = 0;
  art_set_title(builder, w->piece[0]);
  art_add_body(builder, &body);
  art_add_joint(builder, &pin);
  art_add_output(builder, w->piece[2], w->piece[3]);
  art_add_output(builder, w->piece[3], "pin.rate");
  (void) art_compile_model(&model, builder, NULL);
  art_free_builder(builder);
  return model;
}


// pieces that the builder refuses give way to harmless ones, one after the other
static artModel *compile_most(words *w)
{
  artModel *model = compile(w);
  for (int k = PIECES - 1; k > 0 && !model; k--) {
    w->piece[k] = harmless.piece[k];
    model = compile(w);
  }
  return model;
}


//---- the text ------------------------------------------------------------------------------------

static char *write_language(const artModel *m, artLanguage language)
{
  size_t size;
  char path[FUZZ_PATH_LENGTH];
  artGenerateDef def = art_default_generate();
  artError error = {0};
  def.language = language;
  def.forms = ART_FORM_ACCELERATE | ART_FORM_OUTPUTS | ART_FORM_REACTIONS;
  fuzz_path(path, "Machine.txt");
  artData *data = art_create_data(m);
  REQUIRE(art_write_source(m, data, &def, path, &error) == ART_OK);
  art_free_data(data);
  fuzz_check_plain(path);
  return fuzz_read(path, &size);
}


// sequences that no language may see, wherever they stand
static void check_characters(const char *text, artLanguage language)
{
  if (language == ART_C || language == ART_JAVA) {
    REQUIRE(!strstr(text, "??") && !strstr(text, "\\u") && !strstr(text, "\\\n"));
  }
  if (language == ART_PYTHON) {
    // a cookie counts in the first two lines
    const char *second = strchr(text, '\n'), *cookie = strstr(text, "coding");
    const char *third = second ? strchr(second + 1, '\n') : NULL;
    for (; cookie && third && cookie < third; cookie = strstr(cookie + 1, "coding")) {
      REQUIRE(cookie[6] != ':' && cookie[6] != '=');
    }
  }
  for (const char *c = text; language == ART_MATLAB && (c = strchr(c, '\n')); c++) {
    // alone in its line it begins or ends a block
    const char *first = c + 1 + strspn(c + 1, " ");
    REQUIRE(strncmp(first, "%{\n", 3) != 0 && strncmp(first, "%}\n", 3) != 0);
  }
}


//---- tokens --------------------------------------------------------------------------------------

static const char *line_comments[ART_LANGUAGES] = {"//", "!", "%", "//", "#"};
static const char *continuations[ART_LANGUAGES] = {"\\\n", "&", "...\n", "\\\n", "\\\n"};


// the character behind the quoted text that begins at c
static const char *skip_quoted(const char *c)
{
  const char quote = *c++;
  while (*c && *c != quote && *c != '\n') c += *c == '\\' && c[1] ? 2 : 1;
  return *c == quote ? c + 1 : c;
}


static int is_quote(char c, artLanguage language, char before)
{
  // behind an operand the quote of MATLAB transposes
  if (c == '\'' && language == ART_MATLAB)
    return !(isalnum((unsigned char) before) || strchr(")]'_.", before));
  return c == '"' || c == '\'';
}


// Tokens of a text: names become n, numbers 0, texts s; all else stays. Comments, spaces and continuations vanish.
static char *take_tokens(const char *text, artLanguage language)
{
  char *tokens = malloc(strlen(text) + 1), *to = tokens, before = ' ';
  const char *comment = line_comments[language], *continuation = continuations[language];
  REQUIRE(tokens);
  for (const char *c = text; *c;) {
    if (strncmp(c, comment, strlen(comment)) == 0) {
      c += strcspn(c, "\n");
    } else if (strncmp(c, "/*", 2) == 0 && (language == ART_C || language == ART_JAVA)) {
      c = strstr(c, "*/");
      REQUIRE(c);
      c += 2;
    } else if (isspace((unsigned char) *c)) {
      c++;
    } else if (strncmp(c, continuation, strlen(continuation)) == 0) {
      c += strlen(continuation);
    } else if (isalpha((unsigned char) *c) || *c == '_') {
      while (isalnum((unsigned char) *c) || *c == '_') before = *c++;
      *to++ = 'n';
    } else if (isdigit((unsigned char) *c) || (*c == '.' && isdigit((unsigned char) c[1]))) {
      while (isalnum((unsigned char) *c) || *c == '.' ||
             (strchr("+-", *c) && strchr("eEdD", c[-1])))
        before = *c++;
      *to++ = '0';
    } else if (is_quote(*c, language, before)) {
      c = skip_quoted(c);
      *to++ = before = 's';
    } else {
      REQUIRE((unsigned char) *c < 0x80);
      *to++ = before = *c++;
    }
  }
  *to = '\0';
  return tokens;
}


//---- one input -----------------------------------------------------------------------------------

static char *tokens_of(const artModel *m, artLanguage language)
{
  char *text = write_language(m, language);
  check_characters(text, language);
  char *tokens = take_tokens(text, language);
  free(text);
  return tokens;
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static char *wanted[ART_LANGUAGES];
  char *text = fuzz_text(data, size);
  words w = harmless;
  const char *at = text;
  for (int k = 0; k < PIECES && at < text + size; k++, at += strlen(at) + 1) w.piece[k] = at;

  artModel *model = compile_most(&w);
  REQUIRE(model);
  for (artLanguage l = ART_C; l < ART_LANGUAGES; l++) {
    if (!wanted[l]) {
      artModel *own = compile(&harmless);
      wanted[l] = tokens_of(own, l);
      art_free_model(own);
    }
    // a formula of one's own has code of its own
    char *tokens = tokens_of(model, l);
    if (w.piece[3] == harmless.piece[3]) REQUIRE(strcmp(tokens, wanted[l]) == 0);
    free(tokens);
  }
  art_free_model(model);
  free(text);
  return 0;
}
