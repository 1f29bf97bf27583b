import { expect, test } from "bun:test";

import { connectBus } from "@leeway/shared/bus/connection";
import { ensureStreams } from "@leeway/shared/bus/keep-streams";
import { bodiesOf, streamManager } from "@leeway/shared/bus/streams";
import { testLog } from "@leeway/shared/testing/testing";

import { startNatsCluster } from "./nats-nodes.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";
import { until } from "./until.ts";

test(
  "migrations move streams to the servers with the configured tags, and back to any",
  async () => {
    const cluster = await startNatsCluster();
    const admin = await connectBus({ url: cluster.url, name: "chaos", log: testLog() });
    const parts = [{ service: "quota", durables: [], takesBodies: true as const }];
    const { streams } = await streamManager(admin);
    const serversOf = async (): Promise<string[]> => {
      const info = await streams.info(bodiesOf("quota")).catch(() => undefined);
      const { leader, replicas = [] } = info?.cluster ?? {};
      return [leader ?? "", ...replicas.map(({ name }) => name)].toSorted();
    };
    await ensureStreams(admin, parts, { replicas: 3 });
    for (const name of ["nats-2", "nats-3"]) {
      await ensureStreams(admin, parts, { replicas: 1, tags: [`node:${name}`] });
      await until(async () => (await serversOf()).join() === name, WAIT_MS, `only ${name} has the stream`);
    }
    await ensureStreams(admin, parts, { replicas: 3 });
    await until(async () => (await serversOf()).length === 3, WAIT_MS, "every server has the stream");
    expect(await serversOf()).toEqual(["nats-1", "nats-2", "nats-3"]);
    await admin.nats.close();
    await cluster.remove();
  },
  TEST_MS,
);
