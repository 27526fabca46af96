// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libFuzzer target: bytes as a program of calls, most of them right and some against the rules of
// articula/base.h. Eight bytes or fewer are the seed of a random program. Machines are built, compiled,
// evaluated, run, saved, loaded and freed; what is refused has a text and leaves nothing behind.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "articula/articula.h"
#include "articula/schedule.h"
#include "base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BODIES = 8, MAX_OPS = 200, MAX_STATE = 400 };

//---- the program ---------------------------------------------------------------------------------

static struct {
  const uint8_t *data;
  size_t size, at;
  uint64_t seed; // above 0: bytes are random
  int ops;
  int is_bad; // the present call may break rules
} in;


static int byte(void)
{
  if (in.seed) {
    in.seed = in.seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int) (in.seed >> 56);
  }
  return in.at < in.size ? in.data[in.at++] : 0;
}


static int pick(int n)
{
  const int high = byte();
  return (256 * high + byte()) % n;
}


// one in four values of a bad call is bad
static int goes_wrong(void)
{
  return in.is_bad && pick(4) == 0;
}


static double real(double low, double high)
{
  static const double odd[] = {NAN,    INFINITY, -INFINITY, 1e308, -1e308, 5e-324,
                               1e-300, -1,       0,         1e16,  -0.0,   1e-12};
  if (goes_wrong()) return odd[pick(12)];
  return low + (high - low) * pick(65536) / 65535;
}


static int whole(int n)
{
  static const int odd[] = {-1, INT32_MAX, INT32_MIN, 1000000, 0};
  if (goes_wrong()) return pick(2) ? odd[pick(5)] : n;
  return n > 0 ? pick(n) : 0;
}


static void *maybe(const void *x)
{
  union {
    const void *constant;
    void *any;
  } p = {x};
  return goes_wrong() ? NULL : p.any;
}


static const char *text_of(const char *usual)
{
  static char longest[10001];
  static const char *const odd[] = {"",       "ground", "a b",    "\xff\xfe", "a\nb", "%s%n",
                                    "energy", "/",      "b0.b0.", "1e999",    "time", longest};
  if (!longest[0]) memset(longest, 'n', sizeof longest - 1);
  if (!goes_wrong()) return usual;
  return pick(4) ? odd[pick(12)] : NULL;
}

//---- the machine ---------------------------------------------------------------------------------

static struct {
  artBuilder *b;
  int bodies, others; // that have been named
  artModel *m;
  artData *d;
  artRun *run;
  artRunDef study;
  artCounts n;
  artError error;
} w;


static void ensure(int holds)
{
  if (!holds) abort();
}


// a status and its text agree
static artStatus said(artStatus status)
{
  ensure((int) status >= 0 && (status == ART_OK || w.error.text[0]));
  ensure(status == ART_OK || w.error.status == status);
  w.error = (artError){0};
  return status;
}


static void drop_run(void)
{
  art_free_run(w.run);
  w.run = NULL;
}


static void drop_data(void)
{
  drop_run();
  art_free_data(w.d);
  w.d = NULL;
}


static void drop_model(void)
{
  drop_data();
  art_free_model(w.m);
  w.m = NULL;
  w.n = (artCounts){0};
}

//---- building ------------------------------------------------------------------------------------

static const char *named(char letter, int k)
{
  static char names[8][16];
  static int next;
  char *name = names[next++ % 8];
  snprintf(name, sizeof names[0], "%c%d", letter, k);
  return text_of(name);
}


static const char *some_body(void)
{
  const int k = pick(w.bodies + 1);
  return k == w.bodies ? text_of("ground") : named('b', k);
}


// joint k leads to body k
static const char *some_joint(void)
{
  return named('j', pick(w.bodies > 0 ? w.bodies : 1));
}


static const char *some_coordinate(void)
{
  static const char *const ends[] = {"angle", "slide", "x", "qw", "angle1", "rate"};
  static char names[8][32];
  static int next;
  if (pick(3) > 0) return some_joint();
  char *name = names[next++ % 8];
  snprintf(name, sizeof names[0], "j%d.%s", pick(w.bodies > 0 ? w.bodies : 1), ends[pick(6)]);
  return text_of(name);
}


static const char *some_formula(void)
{
  static const char *const all[] = {
      "1",   "sin(3*time)", "2*j0.angle", "energy.total", "if(time>0.01,1,2)", "b0.x + b0.vx",
      "1/0", "j0.rate^2",   "c0(time)",   "abs(time)"};
  return text_of(all[pick(10)]);
}


static const char *new_name(void)
{
  return named('e', w.others++);
}


static artPose some_pose(void)
{
  artPose pose = art_default_pose();
  for (int k = 0; k < 3; k++) pose.position[k] = real(-1, 1);
  if (pick(4) == 0) {
    for (int k = 0; k < 4; k++) pose.rotation[k] = real(-1, 1);
  }
  return pose;
}


static artLawDef some_law(void)
{
  static double x[4], f[8];
  const int kinds = ART_LAW_AIR + 1;
  artLawDef law = {.type = (artLawType) whole(kinds), .coefficient = real(0, 100)};
  for (int k = 0; k < 4; k++) x[k] = real(k - 2, k - 1.9), f[k] = real(-5, 5);
  law.n = 1 + pick(4);
  if (goes_wrong()) law.n = -pick(3);
  law.width = law.n > 0 && law.n < 4 ? 1 : whole(2);
  if (law.width > 2 && law.width <= INT32_MAX / 4) law.width = 2; // f has no more numbers
  law.x = maybe(x), law.f = maybe(f);
  law.air = (artAirDef){real(1e5, 2e5), real(0.01, 0.1), real(0.001, 0.1), real(1, 1.4), 1e5};
  return law;
}


static artStatus add_body(void)
{
  artBodyDef body = art_default_body();
  artJointDef joint = art_default_joint();
  if (w.bodies >= MAX_BODIES) return ART_OK;
  joint.from = some_body();
  body.name = named('b', w.bodies);
  body.mass = real(0.1, 2);
  for (int k = 0; k < 3; k++) body.com[k] = real(-0.3, 0.3), body.inertia[k] = real(0.1, 0.15);
  joint.name = named('j', w.bodies);
  joint.to = named('b', w.bodies);
  joint.type = (artJointType) whole(ART_JOINT_TYPES - 1);
  for (int k = 0; k < 3; k++) joint.axis[k] = real(0.1, 1);
  joint.axis2[0] = joint.axis[1], joint.axis2[1] = -joint.axis[0];
  joint.pitch = real(0.01, 0.1);
  joint.from_offset = some_pose();
  joint.keep = goes_wrong() ? whole(3) : 0;
  w.bodies++;
  const artStatus status = art_add_body(w.b, maybe(&body));
  return status ? status : art_add_joint(w.b, maybe(&joint));
}


static artStatus add_loop(void)
{
  artJointDef joint = art_default_joint();
  joint.name = new_name();
  joint.type = pick(2) ? ART_ROD : (artJointType) whole(ART_JOINT_TYPES);
  joint.from = some_body(), joint.to = some_body();
  joint.length = real(0, 2);
  joint.mass = pick(2) ? 0 : real(0, 1);
  return art_add_joint(w.b, maybe(&joint));
}


static artStatus add_visual(void)
{
  static const float vertex[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  int triangle[3] = {0, 1, 2};
  artVisualDef visual = art_default_visual();
  visual.type = (artVisualType) whole(ART_VISUAL_TYPES);
  for (int k = 0; k < 3; k++) visual.size[k] = real(0.1, 1);
  visual.radius = real(0.1, 1), visual.length = real(0.1, 1);
  visual.nvertex = goes_wrong() ? -1 : 3, visual.vertex = maybe(vertex);
  visual.ntriangle = goes_wrong() ? -1 : 1, visual.triangle = maybe(triangle);
  triangle[2] = whole(3);
  visual.pose = some_pose();
  return art_add_visual(w.b, some_body(), maybe(&visual));
}


static artStatus add_coupling(void)
{
  const char *names[2] = {some_coordinate(), some_coordinate()};
  const double coefficient[2] = {real(-2, 2), real(-2, 2)};
  const artCouplingDef def = {new_name(), goes_wrong() ? -pick(2) : 2, maybe(names),
                              maybe(coefficient), real(-1, 1)};
  return art_add_coupling(w.b, maybe(&def));
}


static artStatus add_element(void)
{
  switch (pick(10)) {
  case 0: {
    const artSpringDamperDef def = {new_name(),
                                    some_body(),
                                    some_body(),
                                    real(0, 1),
                                    some_law(),
                                    some_law(),
                                    {real(-1, 0), real(0.1, 1), real(0, 100), real(0, 1)}};
    return art_add_spring_damper(w.b, maybe(&def));
  }
  case 1: {
    const artJointSpringDef def = {new_name(), some_coordinate(), real(-1, 1), some_law(),
                                   some_law()};
    return art_add_joint_spring(w.b, maybe(&def));
  }
  case 2: {
    const artJointStopDef def = {new_name(), some_coordinate(), real(-2, -1),
                                 real(1, 2), real(1, 1000),     real(0, 1)};
    return art_add_joint_stop(w.b, maybe(&def));
  }
  case 3: {
    const artJointFrictionDef def = {new_name(),   some_coordinate(), real(0, 1), real(1, 2),
                                     real(0.1, 1), real(0.1, 1),      real(0, 1)};
    return art_add_joint_friction(w.b, maybe(&def));
  }
  case 4: {
    const artJointForceDef def = {new_name(), some_coordinate(), some_formula(), {0}};
    return art_add_joint_force(w.b, maybe(&def));
  }
  case 7: {
    const double x[2] = {real(-1, 1), real(-1, 1)};
    const artCallDef call = {
        .name = text_of("law"), .n = goes_wrong() ? 40 : 2, .parameter = maybe(x)};
    artLinkForceDef def = {.name = new_name(), .from = some_body(), .to = some_body()};
    if (pick(2)) {
      def.formula = some_formula();
    } else {
      def.call = call;
    }
    return art_add_link_force(w.b, maybe(&def));
  }
  case 5: {
    const artBodyForceDef def = {new_name(), some_body(), {some_formula(), NULL, text_of("1")},
                                 pick(2),    pick(2),     {0}};
    return art_add_body_force(w.b, maybe(&def));
  }
  case 6: {
    artBushingDef def = {.name = new_name(), .from = some_body(), .to = some_body()};
    for (int k = 0; k < 6; k++) def.stiffness[7 * k] = real(0, 100), def.preload[k] = real(-1, 1);
    def.spring[pick(6)] = some_law();
    return art_add_bushing(w.b, maybe(&def));
  }
  case 8: {
    double points[15];
    for (int i = 0; i < 15; i++) points[i] = i % 3 == 2 && pick(2) ? 0 : real(-1, 1);
    artSurfaceDef surface = {.type = (artSurfaceType) pick(ART_SURFACE_TYPES + goes_wrong()),
                             .size = {real(0, 1), 1, 1},
                             .radius = real(0, 1),
                             .length = real(0, 1),
                             .top = real(-0.1, 1),
                             .tube = real(-0.1, 1),
                             .number = pick(3) - 1,
                             .points = {3 * pick(6), points},
                             .is_smooth = pick(2),
                             .copies = pick(4) - goes_wrong()};
    const char *name[2] = {new_name(), new_name()};
    for (int i = 0; i < 2; i++) {
      surface.name = name[i];
      surface.on = some_body();
      const artStatus status = art_add_surface(w.b, maybe(&surface));
      if (status != ART_OK) return status;
    }
    if (pick(3) == 0) {
      artRigidContactDef rigid = {.name = new_name(),
                                  .from = name[0],
                                  .to = name[pick(2)],
                                  .restitution = real(-0.1, 1.1),
                                  .friction = real(-0.1, 1)};
      artRigidPileDef pile = {.name = new_name(),
                              .from = name[0],
                              .to = pick(2) ? "all" : name[1],
                              .restitution = rigid.restitution,
                              .friction = rigid.friction};
      if (pick(3) == 0) return art_add_rigid_pile(w.b, maybe(&pile));
      return art_add_rigid_contact(w.b, maybe(&rigid));
    }
    artContactDef def = art_default_contact();
    def.name = new_name(), def.from = name[0], def.to = name[pick(2)];
    def.law = (artContactLaw) pick(ART_CONTACT_LAWS);
    def.stiffness = real(0, 1e5), def.friction = real(-0.1, 1), def.tangential_stiffness = 1e4;
    def.rolling = pick(2) * real(-0.01, 0.1), def.spinning = pick(2) * real(-0.01, 0.1);
    return art_add_contact(w.b, maybe(&def));
  }
  default: {
    const artDragDef def = {new_name(), some_body(), real(0, 2), real(0, 1),         real(0, 1),
                            real(0, 1), real(0, 1),  real(0, 1), {real(-9, 9), 0, 0}};
    return art_add_drag(w.b, maybe(&def));
  }
  }
}


static artStatus add_control(void)
{
  switch (pick(4)) {
  case 0: {
    const artBrakeDef def = {new_name(), some_coordinate(), some_formula(), real(0.1, 1)};
    return art_add_brake(w.b, maybe(&def));
  }
  case 1: {
    const artCruiseDef def = {new_name(), some_coordinate(), some_body(), some_formula(),
                              real(1, 9), real(1, 9),        real(1, 9)};
    return art_add_cruise(w.b, maybe(&def));
  }
  case 2: {
    artDriverDef def = {new_name(), some_coordinate(), some_body(), {0}, 1, 1, 1, 1, 1, 1};
    def.path = (artPathDef){(artPathType) whole(ART_PATH_SLALOM + 1),
                            text_of("c0"),
                            real(-1, 1),
                            real(1, 2),
                            real(5, 9),
                            real(5, 9),
                            real(-1, 1),
                            real(1, 9)};
    return art_add_driver(w.b, maybe(&def));
  }
  default: {
    const char *names[2] = {some_coordinate(), some_coordinate()};
    const double coefficient[2] = {real(-1, 1), real(-1, 1)};
    return art_set_combination(w.b, named('e', pick(w.others + 1)), goes_wrong() ? -1 : 2,
                               maybe(names), maybe(coefficient));
  }
  }
}


static artStatus apply(void *context, const artModel *m, artData *d)
{
  const double force[3] = {1, 0, 0};
  (void) context;
  art_apply_force(m, d, whole(2), maybe(force));
  art_apply_torque(m, d, whole(2), maybe(force));
  art_apply_joint_force(m, d, whole(1), 1);
  return goes_wrong() ? ART_NO_CONVERGENCE : ART_OK;
}


static artStatus add_ride(void)
{
  artRoad *road = NULL;
  artTyre *tyre = NULL;
  const artSineRoad sine = {{0}, real(0, 0.1), real(1, 3), 0, real(0, 1), real(0, 1), 0, 0};
  const artLinearTyre linear = {{real(0.2, 0.5), real(1e4, 2e5), real(0, 100), real(1e3, 5e3)},
                                real(1e4, 1e5),
                                real(1e4, 1e5),
                                0,
                                0,
                                real(0.5, 1),
                                {0.3, 0.3}};
  (void) said(art_create_sine_road(&road, maybe(&sine), &w.error));
  (void) said(art_create_linear_tyre(&tyre, maybe(&linear), &w.error));
  const char *name = new_name(), *own = new_name();
  artStatus status = art_add_road(w.b, name, road);
  if (!status) status = art_add_tyre(w.b, own, tyre);
  art_free_road(road);
  art_free_tyre(tyre);
  static const char *const formulas[] = {"0.1", "time", "0.01*sin(time)", "1/", ""};
  const artTyreForceDef def = {.name = new_name(),
                               .wheel = some_body(),
                               .tyre = own,
                               .road = pick(2) ? name : NULL,
                               .relaxation = pick(2),
                               .road_height = pick(3) ? NULL : formulas[pick(5)],
                               .road_rate = pick(3) ? NULL : formulas[pick(5)]};
  return status ? status : art_add_tyre_force(w.b, maybe(&def));
}


static artRunDef some_run(void)
{
  static const double steps[] = {1e-3, 1e-2, 0.5, 0};
  artRunDef s = art_default_run();
  s.method = (artMethod) whole(ART_METHODS);
  s.integrator = (artIntegrator) whole(ART_INTEGRATORS);
  s.algebra = (artAlgebra) whole(ART_ALGEBRAS);
  s.redundant = (artRedundant) whole(ART_REDUNDANTS);
  if (goes_wrong()) s.newton = (artNewton) whole(ART_NEWTONS);
  s.partition = (artPartition) whole(ART_PARTITIONS);
  if (pick(8) == 0) s.independent = some_joint();
  s.from = goes_wrong() ? real(0, 1) : 0;
  s.until = goes_wrong() ? real(0, 1) : 0.01;
  s.step = goes_wrong() ? real(1e-3, 1) : steps[pick(4)];
  s.interval = goes_wrong() ? real(1e-3, 1) : steps[pick(4)];
  s.tolerance = goes_wrong() ? real(1e-6, 1) : 1e-6;
  s.spectral_radius = goes_wrong() ? real(0, 1) : 1;
  return s;
}


static artKinematicsDef some_kinematics(void)
{
  static const char *names[2];
  artKinematicsDef s = art_default_kinematics();
  names[0] = some_body(), names[1] = some_joint();
  s.wheels = (artNames){goes_wrong() ? -1 : 1, maybe(names)};
  s.hold = (artNames){goes_wrong() ? -1 : 1, maybe(names + 1)};
  s.bump = real(0, 0.01), s.rebound = real(0, 0.01), s.steps = whole(3);
  s.lateral = real(0, 1);
  return s;
}


static artResponseDef some_response(void)
{
  artResponseDef s = art_default_response();
  s.method = (artMethod) whole(ART_METHODS);
  s.count = goes_wrong() ? whole(5) : 5;
  s.from = real(0.1, 1), s.to = real(2, 9);
  return s;
}


static artStudyDef some_study(void)
{
  artStudyDef s = art_default_study((artStudyType) pick(ART_STUDY_TYPES));
  if (s.type == ART_RUN) s.run = some_run();
  if (s.type == ART_KINEMATICS) s.kinematics = some_kinematics();
  if (s.type == ART_RESPONSE) s.response = some_response();
  if (goes_wrong()) s.type = (artStudyType) whole(ART_STUDY_TYPES);
  return s;
}


static artStatus add_other(void)
{
  const double x[3] = {real(0, 1), real(2, 3), real(4, 5)}, f[3] = {real(-1, 1), 0, real(-1, 1)};
  switch (pick(10)) {
  case 0: {
    const artDriveDef def = {new_name(), some_coordinate(), pick(2) ? some_formula() : NULL,
                             3,          maybe(x),          maybe(f)};
    return art_add_drive(w.b, maybe(&def));
  }
  case 1: return art_add_output(w.b, pick(2) ? NULL : new_name(), some_formula());
  case 2: {
    const artStudyDef def = some_study();
    return art_add_study(w.b, maybe(&def));
  }
  case 3: {
    const artCurveDef def = {text_of("c0"), 3, maybe(x), maybe(f), pick(2), NULL, text_of("m")};
    return art_add_curve(w.b, maybe(&def));
  }
  case 4: return art_add_parameter(w.b, new_name(), real(-1, 1), pick(2) ? NULL : text_of("m"));
  case 5: return art_set_gravity(w.b, maybe(x));
  case 6: {
    const artPose pose = some_pose();
    return art_add_frame(w.b, some_body(), text_of("f"), maybe(&pose));
  }
  case 7: {
    const artCallbackDef def = {new_name(), apply, NULL, NULL};
    return art_add_callback(w.b, maybe(&def));
  }
  default:
    (void) art_set_title(w.b, text_of("title"));
    return art_set_initial(w.b, some_coordinate(), real(-0.5, 0.5));
  }
}


static void renew_builder(void)
{
  art_free_builder(w.b);
  w.b = art_create_builder();
  w.bodies = w.others = 0;
  const int was_bad = in.is_bad;
  in.is_bad = 0;
  for (int k = 0; k < 2; k++) (void) add_body();
  in.is_bad = was_bad;
}


static void build(void)
{
  artStatus (*const calls[])(void) = {add_body,     add_body,    add_loop,    add_visual,
                                      add_coupling, add_element, add_element, add_control,
                                      add_ride,     add_other,   add_other};
  if (w.bodies == 0) renew_builder();
  const artStatus status = calls[pick(11)]();
  if (status == ART_OK) return;

  // a builder that has failed says the same until it is freed
  artModel *m = NULL;
  ensure(status == ART_BAD_INPUT && art_set_title(w.b, "t") == status);
  ensure(said(art_compile_model(&m, w.b, &w.error)) == status && !m);
  renew_builder();
}


static artStatus law(void *context, const double *x, double *y)
{
  (void) context;
  y[0] = x[1] + x[3];
  return goes_wrong() ? ART_SINGULAR : ART_OK;
}


static void compile(void)
{
  artModel *m = NULL;
  const artStatus status = said(art_compile_model(&m, w.b, &w.error));
  ensure((status == ART_OK) == (m != NULL));
  if (!m) {
    renew_builder();
    return;
  }
  drop_model();
  w.m = m;
  w.n = art_count(m);
  if (pick(4)) (void) art_attach_function(m, "law", law, NULL, &w.error);
  w.d = art_create_data(w.m);
  ensure(w.d && w.n.nq <= MAX_STATE);
}

//---- evaluating ----------------------------------------------------------------------------------

static void set_state(void)
{
  if (w.run || !w.d) return;
  if (pick(4) == 0) art_reset(w.m, w.d);
  if (w.n.nv > 0) w.d->v[pick(w.n.nv)] = real(-1, 1);
  if (w.n.nq > 0) w.d->q[pick(w.n.nq)] += real(-0.2, 0.2);
  w.d->time = real(0, 1);
  if (pick(2)) (void) art_normalise(w.m, w.d->q);
  art_update(w.m, w.d);
}


static void evaluate(void)
{
  static double M[MAX_STATE * MAX_STATE], x[6 * MAX_STATE], y[MAX_STATE];
  double p[4], q[4];
  const artModel *m = maybe(w.m);
  artData *d = maybe(w.d);
  if (!w.d || w.run) return;
  const artMethod method = (artMethod) whole(ART_METHODS);
  art_update(m, d);
  const int is_accelerated = said(art_accelerate(m, d, method, &w.error)) == ART_OK;
  const int frame = whole(1 + w.n.bodies);
  if (is_accelerated) {
    art_frame_acceleration(m, d, frame, p, q);
    (void) said(art_reaction(m, d, some_joint(), maybe(p), maybe(q), &w.error));
    (void) said(art_rod_forces(m, d, new_name(), p, q, &w.error));
    if (w.n.outputs <= MAX_STATE) art_outputs(m, d, maybe(y));
  }
  art_frame_position(m, d, frame, maybe(p));
  art_frame_rotation(m, d, frame, maybe(q));
  art_frame_velocity(m, d, frame, maybe(p), maybe(q));
  art_frame_jacobian(m, d, frame, maybe(x));
  if (w.n.nv <= 100) art_mass_matrix(m, d, maybe(M));
  art_inverse_dynamics(m, d, NULL, maybe(x));
  (void) said(art_forward_dynamics(m, d, maybe(x), maybe(y), &w.error));
  art_position_rates(m, d, maybe(y));
  (void) art_energy(m, d);
  art_momentum(m, d, p, q);
}


static void ask(void)
{
  static const char *const names[] = {"b0", "j0.angle", "b0.f", "", "ground", "j1.rate"};
  const char *name = text_of(names[pick(6)]);
  const int k = whole(w.n.nq);
  const artModel *m = maybe(w.m);
  if (!w.m) return;
  ensure(!m || !art_position_name(m, k) || art_find_position(m, art_position_name(m, k)) == k);
  (void) art_velocity_unit(m, k);
  (void) art_output_name(m, k);
  (void) art_state_name(m, k);
  ensure(art_find_body(m, name) >= -1 && art_find_frame(m, name) >= -1);
  (void) art_find_study(m, (artStudyType) whole(ART_STUDY_TYPES), name);
  (void) art_model_hash(m);
}

//---- studies -------------------------------------------------------------------------------------

static void settle(void)
{
  artEquilibrium rest;
  artTrim trim;
  artAssembly assembly;
  artMove move;
  char text[ART_ROW_LENGTH];
  if (!w.d || w.run) return;
  (void) said(art_assemble(maybe(w.m), w.d, pick(2) ? NULL : &assembly, &w.error));
  (void) art_assembly_move(w.m, w.d, whole(3), maybe(&move));
  (void) art_redundant_row(w.m, w.d, whole(3), text);
  switch (pick(8)) {
  case 0: (void) said(art_find_equilibrium(w.m, maybe(w.d), maybe(&rest), &w.error)); break;
  case 1: (void) said(art_find_stable_equilibrium(w.m, w.d, maybe(&rest), &w.error)); break;
  case 2: (void) said(art_find_trim(w.m, w.d, real(1, 9), maybe(&trim), &w.error)); break;
  default: break;
  }
}


static void analyse(void)
{
  double tau[MAX_STATE];
  artLinear *linear = NULL;
  artTable *table = NULL, *peaks = NULL;
  const artKinematicsDef kinematics = some_kinematics();
  const artResponseDef response = some_response();
  const artStudyDef *inverse = art_find_study(w.m, ART_INVERSE, NULL);
  if (!w.d || w.run || w.n.nv > 30) return;
  switch (pick(4)) {
  case 0: {
    const artMethod method = (artMethod) whole(ART_METHODS);
    ensure((said(art_linearise(w.m, w.d, method, &linear, &w.error)) == ART_OK) == !!linear);
    break;
  }
  case 1:
    ensure((said(art_find_kinematics(w.m, w.d, &kinematics, &table, &w.error)) == ART_OK) ==
           !!table);
    break;
  case 2:
    ensure((said(art_find_response(w.m, w.d, &response, &table, maybe(&peaks), &w.error)) ==
            ART_OK) == !!table);
    break;
  default:
    (void) said(art_inverse_at(w.m, w.d, inverse ? &inverse->inverse : NULL, real(0, 1), maybe(tau),
                               &w.error));
    break;
  }
  art_free_linear(linear);
  art_free_table(table);
  art_free_table(peaks);
}


static void start_run(void)
{
  drop_run();
  if (!w.d) return;
  w.study = some_run();
  if (w.study.integrator != ART_RK4 || w.study.step < 1e-4) w.study.until *= 0.1;
  if (w.study.step > 0) w.study.step = fmax(w.study.step, 1e-7); // or it takes for ever
  artRun *run = NULL;
  const artStatus status =
      said(art_create_run(&run, maybe(w.m), maybe(w.d), maybe(&w.study), &w.error));
  ensure((status == ART_OK) == (run != NULL));
  w.run = run;
}


static void advance(void)
{
  if (!w.run) return;
  double t = real(0, 2e-3);
  if (isfinite(t)) t = fmin(t, 0.1); // or it takes for ever
  const artStatus status =
      pick(2) ? art_run_next(w.run, maybe(&w.study), &w.error) : art_run_to(w.run, t, &w.error);
  (void) said(status);
  const artCertificate c = art_certify(w.run);
  (void) art_judge(&c, NULL);
}


static void save_and_load(void)
{
  if (!w.run) return;
  const size_t size = art_run_state_size(w.run);
  unsigned char *bytes = malloc(size);
  ensure(bytes && said(art_save_run(w.run, bytes, size, &w.error)) == ART_OK);
  if (goes_wrong()) bytes[(size_t) pick(65536) % size] ^= (unsigned char) (1 << pick(8));
  (void) said(art_load_run(w.run, bytes, goes_wrong() ? size / 2 : size, &w.error));
  free(bytes);
}


static void write_code(void)
{
  static const char path[] = "/tmp/articula-fuzz-interface.txt";
  artGenerateDef def = art_default_generate();
  artScheduleDef machine = art_default_schedule();
  if (!w.d || w.run || w.n.nv > 6 || pick(8) > 0) return;
  def.language = (artLanguage) whole(ART_LANGUAGES);
  def.forms = goes_wrong() ? (unsigned) byte() << pick(24) : 1u << pick(14);
  machine.form = (artForm) (goes_wrong() ? whole(4) : 1 << pick(4));
  machine.count[pick(ART_UNITS)] = whole(4);
  (void) said(art_write_source(w.m, w.d, &def, maybe(path), &w.error));
  artSchedule *s = NULL;
  ensure((said(art_create_schedule(&s, w.m, w.d, &machine, &w.error)) == ART_OK) == !!s);
  if (s) (void) art_scheduled_operation(s, whole(art_schedule_info(s).operations));
  art_free_schedule(s);
  remove(path);
}

//---- all -----------------------------------------------------------------------------------------

static void one_call(void)
{
  void (*const calls[])(void) = {build,    build,      build,         build,     build,
                                 compile,  compile,    settle,        evaluate,  set_state,
                                 analyse,  start_run,  advance,       advance,   ask,
                                 drop_run, drop_model, save_and_load, write_code};
  in.is_bad = pick(6) == 0;
  calls[pick((int) (sizeof calls / sizeof *calls))]();
}


int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  base_misuse_stops = 0;
  in.data = data, in.size = size, in.at = 0, in.ops = 0, in.seed = 0;
  for (size_t i = 0; i < size && size <= 8; i++) in.seed = 256 * in.seed + data[i] + 1;
  renew_builder();
  while (in.ops++ < MAX_OPS && (in.seed || in.at < in.size)) one_call();
  drop_model();
  art_free_builder(w.b);
  w.b = NULL;
  return 0;
}
