-- Addresses that the latest plan of a merge or pull request changes, each with its actions. Null for plans of earlier versions.
alter table analyzer.hosted_reviews add column planned jsonb;
