// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The cheapest equations for accelerations of a machine: parameters, ways through the tree, partitions and cuts are
// tried one after the other and counted, each from the best so far, as long as the time for it lasts.
#include "study/generate/cheapest.h"

#include <string.h>

#include "base/error.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "eqn/list.h"
#include "loop/loop.h"
#include "model/read/reader.h"
#include "study/assemble/assemble.h"
#include "study/assemble/fork.h"

// operations that are recorded in all trials together: about two seconds, the same trials on every machine
static const long long most_work = 1500000;
enum { NAMES = 200, WHY_LENGTH = 250 };

//---- one trial -----------------------------------------------------------------------------------

// A variant. `lead` is the link whose coordinates stay independent, or LEAD_MOTORS, LEAD_NONE.
typedef struct variant {
  genParameters parameters;
  genForward forward;
  loopChoice partition;
  int lead;
} variant;

enum { LEAD_MOTORS = -1, LEAD_NONE = -2 };

static const variant plain = {GEN_CLASSICAL, GEN_CHEAPER, LOOP_SYMBOLIC, LEAD_NONE};

// a search in the making
typedef struct search {
  const artModel *model;
  const artData *data; // where the machine stands
  const genOptions *options;
  const cheapestAsk *ask;
  cheapestForm *choice;
  long long work; // operations recorded so far
  bool ran_out;   // of memory in a trial: the best is not known
  variant now;    // the best so far
  int ncut;       // joints of exchanges that have helped, two for each
  readerCut cut[CHEAPEST_CUTS];
  int nseen; // free coordinates of partitions that were counted
  unsigned seen[CHEAPEST_TRIALS];
} search;


static cheapestTrial *add_trial(search *s, const char *what)
{
  cheapestForm *c = s->choice;
  if (s->work > most_work || c->n == CHEAPEST_TRIALS) c->is_late = true;
  if (c->is_late) return NULL;
  cheapestTrial *trial = &c->trial[c->n++];
  *trial = (cheapestTrial){.operations = -1};
  snprintf(trial->what, sizeof trial->what, "%s", what);
  return trial;
}


// joints on the way from a link to ground
static void mark_path(const artModel *m, int link, char *prefer)
{
  ART_ASSERT(link >= 0 && link < m->tree.n);
  for (int i = link; i > 0; i = m->tree.link[i].parent) {
    const treeLink *on_path = &m->tree.link[i];
    for (int k = 0; k < on_path->nv; k++) prefer[on_path->v0 + k] = 1;
  }
}


static char *leading_coordinates(const artModel *m, int lead)
{
  char *prefer = MEM_ARRAY(char, m->tree.nv + 1);
  if (!prefer) return NULL;
  if (lead >= 0) mark_path(m, lead, prefer);
  for (int i = 1; lead == LEAD_MOTORS && i < m->tree.n; i++) {
    if (m->tree.link[i].parent == 0) mark_path(m, i, prefer);
  }
  return prefer;
}


static artStatus divide_coordinates(const search *s, const artModel *m, artData *d,
                                    const variant *v, artError *error)
{
  struct loopWork *loop = d->work->loop;
  artStatus status = study_ask_partition(m, d, s->ask->study, s->ask->independent, error);
  if (status == ART_OK) status = study_assemble(m, d, NULL, error);
  if (status == ART_OK) status = study_refuse_fork(m, d, error);
  if (status != ART_OK || (v->partition == LOOP_SYMBOLIC && v->lead == LEAD_NONE)) return status;
  char *prefer = v->lead == LEAD_NONE ? NULL : leading_coordinates(m, v->lead);
  if (v->lead != LEAD_NONE && !prefer) return base_no_memory(error);
  loop_forget(loop);
  loop->choice = v->partition;
  loop->prefer = prefer;
  status = loop_partition(m, d, error);
  loop->prefer = NULL;
  mem_free(prefer);
  if (status == ART_OK && loop->partition.condition > PARTITION_GOOD_CONDITION) {
    status =
        base_fail(error, ART_SINGULAR, base_nowhere(), "condition %.1e", loop->partition.condition);
  }
  return status;
}


// whether another choice has led to the same free coordinates already
static int is_partition_known(search *s, const loopPartition *p)
{
  unsigned mark = 2166136261u;
  for (int i = 0; i < p->nf; i++) mark = (mark ^ (unsigned) p->free[i]) * 16777619u;
  for (int i = 0; i < s->nseen; i++) {
    if (s->seen[i] == mark) return 1;
  }
  if (s->nseen < CHEAPEST_TRIALS) s->seen[s->nseen++] = mark;
  return 0;
}


// count one variant of a model; the data keeps the partition. A partition that is known is no trial
static void count_variant_operations(search *s, const artModel *m, artData *d, const variant *v,
                                     cheapestTrial *trial)
{
  artError error = {0};
  artStatus status = m->nrow > 0 ? divide_coordinates(s, m, d, v, &error) : ART_OK;
  if (status == ART_OK && m->nrow > 0 && is_partition_known(s, &d->work->loop->partition)) {
    s->choice->n--;
    return;
  }
  genOptions options = *s->options;
  options.forms = GEN_ACCELERATE;
  options.tangents = 0;
  options.is_present = 1;
  options.parameters = v->parameters;
  options.forward = v->forward;
  if (m->nrow > 0) options.independent = NULL; // the data has them
  eqnProgram *program = NULL;
  if (status == ART_OK) status = gen_create(&program, m, d, &options, &error);
  if (status == ART_OK) {
    const eqnOptions standard = eqn_default_options();
    eqnList *list = eqn_list_create(program, eqn_function(program, EQN_ACCELERATE), &standard);
    if (list) trial->operations = list->total.total;
    if (!list) status = base_no_memory(&error);
    s->work += program->pool->asked + (list ? list->pool->asked : 0);
    eqn_list_free(list);
    // blocks that the equations solve one after the other
    const eqnFunction *f = eqn_function(program, EQN_ACCELERATE);
    for (int i = 0; i < f->nstage; i++) {
      if (f->stage[i].block == 0) continue;
      trial->blocks++;
      trial->largest = max_int(trial->largest, f->stage[i].size);
    }
  }
  gen_free(program);
  if (status == ART_NO_MEMORY) s->ran_out = true;
  trial->status = status;
  snprintf(trial->why_not, sizeof trial->why_not, "%.*s", WHY_LENGTH, error.text);
}

//---- the best so far -----------------------------------------------------------------------------

static int is_trial_better(const search *s, const cheapestTrial *trial)
{
  const cheapestForm *c = s->choice;
  return trial->operations >= 0 &&
         (c->best < 0 || trial->operations < c->trial[c->best].operations);
}


// data of the best model, where the machine stands
static artData *new_data(const search *s)
{
  const artModel *m = s->choice->model;
  artData *d = art_create_data(m);
  if (!d || m != s->model) return d;
  memcpy(d->q, s->data->q, (size_t) m->tree.nq * sizeof *d->q);
  memcpy(d->v, s->data->v, (size_t) m->tree.nv * sizeof *d->v);
  d->time = s->data->time;
  return d;
}


// try a variant of the best model
static void try_variant(search *s, const char *what, variant v)
{
  cheapestTrial *trial = add_trial(s, what);
  artData *d = trial ? new_data(s) : NULL;
  if (trial && !d) s->ran_out = true;
  if (!d) return;
  count_variant_operations(s, s->choice->model, d, &v, trial);
  if (is_trial_better(s, trial)) {
    s->choice->best = (int) (trial - s->choice->trial);
    s->now = v;
    artData *old = s->choice->data;
    s->choice->data = d;
    d = old;
  }
  art_free_data(d);
}


static void take_model(search *s, artModel *m, artData *d, variant v)
{
  cheapestForm *c = s->choice;
  art_free_data(c->data);
  art_free_model(c->recut);
  c->model = c->recut = m;
  c->data = d;
  s->now = v;
}


// try the model with other cuts, with the best kind of parameters; returns its count
static int try_cuts(search *s, const char *what, int ncut, const readerCut *cut)
{
  ART_ASSERT(ncut >= 0 && ncut <= CHEAPEST_CUTS);
  cheapestTrial *trial = add_trial(s, what);
  if (!trial) return -1;
  trial->is_recut = true;
  variant v = plain;
  v.parameters = s->now.parameters;
  artModel *m = NULL;
  artData *d = NULL;
  s->nseen = 0;
  artError error = {0};
  artStatus status = reader_load_recut(&m, s->ask->file, ncut, cut, &error);
  if (status == ART_OK) status = s->ask->attach(s->ask->context, m, &error);
  if (status == ART_OK) {
    d = art_create_data(m);
    if (d) count_variant_operations(s, m, d, &v, trial);
    if (!d) s->ran_out = true;
  } else {
    if (error.status == ART_NO_MEMORY) s->ran_out = true;
    snprintf(trial->why_not, sizeof trial->why_not, "%.*s", WHY_LENGTH, error.text);
  }
  const int operations = trial->operations;
  if (d && s->ask->may_recut && is_trial_better(s, trial)) {
    s->choice->best = (int) (trial - s->choice->trial);
    take_model(s, m, d, v);
    return operations;
  }
  art_free_data(d);
  art_free_model(m);
  return operations;
}

//---- variants of a model -------------------------------------------------------------------------

static const char *body_of_link(const artModel *m, int link)
{
  for (int i = 0; i < m->nbody; i++) {
    if (m->body[i].link == link) return m->body[i].name;
  }
  return NULL;
}


// bodies at which loops are cut, with the loops that end there; the most first
static int find_leaders(search *s, const artModel *m, int most, int *leader)
{
  int *ends = MEM_ARRAY(int, m->tree.n + 1), n = 0;
  if (!ends) s->ran_out = true;
  if (!ends) return 0;
  for (int c = 0; c < m->ncut; c++) {
    for (int side = 0; side < 2; side++) ends[m->cut[c].side[side].link]++;
  }
  ends[0] = 0;
  while (n < most) {
    int best = 0;
    for (int i = 1; i < m->tree.n; i++) {
      if (ends[i] > ends[best]) best = i;
    }
    if (best == 0) break;
    leader[n++] = best;
    ends[best] = 0;
  }
  mem_free(ends);
  return n;
}


static void try_partitions(search *s)
{
  enum { LEADERS = 6 };
  const artModel *m = s->choice->model;
  int leader[LEADERS];
  variant v = plain;
  if (study_asks_partition(s->model, s->ask->study, s->ask->independent)) return;
  v.parameters = s->now.parameters;
  v.partition = LOOP_NUMERIC;
  try_variant(s, "partition by the largest pivots", v);
  v.lead = LEAD_MOTORS;
  try_variant(s, "partition led by the joints at ground", v);
  const int n = find_leaders(s, m, LEADERS, leader);
  for (int i = 0; i < n; i++) {
    char what[NAMES];
    const char *name = body_of_link(m, leader[i]);
    if (!name) continue;
    snprintf(what, sizeof what, "partition led by body '%.100s'", name);
    v.lead = leader[i];
    try_variant(s, what, v);
  }
}


static void try_tree(search *s)
{
  variant v = plain;
  const int may_pay = gen_factors_may_pay(s->model);
  v.forward = GEN_BY_FACTORS;
  if (may_pay) try_variant(s, "factors of the mass matrix", v);
  v.forward = GEN_IN_ORDER_N;
  try_variant(s, "O(n)", v);
  v.parameters = GEN_BARYCENTRIC;
  try_variant(s, "O(n), minimal parameters", v);
  if (!may_pay) return;
  v.forward = GEN_BY_FACTORS;
  try_variant(s, "factors of the mass matrix, minimal parameters", v);
}

//---- cuts ----------------------------------------------------------------------------------------

static int joint_at(const artModel *m, int link)
{
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    if (!joint->is_cut && link >= joint->link && link < joint->link + joint->nlink) return j;
  }
  return -1;
}


static int is_above(const artModel *m, int link, int above)
{
  ART_ASSERT(link >= 0 && above >= 0);
  while (link > above) link = m->tree.link[link].parent;
  return link == above;
}


// exchange a cut with a joint of its loop
static int try_exchange(search *s, const modelCut *cut, int joint, int best, readerCut pair[2])
{
  const artModel *m = s->model;
  const readerCut trial[2] = {{m->joint[joint].name, -1}, {m->joint[cut->joint].name, 0}};
  char what[NAMES];
  snprintf(what, sizeof what, "cut at '%.80s' instead of '%.80s'", trial[0].joint, trial[1].joint);
  const int operations = try_cuts(s, what, 2, trial);
  if (operations < 0 || operations >= best) return best;
  memcpy(pair, trial, sizeof trial);
  return operations;
}


// the joints of the loop that a cut closes, from both sides up to where they meet
static void try_loop(search *s, const modelCut *cut, int start)
{
  const artModel *m = s->model;
  readerCut pair[2];
  int best = start;
  for (int side = 0; side < 2; side++) {
    const int other = cut->side[1 - side].link;
    int last = cut->joint; // whose links lead to a twin
    for (int i = cut->side[side].link; i > 0 && !is_above(m, other, i);
         i = m->tree.link[i].parent) {
      const int j = joint_at(m, i);
      if (j >= 0 && j != last) best = try_exchange(s, cut, j, best, pair);
      last = j;
    }
  }
  if (best >= start || s->ncut + 2 > CHEAPEST_CUTS) return;
  memcpy(s->cut + s->ncut, pair, sizeof pair);
  s->ncut += 2;
}


// cuts that somebody asked for stay, and rods have no other joints
static int is_cut_ours(const modelCut *cut)
{
  return cut->reason != SPAN_TOLD && cut->reason != SPAN_ROD && cut->reason != SPAN_ROLLING &&
         cut->reason != SPAN_BAR;
}


// each loop alone, then what has helped together
static void try_recut(search *s)
{
  const artModel *m = s->model;
  const int start = s->choice->trial[s->choice->best].operations;
  for (int c = 0; c < m->ncut; c++) {
    if (is_cut_ours(&m->cut[c])) try_loop(s, &m->cut[c], start);
  }
  if (s->ncut > 2) try_cuts(s, "all the cuts that helped, together", s->ncut, s->cut);
  if (s->choice->model != m) try_partitions(s);
}

//---- all together --------------------------------------------------------------------------------

artStatus cheapest_find(cheapestForm *choice, const artModel *m, const artData *d,
                        const genOptions *options, const cheapestAsk *ask, artError *error)
{
  *choice = (cheapestForm){.best = -1, .model = m};
  search s = {
      .model = m, .data = d, .options = options, .ask = ask, .choice = choice, .now = plain};
  if (m->nrow == 0) {
    try_tree(&s);
  } else {
    const int is_asked = study_asks_partition(m, ask->study, ask->independent);
    try_variant(&s, is_asked ? "partition as asked for" : "partition by pattern", plain);
    try_partitions(&s);
    variant v = s.now;
    char what[NAMES + 40];
    const char *best = s.choice->best >= 0 ? s.choice->trial[s.choice->best].what : "";
    snprintf(what, sizeof what, "%.*s, minimal parameters", NAMES, best);
    v.parameters = GEN_BARYCENTRIC;
    s.nseen = 0;
    try_variant(&s, what, v);
    if (ask->file && choice->best >= 0) try_recut(&s);
  }
  if (s.ran_out) return base_no_memory(error);
  if (choice->best < 0) {
    return choice->n > 0 && choice->trial[0].why_not[0]
               ? base_fail(error, choice->trial[0].status, base_nowhere(), "%s",
                           choice->trial[0].why_not)
               : base_no_memory(error);
  }
  choice->parameters = s.now.parameters;
  choice->forward = s.now.forward;
  return ART_OK;
}


void cheapest_free(cheapestForm *choice)
{
  art_free_data(choice->data);
  art_free_model(choice->recut);
  *choice = (cheapestForm){0};
}

//---- demands of studies --------------------------------------------------------------------------

// the study of type run that the name or, without one, the order of the file tells; NULL: there is none
static const artRunDef *run_study(const artModel *m, const char *name)
{
  const artRunDef *run = art_find_run(m, name);
  return run ? run : art_find_run(m, NULL);
}


int study_asks_partition(const artModel *m, const char *study, const char *independent)
{
  const artRunDef *run = run_study(m, study);
  return m->nrow > 0 &&
         (independent || (run && (run->independent || run->partition == ART_PARTITION_PIVOTING)));
}


artStatus study_ask_partition(const artModel *m, artData *d, const char *study,
                              const char *independent, artError *error)
{
  if (!study_asks_partition(m, study, independent)) return ART_OK;
  const artRunDef *run = run_study(m, study);
  const artPartition partition = independent ? ART_PARTITION_SYMBOLIC : run->partition;
  return loop_ask_for(m, d->work->loop, partition, independent ? independent : run->independent,
                      error);
}


artStatus study_check_asked(const artModel *m, const char *study, const char *who, const char *file,
                            artError *error)
{
  const artStudyDef *found = study ? art_find_study(m, ART_RUN, study) : NULL;
  if (!study || (found && (found->type == ART_RUN || found->type == ART_INVERSE))) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, (artPlace){.file = file},
                   "%s names '%.60s', which is not a study of type run or inverse", who, study);
}


artStatus study_ask_actuators(const artModel *m, const char *study, genOptions *options,
                              baseArena *arena, artError *error)
{
  const artStudyDef *def = art_find_study(m, ART_INVERSE, study);
  if (!def || def->type != ART_INVERSE) def = art_find_study(m, ART_INVERSE, NULL);
  for (int i = 0; def && i < m->nstudy; i++) {
    const modelStudy *found = &m->study[i];
    if (&found->def != def) continue;
    const char **name = arena_alloc(arena, (size_t) found->nactuator + 1, sizeof *name);
    if (!name) return base_no_memory(error);
    for (int k = 0; k < found->nactuator; k++) {
      name[k] = arena_text(arena, m->velocity[found->actuator[k]].name);
      if (!name[k]) return base_no_memory(error);
    }
    options->nactuator = found->nactuator;
    options->actuator = name;
  }
  return ART_OK;
}
