// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres as force elements, as expressions: the motion of the wheel, its contact with the road, and the forces of the
// tyre on it.
#include "gen/element/road_equations.h"

#include <math.h>
#include <string.h>

#include "road/heights.h"
#include "tyre/edges.h"

enum { MAX_KNOTS = 256 };

// The tyre of an element and all that is known of it on the road.
typedef struct genTyre {
  genBuild *b;
  genWheel *wheel; // its stages
  symTyre law;
  tyreNodes x;
} genTyre;

//---- profiles with edges -------------------------------------------------------------------------

// from the line that lies before the end of corner j on, within twice the reach of the wheel
static int places_from(const polylineRoad *line, int j, double reach)
{
  if (2 * j >= line->nknot) return 1;
  return road_interval(line->nknot, line->knot, line->knot[2 * j + 1] + 2 * reach) - 2 * j + 1;
}


static int count_places(const polylineRoad *line, double reach)
{
  int most = 1;
  for (int j = 0; 2 * j <= line->nknot; j++) {
    const int n = places_from(line, j, reach);
    if (n > most) most = n;
  }
  return most;
}


// Parts next to a function become functions of the generated code by their numbers in the model.
static artStatus check_parts(const genBuild *b, const modelElement *e, const artRoad *road)
{
  const sumRoad *sum = (const sumRoad *) road;
  if (road_find_function(road)) {
    artStatus status = ART_OK;
    for (int i = 0; road->kind == ROAD_SUM && i < sum->count && !status; i++) {
      status = check_parts(b, e, sum->parts[i]);
    }
    return status;
  }
  if (sym_road_has_equations(road)) return ART_OK;
  for (int i = 0; i < b->m->nroad; i++) {
    if (b->m->road[i] == road) return ART_OK;
  }
  return base_fail(
      b->error, ART_UNSUPPORTED, e->place,
      "tyre '%s' runs on a sum of a road by a function and one that the model does not "
      "have by itself: equations cannot be generated for it; add that road to the model",
      e->name);
}


static artStatus check_wheel_edges(const genBuild *b, const modelElement *e)
{
  roadProfile f;
  if (!e->road) return ART_OK;
  if (road_find_function(e->road)) {
    const artStatus status = check_parts(b, e, e->road);
    if (status) return status;
  }
  if (!road_find_profile(e->road, &f)) {
    // corners that are no profile, since another part of the road is not level there
    const double sharpest = road_sharpest(e->road), radius = art_tyre_free_radius(e->tyre, 0);
    if (!(sharpest < radius)) return ART_OK;
    return base_fail(
        b->error, ART_UNSUPPORTED, e->place,
        "tyre '%s' runs on a road with corners of radius %g m, sharper than its own of "
        "%g m, where another part of that road slopes: equations cannot be generated "
        "for it; round the corners, or make the other parts level there",
        e->name, sharpest, radius);
  }
  if (!tyre_meets_edges(e->tyre, e->road, &f)) return ART_OK;
  const int n = count_places(f.line, tyre_edge_reach(e->tyre));
  if (f.line->nknot <= MAX_KNOTS && n <= GEN_MOST_PLACES) return ART_OK;
  return base_fail(
      b->error, ART_UNSUPPORTED, e->place,
      "tyre '%s' runs on a road of %d corners, %d of them under it at a time; generated code "
      "has room for %d and %d: use another method, or fewer or rounder corners",
      e->name, f.line->nknot / 2, n / 2, MAX_KNOTS / 2, GEN_MOST_PLACES / 2);
}


//---- roads ---------------------------------------------------------------------------------------

// Height, slopes and second derivatives at a point. Roads without short equations, and roads of many pieces, are functions
// that the user of the code supplies.

// the function of the user that represents a road of the model, declared at its first use
static int external_road(genBuild *b, const artRoad *road)
{
  int i = 0;
  while (i < b->m->nroad && b->m->road[i] != road) i++;
  ART_ASSERT(i < b->m->nroad);
  if (b->road[i] >= 0) return b->road[i];
  b->road[i] = expr_external(b->pool, 2, 6);
  const char *name = arena_format(&b->program->arena, GEN_ROAD_NAME, i);
  const char *what = "a road: x, y to its height z, slopes dz/dx and dz/dy, and second derivatives "
                     "d2z/dx2, d2z/dxdy, d2z/dy2";
  gen_add_external(b, name, what, 2, 6);
  return b->road[i];
}


// z, dz/dx, dz/dy by the function of a road, which all tyres on it, and on sums with it, call alike
static void call_ground(genBuild *b, const functionRoad *road, real x, real y, real result[3])
{
  int i = 0;
  while (road_find_function(b->m->element[i].road) != road) i++;
  int k = 0;
  while (road_find_function(b->m->road[k]) != road) k++;
  const int input[ART_GROUND_PARAMETER] = {x.node, y.node};
  const int call = gen_call(b, &b->m->element[i].ground, input, NULL, "ground", k);
  for (int c = 0; c < ART_GROUND_RESULTS; c++) result[c].node = expr_element(b->pool, call, c);
}


// Second derivatives are central differences of the slopes: they lead Newton's method and are in no force.
static roadJet called_road(genBuild *b, const functionRoad *road, real x, real y)
{
  const double h = 1e-4;
  real z[ART_GROUND_RESULTS], side[4][ART_GROUND_RESULTS];
  call_ground(b, road, x, y, z);
  for (int k = 0; k < 4; k++) {
    const real step = r_const(k % 2 ? -h : h);
    call_ground(b, road, k < 2 ? r_add(x, step) : x, k < 2 ? y : r_add(y, step), side[k]);
  }
  const real half = r_const(0.5 / h);
  return (roadJet){.z = z[ART_GROUND_HEIGHT],
                   .x = z[ART_GROUND_SLOPE_X],
                   .y = z[ART_GROUND_SLOPE_Y],
                   .xx = r_mul(half, r_sub(side[0][1], side[1][1])),
                   .xy = r_mul(half, r_sub(side[2][1], side[3][1])),
                   .yy = r_mul(half, r_sub(side[2][2], side[3][2]))};
}


roadJet gen_road(genBuild *b, const artRoad *road, real x, real y)
{
  if (road->kind == ROAD_FUNCTION) return called_road(b, (const functionRoad *) road, x, y);
  if (road_find_function(road)) {
    const sumRoad *sum = (const sumRoad *) road;
    const real zero = r_const(0);
    roadJet f = {zero, zero, zero, zero, zero, zero};
    for (int i = 0; i < sum->count; i++) f = jet_add(f, gen_road(b, sum->parts[i], x, y));
    return f;
  }
  if (sym_road_has_equations(road)) return part_height(road, x, y);
  const int call = expr_call(b->pool, external_road(b, road), (int[]){x.node, y.node});
  int e[6];
  for (int k = 0; k < 6; k++) e[k] = expr_element(b->pool, call, k);
  return (roadJet){{e[0]}, {e[1]}, {e[2]}, {e[3]}, {e[4]}, {e[5]}};
}

//---- wheel and contact ---------------------------------------------------------------------------

static wheelNodes wheel_nodes_of(genBuild *b, const modelElement *e, const int lift[2])
{
  const int link = b->m->frame[e->frame[0]].link;
  const m3 R = b->world[link].R;
  v3 centre = gen_point(b, e->frame[0]), velocity = gen_point_velocity(b, e->frame[0]);
  const v3 omega = b->velocity[link].ang, axis = gen_frame_row(b, e->frame[0], 1);
  const real spin = v3_dot(axis, omega);
  const v3 turning = v3_sub(omega, v3_scale(spin, axis));

  // a road that is raised is a wheel that is lowered
  centre.z = r_sub(centre.z, (real){lift[0]});
  velocity.z = r_sub(velocity.z, (real){lift[1]});
  return (wheelNodes){.centre = centre,
                      .velocity = velocity,
                      .axis = m3_back(R, axis),
                      .turning = m3_back(R, turning),
                      .spin = spin};
}


// contact, depth, spring and load
static discContact press_wheel(genTyre *t, const modelElement *e, const wheelNodes *wheel)
{
  roadProfile profile;
  if (e->road && tyre_meets_edges(e->tyre, e->road, &profile)) {
    const int n = count_places(profile.line, tyre_edge_reach(e->tyre));
    const real height = gen_road(t->b, e->road, wheel->centre.x, wheel->centre.y).z;
    return gen_edge_contact(&t->law, &profile, n, height, wheel, t->wheel, &t->x);
  }
  return gen_contact(t->b, e->road, &t->law, wheel, t->wheel, &t->x);
}


static void keep_tyre_nodes(const genTyre *t, const wheelNodes *wheel, const discContact *c,
                            int lift, int *value)
{
  exprPool *p = t->b->pool;
  for (int k = 0; k < 6; k++) value[TYRE_FX + k] = t->x.force[k];
  value[TYRE_SLIP] = t->x.kappa;
  value[TYRE_SLIP_ANGLE] = expr_operate(p, EXPR_ATAN, t->x.tangent, 0);
  value[TYRE_CAMBER] = t->x.gamma;
  value[TYRE_DEPTH] = t->x.depth;
  value[TYRE_SPIN] = wheel->spin.node;
  v3_put(value + TYRE_X, v3_add(wheel->centre, c->arm));
  value[TYRE_Z] = expr_add(p, value[TYRE_Z], lift);
}


// nodes of the contact and of the law, for the order of evaluation and its counts
static void keep_stage(const genTyre *t, const discContact *c, const modelElement *e)
{
  genWheel *stage = t->wheel;
  const int motion_of_contact[] = {c->radius.node, t->x.spin, t->x.Vx, t->x.Vy, t->x.approach};
  int *rest = v3_put(v3_put(v3_put(stage->contact, c->forward), c->left), c->arm);
  memcpy(rest, motion_of_contact, sizeof motion_of_contact);
  memcpy(stage->law, t->x.force, sizeof t->x.force);
  for (int k = 0; k < e->nstate; k++) stage->law[6 + k] = t->x.rate[k];
  stage->slow = t->law.slow;
}


// forces by a function of the user
static void call_tyre_forces(genTyre *t, const modelElement *e)
{
  tyreNodes *x = &t->x;
  exprPool *p = t->b->pool;
  const int input[ART_TYRE_PARAMETER] = {
      [ART_TYRE_SLIP] = x->kappa,
      [ART_TYRE_SLIP_ANGLE] = expr_operate(p, EXPR_ATAN, x->tangent, 0),
      [ART_TYRE_CAMBER] = x->gamma,
      [ART_TYRE_LOAD] = x->load,
      [ART_TYRE_DEPTH] = x->depth,
      [ART_TYRE_APPROACH] = x->approach,
      [ART_TYRE_SPIN] = x->spin,
      [ART_TYRE_SPEED] = x->Vx,
      [ART_TYRE_TIME] = t->b->time};
  const int call = gen_call(t->b, &e->call, input, NULL, "call", t->law.element);
  for (int k = 0; k < 6; k++) x->force[k] = expr_element(p, call, k);
}


// Coefficients of the Magic Formula that no parameter reaches are numbers, so that those that are zero take their terms
// with them.
static tyreParameters parameters_of(genBuild *b, const modelElement *e, int i)
{
  const artTyre *tyre = e->tyre;
  const artRadialTyre *radial = &tyre->radial;
  const artLinearTyre *linear = &tyre->linear;
  tyreParameters n = {0};
  if (tyre->kind == TYRE_MAGIC) {
    n.load = gen_number_at(b, &radial->load, "magic");
    n.damping = gen_number_at(b, &radial->damping, "magic");
    n.radius = gen_number_at(b, &radial->radius, "magic");
    for (int k = 0; k < MAGIC_NUMBERS; k++) {
      const char *key;
      n.magic[k] = gen_number_at(b, magic_number_at(&tyre->magic, k, &key), "magic");
    }
    return n;
  }
  n.load = gen_parameter_at(b, &radial->load, "tyre_load", i);
  n.damping = gen_parameter_at(b, &radial->damping, "tyre_damping", i);
  n.radius = gen_parameter_at(b, &radial->radius, "tyre_radius", i);
  n.stiffness = gen_parameter_at(b, &radial->stiffness, "tyre_stiffness", i);
  if (tyre->kind == TYRE_LINEAR && (e->nstate > 0 || !e->call.function)) {
    n.slip = gen_parameter_at(b, &linear->slip, "tyre_slip", i);
    n.cornering = gen_parameter_at(b, &linear->cornering, "tyre_cornering", i);
    n.camber = gen_parameter_at(b, &linear->camber, "tyre_camber", i);
    n.trail = gen_parameter_at(b, &linear->trail, "tyre_trail", i);
    n.friction = gen_parameter_at(b, &linear->friction, "tyre_friction", i);
  }
  if (e->nstate > 0) {
    n.relaxation[0] = gen_parameter_at(b, &tyre->relaxation[0], "tyre_relaxation_x", i);
    n.relaxation[1] = gen_parameter_at(b, &tyre->relaxation[1], "tyre_relaxation_y", i);
  }
  return n;
}


static void name_tyre(genBuild *b, int i, const wheelNodes *wheel, const discContact *c,
                      const tyreNodes *x)
{
  const char *word = b->words->element[i];
  static const char *const force[6] = {"Fx", "Fy", "Fz", "Mx", "My", "Mz"};
  const struct {
    const char *quantity;
    int node;
  } all[] = {{"spin", wheel->spin.node},
             {"radius", x->radius},
             {"camber_sin", x->sine},
             {"camber", x->gamma},
             {"camber_cos", x->cosine},
             {"approach", x->approach},
             {"Vx", x->Vx},
             {"Vy", x->Vy},
             {"depth", x->depth},
             {"dent", x->dent},
             {"spring", x->spring},
             {"load", x->load},
             {"Vsx", x->Vsx},
             {"slip", x->kappa},
             {"slip_angle_tan", x->tangent},
             {"slip_rate_x", x->rate[0]},
             {"slip_rate_y", x->rate[1]}};
  gen_name_vector(b, wheel->axis, word, "axis");
  gen_name_vector(b, wheel->turning, word, "turning");
  gen_name_vector(b, c->forward, word, "forward");
  gen_name_vector(b, c->left, word, "left");
  gen_name_vector(b, c->normal, word, "normal");
  gen_name_vector(b, c->arm, word, "arm");
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    gen_name(b, all[k].node, word, all[k].quantity);
  }
  for (int k = 0; k < 6; k++) gen_name(b, x->force[k], word, force[k]);
}


// How much nearer to the road a wheel may come in a step: a hundredth of its radius, or half of the height at which it flies.
static int approach_of(genBuild *b, const modelElement *e, const wheelNodes *wheel, double radius)
{
  exprPool *p = b->pool;
  const int least = expr_constant(p, radius / 100);
  const int is_called =
      e->road && (road_find_function(e->road) || !sym_road_has_equations(e->road));
  if (is_called) return least;
  int height = expr_sub(p, wheel->centre.z.node, expr_constant(p, radius));
  if (e->road) {
    height = expr_sub(p, height, gen_road(b, e->road, wheel->centre.x, wheel->centre.y).z.node);
  }
  return expr_operate(p, EXPR_MAX, least, expr_mul(p, expr_constant(p, 0.5), height));
}


// How many steps in a second a wheel needs: as many as it comes nearer to the road, and three for each feature of a road that is not
// level, or for its radius.
static void add_pace(genBuild *b, const modelElement *e, const wheelNodes *wheel,
                     const discContact *c)
{
  exprPool *p = b->pool;
  const double radius = art_tyre_free_radius(e->tyre, 0);
  const int is_level = !e->road || art_road_is_level(e->road);
  const int is_plane = e->road && e->road->kind == ROAD_PLANE;
  const real nearer = is_plane ? v3_dot(wheel->velocity, c->normal) : wheel->velocity.z;
  if (!b->options->paces) return;
  const int up = expr_operate(p, EXPR_ABS, nearer.node, 0);
  int pace = expr_div(p, up, approach_of(b, e, wheel, radius));
  if (!is_level && !is_plane) {
    const double length = fmin(road_shortest_length(e->road), radius);
    const int speed = expr_operate(p, EXPR_HYPOT, wheel->velocity.x.node, wheel->velocity.y.node);
    const int along = expr_mul(p, expr_constant(p, 3 / length), speed);
    pace = expr_operate(p, EXPR_MAX, pace, along);
  }
  b->pace = expr_operate(p, EXPR_MAX, b->pace, pace);
}


void gen_pace(genBuild *b)
{
  if (b->pace == 0) return;
  eqnFunction *f = gen_add_function(
      b, EQN_PACE,
      "how many steps in a second wheels need to feel the road that they pass, where loops are "
      "closed and drives are followed",
      GEN_STATE_INPUTS, 1, 1);
  f->stage[0] = (eqnStage){.title = "wheels"};
  f->ninput = gen_state_inputs(b, f->input);
  int *node = gen_copy(b, 1, &b->pace);
  f->output[0] = gen_vector(b, "pace", "steps in a second, 1/s", 1, node, NULL);
}


void gen_tyre(genBuild *b, const modelElement *e, int i, int *value)
{
  gen_must(b, check_wheel_edges(b, e));
  exprPool *p = b->pool;
  genWheel *stage = &b->wheel[b->nwheel++];
  *stage = (genWheel){.element = i};
  int lift[ELEMENT_FORMULAS] = {0};
  gen_formulas(b, e, lift);
  const wheelNodes wheel = wheel_nodes_of(b, e, lift);
  genTyre t = {.b = b, .wheel = stage, .law = {.pool = p, .tyre = e->tyre, .element = i}};
  t.law.number = parameters_of(b, e, i);
  t.law.slow.is_plain = b->options->tangents || b->options->forms & GEN_LINEAR;
  const discContact c = press_wheel(&t, e, &wheel);
  sym_tyre_slips(&t.law, e->nstate > 0 ? b->state + e->state0 : NULL, &t.x);
  for (int k = 0; k < e->nstate; k++) b->state_rate[e->state0 + k] = t.x.rate[k];
  if (e->call.function) {
    call_tyre_forces(&t, e);
  } else {
    sym_tyre_forces(&t.law, &t.x);
  }

  name_tyre(b, i, &wheel, &c, &t.x);
  const wrench f = contact_wrench_symbolic(&c, v3_nodes(t.x.force), v3_nodes(t.x.force + 3));
  stage->force = f.lin;
  gen_name_vector(b, f.lin, b->words->element[i], "force");
  gen_name_vector(b, f.ang, b->words->element[i], "moment");
  const v3 omega = v3_add(wheel.turning, v3_scale(wheel.spin, wheel.axis));
  gen_force_at(b, e->frame[0], f.lin);
  gen_torque_on(b, e->frame[0], f.ang);
  const v3 velocity = gen_point_velocity(b, e->frame[0]);
  b->power = expr_add(p, b->power, v3_dot(f.lin, velocity).node);
  b->power = expr_add(p, b->power, v3_dot(f.ang, omega).node);
  keep_tyre_nodes(&t, &wheel, &c, lift[0], value);
  add_pace(b, e, &wheel, &c);
  keep_stage(&t, &c, e);
}
