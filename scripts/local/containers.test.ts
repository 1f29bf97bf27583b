import { expect, test } from "bun:test";

import { succeeds } from "./command.ts";
import { startContainers } from "./containers.ts";
import { NATS_IMAGE, POSTGRES_IMAGE } from "./images.ts";
import { natsAnswers } from "./nats.ts";
import { answers } from "./postgres.ts";

const images = [POSTGRES_IMAGE, NATS_IMAGE];
const isPresent = (image: string): Promise<boolean> => succeeds(["docker", "image", "inspect", image]);
const canTry = (await Promise.all(images.map(isPresent))).every(Boolean);

test.skipIf(!canTry)(
  "PostgreSQL and NATS run in containers that are removed at the end (needs a Docker engine with both images)",
  async () => {
    const { databaseUrl, natsUrl, description, stop } = await startContainers(console.error);
    const deadline = performance.now() + 1000;
    const isOver = (): boolean => performance.now() > deadline;
    expect(description).toBe(`containers of ${POSTGRES_IMAGE} and ${NATS_IMAGE} (a Docker engine answers)`);
    expect([await natsAnswers(natsUrl), await answers(databaseUrl, isOver)]).toEqual([true, true]);
    await stop();
    expect(await natsAnswers(natsUrl)).toBe(false);
  },
  120_000,
);

test("without a Docker engine starting containers fails with the reason", async () => {
  const host = process.env["DOCKER_HOST"];
  process.env["DOCKER_HOST"] = "unix:///nowhere";
  const containers = startContainers(console.error);
  expect(containers).rejects.toThrow("no Docker engine answers");
  if (host === undefined) delete process.env["DOCKER_HOST"];
  else process.env["DOCKER_HOST"] = host;
});
