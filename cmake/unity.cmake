# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Sources are joined to batches that compile as one file each where ART_UNITY is set: less time for the same program.
# Preset dev compiles every file alone, so that each includes what it needs; its warnings are errors there. Batches do not
# warn of names that hide others, for they see the headers of all their files.
option(ART_UNITY "Compile sources in batches" OFF)
set(ART_UNITY_SIZE 16 CACHE STRING "Sources of a batch, at most")

find_program(PYTHON3 python3 PATHS /usr/bin NO_DEFAULT_PATH)
mark_as_advanced(PYTHON3)

# The files to compile for some sources; OPTIONS are those of each batch.
function(art_join result name)
  cmake_parse_arguments(PARSE_ARGV 2 join "" "" "SOURCES;OPTIONS")
  set(files ${join_SOURCES})
  if(ART_UNITY AND PYTHON3 AND files)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files} ${PROJECT_SOURCE_DIR}/tools/unity.py)
    execute_process(COMMAND ${PYTHON3} ${PROJECT_SOURCE_DIR}/tools/unity.py ${PROJECT_BINARY_DIR}/unity/${name} ${ART_UNITY_SIZE} ${files}
                    OUTPUT_VARIABLE files OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE "\n" ";" files "${files}")
    set(batches ${files})
    list(FILTER batches INCLUDE REGEX "^${PROJECT_BINARY_DIR}/unity/")
    set_source_files_properties(${batches} PROPERTIES COMPILE_OPTIONS "-Wno-shadow;-Wno-error;${join_OPTIONS}")
  endif()
  set(${result} ${files} PARENT_SCOPE)
endfunction()
