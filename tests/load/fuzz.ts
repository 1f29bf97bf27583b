/**
 * Sends valid and nearly valid requests with ids from earlier answers. R17 of our performance goals: no 5xx, and
 * every answer as documented.
 * `bun run load tests/load/fuzz.ts [minutes] [seed]`
 */
import { fuzz } from "../fuzz/fuzz.ts";
import { startStack } from "../isolation/stack.ts";
import { fillTenant } from "../isolation/tenant.ts";

const minutes = Number(Bun.argv[2] ?? 10);
const seed = Number(Bun.argv[3] ?? Date.now() % 1_000_000);

const stack = await startStack({ scans: true });
const tenants = [await fillTenant(stack, "one"), await fillTenant(stack, "two")];
const end = Date.now() + minutes * 60_000;
const { requests, statuses, wrong } = await fuzz(stack, tenants, {
  seed,
  workers: 8,
  until: () => Date.now() >= end,
});

for (const [operation, counts] of [...statuses].toSorted(([a], [b]) => a.localeCompare(b))) {
  const counted = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`${operation}  ${counted.join("  ")}`);
}
console.log(`${requests} requests, seed ${seed}; ${wrong.size} kinds of wrong answers`);
for (const problem of wrong.values()) console.log(problem);
await stack.stop();
process.exit(wrong.size > 0 ? 1 : 0);
