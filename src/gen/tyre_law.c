// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Tyre formulas as expressions: the equations of src/tyre/linear.c, bakker.c, calspan.c and magic.c, where
// they are explained. Coefficients of the Magic Formula go by their keys and are numbers: those that are
// zero take their terms with them.
#include "gen/tyre.h"

// a denominator kept off zero
#define OFF_ZERO(x) "(" x " + if(" x " < 0, -1e-6, 1e-6))"

// C atan(B x - E (B x - atan(B x)))
#define PHASE "Bx = B*x", "y = C*atan(Bx - min(E, 1)*(Bx - atan(Bx)))"

// the slip angle that counts when both slips act
#define EQUIVALENT                                                                                 \
  "tx = tan(min(abs(x), 1.5))", "square = tx*tx + ratio*ratio",                                    \
      "root = sqrt(if(square > 0, square, 1))", "x = if(square > 0, atan(root), 0)"


static void rename_node(genLines *l, const char *from, const char *to)
{
  lines_set(l, to, lines_get(l, from));
}

//---- Magic Formula -------------------------------------------------------------------------------

static void magic_point(genTyre *t)
{
  // version 5.2 scales camber, 6.x the stiffnesses that it causes
  genLines *l = &t->lines;
  const magicTyre *c = &t->magic;
  const int old = c->version == MAGIC_52;
  const double scale[3] = {old ? c->LGAX : 1, old ? c->LGAY : 1, old ? c->LGAZ : 1};
  static const char *const angle[3] = {"gx", "gy", "gz"}, *const sine[3] = {"sx", "sy", "sz"};
  for (int k = 0; k < 3; k++) {
    const int g = expr_mul(l->b->pool, expr_constant(l->b->pool, scale[k]), lines_get(l, "gamma"));
    lines_set(l, angle[k], g);
    lines_set(l, sine[k], scale[k] == 1 ? lines_get(l, "sg") : expr_sin(l->b->pool, g));
  }
  lines_make(l, LINES("Fz0 = LFZO*FNOMIN", "dfz = Fz/Fz0 - 1"));
}


static void magic_slip_stiffness(genLines *l)
{
  lines_make(l, LINES("Kx = Fz*(PKX1 + PKX2*dfz)*exp(PKX3*dfz)*(1 + PPX1*dpi + PPX2*dpi*dpi)*LKX"));
}


static void magic_longitudinal_friction(genLines *l)
{
  lines_make(l, LINES("mu = (PDX1 + PDX2*dfz)*(1 + PPX3*dpi + PPX4*dpi*dpi)*(1 - PDX3*gx*gx)*mux"));
}


static void magic_longitudinal(genLines *l)
{
  magic_slip_stiffness(l);
  magic_longitudinal_friction(l);
  lines_make(l, LINES("D = mu*Fz", "C = PCX1*LCX", "x = kappa + (PHX1 + PHX2*dfz)*LHX",
                      "E = (PEX1 + PEX2*dfz + PEX3*dfz*dfz)*(1 - PEX4*if(x < 0, -1, 1))*LEX",
                      "CD = C*D", "B = Kx/" OFF_ZERO("CD"), PHASE,
                      "Fx0 = D*sin(y) + Fz*(PVX1 + PVX2*dfz)*LVX*mux"));

  // the part of it that side slip leaves
  lines_make(l, LINES("C = RCX1", "E = REX1 + REX2*dfz", "u = RBX2*kappa",
                      "B = (RBX1 + RBX3*sy*sy)*LXAL/sqrt(1 + u*u)", "x = RHX1", PHASE,
                      "G0 = cos(y)", "x = ta + RHX1", PHASE, "Fx = cos(y)/G0*Fx0"));
}


// for the sine s of camber
static void magic_cornering_stiffness(genTyre *t)
{
  // sin(2 atan r) = 2 r / (1 + r^2)
  genLines *l = &t->lines;
  lines_make(l, LINES("ratio = Fz/Fz0/((PKY2 + PKY5*s*s)*(1 + PPY2*dpi))"));
  lines_make(l, t->magic.PKY4 == 2 ? LINES("wave = 2*ratio/(1 + ratio*ratio)")
                                   : LINES("wave = sin(PKY4*atan(ratio))"));
  lines_make(l, LINES("Ky = PKY1*Fz0*(1 + PPY1*dpi)*(1 - PKY3*abs(s))*wave*LKY"));
}


static void magic_lateral_friction(genLines *l)
{
  lines_make(l, LINES("mu = (PDY1 + PDY2*dfz)*(1 + PPY3*dpi + PPY4*dpi*dpi)*(1 - PDY3*s*s)*muy"));
}


// Fy0 for the sine s of camber
static void magic_pure_lateral(genTyre *t)
{
  genLines *l = &t->lines;
  magic_cornering_stiffness(t);
  magic_lateral_friction(l);
  lines_make(l, LINES("SVg = Fz*(PVY3 + PVY4*dfz)*s*LKYC*muy",
                      "Kg = Fz*(PKY6 + PKY7*dfz)*(1 + PPY5*dpi)*LKYC"));
  lines_make(l, t->magic.version == MAGIC_52 ? LINES("SHg = PHY3*s*LKYC")
                                             : LINES("SHg = (Kg*s - SVg)/" OFF_ZERO("Ky")));
  lines_make(l, LINES("SH = (PHY1 + PHY2*dfz)*LHY + SHg", "SV = Fz*(PVY1 + PVY2*dfz)*LVY*muy + SVg",
                      "D = mu*Fz", "C = PCY1*LCY", "x = ta + SH",
                      "E = (PEY1 + PEY2*dfz)*(1 + PEY5*s*s - (PEY3 + PEY4*s)*if(x < 0, -1, 1))*LEY",
                      "CD = C*D", "B = Ky/" OFF_ZERO("CD"), PHASE, "Fy0 = D*sin(y) + SV"));
}


static void magic_lateral(genTyre *t)
{
  // upright first: what stays is that of the cambered tyre
  genLines *l = &t->lines;
  lines_set(l, "s", 0);
  magic_pure_lateral(t);
  rename_node(l, "Fy0", "straight");
  rename_node(l, "sy", "s");
  magic_pure_lateral(t);
  lines_make(l, LINES("BC = B*C"));

  // the part that longitudinal slip leaves, and the force that it causes
  lines_make(l,
             LINES("C = RCY1", "E = REY1 + REY2*dfz", "u = RBY2*(ta - RBY3)",
                   "B = (RBY1 + RBY4*sy*sy)*LYKA/sqrt(1 + u*u)", "shift = RHY1 + RHY2*dfz",
                   "x = shift", PHASE, "G0 = cos(y)", "x = kappa + shift", PHASE, "G = cos(y)/G0",
                   "u = RVY4*ta", "D = mu*Fz*(RVY1 + RVY2*dfz + RVY3*sy)/sqrt(1 + u*u)",
                   "SVk = D*sin(RVY5*atan(RVY6*kappa))*LVYKA", "Fy = G*Fy0 + SVk"));
}


static void magic_aligning(genTyre *t)
{
  genLines *l = &t->lines;
  lines_make(l, LINES("ratio = Kx/" OFF_ZERO("Ky") "*kappa"));

  // trail
  lines_make(l, LINES("x = ta + QHZ1 + QHZ2*dfz + (QHZ3 + QHZ4*dfz)*sz",
                      "B = (QBZ1 + QBZ2*dfz + QBZ3*dfz*dfz)*(1 + QBZ4*gz + QBZ5*abs(gz))*LKY/muy",
                      "C = QCZ1",
                      "D = (QDZ1 + QDZ2*dfz)*(1 - PPZ1*dpi)*(1 + QDZ3*gz + QDZ4*gz*gz)*Fz*LTR",
                      "bend = (QEZ4 + QEZ5*sz)*0.63661977236758134*atan(B*C*x)",
                      "E = (QEZ1 + QEZ2*dfz + QEZ3*dfz*dfz)*(1 + bend)", EQUIVALENT, PHASE,
                      "trail = UNLOADED_RADIUS/FNOMIN*D*cos(y)/sqrt(1 + ta*ta)"));

  // the moment that is left
  lines_make(l,
             LINES("x = ta + SH + SV/" OFF_ZERO("Ky"), "B = QBZ9*LKY/muy + QBZ10*BC",
                   "lean = (QDZ8 + QDZ9*dfz)*(1 + PPZ2*dpi) + (QDZ10 + QDZ11*dfz)*abs(sz)",
                   "D = Fz*UNLOADED_RADIUS*((QDZ6 + QDZ7*dfz)*LRES + lean*sz*LKZC)*muy", EQUIVALENT,
                   "u = B*x", "rest = D*cos(min(abs(ta), 1.5707963267948966))/sqrt(1 + u*u)"));

  // 5.2: the force Fy - SVyk turns, 6.x: Gyk Fy0 of the upright tyre
  lines_make(l, t->magic.version == MAGIC_52 ? LINES("turning = Fy - SVk")
                                             : LINES("turning = G*straight"));
  lines_make(l, LINES("arm = UNLOADED_RADIUS*LS*(SSZ1 + SSZ2*Fy/FNOMIN + (SSZ3 + SSZ4*dfz)*gz)",
                      "Mz = rest - trail*turning + arm*Fx"));
}


static void magic_overturning(genLines *l)
{
  lines_make(l, LINES("f = Fy/FNOMIN", "n = Fz/FNOMIN", "u = QSX6*n",
                      "wave = cos(QSX5*atan(u*u))*sin(QSX7*gamma + QSX8*atan(QSX9*f))",
                      "sum = QSX1*LVMX - QSX2*gamma*(1 + PPMX1*dpi) + QSX3*f + QSX4*wave",
                      "sum = sum + QSX10*atan(QSX11*n)*gamma - QSX12*gamma*abs(gamma)",
                      "Mx = UNLOADED_RADIUS*LMX*(Fz*sum + Fy*(QSX13 + QSX14*abs(gamma)))"));
}


static void magic_rolling(genTyre *t)
{
  genLines *l = &t->lines;
  lines_make(l, LINES("w = speed/LONGVL", "n = Fz/FNOMIN",
                      "base = QSY1 + QSY2*Fx/FNOMIN + QSY3*w + QSY4*w*w*w*w"));
  lines_make(l, t->magic.version == MAGIC_52
                    ? LINES("rolling = UNLOADED_RADIUS*LMY*Fz*base")
                    : LINES("base = base + (QSY5 + QSY6*n)*gamma*gamma",
                            "swell = max(1 + dpi, 1e-6)^QSY8",
                            "rolling = UNLOADED_RADIUS*FNOMIN*LMY*swell*base*n^QSY7"));
}


static void magic_lines(genTyre *t)
{
  genLines *l = &t->lines;
  magic_point(t);
  lines_make(l, LINES("decay = 1 + LMUV*speed*sqrt(kappa*kappa + ta*ta)/LONGVL", "mux = LMUX/decay",
                      "muy = LMUY/decay"));
  magic_longitudinal(l);
  magic_lateral(t);
  magic_aligning(t);
  magic_overturning(l);
  magic_rolling(t);
}


static void magic_stiffness_lines(genTyre *t)
{
  genLines *l = &t->lines;
  magic_point(t);
  rename_node(l, "sy", "s");
  magic_slip_stiffness(l);
  magic_cornering_stiffness(t);
  lines_make(l, LINES("mux = LMUX", "muy = LMUY"));
  magic_lateral_friction(l);
  rename_node(l, "mu", "muy");
  magic_longitudinal_friction(l);
  rename_node(l, "mu", "mux");
}

//---- linear --------------------------------------------------------------------------------------

static void linear_numbers(genTyre *t)
{
  genLines *l = &t->lines;
  const artLinearTyre *c = &t->tyre->linear;
  lines_set(l, "slip", gen_parameter(l->b, c->slip, "tyre_slip", t->i));
  lines_set(l, "cornering", gen_parameter(l->b, c->cornering, "tyre_cornering", t->i));
  lines_set(l, "lean", gen_parameter(l->b, c->camber, "tyre_camber", t->i));
  lines_set(l, "trail", gen_parameter(l->b, c->trail, "tyre_trail", t->i));
  lines_set(l, "friction", gen_parameter(l->b, c->friction, "tyre_friction", t->i));
}


static void linear_lines(genTyre *t)
{
  genLines *l = &t->lines;
  linear_numbers(t);
  lines_make(l, LINES("share = Fz/nominal", "Fx = share*slip*kappa",
                      "Fy = -share*(cornering*atan(ta) + lean*gamma)"));
  if (t->tyre->linear.friction > 0) {
    lines_make(l, LINES("most = friction*Fz", "bend = sqrt(1 + (Fx*Fx + Fy*Fy)/(most*most))",
                        "Fx = Fx/bend", "Fy = Fy/bend"));
  }
  lines_make(l, LINES("Mz = -trail*Fy"));
}


static void linear_stiffness_lines(genTyre *t)
{
  genLines *l = &t->lines;
  linear_numbers(t);
  lines_make(l, LINES("share = Fz/nominal", "Kx = share*slip", "Ky = share*cornering"));
  if (!(t->tyre->linear.friction > 0)) lines_set_number(l, "friction", 1);
  rename_node(l, "friction", "mux");
  rename_node(l, "friction", "muy");
}

//---- Bakker --------------------------------------------------------------------------------------

static const double degrees = 57.295779513082323;


static void bakker_numbers(genLines *l, const double a[13])
{
  static const char *const name[13] = {"a1", "a2", "a3",  "a4",  "a5",  "a6", "a7",
                                       "a8", "a9", "a10", "a11", "a12", "a13"};
  for (int k = 0; k < 13; k++) lines_set_number(l, name[k], a[k]);
}


#define BAKKER_PEAK  "D = a1*n*n + a2*n"
#define BAKKER_SIDE  "slope = a3*sin(a4*atan(a5*n))"
#define BAKKER_OTHER "slope = (a3*n*n + a4*n)*exp(-a5*n)"
#define BAKKER_CURVE                                                                               \
  BAKKER_PEAK, "B = slope/(C*D)*(1 - a12*abs(g))", "E = (a6*n*n + a7*n + a8)/(1 - a13*abs(g))",    \
      "SH = a9*g", "SV = (a10*n*n + a11*n)*g"

// D sin(C atan(B phi)),  phi = (1 - E) x + E / B atan(B x)
#define BAKKER_AT "Bx = B*x", "f = D*sin(C*atan((1 - E)*Bx + E*atan(Bx)))"


// both slips in units of their own slopes, and the curve at their common slip s: force over slip
static void bakker_common_slip(genLines *l)
{
  lines_make(l, LINES("square = sx*sx + sy*sy", "s = sqrt(if(square > 0, square, 1))"));
}


static void bakker_share(genLines *l)
{
  lines_make(l, LINES("x = s/(B*C)", BAKKER_AT, "stiff = if(square > 0, f/s, D)"));
}


static void bakker_lines(genTyre *t)
{
  genLines *l = &t->lines;
  const artBakkerTyre *c = &t->tyre->bakker;
  lines_set_number(l, "degrees", degrees);
  lines_make(l, LINES("n = Fz/1000", "camber = -degrees*gamma", "a = -degrees*atan(ta)"));

  // slips of both curves, each in units of its own slope
  bakker_numbers(l, c->side);
  lines_make(l, LINES("g = camber", "C = 1.30", BAKKER_SIDE, BAKKER_CURVE, "sy = (a + SH)*B*C"));
  bakker_numbers(l, c->brake);
  lines_make(l, LINES("g = 0", "C = 1.65", BAKKER_OTHER, BAKKER_CURVE, "sx = 100*kappa*B*C"));
  bakker_common_slip(l);
  bakker_share(l);
  lines_make(l, LINES("Fx = sx*stiff"));

  // the aligning moment falls with the side force
  bakker_numbers(l, c->side);
  lines_make(l, LINES("g = camber", "C = 1.30", BAKKER_SIDE, BAKKER_CURVE));
  bakker_share(l);
  lines_make(l, LINES("together = sy*stiff", "x = a + SH", BAKKER_AT, "Fy = together + SV",
                      "weight = if(abs(f) > 0, together/if(abs(f) > 0, f, 1), 1)"));
  bakker_numbers(l, c->align);
  lines_make(l, LINES("C = 2.40", BAKKER_OTHER, BAKKER_CURVE, "x = a + SH", BAKKER_AT,
                      "Mz = weight*f + SV"));
}


static void bakker_stiffness_lines(genTyre *t)
{
  genLines *l = &t->lines;
  lines_set_number(l, "degrees", degrees);
  bakker_numbers(l, t->tyre->bakker.brake);
  lines_make(l, LINES("n = Fz/1000", BAKKER_PEAK, BAKKER_OTHER, "Kx = 100*slope", "mux = D/Fz"));
  bakker_numbers(l, t->tyre->bakker.side);
  lines_make(l, LINES(BAKKER_PEAK, BAKKER_SIDE, "Ky = degrees*slope", "muy = D/Fz"));
}

//---- Calspan -------------------------------------------------------------------------------------

static void calspan_numbers(genTyre *t)
{
  genLines *l = &t->lines;
  const artCalspanTyre *c = &t->tyre->calspan;
  const struct {
    const char *name;
    double value;
  } number[] = {{"A0", c->A0}, {"A1", c->A1},         {"A2", c->A2},   {"A3", c->A3},
                {"A4", c->A4}, {"Aomega", c->Aomega}, {"B1", c->B1},   {"B3", c->B3},
                {"B4", c->B4}, {"SN", c->SN},         {"AF1", c->AF1}, {"AF2", c->AF2}};
  for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
    lines_set_number(l, number[k].name, number[k].value);
  }
  lines_make(l, LINES("n = min(Fz, Aomega*A2)", "Ky = (A1*n*(n - A2) - A0*A2)/A2",
                      "muy = (B1*Fz + B3 + B4*Fz*Fz)*SN"));
}


static void calspan_lines(genTyre *t)
{
  // Fy = mu Fz g(x), g a cubic that is flat from |x| = 3 on
  calspan_numbers(t);
  lines_make(&t->lines,
             LINES("Kg = -A3*(A4 - n)*n/A4", "most = muy*Fz",
                   "x = max(min((Ky*atan(ta) + Kg*gamma)/most, 3), -3)",
                   "Fy = most*(x - x*abs(x)/3 + x*x*x/27)", "Mz = (AF1*Fz + AF2*abs(Fy))*Fy"));
}


static void calspan_stiffness_lines(genTyre *t)
{
  calspan_numbers(t);
  lines_set(&t->lines, "Kx", 0);
  rename_node(&t->lines, "muy", "mux");
}

//---- all -----------------------------------------------------------------------------------------

void gen_tyre_law(genTyre *t)
{
  genLines *l = &t->lines;
  static const char *const result[] = {"Fx", "Fy", "Mx", "Mz", "rolling"};
  for (int k = 0; k < 5; k++) lines_set(l, result[k], 0);
  switch (t->tyre->kind) {
  case TYRE_LINEAR:
    linear_lines(t);
    return;
  case TYRE_BAKKER:
    bakker_lines(t);
    return;
  case TYRE_CALSPAN:
    calspan_lines(t);
    return;
  case TYRE_MAGIC:
    magic_lines(t);
    return;
  case TYRE_RADIAL:
    break;
  }
}


void gen_tyre_stiffness(genTyre *t)
{
  switch (t->tyre->kind) {
  case TYRE_LINEAR:
    linear_stiffness_lines(t);
    return;
  case TYRE_BAKKER:
    bakker_stiffness_lines(t);
    return;
  case TYRE_CALSPAN:
    calspan_stiffness_lines(t);
    return;
  case TYRE_MAGIC:
    magic_stiffness_lines(t);
    return;
  case TYRE_RADIAL:
    break;
  }
  lines_make(&t->lines, LINES("Kx = 0", "Ky = 0", "mux = 1", "muy = 1"));
}
