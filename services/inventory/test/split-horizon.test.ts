import { afterAll, beforeAll, expect, test } from "bun:test";

import { newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory();
});
afterAll(() => inventory.stop());

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
  attributes: { id: `projects/shop/managedZones/${name}`, name, dns_name: "example.com.", visibility },
});
const declaredRecord = (managed_zone: string, name: string, ...rrdatas: string[]) => ({
  type: "google_dns_record_set",
  name: managed_zone,
  attributes: {
    id: `projects/shop/managedZones/${managed_zone}/rrsets/${name}/A`,
    project: "shop",
    managed_zone,
    name,
    type: "A",
    rrdatas,
  },
});

test("a public zone and a private one of one name aren't mixed up, nor are their records", async () => {
  const org = newOrg(inventory);
  const account = await org.account("gcp", "shop");
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
