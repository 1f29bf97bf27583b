import { once } from "node:events";
import type { Writable } from "node:stream";

/** Writes text to the server; resolves when it is ready for more. */
export type WriteText = (text: string | Uint8Array) => Promise<void>;

/**
 * Sends the output of `produce` to a COPY statement and ends it. If `produce` fails, the COPY is canceled, and so is
 * its transaction.
 */
export async function copyInto<T>(copy: Writable, produce: (write: WriteText) => Promise<T>): Promise<T> {
  copy.on("error", () => undefined); // thrown where it is awaited
  let outcome: T;
  try {
    outcome = await produce(async (text) => {
      refuseFailed(copy);
      if (!copy.write(text)) await once(copy, "drain");
    });
    refuseFailed(copy);
  } catch (error) {
    copy.destroy(new Error("the copy was canceled"));
    throw error;
  }
  const finished = once(copy, "finish");
  copy.end();
  await finished;
  return outcome;
}

/** Throws an earlier failure. A failed stream never emits the events that we would wait for. */
function refuseFailed(copy: Writable): void {
  if (copy.errored) throw copy.errored;
}
