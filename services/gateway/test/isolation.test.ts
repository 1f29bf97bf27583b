import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { Endpoint } from "../src/http/endpoint.ts";
import { placeholders } from "../src/http/parameters.ts";
import { FINGERPRINT } from "../src/examples/analyzer.ts";
import { DRIFT_FINGERPRINT } from "../src/examples/drift.ts";
import { IN_ORGANIZATION, undocumented } from "./support/documented.ts";
import { startTestGateway, type Answered, type TestGateway } from "./support/gateway.ts";

let gateway: TestGateway;
let mine: { id: string; owner: string; key: string };
let theirs: { id: string; owner: string; keyId: string; memberId: string };

beforeAll(async () => {
  gateway = await startTestGateway();
  const own = await gateway.newOwnedOrg();
  mine = { ...own, key: (await gateway.newKey(own.id, own.owner, "admin")).key };
  const other = await gateway.newOwnedOrg();
  const { id: keyId } = await gateway.newKey(other.id, other.owner, "admin");
  const { body } = await gateway.ask("GET", `/api/v2/orgs/${other.id}/members`, { as: other.owner });
  theirs = { ...other, keyId, memberId: body.data[0].id };
});
afterAll(() => gateway.stop());
beforeEach(() => gateway.others.reset());

/** Path parameters that aren't uuids, with the step before them. */
const IDS: Record<string, string> = {
  "plan-noise/:fingerprint": FINGERPRINT,
  "drift-changes/:fingerprint": DRIFT_FINGERPRINT,
};

/** Sends a request that would be valid in the organization `orgId`. */
function ask(endpoint: Endpoint, orgId: string, as: string): Promise<Answered> {
  const steps = placeholders(endpoint.path);
  const known = Object.entries(IDS).reduce(
    (path, [step, id]) => path.replace(step, step.replace(/:.*/, id)),
    endpoint.path,
  );
  const path = steps.reduce(
    (path, [name]) => path.replace(`:${name}`, name === "id" ? orgId : crypto.randomUUID()),
    known,
  );
  return gateway.ask(endpoint.method, path, { as, body: endpoint.bodyExample ?? (endpoint.upload && "[]") });
}

const shown = ({ status, body }: Answered) => ({ status, body: { ...body, request_id: "" } });

const cases = IN_ORGANIZATION.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const);

test.each(cases)("%s of another organization answers as if it didn't exist", async (_, endpoint) => {
  for (const as of [mine.key, mine.owner]) {
    const refused = await ask(endpoint, theirs.id, as);
    const nowhere = await ask(endpoint, crypto.randomUUID(), as);
    expect(refused.status).toBe(404);
    expect(shown(refused)).toEqual(shown(nowhere));
    expect(undocumented(endpoint, refused)).toBeUndefined();
  }
  expect(gateway.others.asked).toEqual([]);
});

test.each(cases)("%s of one's own organization sends only that organization's id", async (_, endpoint) => {
  // The last one is a stream, which stays open.
  const others = ["deleteOrganization", "leaveOrganization", "followOrganization"];
  if (others.includes(endpoint.operationId)) return;
  const answered = await ask(endpoint, mine.id, mine.owner);
  expect(answered.status).toBeOneOf([endpoint.success.status, 404, 403]);
  expect(undocumented(endpoint, answered)).toBeUndefined();
  for (const { input } of gateway.others.asked) expect(input["org_id"]).toBe(mine.id);
});

describe("another organization's", () => {
  test.each([
    ["GET", "api-keys", () => theirs.keyId],
    ["DELETE", "api-keys", () => theirs.keyId],
    ["POST", "api-keys/rotate", () => theirs.keyId],
    ["GET", "members", () => theirs.memberId],
    ["PATCH", "members", () => theirs.memberId],
    ["DELETE", "members", () => theirs.memberId],
  ])("%s %s isn't found in one's own organization", async (method, what, id) => {
    const [collection, verb] = what.split("/");
    const path = `/api/v2/orgs/${mine.id}/${collection}/${id()}${verb ? `/${verb}` : ""}`;
    const body = method === "PATCH" ? { role: "viewer" } : undefined;
    expect((await gateway.ask(method, path, { as: mine.owner, body })).status).toBe(404);
    expect(
      (await gateway.ask("GET", `/api/v2/orgs/${theirs.id}/api-keys`, { as: theirs.owner })).body.data,
    ).toHaveLength(1);
  });

  test("rows appear in no list of one's own organization", async () => {
    for (const list of ["api-keys", "members", "audit-log"]) {
      const { text } = await gateway.ask("GET", `/api/v2/orgs/${mine.id}/${list}?limit=500`, {
        as: mine.owner,
      });
      for (const id of [theirs.id, theirs.keyId, theirs.memberId]) expect(text).not.toContain(id);
    }
  });
});

test("the service's role reads no tenant's row without naming the tenant", async () => {
  const { system } = gateway.database;
  for (const read of [
    () => system`select from identity.organizations`,
    () => system`select from identity.members`,
    () => system`select from identity.api_keys`,
    () => system`select from identity.api_key_secrets`,
    () => system`select from identity.audit_log`,
    () => system`select from identity.idempotency_keys`,
  ]) {
    expect(
      await read().then(
        (rows) => rows.length,
        () => 0,
      ),
    ).toBe(0);
  }
});
