// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The colours of the scene in light and dark, of bodies without one of their own, of runs and curves.

export interface SceneColours {
  background: string;
  ground: string;
  road: string;
  paint: string;
  gridMinor: string;
  gridMajor: string;
  edge: string;
  edgeOpacity: number;
  skyLight: string;
  groundLight: string;
  skyStrength: number;
  sunStrength: number;
  shadow: number;
  accent: string;
}

export const SCENE_COLOURS: Record<"light" | "dark", SceneColours> = {
  light: {
    background: "#eef1f4",
    ground: "#e6e9ed",
    road: "#bfc4ca",
    paint: "#f8f9fa",
    gridMinor: "#c3cad2",
    gridMajor: "#9aa5b1",
    edge: "#1b2530",
    edgeOpacity: 0.38,
    skyLight: "#ffffff",
    groundLight: "#b4bac2",
    skyStrength: 1.55,
    sunStrength: 2.1,
    shadow: 0.26,
    accent: "#e8590c",
  },
  dark: {
    background: "#14181d",
    ground: "#1a2027",
    road: "#2a3037",
    paint: "#8b96a3",
    gridMinor: "#2b343d",
    gridMajor: "#46525f",
    edge: "#05070a",
    edgeOpacity: 0.55,
    skyLight: "#dfe8f5",
    groundLight: "#333b45",
    skyStrength: 1.25,
    sunStrength: 2.0,
    shadow: 0.5,
    accent: "#ff922b",
  },
};

const BODY_COLOURS = ["#8aa4bd", "#c9a26b", "#8fb08c", "#b58a9b", "#9a94c4", "#7fb0b0", "#c48d76", "#a3a9b1"];

export const bodyColour = (body: number): string => BODY_COLOURS[body % BODY_COLOURS.length];

/** Curves and runs: told apart in both themes and by most kinds of colour vision. */
export const CURVE_COLOURS = ["#1c7ed6", "#e8590c", "#2f9e44", "#ae3ec9", "#c92a2a", "#0c8599", "#b08900", "#6741d9"];

// the golden angle: hues that follow one another are far apart, and none comes again
const NEXT_HUE = 137.508;
const SATURATION = 0.62;
const LIGHTNESS = [0.42, 0.56, 0.33];

/** The colour of a curve, each its own however many there are. */
export function curveColour(index: number): string {
  if (index < CURVE_COLOURS.length) return CURVE_COLOURS[index];
  const more = index - CURVE_COLOURS.length;
  return hexColour((20 + NEXT_HUE * more) % 360, SATURATION, LIGHTNESS[more % LIGHTNESS.length]);
}

/** Hue in degrees, saturation and lightness from 0 to 1, as #rrggbb. */
function hexColour(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number): string => {
    const k = (offset + hue / 30) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return Math.round(255 * value).toString(16).padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

export const VECTOR_COLOURS = { force: "#d6336c", reaction: "#1c7ed6", contact: "#2f9e44", torque: "#9c36b5" };

/** Of the torques among the reactions. */
export const REACTION_TORQUE_COLOUR = "#6741d9";
