-- Only the loops that delete expired rows call these: a service of an earlier build logs errors until it is replaced.
drop function if exists identity.forget_expired();
drop function if exists identity.forget_entries(uuid, integer);
-- Gateways have called the other `sign_in` since before 0.1.0.
drop function if exists identity.sign_in(uuid, text, text, text, boolean, text);
