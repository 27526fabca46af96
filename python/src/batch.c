// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Batches: many machines of one model that are stepped together by several threads.
//
// Their states are in common arrays [n nq], [n nv], [n states], into which the data blocks point,
// so that views need no copy. Results of a machine are bit-identical for any other machines in the
// batch and any number of threads.
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "machine.h"
#include "module.h"
#include "par/parallel_for.h"

static const double PATIENCE = 0.05; // s, wall-clock time between checks for signals

typedef struct pyBatch {
  PyObject ob_base;
  pyModel *owner;
  PyObject *options; // owns the strings of the study
  artStudyDef study;
  double dt; // s
  long n;
  int threads;
  pyMachine *machine;                    // [n]
  double *q, *v, *s, *y, *time, *failed; // [n ...]; failed: 1 if the last step ended early
  artError error;                        // of the first failure in a call
  long first;                            // index of that machine
  atomic_int has_failed;
  int is_busy;
} pyBatch;


//---- tasks ---------------------------------------------------------------------------------------

// The action of a call on each machine.
typedef struct batchWork {
  pyBatch *b;
  const double *u;    // [n inputs], or NULL: unchanged
  const double *mask; // [n] nonzero: the machine takes part; NULL: all do
  long steps;
  int is_last; // compute outputs
  artStatus (*act)(const struct batchWork *work, long i, artError *error);
} batchWork;


static void show(pyBatch *b, long i)
{
  const size_t ny = (size_t) art_count(b->owner->model).outputs;
  art_outputs(b->owner->model, b->machine[i].data, b->y + (size_t) i * ny);
  b->time[i] = b->machine[i].data->time;
}


static artStatus set_inputs(const batchWork *w, long i, artError *error)
{
  const artModel *m = w->b->owner->model;
  const int n = art_count(m).inputs;
  artStatus status = ART_OK;
  for (int k = 0; k < n && !status && w->u; k++) {
    const double value = w->u[(size_t) i * (size_t) n + (size_t) k];
    status = art_set_input(m, w->b->machine[i].data, k, value, error);
  }
  return status;
}


static artStatus step_one(const batchWork *w, long i, artError *error)
{
  pyBatch *b = w->b;
  pyMachine *m = &b->machine[i];
  artStatus status = set_inputs(w, i, error);
  if (!status) status = machine_look(m, &b->study.run, error);
  if (!status) status = machine_step(m, b->dt, w->steps, error);
  if (!status && w->is_last) show(b, i);
  return status;
}


static artStatus reset_one(const batchWork *w, long i, artError *error)
{
  pyBatch *b = w->b;
  const artStatus status = machine_reset(&b->machine[i], &b->study.run, error);
  if (!status) show(b, i);
  return status;
}


static artStatus open_one(const batchWork *w, long i, artError *error)
{
  pyBatch *b = w->b;
  const artCounts n = art_count(b->owner->model);
  const size_t k = (size_t) i;
  pyMachine *first = &b->machine[0];
  const artStatus status = i == 0 ? machine_make(first, b->owner->model, &b->study.run, error)
                                  : machine_make_like(&b->machine[i], first, &b->study.run, error);
  if (status) return status;
  machine_move(&b->machine[i], b->q + k * (size_t) n.nq, b->v + k * (size_t) n.nv,
               b->s + k * (size_t) n.states);
  show(b, i);
  return ART_OK;
}


static int do_piece(void *context, int worker, long i)
{
  const batchWork *w = context;
  pyBatch *b = w->b;
  (void) worker;
  if ((w->mask && w->mask[i] == 0) || b->failed[i] != 0) return 1;
  artError error = {0};
  const artStatus status = w->act(w, i, &error);
  b->failed[i] = status != ART_OK;
  if (status && !atomic_exchange(&b->has_failed, 1)) {
    b->error = error;
    b->first = i;
  }
  return 1;
}


static void forget_failures(pyBatch *b)
{
  b->has_failed = 0;
  for (long i = 0; i < b->n; i++) b->failed[i] = 0;
}


static artStatus do_all(pyBatch *b, batchWork *work, artError *error)
{
  return parallel_for(b->threads, b->n, do_piece, work, error);
}


//---- creation ------------------------------------------------------------------------------------

static double *take(long n, int width)
{
  return calloc((size_t) n * (size_t) width + 1, sizeof(double));
}


static int take_arrays(pyBatch *b)
{
  const artCounts n = art_count(b->owner->model);
  b->machine = calloc((size_t) b->n, sizeof *b->machine);
  b->q = take(b->n, n.nq);
  b->v = take(b->n, n.nv);
  b->s = take(b->n, n.states);
  b->y = take(b->n, n.outputs);
  b->time = take(b->n, 1);
  b->failed = take(b->n, 1);
  return b->machine && b->q && b->v && b->s && b->y && b->time && b->failed;
}


// Open the first machine alone: the others start like it, with the code that it has compiled.
static artStatus open_all(pyBatch *b, artError *error)
{
  batchWork work = {.b = b, .act = open_one};
  (void) do_piece(&work, 0, 0);
  if (b->has_failed) {
    *error = b->error;
    return error->status;
  }
  double *others = take(b->n, 1);
  if (!others) return base_no_memory(error);
  for (long i = 1; i < b->n; i++) others[i] = 1;
  work.mask = others;
  artStatus status = do_all(b, &work, error);
  free(others);
  if (!status && b->has_failed) {
    *error = b->error;
    status = error->status;
  }
  return status;
}


static int count_threads(long asked, long n)
{
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  const long threads = asked > 0 ? asked : processors > 0 ? processors : 1;
  return (int) (threads > n ? n : threads > 256 ? 256 : threads);
}


// Batch(model, study, options, step, n, threads)
static PyObject *batch_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  PyObject *model, *name, *options;
  double dt;
  long n, threads;
  (void) keywords;
  if (!PyArg_ParseTuple(args, "OOO!dll", &model, &name, &PyDict_Type, &options, &dt, &n,
                        &threads) ||
      !py_is_model(model)) {
    return NULL;
  }
  if (!(dt > 0 && dt < 1e9) || n < 1 || n > 10000000 || threads < 0) {
    PyErr_SetString(PyExc_ValueError, "a batch has at least one machine, a step above zero in "
                                      "seconds, and a number of threads, 0 for all cores");
    return NULL;
  }
  pyBatch *b = (pyBatch *) PyType_GenericAlloc(type, 0);
  if (!b) return NULL;
  Py_INCREF(model);
  b->owner = (pyModel *) model;
  b->dt = dt;
  b->n = n;
  b->threads = count_threads(threads, n);
  b->options = PyDict_Copy(options);
  artError error = {0};
  artStatus status = ART_BAD_INPUT;
  if (b->options && py_choose_study(b->owner, ART_RUN, name, b->options, &b->study)) {
    b->owner->working++;
    Py_BEGIN_ALLOW_THREADS;
    status = take_arrays(b) ? open_all(b, &error) : base_no_memory(&error);
    Py_END_ALLOW_THREADS;
    b->owner->working--;
    if (status) py_raise(&error, b->owner);
  }
  if (!status) return (PyObject *) b;
  Py_DECREF(b);
  return NULL;
}


static void batch_dealloc(PyObject *self)
{
  pyBatch *b = (pyBatch *) self;
  PyTypeObject *type = Py_TYPE(self);
  for (long i = 0; i < b->n && b->machine; i++) machine_free(&b->machine[i]);
  free(b->machine);
  double *const arrays[] = {b->q, b->v, b->s, b->y, b->time, b->failed};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
  Py_XDECREF(b->options);
  Py_XDECREF((PyObject *) b->owner);
  PyObject_Free(self);
  Py_DECREF(type);
}


//---- steps ---------------------------------------------------------------------------------------

// Check for Ctrl-C on behalf of the interpreter.
static int is_interrupted(void)
{
  const PyGILState_STATE lock = PyGILState_Ensure();
  const int stops = PyErr_CheckSignals() != 0;
  PyGILState_Release(lock);
  return stops;
}


// All machines advance together. Signals are checked between groups of steps that take about
// PATIENCE. Outputs are those after the last step.
static artStatus step_all(batchWork *work, long n, artError *error)
{
  artStatus status = ART_OK;
  long done = 0, at_once = 16;
  int is_stopped = 0;
  do {
    const double start = base_now();
    work->steps = is_stopped ? 0 : n - done < at_once ? n - done : at_once;
    done += work->steps;
    work->is_last = is_stopped || done >= n;
    status = do_all(work->b, work, error);
    work->u = NULL; // inputs are already set
    if (base_now() - start < PATIENCE) at_once *= 2;
    if (!work->is_last) is_stopped = is_interrupted();
  } while (!status && !work->is_last);
  return status;
}


// the result of a call; the error names the first machine that failed
static PyObject *tell(pyBatch *b, artStatus status, artError *error)
{
  if (PyErr_Occurred()) return NULL;
  if (status) return py_raise(error, b->owner);
  if (!b->has_failed) Py_RETURN_NONE;
  artError told = {.status = b->error.status};
  base_fail(&told, told.status, base_nowhere(), "machine %ld: %.900s", b->first, b->error.text);
  return py_raise(&told, b->owner);
}


// step(u, n, mask): inputs or None
static PyObject *batch_step(PyObject *self, PyObject *args)
{
  pyBatch *b = (pyBatch *) self;
  PyObject *u, *mask;
  long n;
  Py_buffer given = {0}, part = {0};
  if (!PyArg_ParseTuple(args, "OlO", &u, &n, &mask)) return NULL;
  if (n < 0) {
    PyErr_SetString(PyExc_ValueError, "step takes the number of steps, not negative");
    return NULL;
  }
  const Py_ssize_t ninput = art_count(b->owner->model).inputs;
  batchWork work = {.b = b, .act = step_one};
  if (u != Py_None && !(work.u = py_numbers(&given, u, "u", b->n * ninput, 0))) return NULL;
  if (mask != Py_None && !(work.mask = py_numbers(&part, mask, "mask", b->n, 0))) {
    if (u != Py_None) PyBuffer_Release(&given);
    return NULL;
  }
  artStatus status = ART_OK;
  artError error = {0};
  if (py_begin(&b->is_busy, b->owner)) {
    forget_failures(b);
    Py_BEGIN_ALLOW_THREADS;
    status = step_all(&work, n, &error);
    Py_END_ALLOW_THREADS;
    py_end(&b->is_busy, b->owner);
  }
  if (u != Py_None) PyBuffer_Release(&given);
  if (mask != Py_None) PyBuffer_Release(&part);
  return tell(b, status, &error);
}


static PyObject *batch_reset(PyObject *self, PyObject *args)
{
  pyBatch *b = (pyBatch *) self;
  PyObject *mask;
  Py_buffer part = {0};
  if (!PyArg_ParseTuple(args, "O", &mask)) return NULL;
  batchWork work = {.b = b, .act = reset_one};
  if (mask != Py_None && !(work.mask = py_numbers(&part, mask, "mask", b->n, 0))) return NULL;
  artStatus status = ART_OK;
  artError error = {0};
  if (py_begin(&b->is_busy, b->owner)) {
    forget_failures(b);
    Py_BEGIN_ALLOW_THREADS;
    status = do_all(b, &work, &error);
    Py_END_ALLOW_THREADS;
    py_end(&b->is_busy, b->owner);
  }
  if (mask != Py_None) PyBuffer_Release(&part);
  return tell(b, status, &error);
}


static PyObject *batch_view(PyObject *self, PyObject *args)
{
  pyBatch *b = (pyBatch *) self;
  const char *name;
  if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
  const artCounts n = art_count(b->owner->model);
  const struct {
    const char *name;
    double *numbers;
    int n, is_readonly;
  } views[] = {{"q", b->q, n.nq, 0},      {"v", b->v, n.nv, 0},     {"s", b->s, n.states, 0},
               {"y", b->y, n.outputs, 1}, {"time", b->time, -1, 1}, {"failed", b->failed, -1, 1}};
  for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
    if (strcmp(name, views[i].name) == 0) {
      return py_view(self, views[i].numbers, b->n, views[i].n, views[i].is_readonly);
    }
  }
  PyErr_Format(PyExc_ValueError, "a batch has no '%s'", name);
  return NULL;
}


//---- the type ------------------------------------------------------------------------------------

static PyMethodDef methods[] = {
    {"step", batch_step, METH_VARARGS, "Set inputs and advance all by n steps."},
    {"reset", batch_reset, METH_VARARGS, "The instances of the mask back to their beginning."},
    {"view", batch_view, METH_VARARGS, "The numbers q, v, s, y, time or failed, without a copy."},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Many machines that are stepped together."},
    {Py_tp_new, batch_new},
    {Py_tp_dealloc, batch_dealloc},
    {Py_tp_methods, methods},
    {0},
};

PyType_Spec py_batch_spec = {
    .name = "articula._articula.Batch",
    .basicsize = sizeof(pyBatch),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
