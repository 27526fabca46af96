// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A canvas as a video, by the encoders that the browser has.

// from what plays everywhere to what every browser writes
const FORMATS = ["video/mp4;codecs=avc1.640028", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

const BITS_A_SECOND = 12_000_000;

/** The ending of the files that this browser writes; null where it writes none. */
export function videoEnding(): "mp4" | "webm" | null {
  const format = usable();
  return format === undefined ? null : format.startsWith("video/mp4") ? "mp4" : "webm";
}

const usable = (): string | undefined => (typeof MediaRecorder === "undefined" ? undefined : FORMATS.find((format) => MediaRecorder.isTypeSupported(format)));

export class Recorder {
  private readonly recorder: MediaRecorder;
  private readonly pieces: Blob[] = [];

  /** Begin to record; what was recorded is handed over when it ends. */
  constructor(canvas: HTMLCanvasElement, onEnd: (video: Blob) => void) {
    const mimeType = usable() ?? "";
    this.recorder = new MediaRecorder(canvas.captureStream(), { mimeType, videoBitsPerSecond: BITS_A_SECOND });
    this.recorder.ondataavailable = ({ data }) => this.pieces.push(data);
    this.recorder.onstop = () => onEnd(new Blob(this.pieces, { type: mimeType.split(";")[0] }));
    this.recorder.start(500);
  }

  stop(): void {
    if (this.recorder.state !== "inactive") this.recorder.stop();
    for (const track of this.recorder.stream.getTracks()) track.stop();
  }
}
