// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files that others read: equations as source text, and pages of the viewer.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "show/page.h"
#include "studies.h"


static int find_language(const char *name)
{
  for (int k = 0; k < ART_LANGUAGES; k++) {
    if (strcmp(art_language_name((artLanguage) k), name) == 0) return k;
  }
  PyErr_Format(PyExc_ValueError,
               "there is no language '%s'; c, fortran, matlab, java and python are", name);
  return -1;
}


// loops are closed first, as for every study
static artStatus write_all(pyData *d, const artGenerateDef *def, const char *path,
                           const char *header, artError *error)
{
  const artModel *m = d->owner->model;
  art_update(m, d->data);
  artStatus status = art_assemble(m, d->data, NULL, error);
  if (!status && header) status = art_write_header(m, d->data, def, header, error);
  return status ? status : art_write_source(m, d->data, def, path, error);
}


PyObject *study_generate(PyObject *self, PyObject *args)
{
  PyObject *data;
  const char *language, *path, *header;
  unsigned forms;
  artStatus status;
  artError error = {0};
  (void) self;
  if (!PyArg_ParseTuple(args, "O!sIsz", py_types.data, &data, &language, &forms, &path, &header)) {
    return NULL;
  }
  pyData *d = (pyData *) data;
  artGenerateDef def = art_default_generate();
  const int k = find_language(language);
  if (k < 0) return NULL;
  def.language = (artLanguage) k;
  def.forms = forms;
  const char *slash = header ? strrchr(header, '/') : NULL;
  def.header = slash ? slash + 1 : header;
  if (!py_begin(&d->is_busy, d->owner)) return NULL;
  Py_BEGIN_ALLOW_THREADS;
  status = write_all(d, &def, path, header, &error);
  Py_END_ALLOW_THREADS;
  py_end(&d->is_busy, d->owner);
  if (status) return py_raise(&error, d->owner);
  Py_RETURN_NONE;
}


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
