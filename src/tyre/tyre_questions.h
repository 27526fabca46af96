// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Conversion of arguments of the public interface to arguments of the formulas.
#ifndef TYRE_TYRE_QUESTIONS_H
#define TYRE_TYRE_QUESTIONS_H

#include "tyre/formulas.h"

tyreSlip tyre_slip_of(const artTyre *tyre, const artTyreInput *input);
tyreDent tyre_dent_of(const artTyre *tyre, const artTyreDeflection *deflection);

// The rates of the slip states, and the slips from which the forces are computed.
void tyre_slip_rates(const artTyre *tyre, const artTyreInput *input, const tyreMotion *motion,
                     const tyreSlips *slips, double rate[2], double slip[2]);

#endif
