import { describe, expect, test } from "bun:test";

import type { DeclaredResource } from "@leeway/clouds/cloud";
import { cloudOfType } from "@leeway/clouds/clouds";
import { readState } from "@leeway/clouds/states/read-state";

import { comparableAttributes } from "./comparable-attributes.ts";

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
    ["in a JSON text", { description: JSON.stringify({ inner: shown }) }],
    ["for all outputs", shown],
  ])("%s is neither read nor stored", async (_, outputs) => {
    const resource = await read("aws:lambda/function:Function", outputs);
    expect(JSON.stringify(resource)).not.toContain("canary");
    expect(keptOf(resource)).not.toContain("canary");
    expect(keptOf(resource)).not.toContain(SIGNATURE);
  });

  test("is redacted without its siblings", async () => {
    const outputs = { memorySize: 256, environment: { variables: { MODE: shown, STAGE: "a" } } };
    const kept: unknown = JSON.parse(keptOf(await read("aws:lambda/function:Function", outputs)));
    expect(kept).toMatchObject({
      id: "main",
      memorySize: 256,
      environment: { variables: { MODE: "[redacted]", STAGE: "a" } },
    });
  });

  test("isn't used as an identifier", async () => {
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

test.each(["external", "delete", "pendingReplacement"])(
  "a resource marked %s isn't declared",
  async (flag) => {
    await expect(read("aws:sqs/queue:Queue", {}, {}, { [flag]: true })).rejects.toThrow("nothing was read");
  },
);

test("Pulumi's __defaults aren't a tag", async () => {
  const outputs = { tags: { __defaults: [], team: "a" } };
  const { attributes } = await read("aws:lambda/function:Function", outputs);
  expect(attributes["tags"]).toEqual({ team: "a" });
});

test("only the inputs of a native provider's resource are stored", async () => {
  const type = "aws-native:lambda:Function";
  const resource = await read(type, { memorySize: 256, lastModified: "today" }, { memorySize: 256 });
  expect(JSON.parse(keptOf(resource))).toEqual({ memorySize: 256 });
  expect(resource.attributes).toMatchObject({ lastModified: "today" });
  expect(keptOf(await read(type, { lastModified: "today" }))).toBe("{}");
});

test.each(["aws:x/unheardOf:UnheardOf", "github:index/repository:Repository", "google-native:x:Y"])(
  "outputs of %s, which can't be compared, aren't stored",
  async (type) => {
    expect(keptOf(await read(type, { description: "a" }))).toBe("nothing");
  },
);
