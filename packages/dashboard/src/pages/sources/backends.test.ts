import { expect, test } from "bun:test";

import { backendOf, isOtherBackend, typedOf, type Origin, type Typed } from "./backends.ts";
import type { Source } from "./place.ts";

type Shown = Source["backend"];
const S3 = { type: "s3", bucket: "states", key: "a.tfstate", region: "eu-west-1" } as const;
const HTTP = { type: "http", address: "https://git.example.com/state", username: "ada" } as const;

test("a backend is complete, without empty fields or those of another type", () => {
  const typed = { address: " https://git.example.com/state ", username: "", password: "s", bucket: "states" };
  expect(backendOf("http", typed)).toEqual({
    type: "http",
    address: "https://git.example.com/state",
    password: "s",
  });
  expect(backendOf("s3", typedOf(S3))).toEqual(S3);
});

const CASES: Readonly<Record<string, [known: Shown, origin: Origin, typed: Typed, isOther: boolean]>> = {
  "as it was": [S3, "s3", typedOf(S3), false],
  "another key": [S3, "s3", { ...typedOf(S3), key: "b.tfstate" }, true],
  "of another type": [S3, "gcs", typedOf(S3), true],
  "pushed from now on": [S3, "push", typedOf(S3), true],
  "pushed as before": [undefined, "push", {}, false],
  "read from now on": [undefined, "s3", typedOf(S3), true],
  "its secret left alone": [HTTP, "http", typedOf(HTTP), false],
  "another secret": [HTTP, "http", { ...typedOf(HTTP), password: "s" }, true],
};

test.each(Object.entries(CASES))(
  "detects whether a backend changed: %s",
  (_, [known, origin, typed, isOther]) => expect(isOtherBackend(known, origin, typed)).toBe(isOther),
);
