/**
 * Measures the gain from more processes of each service: pages of 100 resources, accepted events and pushed resources
 * per second. Runs one, two and four of each by default, all on this machine.
 * `bun run load tests/load/processes.ts [counts]`
 */
import { availableParallelism } from "node:os";

import { listingOf, newCustomer, sendsEvents, walksPages } from "./customer.ts";
import { load } from "./http-load.ts";
import { startStack } from "./stack.ts";

const COUNTS = (Bun.argv[2] ?? "1,2,4").split(",").map(Number);
const CONNECTIONS = 64;
const ROUND_MS = 6_000;
const LISTED = 50_000;
const PUSHED_AT_ONCE = 4;

console.log(`on ${availableParallelism()} processors, with PostgreSQL, NATS and the client on them too`);
for (const copies of COUNTS) {
  const stack = await startStack({ copies });
  // Several organizations, because one organization's listings are matched one at a time.
  const customers = await Promise.all(Array.from({ length: PUSHED_AT_ONCE }, () => newCustomer(stack)));
  const accounts = await Promise.all(customers.map(({ newAccount }) => newAccount("aws", "123456789012")));
  const listing = listingOf(LISTED);
  const started = performance.now();
  await Promise.all(customers.map(({ push }, index) => push(accounts[index] ?? "", listing)));
  const pushedPerSecond = (PUSHED_AT_ONCE * LISTED) / ((performance.now() - started) / 1_000);
  await stack.db.admin`analyze`;
  const [customer = await newCustomer(stack)] = customers;
  const { path, secret } = await customer.newReceiver();
  const rate = async (below: string, how: Pick<Parameters<typeof load>[0], "status" | "asker">) => {
    const round = { ms: ROUND_MS, connections: Math.ceil(CONNECTIONS / copies), ...how };
    const each = await Promise.all(stack.gateways.map((gateway) => load({ ...round, url: gateway + below })));
    return each.reduce((sum, figures) => sum + figures.rate, 0);
  };
  const list = `/api/v2/orgs/${customer.id}/resources?limit=100`;
  await rate(list, { status: 200, asker: walksPages(customer.key) });
  const pages = await rate(list, { status: 200, asker: walksPages(customer.key) });
  const events = await rate(path, { status: 202, asker: sendsEvents(secret) });
  console.log(
    `${copies} of each: ${pages.toFixed(0)} pages, ${events.toFixed(0)} events, ${pushedPerSecond.toFixed(0)} pushed resources a second`,
  );
  await stack.stop();
}
process.exit(0);
