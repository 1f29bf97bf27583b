import { busUrls, connectBus, parseBusUrl, type BusConnection } from "@leeway/shared/bus/connection";
import { variable } from "@leeway/shared/platform/config";
import { createLogger } from "@leeway/shared/platform/telemetry/log";

import { within } from "./within.ts";

const CONNECT_MS = 10_000;

/** Variables of programs that work on NATS as its user `operator`. */
export const OPERATOR_VARIABLES = {
  NATS_URL: variable("NATS, as its user `operator`", parseBusUrl),
};

/** Connects as the operator. @throws {Error} that names the server when it refuses, or doesn't answer within ten seconds */
export async function connectOperator(url: string): Promise<BusConnection> {
  const hosts = busUrls(url).map(({ host }) => host);
  const server = `NATS at ${hosts.join(", ")}`;
  const log = createLogger("operator", "error");
  const connecting = connectBus({ url, name: "leeway-operator", log }).catch((error: Error) => {
    throw new Error(`${server} refuses the connection: ${error.message}`, { cause: error });
  });
  return within(CONNECT_MS, connecting, `${server} can't be reached`);
}
