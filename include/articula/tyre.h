// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyres: forces between a wheel and the road, usable without a model.
//
// A tyre is constant once made and may be shared by threads; nothing below allocates except the
// functions that make one. SI units, angles in radians. Forces and moments act on the wheel at the
// contact point, in the axes of ISO 8855 (TYDEX-W): x forward in the wheel plane, y to the left, both
// along the road; z along the road's normal, upward. See doc/reference/tyres.md for signs and formulas.
#ifndef ARTICULA_TYRE_H
#define ARTICULA_TYRE_H

#include "articula/base.h"
#include "articula/road.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct artTyre artTyre;

//---- tyres from files ----------------------------------------------------------------------------

// Read a Magic Formula tyre, version 5.2, 6.1 or 6.2 by its FITTYP, from a .tir file or from text that
// carries a name for messages. A wrong line is ART_BAD_INPUT with its place; keys that are not known
// are kept and noted, keys that are missing have the defaults of doc/reference/tyres.md.
ART_API artStatus art_load_tyre(artTyre **tyre, const char *path, artError *error);
ART_API artStatus art_parse_tyre(artTyre **tyre, const char *text, size_t size, const char *name,
                                 artError *error);

// Accepts NULL. Builders and models that were given the tyre keep it as long as they need it.
ART_API void art_free_tyre(artTyre *tyre);

// Contents of one line of the file. The texts live as long as the tyre. Lines of tables have no key.
typedef struct artTyreValue {
  const char *section;
  const char *key;
  const char *text; // as written, without quotes
  double number;    // as written, in the file's units; 0 for texts
  int is_number;    // 0: a text or a row of a table
  int line;
} artTyreValue;
ART_API int art_count_tyre_values(const artTyre *tyre);
ART_API artTyreValue art_get_tyre_value(const artTyre *tyre, int i);

// Remarks of the reader that are no failure: keys that it does not know or that stood before.
typedef enum artTyreNoteKind { ART_TYRE_KEY_UNKNOWN, ART_TYRE_KEY_AGAIN } artTyreNoteKind;
typedef struct artTyreNote {
  artTyreNoteKind kind;
  const char *key;
  int line;
} artTyreNote;
ART_API int art_count_tyre_notes(const artTyre *tyre);
ART_API artTyreNote art_get_tyre_note(const artTyre *tyre, int i);

// A number of a Magic Formula tyre by its key ("LMUY"), in SI units, defaults included; to scale a tyre,
// set it before the tyre is shared. Keys that are not known, and other tyres, are ART_BAD_INPUT.
ART_API artStatus art_get_tyre_number(const artTyre *tyre, const char *key, double *number);
ART_API artStatus art_set_tyre_number(artTyre *tyre, const char *key, double number,
                                      artError *error);

// Mount the tyre on the other side of the vehicle than that of its measurement: left and right change
// places. A second call undoes it.
ART_API void art_mirror_tyre(artTyre *tyre);

//---- tyres from numbers --------------------------------------------------------------------------

// Load:  Fz = stiffness d + damping d' >= 0  with the deflection d along the road's
// normal. The damper fades in over the first tenth of the deflection under the nominal load.
typedef struct artRadialTyre {
  double radius; // free
  double stiffness;
  double damping;
  double load; // nominal
} artRadialTyre;

// Nothing but the load.
ART_API artRadialTyre art_default_radial_tyre(void);
ART_API artStatus art_create_radial_tyre(artTyre **tyre, const artRadialTyre *radial,
                                         artError *error);

// Stiffnesses at the nominal load, in proportion to the load elsewhere:
//   Fx = slip kappa,  Fy = -cornering alpha - camber gamma,  Mz = -trail Fy
// With friction > 0 the force bends towards friction * Fz:  F / sqrt(1 + (|F| / (friction Fz))^2).
// Relaxation lengths of 0 become a tenth of the radius, here and below.
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

// Bakker, Nyborg and Pacejka, SAE 870421 (1987). Coefficients a1..a13 of the paper stand at [0]..[12]
// (camber from a9 on), for loads in kN, angles in degrees and slip in per cent.
typedef struct artBakkerTyre {
  artRadialTyre radial;
  double side[13], brake[13], align[13];
  double relaxation[2];
} artBakkerTyre;
ART_API artStatus art_create_bakker_tyre(artTyre **tyre, const artBakkerTyre *bakker,
                                         artError *error);

// The tyre of the paper, tables 2 and 3; the radial part is left to the caller.
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

//---- forces of given slips -----------------------------------------------------------------------

typedef struct artTyreInput {
  double load;     // Fz; below 0 counts as 0
  double kappa;    // -Vsx / |Vx|: driving is positive, -1 a locked wheel rolling forward
  double alpha;    // atan(Vsy / |Vx|): positive when the wheel slides to its left; |alpha| < pi/2
  double gamma;    // camber: positive when the top leans to the right, seen from behind
  double speed;    // Vx, negative backward
  double pressure; // 0: that of the file
} artTyreInput;

typedef struct artTyreForce {
  double Fx, Fy, Fz, Mx, My, Mz;
} artTyreForce;

// The steady force of the slips. Continuous in all inputs, through zero slip, zero speed and zero load.
ART_API artTyreForce art_evaluate_tyre(const artTyre *tyre, const artTyreInput *input);

// The derivatives of (Fx, Fy, Fz, Mx, My, Mz), rows, by (kappa, alpha, gamma, load), columns: exact to
// rounding, by dual numbers, at four to eight evaluations. One-sided at corners: at no load all are 0.
ART_API void art_differentiate_tyre(const artTyre *tyre, const artTyreInput *input,
                                    double jacobian[6][4]);

// The same force, and the same slips, in the axes of SAE J670: y to the right, z down.
ART_API artTyreForce art_tyre_force_in_sae(artTyreForce force);
ART_API artTyreInput art_tyre_input_in_sae(artTyreInput input);

//---- radii, load and relaxation ------------------------------------------------------------------

// The free radius at a spin (rad/s), larger than at rest where the file says so.
ART_API double art_tyre_free_radius(const artTyre *tyre, double spin);

// The radius that links spin and speed of a wheel that rolls freely under a load, here that of the deflection
// alone, without the damper's part.
ART_API double art_tyre_rolling_radius(const artTyre *tyre, double load, double spin,
                                       double pressure);

typedef struct artTyreDeflection {
  double depth, rate; // free radius less loaded radius, and its time derivative
  double spin, gamma, pressure;
  double Fx, Fy; // their effect on the stiffness; 0 to leave it out
} artTyreDeflection;

// The load of a deflection, never negative; continuous at touch-down for any rate.
ART_API double art_tyre_load(const artTyre *tyre, const artTyreDeflection *deflection);

// Centre to road under a load at rate 0 (the inverse of the above; its depth and rate are not read).
ART_API double art_tyre_loaded_radius(const artTyre *tyre, double load,
                                      const artTyreDeflection *deflection);

// Relaxation lengths, longitudinal and lateral; at least a tenth of the radius.
ART_API void art_tyre_relaxation(const artTyre *tyre, const artTyreInput *input, double sigma[2]);

//---- contact with a road -------------------------------------------------------------------------

// The height of the ground at (x, y), and by slope its derivatives. It must be continuous, with slopes
// that are continuous too.
typedef struct artGround {
  double (*height)(void *context, double x, double y, double slope[2]);
  void *context;
} artGround;

// A road of articula/road.h as ground; the road must live as long.
ART_API artGround art_ground_of_road(const artRoad *road);

typedef struct artWheel {
  double centre[3];
  double axis[3];     // of unit length, to the left of the wheel; does not turn with it
  double velocity[3]; // of the centre
  double omega[3];    // of the wheel, spin included
} artWheel;

// Where the wheel, a disc, is deepest in the road, and how it moves there. All vectors in ground axes.
typedef struct artContact {
  double point[3];
  double forward[3], left[3], normal[3]; // the ISO axes
  double radius;                         // from the centre to the point
  double gamma;
  double spin;     // about the axis
  double Vx, Vy;   // of the contact point, spin left out, along forward and left
  double approach; // speed of the same point into the road
} artContact;

// Find the contact. Without a ground (NULL) it is z = 0 and the answer a closed form; with one, a ray in the
// wheel plane is turned until the disc is tangent to the ground. Fails with ART_NO_CONVERGENCE when it does not, when
// the wheel lies flat, or when its place is not finite.
ART_API artStatus art_find_contact(const artGround *ground, const artWheel *wheel,
                                   artContact *contact);

//---- a wheel on the road -------------------------------------------------------------------------

typedef struct artTyreAnswer {
  artContact contact;
  artTyreInput input;     // the slips and the load that made the force
  artTyreForce force;     // ISO axes, at the contact point
  double depth;           // of the deflection; negative in the air
  double Vsx, Vsy;        // slip velocities
  double world_force[3];  // the same in ground axes
  double world_moment[3]; // about the wheel centre, in ground axes
  double slip_rate[2];    // time derivatives of the slip states
} artTyreAnswer;

// The force of a tyre on a wheel that moves on a road. The slip states (kappa', tan alpha') are the
// caller's to integrate, with the rates of the answer:
//   sigma_x d kappa'/dt     = -Vsx - |Vx| kappa'
//   sigma_y d tan alpha'/dt =  Vsy - |Vx| tan alpha'
// They stay bounded and damped to standstill, and fade in the air (doc/reference/tyres.md). With slip = NULL
// the steady slips are used, kept regular below VXLOW by a rounded |Vx|, and the rates are 0. On a road of lines and
// arcs that are sharper than the wheel (art_ground_of_road) the contact is the resultant of all places that are touched.
ART_API artStatus art_put_tyre_on_road(const artTyre *tyre, const artGround *ground,
                                       const artWheel *wheel, const double slip[2],
                                       artTyreAnswer *answer);

#ifdef __cplusplus
}
#endif

#endif
