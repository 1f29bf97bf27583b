import { describe, expect, test } from "bun:test";

import type { Json } from "../../values/json.ts";
import { redact, REDACTED, redactText } from "./redact.ts";
import { AROUND, CANARY, FILL, FORMS, joined, NAMES, shown } from "./secrets.fixture.ts";

describe("a secret is recognized by its form", () => {
  test.each(FORMS)("if it is %s", (_, secret) => {
    for (const text of [secret, `before ${secret} after`, `x="${secret}"`, `a\n${secret}\nb`]) {
      const cleaned = redactText(text);
      expect(cleaned).toContain(REDACTED);
      for (const part of secret.split("\n")) expect(cleaned).not.toContain(part);
    }
  });

  test.each(AROUND)("in %s", (_, write) => {
    const cleaned = redactText(write(CANARY));
    expect(cleaned).toContain(REDACTED);
    expect(cleaned).not.toContain(CANARY);
    expect(cleaned).not.toContain(btoa(`user:${CANARY}`));
  });

  test("leaving the text around it readable", () => {
    expect(redactText(`postgres://app:${CANARY}@db:5432/app`)).toBe("postgres://app:[redacted]@db:5432/app");
    expect(redactText(`Server=db;Password=${CANARY};Encrypt=true`)).toBe(
      "Server=db;Password=[redacted];Encrypt=true",
    );
    expect(redactText(`{"user":"a","password":"${CANARY}","port":1}`)).toBe(
      '{"user":"a","password":"[redacted]","port":1}',
    );
    expect(redactText(`auth:\n  user: a\n  password: ${CANARY}\nport: 1`)).toBe(
      "auth:\n  [redacted]\nport: 1",
    );
    expect(redactText(`[{"name":"DB_PASSWORD","value":"${CANARY}"},{"name":"A","value":"b"}]`)).toBe(
      '[{"name":"DB_PASSWORD","value":"[redacted]"},{"name":"A","value":"b"}]',
    );
    expect(redactText(`[{"value":"b","name":"A"},{"value":"${CANARY}","name":"DB_PASSWORD"}]`)).toBe(
      '[{"value":"b","name":"A"},{"value":"[redacted]","name":"DB_PASSWORD"}]',
    );
    expect(redactText(`db:\n  password: correct ${CANARY} # of the app\n  port: 1`)).toBe(
      "db:\n  password: [redacted] # of the app\n  port: 1",
    );
    expect(redactText(`{"secrets":{"a":"${CANARY}"},"port":1}`)).toBe('{"secrets":"[redacted]","port":1}');
  });
});

test.each([
  "secrets: []\nauth: {}",
  "existingSecret:\nport: 1",
  'env:\n  - name: SECRET_ARN\n    value: "a"',
  '[{"name":"DB_PASSWORD","valueFrom":"x"}]',
  "secretKeyRef:\n  name: db\n  key: password",
  "tokenizers:\n  a: b",
  "password: ${var.password} # of the app\nport: 1",
  "- name: A\n  value: b\n- name: DB_PASSWORD\n  valueFrom: x",
  '[{"value":"b","name":"A"},{"name":"DB_PASSWORD","valueFrom":"x"}]',
  '{"max_values": 3, "key_name": "DB_PASSWORD"}',
])("a text without a secret stays unchanged: %j", (text) => {
  expect(redactText(text)).toBe(text);
});

describe("a secret is recognized by its name:", () => {
  test.each(NAMES)("%s", (name) => {
    expect(redact({ [name]: CANARY })).toEqual({
      value: { [name]: REDACTED },
      redactions: [`/${name}`],
    });
    expect(shown({ [name]: [CANARY] })).not.toContain(CANARY);
    expect(shown({ a: [{ [name]: { b: [{ c: CANARY }] } }] })).not.toContain(CANARY);
  });

  test("primaryKey, unless it is a table's", () => {
    expect(shown({ primaryKey: CANARY })).not.toContain(CANARY);
    expect(shown({ primaryKey: ["id"], primary_key: { columns: ["id"] } })).not.toContain(REDACTED);
  });

  test("even if it is a number", () => {
    expect(redact({ password: 12345678 }).value as Json).toEqual({ password: REDACTED });
  });
});

describe("a name-value pair", () => {
  test.each<Json>([
    { name: "DB_PASSWORD", value: CANARY },
    { Name: "DB_PASSWORD", Value: CANARY },
    { key: "api-key", value: CANARY },
    { Key: "Secret", Value: CANARY },
    { ParameterKey: "DbPassword", ParameterValue: CANARY },
    { ParameterName: "master_password", ParameterValue: CANARY },
    { Namespace: "aws:env", OptionName: "API_TOKEN", Value: CANARY },
    { OutputKey: "ApiKey", OutputValue: CANARY },
    { name: "x-api-key", values: [CANARY] },
    { header: "Authorization", value: CANARY },
    { name: "/prod/db", type: "SecureString", value: CANARY },
    { sensitive: true, type: "string", value: CANARY },
    { NoEcho: "true", Type: "String", Default: CANARY },
    { name: "X", secureValue: CANARY, secure: true },
  ])("%j is hidden", (pair) => {
    const { value, redactions } = redact<Json>({ environment: [{ name: "A", value: "b" }, pair] });
    expect(JSON.stringify(value)).not.toContain(CANARY);
    expect(JSON.stringify(value)).toContain('{"name":"A","value":"b"}');
    expect(redactions).toHaveLength(1);
  });

  test.each<Json>([
    { name: "KEY_NAME", value: "deploy" },
    { name: "PASSWORD_LENGTH", value: "12" },
    { key: "environment", value: "prod" },
    { name: "SECRET_ARN", value: "arn:aws:secretsmanager:eu-west-1:1:secret:x" },
    { name: "DB_PASSWORD", valueFrom: "arn:aws:ssm:eu-west-1:123456789012:parameter/db" },
    { sensitive: false, value: "x" },
  ])("%j isn't hidden", (pair) => {
    expect(redact<Json>(pair)).toEqual({ value: pair, redactions: [] });
  });
});

describe("a secret's location", () => {
  test.each<[string, Json]>([
    ["a container's arguments", { args: ["--user", "a", "--password", CANARY] }],
    ["a container's arguments in one text", { command: ["sh", "-c", `export API_TOKEN=${CANARY} && run`] }],
    ["a Kubernetes Secret", { kind: "Secret", metadata: { name: "x" }, data: { x: CANARY } }],
    ["a registry login", { auths: { "ghcr.io": { auth: CANARY } } }],
    ["a nested member", { a: { b: [{ c: { password: CANARY } }] } }],
    ["a name", { [joined("ghp_", FILL, CANARY)]: 1 }],
    [
      "names that would collide",
      { [joined("ghp_", FILL, "a")]: CANARY.length, [joined("ghp_", FILL, "b")]: 2 },
    ],
  ])("like %s is found", (_, value) => {
    const all = shown(value);
    expect(all).not.toContain(CANARY);
    expect(all).not.toContain(FILL);
  });

  test("under __proto__ is kept as data", () => {
    const value: Json = JSON.parse(`{"__proto__": {"password": "${CANARY}"}, "constructor": 1}`);
    const cleaned = redact(value);
    expect(JSON.stringify(cleaned.value)).toBe('{"__proto__":{"password":"[redacted]"},"constructor":1}');
    expect(cleaned.redactions).toEqual(["/__proto__/password"]);
  });

  test("is reported as a JSON pointer", () => {
    expect(redact({ "a/b": { "c~d": [0, { token: CANARY }] } }).redactions).toEqual(["/a~1b/c~0d/1/token"]);
  });

  test("nested too deeply to search is hidden", () => {
    let deep: Json = CANARY;
    for (let depth = 0; depth < 10_000; depth += 1) deep = depth % 2 ? [deep] : { a: deep };
    expect(shown(deep)).not.toContain(CANARY);
  });
});
