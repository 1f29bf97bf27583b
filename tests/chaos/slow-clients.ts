import type { Receiver } from "./fleet.ts";

/** Connections that send one byte per second. */
export interface SlowClients {
  /** Returns the number of connections that the server hasn't closed yet. */
  open(): number;
  /** Returns the lifetime of the longest connection, in ms. */
  longestMs(): number;
  /** Number of connections by the status that came before the close; empty for none. */
  answers: Readonly<Record<string, number>>;
}

const EVERY_MS = 1_000;

/** Parts of a request: the first is sent at once, the rest at one byte per second. */
const WAYS: readonly ((head: string) => { first: string; rest: string })[] = [
  (head) => ({ first: `${head}content-length: 2048\r\n\r\n`, rest: " ".repeat(2_048) }),
  (head) => ({ first: `${head}transfer-encoding: chunked\r\n\r\n800\r\n`, rest: " ".repeat(2_048) }),
  (head) => ({ first: `${head}content-length: 4194304\r\n\r\n`, rest: " ".repeat(2_048) }),
  (head) => ({ first: "", rest: `${head}x-padding: ${"x".repeat(2_048)}` }),
];

/** Opens `count` connections with slow headers or slow bodies. */
export async function openSlowly({ url }: Receiver, count: number): Promise<SlowClients> {
  const { hostname, port, host, pathname } = new URL(url);
  const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\nx-planner-signature: sha256=00\r\n`;
  const answers: Record<string, number> = {};
  const seen = { open: count, longestMs: 0 };

  const openOne = async (n: number): Promise<void> => {
    const { first, rest } = WAYS[n % WAYS.length]?.(head) ?? { first: "", rest: "" };
    const opened = performance.now();
    let sent = 0;
    let status = "";
    const socket = await Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        data(_, chunk) {
          status ||= chunk.toString("latin1", 9, 12);
        },
        close() {
          clearInterval(ticking);
          seen.open -= 1;
          seen.longestMs = Math.max(seen.longestMs, performance.now() - opened);
          answers[status] = (answers[status] ?? 0) + 1;
        },
        error: () => undefined,
      },
    });
    socket.write(first);
    const ticking = setInterval(() => socket.write(rest.charAt(sent++)), EVERY_MS);
  };
  await Promise.all(Array.from({ length: count }, (_, n) => openOne(n)));
  return { answers, open: () => seen.open, longestMs: () => seen.longestMs };
}
