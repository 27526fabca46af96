// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A tyre that rolls, as expressions: load, slips and forces, as src/tyre/load.c, transient.c and evaluate.h
// have them.
//
// Where there is no load, formulas are taken at the nominal one and their results scaled by nothing, so
// that no branch divides by zero.
#include <math.h>

#include "gen/tyre.h"

// from here on a limit is none
#define NO_LIMIT 1e12


static const double *magic_key(void *context, const char *name)
{
  return magic_number(context, name);
}


void gen_tyre_open(genTyre *t, genBuild *b, const artTyre *tyre, genWheel *wheel)
{
  const int i = wheel->element;
  *t = (genTyre){.lines = {.b = b}, .tyre = tyre, .wheel = wheel, .i = i};
  genLines *l = &t->lines;
  const artRadialTyre *radial = &tyre->radial;
  lines_set_number(l, "slow", tyre->slow);
  lines_set_number(l, "largest", tyre->largest);
  if (tyre->kind == TYRE_MAGIC) {
    t->magic = tyre->magic;
    l->number = magic_key;
    l->context = &t->magic;
    lines_set_number(l, "dpi", magic_pressure_increment(&t->magic, 0));
    lines_set_number(l, "nominal", radial->load);
    lines_set_number(l, "damping", radial->damping);
    return;
  }
  lines_set(l, "nominal", gen_parameter(b, radial->load, "tyre_load", i));
  lines_set(l, "damping", gen_parameter(b, radial->damping, "tyre_damping", i));
  lines_set(l, "radius", gen_parameter(b, radial->radius, "tyre_radius", i));
  lines_set(l, "stiffness", gen_parameter(b, radial->stiffness, "tyre_stiffness", i));
}

//---- load ----------------------------------------------------------------------------------------

// 6.2: the deflection that camber adds, and what it takes from the stiffness
static void magic_camber(genTyre *t)
{
  genLines *l = &t->lines;
  const magicTyre *c = &t->magic;
  if (c->version != MAGIC_62) return;
  if (c->Q_CAM1 != 0 || c->Q_CAM2 != 0) {
    lines_make(l, LINES("tread = (1.075 - 0.5*ASPECT_RATIO)*WIDTH",
                        "x = (Q_CAM1 + Q_CAM2*r)*r/((Q_CAM1 + Q_CAM2*free)*free)",
                        "deep = depth + x*x*tread/8*abs(sg/cg)",
                        "deep = deep - Q_CAM3*max(depth, 0)*abs(gamma)"));
  }
  if (c->Q_FCY != 0) {
    lines_make(l, LINES("x = 1 - depth/free", "shift = (Q_FYS1 + Q_FYS2*x + Q_FYS3*x*x)*gamma",
                        "x = if(deep > 0, deep/UNLOADED_RADIUS, 1)",
                        "side = x^Q_FCY2*Q_FCY*shift/FNOMIN"));
  }
}


static void magic_spring(genTyre *t)
{
  genLines *l = &t->lines;
  const magicTyre *c = &t->magic;
  const double k = c->VERTICAL_STIFFNESS * c->UNLOADED_RADIUS / c->FNOMIN;
  lines_set_number(l, "linear", sqrt(fmax(k * k - 4 * c->Q_FZ2, 0)));
  lines_make(l,
             LINES("v = spin*UNLOADED_RADIUS/LONGVL", "free = UNLOADED_RADIUS*(Q_RE0 + Q_V1*v*v)",
                   "depth = free - r", "deep = depth", "side = 0"));
  magic_camber(t);
  lines_make(l, LINES("factor = 1 + Q_V2*UNLOADED_RADIUS/LONGVL*abs(spin) - side*side",
                      "factor = max(factor*(1 + PFZ1*dpi), 0)", "x = deep/UNLOADED_RADIUS",
                      "spring = factor*(linear*x + Q_FZ2*x*x)*FNOMIN"));
  if (c->RIM_RADIUS > 0) {
    lines_make(l, LINES("room = UNLOADED_RADIUS - RIM_RADIUS - BOTTOM_OFFST",
                        "spring = spring + BOTTOM_STIFF*max(depth - room, 0)"));
  }
  lines_make(l, LINES("spring = if(deep > 0, spring, 0)"));
}


void gen_tyre_spring(genTyre *t)
{
  genLines *l = &t->lines;
  if (t->tyre->kind == TYRE_MAGIC) {
    magic_spring(t);
  } else {
    lines_make(l,
               LINES("depth = cg*(radius - r)", "dent = max(depth, 0)", "spring = stiffness*dent"));
  }

  // the damper fades in over the first tenth of the nominal load
  lines_make(l, LINES("x = max(min(spring/(0.1*nominal), 1), 0)", "fade = x*x*(3 - 2*x)",
                      "load = max(spring + fade*damping*approach, 0)"));
}


void gen_tyre_load(genTyre *t)
{
  genLines *l = &t->lines;
  const int is_magic = t->tyre->kind == TYRE_MAGIC;
  lines_make(l, is_magic ? LINES("n = spring/FNOMIN", "Cz = VERTICAL_STIFFNESS*(1 + PFZ1*dpi)",
                                 "rolls = free - FNOMIN/Cz*(DREFF*atan(BREFF*n) + FREFF*n)")
                         : LINES("rolls = radius - dent/3"));
  lines_make(l, LINES("Vsx = Vx - rolls*spin"));

  // what formulas see
  if (t->tyre->largest < NO_LIMIT) {
    lines_make(l, LINES("Fz = if(load > 0, min(load, largest), nominal)",
                        "growth = if(load > 0, load/Fz, 0)"));
  } else {
    lines_make(l, LINES("Fz = if(load > 0, load, nominal)", "growth = if(load > 0, 1, 0)"));
  }
}

//---- slips ---------------------------------------------------------------------------------------

void gen_tyre_steady_slips(genTyre *t)
{
  lines_make(&t->lines,
             LINES("speed = abs(Vx)", "w = if(speed > slow, speed, 0.5*(slow + speed*speed/slow))",
                   "kappa = -Vsx/w", "ta = Vy/w"));
}


static void relaxation_lengths(genTyre *t)
{
  genLines *l = &t->lines;
  if (t->tyre->kind != TYRE_MAGIC) {
    lines_set(l, "sigma0", gen_parameter(l->b, t->tyre->relaxation[0], "tyre_relaxation_x", t->i));
    lines_set(l, "sigma1", gen_parameter(l->b, t->tyre->relaxation[1], "tyre_relaxation_y", t->i));
    lines_make(l, LINES("least = 0.1*radius"));
  } else if (t->magic.version == MAGIC_52) {
    lines_make(l, LINES("least = 0.1*UNLOADED_RADIUS", "dz = load/Fz0 - 1",
                        "sigma0 = (PTX1 + PTX2*dz)*exp(-PTX3*dz)*LSGKP*UNLOADED_RADIUS*load/FNOMIN",
                        "sigma1 = 0"));
    if (t->magic.PTY2 != 0) {
      lines_make(l, LINES("x = load/(PTY2*Fz0)", "wave = 2*x/(1 + x*x)",
                          "sigma1 = PTY1*wave*(1 - PKY3*abs(gamma))*UNLOADED_RADIUS*LFZO*LSGAL"));
    }
  } else {
    lines_make(l, LINES("least = 0.1*UNLOADED_RADIUS", "dz = load/Fz0 - 1",
                        "Cx = LONGITUDINAL_STIFFNESS*(1 + PCFX1*dz + PCFX2*dz*dz)*(1 + PCFX3*dpi)",
                        "Cy = LATERAL_STIFFNESS*(1 + PCFY1*dz + PCFY2*dz*dz)*(1 + PCFY3*dpi)",
                        "sigma0 = if(abs(Cx) > 0, abs(Kx/if(abs(Cx) > 0, Cx, 1)), 0)",
                        "sigma1 = if(abs(Cy) > 0, abs(Ky/if(abs(Cy) > 0, Cy, 1)), 0)"));
  }
  lines_make(l, LINES("sigma0 = max(sigma0, least)", "sigma1 = max(sigma1, least)"));
}


// one slip:  sigma u' = v - |Vx| u - slide
static void slip_state(genLines *l, int k)
{
  static const char *const from[2][5] = {{"u0", "Kx", "mux", "sigma0", "vs0"},
                                         {"u1", "Ky", "muy", "sigma1", "vs1"}};
  static const char *const to[5] = {"u", "K", "mu", "sigma", "vs"};
  for (int i = 0; i < 5; i++) lines_set(l, to[i], lines_get(l, from[k][i]));
  lines_make(l, LINES("most = 3*abs(mu)*load",
                      "full = if(most > 1e-3*K, min(most/(K + 1e-9), 1), 1e-3)",
                      "give = (1 - air)*slowly*abs(vs)/full", "excess = abs(u) - full",
                      "slide = if(excess > 0, give*excess*if(u < 0, -1, 1), 0)",
                      "rate = ((1 - air)*vs - (speed + air)*u - slide)/sigma",
                      "felt = u + slowly*low*vs/sigma"));
  lines_set(l, k ? "rate1" : "rate0", lines_get(l, "rate"));
  lines_set(l, k ? "ta" : "kappa", lines_get(l, "felt"));
}


void gen_tyre_slip_states(genTyre *t)
{
  genLines *l = &t->lines;
  lines_set_number(l, "low", t->tyre->low_damping);
  lines_make(l, LINES("speed = abs(Vx)"));
  gen_tyre_stiffness(t);
  lines_make(l, LINES("Kx = if(load > 0, abs(Kx), 0)", "Ky = if(load > 0, abs(Ky), 0)"));
  relaxation_lengths(t);
  lines_make(l, LINES("slowly = if(speed < slow, 0.5*(1 + cos(pi*Vx/slow)), 0)",
                      "air = max(1 - load/(0.02*nominal), 0)", "vs0 = -Vsx", "vs1 = Vy"));
  slip_state(l, 0);
  slip_state(l, 1);
}

//---- forces --------------------------------------------------------------------------------------

static const char *const component[4] = {"Fx", "Fy", "Mx", "Mz"};

static const char *const side_component[3] = {"ta", "gamma", "sg"};


static void change_signs(genLines *l, int n, const char *const *name, int sign)
{
  for (int k = 0; k < n; k++) {
    lines_set(l, name[k], expr_mul(l->b->pool, sign, lines_get(l, name[k])));
  }
}


// A formula without shifts is odd: what it gives for rolling backward is what it gives forward, but for
// the moment, which belongs to the direction of rolling.
static void odd_forces(genTyre *t)
{
  gen_tyre_law(t);
  lines_make(&t->lines, LINES("Mz = Mz*turn*turn*turn"));
}


// component k of what the other direction adds while the tyre rolls slowly: evaluated then only, unless
// expressions will be differentiated, which know no such symbols
static int slow_part(genTyre *t, int k, int part)
{
  genBuild *b = t->lines.b;
  genWheel *w = t->wheel;
  w->is_slow = lines_get(&t->lines, "is_slow");
  if (b->options->tangents || b->options->forms & GEN_LINEAR || expr_is_constant(b->pool, part)) {
    return expr_select(b->pool, w->is_slow, part, 0);
  }
  const int symbol = expr_symbol(b->pool, "tyre_slow", GEN_SLOW_NODES * w->element + k);
  w->slow[w->nslow] = symbol;
  w->added[w->nslow++] = part;
  return symbol;
}


// forward and backward, blended below the slow speed; above it one of them is all
static void blended_forces(genTyre *t)
{
  static const char *const slips[4] = {"kappa", "ta", "gamma", "sg"};
  static const char *const odd[3] = {"Fx", "Fy", "Mx"};
  genLines *l = &t->lines;
  exprPool *p = l->b->pool;
  lines_make(l, LINES("main = if(Vx < 0, -1, 1)", "other = -main", "share = 0.5*(1 - turn*turn)"));
  const int main = lines_get(l, "main"), other = lines_get(l, "other");
  int slip[4], sum[5];
  for (int k = 0; k < 4; k++) slip[k] = lines_get(l, slips[k]);

  change_signs(l, 4, slips, main);
  gen_tyre_law(t);
  change_signs(l, 3, odd, main);
  const int share = lines_get(l, "share"), rest = expr_sub(p, expr_constant(p, 1), share);
  for (int k = 0; k < 5; k++) {
    sum[k] = expr_mul(p, rest, lines_get(l, k < 4 ? component[k] : "rolling"));
  }

  for (int k = 0; k < 4; k++) lines_set(l, slips[k], slip[k]);
  change_signs(l, 4, slips, other);
  gen_tyre_law(t);
  change_signs(l, 3, odd, other);
  lines_make(l, LINES("is_slow = if(speed < slow, 1, 0)"));
  for (int k = 0; k < 5; k++) {
    const char *name = k < 4 ? component[k] : "rolling";
    const int part = slow_part(t, k, expr_mul(p, share, lines_get(l, name)));
    lines_set(l, name, expr_add(p, sum[k], part));
  }
  for (int k = 0; k < 4; k++) lines_set(l, slips[k], slip[k]);
  lines_make(l, LINES("Mz = Mz*abs(turn)"));
}


void gen_tyre_forces(genTyre *t)
{
  // on the other side of the vehicle left and right change places
  genLines *l = &t->lines;
  const int side = expr_constant(l->b->pool, t->tyre->mirrored ? -1 : 1);
  lines_make(l, LINES("turn = if(speed < slow, sin(0.5*pi*Vx/slow), if(Vx < 0, -1, 1))"));
  change_signs(l, 3, side_component, side);
  if (t->tyre->kind == TYRE_MAGIC) {
    blended_forces(t);
  } else {
    odd_forces(t);
  }
  change_signs(l, 3, side_component, side);
  change_signs(l, 3, component + 1, side);

  // rolling resistance against the speed omega Re = Vx + kappa |Vx|
  lines_make(l,
             LINES("x = (Vx + speed*kappa)/slow",
                   "x = if(abs(x) < 1, sin(0.5*pi*x), if(x < 0, -1, 1))", "Fx = growth*Fx",
                   "Fy = growth*Fy", "Mx = growth*Mx", "My = -growth*x*rolling", "Mz = growth*Mz"));
}
