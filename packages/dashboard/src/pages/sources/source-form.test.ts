import { expect, test } from "bun:test";

import type { Source } from "./place.ts";
import { changesOf, formOf, newSource } from "./source-form.ts";

const SOURCE: Source = {
  id: "1",
  name: "network/prod",
  cloud_account_id: "2",
  resource_count: 0,
  matched_count: 0,
  missing_count: 0,
  unobserved_count: 0,
  backend: { type: "http", address: "https://git.example.com/state", username: "ada" },
  created_at: "2026-11-01T00:00:00Z",
  updated_at: "2026-11-01T00:00:00Z",
};
const form = formOf(SOURCE);

test("a new source has the filled fields, and no backend if its state is pushed", () => {
  expect(newSource({ ...formOf(undefined), name: " my-stack " })).toEqual({ name: "my-stack" });
  expect(newSource({ name: "a", accountId: "2", origin: "gcs", typed: { bucket: "b", key: "k" } })).toEqual({
    name: "a",
    cloud_account_id: "2",
    backend: { type: "gcs", bucket: "b", key: "k" },
  });
});

test.each<[string, Partial<typeof form>, object]>([
  ["nothing", {}, {}],
  ["its name", { name: "network" }, { name: "network" }],
  ["its account", { accountId: "" }, { cloud_account_id: null }],
  ["that it is pushed", { origin: "push" }, { backend: null }],
  [
    "its secret",
    { typed: { ...form.typed, password: "s" } },
    { backend: { ...SOURCE.backend, password: "s" } },
  ],
])("sends only changes: %s", (_, changed, body) =>
  expect(changesOf(SOURCE, { ...form, ...changed })).toEqual(body),
);
