import { afterAll, describe, expect, test } from "bun:test";

import { createEgress } from "@leeway/shared/security/egress/egress";
import { failureOf } from "@leeway/shared/testing/testing";

import { createAwsConnector } from "./aws/aws-connector.ts";
import { ACCESS_KEY, ACCOUNT, SECRET } from "./aws/aws.fixture.ts";
import { createAzureConnector } from "./azure/azure-connector.ts";
import { MANNERS, serveBadly, type Manner } from "./bad-cloud.fixture.ts";
import { ConnectorError, type CallLimits, type Connector, type Shard } from "./connector.ts";
import { keyFile } from "./gcp/fake-google.fixture.ts";
import { createGcpConnector } from "./gcp/gcp-connector.ts";
import { manualClock } from "./rest/rest.fixture.ts";

const LIMITS: CallLimits = { timeoutMs: 200, maxBytes: 1 << 20 };
const PATIENT: CallLimits = { timeoutMs: 30_000 };
const never = new AbortController().signal;

/** Server that issues a token to every caller. */
const door = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => Response.json({ access_token: "token", expires_in: 3600 }),
});
afterAll(() => door.stop(true));
const doorUrl = `http://127.0.0.1:${door.port}`;

const egressTo = (url: string) => createEgress({ allow: [url, doorUrl].map((one) => new URL(one).host) });

/** A cloud's connector, and a shard to list from the cloud at `url`. */
interface Reader {
  shard: Shard;
  connect(url: string, limits: CallLimits): Connector;
}

function aws(how: Pick<Parameters<typeof createAwsConnector>[0], "credentials" | "identity">): Reader {
  const account = { accountId: ACCOUNT, externalId: "org-7" };
  return {
    shard: { service: "tagging", region: "eu-west-1" },
    connect: (endpoint, limits) => createAwsConnector({ ...account, ...how, endpoint, ...limits }),
  };
}

function google(tokenUrl?: string): Reader {
  return {
    shard: { service: "cloudasset" },
    connect: (url, limits) =>
      createGcpConnector({
        credentials: { kind: "static", service_account_key: keyFile() },
        accountId: "shop-prod",
        egress: egressTo(url),
        endpoints: { token: tokenUrl ?? url, cloudAsset: url },
        clock: manualClock(),
        ...limits,
      }),
  };
}

function azure(loginUrl?: string): Reader {
  const id = "0b1f6471-1bf0-4dda-aec3-cb9272f09590";
  return {
    shard: { service: "resources" },
    connect: (url, limits) =>
      createAzureConnector({
        credentials: { kind: "static", tenant_id: id, client_id: id, client_secret: SECRET },
        accountId: id,
        egress: egressTo(url),
        endpoints: { login: loginUrl ?? url, management: url },
        clock: manualClock(),
        ...limits,
      }),
  };
}

const LISTS: [string, Reader][] = [
  [
    "AWS",
    aws({
      credentials: {
        kind: "static",
        access_key_id: ACCESS_KEY.accessKeyId,
        secret_access_key: SECRET,
      },
    }),
  ],
  ["Google Cloud", google(doorUrl)],
  ["Azure", azure(doorUrl)],
];
const DOORS: [string, Reader][] = [
  [
    "AWS, when a role is assumed,",
    aws({
      credentials: { kind: "aws_role", role_arn: `arn:aws:iam::${ACCOUNT}:role/leeway` },
      identity: ACCESS_KEY,
    }),
  ],
  ["Google Cloud, at the sign-in,", google()],
  ["Azure, at the sign-in,", azure()],
];

const tooLarge = { code: "internal", message: expect.stringMatching(/too large|AnswerTooLarge/) };
/** Failures of manners that aren't timeouts. */
const OTHER_FAILURES: Partial<Record<Manner, object>> = {
  "never ends its answer": tooLarge,
  "announces 10 GB": tooLarge,
  "leads elsewhere": { message: expect.stringContaining("302") },
};

/** Returns the failure of listing the shard from the cloud at `url`. */
async function failureAt(
  url: string,
  { shard, connect }: Reader,
  limits = LIMITS,
  signal = never,
): Promise<unknown> {
  const error = await failureOf(Array.fromAsync(connect(url, limits).list(shard, signal)));
  return error instanceof ConnectorError ? error.failure : error;
}

describe.each([...LISTS, ...DOORS])("%s", (_, reader) => {
  test.each(MANNERS)("that %s times out or fails with the right reason", async (manner) => {
    await using cloud = await serveBadly(manner);
    expect(await failureAt(cloud.url, reader)).toMatchObject(OTHER_FAILURES[manner] ?? { code: "timeout" });
    expect(cloud.paths).not.toContain("/elsewhere");
    await cloud.closed();
  });

  test("that doesn't answer the TLS handshake times out", async () => {
    await using cloud = await serveBadly("says nothing");
    const failure = await failureAt(cloud.url.replace("http:", "https:"), reader);
    expect(failure).toMatchObject({ code: "timeout" });
  });
});

describe.each(LISTS)("%s", (_, reader) => {
  test("is cut off at the default size limit", async () => {
    await using cloud = await serveBadly("never ends its answer");
    expect(await failureAt(cloud.url, reader, PATIENT)).toMatchObject(tooLarge);
    await cloud.closed();
  });

  test("that sends slowly isn't read past the caller's deadline", async () => {
    await using cloud = await serveBadly("trickles its answer");
    const failure = await failureAt(cloud.url, reader, PATIENT, AbortSignal.timeout(200));
    expect(failure).toMatchObject({ name: "TimeoutError" });
    await cloud.closed();
  });
});
