// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Assembly in words: loops that stay open, values that contradict each other, rows that follow from
// others.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/format.h"
#include "study/assemble/assemble.h"
#include "study/assemble/loop_names.h"

//---- lists ---------------------------------------------------------------------------------------

enum { LIST_LENGTH = 400, MAX_NAMED = 4 };

// "a, b and 3 more"
typedef struct wordList {
  char text[LIST_LENGTH];
  int count;
} wordList;


static void add_listed_word(wordList *list, const char *word)
{
  if (list->count++ >= MAX_NAMED) return;
  base_append(list->text, LIST_LENGTH, "%s%.90s", list->count > 1 ? ", " : "", word);
}


static void add_quoted(wordList *list, const char *name)
{
  char word[120];
  snprintf(word, sizeof word, "'%.100s'", name);
  add_listed_word(list, word);
}


static void end_list(wordList *list)
{
  if (list->count <= MAX_NAMED) return;
  base_append(list->text, LIST_LENGTH, " and %d more", list->count - MAX_NAMED);
}


//---- open loops ----------------------------------------------------------------------------------

static int worst_assembly_row(const assembleWork *w, const double *x)
{
  int worst = 0;
  for (int k = 1; k < w->m->nrow; k++) {
    const double scale = w->least.row[k];
    if (fabs(scale * x[k]) > fabs(w->least.row[worst] * x[worst])) worst = k;
  }
  return worst;
}


// "0.12 m and 0.3 rad", with another unit of time where x are rates
static void describe_opening(const assembleWork *w, const loopClosure *c, const double *x,
                             const char *per, char text[LIST_LENGTH])
{
  double slide = 0, turn = 0;
  for (int k = c->row0; k < c->row0 + c->nrow; k++) {
    const v3 u = w->rows->row[k].u;
    if (v3_dot(u, u) > 0) {
      slide += x[k] * x[k];
    } else {
      turn += x[k] * x[k];
    }
  }
  text[0] = '\0';
  if (c->kind[0] == 'r') {
    base_append(text, LIST_LENGTH, "%.3g%s%s", fabs(x[c->row0]), per[0] ? " 1" : "", per);
    return;
  }
  const double length = w->length * w->length;
  const int slides = !(slide <= 1e-12 * turn * length);
  const int turns = !slides || turn * length > 1e-12 * slide;
  if (slides) base_append(text, LIST_LENGTH, "%.3g m%s", sqrt(slide), per);
  if (turns) base_append(text, LIST_LENGTH, "%s%.3g rad%s", slides ? " and " : "", sqrt(turn), per);
}


//---- held coordinates ----------------------------------------------------------------------------


static int is_link_driven(const artModel *m, int k)
{
  ART_ASSERT(k >= 0 && k < m->tree.nv);
  return m->tree.link[m->tree.dof_link[k]].is_driven;
}


// does velocity coordinate k move any of the rows?
static int does_velocity_move_rows(const assembleWork *w, const loopClosure *c, int k)
{
  for (int row = c->row0; row < c->row0 + c->nrow; row++) {
    if (matrix_at(&w->rows->J, row, k) != 0) return 1;
  }
  return 0;
}


//---- messages ------------------------------------------------------------------------------------


artStatus assemble_stays_open(const assembleWork *w, artError *error)
{
  const loopClosure c = study_closure(w->m, worst_assembly_row(w, w->phi));
  char open[LIST_LENGTH];
  wordList held = {.count = 0};
  describe_opening(w, &c, w->phi, "", open);
  for (int k = 0; k < w->m->tree.nv; k++) {
    if ((w->held[k] || is_link_driven(w->m, k)) && does_velocity_move_rows(w, &c, k)) {
      // "pin.angle = 1.2 rad as given"
      const artModel *m = w->m;
      const int q = m->velocity[k].partner;
      char word[200];
      if (q >= 0) {
        format_text(word, sizeof word, "%.100s = %.6g %s as %s", m->position[q].name, w->d->q[q],
                    art_position_unit(m, q), is_link_driven(m, k) ? "driven" : "given");
        add_listed_word(&held, word);
        continue;
      }
      // a rotation vector has three components, and one orientation
      if (k > 0 && m->velocity[k - 1].joint == m->velocity[k].joint && w->held[k - 1] &&
          m->velocity[k - 1].partner < 0) {
        continue;
      }
      snprintf(word, sizeof word, "the orientation of '%.100s' as given",
               m->joint[m->velocity[k].joint].name);
      add_listed_word(&held, word);
    }
  }
  end_list(&held);
  if (held.count == 0) {
    return base_fail(error, ART_NO_CONVERGENCE, c.place,
                     "loop closed by %s '%s' cannot be closed: it stays open by %s; check the "
                     "dimensions, or start nearer with guesses",
                     c.kind, c.name, open);
  }
  return base_fail(error, ART_NO_CONVERGENCE, c.place,
                   "loop closed by %s '%s' cannot be closed: it stays open by %s with %s; change "
                   "what is given or the dimensions, or give guesses in place of initial values",
                   c.kind, c.name, open, held.text);
}


artStatus assemble_bad_velocities(const assembleWork *w, const double *rate, artError *error)
{
  const artModel *m = w->m;
  const loopClosure c = study_closure(m, worst_assembly_row(w, rate));
  char open[LIST_LENGTH];
  wordList held = {.count = 0};
  describe_opening(w, &c, rate, "/s", open);
  // J^T of the residual J v, by coordinates, and the sizes of its terms
  const loopMatrix *J = w->least.J;
  memset(w->back, 0, (size_t) J->n * sizeof *w->back);
  memset(w->step, 0, (size_t) J->n * sizeof *w->step);
  for (int row = 0; row < J->m; row++) {
    for (int e = J->start[row]; e < J->start[row + 1]; e++) {
      const double term = w->least.row[row] * J->value[e] * w->least.row[row] * rate[row];
      w->back[J->column[e]] += term;
      w->step[J->column[e]] += fabs(term);
    }
  }
  for (int k = 0; k < m->tree.nv; k++) {
    // the residual J v is square to all that may change: only held velocities have a share in it
    if ((w->held[k] || is_link_driven(m, k)) && fabs(w->back[k]) > 1e-6 * w->step[k]) {
      ART_ASSERT(k >= 0 && k < w->m->tree.nv);
      char word[200];
      format_text(word, sizeof word, "%.100s = %.6g %s as %s", m->velocity[k].name, w->d->v[k],
                  art_velocity_unit(m, k), is_link_driven(m, k) ? "driven" : "given");
      add_listed_word(&held, word);
    }
  }
  end_list(&held);
  if (held.count == 0) {
    return base_fail(
        error, ART_BAD_INPUT, c.place,
        "no velocities near the initial ones keep the loop closed by %s '%s' closed: it "
        "opens by %s; check that its lengths and axes agree, and give them with more "
        "digits",
        c.kind, c.name, open);
  }
  return base_fail(error, ART_BAD_INPUT, c.place,
                   "the initial velocities contradict the loops: with %s the loop closed by %s "
                   "'%s' opens by %s; %s",
                   held.text, c.kind, c.name, open,
                   m->project ? "no velocities near them keep it closed: check the drives"
                              : "remove one of them, or have the nearest velocities taken with "
                                "assembly: {velocities: project}");
}


artStatus assemble_locked(const assembleWork *w, artError *error)
{
  int row = 0;
  while (row + 1 < w->m->nrow && w->kept[row] > 0) row++;
  const loopClosure c = study_closure(w->m, row);
  return base_fail(
      error, ART_BAD_INPUT, c.place,
      "the machine is locked by small differences of its lengths or axes: along a motion that its "
      "other rows leave it, loops open by at most %.1e of its length or rad; %s '%s' would "
      "follow from the others if they agreed; give lengths, places and axes of its loop with more "
      "digits or equal ones, or one joint of it more freedom",
      w->slack, c.kind, c.name);
}


artStatus assemble_overdriven(const assembleWork *w, int other, artError *error)
{
  ART_ASSERT(other >= 0 && other < w->d->work->loop->rank.other_count);
  const artModel *m = w->m;
  const loopRank *rank = &w->d->work->loop->rank;
  const int row = rank->other[other];
  const loopClosure c = study_closure(m, row);
  wordList drives = {.count = 0};
  for (int i = 0; i < m->ndrive; i++) {
    // the rest of the row in the column of the drive
    const int k = m->drive[i].velocity;
    double left = matrix_at(&w->rows->J, row, k), size = fabs(left);
    for (int e = rank->start[other]; e < rank->start[other + 1]; e++) {
      const double term = rank->coefficient[e] * matrix_at(&w->rows->J, rank->source[e], k);
      left -= term;
      size += fabs(term);
    }
    if (fabs(left) > 1e-9 * size) add_quoted(&drives, m->drive[i].name);
  }
  end_list(&drives);
  return base_fail(error, ART_BAD_INPUT, c.place,
                   "the drives %s prescribe more than the loop closed by %s '%s' leaves free; "
                   "remove one of them",
                   drives.text, c.kind, c.name);
}


//---- redundant rows ------------------------------------------------------------------------------


// the joints of the tree around the loop that a row closes, each once: a row that no coordinate can
// open follows from them
static void list_loop(const artModel *m, int row, wordList *list)
{
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    if (row < cut->row0 || row >= cut->row0 + cut->nrow) continue;
    int before = -1;
    for (int i = 0; i < cut->side[0].n + cut->side[1].n; i++) {
      const int first = cut->side[0].n;
      const int k = i < first ? cut->side[0].dof[i] : cut->side[1].dof[i - first];
      const int joint = m->velocity[k].joint;
      if (joint != before) add_quoted(list, m->joint[joint].name);
      before = joint;
    }
  }
}


const char *art_redundant_row(const artModel *m, const artData *d, int k, char text[ART_ROW_LENGTH])
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(text, NULL);
  text[0] = '\0';
  WORK_REQUIRE_OR(m, d, text);
  const struct loopWork *loop = d->work->loop;
  if (!loop || !loop->is_ready || k < 0 || k >= loop->rank.other_count) return text;
  const loopRank *rank = &loop->rank;
  char name[MODEL_ROW_LENGTH];
  base_append(text, ART_ROW_LENGTH, "%s", model_row_name(m, rank->other[k], name));

  // joints and relations, each once
  wordList sources = {.count = 0};
  const int own = study_closure(m, rank->other[k]).row0;
  int is_unique = rank->start[k] < rank->start[k + 1]; // the wrench of rows of one joint
  for (int e = rank->start[k]; e < rank->start[k + 1]; e++) {
    const loopClosure c = study_closure(m, rank->source[e]);
    int is_new = 1;
    is_unique &= c.row0 == own;
    for (int f = rank->start[k]; f < e; f++) {
      is_new &= study_closure(m, rank->source[f]).row0 != c.row0;
    }
    if (is_new) add_quoted(&sources, c.name);
  }
  if (sources.count == 0) list_loop(m, rank->other[k], &sources);
  end_list(&sources);
  base_append(text, ART_ROW_LENGTH, " follows from %s", sources.text);
  base_append(text, ART_ROW_LENGTH,
              is_unique ? "; the reaction of the joint is unique all the same"
                        : "; its reaction is not unique");
  return text;
}
