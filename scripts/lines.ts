/**
 * The lines of UTF-8, the last one also without its end. Each is ended by a line feed and nothing else: it may hold what
 * other readers take for a line's end.
 */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  // Not one text that grows: it would be gone through once more with every chunk.
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
