// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Symbols of DLLs (dlfcn.h).
#ifndef WINDOWS_LINK_H
#define WINDOWS_LINK_H

#define ElfW(type) struct Elf##type
struct link_map;
struct ElfSym {
  unsigned char st_info;
};
enum { STT_FUNC = 2, STT_GNU_IFUNC = 10 };
#define ELF64_ST_TYPE(info) (info)

#endif
