// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Words of other programs and textbooks, by context.
#include "base/vocabulary.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// clang-format off

// our name, and names used by others
static const vocabularyWords synonyms[] = {
    {"section", "bodies",
     "link links body part parts rigidbodies rigidbody masses worldbody segments"},
    {"section", "joints",
     "joint constraint constraints connection connections connectors hinges pairs kinematicpairs"},
    {"section", "forces",
     "force load loads springs spring dampers damper springdampers appliedforces forceelements "
     "externalforces contacts friction"},
    {"section", "drives",
     "motion motions motor motors driver drivers prescribedmotion prescribedmotions actuation"},
    {"section", "initial",
     "initialconditions initialcondition initials initialstate initialvalues ic ics start state "
     "qpos keyframe startvalues"},
    {"section", "study",
     "simulation simulate solver integrator analysis settings experiment run time solution"},
    {"section", "studies", "simulations analyses experiments"},
    {"section", "couplings",
     "gear gears equality transmission transmissions couplers coupling relations"},
    {"section", "outputs",
     "output results result requests request plots measurements measures probes "
     "record signals"},
    {"section", "parameters",
     "parameter constants constant variables variable defines params properties"},
    {"section", "ground", "world base fixed frameofreference inertialframe worldframe"},
    {"section", "title", "name model robot mechanism description modelname"},
    {"section", "curves", "spline splines tables table functions function lookup"},
    {"section", "tyres", "tire tires tyre wheel wheels"},
    {"section", "roads", "road terrain track groundprofile"},
    {"section", "include", "includes import imports submodels subsystems"},
    {"section", "articula", "version format formatversion"},
    {"section", "gravity", "g gravityvector acceleration gravitation"},
    {"section", "guess", "guesses initialguess"},
    {"body name", "ground",
     "world earth inertial inertialframe fixed base root universe worldlink worldbody static"},
    {"body", "mass", "m weight massvalue"},
    {"body", "com",
     "cg cog cm centerofmass centreofmass centerofgravity centreofgravity masscenter masscentre "
     "cmposition composition rcm ipos"},
    {"body", "inertia",
     "i j moi momentofinertia momentsofinertia inertiatensor tensor diaginertia fullinertia "
     "inertias jbar icm inertiamatrix"},
    {"body", "position", "pos xyz location loc translation r0 r place offset"},
    {"body", "orientation",
     "rpy euler quat quaternion rotation attitude axisangle rot eulerangles orient"},
    {"body", "points", "markers marker sites site hardpoints point attachments"},
    {"body", "frames", "frame coordinatesystems csys coordinatesystem"},
    {"body", "visual",
     "geom geoms geometry shape shapes collision mesh color colour box graphics material"},
    {"frame", "position", "pos xyz location loc translation r offset at"},
    {"frame", "orientation", "rpy euler quat quaternion rotation attitude axisangle rot axes"},
    {"joint end", "position", "pos xyz location loc translation r offset at"},
    {"joint end", "orientation", "rpy euler quat quaternion rotation attitude axisangle rot axes"},
    {"visual", "position", "pos xyz location loc translation r offset at"},
    {"visual", "orientation", "rpy euler quat quaternion rotation attitude axisangle rot axes"},
    {"ground", "position", "pos xyz location loc translation r offset at"},
    {"ground", "orientation", "rpy euler quat quaternion rotation attitude axisangle rot axes"},
    {"joint end", "frame", "body link marker part point name"},
    {"visual", "colour", "color rgba rgb material"},
    {"visual", "size", "dimensions extents box lengths halfextents"},
    {"visual", "length", "height h l"},
    {"visual", "radius", "r"},
    {"visual", "file", "filename uri path mesh url"},
    {"visual type", "box", "cube cuboid block rectangle brick"},
    {"visual type", "sphere", "ball ellipsoid"},
    {"visual type", "cylinder", "rod disc disk tube cone"},
    {"visual type", "mesh", "stl obj cad file"},
    {"inertia", "tensor", "matrix value values moments i diagonal"},
    {"inertia", "about", "at reference point origin frame"},
    {"joint", "from",
     "parent parentlink base body1 bodya predecessor inboard link1 part1 a first framea between "
     "reference parentbody inner"},
    {"joint", "to",
     "child childlink follower body2 bodyb successor outboard link2 part2 b second frameb "
     "childbody outer body link"},
    {"joint", "at",
     "origin position pos location loc point anchor pivot xyz place center centre where r"},
    {"joint", "axis",
     "direction dir n normal vector line axis1 rotationaxis slideaxis orientation rpy zaxis "
     "axisofrotation"},
    {"joint", "axes", "axis axis1 axis2 na nb"},
    {"joint", "rotor", "armature rotorinertia motorinertia reflectedinertia"},
    {"joint", "pitch", "lead threadpitch screwpitch"},
    {"joint", "length", "distance l rodlength"},
    {"joint", "loop", "cut keep cutjoint loopclosing isloop"},
    {"force", "stiffness",
     "k springconstant springrate springcoefficient springstiffness stiffnesscoefficient "
     "elasticity kp kt ks krot"},
    {"force", "damping",
     "d b dampingcoefficient dampingconstant dampingcoeff dampingrate viscousdamping damp cd kd "
     "viscosity dashpot dampingfactor"},
    {"force", "free_length",
     "l0 restlength naturallength length0 sunstretched unstretchedlength srel0 length "
     "initiallength springlength undeformedlength freelength lengthfree l neutrallength restlen"},
    {"force", "rest",
     "angle0 phirel0 restangle springref neutral reference setpoint offset equilibrium x0 q0 "
     "restposition freeangle freelength unstretchedangle theta0 zero neutralangle"},
    {"force", "between",
     "from points frames ends to body1 body2 bodies bodya bodyb a b attachments marker1 marker2 "
     "endpoints connects framea frameb"},
    {"force", "from", "parent body1 bodya a between framea"},
    {"force", "to", "child body2 bodyb b between frameb"},
    {"force", "coordinate", "joint dof on at angle target jointname to"},
    {"force", "coordinates", "joints"},
    {"force", "value",
     "force torque magnitude f vector load moment formula function expression components input "
     "signal t amplitude"},
    {"force", "point",
     "on at body location position frame marker applicationpoint link to target origin"},
    {"force", "body", "on part link target at frame to"},
    {"force", "axes", "frame in coordinatesystem relativeto expressedin reference resolvein csys"},
    {"force", "lower", "min minimum lowerlimit lo from"},
    {"force", "upper", "max maximum upperlimit hi to"},
    {"force", "coulomb",
     "mu friction dynamic kinetic dynamicfriction frictiontorque frictionforce fc muk "
     "kineticfriction value"},
    {"force", "breakaway", "static staticfriction mus stiction fs"},
    {"force", "viscous", "damping viscousdamping dampingcoefficient d b fv"},
    {"force", "transition", "vs transitionvelocity regularization regularisation epsilon vd"},
    {"force", "springs", "spring laws"},
    {"force", "dampers", "damper"},
    {"force", "preload", "force f0 prestress"},
    {"force", "area", "a frontalarea referencearea"},
    {"force", "density", "rho"},
    {"force", "wheel", "body on hub frame"},
    {"force", "stops", "limits bumpstops limit"},
    {"drive", "coordinate", "joint dof on axis actuates target"},
    {"drive", "value",
     "motion function formula angle position expression law displacement f q motionlaw input "
     "signal reference"},
    {"drive", "table", "points spline data curve"},
    {"study type", "run",
     "simulate simulation dynamic dynamics transient time forward forwarddynamics timedomain "
     "integrate motion"},
    {"study type", "equil", "static statics equilibrium trim staticequilibrium"},
    {"study type", "linear",
     "modal eigen modes linearize linearise linearization linearisation eigenvalue eigenvalues "
     "eigenanalysis modalanalysis vibration"},
    {"study type", "inverse", "inversedynamics id"},
    {"study type", "kinematics", "kinematic kandc suspension"},
    {"study type", "response", "frequency frequencyresponse frf harmonic bode psd spectrum"},
    {"study", "until",
     "tend end stop stoptime endtime duration tf tmax simulationtime time finaltime tfinal t1 "
     "length tstop"},
    {"study", "from", "start t0 tstart starttime begin initialtime fmin lowest"},
    {"study", "to", "end fmax highest until stop"},
    {"study", "interval",
     "outputstep dtout sampletime outputinterval sampling every outputdt printstep outputtimestep "
     "samplinginterval saveat resolution stepsout"},
    {"study", "step", "dt h timestep stepsize fixedstep hmax maxstep"},
    {"study", "tolerance", "tol rtol reltol abstol atol accuracy error eps relativetolerance"},
    {"study", "integrator", "solver odesolver scheme ode integrationmethod"},
    {"study", "method", "formulation algorithm equations"},
    {"study", "motion", "trajectory trajectories prescribed"},
    {"study", "actuators", "actuator motors drives"},
    {"study", "count", "n points steps"},
    {"coordinate", "angle",
     "position q phi theta rotation pos value displacement phi0 q0 angle0 rot psi alpha"},
    {"coordinate", "slide",
     "position q s displacement x translation pos value length distance s0 q0"},
    {"coordinate", "rate",
     "velocity speed omega w qd qdot dq v vel angularvelocity angularrate dangle phidot thetadot "
     "spin rpm"},
    {"coordinate", "accel", "acceleration qdd alpha a qddot angularacceleration acc"},
    {"coordinate", "force", "torque effort tau moment"},
    {"coordinate", "x", "px posx positionx"},
    {"coordinate", "y", "py posy positiony"},
    {"coordinate", "z", "pz posz positionz height"},
    {"coordinate", "angle1", "angle phi1 q1"},
    {"coordinate", "angle2", "phi2 q2"},
    {"coordinate", "length", "distance l position"},
    {"coordinate", "rate", "lengthrate"},
    {"unit", "deg", "degree degrees grad"},
    {"unit", "rad", "radian radians"},
    {"unit", "s", "second seconds sec secs"},
    {"unit", "min", "minute minutes"},
    {"unit", "h", "hour hours"},
    {"unit", "ms", "msec"},
    {"unit", "m", "metre metres meter meters"},
    {"unit", "in", "inch inches"},
    {"unit", "ft", "foot feet"},
    {"unit", "g", "gram"},
    {"unit", "kg", "kgs kilo kilogram kilograms"},
    {"unit", "lb", "pound lbs"},
    {"unit", "N", "newton newtons"},
    {"unit", "J", "joule"},
    {"unit", "W", "watt"},
    {"unit", "Hz", "hertz"},
    {"unit", "km/h", "kph kmh"},
    {"name", "time", "t simtime"},
    {"name", "pi", "pi π"},
    {"name", "tau", "twopi"},
    {"function", "log", "ln loge"},
    {"function", "asin", "arcsin"},
    {"function", "acos", "arccos"},
    {"function", "atan", "arctan"},
    {"function", "atan2", "arctan2"},
    {"function", "abs", "fabs"},
    {"function", "sign", "sgn signum"},
    {"function", "if", "ifelse iff where cond iif"},
    {"function", "pow", "power"},
    {"function", "step", "heaviside unitstep theta hside"},
    {"function", "smooth", "step5 smoothstep haversin stepcubic"},
    {"function", "mod", "fmod rem modulo"},
    {"function", "floor", "int trunc"},
    {"function", "log10", "lg"},
};

static const char pose[] =
    "a pose is 'position' and 'orientation': xyz becomes position: [x, y, z], rpy becomes "
    "orientation: {rpy: [r, p, y]}";

// advice if no single name of ours corresponds
static const vocabularyWords advice[] = {
    {"section", "points and frames are given in their bodies, points and frames of ground in the section "
     "'ground'",
     "markers marker points point frames frame sites hardpoints coordinatesystems"},
    {"section", "write the unit after its number, as in 25 N/mm; a number without one is SI; a file of functional "
     "mock-up units is for 'articula run' alone",
     "units unit"},
    {"section", "shapes are given in their bodies, under 'visual'",
     "geometry geometries visual visuals shapes materials material collision meshes"},
    {"section", "what to compute belongs in the section 'study': {type: run, until: 10 s}",
     "timestep dt tend stoptime endtime duration tolerance until"},
    {"body", "the tensor is one list, inertia: [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], about the centre of "
     "mass",
     "ixx iyy izz ixy ixz iyz jxx jyy jzz i11 i22 i33 i21 i31 i32"},
    {"body", "mass, com and inertia are keys of the body itself", "inertial"},
    {"body", pose, "origin pose"},
    {"body", "initial values belong in the section 'initial', by joint, as in initial: {pin: {rate: "
     "2}}",
     "velocity speed v v0 omega w initialvelocity angularvelocity angle rate q qd"},
    {"body", "a body does not name its joints; they belong in the section 'joints', each with "
     "'from' and 'to'",
     "joint joints parent child connectedto freejoint from to body bodies"},
    {"body", "what does not move hangs on a joint of type fixed, or is part of ground",
     "fixed isfixed static ground kinematic"},
    {"body", "give 'mass', 'com' and 'inertia'; they are not computed from shapes", "density"},
    {"body", "the name of a body is the key in front of it", "name id"},
    {"body", "a body has no type; all bodies are rigid", "type"},
    {"frame", pose, "origin pose"},
    {"joint end", pose, "origin pose"},
    {"visual", pose, "origin pose"},
    {"ground", pose, "origin pose"},
    {"inertia", "the tensor is one list, tensor: [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]",
     "ixx iyy izz ixy ixz iyz"},
    {"joint", "the two bodies are 'from' and 'to'", "bodies connects parts links ends"},
    {"joint", "initial values belong in the section 'initial', by joint, as in initial: {pin: "
     "{angle: 30 deg}}",
     "value initial initialvalue initialangle initialposition angle phi phi0 q q0 theta start "
     "startposition rate velocity speed w omega initialvelocity state initialcondition ref"},
    {"joint", "the name of a joint is the key in front of it", "name id"},
    {"joint", "gears and other relations belong in the section 'couplings'", "mimic gear ratio"},
    {"joint type", "gears, racks and belts belong in the section 'couplings'",
     "gear gears rack rackandpinion rackpinion coupler belt pulley chain"},
    {"force type", "gravity acts on all bodies without being named; the section 'gravity' changes "
     "it",
     "gravity weight"},
    {"force type", "prescribed motions belong in the section 'drives'",
     "drive motion prescribedmotion"},
    {"force", "c is a stiffness to some and a damping to others; here they are 'stiffness' and "
     "'damping'",
     "c"},
    {"force", "the name of a force is the key in front of it", "name id"},
    {"drive", "a drive gives the coordinate itself: a constant speed w is value: = w*time",
     "velocity speed rate omega w acceleration"},
    {"study", "outputs have a section of their own: outputs: [pin.angle, energy.total]",
     "outputs output"},
    {"function", "angles carry their unit: sin(30[deg])", "sind cosd tand"},
    {"function", "an angle in degrees is a number with its unit: 30[deg]",
     "deg2rad radians dtor d2r"},
    {"function", "angles are plain numbers in rad; x/1[deg] is x in degrees",
     "rad2deg degrees rtod"},
    {"function", "a square is written x^2", "sqr square"},
    {"function", "a value between a and b is written min(max(x, a), b)",
     "sat clamp saturate limit clip"},
    {"orientation", "roll, pitch and yaw are one list: {rpy: [roll, pitch, yaw]}",
     "roll pitch yaw"},
    {"orientation", "a quaternion is {quaternion: [w, x, y, z]}", "quat xyzw wxyz q"},
    {"orientation", "Euler angles are {euler: [a, b, c], sequence: zxz}",
     "eulerangles zyx zxz xyz"},
    {"orientation", "a turn about an axis is {axis: [x, y, z], angle: 30 deg}",
     "axisangle rotvec rotationvector"},
    {"orientation", "a rotation matrix is {matrix: [[..], [..], [..]]}",
     "dcm r rot rotation rotationmatrix cosines"},
    {0},
};
// clang-format on


enum { MAX_WORD_LENGTH = 40, NSYNONYM = sizeof synonyms / sizeof *synonyms };


// to lower case without '-', '_' and spaces; empty if longer than every known word
static void reduce_word(const char *word, char reduced[MAX_WORD_LENGTH])
{
  size_t n = 0;
  for (const char *p = word; *p && n < MAX_WORD_LENGTH; p++) {
    if (*p == '-' || *p == '_' || *p == ' ') continue;
    reduced[n++] = *p >= 'A' && *p <= 'Z' ? (char) (*p - 'A' + 'a') : *p;
  }
  reduced[n < MAX_WORD_LENGTH ? n : 0] = '\0';
}


static bool is_listed_word(const char *words, const char *word)
{
  const size_t length = strlen(word);
  for (const char *p = words; length > 0 && (p = strstr(p, word)); p += length) {
    if ((p == words || p[-1] == ' ') && (p[length] == ' ' || p[length] == '\0')) return true;
  }
  return false;
}


// HingeJoint means hinge
static void drop_joint(char *reduced)
{
  static const char ending[] = "joint";
  const size_t length = strlen(reduced), n = sizeof ending - 1;
  if (length > n && strcmp(reduced + length - n, ending) == 0) reduced[length - n] = '\0';
}


static void reduce_in(const char *context, const char *word, char reduced[MAX_WORD_LENGTH])
{
  reduce_word(word, reduced);
  if (strcmp(context, "joint type") == 0) drop_joint(reduced);
}


int vocabulary_means(const char *context, const char *word, const char *ours, const char *words)
{
  if (!context) return 0;
  ours += strspn(ours, "-"); // "--" of an option of the command
  char reduced[MAX_WORD_LENGTH], own[MAX_WORD_LENGTH];
  reduce_in(context, word, reduced);
  reduce_word(ours, own);
  if (own[0] && strcmp(reduced, own) == 0) return 1;
  if (words && is_listed_word(words, reduced)) return 1;
  for (size_t i = 0; i < NSYNONYM; i++) {
    const vocabularyWords *s = &synonyms[i];
    if (strcmp(s->context, context) != 0 || strcmp(s->ours, ours) != 0) continue;
    if (is_listed_word(s->words, reduced)) return 1;
  }
  return 0;
}


const char *vocabulary_find_advice(const vocabularyWords *list, const char *context,
                                   const char *word)
{
  if (!context || !list) return NULL;
  char reduced[MAX_WORD_LENGTH];
  reduce_in(context, word, reduced);
  for (; list->context; list++) {
    if (strcmp(list->context, context) == 0 && is_listed_word(list->words, reduced))
      return list->ours;
  }
  return NULL;
}


const char *vocabulary_advice(const char *context, const char *word)
{
  return vocabulary_find_advice(advice, context, word);
}
