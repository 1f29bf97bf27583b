/**
 * Marks of direction, by which a name could show as another; controls, and what has no width or is blank. What joins
 * letters and emoji stays, and so do tabs and line ends.
 */
const UNSEEN =
  /(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}|[\u2028\u2029\uFFF9-\uFFFB]|(?![\t\n\r])\p{Cc}/gu;

/** What JSON says, with what can't be seen in its texts and names spelled out: `\u{202e}`. */
export function visible(value: unknown): unknown {
  if (typeof value === "string") return spelledOut(value);
  if (Array.isArray(value)) return value.map(visible);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [spelledOut(name), visible(inner)]));
}

function spelledOut(text: string): string {
  return text.replaceAll(UNSEEN, (unseen) => String.raw`\u{${unseen.codePointAt(0)?.toString(16) ?? ""}}`);
}
