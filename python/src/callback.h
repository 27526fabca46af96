// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions in Python that a model calls.
#ifndef PYTHON_CALLBACK_H
#define PYTHON_CALLBACK_H

#include "module.h"

// A method of models: (kind, name, function), kind "function", "force" or "input".
PyObject *callback_attach(PyObject *self, PyObject *args);

// (path): functions of a shared object
PyObject *callback_attach_library(PyObject *self, PyObject *args);

#endif
