// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A sweep over ranks of MPI. Rank 0 keeps the journal and hands out cases, a few at a time, to whoever asks; its
// own threads run cases too, while its first thread listens. Lines of the journal travel as they will be
// written, so that the table does not depend on who ran which case.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "interrupt.h"
#include "par/mpi.h"
#include "sweep.h"

enum { TAG_ASK = 1, TAG_CASES = 2, TAG_LINES = 3, MOST_AT_ONCE = 4096 };

static const double AT_ONCE = 1e-6; // s to wait for a message

// cases that are run together, in the order of their numbers
typedef struct rankPortion {
  long n;
  long number[MOST_AT_ONCE];
} rankPortion;

// what the threads of rank 0 share
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


static artStatus portion_choose(void *context, const artModel *m, artStudyDef *study,
                                artError *error)
{
  const portionRun *run = context;
  return cli_choose_study(run->sweep->call, m, ART_RUN, study, error);
}


static artStatus run_portion(portionRun *run, artError *error)
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
  const long most = 4L * threads < MOST_AT_ONCE ? 4L * threads : MOST_AT_ONCE;
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
    if (run_portion(&run, &error) != ART_OK) note_error(lead, &error);
  }
  mem_free(portion);
  return NULL;
}


static artStatus keep_lines(rankLead *lead, char *lines, artError *error)
{
  artStatus status = ART_OK;
  char *rest = NULL;
  for (char *line = strtok_r(lines, "\n", &rest); line && !status;
       line = strtok_r(NULL, "\n", &rest)) {
    status = keep_here(lead, line, error);
  }
  return status;
}


static artStatus receive_lines(rankLead *lead, const parMessage *message, artError *error)
{
  char *lines = mem_alloc(message->size + 1, 1);
  if (!lines) return base_no_memory(error);
  artStatus status = par_mpi_receive(lines, message->size, message->from, TAG_LINES, 0, error);
  if (!status) status = keep_lines(lead, lines, error);
  mem_free(lines);
  return status;
}


// the listening thread leaves the processor to those that run cases
static artStatus rest(void)
{
  nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  return ART_OK;
}


// one message, if there is any; *working is less by one when a rank was told that there is nothing left
static artStatus answer(rankLead *lead, rankPortion *portion, int *working, artError *error)
{
  parMessage message;
  artStatus status = par_mpi_next(&message, AT_ONCE, error);
  if (status == ART_STALLED) return rest();
  if (status) return status;
  if (message.tag == TAG_LINES) return receive_lines(lead, &message, error);
  int threads = 1;
  status = par_mpi_receive(&threads, sizeof threads, message.from, TAG_ASK, 0, error);
  if (status) return status;
  take_portion(lead, threads, portion);
  if (portion->n == 0) (*working)--;
  return par_mpi_send(portion, sizeof *portion, message.from, TAG_CASES, 0, error);
}


static artStatus listen(rankLead *lead, artError *error)
{
  rankPortion *portion = MEM_ARRAY(rankPortion, 1);
  artStatus status = portion ? ART_OK : base_no_memory(error);
  for (int working = par_mpi_size() - 1; working > 0 && !status;) {
    status = answer(lead, portion, &working, error);
  }
  mem_free(portion);
  return status;
}


artStatus sweep_lead_ranks(cliSweep *s, artError *error)
{
  rankLead lead = {.sweep = s};
  pthread_t own;
  pthread_mutex_init(&lead.lock, NULL);
  const int has_own = pthread_create(&own, NULL, run_here, &lead) == 0;
  artStatus status = listen(&lead, error);
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

// run what was handed out, and send its lines
static artStatus serve_portion(cliSweep *s, const rankPortion *portion, artError *error)
{
  portionRun run = {.sweep = s, .portion = portion};
  run.out = open_memstream(&run.lines, &run.length);
  if (!run.out) return base_no_memory(error);
  artStatus status = run_portion(&run, error);
  if (fclose(run.out) != 0 && !status) status = base_no_memory(error);
  if (!status && run.length > 0) {
    status = par_mpi_send(run.lines, run.length, 0, TAG_LINES, 0, error);
  }
  free(run.lines);
  return status;
}


static artStatus serve_all(cliSweep *s, rankPortion *portion, artError *error)
{
  artStatus status = ART_OK;
  do {
    status = par_mpi_send(&s->threads, sizeof s->threads, 0, TAG_ASK, 0, error);
    if (!status) status = par_mpi_receive(portion, sizeof *portion, 0, TAG_CASES, 0, error);
    if (!status && portion->n > 0) status = serve_portion(s, portion, error);
  } while (!status && portion->n > 0);
  return status;
}


int sweep_serve(cliSweep *s)
{
  artError error = {0};
  if (!sweep_begin_ranks(0)) return CLI_DONE;
  rankPortion *portion = MEM_ARRAY(rankPortion, 1);
  interrupt_watch();
  const artStatus status = portion ? serve_all(s, portion, &error) : base_no_memory(&error);
  mem_free(portion);
  if (status == ART_OK) return CLI_DONE;
  fprintf(stderr, "rank %d: %s\n", par_mpi_rank(), error.text);
  par_mpi_end(1);
  return CLI_FAILED;
}
