import { expect, test } from "bun:test";

import { ListScans } from "@leeway/shared/contracts/inventory/scans";

import { startTestGateway } from "./support/gateway.ts";

test("a gateway that stops finishes what is under way and takes nothing new", async () => {
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
