# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Formulas whose text serves several scalars: tools/lower.c writes their operators as calls, and the files that compile
# them for dual numbers or symbols include the result as "lowered/FOLDER/FILE.c".
set(lowered_names
  model/heading model/roll_surface road/fade road/heights
  tyre/magic_forces tyre/linear_tyre tyre/bakker tyre/calspan tyre/forces tyre/magic_load tyre/load tyre/transient
  tyre/contact_axes tyre/edge_places)

add_executable(lower tools/lower.c)
target_link_libraries(lower PRIVATE art_flags)
set(lowered_files)
foreach(name ${lowered_names})
  set(source ${PROJECT_SOURCE_DIR}/src/${name}.c)
  set(result ${PROJECT_BINARY_DIR}/lowered/${name}.c)
  get_filename_component(folder ${result} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  # it leaves its memory to the end of the process, of which sanitizers need not tell
  add_custom_command(OUTPUT ${result} DEPENDS lower ${source} VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_PROPERTY:lower,CROSSCOMPILING_EMULATOR>
            $<TARGET_FILE:lower> ${source} ${result})
  list(APPEND lowered_files ${result})
endforeach()
add_custom_target(lowered DEPENDS ${lowered_files})

# The files of force elements that act at ports, for the files that compile them on another scalar.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/element/kinds.h)
file(READ ${PROJECT_SOURCE_DIR}/src/element/kinds.h kinds)
string(REGEX MATCHALL "  K\\([a-z_]+, [A-Za-z]+, AT_PORT\\([a-z_]+\\)" kinds "${kinds}")
set(element_texts)
foreach(line ${kinds})
  string(REGEX REPLACE "^  K\\(([a-z_]+),.*" "\\1" kind "${line}")
  if(line MATCHES "AT_PORT\\(${kind}\\)")
    string(APPEND element_texts "#include \"element/${kind}.c\"\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/lowered/element/texts.h CONTENT "${element_texts}" @ONLY)
