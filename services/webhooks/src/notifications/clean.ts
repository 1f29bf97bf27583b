const MAX_LENGTH = 300;
/** Control characters, and characters that are invisible or change the direction of text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Returns `text` on one line without invisible characters, cut to 300 characters. */
export function clean(text: string): string {
  const line = text.replaceAll(INVISIBLE, " ").trim();
  return line.length <= MAX_LENGTH ? line : `${line.slice(0, MAX_LENGTH - 1).toWellFormed()}…`;
}
