// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Compression by zlib, checksums, and base64.
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
  if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
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


artStatus inflate_bytes(const void *packed, size_t n, unsigned char **bytes, size_t size,
                        artError *error)
{
  z_stream z = {0};
  *bytes = n > 0xffffffffu || size > 0xffffffffu ? NULL : mem_alloc(size + 1, 1);
  if (!*bytes || inflateInit2(&z, -15) != Z_OK) return base_no_memory(error);
  z.next_in = (Bytef *) packed;
  z.avail_in = (uInt) n;
  z.next_out = *bytes;
  z.avail_out = (uInt) size;
  const int end = inflate(&z, Z_FINISH);
  inflateEnd(&z);
  if (end == Z_STREAM_END && z.avail_out == 0) return ART_OK;
  return base_fail(error, ART_BAD_INPUT, base_nowhere(), "the packed bytes are damaged");
}

#else

static artStatus no_zlib(artError *error)
{
  return base_fail(error, ART_IO, base_nowhere(),
                   "this articula was built without zlib; install zlib1g-dev and configure anew");
}


artStatus deflate_bytes(const void *bytes, size_t n, unsigned char **packed, size_t *size,
                        artError *error)
{
  (void) bytes, (void) n;
  *packed = NULL;
  *size = 0;
  return no_zlib(error);
}


artStatus inflate_bytes(const void *packed, size_t n, unsigned char **bytes, size_t size,
                        artError *error)
{
  (void) packed, (void) n, (void) size;
  *bytes = NULL;
  return no_zlib(error);
}

#endif


// CRC-32 with the polynomial 0xedb88320, lowest bit first
uint32_t deflate_sum(const void *bytes, size_t n)
{
  uint32_t sum = 0xffffffffu;
  for (const unsigned char *byte = bytes; n > 0; n--, byte++) {
    sum ^= *byte;
    for (int bit = 0; bit < 8; bit++) sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
  }
  return ~sum;
}


void base64_write(FILE *stream, const unsigned char *bytes, size_t n)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < n; i += 3) {
    const unsigned a = bytes[i], b = i + 1 < n ? bytes[i + 1] : 0, c = i + 2 < n ? bytes[i + 2] : 0;
    const unsigned all = a << 16 | b << 8 | c;
    const char text[4] = {digits[all >> 18], digits[all >> 12 & 63],
                          i + 1 < n ? digits[all >> 6 & 63] : '=',
                          i + 2 < n ? digits[all & 63] : '='};
    fwrite(text, 1, sizeof text, stream);
  }
}
