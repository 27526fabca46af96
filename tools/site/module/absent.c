// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Parts that do not exist on a page: verbs that need a compiler or a server, code that is loaded, threads, signals, the algebra of
// libraries in C++. Whoever asks for it is told so; what follows from it alone is never called.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/tidy.h"
#include "command.h"
#include "load/code.h"
#include "method/reduce.h"
#include "par/team.h"
#include "server.h"
#include "study/sweep/sweep_lanes.h"
#include "study/sweep/sweep_run.h"
#include "verb_run.h"
#include "verb_sweep.h"


static artStatus absent(artError *error, const char *what)
{
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                   "%s: not on a page in the browser; the program on a computer has it", what);
}

//---- verbs -----------------------------------------------------------------------------------------

// a function of one argument that leaves the work
#define ABSENT(name, type, what)                                                                   \
  void name(type argument)                                                                         \
  {                                                                                                \
    (void) argument;                                                                               \
    error_check(absent(error_current(), what));                                                    \
  }
ABSENT(verb_bench, cliWork *, "articula bench")
ABSENT(verb_generate, cliWork *, "articula generate")
ABSENT(verb_play, cliWork *, "articula play")
ABSENT(verb_plot, cliWork *, "articula plot")
ABSENT(verb_report, cliWork *, "articula report")
ABSENT(verb_schedule, cliWork *, "articula schedule")
ABSENT(verb_split, cliWork *, "articula split")
ABSENT(verb_view, cliWork *, "articula view")
ABSENT(export_live, cliWork *, "--live, which needs a compiler")
ABSENT(export_unit, cliWork *, "--fmu, which needs a compiler")
ABSENT(generate_check, const cliCall *, "articula generate")
ABSENT(schedule_check, const cliCall *, "articula schedule")
ABSENT(split_check, const cliCall *, "articula split")
ABSENT(cli_draw, const cliCall *, "plots")
ABSENT(realtime_prepare, cliRun *, "--realtime")


//---- servers, clocks, units, signals ------------------------------------------------------------------

artStatus server_check(artError *error)
{
  return absent(error, "--view");
}


artStatus server_start(cliServer **server, int n, const char *const *result,
                       cliJointJog *const *jog, char *page, size_t size, int port, artError *error)
{
  (void) server, (void) n, (void) result, (void) jog, (void) page, (void) size, (void) port;
  return absent(error, "a server");
}


int cli_read_port(const cliCall *call)
{
  (void) call;
  return 0;
}


void cli_announce(const cliCall *call, const cliServer *server)
{
  (void) call, (void) server;
}


void cli_serve(const cliCall *call, cliServer *server)
{
  (void) call, (void) server;
}


artStatus realtime_advance(cliRun *job, artError *error)
{
  (void) job;
  return absent(error, "--realtime");
}


bool units_are_called(const cliCall *call)
{
  (void) call;
  return false;
}


int run_units(const cliCall *call)
{
  (void) call;
  return CLI_FAILED;
}


void interrupt_prepare(void) {}
void interrupt_watch(void) {}
void tidy_note(const char *path)
{
  (void) path;
}
void tidy_forget(const char *path)
{
  (void) path;
}


bool interrupt_seen(void)
{
  return false;
}


void room_take(int threads)
{
  (void) threads;
}


// files are the page's own
int flock(int fd, int operation)
{
  (void) fd, (void) operation;
  return 0;
}


// a path from the root, which is where the program is; there are no links
char *realpath(const char *restrict path, char *restrict resolved)
{
  struct stat about;
  char *whole = resolved ? resolved : malloc(strlen(path) + 2);
  if (!whole || stat(path, &about) != 0) {
    if (!resolved) free(whole);
    return NULL;
  }
  size_t n = 0;
  for (const char *part = path; *part; part += strspn(part, "/")) {
    const size_t length = strcspn(part, "/");
    if (length == 2 && strncmp(part, "..", 2) == 0) {
      while (n > 0 && whole[--n] != '/') continue;
    } else if (length > 0 && !(length == 1 && *part == '.')) {
      whole[n++] = '/';
      memcpy(whole + n, part, length);
      n += length;
    }
    part += length;
  }
  if (n == 0) whole[n++] = '/';
  whole[n] = '\0';
  return whole;
}


//---- ranks of MPI, of which a page is the only one -------------------------------------------------

int sweep_begin_ranks(int goes_on)
{
  return goes_on;
}


artStatus sweep_lead_ranks(cliSweep *sweep, artError *error)
{
  (void) sweep;
  return absent(error, "MPI");
}


int sweep_serve(cliSweep *sweep)
{
  (void) sweep;
  return CLI_FAILED;
}


//---- algebra, threads, code ---------------------------------------------------------------------------

const reduceRows reduce_rows_umfpack, reduce_rows_spqr;


parTeam *par_create_team(int n, double limit, artError *error)
{
  (void) n, (void) limit;
  (void) absent(error, "threads");
  return NULL;
}


int par_free_team(parTeam *team)
{
  return team == NULL;
}


artStatus par_run(parTeam *team, const char *what, parWork *work, void *context, artError *error)
{
  (void) team, (void) what, (void) work, (void) context;
  return absent(error, "threads");
}


// cases of sweeps run one by one
int lanes_suit(const artRunDef *study)
{
  (void) study;
  return 0;
}


int lanes_count(void)
{
  return 1;
}


int lanes_open(sweepMember *x)
{
  (void) x;
  return 0;
}


void lanes_free_code(sweepCode *code)
{
  (void) code;
}


void lanes_run(sweepRun *run, sweepWorker *w, int n, sweepMember *const *member)
{
  (void) run, (void) w;
  for (int k = 0; k < n; k++) member[k]->is_out = 1;
}


// nor on devices
artBatchDef art_default_batch(void)
{
  return (artBatchDef){.n = 1};
}


artStatus sweep_on_device(sweepRun *run, int threads, artError *error)
{
  (void) run, (void) threads;
  return absent(error, "--device");
}


static artStatus no_code(artError *error)
{
  return absent(error, "equations compiled for this machine (method generated)");
}


artStatus load_program(artGenerated **out, const artModel *m, const eqnProgram *program, int lanes,
                       const splitChoice *split, artError *error)
{
  (void) out, (void) m, (void) program, (void) lanes, (void) split;
  return no_code(error);
}


artStatus load_share(artGenerated **out, const artGenerated *of, artError *error)
{
  (void) out, (void) of;
  return no_code(error);
}


artStatus load_call(artGenerated *generated, int function, double *const *in, double *const *out,
                    artError *error)
{
  (void) generated, (void) function, (void) in, (void) out;
  return no_code(error);
}


void art_free_generated(artGenerated *generated)
{
  (void) generated;
}


int load_can_share(const artGenerated *generated, const artModel *m)
{
  (void) generated, (void) m;
  return 0;
}


int load_has_team(const artGenerated *generated)
{
  (void) generated;
  return 0;
}


void load_drop_team(artGenerated *generated)
{
  (void) generated;
}


// of code, which there is not
artFunctionInfo art_generated_function(const artGenerated *generated, int function)
{
  (void) generated, (void) function;
  abort();
}


artVectorInfo art_generated_output(const artGenerated *generated, int function, int k)
{
  (void) generated, (void) function, (void) k;
  abort();
}


int load_call_team(artGenerated *generated, double *const *in, double *const *out)
{
  (void) generated, (void) in, (void) out;
  abort();
}


int load_team_messages(const artGenerated *generated)
{
  (void) generated;
  abort();
}


double load_time_message(artGenerated *generated)
{
  (void) generated;
  abort();
}
