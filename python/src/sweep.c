// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Sweeps: a run for each of many cases, in several threads.
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "studies.h"

static const double LOOK_INTERVAL = 0.05; // s, wall-clock time between checks for signals

typedef struct sweepJob {
  pyModel *owner;
  PyObject *name, *options, *progress;
  artSweepDef def;
  double *values;  // [ncase nresult]
  double *verdict; // [ncase] as artVerdict; NAN: not run
  char **text;     // [ncase] why it failed or is doubtful; NULL: good
  long done;
  pthread_t caller; // the thread that handles the interpreter's signals
  double last_look;
  atomic_int is_stopped;
} sweepJob;


//---- during the sweep ----------------------------------------------------------------------------

// Choose the study of a case's model, as for a run. Options are Python objects.
static artStatus choose(void *context, const artModel *model, artRunDef *study, artError *error)
{
  sweepJob *job = context;
  pyModel of_case = {.model = (artModel *) (uintptr_t) model};
  artStudyDef chosen;
  const PyGILState_STATE lock = PyGILState_Ensure();
  const int is_chosen = py_choose_study(&of_case, ART_RUN, job->name, job->options, &chosen);
  if (!is_chosen) PyErr_Clear();
  PyGILState_Release(lock);
  if (is_chosen) *study = chosen.run;
  return is_chosen ? ART_OK
                   : base_fail(error, ART_BAD_INPUT, base_nowhere(),
                               "the options do not suit the study of this case");
}


static artStatus done(void *context, const artCase *c, artError *error)
{
  sweepJob *job = context;
  const size_t n = (size_t) job->def.nresult, k = (size_t) c->number;
  const artJudgement judgement = art_judge(&c->certificate, &c->error);
  (void) error;
  for (size_t i = 0; i < n; i++) job->values[k * n + i] = c->value[i];
  job->verdict[k] = judgement.verdict;
  if (c->error.status) {
    job->text[k] = strdup(c->error.text);
  } else if (judgement.reasons > 0) {
    job->text[k] = strdup(judgement.reason[0]);
  }
  job->done++;
  return ART_OK;
}


static int is_stopped(void *context)
{
  sweepJob *job = context;
  if (!pthread_equal(pthread_self(), job->caller)) return job->is_stopped;
  const double now = base_now();
  if (now - job->last_look < LOOK_INTERVAL) return job->is_stopped;
  job->last_look = now;
  const PyGILState_STATE lock = PyGILState_Ensure();
  if (!PyErr_Occurred() && PyErr_CheckSignals() == 0 && job->progress != Py_None) {
    PyObject *answer =
        PyObject_CallFunction(job->progress, "dd", (double) job->done, (double) job->def.ncase);
    Py_XDECREF(answer);
  }
  if (PyErr_Occurred()) job->is_stopped = 1;
  PyGILState_Release(lock);
  return job->is_stopped;
}


//---- the call ------------------------------------------------------------------------------------

static void free_numbers(PyObject *capsule)
{
  free(PyCapsule_GetPointer(capsule, "articula.numbers"));
}


// numbers from malloc, owned by the view from now on
static PyObject *give(double *numbers, long rows, int columns)
{
  PyObject *owner = PyCapsule_New(numbers, "articula.numbers", free_numbers);
  if (!owner) return NULL;
  PyObject *view = py_view(owner, numbers, rows, columns, 0);
  Py_DECREF(owner);
  return view;
}


static PyObject *tell_texts(const sweepJob *job)
{
  PyObject *list = PyList_New(0);
  for (long i = 0; list && i < job->def.ncase; i++) {
    PyObject *text = Py_BuildValue("z", job->text[i]);
    if (!text || PyList_Append(list, text)) Py_CLEAR(list);
    Py_XDECREF(text);
  }
  return list;
}


const char **py_read_names(PyObject *list, int *n)
{
  *n = (int) PyList_Size(list);
  const char **names = calloc((size_t) *n + 1, sizeof *names);
  for (int i = 0; i < *n && names; i++) {
    PyObject *item = PyList_GetItem(list, i);
    char *path = NULL;
    if (PyBytes_Check(item)) (void) PyBytes_AsStringAndSize(item, &path, NULL);
    names[i] = PyUnicode_Check(item) ? py_text(item) : path;
    if (names[i]) continue;
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "names are strings");
    free(names);
    return NULL;
  }
  return names;
}


// convert [(digest, output)] to indices
static artResultDef *read_results(const artModel *m, PyObject *list, int *n)
{
  *n = (int) PyList_Size(list);
  artResultDef *results = calloc((size_t) *n + 1, sizeof *results);
  for (int i = 0; i < *n && results; i++) {
    int digest, output;
    PyObject *item = PyList_GetItem(list, i);
    const int is_pair = PyTuple_Check(item) && PyArg_ParseTuple(item, "ii", &digest, &output);
    if (is_pair && digest >= 0 && digest < ART_DIGESTS && output >= 0 &&
        output < art_count(m).outputs) {
      results[i] = (artResultDef){(artDigest) digest, output};
      continue;
    }
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "results are pairs of numbers");
    free(results);
    return NULL;
  }
  return results;
}


static int take_results(sweepJob *job)
{
  const size_t n = (size_t) job->def.ncase;
  job->values = calloc(n * (size_t) job->def.nresult + 1, sizeof *job->values);
  job->verdict = calloc(n + 1, sizeof *job->verdict);
  job->text = calloc(n + 1, sizeof *job->text);
  if (!job->values || !job->verdict || !job->text) return 0;
  for (size_t i = 0; i < n * (size_t) job->def.nresult; i++) job->values[i] = NAN;
  for (size_t i = 0; i < n; i++) job->verdict[i] = NAN;
  return 1;
}


// ((values, verdicts, texts), is complete); an interrupted sweep returns the cases done so far
static PyObject *run_sweep(sweepJob *job)
{
  artStatus status = ART_OK;
  artError error = {0};
  if (!take_results(job)) return PyErr_NoMemory();
  job->caller = pthread_self();
  job->last_look = base_now();
  job->owner->working++;
  Py_BEGIN_ALLOW_THREADS;
  status = art_run_sweep(&job->def, &error);
  Py_END_ALLOW_THREADS;
  job->owner->working--;
  const int is_interrupted = PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
  if (PyErr_Occurred() && !is_interrupted) return NULL;
  PyErr_Clear();
  if (status && status != ART_STOPPED) return py_raise(&error, job->owner);
  PyObject *values = give(job->values, job->def.ncase, job->def.nresult);
  job->values = values ? NULL : job->values;
  PyObject *verdict = give(job->verdict, job->def.ncase, -1);
  job->verdict = verdict ? NULL : job->verdict;
  return Py_BuildValue("(NNNN)", values, verdict, tell_texts(job),
                       PyBool_FromLong(!is_interrupted));
}


PyObject *study_sweep(PyObject *self, PyObject *args)
{
  PyObject *model, *name, *options, *parameters, *values, *results, *progress, *fixed, *libraries;
  sweepJob job = {0};
  const char *path;
  int threads;
  (void) self;
  if (!PyArg_ParseTuple(args, "OyOO!O!OO!iOO!O!", &model, &path, &name, &PyDict_Type, &options,
                        &PyList_Type, &parameters, &values, &PyList_Type, &results, &threads,
                        &progress, &PyDict_Type, &fixed, &PyList_Type, &libraries) ||
      !py_is_model(model)) {
    return NULL;
  }
  job.owner = (pyModel *) model;
  job.name = name;
  job.progress = progress;
  artStudyDef study;
  if (!(job.options = PyDict_Copy(options))) return NULL;
  const char **names = NULL, **library = NULL;
  artSetting *setting = NULL;
  artResultDef *wanted = NULL;
  Py_buffer buffer = {0};
  PyObject *answer = NULL;
  if (PyObject_GetBuffer(values, &buffer, PyBUF_C_CONTIGUOUS)) {
    Py_DECREF(job.options);
    return NULL;
  }
  int nparameter = 0, nresult = 0, nlibrary = 0, nfixed = -1;
  if (py_choose_study(job.owner, ART_RUN, name, job.options, &study) &&
      (names = py_read_names(parameters, &nparameter)) &&
      (library = py_read_names(libraries, &nlibrary)) &&
      (nfixed = py_read_settings(fixed, &setting)) >= 0 &&
      (wanted = read_results(job.owner->model, results, &nresult))) {
    const Py_ssize_t numbers = buffer.len / (Py_ssize_t) sizeof(double);
    job.def = (artSweepDef){.path = path,
                            .nlibrary = nlibrary,
                            .library = library,
                            .nfixed = nfixed,
                            .fixed = setting,
                            .nparameter = nparameter,
                            .parameter = names,
                            .ncase = nparameter > 0 ? (long) (numbers / nparameter) : 0,
                            .value = buffer.buf,
                            .nresult = nresult,
                            .result = wanted,
                            .threads = threads < 0 ? 0 : threads,
                            .choose = choose,
                            .done = done,
                            .is_stopped = is_stopped,
                            .context = &job};
    answer = run_sweep(&job);
  }
  PyBuffer_Release(&buffer);
  for (long i = 0; job.text && i < job.def.ncase; i++) free(job.text[i]);
  free(job.text);
  free(job.values);
  free(job.verdict);
  free(names);
  free(library);
  if (nfixed >= 0) free(setting);
  free(wanted);
  Py_DECREF(job.options);
  return answer;
}
