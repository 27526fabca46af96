// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Writes the operators of a C file as calls, so that its formulas serve scalars that have no operators:
//
//   return c->PKX1 + c->PKX2 * dfz;   becomes   return r_add(r_of(c->PKX1), r_mul(r_of(c->PKX2), r_of(dfz)));
//   x < 0 ? -x : x                    becomes   r_select(r_less(r_of(x), r_const(0)), r_neg(r_of(x)), r_of(x))
//
// Run by the build: lower INPUT OUTPUT. Numbers compile the file as it stands; dual numbers and symbols compile the
// output, with r_of of their scalar, which makes scalars of numbers.
//
// Functions are lowered, all else is copied. Inside a function these are copied as well: heads of if (but those
// of r_surely), for, while and switch, declarations of numbers (double, int ...), indices in brackets, operands of == and !=. Choices between values
// are therefore written with ?: on < <= > >=, and every statement that assigns to a number declares it. A literal that is
// given to a function of the file for a scalar is written r_const(1). The compiler finds what is forgotten, since scalars
// are structs.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum tokenKind { TOKEN_NAME, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_MARK, TOKEN_END } tokenKind;

typedef struct token {
  tokenKind kind;
  const char *begin;
  int length;
  int line;
} token;

// knowledge of an expression: nothing, a literal, a scalar, a comparison of scalars
typedef enum kind { KIND_OTHER, KIND_LITERAL, KIND_SCALAR, KIND_TRUTH } kind;

typedef struct expression {
  kind kind;
  char *text;
} expression;

typedef struct reader {
  const char *path;
  token *tokens;
  int n, at;
  FILE *out;
  int returns_scalar;
} reader;


static void fail(const reader *r, const char *message)
{
  fprintf(stderr, "%s:%d: %s\n", r->path, r->tokens[r->at].line, message);
  exit(1);
}


static void *need(void *memory)
{
  if (memory) return memory;
  fprintf(stderr, "lower: no memory\n");
  exit(1);
}


// texts live until the program ends
static char *format(const char *pattern, ...)
{
  va_list args, again;
  va_start(args, pattern);
  va_copy(again, args);
  const int length = vsnprintf(NULL, 0, pattern, args);
  char *text = need(malloc((size_t) length + 1));
  vsnprintf(text, (size_t) length + 1, pattern, again);
  va_end(again);
  va_end(args);
  return text;
}

//---- tokens --------------------------------------------------------------------------------------

static const char *skip_space(const char *s, int *line)
{
  for (;;) {
    if (strncmp(s, "//", 2) == 0) {
      s += strcspn(s, "\n");
    } else if (*s && isspace((unsigned char) *s)) {
      *line += *s++ == '\n';
    } else {
      return s;
    }
  }
}


static int mark_length(const char *s)
{
  static const char *const two[] = {
      "->", "++", "--", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/="};
  for (size_t k = 0; k < sizeof two / sizeof *two; k++) {
    if (strncmp(s, two[k], 2) == 0) return 2;
  }
  return 1;
}


// whether s[i] is the sign of an exponent: 1e-3, 0x1p+2
static int is_signed(const char *s, int i)
{
  const char before = s[i - 1];
  if (s[i] != '+' && s[i] != '-') return 0;
  return s[1] == 'x' ? before == 'p' : before == 'e' || before == 'E';
}


static token next_token(const char *s, int line)
{
  token t = {TOKEN_MARK, s, 0, line};
  if (!*s) {
    t.kind = TOKEN_END;
  } else if (isalpha((unsigned char) *s) || *s == '_') {
    t.kind = TOKEN_NAME;
    while (isalnum((unsigned char) s[t.length]) || s[t.length] == '_') t.length++;
  } else if (isdigit((unsigned char) *s) || (*s == '.' && isdigit((unsigned char) s[1]))) {
    t.kind = TOKEN_NUMBER;
    while (isalnum((unsigned char) s[t.length]) || s[t.length] == '.' || is_signed(s, t.length)) {
      t.length++;
    }
  } else if (*s == '"') {
    t.kind = TOKEN_TEXT;
    for (t.length = 1; s[t.length] != '"'; t.length++) t.length += s[t.length] == '\\';
    t.length++;
  } else if (*s == '#') {
    t.kind = TOKEN_TEXT;
    t.length = (int) strcspn(s, "\n");
  } else {
    t.length = mark_length(s);
  }
  return t;
}


static void read_tokens(reader *r, const char *text)
{
  int line = 1, capacity = 0;
  const char *s = text;
  do {
    s = skip_space(s, &line);
    if (r->n == capacity) {
      capacity = 2 * capacity + 1024;
      r->tokens = need(realloc(r->tokens, (size_t) capacity * sizeof *r->tokens));
    }
    r->tokens[r->n] = next_token(s, line);
    s += r->tokens[r->n].length;
  } while (r->tokens[r->n++].kind != TOKEN_END);
}


static const token *peek(const reader *r, int ahead)
{
  return &r->tokens[r->at + ahead < r->n ? r->at + ahead : r->n - 1];
}


static int is(const reader *r, int ahead, const char *text)
{
  const token *t = peek(r, ahead);
  return (size_t) t->length == strlen(text) && strncmp(t->begin, text, strlen(text)) == 0;
}


static int accept(reader *r, const char *text)
{
  const int found = is(r, 0, text);
  r->at += found;
  return found;
}


static void expect(reader *r, const char *text)
{
  if (!accept(r, text)) fail(r, format("expected '%s'", text));
}


static int is_name(const reader *r, int ahead)
{
  return peek(r, ahead)->kind == TOKEN_NAME;
}


static char *take(reader *r)
{
  const token *t = peek(r, 0);
  if (t->kind == TOKEN_END) fail(r, "the file ends inside a function");
  r->at++;
  return format("%.*s", t->length, t->begin);
}


// tokens as they stand up to the closing mark of the one that has been taken
static char *take_until(reader *r, const char *open, const char *close)
{
  char *text = format("%s", "");
  for (int depth = 0; depth > 0 || !is(r, 0, close);) {
    depth += is(r, 0, open) - is(r, 0, close);
    text = format("%s%s%s", text, *text ? " " : "", take(r));
  }
  r->at++;
  return text;
}

//---- expressions ---------------------------------------------------------------------------------

static expression read_choice(reader *r);
static char *read_braces(reader *r);


static char *as_scalar(expression e)
{
  if (e.kind == KIND_SCALAR) return e.text;
  return format(e.kind == KIND_LITERAL ? "r_const(%s)" : "r_of(%s)", e.text);
}


static expression scalar(char *text)
{
  return (expression){KIND_SCALAR, text};
}


static expression other(char *text)
{
  return (expression){KIND_OTHER, text};
}


// the arguments of a call; functions r_... take scalars and give one
static expression read_call(reader *r, char *name)
{
  static const char *const no[] = {"r_const", "r_surely", "r_sincos_all", "r_name"};
  int on_scalars = strncmp(name, "r_", 2) == 0;
  for (size_t k = 0; k < sizeof no / sizeof *no; k++) on_scalars &= strcmp(name, no[k]) != 0;
  char *text = format("%s(", name);
  for (int k = 0; !accept(r, ")"); k++) {
    if (k > 0) expect(r, ",");
    const expression e = read_choice(r);
    text = format("%s%s%s", text, k > 0 ? ", " : "", on_scalars ? as_scalar(e) : e.text);
  }
  return (expression){on_scalars || strcmp(name, "r_const") == 0 ? KIND_SCALAR : KIND_OTHER,
                      format("%s)", text)};
}


static int is_plain_type(const reader *r, int ahead)
{
  static const char *const name[] = {"double", "int", "unsigned", "long", "size_t", "char", "bool"};
  for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
    if (is(r, ahead, name[k])) return 1;
  }
  return 0;
}


// the number of tokens of "(type)" or "(const type *)" here, 0 where there is another thing
static int cast_length(const reader *r)
{
  if (!is(r, 0, "(")) return 0;
  int n = 1 + is(r, 1, "const");
  if (!is_name(r, n)) return 0;
  const int type = n++;
  int is_cast = type == 2 || is_plain_type(r, type) || is(r, type, "real") || is(r, type, "void");
  for (; is(r, n, "*"); n++) is_cast |= is(r, n + 1, ")");
  if (!is(r, n, ")")) return 0;
  return is_cast || is(r, n + 1, "{") ? n + 1 : 0;
}


static expression read_primary(reader *r)
{
  const tokenKind found = peek(r, 0)->kind;
  if (found == TOKEN_NUMBER) return (expression){KIND_LITERAL, take(r)};
  if (found == TOKEN_NAME && is(r, 1, "(")) {
    char *name = take(r);
    r->at++;
    if (strcmp(name, "sizeof") == 0) return other(format("sizeof(%s)", take_until(r, "(", ")")));
    if (strcmp(name, "R_NAME") == 0) {
      name = format("R_NAME(%s)", take_until(r, "(", ")"));
      expect(r, "(");
    }
    return read_call(r, name);
  }
  if (found == TOKEN_NAME || found == TOKEN_TEXT) return other(take(r));
  if (!accept(r, "(")) fail(r, "expected an expression");
  expression e = read_choice(r);
  expect(r, ")");
  if (e.kind == KIND_OTHER) e.text = format("(%s)", e.text);
  return e;
}


static expression read_postfix(reader *r)
{
  expression e = read_primary(r);
  for (;;) {
    if (accept(r, "[")) {
      e = other(format("%s[%s]", e.text, take_until(r, "[", "]")));
    } else if (is(r, 0, ".") || is(r, 0, "->")) {
      char *mark = take(r);
      e = other(format("%s%s%s", e.text, mark, take(r)));
    } else if (is(r, 0, "++") || is(r, 0, "--")) {
      e = other(format("%s%s", e.text, take(r)));
    } else {
      return e;
    }
  }
}


static expression read_cast(reader *r, int length)
{
  char *type = format("%s", "");
  for (int k = 0; k < length; k++) type = format("%s%s ", type, take(r));
  if (is(r, 0, "{")) return other(format("%s%s", type, read_braces(r)));
  const expression e = read_postfix(r);
  return strcmp(type, "( real ) ") == 0 ? scalar(as_scalar(e))
                                        : other(format("%s%s", type, e.text));
}


static expression read_unary(reader *r)
{
  const int cast = cast_length(r);
  if (cast) return read_cast(r, cast);
  if (accept(r, "-")) {
    const expression e = read_unary(r);
    if (e.kind == KIND_LITERAL) return (expression){KIND_LITERAL, format("-%s", e.text)};
    return scalar(format("r_neg(%s)", as_scalar(e)));
  }
  if (accept(r, "!")) {
    const expression e = read_unary(r);
    if (e.kind == KIND_TRUTH) return (expression){KIND_TRUTH, format("r_not(%s)", e.text)};
    return other(format("!%s", e.text));
  }
  if (is(r, 0, "&") || is(r, 0, "*")) {
    char *mark = take(r);
    return other(format("%s%s", mark, read_unary(r).text));
  }
  return read_postfix(r);
}


static expression operate(const char *name, expression a, expression b)
{
  return scalar(format("%s(%s, %s)", name, as_scalar(a), as_scalar(b)));
}


static expression read_product(reader *r)
{
  expression e = read_unary(r);
  for (;;) {
    if (accept(r, "*")) {
      e = operate("r_mul", e, read_unary(r));
    } else if (accept(r, "/")) {
      e = operate("r_div", e, read_unary(r));
    } else {
      return e;
    }
  }
}


static expression read_sum(reader *r)
{
  expression e = read_product(r);
  for (;;) {
    if (accept(r, "+")) {
      e = operate("r_add", e, read_product(r));
    } else if (accept(r, "-")) {
      e = operate("r_sub", e, read_product(r));
    } else {
      return e;
    }
  }
}


static expression read_comparison(reader *r)
{
  const expression a = read_sum(r);
  expression e = a;
  if (is(r, 0, "==") || is(r, 0, "!=")) {
    char *mark = take(r);
    return other(format("%s %s %s", a.text, mark, read_sum(r).text));
  }
  if (accept(r, "<")) {
    e = operate("r_less", a, read_sum(r));
  } else if (accept(r, ">")) {
    e = operate("r_less", read_sum(r), a);
  } else if (accept(r, "<=")) {
    e = operate("r_at_most", a, read_sum(r));
  } else if (accept(r, ">=")) {
    e = operate("r_at_most", read_sum(r), a);
  } else {
    return a;
  }
  e.kind = KIND_TRUTH;
  return e;
}


static expression read_truth(reader *r, int is_or)
{
  expression a = is_or ? read_truth(r, 0) : read_comparison(r);
  while (accept(r, is_or ? "||" : "&&")) {
    const expression b = is_or ? read_truth(r, 0) : read_comparison(r);
    if (a.kind == KIND_TRUTH && b.kind == KIND_TRUTH) {
      a.text = format("%s(%s, %s)", is_or ? "r_or" : "r_and", a.text, b.text);
    } else if (a.kind == KIND_TRUTH || b.kind == KIND_TRUTH) {
      fail(r, "a comparison of scalars is joined with a condition of another kind");
    } else {
      a = other(format("%s %s %s", a.text, is_or ? "||" : "&&", b.text));
    }
  }
  return a;
}


static expression read_choice(reader *r)
{
  const expression c = read_truth(r, 1);
  if (!accept(r, "?")) return c;
  const expression a = read_choice(r);
  expect(r, ":");
  const expression b = read_choice(r);
  if (c.kind == KIND_TRUTH) {
    return scalar(format("r_select(%s, %s, %s)", c.text, as_scalar(a), as_scalar(b)));
  }
  if (a.kind == KIND_OTHER && b.kind == KIND_OTHER) {
    return other(format("(%s ? %s : %s)", c.text, a.text, b.text));
  }
  return scalar(format("(%s ? %s : %s)", c.text, as_scalar(a), as_scalar(b)));
}


// the items of an initialiser; {0} alone sets all to nothing
static char *read_braces(reader *r)
{
  expect(r, "{");
  if (is(r, 0, "0") && is(r, 1, "}")) {
    r->at += 2;
    return "{0}";
  }
  char *text = "{";
  while (!accept(r, "}")) {
    if (accept(r, ".")) {
      text = format("%s.%s = ", text, take(r));
      expect(r, "=");
    }
    if (is(r, 0, "{")) {
      text = format("%s%s", text, read_braces(r));
    } else {
      const expression e = read_choice(r);
      text = format("%s%s", text, e.kind == KIND_LITERAL ? as_scalar(e) : e.text);
    }
    if (accept(r, ",")) text = format("%s, ", text);
  }
  return format("%s}", text);
}

//---- statements ----------------------------------------------------------------------------------

static void read_statement(reader *r);


// whether a head asks for a condition on values
static int names_surely(const reader *r)
{
  for (int k = 0; !is(r, k, "{") && !is(r, k, ";") && peek(r, k)->kind != TOKEN_END; k++) {
    if (is(r, k, "r_surely")) return 1;
  }
  return 0;
}


static void read_head(reader *r)
{
  char *word = take(r);
  expect(r, "(");
  if (names_surely(r)) {
    fprintf(r->out, "%s (%s) ", word, read_choice(r).text);
    expect(r, ")");
  } else {
    fprintf(r->out, "%s (%s) ", word, take_until(r, "(", ")"));
  }
  read_statement(r);
  if (strcmp(word, "if") == 0 && accept(r, "else")) {
    fprintf(r->out, "else ");
    read_statement(r);
  }
}


static int is_declaration(const reader *r)
{
  return is(r, 0, "const") || is(r, 0, "static") || is_plain_type(r, 0) ||
         (is_name(r, 0) && (is_name(r, 1) || (is(r, 1, "*") && is_name(r, 2))));
}


static void read_declaration(reader *r)
{
  int is_plain = is(r, 0, "static") || is_plain_type(r, 0), is_scalar;
  if (is(r, 0, "const")) {
    fprintf(r->out, "%s ", take(r));
    is_plain |= is_plain_type(r, 0);
  }
  if (is_plain) {
    fprintf(r->out, "%s;\n", take_until(r, "{", ";"));
    return;
  }
  is_scalar = is(r, 0, "real") && !is(r, 1, "*");
  fprintf(r->out, "%s ", take(r));
  do {
    while (is(r, 0, "*") || is(r, 0, "const")) fprintf(r->out, "%s ", take(r));
    fprintf(r->out, "%s", take(r));
    if (accept(r, "[")) fprintf(r->out, "[%s]", take_until(r, "[", "]"));
    if (accept(r, "=")) {
      if (is(r, 0, "{")) {
        fprintf(r->out, " = %s", read_braces(r));
      } else {
        const expression e = read_choice(r);
        fprintf(r->out, " = %s", is_scalar ? as_scalar(e) : e.text);
      }
    }
    if (is(r, 0, ",")) fprintf(r->out, ", ");
  } while (accept(r, ","));
  expect(r, ";");
  fprintf(r->out, ";\n");
}


static void read_assignment(reader *r)
{
  static const char *const name[4][2] = {
      {"+=", "r_add"}, {"-=", "r_sub"}, {"*=", "r_mul"}, {"/=", "r_div"}};
  const expression to = read_unary(r);
  if (accept(r, "=")) {
    fprintf(r->out, "%s = %s", to.text, read_choice(r).text);
  } else if (is(r, 0, ";")) {
    fprintf(r->out, "%s", to.text);
  } else {
    int k = 0;
    while (k < 4 && !accept(r, name[k][0])) k++;
    if (k == 4) fail(r, "expected an assignment");
    fprintf(r->out, "%s = %s", to.text, operate(name[k][1], to, read_choice(r)).text);
  }
  expect(r, ";");
  fprintf(r->out, ";\n");
}


static void read_block(reader *r)
{
  expect(r, "{");
  fprintf(r->out, "{\n");
  while (!accept(r, "}")) read_statement(r);
  fprintf(r->out, "}\n");
}


static void read_statement(reader *r)
{
  if (is(r, 0, "{")) {
    read_block(r);
    return;
  }
  fprintf(r->out, "\n#line %d \"%s\"\n", peek(r, 0)->line, r->path);
  if (is(r, 0, "if") || is(r, 0, "for") || is(r, 0, "while") || is(r, 0, "switch")) {
    read_head(r);
  } else if (is(r, 0, "case") || is(r, 0, "default")) {
    fprintf(r->out, "%s:\n", take_until(r, "?", ":"));
  } else if (is(r, 0, "break") || is(r, 0, "continue") || is(r, 1, ";")) {
    fprintf(r->out, "%s;\n", take_until(r, "{", ";"));
  } else if (accept(r, "return")) {
    const expression e = read_choice(r);
    expect(r, ";");
    fprintf(r->out, "return %s;\n", r->returns_scalar ? as_scalar(e) : e.text);
  } else if (is_declaration(r)) {
    read_declaration(r);
  } else {
    read_assignment(r);
  }
}


// everything outside of functions as it stands
static void read_file(reader *r)
{
  for (int is_head = 1; peek(r, 0)->kind != TOKEN_END;) {
    const token *t = peek(r, 0);
    if (is(r, 0, "{") && r->at > 0 && is(r, -1, ")")) {
      read_block(r);
      is_head = 1;
      r->returns_scalar = 0;
      continue;
    }
    if (is_head && is(r, 0, "real") && !is(r, 1, "*")) r->returns_scalar = 1;
    if (is(r, 0, "(")) is_head = 0;
    if (is(r, 0, ";") || is(r, 0, "}")) {
      is_head = 1;
      r->returns_scalar = 0;
    }
    const int is_line = *t->begin == '#';
    if (is_line || is(r, -1, ";")) fprintf(r->out, "\n#line %d \"%s\"\n", t->line, r->path);
    fprintf(r->out, "%.*s%s", t->length, t->begin, is_line ? "\n" : " ");
    r->at++;
  }
}

//---- the program ---------------------------------------------------------------------------------

static char *read_text(const char *path)
{
  FILE *in = fopen(path, "rb");
  if (!in) {
    perror(path);
    exit(1);
  }
  char *text = NULL;
  size_t length = 0, got;
  do {
    text = need(realloc(text, length + 65536 + 1));
    got = fread(text + length, 1, 65536, in);
    length += got;
  } while (got > 0);
  text[length] = 0;
  fclose(in);
  return text;
}


int main(int argc, char **argv)
{
  if (argc != 3) {
    fprintf(stderr, "usage: lower INPUT OUTPUT\n");
    return 1;
  }
  reader r = {.path = argv[1], .out = fopen(argv[2], "w")};
  if (!r.out) {
    perror(argv[2]);
    return 1;
  }
  read_tokens(&r, read_text(argv[1]));
  read_file(&r);
  if (fclose(r.out) != 0) {
    perror(argv[2]);
    return 1;
  }
  return 0;
}
