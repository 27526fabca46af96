# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The libraries on which ours stands, as one target: Articula::dependencies. Serves our own build and, when
# installed beside the package, the builds of those who link the static library.
include(CMakeFindDependencyMacro)

find_dependency(PkgConfig)
pkg_check_modules(YAML REQUIRED QUIET IMPORTED_TARGET yaml-0.1)

find_dependency(LAPACK)
find_library(LAPACKE_LIBRARY lapacke REQUIRED)
find_path(LAPACKE_INCLUDE_DIR lapacke.h REQUIRED)
mark_as_advanced(LAPACKE_LIBRARY LAPACKE_INCLUDE_DIR)

# CXSparse of SuiteSparse: sparse normal equations of assemblies.
find_library(CXSPARSE_LIBRARY cxsparse REQUIRED)
find_path(CXSPARSE_INCLUDE_DIR suitesparse/cs.h REQUIRED)
mark_as_advanced(CXSPARSE_LIBRARY CXSPARSE_INCLUDE_DIR)

# AMD of SuiteSparse: pivots in an order of little fill.
find_library(AMD_LIBRARY amd REQUIRED)
find_path(AMD_INCLUDE_DIR suitesparse/amd.h REQUIRED)
mark_as_advanced(AMD_LIBRARY AMD_INCLUDE_DIR)

# BLAS by its C interface: products of full matrices.
find_path(CBLAS_INCLUDE_DIR cblas.h REQUIRED)
mark_as_advanced(CBLAS_INCLUDE_DIR)

# UMFPACK and SPQR of SuiteSparse: sparse factors of constraints of which some follow from others. CHOLMOD holds the
# matrices of SPQR.
find_library(UMFPACK_LIBRARY umfpack REQUIRED)
find_library(SPQR_LIBRARY spqr REQUIRED)
find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
find_path(SPQR_INCLUDE_DIR suitesparse/SuiteSparseQR_C.h REQUIRED)
mark_as_advanced(UMFPACK_LIBRARY SPQR_LIBRARY CHOLMOD_LIBRARY SPQR_INCLUDE_DIR)

# CVODE is one more integrator: the library is complete without it. libsundials_cvode brings the
# serial vector and the dense solver along.
find_library(SUNDIALS_CVODE_LIBRARY sundials_cvode)
find_path(SUNDIALS_INCLUDE_DIR cvode/cvode.h)
mark_as_advanced(SUNDIALS_CVODE_LIBRARY SUNDIALS_INCLUDE_DIR)

# libexpat reads the XML of other programs' models: the library is complete without it.
pkg_check_modules(EXPAT QUIET IMPORTED_TARGET expat)

# assimp reads meshes of more formats; it is opened when it is needed, and the library is complete without it.
pkg_check_modules(ASSIMP QUIET assimp)
if(ASSIMP_FOUND)
  string(REGEX MATCH "^[0-9]+" ASSIMP_MAJOR "${ASSIMP_VERSION}")
endif()

find_dependency(Threads)

if(NOT TARGET Articula::dependencies)
  add_library(Articula::dependencies INTERFACE IMPORTED)
  target_include_directories(Articula::dependencies SYSTEM INTERFACE ${LAPACKE_INCLUDE_DIR}
    ${CXSPARSE_INCLUDE_DIR} ${AMD_INCLUDE_DIR} ${SPQR_INCLUDE_DIR} ${CBLAS_INCLUDE_DIR})
  target_link_libraries(Articula::dependencies INTERFACE
    PkgConfig::YAML ${LAPACKE_LIBRARY} LAPACK::LAPACK ${CXSPARSE_LIBRARY}
    ${UMFPACK_LIBRARY} ${SPQR_LIBRARY} ${CHOLMOD_LIBRARY} ${AMD_LIBRARY} Threads::Threads ${CMAKE_DL_LIBS} m)
  if(EXPAT_FOUND)
    target_link_libraries(Articula::dependencies INTERFACE PkgConfig::EXPAT)
  endif()
  if(SUNDIALS_CVODE_LIBRARY AND SUNDIALS_INCLUDE_DIR)
    set(ART_HAVE_SUNDIALS 1)
    target_include_directories(Articula::dependencies SYSTEM INTERFACE ${SUNDIALS_INCLUDE_DIR})
    target_link_libraries(Articula::dependencies INTERFACE ${SUNDIALS_CVODE_LIBRARY})
  endif()
endif()
