// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// model.h against its rules: NULL, members of no enumeration, negative lengths, numbers that are not finite.
#include "articula/model.h"
#include "support/keep.h"
#include "support/misuse.h"

//---- a builder at work ---------------------------------------------------------------------------

static artSurfaceDef surface_of(const char *name, artSurfaceType type, const char *on)
{
  return (artSurfaceDef){
      .name = name, .type = type, .on = on, .size = {1, 1, 1}, .radius = 1, .length = 1};
}


// bodies rod and wheel, joints pin and axle, a force, a curve, a road and a tyre
static artBuilder *begin(void)
{
  artBuilder *b = art_create_builder();
  artBodyDef body = art_default_body();
  artJointDef joint = art_default_joint();
  body.mass = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
  body.name = "rod";
  art_add_body(b, &body);
  body.name = "wheel";
  art_add_body(b, &body);
  joint.name = "pin", joint.from = "ground", joint.to = "rod";
  art_add_joint(b, &joint);
  joint.name = "axle", joint.from = "rod", joint.to = "wheel";
  art_add_joint(b, &joint);
  const artJointForceDef force = {.name = "torque", .coordinate = "pin", .formula = "1"};
  art_add_joint_force(b, &force);
  const double x[2] = {0, 1};
  const artCurveDef curve = {.name = "path", .n = 2, .x = x, .f = x};
  art_add_curve(b, &curve);
  artRoad *road = NULL;
  artTyre *tyre = NULL;
  const artPlaneRoad plane = {.height = 0};
  const artRadialTyre radial = {0.3, 2e5, 100, 3000};
  art_create_plane_road(&road, &plane, NULL);
  art_create_radial_tyre(&tyre, &radial, NULL);
  art_add_road(b, "road", road);
  CHECK(art_add_tyre(b, "tyre", tyre) == ART_OK);
  art_free_road(road);
  art_free_tyre(tyre);
  const artSurfaceDef floor = surface_of("floor", ART_SURFACE_PLANE, "ground");
  const artSurfaceDef ball = surface_of("ball", ART_SURFACE_SPHERE, "wheel");
  art_add_surface(b, &floor);
  art_add_surface(b, &ball);
  return b;
}


// the status of a builder after a call
static artStatus end(artBuilder *b, artStatus added)
{
  artModel *m = NULL;
  artError error = {0};
  const artStatus status = art_compile_model(&m, b, &error);
  CHECK(added == ART_OK || status == added);
  CHECK((status == ART_OK) == (m != NULL));
  CHECK((status == ART_OK) == (error.text[0] == '\0'));
  art_free_model(m);
  art_free_builder(b);
  return status;
}

// a call on a builder at work is right, or refused with a text
#define TAKEN(call)                                                                                \
  do {                                                                                             \
    artBuilder *b = begin();                                                                       \
    const artStatus added = call;                                                                  \
    CHECK(end(b, added) == ART_OK);                                                                \
  } while (0)
#define REFUSED(call)                                                                              \
  do {                                                                                             \
    artBuilder *b = begin();                                                                       \
    const artStatus added = call;                                                                  \
    CHECK(end(b, added) == ART_BAD_INPUT);                                                         \
  } while (0)

// a mistake of the program, which the builder keeps
#define MISUSED(call)                                                                              \
  do {                                                                                             \
    artBuilder *b = begin();                                                                       \
    MISUSE((art_free_builder(b), b = begin(), call) == ART_BAD_INPUT);                             \
    CHECK(end(b, ART_BAD_INPUT) == ART_BAD_INPUT);                                                 \
    b = NULL;                                                                                      \
    CHECK(call == ART_NO_MEMORY);                                                                  \
  } while (0)

// each in its turn takes the place of a field
#define NUMBER(def, field, call) NUMBERS(call, &(def).field);
#define MEMBER(def, field, type, count, call)                                                      \
  for (int k = 0; k < MISUSE_INDICES; k++) {                                                       \
    const type kept = (def).field;                                                                 \
    (def).field = (type) misuse_index(count, k);                                                   \
    REFUSED(call);                                                                                 \
    (def).field = kept;                                                                            \
  }
#define TEXT(def, field, call) TEXTS(call, &(def).field)
// the same for several fields
#define NUMBERS(call, ...)                                                                         \
  do {                                                                                             \
    double *const fields[] = {__VA_ARGS__};                                                        \
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {                                  \
      for (int i = 0; i < MISUSE_NUMBERS; i++) {                                                   \
        const double kept = *fields[k];                                                            \
        *fields[k] = misuse_number(i);                                                             \
        REFUSED(call);                                                                             \
        *fields[k] = kept;                                                                         \
      }                                                                                            \
    }                                                                                              \
  } while (0)
#define TEXTS(call, ...)                                                                           \
  do {                                                                                             \
    const char **const fields[] = {__VA_ARGS__};                                                   \
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {                                  \
      const char *const kept = *fields[k];                                                         \
      *fields[k] = NULL;                                                                           \
      REFUSED(call);                                                                               \
      *fields[k] = "";                                                                             \
      REFUSED(call);                                                                               \
      *fields[k] = kept;                                                                           \
    }                                                                                              \
  } while (0)
// a definition is taken, none at all is a mistake, and its names are needed
#define ADDED(add, ...)                                                                            \
  do {                                                                                             \
    TAKEN(add(b, &def));                                                                           \
    MISUSED(add(b, NULL));                                                                         \
    TEXTS(add(b, &def), __VA_ARGS__);                                                              \
  } while (0)
#define UNPACK(...) __VA_ARGS__
// the test of an item whose definition has names and numbers alone, and what spoils it besides
#define OF_ADDED_BUT(add, type, init, names, numbers, ...)                                         \
  OF(add)                                                                                          \
  {                                                                                                \
    type def = UNPACK init;                                                                        \
    ADDED(add, UNPACK names);                                                                      \
    NUMBERS(add(b, &def), UNPACK numbers);                                                         \
    __VA_ARGS__;                                                                                   \
    REFUSED(add(b, &def));                                                                         \
  }
#define OF_ADDED(add, type, init, names, ...)                                                      \
  OF_ADDED_BUT(add, type, init, names, (__VA_ARGS__), def.name = NULL)
#define LIST(def, count, list, call)                                                               \
  do {                                                                                             \
    const int kept = (def).count;                                                                  \
    (def).count = -1;                                                                              \
    REFUSED(call);                                                                                 \
    (def).count = INT_MIN;                                                                         \
    REFUSED(call);                                                                                 \
    (def).count = kept;                                                                            \
    const void *all = (def).list;                                                                  \
    (def).list = NULL;                                                                             \
    REFUSED(call);                                                                                 \
    (def).list = all;                                                                              \
  } while (0)

#define POSE(def, pose, call)                                                                      \
  do {                                                                                             \
    for (int p = 0; p < 3; p++) NUMBER(def, pose.position[p], call)                                \
    for (int p = 0; p < 4; p++) NUMBER(def, pose.rotation[p], call)                                \
  } while (0)
#define LAW(def, law, call)                                                                        \
  do {                                                                                             \
    const double points[2] = {0, 1};                                                               \
    MEMBER(def, law.type, artLawType, ART_LAW_AIR + 1, call)                                       \
    NUMBER(def, law.coefficient, call)                                                             \
    (def).law = (artLawDef){.type = ART_LAW_TABLE, .n = 2, .x = points, .f = points};              \
    TAKEN(call);                                                                                   \
    LIST(def, law.n, law.x, call);                                                                 \
    LIST(def, law.n, law.f, call);                                                                 \
    (def).law = (artLawDef){                                                                       \
        .type = ART_LAW_SEGMENTS, .n = INT_MAX, .width = INT_MAX, .f = points, .x = points};       \
    REFUSED(call);                                                                                 \
    (def).law = (artLawDef){.type = ART_LAW_LINEAR, .coefficient = 1};                             \
  } while (0)

//---- files ---------------------------------------------------------------------------------------

static const char TEXT_OF_MODEL[] = "articula: 1\nparameters: {m: 1}\nbodies: {rod: {mass: = m}}\n"
                                    "joints: {pin: {type: prismatic, from: ground, to: rod}}\n"
                                    "inputs: {push: {}}\nstates: {level: {rate: = push}}\n";


OF(art_load_model)
{
  artModel *m = (artModel *) 1;
  MISUSE(art_load_model(NULL, "m.yaml", NULL) == ART_BAD_INPUT);
  MISUSE(art_load_model(&m, NULL, NULL) == ART_BAD_INPUT && m == NULL);
  m = (artModel *) 1;
  CHECK(art_load_model(&m, "/nowhere.yaml", NULL) == ART_IO && m == NULL);
}


OF(art_read_model)
{
  artModel *m = (artModel *) 1;
  MISUSE(art_read_model(NULL, "", 0, "m", NULL) == ART_BAD_INPUT);
  MISUSE(art_read_model(&m, NULL, 1, "m", NULL) == ART_BAD_INPUT && m == NULL);
  MISUSE(art_read_model(&m, "", 0, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_read_model(&m, NULL, 0, "m", NULL) == ART_BAD_INPUT && m == NULL);
}


static artStatus law(void *context, const double *x, double *y)
{
  (void) context;
  y[0] = -x[0];
  return ART_OK;
}


// a machine with one function
static artModel *with_function(void)
{
  artModel *m = NULL;
  artBuilder *b = keep_builder(begin());
  const artJointForceDef force = {.name = "f", .coordinate = "axle", .call = {.name = "law"}};
  art_add_joint_force(b, &force);
  CHECK(art_compile_model(&m, b, NULL) == ART_OK);
  return m;
}


static artStatus no_law(void *context, const artModel *m, artData *d)
{
  (void) context, (void) m, (void) d;
  return ART_OK;
}


static double no_value(void *context, const artModel *m, artData *d)
{
  (void) context, (void) m, (void) d;
  return 0;
}


OF(attached_functions)
{
  artModel *m = keep_model(with_function());
  MISUSE(art_attach_library(NULL, "laws.so", NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_library(m, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_attach_library(m, "", NULL) == ART_BAD_INPUT);
  CHECK(art_attach_library(m, "/dev/null", NULL) == ART_BAD_INPUT);
  MISUSE(art_check_functions(NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_check_functions(m, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_function(NULL, "law", law, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_function(m, NULL, law, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_function(m, "law", NULL, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_attach_function(m, "", law, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_attach_function(m, "law", law, NULL, NULL) == ART_OK);
  CHECK(art_check_functions(m, NULL) == ART_OK);
}


OF(attached_forces_and_inputs)
{
  artModel *m = keep_model(with_function());
  artCallbackDef def = {.name = "law", .apply = no_law};
  const double x[2] = {0, 1};
  MISUSE(art_attach_force(NULL, &def, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_force(m, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_attach_force(m, &def, NULL) == ART_BAD_INPUT); // no callback
  def.apply = NULL;
  MISUSE(art_attach_force(m, &def, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_input(NULL, "u", no_value, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_input(m, NULL, no_value, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_input(m, "u", NULL, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_attach_input(m, "u", no_value, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_table(NULL, "u", 2, x, x, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_table(m, NULL, 2, x, x, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_table(m, "u", 0, x, x, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_table(m, "u", 2, NULL, x, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_table(m, "u", 2, x, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_attach_table(m, "u", 2, x, x, NULL) == ART_BAD_INPUT); // no input
}


OF(art_attach_output)
{
  artModel *m = keep_model(with_function());
  artOutputDef def = {.name = "own", .value = no_value};
  const int before = art_count(m).outputs;
  MISUSE(art_attach_output(NULL, &def, NULL) == ART_BAD_INPUT);
  MISUSE(art_attach_output(m, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_attach_output(m, &def, NULL) == ART_OK && art_count(m).outputs == before + 1);
  CHECK(art_attach_output(m, &def, NULL) == ART_BAD_INPUT); // twice
  def.value = NULL;
  MISUSE(art_attach_output(m, &def, NULL) == ART_BAD_INPUT);
}


OF(art_load_model_with)
{
  const char *path = ART_SOURCE_DIR "/models/double-pendulum.yaml";
  artModel *m = (artModel *) 1;
  artSetting set = {NULL, 1};
  MISUSE(art_load_model_with(NULL, path, 0, NULL, NULL) == ART_BAD_INPUT);
  MISUSE(art_load_model_with(&m, NULL, 0, NULL, NULL) == ART_BAD_INPUT && m == NULL);
  MISUSE(art_load_model_with(&m, path, -1, &set, NULL) == ART_BAD_INPUT);
  MISUSE(art_load_model_with(&m, path, 1, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_load_model_with(&m, path, 1, &set, NULL) == ART_BAD_INPUT && m == NULL);
  set.name = "no_such";
  CHECK(art_load_model_with(&m, path, 1, &set, NULL) == ART_BAD_INPUT && m == NULL);
  REFUSE_NUMBER((set.value = r, art_load_model_with(&m, path, 1, &set, NULL)) == ART_BAD_INPUT &&
                m == NULL)
}


static void count_mistake(void *context, const artError *error)
{
  *(int *) context += error->status == ART_BAD_INPUT || error->status == ART_IO;
}


OF(art_list_mistakes)
{
  int n = 0;
  MISUSE(art_list_mistakes(NULL, 0, NULL, count_mistake, &n) == -1);
  MISUSE(art_list_mistakes("m.yaml", 0, NULL, NULL, &n) == -1);
  MISUSE(art_list_mistakes("m.yaml", -1, NULL, count_mistake, &n) == -1);
  MISUSE(art_list_mistakes("m.yaml", 1, NULL, count_mistake, &n) == -1);
  CHECK(art_list_mistakes("/nowhere.yaml", 0, NULL, count_mistake, &n) == 1 && n == 1);
}


OF_CALL(art_free_model, art_free_model(NULL))

//---- building ------------------------------------------------------------------------------------

OF_DEFAULT(art_default_pose, .rotation[0] == 1)
OF_DEFAULT(art_default_body, .pose.rotation[0] == 1)
OF_DEFAULT(art_default_solid, .scale == 1)
OF_DEFAULT(art_default_visual, .colour == -1)
OF_DEFAULT(art_default_joint, .axis[2] == 1)
OF_DEFAULT(art_default_latch, .axis[2] == 1)
OF_DEFAULT(art_default_coupling, .n == 0)
OF_DEFAULT(art_default_constraint, .call.name == NULL)
OF_DEFAULT(art_default_drive, .formula == NULL)
OF_DEFAULT(art_default_input, .hold == ART_HOLD_ZERO && art_default_input().has_limits == 0)
OF_DEFAULT(art_default_state, .rate.count == 0)
OF_DEFAULT(art_default_formula_block, .value == NULL)
OF_DEFAULT(art_default_sample_block, .delay == 0)
OF_DEFAULT(art_default_pid_block, .kp == NULL)
OF_DEFAULT(art_default_lag_block, .gain == NULL)
OF_DEFAULT(art_default_second_order_block, .gain == NULL)
OF_DEFAULT(art_default_transfer_function_block, .numerator.count == 0)
OF_DEFAULT(art_default_integrator_block, .limits.count == 0)
OF_DEFAULT(art_default_derivative_block, .filter == NULL)
OF_DEFAULT(art_default_delay_block, .order == 0)
OF_DEFAULT(art_default_rate_limiter_block, .falling == NULL)
OF_DEFAULT(art_default_saturation_block, .limits.count == 0)
OF_DEFAULT(art_default_dead_band_block, .limits.count == 0)
OF_DEFAULT(art_default_relay_block, .on == 0)
OF_DEFAULT(art_default_table_block, .second == NULL)
OF_DEFAULT(art_default_position_sensor, .delay == 0)
OF_DEFAULT(art_default_velocity_sensor, .delay == 0)
OF_DEFAULT(art_default_acceleration_sensor, .gravity == 1)
OF_DEFAULT(art_default_gyro_sensor, .delay == 0)
OF_DEFAULT(art_default_speed_sensor, .delay == 0)
OF_DEFAULT(art_default_force_sensor, .delay == 0)
OF_DEFAULT(art_default_torque_sensor, .delay == 0)
OF_DEFAULT(art_default_distance_sensor, .delay == 0)
OF_DEFAULT(art_default_angle_sensor, .delay == 0)
OF_DEFAULT(art_default_quantity_sensor, .delay == 0)
OF_DEFAULT(art_default_surface, .type == ART_SURFACE_POINT)
OF_DEFAULT(art_default_contact, .static_friction == ART_UNSET)
OF_DEFAULT(art_default_rigid_contact, .restitution == 0)
OF_DEFAULT(art_default_rigid_pile, .restitution == 0)
OF_DEFAULT(art_default_spring_damper, .stops.lower == -INFINITY)
OF_DEFAULT(art_default_joint_spring, .rest == 0)
OF_DEFAULT(art_default_joint_stop, .upper == INFINITY)
OF_DEFAULT(art_default_joint_friction, .breakaway == ART_UNSET)
OF_DEFAULT(art_default_link_force, .call.name == NULL)
OF_DEFAULT(art_default_joint_force, .formula == NULL)
OF_DEFAULT(art_default_brake, .transition == 0)
OF_DEFAULT(art_default_driver, .damping == 0)
OF_DEFAULT(art_default_cruise, .gain == 0)
OF_DEFAULT(art_default_motor, .gear == 1)
OF_DEFAULT(art_default_hydraulic_cylinder, .pressure_a == ART_UNSET)
OF_DEFAULT(art_default_pneumatic_cylinder, .exponent == 1.4)
OF_DEFAULT(art_default_body_force, .on == NULL)
OF_DEFAULT(art_default_tyre_force, .road == NULL)
OF_DEFAULT(art_default_bushing, .stiffness[35] == 0)
OF_DEFAULT(art_default_rope, .damping == 0)
OF_DEFAULT(art_default_drag, .density == 1.225)
OF_DEFAULT(art_default_run,
           .until == 10 && art_default_run().integrator == ART_INTEGRATOR_AUTOMATIC)
OF_DEFAULT(art_default_equil, .method == ART_AUTOMATIC)
OF_DEFAULT(art_default_linear, .start.at_equilibrium == 0)
OF_DEFAULT(art_default_inverse, .until == 10)
OF_DEFAULT(art_default_kinematics, .steps == 8 && art_default_kinematics().bump == 0.08)
OF_DEFAULT(art_default_response, .count == 200 && art_default_response().to == 50)


OF(art_create_builder)
{
  artBuilder *b = keep_builder(art_create_builder());
  CHECK(b);
}


OF_CALL(art_free_builder, art_free_builder(NULL))


OF(art_compile_model)
{
  artBuilder *b = keep_builder(begin());
  artModel *m = (artModel *) 1;
  MISUSE(art_compile_model(NULL, b, NULL) == ART_BAD_INPUT);
  CHECK(art_compile_model(&m, NULL, NULL) == ART_NO_MEMORY && m == NULL);
}


OF(art_set_title)
{
  TAKEN(art_set_title(b, NULL));
  CHECK(art_set_title(NULL, "t") == ART_NO_MEMORY);
}


OF(art_set_gravity)
{
  struct {
    double g[3];
  } x = {{0, 0, -9.81}};
  MISUSED(art_set_gravity(b, NULL));
  for (int p = 0; p < 3; p++) NUMBER(x, g[p], art_set_gravity(b, x.g))
}


OF(art_add_parameter)
{
  struct {
    const char *name;
    double value;
  } p = {"k", 1};
  TAKEN(art_add_parameter(b, p.name, p.value, NULL));
  TEXT(p, name, art_add_parameter(b, p.name, p.value, NULL));
  NUMBER(p, value, art_add_parameter(b, p.name, p.value, "m"))
  REFUSED(art_add_parameter(b, "k", 1, "no unit"));
}


OF(art_add_body)
{
  artBodyDef def = art_default_body();
  def.name = "new", def.mass = 1;
  MISUSED(art_add_body(b, NULL));
  TEXT(def, name, art_add_body(b, &def));
  NUMBER(def, mass, art_add_body(b, &def))
  for (int p = 0; p < 3; p++) NUMBER(def, com[p], art_add_body(b, &def))
  for (int p = 0; p < 6; p++) NUMBER(def, inertia[p], art_add_body(b, &def))
  POSE(def, pose, art_add_body(b, &def));
  def.mass = -1;
  REFUSED(art_add_body(b, &def));
}


static void solids_of_art_add_body(void)
{
  artBodyDef def = art_default_body();
  artSolidDef solid = art_default_solid();
  solid.density = 1;
  for (int p = 0; p < 3; p++) solid.size[p] = 1;
  def.name = "new", def.nsolid = 1, def.solid = &solid;
  REFUSED(art_add_body(b, (def.com[0] = 1, &def)));
  def.com[0] = 0;
  LIST(def, nsolid, solid, art_add_body(b, &def));
  for (int p = 0; p < 3; p++) NUMBER(solid, size[p], art_add_body(b, &def))
  for (int p = 0; p < 3; p++) NUMBER(solid, axis[p], art_add_body(b, &def))
  POSE(solid, pose, art_add_body(b, &def));
  NUMBERS(art_add_body(b, &def), &solid.density, &solid.mass);
  MEMBER(solid, type, artSolidType, ART_SOLID_TYPES, art_add_body(b, &def))
}


OF(art_solid_inertia)
{
  artSolidInertia out;
  artSolidDef solid = art_default_solid();
  solid.density = 1;
  for (int p = 0; p < 3; p++) solid.size[p] = 1;
  CHECK(art_solid_inertia(1, &solid, 0, &out, NULL) == ART_OK && out.mass == 1);
  CHECK(art_solid_inertia(1, &solid, NAN, &out, &check_error) == ART_BAD_INPUT);
  CHECK(art_solid_inertia(1, &solid, -1, &out, NULL) == ART_BAD_INPUT);
  MISUSE(art_solid_inertia(0, &solid, 0, &out, &check_error) == ART_BAD_INPUT);
  MISUSE(art_solid_inertia(1, NULL, 0, &out, &check_error) == ART_BAD_INPUT);
  MISUSE(art_solid_inertia(1, &solid, 0, NULL, &check_error) == ART_BAD_INPUT);
  solids_of_art_add_body();
}


OF(art_add_frame)
{
  struct {
    const char *body, *name;
    artPose pose;
  } f = {"rod", "tip", art_default_pose()};
  TAKEN(art_add_frame(b, f.body, f.name, &f.pose));
  MISUSED(art_add_frame(b, f.body, f.name, NULL));
  TEXTS(art_add_frame(b, f.body, f.name, &f.pose), &f.body, &f.name);
  POSE(f, pose, art_add_frame(b, f.body, f.name, &f.pose));
}


static void meshes_of_art_add_visual(void);


OF(art_add_visual)
{
  artVisualDef def = art_default_visual();
  for (int p = 0; p < 3; p++) def.size[p] = 1;
  TAKEN(art_add_visual(b, "rod", &def));
  MISUSED(art_add_visual(b, "rod", NULL));
  REFUSED(art_add_visual(b, NULL, &def));
  for (int p = 0; p < 3; p++) NUMBER(def, size[p], art_add_visual(b, "rod", &def))
  POSE(def, pose, art_add_visual(b, "rod", &def));
  MEMBER(def, type, artVisualType, ART_VISUAL_TYPES, art_add_visual(b, "rod", &def))
  def.colour = -2;
  REFUSED(art_add_visual(b, "rod", &def));
  def.colour = INT_MAX;
  REFUSED(art_add_visual(b, "rod", &def));
  def = art_default_visual();
  def.type = ART_VISUAL_CAPSULE, def.radius = def.length = 1;
  NUMBERS(art_add_visual(b, "rod", &def), &def.radius, &def.length);
  meshes_of_art_add_visual();
}


static void meshes_of_art_add_visual(void)
{
  artVisualDef def = art_default_visual();
  float vertex[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  int triangle[3] = {0, 1, 2};
  def.type = ART_VISUAL_MESH;
  def.nvertex = 3, def.vertex = vertex, def.ntriangle = 1, def.triangle = triangle;
  TAKEN(art_add_visual(b, "rod", &def));
  LIST(def, nvertex, vertex, art_add_visual(b, "rod", &def));
  LIST(def, ntriangle, triangle, art_add_visual(b, "rod", &def));
  for (int k = 0; k < MISUSE_INDICES; k++) {
    triangle[1] = misuse_index(3, k);
    REFUSED(art_add_visual(b, "rod", &def));
  }
  triangle[1] = 1;
  vertex[4] = NAN;
  REFUSED(art_add_visual(b, "rod", &def));
}


OF(art_add_joint)
{
  artJointDef def = art_default_joint();
  def.name = "new", def.from = "ground", def.to = "wheel", def.type = ART_SPHERICAL;
  ADDED(art_add_joint, &def.name, &def.from, &def.to);
  MEMBER(def, type, artJointType, ART_JOINT_TYPES, art_add_joint(b, &def))
  for (int p = 0; p < 3; p++) {
    NUMBER(def, at[p], art_add_joint(b, &def))
    NUMBER(def, axis[p], art_add_joint(b, &def))
    NUMBER(def, axis2[p], art_add_joint(b, &def))
  }
  NUMBERS(art_add_joint(b, &def), &def.pitch, &def.rotor, &def.mass);
  POSE(def, from_offset, art_add_joint(b, &def));
  POSE(def, to_offset, art_add_joint(b, &def));
  for (int k = 0; k < 4; k++) {
    const int keep[] = {-2, 2, INT_MAX, INT_MIN};
    def.keep = keep[k];
    REFUSED(art_add_joint(b, &def));
  }
  def.keep = 0, def.type = ART_ROD;
  NUMBER(def, length, art_add_joint(b, &def))

  def = art_default_joint_of(ART_ROLLING_BALL);
  def.name = "new", def.from = "ground", def.to = "wheel", def.length = 0.1;
  MEMBER(def, surface, artRollSurface, ART_ROLL_CONE + 1, art_add_joint(b, &def))
  def.surface = ART_ROLL_SPHERE, def.surface_radius = 1;
  NUMBER(def, surface_radius, art_add_joint(b, &def))
  NUMBER(def, length, art_add_joint(b, &def))
  def.road = "plane"; // and a sphere
  REFUSED(art_add_joint(b, &def));
  def.road = NULL;
  const int side[] = {-1, 2, INT_MAX, INT_MIN};
  for (int k = 0; k < 4; k++) {
    def.inside = side[k];
    REFUSED(art_add_joint(b, &def));
  }
  def.inside = 1, def.surface_radius = 0.1;
  REFUSED(art_add_joint(b, &def));
  def.surface = ART_ROLL_CONE, def.surface_radius = 0, def.half_angle = 0.5;
  NUMBER(def, half_angle, art_add_joint(b, &def))
}


#define OF_VALUE(set)                                                                              \
  OF(set)                                                                                          \
  {                                                                                                \
    struct {                                                                                       \
      const char *name;                                                                            \
      double value;                                                                                \
    } p = {"pin.angle", 1};                                                                        \
    TAKEN(set(b, p.name, p.value));                                                                \
    TEXT(p, name, set(b, p.name, p.value));                                                        \
    NUMBER(p, value, set(b, p.name, p.value))                                                      \
  }


OF_VALUE(art_set_initial)
OF_VALUE(art_set_guess)


OF(art_set_projection)
{
  TAKEN(art_set_projection(b, INT_MIN));
  CHECK(art_set_projection(NULL, 1) == ART_NO_MEMORY);
}

//---- constraints ---------------------------------------------------------------------------------

static const char *NAMES[2] = {"pin", "axle"};


OF(art_add_coupling)
{
  double c[2] = {1, -2};
  artCouplingDef def = {.name = "new", .n = 2, .coordinate = NAMES, .coefficient = c};
  ADDED(art_add_coupling, &def.name);
  NUMBER(def, constant, art_add_coupling(b, &def))
  LIST(def, n, coordinate, art_add_coupling(b, &def));
  LIST(def, n, coefficient, art_add_coupling(b, &def));
  const char *none[2] = {"pin", NULL};
  def.coordinate = none;
  REFUSED(art_add_coupling(b, &def));
  def.coordinate = NAMES, def.n = 0;
  REFUSED(art_add_coupling(b, &def));
  def.n = 2;
  NUMBERS(art_add_coupling(b, &def), &c[1]);
}


OF(art_default_joint_of)
{
  CHECK(art_default_joint_of(ART_UNIVERSAL).axis2[1] == 1);
  CHECK(art_default_joint_of(ART_PLANAR).axis[2] == 1);
  CHECK(art_default_joint_of(ART_JOINT_TYPES).axis[2] == 1);
}


OF(art_add_input)
{
  artInputDef def = {.name = "new", .has_limits = 1, .limits = {-1, 1}};
  ADDED(art_add_input, &def.name);
  NUMBERS(art_add_input(b, &def), &def.initial, &def.every);
  for (int k = 0; k < 2; k++) {
    const double kept = def.limits[k], wrong[] = {NAN, k == 0 ? INFINITY : -INFINITY};
    for (int i = 0; i < 2; i++) {
      def.limits[k] = wrong[i];
      REFUSED(art_add_input(b, &def));
    }
    def.limits[k] = k == 0 ? -INFINITY : INFINITY; // none on that side
    TAKEN(art_add_input(b, &def));
    def.limits[k] = kept;
  }
  MEMBER(def, hold, artHold, ART_HOLDS, art_add_input(b, &def))
  def.initial = 2;
  REFUSED(art_add_input(b, &def));
  def.initial = 0, def.limits[0] = 3;
  REFUSED(art_add_input(b, &def));
}


OF(art_add_state)
{
  double initial[2] = {1, 2};
  const char *rate[2] = {"1", "2"};
  artStateDef def = {.name = "new", .initial = {2, initial}, .rate = {2, rate}};
  ADDED(art_add_state, &def.name);
  LIST(def, initial.count, initial.value, art_add_state(b, &def));
  LIST(def, rate.count, rate.name, art_add_state(b, &def));
  def.rate.count = 1;
  REFUSED(art_add_state(b, &def));
  def.rate.count = 2, rate[1] = NULL;
  REFUSED(art_add_state(b, &def));
  rate[1] = "2";
  NUMBERS(art_add_state(b, &def), &initial[1]);
}


OF_ADDED_BUT(art_add_formula_block, artFormulaBlockDef, ({.name = "new", .value = "1"}),
             (&def.name), (&def.every, &def.offset, &def.initial), def.value = NULL)


OF(art_add_sample_block)
{
  artSampleBlockDef def = {.name = "new", .input = "1", .every = 0.01, .delay = 2};
  ADDED(art_add_sample_block, &def.name, &def.input);
  NUMBERS(art_add_sample_block(b, &def), &def.every, &def.offset, &def.initial);
  def.every = 0;
  REFUSED(art_add_sample_block(b, &def));
  def.every = 1, def.delay = -1;
  REFUSED(art_add_sample_block(b, &def));
}


static const char *const ONE[] = {"-1", "1"};

// lists of two formulas
#define PAIR(def, pair, call)                                                                      \
  do {                                                                                             \
    LIST(def, pair.count, pair.name, call);                                                        \
    (def).pair.count = 1;                                                                          \
    REFUSED(call);                                                                                 \
    (def).pair.count = 2;                                                                          \
  } while (0)


OF(art_add_pid_block)
{
  artPidBlockDef def = {.name = "new", .input = "1", .kp = "1", .limits = {2, ONE}};
  ADDED(art_add_pid_block, &def.name, &def.input);
  NUMBERS(art_add_pid_block(b, &def), &def.initial, &def.before, &def.every, &def.offset);
  PAIR(def, limits, art_add_pid_block(b, &def));
  def.kp = NULL;
  REFUSED(art_add_pid_block(b, &def));
}


OF_ADDED(art_add_lag_block, artLagBlockDef, ({.name = "new", .input = "1", .time = "1"}),
         (&def.name, &def.input, &def.time), &def.initial, &def.every, &def.offset)
OF_ADDED(art_add_second_order_block, artSecondOrderBlockDef,
         ({.name = "new", .input = "1", .frequency = "1", .damping = "1"}),
         (&def.name, &def.input, &def.frequency, &def.damping), &def.initial, &def.every,
         &def.offset)


OF(art_add_transfer_function_block)
{
  double x[2] = {1, 1};
  artTransferFunctionBlockDef def = {
      .name = "new", .input = "1", .numerator = {1, x}, .denominator = {2, x}};
  ADDED(art_add_transfer_function_block, &def.name, &def.input);
  NUMBERS(art_add_transfer_function_block(b, &def), &def.before, &def.every, &def.offset);
  LIST(def, numerator.count, numerator.value, art_add_transfer_function_block(b, &def));
  LIST(def, denominator.count, denominator.value, art_add_transfer_function_block(b, &def));
  x[0] = 0;
  REFUSED(art_add_transfer_function_block(b, &def));
}


OF(art_add_integrator_block)
{
  artIntegratorBlockDef def = {.name = "new", .input = "1", .limits = {2, ONE}};
  ADDED(art_add_integrator_block, &def.name, &def.input);
  NUMBERS(art_add_integrator_block(b, &def), &def.initial, &def.every, &def.offset);
  PAIR(def, limits, art_add_integrator_block(b, &def));
}


OF_ADDED_BUT(art_add_derivative_block, artDerivativeBlockDef,
             ({.name = "new", .input = "1", .filter = "1"}), (&def.name, &def.input),
             (&def.before, &def.every, &def.offset), def.filter = NULL)
OF_ADDED_BUT(art_add_delay_block, artDelayBlockDef,
             ({.name = "new", .input = "1", .delay = 1, .every = 0.5}), (&def.name, &def.input),
             (&def.delay, &def.before, &def.every, &def.offset), def.every = 0, def.order = 11)
OF_ADDED_BUT(art_add_rate_limiter_block, artRateLimiterBlockDef,
             ({.name = "new", .input = "1", .rising = "1", .time = "1"}),
             (&def.name, &def.input, &def.rising), (&def.initial, &def.every, &def.offset),
             def.time = NULL)


#define OF_BAND(add)                                                                               \
  OF(add)                                                                                          \
  {                                                                                                \
    artBandBlockDef def = {.name = "new", .input = "1", .limits = {2, ONE}};                       \
    ADDED(add, &def.name, &def.input);                                                             \
    NUMBERS(add(b, &def), &def.every, &def.offset);                                                \
    PAIR(def, limits, add(b, &def));                                                               \
  }


OF_BAND(art_add_saturation_block)
OF_BAND(art_add_dead_band_block)


OF(art_add_relay_block)
{
  artRelayBlockDef def = {.name = "new", .input = "1", .band = {2, ONE}, .values = {2, ONE}};
  ADDED(art_add_relay_block, &def.name, &def.input);
  NUMBERS(art_add_relay_block(b, &def), &def.every, &def.offset);
  PAIR(def, band, art_add_relay_block(b, &def));
  PAIR(def, values, art_add_relay_block(b, &def));
}


OF_ADDED(art_add_table_block, artTableBlockDef, ({.name = "new", .input = "1", .curve = "path"}),
         (&def.name, &def.input, &def.curve), &def.every, &def.offset)
// sensors have one definition: where they look, and what is refused besides
#define OF_SENSOR(add, where, ...)                                                                 \
  OF(add)                                                                                          \
  {                                                                                                \
    artSensorDef def = {.name = "new", where, .delay = 1, .every = 0.5};                           \
    ADDED(add, &def.name, __VA_ARGS__);                                                            \
    NUMBERS(add(b, &def), &def.delay, &def.initial, &def.every, &def.offset);                      \
    def.limits = (artNames){2, ONE};                                                               \
    PAIR(def, limits, add(b, &def));                                                               \
    if (!def.between[0]) return;                                                                   \
    def.axis = 3;                                                                                  \
    REFUSED(add(b, &def));                                                                         \
  }
#define BETWEEN .between[0] = "rod", .between[1] = "wheel"


OF_SENSOR(art_add_position_sensor, .frame = "rod", &def.frame)
OF_SENSOR(art_add_velocity_sensor, .frame = "rod", &def.frame)
OF_SENSOR(art_add_acceleration_sensor, .frame = "rod", &def.frame)
OF_SENSOR(art_add_gyro_sensor, .frame = "rod", &def.frame)
OF_SENSOR(art_add_speed_sensor, .frame = "rod", &def.frame)
OF_SENSOR(art_add_force_sensor, .joint = "pin", &def.joint)
OF_SENSOR(art_add_torque_sensor, .joint = "pin", &def.joint)
OF_SENSOR(art_add_distance_sensor, BETWEEN, &def.between[0], &def.between[1])
OF_SENSOR(art_add_angle_sensor, BETWEEN, &def.between[0], &def.between[1])
OF_SENSOR(art_add_quantity_sensor, .value = "1", &def.value)


OF(art_add_latch)
{
  double c[2] = {1, -2};
  artLatchDef def = art_default_latch();
  def.name = "new", def.n = 2, def.coordinate = NAMES, def.coefficient = c, def.engage = "1";
  ADDED(art_add_latch, &def.name);
  LIST(def, n, coordinate, art_add_latch(b, &def));
  def.engage = NULL;
  REFUSED(art_add_latch(b, &def));
  def.engage = "1", def.n = 0;
  REFUSED(art_add_latch(b, &def));
  def.n = 2;
  NUMBERS(art_add_latch(b, &def), &c[1]);

  def.type = ART_LATCH, def.from = "rod", def.to = "ground", def.distance = 0.1;
  TAKEN(art_add_latch(b, &def));
  TEXTS(art_add_latch(b, &def), &def.from, &def.to);
  NUMBER(def, distance, art_add_latch(b, &def))
  def.joint = ART_ROD;
  REFUSED(art_add_latch(b, &def));
  def.joint = ART_REVOLUTE, def.axis[2] = 0;
  REFUSED(art_add_latch(b, &def));
  def.axis[2] = 1;

  def.type = ART_ROPE, def.length = 1, def.engage = NULL;
  TAKEN(art_add_latch(b, &def));
  NUMBER(def, length, art_add_latch(b, &def))
  def.engage = "1";
  REFUSED(art_add_latch(b, &def));
  def.engage = NULL, def.type = ART_LATCH_TYPES;
  REFUSED(art_add_latch(b, &def));
}


static artStatus gap(void *context, const double *x, double *g, double *dg)
{
  (void) context;
  *g = x[0] - x[1], dg[0] = 1, dg[1] = -1;
  return ART_OK;
}


static artStatus bias(void *context, const double *x, const double *v, double *out)
{
  (void) context;
  *out = 0 * x[0] * v[0];
  return ART_OK;
}


// the call of a def: its name, its numbers
#define CALL(def, field, call)                                                                     \
  do {                                                                                             \
    double x[33] = {0};                                                                            \
    (def).field = (artCallDef){.name = "law", .n = 32, .parameter = x};                            \
    TAKEN(call);                                                                                   \
    LIST(def, field.n, field.parameter, call);                                                     \
    TEXT(def, field.name, call);                                                                   \
    (def).field.n = 33;                                                                            \
    REFUSED(call);                                                                                 \
    (def).field.n = 2;                                                                             \
    (def).field.name = "a law";                                                                    \
    REFUSED(call);                                                                                 \
    (def).field.name = "law";                                                                      \
    NUMBERS(call, &x[1]);                                                                          \
    (def).field = (artCallDef){0};                                                                 \
  } while (0)


OF(art_add_constraint)
{
  artConstraintDef def = {.name = "new", .n = 2, .coordinate = NAMES, .value = gap, .bias = bias};
  ADDED(art_add_constraint, &def.name);
  LIST(def, n, coordinate, art_add_constraint(b, &def));
  def.value = NULL;
  REFUSED(art_add_constraint(b, &def));
  def.value = gap, def.bias = NULL;
  REFUSED(art_add_constraint(b, &def));
  CALL(def, call, art_add_constraint(b, &def));
}


OF(art_add_curve)
{
  double x[2] = {0, 1};
  artCurveDef def = {.name = "new", .n = 2, .x = x, .f = x};
  ADDED(art_add_curve, &def.name);
  LIST(def, n, x, art_add_curve(b, &def));
  LIST(def, n, f, art_add_curve(b, &def));
  NUMBERS(art_add_curve(b, &def), &x[1]);
  def.x_unit = "no unit";
  REFUSED(art_add_curve(b, &def));
}

OF(art_add_map)
{
  double x[2] = {0, 1}, f[4] = {0, 1, 2, 3};
  artMapDef def = {.name = "new", .nx = 2, .ny = 2, .x = x, .y = x, .f = f};
  ADDED(art_add_map, &def.name);
  LIST(def, nx, x, art_add_map(b, &def));
  LIST(def, ny, y, art_add_map(b, &def));
  def.f = NULL;
  REFUSED(art_add_map(b, &def));
  def.f = f;
  NUMBERS(art_add_map(b, &def), &f[3]);
  def.y_unit = "no unit";
  REFUSED(art_add_map(b, &def));
}


//---- forces --------------------------------------------------------------------------------------

OF(art_add_spring_damper)
{
  artSpringDamperDef def = {.name = "new",
                            .from = "ground",
                            .to = "wheel",
                            .spring = {.type = ART_LAW_LINEAR, .coefficient = 1},
                            .damper = {.type = ART_LAW_LINEAR, .coefficient = 1},
                            .stops = {0.1, 2, 1000, 1}};
  ADDED(art_add_spring_damper, &def.name, &def.from, &def.to);
  NUMBER(def, free_length, art_add_spring_damper(b, &def))
  LAW(def, spring, art_add_spring_damper(b, &def));
  LAW(def, damper, art_add_spring_damper(b, &def));
  NUMBERS(art_add_spring_damper(b, &def), &def.stops.stiffness, &def.stops.damping);
  def.stops.lower = NAN;
  REFUSED(art_add_spring_damper(b, &def));
  def.stops.lower = 0.1, def.stops.upper = NAN;
  REFUSED(art_add_spring_damper(b, &def));
}


OF(art_add_joint_spring)
{
  artJointSpringDef def = {.name = "new",
                           .coordinate = "pin",
                           .spring = {.type = ART_LAW_LINEAR, .coefficient = 1},
                           .damper = {.type = ART_LAW_LINEAR, .coefficient = 1}};
  ADDED(art_add_joint_spring, &def.name, &def.coordinate);
  NUMBER(def, rest, art_add_joint_spring(b, &def))
  LAW(def, spring, art_add_joint_spring(b, &def));
  LAW(def, damper, art_add_joint_spring(b, &def));
  def.spring = (artLawDef){.type = ART_LAW_AIR, .air = {1e5, 0.01, 0.001, 1.4, 1e5}};
  TAKEN(art_add_joint_spring(b, &def));
  NUMBERS(art_add_joint_spring(b, &def), &def.spring.air.pressure, &def.spring.air.area,
          &def.spring.air.volume, &def.spring.air.exponent, &def.spring.air.ambient);
}


OF(art_add_joint_stop)
{
  artJointStopDef def = {"new", "pin", -1, 1, 1000, 1};
  ADDED(art_add_joint_stop, &def.name, &def.coordinate);
  NUMBERS(art_add_joint_stop(b, &def), &def.stiffness, &def.damping);
  def.lower = NAN;
  REFUSED(art_add_joint_stop(b, &def));
  def.lower = -1, def.upper = NAN;
  REFUSED(art_add_joint_stop(b, &def));
}


OF_ADDED(art_add_joint_friction, artJointFrictionDef, ({"new", "pin", 1, 2, 0.1, 0.01, 0.1}),
         (&def.name, &def.coordinate), &def.coulomb, &def.breakaway, &def.stribeck, &def.transition,
         &def.viscous)


OF(art_add_link_force)
{
  artLinkForceDef def = {.name = "new", .from = "rod", .to = "wheel", .call = {.name = "law"}};
  ADDED(art_add_link_force, &def.name, &def.from, &def.to);
  CALL(def, call, art_add_link_force(b, &def));
  REFUSED(art_add_link_force(b, &def));
  def = (artLinkForceDef){.name = "newer", .from = "rod", .to = "wheel", .formula = "3*newer.rate"};
  ADDED(art_add_link_force, &def.name, &def.from, &def.to, &def.formula);
}


OF(art_add_joint_force)
{
  artJointForceDef def = {.name = "new", .coordinate = "pin", .formula = "sin(time)"};
  ADDED(art_add_joint_force, &def.name, &def.coordinate, &def.formula);
  CALL(def, call, art_add_joint_force(b, &def));
}


OF(art_set_combination)
{
  double c[2] = {1, -1};
  struct {
    const char *force;
    int n;
    const char *const *coordinate;
    const double *coefficient;
  } x = {"torque", 2, NAMES, c};
  TAKEN(art_set_combination(b, x.force, x.n, x.coordinate, x.coefficient));
  TEXT(x, force, art_set_combination(b, x.force, x.n, x.coordinate, x.coefficient));
  LIST(x, n, coordinate, art_set_combination(b, x.force, x.n, x.coordinate, x.coefficient));
  LIST(x, n, coefficient, art_set_combination(b, x.force, x.n, x.coordinate, x.coefficient));
  c[1] = NAN;
  REFUSED(art_set_combination(b, x.force, x.n, x.coordinate, x.coefficient));
}


OF_ADDED(art_add_brake, artBrakeDef, ({"new", "pin", "1", 0.1}),
         (&def.name, &def.coordinate, &def.demand), &def.transition)


OF(art_add_driver)
{
  artDriverDef def = {.name = "new",
                      .coordinate = "pin",
                      .frame = "rod",
                      .path = {.type = ART_PATH_SLALOM, .spacing = 1, .ramp = 1, .amplitude = 1},
                      .distance = 1,
                      .time = 1,
                      .gain = 1,
                      .limit = 1,
                      .stiffness = 1,
                      .damping = 1};
  ADDED(art_add_driver, &def.name, &def.coordinate, &def.frame);
  NUMBERS(art_add_driver(b, &def), &def.distance, &def.time, &def.gain, &def.limit, &def.stiffness,
          &def.damping, &def.path.start, &def.path.spacing, &def.path.amplitude, &def.path.ramp);
  MEMBER(def, path.type, artPathType, ART_PATH_SLALOM + 1, art_add_driver(b, &def))
  def.path = (artPathDef){.type = ART_PATH_CURVE, .curve = "path"};
  TAKEN(art_add_driver(b, &def));
  TEXT(def, path.curve, art_add_driver(b, &def));
  def.path = (artPathDef){.type = ART_PATH_LANE_CHANGE, .width = 2};
  NUMBER(def, path.width, art_add_driver(b, &def))
  def.path = (artPathDef){.type = ART_PATH_CIRCLE, .radius = 20};
  NUMBER(def, path.radius, art_add_driver(b, &def))
}


OF_ADDED(art_add_cruise, artCruiseDef, ({"new", "pin", "rod", "10", 1, 1, 1}),
         (&def.name, &def.coordinate, &def.frame, &def.speed), &def.gain, &def.drive, &def.brake)


OF(art_add_motor)
{
  artMotorDef def = art_default_motor();
  def.name = "new", def.coordinate = "pin", def.voltage = "10";
  def.constant = def.resistance = def.inductance = 1;
  ADDED(art_add_motor, &def.name, &def.coordinate, &def.voltage);
  NUMBERS(art_add_motor(b, &def), &def.constant, &def.resistance, &def.inductance, &def.gear,
          &def.friction, &def.most, &def.current);
  def.torque = "1";
  REFUSED(art_add_motor(b, &def));
  def.voltage = NULL;
  REFUSED(art_add_motor(b, &def));
  def.inductance = 0;
  TAKEN(art_add_motor(b, &def));
  def.gear = 0;
  REFUSED(art_add_motor(b, &def));
}


OF(art_add_hydraulic_cylinder)
{
  artHydraulicCylinderDef def = art_default_hydraulic_cylinder();
  def.name = "new", def.from = "ground", def.to = "wheel", def.opening = "0";
  def.stroke = def.area_a = def.area_b = def.dead_a = def.dead_b = def.flow = def.drop = 1;
  def.supply = 2;
  ADDED(art_add_hydraulic_cylinder, &def.name, &def.from, &def.to, &def.opening);
  NUMBERS(art_add_hydraulic_cylinder(b, &def), &def.shortest, &def.stroke, &def.area_a, &def.area_b,
          &def.dead_a, &def.dead_b, &def.bulk, &def.flow, &def.drop, &def.supply, &def.tank,
          &def.leakage, &def.transition, &def.pressure_a, &def.pressure_b);
  def.tank = 2;
  REFUSED(art_add_hydraulic_cylinder(b, &def));
}


OF(art_add_pneumatic_cylinder)
{
  artPneumaticCylinderDef def = art_default_pneumatic_cylinder();
  def.name = "new", def.from = "ground", def.to = "wheel";
  def.pressure = def.area = def.volume = 1;
  ADDED(art_add_pneumatic_cylinder, &def.name, &def.from, &def.to);
  NUMBERS(art_add_pneumatic_cylinder(b, &def), &def.free_length, &def.pressure, &def.area,
          &def.volume, &def.exponent, &def.gas, &def.ambient, &def.temperature, &def.heat,
          &def.supply, &def.valve);
  def.exponent = 1;
  REFUSED(art_add_pneumatic_cylinder(b, &def));
}


OF(art_add_body_force)
{
  artBodyForceDef def = {.name = "new", .on = "rod", .components = {"1", NULL, NULL}};
  ADDED(art_add_body_force, &def.name, &def.on);
  def.components[1] = "";
  REFUSED(art_add_body_force(b, &def));
}


OF(art_add_road)
{
  artRoad *road = NULL;
  const artPlaneRoad def = {.height = 0};
  CHECK(art_create_plane_road(&road, &def, NULL) == ART_OK);
  TAKEN(art_add_road(b, "new", road));
  MISUSED(art_add_road(b, "new", NULL));
  REFUSED(art_add_road(b, NULL, road));
  REFUSED(art_add_road(b, "", road));
  art_free_road(road);
}


OF(art_add_tyre)
{
  artTyre *tyre = NULL;
  const artRadialTyre def = {0.3, 2e5, 100, 3000};
  CHECK(art_create_radial_tyre(&tyre, &def, NULL) == ART_OK);
  TAKEN(art_add_tyre(b, "new", tyre));
  MISUSED(art_add_tyre(b, "new", NULL));
  REFUSED(art_add_tyre(b, NULL, tyre));
  art_free_tyre(tyre);
}


OF(art_add_tyre_force)
{
  artTyreForceDef def = {.name = "new", .wheel = "wheel", .tyre = "tyre"};
  ADDED(art_add_tyre_force, &def.name, &def.wheel, &def.tyre);
  def.road = "no";
  REFUSED(art_add_tyre_force(b, &def));
}


OF(art_add_bushing)
{
  artBushingDef def = {.name = "new", .from = "ground", .to = "wheel"};
  def.stiffness[0] = 1;
  ADDED(art_add_bushing, &def.name, &def.from, &def.to);
  for (int p = 0; p < 36; p++) NUMBER(def, stiffness[p], art_add_bushing(b, &def))
  for (int p = 0; p < 36; p++) NUMBER(def, damping[p], art_add_bushing(b, &def))
  for (int p = 0; p < 6; p++) NUMBER(def, preload[p], art_add_bushing(b, &def))
  def.spring[5] = def.damper[5] = (artLawDef){.type = ART_LAW_LINEAR, .coefficient = 1};
  LAW(def, spring[5], art_add_bushing(b, &def));
  LAW(def, damper[5], art_add_bushing(b, &def));
}


OF(art_add_surface)
{
  artSurfaceDef def = surface_of("new", ART_SURFACE_CAPSULE, "rod");
  ADDED(art_add_surface, &def.name, &def.on);
  NUMBERS(art_add_surface(b, &def), &def.radius, &def.length);
  for (int p = 0; p < 3; p++) NUMBER(def, position[p], art_add_surface(b, &def))
  def.radius = 0;
  REFUSED(art_add_surface(b, &def));
  def = surface_of("newer", ART_SURFACE_BOX, "rod");
  for (int p = 0; p < 3; p++) NUMBER(def, size[p], art_add_surface(b, &def))
  def.size[1] = 0;
  REFUSED(art_add_surface(b, &def));
  def = surface_of("newest", ART_SURFACE_ELLIPSOID, "rod");
  for (int p = 0; p < 3; p++) NUMBER(def, size[p], art_add_surface(b, &def))
  def.size[2] = -1;
  REFUSED(art_add_surface(b, &def));
  def = surface_of("cone", ART_SURFACE_CONE, "rod");
  NUMBERS(art_add_surface(b, &def), &def.radius, &def.length, &def.top);
  def.top = -0.1;
  REFUSED(art_add_surface(b, &def));
  def = surface_of("ring", ART_SURFACE_TORUS, "rod");
  NUMBERS(art_add_surface(b, &def), &def.radius, &def.tube);
  def.tube = -0.1;
  REFUSED(art_add_surface(b, &def));
  def = surface_of("cam", ART_SURFACE_PROFILE, "rod");
  double points[] = {0, 0, 0, 1, 0, 2, 0, 1, 0};
  def.points = (artNumbers){9, points}, def.copies = 1;
  for (int p = 0; p < 9; p++) NUMBERS(art_add_surface(b, &def), &points[p]);
  def.points.count = 8;
  REFUSED(art_add_surface(b, &def));
  def.points = (artNumbers){9, NULL};
  REFUSED(art_add_surface(b, &def));
  def.points = (artNumbers){-9, points};
  REFUSED(art_add_surface(b, &def));
  def.points = (artNumbers){9, points}, def.copies = -1;
  REFUSED(art_add_surface(b, &def));
  def.copies = 2000000000;
  REFUSED(art_add_surface(b, &def));
  def = surface_of("stone", ART_SURFACE_HULL, "rod");
  double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  def.points = (artNumbers){12, corners};
  for (int p = 0; p < 12; p++) NUMBERS(art_add_surface(b, &def), &corners[p]);
  def.points.count = 11;
  REFUSED(art_add_surface(b, &def));
  def.points.count = 9;
  REFUSED(art_add_surface(b, &def));
  def.points = (artNumbers){12, NULL};
  REFUSED(art_add_surface(b, &def));
  corners[11] = 0;
  def.points = (artNumbers){12, corners};
  REFUSED(art_add_surface(b, &def));
  def = surface_of("hills", ART_SURFACE_ROAD, "ground");
  REFUSED(art_add_surface(b, &def));
  def = surface_of("none", ART_SURFACE_TYPES, "rod");
  REFUSED(art_add_surface(b, &def));
}


OF(art_add_rigid_contact)
{
  artRigidContactDef def = art_default_rigid_contact();
  def.name = "new", def.from = "floor", def.to = "ball", def.restitution = 0.5, def.friction = 0.5;
  ADDED(art_add_rigid_contact, &def.name, &def.from, &def.to);
  NUMBERS(art_add_rigid_contact(b, &def), &def.restitution, &def.friction, &def.rolling,
          &def.spinning);
  const artRigidContactDef good = def;
  def.to = "floor"; // with itself
  REFUSED(art_add_rigid_contact(b, &def));
  def = good, def.restitution = 1.1;
  REFUSED(art_add_rigid_contact(b, &def));
  def = good, def.friction = -0.1;
  REFUSED(art_add_rigid_contact(b, &def));
}


OF(art_add_rigid_pile)
{
  artRigidPileDef def = art_default_rigid_pile();
  def.name = "new", def.from = "floor", def.to = "ball", def.restitution = 0.5, def.friction = 0.5;
  ADDED(art_add_rigid_pile, &def.name, &def.from, &def.to);
  NUMBERS(art_add_rigid_pile(b, &def), &def.restitution, &def.friction, &def.rolling,
          &def.spinning);
  const artRigidPileDef good = def;
  def.to = "floor"; // no pair
  REFUSED(art_add_rigid_pile(b, &def));
  def = good, def.restitution = 1.1;
  REFUSED(art_add_rigid_pile(b, &def));
  def = good, def.friction = -0.1;
  REFUSED(art_add_rigid_pile(b, &def));
}


OF(art_add_contact)
{
  artContactDef def = art_default_contact();
  def.name = "new", def.from = "floor", def.to = "ball", def.stiffness = 1000, def.friction = 0.3;
  ADDED(art_add_contact, &def.name, &def.from, &def.to);
  NUMBERS(art_add_contact(b, &def), &def.stiffness, &def.damping, &def.friction,
          &def.static_friction, &def.transition_speed, &def.tangential_stiffness, &def.retardation,
          &def.exponent, &def.poisson, &def.speed, &def.restitution, &def.young, &def.rolling,
          &def.spinning);
  const artContactDef good = def;
  def.to = "floor"; // with itself
  REFUSED(art_add_contact(b, &def));
  def = good, def.friction = -0.1;
  REFUSED(art_add_contact(b, &def));
  def = good, def.rolling = -0.1;
  REFUSED(art_add_contact(b, &def));
  def = good, def.spinning = -0.1;
  REFUSED(art_add_contact(b, &def));
  def = good, def.static_friction = 0.2;
  REFUSED(art_add_contact(b, &def));
  def = good, def.restitution = 0.5, def.speed = 1; // of the linear law
  REFUSED(art_add_contact(b, &def));
  def.law = ART_CONTACT_HERTZ;
  REFUSED(art_add_contact(b, &def)); // friction without tangential stiffness
  def.tangential_stiffness = 100;
  TAKEN(art_add_contact(b, &def));
  def.restitution = 1.1;
  REFUSED(art_add_contact(b, &def));
  def = good, def.law = ART_CONTACT_LAWS;
  REFUSED(art_add_contact(b, &def));
}


OF_ADDED(art_add_rope, artRopeDef,
         ({.name = "new", .through = {"ground", "rod"}, .free_length = 1, .stiffness = 100}),
         (&def.name, &def.through[0], &def.through[1]), &def.free_length, &def.stiffness,
         &def.damping)


OF(art_add_drag)
{
  artDragDef def = {.name = "new", .on = "rod", .density = 1.2, .area = 1, .drag = 0.3};
  ADDED(art_add_drag, &def.name, &def.on);
  NUMBERS(art_add_drag(b, &def), &def.density, &def.area, &def.drag, &def.side, &def.vertical,
          &def.lift);
  for (int p = 0; p < 3; p++) NUMBER(def, wind[p], art_add_drag(b, &def))
}


OF(art_add_callback)
{
  artCallbackDef def = {.name = "new", .apply = no_law};
  ADDED(art_add_callback, &def.name);
  def.apply = NULL;
  REFUSED(art_add_callback(b, &def));
}


OF(art_add_drive)
{
  double x[2] = {0, 1};
  artDriveDef def = {.name = "new", .coordinate = "pin", .n = 2, .time = x, .value = x};
  ADDED(art_add_drive, &def.name, &def.coordinate);
  LIST(def, n, time, art_add_drive(b, &def));
  LIST(def, n, value, art_add_drive(b, &def));
  NUMBERS(art_add_drive(b, &def), &x[1]);
  def.formula = "";
  REFUSED(art_add_drive(b, &def));
}


OF(art_add_output)
{
  TAKEN(art_add_output(b, NULL, "pin.angle"));
  REFUSED(art_add_output(b, "x", NULL));
  REFUSED(art_add_output(b, "x", ""));
  CHECK(art_add_output(NULL, "x", "pin.angle") == ART_NO_MEMORY);
}

//---- studies -------------------------------------------------------------------------------------

OF(art_default_study)
{
  CHECK(art_default_study(ART_RUN).run.tolerance > 0);
  for (int k = 0; k < MISUSE_INDICES; k++) {
    const artStudyType type = (artStudyType) misuse_index(ART_STUDY_TYPES, k);
    MISUSE(art_default_study(type).run.tolerance == 0);
  }
}


static void lists_of_art_add_study(void);


OF(art_add_study)
{
  artStudyDef def = art_default_study(ART_RUN);
  TAKEN(art_add_study(b, &def));
  MISUSED(art_add_study(b, NULL));
  MEMBER(def, type, artStudyType, ART_STUDY_TYPES, art_add_study(b, &def))
  MEMBER(def, run.method, artMethod, ART_METHODS, art_add_study(b, &def))
  MEMBER(def, run.backend, artBackend, ART_BACKENDS, art_add_study(b, &def))
  MEMBER(def, run.integrator, artIntegrator, ART_INTEGRATORS, art_add_study(b, &def))
  MEMBER(def, run.algebra, artAlgebra, ART_ALGEBRAS, art_add_study(b, &def))
  MEMBER(def, run.redundant, artRedundant, ART_REDUNDANTS, art_add_study(b, &def))
  MEMBER(def, run.newton, artNewton, ART_NEWTONS, art_add_study(b, &def))
  MEMBER(def, run.partition, artPartition, ART_PARTITIONS, art_add_study(b, &def))
  MEMBER(def, run.projections, artProjections, ART_PROJECTIONS, art_add_study(b, &def))
  NUMBERS(art_add_study(b, &def), &def.run.from, &def.run.until, &def.run.step, &def.run.interval,
          &def.run.tolerance, &def.run.alpha, &def.run.beta, &def.run.penalty,
          &def.run.spectral_radius, &def.run.hht, &def.run.energy_upper, &def.run.energy_lower,
          &def.run.start.speed);
  lists_of_art_add_study();
}


OF(art_set_study)
{
  artStudyDef study = art_default_study(ART_RUN);
  MISUSE(art_set_study(NULL, "until", "1 s", NULL) == ART_BAD_INPUT);
  MISUSE(art_set_study(&study, NULL, "1 s", NULL) == ART_BAD_INPUT);
  MISUSE(art_set_study(&study, "until", NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_set_study(&study, "", "", NULL) == ART_BAD_INPUT);
  CHECK(art_set_study(&study, "until", "nan", NULL) == ART_BAD_INPUT && study.run.until == 10);
  CHECK(art_set_study(&study, "no", "1", NULL) == ART_BAD_INPUT);

  // the word of method for generated equations names a back end; every word sets both fields
  const artRunDef *run = &study.run;
  CHECK(art_set_study(&study, "method", "order-n", NULL) == ART_OK);
  CHECK(art_set_study(&study, "backend", "generated", NULL) == ART_BAD_INPUT);
  CHECK(run->method == ART_ORDER_N && run->backend == ART_BACKEND_NUMERIC);
  CHECK(art_set_study(&study, "method", "generated", NULL) == ART_OK);
  CHECK(run->method == ART_AUTOMATIC && run->backend == ART_BACKEND_GENERATED);
  CHECK(art_set_study(&study, "backend", "numeric", NULL) == ART_OK);
  CHECK(run->method == ART_AUTOMATIC && run->backend == ART_BACKEND_NUMERIC);
  CHECK(art_set_study(&study, "backend", "generated", NULL) == ART_OK);
  CHECK_TEXT(art_run_method_name(run), "generated");
  CHECK(art_set_study(&study, "method", "recursive", NULL) == ART_OK);
  CHECK(run->method == ART_RECURSIVE && run->backend == ART_BACKEND_NUMERIC);
}


static void lists_of_art_add_study(void)
{
  const char *names[1] = {"pin"}, *frames[1] = {"wheel"}, *tyres[1] = {"new"};
  const artMotionDef motion = {"pin.angle", "time"};
  const double one = 1;
  artStudyDef def = art_default_study(ART_INVERSE);
  def.inverse.motion = (artMotions){1, &motion};
  def.inverse.actuators = (artNames){1, names};
  TAKEN(art_add_study(b, &def));
  LIST(def, inverse.motion.count, inverse.motion.item, art_add_study(b, &def));
  LIST(def, inverse.actuators.count, inverse.actuators.name, art_add_study(b, &def));
  def = art_default_study(ART_KINEMATICS);
  def.kinematics.wheels = (artNames){1, frames};
  def.kinematics.hold = (artNames){1, names};
  TAKEN(art_add_study(b, &def));
  LIST(def, kinematics.wheels.count, kinematics.wheels.name, art_add_study(b, &def));
  LIST(def, kinematics.hold.count, kinematics.hold.name, art_add_study(b, &def));
  NUMBERS(art_add_study(b, &def), &def.kinematics.bump, &def.kinematics.rebound,
          &def.kinematics.radius, &def.kinematics.longitudinal, &def.kinematics.lateral,
          &def.kinematics.aligning);
  MEMBER(def, kinematics.steps, int, 10001, art_add_study(b, &def))
  def = art_default_study(ART_RESPONSE);
  def.response.tyres = (artNames){1, tyres};
  def.response.factors = def.response.delays = (artNumbers){1, &one};
  const artTyreForceDef tyre = {.name = "new", .wheel = "wheel", .tyre = "tyre"};
  TAKEN((art_add_tyre_force(b, &tyre), art_add_study(b, &def)));
  LIST(def, response.tyres.count, response.tyres.name, art_add_study(b, &def));
  LIST(def, response.factors.count, response.factors.value, art_add_study(b, &def));
  LIST(def, response.delays.count, response.delays.value, art_add_study(b, &def));
  NUMBERS(art_add_study(b, &def), &def.response.from, &def.response.to);
  MEMBER(def, response.count, int, INT_MAX, art_add_study(b, &def))
}

// names of members, and of none
#define OF_NAMES(name, type, count)                                                                \
  OF(name)                                                                                         \
  {                                                                                                \
    REFUSE_INDEX(count, strcmp(name((type) i), "unknown") == 0)                                    \
    CHECK(strcmp(name((type) (count - 1)), "unknown") != 0);                                       \
  }


OF_NAMES(art_joint_type_name, artJointType, ART_JOINT_TYPES)
OF_NAMES(art_latch_type_name, artLatchType, ART_LATCH_TYPES)
OF_NAMES(art_study_type_name, artStudyType, ART_STUDY_TYPES)
OF_NAMES(art_integrator_name, artIntegrator, ART_INTEGRATORS)
OF_NAMES(art_method_name, artMethod, ART_METHODS)
OF_NAMES(art_backend_name, artBackend, ART_BACKENDS)
OF_NAMES(art_algebra_name, artAlgebra, ART_ALGEBRAS)
OF_NAMES(art_redundant_name, artRedundant, ART_REDUNDANTS)
OF_NAMES(art_partition_name, artPartition, ART_PARTITIONS)
OF_NAMES(art_newton_name, artNewton, ART_NEWTONS)
OF_NAMES(art_projections_name, artProjections, ART_PROJECTIONS)


OF(art_run_integrator_name)
{
  artRunDef run = art_default_run();
  MISUSE(strcmp(art_run_integrator_name(NULL), "unknown") == 0);
  CHECK_TEXT(art_run_integrator_name(&run), "dopri5");
  run.integrator = ART_BDF;
  CHECK_TEXT(art_run_integrator_name(&run), "bdf");
}


OF(art_run_method_name)
{
  artRunDef run = art_default_run();
  MISUSE(strcmp(art_run_method_name(NULL), "unknown") == 0);
  CHECK_TEXT(art_run_method_name(&run), "automatic");
  run.backend = ART_BACKEND_GENERATED;
  CHECK_TEXT(art_run_method_name(&run), "generated");
}


OF(art_method_reads)
{
  MISUSE(!art_method_reads(ART_INDEX3, NULL));
  CHECK(art_method_reads(ART_INDEX3, "hht") && !art_method_reads(ART_ORDER_N, "hht"));
  CHECK(art_method_reads(ART_RECURSIVE, "alpha") && !art_method_reads(ART_INDEX1, "alpha"));
  CHECK(art_method_reads(ART_ORDER_N, "until") && art_method_reads(ART_ORDER_N, "no key"));
  REFUSE_INDEX(ART_METHODS, !art_method_reads((artMethod) i, "hht"))
}


OF_CALL(art_integrator_is_fixed,
        REFUSE_INDEX(ART_INTEGRATORS, !art_integrator_is_fixed((artIntegrator) i)))
OF_CALL(art_method_is_natural, REFUSE_INDEX(ART_METHODS, !art_method_is_natural((artMethod) i)))

//---- asking --------------------------------------------------------------------------------------

OF_CALL(art_count, MISUSE(art_count(NULL).bodies == 0 && art_count(NULL).links == 0))


OF(art_title)
{
  MISUSE(art_title(NULL) == NULL);
  artModel *m = keep_text(TEXT_OF_MODEL);
  CHECK_TEXT(art_title(m), "");
}

// names by number end with NULL
#define OF_NUMBERED(ask, n)                                                                        \
  OF(ask)                                                                                          \
  {                                                                                                \
    artModel *m = keep_text(TEXT_OF_MODEL);                                                        \
    MISUSE(ask(NULL, 0) == NULL);                                                                  \
    REFUSE_INDEX(n, ask(m, i) == NULL)                                                             \
    CHECK((n) == 0 || ask(m, (n) -1));                                                             \
  }


OF_NUMBERED(art_position_name, 1)
OF_NUMBERED(art_position_unit, 1)
OF_NUMBERED(art_velocity_name, 1)
OF_NUMBERED(art_velocity_unit, 1)
OF_NUMBERED(art_output_name, art_count(m).outputs)
OF_NUMBERED(art_output_unit, art_count(m).outputs)
OF_NUMBERED(art_state_name, art_count(m).states)
OF_NUMBERED(art_state_unit, art_count(m).states)

// indices by name are -1 for names that are unknown
#define OF_NAMED(find, known)                                                                      \
  OF(find)                                                                                         \
  {                                                                                                \
    artModel *m = keep_text(TEXT_OF_MODEL);                                                        \
    MISUSE(find(NULL, "") == -1);                                                                  \
    MISUSE(find(m, NULL) == -1);                                                                   \
    CHECK(find(m, "") == -1 && find(m, "no") == -1 && find(m, known) >= 0);                        \
  }


OF(art_set_parameter)
{
  artModel *m = keep_text(TEXT_OF_MODEL);
  MISUSE(art_set_parameter(NULL, "a", 1, NULL) == ART_BAD_INPUT);
  MISUSE(art_set_parameter(m, NULL, 1, NULL) == ART_BAD_INPUT);
  CHECK(art_set_parameter(m, "b", 1, NULL) == ART_BAD_INPUT);
  CHECK(art_set_parameter(m, "m", NAN, NULL) == ART_BAD_INPUT);
  CHECK(art_set_parameter(m, "m", 2, NULL) == ART_OK);
}


OF(parameters)
{
  const artModel *m = keep_text(TEXT_OF_MODEL);
  double limits[2];
  MISUSE(art_count_parameters(NULL) == 0);
  MISUSE(art_find_parameter(NULL, "a") == -1);
  MISUSE(art_find_parameter(m, NULL) == -1);
  CHECK(art_find_parameter(m, "no") == -1);
  MISUSE(art_parameter_name(NULL, 0) == NULL);
  CHECK(art_parameter_name(m, 1000) == NULL);
  MISUSE(art_parameter_unit(NULL, 0) == NULL);
  CHECK(art_parameter_unit(m, -1) == NULL);
  MISUSE(isnan(art_parameter_value(NULL, 0)));
  MISUSE(isnan(art_parameter_value(m, 1000)));
  MISUSE(art_parameter_is_formula(NULL, 0) == 0);
  MISUSE(art_parameter_is_formula(m, -1) == 0);
  MISUSE(art_parameter_help(NULL, 0) == NULL);
  CHECK(art_parameter_help(m, -1) == NULL);
  MISUSE(art_parameter_limits(NULL, 0, limits) == 0);
  MISUSE(art_parameter_limits(m, 0, NULL) == 0);
  MISUSE(art_parameter_limits(m, 1000, limits) == 0);
  MISUSE(art_parameter_is_design(NULL, 0, NULL) == 0);
  MISUSE(art_parameter_is_design(m, -1, NULL) == 0);
}


OF_CALL(art_model_revision, MISUSE(art_model_revision(NULL) == 0))


OF_NAMED(art_find_body, "rod")
OF_NAMED(art_find_frame, "ground")
OF_NAMED(art_find_position, "pin.slide")
OF_NAMED(art_find_velocity, "pin.rate")
OF_NAMED(art_find_state, "level")
OF_NAMED(art_find_input, "push")


OF(studies_by_name)
{
  artModel *m = keep_text(TEXT_OF_MODEL);
  MISUSE(art_find_run(NULL, NULL) == NULL);
  CHECK(art_find_run(m, "no") == NULL);
  MISUSE(art_find_study(NULL, ART_RUN, NULL) == NULL);
  CHECK(art_find_study(m, (artStudyType) -1, NULL) == NULL);
  CHECK(art_find_study(m, ART_RUN, "no") == NULL);
}


OF_CALL(art_model_hash, MISUSE(art_model_hash(NULL) == 0))
OF_CALL(art_model_warning, MISUSE(art_model_warning(NULL, 0) == NULL))


MISUSE_MAIN("model.h")
