// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Closed loops in words: cuts and their reasons, rows, independent coordinates, redundant rows.
#include "loops.h"

#include <math.h>
#include <string.h>

#include "command.h"
#include "loop/loop.h"
#include "loop/singular_path_build.h"
#include "model/model.h"
#include "study/fork.h"

enum { LINE_WIDTH = 98, INDENT = 15 };


// loops whose lengths miss a singular position as rounded numbers do, by walks of other data
static void find_rounded(cliLoops *loops, const artModel *m)
{
  artData *d = art_create_data(m);
  if (d && art_assemble(m, d, NULL, NULL) == ART_OK && bridge_look(m, d, NULL) == ART_OK) {
    const loopBlocks *blocks = d->work->loop->blocks;
    for (int k = 0; k < blocks->block_count && loops->rounded < LOOPS_ROUNDED; k++) {
      cliRounded *r = &loops->round[loops->rounded];
      if (!bridge_is_rounded(m, d, k, &r->gap)) continue;
      study_block_joints(m, d, k, r->joints);
      loops->rounded++;
    }
  }
  art_free_data(d);
}


int loops_examine(cliLoops *loops, const artModel *m, artData *d)
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
  if (loops->status == ART_OK && loops->lost < 0 && m->nrow > 0) find_rounded(loops, m);
  if (loops->fork.status == ART_NO_MEMORY) {
    loops->status = ART_NO_MEMORY;
    loops->error = loops->fork;
  }
  return loops->status != ART_NO_MEMORY;
}


int loops_freedom(const cliLoops *loops)
{
  return loops->status == ART_OK ? loops->assembly.dof : -1;
}


//---- the bodies of a loop ------------------------------------------------------------------------


// the body before on the way to ground; -1 for ground
static int parent_of(const artModel *m, int body)
{
  if (m->body[body].joint < 0) return -1;
  const modelJoint *joint = &m->joint[m->body[body].joint];
  return joint->is_reversed ? joint->to : joint->from;
}


static int depth_of(const artModel *m, int body)
{
  int depth = 0;
  while ((body = parent_of(m, body)) >= 0) depth++;
  return depth;
}


// the body where the two branches of a cut meet
static int meeting_of(const artModel *m, const modelJoint *joint)
{
  int a = joint->from, b = joint->to;
  int da = depth_of(m, a), db = depth_of(m, b);
  while (a != b) {
    if (da >= db) {
      a = parent_of(m, a), da--;
    } else {
      b = parent_of(m, b), db--;
    }
  }
  return a;
}


// walk around the loop of a cut, from `from` by the meeting of the branches to `to`
static void each_body(const artModel *m, const modelJoint *joint,
                      void (*say)(void *context, const char *name), void *context)
{
  const int meeting = meeting_of(m, joint);
  for (int i = joint->from; i != meeting; i = parent_of(m, i)) say(context, m->body[i].name);
  say(context, m->body[meeting].name);
  const int steps = depth_of(m, joint->to) - depth_of(m, meeting);
  for (int k = steps - 1; k >= 0; k--) {
    int i = joint->to;
    for (int up = 0; up < k; up++) i = parent_of(m, i);
    say(context, m->body[i].name);
  }
}


//---- for people ----------------------------------------------------------------------------------

// names with commas between them, in lines that are not too long
typedef struct nameLine {
  int column, count;
} nameLine;


static void print_name(void *context, const char *name)
{
  nameLine *line = context;
  const int length = (int) strlen(name) + 2;
  if (line->count++ > 0) printf(",");
  if (line->count > 1 && line->column + length > LINE_WIDTH) {
    printf("\n%*s", INDENT, "");
    line->column = INDENT;
  } else if (line->count > 1) {
    putchar(' ');
  }
  printf("%s", name);
  line->column += length;
}


static nameLine begin_names(const char *label)
{
  printf("  %-*s", INDENT - 2, label);
  return (nameLine){.column = INDENT};
}


// the bar that has become this rod, or NULL
static const modelBar *bar_of(const artModel *m, const modelCut *cut)
{
  for (int i = 0; i < m->nbar; i++) {
    if (&m->cut[m->bar[i].cut] == cut) return &m->bar[i];
  }
  return NULL;
}


static void print_cut(const artModel *m, const modelCut *cut)
{
  const modelBar *bar = bar_of(m, cut);
  const modelJoint *joint = &m->joint[cut->joint];
  printf("  closed by joint '%s' (%s%s, %d row%s): %s\n", joint->name,
         art_joint_type_name(joint->type), joint->twin > 0 ? " with coordinates" : "", cut->nrow,
         cut->nrow == 1 ? "" : "s", span_reason_text(cut->reason));
  if (bar) {
    printf("    in place of body '%s' and joints '%s', '%s'\n", bar->name, bar->joint[0],
           bar->joint[1]);
  }
  printf("    around ");
  nameLine line = {.column = 11};
  each_body(m, joint, print_name, &line);
  putchar('\n');
}


static void print_relation(const artModel *m, const modelRelation *r)
{
  printf("  closed by %s '%s' (1 row) between ", r->user.value ? "constraint" : "coupling",
         r->name);
  nameLine line = {.column = 40};
  for (int i = 0; i < r->n; i++) print_name(&line, m->position[r->position[i]].name);
  putchar('\n');
}


static void print_coordinates(const artModel *m, const char *label, int n, const int *list)
{
  if (n == 0) return;
  nameLine line = begin_names(label);
  char name[CLI_NAME_LENGTH];
  for (int i = 0; i < n; i++) print_name(&line, cli_displacement_name(m, list[i], name));
  putchar('\n');
}


// dependent coordinates in the order in which they are solved for, block by block
static void print_dependent(const artModel *m, const loopPartition *p)
{
  nameLine line = begin_names("dependent");
  for (int b = 0; b < p->block_count; b++) {
    const int end = p->block_start[b + 1];
    for (int k = p->block_start[b]; k < end; k++) {
      char name[CLI_NAME_LENGTH], whole[CLI_NAME_LENGTH + 4];
      const int size = end - p->block_start[b];
      snprintf(whole, sizeof whole, "%s%s%s", size > 1 && k == p->block_start[b] ? "(" : "",
               cli_displacement_name(m, p->block_column[k], name),
               size > 1 && k == end - 1 ? ")" : "");
      print_name(&line, whole);
    }
  }
  putchar('\n');
}


static void print_fork(const cliLoops *loops, const artModel *m, const artData *d)
{
  char names[FORK_NAMES];
  if (loops->fork.status != ART_OK) {
    printf("  %s\n", loops->fork.text);
    return;
  }
  printf(
      "  the machine starts in a singular position of the loop of joints %s, where it can go on in "
      "more than one way; its initial rates choose one of them\n",
      study_fork_joints(m, d, loops->lost, names));
}


static void print_closed(const cliLoops *loops, const artModel *m, const artData *d)
{
  const artAssembly *a = &loops->assembly;
  const loopPartition *p = &d->work->loop->partition;
  printf("  %d row%s, %d of them independent; at the initial state open by at most %.3g m or rad\n",
         a->rows, a->rows == 1 ? "" : "s", a->rank, a->gap_before);
  if (a->moved > 0) printf("  closing them moves coordinates by at most %.6g m or rad\n", a->moved);
  print_coordinates(m, "independent", p->nf, p->free);
  print_coordinates(m, "driven", p->nc, p->driven);
  print_dependent(m, p);
  char text[ART_ROW_LENGTH];
  for (int k = 0; k < a->redundant; k++) printf("  %s\n", art_redundant_row(m, d, k, text));
  if (loops->lost >= 0) print_fork(loops, m, d);
  for (int k = 0; k < loops->rounded; k++) {
    printf("  the lengths between joints %s miss a singular position by %.2g m or rad, as rounded "
           "numbers do; a run takes the loop through it as if they met it\n",
           loops->round[k].joints, loops->round[k].gap);
  }
}


void loops_print(const cliLoops *loops, const artModel *m, const artData *d)
{
  if (m->nrow == 0 && m->ncut == 0) {
    printf("  none: the machine is a tree\n");
    return;
  }
  for (int c = 0; c < m->ncut; c++) print_cut(m, &m->cut[c]);
  for (int i = 0; i < m->nrelation; i++) print_relation(m, &m->relation[i]);
  if (m->nrow == 0) return;
  if (loops->status == ART_OK) {
    print_closed(loops, m, d);
    return;
  }
  printf("  %d row%s; they do not close yet, open by %.6g m or rad at the nearest position found\n",
         m->nrow, m->nrow == 1 ? "" : "s", loops->assembly.gap);
  printf("  %s\n", loops->error.text);
}


//---- for programs --------------------------------------------------------------------------------


static void write_name(void *context, const char *name)
{
  json_text(context, NULL, name);
}


static void write_closures(const artModel *m, ioJson *json)
{
  json_array(json, "closures");
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    const modelJoint *joint = &m->joint[cut->joint];
    json_object(json, NULL);
    json_fields(json, "joint: %s, type: %s, rows: %d, reason: %s", joint->name,
                art_joint_type_name(joint->type), cut->nrow, span_reason_text(cut->reason));
    const modelBar *bar = bar_of(m, cut);
    if (bar) {
      json_list(json, "in_place_of");
      json_text(json, NULL, bar->name);
      for (int k = 0; k < 2; k++) json_text(json, NULL, bar->joint[k]);
      json_end(json);
    }
    json_list(json, "around");
    each_body(m, joint, write_name, json);
    json_end(json);
    json_end(json);
  }
  for (int i = 0; i < m->nrelation; i++) {
    const modelRelation *r = &m->relation[i];
    json_object(json, NULL);
    json_text(json, r->user.value ? "constraint" : "coupling", r->name);
    json_integer(json, "rows", 1);
    json_list(json, "between");
    for (int k = 0; k < r->n; k++) json_text(json, NULL, m->position[r->position[k]].name);
    json_end(json);
    json_end(json);
  }
  json_end(json);
}


static void write_coordinates(const artModel *m, ioJson *json, const char *key, int n,
                              const int *list)
{
  char name[CLI_NAME_LENGTH];
  json_list(json, key);
  for (int i = 0; i < n; i++) json_text(json, NULL, cli_displacement_name(m, list[i], name));
  json_end(json);
}


static void write_partition(const cliLoops *loops, const artModel *m, const artData *d,
                            ioJson *json)
{
  const loopPartition *p = &d->work->loop->partition;
  json_fields(json, "rank: %d, moved: %g", loops->assembly.rank, loops->assembly.moved);
  write_coordinates(m, json, "independent", p->nf, p->free);
  write_coordinates(m, json, "driven", p->nc, p->driven);
  write_coordinates(m, json, "dependent", p->nd, p->block_column);
  json_list(json, "blocks");
  for (int b = 0; b < p->block_count; b++) {
    json_integer(json, NULL, p->block_start[b + 1] - p->block_start[b]);
  }
  json_end(json);
  if (loops->lost >= 0) {
    char names[FORK_NAMES];
    json_object(json, "singular_start");
    json_fields(json, "joints: %s, rates_choose: %i", study_fork_joints(m, d, loops->lost, names),
                loops->fork.status == ART_OK);
    if (loops->fork.status != ART_OK) json_text(json, "trouble", loops->fork.text);
    json_end(json);
  }
  json_array(json, "rounded");
  for (int k = 0; k < loops->rounded; k++) {
    json_item(json, NULL, "joints: %s, gap: %g", loops->round[k].joints, loops->round[k].gap);
  }
  json_end(json);
  json_array(json, "redundant");
  char text[ART_ROW_LENGTH];
  for (int k = 0; k < loops->assembly.redundant; k++) {
    json_text(json, NULL, art_redundant_row(m, d, k, text));
  }
  json_end(json);
}


void loops_write(const cliLoops *loops, const artModel *m, const artData *d, ioJson *json)
{
  write_closures(m, json);
  json_integer(json, "rows", m->nrow);
  if (m->nrow == 0) return;
  json_fields(json, "closes: %i, gap_before: %g, gap: %g", loops->status == ART_OK,
              loops->assembly.gap_before, loops->assembly.gap);
  if (loops->status == ART_OK) {
    write_partition(loops, m, d, json);
  } else {
    json_text(json, "trouble", loops->error.text);
  }
}
