// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Loops of parallel robots in a YAML file next to the URDF (STEM.yaml, STEM.yml or robot.yaml), in
// the form used by the collection example-parallel-robots:
//
//    closed_loop: [[A, B], ...]    pairs of coincident frames: links, or joints (their child links)
//    type: [6d, 3d, ...]           frames coincide, or only origins
//    name_mot: [...]               joints with motors; all others are passive
//    joint_name, joint_type        joints that are actually SPHERICAL, CARDAN, UJOINT_XY or FIXED
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/yaml.h"
#include "import/urdf.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

enum { MAX_FILE_SIZE = 1 << 20 };

typedef struct loopFile {
  urdfReader *r;
  const char *path;
  const yamlNode *root;
} loopFile;


static const char *yaml_word(const yamlNode *node)
{
  return node && node->kind == NODE_SCALAR ? node->text : NULL;
}


static const yamlNode *list_item(const yamlNode *list, int i)
{
  const yamlNode *item = list && list->kind == NODE_SEQUENCE ? list->first : NULL;
  for (; item && i > 0; i--) item = item->next;
  return item;
}


//---- statements of the file ----------------------------------------------------------------------

static void close_urdf_loops(const loopFile *f)
{
  importWork *w = f->r->w;
  const yamlNode *pair = list_item(yaml_find(f->root, "closed_loop"), 0);
  const yamlNode *types = yaml_find(f->root, "type");
  for (int i = 0; pair; pair = pair->next, i++) {
    const char *from = yaml_word(list_item(pair, 0)), *to = yaml_word(list_item(pair, 1));
    const char *type =
        !types ? "6d" : yaml_word(types->kind == NODE_SCALAR ? types : list_item(types, i));
    if (!from || !to || pair->count != 2)
      import_fail(w, pair->place,
                  "entry %d of 'closed_loop' is not a pair of links or joints: [A, B]", i + 1);
    if (!type || (ascii_compare(type, "6d") != 0 && ascii_compare(type, "3d") != 0))
      import_fail(w, pair->place, "the loop between '%.80s' and '%.80s' is neither 6d nor 3d", from,
                  to);
    urdf_close(f->r, from, to, ascii_compare(type, "3d") == 0, pair->place);
  }
}


static importJoint *find_loop_joint(const loopFile *f, const yamlNode *node)
{
  const char *name = yaml_word(node);
  const int found = name ? table_find(&f->r->joints, name) : -1;
  if (found < 0)
    import_fail(f->r->w, node->place, "there is no joint '%.80s' in the URDF file",
                name ? name : "");
  return &f->r->w->machine.joint[found];
}


static void drop_coordinate(importWork *w, importJoint *joint)
{
  if (joint->damping != 0 || joint->friction != 0)
    import_note_motion(w, joint->place,
                       "damping and friction of joint '%.80s' are left out: it has "
                       "several coordinates",
                       joint->name);
  joint->damping = joint->friction = joint->effort = 0;
  joint->lower = joint->upper = NAN;
  joint->initial = NULL;
  joint->is_held = false;
}


static void make_ball(importWork *w, importJoint *joint)
{
  drop_coordinate(w, joint);
  joint->type = ART_SPHERICAL;
}


// successive rotations about two axes of the joint's frame
static void make_cross(importWork *w, importJoint *joint, const char axes[2])
{
  drop_coordinate(w, joint);
  joint->type = ART_UNIVERSAL;
  for (int i = 0; i < 3; i++) {
    joint->axis[i] = axes[0] == 'X' + i;
    joint->axis2[i] = axes[1] == 'X' + i;
  }
}


static void change_joint(const loopFile *f, importJoint *joint, const yamlNode *type)
{
  importWork *w = f->r->w;
  const artPlace place = type ? type->place : (artPlace){.file = f->path};
  const char *word = yaml_word(type);
  if (!word) word = "";
  if (joint->is_follower || joint->type == ART_FIXED)
    import_fail(w, place, "joint '%.80s' is fixed or mimics another in the URDF file", joint->name);
  const bool is_cross = strncmp(word, "UJOINT_", 7) == 0 && strlen(word) == 9 &&
                        strspn(word + 7, "XYZ") == 2 && word[7] != word[8];
  if (is_cross)
    make_cross(w, joint, word + 7);
  else if (strcmp(word, "CARDAN") == 0)
    make_cross(w, joint, "XY");
  else if (strcmp(word, "SPHERICAL") == 0)
    make_ball(w, joint);
  else if (strcmp(word, "FIXED") == 0)
    joint->is_held = true;
  else
    import_fail(w, place,
                "joint '%.80s' is of type '%.40s', expected SPHERICAL, CARDAN, UJOINT_XY and the "
                "like, or FIXED",
                joint->name, word);
}


static bool is_called_ball(const importJoint *joint)
{
  return joint->type == ART_REVOLUTE && !joint->is_follower && strstr(joint->name, "spherical");
}


// Without types, names tell which joints are spherical; a series of rotations with such names is
// not changed.
static void change_by_names(urdfReader *r)
{
  importMachine *m = &r->w->machine;
  bool *is_ball = import_take(r->w, (size_t) m->njoint + 1, sizeof *is_ball);
  for (int i = 0; i < m->njoint; i++) is_ball[i] = is_called_ball(&m->joint[i]);
  for (int i = 0; i < m->njoint; i++) {
    const int before = m->joint[i].from < 0 ? -1 : r->parent[m->joint[i].from];
    if (!is_ball[i] || before < 0 || !is_called_ball(&m->joint[before])) continue;
    is_ball[i] = is_ball[before] = false;
  }
  for (int i = 0; i < m->njoint; i++) {
    if (!is_ball[i]) continue;
    import_note(r->w, m->joint[i].place, "joint '%.80s' is a ball by its name", m->joint[i].name);
    make_ball(r->w, &m->joint[i]);
  }
}


static void change_joints(const loopFile *f)
{
  const yamlNode *names = yaml_find(f->root, "joint_name"),
                 *types = yaml_find(f->root, "joint_type");
  if (!names) change_by_names(f->r);
  const yamlNode *name = list_item(names, 0), *type = list_item(types, 0);
  for (; name; name = name->next, type = type ? type->next : NULL)
    change_joint(f, find_loop_joint(f, name), type);
}


static void choose_motors(const loopFile *f)
{
  importMachine *m = &f->r->w->machine;
  const yamlNode *names = yaml_find(f->root, "name_mot");
  bool *has_motor = import_take(f->r->w, (size_t) m->njoint + 1, sizeof *has_motor);
  if (!names) return;
  for (const yamlNode *name = list_item(names, 0); name; name = name->next)
    has_motor[find_loop_joint(f, name) - m->joint] = true;
  for (int i = 0; i < m->njoint; i++) {
    importJoint *joint = &m->joint[i];
    if (!has_motor[i]) joint->effort = 0;
    if (has_motor[i] && import_has_one(joint) && !(joint->effort > 0)) joint->effort = INFINITY;
  }
}


static void note_other_keys(const loopFile *f)
{
  static const char *const known[] = {"closed_loop", "type", "name_mot", "joint_name",
                                      "joint_type"};
  for (const yamlNode *item = f->root->first; item; item = item->next) {
    if (NAMED_FIND(known, item->key) < 0)
      import_note_motion(f->r->w, item->key_place, "'%.60s' is left out", item->key);
  }
}


//---- the file ------------------------------------------------------------------------------------

static bool is_small_file(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size <= MAX_FILE_SIZE;
}


// the file may belong to another robot in the same folder: then no name in its pairs is known
static bool is_loop_file_ours(const loopFile *f)
{
  const yamlNode *pair = list_item(yaml_find(f->root, "closed_loop"), 0);
  if (!pair) return true;
  for (; pair; pair = pair->next) {
    for (const yamlNode *end = list_item(pair, 0); end; end = end->next) {
      const char *name = yaml_word(end);
      if (name && urdf_find_frame(f->r, name) >= 0) return true;
    }
  }
  return false;
}


// Length of the key at `text`, a word followed by a colon; 0 if there is none.
static size_t key_length(const char *text)
{
  const size_t n = strspn(text, LETTERS);
  const char *behind = text + n;
  if (*behind == '\'' || *behind == '"') behind++;
  behind += strspn(behind, " ");
  return *behind == ':' ? n : 0;
}


// A key under which other programs list loops, in any capitalisation; NULL if the text has none, or
// is a model file.
static const char *find_loop_key(importWork *w, const char *text)
{
  static const char *const known[] = {"loop",           "loops",           "loopjoint",
                                      "loopjoints",     "loopclosure",     "loopclosures",
                                      "loopconstraint", "loopconstraints", "closedloop",
                                      "closedloops",    "closures"};
  const char *found = NULL;
  for (const char *at = text; *at;) {
    const size_t n = key_length(at), word = strspn(at, LETTERS);
    char plain[20] = "";
    for (size_t i = 0, k = 0; i < n && k + 1 < sizeof plain; i++) {
      if (ascii_is_letter((unsigned char) at[i]))
        plain[k++] = (char) ascii_lower((unsigned char) at[i]);
    }
    if (strcmp(plain, "articula") == 0) return NULL;
    if (!found && NAMED_FIND(known, plain) >= 0) found = import_format(w, "%.*s", (int) n, at);
    at += *at == '#' ? strcspn(at, "\n") : word > 0 ? word : 1;
  }
  return found;
}


// The tree of a file that has 'closed_loop', or NULL.
static yamlNode *load_loop_tree(importWork *w, const char *path)
{
  size_t length = 0;
  yamlNode *root = NULL;
  if (!file_is_regular(path)) return NULL;
  if (!is_small_file(path)) {
    import_note_motion(
        w, (artPlace){.file = path},
        "this file next to the robot is larger than 1 MiB: loops in it are left out");
    return NULL;
  }
  const char *text = import_bytes(w, path, &length);
  const char *key = find_loop_key(w, text);
  if (!strstr(text, "closed_loop")) {
    if (key)
      import_note_motion(
          w, (artPlace){.file = path},
          "'%.40s' of this file next to the robot is not read, for loops belong under "
          "'closed_loop': they are left out",
          key);
    return NULL;
  }
  const artStatus status = yaml_read_tree(&w->arena, path, text, length, &root, &w->error);
  if (status == ART_NO_MEMORY) import_leave(w, status);
  if (status)
    import_fail(w, base_nowhere(), "cannot read the loops next to the robot: %s", w->error.text);
  return root;
}


// Read the loops of a file, which belongs to the robot according to its name (is_own), or may
// belong to another. A model file, or one that does not mention loops, has none; an unknown form of
// loops is noted.
static bool read_loop_file(urdfReader *r, const char *path, bool is_own)
{
  const yamlNode *root = load_loop_tree(r->w, path);
  const loopFile f = {r, path, root};
  if (!root || yaml_find(root, "articula")) return false;
  const yamlNode *loops = yaml_find(root, "closed_loop");
  if (!loops || loops->kind != NODE_SEQUENCE) {
    import_note_motion(
        r->w, loops ? loops->place : root->place,
        "the file next to the robot has no list 'closed_loop' at its top: loops in it are "
        "left out");
    return false;
  }
  if (!is_own && !is_loop_file_ours(&f)) {
    import_note_motion(
        r->w, loops->place,
        "no pair of 'closed_loop' names a link or joint of this robot: loops of the file are "
        "left out");
    return false;
  }
  change_joints(&f);
  choose_motors(&f);
  close_urdf_loops(&f);
  note_other_keys(&f);
  return true;
}


void urdf_read_loops(urdfReader *r)
{
  importWork *w = r->w;
  const char *slash = strrchr(w->path, '/'), *dot = strrchr(slash ? slash : w->path, '.');
  const int stem = (int) (dot ? (size_t) (dot - w->path) : strlen(w->path)),
            folder = (int) (slash ? slash - w->path + 1 : 0);
  if (!read_loop_file(r, import_format(w, "%.*s.yaml", stem, w->path), true) &&
      !read_loop_file(r, import_format(w, "%.*s.yml", stem, w->path), true) &&
      !read_loop_file(r, import_format(w, "%.*srobot.yaml", folder, w->path), false))
    read_loop_file(r, import_format(w, "%.*srobot.yml", folder, w->path), false);
}


//---- SRDF ----------------------------------------------------------------------------------------

// SRDF next to a URDF file (STEM.srdf, or ../srdf/STEM.srdf): loops, joints without motors, and
// states.
//
//    <loop_constraint frame1 frame2 mask="x z pitch"/>    links that coincide, along and about these axes of frame1
//    <passive_joint name/>                                without a motor
//    <group_state name><joint name value/></group_state>  initial state

enum { X_SLIDE, Y_SLIDE, Z_SLIDE, X_TURN, Y_TURN, Z_TURN, MOTIONS };


// which of the six motions a loop constrains; all without a mask
static void read_mask(importWork *w, xmlNode *node, bool holds[MOTIONS])
{
  static const char *const names[MOTIONS] = {"x", "y", "z", "roll", "pitch", "yaw"};
  const char *at = xml_get(node, "mask");
  for (int k = 0; k < MOTIONS; k++) holds[k] = !at;
  while (at && *(at += strspn(at, " \t\r\n,"))) {
    const size_t n = strcspn(at, " \t\r\n,");
    int k = 0;
    while (k < MOTIONS && (strlen(names[k]) != n || strncmp(names[k], at, n) != 0)) k++;
    if (k == MOTIONS)
      import_fail(w, node->place, "'mask' holds '%.*s', expected x y z roll pitch yaw",
                  (int) (n < 40 ? n : 40), at);
    holds[k] = true;
    at += n;
  }
}


static importJoint *add_loop_step_joint(urdfReader *r, const char *name, artJointType type,
                                        int step, int from, artPlace place)
{
  static const char *const ending[MOTIONS] = {"x", "y", "z", "rx", "ry", "rz"};
  importWork *w = r->w;
  const char *own = type == ART_PRISMATIC || type == ART_REVOLUTE
                        ? import_fresh(w, "%s_%s", name, ending[step])
                        : import_fresh(w, "%s", name);
  importJoint *joint = import_add_joint(w, own, type, from, -1, place);
  for (int i = 0; i < 3; i++) joint->axis[i] = i == step % 3;
  joint->is_follower = true; // keep it in the tree; nothing constrains it
  return joint;
}


// The free motions of a loop become a chain of joints with massless bodies between them, the last
// one cut.
static void read_constraint(urdfReader *r, xmlNode *node)
{
  importWork *w = r->w;
  const char *names[2] = {import_need(w, node, "frame1"), import_need(w, node, "frame2")};
  int end[2];
  bool holds[MOTIONS];
  for (int k = 0; k < 2; k++) {
    end[k] = urdf_find_frame(r, names[k]);
    if (end[k] < 0)
      import_fail(w, node->place, "there is no link or joint '%.80s' in the URDF file", names[k]);
  }
  if (end[0] == end[1]) import_fail(w, node->place, "a loop joins a link with itself");
  read_mask(w, node, holds);
  const char *name = import_format(w, "closes_%s", w->machine.body[end[1]].name);
  const bool is_ball = !holds[X_TURN] && !holds[Y_TURN] && !holds[Z_TURN];
  int from = end[0], last = -1;
  for (int k = 0; k < (is_ball ? X_TURN : MOTIONS); k++) {
    if (!holds[k]) last = k;
  }
  for (int k = 0; k < (is_ball ? X_TURN : MOTIONS); k++) {
    if (holds[k] || (k == last && !is_ball)) continue;
    importJoint *joint = add_loop_step_joint(r, name, k < X_TURN ? ART_PRISMATIC : ART_REVOLUTE, k,
                                             from, node->place);
    const int number = (int) (joint - w->machine.joint);
    import_add_body(w, import_fresh(w, "%s_%d", name, k + 1), base_nowhere());
    w->machine.joint[number].to = from = w->machine.nbody - 1;
  }
  const artJointType type = is_ball         ? ART_SPHERICAL
                            : last < 0      ? ART_FIXED
                            : last < X_TURN ? ART_PRISMATIC
                                            : ART_REVOLUTE;
  importJoint *cut = add_loop_step_joint(r, name, type, last < 0 ? 0 : last, from, node->place);
  cut->to = end[1];
  cut->is_cut = true;
}


//---- motors and states ---------------------------------------------------------------------------

static void read_passive(urdfReader *r, xmlNode *node)
{
  const int found = table_find(&r->joints, import_need(r->w, node, "name"));
  if (found >= 0) r->w->machine.joint[found].effort = 0;
}


static void read_group_state(urdfReader *r, xmlNode *state)
{
  importWork *w = r->w;
  for (xmlNode *n = xml_child(state, "joint"); n; n = xml_next(n)) {
    const int found = table_find(&r->joints, import_need(w, n, "name"));
    importJoint *joint = found < 0 ? NULL : &w->machine.joint[found];
    if (!joint || joint->is_follower || !import_has_one(joint)) continue;
    import_need_numbers(w, n, "value", 1, &joint->start);
    joint->initial = import_start_at(w, joint, joint->start);
  }
}


// the requested state, or, with loops, the first state, because loops can be closed in several ways
static void choose_state(urdfReader *r, xmlNode *root, bool has_loops)
{
  importWork *w = r->w;
  for (xmlNode *n = xml_child(root, "group_state"); n; n = xml_next(n)) {
    const char *name = import_need(w, n, "name");
    if (w->def->key ? strcmp(name, w->def->key) != 0 : !has_loops) continue;
    if (!w->def->key)
      import_note(w, n->place, "joints start near the state '%.80s', where loops are closed", name);
    read_group_state(r, n);
    return;
  }
  if (w->def->key) import_fail(w, root->place, "there is no <group_state> '%.80s'", w->def->key);
}


//---- the file ------------------------------------------------------------------------------------

void urdf_read_srdf(urdfReader *r)
{
  importWork *w = r->w;
  const char *slash = strrchr(w->path, '/'), *stem = slash ? slash + 1 : w->path;
  const char *dot = strrchr(stem, '.');
  const int folder = (int) (stem - w->path), n = (int) (dot ? (size_t) (dot - stem) : strlen(stem));
  const char *path = import_format(w, "%.*s%.*s.srdf", folder, w->path, n, stem);
  if (!file_is_regular(path))
    path = import_format(w, "%.*s../srdf/%.*s.srdf", folder, w->path, n, stem);
  if (!file_is_regular(path)) {
    if (w->def->key)
      import_fail(w, (artPlace){.file = w->path},
                  "--key names a state of an SRDF file next to the URDF file, and there is none");
    return;
  }
  xmlNode *root = import_xml(w, path);
  bool has_loops = false;
  for (xmlNode *c = xml_child(root, "loop_constraint"); c; c = xml_next(c), has_loops = true)
    read_constraint(r, c);
  for (xmlNode *p = xml_child(root, "passive_joint"); p; p = xml_next(p)) read_passive(r, p);
  choose_state(r, root, has_loops);
}
