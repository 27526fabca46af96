// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Mass, centre of mass and inertia of bodies, and masses of rods, as constants that generated code offers. Each is a symbol of
// the definitions; first and second moments of links follow from these in `prepare`.
//
// A number that is 0 is part of the structure: it is offered only where a number other than 0 has its place in the equations in
// any case. So are equal principal moments that the equations have as one.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/parameter/definition.h"
#include "gen/parameter/lay_symbolic.h"
#include "model/compile/lay.h"

static const char *const components[6] = {"xx", "yy", "zz", "xy", "xz", "yz"};
static const char *const axes[3] = {"x", "y", "z"};

//---- lists ---------------------------------------------------------------------------------------

static int compare_body_addresses(const void *a, const void *b)
{
  const double *x = ((const bodyAddress *) a)->number, *y = ((const bodyAddress *) b)->number;
  return x < y ? -1 : x > y;
}


int gen_body_node(const genDefinitions *d, const double *number)
{
  const bodyAddress wanted = {.number = number};
  if (d->naddress == 0) return -1;
  const bodyAddress *found =
      bsearch(&wanted, d->address, (size_t) d->naddress, sizeof wanted, compare_body_addresses);
  return found ? d->body[found->place].node : -1;
}


static void add_address(genBuild *b, const double *number, int place)
{
  genDefinitions *d = b->definitions;
  d->address =
      arena_grow(&b->work, d->address, d->naddress, &d->address_capacity, sizeof *d->address);
  d->address[d->naddress++] = (bodyAddress){number, place};
}


// A word of a call means a number by its name, by its name in the text, by its quantity ("mass"), or as a constant of a link
// ("mass_3").
int gen_means_body(const bodyNumber *own, const char *word)
{
  return strcmp(word, own->name) == 0 || strcmp(word, own->label) == 0 ||
         gen_is_meant(word, own->quantity, own->link);
}


void gen_add_also(genBuild *b, int k, const char *name)
{
  bodyNumber *own = &b->definitions->body[k];
  own->also = arena_format(&b->program->arena, "%s%s%s", own->also ? own->also : "",
                           own->also ? ", " : "", name);
}


// with --share: the first number of the quantity that has the value, -1: there is none
static int find_equal(const genBuild *b, const char *quantity, double value)
{
  const genDefinitions *d = b->definitions;
  for (int i = 0; b->options->share && i < d->nbody; i++) {
    if (d->body[i].value == value && strcmp(d->body[i].quantity, quantity) == 0) return i;
  }
  return -1;
}


// One more number that is offered; returns its place, -1: it is frozen.
static int add_body_number(genBuild *b, const double *number, bodyNumber own)
{
  genDefinitions *d = b->definitions;
  own.value = *number;
  own.label = gen_label(b, own.name);
  const genOptions *o = b->options;
  int found = 0;
  for (int i = 0; i < o->nfreeze; i++) {
    if (!gen_means_body(&own, o->freeze[i])) continue;
    if (o->frozen) o->frozen[i] = 1;
    found = 1;
  }
  if (found) return -1;
  const int equal = find_equal(b, own.quantity, own.value);
  if (equal >= 0) {
    gen_share_body(b, &own, equal);
    add_address(b, number, equal);
    return equal;
  }
  own.node = expr_symbol(d->pool, own.label, -1);
  gen_take_label(b, own.label);
  d->body = arena_grow(&b->work, d->body, d->nbody, &d->body_capacity, sizeof *d->body);
  d->body[d->nbody] = own;
  add_address(b, number, d->nbody);
  return d->nbody++;
}

//---- bodies --------------------------------------------------------------------------------------

// A body that offers its numbers: where they are, and its link as the equations have it without them.
typedef struct bodyOffer {
  const char *name;
  int link;
  const double *mass, *com, *inertia;
  double R[9];      // v_body = R v_link
  const int *h, *J; // nodes of first and second moments of the link
} bodyOffer;


static int is_axis_of(const bodyOffer *of, int body_axis, int link_axis)
{
  return fabs(of->R[3 * body_axis + link_axis]) > 1e-12;
}


// the axis of the link that an axis of the body is, -1: it is none alone
static int link_axis_of(const bodyOffer *of, int body_axis)
{
  int axis = -1;
  for (int j = 0; j < 3; j++) {
    if (!is_axis_of(of, body_axis, j)) continue;
    if (axis >= 0) return -1;
    axis = j;
  }
  return axis;
}


static int is_nothing(genBuild *b, int node, double size)
{
  const exprPool *pool = b->definitions->pool;
  return expr_is_constant(pool, node) && fabs(pool->nodes[node].value) <= 4e-16 * size;
}


// whether first moments of the link are there, whatever this component of the centre of mass is
static int has_moments_along(genBuild *b, const bodyOffer *of, int axis)
{
  double size = 0;
  for (int j = 0; j < 3; j++) size = fmax(size, fabs(gen_present_value(b, of->h[j])));
  for (int j = 0; j < 3; j++) {
    if (is_axis_of(of, axis, j) && is_nothing(b, of->h[j], size)) return 0;
  }
  return 1;
}


static void offer_mass(genBuild *b, const bodyOffer *of)
{
  if (*of->mass == 0 || gen_is_live(b, of->mass)) return;
  add_body_number(b, of->mass,
                  (bodyNumber){.quantity = "mass",
                               .link = of->link,
                               .unit = "kg",
                               .name = arena_format(&b->program->arena, "%s.mass", of->name)});
}


// the first principal moment that is this one in the equations, too
static int equal_moment(genBuild *b, const bodyOffer *of, int k)
{
  for (int i = 0; i < k && k < 3; i++) {
    if (of->inertia[i] != of->inertia[k] || gen_is_live(b, &of->inertia[i])) continue;
    const int x = link_axis_of(of, i), y = link_axis_of(of, k);
    if (x < 0 || y < 0 || of->J[x] == of->J[y]) return i;
  }
  return k;
}


static void offer_inertia(genBuild *b, const bodyOffer *of)
{
  int place[6];
  for (int k = 0; k < 6; k++) {
    const int first = equal_moment(b, of, k);
    place[k] = -1;
    if (of->inertia[k] == 0 || gen_is_live(b, &of->inertia[k])) continue;
    const bodyNumber own = {
        .quantity = "inertia",
        .link = of->link,
        .unit = "kg m^2",
        .has_sign = k > 2,
        .name = arena_format(&b->program->arena, "%s.inertia.%s", of->name, components[k])};
    if (first == k) {
      place[k] = add_body_number(b, &of->inertia[k], own);
    } else if (place[first] >= 0) {
      place[k] = place[first];
      gen_add_also(b, place[k], own.name);
      add_address(b, &of->inertia[k], place[k]);
    }
  }
}


// numbers of solids that parameters give
static int has_live_solids(genBuild *b, const laySolids *solids)
{
  const genDefinitions *d = b->definitions;
  const char *from = (const char *) solids->solid, *to = (const char *) (solids->solid + solids->n);
  for (int i = 0; i < d->nlive; i++) {
    const char *at = (const char *) d->live[i].number;
    if (d->live[i].number == solids->mass || (at >= from && at < to)) return 1;
  }
  return 0;
}


// Density and mass of each solid of a body of which parameters give some numbers: "housing.solid_2.density". The body has no other
// numbers, since its centre of mass and inertia follow from them.
static void offer_solids(genBuild *b, const bodyOffer *of, const laySolids *solids)
{
  baseArena *arena = &b->program->arena;
  int matter = 0;
  offer_mass(b, of);
  for (int i = 0; i < solids->n; i++) matter += !solids->solid[i].is_hole;
  for (int i = 0; i < solids->n; i++) {
    const artSolidDef *own = &solids->solid[i];
    const char *name = solids->n == 1 ? arena_format(arena, "%s.solid", of->name)
                                      : arena_format(arena, "%s.solid_%d", of->name, i + 1);
    const struct {
      const double *number;
      const char *quantity, *unit;
    } each[2] = {{&own->density, "density", "kg/m^3"}, {&own->mass, "mass", "kg"}};
    for (int k = 0; k < 2; k++) {
      if (*each[k].number == 0 || gen_is_live(b, each[k].number)) continue;
      if (*of->mass != 0 && matter == 1) continue; // the mass of the whole says it
      add_body_number(b, each[k].number,
                      (bodyNumber){.quantity = each[k].quantity,
                                   .link = of->link,
                                   .unit = each[k].unit,
                                   .name = arena_format(arena, "%s.%s", name, each[k].quantity)});
    }
  }
}


// The plan in which solids without parameters are what they weigh.
static const layPlan *weighed_plan(genBuild *b)
{
  const artModel *m = b->m;
  layPlan *plan = arena_copy(&b->work, m->plan, 1, sizeof *plan);
  plan->body = arena_copy(&b->work, m->plan->body, (size_t) plan->nbody, sizeof *plan->body);
  for (int i = 1; i < plan->nbody; i++) {
    layBody *own = &plan->body[i];
    if (own->solids.n == 0 || has_live_solids(b, &own->solids)) continue;
    own->solids.n = 0;
    own->mass = &m->body[i].mass;
    own->com = m->body[i].com;
    own->inertia = m->body[i].inertia;
  }
  return plan;
}


// of a model that keeps its definitions; plan NULL: of one that has been built
static void offer_bodies(genBuild *b, const layPlan *plan, const laidTree *laid)
{
  const artModel *m = b->m;
  for (int i = 1; i < m->nbody; i++) {
    const modelBody *body = &m->body[i];
    const m3c *R = &m->frame[i].R;
    int *node = laid->link + LAID_LINK * body->link;
    bodyOffer of = {.name = body->name,
                    .link = body->link,
                    .mass = plan ? plan->body[i].mass : &body->mass,
                    .com = plan ? plan->body[i].com : body->com,
                    .inertia = plan ? plan->body[i].inertia : body->inertia,
                    .h = node + LAID_FIRST,
                    .J = node + LAID_MOMENTS};
    memcpy(of.R, R, sizeof of.R);
    if (body->link == 0) continue;
    if (plan && plan->body[i].solids.n > 0) {
      of.mass = plan->body[i].solids.mass;
      offer_solids(b, &of, &plan->body[i].solids);
      continue;
    }
    gen_fold_constants(b, 3, node + LAID_FIRST);
    gen_fold_constants(b, 6, node + LAID_MOMENTS);
    gen_join_nodes(b, 3, node + LAID_MOMENTS);
    offer_mass(b, &of);
    for (int k = 0; k < 3; k++) {
      if (gen_is_live(b, &of.com[k]) || !has_moments_along(b, &of, k)) continue;
      add_body_number(
          b, &of.com[k],
          (bodyNumber){.quantity = "com",
                       .link = of.link,
                       .unit = "m",
                       .has_sign = 1,
                       .name = arena_format(&b->program->arena, "%s.com.%s", of.name, axes[k])});
    }
    offer_inertia(b, &of);
  }
}


//---- models that have been built -----------------------------------------------------------------

// links of bodies and ends of rods as they have been compiled
static void lay_compiled(genBuild *b, laidTree *out)
{
  const artModel *m = b->m;
  laidBody *body = arena_alloc(&b->scratch, (size_t) m->nbody, sizeof *body);
  laidRod *rod = arena_alloc(&b->scratch, (size_t) m->ncut, sizeof *rod);
  int nrod = 0;
  for (int i = 1; i < m->nbody; i++) {
    body[i] = (laidBody){.link = m->body[i].link,
                         .mass = &m->body[i].mass,
                         .com = m->body[i].com,
                         .inertia = m->body[i].inertia};
    memcpy(body[i].R, &m->frame[i].R, sizeof body[i].R);
    memcpy(body[i].r, &m->frame[i].r, sizeof body[i].r);
  }
  for (int c = 0; c < m->own_cuts; c++) {
    const modelCut *cut = &m->cut[c];
    if (cut->mass == 0) continue;
    rod[nrod] = (laidRod){.cut = c, .mass = &cut->mass};
    for (int k = 0; k < 2; k++) {
      rod[nrod].link[k] = cut->side[k].link;
      memcpy(rod[nrod].r[k], &cut->side[k].r, sizeof rod[nrod].r[k]);
    }
    nrod++;
  }
  gen_lay_compiled(b, m->nbody, body, nrod, rod, m->tree.n, m->ncut, &b->program->arena, out);
  arena_free(&b->scratch);
}

//---- all -----------------------------------------------------------------------------------------

static void lay_either(genBuild *b, const layPlan *plan, laidTree *out)
{
  if (plan) {
    gen_lay(b, plan, b->m->tree.n, &b->program->arena, out);
  } else {
    lay_compiled(b, out);
  }
}


void gen_lay_bodies(genBuild *b, laidTree *out)
{
  genDefinitions *d = b->definitions;
  const artModel *m = b->m;
  const layPlan *plan = m->records ? weighed_plan(b) : NULL;
  if (!b->options->fixed_bodies) {
    lay_either(b, plan, out);
    offer_bodies(b, plan, out);
    for (int c = 0; c < m->own_cuts; c++) {
      const modelCut *cut = &m->cut[c];
      const double *mass = plan ? plan->joint[plan->cut[c]].mass : &cut->mass;
      if (cut->mass == 0 || gen_is_live(b, mass)) continue;
      add_body_number(b, mass,
                      (bodyNumber){.quantity = "mass",
                                   .link = -1,
                                   .unit = "kg",
                                   .name = arena_format(&b->program->arena, "%s.mass",
                                                        m->joint[cut->joint].name)});
    }
    if (d->naddress > 0) {
      qsort(d->address, (size_t) d->naddress, sizeof *d->address, compare_body_addresses);
    }
  }
  lay_either(b, plan, out);
}
