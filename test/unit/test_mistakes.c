// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// All mistakes of a model file in one call: each that is there, and none that only follows from another.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "articula/model.h"
#include "support/check.h"
#include "support/heap.h"

#define MODELS ART_SOURCE_DIR "/test/models/"

static char path[] = "/tmp/articula-test-mistakes-XXXXXX";

typedef struct list {
  int count;
  char text[128][ART_ERROR_LENGTH];
} list;


static void add(void *context, const artError *error)
{
  list *l = context;
  CHECK(error->status != ART_OK);
  if (l->count < 128) snprintf(l->text[l->count], ART_ERROR_LENGTH, "%s", error->text);
  l->count++;
}


static list *list_text(const char *text)
{
  static list found;
  FILE *file = fopen(path, "w");
  found.count = 0;
  if (!CHECK(file)) return &found;
  fputs(text, file);
  fclose(file);
  const int n = art_list_mistakes(path, 0, NULL, add, &found);
  CHECK_EQ_INT(n, found.count);
  return &found;
}


// the messages begin, behind the file's name, with these texts, and there are no others
static void check_all(const char *text, const char *const *want)
{
  const list *found = list_text(text);
  int n = 0;
  for (; want[n]; n++) {
    const char *got = n < found->count ? found->text[n] + strlen(path) + 1 : "nothing";
    if (strncmp(got, want[n], strlen(want[n])) != 0) CHECK_TEXT(got, want[n]);
  }
  for (int k = n; k < found->count; k++) CHECK_TEXT(found->text[k], "no more");
}


TEST(mistakes_of_all_kinds_are_told_together)
{
  check_all("articula: 1\n"
            "parameters: {L: 1 m, m: 2 parsec}\n"
            "bodys:\n"
            "  rod: {mas: = m, com: [= L, 0, 0], inertia: [1, 1, 3]}\n"
            "  arm: {mass: 2 m, inertia: [1, 1, 1], points: {tip: [1, 0]}}\n"
            "joints:\n"
            "  pin: {type: hinge, axis: q, parent: ground, to: rood}\n"
            "  elbow: {type: revolute, axis: y, from: rod, to: arm}\n"
            "forces:\n"
            "  k: {type: joint-spring, coordinate: pin, stiffness: 3 kg, damping-coefficient: 1}\n"
            "  f: {type: joint-force, coordinate: elbow, value: = sin(t) + elbow.angel}\n"
            "  g: {type: force, point: arm.tip, value: [0, 0, 1]}\n"
            "initial: {pin: {angle: 3 m}, elbo: {angle: 1}}\n"
            "outputs: [pin.angle, arm.tip.x, energy.totl]\n"
            "study: {type: run, until: 3 kg, solver: ode45}\n",
            (const char *const[]){"2:27: unknown unit 'parsec'",
                                  "3:1: 'bodys' is not a section",
                                  "4:9: 'mas' is not a key of a body (did you mean 'mass'?)",
                                  "4:46: the inertia of body 'rod'",
                                  "5:17: found a length in m, expected a mass",
                                  "5:54: found a list of 2",
                                  "7:15: 'hinge' is not a type of joint",
                                  "7:28: ",
                                  "7:31: 'parent' is not a key",
                                  "7:51: joint 'pin' names the body 'rood'",
                                  "10:57: found a mass in kg",
                                  "10:61: 'damping-coefficient'",
                                  "11:58: unknown name 't'",
                                  "11:63: revolute joint 'elbow' has no 'angel'",
                                  "13:26: found a length",
                                  "13:30: there is no joint 'elbo'",
                                  "14:33: 'energy.totl' is not known",
                                  "15:29: found a mass",
                                  "15:33: 'solver' is not a key",
                                  "15:41: 'integrator' is 'ode45'",
                                  NULL});
}


// several in one formula have the columns of the file, whatever was put in for the first
TEST(mistakes_of_one_formula_keep_their_places)
{
  check_all("articula: 1\n"
            "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
            "joints: {one: {type: revolute, axis: y, from: world, to: a}}\n"
            "drives: {d: {joint: one, value: = 90 deg*sin(2*pi*t) + 3 rad + tt*90deg}}\n"
            "simulation: {t_end: 3, dt: 1, solver: ode45}\n",
            (const char *const[]){"3:47: joint 'one' names the body 'world'", "4:14: 'joint'",
                                  "4:38: found 'deg' after a number", "4:51: unknown name 't'",
                                  "4:58: found 'rad' after", "4:64: unknown name 'tt'",
                                  "4:69: found 'deg'", "5:1: 'simulation'", "5:1: a study needs",
                                  "5:14: 't_end'", "5:24: 'dt'", "5:31: 'solver'",
                                  "5:39: 'integrator' is 'ode45'", NULL});
}


// the rest of the file is read all the same, by the first of two values
TEST(keys_that_stand_twice_hide_nothing)
{
  check_all("articula: 1\n"
            "bodies:\n"
            "  a: {mass: 1, mass: 2, inertia: [1, 1, 1]}\n"
            "  a: {mass: 1 m}\n"
            "joints:\n"
            "  pin: {type: revolute, axis: [0, 0, 0], from: ground, to: a}\n"
            "forces: {k: {type: joint-spring, coordinate: pin, stiffness: 3 kg}}\n"
            "study: {type: run, until: 3 kg}\n"
            "study: {type: run}\n",
            (const char *const[]){"3:16: 'mass' is given twice; the first is in line 3",
                                  "4:3: 'a' is given twice; the first is in line 3",
                                  "6:31: ", "7:64: found a mass", "8:29: found a mass",
                                  "9:1: 'study' is given twice", NULL});
}


TEST(what_follows_from_a_mistake_is_not_told)
{
  // a joint of no known type: its coordinates, and the bodies behind it
  check_all("articula: 1\n"
            "bodies:\n"
            "  a: {mass: 1, inertia: [1, 1, 1], points: {p: [0, 0, 1]}}\n"
            "  b: {mass: 1, inertia: [1, 1, 1]}\n"
            "joints:\n"
            "  one: {type: wobbly, from: ground, to: a}\n"
            "  two: {type: revolute, axis: y, from: a.p, to: b}\n"
            "forces: {k: {type: joint-spring, coordinate: one, stiffness: 1}}\n"
            "initial: {one: {angle: 1}}\n"
            "outputs: [one.angle, two.angle, k.force, b.x]\n",
            (const char *const[]){"6:15: 'wobbly' is not a type of joint", NULL});
  // a body that cannot be read
  check_all("articula: 1\n"
            "bodies:\n"
            "  a: 17\n"
            "  b: {mass: 1, inertia: [1, 1, 1]}\n"
            "joints:\n"
            "  one: {type: revolute, axis: y, from: ground, to: a}\n"
            "  two: {type: revolute, axis: y, from: a, to: b}\n"
            "outputs: [one.angle, two.angle, a.x, b.nothing]\n",
            (const char *const[]){"3:6: found '17'", "8:38: 'b' has no 'nothing'", NULL});
  // a parameter that many formulas use
  check_all("articula: 1\n"
            "parameters: {L: 1 kgg, M: = L*2}\n"
            "bodies: {a: {mass: = M, com: [= L, 0, 0], inertia: [1, 1, 1]}}\n"
            "joints: {one: {type: revolute, axis: y, from: ground, to: a}}\n"
            "forces: {f: {type: joint-force, coordinate: one, value: = L*time}}\n",
            (const char *const[]){"2:19: unknown unit 'kgg'", NULL});
  // a file that is not there
  check_all(
      "articula: 1\n"
      "include: [{file: nothing.yaml, prefix: left}]\n"
      "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints:\n"
      "  one: {type: revolute, axis: y, from: left/hub, to: a}\n"
      "  two: {type: revolute, axis: y, from: right/hub, to: a}\n"
      "outputs: [left/hub.x]\n",
      (const char *const[]){"2:18: cannot include", "6:40: joint 'two' names the body", NULL});
  // syntax: nothing behind it is looked for
  check_all("articula: 1\nbodies: {a: {mas: 1}\njoints: 3\n", (const char *const[]){"", NULL});
}


TEST(good_files_have_none)
{
  static list found;
  CHECK_EQ_INT(art_list_mistakes(MODELS "good/all-joints.yaml", 0, NULL, add, &found), 0);
}


// each of these files has one mistake, apart from bodies without joints
TEST(single_mistakes_stay_single)
{
  DIR *dir = opendir(MODELS "bad/");
  if (!CHECK(dir)) return;
  for (struct dirent *entry; (entry = readdir(dir));) {
    static list found;
    char file[1024];
    artModel *model = NULL;
    artError error = {0};
    if (entry->d_name[0] == '.') continue;
    snprintf(file, sizeof file, "%s%s", MODELS "bad/", entry->d_name);
    art_load_model(&model, file, &error);
    found.count = 0;
    art_list_mistakes(file, 0, NULL, add, &found);
    CHECK(found.count > 0);
    for (int k = 0; k < found.count; k++) {
      if (!strstr(found.text[k], "hangs on nothing")) CHECK_TEXT(found.text[k], error.text);
    }
  }
  closedir(dir);
}


// words of good files, exchanged and spoilt at random
TEST(any_file_has_mistakes_where_it_is_refused)
{
  static const char *const models[] = {"good/all-joints.yaml", "good/studies.yaml",
                                       "good/visual.yaml"};
  static char text[20000], spoilt[20000];
  uint64_t seed = 7;
  int refused = 0;
  for (int trial = 0; trial < 300; trial++) {
    char file[1024];
    snprintf(file, sizeof file, "%s%s", MODELS, models[trial % 3]);
    FILE *in = fopen(file, "r");
    if (!CHECK(in)) return;
    const size_t n = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    memcpy(spoilt, text, n);
    spoilt[n] = '\0';
    for (int k = 0; k < 3; k++) {
      const size_t at = (size_t) check_uniform(&seed, 0, (double) n);
      const size_t from = (size_t) check_uniform(&seed, 0, (double) n);
      const size_t length = strcspn(text + from, " \n,:{}[]");
      if (at + length < n && strchr("abcdefgilmnopqrstuxyz.0123", spoilt[at])) {
        memcpy(spoilt + at, text + from, length);
      }
    }
    const list *found = list_text(spoilt);
    artModel *model = NULL;
    artError error = {0};
    const artStatus status = art_load_model(&model, path, &error);
    CHECK_EQ_INT(status == ART_OK, found->count == 0);
    int is_among = status == ART_OK;
    for (int i = 0; i < found->count; i++) is_among |= strcmp(found->text[i], error.text) == 0;
    CHECK(is_among);
    refused += status != ART_OK;
    art_free_model(model);
  }
  CHECK(refused > 100);
}


TEST(there_is_an_end_to_the_list)
{
  char text[8000] = "articula: 1\nbodies:\n";
  for (int i = 0; i < 150; i++) {
    const size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "  b%d: {nonsense: 1}\n", i);
  }
  CHECK_EQ_INT(list_text(text)->count, 100);
}


TEST(memory_may_run_out_at_any_time)
{
  static list found;
  list_text(
      "articula: 1\nparameters: {L: 1 kgg}\nbodies: {a: {mas: 1, b: 3}}\njoints: {j: {type: x}}\n"
      "outputs: [a.q]\n");
  heap_watch();
  art_list_mistakes(path, 0, NULL, add, &found);
  const long most = heap_taken();
  for (long k = 1; k <= most; k += 1 + most / 500) {
    found.count = 0;
    heap_run_dry_after(k);
    art_list_mistakes(path, 0, NULL, add, &found);
    CHECK_EQ_INT(heap_live(), 0);
  }
  heap_unwatch();
}


int main(int argc, char **argv)
{
  const int file = mkstemp(path);
  if (file < 0) return 1;
  close(file);
  const int status = check_main(argc, argv);
  unlink(path);
  return status;
}
