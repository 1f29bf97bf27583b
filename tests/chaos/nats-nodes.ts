import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { streamManager } from "@leeway/shared/bus/streams";
import { testLog } from "@leeway/shared/testing";

import { startNats } from "../../scripts/local/nats.ts";
import { newPassword } from "../../scripts/local/password.ts";
import { freePort } from "../../scripts/local/ports.ts";
import { type Launch, nothing, type Server, serverOf } from "./servers.ts";
import { until } from "./until.ts";

const MOST_TRIES = 5;
const WHOLE_MS = 10_000;

interface Cluster {
  /** Names all of its servers. */
  url: string;
  nodes: Server[];
  remove(): Promise<void>;
}

/**
 * Three nats-servers that keep streams together. Of 2.10's that start for the first time, one in some dozens leaves the
 * third out for good, and has "no suitable peers": then others are started.
 */
export async function startNatsCluster(): Promise<Cluster> {
  for (let tries = 1; ; tries += 1) {
    const cluster = await launchCluster();
    const failure = await untilWhole(cluster).catch((error: unknown) => error);
    if (failure === undefined) return cluster;
    await cluster.remove();
    if (tries === MOST_TRIES) throw failure;
  }
}

async function launchCluster(): Promise<Cluster> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const password = newPassword();
  const nodes = await Promise.all(
    ports.map((port, index) => {
      const cluster = { name: `nats-${index + 1}`, password, port, ports };
      const launch: Launch = (dir, client) => startNats({ dir, say: () => undefined, cluster, ...client });
      return serverOf("nats", launch, nothing);
    }),
  );
  return {
    url: nodes.map(({ url }) => url).join(","),
    nodes,
    async remove() {
      await Promise.all(nodes.map((node) => node.remove()));
    },
  };
}

/** Waits until a stream has a place on every server. @throws what NATS says against it for too long */
async function untilWhole({ url, nodes }: Cluster): Promise<void> {
  const bus = await connectBus({ url, name: "chaos", log: testLog() });
  let told: unknown;
  const isPlaced = (): Promise<boolean> =>
    place(bus, nodes.length).then(
      () => true,
      (error: unknown) => {
        told = error;
        return false;
      },
    );
  try {
    await until(isPlaced, WHOLE_MS, "the cluster is whole");
  } catch (error) {
    throw new Error(String(told), { cause: error });
  } finally {
    await bus.nats.close();
  }
}

async function place(bus: BusConnection, replicas: number): Promise<void> {
  const { streams } = await streamManager(bus);
  await streams.add({ name: "WHOLE", subjects: ["whole"], num_replicas: replicas });
  await streams.delete("WHOLE");
}
