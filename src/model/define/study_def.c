// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Studies: the field list of each kind, from which follow its defaults, its keys in model files, its tables and most of
// its checks; and the checks that look at several fields.
#include "model/define/study_def.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/methods.h"


//---- fields --------------------------------------------------------------------------------------

FIELD_WORDS(travel_word, "parallel", "opposite")


// clang-format off
#define TIME_KEYS(def)                                                                             \
  {"from", KEY_NUMBER, Q_TIME, .offset = offsetof(def, from), .fallback = "0", .help = "start time"}, \
  {"until", KEY_NUMBER, Q_TIME, .offset = offsetof(def, until), FALLBACK(10), .help = "end time"}, \
  {"interval", KEY_NUMBER, Q_TIME, .above_zero = true, .range = RANGE_NOT_NEGATIVE,                \
   .offset = offsetof(def, interval), .fallback = "follows the motion", .help = "between outputs"}

#define METHOD_KEY(def)                                                                            \
  {"method", KEY_METHOD, .offset = offsetof(def, method), .beside = offsetof(def, backend), .choice = method_word, .fallback = "automatic", \
   .help = "{automatic}: {usual trees} for trees, {usual loops} with loops; {natural}: natural coordinates; {compiled}: equations compiled for the machine"}, \
  {"backend", KEY_CHOICE, .offset = offsetof(def, backend), .choice = backend_word, .fallback = "numeric", \
   .help = "of {automatic}: `numeric`, by the library; `generated`, as `method: generated`"}

#define START_KEYS(def, text)                                                                      \
  {"nearest", KEY_FLAG, .offset = offsetof(def, start.nearest), .fallback = "false",               \
   .help = text "the nearest equilibrium, stable or not, instead of the stable one below"}, \
  {"speed", KEY_NUMBER, Q_VELOCITY, .offset = offsetof(def, start.speed), .fallback = "0",         \
   .help = text "steady motion of a vehicle at this speed along its heading"}

#define DESIGN_KEY                                                                                 \
  {"design", KEY_DESIGN, .fallback = "none",                                                       \
   .help = "parameters that programs vary and improve"}

#define STEER(field)                                                                               \
  .offset = offsetof(artRunDef, field), .range = RANGE_NOT_NEGATIVE, .methods = METHOD_STEERED

static const fieldKey run_keys[] = {
    TIME_KEYS(artRunDef),
    METHOD_KEY(artRunDef),
    {"integrator", KEY_CHOICE, .offset = offsetof(artRunDef, integrator), .choice = integrator_word,
     .value = ART_INTEGRATOR_AUTOMATIC, .fallback = "automatic",
     .help = "`automatic`: `dopri5`, and `bdf` from where the motion proves stiff; {natural} have their own rule"},
    {"algebra", KEY_CHOICE, .offset = offsetof(artRunDef, algebra), .choice = algebra_word, .fallback = "automatic",
     .help = "{reduced}: the reduced mass matrix in `plain` C (`automatic`), `dense` by BLAS and LAPACK, or `sparse`; natural coordinates: `dense`, `sparse`, `automatic` by their number"},
    {"redundant", KEY_CHOICE, .offset = offsetof(artRunDef, redundant), .methods = METHOD_REDUCED, .choice = redundant_word, .fallback = "drop",
     .help = "{reduced}: `drop` constraints that follow from others, or solve with all by `lu` with full pivoting, by sparse LU (`umfpack`) or QR (`spqr`)"},
    {"partition", KEY_CHOICE, .offset = offsetof(artRunDef, partition), .methods = METHOD_PARTITION, .choice = partition_word, .fallback = "symbolic",
     .help = "closed loops: choice of independent coordinates, `symbolic`: for small blocks, `pivoting`: by full pivoting"},
    {"independent", KEY_INDEPENDENT, .offset = offsetof(artRunDef, independent), .methods = METHOD_PARTITION, .fallback = "chosen",
     .help = "closed loops: independent coordinates by hand; a joint means all its own"},
    {"newton", KEY_CHOICE, .offset = offsetof(artRunDef, newton), .choice = newton_word, .fallback = "automatic",
     .help = "`bdf`: Newton's equations with a `dense` matrix, an evaluation for each unknown, or by `krylov` (GMRES), one for each of a few iterations; `automatic`: `krylov` from 129 unknowns on"},
    {"step", KEY_NUMBER, Q_TIME, .above_zero = true, .offset = offsetof(artRunDef, step), .range = RANGE_NOT_NEGATIVE, .fallback = "automatic",
     .help = "step of `rk4`, which needs one; first step of the others. Natural coordinates: the step ({steered}: the first), automatic is 1 ms or a thousandth of the duration, whichever is shorter"},
    {"at_equilibrium", KEY_FLAG, .offset = offsetof(artRunDef, start.at_equilibrium), .fallback = "false",
     .help = "begin at the equilibrium of `equil`"},
    START_KEYS(artRunDef, "with `at_equilibrium`, "),
    {"tolerance", KEY_NUMBER, .offset = offsetof(artRunDef, tolerance), FALLBACK(1e-8), .range = RANGE_POSITIVE,
     .help = "relative error of a step; the absolute one is a thousandth, in units of the machine. Natural coordinates: a tenth, times the machine's size, ends the iterations"},
    {"alpha", KEY_NUMBER, Q_DECAY, .offset = offsetof(artRunDef, alpha), FALLBACK(10), .range = RANGE_NOT_NEGATIVE,
     .methods = METHOD_STABILISED,
     .help = "{stabilised}: Baumgarte's damping of open loops, phi'' + 2 alpha phi' + beta^2 phi = 0; usual are 1 to 20 1/s. {index1} with `projections: baumgarte`: of all constraints"},
    {"beta", KEY_NUMBER, Q_DECAY, .offset = offsetof(artRunDef, beta), FALLBACK(10), .range = RANGE_NOT_NEGATIVE,
     .methods = METHOD_STABILISED, .help = "{stabilised}: his stiffness; beta = alpha damps critically"},
    {"penalty", KEY_NUMBER, Q_MASS, .above_zero = true, .offset = offsetof(artRunDef, penalty), .range = RANGE_NOT_NEGATIVE, .methods = METHOD_NATURAL, .fallback = "automatic",
     .help = "natural coordinates: of the augmented Lagrangian"},
    {"projections", KEY_CHOICE, .offset = offsetof(artRunDef, projections), .methods = METHOD_PROJECTS, .choice = projections_word, .fallback = "yes; {conserving}: no",
     .help = "natural coordinates, {stabilised}: return to the constraints after a step; natural coordinates also with the matrix of the last iteration (`tangent`), {index1} by `alpha` and `beta` alone (`baumgarte`)"},
    {"spectral_radius", KEY_NUMBER, .offset = offsetof(artRunDef, spectral_radius), FALLBACK(1), .methods = METHOD_DAMPED,
     .help = "{damped}: generalised-alpha family, 0 (damps high frequencies at once) to 1 (trapezoidal rule)"},
    {"hht", KEY_NUMBER, .offset = offsetof(artRunDef, hht), .fallback = "0", .methods = METHOD_DAMPED,
     .help = "{damped}: alpha of Hilber, Hughes and Taylor instead, -1/3 to 0"},
    {"whole_steps", KEY_FLAG, .offset = offsetof(artRunDef, whole_steps), .methods = METHOD_PACED, .fallback = "false",
     .help = "{paced}: step as published rules do: locate no event, divide and repeat no step; one that does not converge ends the run"},
    {"iterations", KEY_COUNT, .offset = offsetof(artRunDef, iterations), .methods = METHOD_NATURAL, .fallback = "automatic",
     .help = "natural coordinates: most iterations in a step; 0 is automatic"},
    {"forces_at_ends", KEY_FLAG, .offset = offsetof(artRunDef, forces_at_ends), .methods = METHOD_BETWEEN, .fallback = "false",
     .help = "{conserving}: forces without a potential as the mean of both ends of a step, as published, instead of those at its middle"},
    {"energy_upper", KEY_NUMBER, STEER(energy_upper), .fallback = "automatic",
     .help = "{steered}: relative error of the energy above which a step is repeated"},
    {"energy_lower", KEY_NUMBER, STEER(energy_lower), .fallback = "automatic",
     .help = "{steered}: the one below which the next step is longer"},
    {"local_error", KEY_NUMBER, .above_zero = true, STEER(steering.local), .fallback = "automatic",
     .help = "{steered}: error of the trapezoidal rule per second above which a step is repeated, in units of the coordinates; automatic: 5e-5 over the duration, or none with `energy_upper`"},
    {"energy_scale", KEY_NUMBER, Q_TORQUE, .above_zero = true, STEER(steering.energy), .fallback = "automatic",
     .help = "{steered}: J, to which errors of the energy relate; automatic: the largest kinetic energy, or weight times size, so far"},
    {"safety", KEY_NUMBER, .above_zero = true, STEER(steering.safety), .fallback = "0.8",
     .help = "{steered}: the next step is (safety · allowed / found error)^(1/2) times as long"},
    {"growth", KEY_NUMBER, .above_zero = true, STEER(steering.growth), .fallback = "2",
     .help = "{steered}: largest factor from one step to the next"},
    {"shrink", KEY_NUMBER, .above_zero = true, STEER(steering.shrink), .fallback = "0.1",
     .help = "{steered}: least factor of a repeated step, at most 0.5"},
    {"longest_step", KEY_NUMBER, Q_TIME, .above_zero = true, STEER(steering.longest), .fallback = "automatic",
     .help = "{steered}: automatic is 10 ms"},
    {"shortest_step", KEY_NUMBER, Q_TIME, .above_zero = true, STEER(steering.shortest), .fallback = "automatic",
     .help = "{steered}: taken whatever its error; automatic: 1e-4 of the longest, or 1e-6 of the duration if shorter"},
    {"leave_index3", KEY_NUMBER, Q_TIME, .above_zero = true, STEER(steering.leave_3), .fallback = "0.1 ms",
     .help = "{steered}: steps below are taken by index 1"},
    {"leave_index1", KEY_NUMBER, Q_TIME, .above_zero = true, STEER(steering.leave_1), .fallback = "twice `leave_index3`",
     .help = "{steered}: steps above are taken by index 3 again"},
    {"reductions", KEY_NUMBER, .above_zero = true, STEER(steering.reductions), .fallback = "5",
     .help = "{steered}: of one step in a row, after which index 3 gives way to index 1"},
    DESIGN_KEY,
    {0}};
static const fieldKey equil_keys[] = {
    METHOD_KEY(artEquilDef),
    START_KEYS(artEquilDef, ""),
    DESIGN_KEY,
    {0}};
static const fieldKey linear_keys[] = {
    METHOD_KEY(artLinearDef),
    {"at_equilibrium", KEY_FLAG, .offset = offsetof(artLinearDef, start.at_equilibrium), .fallback = "false",
     .help = "linearise at the equilibrium of `equil`, else at the initial state"},
    START_KEYS(artLinearDef, "with `at_equilibrium`, "),
    DESIGN_KEY,
    {0}};
static const fieldKey inverse_keys[] = {
    TIME_KEYS(artInverseDef),
    {"motion", KEY_MOTION, .offset = offsetof(artInverseDef, motion),
     .help = "formulas of time for coordinates; the others keep their initial values"},
    {"actuators", KEY_ACTUATORS, .offset = offsetof(artInverseDef, actuators), .fallback = "the independent coordinates",
     .help = "with closed loops: the coordinates whose forces make the motion"},
    DESIGN_KEY,
    {0}};
static const fieldKey kinematics_keys[] = {
    {"wheels", KEY_NAME_LIST, .need = REQUIRED, .offset = offsetof(artKinematicsDef, wheels),
     .help = "frames of the wheels that are moved: origin the wheel centre, y the spin axis, pointing left"},
    {"hold", KEY_NAME_LIST, .offset = offsetof(artKinematicsDef, hold), .fallback = "none",
     .help = "joints that keep their positions: of the body, of the steering, of locked brakes"},
    {"bump", KEY_NUMBER, Q_LENGTH, .offset = offsetof(artKinematicsDef, bump), .value = 0.08, .fallback = "80 mm", .range = RANGE_NOT_NEGATIVE, .help = "how far wheel centres go up"},
    {"rebound", KEY_NUMBER, Q_LENGTH, .offset = offsetof(artKinematicsDef, rebound), .value = 0.08, .fallback = "80 mm", .range = RANGE_NOT_NEGATIVE, .help = "how far they go down"},
    {"steps", KEY_COUNT, .offset = offsetof(artKinematicsDef, steps), FALLBACK(8), .help = "each way"},
    {"travel", KEY_CHOICE, .offset = offsetof(artKinematicsDef, is_opposite), .choice = travel_word, .fallback = "parallel",
     .help = "`opposite`: wheels of the other side go the other way"},
    {"radius", KEY_NUMBER, Q_LENGTH, .offset = offsetof(artKinematicsDef, radius), .fallback = "0", .range = RANGE_NOT_NEGATIVE,
     .help = "depth below the wheel centre, in the wheel's plane, of the point of loads and track"},
    {"longitudinal", KEY_NUMBER, Q_FORCE, .offset = offsetof(artKinematicsDef, longitudinal), .fallback = "0",
     .help = "load on every wheel along x"},
    {"lateral", KEY_NUMBER, Q_FORCE, .offset = offsetof(artKinematicsDef, lateral), .fallback = "0", .help = "the same along y"},
    {"aligning", KEY_NUMBER, Q_TORQUE, .offset = offsetof(artKinematicsDef, aligning), .fallback = "0", .help = "the same about z"},
    DESIGN_KEY,
    {0}};
static const fieldKey response_keys[] = {
    METHOD_KEY(artResponseDef),
    {"tyres", KEY_NAME_LIST, .offset = offsetof(artResponseDef, tyres), .fallback = "all", .help = "tyres under which the road goes up and down"},
    {"factors", KEY_NUMBERS, .offset = offsetof(artResponseDef, factors), .fallback = "1 for each", .help = "share of the motion of each of these tyres, or of all in the order of the file"},
    {"delays", KEY_NUMBERS, Q_TIME, .offset = offsetof(artResponseDef, delays), .fallback = "0 for each", .help = "how much later each gets it, as rear wheels do"},
    {"from", KEY_NUMBER, Q_FREQUENCY, .offset = offsetof(artResponseDef, from), .value = 0.1, .fallback = "0.1 Hz", .range = RANGE_POSITIVE, .help = "lowest frequency"},
    {"to", KEY_NUMBER, Q_FREQUENCY, .offset = offsetof(artResponseDef, to), .value = 50, .fallback = "50 Hz", .range = RANGE_POSITIVE, .help = "highest frequency"},
    {"count", KEY_COUNT, .offset = offsetof(artResponseDef, count), FALLBACK(200), .help = "of frequencies, in equal ratios"},
    {"at_equilibrium", KEY_FLAG, .offset = offsetof(artResponseDef, start.at_equilibrium), .fallback = "false",
     .help = "linearise at the equilibrium of `equil`, else at the initial state"},
    START_KEYS(artResponseDef, "with `at_equilibrium`, "),
    DESIGN_KEY,
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
const fieldForm *const model_forms_study[] = {
    &run_form, &equil_form, &linear_form, &inverse_form, &kinematics_form, &response_form, NULL,
};


//---- defaults and single fields ------------------------------------------------------------------

#define DEFAULT(type, kind)                                                                        \
  type art_default_##kind(void)                                                                    \
  {                                                                                                \
    type def;                                                                                      \
    memset(&def, 0, sizeof def);                                                                   \
    field_set_defaults(&kind##_form, &def);                                                        \
    return def;                                                                                    \
  }
DEFAULT(artRunDef, run)
DEFAULT(artEquilDef, equil)
DEFAULT(artLinearDef, linear)
DEFAULT(artInverseDef, inverse)
DEFAULT(artKinematicsDef, kinematics)
DEFAULT(artResponseDef, response)


artStudyDef art_default_study(artStudyType type)
{
  artStudyDef study;
  memset(&study, 0, sizeof study);
  study.name = "study";
  ART_REQUIRE_OR(type >= 0 && type < ART_STUDY_TYPES, study);
  study.type = type;
  field_set_defaults(model_forms_study[type], &study.run);
  return study;
}


int art_method_reads(artMethod method, const char *key)
{
  ART_REQUIRE_OR(key, 0);
  const fieldKey *k = run_keys;
  while (k->name && strcmp(k->name, key) != 0) k++;
  return !k->name || !k->methods || model_method_has((int) method, k->methods);
}


void *model_study_field(artStudyDef *study, const char *key)
{
  const fieldKey *k = model_forms_study[study->type]->keys;
  while (k->name && strcmp(k->name, key) != 0) k++;
  return k->name ? (char *) &study->run + k->offset : NULL;
}


//---- names in one text ----------------------------------------------------------------------------

static const char SEPARATORS[] = ", \t\n";


int model_has_names(const char *text)
{
  return text && text[strspn(text, SEPARATORS)] != '\0';
}


const char *model_next_name(const char **text, char name[MODEL_NAME_LENGTH])
{
  const char *begin = *text + strspn(*text, SEPARATORS);
  const size_t length = strcspn(begin, SEPARATORS);
  *text = begin + length;
  if (length == 0) return NULL;
  snprintf(name, MODEL_NAME_LENGTH, "%.*s", (int) length, begin);
  return name;
}


//---- checks of single fields ---------------------------------------------------------------------

static void check_listed_names(const fieldCheck *c, const char *key, const artNames *names)
{
  field_check_list(c, key, names->count, names->name);
  for (int i = 0; i < names->count; i++) {
    if (names->name[i] && names->name[i][0]) continue;
    field_refuse(c, key, "name %d of '%s' is missing", i + 1, key);
  }
}


static void check_method(const fieldCheck *c, artMethod method, artBackend backend)
{
  field_check_member(c, "method", (int) method, 0, ART_METHODS - 1);
  if (backend == ART_BACKEND_ASKED) {
    field_refuse(c, "backend",
                 "the model file asks for compiled equations, and a file cannot start a compiler; "
                 "ask for them in the call: --method generated, method=\"generated\" in Python, "
                 "backend = ART_BACKEND_GENERATED in C");
  }
  if (method == ART_AUTOMATIC || backend != ART_BACKEND_GENERATED) return;
  field_refuse(c, "backend",
               "backend %s belongs to method %s; the study goes by method %s, which is evaluated "
               "in numbers",
               art_backend_name(backend), art_method_name(ART_AUTOMATIC), art_method_name(method));
}


static void check_study_field(const fieldCheck *c, const fieldKey *key, const void *def)
{
  const void *field = (const char *) def + key->offset;
  const artNumbers *numbers = field;
  const artMotions *motions = field;
  int words = 0;
  switch (key->type) {
  case KEY_NUMBER: field_check_number(c, key, key->name, *(const double *) field); break;
  case KEY_CHOICE:
    while (key->choice(words)) words++;
    field_check_member(c, key->name, *(const int *) field, 0, words - 1);
    break;
  case KEY_METHOD:
    check_method(c, *(const artMethod *) field,
                 *(const artBackend *) (const void *) ((const char *) def + key->beside));
    break;
  case KEY_NAME_LIST:
  case KEY_ACTUATORS: check_listed_names(c, key->name, field); break;
  case KEY_NUMBERS:
    field_check_list(c, key->name, numbers->count, numbers->value);
    field_check_finite(c, key->name, numbers->count, numbers->value);
    break;
  case KEY_MOTION: field_check_list(c, key->name, motions->count, motions->item); break;
  default: break;
  }
}


//---- checks of several fields --------------------------------------------------------------------

static void check_study_span(const fieldCheck *c, double from, double until)
{
  if (until >= from) return;
  field_refuse(c, "until", "the study ends at %g s, before it starts at %g s", until, from);
}


// limits that contradict each other would never let a step be taken, or the index alternate
static void check_steering(const fieldCheck *c, const artRunDef *def)
{
  const artSteering *s = &def->steering;
  const struct {
    const char *key, *what;
    double value, least, most;
  } range[] = {{"safety", "a factor of at most 1", s->safety, 0, 1},
               {"growth", "a factor of at least 1", s->growth, 1, HUGE_VAL},
               {"shrink", "a factor of at most 0.5", s->shrink, 0, 0.5},
               {"reductions", "a number of steps, 1 to 1000", s->reductions, 1, 1000},
               {"shortest_step", "no more than longest_step", s->shortest, 0,
                s->longest > 0 ? s->longest : HUGE_VAL},
               {"leave_index1", "no less than leave_index3, or the index would alternate",
                s->leave_1, s->leave_3 > 0 ? s->leave_3 : 1e-4, HUGE_VAL},
               {"energy_lower", "less than energy_upper", def->energy_lower, 0,
                def->energy_upper > 0 ? nextafter(def->energy_upper, 0) : HUGE_VAL}};
  for (size_t i = 0; i < sizeof range / sizeof *range; i++) {
    const double x = range[i].value;
    if (x == 0 || (x >= range[i].least && x <= range[i].most)) continue;
    field_refuse(c, range[i].key, "'%s' is %g, expected %s", range[i].key, x, range[i].what);
  }
}


static void check_run(const fieldCheck *c, const artRunDef *def)
{
  check_study_span(c, def->from, def->until);
  if (!art_method_is_natural(def->method) && art_integrator_is_fixed(def->integrator) &&
      def->step == 0) {
    field_refuse(c, "integrator", "%s takes fixed steps: give a step, for example 1 ms",
                 art_integrator_name(def->integrator));
  }
  if (model_has_names(def->independent) && def->partition != ART_PARTITION_SYMBOLIC) {
    field_refuse(c, "independent",
                 "the independent coordinates are given by hand and by partition: %s; leave out "
                 "one of them",
                 art_partition_name(def->partition));
  }
  if (def->spectral_radius < 0 || def->spectral_radius > 1) {
    field_refuse(c, "spectral_radius",
                 "the spectral radius is %g, expected 0 (all damping) to 1 (none)",
                 def->spectral_radius);
  }
  if (def->hht < -1.0 / 3 || def->hht > 0) {
    field_refuse(c, "hht", "hht is %g, expected -1/3 (all damping) to 0 (none)", def->hht);
  }
  if (def->hht != 0 && def->spectral_radius != 1) {
    field_refuse(c, "hht",
                 "hht and spectral_radius are two ways to say how a rule damps; give one");
  }
  check_steering(c, def);
}


static void check_kinematics(const fieldCheck *c, const artKinematicsDef *def)
{
  if (def->wheels.count < 1) {
    field_refuse(c, "wheels",
                 "found no wheels, expected frames of the wheels to move, like [hub_l, hub_r]");
  }
  if (def->steps < 1 || def->steps > 10000) {
    field_refuse(c, "steps", "found %d steps each way, expected 1 to 10000", def->steps);
  }
}


static void check_response(const fieldCheck *c, const artResponseDef *def)
{
  if (def->to > def->from && def->count >= 2 && def->count <= 1000000) return;
  field_refuse(c, "to", "found %d frequencies from %g Hz to %g Hz, expected 2 or more, ascending",
               def->count, def->from, def->to);
}


static void check_definition(const fieldCheck *c, artStudyType type, const void *def)
{
  const artInverseDef *inverse = def;
  for (const fieldKey *key = model_forms_study[type]->keys; key->name; key++) {
    check_study_field(c, key, def);
  }
  if (type == ART_RUN) check_run(c, def);
  if (type == ART_INVERSE) check_study_span(c, inverse->from, inverse->until);
  if (type == ART_KINEMATICS) check_kinematics(c, def);
  if (type == ART_RESPONSE) check_response(c, def);
}


typedef struct studyWork {
  artStudyType type;
  const void *def;
} studyWork;


static void check_alone(void *context)
{
  const studyWork *w = context;
  check_definition(&(fieldCheck){NULL, &(fieldWhere){.nmark = 0}}, w->type, w->def);
}


artStatus model_check_study(artStudyType type, const void *def, artError *error)
{
  return error_try(check_alone, &(studyWork){type, def}, error);
}


//---- options that a method does not use ----------------------------------------------------------

// a key that methods with a trait use, and only they
_Noreturn static void refuse_key(const fieldCheck *c, const char *key, int trait, int way)
{
  char names[MODEL_METHODS_LENGTH];
  model_method_list(trait, 0, "and", names);
  field_refuse(c, key,
               "'%s' belongs to method%s %s; the study goes by method %s, which does not use it",
               key, strchr(names, ' ') ? "s" : "", names, model_way_name(way));
}


// does the field differ from its default?
static bool is_set(const fieldKey *key, const void *field)
{
  if (key->type == KEY_INDEPENDENT) return model_has_names(*(const char *const *) field);
  const double value =
      key->type == KEY_NUMBER ? *(const double *) field : (double) *(const int *) field;
  return value != key->value;
}


// Options of a run that its method or integrator does not use. Programs that try several methods may leave them in.
static void check_unused(const fieldCheck *c, const artRunDef *def)
{
  char names[MODEL_METHODS_LENGTH];
  const int way = model_way(def), is_natural = model_method_has(way, METHOD_NATURAL);
  if (def->newton != ART_NEWTON_AUTOMATIC && (def->integrator != ART_BDF || is_natural)) {
    field_refuse(c, "newton",
                 "newton belongs to integrator bdf, which this study does not use; leave it out");
  }
  const bool has_terms = def->projections == ART_PROJECTIONS_BAUMGARTE;
  if (has_terms && way != ART_INDEX1) {
    field_refuse(c, "projections", "projections baumgarte belongs to method index1, not to %s",
                 model_way_name(way));
  }
  for (const fieldKey *key = run_keys; key->name; key++) {
    if (!key->methods || model_method_has(way, key->methods)) continue;
    // methods of trees may be told a partition, which trees do not need
    if (key->methods == METHOD_PARTITION && !is_natural) continue;
    if (key->methods == METHOD_STABILISED && has_terms) continue;
    if (is_set(key, (const char *) def + key->offset)) refuse_key(c, key->name, key->methods, way);
  }
  if (model_method_has(way, METHOD_STABILISED) && def->projections == ART_PROJECTIONS_TANGENT) {
    field_refuse(c, "projections", "method %s has no tangent to project with, expected yes or no",
                 model_way_name(way));
  }
  if (is_natural && def->algebra == ART_ALGEBRA_PLAIN) {
    field_refuse(c, "algebra", "algebra plain belongs to method %s; %s has dense and sparse",
                 model_method_list(METHOD_REDUCED, 0, "and", names), model_way_name(way));
  }
}


void model_check_study_def(const fieldCheck *c, void *from)
{
  const artStudyDef *study = from;
  field_check_member(c, "type", (int) study->type, 0, ART_STUDY_TYPES - 1);
  check_listed_names(c, "design", &study->design);
  check_definition(c, study->type, &study->run);
  if (study->type == ART_RUN) check_unused(c, &study->run);
}


//---- copies --------------------------------------------------------------------------------------

// a list of names instead of one that belongs to somebody else
static void copy_names(const studyCopier *copier, const char *key, artNames *names)
{
  const char **list = arena_alloc(copier->arena, (size_t) names->count, sizeof *list);
  for (int i = 0; i < names->count; i++) {
    list[i] = copier->copy_name(copier->context, key, names->name[i]);
  }
  names->name = list;
}


static void copy_motions(const studyCopier *copier, const char *key, artMotions *motions)
{
  artMotionDef *list =
      arena_copy(copier->arena, motions->item, (size_t) motions->count, sizeof *list);
  for (int i = 0; i < motions->count; i++) {
    list[i].coordinate = copier->copy_name(copier->context, key, list[i].coordinate);
    list[i].formula = arena_text(copier->arena, list[i].formula ? list[i].formula : "");
  }
  motions->item = list;
}


void model_copy_study(const studyCopier *copier, artStudyDef *study)
{
  copy_names(copier, "design", &study->design);
  for (const fieldKey *key = model_forms_study[study->type]->keys; key->name; key++) {
    void *field = (char *) &study->run + key->offset;
    artNumbers *numbers = field;
    const char **text = field;
    if (key->type == KEY_NAME_LIST || key->type == KEY_ACTUATORS) {
      copy_names(copier, key->name, field);
    } else if (key->type == KEY_NUMBERS) {
      numbers->value = arena_copy(copier->arena, numbers->value, (size_t) numbers->count,
                                  sizeof *numbers->value);
    } else if (key->type == KEY_MOTION) {
      copy_motions(copier, key->name, field);
    } else if (key->type == KEY_INDEPENDENT && *text) {
      *text = arena_text(copier->arena, *text);
    }
  }
}


int model_take_study(artStudyDef *to, const artStudyDef *from)
{
  for (const fieldKey *key = model_forms_study[to->type]->keys; key->name; key++) {
    void *own = (char *) &to->run + key->offset;
    const void *other = (const char *) &from->run + key->offset;
    const artNumbers *list = own, *other_list = other;
    if (key->type == KEY_NUMBER) {
      memcpy(own, other, sizeof(double));
    } else if (key->type == KEY_COUNT) {
      memcpy(own, other, sizeof(int));
    } else if (key->type == KEY_NUMBERS) {
      if (list->count != other_list->count) return 0;
      for (int i = 0; i < list->count; i++)
        ((double *) (uintptr_t) list->value)[i] = other_list->value[i];
    }
  }
  return 1;
}
