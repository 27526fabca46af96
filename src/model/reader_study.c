// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Initial values, outputs and studies of a model file.
#include "model/reader.h"
#include "model/study_words.h"

#include <math.h>
#include <string.h>


//---- initial values ------------------------------------------------------------------------------

// several coordinates under one key: {position: [1, 0, 2]} for x, y, z
typedef struct coordinateGroup {
  const char *key;
  keyQuantity quantity;
  const char *names[3];
} coordinateGroup;

static const coordinateGroup groups[] = {
    {"position", Q_LENGTH, {"x", "y", "z"}},
    {"velocity", Q_VELOCITY, {"vx", "vy", "vz"}},
    {"angular_velocity", Q_RATE, {"wx", "wy", "wz"}},
};

enum { NGROUP = sizeof groups / sizeof *groups };


static const readerCoordinate *find_coordinate(artJointType type, const char *name)
{
  for (const readerCoordinate *c = reader_coordinates(type); c->name; c++) {
    if (strcmp(c->name, name) == 0) return c;
  }
  return NULL;
}


static artStatus set_initial(modelReader *reader, const char *joint, const char *coordinate,
                             artPlace place, double value)
{
  const char *name = arena_format(&reader->arena, "%s.%s", joint, coordinate);
  if (!name) return base_no_memory(reader->error);
  const artStatus status = builder_at(reader->builder, place);
  if (status) return status;
  return reader->is_guess ? art_set_guess(reader->builder, name, value)
                          : art_set_initial(reader->builder, name, value);
}


static artStatus read_group(modelReader *reader, const char *joint, const coordinateGroup *group,
                            const yamlNode *node)
{
  double values[3];
  const baseDimension expected = field_dimension(group->quantity, AXIS_LINEAR);
  artStatus status = reader_read_vector(reader, node, expected, 3, values);
  for (int i = 0; i < 3 && !status; i++) {
    status = set_initial(reader, joint, group->names[i], node->place, values[i]);
  }
  return status;
}


static artStatus read_quaternion(modelReader *reader, const char *joint, const yamlNode *node)
{
  static const char *const names[4] = {"qw", "qx", "qy", "qz"};
  double values[4];
  artStatus status = reader_read_orientation(reader, node, values);
  for (int i = 0; i < 4 && !status; i++) {
    status = set_initial(reader, joint, names[i], node->place, values[i]);
  }
  return status;
}


static artStatus unknown_coordinate(modelReader *reader, artJointType type, const char *joint,
                                    const yamlNode *item)
{
  char hint[BASE_HINT_LENGTH], list[200] = "";
  baseNearest nearest = {.word = item->key, .context = "coordinate"};
  for (const readerCoordinate *c = reader_coordinates(type); c->name; c++) {
    base_consider(&nearest, c->name);
    strncat(list, list[0] ? ", " : "", sizeof list - strlen(list) - 1);
    strncat(list, c->name, sizeof list - strlen(list) - 1);
  }
  return READER_FAIL(reader, item->key_place,
                     "%s joint '%s' has no coordinate '%.60s'%s; it has %s",
                     art_joint_type_name(type), joint, item->key, base_hint(&nearest, hint),
                     list[0] ? list : "none");
}


static artStatus read_coordinate(modelReader *reader, artJointType type, const char *joint,
                                 const yamlNode *item)
{
  const readerCoordinate *coordinate = find_coordinate(type, item->key);
  if (coordinate) {
    double value = 0;
    const baseDimension expected = field_dimension(coordinate->quantity, AXIS_LINEAR);
    const artStatus status = reader_read_number(reader, item, expected, &value, NULL);
    return status ? status : set_initial(reader, joint, item->key, item->place, value);
  }
  for (int i = 0; i < NGROUP; i++) {
    if (strcmp(groups[i].key, item->key) == 0 && find_coordinate(type, groups[i].names[2])) {
      return read_group(reader, joint, &groups[i], item);
    }
  }
  if (strcmp(item->key, "orientation") == 0 && find_coordinate(type, "qw")) {
    return read_quaternion(reader, joint, item);
  }
  return unknown_coordinate(reader, type, joint, item);
}


static artStatus unknown_joint(modelReader *reader, const yamlNode *item)
{
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = item->key};
  for (int i = 0; i < reader->joints.size; i++) {
    if (reader->joints.entry[i].name) base_consider(&nearest, reader->joints.entry[i].name);
  }
  return READER_FAIL(reader, item->key_place, "there is no joint '%.60s'%s", item->key,
                     base_hint(&nearest, hint));
}


static artStatus read_values(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names of joints");
  for (const yamlNode *joint = section->first; joint && !status; joint = joint->next) {
    const int type = reader_find_joint(reader, joint->key);
    if (type < 0) return unknown_joint(reader, joint);
    status = reader_check_mapping(reader, joint, "coordinates and their values");
    for (const yamlNode *item = joint->first; item && !status; item = item->next) {
      status = read_coordinate(reader, (artJointType) type, joint->key, item);
    }
  }
  return status;
}


artStatus reader_read_initial(modelReader *reader, const yamlNode *section)
{
  reader->is_guess = false;
  return read_values(reader, section);
}


artStatus reader_read_guess(modelReader *reader, const yamlNode *section)
{
  reader->is_guess = true;
  return read_values(reader, section);
}


//---- assembly ------------------------------------------------------------------------------------

static const char *velocities_word(int i)
{
  static const char *const words[] = {"refuse", "project", NULL};
  return words[i];
}

// clang-format off
static const fieldKey assembly_keys[] = {
    {"velocities", KEY_CHOICE, .choice = velocities_word, .fallback = "refuse",
     .help = "initial velocities that contradict the loops: `refuse` them, or `project` them onto the nearest that do not"},
    {0}};
// clang-format on
const fieldForm reader_form_assembly = {.name = "assembly", .keys = assembly_keys};


artStatus reader_read_assembly(modelReader *reader, const yamlNode *section)
{
  int project = 0;
  artStatus status = builder_at(reader->builder, section->key_place);
  if (!status) status = reader_read_form(reader, &reader_form_assembly, section, &project);
  return status ? status : art_set_projection(reader->builder, project);
}


//---- outputs -------------------------------------------------------------------------------------

// the time stands in the first column of every table, once
static artStatus take_time(modelReader *reader, artPlace where, const char *text)
{
  if (strcmp(text, "time") != 0) {
    return READER_FAIL(reader, where,
                       "the output 'time' would be a second column of that name: the first one of "
                       "all results is the time; choose another name");
  }
  builder_name_time(reader->builder);
  return ART_OK;
}


// a reference ("pin.angle") or a formula ("= 2*pin.angle")
static artStatus read_output(modelReader *reader, const char *name, artPlace where,
                             const yamlNode *node)
{
  char found[YAML_PHRASE_LENGTH];
  if (node->kind != NODE_SCALAR || node->length == 0) {
    return READER_FAIL(reader, node->place,
                       "found %s, expected a reference like 'pin.angle' or a formula like "
                       "'= 2*pin.angle'",
                       yaml_describe(node, found));
  }
  const char *text = node->text;
  artPlace place = node->place;
  artStatus status = ART_OK;
  if (strcmp(name ? name : text, "time") == 0) return take_time(reader, where, text);
  if (text[0] == '=') {
    status = reader_read_formula(reader, node, UNIT_ANY, &text, &place);
  } else {
    place.column += node->quoted;
  }
  if (!status) status = builder_at(reader->builder, where);
  if (!status) status = builder_mark(reader->builder, "formula", place);
  return status ? status : art_add_output(reader->builder, name, text);
}


artStatus reader_read_outputs(modelReader *reader, const yamlNode *section)
{
  artStatus status = ART_OK;
  if (section->kind == NODE_SEQUENCE) {
    for (const yamlNode *item = section->first; item && !status; item = item->next) {
      status = read_output(reader, NULL, item->place, item);
    }
    return status;
  }
  status = reader_check_mapping(reader, section, "names of outputs (or a list of references)");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = reader_check_name(reader, item, "an output", false);
    if (!status) status = read_output(reader, item->key, item->key_place, item);
  }
  return status;
}


//---- studies -------------------------------------------------------------------------------------

typedef struct studyText {
  artStudyDef def;
  int method, integrator, algebra, redundant, newton, partition, projections;
  const yamlNode *motion, *actuators, *wheels, *held, *tyres, *independent;
  double steps, count; // whole numbers
  readerNumbers factors, delays;
} studyText;


static const char *travel_word(int i)
{
  static const char *const words[] = {"parallel", "opposite", NULL};
  return words[i];
}


// clang-format off
#define AT(field) offsetof(studyText, field)
#define TIME_KEYS                                                                                  \
  {"from", KEY_NUMBER, Q_TIME, .offset = AT(def.from), .fallback = "0", .help = "start time"},      \
  {"until", KEY_NUMBER, Q_TIME, .offset = AT(def.until), .fallback = "10", .help = "end time"},     \
  {"interval", KEY_NUMBER, Q_TIME, .above_zero = true, .offset = AT(def.interval),                 \
   .fallback = "follows the motion", .help = "between outputs"}
#define METHOD_KEY                                                                                 \
  {"method", KEY_CHOICE, .offset = AT(method), .choice = method_word, .fallback = "automatic",     \
   .help = "how accelerations are found; `automatic`: `order-n` for trees, `semirecursive` with loops; `index1` to `conserving`: natural coordinates; `generated`: equations compiled for the machine"}

#define NEAREST_KEY(text)                                                                          \
  {"nearest", KEY_FLAG, .offset = AT(def.nearest), .fallback = "false",                            \
   .help = text "the equilibrium nearest to the initial values, stable or not, instead of the stable one below them"}

#define SPEED_KEY(text)                                                                            \
  {"speed", KEY_NUMBER, Q_VELOCITY, .offset = AT(def.speed), .fallback = "0",                      \
   .help = text ", of a vehicle along its heading"}

static const fieldKey run_keys[] = {
    TIME_KEYS,
    METHOD_KEY,
    {"integrator", KEY_CHOICE, .offset = AT(integrator), .choice = integrator_word,
     .fallback = "dopri5",
     .help = "how time is stepped; not with `index1`, `index3`, `multi-index`, `conserving`, which bring their own rule"},
    {"algebra", KEY_CHOICE, .offset = AT(algebra), .choice = algebra_word, .fallback = "automatic",
     .help = "of method `semirecursive`: how the mass matrix of the independent coordinates is made and solved with, in `plain` C, which is `automatic`, `dense` by BLAS and LAPACK, `sparse` by factors of its pattern; of natural coordinates: `dense`, `sparse`, `automatic` by their number"},
    {"redundant", KEY_CHOICE, .offset = AT(redundant), .choice = redundant_word, .fallback = "drop",
     .help = "`semirecursive`: constraints that follow from others; `drop` them, or solve with all by `lu` of a rectangular matrix with full pivoting, or by sparse factors, LU of `umfpack` or QR of `spqr`"},
    {"partition", KEY_CHOICE, .offset = AT(partition), .choice = partition_word, .fallback = "symbolic",
     .help = "closed loops: how independent coordinates are chosen; `symbolic`: so that the others are solved for in small blocks, `pivoting`: by Gauss elimination with full pivoting"},
    {"independent", KEY_ACTUATORS, .offset = AT(independent), .fallback = "chosen",
     .help = "closed loops: the independent coordinates by hand, a joint standing for all of its own"},
    {"newton", KEY_CHOICE, .offset = AT(newton), .choice = newton_word, .fallback = "automatic",
     .help = "`bdf`: the linear equations of Newton's iteration; `dense`: with a full matrix, an evaluation for each unknown and n^3 operations; `krylov`: GMRES, an evaluation for each of a few iterations; `automatic`: `krylov` from 129 unknowns on"},
    {"step", KEY_NUMBER, Q_TIME, .above_zero = true, .offset = AT(def.step), .fallback = "automatic",
     .help = "step of `rk4`, which needs one; first step of the others. Natural coordinates: the step (`multi-index`: the first), automatic is 1 ms or a thousandth of the duration, whichever is shorter"},
    {"at_equilibrium", KEY_FLAG, .offset = AT(def.at_equilibrium), .fallback = "false",
     .help = "begin at the equilibrium, the one that `equil` finds"},
    NEAREST_KEY("with `at_equilibrium`, "),
    SPEED_KEY("with `at_equilibrium`, steady motion at this speed instead of rest"),
    {"tolerance", KEY_NUMBER, .offset = AT(def.tolerance), .fallback = "1e-8",
     .help = "relative error allowed in a step; the absolute one is a thousandth of it. Natural coordinates: a tenth of it, times the machine's size, ends the iterations"},
    {"alpha", KEY_NUMBER, Q_DECAY, .offset = AT(def.alpha), .fallback = "10",
     .help = "`recursive`, `augmented`: Baumgarte's damping of loops that are open, phi'' + 2 alpha phi' + beta^2 phi = 0; usual are 1 to 20 1/s"},
    {"beta", KEY_NUMBER, Q_DECAY, .offset = AT(def.beta), .fallback = "10", .help = "`recursive`, `augmented`: his stiffness; beta = alpha damps critically"},
    {"penalty", KEY_NUMBER, Q_MASS, .above_zero = true, .offset = AT(def.penalty), .fallback = "automatic",
     .help = "natural coordinates: of the augmented Lagrangian"},
    {"projections", KEY_CHOICE, .offset = AT(projections), .choice = projections_word, .fallback = "yes; `conserving`: no",
     .help = "natural coordinates, `recursive`, `augmented`: take out what leaves the constraints after a step; `tangent`, of natural coordinates: with the matrix of the last iteration"},
    {"spectral_radius", KEY_NUMBER, .offset = AT(def.spectral_radius), .fallback = "1",
     .help = "`index3`: generalised-alpha family, 0 (damps high frequencies at once) to 1 (trapezoidal rule)"},
    {"hht", KEY_NUMBER, .offset = AT(def.hht), .fallback = "0",
     .help = "`index3`: alpha of Hilber, Hughes and Taylor instead, -1/3 to 0"},
    {"energy_upper", KEY_NUMBER, .offset = AT(def.energy_upper), .fallback = "automatic",
     .help = "`multi-index`: a step with a larger relative error of the energy is taken again, shorter"},
    {"energy_lower", KEY_NUMBER, .offset = AT(def.energy_lower), .fallback = "automatic",
     .help = "`multi-index`: after a step with a smaller one the next is longer"},
    {"local_error", KEY_NUMBER, .above_zero = true, .offset = AT(def.steering.local), .fallback = "automatic",
     .help = "`multi-index`: error of the trapezoidal rule per second of motion above which a step is taken again, in units of the coordinates; automatic is 5e-5 over the duration, or none where `energy_upper` is given"},
    {"energy_scale", KEY_NUMBER, Q_TORQUE, .above_zero = true, .offset = AT(def.steering.energy), .fallback = "automatic",
     .help = "`multi-index`: J, to which errors of the energy relate; automatic is the largest kinetic energy, or weight times size, so far"},
    {"safety", KEY_NUMBER, .above_zero = true, .offset = AT(def.steering.safety), .fallback = "0.8",
     .help = "`multi-index`: the next step is (safety · allowed / found error)^(1/2) times as long; less makes fewer steps fail and all shorter"},
    {"growth", KEY_NUMBER, .above_zero = true, .offset = AT(def.steering.growth), .fallback = "2",
     .help = "`multi-index`: largest factor from one step to the next"},
    {"shrink", KEY_NUMBER, .above_zero = true, .offset = AT(def.steering.shrink), .fallback = "0.1",
     .help = "`multi-index`: least factor when a step is taken again, at most 0.5"},
    {"longest_step", KEY_NUMBER, Q_TIME, .above_zero = true, .offset = AT(def.steering.longest), .fallback = "automatic",
     .help = "`multi-index`: automatic is 10 ms or a hundredth of the duration, whichever is shorter"},
    {"shortest_step", KEY_NUMBER, Q_TIME, .above_zero = true, .offset = AT(def.steering.shortest), .fallback = "automatic",
     .help = "`multi-index`: taken whatever its error; automatic is 1e-4 of the longest"},
    {"leave_index3", KEY_NUMBER, Q_TIME, .above_zero = true, .offset = AT(def.steering.leave_3), .fallback = "0.1 ms",
     .help = "`multi-index`: steps below are taken by index 1, which needs no penalty against the step"},
    {"leave_index1", KEY_NUMBER, Q_TIME, .above_zero = true, .offset = AT(def.steering.leave_1), .fallback = "twice `leave_index3`",
     .help = "`multi-index`: steps above are taken by index 3 again; a distance between the two keeps the index from alternating"},
    {"reductions", KEY_NUMBER, .above_zero = true, .offset = AT(def.steering.reductions), .fallback = "5",
     .help = "`multi-index`: of one step in a row, after which index 3 gives way to index 1"},
    {0}};
static const fieldKey equil_keys[] = {
    METHOD_KEY,
    NEAREST_KEY(""),
    SPEED_KEY("steady motion at this speed instead of rest"),
    {0}};
static const fieldKey linear_keys[] = {
    METHOD_KEY,
    {"at_equilibrium", KEY_FLAG, .offset = AT(def.at_equilibrium), .fallback = "false",
     .help = "linearise at the equilibrium, the one that `equil` finds; else at the initial state"},
    NEAREST_KEY("with `at_equilibrium`, "),
    SPEED_KEY("with `at_equilibrium`, steady motion at this speed instead of rest"),
    {0}};
static const fieldKey inverse_keys[] = {
    TIME_KEYS,
    {"motion", KEY_MOTION, .offset = AT(motion),
     .help = "formulas of time for coordinates (`pin.angle`, or `pin`); the others keep their initial values"},
    {"actuators", KEY_ACTUATORS, .offset = AT(actuators), .fallback = "the independent coordinates",
     .help = "with closed loops: the coordinates whose forces make the motion"},
    {0}};
static const fieldKey kinematics_keys[] = {
    {"wheels", KEY_NAMES, .need = REQUIRED, .offset = AT(wheels),
     .help = "frames of the wheels that are moved: origin the wheel centre, y the spin axis, pointing left"},
    {"hold", KEY_NAMES, .offset = AT(held), .fallback = "none",
     .help = "joints that keep their positions: the body's, the steering's, those of brakes that are locked"},
    {"bump", KEY_NUMBER, Q_LENGTH, .offset = AT(def.bump), .fallback = "80 mm", .help = "how far wheel centres go up"},
    {"rebound", KEY_NUMBER, Q_LENGTH, .offset = AT(def.rebound), .fallback = "80 mm", .help = "how far they go down"},
    {"steps", KEY_NUMBER, .offset = AT(steps), .fallback = "8", .help = "each way"},
    {"travel", KEY_CHOICE, .offset = AT(def.is_opposite), .choice = travel_word, .fallback = "parallel",
     .help = "`opposite`: wheels of the other side go the other way"},
    {"radius", KEY_NUMBER, Q_LENGTH, .offset = AT(def.radius), .fallback = "0",
     .help = "the point where loads act and where the track is measured lies so far below the wheel centre, in the wheel's plane"},
    {"longitudinal", KEY_NUMBER, Q_FORCE, .offset = AT(def.longitudinal), .fallback = "0",
     .help = "load on every wheel along x; what it changes is reported at every travel"},
    {"lateral", KEY_NUMBER, Q_FORCE, .offset = AT(def.lateral), .fallback = "0", .help = "the same along y"},
    {"aligning", KEY_NUMBER, Q_TORQUE, .offset = AT(def.aligning), .fallback = "0", .help = "the same about z"},
    {0}};
static const fieldKey response_keys[] = {
    {"tyres", KEY_NAMES, .offset = AT(tyres), .fallback = "all", .help = "tyres under which the road goes up and down"},
    {"factors", KEY_NUMBERS, .offset = AT(factors), .fallback = "1 for each", .help = "how much of the motion each of these tyres gets; of all tyres, in the order of the file, when none is named"},
    {"delays", KEY_NUMBERS, Q_TIME, .offset = AT(delays), .fallback = "0 for each", .help = "how much later each gets it, as rear wheels do"},
    {"from", KEY_NUMBER, Q_FREQUENCY, .offset = AT(def.lowest), .fallback = "0.1 Hz", .help = "lowest frequency"},
    {"to", KEY_NUMBER, Q_FREQUENCY, .offset = AT(def.highest), .fallback = "50 Hz", .help = "highest frequency"},
    {"count", KEY_NUMBER, .offset = AT(count), .fallback = "200", .help = "of frequencies, each the same factor above the one before"},
    {"at_equilibrium", KEY_FLAG, .offset = AT(def.at_equilibrium), .fallback = "false",
     .help = "linearise at the equilibrium, the one that `equil` finds; else at the initial state"},
    NEAREST_KEY("with `at_equilibrium`, "),
    SPEED_KEY("with `at_equilibrium`, steady motion at this speed instead of rest"),
    {0}};

static const fieldForm run_form = {.name = "study", .type = "run", .keys = run_keys,
    .help = "Motion in time."};
static const fieldForm equil_form = {.name = "study", .type = "equil", .keys = equil_keys,
    .help = "Static equilibrium."};
static const fieldForm linear_form = {.name = "study", .type = "linear", .keys = linear_keys,
    .help = "Linearised matrices, eigenvalues, modes."};
static const fieldForm inverse_form = {.name = "study", .type = "inverse", .keys = inverse_keys,
    .help = "Forces along a given motion."};
static const fieldForm kinematics_form = {.name = "study", .type = "kinematics", .keys = kinematics_keys,
    .help = "Wheels of an axle through their travel, at rest: camber, toe, path, loads, and what loads on the wheels change."};
static const fieldForm response_form = {.name = "study", .type = "response", .keys = response_keys,
    .help = "Frequency response from the height of the road under the tyres to all outputs."};
// clang-format on

// in the order of artStudyType
const fieldForm *const reader_forms_study[] = {
    &run_form, &equil_form, &linear_form, &inverse_form, &kinematics_form, &response_form, NULL,
};


static artStatus read_motion(modelReader *reader, const yamlNode *node, artStudyDef *def)
{
  artStatus status = reader_check_mapping(reader, node, "coordinates and formulas of time");
  if (status || node->count == 0) return status;
  artMotionDef *moves = arena_alloc(&reader->arena, (size_t) node->count, sizeof *moves);
  if (!moves) return base_no_memory(reader->error);

  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    artMotionDef *m = &moves[def->nmotion++];
    artPlace place;
    m->coordinate = item->key;
    status = reader_read_formula(
        reader, item, field_dimension(Q_X, reader_axis_of(reader, item->key)), &m->formula, &place);
    if (!status) status = builder_mark(reader->builder, item->key, place);
  }
  def->motion = moves;
  return status;
}


static artStatus read_actuators(modelReader *reader, const yamlNode *node, artStudyDef *def)
{
  char found[YAML_PHRASE_LENGTH];
  if (node->kind != NODE_SEQUENCE || node->count == 0) {
    return READER_FAIL(reader, node->place, "found %s, expected a list of coordinates, like [pin]",
                       yaml_describe(node, found));
  }
  const char **actuator = arena_alloc(&reader->arena, (size_t) node->count, sizeof *actuator);
  if (!actuator) return base_no_memory(reader->error);
  artStatus status = ART_OK;
  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    status = reader_read_text(reader, item, &actuator[def->nactuator++]);
  }
  def->actuator = actuator;
  return status;
}


static artStatus read_names(modelReader *reader, const yamlNode *node, int *n,
                            const char *const **names)
{
  if (!node) return ART_OK;
  const char **list = arena_alloc(&reader->arena, (size_t) node->count, sizeof *list);
  if (!list) return base_no_memory(reader->error);
  artStatus status = ART_OK;
  for (const yamlNode *item = node->first; item && !status; item = item->next) {
    status = reader_read_text(reader, item, &list[(*n)++]);
  }
  *names = list;
  return status;
}


static artStatus read_count(modelReader *reader, const yamlNode *node, const char *key,
                            double found, int *count)
{
  if (found == floor(found) && fabs(found) <= 1e6) {
    *count = (int) found;
    return ART_OK;
  }
  const yamlNode *item = node->first;
  while (strcmp(item->key, key) != 0) item = item->next;
  return READER_FAIL(reader, item->place, "found %g, expected a whole number up to a million",
                     found);
}


// a list in a file, a text from outside of one; as text with commas
static artStatus read_independent(modelReader *reader, const yamlNode *node, artStudyDef *def)
{
  char found[YAML_PHRASE_LENGTH];
  if (node->kind == NODE_SCALAR) {
    def->independent = node->text;
    return ART_OK;
  }
  if (node->kind != NODE_SEQUENCE || node->count == 0) {
    return READER_FAIL(reader, node->place,
                       "found %s, expected a list of joints or coordinates, like [pin]",
                       yaml_describe(node, found));
  }
  def->independent = "";
  for (const yamlNode *item = node->first; item; item = item->next) {
    const char *name = NULL;
    const artStatus status = reader_read_text(reader, item, &name);
    if (status) return status;
    def->independent = arena_format(&reader->arena, "%s%s%s", def->independent,
                                    def->independent[0] ? ", " : "", name);
    if (!def->independent) return base_no_memory(reader->error);
  }
  return ART_OK;
}


// lists and whole numbers of a study
static artStatus read_lists(modelReader *reader, const yamlNode *node, studyText *text)
{
  artStudyDef *def = &text->def;
  artStatus status = text->motion ? read_motion(reader, text->motion, def) : ART_OK;
  if (!status && text->actuators) status = read_actuators(reader, text->actuators, def);
  if (!status && text->independent) status = read_independent(reader, text->independent, def);
  if (!status) status = read_names(reader, text->wheels, &def->nwheel, &def->wheel);
  if (!status) status = read_names(reader, text->held, &def->nheld, &def->held);
  if (!status) status = read_names(reader, text->tyres, &def->ntyre, &def->tyre);
  if (!status) status = read_count(reader, node, "steps", text->steps, &def->travel_steps);
  if (!status) status = read_count(reader, node, "count", text->count, &def->nfrequency);
  def->nfactor = text->factors.n;
  def->factor = text->factors.x;
  def->ndelay = text->delays.n;
  def->delay = text->delays.x;
  return status;
}


// natural coordinates come with their own rule
static artStatus choose_integrator(modelReader *reader, const yamlNode *node, studyText *text)
{
  if (text->integrator < 0) return ART_OK;
  text->def.integrator = (artIntegrator) text->integrator;
  if (!art_method_is_natural(text->def.method)) return ART_OK;
  const yamlNode *item = node->first;
  while (strcmp(item->key, "integrator") != 0) item = item->next;
  return READER_FAIL(reader, item->place,
                     "method %s brings its own rule of integration and takes no integrator, found "
                     "%s; leave it out",
                     art_method_name(text->def.method), art_integrator_name(text->def.integrator));
}


// the keys of a study over those that it has
static artStatus read_keys(modelReader *reader, const yamlNode *node, studyText *text)
{
  artStudyDef *def = &text->def;
  text->method = (int) def->method;
  text->integrator = -1;
  text->algebra = (int) def->algebra;
  text->redundant = (int) def->redundant;
  text->newton = (int) def->newton;
  text->partition = (int) def->partition;
  text->projections = (int) def->projections;
  text->steps = def->travel_steps;
  text->count = def->nfrequency;
  artStatus status = reader_read_form(reader, reader_forms_study[def->type], node, text);
  if (!status) status = read_lists(reader, node, text);
  if (status) return status;
  def->method = (artMethod) text->method;
  def->algebra = (artAlgebra) text->algebra;
  def->redundant = (artRedundant) text->redundant;
  def->newton = (artNewton) text->newton;
  def->partition = (artPartition) text->partition;
  def->projections = (artProjections) text->projections;
  return choose_integrator(reader, node, text);
}


static artStatus add_study(modelReader *reader, const yamlNode *node, const char *name)
{
  int type = 0;
  studyText text = {.def = art_default_study()};
  artStatus status = reader_choose_form(reader, reader_forms_study, node, &type);
  if (!status) status = builder_at(reader->builder, node->key_place);
  text.def.name = name;
  text.def.type = (artStudyType) type;
  if (!status) status = read_keys(reader, node, &text);
  return status ? status : art_add_study(reader->builder, &text.def);
}


artStatus reader_read_study(modelReader *reader, const yamlNode *section)
{
  return add_study(reader, section, "study");
}


artStatus reader_read_studies(modelReader *reader, const yamlNode *section)
{
  artStatus status = reader_check_mapping(reader, section, "names and keys of studies");
  for (const yamlNode *item = section->first; item && !status; item = item->next) {
    status = reader_check_name(reader, item, "a study", false);
    if (!status) status = add_study(reader, item, item->key);
  }
  return status;
}


//---- single keys from outside of a file ----------------------------------------------------------

// "key: value" as a mapping, which has no place in a file; lists would not outlive the call
static artStatus read_pair(modelReader *reader, const char *key, const char *value, yamlNode **root)
{
  char found[YAML_PHRASE_LENGTH];
  const char *line = arena_format(&reader->arena, "%s: %s\n", key, value);
  if (!reader->builder || !line) return base_no_memory(reader->error);
  const artStatus status =
      yaml_read_text(&reader->arena, key, line, strlen(line), root, reader->error);
  if (status) return status;
  yamlNode *item = (*root)->first;
  if ((*root)->count != 1 || strcmp(item->key, key) != 0 || item->kind != NODE_SCALAR) {
    return READER_FAIL(reader, base_nowhere(), "found %s for '%.60s', expected one number or word",
                       yaml_describe(item ? item : *root, found), key);
  }
  item->place = item->key_place = base_nowhere();
  return ART_OK;
}


artStatus art_set_study(artStudyDef *study, const char *key, const char *value, artError *error)
{
  ART_REQUIRE(study && key && value, error);
  artError trouble = {0};
  modelReader reader = {.builder = art_create_builder(), .error = &trouble};
  studyText text = {.def = *study};
  yamlNode *root = NULL;
  artStatus status = read_pair(&reader, key, value, &root);
  if (!status) status = read_keys(&reader, root, &text);
  if (!status) status = art_add_study(reader.builder, &text.def);
  if (status && !trouble.status) trouble = *builder_error(reader.builder);
  if (!status) *study = text.def;
  if (!status && text.independent) study->independent = value;
  if (status && error) *error = trouble;
  art_free_builder(reader.builder);
  arena_free(&reader.arena);
  return status;
}
