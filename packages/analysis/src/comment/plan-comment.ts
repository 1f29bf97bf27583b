import type { Analysis, RiskLevel } from "@leeway/shared/contracts/analyzer/analysis";
import { isAtLeast, worstOf } from "@leeway/shared/contracts/analyzer/risk-levels";

import { driftLevel } from "../narrative/counts.ts";
import { markerOf, partMarker } from "./marker.ts";
import { sectionsOf, titleOf, type Explained } from "./sections.ts";
import type { Section } from "./table.ts";

/** Maximum length of a comment by host, in characters. */
export const COMMENT_LIMITS = { github: 65_536, gitlab: 1_000_000 } as const;

/** Maximum number of comments for one plan; a host's API accepts no more. */
export const MAX_PARTS = 20;
const LEFT_OUT = "\n\n**This comment is at its limit. The report contains the rest.**";

/** One comment on the code host. */
export interface CommentPart {
  marker: string;
  body: string;
}

/**
 * Renders the comment that explains a plan, split to fit the host's limit (at least 16,384 characters). The same
 * analysis and narrative always give the same comment, and no text from outside can act in it.
 */
export function planComment({ limit, ...explained }: Explained & { limit: number }): CommentPart[] {
  const marker = markerOf(explained.context.project);
  return split(sectionsOf(explained), { marker, limit, title: titleOf(explained.context) });
}

/** Returns whether an analysis warrants a new comment. An existing comment is updated whatever the level. */
export function deservesComment(analysis: Analysis, least: RiskLevel): boolean {
  return isAtLeast(worstOf([analysis.risk_level, driftLevel(analysis)]), least);
}

/**
 * Splits sections into comments of at most `limit` characters, each with its marker on the first line. A section that
 * spans parts is closed at the end of one and reopened in the next. Lines are never cut, because half of a code span
 * would be active text.
 */
function split(
  sections: readonly Section[],
  { marker, limit, title }: { marker: string; limit: number; title: string },
): CommentPart[] {
  const parts = new Parts({ marker, limit, title });
  for (const section of sections) parts.add(section);
  return parts.done();
}

class Parts {
  readonly #done: CommentPart[] = [];
  readonly #marker: string;
  readonly #limit: number;
  readonly #title: string;
  #text: string;
  #close = "";

  constructor({ marker, limit, title }: { marker: string; limit: number; title: string }) {
    [this.#marker, this.#limit, this.#title] = [marker, limit - LEFT_OUT.length, title];
    this.#text = marker;
  }

  add({ open, lines, close }: Section): void {
    const [first = ""] = lines;
    if (!this.#fits(`\n\n${open}${first}${close}`)) this.#next();
    this.#append(`\n\n${open}`, close);
    for (const [index, line] of lines.entries()) {
      const before = index === 0 ? "" : "\n";
      if (this.#fits(before + line)) this.#append(before + line, close);
      else {
        this.#next();
        this.#append(`\n\n${open}`, close);
        this.#append(line, close);
      }
    }
    this.#text += close;
    this.#close = "";
  }

  done(): CommentPart[] {
    this.#next();
    const last = this.#done[MAX_PARTS - 1];
    if (this.#done.length <= MAX_PARTS || last === undefined) return this.#done;
    return [...this.#done.slice(0, MAX_PARTS - 1), { ...last, body: last.body + LEFT_OUT }];
  }

  #room(): number {
    return this.#limit - this.#text.length - this.#close.length;
  }

  #fits(text: string): boolean {
    return text.length <= this.#room();
  }

  #append(text: string, close: string): void {
    this.#text += text;
    this.#close = close;
  }

  #next(): void {
    const number = this.#done.length + 1;
    const marker = number === 1 ? this.#marker : partMarker(this.#marker, number);
    this.#done.push({ marker, body: this.#text + this.#close });
    this.#text = `${partMarker(this.#marker, number + 1)}\n${this.#title}, part ${number + 1}`;
    this.#close = "";
  }
}
