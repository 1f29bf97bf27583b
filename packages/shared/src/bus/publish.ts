import { headers as natsHeaders, type MsgHdrs } from "nats";
import type { Static } from "@sinclair/typebox";

import { currentContext } from "../platform/context.ts";
import type { EventContract } from "../contracts/contract.ts";
import { unavailable } from "../values/errors.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { injectTrace } from "../platform/telemetry/trace.ts";
import type { BusConnection } from "./connection.ts";
import { HEADER } from "./headers.ts";
import { isStreamMissing } from "./streams.ts";

const TIMEOUT_MS = 1_000;
const ATTEMPTS = 3;

/**
 * Publishes `payload` and waits for the stream's confirmation. `id` identifies the fact. Within two minutes the
 * stream keeps only the first event with an id, so that a repeat does no harm.
 * @throws {AppError} `unavailable` if the stream didn't confirm
 */
export async function publish<E extends EventContract>(
  bus: BusConnection,
  event: E,
  payload: Static<E["payload"]>,
  id: string,
): Promise<void> {
  const headers = natsHeaders();
  headers.set(HEADER.requestId, currentContext()?.requestId ?? id);
  injectTrace((name, value) => headers.set(name, value));
  await store(bus, event.subject, Buffer.from(JSON.stringify(payload)), { headers, id });
}

/** Publishes an event like {@link publish}, but never fails: a sweep publishes it again if the bus doesn't take it. */
export async function offer<E extends EventContract>(
  { bus, log }: { bus: BusConnection; log: Logger },
  event: E,
  payload: Static<E["payload"]>,
  id: string = crypto.randomUUID(),
): Promise<void> {
  if (!bus.connected) return;
  await publish(bus, event, payload, id).catch((error: unknown) =>
    log.warn(
      { error, event: event.subject },
      "couldn't publish an event to the bus; the sweep publishes it again",
    ),
  );
}

/** Stores `data` in a stream, once for each `id`. @throws {AppError} `unavailable` if the stream didn't confirm */
export async function store(
  bus: BusConnection,
  subject: string,
  data: Uint8Array,
  { headers, id }: { headers: MsgHdrs; id: string },
): Promise<void> {
  const options = { msgID: id, headers, timeout: TIMEOUT_MS };
  let cause: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      await bus.whileConnected(() => bus.nats.jetstream().publish(subject, data, options));
      return;
    } catch (error) {
      cause = error;
      if (!bus.connected) break;
    }
  }
  const why = isStreamMissing(cause) ? `: no stream stores ${subject}; run migrations` : "";
  throw unavailable(`couldn't publish the event to the message bus${why}`, cause);
}
