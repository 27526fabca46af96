// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Groups of links and the points and vectors that describe them.
#include "natural/layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/max_nan.h"

//---- groups --------------------------------------------------------------------------------------

v3 layout_in_group(const naturalLayout *l, int link, v3 r)
{
  ART_ASSERT(link >= 0 && link < l->m->tree.n);
  return v3_add(l->in[link].p, m3_back(l->in[link].R, r));
}


static m3 axes_in_group(const naturalLayout *l, int link, m3 R)
{
  return m3_mul_m3(R, l->in[link].R);
}


// Links that are fixed to their parent belong to its group, and twins to the group of what they are welded to: the
// joint's frame is the same on both sides.
static void lay_groups(naturalLayout *l)
{
  const artModel *m = l->m;
  const treeModel *t = &m->tree;
  for (int i = 0; i < t->n; i++) l->twin_of[i] = -1;
  for (int j = 0; j < m->njoint; j++) {
    if (m->joint[j].twin > 0) l->twin_of[m->joint[j].twin] = m->joint[j].cut;
  }
  l->group[0] = (layoutGroup){.root = 0};
  l->in[0] = (treePose){m3_identity(), {0, 0, 0}};
  l->ngroup = 1;
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    if (l->twin_of[i] >= 0) continue;
    if (link->kind == LINK_FIXED) {
      l->group_of[i] = l->group_of[link->parent];
      l->in[i].R = axes_in_group(l, link->parent, link->R);
      l->in[i].p = layout_in_group(l, link->parent, link->p);
    } else {
      l->group_of[i] = l->ngroup;
      l->in[i] = l->in[0];
      l->group[l->ngroup++] = (layoutGroup){.root = i};
    }
  }
  for (int i = 1; i < t->n; i++) {
    if (l->twin_of[i] < 0) continue;
    const cutSide *twin = m->cut[l->twin_of[i]].side, *to = twin + 1;
    l->group_of[i] = l->group_of[to->link];
    l->in[i].R = m3_mul_m3(m3_transpose(twin->R), axes_in_group(l, to->link, to->R));
    l->in[i].p = v3_sub(layout_in_group(l, to->link, to->r), m3_back(l->in[i].R, twin->r));
  }
}


//---- joints --------------------------------------------------------------------------------------

// joints of the tree from ground to the leaves; then the ones that lead to twins, which close loops
static void lay_tree_joints(naturalLayout *l, int of_twins)
{
  const treeModel *t = &l->m->tree;
  for (int i = 1; i < t->n; i++) {
    const treeLink *link = &t->link[i];
    if (link->kind == LINK_FIXED || (l->twin_of[i] >= 0) != of_twins) continue;
    l->joint[l->njoint++] = (layoutJoint){
        .type = joint_of_link(link->kind),
        .group = {l->group_of[link->parent], l->group_of[i]},
        .point = {layout_in_group(l, link->parent, link->p), l->in[i].p},
        .axes = {axes_in_group(l, link->parent, link->R), l->in[i].R},
        .pitch = link->pitch,
        .link = i,
        .joint = l->joint_of[i],
        .slide = -1,
    };
  }
}


static void lay_cut_joints(naturalLayout *l)
{
  for (int c = 0; c < l->m->ncut; c++) {
    const modelCut *cut = &l->m->cut[c];
    const cutSide *a = &cut->side[0], *b = &cut->side[1];
    if (l->m->joint[cut->joint].twin > 0) continue;
    l->joint[l->njoint++] = (layoutJoint){
        .type = cut->type,
        .group = {l->group_of[a->link], l->group_of[b->link]},
        .point = {layout_in_group(l, a->link, a->r), layout_in_group(l, b->link, b->r)},
        .axes = {axes_in_group(l, a->link, a->R), axes_in_group(l, b->link, b->R)},
        .axis2 = cut->axis2,
        .pitch = cut->pitch,
        .length = cut->length,
        .mass = cut->mass,
        .joint = cut->joint,
        .slide = -1,
    };
  }
}


// Middle and extent of the joints of every group. Groups with their joints nearly in one point, as the cross of a universal
// joint whose axes do not quite meet, are as large as the largest: points 0.1 mm apart in a base would make tons of grams.
static void measure_groups(naturalLayout *l)
{
  double typical = 0;
  for (int i = 0; i < 2 * l->njoint; i++) {
    const layoutJoint *joint = &l->joint[i / 2];
    layoutGroup *group = &l->group[joint->group[i % 2]];
    group->centre = v3_add(group->centre, joint->point[i % 2]);
    group->njoint++;
  }
  for (int g = 0; g < l->ngroup; g++) {
    layoutGroup *group = &l->group[g];
    if (group->njoint > 0) group->centre = v3_scale(1.0 / group->njoint, group->centre);
  }
  for (int i = 0; i < 2 * l->njoint; i++) {
    const layoutJoint *joint = &l->joint[i / 2];
    layoutGroup *group = &l->group[joint->group[i % 2]];
    const v3 d = v3_sub(joint->point[i % 2], group->centre);
    group->size = max_nan(group->size, sqrt(v3_dot(d, d)));
    if (joint->group[i % 2] > 0) typical = max_nan(typical, group->size);
  }
  if (typical == 0) typical = 1;
  l->s->length = typical;
  for (int g = 0; g < l->ngroup; g++) {
    if (!(l->group[g].size > 2e-3 * typical)) l->group[g].size = typical;
  }
}


//---- planar machines -----------------------------------------------------------------------------

static int is_along(v3 a, v3 b)
{
  const v3 c = v3_cross(a, b);
  return v3_dot(c, c) < 1e-20 && v3_dot(a, b) != 0;
}


static int is_square_to(v3 a, v3 b)
{
  return fabs(v3_dot(a, b)) < 1e-10;
}


// does a joint leave the plane where it is? from, to: normals in its groups
static int keeps_plane(const layoutJoint *joint, v3 from, v3 to)
{
  if (joint_is_ball(joint->type)) return joint->link == 0;
  if (joint_is_slide(joint->type)) {
    return is_square_to(joint->axes[0].z, from) && is_square_to(joint->axes[1].z, to);
  }
  if (!joint_turns_in_plane(joint->type)) return joint_is_rod(joint->type);
  return is_along(joint->axes[0].z, from) && is_along(joint->axes[1].z, to);
}


// The normal of the plane of a planar machine in all groups, their heights above ground's origin, and two directions
// square to the normal, along axes of ground where possible. Joints of the tree come in order, from ground to the leaves.
static int find_plane(naturalLayout *l)
{
  int first = 0;
  while (first < l->njoint &&
         (!joint_is_hinge(l->joint[first].type) || l->joint[first].group[0] != 0)) {
    first++;
  }
  if (first == l->njoint) return 0;
  const v3 n = l->group[0].normal = l->joint[first].axes[0].z;
  for (int j = 0; j < l->njoint; j++) {
    const layoutJoint *joint = &l->joint[j];
    const layoutGroup *from = &l->group[joint->group[0]];
    layoutGroup *to = &l->group[joint->group[1]];
    if (joint->link > 0 && l->twin_of[joint->link] < 0) {
      // components of the normal are the same in the joint's frame on both sides
      to->normal = m3_back(joint->axes[1], m3_mul(joint->axes[0], from->normal));
      to->height = from->height + v3_dot(from->normal, joint->point[0]) -
                   v3_dot(to->normal, joint->point[1]);
    }
    if (!keeps_plane(joint, from->normal, to->normal)) return 0;
  }
  const v3 trial = fabs(n.x) < 0.9 ? (v3){1, 0, 0} : (v3){0, 1, 0};
  const v3 square = v3_sub(trial, v3_scale(v3_dot(trial, n), n));
  l->plane[0] = v3_scale(1 / sqrt(v3_dot(square, square)), square);
  l->plane[1] = v3_cross(n, l->plane[0]);
  l->plane[2] = n;
  return 1;
}


//---- independence --------------------------------------------------------------------------------

static void homogeneous_coordinates(const layoutGroup *g, v3 local, int is_vector, double hom[4])
{
  const v3 x = is_vector ? local : v3_scale(1 / g->size, v3_sub(local, g->centre));
  hom[0] = x.x, hom[1] = x.y, hom[2] = x.z, hom[3] = !is_vector;
}


static double dot_homogeneous(const double a[4], const double b[4])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}


// An orthonormal basis of the base: Q columns, and R of base = Q R.
typedef struct layoutFactor {
  int n;
  double Q[4][4], R[4][4];
} layoutFactor;


// the part of x square to the base, in x; its components along Q in c
static void reduce_by_base(const layoutFactor *f, double x[4], double c[4])
{
  for (int k = 0; k < 4; k++) c[k] = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < f->n; k++) {
      const double along = dot_homogeneous(f->Q[k], x);
      c[k] += along;
      for (int i = 0; i < 4; i++) x[i] -= along * f->Q[k][i];
    }
  }
}


static layoutFactor factor_base(const layoutGroup *g)
{
  layoutFactor f = {0};
  for (int j = 0; j < g->n; j++) {
    double x[4], c[4];
    memcpy(x, g->base[j].hom, sizeof x);
    reduce_by_base(&f, x, c);
    const double length = sqrt(dot_homogeneous(x, x));
    for (int k = 0; k < j; k++) f.R[k][j] = c[k];
    f.R[j][j] = length;
    for (int i = 0; i < 4; i++) f.Q[j][i] = x[i] / length;
    f.n++;
  }
  return f;
}


// how far a point or vector is from being a combination of the base, relative
static double distance_from_base(const layoutGroup *g, v3 local, int is_vector)
{
  const layoutFactor f = factor_base(g);
  double x[4], c[4];
  homogeneous_coordinates(g, local, is_vector, x);
  const double before = sqrt(dot_homogeneous(x, x));
  reduce_by_base(&f, x, c);
  return sqrt(dot_homogeneous(x, x)) / before;
}


// entries nearer to each other than this would make a poor base
#define INDEPENDENT 0.1
#define SPANNED     1e-9


static int can_take(const naturalLayout *l, int group, v3 local, int is_vector)
{
  const layoutGroup *g = &l->group[group];
  return group > 0 && g->n < 4 && distance_from_base(g, local, is_vector) > INDEPENDENT;
}


int layout_spans(const naturalLayout *l, int group, v3 local)
{
  return group == 0 || distance_from_base(&l->group[group], local, 1) < SPANNED;
}


//---- entries -------------------------------------------------------------------------------------

static void append_base_entry(layoutGroup *g, layoutEntry e)
{
  homogeneous_coordinates(g, e.local, e.is_vector, e.hom);
  g->base[g->n++] = e;
}


static int constant_form(naturalSystem *s, v3 value)
{
  return natural_add_sum(s, 0, NULL, NULL, value);
}


// n x form
static int turned_form(naturalLayout *l, int form)
{
  const v3 n = l->plane[2];
  const double turn[3][3] = {{0, -n.z, n.y}, {n.z, 0, -n.x}, {-n.y, n.x, 0}};
  int most = 0;
  for (int i = 0; i < 3; i++) most += l->s->form[3 * form + i].n;
  naturalComponent c[3];
  for (int k = 0; k < 3; k++) {
    c[k] = (naturalComponent){0, arena_alloc(&l->arena, (size_t) most, sizeof(naturalTerm)), 0};
    for (int i = 0; i < 3; i++) {
      const naturalComponent *from = &l->s->form[3 * form + i];
      c[k].constant += turn[k][i] * from->constant;
      for (int t = 0; t < from->n && turn[k][i] != 0; t++) {
        c[k].term[c[k].n++] = (naturalTerm){from->term[t].q, turn[k][i] * from->term[t].c};
      }
    }
  }
  return natural_add_form(l->s, c);
}


// in the plane a single direction fixes the other one
static void append_turned(naturalLayout *l, int group)
{
  ART_ASSERT(l->group[group].n > 0);
  layoutGroup *g = &l->group[group];
  if (!l->is_planar || g->n >= 4) return;
  const layoutEntry *last = &g->base[g->n - 1];
  v3 direction = last->local;
  int form = last->form;
  if (!last->is_vector) {
    // the second point, seen from the first
    const layoutEntry *first = NULL;
    for (int i = 0; i < g->n - 1 && !first; i++) {
      if (!g->base[i].is_vector) first = &g->base[i];
    }
    if (!first) return;
    direction = v3_sub(last->local, first->local);
    form = natural_add_span(l->s, first->form, last->form);
  }
  append_base_entry(g, (layoutEntry){.form = turned_form(l, form),
                                     .local = v3_cross(g->normal, direction),
                                     .is_vector = 1,
                                     .from = -1,
                                     .coordinate = -1,
                                     .is_implied = 1});
}


// a point or unit vector with coordinates of its own
static void add_own_entry(naturalLayout *l, int group, v3 local, int is_vector)
{
  ART_ASSERT(group > 0 && l->group[group].n < 4);
  layoutGroup *g = &l->group[group];
  const int count = l->is_planar ? 2 : 3;
  const int q = natural_add_coordinates(l->s, count);
  naturalTerm terms[3][3];
  naturalComponent c[3];
  for (int k = 0; k < 3; k++) c[k] = (naturalComponent){count, terms[k], 0};
  for (int i = 0; i < count; i++) {
    terms[0][i] = (naturalTerm){q + i, l->plane[i].x};
    terms[1][i] = (naturalTerm){q + i, l->plane[i].y};
    terms[2][i] = (naturalTerm){q + i, l->plane[i].z};
  }
  if (l->is_planar && !is_vector) {
    const double height = g->height + v3_dot(g->normal, local);
    c[0].constant = height * l->plane[2].x;
    c[1].constant = height * l->plane[2].y;
    c[2].constant = height * l->plane[2].z;
  }
  append_base_entry(g, (layoutEntry){.form = natural_add_form(l->s, c),
                                     .local = local,
                                     .is_vector = is_vector,
                                     .from = -1,
                                     .coordinate = q});
  append_turned(l, group);
}


static const layoutEntry *find_base_entry(const layoutGroup *g, v3 local, int is_vector)
{
  for (int i = 0; i < g->n; i++) {
    const layoutEntry *e = &g->base[i];
    const v3 d = v3_sub(e->local, local);
    const double scale = is_vector ? 1 : g->size;
    if (e->is_vector == is_vector && v3_dot(d, d) < 1e-20 * scale * scale) return e;
  }
  return NULL;
}


//---- completing ----------------------------------------------------------------------------------

// the direction of the group that is farthest from its base
static v3 missing_direction(const layoutGroup *g)
{
  const layoutFactor f = factor_base(g);
  double most = -1;
  v3 best = {0, 0, 0};
  for (int k = 0; k < 3; k++) {
    double x[4] = {k == 0, k == 1, k == 2, 0}, c[4];
    reduce_by_base(&f, x, c);
    const double length = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    if (length <= most) continue;
    most = length;
    best = v3_scale(1 / sqrt(length), (v3){x[0], x[1], x[2]});
  }
  return best;
}


static void complete_group_base(naturalLayout *l, int group)
{
  ART_ASSERT(group >= 0 && group < l->ngroup);
  layoutGroup *g = &l->group[group];
  if (group == 0) return;
  int points = 0;
  for (int i = 0; i < g->n; i++) points += !g->base[i].is_vector;
  if (points == 0) add_own_entry(l, group, g->centre, 0);
  while (g->n < 4) add_own_entry(l, group, missing_direction(g), 1);
}


//---- forms of anything ---------------------------------------------------------------------------

static int form_of(naturalLayout *l, int group, v3 local, int is_vector)
{
  ART_ASSERT(group >= 0 && group < l->ngroup);
  if (group == 0) return constant_form(l->s, local);
  layoutGroup *g = &l->group[group];
  const layoutEntry *known = find_base_entry(g, local, is_vector);
  if (known) return known->form;
  if (distance_from_base(g, local, is_vector) > SPANNED) complete_group_base(l, group);

  // base c = x
  const layoutFactor f = factor_base(g);
  double x[4], y[4], c[4];
  homogeneous_coordinates(g, local, is_vector, x);
  reduce_by_base(&f, x, y);
  int form[4];
  for (int j = f.n - 1; j >= 0; j--) {
    c[j] = y[j];
    for (int k = j + 1; k < f.n; k++) c[j] -= f.R[j][k] * c[k];
    c[j] /= f.R[j][j];
    if (fabs(c[j]) < 1e-14) c[j] = 0;
  }
  for (int j = 0; j < f.n; j++) form[j] = g->base[j].form;

  // a vector counts in units of the group's size where points are concerned
  for (int j = 0; j < f.n; j++) {
    if (g->base[j].is_vector && !is_vector) c[j] *= g->size;
    if (!g->base[j].is_vector && is_vector) c[j] /= g->size;
  }
  return natural_add_sum(l->s, f.n, form, c, (v3){0, 0, 0});
}


int layout_point(naturalLayout *l, int group, v3 local)
{
  return form_of(l, group, local, 0);
}


int layout_vector(naturalLayout *l, int group, v3 local)
{
  return form_of(l, group, local, 1);
}


//---- sharing -------------------------------------------------------------------------------------

// one point or vector that a joint makes common to both its groups
static void share_joint_entry(naturalLayout *l, const int group[2], v3 a, v3 b, int is_vector)
{
  int from = group[0], to = group[1];
  v3 given = a, taken = b;
  if (find_base_entry(&l->group[to], taken, is_vector) || !can_take(l, to, taken, is_vector)) {
    // the other way round
    from = group[1], to = group[0];
    given = b, taken = a;
    if (find_base_entry(&l->group[to], taken, is_vector) || !can_take(l, to, taken, is_vector))
      return;
  }
  if (!find_base_entry(&l->group[from], given, is_vector) && can_take(l, from, given, is_vector)) {
    add_own_entry(l, from, given, is_vector);
  }
  append_base_entry(&l->group[to], (layoutEntry){.form = form_of(l, from, given, is_vector),
                                                 .local = taken,
                                                 .is_vector = is_vector,
                                                 .from = from,
                                                 .coordinate = -1});
  append_turned(l, to);
  l->ntaken++;
}


static void share_joint(naturalLayout *l, const layoutJoint *joint)
{
  const v3 a[3] = {joint->axes[0].x, joint->axes[0].y, joint->axes[0].z};
  const v3 b[3] = {joint->axes[1].x, joint->axes[1].y, joint->axes[1].z};
  const bool is_rigid = joint_is_rigid(joint->type);
  if (joint_holds_point(joint->type) && !is_rigid) {
    share_joint_entry(l, joint->group, joint->point[0], joint->point[1], 0);
  }
  if (joint_turns_about_z(joint->type)) share_joint_entry(l, joint->group, a[2], b[2], 1);

  // a body that slides has the directions of the one it slides on
  if (joint_is_slide(joint->type)) complete_group_base(l, joint->group[0]);
  for (int k = 0; k < 3 && joint_is_slide(joint->type); k++) {
    if (can_take(l, joint->group[1], b[k], 1)) share_joint_entry(l, joint->group, a[k], b[k], 1);
  }
  for (int side = 0; side < 2 && joint_is_rod(joint->type); side++) {
    if (find_base_entry(&l->group[joint->group[side]], joint->point[side], 0)) continue;
    if (!can_take(l, joint->group[side], joint->point[side], 0)) continue;
    add_own_entry(l, joint->group[side], joint->point[side], 0);
  }
}


void layout_share(naturalLayout *l)
{
  for (int g = 1; g < l->ngroup && l->is_planar; g++) {
    append_base_entry(&l->group[g], (layoutEntry){.form = constant_form(l->s, l->plane[2]),
                                                  .local = l->group[g].normal,
                                                  .is_vector = 1,
                                                  .from = -1,
                                                  .coordinate = -1,
                                                  .is_implied = 1});
  }
  for (int j = 0; j < l->njoint; j++) share_joint(l, &l->joint[j]);

  // bodies are described in full, links between the axes of one joint as far as needed
  for (int i = 1; i < l->m->nbody; i++) complete_group_base(l, l->group_of[l->m->body[i].link]);
}


//---- rigid bodies --------------------------------------------------------------------------------

// one direction of a base: a vector, or a point seen from the first point
typedef struct layoutDirection {
  int form;
  int from[2]; // groups where its entries come from
  v3 local;
} layoutDirection;


static void rigid_group(naturalLayout *l, int group, const char *name)
{
  const layoutGroup *g = &l->group[group];
  const layoutEntry *origin = NULL;
  layoutDirection direction[4];
  int n = 0;
  for (int i = 0; i < g->n; i++) {
    const layoutEntry *e = &g->base[i];
    if (e->is_implied) continue;
    if (e->is_vector) {
      direction[n++] = (layoutDirection){e->form, {e->from, e->from}, e->local};
    } else if (!origin) {
      origin = e;
    } else {
      const int span = natural_add_span(l->s, origin->form, e->form);
      direction[n++] =
          (layoutDirection){span, {e->from, origin->from}, v3_sub(e->local, origin->local)};
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      // two directions of one neighbour have their angle from there
      const layoutDirection *a = &direction[i], *b = &direction[j];
      const int from = a->from[0];
      if (from >= 0 && a->from[1] == from && b->from[0] == from && b->from[1] == from) continue;
      const double la = sqrt(v3_dot(a->local, a->local)), lb = sqrt(v3_dot(b->local, b->local));
      natural_add_product(l->s, &(naturalRow){.name = name,
                                              .x = a->form,
                                              .y = b->form,
                                              .constant = v3_dot(a->local, b->local),
                                              .scale = i == j ? 0.5 / la : 1 / fmax(la, lb)});
    }
  }
}


void layout_rigid_rows(naturalLayout *l)
{
  for (int i = l->m->nbody - 1; i > 0; i--) l->group[l->group_of[l->m->body[i].link]].body = i;
  for (int g = 1; g < l->ngroup; g++) {
    // a link between the axes of one joint has the name of the joint
    char name[200];
    const int body = l->group[g].body, j = l->joint_of[l->group[g].root];
    if (body > 0) {
      snprintf(name, sizeof name, "body '%.150s'", l->m->body[body].name);
    } else {
      snprintf(name, sizeof name, "joint '%.150s'", j >= 0 ? l->m->joint[j].name : "?");
    }
    rigid_group(l, g, name);
  }
}


//---- start ---------------------------------------------------------------------------------------

void layout_start(naturalLayout *l, const artModel *m, naturalSystem *s, naturalShape shape)
{
  *l = (naturalLayout){.m = m, .s = s, .arena.leaves = 1};
  const int n = m->tree.n;
  ARENA_TAKE(&l->arena, l->group, n);
  ARENA_TAKE(&l->arena, l->group_of, n);
  ARENA_TAKE(&l->arena, l->in, n);
  ARENA_TAKE(&l->arena, l->joint, n + m->ncut);
  ARENA_TAKE(&l->arena, l->joint_of, n);
  ARENA_TAKE(&l->arena, l->twin_of, n);
  lay_groups(l);
  for (int i = 0; i < m->tree.n; i++) l->joint_of[i] = -1;
  for (int j = m->njoint - 1; j >= 0; j--) {
    const modelJoint *joint = &m->joint[j];
    for (int i = 0; !joint->is_cut && i < joint->nlink; i++) l->joint_of[joint->link + i] = j;
  }
  lay_tree_joints(l, 0);
  lay_tree_joints(l, 1);
  lay_cut_joints(l);
  measure_groups(l);
  l->plane[0] = (v3){1, 0, 0};
  l->plane[1] = (v3){0, 1, 0};
  l->plane[2] = (v3){0, 0, 1};
  l->is_planar = shape == NATURAL_AUTOMATIC && find_plane(l);
}
