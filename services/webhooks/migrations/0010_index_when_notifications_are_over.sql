-- What is to be forgotten was looked for among all that there is: with a million notifications no statement ended in time,
-- and nothing was forgotten again.
create index notifications_published on webhooks.notifications (published_at);
create index messages_over on webhooks.messages (created_at) where status <> 'pending';
create index told_when on webhooks.told (told_at);
