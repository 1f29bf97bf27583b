import { redactText } from "@leeway/shared/security/redaction/redact";

import { shorten, visible } from "./markdown.ts";

/** Longer than any real address: truncated text can't be cited. */
const LONGEST_TEXT = 1_000;

/** Records for a prompt, most important first, and the share of the prompt that they may fill. */
export interface Share {
  name: string;
  records: readonly object[];
  /** Fraction of the whole, counted from the start, so that space unused by earlier records is available. */
  until: number;
}

/**
 * Writes records as JSON lines of at most `most` characters in total; a last line counts the omitted ones. Texts are
 * masked, stripped of invisible characters and truncated.
 */
export function boundedLines(head: object, shares: readonly Share[], most: number): string {
  const lines = [line(head)];
  let used = (lines[0]?.length ?? 0) + 1;
  const leftOut: Record<string, number> = {};
  for (const { name, records, until } of shares) {
    let taken = 0;
    for (const record of records) {
      const next = line({ [name]: record });
      if (used + next.length + 1 > most * until) break;
      lines.push(next);
      used += next.length + 1;
      taken += 1;
    }
    if (taken < records.length) leftOut[name] = records.length - taken;
  }
  if (Object.keys(leftOut).length > 0) lines.push(line({ left_out: leftOut }));
  return lines.join("\n");
}

function line(value: object): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "string" ? shorten(redactText(visible(inner)), LONGEST_TEXT) : inner,
  );
}

/** Wraps `data` between two lines that don't occur in it, so that no data can end the block. */
export function fenced(data: string): string {
  const searched = data.toLowerCase();
  let number = 1;
  while (searched.includes(`leeway-data-${number}`)) number += 1;
  return `<<<LEEWAY-DATA-${number}\n${data}\nLEEWAY-DATA-${number}>>>`;
}
