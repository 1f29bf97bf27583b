import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { corpusFiles, corpusJson, corpusText } from "@leeway/clouds/corpus.fixture";
import {
  CreateAccount,
  type CloudAccount,
  type Credentials,
} from "@leeway/shared/contracts/inventory/accounts";
import { hasCorpus } from "@leeway/shared/testing/corpus.fixture";
import { isObject, member, members, text, type JsonObject } from "@leeway/shared/values/json";

import { ACCESS_KEY, ACCOUNT, serveAws } from "@leeway/connectors/aws/aws.fixture";
import { answering, recording, RECORDINGS, REGION } from "@leeway/connectors/aws/recordings.fixture";
import { FakeAzure } from "@leeway/connectors/azure/fake-azure.fixture";
import { FakeGoogle, keyFile } from "@leeway/connectors/gcp/fake-google.fixture";
import { createRegistry } from "@leeway/connectors/registry";
import { scansOf } from "./aws-cloud.ts";
import { newOrg, startInventory, type TestInventory } from "./kit.ts";

/** The scan sends thousands of requests: ten seconds of processor time. */
const AWS_MS = 300_000;

const google = new FakeGoogle();
const azure = new FakeAzure();
let pages: JsonObject[] = [];
const aws = serveAws((call) => answering(...pages)(call));
let inventory: TestInventory;

beforeAll(async () => {
  const awsHost = new URL(aws.endpoint).host;
  inventory = await startInventory({
    clouds: createRegistry({
      providers: ["aws", "gcp", "azure"],
      egressAllow: [awsHost, google.host, azure.host],
      endpoints: { aws: aws.endpoint, gcp: `http://${google.host}`, azure: `http://${azure.host}` },
    }),
  });
  [google.maxRows, azure.maxRows] = [50, 50];
});
afterAll(async () => {
  await inventory.stop();
  await Promise.all([aws[Symbol.asyncDispose](), google.stop(), azure.stop()]);
});

/** Replaces the authors' values in a recording with our own. */
function asOf<T>(own: string, theirs: RegExp, value: T): T {
  return JSON.parse(JSON.stringify(value).replace(theirs, own));
}

interface Cloud {
  provider: string;
  external_id: string;
  credentials: Credentials;
  regions?: string[];
}

/** Returns an account's resources after a scan of its cloud, and after a push of the same documents. */
async function bothWays(cloud: Cloud, documents: readonly object[]) {
  const newAccount = async () => {
    const org = newOrg(inventory);
    const account: CloudAccount = await inventory.call(CreateAccount, { org_id: org.id, ...cloud });
    const have = async () =>
      (await org.resources())
        .map(({ provider_resource_id, provider_type, normalized_type, region, name }) =>
          [provider_resource_id, provider_type, normalized_type, region, name].join(" "),
        )
        .toSorted();
    return { org, account, have };
  };
  const [scanned, pushed] = [await newAccount(), await newAccount()];
  const scan = await scansOf(inventory.call, scanned.org.id).run({ account_id: scanned.account.id });
  const push = await pushed.org.pushListing(
    pushed.account,
    documents.map((one) => JSON.stringify(one)).join("\n"),
  );
  return { scan, push, scanned: await scanned.have(), pushed: await pushed.have() };
}

describe.skipIf(!hasCorpus)("a recorded response of a cloud (skipped without LEEWAY_CORPUS)", () => {
  test(
    "of AWS gives the same inventory when scanned or pushed",
    async () => {
      // The ARN in AWS's own example begins with a space, so it belongs to no scanned region.
      const paths = RECORDINGS.filter((path) => !path.includes("resourcegroupstaggingapi--"));
      pages = paths.map((path) => {
        const ofAccount = asOf(ACCOUNT, /(?<=:)\d{12}(?=:)/g, recording(path));
        return asOf(REGION, /(?<=\barn:aws:[\w-]+:)[a-z]+-[a-z]+-\d(?=:)/g, ofAccount);
      });
      const { accessKeyId: access_key_id, secretAccessKey: secret_access_key } = ACCESS_KEY;
      const credentials = { kind: "static" as const, access_key_id, secret_access_key };
      const cloud = { provider: "aws", external_id: ACCOUNT, credentials, regions: [REGION] };
      const documents = pages.map((page) => ({ Region: REGION, AccountId: ACCOUNT, ...page }));
      const { scan, scanned, pushed } = await bothWays(cloud, documents);
      expect(scan).toMatchObject({ status: "succeeded", errors: [] });
      expect(scanned.length).toBeGreaterThan(paths.length);
      expect(scanned).toEqual(pushed);
    },
    AWS_MS,
  );

  test.each(corpusFiles("live-listings/forseti/*resources*.ndjson"))(
    "gives the same inventory when scanned or pushed: %s",
    async (path) => {
      const lines = corpusText(path)
        .split("\n")
        .filter((line) => line.trim() !== "");
      const assets = lines.map((line) => JSON.parse(line)).filter(isObject);
      google.assets = asOf(google.project, /\bproject\d\b/g, assets);
      const credentials = { kind: "static" as const, service_account_key: keyFile() };
      const cloud = { provider: "gcp", external_id: google.project, credentials };
      const { scanned, pushed } = await bothWays(cloud, google.assets);
      expect(scanned.length).toBeGreaterThan(0);
      expect(scanned).toEqual(pushed);
    },
  );

  test("of Azure gives the same inventory when scanned or pushed", async () => {
    const rows = corpusFiles("live-listings/cloud-custodian-azure/*.json").flatMap((path) => {
      const file = corpusJson(path);
      const interactions = members(isObject(file) ? file : undefined, "interactions");
      return interactions.flatMap((one) =>
        members(member(member(member(one, "response"), "body"), "data"), "value").filter((row) =>
          /^\/subscriptions\/(?!.*\/event).*\/providers\//.test(text(row, "id") ?? ""),
        ),
      );
    });
    const own = asOf(azure.subscription, /(?<=\/subscriptions\/)[\da-f-]{36}/g, rows);
    azure.tables.clear();
    azure.tables.set("resources", own);
    const credentials = {
      kind: "static" as const,
      tenant_id: azure.tenant,
      client_id: azure.client,
      client_secret: azure.secret,
    };
    const cloud = { provider: "azure", external_id: azure.subscription, credentials };
    const { scanned, pushed } = await bothWays(cloud, [{ value: own }]);
    expect(scanned.length).toBeGreaterThan(0);
    expect(scanned).toEqual(pushed);
  });
});
