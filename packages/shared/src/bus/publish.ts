import { headers as natsHeaders, type MsgHdrs } from "nats";
import type { Static } from "@sinclair/typebox";

import { currentContext } from "../context.ts";
import type { EventContract } from "../contract.ts";
import { unavailable } from "../errors.ts";
import { injectTrace } from "../telemetry/trace.ts";
import type { BusConnection } from "./connection.ts";
import { HEADER } from "./headers.ts";
import { isStreamMissing, restoreStreams } from "./streams.ts";

const TIMEOUT_MS = 1_000;
const ATTEMPTS = 3;

/**
 * Publishes `payload` and waits until the stream has it. `id` names the fact: within two minutes the
 * stream keeps only the first of that id, so that a repeat does no harm. A stream that is gone is made
 * again if this connection has ensured it before.
 * @throws {AppError} `unavailable` when the stream didn't confirm
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

/** Has a stream keep `data`, once for each `id`. @throws {AppError} `unavailable` when it didn't confirm */
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
      if (isStreamMissing(error)) await restoreStreams(bus).catch(() => undefined); // told by the next attempt
    }
  }
  throw unavailable("the message bus didn't take the event", cause);
}
