-- To whom alone an e-mail is still to be sent: those that the mail server put off when it took the others.
alter table webhooks.messages add column sealed_left bytea;
