import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

import { corpusFiles, corpusJson, corpusText } from "@leeway/clouds/corpus.fixture";
import { readDeclaredState } from "@leeway/drift/estate/declared";
import { driftOfEstate } from "@leeway/drift/estate/estate-drift";
import { accountIn, joinListings, readAnyListing } from "@leeway/drift/estate/live-account";
import { ListDriftChanges, type DriftChange } from "@leeway/shared/contracts/inventory/drift";
import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { isObject, text } from "@leeway/shared/values/json";

import { ndjson, newOrg, startInventory, type TestInventory } from "./kit.ts";

const EXAMPLES = join(import.meta.dir, "../../../examples");

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

type Seen = Pick<
  DriftChange,
  "kind" | "risk_level" | "address" | "resource_type" | "attribute_changes" | "risk_flags" | "noise"
> & { provider_resource_id?: string | undefined };

/** Returns the part of changes that doesn't depend on ids and history, in a fixed order. */
function seenIn(changes: readonly Seen[]): string[] {
  return changes
    .map((change) =>
      JSON.stringify([
        change.kind,
        change.risk_level,
        change.address,
        change.resource_type,
        change.provider_resource_id,
        change.attribute_changes,
        change.risk_flags.map(({ rule, flag, evidence, message }) => [rule, flag, evidence, message]),
        change.noise,
      ]),
    )
    .toSorted();
}

interface Estate {
  listing: string;
  states: Readonly<Record<string, string>>;
  account: { provider: string; external_id: string };
}

async function onServer({ listing, states, account: { provider, external_id } }: Estate) {
  const org = newOrg(inventory);
  const account = await org.account(provider, external_id);
  for (const [name, state] of Object.entries(states)) await org.pushState(await org.source(name), state);
  await org.pushListing(account, listing);
  const wanted = { org_id: org.id, limit: 500, noise: "include" as const };
  const { data } = await inventory.call(ListDriftChanges, wanted);
  const [row] = await org.posture();
  return {
    counts: [
      row?.live_count,
      row?.matched_count,
      row?.undeclared_count,
      row?.excluded_count,
      row?.missing_count,
    ],
    changes: seenIn(data),
  };
}

async function inMemory({ listing, states, account }: Estate) {
  const read = await readAnyListing(() => new Blob([listing]).stream());
  const rows = [];
  for (const [name, state] of Object.entries(states)) {
    rows.push(...(await readDeclaredState(new Blob([state]).stream(), name)).rows);
  }
  const { accounts } = await driftOfEstate([joinListings([read], account)], rows, "standard");
  const [found] = accounts;
  const { live, matched, undeclared, excluded, missing } = found?.counts ?? {};
  return { counts: [live, matched, undeclared, excluded, missing], changes: seenIn(found?.changes ?? []) };
}

const folders = (await readdir(EXAMPLES, { withFileTypes: true })).filter((entry) => entry.isDirectory());

describe("drift in memory equals the server's drift", () => {
  test.each(folders.map(({ name }) => name))("for the example %s", async (folder) => {
    const listing = await Bun.file(join(EXAMPLES, folder, "listing.json")).text();
    const states: Record<string, string> = {};
    for (const file of (await readdir(join(EXAMPLES, folder, "states"))).toSorted()) {
      states[file] = await Bun.file(join(EXAMPLES, folder, "states", file)).text();
    }
    const account = await Bun.file(join(EXAMPLES, folder, "account.json")).json();
    const estate = { listing, states, account };
    expect(await inMemory(estate)).toEqual(await onServer(estate));
  });

  test("and a listing shows its own cloud and account", async () => {
    for (const { name } of folders) {
      const { provider, external_id } = await Bun.file(join(EXAMPLES, name, "account.json")).json();
      const read = await readAnyListing(() => Bun.file(join(EXAMPLES, name, "listing.json")).stream());
      expect([read.cloud.provider, accountIn(read)]).toEqual([provider, external_id]);
    }
  });
});

const LINE = /^state ↔ live resources\t(\S+)\t(\S+)\t\d+\t([a-z\d_,]+): /gm;
const ACCOUNT_IN: Record<string, RegExp> = {
  aws: /arn:aws:[a-z0-9-]*:[a-z0-9-]*:(\d{12}):/,
  azure: /\/subscriptions\/([0-9a-f-]{36})\//,
  gcp: /\bprojects\/([^/"]+)\//,
};

function providerOf(type: string): string {
  if (type.startsWith("azurerm_")) return "azure";
  return type.startsWith("google_") ? "gcp" : (type.split("_")[0] ?? "");
}

const recorded: (Estate & { name: string })[] = corpusFiles("PAIRS.tsv").flatMap((path) =>
  [...corpusText(path).matchAll(LINE)].map(([, state = "", live = "", types = ""]) => {
    const listed = corpusJson(live);
    const listing = ndjson(
      (Array.isArray(listed) ? listed.filter(isObject) : []).flatMap((properties) =>
        types.split(",").map((type) => ({
          provider_resource_id: text(properties, "id") ?? "",
          provider_type: type,
          terraform_type: type,
          properties,
        })),
      ),
    );
    const provider = providerOf(types);
    const pattern = ACCOUNT_IN[provider] ?? /$^/;
    const named = [listing, corpusText(state)].map((some) => pattern.exec(some)?.[1]);
    const external_id = named.find((one) => one !== undefined) ?? "123456789012";
    const states = { state: corpusText(state) };
    return { name: `${live} ${types}`, listing, states, account: { provider, external_id } };
  }),
);

describe.skipIf(!hasCorpus)(
  "drift in memory equals the server's for recordings (skipped without LEEWAY_CORPUS)",
  () => {
    test.each(recorded)("$name", async (estate) => {
      expect(await inMemory(estate)).toEqual(await onServer(estate));
    });
  },
);
