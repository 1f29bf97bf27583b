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
import { derivedId } from "@leeway/shared/derived-id";
import { invalidParameter } from "@leeway/shared/errors";
import { parseKeyRing } from "@leeway/shared/encryption/keyring";
import { testBus, testDatabase, testLog, type TestDatabase } from "@leeway/shared/testing";

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
/** Whether the code host wants to be left alone. */
let isPaused = false;
/** Whether the service is of a build that doesn't know all that it is asked. */
let isOlder = false;
let orgId: string;
const asked: string[] = [];
const noted: object[] = [];

beforeAll(async () => {
  db = await testDatabase([SCHEMA]);
  database = db.open(SCHEMA.service);
  bus = await testBus("analyzer");
  webhooks = await testBus("webhooks");
  const endpoints = [
    answer(PutComment, () => told("put", { outcome: "created" as const, url: URL })),
    answer(GetPermission, () => told("permission", { may_write: true })),
    answer(ReactToComment, () => told("react", {})),
    answer(ReplyToComment, () => told("reply", { url: URL })),
    answer(NoteDelivery, ({ comment_url, reason }) => {
      noted.push({ comment_url, reason });
      return Promise.resolve({});
    }),
  ];
  serve(webhooks, { service: "webhooks", endpoints, log: testLog() });
  await webhooks.nats.flush(); // the server knows of it
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
  const settings = { ring: RING, replicas: 1, publicBaseUrl: "http://127.0.0.1" };
  return startAnalyzer({ database, bus, log }, settings);
}

function told<T extends object>(what: string, done: T) {
  asked.push(what);
  if (isOlder) return Promise.reject(invalidParameter("target.url", "is unknown"));
  return Promise.resolve(isPaused ? REFUSED : { done: true as const, ...done });
}

const AT = { repository: "acme/infra", change_request: { number: 12 } };

/** Has a dangerous plan of a merge request analysed. @returns the job, and when it was over */
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
    warnings: [],
    target: { source: "vcs", repository: AT.repository, number: 12 },
    delivery_id: id,
  };
  const input = sealInput(RING, orgId, id, JSON.stringify(plan));
  await storeJobs(database.org(orgId), [{ id, subject, input }]);
  const begun = performance.now();
  analyzer.dependencies.outbox.offer(orgId, id);
  await over(id);
  return { id, seconds: (performance.now() - begun) / 1000 };
}

/** Gives a command of a comment. @returns its job */
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
  analyzer.dependencies.outbox.offer(orgId, id);
  return id;
}

async function over(id: string): Promise<string> {
  for (;;) {
    const { status } = (await standingOf(database.org(orgId), id)) ?? {};
    if (status === "done" || status === "error") return status;
    await Bun.sleep(10);
  }
}

/** For how many seconds the organization's job that isn't over is left alone. */
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

/** Lets time pass for what isn't over. */
async function passes(seconds: number): Promise<void> {
  await db.admin`
    update analyzer.jobs
       set offered_at = offered_at - make_interval(secs => ${seconds}),
           started_at = started_at - make_interval(secs => ${seconds})
     where org_id = ${orgId} and status in ('queued', 'running')
  `;
}

/** What the sweep does then: of what was just offered the stream still knows the id. */
async function takenUp(id: string, seconds: number): Promise<void> {
  await passes(seconds);
  await analyzer.dependencies.outbox.offerAgain({ orgId, id, abandoned: true });
}

/** For how long the analyzer is to leave jobs alone before it offers them, by the job. */
function offeredLater(): Map<string, number> {
  const later = new Map<string, number>();
  analyzer.dependencies.outbox.offerLater = (_, id, seconds) => void later.set(id, seconds);
  return later;
}

test("what a code host has left alone comes as soon as that is over", async () => {
  const later = offeredLater();
  const { id } = await analyzed();
  expect(later.get(derivedId(id, "comment"))).toBe(PAUSE_SECONDS);
  const commandId = await command();
  await leftAlone();
  while (!later.has(commandId)) await Bun.sleep(5);
  expect(later.get(commandId)).toBe(PAUSE_SECONDS);
});

test("a comment that the code host refuses for longer doesn't delay the result, and is posted once it may be", async () => {
  const { id, seconds } = await analyzed();
  expect(seconds).toBeLessThan(PAUSE_SECONDS);
  const comment = async (): Promise<unknown> =>
    JSON.parse((await resultOf(database.org(orgId), id)) ?? "{}").comment;
  expect(await comment()).toEqual({ posted: false, error: "unavailable" });
  expect(await leftAlone()).toBeGreaterThan(PAUSE_SECONDS - 30);

  await analyzer.drain();
  analyzer = await start(); // offers what nobody has begun
  isPaused = false;
  await Bun.sleep(1_500);
  expect(asked).toEqual(["put"]);

  await passes(2 * PAUSE_SECONDS);
  while (noted.length < 2) await Bun.sleep(10);
  expect(asked).toEqual(["put", "put"]);
  expect(await comment()).toEqual({ posted: true, url: URL });
  expect(noted).toEqual([{ reason: "comment: unavailable" }, { comment_url: URL }]);
});

test("a plan whose comment a service of an older build doesn't take has its result, and its comment later", async () => {
  isOlder = true;
  const { id } = await analyzed();
  expect(await standingOf(database.org(orgId), id)).toMatchObject({ status: "done" });
  await passes(PAUSE_SECONDS);
  await leftAlone(); // by one more try, before that service is of a newer build
  isOlder = false;
  isPaused = false;
  await takenUp(derivedId(id, "comment"), 2 * PAUSE_SECONDS);
  while (noted.length < 2) await Bun.sleep(10);
  expect(noted.at(-1)).toEqual({ comment_url: URL });
});

test("a command that is given while the code host wants to be left alone is answered afterwards", async () => {
  const id = await command();
  expect(await leftAlone()).toBeGreaterThan(PAUSE_SECONDS - 30);
  expect(asked).toEqual(["permission"]);
  isPaused = false;
  await takenUp(id, 2 * PAUSE_SECONDS);
  expect(await over(id)).toBe("done");
  expect(asked).toEqual(["permission", "permission", "react", "reply"]);
});

test("a command that can't be answered for two hours has failed", async () => {
  const id = await command();
  await leftAlone();
  await takenUp(id, 2 * 60 * 60);
  expect(await over(id)).toBe("error");
});
