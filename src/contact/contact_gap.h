// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The contact point of two bodies at one instant, without its rates.
#ifndef CONTACT_CONTACT_GAP_H
#define CONTACT_CONTACT_GAP_H

#include "contact/contact_body.h"
#include "contact/contact_motion.h"

// Bodies in the order of contactShape; their velocities are not read.
contactPoint contact_gap(const surfaceMotion side[2]);

#endif
