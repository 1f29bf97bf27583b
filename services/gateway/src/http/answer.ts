/** A response, before the headers that every response gets. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
  /** Body that is still being produced, instead of `body`. */
  stream?: ReadableStream<Uint8Array>;
  /** Cookies to set or delete. */
  cookies?: readonly string[];
}

const JSON_TYPE = { "content-type": "application/json" };

/** Answers with `value` as JSON. */
export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(value) };
}

/** Answers with JSON from another service. */
export function jsonBytes(
  body: Uint8Array,
  status = 200,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return { status, headers: headers ? { ...JSON_TYPE, ...headers } : JSON_TYPE, body };
}

/** Merges headers. If both have a header, its values become a list, as needed for several limits. */
export function joined(some: Answer["headers"], more: Answer["headers"]): Record<string, string> {
  const both = Object.entries(more).map(([name, value]) => {
    const before = some[name];
    return [name, before === undefined ? value : `${value}, ${before}`];
  });
  return { ...some, ...Object.fromEntries(both) };
}

export const NO_CONTENT: Answer = { status: 204, headers: {}, body: null };
