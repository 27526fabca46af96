// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Wheels on steps and edges, as expressions.
#ifndef GEN_EDGES_H
#define GEN_EDGES_H

#include "gen/tyre.h"
#include "tyre/edges.h"

// Whether the profile under a tyre is short enough for code.
artStatus gen_check_edges(const genBuild *b, const modelElement *e);

// The resultant of all contacts, whose depth, spring and load become names of the tyre; unknowns and equations
// are left in the wheel's stage.
roadContact gen_edge_contact(genTyre *t, const artRoad *road, const roadProfile *profile,
                             const wheelNodes *wheel);

#endif
