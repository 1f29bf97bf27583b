import { CHANGING } from "./changing.ts";
import { READING } from "./reading.ts";
import type { Remote } from "./remote.ts";

/** Commands of the server's data, those of one kind of object together. */
export const REMOTE: readonly Remote[] = [
  ...Map.groupBy([...READING, ...CHANGING], ({ command }) => command.split(" ")[0]).values(),
].flat();
