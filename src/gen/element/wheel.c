// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The order in which wheels on the road are evaluated: contacts, additional forces of tyres that roll slowly, forces.
#include "gen/element/wheel.h"

#include <string.h>


// symbols of all wheels that get values together
typedef struct wheelUnknowns {
  int n;
  int *unknown, *value;
} wheelUnknowns;


static wheelUnknowns open_unknowns(genBuild *b, int each)
{
  const size_t n = (size_t) each * (size_t) b->nwheel;
  return (wheelUnknowns){0, gen_alloc(b, n, sizeof(int)), gen_alloc(b, n, sizeof(int))};
}


static void assign_wheel_unknowns(genBuild *b, eqnFunction *f, const char *title, eqnGroup group,
                                  const wheelUnknowns *u)
{
  if (u->n > 0) gen_add_assignment(b, f, title, group, u->n, u->unknown, u->value);
}


static const char *wheel_title_of(genBuild *b, const genWheel *w, const char *format)
{
  return arena_format(&b->program->arena, format, b->m->element[w->element].name);
}


// Newton's method for the contacts of wheels from first on; returns the first one that is left
static int contact_stage(genBuild *b, eqnFunction *f, int first)
{
  wheelUnknowns u = open_unknowns(b, GEN_CONTACT_UNKNOWNS);
  int i = first, residual = 0;
  for (; i < b->nwheel && (u.n == 0 || b->options->together); i++) {
    const genWheel *w = &b->wheel[i];
    if (w->nunknown == 0) continue;
    for (int k = 0; k < w->nunknown; k++) {
      u.unknown[u.n] = w->unknown[k];
      u.value[u.n++] = w->correction[k];
    }
    residual = expr_add(b->pool, residual, w->residual);
  }
  if (u.n == 0) return i;
  gen_add_stage(b, f,
                (eqnStage){.title = b->options->together
                                        ? "contacts of wheels with the road"
                                        : wheel_title_of(b, &b->wheel[i - 1],
                                                         "contact of '%s' with the road"),
                           .group = GROUP_CONTACT,
                           .kind = STAGE_NEWTON,
                           .nunknown = u.n,
                           .unknown = u.unknown,
                           .correction = u.value,
                           .residual = residual,
                           .tolerance = 1e-12,
                           .most = 60});
  return i;
}


// stages that are not there unless a wheel rolls slowly
static void slow_stages(genBuild *b, eqnFunction *f)
{
  wheelUnknowns u = open_unknowns(b, GEN_SLOW_NODES);
  for (int i = 0; i < b->nwheel; i++) {
    const genWheel *w = &b->wheel[i];
    for (int k = 0; k < w->slow.n; k++) u.unknown[u.n++] = w->slow.symbol[k];
  }
  assign_wheel_unknowns(b, f, "fast tyres", GROUP_TYRES, &u);
  for (int i = 0; i < b->nwheel; i++) {
    genWheel *w = &b->wheel[i];
    if (w->slow.n == 0) continue;
    gen_add_stage(b, f,
                  (eqnStage){.title = wheel_title_of(b, w, "tyre '%s' near standstill"),
                             .group = GROUP_TYRES,
                             .kind = STAGE_WHEN,
                             .nunknown = w->slow.n,
                             .unknown = w->slow.symbol,
                             .correction = w->slow.value,
                             .residual = w->slow.is_slow});
  }
}


void gen_wheel_stages(genBuild *b, eqnFunction *f)
{
  const size_t n = (size_t) b->nwheel;
  int *contact = gen_alloc(b, GEN_CONTACT_NODES * n, sizeof *contact);
  int *law = gen_alloc(b, GEN_LAW_NODES * n, sizeof *law);
  if (n == 0) return;
  for (int i = 0; i < b->nwheel; i++) {
    const genWheel *w = &b->wheel[i];
    memcpy(contact + (long) i * GEN_CONTACT_NODES, w->contact, sizeof w->contact);
    memcpy(law + (long) i * GEN_LAW_NODES, w->law, sizeof w->law);
  }
  // contacts that have no closed form
  wheelUnknowns u = open_unknowns(b, GEN_CONTACT_UNKNOWNS);
  for (int i = 0; i < b->nwheel; i++) {
    const genWheel *w = &b->wheel[i];
    for (int k = 0; k < w->nunknown; k++) {
      u.unknown[u.n] = w->unknown[k];
      u.value[u.n++] = w->guess[k];
    }
  }
  assign_wheel_unknowns(b, f, "where contacts are looked for first", GROUP_CONTACT, &u);
  for (int i = 0; i < b->nwheel;) i = contact_stage(b, f, i);
  gen_add_straight(b, f, "contact of wheels and road", GROUP_CONTACT, GEN_CONTACT_NODES * (int) n,
                   contact);
  slow_stages(b, f);
  gen_add_straight(b, f, "tyres", GROUP_TYRES, GEN_LAW_NODES * (int) n, law);
}
