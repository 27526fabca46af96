// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contact of two surfaces at one point, with friction. With the depth d = max(0, -gap), the slip
// velocity s and the bristle z, both tangential:
//
//   linear         N = max(0, k d + c d')            while d > 0
//   Hunt-Crossley  N = max(0, k d^p (1 + c d'))
//   friction       F = -h k_t y,  z' = (h y - z)/tau,  y = z + tau s,  h = min(1, mu N/(k_t |y|))
//
// Below the limit h is 1 and z' = s: the bristle is a spring and a damper that hold without creep. Beyond
// it the force has the size mu N, and z relaxes towards the deflection that this force needs (Azad and
// Featherstone 2010). Friction is measured in the axes of a plane or box; without one z also turns with
// the mean w of the angular velocities of both bodies, by w x z. The power that friction dissipates is, with c = h,
//   k_t/tau (|z - h y|^2 + h (1 - h) |y|^2) >= 0.
//
// Resistance to spinning joins friction: with the component w_n of the relative angular velocity along the normal,
// y_n = z_n + tau e w_n is a third part of |y|, and the torque is -h k_t e y_n. A fast spin so weakens friction (Contensou).
// Resistance to rolling has a bristle of its own for the rest of that velocity, with the limit b N, the stiffness 100 b^2 k_t and
// the retardation 20 tau. Two torques, NAME/roll on the second body and NAME/roll_back on the first, carry both.
#include "base/error.h"
#include "element/kind.h"
#include "element/port.h"


static void contact_act(const modelElement *e, const portMotion *in, portForce *out)
{
  (void) e;
  out->force = v3_make(in->given[0], in->given[1], in->given[2]);
}


const elementPhysics R_NAME(contact_physics) = {.port = PORT_CONTACT, .act = contact_act};

#ifdef PORT_HAS_DEFINITION

#include <math.h>

//---- definition ----------------------------------------------------------------------------------

FIELD_WORDS(law_word, "linear", "hertz", "hunt-crossley")


// clang-format off
#define AT(field) offsetof(artContactDef, field)
static const fieldKey keys[] = {
    {"between", KEY_SURFACES, .need = REQUIRED, .offset = AT(from), .mark = "from",
     .help = "two surfaces or groups; `all` is the group of all"},
    {"law", KEY_CHOICE, .offset = AT(law), .choice = law_word, .fallback = "linear",
     .help = "of the normal force"},
    {"stiffness", KEY_NUMBER, Q_ANY, .need = ONE_OF, .offset = AT(stiffness), .rival = "young",
     .range = RANGE_NOT_NEGATIVE, .above_zero = true,
     .help = "k: N/m (linear), N/m^1.5 (hertz) or N/m^p (hunt-crossley)"},
    {"young", KEY_NUMBER, Q_PRESSURE, .need = ONE_OF, .offset = AT(young), .rival = "stiffness",
     .range = RANGE_NOT_NEGATIVE, .above_zero = true,
     .help = "hertz: Young's modulus of both bodies, which with the radii gives k"},
    {"poisson", KEY_NUMBER, .offset = AT(poisson), FALLBACK(0.3), .range = RANGE_NOT_NEGATIVE,
     .help = "hertz: Poisson's ratio, with `young`"},
    {"exponent", KEY_NUMBER, .offset = AT(exponent), FALLBACK(1.5), .range = RANGE_POSITIVE,
     .help = "p of hunt-crossley, at least 1"},
    {"damping", KEY_NUMBER, Q_ANY, .offset = AT(damping), FALLBACK(0), .rival = "restitution",
     .range = RANGE_NOT_NEGATIVE, .help = "c: N s/m (linear), otherwise s/m"},
    {"restitution", KEY_NUMBER, .offset = AT(restitution), .fallback = "none", .rival = "damping",
     .range = RANGE_NOT_NEGATIVE, .above_zero = true,
     .help = "hertz, hunt-crossley: ratio of the speeds after and before an impact at `speed`, which gives c"},
    {"speed", KEY_NUMBER, Q_VELOCITY, .offset = AT(speed), .fallback = "none",
     .range = RANGE_NOT_NEGATIVE, .above_zero = true, .help = "of the impact that has this `restitution`"},
    {"friction", KEY_NUMBER, .offset = AT(friction), FALLBACK(0), .range = RANGE_NOT_NEGATIVE,
     .help = "mu, of sliding", .foreign = "mu"},
    {"static_friction", KEY_NUMBER, .offset = AT(static_friction), .value = ART_UNSET,
     .range = RANGE_CHECKED, .fallback = "`friction`", .help = "mu at rest"},
    {"transition_speed", KEY_NUMBER, Q_VELOCITY, .offset = AT(transition_speed), FALLBACK(0.01),
     .range = RANGE_POSITIVE,
     .help = "slip velocity of this transition"},
    {"tangential_stiffness", KEY_NUMBER, Q_STIFFNESS, .offset = AT(tangential_stiffness),
     .value = ART_UNSET, .range = RANGE_CHECKED, .fallback = "`stiffness` if linear",
     .help = "k_t, of the bristle; required by friction of the other laws"},
    {"retardation", KEY_NUMBER, Q_TIME, .offset = AT(retardation), FALLBACK(1e-3),
     .range = RANGE_POSITIVE, .help = "tau, of the bristle: its damping is k_t tau"},
    {"rolling", KEY_NUMBER, Q_LENGTH, .offset = AT(rolling), FALLBACK(0),
     .range = RANGE_NOT_NEGATIVE, .help = "b: the torque b N resists rolling",
     .foreign = "rolling_friction"},
    {"spinning", KEY_NUMBER, Q_LENGTH, .offset = AT(spinning), FALLBACK(0),
     .range = RANGE_NOT_NEGATIVE, .help = "e: friction also resists spinning, by mu e N alone",
     .foreign = "torsional_friction drilling"},
    {0}};

// force on the second surface, ground axes; then what the port shows
static const elementOutput outputs[] = {
    OUTPUTS_XYZ("f", 0, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL),
    {"gap", 3, LEVEL_POSITION, Q_LENGTH, OUTPUT_USUAL | OUTPUT_GROUP},
    {"rate", 4, LEVEL_VELOCITY, Q_VELOCITY, 0},
    OUTPUTS_XYZ("slip_", 5, LEVEL_VELOCITY, Q_VELOCITY, OUTPUT_GROUP),
    OUTPUTS_XYZ("n", 8, LEVEL_POSITION, Q_NUMBER, OUTPUT_GROUP),
    OUTPUTS_XYZ("", 11, LEVEL_POSITION, Q_LENGTH, OUTPUT_GROUP),
    OUTPUTS_XYZ("turn_", 14, LEVEL_VELOCITY, Q_RATE, OUTPUT_GROUP),
    OUTPUTS_XYZ("up_", 17, LEVEL_POSITION, Q_NUMBER, OUTPUT_GROUP),
    OUTPUTS_XYZ("spin_", 20, LEVEL_VELOCITY, Q_RATE, OUTPUT_GROUP),
    {0}};

static const char foreign[] = "collision impact touch contactforce ccontact penalty";
// clang-format on

static const char letter[3] = {'x', 'y', 'z'};


//---- checks --------------------------------------------------------------------------------------

static void check_normal(const fieldCheck *c, const artContactDef *def)
{
  const int is_linear = def->law == ART_CONTACT_LINEAR;
  if (!(def->stiffness > 0) == !(def->young > 0)) {
    field_refuse(c, "stiffness", "contact '%s' needs either 'stiffness' or 'young'", c->name);
  } else if (def->young > 0 && def->law != ART_CONTACT_HERTZ) {
    field_refuse(c, "young", "contact '%s' has 'young', from which only the law hertz follows",
                 c->name);
  } else if (def->poisson > 0.5) {
    field_refuse(c, "poisson", "Poisson's ratio of contact '%s' is %g, expected at most 0.5",
                 c->name, def->poisson);
  } else if (def->exponent < 1) {
    field_refuse(c, "exponent", "the exponent of contact '%s' is %g, expected at least 1", c->name,
                 def->exponent);
  } else if (def->restitution > 1) {
    field_refuse(c, "restitution",
                 "the restitution of contact '%s' is %g, expected at most 1: an impact gives back "
                 "no more than it takes",
                 c->name, def->restitution);
  } else if (def->restitution > 0 && is_linear) {
    field_refuse(c, "restitution",
                 "the restitution of the linear law depends on the masses; give contact '%s' "
                 "'damping', or the law hunt-crossley",
                 c->name);
  } else if (def->restitution > 0 && !(def->speed > 0)) {
    field_refuse(c, "restitution",
                 "the restitution of contact '%s' holds for one speed of impact; give 'speed'",
                 c->name);
  } else if (def->restitution > 0 && def->damping > 0) {
    field_refuse(c, "damping", "contact '%s' has 'damping' and 'restitution'; give one of them",
                 c->name);
  }
}


static int has_friction(const artContactDef *def)
{
  return def->friction > 0 || def->static_friction > 0;
}


static void contact_check(const fieldCheck *c, void *from)
{
  artContactDef *def = from;
  field_check_member(c, "law", (int) def->law, 0, ART_CONTACT_LAWS - 1);
  check_normal(c, def);
  const int has_own = def->static_friction != ART_UNSET;
  if (has_own && !(def->static_friction >= def->friction && isfinite(def->static_friction))) {
    field_refuse(c, "static_friction",
                 "the static friction of contact '%s' is %g, expected at least its friction, %g",
                 c->name, def->static_friction, def->friction);
  }
  if (def->tangential_stiffness == ART_UNSET) {
    if (def->law == ART_CONTACT_LINEAR || !(has_friction(def) || def->rolling > 0)) return;
    field_refuse(c, "tangential_stiffness",
                 "contact '%s' has %s, which needs 'tangential_stiffness'", c->name,
                 has_friction(def) ? "friction" : "resistance to rolling");
  }
  field_check_positive(c, "tangential_stiffness", def->tangential_stiffness, 0);
}


//---- the law as formulas -------------------------------------------------------------------------

// numbers of the definition as formulas
typedef struct contactTexts {
  baseArena *arena;
  const char *name;
  const char *stiffness, *damping, *exponent;
  const char *friction, *tangential, *retardation;
  int is_flat;    // bristle in the plane of a plane: no z
  int is_turning; // its axes are neither those of a plane nor of a box
  int has_friction;
  const char *rolling, *spinning; // NULL: none
} contactTexts;


// 4/3 E* sqrt(R) with E* = E/(2 (1 - nu^2)) of two bodies of one material
static const char *hertz_stiffness(const artContactDef *def, const elementContext *c)
{
  const artSurfaceDef *a = c->surface[0], *b = c->surface[1];
  if (!(contact_radius(a, b) > 0)) {
    error_refuse(field_place(c->where, "young"),
                 "contact '%s' has 'young', which gives a stiffness between spheres, or a sphere "
                 "and a plane; give 'stiffness'",
                 def->name);
  }
#define NUMBER(field) part_number(&c->numbers, c->arena, &(field))
  const char *ra = NUMBER(a->radius), *rb = NUMBER(b->radius);
  const char *radius = a->type == ART_SURFACE_PLANE ? rb
                       : b->type == ART_SURFACE_PLANE
                           ? ra
                           : arena_compose(c->arena, "(%s*%s/(%s + %s))", ra, rb, ra, rb);
  return arena_compose(c->arena, "(2/3*%s/(1 - %s^2)*sqrt(%s))", NUMBER(def->young),
                       NUMBER(def->poisson), radius);
#undef NUMBER
}


// c times the speed of impact v, from the restitution e: the work of k d^p (1 + c d') on the way in
// and out gives  ln((1 + x)/(1 - e x)) = (1 + e) x  for x = c v, of which x = 0 is no solution
static double impact_damping(double e)
{
  if (e == 1) return 0;
  double low = 0, high = 1 / e;
  for (int i = 0; i < 200; i++) {
    const double x = 0.5 * (low + high);
    if (log1p(x) - log1p(-e * x) < (1 + e) * x) {
      low = x;
    } else {
      high = x;
    }
  }
  return 0.5 * (low + high);
}


static const char *damping_text(const artContactDef *def, const elementContext *c)
{
  if (!(def->restitution > 0)) {
    const int is_zero = def->damping == 0 && !part_is_live(&c->numbers, &def->damping);
    return is_zero ? NULL : part_number(&c->numbers, c->arena, &def->damping);
  }
  return arena_compose(c->arena, "(%-24.17g/%s)", impact_damping(def->restitution),
                       part_number(&c->numbers, c->arena, &def->speed));
}


static const char *exponent_text(const artContactDef *def, const elementContext *c)
{
  if (def->law == ART_CONTACT_LINEAR) return NULL;
  if (def->law == ART_CONTACT_HERTZ) return "1.5";
  return part_number(&c->numbers, c->arena, &def->exponent);
}


// friction is measured in the axes of its frame
static int has_axes(const artSurfaceDef *own, const artSurfaceDef *other)
{
  const int is_ball = other->type == ART_SURFACE_SPHERE || other->type == ART_SURFACE_POINT;
  return own->type == ART_SURFACE_PLANE || (own->type == ART_SURFACE_BOX && is_ball);
}


static contactTexts contact_texts(const modelElement *e, const artContactDef *def,
                                  const elementContext *c)
{
#define NUMBER(field) part_number(&c->numbers, c->arena, &def->field)
  contactTexts x = {.arena = c->arena, .name = e->name};
  x.stiffness = def->young > 0 ? hertz_stiffness(def, c) : NUMBER(stiffness);
  x.damping = damping_text(def, c);
  x.exponent = exponent_text(def, c);
  x.is_flat = c->surface[0]->type == ART_SURFACE_PLANE || c->surface[1]->type == ART_SURFACE_PLANE;
  const artSurfaceDef *a = c->surface[0], *b = c->surface[1];
  x.is_turning = !has_axes(a, b) && !has_axes(b, a);
  x.has_friction = has_friction(def) || part_is_live(&c->numbers, &def->friction) ||
                   part_is_live(&c->numbers, &def->static_friction);
  x.friction = NUMBER(friction);
  if (def->static_friction > def->friction || part_is_live(&c->numbers, &def->static_friction)) {
    const char *n = e->name;
    x.friction = arena_compose(
        c->arena, "(%s + (%s - %s)*exp(-('/%s.slip_x'^2 + '/%s.slip_y'^2 + '/%s.slip_z'^2)/%s^2))",
        x.friction, NUMBER(static_friction), x.friction, n, n, n, NUMBER(transition_speed));
  }
  x.tangential =
      def->tangential_stiffness == ART_UNSET ? x.stiffness : NUMBER(tangential_stiffness);
  x.retardation = NUMBER(retardation);
  if (def->rolling > 0 || part_is_live(&c->numbers, &def->rolling)) x.rolling = NUMBER(rolling);
  if (def->spinning > 0 || part_is_live(&c->numbers, &def->spinning)) x.spinning = NUMBER(spinning);
  if (x.spinning && !x.has_friction) {
    error_refuse(field_place(c->where, "spinning"),
                 "contact '%s' resists spinning by friction, but has none; give 'friction'",
                 def->name);
  }
#undef NUMBER
  return x;
}


// d, and d^p as d (d^2 + e^2)^((p - 1)/2) with e = 1e-15 m: a trial step may look a little beyond the
// instant of touch on the branch before it, where d is negative, and the slope at d = 0 is finite
static const char *depth_text(const contactTexts *x)
{
  return arena_compose(x->arena, "max(0, -'/%s.gap')", x->name);
}


static const char *elastic_text(const contactTexts *x)
{
  const char *depth = depth_text(x);
  if (!x->exponent) return arena_compose(x->arena, "%s*%s", x->stiffness, depth);
  return arena_compose(x->arena, "%s*%s*(%s^2 + 1e-30)^(0.5*(%s - 1))", x->stiffness, depth, depth,
                       x->exponent);
}


static const char *normal_text(const contactTexts *x, artContactLaw law)
{
  const char *elastic = elastic_text(x), *n = x->name;
  if (!x->damping) return elastic;
  if (law == ART_CONTACT_LINEAR) {
    return arena_compose(x->arena, "if('/%s.gap' < 0, max(0, -%s*'/%s.gap' - %s*'/%s.rate'), 0)", n,
                         x->stiffness, n, x->damping, n);
  }
  return arena_compose(x->arena, "max(0, %s*(1 - %s*'/%s.rate'))", elastic, x->damping, n);
}


// sum of products of the components that friction has
static const char *dot_text(const contactTexts *x, const char *a, const char *b)
{
  const char *sum = "0";
  for (int k = 0; k < (x->is_flat ? 2 : 3); k++) {
    sum = arena_compose(x->arena, "%s + '/%s.%s%c'*'/%s.%s%c'", sum, x->name, a, letter[k], x->name,
                        b, letter[k]);
  }
  return arena_compose(x->arena, "(%s)", sum);
}


static void add_hidden(partContext *p, const char *tail, const char *unit, const char *text)
{
  part_add(p, &(elementPart){.type = PART_SIGNAL, .tail = tail, .unit = unit, .text = text});
}


// |h y| changes by no more than |y| and the limit, and h y is the point of the cone of friction nearest to y
static void add_projection(partContext *p, const char *tail, const char *unit, const char *text)
{
  part_add(
      p, &(elementPart){
             .type = PART_SIGNAL, .tail = tail, .unit = unit, .text = text, .is_projection = true});
}


// + (w x z)_k
static const char *turn_text(const contactTexts *x, int k)
{
  const char i = letter[(k + 1) % 3], j = letter[(k + 2) % 3], *n = x->name;
  return arena_compose(x->arena,
                       " + '/%s.turn_%c'*'/%s.bristle_%c' - '/%s.turn_%c'*'/%s.bristle_%c'", n, i,
                       n, j, n, j, n, i);
}


// sum of products along x, y and z
static const char *dot3_text(const contactTexts *x, const char *a, const char *b)
{
  const char *n = x->name;
  return arena_compose(x->arena,
                       "('/%s.%sx'*'/%s.%sx' + '/%s.%sy'*'/%s.%sy' + '/%s.%sz'*'/%s.%sz')", n, a, n,
                       b, n, a, n, b, n, a, n, b);
}


// y_n = z_n + tau e w_n
static void add_twist(const contactTexts *x, partContext *p)
{
  baseArena *a = x->arena;
  const char *n = x->name;
  add_hidden(p, "spin", "rad/s", dot3_text(x, "spin_", "up_"));
  add_hidden(
      p, "twist", "m",
      arena_compose(a, "'/%s.bristle_n' + %s*%s*'/%s.spin'", n, x->retardation, x->spinning, n));
  part_add(p,
           &(elementPart){.type = PART_STATE,
                          .tail = "bristle_n",
                          .unit = "m",
                          .text = arena_compose(a, "('/%s.hold'*'/%s.twist' - '/%s.bristle_n')/%s",
                                                n, n, n, x->retardation)});
}


// y = z + 20 tau w without its part along the normal, and its pull
static void add_roll_stretch(const contactTexts *x, partContext *p, const char *tau)
{
  baseArena *a = x->arena;
  const char *n = x->name;
  for (int k = 0; k < 3; k++) {
    add_hidden(
        p, arena_compose(a, "roll_reach_%c", letter[k]), "rad",
        arena_compose(a, "'/%s.roll_%c' + %s*'/%s.spin_%c'", n, letter[k], tau, n, letter[k]));
  }
  add_hidden(p, "roll_lift", "rad", dot3_text(x, "roll_reach_", "up_"));
  for (int k = 0; k < 3; k++) {
    add_hidden(p, arena_compose(a, "roll_stretch_%c", letter[k]), "rad",
               arena_compose(a, "'/%s.roll_reach_%c' - '/%s.roll_lift'*'/%s.up_%c'", n, letter[k],
                             n, n, letter[k]));
  }
  add_projection(p, "roll_pull", "N m",
                 arena_compose(a,
                               "'/%s.roll_stiffness'*hypot(hypot('/%s.roll_stretch_x', "
                               "'/%s.roll_stretch_y'), '/%s.roll_stretch_z')",
                               n, n, n, n));
}


// the bristle of rolling, in ground axes
static void add_rolling(const contactTexts *x, partContext *p)
{
  baseArena *a = x->arena;
  const char *n = x->name, *tau = arena_compose(a, "(20*%s)", x->retardation);
  add_hidden(p, "roll_stiffness", "N m",
             arena_compose(a, "100*%s^2*%s", x->rolling, x->tangential));
  add_roll_stretch(x, p, tau);
  add_hidden(p, "roll_limit", "N m", arena_compose(a, "%s*'/%s.normal'", x->rolling, n));
  add_projection(
      p, "roll_hold", NULL,
      arena_compose(a, "'/%s.roll_limit'/(max('/%s.roll_limit', '/%s.roll_pull') + 1e-300[N m])", n,
                    n, n));
  for (int k = 0; k < 3; k++) {
    const char i = letter[(k + 1) % 3], j = letter[(k + 2) % 3];
    const char *text = arena_compose(a,
                                     "('/%s.roll_hold'*'/%s.roll_stretch_%c' - '/%s.roll_%c')/%s + "
                                     "'/%s.turn_%c'*'/%s.roll_%c' - "
                                     "'/%s.turn_%c'*'/%s.roll_%c'",
                                     n, n, letter[k], n, letter[k], tau, n, i, n, j, n, j, n, i);
    part_add(p, &(elementPart){.type = PART_STATE,
                               .tail = arena_compose(a, "roll_%c", letter[k]),
                               .unit = "rad",
                               .text = text});
  }
}


// the torque on the second body, ground axes
static void add_torque(const contactTexts *x, partContext *p)
{
  baseArena *a = x->arena;
  const char *n = x->name;
  for (int k = 0; k < 3; k++) {
    const char *text = "0";
    if (x->rolling)
      text = arena_compose(a, "-'/%s.roll_hold'*'/%s.roll_stiffness'*'/%s.roll_stretch_%c'", n, n,
                           n, letter[k]);
    if (x->spinning)
      text = arena_compose(a, "%s - '/%s.hold'*%s*%s*'/%s.twist'*'/%s.up_%c'", text, n,
                           x->tangential, x->spinning, n, n, letter[k]);
    part_add_signal(p, arena_compose(a, "t%c", letter[k]), "N m", text);
  }
}


// y = z + tau s, without its part along the normal; returns |y|
static const char *add_stretch(const contactTexts *x, partContext *p)
{
  baseArena *a = x->arena;
  const char *n = x->name;
  const int count = x->is_flat ? 2 : 3;
  for (int k = 0; k < count; k++) {
    const char *tail = arena_compose(a, x->is_flat ? "stretch_%c" : "reach_%c", letter[k]);
    add_hidden(p, tail, "m",
               arena_compose(a, "'/%s.bristle_%c' + %s*'/%s.slip_%c'", n, letter[k], x->retardation,
                             n, letter[k]));
  }
  if (!x->is_flat) add_hidden(p, "lift", "m", dot_text(x, "reach_", "n"));
  for (int k = 0; k < 3 && !x->is_flat; k++) {
    add_hidden(
        p, arena_compose(a, "stretch_%c", letter[k]), "m",
        arena_compose(a, "'/%s.reach_%c' - '/%s.lift'*'/%s.n%c'", n, letter[k], n, n, letter[k]));
  }
  const char *size = arena_compose(a, "hypot('/%s.stretch_x', '/%s.stretch_y')", n, n);
  return x->is_flat ? size : arena_compose(a, "hypot(%s, '/%s.stretch_z')", size, n);
}


// h; z' = (h y - z)/tau + w x z
static void add_friction(const contactTexts *x, partContext *p)
{
  baseArena *a = x->arena;
  const char *n = x->name;
  const int count = x->is_flat ? 2 : 3;
  const char *slide = add_stretch(x, p), *size = slide;
  if (x->spinning) {
    add_twist(x, p);
    size = arena_compose(a, "hypot(%s, '/%s.twist')", slide, n);
  }
  add_projection(p, "pull", "N", arena_compose(a, "%s*%s", x->tangential, size));
  add_hidden(p, "limit", "N", arena_compose(a, "%s*'/%s.normal'", x->friction, n));

  // both may be 0; where friction holds the quotient is 1 to the last bit
  add_projection(
      p, "hold", NULL,
      arena_compose(a, "'/%s.limit'/(max('/%s.limit', '/%s.pull') + 1e-300[N])", n, n, n));
  for (int k = 0; k < count; k++) {
    part_add(p, &(elementPart){.type = PART_STATE,
                               .tail = arena_compose(a, "bristle_%c", letter[k]),
                               .unit = "m",
                               .text = arena_compose(
                                   a, "('/%s.hold'*'/%s.stretch_%c' - '/%s.bristle_%c')/%s%s", n, n,
                                   letter[k], n, letter[k], x->retardation,
                                   x->is_turning ? turn_text(x, k) : "")});
  }
  part_add_signal(p, "friction", "N",
                  x->spinning ? arena_compose(a, "'/%s.hold'*%s*%s", n, x->tangential, slide)
                              : arena_compose(a, "'/%s.hold'*'/%s.pull'", n, n));
}


// energy of normal spring and bristle; the power that damping and friction dissipate
static void add_energies(const contactTexts *x, partContext *p)
{
  baseArena *a = x->arena;
  const char *n = x->name, *elastic = elastic_text(x);
  const char *stored =
      arena_compose(a, "%s*%s/(%s + 1)", elastic, depth_text(x), x->exponent ? x->exponent : "1");
  const char *loss = arena_compose(a, "(%s - '/%s.normal')*'/%s.rate'", elastic, n, n);
  if (x->has_friction) {
    stored = arena_compose(a, "%s + 0.5*%s*%s", stored, x->tangential,
                           dot_text(x, "bristle_", "bristle_"));
    loss =
        arena_compose(a, "%s + %s*('/%s.hold'*%s - ('/%s.hold'*%s - %s)/%s)", loss, x->tangential,
                      n, dot_text(x, "stretch_", "slip_"), n, dot_text(x, "stretch_", "bristle_"),
                      dot_text(x, "bristle_", "bristle_"), x->retardation);
  }
  if (x->spinning) {
    stored = arena_compose(a, "%s + 0.5*%s*'/%s.bristle_n'^2", stored, x->tangential, n);
    loss = arena_compose(a,
                         "%s + %s*('/%s.hold'*'/%s.twist'*%s*'/%s.spin' - "
                         "'/%s.bristle_n'*('/%s.hold'*'/%s.twist' - '/%s.bristle_n')/%s)",
                         loss, x->tangential, n, n, x->spinning, n, n, n, n, n, x->retardation);
  }
  if (x->rolling) {
    stored = arena_compose(a, "%s + 0.5*'/%s.roll_stiffness'*%s", stored, n,
                           dot3_text(x, "roll_", "roll_"));
    loss = arena_compose(
        a, "%s + '/%s.roll_stiffness'*('/%s.roll_hold'*%s - ('/%s.roll_hold'*%s - %s)/(20*%s))",
        loss, n, n, dot3_text(x, "roll_stretch_", "spin_"), n,
        dot3_text(x, "roll_stretch_", "roll_"), dot3_text(x, "roll_", "roll_"), x->retardation);
  }
  add_hidden(p, "stored", "J", stored);
  add_hidden(p, "loss", "W", loss);
}


static void contact_declare(const modelElement *e, const void *from, const elementContext *c,
                            partContext *p)
{
  const artContactDef *def = from;
  const contactTexts x = contact_texts(e, def, c);
  part_add_signal(p, "normal", "N", normal_text(&x, def->law));
  if (x.has_friction) add_friction(&x, p);
  if (x.rolling) add_rolling(&x, p);
  if (x.rolling || x.spinning) add_torque(&x, p);
  add_energies(&x, p);
}


// N n - h k_t y, in the axes of friction
static void contact_compile(modelElement *e, const void *from, const elementContext *c)
{
  const artContactDef *def = from;
  const contactTexts x = contact_texts(e, def, c);
  const char *n = e->name;
  contactPair *pair = arena_alloc(c->arena, 1, sizeof *pair);
  contact_make(c->arena, pair, c->surface[0], c->surface[1], c->part);
  e->contact = pair;
  for (int k = 0; k < 3; k++) {
    const int has_friction = x.has_friction && !(x.is_flat && k == 2);
    const char *normal = x.is_flat && k < 2
                             ? "0"
                             : arena_compose(c->arena, "'/%s.normal'*'/%s.n%c'", n, n, letter[k]);
    e->text[k] = has_friction ? arena_compose(c->arena, "%s - %s*'/%s.hold'*'/%s.stretch_%c'",
                                              normal, x.tangential, n, n, letter[k])
                              : normal;
  }
}


static void contact_parameter_map(const modelElement *e, const void *def,
                                  const elementParameterMap *f)
{
  (void) def;
  for (int i = 0; i < 2; i++) {
    const contactSide *side = &e->contact->side[i];
    const artSurfaceDef *surface = side->surface;
    f->term(f->context, &side->radius, 1, contact_lower_radius(side), NULL);
    f->term(f->context, &side->top, 1, contact_top_radius(side), NULL);
    f->term(f->context, &side->tube, 1, &surface->tube, NULL);
    for (int k = 0; k < 3; k++) {
      const double *size = contact_size(surface, k);
      f->term(f->context, &side->offset[k], 1, &surface->position[k], NULL);
      if (!size) continue;
      f->term(f->context, &side->half[k], 0.5, size, NULL);
      if (side->corner[k] != 0)
        f->term(f->context, &side->offset[k], 0.5 * side->corner[k], size, NULL);
    }
  }
}


const elementKind element_contact = {ELEMENT_KIND(contact, artContactDef, "contact", keys, foreign,
                                                  "Contact of two surfaces, with friction."),
                                     .check = contact_check,
                                     .declare = contact_declare,
                                     .compile = contact_compile,
                                     .follow = contact_parameter_map,
                                     .arrow = ARROW_TOUCH,
                                     .torques = {AT(rolling), AT(spinning)},
                                     .outputs = outputs};

#endif
