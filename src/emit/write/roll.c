// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Loops over statements that differ in whole numbers alone.
#include "emit/write/roll.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/throw.h"

enum {
  LONGEST = 2048, // lines of one round
  FEWEST = 3,     // rounds of a loop
  MIN_GAIN = 6,   // lines
  IN_LINE = 16,   // numbers of a table
  MAX_BREAKS = 4, // rounds at which steps change, in a text that is no matter of tables
  MAX_TIMES = 6,  // periods that become one where numbers grow by equal steps then
};

//---- lines ---------------------------------------------------------------------------------------

// the length of the word at the beginning of a text: a name, or a number with its exponent
static size_t word_length(const char *text)
{
  size_t n = 0;
  const int is_number = ascii_is_digit((unsigned char) text[0]) || text[0] == '.';
  while (ascii_is_word((unsigned char) text[n]) || text[n] == '_' || text[n] == '.' ||
         (is_number && n > 0 && text[n - 1] == 'e' && (text[n] == '-' || text[n] == '+'))) {
    n++;
  }
  return n;
}


// whole numbers of at most nine digits
static int is_whole_number(const char *word, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (!ascii_is_digit((unsigned char) word[i])) return 0;
  }
  return n > 0 && n < 10;
}


// notes the whole numbers of a line; returns the hash of all else
static uint64_t take_line_numbers(rollText *r, const char *text, int depth)
{
  uint64_t hash = base_hash(BASE_HASH_EMPTY, &depth, sizeof depth);
  while (*text) {
    const size_t n = word_length(text), length = n > 0 ? n : 1;
    if (is_whole_number(text, n)) {
      r->number =
          arena_grow(r->arena, r->number, r->nnumber, &r->number_capacity, sizeof *r->number);
      r->number[r->nnumber++] = atoi(text);
      hash = base_hash(hash, "#", 1);
    } else {
      hash = base_hash(hash, text, length);
    }
    text += length;
  }
  return hash;
}


// the line after the last one holds where its numbers and titles end
static void add_roll_end(rollText *r)
{
  r->line = arena_grow(r->arena, r->line, r->n, &r->capacity, sizeof *r->line);
  r->line[r->n] = (rollLine){.nesting = r->nesting, .number = r->nnumber, .note = r->nnote};
}


void roll_note(rollText *r, const char *title)
{
  if (!r->line) add_roll_end(r);
  r->note = arena_grow(r->arena, r->note, r->nnote, &r->note_capacity, sizeof *r->note);
  r->note[r->nnote++] = title;
}


void roll_add(rollText *r, int depth, const char *text, size_t length)
{
  char *copy = arena_text_n(r->arena, text, length);
  if (!r->line) add_roll_end(r);
  rollLine *x = &r->line[r->n];
  x->text = copy;
  x->depth = depth;
  x->shape = take_line_numbers(r, copy, depth);
  for (const char *c = copy; *c; c++) r->nesting += *c == '{' ? 1 : *c == '}' ? -1 : 0;
  r->n++;
  add_roll_end(r);
}

//---- loops ---------------------------------------------------------------------------------------

// how many lines from one on are like those a period before them
static int count_alike(const rollText *r, int from, int period)
{
  ART_ASSERT(period > 0 && from + period <= r->n);
  int k = from + period;
  while (k < r->n && r->line[k].shape == r->line[k - period].shape) k++;
  return k - from - period;
}


// whether lines close all braces that they open, and no others
static int is_closed(const rollText *r, int from, int n)
{
  const int open = r->line[from].nesting;
  for (int i = from + 1; i < from + n; i++) {
    if (r->line[i].nesting < open) return 0;
  }
  return r->line[from + n].nesting == open;
}


// the loop from a line on that saves the most lines
static rollLoop best_loop(const rollText *r, int from)
{
  ART_ASSERT(from >= 0 && from < r->n);
  rollLoop best = {from, 0, 1};
  const uint64_t shape = r->line[from].shape;
  for (int period = 1; period <= LONGEST && from + FEWEST * period <= r->n; period++) {
    if (r->line[from + period].shape != shape) continue;
    if (best.period > 0 && period % best.period == 0) continue;
    const rollLoop loop = {from, period, 1 + count_alike(r, from, period) / period};
    const int saves = (loop.rounds - 1) * period, best_saves = (best.rounds - 1) * best.period;
    if (loop.rounds < FEWEST || saves <= best_saves) continue;
    if (is_closed(r, from, period)) best = loop;
  }
  return best;
}


// numbers of one round
static int count_round_numbers(const rollText *r, const rollLoop *loop)
{
  return r->line[loop->from + loop->period].number - r->line[loop->from].number;
}


// number j of a round
static int number_at(const rollText *r, const rollLoop *loop, int j, int round)
{
  ART_ASSERT(round >= 0 && round < loop->rounds);
  return r->number[r->line[loop->from].number + j + round * count_round_numbers(r, loop)];
}


static int step_at(const rollText *r, const rollLoop *loop, int j, int round)
{
  return number_at(r, loop, j, round + 1) - number_at(r, loop, j, round);
}


// whether a number grows by equal steps
static int has_even_steps(const rollText *r, const rollLoop *loop, int j)
{
  for (int k = 1; k + 1 < loop->rounds; k++) {
    if (step_at(r, loop, j, k) != step_at(r, loop, j, 0)) return 0;
  }
  return 1;
}


// whether the step to the next round is, for all numbers, the one that led here
static int goes_on(const rollText *r, const rollLoop *loop, int round)
{
  const int n = count_round_numbers(r, loop);
  const int *x = r->number + r->line[loop->from].number + round * n;
  for (int j = 0; j < n; j++) {
    if (x[j + n] - x[j] != x[j] - x[j - n]) return 0;
  }
  return 1;
}


// Several periods become one where numbers grow by equal steps then. Returns whether they do; else they need tables.
static int lengthen_loop_period(const rollText *r, rollLoop *loop)
{
  for (int times = 1; times <= MAX_TIMES && loop->rounds / times >= FEWEST; times++) {
    const rollLoop more = {loop->from, loop->period * times, loop->rounds / times};
    int breaks = 0; // loops with equal steps may follow one another with few rounds between them
    for (int k = 1; k + 1 < more.rounds; k++) breaks += !goes_on(r, &more, k);
    if (breaks > MAX_BREAKS + more.rounds / 64) continue;
    *loop = more;
    return 1;
  }
  return 0;
}


int roll_find_loops(rollText *r)
{
  int left = r->n;
  for (int i = 0; i < r->n;) {
    rollLoop loop = best_loop(r, i);
    if (loop.rounds >= FEWEST && lengthen_loop_period(r, &loop)) {
      // rounds from the first on whose numbers all grow by equal steps
      int k = 1;
      while (k + 1 < loop.rounds && goes_on(r, &loop, k)) k++;
      loop.rounds = k + 1;
    }
    i += loop.rounds > 1 ? loop.rounds * loop.period : 1;
    if (loop.rounds < FEWEST) continue;

    // lines that the loop makes fewer, lines of its tables counted
    int tables = 0;
    for (int j = 0; j < count_round_numbers(r, &loop); j++) tables += !has_even_steps(r, &loop, j);
    const int gain = (loop.rounds - 1) * loop.period - 2 - tables * (1 + loop.rounds / IN_LINE);
    if (gain < MIN_GAIN) continue;
    r->loop = arena_grow(r->arena, r->loop, r->nloop, &r->loop_capacity, sizeof *r->loop);
    r->loop[r->nloop++] = loop;
    left -= gain;
  }
  return left;
}

//---- parts ---------------------------------------------------------------------------------------

int roll_cut(rollText *r, int most)
{
  ART_ASSERT(most > 0);
  int room = 0;
  for (int i = 0, l = 0; i < r->n;) {
    const int is_loop = l < r->nloop && r->loop[l].from == i;
    const int lines = is_loop ? r->loop[l].period : 1;
    if (r->line[i].nesting == 0 && (room < lines || i == 0)) {
      r->part = arena_grow(r->arena, r->part, r->npart, &r->part_capacity, sizeof *r->part);
      r->part[r->npart++] = i;
      room = most;
    }
    room -= lines;
    i += is_loop ? lines * r->loop[l++].rounds : 1;
  }
  return r->npart;
}

//---- text ----------------------------------------------------------------------------------------

static void put_titles(const rollText *r, int i, int depth, const rollOut *out)
{
  for (int k = r->line[i].note; k < r->line[i + 1].note; k++) {
    out->title(out->context, depth, r->note[k]);
  }
}


// a loop that is being written
typedef struct rollWork {
  const rollText *roll;
  const rollLoop *loop;
  const rollOut *out;
  FILE *text; // one line
  char *bytes;
  size_t length;
  int *
      table; // [numbers of a round] of those that need one, counted from 1; 0: they grow by equal steps
} rollWork;


static void put_text(rollWork *w, int depth)
{
  fflush(w->text);
  w->out->put(w->out->context, depth, w->bytes, w->length);
  rewind(w->text);
}


// A line of the first round, whose first number is j. A number of round k is an element of a table, or a + b k, in brackets
// where no brackets of a vector stand around it.
static void print_template(const rollWork *w, const char *line, int j)
{
  char before = 0;
  while (*line) {
    const size_t n = word_length(line), length = n > 0 ? n : 1;
    if (!is_whole_number(line, n)) {
      fprintf(w->text, "%.*s", (int) length, line);
    } else if (w->table[j] > 0) {
      fprintf(w->text, "table%d[k]", w->table[j]);
    } else {
      const int a = number_at(w->roll, w->loop, j, 0), b = step_at(w->roll, w->loop, j, 0);
      const int is_bracketed = b != 0 && before != '[';
      if (is_bracketed) fputc('(', w->text);
      if (a != 0 || b == 0) fprintf(w->text, "%d", a);
      if (a != 0 && b != 0) fputs(b > 0 ? " + " : " - ", w->text);
      if (a == 0 && b < 0) fputc('-', w->text);
      if (abs(b) > 1) fprintf(w->text, "%d*", abs(b));
      if (b != 0) fputc('k', w->text);
      if (is_bracketed) fputc(')', w->text);
    }
    j += is_whole_number(line, n);
    before = line[length - 1];
    line += length;
  }
}


static void put_loop(rollWork *w)
{
  const rollLoop *loop = w->loop;
  const rollLine *first = &w->roll->line[loop->from];
  int ntable = 0;
  for (int j = 0; j < count_round_numbers(w->roll, loop); j++) {
    w->table[j] = has_even_steps(w->roll, loop, j) ? 0 : ++ntable;
  }
  put_titles(w->roll, loop->from, first->depth, w->out);
  fprintf(w->text, "for (int k = 0; k < %d; k++) {", loop->rounds);
  put_text(w, first->depth);
  for (int j = 0; j < count_round_numbers(w->roll, loop); j++) {
    if (w->table[j] == 0) continue;
    fprintf(w->text, "static const int table%d[] = {", w->table[j]);
    for (int k = 0; k < loop->rounds; k++) {
      fprintf(w->text, "%s%d", k > 0 ? ", " : "", number_at(w->roll, loop, j, k));
    }
    fputs("};", w->text);
    put_text(w, first->depth + 1);
  }
  for (int i = 0; i < loop->period; i++) {
    if (i > 0) put_titles(w->roll, loop->from + i, first[i].depth + 1, w->out);
    print_template(w, first[i].text, first[i].number - first->number);
    put_text(w, first[i].depth + 1);
  }
  w->out->put(w->out->context, first->depth, "}", 1);
}


void roll_print_part(rollText *r, int part, const rollOut *out)
{
  ART_ASSERT(part >= 1 && part <= r->npart);
  int i = r->part[part - 1], l = 0;
  const int end = part < r->npart ? r->part[part] : r->n;

  // the first loop that does not begin before the part
  for (int to = r->nloop; l < to;) {
    const int middle = (l + to) / 2;
    if (r->loop[middle].from < i) {
      l = middle + 1;
    } else {
      to = middle;
    }
  }
  while (i < end) {
    if (l == r->nloop || i < r->loop[l].from) {
      const rollLine *x = &r->line[i];
      put_titles(r, i++, x->depth, out);
      out->put(out->context, x->depth, x->text, strlen(x->text));
      continue;
    }
    const rollLoop *loop = &r->loop[l];
    rollWork w = {.roll = r, .loop = loop, .out = out};
    ARENA_TAKE(r->arena, w.table, count_round_numbers(r, loop) + 1);
    w.text = open_memstream(&w.bytes, &w.length);
    if (w.text) put_loop(&w);
    const int is_whole = w.text && file_close_text(w.text, &w.bytes);
    free(w.bytes);
    if (!is_whole) error_throw();
    i += r->loop[l].period * r->loop[l].rounds;
    l++;
  }
}
