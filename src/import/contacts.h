// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Collision shapes as surfaces, and contacts of the ground with them, if the import asks for contact
// (artImportDef). Readers add surfaces in the order of the file; import_make_contacts pairs them
// after the whole file is read.
#ifndef IMPORT_CONTACTS_H
#define IMPORT_CONTACTS_H

#include "import/import_work.h"

// Add a collision shape of a body, or a plane; -1 is ground. `name` is that of the file, or NULL.
// import_add_surface returns NULL for a NULL shape, and for meshes. The result is
// valid until the next one is added.
importSurface *import_add_surface(importWork *w, int body, const importShape *shape,
                                  importPose pose, const char *name, artPlace place);
importSurface *import_add_plane(importWork *w, int body, importPose pose, const char *name,
                                artPlace place);

// Add a note on a collision shape that is left out.
void import_note_untouched(importWork *w, artPlace place, const char *type);

// Friction, stiffness and damping that SDF and Gazebo give; NAN: not given. Throws an error at the
// place if one is negative.
void import_set_surface(importWork *w, importSurface *surface, double friction, double stiffness,
                        double damping, artPlace place);

// Bodies that do not touch each other; a contact of two surfaces in any case, with a friction or
// NAN.
void import_exclude(importWork *w, int body, int other);
void import_pair(importWork *w, int surface, int other, double friction, artPlace place);

// Write surfaces, contacts and their parameters as items of the machine.
void import_make_contacts(importWork *w);

#endif
