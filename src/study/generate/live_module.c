// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine as a WebAssembly module that stands alone: its generated source behind the interface, with the motion of its
// bodies, arrows and checks among the outputs, compiled by clang.
#include "study/generate/live_module.h"

#include <math.h>

#include "base/error.h"
#include "emit/machine/simulation.h"
#include "emit/write/template.h"
#include "load/cache.h"
#include "study/generate/product_writer.h"

static const char NAME[] = "machine";

// length of a page's motion relative to the study, if drives may jump
enum { FURTHER = 500 };

static const char *const wasm_flags[] = {"--target=wasm32-wasi",
                                         "-O2",
                                         "-std=c11",
                                         "-ffp-contract=off",
                                         "-fno-math-errno",
                                         "-fno-trapping-math",
                                         "-nostartfiles",
                                         "-Wl,--no-entry",
                                         "-Wl,--strip-all",
                                         "-Wl,-z,stack-size=1048576",
                                         NULL};
static const cacheTool clang = {
    .command = "clang",
    .flags = wasm_flags,
    .advice = "live pages need clang and lld with the C library for WebAssembly, on Debian: apt "
              "install clang lld wasi-libc libclang-rt-dev-wasm32"};


artStatus live_write(const artModel *m, artData *d, const artRunDef *study, FILE *out,
                     artError *error)
{
  eqnProgram *program = NULL;
  const genOptions options = {.name = NAME, .motions = 1, .shows = 1};
  simulatorForm form = {
      .kind = SIMULATOR_MACHINE, .name = NAME, .lengths = FURTHER, .program = &program};
  artStatus status = study_write_simulator(m, d, study, &options, &form, out, error);
  if (status == ART_OK) status = simulation_check_externals(program, "a live page", error);
  if (status == ART_OK) {
    fprintf(out,
            "\nenum { BODIES = %d, OUTPUTS = %d, INPUTS = %d, PARAMETERS = %d, MOTION = %d,\n"
            "       ARROWS = %d, CHECKS = %d, GEOMETRY = %d };\n",
            gen_motion_count(m) / GEN_MOTION_SIZE, m->noutput, m->ninput, program->nmodel,
            GEN_MOTION_SIZE, gen_show_count(m) - GEN_CHECKS, GEN_CHECKS, program->ngeometry);
    fputs("static const char *const parameter_names[PARAMETERS + 1] = {\n", out);
    for (int i = 0; i < program->nmodel; i++) {
      fputs("    ", out);
      simulation_print_string(out, program->user[i].name);
      fputs(",\n", out);
    }
    fputs("};\nstatic const int geometry_numbers[GEOMETRY + 1] = {\n", out);
    for (int i = 0; i < program->ngeometry; i++) fprintf(out, "    %d,\n", program->geometry[i]);
    fputs("};\n\n", out);
    template_print(out, live_text, "live", &(templateValues){.name = NAME});
  }
  gen_free(program);
  return status;
}


artStatus live_compile(const artModel *m, artData *d, const artRunDef *study, char **module,
                       size_t *size, artError *error)
{
  cacheText text;
  char library[FILE_PATH_LENGTH];
  artStatus status = cache_begin(&text, error);
  if (status != ART_OK) return status;
  text.tool = &clang;
  status = live_write(m, d, study, text.out, error);
  if (status != ART_OK) {
    cache_abandon(&text);
    return status;
  }
  status = cache_compile(&text, library, error);
  return status == ART_OK ? cache_read(library, module, size, error) : status;
}


// a run by rk4 with this step over the beginning of the study
static artStatus try_step(const artModel *m, const artRunDef *study, double step, artError *error)
{
  static const double LONGEST = 0.2; // s
  artRunDef own = *study;
  own.integrator = ART_RK4;
  own.method = ART_AUTOMATIC;
  own.backend = ART_BACKEND_NUMERIC;
  own.step = step;
  own.until = fmin(study->until, study->from + LONGEST);
  artData *d = art_create_data(m);
  artRun *run = NULL;
  artStatus status = d ? art_create_run(&run, m, d, &own, error) : base_no_memory(error);
  if (status == ART_OK) status = art_run_to(run, own.until, error);
  art_free_run(run);
  art_free_data(d);
  return status;
}


artStatus live_find_step(const artModel *m, const artRunDef *study, double *step, artError *error)
{
  enum { MAX_HALVES = 6 };
  artStatus status = ART_OK;
  *step = study->step > 0 ? study->step : 1e-3;
  for (int i = 0; i <= MAX_HALVES; i++) {
    status = try_step(m, study, *step, error);
    if (status != ART_NO_CONVERGENCE && status != ART_SINGULAR && status != ART_STEP_TOO_SMALL)
      break;
    if (i < MAX_HALVES) *step /= 2;
  }
  return status;
}
