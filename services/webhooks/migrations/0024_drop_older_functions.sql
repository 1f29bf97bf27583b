-- Only the loops that delete expired rows call these: a service of an earlier build logs errors until it is replaced.
drop function if exists webhooks.forget_senders();
drop function if exists webhooks.forget_mail_counts();
drop function if exists webhooks.forget_notifications(integer, integer, integer);
