/** Reads large bodies on a thread of its own; see `reader.ts`. */
import { parentPort } from "node:worker_threads";

import { readBody, type BodyToRead } from "./read-body.ts";

parentPort?.on("message", (body: BodyToRead) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(readBody(body));
  Bun.gc(true); // the next may be as large
});
