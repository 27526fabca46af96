# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# How every C file of the project is compiled. Strict C11 with POSIX; sums and products are rounded
# one by one (no contraction), so that results do not depend on the compiler.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()

add_library(art_flags INTERFACE)
target_compile_definitions(art_flags INTERFACE
  _POSIX_C_SOURCE=200809L
  $<$<BOOL:${EXPAT_FOUND}>:ART_HAVE_EXPAT=1>
  $<$<BOOL:${ASSIMP_FOUND}>:ART_ASSIMP_LIBRARY="libassimp.so.${ASSIMP_MAJOR}">
  $<$<BOOL:${ART_HAVE_SUNDIALS}>:ART_HAVE_SUNDIALS=1>)
target_compile_options(art_flags INTERFACE
  -ffp-contract=off
  -Wall -Wextra -Wpedantic -Wshadow -Wvla
  $<$<COMPILE_LANGUAGE:C>:-Wconversion -Wstrict-prototypes -Wmissing-prototypes>
  $<$<BOOL:${ART_WERROR}>:-Werror>)

# Tests are 250 programs, each with the whole library: a quick linker takes a third of the time. Releases keep the system's.
if(NOT CMAKE_BUILD_TYPE STREQUAL Release)
  include(CheckLinkerFlag)
  foreach(linker lld gold)
    check_linker_flag(C -fuse-ld=${linker} ART_LINKS_BY_${linker})
    if(ART_LINKS_BY_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()
