import { planEvent, signed } from "../../services/webhooks/test/kit.ts";
import type { Receiver } from "./fleet.ts";

/** One answer, or that there was none. */
export interface Attempt {
  /** 0 when the connection failed. */
  status: number;
  ms: number;
  text: string;
  retryAfter: string | null;
}

/** Sends as a careful planner does: what isn't answered 202 is sent again, the same body. */
export interface Sender {
  /** Resolves with the delivery's id once the event was answered 202. */
  send(body: string): Promise<string>;
  /** The id that the first 202 to each body named. */
  ids: ReadonlyMap<string, string>;
  /** How often each status came. */
  statuses: Readonly<Record<number, number>>;
  /** Answers that name no delivery, or another than the first, or refuse without telling when to come back. */
  wrong: readonly string[];
  slowestMs(): number;
  /** When the latest of the requests that were answered 202 had been sent. */
  acceptedAt(): number;
}

/** So long a hung answer is waited for, to be seen as one. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 50;
/** Between two events of one worker, so that what is broken and mended meanwhile has its part of the machine. */
const BREATH_MS = 20;

export function createSender(receiver: Receiver): Sender {
  const ids = new Map<string, string>();
  const statuses: Record<number, number> = {};
  const wrong: string[] = [];
  const seen = { slowestMs: 0, acceptedAt: 0 };

  function note({ status, ms, text, retryAfter }: Attempt): void {
    statuses[status] = (statuses[status] ?? 0) + 1;
    seen.slowestMs = Math.max(seen.slowestMs, ms);
    if (status === 503 && retryAfter === null) wrong.push(text);
  }

  function idOf(body: string, { text }: Attempt): string {
    const { delivery_id: id }: { delivery_id?: string } = JSON.parse(text);
    const first = ids.get(body) ?? id ?? "";
    ids.set(body, first);
    if (id !== first) wrong.push(text);
    return first;
  }

  return {
    ids,
    statuses,
    wrong,
    slowestMs: () => seen.slowestMs,
    acceptedAt: () => seen.acceptedAt,
    async send(body) {
      for (;;) {
        const sentAt = performance.now();
        const answer = await attempt(receiver, body);
        note(answer);
        if (answer.status === 202) {
          seen.acceptedAt = Math.max(seen.acceptedAt, sentAt);
          return idOf(body, answer);
        }
        await Bun.sleep(PAUSE_MS);
      }
    },
  };
}

/** Sends one event after the other, so many at a time, until it is told to stop and the last ones are through. */
export function keepSending(sender: Sender, atOnce: number): () => Promise<void> {
  const state = { stopped: false };
  const worker = async (): Promise<void> => {
    while (!state.stopped) {
      await sender.send(planEvent());
      await Bun.sleep(BREATH_MS);
    }
  };
  const working = Promise.all(Array.from({ length: atOnce }, worker));
  return async () => {
    state.stopped = true;
    await working;
  };
}

/** Sends a body once. */
export async function attempt({ url, secret }: Receiver, body: string): Promise<Attempt> {
  const started = performance.now();
  const answered = await fetch(url, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", "x-planner-signature": signed(secret, body) },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
    .then(async (response) => ({
      status: response.status,
      text: await response.text(),
      retryAfter: response.headers.get("retry-after"),
    }))
    .catch((error: unknown) => ({ status: 0, text: String(error), retryAfter: null }));
  return { ...answered, ms: performance.now() - started };
}

/** Runs `work` on each of `all`, so many at a time. */
export async function each<T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<unknown>,
): Promise<void> {
  const left = all.values();
  const worker = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
