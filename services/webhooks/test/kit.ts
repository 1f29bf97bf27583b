import { serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call, callWithBody } from "@leeway/shared/bus/request";
import type { Input, Output, RequestContract } from "@leeway/shared/contract";
import {
  CreateConfig,
  type NewWebhookConfig,
  type WebhookConfigWithSecret,
} from "@leeway/shared/contracts/webhooks/configs";
import {
  ListDeliveries,
  ReceiveDelivery,
  type Delivery,
  type Receipt,
} from "@leeway/shared/contracts/webhooks/deliveries";
import type { Source } from "@leeway/shared/contracts/webhooks/events";
import type { Database } from "@leeway/shared/database/database";
import { parseKeyRing } from "@leeway/shared/encryption/keyring";
import type { Logger } from "@leeway/shared/telemetry/log";
import { testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing";
import type { Static } from "@sinclair/typebox";

import type { GithubAppSettings } from "../src/code-host/github-app.ts";
import { handlers, type Dependencies } from "../src/handlers.ts";
import type { MailSettings } from "../src/notifications/mail.ts";
import { SCHEMA } from "../src/schema.ts";
import { startWebhooks } from "../src/start.ts";

export const RING = parseKeyRing(`test:${Buffer.alloc(32, 7).toString("base64")}`);
const ACTOR = { type: "system" as const, id: "test" };

/** A webhooks service of a test's own: real database, real bus. */
export interface TestWebhooks {
  test: TestDatabase;
  database: Database;
  bus: BusConnection;
  dependencies: Dependencies;
  call<C extends RequestContract>(contract: C, input: Input<C>): Promise<Output<C>>;
  /** A config with its secret; of a planner unless it says otherwise. */
  newConfig(
    orgId: string,
    config?: Partial<Static<typeof NewWebhookConfig>>,
  ): Promise<WebhookConfigWithSecret>;
  receive(orgId: string, source: Source, body: Uint8Array | string, credential?: string): Promise<Receipt>;
  /** All deliveries of a config once none waits any more, newest first. */
  settled(orgId: string, configId: string): Promise<Delivery[]>;
  stop(): Promise<void>;
}

export async function startTestWebhooks({
  egressAllow = [],
  log = testLog(),
  dedupeHours = 24,
  githubApp,
  mail,
  ladderSeconds,
  beside,
  door = (database: Database) => database,
}: {
  egressAllow?: string[];
  log?: Logger;
  dedupeHours?: number;
  githubApp?: GithubAppSettings;
  mail?: MailSettings;
  ladderSeconds?: number[];
  /** Another instance, whose database it shares. */
  beside?: Pick<TestWebhooks, "test">;
  /** Stands between the service and the database. */
  door?: (database: Database) => Database;
} = {}): Promise<TestWebhooks> {
  const test = beside?.test ?? (await testDatabase([SCHEMA]));
  const database = door(test.open(SCHEMA.service));
  if (beside) await database.open(); // requests come to it at once
  const bus = await testBus("webhooks");
  const platform = { database, bus, log };
  const publicBaseUrl = "https://leeway.example.com";
  const retryMs = [10, 10, 10, 10];
  const settings = {
    ring: RING,
    replicas: 1,
    publicBaseUrl,
    egressAllow,
    githubApp,
    dedupeHours,
    retryMs,
    mail,
  };
  const { dependencies, drain } = await startWebhooks(platform, { ...settings, ladderSeconds });
  const stopServing = serve(bus, { service: SCHEMA.service, endpoints: handlers(dependencies), log });
  const ask = <C extends RequestContract>(contract: C, input: Input<C>) => call(bus, contract, input);
  return {
    test,
    database,
    bus,
    dependencies,
    call: ask,
    newConfig: (orgId, config = {}) =>
      ask(CreateConfig, { org_id: orgId, created_by: ACTOR, source: "planner", ...config }),
    receive: (orgId, source, body, credential) =>
      callWithBody(
        bus,
        ReceiveDelivery,
        { org_id: orgId, source, ...(credential !== undefined && { credential }) },
        Buffer.from(body),
      ),
    async settled(orgId, configId) {
      for (;;) {
        const { data } = await ask(ListDeliveries, { org_id: orgId, config_id: configId, limit: 500 });
        if (data.every(({ outcome }) => outcome !== "pending")) return data;
        await Bun.sleep(10);
      }
    },
    async stop() {
      await stopServing();
      await drain();
      await bus.nats.close();
      if (!beside) await test.drop();
    },
  };
}

/** The signature of a planner's body. */
export function signed(secret: string, body: Uint8Array | string): string {
  return `sha256=${new Bun.CryptoHasher("sha256", secret).update(body).digest("hex")}`;
}

/** A planner's plan event, each another. */
export function planEvent(changes: object = {}): string {
  return JSON.stringify({
    event: "plan",
    version: 1,
    event_id: crypto.randomUUID(),
    occurred_at: "2026-11-20T10:00:00Z",
    repository: "platform/network",
    change_request: { number: 7, url: "https://git.example.com/platform/network/pulls/7" },
    commit_sha: "0123456789abcdef0123456789abcdef01234567",
    project: { name: "prod", dir: "envs/prod", workspace: "default" },
    status: "success",
    tool: "terraform",
    plan: { format_version: "1.2", terraform_version: "1.9.0", resource_changes: [] },
    ...changes,
  });
}
