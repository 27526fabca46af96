// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Small drawings for buttons, on a grid of 16, in the colour of the text.

const PATHS = {
  play: '<path d="M4.5 2.8v10.4l8.5-5.2z" fill="currentColor" stroke="none"/>',
  pause: '<path d="M4 3h3v10H4zM9 3h3v10H9z" fill="currentColor" stroke="none"/>',
  back: '<path d="M11.5 3.5v9L5 8z" fill="currentColor" stroke="none"/><path d="M4 3.5v9"/>',
  forward: '<path d="M4.5 3.5v9L11 8z" fill="currentColor" stroke="none"/><path d="M12 3.5v9"/>',
  first: '<path d="M13 3.5v9L7.5 8zM7.5 3.5v9L2 8z" fill="currentColor" stroke="none"/>',
  last: '<path d="M3 3.5v9L8.5 8zM8.5 3.5v9L14 8z" fill="currentColor" stroke="none"/>',
  loop: '<path d="M3 7.5V6.5a2.5 2.5 0 0 1 2.5-2.5H13m-2.2-2.2L13 4l-2.2 2.2M13 8.5v1a2.5 2.5 0 0 1-2.5 2.5H3m2.2 2.2L3 12l2.2-2.2"/>',
  reset: '<path d="M3 3v3.5h3.5M3.3 6.5A5 5 0 1 1 3 9"/>',
  body: '<path d="M8 1.8 13.5 4.8v6.4L8 14.2 2.5 11.2V4.8zM2.5 4.8 8 8m0 0 5.5-3.2M8 8v6.2"/>',
  joint: '<circle cx="8" cy="8" r="2.2"/><path d="M1.5 12.5 6.2 9.3M9.8 6.7l4.7-3.2"/>',
  force: '<path d="M1.5 8h2l1-3 2 6 2-6 2 6 1-3h3"/>',
  loops: '<circle cx="8" cy="8" r="5.5"/><path d="m11 2.5 1.5 2.6-3 .2"/>',
  search: '<circle cx="7" cy="7" r="4.2"/><path d="m10.2 10.2 4 4"/>',
  image: '<rect x="2" y="3" width="12" height="10" rx="1.5"/><path d="m2.5 11.5 3.5-4 3 3 2-2 2.5 2.5"/><circle cx="10.7" cy="6" r=".9"/>',
  table: '<rect x="2" y="3" width="12" height="10" rx="1.5"/><path d="M2 6.5h12M2 9.8h12M6.5 3v10"/>',
  link: '<path d="M6.5 9.5 9.5 6.5M7 4.5l1.3-1.3a3 3 0 0 1 4.3 4.3L11.3 8.8M9 11.5l-1.3 1.3a3 3 0 0 1-4.3-4.3l1.3-1.3"/>',
  sun: '<circle cx="8" cy="8" r="2.8"/><path d="M8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1"/>',
  moon: '<path d="M13 9.6A5.5 5.5 0 0 1 6.4 3a5.5 5.5 0 1 0 6.6 6.6z"/>',
  help: '<circle cx="8" cy="8" r="6"/><path d="M6.3 6.3a1.8 1.8 0 1 1 2.5 1.7c-.5.2-.8.6-.8 1.1v.3M8 11.3v.1"/>',
  plus: '<path d="M8 3v10M3 8h10"/>',
  close: '<path d="m4 4 8 8m0-8-8 8"/>',
  delta: '<path d="M8 3 13.5 13h-11z"/>',
  fit: '<path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"/>',
  target: '<circle cx="8" cy="8" r="4.5"/><path d="M8 1.5v4M8 10.5v4M1.5 8h4M10.5 8h4"/>',
  trail: '<path d="M2 12c3 0 3-8 6-8s3 5 6 5"/><circle cx="14" cy="9" r="1" fill="currentColor"/>',
  sides: '<rect x="2" y="3" width="12" height="10" rx="1.5"/><path d="M8 3v10"/>',
  eye: '<path d="M1.5 8C4 3.8 12 3.8 14.5 8 12 12.2 4 12.2 1.5 8z"/><circle cx="8" cy="8" r="1.9"/>',
  glass: '<rect x="2.5" y="5.5" width="8" height="8" rx="1"/><path d="M5.5 5.5v-3h8v8h-3" stroke-dasharray="1.6 1.6"/>',
  alone: '<circle cx="8" cy="8" r="2.4" fill="currentColor"/><circle cx="8" cy="8" r="6" stroke-dasharray="2 2"/>',
  video: '<rect x="1.5" y="4" width="9" height="8" rx="1.5"/><path d="m10.5 7 4-2.2v6.4l-4-2.2"/>',
  layers: '<path d="m8 2.5 6 3-6 3-6-3zM2 8.8l6 3 6-3"/>',
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGElement {
  const holder = document.createElement("template");
  const attributes = 'class="icon" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.3" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"';
  holder.innerHTML = `<svg ${attributes}>${PATHS[name]}</svg>`;
  return holder.content.firstElementChild as SVGElement;
}
