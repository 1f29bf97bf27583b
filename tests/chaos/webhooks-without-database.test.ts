import { afterAll, beforeAll, expect, test } from "bun:test";

import { planEvent } from "../../services/webhooks/test/kit.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { ANSWER_LIMIT_MS, BACK_LIMIT_MS, TEST_MS, WAIT_MS } from "./promised.ts";
import { openLink, type Link } from "./proxy.ts";
import { attempt } from "./sender.ts";
import { until } from "./until.ts";

let fleet: Fleet;
let link: Link;

beforeAll(async () => {
  fleet = await startFleet({
    services: ["gateway", "webhooks"],
    link: async (url, service) => {
      if (service !== "webhooks") return url;
      link = await openLink(url);
      return link.url;
    },
  });
}, TEST_MS);

afterAll(async () => {
  await fleet.stop();
  await link.close();
}, TEST_MS);

test.each(["black hole", "refusing"] as const)(
  "during a database fault (%s) known senders get Retry-After and others are refused, both in time",
  async (fault) => {
    const [known, unknown] = [await fleet.newReceiver(), await fleet.newReceiver()];
    expect(await attempt(known, planEvent())).toMatchObject({ status: 202 });
    await link.set(fault);
    const asked = [known, known, unknown].map((receiver) => attempt(receiver, planEvent()));
    const answers = await Promise.all([...asked, attempt({ ...known, secret: "whsec_wrong" }, planEvent())]);
    await link.set("open");
    const healedMs = await until(async () => {
      const both = await Promise.all([known, unknown].map((receiver) => attempt(receiver, planEvent())));
      return both.every(({ status }) => status === 202);
    }, WAIT_MS);
    const slowestMs = Math.max(...answers.map(({ ms }) => ms));
    figure(
      `database ${fault}: slowest answer ${Math.round(slowestMs)} ms, healed after ${Math.round(healedMs)} ms`,
    );
    expect(answers.map(({ status, retryAfter }) => [status, retryAfter])).toEqual([
      [503, "1"],
      [503, "1"],
      [401, null],
      [401, null],
    ]);
    expect(slowestMs).toBeLessThan(ANSWER_LIMIT_MS);
    expect(healedMs).toBeLessThan(BACK_LIMIT_MS);
  },
  TEST_MS,
);
