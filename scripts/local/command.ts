/** The uid and gid that a command is to run with. */
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
 * Runs a program to its end and gives what it wrote on stdout, trimmed.
 * @throws {Error} when it can't be run, fails or takes too long; the message ends with what it complained about.
 */
export async function run(
  command: readonly string[],
  { as, cwd = "/", timeoutMs = 120_000, signal }: CommandOptions = {},
): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    // As it is now: the default is as it was when we started.
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

/** Whether a program runs and is content. */
export async function succeeds(command: readonly string[], options?: CommandOptions): Promise<boolean> {
  return run(command, options).then(
    () => true,
    () => false,
  );
}

/** The last `count` lines of `text` that aren't empty. */
export function lastLines(text: string, count: number): string {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-count)
    .join("\n");
}

/** What to tell the user of something thrown. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return [thrown.message, ...thrown.errors.map(messageOf)].join("\n");
  return thrown instanceof Error ? thrown.message : String(thrown);
}
