// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The program articula-parse: reads one foreign file without rights of its own (base/sandbox.h), and writes the answer to its
// standard output. The library starts it; it is of no use by hand.
//
//   articula-parse import FILE SETTING...     a model of another program
//   articula-parse scene NAME                 the triangles of a mesh, at standard input, by assimp
//   articula-parse description NAME           modelDescription.xml of an FMU, at standard input; `xml`: another file of it
//   articula-parse state                      which of its rights it has given up
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/sandbox.h"
#include "fmi/description.h"
#include "import/import.h"
#include "mesh/mesh.h"

// what the helper of test_sandbox, and no other, does with some files
#ifdef ART_PARSE_ATTACKS
void attack(const char *name, FILE *out);
#endif


// all of standard input, with a zero after it; NULL: memory ran out
static char *read_input(size_t *n)
{
  size_t capacity = 0;
  char *bytes = NULL;
  *n = 0;
  for (size_t got = 1; got > 0; *n += got) {
    if (capacity - *n < 65536) {
      capacity = 2 * capacity + 131072;
      char *more = mem_resize(bytes, capacity, 1);
      if (!more) return NULL;
      bytes = more;
    }
    got = fread(bytes + *n, 1, capacity - *n - 1, stdin);
  }
  bytes[*n] = '\0';
  return bytes;
}


//---- XML -----------------------------------------------------------------------------------------

typedef struct xmlTask {
  baseArena arena;
  const char *name, *text;
  size_t n;
  bool is_description;
  xmlNode *root;
} xmlTask;


// A description is read here as well: the one that asks reads it again, from a tree that did no harm.
static void read_xml_task(void *context)
{
  xmlTask *t = context;
  fmiDescription description;
  error_check(xml_read(&t->arena, t->name, t->text, t->n, &t->root, error_current()));
  t->arena.leaves = 1;
  if (t->is_description) fmi_read_description(&t->arena, t->root, &description);
}


static void do_xml_task(const char *name, bool is_description, FILE *out)
{
  xmlTask t = {.name = name, .is_description = is_description};
  artError error = {0};
  t.text = read_input(&t.n);
  const artStatus status = t.text ? error_try(read_xml_task, &t, &error) : base_no_memory(&error);
  sandbox_put_status(out, status, &error);
  if (!status) xml_put(out, t.root);
}


//---- all -----------------------------------------------------------------------------------------

static int do_task(int n, char **word, const char *given_up)
{
  const char *task = word[0], *name = n > 1 ? word[1] : "";
#ifdef ART_PARSE_ATTACKS
  if (strstr(name, "attack-") && !strstr(name, "attack-none")) {
    attack(name, stdout);
    sandbox_put_end(stdout);
    return 0;
  }
#endif
  if (strcmp(task, "state") == 0) {
    sandbox_put_text(stdout, given_up);
  } else if (strcmp(task, "import") == 0 && n > 1) {
    import_do_task(n - 1, word + 1, stdout);
  } else if (strcmp(task, "description") == 0 || strcmp(task, "xml") == 0) {
    do_xml_task(name, task[0] == 'd', stdout);
  } else if (strcmp(task, "scene") == 0) {
    size_t size = 0;
    const char *bytes = read_input(&size);
    if (bytes) scene_do_task(bytes, size, name, stdout);
  } else {
    return 2;
  }
  sandbox_put_end(stdout);
  return fflush(stdout) == 0 ? 0 : 1;
}


int main(int argc, char **argv)
{
  const char *folder[IMPORT_TASK_MOST];
  int nfolder = 0;
  if (argc < 2) {
    fputs("articula-parse reads foreign files for the library Articula\n", stderr);
    return 2;
  }
  art_set_sandbox(ART_SANDBOX_OFF);
  if (strcmp(argv[1], "import") == 0 && argc > 2)
    nfolder = import_task_folders(argc - 2, argv + 2, folder);
  if (strcmp(argv[1], "scene") == 0 || import_task_wants_scenes(argc - 1, argv + 1))
    scene_prepare();
  const char *given_up = sandbox_confine(nfolder, folder);
  return do_task(argc - 1, argv + 1, given_up);
}
