// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of a program by their kind.
#include "eqn/program.h"


const char *eqn_function_name(eqnFunctionKind kind)
{
#define FUNCTION_NAME(number, name) [EQN_##number] = (name),
  static const char *const names[EQN_FUNCTION_KINDS] = {EQN_FUNCTIONS(FUNCTION_NAME)};
#undef FUNCTION_NAME
  ART_ASSERT(kind > EQN_BRANCH && kind < EQN_FUNCTION_KINDS);
  return names[kind];
}


const eqnFunction *eqn_function(const eqnProgram *p, eqnFunctionKind kind)
{
  for (int i = 0; i < p->nfunction; i++) {
    if (p->function[i].kind == kind) return &p->function[i];
  }
  return NULL;
}
