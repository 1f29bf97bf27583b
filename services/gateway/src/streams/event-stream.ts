/** What is told of something as it changes, in the format of server-sent events (WHATWG HTML, 9.2). */
export interface EventSource {
  /** What there is to tell within `waitMs`; undefined for nothing, null when no more will come. */
  next(waitMs: number): Promise<string | null | undefined>;
  /** Called once, however the stream ends. */
  end(): void;
}

/** As long as what a caller may do is believed. */
const LOOK_MS = 1_000;
/** Proxies and clients take a connection for dead that is silent for half a minute. */
const HEARTBEAT_MS = 10_000;
const RETRY = "retry: 2000\n\n";
const HEARTBEAT = ": still here\n\n";

/** One event. */
export function serverSentEvent(event: string, data: string, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/** The bytes of a stream that ends with its source, its client, or `signal`; a slow client skips what came between. */
export function eventStream(source: EventSource, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const ended = Promise.withResolvers<null>();
  let isOver = false;
  let toldAt = 0;
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
      if (performance.now() - toldAt >= HEARTBEAT_MS) return HEARTBEAT;
    }
  }

  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const said = text ?? (await nextText().catch(() => null));
        text = undefined;
        toldAt = performance.now();
        if (said !== null) return controller.enqueue(encoder.encode(said));
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
