// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A bushing: stiffness and damping between two frames in all six directions (law/pair_laws.h).
//
//   s = s0 - K x - k(x) - D x' - c(x'),   V = x.K x/2 + integrals of k - s0.x
#include <string.h>

#include "base/error.h"
#include "element/kind.h"
#include "element/port.h"


// row i of A x; a coefficient and its transpose are one parameter
static real bushing_row(const portMotion *in, const forcePair *b, const double A[6][6],
                        const real x[6], int i, const char *name)
{
  const int first = r_surely(b->is_diagonal) ? i : 0, end = r_surely(b->is_diagonal) ? i + 1 : 6;
  real sum = r_const(0);
  for (int j = first; j < end; j++) {
    if (r_surely(A[i][j] == 0)) continue;
    const int low = i < j ? i : j, high = i < j ? j : i;
    const real own = port_entry(in, &A[low][high], name, 36, 6 * low + high);
    sum = r_add(sum, r_mul(own, x[j]));
  }
  return sum;
}


// law i of a row; *mode is the next free mode
static portLaw bushing_law(const forceLaw *const law[6], int i, int *mode, const char *name)
{
  const portLaw own = {.law = law[i], .mode = *mode, .name = name, .count = 6, .k = i};
  if (law[i]) (*mode)++;
  return own;
}


static void bushing_act(const modelElement *e, const portMotion *in, portForce *out)
{
  const forcePair *b = e->pair;
  const real none = r_const(0);
  int mode = 0;
  for (int i = 0; i < 6; i++) {
    const portLaw law = bushing_law(b->spring, i, &mode, "bushing_spring");
    const real preload = port_entry(in, &b->preload[i], "bushing_preload", 6, i);
    const real linear = bushing_row(in, b, b->stiffness, in->x, i, "bushing_stiffness");
    out->elastic[i] = r_sub(preload, r_add(linear, port_spring(in, law, i, none)));
  }
  for (int i = 0; i < 6; i++) {
    const portLaw law = bushing_law(b->damper, i, &mode, "bushing_damper");
    const real linear = bushing_row(in, b, b->damping, in->v, i, "bushing_damping");
    out->resisting[i] = r_neg(r_add(linear, port_law(in, law, in->v[i])));
  }
}


static real bushing_potential(const modelElement *e, const portMotion *in)
{
  const forcePair *b = e->pair;
  real sum = r_const(0);
  int mode = 0;
  for (int i = 0; i < 6; i++) {
    const portLaw law = bushing_law(b->spring, i, &mode, "bushing_spring");
    const real preload = port_entry(in, &b->preload[i], "bushing_preload", 6, i);
    const real linear = bushing_row(in, b, b->stiffness, in->x, i, "bushing_stiffness");
    const real mean = r_sub(r_mul(r_const(0.5), linear), preload);
    const real stored = port_integral(in, law, in->x[i]);
    sum = r_add(sum, r_add(r_mul(in->x[i], mean), stored));
  }
  return sum;
}


const elementPhysics R_NAME(bushing_physics) = {
    .port = PORT_PAIR, .act = bushing_act, .potential = bushing_potential};

#ifdef PORT_HAS_DEFINITION

//---- definition ----------------------------------------------------------------------------------

// clang-format off
#define AT(field) offsetof(artBushingDef, field)
static const fieldKey keys[] = {
    {"from", KEY_REFERENCE, .need = REQUIRED, .offset = AT(from),
     .to = offsetof(modelElement, frame[0]),
     .help = "frame along whose axes it is measured: `body.frame`, `body` or `ground`"},
    {"to", KEY_REFERENCE, .need = REQUIRED, .offset = AT(to),
     .to = offsetof(modelElement, frame[1]), .help = "the other frame"},
    {"stiffness", KEY_SIX_BY_SIX, Q_STIFFNESS, .offset = AT(stiffness), .fallback = "0",
     .help = "K: its diagonal, or all of it by rows, symmetric"},
    {"damping", KEY_SIX_BY_SIX, Q_DAMPING, .offset = AT(damping), .fallback = "0",
     .help = "D: its diagonal, or all of it by rows, symmetric"},
    {"springs", KEY_SIX_LAWS, Q_X, .offset = AT(spring),
     .help = "laws k of single directions x, y, z, rx, ry, rz, added to K"},
    {"dampers", KEY_SIX_LAWS, Q_X_RATE, .offset = AT(damper),
     .help = "laws c of single directions, over the rates, added to D"},
    {"preload", KEY_SIX, Q_FORCE, .offset = AT(preload), .fallback = "0",
     .help = "s0: what acts on `to` where x = 0, three forces and three torques"},
    {0}};

// force and torque on `to`, then the displacements
static const elementOutput outputs[] = {
    OUTPUTS_XYZ("f", 0, LEVEL_ACCELERATION, Q_FORCE, OUTPUT_USUAL),
    OUTPUTS_XYZ("t", 3, LEVEL_ACCELERATION, Q_TORQUE, OUTPUT_USUAL | OUTPUT_GROUP),
    OUTPUTS_XYZ("d", 6, LEVEL_POSITION, Q_LENGTH, OUTPUT_GROUP),
    OUTPUTS_XYZ("r", 9, LEVEL_POSITION, Q_NUMBER, OUTPUT_GROUP),
    {0}};

static const elementParameter parameters[] = {
    {"bushing_spring", "spring of the bushing", 96, "springs", PARAMETER_LAWS, false},
    {"bushing_damper", "damper of the bushing", 96, "dampers", PARAMETER_LAWS, true},
    {"bushing_preload", "preload of the bushing", 6, "preload", PARAMETER_ROW, false},
    {"bushing_stiffness", "matrix of the bushing", 36, "stiffness", PARAMETER_MATRIX, false},
    {"bushing_damping", "matrix of the bushing", 36, "damping", PARAMETER_MATRIX, true},
    {0}};

static const char foreign[] =
    "rubber field mount rubbermount sixdofspring beam matrixspring";

static const vocabularyWords advice[] = {
    {"section", "bushings belong in the section 'forces'", "bushings"},
    {"joint type", "springs, dampers and bushings belong in the section 'forces'",
     "spring damper bushing springdamper torsionspring bush"},
    {0}};
// clang-format on


static void make_laws(const artLawDef def[6], const char *key, const forceLaw *out[6],
                      const elementContext *c)
{
  const artPlace place = field_place(c->where, key);
  for (int i = 0; i < 6; i++) out[i] = element_make_law(c->arena, &def[i], place);
}


static int is_diagonal(const forcePair *b)
{
  for (int i = 0; i < 36; i++) {
    const int row = i / 6, column = i % 6;
    if (row != column && (b->stiffness[row][column] != 0 || b->damping[row][column] != 0)) return 0;
  }
  return 1;
}


static void bushing_compile(modelElement *e, const void *from, const elementContext *c)
{
  const artBushingDef *def = from;
  forcePair *bushing = arena_alloc(c->arena, 1, sizeof *bushing);
  e->pair = bushing;
  for (int i = 0; i < 36; i++) {
    // symmetrise, so that rounding in the file cannot create a moment
    const int t = 6 * (i % 6) + i / 6;
    bushing->stiffness[i / 6][i % 6] = 0.5 * (def->stiffness[i] + def->stiffness[t]);
    bushing->damping[i / 6][i % 6] = 0.5 * (def->damping[i] + def->damping[t]);
    if (def->damping[i] != 0) bushing->resists = 1;
  }
  memcpy(bushing->preload, def->preload, sizeof bushing->preload);
  bushing->is_diagonal = is_diagonal(bushing);
  make_laws(def->spring, "springs", bushing->spring, c);
  make_laws(def->damper, "dampers", bushing->damper, c);
  for (int i = 0; i < 6; i++) bushing->resists = bushing->resists || bushing->damper[i];
  e->has_potential = !bushing->resists;
}


static void bushing_parameter_map(const modelElement *e, const void *from,
                                  const elementParameterMap *f)
{
  const artBushingDef *def = from;
  for (int i = 0; i < 36; i++) {
    const int t = 6 * (i % 6) + i / 6;
    f->term(f->context, &e->pair->stiffness[i / 6][i % 6], 0.5, &def->stiffness[i], NULL);
    f->term(f->context, &e->pair->stiffness[i / 6][i % 6], 0.5, &def->stiffness[t], NULL);
    f->term(f->context, &e->pair->damping[i / 6][i % 6], 0.5, &def->damping[i], NULL);
    f->term(f->context, &e->pair->damping[i / 6][i % 6], 0.5, &def->damping[t], NULL);
  }
  for (int i = 0; i < 6; i++) {
    f->term(f->context, &e->pair->preload[i], 1, &def->preload[i], NULL);
    f->law(f->context, e->pair->spring[i], &def->spring[i]);
    f->law(f->context, e->pair->damper[i], &def->damper[i]);
  }
}


const elementKind element_bushing = {
    ELEMENT_KIND(bushing, artBushingDef, "bushing", keys, foreign, "A bushing between two frames."),
    .compile = bushing_compile,
    .follow = bushing_parameter_map,
    .arrow = ARROW_AXES,
    .advice = advice,
    .outputs = outputs,
    .parameters = parameters};

#endif
