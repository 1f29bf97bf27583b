/** Values in the text format of PostgreSQL's COPY. */
export type CopyValue = string | boolean | undefined | readonly string[];

/** Returns one line of COPY text, without its line feed. Characters that PostgreSQL can't store are replaced. */
export function copyLine(values: readonly CopyValue[]): string {
  const fields: string[] = [];
  for (const value of values) fields.push(copyField(value));
  return fields.join("\t");
}

/** Returns a text as PostgreSQL returns it after storing it. */
export function asStored(text: string): string {
  if (text.isWellFormed() && !text.includes("\0")) return text;
  return text.toWellFormed().replaceAll("\0", NO_CHARACTER);
}

const NO_CHARACTER = "\uFFFD";
const NULL = String.raw`\N`;

function copyField(value: CopyValue): string {
  if (value === undefined) return NULL;
  if (typeof value === "string") return escapeField(value);
  if (typeof value === "boolean") return value ? "t" : "f";
  if (value.length === 0) return "{}";
  return SPECIAL_IN_ARRAY.test(value.join(""))
    ? `{${value.map(arrayElement).join(",")}}`
    : `{"${value.join('","')}"}`;
}

const SPECIAL = /[\\\t\n\r\0]/;
const REPLACEMENTS: Readonly<Record<string, string>> = {
  "\\": String.raw`\\`,
  "\t": String.raw`\t`,
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\0": NO_CHARACTER,
};

function escapeField(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replaceAll(/[\\\t\n\r\0]/g, (character) => REPLACEMENTS[character] ?? character);
}

const SPECIAL_IN_ARRAY = /["\\\t\n\r\0]/;

/** Quotes an element for the array, and the result for COPY. */
function arrayElement(text: string): string {
  return escapeField(`"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`);
}
