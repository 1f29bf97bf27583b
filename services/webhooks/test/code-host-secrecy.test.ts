import { describe, expect, test } from "bun:test";

import { createServer } from "node:net";
import { join } from "node:path";

import { createEgress, type Egress } from "@leeway/shared/security/egress/egress";
import { AppError } from "@leeway/shared/values/errors";
import { runProgram } from "@leeway/shared/testing/testing";
import fc from "fast-check";

import { validateToken, type TokenFacts } from "../src/code-host/token.ts";

const NOW = new Date("2026-10-07T14:00:00Z");
const REPO = "platform/network";
const SAID = "WhatTheHostSaid";
const REFUSALS: ReadonlySet<string> = new Set([
  "api_token is expired",
  "api_token has no expiry",
  "api_token is missing the api scope",
  "api_token is revoked",
  "api_token was rejected by the instance",
  "instance unreachable",
  "api_token cannot reach repo_path",
]);

function isFixed(failure: unknown, secrets: readonly string[]): boolean {
  if (!(failure instanceof AppError)) return false;
  const shown = Bun.inspect(failure, { depth: 20 }) + JSON.stringify(failure.details) + failure.stack;
  return REFUSALS.has(failure.message) && secrets.every((secret) => !shown.includes(secret));
}

const accepted = async (validated: Promise<TokenFacts>, secrets: readonly string[]): Promise<boolean> =>
  validated.then(
    ({ scopes, expiresAt }) => scopes.includes("api") && expiresAt >= "2026-10-07",
    (failure: unknown) => isFixed(failure, secrets),
  );

const here = (file: string): string => JSON.stringify(join(import.meta.dir, file));

describe("any response of a host", () => {
  const WAYS = [
    "name",
    "scopes",
    "expires_at",
    "active",
    "revoked",
    "username",
    "id",
    "permissions",
    "message",
  ];
  const status = fc.oneof(fc.constantFrom(200, 401, 403, 404, 429, 500), fc.integer({ min: 200, max: 599 }));
  const good = { name: "leeway", revoked: false, active: true, scopes: ["api"], expires_at: "2026-12-31" };
  const almost = fc
    .dictionary(fc.constantFrom(...WAYS), fc.jsonValue(), { maxKeys: 2 })
    .map((changes) => ({ ...good, id: 7, username: "bot", ...changes }));
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json().map((text) => new TextEncoder().encode(text)),
    almost.map((value) => new TextEncoder().encode(JSON.stringify(value))),
  );

  test("means a valid token or one of the refusals", async () => {
    const answers = fc.array(fc.record({ status, body }), { minLength: 4, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(answers, fc.uuid(), async (queue, secret) => {
        const rest = [...queue];
        const answering: Egress = {
          check: async () => undefined,
          fetch: async () => {
            const { status = 500, body = new Uint8Array() } = rest.shift() ?? {};
            return new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), { status });
          },
        };
        const check = { baseUrl: "https://gitlab.example.com", token: secret, repoPath: REPO };
        expect(await accepted(validateToken(answering, check, NOW), [secret])).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("that is malformed means one of the refusals", async () => {
    const line = fc.constantFrom("HTTP/1.1 200 OK", "HTTP/1.1 99 ?", "HTTP/9.9 200", "SSH-2.0-x", "\0", "");
    const header = fc.oneof(
      fc.constantFrom(
        "Content-Length: 5",
        "Content-Length: x",
        "Transfer-Encoding: chunked",
        "Connection: close",
      ),
      fc.constantFrom(
        "Content-Encoding: gzip",
        "Location: http://127.0.0.1/",
        "Set-Cookie: a",
        ": b",
        "\xff: \0",
      ),
      fc.string({ maxLength: 30 }),
    );
    const raw = fc
      .tuple(line, fc.array(header, { maxLength: 4 }), fc.string({ maxLength: 50 }))
      .map(([first, headers, rest]) => [first, ...headers, "", rest].join("\r\n"));
    let answer = "";
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const bound = server.address();
    const port = typeof bound === "object" ? bound?.port : 0;
    const address = `127.0.0.1:${port}`;
    const anything = createEgress({ allow: [address] });
    await fc.assert(
      fc.asyncProperty(raw, fc.uuid(), async (bytes, secret) => {
        answer = bytes;
        const check = { baseUrl: `http://${address}`, token: secret };
        expect(await accepted(validateToken(anything, check, NOW), [secret])).toBe(true);
      }),
      { numRuns: 300 },
    );
    server.close();
  });
});

test("neither the token nor the host's text appears in a log or an error", async () => {
  const faults = ["reset", "truncated", "trickle", "flood(300_000)", "redirect(SAID)"];
  const words = [200, 302, 401, 403, 404, 429, 500].map(
    (status) =>
      `json(${status}, { message: SAID, error: SAID, name: SAID, [SAID]: TOKEN }, { "x-said": SAID })`,
  );
  const { exitCode, stdout, stderr } = await runProgram(
    `import { createEgress } from "@leeway/shared/security/egress/egress";
     import { createLogger } from "@leeway/shared/platform/telemetry/log";
     import { validateToken } from ${here("../src/code-host/token.ts")};
     import { checkBaseUrl } from ${here("../src/code-host/base-url.ts")};
     import { flood, json, redirect, reset, startCodeHost, trickle, truncated } from ${here("support/code-host.ts")};
     const { SAID, TOKEN } = process.env;
     const log = createLogger("test", "debug");
     const host = await startCodeHost();
     const direct = createEgress({ allow: [host.host] });
     const egress = { ...direct, fetch: (url, init) => direct.fetch(url, { ...init, timeoutMs: 200 }) };
     let failures = 0;
     const fail = async (work) => {
       try { await work; } catch (error) {
         failures += 1;
         log.error({ error, details: error.details }, "failed");
         console.error(error, Bun.inspect(error, { depth: 20 }), error.stack, String(error.cause));
       }
     };
     for (const answer of [${[...faults, ...words].join(",")}]) {
       host.answerWith(answer);
       await fail(validateToken(egress, { baseUrl: host.url, token: TOKEN, repoPath: SAID }, new Date()));
     }
     await fail(validateToken(egress, { baseUrl: host.url, token: TOKEN + "\\n" }, new Date()));
     await fail(validateToken(egress, { baseUrl: "https://" + TOKEN + "@127.0.0.1", token: TOKEN }, new Date()));
     await fail(checkBaseUrl(egress, "https://" + TOKEN + "@127.0.0.1/?" + SAID));
     await host.stop();
     console.error("failures: " + failures);`,
    { SAID, TOKEN: "glpat-Canary7hunter2" },
  );
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`failures: ${faults.length + words.length + 3}`);
  expect(stdout).toContain("instance unreachable");
  expect(stdout + stderr).not.toContain("Canary7hunter2");
  expect(stdout + stderr).not.toContain(SAID);
});
