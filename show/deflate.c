// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Bytes made small by zlib.
#include "show/deflate.h"

#include "base/error.h"
#include "base/memory.h"

#ifdef ART_HAVE_ZLIB
#include <zlib.h>


artStatus deflate_bytes(const void *bytes, size_t n, unsigned char **packed, size_t *size,
                        artError *error)
{
  z_stream z = {0};
  *packed = NULL;
  if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
    return base_no_memory(error);
  }
  const size_t room = deflateBound(&z, n);
  *packed = mem_alloc(room, 1);
  if (!*packed || n > 0xffffffffu || room > 0xffffffffu) {
    deflateEnd(&z);
    mem_free(*packed);
    *packed = NULL;
    return base_no_memory(error);
  }
  z.next_in = (Bytef *) bytes;
  z.avail_in = (uInt) n;
  z.next_out = *packed;
  z.avail_out = (uInt) room;
  const int end = deflate(&z, Z_FINISH);
  *size = room - z.avail_out;
  deflateEnd(&z);
  return end == Z_STREAM_END ? ART_OK : base_no_memory(error);
}

#else

artStatus deflate_bytes(const void *bytes, size_t n, unsigned char **packed, size_t *size,
                        artError *error)
{
  (void) bytes, (void) n;
  *packed = NULL;
  *size = 0;
  return base_fail(error, ART_IO, base_nowhere(),
                   "this articula was built without zlib; install zlib1g-dev and configure anew");
}

#endif
