// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Functions of lanes. All from the next line on goes as source into generated files, where it belongs to its user;
// it needs LANES and the type `lanes`.
//---- functions of lanes --------------------------------------------------------------------------
//
// Vectors of LANES numbers, one of each instance. Every lane is computed by itself: its result does not
// depend on its neighbours. Errors are within one to three units of the last digit of the result, of powers four.

// functions that stand where they are used, and those that are too long for it; not every file uses all
#define LANES_INLINE static inline __attribute__((unused))
#define LANES_CALL   static __attribute__((noinline, unused))

typedef unsigned long long lanes_bits __attribute__((vector_size(8 * LANES)));

// vectors of the CPU, which make up vectors of lanes, and its functions
#if defined __AVX512F__ && LANES >= 8
typedef __m512d lanes_part;
#define LANES_PART(function) _mm512_##function##_pd
#elif defined __AVX__ && LANES >= 4
typedef __m256d lanes_part;
#define LANES_PART(function) _mm256_##function##_pd
#elif defined __SSE2__
typedef __m128d lanes_part;
#define LANES_PART(function) _mm_##function##_pd
#elif defined __aarch64__
typedef float64x2_t lanes_part;
#define LANES_PART(function) lanes_part_##function
#define lanes_part_min       vminnmq_f64
#define lanes_part_max       vmaxnmq_f64
#define lanes_part_floor     vrndmq_f64
#define lanes_part_sqrt      vsqrtq_f64
#else
typedef double lanes_part;
#define LANES_PART(function) lanes_part_##function
#define lanes_part_min       fmin
#define lanes_part_max       fmax
#define lanes_part_floor     floor
#define lanes_part_sqrt      sqrt
#endif

typedef union lanes_parts {
  lanes all;
  lanes_part part[sizeof(lanes) / sizeof(lanes_part)];
} lanes_parts;

#define LANES_FOR_PARTS for (int k = 0; k < (int) (sizeof(lanes) / sizeof(lanes_part)); k++)

// one vector of a CPU with AVX-512, which has masks of bits
#if defined __AVX512F__ && LANES == 8
#define LANES_ARE_WIDE
#endif

// a whole number n in a double: n + LANES_MAGIC, whose last bits are n
#define LANES_MAGIC 0x1.8p52


LANES_INLINE lanes lanes_all(double x)
{
  return x - (lanes){0};
}


//---- masks ----
//
// A mask says of each lane whether something holds there. Eight lanes of a CPU that has such masks are the
// last bits of a number, all others numbers 0 and -1 side by side. Masks are combined by &, | and ~.

#ifdef LANES_ARE_WIDE
typedef unsigned lanes_mask;
#define LANES_COMPARE(a, sign, b, how)                                                             \
  ((lanes_mask) _mm512_cmp_pd_mask((__m512d) (a), (__m512d) (b), how))
#else
typedef long long lanes_mask __attribute__((vector_size(8 * LANES)));
#define LANES_COMPARE(a, sign, b, how) ((lanes_mask) ((a) sign(b)))
#endif


LANES_INLINE lanes_mask lanes_below(lanes a, lanes b)
{
  return LANES_COMPARE(a, <, b, _CMP_LT_OQ);
}


LANES_INLINE lanes_mask lanes_up_to(lanes a, lanes b)
{
  return LANES_COMPARE(a, <=, b, _CMP_LE_OQ);
}


LANES_INLINE lanes_mask lanes_same(lanes a, lanes b)
{
  return LANES_COMPARE(a, ==, b, _CMP_EQ_OQ);
}


// not even the same as itself
LANES_INLINE lanes_mask lanes_is_none(lanes x)
{
  return LANES_COMPARE(x, !=, x, _CMP_UNORD_Q);
}


LANES_INLINE lanes_mask lanes_has_minus(lanes x)
{
#ifdef LANES_ARE_WIDE
  return (lanes_mask) _mm512_cmplt_epi64_mask((__m512i) x, _mm512_setzero_si512());
#else
  return (lanes_mask) x < 0;
#endif
}


// a where the mask is set, else b
LANES_INLINE lanes lanes_pick(lanes_mask m, lanes a, lanes b)
{
#ifdef LANES_ARE_WIDE
  return (lanes) _mm512_mask_blend_pd((__mmask8) m, (__m512d) b, (__m512d) a);
#else
  return (lanes) ((m & (lanes_mask) a) | (~m & (lanes_mask) b));
#endif
}


LANES_INLINE lanes lanes_where(lanes_mask m, lanes a)
{
#ifdef LANES_ARE_WIDE
  return (lanes) _mm512_maskz_mov_pd((__mmask8) m, (__m512d) a);
#else
  return (lanes) (m & (lanes_mask) a);
#endif
}


// bit k: lane k is set
LANES_INLINE int lanes_number(lanes_mask m)
{
#ifdef LANES_ARE_WIDE
  return (int) (m & 0xff);
#else
  int number = 0;
#if defined __SSE2__
  const lanes_parts p = {(lanes) m};
  LANES_FOR_PARTS number |= LANES_PART(movemask)(p.part[k]) << (k * (int) sizeof(lanes_part) / 8);
#else
  for (int k = 0; k < LANES; k++) number |= (m[k] != 0) << k;
#endif
  return number;
#endif
}


LANES_INLINE lanes_mask lanes_none(void)
{
#ifdef LANES_ARE_WIDE
  return 0;
#else
  return (lanes_mask){0};
#endif
}


LANES_INLINE int lanes_any(lanes_mask m)
{
  return lanes_number(m) != 0;
}


LANES_INLINE int lanes_every(lanes_mask m)
{
  return !lanes_any(~m);
}


//---- conditions that are variables are numbers 1 and 0 ----

LANES_INLINE lanes lanes_truth(lanes_mask m)
{
  return lanes_where(m, lanes_all(1));
}


LANES_INLINE lanes_mask lanes_is(lanes x)
{
  return ~lanes_same(x, lanes_all(0));
}


//---- signs, parts, roots ----

LANES_INLINE lanes lanes_abs(lanes x)
{
  return (lanes) ((lanes_bits) x & 0x7fffffffffffffff);
}


// the size of x with the sign of y
LANES_INLINE lanes lanes_copysign(lanes x, lanes y)
{
  const lanes_bits sign = (lanes_bits) lanes_all(-0.0);
  return (lanes) (((lanes_bits) x & ~sign) | ((lanes_bits) y & sign));
}


LANES_INLINE lanes lanes_sign(lanes x)
{
  return lanes_truth(lanes_below(lanes_all(0), x)) - lanes_truth(lanes_below(x, lanes_all(0)));
}


// Of a number and one that is none, the number. Processors with SSE give b if one is none; in generated source b is
// a number that is known to the compiler more often than not.
LANES_INLINE lanes lanes_rather(lanes a, lanes b, lanes chosen)
{
#ifdef __SSE2__
  return __builtin_constant_p(b[0]) ? chosen : lanes_pick(lanes_is_none(b), a, chosen);
#else
  (void) a;
  (void) b;
  return chosen;
#endif
}


LANES_INLINE lanes lanes_min(lanes a, lanes b)
{
  lanes_parts r = {a}, other = {b};
  LANES_FOR_PARTS r.part[k] = LANES_PART(min)(r.part[k], other.part[k]);
  return lanes_rather(a, b, r.all);
}


LANES_INLINE lanes lanes_max(lanes a, lanes b)
{
  lanes_parts r = {a}, other = {b};
  LANES_FOR_PARTS r.part[k] = LANES_PART(max)(r.part[k], other.part[k]);
  return lanes_rather(a, b, r.all);
}


LANES_INLINE lanes lanes_floor(lanes x)
{
#if defined __SSE2__ && !defined __SSE4_1__
  const lanes a = lanes_abs(x), near = lanes_copysign((a + 0x1p52) - 0x1p52, x);
  const lanes below = near - lanes_truth(lanes_below(x, near));
  return lanes_pick(lanes_below(a, lanes_all(0x1p52)), lanes_copysign(below, x), x);
#else
  lanes_parts r = {x};
  LANES_FOR_PARTS r.part[k] = LANES_PART(floor)(r.part[k]);
  return r.all;
#endif
}


LANES_INLINE lanes lanes_sqrt(lanes x)
{
  lanes_parts r = {x};
  LANES_FOR_PARTS r.part[k] = LANES_PART(sqrt)(r.part[k]);
  return r.all;
}


// a/b for a b that was known long before. Of eight numbers CPUs take three times as long for it as of one, but
// offer a reciprocal r to 14 binary digits at once: with e = 1 - b r
//   1/b = r/(1 - e) = r (1 + e + e^2 + ..)
// to 42 digits; the quotient by it is corrected once, and then as a quotient is, but for the sign of zero and for
// numbers below 2^-960. Where b is zero or one of them infinite it is not a number and left to the CPU.
LANES_INLINE lanes lanes_over(lanes a, lanes b)
{
#ifdef LANES_ARE_WIDE
  const __m512d A = (__m512d) a, B = (__m512d) b, r = _mm512_rcp14_pd(B);
  const __m512d e = _mm512_fnmadd_pd(B, r, _mm512_set1_pd(1));
  const __m512d s = _mm512_fmadd_pd(r, _mm512_fmadd_pd(e, e, e), r), q = _mm512_mul_pd(A, s);
  const lanes corrected = (lanes) _mm512_fmadd_pd(_mm512_fnmadd_pd(B, q, A), s, q);
  const lanes_mask is_left = lanes_is_none(corrected);
  if (__builtin_expect(lanes_any(is_left), 0)) return lanes_pick(is_left, a / b, corrected);
  return corrected;
#else
  return a / b;
#endif
}


LANES_INLINE lanes lanes_mod(lanes a, lanes b)
{
  return a - b * lanes_floor(a / b);
}


// the larger one by the root of 1 and the square of their ratio
LANES_CALL lanes lanes_hypot(lanes x, lanes y)
{
  const lanes a = lanes_abs(x), b = lanes_abs(y);
  const lanes large = lanes_max(a, b), small = lanes_min(a, b), infinite = lanes_all(HUGE_VAL);
  const lanes ratio = small / lanes_pick(lanes_same(large, lanes_all(0)), lanes_all(1), large);
  const lanes length = large * lanes_sqrt(1 + ratio * ratio);
  const lanes_mask is_infinite = lanes_same(large, infinite);
  const lanes sum = lanes_pick(lanes_is_none(x) | lanes_is_none(y), x + y, length);
  return lanes_pick(is_infinite, infinite, sum);
}


//---- sine and cosine ----

// as polynomials, of |y| up to pi/4
LANES_INLINE lanes lanes_short_sine(lanes y, lanes z)
{
  const lanes z2 = z * z;
  const lanes P = -0x1.5555555555555p-3 + z * 0x1.1111111110bb2p-7 +
                  z2 * (-0x1.a01a019e83816p-13 + z * 0x1.71de379654304p-19 +
                        z2 * (-0x1.ae600aca92c64p-26 + z * 0x1.5e0b05bff20f2p-33));
  return y + y * z * P;
}


LANES_INLINE lanes lanes_short_cosine(lanes z)
{
  const lanes z2 = z * z;
  const lanes Q = 0x1.5555555555555p-5 - z * 0x1.6c16c16c16967p-10 +
                  z2 * (0x1.a01a019f4e9b4p-16 - z * 0x1.27e4fa17bf139p-22 +
                        z2 * (0x1.1eeb68cd22f56p-29 - z * 0x1.907d8f29fe831p-37));
  return 1 - 0.5 * z + z2 * Q;
}


// Of the angle less the nearest multiple of pi/2, which is taken in three parts; angles all of which are below pi/4 need
// none. Angles beyond 1e5 are left to the C library.
LANES_CALL void lanes_sincos(lanes x, lanes *sine, lanes *cosine)
{
  const lanes size = lanes_abs(x);
  if (lanes_every(lanes_below(size, lanes_all(0.75)))) {
    *sine = lanes_short_sine(x, x * x);
    *cosine = lanes_short_cosine(x * x);
    return;
  }
  const lanes m = x * 0x1.45f306dc9c883p-1 + LANES_MAGIC;
  const lanes turns = m - LANES_MAGIC;
  const lanes y =
      x - turns * 0x1.921fb544p+0 - turns * 0x1.0b4611a6p-34 - turns * 0x1.3198a2e037073p-69;
  const lanes_bits s = (lanes_bits) lanes_short_sine(y, y * y);
  const lanes_bits c = (lanes_bits) lanes_short_cosine(y * y);
  const lanes_bits quarter = (lanes_bits) m;
  const lanes_bits swap = (s ^ c) & (0 - (quarter & 1));
  *sine = (lanes) (s ^ swap ^ ((quarter & 2) << 62));
  *cosine = (lanes) (c ^ swap ^ (((quarter + 1) & 2) << 62));
  const int far = lanes_number(~lanes_below(size, lanes_all(1e5)));
  for (int k = 0; far >> k; k++) {
    if (!(far >> k & 1)) continue;
    (*sine)[k] = sin(x[k]);
    (*cosine)[k] = cos(x[k]);
  }
}


LANES_INLINE lanes lanes_sin(lanes x)
{
  lanes sine, cosine;
  lanes_sincos(x, &sine, &cosine);
  return sine;
}


LANES_INLINE lanes lanes_cos(lanes x)
{
  lanes sine, cosine;
  lanes_sincos(x, &sine, &cosine);
  return cosine;
}


LANES_INLINE lanes lanes_tan(lanes x)
{
  lanes sine, cosine;
  lanes_sincos(x, &sine, &cosine);
  return sine / cosine;
}


//---- angles from sides ----

// atan t for |t| up to tan(pi/8)
LANES_INLINE lanes lanes_short_atan(lanes t)
{
  const lanes z = t * t, z2 = z * z, z4 = z2 * z2;
  const lanes P =
      -0x1.5555555555555p-2 + z * 0x1.999999999934ap-3 +
      z2 * (-0x1.24924924360cbp-3 + z * 0x1.c71c7185314cbp-4) +
      z4 * (-0x1.745d0b26b83e7p-4 + z * 0x1.3b1262d95579ep-4 +
            z2 * (-0x1.10fa75382537fp-4 + z * 0x1.dfe61e80903d2p-5) +
            z4 * (-0x1.a098bb6ba4941p-5 + z * 0x1.41603647c7a7cp-5 - z2 * 0x1.3a2b7a07caea9p-6));
  return t + t * z * P;
}


// whether all angles are so short that the polynomial serves
LANES_INLINE int lanes_are_short(lanes y, lanes x)
{
  return lanes_every(lanes_below(lanes_abs(y), x * 0x1.a827999fcef32p-2));
}


// Of the smaller side by the larger one, an angle up to pi/4. Beyond pi/8 that is pi/4 and the angle whose
// tangent is (small - large)/(small + large), so that a polynomial serves up to tan(pi/8). Multiples of pi/4 are taken
// in two parts: angle = first + (second + atan t).
LANES_CALL lanes lanes_atan2(lanes y, lanes x)
{
  if (lanes_are_short(y, x)) return lanes_copysign(lanes_short_atan(y / x), y);
  const lanes a = lanes_abs(x), b = lanes_abs(y), infinite = lanes_all(HUGE_VAL);
  const lanes_mask both = lanes_same(a, infinite) & lanes_same(b, infinite);
  const lanes_mask steep = lanes_below(a, b), back = lanes_has_minus(x);
  const lanes large = lanes_pick(both, lanes_all(1), lanes_pick(steep, b, a));
  const lanes small = lanes_pick(both, lanes_all(1), lanes_pick(steep, a, b));
  const lanes_mask wide = lanes_below(large * 0x1.a827999fcef32p-2, small);
  const lanes up = lanes_pick(wide, small - large, small);
  const lanes down = lanes_pick(wide, small + large, large);
  const lanes t = up / lanes_pick(lanes_same(down, lanes_all(0)), lanes_all(1), down);
  lanes first = lanes_where(wide, lanes_all(0x1.921fb54442d18p-1));
  lanes second = lanes_where(wide, lanes_all(0x1.1a62633145c07p-55)) + lanes_short_atan(t);
  first = lanes_pick(steep, 0x1.921fb54442d18p+0 - first, first);
  second = lanes_pick(steep, 0x1.1a62633145c07p-54 - second, second);
  first = lanes_pick(back, 0x1.921fb54442d18p+1 - first, first);
  second = lanes_pick(back, 0x1.1a62633145c07p-53 - second, second);
  const lanes angle = lanes_copysign(first + second, y);
  return lanes_pick(lanes_is_none(x) | lanes_is_none(y), x + y, angle);
}


// of x up to tan(pi/8), of (x - 1)/(x + 1) after it up to tan(3 pi/8), of -1/x beyond
LANES_CALL lanes lanes_atan(lanes x)
{
  const lanes a = lanes_abs(x), one = lanes_all(1);
  if (lanes_are_short(x, one)) return lanes_copysign(lanes_short_atan(x), x);
  const lanes_mask wide = lanes_below(lanes_all(0x1.a827999fcef32p-2), a);
  const lanes_mask steep = lanes_below(lanes_all(0x1.3504f333f9de6p+1), a);
  const lanes up = lanes_pick(steep, -one, lanes_pick(wide, a - 1, a));
  const lanes down = lanes_pick(steep, a, lanes_pick(wide, a + 1, one));
  const lanes first = lanes_pick(steep, lanes_all(0x1.921fb54442d18p+0),
                                 lanes_where(wide, lanes_all(0x1.921fb54442d18p-1)));
  const lanes second = lanes_pick(steep, lanes_all(0x1.1a62633145c07p-54),
                                  lanes_where(wide, lanes_all(0x1.1a62633145c07p-55)));
  return lanes_copysign(first + (second + lanes_short_atan(up / down)), x);
}


LANES_INLINE lanes lanes_asin(lanes x)
{
  return lanes_atan2(x, lanes_sqrt((1 - x) * (1 + x)));
}


LANES_INLINE lanes lanes_acos(lanes x)
{
  return lanes_atan2(lanes_sqrt((1 - x) * (1 + x)), x);
}


//---- exponentials ----

// 2^n for n = whole - LANES_MAGIC, from -1022 to 1023
LANES_INLINE lanes lanes_power_of_two(lanes whole)
{
  return (lanes) (((lanes_bits) whole + 1023) << 52);
}


// x = n ln 2 + r, |r| <= ln(2)/2: n, and e^r - 1 by its series
LANES_INLINE lanes lanes_exp_parts(lanes x, lanes *n)
{
  *n = (x * 0x1.71547652b82fep+0 + LANES_MAGIC) - LANES_MAGIC;
  const lanes r = x - *n * 0x1.62e42fefp-1 - *n * 0x1.473de6af278edp-34;
  const lanes r2 = r * r, r4 = r2 * r2;
  const lanes P = 0.5 + r * 0x1.5555555555555p-3 +
                  r2 * (0x1.5555555555555p-5 + r * 0x1.1111111111111p-7) +
                  r4 * (0x1.6c16c16c16c17p-10 + r * 0x1.a01a01a01a01ap-13 +
                        r2 * (0x1.a01a01a01a01ap-16 + r * 0x1.71de3a556c734p-19)) +
                  r4 * r4 *
                      (0x1.27e4fb7789f5cp-22 + r * 0x1.ae64567f544e4p-26 +
                       r2 * (0x1.1eed8eff8d898p-29 + r * 0x1.6124613a86d09p-33));
  return r + r2 * P;
}


// e^x 2^more; 2^n in two factors, for results near the ends
LANES_CALL lanes lanes_scaled_exp(lanes x, double more)
{
  lanes n;
  const lanes least = lanes_all(-746), most = lanes_all(712);
  const lanes above = lanes_pick(lanes_below(x, least), least, x);
  const lanes power = 1 + lanes_exp_parts(lanes_pick(lanes_below(most, x), most, above), &n);
  const lanes all = n + more;
  const lanes half = all * 0.5 + LANES_MAGIC, rest = all - (half - LANES_MAGIC) + LANES_MAGIC;
  return power * lanes_power_of_two(half) * lanes_power_of_two(rest);
}


LANES_INLINE lanes lanes_exp(lanes x)
{
  return lanes_scaled_exp(x, 0);
}


// x = 2^k (1 + f), 1 + f from sqrt(1/2) to sqrt(2)
LANES_INLINE lanes lanes_split(lanes x, lanes *k)
{
  const lanes_mask tiny = lanes_below(x, lanes_all(0x1p-1022));
  const lanes_bits begin = (lanes_bits) lanes_all(0x1.6a09e667f3bcdp-1);
  const lanes_bits one = (lanes_bits) lanes_all(1), magic = (lanes_bits) lanes_all(LANES_MAGIC);
  const lanes_bits bits = (lanes_bits) lanes_pick(tiny, x * 0x1p54, x) + (one - begin);
  *k = (lanes) ((bits >> 52) + (magic - 1023)) - LANES_MAGIC - lanes_where(tiny, lanes_all(54));
  return (lanes) ((bits & 0xfffffffffffff) + begin) - 1;
}


// with s = f/(2 + f): ln(1 + f) = 2 artanh(s) = 2 s + s R(s^2)
LANES_INLINE lanes lanes_artanh_rest(lanes w)
{
  const lanes w2 = w * w;
  return w * (0x1.5555555555555p-1 + w * 0x1.9999999999a39p-2 +
              w2 * (0x1.2492492476a1ap-2 + w * 0x1.c71c7201a55d7p-3 +
                    w2 * (0x1.745cf8e4bba1bp-3 + w * 0x1.3b1c3c1c81c8fp-3 +
                          w2 * (0x1.0fbde0f4ad17bp-3 + w * 0x1.0c0aff044a97p-3))));
}


// values at and beyond the ends of the logarithm
LANES_INLINE lanes lanes_log_ends(lanes x, lanes log)
{
  const lanes infinite = lanes_all(HUGE_VAL), zero = lanes_all(0);
  const lanes ends =
      lanes_pick(lanes_same(x, zero), -infinite, lanes_pick(lanes_same(x, infinite), x, log));
  return lanes_pick(lanes_up_to(zero, x), ends, (x - x) / lanes_all(0));
}


LANES_CALL lanes lanes_log(lanes x)
{
  lanes k;
  const lanes f = lanes_split(x, &k), s = f / (2 + f), half = 0.5 * f * f;
  const lanes R = lanes_artanh_rest(s * s);
  const lanes low = s * (half + R) + k * 0x1.473de6af278edp-34;
  return lanes_log_ends(x, k * 0x1.62e42fefp-1 + (f - (half - low)));
}


LANES_INLINE lanes lanes_log10(lanes x)
{
  const lanes log = lanes_log(x);
  return log * 0x1.bcb7b1526e50ep-2;
}


LANES_CALL lanes lanes_cosh(lanes x)
{
  const lanes e = lanes_scaled_exp(lanes_abs(x), -1);
  return e + 0.25 / e;
}


// with E = e^x - 1: (E + E/(E + 1))/2 below 1
LANES_CALL lanes lanes_sinh(lanes x)
{
  lanes n;
  const lanes a = lanes_abs(x), e = lanes_scaled_exp(a, -1);
  const lanes_mask is_small = lanes_below(a, lanes_all(1));
  const lanes t = lanes_exp_parts(lanes_where(is_small, a), &n);
  const lanes power = lanes_power_of_two(n + LANES_MAGIC), E = power * t + (power - 1);
  const lanes sine = lanes_pick(is_small, 0.5 * (E + E / (E + 1)), e - 0.25 / e);
  return lanes_copysign(sine, x);
}


// with E = e^(2 x) - 1: E/(E + 2), which is 1 from 20 on
LANES_CALL lanes lanes_tanh(lanes x)
{
  lanes n;
  const lanes a = lanes_abs(x), most = lanes_all(20);
  const lanes t = lanes_exp_parts(2 * lanes_pick(lanes_below(most, a), most, a), &n);
  const lanes power = lanes_power_of_two(n + LANES_MAGIC), E = power * t + (power - 1);
  return lanes_copysign(E / (E + 2), x);
}


//---- powers ----

// the part of a product that its rounding loses (Dekker 1971), p = a*b
LANES_INLINE lanes lanes_lost(lanes a, lanes b, lanes p)
{
  const lanes_bits upper = ~((lanes_bits) lanes_all(0) | 0x7ffffff);
  const lanes ah = (lanes) ((lanes_bits) a & upper), bh = (lanes) ((lanes_bits) b & upper);
  const lanes al = a - ah, bl = b - bh;
  return ((ah * bh - p) + ah * bl + al * bh) + al * bl;
}


// e^(y ln x) of a positive number, with the logarithm in two parts
LANES_CALL lanes lanes_positive_power(lanes x, lanes y)
{
  lanes k;
  const lanes f = lanes_split(x, &k), d = 2 + f, s = f / d, sd = s * d;
  const lanes rest = (f - sd) - lanes_lost(s, d, sd) - s * (f - (d - 2));
  const lanes low = 2 * (rest / d) + s * lanes_artanh_rest(s * s);
  const lanes h = 2 * s + low, l = low - (h - 2 * s);
  const lanes whole = k * 0x1.62e42fefp-1, log = whole + h;
  const lanes next = ((whole - log) + h) + (l + k * 0x1.473de6af278edp-34);
  const lanes first = log + next, second = next - (first - log), most = lanes_all(0x1p70);
  const lanes z = lanes_pick(lanes_below(most, lanes_abs(y)), lanes_copysign(most, y), y);
  const lanes p = z * first, q = lanes_lost(z, first, p) + z * second, e = lanes_exp(p);
  const lanes_mask is_end = lanes_same(e, lanes_all(0)) | lanes_same(e, lanes_all(HUGE_VAL));
  return lanes_pick(is_end, e, e + e * q);
}


LANES_CALL lanes lanes_pow(lanes x, lanes y)
{
  const lanes a = lanes_abs(x), one = lanes_all(1), zero = lanes_all(0);
  const lanes infinite = lanes_all(HUGE_VAL), nothing = infinite - infinite;
  const lanes_mask is_whole = lanes_same(lanes_floor(y), y);
  const lanes_mask is_odd = is_whole & ~lanes_same(lanes_floor(0.5 * y) * 2, y);
  const lanes_mask goes_up = ~(lanes_below(zero, y) ^ lanes_below(one, a));
  lanes r = lanes_positive_power(a, y);
  const lanes_mask is_end =
      lanes_same(a, zero) | lanes_same(a, infinite) | lanes_same(lanes_abs(y), infinite);
  r = lanes_pick(is_end, lanes_where(goes_up, infinite), r);
  r = lanes_pick(lanes_below(x, zero) & ~is_whole & ~is_end, nothing, r);
  r = lanes_pick(is_odd, lanes_copysign(r, x), r);
  r = lanes_pick(lanes_is_none(x) | lanes_is_none(y), x + y, r);
  const lanes_mask is_one = lanes_same(y, zero) | lanes_same(x, one) |
                            (lanes_same(x, -one) & lanes_same(lanes_abs(y), infinite));
  return lanes_pick(is_one, one, r);
}
