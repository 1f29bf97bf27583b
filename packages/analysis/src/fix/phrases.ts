/** Returns a name as Markdown code, whatever characters it contains. */
export function code(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ").replaceAll("`", "'");
  return `\`${line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line}\``;
}
const MAX_LENGTH = 300;
const MAX_ITEMS = 5;

/** Lists the first items and counts the rest. */
export function list(items: readonly string[]): string {
  const more = items.length - MAX_ITEMS;
  return items.slice(0, MAX_ITEMS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
