// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Statuses, located errors, version and allocator: what every other header stands on.
#ifndef ARTICULA_BASE_H
#define ARTICULA_BASE_H

#include <stddef.h>

#if defined(__GNUC__)
#define ART_API               __attribute__((visibility("default")))
#define ART_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define ART_API
#define ART_PRINTF(fmt, args)
#endif

#ifdef __cplusplus
extern "C" {
#endif

//---- version -------------------------------------------------------------------------------------

#define ART_VERSION "0.1.0"

// The version of the library that is linked, which may differ from the header's.
ART_API const char *art_version(void);

//---- status --------------------------------------------------------------------------------------

// One list makes the enumeration and the texts, so they cannot drift apart.
#define ART_STATUS_LIST(F)                                                                         \
  F(ART_OK, "done")                                                                                \
  F(ART_BAD_INPUT, "the input is wrong")                                                           \
  F(ART_NO_MEMORY, "out of memory")                                                                \
  F(ART_IO, "a file could not be read or written")                                                 \
  F(ART_UNSUPPORTED, "not supported by this method or this build")                                 \
  F(ART_SINGULAR, "the equations are singular")                                                    \
  F(ART_NO_CONVERGENCE, "the iteration did not converge")                                          \
  F(ART_STEP_TOO_SMALL, "the step became too small")                                               \
  F(ART_STALLED, "a worker or a rank did not answer in time")                                      \
  F(ART_STOPPED, "stopped on request")

typedef enum artStatus {
#define ART_STATUS_ENUM(name, text) name,
  ART_STATUS_LIST(ART_STATUS_ENUM)
#undef ART_STATUS_ENUM
} artStatus;

// A short English phrase for a status.
ART_API const char *art_status_text(artStatus status);

//---- errors --------------------------------------------------------------------------------------

enum { ART_ERROR_LENGTH = 1024 };

// What went wrong, for a person: "file:line:column: what was found, what to do". The status is
// repeated so that an error can travel alone. Start from {0}.
typedef struct artError {
  artStatus status;
  char text[ART_ERROR_LENGTH];
} artError;

// Where a value stands in a model file; file is NULL for models built in C.
typedef struct artPlace {
  const char *file;
  int line;   // from 1; 0 = the file as a whole
  int column; // from 1
} artPlace;

//---- memory --------------------------------------------------------------------------------------

// Functions that take and give back memory for the whole library. They must behave as realloc
// (with NULL: malloc) and free do.
typedef struct artAllocator {
  void *(*resize)(void *context, void *block, size_t size);
  void (*release)(void *context, void *block);
  void *context;
} artAllocator;

// Replace the allocator; NULL restores malloc. Call before anything is created, from one thread.
ART_API void art_set_allocator(const artAllocator *allocator);

#ifdef __cplusplus
}
#endif

#endif
