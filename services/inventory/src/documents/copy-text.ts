/** Values as PostgreSQL's COPY takes them in its text format. */
export type CopyValue = string | boolean | undefined | readonly string[];

/** One line of COPY text, without its line feed. Characters that PostgreSQL can't store are replaced. */
export function copyLine(values: readonly CopyValue[]): string {
  return values.map(copyField).join("\t");
}

function copyField(value: CopyValue): string {
  if (value === undefined) return String.raw`\N`;
  if (typeof value === "string") return escapeField(value);
  if (typeof value === "boolean") return value ? "t" : "f";
  return value.length === 0 ? "{}" : `{${value.map(arrayElement).join(",")}}`;
}

const SPECIAL = /[\\\t\n\r\0]/;
const REPLACEMENTS: Readonly<Record<string, string>> = {
  "\\": String.raw`\\`,
  "\t": String.raw`\t`,
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\0": "\uFFFD",
};

function escapeField(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replaceAll(/[\\\t\n\r\0]/g, (character) => REPLACEMENTS[character] ?? character);
}

const SPECIAL_IN_ARRAY = /["\\\t\n\r\0]/;

/** Quoted for the array first, and what that gives for COPY. */
function arrayElement(text: string): string {
  if (!SPECIAL_IN_ARRAY.test(text)) return `"${text}"`;
  return escapeField(`"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`);
}
