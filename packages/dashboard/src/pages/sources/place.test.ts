import { expect, test } from "bun:test";

import { placeOf, type Source } from "./place.ts";

test.each<[NonNullable<Source["backend"]>, string]>([
  [{ type: "s3", bucket: "states", key: "a/b.tfstate", region: "eu-west-1" }, "s3://states/a/b.tfstate"],
  [{ type: "gcs", bucket: "states", key: "a/default.tfstate" }, "gs://states/a/default.tfstate"],
  [
    { type: "azurerm", storage_account_name: "shop", container_name: "tf", key: "a.tfstate" },
    "shop/tf/a.tfstate",
  ],
  [{ type: "http", address: "https://git.example.com/state" }, "https://git.example.com/state"],
  [{ type: "remote", organization: "shop", workspace: "prod" }, "app.terraform.io/shop/prod"],
  [
    { type: "remote", hostname: "tfe.example.com", organization: "shop", workspace: "prod" },
    "tfe.example.com/shop/prod",
  ],
])("%j is at %s", (backend, place) => expect(placeOf(backend)).toBe(place));
