/**
 * Bidirectional, control, zero-width and blank characters, which could disguise a name. Joiners for letters and
 * emoji, tabs and line ends are kept.
 */
const UNSEEN =
  /(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}|[\u2028\u2029\uFFF9-\uFFFB]|(?![\t\n\r])\p{Cc}/gu;

/** Escapes invisible characters in a JSON value's texts and names: `\u{202e}`. */
export function visible(value: unknown): unknown {
  if (typeof value === "string") return spelledOut(value);
  if (Array.isArray(value)) return value.map(visible);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [spelledOut(name), visible(inner)]));
}

function spelledOut(text: string): string {
  return text.replaceAll(UNSEEN, (unseen) => String.raw`\u{${unseen.codePointAt(0)?.toString(16) ?? ""}}`);
}
