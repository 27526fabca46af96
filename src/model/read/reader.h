// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Reading model files: the tree of YAML nodes becomes calls of the builder, each value with its
// place. Tables of keys say which items a file may hold; the same tables make the suggestions for
// misspelt keys, the JSON Schema and the tables of doc/reference/model.
#ifndef MODEL_READER_H
#define MODEL_READER_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "articula/model.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "base/unit.h"
#include "base/yaml.h"
#include "element/field.h"
#include "mesh/mesh.h"
#include "model/define/builder.h"
#include "model/define/joint_kind.h"
#include "model/parameter/reader_memo.h"
#include "model/read/mistakes.h"

//---- values that are read -------------------------------------------------------------------------

// one end of a joint: "crank" or "crank.tip", and the joint's frame there
typedef struct readerEnd {
  const char *frame;
  artPose offset;
} readerEnd;


//---- the reader ----------------------------------------------------------------------------------

typedef struct readerFile readerFile;

// a formula of parameters, as it was read; without a text it is none
typedef struct readerSource {
  const char *text;
  artPlace place;
  const readerFile *file; // whose parameters it names
} readerSource;

typedef struct readerParameter {
  const char *name;
  const yamlNode *node; // of the value; NULL: the file has none
  artPlace place;
  artPlace given; // of the value; nowhere: from outside
  double value;
  baseDimension dimension, unit; // of the value; as the file says
  const yamlNode *limits;        // NULL: none
  double limit[2];
  const char *help;    // or NULL
  readerSource source; // of the formula that gives its value, or gave it before it was set
  bool is_spoilt;      // it holds a mistake, or rests on one that does (base/error_recovery.h)
  int is_set;          // from outside: a number from then on, with the unit of the file's value
  int setting;         // its number, while it is read
  int number;          // among all parameters of the model
  int rank;            // by which their values have become known
  enum { PARAMETER_UNREAD, PARAMETER_OPEN, PARAMETER_KNOWN } state;
} readerParameter;

struct readerFile {
  const char *name;
  const char *prefix; // "" for the file itself
  const yamlNode *root;
  readerFile *parent, *first, *next;
  int depth;
  dev_t device; // with inode: which file it is, whatever its path
  ino_t inode;
  bool is_again;   // where mistakes are collected: its names are in use by itself
  bool is_refused; // so that nothing more needs to be said about it
  int nparameter;
  readerParameter *parameter; // sorted by name
};

struct modelReader {
  artBuilder *builder;
  baseArena arena;
  readerFile *file; // the one being read: its prefix and parameters count
  int nfile;
  fieldAxis axis;
  baseDimension unit;   // of the item that is being read: its Q_OWN
  fieldTerms along;     // the coordinates of the force that is being read, where there are several
  bool may_lack_values; // of parameters, for the file that gives them holds a mistake
  bool is_guess;        // initial values that are read may move
  baseTable joints;     // of all files, with their types
  int nsetting;
  const artSetting *setting;          // parameters with values from outside ...
  char *is_set;                       // [nsetting] ... and whether they were found
  const baseDimension *set_dimension; // [nsetting] ... of their units; NULL: they have none
  readerSource source;                // of the number that was read last
  bool is_spoilt;                     // its parameters
  bool is_plain;                      // its formula is not quoted: a comma may have cut it
  const char *section;                // that is being read
  int number;                         // of what is being read among the builder's items, -1: none
  int nknown;                         // parameters that have values
  baseArena scratch;                  // of the item
  int is_trial;                       // numbers that no solid can have are read, too
  mistakeFiles *kept;                 // trees instead of the files' texts
  readerMemo *memo;                   // values of formulas
};

// Reading is a work that is left where it fails (base/error.h). A call of the builder has been made, and leaves it, too;
// the place of a key's value, for the builder.
void reader_built(const modelReader *reader, artStatus status);
void reader_mark(const modelReader *reader, const char *key, artPlace place);

// Where mistakes are collected (base/error_recovery.h): try a piece of the file; false if it failed. An item of the file
// could not be made: its name is lost. reader_pass: a name is about to be refused as unknown; silently, where it was lost.
typedef void readerWork(modelReader *reader, const yamlNode *node, void *out);
bool reader_try(modelReader *reader, const yamlNode *node, readerWork *read, void *out);
void reader_lose(modelReader *reader, const char *name);
void reader_pass(modelReader *reader, const char *name);

//---- reading by tables (reader_key.c) ------------------------------------------------------------

// Read a mapping into the record that the form describes, and mark the places for the builder.
void reader_read_form(modelReader *reader, const fieldForm *form, const yamlNode *node,
                      void *record);

// The items of a section, each read by its form and handed to its family.
void reader_read_items(modelReader *reader, const itemFamily *family, const yamlNode *section);

void reader_read_item(modelReader *reader, const itemFamily *family, const yamlNode *item);

// Something begins that is read as one, an item of a family or a section (family NULL) by its function; it has been read
// (reader_item.c).
void reader_begin_item(modelReader *reader, const itemFamily *family,
                       void (*read)(modelReader *reader, const yamlNode *section),
                       const yamlNode *node);
void reader_end_item(modelReader *reader);

// Which of the forms does `type:` name?
void reader_choose_form(const fieldForm *const *forms, const yamlNode *node, int *chosen);

// Advice for a word of other programs that means a kind of element; or NULL.
const char *reader_advice(const char *context, const char *word);

// Is it a mapping (or an empty value, which represents an empty one)?
void reader_check_mapping(const yamlNode *node, const char *what);

// A name that may be given to a thing; parameters must be words a formula can hold unquoted.
void reader_check_name(const yamlNode *item, const char *what, bool is_parameter);

//---- values (reader_value.c) ---------------------------------------------------------------------

// Fail: "found a mapping, expected ...".
_Noreturn void reader_wrong_shape(const yamlNode *node, const char *expected);

// The same of a node that is not a list of `least` to `most` items.
void reader_check_list(const yamlNode *node, int least, int most, const char *expected);

// A value as read by the key's type, into its field of the record.
void reader_read_value(modelReader *reader, const fieldKey *key, const yamlNode *node,
                       void *record);

// A quantity or a formula of parameters. `found` (may be NULL) receives its dimension.
void reader_read_number(modelReader *reader, const yamlNode *node, baseDimension expected,
                        double *value, baseDimension *found);

void reader_read_vector(modelReader *reader, const yamlNode *node, baseDimension expected, int n,
                        double *values);

// Warn of plain numbers of more than a whole turn: they may be meant in degrees.
void reader_look_at_angles(modelReader *reader, const char *key, const yamlNode *node);

// Least and largest, either of which may be infinite: none on that side.
void reader_read_limits(modelReader *reader, const yamlNode *node, baseDimension expected,
                        double limits[2]);

void reader_read_texts(modelReader *reader, const yamlNode *node, artNames *names);
void reader_read_text(const yamlNode *node, const char **text);

// A formula for the builder, and the place of its first character.
void reader_read_formula(modelReader *reader, const yamlNode *node, baseDimension expected,
                         const char **text, artPlace *place);

void reader_read_orientation(modelReader *reader, const yamlNode *node, double rotation[4]);
void reader_read_law(modelReader *reader, const fieldKey *key, const yamlNode *node,
                     artLawDef *law);
void reader_read_six(modelReader *reader, const yamlNode *node, double out[6]);
void reader_read_six_by_six(modelReader *reader, const fieldKey *key, const yamlNode *node,
                            double out[36]);
void reader_read_six_laws(modelReader *reader, const fieldKey *key, const yamlNode *node,
                          artLawDef out[6]);
void reader_read_rows(modelReader *reader, const yamlNode *node, baseDimension x, baseDimension f,
                      fieldRows *rows);

//---- parameters, files (reader_parameter.c, reader_include.c) ------------------------------------

// Let the names that a file asks for represent what `given` says, in the scope of the including file;
// NULL: nothing is given (reader_names.c).
void reader_read_names(modelReader *reader, const readerFile *file, const yamlNode *given);

// Evaluate the parameters of a file; `given` are those that the including file sets.
void reader_read_parameters(modelReader *reader, readerFile *file, const yamlNode *given);

// The keys of a parameter that is a mapping, whose node is that of its value from then on (parameter_def.c).
void reader_read_parameter(modelReader *reader, readerParameter *parameter);

// Read the limits of the parameters of the file at work, which have their values, and check these.
void reader_check_limits(modelReader *reader, const yamlNode *section);

// The value of a formula whose names are parameters; one that is not quoted may have been cut at a comma.
void reader_evaluate(modelReader *reader, const char *text, artPlace place, bool is_quoted,
                     baseDimension expected, double *value, baseDimension *found);

// Another value of a parameter, which is a number from then on; the value that its formula has with the values of now. 0: that
// has to be said by somebody who reads all of them.
int reader_set_parameter(readerParameter *p, double value);
int reader_follow_parameter(modelReader *reader, readerParameter *p);

// The parameter of a file, or NULL.
readerParameter *reader_find_parameter(const readerFile *file, const char *name);

//---- numbers that stay functions of parameters (reader_live.c) -----------------------------------

// The number that was read last stands here.
void reader_keep_live(modelReader *reader, double *number);

// Does one of the numbers that have been read come from parameters?
int reader_is_live(const modelReader *reader, int n, const double *numbers);

// The formula of a number in parentheses, or its value with the unit.
const char *reader_live_text(modelReader *reader, const double *number, const char *unit);

// A number that is computed from others of the file in scope, by this formula.
void reader_compose(modelReader *reader, double *number, artPlace place, const char *format, ...)
    ART_PRINTF(4, 5);

// Parse the formulas of all parameters and numbers, with parameters as slots.
void reader_parse_live(modelReader *reader, const readerFile *file);

//---- files ---------------------------------------------------------------------------------------

// The text of a file, which another program may have written in a format of its own; for mem_free.
artStatus reader_load_bytes(const char *path, char **text, size_t *length, artError *error);

// Load the file and all that it includes into the arena.
void reader_load_text(modelReader *reader, const char *name, const char *text, size_t length,
                      readerFile **file);
void reader_load_includes(modelReader *reader, readerFile *file);
void reader_check_sections(const readerFile *file);

// A path as written in the file that is being read, relative to its folder; NULL when memory ran out.
const char *reader_path(modelReader *reader, const char *path);

// The mesh of a file; the place is that of its name.
void reader_load_mesh(modelReader *reader, const char *path, artPlace place, modelMesh *mesh);

//---- sections ------------------------------------------------------------------------------------

void reader_read_gravity(modelReader *reader, const yamlNode *section);
void reader_read_ground(modelReader *reader, const yamlNode *section);
void reader_read_visual(modelReader *reader, const char *body, const yamlNode *node);
void reader_read_solids(modelReader *reader, const yamlNode *node, artBodyDef *body);
void reader_read_curves(modelReader *reader, const yamlNode *section);
void reader_read_initial(modelReader *reader, const yamlNode *section);
void reader_read_guess(modelReader *reader, const yamlNode *section);
void reader_read_live(modelReader *reader, const yamlNode *section); // slider_def.c
void reader_read_assembly(modelReader *reader, const yamlNode *section);
void reader_read_outputs(modelReader *reader, const yamlNode *section);
void reader_read_study(modelReader *reader, const yamlNode *section);
void reader_read_studies(modelReader *reader, const yamlNode *section);

//---- coordinates (reader_coordinate.c) -----------------------------------------------------------

// Remember a joint; find the type of one by its name as written in this file, or -1.
void reader_add_joint(modelReader *reader, const char *name, artJointType type);
int reader_find_joint(const modelReader *reader, const char *name);

// Is "pin.angle", or "pin" alone, a length or an angle?
fieldAxis reader_axis_of(const modelReader *reader, const char *coordinate);

//---- the forms, for schema and documentation -----------------------------------------------------

// The tasks of a pass over the files. The first file gives settings of the whole; an included
// file may have them for when it is used alone.
typedef enum readerPass { PASS_LOAD, PASS_MACHINE, PASS_ACTION, PASS_WHOLE, PASSES } readerPass;

// A section of a file: its key, when it is read and by whom, its definition in the schema. Items of a family are read
// by their field lists.
typedef struct readerSection {
  const char *key;
  readerPass pass;
  void (*read)(modelReader *reader, const yamlNode *section);
  const itemFamily *family;
  const char *definition;
  const char *help;
} readerSection;

// Ended by a section without a key.
extern const readerSection reader_sections[];

extern const fieldForm reader_form_body, reader_form_inertia, reader_form_ground,
    reader_form_include, reader_form_end, reader_form_drive, reader_form_assembly,
    reader_form_slider, reader_form_track, reader_form_parameter, reader_form_input,
    reader_form_state;

// By type, ended by NULL.
extern const fieldForm *const reader_forms_joint[];
extern const fieldForm *const reader_forms_coupling[];
extern const fieldForm *const reader_forms_latch[];
extern const fieldForm *const reader_forms_surface[];
extern const fieldForm *const reader_forms_visual[];
extern const fieldForm *const reader_forms_solid[];
extern const fieldForm *const reader_forms_road[];
extern const fieldForm *const reader_forms_tyre[];
extern const fieldForm *const reader_forms_force[];
extern const fieldForm *const reader_forms_block[], *const reader_forms_sensor[];

// Lists of studies (reader_study.c).
void reader_read_motion(modelReader *reader, const yamlNode *node, artMotions *motions);
void reader_read_actuators(modelReader *reader, const yamlNode *node, artNames *actuators);
void reader_read_independent(modelReader *reader, const yamlNode *node, const char **text);

//---- other cuts ----------------------------------------------------------------------------------

// A model file with other cuts than it says: joints by name, each with its new artJointDef.keep.
typedef struct readerCut {
  const char *joint;
  int keep;
} readerCut;
artStatus reader_load_recut(artModel **model, const char *path, int ncut, const readerCut *cut,
                            artError *error);

// The file of a model with its loops cut at these joints. ART_BAD_INPUT names a joint that is none, or is in no loop that
// the other cuts leave closed; messages name `who` asks for it.
artStatus reader_load_cut(artModel **out, const artModel *m, const char *path, int n,
                          const char *const *joint, const char *who, artError *error);


// The default of an input by a setting from outside; *is_known: there is one of that name (signal_def.c).
void reader_set_input(modelReader *reader, const char *name, double value, int *is_known);

#endif
