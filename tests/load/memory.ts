/**
 * Prints the memory of a running `bun run up` by program, from `smaps_rollup`: each process counts its
 * part of a shared page. Linux only, as the user who started it or as root. Goal: at most 450 MB in total, two minutes after the start.
 * `bun tests/load/memory.ts [data folder]`
 */
import { readFileSync } from "node:fs";

import { isObject, member } from "@leeway/shared/values/json";

import { descendantsOf } from "./descendants.ts";

const report: unknown = await Bun.file(`${Bun.argv[2] ?? ".leeway"}/up.json`).json();
const pids = Object.entries((isObject(report) && member(report, "pids")) || {});
const known = new Set(pids.map(([, pid]) => Number(pid)));
let total = 0;
for (const [name, pid] of pids) {
  const ids = descendantsOf(Number(pid), known);
  const megabytes = ids.reduce((sum, id) => sum + megabytesOf(id), 0);
  total += megabytes;
  console.log(`${name}: ${megabytes.toFixed(0)} MB in ${ids.length} processes`);
}
console.log(`total: ${total.toFixed(0)} MB`);

/** Returns the proportional share of memory; 0 if the process has ended. */
function megabytesOf(id: number): number {
  try {
    const text = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
