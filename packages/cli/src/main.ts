#!/usr/bin/env node
// oxlint-disable-next-line import/no-unassigned-import -- it must run before the other imports
import "./node-version.ts";
// oxlint-disable-next-line import/no-unassigned-import -- the same
import "./polyfills.ts";

import process from "node:process";

import { version } from "../package.json" with { type: "json" };
import { runCli } from "./cli.ts";
import { EXITS } from "./exits.ts";
import { reasonOf } from "./reason.ts";
import { lookOf, messagesOn, type Terminal } from "./terminal.ts";

const messages = messagesOn(process.stderr, process.env);

let isLost = false;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader may stop early, as `head` does.
  if (error.code === "EPIPE" || isLost) return;
  isLost = true;
  messages.log(`can't write to standard output: ${reasonOf(error)}`);
});
// Without standard error there is nowhere to report it.
process.stderr.on("error", () => undefined);
process.on("exit", () => {
  if (isLost) process.exitCode = EXITS.failure.code;
});

// Plain http to this machine must not go through a proxy, because keys and plans would leave it unencrypted.
const { NO_PROXY, no_proxy: direct = NO_PROXY } = process.env;
process.env["no_proxy"] = ["localhost", "127.0.0.1", "::1", direct].filter(Boolean).join();

const terminal: Terminal = {
  env: process.env,
  version,
  look: lookOf(process.stdout, process.env),
  print: (result) => void process.stdout.write(result),
  ...messages,
  readInput: () => process.stdin,
};
// The build is CommonJS, which has no top-level await, but runs on every Node.js under any file name.
async function main(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2), terminal);
}
void main();
