// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Values of the quantities that formulas and outputs name: the text of model/formula/quantity_value.h on a data block.
#include "force/contact_watch.h"
#include "force/force.h"
#include "force/roll_place.h"

#include "data/rod.h"
#include "force/port_forces.h"

//---- the machine at a state ----------------------------------------------------------------------

// The element that has shown a displacement last, at the same state. Contacts show many, one after the other.
typedef struct portMemo {
  const modelElement *e;
  portState port;
} portMemo;

typedef struct quantityHost {
  const artModel *m;
  const artData *d;
  portMemo *memo; // NULL: none
} quantityHost;


static double host_time(quantityHost *h)
{
  return h->d->time;
}


static double host_coordinate(quantityHost *h, int i, int order)
{
  ART_ASSERT(order >= 0 && order <= 2);
  return order == 0 ? h->d->q[i] : order == 1 ? h->d->v[i] : h->d->a[i];
}


static v3 host_point(quantityHost *h, int i, int order)
{
  ART_ASSERT(i >= 0 && i < h->m->nframe && order >= 0 && order <= 2);
  const treeData *t = &h->d->work->tree;
  const modelFrame *frame = &h->m->frame[i];
  if (order == 0) return tree_point(t, frame->link, frame->r);
  if (order == 1) return tree_point_velocity(t, frame->link, frame->r);
  return tree_point_acceleration(&h->m->tree, data_motion(h->m, h->d), frame->link, frame->r);
}


static m3 host_axes(quantityHost *h, int i)
{
  const modelFrame *frame = &h->m->frame[i];
  return m3_mul_m3(frame->R, tree_in_ground(&h->d->work->tree, frame->link)->R);
}


static v3 host_turn(quantityHost *h, int i, int order)
{
  ART_ASSERT(order == 1 || order == 2);
  const treeData *t = &h->d->work->tree;
  const int link = h->m->frame[i].link;
  return m3_back(tree_in_ground(t, link)->R,
                 order == 1 ? tree_motion(t, link)->ang
                            : tree_body(data_motion(h->m, h->d), link)->acc.ang);
}


static v3 host_own_turn(quantityHost *h, int i)
{
  const modelFrame *frame = &h->m->frame[i];
  return m3_mul(frame->R, tree_motion(&h->d->work->tree, frame->link)->ang);
}


static double host_joint_force(quantityHost *h, int i)
{
  return h->d->force[i] + h->d->work->force->coupling_force[i];
}


static wrench host_reaction(quantityHost *h, int joint)
{
  return force_reaction(h->m, h->d, joint);
}


static double host_multiplier(quantityHost *h, int relation)
{
  ART_ASSERT(relation >= 0 && relation < h->m->nrelation);
  return h->d->work->force->multiplier[h->m->relation[relation].row];
}


// of now, also before the element is applied
static double host_displacement(quantityHost *h, const modelElement *e, int c, int is_rate)
{
  portState own;
  portState *port = h->memo ? &h->memo->port : &own;
  if (!h->memo || h->memo->e != e) force_move_port(h->m, h->d, e, port);
  if (h->memo) h->memo->e = e;
  return is_rate ? port->in.v[c] : port->in.x[c];
}


// what a control tells besides its force is a formula, of which the quantities are in the slots by now
static double host_element_value(quantityHost *h, const modelElement *e, int component)
{
  const artWorkspace *w = h->d->work;
  if (e->nterm == 0 || component == 0) return w->value[e->value0 + component];
  const int *mode = w->mode + e->mode0;
  for (int c = 0; c < component; c++) mode += e->formula[c]->nswitch;
  return formula_value(e->formula[component], w->force->slots, mode, w->force->stack);
}


static double host_energy(quantityHost *h, int k)
{
  ART_ASSERT(k == 0 || k == 1);
  return h->d->work->force->energies[k];
}


static wrench host_momentum(quantityHost *h)
{
  return wr_add(tree_momentum(&h->m->tree, &h->d->work->tree), rod_momentum(h->m, h->d));
}


static v3 host_gravity(quantityHost *h)
{
  return h->m->tree.gravity;
}


static int host_rod_has_mass(quantityHost *h, int cut)
{
  return h->m->cut[cut].mass != 0;
}


static double host_rod_mass(quantityHost *h, int cut)
{
  return h->m->cut[cut].mass;
}


static double host_rod_length(quantityHost *h, int cut)
{
  return h->m->cut[cut].length;
}


static double host_thrust(quantityHost *h, int cut)
{
  return h->d->work->force->multiplier[h->m->cut[cut].row0];
}


static v3 host_rod_end(quantityHost *h, int cut, int side, int order)
{
  ART_ASSERT(cut >= 0 && cut < h->m->ncut && (side == 0 || side == 1));
  const v3 a = rod_end(h->d, &h->m->cut[cut].side[side], order);
  return order == 2 ? v3_add(a, h->m->tree.gravity) : a;
}


static wrench host_cut_force(quantityHost *h, int cut, int side)
{
  const artWorkspace *w = h->d->work;
  return side ? w->force->cut_force[cut] : (wrench){.lin = w->force->from_force[cut]};
}


static double host_roll(quantityHost *h, int i, int c)
{
  return roll_shown(h->m, h->d, i, c);
}


static double host_run(quantityHost *h, quantityRun k)
{
  const artWorkspace *w = h->d->work;
  switch (k) {
  case RUN_WORK: return w->force->run.work;
  case RUN_START: return w->force->run.initial_energy;
  case RUN_STEP: return w->force->run.step_size;
  case RUN_INDEX: return w->force->run.step_index;
  default: return w->force->run.violation[k - RUN_VIOLATION];
  }
}


static v3 host_latch_end(quantityHost *h, int i, int side, int order)
{
  const treeData *t = order ? data_velocity(h->m, h->d) : data_world(h->m, h->d);
  const cutSide *end = &h->m->latch[i].cut.side[side];
  return order ? tree_point_velocity(t, end->link, end->r) : tree_point(t, end->link, end->r);
}

static double host_held(quantityHost *h, int i)
{
  return h->d->u[i];
}


static double host_state(quantityHost *h, int i)
{
  return h->d->s[i];
}


// of quantities that are in the slots by now
static double host_signal(quantityHost *h, int i)
{
  const artWorkspace *w = h->d->work;
  const signalFormula *s = &h->m->signal[i].value;
  return formula_value(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
}

#include "model/formula/quantity_value.h"

//---- values --------------------------------------------------------------------------------------

double force_latch_value(const artModel *m, const artData *d, int i, int component)
{
  ART_ASSERT(i >= 0 && i < m->nlatch);
  return quantity_latch(&(quantityHost){m, d, NULL}, i, component);
}


static void find_quantity_energies(const artModel *m, artData *d)
{
  artWorkspace *w = d->work;
  if (w->force->has_energies) return;
  w->force->energies[0] = tree_kinetic(&m->tree, &w->tree, d->v) + rod_kinetic(m, d);
  w->force->energies[1] =
      tree_potential(&m->tree, &w->tree) + rod_potential(m, d) + force_potential(m, d);
}


// Of the quantities that some reader asks for (0: all), those from one level to another: first all others, then signals
// in their order. Branches that are not frozen are chosen here; with `choose` all of them are.
typedef struct quantityPass {
  int readers;
  quantityLevel from, to;
  int choose;
  int has_energies; // they are known
} quantityPass;


static int is_wanted_quantity(const quantityPass *p, const modelQuantity *quantity)
{
  if (p->readers != 0 && !(quantity->readers & p->readers)) return 0;
  return quantity->level >= p->from && quantity->level <= p->to;
}


// how many of a list a pass goes through
static int pass_count(const quantityPass *p, const watchedList *list)
{
  return p->readers == 0 ? list->all : list->n;
}


static void evaluate_quantities(const artModel *m, artData *d, quantityPass *p)
{
  artWorkspace *w = d->work;
  double *slots = w->force->slots;
  const contactWatch *watch = force_watch(d);
  const watchedList *list = watch ? &watch->quantities : NULL;
  int count = list ? pass_count(p, list) : m->nquantity;
  portMemo memo;
  memo.e = NULL;
  quantityHost host = {m, d, &memo};
  for (int k = 0; k < count; k++) {
    const int i = watched_number(list, k);
    const modelQuantity *quantity = &m->quantity[i];
    if (!is_wanted_quantity(p, quantity) || quantity->kind == QUANTITY_SIGNAL) continue;
    if (quantity->kind == QUANTITY_ENERGY && !p->has_energies) {
      find_quantity_energies(m, d);
      p->has_energies = 1;
    }
    slots[i] = quantity_value(&host, quantity);
  }
  list = watch ? &watch->signals : NULL;
  count = list ? pass_count(p, list) : m->nsignal;
  for (int k = 0; k < count; k++) {
    const modelSignal *signal = &m->signal[list ? list->number[k] : m->signal_order[k]];
    const signalFormula *s = &signal->value;
    if (signal->slot < 0 || !is_wanted_quantity(p, &m->quantity[signal->slot])) continue;
    if (p->choose || !s->is_frozen) {
      formula_set_branches(s->f, slots, w->mode + s->mode0, w->force->stack);
    }
    slots[signal->slot] = quantity_value(&(quantityHost){m, d, NULL}, &m->quantity[signal->slot]);
  }
}


void force_some_quantities(const artModel *m, artData *d, int n, const int *number)
{
  portMemo memo;
  memo.e = NULL;
  quantityHost host = {m, d, &memo};
  for (int k = 0; k < n; k++) {
    d->work->force->slots[number[k]] = quantity_value(&host, &m->quantity[number[k]]);
  }
}


void force_quantities(const artModel *m, artData *d, int readers)
{
  data_need_velocity(m, d);
  quantityPass p = {.readers = readers, .from = LEVEL_POSITION, .to = LEVEL_VELOCITY};
  evaluate_quantities(m, d, &p);
  if (readers == READ_BY_FORCES) return;

  // controls tell formulas of quantities below this level
  p.from = p.to = LEVEL_ACCELERATION;
  evaluate_quantities(m, d, &p);
}


void force_choose_branches(const artModel *m, artData *d)
{
  data_need_velocity(m, d);
  evaluate_quantities(m, d,
                      &(quantityPass){.readers = READ_BY_FORCES | READ_BY_LATCHES,
                                      .from = LEVEL_POSITION,
                                      .to = LEVEL_VELOCITY,
                                      .choose = 1});
}


void force_refresh_signals(const artModel *m, artData *d, int readers)
{
  artWorkspace *w = d->work;
  for (int i = 0; i < m->nsignal; i++) {
    const modelSignal *signal = &m->signal[m->signal_order[i]];
    const signalFormula *s = &signal->value;
    if (signal->slot < 0 || !(m->quantity[signal->slot].readers & readers)) continue;
    formula_set_branches(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
    w->force->slots[signal->slot] =
        formula_value(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
  }
}


double force_signal(const artModel *m, artData *d, int i)
{
  ART_ASSERT(i >= 0 && i < m->nsignal);
  artWorkspace *w = d->work;
  const modelSignal *signal = &m->signal[i];
  const signalFormula *s = &signal->value;
  if (signal->slot >= 0) return w->force->slots[signal->slot];
  formula_set_branches(s->f, w->force->slots, w->mode + s->mode0, w->force->stack);
  return host_signal(&(quantityHost){m, d, NULL}, i);
}


static int is_read(const artModel *m, const modelSignal *signal, int readers)
{
  return signal->slot >= 0 && (m->quantity[signal->slot].readers & readers) != 0;
}


void force_refresh_states(const artModel *m, artData *d, int readers)
{
  double *slots = d->work->force->slots;
  for (int i = 0; i < m->nstate; i++) {
    if (m->state[i].slot >= 0) slots[m->state[i].slot] = d->s[i];
  }
  for (int i = 0; i < m->nsignal; i++) {
    const int number = m->signal_order[i];
    const modelSignal *signal = &m->signal[number];
    if (!is_read(m, signal, readers)) continue;
    slots[signal->slot] = host_signal(&(quantityHost){m, d, NULL}, number);
  }
}


void force_signal_jets(const artModel *m, const artData *d, int readers)
{
  const artWorkspace *w = d->work;
  formulaJet *jets = w->force->jets;
  for (int i = 0; i < m->nsignal; i++) {
    const modelSignal *signal = &m->signal[m->signal_order[i]];
    if (!is_read(m, signal, readers)) continue;
    const signalFormula *s = &signal->value;
    jets[signal->slot] = formula_jet(s->f, jets, w->mode + s->mode0, w->force->jet_stack);
  }
}


void force_signal_marks(const artModel *m, int readers, unsigned char *mark)
{
  for (int i = 0; i < m->nsignal; i++) {
    const modelSignal *signal = &m->signal[m->signal_order[i]];
    if (is_read(m, signal, readers))
      mark[signal->slot] = formula_reads_marked(signal->value.f, mark) != 0;
  }
}
