import { afterEach, beforeEach, expect, test } from "bun:test";
import http from "node:http";

import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import { createEgress } from "@leeway/shared/security/egress/egress";
import { failureOf } from "@leeway/shared/testing/testing";

import { hang } from "../rest/rest.fixture.ts";
import { StateHosts } from "./hosts.fixture.ts";
import { fetchFromWorkspace } from "./remote-backend.ts";

const BACKEND: ShownBackend = { type: "remote", organization: "shop", workspace: "prod" };
const never = new AbortController().signal;

let hosts: StateHosts;
beforeEach(() => {
  hosts = new StateHosts();
  hosts.version = { id: "sv-1", content: "a state" };
});
afterEach(() => hosts.stop());

/** Names of one word are private. All others lead to the fake, as if they were public. */
const egress = () =>
  createEgress({
    allow: [],
    resolve: async () => ["93.184.215.14"],
    open: ({ pathname }, { lookup: _lookup, ...options }) =>
      http.request(`http://${hosts.host}${pathname}`, options),
  });

const fetch = (known?: string, { token = hosts.token, backend = BACKEND, signal = never } = {}) =>
  fetchFromWorkspace(egress(), { backend, token }, known, signal);

test("the current version of a workspace's state is read, and again only once it is another", async () => {
  const state = await fetch();
  expect([Buffer.from(state!.bytes).toString(), state!.edition]).toEqual(["a state", "sv-1"]);
  expect(await fetch("sv-1")).toBeUndefined();
  expect(hosts.asked("/api/state-versions/sv-1/hosted_state")).toBe(1);
  hosts.version = { id: "sv-2", content: "another" };
  expect(await fetch("sv-1")).toMatchObject({ edition: "sv-2" });
});

test("another host than its own gets no token", async () => {
  hosts.download = "https://archivist.terraform.io/archive/v1";
  expect(await fetch()).toMatchObject({ edition: "sv-1" });
  const asked = hosts.requests.map(({ host, authorization }) => [host, authorization !== null]);
  expect(asked).toEqual([
    ["app.terraform.io", true],
    ["app.terraform.io", true],
    ["archivist.terraform.io", false],
  ]);
});

test("a state is followed once to where its address leads, without the token", async () => {
  hosts.interfere = ({ url }) => {
    if (url.endsWith("/hosted_state"))
      return Response.redirect("https://archivist.terraform.io/archive/v1", 302);
    return url.endsWith("/loop") ? Response.redirect("https://archivist.terraform.io/loop", 302) : undefined;
  };
  expect(await fetch()).toMatchObject({ edition: "sv-1" });
  expect(hosts.requests.at(-1)).toMatchObject({ host: "archivist.terraform.io", authorization: null });
  hosts.download = "https://app.terraform.io/loop";
  expect(await failureOf(fetch())).toMatchObject({ failure: { code: "internal" } });
});

test("Terraform Enterprise is asked at its own host", async () => {
  await fetch("sv-1", { backend: { ...BACKEND, hostname: "tfe.example.com" } });
  expect(new Set(hosts.requests.map(({ host }) => host))).toEqual(new Set(["tfe.example.com"]));
});

test("a host that only we could reach isn't asked for the state", async () => {
  hosts.download = "https://vault/archive/v1";
  expect(await failureOf(fetch())).toMatchObject({ code: "invalid_parameter" });
});

test.each<[string, () => void, object]>([
  ["a token that may not read it", () => undefined, { code: "not_found" }],
  [
    "an answer that is none",
    () => void (hosts.interfere = () => new Response("<html>")),
    { failure: { code: "internal", message: "the response isn't from HCP Terraform's API" } },
  ],
  ["no address of the state", () => void (hosts.download = ""), { code: "invalid_parameter" }],
])("%s is reported", async (what, arrange, failure) => {
  arrange();
  const token = what.startsWith("a token") ? "another-canary" : hosts.token;
  const thrown = await failureOf(fetch(undefined, { token }));
  expect(thrown).toMatchObject(failure);
  expect(String(thrown)).not.toContain("canary");
});

test("a host that hangs isn't waited for longer than the caller does", async () => {
  hosts.interfere = hang;
  expect(await failureOf(fetch(undefined, { signal: AbortSignal.timeout(100) }))).toBeInstanceOf(Error);
});
