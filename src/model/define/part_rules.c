// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Rules of values that kinds of blocks, sensors and force elements give (element/part.h), where parameters and frames are
// known.
#include <math.h>
#include <stdlib.h>

#include "base/error_recovery.h"
#include "model/model.h"

// an item: "block", "speed_loop"
typedef struct ruleItem {
  artModel *m;
  const char *kind, *name;
  const recordHead *head;
} ruleItem;


int model_keeps_rule(partNeed need, double value)
{
  return need == PART_NOT_NEGATIVE ? value >= 0 : value > 0;
}


const char *model_rule_words(partNeed need)
{
  return need == PART_POSITIVE ? "a positive number is wanted" : "a non-negative number is wanted";
}


static void check_sign(const ruleItem *item, const partRule *rule, double value)
{
  const artPlace place = field_place(&item->head->where, rule->key);
  if (rule->need == PART_FITS || model_keeps_rule(rule->need, value)) return;
  if (rule->need == PART_ORDERED) {
    error_refuse(place, "limits of %s '%s' leave a width of %.9g, a positive one is wanted",
                 item->kind, item->name, value);
  }
  error_refuse(place, "'%s' of %s '%s' is %.9g, %s", rule->key, item->kind, item->name, value,
               model_rule_words(rule->need));
}


// a formula, which can be read when all signals have their names
static void keep_rule(const ruleItem *item, const partRule *rule)
{
  artModel *m = item->m;
  m->rule = arena_grow(&m->arena, m->rule, m->nrule, &m->rule_capacity, sizeof *m->rule);
  const artPlace place = field_place(&item->head->where, rule->key);
  modelRule kept = {.need = rule->is_of_file ? PART_FITS : rule->need,
                    .key = rule->key,
                    .name = arena_text(&m->arena, item->name),
                    .dimension = UNIT_ANY,
                    .value = {.text = arena_text(&m->arena, rule->text),
                              .kind = item->kind,
                              .head = item->head,
                              .place = place,
                              .is_own = rule->need != PART_ORDERED}};
  if (rule->unit) {
    baseUnit unit;
    const artPlace unit_place = field_place(&item->head->where, "unit");
    error_check(unit_parse(&unit, rule->unit, unit_place, error_current()));
    kept.dimension = unit.dimension;
    const int n = abs(rule->seconds), sign = rule->seconds < 0 ? -1 : 1;
    for (int i = 0; i < n; i++) kept.dimension = unit_product(kept.dimension, UNIT_TIME, sign);
  }
  m->rule[m->nrule++] = kept;
}


static void check_formula(const ruleItem *item, const partRule *rule)
{
  double value;
  if (model_constant(item->m, item->head, rule->text, &value)) {
    check_sign(item, rule, value);
  }
  keep_rule(item, rule);
}


static void check_inside(const ruleItem *item, const partRule *rule)
{
  double low = -INFINITY, high = INFINITY;
  (void) model_constant(item->m, item->head, rule->limit[0], &low);
  (void) model_constant(item->m, item->head, rule->limit[1], &high);
  const int is_below = rule->value < low;
  if (low > high || (!is_below && rule->value <= high)) return; // the rule of limits tells
  error_refuse(field_place(&item->head->where, rule->key),
               "%s '%s' begins with %.9g, %s its limit %.9g", item->kind, item->name, rule->value,
               is_below ? "below" : "above", is_below ? low : high);
}


static void check_frame(const ruleItem *item, const partRule *rule)
{
  const artPlace place = field_place(&item->head->where, rule->key);
  model_find_frame(item->m, rule->text, place, item->kind, item->name);
}


void model_check_parts(artModel *m, const char *kind, const char *name, const recordHead *head,
                       const partContext *parts)
{
  const ruleItem item = {m, kind, name, head};
  for (int i = 0; i < parts->nrule; i++) {
    const partRule *rule = &parts->rule[i];
    (rule->need == PART_FRAME    ? check_frame
     : rule->need == PART_INSIDE ? check_inside
                                 : check_formula)(&item, rule);
  }
}


static void parse_rule(artModel *m, int i)
{
  modelRule rule = m->rule[i];
  model_signal_formula(m, &rule.value, rule.dimension);
  const int is_seen = rule.value.level <= LEVEL_VELOCITY && !formula_is_constant(rule.value.f);
  if (rule.need == PART_FITS || !is_seen || formula_has_memory(rule.value.f)) return;
  model_keep_place(m, &rule.value.place);
  rule.value.mode0 = m->nmode;
  m->nmode += rule.value.f->nswitch;
  model_mark_reads(m, rule.value.f, READ_BY_RULES);
  m->rule[m->nrule++] = rule;
}


// Values of accelerations or reactions are not known where runs look at rules.
void model_parse_rules(artModel *m)
{
  const int n = m->nrule;
  bool is_sound = true;
  m->nrule = 0;
  for (int i = 0; i < n; i++) {
    is_sound &= model_try_signal(m, &m->rule[i].value, m->rule[i].name, parse_rule, i);
  }
  if (!is_sound) recovery_drop();
}
