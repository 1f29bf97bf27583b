import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/**
 * Returns the parser's WebAssembly files, compressed and in base64. Called as a macro to embed them, because the
 * command line ships as one file.
 */
export function packedWasm(): { runtime: string; grammar: string } {
  return {
    runtime: pack(import.meta.resolve("web-tree-sitter/web-tree-sitter.wasm")),
    grammar: pack(import.meta.resolve("@tree-sitter-grammars/tree-sitter-hcl/tree-sitter-hcl.wasm")),
  };
}

function pack(url: string): string {
  return gzipSync(readFileSync(fileURLToPath(url))).toString("base64");
}
