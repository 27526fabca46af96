// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula info: a model in short, and its spanning tree as an outline.
#include <math.h>

#include "base/format.h"
#include "loops.h"
#include "model/model.h"


//---- outline -------------------------------------------------------------------------------------

// joints by the body they hang on: first[body], then next[joint]; -1 ends. Last ones first, so that
// a stack brings them out in the order of the file.
typedef struct outline {
  int *first, *next;
  int *stack, *depth;
} outline;


static int joint_parent_of(const modelJoint *joint)
{
  return joint->is_reversed ? joint->to : joint->from;
}


static void draw_tree(const artModel *m, baseArena *arena)
{
  const int n = m->njoint + 1;
  int *room = arena_alloc(arena, (size_t) (m->nbody + 3 * n), sizeof *room);
  const outline o = {room, room + m->nbody, room + m->nbody + n, room + m->nbody + 2 * n};
  int top = 0;
  for (int i = 0; i < m->nbody; i++) o.first[i] = -1;
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (model_closes_loop(joint)) continue;
    o.next[j] = o.first[joint_parent_of(joint)];
    o.first[joint_parent_of(joint)] = j;
  }
  printf("ground\n");
  for (int j = o.first[0]; j >= 0; j = o.next[j]) {
    o.depth[top] = 1;
    o.stack[top++] = j;
  }
  while (top > 0) {
    const modelJoint *joint = &m->joint[o.stack[--top]];
    const int depth = o.depth[top], child = joint->is_reversed ? joint->from : joint->to;
    format_stream(stdout, "%*s%s  (%s '%s', %.6g kg)\n", 2 * depth, "", m->body[child].name,
                  art_joint_type_name(joint->type), joint->name, m->body[child].mass);
    for (int k = o.first[child]; k >= 0; k = o.next[k]) {
      o.depth[top] = depth + 1;
      o.stack[top++] = k;
    }
  }
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (!model_closes_loop(joint)) continue;
    printf("loop closed by %s '%s' between %s and %s", art_joint_type_name(joint->type),
           joint->name, m->body[joint->from].name, m->body[joint->to].name);
    const double mass = m->cut[joint->cut].mass;
    if (mass > 0) format_stream(stdout, "  (%.6g kg)", mass);
    putchar('\n');
  }
}


//---- the verb ------------------------------------------------------------------------------------

void verb_info(cliWork *w)
{
  const artModel *m = w->model;
  const artCounts n = art_count(m);
  cliLoops loops;
  cliCoordinates natural;
  char hash[20];
  loops_examine(&loops, m, w->data);
  coordinates_examine(&natural, m, w->data);
  const int freedom = loops_freedom(&loops);
  snprintf(hash, sizeof hash, "%016llx", art_model_hash(m));

  cliReport r = report_begin(w->call);
  json_fields(&r, "file: %s, title: %s", w->call->file, m->title);
  if (report_is_text(&r)) cli_print_title(w->call, m->title);
  report_fields(&r, "hash: %s", "\nfingerprint          %s\n", hash);
  report_fields(&r, "mass: %g", "mass                 %.6g kg\n", m->mass);
  report_fields(&r, "bodies: %d, links: %d", "bodies               %d (%d links in the tree)\n",
                n.bodies, n.links);
  report_fields(&r, "joints: %d", "joints               %d\n", n.joints);
  report_fields(&r, "loops: %d", "loops                %d\n", n.loops);
  if (m->nrow > 0) say(&r, "constraint rows      %d\n", m->nrow);
  report_fields(&r, "positions: %d", "positions            %d\n", n.nq);
  report_fields(&r, "velocities: %d", "velocities           %d\n", n.nv);
  report_fields(&r, "drives: %d", "drives               %d\n", n.drives);
  json_fields(&r, "rows: %d, degrees_of_freedom: %g", m->nrow,
              freedom >= 0 ? (double) freedom : (double) NAN);
  if (freedom >= 0) say(&r, "degrees of freedom   %d\n", freedom);
  if (freedom < 0) say(&r, "degrees of freedom   not known: the loops do not close\n");
  say(&r, "natural coordinates  ");
  coordinates_report(&r, &natural);
  report_fields(&r, "forces: %d", "forces               %d\n", n.forces);
  report_fields(&r, "outputs: %d", "outputs              %d\n", n.outputs);
  report_fields(&r, "studies: %d", "studies              %d\n\n", n.studies);
  report_end(&r);
  if (report_is_text(&r)) draw_tree(m, &w->arena);
}
