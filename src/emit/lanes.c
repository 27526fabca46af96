// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// C over lanes, by the vector types of gcc and clang.
#include "emit/lanes.h"

#include "emit/options.h"
#include "emit/template.h"

int emit_is_lanes(int lanes)
{
  return lanes == 2 || lanes == 4 || lanes == 8 || lanes == EMIT_LANES_OF_TARGET;
}


void lanes_declare(FILE *out, const char *name, int lanes)
{
  fprintf(out,
          "// Instances that advance together, one in each lane: 2, 4 or 8.\n#ifndef %s_LANES\n",
          name);
  if (lanes == EMIT_LANES_OF_TARGET) {
    fprintf(out,
            "#if defined __AVX512F__\n#define %s_LANES 8\n#elif defined __AVX__\n"
            "#define %s_LANES 4\n#else\n#define %s_LANES 2\n#endif\n",
            name, name, name);
  } else {
    fprintf(out, "#define %s_LANES %d\n", name, lanes);
  }
  fprintf(out,
          "#endif\n\n// A number of each of them; x[k] is that of lane k. Those in memory need no "
          "alignment, but are read faster\n// where they have that of their size.\n"
          "typedef double %s_lanes __attribute__((vector_size(8 * %s_LANES), aligned(8)));\n\n",
          name, name);
}


void lanes_include(FILE *out)
{
  fputs("#ifdef __aarch64__\n#include <arm_neon.h>\n#elif defined __SSE2__\n"
        "#include <immintrin.h>\n#endif\n\n"
        "// vectors wider than those of the processor go through memory, within this file alone\n"
        "#pragma GCC diagnostic ignored \"-Wpsabi\"\n\n",
        out);
}


void lanes_define(FILE *out, const char *name)
{
  fprintf(out,
          "#define LANES %s_LANES\n"
          "typedef double lanes __attribute__((vector_size(8 * LANES)));\n\n",
          name);
  emit_lines(out, lanes_math_text);
  fputs("\n\n", out);
}
