import { describe, expect, test } from "bun:test";
import type { Json, JsonObject } from "@leeway/shared/values/json";
import fc from "fast-check";

import type { ListedResource } from "../cloud.ts";
import { gcp } from "./gcp.ts";

const ODD_KEYS = ["__proto__", "constructor", "hasOwnProperty", "toString"];

/** Members that rules read, so that fuzzing gets past the first checks. */
const KNOWN_KEYS =
  "name assetType asset_type resource data labels project location displayName id versionedResources metadata items users instanceGroupUrls selfLink self_link node_pool boot_disk source members role policy_data condition rrdatas ancestors bindings".split(
    " ",
  );

function parse(json: string): JsonObject {
  const value: JsonObject = JSON.parse(json);
  return value;
}

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom(
    "//compute.googleapis.com/projects/1/zones/z/instances/i",
    "projects/p/topics/t",
    "roles/viewer",
    "7",
  ),
  fc.constantFrom(
    "%",
    "//",
    "https://www.googleapis.com/compute/v1/",
    "{{.Project}}",
    "gke-a-1a2b3c4d",
    "[]",
    "{}",
  ),
);
const keys = fc.oneof(
  fc.constantFrom(...KNOWN_KEYS),
  fc.constantFrom(...ODD_KEYS),
  fc.string({ maxLength: 8 }),
);

const { json, object } = fc.letrec<{ json: Json; object: JsonObject }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    texts,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    tie("object"),
    fc.array(tie("json"), { maxLength: 4 }),
  ),
  object: fc
    .array(fc.tuple(keys, tie("json")), { maxLength: 8 })
    .map((entries) => parse(JSON.stringify(Object.fromEntries(entries)))),
}));

const liveTypes = fc.oneof(
  fc.constantFrom(...gcp.catalog.entries.map(({ type }) => type)),
  texts,
  fc.constantFrom(...ODD_KEYS),
);
const declaredTypes = fc.oneof(
  fc.constantFrom(...gcp.catalog.entries.flatMap(({ terraform }) => terraform)),
  texts.map((text) => `gcp:${text}`),
  texts.map((text) => `google-native:${text}`),
  fc.constantFrom(...ODD_KEYS),
);

function keysAreSound(found: readonly string[]): void {
  for (const key of found) expect(key).toMatch(/^[1-4]:/);
  expect(new Set(found).size).toBe(found.length);
  expect(found).toEqual(found.toSorted((a, b) => Number(a[0]) - Number(b[0])));
}

function everythingHolds(resource: ListedResource): void {
  keysAreSound(gcp.liveKeys(resource, "shop"));
  gcp.ownerKeys(resource, "1043");
  for (const rule of gcp.exclusions) expect(typeof rule.applies(resource)).toBe("boolean");
}

describe("for any input", () => {
  test("a row is read, refused or named", () => {
    fc.assert(
      fc.property(json, object, (row, page) => {
        for (const format of gcp.formats)
          for (const resource of format.read(row, page) ?? []) everythingHolds(resource);
        if (typeof row === "object" && row !== null && !Array.isArray(row)) {
          for (const known of gcp.knownDocuments) expect(typeof known.matches(row)).toBe("boolean");
        }
      }),
    );
  });

  test("an asset keeps its payload", () => {
    fc.assert(
      fc.property(liveTypes, object, texts, (type, data, end) => {
        const row = { assetType: type, name: `//x.googleapis.com/projects/p/${end}x`, resource: { data } };
        for (const format of gcp.formats) {
          for (const resource of format.read(row, {}) ?? []) {
            expect(resource.properties ?? data).toBe(data);
            everythingHolds(resource);
          }
        }
      }),
    );
  });

  test("a listed resource has valid keys", () => {
    fc.assert(
      fc.property(
        liveTypes,
        texts,
        object,
        fc.option(declaredTypes, { nil: undefined }),
        (type, id, properties, terraform) => {
          const resource = {
            provider_resource_id: id,
            provider_type: type,
            name: id,
            region: id,
            properties,
            complete: false,
          };
          everythingHolds(
            terraform === undefined ? resource : { ...resource, terraform_type: terraform, parent_id: id },
          );
        },
      ),
    );
  });

  test("a declared resource and its children have valid keys", () => {
    fc.assert(
      fc.property(
        declaredTypes,
        object,
        fc.option(object, { nil: undefined }),
        (type, attributes, identity) => {
          const resource = { address: "x", type, attributes, ...(identity && { identity }) };
          keysAreSound(gcp.declaredIdentity(resource).keys);
          for (const child of gcp.inlineChildren(resource)) keysAreSound(child.keys);
          expect(typeof gcp.declares(type)).toBe("boolean");
        },
      ),
    );
  });
});

test("a name with a million characters takes linear time", () => {
  const long = `gke-${"-aaaaaaaa".repeat(100_000)}`;
  for (const id of [
    `//compute.googleapis.com/${long}`,
    `https://${long}`,
    `projects/${"/".repeat(1_000_000)}`,
    "%".repeat(1_000_000),
  ]) {
    everythingHolds({
      provider_resource_id: id,
      provider_type: "compute.googleapis.com/Firewall",
      name: long,
      complete: false,
    });
    gcp.declaredIdentity({ address: "x", type: "google_compute_firewall", attributes: { id, name: long } });
  }
});

test("labels named like JavaScript properties are kept", () => {
  const labels = parse('{"__proto__":"a","constructor":"b"}');
  const name = "//compute.googleapis.com/projects/p/zones/z/disks/d";
  const row = { assetType: "compute.googleapis.com/Disk", name, resource: { data: { labels } } };
  const [resource] = gcp.formats[0]?.read(row, {}) ?? [];
  expect(Object.entries(resource?.tags ?? {})).toEqual([
    ["__proto__", "a"],
    ["constructor", "b"],
  ]);
});
