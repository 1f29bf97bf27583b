-- Only the loops that delete expired rows call these: a service of an earlier build logs errors until it is replaced.
drop function if exists inventory.keep_drift(integer);
drop function if exists inventory.forget_scans(integer);
