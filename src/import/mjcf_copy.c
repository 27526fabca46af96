// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Copies of MJCF elements under other names, with adjusted references; expansion of <replicate> and
// <attach>.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/mjcf.h"
#include "spatial/pose.h"

typedef struct mjcfCopy {
  mjcfReader *r;
  const char *before, *after; // prefix and suffix of names
  baseTable names;            // "kind:name" of copied elements
} mjcfCopy;

// Sections after the bodies whose elements refer to names, ordered so that each refers only to
// earlier ones.
enum { MJCF_SECTIONS = 5 };
enum { MAX_COPIES = 100000 }; // of all elements together

static const char *const sections[MJCF_SECTIONS] = {"tendon", "equality", "actuator", "sensor",
                                                    "contact"};


//---- names ---------------------------------------------------------------------------------------

// the kind of element that an attribute refers to, or NULL
static const char *kind_of_attribute(const char *attribute, const xmlNode *node)
{
  static const char *const kinds[][2] = {
      {"joint", "joint"},     {"joint1", "joint"},      {"joint2", "joint"},
      {"site", "site"},       {"site1", "site"},        {"site2", "site"},
      {"refsite", "site"},    {"sidesite", "site"},     {"cranksite", "site"},
      {"slidersite", "site"}, {"body", "body"},         {"body1", "body"},
      {"body2", "body"},      {"geom", "geom"},         {"geom1", "geom"},
      {"geom2", "geom"},      {"tendon", "tendon"},     {"tendon1", "tendon"},
      {"tendon2", "tendon"},  {"actuator", "actuator"}, {"jointinparent", "joint"},
      {"mesh", "mesh"},       {"material", "material"}};
  const int found = NAMED_FIND(kinds, attribute);
  if (found >= 0) return kinds[found][1];
  const bool is_object = strcmp(attribute, "objname") == 0;
  if (!is_object && strcmp(attribute, "refname") != 0) return NULL;
  const xmlAttribute *a = xml_attribute(node, is_object ? "objtype" : "reftype");
  return !a ? NULL : strcmp(a->value, "xbody") == 0 ? "body" : a->value;
}


// the kind of a named element, as references use it
static const char *kind_of_element(const xmlNode *node)
{
  const char *section = node->parent ? node->parent->name : "";
  if (strcmp(node->name, "freejoint") == 0) return "joint";
  return strcmp(section, "tendon") == 0 || strcmp(section, "actuator") == 0 ? section : node->name;
}


static const char *copied_name_key(mjcfCopy *job, const char *kind, const char *name)
{
  return import_format(job->r->w, "%s:%s", kind, name);
}


// record that the name of an element is copied
static void keep_copied_name(mjcfCopy *job, const xmlNode *node)
{
  const xmlAttribute *a = xml_attribute(node, "name");
  if (a)
    import_enter(job->r->w, &job->names, copied_name_key(job, kind_of_element(node), a->value), 0);
}


// the same for all names within an element
static void keep_copied_names(mjcfCopy *job, const xmlNode *node)
{
  keep_copied_name(job, node);
  for (const xmlNode *child = node->first; child; child = child->next)
    keep_copied_names(job, child);
}


static bool is_copied(mjcfCopy *job, const xmlNode *node, const xmlAttribute *a)
{
  const char *kind = kind_of_attribute(a->name, node);
  return kind && table_find(&job->names, copied_name_key(job, kind, a->value)) >= 0;
}


// count the references within an element to copied elements (`inside`) and to others
static void count_references(mjcfCopy *job, const xmlNode *node, int *inside, int *outside)
{
  for (const xmlAttribute *a = node->attribute; a; a = a->next) {
    if (is_copied(job, node, a))
      ++*inside;
    else if (kind_of_attribute(a->name, node))
      ++*outside;
  }
  for (const xmlNode *child = node->first; child; child = child->next)
    count_references(job, child, inside, outside);
}


//---- copies --------------------------------------------------------------------------------------

// append a child; 'last' may be outdated after replacements
static void append_mjcf_child(xmlNode *node, xmlNode *child)
{
  xmlNode *last = node->last ? node->last : node->first;
  while (last && last->next) last = last->next;
  if (last)
    last->next = child;
  else
    node->first = child;
  node->last = child;
}


// copy an element, changing copied names and references to them
static xmlNode *copy_node(mjcfCopy *job, const xmlNode *node, xmlNode *parent)
{
  importWork *w = job->r->w;
  if (++job->r->ncopy > MAX_COPIES)
    import_fail(w, node->place, "<replicate> or <attach> makes more than %d elements", MAX_COPIES);
  xmlNode *copy = import_take(w, 1, sizeof *copy);
  *copy = (xmlNode){.name = node->name, .text = node->text, .place = node->place, .parent = parent};
  xmlAttribute **tail = &copy->attribute;
  for (const xmlAttribute *a = node->attribute; a; a = a->next, tail = &(*tail)->next) {
    *tail = import_take(w, 1, sizeof **tail);
    const bool is_named = strcmp(a->name, "name") == 0 || is_copied(job, node, a);
    **tail = (xmlAttribute){
        .name = a->name,
        .value =
            is_named ? import_format(w, "%s%s%s", job->before, a->value, job->after) : a->value,
        .is_read = a->is_read};
  }
  for (const xmlNode *child = node->first; child; child = child->next)
    append_mjcf_child(copy, copy_node(job, child, copy));
  return copy;
}


// a new element marked as read, not linked into its parent
static xmlNode *new_mjcf_node(importWork *w, const char *name, xmlNode *parent, artPlace place)
{
  xmlNode *node = import_take(w, 1, sizeof *node);
  *node = (xmlNode){.name = name, .text = "", .place = place, .parent = parent, .is_read = true};
  return node;
}


// numbers separated by spaces
static const char *spaced_numbers(importWork *w, int n, const double *x)
{
  const char *text = "";
  for (int i = 0; i < n; i++)
    text = import_format(w, "%s%s%s", text, i ? " " : "", import_number(w, x[i]));
  return text;
}


//---- <replicate> ---------------------------------------------------------------------------------

// Copies of its contents, each in its own frame, with the index of the copy appended to every name;
// elements elsewhere that refer to such names are copied as well.

enum { MAX_COUNT = 100000 };

typedef struct copyJob {
  mjcfCopy copy;
  int count;
  const char *separator;
} copyJob;


// the separator and the index of the copy, padded to the number of digits of the count
static void set_number(copyJob *job, int copy)
{
  char count[16];
  const int digits = snprintf(count, sizeof count, "%d", job->count);
  job->copy.after = import_format(job->copy.r->w, "%s%0*d", job->separator, digits, copy);
}


// a frame with a copy of the contents of the element
static xmlNode *copy_frame(copyJob *job, const xmlNode *replicate, int copy, modelPose pose)
{
  importWork *w = job->copy.r->w;
  xmlNode *frame = new_mjcf_node(w, "frame", replicate->parent, replicate->place);
  double at[3], q[4];
  import_store(at, pose.r);
  pose_quaternion(pose.R, q);
  import_set(w, frame, "pos", spaced_numbers(w, 3, at));
  import_set(w, frame, "quat", spaced_numbers(w, 4, q));
  set_number(job, copy);
  for (const xmlNode *n = replicate->first; n; n = n->next)
    append_mjcf_child(frame, copy_node(&job->copy, n, frame));
  return frame;
}


// replace the element at `link` by the list from first to last; returns the link after them
static xmlNode **put_in_place(xmlNode **link, xmlNode *first, xmlNode *last)
{
  last->next = (*link)->next;
  *link = first;
  return &last->next;
}


// copy elements that refer to copied names, in all sections after the bodies
static void copy_references(copyJob *job)
{
  for (int s = 0; s < MJCF_SECTIONS; s++) {
    for (xmlNode *section = job->copy.r->root->first; section; section = section->next) {
      if (strcmp(section->name, sections[s]) != 0) continue;
      for (xmlNode **link = &section->first; *link;) {
        xmlNode *node = *link, *first = NULL, **tail = &first, *last = NULL;
        int inside = 0, outside = 0;
        count_references(&job->copy, node, &inside, &outside);
        if (inside == 0) {
          link = &node->next;
          continue;
        }
        keep_copied_name(&job->copy, node);
        for (int i = 0; i < job->count; i++, tail = &last->next) {
          set_number(job, i);
          last = *tail = copy_node(&job->copy, node, section);
        }
        link = put_in_place(link, first, last);
      }
    }
  }
}


// copy k has the pose T^k, with T the offset and rotation between successive copies
static xmlNode **write_out(mjcfReader *r, xmlNode **link)
{
  importWork *w = r->w;
  xmlNode *node = *link, *first = NULL, **tail = &first, *last = NULL;
  copyJob job = {.copy = {.r = r, .before = ""}, .separator = xml_get(node, "sep")};
  double count = 0, offset[3] = {0}, angle[3] = {0};
  import_need_numbers(w, node, "count", 1, &count);
  import_get(w, node, "offset", 3, offset);
  import_get(w, node, "euler", 3, angle);
  if (!(count >= 1) || count > MAX_COUNT || count != floor(count))
    import_fail(w, node->place, "'count' is %g, expected a whole number from 1 on", count);
  if (!job.separator) job.separator = "";
  job.count = (int) count;
  modelPose next = mjcf_euler(r, angle), pose = pose_identity();
  next.r = import_v3(offset);
  for (const xmlNode *n = node->first; n; n = n->next) keep_copied_names(&job.copy, n);
  for (int i = 0; i < job.count; i++, tail = &last->next, pose = pose_compose(pose, next))
    last = *tail = copy_frame(&job, node, i, pose);
  link = put_in_place(link, first, last);
  copy_references(&job);
  return link;
}


// expand nested ones first
void mjcf_replicate(mjcfReader *r, xmlNode *node)
{
  for (xmlNode **link = &node->first; *link;) {
    mjcf_replicate(r, *link);
    if (strcmp((*link)->name, "replicate") == 0)
      link = write_out(r, link);
    else
      link = &(*link)->next;
  }
}


//---- <attach> ------------------------------------------------------------------------------------

// A body or a frame of another file (<model> of the assets), or its whole world, with a prefix for
// every name, and the elements that refer only to its parts. The other file has its own settings
// and classes: they are resolved into its elements, which then use no class of this file.

static void drop_attribute(xmlNode *node, const char *name)
{
  for (xmlAttribute **link = &node->attribute; *link;) {
    if (strcmp((*link)->name, name) == 0)
      *link = (*link)->next;
    else
      link = &(*link)->next;
  }
}


static const char *const AXES[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};


static bool has_axes_but_quat(const xmlNode *node)
{
  for (int i = 1; i < 5; i++) {
    if (xml_attribute(node, AXES[i])) return true;
  }
  return false;
}


static bool has_axes(const xmlNode *node)
{
  return xml_attribute(node, "quat") || has_axes_but_quat(node);
}


// An attribute of one kind of actuator alone does not define how it changes another kind.
static void check_attribute_kind(mjcfReader *c, const xmlNode *node, const xmlNode *level,
                                 const xmlAttribute *a)
{
  static const char *const common[] = {"gear",        "ctrlrange",    "forcerange",
                                       "ctrllimited", "forcelimited", "group"};
  if (strcmp(node->parent->name, "actuator") != 0 || strcmp(node->name, level->name) == 0) return;
  if (NAMED_FIND(common, a->name) >= 0) return;
  import_fail(c->w, node->place,
              "<%.40s> of an attached file has '%.40s' of a class for <%.40s>, which is not done "
              "here",
              node->name, a->name, level->name);
}


// copy attributes of classes into the element
static void take_defaults(mjcfReader *c, xmlNode *node)
{
  for (xmlNode *level = mjcf_above(c, node, node); level; level = mjcf_above(c, node, level)) {
    const bool is_turned = has_axes(node);
    const bool yields = xml_attribute(node, "quat") && !has_axes_but_quat(node);
    for (const xmlAttribute *a = level->attribute; a; a = a->next) {
      if (strcmp(a->name, "class") == 0 || xml_attribute(node, a->name)) continue;
      check_attribute_kind(c, node, level, a);
      const int way = NAMED_FIND(AXES, a->name);
      if (way > 0 && yields) {
        // as in MuJoCo
        import_note_mended(c->w, node->place,
                           "the axes are given by 'quat' and by '%s' of a class, which decides as "
                           "in MuJoCo",
                           a->name);
        drop_attribute(node, "quat");
      }
      if (way < 0 || !is_turned || yields) import_set(c->w, node, a->name, a->value);
    }
  }
  for (xmlNode *n = node->first; n; n = n->next) take_defaults(c, n);
}


// convert angles to the unit of this file, orientations to quaternions
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
    import_set(c->w, node, keys[i], spaced_numbers(c->w, n, x));
  }
  if ((is_other || strcmp(c->sequence, r->sequence) != 0) &&
      (xml_attribute(node, "euler") || xml_attribute(node, "axisangle"))) {
    pose_quaternion(mjcf_pose(c, node).R, q);
    for (int i = 0; i < 5; i++) drop_attribute(node, AXES[i]);
    import_set(c->w, node, "quat", spaced_numbers(c->w, 4, q));
  }
  for (xmlNode *n = node->first; n; n = n->next) settle_angles(r, c, n);
}


static void leave_classes(mjcfReader *c, xmlNode *node)
{
  drop_attribute(node, "class");
  drop_attribute(node, "childclass");
  import_set(c->w, node, "class", mjcf_no_class);
  node->attribute->is_read = true;
  for (xmlNode *n = node->first; n; n = n->next) leave_classes(c, n);
}


static void settle_attached(mjcfReader *r, mjcfReader *c, xmlNode *section)
{
  for (xmlNode *n = section->first; n; n = n->next) take_defaults(c, n);
  for (xmlNode *n = section->first; n && strcmp(section->name, "worldbody") == 0; n = n->next)
    settle_angles(r, c, n);
  for (xmlNode *n = section->first; n; n = n->next) leave_classes(c, n);
}


// settings for all bodies must agree in both files
static void check_attached_settings(mjcfReader *r, const mjcfReader *c, const xmlNode *attach)
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


//---- <attach>: the other file --------------------------------------------------------------------

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


// the body or frame of this name within an element
static xmlNode *find_part(xmlNode *node, const char *kind, const char *name)
{
  for (xmlNode *n = node->first; n; n = n->next) {
    const char *own = strcmp(n->name, kind) == 0 ? xml_get(n, "name") : NULL;
    if (own && strcmp(own, name) == 0) return n;
    xmlNode *inside = find_part(n, kind, name);
    if (inside) return inside;
  }
  return NULL;
}


// give meshes unique names and their own folder
static void settle_assets(mjcfReader *c, xmlNode *asset)
{
  for (xmlNode *n = asset->first; n; n = n->next) {
    if (strcmp(n->name, "mesh") != 0) continue;
    if (!xml_attribute(n, "name"))
      import_set(c->w, n, "name", mjcf_bare_name(c->w, xml_get(n, "file")));
    if (!xml_attribute(n, "inertia"))
      import_set(c->w, n, "inertia", c->mesh_fill == FILL_CLOSED ? "exact" : "legacy");
    import_set(c->w, n, MJCF_FOLDER,
               import_format(c->w, "%s%s", c->folder, c->meshdir ? c->meshdir : "."));
  }
}


static void copy_assets(mjcfCopy *job, const mjcfReader *c)
{
  importWork *w = job->r->w;
  for (xmlNode *s = xml_child(c->root, "asset"); s; s = xml_next(s)) {
    xmlNode *section = new_mjcf_node(w, "asset", job->r->root, s->place);
    for (xmlNode *n = s->first; n; n = n->next) {
      if (strcmp(n->name, "mesh") == 0 || strcmp(n->name, "material") == 0)
        append_mjcf_child(section, copy_node(job, n, section));
    }
    append_mjcf_child(job->r->root, section);
  }
}


// copy elements of other sections that refer only to copied parts
static void copy_sections(mjcfCopy *job, const mjcfReader *c)
{
  importWork *w = job->r->w;
  for (int i = 0; i < MJCF_SECTIONS; i++) {
    for (xmlNode *s = xml_child(c->root, sections[i]); s; s = xml_next(s)) {
      xmlNode *section = new_mjcf_node(w, sections[i], job->r->root, s->place);
      for (xmlNode *n = s->first; n; n = n->next) {
        int inside = 0, outside = 0;
        count_references(job, n, &inside, &outside);
        if (outside > 0 || inside == 0) {
          import_note_motion(
              w, n->place,
              "<%.40s> of an attached file refers to more than what is attached, and is "
              "left out",
              n->name);
          continue;
        }
        keep_copied_name(job, n);
        append_mjcf_child(section, copy_node(job, n, section));
      }
      append_mjcf_child(job->r->root, section);
    }
  }
  for (xmlNode *s = xml_child(c->root, "keyframe"); s; s = xml_next(s))
    import_note_look(w, s->place, "<keyframe> of an attached file is left out");
}


// The part of the other file that <attach> names, or NULL: its whole world.
static xmlNode *find_attached(mjcfReader *c, xmlNode *attach)
{
  const char *body = xml_get(attach, "body"), *frame = xml_get(attach, "frame");
  const char *kind = body ? "body" : "frame", *name = body ? body : frame;
  if (body && frame)
    import_fail(c->w, attach->place, "<attach> names a body and a frame, expected one of them");
  if (!name || !name[0]) return NULL;
  for (xmlNode *s = xml_child(c->root, "worldbody"); s; s = xml_next(s)) {
    xmlNode *part = find_part(s, kind, name);
    if (part) return part;
  }
  import_fail(c->w, attach->place, "the attached file has no %s '%.80s'", kind, name);
}


// a new frame with the part of the other file, to replace <attach>
static xmlNode *attach_model(mjcfReader *r, xmlNode *attach)
{
  importWork *w = r->w;
  const char *name = import_need(w, attach, "model"), *prefix = xml_get(attach, "prefix");
  const char *file = import_need(w, find_asset(r, name, attach), "file");
  mjcfReader *c = mjcf_open_other(r, file, attach);
  mjcfCopy job = {.r = r, .before = prefix ? prefix : "", .after = ""};
  xmlNode *frame = new_mjcf_node(w, "frame", attach->parent, attach->place);
  check_attached_settings(r, c, attach);
  for (xmlNode *s = c->root->first; s; s = s->next) {
    if (strcmp(s->name, "default") != 0) settle_attached(r, c, s);
    if (strcmp(s->name, "asset") != 0) continue;
    settle_assets(c, s);
    for (const xmlNode *n = s->first; n; n = n->next) keep_copied_names(&job, n);
  }
  xmlNode *part = find_attached(c, attach);
  if (part) {
    keep_copied_names(&job, part);
    append_mjcf_child(frame, copy_node(&job, part, frame));
  }
  for (xmlNode *s = part ? NULL : xml_child(c->root, "worldbody"); s; s = xml_next(s)) {
    for (const xmlNode *n = s->first; n; n = n->next) keep_copied_names(&job, n);
  }
  for (xmlNode *s = part ? NULL : xml_child(c->root, "worldbody"); s; s = xml_next(s)) {
    for (const xmlNode *n = s->first; n; n = n->next)
      append_mjcf_child(frame, copy_node(&job, n, frame));
  }
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
