// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions of a unit by version 3.0 of the Functional Mock-up Interface, declared after the text of the standard. The text from
// the next line on goes into exported FMUs, too.
//---- functions of a unit by FMI 3.0
#ifndef FMI3_H
#define FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Every function may carry a prefix, so that several units fit into one program. Whoever builds them chooses it by
// FMI3_OVERRIDE_FUNCTION_PREFIX, with FMI3_ACTUAL_FUNCTION_PREFIX where there is to be one; otherwise FMI3_FUNCTION_PREFIX counts.
#ifdef FMI3_OVERRIDE_FUNCTION_PREFIX
#ifdef FMI3_ACTUAL_FUNCTION_PREFIX
#define FMI3_PREFIX FMI3_ACTUAL_FUNCTION_PREFIX
#endif
#elif defined FMI3_FUNCTION_PREFIX
#define FMI3_PREFIX FMI3_FUNCTION_PREFIX
#endif

// Functions without a prefix are visible in the library of the unit.
#ifndef FMI3_Export
#if defined FMI3_PREFIX
#define FMI3_Export
#elif defined _WIN32 || defined __CYGWIN__
#define FMI3_Export __declspec(dllexport)
#elif defined __GNUC__
#define FMI3_Export __attribute__((visibility("default")))
#else
#define FMI3_Export
#endif
#endif

#define fmi3Version       "3.0"
#define fmi3True          true
#define fmi3False         false
#define fmi3ClockActive   true
#define fmi3ClockInactive false

#ifdef __cplusplus
extern "C" {
#endif

//---- types

typedef void *fmi3Instance;            // known to the unit
typedef void *fmi3InstanceEnvironment; // known to the importer
typedef void *fmi3FMUState;            // all that an instance was at some time
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char *fmi3String; // UTF-8, ends with a zero
typedef uint8_t fmi3Byte;
typedef const fmi3Byte *fmi3Binary; // its length is a separate argument
typedef bool fmi3Clock;

typedef enum {
  fmi3OK,
  fmi3Warning, // the call was done, a message tells of what is odd
  fmi3Discard, // it was not done; the importer may try another step or other values
  fmi3Error,   // the instance cannot go on, others can
  fmi3Fatal    // no instance of the unit can go on
} fmi3Status;

typedef enum {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
} fmi3DependencyKind;

typedef enum {
  fmi3IntervalNotYetKnown,
  fmi3IntervalUnchanged,
  fmi3IntervalChanged
} fmi3IntervalQualifier;

// Functions of the importer.
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment instanceEnvironment,
                                       fmi3Status status, fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment instanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(
    fmi3InstanceEnvironment instanceEnvironment, fmi3Float64 intermediateUpdateTime,
    fmi3Boolean intermediateVariableSetRequested, fmi3Boolean intermediateVariableGetAllowed,
    fmi3Boolean intermediateStepFinished, fmi3Boolean canReturnEarly,
    fmi3Boolean *earlyReturnRequested, fmi3Float64 *earlyReturnTime);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

//---- functions, each by its type, its name and its arguments

// clang-format off
// of a type of variables, numbers of all elements one behind the other
#define FMI3_VALUES(F, type) \
  F(fmi3Status, fmi3Get##type, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3##type values[], size_t nValues)) \
  F(fmi3Status, fmi3Set##type, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3##type values[], size_t nValues))

// of all kinds; sensitivity = (d unknowns / d knowns) seed; its transpose: sensitivity = (d unknowns / d knowns)^T seed
#define FMI3_COMMON_FUNCTIONS(F) \
  F(const char *, fmi3GetVersion, (void)) \
  F(fmi3Status, fmi3SetDebugLogging, \
    (fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories, \
     const fmi3String categories[])) \
  F(fmi3Instance, fmi3InstantiateModelExchange, \
    (fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, \
     fmi3Boolean visible, fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment, \
     fmi3LogMessageCallback logMessage)) \
  F(fmi3Instance, fmi3InstantiateCoSimulation, \
    (fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, \
     fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed, \
     fmi3Boolean earlyReturnAllowed, const fmi3ValueReference requiredIntermediateVariables[], \
     size_t nRequiredIntermediateVariables, fmi3InstanceEnvironment instanceEnvironment, \
     fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate)) \
  F(fmi3Instance, fmi3InstantiateScheduledExecution, \
    (fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath, \
     fmi3Boolean visible, fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment, \
     fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate, \
     fmi3LockPreemptionCallback lockPreemption, fmi3UnlockPreemptionCallback unlockPreemption)) \
  F(void, fmi3FreeInstance, (fmi3Instance instance)) \
  F(fmi3Status, fmi3EnterInitializationMode, \
    (fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance, \
     fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime)) \
  F(fmi3Status, fmi3ExitInitializationMode, (fmi3Instance instance)) \
  F(fmi3Status, fmi3EnterEventMode, (fmi3Instance instance)) \
  F(fmi3Status, fmi3Terminate, (fmi3Instance instance)) \
  F(fmi3Status, fmi3Reset, (fmi3Instance instance)) \
  F(fmi3Status, fmi3EnterConfigurationMode, (fmi3Instance instance)) \
  F(fmi3Status, fmi3ExitConfigurationMode, (fmi3Instance instance)) \
  FMI3_VALUES(F, Float32) \
  FMI3_VALUES(F, Float64) \
  FMI3_VALUES(F, Int8) \
  FMI3_VALUES(F, UInt8) \
  FMI3_VALUES(F, Int16) \
  FMI3_VALUES(F, UInt16) \
  FMI3_VALUES(F, Int32) \
  FMI3_VALUES(F, UInt32) \
  FMI3_VALUES(F, Int64) \
  FMI3_VALUES(F, UInt64) \
  FMI3_VALUES(F, Boolean) \
  FMI3_VALUES(F, String) \
  F(fmi3Status, fmi3GetBinary, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     size_t valueSizes[], fmi3Binary values[], size_t nValues)) \
  F(fmi3Status, fmi3SetBinary, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const size_t valueSizes[], const fmi3Binary values[], size_t nValues)) \
  F(fmi3Status, fmi3GetClock, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3Clock values[])) \
  F(fmi3Status, fmi3SetClock, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3Clock values[])) \
  F(fmi3Status, fmi3GetNumberOfVariableDependencies, \
    (fmi3Instance instance, fmi3ValueReference valueReference, size_t *nDependencies)) \
  F(fmi3Status, fmi3GetVariableDependencies, \
    (fmi3Instance instance, fmi3ValueReference dependent, size_t elementIndicesOfDependent[], \
     fmi3ValueReference independents[], size_t elementIndicesOfIndependents[], \
     fmi3DependencyKind dependencyKinds[], size_t nDependencies)) \
  F(fmi3Status, fmi3GetFMUState, (fmi3Instance instance, fmi3FMUState *FMUState)) \
  F(fmi3Status, fmi3SetFMUState, (fmi3Instance instance, fmi3FMUState FMUState)) \
  F(fmi3Status, fmi3FreeFMUState, (fmi3Instance instance, fmi3FMUState *FMUState)) \
  F(fmi3Status, fmi3SerializedFMUStateSize, \
    (fmi3Instance instance, fmi3FMUState FMUState, size_t *size)) \
  F(fmi3Status, fmi3SerializeFMUState, \
    (fmi3Instance instance, fmi3FMUState FMUState, fmi3Byte serializedState[], size_t size)) \
  F(fmi3Status, fmi3DeserializeFMUState, \
    (fmi3Instance instance, const fmi3Byte serializedState[], size_t size, \
     fmi3FMUState *FMUState)) \
  F(fmi3Status, fmi3GetDirectionalDerivative, \
    (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns, \
     const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed, \
     fmi3Float64 sensitivity[], size_t nSensitivity)) \
  F(fmi3Status, fmi3GetAdjointDerivative, \
    (fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns, \
     const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[], size_t nSeed, \
     fmi3Float64 sensitivity[], size_t nSensitivity)) \
  F(fmi3Status, fmi3GetIntervalDecimal, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])) \
  F(fmi3Status, fmi3GetIntervalFraction, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3UInt64 counters[], fmi3UInt64 resolutions[], fmi3IntervalQualifier qualifiers[])) \
  F(fmi3Status, fmi3GetShiftDecimal, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3Float64 shifts[])) \
  F(fmi3Status, fmi3GetShiftFraction, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     fmi3UInt64 counters[], fmi3UInt64 resolutions[])) \
  F(fmi3Status, fmi3SetIntervalDecimal, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3Float64 intervals[])) \
  F(fmi3Status, fmi3SetIntervalFraction, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])) \
  F(fmi3Status, fmi3SetShiftDecimal, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3Float64 shifts[])) \
  F(fmi3Status, fmi3SetShiftFraction, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])) \
  F(fmi3Status, fmi3EvaluateDiscreteStates, (fmi3Instance instance)) \
  F(fmi3Status, fmi3UpdateDiscreteStates, \
    (fmi3Instance instance, fmi3Boolean *discreteStatesNeedUpdate, \
     fmi3Boolean *terminateSimulation, fmi3Boolean *nominalsOfContinuousStatesChanged, \
     fmi3Boolean *valuesOfContinuousStatesChanged, fmi3Boolean *nextEventTimeDefined, \
     fmi3Float64 *nextEventTime))

// model exchange
#define FMI3_EXCHANGE_FUNCTIONS(F) \
  F(fmi3Status, fmi3EnterContinuousTimeMode, (fmi3Instance instance)) \
  F(fmi3Status, fmi3CompletedIntegratorStep, \
    (fmi3Instance instance, fmi3Boolean noSetFMUStatePriorToCurrentPoint, \
     fmi3Boolean *enterEventMode, fmi3Boolean *terminateSimulation)) \
  F(fmi3Status, fmi3SetTime, (fmi3Instance instance, fmi3Float64 time)) \
  F(fmi3Status, fmi3SetContinuousStates, \
    (fmi3Instance instance, const fmi3Float64 continuousStates[], size_t nContinuousStates)) \
  F(fmi3Status, fmi3GetContinuousStateDerivatives, \
    (fmi3Instance instance, fmi3Float64 derivatives[], size_t nContinuousStates)) \
  F(fmi3Status, fmi3GetEventIndicators, \
    (fmi3Instance instance, fmi3Float64 eventIndicators[], size_t nEventIndicators)) \
  F(fmi3Status, fmi3GetContinuousStates, \
    (fmi3Instance instance, fmi3Float64 continuousStates[], size_t nContinuousStates)) \
  F(fmi3Status, fmi3GetNominalsOfContinuousStates, \
    (fmi3Instance instance, fmi3Float64 nominals[], size_t nContinuousStates)) \
  F(fmi3Status, fmi3GetNumberOfEventIndicators, (fmi3Instance instance, size_t *nEventIndicators)) \
  F(fmi3Status, fmi3GetNumberOfContinuousStates, (fmi3Instance instance, size_t *nContinuousStates))

// co-simulation, scheduled execution
#define FMI3_SIMULATION_FUNCTIONS(F) \
  F(fmi3Status, fmi3EnterStepMode, (fmi3Instance instance)) \
  F(fmi3Status, fmi3GetOutputDerivatives, \
    (fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
     const fmi3Int32 orders[], fmi3Float64 values[], size_t nValues)) \
  F(fmi3Status, fmi3DoStep, \
    (fmi3Instance instance, fmi3Float64 currentCommunicationPoint, \
     fmi3Float64 communicationStepSize, fmi3Boolean noSetFMUStatePriorToCurrentPoint, \
     fmi3Boolean *eventHandlingNeeded, fmi3Boolean *terminateSimulation, \
     fmi3Boolean *earlyReturn, fmi3Float64 *lastSuccessfulTime)) \
  F(fmi3Status, fmi3ActivateModelPartition, \
    (fmi3Instance instance, fmi3ValueReference clockReference, fmi3Float64 activationTime))

#define FMI3_FUNCTIONS(F) \
  FMI3_COMMON_FUNCTIONS(F) \
  FMI3_EXCHANGE_FUNCTIONS(F) \
  FMI3_SIMULATION_FUNCTIONS(F)

// clang-format on
#define FMI3_TYPE(type, name, arguments) typedef type name##TYPE arguments;
FMI3_FUNCTIONS(FMI3_TYPE)
#undef FMI3_TYPE

#ifdef FMI3_PREFIX
#define fmi3Join(a, b)   a##b
#define fmi3Joined(a, b) fmi3Join(a, b)
// in exported units each of them is defined with the prefix here (emit_unit_standard)
#define fmi3FullName(name) fmi3Joined(FMI3_PREFIX, name)
#endif

#define FMI3_DECLARE(type, name, arguments) FMI3_Export name##TYPE name;
FMI3_FUNCTIONS(FMI3_DECLARE)
#undef FMI3_DECLARE

#ifdef __cplusplus
}
#endif

#endif
