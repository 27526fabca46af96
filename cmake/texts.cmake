# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Sources that are compiled here and also written into generated files: their text, from the first line that
# begins with //---- on, becomes an array of lines.
set(embedded_text ${PROJECT_BINARY_DIR}/embedded_text.c)
set(embedded "#include \"emit/text.h\"\n")
foreach(source emit/lanes_math.h emit/simulation_math.h step/runge_kutta.h)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${source})
  file(READ ${PROJECT_SOURCE_DIR}/src/${source} text)
  get_filename_component(name ${source} NAME_WE)
  string(FIND "${text}" "//----" begin)
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\",\n    \"" text "${text}")
  string(APPEND embedded "\n// src/${source}\nconst char *const ${name}_text[] = {\n    \"${text}\",\n    0,\n};\n")
endforeach()
file(CONFIGURE OUTPUT ${embedded_text} @ONLY CONTENT "@embedded@")
