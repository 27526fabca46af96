// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of the module that carry out whole studies.
#ifndef PYTHON_STUDIES_H
#define PYTHON_STUDIES_H

#include "module.h"

// arguments: (data, study, options)
PyObject *study_equil(PyObject *self, PyObject *args);
PyObject *study_linear(PyObject *self, PyObject *args);
PyObject *study_response(PyObject *self, PyObject *args);
PyObject *study_kinematics(PyObject *self, PyObject *args);

// (data, study, options, t, tau)
PyObject *study_inverse(PyObject *self, PyObject *args);

// (model, path, study, options, parameters, values, results, threads, progress, settings, libraries)
PyObject *study_sweep(PyObject *self, PyObject *args);

// (path, result): a viewer page that contains a result
PyObject *study_page(PyObject *self, PyObject *args);

#endif
