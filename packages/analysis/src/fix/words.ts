import type { FixResult } from "@leeway/shared/contracts/analyzer/analysis";
import { redactText } from "@leeway/shared/security/redaction/redact";

import { boundedLines } from "../narrative/fence.ts";
import { questionOf, type Question } from "../narrative/prompt.ts";

/** Parts of a fix that a model sees. */
type Fix = Pick<FixResult, "strategy" | "explanation" | "risks" | "hcl">;

const MAX_LINES = 200;
const MAX_RESOURCES = 20;
const LINE_END = /\r?\n/;
const RESOURCE = /^resource[ \t]+"?([\w-]+)"?[ \t]+"?([\w-]+)"?[ \t]*\{/gmu;
const HEREDOC = /<<-?([\p{L}_][\p{L}\p{N}_-]*)/u;

const TASK =
  "You explain to an engineer why a plan shows a change that means nothing, and what a fix from a template does about it. Say what is given up with the fix, and propose no other. The engineer reads the fix's explanation first, so don't repeat it. Write all of it in `summary`, and leave `findings` empty.";

/**
 * Builds a model prompt about a fix. The model sees the block line by line, without single-line or multi-line
 * secrets.
 */
export function fixPrompt({ strategy, explanation, risks, hcl }: Fix): Question {
  const shown = withoutHeredocs(hcl.split(LINE_END)).slice(0, MAX_LINES);
  const records = redactText(shown.join("\n"))
    .split("\n")
    .map((text) => ({ text }));
  const shares = [{ name: "line", records, until: 1 }];
  const resources = Array.from(hcl.matchAll(RESOURCE), ([, type, name]) => `${type}.${name}`);
  const head = { strategy, explanation, risks, resources: resources.slice(0, MAX_RESOURCES) };
  return questionOf(TASK, (most) => boundedLines(head, shares, most), new Map());
}

/** Removes heredocs, because a key or script in one has no name beside it that marks it as secret. */
function withoutHeredocs(lines: readonly string[]): string[] {
  let end: string | undefined;
  return lines.filter((line) => {
    if (end !== undefined && line.trim() !== end) return false;
    end = end === undefined ? HEREDOC.exec(line)?.[1] : undefined;
    return true;
  });
}
