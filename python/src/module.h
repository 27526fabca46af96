// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Private declarations of the extension module _articula: its types, and functions they share.
//
// The module uses the limited API of CPython, so one binary works with all versions from 3.11 on.
// Objects own the library's objects and references to those they need: a data block to its model, a
// run to its data block. Every computation releases the GIL. The object is then marked as busy,
// under the GIL: a second thread that uses it gets an exception.
#ifndef PYTHON_MODULE_H
#define PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "articula/articula.h"

//---- exceptions ----------------------------------------------------------------------------------

// Raise the exception for an error of the library (articula/errors.py creates it); returns NULL. An
// exception that a callback raised takes precedence.
struct pyModel;
PyObject *py_raise(const artError *error, struct pyModel *model);

//---- strings -------------------------------------------------------------------------------------

// The UTF-8 encoding of a str, which owns it; NULL with ValueError if it contains a zero character.
const char *py_text(PyObject *object);

//---- models --------------------------------------------------------------------------------------

// A Python callback, in a list of its model.
typedef struct pyCallback {
  struct pyCallback *next;
  struct pyModel *owner;
  PyObject *function;
  int ninput, noutput; // of functions named in model files
} pyCallback;

typedef struct pyModel {
  PyObject ob_base;
  artModel *model;
  int working; // number of threads that compute with the model, which must not change then
  pyCallback *callbacks; // attached functions
  PyObject *raised[3];   // exception of a callback: type, value, traceback; NULL: none
} pyModel;

extern PyType_Spec py_model_spec, py_data_spec, py_view_spec, py_run_spec, py_sim_spec,
    py_batch_spec, py_instances_spec;
typedef struct pyTypes {
  PyTypeObject *model, *data, *view, *run, *sim, *batch, *instances;
} pyTypes;
extern pyTypes py_types;

// 1 if the object is a model; otherwise raises TypeError.
int py_is_model(PyObject *object);

// Convert a dict from names to numbers into a list of settings, to be freed; returns their number,
// or -1 with an exception. The names belong to the dict.
int py_read_settings(PyObject *dict, artSetting **list);

// Values of all signals, then of samplers, even if they are not outputs. Call art_outputs before.
int py_count_readings(const artModel *model);
void py_find_readings(artData *data, double *values);

//---- views ---------------------------------------------------------------------------------------

// Numbers of the library as an object with the buffer protocol and DLPack; a view keeps a reference
// to the owner. Rows are contiguous; columns < 0: one-dimensional.
PyObject *py_view(PyObject *owner, double *numbers, Py_ssize_t rows, Py_ssize_t columns,
                  int is_readonly);

// The same for a vector of a batch in device memory: instances along rows; a vector with one row is
// one-dimensional.
PyObject *py_device_view(PyObject *owner, const artBatchView *view, int is_vector);

// The numbers of a DLPack capsule in memory of this GPU: contiguous doubles of this shape. NULL
// with an exception that gives advice. Valid as long as the capsule.
const double *py_tensor_numbers(PyObject *capsule, const char *what, int ndim,
                                const Py_ssize_t *shape, int gpu);

// The numbers of an object with the buffer protocol: `n` contiguous doubles. NULL with an exception
// that gives advice. Release with PyBuffer_Release.
double *py_numbers(Py_buffer *buffer, PyObject *object, const char *what, Py_ssize_t n,
                   int is_written);

//---- data blocks ---------------------------------------------------------------------------------

typedef struct pyData {
  PyObject ob_base;
  pyModel *owner;
  artData *data;
  // [nq + nv] positions and velocities as the library left them; followed by space for those before
  // a query
  double *left;
  int is_busy;
} pyData;

// Mark an object and its model as busy for a computation; raises an exception if another thread has
// done so.
int py_begin(int *is_busy, pyModel *model);
void py_end(int *is_busy, pyModel *model);

//---- studies -------------------------------------------------------------------------------------

// Method and back end by the name in model files: a method, or "generated". 0 with an exception for
// other names.
int py_find_method(const char *name, artMethod *method, artBackend *backend);

// Names of the methods that are applicable to a model.
PyObject *py_list_methods(PyObject *self, PyObject *model);

// Choose the study of a type: the named one of the file, or the first, or the default, changed by
// the options in a dict. The strings of the options must outlive it.
int py_choose_study(pyModel *m, artStudyType type, PyObject *name, PyObject *options,
                    artStudyDef *study);

// Strings of a list; free the array. NULL with an exception, or if memory runs out.
const char **py_read_names(PyObject *list, int *n);

//---- functions of the module ---------------------------------------------------------------------

extern PyMethodDef py_functions[];
PyMODINIT_FUNC PyInit__articula(void);

#endif
