import { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import { text } from "@leeway/shared/values/json";

import { answerAs } from "../api/answer-as.ts";
import { path, type Answer, type Api } from "../api/client.ts";
import { requestLine } from "../api/change-request.ts";
import { denialIn } from "../api/denial.ts";
import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { jobIn, resultOf } from "../api/job.ts";
import { openApi } from "../api/open-api.ts";
import { expectOk, plain } from "../api/refusal.ts";
import { findSource } from "../api/sources.ts";
import {
  flag,
  HELP,
  loadFlags,
  maybe,
  maybeOneOf,
  quoted,
  readArguments,
  usage,
  type Given,
  type Syntax,
} from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { Failure } from "../failure.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { counted } from "@leeway/shared/values/counted";
import { findSources, type Source } from "./sources.ts";
import { writePatches } from "./write-patches.ts";

const STRATEGIES = ["auto", "normalize", "ignore_changes", "upgrade_provider"] as const;
const FINGERPRINT = /^pn1_[a-z2-7]{26}$/;

const API_FLAGS = apiFlags(300);
const FLAGS = {
  "--strategy": flag("STRATEGY", maybeOneOf("kind of fix", STRATEGIES)),
  "--source": flag("NAME|ID", maybe("source to request the fix for, if several have the noise", String)),
};

export const FIX: Syntax = {
  command: "fix",
  operands: ["FINGERPRINT", "[DIR]"],
  about: [
    "Proposes a fix for a kind of noise and prints it as a diff. The *.tf and *.tofu files below DIR (default: .) that",
    "declare resources of the noise's type, providers or modules are sent to Leeway as they are.",
  ].join("\n"),
  flags: { ...FLAGS, ...API_FLAGS },
  switches: {
    "--apply": "write the files, unless one has changed since it was sent",
    "--open-change-request": "send no files; put the fix on the merge or pull request of the noise's source",
    ...API_SWITCHES,
  },
  exits: Object.values(EXITS),
};

/** Runs `leeway fix`. */
export async function fix(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(FIX, args);
  if (given.isOn(HELP)) return terminal.print(help(FIX));
  const { "--strategy": strategy, "--source": source } = loadFlags(FLAGS, given, terminal.env);
  const [fingerprint = "", directory = "."] = given.operands;
  requireUsable(given, fingerprint);
  const opens = given.isOn("--open-change-request");
  const api = await openApi(API_FLAGS, given, terminal);
  const sources = opens ? [] : await sourcesFor(api, fingerprint, directory, terminal);
  const code = opens ? await requestOf(api, source) : { source: sources };
  const request = { ...code, ...(strategy && { strategy }) };
  const job = await terminal.during("waiting for the fix", async () =>
    resultOf(api, jobOf(await ask(api, fingerprint, request))),
  );
  const result = answerAs(FixResult, job);
  show(result, terminal);
  if (!given.isOn("--apply")) return;
  for (const file of await writePatches(directory, sources, result.patches)) terminal.log(`wrote ${file}`);
}

/** @throws {Failure} `usage` */
function requireUsable({ command, operands, isOn }: Given, fingerprint: string): void {
  if (!FINGERPRINT.test(fingerprint)) {
    throw usage(command, `FINGERPRINT must be from leeway noise (pn1_…), not ${quoted(fingerprint)}`);
  }
  if (isOn("--open-change-request") && (operands.length > 1 || isOn("--apply")))
    throw usage(command, "--open-change-request reads the code at the code host: leave out DIR and --apply");
}

async function requestOf(api: Api, source: string | undefined): Promise<object> {
  const id = source === undefined ? undefined : (await findSource(api, source)).id;
  return { open_change_request: true, ...(id !== undefined && { source_id: id }) };
}

async function sourcesFor(
  api: Api,
  fingerprint: string,
  directory: string,
  { log }: Terminal,
): Promise<Source[]> {
  const place = path`orgs/${api.orgId}/plan-noise/${fingerprint}`;
  const { body } = expectOk(await api.ask({ method: "GET", path: place }), "the noise");
  const type = text(body, "resource_type") ?? "";
  const { sources, leftOut } = await findSources(directory, type);
  for (const file of leftOut)
    log(`${file} isn't sent: it is too large, isn't UTF-8, or exceeds the limit of files`);
  log(`sending ${counted(sources.length, "file")} for a fix of ${plain(type)}`);
  return sources;
}

function ask(api: Api, fingerprint: string, request: object): Promise<Answer> {
  const body = new TextEncoder().encode(JSON.stringify({ org_id: api.orgId, ...request }));
  const headers = { "content-type": "application/json" };
  return api.ask({ method: "POST", path: path`plan-noise/${fingerprint}/fix`, headers, body: () => body });
}

/** Returns the new job, or the one that already runs for the same noise. */
function jobOf(answer: Answer): string {
  const denial = denialIn(answer);
  if (denial !== undefined) throw new Failure("refused", denial);
  const isUnderWay = answer.status === 409 && text(answer.body, "job_id") !== undefined;
  return jobIn(isUnderWay ? answer : expectOk(answer, "the fix"));
}

/** Prints only the diff to standard output, so that `patch` and `git apply` can read it. */
function show(
  { explanation, risks, patches, hcl, change_request: request }: FixResult,
  { print, log }: Terminal,
): void {
  for (const line of explanation.split("\n").filter((each) => each.trim() !== "")) log(plain(line));
  for (const risk of risks) log(`risk: ${plain(risk)}`);
  if (request) log(plain(requestLine(request)));
  if (patches.length === 0) log("none of the sent files can be patched; change the block to:");
  for (const patch of patches) print(withNames(patch));
  if (patches.length === 0) print(hcl.endsWith("\n") ? hcl : `${hcl}\n`);
}

function withNames({ path, diff }: FixResult["patches"][number]): string {
  const named =
    diff.startsWith("--- ") || diff.startsWith("diff ") ? diff : `--- a/${path}\n+++ b/${path}\n${diff}`;
  return named.endsWith("\n") ? named : `${named}\n`;
}
