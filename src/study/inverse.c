// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inverse dynamics along a motion given by formulas.
#include <math.h>
#include <string.h>

#include "articula/study.h"
#include "force/force.h"
#include "study/study.h"

//---- the motion of one coordinate ----------------------------------------------------------------

// position k with its derivatives at the present time: from the formula, or at rest
static formulaJet position_jet(const artModel *m, artData *d, const modelStudy *study, int k)
{
  artWork *w = d->work;
  const formula *f = study ? study->motion[k] : NULL;
  if (!f) return (formulaJet){m->q_initial[k], 0, 0};
  formula_set_branches(f, w->slots, w->output_branch, w->stack);
  return formula_jet(f, w->jets, w->output_branch, w->jet_stack);
}


// 2 vec(conj(e) f)
static void twice_vector_part(const double e[4], const double f[4], double out[3])
{
  out[0] = 2 * (e[0] * f[1] - e[1] * f[0] - e[2] * f[3] + e[3] * f[2]);
  out[1] = 2 * (e[0] * f[2] - e[2] * f[0] - e[3] * f[1] + e[1] * f[3]);
  out[2] = 2 * (e[0] * f[3] - e[3] * f[0] - e[1] * f[2] + e[2] * f[1]);
}


// The four formulas p give the direction of the quaternion e = p / |p|. In the axes of the link
//   omega = 2 vec(conj(p) p') / p.p
//   alpha = [2 vec(conj(p) p'') - 2 omega (p.p')] / p.p,  for conj(p') p' is a number
static artStatus turn_link(const artModel *m, artData *d, const modelStudy *study, int q0, int v0,
                           artError *error)
{
  double p[4], dp[4], ddp[4], square = 0, growth = 0;
  for (int k = 0; k < 4; k++) {
    const formulaJet jet = position_jet(m, d, study, q0 + k);
    p[k] = jet.x;
    dp[k] = jet.dx;
    ddp[k] = jet.ddx;
    square += p[k] * p[k];
    growth += p[k] * dp[k];
  }
  if (!(square > 0)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the quaternion '%s' ... '%s' of the study vanishes at t = %.9g s, expected "
                     "one that has a direction",
                     m->position[q0].name, m->position[q0 + 3].name, d->time);
  }
  double *omega = d->v + v0, *alpha = d->a + v0;
  for (int k = 0; k < 4; k++) d->q[q0 + k] = p[k] / sqrt(square);
  twice_vector_part(p, dp, omega);
  twice_vector_part(p, ddp, alpha);
  for (int k = 0; k < 3; k++) {
    omega[k] /= square;
    alpha[k] = (alpha[k] - 2 * omega[k] * growth) / square;
  }
  return ART_OK;
}


//---- the whole motion ----------------------------------------------------------------------------

static artStatus move_link(const artModel *m, artData *d, const modelStudy *study,
                           const treeLink *link, artError *error)
{
  const int turns = link->kind == LINK_SPHERICAL || link->kind == LINK_FREE;
  const int straight = link->nv - (turns ? 3 : 0);
  if (link->is_driven) {
    d->a[link->v0] = d->work->a_drive[link->v0];
    if (!study || !study->motion[link->q0]) return ART_OK;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the motion of '%s' is given by study '%s' and by a drive; remove one of them",
                     m->position[link->q0].name, study->def.name);
  }
  for (int k = 0; k < straight; k++) {
    const formulaJet jet = position_jet(m, d, study, link->q0 + k);
    d->q[link->q0 + k] = jet.x;
    d->v[link->v0 + k] = jet.dx;
    d->a[link->v0 + k] = jet.ddx;
  }
  if (!turns) return ART_OK;
  return turn_link(m, d, study, link->q0 + straight, link->v0 + straight, error);
}


static artStatus check_finite(const artModel *m, const artData *d, artError *error)
{
  for (int k = 0; k < m->tree.nv; k++) {
    if (isfinite(d->v[k]) && isfinite(d->a[k])) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the motion has no velocity or acceleration '%s' at t = %.9g s: it is not "
                     "finite",
                     m->velocity[k].name, d->time);
  }
  return ART_OK;
}


// the study among those of the model; *found stays NULL for one that prescribes nothing
static artStatus find_study(const artModel *m, const artStudyDef *def, const modelStudy **found,
                            artError *error)
{
  *found = NULL;
  for (int i = 0; i < m->nstudy; i++) {
    if (&m->study[i].def == def) *found = &m->study[i];
  }
  if (*found || !def || def->nmotion == 0) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "the study prescribes a motion but is not one of the model; add it before "
                   "compiling and take it from art_find_study");
}


// the time, where formulas read it
static void set_time(const artModel *m, artData *d, double t)
{
  d->time = t;
  for (int i = 0; i < m->nquantity; i++) {
    if (m->quantity[i].kind != QUANTITY_TIME) continue;
    d->work->jets[i] = (formulaJet){t, 1, 0};
    d->work->slots[i] = t;
  }
}


artStatus art_inverse_at(const artModel *m, artData *d, const artStudyDef *def, double t,
                         double *tau, artError *error)
{
  const modelStudy *study;
  artStatus status = study_refuse_loops(m, d, error);
  if (status == ART_OK) status = find_study(m, def, &study, error);
  if (status != ART_OK) return status;

  artWork *w = d->work;
  w->is_frozen = 0;
  set_time(m, d, t);
  force_drive(m, d);
  for (int i = 1; i < m->tree.n && status == ART_OK; i++) {
    status = move_link(m, d, study, &m->tree.link[i], error);
  }
  if (status == ART_OK) status = check_finite(m, d, error);
  if (status != ART_OK) return status;

  art_update(m, d);
  status = study_missing_forces(m, d, d->a, tau, error);
  if (status != ART_OK) return status;
  for (int k = 0; k < m->tree.nv; k++) {
    w->power += tau[k] * d->v[k];
    d->force[k] += tau[k];
  }
  w->has_motion = 1;
  return ART_OK;
}
