/** The beginning of a text that ends in a later chunk. Its parts are joined once, whatever their number. */
export class Pending {
  length = 0;
  #parts: Uint8Array[] = [];

  add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#parts.push(part);
    this.length += part.length;
  }

  /** Returns the text that ends with `end`. */
  take(end: Uint8Array = new Uint8Array()): Uint8Array {
    const text = this.#parts.length === 0 ? end : Buffer.concat([...this.#parts, end]);
    this.#parts = [];
    this.length = 0;
    return text;
  }
}
