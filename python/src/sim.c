// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Simulators: a machine that a program steps, reads and sets inputs of.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "machine.h"
#include "module.h"

static const double LOOK_INTERVAL = 0.05; // s, wall-clock time between checks for signals

typedef struct pySim {
  PyObject ob_base;
  pyModel *owner;
  PyObject *options; // owns the strings of the study
  artStudyDef study;
  double dt; // s
  pyMachine machine;
  double *y;         // [outputs], then readings
  int has_outputs;   // y is valid for the state left by the run,
  unsigned revision; // with this revision of the model's parameters
  int has_new_input; // since the last step
  int is_busy;
} pySim;


//---- creation ------------------------------------------------------------------------------------

static int count_numbers(const pySim *s)
{
  return art_count(s->owner->model).outputs + py_count_readings(s->owner->model);
}


// Simulator(model, study, options, step)
static PyObject *sim_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  PyObject *model, *name, *options;
  double dt;
  (void) keywords;
  if (!PyArg_ParseTuple(args, "OOO!d", &model, &name, &PyDict_Type, &options, &dt) ||
      !py_is_model(model)) {
    return NULL;
  }
  if (!(dt > 0 && dt < 1e9)) {
    PyErr_SetString(PyExc_ValueError, "the step of a simulator must be above zero, in seconds");
    return NULL;
  }
  pySim *s = (pySim *) PyType_GenericAlloc(type, 0);
  if (!s) return NULL;
  Py_INCREF(model);
  s->owner = (pyModel *) model;
  s->dt = dt;
  s->options = PyDict_Copy(options);
  s->y = calloc((size_t) count_numbers(s) + 1, sizeof *s->y);
  artError error = {0};
  artStatus status = ART_BAD_INPUT;
  if (!s->y) PyErr_NoMemory();
  if (s->y && s->options && py_choose_study(s->owner, ART_RUN, name, s->options, &s->study)) {
    s->owner->working++;
    Py_BEGIN_ALLOW_THREADS;
    status = machine_make(&s->machine, s->owner->model, &s->study.run, &error);
    Py_END_ALLOW_THREADS;
    s->owner->working--;
    if (status) py_raise(&error, s->owner);
  }
  if (!status) return (PyObject *) s;
  Py_DECREF(s);
  return NULL;
}


static void sim_dealloc(PyObject *self)
{
  pySim *s = (pySim *) self;
  PyTypeObject *type = Py_TYPE(self);
  machine_free(&s->machine);
  free(s->y);
  Py_XDECREF(s->options);
  Py_XDECREF((PyObject *) s->owner);
  PyObject_Free(self);
  Py_DECREF(type);
}


//---- steps ---------------------------------------------------------------------------------------

// Checks for Ctrl-C at intervals; the next call continues with the remaining steps.
static int is_interrupted(double *last_look)
{
  const double now = base_now();
  if (now - *last_look < LOOK_INTERVAL) return 0;
  *last_look = now;
  const PyGILState_STATE lock = PyGILState_Ensure();
  const int stops = PyErr_CheckSignals() != 0;
  PyGILState_Release(lock);
  return stops;
}


static artStatus step(pySim *s, long n, artError *error)
{
  double last_look = n > 1 ? base_now() : 0;
  s->has_new_input = 0;
  artStatus status = machine_look(&s->machine, &s->study.run, error);
  if (n == 0 && !status) status = art_step(s->machine.run, 0, error);
  for (long i = 0; i < n && !status; i++) {
    status = machine_step(&s->machine, s->dt, 1, error);
    if (n > 1 && is_interrupted(&last_look)) break;
  }
  return status;
}


static PyObject *sim_step(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
  pySim *s = (pySim *) self;
  const long n = count > 0 ? PyLong_AsLong(args[0]) : 1;
  if (n == -1 && PyErr_Occurred()) return NULL;
  if (count > 1 || n < 0) {
    PyErr_SetString(PyExc_ValueError, "step takes the number of steps, not negative");
    return NULL;
  }
  artStatus status;
  artError error;
  error.status = ART_OK;
  error.text[0] = 0;
  if (!py_begin(&s->is_busy, s->owner)) return NULL;
  s->has_outputs = 0;
  Py_BEGIN_ALLOW_THREADS;
  status = step(s, n, &error);
  Py_END_ALLOW_THREADS;
  py_end(&s->is_busy, s->owner);
  if (PyErr_Occurred()) return NULL;
  if (status) return py_raise(&error, s->owner);
  Py_RETURN_NONE;
}


static PyObject *sim_reset(PyObject *self, PyObject *args)
{
  (void) args;
  pySim *s = (pySim *) self;
  artStatus status;
  artError error = {0};
  if (!py_begin(&s->is_busy, s->owner)) return NULL;
  s->has_outputs = 0;
  Py_BEGIN_ALLOW_THREADS;
  status = machine_reset(&s->machine, &s->study.run, &error);
  Py_END_ALLOW_THREADS;
  py_end(&s->is_busy, s->owner);
  if (status) return py_raise(&error, s->owner);
  Py_RETURN_NONE;
}


static PyObject *sim_set_input(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
  pySim *s = (pySim *) self;
  artError error;
  if (count != 2) {
    PyErr_SetString(PyExc_TypeError, "set_input takes a number and a value");
    return NULL;
  }
  const long input = PyLong_AsLong(args[0]);
  const double value = PyErr_Occurred() ? 0 : PyFloat_AsDouble(args[1]);
  if (PyErr_Occurred()) return NULL;
  if (input < 0 || input >= art_count(s->owner->model).inputs) {
    PyErr_SetString(PyExc_IndexError, "the model has no input of this number");
    return NULL;
  }
  if (!py_begin(&s->is_busy, s->owner)) return NULL;
  const artStatus status =
      art_set_input(s->owner->model, s->machine.data, (int) input, value, &error);
  py_end(&s->is_busy, s->owner);
  s->has_new_input = 1;
  if (status) return py_raise(&error, s->owner);
  Py_RETURN_NONE;
}


//---- reading -------------------------------------------------------------------------------------

// Compute outputs after a step; inputs set since then take effect now.
static artStatus find_outputs(pySim *s, artError *error)
{
  const unsigned revision = art_model_revision(s->owner->model);
  const int is_new = s->has_new_input || revision != s->revision;
  if (s->has_outputs && !is_new && machine_is_as_left(&s->machine)) return ART_OK;
  artStatus status = machine_look(&s->machine, &s->study.run, error);
  if (!status && is_new) status = art_step(s->machine.run, 0, error);
  if (!status) {
    const artModel *m = s->owner->model;
    art_outputs(m, s->machine.data, s->y);
    py_find_readings(s->machine.data, s->y + art_count(m).outputs);
  }
  s->has_new_input = 0;
  s->revision = revision;
  s->has_outputs = !status;
  return status;
}


static PyObject *sim_outputs(PyObject *self, PyObject *args)
{
  (void) args;
  pySim *s = (pySim *) self;
  artStatus status;
  artError error = {0};
  if (!py_begin(&s->is_busy, s->owner)) return NULL;
  Py_BEGIN_ALLOW_THREADS;
  status = find_outputs(s, &error);
  Py_END_ALLOW_THREADS;
  py_end(&s->is_busy, s->owner);
  if (status) return py_raise(&error, s->owner);
  Py_RETURN_NONE;
}


static PyObject *sim_view(PyObject *self, PyObject *args)
{
  pySim *s = (pySim *) self;
  const char *name;
  if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
  const artCounts n = art_count(s->owner->model);
  const artData *x = s->machine.data;
  const struct {
    const char *name;
    double *numbers;
    int n, is_readonly;
  } views[] = {{"q", x->q, n.nq, 0},
               {"v", x->v, n.nv, 0},
               {"a", x->a, n.nv, 1},
               {"s", x->s, n.states, 0},
               {"force", x->force, n.nv, 1},
               {"u", x->u, n.inputs, 1},
               {"y", s->y, count_numbers(s), 1}};
  for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
    if (strcmp(name, views[i].name) == 0) {
      return py_view(self, views[i].numbers, views[i].n, -1, views[i].is_readonly);
    }
  }
  PyErr_Format(PyExc_ValueError, "a simulator has no '%s'", name);
  return NULL;
}


static PyObject *sim_time(PyObject *self, void *closure)
{
  (void) closure;
  return PyFloat_FromDouble(((pySim *) self)->machine.data->time);
}


//---- snapshots -----------------------------------------------------------------------------------

static PyObject *sim_save(PyObject *self, PyObject *args)
{
  (void) args;
  pySim *s = (pySim *) self;
  artError error = {0};
  if (!py_begin(&s->is_busy, s->owner)) return NULL;
  PyObject *bytes = NULL;
  artStatus status = machine_look(&s->machine, &s->study.run, &error);
  if (!status) {
    const size_t size = art_run_state_size(s->machine.run);
    bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t) size);
    if (bytes) status = art_save_run(s->machine.run, PyBytes_AsString(bytes), size, &error);
  }
  py_end(&s->is_busy, s->owner);
  if (!status) return bytes;
  Py_XDECREF(bytes);
  return py_raise(&error, s->owner);
}


static PyObject *sim_load(PyObject *self, PyObject *args)
{
  pySim *s = (pySim *) self;
  const char *bytes;
  Py_ssize_t size;
  artError error = {0};
  if (!PyArg_ParseTuple(args, "y#", &bytes, &size)) return NULL;
  if (!py_begin(&s->is_busy, s->owner)) return NULL;
  artStatus status = machine_look(&s->machine, &s->study.run, &error);
  if (!status) status = art_load_run(s->machine.run, bytes, (size_t) size, &error);
  if (!status) machine_keep(&s->machine);
  s->has_outputs = 0;
  py_end(&s->is_busy, s->owner);
  if (status) return py_raise(&error, s->owner);
  Py_RETURN_NONE;
}


//---- the type ------------------------------------------------------------------------------------

#define FAST(function) ((PyCFunction) (void (*)(void))(function))

static PyMethodDef methods[] = {
    {"step", FAST(sim_step), METH_FASTCALL, "Advance by n steps."},
    {"set_input", FAST(sim_set_input), METH_FASTCALL, "Set an input by its number."},
    {"reset", sim_reset, METH_NOARGS, "Back to the beginning."},
    {"outputs", sim_outputs, METH_NOARGS, "Bring the outputs y up to date."},
    {"view", sim_view, METH_VARARGS, "The numbers q, v, a, s, force, u or y, without a copy."},
    {"save", sim_save, METH_NOARGS, "All that determines the motion from here on, as bytes."},
    {"load", sim_load, METH_VARARGS, "Go back to saved bytes."},
    {0},
};

static PyGetSetDef properties[] = {
    {"time", sim_time, NULL, "s", NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A machine that is stepped."},
    {Py_tp_new, sim_new},
    {Py_tp_dealloc, sim_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0},
};

PyType_Spec py_sim_spec = {
    .name = "articula._articula.Simulator",
    .basicsize = sizeof(pySim),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
