// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Python functions that a model calls: laws and constraints named in its file, forces of type
// callback, inputs with a clock. Each call acquires the GIL. A function receives copies, so it may
// keep its arguments.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "callback.h"
#include "model/model.h"


//---- conversion of numbers -----------------------------------------------------------------------

// n numbers as a read-only memoryview of a copy
static PyObject *give(const double *x, int n)
{
  PyObject *bytes =
      PyBytes_FromStringAndSize((const char *) x, (Py_ssize_t) n * (Py_ssize_t) sizeof *x);
  PyObject *plain = bytes ? PyMemoryView_FromObject(bytes) : NULL;
  PyObject *numbers = plain ? PyObject_CallMethod(plain, "cast", "s", "d") : NULL;
  Py_XDECREF(plain);
  Py_XDECREF(bytes);
  return numbers;
}


// convert a number, or a sequence of n numbers
static int take(PyObject *answer, double *y, int n)
{
  if (n == 1 && PyFloat_Check(answer)) {
    y[0] = PyFloat_AsDouble(answer);
    return 1;
  }
  if (n == 1 && !PySequence_Check(answer)) {
    y[0] = PyFloat_AsDouble(answer);
    return !PyErr_Occurred();
  }
  const Py_ssize_t length = PySequence_Size(answer);
  if (length >= 0 && length != n) {
    PyErr_Format(PyExc_ValueError, "the function returned %zd numbers, expected %d", length, n);
  }
  for (int i = 0; i < n && !PyErr_Occurred(); i++) {
    PyObject *item = PySequence_GetItem(answer, i);
    if (item) y[i] = PyFloat_AsDouble(item);
    Py_XDECREF(item);
  }
  return !PyErr_Occurred();
}


// The first exception is kept for the caller of the library; the study stops.
static void keep_exception(pyModel *m)
{
  if (m->raised[0]) {
    PyErr_Clear();
  } else {
    PyErr_Fetch(&m->raised[0], &m->raised[1], &m->raised[2]);
  }
}


static int call(const pyCallback *c, PyObject *arguments, double *y, int n)
{
  PyObject *answer = arguments && c->function ? PyObject_CallObject(c->function, arguments) : NULL;
  const int is_taken = answer && take(answer, y, n);
  Py_XDECREF(answer);
  Py_XDECREF(arguments);
  if (!is_taken) keep_exception(c->owner);
  return is_taken;
}


//---- callbacks -----------------------------------------------------------------------------------

static artStatus call_function(void *context, const double *x, double *y)
{
  const pyCallback *c = context;
  const PyGILState_STATE lock = PyGILState_Ensure();
  const int is_done = call(c, Py_BuildValue("(N)", give(x, c->ninput)), y, c->noutput);
  PyGILState_Release(lock);
  return is_done ? ART_OK : ART_STOPPED;
}


static PyObject *give_state(const pyCallback *c, const artData *d)
{
  const artCounts n = art_count(c->owner->model);
  return Py_BuildValue("(dNN)", d->time, give(d->q, n.nq), give(d->v, n.nv));
}


static artStatus call_force(void *context, const artModel *model, artData *data)
{
  const pyCallback *c = context;
  const int nv = c->noutput;
  double *tau = calloc((size_t) nv + 1, sizeof *tau);
  if (!tau) return ART_NO_MEMORY;
  const PyGILState_STATE lock = PyGILState_Ensure();
  const int is_done = call(c, give_state(c, data), tau, nv);
  PyGILState_Release(lock);
  for (int k = 0; k < nv && is_done; k++) {
    if (tau[k] != 0) art_apply_joint_force(model, data, k, tau[k]);
  }
  free(tau);
  return is_done ? ART_OK : ART_STOPPED;
}


static double call_input(void *context, const artModel *model, artData *data)
{
  const pyCallback *c = context;
  double value = NAN;
  (void) model;
  const PyGILState_STATE lock = PyGILState_Ensure();
  (void) call(c, give_state(c, data), &value, 1);
  PyGILState_Release(lock);
  return value;
}


//---- attaching -----------------------------------------------------------------------------------

static artStatus attach_named(pyCallback *c, const char *name, artError *error)
{
  const artModel *m = c->owner->model;
  for (int i = 0; i < m->nfunction; i++) {
    const modelFunction *f = &m->function[i];
    if (strcmp(f->name, name) != 0) continue;
    c->ninput = f->ninput + f->nparameter;
    c->noutput = f->n;
  }
  return art_attach_function(c->owner->model, name, call_function, c, error);
}


static artStatus attach(pyCallback *c, const char *kind, const char *name, artError *error)
{
  artModel *m = c->owner->model;
  if (strcmp(kind, "function") == 0) return attach_named(c, name, error);
  if (strcmp(kind, "input") == 0) return art_attach_input(m, name, call_input, c, error);
  c->noutput = art_count(m).nv;
  return art_attach_force(m, &(artCallbackDef){.name = name, .apply = call_force, .context = c},
                          error);
}


static int is_idle(const pyModel *m)
{
  if (m->working == 0) return 1;
  PyErr_SetString(PyExc_RuntimeError, "another thread computes with this model: attach functions "
                                      "before it is shared");
  return 0;
}


PyObject *callback_attach_library(PyObject *self, PyObject *args)
{
  pyModel *m = (pyModel *) self;
  PyObject *path;
  artError error = {0};
  if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
  const int can_attach = is_idle(m);
  if (can_attach) (void) art_attach_library(m->model, PyBytes_AsString(path), &error);
  Py_DECREF(path);
  if (!can_attach) return NULL;
  if (error.status) return py_raise(&error, m);
  Py_RETURN_NONE;
}


PyObject *callback_attach(PyObject *self, PyObject *args)
{
  pyModel *m = (pyModel *) self;
  const char *kind, *name;
  PyObject *function;
  artError error = {0};
  if (!PyArg_ParseTuple(args, "ssO", &kind, &name, &function)) return NULL;
  if (!PyCallable_Check(function)) {
    PyErr_SetString(PyExc_TypeError, "expected a function");
    return NULL;
  }
  if (!is_idle(m)) return NULL;
  pyCallback *c = calloc(1, sizeof *c);
  if (!c) return PyErr_NoMemory();
  *c = (pyCallback){.next = m->callbacks, .owner = m, .function = function};
  if (attach(c, kind, name, &error)) {
    free(c);
    return py_raise(&error, m);
  }
  Py_INCREF(function);
  m->callbacks = c;
  Py_RETURN_NONE;
}
