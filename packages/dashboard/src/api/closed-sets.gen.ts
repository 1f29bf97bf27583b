// Generated from packages/shared/src/contracts by `bun run docs`.

export const DECLARED_STATUSES = ["matched","missing","unobserved"] as const;

export const CHANGE_GROUPINGS = ["cause","type","module","account","person","person_hour","kind","risk","decision","region"] as const;

export const DECISIONS = ["open","acknowledged","ignored"] as const;

export const CHANGE_ORDERS = ["risk","-risk","first_seen_at","-first_seen_at"] as const;

export const DRIFT_KINDS = ["changed","missing","undeclared","pending"] as const;

export const ENRICHMENT_STATUSES = ["none","enriched","failed","n/a"] as const;

export const JOB_KINDS = ["analyze","plan_noise_fix","drift_narrative"] as const;

export const JOB_STATUSES = ["queued","running","done","error"] as const;

export const MATCH_STATUSES = ["matched","undeclared","excluded","unchecked"] as const;

export const NOISE_CLASSES = ["json_policy_normalization","set_order","tags_all_default_tags","external_tags","timestamp_value","computed_only","case_change","trailing_char","number_string_bool","default_materialized","autoscaler_owned","ami_or_image_latest","secret_rotation","inline_vs_standalone","equivalent_value","provider_upgrade_churn"] as const;

export const MOVEMENTS = ["new","worse","gone"] as const;

export const NOISE_FILTERS = ["exclude","only","include"] as const;

export const NOISE_STATUSES = ["active","muted","fixed"] as const;

export const NORMALIZED_TYPES = ["compute_instance","compute_group","container_cluster","container_service","serverless_function","object_storage","block_storage","file_storage","database","database_cluster","cache","data_warehouse","queue","topic","stream","search","network","subnet","route","gateway","load_balancer","firewall","dns_zone","dns_record","cdn","certificate","encryption_key","secret","iam_role","iam_user","iam_policy","service_account","container_registry","log_group","monitor","backup","project","other"] as const;

export const OUTCOMES = ["pending","processed","ignored","failed"] as const;

export const RISK_LEVELS = ["critical","high","medium","low","none"] as const;

export const SCAN_STATUSES = ["queued","running","succeeded","partial","failed","canceled"] as const;

export const SCAN_TRIGGERS = ["manual","schedule","api","webhook","push"] as const;

export const SOURCES = ["planner","vcs"] as const;
