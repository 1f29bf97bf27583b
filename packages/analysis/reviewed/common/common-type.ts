import type { JsonObject } from "@leeway/shared/values/json";

/** A common resource type in a harmless and an exposed form, as a plan creates it and as the cloud lists it. */
export interface CommonType {
  type: string;
  /** Attributes in a plan that creates a harmless resource. */
  harmless: JsonObject;
  /** Reason why even a harmless one is medium: it is a firewall rule or grants access. */
  medium?: "firewall" | "access";
  /** Exposed form; absent if the type has no public or privileged form. */
  exposed?: { after: JsonObject; level: "high" | "critical"; why: string };
  live: Listed | PartOf | Unlisted;
}

/** Properties as the inventory stores them. */
export interface Listed {
  /**
   * Type and properties by cloud.
   * - AWS: `configuration` of an AWS Config item, with `supplementaryConfiguration` beside it
   * - Google: `resource.data` of a Cloud Asset Inventory row, with its `iamPolicy` beside it
   * - Azure: `properties` of a Resource Graph row
   */
  provider_type: string;
  harmless: JsonObject;
  exposed?: JsonObject;
  /** Forms exposed by a part that Terraform declares separately, keyed by the part's type. */
  exposed_by?: Readonly<Record<string, JsonObject>>;
}

/** A resource that the cloud lists only inside its parent. The parent's row has its live form in `exposed_by`. */
export interface PartOf {
  part_of: string;
}

/** A resource that neither AWS Config nor the parent's row contains. */
export interface Unlisted {
  unlisted: string;
}
