// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: a scene file with any bytes of it changed, and any text in the place of its header, in a report, a
// page of the viewer and as glTF. The pages have no markup but that of the sound one.
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "markup.h"

static char result[FUZZ_PATH_LENGTH], report[FUZZ_PATH_LENGTH], glb[FUZZ_PATH_LENGTH];
static char *scene;
static size_t length;


static void show(const void *bytes, size_t size)
{
  char path[FUZZ_PATH_LENGTH];
  fuzz_write(path, "result/scene.arts", bytes, size);
  if (fuzz_command((const char *[]){"report", result, "-o", report, NULL}) == 0) {
    if (bytes != scene) markup_check(report);
    fuzz_check_plain(report);
  }
  (void) fuzz_command((const char *[]){"export", result, "--glb", glb, NULL});
}


// the sound page, and the power of ten that axes of large numbers have above them
static void learn(void)
{
  static const char power[] = "<text x=\"0\" y=\"0\" text-anchor=\"start\" font-size=\"11\">";
  char path[FUZZ_PATH_LENGTH];
  fuzz_result(result);
  fuzz_path(report, "report.html");
  fuzz_path(glb, "machine.glb");
  scene = fuzz_read(fuzz_path(path, "result/scene.arts"), &length);
  show(scene, length);
  markup_learn(report);
  fuzz_write(path, "power.svg", power, sizeof power - 1);
  markup_learn(path);
}


// the input, with spaces behind it, in the place of the header
static void show_header(const uint8_t *data, size_t size)
{
  uint32_t header;
  memcpy(&header, scene + 12, 4);
  char *changed = malloc(length);
  REQUIRE(changed && 16 + header <= length);
  memcpy(changed, scene, length);
  memset(changed + 16, ' ', header);
  memcpy(changed + 16, data, size < header ? size : header);
  show(changed, length);
  free(changed);
}


// header text in which the input replaces what stands at its first two bytes
static void show_splice(const uint8_t *data, size_t size)
{
  uint32_t header;
  memcpy(&header, scene + 12, 4);
  if (size < 3) return;
  const size_t at = 16 + (data[0] * 256u + data[1]) % header, room = 16 + header - at;
  char *changed = fuzz_text((const uint8_t *) scene, length);
  memcpy(changed + at, data + 2, size - 2 < room ? size - 2 : room);
  show(changed, length);
  free(changed);
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (!scene) learn();
  char *changed = fuzz_change(scene, length, data, size);
  show(changed, length);
  free(changed);
  show_header(data, size);
  show_splice(data, size);
  return 0;
}
