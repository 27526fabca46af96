// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The system in natural coordinates that represents a model.

#include "base/memory.h"
#include "base/throw.h"
#include "force/force.h"
#include "natural/layout.h"

//---- inertia -------------------------------------------------------------------------------------

// Any point of a link is  r = o + x e_x + y e_y + z e_z,  so with mass m, first moments h and second
// moments P = tr(J)/2 1 - J about its origin
//   T = m/2 o'.o' + sum_k h_k o'.e_k' + 1/2 sum_kl P_kl e_k'.e_l'
static void add_link_inertia(naturalSystem *s, const treeLink *link, const naturalLink *at,
                             v3 gravity)
{
  const double trace = (link->J.xx + link->J.yy + link->J.zz) / 2;
  const int form[4] = {at->origin, at->x, at->y, at->z};
  const double moment[4] = {link->mass, link->h.x, link->h.y, link->h.z};
  for (int k = 0; k < 4; k++) {
    natural_add_mass(s, moment[k], at->origin, form[k]);
    natural_add_weight(s, v3_scale(moment[k], gravity), form[k]);
  }
  natural_add_mass(s, trace - link->J.xx, at->x, at->x);
  natural_add_mass(s, trace - link->J.yy, at->y, at->y);
  natural_add_mass(s, trace - link->J.zz, at->z, at->z);
  natural_add_mass(s, -link->J.xy, at->x, at->y);
  natural_add_mass(s, -link->J.xz, at->x, at->z);
  natural_add_mass(s, -link->J.yz, at->y, at->z);
}


// links with mass; a rod has a sixth of its mass at each end, in the links, and the rest in the middle
static void add_inertias(naturalLayout *l, naturalMachine *k)
{
  const artModel *m = l->m;
  for (int i = 1; i < m->tree.n; i++) {
    const treeLink *link = &m->tree.link[i];
    if (model_has_inertia(link)) add_link_inertia(l->s, link, &k->link[i], m->tree.gravity);
    if (link->has_rotor) natural_add_inertia(l->s, link->rotor, k->coordinate[link->v0]);
  }
  for (int j = 0; j < l->njoint; j++) {
    const layoutJoint *joint = &l->joint[j];
    if (!joint_is_rod(joint->type) || joint->mass == 0) continue;
    const int ends[2] = {layout_point(l, joint->group[0], joint->point[0]),
                         layout_point(l, joint->group[1], joint->point[1])};
    const double half[2] = {0.5, 0.5}, mass = 2 * joint->mass / 3;
    const int middle = natural_add_sum(l->s, 2, ends, half, (v3){0, 0, 0});
    natural_add_mass(l->s, mass, middle, middle);
    natural_add_weight(l->s, v3_scale(mass, m->tree.gravity), middle);
    for (int side = 0; side < 2; side++) {
      // an end on ground weighs on ground, but its height counts in the potential all the same
      if (joint->group[side] != 0) continue;
      natural_add_weight(l->s, v3_scale(joint->mass / 6, m->tree.gravity), ends[side]);
    }
  }
}


//---- links and points ----------------------------------------------------------------------------

// forms of a link's frame, unless it is a link between the axes of one joint that needs none
static void describe_links(naturalLayout *l, naturalMachine *k)
{
  const artModel *m = l->m;
  for (int i = 0; i < m->tree.n; i++) {
    const int g = l->group_of[i];
    const m3 *R = &l->in[i].R;
    const int is_whole = g == 0 || (layout_spans(l, g, R->x) && layout_spans(l, g, R->y) &&
                                    layout_spans(l, g, R->z));
    k->link[i] = (naturalLink){-1, -1, -1, -1};
    if (!is_whole) continue;
    k->link[i] = (naturalLink){layout_point(l, g, l->in[i].p), layout_vector(l, g, R->x),
                               layout_vector(l, g, R->y), layout_vector(l, g, R->z)};
  }
}


static void describe_points(naturalLayout *l, naturalMachine *k)
{
  const artModel *m = l->m;
  for (int i = 0; i < m->nframe; i++) k->point[i] = -1;
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    const elementPhysics *physics = port_physics(e);
    const portType port = physics ? physics->port : PORT_NONE;
    const int is_span = port == PORT_LINE && e->nframe == 2;
    const int count = is_span ? 2 : port == PORT_POINT;
    for (int j = 0; j < count; j++) {
      const modelFrame *frame = &m->frame[e->frame[j]];
      if (k->point[e->frame[j]] >= 0) continue;
      const v3 local = layout_in_group(l, frame->link, frame->r);
      k->point[e->frame[j]] = layout_point(l, l->group_of[frame->link], local);
    }
  }
}


// items and screws, by which natural_place finds the coordinates
static void list_items(naturalLayout *l, naturalMachine *k)
{
  for (int g = 1; g < l->ngroup; g++) {
    for (int i = 0; i < l->group[g].n; i++) k->nitem += l->group[g].base[i].coordinate >= 0;
  }
  k->nshared = l->ntaken;
  ARENA_TAKE(&k->arena, k->item, k->nitem);
  int n = 0;
  for (int g = 1; g < l->ngroup; g++) {
    for (int i = 0; i < l->group[g].n; i++) {
      const layoutEntry *e = &l->group[g].base[i];
      if (e->coordinate < 0) continue;
      k->item[n++] = (naturalItem){l->group[g].root, e->coordinate, e->is_vector, e->local};
    }
  }
  for (int j = 0; j < l->njoint; j++) {
    const layoutJoint *joint = &l->joint[j];
    if (!joint_holds(joint->type, THREAD) || joint->link > 0) continue;
    k->screw[k->nscrew++] = (naturalScrew){l->m->joint[joint->joint].cut, joint->slide};
  }
}


// directions and angles
static void mark_turns(naturalMachine *k)
{
  const treeModel *t = &k->m->tree;
  const int size = k->is_planar ? 2 : 3;
  for (int i = 0; i < k->nitem; i++) {
    if (!k->item[i].is_vector) continue;
    for (int c = 0; c < size; c++) k->s->unit[k->item[i].coordinate + c] = 1;
  }
  for (int i = 0; i < t->nv; i++) {
    const int is_turn = t->link[t->dof_link[i]].kind != LINK_PRISMATIC;
    if (k->coordinate[i] >= 0 && is_turn) k->s->unit[k->coordinate[i]] = 1;
  }
  for (int i = 0; i < k->nscrew; i++) k->s->unit[k->screw[i].coordinate] = 1;
}


//---- drives --------------------------------------------------------------------------------------

static void drives_at(void *context, double t, double *value, double *rate, double *acceleration)
{
  const naturalMachine *k = context;
  artData *d = k->d;
  const double now = d->time;
  d->time = t;
  force_drive(k->m, d);
  d->time = now;
  for (int i = 0; i < k->m->ndrive; i++) {
    const modelDrive *drive = &k->m->drive[i];
    value[i] = d->q[drive->position];
    rate[i] = d->v[drive->velocity];
    acceleration[i] = d->work->a_drive[drive->velocity];
  }
}


//---- all together --------------------------------------------------------------------------------

// room for what k keeps of each link, frame and coordinate
static void take_machine_arrays(naturalMachine *k)
{
  const artModel *m = k->m;
  k->arena.leaves = 1;
  ARENA_TAKE(&k->arena, k->link, m->tree.n);
  ARENA_TAKE(&k->arena, k->point, m->nframe);
  ARENA_TAKE(&k->arena, k->coordinate, m->tree.nv);
  ARENA_TAKE(&k->arena, k->near, m->tree.nq);
  double **errors[] = {&k->start, &k->extent, &k->error, &k->flaw};
  for (int i = 0; i < 4; i++)
    *errors[i] = arena_alloc(&k->arena, (size_t) m->tree.nv, sizeof(double));
  ARENA_TAKE(&k->arena, k->pose, m->tree.n);
  ARENA_TAKE(&k->arena, k->rate, m->tree.n);
  ARENA_TAKE(&k->arena, k->screw, m->ncut);
  for (int i = 0; i < m->tree.nv; i++) k->coordinate[i] = -1;
}


typedef struct machineJob {
  naturalMachine *k;
  naturalShape shape;
  naturalLayout layout;
  artStatus status;
  artError *error;
} machineJob;


static void build_natural_machine(void *work)
{
  machineJob *job = work;
  naturalMachine *k = job->k;
  naturalLayout *l = &job->layout;
  take_machine_arrays(k);
  layout_start(l, k->m, k->s, job->shape);
  layout_share(l);
  job->status = joints_coordinates(l, k, job->error);
  if (job->status != ART_OK) return;
  joints_rows(l, k);
  describe_links(l, k);
  describe_points(l, k);
  add_inertias(l, k);
  layout_rigid_rows(l);
  k->is_planar = l->is_planar;
  for (int i = 0; i < 3; i++) k->plane[i] = l->plane[i];
  k->s->ndrive = k->m->ndrive;
  k->s->drive = drives_at;
  k->s->drive_context = k;
  list_items(l, k);
  natural_add_elements(k);
  natural_go_along(k);
  natural_finish(k->s);
  mark_turns(k);
  natural_settle_ports(k);
}


artStatus natural_create(naturalMachine **out, const artModel *m, artData *d, naturalShape shape,
                         artError *error)
{
  *out = NULL;
  const artStatus possible = model_refuse_rolls(m, "natural coordinates", error);
  if (possible != ART_OK) return possible;
  if (!force_solves_states(m)) {
    return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                     "natural coordinates solve for the states of blocks and contacts together, at "
                     "most %d of them, and the machine has %d; methods in relative coordinates "
                     "take any number",
                     MAX_SOLVED_STATES, m->nstate);
  }
  naturalMachine *k = mem_alloc(1, sizeof *k);
  if (!k) return base_no_memory(error);
  k->m = m;
  k->d = d;
  k->s = natural_begin();
  machineJob job = {.k = k, .shape = shape, .error = error};
  if (!k->s || !error_catch(build_natural_machine, &job)) job.status = base_no_memory(error);
  arena_free(&job.layout.arena);
  if (job.status == ART_OK) {
    *out = k;
  } else {
    natural_destroy(k);
  }
  return job.status;
}


void natural_destroy(naturalMachine *k)
{
  if (!k) return;
  natural_free(k->s);
  arena_free(&k->arena);
  mem_free(k);
}
