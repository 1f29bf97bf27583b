-- Only present changes are listed by risk. In the months of gone ones this index looked to the planner as good as the one by change.
drop index inventory.drift_changes_worst;
create index drift_changes_worst on inventory.drift_changes (org_id, inventory.risk_rank(risk_level), id) where gone_at = 'infinity';
