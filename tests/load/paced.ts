/**
 * Sends requests at an even pace, whether or not the previous answer has arrived, from a process of its own. Prints
 * all response times in milliseconds. `bun tests/load/paced.ts <Pace as JSON>`
 */
import { customerOf, listingOf, planEvent, signed } from "./customer.ts";

/** Requests of a client and their interval. */
export type Pace = {
  baseUrl: string;
  org: { id: string; key: string };
  seconds: number;
  everyMs: number;
} & (
  | { kind: "lists" }
  | { kind: "webhooks"; path: string; secret: string }
  /** Small listings, one account after another. */
  | { kind: "pushes"; accounts: readonly { id: string; number: string }[] }
);

const PUSHED = 100;

if (import.meta.main) {
  const pace: Pace = JSON.parse(Bun.argv[2] ?? "{}");
  console.log(JSON.stringify(await timesAt(pace)));
}

async function timesAt(pace: Pace): Promise<number[]> {
  const ask = askerOf(pace);
  await ask(0); // its connection
  const asked: Promise<number>[] = [];
  for (let turn = 1; turn <= (pace.seconds * 1_000) / pace.everyMs; turn += 1) {
    asked.push(ask(turn));
    await Bun.sleep(pace.everyMs);
  }
  return Promise.all(asked);
}

/** Returns a function that sends one request and returns its response time in milliseconds. */
function askerOf(pace: Pace): (turn: number) => Promise<number> {
  const { baseUrl, org } = pace;
  if (pace.kind === "lists") {
    const headers = { authorization: `Bearer ${org.key}` };
    return () => timed(`${baseUrl}/api/v2/orgs/${org.id}/resources?limit=100`, { headers });
  }
  if (pace.kind === "webhooks") {
    return () => {
      const body = planEvent();
      const headers = {
        "content-type": "application/json",
        "x-planner-signature": signed(body, pace.secret),
      };
      return timed(baseUrl + pace.path, { method: "POST", headers, body });
    };
  }
  const customer = customerOf(baseUrl, org);
  return async (turn) => {
    const account = pace.accounts[turn % pace.accounts.length];
    const started = performance.now();
    if (account) await customer.startPush(account.id, listingOf(PUSHED, account.number));
    return performance.now() - started;
  };
}

async function timed(url: string, sent: RequestInit): Promise<number> {
  const started = performance.now();
  const answer = await fetch(url, sent);
  await answer.bytes();
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return performance.now() - started;
}
