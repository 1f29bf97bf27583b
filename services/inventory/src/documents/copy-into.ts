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
      if (!copy.write(text)) await once(copy, "drain");
    });
  } catch (error) {
    copy.destroy(new Error("called off"));
    throw error;
  }
  const finished = once(copy, "finish");
  copy.end();
  await finished;
  return outcome;
}
