// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Loops over statements that differ in whole numbers alone.
#include "emit/roll.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"

enum {
  LONGEST = 2048,  // lines of one round
  FEWEST = 3,      // rounds of a loop
  LEAST_GAIN = 6,  // lines
  IN_LINE = 16,    // numbers of a table
  MOST_BREAKS = 4, // rounds at which steps change, in a text that is no matter of tables
  MOST_TIMES = 6,  // periods that become one where numbers grow by equal steps then
};


void roll_free(rollText *r)
{
  mem_free(r->line);
  mem_free(r->number);
  mem_free(r->note);
  mem_free(r->loop);
  mem_free(r->part);
  arena_free(&r->arena);
  *r = (rollText){0};
}

//---- lines ---------------------------------------------------------------------------------------

static int is_word(char c)
{
  return isalnum((unsigned char) c) || c == '_' || c == '.';
}


// the length of the word at the beginning of a text: a name, or a number with its exponent
static size_t word_length(const char *text)
{
  size_t n = 0;
  const int is_number = isdigit((unsigned char) text[0]) || text[0] == '.';
  while (is_word(text[n]) ||
         (is_number && n > 0 && text[n - 1] == 'e' && (text[n] == '-' || text[n] == '+'))) {
    n++;
  }
  return n;
}


// whole numbers of at most nine digits
static int is_whole(const char *word, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (!isdigit((unsigned char) word[i])) return 0;
  }
  return n > 0 && n < 10;
}


static void add_number(rollText *r, int number)
{
  if (!mem_grow((void **) &r->number, r->nnumber, &r->number_capacity, sizeof *r->number)) {
    r->no_memory = 1;
    return;
  }
  r->number[r->nnumber++] = number;
}


// notes the whole numbers of a line; returns the hash of all else
static uint64_t take_numbers(rollText *r, const char *text, int depth)
{
  uint64_t hash = base_hash(BASE_HASH_EMPTY, &depth, sizeof depth);
  while (*text) {
    const size_t n = word_length(text), length = n > 0 ? n : 1;
    if (is_whole(text, n)) {
      add_number(r, atoi(text));
      hash = base_hash(hash, "#", 1);
    } else {
      hash = base_hash(hash, text, length);
    }
    text += length;
  }
  return hash;
}


static int count_braces(const char *text)
{
  int n = 0;
  for (const char *c = text; *c; c++) n += *c == '{' ? 1 : *c == '}' ? -1 : 0;
  return n;
}


// the line behind the last one holds where its numbers and titles end
static int add_end(rollText *r)
{
  if (!mem_grow((void **) &r->line, r->n, &r->capacity, sizeof *r->line)) return 0;
  r->line[r->n] = (rollLine){.nesting = r->nesting, .number = r->nnumber, .note = r->nnote};
  return 1;
}


void roll_note(rollText *r, const char *title)
{
  if ((!r->line && !add_end(r)) ||
      !mem_grow((void **) &r->note, r->nnote, &r->note_capacity, sizeof *r->note)) {
    r->no_memory = 1;
    return;
  }
  r->note[r->nnote++] = title;
}


void roll_add(rollText *r, int depth, const char *text, size_t length)
{
  char *copy = arena_text_n(&r->arena, text, length);
  if (!copy || (!r->line && !add_end(r))) {
    r->no_memory = 1;
    return;
  }
  rollLine *x = &r->line[r->n];
  x->text = copy;
  x->depth = depth;
  x->shape = take_numbers(r, copy, depth);
  r->nesting += count_braces(copy);
  r->n++;
  if (!add_end(r)) r->no_memory = 1;
}

//---- loops ---------------------------------------------------------------------------------------

// how many lines from one on are like those a period before them
static int count_alike(const rollText *r, int from, int period)
{
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


static int saved_by(const rollLoop *loop)
{
  return (loop->rounds - 1) * loop->period;
}


// the loop from a line on that saves the most lines
static rollLoop best_loop(const rollText *r, int from)
{
  rollLoop best = {from, 0, 1};
  const uint64_t shape = r->line[from].shape;
  for (int period = 1; period <= LONGEST && from + FEWEST * period <= r->n; period++) {
    if (r->line[from + period].shape != shape) continue;
    if (best.period > 0 && period % best.period == 0) continue;
    const rollLoop loop = {from, period, 1 + count_alike(r, from, period) / period};
    if (loop.rounds < FEWEST || saved_by(&loop) <= saved_by(&best)) continue;
    if (is_closed(r, from, period)) best = loop;
  }
  return best;
}


// numbers of one round
static int count_numbers(const rollText *r, const rollLoop *loop)
{
  return r->line[loop->from + loop->period].number - r->line[loop->from].number;
}


// number j of a round
static int number_at(const rollText *r, const rollLoop *loop, int j, int round)
{
  return r->number[r->line[loop->from].number + j + round * count_numbers(r, loop)];
}


static int step_at(const rollText *r, const rollLoop *loop, int j, int round)
{
  return number_at(r, loop, j, round + 1) - number_at(r, loop, j, round);
}


// whether a number grows by equal steps
static int is_even(const rollText *r, const rollLoop *loop, int j)
{
  for (int k = 1; k + 1 < loop->rounds; k++) {
    if (step_at(r, loop, j, k) != step_at(r, loop, j, 0)) return 0;
  }
  return 1;
}


// whether the step to the next round is, for all numbers, the one that led here
static int goes_on(const rollText *r, const rollLoop *loop, int round)
{
  const int n = count_numbers(r, loop);
  const int *x = r->number + r->line[loop->from].number + round * n;
  for (int j = 0; j < n; j++) {
    if (x[j + n] - x[j] != x[j] - x[j - n]) return 0;
  }
  return 1;
}


// rounds from the first on whose numbers all grow by equal steps
static int count_even(const rollText *r, const rollLoop *loop)
{
  int k = 1;
  while (k + 1 < loop->rounds && goes_on(r, loop, k)) k++;
  return k + 1;
}


// whether loops with equal steps follow one another with few rounds between them
static int is_regular(const rollText *r, const rollLoop *loop)
{
  int breaks = 0;
  for (int k = 1; k + 1 < loop->rounds; k++) breaks += !goes_on(r, loop, k);
  return breaks <= MOST_BREAKS + loop->rounds / 64;
}


// Several periods become one where numbers grow by equal steps then. Returns whether they do; else they need tables.
static int lengthen(const rollText *r, rollLoop *loop)
{
  for (int times = 1; times <= MOST_TIMES && loop->rounds / times >= FEWEST; times++) {
    const rollLoop more = {loop->from, loop->period * times, loop->rounds / times};
    if (!is_regular(r, &more)) continue;
    *loop = more;
    return 1;
  }
  return 0;
}


static int add_loop(rollText *r, rollLoop loop)
{
  if (!mem_grow((void **) &r->loop, r->nloop, &r->loop_capacity, sizeof *r->loop)) return 0;
  r->loop[r->nloop++] = loop;
  return 1;
}


// lines that a loop makes fewer, those of its tables counted
static int gain_of(const rollText *r, const rollLoop *loop)
{
  int tables = 0;
  for (int j = 0; j < count_numbers(r, loop); j++) tables += !is_even(r, loop, j);
  return saved_by(loop) - 2 - tables * (1 + loop->rounds / IN_LINE);
}


int roll_find_loops(rollText *r)
{
  int left = r->n;
  for (int i = 0; i < r->n && !r->no_memory;) {
    rollLoop loop = best_loop(r, i);
    if (loop.rounds >= FEWEST && lengthen(r, &loop)) loop.rounds = count_even(r, &loop);
    const int gain = loop.rounds >= FEWEST ? gain_of(r, &loop) : 0;
    i += loop.rounds > 1 ? loop.rounds * loop.period : 1;
    if (gain < LEAST_GAIN) continue;
    if (!add_loop(r, loop)) r->no_memory = 1;
    left -= gain;
  }
  return left;
}

//---- parts ---------------------------------------------------------------------------------------

static void add_part(rollText *r, int line)
{
  if (!mem_grow((void **) &r->part, r->npart, &r->part_capacity, sizeof *r->part)) {
    r->no_memory = 1;
    return;
  }
  r->part[r->npart++] = line;
}


int roll_cut(rollText *r, int most)
{
  int room = 0;
  for (int i = 0, l = 0; i < r->n;) {
    const int is_loop = l < r->nloop && r->loop[l].from == i;
    const int lines = is_loop ? r->loop[l].period : 1;
    if (r->line[i].nesting == 0 && (room < lines || i == 0)) {
      add_part(r, i);
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


static void put_line(const rollText *r, int i, const rollOut *out)
{
  const rollLine *x = &r->line[i];
  put_titles(r, i, x->depth, out);
  out->put(out->context, x->depth, x->text, strlen(x->text));
}


// a + b k, in brackets where others than those of vectors stand around it
static void print_steps(FILE *text, int a, int b, int is_index)
{
  if (b == 0) {
    fprintf(text, "%d", a);
    return;
  }
  if (!is_index) fputc('(', text);
  if (a != 0) fprintf(text, "%d %c ", a, b > 0 ? '+' : '-');
  if (a == 0 && b < 0) fputc('-', text);
  if (abs(b) > 1) fprintf(text, "%d*", abs(b));
  fputc('k', text);
  if (!is_index) fputc(')', text);
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


// number j as that of round k
static void print_number(const rollWork *w, int j, int is_index)
{
  const int first = number_at(w->roll, w->loop, j, 0);
  if (w->table[j] > 0) {
    fprintf(w->text, "table%d[k]", w->table[j]);
  } else {
    print_steps(w->text, first, step_at(w->roll, w->loop, j, 0), is_index);
  }
}


// a line of the first round, whose first number is j
static void print_template(const rollWork *w, const char *line, int j)
{
  char before = 0;
  while (*line) {
    const size_t n = word_length(line), length = n > 0 ? n : 1;
    if (is_whole(line, n)) {
      print_number(w, j++, before == '[');
    } else {
      fprintf(w->text, "%.*s", (int) length, line);
    }
    before = line[length - 1];
    line += length;
  }
}


static void put_table(rollWork *w, int j)
{
  fprintf(w->text, "static const int table%d[] = {", w->table[j]);
  for (int k = 0; k < w->loop->rounds; k++) {
    fprintf(w->text, "%s%d", k > 0 ? ", " : "", number_at(w->roll, w->loop, j, k));
  }
  fputs("};", w->text);
  put_text(w, w->roll->line[w->loop->from].depth + 1);
}


static void put_loop(rollWork *w)
{
  const rollLoop *loop = w->loop;
  const rollLine *first = &w->roll->line[loop->from];
  int ntable = 0;
  for (int j = 0; j < count_numbers(w->roll, loop); j++) {
    w->table[j] = is_even(w->roll, loop, j) ? 0 : ++ntable;
  }
  put_titles(w->roll, loop->from, first->depth, w->out);
  fprintf(w->text, "for (int k = 0; k < %d; k++) {", loop->rounds);
  put_text(w, first->depth);
  for (int j = 0; j < count_numbers(w->roll, loop); j++) {
    if (w->table[j] > 0) put_table(w, j);
  }
  for (int i = 0; i < loop->period; i++) {
    if (i > 0) put_titles(w->roll, loop->from + i, first[i].depth + 1, w->out);
    print_template(w, first[i].text, first[i].number - first->number);
    put_text(w, first[i].depth + 1);
  }
  w->out->put(w->out->context, first->depth, "}", 1);
}


static void print_loop(rollText *r, const rollLoop *loop, const rollOut *out)
{
  rollWork w = {.roll = r, .loop = loop, .out = out};
  w.table = MEM_ARRAY(int, count_numbers(r, loop) + 1);
  w.text = open_memstream(&w.bytes, &w.length);
  if (w.table && w.text) put_loop(&w);
  if (!w.table || !w.text || !file_close_text(w.text, &w.bytes)) r->no_memory = 1;
  free(w.bytes);
  mem_free(w.table);
}


// the first loop that does not begin before a line
static int loop_from(const rollText *r, int line)
{
  int from = 0, to = r->nloop;
  while (from < to) {
    const int middle = (from + to) / 2;
    if (r->loop[middle].from < line) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}


void roll_print_part(rollText *r, int part, const rollOut *out)
{
  int i = r->part[part - 1], l = loop_from(r, i);
  const int end = part < r->npart ? r->part[part] : r->n;
  while (i < end) {
    if (l == r->nloop || i < r->loop[l].from) {
      put_line(r, i++, out);
      continue;
    }
    print_loop(r, &r->loop[l], out);
    i += r->loop[l].period * r->loop[l].rounds;
    l++;
  }
}
