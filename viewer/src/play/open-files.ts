// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files that a reader opens or drops onto a page: a model file, or one of another program with what it refers to.

/** A file and its path in what was chosen or dropped. */
export type NamedFile = [path: string, file: File];

/** What one page hands to the playground. */
export interface FilesMessage {
  articula: "files";
  files: NamedFile[];
}

/** Files by their paths, and the one that is the model. */
export interface OpenedFiles {
  files: [string, Uint8Array][];
  /** The model's path, or "" where none is among them. */
  model: string;
  /** Whether it is a file of another program, which must be imported first. */
  isForeign: boolean;
}

const MODEL = /\.ya?ml$/i;
const FOREIGN = /\.(urdf|xml|mjcf|sdf|world|mbs|adm)$/i;

/** Take a name as a path below the root. */
const safeName = (name: string): string => name.replace(/^[-.\s]+/, "").replaceAll(/[\\:*?"<>|]/g, "_") || "file";

/** A model of ours before one of another program, and what lies further up before what lies deeper. */
export function chooseModel(paths: string[]): { model: string; isForeign: boolean } {
  const depth = (path: string): number => path.split("/").length;
  const first = (ending: RegExp): string | undefined => paths.filter((path) => ending.test(path)).sort((a, b) => depth(a) - depth(b))[0];
  const foreign = first(FOREIGN);
  // a YAML file next to a URDF file contains its loops
  const own = foreign && /\.urdf$/i.test(foreign) ? undefined : first(MODEL);
  return { model: own ?? foreign ?? first(MODEL) ?? "", isForeign: own === undefined && foreign !== undefined };
}

/** Why none of these files can be opened, or "". */
export function noModel(paths: string[]): string {
  if (chooseModel(paths).model) return "";
  const given = paths.length === 0 ? "Nothing was dropped that is a file" : paths.length === 1 ? `${paths[0]} is not a model` : `None of these ${paths.length} files is a model`;
  return `${given}. The playground opens .yaml, .urdf, .xml or .mjcf (MJCF), .sdf, .world, .mbs (Robotran) and .adm (ADAMS); drop the folder that also has the meshes.`;
}

export async function readOpened(list: NamedFile[]): Promise<OpenedFiles> {
  const files = await Promise.all(
    list.map(async ([path, file]): Promise<[string, Uint8Array]> => [path.split("/").map(safeName).join("/"), new Uint8Array(await file.arrayBuffer())]),
  );
  return { files, ...chooseModel(files.map(([path]) => path)) };
}

export const chosenFiles = (list: Iterable<File>): NamedFile[] => [...list].map((file) => [file.webkitRelativePath || file.name, file]);

/** Files that were dropped, and those of dropped folders. */
export async function droppedFiles(data: DataTransfer | null): Promise<NamedFile[]> {
  // items are there only until the event has passed
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === "file").map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  return (await Promise.all(items.map(({ entry, file }) => (entry ? filesOf(entry) : chosenFiles(file ? [file] : []))))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<NamedFile[]> {
  if (entry.isFile) return [[entry.fullPath.replace(/^\//, ""), await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inside: FileSystemEntry[] = [];
  // a folder is read in pieces, an empty one after the last
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.map(filesOf))).flat();
}
