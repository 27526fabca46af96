// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Routines in the neutral language, line by line, in other languages. Blocks go by indentation.
#include "emit/machine/neutral.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/error.h"
#include "emit/write/comment.h"

//---- how languages spell things ------------------------------------------------------------------

enum { FORTRAN = 1, MATLAB, JAVA, PYTHON, COLUMNS };
_Static_assert((int) EMIT_FORTRAN == FORTRAN && (int) EMIT_MATLAB == MATLAB &&
                   (int) EMIT_JAVA == JAVA && (int) EMIT_PYTHON == PYTHON,
               "columns of spellings are languages");

typedef const char *const spelling[COLUMNS];

static const spelling words[] = {
    {"and", ".and.", "&&", "&&", "and"},
    {"or", ".or.", "||", "||", "or"},
    {"not", ".not.", "~", "!", "not"},
    {"true", ".true.", "true", "true", "True"},
    {"false", ".false.", "false", "false", "False"},
    {"nothing", "\"\"", "''", "null", "None"},
    {"infinity", "huge(0d0)", "Inf", "Double.POSITIVE_INFINITY", "math.inf"},
    {"max", "max", "max", "Math.max", "max"},
    {"min", "min", "min", "Math.min", "min"},
    {"abs", "abs", "abs", "Math.abs", "abs"},
    {"sqrt", "sqrt", "sqrt", "Math.sqrt", "math.sqrt"},
    {"whole", "aint", "floor", "Math.floor", "_floor"},
    {0},
};

// $1, $2, ... are arguments
static const spelling forms[] = {
    {"over", "$1/$2", "$1/$2", "$1/$2", "_over($1, $2)"},
    {"set", "$1 = $2", "$1(:) = $2", "System.arraycopy($2, 0, $1, 0, $1.length)", "$1[:] = $2"},
    {"fill", "$1 = $2", "$1(:) = $2", "java.util.Arrays.fill($1, $2)", "$1[:] = [$2]*len($1)"},
    {"copy", "$3($4 + 1:$4 + $5) = $1($2 + 1:$2 + $5)", "$3($4 + 1:$4 + $5) = $1($2 + 1:$2 + $5)",
     "System.arraycopy($1, $2, $3, $4, $5)", "$3[$4:$4 + $5] = $1[$2:$2 + $5]"},
    {"add", "$1 = $2 + $3*$4", "$1 = $2 + $3*$4", "add($1, $2, $3, $4)",
     "$1[:] = [x + $3*y for x, y in zip($2, $4)]"},
    {"are_finite", "all(abs($1) < huge(0d0))", "all(isfinite($1))", "are_finite($1)",
     "all(map(math.isfinite, $1))"},
    {"field", "m%$1", "m.$1", "$1", "self.$1"},
    {"constant", "$1", "m.d.$1", "$1", "$1"},
    {0},
};

// $1 is a condition; of loops, $1 counts from $2 to below $3, which is $4 + 1
static const spelling blocks[] = {
    {"if", "if ($1) then", "if $1", "if ($1) {", "if $1:"},
    {"else", "else", "else", "} else {", "else:"},
    {"while", "do while ($1)", "while $1", "while ($1) {", "while $1:"},
    {"for", "do $1 = $2, $4", "for $1 = $2:$4", "for ($1 = $2; $1 < $3; $1++) {",
     "for $1 in range($2, $3):"},
    {"end if", "end if", "end", "}", NULL},
    {"end loop", "end do", "end", "}", NULL},
    {"break", "exit", "break", "break", "break"},
    {"continue", "cycle", "continue", "continue", "continue"},
    {0},
};

// $1 is the name; $2 all variables, $3 the ones handed over, $4 the ones that come back; $5 "public" or "private", $6 variables with types,
// $7 the type of a value
static const spelling routines[] = {
    {"procedure", "subroutine $1(m$2, status)", "function [m$4, status] = $1(m$3)",
     "$5 int $1($6) {", "def $1(self$2):"},
    {"action", "subroutine $1(m$2)", "function [m$4] = $1(m$3)", "$5 void $1($6) {",
     "def $1(self$2):"},
    {"function", "function $1(m$2) result(answer)", "function answer = $1(m$3)", "$5 $7 $1($6) {",
     "def $1(self$2):"},
    {"end procedure", "end subroutine $1", "end", "}", NULL},
    {"end action", "end subroutine $1", "end", "}", NULL},
    {"end function", "end function $1", "end", "}", NULL},
    {0},
};

// $1 is the name, $2 the type, $3 the length, $4 zero, $5 how it is handed over
static const spelling declarations[] = {
    {"local", "$2 :: $1", NULL, "$2 $1 = $4", NULL},
    {"local vector", "$2 :: $1($3)", "$1 = $2($3, 1)", "$2[] $1 = new $2[$3]", "$1 = [$4]*($3)"},
    {"field", "$2, private :: $1 = $4", "m.$1 = $4", "private $2 $1", "self._$1 = $4"},
    {"field vector", "$2, private :: $1($3) = $4", "m.$1 = $2($3, 1)",
     "private final $2[] $1 = new $2[$3]", "self._$1 = [$4]*($3)"},
    {"result vector", "$1 = $4", "$1 = $2($3, 1)", NULL, NULL},
    {"given", "$2, intent($5) :: $1", NULL, "$2 $1", NULL},
    {"given vector", "$2, intent($5) :: $1($3)", NULL, "$2[] $1", NULL},
    {0},
};

static const spelling types[] = {
    {"real", "double precision", "zeros", "double", ""},
    {"integer", "integer", "zeros", "int", ""},
    {"logical", "logical", "false", "boolean", ""},
    {"text", "character(len=NTEXT)", NULL, "String", ""},
    {0},
};

static const spelling zeros[] = {
    {"real", "0", "0", "0", "0.0"},
    {"integer", "0", "0", "0", "0"},
    {"logical", ".false.", "false", "false", "False"},
    {"text", "\"\"", "''", "null", "None"},
    {0},
};

static const char *const comments[COLUMNS] = {NULL, "!", "%", "//", "#"};
static const char *const ends[COLUMNS] = {NULL, "", ";", ";", ""}; // of statements
static const char *const gaps[COLUMNS] = {NULL, "\n\n", "\n\n", "\n", "\n"};
static const int bases[COLUMNS] = {0, 2, 0, 2, 4}, indents[COLUMNS] = {0, 2, 2, 2, 4};

// Other names have an underscore in Python: they are not for everybody.
static const char open_names[] = " t q v s u tau p failed user NQ NV NS NU NY NEVENT NACTUATOR "
                                 "NPARAMETER NFREE NDRIVE ";

//---- texts ---------------------------------------------------------------------------------------

enum { MOST = 12 }; // variables of a routine, arguments of a call

typedef struct neutralVariable {
  const char *name, *type, *length; // NULL: no vector
  const char *mode;                 // Fortran: "in", "inout", "out"; NULL: a local one
} neutralVariable;

typedef struct neutralRoutine {
  const char *kind, *name, *type;
  int is_public, has_status;
  int head, n; // its line; how many variables are handed over
  neutralVariable variable[MOST];
} neutralRoutine;

typedef struct neutralText {
  const neutralJob *job;
  baseArena *arena;
  int language;
  const char **line; // lines whose conditions hold
  int n, nroutine;
  neutralRoutine *routine, *own; // all, and the one being written
  int nlocal;
  neutralVariable local[4 * MOST];
  char block[MOST]; // those that are open, by depth: 'i', 'l' or 0
  int depth;        // of the last statement
} neutralText;


static const spelling *spelling_row_of(const spelling *table, const char *name, size_t n)
{
  for (; (*table)[0]; table++) {
    if (strlen((*table)[0]) == n && strncmp((*table)[0], name, n) == 0) return table;
  }
  return NULL;
}


static const char *spelled_word(const neutralText *t, const spelling *table, const char *name)
{
  const spelling *row = spelling_row_of(table, name, strlen(name));
  ART_ASSERT(row);
  return (*row)[t->language];
}


static const char *piece_of_text(neutralText *t, const char *from, const char *end)
{
  return arena_compose(t->arena, "%.*s", (int) (end - from), from);
}


// A format with its arguments; nothing is added to 0.
static const char *filled_format(neutralText *t, const char *format, const char *const *argument)
{
  const char *text = "", *mark;
  for (const char *c = format; *c; c = mark) {
    mark = c + strcspn(c, "$");
    text = arena_compose(t->arena, "%s%.*s", text, (int) (mark - c), c);
    if (!*mark) break;
    const char *own = argument[mark[1] - '1'];
    const int is_none = strcmp(own, "0") == 0 && strncmp(mark + 2, " + ", 3) == 0;
    if (!is_none) text = arena_compose(t->arena, "%s%s", text, own);
    mark += is_none ? 5 : 2;
  }
  return text;
}


// "head, item, item"
static const char *joined_items(neutralText *t, const char *head, int n, const char *const *item)
{
  const char *text = head;
  for (int i = 0; i < n; i++) {
    text = arena_compose(t->arena, "%s%s%s", text, text[0] ? ", " : "", item[i]);
  }
  return text;
}


static int is_begin(const char *line, const char *word)
{
  return strncmp(line, word, strlen(word)) == 0;
}


static int is_neutral_letter(char c)
{
  return ascii_is_word((unsigned char) c) || c == '_' || c == '.';
}


static const char *behind_name(const char *s)
{
  while (is_neutral_letter(*s)) s++;
  return s;
}


// behind the bracket that belongs to the one here
static const char *behind_bracket(const char *s)
{
  int depth = 0;
  do {
    depth += strchr("([{", *s) ? 1 : strchr(")]}", *s) ? -1 : 0;
    s++;
  } while (depth > 0);
  return s;
}

//---- expressions ---------------------------------------------------------------------------------

static const char *neutral_expression(neutralText *t, const char *from, const char *end);


static const char *neutral_expression_of(neutralText *t, const char *text)
{
  return neutral_expression(t, text, text + strlen(text));
}


static int is_neutral_variable(const neutralText *t, const char *name)
{
  int is_known = strcmp(name, "status") == 0;
  for (int i = 0; i < t->nlocal; i++) is_known |= strcmp(t->local[i].name, name) == 0;
  for (int i = 0; t->own && i < t->own->n; i++) {
    is_known |= strcmp(t->own->variable[i].name, name) == 0;
  }
  return is_known;
}


static const neutralRoutine *routine_of(const neutralText *t, const char *name)
{
  for (int i = 0; i < t->nroutine; i++) {
    if (strcmp(t->routine[i].name, name) == 0) return &t->routine[i];
  }
  return NULL;
}


// of a field, a constant or a routine
static const char *name_for(neutralText *t, const char *name)
{
  const int is_open = strstr(open_names, arena_compose(t->arena, " %s ", name)) != NULL;
  return t->language != PYTHON || is_open ? name : arena_compose(t->arena, "_%s", name);
}


static const char *routine_name(neutralText *t, const char *name)
{
  const neutralRoutine *r = routine_of(t, name);
  if (t->language != FORTRAN || !r || !r->is_public) return name_for(t, name);
  return arena_compose(t->arena, "%s_%s", t->job->machine, name);
}


// "m.x", "w.x", a variable or a constant
static const char *spell_variable(neutralText *t, const char *name)
{
  if (is_begin(name, "w.")) return arena_compose(t->arena, "%s%s", t->job->room, name + 2);
  const int is_field = is_begin(name, "m."), is_known = is_neutral_variable(t, name + 2 * is_field);
  ART_ASSERT(!(is_field && is_known));
  if (is_known) return name;
  const char *own = name_for(t, name + 2 * is_field);
  return filled_format(t, spelled_word(t, forms, is_field ? "field" : "constant"), &own);
}


// "i + 1" and one is "i + 2", "n - 1" and one is "n"
static const char *sum_of_index(neutralText *t, const char *text, int by)
{
  const char *end = text + strlen(text), *digits = end;
  while (digits > text && ascii_is_digit((unsigned char) digits[-1])) digits--;
  if (digits == text) return arena_compose(t->arena, "%d", atoi(text) + by);
  if (digits < end && digits - text > 3 &&
      (is_begin(digits - 3, " + ") || is_begin(digits - 3, " - "))) {
    by += digits[-2] == '-' ? -atoi(digits) : atoi(digits);
    end = digits - 3;
  }
  text = piece_of_text(t, text, end);
  return by == 0 ? text : arena_compose(t->arena, "%s %c %d", text, by < 0 ? '-' : '+', abs(by));
}


// The arguments between brackets, one by one.
static int neutral_arguments(neutralText *t, const char *open, const char **argument)
{
  const char *end = behind_bracket(open) - 1, *from = open + 1;
  int n = 0;
  for (const char *c = from; end > open + 1 && c <= end;) {
    if (c == end || *c == ',') {
      ART_ASSERT(n < MOST);
      argument[n++] = piece_of_text(t, from, c);
      from = c + 2;
    }
    c = c < end && strchr("([{", *c) ? behind_bracket(c) : c + 1;
  }
  return n;
}


static int neutral_expressions(neutralText *t, const char *open, const char **argument)
{
  const int n = neutral_arguments(t, open, argument);
  for (int i = 0; i < n; i++) argument[i] = neutral_expression_of(t, argument[i]);
  return n;
}


// The call of a form or a function, or of any routine where a language hands everything over.
static const char *neutral_call(neutralText *t, const char *name, const char *open)
{
  const char *argument[MOST];
  const spelling *form = spelling_row_of(forms, name, strlen(name));
  const int n = neutral_expressions(t, open, argument);
  if (form) return filled_format(t, (*form)[t->language], argument);
  const int has_machine = t->language == FORTRAN || t->language == MATLAB;
  return arena_compose(t->arena, "%s%s(%s)", t->language == PYTHON ? "self." : "",
                       routine_name(t, name), joined_items(t, has_machine ? "m" : "", n, argument));
}


static const char *neutral_element(neutralText *t, const char *name, const char *open)
{
  static const char *const brackets[2][COLUMNS] = {{NULL, "()", "()", "[]", "[]"},
                                                   {NULL, "()", "{}", "[]", "[]"}};
  const char *const own = brackets[*open == '{'][t->language];
  const char *index = neutral_expression(t, open + 1, behind_bracket(open) - 1);
  if (own[0] != '[') index = sum_of_index(t, index, 1);
  return arena_compose(t->arena, "%s%c%s%c", name, own[0], index, own[1]);
}


// A name or a number with all that belongs to it; *s goes behind it.
static const char *neutral_operand(neutralText *t, const char **s)
{
  const char *end = behind_name(*s), *text = piece_of_text(t, *s, end);
  const spelling *word = spelling_row_of(words, text, strlen(text));
  *s = !word && *end && strchr("([{", *end) ? behind_bracket(end) : end;
  if (word && strlen((*word)[t->language]) == 1) (*s)++; // "!(" and "~("
  if (word) return (*word)[t->language];
  if (*end == '(') return neutral_call(t, text, end);
  return *s == end ? spell_variable(t, text) : neutral_element(t, spell_variable(t, text), end);
}


// *s goes behind it
static const char *neutral_number(neutralText *t, const char **s)
{
  const char *e = *s + strspn(*s, "0123456789."), *end = e;
  if (*e == 'e') end = e + 1 + strspn(e + 1, "-0123456789");
  const char *text = piece_of_text(t, *s, end), *head = piece_of_text(t, *s, e);
  *s = end;
  if (t->language != FORTRAN || (e == end && !strchr(text, '.'))) return text;
  return arena_compose(t->arena, "%sd%s", head, e < end ? piece_of_text(t, e + 1, end) : "0");
}


static const char *neutral_expression(neutralText *t, const char *from, const char *end)
{
  const char *text = "", *piece;
  while (from < end) {
    if (*from == '"') {
      const char *stop = strchr(from + 1, '"'), quote = t->language == MATLAB ? '\'' : '"';
      piece = arena_compose(t->arena, "%c%.*s%c", quote, (int) (stop - from - 1), from + 1, quote);
      from = stop + 1;
    } else if (ascii_is_digit((unsigned char) *from)) {
      piece = neutral_number(t, &from);
    } else if (is_neutral_letter(*from)) {
      piece = neutral_operand(t, &from);
    } else if (is_begin(from, "!=")) {
      piece = t->language == FORTRAN ? "/=" : t->language == MATLAB ? "~=" : "!=";
      from += 2;
    } else {
      piece = piece_of_text(t, from, from + 1);
      from++;
    }
    text = arena_compose(t->arena, "%s%s", text, piece);
  }
  return text;
}

//---- statements ----------------------------------------------------------------------------------

static int indent_of(const neutralText *t, int depth)
{
  ART_ASSERT(depth >= 0);
  return bases[t->language] + depth * indents[t->language];
}


// a line as it is, NULL: none
static void put_neutral_line(neutralText *t, int depth, const char *text)
{
  if (text) fprintf(t->job->out, "%*s%s\n", indent_of(t, depth), "", text);
}


static void put_neutral_statement(neutralText *t, int depth, const char *text)
{
  if (text) put_neutral_line(t, depth, arena_compose(t->arena, "%s%s", text, ends[t->language]));
}


// Variables that are handed over and those that come back, where a language returns these.
static void sort_variables(const neutralRoutine *r, int n, const char *const *variables,
                           const char **in, int *nin, const char **out, int *nout)
{
  *nin = *nout = 0;
  for (int i = 0; i < n; i++) {
    const char *mode = r ? r->variable[i].mode : "in";
    if (strcmp(mode, "in") != 0) out[(*nout)++] = variables[i];
    if (strcmp(mode, "out") != 0) in[(*nin)++] = variables[i];
  }
}


// The call of a routine that is no function; `target` takes its status, NULL: it has none.
static void put_call(neutralText *t, int depth, const char *target, const char *text)
{
  const char *open = strchr(text, '('), *name = piece_of_text(t, text, open),
             *own = routine_name(t, name);
  const char *argument[MOST + 1], *in[MOST], *out[MOST + 1], *line;
  int n = neutral_expressions(t, open, argument), nin, nout;
  sort_variables(routine_of(t, name), n, argument, in, &nin, out, &nout);
  if (target) argument[n++] = out[nout++] = target;
  if (t->language == FORTRAN) {
    line = arena_compose(t->arena, "call %s(%s)", own, joined_items(t, "m", n, argument));
  } else if (t->language == MATLAB) {
    line = arena_compose(t->arena, "[%s] = %s(%s)", joined_items(t, "m", nout, out), own,
                         joined_items(t, "m", nin, in));
  } else {
    line = arena_compose(t->arena, "%s%s%s", target ? target : "", target ? " = " : "",
                         neutral_call(t, name, open));
  }
  put_neutral_statement(t, depth, line);
}


static int gives_back(const neutralText *t)
{
  return t->language == JAVA || t->language == PYTHON;
}


static void put_return(neutralText *t, int depth)
{
  put_neutral_statement(t, depth, t->own->has_status && gives_back(t) ? "return status" : "return");
}


// The head of a block; `rest` is its condition, or "i in a .. b".
static void put_neutral_block(neutralText *t, int depth, const char *word, const char *rest)
{
  ART_ASSERT(depth >= 0 && depth < MOST);
  const char *argument[4] = {rest}, *to = strstr(rest, " .. ");
  if (to) {
    const char *in = strstr(rest, " in ");
    argument[0] = piece_of_text(t, rest, in);
    argument[1] = neutral_expression(t, in + 4, to);
    argument[2] = neutral_expression_of(t, to + 4);
    argument[3] = sum_of_index(t, argument[2], -1);
  } else {
    argument[0] = neutral_expression_of(t, rest);
  }
  put_neutral_line(t, depth, filled_format(t, spelled_word(t, blocks, word), argument));
  t->block[depth] = is_begin(word, "if") || is_begin(word, "else") ? 'i' : 'l';
  t->depth = depth + 1;
}


// Blocks that a line at this depth ends.
static void close_blocks(neutralText *t, int depth, int is_else)
{
  ART_ASSERT(depth >= 0 && t->depth <= MOST);
  for (int k = t->depth - 1; k >= depth; k--) {
    const char *word = t->block[k] == 'i' ? "end if" : "end loop";
    if (t->block[k] && !(is_else && k == depth))
      put_neutral_line(t, k, spelled_word(t, blocks, word));
    t->block[k] = 0;
  }
  t->depth = depth;
}


static int is_procedure(neutralText *t, const char *text)
{
  const char *open = behind_name(text);
  const neutralRoutine *r = routine_of(t, piece_of_text(t, text, open));
  return *open == '(' && (is_begin(text, "call_") || (r && r->has_status));
}


static void put_simple(neutralText *t, int depth, const char *line)
{
  const char *equals = strstr(line, " = ");
  const spelling *word = spelling_row_of(blocks, line, strlen(line));
  if (word) {
    put_neutral_statement(t, depth, (*word)[t->language]);
  } else if (strcmp(line, "return") == 0) {
    put_return(t, depth);
  } else if (is_begin(line, "return ")) {
    put_neutral_statement(t, depth,
                          arena_compose(t->arena, gives_back(t) ? "return %s" : "answer = %s",
                                        neutral_expression_of(t, line + 7)));
    if (!gives_back(t)) put_neutral_statement(t, depth, "return");
  } else if (is_begin(line, "fail ")) {
    put_simple(t, depth, arena_compose(t->arena, "m.failed = %s", line + 5));
    put_simple(t, depth, "status = 1");
    put_return(t, depth);
  } else if (is_begin(line, "try ")) {
    put_call(t, depth, "status", line + 4);
    put_neutral_block(t, depth, "if", "status != 0");
    put_return(t, depth + 1);
    close_blocks(t, depth, 0);
  } else if (strcmp(line, "<clear>") == 0) {
    for (int i = 0; i < t->job->nclear; i++) {
      put_simple(t, depth, arena_compose(t->arena, "fill(w.%s, 0.0)", t->job->clear[i]));
    }
  } else if (equals && is_procedure(t, equals + 3)) {
    put_call(t, depth, piece_of_text(t, line, equals), equals + 3);
  } else if (equals || spelling_row_of(forms, line, (size_t) (behind_name(line) - line))) {
    put_neutral_statement(t, depth, neutral_expression_of(t, line));
  } else {
    put_call(t, depth, NULL, line);
  }
}


static void put_line(neutralText *t, int depth, const char *line)
{
  const char *space = line + strcspn(line, " "), *word = piece_of_text(t, line, space);
  const int is_else = strcmp(word, "else") == 0;
  close_blocks(t, depth, is_else);
  if (line[0] == '#') {
    emit_comment(t->job->out, comments[t->language], indent_of(t, depth), line + 2);
  } else if (is_else) {
    put_neutral_block(t, depth, "else", "");
  } else if (strcmp(word, "if") == 0 || strcmp(word, "while") == 0 || strcmp(word, "for") == 0) {
    const char *colon = strstr(line, ": ");
    put_neutral_block(t, depth, word,
                      piece_of_text(t, space + 1, colon ? colon : line + strlen(line)));
    if (colon) put_simple(t, depth + 1, colon + 2);
  } else {
    put_simple(t, depth, line);
  }
}

//---- routines ------------------------------------------------------------------------------------

// "real x, y[NALL]"; returns how many, 0: this is no declaration.
static int read_declaration(neutralText *t, const char *line, neutralVariable *list)
{
  const char *space = line + strcspn(line, " "), *name[MOST];
  if (!spelling_row_of(types, line, (size_t) (space - line))) return 0;
  const int n = neutral_arguments(t, arena_compose(t->arena, "(%s)", space + 1), name);
  for (int i = 0; i < n; i++) {
    const char *open = behind_name(name[i]);
    list[i] =
        (neutralVariable){.name = piece_of_text(t, name[i], open),
                          .type = piece_of_text(t, line, space),
                          .length = *open ? piece_of_text(t, open + 1, strchr(open, ']')) : NULL};
  }
  return n;
}


// "public procedure rates(out real rate[NV])"
static void read_routine_head(neutralText *t, int head, neutralRoutine *r)
{
  ART_ASSERT(head >= 0 && head < t->n);
  const char *line = t->line[head], *argument[MOST];
  const int is_public = is_begin(line, "public ");
  if (is_public) line += 7;
  const char *space = line + strcspn(line, " "), *open = strchr(line, '('),
             *behind = behind_bracket(open);
  *r = (neutralRoutine){.kind = piece_of_text(t, line, space),
                        .name = piece_of_text(t, space + 1, open),
                        .type = *behind ? behind + 1 : NULL,
                        .is_public = is_public,
                        .has_status = is_begin(line, "procedure"),
                        .head = head};
  r->n = neutral_arguments(t, open, argument);
  for (int i = 0; i < r->n; i++) {
    const int is_var = is_begin(argument[i], "var "), is_out = is_begin(argument[i], "out ");
    read_declaration(t, argument[i] + (is_var || is_out ? 4 : 0), &r->variable[i]);
    r->variable[i].mode = is_var ? "inout" : is_out ? "out" : "in";
  }
}


// NULL: there is none
static const char *neutral_declaration(neutralText *t, const char *place, const neutralVariable *x)
{
  const char *kind = x->length ? arena_compose(t->arena, "%s vector", place) : place;
  const char *const format = spelled_word(t, declarations, kind);
  const char *const argument[] = {x->name, spelled_word(t, types, x->type),
                                  x->length ? neutral_expression_of(t, x->length) : "",
                                  spelled_word(t, zeros, x->type), x->mode ? x->mode : ""};
  return format ? filled_format(t, format, argument) : NULL;
}


static int is_name_used(const char *line, const char *name)
{
  for (const char *c = line; (c = strstr(c, name)); c++) {
    if ((c == line || !is_neutral_letter(c[-1])) && !is_neutral_letter(c[strlen(name)])) return 1;
  }
  return 0;
}


// Local variables that the lines from .. end use; returns the first line behind declarations.
static int read_locals(neutralText *t, int from, int end)
{
  neutralVariable list[MOST];
  t->nlocal = 0;
  for (int n; from < end && (n = read_declaration(t, t->line[from] + 2, list)) > 0; from++) {
    for (int i = 0; i < n; i++) {
      int at = from + 1;
      while (at < end && !is_name_used(t->line[at], list[i].name)) at++;
      ART_ASSERT(t->nlocal < 4 * MOST);
      if (at < end) t->local[t->nlocal++] = list[i];
    }
  }
  return from;
}


static void put_head(neutralText *t, const neutralRoutine *r)
{
  const char *all[MOST], *in[MOST], *out[MOST], *typed[MOST];
  int nin, nout;
  for (int i = 0; i < r->n; i++) {
    all[i] = r->variable[i].name;
    typed[i] = neutral_declaration(t, "given", &r->variable[i]);
  }
  sort_variables(r, r->n, all, in, &nin, out, &nout);
  const char *const argument[] = {routine_name(t, r->name),
                                  joined_items(t, "m", r->n, all) + 1,
                                  joined_items(t, "m", nin, in) + 1,
                                  joined_items(t, "m", nout, out) + 1,
                                  r->is_public ? "public" : "private",
                                  t->language == JAVA ? joined_items(t, "", r->n, typed) : "",
                                  r->type ? spelled_word(t, types, r->type) : ""};
  put_neutral_line(t, 0, filled_format(t, spelled_word(t, routines, r->kind), argument));
}


static void put_declarations(neutralText *t, const neutralRoutine *r)
{
  if (t->language == FORTRAN) {
    put_neutral_line(t, 1,
                     arena_compose(t->arena, "type(%s_machine), intent(%s) :: m", t->job->machine,
                                   r->type ? "in" : "inout"));
    for (int i = 0; i < r->n; i++)
      put_neutral_line(t, 1, neutral_declaration(t, "given", &r->variable[i]));
    if (r->has_status) put_neutral_line(t, 1, "integer, intent(out) :: status");
    if (r->type)
      put_neutral_line(t, 1,
                       arena_compose(t->arena, "%s :: answer", spelled_word(t, types, r->type)));
  }
  for (int i = 0; i < t->nlocal; i++)
    put_neutral_statement(t, 1, neutral_declaration(t, "local", &t->local[i]));
  if (r->has_status)
    put_neutral_statement(t, 1, t->language == JAVA ? "int status = 0" : "status = 0");
  for (int i = 0; i < r->n && !gives_back(t); i++) {
    const neutralVariable *x = &r->variable[i];
    if (strcmp(x->mode, "out") == 0)
      put_neutral_statement(t, 1, neutral_declaration(t, "result", x));
  }
}


// Comments before a routine are one text; Java shows comments of public ones to people.
static void put_comment(neutralText *t, const neutralRoutine *r)
{
  const int is_shown = t->language == JAVA && r->is_public;
  const char *text = "";
  for (int i = r->head - 1; i >= 0 && t->line[i][0] == '#'; i--) {
    text = arena_compose(t->arena, "%s%s%s", t->line[i] + 2, text[0] ? " " : "", text);
  }
  if (is_shown) put_neutral_line(t, 0, "/**");
  if (text[0]) {
    emit_comment(t->job->out, is_shown ? " *" : comments[t->language], indent_of(t, 0), text);
  }
  if (is_shown) put_neutral_line(t, 0, " */");
}


static void put_routine(neutralText *t, neutralRoutine *r)
{
  int end = r->head + 1, depth = 1;
  while (end < t->n && t->line[end][0] == ' ') end++;
  t->own = r;
  const int first = read_locals(t, r->head + 1, end);
  put_comment(t, r);
  put_head(t, r);
  put_declarations(t, r);
  t->depth = 1;
  for (int i = first; i < end; i++) {
    depth = (int) strspn(t->line[i], " ") / 2;
    put_line(t, depth, t->line[i] + 2 * depth);
  }
  close_blocks(t, 1, 0);
  const char *last = t->line[end - 1] + 2;
  const int is_left = depth == 1 && (is_begin(last, "return") || is_begin(last, "fail "));
  if (r->has_status && !is_left && gives_back(t)) put_return(t, 1);
  if (!r->has_status && first == end && t->language == PYTHON) put_neutral_line(t, 1, "pass");
  const char *foot = spelled_word(t, routines, arena_compose(t->arena, "end %s", r->kind));
  const char *const name = routine_name(t, r->name);
  if (foot) put_neutral_line(t, 0, filled_format(t, foot, &name));
  fputs(gaps[t->language], t->job->out);
}


// Functions that nobody calls in this machine are left out.
static int is_needed(const neutralText *t, const neutralRoutine *r)
{
  int i = 0;
  while (i < t->n && (i == r->head || !is_name_used(t->line[i], r->name))) i++;
  return i < t->n || r->is_public || !r->type;
}

//---- the text ------------------------------------------------------------------------------------

// The lines of a section that stand there, without empty ones.
static void open_neutral_text(neutralText *t, const neutralJob *job, const char *section)
{
  const char *const *from = template_section(machine_logic_text, section);
  int n = 0, deepest = 1000;
  *t = (neutralText){.job = job, .arena = job->arena, .language = (int) job->language};
  while (!template_is_end(from[n])) n++;
  ARENA_TAKE(t->arena, t->line, n);
  ARENA_TAKE(t->arena, t->routine, n);
  for (int i = 0; i < n; i++) {
    const char *own = template_line(from[i], job->where), *text = from[i];
    while (*text == '[') text += strcspn(text, "]") + 1;
    const int depth = (int) strspn(text, " ");
    if (!*text || depth > deepest) continue;
    deepest = own ? 1000 : depth;
    while (!own && depth == 0 && t->n > 0 && t->line[t->n - 1][0] == '#') t->n--;
    if (own) t->line[t->n++] = own;
  }
}


void neutral_print_fields(const neutralJob *job, int indent)
{
  neutralText t;
  neutralVariable list[MOST];
  open_neutral_text(&t, job, "fields");
  for (int i = 0; i < t.n; i++) {
    const int n = read_declaration(&t, t.line[i], list);
    for (int k = 0; k < n; k++) {
      fprintf(job->out, "%*s%s%s\n", indent, "", neutral_declaration(&t, "field", &list[k]),
              ends[t.language]);
    }
  }
}


void neutral_print_routines(const neutralJob *job)
{
  neutralText t;
  open_neutral_text(&t, job, "logic");
  for (int i = 0; i < t.n; i++) {
    if (!strchr(" #", t.line[i][0])) read_routine_head(&t, i, &t.routine[t.nroutine++]);
  }
  for (int i = 0; i < t.nroutine; i++) {
    if (is_needed(&t, &t.routine[i])) put_routine(&t, &t.routine[i]);
  }
}
