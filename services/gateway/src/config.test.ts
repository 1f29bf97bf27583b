import { expect, test } from "bun:test";

import { readConfig } from "./config.ts";

const NEEDED = {
  DATABASE_URL: "postgres://localhost/leeway",
  NATS_URL: "nats://localhost",
  LEEWAY_MASTER_KEYS: `k:${Buffer.alloc(32).toString("base64")}`,
};

test("without a public address clients are told the port on this machine", () => {
  expect(readConfig(NEEDED).PUBLIC_BASE_URL).toBe("http://localhost:8080");
  expect(readConfig({ ...NEEDED, PORT: "9000" }).PUBLIC_BASE_URL).toBe("http://localhost:9000");
  expect(readConfig({ ...NEEDED, PUBLIC_BASE_URL: "https://api.example.com/" }).PUBLIC_BASE_URL).toBe(
    "https://api.example.com",
  );
});

test("everything that is wrong is named at once, and no value is shown", () => {
  const wrong = { ...NEEDED, PORT: "x", PUBLIC_BASE_URL: "example", LEEWAY_MASTER_KEYS: "k:c2VjcmV0" };
  expect(() => readConfig(wrong)).toThrow(/LEEWAY_MASTER_KEYS .*; PORT .*; PUBLIC_BASE_URL/);
  expect(() => readConfig(wrong)).not.toThrow(/c2VjcmV0/);
});

test("an identity provider takes an audience, and the other way round", () => {
  expect(() => readConfig({ ...NEEDED, OIDC_ISSUER: "https://id.example.com" })).toThrow("OIDC_AUDIENCE");
  expect(() => readConfig({ ...NEEDED, OIDC_AUDIENCE: "leeway" })).toThrow("OIDC_ISSUER");
});

test("it listens at an IP address, at all of them unless it is told which", () => {
  expect(readConfig(NEEDED).LISTEN_ADDRESS).toBe("0.0.0.0");
  expect(readConfig({ ...NEEDED, LISTEN_ADDRESS: "::1" }).LISTEN_ADDRESS).toBe("::1");
  expect(() => readConfig({ ...NEEDED, LISTEN_ADDRESS: "localhost" })).toThrow(/LISTEN_ADDRESS .*IP address/);
});

test.each([" ", "two words", "a-token\n", "schlüssel"])(
  "an operator's token that no request could bring is refused: %j",
  (token) => {
    expect(() => readConfig({ ...NEEDED, OPERATOR_TOKEN: token })).toThrow(
      /^configuration: OPERATOR_TOKEN must/,
    );
  },
);

test("without an operator's token, or with an empty one, there is none", () => {
  expect(readConfig(NEEDED).OPERATOR_TOKEN).toBeUndefined();
  expect(readConfig({ ...NEEDED, OPERATOR_TOKEN: "" }).OPERATOR_TOKEN).toBeUndefined();
  expect(readConfig({ ...NEEDED, OPERATOR_TOKEN: "a-token" }).OPERATOR_TOKEN).toBe("a-token");
});
