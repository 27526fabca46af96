// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shared objects where there are none.
#ifndef MODULE_DLFCN_H
#define MODULE_DLFCN_H

#include <stddef.h>

enum { RTLD_NOW, RTLD_LOCAL, RTLD_DI_LINKMAP, RTLD_DL_LINKMAP, RTLD_DL_SYMENT };
typedef int Dl_info;

#define dlopen(path, way)             NULL
#define dlerror()                     "a page has no shared objects"
#define dlsym(library, symbol)        ((void) (library), (void) (symbol), (void *) NULL)
#define dlclose(library)              ((void) (library))
#define dlinfo(library, what, out)    ((void) (library), (void) (out), -1)
#define dladdr1(at, info, out, extra) ((void) (info), (void) (out), 0)

#endif
