// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Kinds of blocks and sensors: the fields of their definitions, and the parts that they consist of.
// Every kind is defined in a file of its own in this folder.
#ifndef ELEMENT_BLOCK_KIND_H
#define ELEMENT_BLOCK_KIND_H

#include "articula/model.h"
#include "element/part.h"

// One line per kind, in the order of the documentation: its name, which is also the name of its
// file and of its public functions, and its definition. The C interface and the forms of the reader
// (model/define/block_def.c) are generated from this list. Kinds with common code share a file.
#define BLOCK_KINDS(K)                                                                             \
  K(formula_block, artFormulaBlockDef)                                                             \
  K(sample_block, artSampleBlockDef)                                                               \
  K(pid_block, artPidBlockDef)                                                                     \
  K(lag_block, artLagBlockDef)                                                                     \
  K(second_order_block, artSecondOrderBlockDef)                                                    \
  K(transfer_function_block, artTransferFunctionBlockDef)                                          \
  K(integrator_block, artIntegratorBlockDef)                                                       \
  K(derivative_block, artDerivativeBlockDef)                                                       \
  K(delay_block, artDelayBlockDef)                                                                 \
  K(rate_limiter_block, artRateLimiterBlockDef)                                                    \
  K(saturation_block, artBandBlockDef)                                                             \
  K(dead_band_block, artBandBlockDef)                                                              \
  K(relay_block, artRelayBlockDef)                                                                 \
  K(table_block, artTableBlockDef)

// The same for sensors, which share one definition.
#define SENSOR_KINDS(K)                                                                            \
  K(position_sensor, artSensorDef)                                                                 \
  K(velocity_sensor, artSensorDef)                                                                 \
  K(acceleration_sensor, artSensorDef)                                                             \
  K(gyro_sensor, artSensorDef)                                                                     \
  K(speed_sensor, artSensorDef)                                                                    \
  K(force_sensor, artSensorDef)                                                                    \
  K(torque_sensor, artSensorDef)                                                                   \
  K(distance_sensor, artSensorDef)                                                                 \
  K(angle_sensor, artSensorDef)                                                                    \
  K(quantity_sensor, artSensorDef)

typedef struct blockKind {
  fieldForm form; // name "block", and the type in model files
  size_t size;    // of the definition, whose first member is its name

  // Check rules that the fields do not express, and set defaults that depend on other fields; may
  // be NULL.
  void (*check)(const fieldCheck *check, void *def);

  // Add the parts of a checked definition.
  void (*make)(const void *def, partContext *c);
} blockKind;

// A kind: its name, section ("block"), definition, keyword in model files, fields, functions, and
// help.
#define BLOCK_KIND(kind, section, T, word, keys_of, check_of, make_of, words)                      \
  const blockKind block_##kind = {                                                                 \
      .form = {.name = section, .type = word, .keys = keys_of, .help = words},                     \
      .size = sizeof(T),                                                                           \
      .check = check_of,                                                                           \
      .make = make_of}

// Keys of kinds with a clock: its period (may be omitted if OPTIONAL) and the first instant.
// clang-format off
#define CLOCK_FIELDS(T, need_of)                                                                   \
  {"every", KEY_NUMBER, Q_TIME, .need = need_of, .offset = offsetof(T, every), .above_zero = true, \
   .range = RANGE_NOT_NEGATIVE, .help = "period of its instants; without one it follows at all times"}, \
  {"offset", KEY_NUMBER, Q_TIME, .offset = offsetof(T, offset), .range = RANGE_NOT_NEGATIVE,       \
   .fallback = "0", .help = "the first instant"},                                                  \
  {"initial", KEY_NUMBER, Q_OWN, .offset = offsetof(T, initial), .fallback = "0",                  \
   .help = "value before the first instant"}
// clang-format on

// The kind to which a form of a block belongs.
static inline const blockKind *block_of_form(const fieldForm *form)
{
  return (const blockKind *) (const void *) form; // the form is the first member of its kind
}

#endif
