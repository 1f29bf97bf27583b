import type { NarrativeAnswer } from "@leeway/shared/contracts/analyzer/analysis";

import { code, tame } from "./markdown.ts";

/** Renders an answer as Markdown. */
export function answerMarkdown(
  { summary, findings }: NarrativeAnswer,
  names: ReadonlyMap<string, string>,
): string {
  const items = findings.map(
    (finding) => `- ${code(names.get(finding.id) ?? finding.id)}: ${explained(finding)}`,
  );
  return tame([summary ?? "", items.join("\n")].join("\n\n"));
}

/** Returns the explanation of one finding, with what to check. */
export function explained({ explanation, check }: NarrativeAnswer["findings"][number]): string {
  if (check === undefined) return explanation;
  return `${explanation} ${/^check\b/iu.test(check) ? "" : "Check: "}${check}`;
}
