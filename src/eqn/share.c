// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shares of threads in a function.
//
// A node that depends on one branch alone, besides the trunk, is a branch's if all branches of the family have it: its colour,
// a hash of its expression in which symbols count by their places within the branch, is that of one node of each. All
// others are the trunk's. Trunk nodes that follow from what branches have handed over are late, and so is what branches make of these.
#include "eqn/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "eqn/draft.h"

enum { MOST_THREADS = 8 };

typedef struct shareMember {
  uint64_t colour;
  int family, copy, node;
} shareMember;

// of the power, a sum
typedef struct shareTerm {
  int node, sign;
} shareTerm;

typedef struct shareWork {
  eqnShares *shares;
  const eqnProgram *program;
  const eqnFunction *f;
  exprPool *pool;
  familyTree tree;
  baseArena *arena;
  int n;     // nodes of the pool before there are shares
  int *rank; // [nlink] of a link among those of its branch
  unsigned char *needed, *is_trunk, *is_settled, *is_late; // [n]
  int *family, *copy;                                      // [n] family 0: the trunk's
  uint64_t *colour;
  const shareMember **twin; // [n] of a node of a first branch: those of all branches
  int *first_one; // [n] of a node of a branch: that of the first branch, -1: it has no twins
  int *
      slot; // [n] of one of a first branch: its place among what is handed over, from 1; of one of the trunk: given
  unsigned char *has; // [families n] of symbols: threads of a family have it
  int *now;           // [n] in the function that is being made
  shareMember *member;
  int nterm;
  shareTerm *term; // of the power
} shareWork;

//---- colours -------------------------------------------------------------------------------------

static int link_of(const shareWork *w, int symbol)
{
  const int ordinal = w->pool->nodes[symbol].a;
  return ordinal < w->program->nsymbol ? w->program->link_of[ordinal] : 0;
}


// the first of symbols of the same name and link
static int first_index(const shareWork *w, int symbol)
{
  const exprNode *n = w->pool->nodes, *s = &n[symbol];
  int first = s->index;
  for (int i = 0; i < w->n; i++) {
    if (n[i].op != EXPR_SYMBOL || n[i].index >= first || strcmp(n[i].name, s->name) != 0) continue;
    if (link_of(w, i) == link_of(w, symbol)) first = n[i].index;
  }
  return first;
}


static uint64_t mix(uint64_t hash, uint64_t x)
{
  return base_hash(hash, &x, sizeof x);
}


static uint64_t colour_of_symbol(const shareWork *w, int node)
{
  const exprNode *n = &w->pool->nodes[node];
  const uint64_t name = base_hash(BASE_HASH_EMPTY, n->name, strlen(n->name));
  const int place = n->index - first_index(w, node);
  return mix(mix(mix(name, (uint64_t) w->family[node]), (uint64_t) w->rank[link_of(w, node)]),
             (uint64_t) place);
}


static uint64_t colour_of(const shareWork *w, int node)
{
  const exprNode *n = &w->pool->nodes[node];
  const uint64_t hash = mix(BASE_HASH_EMPTY, (uint64_t) n->op);
  if (w->family[node] == 0) return mix(hash, (uint64_t) node);
  if (n->op == EXPR_SYMBOL) return w->colour[node] ? w->colour[node] : colour_of_symbol(w, node);
  uint64_t sum = 0, chain = hash;
  for (int k = 0; k < expr_argument_count(w->pool, node); k++) {
    const uint64_t c = w->colour[expr_argument(w->pool, node, k)];
    sum += mix(hash, c);
    chain = mix(chain, c);
  }
  return n->op == EXPR_ADD || n->op == EXPR_MUL ? sum : chain; // the same in both orders
}


// a node of two branches is the trunk's
static void find_branch(shareWork *w, int node)
{
  const exprNode *x = &w->pool->nodes[node];
  w->family[node] = 0;
  if (w->is_trunk[node]) return;
  if (x->op == EXPR_SYMBOL) {
    w->family[node] = w->tree.of[link_of(w, node)];
    w->copy[node] = w->tree.copy[link_of(w, node)];
  }
  for (int k = 0; k < expr_argument_count(w->pool, node); k++) {
    const int a = expr_argument(w->pool, node, k), other = w->family[a];
    if (other == 0) continue;
    if (w->family[node] > 0 && (w->family[node] != other || w->copy[node] != w->copy[a])) {
      w->family[node] = 0;
      return;
    }
    w->family[node] = other;
    w->copy[node] = w->copy[a];
  }
}

//---- nodes of branches ---------------------------------------------------------------------------

static int compare_members(const void *a, const void *b)
{
  const shareMember *x = a, *y = b;
  if (x->family != y->family) return x->family - y->family;
  if (x->colour != y->colour) return x->colour < y->colour ? -1 : 1;
  return x->copy - y->copy;
}


// n nodes of one colour are twins if each branch has one of them
static void match_members(shareWork *w, const shareMember *m, int n)
{
  int are_twins = n == w->tree.size[m->family];
  for (int i = 0; i < n && are_twins; i++) are_twins = m[i].copy == i;
  for (int i = 0; i < n; i++) w->first_one[m[i].node] = are_twins ? m[0].node : -1;
  w->twin[m[0].node] = are_twins ? m : NULL;
}


static int count_alike(const shareMember *m, int n)
{
  int k = 1;
  while (k < n && m[k].family == m->family && m[k].colour == m->colour) k++;
  return k;
}


// A node without twins, all of whose arguments are settled, is the trunk's; what follows from it is looked at again.
static int give_to_trunk(shareWork *w)
{
  int count = 0;
  for (int i = 0; i < w->n; i++) {
    w->is_settled[i] = 1;
    for (int k = 0; w->needed[i] && k < expr_argument_count(w->pool, i); k++) {
      w->is_settled[i] &= w->is_settled[expr_argument(w->pool, i, k)];
    }
    if (!w->needed[i] || !w->is_settled[i] || w->family[i] == 0 || w->first_one[i] >= 0) continue;
    w->is_trunk[i] = 1;
    w->is_settled[i] = 0;
    count++;
  }
  return count;
}


// until all nodes of branches have twins
static void find_members(shareWork *w)
{
  do {
    int n = 0;
    for (int i = 0; i < w->n; i++) {
      if (!w->needed[i]) continue;
      find_branch(w, i);
      w->colour[i] = colour_of(w, i);
      if (w->family[i] == 0) continue;
      w->member[n++] = (shareMember){w->colour[i], w->family[i], w->copy[i], i};
    }
    qsort(w->member, (size_t) n, sizeof *w->member, compare_members);
    for (int i = 0, k; i < n; i += k) {
      k = count_alike(&w->member[i], n - i);
      match_members(w, &w->member[i], k);
    }
  } while (give_to_trunk(w) > 0);
}

//---- what is handed over -------------------------------------------------------------------------

static void find_late(shareWork *w)
{
  for (int i = 0; i < w->n; i++) {
    for (int k = 0; w->needed[i] && k < expr_argument_count(w->pool, i); k++) {
      const int a = expr_argument(w->pool, i, k);
      w->is_late[i] |= w->is_late[a] || (w->family[i] == 0 && w->family[a] > 0);
    }
  }
}


static eqnShare *share_of(const shareWork *w, int node)
{
  return &w->shares->share[w->family[node] - 1];
}


// Trunk nodes take what is there before them, branches what the carrier finds. Returns 0 where that is not so.
static int find_slots(shareWork *w)
{
  eqnShares *s = w->shares;
  for (int i = 0; i < w->n; i++) {
    for (int k = 0; w->needed[i] && k < expr_argument_count(w->pool, i); k++) {
      const int a = expr_argument(w->pool, i, k), is_of_branch = w->family[a] > 0;
      if (w->family[i] == 0 && is_of_branch) {
        int *slot = &w->slot[w->first_one[a]];
        if (w->is_late[a]) return 0;
        if (*slot == 0) *slot = ++share_of(w, a)->nhand;
      }
      const int is_given = w->family[i] > 0 && w->family[i] != s->carrier + 1;
      if (is_given && !is_of_branch && w->is_late[a] && w->slot[a] == 0) w->slot[a] = ++s->ngiven;
    }
  }
  for (int i = 0; i < s->n; i++) {
    s->share[i].first = s->nmet;
    s->nmet += s->share[i].nhand * s->share[i].members;
  }
  return 1;
}


// States of the trunk that threads of a family have: the carrier's all of them; others the velocities that they read, and
// all of them where they read positions. What is late they are given.
static void find_states(shareWork *w, int g)
{
  const eqnVector *q = eqn_input(w->f, "q");
  unsigned char *has = w->has + g * w->n;
  int reads_position = g == w->shares->carrier;
  for (int i = w->n - 1; i >= 0; i--) {
    has[i] |= w->needed[i] && w->family[i] == g + 1 && w->copy[i] == 0;
    for (int k = 0; has[i] && k < expr_argument_count(w->pool, i); k++) {
      const int a = expr_argument(w->pool, i, k);
      has[a] |= w->family[a] > 0 || !w->is_late[a];
    }
  }
  for (int i = 0; q && i < q->n; i++) {
    reads_position |= has[q->node[i]] && w->family[q->node[i]] == 0;
  }
  for (int i = 0; i < w->n; i++) {
    const int is_symbol = w->pool->nodes[i].op == EXPR_SYMBOL && w->family[i] == 0;
    if (is_symbol && reads_position) has[i] = 1;
  }
}


// accelerations of the trunk, where threads have the velocities
static int give_results(shareWork *w, const eqnVector *a)
{
  const eqnVector *v = eqn_input(w->f, "v");
  if (!v || v->n != a->n) return 0;
  for (int g = 0; g < w->shares->n; g++) {
    find_states(w, g);
    for (int i = 0; i < a->n; i++) {
      const int node = a->node[i], is_needed = w->has[g * w->n + v->node[i]];
      const int is_late = w->family[node] == 0 && w->is_late[node] && g != w->shares->carrier;
      if (is_late && is_needed && w->slot[node] == 0) w->slot[node] = ++w->shares->ngiven;
    }
  }
  return 1;
}


// The acceleration of a coordinate is that of its thread: those of branches are twins as their velocities are, or one and the same
// number, and those of the trunk are the trunk's.
static int accelerations_match(const shareWork *w, const eqnVector *a)
{
  const eqnVector *v = eqn_input(w->f, "v");
  if (!v || v->n != a->n) return 0;
  for (int i = 0; i < v->n; i++) {
    const int speed = v->node[i], first = w->first_one[speed];
    if (w->family[speed] == 0 && w->family[a->node[i]] != 0) return 0;
    if (w->family[speed] == 0) continue;
    int k = 0;
    while (k < v->n && v->node[k] != first) k++;
    if (k == v->n) return 0;
    const shareMember *twin = w->family[a->node[k]] > 0 ? w->twin[a->node[k]] : NULL;
    if (a->node[i] != (twin ? twin[w->copy[speed]].node : a->node[k])) return 0;
    if (twin ? w->family[a->node[k]] != w->family[speed] : w->is_late[a->node[k]]) return 0;
  }
  return 1;
}


// Every branch has the terms of the power that the first one has, with their signs.
static int terms_match(const shareWork *w)
{
  int *sum = w->now; // not in use yet
  for (int i = 0; i < w->nterm; i++) sum[w->term[i].node] += w->term[i].sign;
  for (int i = 0; i < w->nterm; i++) {
    const int node = w->term[i].node;
    const shareMember *twin = w->family[node] > 0 ? w->twin[w->first_one[node]] : NULL;
    for (int k = 0; twin && k < w->tree.size[w->family[node]]; k++) {
      if (sum[twin[k].node] != sum[node]) return 0;
    }
  }
  return 1;
}


// The family with the most to do: threads of the others wait for it with fewer numbers in their registers.
static void choose_carrier(shareWork *w)
{
  long most = -1;
  for (int g = 0; g < w->shares->n; g++) {
    long operations = 0;
    for (int i = 0; i < w->n; i++) {
      const int is_first = w->needed[i] && w->family[i] == g + 1 && w->copy[i] == 0;
      operations += is_first && draft_operations(w->pool, i);
    }
    if (operations <= most) continue;
    most = operations;
    w->shares->carrier = g;
  }
}

//---- functions -----------------------------------------------------------------------------------

// of an argument of a node, in the function of a family
static int argument_now(const shareWork *w, int node, int a)
{
  if (w->family[node] > 0 || w->family[a] == 0) return w->now[a];
  const eqnShare *s = share_of(w, a);
  const int at = s->first + w->copy[a] * s->nhand + w->slot[w->first_one[a]] - 1;
  return expr_symbol(w->pool, "met", at);
}


static int rebuild(const shareWork *w, int node)
{
  const exprNode n = w->pool->nodes[node];
  const int count = expr_argument_count(w->pool, node);
  int a[3] = {0}, is_same = 1;
  for (int k = 0; k < count; k++) {
    const int before = expr_argument(w->pool, node, k);
    a[k] = argument_now(w, node, before);
    is_same &= a[k] == before;
  }
  if (is_same) return node;
  if (n.op == EXPR_SELECT) return expr_select(w->pool, a[0], a[1], a[2]);
  return expr_operate(w->pool, n.op, a[0], a[1]);
}


static void rebuild_all(shareWork *w, int family)
{
  const int before = w->pool->is_solving, is_carrier = family == w->shares->carrier + 1;
  expr_solving(w->pool, 1);
  for (int i = 0; i < w->n; i++) {
    const int is_own = w->family[i] == family && w->copy[i] == 0;
    if (!w->needed[i]) continue;
    if (is_own || (w->family[i] == 0 && (!w->is_late[i] || is_carrier))) {
      w->now[i] = rebuild(w, i);
    } else if (w->family[i] == 0 && w->slot[i] > 0) {
      w->now[i] = expr_symbol(w->pool, "given", w->slot[i] - 1);
    } else {
      w->now[i] = 0;
    }
  }
  expr_solving(w->pool, before);
}


static eqnVector symbols(const shareWork *w, const char *name, const char *what, int n)
{
  eqnVector v = {.name = name, .what = what, .n = n};
  v.node = arena_alloc(w->arena, (size_t) n + 1, sizeof *v.node);
  for (int i = 0; v.node && i < n; i++) v.node[i] = expr_symbol(w->pool, name, i);
  return v;
}


// vector[slot] = node, of the nodes of a family, or of the trunk with 0; threads meet behind it
static eqnStage assignment(const shareWork *w, const char *title, const eqnVector *to, int family,
                           int meets)
{
  eqnStage s = {.title = title, .group = GROUP_BACKWARD, .kind = STAGE_ASSIGN, .meets = meets};
  s.unknown = to->node;
  s.nunknown = to->n;
  s.correction = arena_alloc(w->arena, (size_t) to->n + 1, sizeof *s.correction);
  for (int i = 0; s.correction && i < w->n; i++) {
    const int is_there = w->needed[i] && w->slot[i] > 0 && w->family[i] == family;
    if (is_there) s.correction[w->slot[i] - 1] = w->now[i];
  }
  return s;
}


// the terms of the power that are a branch's, or the trunk's with family 0
static int sum_of_terms(const shareWork *w, int family)
{
  int sum = 0;
  for (int i = 0; i < w->nterm; i++) {
    const int node = w->term[i].node;
    if (w->family[node] != family || (family > 0 && w->copy[node] > 0)) continue;
    sum = w->term[i].sign > 0 ? expr_add(w->pool, sum, w->now[node])
                              : expr_sub(w->pool, sum, w->now[node]);
  }
  return sum;
}


// that of the branch, and in threads of the carrier that of the trunk
static int share_power(const shareWork *w, eqnVector *power, int g)
{
  power->n = 2;
  power->label = NULL;
  power->node = arena_alloc(w->arena, 2, sizeof *power->node);
  if (!power->node) return 0;
  power->node[0] = sum_of_terms(w, g + 1);
  power->node[1] = g == w->shares->carrier ? sum_of_terms(w, 0) : 0;
  return 1;
}


static int make_function(shareWork *w, int g)
{
  eqnShares *all = w->shares;
  eqnShare *share = &all->share[g];
  eqnFunction *f = &share->function;
  const int is_carrier = g == all->carrier;
  *f = *w->f;
  f->name = arena_format(w->arena, "%s_limb_%d", w->f->name, g + 1);
  f->what = "What a thread of a branch does.";
  f->input = arena_alloc(w->arena, (size_t) w->f->ninput + 3, sizeof *f->input);
  f->output = arena_copy(w->arena, w->f->output, (size_t) f->noutput, sizeof *f->output);
  f->stage = arena_alloc(w->arena, 3, sizeof *f->stage);
  if (!f->name || !f->input || !f->output || !f->stage) return 0;
  for (int i = 0; i < w->f->ninput; i++) f->input[i] = w->f->input[i];
  eqnVector *own = f->input + w->f->ninput;
  own[0] = symbols(w, "hand", "what the thread hands over", share->nhand);
  own[1] = symbols(w, "met", "what all threads have handed over", all->nmet);
  own[2] = symbols(w, "given", "what the carrier gives", all->ngiven);
  f->ninput += 3;
  rebuild_all(w, g + 1);
  if (f->noutput > 1 && !share_power(w, &f->output[1], g)) return 0;
  f->nstage = 0;
  f->stage[f->nstage++] = assignment(w, "the branch", &own[0], g + 1, is_carrier ? 1 : 2);
  if (is_carrier) f->stage[f->nstage++] = assignment(w, "the trunk", &own[2], 0, 1);
  f->stage[f->nstage++] = (eqnStage){.title = "accelerations", .group = GROUP_BACKWARD};
  eqnVector *a = &f->output[0];
  a->node = arena_copy(w->arena, w->f->output[0].node, (size_t) a->n, sizeof *a->node);
  int ok = own[0].node && own[1].node && own[2].node && a->node && f->stage[0].correction &&
           f->stage[f->nstage - 2].correction;
  for (int i = 0; ok && i < a->n; i++) a->node[i] = w->now[a->node[i]];
  return ok;
}

//---- threads -------------------------------------------------------------------------------------

static int make_threads(shareWork *w)
{
  eqnShares *s = w->shares;
  const size_t nsymbol = (size_t) w->pool->symbol_count + 1;
  s->twin = arena_alloc(w->arena, (size_t) s->nthread, sizeof *s->twin);
  for (int g = 0; s->twin && g < s->n; g++) {
    eqnShare *share = &s->share[g];
    unsigned char *is_own = arena_alloc(w->arena, nsymbol, 1);
    share->is_own = is_own;
    if (!is_own) return 0;
    for (int k = 0; k < share->members; k++) {
      int *twin = s->twin[share->thread + k] = arena_alloc(w->arena, nsymbol, sizeof *twin);
      if (!twin) return 0;
      for (int i = 0; i < w->n; i++) {
        const exprNode *n = w->pool->nodes;
        if (n[i].op != EXPR_SYMBOL) continue;
        const int is_member = w->family[i] == g + 1 && w->copy[i] == 0;
        twin[n[i].a] = is_member ? n[w->twin[i][k].node].a : n[i].a;
        is_own[n[i].a] = is_member ? 1 : w->family[i] == 0 && w->has[g * w->n + i] ? 2 : 0;
      }
    }
  }
  return s->twin != NULL;
}


static int take_room(shareWork *w)
{
  const size_t n = (size_t) w->n;
  eqnShares *s = w->shares;
  ARENA_TAKE(w->arena, w->rank, w->program->nlink + 1);
  ARENA_TAKE(w->arena, w->needed, n);
  ARENA_TAKE(w->arena, w->is_trunk, n);
  ARENA_TAKE(w->arena, w->is_settled, n);
  ARENA_TAKE(w->arena, w->is_late, n);
  ARENA_TAKE(w->arena, w->family, n);
  ARENA_TAKE(w->arena, w->copy, n);
  ARENA_TAKE(w->arena, w->colour, n);
  ARENA_TAKE(w->arena, w->twin, n);
  ARENA_TAKE(w->arena, w->first_one, n);
  ARENA_TAKE(w->arena, w->slot, n);
  ARENA_TAKE(w->arena, w->now, n);
  ARENA_TAKE(w->arena, w->has, n * (size_t) (w->tree.n + 1));
  ARENA_TAKE(w->arena, w->member, n);
  ARENA_TAKE(w->arena, w->term, n);
  ARENA_TAKE(w->arena, s->share, w->tree.n + 1);
  return w->rank && w->needed && w->is_trunk && w->is_settled && w->is_late && w->family &&
         w->copy && w->colour && w->twin && w->first_one && w->slot && w->now && w->has &&
         w->member && w->term && s->share;
}


static void rank_links(shareWork *w)
{
  const familyTree *t = &w->tree;
  for (int i = 1; i < w->program->nlink; i++) {
    for (int k = 1; k < i; k++) w->rank[i] += t->of[k] == t->of[i] && t->copy[k] == t->copy[i];
  }
}


// All that is needed is made of operations, and all coordinates of branches have twins.
static int is_plain(const shareWork *w)
{
  for (int i = 0; i < w->n; i++) {
    const exprNode *n = &w->pool->nodes[i];
    if (w->needed[i] && (n->op == EXPR_CALL || n->op == EXPR_ELEMENT)) return 0;
  }
  for (int v = 0; v < w->f->ninput; v++) {
    for (int i = 0; i < w->f->input[v].n; i++) {
      const int node = w->f->input[v].node[i];
      const int is_symbol = w->pool->nodes[node].op == EXPR_SYMBOL;
      if (is_symbol && w->family[node] != w->tree.of[link_of(w, node)]) return 0;
    }
  }
  return 1;
}


static int may_share(const eqnProgram *p, const eqnFunction *f)
{
  for (int i = 0; i < f->nstage; i++) {
    if (f->stage[i].kind != STAGE_STRAIGHT) return 0;
  }
  const int has_power = f->noutput == 2 && strcmp(f->output[1].name, "power") == 0;
  return p->link_of && p->link_kind && p->nuser == 0 && p->ndefined == 0 &&
         strcmp(f->output[0].name, "a") == 0 && (f->noutput == 1 || has_power);
}


static void count_threads(shareWork *w)
{
  eqnShares *s = w->shares;
  for (int g = 1; g <= w->tree.n; g++) {
    s->share[s->n++] = (eqnShare){.members = w->tree.size[g], .thread = s->nthread};
    s->nthread += w->tree.size[g];
  }
}


static void add_terms(shareWork *w, int node, int sign)
{
  const exprNode n = w->pool->nodes[node];
  if (n.op == EXPR_ADD || n.op == EXPR_SUB) {
    add_terms(w, n.a, sign);
    add_terms(w, n.b, n.op == EXPR_SUB ? -sign : sign);
  } else if (n.op == EXPR_NEG) {
    add_terms(w, n.a, -sign);
  } else if (node > 0 && w->nterm < w->n) {
    w->term[w->nterm++] = (shareTerm){node, sign};
  }
}


// coordinates are needed in any case: they are states of threads
static void mark_needed(shareWork *w)
{
  if (w->f->noutput > 1) add_terms(w, w->f->output[1].node[0], 1);
  for (int i = 0; i < w->nterm; i++) w->needed[w->term[i].node] = 1;
  for (int i = 0; i < w->f->output[0].n; i++) w->needed[w->f->output[0].node[i]] = 1;
  expr_mark_arguments(w->pool, w->n, w->needed);
  for (int v = 0; v < w->f->ninput; v++) {
    for (int i = 0; i < w->f->input[v].n; i++) w->needed[w->f->input[v].node[i]] = 1;
  }
}


static int count_operations(const shareWork *w)
{
  int n = 0;
  for (int i = 0; i < w->n; i++) n += w->needed[i] && draft_operations(w->pool, i);
  return n;
}


int eqn_share(eqnShares *s, const eqnProgram *program, const eqnFunction *f, int least,
              baseArena *arena)
{
  shareWork w = {.shares = s, .program = program, .f = f, .pool = program->pool, .arena = arena};
  *s = (eqnShares){0};
  w.n = w.pool->count;
  if (!may_share(program, f)) return 1;
  if (!family_find(&w.tree, program, arena) || !take_room(&w)) return 0;
  if (w.tree.n == 0) return 1;
  rank_links(&w);
  mark_needed(&w);
  if (count_operations(&w) < least) return 1;
  find_members(&w);
  count_threads(&w);
  find_late(&w);
  choose_carrier(&w);
  if (s->nthread > MOST_THREADS || !is_plain(&w) || !accelerations_match(&w, &f->output[0]) ||
      !terms_match(&w) || !find_slots(&w) || !give_results(&w, &f->output[0])) {
    s->n = 0;
    return 1;
  }
  for (int g = 0; g < s->n; g++) {
    if (!make_function(&w, g)) return 0;
  }
  return make_threads(&w) && !expr_failed(w.pool);
}
