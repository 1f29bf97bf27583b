import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "bun:test";

import { NOTIFICATION_EVENTS } from "@leeway/shared/contracts/webhooks/channels";

import { makeSigningSecret, signatureHeaders } from "../../services/webhooks/src/notifications/signature.ts";
import { chapter, quoted, read } from "./repository.ts";

const DOCUMENT = await read("docs/notifications.md");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "leeway-signature-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the documented commands and returns whether they accept a message. */
async function verified({ age = 0, forged = false }: { age?: number; forged?: boolean }): Promise<boolean> {
  const [, script = ""] = /```sh\n([\s\S]*?)```/.exec(DOCUMENT) ?? [];
  const secret = makeSigningSecret();
  const body = '{"id":"evt_1","data":{"name":"Zoë"}}';
  const timestamp = Math.floor(Date.now() / 1000) - age;
  const headers = signatureHeaders(secret, { id: "evt_1", timestamp, body });
  await Bun.write(join(folder, "body.json"), forged ? `${body} ` : body);
  const child = Bun.spawn(["bash", "-c", script], {
    cwd: folder,
    env: {
      ...Bun.env,
      SECRET: secret,
      ID: "evt_1",
      TIMESTAMP: String(timestamp),
      SIGNATURE: headers["webhook-signature"],
    },
  });
  return (await child.exited) === 0;
}

test.skipIf(Bun.which("openssl") === null)(
  "the documented commands accept a valid message and refuse a forged or old one (needs openssl)",
  async () => {
    expect(await verified({})).toBe(true);
    expect(await verified({ forged: true })).toBe(false);
    expect(await verified({ age: 600 })).toBe(false);
  },
);

test("the document lists every event and no other", () => {
  const named = quoted(chapter(DOCUMENT, "Events")).filter((text) => /^[a-z_]+\.[a-z_]+$/.test(text));
  expect(named.toSorted()).toEqual([...NOTIFICATION_EVENTS].toSorted());
});
