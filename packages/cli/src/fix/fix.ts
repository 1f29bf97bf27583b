import { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import { text } from "@leeway/shared/json";

import { answerAs } from "../api/answer-as.ts";
import { path, type Answer, type Api } from "../api/client.ts";
import { denialIn } from "../api/denial.ts";
import { apiFlags, API_SWITCHES } from "../api/flags.ts";
import { jobIn, resultOf } from "../api/job.ts";
import { openApi } from "../api/open-api.ts";
import { expectOk, plain } from "../api/refusal.ts";
import { flag, HELP, loadFlags, maybeOneOf, readArguments, usage, type Syntax } from "../arguments.ts";
import { EXITS } from "../exits.ts";
import { Failure } from "../failure.ts";
import { help } from "../help.ts";
import type { Terminal } from "../terminal.ts";
import { findSources, type Source } from "./sources.ts";
import { writePatches } from "./write-patches.ts";

const STRATEGIES = ["auto", "normalize", "ignore_changes", "upgrade_provider"] as const;
const FINGERPRINT = /^pn1_[a-z2-7]{26}$/;

const API_FLAGS = apiFlags(300);
const FLAGS = { "--strategy": flag("STRATEGY", maybeOneOf("how it is fixed", STRATEGIES)) };

export const FIX: Syntax = {
  command: "fix",
  operands: ["FINGERPRINT", "[DIR]"],
  about: [
    "Has a fix made for a kind of noise and prints it as a diff. Of the configuration below DIR (., when absent),",
    "*.tf and *.tofu files with resources of the noise's type, providers or modules are sent, as they are.",
  ].join("\n"),
  flags: { ...FLAGS, ...API_FLAGS },
  switches: { "--apply": "writes the files, unless one has changed since it was sent", ...API_SWITCHES },
  exits: Object.values(EXITS),
};

/** `leeway fix` */
export async function fix(args: string[], terminal: Terminal): Promise<void> {
  const given = readArguments(FIX, args);
  if (given.isOn(HELP)) return terminal.print(help(FIX));
  const { "--strategy": strategy } = loadFlags(FLAGS, given, terminal.env);
  const [fingerprint = "", directory = "."] = given.operands;
  if (!FINGERPRINT.test(fingerprint)) {
    throw usage(given.command, "FINGERPRINT must be one that leeway noise lists, pn1_…");
  }
  const api = await openApi(API_FLAGS, given, terminal);
  const sources = await sourcesFor(api, fingerprint, directory, terminal);
  const answer = await ask(api, fingerprint, { source: sources, ...(strategy && { strategy }) });
  const result = answerAs(FixResult, await resultOf(api, jobOf(answer), terminal.tell));
  show(result, terminal);
  if (!given.isOn("--apply")) return;
  for (const file of await writePatches(directory, sources, result.patches)) terminal.tell(`wrote ${file}`);
}

async function sourcesFor(
  api: Api,
  fingerprint: string,
  directory: string,
  { tell }: Terminal,
): Promise<Source[]> {
  const place = path`orgs/${api.orgId}/plan-noise/${fingerprint}`;
  const { body } = expectOk(await api.ask({ method: "GET", path: place }), "the noise");
  const type = text(body, "resource_type") ?? "";
  const { sources, leftOut } = await findSources(directory, type);
  for (const file of leftOut)
    tell(`${file} stays behind: it is too large, or there are too many, or no UTF-8`);
  tell(
    `${sources.length} ${sources.length === 1 ? "file goes" : "files go"} along for a fix of ${plain(type)}`,
  );
  return sources;
}

function ask(api: Api, fingerprint: string, wish: object): Promise<Answer> {
  const body = new TextEncoder().encode(JSON.stringify({ org_id: api.orgId, ...wish }));
  const headers = { "content-type": "application/json" };
  return api.ask({ method: "POST", path: path`plan-noise/${fingerprint}/fix`, headers, body: () => body });
}

/** The job that is made, or the one that is under way for the same noise. */
function jobOf(answer: Answer): string {
  const denial = denialIn(answer);
  if (denial !== undefined) throw new Failure("refused", denial);
  const isUnderWay = answer.status === 409 && text(answer.body, "job_id") !== undefined;
  return jobIn(isUnderWay ? answer : expectOk(answer, "the fix"));
}

/** The diff alone goes to the standard output, so that `patch` and `git apply` take it from there. */
function show({ explanation, risks, patches, hcl }: FixResult, { print, tell }: Terminal): void {
  for (const line of explanation.split("\n").filter((each) => each.trim() !== "")) tell(plain(line));
  for (const risk of risks) tell(`risk: ${plain(risk)}`);
  if (patches.length === 0) tell("no file that was sent can be patched; this is how the block is to be:");
  for (const patch of patches) print(withNames(patch));
  if (patches.length === 0) print(hcl.endsWith("\n") ? hcl : `${hcl}\n`);
}

function withNames({ path, diff }: FixResult["patches"][number]): string {
  const named =
    diff.startsWith("--- ") || diff.startsWith("diff ") ? diff : `--- a/${path}\n+++ b/${path}\n${diff}`;
  return named.endsWith("\n") ? named : `${named}\n`;
}
