// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files referred to by imported files: meshes by paths, package:// and file://, XML files with
// their trees.
#define _XOPEN_SOURCE 700 // realpath

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/platform.h"
#include "import/import_work.h"


// record the names of the file: attributes 'name', and elements like <bodyname>
static void keep_foreign_names(importWork *w, const xmlNode *node)
{
  const size_t n = strlen(node->name);
  const char *name = n >= 4 && strcmp(node->name + n - 4, "name") == 0 ? node->text : NULL;
  const xmlAttribute *own = xml_attribute(node, "name");
  if (own) name = own->value;
  const char *ours = name && name[0] ? import_spell(w, name) : NULL;
  if (ours) import_enter(w, &w->given, ours, 0);
  for (const xmlNode *child = node->first; child; child = child->next) keep_foreign_names(w, child);
}


const char *import_bytes(importWork *w, const char *path, size_t *length)
{
  char *text = NULL;
  if (!mem_grow((void **) &w->kept, w->nkept, &w->kept_capacity, sizeof *w->kept)) {
    import_leave(w, ART_NO_MEMORY);
  }
  const artStatus status = file_read_most(path, XML_LARGEST_FILE, &text, length, &w->error);
  w->kept[w->nkept++] = text;
  if (status) import_leave(w, status);
  return text;
}


static const char *find_bytes(const char *from, const char *end, const char *word)
{
  const size_t n = strlen(word);
  for (; (size_t) (end - from) >= n; from++) {
    if (memcmp(from, word, n) == 0) return from;
  }
  return NULL;
}


// Blank out comments that contain --, which XML forbids and other readers accept; returns the first
// of them, or NULL.
static const char *blank_comments(char *text, size_t length)
{
  const char *end = text + length, *first = NULL, *stop, *at;
  for (const char *from = text; (at = find_bytes(from, end, "<!--")); from = stop + 3) {
    const char *data = find_bytes(from, at, "<![CDATA[");
    stop = find_bytes(at + 4, end, "-->");
    if (!stop || data) return first; // CDATA may contain text that looks like a comment
    const char *wrong = find_bytes(at + 4, stop + 1, "--");
    if (!wrong && stop[-1] != '-') continue;
    if (!first) first = at;
    for (char *c = text + (at - text) + 4; c < stop; c++) {
      if (*c != '\n') *c = ' ';
    }
  }
  return first;
}


xmlNode *import_xml(importWork *w, const char *path)
{
  size_t length = 0;
  xmlNode *root = NULL;
  const char *text = import_bytes(w, path, &length), *name = import_text(w, path);
  const char *wrong = blank_comments(w->kept[w->nkept - 1], length);
  if (wrong)
    import_note_mended(w, (artPlace){name, xml_count_lines(text, wrong) + 1, 1},
                       "a comment holds --, which XML does not allow");
  const artStatus status = xml_read(&w->arena, name, text, length, &root, &w->error);
  if (status) import_leave(w, status);
  root->is_read = true;
  keep_foreign_names(w, root);
  return root;
}


static void check_depth_below(importWork *w, const xmlNode *node, int depth)
{
  if (depth > XML_DEEPEST)
    import_fail(w, node->place,
                "elements are nested deeper than %d levels, with those of other files",
                XML_DEEPEST);
  for (const xmlNode *n = node->first; n; n = n->next) check_depth_below(w, n, depth + 1);
}


void import_check_depth(importWork *w, const xmlNode *root, int above)
{
  check_depth_below(w, root, above + xml_level(root));
}


//---- meshes --------------------------------------------------------------------------------------

// the folder of a path without trailing slash, "." for a bare name
static const char *folder_of(importWork *w, const char *path)
{
  const char *slash = strrchr(path, '/');
  if (!slash) return ".";
  return slash == path ? "/" : import_format(w, "%.*s", (int) (slash - path), path);
}


// true if "../" leads out of the name itself
static bool climbs_out_of_name(const char *name)
{
  int depth = 0;
  for (const char *at = name; *at; at += strcspn(at, "/"), at += *at == '/') {
    const size_t n = strcspn(at, "/");
    if (n == 2 && strncmp(at, "..", 2) == 0)
      depth--;
    else if (n > 0 && !(n == 1 && *at == '.'))
      depth++;
    if (depth < 0) return true;
  }
  return false;
}


// true if a file is in a folder or below it, with symbolic links resolved
static bool lies_below(const char *file, const char *folder)
{
  char *whole = realpath(file, NULL), *above = realpath(folder, NULL);
  const size_t n = above ? strlen(above) : 0;
  const bool lies = whole && above && strncmp(whole, above, n) == 0 && (n == 1 || whole[n] == '/');
  free(whole);
  free(above);
  return lies;
}


// True if a referenced file may be read: with symbolic links resolved, it is below the folder of
// the imported file or a folder given by the caller.
static bool may_be_read(importWork *w, const char *file)
{
  if (lies_below(file, folder_of(w, w->path))) return true;
  for (int i = 0; i < w->def->npackage; i++) {
    if (lies_below(file, w->def->package[i])) return true;
  }
  return false;
}


// True for a folder with a marker file of a ROS or Gazebo package. Otherwise a file could refer to
// the user's home.
static bool is_package(importWork *w, const char *folder)
{
  static const char *const marks[] = {"package.xml", "model.config", "manifest.xml"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    if (file_is_regular(import_format(w, "%s/%s", folder, marks[i]))) return true;
  }
  return false;
}


// a file of the package NAME that contains the imported file
static const char *find_in_own_package(importWork *w, const char *name, size_t n, const char *rest)
{
  char *whole = realpath(w->path, NULL);
  const char *folder = whole ? import_text(w, whole) : "/";
  free(whole);
  for (int up = 0; strcmp(folder, "/") != 0; up++) {
    folder = folder_of(w, folder);
    const char *slash = strrchr(folder, '/'), *last = slash ? slash + 1 : folder;
    if (!slash) break; // a drive of Windows
    if (strlen(last) != n || strncmp(last, name, n) != 0) continue;
    if (up > 0 && !is_package(w, folder)) continue;
    const char *found = import_format(w, "%s/%s", folder, rest);
    if (file_is_regular(found) && lies_below(found, folder)) return found;
  }
  return NULL;
}


// package://NAME/rest: search in the folders given by the caller, in the folder of the file, and in
// the package that contains it
static const char *find_package(importWork *w, const char *name)
{
  const size_t n = strcspn(name, "/");
  const char *rest = name[n] ? name + n + 1 : "";
  const char *folder = folder_of(w, w->path);
  if (n == 0) return NULL; // package:///etc
  for (int i = -1; i < w->def->npackage; i++) {
    const char *in = i < 0 ? folder : w->def->package[i];
    const char *const places[] = {import_format(w, "%s/%s", in, name),
                                  import_format(w, "%s/packages/%s", in, name),
                                  import_format(w, "%s/%s", in, rest)};
    for (int k = 0; k < (i < 0 ? 2 : 3); k++) {
      if (file_is_regular(places[k]) && may_be_read(w, places[k])) return places[k];
    }
  }
  return find_in_own_package(w, name, n, rest);
}


// the relative path from a folder to a file; neither has symbolic links
static const char *relative_path(importWork *w, const char *folder, const char *file)
{
  size_t same = 0;
  for (size_t i = 0; folder[i] && folder[i] == file[i]; i++) {
    if (file[i + 1] == '/' && (folder[i + 1] == '/' || !folder[i + 1])) same = i + 1;
  }
  const char *text = file + same + 1;
  for (const char *at = folder + same; *at; at++) {
    if (*at == '/' && at[1]) text = import_format(w, "../%s", text);
  }
  return text;
}


static const char *seen_from(importWork *w, const char *found)
{
  const char *beside = folder_of(w, w->path);
  char *file = realpath(found, NULL);
  char *folder = realpath(w->def->folder ? w->def->folder : beside, NULL);
  const char *own = file ? import_text(w, file) : found;
  const char *from = folder ? import_text(w, folder) : "";
  free(file);
  free(folder);
  return platform_is_absolute(from) && platform_is_absolute(own) ? relative_path(w, from, own)
                                                                 : own;
}


// STL and OBJ, and formats of assimp if it was available at build time
static bool is_readable(const char *path)
{
  static const char *const endings[] = {"stl", "obj",
#ifdef ART_ASSIMP_LIBRARY
                                        "dae", "gltf", "glb",
                                        "ply"
#endif
  };
  const char *dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++) {
    if (ascii_compare(dot + 1, endings[i]) == 0) return true;
  }
  return false;
}


static bool leads_out(importWork *w, const char *name, const char *folder)
{
  const char *after = strstr(name, "://");
  const char *below = after || platform_is_absolute(name) || !folder
                          ? name
                          : import_format(w, "%s/%s", folder, name);
  return climbs_out_of_name(after ? after + 3 : below) && !w->def->npackage;
}


const char *import_file(importWork *w, const char *name, const char *folder)
{
  const char *found;
  if (leads_out(w, name, folder)) return NULL;
  if (strncmp(name, "package://", 10) == 0 || strncmp(name, "model://", 8) == 0) {
    found = find_package(w, strchr(name, ':') + 3);
  } else if (strncmp(name, "file://", 7) == 0 || platform_is_absolute(name)) {
    found = name + (platform_is_absolute(name) ? 0 : 7);
    if (!may_be_read(w, found)) return NULL;
  } else {
    found = import_format(w, "%s/%s%s%s", folder_of(w, w->path), folder ? folder : "",
                          folder ? "/" : "", name);
    if (!may_be_read(w, found)) return NULL;
  }
  return found && file_is_regular(found) ? found : NULL;
}


const char *import_file_beside(importWork *w, const char *other, const char *name)
{
  const char *path = import_format(w, "%s/%s", folder_of(w, other), name);
  return file_is_regular(path) && may_be_read(w, path) ? path : NULL;
}


static const char *lose_mesh(importWork *w, const char *name, const char *why, artPlace place)
{
  w->machine.has_lost_meshes = true;
  import_note_look(w, place, "the mesh '%.200s' %s and is left out", name, why);
  return NULL;
}


const char *import_mesh(importWork *w, const char *name, const char *folder, artPlace place)
{
  if (leads_out(w, name, folder)) {
    return lose_mesh(w, name, "lies outside of the file's folder", place);
  }
  const char *found = import_file(w, name, folder);
  if (!found) {
    return lose_mesh(w, name, "is not there, or outside of the folders of file and packages,",
                     place);
  }
  if (!is_readable(found)) {
    return lose_mesh(w, name, "is of a kind that this build does not read", place);
  }
  return seen_from(w, found);
}


void import_set(importWork *w, xmlNode *node, const char *name, const char *value)
{
  xmlAttribute *a = xml_attribute(node, name);
  if (!a) {
    a = import_take(w, 1, sizeof *a);
    *a = (xmlAttribute){.name = name, .next = node->attribute};
    node->attribute = a;
  }
  a->value = value;
}


//---- unread parts --------------------------------------------------------------------------------

void import_note_unread(importWork *w, xmlNode *root)
{
  if (!root->is_read) {
    import_note_part(w, root->parent, root->place, root->name, "<%.60s> of <%.60s> is left out",
                     root->name, root->parent ? root->parent->name : "");
    return;
  }
  for (const xmlAttribute *a = root->attribute; a; a = a->next) {
    if (a->is_read || strncmp(a->name, "xmlns", 5) == 0) continue;
    import_note_part(w, root, root->place, a->name, "%.60s of <%.60s> is left out", a->name,
                     root->name);
  }
  for (xmlNode *child = root->first; child; child = child->next) import_note_unread(w, child);
}
