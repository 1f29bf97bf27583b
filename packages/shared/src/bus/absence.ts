import { connect, type ConnectionOptions } from "nats";

import type { Logger } from "../platform/telemetry/log.ts";

const PATIENCE_MS = 2_000;
const AGAIN_MS = 5_000;

/**
 * Logs why the bus can't be reached, each reason once. The client itself reports nothing while it retries.
 * @returns a function that stops this
 */
export function explainAbsence(options: ConnectionOptions, log: Logger): () => void {
  const logged = new Set<string>();
  let over = false;
  let timer = setTimeout(() => void look(), PATIENCE_MS);

  async function look(): Promise<void> {
    const reason = await reasonOf(options);
    if (over) return;
    if (reason && !logged.has(reason.error.message)) log.warn(reason, "waiting for the bus");
    if (reason) logged.add(reason.error.message);
    timer = setTimeout(() => void look(), AGAIN_MS);
  }

  return () => {
    over = true;
    clearTimeout(timer);
  };
}

async function reasonOf(options: ConnectionOptions): Promise<{ code: unknown; error: Error } | undefined> {
  try {
    const nats = await connect({ ...options, waitOnFirstConnect: false, reconnect: false });
    await nats.close();
    return undefined;
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { code: "code" in error ? error.code : undefined, error };
  }
}
