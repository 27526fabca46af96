// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closed loops in words: cuts and their reasons, rows, independent coordinates, redundant rows.
#include "loops.h"

#include <string.h>

#include "base/throw.h"
#include "loop/loop.h"
#include "model/model.h"
#include "natural/natural.h"

enum { LINE_WIDTH = 98, INDENT = 15, MOVES_SHOWN = 4 };


void loops_examine(cliLoops *loops, const artModel *m, artData *d)
{
  *loops = (cliLoops){.lost = -1};
  loops->status = art_assemble(m, d, &loops->assembly, &loops->error);
  if (loops->status == ART_OK) loops->lost = study_find_fork(m, d);
  if (loops->lost >= 0 && study_choose_branch(m, d, &loops->fork) == ART_OK) {
    // on the branch that the rates choose all rows count
    const struct loopWork *loop = d->work->loop;
    loops->assembly.rank = loop->rank.rank;
    loops->assembly.redundant = loop->rank.other_count;
    loops->assembly.dof = loop->partition.nf;
  }

  // loops whose lengths miss a singular position as rounded numbers do, by walks of other data
  const bool may_miss = loops->status == ART_OK && loops->lost < 0 && m->nrow > 0;
  artData *walker = may_miss ? art_create_data(m) : NULL;
  if (walker && art_assemble(m, walker, NULL, NULL) == ART_OK &&
      bridge_look(m, walker, NULL) == ART_OK) {
    const loopBlocks *blocks = walker->work->loop->blocks;
    for (int k = 0; k < blocks->block_count && loops->rounded < LOOPS_ROUNDED; k++) {
      cliRounded *r = &loops->round[loops->rounded];
      if (!bridge_is_rounded(m, walker, k, &r->gap)) continue;
      study_block_joints(m, walker, k, r->joints);
      loops->rounded++;
    }
  }
  art_free_data(walker);
  if (loops->fork.status == ART_NO_MEMORY || loops->status == ART_NO_MEMORY) error_throw();
}


int loops_freedom(const cliLoops *loops)
{
  return loops->status == ART_OK ? loops->assembly.dof : -1;
}


//---- lists of names ------------------------------------------------------------------------------

// names with commas between them, in lines that are not too long; or a list of texts
typedef struct nameList {
  cliReport *report;
  int column, count;
} nameList;


static void report_name(nameList *list, const char *name)
{
  const int length = (int) strlen(name) + 2;
  json_text(list->report, NULL, name);
  if (list->count++ > 0) {
    const bool is_full = list->column + length > LINE_WIDTH;
    if (is_full) say(list->report, ",\n%*s", INDENT, "");
    if (is_full) list->column = INDENT;
    if (!is_full) say(list->report, ", ");
  }
  say(list->report, "%s", name);
  list->column += length;
}


static void end_name_list(nameList *list)
{
  json_end(list->report);
  say(list->report, "\n");
}


// the body before on the way to ground; -1 for ground
static int parent_body_of(const artModel *m, int body)
{
  ART_ASSERT(body >= 0 && body < m->nbody);
  if (m->body[body].joint < 0) return -1;
  const modelJoint *joint = &m->joint[m->body[body].joint];
  return joint->is_reversed ? joint->to : joint->from;
}


static int body_depth_of(const artModel *m, int body)
{
  int depth = 0;
  while ((body = parent_body_of(m, body)) >= 0) depth++;
  return depth;
}


// the bodies around the loop of a cut, from `from` by the meeting of its two branches to `to`
static void report_loop_bodies(nameList *list, const artModel *m, const modelJoint *joint)
{
  int meeting = joint->from, other = joint->to;
  int depth = body_depth_of(m, meeting), other_depth = body_depth_of(m, other);
  while (meeting != other) {
    if (depth >= other_depth) {
      report_name(list, m->body[meeting].name);
      meeting = parent_body_of(m, meeting), depth--;
    } else {
      other = parent_body_of(m, other), other_depth--;
    }
  }
  report_name(list, m->body[meeting].name);
  for (int k = body_depth_of(m, joint->to) - depth - 1; k >= 0; k--) {
    int i = joint->to;
    for (int up = 0; up < k; up++) i = parent_body_of(m, i);
    report_name(list, m->body[i].name);
  }
}


//---- closures ------------------------------------------------------------------------------------

static void report_cut(cliReport *report, const artModel *m, const modelCut *cut, bool is_verbose)
{
  const modelJoint *joint = &m->joint[cut->joint];
  const char *type = art_joint_type_name(joint->type), *why = span_reason_text(cut->reason);
  json_object(report, NULL);
  json_fields(report, "joint: %s, type: %s, rows: %d, reason: %s", joint->name, type, cut->nrow,
              why);
  const char *with = joint->twin > 0 ? " with coordinates" : "";
  if (is_verbose) {
    say(report, "  closed by joint '%s' (%s%s, %d row%s): %s\n", joint->name, type, with, cut->nrow,
        plural_s(cut->nrow), why);
  } else {
    say(report, "  closed by joint '%s' (%s%s)\n", joint->name, type, with);
  }
  for (int i = 0; i < m->nbar; i++) {
    // the bar that has become this rod
    const modelBar *bar = &m->bar[i];
    if (&m->cut[bar->cut] != cut) continue;
    json_list(report, "in_place_of");
    json_text(report, NULL, bar->name);
    for (int k = 0; k < 2; k++) json_text(report, NULL, bar->joint[k]);
    json_end(report);
    say(report, "    in place of body '%s' and joints '%s', '%s'\n", bar->name, bar->joint[0],
        bar->joint[1]);
    break;
  }
  json_list(report, "around");
  say(report, "    around ");
  nameList list = {report, .column = 11};
  report_loop_bodies(&list, m, joint);
  end_name_list(&list);
  json_end(report);
}


static void report_relation(cliReport *report, const artModel *m, const modelRelation *r)
{
  const char *kind = r->user.value ? "constraint" : "coupling";
  json_object(report, NULL);
  json_text(report, kind, r->name);
  json_integer(report, "rows", 1);
  json_list(report, "between");
  say(report, "  closed by %s '%s' (1 row) between ", kind, r->name);
  nameList list = {report, .column = 40};
  for (int i = 0; i < r->n; i++) report_name(&list, m->position[r->position[i]].name);
  end_name_list(&list);
  json_end(report);
}


//---- coordinates and rows ------------------------------------------------------------------------

static nameList begin_names(cliReport *report, const char *key)
{
  json_list(report, key);
  say(report, "  %-*s", INDENT - 2, key);
  return (nameList){report, .column = INDENT};
}


static void report_coordinates(cliReport *report, const artModel *m, const char *key, int n,
                               const int *coordinate)
{
  if (n == 0 && report_is_text(report)) return;
  nameList list = begin_names(report, key);
  char name[CLI_NAME_LENGTH];
  for (int i = 0; i < n; i++) report_name(&list, cli_displacement_name(m, coordinate[i], name));
  end_name_list(&list);
}


// dependent coordinates in the order in which they are solved for, block by block; a block is in brackets, or
// the sizes of blocks follow
static void report_dependent(cliReport *report, const artModel *m, const loopPartition *p)
{
  nameList list = begin_names(report, "dependent");
  for (int b = 0; b < p->block_count; b++) {
    const int first = p->block_start[b], end = p->block_start[b + 1];
    const bool has_brackets = end - first > 1 && report_is_text(report);
    for (int k = first; k < end; k++) {
      char name[CLI_NAME_LENGTH], whole[CLI_NAME_LENGTH + 4];
      snprintf(whole, sizeof whole, "%s%s%s", has_brackets && k == first ? "(" : "",
               cli_displacement_name(m, p->block_column[k], name),
               has_brackets && k == end - 1 ? ")" : "");
      report_name(&list, whole);
    }
  }
  end_name_list(&list);
  json_list(report, "blocks");
  for (int b = 0; b < p->block_count; b++) {
    json_integer(report, NULL, p->block_start[b + 1] - p->block_start[b]);
  }
  json_end(report);
}


static void report_fork(cliReport *report, const cliLoops *loops, const artModel *m,
                        const artData *d)
{
  char names[FORK_NAMES];
  const bool is_chosen = loops->fork.status == ART_OK;
  if (loops->lost < 0) return;
  const char *joints = study_fork_joints(m, d, loops->lost, names);
  json_object(report, "singular_start");
  json_fields(report, "joints: %s, rates_choose: %i", joints, is_chosen);
  if (!is_chosen) report_fields(report, "trouble: %s", "  %s\n", loops->fork.text);
  if (is_chosen) {
    say(report,
        "  the machine starts in a singular position of the loop of joints %s, where it can go on "
        "in more than one way; its initial rates choose one of them\n",
        joints);
  }
  json_end(report);
}


static void report_redundant(cliReport *report, const cliLoops *loops, const artModel *m,
                             const artData *d, bool is_verbose)
{
  char text[ART_ROW_LENGTH];
  if (report_is_text(report) && !is_verbose) return;
  json_array(report, "redundant");
  for (int k = 0; k < loops->assembly.redundant; k++) {
    const char *row = art_redundant_row(m, d, k, text);
    json_text(report, NULL, row);
    say(report, "  %s\n", row);
  }
  json_end(report);
}


// coordinates that closing moves: the first of them
static void say_moves(cliReport *report, const artModel *m, const artData *d)
{
  artMove move;
  int k = 0;
  for (; art_assembly_move(m, d, k, &move); k++) {
    if (k >= MOVES_SHOWN) continue;
    say(report, "    %s from %.6g to %.6g %s\n", move.coordinate, move.from, move.to, move.unit);
  }
  if (k > MOVES_SHOWN) say(report, "    and %d more: articula assemble\n", k - MOVES_SHOWN);
}


static void say_rank(cliReport *report, const artAssembly *a, bool is_verbose)
{
  if (is_verbose) {
    say(report, "  %d row%s, %d of them independent;", a->rows, plural_s(a->rows), a->rank);
  } else {
    say(report, "  %d constraint%s", a->rows, plural_s(a->rows));
    if (a->rank < a->rows) {
      say(report, ", %d of them redundant: some reactions are not unique (--verbose lists them)",
          a->rows - a->rank);
    }
    say(report, ";");
  }
  say(report, " at the initial state open by at most %.3g m or rad\n", a->gap_before);
}


void loops_report(cliReport *report, const cliLoops *loops, const artModel *m, const artData *d,
                  bool is_verbose)
{
  const artAssembly *a = &loops->assembly;
  const bool is_closed = loops->status == ART_OK;
  if (m->nrow == 0 && m->ncut == 0) say(report, "  none: the machine is a tree\n");
  json_array(report, "closures");
  for (int c = 0; c < m->ncut; c++) report_cut(report, m, &m->cut[c], is_verbose);
  for (int i = 0; i < m->nrelation; i++) report_relation(report, m, &m->relation[i]);
  json_end(report);
  json_integer(report, "rows", m->nrow);
  if (m->nrow == 0) return;
  json_fields(report, "closes: %i, gap_before: %g, gap: %g", is_closed, a->gap_before, a->gap);
  if (!is_closed) {
    say(report,
        "  %d row%s; they do not close yet, open by %.6g m or rad at the nearest position found\n",
        m->nrow, plural_s(m->nrow), a->gap);
    report_fields(report, "trouble: %s", "  %s\n", loops->error.text);
    return;
  }
  const loopPartition *p = &d->work->loop->partition;
  json_fields(report, "rank: %d, moved: %g", a->rank, a->moved);
  say_rank(report, a, is_verbose);
  if (a->moved > 0) {
    say(report, "  closing them moves coordinates by at most %.6g m or rad\n", a->moved);
    say_moves(report, m, d);
  }
  report_coordinates(report, m, "independent", p->nf, p->free);
  report_coordinates(report, m, "driven", p->nc, p->driven);
  report_dependent(report, m, p);

  // people read of redundant rows first
  if (report_is_text(report)) report_redundant(report, loops, m, d, is_verbose);
  report_fork(report, loops, m, d);
  json_array(report, "rounded");
  for (int k = 0; k < loops->rounded; k++) {
    report_item(report, NULL, "joints: %s, gap: %g",
                "  the lengths between joints %s miss a singular position by %.2g m or rad, as "
                "rounded numbers do; a run takes the loop through it as if they met it\n",
                loops->round[k].joints, loops->round[k].gap);
  }
  json_end(report);
  if (!report_is_text(report)) report_redundant(report, loops, m, d, is_verbose);
}


//---- natural coordinates in short ----------------------------------------------------------------

void coordinates_examine(cliCoordinates *c, const artModel *m, artData *d)
{
  *c = (cliCoordinates){0};
  naturalMachine *machine = NULL;
  if (natural_create(&machine, m, d, NATURAL_AUTOMATIC, &c->error) == ART_OK) {
    c->is_planar = machine->is_planar;
    c->items = machine->nitem;
    c->shared = machine->nshared;
    c->coordinates = machine->s->n;
    c->rows = machine->s->nrow;
  }
  natural_destroy(machine);
  if (c->error.status == ART_NO_MEMORY) error_throw();
}


void coordinates_report(cliReport *report, const cliCoordinates *c)
{
  json_object(report, "natural_coordinates");
  if (c->error.status) {
    report_fields(report, "error: %s", "none: %s\n", c->error.text);
  } else {
    json_fields(report, "planar: %i, items: %d, shared: %d, coordinates: %d, rows: %d",
                c->is_planar, c->items, c->shared, c->coordinates, c->rows);
    say(report, "%d in %s: %d points and vectors, shared %d times; %d constraint rows\n",
        c->coordinates, c->is_planar ? "the plane" : "space", c->items, c->shared, c->rows);
  }
  json_end(report);
}
