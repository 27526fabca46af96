// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A block of Simulink in one C file: the equations, and around them a C S-function of level 2.
//
// Its continuous states are all coordinates, x = (q, v, slip, work), and every evaluation closes the loops and
// follows the drives on a copy of them first: so a choice of independent coordinates can be left for another, the
// start of Newton's method is itself a state, and steps that a solver takes back leave nothing behind. After a step
// the states are put where the copy has come to (mdlProjection).
#include <string.h>

#include "emit/simulation.h"
#include "emit/text.h"
#include "emit/writer.h"

// conditions of lines, in this order
enum { SLIPS, LOOPS, RUN, BOUND, SWITCHES, DIRECT, INDIRECT, BRANCHES, CORNERS, SIDES, CONDITIONS };

typedef struct sfunctionBlock {
  const emitSimulation *simulation;
  const eqnProgram *program; // that of the first choice
  const eqnVector *q, *v, *tau, *y;
  int slips, crossings;
  simulationCondition where[CONDITIONS + 1];
} sfunctionBlock;

//---- pieces of the file --------------------------------------------------------------------------

static const char *const head = "#define S_FUNCTION_NAME ~\n"
                                "#define S_FUNCTION_LEVEL 2\n"
                                "\n"
                                "#include \"simstruc.h\"\n"
                                "\n"
                                "#include <math.h>\n"
                                "#include <stddef.h>\n"
                                "#include <stdlib.h>\n"
                                "#include <string.h>\n"
                                "\n";

// what depends on the choice of independent coordinates
static const char *const choice_memory =
    "typedef struct @_choice {\n"
    "  @_parameters p;\n"
    "  @_accelerate_constants accelerate;\n"
    "  @_outputs_constants outputs;\n"
    "[switches]  @_switches_constants switches;\n"
    "[loops]  @_strain_constants strain;\n"
    "} @_choice;\n\n\n"
    "// values: those of the block's parameter, or NULL\n"
    "static void @_open(void *memory, const real_T *values)\n"
    "{\n"
    "  @_choice *c = memory;\n"
    "  @_default(&c->p);\n"
    "  if (values) memcpy(&c->p, values, N_PARAMETER*sizeof *values);\n"
    "  @_accelerate_prepare(&c->p, &c->accelerate);\n"
    "  @_outputs_prepare(&c->p, &c->outputs);\n"
    "[switches]  @_switches_prepare(&c->p, &c->switches);\n"
    "[loops]  @_strain_prepare(&c->p, &c->strain);\n"
    "}\n\n\n";

static const char *const inputs =
    "// what evaluations are given besides the state\n"
    "typedef struct sf_given {\n"
    "  const real_T *tau;  // joint forces\n"
    "[corners]  const real_T *blow; // added to the accelerations of drives\n"
    "[run]  const real_T *run;  // work and energy since the start\n"
    "} sf_given;\n\n"
    "static const real_T sf_no_forces[N_VELOCITY];\n"
    "[corners]static const real_T sf_no_blows[N_DRIVE];\n"
    "static const sf_given sf_nothing = {\n"
    "  .tau = sf_no_forces,\n"
    "[corners]  .blow = sf_no_blows,\n"
    "};\n\n\n";

static const char *const choice_calls =
    "static int @_rates(const void *memory, real_T t, real_T *x, const sf_given *u, real_T *rate)\n"
    "{\n"
    "  const @_choice *c = memory;\n"
    "  real_T *q = x, *v = x + N_POSITION, *a = rate + N_POSITION, power = 0;\n"
    "[slips]  real_T *slip = v + N_VELOCITY, *slip_rate = a + N_VELOCITY;\n"
    "  const int failed = @_accelerate(&c->p, &c->accelerate, &t, q, v,\n"
    "[slips]                                  slip,\n"
    "[corners]                                  u->blow,\n"
    "                                  u->tau, a,\n"
    "[slips]                                  slip_rate,\n"
    "                                  &power, NULL);\n"
    "[run]  rate[N_STATE - 1] = power;\n"
    "  return failed;\n"
    "}\n\n\n"
    "static int @_show(const void *memory, real_T t, real_T *x, const sf_given *u, real_T *y)\n"
    "{\n"
    "  const @_choice *c = memory;\n"
    "  real_T *q = x, *v = x + N_POSITION;\n"
    "  return @_outputs(&c->p, &c->outputs, &t, q, v,\n"
    "[slips]                   v + N_VELOCITY,\n"
    "[corners]                   u->blow,\n"
    "                   u->tau,\n"
    "[run]                   u->run,\n"
    "                   y, NULL);\n"
    "}\n\n\n"
    "[switches]static int @_cross(const void *memory, real_T t, real_T *x, real_T *g)\n"
    "[switches]{\n"
    "[switches]  const @_choice *c = memory;\n"
    "[switches]  real_T *q = x, *v = x + N_POSITION;\n"
    "[switches]  return @_switches(&c->p, &c->switches, &t, q, v,\n"
    "[switches][slips]                    v + N_VELOCITY,\n"
    "[switches][corners]                    sf_nothing.blow,\n"
    "[switches]                    sf_nothing.tau, g, NULL);\n"
    "[switches]}\n[switches]\n[switches]\n";

// ~ is the number of strains, of which the first is that of all loops together
static const char *const straining =
    "// how far the machine is from where this choice was made, and which loop strains it most\n"
    "static real_T @_weakness(const void *memory, const real_T *q, const char **complaint)\n"
    "{\n"
    "  const @_choice *c = memory;\n"
    "  real_T s[~], sum = 0, most = 0;\n"
    "  @_strain(&c->p, &c->strain, q, s, NULL);\n"
    "  for (int i = 0; i < ~; i++) {\n"
    "    sum += s[i]/@_made[i];\n"
    "    if (i == 0 || s[i]/@_made[i] <= most) continue;\n"
    "    most = s[i]/@_made[i];\n"
    "    *complaint = @_complaint[i];\n"
    "  }\n"
    "  return sum/~;\n"
    "}\n\n\n";

static const char *const choice_type =
    "typedef struct sf_choice {\n"
    "  size_t offset; // of its memory in the block's\n"
    "  void (*open)(void *memory, const real_T *values);\n"
    "  int (*rates)(const void *memory, real_T t, real_T *x, const sf_given *u, real_T *rate);\n"
    "  int (*show)(const void *memory, real_T t, real_T *x, const sf_given *u, real_T *y);\n"
    "  int (*cross)(const void *memory, real_T t, real_T *x, real_T *g);\n"
    "  real_T (*weakness)(const void *memory, const real_T *q, const char **complaint);\n"
    "} sf_choice;\n\n";

static const char *const evaluation =
    "// places in the block's work vectors: of integers, of pointers, of numbers\n"
    "enum { NOW, CORNER, INTEGERS, MEMORY = 0, START_ENERGY = 0 };\n\n\n"
    "// the choice that is number i after the one in use, and its memory\n"
    "static const sf_choice *sf_choice_after(SimStruct *S, int i, const void **memory)\n"
    "{\n"
    "  const sf_choice *c = &sf_choices[(ssGetIWorkValue(S, NOW) + i)%N_CHOICE];\n"
    "  *memory = (const char *) ssGetPWorkValue(S, MEMORY) + c->offset;\n"
    "  return c;\n"
    "}\n\n\n"
    "// x, made consistent, and its rates; 0 when no choice closes the loops, or a wheel finds no\n"
    "// road\n"
    "static int sf_evaluate(SimStruct *S, real_T t, real_T *x, const sf_given *u, real_T *rate)\n"
    "{\n"
    "  const sf_block *b = ssGetPWorkValue(S, MEMORY);\n"
    "  for (int i = 0; i < N_CHOICE; i++) {\n"
    "    const void *memory;\n"
    "    const sf_choice *c = sf_choice_after(S, i, &memory);\n"
    "    real_T own[N_STATE];\n"
    "    memcpy(own, x, sizeof own);\n"
    "    if (c->rates(memory, t, own, u, rate)) continue;\n"
    "    memcpy(x, own, sizeof own);\n"
    "    return @_position_rates(&b->choice_1.p, &b->position_rates, x, x + N_POSITION, rate,\n"
    "                            NULL) == 0;\n"
    "  }\n"
    "  return 0;\n"
    "}\n\n\n"
    "// texts are constant: Simulink reads them later\n"
    "static void sf_complain(SimStruct *S, const real_T *q)\n"
    "{\n"
    "  const void *memory;\n"
    "  const sf_choice *c = sf_choice_after(S, 0, &memory);\n"
    "  const char *text = \"~: the loops cannot be closed, or a wheel finds no road\";\n"
    "  if (c->weakness) c->weakness(memory, q, &text);\n"
    "  ssSetErrorStatus(S, text);\n"
    "}\n\n\n";

// where drives have branches: the side after the beginning, and that of a jump on which the block is
static const char *const clock =
    "static real_T sf_time_of(SimStruct *S)\n"
    "{\n"
    "  const real_T t = ssGetT(S);\n"
    "[branches]  if (t > sf_limits[1] + 1e-9*fabs(sf_limits[1])) {\n"
    "[branches]    ssSetErrorStatus(S, \"~: drives may jump behind the end of the study, until\"\n"
    "[branches]                     \" which this block knows them; give the study a longer \"\n"
    "[branches]                     \"time and generate the block again\");\n"
    "[branches]  }\n"
    "[sides]  if (t <= sf_limits[0]) return sf_limits[0] + side_width(sf_limits[0]);\n"
    "[corners]  const int k = ssGetIWorkValue(S, CORNER);\n"
    "[corners]  if (k < N_CORNER && fabs(t - sf_corner[k][0]) <= side_width(t)) {\n"
    "[corners]    return sf_corner[k][0] - side_width(t);\n"
    "[corners]  }\n"
    "[corners]  if (k > 0 && fabs(t - sf_corner[k - 1][0]) <= side_width(t)) {\n"
    "[corners]    return sf_corner[k - 1][0] + side_width(t);\n"
    "[corners]  }\n"
    "  return t;\n"
    "}\n\n\n";

// as simulators do it (simulator.c)
static const char *const striking =
    "[run]static real_T sf_kinetic(SimStruct *S, real_T t, const real_T *x)\n"
    "[run]{\n"
    "[run]  const sf_block *b = ssGetPWorkValue(S, MEMORY);\n"
    "[run]  const real_T *q = x, *v = x + N_POSITION;\n"
    "[run]  real_T e[3] = {0};\n"
    "[run]  @_machine_energy(&b->choice_1.p, &b->energy, &t, q, v,\n"
    "[run][slips]                   v + N_VELOCITY,\n"
    "[run]                   e, NULL);\n"
    "[run]  return e[0];\n"
    "[run]}\n"
    "[run]\n"
    "[run]\n"
    "// Rates of drives jump: what that does to the other velocities is the part of the equations "
    "of\n"
    "// motion that is linear in the accelerations of drives.\n"
    "static int sf_strike(SimStruct *S, real_T t, real_T *x, const real_T *jump)\n"
    "{\n"
    "  const real_T sharpness = 1099511627776.0;\n"
    "[run]  const real_T before = sf_kinetic(S, t, x);\n"
    "  real_T own[N_STATE], still[N_STATE], struck[N_STATE], blow[N_DRIVE];\n"
    "  sf_given u = sf_nothing;\n"
    "  memcpy(own, x, sizeof own);\n"
    "  if (!sf_evaluate(S, t, own, &u, still)) return 0;\n"
    "  for (int i = 0; i < N_DRIVE; i++) blow[i] = sharpness*jump[i];\n"
    "  u.blow = blow;\n"
    "  memcpy(own, x, sizeof own);\n"
    "  if (!sf_evaluate(S, t, own, &u, struck)) return 0;\n"
    "  for (int i = N_POSITION; i < N_POSITION + N_VELOCITY; i++) {\n"
    "    x[i] += (struck[i] - still[i])/sharpness;\n"
    "  }\n"
    "[run]  x[N_STATE - 1] += sf_kinetic(S, t, x) - before; // by the drives\n"
    "  return 1;\n"
    "}\n\n\n"
    "// At the first major step on or behind such an instant velocities jump.\n"
    "static void sf_pass_corners(SimStruct *S)\n"
    "{\n"
    "  const real_T t = ssGetT(S);\n"
    "  real_T *x = ssGetContStates(S);\n"
    "  for (;;) {\n"
    "    const int k = ssGetIWorkValue(S, CORNER);\n"
    "    if (k == N_CORNER || t + side_width(t) < sf_corner[k][0]) return;\n"
    "    ssSetIWorkValue(S, CORNER, k + 1);\n"
    "    if (!sf_strike(S, sf_time_of(S), x, sf_corner[k] + 1)) sf_complain(S, x);\n"
    "    ssSetSolverNeedsReset(S);\n"
    "  }\n"
    "}\n\n\n";

static const char *const projecting =
    "// Other coordinates lead the machine from here on if their strain is less than a ninth.\n"
    "static void sf_choose(SimStruct *S, const real_T *q)\n"
    "{\n"
    "  int best = 0;\n"
    "  real_T least = 0;\n"
    "  for (int i = 0; i < N_CHOICE && N_CHOICE > 1; i++) {\n"
    "    const void *memory;\n"
    "    const char *complaint;\n"
    "    const sf_choice *c = sf_choice_after(S, i, &memory);\n"
    "    const real_T w = c->weakness(memory, q, &complaint);\n"
    "    if (i > 0 && !(w < least || (isnan(least) && !isnan(w)))) continue;\n"
    "    best = i;\n"
    "    least = i == 0 ? w/9 : w;\n"
    "  }\n"
    "  ssSetIWorkValue(S, NOW, (ssGetIWorkValue(S, NOW) + best)%N_CHOICE);\n"
    "}\n\n\n";

static const char *const sizing =
    "// The parameter of the block: [], or all constants of the machine in their order.\n"
    "static const real_T *sf_values_of(SimStruct *S)\n"
    "{\n"
    "  if (ssGetSFcnParamsCount(S) == 0) return NULL;\n"
    "  const mxArray *values = ssGetSFcnParam(S, 0);\n"
    "  const size_t n = mxGetNumberOfElements(values);\n"
    "  if (n == 0) return NULL;\n"
    "  if (mxIsDouble(values) && !mxIsComplex(values) && n == N_PARAMETER) return "
    "mxGetPr(values);\n"
    "  ssSetErrorStatus(S, \"~: the parameter must be [] or a real vector of all constants of the "
    "\"\n"
    "                   \"machine, in the order of the list in the C file\");\n"
    "  return NULL;\n"
    "}\n\n\n"
    "static void mdlInitializeSizes(SimStruct *S)\n"
    "{\n"
    "  const int has_values = N_PARAMETER > 0 && ssGetSFcnParamsCount(S) > 0;\n"
    "  ssSetNumSFcnParams(S, has_values);\n"
    "  if (ssGetNumSFcnParams(S) != ssGetSFcnParamsCount(S)) return; // Simulink reports it\n"
    "  if (has_values) ssSetSFcnParamTunable(S, 0, SS_PRM_NOT_TUNABLE);\n"
    "  sf_values_of(S);\n"
    "  if (ssGetErrorStatus(S)) return;\n\n"
    "  ssSetNumContStates(S, N_STATE);\n"
    "  ssSetNumDiscStates(S, 0);\n\n"
    "  // joint forces\n"
    "  if (!ssSetNumInputPorts(S, 1)) return;\n"
    "  ssSetInputPortWidth(S, 0, N_VELOCITY);\n"
    "  ssSetInputPortRequiredContiguous(S, 0, 1);\n"
    "[direct]  ssSetInputPortDirectFeedThrough(S, 0, 1);\n"
    "[indirect]  ssSetInputPortDirectFeedThrough(S, 0, 0);\n"
    "\n"
    "  // positions, velocities, outputs of the model\n"
    "  if (!ssSetNumOutputPorts(S, N_OUTPUT > 0 ? 3 : 2)) return;\n"
    "  ssSetOutputPortWidth(S, 0, N_POSITION);\n"
    "  ssSetOutputPortWidth(S, 1, N_VELOCITY);\n"
    "  if (N_OUTPUT > 0) ssSetOutputPortWidth(S, 2, N_OUTPUT);\n\n"
    "  ssSetNumSampleTimes(S, 1);\n"
    "  ssSetNumRWork(S, 1);\n"
    "  ssSetNumIWork(S, INTEGERS);\n"
    "  ssSetNumPWork(S, 1);\n"
    "  ssSetNumModes(S, 0);\n"
    "  ssSetNumNonsampledZCs(S, N_CROSSING);\n"
    "  ssSetOptions(S, SS_OPTION_EXCEPTION_FREE_CODE);\n"
    "}\n\n\n"
    "static void mdlInitializeSampleTimes(SimStruct *S)\n"
    "{\n"
    "  ssSetSampleTime(S, 0, CONTINUOUS_SAMPLE_TIME);\n"
    "  ssSetOffsetTime(S, 0, 0.0);\n"
    "}\n\n\n";

static const char *const beginning =
    "#define MDL_START\n"
    "static void mdlStart(SimStruct *S)\n"
    "{\n"
    "  sf_block *b = calloc(1, sizeof *b);\n"
    "  ssSetPWorkValue(S, MEMORY, b);\n"
    "  if (!b) {\n"
    "    ssSetErrorStatus(S, \"~: no memory is left\");\n"
    "    return;\n"
    "  }\n"
    "  const real_T *values = sf_values_of(S);\n"
    "  for (int i = 0; i < N_CHOICE; i++) sf_choices[i].open((char *) b + sf_choices[i].offset, "
    "values);\n"
    "  @_position_rates_prepare(&b->choice_1.p, &b->position_rates);\n"
    "[run]  @_machine_energy_prepare(&b->choice_1.p, &b->energy);\n"
    "}\n\n\n"
    "#define MDL_INITIALIZE_CONDITIONS\n"
    "static void mdlInitializeConditions(SimStruct *S)\n"
    "{\n"
    "  memcpy(ssGetContStates(S), sf_initial, sizeof sf_initial);\n"
    "  ssSetIWorkValue(S, NOW, 0);\n"
    "  ssSetIWorkValue(S, CORNER, 0);\n"
    "[run]  const sf_block *b = ssGetPWorkValue(S, MEMORY);\n"
    "[run]  const real_T t = sf_time_of(S), *q = sf_initial, *v = sf_initial + N_POSITION;\n"
    "[run]  real_T e[3] = {0};\n"
    "[run]  @_machine_energy(&b->choice_1.p, &b->energy, &t, q, v,\n"
    "[slips][run]                   v + N_VELOCITY,\n"
    "[run]                   e, NULL);\n"
    "[run]  ssSetRWorkValue(S, START_ENERGY, e[0] + e[1]);\n"
    "}\n\n\n";

// the input must not be read where it is not fed through
static const char *const working =
    "static void mdlOutputs(SimStruct *S, int_T tid)\n"
    "{\n"
    "  const real_T *state = ssGetContStates(S);\n"
    "  sf_given u = sf_nothing;\n"
    "  real_T x[N_STATE], y[N_OUTPUT > 0 ? N_OUTPUT : 1];\n"
    "  (void) tid;\n"
    "[corners]  if (ssIsMajorTimeStep(S)) sf_pass_corners(S);\n"
    "[direct]  u.tau = ssGetInputPortRealSignal(S, 0);\n"
    "[run]  const real_T run[7] = {state[N_STATE - 1], ssGetRWorkValue(S, START_ENERGY)};\n"
    "[run]  u.run = run;\n"
    "  for (int i = 0; i < N_CHOICE; i++) {\n"
    "    const void *memory;\n"
    "    const sf_choice *c = sf_choice_after(S, i, &memory);\n"
    "    memcpy(x, state, sizeof x);\n"
    "    if (c->show(memory, sf_time_of(S), x, &u, y)) continue;\n"
    "    memcpy(ssGetOutputPortRealSignal(S, 0), x, N_POSITION*sizeof *x);\n"
    "    memcpy(ssGetOutputPortRealSignal(S, 1), x + N_POSITION, N_VELOCITY*sizeof *x);\n"
    "    if (N_OUTPUT > 0) memcpy(ssGetOutputPortRealSignal(S, 2), y, N_OUTPUT*sizeof *y);\n"
    "    return;\n"
    "  }\n"
    "  sf_complain(S, state);\n"
    "}\n\n\n"
    "#define MDL_DERIVATIVES\n"
    "static void mdlDerivatives(SimStruct *S)\n"
    "{\n"
    "  sf_given u = sf_nothing;\n"
    "  real_T x[N_STATE];\n"
    "  u.tau = ssGetInputPortRealSignal(S, 0);\n"
    "  memcpy(x, ssGetContStates(S), sizeof x);\n"
    "  if (!sf_evaluate(S, sf_time_of(S), x, &u, ssGetdX(S))) sf_complain(S, x);\n"
    "}\n\n\n";

static const char *const projection =
    "// After a step: quaternions get their length, loops are closed, drives followed.\n"
    "#define MDL_PROJECTION\n"
    "static void mdlProjection(SimStruct *S)\n"
    "{\n"
    "  real_T *x = ssGetContStates(S), closed[N_STATE], rate[N_STATE];\n"
    "  unit_quaternions(QUATERNIONS, sf_quaternion, x);\n"
    "  sf_choose(S, x);\n"
    "  memcpy(closed, x, sizeof closed);\n"
    "  if (!sf_evaluate(S, sf_time_of(S), closed, &sf_nothing, rate) ||\n"
    "      has_jumped(N_VELOCITY, x + N_POSITION, closed + N_POSITION)) {\n"
    "    sf_complain(S, x);\n"
    "    return;\n"
    "  }\n"
    "  memcpy(x, closed, sizeof closed);\n"
    "}\n\n\n";

static const char *const zero_crossings =
    "// Piecewise laws go over to another segment where one of these changes its sign.\n"
    "#define MDL_ZERO_CROSSINGS\n"
    "#if defined(MATLAB_MEX_FILE) || defined(NRT)\n"
    "static void mdlZeroCrossings(SimStruct *S)\n"
    "{\n"
    "  for (int i = 0; i < N_CHOICE; i++) {\n"
    "    const void *memory;\n"
    "    const sf_choice *c = sf_choice_after(S, i, &memory);\n"
    "    real_T x[N_STATE];\n"
    "    memcpy(x, ssGetContStates(S), sizeof x);\n"
    "    if (c->cross(memory, sf_time_of(S), x, ssGetNonsampledZCs(S)) == 0) return;\n"
    "  }\n"
    "  sf_complain(S, ssGetContStates(S));\n"
    "}\n"
    "#endif\n\n\n";

// it may be called when nothing has begun
static const char *const ending = "static void mdlTerminate(SimStruct *S)\n"
                                  "{\n"
                                  "  if (!ssGetPWork(S)) return;\n"
                                  "  free(ssGetPWorkValue(S, MEMORY));\n"
                                  "  ssSetPWorkValue(S, MEMORY, NULL);\n"
                                  "}\n\n\n";

static const char *const tail = "#ifdef MATLAB_MEX_FILE\n"
                                "#include \"simulink.c\"\n"
                                "#else\n"
                                "#include \"cg_sfun.h\"\n"
                                "#endif\n";

//---- what depends on the model -------------------------------------------------------------------

static void print(FILE *out, const sfunctionBlock *b, const char *piece)
{
  simulation_print_where(out, piece, b->program->name, b->simulation->name, b->where);
}


// the elements of a port, by number as in Simulink
static void print_port(FILE *out, const char *port, const eqnVector *v)
{
  char text[500];
  fputs("//\n", out);
  snprintf(text, sizeof text, "%s, %d numbers: %s.", port, v->n, v->what);
  emit_comment(out, "//", 0, text);
  for (int i = 0; i < v->n; i++) {
    snprintf(text, sizeof text, "  %d  %.400s", i + 1, v->label[i]);
    emit_comment(out, "//", 0, text);
  }
}


static void print_head(FILE *out, const sfunctionBlock *b)
{
  const char *name = b->simulation->name;
  emit_provenance(out, b->program, "//");
  char text[800];
  fprintf(out,
          "//\n// A C S-function of level 2 for Simulink. In MATLAB\n"
          "//   mex CFLAGS='$CFLAGS -std=c11' %s.c\n",
          name);
  snprintf(text, sizeof text,
           "makes it; a block S-Function with the name %.80s shows it. The parameter of the block "
           "may stay empty, or be a vector of the %d constants of %.200s_parameters below, in "
           "their order.",
           name, b->program->parameter.n, b->program->name);
  emit_comment(out, "//", 0, text);
  print_port(out, "Input", b->tau);
  print_port(out, "Output 1", b->q);
  print_port(out, "Output 2", b->v);
  if (b->y->n > 0) print_port(out, "Output 3", b->y);
  fputc('\n', out);
  print(out, b, head);
}


static void print_model(FILE *out, const sfunctionBlock *b)
{
  const emitSimulation *s = b->simulation;
  const int nq = b->q->n, nv = b->v->n, work = b->where[RUN].holds;
  const double limits[2] = {s->from, s->until}, none = 0;
  fprintf(out,
          "enum {\n  N_POSITION = %d,\n  N_VELOCITY = %d,\n  N_STATE = %d,\n  N_OUTPUT = %d,\n  "
          "N_CROSSING = %d,\n  N_PARAMETER = %d,\n  N_CHOICE = %d // of independent "
          "coordinates\n};\n\n",
          nq, nv, nq + nv + b->slips + work, b->y->n, b->crossings, b->program->parameter.n,
          s->nprogram);
  fputs("// the state at the beginning\n", out);
  simulation_print_numbers(out, "sf_initial", 4, (const int[]){nq, nv, b->slips, work},
                           (const double *const[]){s->q, s->v, s->slip, &none});
  if (b->where[SIDES].holds) {
    fputs("\n// beginning and end of the study, s\n", out);
    simulation_print_numbers(out, "sf_limits", 1, (const int[]){2},
                             (const double *const[]){limits});
  }
  fputc('\n', out);
  if (b->where[BOUND].holds) simulation_print_quaternions(out, "sf_", b->q);
  if (s->ncorner > 0) simulation_print_corners(out, "sf_", s);
  print(out, b, inputs);
}


// how far a choice is from where it was made, and what is said of the loop that strains it most
static void print_strain(FILE *out, const emitSimulation *s, const char *name, int number, int n)
{
  char text[600];
  snprintf(text, sizeof text, "%.250s_made", name);
  simulation_print_numbers(out, text, 1, &n, &s->strain[number]);
  fprintf(out, "\nstatic const char *const %s_complaint[%d] = {\n    NULL", name, n);
  for (int k = 1; k < n; k++) {
    snprintf(text, sizeof text,
             "%.80s: the loop of joints %.300s cannot be closed, or has come to a singular "
             "position, where it may go on in several ways",
             s->name, s->joints[number][k]);
    fputs(",\n    ", out);
    simulation_print_string(out, text);
  }
  fputs("};\n\n", out);
  snprintf(text, sizeof text, "%d", n);
  simulation_print(out, straining, name, text);
}


// the memory of a block, and the table of choices
static void print_table(FILE *out, const simulationParts *parts, const sfunctionBlock *b)
{
  fputs("typedef struct sf_block {\n", out);
  for (int i = 0; i < parts->n; i++) {
    fprintf(out, "  %s_choice choice_%d;\n", parts->part[i].program.name, i + 1);
  }
  print(out, b,
        "  @_position_rates_constants position_rates;\n"
        "[run]  @_machine_energy_constants energy;\n"
        "} sf_block;\n\n");
  fprintf(out, "%sstatic const sf_choice sf_choices[N_CHOICE] = {\n", choice_type);
  for (int i = 0; i < parts->n; i++) {
    char number[12];
    snprintf(number, sizeof number, "%d", i + 1);
    simulation_print_where(out,
                           "    {.offset = offsetof(sf_block, choice_~), .open = @_open,\n"
                           "     .rates = @_rates, .show = @_show,\n"
                           "[switches]     .cross = @_cross,\n"
                           "[loops]     .weakness = @_weakness,\n"
                           "    },\n",
                           parts->part[i].program.name, number, b->where);
  }
  fputs("};\n\n\n", out);
}


static void print_choices(FILE *out, const simulationParts *parts, const sfunctionBlock *b)
{
  for (int i = 0; i < parts->n; i++) {
    const eqnProgram *p = &parts->part[i].program;
    const eqnFunction *strain = simulation_function(p, "strain");
    simulation_print_where(out, choice_memory, p->name, "", b->where);
    simulation_print_where(out, choice_calls, p->name, "", b->where);
    if (strain) print_strain(out, b->simulation, p->name, i, strain->output[0].n);
  }
  print_table(out, parts, b);
}


static void print_methods(FILE *out, const sfunctionBlock *b)
{
  const emitSimulation *s = b->simulation;
  print(out, b, evaluation);
  emit_lines(out, simulation_math_text);
  fputs("\n\n", out);
  print(out, b, clock);
  if (s->ncorner > 0) print(out, b, striking);
  if (b->where[BOUND].holds) print(out, b, projecting);
  print(out, b, sizing);
  print(out, b, beginning);
  print(out, b, working);
  if (b->where[BOUND].holds) print(out, b, projection);
  if (b->where[SWITCHES].holds) print(out, b, zero_crossings);
  print(out, b, ending);
}

//---- the file ------------------------------------------------------------------------------------

static const char rule[] = " -----------------------------------------------------------------\n\n";


static int print_file(FILE *out, simulationParts *parts, const sfunctionBlock *b)
{
  print_head(out, b);
  for (int i = 0; i < parts->n; i++) {
    if (!job_declare_c(&parts->part[i].job, "static ")) return 0;
  }
  fprintf(out, "//---- the machine%s", rule);
  print_model(out, b);
  print_choices(out, parts, b);
  fprintf(out, "//---- the block%s", rule);
  print_methods(out, b);
  fprintf(out, "//---- equations of motion%s", rule);
  for (int i = 0; i < parts->n; i++) {
    if (!job_define_c(&parts->part[i].job, "static ")) return 0;
  }
  print(out, b, tail);
  return 1;
}


static sfunctionBlock block_of(const simulationPart *part, const emitSimulation *s)
{
  const eqnProgram *p = &part->program;
  const eqnFunction *f = simulation_function(p, "accelerate");
  const eqnFunction *outputs = simulation_function(p, "outputs");
  const eqnFunction *switches = simulation_function(p, "switches");
  sfunctionBlock b = {.simulation = s, .program = p, .q = &f->input[1], .v = &f->input[2]};
  b.tau = simulation_input(f, "tau");
  b.y = &outputs->output[0];
  b.slips = simulation_slip_count(p);
  b.crossings = switches ? switches->output[0].n : 0;
  const int has_loops = simulation_function(p, "strain") != NULL;
  const int is_direct = simulation_depends(part->job.list[outputs - p->function], "tau");
  const simulationCondition where[CONDITIONS] = {
      [SLIPS] = {"[slips]", b.slips > 0},
      [LOOPS] = {"[loops]", has_loops},
      [RUN] = {"[run]", simulation_input(outputs, "run") != NULL},
      [BOUND] = {"[bound]", has_loops || s->ndrive > 0 || simulation_next_quaternion(b.q, 0) >= 0},
      [SWITCHES] = {"[switches]", b.crossings > 0},
      [DIRECT] = {"[direct]", is_direct},
      [INDIRECT] = {"[indirect]", !is_direct},
      [BRANCHES] = {"[branches]", s->is_bounded},
      [CORNERS] = {"[corners]", s->ncorner > 0},
      [SIDES] = {"[sides]", s->is_bounded || s->ncorner > 0},
  };
  memcpy(b.where, where, sizeof where);
  return b;
}


artStatus emit_sfunction(FILE *out, const emitSimulation *simulation, const emitOptions *options,
                         artError *error)
{
  // what outputs read of a run is energy since the start
  const int has_run =
      simulation_input(simulation_function(simulation->program[0], "outputs"), "run") != NULL;
  const simulationNeed needs[] = {{"accelerate", 1, 0},
                                  {"outputs", 1, 0},
                                  {"switches", 0, 0},
                                  {"strain", 0, 0},
                                  {"position_rates", 1, 1},
                                  {has_run ? "machine_energy" : NULL, 1, 1},
                                  {0}};
  simulationParts parts;
  artStatus status = simulation_open(&parts, out, simulation, needs, options, EMIT_LOOPS, error);
  if (status == ART_OK) {
    const sfunctionBlock b = block_of(&parts.part[0], simulation);
    if (!print_file(out, &parts, &b)) status = base_no_memory(error);
  }
  return simulation_close(&parts, status, error);
}
