import { openAside } from "@leeway/shared/fairness/aside";

import { readBody, type BodyToRead, type ReadBody } from "./read-body.ts";

/** Reads bodies without holding up whoever waits for a 202: a plan of 5 MB takes 100 ms. */
export interface Reader {
  /** @throws {AppError} `unavailable` when the thread ended on the way */
  read(body: BodyToRead): Promise<ReadBody>;
  stop(): void;
}

/** What is read at once: 2 ms. */
const MOST_SMALL_BYTES = 128 * 1024;

export function createReader(): Reader {
  const aside = openAside<{ readBody: typeof readBody }>(new URL("./thread.ts", import.meta.url));
  return {
    async read(body) {
      if (body.body.length <= MOST_SMALL_BYTES) return readBody(body);
      return aside.work("readBody", [body]);
    },
    stop: aside.stop,
  };
}
