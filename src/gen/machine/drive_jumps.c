// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Jumps of the rates of drives with other parameters. Instants and jumps are numbers outside of a program, so that a parameter
// that moves one stays a number. One that moves none nearby, while every branch of the formula is entered and left in
// the time that is looked at, moves none.
#include <math.h>

#include "base/throw.h"
#include "force/drive.h"
#include "gen/parameter/definition.h"

enum { MAX_JUMPS = 200, LOOKS = 4000 };

typedef struct driveJumps {
  int n;
  double t[MAX_JUMPS], jump[MAX_JUMPS];
} driveJumps;


static void note_trial_jump(void *context, const modelDrive *drive, double t, double jump)
{
  driveJumps *all = context;
  (void) drive;
  if (all->n < MAX_JUMPS) {
    all->t[all->n] = t;
    all->jump[all->n] = jump;
  }
  all->n++;
}


// the time before, three times the time after
static void span_of(const genBuild *b, double *from, double *until)
{
  const double length = b->options->until - b->options->from;
  *from = b->options->from - length;
  *until = b->options->until + 3 * length;
}


static int find_jumps(genBuild *b, artData *d, const artModel *m, int i, driveJumps *all)
{
  ART_ASSERT(i >= 0 && i < m->ndrive);
  const modelDrive *drive = &m->drive[i];
  artError ignored = {0};
  double from, until;
  span_of(b, &from, &until);
  all->n = 0;
  return force_look_at_motion(m, d, drive, from, until, d->work->mode + drive->mode0,
                              d->work->force->mode_before + drive->mode0, note_trial_jump, all,
                              &ignored) == ART_OK &&
         all->n <= MAX_JUMPS;
}


static int are_same_jumps(const driveJumps *a, const driveJumps *b)
{
  const double rounding = 1e-9;
  if (a->n != b->n) return 0;
  for (int k = 0; k < a->n; k++) {
    if (!(fabs(a->t[k] - b->t[k]) <= rounding * (1 + fabs(a->t[k]))) ||
        !(fabs(a->jump[k] - b->jump[k]) <= rounding * fabs(a->jump[k]))) {
      return 0;
    }
  }
  return 1;
}


int gen_passes_branches(genBuild *b, const modelDrive *drive)
{
  const artModel *m = b->m;
  const int n = drive->formula->nswitch;
  int *first = gen_alloc(b, (size_t) n, sizeof *first),
      *seen = gen_alloc(b, (size_t) n, sizeof *seen);
  artData *d = art_create_data(m);
  if (!d) error_throw();
  int all = 1, *mode = d->work->mode + drive->mode0;
  double from, until;
  span_of(b, &from, &until);
  for (int k = 0; k <= LOOKS; k++) {
    drive_set_branches(m, d->work, drive, from + k * (until - from) / LOOKS, mode);
    for (int i = 0; i < n; i++) {
      if (k == 0) first[i] = mode[i];
      seen[i] |= mode[i] != first[i];
    }
  }
  for (int i = 0; i < n; i++) all &= seen[i];
  art_free_data(d);
  return all;
}


int gen_has_jumps(genBuild *b, artData *d, const artModel *other, const modelDrive **drive)
{
  driveJumps *jumps = arena_alloc(&b->scratch, 2, sizeof *jumps);
  int is_same = 1;
  for (int i = 0; i < b->m->ndrive && is_same; i++) {
    const formula *f = b->m->drive[i].formula;
    if (!f || f->nswitch == 0) continue;
    *drive = &b->m->drive[i];
    is_same = find_jumps(b, d, b->m, i, &jumps[0]) && find_jumps(b, d, other, i, &jumps[1]) &&
              are_same_jumps(&jumps[0], &jumps[1]);
  }
  arena_free(&b->scratch);
  return is_same;
}
