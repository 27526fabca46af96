// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: any bytes as the certificate beside a result, in a report and in a page of the viewer. The
// pages have no markup but that of pages with a sound certificate.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "markup.h"

static char result[FUZZ_PATH_LENGTH], report[FUZZ_PATH_LENGTH], page[FUZZ_PATH_LENGTH];


static void write_pages(const void *certificate, size_t size)
{
  char path[FUZZ_PATH_LENGTH];
  fuzz_write(path, "result/certificate.json", certificate, size);
  REQUIRE(fuzz_command((const char *[]){"report", result, "-o", report, NULL}) == 0);
  REQUIRE(fuzz_command((const char *[]){"view", result, "--html", page, NULL}) == 0);
}


// every text that a certificate can hold, for the markup that goes with it
static const char all[] = "{\"status\": \"failed\", \"verdict\": \"doubtful\", \"reasons\": "
                          "[\"a\", \"b\"], \"error\": {\"message\": \"x\"}, "
                          "\"time\": 1, \"rows\": 3, \"constraints\": {\"rows\": 1, "
                          "\"redundant_rows\": [\"r\"]}, \"moves\": []}";


static void learn(void)
{
  char path[FUZZ_PATH_LENGTH];
  size_t size;
  static const char viewer[] = "<!doctype html><body><!--articula-scenes--></body>";
  setenv("ARTICULA_VIEWER", fuzz_write(path, "viewer.html", viewer, strlen(viewer)), 1);
  fuzz_result(result);
  fuzz_path(report, "report.html");
  fuzz_path(page, "page.html");
  fuzz_path(path, "result/certificate.json");
  char *own = fuzz_read(path, &size);
  write_pages(own, size);
  markup_learn(report);
  markup_learn(page);
  write_pages(all, strlen(all));
  markup_learn(report);
  markup_learn(page);
  free(own);
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (!result[0]) learn();
  write_pages(data, size);
  markup_check(report);
  markup_check(page);
  fuzz_check_plain(report);
  return 0;
}
