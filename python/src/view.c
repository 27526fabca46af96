// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Numbers of the library for Python: the buffer protocol and DLPack, both without a copy. Those in
// GPU memory support only DLPack.
#include <stdint.h>
#include <stdlib.h>

#include "module.h"

typedef struct pyView {
  PyObject ob_base;
  PyObject *owner; // owner of the numbers
  double *numbers;
  int ndim;
  Py_ssize_t shape[2], strides[2]; // strides in bytes
  int is_readonly;
  int gpu; // index of the GPU whose memory they are in; -1: main memory
} pyView;


PyObject *py_view(PyObject *owner, double *numbers, Py_ssize_t rows, Py_ssize_t columns,
                  int is_readonly)
{
  pyView *v = PyObject_New(pyView, py_types.view);
  if (!v) return NULL;
  static double nothing; // empty buffers need an address too
  const Py_ssize_t width = sizeof *numbers;
  Py_INCREF(owner);
  v->owner = owner;
  v->numbers = numbers ? numbers : &nothing;
  v->ndim = columns < 0 ? 1 : 2;
  v->shape[0] = rows;
  v->shape[1] = columns < 0 ? 1 : columns;
  v->strides[0] = columns < 0 ? width : columns * width;
  v->strides[1] = width;
  v->is_readonly = is_readonly;
  v->gpu = -1;
  return (PyObject *) v;
}


PyObject *py_device_view(PyObject *owner, const artBatchView *view, int is_vector)
{
  PyObject *self = is_vector ? py_view(owner, view->numbers, view->n, -1, 0)
                             : py_view(owner, view->numbers, view->width, view->n, 0);
  if (self) ((pyView *) self)->gpu = view->gpu;
  return self;
}


static void view_dealloc(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  Py_DECREF(((pyView *) self)->owner);
  PyObject_Free(self);
  Py_DECREF(type);
}


//---- the buffer protocol -------------------------------------------------------------------------

static int view_get_buffer(PyObject *self, Py_buffer *buffer, int flags)
{
  pyView *v = (pyView *) self;
  if (v->gpu >= 0) {
    PyErr_SetString(PyExc_BufferError,
                    "these numbers are in the memory of a GPU: use from_dlpack of a "
                    "library for such memory");
    buffer->obj = NULL;
    return -1;
  }
  if ((flags & PyBUF_WRITABLE) && v->is_readonly) {
    PyErr_SetString(PyExc_BufferError, "these numbers are read-only: change a copy of them");
    buffer->obj = NULL;
    return -1;
  }
  const Py_ssize_t width = sizeof *v->numbers;
  *buffer = (Py_buffer){.buf = v->numbers,
                        .obj = self,
                        .len = v->shape[0] * v->shape[1] * width,
                        .itemsize = width,
                        .readonly = v->is_readonly,
                        .ndim = v->ndim,
                        .format = flags & PyBUF_FORMAT ? "d" : NULL,
                        .shape = flags & PyBUF_ND ? v->shape : NULL,
                        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? v->strides : NULL};
  Py_INCREF(self);
  return 0;
}


double *py_numbers(Py_buffer *buffer, PyObject *object, const char *what, Py_ssize_t n,
                   int is_written)
{
  const int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (is_written ? PyBUF_WRITABLE : 0);
  if (PyObject_GetBuffer(object, buffer, flags)) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError,
                 "%s must be a contiguous array of float64%s; numpy.ascontiguousarray(x, float) "
                 "makes one",
                 what, is_written ? " that may be written" : "");
    return NULL;
  }
  const char *format = buffer->format ? buffer->format : "B";
  const int is_double = (format[0] == 'd' && !format[1]) ||
                        ((format[0] == '@' || format[0] == '=') && format[1] == 'd' && !format[2]);
  if (is_double && buffer->len == n * (Py_ssize_t) sizeof(double)) return buffer->buf;
  if (!is_double) {
    PyErr_Format(PyExc_TypeError, "%s has numbers of type '%s', expected float64: x.astype(float)",
                 what, format);
  } else {
    PyErr_Format(PyExc_ValueError, "%s has %zd numbers, expected %zd", what,
                 buffer->len / (Py_ssize_t) sizeof(double), n);
  }
  PyBuffer_Release(buffer);
  return NULL;
}


//---- DLPack (dmlc/dlpack, version 0) -------------------------------------------------------------

enum { DLPACK_CPU = 1, DLPACK_CUDA = 2, DLPACK_FLOAT = 2 };

typedef struct dlpackTensor {
  void *data;
  struct {
    int32_t type, number;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides;
  uint64_t offset;
} dlpackTensor;

typedef struct dlpackManaged {
  dlpackTensor tensor;
  void *context;
  void (*free)(struct dlpackManaged *self);
  int64_t sizes[4];
} dlpackManaged;


static void dlpack_free(dlpackManaged *managed)
{
  const PyGILState_STATE lock = PyGILState_Ensure();
  Py_DECREF((PyObject *) managed->context);
  PyGILState_Release(lock);
  free(managed);
}


// free the tensor if nobody has taken it from the capsule
static void capsule_dealloc(PyObject *capsule)
{
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  dlpack_free(PyCapsule_GetPointer(capsule, "dltensor"));
}


static PyObject *view_dlpack(PyObject *self, PyObject *args, PyObject *keywords)
{
  (void) args;
  (void) keywords; // stream and others are ignored: no writes are pending
  pyView *v = (pyView *) self;
  if (v->is_readonly) {
    PyErr_SetString(PyExc_BufferError,
                    "these numbers are read-only, which DLPack cannot say: use numpy.asarray");
    return NULL;
  }
  dlpackManaged *managed = calloc(1, sizeof *managed);
  if (!managed) return PyErr_NoMemory();
  for (int i = 0; i < v->ndim; i++) {
    managed->sizes[i] = v->shape[i];
    managed->sizes[2 + i] = v->strides[i] / (Py_ssize_t) sizeof *v->numbers;
  }
  dlpackTensor *t = &managed->tensor;
  t->data = v->numbers;
  t->device.type = v->gpu < 0 ? DLPACK_CPU : DLPACK_CUDA;
  t->device.number = v->gpu < 0 ? 0 : v->gpu;
  t->ndim = v->ndim;
  t->dtype.code = DLPACK_FLOAT;
  t->dtype.bits = 64;
  t->dtype.lanes = 1;
  t->shape = managed->sizes;
  t->strides = managed->sizes + 2;
  managed->context = self;
  managed->free = dlpack_free;
  PyObject *capsule = PyCapsule_New(managed, "dltensor", capsule_dealloc);
  if (!capsule) {
    free(managed);
    return NULL;
  }
  Py_INCREF(self);
  return capsule;
}


static PyObject *view_dlpack_device(PyObject *self, PyObject *args)
{
  const int gpu = ((pyView *) self)->gpu;
  (void) args;
  return gpu < 0 ? Py_BuildValue("(ii)", DLPACK_CPU, 0) : Py_BuildValue("(ii)", DLPACK_CUDA, gpu);
}


static int is_compact(const dlpackTensor *t, const Py_ssize_t *shape)
{
  int64_t stride = 1;
  for (int i = t->ndim - 1; i >= 0 && t->strides; i--) {
    if (shape[i] != 1 && t->strides[i] != stride) return 0;
    stride *= shape[i];
  }
  return 1;
}


const double *py_tensor_numbers(PyObject *capsule, const char *what, int ndim,
                                const Py_ssize_t *shape, int gpu)
{
  const dlpackManaged *managed = PyCapsule_GetPointer(capsule, "dltensor");
  if (!managed) return NULL;
  const dlpackTensor *t = &managed->tensor;
  int has_shape = t->ndim == ndim;
  for (int i = 0; i < ndim && has_shape; i++) has_shape = t->shape[i] == shape[i];
  if (t->device.type != DLPACK_CUDA || t->device.number != gpu) {
    PyErr_Format(PyExc_ValueError, "%s lies on another device than the instances: copy it there",
                 what);
  } else if (t->dtype.code != DLPACK_FLOAT || t->dtype.bits != 64 || t->dtype.lanes != 1) {
    PyErr_Format(PyExc_TypeError, "%s must be an array of float64", what);
  } else if (!has_shape) {
    PyErr_Format(PyExc_ValueError, "%s has another shape than that of the instances", what);
  } else if (!is_compact(t, shape)) {
    PyErr_Format(PyExc_ValueError, "%s must be contiguous, row by row", what);
  } else {
    return (const double *) (const void *) ((const char *) t->data + t->offset);
  }
  return NULL;
}


//---- the type ------------------------------------------------------------------------------------

static PyMethodDef methods[] = {
    {"__dlpack__", (PyCFunction) (void (*)(void)) view_dlpack, METH_VARARGS | METH_KEYWORDS,
     "The numbers as a DLPack capsule, without a copy."},
    {"__dlpack_device__", view_dlpack_device, METH_NOARGS,
     "Main memory: (1, 0); that of a GPU: (2, its number)."},
    {0},
};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Numbers of the library: numpy.asarray and numpy.from_dlpack see them without a copy."},
    {Py_tp_dealloc, view_dealloc},
    {Py_tp_methods, methods},
    {Py_bf_getbuffer, view_get_buffer},
    {0},
};

PyType_Spec py_view_spec = {
    .name = "articula._articula.View",
    .basicsize = sizeof(pyView),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = slots,
};
