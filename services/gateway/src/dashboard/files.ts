import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

import { sha256 } from "@leeway/shared/values/digest";

/** File with all its encodings. */
export interface StaticFile {
  type: string;
  etag: string;
  plain: Uint8Array;
  /** Compressed versions by name of the encoding, smallest first. */
  encoded: readonly (readonly [encoding: string, bytes: Uint8Array])[];
}

/** Files by path. */
export type StaticFiles = ReadonlyMap<string, StaticFile>;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
/** Compressed versions that the build creates next to a file, with their extensions. */
const ENCODINGS = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Reads all files in `folder` into memory; empty if it doesn't exist. */
export function readStaticFiles(folder: string): StaticFiles {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.flatMap((name): [string, StaticFile][] => {
    const type = TYPES[extname(name)];
    return type === undefined ? [] : [[`/${name}`, readStaticFile(join(folder, name), type)]];
  });
  return new Map(files);
}

function readStaticFile(path: string, type: string): StaticFile {
  const plain = readFileSync(path);
  const found = ENCODINGS.filter(([, ending]) => existsSync(path + ending));
  return {
    type,
    etag: `W/"${sha256(plain).toString("base64url").slice(0, 22)}"`, // weak: all encodings share it
    plain,
    encoded: found.map(([encoding, ending]) => [encoding, readFileSync(path + ending)]),
  };
}
