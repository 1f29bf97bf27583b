import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { ensureStreams } from "@leeway/shared/bus/keep-streams";
import { serviceUrl } from "@leeway/shared/bus/service-user";
import { bodiesOf, DEAD_LETTERS, streamManager } from "@leeway/shared/bus/streams";
import { failureOf } from "@leeway/shared/testing/testing";
import { createLogger } from "@leeway/shared/platform/telemetry/log";

import { RIGHTS_FILE, rightsOfAll, rightsText } from "../../scripts/bus/rights.ts";
import { BUS_PARTS } from "../../scripts/bus-parts.ts";
import { loadContracts, ownerOf } from "../../scripts/docs/contracts.ts";
import { startNats, type Server } from "../chaos/servers.ts";

const RIGHTS = await rightsOfAll();
const USERS = Object.keys(RIGHTS);
const SERVICES = USERS.filter((user) => user !== "operator");
const { requests, events, broadcasts } = await loadContracts();

/** Every subject of a contract or a permission. Wildcards have an example. */
const SUBJECTS = [
  ...new Set([
    ...[...requests, ...events, ...broadcasts].map(({ contract }) => contract.subject),
    ...USERS.flatMap((user) => [
      ...allowed(user, "publish").map(exampleOf),
      ...allowed(user, "subscribe").map(exampleOf),
      `dead.${user.toUpperCase()}.worker`,
    ]),
  ]),
].toSorted();

const log = createLogger("test", "error");
log.level = "silent"; // these tests cause refusals

let server: Server;
let everybody: BusConnection;
const buses = new Map<string, BusConnection>();

beforeAll(async () => {
  server = await startNats(); // its own server, because these messages aren't valid events
  everybody = await connectBus({ url: server.url, name: "onlooker", log });
  for (const user of USERS) {
    buses.set(user, await connectBus({ url: serviceUrl(server.url, user), name: `leeway-${user}`, log }));
  }
});

afterAll(async () => {
  await Promise.all([everybody, ...buses.values()].map((bus) => bus.nats.close()));
  await server.remove();
});

function allowed(user: string, verb: "publish" | "subscribe"): string[] {
  return RIGHTS[user]?.[verb].allow ?? [];
}

function exampleOf(right: string): string {
  return right.replaceAll("*", "one").replace(/>$/, "one.1.1");
}

function mayBy(rights: readonly string[], subject: string): boolean {
  return rights.some((right) => {
    const pattern = right.replaceAll(/[.$]/g, "\\$&").replaceAll("*", "[^.]+").replace(/>$/, ".+");
    return new RegExp(`^${pattern}$`).test(subject);
  });
}

function busOf(user: string): BusConnection {
  const bus = buses.get(user);
  if (!bus) throw new Error(`nobody is ${user}`);
  return bus;
}

/** Returns the subjects on which `listener` receives messages of `speaker`. */
async function subjectsReceived(
  speaker: BusConnection,
  listener: BusConnection,
  subjects = SUBJECTS,
): Promise<string[]> {
  const mark = crypto.randomUUID();
  const found = new Set<string>();
  const subscriptions = subjects.map((subject) =>
    listener.nats.subscribe(subject, {
      callback: (problem, message) => {
        if (problem === null && message.string() === mark) found.add(message.subject);
      },
    }),
  );
  await listener.nats.flush();
  for (const subject of subjects) speaker.nats.publish(subject, mark);
  await speaker.nats.flush();
  await listener.nats.flush();
  for (const subscription of subscriptions) subscription.unsubscribe();
  return [...found].toSorted();
}

test("deploy/nats/rights.json is up to date with the contracts (run `bun run docs`)", async () => {
  expect(await Bun.file(RIGHTS_FILE).text()).toBe(await rightsText());
});

test("a user with all permissions can publish and receive every subject", async () => {
  expect(await subjectsReceived(everybody, everybody)).toEqual(SUBJECTS);
});

describe.each(USERS)("with the credentials of %s", (user) => {
  test("only its permitted subjects can be published", async () => {
    const may = SUBJECTS.filter((subject) => mayBy(allowed(user, "publish"), subject));
    expect(may.length).toBeLessThan(SUBJECTS.length);
    expect(await subjectsReceived(busOf(user), everybody)).toEqual(may);
  });

  test("only its permitted subjects can be received", async () => {
    const may = SUBJECTS.filter((subject) => mayBy(allowed(user, "subscribe"), subject));
    expect(may.length).toBeLessThan(SUBJECTS.length);
    expect(await subjectsReceived(everybody, busOf(user))).toEqual(may);
  });

  test("subscribing to everything is refused", async () => {
    const bus = busOf(user);
    const refused = Promise.withResolvers<Error>();
    bus.nats.subscribe(">", { callback: (problem) => problem && refused.resolve(problem) });
    expect((await refused.promise).message).toContain("Permissions Violation");
  });
});

describe.each(SERVICES)("%s", (service) => {
  const own = (subject: string): boolean => ownerOf(subject) === service;

  test("answers all its own requests and no others", () => {
    const answered = requests
      .map(({ contract }) => contract.subject)
      .filter((subject) => mayBy(allowed(service, "subscribe"), subject));
    expect(answered).toEqual(requests.map(({ contract }) => contract.subject).filter(own));
  });

  test("sends requests only under its own name", () => {
    const asked = requests.flatMap(({ contract: { subject } }) =>
      USERS.map((user) => `${subject}.${user}`).filter((one) => mayBy(allowed(service, "publish"), one)),
    );
    expect(asked.filter((subject) => !subject.endsWith(`.${service}`))).toEqual([]);
  });

  test("publishes only its own events and those it may offer again, and reads no other stream", () => {
    const mayOffer = new Set(DURABLES.filter((one) => one.service === service).map(({ event }) => event));
    const others = events.filter(({ contract }) => !own(contract.subject) && !mayOffer.has(contract));
    const rights = allowed(service, "publish");
    for (const { contract } of others) {
      expect(mayBy(rights, contract.subject)).toBe(false);
      expect(rights.filter((right) => right.split(".").includes(contract.stream))).toEqual([]);
    }
  });

  test("can't answer another service's request in advance", async () => {
    const other = SERVICES.find((name) => name !== service) ?? "";
    const subject = `_INBOX.leeway-${other}.${crypto.randomUUID()}.1`;
    expect(await subjectsReceived(busOf(service), everybody, [subject])).toEqual([]);
  });
});

test.each([
  ["quota", "inventory.accounts.delete"],
  ["webhooks", "quota.llm_configs.get"],
  ["inventory", "webhooks.comments.put"],
  ["analyzer", "inventory.orgs.purge"],
  ["gateway", "analyzer.job.queued"],
  ["gateway", "$JS.API.STREAM.MSG.GET.BODIES_INVENTORY"],
  ["gateway", "$JS.API.DIRECT.GET.BODIES_INVENTORY.body.inventory.one.1"],
  ["inventory", "body.analyzer.one.1"],
  ["operator", "$JS.API.STREAM.DELETE.DEAD_LETTERS"],
  ["analyzer", "inventory.accounts.get.gateway"],
  ["gateway", "inventory.accounts.get"],
])("%s can't publish %s", async (user, subject) => {
  expect(await subjectsReceived(busOf(user), everybody, [subject])).toEqual([]);
});

/** Declared for services of version 0.1.0. */
const ASKED_BEFORE = ["quota.slots.consume.analyzer"];

const asksNot = (subject: string): boolean =>
  !mayBy(allowed(subject.split(".").at(-1) ?? "", "publish"), subject);

test("the declared callers of a request are the services that send it", () => {
  const declared = requests.flatMap(({ contract: { subject, callers } }) =>
    callers.map((caller) => `${subject}.${caller}`),
  );
  expect(declared.filter(asksNot)).toEqual(ASKED_BEFORE);
});

const STREAMS = [
  ...new Set(
    BUS_PARTS.flatMap(({ service, durables, takesBodies }) => [
      ...durables.map(({ event }) => event.stream),
      ...(takesBodies ? [bodiesOf(service)] : []),
    ]),
  ),
  DEAD_LETTERS,
];
const DURABLES = BUS_PARTS.flatMap(({ service, durables }) =>
  durables.map((durable) => ({ service, ...durable })),
);

/** Stream settings that would let a service read or write the messages of others. */
const TAMPERING = {
  "accepts all subjects": { subjects: [">"] },
  "republishes its messages": { republish: { src: ">", dest: "quota.plans.set" } },
  "reads another stream": { sources: [{ name: "DELIVERIES" }] },
  "is a copy of another stream": { mirror: { name: "DELIVERIES" } },
  "renames subjects": { subject_transform: { src: ">", dest: "quota.plans.set" } },
};

/** Whether NATS refuses to take `subject` from `user`. */
async function isRefused(user: string, subject: string, payload: object = {}): Promise<boolean> {
  const asked = busOf(user).nats.request(subject, JSON.stringify(payload), { timeout: 1_000, noMux: true });
  const failure = await failureOf(asked);
  return String(failure).includes("Permissions Violation for Publish");
}

/** The subjects, of those that are asked with `payload`, that NATS takes from `user`. */
async function taken(user: string, subjects: readonly string[], payload?: object): Promise<string[]> {
  const found: string[] = [];
  for (const subject of subjects) if (!(await isRefused(user, subject, payload))) found.push(subject);
  return found;
}

describe("streams and consumers created by migrations", () => {
  let operator: BusConnection;
  const configs = async (): Promise<unknown[]> => {
    const { streams } = await streamManager(operator);
    return Promise.all(STREAMS.map(async (stream) => (await streams.info(stream)).config));
  };
  let before: unknown[];

  beforeAll(async () => {
    operator = busOf("operator");
    await ensureStreams(operator, BUS_PARTS);
    before = await configs();
  });
  afterAll(async () => expect(await configs()).toEqual(before));

  describe.each(SERVICES)("can't be changed by %s", (service) => {
    test.each(Object.entries(TAMPERING))("into a stream that %s", async (_, change) => {
      for (const stream of [...STREAMS, "ANOTHER"]) {
        const subjects = ["CREATE", "UPDATE"].map((verb) => `$JS.API.STREAM.${verb}.${stream}`);
        expect(await taken(service, subjects, { name: stream, storage: "file", ...change })).toEqual([]);
      }
    });

    test("or deleted, purged, copied or listed", async () => {
      const verbs = [
        "DELETE",
        "PURGE",
        "MSG.DELETE",
        "SNAPSHOT",
        "RESTORE",
        "LEADER.STEPDOWN",
        "PEER.REMOVE",
      ];
      const subjects = STREAMS.flatMap((stream) => verbs.map((verb) => `$JS.API.STREAM.${verb}.${stream}`));
      const lists = ["STREAM.NAMES", "STREAM.LIST", ...STREAMS.map((stream) => `CONSUMER.LIST.${stream}`)];
      expect(await taken(service, [...subjects, ...lists.map((list) => `$JS.API.${list}`)])).toEqual([]);
    });

    test("or given a consumer that sends their events elsewhere", async () => {
      for (const stream of STREAMS) {
        const config = { deliver_subject: "quota.plans.set", ack_policy: "none" };
        const subjects = [
          stream,
          `${stream}.one`,
          ...DURABLES.map(({ event, durable }) => `${stream}.${durable}.${event.subject}`),
        ].map((rest) => `$JS.API.CONSUMER.CREATE.${rest}`);
        subjects.push(`$JS.API.CONSUMER.DURABLE.CREATE.${stream}.one`);
        expect(await taken(service, subjects, { stream_name: stream, config })).toEqual([]);
      }
    });

    test("or read, consumed or deleted through other services' consumers", async () => {
      const others = DURABLES.filter((durable) => durable.service !== service);
      const subjects = others.flatMap(({ event: { stream }, durable }) => [
        `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
        `$JS.ACK.${stream}.${durable}.1.1.1.1.0`,
        `dead.${stream}.${durable}`,
        ...["GET", "DELETE"].map((verb) => `$JS.API.STREAM.MSG.${verb}.${stream}`),
      ]);
      const deletes = DURABLES.map(
        ({ event, durable }) => `$JS.API.CONSUMER.DELETE.${event.stream}.${durable}`,
      );
      expect(await taken(service, [...subjects, ...deletes])).toEqual([]);
    });

    test("or used to read others' bodies, or to write bodies it doesn't send", async () => {
      const own = BUS_PARTS.find((parts) => parts.service === service);
      const owners = BUS_PARTS.filter((parts) => parts.takesBodies && parts.service !== service);
      const subjects = owners.flatMap((owner) => [
        `$JS.API.DIRECT.GET.${bodiesOf(owner.service)}`,
        `$JS.API.DIRECT.GET.${bodiesOf(owner.service)}.body.${owner.service}.one.0`,
        `$JS.API.STREAM.MSG.GET.${bodiesOf(owner.service)}`,
        ...(own?.sendsBodiesTo?.includes(owner.service) ? [] : [`body.${owner.service}.one.0`]),
      ]);
      expect(await taken(service, subjects)).toEqual([]);
    });
  });
});
