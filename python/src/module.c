// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The extension module articula._articula: its types and functions.
#include <string.h>

#include "base/error.h"
#include "base/unit.h"
#include "module.h"
#include "studies.h"

pyTypes py_types;


const char *py_text(PyObject *object)
{
  Py_ssize_t n = 0;
  const char *text = PyUnicode_AsUTF8AndSize(object, &n);
  if (!text || strlen(text) == (size_t) n) return text;
  PyErr_SetString(PyExc_ValueError, "embedded null character");
  return NULL;
}


//---- functions -----------------------------------------------------------------------------------

static PyObject *version(PyObject *self, PyObject *args)
{
  (void) self;
  (void) args;
  return PyUnicode_FromString(art_version());
}


// "600 mm" is 0.6; if a unit ("m") is given, the quantity must have its dimension
static PyObject *quantity(PyObject *self, PyObject *args)
{
  const char *text, *name = NULL;
  artError error = {0};
  baseDimension expected = UNIT_ANY;
  baseUnit unit;
  double value;
  (void) self;
  if (!PyArg_ParseTuple(args, "s|z", &text, &name)) return NULL;
  artStatus status = ART_OK;
  if (name && name[0]) {
    status = unit_parse(&unit, name, base_nowhere(), &error);
    if (!status) expected = unit.dimension;
  }
  if (!status) status = unit_parse_quantity(&value, NULL, text, base_nowhere(), expected, &error);
  return status ? py_raise(&error, NULL) : PyFloat_FromDouble(value);
}


static void add_mistake(void *context, const artError *error)
{
  PyObject *item = Py_BuildValue("(is)", (int) error->status, error->text);
  if (item) (void) PyList_Append(context, item);
  Py_XDECREF(item);
}


static PyObject *mistakes(PyObject *self, PyObject *args)
{
  PyObject *path;
  (void) self;
  if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
  PyObject *list = PyList_New(0);
  if (list) (void) art_list_mistakes(PyBytes_AsString(path), 0, NULL, add_mistake, list);
  Py_DECREF(path);
  if (PyErr_Occurred()) Py_CLEAR(list);
  return list;
}


PyMethodDef py_functions[] = {
    {"version", version, METH_NOARGS, "The version of the library."},
    {"quantity", quantity, METH_VARARGS, "A quantity in SI units, from a string with a unit."},
    {"methods", py_list_methods, METH_O, "Names of the methods that suit a model."},
    {"equil", study_equil, METH_VARARGS, "Equilibrium, or steady motion, of data."},
    {"linear", study_linear, METH_VARARGS, "Linearisation about data."},
    {"response", study_response, METH_VARARGS, "Response to the road: table and peaks."},
    {"kinematics", study_kinematics, METH_VARARGS, "Wheels through their travel: a table."},
    {"inverse", study_inverse, METH_VARARGS, "Joint forces along the motion of a study."},
    {"sweep", study_sweep, METH_VARARGS, "A run for each of many cases."},
    {"page", study_page, METH_VARARGS, "Write a page of the viewer with a result inside."},
    {"mistakes", mistakes, METH_VARARGS, "All mistakes of a model file: (status, message) each."},
    {0},
};


//---- the module ----------------------------------------------------------------------------------

static int add_type(PyObject *module, PyType_Spec *spec, PyTypeObject **type)
{
  *type = (PyTypeObject *) PyType_FromSpec(spec);
  return *type ? PyModule_AddType(module, *type) : -1;
}


// Types are created once: a second import in the same process is an error.
static int execute(PyObject *module)
{
  if (py_types.model) {
    PyErr_SetString(PyExc_ImportError, "articula cannot be imported by several interpreters");
    return -1;
  }
  const struct {
    PyType_Spec *spec;
    PyTypeObject **type;
  } types[] = {{&py_view_spec, &py_types.view},
               {&py_model_spec, &py_types.model},
               {&py_data_spec, &py_types.data},
               {&py_run_spec, &py_types.run},
               {&py_sim_spec, &py_types.sim},
               {&py_batch_spec, &py_types.batch},
               {&py_instances_spec, &py_types.instances}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (add_type(module, types[i].spec, types[i].type)) return -1;
  }
  return 0;
}


PyMODINIT_FUNC PyInit__articula(void)
{
  static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0}};
  static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                   .m_name = "_articula",
                                   .m_doc = "The library inside of the package articula.",
                                   .m_methods = py_functions,
                                   .m_slots = slots};
  return PyModuleDef_Init(&definition);
}
