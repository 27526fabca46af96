// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Pages of the viewer.
#include "show/page.h"
#include "studies.h"


PyObject *study_page(PyObject *self, PyObject *args)
{
  const char *path, *result;
  artStatus status;
  artError error = {0};
  (void) self;
  if (!PyArg_ParseTuple(args, "ss", &path, &result)) return NULL;
  Py_BEGIN_ALLOW_THREADS;
  status = page_write(path, 1, &result, &error);
  Py_END_ALLOW_THREADS;
  if (status) return py_raise(&error, NULL);
  Py_RETURN_NONE;
}
