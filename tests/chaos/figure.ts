/** Prints a measurement of a test. */
export function figure(line: string): void {
  process.stdout.write(`${line}\n`);
}
