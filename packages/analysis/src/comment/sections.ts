import type {
  Analysis,
  AnalyzeResult,
  Finding,
  Narrative,
  NoiseGroup,
  PlannedDrift,
} from "@leeway/shared/contracts/analyzer/analysis";

import { isAtLeast } from "@leeway/shared/risk-levels";

import { projectLabel, type AnalysisContext } from "../narrative/context.ts";
import { countsInWords, driftLevel } from "../narrative/counts.ts";
import { cell, code, prose, sentence, tame } from "../narrative/markdown.ts";
import { CLASS_WORDS } from "../noise/classes.ts";
import { withoutMuted } from "../noise/without-muted.ts";
import { actionText, counted, pathText, planInWords } from "../narrative/words.ts";
import type { Section } from "./split.ts";

/** What a comment and a report in Markdown are made of. */
export interface Explained {
  analysis: Analysis;
  narrative: Narrative;
  context: AnalysisContext;
  gate?: AnalyzeResult["gate"];
  /** Whether commands are heard where this is read: in merge requests of GitLab alone. Elsewhere the CLI has a fix. */
  isHeard?: boolean;
}

/** A page that lists more helps nobody; the job's result has all of them. */
const MOST_ROWS = { findings: 300, drift: 200, noise: 100 };
const MOST_PATHS = 5;

/** Everything that is said of an analysis, in the order in which it is read. */
export function sectionsOf(explained: Explained): Section[] {
  const { narrative, isHeard = false } = explained;
  const analysis = withoutMuted(explained.analysis);
  return [
    paragraph(...headline(explained)),
    ...(narrative.source === "template" ? [] : warnings(analysis)),
    paragraph(...tame(isHeard ? narrative.text : withCli(narrative.text)).split("\n")),
    ...findings(analysis.findings),
    ...drift(analysis.drift),
    ...noise(analysis.noise, isHeard),
    paragraph(
      `<sub>${sourceText(narrative)}${isHeard ? ` ${code("/leeway help")} lists commands.` : ""}</sub>`,
    ),
  ];
}

/** A text whose fixes are asked for at the CLI. */
function withCli(text: string): string {
  return text.replaceAll("`/leeway fix ", "`leeway fix ");
}

/** What stands above a comment's further parts, and in its headline. */
export function titleOf({ project }: AnalysisContext): string {
  const label = projectLabel(project);
  return label === undefined ? "Leeway" : `Leeway, ${code(label)}`;
}

function paragraph(...lines: string[]): Section {
  return { open: "", lines, close: "" };
}

function headline({ analysis, context, gate }: Explained): string[] {
  const counts = countsInWords(analysis.risk_counts);
  return [
    `### ${titleOf(context)}: ${riskText(analysis)}`,
    "",
    [
      `Plan: ${planInWords(analysis)}`,
      ...(counts === "" ? [] : [`findings: ${counts}`]),
      ...(gate === undefined ? [] : [gateText(gate)]),
    ].join("; "),
  ];
}

/** The level of the changes, and that of what was changed outside where it is worse. */
export function riskText(analysis: Pick<Analysis, "errored" | "risk_level" | "drift">): string {
  const { errored = false, risk_level: level } = analysis;
  const drifted = driftLevel(analysis);
  const isDriftWorse = !isAtLeast(level, drifted);
  const none = isDriftWorse ? "no risk in its changes" : "no risk found";
  return [
    ...(errored ? ["the plan failed"] : []),
    ...(level === "none" ? (errored ? [] : [none]) : [`**${level}** risk`]),
    ...(isDriftWorse ? [`**${drifted}** drift`] : []),
  ].join(", ");
}

/** Such as "gate **failed** (fails on high or worse)". */
export function gateText({ fail_on, passed }: AnalyzeResult["gate"]): string {
  const rule =
    fail_on === "never" ? "never fails" : `fails on ${fail_on}${fail_on === "critical" ? "" : " or worse"}`;
  return `gate **${passed ? "passed" : "failed"}** (${rule})`;
}

function warnings({ warnings: texts }: Analysis): Section[] {
  return texts.length === 0
    ? []
    : [paragraph("Read it with care:", "", ...texts.map((text) => `- ${sentence(text)}`))];
}

function findings(all: readonly Finding[]): Section[] {
  const rows = all
    .slice(0, MOST_ROWS.findings)
    .map(({ risk_level, address, actions, rule, message }) =>
      row([
        `**${risk_level}**`,
        address === "" ? "the plan" : code(address),
        actions.length === 0 ? "" : prose(actionText(actions)),
        prose(rule),
        prose(message),
      ]),
    );
  return table(["Level", "Resource", "Action", "Rule", "What"], rows, { all: all.length, what: "finding" });
}

function drift(all: readonly PlannedDrift[]): Section[] {
  const rows = all
    .slice(0, MOST_ROWS.drift)
    .map(({ risk_level, kind, address, ...rest }) =>
      row([
        rest.noise === undefined ? `**${risk_level}**` : "noise",
        code(address),
        `${kind === "missing" ? "is gone" : "changed"}${rest.relevant ? ", and the plan has changes because of it" : ""}`,
        paths(rest.attribute_changes.map(({ path }) => pathText(path))),
      ]),
    );
  const head = ["Level", "Resource", "What", "Attributes"];
  const title = `Drift: ${counted(all.length, "resource")} changed outside`;
  return folded(title, table(head, rows, { all: all.length, what: "resource" }));
}

function noise(all: readonly NoiseGroup[], isHeard: boolean): Section[] {
  const rows = all
    .slice(0, MOST_ROWS.noise)
    .map((group) =>
      row([
        code(group.class),
        code(group.resource_type),
        code(group.path_pattern),
        String(group.count),
        `${Math.round(group.confidence * 100)}%${group.hidden ? "" : ", shown as finding too"}`,
        CLASS_WORDS[group.class].stop,
        [
          ...(group.fix_available ? [code(`${isHeard ? "/" : ""}leeway fix ${group.fingerprint}`)] : []),
          ...(isHeard ? [code(`/leeway ignore ${group.fingerprint}`)] : []),
        ].join(" or "),
      ]),
    );
  const places = all.reduce((sum, { count }) => sum + count, 0);
  const head = ["Kind", "Type", "Attribute", "Places", "Sure", "How to stop it", "Command"];
  const title = `Noise: ${counted(all.length, "kind")} in ${counted(places, "place")}`;
  return folded(title, table(head, rows, { all: all.length, what: "kind" }));
}

function paths(texts: string[]): string {
  const more = texts.length - MOST_PATHS;
  const shown = texts.slice(0, MOST_PATHS).map((text) => code(text));
  return (more > 0 ? [...shown, `${more} more`] : shown).join(", ");
}

function row(cells: string[]): string {
  return `| ${cells.map((one) => cell(one)).join(" | ")} |`;
}

function table(head: string[], rows: string[], { all, what }: { all: number; what: string }): Section[] {
  if (rows.length === 0) return [];
  const open = `${row(head)}\n|${" --- |".repeat(head.length)}\n`;
  const more = all - rows.length;
  return [
    { open, lines: rows, close: "" },
    ...(more > 0 ? [paragraph(`${counted(more, `more ${what}`)}: the job's result has them all.`)] : []),
  ];
}

/** Sections below a line that opens them. `title` is HTML, of our own words alone. */
function folded(title: string, sections: Section[]): Section[] {
  return sections.map(({ open, lines, close }) => ({
    open: `<details><summary>${title}</summary>\n\n${open}`,
    lines,
    close: `${close}\n\n</details>`,
  }));
}

function sourceText({ source, model, note }: Narrative): string {
  const by = model === undefined ? "" : ` ${code(model)}`;
  const texts = {
    platform: `The text is by Leeway's model${by}; levels, findings and figures are by rules alone.`,
    byok: `The text is by your organization's model${by}; levels, findings and figures are by rules alone.`,
    template: `All of this is by rules alone${note === undefined ? "." : `: ${sentence(note)}`}`,
  };
  return texts[source];
}
