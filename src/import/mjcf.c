// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// MJCF documents: included files, compiler settings, classes of defaults.
#include "import/mjcf.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/platform.h"

enum { MAX_FILES = 200, DEEPEST_INCLUDE = 16 };


//---- files ---------------------------------------------------------------------------------------

// The path of a file relative to the imported file, or to the file that names it, within the folder
// of the former.
static const char *mjcf_path_beside(const mjcfReader *r, const char *name, artPlace place)
{
  importWork *w = r->w;
  const char *slash = strrchr(w->path, '/');
  const char *path =
      slash ? import_format(w, "%.*s/%s%s", (int) (slash - w->path), w->path, r->folder, name)
            : import_format(w, "%s%s", r->folder, name);
  const char *other = platform_is_absolute(name) ? NULL : import_file_beside(w, place.file, name);
  const bool climbs = platform_is_absolute(name) || strstr(name, "..");
  if (!climbs && (file_is_regular(path) || !other)) return path;
  if (other) return other;
  import_fail(w, place, "the file '%.200s' lies outside of the folder of the model", name);
}


static void count_file(mjcfReader *r, int depth, artPlace place)
{
  if (depth >= DEEPEST_INCLUDE || ++r->nfile > MAX_FILES)
    import_fail(r->w, place, "files include each other more than %d deep, or %d of them",
                DEEPEST_INCLUDE, MAX_FILES);
}


// replace <include> by the contents of the file
static void include_files(mjcfReader *r, xmlNode *node, int depth)
{
  xmlNode **link = &node->first;
  while (*link) {
    xmlNode *child = *link;
    if (strcmp(child->name, "include") != 0) {
      include_files(r, child, depth);
      link = &child->next;
      continue;
    }
    count_file(r, depth, child->place);
    const char *name = import_need(r->w, child, "file");
    xmlNode *root = import_xml(r->w, mjcf_path_beside(r, name, child->place));
    root->parent = node;
    import_check_depth(r->w, root, r->level);
    include_files(r, root, depth + 1);
    for (xmlNode *n = root->first; n; n = n->next) n->parent = node;
    *link = root->first ? root->first : child->next;
    if (root->first) {
      root->last = root->first;
      while (root->last->next) root->last = root->last->next;
      root->last->next = child->next;
      link = &root->last->next;
    }
  }
}


//---- defaults ------------------------------------------------------------------------------------

const char mjcf_no_class[] = "";

static bool is_default(const xmlNode *node)
{
  return node && strcmp(node->name, "default") == 0;
}


static bool is_actuator(const char *name)
{
  static const char *const kinds[] = {"general", "motor",    "position", "velocity", "intvelocity",
                                      "damper",  "cylinder", "muscle",   "adhesion", "plugin"};
  return NAMED_FIND(kinds, name) >= 0;
}


// Elements with the same name in a class form a list that begins with the last; all actuators have
// one name.
static void add_class_element(mjcfReader *r, int class, xmlNode *node)
{
  importWork *w = r->w;
  mjcfClass *c = &r->class[class];
  const char *kind = is_actuator(node->name) ? "actuator" : node->name;
  const int found = table_find(&c->kinds, kind), own = r->nelement++;
  const int row = found >= 0 ? found : c->nkind++;
  import_grow(w, (void **) &r->element, own, &r->element_capacity, sizeof *r->element);
  import_grow(w, (void **) &c->last, row, &c->kind_capacity, sizeof *c->last);
  r->element[own] = (mjcfElement){.before = found >= 0 ? c->last[row] : NULL, .class = class};
  c->last[row] = node;
  import_enter(w, &c->kinds, kind, row);
  node->number = own;
}


// all top-level <default> elements are one class, main, which later ones extend
static void add_class(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const char *name = xml_get(node, "class");
  const bool is_main = !is_default(node->parent);
  node->is_read = true;
  if (!name && !is_main) import_fail(w, node->place, "<default> within another has no 'class'");
  if (!name) name = "main";
  import_grow(w, (void **) &r->class, r->nclass, &r->class_capacity, sizeof *r->class);
  const int found = table_find(&r->class_names, name), own = r->nclass++;
  if (found >= 0 && (!is_main || is_default(r->class[found].node->parent)))
    import_fail(w, node->place, "the class '%.80s' is given twice", name);
  import_enter(w, &r->class_names, name, own);
  r->class[own] = (mjcfClass){.node = node, .outer = is_main ? r->classes : node->parent};
  node->number = own;
  if (is_main) r->classes = node;
  for (xmlNode *n = node->first; n; n = n->next) {
    if (is_default(n))
      add_class(r, n);
    else
      add_class_element(r, own, n);
  }
}


static xmlNode *find_class(mjcfReader *r, const char *name, artPlace place)
{
  const int found = table_find(&r->class_names, name);
  if (found < 0) import_fail(r->w, place, "there is no class '%.80s'", name);
  xmlNode *node = r->class[found].node;
  return is_default(node->parent) ? node : r->classes;
}


// the class of an element: its own, the childclass of an enclosing body, or main
static xmlNode *mjcf_class_of(mjcfReader *r, xmlNode *node)
{
  const char *own = xml_get(node, "class");
  if (own == mjcf_no_class) return NULL;
  if (own) return find_class(r, own, node->place);
  for (xmlNode *n = node->parent; n; n = n->parent) {
    const char *name = xml_get(n, "childclass");
    if (name) return find_class(r, name, n->place);
  }
  return r->classes;
}


// all kinds of actuators share their defaults; so do equalities and tendons
static const char *kind_in_classes(const xmlNode *node)
{
  static const char *const sections[] = {"actuator", "equality", "tendon"};
  const char *section = node->parent ? node->parent->name : "";
  return NAMED_FIND(sections, section) >= 0 ? section : node->name;
}


static xmlNode *find_above(mjcfReader *r, xmlNode *node, const xmlNode *at)
{
  const mjcfElement *own = at == node ? NULL : &r->element[at->number];
  if (own && own->before) return own->before;
  const xmlNode *c = own ? r->class[own->class].outer : mjcf_class_of(r, node);
  for (; c; c = r->class[c->number].outer) {
    const mjcfClass *class = &r->class[c->number];
    const int found = table_find(&class->kinds, kind_in_classes(node));
    if (found >= 0) return class->last[found];
  }
  return NULL;
}


xmlNode *mjcf_above(mjcfReader *r, xmlNode *node, const xmlNode *at)
{
  xmlNode *found = find_above(r, node, at);
  if (found) found->is_read = true; // a class element used by any element counts as read
  return found;
}


const char *mjcf_get(mjcfReader *r, xmlNode *node, const char *attribute)
{
  const char *found = NULL;
  for (xmlNode *n = node; n; n = mjcf_above(r, node, n)) {
    const char *here = xml_get(n, attribute);
    if (!found) found = here;
  }
  return found;
}


//---- values --------------------------------------------------------------------------------------

int mjcf_some(mjcfReader *r, artPlace place, const char *attribute, const char *text, int n,
              double *x)
{
  int count = 0;
  if (!text) return 0;
  for (const char *at = text; *at;) {
    at += strspn(at, " \t\r\n");
    if (*at) count++;
    at += strcspn(at, " \t\r\n");
  }
  if (count == 0)
    import_note_mended(r->w, place, "'%s' is empty and counts as not given", attribute);
  if (count == 0) return 0;
  if (count > n)
    import_fail(r->w, place, "'%s' has %d numbers, at most %d are expected", attribute, count, n);
  import_numbers(r->w, place, attribute, text, count, x);
  return count;
}


bool mjcf_numbers(mjcfReader *r, xmlNode *node, const char *attribute, int n, double *x)
{
  const char *text = mjcf_get(r, node, attribute);
  if (text) import_numbers(r->w, node->place, attribute, text, n, x);
  return text != NULL;
}


double mjcf_number(mjcfReader *r, xmlNode *node, const char *attribute, double otherwise)
{
  double x = otherwise;
  mjcf_numbers(r, node, attribute, 1, &x);
  return x;
}


bool mjcf_is(mjcfReader *r, xmlNode *node, const char *attribute, const char *word)
{
  const char *text = mjcf_get(r, node, attribute);
  return text && strcmp(text, word) == 0;
}


bool mjcf_limits(mjcfReader *r, xmlNode *node, const char *key, const char *flag, double range[2])
{
  const char *limited = mjcf_get(r, node, flag);
  const bool is_auto = !limited || strcmp(limited, "auto") == 0;
  if (!mjcf_numbers(r, node, key, 2, range)) return false;
  if (is_auto ? !r->autolimits : strcmp(limited, "true") != 0) return false;
  if (range[0] > range[1] || (range[0] == range[1] && !is_auto))
    import_fail(r->w, node->place, "'%s' of <%.40s> does not rise", key, node->name);
  return range[0] < range[1];
}


static modelPose mjcf_turn_pose(const double axis[3], double angle)
{
  const double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double s = n > 0 ? sin(angle / 2) / n : 0;
  const double q[4] = {n > 0 ? cos(angle / 2) : 1, s * axis[0], s * axis[1], s * axis[2]};
  return pose_by_quaternion(q, v3_make(0, 0, 0));
}


// Lower-case letters are rotations about moving axes, upper-case ones about fixed axes.
modelPose mjcf_euler(mjcfReader *r, const double angle[3])
{
  modelPose pose = pose_identity();
  for (int i = 0; i < 3; i++) {
    const char c = r->sequence[i];
    const double axis[3] = {c == 'x' || c == 'X', c == 'y' || c == 'Y', c == 'z' || c == 'Z'};
    const modelPose next = mjcf_turn_pose(axis, angle[i] * r->degree);
    pose = c >= 'x' ? pose_compose(pose, next) : pose_compose(next, pose);
  }
  return pose;
}


static modelPose by_axes(const double a[6])
{
  v3 x = import_v3(a), y = v3_make(a[3], a[4], a[5]);
  x = v3_scale(1 / sqrt(v3_dot(x, x)), x);
  y = v3_sub(y, v3_scale(v3_dot(x, y), x));
  y = v3_scale(1 / sqrt(v3_dot(y, y)), y);
  return (modelPose){{x, y, v3_cross(x, y)}, v3_make(0, 0, 0)};
}


// the smallest rotation that turns z to this direction
static modelPose by_z(const double z[3])
{
  const double n = sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
  const double axis[3] = {-z[1], z[0], 0}, square = hypot(z[0], z[1]);
  static const double x[3] = {1, 0, 0};
  return n == 0 ? pose_identity() : mjcf_turn_pose(square > 0 ? axis : x, atan2(square, z[2]));
}


static modelPose by_words(mjcfReader *r, artPlace place, const char *key, const char *text, int n)
{
  double x[6] = {0};
  import_numbers(r->w, place, key, text, n, x);
  if (strcmp(key, "axisangle") == 0) return mjcf_turn_pose(x, x[3] * r->degree);
  if (strcmp(key, "euler") == 0) return mjcf_euler(r, x);
  if (strcmp(key, "zaxis") == 0) return by_z(x);
  if (strcmp(key, "quat") == 0) {
    if (x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 0)
      import_fail(r->w, place, "'quat' is zero");
    return pose_by_quaternion(x, v3_make(0, 0, 0));
  }
  const modelPose pose = by_axes(x);
  if (!isfinite(pose.R.x.x + pose.R.y.y))
    import_fail(r->w, place, "'xyaxes' are no two directions");
  return pose;
}


// The element takes precedence over its class, except that 'quat' is overridden by any other
// orientation of the class, as in MuJoCo.
static modelPose read_turn(mjcfReader *r, xmlNode *node)
{
  static const struct {
    const char *key;
    int n;
  } ways[] = {{"quat", 4}, {"axisangle", 4}, {"euler", 3}, {"xyaxes", 6}, {"zaxis", 3}};
  modelPose pose = pose_identity();
  int chosen = -1;
  for (xmlNode *level = node; level; level = mjcf_above(r, node, level)) {
    int here = -1;
    for (int i = 0; i < 5; i++) {
      const char *text = xml_get(level, ways[i].key);
      if (!text) continue;
      if (here >= 0)
        import_fail(r->w, level->place, "the axes are given twice, by '%s' and '%s'",
                    ways[here].key, ways[i].key);
      here = i;
      if (chosen >= 0 && !(chosen == 0 && i > 0)) continue;
      if (chosen == 0)
        import_note_mended(r->w, node->place,
                           "the axes are given by 'quat' and by '%s' of a class, which decides as "
                           "in MuJoCo",
                           ways[i].key);
      pose = by_words(r, level->place, ways[i].key, text, ways[i].n);
      chosen = i;
    }
  }
  return pose;
}


modelPose mjcf_pose(mjcfReader *r, xmlNode *node)
{
  double at[3] = {0};
  modelPose pose = read_turn(r, node);
  mjcf_numbers(r, node, "pos", 3, at);
  pose.r = import_v3(at);
  return pose;
}


//---- settings ------------------------------------------------------------------------------------

static void read_compiler(mjcfReader *r, xmlNode *compiler)
{
  importWork *w = r->w;
  const char *text = xml_get(compiler, "angle");
  if (text) r->degree = strcmp(text, "radian") == 0 ? 1 : PI / 180;
  text = xml_get(compiler, "eulerseq");
  if (text && (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3)) {
    import_fail(w, compiler->place, "'eulerseq' is '%.20s', expected three of x, y, z", text);
  }
  if (text) memcpy(r->sequence, text, 4);
  text = xml_get(compiler, "autolimits");
  if (text) r->autolimits = strcmp(text, "false") != 0;
  text = xml_get(compiler, "coordinate");
  if (text && strcmp(text, "local") != 0) {
    import_fail(w, compiler->place,
                "coordinates are '%.20s'; 'local' ones are read alone, as MuJoCo does since 2.3.4",
                text);
  }
  text = xml_get(compiler, "inertiafromgeom");
  if (text) r->from_geoms = strcmp(text, "true") == 0;
  text = xml_get(compiler, "balanceinertia");
  if (text) r->balance = strcmp(text, "true") == 0;
  text = xml_get(compiler, "exactmeshinertia"); // before MuJoCo 3.3
  if (text) r->mesh_fill = strcmp(text, "true") == 0 ? FILL_CLOSED : FILL_PYRAMIDS;
  import_get(w, compiler, "inertiagrouprange", 2, r->groups);
  import_get(w, compiler, "settotalmass", 1, &r->total_mass);
  import_get(w, compiler, "boundmass", 1, &r->least_mass);
  import_get(w, compiler, "boundinertia", 1, &r->least_inertia);
  text = xml_get(compiler, "meshdir");
  if (!text) text = xml_get(compiler, "assetdir");
  if (text) r->meshdir = text;
}


const char *mjcf_bare_name(importWork *w, const char *file)
{
  const char *slash = file ? strrchr(file, '/') : NULL;
  const char *bare = slash ? slash + 1 : file ? file : "", *dot = strrchr(bare, '.');
  return import_format(w, "%.*s", dot ? (int) (dot - bare) : (int) strlen(bare), bare);
}


static void read_assets(mjcfReader *r, xmlNode *asset)
{
  importWork *w = r->w;
  for (xmlNode *n = asset->first; n; n = n->next) {
    const bool is_mesh = strcmp(n->name, "mesh") == 0;
    const char *name = xml_get(n, "name");
    if (is_mesh) {
      n->is_read = true;
      if (!name) name = mjcf_bare_name(w, xml_get(n, "file"));
      import_grow(w, (void **) &r->mesh_node, r->nmesh, &r->mesh_capacity, sizeof *r->mesh_node);
      import_enter(w, &r->meshes, name, r->nmesh);
      r->mesh_node[r->nmesh++] = n;
    } else if (strcmp(n->name, "material") == 0 && name) {
      double rgba[4];
      if (mjcf_some(r, n->place, "rgba", mjcf_get(r, n, "rgba"), 4, rgba) >= 3) {
        import_enter(w, &r->materials, name, import_colour(rgba));
      }
      xml_skip(n);
    } else if (strcmp(n->name, "texture") == 0 || strcmp(n->name, "model") == 0) {
      xml_skip(n);
    }
  }
}


static mjcfReader *new_reader(importWork *w, xmlNode *root)
{
  mjcfReader *r = import_take(w, 1, sizeof *r);
  *r = (mjcfReader){.w = w,
                    .root = root,
                    .degree = PI / 180,
                    .sequence = "xyz",
                    .autolimits = true,
                    .groups = {0, 5},
                    .mesh_fill = FILL_PYRAMIDS,
                    .folder = ""};
  return r;
}


// Open a complete file: includes, attached models, copies, settings and classes.
static void open_file(mjcfReader *r)
{
  include_files(r, r->root, r->depth);
  for (xmlNode *n = xml_child(r->root, "compiler"); n; n = xml_next(n)) read_compiler(r, n);
  for (xmlNode *n = xml_child(r->root, "worldbody"); n; n = xml_next(n)) mjcf_attach(r, n);
  for (xmlNode *n = xml_child(r->root, "worldbody"); n; n = xml_next(n)) mjcf_replicate(r, n);
  for (xmlNode *n = xml_child(r->root, "default"); n; n = xml_next(n)) add_class(r, n);
}


mjcfReader *mjcf_open_other(mjcfReader *r, const char *file, const xmlNode *attach)
{
  importWork *w = r->w;
  count_file(r, r->depth + 1, attach->place);
  mjcfReader *c = new_reader(w, import_xml(w, mjcf_path_beside(r, file, attach->place)));
  const char *slash = strrchr(file, '/');
  if (strcmp(c->root->name, "mujoco") != 0)
    import_fail(w, attach->place,
                "the attached file '%.200s' begins with <%.40s>, expected <mujoco>", file,
                c->root->name);
  c->folder = import_format(w, "%s%.*s", r->folder, slash ? (int) (slash + 1 - file) : 0, file);
  c->depth = r->depth + 1;
  c->nfile = r->nfile;
  c->level = r->level + xml_level(attach);
  import_check_depth(w, c->root, c->level);
  open_file(c);
  return c;
}


void mjcf_read(importWork *w, xmlNode *root)
{
  mjcfReader *r = new_reader(w, root);
  w->machine.title = xml_get(root, "model");
  open_file(r);
  for (xmlNode *n = xml_child(root, "option"); n; n = xml_next(n)) {
    importMachine *m = &r->w->machine;
    if (import_get(r->w, n, "gravity", 3, m->gravity)) m->has_gravity = true;
    xmlNode *flag = xml_child(n, "flag");
    const char *gravity = flag ? xml_get(flag, "gravity") : NULL;
    if (gravity && strcmp(gravity, "disable") == 0) {
      memset(m->gravity, 0, sizeof m->gravity);
      m->has_gravity = true;
    }
    const char *contact = flag && w->def->contact ? xml_get(flag, "contact") : NULL;
    if (contact && strcmp(contact, "disable") == 0) m->is_contact_off = true;
    double medium[2] = {0};
    import_get(r->w, n, "density", 1, &medium[0]);
    import_get(r->w, n, "viscosity", 1, &medium[1]);
    if (medium[0] > 0 || medium[1] > 0)
      import_note_motion(r->w, n->place,
                         "the medium around the machine (density, viscosity) is left out");
  }
  for (xmlNode *n = xml_child(root, "asset"); n; n = xml_next(n)) read_assets(r, n);
  r->mesh_weight = import_take(w, (size_t) r->nmesh + 1, sizeof *r->mesh_weight);
  // appearance and solver settings do not affect the motion here
  static const char *const names[] = {"visual", "statistic", "size", "custom", "contact"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const bool is_contact = strcmp(names[i], "contact") == 0;
    if (is_contact && w->def->contact) continue;
    for (xmlNode *n = xml_child(r->root, names[i]); n; n = xml_next(n)) {
      if (is_contact) import_note(r->w, n->place, "<contact>: bodies do not collide here");
      xml_skip(n);
    }
  }
  mjcf_read_bodies(r);
  if (w->def->contact) mjcf_read_contacts(r);
  mjcf_read_actions(r);
  // class elements that no element uses have no effect
  for (int i = 0; i < r->nclass; i++) {
    for (xmlNode *n = r->class[i].node->first; n; n = n->next) {
      if (!n->is_read) xml_skip(n);
    }
  }
}
