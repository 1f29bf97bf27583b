import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { CreateAccount } from "@leeway/shared/contracts/inventory/accounts";
import type { Backend } from "@leeway/shared/contracts/inventory/backends";
import {
  CreateSource,
  GetSource,
  ListSources,
  ReadState,
  UpdateSource,
  type IacSource,
} from "@leeway/shared/contracts/inventory/sources";
import { createEgress } from "@leeway/shared/security/egress/egress";
import { failureOf, testLog } from "@leeway/shared/testing/testing";
import { createRegistry } from "@leeway/connectors/registry";
import { FakeS3 } from "@leeway/connectors/aws/s3.fixture";
import { ACCESS_KEY, ACCOUNT, SECRET } from "@leeway/connectors/aws/aws.fixture";
import { hang } from "@leeway/connectors/rest/rest.fixture";
import { StateHosts } from "@leeway/connectors/backends/hosts.fixture";

import { startReadingStates } from "../src/sources/backends/start.ts";
import { declaredQueue, fates, ONE, queue } from "./declaring.ts";
import { ndjson, newOrg, RING, startInventory, tfstate, type TestInventory } from "./kit.ts";

const hosts = new StateHosts();
const aws = new FakeS3();
const clouds = createRegistry({
  providers: ["aws"],
  egressAllow: [aws.host],
  endpoints: { aws: aws.endpoint },
});
let inventory: TestInventory;
beforeAll(async () => {
  inventory = await startInventory({ clouds, egressAllow: [hosts.host] });
});
afterAll(async () => {
  await inventory.stop();
  await Promise.all([hosts.stop(), aws.stop()]);
});

const call: TestInventory["call"] = (contract, input) => inventory.call(contract, input);

/** Creates an organization with helpers for sources that have backends. */
async function start() {
  const org = newOrg(inventory);
  const account = await org.account("aws", ONE);
  await org.pushListing(account, ndjson([queue("a"), queue("b")]));
  const one = ({ id }: { id: string }) => ({ org_id: org.id, source_id: id });
  return {
    org,
    one,
    create: (backend: Backend, cloud_account_id?: string): Promise<IacSource> =>
      call(CreateSource, {
        org_id: org.id,
        name: crypto.randomUUID(),
        backend,
        ...(cloud_account_id !== undefined && { cloud_account_id }),
      }),
    read: (source: { id: string }): Promise<IacSource> => call(ReadState, one(source)),
    get: (source: { id: string }): Promise<IacSource> => call(GetSource, one(source)),
  };
}

function overHttp(name: string, password = hosts.password): Backend {
  return { type: "http", address: hosts.addressOf(name), username: hosts.user, password };
}

async function until<T>(look: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    await Bun.sleep(20);
  }
}

const named = () => crypto.randomUUID();

describe("a source with a backend", () => {
  test("declares the state there without a push", async () => {
    const { org, create, get } = await start();
    const name = named();
    hosts.putState(name, tfstate([declaredQueue("a")]));
    const source = await create(overHttp(name));
    const read = await until(
      () => get(source),
      ({ read_at }) => read_at !== undefined,
    );
    expect(read).toMatchObject({ kind: "terraform", last_serial: 1, matched_count: 1 });
    expect(read).not.toContainKey("last_error");
    expect(await fates(org)).toEqual({ "aws_sqs_queue.a": "matched" });
  });

  test("declares a new state at its next read, and the same one changes nothing", async () => {
    const { org, create, read } = await start();
    const name = named();
    hosts.putState(name, tfstate([declaredQueue("a")]));
    const first = await read(await create(overHttp(name)));
    const again = await read(first);
    expect(again.pushed_at).toBe(first.pushed_at);
    expect(again.read_at! >= first.read_at!).toBe(true);
    hosts.putState(name, tfstate([declaredQueue("a"), declaredQueue("b")], { serial: 2 }));
    expect(await read(first)).toMatchObject({ last_serial: 2, matched_count: 2 });
    expect(Object.keys(await fates(org))).toHaveLength(2);
    const written = await inventory.test.admin`
      select details from inventory.audit_outbox where org_id = ${org.id} and action = 'iac_source.read' order by id
    `;
    expect(written.map(({ details }) => details.serial)).toEqual([1, 2]);
  });

  test("accepts any state at a new location, even an older one or another of the same serial", async () => {
    const { org, create, read } = await start();
    const [name, older, rewritten] = [named(), named(), named()];
    hosts.putState(name, tfstate([declaredQueue("a")], { serial: 5 }));
    hosts.putState(rewritten, tfstate([declaredQueue("b")], { serial: 5 }));
    hosts.putState(older, tfstate([declaredQueue("a"), declaredQueue("b")], { serial: 2 }));
    const source = await read(await create(overHttp(name)));
    const move = async (to: string): Promise<IacSource> => {
      await call(UpdateSource, { org_id: org.id, source_id: source.id, backend: overHttp(to) });
      return read(source);
    };
    expect(await move(rewritten)).toMatchObject({ last_serial: 5, matched_count: 1 });
    expect(Object.keys(await fates(org))).toEqual(["aws_sqs_queue.b"]);
    expect(await move(older)).toMatchObject({ last_serial: 2, matched_count: 2 });
    expect(await move(older)).not.toContainKey("last_error");
  });

  test.each<[string, string, () => void]>([
    ["its password is rejected", "permission_denied", refuseAll],
    [
      "the host returns an error",
      "internal",
      () => void (hosts.interfere = () => new Response("", { status: 500 })),
    ],
    [
      "the host redirects",
      "internal",
      () => void (hosts.interfere = () => Response.redirect("http://127.0.0.1/", 302)),
    ],
    [
      "the state is missing",
      "not_found",
      () => void (hosts.interfere = () => new Response("", { status: 404 })),
    ],
    [
      "the state is invalid",
      "unsupported_format",
      () => void (hosts.interfere = () => new Response("<html>")),
    ],
    [
      "the state is encrypted",
      "state_encrypted",
      () =>
        void (hosts.interfere = () =>
          Response.json({ serial: 1, lineage: "", encrypted_data: "x", encryption_version: "v0" })),
    ],
    [
      "the state is older than the known one",
      "stale_state",
      () => void (hosts.interfere = () => Response.json(tfstate([declaredQueue("b")], { serial: 1 }))),
    ],
  ])("keeps the previous state and shows the error if %s", async (_why, code, breakIt) => {
    const { org, create, read } = await start();
    const name = named();
    hosts.putState(name, tfstate([declaredQueue("a")], { serial: 5 }));
    const source = await read(await create(overHttp(name)));
    breakIt();
    const unread = await read(source);
    hosts.interfere = () => undefined;
    expect(unread).toMatchObject({ last_serial: 5, last_error: { code } });
    expect(JSON.stringify(unread)).not.toContain("canary");
    expect(await fates(org)).toEqual({ "aws_sqs_queue.a": "matched" });
    expect(await read(source)).not.toContainKey("last_error");
  });

  test("shows the result of the read that started last", async () => {
    const { create, get, read } = await start();
    const name = named();
    hosts.putState(name, tfstate([declaredQueue("a")]));
    const source = await read(await create(overHttp(name)));
    await until(
      async () => hosts.asked(`/states/${name}`),
      (times) => times === 2,
    ); // the service also reads it on its own
    const [met, late] = [Promise.withResolvers<void>(), Promise.withResolvers<Response>()];
    hosts.interfere = () => {
      met.resolve();
      return late.promise;
    };
    const early = read(source);
    await met.promise;
    hosts.interfere = () => undefined;
    expect(await read(source)).not.toContainKey("last_error");
    late.resolve(new Response("", { status: 500 }));
    expect(await early).not.toContainKey("last_error");
    expect(await get(source)).not.toContainKey("last_error");
  });

  test("stores an unchanged state again when another release has read it", async () => {
    const { create, read } = await start();
    const name = named();
    hosts.putState(name, tfstate([declaredQueue("a")]));
    const source = await read(await create(overHttp(name)));
    await inventory.test.admin`update inventory.iac_sources set read_by = 1 where id = ${source.id}`;
    const again = await read(source);
    expect(again.pushed_at! > source.pushed_at!).toBe(true);
    expect(hosts.asked(`/states/${name}`)).toBeGreaterThan(1);
  });

  test("sends a notification after an hour without a read, and again only after a success", async () => {
    const { org, create, get, read } = await start();
    const name = named();
    hosts.putState(name, tfstate([declaredQueue("a")]));
    const source = await read(await create(overHttp(name)));
    const storedEvents = async (): Promise<unknown[]> => {
      const rows = await inventory.test.admin<{ publication: string }[]>`
        select publication from inventory.notices where org_id = ${org.id} order by id
      `;
      return rows
        .map(({ publication }) => JSON.parse(publication).event)
        .filter(({ type }) => type === "iac_source.unreadable");
    };
    const later = () => inventory.test.admin`
      update inventory.iac_sources set unread_since = unread_since - interval '1 hour' where id = ${source.id}
    `;
    hosts.interfere = (request) =>
      request.url.includes(name) ? new Response("no", { status: 403 }) : undefined;
    await read(source);
    await read(source);
    expect(await storedEvents()).toEqual([]);
    await later();
    await read(source);
    await read(source);
    // The service also reads it on its own, possibly after us.
    const { read_at } = await get(source);
    expect(await storedEvents()).toMatchObject([
      {
        type: "iac_source.unreadable",
        data: {
          source_id: source.id,
          source_name: source.name,
          code: "permission_denied",
          read_at,
        },
      },
    ]);
    hosts.interfere = () => undefined;
    await read(source);
    hosts.interfere = (request) =>
      request.url.includes(name) ? new Response("no", { status: 403 }) : undefined;
    await read(source);
    await later();
    await read(source);
    hosts.interfere = () => undefined;
    const ids = (await storedEvents()).map((event) => JSON.stringify(event));
    expect(new Set(ids).size).toBe(2);
  });

  test("accepts a pushed state only without its backend", async () => {
    const { org, one, create } = await start();
    const name = named();
    hosts.putState(name, tfstate([declaredQueue("a")]));
    const source = await create(overHttp(name));
    const pushed = tfstate([declaredQueue("b")], { serial: 9 });
    expect(await failureOf(org.pushState(source, pushed))).toMatchObject({ code: "conflict" });
    const changed = await call(UpdateSource, { ...one(source), backend: null });
    expect(changed).not.toContainKey("backend");
    expect(await failureOf(call(ReadState, one(source)))).toMatchObject({ code: "conflict" });
    expect(await org.pushState(source, pushed)).toMatchObject({ last_serial: 9 });
  });

  test("whose backend was removed during a read ignores its result", async () => {
    const { org, one, create, read } = await start();
    const name = named();
    hosts.putState(name, tfstate([declaredQueue("a")]));
    const source = await read(await create(overHttp(name)));
    hosts.putState(name, tfstate([declaredQueue("b")], { serial: 9 }));
    const answer = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    hosts.interfere = (request) => {
      if (!request.url.includes(name)) return undefined;
      asked.resolve();
      return answer.promise.then(() => Response.json(tfstate([declaredQueue("b")], { serial: 9 })));
    };
    const reading = read(source);
    await asked.promise;
    await call(UpdateSource, { ...one(source), backend: null });
    answer.resolve();
    expect(await reading).not.toContainKeys(["backend", "last_error"]);
    hosts.interfere = () => undefined;
    expect(await fates(org)).toEqual({ "aws_sqs_queue.a": "matched" });
  });

  test("never shows its password", async () => {
    const { org, create } = await start();
    const source = await create(overHttp(named()));
    expect(source.backend).toEqual({
      type: "http",
      address: expect.stringContaining("/states/"),
      username: hosts.user,
    });
    const { data } = await call(ListSources, { org_id: org.id, limit: 100 });
    expect(JSON.stringify([source, data])).not.toContain(hosts.password);
    const kept = await inventory.test.admin`
      select row_to_json(s)::text as row, encode(sealed_backend_secret, 'escape') as secret
        from inventory.iac_sources s where id = ${source.id}
    `;
    expect(JSON.stringify(kept)).not.toContain(hosts.password);
  });
});

function refuseAll(): void {
  hosts.interfere = () => new Response("bad password-canary", { status: 401 });
}

test("a state in S3 is read with the credentials of the source's account", async () => {
  const { org, create, read } = await start();
  const account = await call(CreateAccount, {
    org_id: org.id,
    provider: "aws",
    external_id: ACCOUNT,
    credentials: { kind: "static", access_key_id: ACCESS_KEY.accessKeyId, secret_access_key: SECRET },
  });
  aws.objects.put("/states/prod.tfstate", JSON.stringify(tfstate([declaredQueue("a", ONE)])));
  const backend: Backend = { type: "s3", bucket: "states", key: "prod.tfstate", region: "eu-west-1" };
  expect(await read(await create(backend, account.id))).toMatchObject({ resource_count: 1 });
});

test("a state that needs an account's missing credentials isn't read, and the error says so", async () => {
  const { create, read, org } = await start();
  const [account] = await org.posture();
  const backend: Backend = { type: "s3", bucket: "states", key: "a", region: "eu-west-1" };
  const { last_error } = await read(await create(backend, account!.cloud_account_id));
  expect(last_error).toMatchObject({
    code: "no_credentials",
    message: "the source's cloud account has no usable credentials; add some",
  });
});

describe("a backend is refused", () => {
  test.each<[string, Backend, string]>([
    ["of a cloud without an account", { type: "gcs", bucket: "states", key: "a" }, "cloud_account_id"],
    ["at a private address", { type: "http", address: "https://10.0.0.1/state" }, "backend.address"],
    ["over plain HTTP", { type: "http", address: "http://example.com/state" }, "backend.address"],
    [
      "with a password in its URL",
      { type: "http", address: "https://me:secret@example.com/state" },
      "backend.address",
    ],
    [
      "with a secret in its URL",
      { type: "http", address: "https://example.com/?token=t" },
      "backend.address",
    ],
    [
      "with several hosts",
      { type: "remote", hostname: "example.com/a?", organization: "a", workspace: "b", token: "t" },
      "backend.hostname",
    ],
    [
      "with a private host",
      { type: "remote", hostname: "localhost", organization: "a", workspace: "b", token: "t" },
      "backend.hostname",
    ],
  ])("%s", async (_what, backend, field) => {
    const { create } = await start();
    expect(await failureOf(create(backend))).toMatchObject({
      code: "invalid_parameter",
      details: [expect.objectContaining({ field })],
    });
  });

  test("for another cloud than the account's, even after the account changes", async () => {
    const { org, one, create } = await start();
    const google = await org.account("gcp", "shop-prod");
    const [account] = await org.posture();
    const backend: Backend = { type: "s3", bucket: "states", key: "a", region: "eu-west-1" };
    expect(await failureOf(create(backend, google.id))).toMatchObject({ code: "invalid_parameter" });
    const source = await create(backend, account!.cloud_account_id);
    for (const cloud_account_id of [google.id, null]) {
      expect(await failureOf(call(UpdateSource, { ...one(source), cloud_account_id }))).toMatchObject({
        code: "invalid_parameter",
      });
    }
  });
});

describe("states of several sources", () => {
  test("are each read by one process", async () => {
    const { create, get } = await start();
    const platform = { database: inventory.database, bus: inventory.bus, log: testLog() };
    const deps = { ...platform, ring: RING, clouds, egress: createEgress({ allow: [hosts.host] }) };
    const others = [startReadingStates(deps), startReadingStates(deps)];
    const names = Array.from({ length: 6 }, named);
    for (const name of names) hosts.putState(name, tfstate([declaredQueue("a")], { lineage: name }));
    const sources = await Promise.all(names.map((name) => create(overHttp(name))));
    for (const source of sources) {
      await until(
        () => get(source),
        ({ read_at }) => read_at !== undefined,
      );
    }
    await Promise.all(others.map((other) => other.drain()));
    expect(names.map((name) => hosts.asked(`/states/${name}`))).toEqual(names.map(() => 1));
  });

  test("of an organization with hanging hosts don't delay another's", async () => {
    const [loud, quiet] = [await start(), await start()];
    const stuck = Array.from({ length: 8 }, () => `hangs-${named()}`);
    hosts.interfere = ({ url }) => (url.includes("hangs-") ? hang() : undefined);
    for (const name of stuck) await loud.create(overHttp(name));
    await until(
      async () => hosts.requests.some(({ path }) => path.includes("hangs-")),
      (isStuck) => isStuck,
    );
    const name = named();
    hosts.putState(name, tfstate([declaredQueue("a")]));
    const source = await quiet.create(overHttp(name));
    const read = await until(
      () => quiet.get(source),
      ({ read_at }) => read_at !== undefined,
    );
    hosts.interfere = () => undefined;
    expect(read.matched_count).toBe(1);
    expect(hosts.requests.filter(({ path }) => path.includes("hangs-"))).toHaveLength(1);
  });
});
