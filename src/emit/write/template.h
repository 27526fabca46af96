// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Texts that go into generated files: sources of the library whose lines are written as they are, and templates, whose
// sections are printed with names in the places of their marks.
#ifndef EMIT_TEMPLATE_H
#define EMIT_TEMPLATE_H

#include <stdio.h>

// Lines of emit/machine/dip.h, spatial/interval.h, emit/machine/step_look.h, emit/language/lanes_math.h, emit/machine/simulation_math.h, emit/machine/margin_search.h, step/runge_kutta.h and of the templates in emit/texts, ended by NULL
// (cmake/texts.cmake).
typedef const char *const templateText[];
extern templateText dip_text, interval_text, step_look_text, lanes_math_text, simulation_math_text,
    margin_search_text, runge_kutta_text, machine_text, switching_text, live_text, bridge_text,
    wrapper_py_text, wrapper_f90_text, wrapper_java_text, wrapper_m_text, simulator_text,
    sfunction_text, roads_text, fade_text, heights_text, table_heights_text, road_numbers_text,
    ode45_text, threads_text, mpi_text, lanes_text, cuda_text, cuda_team_text, cuda_lanes_text,
    sincos_text, library_text, matlab_text, python_text, arrays_text, unit_core_text,
    unit_derivatives_text, unit_steps_text, unit_fmi2_text, unit_fmi3_text, fmi2_text, fmi3_text;
void emit_lines(FILE *out, const char *const *lines);

// The lines of a chapter, from "//---- chapter ---" up to the next such line, and an empty one. Functions are
// `static inline` there, or other words in its place.
#define EMIT_INLINE "static inline"
void emit_chapter(FILE *out, const char *const *lines, const char *chapter, const char *linkage);

// A line of a template that begins with conditions, as "[loops]" or "[no loops]", is printed where all of them hold.
typedef struct templateCondition {
  const char *name; // "[loops]"; NULL ends a list
  int holds;
} templateCondition;

// Texts for the marks @, $, ~ and ^; a mark without text represents itself.
typedef struct templateValues {
  const char *name, *function, *word, *other;
  const templateCondition *conditions; // NULL: there are none
} templateValues;

// Print a section: the lines between "==== section" and the next such line.
void template_print(FILE *out, const char *const *text, const char *section,
                    const templateValues *values);

// The lines of a section up to the next such line, and a line without its conditions, NULL: they do not hold.
const char *const *template_section(const char *const *text, const char *section);
int template_is_end(const char *line);
const char *template_line(const char *line, const templateCondition *conditions);

#endif
