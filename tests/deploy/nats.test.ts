import { afterAll, beforeAll, expect, test } from "bun:test";

import { connectBus } from "@leeway/shared/bus/connection";
import { createLogger } from "@leeway/shared/telemetry/log";
import { failureOf } from "@leeway/shared/testing";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { findNatsServer } from "../../scripts/local/nats-server.ts";
import { natsAnswers } from "../../scripts/local/nats.ts";
import { freePort } from "../../scripts/local/ports.ts";
import { makeTestFolder } from "../../scripts/local/test-folder.ts";
import { until } from "../chaos/until.ts";
import { ROOT } from "../docs/repository.ts";
import { SERVICES } from "./kit.ts";

const FILES = ["nats-server.conf", "users.conf", "rights.json"];
const USERS = [...SERVICES, "operator"];
const log = createLogger("test", "error");
log.level = "silent"; // a refusal is what is looked for

let dir: string;
let server: Bun.Subprocess;
let port: number;

/** A nats-server with the configuration that compose gives it, but for addresses and folder. */
beforeAll(async () => {
  dir = await makeTestFolder();
  port = await freePort();
  const { path } = await findNatsServer({ say: () => undefined });
  for (const file of FILES) {
    const text = await Bun.file(join(ROOT, "deploy/nats", file)).text();
    await Bun.write(join(dir, file), text.replace('"/data"', JSON.stringify(join(dir, "data"))));
  }
  const own = ["-a", "127.0.0.1", "-p", String(port), "-m", String(await freePort())];
  const passwords = USERS.map((user) => [`${user.toUpperCase()}_NATS_PASSWORD`, passwordOf(user)]);
  server = Bun.spawn([path, "-c", join(dir, "nats-server.conf"), ...own], {
    env: Object.fromEntries(passwords),
    stdout: "ignore",
    stderr: "ignore",
  });
  await until(() => natsAnswers(urlOf("operator")), 10_000);
});

afterAll(async () => {
  server.kill();
  await server.exited;
  await rm(dir, { recursive: true, force: true });
});

const passwordOf = (user: string): string => `p-${user}`;
const urlOf = (user: string, password = passwordOf(user)): string =>
  `nats://${user}:${password}@127.0.0.1:${port}`;

test.each(USERS)("%s is let in with its own password, and with nobody else's", async (user) => {
  expect(await natsAnswers(urlOf(user))).toBe(true);
  for (const other of USERS.filter((name) => name !== user)) {
    expect(await natsAnswers(urlOf(user, passwordOf(other)))).toBe(false);
  }
});

test("nobody is let in without a name, nor with that of the servers' routes", async () => {
  expect(await natsAnswers(`nats://127.0.0.1:${port}`)).toBe(false);
  expect(await natsAnswers(urlOf("route"))).toBe(false);
});

test("the rights hold there too: an answer is given by whom a question is for, and by nobody else", async () => {
  const [gateway, quota, webhooks] = await Promise.all(
    ["gateway", "quota", "webhooks"].map((user) =>
      connectBus({ url: urlOf(user), name: `leeway-${user}`, log }),
    ),
  );
  if (!gateway || !quota || !webhooks) throw new Error("not connected");
  for (const { nats } of [quota, webhooks]) {
    nats.subscribe("quota.plans.get", {
      callback: (problem, message) => problem ?? message.respond("answered"),
    });
    await nats.flush();
  }
  for (let call = 0; call < 20; call += 1) {
    expect((await gateway.nats.request("quota.plans.get")).string()).toBe("answered");
  }
  const refused = await failureOf(webhooks.nats.request("quota.plans.get", "", { timeout: 500 }));
  expect(String(refused)).toContain("Permissions Violation for Publish");
  await Promise.all([gateway, quota, webhooks].map(({ nats }) => nats.close()));
});

test("one service doesn't hear another's answers", async () => {
  const { nats } = await connectBus({ url: urlOf("quota"), name: "leeway-quota", log });
  const refused = Promise.withResolvers<string>();
  nats.subscribe("_INBOX.leeway-gateway.>", { callback: (problem) => refused.resolve(String(problem)) });
  expect(await refused.promise).toContain("Permissions Violation");
  await nats.close();
});

test("a server that runs takes the rights of another release when it is told to read its files again", async () => {
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
