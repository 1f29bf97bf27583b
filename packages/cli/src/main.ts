#!/usr/bin/env node
import process from "node:process";

import { version } from "../package.json" with { type: "json" };
import { runCli } from "./cli.ts";
import { lookOf } from "./terminal.ts";

// Whoever reads the output may have seen enough.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  version,
  look: lookOf(process.stdout, process.env),
  print: (result) => void process.stdout.write(result),
  tell: (message) => void process.stderr.write(`leeway: ${message}\n`),
  readInput: () => process.stdin,
});
