// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pages of the viewer.
#include "show/page.h"
#include "studies.h"


PyObject *study_page(PyObject *self, PyObject *args)
{
  PyObject *page, *folder;
  artStatus status;
  artError error = {0};
  (void) self;
  if (!PyArg_ParseTuple(args, "O&O&", PyUnicode_FSConverter, &page, PyUnicode_FSConverter,
                        &folder)) {
    return NULL;
  }
  const char *path = PyBytes_AsString(page), *result = PyBytes_AsString(folder);
  const char *const no_joints = NULL; // results have none
  Py_BEGIN_ALLOW_THREADS;
  status = page_write(path, 1, &result, &no_joints, &error);
  Py_END_ALLOW_THREADS;
  Py_DECREF(page);
  Py_DECREF(folder);
  if (status) return py_raise(&error, NULL);
  Py_RETURN_NONE;
}
