// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A functional mock-up unit: its archive unpacked, its description, and the functions of its binary.
#ifndef FMI_UNIT_ARCHIVE_H
#define FMI_UNIT_ARCHIVE_H

#include "base/file.h"
#include "fmi/description.h"
#include "fmi/fmi2.h"
#include "fmi/fmi3.h"

// Functions as they are found in the binary; NULL: it lacks this one.
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
  char folder[FILE_PATH_LENGTH]; // that it is unpacked into
  int lock;                      // of the folder
  fmiDescription description;
  const fmiInterface *own; // the kind whose binary is loaded
  void *library;
  fmi2Table two; // of version 2.0
  fmi3Table three;
} fmuFile;

// Unpack the archive into a folder of its own, which goes with fmi_close, and read its description. Mistakes leave the work
// (base/error.h), here and below; *unit is to be closed then, too.
void fmi_open(fmuFile **unit, const char *path);

// The tree of an XML file within the archive; NULL: there is none.
xmlNode *fmi_read_xml(fmuFile *unit, const char *name);

// Load the binary of a kind, description.exchange or description.simulation, for the machine at hand; where there is none, one is compiled from
// the sources of the unit. ART_BAD_INPUT where the unit has neither, with the systems that it has binaries for.
void fmi_load(fmuFile *unit, const fmiInterface *own);

// Accepts NULL. After all instances.
void fmi_close(fmuFile *unit);

//---- build.c -------------------------------------------------------------------------------------

// Compile the sources of a kind into a library; false: there are none.
bool fmi_build(fmuFile *unit, const fmiInterface *own, const char *library);

#endif
