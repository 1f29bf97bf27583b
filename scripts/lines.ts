/**
 * Yields the lines of UTF-8 text, including an unterminated last one. Only a line feed ends a line, because lines may
 * contain other separators.
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // An array, because one growing string would be copied with every chunk.
  let begun: string[] = [];
  for await (const chunk of bytes) {
    const [end = "", ...lines] = decoder.decode(chunk, { stream: true }).split("\n");
    begun.push(end);
    for (const line of lines) {
      yield begun.join("");
      begun = [line];
    }
  }
  const rest = begun.join("");
  if (rest !== "") yield rest;
}
