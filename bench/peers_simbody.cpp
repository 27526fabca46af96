// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Simbody as an engine of the benchmark, through its operators that ignore constraints.
#include "peers.h"

#include <Simbody.h>
#include <exception>
#include <iostream>

using namespace SimTK;

namespace
{

struct SimbodyState {
  MultibodySystem system;
  SimbodyMatterSubsystem matter{system};
  GeneralForceSubsystem forces{system};
  Force::Gravity gravity;
  State state;
  Vector zero, known, result;
  Vector_<SpatialVec> accelerations;
  Matrix M;
};


// pins turn about z: lay z along the wanted axis
Transform pin_frame(const benchLink &link, const Vec3 &place)
{
  const CoordinateAxis axis(link.axis);
  return Transform(Rotation(UnitVec3(axis), ZAxis), place);
}


MassProperties mass_of(const benchLink &link)
{
  const double *I = link.inertia;
  const Vec3 com(link.com[0], link.com[1], link.com[2]);
  const Inertia central(Vec3(I[0], I[1], I[2]), Vec3(I[3], I[4], I[5]));
  return MassProperties(link.mass, com, central.shiftFromMassCenter(com, link.mass));
}


void build(SimbodyState &s, const benchChain *chain)
{
  const Vec3 gravity(chain->gravity[0], chain->gravity[1], chain->gravity[2]);
  s.gravity = Force::Gravity(s.forces, s.matter, gravity);

  MobilizedBody parent = s.matter.updGround();
  for (int i = 0; i < chain->count; i++) {
    const benchLink &link = chain->links[i];
    const Vec3 offset(link.offset[0], link.offset[1], link.offset[2]);
    parent = MobilizedBody::Pin(parent, pin_frame(link, offset), Body::Rigid(mass_of(link)),
                                pin_frame(link, Vec3(0)));
  }

  s.state = s.system.realizeTopology();
  s.system.realizeModel(s.state);
  s.zero = Vector(chain->count, 0.0);
  s.known = s.zero;
  s.result = s.zero;
  s.M.resize(chain->count, chain->count);
}


void *simbody_create(const benchChain *chain)
{
  try {
    auto *s = new SimbodyState;
    build(*s, chain);
    return s;
  } catch (const std::exception &trouble) {
    std::cerr << "Simbody: " << trouble.what() << "\n";
    return nullptr;
  }
}


void simbody_destroy(void *state)
{
  delete static_cast<SimbodyState *>(state);
}


void set(Vector &target, const double *source)
{
  for (int k = 0; k < target.size(); k++) target[k] = source[k];
}


void get(const Vector &source, double *target)
{
  for (int k = 0; k < source.size(); k++) target[k] = source[k];
}


void simbody_inverse(void *state, const double *q, const double *v, const double *a, double *tau)
{
  auto &s = *static_cast<SimbodyState *>(state);
  set(s.state.updQ(), q);
  set(s.state.updU(), v);
  set(s.known, a);
  s.system.realize(s.state, Stage::Velocity);
  s.matter.calcResidualForceIgnoringConstraints(s.state, s.zero, s.gravity.getBodyForces(s.state),
                                                s.known, s.result);
  get(s.result, tau);
}


void simbody_mass(void *state, const double *q)
{
  auto &s = *static_cast<SimbodyState *>(state);
  set(s.state.updQ(), q);
  s.system.realize(s.state, Stage::Position);
  s.matter.calcM(s.state, s.M);
}


void simbody_read_mass(void *state, double *M)
{
  const auto &s = *static_cast<SimbodyState *>(state);
  const int n = s.M.nrow();
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) M[i * n + j] = s.M(i, j);
  }
}


void simbody_forward(void *state, const double *q, const double *v, const double *tau, double *a)
{
  auto &s = *static_cast<SimbodyState *>(state);
  set(s.state.updQ(), q);
  set(s.state.updU(), v);
  set(s.known, tau);
  s.system.realize(s.state, Stage::Dynamics);
  s.matter.calcAccelerationIgnoringConstraints(s.state, s.known, s.gravity.getBodyForces(s.state),
                                               s.result, s.accelerations);
  get(s.result, a);
}

} // namespace


extern const benchEngine bench_simbody = {
    "Simbody",    simbody_create,    simbody_destroy, simbody_inverse,
    simbody_mass, simbody_read_mass, simbody_forward,
};
