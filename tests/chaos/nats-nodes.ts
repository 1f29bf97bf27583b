import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { streamManager } from "@leeway/shared/bus/streams";
import { testLog } from "@leeway/shared/testing/testing";

import { startNats } from "../../scripts/local/nats.ts";
import { newPassword } from "../../scripts/local/password.ts";
import { freePort } from "../../scripts/local/ports.ts";
import { type Launch, nothing, type Server, serverOf } from "./servers.ts";
import { until } from "./until.ts";

const MAX_TRIES = 5;
const WHOLE_MS = 30_000;

interface Cluster {
  /** URL with all servers of the cluster. */
  url: string;
  nodes: Server[];
  /** Addresses for leaf nodes, with the login of the cluster's account. */
  leafUrls: string[];
  remove(): Promise<void>;
}

/**
 * Starts a cluster of three NATS servers. With NATS 2.10 a few percent of new clusters never accept their third
 * server and report "no suitable peers"; those are replaced.
 */
export async function startNatsCluster(): Promise<Cluster> {
  for (let tries = 1; ; tries += 1) {
    const cluster = await launchCluster();
    const failure = await untilWhole(cluster).catch((error: unknown) => error);
    if (failure === undefined) return cluster;
    await cluster.remove();
    if (tries === MAX_TRIES) throw failure;
  }
}

async function launchCluster(): Promise<Cluster> {
  const ports = [await freePort(), await freePort(), await freePort()];
  const leafPorts = [await freePort(), await freePort(), await freePort()];
  const password = newPassword();
  const nodes = await Promise.all(
    ports.map((port, index) => {
      const name = `nats-${index + 1}`;
      const leafPort = leafPorts[index] ?? 0;
      const cluster = { name, password, port, ports, leafPort, tags: [`node:${name}`] };
      const launch: Launch = (dir, client) => startNats({ dir, say: () => undefined, cluster, ...client });
      return serverOf("nats", launch, nothing);
    }),
  );
  return {
    url: nodes.map(({ url }) => url).join(","),
    nodes,
    leafUrls: leafPorts.map((port) => `nats-leaf://leeway:${password}@127.0.0.1:${port}`),
    async remove() {
      await Promise.all(nodes.map((node) => node.remove()));
    },
  };
}

/** Starts a leaf node of `cluster`. */
export function startNatsLeaf({ leafUrls: leafOf }: Cluster): Promise<Server> {
  const launch: Launch = (dir, client) => startNats({ dir, say: () => undefined, leafOf, ...client });
  return serverOf("nats", launch, nothing);
}

/** Waits until a stream has a replica on every server. @throws NATS's error, when it takes too long */
async function untilWhole({ url, nodes }: Cluster): Promise<void> {
  const bus = await connectBus({ url, name: "chaos", log: testLog() });
  let failure: unknown;
  const isPlaced = (): Promise<boolean> =>
    place(bus, nodes.length).then(
      () => true,
      (error: unknown) => {
        failure = error;
        return false;
      },
    );
  try {
    await until(isPlaced, WHOLE_MS, "the cluster is whole");
  } catch (error) {
    throw new Error(String(failure), { cause: error });
  } finally {
    await bus.nats.close();
  }
}

async function place(bus: BusConnection, replicas: number): Promise<void> {
  const { streams } = await streamManager(bus);
  await streams.add({ name: "WHOLE", subjects: ["whole"], num_replicas: replicas });
  await streams.delete("WHOLE");
}
