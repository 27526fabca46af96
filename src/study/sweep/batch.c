// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Many instances of a machine: their memory on a device, and the kernels that work on it.
#include "articula/batch.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/arithmetic.h"
#include "base/error.h"
#include "base/max_nan.h"
#include "base/memory.h"
#include "emit/machine/simulation.h"
#include "force/tyre_element.h"
#include "gen/gen.h"
#include "load/kernels.h"
#include "model/model.h"
#include "study/generate/product_writer.h"
#include "study/study.h"
#include "study/sweep/batch_names.h"

// Statuses of instances, as emit/texts/cuda.c.in has them.
enum {
  NO_ROAD = 1,
  FIRST_LOOP = 3,
  JUMPED = 1000,
  STEP_TOO_SMALL = 1001,
  TOO_LATE = 1002,
  NO_END = 1003,
  NO_EQUATIONS = 1004
};

struct artBatch {
  const artModel *m;
  artBatchDef def;
  kernelsDevice *device;
  eqnProgram *program; // the first of the text, for names
  kernelsBatch b;
  int size[KERNELS_NUMBERS];
  int is_twin;    // all but the instances belongs to another batch
  int is_fresh;   // loops are not closed yet, and the energy is not known
  long rows;      // of parameters on the device
  double *shared; // [parameters] those that all share, of a batch with some of its own
  artError why;   // no GPU
  double *held; // numbers after the inputs that samplers, relays and latches hold, at the beginning
  int nvaried;  // parameters of the model file that the equations must follow
  const char *const *varied;
  unsigned char
      *is_own; // [parameters] whether each may differ from instance to instance; NULL: all
  artBatch
      *reference; // the first instances once more, on the CPU in double precision; NULL: all are
};


artBatchDef art_default_batch(void)
{
  return (artBatchDef){.n = 1};
}

//---- the text ------------------------------------------------------------------------------------

// each instance has parameters of its own, unless the device has a row that all can read
static int is_varied(const artBatch *b)
{
  return !b->def.share || !b->device->ways->share;
}


// this row has those that are not named
static int is_partly_shared(const artBatch *b)
{
  return is_varied(b) && b->def.own && b->device->ways->share;
}


static artStatus check_varied(const artBatch *b, artError *error)
{
  for (int i = 0; i < b->program->nfrozen; i++) {
    const eqnFrozen *f = &b->program->frozen[i];
    for (int k = 0; k < b->nvaried; k++) {
      if (strcmp(f->name, b->varied[k]) != 0) continue;
      return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                       "'%.60s' cannot vary on a device: it reaches %.200s, and is a number in "
                       "generated equations; leave out the device",
                       f->name, f->what);
    }
  }
  return ART_OK;
}


// a text once more, with other flags
static artStatus compile_again(FILE *from, const cacheTool *tool, const char *const *more,
                               char library[FILE_PATH_LENGTH], artError *error)
{
  cacheText text;
  char bytes[4096];
  const artStatus status = cache_begin(&text, error);
  if (status != ART_OK) return status;
  text.tool = tool;
  text.more = more;
  rewind(from);
  for (size_t n; (n = fread(bytes, 1, sizeof bytes, from)) > 0;) fwrite(bytes, 1, n, text.out);
  fseek(from, 0, SEEK_END);
  return cache_compile(&text, library, error);
}


// the compiled files; steps "": with the rest
typedef struct batchCode {
  char rest[FILE_PATH_LENGTH], steps[FILE_PATH_LENGTH];
} batchCode;


static artStatus compile_text(artBatch *b, artData *d, const artRunDef *study, batchCode *code,
                              artError *error)
{
  cacheText text;
  const char *more[2 + KERNELS_FLAGS] = {NULL}, *of_steps[2 + KERNELS_FLAGS] = {NULL};
  int n = 0;
  code->steps[0] = '\0';
  artStatus status = cache_begin(&text, error);
  if (status != ART_OK) return status;
  if (is_varied(b)) of_steps[n] = more[n] = "-D" KERNELS_NAME "_VARIED", n++;
  if (b->device->target[0]) of_steps[n] = more[n] = b->device->target, n++;
  text.tool = &b->device->tool;
  text.more = more;
  FILE *out = text.out;
  // threads of subtrees read constants of links, each by its own places (eqn/share.h)
  const genOptions options = {.name = KERNELS_NAME,
                              .forms = GEN_ACCELERATE,
                              .fixed_bodies = !is_varied(b) && b->m->nparameter == 0};
  simulatorForm form = {.kind = SIMULATOR_CUDA,
                        .name = KERNELS_NAME,
                        .language = EMIT_CUDA,
                        .counts_work = b->def.counts_work,
                        .corners = b->def.corners,
                        .precision = b->def.precision,
                        .lanes = b->device->has_lanes ? EMIT_LANES_OF_TARGET : 0,
                        .tasks = kernels_team(b->device, b->def.n),
                        .prefers_subtrees = !is_varied(b),
                        .varies_drives = b->nvaried > 0,
                        .nown = b->def.nown,
                        .own = is_partly_shared(b) ? b->def.own : NULL,
                        .program = &b->program};
  gen_free(b->program);
  b->program = NULL;
  status = study_write_simulator(b->m, d, study, &options, &form, out, error);
  kernels_flags(b->device, text.out, more + n);
  if (status == ART_OK) status = check_varied(b, error);
  if (status == ART_OK && b->device->ways->load_steps &&
      kernels_step_flags(b->device, text.out, is_varied(b), of_steps + n, more + n)) {
    status = compile_again(text.out, text.tool, of_steps, code->steps, error);
  }
  if (status == ART_OK) return cache_compile(&text, code->rest, error);
  cache_abandon(&text);
  return status;
}


static artStatus load_batch_code(artBatch *b, const batchCode *code, artError *error)
{
  const kernelsWays *ways = b->device->ways;
  const artStatus status =
      code->steps[0] ? ways->load_steps(b->device, code->steps, error) : ART_OK;
  return status == ART_OK ? ways->load(b->device, code->rest, error) : status;
}


// code that is kept may be damaged, and is made once more then
static artStatus load_kernels(artBatch *b, artData *d, const artRunDef *study, artError *error)
{
  batchCode code;
  artStatus status = compile_text(b, d, study, &code, error);
  if (status != ART_OK) return status;
  status = load_batch_code(b, &code, error);
  if (status == ART_OK || status == ART_NO_MEMORY) return status;
  unlink(code.rest);
  if (code.steps[0]) unlink(code.steps);
  status = compile_text(b, d, study, &code, error);
  return status == ART_OK ? load_batch_code(b, &code, error) : status;
}

//---- memory --------------------------------------------------------------------------------------

static artStatus run_batch_kernel(artBatch *b, kernelsCall call, artError *error)
{
  call.batch = b->b;
  return b->device->ways->run(b->device, &call, error);
}


static void *take_device_memory(artBatch *b, long count, size_t size)
{
  ART_ASSERT(count >= 0);
  const double bytes = (double) count * (double) size;
  return bytes < 1e15 ? b->device->ways->take(b->device, (size_t) (count + 1) * size) : NULL;
}


static artStatus no_room(const artBatch *b, artError *error)
{
  const double each = 8.0 * (double) (2 * b->size[KERNELS_NX] + b->size[KERNELS_NU] +
                                      b->size[KERNELS_NOWN] * !b->def.share) +
                      8.0 * (double) (b->m->noutput + 5);
  return base_fail(error, ART_NO_MEMORY, base_nowhere(),
                   "%ld instances of %.3g kB do not fit into the memory of %s; take fewer%s",
                   b->def.n, each / 1e3, b->device->name,
                   b->def.share ? "" : ", or let them share their parameters");
}


static artStatus take_batch_memory(artBatch *b, artError *error)
{
  kernelsBatch *k = &b->b;
  const long n = b->def.n, nx = b->size[KERNELS_NX];
  b->rows = is_varied(b) ? n : 1;
  k->n = n;
  k->t = take_device_memory(b, n, sizeof *k->t);
  k->x = take_device_memory(b, nx * n, sizeof *k->x);
  k->u = take_device_memory(b, b->size[KERNELS_NU] * n, sizeof *k->u);
  k->own = take_device_memory(b, b->size[KERNELS_NOWN] * b->rows, sizeof *k->own);
  k->rate = take_device_memory(b, nx * n, sizeof *k->rate);
  k->y = take_device_memory(b, b->m->noutput * n, sizeof *k->y);
  k->energy = take_device_memory(b, n, sizeof *k->energy);
  k->length = take_device_memory(b, n, sizeof *k->length);
  k->status = take_device_memory(b, n, sizeof *k->status);
  k->failed_at = take_device_memory(b, n, sizeof *k->failed_at);
  k->choice = take_device_memory(b, n, sizeof *k->choice);
  if (k->t && k->x && k->u && k->own && k->rate && k->y && k->energy && k->length && k->status &&
      k->failed_at && k->choice) {
    return ART_OK;
  }
  return no_room(b, error);
}


//---- parameters ----------------------------------------------------------------------------------

// where a parameter is in rows of instances; -1: all share it
static int place_of_parameter(const artBatch *b, int k)
{
  ART_ASSERT(k >= 0 && k < b->program->parameter.n);
  int place = 0;
  if (!is_partly_shared(b)) return k;
  for (int i = 0; i < k; i++) place += b->is_own[i];
  return b->is_own[k] ? place : -1;
}


// a parameter of the first instances
static artStatus get_parameter(const artBatch *b, int k, long count, double *numbers,
                               artError *error)
{
  ART_ASSERT(count >= 0 && count <= b->def.n);
  const int place = place_of_parameter(b, k);
  const size_t bytes = (size_t) (b->rows < count ? 1 : count) * sizeof *numbers;
  artStatus status = ART_OK;
  if (place < 0) numbers[0] = b->shared[k];
  if (place >= 0) {
    status = b->device->ways->get(b->device, numbers, b->b.own + place * b->rows, bytes, error);
  }
  for (long i = 1; i < count && (place < 0 || b->rows < count); i++) numbers[i] = numbers[0];
  return status;
}


// numbers that follow from parameters in whole rows
static artStatus prepare_parameter_rows(artBatch *b, double *rows, long n, artError *error)
{
  return run_batch_kernel(b, (kernelsCall){.kernel = KERNELS_PREPARE, .rows = rows, .n = n}, error);
}


// a row that is complete becomes that of all
static artStatus share_parameter_row(artBatch *b, const double *there, artError *error)
{
  const kernelsWays *ways = b->device->ways;
  const size_t bytes = (size_t) b->size[KERNELS_NKNOWN] * sizeof *there;
  double *row = mem_alloc(bytes, 1);
  if (!row) return base_no_memory(error);
  artStatus status = ways->get(b->device, row, there, bytes, error);
  if (status == ART_OK) status = ways->share(b->device, row, bytes, error);
  mem_free(row);
  return status;
}


// numbers that follow from parameters that have been set
static artStatus prepare_batch_parameters(artBatch *b, artError *error)
{
  const artStatus status = prepare_parameter_rows(b, b->b.own, b->rows, error);
  return status == ART_OK && !is_varied(b) ? share_parameter_row(b, b->b.own, error) : status;
}


// Whole rows for some instances at a time: of parameters, n numbers of each or one for all (`stride` 0), to numbers of their own.
static artStatus fill_own(artBatch *b, double *rows, double *host, long most, const double *numbers,
                          long stride, artError *error)
{
  const int np = b->program->parameter.n;
  artStatus status = ART_OK;
  for (long first = 0, n; first < b->def.n && status == ART_OK; first += n) {
    n = b->def.n - first < most ? b->def.n - first : most;
    for (int k = 0; k < np; k++) {
      for (long i = 0; i < n; i++) {
        host[k * n + i] = stride > 0 ? numbers[k * stride + first + i] : numbers[k];
      }
    }
    kernelsCall gather = {.kernel = KERNELS_GATHER, .batch = b->b, .rows = rows, .n = n};
    gather.batch.first = first;
    status = b->device->ways->put(b->device, rows, host, (size_t) (np * n) * sizeof *host, error);
    if (status == ART_OK) status = prepare_parameter_rows(b, rows, n, error);
    if (status == ART_OK) status = b->device->ways->run(b->device, &gather, error);
  }
  return status;
}


// all instances share the row of the first one
static artStatus share_first(artBatch *b, double *rows, double *host, const double *numbers,
                             long stride, artError *error)
{
  const int np = b->program->parameter.n;
  for (int k = 0; k < np; k++) host[k] = numbers[k * (stride > 0 ? stride : 1)];
  memcpy(b->shared, host, (size_t) np * sizeof *host);
  artStatus status = b->device->ways->put(b->device, rows, host, (size_t) np * sizeof *host, error);
  if (status == ART_OK) status = prepare_parameter_rows(b, rows, 1, error);
  return status == ART_OK ? share_parameter_row(b, rows, error) : status;
}


static artStatus set_own(artBatch *b, const double *numbers, long stride, artError *error)
{
  enum { PIECES = 16, LEAST = 1024 };
  const long part = (b->def.n + PIECES - 1) / PIECES, most = part < LEAST ? LEAST : part;
  const long n = b->def.n < most ? b->def.n : most;
  double *rows = take_device_memory(b, b->size[KERNELS_NKNOWN] * n, sizeof *rows);
  double *host = MEM_ARRAY(double, b->program->parameter.n *n + 1);
  artStatus status = !rows ? no_room(b, error) : !host ? base_no_memory(error) : ART_OK;
  if (status == ART_OK) status = share_first(b, rows, host, numbers, stride, error);
  if (status == ART_OK) status = fill_own(b, rows, host, n, numbers, stride, error);
  b->device->ways->give(b->device, rows);
  mem_free(host);
  return status;
}


// a number of each parameter, for all instances
static artStatus set_all_parameters(artBatch *b, const double *value, artError *error)
{
  const size_t count = (size_t) b->program->parameter.n * (size_t) b->rows;
  if (is_partly_shared(b)) return set_own(b, value, 0, error);
  double *rows = MEM_ARRAY(double, count + 1);
  if (!rows) return base_no_memory(error);
  for (size_t k = 0; k < count; k++) rows[k] = value[k / (size_t) b->rows];
  artStatus status = b->device->ways->put(b->device, b->b.own, rows, count * sizeof *rows, error);
  mem_free(rows);
  return status == ART_OK ? prepare_batch_parameters(b, error) : status;
}

//---- life ----------------------------------------------------------------------------------------

static void close_device(artBatch *b)
{
  if (!b->device) return;
  const kernelsBatch *k = &b->b;
  void *const all[] = {k->t, k->x,      (void *) k->u, (void *) k->tau, k->own,       k->rate,
                       k->y, k->energy, k->length,     k->status,       k->failed_at, k->choice};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) b->device->ways->give(b->device, all[i]);
  b->b = (kernelsBatch){0};
  b->device->ways->close(b->device);
  b->device = NULL;
}


int batch_held_count(const artBatch *b)
{
  return b->size[KERNELS_NU] - b->m->ninput;
}


artStatus batch_get_held(const artBatch *b, double *numbers, artError *error)
{
  const size_t bytes = (size_t) batch_held_count(b) * (size_t) b->def.n * sizeof *numbers;
  return b->device->ways->get(b->device, numbers, b->b.u + b->m->ninput * b->def.n, bytes, error);
}


// the held numbers of the first instance, which has just been set to the beginning
static artStatus keep_held(artBatch *b, artError *error)
{
  const kernelsWays *ways = b->device->ways;
  const long n = b->def.n, count = batch_held_count(b);
  artStatus status = ART_OK;
  mem_free(b->held);
  b->held = MEM_ARRAY(double, count + 1);
  if (!b->held) return base_no_memory(error);
  for (long k = 0; k < count && status == ART_OK; k++) {
    status =
        ways->get(b->device, b->held + k, b->b.u + (b->m->ninput + k) * n, sizeof *b->held, error);
  }
  return status;
}


static int find_user(const artBatch *b, const char *name)
{
  const eqnProgram *p = b->program;
  int k = 0;
  while (k < p->nuser && strcmp(p->user[k].name, name) != 0) k++;
  return k < p->nuser ? k : -1;
}


// names belong to the caller, and are not looked at once the batch is made
static artStatus keep_own(artBatch *b, artError *error)
{
  const int np = b->program->parameter.n;
  mem_free(b->is_own);
  mem_free(b->shared);
  b->is_own = NULL;
  b->shared = NULL;
  if (!b->def.own) return ART_OK;
  b->is_own = MEM_ARRAY(unsigned char, np + 1);
  b->shared = MEM_ARRAY(double, np + 1);
  if (!b->is_own || !b->shared) return base_no_memory(error);
  for (int i = 0; i < b->def.nown; i++) {
    const int k = find_user(b, b->def.own[i]);
    if (k >= 0) b->is_own[k] = 1;
  }
  return ART_OK;
}


static artStatus open_on(artBatch *b, artDevice device, artData *d, const artRunDef *study,
                         artError *error)
{
  artStatus status = device == ART_GPU ? kernels_open_gpu(&b->device, b->def.gpu, error)
                                       : kernels_open_cpu(&b->device, b->def.threads, error);
  if (status == ART_OK) status = load_kernels(b, d, study, error);
  if (status == ART_OK) status = kernels_read_sizes(b->device, b->size, error);
  if (status == ART_OK) status = keep_own(b, error);
  if (status == ART_OK) status = take_batch_memory(b, error);
  if (status == ART_OK) status = set_all_parameters(b, b->program->value, error);
  kernelsBatch all = b->b;
  all.own = NULL; // set already
  if (status == ART_OK) {
    status = b->device->ways->run(b->device, &(kernelsCall){.kernel = KERNELS_BEGIN, .batch = all},
                                  error);
  }
  if (status == ART_OK) status = keep_held(b, error);
  if (status == ART_OK && device == ART_GPU) {
    // kernels need memory besides that of instances when they are launched: that of steps by RK4, for no instance
    kernelsCall call = {.kernel = KERNELS_RK4, .batch = b->b};
    call.batch.first = b->def.n;
    status = b->device->ways->run(b->device, &call, error);
  }
  if (status != ART_OK) close_device(b);
  b->is_fresh = 1;
  return status;
}


// the machine where its study begins
static artStatus begin_batch_machine(const artModel *m, artData *d, const artRunDef *study,
                                     artError *error)
{
  d->time = study->from;
  art_update(m, d);
  artStatus status = art_assemble(m, d, NULL, error);
  if (status == ART_OK && study->start.at_equilibrium) {
    status = art_find_start(m, d, &study->start, NULL, NULL, error);
  }
  return status == ART_OK ? force_settle_states(m, d, error) : status;
}


static artStatus open_machine_batch(artBatch *b, const artRunDef *study, artError *error)
{
  artData *d = art_create_data(b->m);
  artStatus status = d ? begin_batch_machine(b->m, d, study, error) : base_no_memory(error);
  if (status == ART_OK) {
    status = open_on(b, b->def.device, d, study, error);
    if (status != ART_OK && b->def.device == ART_GPU && b->def.or_cpu) {
      if (error) b->why = *error;
      b->def.device = ART_CPU;
      status = open_on(b, ART_CPU, d, study, error);
    }
  }
  art_free_data(d);
  return status;
}


static artStatus open_reference(artBatch *b, const artRunDef *study, artError *error)
{
  enum { MOST = 32 };
  artBatchDef def = b->def;
  def.n = def.n < MOST ? def.n : MOST;
  def.device = ART_CPU;
  def.precision = ART_DOUBLE;
  def.share = 0;
  return batch_create(&b->reference, b->m, study, &def, 0, NULL, error);
}


static artStatus check_own(const artBatch *b, const artBatchDef *def, artError *error)
{
  for (int i = 0; i < def->nown; i++) {
    if (find_user(b, def->own[i]) >= 0) continue;
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "instances cannot have a '%.100s' of their own: it is not a parameter of the "
                     "model file that the equations follow",
                     def->own[i]);
  }
  return ART_OK;
}


artStatus art_create_batch(artBatch **out, const artModel *m, const artRunDef *study,
                           const artBatchDef *def, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(out, error);
  *out = NULL;
  ART_REQUIRE(m && study && def && (def->own || def->nown == 0), error);
  artBatch *b;
  artStatus status = batch_create(&b, m, study, def, 0, NULL, error);
  if (status != ART_OK) return status;
  status = check_own(b, def, error);
  if (status == ART_OK && def->precision != ART_DOUBLE) status = open_reference(b, study, error);
  if (status == ART_OK) {
    *out = b;
  } else {
    art_free_batch(b);
  }
  return status;
}


artStatus batch_create(artBatch **out, const artModel *m, const artRunDef *study,
                       const artBatchDef *def, int nvaried, const char *const *varied,
                       artError *error)
{
  artError own = {0};
  if (def->n < 1 || (unsigned) def->device >= ART_DEVICES || def->threads < 0 || def->gpu < 0 ||
      (unsigned) def->precision >= ART_PRECISIONS) {
    return base_fail(
        error, ART_BAD_INPUT, base_nowhere(),
        "a batch has at least one instance, a device and a precision that there are, and a "
        "number of threads, 0 for all cores");
  }
  artBatch *b = MEM_ARRAY(artBatch, 1);
  if (!b) return base_no_memory(error);
  b->m = m;
  b->def = *def;
  b->nvaried = nvaried;
  b->varied = varied;
  artStatus status = open_machine_batch(b, study, &own);
  if (status != ART_OK) {
    if (error) *error = own;
    art_free_batch(b);
    return status;
  }
  *out = b;
  return ART_OK;
}


artBatch *batch_twin(const artBatch *b)
{
  kernelsDevice *device = b->device->ways->twin ? b->device->ways->twin(b->device) : NULL;
  artBatch *twin = device ? MEM_ARRAY(artBatch, 1) : NULL;
  if (!twin) {
    if (device) device->ways->close(device);
    return NULL;
  }
  *twin = *b;
  twin->is_twin = twin->is_fresh = 1;
  twin->device = device;
  twin->reference = NULL;
  twin->b = (kernelsBatch){0};
  artStatus status = take_batch_memory(twin, NULL);
  kernelsCall begin_all = {.kernel = KERNELS_BEGIN, .batch = twin->b};
  begin_all.batch.own = NULL; // to be set
  if (status == ART_OK) status = device->ways->run(device, &begin_all, NULL);
  if (status == ART_OK) return twin;
  art_free_batch(twin);
  return NULL;
}


void art_free_batch(artBatch *b)
{
  if (!b) return;
  close_device(b);
  if (!b->is_twin) {
    art_free_batch(b->reference);
    gen_free(b->program);
    mem_free(b->held);
    mem_free(b->is_own);
    mem_free(b->shared);
  }
  mem_free(b);
}


artBatchInfo art_batch_info(const artBatch *b)
{
  ART_REQUIRE_OR(b, (artBatchInfo){0});
  return (artBatchInfo){b->def.n, b->def.device, b->device->name,
                        b->why.text[0] ? b->why.text : NULL,
                        b->def.device == ART_GPU ? b->def.gpu : -1};
}

//---- vectors -------------------------------------------------------------------------------------

// where a vector lies on the device, how many numbers each instance has, and how they are called
typedef struct batchPlace {
  double *numbers;
  int width;
} batchPlace;


static batchPlace batch_vector_place(const artBatch *b, artBatchVector vector)
{
  const kernelsBatch *k = &b->b;
  const treeModel *tree = &b->m->tree;
  const long n = k->n;
  switch (vector) {
  case ART_BATCH_TIME: return (batchPlace){k->t, 1};
  case ART_BATCH_POSITIONS: return (batchPlace){k->x, tree->nq};
  case ART_BATCH_VELOCITIES: return (batchPlace){k->x + tree->nq * n, tree->nv};
  case ART_BATCH_STATES: return (batchPlace){k->x + (tree->nq + tree->nv) * n, b->m->nstate};
  case ART_BATCH_INPUTS: return (batchPlace){(double *) k->u, b->m->ninput};
  case ART_BATCH_FORCES: return (batchPlace){(double *) k->tau, tree->nv};
  case ART_BATCH_PARAMETERS: return (batchPlace){k->own, b->program->parameter.n};
  case ART_BATCH_OUTPUTS: return (batchPlace){k->y, b->m->noutput};
  case ART_BATCH_ACCELERATIONS: return (batchPlace){k->rate + tree->nq * n, tree->nv};
  case ART_BATCH_FAILED_AT: return (batchPlace){k->failed_at, 1};
  case ART_BATCH_WORK: return (batchPlace){k->x + (b->size[KERNELS_NX] - 1) * n, 1};
  default: return (batchPlace){NULL, 1};
  }
}


int art_batch_width(const artBatch *b, artBatchVector vector)
{
  ART_REQUIRE_OR(b && (unsigned) vector < ART_BATCH_VECTORS, 0);
  return batch_vector_place(b, vector).width;
}


int art_batch_is_free(const artBatch *b, int k)
{
  ART_REQUIRE_OR(b && k >= 0 && k < b->m->tree.nv, 0);
  for (int i = 0; i < b->program->nfree; i++) {
    if (b->program->free[i] == k) return 1;
  }
  return 0;
}


const char *art_batch_parameter_name(const artBatch *b, int k)
{
  ART_REQUIRE_OR(b && k >= 0 && k < b->program->parameter.n, NULL);
  return b->program->user[k].name;
}


int art_find_batch_parameter(const artBatch *b, const char *name)
{
  ART_REQUIRE_OR(b && name, -1);
  for (int k = 0; k < b->program->parameter.n; k++) {
    if (strcmp(art_batch_parameter_name(b, k), name) == 0) return k;
  }
  return -1;
}


const char *batch_user_name(const artBatch *b, int k)
{
  return k < b->program->nuser ? b->program->user[k].name : NULL;
}


double batch_constant(const artBatch *b, int k)
{
  ART_ASSERT(k >= 0 && k < b->program->parameter.n);
  return b->program->value[k];
}


static const char *vector_name(artBatchVector vector)
{
  static const char *const name[ART_BATCH_VECTORS] = {
      "time",          "positions", "velocities",        "states",
      "inputs",        "forces",    "parameters",        "outputs",
      "accelerations", "failures",  "times of failures", "work"};
  return name[vector];
}


// the name of an entry, with its limits
static const char *batch_entry_name(const artBatch *b, artBatchVector vector, int k, double *least,
                                    double *largest)
{
  *least = -HUGE_VAL;
  *largest = HUGE_VAL;
  switch (vector) {
  case ART_BATCH_POSITIONS: return art_position_name(b->m, k);
  case ART_BATCH_VELOCITIES:
  case ART_BATCH_FORCES: return art_velocity_name(b->m, k);
  case ART_BATCH_STATES: return art_state_name(b->m, k);
  case ART_BATCH_INPUTS:
    *least = b->m->held[k].least;
    *largest = b->m->held[k].largest;
    return b->m->held[k].name;
  case ART_BATCH_PARAMETERS:
    *least = b->program->user[k].lower;
    *largest = b->program->user[k].upper;
    return art_batch_parameter_name(b, k);
  default: return vector_name(vector);
  }
}


static artStatus check_batch_numbers(const artBatch *b, artBatchVector vector, int width, long n,
                                     const double *numbers, artError *error)
{
  for (int k = 0; k < width; k++) {
    double least, largest;
    const char *name = batch_entry_name(b, vector, k, &least, &largest);
    for (long i = 0; i < n; i++) {
      const double x = numbers[k * n + i];
      if (isfinite(x) && x >= least && x <= largest) continue;
      return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                       "instance %ld: '%.100s' is set to %g, a finite number from %g to %g is "
                       "wanted",
                       i, name, x, least, largest);
    }
  }
  return ART_OK;
}


int batch_is_own(const artBatch *b, int k)
{
  ART_ASSERT(k >= 0 && k < b->program->parameter.n);
  return !b->is_own || b->is_own[k];
}


// parameters that are not their own are the same in all instances
static artStatus check_shared(const artBatch *b, const double *numbers, artError *error)
{
  const long n = b->def.n;
  for (int k = 0; k < b->program->parameter.n; k++) {
    if (batch_is_own(b, k)) continue;
    for (long i = 1; i < n; i++) {
      if (numbers[k * n + i] == numbers[k * n]) continue;
      return base_fail(
          error, ART_BAD_INPUT, base_nowhere(),
          "instance %ld: '%.100s' is set to %g, but to %g in instance 0; name it among "
          "the parameters that instances have of their own",
          i, art_batch_parameter_name(b, k), numbers[k * n + i], numbers[k * n]);
    }
  }
  return ART_OK;
}


// A new motion: all instances go on, in steps that do not follow from the last motion; samplers, relays and latches hold the
// numbers of the beginning.
static artStatus begin_anew(artBatch *b, artError *error)
{
  const long n = b->def.n, count = batch_held_count(b) * n;
  const size_t size = sizeof(double), bytes = (size_t) n * sizeof(int);
  double *rows = MEM_ARRAY(double, n + count), *held = rows + n;
  if (!rows) return base_no_memory(error);
  for (long k = 0; k < count; k++) held[k] = b->held[k / n];
  const kernelsWays *ways = b->device->ways;
  double *there = (double *) b->b.u + b->m->ninput * n;
  artStatus status = ways->put(b->device, b->b.length, rows, (size_t) n * size, error);
  if (status == ART_OK) status = ways->put(b->device, b->b.status, rows, bytes, error);
  if (status == ART_OK) status = ways->put(b->device, b->b.choice, rows, bytes, error);
  if (status == ART_OK && count > 0) {
    status = ways->put(b->device, there, held, (size_t) count * size, error);
  }
  mem_free(rows);
  b->is_fresh = 1;
  return status;
}


// joint forces take memory where somebody asks for them
static artStatus take_batch_forces(artBatch *b, artBatchVector vector, artError *error)
{
  if (vector != ART_BATCH_FORCES || b->b.tau) return ART_OK;
  b->b.tau = take_device_memory(b, b->m->tree.nv * b->def.n, sizeof *b->b.tau);
  return b->b.tau ? ART_OK : no_room(b, error);
}


static artStatus check_settable(artBatchVector vector, artError *error)
{
  if (vector < ART_BATCH_OUTPUTS) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the %s of a batch are read alone",
                   vector_name(vector));
}


// numbers that follow from a vector that has changed on the device
static artStatus follow_changed_vector(artBatch *b, artBatchVector vector, artError *error)
{
  if (vector == ART_BATCH_PARAMETERS) {
    b->is_fresh = 1;
    return prepare_batch_parameters(b, error);
  }
  return vector <= ART_BATCH_STATES ? begin_anew(b, error) : ART_OK;
}


artStatus art_set_batch(artBatch *b, artBatchVector vector, const double *numbers, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(b && numbers && (unsigned) vector < ART_BATCH_VECTORS, error);
  artStatus status = check_settable(vector, error);
  if (status != ART_OK) return status;
  const int is_shared = vector == ART_BATCH_PARAMETERS && b->def.share;
  const long n = is_shared ? 1 : b->def.n;
  status = take_batch_forces(b, vector, error);
  if (status != ART_OK) return status;
  const batchPlace place = batch_vector_place(b, vector);
  status = check_batch_numbers(b, vector, place.width, n, numbers, error);
  if (status == ART_OK && vector == ART_BATCH_PARAMETERS && !is_shared) {
    status = check_shared(b, numbers, error);
  }
  if (status != ART_OK) return status;
  if (is_shared) {
    b->is_fresh = 1;
    return set_all_parameters(b, numbers, error);
  }
  if (vector == ART_BATCH_PARAMETERS && is_partly_shared(b)) {
    b->is_fresh = 1;
    return set_own(b, numbers, n, error);
  }
  status = b->device->ways->put(b->device, place.numbers, numbers,
                                (size_t) place.width * (size_t) n * sizeof *numbers, error);
  return status == ART_OK ? follow_changed_vector(b, vector, error) : status;
}


// Loops closed, the energy at the beginning known. Where latches may be engaged `weigh` closes them, since these hold what
// instances are set to.
static artStatus start_batch(artBatch *b, artError *error)
{
  if (!b->is_fresh) return ART_OK;
  artStatus status = ART_OK;
  if (b->m->nlatch == 0)
    status = run_batch_kernel(b, (kernelsCall){.kernel = KERNELS_RATES}, error);
  if (status == ART_OK) status = run_batch_kernel(b, (kernelsCall){.kernel = KERNELS_WEIGH}, error);
  if (status == ART_OK) b->is_fresh = 0;
  return status;
}


static artStatus get_failures(artBatch *b, double *numbers, artError *error)
{
  int *failure = MEM_ARRAY(int, b->def.n);
  if (!failure) return base_no_memory(error);
  const artStatus status = b->device->ways->get(b->device, failure, b->b.status,
                                                (size_t) b->def.n * sizeof *failure, error);
  for (long i = 0; i < b->def.n && status == ART_OK; i++) numbers[i] = failure[i];
  mem_free(failure);
  return status;
}


// of the first instances
static artStatus get_parameters(const artBatch *b, long count, double *numbers, artError *error)
{
  artStatus status = ART_OK;
  for (int k = 0; k < b->program->parameter.n && status == ART_OK; k++) {
    status = get_parameter(b, k, count, numbers + k * count, error);
  }
  return status;
}


// vectors that are computed when they are asked for
static artStatus refresh_batch_vector(artBatch *b, artBatchVector vector, artError *error)
{
  if (vector != ART_BATCH_OUTPUTS && vector != ART_BATCH_ACCELERATIONS) return ART_OK;
  const artStatus status = start_batch(b, error);
  if (status != ART_OK) return status;
  return run_batch_kernel(
      b, (kernelsCall){.kernel = vector == ART_BATCH_OUTPUTS ? KERNELS_OUTPUTS : KERNELS_RATES},
      error);
}


artStatus art_get_batch(artBatch *b, artBatchVector vector, double *numbers, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(b && numbers && (unsigned) vector < ART_BATCH_VECTORS, error);
  const artStatus status = refresh_batch_vector(b, vector, error);
  if (status != ART_OK) return status;
  if (vector == ART_BATCH_FAILURES) return get_failures(b, numbers, error);
  if (vector == ART_BATCH_PARAMETERS)
    return get_parameters(b, b->def.share ? 1 : b->def.n, numbers, error);
  const batchPlace place = batch_vector_place(b, vector);
  const size_t bytes = (size_t) place.width * (size_t) b->def.n * sizeof *numbers;
  if (!place.numbers) { // joint forces that nobody has set
    memset(numbers, 0, bytes);
    return ART_OK;
  }
  return b->device->ways->get(b->device, numbers, place.numbers, bytes, error);
}

//---- vectors where they lie ----------------------------------------------------------------------

static artStatus check_place(const artBatch *b, artBatchVector vector, artError *error)
{
  const int is_shared = vector == ART_BATCH_PARAMETERS && (b->def.share || b->is_own);
  if (vector != ART_BATCH_FAILURES && !is_shared) return ART_OK;
  return base_fail(error, ART_UNSUPPORTED, base_nowhere(),
                   "%s cannot be seen where they lie: %s; read and set copies of them",
                   vector_name(vector),
                   !is_shared     ? "they are whole numbers there"
                   : b->def.share ? "all instances share them"
                                  : "all instances share some");
}


artStatus art_view_batch(artBatch *b, artBatchVector vector, artBatchView *view, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(b && view && (unsigned) vector < ART_BATCH_VECTORS, error);
  artStatus status = check_place(b, vector, error);
  if (status == ART_OK) status = take_batch_forces(b, vector, error);
  if (status == ART_OK) status = refresh_batch_vector(b, vector, error);
  if (status != ART_OK) return status;
  const batchPlace place = batch_vector_place(b, vector);
  *view = (artBatchView){place.numbers, b->def.n, place.width, art_batch_info(b).gpu};
  return ART_OK;
}


artStatus art_put_batch(artBatch *b, artBatchVector vector, const double *on_device,
                        artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(b && on_device && (unsigned) vector < ART_BATCH_VECTORS, error);
  artStatus status = check_settable(vector, error);
  if (status == ART_OK) status = check_place(b, vector, error);
  if (status == ART_OK) status = take_batch_forces(b, vector, error);
  if (status != ART_OK) return status;
  const batchPlace place = batch_vector_place(b, vector);
  status =
      b->device->ways->copy(b->device, place.numbers, on_device,
                            (size_t) place.width * (size_t) b->def.n * sizeof *on_device, error);
  return status == ART_OK ? follow_changed_vector(b, vector, error) : status;
}


artStatus art_touch_batch(artBatch *b, artBatchVector vector, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(b && (unsigned) vector < ART_BATCH_VECTORS, error);
  artStatus status = check_settable(vector, error);
  if (status == ART_OK) status = take_batch_forces(b, vector, error);
  return status == ART_OK ? art_put_batch(b, vector, batch_vector_place(b, vector).numbers, error)
                          : status;
}

//---- steps ---------------------------------------------------------------------------------------

artStatus art_step_batch(artBatch *b, double step, int steps, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(b, error);
  if (!(step > 0 && isfinite(step)) || steps < 0) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "%d steps of %g s are asked for; both are to be positive", steps, step);
  }
  const artStatus status = start_batch(b, error);
  if (status != ART_OK) return status;
  return run_batch_kernel(b, (kernelsCall){.kernel = KERNELS_RK4, .step = step, .steps = steps},
                          error);
}


artStatus art_advance_batch(artBatch *b, double end, double step, double tolerance, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(b, error);
  if (!isfinite(end) || !(step > 0 && isfinite(step)) || !(tolerance > 0 && tolerance < 1)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "a step of %g s with a tolerance of %g to %g s is asked for; step and "
                     "tolerance are to be positive, the tolerance less than 1",
                     step, tolerance, end);
  }
  const artStatus status = start_batch(b, error);
  if (status != ART_OK) return status;
  return run_batch_kernel(
      b, (kernelsCall){.kernel = KERNELS_DOPRI5, .end = end, .step = step, .tolerance = tolerance},
      error);
}

artStatus batch_stop(artBatch *b, const int *stays, artError *error)
{
  const artStatus status = start_batch(b, error);
  if (status != ART_OK) return status;
  return b->device->ways->put(b->device, b->b.status, stays, (size_t) b->def.n * sizeof *stays,
                              error);
}


artStatus batch_come_to(artBatch *b, double t, double *numbers, artError *error)
{
  for (long i = 0; i < b->def.n; i++) numbers[i] = t;
  return b->device->ways->put(b->device, b->b.t, numbers, (size_t) b->def.n * sizeof t, error);
}

//---- precision -----------------------------------------------------------------------------------

// the first instances of a vector of the batch into one of the reference
static artStatus lend_to_reference(artBatch *b, double *to, const double *from, int width,
                                   artError *error)
{
  const long n = b->reference->def.n;
  artStatus status = ART_OK;
  for (int k = 0; k < width && from && status == ART_OK; k++) {
    status = b->device->ways->get(b->device, to + k * n, from + k * b->def.n,
                                  (size_t) n * sizeof *to, error);
  }
  return status;
}


static artStatus lend_all(artBatch *b, artError *error)
{
  artBatch *r = b->reference;
  artStatus status = b->b.tau ? take_batch_forces(r, ART_BATCH_FORCES, error) : ART_OK;
  if (status == ART_OK) status = get_parameters(b, r->def.n, r->b.own, error);
  if (status == ART_OK) status = prepare_batch_parameters(r, error);
  if (status == ART_OK) status = lend_to_reference(b, r->b.t, b->b.t, 1, error);
  if (status == ART_OK) status = lend_to_reference(b, r->b.x, b->b.x, b->size[KERNELS_NX], error);
  if (status == ART_OK)
    status = lend_to_reference(b, (double *) r->b.u, b->b.u, b->size[KERNELS_NU], error);
  if (status == ART_OK)
    status = lend_to_reference(b, (double *) r->b.tau, b->b.tau, b->m->tree.nv, error);
  if (status != ART_OK) return status;
  return b->device->ways->get(b->device, r->b.choice, b->b.choice,
                              (size_t) r->def.n * sizeof *r->b.choice, error);
}


artStatus art_batch_rounding(artBatch *b, double *rounding, artError *error)
{
  ARITHMETIC_GUARD;
  ART_REQUIRE(b && rounding, error);
  artBatch *r = b->reference;
  *rounding = 0;
  if (!r) return ART_OK;
  artStatus status = refresh_batch_vector(b, ART_BATCH_ACCELERATIONS, error);
  if (status == ART_OK) status = lend_all(b, error);
  memset(r->b.status, 0, (size_t) r->def.n * sizeof *r->b.status);
  if (status == ART_OK) status = run_batch_kernel(r, (kernelsCall){.kernel = KERNELS_RATES}, error);
  double *a = MEM_ARRAY(double, r->m->tree.nv * r->def.n + 1);
  int *failure = MEM_ARRAY(int, r->def.n);
  if (status == ART_OK && (!a || !failure)) status = base_no_memory(error);
  if (status == ART_OK) {
    status = lend_to_reference(b, a, batch_vector_place(b, ART_BATCH_ACCELERATIONS).numbers,
                               b->m->tree.nv, error);
  }
  if (status == ART_OK) {
    status = b->device->ways->get(b->device, failure, b->b.status,
                                  (size_t) r->def.n * sizeof *failure, error);
  }
  for (long i = 0; i < r->def.n && status == ART_OK; i++) {
    if (failure[i] || r->b.status[i]) continue;
    const double *exact = batch_vector_place(r, ART_BATCH_ACCELERATIONS).numbers + i;
    *rounding = max_nan(*rounding,
                        study_acceleration_error(r->m->tree.nv, exact, r->def.n, a + i, r->def.n));
  }
  mem_free(a);
  mem_free(failure);
  return status;
}

//---- failures ------------------------------------------------------------------------------------

// one of the coordinates that a loop has to find
static const char *loop_coordinate(const artBatch *b, int block)
{
  const eqnFunction *f = eqn_function(b->program, EQN_ACCELERATE);
  for (int i = 0; f && i < f->nstage; i++) {
    if (f->stage[i].block == block && f->stage[i].coordinate) return f->stage[i].coordinate;
  }
  return NULL;
}


static artStatus tell_instance_failure(const artBatch *b, long i, int status, double t,
                                       artError *error)
{
  ART_ASSERT(i >= 0 && i < b->def.n && status != 0);
  const char *loop = status >= FIRST_LOOP ? loop_coordinate(b, status - FIRST_LOOP + 1) : NULL;
  if (status == STEP_TOO_SMALL) {
    return base_fail(error, ART_STEP_TOO_SMALL, base_nowhere(),
                     "instance %ld stopped at %g s: its steps have become too small", i, t);
  }
  if (status == TOO_LATE) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "instance %ld stopped at %g s: drives are known until the end of the study "
                     "alone; choose a study that ends later",
                     i, t);
  }
  if (loop) {
    return base_fail(error, ART_NO_CONVERGENCE, base_nowhere(),
                     "instance %ld stopped at %g s: the loop that '%s' closes cannot be closed", i,
                     t, loop);
  }
  return base_fail(error, ART_NO_CONVERGENCE, base_nowhere(), "instance %ld stopped at %g s: %s", i,
                   t,
                   status == JUMPED         ? "a velocity jumps within a step, or is not finite"
                   : status == NO_END       ? "relays go over without end"
                   : status == NO_EQUATIONS ? "latches are engaged together for which there are no "
                                              "equations"
                   : status == NO_ROAD      ? "a wheel finds no road"
                                            : "a loop cannot be closed");
}


artStatus art_batch_failure(artBatch *b, long i, double *time, artError *error)
{
  ARITHMETIC_GUARD;
  int failure = 0;
  double t = 0;
  ART_REQUIRE(b && i >= 0 && i < b->def.n, error);
  const kernelsWays *ways = b->device->ways;
  artStatus status = ways->get(b->device, &failure, b->b.status + i, sizeof failure, error);
  if (status == ART_OK) status = ways->get(b->device, &t, b->b.failed_at + i, sizeof t, error);
  if (status != ART_OK || failure == 0) return status;
  if (time) *time = t;
  return tell_instance_failure(b, i, failure, t, error);
}
