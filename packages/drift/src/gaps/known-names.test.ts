import { describe, expect, test } from "bun:test";

import { AWS_DEFAULTS } from "@leeway/analysis/noise/defaults/aws";
import { AZURE_DEFAULTS } from "@leeway/analysis/noise/defaults/azure";
import { GCP_DEFAULTS } from "@leeway/analysis/noise/defaults/gcp";
import { AWS } from "@leeway/analysis/risk/tables/aws";
import { AZURE } from "@leeway/analysis/risk/tables/azure";
import { GCP } from "@leeway/analysis/risk/tables/gcp";

import { entriesOf, type Entry } from "../derived/table.ts";
import { mapperOf } from "../tables.ts";
import { comparisonOf, knownTypes } from "./comparison.ts";
import { OTHER_ATTRIBUTES, OTHER_TYPES } from "./other-names.fixture.ts";

const TYPE = /^(?:aws|azurerm|google)_[a-z\d_*]+$/;
const NAMING = new Set("id name name_prefix region zone location project resource_group_name".split(" "));
const types = knownTypes();

/** Returns the known types that a name with `*` for any characters stands for. */
function typesOf(name: string): string[] {
  const pattern = new RegExp(`^${name.replaceAll("*", ".*")}$`);
  return types.filter((type) => pattern.test(type));
}

/** Returns the type names in a table, at any depth. */
function namesIn(value: unknown): string[] {
  if (typeof value === "string") return TYPE.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(namesIn) : [];
}

function pathsIn({ name, inner }: Entry, within = ""): string[] {
  const path = within + name;
  return [path, ...inner.flatMap((one) => pathsIn(one, `${path}.`))];
}

const known = new Map<string, readonly string[]>();

/** Returns a type's attributes: those that are compared, and the others. */
function attributesOf(type: string): readonly string[] {
  const paths = known.get(type) ?? [
    ...NAMING,
    ...entriesOf(type).flatMap((entry) => pathsIn(entry)),
    ...Object.keys(mapperOf(type)?.rows ?? {}),
    ...(comparisonOf(type)?.not_compared ?? []).map(({ attribute }) => attribute),
  ];
  known.set(type, paths);
  return paths;
}

/** Reports whether a type has an attribute, or a block around or inside it. */
function hasAttribute(type: string, wanted: string): boolean {
  return attributesOf(type).some(
    (path) => path === wanted || path.startsWith(`${wanted}.`) || wanted.startsWith(`${path}.`),
  );
}

interface Named {
  types: readonly string[];
  attributes: readonly string[];
}

function isNamed(item: unknown): item is Named {
  return typeof item === "object" && item !== null && "types" in item && "attributes" in item;
}

const TABLES = { AWS, AZURE, GCP };

describe("a name in the risk tables is in the provider's schema or marked as another's", () => {
  test.each(Object.entries(TABLES))("types of %s", (_name, table) => {
    const unknown = namesIn(table).filter((name) => typesOf(name).length === 0);
    expect([...new Set(unknown)].filter((name) => !(name in OTHER_TYPES))).toEqual([]);
  });

  test.each(Object.entries(TABLES))("attributes of %s", (_name, table) => {
    const signs = Object.values(table)
      .flatMap((group): unknown[] => (Array.isArray(group) ? group : []))
      .filter(isNamed);
    const uses = signs.flatMap((sign) =>
      sign.attributes.map((attribute) => ({ attribute, types: sign.types })),
    );
    const unknown = [...Map.groupBy(uses, ({ attribute }) => attribute)].flatMap(([attribute, own]) => {
      // Pulumi and azapi write the members of the API.
      if (/[A-Z*]/.test(attribute)) return [];
      const all = own.flatMap((use) => use.types.flatMap(typesOf));
      return all.length > 0 && !all.some((type) => hasAttribute(type, attribute)) ? [attribute] : [];
    });
    expect(unknown.filter((attribute) => !(attribute in OTHER_ATTRIBUTES))).toEqual([]);
  });
});

test("types with documented defaults, which are noise, are in the provider's schema", () => {
  const defaults = { ...AWS_DEFAULTS, ...AZURE_DEFAULTS, ...GCP_DEFAULTS };
  const unknown = Object.keys(defaults).filter((type) => TYPE.test(type) && typesOf(type).length === 0);
  expect(unknown.filter((type) => !(type in OTHER_TYPES))).toEqual([]);
});

test("only names that no schema knows are marked as another's", () => {
  expect(Object.keys(OTHER_TYPES).filter((type) => typesOf(type).length > 0)).toEqual([]);
});
