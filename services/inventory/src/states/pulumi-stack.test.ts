import { describe, expect, test } from "bun:test";

import { cloudOfType } from "../clouds/clouds.ts";
import type { DeclaredResource } from "../clouds/cloud.ts";
import { comparableAttributes } from "../drift/compare/comparable-attributes.ts";
import { readState } from "./read-state.ts";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const encrypted = { [SIGNATURE]: SECRET, ciphertext: "v1:canary" };
const shown = { [SIGNATURE]: SECRET, plaintext: '"canary"' };

async function read(
  type: string,
  outputs: unknown,
  inputs?: object,
  flags: Record<string, boolean> = {},
): Promise<DeclaredResource> {
  const urn = `urn:pulumi:dev::shop::${type}::main`;
  const row = { urn, type, custom: true, id: "main", outputs, inputs, ...flags };
  const body = new Response(JSON.stringify({ version: 3, deployment: { resources: [row] } })).body;
  const taken: DeclaredResource[] = [];
  await readState(body ?? new ReadableStream(), {
    take: (resource) => taken.push(resource),
    drain: () => Promise.resolve(),
  });
  const [resource] = taken;
  if (resource === undefined) throw new Error("nothing was read");
  return resource;
}

const keptOf = (resource: DeclaredResource): string =>
  comparableAttributes(resource, cloudOfType(resource.type)) ?? "nothing";

describe("a secret of a Pulumi stack", () => {
  test.each([
    ["encrypted", { description: encrypted }],
    ["shown by --show-secrets", { description: shown }],
    ["in a block", { environment: { variables: { MODE: shown } } }],
    ["in a list", { layers: ["a", encrypted] }],
    ["in a text of JSON", { description: JSON.stringify({ inner: shown }) }],
    ["that all outputs are", shown],
  ])("%s is read by nobody and kept nowhere", async (_, outputs) => {
    const resource = await read("aws:lambda/function:Function", outputs);
    expect(JSON.stringify(resource)).not.toContain("canary");
    expect(keptOf(resource)).not.toContain("canary");
    expect(keptOf(resource)).not.toContain(SIGNATURE);
  });

  test("is hidden alone: what is beside it is kept", async () => {
    const outputs = { memorySize: 256, environment: { variables: { MODE: shown, STAGE: "a" } } };
    const kept: unknown = JSON.parse(keptOf(await read("aws:lambda/function:Function", outputs)));
    expect(kept).toMatchObject({
      id: "main",
      memorySize: 256,
      environment: { variables: { MODE: "[redacted]", STAGE: "a" } },
    });
  });

  test("identifies nothing", async () => {
    const type = "aws:sqs/queue:Queue";
    const plain = await read(type, { arn: "arn:aws:sqs:eu-west-1:123456789012:a" });
    const secret = await read(type, { arn: encrypted });
    const keysOf = (resource: DeclaredResource) =>
      cloudOfType(type).declaredIdentity(resource).keys.join(" ");
    expect(keysOf(plain)).toContain("arn:aws:sqs");
    expect(keysOf(secret)).not.toContain("arn:aws:sqs");
    expect(keysOf(secret)).not.toContain("redacted");
  });
});

test.each(["external", "delete", "pendingReplacement"])("what is marked %s isn't declared", async (flag) => {
  await expect(read("aws:sqs/queue:Queue", {}, {}, { [flag]: true })).rejects.toThrow("nothing was read");
});

test("what Pulumi notes of defaults is no tag", async () => {
  const outputs = { tags: { __defaults: [], team: "a" } };
  const { attributes } = await read("aws:lambda/function:Function", outputs);
  expect(attributes["tags"]).toEqual({ team: "a" });
});

test("of a provider that keeps all that a cloud answers, what the program sets is kept", async () => {
  const type = "aws-native:lambda:Function";
  const resource = await read(type, { memorySize: 256, lastModified: "today" }, { memorySize: 256 });
  expect(JSON.parse(keptOf(resource))).toEqual({ memorySize: 256 });
  expect(resource.attributes).toMatchObject({ lastModified: "today" });
  expect(keptOf(await read(type, { lastModified: "today" }))).toBe("{}");
});

test.each(["aws:x/unheardOf:UnheardOf", "github:index/repository:Repository", "google-native:x:Y"])(
  "of a Pulumi type that can't be compared, %s, no outputs are kept",
  async (type) => {
    expect(keptOf(await read(type, { description: "a" }))).toBe("nothing");
  },
);
