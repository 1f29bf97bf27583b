/** Quotes a text as HCL does between quotes, and as Terraform does in addresses. `${` is plain text in both. */
export function hclString(text: string): string {
  // HCL has all of JSON's escapes except two.
  const escaped = JSON.stringify(text).replaceAll(
    /\\(.)/g,
    (escape, char: string) => ({ b: "\\u0008", f: "\\u000c" })[char] ?? escape,
  );
  return escaped.replaceAll(UNSEEN, codeOf).replaceAll(/[$%](?=\{)/g, "$&$&");
}

/** Characters that aren't printed, or that change how a line is read. */
const UNSEEN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

function codeOf(unseen: string): string {
  const code = (unseen.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
