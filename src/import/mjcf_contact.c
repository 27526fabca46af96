// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contact in MJCF: geoms as surfaces, with masks, priority, friction and condim; <exclude> and
// <pair>. Geoms touch if contype of one and conaffinity of the other have a bit in common.
#include <math.h>
#include <string.h>

#include "import/contacts.h"
#include "import/mjcf.h"

// friction of geoms, and the number of directions of their contacts: 1 without friction, 3 with
static const double MJCF_FRICTION = 1, MJCF_CONDIM = 3;


// an integer of 32 bits, with or without sign
static unsigned read_mask(mjcfReader *r, xmlNode *geom, const char *attribute)
{
  const double x = mjcf_number(r, geom, attribute, 1);
  if (x != floor(x) || fabs(x) > 4294967295.0)
    import_fail(r->w, geom->place, "'%s' of a geom is %g, expected an integer of 32 bits",
                attribute, x);
  return (unsigned) (long long) x;
}


// Sliding friction, the first of up to `n` numbers; the others are those of spinning and rolling.
static double read_mjcf_friction(mjcfReader *r, xmlNode *node, int n, double otherwise)
{
  double x[5] = {otherwise};
  mjcf_some(r, node->place, "friction", mjcf_get(r, node, "friction"), n, x);
  if (x[0] < 0) import_fail(r->w, node->place, "friction of <%s> is negative", node->name);
  return x[0];
}


// what contacts have in MuJoCo and not here
static void note_mjcf_contact(mjcfReader *r, xmlNode *node)
{
  if (mjcf_number(r, node, "condim", MJCF_CONDIM) > 3)
    import_note_motion(r->w, node->place, "friction of spinning and rolling (condim) is left out");
  if (mjcf_number(r, node, "margin", 0) > 0)
    import_note_motion(r->w, node->place, "margin of geoms is left out: they touch at no distance");
}


void mjcf_add_surface(mjcfReader *r, xmlNode *geom, int body, const char *type,
                      const importShape *shape, modelPose pose)
{
  importWork *w = r->w;
  const char *name = xml_get(geom, "name");
  const unsigned contype = read_mask(r, geom, "contype"),
                 conaffinity = read_mask(r, geom, "conaffinity");
  const bool has_contact = contype != 0 || conaffinity != 0;
  const double friction = read_mjcf_friction(r, geom, 3, MJCF_FRICTION);
  const importPose at = import_pose(pose);
  importSurface *surface = strcmp(type, "plane") == 0
                               ? import_add_plane(w, body, at, name, geom->place)
                               : import_add_surface(w, body, shape, at, name, geom->place);
  if (!surface && has_contact) import_note_untouched(w, geom->place, type);
  // 0: it has no surface, else one more than its index
  if (name) import_enter(w, &r->geoms, name, surface ? w->machine.nsurface : 0);
  if (!surface) return;
  surface->contype = contype;
  surface->conaffinity = conaffinity;
  surface->friction = friction;
  surface->priority = (int) fmax(-1e9, fmin(1e9, mjcf_number(r, geom, "priority", 0)));
  surface->is_slippery = mjcf_number(r, geom, "condim", MJCF_CONDIM) == 1;
  if (has_contact) note_mjcf_contact(r, geom);
}


// the surface of a geom, or -1, with a note, if it has none
static int find_geom(mjcfReader *r, xmlNode *pair, const char *attribute)
{
  importWork *w = r->w;
  const char *name = mjcf_get(r, pair, attribute);
  const int found = name ? table_find(&r->geoms, name) : -1;
  if (found < 0) import_fail(w, pair->place, "there is no geom '%.80s'", name ? name : "");
  if (found == 0)
    import_note_motion(w, pair->place, "<pair> is left out: geom '%.80s' has no surface", name);
  return found - 1;
}


static void read_pair(mjcfReader *r, xmlNode *node)
{
  const int one = find_geom(r, node, "geom1"), two = find_geom(r, node, "geom2");
  const double friction = read_mjcf_friction(r, node, 5, NAN);
  const bool is_slippery = mjcf_number(r, node, "condim", MJCF_CONDIM) == 1;
  note_mjcf_contact(r, node);
  xml_skip(node);
  if (one >= 0 && two >= 0) import_pair(r->w, one, two, is_slippery ? 0 : friction, node->place);
}


void mjcf_read_contacts(mjcfReader *r)
{
  importWork *w = r->w;
  w->machine.has_larger_friction = true;
  for (xmlNode *s = xml_child(r->root, "contact"); s; s = xml_next(s)) {
    for (xmlNode *n = s->first; n; n = n->next) {
      if (strcmp(n->name, "pair") == 0) read_pair(r, n);
      if (strcmp(n->name, "exclude") != 0) continue;
      import_exclude(w, mjcf_find_body(r, n, "body1"), mjcf_find_body(r, n, "body2"));
      xml_skip(n);
    }
  }
}
