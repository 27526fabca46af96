// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The declarations of FMI 2.0 and 3.0: they stand alone in C99 and C++, and their types are as wide as the standard says.
#include "emit/fmu/fmu_sources.h"
#include "fmi/fmi2.h"
#include "fmi/fmi3.h"
#include "support/check.h"
#include "support/folder.h"

#include <stdlib.h>

#define COUNT(type, name, arguments) +1

#define NAME(type, name, arguments) #name,


TEST(every_function_of_the_standard_is_declared_once)
{
  static const char *const name[] = {FMI2_FUNCTIONS(NAME) FMI3_FUNCTIONS(NAME)};
  CHECK_EQ_INT(FMI2_FUNCTIONS(COUNT), 44);
  CHECK_EQ_INT(FMI3_FUNCTIONS(COUNT), 75);
  for (int i = 0; i < 44 + 75; i++) {
    for (int j = 0; j < i; j++) CHECK(strcmp(name[i], name[j]) != 0);
  }
}


TEST(types_of_version_2_are_plain_ones_of_c)
{
  CHECK_EQ_INT(sizeof(fmi2Boolean), sizeof(int));
  CHECK_EQ_INT(sizeof(fmi2ValueReference), 4);
  CHECK_EQ_INT(fmi2Pending, 5);
  CHECK_EQ_INT(fmi2CoSimulation, 1);
  CHECK_EQ_INT(fmi2Terminated, 3);
  CHECK_EQ_INT(sizeof(fmi2CallbackFunctions), 5 * sizeof(void *));
  CHECK_EQ_INT(offsetof(fmi2EventInfo, nextEventTime), 24);
}


TEST(types_of_version_3_are_of_fixed_width)
{
  CHECK_EQ_INT(sizeof(fmi3Boolean), 1);
  CHECK_EQ_INT(sizeof(fmi3Clock), 1);
  CHECK_EQ_INT(sizeof(fmi3Byte), 1);
  CHECK(((fmi3Byte) -1) > 0);
  CHECK_EQ_INT(sizeof(fmi3ValueReference), 4);
  CHECK_EQ_INT(fmi3Fatal, 4);
  CHECK_EQ_INT(fmi3Dependent, 5);
  CHECK_EQ_INT(fmi3IntervalChanged, 2);
}


// the declarations alone in a file, as units have them, and the names that a compiler makes of them
static void compile(const char *words, int version, const char *count, const char *names)
{
  FILE *file = folder_open(folder_own(), "fmi.h", "w");
  if (!CHECK(file != NULL)) return;
  emit_unit_standard(file, version);
  fclose(file);
  folder_run(folder_own(),
             "%s -pedantic -Wall -Wextra -Werror -fsyntax-only -include ./fmi.h empty"
             " && test $(%s -E -include ./fmi.h empty | grep -oE 'TYPE %s' | wc -l) = %s",
             words, words, names, count);
}


TEST(declarations_stand_alone_in_c99_and_in_cpp)
{
  folder_run(folder_own(), ": > empty");
  compile("cc -std=c99 -x c", 2, "44", "fmi2");
  compile("cc -std=c99 -x c", 3, "75", "fmi3");
  if (system("command -v c++ > /dev/null 2>&1") != 0) return;
  compile("c++ -std=c++11 -x c++", 2, "44", "fmi2");
  compile("c++ -std=c++11 -x c++", 3, "75", "fmi3");
}


TEST(functions_of_sources_carry_a_prefix_unless_the_builder_says_another)
{
  folder_run(folder_own(), ": > empty");
  compile("cc -std=c99 -DFMI2_FUNCTION_PREFIX=arm_ -x c", 2, "44", "arm_fmi2");
  compile("cc -std=c99 -DFMI3_FUNCTION_PREFIX=arm_ -x c", 3, "75", "arm_fmi3");
  compile("cc -std=c99 -DFMI3_FUNCTION_PREFIX=arm_ -DFMI3_OVERRIDE_FUNCTION_PREFIX -x c", 3, "75",
          "fmi3");
  compile("cc -std=c99 -DFMI2_FUNCTION_PREFIX=arm_ -DFMI2_OVERRIDE_FUNCTION_PREFIX"
          " -DFMI2_ACTUAL_FUNCTION_PREFIX=leg_ -x c",
          2, "44", "leg_fmi2");
}
