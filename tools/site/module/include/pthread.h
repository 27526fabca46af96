// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Threads where there are none: every attempt to start one fails, and locks have nobody to wait for.
#ifndef MODULE_PTHREAD_H
#define MODULE_PTHREAD_H

#include <errno.h>
#include <signal.h>
#include <sys/types.h>

#define PTHREAD_MUTEX_INITIALIZER                                                                  \
  {                                                                                                \
    0                                                                                              \
  }
#define PTHREAD_ONCE_INIT                                  0
#define pthread_create(thread, attributes, work, argument) ((void) (work), EAGAIN)
#define pthread_join(thread, result)                       0
#define pthread_detach(thread)                             0
#define pthread_mutex_init(mutex, attributes)              ((void) (mutex), 0)
#define pthread_mutex_destroy(mutex)                       ((void) (mutex), 0)
#define pthread_mutex_lock(mutex)                          ((void) (mutex), 0)
#define pthread_mutex_unlock(mutex)                        ((void) (mutex), 0)


static inline int pthread_once(pthread_once_t *once, void (*work)(void))
{
  if (*once == 0) work();
  *once = 1;
  return 0;
}

#endif
