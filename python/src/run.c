// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Motion in time: a run with all its rows, as with `articula run`.
#include "run.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "study/run/run.h"

static const double LOOK_INTERVAL = 0.05; // s, wall-clock time between checks for signals


//---- start ---------------------------------------------------------------------------------------

static artStatus begin(pyRun *r, artError *error)
{
  const artModel *m = r->owner->model;
  const artRunDef *study = &r->study.run;
  r->data = art_create_data(m);
  if (!r->data) return base_no_memory(error);
  r->data->time = study->from;
  art_update(m, r->data);
  artStatus status = ART_OK;
  if (study->start.at_equilibrium) {
    status = art_find_start(m, r->data, &study->start, NULL, NULL, error);
  }
  if (!status) status = art_create_run(&r->run, m, r->data, study, error);
  return status ? status : files_begin(r, error);
}


// Run(model, study, options, file, directory, progress, is_resumed)
static PyObject *run_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  PyObject *model, *name, *options, *file, *folder, *progress;
  char *directory = NULL;
  int is_resumed;
  (void) keywords;
  if (!PyArg_ParseTuple(args, "OOO!SOOp", &model, &name, &PyDict_Type, &options, &file, &folder,
                        &progress, &is_resumed) ||
      !py_is_model(model) ||
      (folder != Py_None && PyBytes_AsStringAndSize(folder, &directory, NULL))) {
    return NULL;
  }
  pyRun *r = (pyRun *) PyType_GenericAlloc(type, 0);
  if (!r) return NULL;
  Py_INCREF(model);
  Py_INCREF(file);
  Py_INCREF(progress);
  r->owner = (pyModel *) model;
  r->file = file;
  r->path = PyBytes_AsString(file);
  r->progress = progress;
  r->options = PyDict_Copy(options);
  const artCounts n = art_count(r->owner->model);
  r->columns = 1 + n.outputs;
  r->width = r->columns + n.nq + n.nv;
  r->files.lock.fd = -1;
  r->files.directory = directory ? strdup(directory) : NULL;
  r->files.is_resumed = is_resumed;
  artError error = {0};
  artStatus status = ART_BAD_INPUT;
  if (r->options && r->path && py_choose_study(r->owner, ART_RUN, name, r->options, &r->study)) {
    r->owner->working++;
    Py_BEGIN_ALLOW_THREADS;
    status = begin(r, &error);
    Py_END_ALLOW_THREADS;
    r->owner->working--;
    if (status) py_raise(&error, r->owner);
  }
  if (!status) return (PyObject *) r;
  Py_DECREF(r);
  return NULL;
}


static int run_traverse(PyObject *self, visitproc visit, void *arg)
{
  pyRun *r = (pyRun *) self;
  Py_VISIT(Py_TYPE(self));
  Py_VISIT((PyObject *) r->owner);
  Py_VISIT(r->progress);
  return 0;
}


static int run_clear(PyObject *self)
{
  Py_CLEAR(((pyRun *) self)->progress);
  return 0;
}


static void run_dealloc(PyObject *self)
{
  pyRun *r = (pyRun *) self;
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  files_free(&r->files);
  art_free_run(r->run);
  art_free_data(r->data);
  for (int i = 0; i < r->nold; i++) free(r->old[i]);
  free(r->old);
  free(r->rows);
  Py_XDECREF(r->options);
  Py_XDECREF(r->file);
  Py_XDECREF(r->progress);
  Py_XDECREF((PyObject *) r->owner);
  PyObject_GC_Del(self);
  Py_DECREF(type);
}


//---- rows ----------------------------------------------------------------------------------------

// views of the rows so far keep their memory block
static int leave_to_views(pyRun *r)
{
  void **old = realloc(r->old, (size_t) (r->nold + 1) * sizeof *old);
  if (!old) return 0;
  r->old = old;
  r->old[r->nold++] = r->rows;
  r->is_seen = 0;
  return 1;
}


int run_grow(pyRun *r)
{
  if (r->count < r->room) return 1;
  const long room = r->room > 0 ? 2 * r->room : 256;
  const size_t row = (size_t) r->width * sizeof *r->rows;
  double *rows = malloc((size_t) room * row);
  if (!rows) return 0;
  if (r->count > 0) memcpy(rows, r->rows, (size_t) r->count * row);
  if (!r->is_seen) {
    free(r->rows);
  } else if (!leave_to_views(r)) {
    free(rows);
    return 0;
  }
  r->rows = rows;
  r->room = room;
  return 1;
}


static artStatus add_row(pyRun *r, artError *error)
{
  if (!run_grow(r)) return base_no_memory(error);
  double *row = r->rows + (size_t) r->count * (size_t) r->width;
  row[0] = r->run->time;
  art_outputs(r->owner->model, r->data, row + 1);
  run_note_outputs(r->run, row + 1);
  const artCounts n = art_count(r->owner->model);
  memcpy(row + r->columns, r->data->q, (size_t) n.nq * sizeof *row);
  memcpy(row + r->columns + n.nq, r->data->v, (size_t) n.nv * sizeof *row);
  const artStatus status = files_add_row(r, row, error);
  if (status) return status;
  r->count++;
  return files_keep_row(r, error);
}


static int is_over(const pyRun *r)
{
  return r->count > 0 && r->run->time >= r->study.run.until;
}


//---- during the run ------------------------------------------------------------------------------

// Called before every step: checks for Ctrl-C and updates the progress bar at intervals. An
// exception stops the run between two rows, from where it can continue.
static int is_to_pause(void *pauser)
{
  pyRun *r = pauser;
  const double now = base_now();
  if (now - r->last_look < LOOK_INTERVAL) return 0;
  r->last_look = now;
  const PyGILState_STATE lock = PyGILState_Ensure();
  int stops = PyErr_CheckSignals() != 0;
  if (!stops && r->progress != Py_None) {
    PyObject *answer = PyObject_CallFunction(r->progress, "dd", r->run->time, r->study.run.until);
    stops = !answer;
    Py_XDECREF(answer);
  }
  r->is_stopped = stops;
  PyGILState_Release(lock);
  return stops;
}


static artStatus advance(pyRun *r, artError *error)
{
  r->run->pauses = r->run->ends = is_to_pause;
  r->run->pauser = r;
  r->last_look = base_now();
  artStatus status = ART_OK;
  while (!status && !is_over(r)) {
    status = r->count > 0 ? art_run_next(r->run, &r->study.run, error)
                          : art_run_to(r->run, r->study.run.from, error);
    if (!status) status = add_row(r, error);
  }
  r->run->pauses = r->run->ends = NULL;
  const int is_ended = status == ART_STOPPED && r->is_stopped && !r->run->is_between;
  if (is_ended && files_go_back(r, error)) r->is_stopped = 0;
  return status;
}


static PyObject *run_advance(PyObject *self, PyObject *args)
{
  (void) args;
  pyRun *r = (pyRun *) self;
  artStatus status, saved;
  artError error = {0}, unwritten = {0};
  if (r->error.status) return py_raise(&r->error, r->owner);
  if (!py_begin(&r->is_busy, r->owner)) return NULL;
  r->is_stopped = 0;
  Py_BEGIN_ALLOW_THREADS;
  status = advance(r, &error);
  if (status && !r->is_stopped) r->error = error;
  saved = files_end(r, &unwritten);
  Py_END_ALLOW_THREADS;
  py_end(&r->is_busy, r->owner);
  if (PyErr_Occurred()) return NULL;
  if (status) return py_raise(&error, r->owner);
  if (saved) return py_raise(&unwritten, r->owner);
  Py_RETURN_NONE;
}


//---- results -------------------------------------------------------------------------------------

static PyObject *run_table(PyObject *self, PyObject *args)
{
  (void) args;
  pyRun *r = (pyRun *) self;
  if (!py_begin(&r->is_busy, r->owner)) return NULL;
  r->is_seen = 1;
  PyObject *view = py_view(self, r->rows, r->count, r->width, 0);
  py_end(&r->is_busy, r->owner);
  return view;
}


ioCertificate run_certificate(const pyRun *r)
{
  const char *status = r->error.status ? "failed" : is_over(r) ? "finished" : "interrupted";
  ioCertificate c = {.status = status,
                     .file = r->path,
                     .directory = r->files.directory ? r->files.directory : "",
                     .model = r->owner->model,
                     .data = r->data,
                     .study = &r->study,
                     .rows = r->count,
                     .numbers = art_certify(r->run),
                     .error = r->error};
  csv_digest(&r->files.csv, c.sha256);
  return c;
}


static PyObject *run_certify(PyObject *self, PyObject *args)
{
  (void) args;
  pyRun *r = (pyRun *) self;
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  if (!stream) return PyErr_NoMemory();
  PyObject *answer = NULL;
  if (py_begin(&r->is_busy, r->owner)) {
    ioJson json = {.file = stream};
    const ioCertificate certificate = run_certificate(r);
    certificate_write(&json, &certificate);
    py_end(&r->is_busy, r->owner);
  }
  const int is_whole = file_close_text(stream, &text);
  if (is_whole && !PyErr_Occurred()) {
    answer = PyUnicode_DecodeUTF8(text, (Py_ssize_t) length, "replace");
  } else if (!PyErr_Occurred()) {
    PyErr_NoMemory();
  }
  free(text);
  return answer;
}


static PyObject *run_is_over(PyObject *self, void *closure)
{
  (void) closure;
  return PyBool_FromLong(is_over((pyRun *) self));
}


//---- the type ------------------------------------------------------------------------------------

static PyMethodDef methods[] = {
    {"advance", run_advance, METH_NOARGS, "Go on to the end of the study."},
    {"table", run_table, METH_NOARGS, "All rows so far: time, outputs, positions, velocities."},
    {"certificate", run_certify, METH_NOARGS, "The certificate as JSON."},
    {0},
};

static PyGetSetDef properties[] = {
    {"is_over", run_is_over, NULL, "Has the run come to its end?", NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A run with its rows."},
    {Py_tp_new, run_new},
    {Py_tp_dealloc, run_dealloc},
    {Py_tp_traverse, run_traverse},
    {Py_tp_clear, run_clear},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0},
};

PyType_Spec py_run_spec = {
    .name = "articula._articula.Run",
    .basicsize = sizeof(pyRun),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};
