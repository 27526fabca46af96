// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names of variables in readable text: quantity and body, one for each, the same equations.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "articula/study.h"
#include "support/programs.h"

typedef struct scene {
  artModel *m;
  artData *d;
  eqnProgram *p;
} scene;


static scene open_scene(artModel *m, unsigned forms)
{
  const genOptions options = {.forms = forms};
  artData *d = keep_fresh_data(m);
  return (scene){m, d, keep_program(m, d, &options)};
}


static eqnList *list_of(const scene *s, const char *function)
{
  eqnOptions options = eqn_default_options();
  options.readable = 1;
  return keep_function(s->p, function, &options);
}


static int has_name(const eqnList *list, const char *name)
{
  for (int e = 0; e < list->n; e++) {
    if (list->equation[e].name && strcmp(list->equation[e].name, name) == 0) return 1;
  }
  return 0;
}


static int compare_names(const void *a, const void *b)
{
  return strcasecmp(*(const char *const *) a, *(const char *const *) b);
}


// words in every language, none twice in any case
static void check_words(const eqnList *list)
{
  const char **name = calloc((size_t) list->n + 1, sizeof *name);
  int n = 0;
  for (int e = 0; e < list->n; e++) {
    const char *word = list->equation[e].name;
    if (!word) continue;
    int is_word = isalpha((unsigned char) word[0]) && strlen(word) <= 63;
    for (const char *c = word; *c; c++) is_word &= *c == '_' || isalnum((unsigned char) *c);
    if (!CHECK(is_word)) printf("  %s\n", word);
    name[n++] = word;
  }
  qsort(name, (size_t) n, sizeof *name, compare_names);
  for (int i = 0; i + 1 < n; i++) {
    if (!CHECK(strcasecmp(name[i], name[i + 1]) != 0)) printf("  %s twice\n", name[i]);
  }
  free(name);
}

//---- whose names ---------------------------------------------------------------------------------

// whether a name begins with the user's, in which other characters have become underscores
static int begins_with(const char *name, const char *own)
{
  size_t k = 0;
  for (; own[k] && k < 20; k++) {
    const char c = isalnum((unsigned char) own[k]) ? own[k] : '_';
    if (name[k] != c) return 0;
  }
  return k > 0;
}


static int is_owned(const artModel *m, const char *name)
{
  for (int i = 0; i < m->nbody; i++) {
    if (begins_with(name, m->body[i].name)) return 1;
  }
  for (int i = 0; i < m->njoint; i++) {
    if (begins_with(name, m->joint[i].name)) return 1;
  }
  for (int i = 0; i < m->nelement; i++) {
    if (begins_with(name, m->element[i].name)) return 1;
  }
  return 0;
}


// "crank_w12" and "w12" name no quantity
static int is_quantity(const char *name)
{
  size_t n = strlen(name);
  while (n > 0 && isdigit((unsigned char) name[n - 1])) n--;
  return !(n > 0 && name[n - 1] == 'w' && name[n] && (n == 1 || name[n - 2] == '_'));
}


// least percentages of statements that name a body, joint or force, and of those that name a quantity
static void check_shares(const char *file, int owned_least, int named_least)
{
  scene s = open_scene(keep_machine(file), GEN_ACCELERATE);
  eqnList *list = list_of(&s, "accelerate");
  int n = 0, owned = 0, named = 0;
  for (int e = 0; e < list->n; e++) {
    const char *name = list->equation[e].name;
    if (!name || list->equation[e].stage < 0) continue;
    n++;
    owned += is_owned(s.m, name);
    named += is_quantity(name);
  }
  printf("  %s: %d statements, %.1f %% name a body, joint or force, %.1f %% a quantity\n", file, n,
         100.0 * owned / n, 100.0 * named / n);
  CHECK(n > 0 && 100 * owned >= owned_least * n);
  CHECK(100 * named >= named_least * n);
  check_words(list);
}


TEST(statements_name_bodies_and_quantities)
{
  check_shares("loops/four-bar", 100, 80);
  check_shares("vehicles/iltis", 99, 55);
  check_shares("vehicles/van", 99, 45);
}


TEST(names_are_those_of_the_quantities)
{
  static const struct {
    const char *file, *name[8];
  } all[] = {
      {"loops/four-bar",
       {"pivot_sin", "coupler_omega_z", "coupler_position_y", "rocker_gap_x", "pivot_correction",
        "pivot_per_bearing", "bearing_reduced_mass_bearing", "bearing_acceleration_neg"}},
      {"vehicles/iltis",
       {"fl_wheel_omega_y", "chassis_R_xy", "fl_shock_length", "tyre_fl_load", "fl_pivot_cos",
        "rack_slide_drive", "fl_arm_position_x", "tie_rod_fl_row_1_opening"}},
  };
  for (int i = 0; i < 2; i++) {
    scene s = open_scene(keep_machine(all[i].file), GEN_ACCELERATE);
    eqnList *list = list_of(&s, "accelerate");
    for (int k = 0; k < 8; k++) {
      if (!CHECK(has_name(list, all[i].name[k]))) printf("  %s\n", all[i].name[k]);
    }
  }
}

//---- the same equations --------------------------------------------------------------------------

TEST(names_change_nothing_else)
{
  static const char *const files[] = {"loops/four-bar", "loops/stewart", "puma560",
                                      "plant/inverted-pendulum"};
  for (int i = 0; i < 4; i++) {
    scene s = open_scene(keep_machine(files[i]), GEN_ACCELERATE | GEN_OUTPUTS);
    for (int f = 0; f < s.p->nfunction; f++) {
      const eqnOptions plain = eqn_default_options();
      eqnList *short_names = keep_function(s.p, s.p->function[f].name, &plain);
      eqnList *list = list_of(&s, s.p->function[f].name);
      CHECK_EQ_INT(list->n, short_names->n);
      CHECK_EQ_INT(list->total.total, short_names->total.total);
      for (int e = 0; e < list->n; e++) {
        CHECK_EQ_INT(list->equation[e].node, short_names->equation[e].node);
      }
      check_words(list);
    }
  }
}

//---- names that are hard -------------------------------------------------------------------------

// names that become the same word, words of languages, very long ones
static const char hard[] =
    "articula: 1\n"
    "bodies:\n"
    "  a-b: {mass: 1, inertia: [1, 2, 3], com: [0.1, 0.2, 0.3]}\n"
    "  a_b: {mass: 1, inertia: [1, 2, 3], com: [0.1, 0.2, 0.3]}\n"
    "  A-B: {mass: 1, inertia: [1, 2, 3], com: [0.1, 0.2, 0.3]}\n"
    "  Second: {mass: 1, inertia: [1, 2, 3], com: [0.1, 0.2, 0.3]}\n"
    "  user: {mass: 1, inertia: [1, 2, 3], com: [0.1, 0.2, 0.3]}\n"
    "  for: {mass: 1, inertia: [1, 2, 3], com: [0.1, 0.2, 0.3]}\n"
    "  a_body_with_a_name_that_is_much_too_long_for_text_one: {mass: 1, inertia: [1, 2, 3]}\n"
    "  a_body_with_a_name_that_is_much_too_long_for_text_two: {mass: 1, inertia: [1, 2, 3]}\n"
    "joints:\n"
    "  j-1: {type: revolute, axis: x, from: ground, to: a-b}\n"
    "  j_1: {type: revolute, axis: y, from: a-b, to: a_b, at: [1, 0, 0]}\n"
    "  J-1: {type: spherical, from: a_b, to: A-B, at: [2, 0, 0]}\n"
    "  int: {type: revolute, axis: y, from: A-B, to: Second, at: [3, 0, 0]}\n"
    "  w1: {type: revolute, axis: z, from: Second, to: user, at: [4, 0, 0]}\n"
    "  end: {type: revolute, axis: x, from: user, to: for, at: [5, 0, 0]}\n"
    "  q: {type: revolute, axis: y, from: for, at: [6, 0, 0],\n"
    "      to: a_body_with_a_name_that_is_much_too_long_for_text_one}\n"
    "  v: {type: revolute, axis: z, from: for, at: [6, 1, 0],\n"
    "      to: a_body_with_a_name_that_is_much_too_long_for_text_two}\n";


TEST(names_that_become_one_word_are_kept_apart)
{
  scene s = open_scene(keep_text(hard), GEN_ACCELERATE | GEN_FORWARD_N | GEN_ENERGY);
  static const char *const other[] = {"a_b_omega_y",    "a_b_2_omega_y",  "A_B_3_omega_y",
                                      "Second_omega_y", "n_user_omega_y", "for_omega_y"};
  eqnList *list = list_of(&s, "accelerate");
  check_words(list);
  for (int k = 1; k < 6; k++) {
    if (!CHECK(has_name(list, other[k]))) printf("  %s\n", other[k]);
  }
}

//---- parameters ----------------------------------------------------------------------------------

static void check_parameter_comments(const scene *s)
{
  for (int k = 0; k < s->p->parameter.n; k++) {
    const char *remark = s->p->remark[k];
    if (!CHECK(remark && remark[0])) printf("  %s\n", s->p->parameter.label[k]);
  }
}


TEST(every_parameter_has_a_comment)
{
  static const char *const files[] = {"loops/stewart", "vehicles/motorcycle", "vehicles/cart",
                                      "loops/delta-rods", "plant/excavator"};
  const unsigned forms = GEN_ACCELERATE | GEN_KINEMATICS | GEN_AUGMENTED | GEN_OUTPUTS |
                         GEN_CONSTRAINTS | GEN_REACTIONS | GEN_MACHINE_INVERSE;
  for (int i = 0; i < 5; i++) {
    scene s = open_scene(keep_machine(files[i]), forms);
    check_parameter_comments(&s);
  }
}


static const char many[] =
    "articula: 1\n"
    "bodies:\n"
    "  base: {mass: 2, inertia: [1, 1, 1]}\n"
    "  arm: {mass: 1, com: [0.3, 0, 0], inertia: [0.1, 0.2, 0.3], points: {eye: [0.5, 0.1, 0]}}\n"
    "  rack: {mass: 1}\n"
    "  float: {mass: 1, inertia: [1, 2, 3]}\n"
    "joints:\n"
    "  slide: {type: prismatic, axis: x, from: ground, to: base, rotor: 0.3}\n"
    "  turn: {type: revolute, axis: y, from: base, to: arm, rotor: 0.2}\n"
    "  bar: {type: prismatic, axis: x, from: ground, to: rack}\n"
    "  fly: {type: free, from: ground, to: float}\n"
    "couplings:\n"
    "  teeth: {type: rack, pinion: turn, rack: bar, radius: 0.2, offset: 0.1}\n"
    "forces:\n"
    "  coil: {type: joint-spring, coordinate: turn, stiffness: 3, damping: 0.1, rest: 0.2}\n"
    "  rail: {type: joint-spring, coordinate: slide, spring: {polynomial: [5, 0, 7]}, damper: "
    "{polynomial: [2, 3]}, rest: 0.1}\n"
    "  both: {type: joint-spring, coordinates: {turn: 1, slide: 2.5}, stiffness: 2}\n"
    "  bag: {type: joint-spring, coordinate: turn, spring: {air: {pressure: 5e5, area: 0.03, "
    "volume: 7e-3}}}\n"
    "  rub: {type: joint-friction, coordinate: turn, coulomb: 0.1, breakaway: 0.15, stribeck: 0.1, "
    "transition: 1e-3, viscous: 0.3}\n"
    "  end: {type: joint-stop, coordinate: turn, lower: -1, upper: 1, stiffness: 1e3, damping: "
    "0.1}\n"
    "  line: {type: spring-damper, between: [arm.eye, ground], stiffness: 10, damping: 2, "
    "free_length: 0.4, stops: {lower: 0.1, stiffness: 1e4, damping: 0.2}}\n"
    "  seat: {type: bushing, from: ground, to: float, stiffness: [5, 6, 7, 1, 2, 3], damping: [1, "
    "1, 1, 2, 2, 2], springs: {z: {polynomial: [3, 0, 4]}, rx: {polynomial: [3, 0, 4]}}, preload: "
    "[1, 0, 0, 2, 0, 0]}\n"
    "  air: {type: drag, point: float, area: 2, drag: 0.3, side: 1.1, lift: 0.1, wind: [-5, 0, "
    "1]}\n"
    "outputs: [turn.angle]\n"
    "study: {type: run, until: 1}\n";


// "seat.stiffness.z [N/m]": a name that a reader knows from the file, and the unit that the coordinate asks for
TEST(constants_have_names_and_units_of_their_owners)
{
  static const char *const wanted[] = {"slide.rotor [kg]",
                                       "turn.rotor [kg m^2]",
                                       "coil.rest [rad]",
                                       "coil.stiffness [N m]",
                                       "coil.damping [N m s]",
                                       "rail.rest [m]",
                                       "rail.spring.c3 [kg/(m^2 s^2)]",
                                       "rail.spring.c1 [N/m]",
                                       "rail.damper.c2 [kg/m]",
                                       "both.stiffness [N m]",
                                       "bag.air.area [m^3]",
                                       "bag.air.volume [m^3]",
                                       "bag.air.pressure [Pa]",
                                       "rub.friction.coulomb [N m]",
                                       "rub.friction.stribeck [rad/s]",
                                       "rub.friction.viscous [N m s]",
                                       "end.stop.damping [s]",
                                       "line.stiffness [N/m]",
                                       "line.stop.lower [m]",
                                       "line.stop.damping [s/m]",
                                       "seat.stiffness.z [N/m]",
                                       "seat.stiffness.ry [N m]",
                                       "seat.springs.z.c3 [kg/(m^2 s^2)]",
                                       "seat.springs.rx.c1 [N m]",
                                       "seat.preload.rx [N m]",
                                       "seat.damping.rx [N m s]",
                                       "air.wind.x [m/s]",
                                       "air.drag.y [1]",
                                       "air.half_density_area [kg/m]",
                                       "teeth.coefficient.1 [m]",
                                       "teeth.constant [m]"};
  const scene s = open_scene(keep_text(many), GEN_ACCELERATE);
  int n = 0;
  for (int k = s.p->nmodel; k < s.p->parameter.n; k++) {
    char own[200];
    snprintf(own, sizeof own, "%s [%s]", s.p->user[k].name, s.p->user[k].unit);
    if (!CHECK(s.p->user[k].unit[0])) printf("  %s has no unit\n", own);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) n += strcmp(own, wanted[i]) == 0;
    if (getenv("ART_SHOW")) printf("  %s\n", own);
  }
  CHECK_EQ_INT(n, sizeof wanted / sizeof *wanted);
}
