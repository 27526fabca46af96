// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// MJCF as a document: files that it includes, settings of the compiler, classes of defaults.
#include "import/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { MOST_FILES = 200, DEEPEST_INCLUDE = 16 };


//---- files ---------------------------------------------------------------------------------------

static const char *beside(importWork *w, const char *name, artPlace place)
{
  const char *slash = strrchr(w->path, '/');
  if (name[0] == '/' || strstr(name, "..")) {
    import_fail(w, place, "the file '%.200s' lies outside of the folder of the model", name);
  }
  return slash ? import_format(w, "%.*s/%s", (int) (slash - w->path), w->path, name) : name;
}


// put what included files hold in the place of <include>
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
    if (depth >= DEEPEST_INCLUDE || ++r->nfile > MOST_FILES) {
      import_fail(r->w, child->place, "files include each other more than %d deep, or %d of them",
                  DEEPEST_INCLUDE, MOST_FILES);
    }
    const char *name = import_need(r->w, child, "file");
    xmlNode *root = import_xml(r->w, beside(r->w, name, child->place));
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

static void add_class(mjcfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const char *name = xml_get(node, "class");
  node->is_read = true;
  if (!name) name = "main";
  import_grow(w, (void **) &r->class_node, r->nclass, &r->class_capacity, sizeof *r->class_node);
  if (table_find(&r->class_names, name) < 0 &&
      !table_add(&r->class_names, &w->arena, name, r->nclass))
    import_leave(w, ART_NO_MEMORY);
  r->class_node[r->nclass++] = node;
  for (xmlNode *n = node->first; n; n = n->next) {
    if (strcmp(n->name, "default") == 0)
      add_class(r, n);
    else
      n->is_read = true;
  }
}


static xmlNode *find_class(mjcfReader *r, const char *name, artPlace place)
{
  const int found = table_find(&r->class_names, name);
  if (found < 0) import_fail(r->w, place, "there is no class '%.80s'", name);
  return r->class_node[found];
}


// the class of an element: its own, the one that a body around it gives to its children, or main
static xmlNode *class_of(mjcfReader *r, xmlNode *node)
{
  const char *own = xml_get(node, "class");
  if (own) return find_class(r, own, node->place);
  for (xmlNode *n = node->parent; n; n = n->parent) {
    const char *name = xml_get(n, "childclass");
    if (name) return find_class(r, name, n->place);
  }
  return r->nclass > 0 ? r->class_node[0] : NULL;
}


// all kinds of actuators have the same defaults
static bool is_kind(const xmlNode *in_class, const xmlNode *node)
{
  if (strcmp(in_class->name, node->name) == 0) return true;
  const bool is_actuator = node->parent && strcmp(node->parent->name, "actuator") == 0;
  const bool is_equality = node->parent && strcmp(node->parent->name, "equality") == 0;
  const bool is_tendon = node->parent && strcmp(node->parent->name, "tendon") == 0;
  return (is_actuator && strcmp(in_class->name, "general") == 0) ||
         (is_equality && strcmp(in_class->name, "equality") == 0) ||
         (is_tendon && strcmp(in_class->name, "tendon") == 0);
}


const char *mjcf_get(mjcfReader *r, xmlNode *node, const char *attribute)
{
  const bool is_joint_equality = node->parent && strcmp(node->parent->name, "equality") == 0;
  const char *found = xml_get(node, attribute);
  for (xmlNode *c = class_of(r, node); c && strcmp(c->name, "default") == 0; c = c->parent) {
    for (xmlNode *n = c->first; n; n = n->next) {
      if (!is_kind(n, node) || (is_joint_equality && strcmp(n->name, "equality") != 0)) continue;
      const char *here = xml_get(n, attribute);
      if (!found) found = here;
    }
  }
  return found;
}


//---- values --------------------------------------------------------------------------------------

int mjcf_numbers(mjcfReader *r, xmlNode *node, const char *attribute, int n, double *x)
{
  const char *text = mjcf_get(r, node, attribute);
  int count = 0;
  if (!text) return 0;
  for (const char *at = text; *at;) {
    at += strspn(at, " \t\r\n,");
    if (*at) count++;
    at += strcspn(at, " \t\r\n,");
  }
  if (count > n)
    import_fail(r->w, node->place, "'%s' has %d numbers, at most %d are expected", attribute, count,
                n);
  if (count > 0) import_numbers(r->w, node->place, attribute, text, count, x);
  return count;
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


const char *mjcf_coordinate(const importJoint *joint)
{
  return joint->type == JOINT_PRISMATIC ? "slide" : "angle";
}


static modelPose turn(const double axis[3], double angle)
{
  const double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double s = n > 0 ? sin(angle / 2) / n : 0;
  const double q[4] = {n > 0 ? cos(angle / 2) : 1, s * axis[0], s * axis[1], s * axis[2]};
  return pose_by_quaternion(q, v3_make(0, 0, 0));
}


// Lower case letters turn about moving axes, upper case ones about fixed axes.
static modelPose by_euler(mjcfReader *r, const double angle[3])
{
  modelPose pose = pose_identity();
  for (int i = 0; i < 3; i++) {
    const char c = r->sequence[i];
    const double axis[3] = {c == 'x' || c == 'X', c == 'y' || c == 'Y', c == 'z' || c == 'Z'};
    const modelPose next = turn(axis, angle[i] * r->degree);
    pose = c >= 'x' ? pose_compose(pose, next) : pose_compose(next, pose);
  }
  return pose;
}


static modelPose by_axes(const double a[6])
{
  v3 x = v3_make(a[0], a[1], a[2]), y = v3_make(a[3], a[4], a[5]);
  x = v3_scale(1 / sqrt(v3_dot(x, x)), x);
  y = v3_sub(y, v3_scale(v3_dot(x, y), x));
  y = v3_scale(1 / sqrt(v3_dot(y, y)), y);
  return (modelPose){{x, y, v3_cross(x, y)}, v3_make(0, 0, 0)};
}


// the smallest turn that brings z there
static modelPose by_z(const double z[3])
{
  const double n = sqrt(z[0] * z[0] + z[1] * z[1] + z[2] * z[2]);
  const double axis[3] = {-z[1], z[0], 0}, square = hypot(z[0], z[1]);
  static const double x[3] = {1, 0, 0};
  return n == 0 ? pose_identity() : turn(square > 0 ? axis : x, atan2(square, z[2]));
}


modelPose mjcf_pose(mjcfReader *r, xmlNode *node)
{
  double at[3] = {0}, x[6];
  modelPose pose = pose_identity();
  mjcf_numbers(r, node, "pos", 3, at);
  if (mjcf_numbers(r, node, "quat", 4, x) == 4) {
    if (x[0] == 0 && x[1] == 0 && x[2] == 0 && x[3] == 0)
      import_fail(r->w, node->place, "'quat' is zero");
    pose = pose_by_quaternion(x, v3_make(0, 0, 0));
  } else if (mjcf_numbers(r, node, "axisangle", 4, x) == 4) {
    pose = turn(x, x[3] * r->degree);
  } else if (mjcf_numbers(r, node, "euler", 3, x) == 3) {
    pose = by_euler(r, x);
  } else if (mjcf_numbers(r, node, "xyaxes", 6, x) == 6) {
    pose = by_axes(x);
    if (!isfinite(pose.R.x.x + pose.R.y.y))
      import_fail(r->w, node->place, "'xyaxes' are no two directions");
  } else if (mjcf_numbers(r, node, "zaxis", 3, x) == 3) {
    pose = by_z(x);
  }
  pose.r = v3_make(at[0], at[1], at[2]);
  return pose;
}


//---- settings ------------------------------------------------------------------------------------

static void read_compiler(mjcfReader *r, xmlNode *compiler)
{
  importWork *w = r->w;
  const char *text = xml_get(compiler, "angle");
  if (text) r->degree = strcmp(text, "radian") == 0 ? 1 : acos(-1) / 180;
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
  if (text && strcmp(text, "true") == 0)
    import_fail(w, compiler->place,
                "'inertiafromgeom' is true; masses that the file states would be replaced, which "
                "is not done here");
  double total = -1;
  import_get(w, compiler, "settotalmass", 1, &total);
  if (total > 0)
    import_fail(w, compiler->place, "'settotalmass' scales all masses, which is not done here");
  text = xml_get(compiler, "meshdir");
  if (!text) text = xml_get(compiler, "assetdir");
  if (text) r->meshdir = text;
}


static void read_option(mjcfReader *r, xmlNode *option)
{
  importMachine *m = &r->w->machine;
  if (import_get(r->w, option, "gravity", 3, m->gravity)) m->has_gravity = true;
  xmlNode *flag = xml_child(option, "flag");
  const char *gravity = flag ? xml_get(flag, "gravity") : NULL;
  if (gravity && strcmp(gravity, "disable") == 0) {
    memset(m->gravity, 0, sizeof m->gravity);
    m->has_gravity = true;
  }
  double medium[2] = {0};
  import_get(r->w, option, "density", 1, &medium[0]);
  import_get(r->w, option, "viscosity", 1, &medium[1]);
  if (medium[0] > 0 || medium[1] > 0)
    import_note(r->w, option->place,
                "the medium around the machine (density, viscosity) is left out");
}


static void read_assets(mjcfReader *r, xmlNode *asset)
{
  importWork *w = r->w;
  for (xmlNode *n = asset->first; n; n = n->next) {
    const bool is_mesh = strcmp(n->name, "mesh") == 0;
    const char *name = xml_get(n, "name");
    if (is_mesh) {
      n->is_read = true;
      // without a name the file gives it, without its folder and ending
      const char *file = xml_get(n, "file"), *slash = file ? strrchr(file, '/') : NULL;
      const char *bare = slash ? slash + 1 : file ? file : "", *dot = strrchr(bare, '.');
      if (!name)
        name = import_format(w, "%.*s", dot ? (int) (dot - bare) : (int) strlen(bare), bare);
      import_grow(w, (void **) &r->mesh_node, r->nmesh, &r->mesh_capacity, sizeof *r->mesh_node);
      if (table_find(&r->meshes, name) < 0 && !table_add(&r->meshes, &w->arena, name, r->nmesh))
        import_leave(w, ART_NO_MEMORY);
      r->mesh_node[r->nmesh++] = n;
    } else if (strcmp(n->name, "material") == 0 && name) {
      double rgba[4];
      if (mjcf_numbers(r, n, "rgba", 4, rgba) >= 3) {
        int colour = 0;
        for (int i = 0; i < 3; i++)
          colour = 256 * colour + (int) lround(255 * fmax(0, fmin(1, rgba[i])));
        if (table_find(&r->materials, name) < 0 &&
            !table_add(&r->materials, &w->arena, name, colour))
          import_leave(w, ART_NO_MEMORY);
      }
      xml_skip(n);
    } else if (strcmp(n->name, "texture") == 0) {
      xml_skip(n);
    }
  }
}


// pictures and settings of the solver, of which nothing of the motion depends here
static void skip_sections(mjcfReader *r)
{
  static const char *const names[] = {"visual", "statistic", "size", "custom", "contact"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    for (xmlNode *n = xml_child(r->root, names[i]); n; n = xml_next(n)) {
      if (strcmp(names[i], "contact") == 0)
        import_note(r->w, n->place, "<contact>: bodies do not collide here");
      xml_skip(n);
    }
  }
}


void mjcf_read(importWork *w, xmlNode *root)
{
  mjcfReader *r = import_take(w, 1, sizeof *r);
  *r = (mjcfReader){
      .w = w, .root = root, .degree = acos(-1) / 180, .sequence = "xyz", .autolimits = true};
  w->machine.title = xml_get(root, "model");
  include_files(r, root, 0);
  for (xmlNode *n = xml_child(root, "compiler"); n; n = xml_next(n)) read_compiler(r, n);
  for (xmlNode *n = xml_child(root, "option"); n; n = xml_next(n)) read_option(r, n);
  for (xmlNode *n = xml_child(root, "default"); n; n = xml_next(n)) add_class(r, n);
  for (xmlNode *n = xml_child(root, "asset"); n; n = xml_next(n)) read_assets(r, n);
  skip_sections(r);
  mjcf_read_bodies(r);
  mjcf_read_actions(r);
}
