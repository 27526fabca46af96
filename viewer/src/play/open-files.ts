// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files that a reader opens or drops onto the page: a model file, or one of another program with what it refers to.

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
  // the loops of a URDF file stand in a file of YAML beside it
  const own = foreign && /\.urdf$/i.test(foreign) ? undefined : first(MODEL);
  return { model: own ?? foreign ?? first(MODEL) ?? "", isForeign: own === undefined && foreign !== undefined };
}

export async function readOpened(list: Iterable<File>): Promise<OpenedFiles> {
  const files = await Promise.all(
    [...list].map(async (file): Promise<[string, Uint8Array]> => [(file.webkitRelativePath || file.name).split("/").map(safeName).join("/"), new Uint8Array(await file.arrayBuffer())]),
  );
  return { files, ...chooseModel(files.map(([path]) => path)) };
}
