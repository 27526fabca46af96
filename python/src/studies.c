// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Studies other than runs: equilibrium, linearisation, response to the road, axle kinematics,
// inverse dynamics. Each starts from the state of a data block, and leaves it in the state defined
// by the library.
#include "studies.h"
#include "model/methods.h"
#include "module.h"
#include "study/study.h"


//---- results without a copy ----------------------------------------------------------------------

static void free_table(PyObject *capsule)
{
  art_free_table(PyCapsule_GetPointer(capsule, "articula.table"));
}


static void free_linear(PyObject *capsule)
{
  art_free_linear(PyCapsule_GetPointer(capsule, "articula.linear"));
}


static PyObject *words(int n, const char *const *word)
{
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < n; i++) {
    PyObject *text = PyUnicode_FromString(word[i]);
    if (!text || PyList_Append(list, text)) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  return list;
}


// (names, units, values); the values own the table
static PyObject *tell_table(artTable *t)
{
  PyObject *owner = PyCapsule_New(t, "articula.table", free_table);
  if (!owner) {
    art_free_table(t);
    return NULL;
  }
  PyObject *view = py_view(owner, t->value, t->rows, t->columns, 0);
  Py_DECREF(owner);
  if (!view) return NULL;
  PyObject *names = words(t->columns, t->name), *units = words(t->columns, t->unit);
  return Py_BuildValue("(NNN)", names, units, view);
}


//---- start ---------------------------------------------------------------------------------------

// (data, study, options) of a call
typedef struct studyCall {
  pyData *d;
  artStudyDef study;
} studyCall;


static int read_call(PyObject *args, artStudyType type, studyCall *call)
{
  PyObject *data, *name, *options;
  if (!PyArg_ParseTuple(args, "O!OO!", py_types.data, &data, &name, &PyDict_Type, &options)) {
    return 0;
  }
  call->d = (pyData *) data;
  return py_choose_study(call->d->owner, type, name, options, &call->study) &&
         py_begin(&call->d->is_busy, call->d->owner);
}


static PyObject *end_call(studyCall *call, artStatus status, const artError *error)
{
  py_end(&call->d->is_busy, call->d->owner);
  return status ? py_raise(error, call->d->owner) : Py_None;
}


static artStatus find_start(studyCall *call, const artStartDef *start, artEquilibrium *rest,
                            artTrim *trim, artError *error)
{
  art_update(call->d->owner->model, call->d->data);
  return art_find_start(call->d->owner->model, call->d->data, start, rest, trim, error);
}


//---- equilibrium ---------------------------------------------------------------------------------

PyObject *study_equil(PyObject *self, PyObject *args)
{
  studyCall call;
  artEquilibrium rest = {0};
  artTrim trim = {0};
  artStatus status;
  artError error = {0};
  (void) self;
  if (!read_call(args, ART_EQUIL, &call)) return NULL;
  Py_BEGIN_ALLOW_THREADS;
  status = find_start(&call, &call.study.equil.start, &rest, &trim, &error);
  Py_END_ALLOW_THREADS;
  if (!end_call(&call, status, &error)) return NULL;
  if (call.study.equil.start.speed != 0) {
    return Py_BuildValue("{s:i,s:d,s:d,s:d,s:d,s:d}", "iterations", trim.iterations, "residual",
                         trim.residual, "speed", call.study.equil.start.speed, "sideways",
                         trim.sideways, "yaw_rate", trim.yaw_rate, "gain", trim.gain);
  }
  const char *stability = rest.stable < 0 ? "unknown" : rest.stable ? "stable" : "unstable";
  return Py_BuildValue("{s:i,s:d,s:d,s:s,s:z,s:z}", "iterations", rest.iterations, "residual",
                       rest.residual, "moved", rest.moved, "stability", stability, "no_potential",
                       rest.no_potential, "neutral", rest.neutral);
}


//---- linearisation -------------------------------------------------------------------------------

// as in the command: at the equilibrium if requested, with loops closed
static artStatus linearise(studyCall *call, artLinear **linear, artError *error)
{
  const artModel *m = call->d->owner->model;
  artData *d = call->d->data;
  const artLinearDef *study = &call->study.linear;
  artStatus status = ART_OK;
  if (study->start.at_equilibrium) status = find_start(call, &study->start, NULL, NULL, error);
  if (status) return status;
  art_update(m, d);
  status = art_assemble(m, d, NULL, error);
  if (!status) {
    status = study->backend == ART_BACKEND_GENERATED ? art_accelerate_generated(m, d, error)
                                                     : art_accelerate(m, d, study->method, error);
  }
  if (status) return status;
  return study_linearise(m, d, model_join_way(study->method, study->backend), linear, NULL, error);
}


static int add(PyObject *dict, const char *name, PyObject *value)
{
  const int is_added = value && !PyDict_SetItemString(dict, name, value);
  Py_XDECREF(value);
  return is_added;
}


static PyObject *name_all(const artModel *m, int n, const int *coordinate)
{
  PyObject *list = PyList_New(0);
  for (int i = 0; list && i < n; i++) {
    PyObject *text = PyUnicode_FromString(art_velocity_name(m, coordinate[i]));
    if (!text || PyList_Append(list, text)) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  return list;
}


static PyObject *tell_linear(const artModel *m, artLinear *l)
{
  PyObject *owner = PyCapsule_New(l, "articula.linear", free_linear), *dict = PyDict_New();
  if (!owner) art_free_linear(l);
  const struct {
    const char *name;
    double *numbers;
    int rows, columns;
  } views[] = {{"M", l->M, l->n, l->n},
               {"C", l->C, l->n, l->n},
               {"K", l->K, l->n, l->n},
               {"A", l->A, l->order, l->order},
               {"B", l->B, l->order, l->ninput},
               {"Cy", l->Cy, l->noutput, l->order},
               {"Dy", l->Dy, l->noutput, l->ninput},
               {"real", l->real, l->order, -1},
               {"imaginary", l->imaginary, l->order, -1},
               {"frequency", l->frequency, l->order, -1},
               {"damping", l->damping, l->order, -1},
               {"mode_real", l->shape_real, l->order, l->nall},
               {"mode_imaginary", l->shape_imaginary, l->order, l->nall},
               {"share", l->shape_share, l->order, l->nall}};
  int is_told = owner && dict && add(dict, "coordinates", name_all(m, l->n, l->coordinate)) &&
                add(dict, "all_coordinates", name_all(m, l->nall, l->all));
  for (size_t i = 0; i < sizeof views / sizeof *views && is_told; i++) {
    is_told = add(dict, views[i].name,
                  py_view(owner, views[i].numbers, views[i].rows, views[i].columns, 0));
  }
  Py_XDECREF(owner);
  if (!is_told) Py_CLEAR(dict);
  return dict;
}


PyObject *study_linear(PyObject *self, PyObject *args)
{
  studyCall call;
  artLinear *linear = NULL;
  artStatus status;
  artError error = {0};
  (void) self;
  if (!read_call(args, ART_LINEAR, &call)) return NULL;
  Py_BEGIN_ALLOW_THREADS;
  status = linearise(&call, &linear, &error);
  Py_END_ALLOW_THREADS;
  if (!end_call(&call, status, &error)) return NULL;
  return tell_linear(call.d->owner->model, linear);
}


//---- tables --------------------------------------------------------------------------------------

PyObject *study_response(PyObject *self, PyObject *args)
{
  studyCall call;
  artTable *table = NULL, *peaks = NULL;
  artStatus status = ART_OK;
  artError error = {0};
  (void) self;
  if (!read_call(args, ART_RESPONSE, &call)) return NULL;
  Py_BEGIN_ALLOW_THREADS;
  const artResponseDef *study = &call.study.response;
  if (study->start.at_equilibrium) status = find_start(&call, &study->start, NULL, NULL, &error);
  art_update(call.d->owner->model, call.d->data);
  if (!status) {
    status = art_find_response(call.d->owner->model, call.d->data, study, &table, &peaks, &error);
  }
  Py_END_ALLOW_THREADS;
  if (!end_call(&call, status, &error)) return NULL;
  PyObject *first = tell_table(table), *second = tell_table(peaks);
  return Py_BuildValue("(NN)", first, second);
}


PyObject *study_kinematics(PyObject *self, PyObject *args)
{
  studyCall call;
  artTable *table = NULL;
  artStatus status;
  artError error = {0};
  (void) self;
  if (!read_call(args, ART_KINEMATICS, &call)) return NULL;
  Py_BEGIN_ALLOW_THREADS;
  art_update(call.d->owner->model, call.d->data);
  status = art_find_kinematics(call.d->owner->model, call.d->data, &call.study.kinematics, &table,
                               &error);
  Py_END_ALLOW_THREADS;
  return end_call(&call, status, &error) ? tell_table(table) : NULL;
}


//---- inverse dynamics ----------------------------------------------------------------------------

// inverse(data, study, options, t, tau): the study's motion at t, and the required joint forces
PyObject *study_inverse(PyObject *self, PyObject *args)
{
  PyObject *data, *name, *options, *out;
  double t;
  Py_buffer buffer;
  artStudyDef study;
  artStatus status;
  artError error = {0};
  (void) self;
  if (!PyArg_ParseTuple(args, "O!OO!dO", py_types.data, &data, &name, &PyDict_Type, &options, &t,
                        &out)) {
    return NULL;
  }
  pyData *d = (pyData *) data;
  if (!py_choose_study(d->owner, ART_INVERSE, name, options, &study)) return NULL;
  double *tau = py_numbers(&buffer, out, "out", art_count(d->owner->model).nv, 1);
  if (!tau) return NULL;
  if (!py_begin(&d->is_busy, d->owner)) {
    PyBuffer_Release(&buffer);
    return NULL;
  }
  // the definition within the model: its formulas belong to the model
  const char *word = name == Py_None ? NULL : PyUnicode_AsUTF8AndSize(name, NULL);
  const artStudyDef *found = art_find_study(d->owner->model, ART_INVERSE, word);
  const artInverseDef *own = found ? &found->inverse : NULL;
  Py_BEGIN_ALLOW_THREADS;
  art_update(d->owner->model, d->data);
  status = art_inverse_at(d->owner->model, d->data, own, t, tau, &error);
  Py_END_ALLOW_THREADS;
  py_end(&d->is_busy, d->owner);
  PyBuffer_Release(&buffer);
  if (status) return py_raise(&error, d->owner);
  Py_RETURN_NONE;
}
