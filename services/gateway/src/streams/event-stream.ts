/** Source of server-sent events (WHATWG HTML, 9.2) about something that changes. */
export interface EventSource {
  /** Returns the next text within `waitMs`; undefined if there is none, null after the last one. */
  next(waitMs: number): Promise<string | null | undefined>;
  /** Called once when the stream ends, for any reason. */
  end(): void;
}

/** Interval at which the caller's rights are checked, equal to their cache time. */
const LOOK_MS = 1_000;
/** Interval of heartbeats: proxies and clients drop a connection that is silent for half a minute. */
const HEARTBEAT_MS = 10_000;
const RETRY = "retry: 2000\n\n";
const HEARTBEAT = ": still here\n\n";

/** Formats one event. */
export function serverSentEvent(event: string, data: string, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/** Creates a stream that ends with its source, its client or `signal`. A slow client misses intermediate states. */
export function eventStream(source: EventSource, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const ended = Promise.withResolvers<null>();
  let isOver = false;
  let sentAt = 0;
  let text: string | null | undefined = RETRY;

  function end(): void {
    if (isOver) return;
    isOver = true;
    signal.removeEventListener("abort", end);
    ended.resolve(null);
    source.end();
  }

  async function nextText(): Promise<string | null> {
    for (;;) {
      if (isOver) return null;
      const found = await Promise.race([source.next(LOOK_MS), ended.promise]);
      if (found !== undefined) return found;
      if (performance.now() - sentAt >= HEARTBEAT_MS) return HEARTBEAT;
    }
  }

  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const said = text ?? (await nextText().catch(() => null));
        text = undefined;
        sentAt = performance.now();
        if (said !== null) return controller.enqueue(encoder.encode(said));
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
