// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The published schema and the documentation say what the reader's tables say, and the schema agrees
// with the reader on the examples. With ART_UPDATE set in the environment the two files are
// rewritten from the tables first.

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "base/yaml.h"
#include "model/define/study_def.h"
#include "support/check.h"
#include "support/schema.h"

#define SCHEMA ART_SOURCE_DIR "/doc/reference/articula-model.schema.json"
#define PAGES  ART_SOURCE_DIR "/doc/reference/%s"


static char *load(const char *path)
{
  char *text = NULL;
  size_t length = 0;
  CHECK_EQ_INT(yaml_load_text(path, &text, &length, NULL), ART_OK);
  return text;
}


static void save(const char *path, const char *text)
{
  FILE *file = fopen(path, "w");
  if (!CHECK(file)) return;
  fputs(text, file);
  fclose(file);
}


//---- the schema ----------------------------------------------------------------------------------

TEST(the_published_schema_is_made_from_the_tables)
{
  char *made = schema_create_text();
  if (!CHECK(made)) return;
  if (getenv("ART_UPDATE")) save(SCHEMA, made);
  char *published = load(SCHEMA);
  if (CHECK(published)) CHECK(strcmp(made, published) == 0);
  mem_free(published);
  free(made);
}


TEST(schema_and_reader_agree_on_the_examples)
{
  const int result =
      system("cd '" ART_SOURCE_DIR "' && PATH=/usr/bin:$PATH python3 test/unit/check_schema.py "
             "doc/reference/articula-model.schema.json doc/reference/model/*.md "
             "doc/reference/elements/*.md test/models/good/* $(ls "
             "models/*.yaml 2>/dev/null) "
             "-- test/models/bad/* >&2");
  if (!CHECK(WIFEXITED(result))) return;
  if (WEXITSTATUS(result) == 77) return; // python3-jsonschema or python3-yaml is not installed
  CHECK_EQ_INT(WEXITSTATUS(result), 0);
}


TEST(types_are_in_the_order_of_the_public_enumerations)
{
  for (int i = 0; i < ART_JOINT_TYPES; i++) {
    CHECK_TEXT(reader_forms_joint[i]->type, art_joint_type_name((artJointType) i));
  }
  CHECK(reader_forms_joint[ART_JOINT_TYPES] == NULL);
  for (int i = 0; i < ART_STUDY_TYPES; i++) {
    CHECK_TEXT(model_forms_study[i]->type, art_study_type_name((artStudyType) i));
  }
  CHECK(model_forms_study[ART_STUDY_TYPES] == NULL);
}


TEST(rivals_name_each_other)
{
  for (int i = 0; reader_forms_force[i]; i++) {
    for (const fieldKey *key = reader_forms_force[i]->keys; key->name; key++) {
      int found = !key->rival;
      for (const fieldKey *other = reader_forms_force[i]->keys; other->name && !found; other++) {
        found = strcmp(other->name, key->rival) == 0 && strcmp(other->rival, key->name) == 0;
      }
      CHECK(found);
    }
  }
}


//---- the documentation ---------------------------------------------------------------------------

// Sections that share a page with others; the page of any other one has its name.
static const struct {
  const char *section, *page;
} section_pages[] = {{"articula", "README.md"},   {"title", "README.md"},
                     {"gravity", "README.md"},    {"names", "include.md"},
                     {"ground", "bodies.md"},     {"states", "inputs.md#states"},
                     {"guess", "initial.md"},     {"assembly", "initial.md#assembly"},
                     {"live", "outputs.md#live"}, {"study", "studies.md"}};
enum { SECTION_PAGES = sizeof section_pages / sizeof *section_pages };


static char *section_table(void)
{
  char *text = mem_alloc(8192, 1), *end = text;
  if (!text) return NULL;
  end += sprintf(end, "| section | meaning |\n|---|---|\n");
  for (const readerSection *s = reader_sections; s->key; s++) {
    const char *page = NULL;
    for (int i = 0; i < SECTION_PAGES; i++) {
      if (strcmp(section_pages[i].section, s->key) == 0) page = section_pages[i].page;
    }
    if (page)
      end += sprintf(end, "| [`%s`](%s) | %s |\n", s->key, page, s->help);
    else
      end += sprintf(end, "| [`%s`](%s.md) | %s |\n", s->key, s->key, s->help);
  }
  return text;
}


// the table that belongs below a mark: "<!-- keys: joint revolute -->", "<!-- shared: joint -->", "<!-- family: sensor -->"
// or "<!-- sections -->"
static char *table_for(const char *mark, const fieldForm **form)
{
  char words[64] = "";
  if (strncmp(mark, "<!-- sections", 13) == 0) return section_table();
  if (sscanf(mark, "<!-- shared: %63[a-z]", words) == 1) return schema_create_shared(words);
  if (sscanf(mark, "<!-- family: %63[a-z]", words) == 1) return schema_create_family(words);
  if (sscanf(mark, "<!-- keys: %63[a-z0-9 -]-->", words) != 1) return NULL;
  size_t n = strlen(words);
  while (n && (words[n - 1] == '-' || words[n - 1] == ' ')) words[--n] = '\0';
  *form = schema_find_form(words, NULL);
  char *space = strrchr(words, ' ');
  if (!*form && space) {
    *space = '\0';
    *form = schema_find_form(words, space + 1);
  }
  return *form ? schema_create_keys(*form) : NULL;
}


// the next table that is made from the reader's; other comments of a page are not ours
static const char *next_mark(const char *text)
{
  static const char *const marks[] = {
      "<!-- keys: ", "<!-- shared: ", "<!-- family: ", "<!-- sections"};
  const char *first = NULL;
  for (int i = 0; i < 4; i++) {
    const char *mark = strstr(text, marks[i]);
    if (mark && (!first || mark < first)) first = mark;
  }
  return first;
}


// a page with every table replaced by what the tables of the reader say
static char *renewed(const char *text, int *count)
{
  char *out = mem_alloc(4 * strlen(text) + 65536, 1), *end = out;
  if (!out) return NULL;
  for (const char *mark; (mark = next_mark(text));) {
    const char *line_end = strchr(mark, '\n'), *stop = strstr(mark, "<!-- end -->");
    const fieldForm *form = NULL;
    char *table = line_end && stop ? table_for(mark, &form) : NULL;
    if (!CHECK(table)) break;
    end += sprintf(end, "%.*s%s", (int) (line_end + 1 - text), text, table);
    end += sprintf(end, "<!-- end -->");
    text = stop + strlen("<!-- end -->");
    free(table);
    ++*count;
  }
  sprintf(end, "%s", text);
  return out;
}


// all pages of the model file and its elements; free with globfree
static glob_t find_pages(void)
{
  glob_t pages = {0};
  char pattern[512];
  snprintf(pattern, sizeof pattern, PAGES, "model/*.md");
  CHECK_EQ_INT(glob(pattern, 0, NULL, &pages), 0);
  snprintf(pattern, sizeof pattern, PAGES, "elements/*.md");
  CHECK_EQ_INT(glob(pattern, GLOB_APPEND, NULL, &pages), 0);
  return pages;
}


TEST(the_documentation_lists_every_key)
{
  int count = 0,
      forms = 15 + 5 + 4; // plain forms, families that share keys, and families in one table
  glob_t pages = find_pages();
  for (size_t i = 0; i < pages.gl_pathc; i++) {
    char *text = load(pages.gl_pathv[i]);
    if (!CHECK(text)) break;
    char *fresh = renewed(text, &count);
    if (getenv("ART_UPDATE") && fresh) save(pages.gl_pathv[i], fresh);
    if (!getenv("ART_UPDATE") && !CHECK(fresh && strcmp(text, fresh) == 0)) {
      fprintf(stderr, "%s\n", pages.gl_pathv[i]);
    }
    mem_free(fresh);
    mem_free(text);
  }
  globfree(&pages);

  // a table for every type of the other families, the plain forms but ground (which is described in words), and the sections
  for (int i = 0; reader_forms_joint[i]; i++) forms++;
  for (int i = 0; reader_forms_coupling[i]; i++) forms++;
  for (int i = 0; reader_forms_latch[i]; i++) forms++;
  for (int i = 0; reader_forms_road[i]; i++) forms++;
  for (int i = 0; reader_forms_tyre[i]; i++) forms++;
  for (int i = 0; reader_forms_force[i]; i++) forms++;
  for (int i = 0; reader_forms_block[i]; i++) forms++;
  for (int i = 0; field_forms_path[i]; i++) forms++;
  for (int i = 0; model_forms_study[i]; i++) forms++;
  CHECK_EQ_INT(count, forms);
}


// `name` is TYPE.md for a force, TYPE-FAMILY.md for others
static void check_page(const fieldForm *form)
{
  const int is_force = strcmp(form->name, "force") == 0;
  char path[512], mark[128];
  snprintf(path, sizeof path, PAGES "%s%s%s.md", "elements/", form->type, is_force ? "" : "-",
           is_force ? "" : form->name);
  snprintf(mark, sizeof mark, "<!-- keys: %s %s -->", form->name, form->type);
  char *text = load(path);
  if (!CHECK(text && strstr(text, mark))) fprintf(stderr, "%s\n", path);
  mem_free(text);
}


TEST(every_element_has_a_page)
{
  const fieldForm *const *const families[] = {reader_forms_joint, reader_forms_coupling,
                                              reader_forms_latch, reader_forms_force,
                                              reader_forms_block};
  for (int k = 0; k < 5; k++) {
    for (int i = 0; families[k][i]; i++) check_page(families[k][i]);
  }
}


TEST(complete_examples_of_the_documentation_are_models)
{
  static const char fence[] = "```yaml\narticula: 1\n";
  int count = 0;
  glob_t pages = find_pages();
  for (size_t i = 0; i < pages.gl_pathc; i++) {
    char *text = load(pages.gl_pathv[i]);
    for (char *p = text; p && (p = strstr(p, fence)); count++) {
      p = strchr(p, '\n') + 1;
      char *end = strstr(p, "```");
      if (!CHECK(end)) break;
      artModel *model = NULL;
      if (!CHECK_WORKS(art_read_model(&model, p, (size_t) (end - p), "example", &check_error))) {
        fprintf(stderr, "%s\n", pages.gl_pathv[i]);
      }
      art_free_model(model);
      p = end;
    }
    mem_free(text);
  }
  globfree(&pages);
  CHECK(count >= 54); // one for each element, and two of the whole file
}
