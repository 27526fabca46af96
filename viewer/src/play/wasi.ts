// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// The calls of the system that the program makes (WASI, snapshot preview 1), answered by files in memory and a clock.
import { plainPath, resize, type Files, type Node } from "./files";

// errors by their numbers
const OK = 0;
const BADF = 8;
const EXIST = 20;
const INVAL = 28;
const ISDIR = 31;
const NOENT = 44;
const NOSYS = 52;
const NOTDIR = 54;

// kinds of files
const FOLDER = 3;
const FILE = 4;

const ROOT = 3;
const ALL_RIGHTS = 0xffffffffffffffffn;

/** The program has ended. */
export class Exit extends Error {
  constructor(readonly status: number) {
    super(`exit ${status}`);
  }
}

interface Open {
  path: string;
  node: Node;
  at: number;
  append: boolean;
}

export interface Host {
  args: string[];
  files: Files;
  /** Text for standard output (1) and standard error (2). */
  print(stream: number, text: string): void;
  /** Bytes that were written to a file. */
  wrote?: ((path: string, at: number, bytes: Uint8Array) => void) | undefined;
}

/** Imports of a module; `memory` is the module's once it is there. */
export class Wasi {
  memory!: WebAssembly.Memory;
  private readonly open = new Map<number, Open>();
  private next = ROOT + 1;
  private readonly decoders = [1, 2].map(() => new TextDecoder());

  constructor(private readonly host: Host) {
    this.open.set(ROOT, { path: "", node: host.files.find("")!, at: 0, append: false });
  }

  /** Calls that are not here are answered as not known. */
  get imports(): WebAssembly.ModuleImports {
    const own = this.calls();
    return new Proxy(own, { get: (_target, name: string) => own[name] ?? (() => NOSYS) });
  }

  private get view(): DataView {
    return new DataView(this.memory.buffer);
  }

  private bytes(at: number, size: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, size);
  }

  private text(at: number, size: number): string {
    return new TextDecoder().decode(this.bytes(at, size).slice());
  }

  // pieces of memory that a call reads into or writes from
  private pieces(at: number, count: number): Uint8Array[] {
    const { view } = this;
    return Array.from({ length: count }, (_, i) => this.bytes(view.getUint32(at + 8 * i, true), view.getUint32(at + 8 * i + 4, true)));
  }

  private writeStat(at: number, node: Node): number {
    this.bytes(at, 64).fill(0);
    const { view } = this;
    view.setBigUint64(at + 8, BigInt(node.number), true);
    view.setUint8(at + 16, node.bytes ? FILE : FOLDER);
    view.setBigUint64(at + 24, 1n, true);
    view.setBigUint64(at + 32, BigInt(node.size), true);
    return OK;
  }

  // words, one after the other, and where they begin
  private writeWords(words: string[], list: number, at: number): number {
    for (const [i, word] of words.entries()) {
      const bytes = new TextEncoder().encode(`${word}\0`);
      this.view.setUint32(list + 4 * i, at, true);
      this.bytes(at, bytes.length).set(bytes);
      at += bytes.length;
    }
    return OK;
  }

  private writeSizes(words: string[], count: number, size: number): number {
    this.view.setUint32(count, words.length, true);
    this.view.setUint32(size, words.reduce((sum, word) => sum + new TextEncoder().encode(word).length + 1, 0), true);
    return OK;
  }

  private read(file: Open, at: number, list: number, count: number): number {
    let done = 0;
    for (const piece of this.pieces(list, count)) {
      const part = file.node.bytes!.subarray(at + done, Math.min(file.node.size, at + done + piece.length));
      piece.set(part);
      done += part.length;
    }
    return done;
  }

  private write(fd: number, list: number, count: number, result: number): number {
    const file = this.open.get(fd);
    let done = 0;
    if (fd !== 1 && fd !== 2 && !file?.node.bytes) return BADF;
    for (const piece of this.pieces(list, count)) {
      if (file) this.writePiece(file, piece);
      else this.host.print(fd, this.decoders[fd - 1].decode(piece.slice(), { stream: true }));
      done += piece.length;
    }
    this.view.setUint32(result, done, true);
    return OK;
  }

  private writePiece(file: Open, piece: Uint8Array): void {
    const { node } = file;
    if (file.append) file.at = node.size;
    if (file.at + piece.length > node.size) resize(node, file.at + piece.length);
    node.bytes!.set(piece, file.at);
    this.host.wrote?.(file.path, file.at, piece);
    file.at += piece.length;
  }

  // oflags: 1 create, 2 folder, 4 exclusive, 8 truncate; flags: 1 append
  private openPath(path: string | null, oflags: number, flags: number, result: number): number {
    const { files } = this.host;
    if (path === null) return NOENT;
    let node = files.find(path);
    if (node && oflags & 4) return EXIST;
    if (node && oflags & 2 && node.bytes) return NOTDIR;
    if (!node && (!(oflags & 1) || !files.hasFolderOf(path))) return NOENT;
    if (node && !node.bytes && oflags & 9) return ISDIR;
    node ??= files.add(path, new Uint8Array(0));
    if (oflags & 8) resize(node, 0);
    this.open.set(this.next, { path, node, at: 0, append: (flags & 1) !== 0 });
    this.view.setUint32(result, this.next++, true);
    return OK;
  }

  private listFolder(folder: string, at: number, room: number, cookie: number, result: number): number {
    let used = 0;
    for (const [i, [name, node]] of this.host.files.list(folder).entries()) {
      if (i < cookie) continue;
      const text = new TextEncoder().encode(name);
      const entry = new Uint8Array(24 + text.length);
      const view = new DataView(entry.buffer);
      view.setBigUint64(0, BigInt(i + 1), true);
      view.setBigUint64(8, BigInt(node.number), true);
      view.setUint32(16, text.length, true);
      view.setUint8(20, node.bytes ? FILE : FOLDER);
      entry.set(text, 24);
      const part = entry.subarray(0, room - used);
      this.bytes(at + used, part.length).set(part);
      used += part.length;
      if (used === room) break;
    }
    this.view.setUint32(result, used, true);
    return OK;
  }

  private seek(file: Open, by: bigint, whence: number, result: number): number {
    const from = [0, file.at, file.node.size][whence];
    if (from === undefined || from + Number(by) < 0) return INVAL;
    file.at = from + Number(by);
    this.view.setBigUint64(result, BigInt(file.at), true);
    return OK;
  }

  private calls(): Record<string, (...values: never[]) => number> {
    const { host, open } = this;
    const { files } = host;
    const path = (at: number, size: number): string | null => plainPath(this.text(at, size));
    const withFile = (fd: number, act: (file: Open) => number): number => {
      const file = open.get(fd);
      return file?.node.bytes ? act(file) : file ? ISDIR : BADF;
    };
    return {
      args_get: (list: number, at: number) => this.writeWords(host.args, list, at),
      args_sizes_get: (count: number, size: number) => this.writeSizes(host.args, count, size),
      environ_get: () => OK,
      environ_sizes_get: (count: number, size: number) => this.writeSizes([], count, size),
      clock_time_get: (clock: number, _precision: bigint, result: number) => {
        const ms = clock === 0 ? Date.now() : performance.now();
        this.view.setBigUint64(result, BigInt(Math.round(ms * 1e6)), true);
        return OK;
      },
      fd_close: (fd: number) => (open.delete(fd) ? OK : BADF),
      fd_fdstat_get: (fd: number, at: number) => {
        if (fd > 2 && !open.has(fd)) return BADF;
        this.bytes(at, 24).fill(0);
        this.view.setUint8(at, open.get(fd)?.node.bytes === null ? FOLDER : FILE);
        this.view.setBigUint64(at + 8, ALL_RIGHTS, true);
        this.view.setBigUint64(at + 16, ALL_RIGHTS, true);
        return OK;
      },
      fd_fdstat_set_flags: (fd: number, flags: number) => withFile(fd, (file) => ((file.append = (flags & 1) !== 0), OK)),
      fd_filestat_get: (fd: number, at: number) => (open.has(fd) ? this.writeStat(at, open.get(fd)!.node) : BADF),
      fd_filestat_set_size: (fd: number, size: bigint) => withFile(fd, (file) => (resize(file.node, Number(size)), OK)),
      fd_pread: (fd: number, list: number, count: number, at: bigint, result: number) =>
        withFile(fd, (file) => (this.view.setUint32(result, this.read(file, Number(at), list, count), true), OK)),
      fd_prestat_get: (fd: number, at: number) => {
        if (fd !== ROOT) return BADF;
        this.view.setUint32(at, 0, true);
        this.view.setUint32(at + 4, 1, true);
        return OK;
      },
      fd_prestat_dir_name: (_fd: number, at: number) => (this.bytes(at, 1).set([0x2f]), OK),
      fd_read: (fd: number, list: number, count: number, result: number) => {
        if (fd === 0) return this.view.setUint32(result, 0, true), OK;
        return withFile(fd, (file) => {
          const done = this.read(file, file.at, list, count);
          file.at += done;
          this.view.setUint32(result, done, true);
          return OK;
        });
      },
      fd_readdir: (fd: number, at: number, room: number, cookie: bigint, result: number) =>
        open.has(fd) ? this.listFolder(open.get(fd)!.path, at, room, Number(cookie), result) : BADF,
      fd_renumber: (from: number, to: number) => {
        const file = open.get(from);
        if (!file) return BADF;
        open.set(to, file);
        open.delete(from);
        return OK;
      },
      fd_seek: (fd: number, by: bigint, whence: number, result: number) => withFile(fd, (file) => this.seek(file, by, whence, result)),
      fd_sync: () => OK,
      fd_write: (fd: number, list: number, count: number, result: number) => this.write(fd, list, count, result),
      path_create_directory: (_fd: number, at: number, size: number) => {
        const name = path(at, size);
        if (name === null || !files.hasFolderOf(name)) return NOENT;
        if (files.find(name)) return EXIST;
        files.makeFolder(name);
        return OK;
      },
      path_filestat_get: (_fd: number, _flags: number, at: number, size: number, result: number) => {
        const name = path(at, size);
        const node = name === null ? undefined : files.find(name);
        return node ? this.writeStat(result, node) : NOENT;
      },
      path_open: (_fd: number, _follow: number, at: number, size: number, oflags: number, _rights: bigint, _inherited: bigint, flags: number, result: number) =>
        this.openPath(path(at, size), oflags, flags, result),
      path_rename: (_fd: number, at: number, size: number, _to: number, toAt: number, toSize: number) => {
        const [from, to] = [path(at, size), path(toAt, toSize)];
        if (from === null || to === null || !files.find(from)) return NOENT;
        files.rename(from, to);
        return OK;
      },
      path_unlink_file: (_fd: number, at: number, size: number) => {
        const name = path(at, size);
        if (name === null || !files.find(name)) return NOENT;
        files.remove(name);
        return OK;
      },
      proc_exit: (status: number) => {
        throw new Exit(status);
      },
    } as Record<string, (...values: never[]) => number>;
  }
}
