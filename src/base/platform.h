// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// What differs between operating systems beyond the functions of POSIX: the form of paths, folders of the user, programs.
// platform.c serves systems of POSIX, tools/windows/platform.c serves Windows.
#ifndef BASE_PLATFORM_H
#define BASE_PLATFORM_H

#include <stddef.h>

// Does the path begin at the root of a file system?
int platform_is_absolute(const char *path);

// Folder for temporary files, an absolute path: TMPDIR or /tmp.
const char *platform_temporary_folder(void);

// Home folder of the user, or NULL.
const char *platform_home(void);

// Path of the running program; 0 if it is unknown.
int platform_own_path(char *path, size_t size);

// Path of the file that the first n characters of `program` start, along PATH unless they have a slash; 0 if there is
// none.
int platform_find_program(const char *program, size_t n, char *path, size_t size);

// Name of a C compiler to start when the user names none.
const char *platform_compiler(void);

// Processor and system of this computer in the words of compilers: "x86_64-linux"; NULL if unknown.
const char *platform_machine(void);

#endif
