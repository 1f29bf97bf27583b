import { afterAll, beforeEach, describe, expect, test } from "bun:test";

import { idTokenOf } from "./device-flow.ts";

/** A provider that answers the token endpoint in turn, and its last answer again. */
let answers: (object | number)[] = [];
let metadata: object = {};
let started: object = {};
const asked: string[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  routes: {
    "/.well-known/openid-configuration": () => Response.json({ ...endpoints(), ...metadata }),
    "/device": () => Response.json(started),
    "/token": async (request) => {
      asked.push(await request.text());
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (typeof answer === "number") return new Response("busy", { status: answer });
      return Response.json(answer, { status: answer && "error" in answer ? 400 : 200 });
    },
  },
});
const issuer = `http://127.0.0.1:${server.port}`;
afterAll(() => server.stop(true));
beforeEach(() => {
  answers = [{ id_token: "the.id.token" }];
  metadata = {};
  asked.length = 0;
  started = {
    device_code: "device",
    user_code: "ABCD-EFGH",
    verification_uri: `${issuer}/enter`,
    expires_in: 60,
    interval: 5,
  };
});

function endpoints(): object {
  return { issuer, device_authorization_endpoint: `${issuer}/device`, token_endpoint: `${issuer}/token` };
}

const messages: string[] = [];
const pauses: number[] = [];
function signIn(): Promise<string> {
  messages.length = 0;
  pauses.length = 0;
  return idTokenOf(
    { issuer, clientId: "leeway-cli" },
    { log: (message) => void messages.push(message), during: (_, work) => work() },
    async (ms) => void pauses.push(ms / 1000),
  );
}

describe("signing in with a code", () => {
  test("shows the address and the code, and waits at the provider's pace", async () => {
    answers = [
      { error: "authorization_pending" },
      { error: "slow_down" },
      { error: "authorization_pending" },
      { id_token: "the.id.token" },
    ];
    expect(await signIn()).toBe("the.id.token");
    expect(messages).toEqual([`open ${issuer}/enter and enter the code ABCD-EFGH`]);
    expect(pauses).toEqual([5, 5, 10, 10]);
    expect(asked[0]).toBe(
      "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=device&client_id=leeway-cli",
    );
  });

  test("survives a provider that is busy, and asks less often", async () => {
    answers = [503, { id_token: "the.id.token" }];
    expect(await signIn()).toBe("the.id.token");
    expect(pauses).toEqual([5, 10]);
  });

  test.each<[string, object, string]>([
    ["the person denies it", { error: "access_denied" }, "the sign-in was denied"],
    [
      "the provider's code expires",
      { error: "expired_token" },
      "the code has expired; run leeway login again",
    ],
    ["nobody enters the code in time", { error: "authorization_pending" }, "the code has expired"],
    ["the client is unknown", { error: "invalid_client" }, "refused the sign-in (400): invalid_client"],
  ])("ends if %s", async (_, answer, message) => {
    answers = [answer];
    await expect(signIn()).rejects.toThrow(message);
  });

  test.each<[string, object, string]>([
    ["another issuer", { issuer: "https://evil.example.com" }, "says that it is https://evil.example.com"],
    [
      "an address without TLS",
      { token_endpoint: "http://login.example.com/token" },
      "must be https://, not http://login.example.com",
    ],
    ["no device flow", { device_authorization_endpoint: undefined }, "has no device flow"],
  ])("isn't started at a provider with %s", async (_, given, message) => {
    metadata = given;
    await expect(signIn()).rejects.toThrow(message);
    expect(asked).toEqual([]);
  });
});
