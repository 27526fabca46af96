#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Whether the program links on a system that the tests do not build for. CMakeLists.txt of FOLDER leaves out sources of ours,
# and C files next to it answer instead: no function that the program calls may be only in a source that is left out. For Windows,
# no function of POSIX may be called that is neither there nor in FOLDER.
#   tools/port/check.py FOLDER BUILD [CC], where FOLDER is tools/site/module or tools/windows, BUILD a native build of the project
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
folder = Path(sys.argv[1]).resolve()
build = Path(sys.argv[2])
compiler = sys.argv[3] if len(sys.argv) > 3 else 'cc'

# functions of POSIX and GNU that Windows lacks, as far as programs like this one call them
POSIX = set('''alarm chmod chown clock_nanosleep dirfd dladdr dladdr1 dlclose dlerror dlinfo dlopen dlsym dprintf execl execle execlp execv
    execve execvp faccessat fchdir fchmod fdopendir flock fmemopen fnmatch fork fstatat fsync ftruncate64 futimens getdelim getdents
    getegid geteuid getgid getline getpgid getppid getpwuid getrandom getrlimit getrusage getuid glob globfree ioctl isatty_r kill
    killpg link localeconv_l lchown linkat lseek64 memfd_create memmem mempcpy mkdirat mkdtemp mkfifo mlock mlockall mmap mprotect
    mremap munmap newlocale nftw nice openat open_memstream pipe pipe2 poll posix_fadvise posix_fallocate posix_memalign posix_spawn
    posix_spawnp prctl pread preadv pselect psignal pwrite random readlink readlinkat realpath regcomp regexec renameat sched_getaffinity
    sched_setaffinity select setenv setitimer setlinebuf setpgid setpriority setrlimit setsid sigaction sigprocmask
    sigwait socketpair stpcpy stpncpy strcasestr strchrnul strndup strptime strsep strsignal symlink symlinkat sync
    sysconf sysinfo tcgetattr tcsetattr timer_create umask uname unlinkat unsetenv uselocale usleep utimensat vasprintf asprintf vdprintf
    wait wait3 wait4 waitid waitpid'''.split())


def symbols(paths):
    """Of each object file the names that it defines and the names that it needs."""
    text = subprocess.run(['nm', '-A', '-P', *paths], capture_output=True, text=True, check=True).stdout
    found = {str(path): (set(), set()) for path in paths}
    for path, name, kind in re.findall(r'^(.*?): (\w+) ([TDBRVWCU])\b', text, re.M):
        found[path][kind == 'U'].add(name)
    return found


def compile_answers(work):
    """The object files of the C files next to CMakeLists.txt."""
    paths = []
    for source in sorted(folder.glob('*.c')):
        paths.append(f'{work}/{source.stem}.o')
        subprocess.run([compiler, '-std=c11', '-w', '-D_POSIX_C_SOURCE=200809L', f'-I{ROOT}/include', f'-I{ROOT}/src', f'-I{ROOT}',
                        *(f'-iquote{ROOT}/cli/{room}' for room in ('', 'run', 'generate', 'export', 'study', 'view')), f'-I{build}',
                        '-c', source, '-o', paths[-1]], check=True)
    return symbols(paths)


def read_answers():
    """Names that the C files next to CMakeLists.txt define, where their headers are those of another system."""
    text = ''.join(path.read_text() for path in [*folder.glob('*.c'), *folder.glob('include/**/*.h')])
    names = set(re.findall(r'^\w[\w *]*?\b(\w+)\([^;{}]*\)\n\{', text, re.M)) | set(re.findall(r'^#define (\w+)', text, re.M))
    for line in re.findall(r'^const \w+ ([^;={]*);', text, re.M):
        names |= set(re.findall(r'\w+', line))
    return {'the files beside it': (names, set())}


left_out = [re.compile(rule.replace('\\\\', '\\')) for rule in
            re.findall(r'FILTER ours EXCLUDE REGEX "(.*)"\)', (folder / 'CMakeLists.txt').read_text())]
inside, outside = [], []
for target in ('objects', 'show', 'verbs', 'command', 'schedule', 'units'):
    objects = build / f'CMakeFiles/articula_{target}.dir'
    for path in sorted(objects.rglob('*.c.o')):
        (outside if any(rule.search('/' + str(path.relative_to(objects))) for rule in left_out) else inside).append(path)
left = set().union(*(defined for defined, _ in symbols(outside).values()))
is_windows = folder.name == 'windows'
definer, needs = {}, {}
with tempfile.TemporaryDirectory() as work:
    for path, (defined, needs[path]) in {**(read_answers() if is_windows else compile_answers(work)), **symbols(inside)}.items():
        definer.update({name: path for name in defined if name not in definer})

# files from which main can come to others
reached, waiting = set(), [definer['main']]
if is_windows:
    waiting = [path for path in needs if not path.endswith('.h')]
while waiting:
    path = waiting.pop()
    if path not in reached:
        reached.add(path)
        waiting += [definer[name] for name in needs[path] if name in definer]


def is_of_linux(path):
    """A file that has other code where the system is not Linux."""
    source = re.search(r'\.dir/(.*)\.o$', path)
    return bool(source) and (ROOT / source[1]).exists() and '__linux__' in (ROOT / source[1]).read_text()


missing = {(name, path) for path in reached for name in needs[path] if name in left and name not in definer}
if is_windows:
    missing |= {(name, path) for path in reached if not is_of_linux(path) for name in needs[path] if name in POSIX and name not in definer}
for name, path in sorted(missing, key=str):
    where = folder.relative_to(ROOT)
    print(f'{Path(path).stem} needs {name}, which {where} leaves out or its system lacks: a file of {where} must answer', file=sys.stderr)
print(f'{len(reached)} files in the program, {len(missing)} functions missing')
sys.exit(1 if missing else 0)
