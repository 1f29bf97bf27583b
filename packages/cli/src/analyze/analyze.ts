import { readFile } from "node:fs/promises";

import { deedsOf } from "@leeway/analysis/narrative/words";
import { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";
import { isObject, type JsonObject } from "@leeway/shared/json";

import { answerAs } from "../api/answer-as.ts";
import { path, type Answer, type Api } from "../api/client.ts";
import { jobIn, resultOf } from "../api/job.ts";
import { openApi } from "../api/open-api.ts";
import { expectOk, plain } from "../api/refusal.ts";
import {
  HELP,
  loadFlags,
  readArguments,
  usage,
  type Environment,
  type Given,
  type Syntax,
} from "../arguments.ts";
import { ANALYZE_EXITS } from "../exits.ts";
import { Failure } from "../failure.ts";
import { help } from "../help.ts";
import { parseJson } from "../http.ts";
import { readPlan } from "../plan/read-plan.ts";
import type { Terminal } from "../terminal.ts";
import { denialIn } from "../api/denial.ts";
import { ABOUT_FLAGS, API_FLAGS, SWITCHES, WISH_FLAGS } from "./flags.ts";
import { reportsOf, writeOutputs, type Output } from "./outputs.ts";
import { pipelineValues } from "./pipeline.ts";
import { submissionOf, wishesOf, type Wishes } from "./submission.ts";

const SHOW = "make it with `terraform show -json PLANFILE >plan.json`";
const SPECULATIVE = [
  "it is of a branch that nothing is known to be applied from, so it tells nothing of an account;",
  "with --speculative no it does",
].join(" ");

export const ANALYZE: Syntax = {
  command: "analyze",
  operands: ["[PLAN]"],
  about: [
    "Has a plan analyzed and tells what is dangerous in it, what is noise and what drifted. PLAN is what",
    "`terraform show -json` writes, - the standard input, in a custom step of Atlantis $SHOWFILE when absent.",
    "It is reduced to what analysis needs, without secrets, before it leaves the machine.",
  ].join("\n"),
  flags: { ...WISH_FLAGS, ...ABOUT_FLAGS, ...API_FLAGS },
  switches: SWITCHES,
  exits: Object.values(ANALYZE_EXITS),
};

/**
 * `leeway analyze`
 * @returns the exit code
 * @throws {Failure} when there is no analysis
 */
export async function analyze(args: string[], terminal: Terminal): Promise<number> {
  const given = readArguments(ANALYZE, args);
  if (given.isOn(HELP)) {
    terminal.print(help(ANALYZE));
    return ANALYZE_EXITS.ok.code;
  }
  const [wishes, outputs] = [await wishesIn(given, terminal), outputsOf(given, terminal.env)];
  const api = await openApi(API_FLAGS, given, terminal);
  const plan = await readPlan(planFile(given, terminal.env), terminal, SHOW);
  const job = jobIn(await submit(api, plan, { wishes, fallback: given.isOn("--fallback") }, terminal));
  const result = answerAs(AnalyzeResult, await resultOf(api, job, terminal.tell));
  await writeOutputs(outputs, result, { context: wishes, terminal });
  tellOutcome(result, terminal);
  return exitCode(result, given.isOn("--detailed-exitcode"));
}

/** Reports go first, so that a gate that isn't passed leaves them behind too. */
function exitCode({ gate, errored, summary }: AnalyzeResult, detailed: boolean): number {
  if (!gate.passed) return ANALYZE_EXITS.gate.code;
  if (errored) return ANALYZE_EXITS.ok.code;
  const isPending = deedsOf(summary).length > 0;
  return detailed && isPending ? ANALYZE_EXITS.changes.code : ANALYZE_EXITS.ok.code;
}

async function wishesIn(given: Given, { env, tell }: Terminal): Promise<Wishes> {
  const about = loadFlags(ABOUT_FLAGS, given, env, pipelineValues(env, await eventOf(env)));
  if (given.values["--speculative"] === undefined && about["--speculative"] === "yes") tell(SPECULATIVE);
  const isCommented = given.isOn("--comment");
  const hasRequest = about["--pull-number"] > 0;
  if (isCommented && !hasRequest) tell("no pull or merge request is known, so there will be no comment");
  return wishesOf(about, {
    failOn: loadFlags(WISH_FLAGS, given, env)["--fail-on"],
    narrative: !given.isOn("--no-narrative"),
    comment: isCommented && hasRequest,
  });
}

/** What GitHub tells of the event that the pipeline runs for. */
async function eventOf({ GITHUB_EVENT_PATH: file }: Environment): Promise<JsonObject | undefined> {
  const event = file && parseJson(await readFile(file, "utf8").catch(() => ""));
  return isObject(event) ? event : undefined;
}

function outputsOf(given: Given, env: Environment): Output[] {
  const { "--format": format, "--output": file } = loadFlags(WISH_FLAGS, given, env);
  return [...reportsOf(given), { format, ...(file !== undefined && { file }) }];
}

function planFile({ operands: [file], command }: Given, env: Environment): string {
  const found = file ?? env["SHOWFILE"];
  if (!found) throw usage(command, "name the plan's file, or - for the standard input");
  return found;
}

interface Submitting {
  wishes: Wishes;
  fallback: boolean;
}

/** @throws {Failure} when Leeway refuses the plan, or a model's words for it. */
async function submit(
  api: Api,
  plan: JsonObject,
  { wishes, fallback }: Submitting,
  { tell }: Terminal,
): Promise<Answer> {
  const answer = await send(api, plan, wishes, tell);
  const denial = denialIn(answer);
  if (denial === undefined) return expectOk(answer, "the plan");
  if (!fallback) {
    const advice = "--no-narrative analyzes without a model's words, --fallback does so when they are denied";
    throw new Failure("refused", `${denial}; ${advice}`);
  }
  tell(`${denial}; goes on without a model's words`);
  return expectOk(await send(api, plan, { ...wishes, narrative: false }, tell), "the plan");
}

function send(api: Api, plan: JsonObject, wishes: Wishes, tell: (message: string) => void): Promise<Answer> {
  const { body, headers } = submissionOf(plan, wishes, tell);
  return api.ask({ method: "POST", path: path`orgs/${api.orgId}/analyze`, headers, body: () => body });
}

/** What a report needn't say, but whoever reads the log should know. */
function tellOutcome({ gate, errored, risk_level, comment }: AnalyzeResult, { tell }: Terminal): void {
  if (comment?.posted === false) tell(`no comment was written: ${plain(comment.error ?? "no reason given")}`);
  if (gate.passed) return;
  const why = errored ? "the plan failed" : `the risk is ${risk_level}, and it fails on ${gate.fail_on}`;
  tell(`the gate is not passed: ${why}`);
}
