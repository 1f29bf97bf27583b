import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { connectBus } from "@leeway/shared/bus/connection";
import { JobQueued } from "@leeway/shared/contracts/analyzer/jobs";
import type { JsonObject } from "@leeway/shared/values/json";
import { allTestBusKeys, testLog } from "@leeway/shared/testing/testing";

import {
  says,
  startModelServer,
  type Answer,
  type ModelServer,
} from "../../services/quota/test/support/model-server.ts";
import {
  change,
  GITHUB_REPOSITORY,
  newTenant,
  plan,
  plannerBody,
  REPOSITORY,
  resource,
  submission,
  type Tenant,
} from "../analyzer/kit.ts";
import { startGithub, type Github } from "../code-hosts/github.ts";
import { startGitlab, type Gitlab } from "../code-hosts/gitlab.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { holdAt, prepareHolds, type Hold, type Place } from "./holds.ts";
import { settled } from "./ledger.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";
import { until } from "./until.ts";

/** A point in the analyzer's work at which it is killed. */
interface Point {
  when: string;
  /** Place where the analyzer is held: in the database, at the model or at the code host. */
  at: Place | "model" | "host";
  /** Whether the statement in flight is aborted as well. */
  cut?: boolean;
  /** Whether the plan comes in a planner's event instead of a submission. */
  event?: boolean;
}

const POINTS: readonly Point[] = [
  { when: "a slot is reserved but its job isn't stored", at: "storing", cut: true },
  { when: "a job is stored but not published", at: "stored" },
  { when: "a job has started", at: "beginning" },
  { when: "the model is answering", at: "model" },
  { when: "the model's answer isn't stored", at: "keeping", cut: true },
  { when: "the result is stored but not commented on", at: "reviewing", cut: true },
  { when: "the comment's response is lost", at: "host" },
  { when: "the comment is recorded but the job isn't finished", at: "ending", cut: true },
  { when: "the finished job isn't acknowledged on the bus", at: "ended" },
  { when: "a delivery's job isn't stored", at: "storing", cut: true, event: true },
  { when: "a delivery's job is stored but not confirmed", at: "stored", event: true },
  { when: "a delivery isn't ended", at: "delivered", cut: true, event: true },
  { when: "a delivery has ended but its job isn't published", at: "delivered", event: true },
];

let fleet: Fleet;
let gitlab: Gitlab;
let github: Github;
let model: ModelServer;
const tenants = new Map<Point, Tenant>();

beforeAll(async () => {
  const numbers = POINTS.map((_, index) => index + 1);
  gitlab = startGitlab({ projects: [REPOSITORY], mergeRequests: numbers });
  github = startGithub({ repositories: [GITHUB_REPOSITORY], pullRequests: numbers });
  model = await startModelServer();
  fleet = await startFleet({
    env: {
      EGRESS_ALLOW: [gitlab.host, github.host, model.host].join(","),
      PLATFORM_LLM_PROVIDER: "anthropic",
      PLATFORM_LLM_MODEL: "some-model",
      PLATFORM_LLM_API_KEY: model.key,
      PLATFORM_LLM_BASE_URL: model.baseUrl("anthropic"),
      GITHUB_APP_ID: github.appId,
      GITHUB_APP_OWNERS: "*:*",
      GITHUB_APP_PRIVATE_KEY: github.privateKey.export({ type: "pkcs8", format: "pem" }),
      GITHUB_API_URL: github.url,
    },
  });
  await prepareHolds(fleet.admin);
  const product = { ask: fleet.ask, url: fleet.baseUrl, db: { admin: fleet.admin } };
  const started = performance.now();
  for (const point of POINTS) {
    const tenant = await newTenant(product, gitlab, "free");
    tenants.set(point, tenant);
    await killedAt(point, tenant);
  }
  const killedMs = performance.now() - started;
  const settledMs = (await settled(fleet, WAIT_MS)) + (await nothingComesAgain());
  figure(
    `killed at ${POINTS.length} points within ${Math.round(killedMs)} ms, all settled ` +
      `${Math.round(settledMs)} ms later; the model was asked ${model.requests.length} times`,
  );
}, TEST_MS);

afterAll(async () => {
  await fleet.stop();
  await Promise.all([gitlab.stop(), github.stop(), model.stop()]);
}, TEST_MS);

/** Waits until the bus has no job left to redeliver. Returns the milliseconds it took. */
async function nothingComesAgain(): Promise<number> {
  const bus = await connectBus({
    url: fleet.nats.url,
    name: "chaos",
    keys: allTestBusKeys(),
    log: testLog(),
  });
  const { streams } = await bus.nats.jetstreamManager();
  const isEmpty = async (): Promise<boolean> => (await streams.info(JobQueued.stream)).state.messages === 0;
  const ms = await until(isEmpty, WAIT_MS);
  await bus.nats.close();
  return ms;
}

const numberOf = (point: Point): number => POINTS.indexOf(point) + 1;

/** Builds a plan that destroys a database named after the tenant, and that has noise. */
function planOf({ orgId }: Tenant): JsonObject {
  const before = { identifier: "orders", engine: "postgres" };
  return plan(
    resource(`aws_db_instance.${databaseOf(orgId)}`, change(["delete"], { before })),
    resource(
      "aws_route53_record.www",
      change(["update"], { before: { name: "www.example.com." }, after: { name: "www.example.com" } }),
    ),
  );
}

const databaseOf = (orgId: string): string => `db_${orgId.slice(-12)}`;

async function submit(point: Point, tenant: Tenant): Promise<unknown> {
  const change_request = { number: numberOf(point) };
  if (point.event) return tenant.fromPlanner(plannerBody(planOf(tenant), { change_request }));
  return tenant.analyze(submission(planOf(tenant), { change_request, narrative: true }));
}

/** Holds the analyzer at a point of a tenant's work, kills it there and releases the hold. */
async function killedAt(point: Point, tenant: Tenant): Promise<void> {
  const { reached, release } = await heldAt(point, tenant);
  const submitted = submit(point, tenant).catch(() => undefined);
  await reached();
  const pid = fleet.pidOf("analyzer");
  fleet.kill("analyzer");
  await release({ cut: point.cut === true });
  await submitted;
  await until(() => fleet.pidOf("analyzer") !== pid && !Number.isNaN(fleet.pidOf("analyzer")), WAIT_MS);
  await until(() => fleet.isReady(), WAIT_MS);
  if (point === POINTS[0]) await submit(point, tenant); // the first submission left no job
}

async function heldAt(point: Point, tenant: Tenant): Promise<Hold> {
  const { at } = point;
  if (at === "model") return heldAtModel();
  if (at === "host") return heldAtHost(point);
  return holdAt(fleet, at, tenant.orgId);
}

/** Holds every request to the model until it is released. */
function heldAtModel(): Hold {
  const asked: Parameters<Answer>[0][] = [];
  model.answerWith((exchange) => void asked.push(exchange));
  return {
    reached: () => until(() => asked.length > 0, WAIT_MS),
    async release() {
      model.answerAsUsual();
      for (const exchange of asked) says()(exchange);
    },
  };
}

/** Makes the code host write the comment and never answer. */
function heldAtHost(point: Point): Hold {
  const number = numberOf(point);
  const written = Promise.withResolvers<void>();
  gitlab.fail(
    async (_, usual) => {
      await usual();
      written.resolve();
      return new Promise(() => undefined);
    },
    new RegExp(`^POST .*/merge_requests/${number}/notes`),
    1,
  );
  return { reached: () => written.promise, release: async () => undefined };
}

/**
 * Reads the tenant's jobs, endings, noise, slots and comments, and its deliveries with a comment. More than one of each
 * is a duplicate.
 */
async function booksOf(point: Point, { orgId }: Tenant): Promise<unknown> {
  const [books] = await fleet.admin`
    select (select array_agg(status) from analyzer.jobs where org_id = ${orgId}) as jobs,
           (select count(*)::int from noted.endings e join analyzer.jobs j on j.id = e.delivery_id
             where j.org_id = ${orgId} and e.what = 'worked off') as worked_off,
           (select max(occurrences) from analyzer.noise where org_id = ${orgId}) as noise,
           (select count(*)::int from quota.reservations where org_id = ${orgId} and state = 'consumed') as slots,
           (select count(*)::int from webhooks.deliveries
             where org_id = ${orgId} and outcome = 'processed' and comment_url is not null) as deliveries
  `;
  const host = point.event ? github : gitlab;
  return { ...books, comments: host.texts(numberOf(point)).length };
}

describe("a crash of the analyzer while", () => {
  test.each(POINTS.map((point): [string, Point] => [point.when, point]))(
    "%s leaves one result, one comment and one slot",
    async (_, point) => {
      const tenant = tenants.get(point);
      if (!tenant) throw new Error("nothing was done for the point");
      expect(await booksOf(point, tenant)).toEqual({
        jobs: ["done"],
        worked_off: 1,
        noise: 1,
        slots: 1,
        comments: 1,
        deliveries: point.event ? 1 : 0,
      });
      expect(await tenant.usage()).toBe(point === POINTS[0] ? 2 : 1);
    },
  );

  test(
    "a slot whose job was never stored is released",
    async () => {
      const [point] = POINTS;
      const tenant = point && tenants.get(point);
      await fleet.admin`update quota.reservations set expires_at = now() where state = 'held'`;
      await until(async () => (await tenant?.usage()) === 1, WAIT_MS);
    },
    TEST_MS,
  );
});
