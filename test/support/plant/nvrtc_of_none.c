// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A library of nvrtc for the device of driver_of_none.c: cc makes shared libraries of texts. FAKE_COMPLAINT is what it says of any text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct program {
  const char *text;
  char *made;
  long size;
} program;


int nvrtcCreateProgram(program **out, const char *text, const char *name, int n,
                       const char *const *head, const char *const *names)
{
  program *p = calloc(1, sizeof *p);
  *out = p;
  if (!p || n || head || names || !name[0]) return 1;
  p->text = text;
  return 0;
}


int nvrtcCompileProgram(program *p, int n, const char *const *words)
{
  char folder[] = "/tmp/articula-nvrtc-XXXXXX", command[2000], path[100];
  if (getenv("FAKE_COMPLAINT") || !mkdtemp(folder)) return 6;
  snprintf(path, sizeof path, "%s/machine.c", folder);
  FILE *file = fopen(path, "w");
  if (!file) return 6;
  fputs(p->text, file);
  fclose(file);
  int length = snprintf(command, sizeof command, "cd %s && cc -O2 -shared -fPIC -o made", folder);
  int has_target = 0;
  for (int i = 0; i < n; i++) {
    has_target |= strcmp(words[i], "-arch=sm_90") == 0;
    if (strncmp(words[i], "-D", 2) == 0) {
      length += snprintf(command + length, sizeof command - (size_t) length, " %s", words[i]);
    }
  }
  snprintf(command + length, sizeof command - (size_t) length, " machine.c -lm");
  snprintf(path, sizeof path, "%s/made", folder);
  if (!has_target || system(command) != 0 || !(file = fopen(path, "rb"))) return 6;
  fseek(file, 0, SEEK_END);
  p->size = ftell(file);
  p->made = malloc((size_t) p->size);
  rewind(file);
  const size_t got = fread(p->made, 1, (size_t) p->size, file);
  fclose(file);
  snprintf(command, sizeof command, "rm -r %s", folder);
  return got == (size_t) p->size && system(command) == 0 ? 0 : 6;
}


int nvrtcGetCUBINSize(program *p, size_t *bytes)
{
  *bytes = (size_t) p->size;
  return 0;
}


int nvrtcGetCUBIN(program *p, char *bytes)
{
  memcpy(bytes, p->made, (size_t) p->size);
  return 0;
}


int nvrtcGetProgramLogSize(program *p, size_t *bytes)
{
  (void) p;
  *bytes = 400;
  return 0;
}


int nvrtcGetProgramLog(program *p, char *text)
{
  const char *complaint = getenv("FAKE_COMPLAINT");
  (void) p;
  snprintf(text, 400, "machine.cu(1): warning: well\n%s\n", complaint ? complaint : "");
  return 0;
}


int nvrtcDestroyProgram(program **p)
{
  free((*p)->made);
  free(*p);
  *p = NULL;
  return 0;
}
