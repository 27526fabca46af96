// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The checker of functional mock-up units passes units that are right, and finds mistakes that were made on purpose (test/fmi/make_unit.py).
//
//   test_fmi_checker UNIT.fmu ...   checks these units instead
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "support/check.h"
#include "support/folder.h"
#include "support/unit_checker.h"

#define FMI ART_SOURCE_DIR "/test/fmi"

enum {
  HAS_XML =
#ifdef ART_HAVE_EXPAT
      1
#else
      0
#endif
};


static checkReport check_made(const char *name, int version, const char *way, FILE *out)
{
  folder_run(folder_own(), "python3 " FMI "/make_unit.py %s %d unit.fmu --break '%s'", name,
             version, way);
  return checker_check(folder_path("unit.fmu"), FMI, out);
}


TEST(units_that_are_right_pass)
{
  static const char *const names[] = {"dahlquist", "ball", "pi"};
  for (int i = 0; i < 3 && HAS_XML; i++) {
    for (int version = 2; version <= 3; version++) {
      const checkReport report = check_made(names[i], version, "", stdout);
      CHECK_EQ_INT(report.failures, 0);
      CHECK(report.checks > 1000);
      CHECK(report.worst_derivative < 1e-12);
    }
  }
}


TEST(mistakes_that_were_made_on_purpose_are_found)
{
  static const char *const ways[] = {"order", "early",  "mute", "kept",  "bytes", "reset",
                                     "slope", "shared", "nan",  "token", "start", "number",
                                     "loud",  "late",   "kind", "on",    "never"};
  for (size_t i = 0; i < sizeof ways / sizeof *ways && HAS_XML; i++) {
    const checkReport report = check_made("pi", 2 + (int) i % 2, ways[i], NULL);
    if (!CHECK(report.failures > 0)) printf("'%s' is not found\n", ways[i]);
  }
}


TEST(descriptions_that_break_the_schema_are_found)
{
  if (!HAS_XML || system("command -v xmllint > /dev/null") != 0) return;
  for (int version = 2; version <= 3; version++) {
    folder_run(folder_own(),
               "python3 " FMI "/make_unit.py pi %d unit.fmu && unzip -qo unit.fmu -d open || "
               "python3 -m zipfile -e unit.fmu open",
               version);
    static const char *const change[] = {"s/causality=.parameter./causality=\"parametre\"/",
                                         "s/<ModelStructure>/<ModelStructure\\/>/",
                                         "s/valueReference=.3./valueReference=\"x\"/",
                                         "s/name=.kp./name=\"ki\"/",
                                         "s/<Unit name=.1.s.\\/>//",
                                         "s/modelIdentifier=.pi./modelIdentifier=\"p i\"/"};
    folder_run(folder_own(), "xmllint --noout --schema " FMI "/fmi%d.xsd open/modelDescription.xml",
               version);
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
      folder_run(
          folder_own(),
          "sed '%s' open/modelDescription.xml > changed.xml && ! xmllint --noout --schema " FMI
          "/fmi%d.xsd changed.xml",
          change[i], version);
    }
  }
}


int main(int argc, char **argv)
{
  if (argc < 2 || !file_has_ending(argv[1], ".fmu")) return check_main(argc, argv);
  int failures = 0;
  for (int i = 1; i < argc; i++) {
    const checkReport report = checker_check(argv[i], FMI, stdout);
    printf("%s: %d checks, %d failed, derivatives off by %.1e\n", argv[i], report.checks,
           report.failures, report.worst_derivative);
    failures += report.failures;
  }
  return failures > 0;
}
