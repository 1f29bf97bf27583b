import type { Narrative } from "@leeway/shared/contracts/analyzer/analysis";

import { explained } from "../narrative/answer-markdown.ts";
import { code, tame } from "../narrative/markdown.ts";
import type { Section } from "./table.ts";

/**
 * Characters that could open an HTML tag. They are harmless inside code, but escaping them everywhere means that no
 * text can end the block.
 */
const OPENING = /<(?=[a-z/!?])/giu;
const SUMMARY = "Written by a model; levels come from rules";

/** Renders a model's words, folded and marked as a model's. They appear nowhere else. Empty if no model wrote. */
export function modelBlock({ source, model, text }: Pick<Narrative, "source" | "model" | "text">): Section[] {
  const words = tame(text);
  return source === "template" || words === "" ? [] : [block(words, model)];
}

/** Renders {@link modelBlock} with only the findings in `ids`. */
export function modelBlockAbout({ source, model, answer }: Narrative, ids: ReadonlySet<string>): Section[] {
  const findings = answer?.findings.filter(({ id }) => ids.has(id)) ?? [];
  return source === "template" || findings.length === 0
    ? []
    : [block(tame(findings.map((finding) => `- ${explained(finding)}`).join("\n")), model)];
}

function block(words: string, model: string | undefined): Section {
  const by = model === undefined ? "" : `Model: ${code(model)}\n\n`;
  const [name, ...lines] = [by, ...words.split("\n")].map((text) => text.replaceAll(OPENING, "‹"));
  return {
    open: `<details><summary>${SUMMARY}</summary>\n\n${name}`,
    lines,
    close: "\n\n</details>",
  };
}
