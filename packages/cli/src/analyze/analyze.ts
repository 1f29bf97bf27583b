import { plannedActions } from "@leeway/analysis/narrative/words";
import { gateText } from "@leeway/analysis/risk/gate";
import { AnalyzeResult } from "@leeway/shared/contracts/analyzer/analysis";
import type { JsonObject } from "@leeway/shared/values/json";

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
import { readPlan } from "../plan/read-plan.ts";
import type { Terminal } from "../terminal.ts";
import { denialIn } from "../api/denial.ts";
import { ABOUT_FLAGS, API_FLAGS, REPORT_FLAGS, RULES_FLAG, SWITCHES } from "./flags.ts";
import { commentUnlessPosted } from "./job-comment.ts";
import { isTablePrinted, outputsOf, writeOutputs, type Output } from "./outputs.ts";
import { eventOf, pipelineValues } from "./pipeline.ts";
import { submissionOf, submissionOptions, type SubmissionOptions } from "./submission.ts";

const CREATE = "Create it with: terraform show -json plan.bin > plan.json";
const SPECULATIVE = [
  "this branch doesn't seem to be applied: the plan isn't compared with accounts",
  "(--speculative no changes that)",
].join(" ");

export const ANALYZE: Syntax = {
  command: "analyze",
  operands: ["[PLAN]"],
  about: [
    "Analyzes a plan and shows its risks, its noise and the drift in it. PLAN is the output of `terraform show -json`,",
    "or - for standard input; in a custom step of Atlantis the default is $SHOWFILE. Secrets and what the analysis",
    "doesn't need are removed before the plan leaves this machine.",
  ].join("\n"),
  flags: { ...REPORT_FLAGS, ...RULES_FLAG, ...ABOUT_FLAGS, ...API_FLAGS },
  switches: SWITCHES,
  exits: Object.values(ANALYZE_EXITS),
};

/**
 * Runs `leeway analyze`.
 * @returns the exit code
 * @throws {Failure} when there is no analysis
 */
export async function analyze(args: string[], terminal: Terminal): Promise<number> {
  const given = readArguments(ANALYZE, args);
  if (given.isOn(HELP)) {
    terminal.print(help(ANALYZE));
    return ANALYZE_EXITS.ok.code;
  }
  const [options, outputs] = [await readOptions(given, terminal), outputsOf(given, terminal.env)];
  const file = planFile(given, terminal.env);
  const isLocal = given.isOn("--local");
  const analyzed = isLocal ? onThisMachine : byServer;
  const result = await analyzed(file, options, { given, terminal });
  await writeOutputs(outputs, result, { context: options, terminal });
  if (options.comment) await commentUnlessPosted(result, options, { terminal, isLocal });
  logOutcome(result, outputs, terminal);
  return exitCode(result, given.isOn("--detailed-exitcode"));
}

interface Call {
  given: Given;
  terminal: Terminal;
}

/** Loads the rules, which other commands don't need. */
async function onThisMachine(
  file: string,
  options: SubmissionOptions,
  { given, terminal }: Call,
): Promise<AnalyzeResult> {
  const rules = loadFlags(RULES_FLAG, given, terminal.env)["--rules"];
  const plan = await readPlan(file, terminal, CREATE);
  const { analyzeLocally } = await import("./local.ts");
  const { activeIn, readRulesFile } = await import("../rules/rules-file.ts");
  return analyzeLocally(
    plan,
    options,
    rules === undefined ? [] : activeIn(await readRulesFile(rules), new Date()),
  );
}

/** Sends the plan to the server and waits for the result. */
async function byServer(
  file: string,
  options: SubmissionOptions,
  { given, terminal }: Call,
): Promise<AnalyzeResult> {
  if (given.all("--rules").length > 0)
    throw usage(ANALYZE.command, "--rules needs --local; the server has the organization's rules");
  const api = await openApi(API_FLAGS, given, terminal);
  const plan = await readPlan(file, terminal, CREATE);
  const submitting = { options, fallback: given.isOn("--fallback") };
  const answer = await terminal.during("sending the plan", () => submit(api, plan, submitting, terminal));
  const job = await terminal.during("waiting for the analysis", () => resultOf(api, jobIn(answer)));
  return answerAs(AnalyzeResult, job);
}

/** Picks the exit code. Called after the reports are written, so that a failed gate has them, too. */
function exitCode({ gate, errored, summary }: AnalyzeResult, detailed: boolean): number {
  if (!gate.passed) return ANALYZE_EXITS.gate.code;
  if (errored) return ANALYZE_EXITS.ok.code;
  const isPending = plannedActions(summary).length > 0;
  return detailed && isPending ? ANALYZE_EXITS.changes.code : ANALYZE_EXITS.ok.code;
}

async function readOptions(given: Given, { env, log }: Terminal): Promise<SubmissionOptions> {
  const about = loadFlags(ABOUT_FLAGS, given, env, pipelineValues(env, await eventOf(env)));
  const { "--fail-on": failOn, "--risk-profile": riskProfile } = loadFlags(REPORT_FLAGS, given, env);
  const [isLocal, isCommented] = [given.isOn("--local"), given.isOn("--comment")];
  const isAssumed = given.values["--speculative"] === undefined && about["--speculative"] === "yes";
  if (isAssumed && !isLocal) log(SPECULATIVE);
  const hasRequest = about["--pull-number"] > 0;
  if (isCommented && !hasRequest) log("no comment will be posted: there is no pull or merge request");
  return submissionOptions(about, {
    failOn,
    riskProfile,
    narrative: !given.isOn("--no-narrative"),
    comment: isCommented && hasRequest,
  });
}

function planFile({ operands: [file], command }: Given, env: Environment): string {
  const found = file ?? env["SHOWFILE"];
  if (!found) throw usage(command, "PLAN is missing: pass its file, or - for standard input");
  return found;
}

interface Submitting {
  options: SubmissionOptions;
  fallback: boolean;
}

/**
 * Submits the plan.
 * @throws {Failure} when Leeway rejects the plan, or the quota denies an explanation
 */
async function submit(
  api: Api,
  plan: JsonObject,
  { options, fallback }: Submitting,
  { log }: Terminal,
): Promise<Answer> {
  const answer = await send(api, plan, options, log);
  const denial = denialIn(answer);
  if (denial === undefined) return expectOk(answer, "the plan");
  if (!fallback) {
    const advice = "--no-narrative analyzes without a model, --fallback does so if the quota denies it";
    throw new Failure("refused", `${denial}; ${advice}`);
  }
  log(`${denial}; continuing without a model's explanation`);
  return expectOk(await send(api, plan, { ...options, narrative: false }, log), "the plan");
}

function send(
  api: Api,
  plan: JsonObject,
  options: SubmissionOptions,
  log: (message: string) => void,
): Promise<Answer> {
  const { body, headers } = submissionOf(plan, options, log);
  return api.ask({ method: "POST", path: path`orgs/${api.orgId}/analyze`, headers, body: () => body });
}

/** Logs the outcome; a printed table already contains the verdict and the link. */
function logOutcome(result: AnalyzeResult, outputs: readonly Output[], { log }: Terminal): void {
  if (isTablePrinted(outputs)) return;
  log(gateText(result));
  if (result.report_url !== "") log(`report: ${plain(result.report_url)}`);
}
