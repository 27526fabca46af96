# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# What the library stands on: ART_DEPENDENCIES lists the imported targets to link.
find_package(PkgConfig REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)

find_package(LAPACK REQUIRED)
find_library(LAPACKE_LIBRARY lapacke REQUIRED)
find_path(LAPACKE_INCLUDE_DIR lapacke.h REQUIRED)
add_library(art_lapacke INTERFACE IMPORTED)
target_include_directories(art_lapacke SYSTEM INTERFACE ${LAPACKE_INCLUDE_DIR})
target_link_libraries(art_lapacke INTERFACE ${LAPACKE_LIBRARY} LAPACK::LAPACK)

set(ART_DEPENDENCIES PkgConfig::YAML art_lapacke m)

# CVODE is one more integrator: the library is complete without it
find_package(SUNDIALS CONFIG QUIET COMPONENTS cvode nvecserial sunmatrixdense sunlinsoldense)
if(SUNDIALS_FOUND)
  list(APPEND ART_DEPENDENCIES SUNDIALS::cvode SUNDIALS::nvecserial SUNDIALS::sunmatrixdense
       SUNDIALS::sunlinsoldense)
endif()
message(STATUS "SUNDIALS CVODE: ${SUNDIALS_FOUND}")
