// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Prim's algorithm on classes of joints, with branch lengths in second place.
#include "model/compile/span.h"

#include "base/arena.h"
#include "model/define/joint_kind.h"

// the order in which joints are taken
typedef enum spanClass {
  CLASS_KEPT,
  CLASS_FIXED,
  CLASS_NAMED,
  CLASS_STARTED,
  CLASS_PLAIN,
  CLASS_UNIVERSAL,
  CLASS_FREE,
  CLASS_BALL,
  CLASS_BACKWARDS, // a ball or free joint from `to` to `from`
} spanClass;

// a joint at the rim of the tree
typedef struct spanEdge {
  spanClass class;
  int depth; // coordinates between ground and the body it leads to
  int end;   // 2 joint + side on the tree's side
} spanEdge;

typedef struct spanWork {
  const spanGraph *graph;
  int *joint_of, *order, *depth; // [nbody]
  int *first, *next;             // ends at each body: 2 joint + side, chained
  spanEdge *heap;                // [2 njoint] the next one on top
  int nheap;
  baseArena arena;
} spanWork;

//---- joints --------------------------------------------------------------------------------------


static spanClass span_joint_class(const spanJoint *joint, int side)
{
  ART_ASSERT(side == 0 || side == 1);
  if (joint_is_directed(joint->type) && side == 1) return CLASS_BACKWARDS;
  if (joint->keep > 0) return CLASS_KEPT;
  if (joint_is_rigid(joint->type)) return CLASS_FIXED;
  if (joint->use == SPAN_NAMED) return CLASS_NAMED;
  if (joint->use == SPAN_STARTED) return CLASS_STARTED;
  if (joint_is_ball(joint->type)) return CLASS_BALL;
  if (joint_is_free(joint->type)) return CLASS_FREE;
  return joint_holds(joint->type, SQUARE) ? CLASS_UNIVERSAL : CLASS_PLAIN;
}


//---- the rim of the tree, as a heap --------------------------------------------------------------


static int edge_comes_before(const spanEdge *a, const spanEdge *b)
{
  if (a->class != b->class) return a->class < b->class;
  if (a->depth != b->depth) return a->depth < b->depth;
  return a->end < b->end;
}


static void exchange_edges(spanEdge *a, spanEdge *b)
{
  const spanEdge swap = *a;
  *a = *b;
  *b = swap;
}


static void push_span_edge(spanWork *w, spanEdge edge)
{
  int i = w->nheap++;
  w->heap[i] = edge;
  for (; i > 0 && edge_comes_before(&w->heap[i], &w->heap[(i - 1) / 2]); i = (i - 1) / 2) {
    exchange_edges(&w->heap[i], &w->heap[(i - 1) / 2]);
  }
}


static spanEdge pop_span_edge(spanWork *w)
{
  const spanEdge top = w->heap[0];
  w->heap[0] = w->heap[--w->nheap];
  for (int i = 0, child; (child = 2 * i + 1) < w->nheap; i = child) {
    if (child + 1 < w->nheap && edge_comes_before(&w->heap[child + 1], &w->heap[child])) child++;
    if (!edge_comes_before(&w->heap[child], &w->heap[i])) break;
    exchange_edges(&w->heap[child], &w->heap[i]);
  }
  return top;
}


//---- growing -------------------------------------------------------------------------------------


// put the joints of a body that has just been taken on the rim
static void open_body(spanWork *w, int body)
{
  ART_ASSERT(body >= 0 && body < w->graph->nbody);
  for (int e = w->first[body]; e >= 0; e = w->next[e]) {
    const spanJoint *joint = &w->graph->joint[e / 2];
    if (joint->keep < 0 || joint_only_closes(joint->type) || e / 2 == w->joint_of[body]) continue;
    const int ncoordinate = 6 - joint_kinds[joint->type].nrow;
    push_span_edge(w, (spanEdge){span_joint_class(joint, e % 2), w->depth[body] + ncoordinate, e});
  }
}


static int grow_spanning_tree(spanWork *w)
{
  int count = 0;
  w->order[count++] = 0;
  open_body(w, 0);
  while (w->nheap > 0) {
    const spanEdge edge = pop_span_edge(w);
    const int j = edge.end / 2, body = w->graph->joint[j].body[1 - edge.end % 2];
    if (body == 0 || w->joint_of[body] >= 0) continue;
    w->joint_of[body] = j;
    w->depth[body] = edge.depth;
    w->order[count++] = body;
    open_body(w, body);
  }
  return count;
}


int span_find(const spanGraph *graph, int *joint_of, int *order)
{
  spanWork w = {.graph = graph, .joint_of = joint_of, .order = order};
  const size_t nb = (size_t) graph->nbody, ends = 2 * (size_t) graph->njoint;
  w.depth = arena_alloc(&w.arena, nb, sizeof *w.depth);
  w.first = arena_alloc(&w.arena, nb, sizeof *w.first);
  w.next = arena_alloc(&w.arena, ends, sizeof *w.next);
  w.heap = arena_alloc(&w.arena, ends, sizeof *w.heap);
  int count = -1;
  if (w.depth && w.first && w.next && w.heap) {
    for (int i = 0; i < graph->nbody; i++) joint_of[i] = -1;
    for (int i = 0; i < graph->nbody; i++) w.first[i] = -1;
    for (int e = 2 * graph->njoint - 1; e >= 0; e--) {
      const int body = graph->joint[e / 2].body[e % 2];
      w.next[e] = w.first[body];
      w.first[body] = e;
    }
    count = grow_spanning_tree(&w);
  }
  arena_free(&w.arena);
  return count;
}


//---- reasons -------------------------------------------------------------------------------------


spanReason span_reason(const spanJoint *joint)
{
  if (joint_is_rod(joint->type)) return SPAN_ROD;
  if (joint_roll(joint->type) != ROLL_NONE) return SPAN_ROLLING;
  if (joint->keep < 0) return SPAN_TOLD;
  switch (span_joint_class(joint, 0)) {
  case CLASS_FIXED: return SPAN_WELDED;
  case CLASS_PLAIN: return SPAN_EVEN;
  case CLASS_UNIVERSAL: return SPAN_UNIVERSAL;
  case CLASS_FREE: return SPAN_LOOSE;
  case CLASS_BALL: return SPAN_BALL;
  default: return SPAN_IN_USE;
  }
}


const char *span_reason_text(spanReason reason)
{
  static const char *const TEXT[] = {
      [SPAN_IN_TREE] = "it belongs to the tree",
      [SPAN_ROD] = "rods are always cut",
      [SPAN_ROLLING] = "what rolls on a plane is always cut",
      [SPAN_BAR] = "a thin bar between two ball joints needs no coordinates",
      [SPAN_TOLD] = "the model says so",
      [SPAN_LOOSE] = "a free joint constrains nothing",
      [SPAN_BALL] = "ball joints are the cheapest to cut",
      [SPAN_UNIVERSAL] = "universal joints are the cheapest to cut after ball joints",
      [SPAN_EVEN] = "no joint of the loop is cheaper to cut, and branches are shortest this way",
      [SPAN_WELDED] = "the loop consists of fixed joints",
      [SPAN_IN_USE] = ("every joint of the loop has coordinates in use, and branches are shortest "
                       "this way"),
  };
  return TEXT[reason];
}
