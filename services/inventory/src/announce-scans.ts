import { broadcast } from "@leeway/shared/bus/broadcast";
import type { BusConnection } from "@leeway/shared/bus/connection";
import { changeText, OrganizationChanged } from "@leeway/shared/contracts/gateway/changes";

/** Announces that a scan of an organization has started or ended, or entered another phase. */
export function announceScans(bus: BusConnection, orgId: string): void {
  broadcast(bus, OrganizationChanged, changeText({ orgId, topic: "scans" }));
}
