/** Whitespace that runners skip before a command; only .NET skips U+0085. */
const LINE_COMMAND = /^([\t\v\f\u0085\uFEFF\p{Zs}]*)::/gmu;
/** Markers that Azure Pipelines, GitHub Actions and TeamCity recognize anywhere in a line. */
const MARKED_COMMAND = /##(?=(?:vso|teamcity)?\[)/g;
const JSON_TEXT = /^[[{]/;

/**
 * Breaks text that a CI system would run as a command, because names in plans and answers are untrusted. In JSON the
 * marker is escaped, so that values stay the same.
 */
export function withoutCommands(text: string): string {
  const mark = JSON_TEXT.test(text) ? String.raw`#\u0023` : "# #";
  return text.replaceAll(MARKED_COMMAND, mark).replaceAll(LINE_COMMAND, "$1: :");
}
