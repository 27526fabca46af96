// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Opens the library for each source, and closes it afterwards.
#include "load/nvrtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"

typedef struct nvrtcCalls {
  void *library;
  int (*create)(void **program, const char *text, const char *name, int n, const char *const *head,
                const char *const *names);
  int (*compile)(void *program, int n, const char *const *words);
  int (*cubin_size)(void *program, size_t *bytes);
  int (*cubin)(void *program, char *bytes);
  int (*log_size)(void *program, size_t *bytes);
  int (*log)(void *program, char *text);
  int (*destroy)(void **program);
} nvrtcCalls;


static int open_nvrtc_library(nvrtcCalls *c, const char *name)
{
  c->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const struct {
    const char *name;
    void *place;
  } all[] = {{"nvrtcCreateProgram", &c->create},       {"nvrtcCompileProgram", &c->compile},
             {"nvrtcGetCUBINSize", &c->cubin_size},    {"nvrtcGetCUBIN", &c->cubin},
             {"nvrtcGetProgramLogSize", &c->log_size}, {"nvrtcGetProgramLog", &c->log},
             {"nvrtcDestroyProgram", &c->destroy}};
  for (size_t i = 0; c->library && i < sizeof all / sizeof *all; i++) {
    void *symbol = dlsym(c->library, all[i].name);
    if (!symbol) {
      dlclose(c->library);
      c->library = NULL;
    }
    memcpy(all[i].place, &symbol, sizeof symbol);
  }
  return c->library != NULL;
}


const char *nvrtc_name(void)
{
  static const char *const usual[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                      "/usr/local/cuda/lib64/libnvrtc.so",
                                      "/usr/local/cuda/lib/libnvrtc.so"};
  const char *own = getenv("NVRTC");
  nvrtcCalls c;
  if (own && own[0]) return own;
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
    if (!open_nvrtc_library(&c, usual[i])) continue;
    dlclose(c.library);
    return usual[i];
  }
  return NULL;
}


// the first error line of the log
static artStatus say_why_nvrtc_failed(const nvrtcCalls *c, void *program, const char *name,
                                      const char *advice, artError *error)
{
  size_t bytes = 0;
  char *log = c->log_size(program, &bytes) == 0 ? mem_alloc(bytes + 1, 1) : NULL;
  const char *line = "it did not say why";
  if (log && c->log(program, log) == 0) {
    const char *found = strstr(log, "error");
    while (found && found > log && found[-1] != '\n') found--;
    if (log[0]) line = found ? found : log;
  }
  const artStatus status =
      base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                "the compiler '%.100s' did not take the generated equations: %.*s; %s", name,
                (int) (strcspn(line, "\n") < 400 ? strcspn(line, "\n") : 400), line, advice);
  mem_free(log);
  return status;
}


static artStatus write_cubin(const nvrtcCalls *c, void *program, const char *made, artError *error)
{
  size_t bytes = 0;
  char *cubin = c->cubin_size(program, &bytes) == 0 ? mem_alloc(bytes + 1, 1) : NULL;
  if (!cubin) return base_no_memory(error);
  FILE *file = fopen(made, "wb");
  int is_written = file && c->cubin(program, cubin) == 0 && fwrite(cubin, 1, bytes, file) == bytes;
  if (file && fclose(file) != 0) is_written = 0;
  mem_free(cubin);
  return is_written ? ART_OK
                    : base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                                "the compiled kernels could not be written to '%.300s'", made);
}


artStatus nvrtc_compile(const char *library, const char *source, const char *const *words,
                        const char *made, const char *advice, artError *error)
{
  nvrtcCalls c;
  char *text = NULL;
  size_t size;
  void *program = NULL;
  int n = 0;
  while (words[n]) n++;
  if (!open_nvrtc_library(&c, library)) {
    return base_fail(
        error, ART_UNSUPPORTED, base_nowhere(),
        "'%.200s' is not a library of nvrtc of CUDA 11.1 or later that can be opened; %s", library,
        advice);
  }
  artStatus status = file_read(source, &text, &size, error);
  if (status == ART_OK && c.create(&program, text, "machine.cu", 0, NULL, NULL) != 0) {
    status = base_no_memory(error);
  }
  if (status == ART_OK) {
    status = c.compile(program, n, words) == 0
                 ? write_cubin(&c, program, made, error)
                 : say_why_nvrtc_failed(&c, program, library, advice, error);
  }
  if (program) c.destroy(&program);
  mem_free(text);
  dlclose(c.library);
  return status;
}
