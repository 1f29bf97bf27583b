import { LOOKUP_EVENTS } from "./audit.ts";
import { LIST_OF_TYPE } from "./cloud-control.ts";
import { GET_RESOURCE } from "./enrich.ts";
import { GET_INDEX, GET_VIEW, LIST_INDEXED, LIST_INDEXES } from "./explorer.ts";
import { LIST_INDEXED_TYPES } from "./indexed-types.ts";
import { DESCRIBE_NETWORK_ACLS, DESCRIBE_ROUTE_TABLES } from "./network-tables.ts";
import { LIST_REGIONS } from "./regions.ts";
import { GET_TAGGED } from "./tagging.ts";
import { LIST_RECORDS } from "./zone-records.ts";

/**
 * Policy for Leeway's role, ready to paste. `sts:GetCallerIdentity` needs no permission. Cloud Control reads a type's
 * properties with the caller's own permissions. Therefore the role also needs AWS's policies SecurityAudit and
 * ViewOnlyAccess, which expose settings but no data.
 */
export const AWS_POLICY = {
  Version: "2012-10-17",
  Statement: [
    {
      Sid: "LeewayReadsTheInventory",
      Effect: "Allow",
      Action: [
        LIST_REGIONS,
        GET_RESOURCE,
        LIST_OF_TYPE,
        GET_INDEX,
        GET_VIEW,
        LIST_INDEXES,
        LIST_INDEXED,
        LIST_INDEXED_TYPES,
        GET_TAGGED,
        DESCRIBE_ROUTE_TABLES,
        DESCRIBE_NETWORK_ACLS,
        LIST_RECORDS,
        LOOKUP_EVENTS,
      ],
      Resource: "*",
    },
  ],
} as const;
