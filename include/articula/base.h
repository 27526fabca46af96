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

//---- calls ---------------------------------------------------------------------------------------
//
// The rules for all functions. Exceptions stand with the functions.
//
// Pointers. A pointer must point to an object, array or text of the kind that its declaration
// names. NULL is allowed for an artError, for the argument of art_free_*, for an array of length 0,
// and where a comment says so. Arrays have the lengths that comments give in brackets, texts end
// with a zero byte, and arrays that a function writes overlap no others. A data block goes with the
// model that it was created from, a run with its model and data, which outlive it.
//
// Mistakes of the program. A NULL that is not allowed, a data block of another model, a negative
// length, an argument that is no member of its enumeration, and the number of something that does
// not exist break these rules. A library with assertions (any build without NDEBUG) then names
// function and rule on stderr and aborts. A library without them changes nothing and returns
// ART_BAD_INPUT with a text in the artError. Functions that return no status then return NULL, the
// number 0, the index -1, NaN instead of a measured quantity, or a struct of these; they set output
// vectors of fixed length to NaN and leave others alone. Pointers for new objects become NULL in
// any failure.
//
// Mistakes of the user. Contents of definitions (art*Def, artSetting, roads, tyres), names, formulas
// and files are checked in every build: a missing text, a number that is not finite or out of range,
// a negative length and a member of no enumeration are ART_BAD_INPUT with a text. A definition that
// is not filled by art_default_* starts from {0}. States (time, q, v, s) and other numbers at run
// time may be anything: results of numbers that are not finite are not finite, or a status says so.
//
// Names of enumeration members are "unknown" for numbers that are no members. Names by number
// (art_position_name, art_assembly_move) end with NULL or 0 behind the last one, art_find_* answers
// -1 or NULL for unknown names: programs may ask.
//
// Ownership. Objects from art_create_*, art_load_*, art_read_*, art_parse_*, art_compile_* and
// results through ** belong to the caller, who frees each once with its art_free_*. Functions copy
// what they are given and keep no pointer to it, unless said. Texts and arrays that are returned
// belong to the object that was asked and live as long.
//
// Memory. Only functions that create something, read or write files, or do a whole study allocate;
// steps, evaluations and questions do not. The first evaluation by a method of natural coordinates,
// and by generated code, prepares it and allocates. Where memory runs out, ART_NO_MEMORY or NULL is
// returned.
//
// Threads. The library keeps nothing between calls but the allocator. Models, roads, tyres,
// schedules, linearisations and tables are constant: any number of threads may use one at the same
// time, until it is freed. A builder, a data block with its run, and generated code belong to one
// thread at a time, also where a function takes a const pointer to them; threads with their own
// work in parallel. Callbacks run in the thread of the call, callbacks of sweeps in several threads. No
// function may be called from a signal handler.
//
// Surroundings. Functions do not print, exit, or change locale, signals, rounding mode or working
// folder; any may change errno. Those that compute round to nearest, without flush-to-zero and traps, whatever the program has
// set, and set it again when they return; callbacks run in between. Numbers are read and written with a decimal point in every
// locale, and NaN is written nan.

//---- version -------------------------------------------------------------------------------------

// Of this header, to compile against: #if ART_VERSION_NUMBER >= 200
#define ART_VERSION_MAJOR  0
#define ART_VERSION_MINOR  1
#define ART_VERSION_PATCH  0
#define ART_VERSION_NUMBER (10000 * ART_VERSION_MAJOR + 100 * ART_VERSION_MINOR + ART_VERSION_PATCH)
#define ART_VERSION                                                                                \
  ART_VERSION_TEXT(ART_VERSION_MAJOR)                                                              \
  "." ART_VERSION_TEXT(ART_VERSION_MINOR) "." ART_VERSION_TEXT(ART_VERSION_PATCH)
#define ART_VERSION_TEXT(number)  ART_VERSION_QUOTE(number)
#define ART_VERSION_QUOTE(number) #number

// Of the library that is linked, which may differ from the header's: "0.1.0", 100.
ART_API const char *art_version(void);
ART_API int art_version_number(void);

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

// A short English phrase for a status; "unknown status" for a number that is none.
ART_API const char *art_status_text(artStatus status);

//---- errors --------------------------------------------------------------------------------------

enum { ART_ERROR_LENGTH = 1024 };

// A message for a person: "file:line:column: what was found, what to do". The status is
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

// Replace the allocator, of which both functions must be there; NULL restores malloc. Call before
// anything is created, from one thread.
ART_API void art_set_allocator(const artAllocator *allocator);

//---- foreign files -------------------------------------------------------------------------------

// Files of other programs, meshes that assimp reads and descriptions of FMUs are read by the program articula-parse, in a
// process without network, that writes no files and has limited memory and CPU time (Linux; doc/reference/security.md). By
// default it is used where it lies beside the library, in ../libexec/articula or where it was installed; otherwise, and with
// ART_SANDBOX_OFF, files are read in this process. With ART_SANDBOX_REQUIRED they are refused then, ART_UNSUPPORTED.
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
