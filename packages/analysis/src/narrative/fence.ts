import { redactText } from "@leeway/shared/redaction/redact";

import { shorten, visible } from "./markdown.ts";

/** Nobody's address is longer: what is cut can't be cited. */
const LONGEST_TEXT = 1_000;

/** Records that go into a prompt, most important first, and how much of it they may fill together. */
export interface Share {
  name: string;
  records: readonly object[];
  /** Of the whole, counted from its beginning: what others leave unused can be used. */
  until: number;
}

/**
 * Records as lines of JSON that take at most `most` characters, with a last line that says what was left out.
 * Texts are without secrets, without what can't be seen, and cut when long.
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

/** `data` between two lines that don't occur in it, so that nothing in it can end it. */
export function fenced(data: string): string {
  const searched = data.toLowerCase();
  let number = 1;
  while (searched.includes(`leeway-data-${number}`)) number += 1;
  return `<<<LEEWAY-DATA-${number}\n${data}\nLEEWAY-DATA-${number}>>>`;
}
