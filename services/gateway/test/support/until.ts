/** Waits until `holds`. @throws {Error} after a minute */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("it never came to hold");
    await Bun.sleep(20);
  }
}
