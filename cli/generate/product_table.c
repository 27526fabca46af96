// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Which product takes which option. Data alone; options that do not stand here are taken by all products.
#include "gen/gen.h"
#include "product.h"

enum {
  FUNCTIONS = 1 << PRODUCT_FUNCTIONS,
  LANES = 1 << PRODUCT_LANES,
  TASKS = 1 << PRODUCT_TASKS,
  SIMULATOR = 1 << PRODUCT_SIMULATOR,
  WORKERS = 1 << PRODUCT_WORKERS,
  MACHINE = 1 << PRODUCT_MACHINE,
  SFUNCTION = 1 << PRODUCT_SFUNCTION,
  CUDA = 1 << PRODUCT_CUDA,
  FMU = 1 << PRODUCT_FMU,
  LIVE = 1 << PRODUCT_LIVE,
  URDF = 1 << PRODUCT_URDF,
  GLB = 1 << PRODUCT_GLB,

  // functions by themselves; programs
  TEXTS = FUNCTIONS | LANES | TASKS,
  PROGRAMS = SIMULATOR | WORKERS,
  GENERATED = TEXTS | PROGRAMS | MACHINE | SFUNCTION | CUDA,
  MODELS = FMU | LIVE | URDF, // exports of a model file

  C = 1 << EMIT_C,
  MATLAB = 1 << EMIT_MATLAB,
  ONLY_CUDA = 1 << EMIT_CUDA,
  CLASSICAL = C | 1 << EMIT_FORTRAN | MATLAB | 1 << EMIT_JAVA | 1 << EMIT_PYTHON,
  ARRAYS = 1 << EMIT_NUMPY | 1 << EMIT_CASADI | 1 << EMIT_JAX,
};

// clang-format off
const productKind product_kinds[PRODUCTS] = {
    [PRODUCT_FUNCTIONS] = {"functions", "a source file with functions",
                           "it has the equations alone, for one instance and one thread", CLASSICAL | ARRAYS},
    [PRODUCT_LANES]     = {"lanes", "a source file with functions in lanes",
                           "each function advances several instances in vectors", C},
    [PRODUCT_TASKS]     = {"tasks", "a source file with functions in tasks",
                           "tasks share the equations of one instance", C},
    [PRODUCT_SIMULATOR] = {"simulator", "a simulator",
                           "it is one file with all that it needs", C | MATLAB},
    [PRODUCT_WORKERS]   = {"workers", "a simulator with several threads",
                           "it is one file with all that it needs, and splits the equations by its own search", C},
    [PRODUCT_MACHINE]   = {"machine", "a machine with its interface",
                           "it is the whole machine, for one thread", CLASSICAL},
    [PRODUCT_SFUNCTION] = {"sfunction", "an S-function",
                           "it is one file in C with all that it needs", C},
    [PRODUCT_CUDA]      = {"cuda", "CUDA",
                           "it is the whole machine in one file, for many instances", ONLY_CUDA},
    [PRODUCT_FMU]       = {"fmu", "an FMU", "", C},
    [PRODUCT_LIVE]      = {"live", "a live page", "it follows the study of the model file", C},
    [PRODUCT_URDF]      = {"urdf", "a URDF file", "it has no equations", C},
    [PRODUCT_GLB]       = {"glb", "a glTF file", "it shows a result, without its model", C},
    [PRODUCT_PNG]       = {"png", "a moving picture", "it shows a result, without its model", C},
};

const productOption product_options[] = {
    {"forms", TEXTS | MACHINE | FMU, 0, NULL, NULL},
    {"actuators", TEXTS | MACHINE, 0, NULL, NULL},
    {"weights", TEXTS | MACHINE, 0, NULL, NULL},
    {"scheme", TEXTS, 0, NULL, NULL},
    {"cholesky", TEXTS, 0, NULL, NULL},
    {"minimal", TEXTS | PROGRAMS | SFUNCTION, 0,
     "masses, centres of mass and inertias stay parameters there", NULL},
    {"share", GENERATED & ~LANES, 0, "every instance has parameters of its own", NULL},
    {"tangent", TEXTS | MACHINE | CUDA, 0, NULL, NULL},
    {"sensitive", TEXTS | MACHINE | CUDA, 0, NULL, NULL},
    {"passes", FUNCTIONS, 0, NULL, NULL},
    {"readable", FUNCTIONS | PROGRAMS | MACHINE | SFUNCTION, 0,
     "functions for readers stay whole, and are for one instance", NULL},
    {"header", TEXTS | MACHINE, C, NULL, NULL},
    {"lanes", LANES, 0, NULL, NULL},
    {"parallel", TASKS | WORKERS, 0, NULL, NULL},
    {"tasks", TASKS | WORKERS | CUDA, 0, NULL, "add --parallel threads or --parallel mpi, or leave --tasks out"},
    {"by", TASKS, 0, NULL, "add --parallel threads or --parallel mpi, or leave --by out"},
    {"smallest", TASKS, 0, NULL, "add --parallel threads or --parallel mpi, or leave --smallest out"},
    {"merge", TASKS, 0, NULL, "add --parallel threads or --parallel mpi, or leave --merge out"},
    {"transfer", TASKS, 0, NULL, "add --parallel threads or --parallel mpi, or leave --transfer out"},
    {"precision", CUDA, 0, "it computes in double precision", "add --language cuda, or leave --precision out"},
    {"corners", CUDA, 0, "its steps follow the study", "add --language cuda, or leave --corners out"},
    {"product", GENERATED & ~CUDA, 0, NULL, NULL},

    {"study", GENERATED | FMU | LIVE, 0, NULL, NULL},
    {"step", FMU | LIVE, 0, NULL, NULL},
    {"independent", GENERATED | FMU, 0, NULL, NULL},
    {"name", GENERATED | FMU, 0, NULL, NULL},
    {"version", FMU, 0, NULL, "export an FMU with --fmu, or leave --version out"},
    {"kind", FMU, 0, NULL, "export an FMU with --fmu, or leave --kind out"},
    {"binary", FMU, 0, NULL, "export an FMU with --fmu, or leave --binary out"},
    {"sources", FMU, 0, NULL, "export an FMU with --fmu, or leave --sources out"},
    {"targets", FMU, 0, NULL, "export an FMU with --fmu, or leave --targets out"},
    {"inputs", FMU, 0, NULL, "export an FMU with --fmu, or leave --inputs out"},
    {"outputs", FMU, 0, NULL, "export an FMU with --fmu, or leave --outputs out"},
    {"functions", GENERATED | MODELS, 0, NULL, NULL},
    {"set", GENERATED | MODELS, 0, NULL, NULL},
    {"input", GENERATED | MODELS, 0, NULL, NULL},
    {"base", GENERATED | MODELS, 0, NULL, NULL},
    {"close", GENERATED | MODELS, 0, NULL, NULL},
    {"close-points", GENERATED | MODELS, 0, NULL, NULL},
    {"contact", GENERATED | MODELS, 0, NULL, NULL},
    {"key", GENERATED | MODELS, 0, NULL, NULL},
    {"package", GENERATED | MODELS, 0, NULL, NULL},
    {"strict", GENERATED | MODELS, 0, NULL, NULL},
    {0},
};

const productNeed product_needs[] = {
    {"scheme", GEN_KINEMATICS, NULL, "is for frames; add kinematics to --forms"},
    {"cholesky", GEN_FORWARD_LDL, NULL, "is for factors of the mass matrix; add forward to --forms"},
    {"actuators", GEN_MACHINE_INVERSE | GEN_IMPLICIT, NULL,
     "is for forces of actuators; add machine-inverse to --forms"},
    {"weights", GEN_MACHINE_INVERSE | GEN_IMPLICIT, NULL,
     "is for forces of actuators; add machine-inverse to --forms"},
    {"sensitive", GEN_LINEAR, "tangent", "is for derivatives; add --tangent, or linear to --forms"},
    {0},
};
// clang-format on
