// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Collision shapes as surfaces, and contacts of the planes of the world with them.
//
// No format has a stiffness that can be taken in all cases: MuJoCo regularizes constraints, and the
// default of SDF is 1e12 N/m. So it follows from the mass m of the machine, unless the file gives a
// usable one: its weight makes the overlap d of a single contact, k = m g/d, and the damping is
// critical, c = 2 sqrt(k m). d is 1 mm, or a tenth of the largest surface if that is less.
#include "import/contacts.h"

#include <math.h>
#include <string.h>

#include "contact/surface_pairs.h"

enum { MAX_CONTACTS = 10000, MAX_PLANES = 1000 };

static const double OVERLAP = 1e-3;          // m, at most
static const double OVERLAP_PART = 0.1;      // of the largest surface that moves, at most
static const double RIGID_STIFFNESS = 1e9;   // N/m; above it, a file means a rigid contact
static const double USUAL_FRICTION = 1;      // of surfaces of SDF and URDF without one
static const double LARGEST = 1e30;          // of a mass, stiffness or damping
static const double STANDARD_GRAVITY = 9.81; // m/s^2, of machines without gravity


//---- surfaces of the file ------------------------------------------------------------------------

static importSurface *new_surface(importWork *w, int body, artSurfaceType type, importPose pose,
                                  const char *name, artPlace place)
{
  importMachine *m = &w->machine;
  import_grow(w, (void **) &m->surface, m->nsurface, &m->surface_capacity, sizeof *m->surface);
  importSurface *surface = &m->surface[m->nsurface++];
  *surface = (importSurface){.wanted = name,
                             .place = place,
                             .body = body,
                             .type = type,
                             .pose = pose,
                             .friction = NAN,
                             .stiffness = NAN,
                             .damping = NAN,
                             .contype = 1,
                             .conaffinity = 1};
  return surface;
}


importSurface *import_add_surface(importWork *w, int body, const importShape *shape,
                                  importPose pose, const char *name, artPlace place)
{
  static const artSurfaceType types[] = {[SHAPE_BOX] = ART_SURFACE_BOX,
                                         [SHAPE_CYLINDER] = ART_SURFACE_CYLINDER,
                                         [SHAPE_SPHERE] = ART_SURFACE_SPHERE,
                                         [SHAPE_CAPSULE] = ART_SURFACE_CAPSULE,
                                         [SHAPE_ELLIPSOID] = ART_SURFACE_ELLIPSOID};
  if (!shape || shape->type > SHAPE_ELLIPSOID) return NULL;
  importSurface *surface = new_surface(w, body, types[shape->type], pose, name, place);
  surface->radius = shape->radius;
  surface->length = shape->length;
  memcpy(surface->size, shape->size, sizeof surface->size);
  return surface;
}


importSurface *import_add_plane(importWork *w, int body, importPose pose, const char *name,
                                artPlace place)
{
  return new_surface(w, body, ART_SURFACE_PLANE, pose, name ? name : "floor", place);
}


void import_note_untouched(importWork *w, artPlace place, const char *type)
{
  import_note_motion(w, place, "a collision shape of type %.40s touches nothing", type);
}


void import_set_surface(importWork *w, importSurface *surface, double friction, double stiffness,
                        double damping, artPlace place)
{
  if (friction < 0 || stiffness < 0 || damping < 0)
    import_fail(w, place, "friction, kp or kd of a collision shape is negative");
  if (!isnan(friction)) surface->friction = friction;
  if (stiffness > RIGID_STIFFNESS) {
    import_note(w, place, "kp above %g N/m means a rigid contact and is not taken",
                RIGID_STIFFNESS);
    return;
  }
  if (stiffness > 1 / LARGEST) surface->stiffness = stiffness;
  if (!isnan(damping)) surface->damping = fmin(damping, LARGEST);
}


void import_exclude(importWork *w, int body, int other)
{
  importMachine *m = &w->machine;
  import_grow(w, (void **) &m->exclusion, m->nexclusion, &m->exclusion_capacity,
              sizeof *m->exclusion);
  m->exclusion[m->nexclusion++] = (importPair){.one = body, .two = other};
}


void import_pair(importWork *w, int surface, int other, double friction, artPlace place)
{
  importMachine *m = &w->machine;
  import_grow(w, (void **) &m->pair, m->npair, &m->pair_capacity, sizeof *m->pair);
  m->pair[m->npair++] = (importPair){surface, other, friction, place};
  m->surface[surface].is_paired = m->surface[other].is_paired = true;
}


//---- which surfaces touch ------------------------------------------------------------------------

typedef struct contactWriter {
  importWork *w;
  int *fixed_to; // [nbody + 1] by body + 1: another body that it is fixed to, or itself
  int count;
  const char *stiffness, *damping, *friction; // names of parameters, or NULL
} contactWriter;


// One more than the first of the bodies that fixed joints connect with this one; 0 is ground.
static int rigid_group(const contactWriter *c, int body)
{
  int at = body + 1;
  while (c->fixed_to[at] != at) at = c->fixed_to[at] = c->fixed_to[c->fixed_to[at]];
  return at;
}


static void find_groups(contactWriter *c)
{
  const importMachine *m = &c->w->machine;
  c->fixed_to = import_take(c->w, (size_t) m->nbody + 1, sizeof *c->fixed_to);
  for (int i = 0; i <= m->nbody; i++) c->fixed_to[i] = i;
  for (int i = 0; i < m->njoint; i++) {
    if (m->joint[i].type != ART_FIXED) continue;
    const int a = rigid_group(c, m->joint[i].from), b = rigid_group(c, m->joint[i].to);
    c->fixed_to[a < b ? b : a] = a < b ? a : b;
  }
}


static bool is_pair_of(const importPair *p, int a, int b)
{
  return (p->one == a && p->two == b) || (p->one == b && p->two == a);
}


static bool is_excluded(const importMachine *m, int body, int other)
{
  for (int i = 0; i < m->nexclusion; i++) {
    if (is_pair_of(&m->exclusion[i], body, other)) return true;
  }
  return false;
}


static bool has_mask(const importSurface *surface)
{
  return surface->contype != 0 || surface->conaffinity != 0;
}


// a plane that is fixed to ground, and a surface that is not
static bool is_ground_contact(const contactWriter *c, const importSurface *a,
                              const importSurface *b)
{
  return a->type == ART_SURFACE_PLANE && rigid_group(c, a->body) == 0 &&
         rigid_group(c, b->body) != 0 && contact_is_known(a->type, b->type) &&
         ((a->contype & b->conaffinity) || (b->contype & a->conaffinity)) &&
         !is_excluded(&c->w->machine, a->body, b->body);
}


// URDF has no world, and files of a single robot have an empty one: add the plane z = 0.
static const importSurface *add_floor(importWork *w)
{
  const importMachine *m = &w->machine;
  for (int i = 0; i < m->nsurface; i++) {
    if (m->surface[i].type == ART_SURFACE_PLANE || m->surface[i].body < 0) return NULL;
  }
  importSurface *floor = import_add_plane(w, -1, import_identity(), NULL, base_nowhere());
  floor->contype = floor->conaffinity = ~0U;
  if (m->has_larger_friction) floor->friction = USUAL_FRICTION;
  return floor;
}


//---- numbers of a contact ------------------------------------------------------------------------

static const char *add_parameter(importWork *w, const char *wanted, const char *value)
{
  const char *name = import_name(w, wanted, "parameter", base_nowhere());
  import_add_item(w, "parameters", name, base_nowhere(), "%s", value);
  return import_format(w, "= %s", import_quoted(w, name));
}


static double largest_extent(const importSurface *s)
{
  switch (s->type) {
  case ART_SURFACE_ELLIPSOID:
  case ART_SURFACE_BOX: return fmax(s->size[0], fmax(s->size[1], s->size[2]));
  case ART_SURFACE_CAPSULE:
  case ART_SURFACE_CYLINDER: return s->length + 2 * s->radius;
  case ART_SURFACE_SPHERE: return 2 * s->radius;
  default: return 0;
  }
}


// d, m
static double chosen_overlap(const contactWriter *c)
{
  const importMachine *m = &c->w->machine;
  double largest = 0;
  for (int i = 0; i < m->nsurface; i++) {
    if (rigid_group(c, m->surface[i].body) != 0) {
      largest = fmax(largest, largest_extent(&m->surface[i]));
    }
  }
  return fmin(OVERLAP, fmax(OVERLAP_PART * largest, 1 / LARGEST));
}


// k = m g/d, c = 2 sqrt(k m)
static void choose_stiffness(contactWriter *c, artPlace place)
{
  importWork *w = c->w;
  const importMachine *m = &w->machine;
  const double *g = m->gravity;
  const double given = m->has_gravity ? sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) : 0;
  double mass = 0;
  for (int i = 0; i < m->nbody; i++)
    if (rigid_group(c, i) != 0) mass += import_weigh(&m->body[i]).mass;
  mass = mass > 0 ? fmin(mass, LARGEST) : 1;
  const double overlap = chosen_overlap(c);
  const double k = mass * (given > 0 ? given : STANDARD_GRAVITY) / overlap;
  const double stiffness = fmax(fmin(k, LARGEST), 1 / LARGEST); // finite, above zero
  c->stiffness = add_parameter(w, "contact_stiffness", import_format(w, "%.3g N/m", stiffness));
  c->damping = add_parameter(w, "contact_damping",
                             import_format(w, "%.3g N s/m", 2 * sqrt(stiffness * mass)));
  import_note(w, place,
              "the stiffness of contacts is chosen: one of them yields by %g mm under the machine "
              "of %.3g kg, and is critically damped (contact_stiffness, contact_damping)",
              1e3 * overlap, mass);
}


// springs in series, dampers side by side, as in Gazebo; NAN: neither surface has one
static double in_series(double a, double b)
{
  return isnan(a) ? b : isnan(b) ? a : a * b / (a + b);
}


static double sum_of(double a, double b)
{
  return isnan(a) ? b : isnan(b) ? a : a + b;
}


// MuJoCo: that of the surface with the higher priority, or the larger one. Gazebo: the smaller one.
// NAN: no surface has one.
static double common_friction(const importMachine *m, const importSurface *a,
                              const importSurface *b)
{
  if (!m->has_larger_friction) {
    const double least = fmin(a->friction, b->friction);
    const bool is_one_missing = isnan(a->friction) != isnan(b->friction);
    return is_one_missing && a->place.line > 0 ? fmin(least, USUAL_FRICTION) : least;
  }
  if (a->priority != b->priority) {
    const importSurface *decides = a->priority > b->priority ? a : b;
    return decides->is_slippery ? 0 : decides->friction;
  }
  return a->is_slippery && b->is_slippery ? 0 : fmax(a->friction, b->friction);
}


static const char *friction_text(contactWriter *c, double friction, artPlace place)
{
  importWork *w = c->w;
  if (!isnan(friction)) return import_number(w, friction);
  if (!c->friction) {
    c->friction = add_parameter(w, "contact_friction", import_number(w, USUAL_FRICTION));
    import_note(w, place, "the friction of contacts is chosen, %g (contact_friction)",
                USUAL_FRICTION);
  }
  return c->friction;
}


static void add_contact(contactWriter *c, const importSurface *a, const importSurface *b,
                        double friction)
{
  importWork *w = c->w;
  const double stiffness = in_series(a->stiffness, b->stiffness),
               damping = sum_of(a->damping, b->damping);
  if (++c->count > MAX_CONTACTS)
    import_fail(w, b->place, "the planes of the file have more than %d contacts", MAX_CONTACTS);
  if (c->count == 1)
    import_note(w, b->place,
                "contacts are those of planes of the world; bodies do not touch each other");
  if ((isnan(stiffness) || isnan(damping)) && !c->stiffness) choose_stiffness(c, b->place);
  const char *name = import_fresh(w, "%s_on_%s", b->name, a->name);
  import_add_item(w, "forces", import_name(w, name, "contact", b->place), b->place,
                  "{type: contact, between: [%s, %s], stiffness: %s, damping: %s%s}", a->name,
                  b->name, isnan(stiffness) ? c->stiffness : import_quantity(w, stiffness, "N/m"),
                  isnan(damping) ? c->damping : import_quantity(w, damping, "N s/m"),
                  friction == 0
                      ? ""
                      : import_format(w, ", friction: %s", friction_text(c, friction, b->place)));
}


//---- items of the machine ------------------------------------------------------------------------

// the frame of a surface that is turned
static const char *add_surface_frame(importWork *w, const importSurface *s)
{
  importMachine *m = &w->machine;
  const char *wanted = import_fresh(w, "%s_frame", s->name);
  const char *name = import_name(w, wanted, "frame", s->place);
  import_add_frame(w, s->body < 0 ? &m->ground_frame : &m->body[s->body].frame, name, s->pose);
  return name;
}


// sphere: its axes have no meaning
static bool needs_frame(const importSurface *s)
{
  const m3 *R = &s->pose.in.R;
  return s->type != ART_SURFACE_SPHERE && !(R->x.x == 1 && R->y.y == 1 && R->z.z == 1);
}


static const char *sizes_text(importWork *w, const importSurface *s)
{
  if (s->type == ART_SURFACE_PLANE) return "";
  if (s->type == ART_SURFACE_BOX || s->type == ART_SURFACE_ELLIPSOID)
    return import_format(w, ", size: %s", import_list(w, 3, s->size));
  const char *radius = import_format(w, ", radius: %s", import_number(w, s->radius));
  if (s->type == ART_SURFACE_SPHERE) return radius;
  return import_format(w, "%s, length: %s", radius, import_number(w, s->length));
}


// BODY_surface, BODY_surface_2, ...
static const char *numbered_name(importWork *w, const importSurface *s, int number)
{
  const char *body = import_frame_text(w, s->body, NULL);
  return number == 1 ? import_fresh(w, "%s_surface", body)
                     : import_fresh(w, "%s_surface_%d", body, number);
}


// `number` counts the surfaces of the body that have no name.
static void list_surface(importWork *w, importSurface *s, int number, const char *position)
{
  static const char *const types[] = {
      [ART_SURFACE_PLANE] = "plane",     [ART_SURFACE_BOX] = "box",
      [ART_SURFACE_CAPSULE] = "capsule", [ART_SURFACE_CYLINDER] = "cylinder",
      [ART_SURFACE_SPHERE] = "sphere",   [ART_SURFACE_ELLIPSOID] = "ellipsoid"};
  const char *wanted = s->wanted ? s->wanted : numbered_name(w, s, number);
  double at[3];
  s->name = import_name(w, wanted, "surface", s->place);
  const char *frame = needs_frame(s) ? add_surface_frame(w, s) : NULL;
  import_store(at, s->pose.in.r);
  const bool is_central = frame || (at[0] == 0 && at[1] == 0 && at[2] == 0);
  if (!position) position = is_central ? NULL : import_list(w, 3, at);
  import_add_item(w, "surfaces", s->name, s->place, "{type: %s, body: %s%s%s}", types[s->type],
                  import_frame_text(w, s->body, frame), sizes_text(w, s),
                  position ? import_format(w, ", position: %s", position) : "");
}


static void list_surfaces(importWork *w)
{
  importMachine *m = &w->machine;
  const importSurface *floor = add_floor(w);
  int *count = import_take(w, (size_t) m->nbody + 1, sizeof *count);
  for (int i = 0; i < m->nsurface; i++) {
    importSurface *s = &m->surface[i];
    const char *position = NULL;
    if (s == floor) {
      const char *height = add_parameter(w, "floor_height", "0 m");
      position = import_format(w, "[0, 0, %s]", height);
      import_note(w, m->surface[0].place,
                  "the file has no ground: the plane z = 0 is one (floor_height)");
    }
    if (!has_mask(s) && !s->is_paired) continue;
    if (!s->wanted) count[s->body + 1]++;
    list_surface(w, s, count[s->body + 1], position);
  }
}


// pairs that the file names
static void add_named_contacts(contactWriter *c)
{
  importWork *w = c->w;
  const importMachine *m = &w->machine;
  for (int i = 0; i < m->npair; i++) {
    const importPair *p = &m->pair[i];
    const importSurface *a = &m->surface[p->one], *b = &m->surface[p->two];
    if (is_ground_contact(c, a, b) || is_ground_contact(c, b, a)) continue;
    if (rigid_group(c, a->body) == rigid_group(c, b->body) || !contact_is_known(a->type, b->type))
      import_note_motion(w, p->place, "the contact of '%.80s' and '%.80s' is left out", a->name,
                         b->name);
    else
      add_contact(c, a, b, isnan(p->friction) ? common_friction(m, a, b) : p->friction);
  }
}


// the friction that a <pair> of the file gives two surfaces, else the common one
static double pair_friction(const importMachine *m, int one, int two)
{
  for (int i = 0; i < m->npair; i++) {
    const importPair *p = &m->pair[i];
    if (is_pair_of(p, one, two) && !isnan(p->friction)) return p->friction;
  }
  return common_friction(m, &m->surface[one], &m->surface[two]);
}


static void add_ground_contacts(contactWriter *c)
{
  const importMachine *m = &c->w->machine;
  int nplane = 0;
  for (int i = 0; i < m->nsurface; i++) {
    const importSurface *a = &m->surface[i];
    if (a->type != ART_SURFACE_PLANE) continue;
    if (++nplane > MAX_PLANES)
      import_fail(c->w, a->place, "the file has more than %d planes", MAX_PLANES);
    for (int k = 0; k < m->nsurface; k++) {
      if (is_ground_contact(c, a, &m->surface[k]))
        add_contact(c, a, &m->surface[k], pair_friction(m, i, k));
    }
  }
}


void import_make_contacts(importWork *w)
{
  const importMachine *m = &w->machine;
  contactWriter c = {.w = w};
  if (!w->def->contact) return;
  list_surfaces(w);
  find_groups(&c);
  if (!m->is_contact_off) {
    add_ground_contacts(&c);
    add_named_contacts(&c);
  }
  if (c.count == 0)
    import_note_motion(w, base_nowhere(), "nothing touches: the file has %s",
                       m->is_contact_off ? "disabled contact"
                                         : "no plane, or no collision shape that moves");
}
