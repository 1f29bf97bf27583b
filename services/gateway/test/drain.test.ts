import { expect, test } from "bun:test";

import { PurgeInventory } from "@leeway/shared/contracts/inventory/accounts";
import { ListScans } from "@leeway/shared/contracts/inventory/scans";

import { startTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

test("a stopping gateway finishes pending requests and accepts no new ones", async () => {
  const stopping = await startTestGateway();
  const { id, key } = await stopping.newOrg();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  stopping.others.on(ListScans, async () => {
    resolve();
    await Bun.sleep(300);
    return { data: [] };
  });
  const underWay = stopping.ask("GET", `/api/v2/orgs/${id}/scans`, { as: key });
  await asked;
  const drained = stopping.stop();
  await Bun.sleep(50);
  expect(stopping.ask("GET", "/healthz")).rejects.toThrow();
  expect((await underWay).status).toBe(200);
  await drained;
});

test("a stopping gateway leaves a slow purge of an organization to the next one", async () => {
  const gateway = await startTestGateway();
  const { id, owner } = await gateway.newOwnedOrg();
  const forgotten = Promise.withResolvers<void>();
  gateway.others.on(PurgeInventory, async () => {
    await forgotten.promise;
    return {};
  });
  await gateway.ask("DELETE", `/api/v2/orgs/${id}`, { as: owner });
  await until(() => gateway.others.asked.some(({ subject }) => subject === PurgeInventory.subject));
  // Shorter than the nine seconds that a process has to stop.
  const stopped = gateway.serving.drain().then(() => true);
  expect(await Promise.race([stopped, Bun.sleep(8_000)])).toBe(true);
  expect(await gateway.db.admin`select from identity.organizations where org_id = ${id}`).toHaveLength(1);
  forgotten.resolve();
  await gateway.stop();
});
