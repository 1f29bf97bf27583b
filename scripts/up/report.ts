import { text } from "@leeway/shared/json";

import { readReplaceableJson, writePrivateJson } from "../local/files.ts";
import { upFile } from "./data-dir.ts";

/** How to reach what runs; kept as `up.json` for as long as it does. */
export interface UpReport {
  base_url: string;
  org_id: string;
  api_key: string;
  operator_token: string;
  database_url: string;
  nats_url: string;
  pids: Record<string, number>;
}

export async function writeReport(dir: string, report: UpReport): Promise<void> {
  await writePrivateJson(upFile(dir), report);
}

/** The same in words. */
export function inWords(dir: string, report: Omit<UpReport, "pids">): string {
  return [
    "",
    `Leeway runs at ${report.base_url}`,
    `  dashboard       ${report.base_url}/orgs/${report.org_id}/posture#key=${report.api_key}`,
    `  organization    ${report.org_id}`,
    `  API key         ${report.api_key}`,
    `  operator token  ${report.operator_token}`,
    `  PostgreSQL      ${report.database_url}`,
    `  NATS            ${report.nats_url}`,
    `Try: curl -H "Authorization: Bearer ${report.api_key}" ${report.base_url}/api/v2/orgs/${report.org_id}/posture`,
    `All of this is in ${upFile(dir)}. Ctrl-C stops it; the data stays.`,
    "",
  ].join("\n");
}

/** What to say when another `up` has `dir`. @throws {Error} when its report is damaged */
export async function whereItRuns(dir: string): Promise<string> {
  const report = await readReplaceableJson(upFile(dir));
  if (!report)
    throw new Error(
      `Leeway is up already, but ${upFile(dir)} is damaged: stop it with Ctrl-C there, and start it again`,
    );
  const value = (key: keyof UpReport): string => text(report, key) ?? "";
  const words = inWords(dir, {
    base_url: value("base_url"),
    org_id: value("org_id"),
    api_key: value("api_key"),
    operator_token: value("operator_token"),
    database_url: value("database_url"),
    nats_url: value("nats_url"),
  });
  return `Leeway is up already: this start changes nothing.\n${words}`;
}
