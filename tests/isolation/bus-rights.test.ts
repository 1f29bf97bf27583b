import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { connectBus, type BusConnection } from "@leeway/shared/bus/connection";
import { serviceUrl } from "@leeway/shared/bus/service-user";
import { createLogger } from "@leeway/shared/telemetry/log";

import { RIGHTS_FILE, rightsOfAll, rightsText } from "../../scripts/bus/rights.ts";
import { SERVICES } from "../../scripts/bus/uses.ts";
import { loadContracts, ownerOf } from "../../scripts/docs/contracts.ts";
import { startNats, type Server } from "../chaos/servers.ts";

const RIGHTS = await rightsOfAll();
const USERS = Object.keys(RIGHTS);
const { requests, events, broadcasts } = await loadContracts();

/** Every subject that a contract or anybody's right names, an example where a right is for many. */
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
log.level = "silent"; // refusals are what these tests make

let server: Server;
let everybody: BusConnection;
const buses = new Map<string, BusConnection>();

beforeAll(async () => {
  server = await startNats(); // of its own: what is said here is no event
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

/** Of all subjects, those on which `listener` hears what `speaker` says. */
async function heard(
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

test("deploy/nats/rights.json is what the contracts and their uses say: else run `bun run docs`", async () => {
  expect(await Bun.file(RIGHTS_FILE).text()).toBe(await rightsText());
});

test("everybody who may do everything says and hears every subject", async () => {
  expect(await heard(everybody, everybody)).toEqual(SUBJECTS);
});

describe.each(USERS)("with the credentials of %s", (user) => {
  test("nothing is said but on the subjects of its rights", async () => {
    const may = SUBJECTS.filter((subject) => mayBy(allowed(user, "publish"), subject));
    expect(may.length).toBeLessThan(SUBJECTS.length);
    expect(await heard(busOf(user), everybody)).toEqual(may);
  });

  test("nothing is heard but on the subjects of its rights", async () => {
    const may = SUBJECTS.filter((subject) => mayBy(allowed(user, "subscribe"), subject));
    expect(may.length).toBeLessThan(SUBJECTS.length);
    expect(await heard(everybody, busOf(user))).toEqual(may);
  });

  test("not everything is heard by asking for everything", async () => {
    const bus = busOf(user);
    const refused = Promise.withResolvers<Error>();
    bus.nats.subscribe(">", { callback: (problem) => problem && refused.resolve(problem) });
    expect((await refused.promise).message).toContain("Permissions Violation");
  });
});

describe.each(SERVICES)("%s", (service) => {
  const own = (subject: string): boolean => ownerOf(subject) === service;

  test("answers for all that it owns, and for nobody else", () => {
    const answered = requests
      .map(({ contract }) => contract.subject)
      .filter((subject) => mayBy(allowed(service, "subscribe"), subject));
    expect(answered).toEqual(requests.map(({ contract }) => contract.subject).filter(own));
  });

  test("publishes and works off only its own events, and reads no stream of another's", () => {
    const others = events.filter(({ contract }) => !own(contract.subject));
    const rights = allowed(service, "publish");
    for (const { contract } of others) {
      expect(mayBy(rights, contract.subject)).toBe(false);
      expect(rights.filter((right) => right.split(".").includes(contract.stream))).toEqual([]);
    }
  });

  test("can't answer in another's name before it was asked", async () => {
    const other = SERVICES.find((name) => name !== service) ?? "";
    const subject = `_INBOX.leeway-${other}.${crypto.randomUUID()}.1`;
    expect(await heard(busOf(service), everybody, [subject])).toEqual([]);
  });
});

test.each([
  ["quota", "inventory.accounts.delete"],
  ["webhooks", "quota.llm_configs.get"],
  ["inventory", "webhooks.comments.put"],
  ["analyzer", "inventory.orgs.purge"],
  ["gateway", "analyzer.job.queued"],
  ["gateway", "$JS.API.STREAM.MSG.GET.BODIES"],
  ["inventory", "body.one.1"],
  ["operator", "$JS.API.STREAM.DELETE.DEAD_LETTERS"],
])("%s can't say %s", async (user, subject) => {
  expect(await heard(busOf(user), everybody, [subject])).toEqual([]);
});
