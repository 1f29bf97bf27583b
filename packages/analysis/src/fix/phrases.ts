/** A name as Markdown's code, whatever it holds. */
export function code(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ").replaceAll("`", "'");
  return `\`${line.length > MOST_LENGTH ? `${line.slice(0, MOST_LENGTH)}…` : line}\``;
}
const MOST_LENGTH = 300;
const MOST_ITEMS = 5;

/** A few of several, and how many more there are. */
export function list(items: readonly string[]): string {
  const more = items.length - MOST_ITEMS;
  return items.slice(0, MOST_ITEMS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
