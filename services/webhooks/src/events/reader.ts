import { openReaders, type Piece } from "@leeway/shared/concurrency/readers";
import { ownBuffer } from "@leeway/shared/concurrency/serve-tasks";

import { TASKS, type BodyToRead, type Outline, type ReadBody } from "./read-event.ts";

/** Reads bodies in worker threads, so that other senders don't wait: a plan of 5 MB takes 100 ms. */
export interface Reader {
  /** Reads the outline of a body on arrival. @throws {AppError} as {@link Reader.read} */
  receive(orgId: string, body: BodyToRead): Promise<Outline>;
  /**
   * Reads the event of a body. The thread takes over `body`, so the caller can't use it afterwards.
   * @throws {AppError} `too_slow_to_read` for a body that must not be retried; `unavailable` when the thread ended
   */
  read(orgId: string, body: BodyToRead): Promise<ReadBody>;
  stop(): void;
}

export function createReader(): Reader {
  const url = new URL("./thread.ts", import.meta.url);
  // Separate threads: senders that wait for a 202 don't wait behind deliveries in processing, which take ten times as
  // long.
  const [receivers, readers] = [
    openReaders({ url, begin: () => TASKS }),
    openReaders({ url, begin: () => TASKS }),
  ];
  return {
    receive: (orgId, given) => receivers.do(pieceOf(orgId, given), "readOutline", [given]),
    read: (orgId, given) => readers.do(pieceOf(orgId, given), "readBody", [given], ownBuffer(given.body)),
    stop() {
      receivers.stop();
      readers.stop();
    },
  };
}

function pieceOf(orgId: string, { body }: BodyToRead): Piece {
  return { orgId, bytes: body.length };
}
