import { afterAll, beforeAll, expect, test } from "bun:test";

import { connectBus } from "@leeway/shared/bus/connection";
import { consume } from "@leeway/shared/bus/consume";
import { ensureStreams } from "@leeway/shared/bus/keep-streams";
import { publish } from "@leeway/shared/bus/publish";
import { DriftRequested } from "@leeway/shared/contracts/inventory/scans";
import { createLogger } from "@leeway/shared/platform/telemetry/log";
import { failureOf } from "@leeway/shared/testing/testing";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { BUS_PARTS } from "../../scripts/bus-parts.ts";
import { findNatsServer } from "../../scripts/local/nats-server.ts";
import { natsAnswers } from "../../scripts/local/nats.ts";
import { freePort } from "../../scripts/local/ports.ts";
import { makeTestFolder } from "../../scripts/local/test-folder.ts";
import { DRIFT } from "../../services/inventory/src/bus-parts.ts";
import { until } from "../chaos/until.ts";
import { ROOT } from "../docs/repository.ts";
import { SERVICES } from "./kit.ts";

const FILES = ["nats-server.conf", "users.conf", "rights.json", "leafnodes.conf", "leaf.conf"];
const USERS = [...SERVICES, "operator"];
const log = createLogger("test", "error");
log.level = "silent"; // refusals are expected

let dir: string;
let server: Bun.Subprocess;
/** A leaf node of it. */
let leaf: Bun.Subprocess;
let port: number;
let leafPort: number;

/** Starts a NATS server with the configuration from compose, except for addresses and the folder. */
beforeAll(async () => {
  dir = await makeTestFolder();
  port = await freePort();
  leafPort = await freePort();
  const joinPort = String(await freePort());
  const { path } = await findNatsServer({ say: () => undefined });
  for (const file of FILES) {
    const text = await Bun.file(join(ROOT, "deploy/nats", file)).text();
    const include = file === "nats-server.conf" ? '\ninclude "leafnodes.conf"\n' : "";
    const here = text.replace('"/data"', JSON.stringify(join(dir, "data"))).replace("7422", joinPort);
    await Bun.write(join(dir, file), here + include);
  }
  const passwords = [...USERS, "leaf"].map((user) => [
    `${user.toUpperCase()}_NATS_PASSWORD`,
    passwordOf(user),
  ]);
  const start = async (file: string, at: number, env: Record<string, string> = {}) => {
    const own = ["-a", "127.0.0.1", "-p", String(at), "-m", String(await freePort())];
    return Bun.spawn([path, "-c", join(dir, file), ...own], {
      env: { ...Object.fromEntries(passwords), ...env },
      stdout: "ignore",
      stderr: "ignore",
    });
  };
  server = await start("nats-server.conf", port);
  await until(() => natsAnswers(urlOf("operator")), 10_000);
  const cluster = `nats-leaf://leaf:${passwordOf("leaf")}@127.0.0.1:${joinPort}`;
  leaf = await start("leaf.conf", leafPort, {
    NATS_NAME: "leaf",
    NATS_CLUSTER_URLS: JSON.stringify([cluster, cluster]),
  });
  await until(() => natsAnswers(urlOf("operator", undefined, leafPort)), 10_000);
});

afterAll(async () => {
  for (const one of [leaf, server]) {
    one.kill();
    await one.exited;
  }
  await rm(dir, { recursive: true, force: true });
});

const passwordOf = (user: string): string => `p-${user}`;
const urlOf = (user: string, password = passwordOf(user), at = port): string =>
  `nats://${user}:${password}@127.0.0.1:${at}`;

test.each(USERS)("%s is accepted only with its own password", async (user) => {
  expect(await natsAnswers(urlOf(user))).toBe(true);
  for (const other of USERS.filter((name) => name !== user)) {
    expect(await natsAnswers(urlOf(user, passwordOf(other)))).toBe(false);
  }
});

test("connections without a user, or as the cluster's route user, are refused", async () => {
  expect(await natsAnswers(`nats://127.0.0.1:${port}`)).toBe(false);
  expect(await natsAnswers(urlOf("route"))).toBe(false);
});

test("with real permissions only the intended service can answer a request", async () => {
  const [gateway, quota, webhooks] = await Promise.all(
    ["gateway", "quota", "webhooks"].map((user) =>
      connectBus({ url: urlOf(user), name: `leeway-${user}`, log }),
    ),
  );
  if (!gateway || !quota || !webhooks) throw new Error("not connected");
  for (const { nats } of [quota, webhooks]) {
    nats.subscribe("quota.plans.get.*", {
      callback: (problem, message) => problem ?? message.respond("answered"),
    });
    await nats.flush();
  }
  for (let call = 0; call < 20; call += 1) {
    expect((await gateway.nats.request("quota.plans.get.gateway")).string()).toBe("answered");
  }
  for (const caller of ["webhooks", "gateway"]) {
    const asked = webhooks.nats.request(`quota.plans.get.${caller}`, "", { timeout: 500 });
    expect(String(await failureOf(asked))).toContain("Permissions Violation for Publish");
  }
  await Promise.all([gateway, quota, webhooks].map(({ nats }) => nats.close()));
});

test("services at a leaf node ask, publish and process through it, with their own rights", async () => {
  const near = (user: string) =>
    connectBus({ url: urlOf(user, undefined, leafPort), name: `leeway-${user}`, log });
  const [operator, inventory, gateway] = [
    await near("operator"),
    await near("inventory"),
    await near("gateway"),
  ];
  const quota = await connectBus({ url: urlOf("quota"), name: "leeway-quota", log });
  quota.nats.subscribe("quota.plans.get.*", {
    callback: (problem, message) => problem ?? message.respond("answered"),
  });
  const ask = () => gateway.nats.request("quota.plans.get.gateway").then(String, () => "");
  await until(async () => (await ask()) !== "", 10_000);
  const forged = gateway.nats.request("quota.plans.get.webhooks", "", { timeout: 500 });
  expect(String(await failureOf(forged))).toContain("Permissions Violation for Publish");

  await ensureStreams(operator, BUS_PARTS);
  const done = Promise.withResolvers<string>();
  const handle = async ({ scan_id }: { scan_id: string }) => done.resolve(scan_id);
  const stop = consume(inventory, { ...DRIFT, concurrency: 1, log, handle });
  const id = crypto.randomUUID();
  await publish(inventory, DriftRequested, { org_id: id, scan_id: id }, id);
  expect(await done.promise).toBe(id);
  await stop();
  await Promise.all([operator, inventory, gateway, quota].map(({ nats }) => nats.close()));
});

test("a service can't receive another's answers", async () => {
  const { nats } = await connectBus({ url: urlOf("quota"), name: "leeway-quota", log });
  const refused = Promise.withResolvers<string>();
  nats.subscribe("_INBOX.leeway-gateway.>", { callback: (problem) => refused.resolve(String(problem)) });
  expect(await refused.promise).toContain("Permissions Violation");
  await nats.close();
});

test("a running server applies new permissions when it reloads its files", async () => {
  const file = join(dir, "rights.json");
  const rights: Record<string, { publish: { allow: string[] } }> = await Bun.file(file).json();
  rights["webhooks"]?.publish.allow.push("quota.of_the_next_release");
  const quota = await connectBus({ url: urlOf("quota"), name: "leeway-quota", log });
  const mayAsk = async (): Promise<boolean> => {
    const { nats } = await connectBus({ url: urlOf("webhooks"), name: "leeway-webhooks", log });
    const failure = await failureOf(nats.request("quota.of_the_next_release", "", { timeout: 500 }));
    await nats.close();
    return !String(failure).includes("Permissions Violation");
  };
  expect(await mayAsk()).toBe(false);
  await Bun.write(file, JSON.stringify(rights));
  expect(await mayAsk()).toBe(false);
  server.kill("SIGHUP"); // as `docker compose kill -s HUP nats` does
  await until(mayAsk, 10_000);
  expect(quota.connected).toBe(true);
  await quota.nats.close();
});
