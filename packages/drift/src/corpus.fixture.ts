import { corpusFiles, corpusText } from "@leeway/clouds/corpus.fixture";

/** An attribute that differs between a state and a live read, from a table without knowledge of providers. */
export interface Difference {
  key: string;
  attribute: string;
  type: string;
  class: string;
}

/** All rows of the table. */
export const differences: Difference[] = corpusFiles("noise/state-live-diffs.tsv").flatMap((path) =>
  corpusText(path)
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [state, live, type = "", id, attribute = "", kind = ""] = line.split("\t");
      return { key: [state, live, type, id, attribute].join(" "), attribute, type, class: kind };
    }),
);

/** Classes of real differences. In the others both sides mean the same, or one wasn't read. */
const DRIFT: ReadonlySet<string> = new Set(["changed", "set", "unset"]);
/** Differences that the table wrongly counts as drift, with reasons. */
const NO_DRIFT: Readonly<Record<string, string>> = {
  "aws_cloudfront_distribution default_cache_behavior": "null and an empty list inside",
  "aws_cloudfront_distribution restrictions": "null and an empty list inside",
  "aws_launch_template block_device_mappings": "an attribute that the reader's older provider has not",
  "aws_launch_template network_interfaces": "null and an empty list, and an attribute of a newer provider",
  "aws_launch_template placement": "an attribute that the reader's older provider has not",
  "aws_cloudfront_distribution wait_for_deployment": "an argument in the state alone",
  "aws_db_instance delete_automated_backups": "an argument in the state alone",
  "aws_db_instance password": "no cloud returns it",
  "aws_iam_role force_detach_policies": "an argument in the state alone",
  "aws_iam_user force_destroy": "an argument in the state alone",
  "aws_kms_alias name_prefix": "an argument in the state alone",
  "aws_kms_key deletion_window_in_days": "an argument in the state alone",
  "aws_lambda_function filename": "an argument in the state alone",
  "aws_rds_cluster master_password": "no cloud returns it",
  "aws_route53_record allow_overwrite": "an argument in the state alone",
  "aws_sns_topic_subscription confirmation_timeout_in_minutes": "an argument in the state alone",
};

/** Reports whether a difference is drift. */
export const isDrift = (one: Difference): boolean =>
  DRIFT.has(one.class) && NO_DRIFT[`${one.type} ${one.attribute}`] === undefined;
