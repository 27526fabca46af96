// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Scanner of ADAMS decks: statements KEYWORD/ID, KEY = VALUE, ... over lines that begin with a
// comma or follow an ampersand. Comments begin with an exclamation mark; those with
// adams_view_name='...' name the next statement. The first line is a title. Keywords may be
// abbreviated to their first letters.
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/format.h"
#include "import/adams.h"

// marks a comma that only continues the previous line
enum { CONTINUES = '\v' };

//---- keywords and numbers ------------------------------------------------------------------------

// true if the word is an abbreviation of a keyword with at least `least` letters
static bool is_short_for(const char *word, const char *full, int least)
{
  ART_ASSERT(least >= 1);
  int n = 0;
  while (word[n] && ascii_upper((unsigned char) word[n]) == full[n]) n++;
  return !word[n] && (n >= least || !full[n]);
}


// the full keyword; NULL: none, or ambiguous
static const admVerb *find_adams_verb(const char *word)
{
  const admVerb *found = NULL;
  int count = 0;
  for (const admVerb *verb = adm_verbs; verb->name; verb++) {
    if (!is_short_for(word, verb->name, 3)) continue;
    if (strlen(word) == strlen(verb->name)) return verb;
    found = verb;
    count++;
  }
  return count == 1 ? found : NULL;
}


admField *adm_field(admStatement *s, const char *key, int least)
{
  for (int i = 0; i < s->nfield; i++) {
    if (!is_short_for(s->field[i].key, key, least)) continue;
    s->field[i].is_read = true;
    return &s->field[i];
  }
  return NULL;
}


admField *adm_need_function(admReader *r, admStatement *s)
{
  admField *field = adm_field(s, "FUNCTION", 2);
  if (field) return field;
  import_fail(r->w, s->place, "%s/%ld has no FUNCTION", s->verb, s->id);
}


bool adm_has(admStatement *s, const char *key, int least)
{
  return adm_field(s, key, least) != NULL;
}


// a number with exponent E or D; D without exponent means degrees
const char *adm_read_number(const char *at, double *x)
{
  char digits[64];
  size_t n = 0;
  bool has_digit = false, is_exponent = false;
  if (*at == '+' || *at == '-') digits[n++] = *at++;
  for (; n < sizeof digits - 2; n++, at++) {
    const char c = (char) ascii_upper((unsigned char) *at);
    const char *power = at[0] && at[1] && strchr("+-", at[1]) ? at + 2 : at + (at[0] != 0);
    const bool has_power = ascii_is_digit((unsigned char) *power);
    if (ascii_is_digit((unsigned char) c)) {
      has_digit = true;
    } else if ((c == 'E' || c == 'D') && has_digit && !is_exponent && has_power) {
      is_exponent = true;
      digits[n++] = 'e';
      at++;
      if (!ascii_is_digit((unsigned char) *at)) {
        digits[n] = *at;
        continue;
      }
    } else if (c != '.' || is_exponent) {
      break;
    }
    digits[n] = *at;
  }
  digits[n] = 0;
  char *end = NULL;
  *x = format_read(digits, &end);
  if (!has_digit || *end || !(*x - *x == 0)) return NULL;
  if (ascii_upper((unsigned char) *at) == 'D') {
    *x *= PI / 180;
    at++;
  }
  return at;
}


int adm_numbers(admReader *r, admField *field, int most, double *x)
{
  ART_ASSERT(most >= 1);
  int n = 0;
  const char *at = field->value;
  while (*at) {
    double number;
    while (*at == ' ') at++;
    const char *end = adm_read_number(at, &number);
    while (end && *end == ' ') end++;
    if (!end || (*end && *end != ',')) {
      import_fail(r->w, field->place, "'%s' is '%.60s', expected numbers", field->key,
                  field->value);
    }
    if (n >= most) {
      import_fail(r->w, field->place, "'%s' has more than %d number%s", field->key, most,
                  most == 1 ? "" : "s");
    }
    x[n++] = number;
    at = *end ? end + 1 : end;
  }
  if (n == 0) import_fail(r->w, field->place, "'%s' has no value", field->key);
  return n;
}


double adm_number(admReader *r, admStatement *s, const char *key, int least, double otherwise)
{
  admField *field = adm_field(s, key, least);
  double x = otherwise;
  if (field) adm_numbers(r, field, 1, &x);
  return x;
}


long adm_id(admReader *r, admField *field)
{
  char *end = NULL;
  const long id = strtol(field->value, &end, 10);
  if (end != field->value && !*end && id >= 0) return id;
  import_fail(r->w, field->place, "'%s' is '%.60s', expected the number of a statement", field->key,
              field->value);
}


long adm_whole(double x)
{
  return x >= 0 && x < 2e9 ? (long) x : -1;
}


int adm_find(admReader *r, const char *verb, long id)
{
  return table_find(&r->ids, import_format(r->w, "%s/%ld", verb, id));
}


const char *adm_name(admReader *r, const admStatement *s, const char *kind)
{
  return import_name(r->w, s->name, kind, s->place);
}


//---- fields --------------------------------------------------------------------------------------

static bool is_adams_word_letter(int c)
{
  return ascii_is_word(c) || c == '_';
}


// true if KEY = begins here
static bool begins_field(const char *at, const char *end)
{
  while (at < end && ascii_is_space((unsigned char) *at)) at++;
  if (at >= end || !ascii_is_letter((unsigned char) *at)) return false;
  while (at < end && is_adams_word_letter((unsigned char) *at)) at++;
  while (at < end && ascii_is_space((unsigned char) *at)) at++;
  return at < end && *at == '=';
}


// true if the value of the key is an expression
static bool is_function(const char *verb, const char *key)
{
  static const char *const parts[] = {"FX", "FY", "FZ", "TX", "TY", "TZ"};
  if (is_short_for(key, "FUNCTION", 2)) return true;
  if (strcmp(verb, "REQUEST") == 0) {
    return ascii_upper((unsigned char) key[0]) == 'F' && key[1] >= '1' && key[1] <= '8' && !key[2];
  }
  if (!strstr("VFORCE VTORQUE GFORCE", verb)) return false;
  for (int i = 0; i < 6; i++) {
    if (is_short_for(key, parts[i], 2)) return true;
  }
  return false;
}


// The end of the value at `at`. A list continues after commas followed by numbers, an expression up
// to the next field.
static const char *value_end(const char *at, const char *end, bool is_expression)
{
  int depth = 0;
  for (; at < end; at++) {
    if (*at == '(') depth++;
    if (*at == ')') depth--;
    if (*at == '\\') break;
    if (depth > 0 || (*at != ',' && *at != CONTINUES)) continue;
    const char *next = at + 1;
    while (next < end &&
           (ascii_is_space((unsigned char) *next) || *next == ',' || *next == CONTINUES))
      next++;
    if (begins_field(next, end)) break;
    if (!is_expression && next < end && !strchr("+-.0123456789", *next)) break;
  }
  return at;
}


// True if a comma at the start of a line inside a call separates arguments, because nothing else
// does.
static bool is_comma(const char *text, size_t n, const char *next, int depth)
{
  while (n > 0 && text[n - 1] == ' ') n--;
  while (ascii_is_space((unsigned char) *next)) next++;
  return depth > 0 && n > 0 && !strchr("(,+-*/:", text[n - 1]) && !strchr("),+-*/:", *next);
}


// the value on one line; of a list without spaces
static char *plain_value(importWork *w, const char *at, const char *end, bool is_expression)
{
  char *text = import_take(w, (size_t) (end - at) + 2, 1);
  size_t n = 0;
  int depth = 0;
  for (; at < end; at++) {
    if (*at == '(') depth++;
    if (*at == ')') depth--;
    char c = ascii_is_space((unsigned char) *at) && *at != CONTINUES ? ' ' : *at;
    if (c == CONTINUES) c = !is_expression || is_comma(text, n, at + 1, depth) ? ',' : ' ';
    if (c == ' ' && (n == 0 || text[n - 1] == ' ' || (!is_expression && text[n - 1] == ','))) {
      continue;
    }
    if (!is_expression && c == ',') {
      while (n > 0 && text[n - 1] == ' ') n--;
      if (n > 0 && text[n - 1] == ',') continue;
    }
    text[n++] = c;
  }
  while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == ',')) n--;
  text[n] = 0;
  return text;
}


static char *take_adams_word(importWork *w, const char *at, const char *end)
{
  char *word = import_take(w, (size_t) (end - at) + 1, 1);
  for (const char *c = at; c < end; c++) word[c - at] = (char) ascii_upper((unsigned char) *c);
  return word;
}


// read KEY = VALUE or a keyword; returns its end
static const char *read_field(admReader *r, admStatement *s, const char *text, const char *at,
                              const char *end)
{
  importWork *w = r->w;
  const artPlace place = {s->place.file, s->place.line + xml_count_lines(text, at), 1};
  const char *word = at;
  while (at < end && is_adams_word_letter((unsigned char) *at)) at++;
  admField field = {.key = take_adams_word(w, word, at), .value = "", .place = place};
  while (at < end && ascii_is_space((unsigned char) *at) && *at != CONTINUES) at++;
  if (at < end && *at == '=') {
    const bool is_expression = is_function(s->verb, field.key);
    const char *stop = value_end(at + 1, end, is_expression);
    field.value = plain_value(w, at + 1, stop, is_expression);
    at = stop;
  } else {
    at = value_end(at, end, false); // words after words are comments
  }
  if (!field.key[0]) {
    import_fail(w, place, "%s/%ld has '%.20s' where a key is expected", s->verb, s->id, word);
  }
  import_grow(w, (void **) &s->field, s->nfield, &s->field_capacity, sizeof *s->field);
  s->field[s->nfield++] = field;
  return at;
}


static void read_fields(admReader *r, admStatement *s, const char *text, const char *at,
                        const char *end)
{
  while (true) {
    while (at < end && (ascii_is_space((unsigned char) *at) || strchr(",\\", *at))) at++;
    if (at >= end) return;
    at = read_field(r, s, text, at, end);
  }
}


//---- statements ----------------------------------------------------------------------------------

static void add_statement(admReader *r, const admStatement *s)
{
  importWork *w = r->w;
  import_grow(w, (void **) &r->statement, r->nstatement, &r->statement_capacity,
              sizeof *r->statement);
  r->statement[r->nstatement] = *s;
  const char *key = import_format(w, "%s/%ld", s->verb, s->id);
  if (s->id > 0 && table_find(&r->ids, key) >= 0) {
    import_fail(w, s->place, "%s is defined twice", key);
  }
  if (s->id > 0) import_enter(w, &r->ids, key, r->nstatement);
  r->nstatement++;
}


// a '-' in a name would be read as a minus in formulas
static const char *plain_name(importWork *w, const char *name, artPlace place)
{
  if (!strchr(name, '-')) return name;
  char *plain = import_text(w, name);
  for (char *c = plain; *c; c++) *c = *c == '-' ? '_' : *c;
  import_note_look(w, place, "the name '%.80s' is written with _ instead of - here", name);
  return plain;
}


static void read_statement(admReader *r, const char *text, size_t length, int line,
                           const char *name)
{
  importWork *w = r->w;
  const char *at = text, *end = text + length;
  admStatement s = {.place = {w->path, line, 1}};
  while (at < end && ascii_is_space((unsigned char) *at)) {
    s.place.line += *at == '\n';
    text = ++at;
  }
  if (at >= end) return;
  const char *word = at;
  while (at < end && is_adams_word_letter((unsigned char) *at)) at++;
  const char *given = take_adams_word(w, word, at);
  s.kind = find_adams_verb(given);
  if (!s.kind) {
    import_fail(w, s.place, "'%.40s' is not a statement of ADAMS that is known here",
                given[0] ? given : plain_value(w, word, end, true));
  }
  s.verb = s.kind->name;
  while (at < end && ascii_is_space((unsigned char) *at)) at++;
  if (at < end && *at == '/') at++;
  while (at < end && ascii_is_space((unsigned char) *at)) at++;
  for (; at < end && ascii_is_digit((unsigned char) *at); at++) {
    if (s.id > 200000000) import_fail(w, s.place, "the number of a %s is too large", s.verb);
    s.id = 10 * s.id + (*at - '0');
  }
  s.name = name ? plain_name(w, name, s.place) : import_format(w, "%s_%ld", s.verb, s.id);
  import_enter(w, &w->given, import_spell(w, s.name), 0); // reserve the name
  read_fields(r, &s, text, at, end);
  add_statement(r, &s);
}


// the name in a comment; NULL if there is none
static const char *name_of_comment(importWork *w, const char *remark, const char *end)
{
  static const char mark[] = "adams_view_name='";
  const size_t n = sizeof mark - 1;
  for (; remark + n < end; remark++) {
    if (memcmp(remark, mark, n) != 0) continue;
    const char *name = remark + n, *stop = memchr(name, '\'', (size_t) (end - name));
    return stop && stop > name ? import_format(w, "%.*s", (int) (stop - name), name) : NULL;
  }
  return NULL;
}


// a statement being assembled from its lines
typedef struct openStatement {
  char *text;
  size_t length;
  int line, breaks;             // of its first line, and line breaks in the text
  const char *name, *next_name; // from comments
  bool goes_on;                 // the last line ended with an ampersand
} openStatement;


static void close_statement(admReader *r, openStatement *open)
{
  if (open->length > 0) read_statement(r, open->text, open->length, open->line, open->name);
  open->length = 0;
  open->breaks = 0;
  open->name = NULL;
}


// add a line without its comment
static void add_statement_line(admReader *r, openStatement *open, const char *at, const char *end,
                               int line)
{
  while (end > at && ascii_is_space((unsigned char) end[-1])) end--;
  while (at < end && ascii_is_space((unsigned char) *at)) at++;
  if (at == end) return;
  const bool is_more = open->length > 0 && (*at == ',' || open->goes_on);
  if (!is_more) {
    close_statement(r, open);
    open->line = line;
    open->name = open->next_name;
    open->next_name = NULL;
  }
  open->goes_on = end[-1] == '&';
  if (open->goes_on) end--;
  // keep line breaks in the text, to count lines
  for (; is_more && open->breaks < line - open->line; open->breaks++) {
    open->text[open->length++] = '\n';
  }
  for (const char *c = at; c < end; c++) {
    if (*c == ';') {
      close_statement(r, open);
      open->line = line;
      continue;
    }
    open->text[open->length++] = c == at && is_more && *c == ',' ? CONTINUES : *c;
  }
}


// the first line is a title, whatever it contains
static void note_statement(importWork *w, const char *at, const char *end)
{
  const char *word = at;
  while (at < end && is_adams_word_letter((unsigned char) *at)) at++;
  if (at >= end || *at != '/' || !find_adams_verb(take_adams_word(w, word, at))) return;
  import_note_look(w, (artPlace){w->path, 1, 1},
                   "the first line of a deck is its title and is not read");
}


void adm_scan(admReader *r, const char *text, size_t length)
{
  importWork *w = r->w;
  if (memchr(text, 0, length)) {
    import_fail(w, (artPlace){.file = w->path}, "the file is not text");
  }
  openStatement open = {.text = import_take(w, length + 2, 1)};
  int line = 0;
  for (const char *at = text, *end = text + length; at < end;) {
    const char *stop = memchr(at, '\n', (size_t) (end - at));
    if (!stop) stop = end;
    line++;
    if (line == 1) {
      note_statement(w, at, stop);
      w->machine.title = import_format(w, "%.*s", (int) (stop - at < 200 ? stop - at : 200), at);
    } else {
      const char *remark = memchr(at, '!', (size_t) (stop - at));
      const char *name = remark ? name_of_comment(w, remark, stop) : NULL;
      if (name) open.next_name = name;
      add_statement_line(r, &open, at, remark ? remark : stop, line);
    }
    at = stop + 1;
  }
  close_statement(r, &open);
}
