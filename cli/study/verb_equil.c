// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula equil: find a static equilibrium, printed as a section of a model file.
#include "command_report.h"
#include "model/model.h"

enum { WORDS_LENGTH = 300 };


static const char *stability_words(const artEquilibrium *result, char words[WORDS_LENGTH])
{
  if (result->no_potential) {
    snprintf(words, WORDS_LENGTH, "stability not known: force '%.150s' has no potential",
             result->no_potential);
  } else if (result->neutral) {
    snprintf(words, WORDS_LENGTH,
             "stability not known: the equilibrium is neutral, along '%.150s' the potential energy "
             "does not change to second order",
             result->neutral);
  } else {
    snprintf(words, WORDS_LENGTH, "%s",
             result->stable ? "stable: the potential energy has a minimum there"
                            : "not stable: the potential energy has no minimum there");
  }
  return words;
}


// states whose rates are formulas, which are at rest as well
static void report_states(cliReport *report, const artModel *m, const artData *d)
{
  artStatePart state;
  int count = 0;
  for (int i = 0; art_get_state(m, i, &state) && state.rate; i++, count++) {
    if (count == 0) say(report, "# states\n");
    if (count == 0) json_array(report, "states");
    report_item(report, NULL, "name: %s, value: %g, unit: %s", "#   %s: %.9g %s\n", state.name,
                d->s[i], state.unit);
  }
  if (count > 0) json_end(report);
}


// values that samplers hold there, and would hold again
static void report_samplers(cliReport *report, const artModel *m, const artData *d)
{
  int count = 0;
  for (int i = m->ninput; i < m->nheld; i++) {
    const modelHeld *held = &m->held[i];
    if (!held->is_shown) continue;
    if (count++ == 0) {
      say(report, "# samplers, which hold these values and would take them again\n");
      json_array(report, "samplers");
    }
    report_item(report, NULL, "name: %s, value: %g, unit: %s", "#   %s: %.9g %s\n", held->name,
                d->u[i], held->unit);
  }
  if (count > 0) json_end(report);
}


void verb_equil(cliWork *w)
{
  artEquilibrium result = {0};
  artTrim trim = {0};
  error_check(
      art_find_start(w->model, w->data, &w->study.equil.start, &result, &trim, error_current()));
  const bool moves = w->study.equil.start.speed != 0;
  cliReport report = report_begin(w->call);
  json_text(&report, "file", w->call->file);
  if (moves) {
    say(&report, "# steady motion of %s at %.6g m/s\n", w->call->file, w->study.equil.start.speed);
    json_fields(&report, "iterations: %d, residual: %g, speed: %g", trim.iterations, trim.residual,
                w->study.equil.start.speed);
    say(&report, "# %d iteration%s, accelerations that should not be %.3g m/s^2 or rad/s^2\n",
        trim.iterations, plural_s(trim.iterations), trim.residual);
    report_fields(&report, "sideways: %g, yaw_rate: %g, gain: %g",
                  "# speed sideways %.6g m/s, yaw rate %.6g rad/s, gain of speed %.6g m/s^2\n",
                  trim.sideways, trim.yaw_rate, trim.gain);
  }
  if (!moves) {
    char words[WORDS_LENGTH];
    stability_words(&result, words);
    say(&report, "# equilibrium of %s\n", w->call->file);
    json_fields(&report, "iterations: %d, residual: %g, moved: %g", result.iterations,
                result.residual, result.moved);
    say(&report,
        "# %d iteration%s, largest force out of balance %.3g N or N m, moved by at most %.6g m or "
        "rad\n# %s\n",
        result.iterations, plural_s(result.iterations), result.residual, result.moved, words);
    json_fields(&report, "stability: %s, reason: %s, has_potential: %i",
                result.stable < 0 ? "unknown"
                : result.stable   ? "stable"
                                  : "unstable",
                words, !result.no_potential);
  }
  report_states(&report, w->model, w->data);
  report_samplers(&report, w->model, w->data);
  cli_report_state(&report, w->model, w->data, moves);
  report_end(&report);
}
