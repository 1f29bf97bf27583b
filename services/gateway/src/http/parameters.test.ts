import { describe, expect, test } from "bun:test";

import { Uuid } from "@leeway/shared/contracts/common";
import { strict } from "@leeway/shared/contracts/contract";
import { severalIds, severalTexts, severalWords } from "@leeway/shared/contracts/several";
import { Type as t } from "@sinclair/typebox";
import fc from "fast-check";

import {
  ListQuery,
  pathOf,
  placeholders,
  readQuery,
  readStep,
  refuseUnknown,
  searchOf,
} from "./parameters.ts";

const Query = strict(
  t.Object({ ...ListQuery, account_id: t.Optional(Uuid), total: t.Optional(t.Boolean()) }),
);

describe("limit", () => {
  test.each([
    ["", 100],
    ["limit=1", 1],
    ["limit=500", 500],
    ["limit=501", 500],
    ["limit=1000000000", 500],
    [`limit=1${"0".repeat(400)}`, 500],
    ["page_size=7", 7],
    ["limit=3&page_size=7", 3],
    ["limit=0007", 7],
  ])("%j means a page of %d", (search, limit) => expect(readQuery(Query, search).limit).toBe(limit));

  test.each([
    ["limit=0", "limit"],
    ["limit=-1", "limit"],
    ["limit=", "limit"],
    ["limit=NaN", "limit"],
    ["limit=1e9", "limit"],
    ["limit=1.5", "limit"],
    ["limit=0x10", "limit"],
    ["limit=%207", "limit"],
    ["limit=x&page_size=7", "limit"],
    ["page_size=x", "page_size"],
    ["page_size=0", "page_size"],
    ["page_size=", "page_size"],
  ])("%j is refused with the name that the caller sent", (search, field) =>
    expect(() => readQuery(Query, search)).toThrow(
      expect.objectContaining({
        code: "invalid_parameter",
        details: [{ field, code: "invalid", message: "must be a whole number of at least 1" }],
      }),
    ),
  );
});

test("query parameters are parsed and checked by their schema", () => {
  expect(readQuery(Query, "colour=blue&total=true")).toEqual({ limit: 100, total: true });
  expect(() => readQuery(Query, "account_id=7")).toThrow("account_id must be a UUID");
  expect(() => readQuery(Query, "total=yes")).toThrow(expect.objectContaining({ code: "invalid_parameter" }));
  expect(() => readQuery(Query, "cursor=a%00b")).toThrow("cursor must not contain a NUL character");
});

describe("a filter with several values", () => {
  const Filter = strict(
    t.Object({
      level: t.Optional(severalWords(["high", "low"], "Level")),
      region: t.Optional(severalTexts(10, "Region")),
      account_id: t.Optional(severalIds("Account")),
    }),
  );
  const id = "0190b2a4-0000-7000-8000-00000000000A";

  test.each([
    ["level=high", { level: "high" }],
    ["level=high&level=low", { level: ["high", "low"] }],
    ["level=!low&region=eu", { level: "!low", region: "eu" }],
    [`account_id=${id}&account_id=!${id}`, { account_id: [id, `!${id}`] }],
  ])("reads %j", (search, values) => {
    expect(() => refuseUnknown(Filter, search)).not.toThrow();
    expect<object>(readQuery(Filter, search)).toEqual(values);
  });

  test.each([
    ["level=medium", "level must be one of high, low; ! before a value leaves it out"],
    ["level=high&level=", "level must be one of high, low"],
    ["level=high&level=high", "at most 50 different values"],
    ["account_id=7", "account_id must be a UUID"],
    ["region=", "region must have 1 to 10 characters"],
    ["region=!", "region must have 1 to 10 characters"],
    ["region=eu&region=a%00b", "region must not contain a NUL character"],
    [`${"level=high&".repeat(51)}level=low`, "at most 50 different values"],
  ])("refuses %j", (search, message) => expect(() => readQuery(Filter, search)).toThrow(message));
});

describe("unknown parameters", () => {
  test.each([
    [
      "limit=1&colour=blue",
      "unknown query parameter colour; known parameters: limit, cursor, account_id, total, page_size",
    ],
    ["totl=true", "unknown query parameter totl; did you mean total?"],
    ["page_size=1&page_size=2", "page_size was given more than once"],
    ["=1", "unknown query parameter ; known parameters: limit, cursor, account_id, total, page_size"],
  ])("%j is refused", (search, message) => expect(() => refuseUnknown(Query, search)).toThrow(message));

  test.each(["", "limit=1&page_size=2", "total=no&account_id=7", "cursor"])(
    "%j has no unknown parameter",
    (search) => expect(() => refuseUnknown(Query, search)).not.toThrow(),
  );
});

test("any query is either parsed or refused", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (search) => {
      try {
        expect(readQuery(Query, search).limit).toBeWithin(1, 501);
      } catch (error) {
        expect(error).toMatchObject({ code: "invalid_parameter" });
      }
    }),
  );
});

test.each([
  ["http://h/a/b?c=/d", "/a/b", "c=/d"],
  ["http://h:80/", "/", ""],
  ["http://host/a%2Fb?x=http://y/?z", "/a%2Fb", "x=http://y/?z"],
])("splits %j into path and query", (url, path, search) => {
  expect(pathOf(url)).toBe(path);
  expect(searchOf(url)).toBe(search);
});

test("path parameters are listed with their positions", () => {
  expect(placeholders("/api/v2/orgs/:id/scans/:scan_id/cancel")).toEqual([
    ["id", 4],
    ["scan_id", 6],
  ]);
});

test("a path segment is percent-decoded once, or refused", () => {
  expect(readStep("resource_id", "arn%3Aaws%3Asqs%2Fa%252Fb")).toBe("arn:aws:sqs/a%2Fb");
  for (const wrong of ["%zz", "%ff", "a%00b"]) {
    expect(() => readStep("resource_id", wrong)).toThrow(
      expect.objectContaining({ code: "invalid_parameter" }),
    );
  }
});
