import { text } from "@leeway/shared/values/json";

import { readReplaceableJson, writePrivateJson } from "../local/files.ts";
import { upFile } from "./data-dir.ts";
import { logFile } from "./log-file.ts";
import type { Stack } from "./stack.ts";

/** Addresses and credentials of a running `up`, stored as `up.json` while it runs. */
export interface UpReport {
  base_url: string;
  org_id: string;
  /** The key of an admin. */
  api_key: string;
  member_key: string;
  operator_token: string;
  database_url: string;
  nats_url: string;
  pids: Record<string, number>;
}

export async function writeReport(dir: string, report: UpReport): Promise<void> {
  await writePrivateJson(upFile(dir), report);
}

/** Part of a report from which a sign-in link is created. */
export type Reachable = Pick<UpReport, "base_url" | "org_id" | "database_url">;

/**
 * Formats the report for terminals and logs, which others may see: the only secret in it is the sign-in link, a new
 * one each time.
 */
export async function inWords(
  dir: string,
  { base_url: url, org_id: org, database_url: database }: Reachable,
  { createSignInLink }: Pick<Stack, "createSignInLink">,
): Promise<string> {
  const token = await createSignInLink(database, org);
  return [
    "",
    `Leeway runs at ${url}`,
    `  API   ${url}/api/v2/orgs/${org} (keys are in ${upFile(dir)})`,
    `  logs  ${logFile(dir)}`,
    `Ctrl-C stops it; the data stays. Enter prints a new link. This one works once, and signs you in as the demo's owner:`,
    "",
    `${url}/#link=${token}`,
    "",
  ].join("\n");
}

/**
 * Returns the message for a folder in which another `up` runs, with a link of its own.
 * @throws {Error} if its report is damaged
 */
export async function whereItRuns(dir: string, stack: Pick<Stack, "createSignInLink">): Promise<string> {
  const report = await readReplaceableJson(upFile(dir));
  if (!report)
    throw new Error(
      `Leeway is up already, but ${upFile(dir)} is damaged: stop it with Ctrl-C there, and start it again`,
    );
  const value = (key: keyof UpReport): string => text(report, key) ?? "";
  const found = { base_url: value("base_url"), org_id: value("org_id"), database_url: value("database_url") };
  const words = await inWords(dir, found, stack);
  return `Leeway is up already: this start changes nothing.\n${words}`;
}
