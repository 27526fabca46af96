// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Inside of the extension module _articula: its types, and what they share.
//
// The module is written on the limited interface of CPython, so that one binary serves all versions from 3.11 on.
// Objects here own the library's objects and keep alive what these need: a data block its model, a run its data block.
// Every computation releases the interpreter's lock. Meanwhile the object is marked as busy, under the lock: a second
// thread that asks for it gets an exception.
#ifndef PYTHON_MODULE_H
#define PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "articula/articula.h"

//---- exceptions ----------------------------------------------------------------------------------

// Raise what an error of the library becomes (articula/errors.py makes it); NULL. An exception that a callback
// left in the model comes first.
struct pyModel;
PyObject *py_raise(const artError *error, struct pyModel *model);

//---- texts ---------------------------------------------------------------------------------------

// The text of a str in UTF-8, which belongs to it; NULL with ValueError where a zero character would cut it off.
const char *py_text(PyObject *object);

//---- models --------------------------------------------------------------------------------------

// A callback of the user, in a list of its model.
typedef struct pyCallback {
  struct pyCallback *next;
  struct pyModel *owner;
  PyObject *function;
  int ninput, noutput; // of functions that model files name
} pyCallback;

typedef struct pyModel {
  PyObject ob_base;
  artModel *model;
  int working;           // threads that compute with the model; it does not change meanwhile
  pyCallback *callbacks; // attached functions
  PyObject *raised[3];   // by a callback: type, value, traceback; NULL: none
} pyModel;

extern PyType_Spec py_model_spec, py_data_spec, py_view_spec, py_run_spec, py_sim_spec,
    py_batch_spec, py_instances_spec;
typedef struct pyTypes {
  PyTypeObject *model, *data, *view, *run, *sim, *batch, *instances;
} pyTypes;
extern pyTypes py_types;

// Is the object a model, or else raise TypeError?
int py_is_model(PyObject *object);

// The settings of a dict from names to numbers, to be freed; their number, or -1 and nothing. The names belong to the dict.
int py_read_settings(PyObject *dict, artSetting **list);

// Values of signals, then of samplers, whether outputs show them or not. art_outputs must have been called.
int py_count_readings(const artModel *model);
void py_find_readings(artData *data, double *values);

//---- views ---------------------------------------------------------------------------------------

// Numbers of the library as an object with the buffer protocol and DLPack; the owner lives as long as any view.
// Rows lie one behind the other; columns < 0: one dimension.
PyObject *py_view(PyObject *owner, double *numbers, Py_ssize_t rows, Py_ssize_t columns,
                  int is_readonly);

// The same of a vector of a batch where it lies: instances side by side in rows, a vector of one row in one dimension.
PyObject *py_device_view(PyObject *owner, const artBatchView *view, int is_vector);

// The numbers of a capsule of DLPack in memory of that graphics processor: contiguous doubles of this shape. NULL with an exception that
// says what to do. They are there as long as the capsule.
const double *py_tensor_numbers(PyObject *capsule, const char *what, int ndim,
                                const Py_ssize_t *shape, int gpu);

// The numbers of any object with the buffer protocol: contiguous doubles, `n` of them. NULL with an exception that
// says what to do. Release with PyBuffer_Release.
double *py_numbers(Py_buffer *buffer, PyObject *object, const char *what, Py_ssize_t n,
                   int is_written);

//---- data blocks ---------------------------------------------------------------------------------

typedef struct pyData {
  PyObject ob_base;
  pyModel *owner;
  artData *data;
  double *
      left; // [nq + nv] positions and velocities as the library left them; twice, with room for those before a question
  int is_busy;
} pyData;

// Computations with an object: mark it and its model as busy, or raise because another thread has done so.
int py_begin(int *is_busy, pyModel *model);
void py_end(int *is_busy, pyModel *model);

//---- studies -------------------------------------------------------------------------------------

// A way to accelerations by its name in model files: a method, or "generated". 0 with an exception for other names.
int py_find_method(const char *name, artMethod *method, artBackend *backend);

// Names of the methods that suit a model.
PyObject *py_list_methods(PyObject *self, PyObject *model);

// The study of a type: the one of the file by its name, or the first, or the default, with the options of a dict in the place
// of its own. Texts of the options must outlive it.
int py_choose_study(pyModel *m, artStudyType type, PyObject *name, PyObject *options,
                    artStudyDef *study);

// Texts of a list, of which the array is to be freed; NULL with an exception, or without memory.
const char **py_read_names(PyObject *list, int *n);

//---- functions of the module ---------------------------------------------------------------------

extern PyMethodDef py_functions[];
PyMODINIT_FUNC PyInit__articula(void);

#endif
