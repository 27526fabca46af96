// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A compiler as a child process, in place of src/load/child.c: a job holds it and all the processes that it starts.
#include "load/child.h"
#include "base/tidy.h"

#include <windows.h>

#include <posix.h>

enum { COMMAND_LENGTH = 32000 };

typedef struct childJob {
  HANDLE job, process;
} childJob;


// As programs take their command lines apart: quotes around a word, a backslash before each quote of it, and before each
// backslash that a quote follows.
static size_t quote_word(char *out, const char *word)
{
  char *at = out;
  *at++ = '"';
  for (const char *c = word; *c; c++) {
    const size_t n = strspn(c, "\\");
    const int is_before_quote = c[n] == '"' || !c[n];
    if (*c == '"' || (n > 0 && is_before_quote)) *at++ = '\\';
    *at++ = *c;
  }
  *at++ = '"';
  return (size_t) (at - out);
}


static int join_words(char **word, char command[COMMAND_LENGTH])
{
  size_t n = 0;
  for (; *word; word++) {
    if (n + 2 * strlen(*word) + 4 > COMMAND_LENGTH) {
      errno = E2BIG;
      return 0;
    }
    if (n > 0) command[n++] = ' ';
    n += quote_word(command + n, *word);
  }
  command[n] = '\0';
  return 1;
}


static HANDLE open_inherited(const char *path, DWORD access, DWORD creation)
{
  SECURITY_ATTRIBUTES security = {sizeof security, NULL, TRUE};
  return CreateFileA(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                     &security, creation, FILE_ATTRIBUTE_NORMAL, NULL);
}


int child_start(char **word, const char *log, pid_t *child)
{
  static const int is_hidden = CREATE_SUSPENDED | CREATE_NO_WINDOW;
  PROCESS_INFORMATION about = {0};
  STARTUPINFOA start = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES};
  childJob *own = malloc(sizeof *own);
  char *command = malloc(COMMAND_LENGTH);
  int is_started = own && command && join_words(word, command);
  if (is_started) {
    start.hStdInput = open_inherited("NUL", GENERIC_READ, OPEN_EXISTING);
    start.hStdOutput = start.hStdError = open_inherited(log, GENERIC_WRITE, CREATE_ALWAYS);
    is_started =
        CreateProcessA(NULL, command, NULL, NULL, TRUE, is_hidden, NULL, NULL, &start, &about);
    if (!is_started) errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : ENOENT;
    CloseHandle(start.hStdInput);
    CloseHandle(start.hStdOutput);
  }
  free(command);
  if (!is_started) {
    free(own);
    return 0;
  }
  *own = (childJob){.job = CreateJobObjectA(NULL, NULL), .process = about.hProcess};
  (void) AssignProcessToJobObject(own->job, about.hProcess);
  ResumeThread(about.hThread);
  CloseHandle(about.hThread);
  *child = (pid_t) (intptr_t) own;
  tidy_note_child(*child);
  return 1;
}


int child_wait(pid_t child)
{
  childJob *own = (childJob *) (intptr_t) child;
  DWORD status = 1;
  WaitForSingleObject(own->process, INFINITE);
  GetExitCodeProcess(own->process, &status);
  tidy_forget_child(child);
  CloseHandle(own->process);
  CloseHandle(own->job);
  free(own);
  return status == 0;
}


int kill(pid_t child, int number)
{
  (void) number;
  return TerminateJobObject(((childJob *) (intptr_t) -child)->job, 1) ? 0 : -1;
}
