// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// <replicate> of MJCF, written out: copies of what stands in it, each in a frame of its own, with the number of the copy
// behind every name; what refers to such a name elsewhere is copied likewise.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "import/mjcf_copy.h"
#include "spatial/pose.h"

enum { MOST_COUNT = 100000 };

typedef struct copyJob {
  mjcfCopy copy;
  int count;
  const char *separator;
} copyJob;


// the separator and the number of the copy, with as many digits as their count has
static void set_number(copyJob *job, int copy)
{
  char count[16];
  const int digits = snprintf(count, sizeof count, "%d", job->count);
  job->copy.after = import_format(job->copy.r->w, "%s%0*d", job->separator, digits, copy);
}


// a frame with a copy of all that stands in the element
static xmlNode *copy_frame(copyJob *job, const xmlNode *replicate, int copy, modelPose pose)
{
  importWork *w = job->copy.r->w;
  xmlNode *frame = mjcf_new_node(w, "frame", replicate->parent, replicate->place);
  const double at[3] = {pose.r.x, pose.r.y, pose.r.z};
  double q[4];
  pose_quaternion(pose.R, q);
  import_set(w, frame, "pos", mjcf_spaced(w, 3, at));
  import_set(w, frame, "quat", mjcf_spaced(w, 4, q));
  set_number(job, copy);
  for (const xmlNode *n = replicate->first; n; n = n->next)
    mjcf_append(frame, mjcf_copy_node(&job->copy, n, frame));
  return frame;
}


// put a row of elements, from first to last, in the place that `link` points at; returns the link behind them
static xmlNode **put_in_place(xmlNode **link, xmlNode *first, xmlNode *last)
{
  last->next = (*link)->next;
  *link = first;
  return &last->next;
}


// what refers to copied names, in all sections behind the bodies
static void copy_references(copyJob *job)
{
  for (int s = 0; s < MJCF_SECTIONS; s++) {
    for (xmlNode *section = job->copy.r->root->first; section; section = section->next) {
      if (strcmp(section->name, mjcf_sections[s]) != 0) continue;
      for (xmlNode **link = &section->first; *link;) {
        xmlNode *node = *link, *first = NULL, **tail = &first, *last = NULL;
        int inside = 0, outside = 0;
        mjcf_count_references(&job->copy, node, &inside, &outside);
        if (inside == 0) {
          link = &node->next;
          continue;
        }
        mjcf_keep_name(&job->copy, node);
        for (int i = 0; i < job->count; i++, tail = &last->next) {
          set_number(job, i);
          last = *tail = mjcf_copy_node(&job->copy, node, section);
        }
        link = put_in_place(link, first, last);
      }
    }
  }
}


// copy k stands at T^k, with T the offset and turn from one to the next
static xmlNode **write_out(mjcfReader *r, xmlNode **link)
{
  importWork *w = r->w;
  xmlNode *node = *link, *first = NULL, **tail = &first, *last = NULL;
  copyJob job = {.copy = {.r = r, .before = ""}, .separator = xml_get(node, "sep")};
  double count = 0, offset[3] = {0}, angle[3] = {0};
  import_need(w, node, "count");
  import_get(w, node, "count", 1, &count);
  import_get(w, node, "offset", 3, offset);
  import_get(w, node, "euler", 3, angle);
  if (!(count >= 1) || count > MOST_COUNT || count != floor(count))
    import_fail(w, node->place, "'count' is %g, expected a whole number from 1 on", count);
  if (!job.separator) job.separator = "";
  job.count = (int) count;
  modelPose next = mjcf_euler(r, angle), pose = pose_identity();
  next.r = v3_make(offset[0], offset[1], offset[2]);
  for (const xmlNode *n = node->first; n; n = n->next) mjcf_keep_names(&job.copy, n);
  for (int i = 0; i < job.count; i++, tail = &last->next, pose = pose_compose(pose, next))
    last = *tail = copy_frame(&job, node, i, pose);
  link = put_in_place(link, first, last);
  copy_references(&job);
  return link;
}


// those within others first
void mjcf_replicate(mjcfReader *r, xmlNode *node)
{
  for (xmlNode **link = &node->first; *link;) {
    mjcf_replicate(r, *link);
    if (strcmp((*link)->name, "replicate") == 0)
      link = write_out(r, link);
    else
      link = &(*link)->next;
  }
}
