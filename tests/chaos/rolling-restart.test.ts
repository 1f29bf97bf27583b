import { afterAll, beforeAll, expect, test } from "bun:test";

import { figure } from "./figure.ts";
import { startFleet, type Fleet, type Receiver } from "./fleet.ts";
import { holdAt, prepareHolds } from "./holds.ts";
import { ledgerOf, lostOf, settled } from "./ledger.ts";
import { mixedLoad } from "./mixed-load.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";

/** Time until a load balancer stops sending to a stopping gateway; Kubernetes gets five seconds. */
const BALANCED_MS = 300;
/** Answers of a machine that is too busy: nothing restarts the database here. */
const OVERLOADED = /"the database (?:didn't answer in time|can't be reached)"/;
/**
 * Duration of one list in twenty from which the machine is so busy that other requests can take longer than a caller or
 * a stopping process waits for them.
 */
const BUSY_MS = 400;
const TOO_SLOW = /service didn't answer in time|the service is stopping|connection was closed unexpectedly/;
/** Share of requests that may be too slow on such a machine. */
const SLOW_SHARE = 0.03;
const KINDS = ["account", "analyze", "list", "push", "wait for a job", "webhook"];
const SERVICES = ["quota", "analyzer", "inventory", "webhooks", "gateway"];

let fleet: Fleet;
let receiver: Receiver;

beforeAll(async () => {
  fleet = await startFleet({ copies: 2, env: { RATE_LIMIT_ANALYZE_PER_MINUTE: "0" } });
  receiver = await fleet.newReceiver();
}, TEST_MS);

afterAll(() => fleet.stop(), TEST_MS);

test(
  "restarting each process of each service in turn under load fails no request and loses nothing",
  async () => {
    const load = mixedLoad(fleet, receiver);
    const stopped: Record<string, number> = {};
    for (const name of SERVICES.flatMap((service) => [service, `${service}-2`])) {
      const [first = "", second = ""] = fleet.gateways;
      const takeIn = name.startsWith("gateway")
        ? load.leaveOut(name === "gateway" ? first : second)
        : undefined;
      if (takeIn) await Bun.sleep(BALANCED_MS);
      stopped[name] = Math.round(await fleet.restart(name));
      takeIn?.();
    }
    const { answered, failed, listMs, deliveries, jobs, scans } = await load.stop();
    const slowMs = listMs.toSorted((a, b) => b - a)[Math.floor(listMs.length / 20)] ?? 0;
    const isBusy = slowMs > BUSY_MS;
    const tooSlow = isBusy ? failed.filter((answer) => TOO_SLOW.test(answer)) : [];
    figure(
      `answered ${JSON.stringify(answered)}, one list in twenty over ${Math.round(slowMs)} ms, ${tooSlow.length} too slow, ` +
        `ms to stop ${JSON.stringify(stopped)}`,
    );
    const settledMs = await settled(fleet, WAIT_MS);
    figure(`all worked off ${Math.round(settledMs)} ms after the last`);
    const { orgId } = receiver;
    const broken = await fleet.admin`
      select kind, error_code, error_message from analyzer.jobs where org_id = ${orgId} and status <> 'done'
      union all
      select 'scan', status, errors::text from inventory.scans
       where org_id = ${orgId}
         and status not in ('running', 'succeeded')
         and not (${isBusy} and errors::text like '%the push was interrupted%')
    `;
    const refused = failed.filter((answer) => !OVERLOADED.test(answer) && !tooSlow.includes(answer));
    expect({ refused, broken: [...broken] }).toEqual({ refused: [], broken: [] });
    const asked = Object.values(answered).reduce((sum, count) => sum + count, 0);
    expect(tooSlow.length).toBeLessThan(asked * SLOW_SHARE);
    // The counts depend on the machine and on scheduling.
    expect(Object.keys(answered).toSorted()).toEqual(KINDS);
    expect(fleet.exits.filter(({ code }) => code !== 0)).toEqual([]);

    expect(await lostOf(fleet, deliveries)).toEqual([]);
    expect(await ledgerOf(fleet, receiver)).toMatchObject({ undone: 0, twice: 0 });
    const kept = await fleet.admin`
      select from analyzer.jobs where id = any (${jobs}::uuid[])
      union all
      select from inventory.scans where id = any (${scans}::uuid[])
    `;
    expect(kept.length).toBe(jobs.length + scans.length);
  },
  TEST_MS,
);

test(
  "a stopping gateway returns the current state of a job to waiting callers and exits",
  async () => {
    await prepareHolds(fleet.admin);
    const { orgId, key } = await fleet.newOrg();
    const hold = await holdAt(fleet, "ending", orgId);
    const path = `/api/v2/orgs/${orgId}`;
    const body = { plan: { format_version: "1.2", resource_changes: [] }, narrative: false };
    const { body: taken } = await fleet.ask("POST", `${path}/analyze`, { as: key, body });
    await hold.reached();
    const waits = Array.from({ length: 20 }, () =>
      fleet.ask("GET", `${path}/llm-jobs/${taken.job_id}?wait=25`, { as: key }),
    );
    await Bun.sleep(BALANCED_MS);
    await fleet.restart("gateway");
    await hold.release({ cut: false });
    const answers = await Promise.all(waits);
    expect(answers.map(({ status, body }) => `${status} ${body.status}`)).toEqual(
      Array<string>(20).fill("200 running"),
    );
    expect(fleet.exits.at(-1)).toEqual({ name: "gateway", code: 0 });
  },
  TEST_MS,
);
