// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The builder: the user's words, checked one by one but not yet together. Records keep the
// places of their values in the model file, so that every later message can point at them.
#ifndef MODEL_BUILDER_H
#define MODEL_BUILDER_H

#include "articula/model.h"
#include "base/arena.h"
#include "base/error.h"
#include "element/block_kind.h"
#include "element/kind.h"

// Say where the item stands that the next art_add_x or art_set_x will add, then where the values of
// its keys stand (keys are the field names of the def: "mass", "com", "inertia", "from", "to",
// "axis", "formula", "components" ...). Both are used up by that call.
artStatus builder_at(artBuilder *b, artPlace place);

// The study that was added last is one of a file: compiled equations become a wish (ART_BACKEND_ASKED).
void builder_ask_backend(artBuilder *b);
artStatus builder_mark(artBuilder *b, const char *key, artPlace place);

// The time is among the outputs: no column of its own, and not without outputs then.
void builder_name_time(artBuilder *b);

// A slider of live pages; title and group NULL: none.
artStatus builder_add_slider(artBuilder *b, const char *name, const char *title, const char *group,
                             const double range[2]);

typedef struct modelReader modelReader;
typedef struct yamlNode yamlNode;

// A family of items that files list by name in one section and programs add by one function: the field lists of its
// definitions, which begin with the name, and its records in the builder.
typedef struct itemFamily {
  const char *what;              // "joint"
  int is_signal;                 // its name stands bare in formulas
  int is_called_by_type;         // messages about names say "rope" and not "latch"
  const fieldForm *const *forms; // keys of files by type, ended by NULL; or one form without a type
  const fieldForm *whole;   // all fields of the definition; NULL: the form of its type has them
  size_t size;              // of the definition
  size_t most;              // and of the largest one in files; 0: of the same size
  size_t type;              // offset of the type in the definition; 0: it has none
  size_t list, record, def; // offset of the list in the builder, size of a record, and offset
                            // of the definition in it

  // Set defaults of a type that are not numbers of its fields; may be NULL.
  void (*start)(int type, void *def);

  // Complete what was read of an item and add it; NULL: its name is all that is missing.
  void (*read)(modelReader *reader, const yamlNode *item, int type, void *def);

  // Check what the fields do not tell; may be NULL.
  void (*check)(const fieldCheck *check, void *def);
} itemFamily;

// All fields of a definition, whose type is one of the family's.
const fieldForm *builder_form(const itemFamily *family, const void *def);

#define ITEM_RECORDS(member, T)                                                                    \
  .list = offsetof(artBuilder, member), .record = sizeof(T), .def = offsetof(T, def)

extern const itemFamily item_body, item_joint, item_coupling, item_constraint, item_latch,
    item_drive, item_road, item_tyre, item_force, item_input, item_state, item_block, item_sensor,
    item_surface;

// The pose of a frame, and the checks of a shape.
extern const fieldForm reader_form_frame;
void visual_check(const fieldCheck *check, void *def); // an artVisualDef

// Add an item: a copy of the definition, checked field by field and then by its family.
artStatus builder_add_item(artBuilder *b, const itemFamily *family, const void *def);

// Add an element: a copy of the definition, checked field by field and then by its kind.
artStatus builder_add_element(artBuilder *b, const elementKind *kind, const void *def);

// Work that throws errors (base/error.h); the first one becomes that of the builder.
artStatus builder_attempt(artBuilder *b, void (*work)(void *context), void *context);

// The whole name of a reference in the present scope, and the places of the item that is added next.
const char *builder_full_name(artBuilder *b, const char *name);
fieldWhere builder_next_place(const artBuilder *b);

// Add a frame that has been checked, whose live numbers pend in the pose.
struct frameRecord;
artStatus builder_add_frame(artBuilder *b, const struct frameRecord *frame, const artPose *pose);

// A surface by its whole name, NULL: there is none of that name.
const artSurfaceDef *builder_find_surface(const artBuilder *b, const char *name);

struct surfacePair; // model/define/records.h

// Pairs of surfaces of a contact between two surfaces or groups, with the numbers of their points; throws an error where names
// are unknown or nothing can touch.
const char *surface_type_name(artSurfaceType type);
int builder_contact_pairs(artBuilder *b, const fieldCheck *c, const char *const name[2],
                          struct surfacePair **list);

// The same of a pile, which may have many more.
int builder_pile_pairs(artBuilder *b, const fieldCheck *c, const char *const name[2],
                       const struct surfacePair **list);

// Add a block, likewise.
artStatus builder_add_block(artBuilder *b, const blockKind *kind, const void *def);

// Something that is allowed and probably not meant, with its place: a warning of the model (art_model_warning).
void builder_warn(artBuilder *b, const char *text);

// The builder's first error, ART_OK when there is none yet.
const artError *builder_error(const artBuilder *b);

// The road of a name as written in the present scope; NULL when there is none.
const artRoad *builder_find_road(artBuilder *b, const char *name);

// A prefix joined by '/' before the names given from now on, and before names looked up; "" = none.
// Names beginning with '/' are taken as written, without the slash. "ground" is never prefixed.
artStatus builder_scope(artBuilder *b, const char *prefix);

// From now on a whole name, and what begins with it and '.' or '/', represents another one, which is given
// in the present scope.
artStatus builder_alias(artBuilder *b, const char *name, const char *target);

// The name that represents the beginning of a whole name, and the length of that beginning; NULL: there is none.
const char *builder_find_alias(const artBuilder *b, const char *name, size_t *length);

// Limits (NULL: none) and help text (NULL: none) of the parameter that was added last.
artStatus builder_describe_parameter(artBuilder *b, const double limits[2], const char *help);

// Another initial value of a coordinate, instead of the one given before, if any. Its name is the whole
// one.
artStatus builder_set_initial(artBuilder *b, const char *coordinate, double value);

// Say anew whether a joint stays in the tree (artJointDef.keep); its name is the whole one.
void builder_keep(artBuilder *b, const char *joint, int keep);

#endif
