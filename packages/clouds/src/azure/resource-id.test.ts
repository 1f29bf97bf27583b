import { describe, expect, test } from "bun:test";
import fc from "fast-check";

import { nameAfter, parseResourceId } from "./resource-id.ts";

const GROUP = "/subscriptions/0B1F6471-1BF0-4DDA-AEC3-111122223333/resourceGroups/Web";

describe("an Azure resource id", () => {
  test.each([
    [GROUP, "Microsoft.Resources/subscriptions/resourceGroups", "Web"],
    [
      "/subscriptions/0B1F6471-1BF0-4DDA-AEC3-111122223333",
      "Microsoft.Resources/subscriptions",
      "0B1F6471-1BF0-4DDA-AEC3-111122223333",
    ],
    [`${GROUP}/providers/Microsoft.Network/virtualNetworks/v`, "Microsoft.Network/virtualNetworks", "v"],
    [
      `${GROUP}/providers/Microsoft.Network/virtualNetworks/v/subnets/s`,
      "Microsoft.Network/virtualNetworks/subnets",
      "s",
    ],
    [
      `${GROUP}/providers/Microsoft.Sql/servers/db/providers/Microsoft.Authorization/roleAssignments/7`,
      "Microsoft.Authorization/roleAssignments",
      "7",
    ],
    [
      "/providers/Microsoft.Management/managementGroups/root",
      "Microsoft.Management/managementGroups",
      "root",
    ],
    ["subscriptions/1/providers/Microsoft.CostManagement/exports/e", "Microsoft.CostManagement/exports", "e"],
    [
      "/subscriptions/1/resourceGroups/providers/providers/Microsoft.Web/sites/providers",
      "Microsoft.Web/sites",
      "providers",
    ],
  ])("%s contains its type and name", (id, type, name) => {
    expect(parseResourceId(id)).toMatchObject({ type, name, written: id });
  });

  test("ignores case, and contains its subscription and group", () => {
    expect(parseResourceId(`${GROUP}/providers/Microsoft.Web/sites/Shop/`)).toMatchObject({
      canonical: `${GROUP}/providers/Microsoft.Web/sites/Shop`.toLowerCase(),
      subscription: "0b1f6471-1bf0-4dda-aec3-111122223333",
      resourceGroup: "web",
    });
  });

  test.each([
    ["nothing", ""],
    ["no subscription", "/subscriptions/"],
    ["an incomplete pair", "/subscriptions/1/resourceGroups"],
    ["an empty segment", "/subscriptions/1//providers/Microsoft.Web/sites/a"],
    ["a resource provider", "/subscriptions/1/providers/Microsoft.Network"],
    ["two ids in one", "/subscriptions/1/natGateways/n|/subscriptions/1/publicIPAddresses/p"],
    ["a URL", "https://management.azure.com/subscriptions/1/providers/Microsoft.Web/sites/a"],
    ["a text longer than any id", `/subscriptions/${"x".repeat(3000)}`],
  ])("isn't %s", (_, id) => {
    expect(parseResourceId(id)).toBeUndefined();
  });

  const segment = fc.stringMatching(/^[A-Za-z0-9._() -]{1,12}$/);
  const pairs = fc.array(fc.tuple(fc.constantFrom("virtualNetworks", "subnets", "rules"), segment), {
    minLength: 1,
    maxLength: 4,
  });

  test("keeps its type and name in any case", () => {
    fc.assert(
      fc.property(segment, segment, pairs, fc.boolean(), (subscription, group, path, upper) => {
        const types = path.map(([type]) => type).join("/");
        const made = `/subscriptions/${subscription}/resourceGroups/${group}/providers/Microsoft.Network/${path.flat().join("/")}`;
        const id = parseResourceId(upper ? made.toUpperCase() : made);
        expect(id?.canonical).toBe(made.toLowerCase());
        expect(id?.type.toLowerCase()).toBe(`microsoft.network/${types}`.toLowerCase());
        expect(id?.name.toLowerCase()).toBe(path.at(-1)?.[1].toLowerCase());
        expect(id?.resourceGroup).toBe(group.toLowerCase());
      }),
    );
  });

  test("is parsed or refused without throwing", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.string().map((rest) => `/subscriptions/${rest}`),
        ),
        (id) => {
          expect(() => parseResourceId(id)).not.toThrow();
        },
      ),
    );
  });
});

describe("the name after a segment", () => {
  test("is found after the segment, not after an equal name", () => {
    const id = "/subscriptions/1/resourcegroups/vaults/providers/microsoft.keyvault/vaults/vaults/keys/k";
    expect(nameAfter(id, "vaults")).toBe("vaults");
    expect(nameAfter(id, "keys")).toBe("k");
    expect(nameAfter(id, "secrets")).toBeUndefined();
  });
});
