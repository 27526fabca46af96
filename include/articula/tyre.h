// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres: forces between a wheel and the road, usable without a model.
//
// A tyre is constant after creation and may be shared by threads; only functions that create a tyre
// allocate. SI units, angles in radians. Forces and moments act on the wheel at the contact point,
// in the axes of ISO 8855 (TYDEX-W): x forward in the wheel plane, y to the left, both parallel to
// the road; z along the road's normal, upward. Signs and formulas: doc/reference/model/tyres.md.
#ifndef ARTICULA_TYRE_H
#define ARTICULA_TYRE_H

#include "articula/base.h"
#include "articula/road.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct artTyre artTyre;

//---- tyres from files ----------------------------------------------------------------------------

// Read a Magic Formula tyre, version 5.2, 6.1 or 6.2 by its FITTYP, from a .tir file, or from text
// with a name for messages. An invalid line gives ART_BAD_INPUT with its place; unknown keys are
// kept and noted; missing keys have the defaults of doc/reference/model/tyres.md.
ART_API artStatus art_load_tyre(artTyre **tyre, const char *path, artError *error);
ART_API artStatus art_parse_tyre(artTyre **tyre, const char *text, size_t size, const char *name,
                                 artError *error);

// Accepts NULL. Builders and models that use the tyre keep it as long as they need it.
ART_API void art_free_tyre(artTyre *tyre);

// One line of the file. The strings live as long as the tyre. Lines of tables have no key.
typedef struct artTyreValue {
  const char *section;
  const char *key;
  const char *text; // as in the file, without quotes
  double number;    // as in the file, in its units; 0 for strings
  int is_number;    // 0: a string or a row of a table
  int line;
} artTyreValue;
ART_API int art_count_tyre_values(const artTyre *tyre);
ART_API artTyreValue art_get_tyre_value(const artTyre *tyre, int i);

// Notes of the reader that are not errors: unknown and repeated keys.
typedef enum artTyreNoteKind { ART_TYRE_KEY_UNKNOWN, ART_TYRE_KEY_AGAIN } artTyreNoteKind;
typedef struct artTyreNote {
  artTyreNoteKind kind;
  const char *key;
  int line;
} artTyreNote;
ART_API int art_count_tyre_notes(const artTyre *tyre);
ART_API artTyreNote art_get_tyre_note(const artTyre *tyre, int i);

// Get or set a number of a Magic Formula tyre by its key ("LMUY"), in SI units, including defaults.
// To scale a tyre, set it before the tyre is shared. Unknown keys, and other types of tyres, give
// ART_BAD_INPUT.
ART_API artStatus art_get_tyre_number(const artTyre *tyre, const char *key, double *number);
ART_API artStatus art_set_tyre_number(artTyre *tyre, const char *key, double number,
                                      artError *error);

// Mirror the tyre, for the side of the vehicle opposite to that of its measurement. A second call
// undoes it.
ART_API void art_mirror_tyre(artTyre *tyre);

//---- tyres from numbers --------------------------------------------------------------------------

// Load:  Fz = stiffness d + damping d' >= 0  with the deflection d along the road's normal. The
// damper fades in over the first tenth of the deflection under the nominal load.
typedef struct artRadialTyre {
  double radius; // free
  double stiffness;
  double damping;
  double load; // nominal
} artRadialTyre;

// A tyre with load only, without slip forces.
ART_API artRadialTyre art_default_radial_tyre(void);
ART_API artStatus art_create_radial_tyre(artTyre **tyre, const artRadialTyre *radial,
                                         artError *error);

// Slip forces with stiffnesses proportional to the load, given at the nominal load:
//   Fx = slip kappa,  Fy = -cornering alpha - camber gamma,  Mz = -trail Fy
// With friction > 0 the force F saturates at friction * Fz:  F / sqrt(1 + (|F| / (friction Fz))^2).
// A relaxation length of 0 means a tenth of the radius, here and below.
typedef struct artLinearTyre {
  artRadialTyre radial;
  double slip, cornering, camber; // N, N/rad, N/rad
  double trail;
  double friction;
  double relaxation[2]; // longitudinal, lateral
} artLinearTyre;
ART_API artLinearTyre art_default_linear_tyre(void);
ART_API artStatus art_create_linear_tyre(artTyre **tyre, const artLinearTyre *linear,
                                         artError *error);

// Bakker, Nyborg and Pacejka, SAE 870421 (1987). Coefficients a1..a13 of the paper are stored at
// [0]..[12] (camber from a9 on), for loads in kN, angles in degrees and slip in per cent.
typedef struct artBakkerTyre {
  artRadialTyre radial;
  double side[13], brake[13], align[13];
  double relaxation[2];
} artBakkerTyre;
ART_API artStatus art_create_bakker_tyre(artTyre **tyre, const artBakkerTyre *bakker,
                                         artError *error);

// The tyre of the paper, tables 2 and 3; the caller sets the radial part.
ART_API artBakkerTyre art_default_bakker_tyre(void);

// Calspan, as in the Iltis benchmark; no longitudinal force.
typedef struct artCalspanTyre {
  artRadialTyre radial;
  double A0, A1, A2, A3, A4, Aomega;
  double B1, B3, B4, SN;
  double AF1, AF2;
  double relaxation[2];
} artCalspanTyre;
ART_API artCalspanTyre art_default_calspan_tyre(void);
ART_API artStatus art_create_calspan_tyre(artTyre **tyre, const artCalspanTyre *calspan,
                                          artError *error);

//---- forces for given slips ----------------------------------------------------------------------

typedef struct artTyreInput {
  double load;     // Fz; negative values count as 0
  double kappa;    // -Vsx / |Vx|: positive when driving, -1 for a locked wheel moving forward
  double alpha;    // atan(Vsy / |Vx|): positive if the wheel slides to its left; |alpha| < pi/2
  double gamma;    // camber: positive if the top leans to the right, seen from behind
  double speed;    // Vx, negative when moving backward
  double pressure; // 0: the pressure of the file
} artTyreInput;

typedef struct artTyreForce {
  double Fx, Fy, Fz, Mx, My, Mz;
} artTyreForce;

// The steady-state force for given slips. Continuous in all inputs, including zero slip, zero speed
// and zero load.
ART_API artTyreForce art_evaluate_tyre(const artTyre *tyre, const artTyreInput *input);

// The derivatives of (Fx, Fy, Fz, Mx, My, Mz), rows, by (kappa, alpha, gamma, load), columns: exact
// to rounding, by dual numbers, at the cost of four to eight evaluations. One-sided at kinks; all
// are 0 at zero load.
ART_API void art_differentiate_tyre(const artTyre *tyre, const artTyreInput *input,
                                    double jacobian[6][4]);

// The same forces and slips in the axes of SAE J670: y to the right, z down.
ART_API artTyreForce art_tyre_force_in_sae(artTyreForce force);
ART_API artTyreInput art_tyre_input_in_sae(artTyreInput input);

//---- radii, load and relaxation ------------------------------------------------------------------

// The free radius at a spin (rad/s), larger than at rest if the file says so.
ART_API double art_tyre_free_radius(const artTyre *tyre, double spin);

// The effective rolling radius (speed / spin) of a freely rolling wheel under a load; here the load
// of the deflection without the damper.
ART_API double art_tyre_rolling_radius(const artTyre *tyre, double load, double spin,
                                       double pressure);

typedef struct artTyreDeflection {
  double depth, rate; // free radius minus loaded radius, and its time derivative
  double spin, gamma, pressure;
  double Fx, Fy; // their effect on the stiffness; 0 to ignore it
} artTyreDeflection;

// The load of a deflection, never negative; continuous at touch-down for any rate.
ART_API double art_tyre_load(const artTyre *tyre, const artTyreDeflection *deflection);

// Distance from centre to road under a load at rate 0: the inverse of art_tyre_load; depth and rate
// are not read.
ART_API double art_tyre_loaded_radius(const artTyre *tyre, double load,
                                      const artTyreDeflection *deflection);

// Relaxation lengths, longitudinal and lateral; at least a tenth of the radius.
ART_API void art_tyre_relaxation(const artTyre *tyre, const artTyreInput *input, double sigma[2]);

//---- contact with a road -------------------------------------------------------------------------

// The height of the ground at (x, y), and its derivatives in slope. Both must be continuous.
typedef struct artGround {
  double (*height)(void *context, double x, double y, double slope[2]);
  void *context;
} artGround;

// A road of articula/road.h as ground; the road must outlive it.
ART_API artGround art_ground_of_road(const artRoad *road);

typedef struct artWheel {
  double centre[3];
  double axis[3];     // unit vector to the left of the wheel; does not rotate with it
  double velocity[3]; // of the centre
  double omega[3];    // of the wheel, including spin
} artWheel;

// The deepest point of the wheel, a disc, in the road, and its motion. All vectors in ground axes.
typedef struct artContact {
  double point[3];
  double forward[3], left[3], normal[3]; // ISO axes
  double radius;                         // from the centre to the point
  double gamma;
  double spin;     // about the axis
  double Vx, Vy;   // of the contact point, without spin, along forward and left
  double approach; // velocity of that point into the road
} artContact;

// Find the contact. Without a ground (NULL) the ground is z = 0 and the solution is a closed form;
// otherwise a ray in the wheel plane is rotated until the disc is tangent to the ground.
// ART_NO_CONVERGENCE if this fails, if the wheel lies flat, or if its position is not finite.
ART_API artStatus art_find_contact(const artGround *ground, const artWheel *wheel,
                                   artContact *contact);

//---- a wheel on the road -------------------------------------------------------------------------

typedef struct artTyreAnswer {
  artContact contact;
  artTyreInput input;     // slips and load from which the force was computed
  artTyreForce force;     // ISO axes, at the contact point
  double depth;           // deflection; negative in the air
  double Vsx, Vsy;        // slip velocities
  double world_force[3];  // the force in ground axes
  double world_moment[3]; // about the wheel centre, in ground axes
  double slip_rate[2];    // time derivatives of the slip states
} artTyreAnswer;

// The force of a tyre on a wheel that moves on a road. The caller integrates the slip states
// (kappa', tan alpha') with the returned rates:
//   sigma_x d kappa'/dt     = -Vsx - |Vx| kappa'
//   sigma_y d tan alpha'/dt =  Vsy - |Vx| tan alpha'
// They are bounded, damped down to standstill, and decay in the air (doc/reference/model/tyres.md).
// With slip = NULL the steady-state slips are used, regularised below VXLOW by a rounded |Vx|, and
// the rates are 0. On a road of lines and arcs that are sharper than the wheel
// (art_ground_of_road), the contact is the resultant of all points of contact.
ART_API artStatus art_put_tyre_on_road(const artTyre *tyre, const artGround *ground,
                                       const artWheel *wheel, const double slip[2],
                                       artTyreAnswer *answer);

#ifdef __cplusplus
}
#endif

#endif
