import { readFile } from "node:fs/promises";

import type { JsonObject } from "@leeway/shared/values/json";

import { expectOk, plain } from "../api/refusal.ts";
import { usage } from "../arguments.ts";
import { reasonOf } from "../reason.ts";
import { bytesOf, decodeText } from "../text.ts";
import { orgPath, withPage } from "./read.ts";
import type { RemoteCall, Shown } from "./remote.ts";

/** Creates an object of the organization. @throws {Failure} if the server refuses */
export async function send(
  { api, command }: RemoteCall,
  place: string,
  value: JsonObject,
): Promise<JsonObject> {
  const body = new TextEncoder().encode(JSON.stringify(value));
  const headers = { "content-type": "application/json" };
  const where = `${orgPath(api)}/${place}`;
  const answer = await api.ask({ method: "POST", path: where, headers, body: () => body });
  return expectOk(answer, command).body;
}

/** Returns the members of a body whose flags are set. */
export function given({ values }: RemoteCall, flags: Readonly<Record<string, string>>): JsonObject {
  const set = Object.entries(flags).flatMap(([name, flagName]) => {
    const value = values[flagName];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(set);
}

/** Returns what a command shows of an object: one line, and its page. */
export function shown(
  { api }: RemoteCall,
  made: JsonObject,
  { text: said, page, note }: { text: string; page: string; note?: string },
): Shown {
  const json = withPage(made, api, page);
  return { json, text: `${plain(said)}\n`, page: api.page(page), ...(note !== undefined && { note }) };
}

/** Reads a file, or standard input for `-`. @throws {Failure} `usage` if it can't be read */
export async function textFrom({ command, terminal }: RemoteCall, file: string): Promise<string> {
  if (file === "-") return decodeText(await bytesOf(terminal.readInput()));
  return readFile(file, "utf8").catch((cause: unknown) => {
    throw Object.assign(usage(command, `can't read ${file}: ${reasonOf(cause)}`), { cause });
  });
}
