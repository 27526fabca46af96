# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# The text of src/emit/lanes_math.h as lines of C, for generated files.
set(lanes_source ${PROJECT_SOURCE_DIR}/src/emit/lanes_math.h)
set(lanes_text ${PROJECT_BINARY_DIR}/lanes_text.c)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lanes_source})
file(READ ${lanes_source} text)
string(FIND "${text}" "//----" begin)
string(SUBSTRING "${text}" ${begin} -1 text)
string(REPLACE "\\" "\\\\" text "${text}")
string(REPLACE "\"" "\\\"" text "${text}")
string(REPLACE "\n" "\",\n    \"" text "${text}")
file(CONFIGURE OUTPUT ${lanes_text} @ONLY CONTENT
"// Made from src/emit/lanes_math.h by cmake/lanes.cmake.
#include \"emit/lanes.h\"

const char *const lanes_math_text[] = {
    \"@text@\",
    0,
};
")
