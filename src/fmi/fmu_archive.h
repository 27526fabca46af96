// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An FMU: its unpacked archive, its description, and the functions of its binary.
#ifndef FMI_UNIT_ARCHIVE_H
#define FMI_UNIT_ARCHIVE_H

#include "base/file.h"
#include "fmi/description.h"
#include "fmi/fmi2.h"
#include "fmi/fmi3.h"

// Functions of the binary; NULL: missing.
#define FMI_FIELD(type, name, arguments) name##TYPE *name;
typedef struct fmi2Table {
  FMI2_FUNCTIONS(FMI_FIELD)
} fmi2Table;
typedef struct fmi3Table {
  FMI3_FUNCTIONS(FMI_FIELD)
} fmi3Table;
#undef FMI_FIELD

typedef struct fmuFile {
  baseArena arena;
  const char *path;              // of the archive
  char folder[FILE_PATH_LENGTH]; // of the unpacked files
  int lock;                      // file descriptor of the folder's lock
  fmiDescription description;
  const fmiInterface *own; // the interface whose binary is loaded
  void *library;
  fmi2Table two; // of version 2.0
  fmi3Table three;
} fmuFile;

// Unpack the archive into a private folder, which fmi_close removes, and read its description.
// Errors are thrown (base/error.h), here and below; *unit must be closed even then.
void fmi_open(fmuFile **unit, const char *path);

// The tree of an XML file of the archive; NULL if there is no such file.
xmlNode *fmi_read_xml(fmuFile *unit, const char *name);

// Load the binary of an interface, description.exchange or description.simulation, for this
// platform, or compile one from the sources. ART_BAD_INPUT if the FMU has neither; the message
// lists the platforms of its binaries.
void fmi_load(fmuFile *unit, const fmiInterface *own);

// Accepts NULL. Call it after all instances are freed.
void fmi_close(fmuFile *unit);

//---- build.c -------------------------------------------------------------------------------------

// Compile the sources of an interface into a library; false if there are none.
bool fmi_build(fmuFile *unit, const fmiInterface *own, const char *library);

#endif
