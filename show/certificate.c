// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The certificate of a run: what was computed from what, how, and how well, as JSON.
#include "show/certificate.h"

#include "base/file.h"
#include "method/method.h"
#include "model/builder.h"
#include "show/error_json.h"


static void write_model(ioJson *json, const artModel *model, int dof)
{
  char hash[20];
  const artCounts counts = art_count(model);
  snprintf(hash, sizeof hash, "%016llx", art_model_hash(model));
  json_object(json, "model");
  json_text(json, "title", art_title(model));
  json_text(json, "hash", hash);
  json_integer(json, "bodies", counts.bodies);
  json_integer(json, "joints", counts.joints);
  json_integer(json, "velocities", counts.nv);
  json_integer(json, "degrees_of_freedom", dof);
  json_end(json);
}


// 0 is the default of each
static void write_steering(ioJson *json, const artSteering *s)
{
  json_number(json, "local_error", s->local);
  json_number(json, "energy_scale", s->energy);
  json_number(json, "safety", s->safety);
  json_number(json, "growth", s->growth);
  json_number(json, "shrink", s->shrink);
  json_number(json, "longest_step", s->longest);
  json_number(json, "shortest_step", s->shortest);
  json_number(json, "leave_index3", s->leave_3);
  json_number(json, "leave_index1", s->leave_1);
  json_number(json, "reductions", s->reductions);
}


// what only natural coordinates can be told; 0 is automatic
static void write_natural(ioJson *json, const artStudyDef *study)
{
  json_number(json, "penalty", study->penalty);
  json_text(json, "projections", art_projections_name(study->projections));
  if (model_method_has(study->method, METHOD_DAMPED)) {
    json_number(json, "spectral_radius", study->spectral_radius);
    json_number(json, "hht", study->hht);
  }
  if (model_method_has(study->method, METHOD_STEERED)) {
    json_number(json, "energy_upper", study->energy_upper);
    json_number(json, "energy_lower", study->energy_lower);
    write_steering(json, &study->steering);
  }
}


static void write_stabilisation(ioJson *json, const artStudyDef *study)
{
  json_number(json, "alpha", study->alpha);
  json_number(json, "beta", study->beta);
  json_text(json, "projections", art_projections_name(study->projections));
}


static void write_study(ioJson *json, const artStudyDef *study)
{
  json_object(json, "study");
  json_text(json, "name", study->name);
  json_text(json, "method", art_method_name(study->method));
  const int is_natural = art_method_is_natural(study->method);
  json_text(json, "integrator", is_natural ? "own" : art_integrator_name(study->integrator));
  json_text(json, "algebra", art_algebra_name(study->algebra));
  if (study->redundant != ART_REDUNDANT_DROP) {
    json_text(json, "redundant", art_redundant_name(study->redundant));
  }
  if (study->partition != ART_PARTITION_SYMBOLIC) {
    json_text(json, "partition", art_partition_name(study->partition));
  }
  if (study->independent) json_text(json, "independent", study->independent);
  if (study->newton != ART_NEWTON_AUTOMATIC) {
    json_text(json, "newton", art_newton_name(study->newton));
  }
  json_number(json, "from", study->from);
  json_number(json, "until", study->until);
  json_number(json, "step", study->step);
  json_number(json, "interval", study->interval);
  json_number(json, "tolerance", study->tolerance);
  if (is_natural) write_natural(json, study);
  if (model_method_has(study->method, METHOD_STABILISED)) write_stabilisation(json, study);
  json_end(json);
}


void certificate_write_moves(ioJson *json, const artModel *model, const artData *data)
{
  artMove move;
  json_array(json, "moves");
  for (int k = 0; data && art_assembly_move(model, data, k, &move); k++) {
    json_object(json, NULL);
    json_text(json, "coordinate", move.coordinate);
    json_number(json, "from", move.from);
    json_number(json, "to", move.to);
    json_text(json, "unit", move.unit);
    json_end(json);
  }
  json_end(json);
}


// joints in loops that were off what was meant by rounding of the file
static void write_aligned(ioJson *json, const artModel *model)
{
  json_array(json, "aligned");
  for (int j = 0; j < model->njoint; j++) {
    const modelJoint *joint = &model->joint[j];
    if (!(joint->angle_off > 0) && !(joint->place_off > 0)) continue;
    json_object(json, NULL);
    json_text(json, "joint", joint->name);
    json_number(json, "angle_off", joint->angle_off);
    json_number(json, "place_off", joint->place_off);
    json_end(json);
  }
  json_end(json);
}


static void write_redundant(ioJson *json, const ioCertificate *certificate)
{
  json_array(json, "redundant");
  for (int k = 0; k < certificate->numbers.redundant && certificate->data; k++) {
    char text[ART_ROW_LENGTH];
    json_text(json, NULL, art_redundant_row(certificate->model, certificate->data, k, text));
  }
  json_end(json);
}


// loops that the method holds by its accelerations and closes at the ends of steps; points and vectors that are projected
static int is_corrected(const ioCertificate *certificate)
{
  const artStudyDef *study = certificate->study;
  const int may_be = study->projections != ART_PROJECTIONS_NO;
  if (art_method_is_natural(study->method)) return may_be;
  return model_method_has(study->method, METHOD_STABILISED) && certificate->numbers.rows > 0 &&
         may_be;
}


// a tree needs no constraints but those of its quaternions
static void write_constraints(ioJson *json, const ioCertificate *certificate)
{
  const artCertificate *c = &certificate->numbers;
  json_object(json, "constraints");
  json_integer(json, "rows", c->rows);
  json_integer(json, "rank", c->rank);
  write_redundant(json, certificate);
  json_number(json, "position_residual", c->position_residual);
  json_number(json, "velocity_residual", c->velocity_residual);
  json_number(json, "acceleration_residual", c->acceleration_residual);
  if (is_corrected(certificate)) {
    json_number(json, "position_violation", c->position_violation);
    json_number(json, "velocity_violation", c->velocity_violation);
    if (c->top_rate > 0) json_number(json, "top_rate", c->top_rate);
  }
  json_number(json, "quaternion_error", c->quaternion_error);
  if (art_method_is_natural(certificate->study->method)) {
    json_text(json, "note",
              "rows and rank are those of the loops; residuals those of all constraints of natural "
              "coordinates");
  } else if (c->rows > 0) {
    json_integer(json, "repartitions", c->repartitions);
    json_number(json, "weakest_pivot", c->weakest_pivot);
    json_number(json, "weakest_time", c->weakest_time);
    json_integer(json, "singular_passages", c->passages);
    if (c->passages > 0) {
      json_number(json, "passage_time", c->passage_time);
      json_number(json, "passage_gap", c->passage_gap);
      json_text(json, "passage_joints", c->passage_joints);
    }
  } else {
    json_text(
        json, "note",
        "the model is a tree: it has no loop constraints, its residuals are zero by construction");
  }
  json_end(json);
}


static void write_energy(ioJson *json, const artCertificate *c)
{
  json_object(json, "energy");
  json_number(json, "start", c->energy_start);
  json_number(json, "end", c->energy_end);
  json_number(json, "work", c->work);
  json_number(json, "error", c->energy_error);
  json_number(json, "scale", c->energy_scale);
  json_number(json, "relative_error",
              c->energy_scale > 0 ? c->energy_error / c->energy_scale : c->energy_error);
  json_number(json, "resolved", c->energy_resolved);
  json_end(json);
}


static void write_steps(ioJson *json, const artCertificate *c)
{
  json_object(json, "steps");
  json_integer(json, "accepted", c->steps);
  json_integer(json, "rejected", c->rejected);
  json_integer(json, "evaluations", c->evaluations);
  json_integer(json, "events", c->events);
  if (c->blows > 0) json_integer(json, "blows", c->blows);
  if (c->latched > 0) {
    json_integer(json, "latched", c->latched);
    json_number(json, "latch_loss", c->latch_loss);
  }
  if (c->programs > 0) {
    json_integer(json, "generated_evaluations", c->generated);
    json_integer(json, "numeric_evaluations", c->not_generated);
    json_integer(json, "generated_programs", c->programs);
  }
  json_integer(json, "at_rounding_limit", c->rounding_steps);
  json_number(json, "shortest", c->shortest_step);
  json_number(json, "longest", c->longest_step);
  json_end(json);

  json_object(json, "wall_clock");
  json_number(json, "total", c->total_time);
  json_number(json, "worst_interval", c->worst_interval);
  json_number(json, "mean_step", c->steps > 0 ? c->total_time / (double) c->steps : 0);
  json_end(json);
}


static void write_parallel(ioJson *json, const crewReport *r)
{
  json_object(json, "parallel");
  json_text(json, "by", r->by_ranks ? "ranks" : "threads");
  json_integer(json, "asked", r->asked);
  json_integer(json, "used", r->used);
  json_integer(json, "branches", r->branches);
  json_number(json, "evaluation_alone", r->alone);
  json_number(json, "evaluation_shared", r->shared);
  if (r->message > 0) {
    json_integer(json, "messages", r->messages);
    json_number(json, "message", r->message);
  }
  json_end(json);
}


static void write_realtime(ioJson *json, const ioRealtime *r)
{
  json_object(json, "realtime");
  json_integer(json, "frames", r->frames);
  json_integer(json, "missed", r->missed);
  json_number(json, "mean_frame", r->frames > 0 ? r->sum_frame / (double) r->frames : 0);
  json_number(json, "worst_frame", r->worst_frame);
  json_number(json, "worst_late", r->worst_late);
  json_number(json, "worst_wake", r->worst_wake);
  json_end(json);
}


static void write_profile(ioJson *json, const dataProfile *profile, artMethod method)
{
  const double total = profile_total(profile);
  json_object(json, "profile");
  json_integer(json, "evaluations", profile->evaluations);
  json_integer(json, "stepping", profile->stepping);
  json_number(json, "seconds", total);
  json_array(json, "stages");
  for (int i = 0; i < PROFILE_STAGES; i++) {
    json_object(json, NULL);
    json_text(json, "name", method_stage_name(method, (profileStage) i));
    json_integer(json, "calls", profile->calls[i]);
    json_number(json, "seconds", profile->seconds[i]);
    json_number(json, "share", total > 0 ? profile->seconds[i] / total : 0);
    json_end(json);
  }
  json_end(json);
  json_end(json);
}


static void write_reasons(ioJson *json, const artJudgement *j)
{
  json_array(json, "reasons");
  for (int k = 0; k < j->reasons; k++) json_text(json, NULL, j->reason[k]);
  json_end(json);
}


void certificate_write_verdict(ioJson *json, const artJudgement *judgement)
{
  json_text(json, "verdict", art_verdict_name(judgement->verdict));
  write_reasons(json, judgement);
}


void certificate_write(ioJson *json, const ioCertificate *c)
{
  const artJudgement judgement = art_judge(&c->numbers, &c->error);
  json_object(json, NULL);
  json_text(json, "articula", art_version());
  json_text(json, "status", c->status);
  certificate_write_verdict(json, &judgement);
  if (c->error.status != ART_OK) error_write(json, "error", &c->error, c->file);
  json_text(json, "file", c->file);
  json_text(json, "results", c->directory);
  json_integer(json, "rows", c->rows);
  json_integer(json, "odd_rows", c->numbers.odd_rows);
  json_number(json, "time", c->numbers.time);
  write_model(json, c->model, c->numbers.dof);
  write_study(json, c->study);
  json_object(json, "assembly");
  certificate_write_moves(json, c->model, c->data);
  write_aligned(json, c->model);
  json_end(json);
  write_constraints(json, c);
  write_energy(json, &c->numbers);
  write_steps(json, &c->numbers);
  const crewReport crew = c->data ? method_crew_report(c->data) : (crewReport){0};
  if (crew.asked > 1) write_parallel(json, &crew);
  if (c->realtime) write_realtime(json, c->realtime);
  if (c->profile)
    write_profile(json, c->profile, model_method_for(c->study->method, c->numbers.rows > 0));
  json_end(json);
}


artStatus certificate_save(const char *path, const ioCertificate *certificate, artError *error)
{
  baseFile file;
  const artStatus status = file_begin(&file, path, error);
  if (status) return status;
  ioJson json = {.file = file.stream};
  certificate_write(&json, certificate);
  return file_commit(&file, error);
}
