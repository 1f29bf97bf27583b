import { Worker } from "node:worker_threads";

import { unavailable } from "@leeway/shared/errors";
import { createSlots } from "@leeway/shared/slots";

import { readBody, type BodyToRead, type ReadBody } from "./read-body.ts";

/** Reads bodies without holding up whoever waits for a 202: a plan of 5 MB takes 100 ms. */
export interface Reader {
  /** @throws {AppError} `unavailable` when the thread ended on the way */
  read(body: BodyToRead): Promise<ReadBody>;
  stop(): void;
}

/** What is read at once: 2 ms. */
const MOST_SMALL_BYTES = 128 * 1024;
const THREAD = new URL("./thread.ts", import.meta.url);
/** An idle thread ends, and what it took of memory with it. */
const IDLE_MS = 2_000;

export function createReader(): Reader {
  const turn = createSlots(1);
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function readAside(body: BodyToRead): Promise<ReadBody> {
    const { promise, resolve, reject } = Promise.withResolvers<ReadBody>();
    const worker = (thread ??= new Worker(THREAD));
    const lose = (): void => {
      thread = undefined;
      reject(unavailable("the reading thread ended"));
    };
    worker.once("message", resolve).once("error", lose).once("exit", lose);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(body);
    return promise.finally(() => worker.off("message", resolve).off("error", lose).off("exit", lose));
  }

  function stop(): void {
    clearTimeout(idle);
    void thread?.terminate();
    thread = undefined;
  }

  return {
    async read(body) {
      if (body.body.length <= MOST_SMALL_BYTES) return readBody(body);
      await turn.take();
      clearTimeout(idle);
      try {
        return await readAside(body);
      } finally {
        Bun.gc(false); // the next may be as large
        idle = setTimeout(stop, IDLE_MS);
        turn.give();
      }
    },
    stop,
  };
}
