// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions of a unit by version 2.0 of the Functional Mock-up Interface, declared after the text of the standard. The text from
// the next line on goes into exported units too.
//---- functions of a unit by FMI 2.0
#ifndef FMI2_H
#define FMI2_H

#include <stddef.h>

// Every function may carry a prefix, so that several units fit into one program. Whoever builds them chooses it by
// FMI2_OVERRIDE_FUNCTION_PREFIX, with FMI2_ACTUAL_FUNCTION_PREFIX where there is to be one; otherwise FMI2_FUNCTION_PREFIX counts.
#ifdef FMI2_OVERRIDE_FUNCTION_PREFIX
#ifdef FMI2_ACTUAL_FUNCTION_PREFIX
#define FMI2_PREFIX FMI2_ACTUAL_FUNCTION_PREFIX
#endif
#elif defined FMI2_FUNCTION_PREFIX
#define FMI2_PREFIX FMI2_FUNCTION_PREFIX
#endif

// Functions without a prefix are visible in the library of the unit.
#ifndef FMI2_Export
#if defined FMI2_PREFIX
#define FMI2_Export
#elif defined _WIN32 || defined __CYGWIN__
#define FMI2_Export __declspec(dllexport)
#elif defined __GNUC__
#define FMI2_Export __attribute__((visibility("default")))
#else
#define FMI2_Export
#endif
#endif

#define fmi2TypesPlatform "default"
#define fmi2Version       "2.0"
#define fmi2True          1
#define fmi2False         0

#ifdef __cplusplus
extern "C" {
#endif

//---- types

typedef void *fmi2Component;            // an instance, known to the unit
typedef void *fmi2ComponentEnvironment; // known to the importer
typedef void *fmi2FMUstate;             // all that an instance was at some time
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef char fmi2Char;
typedef const fmi2Char *fmi2String; // UTF-8, ends with a zero
typedef char fmi2Byte;

typedef enum {
  fmi2OK,
  fmi2Warning, // the call was done, a message tells of what is odd
  fmi2Discard, // it was not done; the importer may try another step or other values
  fmi2Error,   // the instance cannot go on, others can
  fmi2Fatal,   // no instance of the unit can go on
  fmi2Pending  // a step goes on beside the importer
} fmi2Status;

typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;

typedef enum {
  fmi2DoStepStatus,
  fmi2PendingStatus,
  fmi2LastSuccessfulTime,
  fmi2Terminated
} fmi2StatusKind;

// Functions of the importer; the message is a format of printf.
typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment componentEnvironment,
                                   fmi2String instanceName, fmi2Status status, fmi2String category,
                                   fmi2String message, ...);
typedef void *(*fmi2CallbackAllocateMemory)(size_t nobj, size_t size);
typedef void (*fmi2CallbackFreeMemory)(void *obj);
typedef void (*fmi2StepFinished)(fmi2ComponentEnvironment componentEnvironment, fmi2Status status);

typedef struct {
  fmi2CallbackLogger logger;
  fmi2CallbackAllocateMemory allocateMemory;
  fmi2CallbackFreeMemory freeMemory;
  fmi2StepFinished stepFinished;
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

typedef struct {
  fmi2Boolean newDiscreteStatesNeeded;
  fmi2Boolean terminateSimulation;
  fmi2Boolean nominalsOfContinuousStatesChanged;
  fmi2Boolean valuesOfContinuousStatesChanged;
  fmi2Boolean nextEventTimeDefined;
  fmi2Real nextEventTime;
} fmi2EventInfo;

//---- functions of both kinds, by their types

typedef const char *fmi2GetTypesPlatformTYPE(void);
typedef const char *fmi2GetVersionTYPE(void);
typedef fmi2Status fmi2SetDebugLoggingTYPE(fmi2Component c, fmi2Boolean loggingOn,
                                           size_t nCategories, const fmi2String categories[]);

// the life of an instance
typedef fmi2Component fmi2InstantiateTYPE(fmi2String instanceName, fmi2Type fmuType,
                                          fmi2String fmuGUID, fmi2String fmuResourceLocation,
                                          const fmi2CallbackFunctions *functions,
                                          fmi2Boolean visible, fmi2Boolean loggingOn);
typedef void fmi2FreeInstanceTYPE(fmi2Component c);
typedef fmi2Status fmi2SetupExperimentTYPE(fmi2Component c, fmi2Boolean toleranceDefined,
                                           fmi2Real tolerance, fmi2Real startTime,
                                           fmi2Boolean stopTimeDefined, fmi2Real stopTime);
typedef fmi2Status fmi2EnterInitializationModeTYPE(fmi2Component c);
typedef fmi2Status fmi2ExitInitializationModeTYPE(fmi2Component c);
typedef fmi2Status fmi2TerminateTYPE(fmi2Component c);
typedef fmi2Status fmi2ResetTYPE(fmi2Component c);

// values of variables
typedef fmi2Status fmi2GetRealTYPE(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                   fmi2Real value[]);
typedef fmi2Status fmi2GetIntegerTYPE(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                      fmi2Integer value[]);
typedef fmi2Status fmi2GetBooleanTYPE(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                      fmi2Boolean value[]);
typedef fmi2Status fmi2GetStringTYPE(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                     fmi2String value[]);
typedef fmi2Status fmi2SetRealTYPE(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                   const fmi2Real value[]);
typedef fmi2Status fmi2SetIntegerTYPE(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                      const fmi2Integer value[]);
typedef fmi2Status fmi2SetBooleanTYPE(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                      const fmi2Boolean value[]);
typedef fmi2Status fmi2SetStringTYPE(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                     const fmi2String value[]);

// whole states of an instance, and their bytes
typedef fmi2Status fmi2GetFMUstateTYPE(fmi2Component c, fmi2FMUstate *FMUstate);
typedef fmi2Status fmi2SetFMUstateTYPE(fmi2Component c, fmi2FMUstate FMUstate);
typedef fmi2Status fmi2FreeFMUstateTYPE(fmi2Component c, fmi2FMUstate *FMUstate);
typedef fmi2Status fmi2SerializedFMUstateSizeTYPE(fmi2Component c, fmi2FMUstate FMUstate,
                                                  size_t *size);
typedef fmi2Status fmi2SerializeFMUstateTYPE(fmi2Component c, fmi2FMUstate FMUstate,
                                             fmi2Byte serializedState[], size_t size);
typedef fmi2Status fmi2DeSerializeFMUstateTYPE(fmi2Component c, const fmi2Byte serializedState[],
                                               size_t size, fmi2FMUstate *FMUstate);

// dvUnknown = (d unknown / d known) dvKnown
typedef fmi2Status
fmi2GetDirectionalDerivativeTYPE(fmi2Component c, const fmi2ValueReference vUnknown_ref[],
                                 size_t nUnknown, const fmi2ValueReference vKnown_ref[],
                                 size_t nKnown, const fmi2Real dvKnown[], fmi2Real dvUnknown[]);

//---- model exchange

typedef fmi2Status fmi2EnterEventModeTYPE(fmi2Component c);
typedef fmi2Status fmi2NewDiscreteStatesTYPE(fmi2Component c, fmi2EventInfo *eventInfo);
typedef fmi2Status fmi2EnterContinuousTimeModeTYPE(fmi2Component c);
typedef fmi2Status fmi2CompletedIntegratorStepTYPE(fmi2Component c,
                                                   fmi2Boolean noSetFMUStatePriorToCurrentPoint,
                                                   fmi2Boolean *enterEventMode,
                                                   fmi2Boolean *terminateSimulation);
typedef fmi2Status fmi2SetTimeTYPE(fmi2Component c, fmi2Real time);
typedef fmi2Status fmi2SetContinuousStatesTYPE(fmi2Component c, const fmi2Real x[], size_t nx);
typedef fmi2Status fmi2GetDerivativesTYPE(fmi2Component c, fmi2Real derivatives[], size_t nx);
typedef fmi2Status fmi2GetEventIndicatorsTYPE(fmi2Component c, fmi2Real eventIndicators[],
                                              size_t ni);
typedef fmi2Status fmi2GetContinuousStatesTYPE(fmi2Component c, fmi2Real x[], size_t nx);
typedef fmi2Status fmi2GetNominalsOfContinuousStatesTYPE(fmi2Component c, fmi2Real x_nominal[],
                                                         size_t nx);

//---- co-simulation

typedef fmi2Status fmi2SetRealInputDerivativesTYPE(fmi2Component c, const fmi2ValueReference vr[],
                                                   size_t nvr, const fmi2Integer order[],
                                                   const fmi2Real value[]);
typedef fmi2Status fmi2GetRealOutputDerivativesTYPE(fmi2Component c, const fmi2ValueReference vr[],
                                                    size_t nvr, const fmi2Integer order[],
                                                    fmi2Real value[]);
typedef fmi2Status fmi2DoStepTYPE(fmi2Component c, fmi2Real currentCommunicationPoint,
                                  fmi2Real communicationStepSize,
                                  fmi2Boolean noSetFMUStatePriorToCurrentPoint);
typedef fmi2Status fmi2CancelStepTYPE(fmi2Component c);
typedef fmi2Status fmi2GetStatusTYPE(fmi2Component c, const fmi2StatusKind s, fmi2Status *value);
typedef fmi2Status fmi2GetRealStatusTYPE(fmi2Component c, const fmi2StatusKind s, fmi2Real *value);
typedef fmi2Status fmi2GetIntegerStatusTYPE(fmi2Component c, const fmi2StatusKind s,
                                            fmi2Integer *value);
typedef fmi2Status fmi2GetBooleanStatusTYPE(fmi2Component c, const fmi2StatusKind s,
                                            fmi2Boolean *value);
typedef fmi2Status fmi2GetStringStatusTYPE(fmi2Component c, const fmi2StatusKind s,
                                           fmi2String *value);

//---- their names

#define FMI2_COMMON_FUNCTIONS(F)                                                                   \
  F(fmi2GetTypesPlatform)                                                                          \
  F(fmi2GetVersion)                                                                                \
  F(fmi2SetDebugLogging)                                                                           \
  F(fmi2Instantiate)                                                                               \
  F(fmi2FreeInstance)                                                                              \
  F(fmi2SetupExperiment)                                                                           \
  F(fmi2EnterInitializationMode)                                                                   \
  F(fmi2ExitInitializationMode)                                                                    \
  F(fmi2Terminate)                                                                                 \
  F(fmi2Reset)                                                                                     \
  F(fmi2GetReal)                                                                                   \
  F(fmi2GetInteger)                                                                                \
  F(fmi2GetBoolean)                                                                                \
  F(fmi2GetString)                                                                                 \
  F(fmi2SetReal)                                                                                   \
  F(fmi2SetInteger)                                                                                \
  F(fmi2SetBoolean)                                                                                \
  F(fmi2SetString)                                                                                 \
  F(fmi2GetFMUstate)                                                                               \
  F(fmi2SetFMUstate)                                                                               \
  F(fmi2FreeFMUstate)                                                                              \
  F(fmi2SerializedFMUstateSize)                                                                    \
  F(fmi2SerializeFMUstate)                                                                         \
  F(fmi2DeSerializeFMUstate)                                                                       \
  F(fmi2GetDirectionalDerivative)

#define FMI2_EXCHANGE_FUNCTIONS(F)                                                                 \
  F(fmi2EnterEventMode)                                                                            \
  F(fmi2NewDiscreteStates)                                                                         \
  F(fmi2EnterContinuousTimeMode)                                                                   \
  F(fmi2CompletedIntegratorStep)                                                                   \
  F(fmi2SetTime)                                                                                   \
  F(fmi2SetContinuousStates)                                                                       \
  F(fmi2GetDerivatives)                                                                            \
  F(fmi2GetEventIndicators)                                                                        \
  F(fmi2GetContinuousStates)                                                                       \
  F(fmi2GetNominalsOfContinuousStates)

#define FMI2_SIMULATION_FUNCTIONS(F)                                                               \
  F(fmi2SetRealInputDerivatives)                                                                   \
  F(fmi2GetRealOutputDerivatives)                                                                  \
  F(fmi2DoStep)                                                                                    \
  F(fmi2CancelStep)                                                                                \
  F(fmi2GetStatus)                                                                                 \
  F(fmi2GetRealStatus)                                                                             \
  F(fmi2GetIntegerStatus)                                                                          \
  F(fmi2GetBooleanStatus)                                                                          \
  F(fmi2GetStringStatus)

#define FMI2_FUNCTIONS(F)                                                                          \
  FMI2_COMMON_FUNCTIONS(F)                                                                         \
  FMI2_EXCHANGE_FUNCTIONS(F)                                                                       \
  FMI2_SIMULATION_FUNCTIONS(F)

#ifdef FMI2_PREFIX
#define fmi2Join(a, b)   a##b
#define fmi2Joined(a, b) fmi2Join(a, b)
// in exported units each of them is defined with the prefix here (emit_unit_standard)
#define fmi2FullName(name) fmi2Joined(FMI2_PREFIX, name)
#endif

#define FMI2_DECLARE(name) FMI2_Export name##TYPE name;
FMI2_FUNCTIONS(FMI2_DECLARE)
#undef FMI2_DECLARE

#ifdef __cplusplus
}
#endif

#endif
