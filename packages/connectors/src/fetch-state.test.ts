import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import type { ShownBackend } from "@leeway/shared/contracts/inventory/backends";
import { createEgress } from "@leeway/shared/security/egress/egress";
import { failureOf } from "@leeway/shared/testing/testing";

import { connect as connectAws } from "./aws/account.fixture.ts";
import { FakeS3, s3Error } from "./aws/s3.fixture.ts";
import { createAzureConnector } from "./azure/azure-connector.ts";
import { FakeAzure } from "./azure/fake-azure.fixture.ts";
import { ConnectorError, type Connector } from "./connector.ts";
import { FakeGoogle, keyFile } from "./gcp/fake-google.fixture.ts";
import { createGcpConnector } from "./gcp/gcp-connector.ts";
import type { Objects } from "./rest/objects.fixture.ts";
import { flood, hang, type Interference } from "./rest/rest.fixture.ts";

const KEY = "network/prod +1.tfstate";
const never = new AbortController().signal;

interface Storage {
  connector: Connector;
  backend: ShownBackend;
  objects: Objects;
  path: string;
  refuse(): void;
  interfere(by: Interference): void;
  stop(): Promise<void>;
}

function s3(): Storage {
  const aws = new FakeS3();
  const egress = createEgress({ allow: [aws.host] });
  return {
    connector: connectAws(aws.endpoint, { egress, timeoutMs: 500 }),
    backend: { type: "s3", bucket: "states", key: KEY, region: "eu-west-1" },
    objects: aws.objects,
    path: `/states/${KEY}`,
    refuse: () => void (aws.interfere = () => s3Error(403, "AccessDenied")),
    interfere: (by) => void (aws.interfere = by),
    stop: () => aws.stop(),
  };
}

function gcs(): Storage {
  const google = new FakeGoogle();
  return {
    connector: createGcpConnector({
      credentials: { kind: "static", service_account_key: keyFile() },
      accountId: google.project,
      egress: createEgress({ allow: [google.host] }),
      endpoints: google.endpoints,
    }),
    backend: { type: "gcs", bucket: "states", key: KEY },
    objects: google.objects,
    path: `/states/${KEY}`,
    refuse: () => void google.granted.delete("storage.objects.get"),
    interfere(by) {
      google.interfere = (request) => (request.url.includes("/storage/") ? by(request) : undefined);
    },
    stop: () => google.stop(),
  };
}

function azurerm(): Storage {
  const azure = new FakeAzure();
  return {
    connector: createAzureConnector({
      credentials: {
        kind: "static",
        tenant_id: azure.tenant,
        client_id: azure.client,
        client_secret: azure.secret,
      },
      accountId: azure.subscription,
      egress: createEgress({ allow: [azure.host] }),
      endpoints: azure.endpoints,
    }),
    backend: { type: "azurerm", storage_account_name: "shopstates", container_name: "tf", key: KEY },
    objects: azure.blobs,
    path: `/shopstates/tf/${KEY}`,
    refuse() {
      azure.interfere = ({ url }) =>
        url.includes("/blobs/") ? new Response("denied canary", { status: 403 }) : undefined;
    },
    interfere(by) {
      azure.interfere = (request) => (request.url.includes("/blobs/") ? by(request) : undefined);
    },
    stop: () => azure.stop(),
  };
}

describe.each([
  ["S3", s3],
  ["Google Cloud Storage", gcs],
  ["Azure Blob Storage", azurerm],
])("a state in %s", (_name, open) => {
  let storage: Storage;
  beforeEach(() => {
    storage = open();
    storage.objects.put(storage.path, "one");
  });
  afterEach(() => storage.stop());
  const fetch = (known?: string, signal = never) =>
    storage.connector.fetchState(storage.backend, known, signal);
  const text = async (known?: string) => Buffer.from((await fetch(known))?.bytes ?? []).toString();
  const refusal = async (signal = never) => failureOf(fetch(undefined, signal));

  test("is read under any name, and again only after it changed", async () => {
    const state = await fetch();
    expect(Buffer.from(state?.bytes ?? []).toString()).toBe("one");
    expect(await fetch(state?.edition)).toBeUndefined();
    expect(storage.objects.given).toBe(1);
    storage.objects.put(storage.path, "two");
    expect(await text(state?.edition)).toBe("two");
  });

  test("that doesn't exist is reported", async () => {
    storage.objects.remove(storage.path);
    expect(await refusal()).toMatchObject({ code: "not_found", message: "no state exists at this place" });
  });

  test("that the credentials can't read is reported without the cloud's text", async () => {
    storage.refuse();
    const failure = await refusal();
    expect(failure).toBeInstanceOf(ConnectorError);
    expect(failure).toMatchObject({ failure: { code: "permission_denied" } });
    expect(String(failure)).not.toContain("canary");
  });

  test("that is too large is refused", async () => {
    storage.interfere(flood);
    expect(await refusal()).toMatchObject({ code: "payload_too_large" });
  });

  test("isn't read past the caller's deadline", async () => {
    storage.interfere(hang);
    const failure = await refusal(AbortSignal.timeout(200));
    expect(failure).toBeInstanceOf(Error);
  });

  test("with a backend of another cloud is refused", async () => {
    const foreign: ShownBackend = { type: "http", address: "https://states.example.com" };
    expect(await failureOf(storage.connector.fetchState(foreign, undefined, never))).toMatchObject({
      code: "invalid_parameter",
    });
  });
});

test("an S3 bucket is read in its region, and a wrong region is reported", async () => {
  const aws = new FakeS3();
  const connector = connectAws(aws.endpoint, { egress: createEgress({ allow: [aws.host] }) });
  const backend: ShownBackend = { type: "s3", bucket: "states", key: "a", region: "eu-central-1" };
  aws.interfere = () => s3Error(301, "PermanentRedirect");
  const failure = await failureOf(connector.fetchState(backend, undefined, never));
  expect(aws.asked.map(([region]) => region)).toContain("eu-central-1");
  expect(failure).toMatchObject({
    failure: { message: "the bucket isn't in the region eu-central-1" },
  });
  await aws.stop();
});
