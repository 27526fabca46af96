// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Laws on numbers.
#include "law/law_values.h"


double law_value(const forceLaw *law, int segment, double x)
{
  ART_ASSERT(segment >= 0 && segment < law->nsegment);
  return law_on_segment(law, segment, x, NULL, 0);
}


double law_integral(const forceLaw *law, int segment, double x)
{
  ART_ASSERT(segment >= 0 && segment < law->nsegment);
  return law_on_segment(law, segment, x, NULL, 1);
}
