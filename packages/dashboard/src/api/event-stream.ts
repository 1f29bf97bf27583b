/** One server-sent event. */
export interface ServerEvent {
  event: string;
  data: string;
  id?: string;
}

/** Creates a parser for server-sent events (WHATWG HTML, 9.2.6) that accepts chunks of any size. */
export function createEventReader(): (piece: string) => ServerEvent[] {
  let rest = "";
  return (piece) => {
    // A chunk may end between the two characters of a line break.
    const text = (rest + piece).replaceAll("\r\n", "\n");
    const blocks = text.split("\n\n");
    rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => eventOf(block) ?? []);
  };
}

function eventOf(block: string): ServerEvent | undefined {
  const fields = block.split("\n").map((line) => /^(event|data|id)(?:: ?(.*))?$/.exec(line));
  const valuesOf = (name: string) => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ""] : []));
  const data = valuesOf("data");
  if (data.length === 0) return undefined; // a comment that keeps the connection alive
  const id = valuesOf("id").at(-1);
  return {
    event: valuesOf("event").at(-1) || "message",
    data: data.join("\n"),
    ...(id !== undefined && { id }),
  };
}
