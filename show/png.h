// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Plots as PNG: the SVG, rendered by librsvg where that is installed.
#ifndef SHOW_PNG_H
#define SHOW_PNG_H

#include "show/plot.h"

// Twice the natural size. ART_IO with a remedy where librsvg is absent.
artStatus png_write(const ioPlot *plot, const char *path, artError *error);

#endif
