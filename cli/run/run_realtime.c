// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A run at the pace of the wall clock: frame k is computed from its beginning at  start + (k - 1) dt  on and
// must be there at  start + k dt.  What is late does not shift what follows.
#include "verb_run.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/throw.h"
#include "study/run/run.h"

static const double MAX_BYTES = 4e9;
static const double SPIN = 2e-4; // s before a frame begins that the clock is watched without sleep


void realtime_prepare(cliRun *job)
{
  // every frame has its time on the clock
  job->study.run.interval = output_fixed_interval(&job->study.run);
  job->rows = art_output_count(&job->study.run);
  const size_t width = (size_t) art_count(job->model).outputs + 1;
  if ((double) job->rows * (double) width * sizeof(double) > MAX_BYTES)
    cli_leave("a run in real time keeps its rows in memory, and %ld rows of %zu numbers are too "
              "many; choose a longer --interval or fewer outputs",
              job->rows, width);
  job->kept = MEM_ARRAY(double, (size_t) job->rows *width);
  if (!job->kept) error_throw();

  // pages that are touched and locked do not fault later; where locking is not allowed, touching is left
  memset(job->kept, 1, (size_t) job->rows * width * sizeof *job->kept);
  (void) mlockall(MCL_CURRENT);
}


static artStatus pace_frames(cliRun *job, artError *error)
{
  runPace *r = &job->pace;
  const double start = base_now();
  double begins = start;
  while (job->row < job->rows && !interrupt_seen()) {
    const double t = art_output_time(&job->study.run, job->row),
                 due = start + t - job->study.run.from;
    const double sleep = begins - SPIN;
    if (base_now() < sleep) {
      const struct timespec until = {(time_t) sleep, (long) (1e9 * (sleep - floor(sleep)))};
      (void) clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
    while (base_now() < begins && !interrupt_seen()) continue;
    const double begun = base_now();
    r->worst_wake = fmax(r->worst_wake, begun - begins);
    const artStatus status = art_run_to(job->run, t, error);
    if (status) return status;
    const int n = art_count(job->model).outputs;
    double *row = job->kept + job->row++ * (n + 1);
    row[0] = t;
    art_outputs(job->model, job->data, row + 1);
    run_note_outputs(job->run, row + 1);
    // the first row is the beginning itself
    if (job->row > 1) {
      const double done = base_now();
      const double took = done - begun, late = done - due;
      r->frames++;
      r->missed += late > 0;
      r->worst_frame = fmax(r->worst_frame, took);
      r->sum_frame += took;
      r->worst_late = fmax(r->worst_late, late);
    }
    begins = due;
  }
  return ART_OK;
}


artStatus realtime_advance(cliRun *job, artError *error)
{
  const artStatus status = pace_frames(job, error);
  const int n = art_count(job->model).outputs;
  artStatus written = ART_OK;
  for (long k = 0; k < job->row && !written; k++) {
    csv_numbers(&job->csv, n + 1, job->kept + k * (n + 1));
    written = csv_end_line(&job->csv, status ? NULL : error);
  }
  return status ? status : written;
}
