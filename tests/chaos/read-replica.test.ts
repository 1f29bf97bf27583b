import { afterAll, beforeAll, expect, test } from "bun:test";

import { connectBus } from "@leeway/shared/bus/connection";
import { forward } from "@leeway/shared/bus/request";
import { withFreshness, type Freshness } from "@leeway/shared/platform/context";
import { testLog } from "@leeway/shared/testing/testing";
import postgres, { type Sql } from "postgres";

import { loadContracts } from "../../scripts/docs/contracts.ts";
import { send } from "../../services/gateway/test/support/gateway.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { ANSWER_LIMIT_MS, BACK_LIMIT_MS, TEST_MS } from "./promised.ts";
import type { Server } from "./servers.ts";
import { until } from "./until.ts";

type Org = Awaited<ReturnType<Fleet["newOrg"]>>;

/** More than the ten seconds that a replica may be behind. */
const LAG_LIMIT_MS = 60_000;

let fleet: Fleet;
let standby: Server;
let replica: Sql;
let mine: Org;
let other: Org;

beforeAll(async () => {
  const services = ["gateway", "inventory", "analyzer", "webhooks"];
  fleet = await startFleet({ services, copies: 2, withStandby: true });
  if (!fleet.standby) throw new Error("the fleet has no standby");
  standby = fleet.standby;
  replica = postgres(standby.url, { max: 1, onnotice: () => undefined });
  [mine, other] = [await fleet.newOrg(), await fleet.newOrg()];
  for (const org of [mine, other]) await create(org, `of ${org.orgId}`);
}, TEST_MS);

afterAll(async () => {
  await replica.end({ timeout: 1 });
  await fleet.stop();
}, TEST_MS);

async function create({ orgId, key }: Org, name: string): Promise<void> {
  const path = `/api/v2/orgs/${orgId}/iac-sources`;
  const { status } = await fleet.ask("POST", path, { as: key, body: { name } });
  expect(status).toBe(201);
}

/** Returns the names in an organization's list, the oldest source's first. */
async function namesOf({ orgId, key }: Org, gateway = fleet.baseUrl): Promise<string[]> {
  const path = `/api/v2/orgs/${orgId}/iac-sources`;
  const { status, body } = await send(gateway, "GET", path, { as: key });
  expect(status).toBe(200);
  return body.data.map(({ name }: { name: string }) => name);
}

/** Renames the organization's oldest source without a request, as background work would. */
async function rename({ orgId }: Org): Promise<string> {
  const name = crypto.randomUUID();
  await fleet.admin`
    update inventory.iac_sources set name = ${name}
     where id = (select id from inventory.iac_sources where org_id = ${orgId} order by id limit 1)
  `;
  return name;
}

/** Runs `work` while the replica, which has replayed all that was written before, replays nothing. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  const [now] = await fleet.admin<
    { position: string }[]
  >`select pg_current_wal_flush_lsn()::text as position`;
  const isThere = async () => {
    const [row] = await replica<{ there: boolean }[]>`
      select pg_last_wal_replay_lsn() >= ${now?.position ?? ""}::pg_lsn as there`;
    return row?.there ?? false;
  };
  await until(isThere, BACK_LIMIT_MS, "the replica has caught up");
  await replica`select pg_wal_replay_pause()`;
  try {
    await work();
  } finally {
    await replica`select pg_wal_replay_resume()`;
  }
}

/** Reports whether the replica answers: while it is paused, it doesn't show a new name. */
async function doesReplicaAnswer(): Promise<boolean> {
  let isOld = false;
  await whilePaused(async () => {
    const name = await rename(other);
    isOld = !(await namesOf(other)).includes(name);
  });
  return isOld;
}

test(
  "while the replica is paused, an organization's lists show its own changes through every gateway",
  async () => {
    await until(doesReplicaAnswer, BACK_LIMIT_MS, "the replica answers");
    await whilePaused(async () => {
      expect(await namesOf(mine)).toHaveLength(1);
      await create(mine, "second");
      for (const gateway of [...fleet.gateways, ...fleet.gateways])
        expect(await namesOf(mine, gateway)).toEqual([`of ${mine.orgId}`, "second"]);
      const name = await rename(other);
      const isNew = async () => (await namesOf(other)).includes(name);
      expect(await isNew()).toBe(false);
      const newMs = await until(isNew, LAG_LIMIT_MS, "the lag limit");
      figure(
        `a change in the background is listed ${Math.round(newMs)} ms later while the replica is paused`,
      );
    });
  },
  TEST_MS,
);

test(
  "an organization that has read from the primary is shown no older list",
  async () => {
    await whilePaused(async () => {
      const name = await rename(other);
      expect(await namesOf(other)).not.toContain(name);
      const path = `/api/v2/orgs/${other.orgId}/iac-resources/${crypto.randomUUID()}`;
      expect(await fleet.ask("GET", path, { as: other.key })).toMatchObject({ status: 404 });
      for (const gateway of fleet.gateways) expect(await namesOf(other, gateway)).toEqual([name]);
    });
  },
  TEST_MS,
);

test(
  "a replica can answer every request that is marked so",
  async () => {
    await until(doesReplicaAnswer, BACK_LIMIT_MS, "the replica answers");
    const { orgId, configId } = await fleet.newReceiver();
    await whilePaused(async () => undefined);
    const bus = await connectBus({ url: fleet.nats.url, name: "chaos", log: testLog() });
    const marked = (await loadContracts()).requests.filter(({ contract }) => contract.fromReplica);
    for (const { contract } of marked) {
      const needed = { org_id: orgId, limit: 10, config_id: configId, days: 7 };
      const input = Object.entries(needed).filter(([name]) => name in contract.input["properties"]);
      const answers = async () => {
        const freshness: Freshness = { position: "0/0" };
        await withFreshness(freshness, () => forward(bus, contract, Object.fromEntries(input)));
        return freshness.answeredBy === "replica";
      };
      await until(answers, BACK_LIMIT_MS, contract.subject); // one process after the other finds the replica
    }
    await bus.nats.close();
  },
  TEST_MS,
);

test.each(["SIGSTOP", "SIGKILL"] as const)(
  "with the replica stopped by %s, the primary answers; later the replica is used again",
  async (signal) => {
    await until(doesReplicaAnswer, BACK_LIMIT_MS, "the replica answers");
    standby.signal(signal, "all");
    const [stopped, name] = [performance.now(), await rename(other)];
    const first = await Promise.all(Array.from({ length: 8 }, () => namesOf(other)));
    const firstMs = performance.now() - stopped;
    expect(first.every((names) => names.includes(name))).toBe(true);
    expect(firstMs).toBeLessThan(ANSWER_LIMIT_MS);
    const next = performance.now();
    expect(await namesOf(other)).toContain(name);
    const nextMs = performance.now() - next;
    if (signal === "SIGSTOP") standby.signal("SIGCONT", "all");
    else await standby.start();
    const backMs = await until(
      () => doesReplicaAnswer().catch(() => false),
      BACK_LIMIT_MS,
      "the replica answers again",
    );
    figure(
      `${signal}: eight lists within ${Math.round(firstMs)} ms, the next in ${Math.round(nextMs)} ms; ` +
        `the replica is used ${Math.round(backMs)} ms after it is back`,
    );
  },
  TEST_MS,
);

test(
  "the replica shows an organization only its own rows",
  async () => {
    await until(doesReplicaAnswer, BACK_LIMIT_MS, "the replica answers");
    await whilePaused(async () => {
      const name = await rename(mine);
      expect(await namesOf(mine)).toEqual([`of ${mine.orgId}`, "second"]);
      expect(await namesOf(other)).not.toContain(name);
    });
  },
  TEST_MS,
);
