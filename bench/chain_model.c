// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The chain of the benchmarks as a model of Articula.
#include "chain_model.h"

#include <stdio.h>
#include <string.h>


static void add_link(artBuilder *builder, const benchLink *link, int i)
{
  char body[16], before[16], joint[16];
  snprintf(body, sizeof body, "link%d", i);
  snprintf(before, sizeof before, "link%d", i - 1);
  snprintf(joint, sizeof joint, "joint%d", i);

  artBodyDef bd = art_default_body();
  bd.name = body;
  bd.mass = link->mass;
  memcpy(bd.com, link->com, sizeof bd.com);
  memcpy(bd.inertia, link->inertia, sizeof bd.inertia);
  art_add_body(builder, &bd);

  artJointDef jd = art_default_joint();
  jd.name = joint;
  jd.from = i == 0 ? "ground" : before;
  jd.to = body;
  jd.axis[2] = 0;
  jd.axis[link->axis] = 1;
  memcpy(jd.from_offset.position, link->offset, sizeof link->offset);
  art_add_joint(builder, &jd);
}


artModel *chain_model(const benchChain *chain, artError *error)
{
  artModel *model = NULL;
  artBuilder *builder = art_create_builder();
  if (!builder) return NULL;
  art_set_gravity(builder, chain->gravity);
  for (int i = 0; i < chain->count; i++) add_link(builder, &chain->links[i], i);
  art_compile_model(&model, builder, error);
  art_free_builder(builder);
  return model;
}
