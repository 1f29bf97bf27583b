type Send = (request: Request) => Promise<Response>;

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** Longest pause that a server may ask for; a longer one is the caller's to wait. */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Sends a request until it is answered, at most `tries` times. Server errors, rate limits and network failures are
 * retried with growing pauses, or as long as `Retry-After` asks. The body is kept in memory for the next try.
 */
export function withRetries(send: Send, tries: number): Send {
  return async (request) => {
    const { url, method, headers, signal } = request;
    const body = request.body === null ? null : await request.arrayBuffer();
    for (let tried = 1; ; tried += 1) {
      const isLast = tried >= tries || signal.aborted;
      const outcome = await attempt(send, new Request(url, { method, headers, signal, body }));
      const pause = isLast ? undefined : pauseAfter(outcome, tried);
      if (pause !== undefined) await wait(pause);
      else if (outcome instanceof Response) return outcome;
      else throw outcome.failure;
    }
  };
}

type Attempt = Response | { failure: unknown };

async function attempt(send: Send, request: Request): Promise<Attempt> {
  return send(request).catch((failure: unknown) => ({ failure }));
}

/** Returns the pause before the next try; undefined if another try wouldn't help. */
function pauseAfter(outcome: Attempt, tried: number): number | undefined {
  const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tried - 1)) * (1 - Math.random() / 2);
  if (!(outcome instanceof Response)) return growing;
  if (!isBusy(outcome)) return undefined;
  const asked = retryAfterMs(outcome.headers);
  return asked > MAX_RETRY_AFTER_MS ? undefined : Math.max(growing, asked);
}

/** 409 with `Retry-After` is an earlier try that is still under way. A quota's 429 asks for longer than a minute. */
function isBusy({ status, headers }: Response): boolean {
  return status === 408 || status === 429 || status >= 500 || (status === 409 && headers.has("retry-after"));
}

function retryAfterMs(headers: Headers): number {
  const said = headers.get("retry-after") ?? "";
  const ms = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}

function wait(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms);
  return promise;
}
