// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations of motion as source text, and compiled code that is loaded and called.
//
// Generated functions read vectors and write vectors; the constants of the machine are parameters that
// can be changed without making the text anew. The text belongs to its user: no licence binds it.
// SI units, radians; coordinates in the order of the model.
#ifndef ARTICULA_GENERATE_H
#define ARTICULA_GENERATE_H

#include "articula/data.h"

#ifdef __cplusplus
extern "C" {
#endif

//---- what is generated ---------------------------------------------------------------------------

// Forms of the equations, a set of bits. The bare tree knows no forces but gravity and the joint forces
// that it is given; the whole machine has its forces, drives and closed loops.
typedef enum artForm {
  ART_FORM_INVERSE = 1 << 0,     // bare tree: joint forces for given accelerations
  ART_FORM_MASS = 1 << 1,        // bare tree: mass matrix and bias
  ART_FORM_FORWARD_LDL = 1 << 2, // bare tree: accelerations through the factors of the mass matrix
  ART_FORM_FORWARD_N = 1 << 3,   // bare tree: accelerations in O(n)
  ART_FORM_KINEMATICS = 1 << 4,  // positions, velocities and Jacobians of frames
  ART_FORM_ENERGY = 1 << 5,      // whole machine: kinetic and potential energy, power
  ART_FORM_REACTIONS = 1 << 6,   // joint reactions; whole machine: multipliers of the loops
  ART_FORM_REGRESSOR = 1 << 7,   // identification form, with minimal parameters
  ART_FORM_CONSTRAINTS = 1 << 8, // openings of the loops, their Jacobian, J a = gamma
  ART_FORM_ACCELERATE = 1 << 9,  // whole machine: accelerations; loops are closed, drives followed
  ART_FORM_AUGMENTED = 1 << 10, // whole machine by multipliers, loops taken as they are, stabilised
  ART_FORM_LINEAR = 1 << 11,    // ART_FORM_ACCELERATE with its derivatives
  ART_FORM_OUTPUTS = 1 << 12,   // the outputs of the model
  ART_FORM_POWER = 1 << 13, // with ART_FORM_ACCELERATE: also the power that the run's balance needs
  ART_FORM_MACHINE_INVERSE = 1 << 14, // whole machine: forces of actuators for given accelerations
  ART_FORM_IMPLICIT = 1 << 15,        // psi and G of psi = G tau, for any number of actuators
} artForm;

typedef enum artLanguage {
  ART_C,
  ART_FORTRAN,
  ART_MATLAB, // and Octave
  ART_JAVA,
  ART_PYTHON,
  ART_LANGUAGES
} artLanguage;

// The name of a language in calls ("c"), and how its files end (".c").
ART_API const char *art_language_name(artLanguage language);
ART_API const char *art_language_ending(artLanguage language);

// How ART_FORM_KINEMATICS follows frames from ground: in the axes of the links; or all in ground axes from ground
// outward, which shares what frames have in common; or from the frame inward, in the axes of each link; or rotations
// outward and arms inward.
typedef enum artScheme {
  ART_LINK_AXES,
  ART_PROGRESSIVE,
  ART_REGRESSIVE,
  ART_HYBRID,
  ART_SCHEMES
} artScheme;

// The name of a scheme in calls: "links", "progressive".
ART_API const char *art_scheme_name(artScheme scheme);

typedef struct artGenerateDef {
  // Bits of artForm. 0: ART_FORM_ACCELERATE by the cheapest equations found: parameters, ways through the tree and partitions
  // of coordinates are tried for a second or two, unless barycentric is set.
  unsigned forms;
  artLanguage language;
  int barycentric; // augmented bodies in the place of masses and centres of mass
  int freeze_all;  // all constants are numbers; else parameters, but for ...
  int nfreeze;     // ... these: "mass_3", or "mass" for all masses
  const char *const *freeze;
  int tangents;   // derivatives of every function besides: "f_tangent" of "f"
  int nsensitive; // derivatives are taken by these parameters, too: "mass_3", or "mass" for all
  const char *const *sensitive;
  const char *header; // C: the header that the text includes; NULL: declarations stand in the text
  int lanes; // C: every number is a vector of 2, 4 or 8 instances that advance together; -1: as many
             // as suit the compiler's target; 0: one instance
  int share; // constants of the same name with equal values are one parameter, that of the first; not with lanes
  int readable; // text for people: variables are called after quantity and body, functions stay whole; not with lanes
  artScheme scheme;
  int cholesky; // ART_FORM_FORWARD_LDL by Cholesky's factors in the place of L^T D L

  // Closed loops: the independent coordinates by hand, names of joints or coordinates between commas, from which the others
  // must follow at the state in the data; NULL: chosen by us.
  const char *independent;

  // ART_FORM_MACHINE_INVERSE: coordinates whose forces make the motion, "pin.angle", or "pin" of a joint with one; none: the
  // independent ones. Drives act in any case. With more than there are independent coordinates the sum of
  // weight tau^2 is least; weight is NULL, which means 1, or has a positive number for each.
  int nactuator;
  const char *const *actuator;
  const double *weight;
} artGenerateDef;
ART_API artGenerateDef art_default_generate(void);

//---- writing -------------------------------------------------------------------------------------

// Write the equations to a file; of C, write the header that goes with them. Loops are closed and their
// pivots chosen at the state in the data, which must be that of an assembled machine and keeps a choice by hand. The text is the
// same whenever model, state and definition are, and with forms 0 the one that `articula generate` writes. Takes memory and gives it back.
ART_API artStatus art_write_source(const artModel *model, artData *data, const artGenerateDef *def,
                                   const char *path, artError *error);
ART_API artStatus art_write_header(const artModel *model, artData *data, const artGenerateDef *def,
                                   const char *path, artError *error);

//---- loading -------------------------------------------------------------------------------------

typedef struct artGenerated artGenerated;

// Generate C, compile it with the system's compiler (cc, or what the environment variable CC says) and
// load it. A compiled library is kept under $XDG_CACHE_HOME/articula (~/.cache/articula) by a
// hash of the text, the compiler and its flags, and found again by every later call; processes may race.
// The language and the header of the definition are of no account. ART_UNSUPPORTED when there is no
// compiler or no such folder, or when a force of the machine cannot be generated; the text says what to
// do. Needs the model as long as it lives. One thread at a time may use it; another loads its own.
ART_API artStatus art_load_generated(artGenerated **out, const artModel *model, artData *data,
                                     const artGenerateDef *def, artError *error);

// Accepts NULL.
ART_API void art_free_generated(artGenerated *generated);

// Functions by number, and their vectors in the order of calls.
typedef struct artFunctionInfo {
  const char *name, *what; // "accelerate", a sentence
  int ninput, noutput;
} artFunctionInfo;
typedef struct artVectorInfo {
  const char *name, *what; // "q", "positions, m or rad"
  int n;
} artVectorInfo;
ART_API int art_generated_count(const artGenerated *generated);
ART_API artFunctionInfo art_generated_function(const artGenerated *generated, int function);
ART_API artVectorInfo art_generated_input(const artGenerated *generated, int function, int k);
ART_API artVectorInfo art_generated_output(const artGenerated *generated, int function, int k);

// The function of a name, or -1.
ART_API int art_find_generated(const artGenerated *generated, const char *function);

// Evaluate: in[k] and out[k] are the vectors, of the lengths that art_generated_input and
// art_generated_output say; `accelerate` writes dependent and driven entries of q and v back.
// Allocates nothing. ART_NO_CONVERGENCE when loops cannot be closed; ART_SINGULAR when the actuators of
// `machine_inverse` cannot make the accelerations; statuses of the host's own forces and constraints come
// through.
ART_API artStatus art_generated_call(artGenerated *generated, int function, double *const *in,
                                     double *const *out, artError *error);

// Accelerations a[nv] of the whole machine at t, q[nq], v[nv]; with ART_FORM_POWER also the power
// (or NULL).
ART_API artStatus art_generated_accelerate(artGenerated *generated, double t, double *q, double *v,
                                           double *a, double *power, artError *error);

// A parameter by its name in the text ("mass_2"): its value, or a new one for the calls that follow.
// ART_BAD_INPUT when there is none of that name, or the new value is not finite.
ART_API artStatus art_generated_parameter(const artGenerated *generated, const char *name,
                                          double *value, artError *error);
ART_API artStatus art_set_generated_parameter(artGenerated *generated, const char *name,
                                              double value, artError *error);

#ifdef __cplusplus
}
#endif

#endif
