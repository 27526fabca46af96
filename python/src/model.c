// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Models: reading them, their parameters, and the names of their items.
#include <stdlib.h>
#include <string.h>

#include "callback.h"
#include "data/work.h"
#include "force/force.h"
#include "model/model.h"
#include "module.h"


int py_is_model(PyObject *object)
{
  if (PyObject_TypeCheck(object, py_types.model) && ((pyModel *) object)->model) return 1;
  PyErr_SetString(PyExc_TypeError, "expected a model: articula.load reads one");
  return 0;
}


//---- reading -------------------------------------------------------------------------------------

int py_read_settings(PyObject *dict, artSetting **list)
{
  PyObject *key, *value;
  Py_ssize_t at = 0;
  int n = 0;
  *list = calloc((size_t) PyDict_Size(dict) + 1, sizeof **list);
  if (!*list) {
    PyErr_NoMemory();
    return -1;
  }
  while (PyDict_Next(dict, &at, &key, &value)) {
    const char *name = PyUnicode_Check(key) ? py_text(key) : NULL;
    if (!name || !PyFloat_Check(value)) {
      if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_TypeError, "parameters are names with numbers in SI units");
      }
      free(*list);
      return -1;
    }
    (*list)[n++] = (artSetting){name, PyFloat_AsDouble(value)};
  }
  return n;
}


static artStatus load(artModel **model, PyObject *path, PyObject *text, int n,
                      const artSetting *setting, artError *error)
{
  Py_ssize_t length = 0;
  const char *name = PyBytes_AsString(path);
  const char *bytes = text == Py_None ? NULL : PyUnicode_AsUTF8AndSize(text, &length);
  if (!name || (text != Py_None && !bytes)) return ART_BAD_INPUT;
  artStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = bytes ? art_read_model(model, bytes, (size_t) length, name, error)
                 : art_load_model_with(model, name, n, setting, error);
  Py_END_ALLOW_THREADS;
  return status;
}


// Model(path, text, settings): from the file, or from text instead
static PyObject *model_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  PyObject *path, *text, *settings;
  (void) keywords;
  if (!PyArg_ParseTuple(args, "O&OO!", PyUnicode_FSConverter, &path, &text, &PyDict_Type,
                        &settings)) {
    return NULL;
  }
  pyModel *m = (pyModel *) PyType_GenericAlloc(type, 0);
  if (!m) {
    Py_DECREF(path);
    return NULL;
  }
  artSetting *setting = NULL;
  artError error = {0};
  const int n = py_read_settings(settings, &setting);
  artStatus status = n < 0 ? ART_BAD_INPUT : load(&m->model, path, text, n, setting, &error);
  if (n >= 0) free(setting);
  Py_DECREF(path);
  if (!status) return (PyObject *) m;
  if (!PyErr_Occurred()) py_raise(&error, NULL);
  Py_DECREF(m);
  return NULL;
}


static int model_traverse(PyObject *self, visitproc visit, void *arg)
{
  pyModel *m = (pyModel *) self;
  Py_VISIT(Py_TYPE(self));
  for (pyCallback *c = m->callbacks; c; c = c->next) Py_VISIT(c->function);
  for (int i = 0; i < 3; i++) Py_VISIT(m->raised[i]);
  return 0;
}


static int model_clear(PyObject *self)
{
  pyModel *m = (pyModel *) self;
  for (pyCallback *c = m->callbacks; c; c = c->next) Py_CLEAR(c->function);
  for (int i = 0; i < 3; i++) Py_CLEAR(m->raised[i]);
  return 0;
}


static void model_dealloc(PyObject *self)
{
  pyModel *m = (pyModel *) self;
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  (void) model_clear(self);
  art_free_model(m->model);
  while (m->callbacks) {
    pyCallback *next = m->callbacks->next;
    free(m->callbacks);
    m->callbacks = next;
  }
  freefunc release = (freefunc) PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}


//---- queries -------------------------------------------------------------------------------------

static PyObject *model_counts(PyObject *self, void *closure)
{
  (void) closure;
  const artCounts n = art_count(((pyModel *) self)->model);
  return Py_BuildValue("{s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i}", "bodies",
                       n.bodies, "joints", n.joints, "nq", n.nq, "nv", n.nv, "loops", n.loops,
                       "forces", n.forces, "drives", n.drives, "outputs", n.outputs, "studies",
                       n.studies, "states", n.states, "links", n.links, "latches", n.latches,
                       "inputs", n.inputs, "held", n.held, "signals", n.signals);
}


static PyObject *model_title(PyObject *self, void *closure)
{
  (void) closure;
  return PyUnicode_FromString(art_title(((pyModel *) self)->model));
}


static PyObject *model_hash(PyObject *self, void *closure)
{
  (void) closure;
  return PyLong_FromUnsignedLongLong(art_model_hash(((pyModel *) self)->model));
}


static PyObject *model_revision(PyObject *self, void *closure)
{
  (void) closure;
  return PyLong_FromUnsignedLong(art_model_revision(((pyModel *) self)->model));
}


// name or unit of item k; NULL after the last
typedef const char *nameOf(const artModel *model, int k);
static PyObject *list_names(PyObject *self, nameOf *name, nameOf *unit, int n)
{
  const artModel *m = ((pyModel *) self)->model;
  PyObject *list = PyList_New(0);
  for (int k = 0; list && k < n; k++) {
    PyObject *pair = Py_BuildValue("(ss)", name(m, k), unit(m, k));
    if (!pair || PyList_Append(list, pair)) Py_CLEAR(list);
    Py_XDECREF(pair);
  }
  return list;
}


#define NAMES(what, count)                                                                         \
  static PyObject *model_##what##s(PyObject *self, PyObject *args)                                 \
  {                                                                                                \
    (void) args;                                                                                   \
    return list_names(self, art_##what##_name, art_##what##_unit,                                  \
                      art_count(((pyModel *) self)->model).count);                                 \
  }
NAMES(position, nq)
NAMES(velocity, nv)
NAMES(output, outputs)
NAMES(state, states)
#undef NAMES


static const char *reading_name(const artModel *m, int k)
{
  return k < m->nsignal ? m->signal[k].name : m->held[m->ninput + k - m->nsignal].name;
}


static const char *reading_unit(const artModel *m, int k)
{
  const char *unit = k < m->nsignal ? m->signal[k].unit : m->held[m->ninput + k - m->nsignal].unit;
  return unit ? unit : "";
}


int py_count_readings(const artModel *m)
{
  return m->nsignal + m->nheld - m->ninput;
}


void py_find_readings(artData *d, double *values)
{
  const artModel *m = d->work->now;
  for (int i = 0; i < m->nsignal; i++) values[i] = force_signal(m, d, i);
  for (int i = m->ninput; i < m->nheld; i++) values[m->nsignal + i - m->ninput] = d->u[i];
}


static PyObject *model_readings(PyObject *self, PyObject *args)
{
  (void) args;
  return list_names(self, reading_name, reading_unit, py_count_readings(((pyModel *) self)->model));
}


static PyObject *model_inputs(PyObject *self, PyObject *args)
{
  (void) args;
  artInputPart part;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && art_get_input(((pyModel *) self)->model, i, &part); i++) {
    PyObject *item = Py_BuildValue("(ssdddd)", part.name, part.unit, part.initial, part.least,
                                   part.largest, part.every);
    if (!item || PyList_Append(list, item)) Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}


static PyObject *model_bodies(PyObject *self, PyObject *args)
{
  (void) args;
  artBodyPart part;
  PyObject *list = PyList_New(0);
  for (int i = 1; list && art_get_body(((pyModel *) self)->model, i, &part); i++) {
    PyObject *item =
        Py_BuildValue("(sd(ddd)(dddddd))", part.name, part.mass, part.com[0], part.com[1],
                      part.com[2], part.inertia[0], part.inertia[1], part.inertia[2],
                      part.inertia[3], part.inertia[4], part.inertia[5]);
    if (!item || PyList_Append(list, item)) Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}


static PyObject *model_joints(PyObject *self, PyObject *args)
{
  (void) args;
  artJointPart part;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && art_get_joint(((pyModel *) self)->model, i, &part); i++) {
    PyObject *item = Py_BuildValue("(ssN)", part.name, art_joint_type_name(part.type),
                                   PyBool_FromLong(part.closes_loop));
    if (!item || PyList_Append(list, item)) Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}


static PyObject *model_forces(PyObject *self, PyObject *args)
{
  (void) args;
  artForcePart part;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && art_get_force(((pyModel *) self)->model, i, &part); i++) {
    PyObject *item = Py_BuildValue("(ss)", part.name, part.type);
    if (!item || PyList_Append(list, item)) Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}


static PyObject *model_warnings(PyObject *self, PyObject *args)
{
  (void) args;
  const char *warning;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && (warning = art_model_warning(((pyModel *) self)->model, i)); i++) {
    PyObject *item = PyUnicode_DecodeUTF8(warning, (Py_ssize_t) strlen(warning), "replace");
    if (!item || PyList_Append(list, item)) Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}


//---- parameters ----------------------------------------------------------------------------------

static PyObject *model_parameters(PyObject *self, PyObject *args)
{
  (void) args;
  const artModel *m = ((pyModel *) self)->model;
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < art_count_parameters(m); i++) {
    PyObject *item =
        Py_BuildValue("(ssdN)", art_parameter_name(m, i), art_parameter_unit(m, i),
                      art_parameter_value(m, i), PyBool_FromLong(art_parameter_is_formula(m, i)));
    if (!item || PyList_Append(list, item)) Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}


// Keeps the GIL, so that nobody reads the model while it changes.
static PyObject *model_set_parameter(PyObject *self, PyObject *args)
{
  pyModel *m = (pyModel *) self;
  const char *name;
  double value;
  artError error = {0};
  if (!PyArg_ParseTuple(args, "sd", &name, &value)) return NULL;
  if (m->working > 0) {
    PyErr_SetString(PyExc_RuntimeError, "another thread computes with this model: change its "
                                        "parameters when that is done, or load a model for each "
                                        "thread");
    return NULL;
  }
  if (art_set_parameter(m->model, name, value, &error)) return py_raise(&error, m);
  Py_RETURN_NONE;
}


//---- the type ------------------------------------------------------------------------------------

static PyMethodDef methods[] = {
    {"_positions", model_positions, METH_NOARGS, "Names and units of the positions q."},
    {"_velocities", model_velocitys, METH_NOARGS, "Names and units of the velocities v."},
    {"_outputs", model_outputs, METH_NOARGS, "Names and units of the outputs."},
    {"_readings", model_readings, METH_NOARGS,
     "Names and units of signals, then of samplers, sensors among both."},
    {"_states", model_states, METH_NOARGS, "Names and units of the states s."},
    {"_inputs", model_inputs, METH_NOARGS,
     "Inputs: name, unit, initial value, least, largest, every."},
    {"_bodies", model_bodies, METH_NOARGS, "Bodies: name, mass, centre of mass, inertia."},
    {"_joints", model_joints, METH_NOARGS, "Joints: name, type, does it close a loop."},
    {"_forces", model_forces, METH_NOARGS, "Force elements: name, type."},
    {"_warnings", model_warnings, METH_NOARGS, "What is probably not meant, with its place."},
    {"_parameters", model_parameters, METH_NOARGS,
     "Parameters: name, unit, value, is it a formula."},
    {"_attach", callback_attach, METH_VARARGS, "Let a function of Python be called."},
    {"_attach_library", callback_attach_library, METH_VARARGS,
     "Let functions of a shared object be called."},
    {"_set_parameter", model_set_parameter, METH_VARARGS, "Change a parameter."},
    {0},
};

static PyGetSetDef properties[] = {
    {"counts", model_counts, NULL, "How many bodies, joints, positions ... the model has.", NULL},
    {"title", model_title, NULL, "The title; empty when there is none.", NULL},
    {"hash", model_hash, NULL,
     "A fingerprint of everything that determines results: files with the same meaning have the "
     "same one.",
     NULL},
    {"revision", model_revision, NULL, "How often a parameter has changed.", NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "A machine, read and compiled."},
    {Py_tp_new, model_new},
    {Py_tp_dealloc, model_dealloc},
    {Py_tp_traverse, model_traverse},
    {Py_tp_clear, model_clear},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0},
};

PyType_Spec py_model_spec = {
    .name = "articula._articula.Model",
    .basicsize = sizeof(pyModel),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = slots,
};
