// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The command `articula`: one verb a file.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "num/dense.h"


// the output must have arrived, unless the call failed already
static int finish_output(int exit_status)
{
  if (fflush(stdout) == 0 && !ferror(stdout)) return exit_status;
  fprintf(stderr, "standard output: cannot write\n");
  return exit_status ? exit_status : CLI_FAILED;
}


int main(int argc, char **argv)
{
  // a stream that the caller has closed must not become the first file that is opened; what is written to it fails
  for (int fd = 0; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) < 0) (void) open("/dev/null", O_RDONLY);
  }
  room_take(1);
  interrupt_prepare();
  cliCall call;
  artError error = {0};
  if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
    printf("articula %s\n", art_version());
    return finish_output(CLI_DONE);
  }
  if (argc == 1) {
    cli_help(stderr, NULL);
    return CLI_WRONG;
  }
  if (cli_parse(&call, argc, argv, &error)) return finish_output(cli_fail(&call, &error));
  if (call.help) {
    cli_help(stdout, call.verb);
    return finish_output(CLI_DONE);
  }
  if (call.quiet && !call.json && !freopen("/dev/null", "w", stdout)) return CLI_FAILED;
  num_use_one_thread();
  art_set_sandbox(call.no_sandbox ? ART_SANDBOX_OFF : ART_SANDBOX_REQUIRED);
  return finish_output(cli_do(&call));
}
