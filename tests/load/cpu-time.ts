import { readdirSync, readFileSync } from "node:fs";

/** Number of clock ticks in a second, which is the same on every Linux. */
const TICKS = 100;

interface Process {
  parent: number;
  seconds: number;
}

/**
 * Returns the processor time in seconds that this process and all its descendants have used so far: services, and
 * PostgreSQL and NATS unless they were running before. Unlike elapsed time, it hardly depends on what else runs on the machine. Linux only.
 */
export function cpuSeconds(): number {
  const all = new Map<number, Process>();
  for (const name of readdirSync("/proc")) {
    const process = /^\d+$/.test(name) ? read(name) : undefined;
    if (process) all.set(Number(name), process);
  }
  const isOurs = (id: number): boolean => {
    const parent = all.get(id)?.parent ?? 0;
    return id === process.pid || (parent > 1 && isOurs(parent));
  };
  let sum = 0;
  for (const [id, { seconds }] of all) if (isOurs(id)) sum += seconds;
  return sum;
}

/** @returns undefined if the process has ended. Time of ended children counts for their parent. */
function read(id: string): Process | undefined {
  try {
    const text = readFileSync(`/proc/${id}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [user = 0, system = 0, childrensUser = 0, childrensSystem = 0] = fields.slice(11, 15);
    return { parent: fields[1] ?? 0, seconds: (user + system + childrensUser + childrensSystem) / TICKS };
  } catch {
    return undefined;
  }
}
