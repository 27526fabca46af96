// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Values in six directions of a model file: matrices, loads and laws.
#include "model/read/reader.h"

#include <string.h>

static const char *const direction[6] = {"x", "y", "z", "rx", "ry", "rz"};

// of generalised force i, by displacement j or its rate
static baseDimension entry_dimension(keyQuantity quantity, int i, int j)
{
  const baseDimension force = i < 3 ? UNIT_FORCE : UNIT_TORQUE;
  const baseDimension ratio = j < 3 ? unit_product(force, UNIT_LENGTH, -1) : force;
  return quantity == Q_DAMPING ? unit_product(ratio, UNIT_TIME, 1) : ratio;
}


void reader_read_six(modelReader *reader, const yamlNode *node, double out[6])
{
  reader_check_list(node, 6, 6, "a list of 3 forces and 3 torques");
  int i = 0;
  for (const yamlNode *item = node->first; item; item = item->next, i++) {
    const baseDimension expected = i < 3 ? UNIT_FORCE : UNIT_TORQUE;
    reader_read_number(reader, item, expected, &out[i], NULL);
  }
}


static void read_six_row(modelReader *reader, keyQuantity quantity, const yamlNode *row, int i,
                         double out[36])
{
  ART_ASSERT(i >= 0 && i < 6);
  reader_check_list(row, 6, 6, "a row of 6 numbers");
  int j = 0;
  for (const yamlNode *item = row->first; item; item = item->next, j++) {
    const baseDimension expected = entry_dimension(quantity, i, j);
    reader_read_number(reader, item, expected, &out[6 * i + j], NULL);
  }
}


void reader_read_six_by_six(modelReader *reader, const fieldKey *key, const yamlNode *node,
                            double out[36])
{
  reader_check_list(node, 6, 6, "a list of 6 numbers, the diagonal, or of 6 rows of 6");
  int i = 0;
  for (const yamlNode *item = node->first; item; item = item->next, i++) {
    if (item->kind == NODE_SCALAR) {
      const baseDimension expected = entry_dimension(key->quantity, i, i);
      reader_read_number(reader, item, expected, &out[7 * i], NULL);
    } else {
      read_six_row(reader, key->quantity, item, i, out);
    }
  }
}


void reader_read_six_laws(modelReader *reader, const fieldKey *key, const yamlNode *node,
                          artLawDef out[6])
{
  reader_check_mapping(node, "directions and their laws");
  for (const yamlNode *item = node->first; item; item = item->next) {
    int i = 0;
    while (i < 6 && strcmp(item->key, direction[i]) != 0) i++;
    if (i == 6) {
      error_refuse(item->key_place, "'%.40s' is not a direction; there are x, y, z, rx, ry, rz",
                   item->key);
    }
    const fieldKey own = {.name = direction[i],
                          .type = KEY_LAW,
                          .quantity = key->quantity,
                          .rival = key->quantity == Q_X ? "stiffness" : "damping"};
    reader->axis = i < 3 ? AXIS_LINEAR : AXIS_ANGULAR;
    reader_read_law(reader, &own, item, &out[i]);
  }
  reader->axis = AXIS_UNKNOWN;
}
