// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rules of values that kinds of blocks, sensors and force elements give (element/part.h), where parameters and frames are
// known.
#include <math.h>
#include <stdio.h>

#include "model/model.h"

// an item: "block", "speed_loop"
typedef struct ruleItem {
  artModel *m;
  const char *kind, *name;
  const recordHead *head;
  artError *error;
} ruleItem;


static artStatus check_sign(const ruleItem *item, const partRule *rule)
{
  double value;
  if (!model_constant(item->m, item->head, rule->text, &value)) return ART_OK;
  const int is_positive = rule->need == PART_POSITIVE;
  if (is_positive ? value > 0 : value >= 0) return ART_OK;
  return base_fail(item->error, ART_BAD_INPUT, field_place(&item->head->where, rule->key),
                   "'%s' of %s '%s' is %.9g, a %s number is wanted", rule->key, item->kind,
                   item->name, value, is_positive ? "positive" : "non-negative");
}


static artStatus check_inside(const ruleItem *item, const partRule *rule)
{
  double low = -INFINITY, high = INFINITY;
  (void) model_constant(item->m, item->head, rule->limit[0], &low);
  (void) model_constant(item->m, item->head, rule->limit[1], &high);
  const int is_below = rule->value < low;
  if (low > high || (!is_below && rule->value <= high))
    return ART_OK; // clamp tells limits in the wrong order
  return base_fail(item->error, ART_BAD_INPUT, field_place(&item->head->where, rule->key),
                   "%s '%s' begins with %.9g, %s its limit %.9g", item->kind, item->name,
                   rule->value, is_below ? "below" : "above", is_below ? low : high);
}


static artStatus check_frame(const ruleItem *item, const partRule *rule)
{
  char what[200];
  snprintf(what, sizeof what, "%s '%.150s'", item->kind, item->name);
  const artPlace place = field_place(&item->head->where, rule->key);
  return model_find_frame(item->m, rule->text, place, what, item->error) < 0 ? ART_BAD_INPUT
                                                                             : ART_OK;
}


artStatus model_check_parts(artModel *m, const char *kind, const char *name, const recordHead *head,
                            const partContext *parts, artError *error)
{
  const ruleItem item = {m, kind, name, head, error};
  artStatus status = ART_OK;
  for (int i = 0; i < parts->nrule && status == ART_OK; i++) {
    const partRule *rule = &parts->rule[i];
    status = rule->need == PART_FRAME    ? check_frame(&item, rule)
             : rule->need == PART_INSIDE ? check_inside(&item, rule)
                                         : check_sign(&item, rule);
  }
  return status;
}
