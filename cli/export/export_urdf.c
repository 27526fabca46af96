// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine as URDF. The joint that leads to a link gives its frame: the frame is in the origin of the joint, with the
// axes of the body; of a planar joint with its own. Loops, and joints that URDF does not have, are refused; forces on the
// machine but for limits and efforts are left out and told.

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/format.h"
#include "base/markup.h"
#include "base/throw.h"
#include "command_report.h"
#include "joint_jog.h"
#include "model/model.h"
#include "spatial/pose_algebra.h"

typedef struct urdfJob {
  const cliCall *call;
  const artModel *m;
  FILE *out;
  modelPose *link; // [bodies] frames of links in their bodies
  FILE *notes;     // parts that are left out, a line each
  char *text;      // of these, and its length
  size_t length;
  int nnote;
} urdfJob;


//---- parts that URDF lacks -----------------------------------------------------------------------

static void urdf_note(urdfJob *job, const char *format, ...) ART_PRINTF(2, 3);
static void urdf_note(urdfJob *job, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  format_stream_list(job->notes, format, arguments);
  va_end(arguments);
  fputc('\n', job->notes);
  job->nnote++;
}


static bool is_urdf_joint_type(artJointType type)
{
  return type == ART_FIXED || type == ART_REVOLUTE || type == ART_PRISMATIC || type == ART_PLANAR ||
         type == ART_FREE;
}


static bool is_mimic(const modelRelation *r)
{
  return !r->user.value && r->n == 2 && r->coefficient[0] != 0 && r->coefficient[1] != 0;
}


// N m s/rad or N s/m of an element that does nothing but damp its coordinate; 0 of others
static double damping_of(const modelElement *e)
{
  const forceLaw *law = e->damper;
  const bool is_linear = law && law->nsegment == 1 && law->degree == 1 && !law->air &&
                         law->c[0] == 0 && law->origin[0] == 0;
  return is_linear && !e->spring && !model_has_stop(e) ? law->c[1] : 0;
}


// does it are in the file: a limit, a damper, or the motor of an effort as imports call it?
static bool is_written(const artModel *m, const modelElement *e)
{
  char joint[300], name[320];
  if (e->nterm != 1 || e->term[0].c != 1) return false;
  if (model_has_stop(e) || damping_of(e) > 0) return true;
  const char *velocity = art_velocity_name(m, e->term[0].velocity);
  snprintf(joint, sizeof joint, "%.*s", (int) strcspn(velocity, "."), velocity);
  snprintf(name, sizeof name, "%s_motor", joint);
  if (strcmp(name, e->name) != 0) return false;
  snprintf(name, sizeof name, "%s_effort", joint);
  return art_find_input(m, name) >= 0;
}


static void note_urdf_losses(urdfJob *job)
{
  const artModel *m = job->m;
  double g[3];
  art_get_gravity(m, g);
  if (g[0] != 0 || g[1] != 0 || g[2] != -9.81) urdf_note(job, "gravity, which URDF does not say");
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    if (!is_written(m, e)) urdf_note(job, "force %s", e->name);
  }
  for (int i = 0; i < m->nlatch; i++) urdf_note(job, "latch %s", m->latch[i].name);
  if (m->ndrive > 0) urdf_note(job, "%d drives", m->ndrive);
  bool has_start = false;
  for (int k = 0; k < m->tree.nq; k++) has_start = has_start || m->is_given_q[k];
  for (int k = 0; k < m->tree.nv; k++) has_start = has_start || m->is_given_v[k];
  if (has_start) urdf_note(job, "initial values");
  artStatePart state;
  for (int i = 0; art_get_state(m, i, &state); i++) urdf_note(job, "state %s", state.name);
  artSignalPart signal;
  for (int i = 0; art_get_signal(m, i, &signal); i++)
    urdf_note(job, "block or signal %s", signal.name);
}


//---- poses ---------------------------------------------------------------------------------------

static modelPose pose_of_part(const artPose *pose)
{
  return pose_by_quaternion(pose->rotation,
                            v3_make(pose->position[0], pose->position[1], pose->position[2]));
}


// R = Rz(yaw) Ry(pitch) Rx(roll). Rows of R here are the axes of the frame. Near pitch = 90 deg atan2 decides on roll, and
// yaw is the rest, so that the product is right.
static void angles_of(m3 R, double rpy[3])
{
  const double roll = atan2(R.y.z, R.z.z), pitch = atan2(-R.x.z, hypot(R.y.z, R.z.z));
  const double cr = cos(roll), sr = sin(roll), cp = cos(pitch), sp = sin(pitch);
  // first column of R Rx^-1 Ry^-1 = Rz(yaw): cp x + sp (sr y + cr z)
  const double c = cp * R.x.x + sp * (sr * R.y.x + cr * R.z.x),
               s = cp * R.x.y + sp * (sr * R.y.y + cr * R.z.y);
  rpy[0] = roll;
  rpy[1] = pitch;
  rpy[2] = atan2(s, c);
}


static void write_urdf_origin(urdfJob *job, modelPose pose)
{
  double a[3];
  angles_of(pose.R, a);
  format_stream(job->out, "<origin xyz=\"%.17g %.17g %.17g\" rpy=\"%.17g %.17g %.17g\"/>", pose.r.x,
                pose.r.y, pose.r.z, a[0], a[1], a[2]);
}


//---- links ---------------------------------------------------------------------------------------

// ground is the link that others call world
static const char *urdf_link_name(const artModel *m, int body)
{
  ART_ASSERT(body >= 0 && body < m->nbody);
  artBodyPart part;
  if (body == 0) return art_find_body(m, "world") < 0 ? "world" : "ground";
  return art_get_body(m, body, &part) ? part.name : "";
}


static void write_urdf_name(urdfJob *job, const char *tag, const char *name)
{
  fprintf(job->out, "<%s name=\"", tag);
  markup_write(job->out, name);
  fputc('"', job->out);
}


static void write_inertial(urdfJob *job, const artBodyPart *body, modelPose frame)
{
  const double *I = body->inertia;
  const modelPose centre = {m3_identity(), v3_make(body->com[0], body->com[1], body->com[2])};
  // a body may turn others without a mass of its own
  bool is_light = !(body->mass > 0);
  for (int i = 0; i < 6; i++) is_light = is_light && I[i] == 0;
  if (is_light) return;
  fprintf(job->out, "    <inertial>");
  write_urdf_origin(job, pose_compose(pose_inverse(frame), centre));
  format_stream(
      job->out,
      "<mass value=\"%.17g\"/><inertia ixx=\"%.17g\" iyy=\"%.17g\" izz=\"%.17g\" ixy=\"%.17g\" "
      "ixz=\"%.17g\" iyz=\"%.17g\"/></inertial>\n",
      body->mass, I[0], I[1], I[2], I[3], I[4], I[5]);
}


static void write_visuals(urdfJob *job, int body, modelPose frame)
{
  const artVisualDef *v;
  int of;
  for (int i = 0; (v = art_get_visual(job->m, i, &of)); i++) {
    if (of != body || v->type == ART_VISUAL_NONE) continue;
    if (v->type == ART_VISUAL_MESH) {
      urdf_note(job, "a mesh of %s, whose file is not known any more",
                urdf_link_name(job->m, body));
      continue;
    }
    if (v->type == ART_VISUAL_CAPSULE)
      urdf_note(job, "the caps of a capsule of %s", urdf_link_name(job->m, body));
    fprintf(job->out, "    <visual>");
    write_urdf_origin(job, pose_compose(pose_inverse(frame), pose_of_part(&v->pose)));
    fprintf(job->out, "<geometry>");
    if (v->type == ART_VISUAL_BOX)
      format_stream(job->out, "<box size=\"%.17g %.17g %.17g\"/>", v->size[0], v->size[1],
                    v->size[2]);
    else if (v->type == ART_VISUAL_SPHERE)
      format_stream(job->out, "<sphere radius=\"%.17g\"/>", v->radius);
    else
      format_stream(job->out, "<cylinder radius=\"%.17g\" length=\"%.17g\"/>", v->radius,
                    v->length);
    fprintf(job->out, "</geometry>");
    if (v->colour >= 0) {
      format_stream(job->out,
                    "<material name=\"c%06x\"><color rgba=\"%.17g %.17g %.17g 1\"/></material>",
                    (unsigned) v->colour, (v->colour >> 16) / 255.0, (v->colour >> 8 & 255) / 255.0,
                    (v->colour & 255) / 255.0);
    }
    fprintf(job->out, "</visual>\n");
  }
}


//---- joints --------------------------------------------------------------------------------------

// the largest effort, of the input that imports call so
static double find_effort(const artModel *m, const artJointPart *joint)
{
  char name[300];
  artInputPart input;
  snprintf(name, sizeof name, "%s_effort", joint->name);
  const int i = art_find_input(m, name);
  if (i < 0 || !art_get_input(m, i, &input) || !isfinite(input.largest)) return 0;
  return input.largest;
}


// c0 q0 + c1 q1 = constant: the joint with the factor one, the second before the first, follows the other
static void write_mimic(urdfJob *job, int velocity)
{
  const artModel *m = job->m;
  for (int i = 0; i < m->own_relations; i++) {
    const modelRelation *r = &m->relation[i];
    const int follower = r->coefficient[1] == 1 || r->coefficient[0] != 1;
    if (r->velocity[follower] != velocity) continue;
    const char *leader = art_velocity_name(m, r->velocity[!follower]);
    format_stream(job->out, "    <mimic joint=\"%.*s\" multiplier=\"%.17g\" offset=\"%.17g\"/>\n",
                  (int) strcspn(leader, "."), leader,
                  -r->coefficient[!follower] / r->coefficient[follower],
                  r->constant / r->coefficient[follower]);
  }
}


static void write_rotor(urdfJob *job, const artJointPart *joint, int velocity)
{
  const treeModel *t = &job->m->tree;
  const treeLink *link = velocity < 0 ? NULL : &t->link[t->dof_link[velocity]];
  if (!link || !link->has_rotor) return;
  fprintf(job->out, "  ");
  write_urdf_name(job, "transmission", joint->name);
  fprintf(job->out, "><type>transmission_interface/SimpleTransmission</type>");
  write_urdf_name(job, "joint", joint->name);
  fprintf(job->out, "/>");
  write_urdf_name(job, "actuator", joint->name);
  format_stream(job->out,
                "><drake:rotor_inertia value=\"%.17g\"/><drake:gear_ratio "
                "value=\"1\"/></actuator></transmission>\n",
                link->rotor);
}


static const char *urdf_joint_type(const artJointPart *joint, bool has_limits)
{
  switch (joint->type) {
  case ART_REVOLUTE: return has_limits ? "revolute" : "continuous";
  case ART_PRISMATIC: return "prismatic";
  case ART_PLANAR: return "planar";
  case ART_FREE: return "floating";
  default: return "fixed";
  }
}


// the frame of the child, at zero, in that of the parent
static modelPose joint_origin(const urdfJob *job, const artJointPart *joint)
{
  const modelPose at =
      pose_compose(pose_of_part(&joint->end[0]), pose_inverse(pose_of_part(&joint->end[1])));
  return pose_compose(pose_inverse(job->link[joint->body[0]]),
                      pose_compose(at, job->link[joint->body[1]]));
}


static void write_urdf_joint(urdfJob *job, const artJointPart *joint)
{
  double limit[2] = {-HUGE_VAL, HUGE_VAL};
  // the first velocity of a joint, or -1
  const artModel *m = job->m;
  char name[300];
  snprintf(name, sizeof name, "%s.rate", joint->name);
  const int velocity = art_find_velocity(m, name);
  const bool has_limits = velocity >= 0 && joint_jog_find_limits(job->m, velocity, limit);
  const bool is_one = joint->type == ART_REVOLUTE || joint->type == ART_PRISMATIC;
  const v3 z = joint->type == ART_PLANAR ? v3_make(0, 0, 1) : pose_of_part(&joint->end[1]).R.z;
  fprintf(job->out, "  ");
  write_urdf_name(job, "joint", joint->name);
  fprintf(job->out, " type=\"%s\">\n    ", urdf_joint_type(joint, has_limits));
  write_urdf_origin(job, joint_origin(job, joint));
  fprintf(job->out, "<parent link=\"%s\"/><child link=\"%s\"/>",
          urdf_link_name(job->m, joint->body[0]), urdf_link_name(job->m, joint->body[1]));
  if (is_one || joint->type == ART_PLANAR)
    format_stream(job->out, "<axis xyz=\"%.17g %.17g %.17g\"/>", z.x, z.y, z.z);
  fprintf(job->out, "\n");
  if (has_limits || joint->type == ART_PRISMATIC) {
    // a range without ends is one that no machine reaches
    const double far = joint->type == ART_PRISMATIC ? 1000 : 1e6;
    format_stream(
        job->out,
        "    <limit lower=\"%.17g\" upper=\"%.17g\" effort=\"%.17g\" velocity=\"1e6\"/>\n",
        isfinite(limit[0]) ? limit[0] : -far, isfinite(limit[1]) ? limit[1] : far,
        find_effort(job->m, joint));
  }
  if (is_one) {
    double sum = 0;
    for (int i = 0; i < job->m->nelement; i++) {
      const modelElement *e = &job->m->element[i];
      if (e->nterm == 1 && e->term[0].c == 1 && e->term[0].velocity == velocity)
        sum += damping_of(e);
    }
    if (sum > 0) format_stream(job->out, "    <dynamics damping=\"%.17g\"/>\n", sum);
  }
  if (is_one) write_mimic(job, velocity);
  fprintf(job->out, "  </joint>\n");
  write_rotor(job, joint, velocity);
}


//---- the file ------------------------------------------------------------------------------------

static void write_urdf_robot(urdfJob *job)
{
  artJointPart joint;
  const char *title = art_title(job->m);
  for (int i = 0; art_get_joint(job->m, i, &joint); i++) {
    // the frame of a link: in the origin of its joint, with the axes of its body
    modelPose frame = pose_of_part(&joint.end[1]);
    if (joint.type != ART_PLANAR) frame.R = m3_identity();
    job->link[joint.body[1]] = frame;
  }
  fprintf(job->out, "<?xml version=\"1.0\"?>\n");
  write_urdf_name(job, "robot", title[0] ? title : "machine");
  fprintf(job->out, " xmlns:drake=\"http://drake.mit.edu\">\n");
  artBodyPart body;
  for (int i = 0; art_get_body(job->m, i, &body); i++) {
    fprintf(job->out, "  ");
    write_urdf_name(job, "link", urdf_link_name(job->m, i));
    fprintf(job->out, ">\n");
    if (i > 0) write_inertial(job, &body, job->link[i]);
    if (i > 0) write_visuals(job, i, job->link[i]);
    fprintf(job->out, "  </link>\n");
  }
  for (int i = 0; art_get_joint(job->m, i, &joint); i++) write_urdf_joint(job, &joint);
  fprintf(job->out, "</robot>\n");
}


// the list of parts that are left out, which is in memory until the file is written
static void report_urdf_notes(const urdfJob *job)
{
  if (job->call->quiet) return;
  cliReport report = report_begin(job->call);
  report_fields(&report, "urdf: %s", "%s\n", job->call->urdf);
  json_array(&report, "left_out");
  for (char *line = job->text; line && *line;) {
    const size_t n = strcspn(line, "\n");
    const char *next = line[n] ? line + n + 1 : line + n;
    line[n] = '\0';
    report_item(&report, NULL, "note: %s", "  left out: %s\n", line);
    line = (char *) next;
  }
  json_end(&report);
  report_end(&report);
}


static void free_urdf_notes(void *kept)
{
  urdfJob *job = kept;
  if (job->notes) fclose(job->notes);
  free(job->text);
}


void export_urdf(cliWork *w)
{
  urdfJob *job = arena_alloc(&w->arena, 1, sizeof *job);
  const artModel *m = w->model;
  artJointPart joint;
  for (int i = 0; art_get_joint(m, i, &joint); i++) {
    if (joint.closes_loop)
      error_refuse(m->joint[i].place, "joint '%.80s' closes a loop; URDF describes trees",
                   joint.name);
    if (!is_urdf_joint_type(joint.type))
      error_refuse(m->joint[i].place, "joint '%.80s' is of type %s, which URDF does not have",
                   joint.name, art_joint_type_name(joint.type));
  }
  for (int i = 0; i < m->own_relations; i++) {
    if (is_mimic(&m->relation[i])) continue;
    error_refuse(m->relation[i].place, "coupling '%.80s' is no <mimic> of one joint by another",
                 m->relation[i].name);
  }
  job->call = w->call;
  job->m = w->model;
  int bodies = 1;
  artBodyPart body;
  while (art_get_body(job->m, bodies, &body)) bodies++;
  ARENA_TAKE(&w->arena, job->link, bodies);
  cli_defer(w, free_urdf_notes, job);
  job->notes = open_memstream(&job->text, &job->length);
  if (!job->notes) error_throw();
  job->link[0] = pose_identity();
  note_urdf_losses(job);
  baseFile file;
  error_check(file_begin(&file, job->call->urdf, error_current()));
  job->out = file.stream;
  write_urdf_robot(job);
  if (job->nnote > 0 && job->call->strict) {
    file_abandon(&file);
    cli_leave("%d things have no place in URDF", job->nnote);
  }
  error_check(file_commit(&file, error_current()));
  FILE *notes = job->notes;
  job->notes = NULL;
  if (!file_close_text(notes, &job->text)) error_throw();
  report_urdf_notes(job);
}
