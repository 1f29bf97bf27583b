import type {
  Analysis,
  AnalyzeResult,
  Finding,
  FixResult,
  NoiseGroup,
  PlannedDrift,
} from "@leeway/shared/contracts/analyzer/analysis";
import type { LlmJob } from "@leeway/shared/contracts/analyzer/jobs";
import type { Command } from "@leeway/shared/contracts/webhooks/events";

import { projectLabel, type Project } from "../narrative/context.ts";
import { countsInWords } from "../narrative/counts.ts";
import { cell, code, codeBlock, prose, sentence } from "../narrative/markdown.ts";
import { CLASS_WORDS } from "../noise/classes.ts";
import { flagText } from "../narrative/rule-texts.ts";
import { actionText, listed, pathText } from "../narrative/words.ts";
import { gateText, riskText } from "./sections.ts";

const COMMANDS = [
  ["help", "lists the commands"],
  ["analyze", "analyses the latest plan once more"],
  ["status", "tells what is known of this merge request's plans"],
  ["explain <address>", "says all that the plan's analysis has of a resource"],
  [
    'ignore <fingerprint> [--until 30d] [--reason "…"]',
    "leaves noise of plans, or drift of an account, out from now on",
  ],
  ["unignore <fingerprint>", "takes that back"],
  ["fix <fingerprint>", "shows the change to the code that stops a kind of noise"],
  ["rescan", "reads the cloud account anew"],
] as const;
const MOST = 10;
const MOST_PATCHES = 4;
const TO_IGNORE_DRIFT = `Drift is ignored in its account: ${code("/leeway ignore")} takes the fingerprint that ${code("GET /orgs/:id/drift-changes")} gives it.`;
const NOT_ANALYSED = "No plan of this merge request has been analysed yet.";

/** All commands. */
export function helpReply(): string {
  const rows = COMMANDS.map(([command, does]) => `| ${cell(code(`/leeway ${command}`))} | ${does} |`);
  return ["| Command | What it does |", "| --- | --- |", ...rows].join("\n");
}

/** To a command that couldn't be read. */
export function unknownReply(problem: string): string {
  return `That command wasn't understood: ${sentence(problem)}\n\n${helpReply()}`;
}

/** To somebody who may not give commands here, whether or not this is one. */
export function deniedReply(verb: Command["verb"]): string {
  const command = verb === "unknown" ? "That command" : code(`/leeway ${verb}`);
  return `${command} was not run: it takes the right to push to this repository.`;
}

/** To a fingerprint that nothing has. */
export function nothingReply(fingerprint: string): string {
  const hint = fingerprint.startsWith("dc1_") ? ` ${TO_IGNORE_DRIFT} Those of a plan are others.` : "";
  return `There is no noise or drift ${code(fingerprint)} here.${hint}`;
}

/** To `ignore` and `unignore`. */
export function ignoredReply(ignored: {
  fingerprint: string;
  undone?: boolean;
  until?: string;
  reason?: string;
}): string {
  const { fingerprint, undone = false, until, reason } = ignored;
  if (undone) return `${code(fingerprint)} is no longer ignored.`;
  const end = until === undefined ? "" : ` until ${code(until)}`;
  const why = reason === undefined || reason === "" ? "" : ` Reason: ${sentence(reason)}`;
  return `${code(fingerprint)} is ignored${end}. ${code(`/leeway unignore ${fingerprint}`)} takes that back.${why}`;
}

/** The latest job of each project of a merge request. */
interface ProjectStatus {
  project?: Project;
  status: LlmJob["status"];
  result?: Pick<AnalyzeResult, "errored" | "risk_level" | "risk_counts" | "drift" | "gate">;
}

export function statusReply(projects: readonly ProjectStatus[]): string {
  if (projects.length === 0) return NOT_ANALYSED;
  const rows = projects.map(({ project, status, result }) => {
    const counts = result === undefined ? "" : countsInWords(result.risk_counts);
    return [
      cell(code(projectLabel(project) ?? "this repository")),
      status === "error" ? "failed" : status,
      result === undefined ? "" : `${riskText(result)}${counts === "" ? "" : ` (${counts})`}`,
      result === undefined ? "" : gateText(result.gate),
    ].join(" | ");
  });
  return [
    "| Project | Analysis | Risk | Gate |",
    "| --- | --- | --- | --- |",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n");
}

/** What came of the latest plan of a project. */
export interface ProjectResult {
  project?: Project;
  result: AnalyzeResult;
}

/** All that the analyses of a merge request's projects have of a resource, or which resources come near. */
export function explainReply(
  results: readonly { project?: Project; result: Analysis }[],
  address: string,
): string {
  const explained = results.flatMap(({ project, result }) => {
    const parts = partsOf(result, address);
    const label = results.length > 1 ? projectLabel(project) : undefined;
    const where = label === undefined ? "" : ` in ${code(label)}`;
    return parts.length > 0 ? [`#### ${code(address)}${where}`, ...parts] : [];
  });
  if (explained.length > 0) return explained.join("\n\n");
  if (results.some(({ result }) => result.errored))
    return `The latest plan failed: nothing is known of ${code(address)}.`;
  const all = new Set(results.flatMap(({ result }) => addressesOf(result)));
  const near = [...all].filter((one) => one !== "" && (one.includes(address) || address.includes(one)));
  const hint =
    near.length === 0 ? "" : ` Did you mean ${listed(near.slice(0, MOST).map((one) => code(one)))}?`;
  return `The latest analysis has nothing of ${code(address)}: it doesn't change, or is named otherwise.${hint}`;
}

function partsOf({ findings, drift, noise }: Analysis, address: string): string[] {
  return [
    ...findings.filter((one) => one.address === address).map(explainFinding),
    ...drift.filter((one) => one.address === address).map(explainDrift),
    ...noise.filter(({ addresses }) => addresses.includes(address)).map(explainNoise),
  ];
}

function addressesOf({ findings, drift, noise }: Analysis): string[] {
  return [...[...findings, ...drift].map((one) => one.address), ...noise.flatMap((one) => one.addresses)];
}

function explainFinding({
  rule,
  flag,
  risk_level,
  message,
  paths,
  replace_paths = [],
  actions,
}: Finding): string {
  const { title, why, check } = flagText({ rule, flag });
  return [
    `**${risk_level}**: ${prose(title)} (${prose(rule)}, ${prose(actionText(actions))})`,
    "",
    `- ${sentence(message)}`,
    `- Why it matters: ${why}`,
    `- Before you apply: ${check}`,
    ...attributes("Goes by", paths),
    ...attributes("Replaced because of", replace_paths),
  ].join("\n");
}

function explainDrift({ kind, attribute_changes, relevant, ...risk }: PlannedDrift): string {
  const { risk_level: level, risk_flags: flags } = risk;
  const what = kind === "missing" ? "it is gone." : "it was changed outside of the plan.";
  return [
    level === "none" ? `**Drift**: ${what}` : `**Drift** of **${level}** risk: ${what}`,
    "",
    ...flags.map(({ rule, flag }) => `- ${flagText({ rule, flag }).why} (${prose(rule)})`),
    ...attributes(
      "Differs at",
      attribute_changes.map(({ path }) => path),
    ),
    `- ${relevant ? "The plan has changes because of it." : "The plan has no changes because of it."}`,
    `- ${TO_IGNORE_DRIFT}`,
  ].join("\n");
}

function explainNoise({ fingerprint, path_pattern, fix_available, muted, ...group }: NoiseGroup): string {
  const { cause, stop } = CLASS_WORDS[group.class];
  return [
    `**Noise** (${code(group.class)}) at ${code(path_pattern)}`,
    "",
    `- ${cause} ${stop}`,
    ...(fix_available ? [`- ${code(`/leeway fix ${fingerprint}`)} shows the change.`] : []),
    muted
      ? `- It is ignored. ${code(`/leeway unignore ${fingerprint}`)} takes that back.`
      : `- ${code(`/leeway ignore ${fingerprint}`)} leaves it out from now on.`,
  ].join("\n");
}

function attributes(what: string, paths: readonly Finding["paths"][number][]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > MOST ? [`${paths.length - MOST} more`] : [];
  return [`- ${what} ${listed([...paths.slice(0, MOST).map((path) => code(pathText(path))), ...more])}`];
}

/** What became of `rescan`, by account. */
export type Rescanned = readonly { account_id: string; scan_id?: string; refusal?: string }[];

/** To `rescan`; `names` are those by which the accounts were looked for. */
export function rescanReply(accounts: Rescanned, names: readonly string[]): string {
  if (accounts.length > 0) {
    return accounts
      .map(({ account_id: account, scan_id: scan, refusal = "it can't be scanned" }) =>
        scan === undefined
          ? `- The account ${code(account)} isn't scanned: ${sentence(refusal)}`
          : `- The account ${code(account)} is scanned anew: ${code(`/scans/${scan}`)}.`,
      )
      .join("\n");
  }
  const looked = names.slice(0, MOST).map((name) => code(name));
  const found =
    looked.length === 0 ? NOT_ANALYSED : `No IaC source that has an account is called ${listed(looked)}.`;
  return `It isn't known which cloud account this is about. ${found} Give the source of the project that name and its account, or start a scan by ${code("POST /orgs/:id/scans")}.`;
}

/** What `fix` made: the patches, or the block as it is to be, and what to know about it. */
export function fixReply({ explanation, patches, hcl, risks }: FixResult): string {
  return [
    sentence(explanation),
    ...(patches.length > 0
      ? patches.slice(0, MOST_PATCHES).map(({ path, diff }) => `${code(path)}\n\n${codeBlock("diff", diff)}`)
      : [codeBlock("hcl", hcl)]),
    ...(risks.length > 0 ? [risks.map((risk) => `- ${sentence(risk)}`).join("\n")] : []),
  ].join("\n\n");
}
