// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Statements in loops: taken apart again they are the statements as they were, of any text; and large machines, whose
// text does not grow, move as numbers say.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "emit/emit.h"
#include "emit/write/roll.h"
#include "gen/gen.h"
#include "support/check.h"
#include "support/loops.h"
#include "support/models.h"

//---- taking apart --------------------------------------------------------------------------------

enum { MAX_LINES = 4000, MAX_TABLES = 40, MAX_ROUNDS = 2000, LINE = 1000 };

typedef struct lines {
  int n;
  char (*text)[LINE];
} lines;


static lines open_lines(void)
{
  return (lines){0, malloc(MAX_LINES * sizeof(char[LINE]))};
}


static void add_line(lines *l, const char *text, size_t length)
{
  if (!CHECK(l->n < MAX_LINES && length < LINE)) return;
  memcpy(l->text[l->n], text, length);
  l->text[l->n++][length] = 0;
}


static void put(void *context, int depth, const char *text, size_t length)
{
  (void) depth;
  add_line(context, text, length);
}


static void put_title(void *context, int depth, const char *title)
{
  (void) context, (void) depth, (void) title;
}


static int (*table)[MAX_ROUNDS];


// static const int table2[] = {5, 9, 7};
static int read_table(const char *line)
{
  int number, used = 0;
  if (sscanf(line, "static const int table%d[] = {%n", &number, &used) != 1 || used == 0) return 0;
  for (int k = 0; line[used - 1] != '}'; k++) {
    char *end;
    table[number][k] = (int) strtol(line + used, &end, 10);
    used = (int) (end - line) + 1;
  }
  return 1;
}


// 12 + 3*k, 12 - k, 3*k, k, table2[k]; returns its length, 0: none of these
static int read_steps(const char *text, int k, int *value)
{
  int a, b, used = 0;
  char sign;
  if (sscanf(text, "table%d[k]%n", &a, &used) == 1 && used > 0) {
    *value = table[a][k];
    return used;
  }
  if (sscanf(text, "%d %c %d*k%n", &a, &sign, &b, &used) == 3 && used > 0 && strchr("+-", sign)) {
    *value = a + (sign == '+' ? b : -b) * k;
    return used;
  }
  if (sscanf(text, "%d %c k%n", &a, &sign, &used) == 2 && used > 0 && strchr("+-", sign)) {
    *value = a + (sign == '+' ? k : -k);
    return used;
  }
  if (isdigit((unsigned char) text[0]) && sscanf(text, "%d*k%n", &b, &used) == 1 && used > 0) {
    *value = b * k;
    return used;
  }
  *value = k;
  return text[0] == 'k' && !isalnum((unsigned char) text[1]);
}


// a line in round k
static void unroll_line(lines *out, const char *line, int k)
{
  char text[LINE];
  int n = 0, value, used;
  for (const char *c = line; *c;) {
    const int is_new = c == line || (!isalnum((unsigned char) c[-1]) && !strchr("_.>", c[-1]));
    if (*c == '(' && (used = read_steps(c + 1, k, &value)) > 0 && c[1 + used] == ')') {
      n += snprintf(text + n, sizeof text - (size_t) n, "%d", value);
      c += used + 2;
    } else if (is_new && (used = read_steps(c, k, &value)) > 0) {
      n += snprintf(text + n, sizeof text - (size_t) n, "%d", value);
      c += used;
    } else {
      text[n++] = *c++;
    }
  }
  add_line(out, text, (size_t) n);
}


static int braces(const char *text)
{
  int n = 0;
  for (; *text; text++) n += (*text == '{') - (*text == '}');
  return n;
}


static lines unroll(const lines *in)
{
  lines out = open_lines();
  for (int i = 0; i < in->n; i++) {
    int rounds, end = i, open = 0;
    if (sscanf(in->text[i], "for (int k = 0; k < %d; k++) {", &rounds) != 1) {
      add_line(&out, in->text[i], strlen(in->text[i]));
      continue;
    }
    do {
      open += braces(in->text[end++]);
    } while (open > 0 && end < in->n);
    while (read_table(in->text[i + 1])) i++;
    for (int k = 0; k < rounds; k++) {
      for (int j = i + 1; j < end - 1; j++) unroll_line(&out, in->text[j], k);
    }
    i = end - 1;
  }
  return out;
}


// the text in loops, cut into short parts; returns how many lines it has
static int check_rolled(const lines *in)
{
  baseArena arena = {0};
  rollText roll = {.arena = &arena};
  lines rolled = open_lines();
  int depth = 1;
  for (int i = 0; i < in->n; i++) {
    if (in->text[i][0] == '}') depth--;
    roll_add(&roll, depth, in->text[i], strlen(in->text[i]));
    if (strchr(in->text[i], '{')) depth++;
  }
  roll_find_loops(&roll);
  const int n = roll_cut(&roll, 10);
  const rollOut out = {&rolled, put, put_title};
  for (int part = 1; part <= n; part++) {
    const int from = rolled.n;
    int open = 0;
    roll_print_part(&roll, part, &out);
    for (int i = from; i < rolled.n; i++) {
      const int table_braces = strncmp(rolled.text[i], "static", 6) == 0;
      open += table_braces ? 0 : braces(rolled.text[i]);
    }
    CHECK_EQ_INT(open, 0);
  }
  lines back = unroll(&rolled);
  int same = CHECK_EQ_INT(back.n, in->n);
  for (int i = 0; same && i < in->n; i++) {
    same = CHECK(strcmp(back.text[i], in->text[i]) == 0);
    if (!same) printf("  line %d: '%s' became '%s'\n", i, in->text[i], back.text[i]);
  }
  CHECK(!arena.has_run_out);
  const int count = rolled.n;
  arena_free(&arena);
  free(rolled.text);
  free(back.text);
  return count;
}


static void say(lines *l, const char *format, int a, int b)
{
  char text[LINE];
  const int n = snprintf(text, sizeof text, format, a, b);
  add_line(l, text, (size_t) n);
}

static int random_below(uint64_t *seed, int n)
{
  return (int) check_uniform(seed, 0, n);
}

//---- texts ---------------------------------------------------------------------------------------

// statements that read what the round before has written, down and up, with numbers that are no indices
TEST(equal_steps_become_one_loop)
{
  lines l = open_lines();
  for (int i = 0; i < 100; i++) {
    say(&l, "s[%d] = 1.5e-3*s[%d]*x2[0];", 7 + 2 * i, 5 + 2 * i);
    say(&l, "s[%d] = f(3, s + %d);", 8 + 2 * i, 300 - 3 * i);
  }
  CHECK_EQ_INT(check_rolled(&l), 4);
  free(l.text);
}


TEST(braces_stay_together)
{
  lines l = open_lines();
  for (int i = 0; i < 50; i++) {
    say(&l, "for (int iteration = 0;; iteration++) {", 0, 0);
    say(&l, "s[%d] = q[%d];", i, 2 * i);
    say(&l, "if (s[%d] <= (iteration > 0 ? 1e-24 : 1e-28)) break;", i, 0);
    say(&l, "}", 0, 0);
  }
  CHECK_EQ_INT(check_rolled(&l), 6);
  free(l.text);
}


// steps that change a few times give several loops; those that never settle, a table
TEST(other_steps_are_told)
{
  lines few = open_lines(), never = open_lines();
  uint64_t seed = 5;
  for (int i = 0; i < 90; i++) {
    say(&few, "s[%d] = q[%d];", i, i < 30 ? i : 200 - i);
    say(&never, "s[%d] = q[%d];", i, random_below(&seed, 1000));
  }
  CHECK_EQ_INT(check_rolled(&few), 6);
  CHECK_EQ_INT(check_rolled(&never), 4); // one of them the table
  free(few.text);
  free(never.text);
}


// any text at all, of pieces that come again or not
TEST(random_texts_come_back)
{
  static const char *const piece[] = {"s[%d] = q[%d];", "s[%d] += 2.0*y%d;", "a[%d] = -s[%d];",
                                      "c->k[%d] = 1.0/x[%d];"};
  uint64_t seed = 11;
  for (int trial = 0; trial < 200; trial++) {
    lines l = open_lines();
    while (l.n < 300) {
      const int rounds = 1 + random_below(&seed, 12), period = 1 + random_below(&seed, 6);
      const int step = random_below(&seed, 4), back = random_below(&seed, 5) - 2;
      const int first = 100 + random_below(&seed, 50), is_wild = random_below(&seed, 4) == 0;
      for (int k = 0; k < rounds; k++) {
        for (int i = 0; i < period; i++) {
          say(&l, piece[(i + period) % 4], first + step * k + i,
              is_wild ? random_below(&seed, 100) : first + back * k);
        }
      }
    }
    check_rolled(&l);
    free(l.text);
  }
}

//---- machines ------------------------------------------------------------------------------------

typedef struct machine {
  artModel *m;
  artData *d;
} machine;


static machine open_machine(artModel *m)
{
  machine x = {m, art_create_data(m)};
  CHECK(art_assemble(m, x.d, NULL, NULL) == ART_OK);
  art_update(m, x.d);
  return x;
}


static void move(machine *x)
{
  uint64_t seed = 3;
  if (x->m->nrow > 0) {
    CHECK(loop_random_state(x->m, x->d, &seed));
  } else {
    sample_numbers(&seed, 1, x->m->tree.nq, x->d->q);
    sample_numbers(&seed, 1, x->m->tree.nv, x->d->v);
  }
  art_update(x->m, x->d);
}


static void close_machine(machine *x)
{
  art_free_data(x->d);
  art_free_model(x->m);
}


static void check_accelerations(artModel *m, artMethod method)
{
  machine x = open_machine(m);
  artGenerateDef def = art_default_generate();
  artGenerated *g = NULL;
  const int nv = m->tree.nv;
  move(&x);
  double *a = malloc((size_t) nv * sizeof *a);
  int is_known = CHECK_WORKS(art_load_generated(&g, m, x.d, &def, &check_error)) &&
                 CHECK_WORKS(art_generated_accelerate(g, 0, x.d->q, x.d->v, a, NULL, &check_error));
  art_update(m, x.d);
  is_known = is_known && CHECK_WORKS(art_accelerate(m, x.d, method, &check_error));
  if (!is_known) {
    printf("  %s\n", check_error.text);
  } else {
    double largest = 0, worst = 0;
    for (int i = 0; i < nv; i++) {
      largest = fmax(largest, fabs(x.d->a[i]));
      worst = fabs(a[i] - x.d->a[i]) <= worst ? worst : fabs(a[i] - x.d->a[i]);
    }
    if (!CHECK(worst <= 1e-9 * largest)) printf("  %g of %g\n", worst, largest);
  }
  free(a);
  art_free_generated(g);
  close_machine(&x);
}


TEST(large_machines_move_as_numbers_say)
{
  check_accelerations(loop_four_bars(150), ART_RECURSIVE);
  check_accelerations(model_chain(120), ART_ORDER_N);
}


// lines of the function in C
static int lines_of(artModel *m)
{
  machine x = open_machine(m);
  // bodies are drawn in ground, so that each has a place of its own in its centre of mass
  static const char *const drawn[] = {"com"};
  const genOptions options = {.forms = GEN_ACCELERATE, .nfreeze = 1, .freeze = drawn};
  const emitOptions how = {.statements = 0};
  eqnProgram *p = NULL;
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  int n = 0, is_inside = 0;
  if (CHECK(gen_create(&p, m, x.d, &options, NULL) == ART_OK)) {
    CHECK(emit_program(out, p, EMIT_C, &how, NULL) == ART_OK);
  }
  fclose(out);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    if (strncmp(line, "static int", 10) == 0 && strstr(line, "accelerate")) is_inside = 1;
    if (line[0] == '}') is_inside = 0;
    n += is_inside;
  }
  gen_free(p);
  free(text);
  close_machine(&x);
  return n;
}


static void check_lengths(artModel *few, artModel *many)
{
  const int short_text = lines_of(few), long_text = lines_of(many);
  if (CHECK(short_text > 100 && long_text < short_text + 40)) return;
  printf("  %d and %d lines\n", short_text, long_text);
}


TEST(text_of_many_is_as_long_as_that_of_few)
{
  check_lengths(loop_four_bars(150), loop_four_bars(450));
  check_lengths(model_chain(120), model_chain(360));
}


int main(int argc, char **argv)
{
  table = malloc(MAX_TABLES * sizeof *table);
  const int result = check_main(argc, argv);
  free(table);
  return result;
}
