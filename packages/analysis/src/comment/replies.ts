import type {
  Analysis,
  AnalyzeResult,
  Finding,
  FixResult,
  Narrative,
  NoiseGroup,
  PlannedDrift,
} from "@leeway/shared/contracts/analyzer/analysis";
import type { ChangeRequest } from "@leeway/shared/contracts/analyzer/change-request";
import type { Settlement } from "@leeway/shared/contracts/analyzer/settlements";
import type { LlmJob } from "@leeway/shared/contracts/analyzer/jobs";
import { commandUsages, type Command } from "@leeway/shared/contracts/webhooks/commands";

import { projectLabel, type Project } from "../narrative/context.ts";
import { countsInWords } from "../narrative/counts.ts";
import { cell, code, codeBlock, prose, sentence } from "../narrative/markdown.ts";
import { CLASS_WORDS } from "../noise/classes.ts";
import { flagText } from "../narrative/rule-texts.ts";
import { actionText, listed, pathText } from "../narrative/words.ts";
import { gateText } from "../risk/gate.ts";
import { modelBlockAbout } from "./model-block.ts";
import { LINKABLE, riskText } from "./sections.ts";

const MAX_LISTED = 10;
const MAX_PATCHES = 4;
const TO_DECIDE = `To decide on drift of an account, pass ${code("/leeway acknowledge")} the fingerprint from ${code("GET /orgs/:id/drift-changes")}.`;
const NOT_ANALYSED = "No plan of this merge request has been analyzed yet.";

/** Returns the list of all commands. */
export function helpReply(): string {
  const rows = commandUsages().map(([usage, does]) => `| ${cell(code(`/leeway ${usage}`))} | ${does} |`);
  return ["| Command | What it does |", "| --- | --- |", ...rows].join("\n");
}

/** Answers a command that couldn't be parsed. */
export function unknownReply(problem: string): string {
  return `Unknown command: ${sentence(problem)}\n\n${helpReply()}`;
}

/** Answers an author who may not run commands here, even if the command doesn't exist. */
export function deniedReply(verb: Command["verb"]): string {
  const command = verb === "unknown" ? "That command" : code(`/leeway ${verb}`);
  return `${command} was not run: only people who can push to this repository may run commands.`;
}

/** Answers a fingerprint that matches nothing. */
export function nothingReply(fingerprint: string): string {
  const hint = fingerprint.startsWith("dc1_") ? ` Drift in a plan has other fingerprints. ${TO_DECIDE}` : "";
  return `No noise or drift has the fingerprint ${code(fingerprint)}.${hint}`;
}

/** Answers a command that was refused, with the reason and the next step. */
export function refusedReply(verb: Command["verb"], why: string): string {
  return `${code(`/leeway ${verb}`)} was not run: ${sentence(why)}`;
}

/** Confirms `acknowledge`. */
export function acknowledgedReply({ fingerprint, reason }: { fingerprint: string; reason?: string }): string {
  return `${code(fingerprint)} is acknowledged and still counts as risk.${reasonText(reason)}`;
}

function reasonText(reason: string | undefined): string {
  return reason === undefined || reason === "" ? "" : ` Reason: ${sentence(reason)}`;
}

/** Confirms `ignore` and `unignore`. */
export function ignoredReply(ignored: {
  fingerprint: string;
  undone?: boolean;
  until?: string;
  reason?: string;
}): string {
  const { fingerprint, undone = false, until, reason } = ignored;
  if (undone) return `${code(fingerprint)} is no longer ignored.`;
  const end = until === undefined ? "" : ` until ${code(until)}`;
  const why = reasonText(reason);
  return `${code(fingerprint)} is ignored${end}. Undo with ${code(`/leeway unignore ${fingerprint}`)}.${why}`;
}

/** Latest job of a project in a merge request. */
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
      result === undefined ? "" : gateText(result),
    ].join(" | ");
  });
  return [
    "| Project | Analysis | Risk | Gate |",
    "| --- | --- | --- | --- |",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n");
}

/** Result of a project's latest plan. */
export interface ProjectResult {
  project?: Project;
  result: AnalyzeResult;
}

type Explained = Analysis & { narrative?: Narrative };

/**
 * Lists everything that a merge request's analyses found about a resource, or about resources with a similar address.
 */
export function explainReply(
  results: readonly { project?: Project; result: Explained }[],
  address: string,
  offersIgnore = false,
): string {
  const explained = results.flatMap(({ project, result }) => {
    const parts = partsOf(result, { address, offersIgnore });
    const label = results.length > 1 ? projectLabel(project) : undefined;
    const where = label === undefined ? "" : ` in ${code(label)}`;
    return parts.length > 0 ? [`#### ${code(address)}${where}`, ...parts] : [];
  });
  if (explained.length > 0) return explained.join("\n\n");
  if (results.some(({ result }) => result.errored))
    return `The latest plan failed, so nothing is known about ${code(address)}.`;
  const all = new Set(results.flatMap(({ result }) => addressesOf(result)));
  const near = [...all].filter((one) => one !== "" && (one.includes(address) || address.includes(one)));
  const hint =
    near.length === 0 ? "" : ` Did you mean ${listed(near.slice(0, MAX_LISTED).map((one) => code(one)))}?`;
  return `The latest analysis doesn't mention ${code(address)}: it doesn't change, or has another address.${hint}`;
}

/** Lists the rules' findings about a resource, followed by the model's explanation of them. */
function partsOf(
  { narrative, ...analysis }: Explained,
  { address, offersIgnore }: { address: string; offersIgnore: boolean },
): string[] {
  const findings = analysis.findings.filter((one) => one.address === address);
  const drift = analysis.drift.filter((one) => one.address === address);
  const noise = analysis.noise.filter(({ addresses }) => addresses.includes(address));
  const ids = new Set([
    ...findings.map(({ id }) => id),
    ...[...drift, ...noise].map(({ fingerprint }) => fingerprint),
  ]);
  const block = narrative === undefined ? [] : modelBlockAbout(narrative, ids);
  return [
    ...findings.map(explainFinding),
    ...drift.map(explainDrift),
    ...noise.map((group) => explainNoise(group, offersIgnore)),
    ...block.map(({ open, lines, close }) => open + lines.join("\n") + close),
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
    `- Check before applying: ${check}`,
    ...attributes("Attributes:", paths),
    ...attributes("Forced by", replace_paths),
  ].join("\n");
}

function explainDrift({ kind, attribute_changes, relevant, ...risk }: PlannedDrift): string {
  const { risk_level: level, risk_flags: flags } = risk;
  const what = kind === "missing" ? "deleted outside code" : "changed outside code";
  return [
    level === "none" ? `**Drift**: ${what}` : `**Drift**: ${what}, **${level}** risk`,
    "",
    ...flags.map((flag) => `- ${sentence(flag.message ?? flagText(flag).why)} (${prose(flag.rule)})`),
    ...attributes(
      "Attributes:",
      attribute_changes.map(({ path }) => path),
    ),
    `- ${relevant ? "The plan has changes because of this." : "The plan has no changes because of this."}`,
    `- ${TO_DECIDE}`,
  ].join("\n");
}

function explainNoise(noise: NoiseGroup, offersIgnore: boolean): string {
  const { fingerprint, path_pattern, fix_available, ...group } = noise;
  const { cause, stop } = CLASS_WORDS[group.class];
  return [
    `**Noise** (${code(group.class)}) at ${code(path_pattern)}`,
    "",
    `- ${cause} ${stop}`,
    ...(fix_available ? [`- ${code(`/leeway fix ${fingerprint}`)} shows the code change.`] : []),
    ...ignoring(noise, offersIgnore),
  ].join("\n");
}

function ignoring({ fingerprint, muted }: NoiseGroup, offersIgnore: boolean): string[] {
  if (!offersIgnore) return muted ? ["- It is ignored."] : [];
  if (muted) return [`- It is ignored. Undo with ${code(`/leeway unignore ${fingerprint}`)}.`];
  return [`- ${code(`/leeway ignore ${fingerprint}`)} ignores it from now on.`];
}

function attributes(what: string, paths: readonly Finding["paths"][number][]): string[] {
  if (paths.length === 0) return [];
  const more = paths.length > MAX_LISTED ? [`${paths.length - MAX_LISTED} more`] : [];
  return [
    `- ${what} ${listed([...paths.slice(0, MAX_LISTED).map((path) => code(pathText(path))), ...more])}`,
  ];
}

/** Result of `rescan` by account. */
export type Rescanned = readonly { account_id: string; scan_id?: string; refusal?: string }[];

/**
 * Answers `rescan`.
 * @param names source names used to look up the accounts
 */
export function rescanReply(accounts: Rescanned, names: readonly string[]): string {
  if (accounts.length > 0) {
    return accounts
      .map(({ account_id: account, scan_id: scan, refusal = "it can't be scanned" }) =>
        scan === undefined
          ? `- Account ${code(account)} isn't scanned: ${sentence(refusal)}`
          : `- Account ${code(account)} is being scanned: ${code(`/scans/${scan}`)}.`,
      )
      .join("\n");
  }
  const looked = names.slice(0, MAX_LISTED).map((name) => code(name));
  const found =
    looked.length === 0 ? NOT_ANALYSED : `No IaC source with an account is named ${listed(looked)}.`;
  return `Leeway doesn't know which cloud account this project is in. ${found} Give the project's source that name and set its account, or start a scan with ${code("POST /orgs/:id/scans")}.`;
}

/** Answers `settle` with the patch, the commands, or the reason for a refusal, and with the change request if it opens one. */
export function settleReply({
  explanation,
  patch,
  commands = [],
  refused,
  change_request: request,
}: Settlement): string {
  const place = refused?.path === undefined ? "" : ` (${code(`${refused.path}:${refused.line ?? 1}`)})`;
  return [
    sentence(refused ? `${refused.message}${place}` : explanation),
    ...(request ? [requestText(request)] : []),
    ...(patch === "" ? [] : [codeBlock("diff", patch)]),
    ...(commands.length === 0 ? [] : [codeBlock("sh", commands.join("\n"))]),
  ].join("\n\n");
}

function requestText({ status, url = "", number, branch, problem }: ChangeRequest): string {
  if (status === "closed") return "The code has it already, so there is nothing to request.";
  if (status === "refused")
    return sentence(`The change request wasn't opened: ${problem ?? "the code host refused it"}`);
  const isLink = LINKABLE.test(url) && number !== undefined;
  return `The code is in ${isLink ? `[change request ${number}](${url})` : `the branch ${code(branch)}`}.`;
}

/** Answers `fix` with the patches and risks, or with the corrected block if there are no patches. */
export function fixReply({ explanation, patches, hcl, risks }: FixResult): string {
  return [
    sentence(explanation),
    ...(patches.length > 0
      ? patches.slice(0, MAX_PATCHES).map(({ path, diff }) => `${code(path)}\n\n${codeBlock("diff", diff)}`)
      : [codeBlock("hcl", hcl)]),
    ...(risks.length > 0 ? [risks.map((risk) => `- ${sentence(risk)}`).join("\n")] : []),
  ].join("\n\n");
}
