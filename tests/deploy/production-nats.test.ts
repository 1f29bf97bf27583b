import { expect, test } from "bun:test";

import type { PeerCertificate } from "node:tls";
import { checkServerIdentity } from "node:tls";

import { read } from "../docs/repository.ts";
import { at, yamlObjects } from "./kit.ts";

const OPERATIONS = await read("docs/operations.md");
const SERVERS = yamlObjects(await read("deploy/kubernetes/overlays/production/nats.yaml")).find(
  ({ kind }) => kind === "StatefulSet",
);
/** Host names of all pods, without ports. */
const NODES = Array.from(
  { length: Number(at(SERVERS, "spec", "replicas")) },
  (_, place) => `leeway-nats-${place}.${String(at(SERVERS, "spec", "serviceName"))}`,
);

test("each server has the routes to all servers by name, in any start order", () => {
  const args = at(SERVERS, "spec", "template", "spec", "containers", 0, "args");
  const routes = (Array.isArray(args) ? args : []).map(String).find((arg) => arg.startsWith("--routes="));
  expect(routes?.replace("--routes=", "").split(",")).toEqual(
    NODES.map((node) => `nats://route:$(NATS_ROUTE_PASSWORD)@${node}:6222`),
  );
});

test("services know each server, and the documented certificate covers all of them", () => {
  const documented = /NATS_NODES="([^"]+)"/.exec(OPERATIONS)?.[1]?.split(" ");
  expect(documented).toEqual(NODES.map((node) => `${node}:4222`));

  const chapter =
    /secret `leeway-nats-tls`.*?, with the names (.*?)\. Services reject/s.exec(OPERATIONS)?.[1] ?? "";
  const names = [...chapter.matchAll(/`([^`]+)`/g)].map(([, name]) => `DNS:${name}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of a certificate is looked at
  const certificate = { subject: {}, subjectaltname: names.join(", ") } as PeerCertificate;
  for (const node of NODES) expect(checkServerIdentity(node, certificate)).toBeUndefined();
});
