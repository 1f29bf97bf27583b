import { appendFileSync, chmodSync, existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

/** Size at which a log is moved aside; only the last one is kept. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Returns the path of the log in a data folder. */
export function logFile(dir: string): string {
  return join(dir, "up.log");
}

/** Returns a function that appends to the folder's log, which only its owner can read. A new start begins a new log. */
export function openLog(dir: string, maxBytes = MAX_BYTES): (text: string) => void {
  const file = logFile(dir);
  let bytes = 0;
  const renew = (): void => {
    if (existsSync(file)) renameSync(file, `${file}.1`);
    appendFileSync(file, "", { mode: 0o600 });
    chmodSync(file, 0o600);
    bytes = statSync(file).size;
  };
  renew();
  return (text) => {
    try {
      if (bytes > maxBytes) renew();
      appendFileSync(file, text);
      bytes += Buffer.byteLength(text);
    } catch {
      // On a full disk, what is running matters more than its log.
    }
  };
}
