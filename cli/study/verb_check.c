// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula check: validate a model and say what is in it.
#include <float.h>
#include <math.h>
#include <string.h>

#include "force/port_forces.h"
#include "loops.h"
#include "model/model.h"
#include "notes.h"
#include "study/study.h"
#include "verb_generate.h"

typedef struct checkJob {
  const cliCall *call;
  const artModel *m;
  const artData *d;
  cliLoops loops;
  cliCoordinates natural;
  artData *start; // with forces at the initial state, closed; NULL: they cannot be found
} checkJob;

// a part of the report; those that programs read in another order are in two lists
typedef void checkPart(cliReport *report, const checkJob *job);


//---- head ----------------------------------------------------------------------------------------

static void report_check_head(cliReport *report, const checkJob *job)
{
  const artModel *m = job->m;
  double centre[3];
  char hash[20];
  snprintf(hash, sizeof hash, "%016llx", art_model_hash(m));
  cli_mass_centre(m, job->d, centre);
  if (report_is_text(report)) cli_print_title(job->call, m->title);
  say(report, "\n  %s, fingerprint %s\n", job->call->file, hash);
  json_fields(report, "file: %s, title: %s, hash: %s, mass: %g, time: %g", job->call->file,
              m->title, hash, m->mass, job->d->time);
  json_numbers(report, "centre_of_mass", 3, centre);
}


static void report_notes(cliReport *report, const checkJob *job)
{
  warnings_tell(report, job->m);
  notes_report(report, job->m);
}


//---- bodies and joints ---------------------------------------------------------------------------

// centre of mass and inertia of the solids
static void report_solids(cliReport *report, const modelBody *body)
{
  const double *c = body->com, *I = body->inertia;
  json_fields(report, "solids: %d", body->nsolid);
  json_numbers(report, "com", 3, c);
  json_numbers(report, "inertia", 6, I);
  say(report, "    of %d solid%s, com (%.6g, %.6g, %.6g) m\n", body->nsolid, plural_s(body->nsolid),
      c[0], c[1], c[2]);
  say(report, "    inertia %.6g %.6g %.6g %.6g %.6g %.6g kg m^2\n", I[0], I[1], I[2], I[3], I[4],
      I[5]);
  if (body->nturned == 0) return;
  report_fields(report, "turned: %d", "    %d mesh inside out, turned\n", body->nturned);
}


// a list under a key, and under a title where there is something in it
static void begin_list(cliReport *report, const char *title, const char *key, int n)
{
  if (n > 0) say_title(report, title);
  json_array(report, key);
}


static void report_checked_bodies(cliReport *report, const checkJob *job)
{
  const artModel *m = job->m;
  say_title(report, "bodies");
  json_array(report, "bodies");
  for (int i = 1; i < m->nbody; i++) {
    const modelBody *body = &m->body[i];
    json_object(report, NULL);
    report_fields(report, "name: %s, mass: %g", "  %-24s %.6g kg\n", body->name, body->mass);
    if (body->nsolid > 0) report_solids(report, body);
    if (body->bar_note)
      report_fields(report, "no_rod: %s", "    a bar, but no rod: %s\n", body->bar_note);
    if (body->is_as_ground) json_bool(report, "stands_at_origin", true);
    json_end(report);
  }
  json_end(report);
  json_array(report, "rods");
  for (int c = 0; c < m->ncut; c++) {
    const modelCut *cut = &m->cut[c];
    const char *name = m->joint[cut->joint].name;
    if (!joint_is_rod(m->joint[cut->joint].type)) continue;
    json_item(report, NULL, "name: %s, mass: %g, length: %g", name, cut->mass, cut->length);
  }
  json_end(report);
  for (int i = 0; i < m->nrod; i++) {
    const modelCut *cut = &m->cut[m->rod[i]];
    say(report, "  %-24s %.6g kg, a rod\n", m->joint[cut->joint].name, cut->mass);
  }
  say(report, "  %d bod%s", m->nbody - 1, m->nbody == 2 ? "y" : "ies");
  if (m->nrod > 0) say(report, " and %d rod%s with mass", m->nrod, plural_s(m->nrod));
  say(report, ", %.6g kg in all", m->mass);
  double c[3];
  cli_mass_centre(m, job->d, c);
  if (m->mass > 0) say(report, ", centre of mass at (%.6g, %.6g, %.6g) m", c[0], c[1], c[2]);
  if (job->d->time != 0) say(report, " at %.6g s", job->d->time);
  say(report, "\n");
}


static void report_joint(cliReport *report, const artModel *m, const modelJoint *joint)
{
  const char *type = art_joint_type_name(joint->type);
  const char *from = m->body[joint->from].name, *to = m->body[joint->to].name;
  const int room = 30 - 4 - (int) strlen(from);
  json_object(report, NULL);
  json_fields(report, "name: %s, type: %s, from: %s, to: %s, closes_loop: %i", joint->name, type,
              from, to, model_closes_loop(joint));
  say(report, "  %-24s %-12s %s -> %-*s", joint->name, type, from, room > 0 ? room : 0, to);
  if (model_closes_loop(joint)) say(report, " closes a loop");
  for (int k = joint->q0; k < joint->q0 + joint->nq && !joint->is_cut; k++) {
    // "angle" of "front/pin.angle"
    const char *name = m->position[k].name, *dot = strrchr(name, '.');
    say(report, " %s", dot ? dot + 1 : name);
  }
  if (joint->angle_off > 0) {
    report_fields(report, "angle_off: %g", "; aligned, was off by %.2g rad", joint->angle_off);
  }
  if (joint->place_off > 0) {
    report_fields(report, "place_off: %g", "; put into its plane, was off by %.2g m",
                  joint->place_off);
  }
  say(report, "\n");
  json_list(report, "positions");
  for (int k = joint->q0; k < joint->q0 + joint->nq && !joint->is_cut; k++) {
    json_text(report, NULL, m->position[k].name);
  }
  json_end(report);
  json_list(report, "velocities");
  for (int k = joint->v0; k < joint->v0 + joint->nv && !joint->is_cut; k++) {
    json_text(report, NULL, m->velocity[k].name);
  }
  json_end(report);
  json_end(report);
}


static void report_joints(cliReport *report, const checkJob *job)
{
  say_title(report, "joints");
  json_array(report, "joints");
  for (int j = 0; j < job->m->njoint; j++) report_joint(report, job->m, &job->m->joint[j]);
  json_end(report);
}


//---- degrees of freedom --------------------------------------------------------------------------

// does the body have mass, by itself or by those that are fixed to it?
static bool has_mass(const artModel *m, int body)
{
  ART_ASSERT(body >= 0 && body < m->nbody);
  if (m->body[body].mass > 0) return true;
  for (int i = 1; i < m->nbody; i++) {
    int at = m->body[i].mass > 0 ? i : 0;
    while (at != body && at > 0 && joint_is_rigid(m->joint[m->body[at].joint].type)) {
      const modelJoint *joint = &m->joint[m->body[at].joint];
      at = joint->is_reversed ? joint->to : joint->from;
    }
    if (at == body) return true;
  }
  return false;
}


// The machine as chains of one-dof joints have it: a body behind each of them, without mass but at the end of a joint's
// chain. Rods are counted apart.
static void report_chains(cliReport *report, const artModel *m)
{
  int massless = 0, rods = 0, cuts = 0;
  for (int j = 0; j < m->njoint; j++) {
    const modelJoint *joint = &m->joint[j];
    rods += joint_is_rod(joint->type);
    cuts += model_closes_loop(joint) && !joint_is_rod(joint->type);
    if (joint->is_cut || joint->nv == 0) continue;
    massless += joint->nv - 1;
    massless += joint->twin > 0 || !has_mass(m, joint->is_reversed ? joint->from : joint->to);
  }
  json_object(report, "one_dof_joints");
  report_fields(
      report, "bodies: %d, massless: %d, rods: %d, joints: %d, cuts: %d",
      "  in joints of one degree of freedom: %d bodies, %d of them without mass, %d rods, %d "
      "joints, %d of them cut\n",
      m->tree.nv, massless, rods, m->tree.nv + cuts, cuts);
  json_integer(report, "driven", m->ndrive);
  json_end(report);
}


static void report_freedom(cliReport *report, const checkJob *job)
{
  const artModel *m = job->m;
  const int freedom = loops_freedom(&job->loops);
  const bool is_bound = m->ndrive > 0 || m->nrow > 0;
  say_title(report, "degrees of freedom");
  json_number(report, "degrees_of_freedom", freedom >= 0 ? (double) freedom : (double) NAN);
  if (freedom >= 0) say(report, "  %d", freedom);
  if (freedom < 0) say(report, "  not known, for the loops do not close");
  if (is_bound) say(report, ": %d velocities", m->tree.nv);
  if (m->ndrive > 0) say(report, ", %d driven", m->ndrive);
  if (m->nrow > 0 && freedom >= 0) {
    say(report, ", %d bound by closed loops", job->loops.assembly.rank);
  }
  if (m->nroll > 0 && freedom >= 0) {
    json_integer(report, "independent_velocities", job->loops.assembly.speeds);
    say(report, ", %d more by rolling", freedom - job->loops.assembly.speeds);
  }
  if (m->tree.nq != m->tree.nv) {
    say(report, "%s %d position coordinates, for quaternions have four", is_bound ? ";" : ":",
        m->tree.nq);
  }
  say(report, "\n");
  const bool is_verbose = job->call->verbose;
  if (is_verbose || !report_is_text(report)) report_chains(report, m);
  say_title(report, "loops");
  json_integer(report, "loops", m->ncut);
  loops_report(report, &job->loops, m, job->d, is_verbose);
  if (!is_verbose && report_is_text(report)) return;
  say_title(report, "natural coordinates");
  say(report, "  ");
  coordinates_report(report, &job->natural);
}


//---- inputs, states, signals ---------------------------------------------------------------------

// a limit in words; there may be none
static void report_limits(cliReport *report, double least, double largest)
{
  if (least <= -DBL_MAX && largest >= DBL_MAX) return;
  say(report, ", from %.6g to %.6g", least, largest);
  json_list(report, "limits");
  json_number(report, NULL, least);
  json_number(report, NULL, largest);
  json_end(report);
}


static void report_checked_parameters(cliReport *report, const checkJob *job)
{
  const artModel *m = job->m;
  begin_list(report, "parameters", "parameters", m->nparameter);
  for (int i = 0; i < m->nparameter; i++) {
    const parameterRecord *p = &m->parameter[i];
    const bool is_design = art_parameter_is_design(m, i, NULL);
    json_object(report, NULL);
    report_fields(report, "name: %s, unit: %s, value: %g", "  %-24s [%s] %.6g", p->name, p->unit,
                  p->value);
    json_fields(report, "is_formula: %i, is_design: %i", p->formula != NULL, is_design);
    if (p->has_limits) report_limits(report, p->limits[0], p->limits[1]);
    if (is_design) say(report, ", to be chosen");
    if (p->help[0]) report_fields(report, "help: %s", "; %s", p->help);
    say(report, "\n");
    json_end(report);
  }
  json_end(report);
}


enum { LONGEST_FORMULA = 80 };


// Formulas as the file has them; those that forces and blocks have written are for verbose reports.
static void say_signal_formula(cliReport *report, const checkJob *job, const char *name,
                               const char *before, const char *text)
{
  const char *dot = strrchr(name, '.');
  const bool is_own = !strstr(text, "'/") && strlen(text) <= LONGEST_FORMULA;
  if (job->call->verbose || is_own) {
    say(report, "%s%s", before, text);
  } else if (dot) {
    say(report, ", of '%.*s'", (int) (dot - name), name);
  }
}


static void report_signals(cliReport *report, const checkJob *job)
{
  const artModel *m = job->m;
  if (m->ninput > 0) say_title(report, "inputs");
  if (m->ninput > 0) json_array(report, "inputs");
  for (int i = 0; i < m->ninput; i++) {
    const modelHeld *input = &m->held[i];
    json_object(report, NULL);
    report_fields(report, "name: %s, unit: %s, default: %g", "  %-24s [%s] %.6g", input->name,
                  input->unit, input->initial);
    report_limits(report, input->least, input->largest);
    if (input->every > 0) report_fields(report, "every: %g", ", every %.6g s", input->every);
    if (input->hold == ART_HOLD_FIRST) {
      json_text(report, "hold", "first");
      say(report, ", on straight lines between its values");
    }
    say(report, "\n");
    json_end(report);
  }
  if (m->ninput > 0) json_end(report);

  if (m->nstate > 0) say_title(report, "states");
  if (m->nstate > 0) json_array(report, "states");
  for (int i = 0; i < m->nstate; i++) {
    const modelState *state = &m->state[i];
    json_object(report, NULL);
    report_fields(report, "name: %s, unit: %s, initial: %g", "  %-24s [%s] %.6g", state->name,
                  state->unit, state->initial);
    if (state->rate.text) {
      json_text(report, "rate", state->rate.text);
      say_signal_formula(report, job, state->name, ", rate ", state->rate.text);
    }
    say(report, "\n");
    json_end(report);
  }
  if (m->nstate > 0) json_end(report);

  if (m->nsignal > 0) say_title(report, "blocks");
  if (m->nsignal > 0) json_array(report, "blocks");
  for (int i = 0; i < m->nsignal; i++) {
    const modelSignal *signal = &m->signal[i];
    json_item(report, NULL, "name: %s, unit: %s, value: %s", signal->name, signal->unit,
              signal->value.text);
    say(report, "  %-24s [%s]", signal->name, signal->unit);
    say_signal_formula(report, job, signal->name, " ", signal->value.text);
    say(report, "\n");
  }
  if (m->nsignal > 0) json_end(report);

  if (m->nsampler > 0) say_title(report, "sampled blocks");
  if (m->nsampler > 0) json_array(report, "samplers");
  for (int i = m->ninput; i < m->nheld; i++) {
    const modelHeld *held = &m->held[i];
    json_object(report, NULL);
    report_fields(report, "name: %s, unit: %s, every: %g, offset: %g",
                  "  %-24s [%s] every %.6g s from %.6g s on", held->name, held->unit, held->every,
                  held->offset);
    json_text(report, "value", held->next.text);
    say_signal_formula(report, job, held->name, ", ", held->next.text);
    say(report, "\n");
    json_end(report);
  }
  if (m->nsampler > 0) json_end(report);
}


//---- forces --------------------------------------------------------------------------------------

// the k-th of what an element acts on; NULL after the last
static const char *element_target(const artModel *m, const modelElement *e, int k)
{
  if (k < e->nframe) return m->frame[e->frame[k]].name;
  return k < e->nterm ? m->position[e->term[k].position].name : NULL;
}


// Length and tension of a line between points at the start, value and force of a spring along a coordinate. A coordinate is
// the sum that the spring acts along.
static void report_start_of_force(cliReport *report, const checkJob *job, const modelElement *e)
{
  const elementPhysics *physics = port_physics(e);
  const bool is_line = physics && physics->port == PORT_LINE;
  if (!job->start || (!is_line && !(e->nterm > 0 && e->spring))) return;
  portState port;
  const artData *d = job->start;
  force_move_port(job->m, d, e, &port);
  const double length = port.in.x[0], force = d->work->value[e->value0];
  const bool slides = is_line || job->m->velocity[e->term[0].velocity].dimension.m == 1;
  json_object(report, "start");
  json_fields(report, is_line ? "length: %g, force: %g" : "value: %g, force: %g", length, force);
  json_end(report);
  say(report, "\n    at the start %s%.6g %s", is_line ? "" : "at ", length,
      is_line  ? "m long"
      : slides ? "m"
               : "rad");
  if (e->spring && (is_line || e->rest != 0)) {
    say(report, ", %s %.6g %s", is_line ? "free length" : "at rest at", e->rest,
        slides ? "m" : "rad");
  }
  const char *unit = slides ? "N" : "N m";
  if (is_line) {
    say(report,
        force > 0   ? ", pulls with %.6g %s"
        : force < 0 ? ", pushes with %.6g %s"
                    : ", force %.6g %s",
        fabs(force), unit);
  } else {
    say(report, ", force %.6g %s", force, unit);
  }
}


// The distance of the surfaces of a contact at the start, or how deep they overlap.
static void report_start_of_contact(cliReport *report, const checkJob *job, const modelElement *e)
{
  const elementPhysics *physics = port_physics(e);
  if (!job->start || !physics || physics->port != PORT_CONTACT) return;
  portState port;
  force_move_port(job->m, job->start, e, &port);
  const double gap = port.in.x[CONTACT_GAP];
  json_object(report, "start");
  json_fields(report, "gap: %g", gap);
  json_end(report);
  say(report, "\n    at the start the surfaces %s %.6g m", gap < 0 ? "overlap by" : "are apart by",
      fabs(gap));
}


static void report_checked_forces(cliReport *report, const checkJob *job)
{
  const artModel *m = job->m;
  const char *target;
  begin_list(report, "forces", "forces", m->nelement);
  for (int i = 0; i < m->nelement; i++) {
    const modelElement *e = &m->element[i];
    const bool adds_energy = e->spring || model_has_stop(e) || e->pair ||
                             (e->has_potential && (e->formula[0] || e->kind == ELEMENT_callback));
    json_object(report, NULL);
    report_fields(report, "name: %s, type: %s", "  %-24s %-15s ", e->name, e->type->form.type);
    json_list(report, "on");
    for (int k = 0; (target = element_target(m, e, k)); k++) {
      say(report, "%s%s", k ? e->nterm ? ", " : " - " : "", target);
      json_text(report, NULL, target);
    }
    json_end(report);
    json_fields(report, "has_potential: %i, does_work: %i", adds_energy, !e->has_potential);
    report_start_of_force(report, job, e);
    report_start_of_contact(report, job, e);
    json_end(report);
    say(report, "\n");
  }
  json_end(report);
  begin_list(report, "drives", "drives", m->ndrive);
  for (int i = 0; i < m->ndrive; i++) {
    const modelDrive *drive = &m->drive[i];
    const char *coordinate = m->position[drive->position].name;
    json_item(report, NULL, "name: %s, coordinate: %s", drive->name, coordinate);
    say(report, "  %-24s %s, by a %s\n", drive->name, coordinate,
        drive->formula ? "formula" : "table");
  }
  json_end(report);

  // functions that the user supplies
  begin_list(report, "functions", "functions", m->nfunction);
  for (int i = 0; i < m->nfunction; i++) {
    const modelFunction *f = &m->function[i];
    json_item(report, NULL,
              "name: %s, for: %s, inputs: %d, parameters: %d, arguments: %d, results: %d, "
              "has_code: %i",
              f->name, f->user, f->ninput, f->nparameter, f->nargument, f->n, f->code != NULL);
    char arguments[40] = "";
    if (f->nargument > 0) snprintf(arguments, sizeof arguments, ", %d arguments", f->nargument);
    say(report, "  %-24s %d inputs, %d parameters%s, %d results, for %s '%s'%s%s\n", f->name,
        f->ninput, f->nparameter, arguments, f->n, f->what, f->user,
        f->nuse > 1 ? " and others" : "",
        f->code ? "" : "; its library is not named (--functions)");
  }
  json_end(report);
}


static void report_latches(cliReport *report, const checkJob *job)
{
  const artModel *m = job->m;
  if (m->nlatch == 0) return;
  say_title(report, "latches");
  json_array(report, "latches");
  for (int i = 0; i < m->nlatch; i++) {
    const modelLatch *latch = &m->latch[i];
    const modelRelation *r = &latch->relation;
    json_object(report, NULL);
    report_fields(report, "name: %s, type: %s", "  %-24s %-12s ", latch->name,
                  latch->type == ART_LATCH ? art_joint_type_name(latch->cut.type)
                                           : art_latch_type_name(latch->type));
    for (int k = 0; k < r->n; k++) {
      say(report, "%s%s", k ? ", " : "", m->position[r->position[k]].name);
    }
    if (latch->type != ART_LOCK) {
      say(report, "%s -> %s", m->frame[latch->frame[0]].name, m->frame[latch->frame[1]].name);
    }
    json_bool(report, "engaged", latch->is_engaged);
    say(report, "%s\n", latch->is_engaged ? ", engaged at the start" : "");
    json_end(report);
  }
  json_end(report);
}


//---- outputs and studies -------------------------------------------------------------------------

static void report_study(cliReport *report, const artStudyDef *s)
{
  json_object(report, NULL);
  report_fields(report, "name: %s, type: %s", "  %-24s %s", s->name, art_study_type_name(s->type));
  if (s->type == ART_RUN) {
    const artRunDef *run = &s->run;
    const bool is_natural = art_method_is_natural(run->method);
    say(report, "%s%s, %s, from %.6g to %.6g s", is_natural ? "" : ", ",
        is_natural ? "" : art_run_integrator_name(run), art_run_method_name(run), run->from,
        run->until);
  }
  if (s->type == ART_INVERSE) {
    say(report, ", from %.6g to %.6g s", s->inverse.from, s->inverse.until);
  }
  if (s->type == ART_LINEAR && s->linear.start.at_equilibrium) say(report, ", at the equilibrium");
  say(report, "\n");
  if (s->design.count > 0) json_list(report, "design");
  for (int i = 0; i < s->design.count; i++) json_text(report, NULL, s->design.name[i]);
  if (s->design.count > 0) json_end(report);
  json_end(report);
}


static void report_outputs(cliReport *report, const checkJob *job)
{
  const artModel *m = job->m;
  say_title(report, "outputs");
  json_array(report, "outputs");
  for (int k = 0; k < m->noutput; k++) {
    report_item(report, NULL, "name: %s, unit: %s", "  %s [%s]\n", m->output[k].name,
                m->output[k].unit);
  }
  json_end(report);
  begin_list(report, "studies", "studies", m->nstudy);
  for (int i = 0; i < m->nstudy; i++) report_study(report, &m->study[i].def);
  json_end(report);
}


//---- the verb ------------------------------------------------------------------------------------

// Data with forces at the start, apart from the one that the report shows. NULL where they cannot be found, and where an attached
// function would be called.
static artData *find_start(const checkJob *job)
{
  if (job->loops.status != ART_OK || job->m->nelement == 0) return NULL;
  for (int i = 0; i < job->m->nelement; i++) {
    const modelElement *e = &job->m->element[i];
    if (e->kind == ELEMENT_callback) return NULL;
  }
  artData *d = art_create_data(job->m);
  if (d && art_copy_data(job->m, d, job->d, NULL) == ART_OK &&
      art_accelerate(job->m, d, ART_AUTOMATIC, NULL) == ART_OK) {
    return d;
  }
  art_free_data(d);
  return NULL;
}


void verb_check(cliWork *w)
{
  static checkPart *const for_people[] = {report_check_head,     report_notes,
                                          report_checked_bodies, report_joints,
                                          report_freedom,        report_checked_parameters,
                                          report_signals,        report_checked_forces,
                                          report_latches,        report_outputs};
  static checkPart *const for_programs[] = {report_check_head, report_notes,
                                            report_freedom,    report_checked_bodies,
                                            report_joints,     report_checked_parameters,
                                            report_signals,    report_checked_forces,
                                            report_latches,    report_outputs};
  generate_ask_cuts(w);
  checkJob job = {.call = w->call, .m = w->model, .d = w->data};
  // drives that its studies would refuse
  const artModel *model = w->model;
  artData *data = w->data;
  for (int i = 0; i < model->nstudy; i++) {
    const artStudyDef *s = &model->study[i].def;
    const bool is_run = s->type == ART_RUN;
    if (!is_run && s->type != ART_INVERSE) continue;
    error_check(study_look_at_motion(
        model, data, is_run ? NULL : &s->inverse, is_run ? s->run.from : s->inverse.from,
        is_run ? s->run.until : s->inverse.until, NULL, NULL, error_current()));
  }
  art_update(model, data);
  if (w->call->independent) generate_ask_partition(w);
  loops_examine(&job.loops, w->model, w->data);
  coordinates_examine(&job.natural, w->model, w->data);
  job.start = find_start(&job);
  cliReport report = report_begin(w->call);
  for (size_t k = 0; k < sizeof for_people / sizeof *for_people; k++) {
    (report_is_text(&report) ? for_people : for_programs)[k](&report, &job);
  }
  if (w->call->jacobian && w->model->nrow > 0 && job.loops.status == ART_OK) {
    jacobian_report(&report, w->model, w->data, &w->arena);
  }
  report_end(&report);
  art_free_data(job.start);
  w->exit = job.loops.status ? CLI_WRONG : CLI_DONE;
}
