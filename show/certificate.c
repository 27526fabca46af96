// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The certificate of a run as JSON: inputs, methods and accuracy of the results.
#include "show/certificate.h"

#include "articula/import.h"
#include "articula/parts.h"
#include "base/file.h"


// The fields of the study that the method reads; 0 means the default.
static void write_certificate_study(ioJson *json, const char *name, const artRunDef *study)
{
  const artMethod method = study->method;
  const int is_natural = art_method_is_natural(method);
  json_object(json, "study");
  json_fields(json, "name: %s, method: %s, integrator: %s, algebra: %s", name,
              art_run_method_name(study),
              is_natural ? "own" : art_integrator_name(study->integrator),
              art_algebra_name(study->algebra));
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
  json_fields(json, "from: %g, until: %g, step: %g, interval: %g, tolerance: %g", study->from,
              study->until, study->step, study->interval, study->tolerance);
  if (is_natural) {
    json_fields(json, "penalty: %g, projections: %s", study->penalty,
                art_projections_name(study->projections));
    if (study->projections == ART_PROJECTIONS_BAUMGARTE) {
      json_fields(json, "alpha: %g, beta: %g", study->alpha, study->beta);
    }
  }
  if (art_method_reads(method, "hht")) {
    json_fields(json, "spectral_radius: %g, hht: %g", study->spectral_radius, study->hht);
  }
  if (art_method_reads(method, "energy_upper")) {
    const artSteering *s = &study->steering;
    json_fields(json, "energy_upper: %g, energy_lower: %g", study->energy_upper,
                study->energy_lower);
    json_fields(json, "local_error: %g, energy_scale: %g, safety: %g, growth: %g, shrink: %g",
                s->local, s->energy, s->safety, s->growth, s->shrink);
    json_fields(
        json,
        "longest_step: %g, shortest_step: %g, leave_index3: %g, leave_index1: %g, reductions: %g",
        s->longest, s->shortest, s->leave_3, s->leave_1, s->reductions);
  }
  if (art_method_reads(method, "alpha")) {
    json_fields(json, "alpha: %g, beta: %g, projections: %s", study->alpha, study->beta,
                art_projections_name(study->projections));
  }
  json_end(json);
}


void certificate_write_moves(ioJson *json, const artModel *model, const artData *data)
{
  artMove move;
  json_array(json, "moves");
  for (int k = 0; data && art_assembly_move(model, data, k, &move); k++) {
    json_item(json, NULL, "coordinate: %s, from: %g, to: %g, unit: %s", move.coordinate, move.from,
              move.to, move.unit);
  }
  json_end(json);
}


// The only constraints of a tree are unit quaternions.
static void write_constraints(ioJson *json, const ioCertificate *certificate)
{
  const artCertificate *c = &certificate->numbers;
  const artRunDef *study = &certificate->study->run;
  const int is_natural = art_method_is_natural(study->method);
  json_object(json, "constraints");
  json_fields(json, "rows: %d, rank: %d", c->rows, c->rank);
  json_array(json, "redundant");
  for (int k = 0; k < c->redundant && certificate->data; k++) {
    char text[ART_ROW_LENGTH];
    json_text(json, NULL, art_redundant_row(certificate->model, certificate->data, k, text));
  }
  json_end(json);
  json_fields(json, "position_residual: %g, velocity_residual: %g, acceleration_residual: %g",
              c->position_residual, c->velocity_residual, c->acceleration_residual);

  // methods that constrain only accelerations close loops at the ends of steps; natural coordinates
  // are projected
  const int is_held = is_natural || (art_method_reads(study->method, "alpha") && c->rows > 0);
  const int is_corrected =
      study->projections != ART_PROJECTIONS_NO && study->projections != ART_PROJECTIONS_BAUMGARTE;
  if ((is_held && is_corrected) || c->velocity_violation > 0) {
    json_fields(json, "position_violation: %g, velocity_violation: %g", c->position_violation,
                c->velocity_violation);
    if (c->top_rate > 0) json_number(json, "top_rate", c->top_rate);
  }
  json_number(json, "quaternion_error", c->quaternion_error);
  if (is_natural) {
    json_number(json, "penalty_energy", c->penalty_energy);
    json_text(json, "note",
              "rows and rank are of the loops alone; residuals are of all constraints of natural "
              "coordinates");
  } else if (c->rows > 0) {
    json_fields(json,
                "repartitions: %ld, weakest_pivot: %g, weakest_time: %g, singular_passages: %ld",
                c->repartitions, c->weakest_pivot, c->weakest_time, c->passages);
    if (c->passages > 0) {
      json_fields(json, "passage_time: %g, passage_gap: %g, passage_joints: %s", c->passage_time,
                  c->passage_gap, c->passage_joints);
    }
    if (c->pull > 0) {
      json_fields(json, "pull: %g, pull_time: %g, pull_joint: %s", c->pull, c->pull_time,
                  c->pull_joint);
    }
  } else {
    json_text(
        json, "note",
        "the model is a tree: it has no loop constraints, its residuals are zero by construction");
  }
  json_end(json);
}


// The automatic integrator starts with dopri5 and may continue with bdf.
static void write_integrator(ioJson *json, const artRunDef *study, const artCertificate *c)
{
  if (art_method_is_natural(study->method)) return;
  json_text(json, "integrator",
            c->is_changed_over ? "dopri5, then bdf" : art_run_integrator_name(study));
}


static void write_steps(ioJson *json, const artRunDef *study, const artCertificate *c)
{
  json_object(json, "energy");
  json_fields(
      json, "start: %g, end: %g, work: %g, error: %g, scale: %g, relative_error: %g, resolved: %g",
      c->energy_start, c->energy_end, c->work, c->energy_error, c->energy_scale,
      c->energy_scale > 0 ? c->energy_error / c->energy_scale : c->energy_error,
      c->energy_resolved);
  if (c->recomputed_error > 0) json_fields(json, "recomputed_error: %g", c->recomputed_error);
  json_end(json);
  json_object(json, "steps");
  write_integrator(json, study, c);
  json_fields(json, "accepted: %ld, rejected: %ld, evaluations: %ld, events: %ld", c->steps,
              c->rejected, c->evaluations, c->events);
  if (c->impacts > 0) json_integer(json, "impacts", c->impacts);
  if (c->latched > 0) {
    json_fields(json, "latched: %ld, latch_loss: %g", c->latched, c->latch_loss);
  }
  if (c->programs > 0) {
    json_fields(json,
                "generated_evaluations: %ld, numeric_evaluations: %ld, generated_programs: %ld",
                c->generated, c->not_generated, c->programs);
  }
  if (c->rescaled > 0) json_integer(json, "rescaled", c->rescaled);
  if (c->step_error > 0) json_fields(json, "estimated_error: %g", c->step_error);
  if (c->unseen_steps > 0) json_integer(json, "unseen", c->unseen_steps);
  if (c->unproved_steps > 0) json_integer(json, "unproved", c->unproved_steps);
  char note[ART_REASON_LENGTH];
  if (art_stiffness_note(c, note)) {
    json_item(json, "stiffness", "from: %g, continued_with: %s, note: %s", c->stiff_time,
              c->is_changed_over ? "bdf" : "dopri5", note);
  }
  json_fields(json, "at_rounding_limit: %ld, shortest: %g, longest: %g", c->rounding_steps,
              c->shortest_step, c->longest_step);
  json_end(json);
  const bool touches = c->contact_impacts > 0 || c->contact_overlap > 0 || c->contact_loss != 0;
  if (c->overlaps > 0 || touches) {
    json_object(json, "contacts");
    if (c->overlaps > 0) {
      json_fields(json, "overlaps_at_start: %d, deepest: %g, deepest_contact: %s", c->overlaps,
                  c->overlap, c->overlap_contact);
    }
    if (touches) {
      json_fields(json, "impacts: %ld, loss: %g, overlap: %g", c->contact_impacts, c->contact_loss,
                  c->contact_overlap);
    }
    if (c->contact_left > 0) json_fields(json, "left: %g", c->contact_left);
    json_end(json);
  }
  json_item(json, "wall_clock", "total: %g, worst_interval: %g, mean_step: %g", c->total_time,
            c->worst_interval, c->steps > 0 ? c->total_time / (double) c->steps : 0);
}


void certificate_write_verdict(ioJson *json, const artJudgement *j)
{
  json_text(json, "verdict", art_verdict_name(j->verdict));
  json_array(json, "reasons");
  for (int k = 0; k < j->reasons; k++) json_text(json, NULL, j->reason[k]);
  json_end(json);
}


void certificate_write(ioJson *json, const ioCertificate *c)
{
  const artJudgement judgement = art_judge(&c->numbers, &c->error);
  const artCounts n = art_count(c->model);
  char hash[20];
  snprintf(hash, sizeof hash, "%016llx", art_model_hash(c->model));
  json_object(json, NULL);
  json_fields(json, "articula: %s, status: %s", art_version(), c->status);
  certificate_write_verdict(json, &judgement);
  if (c->error.status != ART_OK) error_write(json, "error", &c->error, c->file);
  json_fields(json, "file: %s, results: %s, rows: %ld, odd_rows: %ld, time: %g", c->file,
              c->directory, c->rows, c->numbers.odd_rows, c->numbers.time);
  if (c->sha256[0]) json_text(json, "results_sha256", c->sha256);
  json_item(json, "model",
            "title: %s, hash: %s, bodies: %d, joints: %d, velocities: %d, degrees_of_freedom: %d, "
            "length: %g, pace: %g",
            art_title(c->model), hash, n.bodies, n.joints, n.nv, c->numbers.dof, c->numbers.length,
            c->numbers.pace);
  const char *warning;
  json_list(json, "warnings");
  for (int i = 0; (warning = art_model_warning(c->model, i)); i++) json_text(json, NULL, warning);
  json_end(json);
  artNoteLevel level;
  const char *note, *file;
  json_array(json, "left_out");
  for (int i = 0; (note = art_model_note(c->model, i, &level, &file)); i++)
    json_item(json, NULL, "level: %s, file: %s, note: %s", art_note_level_name(level), file, note);
  json_end(json);
  write_certificate_study(json, c->study->name, &c->study->run);
  // Coordinates that the assembly moved, and joints in loops whose misalignment was treated as
  // rounding in the file.
  artJointPart joint;
  json_object(json, "assembly");
  certificate_write_moves(json, c->model, c->data);
  json_array(json, "aligned");
  for (int j = 0; art_get_joint(c->model, j, &joint); j++) {
    if (!(joint.angle_off > 0) && !(joint.place_off > 0)) continue;
    json_item(json, NULL, "joint: %s, angle_off: %g, place_off: %g", joint.name, joint.angle_off,
              joint.place_off);
  }
  json_end(json);
  json_end(json);
  write_constraints(json, c);
  write_steps(json, &c->study->run, &c->numbers);
  if (c->more) c->more(json, c->context);
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
