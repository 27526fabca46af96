// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plots as PNG, by librsvg and cairo. They bring sixty libraries along, so they are loaded when they are
// wanted: every other call starts at once, and machines without them lack PNG alone.
#include "show/plot.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

static const double SCALE = 2;
enum { RGB24 = 1 }; // CAIRO_FORMAT_RGB24

// functions that are used of both, in the order of their names below
typedef struct pngPage {
  double x, y, width, height;
} pngPage;
typedef int (*pngSink)(void *context, const unsigned char *bytes, unsigned n);
typedef struct pngLibrary {
  void *(*read)(const unsigned char *text, size_t n, void **error);
  int (*measure)(void *picture, double *width, double *height);
  int (*render)(void *picture, void *context, const pngPage *page, void **error);
  void *(*create_surface)(int format, int width, int height);
  void *(*create_context)(void *surface);
  void (*free_context)(void *context);
  int (*write)(void *surface, pngSink sink, void *stream);
  void (*free_surface)(void *surface);
  void (*free_picture)(void *picture);
} pngLibrary;


static int load(pngLibrary *library)
{
  static const char *const names[] = {"rsvg_handle_new_from_data",
                                      "rsvg_handle_get_intrinsic_size_in_pixels",
                                      "rsvg_handle_render_document",
                                      "cairo_image_surface_create",
                                      "cairo_create",
                                      "cairo_destroy",
                                      "cairo_surface_write_to_png_stream",
                                      "cairo_surface_destroy",
                                      "g_object_unref"};
  void *found[sizeof names / sizeof *names];
  void *handle = dlopen("librsvg-2.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return 0;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    found[i] = dlsym(handle, names[i]);
    if (!found[i]) return 0;
  }
  memcpy(library, found, sizeof *library);
  return 1;
}


static int write_bytes(void *context, const unsigned char *bytes, unsigned n)
{
  return fwrite(bytes, 1, n, context) == n ? 0 : 11; // CAIRO_STATUS_WRITE_ERROR
}


// the picture on a surface of its own size, or NULL
static void *render(const pngLibrary *library, void *picture)
{
  double width = 0, height = 0;
  if (!library->measure(picture, &width, &height)) return NULL;
  const pngPage page = {0, 0, SCALE * width, SCALE * height};
  void *surface = library->create_surface(RGB24, (int) page.width, (int) page.height);
  void *context = library->create_context(surface);
  const int is_done = library->render(picture, context, &page, NULL);
  library->free_context(context);
  if (is_done) return surface;
  library->free_surface(surface);
  return NULL;
}


static artStatus save(const pngLibrary *library, void *surface, const char *path, artError *error)
{
  baseFile file;
  const artStatus status = file_begin(&file, path, error);
  if (status) return status;
  (void) library->write(surface, write_bytes, file.stream);
  return file_commit(&file, error);
}


artStatus png_write(const ioPlot *plot, const char *path, artError *error)
{
  pngLibrary library;
  if (!load(&library)) {
    return base_fail(
        error, ART_IO, (artPlace){.file = path},
        "PNG files need librsvg, which is not installed (librsvg2-2 on Debian); name a "
        "file that ends with .svg instead");
  }
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return base_no_memory(error);
  plot_print_svg(plot, stream);
  const int is_whole = file_close_text(stream, &text);
  void *picture = is_whole ? library.read((const unsigned char *) text, size, NULL) : NULL;
  void *surface = picture ? render(&library, picture) : NULL;
  const artStatus status = surface ? save(&library, surface, path, error) : base_no_memory(error);
  if (surface) library.free_surface(surface);
  if (picture) library.free_picture(picture);
  free(text);
  return status;
}
