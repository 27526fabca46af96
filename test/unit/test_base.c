// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Errors, memory and the arena.
#include "support/check.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/stack.h"
#include "support/heap.h"

//---- version and status --------------------------------------------------------------------------


TEST(the_linked_version_is_that_of_the_header)
{
  char numbers[32];
  snprintf(numbers, sizeof numbers, "%d.%d.%d", ART_VERSION_MAJOR, ART_VERSION_MINOR,
           ART_VERSION_PATCH);
  CHECK_TEXT(ART_VERSION, numbers);
  CHECK_TEXT(art_version(), ART_VERSION);
  CHECK(art_version_number() == ART_VERSION_NUMBER);
}


TEST(every_status_has_its_own_text)
{
  for (int a = ART_OK; a <= ART_STOPPED; a++) {
    CHECK(strcmp(art_status_text((artStatus) a), "unknown status") != 0);
    for (int b = ART_OK; b < a; b++) {
      CHECK(strcmp(art_status_text((artStatus) a), art_status_text((artStatus) b)) != 0);
    }
  }
  CHECK_TEXT(art_status_text((artStatus) 999), "unknown status");
}


//---- located messages ----------------------------------------------------------------------------


TEST(a_message_starts_with_its_place)
{
  const artPlace place = {.file = "crane.yaml", .line = 12, .column = 7};
  artError error = {0};

  const artStatus status =
      base_fail(&error, ART_BAD_INPUT, place, "mass is %g, expected > 0", -1.5);
  CHECK_EQ_INT(status, ART_BAD_INPUT);
  CHECK_EQ_INT(error.status, ART_BAD_INPUT);
  CHECK_TEXT(error.text, "crane.yaml:12:7: mass is -1.5, expected > 0");
}


TEST(a_message_about_a_whole_file_has_no_line)
{
  artError error = {0};

  base_fail(&error, ART_IO, (artPlace){.file = "crane.yaml"}, "the file is empty");
  CHECK_TEXT(error.text, "crane.yaml: the file is empty");
}


TEST(a_message_about_things_made_in_c_has_no_prefix)
{
  artError error = {0};

  base_fail(&error, ART_UNSUPPORTED, base_nowhere(), "joint '%s' closes a loop", "pin");
  CHECK_TEXT(error.text, "joint 'pin' closes a loop");
  CHECK_EQ_INT(base_no_memory(&error), ART_NO_MEMORY);
  CHECK_TEXT(error.text, "out of memory");
}


TEST(nobody_needs_to_listen_to_a_message)
{
  CHECK_EQ_INT(base_fail(NULL, ART_IO, base_nowhere(), "lost"), ART_IO);
  CHECK_EQ_INT(base_no_memory(NULL), ART_NO_MEMORY);
}


TEST(a_message_that_is_too_long_is_cut)
{
  char text[3 * ART_ERROR_LENGTH];
  artError error;

  memset(text, 'x', sizeof text);
  text[sizeof text - 1] = '\0';
  memset(&error, 1, sizeof error);
  base_fail(&error, ART_BAD_INPUT, (artPlace){"m.yaml", 3, 4}, "%s", text);
  CHECK_EQ_INT((int) strlen(error.text), ART_ERROR_LENGTH - 1);
  CHECK(strncmp(error.text, "m.yaml:3:4: xxx", 15) == 0);

  // a file name that would fill the message by itself makes room for what happened
  base_fail(&error, ART_BAD_INPUT, (artPlace){text, 3, 4}, "found nothing");
  CHECK_TEXT(error.text, "found nothing");
}


//---- did you mean --------------------------------------------------------------------------------


static const char *hint_for(const char *word, char buffer[BASE_HINT_LENGTH])
{
  static const char *const names[] = {"chassis", "wheel", "wheels", "arm", "x"};
  baseNearest nearest = {.word = word};

  for (size_t k = 0; k < sizeof names / sizeof *names; k++) base_consider(&nearest, names[k]);
  return base_hint(&nearest, buffer);
}


TEST(a_misspelt_word_brings_the_nearest_name)
{
  char buffer[BASE_HINT_LENGTH];

  CHECK_TEXT(hint_for("chasis", buffer), " (did you mean 'chassis'?)");   // a letter lost
  CHECK_TEXT(hint_for("chassiss", buffer), " (did you mean 'chassis'?)"); // a letter too many
  CHECK_TEXT(hint_for("chazzis", buffer), " (did you mean 'chassis'?)");  // two letters changed
  CHECK_TEXT(hint_for("whele", buffer), " (did you mean 'wheel'?)");      // two letters swapped
  CHECK_TEXT(hint_for("wheelss", buffer), " (did you mean 'wheels'?)");   // the nearer of two
  CHECK_TEXT(hint_for("wheel", buffer), " (did you mean 'wheel'?)");      // another kind of name
}


TEST(a_strange_word_brings_no_hint)
{
  char buffer[BASE_HINT_LENGTH], long_word[200];

  CHECK_TEXT(hint_for("gearbox", buffer), "");
  CHECK_TEXT(hint_for("", buffer), "");
  CHECK_TEXT(hint_for("y", buffer), ""); // a name of one letter is near to any other

  memset(long_word, 'w', sizeof long_word);
  long_word[sizeof long_word - 1] = '\0';
  CHECK_TEXT(hint_for(long_word, buffer), "");
}


TEST(a_hint_with_a_long_name_fits_its_buffer)
{
  char buffer[BASE_HINT_LENGTH], name[300];
  const baseNearest nearest = {.word = "w", .best = name, .distance = 1};

  memset(name, 'n', sizeof name);
  name[sizeof name - 1] = '\0';
  CHECK_EQ_INT((int) strlen(base_hint(&nearest, buffer)), BASE_HINT_LENGTH - 1);
}


//---- memory --------------------------------------------------------------------------------------

TEST(memory_comes_zeroed_from_the_chosen_allocator)
{
  heap_run_dry_after(2);

  double *numbers = MEM_ARRAY(double, 100);
  if (CHECK(numbers)) {
    for (int k = 0; k < 100; k++) CHECK(numbers[k] == 0);
  }
  void *nothing = mem_alloc(0, 8); // a block all the same: NULL means failure
  CHECK(nothing);
  CHECK_EQ_INT(heap_live(), 2);
  CHECK(!mem_alloc(1, 1)); // the heap has run dry

  mem_free(numbers);
  mem_free(nothing);
  mem_free(NULL);
  CHECK_EQ_INT(heap_live(), 0);
  heap_unwatch();
}


TEST(a_size_that_overflows_is_refused)
{
  baseArena arena = {0};

  CHECK(!mem_alloc(SIZE_MAX / 2, 4));
  CHECK(!mem_alloc(SIZE_MAX, 1));
  CHECK(!mem_resize(NULL, 3, SIZE_MAX / 2));
  CHECK(!arena_alloc(&arena, SIZE_MAX / 2, 4));
  CHECK(!arena_alloc(&arena, SIZE_MAX, 1));
  arena_free(&arena);
}


TEST(a_growing_array_keeps_its_elements)
{
  int *items = NULL, capacity = 0;

  for (int count = 0; count < 1000; count++) {
    if (!CHECK(mem_grow((void **) &items, count, &capacity, sizeof *items))) break;
    CHECK(capacity > count);
    items[count] = count * count;
  }
  for (int k = 0; k < 1000; k++) CHECK_EQ_INT(items[k], k * k);
  CHECK_EQ_INT(capacity, 1024); // doubled each time: few copies
  mem_free(items);
}


TEST(an_array_that_cannot_grow_is_unharmed)
{
  int *items = NULL, capacity = 0;
  heap_run_dry_after(1);

  CHECK(mem_grow((void **) &items, 0, &capacity, sizeof *items));
  for (int k = 0; k < capacity; k++) items[k] = k;
  const int before = capacity;
  CHECK(!mem_grow((void **) &items, capacity, &capacity, sizeof *items));
  CHECK_EQ_INT(capacity, before);
  for (int k = 0; k < capacity; k++) CHECK_EQ_INT(items[k], k);

  mem_free(items);
  CHECK_EQ_INT(heap_live(), 0);
  heap_unwatch();
}


//---- arena ---------------------------------------------------------------------------------------


TEST(pieces_of_an_arena_are_zeroed_aligned_and_apart)
{
  enum { PIECES = 2000, LARGEST = 61 };
  baseArena arena = {0};
  unsigned char *pieces[PIECES];

  for (int k = 0; k < PIECES; k++) {
    const size_t size = (size_t) (k % LARGEST) + 1;
    pieces[k] = arena_alloc(&arena, size, 1);
    if (!CHECK(pieces[k])) return;
    CHECK((uintptr_t) pieces[k] % 16 == 0);
    for (size_t i = 0; i < size; i++) CHECK(pieces[k][i] == 0);
    memset(pieces[k], k % 251, size);
  }
  for (int k = 0; k < PIECES; k++) {
    for (int i = 0; i < k % LARGEST + 1; i++) CHECK_EQ_INT(pieces[k][i], k % 251);
  }
  arena_free(&arena);
}


TEST(a_piece_larger_than_a_block_is_given_too)
{
  baseArena arena = {0};

  char *small = arena_text(&arena, "before");
  double *large = arena_alloc(&arena, 100000, sizeof *large);
  if (CHECK(large)) large[0] = large[99999] = 1;
  CHECK_TEXT(arena_text(&arena, "after"), "after");
  CHECK_TEXT(small, "before");
  arena_free(&arena);
}


TEST(texts_and_data_are_copied)
{
  baseArena arena = {0};
  char text[] = "crank/pin";
  double numbers[] = {1, 2, 3};

  const char *whole = arena_text(&arena, text), *part = arena_text_n(&arena, text, 5);
  const double *copy = arena_copy(&arena, numbers, 3, sizeof *numbers);
  memset(text, '?', 9);
  numbers[0] = 9;

  CHECK_TEXT(whole, "crank/pin");
  CHECK_TEXT(part, "crank");
  CHECK_NEAR(copy, ((double[]){1, 2, 3}), 3, 0);
  CHECK(arena_copy(&arena, NULL, 0, 8));
  CHECK_TEXT(arena_format(&arena, "%s.%d", part, 42), "crank.42");
  arena_free(&arena);
}


TEST(an_arena_gives_back_all_it_took_and_can_start_again)
{
  baseArena arena = {0};
  heap_run_dry_after(1000);

  for (int round = 0; round < 3; round++) {
    for (int k = 0; k < 100; k++) CHECK(arena_alloc(&arena, 1000, 1));
    CHECK(heap_live() > 1);
    arena_free(&arena);
    CHECK_EQ_INT(heap_live(), 0);
  }
  heap_unwatch();
}


// an empty one, and one with a piece
TEST(an_arena_goes_back_to_a_place)
{
  for (int has_piece = 0; has_piece < 2; has_piece++) {
    baseArena arena = {0};
    const char *before = has_piece ? arena_text(&arena, "before") : NULL;
    const arenaPlace here = arena_place(&arena);
    const size_t bytes = arena_bytes(&arena);
    char *first = arena_alloc(&arena, 40, 1);
    memset(first, 'x', 40);
    CHECK(arena_alloc(&arena, 100000, 1));
    arena_return(&arena, here);
    CHECK(arena_bytes(&arena) == bytes);
    const char *again = arena_alloc(&arena, 40, 1);
    for (int k = 0; k < 40; k++) CHECK_EQ_INT(again[k], 0);
    if (has_piece) CHECK(again == first);
    if (has_piece) CHECK_TEXT(before, "before");
    arena_free(&arena);
  }
}


TEST(an_arena_without_memory_returns_null)
{
  baseArena arena = {0};
  heap_run_dry_after(0);

  CHECK(!arena_alloc(&arena, 1, 1));
  CHECK(!arena_text(&arena, "x"));
  CHECK(!arena_copy(&arena, "x", 1, 1));
  CHECK(!arena_format(&arena, "%d", 1));
  arena_free(&arena);
  CHECK_EQ_INT(heap_live(), 0);
  heap_unwatch();
}


// wherever it stands, and whatever comes behind it
TEST(an_arena_that_was_cleared_asks_for_nothing_when_the_same_is_taken_again)
{
  heap_watch();
  baseArena arena = {0};
  long taken = 0;
  for (int round = 0; round < 3; round++) {
    for (size_t k = 1; k < 40; k++) {
      const char *piece = arena_alloc(&arena, 100 * k * k, 1);
      if (!CHECK(piece)) return;
      CHECK(piece[0] == 0 && piece[100 * k * k - 1] == 0);
      memset((char *) piece, 1, 100 * k * k);
    }
    if (round == 0) taken = heap_taken();
    arena_clear(&arena);
  }
  CHECK_EQ_INT(heap_taken(), taken);
  arena_free(&arena);
  CHECK_EQ_INT(heap_live(), 0);
  heap_unwatch();
}


TEST(a_stack_serves_blocks_in_any_order_and_asks_for_more_where_it_is_full)
{
  heap_watch();
  memStack *stack = stack_create(1000);
  if (!CHECK(stack)) return;
  const long taken = heap_taken();
  memSource *outer = mem_use(stack_source(stack));
  for (int round = 0; round < 5; round++) {
    char *a = mem_alloc(1, 100), *b = mem_alloc(1, 200), *c = mem_alloc(1, 300);
    if (!CHECK(a && b && c && b >= a + 100 && c >= b + 200)) return;
    memset(a, 1, 100), memset(b, 2, 200), memset(c, 3, 300);
    const char *high = c;
    c = mem_resize(c, 400, 1); // in its place, for it is on top
    CHECK(c == high && c[299] == 3 && b[199] == 2);
    mem_free(b); // stays until c is gone
    mem_free(c);
    c = mem_alloc(1, 700);
    CHECK(c > a && c < a + 200 && c[0] == 0 && c[699] == 0 && a[99] == 1);
    mem_free(a);
    mem_free(c);
  }
  CHECK_EQ_INT(heap_taken(), taken);
  char *large = mem_alloc(1, 2000), *small = mem_alloc(1, 10);
  CHECK(large && small && heap_taken() == taken + 1);
  large = mem_resize(large, 3000, 1);
  mem_free(large);
  mem_free(small);
  mem_use(outer);
  stack_free(stack);
  CHECK_EQ_INT(heap_live(), 0);
  heap_unwatch();
}


TEST(ints_are_sorted_in_place)
{
  unsigned seed = 3;
  int x[1000];
  for (int n = 0; n < 1000; n = 2 * n + 1) {
    for (int i = 0; i < n; i++) x[i] = (int) (500 * base_scatter(&seed));
    base_sort_ints(n, x);
    for (int i = 1; i < n; i++) CHECK(x[i - 1] <= x[i]);
  }
}


TEST(maxima_and_minima_keep_nan)
{
  const double x[] = {1, -2, 3, 0};
  for (int at = 0; at < 5; at++) {
    double most[2] = {-1, -1}, least[2] = {9, 9};
    for (int k = 0; k < 4; k++) {
      const double now = k == at ? NAN : x[k];
      most[0] = max_nan(most[0], now), most[1] = check_larger(most[1], now);
      least[0] = min_nan(least[0], now), least[1] = check_smaller(least[1], now);
    }
    for (int i = 0; i < 2; i++) {
      CHECK(at < 4 ? isnan(most[i]) && isnan(least[i]) : most[i] == 3 && least[i] == -2);
    }
  }
}


// the outcome of a check in a process of its own, which keeps its failure to itself
static int fails(const double *got, const double *want, int n, double tol, bool relative)
{
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout)) _exit(2);
    _exit(check_near(got, want, n, tol, relative, "got", __FILE__, __LINE__) ? 0 : 1);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status) == 1;
}


// Who checks the checks: a number, a sign, a factor, NaN on either side or on both, a tolerance that is none.
TEST(comparisons_fail_where_they_should)
{
  const double one[] = {3, 1, 2}, other[] = {3, -1, 2}, more[] = {3, 1, 2.002},
               none[] = {3, NAN, 2};
  const double little[] = {3 + 1e-10, 1, 2}, infinite[] = {3, INFINITY, 2};
  for (int relative = 0; relative < 2; relative++) {
    CHECK(!fails(one, one, 3, 0, relative));
    CHECK(!fails(little, one, 3, 1e-9, relative));
    CHECK(!fails(infinite, infinite, 3, 0, relative));
    CHECK(fails(one, other, 3, 1e-6, relative));
    CHECK(fails(more, one, 3, 5e-4, relative));
    CHECK(!fails(more, one, 3, 3e-3, relative));
    CHECK(fails(none, one, 3, 1e300, relative));
    CHECK(fails(one, none, 3, 1e300, relative));
    CHECK(fails(none, none, 3, 1e300, relative));
    CHECK(fails(infinite, one, 3, 1e300, relative));
    CHECK(fails(more, one, 3, NAN, relative));
    CHECK(fails(more, one, 3, INFINITY, relative));
  }
}


static artStatus answer(artStatus status, artError *error)
{
  return status ? base_fail(error, status, base_nowhere(), "the spring broke") : ART_OK;
}


typedef enum answerCheck { WORKS, LEAVES_A_MESSAGE, FAILS, SAYS } answerCheck;


// the same for the answer of a call
static int fails_to_answer(answerCheck check, artStatus given, artStatus wanted, const char *words)
{
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout)) _exit(2);
    const bool holds = check == WORKS ? CHECK_WORKS(answer(given, &check_error))
                       : check == LEAVES_A_MESSAGE
                           ? CHECK_WORKS((answer(given, &check_error), ART_OK))
                       : check == FAILS ? CHECK_FAILS(answer(given, &check_error), wanted, words)
                                        : CHECK_SAYS(answer(given, &check_error), wanted, words);
    _exit(holds ? 0 : 1);
  }
  int status = 0;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status) == 1;
}


TEST(answers_fail_where_they_should)
{
  CHECK(!fails_to_answer(WORKS, ART_OK, ART_OK, NULL));
  CHECK(fails_to_answer(WORKS, ART_SINGULAR, ART_OK, NULL));
  CHECK(fails_to_answer(LEAVES_A_MESSAGE, ART_SINGULAR, ART_OK, NULL));
  CHECK(!fails_to_answer(FAILS, ART_SINGULAR, ART_SINGULAR, "spring"));
  CHECK(!fails_to_answer(SAYS, ART_SINGULAR, ART_SINGULAR, "the spring broke"));
  CHECK(fails_to_answer(SAYS, ART_SINGULAR, ART_SINGULAR, "spring"));
  for (answerCheck check = FAILS; check <= SAYS; check++) {
    CHECK(fails_to_answer(check, ART_SINGULAR, ART_BAD_INPUT, "the spring broke"));
    CHECK(fails_to_answer(check, ART_SINGULAR, ART_SINGULAR, "damper"));
    CHECK(fails_to_answer(check, ART_OK, ART_SINGULAR, "the spring broke"));

    // the message of another call does not count
    answer(ART_SINGULAR, &check_error);
    CHECK(fails_to_answer(check, ART_OK, ART_OK, "the spring broke"));
  }
}
