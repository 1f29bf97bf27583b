import { hashOfCode } from "../code-hash.ts";

/** Code and tables that turn a state into declarations. */
const READING = "packages/{analysis,clouds,drift,shared}/src/**/*.{ts,tsv,json}";

let code: Promise<bigint> | undefined;

/** Returns a number of the code that reads states. Another release has another number, so it reads every state again. */
export async function stateSeed(): Promise<bigint> {
  code ??= hashOfCode(READING);
  return BigInt.asIntN(64, await code);
}
