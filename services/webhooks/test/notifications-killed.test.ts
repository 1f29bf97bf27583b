import { CreateChannel, ListMessages, PublishNotification } from "@leeway/shared/contracts/webhooks/channels";
import { testDatabase, testServers } from "@leeway/shared/testing/testing";
import { expect, test } from "bun:test";

import { SCHEMA } from "../src/schema.ts";
import { startTestWebhooks } from "./kit.ts";
import { startReceiver } from "./support/receiver.ts";

const here = (path: string): string => JSON.stringify(new URL(path, import.meta.url).pathname);

/** A service in its own process, which sends from the outbox until it is killed. */
const SENDER = `
  import { connectBus } from "@leeway/shared/bus/connection";
  import { openDatabase } from "@leeway/shared/database/database";
  import { createLogger } from "@leeway/shared/platform/telemetry/log";
  import { RING } from ${here("./kit.ts")};
  import { startWebhooks } from ${here("../src/start.ts")};
  const log = createLogger("webhooks", "error");
  const database = openDatabase({ url: Bun.env.DATABASE_URL, service: "webhooks" });
  const bus = await connectBus({ url: Bun.env.NATS_URL, name: "sender", log });
  await startWebhooks({ database, bus, log }, {
    ring: RING, dedupeHours: 24, publicBaseUrl: "https://leeway.example.com",
    egressAllow: [Bun.env.RECEIVER],
  });
`;

test("a message whose process is killed while sending is sent by another, under the same id", async () => {
  const db = await testDatabase([SCHEMA]);
  const receiver = startReceiver();
  const first = await startTestWebhooks({ egressAllow: [receiver.host], beside: { test: db } });
  const org_id = crypto.randomUUID();
  const { id: channel_id } = await first.call(CreateChannel, {
    org_id,
    created_by: { type: "system", id: "test" },
    kind: "webhook",
    name: "a",
    events: ["scan.failed"],
    digest: "daily",
    target: { url: receiver.url },
  });
  const created_at = new Date().toISOString();
  const event = { id: "evt_killed", type: "scan.failed" as const, created_at, data: { scan_id: "one" } };
  await first.call(PublishNotification, { org_id, event });
  await first.stop();

  const sender = Bun.spawn([process.execPath, "-e", SENDER], {
    cwd: import.meta.dir,
    env: {
      ...Bun.env,
      DATABASE_URL: db.urlOf("webhooks"),
      NATS_URL: testServers().natsUrl,
      RECEIVER: receiver.host,
    },
  });
  receiver.answer(async () => {
    sender.kill("SIGKILL");
    await sender.exited;
    return new Response();
  });
  await db.admin`update webhooks.messages set next_attempt_at = now() where org_id = ${org_id}`;
  await sender.exited;
  receiver.answer(() => new Response());

  const second = await startTestWebhooks({ egressAllow: [receiver.host], beside: { test: db } });
  await db.admin`update webhooks.messages set leased_until = now() where org_id = ${org_id}`; // as a minute later
  const list = async () => (await second.call(ListMessages, { org_id, channel_id, limit: 10 })).data;
  while ((await list())[0]?.status !== "delivered") await Bun.sleep(20);
  const [message] = await list();
  expect(receiver.received.map(({ headers }) => headers.get("webhook-id"))).toEqual([
    message!.message_id,
    message!.message_id,
  ]);
  await second.stop();
  await receiver.stop();
  await db.drop();
});
