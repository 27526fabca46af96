// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// libsdformat and DART, for files of SDF: libsdformat reads the file, and resolves its poses, axes and names; DART has a tree
// of that. Links that no joint leads to stand on ground, as in ours; joints that close loops are left out, fixed ones last.
#include <dart/dart.hpp>
#include <ignition/math/Inertial.hh>
#include <ignition/math/Material.hh>
#include <sdf/sdf.hh>

#include <algorithm>
#include <numeric>

#include "peer.h"

using namespace dart::dynamics;
using Eigen::Isometry3d;
using Eigen::Vector3d;

const char peer_name[] = "SDF";

struct Link {
  std::string name;
  Isometry3d pose; // in the world
  Inertia inertia;
  bool is_static;
  BodyNode *node;
};

struct Edge {
  const sdf::Joint *joint;
  std::string name;
  Isometry3d pose;
  int from, to; // -1: ground
  bool is_done;
};

struct peerMachine {
  sdf::Root root;
  SkeletonPtr skeleton = Skeleton::create();
  std::vector<Link> link;
  std::vector<Edge> edge;
  std::string only; // "model::" of the only one that moves, which names leave out
  std::vector<std::string> names;
  std::vector<peerJoint> joint;
  int nq = 0;
};

#include "skeleton_answers.h"


//---- what libsdformat has read -------------------------------------------------------------------

static void need(const sdf::Errors &errors)
{
  if (!errors.empty()) throw std::runtime_error(errors.front().Message());
}


static Vector3d to_eigen(const ignition::math::Vector3d &v)
{
  return Vector3d(v.X(), v.Y(), v.Z());
}


static Isometry3d to_eigen(const ignition::math::Pose3d &pose)
{
  const auto &q = pose.Rot();
  Isometry3d out(Eigen::Quaterniond(q.W(), q.X(), q.Y(), q.Z()).normalized());
  out.translation() = to_eigen(pose.Pos());
  return out;
}


static Isometry3d resolve(const sdf::SemanticPose &semantic, const char *to)
{
  ignition::math::Pose3d pose;
  need(semantic.Resolve(pose, to));
  return to_eigen(pose);
}


// cylinders have another word for it
template <class Shape> static ignition::math::MassMatrix3d solid_of(Shape shape, double density)
{
  ignition::math::MassMatrix3d solid;
  if constexpr (std::is_same_v<Shape, ignition::math::Cylinderd>)
    shape.SetMat(ignition::math::Material(density));
  else
    shape.SetMaterial(ignition::math::Material(density));
  if (!shape.MassMatrix(solid)) throw std::runtime_error("a shape without volume");
  return solid;
}


// libsdformat keeps unknown elements as text
static double read_density(const sdf::Collision &collision)
{
  const auto element = collision.Element();
  return element->HasElement("density")
             ? std::stod(element->GetElement("density")->GetValue()->GetAsString())
             : 1000;
}


// `auto`, which is younger: ignition-math has the solids
static ignition::math::Inertiald add_solids(const sdf::Link &link)
{
  ignition::math::Inertiald sum;
  for (uint64_t i = 0; i < link.CollisionCount(); i++) {
    const sdf::Collision &collision = *link.CollisionByIndex(i);
    const sdf::Geometry &geometry = *collision.Geom();
    const double density = read_density(collision);
    ignition::math::Pose3d pose;
    need(collision.SemanticPose().Resolve(pose, link.Name()));
    if (!geometry.BoxShape() && !geometry.CylinderShape() && !geometry.SphereShape())
      throw std::runtime_error("inertia of a shape that has no solid here");
    const auto solid = geometry.BoxShape() ? solid_of(geometry.BoxShape()->Shape(), density)
                       : geometry.CylinderShape()
                           ? solid_of(geometry.CylinderShape()->Shape(), density)
                           : solid_of(geometry.SphereShape()->Shape(), density);
    const ignition::math::Inertiald part(solid, pose);
    sum = i ? sum + part : part;
  }
  return sum;
}


static Inertia read_inertia(const sdf::Link &link)
{
  const auto element =
      link.Element()->HasElement("inertial") ? link.Element()->GetElement("inertial") : nullptr;
  const bool is_auto = element && element->HasAttribute("peer:auto");
  const ignition::math::Inertiald inertial = is_auto ? add_solids(link) : link.Inertial();
  Eigen::Matrix3d tensor;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) tensor(i, k) = inertial.Moi()(i, k);
  }
  return Inertia(inertial.MassMatrix().Mass(), to_eigen(inertial.Pose().Pos()), tensor);
}


static int find_link(const peerMachine &peer, const std::string &prefix, const std::string &name)
{
  for (size_t i = 0; i < peer.link.size(); i++) {
    if (peer.link[i].name == prefix + name) return peer.link[i].is_static ? -1 : (int) i;
  }
  if (name != "world") throw std::runtime_error("no link " + name);
  return -1;
}


// links of a model and of those within it, then its joints
static void read_model(peerMachine &peer, const sdf::Model &model, const Isometry3d &pose,
                       const std::string &prefix, bool is_static)
{
  is_static = is_static || model.Static();
  for (uint64_t i = 0; i < model.LinkCount(); i++) {
    const sdf::Link &link = *model.LinkByIndex(i);
    peer.link.push_back({prefix + link.Name(), pose * resolve(link.SemanticPose(), "__model__"),
                         read_inertia(link), is_static, nullptr});
  }
  for (uint64_t i = 0; i < model.ModelCount(); i++) {
    const sdf::Model &inner = *model.ModelByIndex(i);
    read_model(peer, inner, pose * resolve(inner.SemanticPose(), "__model__"),
               prefix + inner.Name() + "::", is_static);
  }
  for (uint64_t i = 0; i < model.JointCount(); i++) {
    const sdf::Joint &joint = *model.JointByIndex(i);
    std::string from, to;
    if (joint.Type() == sdf::JointType::GEARBOX) continue; // couples coordinates
    need(joint.ResolveParentLink(from));
    need(joint.ResolveChildLink(to));
    peer.edge.push_back({&joint, prefix + joint.Name(),
                         pose * resolve(joint.SemanticPose(), "__model__"),
                         find_link(peer, prefix, from), find_link(peer, prefix, to), false});
    if (peer.edge.back().from == peer.edge.back().to && peer.edge.back().to >= 0)
      throw std::runtime_error("joint " + joint.Name() + " joins a link with itself");
  }
}


static void read_file(peerMachine &peer, const char *path)
{
  need(peer.root.Load(path));
  std::vector<const sdf::Model *> models;
  const sdf::World *world = peer.root.WorldCount() ? peer.root.WorldByIndex(0) : nullptr;
  for (uint64_t i = 0; world && i < world->ModelCount(); i++)
    models.push_back(world->ModelByIndex(i));
  if (!world && peer.root.Model()) models.push_back(peer.root.Model());
  peer.skeleton->setGravity(world ? to_eigen(world->Gravity()) : Vector3d(0, 0, -9.8));
  int moving = 0;
  for (const sdf::Model *model : models) {
    const Isometry3d pose =
        world ? resolve(model->SemanticPose(), "world") : to_eigen(model->RawPose());
    read_model(peer, *model, pose, model->Name() + "::", false);
    if (!model->Static() && moving++ == 0) peer.only = model->Name() + "::";
  }
  if (moving > 1) peer.only.clear();
}


//---- the tree ------------------------------------------------------------------------------------

// the frame of the joint on its two bodies
template <class Joint>
static typename Joint::Properties place_joint(const peerMachine &peer, const Edge &e, bool is_back)
{
  const auto on = [&](int body) {
    return body < 0 ? e.pose : peer.link[(size_t) body].pose.inverse() * e.pose;
  };
  typename Joint::Properties properties;
  properties.mName = e.name;
  properties.mT_ParentBodyToJoint = on(is_back ? e.to : e.from);
  properties.mT_ChildBodyToJoint = on(is_back ? e.from : e.to);
  return properties;
}


static Vector3d read_axis(const Edge &e, unsigned k)
{
  ignition::math::Vector3d axis;
  if (!e.joint->Axis(k)) throw std::runtime_error("joint " + e.name + " lacks an axis");
  need(e.joint->Axis(k)->ResolveXyz(axis, e.joint->Name()));
  return to_eigen(axis);
}


template <class Joint>
static BodyNode *add_node(peerMachine &peer, int parent, int child,
                          const typename Joint::Properties &properties)
{
  const Link &link = peer.link[(size_t) child];
  BodyNode *from = parent < 0 ? nullptr : peer.link[(size_t) parent].node;
  const BodyNode::Properties body(BodyNode::AspectProperties(link.name, link.inertia));
  return peer.skeleton->createJointAndBodyNodePair<Joint>(from, properties, body).second;
}


// about or along one axis; from its child to its parent to the other side
template <class Joint> static BodyNode *add_single(peerMachine &peer, const Edge &e, bool is_back)
{
  auto properties = place_joint<Joint>(peer, e, is_back);
  properties.mAxis = (is_back ? -1 : 1) * read_axis(e, 0);
  if constexpr (std::is_same_v<Joint, ScrewJoint>)
    properties.mPitch = -2 * M_PI / e.joint->ThreadPitch(); // rad for a metre, to the left
  return add_node<Joint>(peer, is_back ? e.to : e.from, is_back ? e.from : e.to, properties);
}


static BodyNode *add_edge(peerMachine &peer, const Edge &e, bool is_back)
{
  switch (e.joint->Type()) {
  case sdf::JointType::REVOLUTE:
  case sdf::JointType::CONTINUOUS: return add_single<RevoluteJoint>(peer, e, is_back);
  case sdf::JointType::PRISMATIC: return add_single<PrismaticJoint>(peer, e, is_back);
  case sdf::JointType::SCREW: return add_single<ScrewJoint>(peer, e, is_back);
  case sdf::JointType::FIXED:
    return add_node<WeldJoint>(peer, is_back ? e.to : e.from, is_back ? e.from : e.to,
                               place_joint<WeldJoint>(peer, e, is_back));
  default: break;
  }
  if (is_back) throw std::runtime_error("joint " + e.name + " leads from its child");
  if (e.joint->Type() == sdf::JointType::BALL)
    return add_node<BallJoint>(peer, e.from, e.to, place_joint<BallJoint>(peer, e, false));
  auto properties = place_joint<UniversalJoint>(peer, e, false);
  properties.mAxis = {read_axis(e, 0), read_axis(e, 1)};
  return add_node<UniversalJoint>(peer, e.from, e.to, properties);
}


static std::vector<Edge> without_loops(const peerMachine &peer)
{
  std::vector<size_t> group(peer.link.size() + 1); // ground is 0
  std::iota(group.begin(), group.end(), 0);
  std::vector<Edge> kept;
  for (bool is_fixed : {true, false}) {
    for (const Edge &e : peer.edge) {
      const size_t a = group[(size_t) (e.from + 1)], b = group[(size_t) (e.to + 1)];
      if ((e.joint->Type() == sdf::JointType::FIXED) != is_fixed || a == b) continue;
      std::replace(group.begin(), group.end(), b, a);
      kept.push_back(e);
    }
  }
  return kept;
}


static bool is_there(const peerMachine &peer, int body)
{
  return body < 0 || peer.link[(size_t) body].node;
}


// every joint with one end in the tree
static void grow(peerMachine &peer)
{
  for (bool is_growing = true; is_growing;) {
    is_growing = false;
    for (Edge &e : peer.edge) {
      if (e.is_done || is_there(peer, e.from) == is_there(peer, e.to)) continue;
      const bool is_back = is_there(peer, e.to);
      peer.link[(size_t) (is_back ? e.from : e.to)].node = add_edge(peer, e, is_back);
      e.is_done = is_growing = true;
    }
  }
}


// on ground: the first link that is child of none, else the first
static void build_tree(peerMachine &peer)
{
  peer.edge = without_loops(peer);
  grow(peer);
  for (bool may_be_child : {false, true}) {
    for (size_t i = 0; i < peer.link.size(); i++) {
      Link &link = peer.link[i];
      bool is_child = false;
      for (const Edge &e : peer.edge) is_child = is_child || e.to == (int) i;
      if (link.is_static || link.node || (is_child && !may_be_child)) continue;
      WeldJoint::Properties weld;
      weld.mName = link.name + " on ground";
      weld.mT_ParentBodyToJoint = link.pose;
      link.node = add_node<WeldJoint>(peer, -1, (int) i, weld);
      grow(peer);
    }
  }
}


static void list_joints(peerMachine &peer)
{
  peer.names.reserve(peer.edge.size());
  for (const Edge &e : peer.edge) {
    const auto *joint = peer.skeleton->getJoint(e.name);
    const bool is_short = !peer.only.empty() && e.name.rfind(peer.only, 0) == 0;
    peer.names.push_back(is_short ? e.name.substr(peer.only.size()) : e.name);
    if (joint->getNumDofs() == 0) continue;
    const int v = (int) joint->getIndexInSkeleton(0);
    const auto add = [&](peerKind kind, int k, int size) {
      peer.joint.push_back({peer.names.back().c_str(), kind, peer.nq, v + k, 0});
      peer.nq += size;
    };
    const std::string &type = joint->getType();
    if (type == "UniversalJoint") {
      add(PEER_FIRST, 0, 1);
      add(PEER_SECOND, 1, 1);
    } else if (type == "BallJoint") {
      add(PEER_BALL, 0, 4);
    } else {
      add(type == "PrismaticJoint" ? PEER_SLIDE : PEER_ANGLE, 0, 1);
    }
  }
}


//---- the peer ------------------------------------------------------------------------------------

peerMachine *peer_load(const char *path)
{
  auto peer = std::make_unique<peerMachine>();
  sdf::Console::Instance()->SetQuiet(true);
  try {
    read_file(*peer, path);
    build_tree(*peer);
  } catch (const std::runtime_error &error) {
    fprintf(stderr, "%s\n", error.what());
    return nullptr;
  }
  list_joints(*peer);
  return peer.release();
}


void peer_free(peerMachine *peer)
{
  delete peer;
}


int peer_positions(const peerMachine *peer)
{
  return peer->nq;
}


int peer_joints(const peerMachine *peer)
{
  return (int) peer->joint.size();
}


peerJoint peer_joint(const peerMachine *peer, int i)
{
  return peer->joint[(size_t) i];
}


const char *peer_body(const peerMachine *peer, int i)
{
  const std::string &name = peer->skeleton->getBodyNode((size_t) i)->getName();
  return name.c_str() + (name.rfind(peer->only, 0) == 0 ? peer->only.size() : 0);
}


// of balls DART has the vector of the turn
void peer_place(peerMachine *peer, const double *q, const double *v)
{
  Eigen::VectorXd place(peer_velocities(peer));
  for (const peerJoint &joint : peer->joint) {
    const double *own = q + joint.q;
    if (joint.kind == PEER_BALL)
      place.segment<3>(joint.v) =
          dart::math::logMap(Eigen::Quaterniond(own[0], own[1], own[2], own[3]).toRotationMatrix());
    else
      place[joint.v] = *own;
  }
  peer->skeleton->setPositions(place);
  peer->skeleton->setVelocities(Eigen::Map<const Eigen::VectorXd>(v, peer_velocities(peer)));
}
