// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The state brought up to date, what the host program adds to the forces, and the energy.
#include <math.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "data/profile.h"
#include "data/rod.h"
#include "force/contact_watch.h"
#include "force/force.h"

//---- update --------------------------------------------------------------------------------------

void force_update(const artModel *m, artData *d)
{
  artWorkspace *w = d->work;
  profile_begin(w->profile);
  force_follow_lines(m, d);
  force_drive(m, d);
  data_place(m, d);
  w->force->has_energies = 0;
  profile_end(w->profile, PROFILE_POSITIONS);
  if (!w->is_frozen) force_set_modes(m, d);
  w->has_motion = 0;
}


void force_refresh(const artModel *m, artData *d)
{
  struct forceWork *own = d->work->force;
  own->has_multipliers = 0;
  if (own->watch) force_watch_renew(own->watch, m);
  own->pattern[0].ncolour = own->pattern[1].ncolour = 0; // formulas may read others than before
  force_update(m, d);
}


void art_update(const artModel *m, artData *d)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, );
  force_update(m, d);
}


//---- forces --------------------------------------------------------------------------------------

artStatus art_apply_forces(const artModel *m, artData *d, artError *error)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE(m, d, error);
  return force_apply(m, d, error);
}


static v3 vector_from_array(const double x[3])
{
  return (v3){x[0], x[1], x[2]};
}


void art_apply_force(const artModel *m, artData *d, int frame, const double force[3])
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(frame >= 0 && frame < m->nframe && force, );
  const modelFrame *f = &m->frame[frame];
  data_need_world(m, d);
  force_at_point(d, f->link, f->r, vector_from_array(force));
}


void art_apply_torque(const artModel *m, artData *d, int frame, const double torque[3])
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(frame >= 0 && frame < m->nframe && torque, );
  data_need_world(m, d);
  force_torque(d, m->frame[frame].link, vector_from_array(torque));
}


void art_apply_joint_force(const artModel *m, artData *d, int velocity, double force)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, );
  ART_REQUIRE_OR(velocity >= 0 && velocity < m->tree.nv, );
  d->force[velocity] += force;
}


//---- energy --------------------------------------------------------------------------------------

artEnergy art_energy(const artModel *m, artData *d)
{
  ARITHMETIC_GUARD;
  WORK_REQUIRE_OR(m, d, ((artEnergy){NAN, NAN, NAN}));
  const treeData *t = &d->work->tree;
  data_need_velocity(m, d);
  const artWorkspace *w = d->work;
  if (w->force->has_energies)
    return (artEnergy){w->force->energies[0], w->force->energies[1], w->power};
  return (artEnergy){
      .kinetic = tree_kinetic(&m->tree, t, d->v) + rod_kinetic(m, d),
      .potential = tree_potential(&m->tree, t) + rod_potential(m, d) + force_potential(m, d),
      .power = d->work->power,
  };
}


void art_set_work(artData *d, double work, double initial_energy)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE_OR(d, );
  d->work->force->run.work = work;
  d->work->force->run.initial_energy = initial_energy;
}
