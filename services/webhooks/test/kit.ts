import { serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call, callWithBody } from "@leeway/shared/bus/request";
import type { Input, Output, RequestContract } from "@leeway/shared/contracts/contract";
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
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Logger } from "@leeway/shared/platform/telemetry/log";
import { testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing/testing";
import type { Static } from "@sinclair/typebox";

import type { GithubAppSettings } from "../src/code-host/github-app.ts";
import { handlers, type Dependencies } from "../src/handlers.ts";
import type { MailSettings } from "../src/notifications/mail/transport.ts";
import { SCHEMA } from "../src/schema.ts";
import { startWebhooks } from "../src/start.ts";
import { startFakeAnalyzer } from "./support/analyzer.ts";

export const RING = parseKeyRing(`test:${Buffer.alloc(32, 7).toString("base64")}`);
const ACTOR = { type: "system" as const, id: "test" };

/** A webhooks service for one test, with a real database and a real bus. */
export interface TestWebhooks {
  test: TestDatabase;
  database: Database;
  bus: BusConnection;
  dependencies: Dependencies;
  call<C extends RequestContract>(contract: C, input: Input<C>): Promise<Output<C>>;
  /** Creates a config with its secret; a planner's by default. */
  newConfig(
    orgId: string,
    config?: Partial<Static<typeof NewWebhookConfig>>,
  ): Promise<WebhookConfigWithSecret>;
  receive(
    orgId: string,
    source: Source,
    body: Uint8Array | string,
    how?: string | { credential: string; sender: string },
  ): Promise<Receipt>;
  /** The latest event that the analyzer has read of each delivery, as JSON. */
  events: ReadonlyMap<string, string>;
  /** Waits until none of a config's deliveries is pending and returns them, newest first. */
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
  /** Another instance whose database it shares. */
  beside?: Pick<TestWebhooks, "test">;
  /** Wraps the database of the service. */
  door?: (database: Database) => Database;
} = {}): Promise<TestWebhooks> {
  const test = beside?.test ?? (await testDatabase([SCHEMA]));
  const database = door(test.open(SCHEMA.service));
  if (beside) await database.open(); // requests arrive at once
  const bus = await testBus("webhooks");
  const platform = { database, bus, log };
  const publicBaseUrl = "https://leeway.example.com";
  const settings = { ring: RING, publicBaseUrl, egressAllow, githubApp, dedupeHours, mail };
  const { dependencies, drain } = await startWebhooks(platform, { ...settings, ladderSeconds });
  const stopServing = serve(bus, { service: SCHEMA.service, endpoints: handlers(dependencies), log });
  const analyzer = await startFakeAnalyzer(bus);
  const ask = <C extends RequestContract>(contract: C, input: Input<C>) => call(bus, contract, input);
  return {
    test,
    database,
    bus,
    dependencies,
    call: ask,
    events: analyzer.events,
    newConfig: (orgId, config = {}) =>
      ask(CreateConfig, { org_id: orgId, created_by: ACTOR, source: "planner", ...config }),
    receive: (orgId, source, body, how) =>
      callWithBody(
        bus,
        ReceiveDelivery,
        { org_id: orgId, source, ...(typeof how === "string" ? { credential: how } : how) },
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
      await analyzer.stop();
      await stopServing();
      await drain();
      await bus.nats.close();
      if (!beside) await test.drop();
    },
  };
}

/** Returns the signature of a planner's body. */
export function signed(secret: string, body: Uint8Array | string): string {
  return `sha256=${new Bun.CryptoHasher("sha256", secret).update(body).digest("hex")}`;
}

/** Builds a planner's plan event with a new id. */
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
