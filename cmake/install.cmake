# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Installation: headers, library, command with its manual page and completion, CMake package and pkg-config file. Components are
# packages (package.cmake): the library, the command, and the Python package, which a plain installation leaves out.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Articula)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)

install(DIRECTORY include/articula DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS articula EXPORT ArticulaTargets)
if(NOT BUILD_SHARED_LIBS)
  # it calls inside of the library, which a shared one hides
  install(TARGETS articula_schedule EXPORT ArticulaTargets)
endif()
if(TARGET articula_command)
  install(TARGETS articula_command COMPONENT command)
  install(TARGETS articula_parse DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/articula COMPONENT command)
  install(FILES doc/articula.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
endif()
if(completion_dir)
  install(FILES ${completion_dir}/articula DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          COMPONENT command)
  install(FILES ${completion_dir}/_articula DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
          COMPONENT command)
  install(FILES ${completion_dir}/articula.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          COMPONENT command)
endif()


#---- find_package(Articula) ---------------------------------------------------------------------

install(EXPORT ArticulaTargets NAMESPACE Articula:: DESTINATION ${package_dir})
configure_package_config_file(cmake/ArticulaConfig.cmake.in ArticulaConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(ArticulaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/ArticulaConfig.cmake
              ${PROJECT_BINARY_DIR}/ArticulaConfigVersion.cmake
              cmake/ArticulaDependencies.cmake
        DESTINATION ${package_dir})


#---- pkg-config articula ------------------------------------------------------------------------

# a static library needs its own dependencies on the command line, a shared one remembers them
set(pc_libraries ${LAPACKE_LIBRARY} ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES} ${CXSPARSE_LIBRARY}
    ${UMFPACK_LIBRARY} ${SPQR_LIBRARY} ${CHOLMOD_LIBRARY} ${AMD_LIBRARY})
if(ART_HAVE_SUNDIALS)
  list(APPEND pc_libraries ${SUNDIALS_CVODE_LIBRARY})
endif()
list(APPEND pc_libraries ${CMAKE_THREAD_LIBS_INIT} -lm)
list(REMOVE_DUPLICATES pc_libraries)
list(JOIN pc_libraries " " pc_libraries)
set(pc_packages yaml-0.1)
if(EXPAT_FOUND)
  string(APPEND pc_packages " expat")
endif()
if(BUILD_SHARED_LIBS)
  set(pc_private "Requires.private: ${pc_packages}\nLibs.private: ${pc_libraries}")
else()
  set(pc_public " ${pc_libraries}")
  set(pc_private "Requires: ${pc_packages}")
endif()

# where the file lies says where the rest is, so that an installation may be moved; folders that were given as
# absolute paths stay as they are
file(RELATIVE_PATH pc_up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" pc_prefix "\${pcfiledir}/${pc_up}")
foreach(folder LIBDIR INCLUDEDIR)
  string(TOLOWER pc_${folder} variable)
  cmake_path(IS_ABSOLUTE CMAKE_INSTALL_${folder} absolute)
  if(absolute)
    set(${variable} ${CMAKE_INSTALL_${folder}})
  else()
    set(${variable} "\${prefix}/${CMAKE_INSTALL_${folder}}")
  endif()
endforeach()
configure_file(cmake/articula.pc.in articula.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/articula.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
