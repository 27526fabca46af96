// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula linear: frequencies, damping and modes; matrices as CSV, and as a script of MATLAB and Octave.
#include <math.h>

#include "articula/parts.h"
#include "base/format.h"
#include "base/max_nan.h"
#include "command_report.h"
#include "model/methods.h"
#include "model/model.h"
#include "show/csv.h"
#include "study/study.h"

enum { SHOWN_SHARES = 3 };

typedef struct linearJob {
  cliWork *w;
  artEquilibrium equilibrium;
  artTrim trim;
  double unrest; // largest acceleration at the state, m/s^2 or rad/s^2
  artLinear *linear;
} linearJob;


// The i-th independent coordinate; modes are shown in all coordinates, not only in the independent ones of closed loops.
static const char *linear_coordinate_name(const linearJob *job, int i, char name[CLI_NAME_LENGTH])
{
  ART_ASSERT(i >= 0 && i < job->linear->n);
  return cli_displacement_name(job->w->model, job->linear->coordinate[i], name);
}


static const char *shown_name(const linearJob *job, int i, char name[CLI_NAME_LENGTH])
{
  ART_ASSERT(i >= 0 && i < job->linear->nall);
  return cli_displacement_name(job->w->model, job->linear->all[i], name);
}


static const char *linear_input_name(const linearJob *job, int i)
{
  artInputPart part;
  return art_get_input(job->w->model, i, &part) ? part.name : "";
}


static void solve_linear_study(linearJob *job)
{
  cliWork *w = job->w;
  artError *error = error_current();
  const artLinearDef *study = &w->study.linear;
  const int way = model_join_way(study->method, study->backend);
  if (study->start.at_equilibrium) {
    error_check(
        art_find_start(w->model, w->data, &study->start, &job->equilibrium, &job->trim, error));
  }
  artAssembly assembly;
  art_update(w->model, w->data);
  error_check(art_assemble(w->model, w->data, &assembly, error));
  error_check(study->backend == ART_BACKEND_GENERATED
                  ? art_accelerate_generated(w->model, w->data, error)
                  : art_accelerate(w->model, w->data, study->method, error));
  for (int k = 0; k < w->model->tree.nv; k++) {
    job->unrest = max_nan(job->unrest, fabs(w->data->a[k]));
  }
  error_check(study_linearise(w->model, w->data, way, &job->linear, NULL, error));
}


//---- for people ----------------------------------------------------------------------------------

static void print_state(const linearJob *job)
{
  const artStartDef *start = &job->w->study.linear.start;
  cli_print_title(job->w->call, art_title(job->w->model));
  printf(", linearised about %s: %d free coordinate%s\n",
         start->at_equilibrium ? "the equilibrium" : "the initial state", job->linear->n,
         plural_s(job->linear->n));
  if (start->at_equilibrium && start->speed != 0) {
    format_stream(stdout,
                  "steady motion at %.6g m/s after %d iterations, gain of speed %.3g m/s^2\n",
                  start->speed, job->trim.iterations, job->trim.gain);
  } else if (start->at_equilibrium) {
    format_stream(stdout,
                  "equilibrium after %d iterations, largest force out of balance %.3g N or N m\n",
                  job->equilibrium.iterations, job->equilibrium.residual);
  } else if (job->unrest > 1e-6) {
    format_stream(
        stdout,
        "this is not an equilibrium: accelerations reach %.3g m/s^2 or rad/s^2; --at-equilibrium "
        "searches one\n",
        job->unrest);
  }
  // sampled values are constant here: a controller of them has no part in A
  const artModel *m = job->w->model;
  const char *between = "sampled values are held as they are and have no part in A: ";
  int has_any = 0;
  for (int i = m->ninput; i < m->nheld; i++) {
    if (!m->held[i].is_shown) continue;
    printf("%s%s", between, m->held[i].name);
    between = ", ";
    has_any = 1;
  }
  if (has_any) putchar('\n');
}


// the coordinates with the largest shares, largest first; coupling can make a share negative
static void print_mode_shares(const linearJob *job, int e)
{
  const artLinear *l = job->linear;
  const double *share = l->shape_share + (size_t) e * (size_t) l->nall;
  double bound = INFINITY;
  int last = -1;
  for (int shown = 0; shown < SHOWN_SHARES; shown++) {
    // the largest of those not above the bound, which coordinate `last` had
    int best = -1;
    for (int i = 0; i < l->nall; i++) {
      const double size = fabs(share[i]);
      const bool is_left = size < bound || (size == bound && i > last);
      if (is_left && (best < 0 || size > fabs(share[best]))) best = i;
    }
    char name[CLI_NAME_LENGTH];
    if (best < 0 || fabs(share[best]) < 0.005) return;
    last = best;
    bound = fabs(share[best]);
    format_stream(stdout, "%s%s %.0f %%", shown ? ", " : "", shown_name(job, best, name),
                  100 * share[best]);
  }
}


// a line for each mode, of a pair of eigenvalues for the one with positive imaginary part
static void print_modes(const linearJob *job)
{
  const artLinear *l = job->linear;
  int number = 0, unstable = 0;
  double largest = 1;
  printf("\n%s mode frequency [Hz]  damping [1]    real [1/s] imaginary [1/s]%s largest shares of "
         "kinetic energy\n",
         cli_bold(stdout), cli_plain(stdout));
  for (int e = 0; e < l->order; e++) {
    const bool is_pair = l->imaginary[e] > 0;
    largest = max_nan(largest, hypot(l->real[e], l->imaginary[e]));
    if (l->imaginary[e] < 0) continue;
    // a real eigenvalue has no frequency; adding zero makes 0 of -0
    printf("%5d ", ++number);
    if (is_pair) {
      format_stream(stdout, "%14.6g %12.5g", l->frequency[e], l->damping[e] + 0.0);
    } else {
      printf("%14s %12s", "-", "-");
    }
    format_stream(stdout, " %13.6g %s%-12.6g ", l->real[e] + 0.0, is_pair ? "+-" : "  ",
                  l->imaginary[e] + 0.0);
    print_mode_shares(job, e);
    putchar('\n');
  }

  // eigenvalues to the right of the axis by more than rounding
  for (int e = 0; e < l->order; e++) unstable += l->real[e] > 1e-7 * largest;
  if (unstable > 0) {
    printf("\nunstable: %d eigenvalue%s with positive real part\n", unstable, plural_s(unstable));
  }
  if (job->w->call->directory) {
    format_show(stdout, "\nmatrices M, C, K, A, eigenvalues and modes are in %s\n",
                job->w->call->directory);
  }
}


//---- for programs --------------------------------------------------------------------------------

static void write_matrix(ioJson *json, const char *key, int rows, int width, const double *matrix)
{
  json_array(json, key);
  for (int i = 0; i < rows; i++) {
    json_numbers(json, NULL, width, matrix + (size_t) i * (size_t) width);
  }
  json_end(json);
}


static void write_linear_json(ioJson *json, const linearJob *job)
{
  const artLinear *l = job->linear;
  char name[CLI_NAME_LENGTH];
  json_fields(json, "file: %s, at_equilibrium: %i, largest_acceleration: %g", job->w->call->file,
              job->w->study.linear.start.at_equilibrium, job->unrest);
  json_list(json, "coordinates");
  for (int i = 0; i < l->n; i++) json_text(json, NULL, linear_coordinate_name(job, i, name));
  json_end(json);
  json_list(json, "speeds");
  for (int i = 0; i < l->nspeed; i++) {
    json_text(json, NULL, linear_coordinate_name(job, l->speed[i], name));
  }
  json_end(json);
  json_list(json, "mode_coordinates");
  for (int i = 0; i < l->nall; i++) json_text(json, NULL, shown_name(job, i, name));
  json_end(json);
  json_list(json, "states");
  for (int i = 0; i < l->nstate; i++) json_text(json, NULL, art_state_name(job->w->model, i));
  json_end(json);
  json_list(json, "held");
  const artModel *m = job->w->model;
  for (int i = m->ninput; i < m->nheld; i++) {
    if (m->held[i].is_shown) json_text(json, NULL, m->held[i].name);
  }
  json_end(json);
  json_array(json, "modes");
  for (int e = 0; e < l->order; e++) {
    const size_t row = (size_t) e * (size_t) l->nall;
    json_object(json, NULL);
    json_fields(json, "real: %g, imaginary: %g, frequency: %g, damping: %g", l->real[e],
                l->imaginary[e], l->frequency[e], l->damping[e]);
    json_numbers(json, "shape_real", l->nall, l->shape_real + row);
    json_numbers(json, "shape_imaginary", l->nall, l->shape_imaginary + row);
    json_numbers(json, "share", l->nall, l->shape_share + row);
    json_end(json);
  }
  json_end(json);
  write_matrix(json, "M", l->n, l->n, l->M);
  write_matrix(json, "C", l->n, l->n, l->C);
  write_matrix(json, "K", l->n, l->n, l->K);
  write_matrix(json, "A", l->order, l->order, l->A);
  json_list(json, "outputs");
  for (int i = 0; i < l->noutput; i++) json_text(json, NULL, art_output_name(job->w->model, i));
  json_end(json);
  json_list(json, "inputs");
  for (int i = 0; i < l->ninput; i++) json_text(json, NULL, linear_input_name(job, i));
  json_end(json);
  write_matrix(json, "B", l->order, l->ninput, l->B);
  write_matrix(json, "Cy", l->noutput, l->order, l->Cy);
  write_matrix(json, "Dy", l->noutput, l->ninput, l->Dy);
}


//---- files ---------------------------------------------------------------------------------------

// a head of names, then rows of one or two matrices side by side
typedef struct linearTable {
  const char *file;
  void (*name_columns)(const linearJob *job, ioCsv *csv, int width);
  int rows, width[2];
  const double *matrix[2];
} linearTable;


static void name_column(ioCsv *csv, const char *prefix, const char *name, const char *suffix)
{
  char whole[2 * CLI_NAME_LENGTH];
  snprintf(whole, sizeof whole, "%s%s%s", prefix, name, suffix);
  csv_name(csv, whole, NULL);
}


// of M, C, K, and of the state of A
static void name_linear_coordinates(const linearJob *job, ioCsv *csv, int width)
{
  char name[CLI_NAME_LENGTH];
  const int n = job->linear->n;
  for (int i = 0; i < n; i++) name_column(csv, "", linear_coordinate_name(job, i, name), "");
  if (width == n) return;
  for (int i = 0; i < job->linear->nspeed; i++) {
    name_column(csv, "d/dt ", linear_coordinate_name(job, job->linear->speed[i], name), "");
  }
  for (int i = 0; i < job->linear->nstate; i++) {
    csv_name(csv, art_state_name(job->w->model, i), NULL);
  }
}


static void name_inputs(const linearJob *job, ioCsv *csv, int width)
{
  for (int i = 0; i < width; i++) csv_name(csv, linear_input_name(job, i), NULL);
}


static void name_eigenvalues(const linearJob *job, ioCsv *csv, int width)
{
  char name[CLI_NAME_LENGTH];
  (void) width;
  csv_name(csv, "real", "1/s");
  csv_name(csv, "imaginary", "1/s");
  csv_name(csv, "frequency", "Hz");
  csv_name(csv, "damping", "1");
  for (int i = 0; i < job->linear->nall; i++) {
    name_column(csv, "share ", shown_name(job, i, name), "");
  }
}


static void name_modes(const linearJob *job, ioCsv *csv, int width)
{
  char name[CLI_NAME_LENGTH];
  for (int i = 0; i < width; i++) name_column(csv, "", shown_name(job, i, name), " real");
  for (int i = 0; i < width; i++) name_column(csv, "", shown_name(job, i, name), " imaginary");
}


static void save_table(const linearJob *job, const linearTable *t)
{
  char path[FILE_PATH_LENGTH];
  ioCsv csv = {0};
  error_check(file_join(path, job->w->call->directory, t->file, error_current()));
  error_check(csv_begin(&csv, path, error_current()));
  t->name_columns(job, &csv, t->width[0]);
  (void) csv_end_line(&csv, NULL);
  for (int i = 0; i < t->rows; i++) {
    for (int k = 0; k < 2; k++) {
      const int n = t->width[k];
      if (n > 0) csv_numbers(&csv, n, t->matrix[k] + (size_t) i * (size_t) n);
    }
    (void) csv_end_line(&csv, NULL);
  }
  error_check(csv_close(&csv, error_current()));
}


// x' = A x + B u,  y = C x + D u  as MATLAB and Octave read it: sys = ss(A, B, C, D) follows
static void write_script_matrix(FILE *out, const char *name, int rows, int width,
                                const double *matrix)
{
  fprintf(out, "%s = zeros(%d, %d);\n", name, rows, width);
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < width; j++) {
      const double x = matrix[(size_t) i * (size_t) width + (size_t) j];
      if (x != 0) format_stream(out, "%s(%d,%d) = %.17g;\n", name, i + 1, j + 1, x);
    }
  }
}


// an element of a list of names; quotes in them are doubled
static void write_script_name(FILE *out, const char *before, const char *name)
{
  fprintf(out, "  '%s", before);
  for (const char *c = name; *c; c++) format_stream(out, *c == '\'' ? "''" : "%c", *c);
  fputs("'\n", out);
}


static void save_script(const linearJob *job)
{
  const artLinear *l = job->linear;
  const artModel *m = job->w->model;
  char path[FILE_PATH_LENGTH], name[CLI_NAME_LENGTH];
  baseFile file;
  error_check(file_join(path, job->w->call->directory, "state_space.m", error_current()));
  error_check(file_begin(&file, path, error_current()));
  FILE *out = file.stream;
  fprintf(out, "%% x' = A x + B u, y = C x + D u about a state; sys = ss(A, B, C, D)\n");
  fprintf(out, "x_names = {\n");
  for (int i = 0; i < l->n; i++) write_script_name(out, "", linear_coordinate_name(job, i, name));
  for (int i = 0; i < l->nspeed; i++)
    write_script_name(out, "d/dt ", linear_coordinate_name(job, l->speed[i], name));
  for (int i = 0; i < l->nstate; i++) write_script_name(out, "", art_state_name(m, i));
  fprintf(out, "};\nu_names = {\n");
  for (int i = 0; i < l->ninput; i++) write_script_name(out, "", linear_input_name(job, i));
  fprintf(out, "};\ny_names = {\n");
  for (int i = 0; i < l->noutput; i++) write_script_name(out, "", art_output_name(m, i));
  fprintf(out, "};\n");
  write_script_matrix(out, "A", l->order, l->order, l->A);
  write_script_matrix(out, "B", l->order, l->ninput, l->B);
  write_script_matrix(out, "C", l->noutput, l->order, l->Cy);
  write_script_matrix(out, "D", l->noutput, l->ninput, l->Dy);
  error_check(file_commit(&file, error_current()));
}


static void save_files(const linearJob *job)
{
  const artLinear *l = job->linear;
  const int n = l->n, order = l->order, nall = l->nall;
  double *values = arena_alloc(&job->w->arena, 4 * (size_t) order, sizeof *values);
  for (int e = 0; e < order; e++) {
    const double numbers[4] = {l->real[e], l->imaginary[e], l->frequency[e], l->damping[e]};
    for (int k = 0; k < 4; k++) values[4 * e + k] = numbers[k];
  }
  const linearTable tables[] = {
      {"M.csv", name_linear_coordinates, n, {n}, {l->M}},
      {"C.csv", name_linear_coordinates, n, {n}, {l->C}},
      {"K.csv", name_linear_coordinates, n, {n}, {l->K}},
      {"A.csv", name_linear_coordinates, order, {order}, {l->A}},
      {"B.csv", name_inputs, order, {l->ninput}, {l->B}},
      {"Cy.csv", name_linear_coordinates, l->noutput, {order}, {l->Cy}},
      {"Dy.csv", name_inputs, l->noutput, {l->ninput}, {l->Dy}},
      {"eigenvalues.csv", name_eigenvalues, order, {4, nall}, {values, l->shape_share}},
      {"modes.csv", name_modes, order, {nall, nall}, {l->shape_real, l->shape_imaginary}},
  };
  error_check(file_make_directory(job->w->call->directory, error_current()));
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) save_table(job, &tables[i]);
  save_script(job);
}


//---- the verb ------------------------------------------------------------------------------------

static void free_linear(void *linear)
{
  art_free_linear(linear);
}


void verb_linear(cliWork *w)
{
  linearJob job = {.w = w};
  solve_linear_study(&job);
  cli_defer(w, free_linear, job.linear);
  if (w->call->directory) save_files(&job);
  if (w->call->json) {
    cliReport report = report_begin(w->call);
    write_linear_json(&report, &job);
    report_end(&report);
  } else {
    print_state(&job);
    print_modes(&job);
  }
}
