// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The files of elements, for those who compile them on another scalar: a line for every kind of ELEMENT_PHYSICS (port.h).
#ifndef ELEMENT_TEXTS_H
#define ELEMENT_TEXTS_H

// clang-format off
#include "element/spring_damper.c"
#include "element/joint_spring.c"
#include "element/joint_stop.c"
#include "element/joint_friction.c"
#include "element/joint_force.c"
#include "element/body_force.c"
#include "element/bushing.c"
#include "element/drag.c"
// clang-format on

#endif
