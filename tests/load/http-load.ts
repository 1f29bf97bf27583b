/** What a round of requests came to. */
export interface Figures {
  /** Answers a second. */
  rate: number;
  /** Milliseconds within which half, and 99 of 100, were answered. */
  p50: number;
  p99: number;
}

interface Walk {
  url: string;
  key?: string;
  connections: number;
  ms: number;
}

const MARK = Buffer.from('"next_cursor":"');
const HEAD_END = Buffer.from("\r\n\r\n");

/**
 * Follows the pages of a list on several connections, each from the first page on, and from there again at the
 * end. It looks at bytes only, so that it takes little of the machine from whom it measures.
 */
export async function walkPages({ url, key, connections, ms }: Walk): Promise<Figures> {
  const took: number[] = [];
  const end = performance.now() + ms;
  const walker = async (): Promise<void> => {
    const connection = await connect(new URL(url), key);
    let cursor = "";
    while (performance.now() < end) {
      const started = performance.now();
      cursor = await connection.ask(cursor);
      took.push(performance.now() - started);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, walker));
  const sorted = took.toSorted((a, b) => a - b);
  const within = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { rate: (took.length / ms) * 1000, p50: within(0.5), p99: within(0.99) };
}

/** A kept-alive connection that asks for page after page. */
async function connect(url: URL, key: string | undefined) {
  let waiting = Promise.withResolvers<string>();
  let held = Buffer.alloc(0);
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
        const status = answer.toString("latin1", 9, 12);
        if (status === "200") waiting.resolve(cursorIn(answer));
        else waiting.reject(new Error(answer.toString("utf8")));
      },
      close: () => waiting.reject(new Error("the connection was closed")),
    },
  });
  const authorization = key === undefined ? "" : `authorization: Bearer ${key}\r\n`;
  return {
    ask(cursor: string): Promise<string> {
      waiting = Promise.withResolvers<string>();
      const path = `${url.pathname}${url.search}${cursor === "" ? "" : `&cursor=${cursor}`}`;
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${url.host}\r\n${authorization}\r\n`);
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
  const length = /content-length: (\d+)/i.exec(held.toString("latin1", 0, head))?.[1];
  if (length === undefined) throw new Error("an answer without its length");
  return head + HEAD_END.length + Number(length);
}

function cursorIn(answer: Buffer): string {
  const at = answer.lastIndexOf(MARK);
  if (at === -1) return "";
  const begin = at + MARK.length;
  return answer.toString("latin1", begin, answer.indexOf('"', begin));
}
