// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula info: a model in short, and its spanning tree as an outline.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "command.h"
#include "coordinates.h"
#include "loops.h"
#include "model/model.h"
#include "show/json.h"


//---- outline -------------------------------------------------------------------------------------

// joints by the body they hang on: first[body], then next[joint]; -1 ends. Last ones first, so that
// a stack brings them out in the order of the file.
typedef struct outline {
  int *first, *next;
  int *stack, *depth;
} outline;


static int parent_of(const modelJoint *joint)
{
  return joint->is_reversed ? joint->to : joint->from;
}


static int child_of(const modelJoint *joint)
{
  return joint->is_reversed ? joint->from : joint->to;
}


static void hang_joints(outline *o, const artModel *m)
{
  for (int i = 0; i < m->nbody; i++) o->first[i] = -1;
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (model_closes_loop(joint)) continue;
    o->next[j] = o->first[parent_of(joint)];
    o->first[parent_of(joint)] = j;
  }
}


static void print_branch(const artModel *m, const modelJoint *joint, int depth)
{
  const modelBody *body = &m->body[child_of(joint)];
  printf("%*s%s  (%s '%s', %.6g kg)\n", 2 * depth, "", body->name, art_joint_type_name(joint->type),
         joint->name, body->mass);
}


static void print_outline(outline *o, const artModel *m)
{
  int top = 0;
  hang_joints(o, m);
  printf("ground\n");
  for (int j = o->first[0]; j >= 0; j = o->next[j]) {
    o->depth[top] = 1;
    o->stack[top++] = j;
  }
  while (top > 0) {
    const int j = o->stack[--top], depth = o->depth[top];
    print_branch(m, &m->joint[j], depth);
    for (int k = o->first[child_of(&m->joint[j])]; k >= 0; k = o->next[k]) {
      o->depth[top] = depth + 1;
      o->stack[top++] = k;
    }
  }
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (!model_closes_loop(joint)) continue;
    printf("loop closed by %s '%s' between %s and %s", art_joint_type_name(joint->type),
           joint->name, m->body[joint->from].name, m->body[joint->to].name);
    const double mass = m->cut[joint->cut].mass;
    if (mass > 0) printf("  (%.6g kg)", mass);
    putchar('\n');
  }
}


static artStatus draw_tree(const artModel *m, artError *error)
{
  outline o = {.first = MEM_ARRAY(int, m->nbody),
               .next = MEM_ARRAY(int, m->njoint + 1),
               .stack = MEM_ARRAY(int, m->njoint + 1),
               .depth = MEM_ARRAY(int, m->njoint + 1)};
  const bool is_complete = o.first && o.next && o.stack && o.depth;
  if (is_complete) print_outline(&o, m);
  mem_free(o.first);
  mem_free(o.next);
  mem_free(o.stack);
  mem_free(o.depth);
  return is_complete ? ART_OK : base_no_memory(error);
}


//---- the verb ------------------------------------------------------------------------------------

static void print_counts(const cliCall *call, const artModel *m, const artCounts *n, int freedom,
                         const cliCoordinates *natural)
{
  cli_print_title(call, m->title);
  putchar('\n');
  printf("fingerprint          %016llx\n", art_model_hash(m));
  printf("mass                 %.6g kg\n", cli_mass(m));
  printf("bodies               %d (%d links in the tree)\n", n->bodies, n->links);
  printf("joints               %d\n", n->joints);
  printf("loops                %d\n", n->loops);
  if (m->nrow > 0) printf("constraint rows      %d\n", m->nrow);
  printf("positions            %d\n", n->nq);
  printf("velocities           %d\n", n->nv);
  printf("drives               %d\n", n->drives);
  if (freedom >= 0) printf("degrees of freedom   %d\n", freedom);
  if (freedom < 0) printf("degrees of freedom   not known: the loops do not close\n");
  printf("natural coordinates  ");
  coordinates_print(natural);
  printf("forces               %d\n", n->forces);
  printf("outputs              %d\n", n->outputs);
  printf("studies              %d\n\n", n->studies);
}


static void write_counts(const cliCall *call, const artModel *m, const artCounts *n, int freedom,
                         const cliCoordinates *natural)
{
  char hash[20];
  ioJson json = {.file = stdout};
  snprintf(hash, sizeof hash, "%016llx", art_model_hash(m));
  json_object(&json, NULL);
  json_fields(&json, "file: %s, title: %s, hash: %s, mass: %g, bodies: %d", call->file, m->title,
              hash, cli_mass(m), n->bodies);
  json_fields(&json, "links: %d, joints: %d, loops: %d, positions: %d, velocities: %d", n->links,
              n->joints, n->loops, n->nq, n->nv);
  json_fields(&json, "drives: %d, rows: %d, degrees_of_freedom: %g", n->drives, m->nrow,
              freedom >= 0 ? (double) freedom : (double) NAN);
  coordinates_write(natural, &json);
  json_fields(&json, "forces: %d, outputs: %d, studies: %d", n->forces, n->outputs, n->studies);
  json_end(&json);
}


artStatus verb_info(cliWork *w, artError *error)
{
  const artCounts counts = art_count(w->model);
  cliLoops loops;
  cliCoordinates natural;
  if (!loops_examine(&loops, w->model, w->data)) return (*error = loops.error).status;
  if (!coordinates_examine(&natural, w->model, w->data, error)) return error->status;
  const int freedom = loops_freedom(&loops);
  if (w->call->json) write_counts(w->call, w->model, &counts, freedom, &natural);
  if (!w->call->json) print_counts(w->call, w->model, &counts, freedom, &natural);
  return w->call->json ? ART_OK : draw_tree(w->model, error);
}
