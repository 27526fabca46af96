// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Forces and torques of ADAMS given by components, and stiffnesses in all six directions.
#include <math.h>
#include <string.h>

#include "import/adams.h"


//---- by components -------------------------------------------------------------------------------

// components in ground axes of blocks that give them in axes of a marker; false: all are zero
static bool along_ground(admReader *r, const char *const block[3], const admMarker *axes,
                         const char *x[3])
{
  bool has_any = false;
  for (int c = 0; c < 3; c++) {
    x[c] = "0";
    for (int k = 0; k < 3; k++) {
      const char *axis = adm_axis(r, axes, k, c);
      if (!block[k] || strcmp(axis, "0") == 0) continue;
      const char *part =
          strcmp(axis, "1") == 0 ? block[k] : import_format(r->w, "%s*%s", block[k], axis);
      x[c] = strcmp(x[c], "0") == 0 ? part : import_format(r->w, "%s + %s", x[c], part);
    }
    has_any = has_any || block[c];
  }
  return has_any;
}


// blocks of three components, NULL for missing ones
static bool read_components(admReader *r, admStatement *s, char letter, double unit,
                            const char *block[3])
{
  bool has_any = false;
  for (int c = 0; c < 3; c++) {
    const char key[3] = {letter, (char) ('X' + c), 0};
    admField *field = adm_field(s, key, 2);
    block[c] = NULL;
    if (!field || strcmp(field->value, "0") == 0) continue;
    has_any = true;
    const char what[3] = {letter == 'F' ? 'f' : 't', (char) ('x' + c), 0};
    block[c] = adm_add_block(r, s, what, adm_scaled(r, field, unit, USE_MOTION));
  }
  return has_any;
}


static const char *negative_text(admReader *r, const char *x)
{
  return strcmp(x, "0") == 0 ? x : import_format(r->w, "-(%s)", x);
}


static const char *adams_force_name(admReader *r, admStatement *s, const char *what)
{
  importWork *w = r->w;
  return import_name(w, import_fresh(w, "%s_%s", import_spell(w, s->name), what), "force",
                     s->place);
}


// The reaction acts on the part of J at the position of I: a force at the origin of that body, and
// a torque.
static void react_on_part(admReader *r, admStatement *s, const admMarker *i, const admPart *part,
                          const char *const f[3], const char *const t[3])
{
  importWork *w = r->w;
  if (part->body < 0) return;
  const char *body = w->machine.body[part->body].name, *x[3], *m[3];
  for (int c = 0; c < 3; c++) {
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    x[c] = f ? negative_text(r, f[c]) : "0";
    m[c] = t ? negative_text(r, t[c]) : "0";
    if (!f) continue;
    // -(r_i - r_o) x f
    const char *da = adm_from_body(r, i, body, a), *db = adm_from_body(r, i, body, b);
    const char *arm = import_format(w, "%s*(%s) - %s*(%s)", db, f[a], da, f[b]);
    m[c] = strcmp(m[c], "0") == 0 ? arm : import_format(w, "%s + %s", m[c], arm);
  }
  if (f) adm_push(r, s, adams_force_name(r, s, "reaction"), body, false, x);
  adm_push(r, s, adams_force_name(r, s, "reaction_torque"), body, true, m);
}


void adm_read_vector(admReader *r, admStatement *s)
{
  const admMarker *i = adm_need_marker(r, s, "I"), *rm = adm_marker(r, s, "RM", 2);
  admMarker *floats = adm_marker(r, s, "JFLOAT", 2);
  const char *block[3], *f[3], *t[3];
  if (adm_has(s, "FUNCTION", 2)) {
    import_fail(r->w, s->place, "%s/%ld is made by a subroutine", s->verb, s->id);
  }
  const bool pushes = strcmp(s->verb, "VTORQUE") != 0 &&
                      read_components(r, s, 'F', r->force, block) && along_ground(r, block, rm, f);
  const bool turns = strcmp(s->verb, "VFORCE") != 0 &&
                     read_components(r, s, 'T', r->force * r->length, block) &&
                     along_ground(r, block, rm, t);
  adm_add_load(r, (admForce){.s = s, .i = i, .j = floats, .form = '?'});
  if (!floats)
    import_note_motion(r->w, s->place, "%s/%ld has no JFLOAT: it acts on I alone", s->verb, s->id);
  if (i->part->body >= 0) {
    if (pushes) adm_push(r, s, adm_name(r, s, "force"), i->frame, false, f);
    if (turns) {
      adm_push(r, s, adams_force_name(r, s, "torque"), r->w->machine.body[i->part->body].name, true,
               t);
    }
  }
  if (floats && (pushes || turns)) {
    react_on_part(r, s, i, floats->part, pushes ? f : NULL, turns ? t : NULL);
  }
}


//---- stiffnesses ---------------------------------------------------------------------------------

typedef struct stiffSix {
  double K[6][6], C[6][6], preload[6];
} stiffSix;


// convert entries from units of the deck to SI: force per length, force, force times length
static void scale_six(const admReader *r, double A[6][6], double per)
{
  for (int a = 0; a < 6; a++) {
    for (int b = 0; b < 6; b++) {
      const double unit = r->force * (a < 3 ? 1 : r->length) / (b < 3 ? r->length : 1) * per;
      A[a][b] = adm_si(A[a][b], unit);
    }
  }
}


static const char *six_text(importWork *w, double A[6][6])
{
  double diagonal[6];
  bool is_diagonal = true;
  for (int a = 0; a < 6; a++) {
    diagonal[a] = A[a][a];
    for (int b = 0; b < 6; b++) is_diagonal = is_diagonal && (a == b || A[a][b] == 0);
  }
  if (is_diagonal) return import_list(w, 6, diagonal);
  const char *text = "";
  for (int a = 0; a < 6; a++) {
    text = import_format(w, "%s%s%s", text, a ? ", " : "", import_list(w, 6, A[a]));
  }
  return import_format(w, "[%s]", text);
}


static void check_symmetric(admReader *r, admStatement *s, double A[6][6])
{
  for (int a = 0; a < 6; a++) {
    for (int b = 0; b < a; b++) {
      const double mean = (A[a][b] + A[b][a]) / 2;
      if (fabs(A[a][b] - A[b][a]) > 1e-9 * (fabs(A[a][a]) + fabs(A[b][b]) + fabs(mean))) {
        import_fail(r->w, s->place, "a matrix of %s/%ld is not symmetric", s->verb, s->id);
      }
      A[a][b] = A[b][a] = mean;
    }
  }
}


// measured in axes of J, at I; ADAMS angles are small, here they are a rotation vector
static void add_stiffness(admReader *r, admStatement *s, stiffSix *six)
{
  importWork *w = r->w;
  const admMarker *i = adm_need_marker(r, s, "I"), *j = adm_need_marker(r, s, "J");
  scale_six(r, six->K, 1);
  scale_six(r, six->C, r->time);
  check_symmetric(r, s, six->K);
  check_symmetric(r, s, six->C);
  for (int k = 0; k < 6; k++) {
    six->preload[k] = adm_si(six->preload[k], r->force * (k < 3 ? 1 : r->length));
  }
  import_note_motion(w, s->place,
                     "angles of stiffnesses in six directions are a rotation vector here, which "
                     "differs where they are large");
  const char *name = adm_name(r, s, "force");
  adm_add_load(r, (admForce){.s = s, .i = i, .j = j, .name = name, .form = 'b', .sign = 1});
  import_add_item(w, "forces", name, s->place,
                  "{type: %s, from: %s, to: %s, stiffness: %s, damping: %s, preload: %s}",
                  s->kind->type, j->frame, i->frame, six_text(w, six->K), six_text(w, six->C),
                  import_list(w, 6, six->preload));
}


static void read_three(admReader *r, admStatement *s, const char *key, double *x)
{
  admField *field = adm_field(s, key, (int) strlen(key));
  if (field && adm_numbers(r, field, 3, x) != 3) {
    import_fail(r->w, field->place, "%s of %s/%ld needs three numbers", key, s->verb, s->id);
  }
}


void adm_read_bush(admReader *r, admStatement *s)
{
  stiffSix six = {0};
  double K[6] = {0}, C[6] = {0};
  read_three(r, s, "K", K);
  read_three(r, s, "KT", K + 3);
  read_three(r, s, "C", C);
  read_three(r, s, "CT", C + 3);
  read_three(r, s, "FORCE", six.preload);
  read_three(r, s, "TORQUE", six.preload + 3);
  for (int k = 0; k < 6; k++) {
    six.K[k][k] = K[k];
    six.C[k][k] = C[k];
  }
  add_stiffness(r, s, &six);
}


// CMATRIX, or CRATIO times the stiffness
static void read_damping(admReader *r, admStatement *s, stiffSix *six)
{
  admField *matrix = adm_field(s, "CMATRIX", 2);
  const double ratio = adm_number(r, s, "CRATIO", 2, 0);
  if (matrix && adm_numbers(r, matrix, 36, &six->C[0][0]) != 36) {
    import_fail(r->w, matrix->place, "CMATRIX of %s/%ld needs 36 numbers", s->verb, s->id);
  }
  for (int k = 0; k < 36 && !matrix; k++) (&six->C[0][0])[k] = ratio * (&six->K[0][0])[k];
}


// F = FORCE - K (x - LENGTH) - C x'
void adm_read_field(admReader *r, admStatement *s)
{
  stiffSix six = {0};
  double length[6] = {0};
  admField *matrix = adm_field(s, "KMATRIX", 2), *lengths = adm_field(s, "LENGTH", 1),
           *force = adm_field(s, "FORCE", 2);
  if (adm_has(s, "FUNCTION", 2)) {
    import_fail(r->w, s->place, "FIELD/%ld is made by a subroutine", s->id);
  }
  if (matrix && adm_numbers(r, matrix, 36, &six.K[0][0]) != 36) {
    import_fail(r->w, matrix->place, "KMATRIX of FIELD/%ld needs 36 numbers", s->id);
  }
  read_damping(r, s, &six);
  if (lengths) adm_numbers(r, lengths, 6, length);
  if (force) adm_numbers(r, force, 6, six.preload);
  for (int a = 0; a < 6; a++) {
    for (int b = 0; b < 6; b++) six.preload[a] += six.K[a][b] * length[b];
  }
  add_stiffness(r, s, &six);
}


static double need_number(admReader *r, admStatement *s, const char *key, int least)
{
  if (!adm_has(s, key, least)) {
    import_fail(r->w, s->place, "%s/%ld has no %s", s->verb, s->id, key);
  }
  return adm_number(r, s, key, least, 0);
}


// Timoshenko's beam along x of J, with the shear of ASY and ASZ: P = 12 E I AS/(G A L^2)
void adm_read_beam(admReader *r, admStatement *s)
{
  stiffSix six = {0};
  const double L = need_number(r, s, "LENGTH", 1), A = need_number(r, s, "AREA", 1),
               E = need_number(r, s, "EMODULUS", 1), G = need_number(r, s, "GMODULUS", 1),
               Ix = need_number(r, s, "IXX", 2), Iy = need_number(r, s, "IYY", 2),
               Iz = need_number(r, s, "IZZ", 2), asy = adm_number(r, s, "ASY", 3, 0),
               asz = adm_number(r, s, "ASZ", 3, 0);
  if (!(L > 0) || !(A > 0) || !(G > 0)) {
    import_fail(r->w, s->place, "LENGTH, AREA and GMODULUS of BEAM/%ld must be positive", s->id);
  }
  const double py = 12 * E * Iz * asy / (G * A * L * L), pz = 12 * E * Iy * asz / (G * A * L * L);
  six.K[0][0] = E * A / L;
  six.K[1][1] = 12 * E * Iz / (L * L * L * (1 + py));
  six.K[2][2] = 12 * E * Iy / (L * L * L * (1 + pz));
  six.K[3][3] = G * Ix / L;
  six.K[4][4] = (4 + pz) * E * Iy / (L * (1 + pz));
  six.K[5][5] = (4 + py) * E * Iz / (L * (1 + py));
  six.K[1][5] = six.K[5][1] = -6 * E * Iz / (L * L * (1 + py));
  six.K[2][4] = six.K[4][2] = 6 * E * Iy / (L * L * (1 + pz));
  read_damping(r, s, &six);
  six.preload[0] = six.K[0][0] * L;
  add_stiffness(r, s, &six);
}
