import { counted } from "@leeway/shared/values/counted";
import type {
  Analysis,
  AnalyzeResult,
  Narrative,
  NoiseGroup,
} from "@leeway/shared/contracts/analyzer/analysis";
import type { PlanPromise } from "@leeway/shared/contracts/analyzer/change-request";
import { isAtLeast } from "@leeway/shared/contracts/analyzer/risk-levels";

import { projectLabel, type AnalysisContext } from "../narrative/context.ts";
import { driftLevel } from "../narrative/counts.ts";
import { hiddenByRules } from "../narrative/hidden-by-rules.ts";
import { code, sentence } from "../narrative/markdown.ts";
import { templateNarrative } from "../narrative/template.ts";
import { plannedActions, planInWords } from "../narrative/words.ts";
import { CLASS_WORDS } from "../noise/classes.ts";
import { withoutMuted } from "../noise/without-muted.ts";
import { modelBlock } from "./model-block.ts";
import { reportRows, type ReportRow } from "./rows.ts";
import { folded, paragraph, rowTable, table, type Section } from "./table.ts";

/** Content of a comment or of a Markdown report. */
export interface Explained {
  analysis: Analysis;
  narrative: Narrative;
  context: AnalysisContext;
  gate?: AnalyzeResult["gate"];
  promise?: PlanPromise;
  /** URL of the analysis in the dashboard. */
  reportUrl?: string;
  /** Commit of the comment's previous version. */
  previousCommit?: string | undefined;
  /** Whether the code host links a bare commit id. */
  linksCommits?: boolean;
  /**
   * Whether the reader can reply with commands, as in GitLab's merge requests. Elsewhere the comment points to the
   * command line for fixes.
   */
  acceptsCommands?: boolean;
  /** Whether the organization lets commands ignore noise. */
  offersIgnore?: boolean;
}

/** Rows shown unfolded. */
const MAX_OPEN_ROWS = 10;
/** Longer tables are unreadable; the job's result lists every row. */
const MAX_ROWS = 300;
const MAX_NOISE = 100;
const MAX_WARNINGS = 3;
const MAX_HIDING = 10;

/** Returns an analysis in reading order: verdict, dangerous changes, checks, and folded details. */
export function sectionsOf(explained: Explained): Section[] {
  const { narrative, acceptsCommands = false, offersIgnore = false } = explained;
  const analysis = withoutMuted(explained.analysis);
  const rows = reportRows(analysis);
  if (isQuiet(analysis, rows))
    return [
      paragraph(quietLine(explained)),
      ...promiseKept(explained.promise),
      ...warnings(analysis),
      ...hidden(explained.analysis),
      ...modelBlock(narrative),
    ];
  const notable = rows.filter(({ risk_level: level }) => isAtLeast(level, "medium"));
  const others = rows.slice(notable.length);
  return [
    paragraph(`### ${titleOf(explained.context, riskText(analysis))}`, "", factsLine(explained)),
    ...promiseKept(explained.promise),
    ...warnings(analysis),
    ...rowTable(notable.slice(0, MAX_OPEN_ROWS)),
    ...checks(analysis),
    ...foldedRows(notable.slice(MAX_OPEN_ROWS), "more notable change"),
    ...foldedRows(others, "change without notable risk", "changes without notable risk"),
    ...noise(analysis.noise, { acceptsCommands, offersIgnore: acceptsCommands && offersIgnore }),
    ...hidden(explained.analysis),
    ...footer(narrative, acceptsCommands),
    ...modelBlock(narrative),
  ];
}

/** Reports whether the plan of a branch with settlements shows what the branch promises. */
function promiseKept(promise: PlanPromise | undefined): Section[] {
  if (!promise) return [];
  const { kept, changes, broken } = promise;
  if (kept)
    return [paragraph(`As promised: the plan leaves ${counted(changes, "settled change")} as decided.`)];
  const shown = broken
    .slice(0, MAX_BROKEN)
    .map(({ address, actions }) => `- ${code(address)}: ${actions.join(", ")}`);
  const more = broken.length - shown.length;
  return [
    paragraph(
      `**Not as promised**: the plan still changes ${counted(broken.length, "resource")} of ${changes} settled. Don't merge before you know why.`,
      "",
      ...shown,
      ...(more > 0 ? [`- and ${more} more`] : []),
    ),
  ];
}
const MAX_BROKEN = 10;

/** Returns the heading of a comment and of its further parts, such as `Leeway: critical risk in web`. */
export function titleOf({ project }: AnalysisContext, verdict?: string): string {
  const label = projectLabel(project);
  const where = label === undefined ? "" : ` in ${code(label)}`;
  return verdict === undefined ? `Leeway${where}` : `Leeway: ${verdict}${where}`;
}

/** Returns the level of the changes, and that of the drift if it is worse. */
export function riskText(analysis: Pick<Analysis, "errored" | "risk_level" | "drift">): string {
  const { errored = false, risk_level: level } = analysis;
  const drifted = driftLevel(analysis);
  const isDriftWorse = !isAtLeast(level, drifted);
  const none = isDriftWorse ? "no risk in its changes" : "no risk found";
  return [
    ...(errored ? ["the plan failed"] : []),
    ...(level === "none" ? (errored ? [] : [none]) : [`${level} risk`]),
    ...(isDriftWorse ? [`${drifted} drift`] : []),
  ].join(", ");
}

/** Checks whether a plan changes nothing and found no drift. */
function isQuiet({ errored, summary, noise }: Analysis, rows: readonly ReportRow[]): boolean {
  return !errored && rows.length === 0 && noise.length === 0 && plannedActions(summary).length === 0;
}

function quietLine(explained: Explained): string {
  return [`**${titleOf(explained.context, "no changes")}**`, ...facts(explained)].join(" · ");
}

function factsLine(explained: Explained): string {
  return [`Plan: ${planInWords(explained.analysis)}`, ...facts(explained)].join(" · ");
}

function facts({ analysis, context, gate, reportUrl, ...explained }: Explained): string[] {
  const { commit_sha: commit } = context;
  const { previousCommit, linksCommits = false } = explained;
  const show = (id: string): string => commitText(id, linksCommits);
  const before =
    previousCommit === undefined || previousCommit === commit ? "" : ` (was ${show(previousCommit)})`;
  return [
    ...(gate === undefined || gate.fail_on === "never" ? [] : [gateFact(gate)]),
    ...(analysis.risk_profile === undefined ? [] : [`profile ${analysis.risk_profile}`]),
    ...(commit === undefined ? [] : [`commit ${show(commit)}${before}`]),
    ...(reportUrl !== undefined && LINKABLE.test(reportUrl) ? [`[report](${reportUrl})`] : []),
  ];
}

export const LINKABLE = /^https?:\/\/[\w.:/~%-]+$/u;

function gateFact({ fail_on: limit, passed }: AnalyzeResult["gate"]): string {
  return passed ? `gate passed (limit ${limit})` : `**gate failed** (limit ${limit})`;
}

/** Returns a full commit id without code marks, because code hosts link only plain ids. */
function commitText(commit: string, linksCommits: boolean): string {
  const isFull = /^[0-9a-f]{40}$/u.test(commit);
  return linksCommits && isFull ? commit : code(isFull ? commit.slice(0, 8) : commit);
}

function warnings({ warnings: texts }: Analysis): Section[] {
  const more = texts.length - MAX_WARNINGS;
  const lines = texts.slice(0, MAX_WARNINGS).map((text) => `> ${sentence(text)}`);
  if (more > 0) lines.push(`> ${counted(more, "more warning")}.`);
  return lines.length === 0 ? [] : [paragraph(...lines)];
}

function checks(analysis: Analysis): Section[] {
  const text = templateNarrative(analysis);
  return text === "" ? [] : [paragraph(...text.split("\n"))];
}

function foldedRows(rows: readonly ReportRow[], one: string, many?: string): Section[] {
  const count = rows.reduce((sum, { addresses }) => sum + Math.max(1, addresses.length), 0);
  const left = rows.length - MAX_ROWS;
  const note = left > 0 ? [paragraph(`${counted(left, "more row")} in the report.`)] : [];
  return folded(counted(count, one, many), [...rowTable(rows.slice(0, MAX_ROWS)), ...note]);
}

/** Names the organization's rules that hide something. */
function hidden(analysis: Analysis): Section[] {
  const rules = hiddenByRules(analysis);
  const more = rules.length - MAX_HIDING;
  const named = rules.slice(0, MAX_HIDING).map(({ name, what }) => `${what} by ${code(name)}`);
  const all = [...named, ...(more > 0 ? [`and by ${counted(more, "more rule")}`] : [])];
  return all.length === 0 ? [] : [paragraph(`Hidden by rules: ${all.join(", ")}.`)];
}

/** Commands that the comment mentions. */
interface Offered {
  acceptsCommands: boolean;
  offersIgnore: boolean;
}

function noise(all: readonly NoiseGroup[], offered: Offered): Section[] {
  const places = all.reduce((sum, { count }) => sum + count, 0);
  const rows = all.slice(0, MAX_NOISE).map((group) => noiseRow(group, offered));
  const title = `Noise: ${counted(all.length, "kind")} in ${counted(places, "resource")}`;
  return folded(title, table(["Attribute", "Resources", "Cause", "Stop it with"], rows));
}

function noiseRow(group: NoiseGroup, { acceptsCommands, offersIgnore }: Offered): string[] {
  const { fingerprint, fix_available: hasFix, hidden } = group;
  const { cause, stop } = CLASS_WORDS[group.class];
  const commands = [
    ...(hasFix ? [code(`${acceptsCommands ? "/" : ""}leeway fix ${fingerprint}`)] : []),
    ...(offersIgnore ? [code(`/leeway ignore ${fingerprint}`)] : []),
  ];
  return [
    code(`${group.resource_type}.${group.path_pattern}`),
    String(group.count),
    hidden ? cause : `${cause} Not certain, so it is listed above too.`,
    commands.length > 0 ? commands.join(" or ") : stop,
  ];
}

function footer({ note }: Narrative, acceptsCommands: boolean): Section[] {
  const notes = [
    ...(note === undefined ? [] : [`No model wrote an explanation: ${sentence(note)}`]),
    ...(acceptsCommands ? [`${code("/leeway help")} lists commands.`] : []),
  ];
  return notes.length === 0 ? [] : [paragraph(`<sub>${notes.join(" ")}</sub>`)];
}
