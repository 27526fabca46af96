// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Statuses, located errors, version and allocator. All other headers include this one.
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

//---- rules for all calls -------------------------------------------------------------------------
//
// These rules hold for all functions. Exceptions are documented with the function.
//
// Pointers. A pointer must point to an object, array or string of the declared type. NULL is
// allowed for an artError, for the argument of art_free_*, for an array of length 0, and where a
// comment says so. Arrays have the lengths that comments give in brackets. Strings end with a zero
// byte. Output arrays must not overlap any other argument. A data block is used with the model that
// it was created from; a run is used with its model and data, and both must outlive it.
//
// Programming errors. The following break these rules: a NULL that is not allowed, a data block of
// another model, a negative length, an argument that is not a member of its enumeration, and the
// number of an item that does not exist. A library with assertions (any build without NDEBUG)
// prints the function and the rule to stderr and aborts. A library without assertions changes
// nothing and returns ART_BAD_INPUT with a message in the artError. Functions that return no status
// then return NULL, the number 0, the index -1, NaN instead of a measured quantity, or a struct of
// these; they set output vectors of fixed length to NaN and leave others unchanged. Output pointers
// for new objects are set to NULL on every failure.
//
// Input errors. The contents of definitions (art*Def, artSetting, roads, tyres), names, formulas
// and files are checked in every build: a missing string, a number that is not finite or out of
// range, a negative length and a value outside its enumeration give ART_BAD_INPUT with a message. A
// definition that is not filled by art_default_* starts from {0}. States (time, q, v, s) and other
// numbers at run time may have any value: if they are not finite, the results are not finite
// either, or a status reports it.
//
// Name functions of enumerations return "unknown" for values outside the enumeration. Functions
// that list items by number (art_position_name, art_assembly_move) return NULL or 0 after the last
// item; art_find_* returns -1 or NULL for unknown names. Both are legal calls.
//
// Ownership. Objects from art_create_*, art_load_*, art_read_*, art_parse_*, art_compile_* and
// results through ** belong to the caller, who frees each once with its art_free_*. Functions copy
// their arguments and keep no pointer to them, unless stated otherwise. Returned strings and arrays
// belong to the object that returned them and live as long as it does.
//
// Memory. Only functions that create something, read or write files, or do a whole study allocate;
// steps, evaluations and queries do not. The first evaluation by a method of natural coordinates or
// by generated code also allocates. If memory runs out, the function returns ART_NO_MEMORY or NULL.
//
// Threads. The library has no global state except the allocator and the sandbox setting. Models,
// roads, tyres, schedules, linearisations and tables are constant: any number of threads may use
// one at the same time, until it is freed. A builder, a data block with its run, and generated code
// may be used by one thread at a time, even where a function takes a const pointer to them; threads
// that each have their own work in parallel. Callbacks run in the calling thread; callbacks of
// sweeps run in several threads. No function may be called from a signal handler.
//
// Process state. Functions do not print, exit, or change the locale, signals, rounding mode or
// working directory; any function may change errno. Functions that compute set round-to-nearest
// without flush-to-zero and without traps, and restore the settings of the program when they
// return; callbacks run with the settings of the library. Numbers are read and written with a
// decimal point in every locale, and NaN is written nan.

//---- version -------------------------------------------------------------------------------------

// Version of this header, for compile-time checks: #if ART_VERSION_NUMBER >= 200
#define ART_VERSION_MAJOR  0
#define ART_VERSION_MINOR  1
#define ART_VERSION_PATCH  0
#define ART_VERSION_NUMBER (10000 * ART_VERSION_MAJOR + 100 * ART_VERSION_MINOR + ART_VERSION_PATCH)
#define ART_VERSION                                                                                \
  ART_VERSION_TEXT(ART_VERSION_MAJOR)                                                              \
  "." ART_VERSION_TEXT(ART_VERSION_MINOR) "." ART_VERSION_TEXT(ART_VERSION_PATCH)
#define ART_VERSION_TEXT(number)  ART_VERSION_QUOTE(number)
#define ART_VERSION_QUOTE(number) #number

// Version of the linked library, which may differ from the header: "0.1.0", 100.
ART_API const char *art_version(void);
ART_API int art_version_number(void);

//---- status --------------------------------------------------------------------------------------

// One list defines the enumeration and its messages, so they cannot disagree.
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

// A short English phrase for a status; "unknown status" for any other value.
ART_API const char *art_status_text(artStatus status);

//---- errors --------------------------------------------------------------------------------------

enum { ART_ERROR_LENGTH = 1024 };

// A message for a person: "file:line:column: what was found, what to do". The status is included,
// so an artError is complete by itself. Start from {0}.
typedef struct artError {
  artStatus status;
  char text[ART_ERROR_LENGTH];
} artError;

// The position of a value in a model file; file is NULL for models built in C.
typedef struct artPlace {
  const char *file;
  int line;   // from 1; 0: the whole file
  int column; // from 1
} artPlace;

//---- memory --------------------------------------------------------------------------------------

// Allocation functions for the whole library. They must behave as realloc (with NULL: malloc) and
// free do.
typedef struct artAllocator {
  void *(*resize)(void *context, void *block, size_t size);
  void (*release)(void *context, void *block);
  void *context;
} artAllocator;

// Replace the allocator; both functions must be given. NULL restores malloc. Call it from one
// thread, before anything is created.
ART_API void art_set_allocator(const artAllocator *allocator);

//---- files of other programs ---------------------------------------------------------------------

// Files of other programs, meshes that assimp reads and descriptions of FMUs are read by the
// program articula-parse, in a process without network access that writes no files and has limited
// memory and CPU time (Linux; doc/reference/security.md). By default articula-parse is used if it
// is found next to the library, in ../libexec/articula or where it was installed; otherwise files
// are read in this process. ART_SANDBOX_OFF always reads them in this process; ART_SANDBOX_REQUIRED
// returns ART_UNSUPPORTED if articula-parse is not available.
typedef enum artSandbox {
  ART_SANDBOX_WHERE_POSSIBLE,
  ART_SANDBOX_REQUIRED,
  ART_SANDBOX_OFF
} artSandbox;

// For the whole process; call it before other threads read files.
ART_API void art_set_sandbox(artSandbox sandbox);

#ifdef __cplusplus
}
#endif

#endif
