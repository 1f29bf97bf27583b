import { readFile } from "node:fs/promises";

import type { JsonObject } from "@leeway/shared/json";

import { codeOf, Failure } from "../failure.ts";
import { unpacked } from "../gzip.ts";
import type { Terminal } from "../terminal.ts";
import { bytesOf, decodeText } from "../text.ts";
import { parsePlan } from "./parse-plan.ts";

/**
 * The plan in a file, or in the standard input when it is called `-`; packed as gzip or not. `advice` says how a file
 * that isn't there is made.
 * @throws {Failure} `plan_unreadable`
 */
export async function readPlan(
  file: string,
  terminal: Pick<Terminal, "readInput">,
  advice: string,
): Promise<JsonObject> {
  const bytes = file === "-" ? await bytesOf(terminal.readInput()) : await read(file, advice);
  return parsePlan(decodeText(unpack(bytes)));
}

function unpack(bytes: Uint8Array): Uint8Array {
  try {
    return unpacked(bytes);
  } catch (cause) {
    const problem = "what was given as the plan is gzip that is cut off or broken";
    throw new Failure("plan_unreadable", problem, { cause });
  }
}

async function read(file: string, advice: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const problem = `the plan can't be read from ${file}${codeOf(error)}: ${advice}`;
    throw new Failure("plan_unreadable", problem, { cause: error });
  }
}
