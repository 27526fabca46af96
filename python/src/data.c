// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Data blocks: the state of a machine, and its dynamics  M(q) a + h(q, v) = tau.
//
// The user may change time, q or v through views at any time, so every query starts with
// art_update.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "module.h"


//---- one thread at a time ------------------------------------------------------------------------

int py_begin(int *is_busy, pyModel *model)
{
  if (*is_busy) {
    PyErr_SetString(PyExc_RuntimeError,
                    "another thread, or a callback, is at work with this object: give each thread "
                    "one of its own");
    return 0;
  }
  *is_busy = 1;
  model->working++;
  return 1;
}


void py_end(int *is_busy, pyModel *model)
{
  *is_busy = 0;
  model->working--;
}


#define BEGIN(d)                                                                                   \
  if (!py_begin(&(d)->is_busy, (d)->owner)) return NULL;                                           \
  Py_BEGIN_ALLOW_THREADS
#define END(d)                                                                                     \
  Py_END_ALLOW_THREADS;                                                                            \
  py_end(&(d)->is_busy, (d)->owner)


//---- coordinates set by the user -----------------------------------------------------------------

// Dependent coordinates of loops and driven coordinates follow from others and from the time. If
// the user has set one and its value differs after its loop is closed, the setting had no effect,
// which is an error.
static const double AGREES = 1e-9;


// store the state as the library left it
static void data_leave(pyData *d)
{
  const artCounts n = art_count(d->owner->model);
  if (n.nq > 0) memcpy(d->left, d->data->q, (size_t) n.nq * sizeof *d->left);
  if (n.nv > 0) memcpy(d->left + n.nq, d->data->v, (size_t) n.nv * sizeof *d->left);
}


// store the state as the user set it, to compare it with the result
static void data_keep_written(pyData *d)
{
  const artCounts n = art_count(d->owner->model);
  double *written = d->left + n.nq + n.nv;
  if (n.nq > 0) memcpy(written, d->data->q, (size_t) n.nq * sizeof *written);
  if (n.nv > 0) memcpy(written + n.nq, d->data->v, (size_t) n.nv * sizeof *written);
  (void) art_normalise(d->owner->model, written);
}


static int is_overwritten(double left, double written, double now)
{
  return written != left && fabs(now - written) > AGREES * fmax(1, fabs(written));
}


// Reject a coordinate or velocity that the user has set and that has changed; restores the data as
// the user set it.
static artStatus data_check_written(pyData *d, artError *error)
{
  const artModel *m = d->owner->model;
  const artCounts n = art_count(m);
  const double *left = d->left, *written = left + n.nq + n.nv;
  for (int k = 0; k < n.nq + n.nv; k++) {
    const int is_position = k < n.nq, i = is_position ? k : k - n.nq;
    const double now = is_position ? d->data->q[i] : d->data->v[i];
    if (!is_overwritten(left[k], written[k], now)) continue;
    const char *name = is_position ? art_position_name(m, i) : art_velocity_name(m, i);
    if (n.nq > 0) memcpy(d->data->q, written, (size_t) n.nq * sizeof *written);
    if (n.nv > 0) memcpy(d->data->v, written + n.nq, (size_t) n.nv * sizeof *written);
    return base_fail(
        error, ART_BAD_INPUT, (artPlace){0},
        "%s[%d], '%s', was written as %.9g, and loops or drives make it %.9g: it depends on other "
        "coordinates; write these, or use data.set({'%s': %.9g}), which moves the others, or "
        "data.assemble() to close the loops near what was written",
        is_position ? "q" : "v", i, name, written[k], now, name, written[k]);
  }
  return ART_OK;
}


// Update the data to its time, where drives move coordinates. Values that the user has set and that
// have not changed still count as set.
static artStatus data_bring(pyData *d, artError *error)
{
  const artCounts n = art_count(d->owner->model);
  data_keep_written(d);
  art_update(d->owner->model, d->data);
  const artStatus status = data_check_written(d, error);
  const double *written = d->left + n.nq + n.nv;
  for (int k = 0; k < n.nq + n.nv && !status; k++) {
    const double now = k < n.nq ? d->data->q[k] : d->data->v[k - n.nq];
    if (now != written[k]) d->left[k] = now;
  }
  return status;
}


//---- creation ------------------------------------------------------------------------------------

static PyObject *data_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
  PyObject *model;
  (void) keywords;
  if (!PyArg_ParseTuple(args, "O", &model) || !py_is_model(model)) return NULL;
  pyData *d = (pyData *) PyType_GenericAlloc(type, 0);
  if (!d) return NULL;
  Py_INCREF(model);
  d->owner = (pyModel *) model;
  d->data = art_create_data(d->owner->model);
  const artCounts n = art_count(d->owner->model);
  d->left = d->data ? calloc(2 * ((size_t) n.nq + (size_t) n.nv) + 1, sizeof *d->left) : NULL;
  if (d->left) data_leave(d);
  if (d->left) return (PyObject *) d;
  Py_DECREF(d);
  return PyErr_NoMemory();
}


static void data_dealloc(PyObject *self)
{
  pyData *d = (pyData *) self;
  PyTypeObject *type = Py_TYPE(self);
  art_free_data(d->data);
  free(d->left);
  Py_XDECREF((PyObject *) d->owner);
  PyObject_Free(self);
  Py_DECREF(type);
}


static PyObject *data_reset(PyObject *self, PyObject *args)
{
  (void) args;
  pyData *d = (pyData *) self;
  BEGIN(d);
  art_reset(d->owner->model, d->data);
  data_leave(d);
  END(d);
  Py_RETURN_NONE;
}


static PyObject *data_copy_from(PyObject *self, PyObject *args)
{
  pyData *d = (pyData *) self, *from;
  artError error = {0};
  if (!PyArg_ParseTuple(args, "O!", py_types.data, (PyObject **) &from)) return NULL;
  if (from->owner != d->owner) {
    PyErr_SetString(PyExc_ValueError, "both must be data of the same model object");
    return NULL;
  }
  if (from == d) Py_RETURN_NONE;
  if (!py_begin(&from->is_busy, from->owner)) return NULL;
  if (!py_begin(&d->is_busy, d->owner)) {
    py_end(&from->is_busy, from->owner);
    return NULL;
  }
  artStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = art_copy_data(d->owner->model, d->data, from->data, &error);
  const artCounts n = art_count(d->owner->model);
  memcpy(d->left, from->left, ((size_t) n.nq + (size_t) n.nv) * sizeof *d->left);
  Py_END_ALLOW_THREADS;
  py_end(&d->is_busy, d->owner);
  py_end(&from->is_busy, from->owner);
  if (status) return py_raise(&error, d->owner);
  Py_RETURN_NONE;
}


//---- state ---------------------------------------------------------------------------------------

static PyObject *data_view(PyObject *self, PyObject *args)
{
  pyData *d = (pyData *) self;
  const char *name;
  if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
  const artCounts n = art_count(d->owner->model);
  const artData *x = d->data;
  const struct {
    const char *name;
    double *numbers;
    int n, is_readonly;
  } views[] = {{"q", x->q, n.nq, 0},     {"v", x->v, n.nv, 0},
               {"a", x->a, n.nv, 1},     {"force", x->force, n.nv, 1},
               {"s", x->s, n.states, 0}, {"s_rate", x->s_rate, n.states, 1},
               {"u", x->u, n.inputs, 1}};
  for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
    if (strcmp(name, views[i].name) == 0) {
      return py_view(self, views[i].numbers, views[i].n, -1, views[i].is_readonly);
    }
  }
  PyErr_Format(PyExc_ValueError, "data has no '%s'", name);
  return NULL;
}


static PyObject *data_time(PyObject *self, void *closure)
{
  (void) closure;
  return PyFloat_FromDouble(((pyData *) self)->data->time);
}


static int data_set_time(PyObject *self, PyObject *value, void *closure)
{
  (void) closure;
  const double time = value ? PyFloat_AsDouble(value) : 0;
  if (!value) PyErr_SetString(PyExc_AttributeError, "time cannot be deleted");
  if (PyErr_Occurred()) return -1;
  ((pyData *) self)->data->time = time;
  return 0;
}


static PyObject *data_set_input(PyObject *self, PyObject *args)
{
  pyData *d = (pyData *) self;
  int input;
  double value;
  artError error = {0};
  if (!PyArg_ParseTuple(args, "id", &input, &value)) return NULL;
  if (input < 0 || input >= art_count(d->owner->model).inputs) {
    PyErr_SetString(PyExc_IndexError, "the model has no input of this number");
    return NULL;
  }
  if (!py_begin(&d->is_busy, d->owner)) return NULL;
  const artStatus status = art_set_input(d->owner->model, d->data, input, value, &error);
  py_end(&d->is_busy, d->owner);
  if (status) return py_raise(&error, d->owner);
  Py_RETURN_NONE;
}


//---- dynamics ------------------------------------------------------------------------------------

static artStatus accelerate(pyData *d, artMethod method, artBackend backend, artError *error)
{
  const artModel *m = d->owner->model;
  data_keep_written(d);
  art_update(m, d->data);
  const artStatus status = backend == ART_BACKEND_GENERATED
                               ? art_accelerate_generated(m, d->data, error)
                               : art_accelerate(m, d->data, method, error);
  if (!status && data_check_written(d, error)) return ART_BAD_INPUT;
  if (!status) data_leave(d);
  return status;
}


static PyObject *data_update(PyObject *self, PyObject *args)
{
  (void) args;
  pyData *d = (pyData *) self;
  artError error = {0};
  artStatus status;
  BEGIN(d);
  status = data_bring(d, &error);
  END(d);
  if (status) return py_raise(&error, d->owner);
  Py_RETURN_NONE;
}


static PyObject *data_accelerate(PyObject *self, PyObject *args)
{
  pyData *d = (pyData *) self;
  const char *name = "automatic";
  artMethod method;
  artBackend backend;
  artStatus status;
  artError error = {0};
  if (!PyArg_ParseTuple(args, "|s", &name)) return NULL;
  if (!py_find_method(name, &method, &backend)) return NULL;
  BEGIN(d);
  status = accelerate(d, method, backend, &error);
  END(d);
  if (status) return py_raise(&error, d->owner);
  Py_RETURN_NONE;
}


static PyObject *data_outputs(PyObject *self, PyObject *args)
{
  pyData *d = (pyData *) self;
  PyObject *out;
  const char *name = "automatic";
  artMethod method;
  artBackend backend;
  artStatus status;
  artError error = {0};
  Py_buffer buffer;
  if (!PyArg_ParseTuple(args, "O|s", &out, &name)) return NULL;
  if (!py_find_method(name, &method, &backend)) return NULL;
  double *values = py_numbers(&buffer, out, "out", art_count(d->owner->model).outputs, 1);
  if (!values) return NULL;
  if (!py_begin(&d->is_busy, d->owner)) {
    PyBuffer_Release(&buffer);
    return NULL;
  }
  Py_BEGIN_ALLOW_THREADS;
  status = accelerate(d, method, backend, &error);
  if (!status) art_outputs(d->owner->model, d->data, values);
  END(d);
  PyBuffer_Release(&buffer);
  if (status) return py_raise(&error, d->owner);
  Py_RETURN_NONE;
}


// A query with an array of results: tell(in, out).
typedef struct question {
  const char *in, *out; // names in messages; in may be NULL
  Py_ssize_t nin, nout;
  artStatus (*answer)(const artModel *m, artData *d, const double *in, double *out,
                      artError *error);
} question;


static PyObject *ask(PyObject *self, PyObject *args, const question *asked)
{
  pyData *d = (pyData *) self;
  PyObject *in = Py_None, *out;
  Py_buffer given = {0}, wanted = {0};
  artError error = {0};
  if (!PyArg_ParseTuple(args, asked->in ? "OO" : "O", asked->in ? &in : &out, &out)) return NULL;
  const double *from = NULL;
  if (in != Py_None && !(from = py_numbers(&given, in, asked->in, asked->nin, 0))) return NULL;
  double *to = py_numbers(&wanted, out, asked->out, asked->nout, 1);
  artStatus status = ART_OK;
  if (to && py_begin(&d->is_busy, d->owner)) {
    Py_BEGIN_ALLOW_THREADS;
    status = data_bring(d, &error);
    if (!status) status = asked->answer(d->owner->model, d->data, from, to, &error);
    END(d);
  }
  if (to) PyBuffer_Release(&wanted);
  if (from) PyBuffer_Release(&given);
  if (status) return py_raise(&error, d->owner);
  if (PyErr_Occurred()) return NULL;
  Py_RETURN_NONE;
}


static artStatus answer_mass(const artModel *m, artData *d, const double *in, double *out,
                             artError *error)
{
  (void) in;
  (void) error;
  art_mass_matrix(m, d, out);
  return ART_OK;
}


static artStatus answer_inverse(const artModel *m, artData *d, const double *in, double *out,
                                artError *error)
{
  (void) error;
  art_inverse_dynamics(m, d, in, out);
  return ART_OK;
}


static artStatus answer_forward(const artModel *m, artData *d, const double *in, double *out,
                                artError *error)
{
  return art_forward_dynamics(m, d, in, out, error);
}


static artStatus answer_rates(const artModel *m, artData *d, const double *in, double *out,
                              artError *error)
{
  (void) in;
  (void) error;
  art_position_rates(m, d, out);
  return ART_OK;
}


static PyObject *data_mass_matrix(PyObject *self, PyObject *args)
{
  const Py_ssize_t nv = art_count(((pyData *) self)->owner->model).nv;
  return ask(self, args, &(question){NULL, "out", 0, nv * nv, answer_mass});
}


static PyObject *data_inverse_dynamics(PyObject *self, PyObject *args)
{
  const Py_ssize_t nv = art_count(((pyData *) self)->owner->model).nv;
  return ask(self, args, &(question){"a", "out", nv, nv, answer_inverse});
}


static PyObject *data_forward_dynamics(PyObject *self, PyObject *args)
{
  const Py_ssize_t nv = art_count(((pyData *) self)->owner->model).nv;
  if (PyTuple_Size(args) > 0 && PyTuple_GetItem(args, 0) == Py_None) {
    PyErr_SetString(PyExc_TypeError, "tau must be an array of joint forces, one for each velocity");
    return NULL;
  }
  return ask(self, args, &(question){"tau", "out", nv, nv, answer_forward});
}


static PyObject *data_position_rates(PyObject *self, PyObject *args)
{
  const Py_ssize_t nq = art_count(((pyData *) self)->owner->model).nq;
  return ask(self, args, &(question){NULL, "out", 0, nq, answer_rates});
}


static PyObject *data_energy(PyObject *self, PyObject *args)
{
  (void) args;
  pyData *d = (pyData *) self;
  artEnergy e = {0};
  artStatus status;
  artError error = {0};
  BEGIN(d);
  // power and potentials of elements are computed with the accelerations
  status = accelerate(d, ART_AUTOMATIC, ART_BACKEND_NUMERIC, &error);
  if (!status) e = art_energy(d->owner->model, d->data);
  END(d);
  if (status) return py_raise(&error, d->owner);
  return Py_BuildValue("(ddd)", e.kinetic, e.potential, e.power);
}


static PyObject *data_momentum(PyObject *self, PyObject *args)
{
  (void) args;
  pyData *d = (pyData *) self;
  double p[3], l[3];
  artError error = {0};
  artStatus status;
  BEGIN(d);
  status = data_bring(d, &error);
  if (!status) art_momentum(d->owner->model, d->data, p, l);
  END(d);
  if (status) return py_raise(&error, d->owner);
  return Py_BuildValue("((ddd)(ddd))", p[0], p[1], p[2], l[0], l[1], l[2]);
}


//---- frames --------------------------------------------------------------------------------------

// the index of a frame by its name, or -1 with an exception
static int find_frame(pyData *d, const char *name)
{
  const int frame = art_find_frame(d->owner->model, name);
  if (frame < 0) {
    PyErr_Format(PyExc_KeyError, "the model has no frame '%s'; write body.frame, body or ground",
                 name);
  }
  return frame;
}


static PyObject *data_frame(PyObject *self, PyObject *args)
{
  pyData *d = (pyData *) self;
  const char *name;
  double p[3], e[4], v[3], w[3];
  if (!PyArg_ParseTuple(args, "s", &name)) return NULL;
  const int frame = find_frame(d, name);
  if (frame < 0) return NULL;
  artError error = {0};
  artStatus status;
  BEGIN(d);
  const artModel *m = d->owner->model;
  status = data_bring(d, &error);
  if (!status) {
    art_frame_position(m, d->data, frame, p);
    art_frame_rotation(m, d->data, frame, e);
    art_frame_velocity(m, d->data, frame, v, w);
  }
  END(d);
  if (status) return py_raise(&error, d->owner);
  return Py_BuildValue("((ddd)(dddd)(ddd)(ddd))", p[0], p[1], p[2], e[0], e[1], e[2], e[3], v[0],
                       v[1], v[2], w[0], w[1], w[2]);
}


static PyObject *data_jacobian(PyObject *self, PyObject *args)
{
  pyData *d = (pyData *) self;
  const char *name;
  PyObject *out;
  Py_buffer buffer;
  artError error = {0};
  artStatus status;
  if (!PyArg_ParseTuple(args, "sO", &name, &out)) return NULL;
  const int frame = find_frame(d, name);
  if (frame < 0) return NULL;
  double *J = py_numbers(&buffer, out, "out", 6 * (Py_ssize_t) art_count(d->owner->model).nv, 1);
  if (!J) return NULL;
  if (!py_begin(&d->is_busy, d->owner)) {
    PyBuffer_Release(&buffer);
    return NULL;
  }
  Py_BEGIN_ALLOW_THREADS;
  status = data_bring(d, &error);
  if (!status) art_frame_jacobian(d->owner->model, d->data, frame, J);
  END(d);
  PyBuffer_Release(&buffer);
  if (status) return py_raise(&error, d->owner);
  Py_RETURN_NONE;
}


//---- assembly ------------------------------------------------------------------------------------

static PyObject *data_assemble(PyObject *self, PyObject *args)
{
  (void) args;
  pyData *d = (pyData *) self;
  artAssembly r = {0};
  artStatus status;
  artError error = {0};
  BEGIN(d);
  art_update(d->owner->model, d->data);
  status = art_assemble(d->owner->model, d->data, &r, &error);
  if (!status) data_leave(d);
  END(d);
  if (status) return py_raise(&error, d->owner);
  return Py_BuildValue("{s:i,s:d,s:d,s:d,s:d,s:d,s:i,s:i,s:i,s:i}", "iterations", r.iterations,
                       "gap_before", r.gap_before, "gap", r.gap, "rate_gap_before",
                       r.rate_gap_before, "rate_gap", r.rate_gap, "moved", r.moved, "rows", r.rows,
                       "rank", r.rank, "redundant", r.redundant, "degrees_of_freedom", r.dof);
}


// (values): coordinates and velocities by name, which are fixed while loops are closed
static PyObject *data_set(PyObject *self, PyObject *args)
{
  pyData *d = (pyData *) self;
  PyObject *values;
  artSetting *setting = NULL;
  artError error = {0};
  artStatus status;
  if (!PyArg_ParseTuple(args, "O!", &PyDict_Type, &values)) return NULL;
  const int n = py_read_settings(values, &setting);
  if (n < 0) return NULL;
  if (!py_begin(&d->is_busy, d->owner)) {
    free(setting);
    return NULL;
  }
  Py_BEGIN_ALLOW_THREADS;
  status = art_assemble_with(d->owner->model, d->data, n, setting, NULL, &error);
  if (!status) data_leave(d);
  END(d);
  free(setting);
  if (status) return py_raise(&error, d->owner);
  Py_RETURN_NONE;
}


//---- the type ------------------------------------------------------------------------------------

static PyMethodDef methods[] = {
    {"reset", data_reset, METH_NOARGS, "Back to the initial state at time 0."},
    {"copy_from", data_copy_from, METH_VARARGS,
     "Copy all that matters from data of the same model."},
    {"view", data_view, METH_VARARGS,
     "The numbers q, v, a, force, s, s_rate or u, without a copy."},
    {"set_input", data_set_input, METH_VARARGS, "Set an input by its number."},
    {"update", data_update, METH_NOARGS, "Bring what depends on time, q and v up to date."},
    {"accelerate", data_accelerate, METH_VARARGS, "Accelerations a under all forces and drives."},
    {"outputs", data_outputs, METH_VARARGS, "All outputs of the model into an array."},
    {"mass_matrix", data_mass_matrix, METH_VARARGS, "M(q) of the bare tree into an array."},
    {"inverse_dynamics", data_inverse_dynamics, METH_VARARGS,
     "Joint forces of the bare tree for accelerations: tau = M a + h."},
    {"forward_dynamics", data_forward_dynamics, METH_VARARGS,
     "Accelerations of the bare tree for joint forces: a = M^-1 (tau - h)."},
    {"position_rates", data_position_rates, METH_VARARGS, "dq/dt that belongs to v."},
    {"energy", data_energy, METH_NOARGS,
     "Kinetic and potential energy, and the power of the rest."},
    {"momentum", data_momentum, METH_NOARGS, "Linear momentum, and angular about ground's origin."},
    {"frame", data_frame, METH_VARARGS, "Position, quaternion, velocity, angular velocity."},
    {"jacobian", data_jacobian, METH_VARARGS, "6 x nv: angular velocity, then velocity."},
    {"assemble", data_assemble, METH_NOARGS, "Close the loops."},
    {"set", data_set, METH_VARARGS, "Close the loops from values by name, which stay."},
    {0},
};

static PyGetSetDef properties[] = {
    {"time", data_time, data_set_time, "s", NULL},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "The state of a machine and its dynamics."},
    {Py_tp_new, data_new},
    {Py_tp_dealloc, data_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0},
};

PyType_Spec py_data_spec = {
    .name = "articula._articula.Data",
    .basicsize = sizeof(pyData),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
