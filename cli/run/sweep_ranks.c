// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A sweep over ranks of MPI. Rank 0 keeps the journal and hands out cases, a few at a time, to whoever asks; its
// own threads run cases too, while its first thread listens. Other ranks give a sign of life now and then while they run
// cases; one that keeps silent ends the job. Lines of the journal travel as they will be
// written, so that the table does not depend on who ran which case.
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "par/mpi.h"
#include "verb_sweep.h"

enum { TAG_ASK = 1, TAG_CASES = 2, TAG_LINES = 3, TAG_ALIVE = 4, MAX_AT_ONCE = 4096 };

static const double AT_ONCE = 1e-6;  // s to wait for a message
static const long SIGN_INTERVAL = 2; // s between the signs of life of a rank that runs cases

// s: a rank that is not heard of for so long is lost, after its beginning, in which it reads the model; rank 0 may
// have to wait for its disk
static const double SILENCE = PAR_MPI_LIMIT, BEGINNING = 300, SILENCE_OF_LEAD = 120;
static const double LONGEST_TURN =
    0.1; // s that count: more of it, and this rank itself did not run

// cases that are run together, in the order of their numbers
typedef struct rankPortion {
  long n;
  long number[MAX_AT_ONCE];
} rankPortion;

// data that the threads of rank 0 share
typedef struct rankLead {
  cliSweep *sweep;
  pthread_mutex_t lock;
  long next;
  artError error;
} rankLead;


//---- a portion of cases --------------------------------------------------------------------------

typedef struct portionRun {
  cliSweep *sweep;
  const rankPortion *portion;
  rankLead *lead; // of rank 0, or NULL
  char *lines;    // of the others: what goes back
  size_t length;
  FILE *out;
} portionRun;


static artStatus keep_here(rankLead *lead, const char *line, artError *error)
{
  pthread_mutex_lock(&lead->lock);
  const artStatus status = sweep_keep(lead->sweep, line, error);
  pthread_mutex_unlock(&lead->lock);
  return status;
}


static artStatus portion_done(void *context, const artCase *c, artError *error)
{
  portionRun *run = context;
  artCase own = *c;
  own.number = run->portion->number[c->number];
  char *line = sweep_line(run->sweep, &own, error);
  if (!line) return ART_NO_MEMORY;
  artStatus status = ART_OK;
  if (run->lead) {
    status = keep_here(run->lead, line, error);
  } else if (fprintf(run->out, "%s\n", line) < 0) {
    status = base_no_memory(error);
  }
  free(line);
  return status;
}


static artStatus portion_choose(void *context, const artModel *m, artRunDef *study, artError *error)
{
  const portionRun *run = context;
  return cli_choose_run(run->sweep->call, m, study, error);
}


static artStatus run_case_portion(portionRun *run, artError *error)
{
  const sweepCases *cases = &run->sweep->cases;
  const rankPortion *portion = run->portion;
  const size_t width = (size_t) cases->nparameter;
  double *value = MEM_ARRAY(double, (size_t) portion->n *width + 1);
  if (!value) return base_no_memory(error);
  for (long k = 0; k < portion->n; k++) {
    memcpy(value + (size_t) k * width, cases->value + (size_t) portion->number[k] * width,
           width * sizeof *value);
  }
  artSweepDef def = sweep_definition(run->sweep);
  def.ncase = portion->n;
  def.value = value;
  def.is_done = NULL;
  def.choose = portion_choose;
  def.done = portion_done;
  def.context = run;
  const artStatus status = art_run_sweep(&def, error);
  mem_free(value);
  return status;
}


//---- rank 0 --------------------------------------------------------------------------------------

// the next cases that nobody has, four for each thread so that none waits long for others; none after an end
static void take_portion(rankLead *lead, int threads, rankPortion *portion)
{
  const cliSweep *s = lead->sweep;
  const long most = 4L * threads < MAX_AT_ONCE ? 4L * threads : MAX_AT_ONCE;
  portion->n = 0;
  pthread_mutex_lock(&lead->lock);
  while (portion->n < most && lead->next < s->cases.n && !lead->error.status && !interrupt_seen()) {
    const long k = lead->next++;
    if (!s->is_done[k]) portion->number[portion->n++] = k;
  }
  pthread_mutex_unlock(&lead->lock);
}


static void note_error(rankLead *lead, const artError *error)
{
  pthread_mutex_lock(&lead->lock);
  if (!lead->error.status) lead->error = *error;
  pthread_mutex_unlock(&lead->lock);
}


static void *run_here(void *context)
{
  rankLead *lead = context;
  rankPortion *portion = MEM_ARRAY(rankPortion, 1);
  artError error = {0};
  if (!portion) {
    base_no_memory(&error);
    note_error(lead, &error);
    return NULL;
  }
  portionRun run = {.sweep = lead->sweep, .portion = portion, .lead = lead};
  for (;;) {
    take_portion(lead, lead->sweep->threads, portion);
    if (portion->n == 0) break;
    if (run_case_portion(&run, &error) != ART_OK) note_error(lead, &error);
  }
  mem_free(portion);
  return NULL;
}


// lines that cannot be kept end the sweep, but not before all ranks have been told
static artStatus receive_lines(rankLead *lead, const parMessage *message, artError *error)
{
  artError loss = {0};
  char *lines = mem_alloc(message->size + 1, 1);
  if (!lines) return base_no_memory(error);
  const artStatus status =
      par_mpi_receive(lines, message->size, message->from, TAG_LINES, SILENCE, error);
  char *rest = NULL;
  for (char *line = status ? NULL : strtok_r(lines, "\n", &rest); line && !loss.status;
       line = strtok_r(NULL, "\n", &rest)) {
    if (keep_here(lead, line, &loss) != ART_OK) note_error(lead, &loss);
  }
  mem_free(lines);
  return status;
}


// the ranks that are at work, and for how long nothing was heard of each
typedef struct rankWatch {
  int working;
  double last, *silent; // s; of those that have been told that there is nothing left -inf
} rankWatch;


// the next cases to a rank that asks for them
static artStatus hand_out_cases(rankLead *lead, rankWatch *watch, rankPortion *portion, int rank,
                                artError *error)
{
  int threads = 1;
  const artStatus status = par_mpi_receive(&threads, sizeof threads, rank, TAG_ASK, SILENCE, error);
  if (status) return status;
  take_portion(lead, threads, portion);
  if (portion->n == 0) {
    watch->working--;
    watch->silent[rank] = -INFINITY;
  }
  const size_t size = offsetof(rankPortion, number) + (size_t) portion->n * sizeof(long);
  return par_mpi_send(portion, size, rank, TAG_CASES, SILENCE, error);
}


// one message, if there is any
static artStatus answer_rank_message(rankLead *lead, rankWatch *watch, rankPortion *portion,
                                     artError *error)
{
  parMessage message;
  const artStatus status = par_mpi_next(&message, AT_ONCE, error);
  if (status == ART_STALLED) {
    // the listening thread leaves the CPU to those that run cases
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return ART_OK;
  }
  if (status) return status;
  watch->silent[message.from] = 0;
  if (message.tag == TAG_LINES) return receive_lines(lead, &message, error);
  if (message.tag == TAG_ALIVE)
    return par_mpi_receive(NULL, 0, message.from, TAG_ALIVE, SILENCE, error);
  return hand_out_cases(lead, watch, portion, message.from, error);
}


static artStatus count_silence(rankWatch *watch, artError *error)
{
  const double now = base_now(), turn = fmin(now - watch->last, LONGEST_TURN);
  watch->last = now;
  for (int rank = 1; rank < par_mpi_size(); rank++) {
    watch->silent[rank] += turn;
    if (watch->silent[rank] < SILENCE) continue;
    return base_fail(error, ART_STALLED, base_nowhere(),
                     "rank %d of %d was not heard of for %g s: it has died or hangs; cases that "
                     "are done are in the journal, and the same call with --resume runs the rest",
                     rank, par_mpi_size(), SILENCE);
  }
  return ART_OK;
}


artStatus sweep_lead_ranks(cliSweep *s, artError *error)
{
  rankLead lead = {.sweep = s};
  pthread_t own;
  pthread_mutex_init(&lead.lock, NULL);
  const int has_own = pthread_create(&own, NULL, run_here, &lead) == 0;
  const int ranks = par_mpi_size();
  rankPortion *portion = MEM_ARRAY(rankPortion, 1);
  rankWatch watch = {ranks - 1, base_now(), MEM_ARRAY(double, ranks)};
  artStatus status = portion && watch.silent ? ART_OK : base_no_memory(error);
  for (int rank = 0; rank < ranks && !status; rank++) watch.silent[rank] = SILENCE - BEGINNING;
  while (watch.working > 0 && !status) {
    status = answer_rank_message(&lead, &watch, portion, error);
    if (!status) status = count_silence(&watch, error);
  }
  mem_free(watch.silent);
  mem_free(portion);
  s->is_lost = status;
  if (status) note_error(&lead, error);
  if (has_own) pthread_join(own, NULL);
  pthread_mutex_destroy(&lead.lock);
  if (!status && lead.error.status) {
    *error = lead.error;
    status = lead.error.status;
  }
  return status;
}


int sweep_begin_ranks(int goes_on)
{
  if (par_mpi_size() == 1) return goes_on;
  return par_mpi_broadcast(&goes_on, sizeof goes_on, 0, 0, NULL) == ART_OK && goes_on;
}


//---- the others ----------------------------------------------------------------------------------

// cases that run in a thread of their own
typedef struct portionThread {
  portionRun *run;
  artError *error;
  artStatus status;
  int is_ended;
  pthread_mutex_t lock;
  pthread_cond_t ended;
} portionThread;


static void *run_portion_beside(void *context)
{
  portionThread *t = context;
  const artStatus status = run_case_portion(t->run, t->error);
  pthread_mutex_lock(&t->lock);
  t->status = status;
  t->is_ended = 1;
  pthread_cond_signal(&t->ended);
  pthread_mutex_unlock(&t->lock);
  return NULL;
}


// whether the cases ended before the next sign of life is due
static int wait_for_end(portionThread *t)
{
  struct timespec due;
  clock_gettime(CLOCK_REALTIME, &due);
  due.tv_sec += SIGN_INTERVAL;
  pthread_mutex_lock(&t->lock);
  while (!t->is_ended && pthread_cond_timedwait(&t->ended, &t->lock, &due) == 0) continue;
  const int is_ended = t->is_ended;
  pthread_mutex_unlock(&t->lock);
  return is_ended;
}


// run what was handed out, and send its lines
static artStatus serve_portion(cliSweep *s, const rankPortion *portion, artError *error)
{
  portionRun run = {.sweep = s, .portion = portion};
  run.out = open_memstream(&run.lines, &run.length);
  if (!run.out) return base_no_memory(error);
  // run what was handed out while this thread tells rank 0 that the rank is alive
  pthread_t thread;
  artError loss = {0};
  portionThread t = {.run = &run, .error = error};
  pthread_mutex_init(&t.lock, NULL);
  pthread_cond_init(&t.ended, NULL);
  const int is_beside = pthread_create(&thread, NULL, run_portion_beside, &t) == 0;
  if (!is_beside) run_portion_beside(&t);
  while (!wait_for_end(&t)) {
    if (par_mpi_send(NULL, 0, 0, TAG_ALIVE, SILENCE_OF_LEAD, &loss) != ART_OK)
      cli_lose_rank(loss.text);
  }
  if (is_beside) pthread_join(thread, NULL);
  pthread_cond_destroy(&t.ended);
  pthread_mutex_destroy(&t.lock);
  artStatus status = t.status;
  if (!file_close_text(run.out, &run.lines) && !status) status = base_no_memory(error);
  if (!status && run.length > 0) {
    status = par_mpi_send(run.lines, run.length, 0, TAG_LINES, SILENCE_OF_LEAD, error);
  }
  free(run.lines);
  return status;
}


int sweep_serve(cliSweep *s)
{
  artError error = {0};
  if (!sweep_begin_ranks(0)) return CLI_DONE;
  rankPortion *portion = MEM_ARRAY(rankPortion, 1);
  interrupt_watch();
  artStatus status = portion ? ART_OK : base_no_memory(&error);
  bool has_more = true;
  while (!status && has_more) {
    status = par_mpi_send(&s->threads, sizeof s->threads, 0, TAG_ASK, SILENCE_OF_LEAD, &error);
    if (!status) {
      status = par_mpi_receive(portion, sizeof *portion, 0, TAG_CASES, SILENCE_OF_LEAD, &error);
    }
    has_more = !status && portion->n > 0;
    if (has_more) status = serve_portion(s, portion, &error);
  }
  mem_free(portion);
  return !status ? CLI_DONE : cli_lose_rank(error.text);
}
