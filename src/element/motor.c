// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// An electric motor with a gear, or any rotor with a torque given by a formula:
//
//   L di/dt = u - R i - k w,   T = k i - b w,   Q = G T,   w = G dx/dt
//
// with voltage u, current i, rotor speed w and torque T at the rotor side of the gear. Without
// inductance the current follows immediately, i = (u - k w)/R. A current limit acts like power
// electronics; a torque-speed curve limits the torque. The inertia of the rotor belongs to the
// joint (`rotor`, J G^2).
#include <math.h>

#include "base/error.h"
#include "element/kind.h"

// clang-format off
#define AT(field) offsetof(artMotorDef, field)
static const fieldKey keys[] = {
    COORDINATE_FIELDS(artMotorDef),
    {"voltage", KEY_FORMULA, Q_VOLTAGE, .need = ONE_OF, .offset = AT(voltage), .mark = "voltage",
     .rival = "torque", .help = "u, at the terminals"},
    {"torque", KEY_FORMULA, Q_TORQUE, .need = ONE_OF, .offset = AT(torque), .mark = "torque",
     .rival = "voltage", .help = "or the torque of the rotor itself, instead of its circuit, as of an engine"},
    {"constant", KEY_NUMBER, Q_TORQUE_CONSTANT, .offset = AT(constant), FALLBACK(0),
     .range = RANGE_NOT_NEGATIVE, .help = "k: torque per current, which is voltage per speed as well; needed with `voltage`"},
    {"resistance", KEY_NUMBER, Q_RESISTANCE, .offset = AT(resistance), FALLBACK(0),
     .range = RANGE_NOT_NEGATIVE, .help = "R, of the circuit; needed with `voltage`"},
    {"inductance", KEY_NUMBER, Q_INDUCTANCE, .offset = AT(inductance), FALLBACK(0),
     .range = RANGE_NOT_NEGATIVE, .help = "L, of the circuit; 0: the current follows at once"},
    {"gear", KEY_NUMBER, Q_ANY, .offset = AT(gear), FALLBACK(1),
     .help = "G: angle of the rotor per coordinate, in rad/rad or rad/m"},
    {"friction", KEY_NUMBER, Q_TORQUE_DAMPING, .offset = AT(friction), FALLBACK(0),
     .range = RANGE_NOT_NEGATIVE, .help = "b, of the rotor"},
    {"limit", KEY_FORMULA, Q_TORQUE, .offset = AT(limit), .mark = "limit", .fallback = "none",
     .help = "largest torque of the rotor, of either sign: a torque-speed curve is a formula of `NAME.speed`; below 0 it counts as 0"},
    {"most", KEY_NUMBER, Q_CURRENT, .offset = AT(most), .above_zero = true, .fallback = "no limit",
     .range = RANGE_NOT_NEGATIVE, .help = "largest current, of either sign"},
    {"current", KEY_NUMBER, Q_CURRENT, .offset = AT(current), FALLBACK(0),
     .help = "at the start, where there is an inductance"},
    {0}};

static const char foreign[] = "dcmotor electricmotor engine servomotor emf";
// clang-format on


static void motor_check(const fieldCheck *c, void *from)
{
  const artMotorDef *def = from;
  const int has_voltage = def->voltage && def->voltage[0],
            has_torque = def->torque && def->torque[0];
  if (has_voltage == has_torque) {
    field_refuse_all(c, "motor '%s' has %s; give one of 'voltage' and 'torque'", c->name,
                     has_voltage ? "a voltage and a torque" : "neither a voltage nor a torque");
  } else if (has_voltage && !(def->constant > 0 && def->resistance > 0)) {
    field_refuse(c, "voltage",
                 "motor '%s' has a voltage, so it needs 'constant' and 'resistance' of more than 0",
                 c->name);
  } else if (has_torque && (def->inductance > 0 || def->most > 0)) {
    field_refuse(c, "torque",
                 "motor '%s' has a torque instead of its circuit; leave out 'inductance' and "
                 "'most'",
                 c->name);
  } else if (def->current != 0 && !(def->inductance > 0)) {
    field_refuse(
        c, "current",
        "motor '%s' has a current at the start, which belongs to 'inductance': without one "
        "the current follows at once",
        c->name);
  } else if (def->most > 0 && !(fabs(def->current) <= def->most)) {
    field_refuse(c, "current",
                 "motor '%s' begins with a current of %g A, beyond its largest one, %g A", c->name,
                 def->current, def->most);
  } else if (def->gear == 0) {
    field_refuse(c, "gear", "the gear of motor '%s' is 0, expected a ratio of another value",
                 c->name);
  }
}


// numbers of the definition as formulas
typedef struct motorTexts {
  const char *constant, *resistance, *inductance, *gear, *friction, *most;
} motorTexts;


static motorTexts motor_numbers(const artMotorDef *def, const elementContext *c)
{
#define NUMBER(field) part_number(&c->numbers, c->arena, &def->field)
  return (motorTexts){NUMBER(constant), NUMBER(resistance), NUMBER(inductance),
                      NUMBER(gear),     NUMBER(friction),   NUMBER(most)};
#undef NUMBER
}


static void add_current(const artMotorDef *def, const motorTexts *x, const char *n, partContext *p)
{
  const char *text;
  if (def->inductance == 0) {
    text = arena_compose(p->arena, "('/%s.voltage' - %s*'/%s.speed')/%s", n, x->constant, n,
                         x->resistance);
    if (def->most > 0) {
      text = arena_compose(p->arena, "max(-%s, min(%s, %s))", x->most, x->most, text);
    }
    part_add_signal(p, "current", "A", text);
    return;
  }
  text = arena_compose(p->arena, "('/%s.voltage' - %s*'/%s.current' - %s*'/%s.speed')/%s", n,
                       x->resistance, n, x->constant, n, x->inductance);
  if (def->most > 0) {
    // At a limit the rate is at most (r - |r|)/2, with a smooth |r|, so that no event is needed
    // where r changes sign. The switching border lies slightly before the limit, which the current
    // approaches with the time constant of the circuit, so it does not stay on the border, where
    // neither branch would be valid.
    const char *decay = arena_compose(p->arena, "(%s/%s)", x->resistance, x->inductance);
    const char *i = arena_compose(p->arena, "'/%s.current'", n);
    const char *least =
        arena_compose(p->arena, "1e-9*%s*%s", decay, x->most); // smallest rate at the border
    const char *below = arena_compose(
        p->arena, "if(%s <= -(1 - 1e-9)*%s, 0.5*(%s + hypot(%s, %s)) - %s*(%s + %s), %s)", i,
        x->most, text, text, least, decay, i, x->most, text);
    text = arena_compose(p->arena,
                         "if(%s >= (1 - 1e-9)*%s, 0.5*(%s - hypot(%s, %s)) - %s*(%s - %s), %s)", i,
                         x->most, text, text, least, decay, i, x->most, below);
  }
  part_add_state(p, "current", "A", def->current, text);
}


static void motor_declare(const modelElement *e, const void *from, const elementContext *c,
                          partContext *p)
{
  const artMotorDef *def = from;
  const char *n = e->name;
  const int is_electric = def->voltage && def->voltage[0];
  const motorTexts x = motor_numbers(def, c);
  part_add_signal(p, "speed", "rad/s", arena_compose(p->arena, "(%s)*%s", x.gear, c->rate));
  if (is_electric) part_add_signal(p, "voltage", "V", def->voltage);
  if (is_electric) add_current(def, &x, n, p);

  // torque of the rotor, limited by its curve, minus friction
  const char *own = is_electric ? arena_compose(p->arena, "%s*'/%s.current'", x.constant, n)
                                : arena_compose(p->arena, "(%s)", def->torque);
  if (def->limit && def->limit[0]) {
    const partRule rule = {
        .need = PART_NOT_NEGATIVE, .key = "limit", .text = def->limit, .is_of_file = true};
    part_require(p, &rule);
    own = arena_compose(p->arena, "max(-max(0, %s), min(max(0, %s), %s))", def->limit, def->limit,
                        own);
  }
  const char *torque = def->friction > 0 || part_is_live(&c->numbers, &def->friction)
                           ? arena_compose(p->arena, "%s - %s*'/%s.speed'", own, x.friction, n)
                           : own;
  part_add_signal(p, "torque", "N m", torque);
  const char *power = is_electric ? arena_compose(p->arena, "'/%s.voltage'*'/%s.current'", n, n)
                                  : arena_compose(p->arena, "'/%s.torque'*'/%s.speed'", n, n);
  part_add_signal(p, "power", "W", power);
}


static void motor_compile(modelElement *e, const void *from, const elementContext *c)
{
  const artMotorDef *def = from;
  const char *gear = part_number(&c->numbers, c->arena, &def->gear);
  e->text[0] = arena_compose(c->arena, "(%s)*'/%s.torque'", gear, e->name);
}


const elementKind element_motor = {
    ELEMENT_KIND(motor, artMotorDef, "motor", keys, foreign,
                 "A motor behind a gear, with circuit or torque-speed curve."),
    .check = motor_check, .declare = motor_declare, .compile = motor_compile,
    .outputs = element_joint_outputs};
