/** What goes back to the client, before the headers that every answer has. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
  /** In place of a body: what is still to come. */
  stream?: ReadableStream<Uint8Array>;
  /** What the browser is to hold or to forget. */
  cookies?: readonly string[];
}

const JSON_TYPE = { "content-type": "application/json" };

/** An answer with `value` as JSON. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}

/** An answer whose JSON another service wrote. */
export function jsonBytes(
  body: Uint8Array,
  status = 200,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return { status, headers: headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE, body };
}

/** All headers; one that both have is a list, as that of several limits is. */
export function joined(some: Answer["headers"], more: Answer["headers"]): Record<string, string> {
  const both = Object.entries(more).map(([name, value]) => {
    const before = some[name];
    return [name, before === undefined ? value : `${value}, ${before}`];
  });
  return { ...some, ...Object.fromEntries(both) };
}

export const NO_CONTENT: Answer = { status: 204, headers: {}, body: null };
