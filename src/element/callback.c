// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A force law of the host program.
#include "base/error.h"
#include "element/kind.h"

static const fieldKey keys[] = {{0}};
static const elementOutput outputs[] = {{0}};


static void callback_check(const fieldCheck *c, void *def)
{
  // a callback of a model file gets its function from art_attach_force
  if (((artCallbackDef *) def)->apply || c->where->place.file) return;
  field_refuse_all(c, "callback '%s' has no function", c->name);
}


static void callback_compile(modelElement *e, const void *def, const elementContext *c)
{
  (void) c;
  e->callback = *(const artCallbackDef *) def;
  e->has_potential = e->callback.potential != NULL;
}


const elementKind element_callback = {ELEMENT_KIND(callback, artCallbackDef, "callback", keys, NULL,
                                                   "A force law of the host program."),
                                      .check = callback_check, .compile = callback_compile,
                                      .outputs = outputs};
