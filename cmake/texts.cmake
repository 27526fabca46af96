# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Texts that are written into generated files become arrays of lines: sources that are also compiled here, from their
# first line that begins with //---- on, and templates, from their first section on (emit/write/template.h).
set(embedded_text ${PROJECT_BINARY_DIR}/embedded_text.c)
set(embedded "#include \"emit/write/template.h\"\n")
file(GLOB templates CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/src/emit/texts/*.in)
foreach(source emit/machine/dip.h spatial/interval.h emit/machine/step_look.h emit/language/lanes_math.h emit/machine/simulation_math.h emit/machine/margin_search.h step/runge_kutta.h
    fmi/fmi2.h fmi/fmi3.h road/road_numbers.h road/fade.c road/heights.c road/table_heights.c ${templates})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${source})
  file(READ ${PROJECT_SOURCE_DIR}/src/${source} text)
  get_filename_component(name ${source} NAME_WE)
  if(source MATCHES "wrapper\\.(py|f90|java|m)\\.in")
    set(name wrapper_${CMAKE_MATCH_1})
  endif()
  string(REGEX MATCH "\n(//----|====)" first "${text}")
  string(FIND "${text}" "${first}" begin)
  math(EXPR begin "${begin} + 1")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  string(REPLACE "\n" "\",\n    \"" text "${text}")
  string(APPEND embedded "\n// src/${source}\nconst char *const ${name}_text[] = {\n    \"${text}\",\n    0,\n};\n")
endforeach()
file(CONFIGURE OUTPUT ${embedded_text} @ONLY CONTENT "@embedded@")
