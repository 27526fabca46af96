// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The command, for fuzz targets.
#define _XOPEN_SOURCE 700 // dup2
#include "harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

// with few faces to draw
const char fuzz_pendulum[] = "articula: 1\n"
                             "title: Pendulum\n"
                             "parameters: {m: 1 kg}\n"
                             "ground: {visual: []}\n"
                             "bodies:\n"
                             "  rod: {mass: = m, com: [0, 0, -1], inertia: [0.1, 0.1, 0.1], "
                             "visual: {type: box, size: [0.1, 0.1, 1]}}\n"
                             "joints: {pin: {type: revolute, axis: y, from: ground, to: rod}}\n"
                             "initial: {pin: {angle: 0.5}}\n"
                             "outputs: {angle: pin.angle, rate: pin.rate}\n"
                             "study: {type: run, until: 0.02, interval: 0.01}\n";


static int call_command(int argc, char **argv)
{
  cliCall call;
  artError error = {0};
  if (cli_parse(&call, argc, argv, &error)) return cli_fail(&call, &error);
  return cli_do(&call);
}


int fuzz_command(const char *const *words)
{
  char *argv[32] = {"articula"};
  int argc = 1;
  for (; words[argc - 1]; argc++) argv[argc] = (char *) words[argc - 1];

  // the descriptors lead elsewhere meanwhile
  char path[2][FUZZ_PATH_LENGTH];
  fflush(NULL);
  const int out = dup(1), err = dup(2);
  for (int fd = 1; fd <= 2; fd++) {
    const int file =
        open(fuzz_path(path[fd - 1], fd == 1 ? "out" : "err"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    REQUIRE(file >= 0 && dup2(file, fd) == fd);
    close(file);
  }
  const int status = call_command(argc, argv);
  fflush(NULL);
  dup2(out, 1);
  dup2(err, 2);
  close(out), close(err);
  fuzz_check_plain(path[0]);
  fuzz_check_plain(path[1]);
  REQUIRE(status >= 0 && status <= 2);
  return status;
}


char *fuzz_result(char path[FUZZ_PATH_LENGTH])
{
  static int is_there;
  char model[FUZZ_PATH_LENGTH];
  fuzz_path(path, "result");
  if (is_there) return path;
  is_there = 1;
  fuzz_write(model, "pendulum.yaml", fuzz_pendulum, strlen(fuzz_pendulum));
  REQUIRE(fuzz_command((const char *[]){"run", model, "-o", path, NULL}) == 0);
  return path;
}
