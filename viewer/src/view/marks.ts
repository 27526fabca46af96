// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Names of the performance marks by which one sees how long the page took to show something.

/** The script begins. */
export const SCRIPT = "articula: script";

/** Scenes inside the page are unpacked. */
export const SCENES_READ = "articula: scenes read";

/** The machine has been drawn for the first time. */
export const FIRST_PICTURE = "articula: first picture";
