# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The viewer: target `viewer` makes one HTML file, ART_VIEWER_PAGE, with npm and Vite. Without node and npm the
# variable is empty, and `articula view` says that it has no page. An archive of a release (tools/dist.sh) has the page as
# viewer/built/index.html, and needs neither.
find_program(NODE_EXECUTABLE NAMES node nodejs)
find_program(NPM_EXECUTABLE npm)
mark_as_advanced(NODE_EXECUTABLE NPM_EXECUTABLE)

set(viewer_dir ${PROJECT_SOURCE_DIR}/viewer)
if(EXISTS ${viewer_dir}/built/index.html)
  message(STATUS "Viewer: the page of the archive")
  set(ART_VIEWER_PAGE ${viewer_dir}/built/index.html)
  add_custom_target(viewer)
elseif(NODE_EXECUTABLE AND NPM_EXECUTABLE)
  message(STATUS "Viewer: built with ${NPM_EXECUTABLE}")
  set(ART_VIEWER_PAGE ${viewer_dir}/dist/index.html)
  file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${viewer_dir}/src/*.ts ${viewer_dir}/src/*.css)
  add_custom_command(
    OUTPUT ${ART_VIEWER_PAGE}
    COMMAND ${viewer_dir}/build.sh
    DEPENDS ${viewer_sources} ${viewer_dir}/index.html ${viewer_dir}/vite.config.ts ${viewer_dir}/build.sh
            ${viewer_dir}/package-lock.json
    COMMENT "Building the viewer")
  add_custom_target(viewer ALL DEPENDS ${ART_VIEWER_PAGE})
else()
  message(STATUS "Viewer: node or npm not found, 'articula view' will have no page")
  set(ART_VIEWER_PAGE "")
endif()
if(ART_VIEWER_PAGE)
  install(FILES ${ART_VIEWER_PAGE} DESTINATION ${CMAKE_INSTALL_DATADIR}/articula RENAME viewer.html
          COMPONENT command OPTIONAL)
endif()

# the playground is built by `make site`
install(FILES ${PROJECT_SOURCE_DIR}/build/site/pages/play.html DESTINATION ${CMAKE_INSTALL_DATADIR}/articula COMPONENT command OPTIONAL)

# the tests skip themselves, with a line that says why, where node or chromium are absent
if(BUILD_TESTING)
  foreach(kind unit e2e)
    add_test(NAME viewer/viewer_${kind} COMMAND ${viewer_dir}/test/test.sh ${kind})
    set_tests_properties(viewer/viewer_${kind} PROPERTIES LABELS viewer TIMEOUT 600 COST 100 SKIP_RETURN_CODE 77
      ENVIRONMENT "ARTICULA=$<TARGET_FILE:articula_command>")
  endforeach()
endif()
