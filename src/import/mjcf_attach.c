// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// <attach> of MJCF, written out: a body of another file (<model> of the assets), or all that stands in its world, with
// a prefix before every name, and what refers to nothing but its parts. The other file has settings and classes of its own: they
// are settled in its elements, which then look for no class in this one.
#include <string.h>

#include "import/mjcf_copy.h"
#include "spatial/pose.h"


//---- settings of the other file ------------------------------------------------------------------

static bool has(const xmlNode *node, const char *name)
{
  for (const xmlAttribute *a = node->attribute; a; a = a->next) {
    if (strcmp(a->name, name) == 0) return true;
  }
  return false;
}


static void drop(xmlNode *node, const char *name)
{
  for (xmlAttribute **link = &node->attribute; *link;) {
    if (strcmp((*link)->name, name) == 0)
      *link = (*link)->next;
    else
      link = &(*link)->next;
  }
}


static const char *const AXES[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};

static bool is_axes(const char *name)
{
  for (int i = 0; i < 5; i++) {
    if (strcmp(AXES[i], name) == 0) return true;
  }
  return false;
}


static bool has_axes(const xmlNode *node)
{
  for (int i = 0; i < 5; i++) {
    if (has(node, AXES[i])) return true;
  }
  return false;
}


// What an attribute of one kind of actuator does to another is not said by that attribute alone.
static void check_kind(mjcfReader *c, const xmlNode *node, const xmlNode *level,
                       const xmlAttribute *a)
{
  static const char *const common[] = {"gear",        "ctrlrange",    "forcerange",
                                       "ctrllimited", "forcelimited", "group"};
  if (strcmp(node->parent->name, "actuator") != 0 || strcmp(node->name, level->name) == 0) return;
  for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
    if (strcmp(common[i], a->name) == 0) return;
  }
  import_fail(c->w, node->place,
              "<%.40s> of an attached file has '%.40s' of a class for <%.40s>, which is not done "
              "here",
              node->name, a->name, level->name);
}


// attributes of classes become those of the element
static void take_defaults(mjcfReader *c, xmlNode *node)
{
  for (xmlNode *level = mjcf_above(c, node, node); level; level = mjcf_above(c, node, level)) {
    const bool is_turned = has_axes(node);
    for (const xmlAttribute *a = level->attribute; a; a = a->next) {
      if (strcmp(a->name, "class") == 0 || has(node, a->name)) continue;
      check_kind(c, node, level, a);
      if (!(is_turned && is_axes(a->name))) import_set(c->w, node, a->name, a->value);
    }
  }
  for (xmlNode *n = node->first; n; n = n->next) take_defaults(c, n);
}


// angles in the unit of this file, axes by a quaternion
static void settle_angles(mjcfReader *r, mjcfReader *c, xmlNode *node)
{
  static const char *const keys[] = {"range", "ref", "springref"};
  const bool is_other = c->degree != r->degree;
  const bool turns = strcmp(node->name, "joint") == 0 && !mjcf_is(c, node, "type", "slide");
  double x[2], q[4];
  for (int i = 0; i < 3 && is_other && turns; i++) {
    const int n = i == 0 ? 2 : 1;
    if (!mjcf_numbers(c, node, keys[i], n, x)) continue;
    for (int k = 0; k < n; k++) x[k] *= c->degree / r->degree;
    import_set(c->w, node, keys[i], mjcf_spaced(c->w, n, x));
  }
  if ((is_other || strcmp(c->sequence, r->sequence) != 0) &&
      (has(node, "euler") || has(node, "axisangle"))) {
    pose_quaternion(mjcf_pose(c, node).R, q);
    for (int i = 0; i < 5; i++) drop(node, AXES[i]);
    import_set(c->w, node, "quat", mjcf_spaced(c->w, 4, q));
  }
  for (xmlNode *n = node->first; n; n = n->next) settle_angles(r, c, n);
}


static void leave_classes(mjcfReader *c, xmlNode *node)
{
  drop(node, "class");
  drop(node, "childclass");
  import_set(c->w, node, "class", mjcf_no_class);
  node->attribute->is_read = true;
  for (xmlNode *n = node->first; n; n = n->next) leave_classes(c, n);
}


static void settle(mjcfReader *r, mjcfReader *c, xmlNode *section)
{
  for (xmlNode *n = section->first; n; n = n->next) take_defaults(c, n);
  for (xmlNode *n = section->first; n && strcmp(section->name, "worldbody") == 0; n = n->next)
    settle_angles(r, c, n);
  for (xmlNode *n = section->first; n; n = n->next) leave_classes(c, n);
}


// what the settings of both files are about all bodies must be the same
static void check_settings(mjcfReader *r, const mjcfReader *c, const xmlNode *attach)
{
  if (r->autolimits == c->autolimits && r->from_geoms == c->from_geoms &&
      r->balance == c->balance && r->groups[0] == c->groups[0] && r->groups[1] == c->groups[1] &&
      r->least_mass == c->least_mass && r->least_inertia == c->least_inertia &&
      !(c->total_mass > 0))
    return;
  import_fail(r->w, attach->place,
              "the attached file has other settings of its compiler about limits or masses, or "
              "'settotalmass', which is not done here");
}


//---- the other file ------------------------------------------------------------------------------

static xmlNode *find_asset(mjcfReader *r, const char *name, const xmlNode *attach)
{
  for (xmlNode *s = xml_child(r->root, "asset"); s; s = xml_next(s)) {
    for (xmlNode *n = xml_child(s, "model"); n; n = xml_next(n)) {
      const char *own = xml_get(n, "name");
      if (!own) own = mjcf_bare_name(r->w, xml_get(n, "file"));
      if (strcmp(own, name) == 0) return n;
    }
  }
  import_fail(r->w, attach->place, "there is no <model> '%.80s' among the assets", name);
}


static xmlNode *find_body(xmlNode *node, const char *name)
{
  for (xmlNode *n = node->first; n; n = n->next) {
    const char *own = strcmp(n->name, "body") == 0 ? xml_get(n, "name") : NULL;
    if (own && strcmp(own, name) == 0) return n;
    xmlNode *inside = find_body(n, name);
    if (inside) return inside;
  }
  return NULL;
}


// meshes with names and folders of their own
static void settle_assets(mjcfReader *c, xmlNode *asset)
{
  for (xmlNode *n = asset->first; n; n = n->next) {
    if (strcmp(n->name, "mesh") != 0) continue;
    if (!has(n, "name")) import_set(c->w, n, "name", mjcf_bare_name(c->w, xml_get(n, "file")));
    import_set(c->w, n, MJCF_FOLDER,
               import_format(c->w, "%s%s", c->folder, c->meshdir ? c->meshdir : "."));
  }
}


static void copy_assets(mjcfCopy *job, const mjcfReader *c)
{
  importWork *w = job->r->w;
  for (xmlNode *s = xml_child(c->root, "asset"); s; s = xml_next(s)) {
    xmlNode *section = mjcf_new_node(w, "asset", job->r->root, s->place);
    for (xmlNode *n = s->first; n; n = n->next) {
      if (strcmp(n->name, "mesh") == 0 || strcmp(n->name, "material") == 0)
        mjcf_append(section, mjcf_copy_node(job, n, section));
    }
    mjcf_append(job->r->root, section);
  }
}


// elements of other sections that refer to parts of the copy and to nothing else
static void copy_sections(mjcfCopy *job, const mjcfReader *c)
{
  importWork *w = job->r->w;
  for (int i = 0; i < MJCF_SECTIONS; i++) {
    for (xmlNode *s = xml_child(c->root, mjcf_sections[i]); s; s = xml_next(s)) {
      xmlNode *section = mjcf_new_node(w, mjcf_sections[i], job->r->root, s->place);
      for (xmlNode *n = s->first; n; n = n->next) {
        int inside = 0, outside = 0;
        mjcf_count_references(job, n, &inside, &outside);
        if (outside > 0 || inside == 0) {
          import_note(w, n->place,
                      "<%.40s> of an attached file refers to more than what is attached, and is "
                      "left out",
                      n->name);
          continue;
        }
        mjcf_keep_name(job, n);
        mjcf_append(section, mjcf_copy_node(job, n, section));
      }
      mjcf_append(job->r->root, section);
    }
  }
  for (xmlNode *s = xml_child(c->root, "keyframe"); s; s = xml_next(s))
    import_note(w, s->place, "<keyframe> of an attached file is left out");
}


// a frame in the place of <attach>, with what stands in the other file
static xmlNode *attach_model(mjcfReader *r, xmlNode *attach)
{
  importWork *w = r->w;
  const char *name = import_need(w, attach, "model"), *wanted = xml_get(attach, "body");
  const char *prefix = xml_get(attach, "prefix");
  const char *file = import_need(w, find_asset(r, name, attach), "file");
  mjcfReader *c = mjcf_open_other(r, file, attach->place);
  mjcfCopy job = {.r = r, .before = prefix ? prefix : "", .after = ""};
  xmlNode *frame = mjcf_new_node(w, "frame", attach->parent, attach->place);
  bool is_found = false;
  check_settings(r, c, attach);
  for (xmlNode *s = c->root->first; s; s = s->next) {
    if (strcmp(s->name, "default") != 0) settle(r, c, s);
    if (strcmp(s->name, "asset") != 0) continue;
    settle_assets(c, s);
    for (const xmlNode *n = s->first; n; n = n->next) mjcf_keep_names(&job, n);
  }
  for (xmlNode *s = xml_child(c->root, "worldbody"); s; s = xml_next(s)) {
    xmlNode *body = wanted ? find_body(s, wanted) : NULL;
    for (xmlNode *n = s->first; n && !wanted; n = n->next) mjcf_keep_names(&job, n);
    if (body) mjcf_keep_names(&job, body);
  }
  for (xmlNode *s = xml_child(c->root, "worldbody"); s; s = xml_next(s)) {
    xmlNode *body = wanted ? find_body(s, wanted) : NULL;
    for (xmlNode *n = s->first; n && !wanted; n = n->next)
      mjcf_append(frame, mjcf_copy_node(&job, n, frame));
    if (body) mjcf_append(frame, mjcf_copy_node(&job, body, frame));
    is_found |= !wanted || body;
  }
  if (!is_found)
    import_fail(w, attach->place, "the attached file has no body '%.80s'", wanted ? wanted : "");
  copy_assets(&job, c);
  copy_sections(&job, c);
  r->nfile = c->nfile;
  return frame;
}


void mjcf_attach(mjcfReader *r, xmlNode *node)
{
  for (xmlNode **link = &node->first; *link; link = &(*link)->next) {
    if (strcmp((*link)->name, "attach") != 0) {
      mjcf_attach(r, *link);
      continue;
    }
    xmlNode *frame = attach_model(r, *link);
    frame->next = (*link)->next;
    *link = frame;
  }
}
