# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Debian packages, by `cpack -G DEB`: the library for programs, the command, and the Python package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME articula)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Articula authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
# with Makefiles cpack would build all targets first, tests among them; others let it take what is there
set(CPACK_CMAKE_GENERATOR Ninja)
set(CPACK_COMPONENTS_ALL library command)
if(TARGET articula_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)

set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "Headers and library, for programs")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libarticula-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "libyaml-dev, libexpat1-dev, libsuitesparse-dev, liblapacke-dev, libopenblas-dev, libsundials-dev")

# it reads foreign files by a program of the command's package
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "articula (= ${PROJECT_VERSION})")

set(CPACK_COMPONENT_COMMAND_DESCRIPTION "The command articula, with its viewer")
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME articula)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS ON)

set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The package articula for Python 3.11 and all that follow")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-articula)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.11), python3-numpy, articula (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "python3-matplotlib, python3-pandas")
include(CPack)
