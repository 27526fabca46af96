// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files by the names of POSIX. Open files can be removed and replaced, as there.
#include <windows.h>

#include <stdarg.h>
#include <stdint.h>
#include <winioctl.h>

#include <posix.h>

enum { LONGEST_PATH = 4096 };


static int fail_by_system(void)
{
  const DWORD why = GetLastError();
  errno = why == ERROR_FILE_NOT_FOUND || why == ERROR_PATH_NOT_FOUND || why == ERROR_INVALID_NAME ||
                  why == ERROR_BAD_NETPATH || why == ERROR_INVALID_DRIVE
              ? ENOENT
          : why == ERROR_FILE_EXISTS || why == ERROR_ALREADY_EXISTS ? EEXIST
          : why == ERROR_DISK_FULL || why == ERROR_HANDLE_DISK_FULL ? ENOSPC
          : why == ERROR_DIRECTORY                                  ? ENOTDIR
          : why == ERROR_DIR_NOT_EMPTY                              ? ENOTEMPTY
          : why == ERROR_TOO_MANY_OPEN_FILES                        ? EMFILE
          : why == ERROR_FILENAME_EXCED_RANGE                       ? ENAMETOOLONG
          : why == ERROR_LOCK_VIOLATION                             ? EWOULDBLOCK
                                                                    : EACCES;
  return -1;
}


static const char *name_of(const char *path)
{
  return strcmp(path, "/dev/null") == 0 ? "NUL" : path;
}

//---- what a file is ------------------------------------------------------------------------------

static struct timespec time_of(FILETIME t)
{
  const long long since_1601 = (long long) t.dwHighDateTime << 32 | t.dwLowDateTime;
  const long long since_1970 = since_1601 - 116444736000000000;
  return (struct timespec){since_1970 / 10000000, (long) (since_1970 % 10000000) * 100};
}


static int is_link(HANDLE file, DWORD attributes)
{
  FILE_ATTRIBUTE_TAG_INFO tag;
  return (attributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
         GetFileInformationByHandleEx(file, FileAttributeTagInfo, &tag, sizeof tag) &&
         (tag.ReparseTag == IO_REPARSE_TAG_SYMLINK || tag.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}


static int describe(HANDLE file, struct posix_stat *about)
{
  BY_HANDLE_FILE_INFORMATION found;
  const DWORD kind = GetFileType(file);
  *about = (struct posix_stat){.st_nlink = 1};
  if (kind == FILE_TYPE_CHAR || kind == FILE_TYPE_PIPE) {
    about->st_mode = kind == FILE_TYPE_CHAR ? S_IFCHR : S_IFIFO;
    return 0;
  }
  if (!GetFileInformationByHandle(file, &found)) return fail_by_system();
  about->st_mode = is_link(file, found.dwFileAttributes)               ? S_IFLNK
                   : found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? S_IFDIR
                                                                       : S_IFREG;
  about->st_nlink = about->st_mode == S_IFREG ? found.nNumberOfLinks : 1;
  about->st_dev = found.dwVolumeSerialNumber;
  about->st_ino = (unsigned long long) found.nFileIndexHigh << 32 | found.nFileIndexLow;
  about->st_size = (long long) found.nFileSizeHigh << 32 | found.nFileSizeLow;
  about->st_mtim = time_of(found.ftLastWriteTime);
  return 0;
}


static int describe_path(const char *path, struct posix_stat *about, DWORD flags)
{
  const HANDLE file = CreateFileA(name_of(path), FILE_READ_ATTRIBUTES,
                                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
  if (file == INVALID_HANDLE_VALUE) return fail_by_system();
  const int status = describe(file, about);
  CloseHandle(file);
  return status;
}


int posix_stat(const char *path, struct posix_stat *about)
{
  return describe_path(path, about, 0);
}


int posix_lstat(const char *path, struct posix_stat *about)
{
  return describe_path(path, about, FILE_FLAG_OPEN_REPARSE_POINT);
}


int posix_fstat(int fd, struct posix_stat *about)
{
  return describe((HANDLE) _get_osfhandle(fd), about);
}


int posix_isatty(int fd)
{
  DWORD mode;
  return GetConsoleMode((HANDLE) _get_osfhandle(fd), &mode) != 0;
}

//---- opening -------------------------------------------------------------------------------------

int posix_open(const char *path, int flags, ...)
{
  const int way = flags & (O_RDONLY | O_WRONLY | O_RDWR);
  const DWORD access = way == O_RDONLY   ? GENERIC_READ
                       : way == O_WRONLY ? GENERIC_WRITE
                                         : GENERIC_READ | GENERIC_WRITE;
  const DWORD creation = flags & O_CREAT   ? (flags & O_EXCL    ? CREATE_NEW
                                              : flags & O_TRUNC ? CREATE_ALWAYS
                                                                : OPEN_ALWAYS)
                         : flags & O_TRUNC ? TRUNCATE_EXISTING
                                           : OPEN_EXISTING;
  SECURITY_ATTRIBUTES security = {sizeof security, NULL, !(flags & O_CLOEXEC)};
  if (flags & O_DIRECTORY) {
    errno = EACCES;
    return -1;
  }
  // a folder opens for reading, so that fstat can say what it is
  const HANDLE file = CreateFileA(
      name_of(path), access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &security,
      creation, FILE_ATTRIBUTE_NORMAL | (way == O_RDONLY ? FILE_FLAG_BACKUP_SEMANTICS : 0), NULL);
  if (file == INVALID_HANDLE_VALUE) return fail_by_system();
  const int fd = _open_osfhandle((intptr_t) file, _O_BINARY | (flags & (O_APPEND | _O_NOINHERIT)));
  if (fd < 0) CloseHandle(file);
  return fd;
}


// F_GETFD asks whether the descriptor is open; other commands have nothing to do
int posix_fcntl(int fd, int command, ...)
{
  return command == F_GETFD && _get_osfhandle(fd) < 0 && _get_osfhandle(fd) != -2 ? -1 : 0;
}


// a byte far behind the end is locked, so that the contents can be read
int flock(int fd, int operation)
{
  OVERLAPPED place = {.Offset = 0, .OffsetHigh = 0x7fffffff};
  const DWORD flags =
      LOCKFILE_EXCLUSIVE_LOCK | (operation & LOCK_NB ? LOCKFILE_FAIL_IMMEDIATELY : 0);
  if (LockFileEx((HANDLE) _get_osfhandle(fd), flags, 0, 1, 0, &place)) return 0;
  fail_by_system();
  if (GetLastError() == ERROR_IO_PENDING) errno = EWOULDBLOCK;
  return -1;
}


int fsync(int fd)
{
  return _commit(fd);
}


ssize_t pread(int fd, void *bytes, size_t n, long long at)
{
  const long long before = _lseeki64(fd, 0, SEEK_CUR);
  if (_lseeki64(fd, at, SEEK_SET) < 0) return -1;
  const int got = _read(fd, bytes, (unsigned) n);
  return _lseeki64(fd, before, SEEK_SET) < 0 ? -1 : got;
}


int dprintf(int fd, const char *format, ...)
{
  char text[1000];
  va_list list;
  va_start(list, format);
  const int n = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  return n < 0 || n >= (int) sizeof text ? -1 : _write(fd, text, (unsigned) n);
}

//---- names ---------------------------------------------------------------------------------------

int posix_rename(const char *from, const char *to)
{
  return MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)
             ? 0
             : fail_by_system();
}


int posix_remove(const char *path)
{
  struct posix_stat about;
  if (posix_lstat(path, &about) == 0 && about.st_mode == S_IFDIR) return _rmdir(path);
  return _unlink(path);
}


char *realpath(const char *path, char *resolved)
{
  char found[LONGEST_PATH];
  const HANDLE file = CreateFileA(path, FILE_READ_ATTRIBUTES,
                                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                  OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (file == INVALID_HANDLE_VALUE) {
    fail_by_system();
    return NULL;
  }
  const DWORD n = GetFinalPathNameByHandleA(file, found, sizeof found, FILE_NAME_NORMALIZED);
  CloseHandle(file);
  if (n == 0 || n >= sizeof found) {
    fail_by_system();
    return NULL;
  }
  // \\?\C:\folder, \\?\UNC\server\folder
  const int is_remote = strncmp(found, "\\\\?\\UNC\\", 8) == 0;
  const char *begin = is_remote ? found + 6 : strncmp(found, "\\\\?\\", 4) == 0 ? found + 4 : found;
  const size_t size = strlen(begin) + 1;
  if (resolved && size > PATH_MAX) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  char *out = resolved ? resolved : malloc(size);
  if (!out) return NULL;
  memcpy(out, begin, size);
  if (is_remote) out[0] = '/';
  for (char *c = out; *c; c++) {
    if (*c == '\\') *c = '/';
  }
  return out;
}


// the six letters at the end of a pattern, until `make` succeeds
static int make_unique(char *pattern, int (*make)(const char *path))
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  char *end = pattern + strlen(pattern) - 6;
  LARGE_INTEGER clock;
  QueryPerformanceCounter(&clock);
  unsigned long long seed =
      (unsigned long long) clock.QuadPart ^ (unsigned long long) GetCurrentProcessId() << 40;
  for (int attempt = 0; attempt < 1000; attempt++) {
    for (int i = 0; i < 6; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      end[i] = letters[(seed >> 33) % (sizeof letters - 1)];
    }
    const int made = make(pattern);
    if (made >= 0 || errno != EEXIST) return made;
  }
  return -1;
}


static int make_folder(const char *path)
{
  return _mkdir(path);
}


static int make_file(const char *path)
{
  return posix_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC);
}


char *mkdtemp(char *pattern)
{
  return make_unique(pattern, make_folder) == 0 ? pattern : NULL;
}


int posix_mkstemp(char *pattern)
{
  return make_unique(pattern, make_file);
}
