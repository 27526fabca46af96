// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Partition of a function among threads.
//
// A node that depends on one branch only (apart from the trunk) belongs to that branch if all
// branches of the family have a counterpart: its colour, a hash of its expression in which symbols
// count by their position within the branch, occurs exactly once in each. All other nodes belong to
// the trunk. Trunk nodes that depend on values handed over by branches are late, and so are branch
// nodes that read late nodes.
#include "eqn/share.h"

#include <string.h>

#include "base/hash.h"
#include "base/throw.h"
#include "eqn/list_builder.h"

enum { MAX_THREADS = 8 };

// a term of the power, which is a sum
typedef struct shareTerm {
  int node, sign;
} shareTerm;

typedef struct shareWork {
  eqnShares *shares;
  const eqnProgram *program;
  const eqnFunction *f;
  exprPool *pool;
  familyTree tree;
  int least; // minimum number of operations
  baseArena *arena;
  int n;     // nodes of the pool at the start
  int *rank; // [nlink] index of a link within its branch
  unsigned char *needed, *is_trunk, *is_settled, *is_late; // [n]
  familyNodes nodes;                                       // [n] family 0: trunk
  const familyMember **twin; // [n] for a node of a first branch: its counterparts in all branches
  int *first_one; // [n] for a node of a branch: its counterpart in the first branch, -1: none
  // [n] for a node of a first branch: slot from 1 among the values handed over; for a trunk node:
  // among the values given
  int *slot;
  unsigned char *has; // [families n] for symbols: do threads of the family have it?
  int *now;           // [n] node in the function under construction
  familyMember *member;
  int nterm;
  shareTerm *term; // terms of the power
} shareWork;

//---- colours -------------------------------------------------------------------------------------

static int share_link_of(const shareWork *w, int symbol)
{
  return eqn_link_of(w->program, w->pool, symbol);
}


// smallest index among symbols with the same name and link
static int first_index(const shareWork *w, int symbol)
{
  const exprNode *n = w->pool->nodes, *s = &n[symbol];
  int first = s->index;
  for (int i = 0; i < w->n; i++) {
    if (n[i].op != EXPR_SYMBOL || n[i].index >= first || strcmp(n[i].name, s->name) != 0) continue;
    if (share_link_of(w, i) == share_link_of(w, symbol)) first = n[i].index;
  }
  return first;
}


static uint64_t colour_of_symbol(const shareWork *w, int node)
{
  const exprNode *n = &w->pool->nodes[node];
  const uint64_t name = base_hash(BASE_HASH_EMPTY, n->name, strlen(n->name));
  const int place = n->index - first_index(w, node);
  const uint64_t family = family_mix(name, (uint64_t) w->nodes.family[node]);
  return family_mix(family_mix(family, (uint64_t) w->rank[share_link_of(w, node)]),
                    (uint64_t) place);
}


static uint64_t share_colour_of(const shareWork *w, int node)
{
  const uint64_t known = w->nodes.colour[node];
  const int is_symbol = w->pool->nodes[node].op == EXPR_SYMBOL && w->nodes.family[node] > 0;
  if (!is_symbol) return family_colour(&w->nodes, node);
  return known ? known : colour_of_symbol(w, node);
}

//---- nodes of branches ---------------------------------------------------------------------------

// n nodes of one colour are counterparts if there is exactly one in each branch
static void match_members(shareWork *w, const familyMember *m, int n)
{
  ART_ASSERT(n > 0);
  int are_twins = n == w->tree.size[m->family];
  for (int i = 0; i < n && are_twins; i++) are_twins = m[i].copy == i;
  for (int i = 0; i < n; i++) w->first_one[m[i].node] = are_twins ? m[0].node : -1;
  w->twin[m[0].node] = are_twins ? m : NULL;
}


// Assign nodes without counterparts, whose arguments are all settled, to the trunk. Returns their
// number: dependent nodes must then be checked again.
static int give_to_trunk(shareWork *w)
{
  int count = 0;
  for (int i = 0; i < w->n; i++) {
    w->is_settled[i] = 1;
    for (int k = 0; w->needed[i] && k < expr_argument_count(w->pool, i); k++) {
      w->is_settled[i] &= w->is_settled[expr_argument(w->pool, i, k)];
    }
    if (!w->needed[i] || !w->is_settled[i] || w->nodes.family[i] == 0 || w->first_one[i] >= 0)
      continue;
    w->is_trunk[i] = 1;
    w->is_settled[i] = 0;
    count++;
  }
  return count;
}


// repeat until all nodes of branches have counterparts
static void find_members(shareWork *w)
{
  do {
    int n = 0;
    for (int i = 0; i < w->n; i++) {
      if (!w->needed[i]) continue;
      family_find_branch(&w->nodes, i);
      if (w->is_trunk[i]) w->nodes.family[i] = 0;
      w->nodes.colour[i] = share_colour_of(w, i);
      if (w->nodes.family[i] > 0) w->member[n++] = family_member(&w->nodes, i);
    }
    family_sort_members(n, w->member);
    for (int i = 0, k; i < n; i += k) {
      k = family_count_alike(&w->member[i], n - i);
      match_members(w, &w->member[i], k);
    }
  } while (give_to_trunk(w) > 0);
}

//---- values handed over --------------------------------------------------------------------------

static eqnShare *share_of_node(const shareWork *w, int node)
{
  ART_ASSERT(w->nodes.family[node] > 0 && w->nodes.family[node] <= w->shares->n);
  return &w->shares->share[w->nodes.family[node] - 1];
}


// Assign slots: branch nodes that the trunk reads are handed over and must not be late (else returns
// 0); late trunk nodes that branches of other families read are given by the carrier.
static int find_share_slots(shareWork *w)
{
  eqnShares *s = w->shares;
  for (int i = 0; i < w->n; i++) {
    for (int k = 0; w->needed[i] && k < expr_argument_count(w->pool, i); k++) {
      const int a = expr_argument(w->pool, i, k), is_of_branch = w->nodes.family[a] > 0;
      if (w->nodes.family[i] == 0 && is_of_branch) {
        int *slot = &w->slot[w->first_one[a]];
        if (w->is_late[a]) return 0;
        if (*slot == 0) *slot = ++share_of_node(w, a)->nhand;
      }
      const int is_given = w->nodes.family[i] > 0 && w->nodes.family[i] != s->carrier + 1;
      if (is_given && !is_of_branch && w->is_late[a] && w->slot[a] == 0) w->slot[a] = ++s->ngiven;
    }
  }
  for (int i = 0; i < s->n; i++) {
    s->share[i].first = s->nmet;
    s->nmet += s->share[i].nhand * s->share[i].members;
  }
  return 1;
}


// Trunk states that threads of a family have. The carrier has all of them. Others have the
// velocities that they read, or all of them if they read positions; late nodes are given to them.
static void find_states(shareWork *w, int g)
{
  const eqnVector *q = eqn_input(w->f, "q");
  unsigned char *has = w->has + g * w->n;
  int reads_position = g == w->shares->carrier;
  for (int i = w->n - 1; i >= 0; i--) {
    has[i] |= w->needed[i] && w->nodes.family[i] == g + 1 && w->nodes.copy[i] == 0;
    for (int k = 0; has[i] && k < expr_argument_count(w->pool, i); k++) {
      const int a = expr_argument(w->pool, i, k);
      has[a] |= w->nodes.family[a] > 0 || !w->is_late[a];
    }
  }
  for (int i = 0; q && i < q->n; i++) {
    reads_position |= has[q->node[i]] && w->nodes.family[q->node[i]] == 0;
  }
  for (int i = 0; i < w->n; i++) {
    const int is_symbol = w->pool->nodes[i].op == EXPR_SYMBOL && w->nodes.family[i] == 0;
    if (is_symbol && reads_position) has[i] = 1;
  }
}


// accelerations of the trunk, for threads that have the velocities
static int give_results(shareWork *w, const eqnVector *a)
{
  const eqnVector *v = eqn_input(w->f, "v");
  if (!v || v->n != a->n) return 0;
  for (int g = 0; g < w->shares->n; g++) {
    find_states(w, g);
    for (int i = 0; i < a->n; i++) {
      const int node = a->node[i], is_needed = w->has[g * w->n + v->node[i]];
      const int is_late = w->nodes.family[node] == 0 && w->is_late[node] && g != w->shares->carrier;
      if (is_late && is_needed && w->slot[node] == 0) w->slot[node] = ++w->shares->ngiven;
    }
  }
  return 1;
}


// Does the thread of each coordinate have its acceleration? Accelerations of a branch must be
// counterparts where the velocities are, or one common number; accelerations of the trunk must
// belong to the trunk.
static int accelerations_match(const shareWork *w, const eqnVector *a)
{
  const eqnVector *v = eqn_input(w->f, "v");
  if (!v || v->n != a->n) return 0;
  for (int i = 0; i < v->n; i++) {
    const int speed = v->node[i], first = w->first_one[speed];
    if (w->nodes.family[speed] == 0 && w->nodes.family[a->node[i]] != 0) return 0;
    if (w->nodes.family[speed] == 0) continue;
    int k = 0;
    while (k < v->n && v->node[k] != first) k++;
    if (k == v->n) return 0;
    const familyMember *twin = w->nodes.family[a->node[k]] > 0 ? w->twin[a->node[k]] : NULL;
    if (a->node[i] != (twin ? twin[w->nodes.copy[speed]].node : a->node[k])) return 0;
    if (twin ? w->nodes.family[a->node[k]] != w->nodes.family[speed] : w->is_late[a->node[k]])
      return 0;
  }
  return 1;
}


// Does every branch have the same power terms as the first one, with the same signs?
static int terms_match(const shareWork *w)
{
  int *sum = w->now; // unused so far
  for (int i = 0; i < w->nterm; i++) sum[w->term[i].node] += w->term[i].sign;
  for (int i = 0; i < w->nterm; i++) {
    const int node = w->term[i].node;
    const familyMember *twin = w->nodes.family[node] > 0 ? w->twin[w->first_one[node]] : NULL;
    for (int k = 0; twin && k < w->tree.size[w->nodes.family[node]]; k++) {
      if (sum[twin[k].node] != sum[node]) return 0;
    }
  }
  return 1;
}


// The family with most operations: while threads of other families wait, they need fewer registers.
static void choose_carrier(shareWork *w)
{
  long most = -1;
  for (int g = 0; g < w->shares->n; g++) {
    long operations = 0;
    for (int i = 0; i < w->n; i++) {
      const int is_first = w->needed[i] && w->nodes.family[i] == g + 1 && w->nodes.copy[i] == 0;
      operations += is_first && list_builder_operations(w->pool, i);
    }
    if (operations <= most) continue;
    most = operations;
    w->shares->carrier = g;
  }
}

//---- functions -----------------------------------------------------------------------------------

// node for an argument in the function of a family
static int argument_now(const shareWork *w, int node, int a)
{
  if (w->nodes.family[node] > 0 || w->nodes.family[a] == 0) return w->now[a];
  const eqnShare *s = share_of_node(w, a);
  const int at = s->first + w->nodes.copy[a] * s->nhand + w->slot[w->first_one[a]] - 1;
  return expr_symbol(w->pool, "met", at);
}


static int rebuild_share_node(const shareWork *w, int node)
{
  ART_ASSERT(expr_argument_count(w->pool, node) <= 3);
  int a[3] = {0}, is_same = 1;
  for (int k = 0; k < expr_argument_count(w->pool, node); k++) {
    const int before = expr_argument(w->pool, node, k);
    a[k] = argument_now(w, node, before);
    is_same &= a[k] == before;
  }
  return is_same ? node : expr_with(w->pool, node, a);
}


static void rebuild_share_nodes(shareWork *w, int family)
{
  const int before = w->pool->is_solving, is_carrier = family == w->shares->carrier + 1;
  expr_solving(w->pool, 1);
  for (int i = 0; i < w->n; i++) {
    const int is_own = w->nodes.family[i] == family && w->nodes.copy[i] == 0;
    if (!w->needed[i]) continue;
    if (is_own || (w->nodes.family[i] == 0 && (!w->is_late[i] || is_carrier))) {
      w->now[i] = rebuild_share_node(w, i);
    } else if (w->nodes.family[i] == 0 && w->slot[i] > 0) {
      w->now[i] = expr_symbol(w->pool, "given", w->slot[i] - 1);
    } else {
      w->now[i] = 0;
    }
  }
  expr_solving(w->pool, before);
}


static eqnVector share_symbols(const shareWork *w, const char *name, const char *what, int n)
{
  eqnVector v = {.name = name, .what = what, .n = n};
  ARENA_TAKE(w->arena, v.node, n);
  for (int i = 0; i < n; i++) v.node[i] = expr_symbol(w->pool, name, i);
  return v;
}


// vector[slot] = node for nodes of a family (0: trunk); threads synchronise afterwards
static eqnStage share_assignment(const shareWork *w, const char *title, const eqnVector *to,
                                 int family, int meets)
{
  eqnStage s = {.title = title, .group = GROUP_BACKWARD, .kind = STAGE_ASSIGN, .meets = meets};
  s.unknown = to->node;
  s.nunknown = to->n;
  ARENA_TAKE(w->arena, s.correction, to->n);
  for (int i = 0; i < w->n; i++) {
    const int is_there = w->needed[i] && w->slot[i] > 0 && w->nodes.family[i] == family;
    if (is_there) s.correction[w->slot[i] - 1] = w->now[i];
  }
  return s;
}


// sum of the power terms of a branch (family 0: of the trunk)
static int sum_of_terms(const shareWork *w, int family)
{
  int sum = 0;
  for (int i = 0; i < w->nterm; i++) {
    const int node = w->term[i].node;
    if (w->nodes.family[node] != family || (family > 0 && w->nodes.copy[node] > 0)) continue;
    sum = w->term[i].sign > 0 ? expr_add(w->pool, sum, w->now[node])
                              : expr_sub(w->pool, sum, w->now[node]);
  }
  return sum;
}


static void make_function(shareWork *w, int g)
{
  eqnShares *all = w->shares;
  eqnShare *share = &all->share[g];
  eqnFunction *f = &share->function;
  const int is_carrier = g == all->carrier;
  *f = *w->f;
  f->kind = EQN_BRANCH;
  f->name = arena_format(w->arena, "%s_limb_%d", w->f->name, g + 1);
  f->what = "The work of a thread of a branch";
  ARENA_TAKE(w->arena, f->input, w->f->ninput + 3);
  f->output = arena_copy(w->arena, w->f->output, (size_t) f->noutput, sizeof *f->output);
  ARENA_TAKE(w->arena, f->stage, 3);
  for (int i = 0; i < w->f->ninput; i++) f->input[i] = w->f->input[i];
  eqnVector *own = f->input + w->f->ninput;
  own[0] = share_symbols(w, "hand", "what the thread hands over", share->nhand);
  own[1] = share_symbols(w, "met", "what all threads have handed over", all->nmet);
  own[2] = share_symbols(w, "given", "what the carrier gives", all->ngiven);
  f->ninput += 3;
  rebuild_share_nodes(w, g + 1);
  if (f->noutput > 1) {
    // power of the branch; for threads of the carrier also power of the trunk
    eqnVector *power = &f->output[1];
    power->n = 2;
    power->label = NULL;
    ARENA_TAKE(w->arena, power->node, 2);
    power->node[0] = sum_of_terms(w, g + 1);
    power->node[1] = g == w->shares->carrier ? sum_of_terms(w, 0) : 0;
  }
  f->nstage = 0;
  f->stage[f->nstage++] = share_assignment(w, "the branch", &own[0], g + 1, is_carrier ? 1 : 2);
  if (is_carrier) f->stage[f->nstage++] = share_assignment(w, "the trunk", &own[2], 0, 1);
  f->stage[f->nstage++] = (eqnStage){.title = "accelerations", .group = GROUP_BACKWARD};
  eqnVector *a = &f->output[0];
  a->node = arena_copy(w->arena, w->f->output[0].node, (size_t) a->n, sizeof *a->node);
  for (int i = 0; i < a->n; i++) a->node[i] = w->now[a->node[i]];
}

//---- threads -------------------------------------------------------------------------------------

static void make_threads(shareWork *w)
{
  eqnShares *s = w->shares;
  const size_t nsymbol = (size_t) w->pool->symbol_count + 1;
  ARENA_TAKE(w->arena, s->twin, s->nthread);
  for (int g = 0; g < s->n; g++) {
    eqnShare *share = &s->share[g];
    unsigned char *is_own = arena_alloc(w->arena, nsymbol, 1);
    share->is_own = is_own;
    for (int k = 0; k < share->members; k++) {
      int *twin = s->twin[share->thread + k] = arena_alloc(w->arena, nsymbol, sizeof *twin);
      for (int i = 0; i < w->n; i++) {
        const exprNode *n = w->pool->nodes;
        if (n[i].op != EXPR_SYMBOL) continue;
        const int is_member = w->nodes.family[i] == g + 1 && w->nodes.copy[i] == 0;
        twin[n[i].a] = is_member ? n[w->twin[i][k].node].a : n[i].a;
        is_own[n[i].a] = is_member ? 1 : w->nodes.family[i] == 0 && w->has[g * w->n + i] ? 2 : 0;
      }
    }
  }
}


static void take_share_room(shareWork *w)
{
  const size_t n = (size_t) w->n;
  eqnShares *s = w->shares;
  ARENA_TAKE(w->arena, w->rank, w->program->nlink + 1);
  ARENA_TAKE(w->arena, w->needed, n);
  ARENA_TAKE(w->arena, w->is_trunk, n);
  ARENA_TAKE(w->arena, w->is_settled, n);
  ARENA_TAKE(w->arena, w->is_late, n);
  family_open_nodes(&w->nodes, n, w->arena);
  ARENA_TAKE(w->arena, w->twin, n);
  ARENA_TAKE(w->arena, w->first_one, n);
  ARENA_TAKE(w->arena, w->slot, n);
  ARENA_TAKE(w->arena, w->now, n);
  ARENA_TAKE(w->arena, w->has, n * (size_t) (w->tree.n + 1));
  ARENA_TAKE(w->arena, w->member, n);
  ARENA_TAKE(w->arena, w->term, n);
  ARENA_TAKE(w->arena, s->share, w->tree.n + 1);
}


// Are all needed nodes plain operations, and do all coordinates of branches have counterparts?
static int is_plain_function(const shareWork *w)
{
  for (int i = 0; i < w->n; i++) {
    const exprNode *n = &w->pool->nodes[i];
    if (w->needed[i] && (n->op == EXPR_CALL || n->op == EXPR_ELEMENT)) return 0;
  }
  for (int v = 0; v < w->f->ninput; v++) {
    for (int i = 0; i < w->f->input[v].n; i++) {
      const int node = w->f->input[v].node[i];
      const int is_symbol = w->pool->nodes[node].op == EXPR_SYMBOL;
      if (is_symbol && w->nodes.family[node] != w->tree.of[share_link_of(w, node)]) return 0;
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


static void add_share_terms(shareWork *w, int node, int sign)
{
  const exprNode n = w->pool->nodes[node];
  if (n.op == EXPR_ADD || n.op == EXPR_SUB) {
    add_share_terms(w, n.a, sign);
    add_share_terms(w, n.b, n.op == EXPR_SUB ? -sign : sign);
  } else if (n.op == EXPR_NEG) {
    add_share_terms(w, n.a, -sign);
  } else if (node > 0 && w->nterm < w->n) {
    w->term[w->nterm++] = (shareTerm){node, sign};
  }
}


static void find_thread_shares(void *context)
{
  shareWork *w = context;
  eqnShares *s = w->shares;
  w->pool->leaves = w->arena->leaves = 1;
  family_find(&w->tree, w->program, w->arena);
  take_share_room(w);
  if (w->tree.n == 0) return;
  const familyTree *t = &w->tree;
  for (int i = 1; i < w->program->nlink; i++) {
    for (int k = 1; k < i; k++) w->rank[i] += t->of[k] == t->of[i] && t->copy[k] == t->copy[i];
  }
  // coordinates are always needed, because they are states of threads
  if (w->f->noutput > 1) add_share_terms(w, w->f->output[1].node[0], 1);
  for (int i = 0; i < w->nterm; i++) w->needed[w->term[i].node] = 1;
  for (int i = 0; i < w->f->output[0].n; i++) w->needed[w->f->output[0].node[i]] = 1;
  expr_mark_arguments(w->pool, w->n, w->needed);
  for (int v = 0; v < w->f->ninput; v++) {
    for (int i = 0; i < w->f->input[v].n; i++) w->needed[w->f->input[v].node[i]] = 1;
  }
  int n = 0;
  for (int i = 0; i < w->n; i++) n += w->needed[i] && list_builder_operations(w->pool, i);
  if (n < w->least) return;
  find_members(w);
  count_threads(w);
  for (int i = 0; i < w->n; i++) {
    for (int k = 0; w->needed[i] && k < expr_argument_count(w->pool, i); k++) {
      const int a = expr_argument(w->pool, i, k);
      w->is_late[i] |= w->is_late[a] || (w->nodes.family[i] == 0 && w->nodes.family[a] > 0);
    }
  }
  choose_carrier(w);
  const eqnVector *a = &w->f->output[0];
  if (s->nthread > MAX_THREADS || !is_plain_function(w) || !accelerations_match(w, a) ||
      !terms_match(w) || !find_share_slots(w) || !give_results(w, a)) {
    s->n = 0;
    return;
  }
  for (int g = 0; g < s->n; g++) make_function(w, g);
  make_threads(w);
}


int eqn_share(eqnShares *s, const eqnProgram *program, const eqnFunction *f, int least,
              baseArena *arena)
{
  exprPool *pool = program->pool;
  shareWork w = {.shares = s,
                 .program = program,
                 .f = f,
                 .pool = pool,
                 .least = least,
                 .arena = arena,
                 .n = pool->count};
  w.nodes = (familyNodes){.tree = &w.tree, .program = program, .pool = pool};
  *s = (eqnShares){0};
  if (!may_share(program, f)) return 1;
  const bool is_done = error_catch(find_thread_shares, &w);
  pool->leaves = arena->leaves = 0;
  return is_done;
}
