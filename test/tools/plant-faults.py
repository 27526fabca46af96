#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Articula authors
#
# Plant faults in every method and in the comparisons of the tests, and print which test catches each: the table
# of doc/reports/planted-faults.md.
#
#   test/tools/plant-faults.py [PLACE ... | --check]
#
# With --check nothing is built: it only looks whether every place is still there.
#
# The sources are copied to build/faults and get hooks in each place, which do nothing unless the environment names
# them: NaN for every number that goes through, the other sign, or a factor. Expressions of the recursions, rows, laws, tyres
# and of the generator stand beside a wrong one, and the environment chooses. One build serves all of them. Comparisons of
# the tests are broken one at a time, for which test_base alone is built again. A fault counts as caught when one of the tests
# of its place fails; these are run one after the other. Exit status 1: a fault was not caught.
import glob, os, re, shutil, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COPY = os.path.join(ROOT, "build", "faults")
KINDS = ["nan", "sign", "factor"]

HOOK = """
#include <math.h>
#include <stdlib.h>
#include <string.h>
static inline void plant_fault(const char *place, long n, double *x)
{
  static const char *where, *kind;
  if (!where) where = getenv("ART_FAULT_AT") ? getenv("ART_FAULT_AT") : "", kind = getenv("ART_FAULT");
  if (strcmp(where, place) != 0) return;
  for (long i = 0; i < n; i++) x[i] = kind[0] == 'n' ? (double) NAN : kind[0] == 's' ? -x[i] : 1.001 * x[i];
}
static inline int fault_is(const char *place)
{
  static const char *where;
  if (!where) where = getenv("ART_FAULT_AT") ? getenv("ART_FAULT_AT") : "";
  return strcmp(where, place) == 0;
}
"""

# file, the function that gets a hook (a regular expression of its head), and what the hook does when it has returned
WRAPPED = [
    ("src/method/order_n.c", r"static artStatus (order_n_solve)\(const artModel \*m, artData \*d, artError \*error\)",
     'plant_fault("order-n", m->tree.nv, d->a);'),
    ("src/method/mass_matrix.c", r"static artStatus (mass_matrix_solve)\(const artModel \*m, artData \*d, artError \*error\)",
     'plant_fault("mass-matrix", m->tree.nv, d->a);'),
    ("src/method/semirecursive.c", r"artStatus (method_semirecursive)\(const artModel \*m, artData \*d, artError \*error\)",
     'plant_fault("semirecursive", m->tree.nv, d->a);'),
    ("src/method/recursive.c", r"static artStatus (recursive_solve)\(const artModel \*m, artData \*d, artError \*error\)",
     'plant_fault("recursive", m->tree.nv, d->a);'),
    ("src/method/augmented.c", r"static artStatus (augmented_solve)\(const artModel \*m, artData \*d, artError \*error\)",
     'plant_fault("augmented", m->tree.nv, d->a);'),
    ("src/method/generated.c", r"static artStatus (generated_rates)\(const artModel \*m, artData \*d, artError \*error\)",
     'plant_fault("generated", m->tree.nv, d->a);'),
    ("src/natural/motion_index1.c", r"artStatus (motion_step_index1)\(naturalMotion \*m, artError \*error\)",
     'plant_fault("index1", m->s->n, m->work_space->a);'),
    ("src/natural/motion_index3.c", r"artStatus (motion_step_index3)\(naturalMotion \*m, artError \*error\)",
     'plant_fault("index3", m->s->n, m->work_space->a);'),
    ("src/natural/motion_conserving.c", r"artStatus (motion_step_conserving)\(naturalMotion \*m, artError \*error\)",
     'plant_fault("conserving", m->s->n, m->work_space->a);'),
    ("src/natural/motion_multi.c", r"artStatus (motion_multi_step)\(naturalMotion \*m, double longest, artError \*error\)",
     'plant_fault("multi-index", m->s->n, m->v);'),
    ("src/loop/residual.c", r"artStatus (residual_find)\(const artModel \*m, artData \*d, loopResidual \*residual, artError \*error\)",
     'plant_fault("residual", 1, &residual->position);'),
    ("src/method/accelerate.c", r"artStatus (art_reaction)\(const artModel \*m, artData \*d, const char \*name, double force\[3\],\s*double torque\[3\], artError \*error\)",
     'plant_fault("reaction", 3, force);'),
    ("src/step/rk4.c", r"static artStatus (grid_attempt)\(stepper \*s, artError \*error\)", 'plant_fault("rk4", s->problem.n, s->y_new);'),
    ("src/step/dopri5.c", r"static artStatus (dopri5_attempt)\(stepper \*s, artError \*error\)", 'plant_fault("dopri5", s->problem.n, s->y_new);'),
    ("src/step/cvode.c", r"static artStatus (cvode_attempt)\(stepper \*s, artError \*error\)", 'plant_fault(s->kind->name, s->problem.n, s->y_new);'),
]

# file, text, text in its place
REPLACED = [
    ("src/force/update.c", "artEnergy art_energy(const artModel *m, artData *d)\n{", 
     "static artEnergy sound_energy(const artModel *m, artData *d);\nartEnergy art_energy(const artModel *m, artData *d)\n{\n"
     "  artEnergy e = sound_energy(m, d);\n  plant_fault(\"energy\", 1, &e.kinetic);\n  return e;\n}\n"
     "static artEnergy sound_energy(const artModel *m, artData *d)\n{"),
    ("src/study/run/run.c", "  c->work = run_work(run, run->y);\n", "  c->work = run_work(run, run->y);\n  plant_fault(\"account\", 1, &c->work);\n"),
]

# a place, an expression that stands in one file of src, a wrong one in its stead, and the tests that ought to catch it, the
# quickest first; the recursions and rows are compiled for numbers and for symbols, and both have the fault
SWITCHED = [
    ("tree: Coriolis acceleration of a slide", "v3_cross_z(omega_p, r_mul(r_const(2), v))", "v3_cross_z(omega_p, v)", ["test_rne", "test_random_trees"]),
    ("tree: centripetal acceleration", "r_neg(r_add(w.xx, w.zz))", "r_neg(r_sub(w.xx, w.zz))", ["test_rne"]),
    ("tree: screw without its pitch", "slide_joint(turn_joint(given, v[0], a[0]), omega_p, r_mul(link->pitch, v[0]),\n                       r_mul(link->pitch, a[0]))",
     "turn_joint(given, v[0], a[0])", ["test_rne", "test_random_trees"]),
    ("tree: gyroscopic torque", "v3_cross(omega, s3_mul(link->J, omega))", "v3_cross(s3_mul(link->J, omega), omega)", ["test_aba", "test_random_trees"]),
    ("tree: articulated inertia", "r_sub(b->C.yz, r_mul(U.lin.y, V.lin.z))", "b->C.yz", ["test_aba", "test_random_trees"]),
    ("tree: inertia of rotors", "r_add(row[k], link->rotor)", "row[k]", ["test_mass"]),
    ("tree: composite inertia", "s3_add(a.J, b.J)", "a.J", ["test_mass"]),
    ("tree: kinetic energy", "r_mul(r_const(2), v3_dot(u, v3_cross(w, link->h)))", "v3_dot(u, v3_cross(w, link->h))", ["test_place", "test_mass", "test_energy"]),
    ("loop: row of a rod", "r_add(v3_dot(d->rate, d->rate), v3_dot(s->span, d->second))", "v3_dot(s->span, d->second)", ["test_rows", "test_loop_methods"]),
    ("loop: row of a hinge", "r_mul(r_const(2), v3_dot(v3_cross(a->omega, u), v3_cross(b->omega, w)))", "v3_dot(v3_cross(a->omega, u), v3_cross(b->omega, w))", ["test_rows", "test_loop_methods"]),
    ("loop: row of a thread", "v3_scale(r_neg(pitch), s->from.e.z)", "v3_scale(pitch, s->from.e.z)", ["test_rows", "test_closing_joints"]),
    ("loop: row of a slide", "v3_add(v3_scale(r_const(2), w), around)", "v3_add(w, around)", ["test_rows", "test_loop_methods"]),
    ("element: Stribeck friction", "r_exp(r_neg(r_mul(w, w)))", "r_exp(r_neg(w))", ["test_force_elements"]),
    ("law: a stop that is left", "1 + stop->damping * side * v", "1 - stop->damping * side * v", ["test_stop", "test_force_elements"]),
    ("element: damping of a stop", "r_mul(loaded, touch.damping)", "r_neg(r_mul(loaded, touch.damping))", ["test_stop", "test_force_elements"]),
    ("element: moment of a bushing", "v3_add(v3_add(w, v3_scale(r_const(h), rw)), v3_scale(pair->curve, rrw))", "v3_add(w, v3_scale(r_const(h), rw))", ["test_elements"]),
    ("element: arm of a bushing", "v3_add(f.torque, v3_cross(pair->span, f.force))", "f.torque", ["test_elements"]),
    ("tyre: contact point", "v3_scale(r, ray->T3)", "v3_scale(r, ray->T1)", ["test_tyre_contact"]),
    ("tyre: velocity of the contact", "v3_sub(omega, v3_scale(c.spin, axis))", "omega", ["test_tyre_contact"]),
    ("tyre: rate of the deflection", "v3_dot(v, c->normal)", "v3_dot(v3_neg(v), c->normal)", ["test_tyre_contact"]),
    ("tyre: slip angle", "tan(in->alpha)", "in->alpha", ["test_tyre_magic", "test_tyre_models"]),
    ("tyre: camber", "tyre->kind == TYRE_MAGIC ? sin(gamma) : 0", "tyre->kind == TYRE_MAGIC ? gamma : 0", ["test_tyre_magic"]),
    ("tyre: Magic Formula", "Bx - r_min(E, 1) * (Bx - r_atan(Bx))", "Bx", ["test_tyre_magic"]),
    ("tyre: relaxation", "r_max(sigma[0], least)", "least", ["test_tyre_models", "test_tyre_magic"]),
    ("gen: derivative of a cosine", "expr_neg(p, expr_mul(p, expr_sin(p, a), da))", "expr_mul(p, expr_sin(p, a), da)", ["test_eqn_differentiate"]),
    ("gen: derivative of atan2", "expr_sub(p, expr_mul(p, b, da), expr_mul(p, a, db))", "expr_add(p, expr_mul(p, b, da), expr_mul(p, a, db))", ["test_eqn_differentiate"]),
    ("gen: elimination", "expr_sub(p, A[i * n + j], expr_mul(p, l, A[k * n + j]))", "A[i * n + j]", ["test_gen_machine"]),
    ("joint: a slide does not turn", "joint_holds(type, TURN_X) && !joint_holds(type, TURN_Z)", "joint_holds(type, TURN_X)", ["test_align", "test_natural_models"]),
    ("joint: quaternions have no rates of their own", "!is_directed || c->quantity == Q_LENGTH || c->quantity == Q_VELOCITY", "1", ["test_quantity", "test_linear", "test_models"]),
    ("joint: rows of a universal joint", "joint_holds(type, SQUARE)", "0", ["test_natural_models", "test_natural_agreement"]),
    ("contact: acceleration of a point that moves over a body", "v3_sub(p->point_rate, tree_point_velocity(t, link, r))", "v3_sub(p->point_rate, p->point_rate)", ["test_rigid_contact"]),
    ("contact: rate of the normal", "rate[0] += v3_dot(p->normal_rate, p->velocity)", "rate[0] += 0 * v3_dot(p->normal_rate, p->velocity)", ["test_rigid_contact"]),
    ("contact: side of an arc", "r_sub(r_mul(sign, rho), r_const(piece->radius))", "r_sub(r_mul(sign, rho), r_const(1.001 * piece->radius))", ["test_profiles"]),
    ("contact: arc of a profile on a chain", "const real reach = r_add(r_const(r), r_mul(r_const(0.5), gap));", "const real reach = r_add(r_const(r), gap);", ["test_profiles"]),
    ("contact: nearest point of a road", "r_add(r_sub(y, c.y), r_mul(up, f->y))", "r_add(r_sub(y, c.y), r_mul(up, f->x))", ["test_roads_that_touch"]),
    ("contact: curvature of a rim", "turn[j][k] = r / off * ((j == k)", "turn[j][k] = 1.01 * r / off * ((j == k)", ["test_convex_pairs"]),
    ("contact: axis across edges", "const double own = contact_number(v3_dot(n, span));", "const double own = -contact_number(v3_dot(n, span));", ["test_hulls"]),
    ("contact: point of a clipped face", "v3_scale(r_div(da, r_sub(da, db)), v3_sub(b, a))", "v3_scale(r_div(db, r_sub(da, db)), v3_sub(b, a))", ["test_hulls"]),
    ("roll: rate of the point of a ball", "v3_scale(-radius, normal_rate(t, x.point))", "v3_scale(radius, normal_rate(t, x.point))", ["test_rolling_surfaces"]),
    ("roll: point that slides along a rim", "p->sine + radius * v3_dot(p->along, t->bend[0])", "p->sine", ["test_rolling_surfaces"]),
    ("roll: curvature of a road", "inverse * (K[0] + d * product)", "K[0] + d * product", ["test_rolling_surfaces"]),
    ("contact: cubic of a sphere", "h / 3 * from_rate[k]", "0 * h / 3 * from_rate[k]", ["test_broad_phase"]),
    ("contact: size of a sphere", "radius * (1 + BEYOND_SIZE)", "0.5 * radius * (1 + BEYOND_SIZE)", ["test_broad_phase"]),
    ("contact: restitution", "if (*b < 0) *b *= 1 + e", "if (*b < 0) *b *= 1 + 0.999 * e", ["test_rigid_contact"]),
    ("contact: rolling that holds while the contact spins", "rate[k] -= turned * spin", "rate[k] -= 0 * turned * spin", ["test_rigid_resistance"]),
    ("contact: spin about a normal that turns", "rate[3] += arms.spinning * v3_dot", "rate[3] += 0 * arms.spinning * v3_dot", ["test_rigid_resistance"]),
    ("contact: a point that comes to another number", "return gap > JUMPED * m->rigid[i].reach", "return gap > 1e12 * JUMPED * m->rigid[i].reach", ["test_rigid_contact"]),
    ("contact steps: limit of rolling", "c->friction * c[-1].p[0]", "0.99 * c->friction * c[-1].p[0]", ["test_rigid_resistance"]),
    ("contact steps: restitution", "-p->restitution * u : 0", "-0.99 * p->restitution * u : 0", ["test_contact_steps"]),
    ("contact steps: velocities in the middle", "d->v[k] = r->v[k] + 0.5 * h * d->a[k]", "d->v[k] = r->v[k]", ["test_contact_steps"]),
    ("contact steps: forces that hold, in their cones", "c->p[k] += FURTHER * (p[k] - c->p[k])", "c->p[k] += 0 * (p[k] - c->p[k])", ["test_contact_steps"]),
    ("contact steps: rows of a tree", "row[j] -= L[j] * x", "row[j] -= 0 * L[j] * x", ["test_contact_steps"]),
    ("law: gas spring", "r_sub(ambient, r_mul(p0, r_pow(r, r_const(air->exponent))))", "r_sub(r_mul(p0, r_pow(r, r_const(air->exponent))), ambient)", ["test_law"]),
    ("sampler: first instant", "k >= 0 && fabs(t - clock_instant(clock, k)) <= rounding_at(clock, t)", "k > 0 && fabs(t - clock_instant(clock, k)) <= rounding_at(clock, t)", ["test_instants", "test_plants"]),
    ("sampler: memories", "put_held_value(m, d, i, w->force->sampled[i])", "(void) 0", ["test_control_blocks", "test_plants"]),
    ("input: straight line", "from + fmax(share, 0) * (to - from)", "to", ["test_step_run"]),
    ("state: middle of a step", "s[i] + (is_middle ? 0 : weight) * rate[i]", "s[i] + weight * rate[i]", ["test_plants"]),
    ("state: late rates", "own->state_base[k] + weight * rate[k]", "own->state_base[k]", ["test_signals", "test_plants"]),
    ("state: quick ones", "-weight * slope > QUICK ? STATE_STIFF : STATE_SMOOTH", "STATE_SMOOTH", ["test_plants"]),
    ("state: errors of variable steps", "fabs(w->s[i] - guess) / (3 * (1 + before / h))", "0.0", ["test_plants"]),
    ("state: rates that read accelerations", "rate->level > LEVEL_VELOCITY", "0", ["test_signals", "test_plants"]),
    ("block: Tustin's rule", "f < n - i ? -1 : 1", "f <= n - i ? -1 : 1", ["test_control_blocks"]),
    ("block: rest of a transfer function", "r->before * (pow(w, n) / last)", "r->before / last", ["test_control_blocks"]),
    ("block: Padé's coefficients", "(double) (n - k) / ((k + 1) * (2 * n - k))", "(double) (n - k) / ((k + 1) * 2.0 * n)", ["test_control_blocks"]),
    ("block: derivative of what is measured", "def->measured ? -def->before : def->before", "def->before", ["test_control_blocks"]),
    ("sensor: axes of an accelerometer", "def->axes ? def->axes : def->frame", "def->axes", ["test_sensors", "test_plants"]),
    ("sensor: velocity seen from a body that turns", "sensor_difference(c, frame, from, \"v\")", "sensor_difference(c, frame, NULL, \"v\")", ["test_sensors"]),
    ("actuator: torque of a motor", "arena_compose(p->arena, \"%s*'/%s.current'\", x.constant, n)", "arena_compose(p->arena, \"1.001*%s*'/%s.current'\", x.constant, n)", ["test_actuators", "test_plants"]),
    ("actuator: flow of oil", "arena_compose(c->arena, \"%s/sqrt(%s)\", NUMBER(flow), NUMBER(drop))", "arena_compose(c->arena, \"%s/(%s)\", NUMBER(flow), NUMBER(drop))", ["test_actuators", "test_plants"]),
    ("actuator: volume of oil", "arena_compose(a, \"%s + %s*%s\", x.dead_a, x.area_a, s)", "arena_compose(a, \"%s + %s*%s\", x.dead_b, x.area_a, s)", ["test_plants"]),
    ("actuator: heat of gas that flows in", "\"max(%s, 0)*(%s*%s*%s - %s*'/%s.temperature') + min(%s, 0)*%s*'/%s.temperature'\"", "\"max(%s, 0)*((0*%s + 1)*%s*%s - %s*'/%s.temperature') + min(%s, 0)*%s*'/%s.temperature'\"", ["test_actuators"]),
    ("parameter: revision of a model", "m->revision + 1", "m->revision", ["test_step_run", "test_live", "test_parameters"]),
    ("gen: contact of a wheel", "r_sub(miss.fall, r_mul(r, bend))", "r_add(miss.fall, r_mul(r, bend))", ["test_gen_tyre"]),
]

# tests that ought to catch a fault, by place, the quickest first
TESTS = {
    "order-n": ["test_aba", "test_run"],
    "mass-matrix": ["test_random_trees", "test_run"],
    "semirecursive": ["test_semirecursive", "test_loop_methods"],
    "recursive": ["test_loop_methods"],
    "augmented": ["test_loop_methods"],
    "generated": ["test_generated"],
    "index1": ["test_natural_motion", "test_natural_run"],
    "index3": ["test_natural_motion", "test_natural_run"],
    "multi-index": ["test_natural_motion", "test_natural_run"],
    "conserving": ["test_natural_motion", "test_natural_run"],
    "residual": ["test_loop_methods", "test_loop_studies", "test_run"],
    "reaction": ["test_rne", "test_loop_methods"],
    "energy": ["test_run", "test_energy"],
    "account": ["test_run", "test_energy"],
    "rk4": ["test_rk4"],
    "dopri5": ["test_dopri5"],
    "bdf": ["test_cvode"],
    "adams": ["test_cvode"],
}

# comparisons of the tests, each broken in one way
HELPERS = [
    ("check_larger drops NaN", "test/support/check.h", "return a >= b || isnan(a) ? a : b;", "return fmax(a, b);"),
    ("check_smaller drops NaN", "test/support/check.h", "return a <= b || isnan(a) ? a : b;", "return fmin(a, b);"),
    ("check_larger has the other sign", "test/support/check.h", "return a >= b ||", "return a <= b ||"),
    ("CHECK_NEAR takes NaN for no error", "test/support/check.c", "if (!isfinite(error)) return INFINITY;", "if (!isfinite(error)) return 0;"),
    ("CHECK_NEAR takes any tolerance", "test/support/check.c", "if (worst <= tol && isfinite(tol)) return true;", "if (!(worst > tol)) return true;"),
    ("CHECK_NEAR loses the sign", "test/support/check.c", "const double error = fabs(got - want);", "const double error = fabs(fabs(got) - fabs(want));"),
    ("CHECK_NEAR is off by a factor", "test/support/check.c", "if (worst <= tol && isfinite(tol)) return true;", "if (worst <= 1000 * tol && isfinite(tol)) return true;"),
    ("CHECK_FAILS takes any status", "test/support/check.c", "words, name, file, line) && is_so;", "words, name, file, line) || is_so;"),
    ("CHECK_FAILS reads an older message", "test/support/check.h", "(check_error.text[0] = '\\0', check_fails", "(check_fails"),
    ("CHECK_SAYS takes any status", "test/support/check.c", "message, name, file, line) && is_so;", "message, name, file, line) || is_so;"),
    ("CHECK_WORKS takes a message", "test/support/check.c", "status == ART_OK && check_error.text[0] == '\\0';", "status == ART_OK;"),
    ("max_nan drops NaN", "src/base/max_nan.h", "return a >= b || isnan(a) ? a : b;", "return fmax(a, b);"),
    ("min_nan drops NaN", "src/base/max_nan.h", "return a <= b || isnan(a) ? a : b;", "return fmin(a, b);"),
]


def path(name):
    return os.path.join(COPY, name)


def copy_sources():
    os.makedirs(COPY, exist_ok=True)
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    for folder in ("src", "show", "test"):
        for name in glob.glob(folder + "/**/*.[ch]", root_dir=COPY, recursive=True):
            if name not in names:
                os.remove(path(name))
    for name in filter(None, names):
        source, target = os.path.join(ROOT, name), path(name)
        if not os.path.isfile(source):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        text = open(source, "rb").read()
        if not os.path.exists(target) or open(target, "rb").read() != text:
            shutil.copy2(source, target)
            os.utime(target)


def edit(name, change):
    text = open(path(name)).read()
    changed = change(text)
    if changed == text:
        sys.exit(f"plant-faults: nothing to change in {name}; the tool is behind the sources")
    open(path(name), "w").write(changed)


# the function under another name, and behind it one of its own name that calls it
def wrap(name, head, hook):
    def change(text):
        found = re.search("^" + head + r"\n\{", text, re.M)
        if not found:
            return text
        whole, function = found.group(0)[:-2], found.group(1)
        arguments = re.sub(r"\[\d*\]", "", whole[whole.index("(") + 1:-1])
        names = ", ".join(re.findall(r"(\w+)\s*(?=,|$)", arguments))
        sound = whole.replace(function + "(", "sound_" + function + "(")
        sound = sound if sound.startswith("static") else "static " + sound
        wrapper = f"{sound};\n{whole}\n{{\n  const artStatus status = sound_{function}({names});\n  {hook}\n  return status;\n}}\n\n\n"
        return text[:found.start()] + wrapper + sound + text[found.end() - 2:]
    edit(name, change)


# the file of src that has the expression, with the wrong one beside it
def plant_switch(place, right, wrong):
    files = [name for name in glob.glob("src/**/*.[ch]", root_dir=COPY, recursive=True) if right in open(path(name)).read()]
    if len(files) != 1:
        sys.exit(f"plant-faults: '{right}' stands in {len(files)} files; the tool is behind the sources")
    edit(files[0], lambda text: text.replace(right, f'(fault_is("{place}") ? ({wrong}) : ({right}))', 1))
    return files[0]


def plant_hooks():
    open(path("src/base/plant_fault.h"), "w").write("#pragma once\n" + HOOK)
    for name, head, hook in WRAPPED:
        wrap(name, head, hook)
    for name, old, new in REPLACED:
        edit(name, lambda text: text.replace(old, new, 1))
    switched = {plant_switch(*entry[:3]) for entry in SWITCHED}
    for name in {entry[0] for entry in WRAPPED + REPLACED} | switched:
        edit(name, lambda text: '#include "base/plant_fault.h"\n' + text)


def build(targets):
    environment = dict(os.environ)
    if shutil.which("ccache"):
        environment.update(CMAKE_C_COMPILER_LAUNCHER="ccache", CMAKE_CXX_COMPILER_LAUNCHER="ccache")
    run = lambda command: subprocess.run(command, cwd=COPY, env=environment, capture_output=True, text=True)
    if not os.path.exists(path("build/dev/Makefile")):
        done = run(["cmake", "--preset", "dev"])
        if done.returncode:
            sys.exit(done.stdout + done.stderr)
    done = run(["cmake", "--build", "--preset", "dev", "--parallel", str(os.cpu_count() or 1), "--target"] + targets)
    if done.returncode:
        sys.exit(done.stdout[-4000:] + done.stderr[-4000:])


# the first check that fails, or None; nobody waits for what comes behind it
def caught_by(tests, environment):
    for test in tests:
        process = subprocess.Popen([path("build/dev/test/" + test)], cwd=COPY, env=dict(os.environ, **environment),
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for line in process.stdout:
            if line.startswith("FAILED "):
                process.kill()
                process.wait()
                return f"`{test}`: {line.split()[1]}"
        if process.wait() != 0:
            return f"`{test}`, which stops at an assertion"
    return None


def report(place, kind, found):
    print(f"| {place} | {kind} | {found or '**nothing**'} |", flush=True)
    return found is None


def check():
    global COPY
    with tempfile.TemporaryDirectory() as COPY:
        copy_sources()
        for _, name, old, new in HELPERS:
            edit(name, lambda text: text.replace(old, new, 1))
            shutil.copy2(os.path.join(ROOT, name), path(name))
        plant_hooks()
    print(f"{len(WRAPPED + REPLACED + SWITCHED + HELPERS)} places are there")
    return 0


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    switched = {place: tests for place, _, _, tests in SWITCHED}
    places = sys.argv[1:] or list(TESTS) + ["switched", "helpers"]
    chosen = switched if "switched" in places else {place: switched[place] for place in places if place in switched}
    wanted = {test for place in places if place in TESTS for test in TESTS[place]} | {test for tests in chosen.values() for test in tests}
    missed = 0
    copy_sources()
    print("| planted in | fault | caught by |\n|---|---|---|")
    if wanted:
        plant_hooks()
        build(sorted(wanted))
        for test in sorted(wanted):
            if caught_by([test], {}):
                sys.exit(f"plant-faults: {test} fails without a fault")
        for place in places:
            for kind in KINDS if place in TESTS else []:
                missed += report(place, kind, caught_by(TESTS[place], {"ART_FAULT_AT": place, "ART_FAULT": kind}))
        for place, tests in chosen.items():
            missed += report(place, "wrong", caught_by(tests, {"ART_FAULT_AT": place}))
    if "helpers" in places:
        for what, name, old, new in HELPERS:
            copy_sources()
            if os.path.exists(path("src/base/plant_fault.h")):
                os.remove(path("src/base/plant_fault.h"))
            edit(name, lambda text: text.replace(old, new, 1))
            build(["test_base"])
            missed += report("comparison", what, caught_by(["test_base"], {}))
    copy_sources()
    print(f"\n{missed} not caught")
    return 1 if missed else 0


sys.exit(main())
