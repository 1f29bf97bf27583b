import { OPENAPI_FILE, openApiText } from "../services/gateway/src/openapi/file.ts";
import { CONTRACTS_FILE, contractsText } from "./docs/contracts.ts";

/** Writes everything under docs/ that is generated from the code. */
await Bun.write(OPENAPI_FILE, openApiText());
await Bun.write(CONTRACTS_FILE, await contractsText());
console.log("docs/openapi.json and docs/contracts.md are written");
