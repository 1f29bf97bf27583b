import { publish } from "@leeway/shared/bus/publish";
import { ScanRequested } from "@leeway/shared/contracts/inventory/scans";
import type { Platform } from "@leeway/shared/service";

/** Offers a scan to whoever is free to read its cloud; what the bus misses, the sweeper offers again. Never fails. */
export async function offerScan(
  { bus, log }: Pick<Platform, "bus" | "log">,
  orgId: string,
  scanId: string,
): Promise<void> {
  if (!bus.connected) return;
  const id = crypto.randomUUID(); // a scan may be offered again within the stream's window for repeats
  await publish(bus, ScanRequested, { org_id: orgId, scan_id: scanId }, id).catch((error: unknown) => {
    log.warn({ error }, "a scan wasn't taken; it will be swept up");
  });
}
