import { unavailable } from "@leeway/shared/values/errors";

import { ConnectorError, type Verification } from "../connector.ts";

type Check = Verification["checks"][number];

/**
 * Runs one check. A refusal is a result, and `permissions` are then listed as missing.
 * @throws {AppError} `unavailable` when the cloud doesn't answer or throttles
 */
export async function check(
  { name, permissions }: { name: string; permissions: readonly string[] },
  work: () => Promise<unknown>,
): Promise<Check> {
  try {
    await work();
    return { name, ok: true };
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const { code, message } = error.failure;
    if (code === "timeout" || code === "throttled") throw unavailable(message, error);
    const missing = code === "permission_denied" ? [...permissions] : [];
    return { name, ok: false, ...(missing.length > 0 && { missing }), message };
  }
}
