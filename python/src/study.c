// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The study of a call: the one of the model file, with keys replaced by the options of the call.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/unit.h"
#include "model/define/study_def.h"
#include "model/methods.h"
#include "module.h"


//---- names ---------------------------------------------------------------------------------------

// The index of a name, or -1 with an exception.
static int find_word(const char *what, const char *(*word)(int k), const char *name)
{
  baseNearest nearest = {.word = name, .context = what};
  for (int k = 0; word(k); k++) {
    if (strcmp(word(k), name) == 0) return k;
    base_consider(&nearest, word(k));
  }
  artError error = {0};
  char hint[BASE_HINT_LENGTH];
  base_fail(&error, ART_BAD_INPUT, base_nowhere(), "there is no %s '%.60s'%s", what, name,
            base_hint(&nearest, hint));
  py_raise(&error, NULL);
  return -1;
}


int py_find_method(const char *name, artMethod *method, artBackend *backend)
{
  const int way = find_word("method", method_word, name);
  if (way >= 0) model_split_way(way, method, backend);
  return way >= 0;
}


// Methods that are applicable to a machine, in the order in which they are compared.
PyObject *py_list_methods(PyObject *self, PyObject *model)
{
  (void) self;
  if (!py_is_model(model)) return NULL;
  const artCounts n = art_count(((pyModel *) model)->model);
  const int machine = n.loops > 0 || n.latches > 0 ? METHOD_LOOPS : METHOD_TREES;
  PyObject *list = PyList_New(0);
  for (int k = 1; list && k < MODEL_WAYS; k++) {
    const int way = model_way_at(k);
    if (!model_method_has(way, machine)) continue;
    PyObject *word = PyUnicode_FromString(model_way_name(way));
    if (!word || PyList_Append(list, word)) Py_CLEAR(list);
    Py_XDECREF(word);
  }
  return list;
}


//---- options -------------------------------------------------------------------------------------

// Keys that are also options of the command: they replace those of the study directly, before all
// others.
typedef struct directKey {
  const char *name;
  const char *(*word)(int k); // names of the choices; NULL: a number
  baseDimension dimension;
} directKey;

static const directKey direct_keys[] = {
    {"from", NULL, {.s = 1}},
    {"until", NULL, {.s = 1}},
    {"interval", NULL, {.s = 1}},
    {"step", NULL, {.s = 1}},
    {"tolerance", NULL, {.s = 0}},
    {"speed", NULL, {.m = 1, .s = -1}},
    {"method", method_word, {.s = 0}},
    {"integrator", integrator_word, {.s = 0}},
    {"algebra", algebra_word, {.s = 0}},
};


static const directKey *find_direct(const char *name)
{
  for (size_t i = 0; i < sizeof direct_keys / sizeof *direct_keys; i++) {
    if (strcmp(name, direct_keys[i].name) == 0) return &direct_keys[i];
  }
  return NULL;
}


// a number, or a string with a unit: 0.01, "10 ms"
static artStatus take_number(double *field, PyObject *value, baseDimension dimension,
                             artError *error)
{
  if (PyUnicode_Check(value)) {
    const char *text = py_text(value);
    if (!text) return ART_BAD_INPUT;
    return unit_parse_quantity(field, NULL, text, base_nowhere(), dimension, error);
  }
  const double number = PyFloat_AsDouble(value);
  if (PyErr_Occurred()) return ART_BAD_INPUT;
  *field = number;
  return ART_OK;
}


// any other key, as in a model file
static artStatus take_key(artStudyDef *study, const char *key, PyObject *value, artError *error)
{
  const char *text = NULL;
  char number[64];
  if (PyBool_Check(value)) text = value == Py_True ? "true" : "false";
  if (PyUnicode_Check(value)) text = py_text(value);
  if (!text && !PyErr_Occurred()) {
    format_text(number, sizeof number, "%.17g", PyFloat_AsDouble(value));
    text = number;
  }
  return PyErr_Occurred() ? ART_BAD_INPUT : art_set_study(study, key, text, error);
}


static artStatus take_word(artStudyDef *study, const directKey *key, int *field, PyObject *value)
{
  const char *name = py_text(value);
  const int k = name ? find_word(key->name, key->word, name) : -1;
  if (k < 0) return ART_BAD_INPUT;
  *field = k;
  if (key->word == method_word) {
    model_split_way(k, (artMethod *) field, model_study_field(study, "backend"));
  }
  return ART_OK;
}


static artStatus take_direct(artStudyDef *study, const directKey *key, PyObject *value,
                             artError *error)
{
  void *field = model_study_field(study, key->name);
  if (!field) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "a study of type %s has no key '%s'",
                     art_study_type_name(study->type), key->name);
  }
  return key->word ? take_word(study, key, field, value)
                   : take_number(field, value, key->dimension, error);
}


static artStatus take_options(artStudyDef *study, PyObject *options, int is_direct, artError *error)
{
  PyObject *key, *value;
  artStatus status = ART_OK;
  for (Py_ssize_t at = 0; !status && PyDict_Next(options, &at, &key, &value);) {
    const char *name = PyUnicode_Check(key) ? py_text(key) : NULL;
    if (!name && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "keys of studies are strings");
    if (!name) return ART_BAD_INPUT;
    const directKey *direct = find_direct(name);
    if (is_direct && direct) status = take_direct(study, direct, value, error);
    if (!is_direct && !direct) status = take_key(study, name, value, error);
  }
  return status;
}


// options of the equilibrium imply at_equilibrium
static void mean_start(artStudyDef *study, PyObject *options)
{
  int *flag = model_study_field(study, "at_equilibrium");
  if (!flag || PyDict_GetItemString(options, "at_equilibrium")) return;
  if (PyDict_GetItemString(options, "nearest") || PyDict_GetItemString(options, "speed")) *flag = 1;
}


//---- checks --------------------------------------------------------------------------------------

static const double MAX_ROWS = 1e9;


static artStatus check_run(const artRunDef *run, PyObject *options, artError *error)
{
  if (art_method_is_natural(run->method) && PyDict_GetItemString(options, "integrator")) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "method %s brings its own rule of integration and takes no integrator; leave "
                     "integrator out",
                     art_method_name(run->method));
  }
  if (art_integrator_is_fixed(run->integrator) && run->step == 0 &&
      !art_method_is_natural(run->method)) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "%s takes fixed steps: give one, for example step=1e-3",
                     art_integrator_name(run->integrator));
  }
  if (run->interval > 0 && (run->until - run->from) / run->interval > MAX_ROWS) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "an interval of %.6g s makes more than %.0e rows", run->interval, MAX_ROWS);
  }
  return model_check_study(ART_RUN, run, error);
}


static artStatus check(const artStudyDef *study, PyObject *options, artError *error)
{
  if (study->type == ART_RUN) return check_run(&study->run, options, error);
  return model_check_study(study->type, &study->run, error);
}


//---- choice --------------------------------------------------------------------------------------

static artStatus find(const artModel *m, artStudyType type, const char *name, artStudyDef *study,
                      artError *error)
{
  const artStudyDef *found = art_find_study(m, type, name);
  if (!found && name) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "the model has no study '%.60s' of type %s", name, art_study_type_name(type));
  }
  if (found && found->type != type) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(), "study '%s' is of type %s, not %s",
                     found->name, art_study_type_name(found->type), art_study_type_name(type));
  }
  *study = found ? *found : art_default_study(type);
  return ART_OK;
}


int py_choose_study(pyModel *m, artStudyType type, PyObject *name, PyObject *options,
                    artStudyDef *study)
{
  artError error = {0};
  const char *word = name == Py_None ? NULL : py_text(name);
  if (!word && name != Py_None) return 0;
  artStatus status = find(m->model, type, word, study, &error);
  if (!status) status = take_options(study, options, 1, &error);
  if (!status) status = take_options(study, options, 0, &error);
  if (!status) mean_start(study, options);
  if (!status) status = check(study, options, &error);
  if (status && !PyErr_Occurred()) py_raise(&error, m);
  return !status;
}
