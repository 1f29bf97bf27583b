import { expect, test } from "bun:test";

import { argumentsOf, resourceOf } from "./excerpts.fixture.ts";
import { joined } from "./join.ts";
import { withPrevious, type Version } from "./previous.ts";

const MEMBERS = resourceOf("encrypted switch limits { burst number rate number } secretText text");

function version(args: string): Version {
  return { args: argumentsOf(args), found: joined("azurerm_thing", argumentsOf(args), MEMBERS) };
}

function added(newest: string, previous: string, secrets: readonly string[] = []): string[] {
  const now = version(newest);
  const found = withPrevious(now, version(previous), new Set(secrets));
  return found.slice(now.found.length).map(({ attribute, live }) => `${attribute} ${live}`);
}

test("what only the previous version of a provider calls so is compared as well", () => {
  expect(added("encrypted switch", "encrypted switch")).toEqual([]);
  expect(added("other switch", "encrypted switch")).toEqual(["encrypted encrypted"]);
  expect(added("limits { rate number }", "limits { rate number burst number }")).toEqual([
    "limits.burst burst",
  ]);
});

test("an argument in a block without a counterpart today isn't compared", () => {
  expect(added("limits text", "limits { burst number }")).toEqual([]);
});

test("what the newest version keeps secret in any type isn't added", () => {
  expect(added("other text", "secret_text text", ["secret_text"])).toEqual([]);
});
