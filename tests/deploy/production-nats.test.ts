import { expect, test } from "bun:test";

import type { PeerCertificate } from "node:tls";
import { checkServerIdentity } from "node:tls";

import { read } from "../docs/repository.ts";
import { at, yamlObjects } from "./kit.ts";

const OPERATIONS = await read("docs/operations.md");
const SERVERS = yamlObjects(await read("deploy/kubernetes/overlays/production/nats.yaml")).find(
  ({ kind }) => kind === "StatefulSet",
);
/** The addresses of all pods, without their ports. */
const NODES = Array.from(
  { length: Number(at(SERVERS, "spec", "replicas")) },
  (_, place) => `leeway-nats-${place}.${String(at(SERVERS, "spec", "serviceName"))}`,
);

test("each server is told the way to each by its name, in whatever order they start", () => {
  const args = at(SERVERS, "spec", "template", "spec", "containers", 0, "args");
  const routes = (Array.isArray(args) ? args : []).map(String).find((arg) => arg.startsWith("--routes="));
  expect(routes?.replace("--routes=", "").split(",")).toEqual(
    NODES.map((node) => `nats://route:$(NATS_ROUTE_PASSWORD)@${node}:6222`),
  );
});

test("services are told of each server, and take a certificate that has the names that it must have", () => {
  const told = /NATS_NODES="([^"]+)"/.exec(OPERATIONS)?.[1]?.split(" ");
  expect(told).toEqual(NODES.map((node) => `${node}:4222`));

  const chapter =
    /A secret `leeway-nats-tls`.*?, for (.*?), to serve and to call/s.exec(OPERATIONS)?.[1] ?? "";
  const names = [...chapter.matchAll(/`([^`]+)`/g)].map(([, name]) => `DNS:${name}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a certificate is looked at
  const certificate = { subject: {}, subjectaltname: names.join(", ") } as PeerCertificate;
  for (const node of NODES) expect(checkServerIdentity(node, certificate)).toBeUndefined();
});
