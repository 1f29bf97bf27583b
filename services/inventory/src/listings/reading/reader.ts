import { openSession, workHere, type Aside } from "@leeway/shared/fairness/aside";

import { listingTasks } from "./tasks.ts";

/** What is read without a thread, which takes 60 ms to start. */
const MOST_SMALL_BYTES = 512 * 1024;

/** Reads one listing, step by step; a large one holds up nobody else. */
export function openListingReader(mostBytes: number): Aside<ReturnType<typeof listingTasks>> {
  if (mostBytes <= MOST_SMALL_BYTES) return workHere(listingTasks());
  return openSession(new URL("./thread.ts", import.meta.url));
}
