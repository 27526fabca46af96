// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Force elements, all together: what they do to the bodies, their power and potential.
#include "force/force.h"


#include "base/arithmetic.h"
#include "force/contact_watch.h"
#include "force/port_forces.h"
#include "force/roll_place.h"
#include "force/tyre_element.h"

//---- applying ------------------------------------------------------------------------------------


void force_at_point(artData *d, int link, v3 r, v3 force)
{
  ART_ASSERT(link >= 0 && link < d->work->now->tree.n);
  if (link == 0) return;
  wrench *applied = &d->work->applied[link];
  *applied = wr_add(*applied, point_wrench(tree_in_ground(&d->work->tree, link), r, force));
}


void force_torque(artData *d, int link, v3 torque)
{
  ART_ASSERT(link >= 0 && link < d->work->now->tree.n);
  if (link == 0) return;
  wrench *applied = &d->work->applied[link];
  applied->ang = v3_add(applied->ang, m3_mul(tree_in_ground(&d->work->tree, link)->R, torque));
}


void force_wrench(artData *d, int link, v3 r, v3 force, v3 torque)
{
  ART_ASSERT(link >= 0 && link < d->work->now->tree.n);
  if (link == 0) return;
  const m3 R = tree_in_ground(&d->work->tree, link)->R;
  wrench *applied = &d->work->applied[link];
  const v3 own = m3_mul(R, force), moment = v3_add(applied->ang, v3_cross(r, own));
  *applied = (wrench){v3_add(moment, m3_mul(R, torque)), v3_add(applied->lin, own)};
}


//---- of the host ---------------------------------------------------------------------------------

// power of everything that has been applied so far, potential or not
static double applied_power(const artModel *m, const artData *d)
{
  const treeData *t = &d->work->tree;
  double sum = 0;
  for (int i = 1; i < m->tree.n; i++) sum += mot_dot(*tree_motion(t, i), d->work->applied[i]);
  for (int k = 0; k < m->tree.nv; k++) sum += d->force[k] * d->v[k];
  return sum;
}


static int is_applied_finite(const artModel *m, const artData *d)
{
  double sum = 0; // of zeros, else not a number
  for (int i = 1; i < m->tree.n; i++) {
    const wrench f = d->work->applied[i];
    sum += 0 * (f.ang.x + f.ang.y + f.ang.z) + 0 * (f.lin.x + f.lin.y + f.lin.z);
  }
  for (int k = 0; k < m->tree.nv; k++) sum += 0 * d->force[k];
  return sum == 0;
}


static artStatus apply_callback(const artModel *m, artData *d, const modelElement *e,
                                artError *error)
{
  if (!e->callback.apply) return model_no_law(e, error);
  const double before = e->has_potential ? 0 : applied_power(m, d);
  const int was_finite = is_applied_finite(m, d);
  const artStatus status = e->callback.apply(e->callback.context, m, d);
  arithmetic_renew();
  if (status != ART_OK) {
    return base_fail(error, status, e->place, "force '%s' failed at t = %.9g s: %s", e->name,
                     d->time, art_status_text(status));
  }
  if (was_finite && !is_applied_finite(m, d)) {
    return base_fail(error, ART_NO_CONVERGENCE, e->place,
                     "force '%s', a callback, applied what is not finite at t = %.9g s", e->name,
                     d->time);
  }
  if (!e->has_potential) d->work->power += applied_power(m, d) - before;
  return ART_OK;
}


//---- all -----------------------------------------------------------------------------------------

// parts: what counts of an element that has several
static artStatus apply_element(const artModel *m, artData *d, int i, int parts, artError *error)
{
  ART_ASSERT(i >= 0 && i < m->nelement);
  const modelElement *e = &m->element[i];
  double *value = d->work->value + e->value0;
  if (port_physics(e)) return force_act(m, d, e, parts, value, error);
  if (e->pile) return force_apply_pile(m, d, e, value);
  return e->tyre ? force_apply_tyre(m, d, e, value, error) : apply_callback(m, d, e, error);
}


artStatus force_apply(const artModel *m, artData *d, artError *error)
{
  return force_apply_some(m, d, NULL, 0, error);
}


artStatus force_apply_some(const artModel *m, artData *d, const unsigned char *group, int groups,
                           artError *error)
{
  artWorkspace *w = d->work;
  for (int k = 0; k < m->tree.nv; k++) d->force[k] = w->force->impulse ? w->force->impulse[k] : 0;
  w->power = 0;
  w->tree.f_ext = NULL;
  w->force->has_multipliers = 0;
  if (m->nelement == 0 && m->nearly == 0 && m->nroll == 0) return ART_OK;

  const v3 zero = {0, 0, 0};
  for (int i = 0; i < m->tree.n; i++) w->applied[i] = (wrench){zero, zero};
  w->tree.f_ext = w->applied;
  if (m->nroll > 0) roll_apply(m, d);
  force_quantities(m, d, READ_BY_FORCES);

  artStatus status = ART_OK;
  if (m->nearly > 0) {
    if (w->force->rate_weight > 0) status = force_solve_states(m, d, error);
    force_early_rates(m, d);
  }
  const contactWatch *watch = group ? NULL : force_watch(d);
  const int count = watch ? watch->elements.n : m->nelement;
  for (int k = 0; k < count && status == ART_OK; k++) {
    const int i = watch ? watch->elements.number[k] : k;
    const int parts = group ? group[i] & groups : PORT_ELASTIC | PORT_RESISTING;
    const int is_left_out = w->force->is_free && (m->element[i].rigid || m->element[i].pile);
    if (parts && !is_left_out) status = apply_element(m, d, i, parts, error);
  }
  return status;
}


static double element_potential(const artModel *m, artData *d, const modelElement *e)
{
  if (port_physics(e)) return force_stored(m, d, e);
  if (e->pile) return 0;
  return e->has_potential ? e->callback.potential(e->callback.context, m, d) : 0;
}


double force_potential(const artModel *m, artData *d)
{
  return force_potential_some(m, d, NULL, 0);
}


double force_potential_some(const artModel *m, artData *d, const unsigned char *group, int groups)
{
  double sum = 0;
  data_need_velocity(m, d);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (group && !(group[i] & groups)) continue;
    sum += element_potential(m, d, e);
  }
  return sum;
}
