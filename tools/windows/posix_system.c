// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Libraries, terminals, clocks and locales by the names of POSIX.
#include <windows.h>

#include <dlfcn.h>
#include <link.h>
#include <ntsecapi.h>
#include <posix.h>
#include <sys/ioctl.h>
#include <sys/random.h>

//---- libraries -----------------------------------------------------------------------------------

static _Thread_local char load_error[400];


// the folder of the library is searched for those that it needs
void *dlopen(const char *path, int mode)
{
  (void) mode;
  char whole[4096];
  const DWORD n = GetFullPathNameA(path, sizeof whole, whole, NULL);
  const int is_path = strchr(path, '/') && n > 0 && n < sizeof whole;
  void *library =
      is_path ? LoadLibraryExA(whole, NULL, LOAD_WITH_ALTERED_SEARCH_PATH) : LoadLibraryA(path);
  if (library) return library;
  const DWORD why = GetLastError();
  const int used = snprintf(load_error, sizeof load_error, "%s: ", path);
  char *rest = load_error + (used < 300 ? used : 300);
  rest[FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, why, 0,
                      rest, 90, NULL)] = '\0';
  rest[strcspn(rest, "\r\n")] = '\0';
  return NULL;
}


const char *dlerror(void)
{
  return load_error;
}


void *dlsym(void *library, const char *symbol)
{
  const FARPROC found = GetProcAddress(library, symbol);
  void *at;
  memcpy(&at, &found, sizeof at);
  return at;
}


int dlclose(void *library)
{
  return !FreeLibrary(library);
}


int dlinfo(void *library, int what, void *out)
{
  (void) what;
  memcpy(out, &library, sizeof library);
  return 0;
}


// a symbol is a function where its memory can be executed
int dladdr1(void *at, Dl_info *info, void **out, int what)
{
  static struct ElfSym function = {STT_FUNC};
  MEMORY_BASIC_INFORMATION memory;
  HMODULE own;
  (void) info;
  if (what == RTLD_DL_LINKMAP) {
    const DWORD flags =
        GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT;
    if (!GetModuleHandleExA(flags, at, &own)) return 0;
    *out = own;
    return 1;
  }
  enum {
    RUNS = PAGE_EXECUTE | PAGE_EXECUTE_READ | PAGE_EXECUTE_READWRITE | PAGE_EXECUTE_WRITECOPY
  };
  if (!VirtualQuery(at, &memory, sizeof memory) || !(memory.Protect & RUNS)) return 0;
  *out = &function;
  return 1;
}

//---- terminals, clocks, random numbers -----------------------------------------------------------

int ioctl(int fd, int request, struct winsize *size)
{
  CONSOLE_SCREEN_BUFFER_INFO about;
  (void) request;
  if (!GetConsoleScreenBufferInfo((HANDLE) _get_osfhandle(fd), &about)) return -1;
  size->ws_col = about.srWindow.Right - about.srWindow.Left + 1;
  size->ws_row = about.srWindow.Bottom - about.srWindow.Top + 1;
  return 0;
}


long sysconf(int name)
{
  SYSTEM_INFO about;
  (void) name;
  GetSystemInfo(&about);
  return (long) about.dwNumberOfProcessors;
}


// until a time; the caller watches the clock for the rest, of a tick at most
int posix_clock_nanosleep(clockid_t clock, int flags, const struct timespec *t,
                          struct timespec *rest)
{
  struct timespec now;
  (void) flags, (void) rest;
  if (clock_gettime(clock, &now) != 0) return EINVAL;
  const double left =
      (double) (t->tv_sec - now.tv_sec) + 1e-9 * (double) (t->tv_nsec - now.tv_nsec);
  if (left > 0.02) Sleep((DWORD) (1000 * (left - 0.02)));
  return 0;
}


ssize_t getrandom(void *bytes, size_t n, unsigned flags)
{
  (void) flags;
  return RtlGenRandom(bytes, (ULONG) n) ? (ssize_t) n : -1;
}

//---- texts ---------------------------------------------------------------------------------------

char *strndup(const char *text, size_t n)
{
  const size_t length = strnlen(text, n);
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}


// 1: the point of C, 0: that of the host again. Nearly all hosts leave it as it is.
locale_t uselocale(locale_t locale)
{
  static _Thread_local int is_changed;
  static _Thread_local char host[100];
  if (locale == 1 && !is_changed && localeconv()->decimal_point[0] != '.') {
    _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    snprintf(host, sizeof host, "%s", setlocale(LC_NUMERIC, NULL));
    setlocale(LC_NUMERIC, "C");
    is_changed = 1;
  } else if (locale == 0 && is_changed) {
    setlocale(LC_NUMERIC, host);
    is_changed = 0;
  }
  return 0;
}
