import type { StartedTestContainer } from "testcontainers";

import { newPassword } from "./password.ts";
import { succeeds } from "./command.ts";
import { NATS_IMAGE, POSTGRES_IMAGE } from "./images.ts";
import { natsAnswers, natsConfig, natsUrl } from "./nats.ts";
import { answers, THROW_AWAY } from "./postgres.ts";
import type { Infrastructure } from "./running.ts";
import { FIRST_WORKER, WORKERS } from "./workers.ts";

const START_DEADLINE_MS = 60_000;

/**
 * Starts PostgreSQL and NATS in containers of `LEEWAY_TEST_POSTGRES_IMAGE` and `LEEWAY_TEST_NATS_IMAGE`.
 * @throws {Error} with the reason why containers can't run here
 */
export async function startContainers(say: (line: string) => void): Promise<Infrastructure> {
  if (!(await succeeds(["docker", "info"], { timeoutMs: 2000 }))) throw new Error("no Docker engine answers");
  const postgresImage = process.env["LEEWAY_TEST_POSTGRES_IMAGE"] || POSTGRES_IMAGE;
  const natsImage = process.env["LEEWAY_TEST_NATS_IMAGE"] || NATS_IMAGE;
  for (const image of [postgresImage, natsImage]) await havePulled(image, say);

  await using undo = new AsyncDisposableStack();
  const postgres = await startPostgresContainer(postgresImage, undo);
  const nats = await startNatsContainer(natsImage, undo);
  const owned = undo.move();
  return {
    databaseUrl: postgres,
    natsUrl: nats,
    description: `containers of ${postgresImage} and ${natsImage} (a Docker engine answers)`,
    stop: () => owned.disposeAsync(),
  };
}

async function havePulled(image: string, say: (line: string) => void): Promise<void> {
  if (await succeeds(["docker", "image", "inspect", image])) return;
  say(`Pulling ${image}`);
  if (await succeeds(["docker", "pull", "-q", image], { timeoutMs: 180_000 })) return;
  throw new Error(`a Docker engine answers, but has no image ${image} and can't pull it`);
}

async function startPostgresContainer(image: string, undo: AsyncDisposableStack): Promise<string> {
  const { GenericContainer, Wait } = await loadTestcontainers();
  const password = newPassword();
  const settings = { ...THROW_AWAY, max_connections: "200", timezone: "UTC" };
  const container = await new GenericContainer(image)
    .withEnvironment({
      POSTGRES_PASSWORD: password,
      POSTGRES_INITDB_ARGS: "--encoding=UTF8 --locale=C",
    })
    .withCommand([
      "postgres",
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ])
    .withExposedPorts(5432)
    .withWaitStrategy(Wait.forLogMessage("ready to accept connections"))
    .start();
  undo.defer(() => end(container));
  const url = `postgres://postgres:${password}@${container.getHost()}:${container.getMappedPort(5432)}/postgres`;
  await inTime("PostgreSQL", (isOver) => answers(url, isOver));
  return url;
}

async function startNatsContainer(image: string, undo: AsyncDisposableStack): Promise<string> {
  const { GenericContainer, Wait } = await loadTestcontainers();
  const password = newPassword();
  const target = "/etc/nats/leeway.conf";
  const content = natsConfig({ listen: "0.0.0.0:4222", store: "/tmp/jetstream", password, users: WORKERS });
  const container = await new GenericContainer(image)
    .withCopyContentToContainer([{ content, target }])
    .withCommand(["-c", target])
    .withExposedPorts(4222)
    .withWaitStrategy(Wait.forLogMessage("Server is ready"))
    .start();
  undo.defer(() => end(container));
  const url = natsUrl(FIRST_WORKER, password, `${container.getHost()}:${container.getMappedPort(4222)}`);
  await inTime("NATS", async (isOver) => {
    while (!isOver()) if (await natsAnswers(url)) return true;
    return false;
  });
  return url;
}

/** Loads the library without its reaper, which needs one more image. Our caller always ends the containers. */
async function loadTestcontainers() {
  process.env["TESTCONTAINERS_RYUK_DISABLED"] ??= "true";
  return import("testcontainers");
}

async function end(container: StartedTestContainer): Promise<void> {
  await container.stop({ timeout: 0, remove: true, removeVolumes: true });
}

async function inTime(name: string, wait: (isOver: () => boolean) => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + START_DEADLINE_MS;
  if (!(await wait(() => performance.now() > deadline)))
    throw new Error(`${name}'s container does not answer`);
}
