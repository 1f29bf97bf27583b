import { OPENAPI_FILE, openApiText } from "../services/gateway/src/openapi/file.ts";

/** Writes everything under docs/ that is generated from the code. */
await Bun.write(OPENAPI_FILE, openApiText());
console.log("docs/openapi.json is written");
