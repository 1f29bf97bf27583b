import { OPENAPI_FILE, openApiText } from "../services/gateway/src/openapi/file.ts";
import { RIGHTS_FILE, rightsText } from "./bus/rights.ts";
import { CLIENT_TYPES_FILE, clientTypes } from "./docs/client-types.ts";
import { CONTRACTS_FILE, contractsText } from "./docs/contracts.ts";

/** Writes everything that is generated from the code. */
const openApi = openApiText();
await Bun.write(OPENAPI_FILE, openApi);
await Bun.write(CLIENT_TYPES_FILE, clientTypes(JSON.parse(openApi)));
await Bun.write(CONTRACTS_FILE, await contractsText());
await Bun.write(RIGHTS_FILE, await rightsText());
console.log(
  "docs/openapi.json, docs/contracts.md, deploy/nats/rights.json and the dashboard's types are written",
);
