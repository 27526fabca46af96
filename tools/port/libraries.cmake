# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Libraries for systems that Debian has none for, from their sources (fetch.sh) in ART_SOURCES: libyaml, expat, AMD and
# CXSparse of SuiteSparse, CVODE of SUNDIALS, as the objects `others`; BLAS and LAPACK as `algebra`, written here, because
# the originals are Fortran and assembler. Both are compiled with the options of the target `flags`.
set(port ${CMAKE_CURRENT_LIST_DIR})
set(sparse ${ART_SOURCES}/suitesparse)
set(sundials ${ART_SOURCES}/sundials)
set(yaml ${ART_SOURCES}/libyaml)
set(expat ${ART_SOURCES}/expat/expat/lib)

# headers where their users look for them
set(headers ${PROJECT_BINARY_DIR}/headers)
file(GLOB sparse_headers ${sparse}/SuiteSparse_config/*.h ${sparse}/AMD/Include/*.h ${sparse}/CXSparse/Include/*.h)
file(COPY ${sparse_headers} DESTINATION ${headers}/suitesparse)
# headers of Debian's package, which was configured, less MPI
file(READ /usr/include/sundials/sundials_config.h config)
string(REPLACE "SUNDIALS_MPI_ENABLED 1" "SUNDIALS_MPI_ENABLED 0" config "${config}")
file(CONFIGURE OUTPUT ${headers}/sundials/sundials_config.h CONTENT "${config}" @ONLY)
file(COPY /usr/include/sundials/sundials_export.h DESTINATION ${headers}/sundials)

# expat takes no random numbers from the system: files come from the user alone
file(CONFIGURE OUTPUT ${headers}/expat_config.h @ONLY CONTENT
     "#define XML_NS 1\n#define XML_DTD 1\n#define XML_CONTEXT_BYTES 1024\n#define XML_POOR_ENTROPY 1\n#define BYTEORDER 1234\n")

file(GLOB others ${yaml}/src/*.c ${expat}/xmlparse.c ${expat}/xmlrole.c ${expat}/xmltok.c ${sparse}/SuiteSparse_config/SuiteSparse_config.c
     ${sparse}/AMD/Source/amd_*.c ${sparse}/CXSparse/Source/cs_*.c
     ${sundials}/src/cvode/*.c ${sundials}/src/nvector/serial/*.c ${sundials}/src/sunmatrix/dense/*.c
     ${sundials}/src/sunmatrix/band/*.c ${sundials}/src/sunlinsol/dense/*.c ${sundials}/src/sunlinsol/band/*.c
     ${sundials}/src/sunlinsol/spgmr/*.c ${sundials}/src/sunnonlinsol/newton/*.c
     ${sundials}/src/sunnonlinsol/fixedpoint/*.c)
foreach(name band context dense direct errors futils hashmap iterative linearsolver logger math matrix memory
        nonlinearsolver nvector nvector_senswrapper profiler version)
  if(EXISTS ${sundials}/src/sundials/sundials_${name}.c)
    list(APPEND others ${sundials}/src/sundials/sundials_${name}.c)
  endif()
endforeach()
list(FILTER others EXCLUDE REGEX "fmod|cs_convert|cvode_(bandpre|bbdpre|hypamgpre)|/f(cvode|nvector|sun)[a-z_]*\\.c")

# warnings of them are theirs
add_library(others OBJECT ${others})
target_compile_options(others PRIVATE -w)
target_compile_definitions(others PRIVATE YAML_VERSION_MAJOR=0 YAML_VERSION_MINOR=2 YAML_VERSION_PATCH=5
  YAML_VERSION_STRING="0.2.5" YAML_DECLARE_STATIC NTIMER NPRINT NCOMPLEX)
target_include_directories(others PUBLIC ${headers} ${yaml}/include ${expat} ${sundials}/include
  PRIVATE ${headers}/suitesparse ${sundials}/src/sundials)
target_link_libraries(others PUBLIC flags)

add_library(algebra OBJECT ${port}/blas.c ${port}/lapack.c ${port}/eigenvalues.c)
target_compile_options(algebra PRIVATE -std=c11 -Wall -Wextra)
target_include_directories(algebra PUBLIC ${port}/include)
target_link_libraries(algebra PUBLIC flags)
