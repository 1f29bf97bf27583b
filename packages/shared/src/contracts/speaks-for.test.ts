import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { fitsPattern, requireSpeaksFor } from "./speaks-for.ts";

const step = fc.stringMatching(/^[a-z0-9_-]{1,8}$/);

describe("a pattern", () => {
  test("without a star matches only itself", () => {
    fc.assert(
      fc.property(step, step, (one, other) => {
        expect(fitsPattern(one, other)).toBe(one === other);
      }),
    );
  });

  test("matches like a regular expression with .* for each star", () => {
    const text = fc.stringMatching(/^[ab/]{0,12}$/);
    fc.assert(
      fc.property(fc.stringMatching(/^[ab/*]{0,8}$/), text, (pattern, given) => {
        expect(fitsPattern(pattern, given)).toBe(
          new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "s").test(given),
        );
      }),
    );
  });

  test("ends against a hostile text, without trying every combination", () => {
    expect(fitsPattern("a*".repeat(100), `${"a".repeat(1_000)}b`)).toBe(true);
    expect(fitsPattern(`${"a*".repeat(100)}c`, "a".repeat(1_000))).toBe(false);
  });
});

describe("credentials for acme/*", () => {
  const may = { repositories: ["acme/*"] };
  const claim = (path: string | undefined, host?: string) => () =>
    requireSpeaksFor(may, path === undefined ? undefined : { path, ...(host && { host }) }, "the plan");

  test.each(["acme/infra", "acme/platform/network"])("cover %s", (path) => {
    expect(claim(path)).not.toThrow();
  });

  test.each(["evil/infra", "acme", "acmes/infra", "ACME/infra", "acme/../evil/x", "acme/", "acme//x"])(
    "don't cover %s",
    (path) => {
      expect(claim(path)).toThrow(
        `these credentials only work for acme/*, but the plan belongs to ${path}; use credentials for that repository`,
      );
    },
  );

  test("refuse a plan without a repository", () => {
    expect(claim(undefined)).toThrow("the plan names no repository");
  });
});

test("credentials of one host don't cover another host's repository with the same path", () => {
  const may = { repositories: ["acme/infra"], host: "gitlab.com" };
  const claimed = { path: "acme/infra", host: "gitlab.example.com" };
  expect(() => requireSpeaksFor(may, claimed, "the plan")).toThrow(
    "belongs to gitlab.example.com/acme/infra",
  );
  expect(() => requireSpeaksFor(may, { ...claimed, host: "gitlab.com" }, "the plan")).not.toThrow();
});
