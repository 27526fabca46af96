#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Press TAB in an interactive shell.

    complete.py SHELL COMPLETION FOLDER LINE...

Each LINE is typed after COMPLETION has been read, in FOLDER, with a TAB for each ^ and Return at its end. What the terminal
shows is printed.
"""
import os
import pty
import select
import sys
import time

ARGUMENTS = {"bash": ["--norc", "--noprofile", "-i"], "zsh": ["-f", "-i"], "fish": ["--no-config", "-i"]}


def read_until(terminal, text, limit, quiet=3):
    """What the terminal shows until `text` is in it, nothing came for `quiet` seconds, or `limit` seconds have passed."""
    shown, end = b"", time.monotonic() + limit
    while text not in shown and time.monotonic() < end and select.select([terminal], [], [], quiet)[0]:
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            break
    return shown


def main():
    shell, completion, folder, *lines = sys.argv[1:]
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.update(TERM="dumb", HOME=folder, PS1="$ ", HISTFILE="")
        os.execvp(shell, [shell, *ARGUMENTS[shell]])
    if shell == "zsh":
        os.write(terminal, b"autoload -Uz compinit; compinit -u -D; unsetopt LIST_AMBIGUOUS\n")
    # the shell writes the marker, the echo of what is typed does not have it
    os.write(terminal, f"source '{completion}'; echo rea''dy\n".encode())
    shown = read_until(terminal, b"ready\r\n", 20)
    for i, line in enumerate(lines):
        for k, part in enumerate(line.split("^")):
            if k > 0:
                os.write(terminal, b"\t")
                shown += read_until(terminal, b"\0", 3, 0.3)
            os.write(terminal, part.encode())
        os.write(terminal, f"\necho do''ne-{i}\n".encode())
        shown += read_until(terminal, f"done-{i}\r".encode(), 5)
    os.write(terminal, b"exit\n")
    shown += read_until(terminal, b"\0", 2, 0.1)
    os.close(terminal)
    sys.stdout.write(shown.decode(errors="replace"))


main()
