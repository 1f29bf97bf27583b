import { expect, test } from "bun:test";

import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";

import { loadConfig } from "@leeway/shared/platform/config";
import { failureOf, runProgram, testDatabase, testServers } from "@leeway/shared/testing/testing";

import { GITHUB_APP_VARIABLES, githubAppOf } from "../src/code-host/github-app.ts";
import { SCHEMA } from "../src/schema.ts";

const here = (file: string): string => JSON.stringify(join(import.meta.dir, file));
const KEYS = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = (type: "pkcs1" | "pkcs8") => KEYS.privateKey.export({ type, format: "pem" });

const read = (env: Record<string, string>) => githubAppOf(loadConfig(GITHUB_APP_VARIABLES, env));

test.each([
  ["PKCS#1", pem("pkcs1")],
  ["PKCS#8", pem("pkcs8")],
  ["PKCS#1 on one line", pem("pkcs1").replaceAll("\n", String.raw`\n`)],
  ["PKCS#8 on one line", pem("pkcs8").replaceAll("\n", String.raw`\n`)],
])("the app's private key is read as %s", (_, key) => {
  const app = read({ GITHUB_APP_ID: "7", GITHUB_APP_PRIVATE_KEY: key });
  expect(app?.privateKey.equals(KEYS.privateKey)).toBe(true);
  expect(app?.apiUrl).toBe("https://api.github.com");
});

test.each([
  ["isn't a key", { GITHUB_APP_ID: "7", GITHUB_APP_PRIVATE_KEY: "Canary7hunter2" }],
  [
    "has the wrong type",
    {
      GITHUB_APP_ID: "7",
      GITHUB_APP_PRIVATE_KEY: generateKeyPairSync("ed25519").privateKey.export({
        type: "pkcs8",
        format: "pem",
      }),
    },
  ],
  ["has no app id", { GITHUB_APP_PRIVATE_KEY: pem("pkcs8") }],
  ["is missing", { GITHUB_APP_ID: "7" }],
])("a private key of the app that %s is refused without being shown", async (_, env) => {
  const failure = String(await failureOf(Promise.try(() => read(env))));
  expect(failure).toContain("GITHUB_APP_PRIVATE_KEY");
  expect(failure).not.toContain("Canary7hunter2");
  expect(failure).not.toContain("BEGIN");
});

test.each(["acme", ":acme", "nobody:acme", "018f7f3e-0000-7000-8000-000000000001:a:b"])(
  "owners like %p are refused",
  async (owners) => {
    const env = { GITHUB_APP_ID: "7", GITHUB_APP_PRIVATE_KEY: pem("pkcs8"), GITHUB_APP_OWNERS: owners };
    expect(String(await failureOf(Promise.try(() => read(env))))).toContain("GITHUB_APP_OWNERS");
  },
);

test("no app is configured by default", () => {
  expect(read({})).toBeUndefined();
});

test("neither tokens nor the app's key appear in logs or answers, whatever a host does", async () => {
  const db = await testDatabase([SCHEMA]);
  const { exitCode, stdout, stderr } = await runProgram(
    `import { connectBus } from "@leeway/shared/bus/connection";
     import { openDatabase } from "@leeway/shared/database/database";
     import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
     import { createLogger } from "@leeway/shared/platform/telemetry/log";
     import { putComment, reactToComment, getPermission } from ${here("../src/code-host/comments.ts")};
     import { createConfig } from ${here("../src/configs/configs.ts")};
     import { startWebhooks } from ${here("../src/start.ts")};
     import { startGithub } from ${here("../../../tests/code-hosts/github.ts")};
     import { startGitlab } from ${here("../../../tests/code-hosts/gitlab.ts")};
     import { cut, page, redirect, status } from ${here("../../../tests/code-hosts/server.ts")};
     const gitlab = startGitlab();
     const github = startGithub();
     const log = createLogger("webhooks", "debug");
     const database = openDatabase({ url: Bun.env.DATABASE_URL, service: "webhooks" });
     const bus = await connectBus({ url: Bun.env.NATS_URL, name: "secrecy", log });
     const { dependencies, drain } = await startWebhooks({ database, bus, log }, {
       ring: parseKeyRing("k:" + Buffer.alloc(32, 1).toString("base64")), dedupeHours: 24,
       publicBaseUrl: "https://leeway.example.com", egressAllow: [gitlab.host, github.host],
       githubApp: {
 id: github.appId, privateKey: github.privateKey, apiUrl: github.url, owners: new Map([["*", new Set(["*"])]]) },
     });
     const token = gitlab.issue();
     const secrets = [token, github.privateKey.export({ type: "pkcs8", format: "pem" }).split("\\n")[3]];
     const shown = [];
     const echo = (code) => ({ headers, body }) => Response.json(
       { message: JSON.stringify([...headers]) + body + "WhatTheHostSaid" }, { status: code });
     const faults = [undefined, page, cut, redirect("https://" + token + "@127.0.0.1/"),
       ...[200, 400, 401, 403, 404, 422, 429, 500].map(echo)];
     let refused = 0;
     for (const fault of faults) {
       for (const matches of [/./, /comments|notes/, /access_tokens/]) {
         gitlab.recover(); github.recover();
         const org_id = crypto.randomUUID();
         await createConfig(dependencies, { org_id, source: "vcs", api_token: token,
           provider_base_url: gitlab.url, created_by: { type: "system", id: "test" } });
         if (fault) { gitlab.fail(fault, matches); github.fail(fault, matches); }
         for (const [source, repository] of [["vcs", "platform/network"], ["planner", "acme/infra"]]) {
           const target = { source, repository, number: 7 };
           const parts = [{ marker: "<!-- leeway:x -->", body: "x" + shown.length }];
           for (const asked of [
             putComment(dependencies, { org_id, target, parts }),
             reactToComment(dependencies, { org_id, target, comment_id: 1, emoji: "eyes" }),
             getPermission(dependencies, { org_id, target, user_id: 1, username: "mara" }),
           ]) {
             const answer = await asked.catch((error) => error);
             if (answer.done !== true) refused += 1;
             console.error(answer, Bun.inspect(answer, { depth: 20 }), answer.stack);
             shown.push(JSON.stringify(answer));
           }
         }
       }
     }
     for (const { headers } of [...gitlab.requests, ...github.requests]) secrets.push(headers.get("authorization")?.slice(7));
     secrets.push(...github.tokens.keys());
     console.error("refused: " + refused);
     process.stdout.write("\\nsecrets:" + JSON.stringify(secrets.filter(Boolean)) + "\\n");
     await drain(); process.exit(0);`,
    { DATABASE_URL: db.urlOf("webhooks"), NATS_URL: testServers().natsUrl },
  );
  await db.drop();
  expect(stderr).toMatch(/refused: [1-9]\d+/);
  expect(exitCode).toBe(0);
  const [logged = "", list = "[]"] = stdout.split("\nsecrets:");
  const secrets: string[] = JSON.parse(list);
  expect(secrets.length).toBeGreaterThan(3);
  for (const secret of secrets) expect((logged + stderr).includes(secret), secret).toBe(false);
  expect(logged + stderr).not.toContain("WhatTheHostSaid");
  expect(logged).toContain("a request to a code host failed");
});
