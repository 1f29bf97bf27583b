import { expect, test } from "bun:test";

import { testBusKeys } from "@leeway/shared/testing/testing";

import { readConfig } from "./config.ts";

const NEEDED = {
  DATABASE_URL: "postgres://localhost/leeway",
  NATS_URL: "nats://localhost",
  LEEWAY_MASTER_KEYS: `k:${Buffer.alloc(32).toString("base64")}`,
  LEEWAY_BUS_KEYS: testBusKeys("gateway"),
};

test("clients get the local port when no public address is set", () => {
  expect(readConfig(NEEDED).PUBLIC_BASE_URL).toBe("http://localhost:8080");
  expect(readConfig({ ...NEEDED, PORT: "9000" }).PUBLIC_BASE_URL).toBe("http://localhost:9000");
  expect(readConfig({ ...NEEDED, PUBLIC_BASE_URL: "https://api.example.com/" }).PUBLIC_BASE_URL).toBe(
    "https://api.example.com",
  );
});

test("all invalid settings are reported at once, without their values", () => {
  const wrong = { ...NEEDED, PORT: "x", PUBLIC_BASE_URL: "example", LEEWAY_MASTER_KEYS: "k:c2VjcmV0" };
  expect(() => readConfig(wrong)).toThrow(/LEEWAY_MASTER_KEYS .*; PORT .*; PUBLIC_BASE_URL/);
  expect(() => readConfig(wrong)).not.toThrow(/c2VjcmV0/);
});

test("an identity provider needs an audience, and an audience needs a provider", () => {
  expect(() => readConfig({ ...NEEDED, OIDC_ISSUER: "https://id.example.com" })).toThrow("OIDC_AUDIENCE");
  expect(() => readConfig({ ...NEEDED, OIDC_AUDIENCE: "leeway" })).toThrow("OIDC_ISSUER");
});

test("it listens on all addresses by default, or on the configured IP address", () => {
  expect(readConfig(NEEDED).LISTEN_ADDRESS).toBe("0.0.0.0");
  expect(readConfig({ ...NEEDED, LISTEN_ADDRESS: "::1" }).LISTEN_ADDRESS).toBe("::1");
  expect(() => readConfig({ ...NEEDED, LISTEN_ADDRESS: "localhost" })).toThrow(/LISTEN_ADDRESS .*IP address/);
});

test.each([" ", "two words", "a-token\n", "schlüssel"])(
  "an operator token that can't be sent in a header is refused: %j",
  (token) => {
    expect(() => readConfig({ ...NEEDED, OPERATOR_TOKEN: token })).toThrow(
      /^configuration: OPERATOR_TOKEN must/,
    );
  },
);

test("an empty operator token counts as none", () => {
  expect(readConfig(NEEDED).OPERATOR_TOKEN).toBeUndefined();
  expect(readConfig({ ...NEEDED, OPERATOR_TOKEN: "" }).OPERATOR_TOKEN).toBeUndefined();
  const token = "t".repeat(32);
  expect(readConfig({ ...NEEDED, OPERATOR_TOKEN: token }).OPERATOR_TOKEN).toBe(token);
});

const short = () => readConfig({ ...NEEDED, OPERATOR_TOKEN: "guessable".padEnd(31, "x") });

test("a short operator token is refused with the command to create one, without being shown", () => {
  expect(short).toThrow(
    "OPERATOR_TOKEN has 31 characters but needs at least 32; create one with openssl rand -hex 32",
  );
  expect(short).not.toThrow(/guessable/);
});
