// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The helper that reads foreign files: it gives the same as reading in this process, and a helper that a file has taken over
// (test/unit/attacks.c) can neither write, connect, start programs, take memory or time, nor deceive by its answer.
#define _GNU_SOURCE
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "articula/articula.h"
#include "base/clock.h"
#include "base/sandbox.h"
#include "import/xml.h"
#include "mesh/mesh.h"
#include "support/check.h"
#include "support/folder.h"

#if defined __linux__ && defined ART_HAVE_EXPAT

static artError failure;


static artStatus import_path(const char *path, artImport **import)
{
  const artImportDef def = art_default_import();
  failure = (artError){0};
  return art_import(import, path, &def, &failure);
}


static void use_helper(void);


// what the helper can give up on this machine
static int gives_up(const char *what)
{
  static char state[100];
  const char *const words[] = {"state", NULL};
  sandboxAnswer answer;
  use_helper();
  if (!state[0] && CHECK_WORKS(sandbox_ask(&answer, words, NULL, 0, "state", &failure))) {
    snprintf(state, sizeof state, "%s", sandbox_text(&answer));
    sandbox_forget(&answer);
    printf("rights that the helper gives up here: %s\n", state);
  }
  return strstr(state, what) != NULL;
}


static void use_no_helper(void *unused)
{
  (void) unused;
  sandbox_use(NULL);
  art_set_sandbox(ART_SANDBOX_WHERE_POSSIBLE);
}


static void use_helper(void)
{
  check_free_later(use_no_helper, &failure);
  sandbox_use(ART_TEST_HELPER);
  art_set_sandbox(ART_SANDBOX_REQUIRED);
}


// 444: landlock_create_ruleset, which tells its version
TEST(rights_that_the_kernel_can_take_are_given_up)
{
  CHECK(gives_up("limits"));
  if (syscall(444, NULL, 0, 1) >= 1) CHECK(gives_up("landlock"));
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ &&                               \
    (defined __x86_64__ || defined __aarch64__)
  if (prctl(PR_GET_SECCOMP) >= 0) CHECK(gives_up("seccomp"));
#endif
}


//---- the same answers ----------------------------------------------------------------------------

static void check_same(const char *path)
{
  artImport *one = NULL, *two = NULL;
  artError first;
  art_set_sandbox(ART_SANDBOX_OFF);
  const artStatus here = import_path(path, &one);
  first = failure;
  use_helper();
  CHECK(import_path(path, &two) == here);
  CHECK_TEXT(failure.text, first.text);
  CHECK(!one == !two);
  if (one && two) {
    CHECK_TEXT(art_import_text(two), art_import_text(one));
    CHECK_TEXT(art_import_format(two), art_import_format(one));
    const char *note;
    for (int i = 0; (note = art_import_note(one, i, NULL, NULL)); i++) {
      artPlace a, b;
      int m, n;
      art_import_note(one, i, &a, &m);
      CHECK_TEXT(art_import_note(two, i, &b, &n), note);
      CHECK(a.line == b.line && a.column == b.column && m == n);
    }
    CHECK(!art_import_note(two, 0, NULL, NULL) == !art_import_note(one, 0, NULL, NULL));
  }
  art_free_import(one);
  art_free_import(two);
}


TEST(imports_by_the_helper_are_those_of_this_process)
{
  glob_t all;
  const int n = glob(ART_SOURCE_DIR "/test/peers/*.sdf", 0, NULL, &all) +
                glob(ART_SOURCE_DIR "/test/peers/*.xml", GLOB_APPEND, NULL, &all) +
                glob(ART_SOURCE_DIR "/test/data/adams/*Case0*.adm", GLOB_APPEND, NULL, &all);
  CHECK(n >= 0 && all.gl_pathc > 4);
  for (size_t i = 0; i < all.gl_pathc && i < 20; i++) check_same(all.gl_pathv[i]);
  globfree(&all);
  check_same("/nonexistent/robot.urdf");
  folder_write(folder_path("wrong.urdf"), "<robot><link");
  check_same(folder_path("wrong.urdf"));
}


// paths of meshes from the folder of the text that is written
TEST(paths_are_resolved_in_the_sandbox)
{
  artImportDef def = art_default_import();
  char folder[1000];
  snprintf(folder, sizeof folder, "%s/", folder_path("elsewhere"));
  mkdir(folder, 0700);
  def.folder = folder;
  folder_write(folder_path("one.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  folder_write(folder_path("mesh.urdf"),
               "<robot name='r'><link name='a'><visual><geometry><mesh filename='one.obj'/>"
               "</geometry></visual></link></robot>");
  use_helper();
  artImport *import = NULL;
  CHECK_WORKS(art_import(&import, folder_path("mesh.urdf"), &def, &check_error));
  check_stop_if_failed();
  CHECK_CONTAINS(art_import_text(import), "file: \"../one.obj\"");
  art_free_import(import);
}


TEST(included_files_of_the_folder_can_be_read)
{
  use_helper();
  folder_write(folder_path("part.xml"),
               "<mujoco><body name='b'><freejoint/><geom size='1'/></body></mujoco>");
  folder_write(folder_path("whole.xml"),
               "<mujoco><worldbody><include file='part.xml'/></worldbody></mujoco>");
  check_same(folder_path("whole.xml"));
  artModel *model = NULL;
  CHECK_WORKS(art_load_model(&model, folder_path("whole.xml"), &check_error));
  art_free_model(model);
}


TEST(trees_of_xml_come_back_whole)
{
  static const char text[] = "<a b='1' c='&lt;'>\n  text \n<d/><d e='3'><f>g</f></d></a>";
  baseArena arena = {0};
  xmlNode *root = NULL;
  use_helper();
  CHECK_WORKS(xml_read_apart(&arena, "xml", "a.xml", text, sizeof text - 1, &root, &check_error));
  check_stop_if_failed();
  CHECK_TEXT(root->name, "a");
  CHECK_TEXT(xml_get(root, "c"), "<");
  xmlNode *d = xml_child(root, "d"), *second = xml_next(d);
  CHECK(d->place.line == 3 && !d->first && second && !xml_next(second));
  CHECK_TEXT(xml_get(second, "e"), "3");
  CHECK_TEXT(xml_child(second, "f")->text, "g");
  CHECK(second->parent == root && root->last == second);
  failure = (artError){0};
  CHECK(xml_read_apart(&arena, "xml", "a.xml", "<a>", 3, &root, &failure) == ART_BAD_INPUT);
  CHECK_CONTAINS(failure.text, "a.xml:1:4: this is not XML");
  arena_free(&arena);
}


#ifdef ART_ASSIMP_LIBRARY

static artStatus add_corner(void *context, const double at[3])
{
  double *sum = context;
  for (int i = 0; i < 3; i++) sum[i] += at[i];
  return ART_OK;
}


TEST(meshes_of_assimp_come_back_with_all_corners)
{
  static const char text[] =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
      "end_header\n1 2 3\n4 5 6\n7 8 10\n3 0 1 2\n";
  double sum[3] = {0};
  const char *why = NULL;
  use_helper();
  const artStatus status =
      scene_read_mesh(text, sizeof text - 1, "mesh.ply", add_corner, sum, &why);
  if (status == ART_UNSUPPORTED) return; // the library is not installed
  CHECK(status == ART_OK);
  CHECK(sum[0] == 12 && sum[1] == 15 && sum[2] == 19);
  CHECK(scene_read_mesh("nothing", 7, "mesh.ply", add_corner, sum, &why) == ART_BAD_INPUT);
  CHECK_TEXT(why, "assimp cannot read it");
}

#endif


//---- attacks -------------------------------------------------------------------------------------

static const char *attack_file(const char *kind)
{
  static char name[100];
  snprintf(name, sizeof name, "attack-%s.urdf", kind);
  const char *path = folder_path(name);
  folder_write(path, "<robot/>");
  use_helper();
  return path;
}


static void check_attack(const char *kind, const char *message)
{
  artImport *import = NULL;
  const artStatus status = import_path(attack_file(kind), &import);
  CHECK(status != ART_OK && !import);
  CHECK_CONTAINS(failure.text, message);
}


TEST(a_file_cannot_write_anywhere)
{
  struct stat about;
  if (!gives_up("seccomp") && !gives_up("landlock")) return;
  check_attack("write", "succeeded:.");
  CHECK(stat(folder_path("attack-write.urdf"), &about) == 0 && about.st_size == 8);
  CHECK(lstat(folder_path("attack-write.urdf.new"), &about) != 0);
}


TEST(a_file_cannot_read_outside_of_its_folder)
{
  if (gives_up("landlock")) check_attack("read", "succeeded:.");
}


TEST(a_file_cannot_connect)
{
  if (gives_up("seccomp")) check_attack("network", "succeeded:.");
}


TEST(a_file_cannot_start_or_touch_processes)
{
  if (gives_up("seccomp")) check_attack("process", "succeeded:.");
}


TEST(a_file_cannot_take_all_memory)
{
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  setenv("ARTICULA_LIMITS", "memory=5e8", 1);
  check_attack("memory", "succeeded:.");
  unsetenv("ARTICULA_LIMITS");
#endif
}


TEST(a_file_cannot_take_all_time)
{
  const double begin = base_now();
  setenv("ARTICULA_LIMITS", "seconds=1", 1);
  check_attack("spin",
               "reading takes more than 1 s of CPU time; if you trust the file, allow more by "
               "the variable ARTICULA_LIMITS='seconds=10'");
  CHECK(base_now() - begin < 60);
  if (getenv("ART_SOAK")) check_attack("wait", "reading takes more than 1 s");
  unsetenv("ARTICULA_LIMITS");
}


TEST(a_file_that_breaks_the_helper_breaks_nothing_else)
{
  check_attack("crash", "the file broke the process that reads it (signal 11), and nothing else");
  check_attack("exit", "ended without an answer (exit status 0)");
}


// closed output and no end: nobody waits for it
TEST(a_file_cannot_keep_the_helper_alive)
{
  const double begin = base_now();
  check_attack("stay", "ended without an answer (exit status 0)");
  CHECK(base_now() - begin < 60);
}


TEST(an_answer_without_end_is_cut_off)
{
  setenv("ARTICULA_LIMITS", "bytes=1e6", 1);
  check_attack("flood", "attack-flood.urdf");
  unsetenv("ARTICULA_LIMITS");
}


TEST(an_answer_is_not_trusted)
{
  static const char *const kinds[] = {"lie-short", "lie-status", "lie-zero", "lie-notes",
                                      "lie-more"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    check_attack(kinds[i], "gave an answer that makes no sense");
  check_attack("lie-terminal", "red");
  CHECK(!strchr(failure.text, '\033') && !strchr(failure.text, '\007'));
  baseArena arena = {0};
  xmlNode *root = NULL;
  CHECK(xml_read_apart(&arena, "xml", "attack-lie-tree", "<a/>", 4, &root, &failure) ==
        ART_BAD_INPUT);
  CHECK_CONTAINS(failure.text, "gave an answer that makes no sense");
  arena_free(&arena);
}


//---- hosts ---------------------------------------------------------------------------------------

TEST(a_missing_helper_is_told)
{
  artImport *import = NULL;
  const char *path = attack_file("none");
  sandbox_use("/nonexistent/articula-parse");
  CHECK(import_path(path, &import) == ART_IO);
  CHECK_CONTAINS(failure.text, "/nonexistent/articula-parse: cannot start the reader");
  sandbox_use(NULL); // not beside this program, and perhaps installed nowhere
  const artStatus status = import_path(path, &import);
  if (status == ART_UNSUPPORTED) {
    CHECK_CONTAINS(failure.text, "install it, or read the file in this process by --no-sandbox");
    art_set_sandbox(ART_SANDBOX_WHERE_POSSIBLE);
    CHECK(import_path(path, &import) == ART_BAD_INPUT); // read here
    CHECK_CONTAINS(failure.text, "attack-none.urdf:1:1:");
  }
  use_helper();
}


static void *import_often(void *path)
{
  artError error = {0};
  const artImportDef def = art_default_import();
  for (int i = 0; i < 10 && !error.status; i++) {
    artImport *import = NULL;
    art_import(&import, path, &def, &error);
    art_free_import(import);
  }
  return error.status ? path : NULL;
}


TEST(threads_of_a_host_import_side_by_side)
{
  static char path[1000];
  pthread_t thread[8];
  folder_write(folder_path("small.xml"),
               "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  snprintf(path, sizeof path, "%s", folder_path("small.xml"));
  use_helper();
  for (int i = 0; i < 8; i++) pthread_create(&thread[i], NULL, import_often, path);
  for (int i = 0; i < 8; i++) {
    void *failed;
    pthread_join(thread[i], &failed);
    CHECK(!failed);
  }
}


// 20 ms a call at most, on a machine that has nothing else to do; the least of several tells
TEST(a_call_of_the_helper_is_quick)
{
  const char *path = folder_path("quick.xml");
  folder_write(path,
               "<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  double least = 1;
  for (int i = 0; i < 40; i++) {
    artImport *import = NULL;
    use_helper();
    const double begin = base_now();
    CHECK_WORKS(import_path(path, &import));
    const double with = base_now() - begin;
    art_free_import(import);
    art_set_sandbox(ART_SANDBOX_OFF);
    const double again = base_now();
    CHECK_WORKS(import_path(path, &import));
    const double without = base_now() - again;
    art_free_import(import);
    least = fmin(least, with - without);
  }
  printf("a call of the helper costs %.2f ms more than reading here\n", 1e3 * least);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  CHECK(least < 0.02);
#endif
  use_helper();
}

#endif
