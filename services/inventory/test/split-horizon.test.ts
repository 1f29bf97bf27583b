import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { PurgeInventory } from "@leeway/shared/contracts/inventory/accounts";
import type { IacResource } from "@leeway/shared/contracts/inventory/sources";

import { newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

const NAME = "www.example.com.";
const ZONES = "//dns.googleapis.com/projects/1043/managedZones";
const zone = (number: number, name: string, visibility: string) => ({
  name: `${ZONES}/${number}`,
  assetType: "dns.googleapis.com/ManagedZone",
  resource: { data: { name, dnsName: "example.com.", visibility } },
});
const record = (number: number, name: string, ...rrdatas: string[]) => ({
  name: `${ZONES}/${number}/rrsets/${name}/A`,
  assetType: "dns.googleapis.com/ResourceRecordSet",
  resource: { data: { name, type: "A", rrdatas } },
});
const declaredZone = (name: string, visibility: string) => ({
  type: "google_dns_managed_zone",
  name,
  attributes: { id: `projects/shop-prod/managedZones/${name}`, name, dns_name: "example.com.", visibility },
});
const declaredRecord = (managed_zone: string, name: string, ...rrdatas: string[]) => ({
  type: "google_dns_record_set",
  name: managed_zone,
  attributes: {
    id: `projects/shop-prod/managedZones/${managed_zone}/rrsets/${name}/A`,
    project: "shop-prod",
    managed_zone,
    name,
    type: "A",
    rrdatas,
  },
});

test("a public and a private zone of one name are separate, and so are their records", async () => {
  const org = newOrg(inventory);
  const account = await org.account("gcp", "shop-prod");
  const state = tfstate([
    declaredZone("public", "public"),
    declaredZone("private", "private"),
    declaredRecord("public", "www.example.com.", "203.0.113.7", "203.0.113.8"),
    declaredRecord("private", "www.example.com.", "10.0.0.7"),
  ]);
  await org.pushState(await org.source("dns", account.id), state);
  await org.pushListing(account, [
    record(9141, "www.example.com.", "203.0.113.8", "203.0.113.7"),
    record(9142, "www.example.com.", "10.0.0.7"),
    zone(9141, "public", "public"),
    zone(9142, "private", "private"),
  ]);
  const addresses = new Map((await org.declared()).map(({ id, address }) => [id, address]));
  const found = (await org.resources()).map((row) => [
    row.provider_resource_id.slice(ZONES.length + 1),
    addresses.get(row.iac_resource_id ?? ""),
  ]);
  expect(Object.fromEntries(found)).toEqual({
    "9141": "google_dns_managed_zone.public",
    "9142": "google_dns_managed_zone.private",
    "9141/rrsets/www.example.com./A": "google_dns_record_set.public",
    "9142/rrsets/www.example.com./A": "google_dns_record_set.private",
  });
});

const ZONES_OF_BOTH = [declaredZone("public", "public"), declaredZone("private", "private")];
const RECORD_TYPE = "google_dns_record_set";

/** Returns the match of an organization's declared records, by zone. */
async function recordsOf(
  org: ReturnType<typeof newOrg>,
): Promise<Record<string, Partial<IacResource["match"]>>> {
  const records = await org.declared({ type: RECORD_TYPE });
  return Object.fromEntries(
    records.map(({ address, match: { status, ambiguous } }) => [
      address.slice(RECORD_TYPE.length + 1),
      { status, ...(ambiguous !== undefined && { ambiguous }) },
    ]),
  );
}

/** Returns the number of ambiguous declarations in all accounts of an organization. */
async function leftOf({ id }: { id: string }): Promise<number> {
  const rows = await inventory.test.admin`select from inventory.ambiguities where org_id = ${id}`;
  return rows.length;
}

const AMBIGUOUS = { status: "unobserved", ambiguous: true } as const;
const MISSING = { status: "missing" } as const;
const MATCHED = { status: "matched" } as const;

describe("records with one name and type in two zones", () => {
  test.each([
    ["the same", ["203.0.113.7"], ["203.0.113.7"]],
    ["changed by hand in both", ["203.0.113.1"], ["203.0.113.2"]],
    ["one removed, the other changed by hand", ["203.0.113.1"], undefined],
  ])("aren't missing: %s", async (_, here, there) => {
    const org = newOrg(inventory);
    const account = await org.account("gcp", "shop-prod");
    const source = await org.source("dns", account.id);
    const alike = [
      declaredRecord("public", NAME, "203.0.113.7"),
      declaredRecord("private", NAME, "203.0.113.7"),
    ];
    const listing = [zone(9141, "public", "public"), record(9141, NAME, ...here)];
    if (there) listing.push(record(9142, NAME, ...there));
    const both = { public: AMBIGUOUS, private: AMBIGUOUS };

    await org.pushState(source, tfstate([...ZONES_OF_BOTH, ...alike]));
    await org.pushListing(account, listing);
    expect(await recordsOf(org)).toEqual(both);
    await org.pushListing(account, listing);
    expect(await recordsOf(org)).toEqual(both);
    await org.pushState(source, tfstate([...ZONES_OF_BOTH, ...alike], { serial: 2 }));
    expect(await recordsOf(org)).toEqual(both);
    await org.pushListing(account, [...listing, zone(9141, "public", "public")]);
    expect(await recordsOf(org)).toEqual(both);
    expect(await org.posture()).toMatchObject([{ missing_count: 1 }]); // the other zone
  });

  test("are missing once nothing is left for them, and matched once they can be distinguished", async () => {
    const org = newOrg(inventory);
    const account = await org.account("gcp", "shop-prod");
    const source = await org.source("dns", account.id);
    const state = (serial: number, here: string, there: string): object =>
      tfstate(
        [...ZONES_OF_BOTH, declaredRecord("public", NAME, here), declaredRecord("private", NAME, there)],
        { serial },
      );
    const alike = [record(9141, NAME, "203.0.113.7"), record(9142, NAME, "203.0.113.7")];
    await org.pushListing(account, alike);
    await org.pushState(source, state(1, "203.0.113.7", "203.0.113.7"));
    expect(await recordsOf(org)).toEqual({ public: AMBIGUOUS, private: AMBIGUOUS });

    await org.pushListing(account, [zone(9141, "public", "public")]);
    expect(await recordsOf(org)).toEqual({ public: MISSING, private: MISSING });
    await org.pushState(source, state(2, "203.0.113.7", "10.0.0.7"));
    await org.pushListing(account, [record(9141, NAME, "203.0.113.7")]);
    expect(await recordsOf(org)).toEqual({ public: MATCHED, private: MISSING });
    await org.pushListing(account, [...alike, record(9143, NAME, "10.0.0.7")]);
    expect(await recordsOf(org)).toEqual({ public: AMBIGUOUS, private: MATCHED });

    await org.removeSource(source);
    expect(await leftOf(org)).toBe(0);
    await org.pushState(await org.source("dns again", account.id), state(3, "203.0.113.7", "203.0.113.7"));
    expect(await leftOf(org)).toBe(2);
    await inventory.call(PurgeInventory, { org_id: org.id });
    expect(await leftOf(org)).toBe(0);
  });
});
