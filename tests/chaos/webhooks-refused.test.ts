import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { planEvent, signed } from "../../services/webhooks/test/kit.ts";
import { figure } from "./figure.ts";
import { startFleet, type Fleet, type Receiver } from "./fleet.ts";
import { TEST_MS, WAIT_MS } from "./promised.ts";
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

/** Returns the raw answer, without the parts that differ each time. */
async function answerTo(path: string, headers: readonly string[]): Promise<string> {
  const { hostname, port, host } = new URL(fleet.baseUrl);
  const ended = Promise.withResolvers<string>();
  let answer = "";
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(_, chunk) {
        answer += chunk.toString();
        if (answer.endsWith("}")) ended.resolve(answer);
      },
      close: () => ended.resolve(answer),
    },
  });
  const head = [`POST ${path} HTTP/1.1`, `host: ${host}`, `content-length: ${BODY.length}`, ...headers];
  socket.write(`${head.join("\r\n")}\r\n\r\n${BODY}`);
  const whole = await ended.promise;
  socket.end();
  return whole.replaceAll(/^(x-request-id|date): .*$/gim, "$1: …");
}

const BODY = planEvent();

/** Requests by their fault, of which each has exactly one. */
const CAUSES: Readonly<Record<string, (own: Receiver) => Promise<[path: string, headers: string[]]>>> = {
  "no signature": async (own) => [pathOf(own), []],
  "an empty signature": async (own) => [pathOf(own), ["x-planner-signature:"]],
  "a signature of another body": async (own) => [pathOf(own), [signatureOf(own.secret, "{}")]],
  "a signature under another secret": async (own) => [pathOf(own), [signatureOf("whsec_0")]],
  "a signature that is none": async (own) => [pathOf(own), ["x-planner-signature: sha256=zz"]],
  "a wrong signature before a right one": async (own) => [
    pathOf(own),
    [
      "x-planner-signature: sha256=00",
      signatureOf(own.secret).replace("x-planner-signature", "x-hub-signature-256"),
    ],
  ],
  "a signature in the code host's header": async (own) => [pathOf(own), [`x-vcs-token: ${own.secret}`]],
  "a planner's secret at the code host's address": async (own) => [
    pathOf(own).replace("planner", "vcs"),
    [`x-vcs-token: ${own.secret}`],
  ],
  "no token": async (own) => [pathOf(own).replace("planner", "vcs"), []],
  "another organization's secret": async (own) => [
    pathOf(await fleet.newReceiver()),
    [signatureOf(own.secret)],
  ],
  "an organization without a config": async (own) => [
    `/webhooks/planner/${(await fleet.newOrg()).orgId}`,
    [signatureOf(own.secret)],
  ],
  "no such organization": async (own) => [
    `/webhooks/planner/${crypto.randomUUID()}`,
    [signatureOf(own.secret)],
  ],
  "an organization that is no uuid": async (own) => ["/webhooks/planner/acme", [signatureOf(own.secret)]],
  "a config that is switched off": async (own) => {
    await change(own, "PATCH", "", { enabled: false });
    return [pathOf(own), [signatureOf(own.secret)]];
  },
  "a config that is gone": async (own) => {
    await change(own, "DELETE", "");
    return [pathOf(own), [signatureOf(own.secret)]];
  },
  "a secret whose time is over": async (own) => {
    await change(own, "POST", "/rotate-secret", { overlap_hours: 0 });
    return [pathOf(own), [signatureOf(own.secret)]];
  },
  "a secret that doesn't open": async (own) => {
    await fleet.admin`
      update webhooks.secrets set sealed = set_byte(sealed, length(sealed) - 1, 255 - get_byte(sealed, length(sealed) - 1))
       where org_id = ${own.orgId}
    `;
    return [pathOf(own), [signatureOf(own.secret)]];
  },
};

const pathOf = ({ orgId }: Receiver): string => `/webhooks/planner/${orgId}`;
const signatureOf = (secret: string, body = BODY): string => `x-planner-signature: ${signed(secret, body)}`;

async function change(
  { orgId, configId, key }: Receiver,
  method: string,
  more: string,
  body?: object,
): Promise<void> {
  const path = `/api/v2/orgs/${orgId}/webhooks/${configId}${more}`;
  const { status } = await fleet.ask(method, path, { as: key, body });
  expect(status).toBeLessThan(300);
}

test(
  "every reason for a refusal gives the same response, byte for byte",
  async () => {
    const answers = new Map<string, string>();
    for (const [cause, prepare] of Object.entries(CAUSES)) {
      answers.set(cause, await answerTo(...(await prepare(await fleet.newReceiver()))));
    }
    const own = await fleet.newReceiver();
    await link.set("refusing");
    answers.set("a database that is away", await answerTo(pathOf(own), [signatureOf(own.secret)]));
    await link.set("open");
    await until(async () => (await attempt(own, planEvent())).status === 202, WAIT_MS);
    const [first = ""] = answers.values();
    figure(`${answers.size} causes, one answer: ${JSON.stringify(first)}`);
    expect(first).toStartWith("HTTP/1.1 401 Unauthorized\r\n");
    expect(first).toEndWith('\r\n\r\n{"error":"unauthorized","message":"invalid signature"}');
    expect(Object.fromEntries(answers)).toEqual(
      Object.fromEntries([...answers.keys()].map((cause) => [cause, first])),
    );
  },
  TEST_MS,
);

describe("a private address of a code host", () => {
  const contacts: string[] = [];
  const canaries = ["127.0.0.1", "::1"].map((hostname) =>
    Bun.listen({
      hostname,
      port: 0,
      socket: { open: () => void contacts.push(hostname), data: () => undefined },
    }),
  );
  const [four, six] = canaries.map(({ port }) => port);
  afterAll(() => canaries.forEach((canary) => canary.stop(true)));

  const ADDRESSES = [
    `https://127.0.0.1:${four}`,
    `http://127.0.0.1:${four}`,
    `https://127.0.0.2:${four}`,
    `https://127.1:${four}`,
    `https://0x7f.1:${four}`,
    `https://0177.0.0.1:${four}`,
    `https://017700000001:${four}`,
    `https://2130706433:${four}`,
    `https://①②⑦.⓪.⓪.①:${four}`,
    `https://0.0.0.0:${four}`,
    `https://0:${four}`,
    `https://localhost:${four}`,
    `https://localhost.:${four}`,
    `https://LOCALHOST:${four}`,
    `https://127.0.0.1.:${four}`,
    `https://[::1]:${six}`,
    `https://[::]:${six}`,
    `https://[::ffff:127.0.0.1]:${four}`,
    `https://[::ffff:7f00:1]:${four}`,
    `https://[0:0:0:0:0:ffff:7f00:0001]:${four}`,
    `https://[64:ff9b::7f00:1]:${four}`,
    `https://[64:ff9b::169.254.169.254]`,
    `https://[2002:7f00:1::]:${four}`,
    `https://user:password@127.0.0.1:${four}`,
    `https://gitlab.com@127.0.0.1:${four}`,
    `https://gitlab.com:443@127.0.0.1:${four}/`,
    `https://127.0.0.1:${four}/#@gitlab.com`,
    `https://127.0.0.1:${four}\\@gitlab.com`,
    `https://user:password@gitlab.com`,
    "https://10.0.0.7",
    "https://172.16.0.1",
    "https://192.168.1.1",
    "https://100.64.0.1",
    "https://169.254.169.254",
    "https://169.254.170.2",
    "https://[fe80::1]",
    "https://[fc00::1]",
    "https://[fd00:ec2::254]",
    "https://192.0.2.1",
    "https://198.18.0.1",
    "https://224.0.0.1",
    "https://255.255.255.255",
    "http://gitlab.com",
    "ftp://gitlab.com",
    "file:///etc/passwd",
    "gitlab.com",
  ];

  test(
    "is refused in any form without a connection",
    async () => {
      const { orgId, key } = await fleet.newOrg();
      const answers = await Promise.all(
        ADDRESSES.map(async (address) => {
          const body = { source: "vcs", api_token: "glpat-not-one", provider_base_url: address };
          const { status, body: said } = await fleet.ask("POST", `/api/v2/orgs/${orgId}/webhooks`, {
            as: key,
            body,
          });
          return [address, status, said.message];
        }),
      );
      figure(`${ADDRESSES.length} addresses refused, ${contacts.length} connections to loopback`);
      expect(answers).toEqual(
        ADDRESSES.map((address) => [address, 400, "provider_base_url must be public https"]),
      );
      expect(contacts).toEqual([]);
    },
    TEST_MS,
  );
});
