// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
#include "force/contact_watch.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "element/kind.h"
#include "element/port.h"
#include "force/force.h"

// of a contact: in reach in the last search, and found in this one
enum { NEAR = 1, FOUND = 2 };

//---- what belongs to a contact -------------------------------------------------------------------

static int is_plane_on_ground(const artModel *m, const modelElement *e, int side)
{
  const contactSide *own = &e->contact->side[side];
  return own->shape == CONTACT_PLANE && m->frame[e->frame[side]].link == 0;
}


// Are spheres about its surfaces, or the height over a plane on ground, a measure of its gap?
static int has_reach(const artModel *m, const modelElement *e)
{
  const elementPhysics *physics = port_physics(e);
  if (!physics || physics->port != PORT_CONTACT) return 0;
  int bounded = 0, planes = 0;
  for (int k = 0; k < 2; k++) {
    planes += is_plane_on_ground(m, e, k);
    bounded += isfinite(contact_bound(&e->contact->side[k])) != 0;
  }
  return bounded == 2 || (bounded == 1 && planes == 1);
}


// The contact whose part has this name, "NAME.part" ("/": "NAME/part"), -1: none.
static int contact_of_name(const artModel *m, const int *of_element, const char *name, char mark,
                           char *scratch)
{
  const char *end = strrchr(name, mark);
  if (!end) return -1;
  memcpy(scratch, name, (size_t) (end - name));
  scratch[end - name] = '\0';
  const int i = table_find(&m->elements, scratch);
  return i < 0 ? -1 : of_element[i];
}


static int contact_of_quantity(const contactWatch *w, const modelQuantity *q, const int *of_signal)
{
  switch (q->kind) {
  case QUANTITY_ELEMENT: return w->of_element[q->index];
  case QUANTITY_SIGNAL: return of_signal[q->index];
  case QUANTITY_STATE: return w->of_state[q->index];
  default: return -1;
  }
}


static size_t longer_name(size_t length, const char *name)
{
  const size_t own = strlen(name);
  return own > length ? own : length;
}


static size_t longest_name(const artModel *m)
{
  size_t most = 1;
  for (int i = 0; i < m->nsignal; i++) most = longer_name(most, m->signal[i].name);
  for (int i = 0; i < m->nstate; i++) most = longer_name(most, m->state[i].name);
  for (int i = 0; i < m->nelement; i++) most = longer_name(most, m->element[i].name);
  return most + 1;
}


// Torques of rolling and spinning are elements on both bodies: "NAME/roll", "NAME/roll_back".
static int is_torque_of(const artModel *m, const modelElement *e, int contact_element)
{
  const size_t length = strlen(m->element[contact_element].name);
  const char *tail = e->name + length + 1;
  return e->is_torque && (strcmp(tail, "roll") == 0 || strcmp(tail, "roll_back") == 0);
}


static void find_owners(contactWatch *w, const artModel *m, char *scratch)
{
  for (int i = 0; i < m->nelement; i++) {
    w->of_element[i] = has_reach(m, &m->element[i]) ? w->n++ : -1;
  }
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (w->of_element[i] >= 0) continue;
    const int c = contact_of_name(m, w->of_element, e->name, '/', scratch);
    if (c >= 0 && is_torque_of(m, e, table_find(&m->elements, scratch))) w->of_element[i] = c;
  }
  for (int i = 0; i < m->nsignal; i++) {
    w->of_signal[i] = contact_of_name(m, w->of_element, m->signal[i].name, '.', scratch);
  }
  for (int i = 0; i < m->nstate; i++) {
    w->of_state[i] = contact_of_name(m, w->of_element, m->state[i].name, '.', scratch);
  }
  for (int i = 0; i < m->nquantity; i++) {
    w->of_quantity[i] = contact_of_quantity(w, &m->quantity[i], w->of_signal);
  }
}


//---- who reads it --------------------------------------------------------------------------------

// A formula of contact `own`, -1: of something else, reads contacts, with these parameters or others: they may not be left out.
static void mark_read(const contactWatch *w, const formula *f, int own, unsigned char *is_read)
{
  for (int k = 0; f && k < f->nstep; k++) {
    const int slot = formula_read(f, k);
    const int c = slot < 0 || slot >= FORMULA_PARAMETER ? -1 : w->of_quantity[slot];
    if (c >= 0 && c != own) is_read[c] = 1;
  }
  if (f && f->live) mark_read(w, f->live, own, is_read);
}


static void mark_all_read(const contactWatch *w, const artModel *m, unsigned char *is_read)
{
  for (int i = 0; i < m->nsignal; i++) {
    const modelSignal *s = &m->signal[i];
    const int c = w->of_signal[i];
    mark_read(w, s->value.f, c, is_read);
    if (c >= 0 && s->value.level > LEVEL_VELOCITY) is_read[c] = 1;
  }
  for (int i = 0; i < m->nrate; i++) mark_read(w, m->state[i].rate.f, w->of_state[i], is_read);
  for (int i = 0; i < m->nlate; i++) {
    if (w->of_state[m->late[i]] >= 0) is_read[w->of_state[m->late[i]]] = 1;
  }
  for (int i = 0; i < m->nelement; i++) {
    for (int k = 0; k < ELEMENT_FORMULAS; k++) {
      mark_read(w, m->element[i].formula[k], w->of_element[i], is_read);
    }
  }
  for (int i = 0; i < m->ndrive; i++) mark_read(w, m->drive[i].formula, -1, is_read);
  for (int i = 0; i < m->nlatch; i++) {
    mark_read(w, m->latch[i].engage, -1, is_read);
    mark_read(w, m->latch[i].release, -1, is_read);
  }
  for (int i = 0; i < m->nheld; i++) mark_read(w, m->held[i].next.f, -1, is_read);
  for (int i = 0; i < m->nrule; i++) mark_read(w, m->rule[i].value.f, -1, is_read);
}


static void renumber(int n, int *owner, const int *number)
{
  for (int i = 0; i < n; i++) owner[i] = owner[i] < 0 ? -1 : number[owner[i]];
}


// Contacts that are read keep their place among all that is always evaluated.
static void leave_read(contactWatch *w, const artModel *m, const unsigned char *is_read,
                       int *number)
{
  int n = 0;
  for (int i = 0; i < w->n; i++) number[i] = is_read[i] ? -1 : n++;
  w->n = n;
  renumber(m->nelement, w->of_element, number);
  renumber(m->nsignal, w->of_signal, number);
  renumber(m->nstate, w->of_state, number);
  renumber(m->nquantity, w->of_quantity, number);
}


//---- lists ---------------------------------------------------------------------------------------

// The numbers i of each contact, owner[i], in list[range[0]] up to list[range[1]]; in_order[i]: i-th of `count`, NULL: i.
static void list_owned(contactWatch *w, int count, const int *owner, const int *in_order,
                       size_t range, int *list)
{
  int *next = w->scratch, sum = 0;
  memset(next, 0, (size_t) w->n * sizeof *next);
  for (int i = 0; i < count; i++) {
    if (owner[i] >= 0) next[owner[i]]++;
  }
  for (int c = 0; c < w->n; c++) {
    int *own = (int *) (void *) ((char *) &w->contact[c] + range);
    own[0] = own[1] = sum;
    sum += next[c];
  }
  for (int k = 0; k < count; k++) {
    const int i = in_order ? in_order[k] : k, c = owner[i];
    if (c < 0) continue;
    int *own = (int *) (void *) ((char *) &w->contact[c] + range);
    list[own[1]++] = i;
  }
}


// What the rates of a contact read besides its signals: bristles, and what turns them.
static void list_relaxed(contactWatch *w, const artModel *m)
{
  int n = 0;
  for (int c = 0; c < w->n; c++) {
    watchedContact *own = &w->contact[c];
    own->relaxed[0] = n;
    for (int k = own->quantity[0]; k < own->quantity[1]; k++) {
      const int slot = w->quantity[k];
      int is_used = 0;
      for (int i = own->state[0]; i < own->state[1]; i++) {
        const formula *f = m->state[m->early[w->state[i]]].rate.f;
        is_used |= formula_uses(f, slot) || (f->live && formula_uses(f->live, slot));
      }
      if (is_used && m->quantity[slot].kind != QUANTITY_SIGNAL) w->relaxed[n++] = slot;
    }
    own->relaxed[1] = n;
  }
}


static int take_list(watchedList *to, baseArena *arena, int count, const int *owner,
                     const int *in_order)
{
  if (!ARENA_TAKE(arena, to->number, (size_t) count + 1)) return 0;
  for (int k = 0; k < count; k++) {
    const int i = in_order ? in_order[k] : k;
    if (owner[i] < 0) to->number[to->ncore++] = i;
  }
  return 1;
}


static int count_switches(const contactWatch *w, const artModel *m, int *owner)
{
  int count = 0;
  for (int i = 0; i < m->nswitch; i++) owner[i] = -1;
  for (int i = 0; i < m->nswitch; i++) {
    const int k = m->switch_owner[i];
    if (k >= 0 && k < m->nelement) owner[i] = w->of_element[k];
    if (k >= m->nelement && k < m->nelement + m->nsignal) {
      owner[i] = w->of_signal[k - m->nelement];
    } else if (k >= m->nelement + m->nsignal) {
      owner[i] = w->of_state[m->early[k - m->nelement - m->nsignal]];
    }
    count += owner[i] >= 0;
  }
  for (int i = 0; i < m->nrigid; i++) {
    const int c = w->of_element[m->rigid[i].element];
    for (int k = 0; k < RIGID_SWITCHES; k++) owner[m->rigid[i].switch0 + k] = c;
    count += c >= 0 ? RIGID_SWITCHES : 0;
  }
  return count;
}


static int take_lists(contactWatch *w, baseArena *arena, const artModel *m)
{
  int *early_owner, *switch_owner;
  const size_t n = (size_t) w->n + 1;
  if (!ARENA_TAKE(arena, w->contact, n) || !ARENA_TAKE(arena, w->scratch, n) ||
      !ARENA_TAKE(arena, w->is_near, n) || !ARENA_TAKE(arena, w->near, n) ||
      !ARENA_TAKE(arena, w->joined, n) || !ARENA_TAKE(arena, w->slack, n) ||
      !ARENA_TAKE(arena, w->shown, n) || !ARENA_TAKE(arena, w->element, (size_t) m->nelement + 1) ||
      !ARENA_TAKE(arena, w->quantity, (size_t) m->nquantity + 1) ||
      !ARENA_TAKE(arena, w->relaxed, (size_t) m->nquantity + 1) ||
      !ARENA_TAKE(arena, w->signal, (size_t) m->nsignal + 1) ||
      !ARENA_TAKE(arena, w->state, (size_t) m->nearly + 1) ||
      !ARENA_TAKE(arena, switch_owner, (size_t) m->nswitch + 1) ||
      !ARENA_TAKE(arena, early_owner, (size_t) m->nearly + 1) ||
      !ARENA_TAKE(arena, w->switches, (size_t) count_switches(w, m, switch_owner) + 1))
    return 0;
  for (int k = 0; k < m->nearly; k++) early_owner[k] = w->of_state[m->early[k]];
#define LIST(count, owner, order, range)                                                           \
  list_owned(w, count, owner, order, offsetof(watchedContact, range), w->range)
  LIST(m->nelement, w->of_element, NULL, element);
  LIST(m->nquantity, w->of_quantity, NULL, quantity);
  LIST(m->nsignal, w->of_signal, m->signal_order, signal);
  LIST(m->nearly, early_owner, NULL, state);
  LIST(m->nswitch, switch_owner, NULL, switches);
#undef LIST
  list_relaxed(w, m);
  watchedList core = {.ncore = 0};
  if (!take_list(&core, arena, m->nelement, w->of_element, NULL)) return 0;
  w->core = core.number;
  return take_list(&w->elements, arena, m->nelement, w->of_element, NULL) &&
         take_list(&w->quantities, arena, m->nquantity, w->of_quantity, NULL) &&
         take_list(&w->signals, arena, m->nsignal, w->of_signal, m->signal_order) &&
         take_list(&w->states, arena, m->nearly, early_owner, NULL);
}


static void append_owned(watchedList *to, const int range[2], const int *own)
{
  for (int k = range[0]; k < range[1]; k++) to->number[to->all++] = own[k];
}


// elements upwards, so that sums of forces are those of all elements in their order
static void fill_lists(contactWatch *w, int n, const int *contact)
{
  watchedList *const all[] = {&w->elements, &w->quantities, &w->signals, &w->states};
  for (int i = 0; i < 4; i++) all[i]->all = all[i]->ncore;
  memcpy(w->elements.number, w->core, (size_t) w->elements.ncore * sizeof *w->core);
  for (int i = 0; i < n; i++) {
    const watchedContact *c = &w->contact[contact[i]];
    append_owned(&w->elements, c->element, w->element);
    append_owned(&w->quantities, c->quantity, w->quantity);
    append_owned(&w->signals, c->signal, w->signal);
    append_owned(&w->states, c->state, w->state);
  }
  for (int i = 0; i < 4; i++) all[i]->n = all[i]->all;
  broad_sort(w->elements.n, w->elements.number, NULL);
  for (int i = 0; i < w->nshown; i++) {
    const watchedContact *c = &w->contact[w->shown[i]];
    if (w->is_near[w->shown[i]]) continue;
    append_owned(&w->quantities, c->quantity, w->quantity);
    append_owned(&w->signals, c->signal, w->signal);
  }
}


//---- spheres -------------------------------------------------------------------------------------

static int sphere_of(contactWatch *w, const artModel *m, const modelElement *e, int side)
{
  return force_sphere_of(&w->spheres, m, e->frame[side], &e->contact->side[side]);
}


static int take_spheres(contactWatch *w, baseArena *arena, const artModel *m)
{
  const size_t n = (size_t) w->n + 1;
  return ARENA_TAKE(arena, w->pair, n) && ARENA_TAKE(arena, w->touch, n) &&
         ARENA_TAKE(arena, w->plane, n) && ARENA_TAKE(arena, w->place, 2 * n) &&
         force_take_spheres(&w->spheres, arena, m, 2 * w->n) &&
         broad_take(&w->phase, arena, 2 * w->n, w->n);
}


void force_watch_renew(contactWatch *w, const artModel *m)
{
  int npair = 0;
  w->nplane = 0;
  force_clear_spheres(&w->spheres, m);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    const int c = w->of_element[i];
    if (c < 0 || !has_reach(m, e)) continue;
    const int plane = is_plane_on_ground(m, e, 0) ? 0 : is_plane_on_ground(m, e, 1) ? 1 : -1;
    if (plane >= 0) {
      int *own = w->plane[w->nplane++];
      own[0] = c, own[1] = sphere_of(w, m, e, plane);
      own[2] = sphere_of(w, m, e, !plane);
      own[3] = e->frame[plane];
    } else {
      for (int k = 0; k < 2; k++) w->pair[npair][k] = sphere_of(w, m, e, k);
      w->touch[npair++] = c;
    }
  }
  broad_set_pairs(&w->phase, w->spheres.n, npair, (const int(*)[2]) w->pair);
  force_watch_forget(w);
}


int force_watch_create(contactWatch **out, baseArena *arena, const artModel *m)
{
  contactWatch *w;
  unsigned char *is_read;
  int *number;
  char *name;
  *out = NULL;
  if (!ARENA_TAKE(arena, w, 1) || !ARENA_TAKE(arena, w->of_element, (size_t) m->nelement + 1) ||
      !ARENA_TAKE(arena, w->of_quantity, (size_t) m->nquantity + 1) ||
      !ARENA_TAKE(arena, w->of_signal, (size_t) m->nsignal + 1) ||
      !ARENA_TAKE(arena, w->of_state, (size_t) m->nstate + 1) ||
      !ARENA_TAKE(arena, name, longest_name(m)) ||
      !ARENA_TAKE(arena, is_read, (size_t) m->nelement + 1) ||
      !ARENA_TAKE(arena, number, (size_t) m->nelement + 1))
    return 0;
  find_owners(w, m, name);
  if (w->n == 0) return 1;
  mark_all_read(w, m, is_read);
  leave_read(w, m, is_read, number);
  if (w->n == 0) return 1;
  if (!take_lists(w, arena, m) || !take_spheres(w, arena, m)) return 0;
  memset(is_read, 0, (size_t) m->nelement);
  for (int i = 0; i < m->noutput; i++) mark_read(w, m->output[i].formula, -1, is_read);
  for (int c = 0; c < w->n; c++) {
    if (is_read[c]) w->shown[w->nshown++] = c;
  }
  force_watch_renew(w, m);
  *out = w;
  return 1;
}


//---- steps ---------------------------------------------------------------------------------------

void force_watch_forget(contactWatch *w)
{
  memset(w->is_near, NEAR, (size_t) w->n);
  for (int c = 0; c < w->n; c++) w->near[c] = c;
  w->nnear = w->n;
  w->njoined = w->nslack = 0;
  fill_lists(w, w->nnear, w->near);
}


void force_watch_take(contactWatch *w, const artModel *m, const artData *d, int end)
{
  const treeData *t = data_velocity(m, d);
  for (int i = 0; i < w->spheres.n; i++) {
    const contactSphere *s = &w->spheres.sphere[i];
    data_put3(w->place[i].at[end], tree_point(t, s->link, s->offset));
    data_put3(w->place[i].rate[end], tree_point_velocity(t, s->link, s->offset));
  }
}


// Is the box of a sphere over a plane on ground? NaN is not.
static int is_over_plane(const broadBox *box, const treeWorld *ground, const modelFrame *plane,
                         v3 at)
{
  const v3 n = data_axes(&plane->R, ground).z;

  const double normal[3] = {n.x, n.y, n.z}, place[3] = {at.x, at.y, at.z};
  double low = 0, size = 0;
  for (int k = 0; k < 3; k++) {
    low += fmin(normal[k] * (box->low[k] - place[k]), normal[k] * (box->high[k] - place[k]));
    size += fabs(place[k]) + fabs(box->low[k]) + fabs(box->high[k]);
  }
  return low > 16 * DBL_EPSILON * size;
}


// Gaps of rigid contacts that touch may be open by rounding.
static void keep_touching(contactWatch *w, const artModel *m, const artData *d)
{
  for (int i = 0; i < w->nnear; i++) w->is_near[w->near[i]] |= FOUND;
  for (int i = 0; i < m->nrigid; i++) {
    const int c = w->of_element[m->rigid[i].element];
    if (c < 0 || w->is_near[c] & FOUND || d->work->mode[m->rigid[i].mode0] == RIGID_APART) continue;
    w->is_near[c] |= FOUND;
    w->near[w->nnear++] = c;
  }
}


// Every contact in reach, into near[] without an order.
static void find_near(contactWatch *w, const artModel *m, const artData *d, double h)
{
  const treeWorld *ground = tree_in_ground(&d->work->tree, 0);
  broadPhase *b = &w->phase;
  for (int i = 0; i < b->n; i++) {
    const watchedPlace *p = &w->place[i];
    b->box[i] = broad_sphere_box(p->at[0], p->rate[0], p->at[1], p->rate[1], h,
                                 w->spheres.sphere[i].radius);
  }
  w->nnear = 0;
  for (int i = 0; i < w->nplane; i++) {
    const int *p = w->plane[i];
    const double *at = w->place[p[1]].at[0];
    if (is_over_plane(&b->box[p[2]], ground, &m->frame[p[3]], (v3){at[0], at[1], at[2]})) continue;
    w->near[w->nnear++] = p[0];
  }
  broad_find(b);
  for (int i = 0; i < b->nfound; i++) w->near[w->nnear++] = w->touch[b->found[i]];
  keep_touching(w, m, d);
}


// What is left out has no force, and bristles at rest stay there. Returns whether they are.
static int lay_to_rest(const contactWatch *w, const artModel *m, artData *d, int contact)
{
  const watchedContact *c = &w->contact[contact];
  int rests = 1;
  for (int k = c->element[0]; k < c->element[1]; k++) {
    const modelElement *e = &m->element[w->element[k]];
    for (int i = 0; i < e->nvalue; i++) d->work->value[e->value0 + i] = 0;
  }
  for (int k = c->signal[0]; k < c->signal[1]; k++) {
    const int slot = m->signal[w->signal[k]].slot;
    if (slot >= 0) d->work->force->slots[slot] = 0;
  }
  for (int k = c->state[0]; k < c->state[1]; k++) {
    const int i = m->early[w->state[k]];
    d->s_rate[i] = 0;
    rests &= d->s[i] == 0;
  }
  return rests;
}


// Contacts that were in reach or relaxed until now, `before`, and are not in reach any longer
static void leave(contactWatch *w, const artModel *m, artData *d, int nbefore, const int *before)
{
  for (int i = 0; i < nbefore; i++) {
    const int c = before[i];
    if (w->is_near[c] & FOUND) continue;
    w->is_near[c] = 0;
    if (!lay_to_rest(w, m, d, c)) w->slack[w->nslack++] = c;
  }
}


int force_watch_find(contactWatch *w, const artModel *m, artData *d, double h)
{
  int nbefore = w->nnear, *before = w->scratch;
  memcpy(before, w->near, (size_t) nbefore * sizeof *before);
  for (int i = 0; i < w->nslack; i++) before[nbefore++] = w->slack[i];
  find_near(w, m, d, h);
  broad_sort(w->nnear, w->near, NULL);
  w->njoined = w->nslack = 0;
  for (int i = 0; i < w->nnear; i++) {
    const int c = w->near[i];
    if (!(w->is_near[c] & NEAR)) w->joined[w->njoined++] = c;
  }
  leave(w, m, d, nbefore, before);
  for (int i = 0; i < w->nnear; i++) w->is_near[w->near[i]] = NEAR;
  fill_lists(w, w->nnear, w->near);
  return w->njoined;
}


void force_watch_select(contactWatch *w, int joined)
{
  if (joined) {
    fill_lists(w, w->njoined, w->joined);
  } else {
    fill_lists(w, w->nnear, w->near);
  }
}


//---- out of reach --------------------------------------------------------------------------------

const contactWatch *force_watch(const artData *d)
{
  return d->work->is_frozen ? d->work->force->watch : NULL;
}


int force_is_far(const artData *d, int element)
{
  const contactWatch *w = force_watch(d);
  return w && w->of_element[element] >= 0 && !w->is_near[w->of_element[element]];
}


// Without a force friction holds nothing:  z' = -z/tau + w x z,  by the formulas of the contact with its other signals at 0.
void force_relax_contacts(const artModel *m, artData *d)
{
  const contactWatch *w = force_watch(d);
  if (!w) return;
  for (int i = 0; i < w->nslack; i++) {
    const watchedContact *c = &w->contact[w->slack[i]];
    force_some_quantities(m, d, c->relaxed[1] - c->relaxed[0], w->relaxed + c->relaxed[0]);
    force_some_rates(m, d, c->state[1] - c->state[0], w->state + c->state[0]);
  }
}
