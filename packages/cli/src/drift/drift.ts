import { readFile } from "node:fs/promises";

import { driftOfEstate } from "@leeway/drift/estate/estate-drift";
import type { ActiveRule } from "@leeway/shared/contracts/inventory/rules";

import { FAIL_ON, PROFILES } from "../analyze/flags.ts";
import { choice, flag, HELP, loadFlags, maybe, readArguments, type Syntax } from "../arguments.ts";
import { EXITS, GATE_EXITS } from "../exits.ts";
import { Failure } from "../failure.ts";
import { help } from "../help.ts";
import { parseJson } from "../http.ts";
import { reasonOf } from "../reason.ts";
import { activeIn, readRulesFile } from "../rules/rules-file.ts";
import type { Terminal } from "../terminal.ts";
import { accountNamed, filesIn, readAccounts, readStates, requireOneInput } from "./inputs.ts";
import { withOwnRules } from "./own-rules.ts";
import { fingerprintsIn, reportOf, type DriftReport } from "./report.ts";
import { driftTable } from "./table.ts";

const FORMATS = ["table", "json"] as const;

const FLAGS = {
  "--state": flag(
    "FILE",
    maybe("state of Terraform, OpenTofu, Pulumi or CloudFormation; repeatable, also a pattern", String),
  ),
  "--listing": flag("FILE", maybe("list of an account's live resources; repeatable, also a pattern", String)),
  "--account": flag(
    "PROVIDER:EXTERNAL_ID",
    maybe("account of the listings, if they name none", accountNamed),
  ),
  "--fail-on": flag("LEVEL", choice("exit with 2 at this risk or above", FAIL_ON, "never")),
  "--risk-profile": flag("PROFILE", choice("rules' strictness", PROFILES, "standard")),
  "--new-since": flag(
    "REPORT",
    maybe("JSON of an earlier run: only new changes are shown and fail the gate", String),
  ),
  "--rules": flag("FILE", maybe("YAML file of rules that hide, raise or label changes", String)),
  "--format": flag("FORMAT", choice("format of the result", FORMATS, "table")),
};

export const DRIFT: Syntax = {
  command: "drift",
  about: [
    "Compares states with lists of live resources, without a server and without a network. Shows what is missing,",
    "changed outside code and undeclared. Files may be gzipped; - is standard input.",
  ].join("\n"),
  flags: FLAGS,
  switches: {},
  exits: Object.values(GATE_EXITS),
};

/**
 * Runs `leeway drift`.
 * @returns the exit code
 * @throws {Failure} that names the file that can't be read
 */
export async function drift(args: string[], terminal: Terminal): Promise<number> {
  const given = readArguments(DRIFT, args);
  if (given.isOn(HELP)) {
    terminal.print(help(DRIFT));
    return EXITS.ok.code;
  }
  const values = loadFlags(FLAGS, given, terminal.env);
  const { "--risk-profile": profile, "--fail-on": failOn, "--format": format } = values;
  const listings = await filesIn(DRIFT.command, given, "--listing");
  const states = await filesIn(DRIFT.command, given, "--state");
  requireOneInput(DRIFT.command, [...listings, ...states]);
  const known = await knownIn(values["--new-since"]);
  const rules = await rulesIn(values["--rules"]);
  const accounts = await readAccounts(
    listings,
    { command: DRIFT.command, account: values["--account"] },
    terminal,
  );
  const declared = await readStates(states, terminal);
  const found = await terminal.during("comparing", async () =>
    withOwnRules(await driftOfEstate(accounts, declared, profile), declared, rules),
  );
  const report = reportOf(found, { profile, failOn, known });
  terminal.print(
    format === "json" ? `${JSON.stringify(report, null, 2)}\n` : driftTable(report, terminal.look),
  );
  return exitCode(report);
}

async function rulesIn(file: string | undefined): Promise<ActiveRule[]> {
  return file === undefined ? [] : activeIn(await readRulesFile(file), new Date());
}

function exitCode({ gate }: DriftReport): number {
  return gate.passed ? GATE_EXITS.ok.code : GATE_EXITS.gate.code;
}

async function knownIn(file: string | undefined): Promise<Set<string>> {
  if (file === undefined) return new Set();
  const content = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new Failure("refused", `${file}: ${reasonOf(cause)}`, { cause });
  });
  const known = fingerprintsIn(parseJson(content));
  if (known) return known;
  throw new Failure("refused", `${file} isn't a report of leeway drift --format json`);
}
