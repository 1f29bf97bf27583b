import { CLI_DIR, PROGRAM } from "@leeway/cli/folder";
import { AppError } from "@leeway/shared/values/errors";
import { join } from "node:path";

import { createAsset, type Asset } from "../http/asset.ts";
import { endpoint, type Endpoint } from "../http/endpoint.ts";

const assets = new Map<string, Asset>();

/** Reads a file of the built command line once. @throws {AppError} `not_found` if it wasn't built */
async function assetOf(name: string, type: string, headers?: Record<string, string>): Promise<Asset> {
  const known = assets.get(name);
  if (known) return known;
  const file = Bun.file(join(CLI_DIR, name));
  if (!(await file.exists())) {
    throw new AppError("not_found", "this server was built without the command line (packages/cli/build.ts)");
  }
  const asset = createAsset(await file.bytes(), type, headers);
  assets.set(name, asset);
  return asset;
}

const shared = {
  method: "GET",
  tag: "Service",
  description: "",
  who: "public",
  hidden: true,
} as const;

// Downloaded only: as a script of ours, the dashboard's security policy would let pages run it.
const PROGRAM_TYPE = "application/octet-stream";

const getProgram = endpoint({
  ...shared,
  path: `/cli/${PROGRAM}`,
  operationId: "getCli",
  summary: "Get the command line of this server's version",
  success: { status: 200, description: "A program for Node.js or Bun", mediaType: PROGRAM_TYPE },
  async handle({ request }) {
    const headers = { "content-disposition": `attachment; filename="${PROGRAM}"` };
    return (await assetOf(PROGRAM, PROGRAM_TYPE, headers))(request);
  },
});

const getChecksum = endpoint({
  ...shared,
  path: `/cli/${PROGRAM}.sha256`,
  operationId: "getCliChecksum",
  summary: "Get the SHA-256 of the command line",
  success: { status: 200, description: "A line for `sha256sum -c`", mediaType: "text/plain" },
  async handle({ request }) {
    return (await assetOf(`${PROGRAM}.sha256`, "text/plain; charset=utf-8"))(request);
  },
});

export const cli: readonly Endpoint[] = [getProgram, getChecksum];
