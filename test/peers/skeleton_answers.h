// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Answers that DART gives of the skeleton of a peerMachine, whoever has read it; included behind that type.
#pragma once

int peer_velocities(const peerMachine *peer)
{
  return (int) peer->skeleton->getNumDofs();
}


int peer_bodies(const peerMachine *peer)
{
  return (int) peer->skeleton->getNumBodyNodes();
}


void peer_mass(peerMachine *peer, double *M)
{
  const int n = peer_velocities(peer);
  Eigen::Map<Eigen::MatrixXd>(M, n, n) = peer->skeleton->getMassMatrix();
}


void peer_bias(peerMachine *peer, double *tau)
{
  const int n = peer_velocities(peer);
  Eigen::Map<Eigen::VectorXd>(tau, n) = peer->skeleton->getCoriolisAndGravityForces();
}


void peer_frame(peerMachine *peer, int body, double position[3], double quaternion[4])
{
  const Eigen::Isometry3d T = peer->skeleton->getBodyNode((std::size_t) body)->getWorldTransform();
  const Eigen::Quaterniond q(T.linear());
  for (int k = 0; k < 3; k++) position[k] = T.translation()[k];
  quaternion[0] = q.w();
  quaternion[1] = q.x();
  quaternion[2] = q.y();
  quaternion[3] = q.z();
}
