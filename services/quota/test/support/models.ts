import { serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { call } from "@leeway/shared/bus/request";
import type { Input, Output, RequestContract } from "@leeway/shared/contracts/contract";
import {
  GetLlmConfig,
  PROVIDERS,
  PutLlmConfig,
  type LlmConfig,
  type LlmConfigInput,
  type Provider,
} from "@leeway/shared/contracts/quota/llm-config";
import type { Database } from "@leeway/shared/database/database";
import { createEgress } from "@leeway/shared/security/egress/egress";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import type { Logger } from "@leeway/shared/platform/telemetry/log";
import { testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing/testing";

import { handlers } from "../../src/handlers.ts";
import { createModels, type Models } from "../../src/completions/complete.ts";
import type { OpenConnection } from "../../src/model/language-model.ts";
import type { Slots } from "../../src/completions/slots.ts";
import { SCHEMA } from "../../src/schema.ts";
import { startQuota } from "../../src/start.ts";
import { startModelServer, type ModelServer } from "./model-server.ts";

export const RING = parseKeyRing(`test:${Buffer.alloc(32, 7).toString("base64")}`);
export const MODEL = "some-model";
export { PROVIDERS };

/** Gates that grant everything, and a record of the calls. */
export interface CountingSlots extends Slots {
  asked: string[];
}

export function countingSlots(changes: Partial<Slots> = {}): CountingSlots {
  const asked: string[] = [];
  const note = (what: string) => async (): Promise<{ granted: true }> => {
    asked.push(what);
    return { granted: true };
  };
  return {
    asked,
    reserve: note("reserve"),
    consume: note("consume"),
    release: note("release"),
    ...changes,
  };
}

/** The quota service with a model server behind it. */
export interface TestModels {
  db: TestDatabase;
  database: Database;
  bus: BusConnection;
  server: ModelServer;
  call<C extends RequestContract>(contract: C, input: Input<C>): Promise<Output<C>>;
  /** Creates an organization with its own key, valid when set. */
  orgWithKey(provider?: Provider): Promise<{ org_id: string }>;
  breakerOf(org: { org_id: string }): Promise<LlmConfig["breaker"]>;
  /** Creates a separate model client. */
  models(options?: { slots?: Slots; platform?: OpenConnection; deadlineMs?: number; log?: Logger }): Models;
  stop(): Promise<void>;
}

export async function startTestModels(): Promise<TestModels> {
  const server = await startModelServer();
  const db = await testDatabase([SCHEMA]);
  const database = db.open(SCHEMA.service);
  const bus = await testBus("quota");
  const log = testLog();
  log.level = "silent"; // most tests here cause failures
  const egress = createEgress({ allow: [server.host] });
  const models: TestModels["models"] = ({ slots = countingSlots(), platform, ...more } = {}) =>
    createModels({
      database,
      ring: RING,
      egress,
      log,
      slots,
      platform,
      ...more,
    });
  const platformModel = platformOf(server, "anthropic");
  const settings = { ring: RING, egressAllow: [server.host], platformModel };
  const { dependencies, drain } = startQuota({ database, bus, log }, settings);
  const stop = serve(bus, { service: "quota", endpoints: handlers(dependencies), log });
  return {
    db,
    database,
    bus,
    server,
    call: (contract, input) => call(bus, contract, input),
    async orgWithKey(provider = "anthropic") {
      const org = newOrg();
      await call(bus, PutLlmConfig, { ...org, ...llmConfigOf(server, provider), validate: false });
      return org;
    },
    breakerOf: async (org) => (await call(bus, GetLlmConfig, org)).breaker,
    models,
    async stop() {
      await stop();
      await drain();
      await bus.nats.close();
      await db.drop();
      await server.stop();
    },
  };
}

/** Returns the settings that a provider needs besides its key. */
export function llmConfigOf(server: ModelServer, provider: Provider): LlmConfigInput {
  return {
    provider,
    api_key: server.key,
    model: MODEL,
    base_url: server.baseUrl(provider),
    ...(provider === "azure_openai" && { options: { deployment: "d-1", api_version: "2024-10-21" } }),
    ...(provider === "bedrock" && { options: { region: "eu-central-1" } }),
  };
}

/** Returns the same settings as the platform's model. */
export function platformOf(server: ModelServer, provider: Provider): OpenConnection {
  const { api_key: apiKey, model = MODEL, base_url: baseUrl = "", options } = llmConfigOf(server, provider);
  return { provider, apiKey, model, baseUrl, ...(options && { options }) };
}

export const newOrg = (): { org_id: string } => ({ org_id: crypto.randomUUID() });
/** Builds a question of a new job. */
export const question = (prompt = "What happens?"): { job_id: string; system: string; prompt: string } => ({
  job_id: crypto.randomUUID(),
  system: "You explain plans.",
  prompt,
});
