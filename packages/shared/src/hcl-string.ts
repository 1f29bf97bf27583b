/** A text as HCL has it between quotes, and Terraform in addresses: there, too, `${` is no more than text. */
export function hclString(text: string): string {
  // HCL knows all of JSON's escapes but two
  const escaped = JSON.stringify(text).replaceAll(
    /\\(.)/g,
    (escape, char: string) => ({ b: "\\u0008", f: "\\u000c" })[char] ?? escape,
  );
  return escaped.replaceAll(UNSEEN, codeOf).replaceAll(/[$%](?=\{)/g, "$&$&");
}

/** What isn't printed, or has a line read otherwise than it is. */
const UNSEEN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

function codeOf(unseen: string): string {
  const code = (unseen.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
