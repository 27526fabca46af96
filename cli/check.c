// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula check: validate a model and say what is in it.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "command.h"
#include "coordinates.h"
#include "loops.h"
#include "model/model.h"
#include "show/json.h"
#include "study/study.h"


//---- words ---------------------------------------------------------------------------------------

// what an element acts on, name by name; NULL after the last
static const char *element_target(const artModel *m, const modelElement *e, int which)
{
  if (which < e->nframe) return m->frame[e->frame[which]].name;
  return which < e->nterm ? m->position[e->term[which].position].name : NULL;
}


// does it add to energy.potential?
static bool has_potential(const modelElement *e)
{
  if (e->spring || model_has_stop(e) || e->pair) return true;
  return e->has_potential && (e->formula[0] || e->callback.apply);
}


// "angle" of "front/pin.angle"
static const char *short_name(const char *name)
{
  const char *dot = strrchr(name, '.');
  return dot ? dot + 1 : name;
}


//---- joints of one degree of freedom -------------------------------------------------------------

// the machine as chains of one-dof joints have it: a body behind each of them, without mass but at
// the end of a joint's chain
typedef struct chainCounts {
  int bodies, massless; // those without ground, and how many of them have no mass
  int rods;
  int joints, cuts; // rods left out, and how many of them are cut
} chainCounts;

// does the body have mass, by itself or by those that are fixed to it?
static bool has_mass(const artModel *m, int body)
{
  if (m->body[body].mass > 0) return true;
  for (int i = 1; i < m->nbody; i++) {
    int at = m->body[i].mass > 0 ? i : 0;
    while (at != body && at > 0 && m->joint[m->body[at].joint].type == ART_FIXED) {
      const modelJoint *joint = &m->joint[m->body[at].joint];
      at = joint->is_reversed ? joint->to : joint->from;
    }
    if (at == body) return true;
  }
  return false;
}


static chainCounts count_chains(const artModel *m)
{
  chainCounts n = {.bodies = m->tree.nv, .joints = m->tree.nv};
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    n.rods += joint->type == ART_ROD;
    n.cuts += model_closes_loop(joint) && joint->type != ART_ROD;
    if (joint->is_cut || joint->nv == 0) continue;
    n.massless += joint->nv - 1;
    n.massless += joint->twin > 0 || !has_mass(m, joint->is_reversed ? joint->from : joint->to);
  }
  n.joints += n.cuts;
  return n;
}


//---- for people ----------------------------------------------------------------------------------

static void print_title(const char *title)
{
  printf("\n%s%s%s\n", cli_bold(stdout), title, cli_plain(stdout));
}


static void print_bodies(const artModel *m, const artData *d)
{
  double c[3];
  int unplaced = 0;
  print_title("bodies");
  for (int i = 1; i < m->nbody; i++) {
    printf("  %-24s %.6g kg\n", m->body[i].name, m->body[i].mass);
    if (m->body[i].bar_note) printf("    a bar, but no rod: %s\n", m->body[i].bar_note);
    if (!m->body[i].is_as_ground) continue;
    printf("    stands at the origin of ground: its joint has 'at' and it has no position\n");
    unplaced++;
  }
  for (int i = 0; i < m->nrod; i++) {
    const modelCut *cut = &m->cut[m->rod[i]];
    printf("  %-24s %.6g kg, a rod\n", m->joint[cut->joint].name, cut->mass);
  }
  printf("  %d bod%s", m->nbody - 1, m->nbody == 2 ? "y" : "ies");
  if (m->nrod > 0) printf(" and %d rod%s with mass", m->nrod, m->nrod == 1 ? "" : "s");
  printf(", %.6g kg in all", cli_mass(m));
  cli_mass_centre(m, d, c);
  if (cli_mass(m) > 0) printf(", centre of mass at (%.6g, %.6g, %.6g) m", c[0], c[1], c[2]);
  if (d->time != 0) printf(" at %.6g s", d->time);
  putchar('\n');
  if (unplaced == 0) return;
  printf("  com and points of bodies without a position are in ground's axes; position: [0, 0, 0] "
         "says "
         "that this is meant\n");
}


static void print_joint(const artModel *m, const modelJoint *joint)
{
  const char *from = m->body[joint->from].name, *to = m->body[joint->to].name;
  const int room = 30 - 4 - (int) strlen(from);
  printf("  %-24s %-12s %s -> %-*s", joint->name, art_joint_type_name(joint->type), from,
         room > 0 ? room : 0, to);
  if (model_closes_loop(joint)) printf(" closes a loop");
  for (int k = joint->q0; k < joint->q0 + joint->nq && !joint->is_cut; k++) {
    printf(" %s", short_name(m->position[k].name));
  }
  if (joint->angle_off > 0) printf("; aligned, was off by %.2g rad", joint->angle_off);
  if (joint->place_off > 0) printf("; put into its plane, was off by %.2g m", joint->place_off);
  putchar('\n');
}


static void print_freedom(const artModel *m, const artData *d, const cliLoops *loops)
{
  print_title("degrees of freedom");
  const int freedom = loops_freedom(loops);
  if (freedom >= 0) {
    printf("  %d", freedom);
  } else {
    printf("  not known, for the loops do not close");
  }
  if (m->ndrive > 0 || m->nrow > 0) printf(": %d velocities", m->tree.nv);
  if (m->ndrive > 0) printf(", %d driven", m->ndrive);
  if (m->nrow > 0 && freedom >= 0) printf(", %d bound by closed loops", loops->assembly.rank);
  if (m->tree.nq != m->tree.nv) {
    printf("%s %d position coordinates, for quaternions have four",
           m->ndrive > 0 || m->nrow > 0 ? ";" : ":", m->tree.nq);
  }
  putchar('\n');
  const chainCounts n = count_chains(m);
  printf("  in joints of one degree of freedom: %d bodies, %d of them without mass, %d rods, %d "
         "joints, %d of them cut\n",
         n.bodies, n.massless, n.rods, n.joints, n.cuts);

  print_title("loops");
  loops_print(loops, m, d);
}


static void print_forces(const artModel *m)
{
  if (m->nelement > 0) print_title("forces");
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    printf("  %-24s %-15s ", e->name, e->type->form.type);
    for (int k = 0; element_target(m, e, k); k++) {
      printf("%s%s", k ? e->nterm ? ", " : " - " : "", element_target(m, e, k));
    }
    printf("\n");
  }
  if (m->ndrive > 0) print_title("drives");
  for (int i = 0; i < m->ndrive; i++) {
    const modelDrive *drive = &m->drive[i];
    printf("  %-24s %s, by a %s\n", drive->name, m->position[drive->position].name,
           drive->formula ? "formula" : "table");
  }
}


// what the user supplies
static void print_functions(const artModel *m)
{
  if (m->nfunction > 0) print_title("functions");
  for (int i = 0; i < m->nfunction; i++) {
    const modelFunction *f = &m->function[i];
    printf("  %-24s %d inputs, %d parameters, %d results, for %s '%s'%s%s\n", f->name, f->ninput,
           f->nparameter, f->n, f->what, f->user, f->nuse > 1 ? " and others" : "",
           f->code ? "" : "; its library is not named (--functions)");
  }
}


static const char *latch_type(const modelLatch *latch)
{
  return latch->type == ART_LATCH ? art_joint_type_name(latch->cut.type)
                                  : art_latch_type_name(latch->type);
}


static void print_latches(const artModel *m)
{
  if (m->nlatch > 0) print_title("latches");
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *latch = &m->latch[i];
    const modelRelation *r = &latch->relation;
    printf("  %-24s %-12s ", latch->name, latch_type(latch));
    for (int k = 0; k < r->n; k++) printf("%s%s", k ? ", " : "", m->position[r->position[k]].name);
    if (latch->type != ART_LOCK) {
      printf("%s -> %s", m->frame[latch->frame[0]].name, m->frame[latch->frame[1]].name);
    }
    printf("%s\n", latch->is_engaged ? ", engaged at the start" : "");
  }
}


static void print_study(const artStudyDef *s)
{
  printf("  %-24s %s", s->name, art_study_type_name(s->type));
  if (s->type == ART_RUN) {
    const bool is_natural = art_method_is_natural(s->method);
    printf("%s%s, %s", is_natural ? "" : ", ", is_natural ? "" : art_integrator_name(s->integrator),
           art_method_name(s->method));
  }
  if (s->type == ART_RUN || s->type == ART_INVERSE) {
    printf(", from %.6g to %.6g s", s->from, s->until);
  }
  if (s->type == ART_LINEAR && s->at_equilibrium) printf(", at the equilibrium");
  putchar('\n');
}


static void print_model(const cliCall *call, const artModel *m, const artData *d,
                        const cliLoops *loops, const cliCoordinates *natural)
{
  cli_print_title(call, m->title);
  putchar('\n');
  printf("  %s, fingerprint %016llx\n", call->file, art_model_hash(m));
  print_bodies(m, d);
  print_title("joints");
  for (int j = 0; j < m->njoint; j++) print_joint(m, &m->joint[j]);
  print_freedom(m, d, loops);
  print_title("natural coordinates");
  printf("  ");
  coordinates_print(natural);
  print_forces(m);
  print_functions(m);
  print_latches(m);
  print_title("outputs");
  for (int k = 0; k < m->noutput; k++) printf("  %s [%s]\n", m->output[k].name, m->output[k].unit);
  if (m->nstudy > 0) print_title("studies");
  for (int i = 0; i < m->nstudy; i++) print_study(&m->study[i].def);
}


//---- for programs --------------------------------------------------------------------------------

static void write_joint(ioJson *json, const artModel *m, const modelJoint *joint)
{
  json_object(json, NULL);
  json_fields(json, "name: %s, type: %s, from: %s, to: %s, closes_loop: %i", joint->name,
              art_joint_type_name(joint->type), m->body[joint->from].name, m->body[joint->to].name,
              model_closes_loop(joint));
  if (joint->angle_off > 0) json_number(json, "angle_off", joint->angle_off);
  if (joint->place_off > 0) json_number(json, "place_off", joint->place_off);
  json_list(json, "positions");
  for (int k = joint->q0; k < joint->q0 + joint->nq && !joint->is_cut; k++) {
    json_text(json, NULL, m->position[k].name);
  }
  json_end(json);
  json_list(json, "velocities");
  for (int k = joint->v0; k < joint->v0 + joint->nv && !joint->is_cut; k++) {
    json_text(json, NULL, m->velocity[k].name);
  }
  json_end(json);
  json_end(json);
}


static void write_functions(ioJson *json, const artModel *m)
{
  json_array(json, "functions");
  for (int i = 0; i < m->nfunction; i++) {
    const modelFunction *f = &m->function[i];
    json_item(json, NULL,
              "name: %s, for: %s, inputs: %d, parameters: %d, results: %d, has_code: %i", f->name,
              f->user, f->ninput, f->nparameter, f->n, f->code != NULL);
  }
  json_end(json);
}


static void write_forces(ioJson *json, const artModel *m)
{
  json_array(json, "forces");
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    json_object(json, NULL);
    json_fields(json, "name: %s, type: %s", e->name, e->type->form.type);
    json_list(json, "on");
    for (int k = 0; element_target(m, e, k); k++) json_text(json, NULL, element_target(m, e, k));
    json_end(json);
    json_fields(json, "has_potential: %i, does_work: %i", has_potential(e), !e->has_potential);
    json_end(json);
  }
  json_end(json);

  json_array(json, "drives");
  for (int i = 0; i < m->ndrive; i++) {
    json_item(json, NULL, "name: %s, coordinate: %s", m->drive[i].name,
              m->position[m->drive[i].position].name);
  }
  json_end(json);
}


static void write_latches(ioJson *json, const artModel *m)
{
  if (m->nlatch == 0) return;
  json_array(json, "latches");
  for (int i = 0; i < m->nlatch; i++) {
    json_item(json, NULL, "name: %s, type: %s, engaged: %i", m->latch[i].name,
              latch_type(&m->latch[i]), m->latch[i].is_engaged);
  }
  json_end(json);
}


static void write_chains(ioJson *json, const artModel *m)
{
  const chainCounts n = count_chains(m);
  json_item(json, "one_dof_joints",
            "bodies: %d, massless: %d, rods: %d, joints: %d, cuts: %d, driven: %d", n.bodies,
            n.massless, n.rods, n.joints, n.cuts, m->ndrive);
}


static void write_outputs(ioJson *json, const artModel *m)
{
  json_array(json, "outputs");
  for (int k = 0; k < m->noutput; k++) {
    json_item(json, NULL, "name: %s, unit: %s", m->output[k].name, m->output[k].unit);
  }
  json_end(json);

  json_array(json, "studies");
  for (int i = 0; i < m->nstudy; i++) {
    const artStudyDef *s = &m->study[i].def;
    json_item(json, NULL, "name: %s, type: %s", s->name, art_study_type_name(s->type));
  }
  json_end(json);
}


static void write_model(const cliCall *call, const artModel *m, const artData *d,
                        const cliLoops *loops, const cliCoordinates *natural)
{
  char hash[20];
  ioJson json = {.file = stdout};
  snprintf(hash, sizeof hash, "%016llx", art_model_hash(m));
  json_object(&json, NULL);
  json_fields(&json, "file: %s, title: %s, hash: %s, mass: %g, time: %g", call->file, m->title,
              hash, cli_mass(m), d->time);
  double centre[3];
  cli_mass_centre(m, d, centre);
  json_numbers(&json, "centre_of_mass", 3, centre);
  const int freedom = loops_freedom(loops);
  json_number(&json, "degrees_of_freedom", freedom >= 0 ? (double) freedom : (double) NAN);
  write_chains(&json, m);
  json_integer(&json, "loops", m->ncut);
  loops_write(loops, m, d, &json);
  coordinates_write(natural, &json);
  json_array(&json, "bodies");
  for (int i = 1; i < m->nbody; i++) {
    json_object(&json, NULL);
    json_fields(&json, "name: %s, mass: %g", m->body[i].name, m->body[i].mass);
    if (m->body[i].bar_note) json_text(&json, "no_rod", m->body[i].bar_note);
    if (m->body[i].is_as_ground) json_bool(&json, "stands_at_origin", true);
    json_end(&json);
  }
  json_end(&json);
  json_array(&json, "rods");
  for (int c = 0; c < m->ncut; c++) {
    if (m->joint[m->cut[c].joint].type != ART_ROD) continue;
    json_item(&json, NULL, "name: %s, mass: %g, length: %g", m->joint[m->cut[c].joint].name,
              m->cut[c].mass, m->cut[c].length);
  }
  json_end(&json);
  json_array(&json, "joints");
  for (int j = 0; j < m->njoint; j++) write_joint(&json, m, &m->joint[j]);
  json_end(&json);
  write_forces(&json, m);
  write_functions(&json, m);
  write_latches(&json, m);
  write_outputs(&json, m);
  json_end(&json);
}


// drives that its studies would refuse
static artStatus look_at_drives(const artModel *model, artData *data, artError *error)
{
  artStatus status = ART_OK;
  for (int i = 0; i < model->nstudy && !status; i++) {
    const artStudyDef *s = &model->study[i].def;
    if (s->type != ART_RUN && s->type != ART_INVERSE) continue;
    status = study_look_at_motion(model, data, s, s->from, s->until, NULL, NULL, error);
  }
  art_update(model, data);
  return status;
}


artStatus verb_check(cliWork *w, artError *error)
{
  cliLoops loops;
  cliCoordinates natural;
  const artStatus status = look_at_drives(w->model, w->data, error);
  if (status) return status;
  if (!loops_examine(&loops, w->model, w->data)) return (*error = loops.error).status;
  if (!coordinates_examine(&natural, w->model, w->data, error)) return error->status;
  if (w->call->json) write_model(w->call, w->model, w->data, &loops, &natural);
  if (!w->call->json) print_model(w->call, w->model, w->data, &loops, &natural);
  w->exit = loops.status ? CLI_WRONG : CLI_DONE;
  return ART_OK;
}
