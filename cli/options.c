// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// One table of verbs and one of options: they drive parsing, help, suggestions and completion.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/named.h"
#include "command.h"
#include "emit/language/options.h"
#include "generate/product.h"
#include "model/define/study_def.h"
#include "model/methods.h"
#include "split/split_way.h"

enum {
  CHECK = 1,
  INFO = 2,
  RUN = 4,
  EQUIL = 8,
  LINEAR = 16,
  INVERSE = 32,
  ASSEMBLE = 64,
  COMPARE = 128,
  BENCH = 256,
  GENERATE = 512,
  PLOT = 1024,
  KINEMATICS = 2048,
  RESPONSE = 4096,
  VIEW = 8192,
  REPORT = 1 << 14,
  EXPORT = 1 << 15,
  IMPORT = 1 << 19,
  COMPLETION = 1 << 20,
  PLAY = 1 << 21,
  SWEEP = 1 << 16,
  SPLIT = 1 << 17,
  SCHEDULE = 1 << 18,
  ALL = 0x7fffffff,
  MODELS = CHECK | INFO | RUN | EQUIL | LINEAR | INVERSE | ASSEMBLE | COMPARE | GENERATE |
           KINEMATICS | RESPONSE | SWEEP | SPLIT | SCHEDULE |
           EXPORT,                  // verbs that read a model file
  FOREIGN = MODELS | VIEW | IMPORT, // verbs that read files of other programs
};

//---- words that options may be -------------------------------------------------------------------

// the k-th of these words, or of the words of an enumeration with a number of members; NULL after the last
#define WORDS(name, ...)                                                                           \
  static const char *name(int k)                                                                   \
  {                                                                                                \
    static const char *const words[] = {__VA_ARGS__, NULL};                                        \
    return words[k];                                                                               \
  }
#define MEMBERS(name, type, count, name_of)                                                        \
  static const char *name(int k)                                                                   \
  {                                                                                                \
    return k < (int) (count) ? name_of((type) k) : NULL;                                           \
  }

MEMBERS(language_name, emitLanguage, EMIT_ALL_LANGUAGES, emit_language_name)
MEMBERS(precision_name, artPrecision, ART_PRECISIONS, art_precision_name)
MEMBERS(scheme_name, artScheme, ART_SCHEMES, art_scheme_name)
MEMBERS(sampling_name, artSampling, ART_SAMPLINGS, art_sampling_name)
MEMBERS(way_name, splitWay, SPLIT_WAYS, split_way_name)
WORDS(log_name, "x", "y", "xy")
WORDS(parallel_name, "threads", "mpi")
WORDS(base_name, "fixed", "free")
WORDS(fmi_version_name, "2", "3")
WORDS(unit_kind_name, "both", "me", "cs")


// gpu, cpu, and the one that there is
static const char *device_name(int k)
{
  return k < ART_DEVICES ? art_device_name((artDevice) k) : k == ART_DEVICES ? "auto" : NULL;
}


//---- the tables ----------------------------------------------------------------------------------

// kind, place in the call, and words of an option
#define FLAG(field)          OPTION_FLAG, offsetof(cliCall, field), NULL
#define TEXT(field)          OPTION_TEXT, offsetof(cliCall, field), NULL
#define WORD(field, words)   OPTION_TEXT, offsetof(cliCall, field), words
#define LIST(field)          OPTION_LIST, offsetof(cliCall, field), NULL
#define PAIR(field)          OPTION_PAIR, offsetof(cliCall, field), NULL
#define TIME(field)          OPTION_TIME, offsetof(cliCall, field), NULL
#define SPEED(field)         OPTION_SPEED, offsetof(cliCall, field), NULL
#define NUMBER(field)        OPTION_NUMBER, offsetof(cliCall, field), NULL
#define CHOICE(field, words) OPTION_CHOICE, offsetof(cliCall, field), words

// clang-format off
static const cliOption options[] = {
    {"study", 0, "NAME", TEXT(study), RUN | EQUIL | LINEAR | INVERSE | COMPARE | KINEMATICS |
     RESPONSE | SWEEP | GENERATE | EXPORT,
     "the study of the model file to use; else the first of its type"},
    {"method", 0, "M", CHOICE(method, method_word), RUN | LINEAR | SWEEP,
     "automatic; trees: {trees}; loops: {loops};\n"
     "natural coordinates: {natural};\n"
     "{compiled}: equations compiled for this machine"},
    {"integrator", 0, "I", CHOICE(integrator, integrator_word), RUN | COMPARE | BENCH | SWEEP,
     "of relative coordinates: {words}"},
    {"algebra", 0, "A", CHOICE(algebra, algebra_word), RUN | SWEEP,
     "of {reduced}: plain, dense or sparse; of natural coordinates: dense or sparse"},
    {"step", 0, "H", TIME(step), RUN | COMPARE | BENCH | SWEEP | EXPORT,
     "step of rk4, {stepped}; first step of the others"},
    {"tolerance", 0, "R", NUMBER(tolerance), RUN | COMPARE | BENCH | SWEEP,
     "relative error allowed in a step; the absolute one is R/1000"},
    {"option", 0, "KEY=VALUE", LIST(option), RUN | SWEEP,
     "any single key of the study as in a model file: alpha=5, projections=no, hht=-0.1;\n"
     "may be given several times"},
    {"functions", 0, "LIB", LIST(functions), MODELS | VIEW,
     "a shared object with the functions that the model file names; it is loaded and\n"
     "called; may be given several times"},
    {"allow-native", 0, "FILE", LIST(natives), RUN,
     "an FMU that the file names and that may be loaded: its native code has all your\n"
     "rights; may be given several times"},
    {"no-native", 0, NULL, FLAG(no_native), RUN | LINEAR | COMPARE | SWEEP,
     "load no native code at all: refuse FMUs, --functions and compiled equations"},
    {"set", 0, "NAME=VALUE", LIST(set), MODELS | EXPORT | VIEW,
     "another value of a parameter of the model file, in SI units or with its own:\n"
     "--set L=0.6, --set L=600mm, --set front/k=25N/mm; or of an initial value, as in\n"
     "--set pin.angle=30deg; may be given several times"},
    {"input", 0, "NAME=VALUE", LIST(input), MODELS | VIEW,
     "the value of an input instead of its default, in SI units or with its own:\n"
     "--input lift=0.4; run and compare: --input lift=FILE.csv, or FILE.csv:COLUMN, lets\n"
     "it follow a table of times and values; may be given several times"},
    {"from", 0, "T", TIME(from), RUN | INVERSE | COMPARE | SWEEP, "start time"},
    {"until", 0, "T", TIME(until), RUN | INVERSE | COMPARE | SWEEP, "end time"},
    {"interval", 0, "DT", TIME(interval), RUN | INVERSE | COMPARE | SWEEP,
     "between rows; 0 follows the motion (run --realtime: 1 ms or a thousandth)"},
    {"at-equilibrium", 0, NULL, FLAG(at_equilibrium), RUN | LINEAR | RESPONSE | SWEEP,
     "begin at the equilibrium, the stable one below the initial state"},
    {"nearest", 0, NULL, FLAG(nearest), RUN | EQUIL | LINEAR | RESPONSE | SWEEP,
     "take the equilibrium nearest to the initial state, stable or not"},
    {"speed", 0, "V", SPEED(speed), RUN | EQUIL | LINEAR | RESPONSE | SWEEP,
     "equilibrium in steady motion of a vehicle at this speed"},
    {"output", 'o', "DIR", TEXT(directory), RUN | LINEAR | INVERSE | GENERATE | KINEMATICS |
     RESPONSE | SWEEP,
     "where result files go; what an earlier call left there is overwritten"},
    {"output", 'o', "FILE", TEXT(directory), PLOT,
     "write this file, SVG or PNG by its ending, and draw nothing in the terminal"},
    {"output", 'o', "FILE", TEXT(directory), SCHEDULE,
     "FILE.svg: a picture of the schedule; FILE.csv: its operations, or the ring's program"},
    {"units", 0, "LIST", TEXT(units), SCHEDULE,
     "units by kind: mul=5,add=4; also div, sin, other. Else their numbers are searched"},
    {"latency", 0, "LIST", TEXT(latency), SCHEDULE,
     "cycles to a result by kind, 1 where not said: mul=3 for pipelines, which begin one\n"
     "in every cycle; mul=3:2 in every second. In rings units are no pipelines"},
    {"transfer", 0, "N", NUMBER(transfer), SCHEDULE,
     "cycles from a result to the unit that reads it; else 0"},
    {"modules", 0, "N", NUMBER(modules), SCHEDULE,
     "run on rings of 1 to N modules with these units each, transfers cycle by cycle"},
    {"balanced", 0, NULL, FLAG(balanced), SCHEDULE,
     "sums and products of many as balanced trees; else one after the other, as recorded"},
    {"against", 0, "CHANNEL", TEXT(against), PLOT,
     "what the horizontal axis shows; else the first column, which is the time of a run"},
    {"with", 0, "RESULT", LIST(with), PLOT | REPORT,
     "another result to lay over the first; may be given several times"},
    {"log", 0, "AXES", WORD(log, log_name), PLOT, "logarithmic axes: {words}"},
    {"forms", 0, "LIST", TEXT(forms), GENERATE | EXPORT,
     "what to generate, by commas: inverse, mass, forward, forward-n, kinematics,\n"
     "regressor, accelerate, power, reactions, energy, constraints, augmented,\n"
     "linear, outputs, machine-inverse, implicit; or all"},
    {"actuators", 0, "LIST", TEXT(actuators), GENERATE,
     "machine-inverse: coordinates whose forces make the motion, by commas; else those\n"
     "of the study of type inverse, or the independent ones"},
    {"weights", 0, "LIST", TEXT(weights), GENERATE,
     "of the squares of their forces where there are more than need be; else 1 for each"},
    {"independent", 0, "LIST", TEXT(independent), CHECK | GENERATE | SPLIT | SCHEDULE | EXPORT,
     "closed loops: independent joints or coordinates, by commas; else as the study of\n"
     "type run says, or chosen"},
    {"cut", 0, "LIST", TEXT(cut), CHECK | GENERATE | SPLIT | SCHEDULE,
     "closed loops: joints where they are cut, by commas; else as the file says, or chosen"},
    {"jacobian", 0, NULL, FLAG(jacobian), CHECK,
     "closed loops: draw the Jacobian of the constraints with the blocks that are solved"},
    {"verbose", 0, NULL, FLAG(verbose), CHECK,
     "all that is known: why loops are cut where they are, redundant rows, natural\n"
     "coordinates, formulas of blocks and states"},
    {"forms", 0, "F", TEXT(forms), SPLIT | SCHEDULE,
     "which equations, one of the forms of generate; else accelerate"},
    {"tasks", 0, "N", NUMBER(tasks), SPLIT | GENERATE,
     "how many tasks; fewer are said with the reason; else 2, or what --smallest leaves;\n"
     "cuda: warps of a team that steps 32 instances, for few instances; else 1"},
    {"by", 0, "WAY", CHOICE(by, way_name), SPLIT | GENERATE,
     "how tasks are made: search, ours; thesis, groups of branches and blocks, small\n"
     "ones merged; thesis-talk, merged with whom they talk to; thesis-grid,\n"
     "sequences dealt out; thesis-moved, merged, then sequences moved"},
    {"smallest", 0, "K", NUMBER(smallest), SPLIT | GENERATE,
     "--by thesis: tasks below this part of the mean are merged; else 0.5"},
    {"merge", 0, "LIST", TEXT(merge), SPLIT | GENERATE,
     "--by thesis: groups of each task, as 0,4/1,2,3, instead of merging"},
    {"transfer", 0, "N", NUMBER(transfer), SPLIT | GENERATE,
     "what a transfer takes, in additions; else as measured, and nothing by the thesis"},
    {"output", 'o', "FILE", TEXT(directory), SPLIT,
     "FILE.json: all of the split; FILE.csv: what each task does, step by step"},
    {"parallel", 0, "P", WORD(parallel, parallel_name), GENERATE,
     "C: accelerations also in parallel tasks, by threads or by ranks of mpi"},
    {"product", 0, "P", CHOICE(product, product_word), GENERATE,
     "functions, alone, which is the default; simulator, a complete program, in C or by\n"
     "ode45 of matlab; machine, its state, steps, events, outputs, derivatives and forces\n"
     "of actuators with one stable interface; sfunction, a block of Simulink in C"},
    {"language", 0, "L", CHOICE(language, language_name), GENERATE,
     "{words};\n"
     "without it as the file of -o ends"},
    {"precision", 0, "P", CHOICE(precision, precision_name), GENERATE | SWEEP,
     "of equations of motion in cuda and on a device: {words}, which is\n"
     "double for loops and float for the rest"},
    {"corners", 0, NULL, FLAG(corners), GENERATE | SWEEP,
     "steps in cuda and on a device end where laws, stops and formulas have corners"},
    {"once", 0, NULL, FLAG(once), SWEEP,
     "cases on a device do not move again in other steps, which estimates their errors"},
    {"name", 0, "WORD", TEXT(name), GENERATE | EXPORT,
     "prefix of names in the source, and the file; else the title of the model"},
    {"minimal", 0, NULL, FLAG(minimal), GENERATE | SPLIT | SCHEDULE,
     "minimal inertia parameters instead of masses, centres of mass and inertias"},
    {"freeze", 0, "LIST", TEXT(freeze), GENERATE | SPLIT,
     "parameters that become numbers, by commas: L, arm.mass, mass for all masses; or all"},
    {"scheme", 0, "S", CHOICE(scheme, scheme_name), GENERATE | SPLIT,
     "how --forms kinematics follows frames from ground"},
    {"cholesky", 0, NULL, FLAG(cholesky), GENERATE | SPLIT,
     "--forms forward by Cholesky's factors instead of L^T D L"},
    {"share", 0, NULL, FLAG(share), GENERATE | SPLIT,
     "constants of the same name with equal values become one parameter"},
    {"tangent", 0, NULL, FLAG(tangent), GENERATE,
     "derivatives of every function besides, in a function NAME_tangent of each"},
    {"sensitive", 0, "LIST", TEXT(sensitive), GENERATE,
     "derivatives also by these parameters, by commas: L, arm.mass, or mass for all masses"},
    {"passes", 0, "LIST", TEXT(passes), GENERATE,
     "passes over the equations, by commas, instead of the usual ones: constants,\n"
     "factors, signs, inline, loops, recycle; or none"},
    {"readable", 0, NULL, FLAG(readable), GENERATE,
     "source for people: variables are called after quantity and body, functions stay whole"},
    {"lanes", 0, "N", TEXT(lanes), GENERATE,
     "C: 2, 4 or 8 instances that advance together in vectors; auto: as suits the target"},
    {"header", 0, NULL, FLAG(header), GENERATE,
     "C: declarations in a header of their own"},
    {"count", 0, NULL, FLAG(count), GENERATE,
     "operations by function, group and pass, and of all that was tried; files only with -o"},
    {"recut", 0, NULL, FLAG(recut), GENERATE | SPLIT,
     "cut loops at other joints where that is cheaper; coordinates change with the cuts"},
    {"vary", 0, "RANGE", LIST(vary), SWEEP,
     "NAME=from:to:count, a parameter or an initial value; several make a grid"},
    {"samples", 0, "N", NUMBER(samples), SWEEP,
     "number of cases at random in the ranges NAME=from:to instead of a grid"},
    {"sampling", 0, "S", CHOICE(sampling, sampling_name), SWEEP,
     "random, or latin (the default): every part of a range once"},
    {"seed", 0, "N", NUMBER(seed), SWEEP,
     "of the samples; the same seed makes the same cases. Else 1"},
    {"cases", 0, "FILE", TEXT(cases), SWEEP,
     "CSV with a column for each parameter and a line for each case"},
    {"result", 0, "F:OUTPUT", LIST(results), SWEEP,
     "what is kept of an output: final, min, max, mean or rms; else final:*"},
    {"threads", 0, "N", NUMBER(threads), RUN,
     "of methods {branches}, {compiled}: threads that share the work if quicker; else 1"},
    {"share-always", 0, NULL, FLAG(share_always), RUN,
     "threads or ranks of method {branches} share the work also where one is quicker"},
    {"threads", 0, "N", NUMBER(threads), SWEEP,
     "cases at a time; else the number of cores"},
    {"device", 0, "D", CHOICE(device, device_name), SWEEP,
     "all cases together by kernels on it, rk4 or dopri5; auto: gpu, or as without it"},
    {"resume", 0, NULL, FLAG(resume), RUN | SWEEP,
     "go on with what was interrupted, bit-identical to a run without interruption"},
    {"realtime", 0, NULL, FLAG(realtime), RUN,
     "every row at its time of the wall clock, with account of deadlines"},
    {"strict", 0, NULL, FLAG(strict), RUN | COMPARE | SWEEP,
     "a verdict other than good is an error: exit status 1; so is, of a file of another\n"
     "program, what is left out or changed and acts on the motion: exit status 2"},
    {"limit", 0, "X", NUMBER(limit), COMPARE,
     "of the difference, m or rad, to which natural coordinates are refined; else 1e-3"},
    {"profile", 0, NULL, FLAG(profile), RUN,
     "say where the time of evaluations goes, in nine stages"},
    {"view", 0, NULL, FLAG(view), RUN, "show the run in the browser while it computes"},
    {"output", 'o', "FILE", TEXT(directory), REPORT, "the page; else report.html in the result"},
    {"output", 'o', "FILE", TEXT(directory), IMPORT,
     "the model file to write; else it is printed"},
    {"base", 0, "B", CHOICE(base, base_name), FOREIGN,
     "how bodies that nothing joins to ground are held: {words}; else fixed in URDF\n"
     "and free in SDF"},
    {"close", 0, "A B", PAIR(close), FOREIGN,
     "bodies of the file whose frames coincide, which closes a loop; may be given\n"
     "several times"},
    {"close-points", 0, "A B", PAIR(close_points), FOREIGN,
     "the same of their origins alone"},
    {"contact", 0, NULL, FLAG(contact), FOREIGN,
     "collision shapes of URDF, MJCF and SDF become surfaces, and touch the planes of the\n"
     "world, or the plane z = 0"},
    {"key", 0, "NAME", TEXT(key), FOREIGN, "MJCF: the keyframe to start at; URDF: the state of its SRDF file"},
    {"package", 0, "DIR", LIST(packages), FOREIGN,
     "a folder in which package://NAME is looked for; else around the file. Meshes outside\n"
     "of the file's folder are read with it alone; may be given several times"},
    {"strict", 0, NULL, FLAG(strict), FOREIGN & ~(RUN | COMPARE | SWEEP | EXPORT),
     "what is left out or changed of a file of another program, and acts on the motion,\n"
     "is an error"},
    {"strict", 0, NULL, FLAG(strict), EXPORT, "what is left out or changed is an error"},
    {"urdf", 0, "FILE", TEXT(urdf), EXPORT, "write the tree of a model file as a robot of ROS"},
    {"glb", 0, "FILE", TEXT(glb), EXPORT, "write a glTF animation, of shapes, springs and motion"},
    {"png", 0, "FILE", TEXT(png), EXPORT, "write a moving picture: an animated PNG, 480 pixels wide"},
    {"live", 0, "FILE", TEXT(live), EXPORT,
     "one page in which the machine itself moves, of a model file; needs clang and lld"},
    {"fmu", 0, "FILE", TEXT(fmu), EXPORT,
     "write the machine of a model file as an FMU (Functional Mock-up Unit);\n"
     "FILE.ssp: in an archive by System Structure and Parameterization"},
    {"version", 0, "V", CHOICE(fmi_version, fmi_version_name), EXPORT,
     "version of FMI: {words}; else 2"},
    {"kind", 0, "K", CHOICE(unit_kind, unit_kind_name), EXPORT,
     "of the FMU, model exchange or co-simulation: {words}; else both"},
    {"binary", 0, NULL, FLAG(binary), EXPORT, "libraries alone, without sources"},
    {"sources", 0, NULL, FLAG(sources), EXPORT, "sources alone, without a library"},
    {"targets", 0, "LIST", TEXT(targets), EXPORT,
     "libraries for these kinds of computers too, by cross compilers of their names;\n"
     "own: for none; else x86_64-linux-gnu,x86_64-w64-mingw32, where these are installed"},
    {"inputs", 0, "LIST", TEXT(inputs), EXPORT,
     "inputs of the FMU between commas: inputs of the model, or velocities along which\n"
     "forces are to act; else all of the model. Others become parameters"},
    {"outputs", 0, "LIST", TEXT(outputs), EXPORT,
     "outputs of the model that are outputs of the FMU; else all. Others become local"},
    {"html", 0, "FILE", TEXT(html), VIEW | PLAY,
     "write one page that works without a server"},
    {"port", 0, "N", NUMBER(port), VIEW | RUN | PLAY, "of the server; else any that is free"},
    {"no-browser", 0, NULL, FLAG(no_browser), VIEW | RUN | PLAY,
     "print the address of the server, open nothing"},
    {"no-sandbox", 0, NULL, FLAG(no_sandbox), ALL & ~COMPLETION,
     "read foreign files in this process: a fault of their readers may then write\n"
     "files, use the network and take all memory and time"},
    {"quiet", 'q', NULL, FLAG(quiet), ALL & ~COMPLETION,
     "nothing on standard output, no progress"},
    {"json", 0, NULL, FLAG(json), ALL,
     "one JSON object on standard output, nothing else"},
    {"help", 'h', NULL, FLAG(help), ALL, "this help"},
};

static const cliVerb verbs[] = {
    {"check", "validate a model and say what is in it",
     "Reads the model file and all it includes. A mistake is reported with its place, what was found\n"
     "and what was expected. Else bodies, joints, degrees of freedom, loops, forces, drives, outputs\n"
     "and studies are listed. With --jacobian a partition can be looked at before equations are generated.\n",
     "  articula check models/double-pendulum.yaml\n"
     "  articula check models/loops/seven-body.yaml --jacobian --independent q1\n"
     "  articula check --json models/puma560.yaml\n",
     CHECK, "FILE", false, verb_check, NEED_DATA, ART_RUN, NULL},
    {"info", "a model in short, and its tree",
     "Counts, mass, fingerprint, and the spanning tree as an outline.\n",
     "  articula info models/motorcycle.yaml\n",
     INFO, "FILE", false, verb_info, NEED_DATA, ART_RUN, NULL},
    {"run", "simulate the motion in time",
     "Writes results.csv, certificate.json and scene.arts into DIR, by default results/NAME after the model file\n"
     "(results/NAME-STUDY with --study); what an earlier run left there is overwritten. Quantities may\n"
     "carry a unit. Ctrl-C ends a run at the next step and keeps everything so far, with a checkpoint to\n"
     "resume from; a second Ctrl-C kills. With --json the certificate is printed.\n"
     "FILE may be an FMU (.fmu), or a file that connects FMUs and machines (doc/guide/fmi.md).\n",
     "  articula run models/double-pendulum.yaml\n"
     "  articula run models/iiwa.yaml --until 20 --integrator rk4 --step \"1 ms\" -o results/iiwa\n"
     "  articula run models/iiwa.yaml --until 20 --integrator rk4 --step \"1 ms\" -o results/iiwa --resume\n",
     RUN, "FILE", false, verb_run, NEED_CALL, ART_RUN, NULL},
    {"assemble", "close the loops of the initial state",
     "Moves coordinates without initial value from their guesses to the nearest position in which all\n"
     "loops are closed, and finds velocities that keep them closed. Prints both as an `initial` section\n"
     "that can be pasted into the model file, with what was moved, degrees of freedom and redundant\n"
     "constraints. Other studies do the same first.\n",
     "  articula assemble models/loops/four-bar.yaml\n",
     ASSEMBLE, "FILE", false, verb_assemble, NEED_LOOPS, ART_RUN, NULL},
    {"equil", "find a static equilibrium",
     "Goes down on the potential energy from the initial state to the next stable equilibrium, loops\n"
     "closed and velocities zero; drives stay where they are at time 0. Where a force has no potential,\n"
     "and with --nearest, it takes the nearest equilibrium, stable or not.\n"
     "With --speed a vehicle rolls steadily, straight on or around a circle as it is steered.\n"
     "Prints the coordinates as an `initial` section that can be pasted into the model file.\n",
     "  articula equil models/motorcycle.yaml\n"
     "  articula equil models/vehicles/cart.yaml --speed \"20 m/s\"\n",
     EQUIL, "FILE", false, verb_equil, NEED_STUDY, ART_EQUIL, NULL},
    {"linear", "linearise: frequencies, damping, modes",
     "About the initial state, or the equilibrium near it. With -o the matrices of M x'' + C x' + K x = 0\n"
     "(M.csv, C.csv, K.csv) and of z' = A z + B u, y = Cy z + Dy u from inputs u to outputs y (A.csv, B.csv,\n"
     "Cy.csv, Dy.csv, and all four as state_space.m for MATLAB and Octave), eigenvalues.csv and modes.csv\n"
     "are written as well.\n",
     "  articula linear models/motorcycle.yaml --at-equilibrium -o results/modes\n",
     LINEAR, "FILE", false, verb_linear, NEED_STUDY, ART_LINEAR, NULL},
    {"inverse", "find the forces along a given motion",
     "Follows the motion that an inverse study of the model file prescribes and finds the joint forces\n"
     "it takes. Writes results.csv into DIR, by default results/NAME-inverse after the model file, with\n"
     "all outputs and the missing forces in columns tau.COORDINATE.\n",
     "  articula inverse models/puma560.yaml --until 2 --interval \"10 ms\"\n",
     INVERSE, "FILE", false, verb_inverse, NEED_STUDY, ART_INVERSE, NULL},
    {"kinematics", "wheels of an axle through their travel",
     "Moves the wheels that a kinematics study of the model file names up and down, everything at rest, and\n"
     "prints toe, camber, path, load and rate of each. Writes kinematics.csv, where what loads on the wheels\n"
     "change is as well, and kinematics.svg into DIR, by default results/NAME-kinematics.\n",
     "  articula kinematics models/vehicles/double-wishbone-rig.yaml\n"
     "  articula kinematics models/vehicles/double-wishbone-rig.yaml --study roll -o results/roll\n",
     KINEMATICS, "FILE", false, verb_kinematics, NEED_STUDY, ART_KINEMATICS, NULL},
    {"response", "from the road to the outputs, by frequency",
     "Linearises about the initial state, or the equilibrium near it, and finds how much every output of the\n"
     "model answers a road that goes up and down under the tyres: magnitude and phase by frequency, as a\n"
     "response study of the model file says, or 200 frequencies from 0.1 Hz to 50 Hz under all tyres.\n"
     "Prints resonances; writes response.csv and response.svg into DIR, by default results/NAME-response.\n",
     "  articula response models/vehicles/cart.yaml --at-equilibrium\n",
     RESPONSE, "FILE", false, verb_response, NEED_STUDY, ART_RESPONSE, NULL},
    {"compare", "every method that applies, side by side",
     "Runs the model by every method that applies to it, semirecursive with each of its algebras, and prints a\n"
     "table: wall time, evaluations, how far loops are open (position, velocity, acceleration), the energy\n"
     "balance, and how far the coordinates are from the ones in the first line at the worst of the output instants.\n"
     "The methods of natural coordinates take steps of their own, of order two (see --step): where they differ by\n"
     "more than --limit, steps are refined until they do not, or until a hundred times the time of the quickest\n"
     "method is spent. Every line ends in met or missed.\n",
     "  articula compare models/loops/stewart.yaml\n"
     "  articula compare models/loops/delta.yaml --integrator rk4 --step \"1 ms\"\n",
     COMPARE, "FILE", false, verb_compare, NEED_STUDY, ART_RUN, NULL},
    {"sweep", "one run for each of many cases",
     "Runs the machine with other parameters in each case, on all cores, and writes results.csv into DIR,\n"
     "by default results/NAME-sweep: a line for each case with its parameters, its status (0: finished), what is\n"
     "kept of outputs, and figures of its certificate. Cases that fail do not stop the others; failures.csv says\n"
     "why they did. The table is the same for any number of threads. Cases that are done are kept in a journal:\n"
     "after Ctrl-C or a kill, --resume runs those that are left. Under mpirun cases are spread over ranks.\n",
     "  articula sweep models/pendulum.yaml --vary L=0.5:2:16 --result max:energy\n"
     "  articula sweep models/loops/four-bar.yaml --vary span=0.45:0.55 --vary pivot.rate=8:16 --samples 100\n",
     SWEEP, "FILE", false, verb_sweep, NEED_CALL, ART_RUN, NULL},
    {"split", "equations dealt out to tasks side by side",
     "Deals the generated equations of a machine out to N tasks, by a search that weighs operations, transfers and\n"
     "cheap equations that are evaluated twice instead, or in a way of Postiau's thesis (--by). Prints what each\n"
     "task does, the critical length, the predicted speed-up with and without the time of transfers, and what limits\n"
     "it; next to it, by operations alone, the ways of the thesis. generate --parallel writes the same tasks when it\n"
     "is called with the same options.\n",
     "  articula split models/vehicles/multilink-car.yaml --tasks 4\n"
     "  articula split models/vehicles/multilink-car.yaml --by thesis --tasks 4 -o car.json\n"
     "  articula split models/generator/quadruped.yaml --tasks 2 --forms mass --json\n",
     SPLIT, "FILE", false, verb_split, NEED_LOOPS, ART_RUN, split_check},
    {"generate", "equations of motion as source code",
     "Writes the equations of the machine as readable stand-alone source code that belongs to you: NAME.c in\n"
     "DIR (-o DIR, else the present one), or the file that -o names. Constants of the machine are parameters\n"
     "unless they are frozen. Names of written files are printed. Loops are closed at the initial state, and\n"
     "the choice of independent coordinates and pivots made there is built into the source. Without --forms and\n"
     "--minimal, the source with the fewest operations is written: minimal parameters or not, factors of the mass\n"
     "matrix or O(n), one of several partitions; --count says why.\n",
     "  articula generate models/puma560.yaml --forms inverse,forward -o puma.c\n"
     "  articula generate models/loops/delta.yaml --count\n"
     "  articula generate models/motorcycle.yaml --product simulator\n"
     "  articula generate models/double-pendulum.yaml --language matlab --product simulator -o pendulum.m\n"
     "  articula generate models/loops/four-bar.yaml --product sfunction -o four_bar.c\n",
     GENERATE, "FILE", false, verb_generate, NEED_LOOPS, ART_RUN, generate_check},
    {"schedule", "operations of the equations on many units",
     "Takes generated equations apart into single operations and schedules them on a machine with several\n"
     "multipliers, adders and so on: critical path, bounds, cycles by the list heuristic of Postiau's thesis and by\n"
     "earliest finish, buffers, and who does what in which step. Without --units the fewest units in minimal time\n"
     "and the best use of units are searched. With --modules the machine is a ring of modules run by their data.\n"
     "Sines and cosines of inputs are inputs unless --units has sin; of Newton's method one iteration is taken.\n",
     "  articula schedule models/generator/puma-thesis.yaml --forms inverse\n"
     "  articula schedule models/generator/puma-thesis.yaml --forms inverse --units mul=5,add=4 -o puma.svg\n"
     "  articula schedule models/motorcycle.yaml --forms forward --units mul=4,add=3,div=1 --latency mul=3,div=8\n"
     "  articula schedule models/generator/puma-thesis.yaml --forms inverse --modules 4 --latency mul=4,add=4\n",
     SCHEDULE, "FILE", false, verb_schedule, NEED_LOOPS, ART_RUN, schedule_check},
    {"plot", "draw channels of a result",
     "RESULT is a directory of results or a CSV file in it. A CHANNEL is the name of a column without its\n"
     "unit; * matches anything, ? a character. Channels of the same unit share a pane. Without -o\n"
     "the plot is drawn in the terminal. Without a CHANNEL the names of all are listed.\n",
     "  articula plot results/double-pendulum theta1 energy\n"
     "  articula plot results/car '*.fz' -o loads.png\n"
     "  articula plot results/rk4 energy.total --with results/index3 -o energy.svg\n",
     PLOT, "RESULT CHANNEL ...", true, verb_plot, NEED_CALL, ART_RUN, NULL},
    {"view", "results in the browser",
     "Serves the results on a port of this machine, which others cannot reach, and opens the browser: the\n"
     "machine in motion, plots of all channels, the certificate; several results side by side. Ctrl-C ends.\n"
     "A RESULT is a directory that `run` has written; one that still runs is followed. A model file, of other\n"
     "programs too, is shown at its initial state.\n",
     "  articula view results/double-pendulum\n"
     "  articula view robot.urdf\n"
     "  articula view results/rk4 results/index3\n"
     "  articula view results/car --html car.html\n",
     VIEW, "RESULT ...", true, verb_view, NEED_CALL, ART_RUN, NULL},
    {"play", "write, check and run a model in the browser",
     "Serves the playground on a port of this machine and opens the browser: an editor of model files with\n"
     "completion and located errors, all sample models, and the program itself, which runs on the page. Ctrl-C ends.\n"
     "MODEL is in the editor at first; files that it includes are there if they are sample models. The page is built\n"
     "by 'make site'.\n",
     "  articula play\n"
     "  articula play models/loops/four-bar.yaml\n"
     "  articula play model.yaml --html page.html\n",
     PLAY, "[MODEL]", false, verb_play, NEED_CALL, ART_RUN, NULL},
    {"report", "a page about a result, to read and print",
     "Writes one page of HTML: what came of the run, the model in short, pictures of the machine, plots and extremes\n"
     "of its channels, or of the CHANNELs that are named (* and ? as in plot), the certificate, and how to reproduce\n"
     "the run. Other results are compared with the first. Browsers print the page, also into PDF.\n",
     "  articula report results/double-pendulum\n"
     "  articula report results/car 'load*' yaw_rate -o car.html\n"
     "  articula report results/rk4 --with results/index3\n",
     REPORT, "RESULT [CHANNEL ...]", true, verb_report, NEED_CALL, ART_RUN, NULL},
    {"export", "a result or a machine for other programs",
     "Of a RESULT, a directory that `run` has written, --glb writes the machine in motion as glTF 2.0, which\n"
     "programs for 3-D graphics read, and --png a moving picture for pages, slides and mails. Of a MODEL file,\n"
     "--fmu writes an FMU (FMI 2.0, 3.0) for model exchange and co-simulation, with sources\n"
     "in C99 and a library for this kind of computer; --live writes one page in which the machine itself moves,\n"
     "with its parameters and inputs at hand; --urdf writes a tree as URDF: links, joints, limits, mimic joints\n"
     "and simple shapes; what else acts on it is left out and reported.\n",
     "  articula export results/double-pendulum --glb pendulum.glb\n"
     "  articula export results/double-pendulum --png pendulum.png\n"
     "  articula export models/pendulum.yaml --fmu pendulum.fmu\n"
     "  articula export models/loops/four-bar.yaml --live four-bar.html\n"
     "  articula export models/puma560.yaml --urdf puma.urdf\n",
     EXPORT, "RESULT|MODEL", false, verb_export, NEED_CALL, ART_RUN, export_check},
    {"import", "a model of another program as a model file",
     "Reads URDF, MJCF, SDF, Robotran's .mbs and decks .adm of ADAMS and writes the machine as a model file of our\n"
     "own, with the line of each part in the source, and at its end all that was left out or changed.\n"
     "Other verbs read such files directly.\n",
     "  articula import robot.urdf -o robot.yaml\n"
     "  articula import walker.urdf --base free --close foot_a foot_b -o walker.yaml\n"
     "  articula check robot.urdf\n",
     IMPORT, "FILE", false, verb_import, NEED_CALL, ART_RUN, NULL},
    {"completion", "calls completed by the shell",
     "Prints what a shell (bash, zsh or fish) needs to complete verbs, options and their values.\n",
     "  source <(articula completion bash)\n"
     "  articula completion fish > ~/.config/fish/completions/articula.fish\n",
     COMPLETION, "SHELL", false, verb_completion, NEED_CALL, ART_RUN, NULL},
    {"bench", "published problems against their references",
     "Runs the problems kept in models/benchmarks, or the one that is named, by every method that applies,\n"
     "and prints the error against the reference in the norm of the problem, wall time, evaluations, how\n"
     "far loops are open, and the energy balance. Steps that are given are refined until the error is within the\n"
     "limit of the problem, or until a hundred times the time of the quickest method, a minute at most, is spent;\n"
     "every line ends in met or missed.\n",
     "  articula bench\n"
     "  articula bench andrews --tolerance 1e-10\n",
     BENCH, "[NAME]", false, verb_bench, NEED_CALL, ART_RUN, NULL},
};
// clang-format on

enum {
  NOPTION = sizeof options / sizeof *options,
  NVERB = sizeof verbs / sizeof *verbs,
};


//---- help ----------------------------------------------------------------------------------------

void cli_print_help(FILE *out, const cliOption *option, int indent)
{
  static const struct {
    const char *name;
    int with, without;
  } lists[] = {{"trees}", METHOD_TREES, METHOD_LOOPS},
               {"loops}", METHOD_LOOPS, METHOD_TREES},
               {"natural}", METHOD_NATURAL, 0},
               {"compiled}", METHOD_COMPILED, 0},
               {"reduced}", METHOD_REDUCED, 0},
               {"branches}", METHOD_BRANCHES, 0},
               {"stepped}", METHOD_NATURAL, METHOD_STEERED}};
  for (const char *c = option->help; *c; c++) {
    if (*c == '\n' && indent < 0) return;
    if (*c == '{') {
      const size_t n = strcspn(c, "}");
      if (strncmp(c + 1, "words}", n) == 0) {
        // "a, b or c" of the words that an option may be
        for (int k = 0; option->word(k); k++) {
          fprintf(out, "%s%s", k == 0 ? "" : option->word(k + 1) ? ", " : " or ", option->word(k));
        }
      }
      for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strncmp(c + 1, lists[i].name, n) == 0) {
          // names of methods with all traits of `with` and none of `without`, with commas between them
          const char *comma = "";
          for (int k = 1; k < MODEL_WAYS; k++) {
            const int way = model_way_at(k);
            if (!model_method_has(way, lists[i].with) || model_method_has(way, lists[i].without))
              continue;
            fprintf(out, "%s%s", comma, model_way_name(way));
            comma = ", ";
          }
        }
      }
      c += n;
    } else if (*c == '\n') {
      fprintf(out, "\n%*s", indent, "");
    } else {
      fputc(*c, out);
    }
  }
}


void cli_help(FILE *stream, const cliVerb *verb)
{
  const char *bold = cli_bold(stream), *plain = cli_plain(stream);
  if (!verb) {
    fprintf(stream, "%sarticula VERB FILE [OPTION ...]%s   dynamics of multibody systems\n\n", bold,
            plain);
    for (int i = 0; i < NVERB; i++) {
      fprintf(stream, "  %-10s %s\n", verbs[i].name, verbs[i].summary);
    }
    fprintf(stream, "\n  articula help VERB    options and an example of each\n"
                    "  articula --version    the version\n\n"
                    "exit status: 0 done, 1 the work failed, 2 the call or the input was wrong\n");
    return;
  }
  fprintf(stream, "%sarticula %s %s [OPTION ...]%s   %s\n\n%s\n", bold, verb->name, verb->operand,
          plain, verb->summary, verb->text);
  fprintf(stream, "%soptions%s\n", bold, plain);
  for (int i = 0; i < NOPTION; i++) {
    const cliOption *option = &options[i];
    if (!(option->mask & verb->mask)) continue;
    char left[40];
    snprintf(left, sizeof left, "%s--%s%s%s",
             option->letter ? (char[]){'-', option->letter, ',', ' ', 0} : "    ", option->name,
             option->value ? " " : "", option->value ? option->value : "");
    fprintf(stream, "  %-22s ", left);
    cli_print_help(stream, option, 25);
    fputc('\n', stream);
  }
  product_print_help(stream, verb);
  fprintf(stream, "\n%sexample%s\n%s", bold, plain, verb->example);
}


//---- values --------------------------------------------------------------------------------------

int cli_find_word(const char *option, const char *word, const char *(*name)(int k),
                  const char *more)
{
  char hint[BASE_HINT_LENGTH], list[300] = "";
  baseNearest nearest = {.word = word, .context = option};
  for (int k = 0; name(k); k++) {
    if (strcmp(name(k), word) == 0) return k;
    base_consider_called(&nearest, name(k), word_called(name, k));
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", name(k));
  }
  cli_leave("--%s '%.60s' is not known%s; there is %s%s", option, word, base_hint(&nearest, hint),
            list, more);
}


void cli_check_whole(const char *option, double number, double least, double most)
{
  if (isnan(number) || (number == floor(number) && number >= least && number <= most)) return;
  cli_leave("--%s is %.12g, expected a whole number from %.0f to %.0f", option, number, least,
            most);
}


static double read_option_number(const cliOption *option, const char *text)
{
  artError detail = {0};
  double value;
  const baseDimension expected = option->kind == OPTION_TIME    ? UNIT_TIME
                                 : option->kind == OPTION_SPEED ? UNIT_VELOCITY
                                                                : UNIT_NUMBER;
  const artStatus status =
      unit_parse_quantity(&value, NULL, text, base_nowhere(), expected, &detail);
  if (status) error_throw_at(status, base_nowhere(), "--%s: %.900s", option->name, detail.text);
  return value;
}


static void add_list_word(cliList *list, const char *word)
{
  if (list->count == CLI_WORDS)
    cli_leave("found more than %d names at '%.60s'; use wildcards, or several calls", CLI_WORDS,
              word);
  list->word[list->count++] = word;
}


static void set_option(cliCall *call, const cliOption *option, const char *value)
{
  char *field = (char *) call + option->offset;
  switch (option->kind) {
  case OPTION_FLAG: *(bool *) field = true; break;
  case OPTION_TEXT:
    if (value[strspn(value, ", ")] == 0)
      cli_leave("--%s is empty, expected %s", option->name, option->value);
    if (option->word) (void) cli_find_word(option->name, value, option->word, "");
    *(const char **) field = value;
    break;
  case OPTION_LIST:
  case OPTION_PAIR: add_list_word((cliList *) field, value); break;
  case OPTION_TIME:
  case OPTION_SPEED:
  case OPTION_NUMBER: *(double *) field = read_option_number(option, value); break;
  case OPTION_CHOICE: *(int *) field = cli_find_word(option->name, value, option->word, ""); break;
  }
}


//---- arguments -----------------------------------------------------------------------------------

// the arguments still to be read
typedef struct argList {
  char **next;
  int left;
} argList;


// the verb that another program calls by this word
static const char *verb_meant(const char *word)
{
  static const char *const words[][2] = {
      {"simulate", "run"},     {"sim", "run"},           {"solve", "run"},
      {"integrate", "run"},    {"start", "run"},         {"validate", "check"},
      {"lint", "check"},       {"verify", "check"},      {"draw", "plot"},
      {"graph", "plot"},       {"show", "view"},         {"open", "view"},
      {"animate", "view"},     {"gui", "view"},          {"print", "report"},
      {"pdf", "report"},       {"modes", "linear"},      {"eigen", "linear"},
      {"linearise", "linear"}, {"linearize", "linear"},  {"static", "equil"},
      {"statics", "equil"},    {"equilibrium", "equil"}, {"codegen", "generate"},
      {"gltf", "export"},      {"convert", "import"},    {"benchmark", "bench"},
      {"version", "--version"}};
  const int found = NAMED_FIND(words, word);
  return found < 0 ? NULL : words[found][1];
}


static const cliVerb *find_cli_verb(const char *name)
{
  const int found = NAMED_FIND(verbs, name);
  if (found < 0) {
    char hint[BASE_HINT_LENGTH];
    baseNearest nearest = {.word = name, .best = verb_meant(name)};
    if (access(name, F_OK) == 0)
      cli_leave(
          "'%.200s' is not a verb; a verb comes first: 'articula run %.200s' simulates a model, "
          "'articula --help' lists all",
          name, name);
    for (int i = 0; i < NVERB; i++) base_consider(&nearest, verbs[i].name);
    base_consider(&nearest, "help");
    cli_leave("unknown verb '%.60s'%s; see 'articula --help'", name, base_hint(&nearest, hint));
  }
  return &verbs[found];
}


// the option that a word like --step, --step=1 or -o names; *value is the part of the word after it
static const cliOption *find_option(const cliVerb *verb, const char *word, const char **value)
{
  const bool is_long = word[1] == '-';
  const char *name = word + 2, *equals = strchr(name, '=');
  const size_t n = equals ? (size_t) (equals - name) : strlen(name);
  *value = NULL;
  for (int i = 0; i < NOPTION; i++) {
    const cliOption *option = &options[i];
    if (!(option->mask & verb->mask)) continue;
    if (is_long && strncmp(option->name, name, n) == 0 && !option->name[n]) {
      if (equals) *value = equals + 1;
      return option;
    }
    if (!is_long && option->letter && option->letter == word[1]) {
      if (word[2]) *value = word + 2;
      return option;
    }
  }
  return NULL;
}


static void read_cli_option(cliCall *call, argList *args, const char *word)
{
  const char *value = NULL;
  const cliOption *option = find_option(call->verb, word, &value);
  if (!option) {
    const cliVerb *verb = call->verb;
    char hint[BASE_HINT_LENGTH], names[NOPTION][24];
    baseNearest nearest = {.word = word, .context = "study"};
    for (int i = 0; i < NOPTION; i++) {
      if (!(options[i].mask & verb->mask)) continue;
      snprintf(names[i], sizeof names[i], "--%s", options[i].name);
      base_consider(&nearest, names[i]);
    }
    cli_leave("'%s' has no option '%.60s'%s; see 'articula %s --help'", verb->name, word,
              base_hint(&nearest, hint), verb->name);
  }
  if (!option->value && value) cli_leave("--%s takes no value, found '%.60s'", option->name, value);
  if (option->value && !value) {
    const char *other = NULL;
    const bool is_option = args->left > 0 && strncmp(*args->next, "--", 2) == 0 &&
                           find_option(call->verb, *args->next, &other);
    if (args->left == 0 || is_option)
      cli_leave("--%s needs a value: --%s %s", option->name, option->name, option->value);
    value = *args->next++;
    args->left--;
  }
  set_option(call, option, value);
  if (option->kind != OPTION_PAIR) return;
  if (args->left == 0)
    cli_leave("--%s needs two values: --%s %s", option->name, option->name, option->value);
  args->left--;
  set_option(call, option, *args->next++);
}


static void read_arguments(cliCall *call, argList args)
{
  bool only_files = false;
  while (args.left > 0) {
    const char *word = *args.next++;
    args.left--;
    if (!only_files && strcmp(word, "--") == 0) {
      only_files = true;
    } else if (!only_files && word[0] == '-' && word[1]) {
      read_cli_option(call, &args, word);
    } else {
      if (!word[0]) cli_leave("the name of a file is empty");
      if (call->file && call->verb->has_channels) {
        add_list_word(&call->channels, word);
        continue;
      }
      if (call->file)
        cli_leave("one %s at a time, found '%.200s' and '%.200s'",
                  strncmp(call->verb->operand, "RESULT", 6) == 0 ? "result" : "model file",
                  call->file, word);
      call->file = word;
    }
  }
  if (call->help || call->file || call->verb->operand[0] == '[') return;
  cli_leave("a %s is missing: articula %s %s",
            strncmp(call->verb->operand, "RESULT", 6) == 0 ? "result" : "model file",
            call->verb->name, call->verb->operand);
}


//---- for verbs -----------------------------------------------------------------------------------

const cliVerb *cli_verb_at(int i)
{
  return i < NVERB ? &verbs[i] : NULL;
}


const cliOption *cli_option_at(const cliVerb *verb, int i)
{
  for (int k = 0; k < NOPTION; k++) {
    if ((options[k].mask & verb->mask) && i-- == 0) return &options[k];
  }
  return NULL;
}


static bool is_given(const cliCall *call, const cliOption *option)
{
  const void *field = (const char *) call + option->offset;
  switch (option->kind) {
  case OPTION_FLAG: return *(const bool *) field;
  case OPTION_TEXT: return *(const char *const *) field != NULL;
  case OPTION_LIST:
  case OPTION_PAIR: return ((const cliList *) field)->count > 0;
  case OPTION_TIME:
  case OPTION_SPEED:
  case OPTION_NUMBER: return !isnan(*(const double *) field);
  case OPTION_CHOICE: return *(const int *) field >= 0;
  }
  return false;
}


bool cli_is_given(const cliCall *call, const char *name)
{
  for (int k = 0; k < NOPTION; k++) {
    if (!(options[k].mask & call->verb->mask) || strcmp(options[k].name, name) != 0) continue;
    if (is_given(call, &options[k])) return true;
  }
  return false;
}


int cli_results(const cliCall *call, const cliList *others, const char *result[CLI_WORDS + 1])
{
  result[0] = call->file;
  memcpy(result + 1, others->word, (size_t) others->count * sizeof *result);
  return 1 + others->count;
}


static void parse_command_call(void *context)
{
  cliCall *call = context;
  const int argc = call->argc;
  char **argv = call->argv;
  const argList args = {argv + 2, argc - 2};
  if (argc < 2) cli_leave("a verb is missing; see 'articula --help'");
  const char *word = argv[1];
  call->help = strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
  if (!call->help) {
    call->verb = find_cli_verb(word);
    read_arguments(call, args);
  } else if (args.left > 0) {
    call->verb = find_cli_verb(args.next[0]);
  }
}


artStatus cli_parse(cliCall *call, int argc, char **argv, artError *error)
{
  *call = (cliCall){.argc = argc, .argv = argv};
  for (int k = 0; k < NOPTION; k++) {
    void *field = (char *) call + options[k].offset;
    if (options[k].kind == OPTION_CHOICE) *(int *) field = -1;
    if (options[k].kind >= OPTION_TIME && options[k].kind < OPTION_CHOICE) *(double *) field = NAN;
  }

  // errors of the call itself come as JSON too
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
    call->json = call->json || strcmp(argv[i], "--json") == 0;
  }
  return error_try(parse_command_call, call, error);
}
