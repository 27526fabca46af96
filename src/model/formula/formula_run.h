// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The evaluation loop of formulas, included once for each kind of NUMBER: double and formulaJet by formula_eval.c, intervals by
// formula_bounds.c, nodes of expressions by gen/element/formula_symbolic.c. N(add) and the like are the operations on that kind. A TRUTH is the result of
// a comparison, a SEGMENT the number of one of a law; SURELY says whether a truth holds for certain. The freezer z says
// which branch piecewise operations are on:
//   SIDE(z, i, a, b, strict)   whether a >= b (strict: a > b), by switch i
//   CORNER(z, i, a, b)         the same of a law that is continuous there, for N(meet)
//   CELL(z, i, q), SIGN(z, i, x), PIECE(z, i, law, x)   whole part of q, sign of x, segment of a law, by switch i
//   QUOTIENT(z, i, a, b)       whole part of a/b, by switch i
//   LOOP(z, i, x, low, high)   the side of a hysteresis, by switch i
//   SEGMENT_OF(z, law, x)      segment of a law by its argument
// With HAS_OWN_BETWEEN the kind has its own N(between).

#ifndef HAS_OWN_BETWEEN

// y0 before x0, y1 from x1 on, y0 + (y1 - y0) s between, with s = (x - x0)/(x1 - x0)
static NUMBER N(between)(const NUMBER *a, TRUTH after_x0, TRUTH after_x1, int is_smooth)
{
  const NUMBER x = a[0], x0 = a[1], y0 = a[2], x1 = a[3], y1 = a[4];
  if (SURELY(!after_x0)) return y0;
  if (SURELY(after_x1)) return y1;
  NUMBER s = N(div)(N(sub)(x, x0), N(sub)(x1, x0));

  // quintic: s^3 (10 - 15 s + 6 s^2), first and second derivative zero at both ends
  if (is_smooth) {
    const NUMBER tail =
        N(add)(N(constant)(10), N(mul)(s, N(sub)(N(mul)(N(constant)(6), s), N(constant)(15))));
    s = N(mul)(N(mul)(s, N(mul)(s, s)), tail);
  }
  const NUMBER middle = N(add)(y0, N(mul)(N(sub)(y1, y0), s));
  return N(choose)(after_x0, N(choose)(after_x1, y1, middle), y0);
}

#endif


static NUMBER N(run)(const formula *f, const NUMBER *slots, const freezer *z, NUMBER *stack)
{
  NUMBER *top = stack; // the first free element; operands are top[-1], top[-2], ...

  for (int k = 0; k < f->nstep; k++) {
    const formulaStep *step = &f->steps[k];
    const int i = step->index;

    switch (step->op) {
    case OP_CONSTANT: *top++ = N(constant)(step->value); break;
    case OP_SLOT: *top++ = slots[i]; break;

    // arithmetic
    case OP_NEGATE: top[-1] = N(neg)(top[-1]); break;
    case OP_ADD:
      top--;
      top[-1] = N(add)(top[-1], top[0]);
      break;
    case OP_SUBTRACT:
      top--;
      top[-1] = N(sub)(top[-1], top[0]);
      break;
    case OP_MULTIPLY:
      top--;
      top[-1] = N(mul)(top[-1], top[0]);
      break;
    case OP_DIVIDE:
      top--;
      top[-1] = N(div)(top[-1], top[0]);
      break;

    // smooth functions
    case OP_POW:
      top--;
      top[-1] = N(pow)(top[-1], top[0]);
      break;
    case OP_CURVE:
      top[-1] = N(law)(z, step->law, SEGMENT_OF(z, step->law, top[-1]), top[-1]);
      break;
    case OP_SMOOTH_MAP: {
      const lawMap *map = step->map;
      top--;
      top[-1] = N(map)(z, map, SEGMENT_OF(z, map->column[0], top[-1]),
                       SEGMENT_OF(z, map->weight[0], top[0]), top[-1], top[0]);
      break;
    }
    case OP_HYPOT:
      top--;
      top[-1] = N(hypot)(top[-1], top[0]);
      break;
    case OP_SMOOTH:
      top -= 4;
      top[-1] = N(between)(top - 1, N(more)(top[-1], top[0]), N(at_least)(top[-1], top[2]), 1);
      break;
#define FUNCTION_CASE(name, function, rule, slope, bend) case OP_##name:
      SMOOTH_FUNCTIONS(FUNCTION_CASE)
#undef FUNCTION_CASE
      top[-1] = N(function)(step->op, top[-1]);
      break;

    // piecewise functions: the branch that is frozen
    case OP_ATAN2:
      top--;
      top[-1] = N(atan2)(top[-1], top[0], SIDE(z, i, top[-1], N(constant)(0), 0));
      break;
    case OP_ABS:
      top[-1] = N(meet)(CORNER(z, i, top[-1], N(constant)(0)), top[-1], N(neg)(top[-1]));
      break;
    case OP_MIN:
      top--;
      top[-1] = N(meet)(CORNER(z, i, top[0], top[-1]), top[-1], top[0]);
      break;
    case OP_MAX:
      top--;
      top[-1] = N(meet)(CORNER(z, i, top[-1], top[0]), top[-1], top[0]);
      break;
    case OP_PIECES: top[-1] = N(law)(z, step->law, PIECE(z, i, step->law, top[-1]), top[-1]); break;
    case OP_MAP: {
      const lawMap *map = step->map;
      top--;
      top[-1] = N(map)(z, map, PIECE(z, i, map->column[0], top[-1]),
                       PIECE(z, i + 2, map->weight[0], top[0]), top[-1], top[0]);
      break;
    }
    case OP_STEP: top[-1] = N(truth)(SIDE(z, i, top[-1], N(constant)(0), 0)); break;
    case OP_SIGN: top[-1] = SIGN(z, i, top[-1]); break;
    case OP_FLOOR: top[-1] = CELL(z, i, top[-1]); break;
    case OP_MOD:
      // a - n b, n = floor(a/b)
      top--;
      top[-1] = N(mod)(top[-1], top[0], QUOTIENT(z, i, top[-1], top[0]));
      break;
    case OP_PULSE: {
      top -= 2;
      const TRUTH begun = SIDE(z, i, top[-1], top[0], 0);
      const TRUTH ended = SIDE(z, i + 1, top[-1], top[1], 0);
      top[-1] = N(truth)(N(and)(begun, N(not )(ended)));
      break;
    }
    case OP_CLAMP: {
      // min(max(x, low), high)
      top -= 2;
      const TRUTH over = CORNER(z, i, top[-1], top[0]);
      const NUMBER above = N(meet)(over, top[-1], top[0]);
      const TRUTH under = CORNER(z, i + 1, top[1], above);
      top[-1] = N(limit)(over, under, above, top[0], top[1]);
      break;
    }
    case OP_HYSTERESIS:
      top -= 2;
      top[-1] = N(truth)(LOOP(z, i, top[-1], top[0], top[1]));
      break;
    case OP_RAMP: {
      top -= 4;
      const TRUTH after_x0 = SIDE(z, i, top[-1], top[0], 0);
      const TRUTH after_x1 = SIDE(z, i + 1, top[-1], top[2], 0);
      top[-1] = N(between)(top - 1, after_x0, after_x1, 0);
      break;
    }

    // conditions: 1 where they hold
    case OP_GREATER:
    case OP_AT_LEAST:
      top--;
      top[-1] = N(truth)(SIDE(z, i, top[-1], top[0], step->op == OP_GREATER));
      break;
    case OP_LESS:
    case OP_AT_MOST:
      top--;
      top[-1] = N(truth)(SIDE(z, i, top[0], top[-1], step->op == OP_LESS));
      break;
    case OP_EQUAL:
      top--;
      top[-1] = N(truth)(N(equal)(top[-1], top[0]));
      break;
    case OP_DIFFERENT:
      top--;
      top[-1] = N(truth)(N(not )(N(equal)(top[-1], top[0])));
      break;
    case OP_AND:
      top--;
      top[-1] = N(truth)(N(and)(N(holds)(top[-1]), N(holds)(top[0])));
      break;
    case OP_OR:
      top--;
      top[-1] = N(truth)(N(or)(N(holds)(top[-1]), N(holds)(top[0])));
      break;
    case OP_NOT: top[-1] = N(truth)(N(not )(N(holds)(top[-1]))); break;
    case OP_IF:
      top -= 2;
      top[-1] = N(choose)(N(holds)(top[-1]), top[0], top[1]);
      break;
    }
  }
  ART_ASSERT(top == stack + 1);
  return stack[0];
}
