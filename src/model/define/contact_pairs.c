// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pairs of surfaces of a contact: two surfaces, or all pairs of two groups that may touch, which are those on bodies that are
// neither fixed to each other nor neighbours at a joint. Ground is the neighbour of no body.
#include <string.h>

#include "base/error_recovery.h"
#include "contact/surface_pairs.h"
#include "model/define/records.h"
#include "model/read/reader.h"

enum { MAX_PAIRS = 20000, MAX_PILE_PAIRS = 2000000 };

typedef struct pairSearch {
  artBuilder *b;
  const fieldCheck *check;
  int *body,
      *fixed_to; // of each surface: 0 is ground, -1 unknown; of each body: one that it is fixed to, or itself
  int njoint, (*neighbours)[2]; // bodies
  surfacePair *pair;
  int npair, most, without_geometry;
  const artSurfaceDef *missing[2]; // the first pair without geometry
} pairSearch;


static const surfaceRecord *surface_at(const artBuilder *b, int i)
{
  return RECORD(b->surfaces, surfaceRecord, i);
}


//---- bodies --------------------------------------------------------------------------------------

static int find_body(const artBuilder *b, const char *reference)
{
  const size_t length = strcspn(reference, ".");
  if (length == 6 && strncmp(reference, "ground", 6) == 0) return 0;
  for (int i = 0; i < b->bodies.count; i++) {
    const char *name = RECORD(b->bodies, bodyRecord, i)->def.name;
    if (strncmp(name, reference, length) == 0 && name[length] == '\0') return i + 1;
  }
  return -1;
}


static int rigid_body(const pairSearch *x, int body)
{
  while (body > 0 && x->fixed_to[body] != body) body = x->fixed_to[body];
  return body;
}


static void find_bodies(pairSearch *x)
{
  const artBuilder *b = x->b;
  x->body = arena_alloc(&x->b->arena, (size_t) b->surfaces.count, sizeof *x->body);
  x->fixed_to = arena_alloc(&x->b->arena, (size_t) b->bodies.count + 1, sizeof *x->fixed_to);
  x->neighbours = arena_alloc(&x->b->arena, (size_t) b->joints.count, sizeof *x->neighbours);
  for (int i = 0; i <= b->bodies.count; i++) x->fixed_to[i] = i;
  for (int i = 0; i < b->surfaces.count; i++) x->body[i] = find_body(b, surface_at(b, i)->def.on);
  for (int i = 0; i < b->joints.count; i++) {
    const artJointDef *joint = &RECORD(b->joints, jointRecord, i)->def;
    const int from = find_body(b, joint->from), to = find_body(b, joint->to);
    if (from < 0 || to < 0) continue;
    if (joint->type == ART_FIXED) {
      const int one = rigid_body(x, from), two = rigid_body(x, to);
      x->fixed_to[one < two ? two : one] = one < two ? one : two;
    } else if (joint->type != ART_FREE) {
      x->neighbours[x->njoint][0] = from;
      x->neighbours[x->njoint++][1] = to;
    }
  }
}


// Bodies that are fixed together have their neighbours in common.
static bool may_touch(const pairSearch *x, int i, int k)
{
  const int one = rigid_body(x, x->body[i]), two = rigid_body(x, x->body[k]);
  if (one == two) return false;
  for (int j = 0; j < x->njoint && one > 0 && two > 0; j++) {
    const int from = rigid_body(x, x->neighbours[j][0]), to = rigid_body(x, x->neighbours[j][1]);
    if ((from == one && to == two) || (from == two && to == one)) return false;
  }
  return true;
}


//---- groups --------------------------------------------------------------------------------------

// Is a surface that of the name, or in the group of that name? "all" is every surface of its scope.
static bool is_member(const surfaceRecord *surface, const char *name, bool is_group)
{
  if (!is_group) return strcmp(surface->def.name, name) == 0;
  const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
  const size_t scope = (size_t) (last - name);
  if (strncmp(surface->def.name, name, scope) != 0) return false;
  if (strcmp(last, "all") == 0) return true;
  const size_t own = strlen(surface->head.scope);
  return surface->def.group && strcmp(surface->def.group, last) == 0 &&
         (scope ? scope == own + 1 : own == 0);
}


static bool has_members(const artBuilder *b, const char *name)
{
  for (int i = 0; i < b->surfaces.count; i++) {
    if (is_member(surface_at(b, i), name, true)) return true;
  }
  return false;
}


static const artSurfaceDef *need_surface(const artBuilder *b, const char *name, artPlace place)
{
  const artSurfaceDef *def = builder_find_surface(b, name);
  if (def || has_members(b, name)) return def;
  recovery_pass(name);
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = name};
  for (int i = 0; i < b->surfaces.count; i++) base_consider(&nearest, surface_at(b, i)->def.name);
  error_refuse(place, "'%s' is not a surface%s", name, base_hint(&nearest, hint));
}


//---- pairs ---------------------------------------------------------------------------------------

// Of a sphere that is larger than a valley several points would touch.
static void check_fit(const fieldCheck *c, const artSurfaceDef *a, const artSurfaceDef *b)
{
  double radius, valley;
  if (!contact_is_too_large(a, b, &radius, &valley)) return;
  if (!(valley > 0))
    field_refuse(c, "to",
                 "contact '%s' is of '%s' and '%s': it is not known how sharply a road of tracks "
                 "bends; touch it with points, or give each track a surface of its own",
                 c->name, a->name, b->name);
  field_refuse(c, "to",
               "contact '%s': the radius %g m of one of '%s' and '%s' is not below %g m, the least "
               "radius of the valleys of the road; make the ball smaller, the road smoother, or "
               "touch it with points",
               c->name, radius, a->name, b->name, valley);
}


static void add_pair(pairSearch *x, int i, int k)
{
  const artSurfaceDef *one = &surface_at(x->b, i)->def, *two = &surface_at(x->b, k)->def;
  if (!may_touch(x, i, k)) return;
  const int count = contact_count(one, two);
  if (count == 0) {
    if (x->without_geometry++ == 0) x->missing[0] = one, x->missing[1] = two;
    return;
  }
  check_fit(x->check, one, two);
  if (x->npair == x->most) {
    field_refuse(x->check, "to", "contact '%s' has more than %d pairs%s", x->check->name, x->most,
                 x->most == MAX_PAIRS ? "; divide the surfaces into groups that meet, or let rigid "
                                        "contacts of a pile take them, up to 2,000,000"
                                      : "");
  }
  x->pair[x->npair++] = (surfacePair){{one->name, two->name}, {i, k}, count};
}


static void warn_of_missing(const pairSearch *x)
{
  if (x->without_geometry == 0) return;
  builder_warn(x->b, arena_format(&x->b->arena,
                                  "contact '%s' leaves out %d pairs of types for which there is no "
                                  "geometry, the first of '%s' and '%s'",
                                  x->check->name, x->without_geometry, x->missing[0]->name,
                                  x->missing[1]->name));
}


// Each pair once, although both surfaces may be in both groups.
static void find_pairs(pairSearch *x, const char *const name[2], const bool is_group[2])
{
  const artBuilder *b = x->b;
  find_bodies(x);
  const double all = (double) b->surfaces.count * b->surfaces.count;
  x->pair =
      arena_alloc(&x->b->arena, all < x->most ? (size_t) all : (size_t) x->most, sizeof *x->pair);
  for (int i = 0; i < b->surfaces.count; i++) {
    const surfaceRecord *one = surface_at(b, i);
    if (!is_member(one, name[0], is_group[0])) continue;
    const bool is_both = is_member(one, name[1], is_group[1]);
    for (int k = 0; k < b->surfaces.count; k++) {
      const surfaceRecord *two = surface_at(b, k);
      if (k == i || !is_member(two, name[1], is_group[1])) continue;
      if (k < i && is_both && is_member(two, name[0], is_group[0])) continue;
      add_pair(x, i, k);
    }
  }
  if (x->npair == 0) {
    field_refuse(x->check, "to",
                 "contact '%s' has no pair: its surfaces are on one body, on bodies that are fixed "
                 "to each other or neighbours at a joint, or there is no geometry for their types",
                 x->check->name);
  }
  warn_of_missing(x);
}


int builder_contact_pairs(artBuilder *b, const fieldCheck *c, const char *const name[2],
                          surfacePair **list)
{
  const artPlace place = field_place(c->where, "to");
  const artSurfaceDef *from = need_surface(b, name[0], field_place(c->where, "from"));
  const artSurfaceDef *to = need_surface(b, name[1], place);
  if (!from || !to) {
    pairSearch x = {.b = b, .check = c, .most = MAX_PAIRS};
    find_pairs(&x, name, (const bool[2]){!from, !to});
    *list = x.pair;
    return x.npair;
  }
  if (from == to) {
    error_refuse(place, "contact '%s' is of surface '%s' with itself", c->name, name[0]);
  }
  *list = arena_alloc(&b->arena, 1, sizeof **list);
  **list = (surfacePair){{from->name, to->name}, {-1, -1}, contact_count(from, to)};
  if ((*list)->count > 0) check_fit(c, from, to);
  if ((*list)->count > 0) return 1;
  error_refuse(place,
               "contact '%s' is of the types %s and %s, for which there is no geometry; put points "
               "or spheres on one of the bodies instead",
               c->name, surface_type_name(from->type), surface_type_name(to->type));
}


int builder_pile_pairs(artBuilder *b, const fieldCheck *c, const char *const name[2],
                       const surfacePair **list)
{
  const bool is_group[2] = {!need_surface(b, name[0], field_place(c->where, "from")),
                            !need_surface(b, name[1], field_place(c->where, "to"))};
  pairSearch x = {.b = b, .check = c, .most = MAX_PILE_PAIRS};
  find_pairs(&x, name, is_group);
  *list = x.pair;
  return x.npair;
}
