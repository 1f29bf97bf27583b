import { ID, LATER } from "./common.ts";

/** Examples of views for the documentation. A test checks each against its schema. */
export const NEW_VIEW = {
  name: "Production databases",
  page: "drift",
  filter: {
    resource_type: ["aws_db_instance", "aws_rds_cluster"],
    tag: "env=production",
    min_risk: "medium",
  },
  shared: true,
};

export const VIEW = {
  id: "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7f11",
  ...NEW_VIEW,
  owner: { type: "person", id: ID.person },
  created_at: LATER,
  updated_at: LATER,
};
