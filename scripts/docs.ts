import { OPENAPI_FILE, openApiText } from "../services/gateway/src/openapi/file.ts";
import { RIGHTS_FILE, rightsText } from "./bus/rights.ts";
import { CONTRACTS_FILE, contractsText } from "./docs/contracts.ts";

/** Writes everything that is generated from the code. */
await Bun.write(OPENAPI_FILE, openApiText());
await Bun.write(CONTRACTS_FILE, await contractsText());
await Bun.write(RIGHTS_FILE, await rightsText());
console.log("docs/openapi.json, docs/contracts.md and deploy/nats/rights.json are written");
