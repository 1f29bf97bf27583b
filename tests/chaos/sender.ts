import { planEvent, signed } from "../../services/webhooks/test/kit.ts";
import type { Receiver } from "./fleet.ts";
import { ANSWER_LIMIT_MS } from "./promised.ts";

/** Result of one request. */
export interface Attempt {
  /** HTTP status; 0 when the connection failed. */
  status: number;
  ms: number;
  text: string;
  retryAfter: string | null;
}

/** A planner that resends the same body until it is answered 202. */
export interface Sender {
  /** Resolves with the delivery's id once the event is answered 202. */
  send(body: string): Promise<string>;
  /** Delivery id from the first 202 of each body. */
  ids: ReadonlyMap<string, string>;
  /** Number of answers by status. */
  statuses: Readonly<Record<number, number>>;
  /** Answers without a delivery id, with a different id than the first, or refusing without a retry time. */
  wrong: readonly string[];
  slowestMs(): number;
  /** Send time of the latest request that was answered 202. */
  acceptedAt(): number;
}

const PAUSE_MS = 50;
/** Pause between a worker's events, which leaves processor time for the services that are restarting. */
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

/** Sends events from `atOnce` workers. The returned function stops them and waits for their last events. */
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
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  })
    .then(async (response) => ({
      status: response.status,
      text: await response.text(),
      retryAfter: response.headers.get("retry-after"),
    }))
    .catch((error: unknown) => ({ status: 0, text: String(error), retryAfter: null }));
  return { ...answered, ms: performance.now() - started };
}

/** Runs `work` on each item, at most `atOnce` at a time. */
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
