// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The budget of a call.
#include "base/budget.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/unit.h"

enum { ITEMS_BETWEEN_LOOKS = 4096 }; // items between two checks of the clock

static const struct {
  const char *name, *what;
  double usual;
} limits[BUDGET_LIMITS] = {
    {"bytes", "bytes of files", 1 << 30},
    {"items", "elements, attributes and values", 5e6},
    {"seconds", "seconds of CPU time for reading", 300},
    {"memory", "bytes of memory", 2e9},
};

// budget of the outermost call on the thread
typedef struct callBudget {
  int calls; // nesting depth
  double limit[BUDGET_LIMITS], spent[BUDGET_LIMITS];
  double begin; // CPU time
  double look;  // check the clock when this many items are spent
  int is_wrong; // ARTICULA_LIMITS is malformed
} callBudget;

static _Thread_local callBudget budget;


static double cpu_time(void)
{
#ifdef CLOCK_THREAD_CPUTIME_ID
  struct timespec now;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0)
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
#endif
  return base_now(); // WebAssembly
}


//---- limits --------------------------------------------------------------------------------------

// parse "items=1e7" at the start of a text; returns its length in bytes, 0: malformed
static size_t read_one_limit(const char *text, double limit[BUDGET_LIMITS])
{
  for (int i = 0; i < BUDGET_LIMITS; i++) {
    const size_t n = strlen(limits[i].name);
    if (strncmp(text, limits[i].name, n) != 0 || text[n] != '=') continue;
    const int length = unit_scan_number(text + n + 1, &limit[i]);
    return length > 0 && limit[i] > 0 ? n + 1 + (size_t) length : 0;
  }
  return 0;
}


// defaults, overridden by the user's variable; returns 0 if that is malformed
static int read_all_limits(double limit[BUDGET_LIMITS])
{
  const char *text = getenv("ARTICULA_LIMITS");
  for (int i = 0; i < BUDGET_LIMITS; i++) limit[i] = limits[i].usual;
  while (text && *(text += strspn(text, ", "))) {
    const size_t n = read_one_limit(text, limit);
    if (n == 0 || !strchr(", ", text[n])) return 0;
    text += n;
  }
  return 1;
}


double budget_limit(budgetLimit limit)
{
  double all[BUDGET_LIMITS];
  (void) read_all_limits(all);
  return all[limit];
}


//---- calls ---------------------------------------------------------------------------------------

void budget_begin(void)
{
  if (budget.calls++ > 0) return;
  budget = (callBudget){.calls = 1, .begin = cpu_time(), .look = ITEMS_BETWEEN_LOOKS};
  budget.is_wrong = !read_all_limits(budget.limit);
}


void budget_end(void)
{
  ART_ASSERT(budget.calls > 0);
  budget.calls--;
}


static artStatus refuse_charge(budgetLimit limit, double amount, artPlace place, artError *error)
{
  const double more = 2 * (budget.spent[limit] + amount);
  return base_fail(error, ART_BAD_INPUT, place,
                   "one call may read %.12g %s in all, and here it would be %.12g or more; if you "
                   "trust the files, allow more by the variable ARTICULA_LIMITS='%s=%.2g'",
                   budget.limit[limit], limits[limit].what, budget.spent[limit] + amount,
                   limits[limit].name, more);
}


static artStatus check_call_time(artPlace place, artError *error)
{
  const double taken = cpu_time() - budget.begin;
  budget.look = budget.spent[BUDGET_ITEMS] + ITEMS_BETWEEN_LOOKS;
  budget.spent[BUDGET_SECONDS] = 0;
  return taken > budget.limit[BUDGET_SECONDS] ? refuse_charge(BUDGET_SECONDS, taken, place, error)
                                              : ART_OK;
}


static artStatus charge_call(budgetLimit limit, double amount, artPlace place, artError *error)
{
  if (budget.is_wrong)
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the variable ARTICULA_LIMITS is '%.80s', expected for example 'bytes=4e9, "
                     "items=1e7, seconds=600, memory=8e9'",
                     getenv("ARTICULA_LIMITS"));
  if (budget.spent[limit] + amount > budget.limit[limit])
    return refuse_charge(limit, amount, place, error);
  budget.spent[limit] += amount;
  const int is_time = limit == BUDGET_BYTES || budget.spent[BUDGET_ITEMS] >= budget.look;
  return is_time ? check_call_time(place, error) : ART_OK;
}


artStatus budget_charge(budgetLimit limit, double amount, artPlace place, artError *error)
{
  budget_begin();
  const artStatus status = charge_call(limit, amount, place, error);
  budget_end();
  return status;
}
