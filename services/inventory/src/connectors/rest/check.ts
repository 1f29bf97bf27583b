import { unavailable } from "@leeway/shared/errors";

import { ConnectorError, type Verification } from "../connector.ts";

type Check = Verification["checks"][number];

/**
 * Tries what credentials are needed for; a refusal is a result, and `permissions` are what is then missing.
 * @throws {AppError} `unavailable` when the cloud doesn't answer, or puts off
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
