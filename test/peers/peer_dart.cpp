// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// DART, for files of URDF.
#include <dart/dart.hpp>
#include <dart/utils/urdf/urdf.hpp>

#include "peer.h"

const char peer_name[] = "DART";

struct peerMachine {
  dart::dynamics::SkeletonPtr skeleton;
};

#include "skeleton_answers.h"


peerMachine *peer_load(const char *path)
{
  dart::utils::DartLoader loader;
  auto skeleton = loader.parseSkeleton(std::string("file://") + path);
  if (!skeleton) return nullptr;
  skeleton->setGravity(Eigen::Vector3d(0, 0, -9.81));
  // a root stands on ground in ours
  auto *root = skeleton->getRootBodyNode();
  if (root->getParentJoint()->getType() == "FreeJoint")
    root->changeParentJointType<dart::dynamics::WeldJoint>();
  return new peerMachine{skeleton};
}


void peer_free(peerMachine *peer)
{
  delete peer;
}


int peer_positions(const peerMachine *peer)
{
  return (int) peer->skeleton->getNumDofs();
}


int peer_joints(const peerMachine *peer)
{
  return (int) peer->skeleton->getNumJoints();
}


peerJoint peer_joint(const peerMachine *peer, int i)
{
  const auto *joint = peer->skeleton->getJoint((std::size_t) i);
  const std::string &type = joint->getType();
  peerJoint out = {joint->getName().c_str(), PEER_OTHER, 0, 0, 0};
  if (joint->getNumDofs() > 0) out.q = out.v = (int) joint->getIndexInSkeleton(0);
  if (type == "RevoluteJoint") out.kind = PEER_ANGLE;
  if (type == "PrismaticJoint") out.kind = PEER_SLIDE;
  if (type == "WeldJoint") out.kind = PEER_NONE;
  return out;
}


const char *peer_body(const peerMachine *peer, int i)
{
  return peer->skeleton->getBodyNode((std::size_t) i)->getName().c_str();
}


void peer_place(peerMachine *peer, const double *q, const double *v)
{
  const int n = peer_velocities(peer);
  peer->skeleton->setPositions(Eigen::Map<const Eigen::VectorXd>(q, n));
  peer->skeleton->setVelocities(Eigen::Map<const Eigen::VectorXd>(v, n));
}
