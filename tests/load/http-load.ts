/** Results of a round of requests. */
export interface Figures {
  /** Answers per second. */
  rate: number;
  /** Median of the answer time, in ms; `p99` is the 99th percentile. */
  p50: number;
  p99: number;
}

interface Round {
  url: string;
  connections: number;
  ms: number;
  /** Status that every answer must have, or a list of allowed ones. */
  status: number | readonly number[];
  /** Creates a connection's source of requests, which receives the previous answer each time. */
  asker: (url: URL) => (previous: Buffer) => Buffer | string;
}

const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * Sends requests over several kept-alive connections for a while. It handles only bytes, to leave processor time for
 * the measured services.
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

/** Returns the round with the median rate. */
export function median(figures: readonly Figures[]): Figures {
  const sorted = figures.toSorted((a, b) => a.rate - b.rate);
  return sorted[figures.length >> 1] ?? { rate: 0, p50: 0, p99: 0 };
}

/** Opens a kept-alive connection. An answer with an unexpected status is an error. */
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

/** Returns the length of the first answer in `held`, in bytes; 0 while it isn't known. */
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

/** Returns the end of a chunked body, whose chunks follow their length in hexadecimal; 0 while it isn't complete. */
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
