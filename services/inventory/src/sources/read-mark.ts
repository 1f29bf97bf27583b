import { hashOfCode } from "../code-hash.ts";

/** Code and tables that turn a state into declarations. */
const READING = "packages/{analysis,clouds,drift,shared}/src/**/*.{ts,tsv,json}";

let code: Promise<bigint> | undefined;

/**
 * Returns a number of a state's text and of the code that reads it. Another release has another number, so it reads every
 * state again, also one that an older process has stored meanwhile.
 * @param text SHA-256 of the text; see `TextHash`
 */
export async function readMark(text: Uint8Array): Promise<string> {
  code ??= hashOfCode(READING);
  return String(BigInt.asIntN(64, Bun.hash.wyhash(text, await code)));
}
