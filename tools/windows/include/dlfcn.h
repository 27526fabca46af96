// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Shared objects are DLLs.
#ifndef WINDOWS_DLFCN_H
#define WINDOWS_DLFCN_H

typedef int Dl_info;
enum { RTLD_NOW, RTLD_LOCAL, RTLD_DI_LINKMAP, RTLD_DL_LINKMAP, RTLD_DL_SYMENT };

void *dlopen(const char *path, int mode);
const char *dlerror(void);
void *dlsym(void *library, const char *symbol);
int dlclose(void *library);

// The object of a library, and with dladdr1 the object and the symbol that an address is in.
int dlinfo(void *library, int what, void *out);
int dladdr1(void *at, Dl_info *info, void **out, int what);

#endif
