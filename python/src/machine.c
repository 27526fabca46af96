// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A machine that is stepped: its run, and detection of changes of its state by the user.
#include "machine.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"


//---- the state left by the run -------------------------------------------------------------------

static size_t bytes_of(int n)
{
  return (size_t) n * sizeof(double);
}


void machine_keep(pyMachine *m)
{
  const artCounts n = art_count(m->model);
  double *kept = m->kept;
  memcpy(kept, m->data->q, bytes_of(n.nq));
  memcpy(kept += n.nq, m->data->v, bytes_of(n.nv));
  memcpy(kept += n.nv, m->data->s, bytes_of(n.states));
  kept[n.states] = m->data->time;
}


int machine_is_as_left(const pyMachine *m)
{
  const artCounts n = art_count(m->model);
  const double *kept = m->kept;
  return memcmp(kept, m->data->q, bytes_of(n.nq)) == 0 &&
         memcmp(kept + n.nq, m->data->v, bytes_of(n.nv)) == 0 &&
         memcmp(kept + n.nq + n.nv, m->data->s, bytes_of(n.states)) == 0 &&
         kept[n.nq + n.nv + n.states] == m->data->time;
}


//---- creation ------------------------------------------------------------------------------------

static artStatus begin(pyMachine *m, const artRunDef *study, artError *error)
{
  art_update(m->model, m->data);
  artStatus status = art_create_run(&m->run, m->model, m->data, study, error);
  if (!status) status = art_step(m->run, 0, error); // outputs may be requested now
  if (!status) machine_keep(m);
  return status;
}


// save the run for reset; if memory runs out, reset creates a new run
static void save_start(pyMachine *m)
{
  m->size = art_run_state_size(m->run);
  free(m->start);
  m->start = malloc(m->size);
  m->revision = art_model_revision(m->model);
  if (m->start && art_save_run(m->run, m->start, m->size, NULL)) m->revision--;
}


static artStatus start(pyMachine *m, const artRunDef *study, artError *error)
{
  m->data->time = study->from;
  art_update(m->model, m->data);
  artStatus status = ART_OK;
  if (study->start.at_equilibrium) {
    status = art_find_start(m->model, m->data, &study->start, NULL, NULL, error);
  }
  if (!status) status = begin(m, study, error);
  if (!status) save_start(m);
  return status;
}


static artStatus take(pyMachine *m, const artModel *model, artError *error)
{
  const artCounts n = art_count(model);
  m->model = model;
  m->data = art_create_data(model);
  m->kept = malloc(bytes_of(n.nq + n.nv + n.states + 1));
  return m->data && m->kept ? ART_OK : base_no_memory(error);
}


artStatus machine_make(pyMachine *m, const artModel *model, const artRunDef *study, artError *error)
{
  const artStatus status = take(m, model, error);
  return status ? status : start(m, study, error);
}


artStatus machine_make_like(pyMachine *m, const pyMachine *first, const artRunDef *study,
                            artError *error)
{
  const int is_saved = first->start && first->revision == art_model_revision(first->model);
  if (!is_saved) return machine_make(m, first->model, study, error);
  artStatus status = take(m, first->model, error);
  if (!status) status = art_copy_data(m->model, m->data, first->data, error);
  if (!status) status = art_create_run(&m->run, m->model, m->data, study, error);
  if (!status) status = art_load_run(m->run, first->start, first->size, error);
  if (!status) status = art_step(m->run, 0, error);
  if (status) return status;
  machine_keep(m);
  save_start(m);
  return ART_OK;
}


void machine_free(pyMachine *m)
{
  art_free_run(m->run);
  art_free_data(m->data);
  free(m->kept);
  free(m->start);
}


void machine_move(pyMachine *m, double *q, double *v, double *s)
{
  const artCounts n = art_count(m->model);
  memcpy(q, m->data->q, bytes_of(n.nq));
  memcpy(v, m->data->v, bytes_of(n.nv));
  memcpy(s, m->data->s, bytes_of(n.states));
  m->data->q = q;
  m->data->v = v;
  m->data->s = s;
}


//---- steps ---------------------------------------------------------------------------------------

static artStatus begin_anew(pyMachine *m, const artRunDef *study, artError *error)
{
  artRunDef rest = *study;
  rest.from = m->data->time;
  rest.until = rest.from + (study->until - study->from);
  art_free_run(m->run);
  m->run = NULL;
  return begin(m, &rest, error);
}


artStatus machine_look(pyMachine *m, const artRunDef *study, artError *error)
{
  return m->run && machine_is_as_left(m) ? ART_OK : begin_anew(m, study, error);
}


artStatus machine_step(pyMachine *m, double dt, long n, artError *error)
{
  artStatus status = ART_OK;
  for (long i = 0; i < n && !status; i++) status = art_step(m->run, dt, error);
  machine_keep(m);
  return status;
}


artStatus machine_reset(pyMachine *m, const artRunDef *study, artError *error)
{
  const int is_same = m->run && m->start && m->revision == art_model_revision(m->model);
  if (is_same && art_run_state_size(m->run) == m->size &&
      art_load_run(m->run, m->start, m->size, NULL) == ART_OK) {
    machine_keep(m);
    return ART_OK;
  }
  art_free_run(m->run);
  m->run = NULL;
  art_reset(m->model, m->data);
  return start(m, study, error);
}
