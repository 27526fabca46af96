// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Folders and words with wildcards by the names of POSIX.
#include <fnmatch.h>
#include <ftw.h>
#include <glob.h>

enum { LONGEST_PATH = 4096 };


static int matches_set(const char **pattern, char c)
{
  const char *at = *pattern + 1;
  const int is_not = *at == '!';
  int found = 0;
  for (at += is_not; *at && *at != ']'; at++) {
    const int is_range = at[1] == '-' && at[2] && at[2] != ']';
    found |= is_range ? at[0] <= c && c <= at[2] : *at == c;
    at += is_range ? 2 : 0;
  }
  *pattern = at;
  return found != is_not;
}


int fnmatch(const char *pattern, const char *word, int flags)
{
  for (; *pattern; pattern++, word++) {
    if (*pattern == '*') {
      for (;; word++) {
        if (fnmatch(pattern + 1, word, flags) == 0) return 0;
        if (!*word) return 1;
      }
    }
    if (!*word) return 1;
    if (*pattern == '[' && strchr(pattern, ']')) {
      if (!matches_set(&pattern, *word)) return 1;
    } else if (*pattern != '?' && *pattern != *word) {
      return 1;
    }
  }
  return *word != '\0';
}


static int order_words(const void *a, const void *b)
{
  return strcmp(*(char *const *) a, *(char *const *) b);
}


int glob(const char *pattern, int flags, void *none, glob_t *files)
{
  (void) none;
  const char *slash = strrchr(pattern, '/'), *last = slash ? slash + 1 : pattern;
  char folder[LONGEST_PATH], path[LONGEST_PATH];
  snprintf(folder, sizeof folder, "%.*s", slash ? (int) (last - pattern) : 2,
           slash ? pattern : "./");
  *files = (glob_t){0};
  DIR *all = opendir(folder);
  if (!all) return 1;
  for (struct dirent *entry; (entry = readdir(all));) {
    if (entry->d_name[0] == '.' || fnmatch(last, entry->d_name, flags) != 0) continue;
    char **more = realloc(files->gl_pathv, (files->gl_pathc + 1) * sizeof *more);
    if (!more) break;
    files->gl_pathv = more;
    snprintf(path, sizeof path, "%s%s", slash ? folder : "", entry->d_name);
    more[files->gl_pathc] = strdup(path);
    files->gl_pathc += more[files->gl_pathc] != NULL;
  }
  closedir(all);
  if (files->gl_pathc > 0) qsort(files->gl_pathv, files->gl_pathc, sizeof(char *), order_words);
  return files->gl_pathc == 0;
}


void globfree(glob_t *files)
{
  for (size_t i = 0; i < files->gl_pathc; i++) free(files->gl_pathv[i]);
  free(files->gl_pathv);
}


int nftw(const char *path, ftwVisit *visit, int descriptors, int flags)
{
  struct stat about;
  struct FTW where = {0};
  if (lstat(path, &about) != 0) return -1;
  DIR *all = S_ISDIR(about.st_mode) ? opendir(path) : NULL;
  for (struct dirent *entry; all && (entry = readdir(all));) {
    char below[LONGEST_PATH];
    const int is_own = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (is_own || snprintf(below, sizeof below, "%s/%s", path, entry->d_name) >= LONGEST_PATH)
      continue;
    nftw(below, visit, descriptors, flags);
  }
  if (all) closedir(all);
  return visit(path, &about, S_ISDIR(about.st_mode) ? FTW_DP : FTW_F, &where);
}
