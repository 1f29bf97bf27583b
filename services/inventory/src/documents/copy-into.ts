import { once } from "node:events";
import type { Writable } from "node:stream";

/** Takes text on its way to the server; resolves when more may come. */
export type WriteText = (text: string | Uint8Array) => Promise<void>;

/**
 * Sends what `produce` writes to a COPY that the server waits for, and ends it. When `produce` fails, the
 * COPY is called off, and the transaction with it.
 */
export async function copyInto<T>(copy: Writable, produce: (write: WriteText) => Promise<T>): Promise<T> {
  copy.on("error", () => undefined); // it is thrown where it is awaited
  let outcome: T;
  try {
    outcome = await produce(async (text) => {
      refuseFailed(copy);
      if (!copy.write(text)) await once(copy, "drain");
    });
    refuseFailed(copy);
  } catch (error) {
    copy.destroy(new Error("called off"));
    throw error;
  }
  const finished = once(copy, "finish");
  copy.end();
  await finished;
  return outcome;
}

/** What has failed while nobody waited for it tells nobody any more that it has drained or finished. */
function refuseFailed(copy: Writable): void {
  if (copy.errored) throw copy.errored;
}
