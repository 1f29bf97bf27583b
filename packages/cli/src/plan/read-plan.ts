import { readFile } from "node:fs/promises";

import type { JsonObject } from "@leeway/shared/json";

import { Failure } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { bytesOf, decodeText } from "../text.ts";
import { parsePlan } from "./parse-plan.ts";

/**
 * The plan in a file, or in the standard input when it is called `-`. `advice` says how a file that isn't there is made.
 * @throws {Failure} `plan_unreadable`
 */
export async function readPlan(
  file: string,
  terminal: Pick<Terminal, "readInput">,
  advice: string,
): Promise<JsonObject> {
  return parsePlan(decodeText(file === "-" ? await bytesOf(terminal.readInput()) : await read(file, advice)));
}

async function read(file: string, advice: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Failure("plan_unreadable", `the plan can't be read from ${file}: ${advice}`, { cause: error });
  }
}
