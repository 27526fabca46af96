// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The arithmetic of model/compile/lay.h on symbols.
#define ART_SYMBOLIC
#define ART_SYMBOLIC_MODEL
#define treeModel symModel

#include "gen/parameter/lay_symbolic.h"

#include <math.h>
#include <string.h>

#include "model/compile/lay.h"

#undef treeModel


static inline real lay_number(const laying *l, const double *x)
{
  return (real){gen_laid_number(l->context, x)};
}


static v3 neat_vector(const laying *l, v3 a)
{
  int node[3] = {a.x.node, a.y.node, a.z.node};
  gen_fold_constants(l->context, 3, node);
  return (v3){{node[0]}, {node[1]}, {node[2]}};
}


static inline modelPose lay_neat(const laying *l, modelPose pose)
{
  return (modelPose){{neat_vector(l, pose.R.x), neat_vector(l, pose.R.y), neat_vector(l, pose.R.z)},
                     neat_vector(l, pose.r)};
}


// z along the axis; x as wished, or along the axis after the largest component of z, which is so at present and stays
static inline m3 lay_turned(const laying *l, v3 axis, v3 x)
{
  const double a[3] = {fabs(gen_present_value(l->context, axis.x.node)),
                       fabs(gen_present_value(l->context, axis.y.node)),
                       fabs(gen_present_value(l->context, axis.z.node))};
  const double largest = fmax(a[0], fmax(a[1], a[2]));
  const v3 own = a[2] == largest   ? v3_numbers(1, 0, 0)
                 : a[1] == largest ? v3_numbers(0, 0, 1)
                                   : v3_numbers(0, 1, 0);
  const v3 z = neat_vector(l, pose_unit(axis));
  const v3 wish = gen_present_value(l->context, v3_dot(x, x).node) > 0 ? x : own;
  const v3 ex = neat_vector(l, pose_unit(v3_sub(wish, v3_scale(v3_dot(wish, z), z))));
  return (m3){ex, v3_cross(z, ex), z};
}

#include "model/compile/lay_text.h"

//---- joints --------------------------------------------------------------------------------------

static void place_ends(laying *l, int in_ground)
{
  for (int e = 0; e < 2 * l->plan->njoint; e++) {
    if (l->plan->joint[e / 2].in_ground != in_ground) continue;
    l->ends[e / 2].end[e % 2] = lay_end(l, e / 2, e % 2);
  }
}


static v3 vector_of_numbers(const double x[3])
{
  return v3_numbers(x[0], x[1], x[2]);
}


//---- links ---------------------------------------------------------------------------------------

static real laid_rod_length(const laying *l, int j)
{
  const layJoint *joint = &l->plan->joint[j];
  if (joint->bar) return lay_distance(lay_ball(l, joint->bar, 0), lay_ball(l, joint->bar, 1));
  return *joint->length > 0 ? lay_number(l, joint->length) : lay_span(l, j);
}


// two thirds, which its middle carries
static real laid_rod_mass(real mass)
{
  return r_div(r_mul(r_const(2), mass), r_const(3));
}


static void place_cut(const laying *l, int c, treeLink *link, int *out)
{
  const int j = l->plan->cut[c], is_rod = joint_is_rod(l->plan->joint[j].type);
  const layJoint *joint = &l->plan->joint[j];
  const real mass = is_rod ? lay_number(l, joint->mass) : r_const(0);
  for (int side = 0; side < 2; side++) {
    const laidSide laid = lay_side(l, j, side);
    const int own = laid.of_twin ? joint->link + joint->nlink - 1 : l->plan->body[laid.body].link;
    if (own > 0) lay_rod_share(&link[own], mass, laid.r);
    memcpy(out + 12 * side, &laid.R, 9 * sizeof *out);
    memcpy(out + 12 * side + 9, &laid.r, 3 * sizeof *out);
  }
  const v3 axis2 = lay_axis2(l, joint);
  memcpy(out + 24, &axis2, 3 * sizeof *out);
  out[27] = lay_number(l, joint->pitch).node;
  out[LAID_LENGTH] = is_rod ? laid_rod_length(l, j).node : 0;
  out[LAID_ROD] = laid_rod_mass(mass).node;
  if (joint_roll(joint->type) == ROLL_NONE) return;
  const real angle = lay_number(l, joint->half_angle);
  out[LAID_LENGTH] = lay_number(l, joint->length).node;
  out[LAID_SURFACE] = lay_number(l, joint->surface_radius).node;
  out[LAID_SURFACE + 1] = r_sin(angle).node;
  out[LAID_SURFACE + 2] = r_cos(angle).node;
}

//---- all -----------------------------------------------------------------------------------------

static void place_reference(laying *l, baseArena *arena)
{
  l->ends = arena_alloc(arena, (size_t) l->plan->njoint, sizeof *l->ends);
  l->reference = arena_alloc(arena, (size_t) l->plan->nbody, sizeof *l->reference);
  for (int j = 0; j < l->plan->njoint; j++) {
    memcpy(l->ends[j].body, l->plan->joint[j].body, sizeof l->ends[j].body);
  }
  place_ends(l, 0);
  l->reference[0] = pose_identity();
  for (int k = 1; k < l->plan->nbody; k++) {
    const int body = l->plan->order[k];
    const layBody *own = &l->plan->body[body];
    l->reference[body] =
        l->plan->joint[own->joint].in_ground ? lay_pose(l, own->pose) : lay_placed(l, body);
  }
  place_ends(l, 1);
  for (int e = 0; e < 2 * l->plan->njoint; e++) {
    const layJoint *joint = &l->plan->joint[e / 2];
    const double *T = joint->turn[e % 2];
    modelPose *end = &l->ends[e / 2].end[e % 2];
    const m3 turn = {vector_of_numbers(T), vector_of_numbers(T + 3), vector_of_numbers(T + 6)};
    if (joint->is_turned[e % 2]) end->R = m3_mul_m3(end->R, turn);
    if (joint->is_shifted[e % 2]) end->r = v3_add(end->r, vector_of_numbers(joint->shift[e % 2]));
  }
}


void gen_lay(genBuild *b, const layPlan *plan, int nlink, baseArena *arena, laidTree *out)
{
  _Static_assert(sizeof(treeLink) - offsetof(treeLink, R) >= LAID_LINK * sizeof(int),
                 "numbers of a link are its last fields");
  laying l = {.plan = plan, .context = b};
  const size_t nbody = (size_t) plan->nbody;
  *out = (laidTree){.nlink = nlink, .nframe = plan->nframe, .ncut = plan->ncut};
  l.link_in_body = arena_alloc(arena, nbody, sizeof *l.link_in_body);
  treeLink *link = arena_alloc(arena, (size_t) nlink, sizeof *link);
  out->link = arena_alloc(arena, LAID_LINK * (size_t) nlink, sizeof *out->link);
  out->frame = arena_alloc(arena, LAID_FRAME * (size_t) plan->nframe, sizeof *out->frame);
  out->cut = arena_alloc(arena, LAID_CUT * (size_t) plan->ncut, sizeof *out->cut);
  place_reference(&l, arena);
  elementary chain[3];
  l.link_in_body[0] = pose_identity();
  for (int k = 1; k < l.plan->nbody; k++) {
    const int body = l.plan->order[k], j = l.plan->body[body].joint;
    lay_body(&l, body, chain, lay_chain(&l, j, chain), &link[l.plan->joint[j].link]);
  }

  // those up to the twins of bodies
  for (int j = 0; j < l.plan->njoint; j++) {
    const layJoint *joint = &l.plan->joint[j];
    if (joint->twin_side < 0) continue;
    const int n = lay_chain(&l, j, chain), parent = joint->body[1 - joint->twin_side];
    lay_links(&l, j, parent, chain, n, &link[joint->link]);
  }
  for (int c = 0; c < out->ncut; c++) place_cut(&l, c, link, out->cut + LAID_CUT * c);
  for (int i = 0; i < out->nframe; i++) {
    const layFrame *frame = &l.plan->frame[i];
    const modelPose own = lay_in_link(&l, frame->body, lay_pose(&l, frame->pose));
    memcpy(out->frame + LAID_FRAME * i, &own, LAID_FRAME * sizeof(int));
  }
  for (int i = 0; i < out->nlink; i++) {
    memcpy(out->link + LAID_LINK * i, &link[i].R, LAID_LINK * sizeof(int));
  }
}


static void put_laid(int *out, v3 a)
{
  memcpy(out, &a, 3 * sizeof *out);
}


void gen_lay_places(genBuild *b, const layPlan *plan, baseArena *arena, laidPlaces *out)
{
  laying l = {.plan = plan, .context = b};
  place_reference(&l, arena);
  out->end = arena_alloc(arena, 12 * (size_t) plan->njoint, sizeof *out->end);
  out->frame = arena_alloc(arena, 3 * (size_t) plan->nframe, sizeof *out->frame);
  out->com = arena_alloc(arena, 3 * (size_t) plan->nbody, sizeof *out->com);
  for (int e = 0; e < 2 * plan->njoint; e++) {
    const modelPose *end = &l.ends[e / 2].end[e % 2];
    put_laid(out->end + 6 * e, end->r);
    put_laid(out->end + 6 * e + 3, end->R.z);
  }
  for (int i = 0; i < plan->nframe; i++) {
    put_laid(out->frame + 3 * i, lay_pose(&l, plan->frame[i].pose).r);
  }
  for (int i = 1; i < plan->nbody; i++) {
    put_laid(out->com + 3 * i, lay_weight(&l, &plan->body[i]).com);
  }
}


static void put_laid_pose(modelPose pose, int out[9])
{
  put_laid(out, pose.r);
  put_laid(out + 3, pose.R.x);
  put_laid(out + 6, pose.R.z);
}


void gen_lay_solid(genBuild *b, const artSolidDef *solid, int out[9])
{
  put_laid_pose(lay_solid_pose(&(laying){.context = b}, solid), out);
}


void gen_lay_pose(genBuild *b, const artPose *pose, int out[9])
{
  put_laid_pose(lay_pose(&(laying){.context = b}, pose), out);
}


void gen_lay_compiled(genBuild *b, int nbody, const laidBody *body, int nrod, const laidRod *rod,
                      int nlink, int ncut, baseArena *arena, laidTree *out)
{
  layBody weight = {0};
  modelPose in_body;
  layPlan plan = {.nbody = 1, .body = &weight};
  laying l = {.plan = &plan, .context = b, .link_in_body = &in_body};
  *out = (laidTree){.nlink = nlink, .ncut = ncut};
  treeLink *link = arena_alloc(arena, (size_t) nlink, sizeof *link);
  out->link = arena_alloc(arena, LAID_LINK * (size_t) nlink, sizeof *out->link);
  out->cut = arena_alloc(arena, LAID_CUT * (size_t) ncut, sizeof *out->cut);
  for (int i = 1; i < nbody; i++) {
    const double *R = body[i].R;
    const m3 turn = {vector_of_numbers(R), vector_of_numbers(R + 3), vector_of_numbers(R + 6)};
    in_body = lay_neat(&l, pose_inverse((modelPose){turn, vector_of_numbers(body[i].r)}));
    weight = (layBody){.mass = body[i].mass, .com = body[i].com, .inertia = body[i].inertia};
    if (body[i].link > 0) lay_inertia(&l, 0, &link[body[i].link]);
  }
  for (int i = 0; i < nrod; i++) {
    const real mass = lay_number(&l, rod[i].mass);
    for (int side = 0; side < 2; side++) {
      const int own = rod[i].link[side];
      if (own > 0) lay_rod_share(&link[own], mass, vector_of_numbers(rod[i].r[side]));
    }
    out->cut[LAID_CUT * rod[i].cut + LAID_ROD] = laid_rod_mass(mass).node;
  }
  for (int i = 0; i < nlink; i++) {
    memcpy(out->link + LAID_LINK * i, &link[i].R, LAID_LINK * sizeof(int));
  }
}
