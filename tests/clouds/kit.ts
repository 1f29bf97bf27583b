import type { JsonObject } from "@leeway/shared/values/json";
import type { TestDatabase } from "@leeway/shared/testing/testing";

import type { Answered, Ask } from "../../services/gateway/test/support/gateway.ts";
import {
  ACCESS_KEY,
  ACCOUNT,
  asAccount,
  serveAws,
  type Answer,
  type Call,
} from "@leeway/connectors/aws/aws.fixture";
import { FakeAzure } from "@leeway/connectors/azure/fake-azure.fixture";
import { FakeGoogle } from "@leeway/connectors/gcp/fake-google.fixture";
import { createRegistry, type Registry } from "@leeway/connectors/registry";
import { ndjson } from "../../services/inventory/test/kit.ts";
import { identityTokens } from "../../services/inventory/src/issuer/identity-tokens.ts";
import type { SigningKeys } from "../../services/inventory/src/issuer/signing-keys.ts";
import { PUBLIC_BASE_URL, startStack } from "../isolation/stack.ts";

export { ACCOUNT } from "@leeway/connectors/aws/aws.fixture";

/** An access key that the test's AWS accepts. */
export const AWS_KEY = {
  kind: "static",
  access_key_id: ACCESS_KEY.accessKeyId,
  secret_access_key: ACCESS_KEY.secretAccessKey,
};

type AnswerCall = (call: Call) => Answer | Promise<Answer>;

/** The whole product with fake clouds. */
export interface World {
  db: TestDatabase;
  /** Returns the calls that AWS received, except `GetCallerIdentity`. */
  calls(): Call[];
  /** Sets the answer of AWS from now on. */
  awsAnswers(answer: AnswerCall): void;
  /** Sets the clouds that serve accounts from now on. */
  useClouds(clouds: Registry): void;
  /** Fake Google and Azure, which speak the real protocols. */
  google: FakeGoogle;
  azure: FakeAzure;
  /** Returns fake clouds of `providers`, whose calls time out after `timeoutMs`. */
  cloudsOf(providers: readonly string[], timeoutMs?: number): Registry;
  /** Local address of the gateway. */
  url: string;
  newTenant(): Promise<Tenant>;
  newPerson(email: string): Promise<string>;
  /** Sends a request to any path. */
  send(method: string, path: string, ask?: Ask): Promise<Answered>;
  stop(): Promise<void>;
}

/** An organization, and requests on its behalf. */
export interface Tenant {
  orgId: string;
  /** Token of the organization's owner. */
  owner: string;
  /** Key of an admin. */
  key: string;
  /** Creates a key with a role. */
  keyOf(role: string): Promise<string>;
  ask(method: string, below: string, ask?: Ask): Promise<Answered>;
  account(provider: string, external_id: string, more?: object): Promise<string>;
  /** Pushes rows in Leeway's own format and waits until they are stored. */
  push(accountId: string, rows: readonly JsonObject[]): Promise<void>;
  /** Returns the only live resource with a name. */
  resource(name: string): Promise<Answered["body"]>;
}

const refuse: AnswerCall = () => ({ status: 400, code: "UnsupportedActionException" });

export async function startWorld(): Promise<World> {
  let answer: AnswerCall = refuse;
  const cloud = serveAws(asAccount((call) => answer(call)));
  const google = new FakeGoogle();
  const azure = new FakeAzure();
  const cloudsOf = (providers: readonly string[], timeoutMs?: number): Registry =>
    createRegistry({
      providers,
      egressAllow: [new URL(cloud.endpoint).host, google.host, azure.host],
      endpoints: {
        aws: cloud.endpoint,
        gcp: `http://${google.host}`,
        azure: `http://${azure.host}`,
      },
      identityTokenOf: identityTokens(PUBLIC_BASE_URL, keys),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  let keys: SigningKeys;
  let clouds: Registry;
  const stack = await startStack({
    clouds: (given) => {
      keys = given;
      clouds = cloudsOf(["aws", "gcp", "azure"]);
      return {
        get isEmpty() {
          return clouds.isEmpty;
        },
        check: (account, credentials) => clouds.check(account, credentials),
        require: (provider) => clouds.require(provider),
        open: (account) => clouds.open(account),
      };
    },
  });

  async function newTenant(): Promise<Tenant> {
    const owner = await stack.newPerson(`${crypto.randomUUID()}@example.com`);
    const org = (await stack.ask("POST", "/api/v2/orgs", { as: owner, body: { name: "Shop" } })).body;
    const keyOf = async (role: string): Promise<string> => {
      const path = `/api/v2/orgs/${org.id}/api-keys`;
      return (await stack.ask("POST", path, { as: owner, body: { name: role, role } })).body.key;
    };
    const key = await keyOf("admin");
    const ask: Tenant["ask"] = (method, below, more = {}) =>
      stack.ask(method, `/api/v2/orgs/${org.id}/${below}`, { as: key, ...more });
    return {
      orgId: org.id,
      owner,
      key,
      keyOf,
      ask,
      async account(provider, external_id, more = {}) {
        const { status, text, body } = await ask("POST", "cloud-accounts", {
          body: { provider, external_id, ...more },
        });
        if (status !== 201) throw new Error(text);
        return body.id;
      },
      async push(accountId, rows) {
        const { status, text, body } = await ask("PUT", `cloud-accounts/${accountId}/listing`, {
          body: ndjson(rows),
        });
        if (status !== 202) throw new Error(text);
        while ((await ask("GET", `scans/${body.id}`)).body.finished_at === undefined) await Bun.sleep(10);
      },
      async resource(name) {
        const { body } = await ask("GET", `resources?q=${encodeURIComponent(name)}`);
        return body.data[0];
      },
    };
  }
  return {
    db: stack.db,
    calls: () => cloud.calls.filter(({ action }) => !action.startsWith("sts:")),
    awsAnswers(given) {
      answer = given;
    },
    useClouds(given) {
      clouds = given;
    },
    google,
    azure,
    cloudsOf,
    url: stack.url,
    newTenant,
    newPerson: stack.newPerson,
    send: stack.ask,
    async stop() {
      await stack.stop();
      await cloud[Symbol.asyncDispose]();
      await Promise.all([google.stop(), azure.stop()]);
    },
  };
}

/** Builds a row of a queue, listed without its properties. */
export function queue(name: string): JsonObject {
  return {
    provider_resource_id: `arn:aws:sqs:eu-west-1:${ACCOUNT}:${name}`,
    provider_type: "AWS::SQS::Queue",
    region: "eu-west-1",
    name,
  };
}

/** Builds an answer of Cloud Control with a resource's properties. */
export function described(properties: JsonObject): Answer {
  const description = { Identifier: "x", Properties: JSON.stringify(properties) };
  return { body: { TypeName: "AWS::SQS::Queue", ResourceDescription: description } };
}
