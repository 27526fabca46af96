// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Files in memory, by their paths below the root: what the program reads and writes on a page.

export interface Node {
  readonly number: number;
  /** null: a folder. */
  bytes: Uint8Array | null;
  /** Bytes that count; there is room after them. */
  size: number;
}

/** "a/./b//c" as "a/b/c"; null when it leads above the root. */
export function plainPath(path: string): string | null {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") {
      if (parts.length === 0) return null;
      parts.pop();
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** The path of a model that somebody hands over: below the root, and no option of the program. */
export function modelPath(path: string): string {
  const plain = plainPath(path);
  return plain && /^[^-]/.test(plain) && !plain.startsWith("results/") ? plain : "model.yaml";
}

export class Files {
  private readonly nodes = new Map<string, Node>();
  private count = 0;

  constructor(files: Iterable<readonly [string, Uint8Array]> = []) {
    this.makeFolder("");
    for (const [path, bytes] of files) this.put(path, bytes);
  }

  find(path: string): Node | undefined {
    return this.nodes.get(path);
  }

  /** A file and the folders above it. */
  put(path: string, bytes: Uint8Array): Node {
    const parts = path.split("/");
    for (let i = 1; i < parts.length; i++) this.makeFolder(parts.slice(0, i).join("/"));
    return this.add(path, bytes);
  }

  add(path: string, bytes: Uint8Array | null): Node {
    const node = { number: ++this.count, bytes, size: bytes?.length ?? 0 };
    this.nodes.set(path, node);
    return node;
  }

  makeFolder(path: string): void {
    if (!this.nodes.has(path)) this.add(path, null);
  }

  hasFolderOf(path: string): boolean {
    const folder = this.nodes.get(path.split("/").slice(0, -1).join("/"));
    return folder !== undefined && folder.bytes === null;
  }

  remove(path: string): void {
    this.nodes.delete(path);
  }

  rename(from: string, to: string): void {
    const node = this.nodes.get(from);
    if (!node || from === to) return;
    this.nodes.delete(from);
    this.nodes.set(to, node);
  }

  read(path: string): Uint8Array | null {
    const node = this.nodes.get(path);
    return node?.bytes ? node.bytes.subarray(0, node.size) : null;
  }

  /** Files of a folder, by their names in it, and others that were not there before, by their paths. */
  written(folder: string, before: ReadonlySet<string>): [string, Uint8Array][] {
    const start = `${folder}/`;
    const paths = [...this.nodes].filter(([path, node]) => node.bytes !== null && (path.startsWith(start) || !before.has(path))).map(([path]) => path);
    return paths.map((path) => [path.startsWith(start) ? path.slice(start.length) : path, this.read(path)!.slice()]);
  }

  /** Names in a folder with their nodes. */
  list(folder: string): [string, Node][] {
    const start = folder === "" ? "" : `${folder}/`;
    return [...this.nodes].filter(([path]) => path !== "" && path.startsWith(start) && !path.slice(start.length).includes("/")).map(([path, node]) => [path.slice(start.length), node]);
  }
}

/** Room for so many bytes, doubled when it runs out. */
export function resize(node: Node, size: number): void {
  const old = node.bytes!;
  if (size > old.length) {
    node.bytes = new Uint8Array(Math.max(size, 2 * old.length, 1 << 12));
    node.bytes.set(old.subarray(0, node.size));
  } else if (size < node.size) old.fill(0, size, node.size);
  node.size = size;
}
