import { afterAll, beforeAll, expect, test } from "bun:test";

import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { consume } from "@leeway/shared/bus/consume";
import { publish } from "@leeway/shared/bus/publish";
import { serviceUrl } from "@leeway/shared/bus/service-user";
import { ensureStreams } from "@leeway/shared/bus/keep-streams";
import { DriftRequested } from "@leeway/shared/contracts/inventory/scans";
import { DeliveryAccepted } from "@leeway/shared/contracts/webhooks/deliveries";
import { createLogger } from "@leeway/shared/platform/telemetry/log";

import { BUS_PARTS } from "../../scripts/bus-parts.ts";
import { DRIFT } from "../../services/inventory/src/bus-parts.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { drained, ledgerOf, lostOf } from "./ledger.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";
import { createSender, keepSending } from "./sender.ts";
import { startNatsCluster, startNatsLeaf } from "./nats-nodes.ts";
import type { Server } from "./servers.ts";
import { until } from "./until.ts";

const REPLICAS = 3;
const AT_ONCE = 4;
const PUBLISHERS = 4;
const LOAD_MS = 1_000;
const ALONE_MS = 4_000;
const BREATH_MS = 20;
const CATCH_UP_MS = 20_000;
const log = createLogger("test", "error");
log.level = "silent"; // these tests cause failures

let cluster: Awaited<ReturnType<typeof startNatsCluster>>;
let fleet: Fleet;
let bus: BusConnection;
let admin: BusConnection;

beforeAll(async () => {
  cluster = await startNatsCluster();
  const urls = cluster.url.split(",").map((url) => serviceUrl(url, "inventory"));
  [admin, bus] = await Promise.all([
    connectBus({ url: cluster.url, name: "chaos", log }),
    connectBus({ url: urls.join(), name: "leeway-inventory", log }),
  ]);
  await ensureStreams(admin, BUS_PARTS, { replicas: REPLICAS });
  fleet = await startFleet({
    services: ["gateway", "webhooks", "analyzer"],
    natsUrl: cluster.url,
    replicas: REPLICAS,
  });
}, TEST_MS);

afterAll(async () => {
  await fleet.stop();
  await Promise.all([admin, bus].map(({ nats }) => nats.close()));
  await cluster.remove();
}, TEST_MS);

/** Waits until a returned server has the streams. Restarts it once if it can't catch up. */
async function catchesUp(node: Server): Promise<void> {
  await becomesWhole("the server that is back has the streams", CATCH_UP_MS).catch(async () => {
    node.signal("SIGKILL");
    await node.start();
    await becomesWhole("the server that is back again has the streams");
  });
}

/**
 * Waits until every server has every stream up to date.
 * @throws {Error} with the cluster state of the stream that isn't, when it takes too long
 */
async function becomesWhole(what: string, limitMs = WAIT_MS): Promise<void> {
  let lastSeen: object | undefined;
  const isWhole = async (): Promise<boolean> => {
    const manager = await admin.nats.jetstreamManager({ timeout: 1_000, checkAPI: false });
    for (const { stream } of [DriftRequested, DeliveryAccepted]) {
      const info = await manager.streams.info(stream).catch(() => undefined);
      const others = info?.cluster?.replicas ?? [];
      lastSeen = info?.cluster;
      if (others.length !== REPLICAS - 1 || !others.every(({ current }) => current)) return false;
    }
    return true;
  };
  await until(isWhole, limitMs, what).catch((error: unknown) => {
    throw new Error(`NATS reports ${JSON.stringify(lastSeen)}`, { cause: error });
  });
}

/** Publishes events from several publishers and collects the ids of those that were confirmed. */
function keepPublishing(confirmed: Set<string>): () => Promise<void> {
  const state = { stopped: false };
  const one = async (): Promise<void> => {
    while (!state.stopped) {
      const id = crypto.randomUUID();
      await publish(bus, DriftRequested, { org_id: id, scan_id: id }, id).then(
        () => confirmed.add(id),
        () => Bun.sleep(50),
      );
      await Bun.sleep(BREATH_MS);
    }
  };
  const working = Promise.all(Array.from({ length: PUBLISHERS }, one));
  return async () => {
    state.stopped = true;
    await working;
  };
}

test(
  "killing one of three NATS servers under load, then another, loses nothing that was accepted",
  async () => {
    const receiver = await fleet.newReceiver();
    const sender = createSender(receiver);
    const confirmed = new Set<string>();
    const worked = new Set<string>();
    const stopWorking = consume(bus, {
      ...DRIFT,
      concurrency: 8,
      log,
      ackWaitMs: 2_000,
      handle: async ({ scan_id }) => void worked.add(scan_id),
    });
    await becomesWhole("all servers have the streams");
    const backMs: number[] = [];
    for (const node of cluster.nodes.slice(0, 2)) {
      const stops = [keepSending(sender, AT_ONCE), keepPublishing(confirmed)];
      await Bun.sleep(LOAD_MS);
      backMs.push(await kill(node, { sender, confirmed }));
      await Bun.sleep(LOAD_MS);
      await node.start();
      await Bun.sleep(LOAD_MS);
      await Promise.all(stops.map((stop) => stop()));
      // Without load, because the speed of catching up under load depends on the machine and on NATS.
      await catchesUp(node);
    }
    await drained(fleet, WAIT_MS);
    await until(() => confirmed.isSubsetOf(worked), WAIT_MS).catch(() => undefined);
    await stopWorking();
    const lost = await lostOf(fleet, sender.ids);
    const missing = [...confirmed.difference(worked)];
    figure(
      `${sender.ids.size} webhooks accepted (answers ${JSON.stringify(sender.statuses)}, slowest ` +
        `${Math.round(sender.slowestMs())} ms), ${confirmed.size} events confirmed; accepted again ` +
        `${backMs.map(Math.round).join(" and ")} ms after a server was killed; ${lost.length + missing.length} lost`,
    );
    expect({ lost, missing, wrong: sender.wrong }).toEqual({ lost: [], missing: [], wrong: [] });
    expect(await ledgerOf(fleet, receiver)).toMatchObject({ processed: sender.ids.size, twice: 0 });
  },
  TEST_MS,
);

test(
  "services at a leaf node go on when the server that it is connected to is killed",
  async () => {
    const leaf = await startNatsLeaf(cluster);
    const near = await connectBus({ url: serviceUrl(leaf.url, "inventory"), name: "leeway-inventory", log });
    const worked = new Set<string>();
    const handle = async ({ scan_id }: { scan_id: string }) => void worked.add(scan_id);
    const stopWorking = consume(near, { ...DRIFT, concurrency: 1, log, ackWaitMs: 2_000, handle });
    const backMs: number[] = [];
    for (const node of [undefined, ...cluster.nodes.slice(0, 2)]) {
      node?.signal("SIGKILL");
      const id = crypto.randomUUID();
      const send = () =>
        publish(near, DriftRequested, { org_id: id, scan_id: id }, id).then(
          () => true,
          () => false,
        );
      backMs.push(await until(send, WAIT_MS, "the event is accepted"));
      await until(() => worked.has(id), WAIT_MS, "the event is processed");
      await node?.start();
      if (node) await catchesUp(node);
    }
    figure(`through a leaf node, events are accepted after ${backMs.map(Math.round).join(", ")} ms`);
    await stopWorking();
    await near.nats.close();
    await leaf.remove();
  },
  TEST_MS,
);

test(
  "migrations with one of three NATS servers running wait for the others",
  async () => {
    const others = cluster.nodes.slice(1);
    for (const node of others) node.signal("SIGKILL");
    const ensured = ensureStreams(admin, BUS_PARTS, { replicas: REPLICAS }).then(() => "streams");
    expect(await Promise.race([ensured, Bun.sleep(ALONE_MS)])).toBeUndefined();
    await Promise.all(others.map((node) => node.start()));
    expect(await ensured).toBe("streams");
  },
  TEST_MS,
);

/** Kills a server. Returns the milliseconds until webhooks and events were accepted again. */
async function kill(
  node: Server,
  { sender, confirmed }: { sender: ReturnType<typeof createSender>; confirmed: ReadonlySet<string> },
): Promise<number> {
  node.signal("SIGKILL");
  const killed = performance.now();
  await until(() => sender.acceptedAt() > killed, WAIT_MS, "webhooks are taken");
  const before = confirmed.size;
  await until(() => confirmed.size > before, WAIT_MS, "events are taken");
  return performance.now() - killed;
}
