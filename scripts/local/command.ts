/** User and group that a command runs as. */
export interface RunAs {
  uid: number;
  gid: number;
}

export interface CommandOptions {
  as?: RunAs | undefined;
  cwd?: string;
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
}

/**
 * Runs a program to its end and returns its trimmed stdout.
 * @throws {Error} when it can't be run, fails or takes too long; the message ends with its last lines of output
 */
export async function run(
  command: readonly string[],
  { as, cwd = "/", timeoutMs = 120_000, signal }: CommandOptions = {},
): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    // The current environment; Bun's default is the one from our start.
    env: process.env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: timeoutMs,
    ...as,
    ...(signal && { signal }),
  });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code === 0) return out.trim();
  const why = child.signalCode === null ? `exit code ${code}` : `${child.signalCode}`;
  throw new Error(`${command[0]}: ${lastLines(`${out}\n${err}`, 5) || why}`);
}

/** Reports whether a program runs and exits with 0. */
export async function succeeds(command: readonly string[], options?: CommandOptions): Promise<boolean> {
  return run(command, options).then(
    () => true,
    () => false,
  );
}

/** Returns the last `count` lines of `text` that aren't empty. */
export function lastLines(text: string, count: number): string {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-count)
    .join("\n");
}

/** Returns the message of a thrown value, for the user. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return [thrown.message, ...thrown.errors.map(messageOf)].join("\n");
  return thrown instanceof Error ? thrown.message : String(thrown);
}
