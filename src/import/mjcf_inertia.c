// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// MJCF joint properties that depend on the inertia of the machine: armatures of ball joints,
// springs and dampers given by time constants.
#include <math.h>

#include "import/mjcf.h"


//---- armatures of balls and free joints ----------------------------------------------------------

// Add a point mass at the origin of a body: c' = m c/(m + a), and by the parallel axis theorem I' =
// I + (m a/(m + a)) (|c|^2 1 - c c^T).
static void add_mass_at_origin(importBody *body, double a)
{
  const double m = body->mass, share = m * a / (m + a),
               c[3] = {body->com[0], body->com[1], body->com[2]};
  const double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
  for (int k = 0; k < 3; k++) body->inertia[k] += share * (square - c[k] * c[k]);
  body->inertia[3] -= share * c[0] * c[1];
  body->inertia[4] -= share * c[0] * c[2];
  body->inertia[5] -= share * c[1] * c[2];
  for (int k = 0; k < 3; k++) body->com[k] *= m / (m + a);
  body->mass += a;
}


// The armature energy a |w|^2/2 of a ball joint on ground is that of a body with the tensor a 1.
// The energy a |v|^2/2 of a free joint is that of a point mass at the origin, whose weight is
// cancelled.
static void add_armature(mjcfReader *r, const importJoint *joint, double armature)
{
  importWork *w = r->w;
  importBody *body = &w->machine.body[joint->to];
  import_make_stated(body);
  for (int k = 0; k < 3; k++) body->inertia[k] += armature;
  if (joint->type != ART_FREE) return;
  const importMachine *m = &w->machine;
  const double usual[3] = {0, 0, -9.81}, *g = m->has_gravity ? m->gravity : usual;
  const double up[3] = {-armature * g[0], -armature * g[1], -armature * g[2]};
  add_mass_at_origin(body, armature);
  import_add_item(
      w, "forces",
      import_name(w, import_fresh(w, "%s_armature", joint->name), "force", joint->place),
      joint->place, "{type: force, point: %s, value: %s}", body->name, import_list(w, 3, up));
}


//---- springdamper --------------------------------------------------------------------------------

// A motion of the tree in ground, at the configuration of the file: rotation about an axis through
// a point, or translation along it.
typedef struct mjcfMotion {
  v3 axis, point;
  bool slides;
  int joint; // index in the machine
} mjcfMotion;


static int list_motions(const mjcfReader *r, mjcfMotion *move)
{
  const v3 unit[3] = {v3_make(1, 0, 0), v3_make(0, 1, 0), v3_make(0, 0, 1)};
  int n = 0;
  for (int i = 0; i < r->njoint; i++) {
    const mjcfJoint *j = &r->joint[i];
    const artJointType type = r->w->machine.joint[j->joint].type;
    if (type == ART_REVOLUTE || type == ART_PRISMATIC) {
      move[n++] = (mjcfMotion){j->axis, j->point, type == ART_PRISMATIC, j->joint};
      continue;
    }
    for (int k = 0; k < 3; k++) move[n++] = (mjcfMotion){unit[k], j->point, false, j->joint};
    for (int k = 0; k < 3 && type == ART_FREE; k++)
      move[n++] = (mjcfMotion){unit[k], j->point, true, j->joint};
  }
  return n;
}


// true if the joint is an ancestor of the body
static bool is_moved_by(const importMachine *m, const int *parent, int body, int joint)
{
  while (body >= 0 && parent[body] != joint)
    body = parent[body] < 0 ? -1 : m->joint[parent[body]].from;
  return body >= 0;
}


// The mass matrix M of all motions, by rows: M_ij = sum over bodies of m v_i . v_j + w_i . I w_j,
// plus rotors.
static double *find_mass_matrix(mjcfReader *r, int n, const mjcfMotion *move)
{
  const importMachine *m = &r->w->machine;
  double *M = import_take(r->w, (size_t) n * (size_t) n + 1, sizeof *M);
  int *parent = import_take(r->w, (size_t) m->nbody + 1, sizeof *parent);
  v3 *v = import_take(r->w, (size_t) n + 1, sizeof *v),
     *spin = import_take(r->w, (size_t) n + 1, sizeof *spin);
  for (int b = 0; b < m->nbody; b++) parent[b] = -1;
  for (int i = 0; i < m->njoint; i++) {
    if (m->joint[i].to >= 0 && !m->joint[i].is_cut) parent[m->joint[i].to] = i;
  }
  for (int i = 0; i < n; i++) M[i * n + i] = m->joint[move[i].joint].rotor;
  for (int b = 0; b < m->nbody; b++) {
    const importWeight weight = import_weigh(&m->body[b]);
    const modelPose pose = mjcf_body_pose(r, b);
    const v3 com = pose_compose(pose, (modelPose){m3_identity(), weight.com}).r;
    for (int i = 0; i < n; i++) {
      const bool moves = is_moved_by(m, parent, b, move[i].joint);
      const v3 none = v3_make(0, 0, 0), axis = moves ? move[i].axis : none;
      spin[i] = move[i].slides ? none : m3_mul(pose.R, axis); // in body axes
      v[i] = move[i].slides ? axis : v3_cross(axis, v3_sub(com, move[i].point));
    }
    const double *I = weight.inertia;
    for (int i = 0; i < n; i++) {
      const v3 s = spin[i];
      const v3 L =
          v3_make(I[0] * s.x + I[3] * s.y + I[4] * s.z, I[3] * s.x + I[1] * s.y + I[5] * s.z,
                  I[4] * s.x + I[5] * s.y + I[2] * s.z);
      for (int k = 0; k < n; k++)
        M[i * n + k] += weight.mass * v3_dot(v[i], v[k]) + v3_dot(L, spin[k]);
    }
  }
  return M;
}


// Cholesky factorisation M = L L^T in the lower triangle; false if M is singular
static bool factor_masses(int n, double *M)
{
  for (int i = 0; i < n; i++) {
    for (int k = 0; k <= i; k++) {
      double sum = M[i * n + k];
      for (int j = 0; j < k; j++) sum -= M[i * n + j] * M[k * n + j];
      if (i == k && !(sum > 0)) return false;
      M[i * n + k] = i == k ? sqrt(sum) : sum / M[k * n + k];
    }
  }
  return true;
}


// 1/(M^-1)_ii = 1/|y|^2 with L y = e_i
static double free_inertia(int n, const double *L, int i, double *y)
{
  double sum = 0;
  for (int k = 0; k < n; k++) {
    double x = k == i;
    for (int j = i; j < k; j++) x -= L[k * n + j] * y[j];
    y[k] = k < i ? 0 : x / L[k * n + k];
    sum += y[k] * y[k];
  }
  return 1 / sum;
}


// A time constant T and a damping ratio z: with all other joints free, the joint is an inertia J =
// 1/(M^-1)_ii with the spring J/(T z)^2 and the damper 2 J/T.
static void settle_springs(mjcfReader *r)
{
  importWork *w = r->w;
  mjcfMotion *move = import_take(w, 6 * (size_t) r->njoint + 1, sizeof *move);
  const int n = list_motions(r, move);
  double *M = find_mass_matrix(r, n, move), *y = import_take(w, (size_t) n + 1, sizeof *y);
  const bool is_regular = factor_masses(n, M);
  for (int i = 0; i < r->njoint; i++) {
    const double *pair = r->joint[i].spring_times;
    importJoint *joint = &w->machine.joint[r->joint[i].joint];
    if (!(pair[0] > 0 && pair[1] > 0)) continue;
    if (!is_regular)
      import_fail(w, joint->place,
                  "'springdamper' of joint '%.80s' asks for the inertia of a "
                  "machine, whose mass matrix is singular",
                  joint->name);
    int k = 0;
    while (move[k].joint != r->joint[i].joint) k++;
    const double J = free_inertia(n, M, k, y);
    joint->stiffness = J / (pair[0] * pair[0] * pair[1] * pair[1]);
    joint->damping = 2 * J / pair[0];
  }
}


void mjcf_settle_inertia(mjcfReader *r)
{
  bool has_times = false;
  for (int i = 0; i < r->njoint; i++) {
    const importJoint *joint = &r->w->machine.joint[r->joint[i].joint];
    if (r->joint[i].armature > 0) add_armature(r, joint, r->joint[i].armature);
    has_times = has_times || (r->joint[i].spring_times[0] > 0 && r->joint[i].spring_times[1] > 0);
  }
  if (has_times) settle_springs(r);
}
