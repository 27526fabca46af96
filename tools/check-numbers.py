#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
"""Refuse numbers and letters that are read or written by the host's locale.

    tools/check-numbers.py [FILE...]

The functions of printf write 1,5 after setlocale(LC_ALL, "de_DE.UTF-8"), strtod stops at the point of 1.5, and glibc prints -nan
for a NaN whose sign is set. src/base/format.h writes and reads numbers in one way everywhere. This check finds, in src, cli, show
and python/src, calls of printf and its relatives whose format has a conversion of doubles or is not a string literal, and every
call of strtod, atof, scanf and their relatives. With tr_TR toupper('i') is not 'I': functions of <ctype.h> and strcasecmp are
refused as well, src/base/ascii.h has others.

It also finds functions of the interface that compute or read text and do not set the usual arithmetic first (ARITHMETIC_GUARD of
src/base/arithmetic.h).
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OWN = "src/base/format.c"

# index of the format among the arguments
WRITERS = {"printf": 0, "fprintf": 1, "dprintf": 1, "sprintf": 1, "snprintf": 2, "asprintf": 1,
           "PyOS_snprintf": 2, "PySys_WriteStdout": 0}
WRITERS_OF_LISTS = {"vprintf", "vfprintf", "vdprintf", "vsprintf", "vsnprintf", "vasprintf"}
READERS = {"strtod", "strtof", "strtold", "atof", "strtod_l"}
LETTERS = {"isalpha", "isalnum", "isspace", "isdigit", "isxdigit", "isupper", "islower", "isprint", "ispunct", "isgraph", "iscntrl",
           "isblank", "toupper", "tolower", "strcasecmp", "strncasecmp", "strcoll", "strxfrm"}
SCANNERS = {"scanf": 0, "fscanf": 1, "sscanf": 1}
CONVERSION = re.compile(r"%[-+ #0']*(?:\*|\d+)?(?:\.(?:\*|\d*))?(?:hh|h|ll|l|L|q|j|z|t)?([a-zA-Z%])")
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[A-Za-z_]\w*|\s+|.', re.S)


def tokens_of(text):
    """Tokens with their lines, without comments and blanks."""
    line, found = 1, []
    for match in TOKEN.finditer(text):
        token = match.group()
        if not token.isspace() and not token.startswith(("//", "/*")):
            found.append((token, line))
        line += token.count("\n")
    return found


def arguments_of(tokens, at):
    """The arguments of the call whose opening parenthesis is tokens[at], each a list of tokens."""
    depth, arguments = 0, [[]]
    for token, _ in tokens[at:]:
        if token in "([{":
            depth += 1
            if depth == 1:
                continue
        elif token in ")]}":
            depth -= 1
            if depth == 0:
                break
        if token == "," and depth == 1:
            arguments.append([])
        else:
            arguments[-1].append(token)
    return arguments


def fault_of_format(arguments, index):
    """What is wrong with the format of a call, or None."""
    if index >= len(arguments):
        return None
    parts = [token for token in arguments[index] if token != "\\"]
    strange = [token for token in parts if not token.startswith('"') and not token.startswith("PRI")]
    if strange or not parts:
        return f"has the format {' '.join(parts)}, which is not a string literal"
    text = "".join(token[1:-1] for token in parts if token.startswith('"'))
    doubles = [m.group() for m in CONVERSION.finditer(text) if m.group(1) in "aefgAEFG"]
    return f"converts a double by {doubles[0]}" if doubles else None


def faults_of(text):
    """Lines and sentences about a source file."""
    tokens = tokens_of(text)
    for i, (token, line) in enumerate(tokens[:-1]):
        before = tokens[i - 1][0] if i else ""
        if token in READERS or token in WRITERS_OF_LISTS:
            yield line, f"{token} depends on the locale; use base/format.h"
        elif token in LETTERS:
            yield line, f"{token} depends on the locale; use base/ascii.h"
        elif tokens[i + 1][0] == "(" and before not in (".", ">"):
            if token in WRITERS:
                fault = fault_of_format(arguments_of(tokens, i + 1), WRITERS[token])
            elif token in SCANNERS:
                fault = fault_of_format(arguments_of(tokens, i + 1), SCANNERS[token])
            else:
                continue
            if fault:
                yield line, f"{token} {fault}; use base/format.h"


# these hand out what is there, or free it
HANDS_OUT = re.compile(
    r"art_(free|default|find|version|is_foreign|import_|generated_|count)\w*|art_get_(input|state|signal|tyre_\w+)|art_tyre_\w+_in_sae|"
    r"art_set_(allocator|sandbox|title|projection)|art_create_builder|art_check_functions|art_scheduled_operation|art_method_reads|"
    r"art_\w+_(name|text|unit|ending|help|info|size|width|hash|revision|level|note|value|is_\w+)|art_title|art_output|art_kernel")
DEFINITION = re.compile(r"^[a-zA-Z_][\w *]*?\b(art_\w+)\([^;{]*?\)\n\{\n(.*?)^\}", re.M | re.S)


def unguarded_functions():
    """Definitions of functions of include/articula that neither begin by the guard nor only hand something out."""
    public = set()
    for header in (ROOT / "include/articula").glob("*.h"):
        public.update(re.findall(r"ART_API[^;]*?\b(art_\w+)\s*\(", header.read_text()))
    for file in sorted((ROOT / "src").rglob("*.c")):
        for name, body in DEFINITION.findall(file.read_text()):
            is_adding = name.startswith("art_add_") and "builder_" in body
            if name in public and "ARITHMETIC_GUARD" not in body and not is_adding and not HANDS_OUT.fullmatch(name):
                yield f"{file}: {name}"


def main():
    if len(sys.argv) > 1:
        files = [pathlib.Path(name) for name in sys.argv[1:]]
    else:
        files = sorted(f for folder in ("src", "cli", "show", "python/src") for f in (ROOT / folder).rglob("*")
                       if f.suffix in (".c", ".h") and str(f.relative_to(ROOT)) != OWN)
        if len(files) < 100:
            sys.exit("check-numbers: the sources were not found")
    count = 0
    for file in files:
        for line, sentence in faults_of(file.read_text()):
            print(f"{file}:{line}: {sentence}")
            count += 1
    for place in unguarded_functions() if len(sys.argv) == 1 else ():
        print(f"{place} computes by the arithmetic of the host; begin it with ARITHMETIC_GUARD")
        count += 1
    if count:
        sys.exit(1)
    print(f"check-numbers: {len(files)} files read and write numbers by base/format.h, and letters by base/ascii.h, alone")


if __name__ == "__main__":
    main()
