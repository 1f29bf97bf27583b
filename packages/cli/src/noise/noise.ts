import { NOISE_CLASSES } from "@leeway/shared/contracts/analyzer/analysis";
import { NOISE_STATUSES, PlanNoise } from "@leeway/shared/contracts/analyzer/noise";

import { answerAs } from "../api/answer-as.ts";
import { path } from "../api/client.ts";
import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { listAll } from "../api/list.ts";
import { openApi } from "../api/open-api.ts";
import { plain } from "../api/refusal.ts";
import { choice, flag, HELP, loadFlags, maybeOneOf, readArguments, type Syntax } from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";

const API_FLAGS = apiFlags(60);
const FLAGS = {
  "--class": flag("CLASS", maybeOneOf("only this class", NOISE_CLASSES)),
  "--status": flag("STATUS", maybeOneOf("only this status", NOISE_STATUSES)),
  "--format": flag("FORMAT", choice("table or json", ["table", "json"] as const, "table")),
};

export const NOISE: Syntax = {
  command: "noise",
  about: "Lists the kinds of noise in past plans, with the fingerprints for leeway fix.",
  flags: { ...FLAGS, ...API_FLAGS },
  switches: API_SWITCHES,
  exits: Object.values(EXITS),
};

/** Runs `leeway noise`. */
export async function noise(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(NOISE, args);
  if (given.isOn(HELP)) return terminal.print(help(NOISE));
  const { "--class": kind, "--status": status, "--format": format } = loadFlags(FLAGS, given, terminal.env);
  const api = await openApi(API_FLAGS, given, terminal);
  const rows: PlanNoise[] = [];
  const place = path`orgs/${api.orgId}/plan-noise`;
  for await (const row of listAll(api, place, "noise", { class: kind, status })) {
    rows.push(answerAs(PlanNoise, row));
  }
  terminal.print(format === "json" ? `${JSON.stringify(rows, null, 2)}\n` : table(rows));
}

const HEAD = ["FINGERPRINT", "STATUS", "PLANS", "CLASS", "TYPE", "PATH"];

function table(rows: readonly PlanNoise[]): string {
  const cells = rows.map((row) =>
    [
      row.fingerprint,
      row.status,
      String(row.occurrences),
      row.class,
      row.resource_type,
      row.path_pattern,
    ].map(plain),
  );
  const all = [HEAD, ...cells];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const lines = all.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return rows.length === 0 ? "no noise\n" : `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
