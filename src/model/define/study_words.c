// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The choices of a study in words.
#include "model/define/study_def.h"

#include <stddef.h>

#include "articula/batch.h"
#include "articula/generate.h"
#include "model/methods.h"

// the words of an enumeration, one for each member
#define WORDS(type, COUNT, kind, ...)                                                              \
  static const char *const kind##_words[] = {__VA_ARGS__};                                         \
  _Static_assert(sizeof kind##_words / sizeof *kind##_words == COUNT, "a word for each");          \
  const char *art_##kind##_name(type member)                                                       \
  {                                                                                                \
    return member >= 0 && member < COUNT ? kind##_words[member] : "unknown";                       \
  }

#define WORD(kind, COUNT)                                                                          \
  const char *kind##_word(int k)                                                                   \
  {                                                                                                \
    return k < COUNT ? kind##_words[k] : NULL;                                                     \
  }

// clang-format off
WORDS(artStudyType, ART_STUDY_TYPES, study_type, "run", "equil", "linear", "inverse", "kinematics", "response")
WORDS(artIntegrator, ART_INTEGRATORS, integrator, "rk4", "dopri5", "bdf", "adams", "automatic", "moreau")
WORDS(artBackend, ART_BACKENDS, backend, "numeric", "generated", "generated")
WORDS(artAlgebra, ART_ALGEBRAS, algebra, "automatic", "plain", "dense", "sparse")
WORDS(artRedundant, ART_REDUNDANTS, redundant, "drop", "lu", "umfpack", "spqr")
WORDS(artPartition, ART_PARTITIONS, partition, "symbolic", "pivoting")
WORDS(artNewton, ART_NEWTONS, newton, "automatic", "dense", "krylov")
WORDS(artProjections, ART_PROJECTIONS, projections, "automatic", "no", "yes", "tangent", "baumgarte")
WORDS(artSampling, ART_SAMPLINGS, sampling, "random", "latin")
WORDS(artDigest, ART_DIGESTS, digest, "final", "min", "max", "mean", "rms")
WORDS(artVerdict, ART_VERDICTS, verdict, "good", "doubtful", "failed")
WORDS(artDevice, ART_DEVICES, device, "cpu", "gpu")
WORDS(artPrecision, ART_PRECISIONS, precision, "double", "float", "mixed")
WORDS(artScheme, ART_SCHEMES, scheme, "links", "progressive", "regressive", "hybrid")

WORD(integrator, ART_INTEGRATORS)
WORD(backend, ART_BACKEND_ASKED)
WORD(algebra, ART_ALGEBRAS)
WORD(redundant, ART_REDUNDANTS)
WORD(partition, ART_PARTITIONS)
WORD(newton, ART_NEWTONS)
WORD(projections, ART_PROJECTIONS)
// clang-format on


const char *word_called(const char *(*word)(int k), int k)
{
  static const char *const methods[MODEL_WAYS] = {
      [ART_AUTOMATIC] = "auto default",
      [ART_ORDER_N] = "aba featherstone articulated articulatedbody on",
      [ART_MASS_MATRIX] = "crb crba compositerigidbody compositebody",
      [ART_INDEX3] = "hht generalizedalpha generalisedalpha newmark",
  };
  static const char *const integrators[ART_INTEGRATORS] = {
      [ART_DOPRI5] = ("rk45 ode45 dopri dopri45 dormandprince rkf45 rk54 rungekutta45 explicit "
                      "variable dopri853"),
      [ART_INTEGRATOR_AUTOMATIC] = "auto default",
      [ART_RK4] = "rk rungekutta rungekutta4 ode4 euler heun fixed ode1",
      [ART_BDF] =
          "ode15s dassl gear cvode gstiff wstiff radau ida implicit stiff radau5 ode23s ode15i",
      [ART_MOREAU] = "jean moreaujean timestepping nonsmooth nscd",
      [ART_ADAMS] = "ode113 abam multistep adamsbashforth adamsmoulton ab am abm",
  };
  if (word == method_word) return methods[k];
  return word == integrator_word ? integrators[k] : NULL;
}


int art_integrator_is_fixed(artIntegrator integrator)
{
  return integrator == ART_RK4 || integrator == ART_MOREAU;
}


const char *method_word(int k)
{
  return k < MODEL_WAYS ? model_way_name(k) : NULL;
}
