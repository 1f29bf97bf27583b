import { describe, expect, test } from "bun:test";
import { globSync } from "node:fs";
import { join } from "node:path";

import { CLOUDS } from "@leeway/clouds/clouds";
import { isSecret as isSecretName } from "@leeway/shared/security/redaction/secret-names";
import { CORPUS, hasCorpus } from "@leeway/shared/testing/corpus.fixture";

import { compareResource } from "../compare-resource.ts";
import { accountIn, joinListings, readAnyListing, type LiveAccount } from "../estate/live-account.ts";
import { camelCase } from "./camel-case.fixture.ts";
import { adopt } from "./adopt.ts";
import { allOf } from "./adopt.fixture.ts";
import { argumentsOf, type Argument } from "./arguments.ts";
import { checkCode } from "./hcl.fixture.ts";
import type { LiveToAdopt } from "./live.ts";
import { offeredTypes } from "./offered-types.ts";
import { readResource } from "./read-resource.ts";
import { settleArguments } from "./settle-arguments.ts";
import { adoptedType } from "./terraform-type.ts";

const EXAMPLES = join(import.meta.dir, "../../../../examples");
const LISTINGS = [
  ...globSync(join(EXAMPLES, "*/listing.json")),
  ...(hasCorpus
    ? globSync(
        join(
          CORPUS,
          "live-listings/{cloud-custodian-*,aws-cli-examples,forseti,azure-resource-graph}/**/*.json",
        ),
      )
    : []),
].toSorted();

async function accountOf(bytes: () => AsyncIterable<Uint8Array>): Promise<LiveAccount | undefined> {
  const listing = await readAnyListing(bytes).catch(() => undefined);
  if (listing === undefined || listing.resources.length === 0) return undefined;
  const { provider } = listing.cloud;
  return joinListings([listing], { provider, external_id: accountIn(listing) ?? "123456789012" });
}

const all: LiveToAdopt[] = [];
for (const file of LISTINGS) {
  const account = await accountOf(() => Bun.file(file).stream());
  if (account) all.push(...allOf(account));
}

describe("the resources of all listings", () => {
  test("become code that another parser reads and that terraform fmt leaves as it is", async () => {
    const { files, resources, counts } = adopt(all);
    expect(counts.complete + counts.partial).toBeGreaterThanOrEqual(hasCorpus ? 320 : 150);
    const found = await Promise.all(files.map(({ content }) => checkCode(content)));
    expect(found.flatMap((one) => one?.unformatted ?? ["can't be parsed"])).toEqual([]);
    const blocks = found.flatMap((one) => one?.blocks ?? []);
    const addresses = resources.flatMap(({ address }) => address ?? []);
    expect(blocks.filter((one) => one.startsWith("resource "))).toHaveLength(addresses.length);
    expect(blocks.filter((one) => one === "import")).toHaveLength(addresses.length);
  });

  test("don't differ from their code, read as a state", () => {
    const differing = all.flatMap((live) => {
      const found = adoptedType(live);
      if ("refusal" in found || live.properties === undefined) return [];
      const { type } = found;
      const read = readResource(live, type);
      if (read === undefined) return [];
      const { attributes } = settleArguments(type, argumentsOf(type), read.attributes, live);
      const side = { properties: live.properties, ...(live.tags && { tags: live.tags }) };
      const { changes } = compareResource({ type, address: "x", declared: attributes, live: side });
      // Tags of the cloud's own are no part of code.
      return changes
        .filter(({ path }) => !/tags|labels/.test(String(path[0])))
        .map(({ path }) => [type, ...path]);
    });
    expect(differing).toEqual([]);
  });
});

function secretsOf(type: string): Argument[] {
  return argumentsOf(type).filter(
    ({ name, kind, isSecret }) => kind === "t" && (isSecret || isSecretName(name)),
  );
}

test("a secret in a sensitive argument or a tag never appears in code, whatever the type", async () => {
  const secret = "canary-5d1e";
  const types = offeredTypes();
  const rows = types.flatMap((type, index) => {
    const entry = CLOUDS.flatMap(({ catalog }) => catalog.byTerraform(type) ?? [])[0];
    const own = Object.fromEntries(
      secretsOf(type).flatMap(({ name }) => [
        [name, secret],
        [camelCase(name), secret],
      ]),
    );
    const row = {
      provider_resource_id: `id-${index}`,
      provider_type: entry?.type ?? type,
      properties: own,
      tags: { api_key: secret },
    };
    return [
      row,
      { ...row, provider_resource_id: `own-${index}`, provider_type: type, properties: { id: "i", ...own } },
    ];
  });
  const lines = new TextEncoder().encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const account = await accountOf(async function* () {
    yield lines;
  });
  const adoption = adopt(account ? allOf(account) : []);
  const written = adoption.resources.flatMap(({ address }) => address?.split(".", 1) ?? []);
  expect(types.filter((type) => secretsOf(type).length > 0).length).toBeGreaterThanOrEqual(35);
  expect(new Set(written).size).toBeGreaterThanOrEqual(100);
  expect(JSON.stringify(adoption)).not.toContain(secret);
});
