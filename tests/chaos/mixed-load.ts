import { planEvent, signed } from "../../services/webhooks/test/kit.ts";
import type { Fleet, Receiver } from "./fleet.ts";
import { ANSWER_LIMIT_MS } from "./promised.ts";

/** Requests of every kind, spread over every gateway in rotation. */
export interface MixedLoad {
  /** Takes a gateway out of rotation, as a load balancer does. Returns a function that puts it back. */
  leaveOut(gateway: string): () => void;
  /** Stops once every request in flight is answered. */
  stop(): Promise<Outcome>;
}

interface Outcome {
  /** Number of expected answers, by kind of request. */
  answered: Record<string, number>;
  /** Requests with an unexpected answer or none. */
  failed: string[];
  /** Durations of expected answers to lists. */
  listMs: number[];
  /** Bodies of events, by the delivery id of their 202. */
  deliveries: Map<string, string>;
  jobs: string[];
  scans: string[];
}

interface Request {
  kind: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  status: number;
}

/** Leaves processor time for the services that restart. */
const PAUSE_MS = 200;
const LISTED = Array.from({ length: 200 }, (_, index) =>
  JSON.stringify({
    provider_resource_id: `thing-${index}`,
    provider_type: "example.thing",
    name: `Thing ${index}`,
  }),
).join("\n");

/** Sends lists, events, plans and pushes until it is stopped, each kind one request at a time. */
export function mixedLoad({ gateways }: Fleet, { orgId, key, secret }: Receiver): MixedLoad {
  const out = new Set<string>();
  const outcome: Outcome = {
    answered: {},
    failed: [],
    listMs: [],
    deliveries: new Map(),
    jobs: [],
    scans: [],
  };
  const state = { stopped: false, turn: 0 };
  const base = `/api/v2/orgs/${orgId}`;
  const asKey = { authorization: `Bearer ${key}`, "content-type": "application/json" };

  function gateway(): string {
    const inside = gateways.filter((one) => !out.has(one));
    state.turn += 1;
    return inside[state.turn % inside.length] ?? "";
  }

  /** Returns the answer as JSON, or undefined if the request failed. */
  async function ask({ kind, path, status, headers = asKey, ...init }: Request): Promise<Answer | undefined> {
    const asked = performance.now();
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const [got, text] = await fetch(gateway() + path, { ...init, headers, keepalive: false, signal }).then(
      async (response) => [response.status, await response.text()] as const,
      (error: unknown) => [0, String(error)] as const,
    );
    if (got === status) {
      outcome.answered[kind] = (outcome.answered[kind] ?? 0) + 1;
      if (kind === "list") outcome.listMs.push(performance.now() - asked);
      return JSON.parse(text);
    }
    outcome.failed.push(`${kind}: ${got} ${text.slice(0, 200)}`);
    return undefined;
  }

  async function event(): Promise<void> {
    const body = planEvent();
    const headers = { "content-type": "application/json", "x-planner-signature": signed(secret, body) };
    const path = `/webhooks/planner/${orgId}`;
    const answer = await ask({ kind: "webhook", method: "POST", path, headers, body, status: 202 });
    if (answer) outcome.deliveries.set(body, answer["delivery_id"] ?? "");
  }

  async function plan(): Promise<void> {
    const body = JSON.stringify({ plan: JSON.parse(planEvent()).plan, narrative: false });
    const taken = await ask({ kind: "analyze", method: "POST", path: `${base}/analyze`, body, status: 202 });
    if (!taken) return;
    const path = `${base}/llm-jobs/${taken["job_id"]}?wait=25`;
    await ask({ kind: "wait for a job", method: "GET", path, status: 200 });
    outcome.jobs.push(taken["job_id"] ?? "");
  }

  async function push(): Promise<void> {
    const account = JSON.stringify({ provider: "example", external_id: crypto.randomUUID() });
    const path = `${base}/cloud-accounts`;
    const made = await ask({ kind: "account", method: "POST", path, body: account, status: 201 });
    if (!made) return;
    const listing = `${path}/${made["id"]}/listing`;
    const scan = await ask({ kind: "push", method: "PUT", path: listing, body: LISTED, status: 202 });
    if (scan) outcome.scans.push(scan["id"] ?? "");
  }

  const list = (): Promise<unknown> =>
    ask({ kind: "list", method: "GET", path: `${base}/resources?limit=100`, status: 200 });
  const again = async (work: () => Promise<unknown>): Promise<void> => {
    while (!state.stopped) {
      await work();
      await Bun.sleep(PAUSE_MS);
    }
  };
  const working = Promise.all([list, event, plan, push].map(again));
  return {
    leaveOut(one) {
      out.add(one);
      return () => void out.delete(one);
    },
    async stop() {
      state.stopped = true;
      await working;
      return outcome;
    },
  };
}

type Answer = Record<string, string>;
