// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions of a unit by version 2.0 of the Functional Mock-up Interface, declared after the text of the standard. The text from
// the next line on goes into exported FMUs, too.
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
  fmi2Pending  // a step goes on in parallel with the importer
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

//---- functions, each by its type, its name and its arguments

// clang-format off
// of both kinds; dvUnknown = (d unknown / d known) dvKnown
#define FMI2_COMMON_FUNCTIONS(F) \
  F(const char *, fmi2GetTypesPlatform, (void)) \
  F(const char *, fmi2GetVersion, (void)) \
  F(fmi2Status, fmi2SetDebugLogging, \
    (fmi2Component c, fmi2Boolean loggingOn, size_t nCategories, const fmi2String categories[])) \
  F(fmi2Component, fmi2Instantiate, \
    (fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID, \
     fmi2String fmuResourceLocation, const fmi2CallbackFunctions *functions, fmi2Boolean visible, \
     fmi2Boolean loggingOn)) \
  F(void, fmi2FreeInstance, (fmi2Component c)) \
  F(fmi2Status, fmi2SetupExperiment, \
    (fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime, \
     fmi2Boolean stopTimeDefined, fmi2Real stopTime)) \
  F(fmi2Status, fmi2EnterInitializationMode, (fmi2Component c)) \
  F(fmi2Status, fmi2ExitInitializationMode, (fmi2Component c)) \
  F(fmi2Status, fmi2Terminate, (fmi2Component c)) \
  F(fmi2Status, fmi2Reset, (fmi2Component c)) \
  F(fmi2Status, fmi2GetReal, \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2Real value[])) \
  F(fmi2Status, fmi2GetInteger, \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2Integer value[])) \
  F(fmi2Status, fmi2GetBoolean, \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2Boolean value[])) \
  F(fmi2Status, fmi2GetString, \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, fmi2String value[])) \
  F(fmi2Status, fmi2SetReal, \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Real value[])) \
  F(fmi2Status, fmi2SetInteger, \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer value[])) \
  F(fmi2Status, fmi2SetBoolean, \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Boolean value[])) \
  F(fmi2Status, fmi2SetString, \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2String value[])) \
  F(fmi2Status, fmi2GetFMUstate, (fmi2Component c, fmi2FMUstate *FMUstate)) \
  F(fmi2Status, fmi2SetFMUstate, (fmi2Component c, fmi2FMUstate FMUstate)) \
  F(fmi2Status, fmi2FreeFMUstate, (fmi2Component c, fmi2FMUstate *FMUstate)) \
  F(fmi2Status, fmi2SerializedFMUstateSize, \
    (fmi2Component c, fmi2FMUstate FMUstate, size_t *size)) \
  F(fmi2Status, fmi2SerializeFMUstate, \
    (fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[], size_t size)) \
  F(fmi2Status, fmi2DeSerializeFMUstate, \
    (fmi2Component c, const fmi2Byte serializedState[], size_t size, fmi2FMUstate *FMUstate)) \
  F(fmi2Status, fmi2GetDirectionalDerivative, \
    (fmi2Component c, const fmi2ValueReference vUnknown_ref[], size_t nUnknown, \
     const fmi2ValueReference vKnown_ref[], size_t nKnown, const fmi2Real dvKnown[], \
     fmi2Real dvUnknown[]))

// model exchange
#define FMI2_EXCHANGE_FUNCTIONS(F) \
  F(fmi2Status, fmi2EnterEventMode, (fmi2Component c)) \
  F(fmi2Status, fmi2NewDiscreteStates, (fmi2Component c, fmi2EventInfo *eventInfo)) \
  F(fmi2Status, fmi2EnterContinuousTimeMode, (fmi2Component c)) \
  F(fmi2Status, fmi2CompletedIntegratorStep, \
    (fmi2Component c, fmi2Boolean noSetFMUStatePriorToCurrentPoint, fmi2Boolean *enterEventMode, \
     fmi2Boolean *terminateSimulation)) \
  F(fmi2Status, fmi2SetTime, (fmi2Component c, fmi2Real time)) \
  F(fmi2Status, fmi2SetContinuousStates, (fmi2Component c, const fmi2Real x[], size_t nx)) \
  F(fmi2Status, fmi2GetDerivatives, (fmi2Component c, fmi2Real derivatives[], size_t nx)) \
  F(fmi2Status, fmi2GetEventIndicators, (fmi2Component c, fmi2Real eventIndicators[], size_t ni)) \
  F(fmi2Status, fmi2GetContinuousStates, (fmi2Component c, fmi2Real x[], size_t nx)) \
  F(fmi2Status, fmi2GetNominalsOfContinuousStates, \
    (fmi2Component c, fmi2Real x_nominal[], size_t nx))

// co-simulation
#define FMI2_SIMULATION_FUNCTIONS(F) \
  F(fmi2Status, fmi2SetRealInputDerivatives, \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[], \
     const fmi2Real value[])) \
  F(fmi2Status, fmi2GetRealOutputDerivatives, \
    (fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Integer order[], \
     fmi2Real value[])) \
  F(fmi2Status, fmi2DoStep, \
    (fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize, \
     fmi2Boolean noSetFMUStatePriorToCurrentPoint)) \
  F(fmi2Status, fmi2CancelStep, (fmi2Component c)) \
  F(fmi2Status, fmi2GetStatus, (fmi2Component c, const fmi2StatusKind s, fmi2Status *value)) \
  F(fmi2Status, fmi2GetRealStatus, (fmi2Component c, const fmi2StatusKind s, fmi2Real *value)) \
  F(fmi2Status, fmi2GetIntegerStatus, \
    (fmi2Component c, const fmi2StatusKind s, fmi2Integer *value)) \
  F(fmi2Status, fmi2GetBooleanStatus, \
    (fmi2Component c, const fmi2StatusKind s, fmi2Boolean *value)) \
  F(fmi2Status, fmi2GetStringStatus, (fmi2Component c, const fmi2StatusKind s, fmi2String *value))

#define FMI2_FUNCTIONS(F) \
  FMI2_COMMON_FUNCTIONS(F) \
  FMI2_EXCHANGE_FUNCTIONS(F) \
  FMI2_SIMULATION_FUNCTIONS(F)

// clang-format on
#define FMI2_TYPE(type, name, arguments) typedef type name##TYPE arguments;
FMI2_FUNCTIONS(FMI2_TYPE)
#undef FMI2_TYPE

#ifdef FMI2_PREFIX
#define fmi2Join(a, b)   a##b
#define fmi2Joined(a, b) fmi2Join(a, b)
// in exported units each of them is defined with the prefix here (emit_unit_standard)
#define fmi2FullName(name) fmi2Joined(FMI2_PREFIX, name)
#endif

#define FMI2_DECLARE(type, name, arguments) FMI2_Export name##TYPE name;
FMI2_FUNCTIONS(FMI2_DECLARE)
#undef FMI2_DECLARE

#ifdef __cplusplus
}
#endif

#endif
