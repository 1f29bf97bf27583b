/** What a round of requests came to. */
export interface Figures {
  /** Answers a second. */
  rate: number;
  /** Milliseconds within which half, and 99 of 100, were answered. */
  p50: number;
  p99: number;
}

interface Round {
  url: string;
  connections: number;
  ms: number;
  /** The status that every answer must have, or those that it may have. */
  status: number | readonly number[];
  /** Makes what one connection asks, one after the other; it is given the answer before. */
  asker: (url: URL) => (previous: Buffer) => Buffer | string;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * Asks on several kept-alive connections for a while. It looks at bytes only, so that it takes little of the
 * machine from whom it measures.
 */
export async function load({ url, connections, ms, status, asker }: Round): Promise<Figures> {
  const took: number[] = [];
  const end = performance.now() + ms;
  const talk = async (): Promise<void> => {
    const connection = await connect(new URL(url), new Set([status].flat().map(String)));
    const next = asker(new URL(url));
    let answer: Buffer = Buffer.alloc(0);
    while (performance.now() < end) {
      const request = next(answer);
      const started = performance.now();
      answer = await connection.ask(request);
      took.push(performance.now() - started);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, talk));
  const sorted = took.toSorted((a, b) => a - b);
  const within = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { rate: (took.length / ms) * 1000, p50: within(0.5), p99: within(0.99) };
}

/** Of several rounds the one in the middle, by its rate. */
export function median(figures: readonly Figures[]): Figures {
  const sorted = figures.toSorted((a, b) => a.rate - b.rate);
  return sorted[figures.length >> 1] ?? { rate: 0, p50: 0, p99: 0 };
}

/** A kept-alive connection; what it wasn't answered with is an error. */
async function connect(url: URL, expected: ReadonlySet<string>) {
  let waiting = Promise.withResolvers<Buffer>();
  let held: Buffer = Buffer.alloc(0);
  let wanted = 0;
  const socket = await Bun.connect({
    hostname: url.hostname,
    port: Number(url.port),
    socket: {
      data(_, chunk) {
        held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
        if (wanted === 0) wanted = lengthOf(held);
        if (wanted === 0 || held.length < wanted) return;
        const answer = held.subarray(0, wanted);
        held = held.subarray(wanted);
        wanted = 0;
        if (expected.has(answer.toString("latin1", 9, 12))) waiting.resolve(answer);
        else waiting.reject(new Error(answer.toString("utf8")));
      },
      close: () => waiting.reject(new Error("the connection was closed")),
    },
  });
  return {
    ask(request: Buffer | string): Promise<Buffer> {
      waiting = Promise.withResolvers<Buffer>();
      socket.write(request);
      return waiting.promise;
    },
    close() {
      waiting.promise.catch(() => undefined);
      socket.end();
    },
  };
}

/** Bytes of the answer that `held` begins with; 0 while that can't be told. */
function lengthOf(held: Buffer): number {
  const head = held.indexOf(HEAD_END);
  if (head === -1) return 0;
  const body = head + HEAD_END.length;
  const headers = held.toString("latin1", 0, head);
  const length = /content-length: (\d+)/i.exec(headers)?.[1];
  if (length !== undefined) return body + Number(length);
  if (!/transfer-encoding: chunked/i.test(headers)) throw new Error("an answer without its length");
  return chunkedEnd(held, body);
}

/** Where a body ends that comes in chunks, each behind its length in hexadecimal; 0 while that can't be told. */
function chunkedEnd(held: Buffer, from: number): number {
  for (let at = from; ;) {
    const lineEnd = held.indexOf("\r\n", at);
    if (lineEnd === -1) return 0;
    const bytes = Number.parseInt(held.toString("latin1", at, lineEnd), 16);
    at = lineEnd + 2 + bytes + 2;
    if (bytes === 0) return at;
    if (at > held.length) return 0;
  }
}
