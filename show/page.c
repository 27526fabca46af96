// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The viewer page, and pages that contain results: scenes, deflated and in base64.
#include "show/page.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/format.h"
#include "base/markup.h"
#include "base/memory.h"
#include "base/platform.h"
#include "show/deflate.h"
#include "show/scene_read.h"

#ifndef ART_VIEWER_PAGE
#define ART_VIEWER_PAGE ""
#endif
#ifndef ART_VIEWER_INSTALLED
#define ART_VIEWER_INSTALLED ""
#endif

#ifndef ART_PLAY_PAGE
#define ART_PLAY_PAGE ""
#endif
#ifndef ART_PLAY_INSTALLED
#define ART_PLAY_INSTALLED ""
#endif


//---- places --------------------------------------------------------------------------------------

static bool is_directory(const char *path)
{
  struct stat about;
  return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}


void page_result_name(const char *result, char name[PAGE_NAME_LENGTH])
{
  char path[FILE_PATH_LENGTH];
  snprintf(path, sizeof path, "%s", result);
  const char *folder = is_directory(result) ? path : dirname(path);
  char whole[FILE_PATH_LENGTH];
  if (strcmp(folder, ".") == 0 && getcwd(whole, sizeof whole)) folder = whole;
  snprintf(name, PAGE_NAME_LENGTH, "%.*s", PAGE_NAME_LENGTH - 1, basename((char *) folder));
}


artStatus page_beside(const char *result, const char *name, char path[FILE_PATH_LENGTH],
                      artError *error)
{
  char folder[FILE_PATH_LENGTH];
  snprintf(folder, sizeof folder, "%s", result);
  return file_join(path, is_directory(result) ? folder : dirname(folder), name, error);
}


//---- the viewer ----------------------------------------------------------------------------------

// share/articula next to the folder of the program
static void find_beside_program(const char *name, char path[FILE_PATH_LENGTH])
{
  char tail[64];
  snprintf(tail, sizeof tail, "/../share/articula/%s", name);
  char *slash = platform_own_path(path, FILE_PATH_LENGTH) ? strrchr(path, '/') : NULL;
  const int fits = slash && (size_t) (slash - path) + strlen(tail) < FILE_PATH_LENGTH;
  if (fits) memcpy(slash, tail, strlen(tail) + 1);
  if (!fits) path[0] = 0;
}


// possible places of a page: named by the user, installed with this program, built, installed; the
// mark at which data is inserted
typedef struct pagePlaces {
  const char *variable, *built, *installed, *name, *mark, *lack, *remedy;
} pagePlaces;

static const pagePlaces viewer_places = {
    "ARTICULA_VIEWER",
    ART_VIEWER_PAGE,
    ART_VIEWER_INSTALLED,
    "viewer.html",
    "<!--articula-scenes-->",
    "viewer has no place for scenes",
    "the page of the viewer is not there; it is built with Node.js and npm: "
    "'make viewer' or 'make install', or let ARTICULA_VIEWER name the file"};
static const pagePlaces play_places = {
    "ARTICULA_PLAYGROUND",
    ART_PLAY_PAGE,
    ART_PLAY_INSTALLED,
    "play.html",
    "<!--articula-model-->",
    "playground has no place for a model",
    "the page of the playground is not there; 'make site' builds it, or let ARTICULA_PLAYGROUND "
    "name the file"};


static artStatus load_page(const pagePlaces *from, char **page, size_t *size, artError *error)
{
  char beside[FILE_PATH_LENGTH];
  find_beside_program(from->name, beside);
  const char *const places[] = {getenv(from->variable), beside, from->built, from->installed};
  for (int i = 0; i < 4; i++) {
    if (!places[i] || !places[i][0] || access(places[i], R_OK) != 0) continue;
    return file_read(places[i], page, size, error);
  }
  return base_fail(error, ART_IO, base_nowhere(), "%s", from->remedy);
}


artStatus page_load(char **page, size_t *size, artError *error)
{
  return load_page(&viewer_places, page, size, error);
}


//---- self-contained pages ------------------------------------------------------------------------

// length of the leading folders of a quoted path, which pages must not reveal:
// "/home/ann/car.yaml:3: ..."
static size_t count_folders(const char *text, size_t n)
{
  size_t last = 0;
  for (size_t i = 0; i < n && text[0] == '/' && !strchr("\":\\ ", text[i]); i++) {
    if (text[i] == '/') last = i + 1;
  }
  return last;
}


// escape JSON for a script element: it must not contain the end of a script or of a comment
static void write_page_json(FILE *stream, const char *text, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    if (i > 0 && text[i - 1] == '"') i += count_folders(text + i, n - i);
    if (text[i] == '<') {
      fputs("\\u003c", stream);
    } else {
      fputc(text[i], stream);
    }
  }
}


// a damaged certificate is omitted
static artStatus write_certificate(FILE *stream, const char *result, artError *error)
{
  char path[FILE_PATH_LENGTH], *text = NULL;
  size_t size = 0;
  artStatus status = page_beside(result, "certificate.json", path, error);
  if (status) return status;
  if (access(path, R_OK) != 0) return ART_OK;
  status = file_read(path, &text, &size, error);
  if (status) return status;
  const jsonNode *root;
  baseArena arena = {0};
  const bool is_json = json_read(&root, text, size, "", &arena, NULL) == ART_OK;
  arena_free(&arena);
  if (is_json) {
    fputs("<script type=\"application/json\" data-articula-certificate>", stream);
    write_page_json(stream, text, size);
    fputs("</script>\n", stream);
  }
  mem_free(text);
  return ART_OK;
}


// deflated bytes in base64, with a name or NULL
static artStatus write_script(FILE *stream, const char *type, const char *name, const char *bytes,
                              size_t size, artError *error)
{
  unsigned char *packed = NULL;
  size_t packed_size = 0;
  const artStatus status = deflate_bytes(bytes, size, &packed, &packed_size, error);
  fprintf(stream, "<script type=\"%s\"%s", type, name ? " data-name=\"" : "");
  if (name) markup_write(stream, name);
  fputs(name ? "\">" : ">", stream);
  if (!status) base64_write(stream, packed, packed_size);
  fputs("</script>\n", stream);
  mem_free(packed);
  return status;
}


static artStatus write_scene(FILE *stream, const char *result, artError *error)
{
  ioSceneReader reader = {0};
  char name[PAGE_NAME_LENGTH], *bytes = NULL;
  size_t size = 0;
  artStatus status = scene_open(&reader, result, error);
  if (!status) status = file_read(reader.path, &bytes, &size, error);
  if (!status) {
    page_result_name(result, name);
    status = write_script(stream, "application/x-articula-scene", name, bytes, size, error);
  }
  if (!status) status = write_certificate(stream, result, error);
  mem_free(bytes);
  scene_shut(&reader);
  return status;
}


// copy a page, and write `inside` at its mark
typedef artStatus writeInside(FILE *stream, const void *what, artError *error);

static artStatus write_around(const pagePlaces *from, FILE *stream, writeInside *inside,
                              const void *what, artError *error)
{
  char *page = NULL;
  size_t size = 0;
  artStatus status = load_page(from, &page, &size, error);
  const char *mark = status ? NULL : strstr(page, from->mark);
  if (!status && !mark) {
    status = base_fail(error, ART_IO, base_nowhere(), "the page of the %s (%s); build it anew",
                       from->lack, from->mark);
  }
  if (!status) {
    fwrite(page, 1, (size_t) (mark - page), stream);
    status = inside(stream, what, error);
    const char *rest = mark + strlen(from->mark);
    fwrite(rest, 1, size - (size_t) (rest - page), stream);
  }
  mem_free(page);
  return status;
}


static artStatus write_page(const char *path, writeInside *inside, const void *what,
                            artError *error)
{
  baseFile file;
  const artStatus status = file_begin(&file, path, error);
  if (status) return status;
  return file_end(&file, write_around(&viewer_places, file.stream, inside, what, error), error);
}


typedef struct resultList {
  int n;
  const char *const *result, *const *joints;
} resultList;


static artStatus write_results(FILE *stream, const void *list, artError *error)
{
  const resultList *all = list;
  artStatus status = ART_OK;
  for (int i = 0; i < all->n && !status; i++) {
    const char *joints = all->joints[i];
    status = write_scene(stream, all->result[i], error);
    if (!joints) continue;
    fputs("<script type=\"application/json\" data-articula-joints>", stream);
    write_page_json(stream, joints, strlen(joints));
    fputs("</script>\n", stream);
  }
  return status;
}


artStatus page_write(const char *path, int n, const char *const *result, const char *const *joints,
                     artError *error)
{
  return write_page(path, write_results, &(resultList){n, result, joints}, error);
}


//---- pages with a machine inside -----------------------------------------------------------------

static artStatus write_page_machine(FILE *stream, const void *machine, artError *error)
{
  const pageMachine *m = machine;
  format_stream(stream, "<script type=\"application/json\" data-articula-live=\"%.17g\">", m->step);
  write_page_json(stream, m->header, m->header_size);
  fputs("</script>\n<script type=\"application/json\" data-articula-machine>", stream);
  write_page_json(stream, m->about, m->about_size);
  fputs("</script>\n", stream);
  const artStatus status =
      write_script(stream, "application/wasm", NULL, m->module, m->module_size, error);
  if (status) return status;
  return write_script(stream, "text/plain", m->source_name, m->source, m->source_size, error);
}


artStatus page_write_live(const char *path, const pageMachine *machine, artError *error)
{
  return write_page(path, write_page_machine, machine, error);
}


//---- the playground ------------------------------------------------------------------------------

static artStatus write_model(FILE *stream, const void *model, artError *error)
{
  const char *path = model;
  char *text = NULL;
  size_t size = 0;
  if (!model) return ART_OK;
  artStatus status = file_read(path, &text, &size, error);
  if (status) return status;
  // do not reveal folders of the user
  status = write_script(stream, "application/x-articula-model", file_shown_path(path), text, size,
                        error);
  mem_free(text);
  return status;
}


artStatus page_load_play(const char *model, char **page, size_t *size, artError *error)
{
  *page = NULL;
  FILE *stream = open_memstream(page, size);
  if (!stream) return base_no_memory(error);
  artStatus status = write_around(&play_places, stream, write_model, model, error);
  if (!file_close_text(stream, page) && !status) status = base_no_memory(error);
  if (!status) return ART_OK;
  free(*page);
  *page = NULL;
  return status;
}
