// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The landing page of the site: model files that are dropped on it, or chosen, open in the playground, which is laid over the page.
import { chosenFiles, droppedFiles, noModel, type FilesMessage, type NamedFile } from "./open-files";

const note = document.getElementById("drop-note")!;
const chooser = document.getElementById("drop-files") as HTMLInputElement;

function open(files: NamedFile[]): void {
  note.textContent = noModel(files.map(([path]) => path));
  if (note.textContent) return note.scrollIntoView({ block: "nearest" });
  const frame = document.createElement("iframe");
  frame.className = "over";
  frame.title = "Playground";
  // once the playground is unpacked it asks for them
  const give = (event: MessageEvent<{ articula?: string } | null>): void => {
    if (event.source !== frame.contentWindow || event.data?.articula !== "wants files") return;
    removeEventListener("message", give);
    const message: FilesMessage = { articula: "files", files };
    frame.contentWindow!.postMessage(message, "*");
  };
  addEventListener("message", give);
  addEventListener("popstate", () => frame.remove(), { once: true });
  frame.src = "play.html#files";
  document.body.append(frame);
  history.pushState(null, "", "#playground");
}

// while files are dragged, frames let them through to the page
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dragging");
});
const end = (event: DragEvent): void => {
  if (event.type === "drop" || event.relatedTarget === null) document.body.classList.remove("dragging");
};
addEventListener("dragleave", end);
addEventListener("drop", (event) => {
  event.preventDefault();
  end(event);
  void droppedFiles(event.dataTransfer).then(open, (error: unknown) => (note.textContent = `The files cannot be read: ${String(error)}`));
});
// those that were dropped on the machine in its frame
addEventListener("message", ({ data }: MessageEvent<FilesMessage | null>) => data?.articula === "files" && open(data.files));
chooser.addEventListener("change", () => {
  open(chosenFiles(chooser.files ?? []));
  chooser.value = "";
});
