/** Prints what a test measured. */
export function figure(line: string): void {
  process.stdout.write(`${line}\n`);
}
