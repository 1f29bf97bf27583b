import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Database } from "@leeway/shared/database/database";
import { testLog } from "@leeway/shared/testing/testing";

import { ENDPOINTS } from "../../services/gateway/src/endpoints.ts";
import type { Endpoint } from "../../services/gateway/src/http/endpoint.ts";
import type { Answered } from "../../services/gateway/test/support/gateway.ts";
import { probesOf, PROBES, type Probe } from "./probes.ts";
import { lyingAbout, startStack, type Stack } from "./stack.ts";
import { fillTenant, idsIn, rowsOf, tenantTables, type Tenant } from "./tenant.ts";

/** Limit on filling two organizations. A fixture that came later would answer for the next one, too. */
const START_MS = 300_000;

interface Guards {
  rowSecurity: boolean;
  /** Services whose statements query the other organization's rows. */
  lying: readonly string[];
}

/** Each of the two guards works without the other, and both work together. */
const GUARDS: readonly (Guards & { name: string })[] = [
  { name: "both guards", rowSecurity: true, lying: [] },
  { name: "row-level security switched off", rowSecurity: false, lying: [] },
  { name: "gateway queries for the other organization's rows", rowSecurity: true, lying: ["gateway"] },
  {
    name: "service queries for the other organization's rows",
    rowSecurity: true,
    lying: ["analyzer", "inventory", "quota", "webhooks"],
  },
];

/** Reads come first, because failed changes appear in the caller's own audit log. */
const READS_FIRST = [
  ...ENDPOINTS.filter(({ method }) => method === "GET"),
  ...ENDPOINTS.filter(({ method }) => method !== "GET"),
];

test("every endpoint is probed here with another organization's data", () => {
  const names = ENDPOINTS.map(({ operationId }) => operationId);
  expect(Object.keys(PROBES).toSorted()).toEqual(names.toSorted());
});

/** Two organizations, and the data of the second that the first must never see. */
interface Fixture {
  stack: Stack;
  mine: Tenant;
  theirs: Tenant;
  /** Every row of the other organization. */
  rows: Record<string, string[]>;
  /** Ids that only the other organization has. */
  ids: Set<string>;
}

async function begin({ rowSecurity, lying }: Guards): Promise<Fixture> {
  let asked: string | undefined;
  const door = (database: Database, service: string) =>
    lying.includes(service) ? lyingAbout(database, () => asked) : database;
  const log = testLog();
  if (lying.length > 0) log.level = "silent"; // row-level security logs each refusal as an error
  const stack = await startStack({ door, log });
  const mine = await fillTenant(stack, "canary-mine");
  const theirs = await fillTenant(stack, "canary-theirs");
  if (!rowSecurity) {
    for (const table of await tenantTables(stack.db)) {
      await stack.db.admin.unsafe(`alter table ${table} disable row level security`);
    }
  }
  asked = theirs.id;
  const rows = await rowsOf(stack.db, theirs.id);
  const ids = idsIn(rows).difference(idsIn(await rowsOf(stack.db, mine.id)));
  return { stack, mine, theirs, rows, ids };
}

/** Returns the other organization's data in an answer, except for values from the request. */
function leaked({ theirs, ids }: Fixture, { text, headers }: Answered, asked: string): string[] {
  const shown = text + JSON.stringify([...headers]);
  const secrets = [
    theirs.canary,
    `":${theirs.hourlyLimit}`,
    `"held":${theirs.slots}`,
    theirs.key,
    ...Object.values(theirs.cursors),
    ...ids,
  ];
  return secrets.filter((secret) => shown.includes(secret) && !asked.includes(secret));
}

const shown = ({ status, body }: Answered) => ({ status, body: { ...body, request_id: "" } });

interface Asked extends Answered {
  /** Text of the request, which the answer may repeat. */
  sent: string;
}

async function ask({ stack }: Fixture, { method }: Endpoint, probe: Probe, as: string): Promise<Asked> {
  const { path, body, headers } = probe;
  const answered = await stack.ask(method, path, { as, body, ...(headers && { headers }) });
  return { ...answered, sent: `${decodeURIComponent(path)} ${JSON.stringify(body)}` };
}

function callersFor({ only }: Endpoint, { owner, key }: Tenant): string[] {
  return { person: [owner], api_key: [key], any: [owner, key] }[only ?? "any"];
}

/** Returns rows without the counters of refused webhooks, which any sender changes. */
function withoutRejects(rows: Record<string, string[]>): Record<string, string[]> {
  const counted =
    /"(?:last_status|last_reject_at|last_reject_reason|consecutive_rejects|rejects)": (?:"[^"]*"|null|\d+)/g;
  const { "webhooks.configs": configs = [], "webhooks.senders": senders = [], ...rest } = rows;
  const uncounted = (row: string): string => row.replaceAll(counted, "");
  return {
    ...rest,
    "webhooks.configs": configs.map(uncounted),
    "webhooks.senders": senders.map(uncounted),
  };
}

describe.each(GUARDS)("with $name", (guards) => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await begin(guards);
  }, START_MS);
  afterAll(() => fixture.stack.stop());

  test.each(READS_FIRST.map((endpoint) => [endpoint.operationId, endpoint] as const))(
    "%s returns nothing of another organization",
    async (_, endpoint) => {
      const { mine, theirs } = fixture;
      for (const as of callersFor(endpoint, mine)) {
        for (const probe of probesOf(endpoint, mine, theirs)) {
          const answered = await ask(fixture, endpoint, probe, as);
          const why = `${endpoint.method} ${probe.path} ${answered.status} ${answered.text}`;
          expect(leaked(fixture, answered, answered.sent), why).toEqual([]);
          if (guards.lying.length > 0) continue;
          expect(probe.right(answered), why).toBe(true);
          if (probe.nowhere === undefined) continue;
          const nowhere = await ask(fixture, endpoint, { ...probe, path: probe.nowhere }, as);
          expect(shown(answered), why).toEqual(shown(nowhere));
        }
      }
    },
  );

  test("the probes changed nothing of the other organization", async () => {
    const now = await rowsOf(fixture.stack.db, fixture.theirs.id);
    expect(withoutRejects(now)).toEqual(withoutRejects(fixture.rows));
  });
});

test(
  "without both guards the probes see all of it",
  async () => {
    const fixture = await begin({
      rowSecurity: false,
      lying: ["analyzer", "gateway", "inventory", "quota", "webhooks"],
    });
    const reads = READS_FIRST.filter(
      ({ method, path }) => method === "GET" && path.startsWith("/api/v2/orgs/:id"),
    );
    const unseen: string[] = [];
    for (const endpoint of reads) {
      const probes = probesOf(endpoint, fixture.mine, fixture.theirs);
      const answers = await Promise.all(
        probes.map((probe) => ask(fixture, endpoint, probe, fixture.mine.owner)),
      );
      if (answers.every((answered) => leaked(fixture, answered, answered.sent).length === 0)) {
        unseen.push(endpoint.operationId);
      }
    }
    await fixture.stack.stop();
    // The event stream names kinds of data only, a verification has only counts and a hash, the rules are global, and
    // settings contain no text of people. The policy of an account that both have differs only in the organization. Plans
    // are sealed with the id of their organization.
    expect(unseen).toEqual([
      "followOrganization",
      "verifyAuditLog",
      "getCloudAccountPolicy",
      "listExclusionRules",
      "listPlanChanges",
      "getSettings",
    ]);
  },
  START_MS,
);
