import { expect, test } from "bun:test";

import { testBusKeys } from "@leeway/shared/testing/testing";

import { readConfig } from "./config.ts";

const NEEDED = {
  DATABASE_URL: "postgres://localhost/leeway",
  NATS_URL: "nats://localhost",
  LEEWAY_MASTER_KEYS: `k:${Buffer.alloc(32).toString("base64")}`,
  LEEWAY_BUS_KEYS: testBusKeys("inventory"),
};

test("no cloud is a choice, and all of them the default", () => {
  expect(readConfig(NEEDED).CLOUD_PROVIDERS).toEqual(["aws", "gcp", "azure"]);
  expect(readConfig({ ...NEEDED, CLOUD_PROVIDERS: "" }).CLOUD_PROVIDERS).toEqual([]);
});

test("the issuer is where clients reach the gateway", () => {
  expect(readConfig(NEEDED).issuer).toBe("http://localhost:8080");
  expect(readConfig({ ...NEEDED, PUBLIC_BASE_URL: "https://leeway.example.com/" }).issuer).toBe(
    "https://leeway.example.com",
  );
});

test.each([
  [{}, undefined],
  [{ AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" }, undefined],
  [
    { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" },
    { accessKeyId: "id", secretAccessKey: "secret" },
  ],
])("who assumes roles with %j", (given, identity) => {
  expect(readConfig({ ...NEEDED, ...given }).awsIdentity).toEqual(identity);
});

test.each([{ AWS_ACCESS_KEY_ID: "id" }, { AWS_SECRET_ACCESS_KEY: "canary" }])(
  "half a key is refused: %j",
  (given) => {
    expect(() => readConfig({ ...NEEDED, ...given })).toThrow(/^(?!.*canary).*or neither/);
  },
);
