/** Returns whether bytes start with the UTF-16 byte order mark, as files written by PowerShell's `>` do. */
export function isUtf16([first, second]: Uint8Array): boolean {
  return first === 0xff && second === 0xfe;
}

/** Decodes bytes as UTF-8, or as UTF-16 if they start with its byte order mark. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(isUtf16(bytes) ? "utf-16le" : "utf-8").decode(bytes);
}

/** Converts a stream from UTF-16 to UTF-8. */
export async function* inUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder("utf-16le");
  for await (const part of bytes) yield Buffer.from(decoder.decode(part, { stream: true }));
  yield Buffer.from(decoder.decode());
}

/** Reads all bytes of a stream. */
export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}
