// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// From ISO axes to axes of SAE J670: half a turn about x.
#include "articula/tyre.h"


artTyreForce art_tyre_force_in_sae(artTyreForce f)
{
  return (artTyreForce){f.Fx, -f.Fy, -f.Fz, f.Mx, -f.My, -f.Mz};
}


artTyreInput art_tyre_input_in_sae(artTyreInput in)
{
  // the velocity to the right is minus that to the left; camber turns about the axis that stays
  in.alpha = -in.alpha;
  return in;
}
