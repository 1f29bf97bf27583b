import process from "node:process";

import { engines } from "../package.json" with { type: "json" };
import { EXITS } from "./exits.ts";

// Runs before imports that older versions don't support, so `main.ts` imports it first.
const [, oldest = ""] = /^>=(\d+\.\d+)$/.exec(engines.node) ?? [];
const current = process.versions.node;
const [major = 0, minor = 0] = current.split(".").map(Number);
const [minMajor = 0, minMinor = 0] = oldest.split(".").map(Number);
if (major < minMajor || (major === minMajor && minor < minMinor)) {
  process.stderr.write(`leeway needs Node.js ${oldest} or newer; this is ${current}\n`);
  process.exit(EXITS.usage.code);
}
