const codeOf = (character: string): number => character.charCodeAt(0);
const [QUOTE, ESCAPE] = [codeOf('"'), codeOf("\\")];
/** Change of the nesting by each byte that isn't in a text. */
const NESTING = new Int8Array(256);
for (const opening of "[{") NESTING[codeOf(opening)] = 1;
for (const closing of "]}") NESTING[codeOf(closing)] = -1;

/** Finds where an object ends, without parsing it. Its bytes may arrive in several chunks. */
export class ObjectScanner {
  /** Number of open braces and brackets; 0 outside an object. */
  depth = 0;
  #isText = false;
  /** Whether the next chunk begins with an escaped byte. */
  #isEscaped = false;

  /** Returns the place after the object, or where the chunk ends or the nesting reaches `deepest`. */
  skip(chunk: Uint8Array, from: number, deepest: number): number {
    let [at, depth, isText] = [this.#isEscaped ? from + 1 : from, this.depth, this.#isText];
    for (; at < chunk.length && depth > 0 && depth < deepest; at += 1) {
      const byte = chunk[at] ?? 0;
      if (!isText) {
        depth += NESTING[byte] ?? 0;
        isText = byte === QUOTE;
      } else if (byte === ESCAPE) at += 1;
      else isText = byte !== QUOTE;
    }
    this.#isEscaped = at > chunk.length;
    [this.depth, this.#isText] = [depth, isText];
    return at;
  }
}
