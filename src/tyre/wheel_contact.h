// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Contacts of wheels with the road: conversion between vectors and the arrays of the interface.
#ifndef TYRE_WHEEL_CONTACT_H
#define TYRE_WHEEL_CONTACT_H

#include "articula/tyre.h"
#include "tyre/contact_axes.h"

static inline v3 vector_of(const double a[3])
{
  return (v3){a[0], a[1], a[2]};
}


static inline void put_vector(double to[3], v3 a)
{
  to[0] = a.x;
  to[1] = a.y;
  to[2] = a.z;
}

// The contact of a wheel, and its motion.
artContact tyre_contact_of(const artWheel *wheel, const discContact *contact);

#endif
