// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Equations of motion as source files, and generated code that is compiled, loaded and called.
//
// Generated functions read vectors and write vectors. Constants of the machine are parameters that
// can be changed without generating again. The generated source belongs to its user: no licence
// binds it. SI units, radians; coordinates are in the order of the model.
#ifndef ARTICULA_GENERATE_H
#define ARTICULA_GENERATE_H

#include "articula/data.h"

#ifdef __cplusplus
extern "C" {
#endif

//---- what is generated ---------------------------------------------------------------------------

// Forms of the equations, a set of bits. The open tree has no forces except gravity and the given
// joint forces; the whole machine has its forces, drives and closed loops.
typedef enum artForm {
  ART_FORM_INVERSE = 1 << 0,     // open tree: joint forces for given accelerations
  ART_FORM_MASS = 1 << 1,        // open tree: mass matrix and bias
  ART_FORM_FORWARD_LDL = 1 << 2, // open tree: accelerations by factors of the mass matrix
  ART_FORM_FORWARD_N = 1 << 3,   // open tree: accelerations in O(n)
  ART_FORM_KINEMATICS = 1 << 4,  // positions, velocities and Jacobians of frames
  ART_FORM_ENERGY = 1 << 5,      // whole machine: kinetic and potential energy, power
  ART_FORM_REACTIONS = 1 << 6,   // joint reactions; whole machine: multipliers of the loops
  ART_FORM_REGRESSOR = 1 << 7,   // regressor for identification, with minimal parameters
  ART_FORM_CONSTRAINTS = 1 << 8, // loop residuals, their Jacobian, and gamma of J a = gamma
  ART_FORM_ACCELERATE = 1 << 9,  // whole machine: accelerations; closes loops, follows drives
  ART_FORM_AUGMENTED = 1 << 10, // whole machine by multipliers; loops are not closed but stabilised
  ART_FORM_LINEAR = 1 << 11,    // ART_FORM_ACCELERATE with its derivatives
  ART_FORM_OUTPUTS = 1 << 12,   // the outputs of the model
  ART_FORM_POWER = 1 << 13,     // with ART_FORM_ACCELERATE: also the power for the energy balance
  ART_FORM_MACHINE_INVERSE = 1 << 14, // whole machine: actuator forces for given accelerations
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

// The name of a language in calls ("c"), and the file extension (".c").
ART_API const char *art_language_name(artLanguage language);
ART_API const char *art_language_ending(artLanguage language);

// How ART_FORM_KINEMATICS computes frames: in the axes of the links; in ground axes from ground
// outward, which shares common subexpressions between frames; from the frame inward, in the axes of
// each link; or rotations outward and position vectors inward.
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
  // Bits of artForm. 0: ART_FORM_ACCELERATE by the cheapest equations found: inertia
  // parameters, methods for the tree and partitions of coordinates are tried for a second or two,
  // unless barycentric is set.
  unsigned forms;
  artLanguage language;
  int barycentric; // augmented bodies instead of masses and centres of mass
  int freeze_all;  // 1: all constants are literal numbers; 0: parameters, except ...
  int nfreeze;     // ... these: "mass_3", or "mass" for all masses
  const char *const *freeze;
  int tangents;   // 1: also the derivatives of every function, "f_tangent" of "f"
  int nsensitive; // derivatives also with respect to these parameters: "mass_3", or "mass" for all
  const char *const *sensitive;
  const char *header; // C: the header to include; NULL: the source contains the declarations
  int lanes;    // C: every number is a vector of 2, 4 or 8 instances that advance together; -1: the
                // number that suits the compiler's target; 0: one instance
  int share;    // 1: constants of the same name with equal values become one parameter,
                // that of the first; not with lanes
  int readable; // 1: readable source: variables are named after quantity and body, functions are
                // not split; not with lanes
  artScheme scheme;
  int cholesky; // ART_FORM_FORWARD_LDL by Cholesky factors instead of L^T D L

  // Closed loops: the independent coordinates, as names of joints or coordinates separated by
  // commas; they must determine all others at the state in the data. NULL: chosen automatically.
  const char *independent;

  // ART_FORM_MACHINE_INVERSE: coordinates with actuators, "pin.angle", or "pin" for a joint with
  // one coordinate; none: the independent ones. Drives always act. If there are more actuators than
  // independent coordinates, the sum of weight tau^2 is minimal; weight is NULL (all 1) or has a
  // positive number for each actuator.
  int nactuator;
  const char *const *actuator;
  const double *weight;
} artGenerateDef;
ART_API artGenerateDef art_default_generate(void);

//---- writing -------------------------------------------------------------------------------------

// Write the equations to a source file, or, for C, the matching header. Loops are closed and their
// pivots chosen at the state in the data, which must be that of an assembled machine; independent
// coordinates that the user named are kept. The output depends on model, state and definition only;
// with forms 0 it is the one that `articula generate` writes. Allocates and frees memory.
ART_API artStatus art_write_source(const artModel *model, artData *data, const artGenerateDef *def,
                                   const char *path, artError *error);
ART_API artStatus art_write_header(const artModel *model, artData *data, const artGenerateDef *def,
                                   const char *path, artError *error);

//---- loading -------------------------------------------------------------------------------------

typedef struct artGenerated artGenerated;

// Generate C, compile it with the system compiler (cc, or the environment variable CC) and load it.
// Compiled libraries are cached in $XDG_CACHE_HOME/articula (~/.cache/articula) by a hash of the
// source, the compiler and its flags; processes may use the cache concurrently. Language and header
// of the definition are ignored. Returns ART_UNSUPPORTED, with advice, if there is no compiler or
// cache folder, or if a force of the machine cannot be generated. The model must outlive the
// result. One thread at a time may use it; other threads load their own.
ART_API artStatus art_load_generated(artGenerated **out, const artModel *model, artData *data,
                                     const artGenerateDef *def, artError *error);

// Accepts NULL.
ART_API void art_free_generated(artGenerated *generated);

// Functions by index, and their vectors in the order of the arguments.
typedef struct artFunctionInfo {
  const char *name, *what; // "accelerate", a description
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

// The index of a function by name, or -1.
ART_API int art_find_generated(const artGenerated *generated, const char *function);

// Evaluate: in[k] and out[k] are the vectors, with the lengths given by art_generated_input and
// art_generated_output; `accelerate` writes dependent and driven entries of q and v back. Allocates
// nothing. ART_NO_CONVERGENCE if loops cannot be closed; ART_SINGULAR if the actuators of
// `machine_inverse` cannot produce the accelerations. Statuses of the host's own forces and
// constraints are passed on.
ART_API artStatus art_generated_call(artGenerated *generated, int function, double *const *in,
                                     double *const *out, artError *error);

// Accelerations a[nv] of the whole machine at t, q[nq], v[nv]; with ART_FORM_POWER also the power
// (may be NULL).
ART_API artStatus art_generated_accelerate(artGenerated *generated, double t, double *q, double *v,
                                           double *a, double *power, artError *error);

// Read a parameter by its name in the source ("mass_2"), or set it for all following calls.
// ART_BAD_INPUT if there is no such name, or the new value is not finite.
ART_API artStatus art_generated_parameter(const artGenerated *generated, const char *name,
                                          double *value, artError *error);
ART_API artStatus art_set_generated_parameter(artGenerated *generated, const char *name,
                                              double value, artError *error);

#ifdef __cplusplus
}
#endif

#endif
