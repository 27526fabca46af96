// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// gcc.exe of the smoke test: hands the words of its call to the compiler outside of wine, by files in SMOKE_FOLDER, and waits for
// the exit status (smoke.sh).
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>


int main(int argc, char **argv)
{
  char request[500], ready[500], answer[500];
  const char *folder = getenv("SMOKE_FOLDER");
  int status = 1;
  if (!folder) return 1;
  snprintf(request, sizeof request, "%s/request.new", folder);
  snprintf(ready, sizeof ready, "%s/request", folder);
  snprintf(answer, sizeof answer, "%s/answer", folder);
  FILE *out = fopen(request, "wb");
  for (int i = 1; out && i < argc; i++) fprintf(out, "%s\n", argv[i]);
  if (!out || fclose(out) != 0 || rename(request, ready) != 0) return 1;
  for (FILE *in = NULL; !in;) {
    Sleep(20);
    in = fopen(answer, "rb");
    if (in && fscanf(in, "%d", &status) != 1) status = 1;
    if (in) fclose(in);
  }
  remove(answer);
  return status;
}
