// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Accelerations by any method, and the forces and outputs that follow from them.
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "force/force.h"
#include "loop/loop.h"
#include "method/method.h"

//---- the methods ---------------------------------------------------------------------------------

#define ENTER(id, word, name, traits) [id] = &word##_kind,

const methodKind automatic_kind = {0}; // replaced by the method chosen


const methodKind *method_kind(int way)
{
  ART_ASSERT(way >= 0 && way < MODEL_WAYS);
  static const methodKind *const kinds[MODEL_WAYS] = {MODEL_METHODS(ENTER)};
  return kinds[way];
}


const char *method_stage_name(artMethod method, profileStage stage)
{
  ART_ASSERT(stage < PROFILE_STAGES);
  const char *own = method_kind((int) method)->stage[stage];
  return own ? own : profile_name(stage);
}


//---- the whole machine ---------------------------------------------------------------------------


// apply constraint forces to the links like applied forces
static void apply_multipliers(const artModel *m, artData *d)
{
  artWorkspace *w = d->work;
  if (w->force->has_multipliers) return;
  data_need_world(m, d);
  if (!w->tree.f_ext) {
    const v3 zero = {0, 0, 0};
    for (int i = 0; i < m->tree.n; i++) w->applied[i] = (wrench){zero, zero};
    w->tree.f_ext = w->applied;
  }
  const loopRows *rows = &w->loop->rows;
  if (w->method && w->method->has_shares) method_unshare(m, d);
  rows_apply(m, d, rows);

  // forces on both ends of rods with mass also act on the links
  for (int i = 0; i < m->nrod; i++) {
    const cutSide *side = m->cut[m->rod[i]].side;
    for (int k = 0; k < 2; k++) {
      if (side[k].link == 0) continue;
      force_at_point(d, side[k].link, side[k].r, d->work->rod_force[i]);
    }
  }

  for (int c = 0; c < m->ncut; c++) {
    w->force->cut_force[c] = rows_reaction(m, rows, c);
    w->force->from_force[c] = v3_neg(w->force->cut_force[c].lin);
  }
  for (int i = 0; i < m->nroll; i++) {
    const rollForce *f = &w->force->roll[i];
    wrench *sum = &w->force->cut_force[m->roll[i].cut];
    const v3 arm = v3_sub(f->point, rows->state[m->roll[i].cut].to.r);
    *sum = (wrench){v3_add(sum->ang, v3_cross(arm, f->force)), v3_add(sum->lin, f->force)};
  }
  memcpy(w->force->multiplier, rows->lambda, (size_t) m->nrow * sizeof *w->force->multiplier);
  w->force->has_multipliers = 1;
}


// link motion and joint forces at the present accelerations, including drives
static void find_motion_forces(const artModel *m, artData *d)
{
  artWorkspace *w = d->work;
  if (w->loop) apply_multipliers(m, d);
  tree_rne(&m->tree, &w->tree, d->v, d->a, w->scratch);
  force_rod_ends(m, d);
  if (m->nrelation > 0) rows_relation_forces(m, &w->loop->rows, w->force->coupling_force);
  for (int i = 0; i < m->ndrive; i++) {
    // the drive supplies the force that is not supplied by elements in the joint and couplings
    const int k = m->drive[i].velocity;
    const double needed = w->scratch[k] - w->force->coupling_force[k];
    w->power += (needed - d->force[k]) * d->v[k];
    d->force[k] = needed;
  }
  w->has_motion = 1;
  data_note_motion(m, d);
}


void method_need_forces(const artModel *m, artData *d)
{
  if (!d->work->has_motion) find_motion_forces(m, d);
  (void) data_motion(m, d);
}


static artStatus refuse_loops(const artModel *m, artMethod method, artError *error)
{
  char others[MODEL_METHODS_LENGTH];
  return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                   "method %s is for machines without closed loops, this one has %d; use %s",
                   art_method_name(method), m->ncut + m->nrelation,
                   model_method_list(METHOD_LOOPS, METHOD_TREES, "or", others));
}


// states whose derivatives depend on accelerations or reactions
static void find_late_rates(const artModel *m, artData *d)
{
  if (m->nlate == 0) return;
  method_need_forces(m, d);
  force_late_rates(m, d);
}


// contacts of a pile follow from steps, not from a state
static artStatus refuse_pile(const artModel *m, artError *error)
{
  const modelElement *e = &m->element[m->pile[0].element];
  return base_fail(error, ART_UNSUPPORTED, e->place,
                   "pile '%s' has forces in runs by integrator moreau alone, and a state has no "
                   "accelerations without them; single rigid contacts have them at any state",
                   e->name);
}


artStatus method_accelerate(const artModel *m, artData *d, int way, artError *error)
{
  if (m->npile > 0 && !d->work->force->is_stepping) return refuse_pile(m, error);
  d->work->has_motion = 0;
  if (d->work->method) d->work->method->has_shares = 0;
  const methodKind *kind = method_kind(way);
  if (kind->accelerate) {
    const artStatus status = kind->accelerate(m, d, error);
    if (status == ART_OK && way != MODEL_GENERATED) find_late_rates(m, d);
    return status;
  }
  const artMethod own = model_method_for(way, m->nrow > 0);
  if (m->nrow > 0 && !model_method_has((int) own, METHOD_LOOPS)) return refuse_loops(m, own, error);
  kind = method_kind((int) own);
  artStatus status = m->ndrive > 0 ? force_check_drives(m, d, error) : ART_OK;
  if (status == ART_OK) {
    status = m->nroll > 0    ? method_roll(m, d, kind, error)
             : m->nrigid > 0 ? method_rigid(m, d, kind, error)
                             : kind->solve(m, d, error);
  }
  if (status != ART_OK) return status;

  // drives need their forces; without coordinates no recursion has run
  data_note_motion(m, d);
  if (m->ndrive > 0 || kind->leaves_links || m->tree.nv == 0) find_motion_forces(m, d);
  if (d->work->profile) d->work->profile->evaluations++;
  find_late_rates(m, d);
  return ART_OK;
}


artStatus art_accelerate(const artModel *m, artData *d, artMethod method, artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE((unsigned) method < ART_METHODS, error);
  return method_accelerate(m, d, (int) method, error);
}


artStatus art_accelerate_generated(const artModel *m, artData *d, artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  return method_accelerate(m, d, MODEL_GENERATED, error);
}


//---- results -------------------------------------------------------------------------------------


static const v3 UNKNOWN = {NAN, NAN, NAN};


// Force and torque of a latch or rope on `to`; zero while it is not engaged. Returns 0 if there is
// none of that name.
static int latch_reaction(const artModel *m, const artData *d, const char *name, wrench *f)
{
  const int i = table_find(&m->latches, name);
  if (i < 0 || m->latch[i].type == ART_LOCK) return 0;
  if (m->engaged[i]) *f = d->work->force->cut_force[m->latch_row[i]];
  return 1;
}


artStatus art_reaction(const artModel *m, artData *d, const char *name, double force[3],
                       double torque[3], artError *error)
{
  ARITHMETIC_GUARD;
  data_put3(force, UNKNOWN);
  data_put3(torque, UNKNOWN);
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(name && force && torque, error);
  const int j = table_find(&m->joints, name);
  wrench f = {{0, 0, 0}, {0, 0, 0}};
  method_need_forces(m, d);
  data_need_world(m, d);
  if (j >= 0) {
    f = force_reaction(m, d, j);
  } else if (!latch_reaction(m, d, name, &f) && !force_bar_reaction(m, d, name, &f.lin)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "'%s' is not a joint", name);
  }
  data_put3(force, f.lin);
  data_put3(torque, f.ang);
  return ART_OK;
}


artStatus art_rod_forces(const artModel *m, artData *d, const char *name, double from[3],
                         double to[3], artError *error)
{
  ARITHMETIC_GUARD;
  data_put3(from, UNKNOWN);
  data_put3(to, UNKNOWN);
  WORK_REQUIRE(m, d, error);
  ART_REQUIRE(name && from && to, error);
  const int j = table_find(&m->joints, name);
  if (j < 0 || !joint_is_rod(m->joint[j].type)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "'%s' is not a rod", name);
  }
  method_need_forces(m, d);
  data_put3(from, d->work->force->from_force[m->joint[j].cut]);
  data_put3(to, d->work->force->cut_force[m->joint[j].cut].lin);
  return ART_OK;
}


void art_frame_acceleration(const artModel *m, const artData *d, int frame, double linear[3],
                            double angular[3])
{
  ARITHMETIC_GUARD;
  if (!data_has_frame(__func__, m, d, frame, 3, linear, angular)) return;
  m = d->work->now;
  const modelFrame *f = &m->frame[frame];
  artData open = *d;
  if (m->nrow > 0) method_need_forces(m, &open);
  const treeData *t = data_motion(m, d);
  data_put3(linear, tree_point_acceleration(&m->tree, t, f->link, f->r));
  data_put3(angular, m3_back(tree_in_ground(t, f->link)->R, tree_body(t, f->link)->acc.ang));
}


void art_outputs(const artModel *m, artData *d, double *values)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(values || m->noutput == 0, );
  artWorkspace *w = d->work;
  method_need_forces(m, d);
  force_quantities(m, d, 0);
  for (int i = 0; i < m->noutput; i++) {
    const modelOutput *output = &m->output[i];
    const formula *f = output->formula;
    if (!f) {
      values[i] = output->value(output->context, m, d);
      arithmetic_renew();
      continue;
    }
    formula_set_branches(f, w->force->slots, w->force->output_branch, w->force->stack);
    values[i] = formula_value(f, w->force->slots, w->force->output_branch, w->force->stack);
  }
}
