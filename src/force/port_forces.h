// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Ports of force elements in relative coordinates: motion from the poses and velocities of links, forces as wrenches
// on links and along joint coordinates.
#ifndef FORCE_PORT_FORCES_H
#define FORCE_PORT_FORCES_H

#include "data/work.h"
#include "element/port.h"

// The motion of the port of an element at the present state.
void force_move_port(const artModel *m, const artData *d, const modelElement *e, portState *port);

// Values of the formulas of an element; complains of one that is not finite.
artStatus force_evaluate_formulas(const artData *d, const modelElement *e, double *given,
                                  artError *error);

// Apply an element, or parts of it (PORT_ELASTIC, PORT_RESISTING); its values, its power.
artStatus force_act(const artModel *m, artData *d, const modelElement *e, int parts, double *value,
                    artError *error);

// The potential of an element, 0 where it has none.
double force_stored(const artModel *m, const artData *d, const modelElement *e);

// Inputs of the user's function of an element at the present state, and its port; derivatives of its results by input
// k, slope[n], by differences, zero where it fails.
void force_call_inputs(const artModel *m, const artData *d, const modelElement *e, portState *port,
                       double x[FUNCTION_INPUTS]);
void force_call_slope(const artData *d, const modelElement *e, double x[FUNCTION_INPUTS], int k,
                      double *slope);

#endif
