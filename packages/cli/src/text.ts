/** Whether bytes begin with the mark of UTF-16, as what PowerShell's `>` writes does. */
export function isUtf16([first, second]: Uint8Array): boolean {
  return first === 0xff && second === 0xfe;
}

/** The text that bytes make, in UTF-8, or in UTF-16 when a mark in front says so. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(isUtf16(bytes) ? "utf-16le" : "utf-8").decode(bytes);
}

/** A text in UTF-16 in UTF-8, as it comes. */
export async function* inUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder("utf-16le");
  for await (const part of bytes) yield Buffer.from(decoder.decode(part, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** All bytes of a stream. */
export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
