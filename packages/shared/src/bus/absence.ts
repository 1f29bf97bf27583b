import { connect, type ConnectionOptions } from "nats";

import type { Logger } from "../telemetry/log.ts";

const PATIENCE_MS = 2_000;
const AGAIN_MS = 5_000;

/**
 * Says why the bus isn't reached, which the client keeps to itself for as long as it tries: each reason once.
 * @returns what ends that
 */
export function explainAbsence(options: ConnectionOptions, log: Logger): () => void {
  const told = new Set<string>();
  let over = false;
  let timer = setTimeout(() => void look(), PATIENCE_MS);

  async function look(): Promise<void> {
    const reason = await reasonOf(options);
    if (over) return;
    if (reason && !told.has(reason.error.message)) log.warn(reason, "waiting for the bus");
    if (reason) told.add(reason.error.message);
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
