import { headers as natsHeaders } from "nats";
import type { Static } from "@sinclair/typebox";

import { currentContext } from "../context.ts";
import type { EventContract } from "../contract.ts";
import { unavailable } from "../errors.ts";
import { injectTrace } from "../trace.ts";
import type { BusConnection } from "./connection.ts";
import { HEADER } from "./headers.ts";

const TIMEOUT_MS = 1_000;
const ATTEMPTS = 3;

/**
 * Publishes `payload` and waits until the stream has it. `id` names the fact: within two minutes the
 * stream keeps only the first of that id, so that a repeat does no harm.
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
  const stream = bus.nats.jetstream();
  let cause: unknown;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      await bus.whileConnected(() =>
        stream.publish(event.subject, JSON.stringify(payload), { msgID: id, headers, timeout: TIMEOUT_MS }),
      );
      return;
    } catch (error) {
      cause = error;
      if (!bus.connected) break;
    }
  }
  throw unavailable("the message bus didn't take the event", cause);
}
