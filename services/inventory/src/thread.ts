/** Reads large bodies on a thread; see `readers.ts`. */
import { ownBuffer, serveTasks } from "@leeway/shared/concurrency/serve-tasks";

import { inventoryTasks } from "./tasks.ts";

serveTasks(inventoryTasks, (result) => {
  if (!result) return [];
  if ("lines" in result) return ownBuffer(result.lines);
  return "chunks" in result ? result.chunks.flatMap(ownBuffer) : [];
});
