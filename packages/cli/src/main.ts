#!/usr/bin/env node
import process from "node:process";

import { version } from "../package.json" with { type: "json" };
import { runCli } from "./cli.ts";
import { EXITS } from "./exits.ts";
import { lookOf } from "./terminal.ts";

const tell = (message: string): void => void process.stderr.write(`leeway: ${message}\n`);

let isLost = false;
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // Whoever reads the output may have seen enough.
  if (code === "EPIPE" || isLost) return;
  isLost = true;
  tell(`the standard output can't be written (${code})`);
});
// There is nowhere left to tell it.
process.stderr.on("error", () => undefined);
process.on("exit", () => {
  if (isLost) process.exitCode = EXITS.error.code;
});

// To this machine plain http is let through: a proxy would get keys and plans in the clear, and has no way here.
const { NO_PROXY, no_proxy: direct = NO_PROXY } = process.env;
process.env["no_proxy"] = ["localhost", "127.0.0.1", "::1", direct].filter(Boolean).join();

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  version,
  look: lookOf(process.stdout, process.env),
  print: (result) => void process.stdout.write(result),
  tell,
  readInput: () => process.stdin,
});
