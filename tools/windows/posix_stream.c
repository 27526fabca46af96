// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Streams by the names of POSIX. A stream into memory is a temporary file that its flush and its close copy there.
#include <windows.h>

#include <pthread.h>

#include <posix.h>

typedef struct memoryStream {
  FILE *stream;
  char **text; // of open_memstream, or
  char *fixed; // of fmemopen
  size_t *size, capacity;
  struct memoryStream *next;
} memoryStream;

static memoryStream *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;


FILE *posix_fopen(const char *path, const char *mode)
{
  const int is_update = strchr(mode, '+') != NULL, way = is_update        ? O_RDWR
                                                         : mode[0] == 'r' ? O_RDONLY
                                                                          : O_WRONLY;
  const int more = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
  char binary[8] = {mode[0], 'b', is_update ? '+' : '\0'};
  const int fd = posix_open(path, way | more | O_CLOEXEC);
  return fd < 0 ? NULL : _fdopen(fd, binary);
}


FILE *posix_freopen(const char *path, const char *mode, FILE *stream)
{
  return freopen(strcmp(path, "/dev/null") == 0 ? "NUL" : path, mode, stream);
}

//---- streams into memory -------------------------------------------------------------------------

static FILE *open_temporary(void)
{
  char folder[MAX_PATH + 1], path[MAX_PATH + 1];
  if (!GetTempPathA(sizeof folder, folder) || !GetTempFileNameA(folder, "art", 0, path))
    return NULL;
  const HANDLE file =
      CreateFileA(path, GENERIC_READ | GENERIC_WRITE | DELETE, FILE_SHARE_READ | FILE_SHARE_DELETE,
                  NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
  if (file == INVALID_HANDLE_VALUE) return NULL;
  return _fdopen(_open_osfhandle((intptr_t) file, _O_BINARY), "w+b");
}


static FILE *open_memory(memoryStream made)
{
  memoryStream *m = malloc(sizeof *m);
  *m = made;
  m->stream = m ? open_temporary() : NULL;
  if (!m->stream) {
    free(m);
    errno = ENOMEM;
    return NULL;
  }
  FILE *stream = m->stream;
  pthread_mutex_lock(&lock);
  m->next = all;
  all = m;
  pthread_mutex_unlock(&lock);
  return stream;
}


FILE *open_memstream(char **text, size_t *size)
{
  *text = NULL;
  *size = 0;
  return open_memory((memoryStream){.text = text, .size = size});
}


FILE *fmemopen(void *text, size_t size, const char *mode)
{
  (void) mode; // "w"
  return open_memory((memoryStream){.fixed = text, .capacity = size});
}


// the stream of the list, taken from it when `is_last`
static memoryStream *find_memory(FILE *stream, int is_last)
{
  pthread_mutex_lock(&lock);
  memoryStream **at = &all;
  while (*at && (*at)->stream != stream) at = &(*at)->next;
  memoryStream *found = *at;
  if (found && is_last) *at = found->next;
  pthread_mutex_unlock(&lock);
  return found;
}


static int copy_to_memory(memoryStream *m)
{
  if (fflush(m->stream) != 0 || ferror(m->stream)) return EOF;
  const long long at = _ftelli64(m->stream);
  if (at < 0) return EOF;
  size_t n = (size_t) at;
  if (m->fixed) n = n < m->capacity ? n : m->capacity - 1;
  char *text = m->fixed ? m->fixed : realloc(*m->text, n + 1);
  if (!text) return EOF;
  if (m->text) *m->text = text;
  rewind(m->stream);
  const int is_whole = fread(text, 1, n, m->stream) == n;
  text[n] = '\0';
  if (m->size) *m->size = n;
  return _fseeki64(m->stream, at, SEEK_SET) == 0 && is_whole ? 0 : EOF;
}


int posix_fflush(FILE *stream)
{
  memoryStream *m = stream ? find_memory(stream, 0) : NULL;
  return m ? copy_to_memory(m) : fflush(stream);
}


int posix_fclose(FILE *stream)
{
  memoryStream *m = find_memory(stream, 1);
  const int status = m ? copy_to_memory(m) : 0;
  free(m);
  return fclose(stream) == 0 ? status : EOF;
}
