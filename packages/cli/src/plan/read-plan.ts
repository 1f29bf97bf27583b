import { readFile } from "node:fs/promises";

import type { JsonObject } from "@leeway/shared/values/json";

import { Failure } from "../failure.ts";
import { unpacked } from "../gzip.ts";
import { reasonOf } from "../reason.ts";
import type { Terminal } from "../terminal.ts";
import { bytesOf, decodeText } from "../text.ts";
import { parsePlan } from "./parse-plan.ts";

/**
 * Reads the plan from a file, or from standard input for `-`, gzipped or not. `advice` explains how to create a
 * missing file.
 * @throws {Failure} `plan_unreadable`
 */
export async function readPlan(
  file: string,
  { during, readInput }: Pick<Terminal, "during" | "readInput">,
  advice: string,
): Promise<JsonObject> {
  const name = file === "-" ? "standard input" : file;
  return during(`reading ${name}`, async () => {
    const bytes = file === "-" ? await bytesOf(readInput()) : await read(file, advice);
    return parsePlan(decodeText(unpack(bytes, name)), name);
  });
}

function unpack(bytes: Uint8Array, name: string): Uint8Array {
  try {
    return unpacked(bytes);
  } catch (cause) {
    throw new Failure("plan_unreadable", `${name} is corrupt or truncated gzip`, { cause });
  }
}

async function read(file: string, advice: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    const isMissing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const problem = `${file}: ${reasonOf(cause)}${isMissing ? `. ${advice}` : ""}`;
    throw new Failure("plan_unreadable", problem, { cause });
  }
}
