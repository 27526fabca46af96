// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula linear: frequencies, damping and modes; matrices as CSV.
#include <math.h>

#include "base/larger.h"
#include "command.h"
#include "model/model.h"
#include "show/csv.h"
#include "show/json.h"

enum { SHOWN_SHARES = 3 };

typedef struct linearJob {
  cliWork *w;
  artEquilibrium equilibrium;
  artTrim trim;
  double unrest; // largest acceleration at the state, m/s^2 or rad/s^2
  artLinear *linear;
} linearJob;


static const char *name_of(const linearJob *job, int i, char name[CLI_NAME_LENGTH])
{
  return cli_displacement_name(job->w->model, job->linear->coordinate[i], name);
}


// modes are shown in all coordinates, not only in the independent ones of closed loops
static const char *shown_name(const linearJob *job, int i, char name[CLI_NAME_LENGTH])
{
  return cli_displacement_name(job->w->model, job->linear->all[i], name);
}


static artStatus solve(linearJob *job, artError *error)
{
  artStatus status = ART_OK;
  if (job->w->study.at_equilibrium) {
    status = art_find_start(job->w->model, job->w->data, &job->w->study, &job->equilibrium,
                            &job->trim, error);
  }
  if (status) return status;

  artAssembly assembly;
  art_update(job->w->model, job->w->data);
  status = art_assemble(job->w->model, job->w->data, &assembly, error);
  if (!status) status = art_accelerate(job->w->model, job->w->data, job->w->study.method, error);
  if (status) return status;
  for (int k = 0; k < job->w->model->tree.nv; k++) {
    job->unrest = base_larger(job->unrest, fabs(job->w->data->a[k]));
  }
  return art_linearise(job->w->model, job->w->data, job->w->study.method, &job->linear, error);
}


// the eigenvalue with negative imaginary part is the other half of a pair
static bool is_second_of_pair(const artLinear *l, int e)
{
  return l->imaginary[e] < 0;
}


// eigenvalues to the right of the axis by more than rounding
static int count_unstable(const artLinear *l)
{
  double largest = 1;
  int count = 0;
  for (int e = 0; e < l->order; e++)
    largest = base_larger(largest, hypot(l->real[e], l->imaginary[e]));
  for (int e = 0; e < l->order; e++) count += l->real[e] > 1e-7 * largest;
  return count;
}


//---- for people ----------------------------------------------------------------------------------

// the coordinate with the largest share of those not above `bound`, which coordinate `last` had; -1
// when none is left
static int next_share(const artLinear *l, const double *share, double bound, int last)
{
  int best = -1;
  for (int i = 0; i < l->nall; i++) {
    const double size = fabs(share[i]);
    const bool is_left = size < bound || (size == bound && i > last);
    if (is_left && (best < 0 || size > fabs(share[best]))) best = i;
  }
  return best;
}


// the coordinates with the largest shares, largest first; coupling can make a share negative
static void print_shares(const linearJob *job, int e)
{
  const artLinear *l = job->linear;
  const double *share = l->shape_share + (size_t) e * (size_t) l->nall;
  double bound = INFINITY;
  int best = -1;
  for (int shown = 0; shown < SHOWN_SHARES; shown++) {
    char name[CLI_NAME_LENGTH];
    best = next_share(l, share, bound, best);
    if (best < 0 || fabs(share[best]) < 0.005) return;
    bound = fabs(share[best]);
    printf("%s%s %.0f %%", shown ? ", " : "", shown_name(job, best, name), 100 * share[best]);
  }
}


static void print_mode(const linearJob *job, int number, int e)
{
  const artLinear *l = job->linear;
  const bool is_pair = l->imaginary[e] > 0;
  // a real eigenvalue has no frequency; adding zero makes 0 of -0
  printf("%5d ", number);
  if (is_pair) {
    printf("%14.6g %12.5g", l->frequency[e], l->damping[e] + 0.0);
  } else {
    printf("%14s %12s", "-", "-");
  }
  printf(" %13.6g %s%-12.6g ", l->real[e] + 0.0, is_pair ? "+-" : "  ", l->imaginary[e] + 0.0);
  print_shares(job, e);
  putchar('\n');
}


static void print_state(const linearJob *job)
{
  cli_print_title(job->w->call, art_title(job->w->model));
  printf(", linearised about %s: %d free coordinate%s\n",
         job->w->study.at_equilibrium ? "the equilibrium" : "the initial state", job->linear->n,
         job->linear->n == 1 ? "" : "s");
  if (job->w->study.at_equilibrium && job->w->study.speed != 0) {
    printf("steady motion at %.6g m/s after %d iterations, gain of speed %.3g m/s^2\n",
           job->w->study.speed, job->trim.iterations, job->trim.gain);
  } else if (job->w->study.at_equilibrium) {
    printf("equilibrium after %d iterations, largest force out of balance %.3g N or N m\n",
           job->equilibrium.iterations, job->equilibrium.residual);
  } else if (job->unrest > 1e-6) {
    printf("this is no equilibrium: accelerations reach %.3g m/s^2 or rad/s^2; --at-equilibrium "
           "searches one\n",
           job->unrest);
  }
}


static void print_table(const linearJob *job)
{
  int number = 0;
  print_state(job);
  printf("\n%s mode frequency [Hz]  damping [1]    real [1/s] imaginary [1/s]%s largest shares of "
         "kinetic energy\n",
         cli_bold(stdout), cli_plain(stdout));
  for (int e = 0; e < job->linear->order; e++) {
    if (!is_second_of_pair(job->linear, e)) print_mode(job, ++number, e);
  }
  const int unstable = count_unstable(job->linear);
  if (unstable > 0) {
    printf("\nunstable: %d eigenvalue%s with positive real part\n", unstable,
           unstable == 1 ? "" : "s");
  }
}


//---- for programs --------------------------------------------------------------------------------

static void write_matrix(ioJson *json, const char *key, int n, const double *matrix)
{
  json_array(json, key);
  for (int i = 0; i < n; i++) json_numbers(json, NULL, n, matrix + (size_t) i * (size_t) n);
  json_end(json);
}


static void write_modes(ioJson *json, const artLinear *l)
{
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
}


static void write_json(const linearJob *job)
{
  const artLinear *l = job->linear;
  ioJson json = {.file = stdout};
  json_object(&json, NULL);
  json_fields(&json, "file: %s, at_equilibrium: %i, largest_acceleration: %g", job->w->call->file,
              job->w->study.at_equilibrium, job->unrest);
  json_list(&json, "coordinates");
  for (int i = 0; i < l->n; i++) {
    char name[CLI_NAME_LENGTH];
    json_text(&json, NULL, name_of(job, i, name));
  }
  json_end(&json);
  json_list(&json, "mode_coordinates");
  for (int i = 0; i < l->nall; i++) {
    char name[CLI_NAME_LENGTH];
    json_text(&json, NULL, shown_name(job, i, name));
  }
  json_end(&json);
  json_list(&json, "states");
  for (int i = 0; i < l->nstate; i++) json_text(&json, NULL, art_state_name(job->w->model, i));
  json_end(&json);
  write_modes(&json, l);
  write_matrix(&json, "M", l->n, l->M);
  write_matrix(&json, "C", l->n, l->C);
  write_matrix(&json, "K", l->n, l->K);
  write_matrix(&json, "A", l->order, l->A);
  json_end(&json);
}


//---- files ---------------------------------------------------------------------------------------

// names of the coordinates, with a word before each
static void write_names(const linearJob *job, ioCsv *csv, const char *prefix)
{
  for (int i = 0; i < job->linear->n; i++) {
    char name[CLI_NAME_LENGTH], whole[2 * CLI_NAME_LENGTH];
    snprintf(whole, sizeof whole, "%s%s", prefix, name_of(job, i, name));
    csv_name(csv, whole, NULL);
  }
}


static void write_shown_names(const linearJob *job, ioCsv *csv, const char *prefix,
                              const char *suffix)
{
  for (int i = 0; i < job->linear->nall; i++) {
    char name[CLI_NAME_LENGTH], whole[2 * CLI_NAME_LENGTH];
    snprintf(whole, sizeof whole, "%s%s%s", prefix, shown_name(job, i, name), suffix);
    csv_name(csv, whole, NULL);
  }
}


static artStatus open_file(const linearJob *job, ioCsv *csv, const char *name, artError *error)
{
  char path[FILE_PATH_LENGTH];
  const artStatus status = file_join(path, job->w->call->directory, name, error);
  return status ? status : csv_begin(csv, path, error);
}


// close what was opened; an earlier failure counts for more
static artStatus close_file(ioCsv *csv, artStatus status, artError *error)
{
  if (!status) return csv_close(csv, error);
  csv_abandon(csv);
  return status;
}


static artStatus save_matrix(const linearJob *job, const char *file, int n, const double *matrix,
                             artError *error)
{
  ioCsv csv = {0};
  artStatus status = open_file(job, &csv, file, error);
  if (status) return status;
  write_names(job, &csv, "");
  if (n > job->linear->n) {
    write_names(job, &csv, "d/dt ");
    for (int i = 0; i < job->linear->nstate; i++) {
      csv_name(&csv, art_state_name(job->w->model, i), NULL);
    }
  }
  status = csv_end_line(&csv, error);
  for (int i = 0; i < n && !status; i++) {
    csv_numbers(&csv, n, matrix + (size_t) i * (size_t) n);
    status = csv_end_line(&csv, error);
  }
  return close_file(&csv, status, error);
}


static artStatus save_eigenvalues(const linearJob *job, artError *error)
{
  const artLinear *l = job->linear;
  ioCsv csv = {0};
  artStatus status = open_file(job, &csv, "eigenvalues.csv", error);
  if (status) return status;
  csv_name(&csv, "real", "1/s");
  csv_name(&csv, "imaginary", "1/s");
  csv_name(&csv, "frequency", "Hz");
  csv_name(&csv, "damping", "1");
  write_shown_names(job, &csv, "share ", "");
  status = csv_end_line(&csv, error);
  for (int e = 0; e < l->order && !status; e++) {
    const double numbers[] = {l->real[e], l->imaginary[e], l->frequency[e], l->damping[e]};
    csv_numbers(&csv, 4, numbers);
    csv_numbers(&csv, l->nall, l->shape_share + (size_t) e * (size_t) l->nall);
    status = csv_end_line(&csv, error);
  }
  return close_file(&csv, status, error);
}


static artStatus save_modes(const linearJob *job, artError *error)
{
  const artLinear *l = job->linear;
  ioCsv csv = {0};
  artStatus status = open_file(job, &csv, "modes.csv", error);
  if (status) return status;
  write_shown_names(job, &csv, "", " real");
  write_shown_names(job, &csv, "", " imaginary");
  status = csv_end_line(&csv, error);
  for (int e = 0; e < l->order && !status; e++) {
    csv_numbers(&csv, l->nall, l->shape_real + (size_t) e * (size_t) l->nall);
    csv_numbers(&csv, l->nall, l->shape_imaginary + (size_t) e * (size_t) l->nall);
    status = csv_end_line(&csv, error);
  }
  return close_file(&csv, status, error);
}


static artStatus save_files(const linearJob *job, artError *error)
{
  const artLinear *l = job->linear;
  artStatus status = file_make_directory(job->w->call->directory, error);
  if (!status) status = save_matrix(job, "M.csv", l->n, l->M, error);
  if (!status) status = save_matrix(job, "C.csv", l->n, l->C, error);
  if (!status) status = save_matrix(job, "K.csv", l->n, l->K, error);
  if (!status) status = save_matrix(job, "A.csv", l->order, l->A, error);
  if (!status) status = save_eigenvalues(job, error);
  return status ? status : save_modes(job, error);
}


//---- the verb ------------------------------------------------------------------------------------

artStatus verb_linear(cliWork *w, artError *error)
{
  linearJob job = {.w = w};
  artStatus status = solve(&job, error);
  if (!status && w->call->directory) status = save_files(&job, error);
  if (!status && w->call->json) write_json(&job);
  if (!status && !w->call->json) {
    print_table(&job);
    if (w->call->directory) {
      printf("\nmatrices M, C, K, A, eigenvalues and modes are in %s\n", w->call->directory);
    }
  }
  art_free_linear(job.linear);
  return status;
}
