// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Branches on MPI ranks: the contents of messages to them and back, for each phase or in one round
// trip per evaluation. The same function writes a message on one side and reads it on the other.
//
// In one round trip a rank returns its contribution to J M^-1 J^T, the motion at the cuts, and
// those parts of its articulated bodies that the later phases read; rank 0 then runs these phases
// alone. That is faster where messages take longer than these phases: with few links, or over a
// network.
#include "method/workers.h"

#include <string.h>

#include "base/memory.h"
#include "method/method.h"
#include "par/mpi.h"

//---- parcels -------------------------------------------------------------------------------------

typedef enum parcelUse { PARCEL_COUNT, PARCEL_WRITE, PARCEL_READ } parcelUse;

// an array of numbers in a message
typedef struct parcel {
  parcelUse use;
  long n;
  double *number;
} parcel;


static void pass_parcel_numbers(parcel *p, void *x, long n)
{
  const size_t size = (size_t) n * sizeof(double);
  if (p->use == PARCEL_WRITE) memcpy(p->number + p->n, x, size);
  if (p->use == PARCEL_READ) memcpy(x, p->number + p->n, size);
  p->n += n;
}

#define PASS(p, object)                                                                            \
  pass_parcel_numbers(p, &(object), (long) (sizeof(object) / (sizeof(double))))


static void pass_flag(parcel *p, int *flag)
{
  double x = *flag;
  PASS(p, x);
  if (p->use == PARCEL_READ) *flag = (int) x;
}


//---- contents of messages ------------------------------------------------------------------------

// the branch that is being packed or unpacked
typedef struct parcelBranch {
  const artModel *m;
  artData *d;
  struct methodRecursive *r;
  recursiveBranch *branch;
  int stands_on_base;
} parcelBranch;

typedef void parcelPart(parcel *p, const parcelBranch *b);


// pass the entries of x that belong to velocity coordinates of its joints
static void pass_velocities(parcel *p, const parcelBranch *b, double *x)
{
  const treeModel *t = &b->m->tree;
  const int first = b->branch->links.inner, end = b->branch->links.end;
  if (first == end) return;
  const int from = t->link[first].v0, to = end < t->n ? t->link[end].v0 : t->nv;
  pass_parcel_numbers(p, x + from, to - from);
}


static void pass_positions(parcel *p, const parcelBranch *b)
{
  const treeModel *t = &b->m->tree;
  const int first = b->branch->links.inner, end = b->branch->links.end;
  if (first == end) return;
  const int from = t->link[first].q0, to = end < t->n ? t->link[end].q0 : t->nq;
  pass_parcel_numbers(p, b->d->q + from, to - from);
  if (p->use == PARCEL_READ) tree_place_some(t, &b->d->work->tree, b->d->q, first, end);
}


// state, forces, and the motion of the root as found by the base
static void state_out(parcel *p, const parcelBranch *b)
{
  artWorkspace *w = b->d->work;
  const treeBranch links = b->branch->links;
  pass_positions(p, b);
  pass_velocities(p, b, b->d->v);
  pass_velocities(p, b, b->d->force);
  pass_velocities(p, b, b->d->a);
  if (b->m->nelement > 0) {
    if (p->use == PARCEL_READ) w->tree.f_ext = w->applied;
    for (int i = links.inner; i < links.end; i++) PASS(p, w->applied[i]);
  }
  if (!b->stands_on_base) return;
  PASS(p, w->tree.body[links.first].omega);
  PASS(p, w->tree.art[links.first]);
}


// motion of the open tree, as far as constraints need it
static void motion_back(parcel *p, const parcelBranch *b)
{
  const treeBranch links = b->branch->links;
  pass_flag(p, &b->branch->is_weak);
  for (int k = 0; k < b->branch->n; k++) {
    const constraintWay *way = b->branch->way[k].way;
    if (way->kind == WAY_RELATION) continue;
    for (int side = 0; side < 2; side++) {
      const int i = way->end[side];
      if (i < links.inner || i >= links.end) continue;
      PASS(p, b->d->work->tree.body[i].omega);
      PASS(p, b->d->work->tree.body[i].acc);
    }
  }
  if (b->m->nrelation > 0) pass_velocities(p, b, b->d->a);
}


static void move_out(parcel *p, const parcelBranch *b)
{
  if (b->stands_on_base) PASS(p, b->d->work->tree.body[b->branch->links.first].acc);
}


static void pass_base_motion_back(parcel *p, const parcelBranch *b)
{
  if (b->stands_on_base) motion_back(p, b);
}


static void rows_out(parcel *p, const parcelBranch *b)
{
  int set = (int) b->r->set;
  pass_flag(p, &set);
  b->r->set = (rowSet) set;
  for (int k = 0; k < b->branch->n; k++) {
    constraintWay *way = b->branch->way[k].way;
    if (way->kind == WAY_RELATION) {
      // derivatives of a relation with respect to coordinates
      const modelRelation *r = &b->m->relation[way->index];
      loopMatrix *J = &b->d->work->loop->rows.J;
      pass_parcel_numbers(p, J->value + J->start[r->row], J->start[r->row + 1] - J->start[r->row]);
    } else {
      PASS(p, way->unit);
    }
  }
}


static void rows_back(parcel *p, const parcelBranch *b)
{
  const long n = b->branch->nrow;
  if (n == 0) return;
  pass_parcel_numbers(p, b->branch->row[0], n * n);
  if (b->stands_on_base)
    pass_parcel_numbers(p, b->branch->root, n * (long) (sizeof(wrench) / sizeof(double)));
}


static void inward_out(parcel *p, const parcelBranch *b)
{
  state_out(p, b);
  rows_out(p, b);
}


static void inward_back(parcel *p, const parcelBranch *b)
{
  if (b->stands_on_base) {
    PASS(p, b->d->work->tree.art[b->branch->links.first]);
  } else {
    motion_back(p, b);
  }
  rows_back(p, b);
}


// Articulated bodies as far as recursive_rows, recursive_respond and (if the base moves)
// recursive_move read them.
static void articulated_back(parcel *p, const parcelBranch *b)
{
  const treeModel *t = &b->m->tree;
  for (int i = b->branch->links.inner; i < b->branch->links.end; i++) {
    treeArticulated *art = &b->d->work->tree.art[i];
    if (t->link[i].nv > 1) PASS(p, *art);
    if (t->link[i].nv == 1 && recursive_yields(&t->link[i])) {
      PASS(p, art->U);
      PASS(p, art->D);
    }
    if (!b->stands_on_base) continue;
    PASS(p, b->d->work->tree.body[i].omega);
    if (t->link[i].nv > 1) continue;
    PASS(p, art->u);
    PASS(p, art->c);
    PASS(p, art->e);
  }
}


// Everything that rank 0 needs to finish an evaluation alone. Its response to the multipliers is
// added to the accelerations of all links, but only those at the cuts are sent.
static void everything_back(parcel *p, const parcelBranch *b)
{
  treeBody *body = b->d->work->tree.body;
  for (int i = b->branch->links.inner; i < b->branch->links.end && p->use == PARCEL_READ; i++) {
    body[i].acc = (motion){{0, 0, 0}, {0, 0, 0}};
  }
  inward_back(p, b);
  articulated_back(p, b);
  if (!b->stands_on_base && b->m->nrelation == 0) pass_velocities(p, b, b->d->a);
}


static void respond_out(parcel *p, const parcelBranch *b)
{
  for (int k = 0; k < b->branch->n; k++) {
    constraintWay *way = b->branch->way[k].way;
    if (way->kind == WAY_RELATION) {
      PASS(p, b->d->work->loop->rows.lambda[b->m->relation[way->index].row]);
    } else {
      PASS(p, way->push);
    }
  }
}


static void respond_back(parcel *p, const parcelBranch *b)
{
  if (b->stands_on_base) {
    PASS(p, b->r->f[b->branch->links.first]);
  } else {
    pass_velocities(p, b, b->d->a);
  }
}


static void spread_out(parcel *p, const parcelBranch *b)
{
  if (b->stands_on_base) PASS(p, b->r->f[b->branch->links.first]);
}


static void spread_back(parcel *p, const parcelBranch *b)
{
  if (b->stands_on_base) pass_velocities(p, b, b->d->a);
}


//---- messages ------------------------------------------------------------------------------------

// message tags: one per phase, and two more
typedef struct rankPhase {
  recursivePhase *phase;
  parcelPart *out, *back;
} rankPhase;

static const rankPhase phases[] = {
    {recursive_inward, inward_out, inward_back}, {recursive_move, move_out, pass_base_motion_back},
    {recursive_rows, rows_out, rows_back},       {recursive_respond, respond_out, respond_back},
    {recursive_spread, spread_out, spread_back}, {recursive_inward, inward_out, everything_back},
};

enum { PHASES = sizeof phases / sizeof phases[0], ONE_TRIP = PHASES - 1, TAG_START = 100, TAG_END };

struct methodRanks {
  int size;
  int *worker; // [branches]
  double limit;
  double *number;  // buffer for the longest message
  int in_one_trip; // rank 0 runs the phases after recursive_inward
  long trips;      // round trips so far
  int is_lost;
};

// data of rank 0 that the others check when they start
typedef struct rankStart {
  unsigned long long model;
  double limit;
} rankStart;


// all branches of a rank, in order
static void fill_branch_parcel(parcel *p, const methodRanks *ranks, int rank, parcelPart *part,
                               const artModel *m, artData *d)
{
  ART_ASSERT(rank >= 0 && rank < ranks->size);
  struct methodRecursive *r = recursive_of(d);
  for (int i = 0; i < r->tree.n; i++) {
    recursiveBranch *branch = &r->branch[i];
    if (ranks->worker[i] != rank) continue;
    const parcelBranch b = {m, d, r, branch, branch->links.inner > branch->links.first};
    part(p, &b);
  }
}


static size_t bytes_of(const methodRanks *ranks, int rank, parcelPart *part, const artModel *m,
                       artData *d)
{
  parcel p = {.use = PARCEL_COUNT};
  fill_branch_parcel(&p, ranks, rank, part, m, d);
  return (size_t) p.n * sizeof(double);
}


static void destroy_branch_ranks(methodRanks *ranks)
{
  mem_free(ranks->worker);
  mem_free(ranks->number);
  mem_free(ranks);
}


static methodRanks *create_branch_ranks(const artModel *m, artData *d, const int *worker,
                                        double limit)
{
  methodRanks *ranks = mem_alloc(1, sizeof *ranks);
  if (!ranks) return NULL;
  const size_t n = (size_t) recursive_of(d)->tree.n;
  size_t most = sizeof(double);
  ranks->size = par_mpi_size();
  ranks->limit = limit;
  ranks->worker = MEM_ARRAY(int, n);
  if (ranks->worker) memcpy(ranks->worker, worker, n * sizeof *worker);
  for (int k = 0; ranks->worker && k < PHASES; k++) {
    for (int rank = 1; rank < ranks->size; rank++) {
      const size_t out = bytes_of(ranks, rank, phases[k].out, m, d);
      const size_t back = bytes_of(ranks, rank, phases[k].back, m, d);
      most = out > most ? out : most;
      most = back > most ? back : most;
    }
  }
  ranks->number = mem_alloc(most, 1);
  if (ranks->worker && ranks->number) return ranks;
  destroy_branch_ranks(ranks);
  return NULL;
}


static artStatus send_part(methodRanks *ranks, int rank, int tag, int of, parcelPart *part,
                           const artModel *m, artData *d, artError *error)
{
  parcel p = {.use = PARCEL_WRITE, .number = ranks->number};
  fill_branch_parcel(&p, ranks, of, part, m, d);
  return par_mpi_send(ranks->number, (size_t) p.n * sizeof(double), rank, tag, ranks->limit, error);
}


static artStatus receive_part(methodRanks *ranks, int rank, int tag, int of, parcelPart *part,
                              const artModel *m, artData *d, artError *error)
{
  ART_ASSERT(rank >= 0 && rank < ranks->size);
  const size_t size = bytes_of(ranks, of, part, m, d);
  const artStatus status = par_mpi_receive(ranks->number, size, rank, tag, ranks->limit, error);
  parcel p = {.use = PARCEL_READ, .number = ranks->number};
  if (status == ART_OK) fill_branch_parcel(&p, ranks, of, part, m, d);
  return status;
}


//---- rank 0 --------------------------------------------------------------------------------------


artStatus ranks_start(methodRanks **out, const artModel *m, artData *d, const int *worker,
                      double limit, artError *error)
{
  const rankStart begin = {art_model_hash(m), limit};
  const struct methodRecursive *r = recursive_of(d);
  const size_t branches = (size_t) r->tree.n * sizeof *worker;
  methodRanks *ranks = create_branch_ranks(m, d, worker, limit);
  *out = ranks;
  if (!ranks) return base_no_memory(error);
  artStatus status = ART_OK;
  for (int rank = 1; rank < ranks->size && status == ART_OK; rank++) {
    status = par_mpi_send(&begin, sizeof begin, rank, TAG_START, limit, error);
    if (!status) status = par_mpi_send(r->keep, (size_t) m->nrow, rank, TAG_START, limit, error);
    if (!status) status = par_mpi_send(worker, branches, rank, TAG_START, limit, error);
  }
  if (status != ART_OK) ranks->is_lost = 1;
  return status;
}


static artStatus share_branch_phase(methodRanks *ranks, int k, const artModel *m, artData *d,
                                    artError *error)
{
  ART_ASSERT(k >= 0 && k < PHASES);
  const int n = recursive_of(d)->tree.n;
  artStatus status = ART_OK;
  for (int rank = 1; rank < ranks->size && status == ART_OK; rank++) {
    status = send_part(ranks, rank, k, rank, phases[k].out, m, d, error);
  }
  for (int b = 0; b < n && status == ART_OK; b++) {
    if (ranks->worker[b] == 0) phases[k].phase(m, d, b);
  }
  for (int rank = 1; rank < ranks->size && status == ART_OK; rank++) {
    status = receive_part(ranks, rank, k, rank, phases[k].back, m, d, error);
  }
  ranks->trips++;
  if (status != ART_OK) ranks->is_lost = 1;
  return status;
}


void ranks_use_one_trip(methodRanks *ranks, int in_one_trip)
{
  ranks->in_one_trip = in_one_trip;
}


long ranks_trips(const methodRanks *ranks)
{
  return ranks->trips;
}


artStatus ranks_run(methodRanks *ranks, const artModel *m, artData *d, recursivePhase *phase,
                    artError *error)
{
  if (ranks->in_one_trip && phase == recursive_inward) {
    return share_branch_phase(ranks, ONE_TRIP, m, d, error);
  }
  for (int k = 0; k < ONE_TRIP && !ranks->in_one_trip; k++) {
    if (phases[k].phase == phase) return share_branch_phase(ranks, k, m, d, error);
  }

  // rank 0 finds positions of all links itself, because force elements and outputs read them
  const int n = recursive_of(d)->tree.n;
  for (int b = 0; b < n; b++) phase(m, d, b);
  return ART_OK;
}


void ranks_dismiss(void)
{
  for (int rank = 1; rank < par_mpi_size(); rank++) {
    par_mpi_send(NULL, 0, rank, TAG_END, PAR_MPI_LIMIT, NULL);
  }
}


void ranks_stop(methodRanks *ranks)
{
  if (!ranks || !ranks->is_lost) ranks_dismiss();
  if (ranks) destroy_branch_ranks(ranks);
}


//---- other ranks ---------------------------------------------------------------------------------


static artStatus begin_serving(methodRanks **out, const artModel *m, artData *d, artError *error)
{
  rankStart begin;
  char *keep = mem_alloc((size_t) m->nrow, 1);
  int *worker = MEM_ARRAY(int, m->tree.n);
  artStatus status = keep && worker ? ART_OK : base_no_memory(error);
  if (!status) status = par_mpi_receive(&begin, sizeof begin, 0, TAG_START, PAR_MPI_LIMIT, error);
  if (!status && begin.model != art_model_hash(m)) {
    status = base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "rank %d has read another model than rank 0: the file differs between the "
                       "machines",
                       par_mpi_rank());
  }
  const size_t rows = (size_t) m->nrow;
  if (!status) status = par_mpi_receive(keep, rows, 0, TAG_START, begin.limit, error);
  if (!status && !method_work(d)) status = base_no_memory(error);
  if (!status && !recursive_of(d)) status = recursive_start(m, d, keep, error);
  if (!status) {
    const size_t size = (size_t) recursive_of(d)->tree.n * sizeof *worker;
    status = par_mpi_receive(worker, size, 0, TAG_START, begin.limit, error);
  }
  if (!status && !(*out = create_branch_ranks(m, d, worker, begin.limit)))
    status = base_no_memory(error);
  mem_free(keep);
  mem_free(worker);
  return status;
}


static artStatus serve_branch_phase(methodRanks *ranks, int k, const artModel *m, artData *d,
                                    artError *error)
{
  ART_ASSERT(k >= 0 && k < PHASES);
  const int own = par_mpi_rank(), n = recursive_of(d)->tree.n;
  const artStatus status = receive_part(ranks, 0, k, own, phases[k].out, m, d, error);
  if (status != ART_OK) return status;
  d->work->tree.body[0] = (treeBody){.acc = {{0, 0, 0}, v3_neg(m->tree.gravity)}};
  for (int b = 0; b < n; b++) {
    if (ranks->worker[b] == own) phases[k].phase(m, d, b);
  }
  return send_part(ranks, 0, k, own, phases[k].back, m, d, error);
}


artStatus method_serve(const artModel *m, artData *d, artError *error)
{
  methodRanks *ranks = NULL;
  parMessage message;
  artStatus status = ART_OK;
  while (status == ART_OK) {
    status = par_mpi_next(&message, 0, error);
    if (status != ART_OK || message.tag == TAG_END) break;
    if (message.tag == TAG_START) {
      status = begin_serving(&ranks, m, d, error);
    } else {
      status = serve_branch_phase(ranks, message.tag, m, d, error);
    }
  }
  if (status == ART_OK) status = par_mpi_receive(NULL, 0, 0, TAG_END, PAR_MPI_LIMIT, error);
  if (ranks) destroy_branch_ranks(ranks);
  return status;
}
