// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Python functions that a model calls.
#ifndef PYTHON_CALLBACK_H
#define PYTHON_CALLBACK_H

#include "module.h"

// Method of models: (kind, name, function) with kind "function", "force" or "input".
PyObject *callback_attach(PyObject *self, PyObject *args);

// (path): attach functions of a shared object
PyObject *callback_attach_library(PyObject *self, PyObject *args);

#endif
