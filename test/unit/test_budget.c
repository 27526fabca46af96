// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The budget of a call: small or sparse files cannot make a call ask for any amount of memory, stack or time.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "articula/articula.h"
#include "base/budget.h"
#include "base/file.h"
#include "base/memory.h"
#include "import/xml.h"
#include "support/check.h"
#include "support/folder.h"

static artError failure;


static double cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}


static artStatus charge(budgetLimit limit, double amount)
{
  failure = (artError){0};
  return budget_charge(limit, amount, (artPlace){.file = "some.yaml", .line = 7, .column = 3},
                       &failure);
}


TEST(calls_within_a_call_share_its_budget)
{
  setenv("ARTICULA_LIMITS", "items=100, bytes=1e3", 1);
  CHECK(charge(BUDGET_ITEMS, 100) == ART_OK && charge(BUDGET_ITEMS, 100) == ART_OK);
  CHECK(charge(BUDGET_ITEMS, 101) == ART_BAD_INPUT);
  budget_begin();
  CHECK(charge(BUDGET_ITEMS, 60) == ART_OK);
  budget_begin();
  CHECK(charge(BUDGET_ITEMS, 40) == ART_OK && charge(BUDGET_BYTES, 1000) == ART_OK);
  budget_end();
  CHECK(charge(BUDGET_ITEMS, 1) == ART_BAD_INPUT);
  CHECK_CONTAINS(failure.text, "some.yaml:7:3: one call may read 100 elements, attributes and "
                               "values in all, and here it would be 101 or more");
  CHECK_CONTAINS(failure.text, "ARTICULA_LIMITS='items=2e+02'");
  CHECK(charge(BUDGET_BYTES, 1) == ART_BAD_INPUT);
  budget_end();
  CHECK(charge(BUDGET_ITEMS, 100) == ART_OK); // the next call
  unsetenv("ARTICULA_LIMITS");
}


TEST(limits_that_cannot_be_read_are_refused)
{
  const char *const wrong[] = {"items",  "items=",   "items=-1", "items=nan",      "Items=3",
                               "rows=3", "items=3x", "items=0",  "items=3;bytes=4"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    setenv("ARTICULA_LIMITS", wrong[i], 1);
    CHECK(charge(BUDGET_ITEMS, 1) == ART_BAD_INPUT);
    CHECK_CONTAINS(failure.text, wrong[i]);
    CHECK_CONTAINS(failure.text, "expected for example 'bytes=4e9, items=1e7");
  }
  setenv("ARTICULA_LIMITS", " items=7,,seconds=1e2 memory=5e8,", 1);
  CHECK(charge(BUDGET_ITEMS, 7) == ART_OK && charge(BUDGET_ITEMS, 8) == ART_BAD_INPUT);
  CHECK(budget_limit(BUDGET_MEMORY) == 5e8);
  unsetenv("ARTICULA_LIMITS");
}


//---- bytes ---------------------------------------------------------------------------------------

static const char *sparse_file(const char *name)
{
  const char *path = folder_path(name);
  FILE *file = fopen(path, "wb");
  CHECK(file && ftruncate(fileno(file), (off_t) 40 << 30) == 0);
  if (file) fclose(file);
  return path;
}


// 40 GB that take nothing on the disk are refused by their size, and no memory is asked for
TEST(sparse_files_are_refused_before_they_are_read)
{
  char *bytes = NULL;
  size_t size = 0;
  failure = (artError){0};
  CHECK(file_read(sparse_file("any.bin"), &bytes, &size, &failure) == ART_BAD_INPUT && !bytes);
  CHECK_CONTAINS(failure.text, "one call may read 1073741824 bytes of files in all, and here it "
                               "would be 42949672960 or more");
  artTyre *tyre = NULL;
  CHECK(art_load_tyre(&tyre, sparse_file("any.tir"), &failure) == ART_BAD_INPUT && !tyre);
  artModel *model = NULL;
  CHECK(art_load_model(&model, sparse_file("any.yaml"), &failure) == ART_BAD_INPUT && !model);
  const artImportDef def = art_default_import();
  artImport *import = NULL;
  for (int i = 0; i < 2; i++) {
    const char *path = sparse_file(i ? "any.urdf" : "any.adm");
    CHECK(art_import(&import, path, &def, &failure) == ART_BAD_INPUT && !import);
    CHECK_CONTAINS(failure.text, "the file has 42949672960 bytes, and files of its kind are read "
                                 "up to 64 MiB");
  }
}


//---- items ---------------------------------------------------------------------------------------

// Each include makes all parameters of the file once more: 430,000 lines of text would take 1.4 GB from 40 kB of files.
TEST(files_that_are_included_again_and_again_are_charged_each_time)
{
  FILE *part = fopen(folder_path("part.yaml"), "w"), *top = fopen(folder_path("top.yaml"), "w");
  fputs("articula: 1\nparameters:\n", part);
  for (int i = 0; i < 200; i++) fprintf(part, "  p%d: %d\n", i, i);
  fclose(part);
  fputs("articula: 1\ninclude:\n", top);
  for (int i = 0; i < 2000; i++) fprintf(top, "  - {file: part.yaml, prefix: a%d}\n", i);
  fclose(top);
  artModel *model = NULL;
  CHECK(art_load_model(&model, folder_path("top.yaml"), &failure) == ART_BAD_INPUT);
  CHECK_CONTAINS(failure.text, "one call may read 5000000 elements, attributes and values");
  CHECK_CONTAINS(failure.text, "top.yaml:14"); // after some 1400 of them
}


TEST(attributes_and_elements_of_xml_are_items)
{
  baseArena arena = {0};
  xmlNode *root;
  const char text[] = "<a b='1' c='2'><d/><d e='3'/></a>"; // 3 elements, 3 attributes
  for (int limit = 5; limit < 7; limit++) {
    setenv("ARTICULA_LIMITS", limit == 5 ? "items=5" : "items=6", 1);
    const artStatus status = xml_read(&arena, "a.xml", text, sizeof text - 1, &root, &failure);
    if (status == ART_UNSUPPORTED) break; // a build without libexpat
    CHECK(status == (limit == 5 ? ART_BAD_INPUT : ART_OK));
    if (limit == 5) CHECK_CONTAINS(failure.text, "a.xml:1:20: one call may read 5 elements");
  }
  arena_free(&arena);
  unsetenv("ARTICULA_LIMITS");
}


//---- depth ---------------------------------------------------------------------------------------

#ifdef ART_HAVE_EXPAT

typedef struct importTask {
  const char *path;
  artStatus status;
  artError error;
} importTask;


static void *import_on_thread(void *context)
{
  importTask *t = context;
  const artImportDef def = art_default_import();
  artImport *import = NULL;
  t->status = art_import(&import, t->path, &def, &t->error);
  art_free_import(import);
  return NULL;
}


static importTask import_on_stack(const char *path, size_t bytes)
{
  importTask task = {.path = path};
  pthread_attr_t settings;
  pthread_t thread;
  pthread_attr_init(&settings);
  CHECK(pthread_attr_setstacksize(&settings, bytes) == 0);
  CHECK(pthread_create(&thread, &settings, import_on_thread, &task) == 0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&settings);
  return task;
}


static const char *write_deep(const char *name, int levels, const char *inside, const char *tail)
{
  const char *path = folder_path(name);
  FILE *file = fopen(path, "w");
  fputs("<mujoco><worldbody>", file);
  for (int i = 0; i < levels; i++)
    fprintf(file, "<body name='%.1sb%d'><joint name='%.1sj%d'/><geom size='1'/>", name, i, name, i);
  fputs(inside, file);
  for (int i = 0; i < levels; i++) fputs("</body>", file);
  fprintf(file, "</worldbody>%s</mujoco>", tail);
  fclose(file);
  return path;
}


// sanitizers make every frame several times as large
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { STACK = 4 << 20 };
#else
enum { STACK = 512 << 10 };
#endif


TEST(the_deepest_file_fits_on_a_small_stack)
{
  importTask t = import_on_stack(write_deep("deep.xml", 253, "", ""), STACK);
  CHECK(t.status == ART_OK);
  CHECK_TEXT(t.error.text, "");
  t = import_on_stack(write_deep("deeper.xml", 255, "", ""), STACK);
  CHECK_CONTAINS(t.error.text, "elements are nested deeper than 256 levels");
}


// each of the files is within the limit, together they are not
TEST(levels_of_files_within_each_other_add_up)
{
  write_deep("inner.xml", 200, "", "");
  importTask t = import_on_stack(write_deep("attached.xml", 100, "<attach model='m' prefix='x'/>",
                                            "<asset><model name='m' file='inner.xml'/></asset>"),
                                 STACK);
  CHECK_CONTAINS(t.error.text, "inner.xml:1:");
  CHECK_CONTAINS(t.error.text, "nested deeper than 256 levels, with those of other files");
  t = import_on_stack(write_deep("including.xml", 100, "<include file='inner.xml'/>", ""), STACK);
  CHECK_CONTAINS(t.error.text, "nested deeper than 256 levels, with those of other files");
}


//---- time ----------------------------------------------------------------------------------------

typedef void writeMany(FILE *file, int n);


static void write_classes(FILE *file, int n)
{
  fputs("<mujoco><default>", file);
  for (int i = 0; i < n; i++)
    fprintf(file, "<default class='c%d'><geom size='%d'/></default>", i, i + 1);
  fputs("</default><worldbody>", file);
  for (int i = 0; i < n; i++) fprintf(file, "<body><freejoint/><geom class='c%d'/></body>", i);
  fputs("</worldbody></mujoco>", file);
}


// names that are cut to the same one
static void write_long_names(FILE *file, int n)
{
  fputs("<mujoco><worldbody>", file);
  for (int i = 0; i < n; i++)
    fprintf(file, "<body name='%0200d%d'><freejoint/><geom size='1'/></body>", 1, i);
  fputs("</worldbody></mujoco>", file);
}


static void write_geoms(FILE *file, int n)
{
  fputs("<mujoco><worldbody><body><freejoint/>", file);
  for (int i = 0; i < 4 * n; i++) fputs("<geom size='1'/>", file);
  fputs("</body></worldbody></mujoco>", file);
}


static void write_tendon(FILE *file, int n)
{
  fputs("<mujoco><worldbody>", file);
  for (int i = 0; i < n; i++) fprintf(file, "<body><joint name='j%d'/><geom size='1'/></body>", i);
  fputs("</worldbody><tendon><fixed stiffness='1'>", file);
  for (int i = 0; i < n; i++) fprintf(file, "<joint joint='j%d' coef='1'/>", i);
  fputs("</fixed></tendon></mujoco>", file);
}


static void write_sdf_joints(FILE *file, int n)
{
  fputs("<sdf version='1.9'><model name='m'><link name='l'/>", file);
  for (int i = 0; i < n; i++)
    fprintf(file,
            "<link name='l%d'/><joint name='j%d' type='revolute'><parent>l</parent>"
            "<child>l%d</child><axis><xyz>0 0 1</xyz></axis></joint><frame name='f%d'/>",
            i, i, i, i);
  fputs("</model></sdf>", file);
}


static void write_markers(FILE *file, int n)
{
  fputs("ADAMS/View\nPART/1, GROUND\n", file);
  for (int i = 2; i < 2 * n; i++)
    fprintf(file, "PART/%d, MASS=1, CM=%d, IP=1,1,1\nMARKER/%d, PART=%d\nMARKER/%d, PART=1\n", i, i,
            i, i, 1000000 + i);
  fputs("END\n", file);
}


static void write_comments(FILE *file, int n)
{
  fputs("<mujoco>", file);
  for (int i = 0; i < 40 * n; i++) fputs("<!---->", file);
  fputs("<worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>", file);
}


static double import_seconds(writeMany *write, const char *name, int n)
{
  const char *path = folder_path(name);
  FILE *file = fopen(path, "w");
  write(file, n);
  fclose(file);
  const artImportDef def = art_default_import();
  artImport *import = NULL;
  const double begin = cpu_seconds();
  CHECK_WORKS(art_import(&import, path, &def, &check_error));
  const double taken = cpu_seconds() - begin;
  art_free_import(import);
  return taken;
}


// A file eight times as long takes about eight times as long; a search through all for each would take 64 times.
static void check_growth(writeMany *write, const char *name)
{
  double ratio = 1e300;
  for (int k = 0; k < 3 && !(ratio < 24); k++)
    ratio = fmin(ratio, import_seconds(write, name, 8000) / import_seconds(write, name, 1000));
  CHECK(ratio < 24);
}


CASE(time_grows_with_classes, check_growth(write_classes, "classes.xml"))
CASE(time_grows_with_names_of_one_spelling, check_growth(write_long_names, "names.xml"))
CASE(time_grows_with_geoms_of_a_body, check_growth(write_geoms, "geoms.xml"))
CASE(time_grows_with_joints_of_a_tendon, check_growth(write_tendon, "tendon.xml"))
CASE(time_grows_with_comments, check_growth(write_comments, "comments.xml"))
CASE(time_grows_with_joints_of_sdf, check_growth(write_sdf_joints, "joints.sdf"))
CASE(time_grows_with_markers_of_a_deck, check_growth(write_markers, "markers.adm"))

#endif


// the clock is looked at while items are counted
TEST(a_call_that_reads_for_too_long_is_refused)
{
  setenv("ARTICULA_LIMITS", "seconds=0.05", 1);
  budget_begin();
  artStatus status = ART_OK;
  const double begin = cpu_seconds();
  while (status == ART_OK && cpu_seconds() - begin < 10) status = charge(BUDGET_ITEMS, 1);
  budget_end();
  CHECK(status == ART_BAD_INPUT);
  CHECK_CONTAINS(failure.text, "seconds of CPU time for reading in all");
  unsetenv("ARTICULA_LIMITS");
}
