// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The functions of a unit by version 3.0 of the Functional Mock-up Interface, declared after the text of the standard. The text from
// the next line on goes into exported units too.
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
typedef const fmi3Byte *fmi3Binary; // its length is said beside it
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

//---- functions of all kinds, by their types

typedef const char *fmi3GetVersionTYPE(void);
typedef fmi3Status fmi3SetDebugLoggingTYPE(fmi3Instance instance, fmi3Boolean loggingOn,
                                           size_t nCategories, const fmi3String categories[]);

// the life of an instance
typedef fmi3Instance fmi3InstantiateModelExchangeTYPE(fmi3String instanceName,
                                                      fmi3String instantiationToken,
                                                      fmi3String resourcePath, fmi3Boolean visible,
                                                      fmi3Boolean loggingOn,
                                                      fmi3InstanceEnvironment instanceEnvironment,
                                                      fmi3LogMessageCallback logMessage);
typedef fmi3Instance fmi3InstantiateCoSimulationTYPE(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
    fmi3Boolean earlyReturnAllowed, const fmi3ValueReference requiredIntermediateVariables[],
    size_t nRequiredIntermediateVariables, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3IntermediateUpdateCallback intermediateUpdate);
typedef fmi3Instance fmi3InstantiateScheduledExecutionTYPE(
    fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
    fmi3Boolean visible, fmi3Boolean loggingOn, fmi3InstanceEnvironment instanceEnvironment,
    fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,
    fmi3LockPreemptionCallback lockPreemption, fmi3UnlockPreemptionCallback unlockPreemption);
typedef void fmi3FreeInstanceTYPE(fmi3Instance instance);
typedef fmi3Status fmi3EnterInitializationModeTYPE(fmi3Instance instance,
                                                   fmi3Boolean toleranceDefined,
                                                   fmi3Float64 tolerance, fmi3Float64 startTime,
                                                   fmi3Boolean stopTimeDefined,
                                                   fmi3Float64 stopTime);
typedef fmi3Status fmi3ExitInitializationModeTYPE(fmi3Instance instance);
typedef fmi3Status fmi3EnterEventModeTYPE(fmi3Instance instance);
typedef fmi3Status fmi3TerminateTYPE(fmi3Instance instance);
typedef fmi3Status fmi3ResetTYPE(fmi3Instance instance);
typedef fmi3Status fmi3EnterConfigurationModeTYPE(fmi3Instance instance);
typedef fmi3Status fmi3ExitConfigurationModeTYPE(fmi3Instance instance);

// values of variables, numbers of all elements one behind the other
#define FMI3_VALUE_TYPES(type)                                                                     \
  typedef fmi3Status fmi3Get##type##TYPE(                                                          \
      fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,  \
      fmi3##type values[], size_t nValues);                                                        \
  typedef fmi3Status fmi3Set##type##TYPE(                                                          \
      fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,  \
      const fmi3##type values[], size_t nValues)
FMI3_VALUE_TYPES(Float32);
FMI3_VALUE_TYPES(Float64);
FMI3_VALUE_TYPES(Int8);
FMI3_VALUE_TYPES(UInt8);
FMI3_VALUE_TYPES(Int16);
FMI3_VALUE_TYPES(UInt16);
FMI3_VALUE_TYPES(Int32);
FMI3_VALUE_TYPES(UInt32);
FMI3_VALUE_TYPES(Int64);
FMI3_VALUE_TYPES(UInt64);
FMI3_VALUE_TYPES(Boolean);
FMI3_VALUE_TYPES(String);
#undef FMI3_VALUE_TYPES
typedef fmi3Status fmi3GetBinaryTYPE(fmi3Instance instance,
                                     const fmi3ValueReference valueReferences[],
                                     size_t nValueReferences, size_t valueSizes[],
                                     fmi3Binary values[], size_t nValues);
typedef fmi3Status fmi3SetBinaryTYPE(fmi3Instance instance,
                                     const fmi3ValueReference valueReferences[],
                                     size_t nValueReferences, const size_t valueSizes[],
                                     const fmi3Binary values[], size_t nValues);
typedef fmi3Status fmi3GetClockTYPE(fmi3Instance instance,
                                    const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, fmi3Clock values[]);
typedef fmi3Status fmi3SetClockTYPE(fmi3Instance instance,
                                    const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, const fmi3Clock values[]);

// what depends on what
typedef fmi3Status fmi3GetNumberOfVariableDependenciesTYPE(fmi3Instance instance,
                                                           fmi3ValueReference valueReference,
                                                           size_t *nDependencies);
typedef fmi3Status fmi3GetVariableDependenciesTYPE(
    fmi3Instance instance, fmi3ValueReference dependent, size_t elementIndicesOfDependent[],
    fmi3ValueReference independents[], size_t elementIndicesOfIndependents[],
    fmi3DependencyKind dependencyKinds[], size_t nDependencies);

// whole states of an instance, and their bytes
typedef fmi3Status fmi3GetFMUStateTYPE(fmi3Instance instance, fmi3FMUState *FMUState);
typedef fmi3Status fmi3SetFMUStateTYPE(fmi3Instance instance, fmi3FMUState FMUState);
typedef fmi3Status fmi3FreeFMUStateTYPE(fmi3Instance instance, fmi3FMUState *FMUState);
typedef fmi3Status fmi3SerializedFMUStateSizeTYPE(fmi3Instance instance, fmi3FMUState FMUState,
                                                  size_t *size);
typedef fmi3Status fmi3SerializeFMUStateTYPE(fmi3Instance instance, fmi3FMUState FMUState,
                                             fmi3Byte serializedState[], size_t size);
typedef fmi3Status fmi3DeserializeFMUStateTYPE(fmi3Instance instance,
                                               const fmi3Byte serializedState[], size_t size,
                                               fmi3FMUState *FMUState);

// sensitivity = (d unknowns / d knowns) seed; its transpose: sensitivity = (d unknowns / d knowns)^T seed
typedef fmi3Status
fmi3GetDirectionalDerivativeTYPE(fmi3Instance instance, const fmi3ValueReference unknowns[],
                                 size_t nUnknowns, const fmi3ValueReference knowns[],
                                 size_t nKnowns, const fmi3Float64 seed[], size_t nSeed,
                                 fmi3Float64 sensitivity[], size_t nSensitivity);
typedef fmi3Status fmi3GetAdjointDerivativeTYPE(fmi3Instance instance,
                                                const fmi3ValueReference unknowns[],
                                                size_t nUnknowns, const fmi3ValueReference knowns[],
                                                size_t nKnowns, const fmi3Float64 seed[],
                                                size_t nSeed, fmi3Float64 sensitivity[],
                                                size_t nSensitivity);

// intervals and shifts of clocks
typedef fmi3Status fmi3GetIntervalDecimalTYPE(fmi3Instance instance,
                                              const fmi3ValueReference valueReferences[],
                                              size_t nValueReferences, fmi3Float64 intervals[],
                                              fmi3IntervalQualifier qualifiers[]);
typedef fmi3Status fmi3GetIntervalFractionTYPE(fmi3Instance instance,
                                               const fmi3ValueReference valueReferences[],
                                               size_t nValueReferences, fmi3UInt64 counters[],
                                               fmi3UInt64 resolutions[],
                                               fmi3IntervalQualifier qualifiers[]);
typedef fmi3Status fmi3GetShiftDecimalTYPE(fmi3Instance instance,
                                           const fmi3ValueReference valueReferences[],
                                           size_t nValueReferences, fmi3Float64 shifts[]);
typedef fmi3Status fmi3GetShiftFractionTYPE(fmi3Instance instance,
                                            const fmi3ValueReference valueReferences[],
                                            size_t nValueReferences, fmi3UInt64 counters[],
                                            fmi3UInt64 resolutions[]);
typedef fmi3Status fmi3SetIntervalDecimalTYPE(fmi3Instance instance,
                                              const fmi3ValueReference valueReferences[],
                                              size_t nValueReferences,
                                              const fmi3Float64 intervals[]);
typedef fmi3Status fmi3SetIntervalFractionTYPE(fmi3Instance instance,
                                               const fmi3ValueReference valueReferences[],
                                               size_t nValueReferences, const fmi3UInt64 counters[],
                                               const fmi3UInt64 resolutions[]);
typedef fmi3Status fmi3SetShiftDecimalTYPE(fmi3Instance instance,
                                           const fmi3ValueReference valueReferences[],
                                           size_t nValueReferences, const fmi3Float64 shifts[]);
typedef fmi3Status fmi3SetShiftFractionTYPE(fmi3Instance instance,
                                            const fmi3ValueReference valueReferences[],
                                            size_t nValueReferences, const fmi3UInt64 counters[],
                                            const fmi3UInt64 resolutions[]);
typedef fmi3Status fmi3EvaluateDiscreteStatesTYPE(fmi3Instance instance);
typedef fmi3Status fmi3UpdateDiscreteStatesTYPE(
    fmi3Instance instance, fmi3Boolean *discreteStatesNeedUpdate, fmi3Boolean *terminateSimulation,
    fmi3Boolean *nominalsOfContinuousStatesChanged, fmi3Boolean *valuesOfContinuousStatesChanged,
    fmi3Boolean *nextEventTimeDefined, fmi3Float64 *nextEventTime);

//---- model exchange

typedef fmi3Status fmi3EnterContinuousTimeModeTYPE(fmi3Instance instance);
typedef fmi3Status fmi3CompletedIntegratorStepTYPE(fmi3Instance instance,
                                                   fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                                   fmi3Boolean *enterEventMode,
                                                   fmi3Boolean *terminateSimulation);
typedef fmi3Status fmi3SetTimeTYPE(fmi3Instance instance, fmi3Float64 time);
typedef fmi3Status fmi3SetContinuousStatesTYPE(fmi3Instance instance,
                                               const fmi3Float64 continuousStates[],
                                               size_t nContinuousStates);
typedef fmi3Status fmi3GetContinuousStateDerivativesTYPE(fmi3Instance instance,
                                                         fmi3Float64 derivatives[],
                                                         size_t nContinuousStates);
typedef fmi3Status fmi3GetEventIndicatorsTYPE(fmi3Instance instance, fmi3Float64 eventIndicators[],
                                              size_t nEventIndicators);
typedef fmi3Status fmi3GetContinuousStatesTYPE(fmi3Instance instance,
                                               fmi3Float64 continuousStates[],
                                               size_t nContinuousStates);
typedef fmi3Status fmi3GetNominalsOfContinuousStatesTYPE(fmi3Instance instance,
                                                         fmi3Float64 nominals[],
                                                         size_t nContinuousStates);
typedef fmi3Status fmi3GetNumberOfEventIndicatorsTYPE(fmi3Instance instance,
                                                      size_t *nEventIndicators);
typedef fmi3Status fmi3GetNumberOfContinuousStatesTYPE(fmi3Instance instance,
                                                       size_t *nContinuousStates);

//---- co-simulation, scheduled execution

typedef fmi3Status fmi3EnterStepModeTYPE(fmi3Instance instance);
typedef fmi3Status fmi3GetOutputDerivativesTYPE(fmi3Instance instance,
                                                const fmi3ValueReference valueReferences[],
                                                size_t nValueReferences, const fmi3Int32 orders[],
                                                fmi3Float64 values[], size_t nValues);
typedef fmi3Status fmi3DoStepTYPE(fmi3Instance instance, fmi3Float64 currentCommunicationPoint,
                                  fmi3Float64 communicationStepSize,
                                  fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                  fmi3Boolean *eventHandlingNeeded,
                                  fmi3Boolean *terminateSimulation, fmi3Boolean *earlyReturn,
                                  fmi3Float64 *lastSuccessfulTime);
typedef fmi3Status fmi3ActivateModelPartitionTYPE(fmi3Instance instance,
                                                  fmi3ValueReference clockReference,
                                                  fmi3Float64 activationTime);

//---- their names

#define FMI3_COMMON_FUNCTIONS(F)                                                                   \
  F(fmi3GetVersion)                                                                                \
  F(fmi3SetDebugLogging)                                                                           \
  F(fmi3InstantiateModelExchange)                                                                  \
  F(fmi3InstantiateCoSimulation)                                                                   \
  F(fmi3InstantiateScheduledExecution)                                                             \
  F(fmi3FreeInstance)                                                                              \
  F(fmi3EnterInitializationMode)                                                                   \
  F(fmi3ExitInitializationMode)                                                                    \
  F(fmi3EnterEventMode)                                                                            \
  F(fmi3Terminate)                                                                                 \
  F(fmi3Reset)                                                                                     \
  F(fmi3EnterConfigurationMode)                                                                    \
  F(fmi3ExitConfigurationMode)                                                                     \
  F(fmi3GetFloat32)                                                                                \
  F(fmi3SetFloat32)                                                                                \
  F(fmi3GetFloat64)                                                                                \
  F(fmi3SetFloat64)                                                                                \
  F(fmi3GetInt8)                                                                                   \
  F(fmi3SetInt8)                                                                                   \
  F(fmi3GetUInt8)                                                                                  \
  F(fmi3SetUInt8)                                                                                  \
  F(fmi3GetInt16)                                                                                  \
  F(fmi3SetInt16)                                                                                  \
  F(fmi3GetUInt16)                                                                                 \
  F(fmi3SetUInt16)                                                                                 \
  F(fmi3GetInt32)                                                                                  \
  F(fmi3SetInt32)                                                                                  \
  F(fmi3GetUInt32)                                                                                 \
  F(fmi3SetUInt32)                                                                                 \
  F(fmi3GetInt64)                                                                                  \
  F(fmi3SetInt64)                                                                                  \
  F(fmi3GetUInt64)                                                                                 \
  F(fmi3SetUInt64)                                                                                 \
  F(fmi3GetBoolean)                                                                                \
  F(fmi3SetBoolean)                                                                                \
  F(fmi3GetString)                                                                                 \
  F(fmi3SetString)                                                                                 \
  F(fmi3GetBinary)                                                                                 \
  F(fmi3SetBinary)                                                                                 \
  F(fmi3GetClock)                                                                                  \
  F(fmi3SetClock)                                                                                  \
  F(fmi3GetNumberOfVariableDependencies)                                                           \
  F(fmi3GetVariableDependencies)                                                                   \
  F(fmi3GetFMUState)                                                                               \
  F(fmi3SetFMUState)                                                                               \
  F(fmi3FreeFMUState)                                                                              \
  F(fmi3SerializedFMUStateSize)                                                                    \
  F(fmi3SerializeFMUState)                                                                         \
  F(fmi3DeserializeFMUState)                                                                       \
  F(fmi3GetDirectionalDerivative)                                                                  \
  F(fmi3GetAdjointDerivative)                                                                      \
  F(fmi3GetIntervalDecimal)                                                                        \
  F(fmi3GetIntervalFraction)                                                                       \
  F(fmi3GetShiftDecimal)                                                                           \
  F(fmi3GetShiftFraction)                                                                          \
  F(fmi3SetIntervalDecimal)                                                                        \
  F(fmi3SetIntervalFraction)                                                                       \
  F(fmi3SetShiftDecimal)                                                                           \
  F(fmi3SetShiftFraction)                                                                          \
  F(fmi3EvaluateDiscreteStates)                                                                    \
  F(fmi3UpdateDiscreteStates)

#define FMI3_EXCHANGE_FUNCTIONS(F)                                                                 \
  F(fmi3EnterContinuousTimeMode)                                                                   \
  F(fmi3CompletedIntegratorStep)                                                                   \
  F(fmi3SetTime)                                                                                   \
  F(fmi3SetContinuousStates)                                                                       \
  F(fmi3GetContinuousStateDerivatives)                                                             \
  F(fmi3GetEventIndicators)                                                                        \
  F(fmi3GetContinuousStates)                                                                       \
  F(fmi3GetNominalsOfContinuousStates)                                                             \
  F(fmi3GetNumberOfEventIndicators)                                                                \
  F(fmi3GetNumberOfContinuousStates)

#define FMI3_SIMULATION_FUNCTIONS(F)                                                               \
  F(fmi3EnterStepMode)                                                                             \
  F(fmi3GetOutputDerivatives)                                                                      \
  F(fmi3DoStep)                                                                                    \
  F(fmi3ActivateModelPartition)

#define FMI3_FUNCTIONS(F)                                                                          \
  FMI3_COMMON_FUNCTIONS(F)                                                                         \
  FMI3_EXCHANGE_FUNCTIONS(F)                                                                       \
  FMI3_SIMULATION_FUNCTIONS(F)

#ifdef FMI3_PREFIX
#define fmi3Join(a, b)   a##b
#define fmi3Joined(a, b) fmi3Join(a, b)
// in exported units each of them is defined with the prefix here (emit_unit_standard)
#define fmi3FullName(name) fmi3Joined(FMI3_PREFIX, name)
#endif

#define FMI3_DECLARE(name) FMI3_Export name##TYPE name;
FMI3_FUNCTIONS(FMI3_DECLARE)
#undef FMI3_DECLARE

#ifdef __cplusplus
}
#endif

#endif
