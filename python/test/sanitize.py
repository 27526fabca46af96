# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""The extension module under address, leak and undefined-behaviour sanitizers, which the interpreter loads first:

    sanitize.py COMPILER [OBJECTS [SECONDS]]

10^5 objects of every kind leave nothing behind, and a leak that is planted is noticed; random calls touch no memory that is not
theirs. Memory that the interpreter itself and NumPy leave at their end does not count: leaks are ours where the library stands in the
stack that took the memory."""
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def preload(compiler):
    """The libraries of the sanitizers, as the compiler knows them."""
    paths = [subprocess.run([compiler, f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()
             for name in ("libasan.so", "libubsan.so")]
    return " ".join(os.path.realpath(path) for path in paths)


def watch(libraries, *words, names=False):
    """Run a script; (errors that sanitizers and the script report, leaks of ours). With names, which take their time, functions
    stand in the stacks in the place of the library's file."""
    options = f"detect_leaks=1:exitcode=0:malloc_context_size=12:allocator_may_return_null=1:symbolize={int(names)}"
    env = {**os.environ, "LD_PRELOAD": libraries, "ASAN_OPTIONS": options, "UBSAN_OPTIONS": "print_stacktrace=1",
           "PYTHONMALLOC": "malloc"}
    done = subprocess.run([sys.executable, *map(str, words)], capture_output=True, text=True, env=env, check=False)
    text = done.stderr + done.stdout
    records = re.split(r"\n(?=Direct leak|Indirect leak|SUMMARY)", text)
    leaks = [record for record in records if "leak of" in record.splitlines()[0] and re.search(r"_articula|\.c:[0-9]", record)]
    errors = re.findall(r"ERROR: AddressSanitizer.*|runtime error:.*", text)
    if done.returncode:
        errors.append(f"{words[0]} ended with {done.returncode}: {text[-3000:]}")
    return errors, leaks


def expect(is_so, what):
    if not is_so:
        sys.exit(what)


def check(libraries, *words):
    errors, leaks = watch(libraries, *words)
    if errors or leaks:
        errors, leaks = watch(libraries, *words, names=True)
    expect(not errors and not leaks, "\n".join(errors + leaks[:5]))


def main():
    libraries = preload(sys.argv[1])
    objects = sys.argv[2] if len(sys.argv) > 2 else "100000"
    seconds = sys.argv[3] if len(sys.argv) > 3 else "10"
    errors, leaks = watch(libraries, HERE / "objects.py", "1000", "leak")
    expect(not errors and leaks, f"the planted leak was not noticed: {errors}")
    check(libraries, HERE / "objects.py", objects)
    check(libraries, HERE / "random_calls.py", seconds)
    print(f"{objects} objects and {seconds} s of random calls left nothing behind")


main()
