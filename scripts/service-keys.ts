/**
 * Prints each service's own keys, derived from the operator's `LEEWAY_MASTER_KEYS`: its master keys as
 * `GATEWAY_MASTER_KEYS=…` and its keys with the other services as `GATEWAY_BUS_KEYS=…`. `--keep-operator-keys` appends
 * the operator's keys to the master keys, for services whose secrets are still sealed with them.
 */
import { loadConfig, variable } from "@leeway/shared/platform/config";
import { busKeys } from "@leeway/shared/security/encryption/bus-keys";
import { parseKeyRing } from "@leeway/shared/security/encryption/keyring";
import { serviceKeys } from "@leeway/shared/security/encryption/service-keys";

import { SCHEMAS } from "./schemas.ts";

const VARIABLES = {
  LEEWAY_MASTER_KEYS: variable("The operator's master keys, the current one first", parseKeyRing),
};

const { LEEWAY_MASTER_KEYS: ring } = loadConfig(VARIABLES, process.env);
const behind = process.argv.includes("--keep-operator-keys") ? `,${process.env["LEEWAY_MASTER_KEYS"]}` : "";
const services = SCHEMAS.map(({ service }) => service);
for (const service of services) {
  console.log(`${service.toUpperCase()}_MASTER_KEYS=${serviceKeys(ring, service)}${behind}`);
  console.log(`${service.toUpperCase()}_BUS_KEYS=${busKeys(ring, service, services)}`);
}
