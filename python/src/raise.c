// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Errors of the library as exceptions.
#include "module.h"


// the exception of a callback replaces the library's error
static int restore(pyModel *m)
{
  if (!m || !m->raised[0]) return 0;
  PyErr_Restore(m->raised[0], m->raised[1], m->raised[2]);
  for (int i = 0; i < 3; i++) m->raised[i] = NULL;
  return 1;
}


PyObject *py_raise(const artError *error, pyModel *model)
{
  if (restore(model) || PyErr_Occurred()) return NULL;
  if (error->status == ART_NO_MEMORY) {
    PyErr_SetString(PyExc_MemoryError, error->text);
    return NULL;
  }
  PyObject *errors = PyImport_ImportModule("articula.errors");
  PyObject *exception =
      errors ? PyObject_CallMethod(errors, "make", "is", (int) error->status, error->text) : NULL;
  if (exception) PyErr_SetObject((PyObject *) Py_TYPE(exception), exception);
  Py_XDECREF(exception);
  Py_XDECREF(errors);
  return NULL;
}
