import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";

import { answer, serve } from "@leeway/shared/bus/answer";
import type { BusConnection } from "@leeway/shared/bus/connection";
import {
  GetPermission,
  PutComment,
  ReactToComment,
  ReplyToComment,
} from "@leeway/shared/contracts/webhooks/comments";
import { NoteDelivery } from "@leeway/shared/contracts/webhooks/deliveries";
import type { Database } from "@leeway/shared/database/database";
import { derivedId } from "@leeway/shared/values/derived-id";
import { invalidParameter } from "@leeway/shared/values/errors";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import {
  testBus,
  testDatabase,
  testLog,
  testStreams,
  type TestDatabase,
} from "@leeway/shared/testing/testing";

import { BUS_PARTS } from "../src/bus-parts.ts";
import { sealInput } from "../src/jobs/input.ts";
import { resultOf, standingOf, storeJobs } from "../src/jobs/store/jobs.ts";
import type { AnalyzeSubject, CommentSubject } from "../src/jobs/subject.ts";
import { SCHEMA } from "../src/schema.ts";
import { startAnalyzer } from "../src/start.ts";

const RING = parseKeyRing(`k1:${Buffer.alloc(32, 1).toString("base64")}`);
const URL = "https://gitlab.example.com/acme/infra/-/merge_requests/12#note_1";
const PAUSE_SECONDS = 600;
const REFUSED = { done: false as const, problem: "unavailable" as const, retry_after_seconds: PAUSE_SECONDS };

let db: TestDatabase;
let database: Database;
let bus: BusConnection;
let webhooks: BusConnection;
let analyzer: Awaited<ReturnType<typeof start>>;
/** Whether the code host rate-limits us. */
let isPaused = false;
/** Whether the fake service is an older build that doesn't know every request. */
let isOlder = false;
let orgId: string;
const asked: string[] = [];
const noted: object[] = [];

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  database = db.open(SCHEMA.service);
  await testStreams(BUS_PARTS);
  bus = await testBus("analyzer");
  webhooks = await testBus("webhooks");
  const endpoints = [
    answer(PutComment, () => respond("put", { outcome: "created" as const, url: URL })),
    answer(GetPermission, () => respond("permission", { may_write: true })),
    answer(ReactToComment, () => respond("react", {})),
    answer(ReplyToComment, () => respond("reply", { url: URL })),
    answer(NoteDelivery, ({ comment_url, reason }) => {
      noted.push({ comment_url, reason });
      return Promise.resolve({});
    }),
  ];
  serve(webhooks, { service: "webhooks", endpoints, log: testLog() });
  await webhooks.nats.flush(); // the server has the subscription
  analyzer = await start();
});
afterAll(async () => {
  await analyzer.drain();
  await Promise.all([bus.nats.close(), webhooks.nats.close()]);
  await db.drop();
});
beforeEach(() => {
  isPaused = true;
  isOlder = false;
  orgId = crypto.randomUUID();
  asked.length = 0;
  noted.length = 0;
});

function start() {
  const log = testLog();
  log.level = "silent";
  const settings = { ring: RING, publicBaseUrl: "http://127.0.0.1" };
  return startAnalyzer({ database, bus, log }, settings);
}

function respond<T extends object>(what: string, done: T) {
  asked.push(what);
  if (isOlder) return Promise.reject(invalidParameter("target.url", "is unknown"));
  return Promise.resolve(isPaused ? REFUSED : { done: true as const, ...done });
}

const AT = { repository: "acme/infra", change_request: { number: 12 } };

/** Analyzes a dangerous plan of a merge request. @returns the job, and the seconds until it ended */
async function analyzed(): Promise<{ id: string; seconds: number }> {
  const id = Bun.randomUUIDv7();
  const before = { identifier: "orders", engine: "postgres" };
  const change = { actions: ["delete"], before, after: null, after_unknown: {} };
  const resource = { address: "aws_db_instance.orders", mode: "managed", type: "aws_db_instance", change };
  const plan = { format_version: "1.2", resource_changes: [{ ...resource, name: "orders" }] };
  const subject: AnalyzeSubject = {
    kind: "analyze",
    ...AT,
    project: { name: "prod" },
    fail_on: "never",
    narrative: false,
    target: { source: "vcs", repository: AT.repository, number: 12 },
    delivery_id: id,
  };
  const input = sealInput(RING, orgId, id, JSON.stringify(plan));
  await storeJobs(database.org(orgId), [{ id, subject, input }]);
  const begun = performance.now();
  analyzer.dependencies.outbox.offer(orgId, [{ id }]);
  await over(id);
  return { id, seconds: (performance.now() - begun) / 1000 };
}

/** Submits a command from a comment. @returns its job */
async function command(): Promise<string> {
  const id = Bun.randomUUIDv7();
  const event: CommentSubject["event"] = {
    kind: "comment",
    ...AT,
    project_id: 1,
    from_fork: false,
    author: { id: 7, username: "ada" },
    comment: { id: 3 },
    command: { verb: "help" },
  };
  const subject: CommentSubject = { kind: "comment", config_id: crypto.randomUUID(), event };
  await storeJobs(database.org(orgId), [{ id, subject }]);
  analyzer.dependencies.outbox.offer(orgId, [{ id }]);
  return id;
}

async function over(id: string): Promise<string> {
  for (;;) {
    const { status } = (await standingOf(database.org(orgId), id)) ?? {};
    if (status === "done" || status === "error") return status;
    await Bun.sleep(10);
  }
}

/** Waits until the organization's unfinished job is postponed. Returns the delay in seconds. */
async function leftAlone(): Promise<number> {
  for (;;) {
    const [job] = await db.admin<{ seconds: number }[]>`
      select extract(epoch from offered_at - now())::float8 as seconds
        from analyzer.jobs
       where org_id = ${orgId} and status in ('queued', 'running') and offered_at > now() + interval '1 minute'
    `;
    if (job) return job.seconds;
    await Bun.sleep(10);
  }
}

/** Moves unfinished jobs into the past. */
async function passes(seconds: number): Promise<void> {
  await db.admin`
    update analyzer.jobs
       set offered_at = offered_at - make_interval(secs => ${seconds}),
           started_at = started_at - make_interval(secs => ${seconds})
     where org_id = ${orgId} and status in ('queued', 'running')
  `;
}

/** Offers a job again, as the sweep does. The stream would drop it as a duplicate, so it is marked as abandoned. */
async function takenUp(id: string, seconds: number): Promise<void> {
  await passes(seconds);
  await analyzer.dependencies.outbox.offerAgain({ orgId, id, abandoned: true });
}

/** Records the delays that the analyzer asks for, by job, instead of offering jobs later. */
function offeredLater(): Map<string, number> {
  const later = new Map<string, number>();
  analyzer.dependencies.outbox.offerLater = (_, id, seconds) => void later.set(id, seconds);
  return later;
}

test("work postponed by a code host's pause is scheduled for its end", async () => {
  const later = offeredLater();
  const { id } = await analyzed();
  expect(later.get(derivedId(id, "comment"))).toBe(PAUSE_SECONDS);
  const commandId = await command();
  await leftAlone();
  while (!later.has(commandId)) await Bun.sleep(5);
  expect(later.get(commandId)).toBe(PAUSE_SECONDS);
});

test("a comment refused for longer doesn't delay the result, and is posted later", async () => {
  const { id, seconds } = await analyzed();
  expect(seconds).toBeLessThan(PAUSE_SECONDS);
  const comment = async (): Promise<unknown> =>
    JSON.parse((await resultOf(database.org(orgId), id)) ?? "{}").comment;
  expect(await comment()).toEqual({ posted: false, error: "unavailable" });
  expect(await leftAlone()).toBeGreaterThan(PAUSE_SECONDS - 30);

  await analyzer.drain();
  analyzer = await start(); // offers the jobs that haven't begun
  isPaused = false;
  await Bun.sleep(1_500);
  expect(asked).toEqual(["put"]);

  await passes(2 * PAUSE_SECONDS);
  while (noted.length < 2) await Bun.sleep(10);
  expect(asked).toEqual(["put", "put"]);
  expect(await comment()).toEqual({ posted: true, url: URL });
  expect(noted).toEqual([{ reason: "comment: unavailable" }, { comment_url: URL }]);
});

test("a plan whose comment an older service refuses gets its result, and the comment later", async () => {
  isOlder = true;
  const { id } = await analyzed();
  expect(await standingOf(database.org(orgId), id)).toMatchObject({ status: "done" });
  await passes(PAUSE_SECONDS);
  await leftAlone(); // after one more attempt, before that service is upgraded
  isOlder = false;
  isPaused = false;
  await takenUp(derivedId(id, "comment"), 2 * PAUSE_SECONDS);
  while (noted.length < 2) await Bun.sleep(10);
  expect(noted.at(-1)).toEqual({ comment_url: URL });
});

test("a command given during a code host's pause is answered afterwards", async () => {
  const id = await command();
  expect(await leftAlone()).toBeGreaterThan(PAUSE_SECONDS - 30);
  expect(asked).toEqual(["permission"]);
  isPaused = false;
  await takenUp(id, 2 * PAUSE_SECONDS);
  expect(await over(id)).toBe("done");
  expect(asked).toEqual(["permission", "permission", "react", "reply"]);
});

test("a command that can't be answered for two hours fails", async () => {
  const id = await command();
  await leftAlone();
  await takenUp(id, 2 * 60 * 60);
  expect(await over(id)).toBe("error");
});
