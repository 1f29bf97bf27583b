import type { DeclaredIdentity, MatchKey } from "../cloud.ts";
import type { Declared } from "./model.ts";

/** Separators of a line's parts, and of lines. No cloud has them in a name. */
export const SEPARATOR = "\u001F";
export const LINE_END = "\u001E";

/** Longer keys don't fit an index, and no cloud has such ids. */
const LONGEST_KEY_BYTES = 2_500;

/**
 * Parses a text of `declaredTexts`. A text has many resources: the driver and the transfer to a thread take a
 * tenth of the time that rows of columns take.
 */
export function readDeclared(text: string): Declared[] {
  return text.split(LINE_END).map(readLine);
}

/** Returns the parts of an identity that such a text can contain. */
export function writable({ keys, region, ...identity }: DeclaredIdentity): DeclaredIdentity {
  return {
    ...identity,
    keys: keys.filter((key) => isWritable(key) && Buffer.byteLength(key) <= LONGEST_KEY_BYTES),
    ...(region !== undefined && isWritable(region) && { region }),
  };
}

function isWritable(text: string): boolean {
  return !text.includes(SEPARATOR) && !text.includes(LINE_END);
}

function readLine(line: string): Declared {
  const [id = "", sourceId = "", region, inline, contested, ...keys] = line.split(SEPARATOR);
  return {
    id,
    sourceId,
    region: region || undefined,
    inline: inline === "i",
    contested: contested === "c",
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only keys are stored as keys
    keys: keys as MatchKey[],
  };
}
