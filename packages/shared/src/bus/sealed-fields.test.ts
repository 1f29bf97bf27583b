import { afterAll, beforeAll, expect, test } from "bun:test";

import { Type as t } from "@sinclair/typebox";
import fc from "fast-check";
import { pino } from "pino";

import { defineBodyRequest, defineRequest, type RequestContract } from "../contracts/contract.ts";
import { busKeys, parseBusKeys, type BusKeys } from "../security/encryption/bus-keys.ts";
import { parseKeyRing } from "../security/encryption/keyring.ts";
import { sealed } from "../contracts/sealed.ts";
import { failureOf, testBus, testServers } from "../testing/testing.ts";
import { answer, answerBody, serve } from "./answer.ts";
import { connectBus, type BusConnection } from "./connection.ts";
import { call, callWithBody, forward } from "./request.ts";
import { openFields, sealFields } from "./sealed-fields.ts";

const owner = `t${crypto.randomUUID().slice(0, 8)}`;
const SECRET = 'a "secret" of ürgent\nneed';
const ORG = crypto.randomUUID();

const Credentials = t.Union([
  t.Object({ kind: t.Literal("role"), role: t.String() }),
  t.Object({ kind: t.Literal("static"), secret: sealed(t.String()), token: t.Optional(sealed(t.String())) }),
]);
const input = t.Object({
  org_id: t.String(),
  name: t.String(),
  credentials: t.Optional(t.Union([Credentials, t.Null()])),
});
const output = t.Object({ name: t.String(), raw_secret: t.Optional(sealed(t.String())) });
const Create = defineRequest(`${owner}.things.create`, { input, output });
const Change = defineRequest(`${owner}.things.change`, { input, output });
const Receive = defineBodyRequest(`${owner}.things.receive`, {
  input: t.Object({ credential: sealed(t.String()) }),
  output: t.Object({ same: t.Boolean() }),
});

const ring = (fill: number, id = `k${fill}`): string => `${id}:${Buffer.alloc(32, fill).toString("base64")}`;
const keysOf = (service: string, rings = ring(1)): BusKeys =>
  parseBusKeys(busKeys(parseKeyRing(rings), service, ["gateway", owner, "other"]));

let gateway: BusConnection;
let service: BusConnection;
let onlooker: BusConnection;
const received: string[] = [];
const logged: string[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(line) });
const connect = (name: string, keys: BusKeys): Promise<BusConnection> =>
  connectBus({ url: testServers().natsUrl, name: `leeway-${name}`, keys, log });

/** Answers the secret that it received. */
const echo = async ({ name, credentials }: { name: string; credentials?: unknown }) => ({
  name,
  ...(credentials ? { raw_secret: String(Object(credentials).secret) } : {}),
});

beforeAll(async () => {
  [gateway, service, onlooker] = await Promise.all([
    connect("gateway", keysOf("gateway")),
    connect(owner, keysOf(owner)),
    testBus("onlooker"),
  ]);
  onlooker.nats.subscribe(">", { callback: (_, message) => void received.push(message.string()) });
  await onlooker.nats.flush();
  const endpoints = [answer(Create, echo), answer(Change, echo)];
  const receive = answerBody(Receive, async ({ credential }) => ({ same: credential === SECRET }));
  serve(service, { service: owner, endpoints: [...endpoints, receive], log });
  await service.nats.flush();
});

afterAll(async () => {
  await Promise.all([gateway, service, onlooker].map(({ nats }) => nats.close()));
});

const SENT = { org_id: ORG, name: "shown", credentials: { kind: "static" as const, secret: SECRET } };

test("a sealed field arrives as it was sent, in the request and in the answer, and no message shows it", async () => {
  expect(await call(gateway, Create, SENT)).toEqual({ name: "shown", raw_secret: SECRET });
  const { body } = await forward(gateway, Create, SENT);
  expect(JSON.parse(Buffer.from(body).toString())).toEqual({ name: "shown", raw_secret: SECRET });
  const bytes = Buffer.from("bytes\nas they are");
  expect(await callWithBody(gateway, Receive, { credential: SECRET }, bytes)).toEqual({ same: true });
  await onlooker.nats.flush();
  const all = received.join("\n");
  expect(all).toContain("shown"); // the onlooker receives the messages
  expect(all).toContain("bytes\nas they are");
  for (const form of [SECRET, JSON.stringify(SECRET).slice(1, -1), Buffer.from(SECRET).toString("base64")])
    expect(all).not.toContain(form);
});

test.each([undefined, null, { kind: "role" as const, role: "r" }])(
  "a request whose sealed field is absent is answered: %j",
  async (credentials) => {
    const sent = { org_id: ORG, name: "shown", ...(credentials !== undefined && { credentials }) };
    expect(await call(gateway, Create, sent)).toMatchObject({ name: "shown" });
  },
);

test("a request whose sealed field isn't text is refused like any wrong input", async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- wrong on purpose
  const wrong = { ...SENT, credentials: { kind: "static", secret: 5 } } as unknown as typeof SENT;
  expect(await failureOf(call(gateway, Create, wrong))).toMatchObject({ code: "invalid_parameter" });
});

const GATEWAY_KEYS = keysOf("gateway");

/** A request on its way from the gateway. */
const passage = (contract: RequestContract = Create, more: { orgId?: string; keys?: BusKeys } = {}) => ({
  keys: GATEWAY_KEYS,
  contract,
  caller: "gateway",
  orgId: ORG,
  ...more,
});

test("a field opens for the same contract, organization, direction and member only", () => {
  const wire = sealFields(passage(), "input", SENT);
  const { secret } = Object(Object(wire).credentials);
  const moved = { ...SENT, credentials: { kind: "static", token: secret } };
  const refused = "was changed or moved on its way";
  expect(openFields(passage(), "input", wire)).toEqual(SENT);
  expect(() => openFields(passage(Change), "input", wire)).toThrow(refused);
  expect(() => openFields(passage(Create, { orgId: crypto.randomUUID() }), "input", wire)).toThrow(refused);
  expect(() => openFields(passage(), "input", moved)).toThrow(refused);
  expect(() => openFields(passage(), "output", { raw_secret: secret })).toThrow(refused);
});

test("any text opens to itself, and never after a change of a byte", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (secret, position) => {
      const value = { credentials: { secret } };
      const wire = sealFields(passage(), "input", value);
      expect(openFields(passage(), "input", wire)).toEqual(value);
      const field = Object(Object(wire).credentials).secret;
      const bytes = Buffer.from(field.sealed, "base64");
      bytes[position % bytes.length]! ^= 1;
      const changed = { credentials: { secret: { ...field, sealed: bytes.toString("base64") } } };
      expect(() => openFields(passage(), "input", changed)).toThrow("was changed or moved on its way");
    }),
  );
});

test("a service with the keys of others can't open a field", () => {
  const wire = sealFields(passage(), "input", SENT);
  expect(() => openFields(passage(Create, { keys: keysOf("other") }), "input", wire)).toThrow(
    `LEEWAY_BUS_KEYS has no key of ${[owner, "gateway"].toSorted().join("-")}`,
  );
  const forged = keysOf("gateway", ring(2, "k1"));
  expect(() => openFields(passage(Create, { keys: forged }), "input", wire)).toThrow("was changed or moved");
});

test("a service without keys sends no secret, and its other requests still work", async () => {
  const bare = await connect("gateway", new Map());
  try {
    received.length = 0;
    expect(await failureOf(call(bare, Create, SENT))).toMatchObject({
      message: expect.stringContaining("LEEWAY_BUS_KEYS has no key of"),
    });
    await onlooker.nats.flush();
    expect(received.filter((text) => text.includes("shown"))).toEqual([]);
  } finally {
    await bare.nats.close();
  }
});

test("a secret in clear is refused and not logged", async () => {
  logged.length = 0;
  const reply = await gateway.nats.request(`${Create.subject}.gateway`, JSON.stringify(SENT));
  expect(reply.json<object>()).toEqual({
    code: "internal",
    message: "internal error; include the request id when you report it",
  });
  expect(logged.join()).toContain("SealError");
  expect(logged.join()).not.toContain("ürgent");
});

test("a request of version 0.1.0, which names no caller, is answered in clear", async () => {
  const reply = await gateway.nats.request(Create.subject, JSON.stringify(SENT));
  expect(reply.json<object>()).toEqual({ name: "shown", raw_secret: SECRET });
});

test("while a key is replaced, each side opens what the other seals", async () => {
  const [first, both, swapped] = [ring(1), `${ring(1)},${ring(2)}`, `${ring(2)},${ring(1)}`];
  for (const [sender, receiver] of [
    [first, both],
    [both, first],
    [both, swapped],
    [swapped, both],
  ]) {
    const wire = sealFields(passage(Create, { keys: keysOf("gateway", sender) }), "input", SENT);
    expect(openFields(passage(Create, { keys: keysOf(owner, receiver) }), "input", wire)).toEqual(SENT);
  }
  const wire = sealFields(passage(Create, { keys: keysOf("gateway", swapped) }), "input", SENT);
  expect(() => openFields(passage(Create, { keys: keysOf(owner, first) }), "input", wire)).toThrow(
    /LEEWAY_BUS_KEYS has no k2\./,
  );
});
