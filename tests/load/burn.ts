/** Uses a share of one processor for a time, a few milliseconds at once. `bun tests/load/burn.ts <share> <seconds>` */
const share = Number(Bun.argv[2] ?? 1);
const end = performance.now() + Number(Bun.argv[3] ?? 1) * 1_000;
/** As long as a service mostly works before it waits again. */
const SPIN_MS = 2;

while (performance.now() < end) {
  const before = process.cpuUsage();
  const started = performance.now();
  while (performance.now() - started < SPIN_MS);
  const { user, system } = process.cpuUsage(before);
  await Bun.sleep((user + system) / 1_000 / share - (performance.now() - started));
}
