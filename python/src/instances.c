// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Instances of one machine by kernels, on the CPU or on a GPU (articula/batch.h).
#include <stdlib.h>
#include <string.h>

#include "module.h"

typedef struct pyInstances {
  PyObject ob_base;
  pyModel *owner;
  artBatch *batch;
  int shares; // all instances share the parameters
  int is_busy;
} pyInstances;

static const char *const vector_name[ART_BATCH_VECTORS] = {
    "time",       "positions", "velocities",    "states",   "inputs",    "forces",
    "parameters", "outputs",   "accelerations", "failures", "failed_at", "work"};


// the index of a vector by name, or -1 with an exception
static int find_vector(const char *name)
{
  for (int k = 0; k < ART_BATCH_VECTORS; k++) {
    if (strcmp(vector_name[k], name) == 0) return k;
  }
  PyErr_Format(PyExc_ValueError, "instances have no '%s'", name);
  return -1;
}


static int find_device(const char *name)
{
  for (int k = 0; k < ART_DEVICES; k++) {
    if (strcmp(art_device_name((artDevice) k), name) == 0) return k;
  }
  PyErr_Format(PyExc_ValueError, "a device is 'cpu' or 'gpu', not '%s'", name);
  return -1;
}


static int find_precision(const char *name)
{
  for (int k = 0; k < ART_PRECISIONS; k++) {
    if (strcmp(art_precision_name((artPrecision) k), name) == 0) return k;
  }
  PyErr_Format(PyExc_ValueError, "a precision is 'double', 'float' or 'mixed', not '%s'", name);
  return -1;
}

//---- creation ------------------------------------------------------------------------------------

// Instances(model, study, options, n, device, fallback, threads, share, own, precision, corners); own: a list of names, or None
static PyObject *instances_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  PyObject *model, *name, *options, *own;
  const char *device, *precision;
  artBatchDef def = art_default_batch();
  (void) keywords;
  if (!PyArg_ParseTuple(args, "OOO!lspipOsp", &model, &name, &PyDict_Type, &options, &def.n,
                        &device, &def.or_cpu, &def.threads, &def.share, &own, &precision,
                        &def.corners) ||
      !py_is_model(model)) {
    return NULL;
  }
  const int k = find_device(device), p = k < 0 ? -1 : find_precision(precision);
  if (p < 0) return NULL;
  const char **names = own == Py_None ? NULL : py_read_names(own, &def.nown);
  if (own != Py_None && !names) return PyErr_Occurred() ? NULL : PyErr_NoMemory();
  def.own = names;
  def.device = (artDevice) k;
  def.precision = (artPrecision) p;
  pyInstances *self = (pyInstances *) PyType_GenericAlloc(type, 0);
  if (!self) {
    free(names);
    return NULL;
  }
  Py_INCREF(model);
  self->owner = (pyModel *) model;
  self->shares = def.share;
  artStudyDef study;
  artError error = {0};
  artStatus status = ART_BAD_INPUT;
  if (py_choose_study(self->owner, ART_RUN, name, options, &study)) {
    self->owner->working++;
    Py_BEGIN_ALLOW_THREADS;
    status = art_create_batch(&self->batch, self->owner->model, &study.run, &def, &error);
    Py_END_ALLOW_THREADS;
    self->owner->working--;
    if (status) py_raise(&error, self->owner);
  }
  free(names);
  if (!status) return (PyObject *) self;
  Py_DECREF(self);
  return NULL;
}


static void instances_dealloc(PyObject *self)
{
  pyInstances *s = (pyInstances *) self;
  PyTypeObject *type = Py_TYPE(self);
  art_free_batch(s->batch);
  Py_XDECREF((PyObject *) s->owner);
  PyObject_Free(self);
  Py_DECREF(type);
}

//---- information ---------------------------------------------------------------------------------

static PyObject *instances_info(PyObject *self, PyObject *args)
{
  const artBatchInfo info = art_batch_info(((pyInstances *) self)->batch);
  (void) args;
  return Py_BuildValue("(ssz)", art_device_name(info.device), info.name, info.reason);
}


static PyObject *instances_parameters(PyObject *self, PyObject *args)
{
  const artBatch *b = ((pyInstances *) self)->batch;
  const int n = art_batch_width(b, ART_BATCH_PARAMETERS);
  PyObject *list = PyList_New(n);
  (void) args;
  for (int k = 0; list && k < n; k++) {
    PyObject *name = PyUnicode_FromString(art_batch_parameter_name(b, k));
    if (!name || PyList_SetItem(list, k, name)) {
      Py_DECREF(list);
      return NULL;
    }
  }
  return list;
}


static PyObject *instances_is_free(PyObject *self, PyObject *args)
{
  const pyInstances *s = (pyInstances *) self;
  int k;
  if (!PyArg_ParseTuple(args, "i", &k)) return NULL;
  if (k < 0 || k >= art_count(s->owner->model).nv) {
    PyErr_SetString(PyExc_IndexError, "there is no such velocity");
    return NULL;
  }
  return PyBool_FromLong(art_batch_is_free(s->batch, k));
}


static PyObject *instances_width(PyObject *self, PyObject *args)
{
  const char *name;
  if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
  const int k = find_vector(name);
  if (k < 0) return NULL;
  return PyLong_FromLong(art_batch_width(((pyInstances *) self)->batch, (artBatchVector) k));
}

//---- actions -------------------------------------------------------------------------------------

static PyObject *tell(pyInstances *s, artStatus status, const artError *error)
{
  if (PyErr_Occurred()) return NULL;
  if (status) return py_raise(error, s->owner);
  Py_RETURN_NONE;
}


// set(vector, numbers) and get(vector, out)
static PyObject *copy(PyObject *self, PyObject *args, int is_read)
{
  pyInstances *s = (pyInstances *) self;
  const char *name;
  PyObject *object;
  Py_buffer buffer = {0};
  if (!PyArg_ParseTuple(args, "sO", &name, &object)) return NULL;
  const int k = find_vector(name);
  if (k < 0) return NULL;
  const artBatchVector vector = (artBatchVector) k;
  const long columns = s->shares && vector == ART_BATCH_PARAMETERS ? 1 : art_batch_info(s->batch).n;
  const long n = (long) art_batch_width(s->batch, vector) * columns;
  double *numbers = py_numbers(&buffer, object, name, n, is_read);
  if (!numbers) return NULL;
  artStatus status = ART_OK;
  artError error = {0};
  if (py_begin(&s->is_busy, s->owner)) {
    Py_BEGIN_ALLOW_THREADS;
    status = is_read ? art_get_batch(s->batch, vector, numbers, &error)
                     : art_set_batch(s->batch, vector, numbers, &error);
    Py_END_ALLOW_THREADS;
    py_end(&s->is_busy, s->owner);
  }
  PyBuffer_Release(&buffer);
  return tell(s, status, &error);
}


static PyObject *instances_set(PyObject *self, PyObject *args)
{
  return copy(self, args, 0);
}


static PyObject *instances_get(PyObject *self, PyObject *args)
{
  return copy(self, args, 1);
}


static int is_row(artBatchVector vector)
{
  return vector == ART_BATCH_TIME || vector == ART_BATCH_FAILED_AT;
}


// view(vector): its numbers, without a copy
static PyObject *instances_view(PyObject *self, PyObject *args)
{
  pyInstances *s = (pyInstances *) self;
  const char *name;
  artBatchView view = {0};
  if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
  const int k = find_vector(name);
  if (k < 0) return NULL;
  artStatus status = ART_OK;
  artError error = {0};
  if (py_begin(&s->is_busy, s->owner)) {
    Py_BEGIN_ALLOW_THREADS;
    status = art_view_batch(s->batch, (artBatchVector) k, &view, &error);
    Py_END_ALLOW_THREADS;
    py_end(&s->is_busy, s->owner);
  }
  if (PyErr_Occurred()) return NULL;
  return status ? py_raise(&error, s->owner)
                : py_device_view(self, &view, is_row((artBatchVector) k));
}


// put(vector, capsule): copy numbers from the device; put(vector): declare that they were changed
// in place
static PyObject *instances_put(PyObject *self, PyObject *args)
{
  pyInstances *s = (pyInstances *) self;
  const char *name;
  PyObject *capsule = NULL;
  const double *numbers = NULL;
  if (!PyArg_ParseTuple(args, "s|O", &name, &capsule)) return NULL;
  const int k = find_vector(name);
  if (k < 0) return NULL;
  const artBatchVector vector = (artBatchVector) k;
  const artBatchInfo info = art_batch_info(s->batch);
  const Py_ssize_t shape[] = {art_batch_width(s->batch, vector), info.n};
  if (capsule) {
    const int is_one = is_row(vector);
    numbers =
        py_tensor_numbers(capsule, name, is_one ? 1 : 2, is_one ? shape + 1 : shape, info.gpu);
    if (!numbers) return NULL;
  }
  artStatus status = ART_OK;
  artError error = {0};
  if (py_begin(&s->is_busy, s->owner)) {
    Py_BEGIN_ALLOW_THREADS;
    status = numbers ? art_put_batch(s->batch, vector, numbers, &error)
                     : art_touch_batch(s->batch, vector, &error);
    Py_END_ALLOW_THREADS;
    py_end(&s->is_busy, s->owner);
  }
  return tell(s, status, &error);
}


// step(h, n)
static PyObject *instances_step(PyObject *self, PyObject *args)
{
  pyInstances *s = (pyInstances *) self;
  double h;
  int n;
  if (!PyArg_ParseTuple(args, "di", &h, &n)) return NULL;
  artStatus status = ART_OK;
  artError error = {0};
  if (py_begin(&s->is_busy, s->owner)) {
    Py_BEGIN_ALLOW_THREADS;
    status = art_step_batch(s->batch, h, n, &error);
    Py_END_ALLOW_THREADS;
    py_end(&s->is_busy, s->owner);
  }
  return tell(s, status, &error);
}


// advance(end, step, tolerance)
static PyObject *instances_advance(PyObject *self, PyObject *args)
{
  pyInstances *s = (pyInstances *) self;
  double end, step, tolerance;
  if (!PyArg_ParseTuple(args, "ddd", &end, &step, &tolerance)) return NULL;
  artStatus status = ART_OK;
  artError error = {0};
  if (py_begin(&s->is_busy, s->owner)) {
    Py_BEGIN_ALLOW_THREADS;
    status = art_advance_batch(s->batch, end, step, tolerance, &error);
    Py_END_ALLOW_THREADS;
    py_end(&s->is_busy, s->owner);
  }
  return tell(s, status, &error);
}


static PyObject *instances_rounding(PyObject *self, PyObject *args)
{
  pyInstances *s = (pyInstances *) self;
  double rounding = 0;
  artError error = {0};
  (void) args;
  if (!py_begin(&s->is_busy, s->owner)) return NULL;
  artStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = art_batch_rounding(s->batch, &rounding, &error);
  Py_END_ALLOW_THREADS;
  py_end(&s->is_busy, s->owner);
  return status ? tell(s, status, &error) : PyFloat_FromDouble(rounding);
}


// the message of a failure, or None
static PyObject *instances_failure(PyObject *self, PyObject *args)
{
  pyInstances *s = (pyInstances *) self;
  long i;
  if (!PyArg_ParseTuple(args, "l", &i)) return NULL;
  if (i < 0 || i >= art_batch_info(s->batch).n) {
    PyErr_SetString(PyExc_IndexError, "there is no such instance");
    return NULL;
  }
  artError error = {0};
  if (!py_begin(&s->is_busy, s->owner)) return NULL;
  const artStatus status = art_batch_failure(s->batch, i, NULL, &error);
  py_end(&s->is_busy, s->owner);
  if (status == ART_OK) Py_RETURN_NONE;
  return PyUnicode_FromString(error.text);
}

//---- the type ------------------------------------------------------------------------------------

static PyMethodDef methods[] = {
    {"info", instances_info, METH_NOARGS, "Device, its name, and why it is not the one asked for."},
    {"parameters", instances_parameters, METH_NOARGS, "Names of the parameters."},
    {"is_free", instances_is_free, METH_VARARGS, "Whether no loop and no drive leads a velocity."},
    {"width", instances_width, METH_VARARGS, "Numbers of a vector, of each instance."},
    {"set", instances_set, METH_VARARGS, "Set a vector of all instances."},
    {"get", instances_get, METH_VARARGS, "Read a vector of all instances."},
    {"view", instances_view, METH_VARARGS, "A vector of all instances where it lies."},
    {"put", instances_put, METH_VARARGS,
     "Set a vector by a capsule, or report that it was written."},
    {"step", instances_step, METH_VARARGS, "Advance by n steps of rk4."},
    {"advance", instances_advance, METH_VARARGS, "Advance to a time by dopri5."},
    {"rounding", instances_rounding, METH_NOARGS, "How far accelerations are from double."},
    {"failure", instances_failure, METH_VARARGS, "Why an instance has stopped, or None."},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "Instances of a machine by kernels."},
    {Py_tp_new, instances_new},
    {Py_tp_dealloc, instances_dealloc},
    {Py_tp_methods, methods},
    {0},
};

PyType_Spec py_instances_spec = {
    .name = "articula._articula.Instances",
    .basicsize = sizeof(pyInstances),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
