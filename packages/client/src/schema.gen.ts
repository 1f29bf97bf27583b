// Generated from docs/openapi.json by `bun run docs`.

export interface paths {
    "/api/v2/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your organizations
         * @description Lists the caller's organizations, with the role in each. A key has one.
         *
         *     Any caller.
         */
        get: operations["listOrganizations"];
        put?: never;
        /**
         * Create an organization
         * @description Creates an organization with the caller as owner. Requires a person's token, not an API key. Only a person's first organizations get the free plan's narratives, three unless the operator changed the limit.
         *
         *     Any caller. Not with an API key.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an organization
         * @description Returns the organization, with the caller's role.
         *
         *     Any member.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        /**
         * Delete an organization
         * @description Deletes the organization. It is hidden and its keys stop working immediately; its data is deleted soon after. This can't be undone.
         *
         *     Owners only.
         */
        delete: operations["deleteOrganization"];
        options?: never;
        head?: never;
        /**
         * Rename an organization
         * @description Changes the organization's name.
         *
         *     Role admin or above.
         */
        patch: operations["updateOrganization"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what changes
         * @description Server-sent events: `ready` at once, then `changed` with the `topics` (`scans`, `drift`, `plans`, `settings`) whose answers may have changed, at most one event a second. `new_changes` is the number of drift changes that are new or have new values. `reload` means that changes were missed, so everything may have changed. A client that reconnects to the same gateway with `Last-Event-ID` gets what it missed. Lines starting with a colon keep the connection alive. Each gateway allows 10 streams per caller, 200 per organization and 2,000 in total. The stream ends within ten seconds when the caller loses access or signs out.
         *
         *     Any member.
         */
        get: operations["followOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Lists members and open invitations, oldest first.
         *
         *     Any member.
         */
        get: operations["listMembers"];
        put?: never;
        /**
         * Invite a member
         * @description The first person who signs in with this address, verified by the identity provider, becomes the member. If that person is already a member, the role is unchanged and the invitation ends. Only owners can invite owners.
         *
         *     Role admin or above. Not with an API key.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/members/{member_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a member
         * @description Returns a member or an open invitation.
         *
         *     Any member.
         */
        get: operations["getMember"];
        put?: never;
        post?: never;
        /**
         * Remove a member
         * @description Ends a membership or an invitation. Only owners can remove owners. The last owner can't be removed.
         *
         *     Role admin or above. Not with an API key.
         */
        delete: operations["deleteMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Only owners can make someone an owner or change an owner's role. The last owner can't be changed.
         *
         *     Role admin or above. Not with an API key.
         */
        patch: operations["updateMember"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/members/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Leave the organization
         * @description Ends the caller's own membership, whatever the role. The last owner can't leave.
         *
         *     Any member. Not with an API key.
         */
        delete: operations["leaveOrganization"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Lists the organization's keys without secrets, oldest first.
         *
         *     Any member.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The response contains the key, which is shown only once and stored as a hash.
         *
         *     Role admin or above. Not with an API key.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an API key
         * @description Returns a key without its secret.
         *
         *     Any member.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description Deletes the key. It is rejected everywhere within one second.
         *
         *     Role admin or above. Not with an API key.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/api-keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Creates a new secret, shown only once. The previous secret stays valid for `overlap_hours`; one left by an earlier rotation ends now. Expired keys can't be rotated.
         *
         *     Role admin or above. Not with an API key.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/ci-identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List CI identities
         * @description Lists the CI jobs that may call for the organization, oldest first.
         *
         *     Any member.
         */
        get: operations["listCiIdentities"];
        put?: never;
        /**
         * Add a CI identity
         * @description Allows CI jobs with these claims to call for their own repository without a key; see `exchangeCiToken`. `*` matches any characters, including `/`. GitLab's merge request pipelines match no `ref`.
         *
         *     Role admin or above. Not with an API key.
         */
        post: operations["createCiIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/ci-identities/{identity_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a CI identity
         * @description Deletes the identity and its tokens. They are rejected everywhere within one second.
         *
         *     Role admin or above. Not with an API key.
         */
        delete: operations["deleteCiIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/auth/ci": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange a CI job's id token
         * @description Exchanges an id token of a GitLab CI or GitHub Actions job for a token that works like an API key for 15 minutes, for the job's own repository. The id token needs this server's address as audience and can be exchanged once. The organization is found by the claims of its CI identities; if several match, `org_id` is required.
         */
        post: operations["exchangeCiToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/auth/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the identity provider of the command line
         * @description Returns the provider and client with which `leeway login` starts the device flow.
         */
        get: operations["getDeviceSignIn"];
        put?: never;
        /**
         * Sign in with the command line
         * @description Exchanges an id token from the device flow for a key that acts as the member for 30 days, in one organization. Each id token works once. The key has the member's current role, at most `role`, and ends with the membership. It is listed with the API keys.
         */
        post: operations["signInDevice"];
        /**
         * Sign out with the command line
         * @description Deletes the key of `leeway login` that the request carries.
         *
         *     Any caller.
         */
        delete: operations["signOutDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit log entries
         * @description Lists changes, newest first. Entries are kept for 400 days. A change in another service appears within one second. Entries form a hash chain: each `hash` covers the entry and the previous `hash`.
         *
         *     Role admin or above.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/audit-log/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify the audit log
         * @description Checks the chain from the oldest entry to the newest, and reports where it breaks. Keep `sequence` and `hash` elsewhere: if that entry has a different hash later, the chain was rewritten.
         *
         *     Role admin or above.
         */
        get: operations["verifyAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/audit-log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log
         * @description Returns entries as NDJSON, oldest first, at most 100,000 per response. Continue with `after`, the `sequence` of the last line. `scripts/audit-log.ts` verifies the file.
         *
         *     Role admin or above.
         */
        get: operations["exportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/cloud-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List cloud accounts
         * @description Lists the accounts, projects and subscriptions in the organization's inventory.
         *
         *     Any member.
         */
        get: operations["listCloudAccounts"];
        put?: never;
        /**
         * Add a cloud account
         * @description The pair of `provider` and `external_id` is unique: for an account that exists, 409 `conflict` returns its `id`. `external_id` must have its cloud's format. Listings of accounts without credentials are pushed.
         *
         *     Role admin or above.
         */
        post: operations["createCloudAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/cloud-accounts/{account_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a cloud account
         * @description Returns the account, with only the kind of its credentials.
         *
         *     Any member.
         */
        get: operations["getCloudAccount"];
        put?: never;
        post?: never;
        /**
         * Delete a cloud account
         * @description Deletes the account with its resources, scans and snapshots.
         *
         *     Role admin or above.
         */
        delete: operations["deleteCloudAccount"];
        options?: never;
        head?: never;
        /**
         * Change a cloud account
         * @description Changes only the given fields. New `credentials` replace the previous ones, and the account is `unverified` until they are checked; null removes them.
         *
         *     Role admin or above.
         */
        patch: operations["updateCloudAccount"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/cloud-accounts/{account_id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a cloud account
         * @description Tries the credentials with one cheap call for everything that scans and enrichments need. Reports which checks pass and which permissions are missing, and sets the account's `status` to `ok` or `failing`. If the cloud doesn't answer, the response is 503 and the status is unchanged.
         *
         *     Role admin or above.
         */
        post: operations["verifyCloudAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/cloud-accounts/{account_id}/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an access policy for a cloud account
         * @description Returns the least access Leeway needs in the account's cloud: documents to paste, the same steps as commands for the cloud's CLI, and the credentials to save in the account afterwards.
         *
         *     Any member.
         */
        get: operations["getCloudAccountPolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/cloud-accounts/{account_id}/listing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Push a listing
         * @description Replaces the account's resources with a listing; resources missing from the listing are removed. The format is detected. The limit is 256 MiB, both as sent and as inflated. If more than a tenth of the rows that name an account name others, the listing is rejected with 400 `account_mismatch`. `accounts` lists the other accounts, most rows first, and `own_resources` counts the rows `allow_foreign` would accept. `allow_foreign` doesn't help if no row names this account and most name others. If the scan is canceled or the account is deleted during the push, the response is 409 `conflict` and nothing changes.
         *
         *     Role admin or above.
         */
        put: operations["pushListing"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/iac-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List IaC sources
         * @description Lists the states that declare the organization's resources.
         *
         *     Any member.
         */
        get: operations["listIacSources"];
        put?: never;
        /**
         * Add an IaC source
         * @description The name is unique: for a name that exists, 409 `conflict` returns the `id` of its source. Without a `backend`, the state is pushed. With one, Leeway reads the state now and every five minutes. `s3`, `gcs` and `azurerm` are read with the credentials of `cloud_account_id`; `http` (including GitLab's) and `remote` (HCP Terraform) with their own.
         *
         *     Role admin or above.
         */
        post: operations["createIacSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/iac-sources/{source_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an IaC source
         * @description Returns the source, with counts of its declared resources.
         *
         *     Any member.
         */
        get: operations["getIacSource"];
        put?: never;
        post?: never;
        /**
         * Delete an IaC source
         * @description Deletes the source. Its resources count as undeclared afterwards.
         *
         *     Role admin or above.
         */
        delete: operations["deleteIacSource"];
        options?: never;
        head?: never;
        /**
         * Change an IaC source
         * @description Changes only the given fields. A `backend` must be complete, including its secret. The current state is kept until another is read.
         *
         *     Role admin or above.
         */
        patch: operations["updateIacSource"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/iac-sources/{source_id}/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Push a state
         * @description Replaces the source's declared resources with a state, and matches all affected accounts before the response. Pushing the same serial with the same content changes nothing. The limit is 256 MiB, both as sent and as inflated.
         *
         *     Role admin or above.
         */
        put: operations["pushState"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/iac-sources/{source_id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a state now
         * @description Reads the state from the source's backend, and matches all affected accounts before the response. If that fails, `last_error` has the reason and the previous state is kept.
         *
         *     Role admin or above.
         */
        post: operations["readState"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/iac-resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List declared resources
         * @description Lists the resources that states declare, with their matches. `match.reason` `account_not_connected` means that the resource's own identifiers name `match.account`, which isn't connected. Such a resource is unobserved, never missing.
         *
         *     Any member.
         */
        get: operations["listIacResources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/iac-resources/{resource_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a declared resource
         * @description Returns the declared resource, with the keys used to find it.
         *
         *     Any member.
         */
        get: operations["getIacResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scans
         * @description Lists scans and pushed listings, newest first.
         *
         *     Any member.
         */
        get: operations["listScans"];
        put?: never;
        /**
         * Start a scan
         * @description Scans an account with its credentials. Without `account_id`, scans every account with credentials; `also_started` lists the other scans. The kind `drift` only compares accounts that were scanned before, and needs no credentials. Resources that can't be read are kept, and the scan ends as `partial`. `regions` limits the scan to some regions.
         *
         *     Role admin or above.
         */
        post: operations["createScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/scans/{scan_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a scan
         * @description Returns the scan. Each count appears when its phase is done.
         *
         *     Any member.
         */
        get: operations["getScan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/scans/{scan_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a scan
         * @description Server-sent events: `scan` with the current scan, at once and about a second after each change, then `end` with the final scan. Lines starting with a colon keep the connection alive. A client that reconnects gets the current scan; with `Last-Event-ID: end` it gets 204, because nothing follows. Each gateway allows 50 streams per organization and 500 in total, and no organization may open more than are still free. The stream ends when the caller loses access.
         *
         *     Any member.
         */
        get: operations["followScan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/scans/{scan_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a scan
         * @description Cancels a queued or running scan and discards what it found. A scan in the phase `drift` can't be canceled, because its inventory is already stored.
         *
         *     Role admin or above.
         */
        post: operations["cancelScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/scan-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scan schedules
         * @description Lists the schedules of automatic scans, oldest first.
         *
         *     Any member.
         */
        get: operations["listScanSchedules"];
        put?: never;
        /**
         * Create a scan schedule
         * @description Scans an account with credentials at the times of `cron` in `timezone`, at most once an hour and up to five minutes late. The delay is the same each time. Runs outside the window wait until it opens; several waiting runs become one scan.
         *
         *     Role admin or above.
         */
        post: operations["createScanSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/scan-schedules/{schedule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a scan schedule
         * @description Returns the schedule, its next run, and why Leeway disabled it if so.
         *
         *     Any member.
         */
        get: operations["getScanSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a scan schedule
         * @description Deletes the schedule. A running scan continues.
         *
         *     Role admin or above.
         */
        delete: operations["deleteScanSchedule"];
        options?: never;
        head?: never;
        /**
         * Change a scan schedule
         * @description Changes only the given fields. `window: null` allows any time. `enabled: true` requires credentials in the account and resets the failures that disabled the schedule.
         *
         *     Role admin or above.
         */
        patch: operations["updateScanSchedule"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List live resources
         * @description Lists live resources with their matches. When a search covers very many resources, a page can have fewer rows than requested, or none, although more pages follow.
         *
         *     Any member.
         */
        get: operations["listResources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/resource-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count resources by a value
         * @description Counts the resources that `GET /resources` lists with the same filters by account, category, type, region, module, match or properties. Always one page.
         *
         *     Any member.
         */
        get: operations["groupResources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/resources/{resource_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a live resource
         * @description Finds a resource by Leeway's id or the percent-encoded provider id. Returns its redacted properties, the keys used to find its declaration, and which of its attributes are compared.
         *
         *     Any member.
         */
        get: operations["getResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/resources/{resource_id}/enrich": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enrich a live resource
         * @description Fetches the resource's properties from its cloud and stores them redacted; `redactions` are JSON pointers to the removed values. A resource that is `enriched` or `n/a` is returned as it is. If the cloud refuses this resource, the response is 422 with the reason and the resource is marked `failed`. Other failures are 500 and mark nothing.
         *
         *     Role admin or above.
         */
        post: operations["enrichResource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/adoptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adopt resources
         * @description Turns undeclared resources into code: `import` blocks, and resource blocks with the arguments that differ from the provider's defaults. Give `resource_ids`, or a `filter` that selects at most 500 undeclared resources. Ids of resources in the same answer, and in the code of `source_id`, become references. Secrets become variables. Nothing is stored.
         *
         *     Role member or above.
         */
        post: operations["createAdoption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List resource types
         * @description Lists the types that the organization declares or has live, by name, with the number of attributes that are compared with the cloud.
         *
         *     Any member.
         */
        get: operations["listTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/posture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the posture
         * @description Returns one row per cloud account, lowest coverage first. `coverage_pct` and `risk_level` are absent until the account has a drift snapshot. Undeclared resources count in `undeclared_risk_level`, never in `risk_level`. Always one page.
         *
         *     Any member.
         */
        get: operations["getPosture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/posture/trend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the trend of the posture
         * @description Returns each account's last snapshot of each day (UTC), by account and oldest first. Days without a snapshot have no point. Always one page.
         *
         *     Any member.
         */
        get: operations["getPostureTrend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drift snapshots
         * @description Lists drift computations, newest first. Pending ones have no `coverage_pct` or `risk_level`.
         *
         *     Any member.
         */
        get: operations["listDriftSnapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-snapshots/{snapshot_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a drift snapshot
         * @description Returns one drift computation. A pending one has no `coverage_pct`, `coverage_reliable`, `risk_level` or `risk_counts`. A failed one has `status` `error`, and its coverage isn't meaningful.
         *
         *     Any member.
         */
        get: operations["getDriftSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/exclusion-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exclusion rules
         * @description Lists rules that exclude live resources from the counts, with the number of excluded resources. Always one page.
         *
         *     Any member.
         */
        get: operations["listExclusionRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/exclusion-rules/{rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Enable or disable an exclusion rule
         * @description The counts are updated before the response.
         *
         *     Role admin or above.
         */
        patch: operations["updateExclusionRule"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drift changes
         * @description Lists current differences between accounts and their code, highest risk first: changed attributes, missing resources and undeclared resources.
         *
         *     Any member.
         */
        get: operations["listDriftChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-change-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Group drift changes
         * @description Groups the changes that `GET /drift-changes` lists with the same filters: by cause, resource type, module, account, or the person who made them. Always one page.
         *
         *     Any member.
         */
        get: operations["groupDriftChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-movement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare drift with an earlier time
         * @description Counts the changes that are new, worse or gone since a time, by account, risk level, resource type and person. `GET /drift-changes?since=` lists them.
         *
         *     Any member.
         */
        get: operations["getDriftMovement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-changes/{fingerprint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a drift change
         * @description Returns a change that an account has or had, with its earlier values and the source that declares the resource. A change that is gone has the status `resolved`.
         *
         *     Any member.
         */
        get: operations["getDriftChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Decide about a change
         * @description `ignored` removes a change from the risk, optionally until a time. `acknowledged` keeps it in the risk. `open` reverts either decision. A change reopens when its value changes. Ignoring, reopening, or acknowledging an ignored change requires the role admin.
         *
         *     Role member or above.
         */
        patch: operations["decideDriftChange"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-snapshots/{snapshot_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a snapshot's changes
         * @description Lists the changes in a snapshot, highest risk first, with their current decisions. Only ready snapshots have changes.
         *
         *     Any member.
         */
        get: operations["listSnapshotChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-snapshots/{snapshot_id}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two snapshots
         * @description Returns the changes that only the snapshot or only `base` contains. Both must belong to the same account.
         *
         *     Any member.
         */
        get: operations["diffDriftSnapshots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-changes/{fingerprint}/declaration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find where a change is declared
         * @description Returns the file and the lines of the block that declares the resource, with a link to them at the code host. The code is read from the source's `repository`. Without a single such block, `refused` says why.
         *
         *     Any member.
         */
        get: operations["findDriftChangeDeclaration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-changes/{fingerprint}/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plans that change the same resource
         * @description Lists the merge and pull requests whose latest plan changes the resource, newest first, at most 20. The plan's project and repository must be those of the resource's source.
         *
         *     Any member.
         */
        get: operations["listPlansOfDriftChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-changes/{fingerprint}/settlement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a requested settlement
         * @description Returns how a change is settled in its source's merge or pull request, with that request. Empty if the change isn't in one.
         *
         *     Any member.
         */
        get: operations["getSettlement"];
        put?: never;
        /**
         * Settle a change in code
         * @description Returns how to end a change in the code of its source: a patch that says what is live, the commands that revert it, or a patch that forgets a missing resource. The code is read from the source's `repository`. For an undeclared resource, it is the code that imports it. A place that can't be edited with certainty is `refused`, with file and line. With `open_change_request`, all settlements of the source are put on one branch with a merge or pull request, which is updated in place and never merged by Leeway. Without it, nothing is stored.
         *
         *     Role member or above.
         */
        post: operations["settleDriftChange"];
        /**
         * Withdraw a settlement
         * @description Removes a change from its source's merge or pull request, which is closed when nothing is left in it. 404 if the change isn't in one.
         *
         *     Role member or above.
         */
        delete: operations["withdrawSettlement"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-changes/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle many changes in code
         * @description Puts up to 100 changes on the merge or pull requests of their sources, one request for each source. A change that can't be edited with certainty is `refused`, and doesn't hold up the others.
         *
         *     Role member or above.
         */
        post: operations["settleDriftChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-changes/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List decisions about many changes
         * @description Lists decisions about many changes of the last 30 days, newest first.
         *
         *     Any member.
         */
        get: operations["listDriftDecisions"];
        put?: never;
        /**
         * Decide about many changes
         * @description Decides about at most 10000 changes in one step, which is one entry in the audit log: those with `fingerprints`, or the current ones that `filter` matches. The same roles are required as for a single change. With `filter`, a member's decision leaves out ignored changes. It can be undone for 30 days.
         *
         *     Role member or above.
         */
        post: operations["decideDriftChanges"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-changes/decisions/{decision_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a decision about many changes
         * @description Restores the earlier decision of each change that still has this one. Changes that were decided about again, or whose value has changed, stay as they are.
         *
         *     Role admin or above.
         */
        post: operations["undoDriftDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List views
         * @description Lists the shared views and the caller's private ones, by name. Always one page.
         *
         *     Any member.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save a view
         * @description Saves the filter of a list under a name. Every role may save up to 50 private views. An organization has up to 100 shared ones, which require the role member or above.
         *
         *     Any member.
         */
        post: operations["createView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/views/{view_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a view
         * @description Deletes the view. A view that notification channels use is kept: the error names them.
         *
         *     Any member.
         */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /**
         * Change a view
         * @description Changes only the given fields; `filter` is replaced as a whole. A view that is no longer shared belongs to its owner only. While a notification channel uses the view, it stays shared and can't filter by what channels don't know.
         *
         *     Any member.
         */
        patch: operations["updateView"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List rules
         * @description Lists the organization's rules in the order in which they apply, then the built-in exclusion rules, with the number of changes that each hides. Always one page.
         *
         *     Any member.
         */
        get: operations["listRules"];
        put?: never;
        /**
         * Create a rule
         * @description Hides, raises or labels the changes, findings and noise that match `when`. A rule never lowers a level. It takes effect on current changes within seconds, without a scan. An error in `when` is reported with its line and column.
         *
         *     Role admin or above.
         */
        post: operations["createRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/rules/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a rule
         * @description Returns what a rule would do on the organization's current drift changes, with at most 20 of them. Nothing is stored. Findings and noise of plans aren't stored either, so they aren't counted.
         *
         *     Any member.
         */
        post: operations["previewRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/rules/{rule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a rule
         * @description Deletes the rule. What it hid is shown again within seconds.
         *
         *     Role admin or above.
         */
        delete: operations["deleteRule"];
        options?: never;
        head?: never;
        /**
         * Change a rule
         * @description Changes only the given fields. `owner: null` and `expires_at: null` remove them. In a built-in rule only `enabled` can be changed.
         *
         *     Role admin or above.
         */
        patch: operations["updateRule"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/analyze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Analyze a plan
         * @description Queues a plan for analysis of its risks and noise, with an explanation. Poll the job at `poll_url`. Unless `narrative` is false, the request takes a slot of the platform's model, or is denied by the gate that has none left. Organizations with their own key need no slot. The limit is 20 MiB, both as sent and as inflated.
         *
         *     Role member or above. Only with an API key.
         */
        post: operations["analyzePlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/llm-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs
         * @description Lists plan analyses, noise fixes and drift narratives of the last 30 days, newest first, without results.
         *
         *     Any member.
         */
        get: operations["listLlmJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/llm-jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job
         * @description Returns a plan analysis, fix or narrative. `wait` holds the request until the job finishes or the given number of seconds passes.
         *
         *     Any member.
         */
        get: operations["getLlmJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/llm-jobs/{job_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a plan's changes
         * @description Lists the resources that a plan changes, imports or moves, in the plan's order. With `address`, it lists one, with the attributes that differ. Plans are kept for 7 days. Always one page.
         *
         *     Any member.
         */
        get: operations["listPlanChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/drift-snapshots/{snapshot_id}/narrative": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain a drift snapshot
         * @description Queues a narrative for the snapshot. Once it is finished, the job and the snapshot contain it; until then, the snapshot keeps the previous narrative. It takes a slot like an analysis. If a narrative is already in progress, the response contains its job.
         *
         *     Role member or above.
         */
        post: operations["narrateDriftSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/plan-noise": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List plan noise
         * @description Lists differences that appear in the organization's plans again and again although nothing changes.
         *
         *     Any member.
         */
        get: operations["listPlanNoise"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/plan-noise/{fingerprint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a kind of plan noise
         * @description Returns where and how often the noise was seen, with a sample.
         *
         *     Any member.
         */
        get: operations["getPlanNoise"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Mute a kind of plan noise
         * @description `muted` hides the noise in all plans, until `until` if given. `active` shows it again. Without a new `reason` or `until`, the existing ones are kept.
         *
         *     Role admin or above.
         */
        patch: operations["changePlanNoise"];
        trace?: never;
    };
    "/api/v2/plan-noise/{fingerprint}/fix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fix a kind of plan noise
         * @description Queues a fix: the smallest code change that ends the noise. Poll the job at `poll_url`. If a fix is already in progress, the response is 409 with its `job_id`. The organization is the API key's; people who belong to several choose one with `org_id` or `X-Org-Id`. Membership and role are checked after the body.
         *
         *     Role member or above.
         */
        post: operations["fixPlanNoise"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the settings
         * @description Returns the risk profile, the lowest risk that gets a comment, the decisions that comments may make, and whether drift is explained automatically.
         *
         *     Any member.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings
         * @description Changes only the given fields.
         *
         *     Role admin or above.
         */
        patch: operations["updateSettings"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/llm-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the organization's own model key
         * @description Returns the provider, hints to recognize the key, and the state of its breaker. After five consecutive failures no call is made until `retry_at`; then one call tests the key.
         *
         *     Any member.
         */
        get: operations["getLlmConfig"];
        /**
         * Set the organization's own model key
         * @description Sets the key for the organization's model calls, which then don't count against the plan. The key is first tried with a request for one token; if that fails, it isn't saved. It is stored encrypted and never returned. Setting it closes its breaker.
         *
         *     Role admin or above.
         */
        put: operations["putLlmConfig"];
        post?: never;
        /**
         * Delete the organization's own model key
         * @description Deletes the key for good. Model calls then use the platform's model, within the plan's quota.
         *
         *     Role admin or above.
         */
        delete: operations["deleteLlmConfig"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/llm-usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the platform model's usage
         * @description Returns the usage of the platform's language model in the current week and hour, the caps, and the times at which they reset: Monday 00:00 and the full hour (UTC). A cap of -1 is unlimited, and its usage isn't counted. If `byok_configured` is true, the caps are advisory. Without an own key and without a platform model (`platform_model_configured`), no model is called.
         *
         *     Any member.
         */
        get: operations["getLlmUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/llm-usage/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the platform model's usage by day
         * @description Returns one row for each of the last `days`, including today, oldest first. Each row counts slots by final state, for the day (UTC) they were taken. Always one page.
         *
         *     Any member.
         */
        get: operations["getLlmUsageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook configs
         * @description Lists allowed senders of webhooks without their secrets, oldest first.
         *
         *     Any member.
         */
        get: operations["listWebhookConfigs"];
        put?: never;
        /**
         * Create a webhook config
         * @description The response contains the secret, which is shown only once. A config of a code host (`vcs`) needs an `api_token` with scope `api` and an expiry. Leeway checks the token on the host before it saves anything.
         *
         *     Role admin or above.
         */
        post: operations["createWebhookConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/webhooks/{config_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook config
         * @description Returns the config, with the outcome of its last calls and the status of its token.
         *
         *     Any member.
         */
        get: operations["getWebhookConfig"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook config
         * @description Deletes the config. Its secret is no longer accepted.
         *
         *     Role admin or above.
         */
        delete: operations["deleteWebhookConfig"];
        options?: never;
        head?: never;
        /**
         * Change a webhook config
         * @description Enables or disables the config, or replaces its `api_token`, which Leeway checks on the code host first. A disabled config accepts no events.
         *
         *     Role admin or above.
         */
        patch: operations["updateWebhookConfig"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/webhooks/{config_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook secret
         * @description Creates a new secret, shown only once. The previous secret stays valid for `overlap_hours`; one left by an earlier rotation ends now.
         *
         *     Role admin or above.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/webhooks/{config_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Lists verified calls of the last 30 days, newest first, with their outcomes and reasons.
         *
         *     Role admin or above.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/webhooks/{config_id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a delivery
         * @description Processes the delivery again. Bodies are kept for 7 days.
         *
         *     Role admin or above.
         */
        post: operations["replayWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{source}/{org_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive an event
         * @description Receives events from a planner or code host, authenticated only by a webhook config's secret.
         *     A planner signs: `X-Planner-Signature: sha256=<hex>` (or `X-Hub-Signature-256`), the HMAC-SHA-256 of the raw body. The key is the whole `whsec_…` text; don't decode it. A code host sends the secret itself as `X-Vcs-Token` (or `X-Gitlab-Token`). An accepted event is on disk. The same body within 24 hours is the same event, unless the first one failed.
         */
        post: operations["receiveWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/notification-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List notification channels
         * @description Lists channels with their subscriptions, oldest first. Only the host of a URL is shown.
         *
         *     Role admin or above.
         */
        get: operations["listNotificationChannels"];
        put?: never;
        /**
         * Create a notification channel
         * @description The target is `{url}` (public HTTPS) for `webhook`, `slack`, `teams`, and `{to}` for `email`. For a webhook, the response contains its signing secret, which is shown only once. E-mail addresses must confirm first, except verified addresses of members. With `view_id`, the channel reports only the drift that this shared view selects.
         *
         *     Role admin or above.
         */
        post: operations["createNotificationChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/notification-channels/{channel_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a notification channel
         * @description Returns the channel, and why Leeway disabled it if so.
         *
         *     Role admin or above.
         */
        get: operations["getNotificationChannel"];
        put?: never;
        post?: never;
        /**
         * Delete a notification channel
         * @description Deletes the channel. Waiting messages aren't sent.
         *
         *     Role admin or above.
         */
        delete: operations["deleteNotificationChannel"];
        options?: never;
        head?: never;
        /**
         * Change a notification channel
         * @description Changes only the given fields. `enabled: true` also resets the failures that disabled the channel. A webhook keeps its secret. If the secret can no longer be decrypted, the next target gets a new one, which is shown only once.
         *
         *     Role admin or above.
         */
        patch: operations["updateNotificationChannel"];
        trace?: never;
    };
    "/api/v2/orgs/{id}/notification-channels/{channel_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a notification channel
         * @description Sends `channel.test` once and immediately, even if the channel is disabled. The channel's deliveries show the outcome. E-mail channels accept five tests per hour.
         *
         *     Role admin or above.
         */
        post: operations["testNotificationChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/notification-channels/{channel_id}/confirmations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a confirmation mail again
         * @description Sends the confirmation link again: at most once an hour and three times in 30 days, fewer if other organizations also ask the address.
         *
         *     Role admin or above.
         */
        post: operations["askNotificationRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/notification-channels/{channel_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a channel's deliveries
         * @description Lists messages of the last 30 days, newest first, with their outcomes and reasons.
         *
         *     Role admin or above.
         */
        get: operations["listNotificationDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/orgs/{id}/notification-channels/{channel_id}/deliveries/{delivery_id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver a message
         * @description Sends the message now under the same `webhook-id`, with all its attempts, even if it is waiting for a retry. Tests and confirmations by e-mail can't be redelivered.
         *
         *     Role admin or above.
         */
        post: operations["redeliverNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an organization for someone
         * @description Creates an organization with an admin key, which is shown only once. The first person who signs in with the verified `owner_email` becomes its owner.
         */
        post: operations["operatorCreateOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/orgs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get any organization
         * @description Returns the organization with its plan and effective caps.
         */
        get: operations["operatorGetOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/orgs/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set an organization's plan
         * @description Sets the plan. The two integers override the plan's caps for a contract: -1 is unlimited, 0 is hard-off.
         */
        put: operations["operatorSetPlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/orgs/{id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an API key for an organization
         * @description Creates a key where nobody can sign in. The response contains the key, which is shown only once and stored as a hash.
         */
        post: operations["operatorCreateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the issuer of identity tokens
         * @description OpenID Connect Discovery document for clouds that trust this installation's organizations. It isn't used to sign in.
         */
        get: operations["getIssuer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the keys that verify identity tokens
         * @description A JSON Web Key Set (RFC 7517) with the current, next and previous signing key.
         */
        get: operations["getIssuerKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is running
         * @description Returns 200 while the process is running.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the OpenAPI document
         * @description Returns the API description as OpenAPI 3.1, with an ETag.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Actor: {
            /** @enum {string} */
            type: "person" | "api_key" | "operator" | "system" | "code_host_user" | "ci";
            /** @description Id of the actor. For a CI job, the `sub` claim of its token */
            id: string;
            /** @description Code host of a `code_host_user` or CI job */
            host?: string;
            /** @description User name of a `code_host_user` on the code host */
            username?: string;
        };
        AnalyzeResult: {
            warnings: string[];
            /** @description Whether the plan failed. If so, the result is incomplete */
            errored?: boolean;
            /**
             * @description Risk profile that set the levels. Absent in older results
             * @enum {string}
             */
            risk_profile?: "standard" | "lenient";
            /**
             * @description Highest level of the plan's changes. Drift has its own level
             * @enum {string}
             */
            risk_level: "critical" | "high" | "medium" | "low" | "none";
            risk_counts: {
                critical: number;
                high: number;
                medium: number;
                low: number;
            };
            summary: {
                create: number;
                update: number;
                replace: number;
                delete: number;
                import: number;
                forget: number;
                /** @description Moved to another address. Absent if none were */
                move?: number;
                read: number;
                no_op: number;
            };
            findings: components["schemas"]["Finding"][];
            /** @description Findings that rules of the organization hide. They aren't in the risk. Absent without any */
            hidden_findings?: {
                /** @description Identifies the finding in this result: `<rule>:<address>` */
                id: string;
                /** @description Rule id such as R01; documented and stable */
                rule: string;
                /** @description Name of the rule, such as destroy_stateful */
                flag: string;
                /** @enum {string} */
                risk_level: "critical" | "high" | "medium" | "low" | "none";
                /** @description Resource address; empty for a finding about the whole plan */
                address: string;
                resource_type: string;
                actions: string[];
                /** @description Attributes that triggered the rule */
                paths: (string | number)[][];
                replace_paths?: (string | number)[][];
                /** @description Names the relevant values, but never masked ones */
                message: string;
                /** @description Rule of the organization that raised `risk_level`, and the level without rules */
                raised?: {
                    /** @enum {string} */
                    from: "critical" | "high" | "medium" | "low" | "none";
                    /** @description Rule of the organization */
                    by: {
                        id: string;
                        name: string;
                    };
                };
                /** @description Labels from rules of the organization */
                labels?: string[];
                /** @description Rule of the organization */
                hidden_by: {
                    id: string;
                    name: string;
                };
            }[];
            drift: components["schemas"]["PlannedDrift"][];
            noise: components["schemas"]["NoiseGroup"][];
            narrative: components["schemas"]["Narrative"];
            gate: {
                /** @enum {string} */
                fail_on: "critical" | "high" | "medium" | "low" | "never";
                passed: boolean;
            };
            comment?: {
                posted: boolean;
                url?: string;
                error?: string;
            };
            /** @description Set for a plan of a branch with settlements of drift, unless the plan failed */
            promise?: {
                /** @description Whether the plan leaves the settled resources as promised */
                kept: boolean;
                /** @description Number of settled changes */
                changes: number;
                /** @description Settled resources that the plan changes nevertheless */
                broken: {
                    address: string;
                    actions: string[];
                }[];
            };
            /** @description Dashboard page of the result */
            report_url: string;
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
            /** @description Patterns of the repositories the key may speak for. Absent for all */
            repositories?: string[];
            /**
             * Format: uuid
             * @description Member who signed in with `leeway login`. The key acts as this person, with `role` or their own role, whichever is lower
             */
            person_id?: string;
            /** @description The visible prefix of the newest secret */
            prefix: string;
            created_by: components["schemas"]["Actor"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at?: string;
            /** Format: date-time */
            last_used_at?: string;
        };
        ApiKeyWithSecret: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            role: "admin" | "member" | "viewer";
            /** @description Patterns of the repositories the key may speak for. Absent for all */
            repositories?: string[];
            /**
             * Format: uuid
             * @description Member who signed in with `leeway login`. The key acts as this person, with `role` or their own role, whichever is lower
             */
            person_id?: string;
            /** @description The visible prefix of the newest secret */
            prefix: string;
            created_by: components["schemas"]["Actor"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at?: string;
            /** Format: date-time */
            last_used_at?: string;
            /** @description The API key. It is only shown in this response */
            key: string;
        };
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            at: string;
            actor: {
                /** @enum {string} */
                type: "person" | "api_key" | "operator" | "system" | "code_host_user" | "ci";
                /** @description Id of the actor. For a CI job, the `sub` claim of its token */
                id: string;
                /** @description Code host of a `code_host_user` or CI job */
                host?: string;
                /** @description User name of a `code_host_user` on the code host */
                username?: string;
                /** @description E-mail address of a person in the organization, or name of a key. Absent for deleted keys */
                name?: string;
            };
            /** @description `<entity>.<verb>` */
            action: string;
            target: {
                type: string;
                id?: string;
            };
            details: {
                [key: string]: string | number | boolean;
            };
            /** @enum {string} */
            outcome: "unknown" | "done" | "refused";
            request_id: string;
            /** @description Position in the chain. Absent in entries older than the chain */
            sequence?: number;
            /** @description `hash` of the previous entry; empty for the first */
            previous_hash?: string;
            /** @description SHA-256 of the entry's canonical form, in hexadecimal */
            hash?: string;
        };
        ByokDenial: {
            /** @enum {string} */
            code: "byok_rate_limited";
            /** @enum {string} */
            error: "byok_rate_limited";
            message: string;
            /** @description Path of the organization's llm-config */
            byok_config_url: string;
            /** @enum {string} */
            provider: "anthropic" | "openai" | "azure_openai" | "bedrock" | "google" | "openai_compatible";
            /** Format: date-time */
            retry_at: string;
            consecutive_failures: number;
        };
        CloudAccount: {
            /** Format: uuid */
            id: string;
            /**
             * @description `aws`, `gcp`, `azure`, or any name for another source of listings
             * @example aws
             */
            provider: string;
            /** @description AWS account id, Google Cloud project id or number, or Azure subscription id */
            external_id: string;
            name?: string;
            /** @description Regions to scan. If empty, all regions */
            regions: string[];
            credentials?: {
                /** @enum {string} */
                kind: "aws_role" | "gcp_wif" | "azure_federated" | "static";
            };
            /** @enum {string} */
            status: "push" | "unverified" | "ok" | "failing";
            last_verification?: {
                /** @enum {string} */
                status: "ok" | "failing";
                checks: {
                    name: string;
                    ok: boolean;
                    /**
                     * @description Whether scans work without it. A failed optional check doesn't make the status `failing`
                     * @constant
                     */
                    optional?: true;
                    /** @description Missing permissions, by their names in the cloud */
                    missing?: string[];
                    message?: string;
                }[];
                /** @description Missing permissions of all checks */
                missing_permissions: string[];
                /** Format: date-time */
                verified_at: string;
            };
            /** Format: uuid */
            last_scan_id?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        DriftSnapshot: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            cloud_account_id: string;
            /** Format: uuid */
            scan_id?: string;
            /** @enum {string} */
            status: "pending" | "ready" | "error";
            error?: {
                code: string;
                message: string;
            };
            /** @description Live resources that no exclusion rule matches */
            live_count: number;
            /** @description Live resources that are declared */
            matched_count: number;
            /** @description Live resources that aren't declared */
            undeclared_count: number;
            /** @description Undeclared resources of types that can't be matched reliably */
            unchecked_count: number;
            /** @description Resources that an exclusion rule matches */
            excluded_count: number;
            /** @description Declared resources that aren't live */
            missing_count: number;
            /** @description Resources whose attributes differ from their declaration, without noise */
            changed_count: number;
            /** @description Drift changes that rules of the organization hide. They aren't in the risk; coverage and counts ignore rules */
            hidden_count?: number;
            coverage_pct?: number;
            coverage_reliable?: boolean;
            /** @enum {string} */
            risk_level?: "critical" | "high" | "medium" | "low" | "none";
            risk_counts?: {
                critical: number;
                high: number;
                medium: number;
                low: number;
            };
            /**
             * @description Highest level of undeclared resources, rated as if a plan created them. Not part of `risk_level`
             * @enum {string}
             */
            undeclared_risk_level?: "critical" | "high" | "medium" | "low" | "none";
            /** @description Undeclared resources by level, and undeclared grants on declared resources. Ignored ones aren't counted */
            undeclared_risk_counts?: {
                critical: number;
                high: number;
                medium: number;
                low: number;
            };
            narrative?: {
                /** @enum {string} */
                status: "queued" | "ready" | "template" | "error";
                /** @description Markdown */
                text?: string;
                /** @enum {string} */
                source?: "platform" | "byok" | "template";
                model?: string;
                /** @description Why the text isn't from a model */
                note?: string;
                answer?: {
                    summary?: string;
                    findings: {
                        /** @description Id of a finding, or fingerprint of drift or noise, in this result */
                        id: string;
                        explanation: string;
                        /** @description What to check before applying */
                        check?: string;
                    }[];
                };
            };
            /** Format: date-time */
            created_at: string;
        };
        Error: {
            /** @description Error code, for programs */
            code: string;
            /** @description Same value as `code` */
            error: string;
            /** @description Description of the error, for people */
            message: string;
            /** @description Same value as `X-Request-Id`. Include it when you report a problem */
            request_id: string;
            details?: {
                /** @description Dotted path into the body, or name of a parameter */
                field: string;
                code: string;
                message: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        ExclusionRule: {
            id: string;
            provider: string;
            title: string;
            enabled: boolean;
            /** @description Live resources that the rule excludes now */
            excluded_count: number;
        };
        Finding: {
            /** @description Identifies the finding in this result: `<rule>:<address>` */
            id: string;
            /** @description Rule id such as R01; documented and stable */
            rule: string;
            /** @description Name of the rule, such as destroy_stateful */
            flag: string;
            /** @enum {string} */
            risk_level: "critical" | "high" | "medium" | "low" | "none";
            /** @description Resource address; empty for a finding about the whole plan */
            address: string;
            resource_type: string;
            actions: string[];
            /** @description Attributes that triggered the rule */
            paths: (string | number)[][];
            replace_paths?: (string | number)[][];
            /** @description Names the relevant values, but never masked ones */
            message: string;
            /** @description Rule of the organization that raised `risk_level`, and the level without rules */
            raised?: {
                /** @enum {string} */
                from: "critical" | "high" | "medium" | "low" | "none";
                /** @description Rule of the organization */
                by: {
                    id: string;
                    name: string;
                };
            };
            /** @description Labels from rules of the organization */
            labels?: string[];
        };
        FixResult: {
            /** @enum {string} */
            strategy: "normalize" | "explicit_default" | "provider_setting" | "ignore_changes" | "upgrade_provider";
            explanation: string;
            patches: {
                path: string;
                /** @description Unified */
                diff: string;
            }[];
            /** @description The corrected block, or an example if no source was given */
            hcl: string;
            risks: string[];
            verified: {
                parsed: boolean;
                formatted: boolean;
                /** @enum {string} */
                replan: "not_run" | "clean" | "still_noisy";
            };
            narrative?: components["schemas"]["Narrative"];
            /** @description Address of the merge or pull request with the fix, with `open_change_request` */
            change_request_url?: string;
            /** @description Merge or pull request with all settlements and fixes of the source, with `open_change_request`. Leeway never merges it */
            change_request?: {
                url?: string;
                number?: number;
                branch: string;
                /** @enum {string} */
                status: "created" | "updated" | "unchanged" | "closed" | "refused";
                /** @description Why the code host refused it, with `refused` */
                problem?: string;
            };
        };
        HourlyDenial: {
            /** @enum {string} */
            code: "plan_hourly_rate_limit";
            /** @enum {string} */
            error: "plan_hourly_rate_limit";
            message: string;
            /** @description Path of the organization's llm-config */
            byok_config_url: string;
            used: number;
            cap: number;
            /** Format: date-time */
            hour_resets_at: string;
        };
        IacResource: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            iac_source_id: string;
            address: string;
            type: string;
            provider_name?: string;
            /** Format: uuid */
            cloud_account_id?: string;
            region?: string;
            match: {
                /** @enum {string} */
                status: "matched" | "missing" | "unobserved";
                /** Format: uuid */
                live_resource_id?: string;
                key?: string;
                /** @description Whether the same live resource is declared more than once */
                conflict?: boolean;
                /** @description Whether several live resources fit. An ambiguous resource is unobserved, not missing */
                ambiguous?: boolean;
                /**
                 * @description Why it is unobserved. `account_not_connected`: the organization hasn't connected `account`
                 * @enum {string}
                 */
                reason?: "account_not_connected";
                /** @description The account in the resource's own identifiers, with `account_not_connected` */
                account?: {
                    provider: string;
                    external_id: string;
                };
                /** @description Keys used to find it, most reliable first */
                keys?: string[];
            };
        };
        IacSource: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            kind?: "terraform" | "pulumi" | "cloudformation";
            /** Format: uuid */
            cloud_account_id?: string;
            /** @description Repository of the source, and where its code is. Only its plans and comments may change the source. Absent until a plan names one */
            repository?: {
                /** @description Path including the namespace */
                path: string;
                /** @description Host with port, or `gitlab` or `github` until a plan names it. Absent if unknown */
                host?: string;
                /**
                 * @description Folder of the code. Absent for the root of the repository
                 * @example envs/prod
                 */
                dir?: string;
                /**
                 * @description Branch, tag or commit of the code. Absent for the default branch
                 * @example main
                 */
                ref?: string;
            };
            last_serial?: number;
            lineage?: string;
            /** @description Managed instances in the state */
            resource_count: number;
            /** @description Managed instances that are live */
            matched_count: number;
            /** @description Managed instances that should be live but aren't */
            missing_count: number;
            /** @description Managed instances that no listing shows, or that fit several live resources */
            unobserved_count: number;
            /**
             * Format: date-time
             * @description When the current state was pushed or read
             */
            pushed_at?: string;
            backend?: {
                /** @enum {string} */
                type: "s3" | "gcs" | "azurerm" | "http" | "remote";
                bucket?: string;
                key?: string;
                region?: string;
                storage_account_name?: string;
                container_name?: string;
                address?: string;
                username?: string;
                hostname?: string;
                organization?: string;
                workspace?: string;
            };
            /**
             * Format: date-time
             * @description When the backend was last read, even if the state was unchanged
             */
            read_at?: string;
            last_error?: {
                /** @example permission_denied */
                code: string;
                message: string;
                /** Format: date-time */
                at: string;
            };
            /**
             * Format: date-time
             * @description When the latest plan for this source was submitted
             */
            planned_at?: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        InvalidBody: {
            error: string;
            /** @description How to send it correctly, if known */
            message?: string;
        };
        LiveResource: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            cloud_account_id: string;
            provider: string;
            provider_resource_id: string;
            provider_type: string;
            /** @enum {string} */
            normalized_type: "compute_instance" | "compute_group" | "container_cluster" | "container_service" | "serverless_function" | "object_storage" | "block_storage" | "file_storage" | "database" | "database_cluster" | "cache" | "data_warehouse" | "queue" | "topic" | "stream" | "search" | "network" | "subnet" | "route" | "gateway" | "load_balancer" | "firewall" | "dns_zone" | "dns_record" | "cdn" | "certificate" | "encryption_key" | "secret" | "iam_role" | "iam_user" | "iam_policy" | "service_account" | "container_registry" | "log_group" | "monitor" | "backup" | "project" | "other";
            region?: string;
            name?: string;
            /** Format: uuid */
            iac_resource_id?: string;
            /** @enum {string} */
            enrichment_status: "none" | "enriched" | "failed" | "n/a";
            /** Format: date-time */
            enriched_at?: string;
            match: {
                /** @enum {string} */
                status: "matched" | "undeclared" | "excluded" | "unchecked";
                /** @enum {string} */
                level?: "identity" | "id" | "type_id" | "name" | "owner";
                confidence?: number;
                /** @description Whether it is declared more than once, in several sources or at several addresses */
                conflict?: boolean;
            };
            /** @description Id of the exclusion rule that excludes it from the counts */
            excluded_by?: string;
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            last_seen_at: string;
        };
        LiveResourceDetail: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            cloud_account_id: string;
            provider: string;
            provider_resource_id: string;
            provider_type: string;
            /** @enum {string} */
            normalized_type: "compute_instance" | "compute_group" | "container_cluster" | "container_service" | "serverless_function" | "object_storage" | "block_storage" | "file_storage" | "database" | "database_cluster" | "cache" | "data_warehouse" | "queue" | "topic" | "stream" | "search" | "network" | "subnet" | "route" | "gateway" | "load_balancer" | "firewall" | "dns_zone" | "dns_record" | "cdn" | "certificate" | "encryption_key" | "secret" | "iam_role" | "iam_user" | "iam_policy" | "service_account" | "container_registry" | "log_group" | "monitor" | "backup" | "project" | "other";
            region?: string;
            name?: string;
            /** Format: uuid */
            iac_resource_id?: string;
            /** @enum {string} */
            enrichment_status: "none" | "enriched" | "failed" | "n/a";
            /** Format: date-time */
            enriched_at?: string;
            /** @description Id of the exclusion rule that excludes it from the counts */
            excluded_by?: string;
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            last_seen_at: string;
            match: {
                /** @enum {string} */
                status: "matched" | "undeclared" | "excluded" | "unchecked";
                /** @enum {string} */
                level?: "identity" | "id" | "type_id" | "name" | "owner";
                confidence?: number;
                /** @description Whether it is declared more than once, in several sources or at several addresses */
                conflict?: boolean;
                /** @description Key that matched */
                key?: string;
                /**
                 * Format: uuid
                 * @description The declared live resource that created it, if `level` is `owner`
                 */
                owner_id?: string;
                tried: {
                    key: string;
                    /** @enum {string} */
                    level: "identity" | "id" | "type_id" | "name" | "owner";
                    /** @enum {string} */
                    outcome: "matched" | "no_declaration" | "ambiguous" | "other_scope" | "surer_key_used" | "taken";
                    explanation: string;
                }[];
                claimed_by: string[];
            };
            /** @description Properties from the cloud, redacted */
            properties?: unknown;
            /** @description JSON pointers to redacted values */
            redactions?: string[];
            enrichment_failure_reason?: string;
            tags?: {
                [key: string]: string;
            };
            /** @description Attributes that are compared. Only declared resources of a known type have it */
            comparison?: {
                /** @description Attributes that the Terraform provider accepts, including those in blocks, without names and places */
                settable: number;
                /** @description Settable attributes that are compared with the cloud */
                compared: number;
                not_compared: {
                    /** @description Path of the attribute, or of a block in which none is compared */
                    attribute: string;
                    /** @description Number of attributes in the block */
                    count?: number;
                    /** @enum {string} */
                    reason: "no_counterpart" | "no_schema" | "provider_only" | "secret" | "excluded";
                    /** @description Why it is `excluded` */
                    note?: string;
                }[];
            };
        };
        JobTaken: {
            /** Format: uuid */
            job_id: string;
            /** @enum {string} */
            kind: "analyze" | "plan_noise_fix" | "drift_narrative";
            /** @enum {string} */
            status: "queued" | "running" | "done" | "error";
            poll_url: string;
            /** Format: date-time */
            created_at: string;
        };
        LlmConfig: {
            /** @enum {string} */
            provider: "anthropic" | "openai" | "azure_openai" | "bedrock" | "google" | "openai_compatible";
            model: string;
            base_url?: string;
            options?: {
                /** @description Region of Bedrock */
                region?: string;
                /** @description Azure OpenAI deployment. Default: the model's name */
                deployment?: string;
                /** @description Azure OpenAI API version. Default: the v1 API */
                api_version?: string;
            };
            /** @description The last four characters of a long key */
            key_hint: string;
            /** @description `sha256:` and the first 8 hex digits of the key's SHA-256 */
            key_fingerprint: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            last_used_at?: string;
            breaker: {
                /** @enum {string} */
                state: "closed" | "open" | "half_open";
                consecutive_failures: number;
                /**
                 * Format: date-time
                 * @description Time of the next call, if the breaker is open
                 */
                retry_at?: string;
            };
        };
        LlmJob: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "analyze" | "plan_noise_fix" | "drift_narrative";
            /** @enum {string} */
            status: "queued" | "running" | "done" | "error";
            repository?: string;
            project?: {
                name?: string;
                dir?: string;
                workspace?: string;
            };
            change_request?: {
                number: number;
                url?: string;
            };
            /** @description Whether this plan will not be applied, as in a merge request. Such a plan doesn't update the drift of an account */
            speculative?: boolean;
            /** @description Branch of the plan */
            ref?: string;
            commit_sha?: string;
            /** @description Username at the code host of the person who opened the merge or pull request, or pushed */
            author?: string;
            pipeline_url?: string;
            /** @description Fingerprint of the noise to fix */
            fingerprint?: string;
            /**
             * Format: uuid
             * @description Snapshot that the narrative explains
             */
            snapshot_id?: string;
            /**
             * @description Absent if the plan failed before a rule found anything
             * @enum {string}
             */
            risk_level?: "critical" | "high" | "medium" | "low" | "none";
            gate_passed?: boolean;
            result?: components["schemas"]["AnalyzeResult"] | components["schemas"]["FixResult"] | components["schemas"]["Narrative"];
            error?: {
                code: string;
                message: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at?: string;
            /** Format: date-time */
            finished_at?: string;
            /** Format: date-time */
            expires_at: string;
        };
        LlmUsage: {
            /** @description Always 0 for an unlimited gate */
            weekly_used: number;
            /** @description -1 unlimited, 0 hard-off */
            weekly_cap: number;
            /** Format: date-time */
            week_resets_at: string;
            /** @description Always 0 for an unlimited gate */
            hourly_used: number;
            /** @description -1 unlimited, 0 hard-off */
            hourly_cap: number;
            /** Format: date-time */
            hour_resets_at: string;
            /** @description Whether the organization has its own key. If so, the caps are advisory */
            byok_configured: boolean;
            /** @description Whether the platform has a model. Without one and without an own key, no model is called */
            platform_model_configured: boolean;
            /** @enum {string} */
            plan: "free" | "team" | "enterprise";
        };
        LlmUsageDay: {
            /** @description `YYYY-MM-DD` */
            date: string;
            consumed: number;
            held: number;
            released: number;
        };
        Member: {
            /** Format: uuid */
            id: string;
            /** @description Absent for a founder whose identity provider returns no address */
            email?: string;
            /**
             * Format: uuid
             * @description The member's person id. Absent until the invitation is accepted
             */
            person_id?: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            /** @enum {string} */
            status: "invited" | "active";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            joined_at?: string;
        };
        Narrative: {
            /** @description Markdown */
            text: string;
            /** @enum {string} */
            source: "platform" | "byok" | "template";
            model?: string;
            /** @description Why the text isn't from a model */
            note?: string;
            answer?: {
                summary?: string;
                findings: {
                    /** @description Id of a finding, or fingerprint of drift or noise, in this result */
                    id: string;
                    explanation: string;
                    /** @description What to check before applying */
                    check?: string;
                }[];
            };
        };
        NoiseGroup: {
            fingerprint: string;
            /** @enum {string} */
            class: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
            title: string;
            resource_type: string;
            provider_name: string;
            /** @description Attribute path joined by dots, with * for indices and map keys */
            path_pattern: string;
            /** @description For tags: the keys that differ */
            keys?: string[];
            confidence: number;
            /** @description Whether it is hidden from the findings */
            hidden: boolean;
            /** @description Whether it is muted. Comments and narratives omit muted noise */
            muted?: boolean;
            /** @description Rule of the organization */
            hidden_by?: {
                id: string;
                name: string;
            };
            /** @description Labels from rules of the organization */
            labels?: string[];
            addresses: string[];
            /** @description Number of addresses */
            count: number;
            fix_available: boolean;
            /** @description Masked, and truncated if long */
            sample: {
                before: unknown;
                after: unknown;
                /** @description Whether the value was changed outside Terraform. If so, `after` is the cloud's value, otherwise `before` is */
                outside?: boolean;
                /** @description Whether the values differ between resources */
                varies?: boolean;
            };
        };
        Organization: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
        };
        PlanDenial: {
            /** @enum {string} */
            code: "plan_weekly_quota_exhausted" | "plan_hard_off";
            /** @enum {string} */
            error: "plan_weekly_quota_exhausted" | "plan_hard_off";
            message: string;
            /** @description Path of the organization's llm-config */
            byok_config_url: string;
            required_plan: string;
            /** @enum {string} */
            bucket: "weekly" | "hourly";
            used: number;
            cap: number;
            /** Format: date-time */
            week_resets_at: string;
            /** Format: date-time */
            hour_resets_at?: string;
        };
        PlanNoise: {
            fingerprint: string;
            /** @enum {string} */
            class: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
            resource_type: string;
            provider_name: string;
            /** @description Attribute path joined by dots, with * for indices and map keys */
            path_pattern: string;
            title: string;
            confidence: number;
            /** @description Number of plans that contained it */
            occurrences: number;
            projects: string[];
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            last_seen_at: string;
            /** @description Masked, and truncated if long */
            sample: {
                before: unknown;
                after: unknown;
                /** @description Whether the value was changed outside Terraform. If so, `after` is the cloud's value, otherwise `before` is */
                outside?: boolean;
                /** @description Whether the values differ between resources */
                varies?: boolean;
            };
            /**
             * @description `fixed` means that recent plans of all its projects didn't contain it. It becomes `active` again when a plan does
             * @enum {string}
             */
            status: "active" | "muted" | "fixed";
            /** Format: date-time */
            muted_until?: string;
            muted_reason?: string;
            /** @description Repositories in which a comment muted it */
            muted_in?: {
                repository: string;
                /** Format: date-time */
                until?: string;
                reason?: string;
                by: components["schemas"]["Actor"];
            }[];
            /** Format: uuid */
            fix_job_id?: string;
        };
        PlanSettings: {
            /** @enum {string} */
            plan: "free" | "team" | "enterprise";
            weekly_platform_llm_quota: number;
            hourly_platform_llm_limit: number;
        };
        PlannedDrift: {
            /** @enum {string} */
            kind: "changed" | "missing";
            address: string;
            module_address?: string;
            resource_type: string;
            provider_name: string;
            actions: string[];
            attribute_changes: {
                path: (string | number)[];
                before: unknown;
                after: unknown;
                before_sensitive: boolean;
                after_sensitive: boolean;
                /** @description Whether the value is only known after apply */
                unknown: boolean;
            }[];
            /** @description Whether the plan contains changes because of this drift */
            relevant: boolean;
            /** @enum {string} */
            risk_level: "critical" | "high" | "medium" | "low" | "none";
            /** @description Whether the plan reverts it. If so, the level is medium at most, unless data is lost */
            restored?: boolean;
            risk_flags: {
                rule: string;
                flag: string;
                /** @description Attributes that triggered the rule */
                evidence: (string | number)[][];
                /** @description Same as a finding's message. Absent if no attribute is known */
                message?: string;
            }[];
            /** @description Set if the whole change is noise */
            noise?: {
                fingerprint: string;
                /** @enum {string} */
                class: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
                confidence: number;
            };
            /** @description Hash of resource, kind and paths, without values */
            fingerprint: string;
        };
        PostureRow: {
            /** Format: uuid */
            cloud_account_id: string;
            name?: string;
            provider: string;
            external_id: string;
            coverage_pct?: number;
            coverage_reliable?: boolean;
            /** @enum {string} */
            risk_level?: "critical" | "high" | "medium" | "low" | "none";
            risk_counts?: {
                critical: number;
                high: number;
                medium: number;
                low: number;
            };
            /**
             * @description Highest level of undeclared resources, rated as if a plan created them. Not part of `risk_level`
             * @enum {string}
             */
            undeclared_risk_level?: "critical" | "high" | "medium" | "low" | "none";
            /** @description Undeclared resources by level, and undeclared grants on declared resources. Ignored ones aren't counted */
            undeclared_risk_counts?: {
                critical: number;
                high: number;
                medium: number;
                low: number;
            };
            /** @description Resources whose attributes differ from their declaration, without noise */
            changed_count?: number;
            /** @description Drift changes that rules of the organization hide. They aren't in the risk; coverage and counts ignore rules */
            hidden_count?: number;
            /** @description Live resources that no exclusion rule matches */
            live_count: number;
            /** @description Live resources that are declared */
            matched_count: number;
            /** @description Live resources that aren't declared */
            undeclared_count: number;
            /** @description Undeclared resources of types that can't be matched reliably */
            unchecked_count: number;
            /** @description Resources that an exclusion rule matches */
            excluded_count: number;
            /** @description Declared resources that aren't live */
            missing_count: number;
            /** @description Declared resources that are neither live nor missing, because no listing shows them or several live resources fit */
            unobserved_count: number;
            /** @enum {string} */
            drift_status: "none" | "pending" | "ready" | "error";
            /** Format: uuid */
            drift_snapshot_id?: string;
            /** Format: date-time */
            last_scan_at?: string;
            /** Format: date-time */
            last_drift_at?: string;
            /** @description The latest scan, even if it failed */
            latest_scan?: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                status: "queued" | "running" | "succeeded" | "partial" | "failed" | "canceled";
                /**
                 * Format: date-time
                 * @description When it ended, or else when it was requested
                 */
                at: string;
            };
        };
        Problem: {
            /** @description Error code, for programs */
            code: string;
            /** @description Same value as `code` */
            error: string;
            /** @description Description of the error, for people */
            message: string;
            /** @description Same value as `X-Request-Id`. Include it when you report a problem */
            request_id: string;
            details?: {
                /** @description Dotted path into the body, or name of a parameter */
                field: string;
                code: string;
                message: string;
            }[];
            type: string;
            title: string;
            status: number;
            detail: string;
            instance: string;
        } & {
            [key: string]: unknown;
        };
        ResourceType: {
            /** @description Type in the state, or Terraform's type of undeclared resources. The cloud's own type if Terraform has none */
            type: string;
            provider: string;
            /** @description Resources of the type that states declare */
            declared_count: number;
            /** @description Live resources of the type that no exclusion rule matches */
            live_count: number;
            /** @description Live resources of the type that aren't declared */
            undeclared_count: number;
            /** @description Attributes that the Terraform provider accepts, including those in blocks, without names and places. Absent if no schema is known */
            settable_count?: number;
            /** @description Settable attributes that are compared with the cloud */
            compared_count?: number;
            /** @description Share of settable attributes that are compared, in percent, rounded down */
            compared_pct?: number;
        };
        Scan: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            org_id: string;
            /** Format: uuid */
            account_id: string;
            /** @enum {string} */
            kind: "inventory" | "drift" | "full";
            /** @enum {string} */
            trigger: "manual" | "schedule" | "api" | "webhook" | "push";
            /** @enum {string} */
            status: "queued" | "running" | "succeeded" | "partial" | "failed" | "canceled";
            /** @enum {string} */
            phase: "discover" | "match" | "drift";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at?: string;
            /** Format: date-time */
            finished_at?: string;
            requested_by: components["schemas"]["Actor"];
            /** @description Detected format of a pushed listing */
            format?: string;
            /** Format: uuid */
            drift_snapshot_id?: string;
            /**
             * Format: uuid
             * @description Schedule that started the scan
             */
            schedule_id?: string;
            stats: {
                /** @description Resources in the listing, without foreign ones */
                seen?: number;
                /** @description Rows that belong to another account */
                foreign?: number;
                created?: number;
                gone?: number;
                matched?: number;
                undeclared?: number;
                excluded?: number;
                unchecked?: number;
                regions_ok?: number;
                regions_failed?: number;
            };
            errors: {
                service?: string;
                region?: string;
                /** @enum {string} */
                code: "permission_denied" | "throttled" | "timeout" | "unsupported" | "empty_listing" | "incomplete_listing" | "internal";
                message: string;
                count: number;
            }[];
        };
        Settings: {
            /** @enum {string} */
            risk_profile: "standard" | "lenient";
            /** @enum {string} */
            comment_min_risk: "critical" | "high" | "medium" | "low" | "none";
            drift_narratives: boolean;
            /**
             * @description Which decisions `/leeway` commands may make for the repository they are written in
             * @enum {string}
             */
            comment_decisions: "none" | "acknowledge" | "ignore";
        };
    };
    responses: {
        /** @description `invalid_cursor`, `invalid_parameter` */
        "invalid_cursor.invalid_parameter": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unauthenticated` */
        unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate_limited` */
        rate_limited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal` */
        internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unavailable` */
        unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid_body`, `invalid_parameter` */
        "invalid_body.invalid_parameter": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidBody"] | components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `forbidden` */
        forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `request_timeout` */
        request_timeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `conflict` */
        conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `payload_too_large` */
        payload_too_large: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported_media_type` */
        unsupported_media_type: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_reused` */
        idempotency_key_reused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid_parameter` */
        invalid_parameter: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_found` */
        not_found: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `empty_update`, `invalid_body`, `invalid_parameter` */
        "empty_update.invalid_body.invalid_parameter": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] | components["schemas"]["InvalidBody"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid_body`, `invalid_parameter`, `org_required` */
        "invalid_body.invalid_parameter.org_required": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidBody"] | components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `no_credentials` */
        no_credentials: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `registry_not_configured`, `unavailable` */
        "registry_not_configured.unavailable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `account_mismatch`, `invalid_parameter`, `unsupported_format` */
        "account_mismatch.invalid_parameter.unsupported_format": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `conflict`, `scan_in_progress` */
        "conflict.scan_in_progress": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `too_slow_to_read` */
        too_slow_to_read: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid_parameter`, `state_encrypted`, `unsupported_format` */
        "invalid_parameter.state_encrypted.unsupported_format": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `forbidden`, `repository_mismatch` */
        "forbidden.repository_mismatch": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `conflict`, `serial_conflict`, `stale_state` */
        "conflict.serial_conflict.stale_state": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `conflict`, `no_credentials`, `scan_in_progress` */
        "conflict.no_credentials.scan_in_progress": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not_cancelable` */
        not_cancelable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `conflict`, `no_credentials` */
        "conflict.no_credentials": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `ambiguous_resource` */
        ambiguous_resource: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `enrichment_failed` */
        enrichment_failed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `invalid_body`, `invalid_parameter`, `plan_is_binary`, `plan_is_state_file`, `plan_is_stream`, `state_encrypted`, `unsupported_format`, `unsupported_plan_format` */
        "invalid_body.invalid_parameter.plan_is_binary.plan_is_state_file.plan_is_stream.state_encrypted.unsupported_format.unsupported_plan_format": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidBody"] | components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency_key_reused`, `too_slow_to_read` */
        "idempotency_key_reused.too_slow_to_read": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `credential_rejected` */
        credential_rejected: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `provider_unavailable`, `unavailable` */
        "provider_unavailable.unavailable": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `llm_config_not_found`, `not_found` */
        "llm_config_not_found.not_found": {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
         * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
         */
        IdempotencyKey: string;
        /** @description Organization to use, for people who belong to several. Same as `org_id` in the body */
        Organization: string;
    };
    requestBodies: never;
    headers: {
        /** @description Id of the request: the one you sent, or a generated one */
        "X-Request-Id": string;
        /** @description Limit: `q` requests per `w` seconds */
        "RateLimit-Policy": string;
        /** @description `r` requests remain for the next `t` seconds */
        RateLimit: string;
        /** @description Seconds to wait before retrying */
        "Retry-After": number;
        /** @description URL of the created or queued object */
        Location: string;
        /** @description The next page, `rel="next"` */
        Link: string;
        /** @description `true` if this is the stored response to an earlier request with the same key */
        "Idempotent-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listOrganizations: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your organizations */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *           "name": "Example Ltd",
                     *           "created_at": "2026-10-07T09:30:00.000Z",
                     *           "updated_at": "2026-10-07T09:30:00.000Z",
                     *           "role": "owner"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Organization"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createOrganization: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example Ltd"
                 *     }
                 */
                "application/json": {
                    /** @example Example Ltd */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The new organization */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "name": "Example Ltd",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z",
                     *       "role": "owner"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "name": "Example Ltd",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z",
                     *       "role": "owner"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example Ltd"
                 *     }
                 */
                "application/json": {
                    /** @example Example Ltd */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The updated organization */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "name": "Example Ltd",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z",
                     *       "role": "owner"
                     *     }
                     */
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["empty_update.invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    followOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until either side closes the stream */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e92",
                     *           "email": "ada@example.com",
                     *           "person_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91",
                     *           "role": "admin",
                     *           "status": "active",
                     *           "created_at": "2026-10-07T09:30:00.000Z",
                     *           "joined_at": "2026-10-07T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @example ada@example.com
                     */
                    email: string;
                    /** @enum {string} */
                    role: "owner" | "admin" | "member" | "viewer";
                };
            };
        };
        responses: {
            /** @description The invitation */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e92",
                     *       "email": "ada@example.com",
                     *       "role": "admin",
                     *       "status": "invited",
                     *       "created_at": "2026-10-07T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The member */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e92",
                     *       "email": "ada@example.com",
                     *       "person_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91",
                     *       "role": "admin",
                     *       "status": "active",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "joined_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                member_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                member_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    role: "owner" | "admin" | "member" | "viewer";
                };
            };
        };
        responses: {
            /** @description The updated member */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e92",
                     *       "email": "ada@example.com",
                     *       "person_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91",
                     *       "role": "admin",
                     *       "status": "active",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "joined_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["empty_update.invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    leaveOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description You left the organization */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93",
                     *           "name": "ci",
                     *           "role": "member",
                     *           "repositories": [
                     *             "acme/*"
                     *           ],
                     *           "prefix": "leeway_4fT9xQ2b",
                     *           "created_by": {
                     *             "type": "person",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *           },
                     *           "created_at": "2026-10-07T09:30:00.000Z",
                     *           "last_used_at": "2026-10-07T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ci",
                 *       "role": "member",
                 *       "repositories": [
                 *         "acme/*"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @example ci */
                    name: string;
                    /** @enum {string} */
                    role: "admin" | "member" | "viewer";
                    /** @description Repositories the key may speak for, as paths or patterns with `*`. Default: all. A limited key only reads, submits plans and noise fixes, and pushes states */
                    repositories?: string[];
                    /** Format: date-time */
                    expires_at?: string;
                };
            };
        };
        responses: {
            /** @description The key */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93",
                     *       "name": "ci",
                     *       "role": "member",
                     *       "repositories": [
                     *         "acme/*"
                     *       ],
                     *       "prefix": "leeway_4fT9xQ2b",
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "key": "leeway_4fT9xQ2b_<38 characters>"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93",
                     *       "name": "ci",
                     *       "role": "member",
                     *       "repositories": [
                     *         "acme/*"
                     *       ],
                     *       "prefix": "leeway_4fT9xQ2b",
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "last_used_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_hours": 24
                 *     }
                 */
                "application/json": {
                    /** @default 24 */
                    overlap_hours?: number;
                };
            };
        };
        responses: {
            /** @description The key */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93",
                     *       "name": "ci",
                     *       "role": "member",
                     *       "repositories": [
                     *         "acme/*"
                     *       ],
                     *       "prefix": "leeway_4fT9xQ2b",
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "key": "leeway_4fT9xQ2b_<38 characters>"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listCiIdentities: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The identities */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93",
                     *           "issuer": "https://gitlab.com",
                     *           "claims": {
                     *             "project_path": "acme/infra",
                     *             "ref": "main"
                     *           },
                     *           "role": "member",
                     *           "created_by": {
                     *             "type": "person",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *           },
                     *           "created_at": "2026-10-07T09:30:00.000Z",
                     *           "last_used_at": "2026-10-07T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            issuer: string;
                            claims: {
                                /**
                                 * @description GitLab's claim. Either this or `repository` is required
                                 * @example acme/*
                                 */
                                project_path?: string;
                                /**
                                 * @description GitHub's claim. Either this or `project_path` is required
                                 * @example acme/*
                                 */
                                repository?: string;
                                /** @description A branch such as main, or a full ref such as refs/tags/v*. Absent for every ref */
                                ref?: string;
                                /** @description Environment of the job. Absent for every job */
                                environment?: string;
                            };
                            /** @enum {string} */
                            role: "member" | "viewer";
                            created_by: components["schemas"]["Actor"];
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            last_used_at?: string;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createCiIdentity: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "issuer": "https://gitlab.com",
                 *       "claims": {
                 *         "project_path": "acme/infra",
                 *         "ref": "main"
                 *       },
                 *       "role": "member"
                 *     }
                 */
                "application/json": {
                    /** @description One of the operator's `CI_ISSUERS` */
                    issuer: string;
                    claims: {
                        /**
                         * @description GitLab's claim. Either this or `repository` is required
                         * @example acme/*
                         */
                        project_path?: string;
                        /**
                         * @description GitHub's claim. Either this or `project_path` is required
                         * @example acme/*
                         */
                        repository?: string;
                        /** @description A branch such as main, or a full ref such as refs/tags/v*. Absent for every ref */
                        ref?: string;
                        /** @description Environment of the job. Absent for every job */
                        environment?: string;
                    };
                    /** @enum {string} */
                    role: "member" | "viewer";
                };
            };
        };
        responses: {
            /** @description The identity */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93",
                     *       "issuer": "https://gitlab.com",
                     *       "claims": {
                     *         "project_path": "acme/infra",
                     *         "ref": "main"
                     *       },
                     *       "role": "member",
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "last_used_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        issuer: string;
                        claims: {
                            /**
                             * @description GitLab's claim. Either this or `repository` is required
                             * @example acme/*
                             */
                            project_path?: string;
                            /**
                             * @description GitHub's claim. Either this or `project_path` is required
                             * @example acme/*
                             */
                            repository?: string;
                            /** @description A branch such as main, or a full ref such as refs/tags/v*. Absent for every ref */
                            ref?: string;
                            /** @description Environment of the job. Absent for every job */
                            environment?: string;
                        };
                        /** @enum {string} */
                        role: "member" | "viewer";
                        created_by: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        last_used_at?: string;
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteCiIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                identity_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    exchangeCiToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "eyJhbGciOiJSUzI1NiJ9.…",
                 *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90"
                 *     }
                 */
                "application/json": {
                    token: string;
                    /** Format: uuid */
                    org_id?: string;
                };
            };
        };
        responses: {
            /** @description The token */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "leeway_4fT9xQ2b_<38 characters>",
                     *       "expires_at": "2026-10-07T14:05:12.000Z",
                     *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "role": "member",
                     *       "repository": "acme/infra"
                     *     }
                     */
                    "application/json": {
                        /** @description Send it like an API key */
                        token: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        org_id: string;
                        /** @enum {string} */
                        role: "member" | "viewer";
                        /** @description The only repository the token speaks for */
                        repository: string;
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter.org_required"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getDeviceSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The provider */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "https://login.example.com",
                     *       "client_id": "leeway-cli"
                     *     }
                     */
                    "application/json": {
                        /** @description OpenID Connect provider with the device flow (RFC 8628) */
                        issuer: string;
                        client_id: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            404: components["responses"]["not_found"];
            500: components["responses"]["internal"];
        };
    };
    signInDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id_token": "eyJhbGciOiJSUzI1NiJ9.…",
                 *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                 *       "name": "leeway on ada-laptop"
                 *     }
                 */
                "application/json": {
                    id_token: string;
                    /** Format: uuid */
                    org_id?: string;
                    /**
                     * @description Highest role of the key. Default: admin
                     * @enum {string}
                     */
                    role?: "admin" | "member" | "viewer";
                    /** @example leeway on ada-laptop */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The key, which is shown only once */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "leeway_4fT9xQ2b_<38 characters>",
                     *       "expires_at": "2026-10-07T14:05:12.000Z",
                     *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "role": "admin"
                     *     }
                     */
                    "application/json": {
                        key: string;
                        /** Format: date-time */
                        expires_at: string;
                        /** Format: uuid */
                        org_id: string;
                        /** @enum {string} */
                        role: "admin" | "member" | "viewer";
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter.org_required"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    signOutDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                action?: "api_key.create" | "api_key.delete" | "api_key.rotate" | "ci_identity.create" | "ci_identity.delete" | "cloud_account.create" | "cloud_account.delete" | "cloud_account.push" | "cloud_account.update" | "cloud_account.verify" | "drift_change.decide" | "drift_change.decide_many" | "drift_change.reopen" | "drift_change.settle" | "drift_change.undo" | "exclusion_rule.update" | "iac_source.bind" | "iac_source.create" | "iac_source.delete" | "iac_source.push" | "iac_source.read" | "iac_source.update" | "llm_config.create" | "llm_config.delete" | "llm_config.update" | "member.create" | "member.delete" | "member.join" | "member.update" | "notification_channel.create" | "notification_channel.delete" | "notification_channel.disable" | "notification_channel.test" | "notification_channel.update" | "notification_delivery.redeliver" | "notification_recipient.ask" | "notification_recipient.confirm" | "notification_recipient.unsubscribe" | "organization.create" | "organization.delete" | "organization.set_plan" | "organization.update" | "plan.submit" | "plan_noise.fix" | "plan_noise.update" | "rule.create" | "rule.delete" | "rule.expire" | "rule.update" | "scan.cancel" | "scan.create" | "scan_schedule.create" | "scan_schedule.delete" | "scan_schedule.disable" | "scan_schedule.update" | "settings.update" | "tool.call" | "view.create" | "view.delete" | "view.update" | "webhook_config.create" | "webhook_config.delete" | "webhook_config.rotate" | "webhook_config.update" | "webhook_delivery.replay";
                /** @description `actor.id` of a person or key, or `operator` */
                actor_id?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9a",
                     *           "at": "2026-10-07T14:05:12.000Z",
                     *           "actor": {
                     *             "type": "person",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91",
                     *             "name": "ada@example.com"
                     *           },
                     *           "action": "api_key.create",
                     *           "target": {
                     *             "type": "api_key",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93"
                     *           },
                     *           "details": {
                     *             "name": "ci",
                     *             "role": "member"
                     *           },
                     *           "outcome": "done",
                     *           "request_id": "0199bd6e-0e1f-7c41-8a5d-6f2f0c9d4b11",
                     *           "sequence": 412,
                     *           "previous_hash": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
                     *           "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["AuditEntry"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    verifyAuditLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the chain is intact */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "holds": true,
                     *       "entries": 412,
                     *       "sequence": 412,
                     *       "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *     }
                     */
                    "application/json": {
                        holds: boolean;
                        /** @description Number of entries the chain should contain */
                        entries: number;
                        /** @description Sequence of the newest entry */
                        sequence: number;
                        /** @description Hash of the newest entry; empty if there is none */
                        hash: string;
                        broken_at?: {
                            /** @description The first entry that was changed */
                            sequence: number;
                            /** @enum {string} */
                            reason: "missing" | "changed" | "unlinked";
                        };
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    exportAuditLog: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry per line */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {"id":"018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9a","at":"2026-10-07T14:05:12.000Z","actor":{"type":"person","id":"018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91","name":"ada@example.com"},"action":"api_key.create","target":{"type":"api_key","id":"018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93"},"details":{"name":"ci","role":"member"},"outcome":"done","request_id":"0199bd6e-0e1f-7c41-8a5d-6f2f0c9d4b11","sequence":412,"previous_hash":"60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752","hash":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"} */
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listCloudAccounts: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                provider?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The accounts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "provider": "aws",
                     *           "external_id": "123456789012",
                     *           "name": "production",
                     *           "regions": [],
                     *           "status": "push",
                     *           "last_scan_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *           "created_at": "2026-10-07T09:30:00.000Z",
                     *           "updated_at": "2026-10-07T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["CloudAccount"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createCloudAccount: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider": "aws",
                 *       "external_id": "123456789012",
                 *       "name": "production"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `aws`, `gcp`, `azure`, or any name for another source of listings
                     * @example aws
                     */
                    provider: string;
                    /**
                     * @description The 12-digit AWS account id, the Google Cloud project id or number, or the Azure subscription id. Any text for other providers
                     * @example 123456789012
                     */
                    external_id: string;
                    name?: string;
                    regions?: string[];
                    credentials?: {
                        /** @constant */
                        kind: "aws_role";
                        role_arn: string;
                        external_id?: string;
                    } | {
                        /** @constant */
                        kind: "gcp_wif";
                        audience: string;
                        service_account_email: string;
                    } | {
                        /** @constant */
                        kind: "azure_federated";
                        tenant_id: string;
                        client_id: string;
                    } | {
                        /** @constant */
                        kind: "static";
                        access_key_id?: string;
                        secret_access_key?: string;
                        service_account_key?: string;
                        tenant_id?: string;
                        client_id?: string;
                        client_secret?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The account */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "provider": "aws",
                     *       "external_id": "123456789012",
                     *       "name": "production",
                     *       "regions": [],
                     *       "status": "push",
                     *       "last_scan_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CloudAccount"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getCloudAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "provider": "aws",
                     *       "external_id": "123456789012",
                     *       "name": "production",
                     *       "regions": [],
                     *       "status": "push",
                     *       "last_scan_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CloudAccount"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteCloudAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateCloudAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "production"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    regions?: string[];
                    credentials?: {
                        /** @constant */
                        kind: "aws_role";
                        role_arn: string;
                        external_id?: string;
                    } | {
                        /** @constant */
                        kind: "gcp_wif";
                        audience: string;
                        service_account_email: string;
                    } | {
                        /** @constant */
                        kind: "azure_federated";
                        tenant_id: string;
                        client_id: string;
                    } | {
                        /** @constant */
                        kind: "static";
                        access_key_id?: string;
                        secret_access_key?: string;
                        service_account_key?: string;
                        tenant_id?: string;
                        client_id?: string;
                        client_secret?: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The account */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "provider": "aws",
                     *       "external_id": "123456789012",
                     *       "name": "production",
                     *       "regions": [],
                     *       "status": "push",
                     *       "last_scan_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CloudAccount"];
                };
            };
            400: components["responses"]["empty_update.invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    verifyCloudAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Result of the checks */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "failing",
                     *       "identity": "arn:aws:sts::123456789012:assumed-role/leeway/leeway",
                     *       "checks": [
                     *         {
                     *           "name": "sts",
                     *           "ok": true
                     *         },
                     *         {
                     *           "name": "tagging",
                     *           "ok": false,
                     *           "missing": [
                     *             "tag:GetResources"
                     *           ],
                     *           "message": "tag:GetResources isn't allowed in us-east-1"
                     *         }
                     *       ],
                     *       "missing_permissions": [
                     *         "tag:GetResources"
                     *       ],
                     *       "verified_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "ok" | "failing";
                        checks: {
                            name: string;
                            ok: boolean;
                            /**
                             * @description Whether scans work without it. A failed optional check doesn't make the status `failing`
                             * @constant
                             */
                            optional?: true;
                            /** @description Missing permissions, by their names in the cloud */
                            missing?: string[];
                            message?: string;
                        }[];
                        /** @description Missing permissions of all checks */
                        missing_permissions: string[];
                        /** Format: date-time */
                        verified_at: string;
                        /** @description Identity of the credentials, as the cloud names it. Absent if sign-in failed */
                        identity?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["no_credentials"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["registry_not_configured.unavailable"];
        };
    };
    getCloudAccountPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                account_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policy */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": "aws",
                     *       "identity": "leeway:org:018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "documents": [
                     *         {
                     *           "name": "trust-policy",
                     *           "content": {
                     *             "Version": "2012-10-17",
                     *             "Statement": [
                     *               {
                     *                 "Effect": "Allow",
                     *                 "Principal": {
                     *                   "AWS": "arn:aws:iam::111122223333:role/leeway"
                     *                 },
                     *                 "Action": "sts:AssumeRole",
                     *                 "Condition": {
                     *                   "StringEquals": {
                     *                     "sts:ExternalId": "leeway:org:018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90"
                     *                   }
                     *                 }
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "commands": [
                     *         "aws iam attach-role-policy --role-name leeway --policy-arn arn:aws:iam::aws:policy/SecurityAudit"
                     *       ],
                     *       "credentials": {
                     *         "kind": "aws_role",
                     *         "role_arn": "arn:aws:iam::123456789012:role/leeway"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * @description `aws`, `gcp`, `azure`, or any name for another source of listings
                         * @example aws
                         */
                        provider: string;
                        /** @description How the cloud identifies the organization: the external id for AWS, the subject of identity tokens for others */
                        identity: string;
                        /** @description Issuer of the identity tokens. Absent for AWS */
                        issuer?: string;
                        documents: {
                            name: string;
                            /** @description JSON */
                            content: unknown;
                        }[];
                        /** @description The same steps as commands for the cloud's CLI, in order */
                        commands: string[];
                        /** @description The same role as Terraform code, for AWS. Its output `role_arn` is the role's ARN */
                        terraform?: string;
                        /** @description Body of the PATCH request that connects the account afterwards. Replace the words in capitals */
                        credentials: unknown;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    pushListing: {
        parameters: {
            query?: {
                /** @description Accepts an empty listing for an account that has resources */
                allow_empty?: boolean;
                /** @description Accepts only this account's rows from a listing that names other accounts */
                allow_foreign?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                account_id: string;
            };
            cookie?: never;
        };
        /** @description AWS, Google Cloud or Azure listings, or Leeway's NDJSON, optionally with `Content-Encoding: gzip` */
        requestBody: {
            content: {
                "application/json": unknown;
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Scan that processes the listing */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "kind": "full",
                     *       "trigger": "push",
                     *       "status": "queued",
                     *       "phase": "discover",
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "requested_by": {
                     *         "type": "api_key",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93"
                     *       },
                     *       "stats": {},
                     *       "errors": []
                     *     }
                     */
                    "application/json": components["schemas"]["Scan"];
                };
            };
            400: components["responses"]["account_mismatch.invalid_parameter.unsupported_format"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict.scan_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["too_slow_to_read"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listIacSources: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                account_id?: string;
                /** @description Alias of `account_id` */
                cloud_account_id?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sources */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
                     *           "name": "network/prod",
                     *           "kind": "terraform",
                     *           "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "repository": {
                     *             "path": "acme/network",
                     *             "host": "gitlab.com"
                     *           },
                     *           "last_serial": 42,
                     *           "lineage": "3f8a2b44-6c1f-4f0e-9f0c-0b1d8f7d2a10",
                     *           "resource_count": 118,
                     *           "matched_count": 115,
                     *           "missing_count": 1,
                     *           "unobserved_count": 2,
                     *           "pushed_at": "2026-10-07T14:05:12.000Z",
                     *           "created_at": "2026-10-07T09:30:00.000Z",
                     *           "updated_at": "2026-10-07T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IacSource"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createIacSource: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "network/prod",
                 *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94"
                 *     }
                 */
                "application/json": {
                    /** @example network/prod */
                    name: string;
                    /** Format: uuid */
                    cloud_account_id?: string;
                    repository?: {
                        /** @description Path including the namespace */
                        path: string;
                        /** @description Host with port, or `gitlab` or `github` until a plan names it. Absent if unknown */
                        host?: string;
                        /**
                         * @description Folder of the code. Absent for the root of the repository
                         * @example envs/prod
                         */
                        dir?: string;
                        /**
                         * @description Branch, tag or commit of the code. Absent for the default branch
                         * @example main
                         */
                        ref?: string;
                    };
                    backend?: {
                        /** @constant */
                        type: "s3";
                        /** @example example-states */
                        bucket: string;
                        /**
                         * @description Name of the object, including folders. For `gcs`, the prefix followed by the workspace's file
                         * @example network/prod.tfstate
                         */
                        key: string;
                        /** @example eu-west-1 */
                        region: string;
                    } | {
                        /** @constant */
                        type: "gcs";
                        /** @example example-states */
                        bucket: string;
                        /**
                         * @description Name of the object, including folders. For `gcs`, the prefix followed by the workspace's file
                         * @example network/prod.tfstate
                         */
                        key: string;
                    } | {
                        /** @constant */
                        type: "azurerm";
                        storage_account_name: string;
                        container_name: string;
                        /**
                         * @description Name of the object, including folders. For `gcs`, the prefix followed by the workspace's file
                         * @example network/prod.tfstate
                         */
                        key: string;
                    } | {
                        /** @constant */
                        type: "http";
                        /** @description Public HTTPS URL. Everyone who can see the source can see it */
                        address: string;
                        username?: string;
                        password?: string;
                    } | {
                        /** @constant */
                        type: "remote";
                        /** @description Host of HCP Terraform or Terraform Enterprise. Default: `app.terraform.io` */
                        hostname?: string;
                        organization: string;
                        workspace: string;
                        token: string;
                    };
                    /**
                     * Format: uuid
                     * @description Alias of `cloud_account_id`
                     */
                    account_id?: string;
                };
            };
        };
        responses: {
            /** @description The source */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
                     *       "name": "network/prod",
                     *       "kind": "terraform",
                     *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "repository": {
                     *         "path": "acme/network",
                     *         "host": "gitlab.com"
                     *       },
                     *       "last_serial": 42,
                     *       "lineage": "3f8a2b44-6c1f-4f0e-9f0c-0b1d8f7d2a10",
                     *       "resource_count": 118,
                     *       "matched_count": 115,
                     *       "missing_count": 1,
                     *       "unobserved_count": 2,
                     *       "pushed_at": "2026-10-07T14:05:12.000Z",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IacSource"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getIacSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                source_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The source */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
                     *       "name": "network/prod",
                     *       "kind": "terraform",
                     *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "repository": {
                     *         "path": "acme/network",
                     *         "host": "gitlab.com"
                     *       },
                     *       "last_serial": 42,
                     *       "lineage": "3f8a2b44-6c1f-4f0e-9f0c-0b1d8f7d2a10",
                     *       "resource_count": 118,
                     *       "matched_count": 115,
                     *       "missing_count": 1,
                     *       "unobserved_count": 2,
                     *       "pushed_at": "2026-10-07T14:05:12.000Z",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IacSource"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteIacSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                source_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateIacSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                source_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "network/prod"
                 *     }
                 */
                "application/json": {
                    /** @example network/prod */
                    name?: string;
                    /** @description null removes the account */
                    cloud_account_id?: string | null;
                    /** @description null removes the repository. The next plan that names one sets it */
                    repository?: {
                        /** @description Path including the namespace */
                        path: string;
                        /** @description Host with port, or `gitlab` or `github` until a plan names it. Absent if unknown */
                        host?: string;
                        /**
                         * @description Folder of the code. Absent for the root of the repository
                         * @example envs/prod
                         */
                        dir?: string;
                        /**
                         * @description Branch, tag or commit of the code. Absent for the default branch
                         * @example main
                         */
                        ref?: string;
                    } | null;
                    /** @description null removes the backend, so that the state is pushed */
                    backend?: ({
                        /** @constant */
                        type: "s3";
                        /** @example example-states */
                        bucket: string;
                        /**
                         * @description Name of the object, including folders. For `gcs`, the prefix followed by the workspace's file
                         * @example network/prod.tfstate
                         */
                        key: string;
                        /** @example eu-west-1 */
                        region: string;
                    } | {
                        /** @constant */
                        type: "gcs";
                        /** @example example-states */
                        bucket: string;
                        /**
                         * @description Name of the object, including folders. For `gcs`, the prefix followed by the workspace's file
                         * @example network/prod.tfstate
                         */
                        key: string;
                    } | {
                        /** @constant */
                        type: "azurerm";
                        storage_account_name: string;
                        container_name: string;
                        /**
                         * @description Name of the object, including folders. For `gcs`, the prefix followed by the workspace's file
                         * @example network/prod.tfstate
                         */
                        key: string;
                    } | {
                        /** @constant */
                        type: "http";
                        /** @description Public HTTPS URL. Everyone who can see the source can see it */
                        address: string;
                        username?: string;
                        password?: string;
                    } | {
                        /** @constant */
                        type: "remote";
                        /** @description Host of HCP Terraform or Terraform Enterprise. Default: `app.terraform.io` */
                        hostname?: string;
                        organization: string;
                        workspace: string;
                        token: string;
                    }) | null;
                    /** @description Alias of `cloud_account_id` */
                    account_id?: string | null;
                };
            };
        };
        responses: {
            /** @description The source */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
                     *       "name": "network/prod",
                     *       "kind": "terraform",
                     *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "repository": {
                     *         "path": "acme/network",
                     *         "host": "gitlab.com"
                     *       },
                     *       "last_serial": 42,
                     *       "lineage": "3f8a2b44-6c1f-4f0e-9f0c-0b1d8f7d2a10",
                     *       "resource_count": 118,
                     *       "matched_count": 115,
                     *       "missing_count": 1,
                     *       "unobserved_count": 2,
                     *       "pushed_at": "2026-10-07T14:05:12.000Z",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IacSource"];
                };
            };
            400: components["responses"]["empty_update.invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    pushState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                source_id: string;
            };
            cookie?: never;
        };
        /** @description A Terraform or OpenTofu state (version 4) or its `show -json`, a Pulumi `stack export`, or CloudFormation stack resources, optionally with `Content-Encoding: gzip` */
        requestBody: {
            content: {
                "application/json": unknown;
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The source */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
                     *       "name": "network/prod",
                     *       "kind": "terraform",
                     *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "repository": {
                     *         "path": "acme/network",
                     *         "host": "gitlab.com"
                     *       },
                     *       "last_serial": 42,
                     *       "lineage": "3f8a2b44-6c1f-4f0e-9f0c-0b1d8f7d2a10",
                     *       "resource_count": 118,
                     *       "matched_count": 115,
                     *       "missing_count": 1,
                     *       "unobserved_count": 2,
                     *       "pushed_at": "2026-10-07T14:05:12.000Z",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IacSource"];
                };
            };
            400: components["responses"]["invalid_parameter.state_encrypted.unsupported_format"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.repository_mismatch"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict.serial_conflict.stale_state"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["too_slow_to_read"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    readState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                source_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The source */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
                     *       "name": "network/prod",
                     *       "kind": "terraform",
                     *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "repository": {
                     *         "path": "acme/network",
                     *         "host": "gitlab.com"
                     *       },
                     *       "last_serial": 42,
                     *       "lineage": "3f8a2b44-6c1f-4f0e-9f0c-0b1d8f7d2a10",
                     *       "resource_count": 118,
                     *       "matched_count": 115,
                     *       "missing_count": 1,
                     *       "unobserved_count": 2,
                     *       "pushed_at": "2026-10-07T14:05:12.000Z",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T14:05:12.000Z",
                     *       "backend": {
                     *         "type": "s3",
                     *         "bucket": "example-states",
                     *         "key": "network/prod.tfstate",
                     *         "region": "eu-west-1"
                     *       },
                     *       "read_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IacSource"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listIacResources: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                source_id?: string;
                account_id?: string;
                type?: string;
                match?: "matched" | "missing" | "unobserved";
                /** @description Alias of `account_id` */
                cloud_account_id?: string;
                /** @description Alias of `source_id` */
                iac_source_id?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The declared resources */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *           "iac_source_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
                     *           "address": "aws_sqs_queue.orders",
                     *           "type": "aws_sqs_queue",
                     *           "provider_name": "registry.terraform.io/hashicorp/aws",
                     *           "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "region": "eu-central-1",
                     *           "match": {
                     *             "status": "matched",
                     *             "live_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *             "key": "arn:aws:sqs:eu-central-1:123456789012:orders"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IacResource"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getIacResource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The declared resource */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *       "iac_source_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
                     *       "address": "aws_sqs_queue.orders",
                     *       "type": "aws_sqs_queue",
                     *       "provider_name": "registry.terraform.io/hashicorp/aws",
                     *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "region": "eu-central-1",
                     *       "match": {
                     *         "status": "matched",
                     *         "live_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *         "key": "arn:aws:sqs:eu-central-1:123456789012:orders"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IacResource"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listScans: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                account_id?: string;
                status?: "queued" | "running" | "succeeded" | "partial" | "failed" | "canceled";
                trigger?: "manual" | "schedule" | "api" | "webhook" | "push";
                /** @description Alias of `account_id` */
                cloud_account_id?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scans */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *           "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *           "account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "kind": "full",
                     *           "trigger": "push",
                     *           "status": "succeeded",
                     *           "phase": "drift",
                     *           "created_at": "2026-10-07T14:05:12.000Z",
                     *           "requested_by": {
                     *             "type": "api_key",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93"
                     *           },
                     *           "stats": {
                     *             "seen": 120,
                     *             "created": 3,
                     *             "gone": 1,
                     *             "matched": 115,
                     *             "undeclared": 5,
                     *             "excluded": 2,
                     *             "unchecked": 0
                     *           },
                     *           "errors": [],
                     *           "started_at": "2026-10-07T14:05:12.000Z",
                     *           "finished_at": "2026-10-07T14:05:12.000Z",
                     *           "format": "aws-config",
                     *           "drift_snapshot_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e97"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Scan"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createScan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    account_id?: string;
                    /**
                     * @description `full` (default) updates inventory and drift. `drift` compares the current inventory without scanning
                     * @enum {string}
                     */
                    kind?: "inventory" | "drift" | "full";
                    /** @description Regions to scan; other regions keep their resources. Default: the account's regions */
                    regions?: string[];
                    /**
                     * Format: uuid
                     * @description Alias of `account_id`
                     */
                    cloud_account_id?: string;
                };
            };
        };
        responses: {
            /** @description The queued scan */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "kind": "full",
                     *       "trigger": "push",
                     *       "status": "queued",
                     *       "phase": "discover",
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "requested_by": {
                     *         "type": "api_key",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93"
                     *       },
                     *       "stats": {},
                     *       "errors": []
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        org_id: string;
                        /** Format: uuid */
                        account_id: string;
                        /** @enum {string} */
                        kind: "inventory" | "drift" | "full";
                        /** @enum {string} */
                        trigger: "manual" | "schedule" | "api" | "webhook" | "push";
                        /** @enum {string} */
                        status: "queued" | "running" | "succeeded" | "partial" | "failed" | "canceled";
                        /** @enum {string} */
                        phase: "discover" | "match" | "drift";
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        started_at?: string;
                        /** Format: date-time */
                        finished_at?: string;
                        requested_by: components["schemas"]["Actor"];
                        /** @description Detected format of a pushed listing */
                        format?: string;
                        /** Format: uuid */
                        drift_snapshot_id?: string;
                        /**
                         * Format: uuid
                         * @description Schedule that started the scan
                         */
                        schedule_id?: string;
                        stats: {
                            /** @description Resources in the listing, without foreign ones */
                            seen?: number;
                            /** @description Rows that belong to another account */
                            foreign?: number;
                            created?: number;
                            gone?: number;
                            matched?: number;
                            undeclared?: number;
                            excluded?: number;
                            unchecked?: number;
                            regions_ok?: number;
                            regions_failed?: number;
                        };
                        errors: {
                            service?: string;
                            region?: string;
                            /** @enum {string} */
                            code: "permission_denied" | "throttled" | "timeout" | "unsupported" | "empty_listing" | "incomplete_listing" | "internal";
                            message: string;
                            count: number;
                        }[];
                        /** @description Scans of the other accounts, if the request named no account */
                        also_started?: string[];
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict.no_credentials.scan_in_progress"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["registry_not_configured.unavailable"];
        };
    };
    getScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                scan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scan */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "kind": "full",
                     *       "trigger": "push",
                     *       "status": "succeeded",
                     *       "phase": "drift",
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "requested_by": {
                     *         "type": "api_key",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93"
                     *       },
                     *       "stats": {
                     *         "seen": 120,
                     *         "created": 3,
                     *         "gone": 1,
                     *         "matched": 115,
                     *         "undeclared": 5,
                     *         "excluded": 2,
                     *         "unchecked": 0
                     *       },
                     *       "errors": [],
                     *       "started_at": "2026-10-07T14:05:12.000Z",
                     *       "finished_at": "2026-10-07T14:05:12.000Z",
                     *       "format": "aws-config",
                     *       "drift_snapshot_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e97"
                     *     }
                     */
                    "application/json": components["schemas"]["Scan"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    followScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                scan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until the scan has ended */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The scan has ended, and the client received its last event */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    cancelScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                scan_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scan */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "kind": "full",
                     *       "trigger": "push",
                     *       "status": "canceled",
                     *       "phase": "discover",
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "requested_by": {
                     *         "type": "api_key",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93"
                     *       },
                     *       "stats": {},
                     *       "errors": []
                     *     }
                     */
                    "application/json": components["schemas"]["Scan"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["not_cancelable"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listScanSchedules: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                account_id?: string;
                /** @description Alias of `account_id` */
                cloud_account_id?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedules */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
                     *           "account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "cron": "15 6 * * 1-5",
                     *           "timezone": "Europe/Berlin",
                     *           "window": {
                     *             "start": "22:00",
                     *             "end": "07:00",
                     *             "timezone": "Europe/Berlin"
                     *           },
                     *           "enabled": true,
                     *           "consecutive_failures": 0,
                     *           "next_run_at": "2026-10-08T04:16:53.000Z",
                     *           "last_scan_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *           "created_by": {
                     *             "type": "person",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *           },
                     *           "created_at": "2026-10-07T09:30:00.000Z",
                     *           "updated_at": "2026-10-07T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            account_id: string;
                            /**
                             * @description Minute, hour, day of month, month and day of week, or `@hourly`, `@daily` and so on
                             * @example 15 6 * * 1-5
                             */
                            cron: string;
                            /**
                             * @description IANA name of the time zone
                             * @example Europe/Berlin
                             */
                            timezone: string;
                            window?: {
                                start: string;
                                end: string;
                                /**
                                 * @description IANA name of the time zone
                                 * @example Europe/Berlin
                                 */
                                timezone: string;
                            };
                            enabled: boolean;
                            /** @description Consecutive failed scans. The fifth disables the schedule */
                            consecutive_failures: number;
                            /** Format: date-time */
                            disabled_at?: string;
                            /** @description Why Leeway disabled the schedule */
                            disabled_reason?: string;
                            /** Format: date-time */
                            next_run_at?: string;
                            /** Format: uuid */
                            last_scan_id?: string;
                            /** @description Time and reason of the last run that started no scan */
                            last_skip?: {
                                /** Format: date-time */
                                at: string;
                                reason: string;
                            };
                            created_by: components["schemas"]["Actor"];
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createScanSchedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                 *       "cron": "15 6 * * 1-5",
                 *       "timezone": "Europe/Berlin",
                 *       "window": {
                 *         "start": "22:00",
                 *         "end": "07:00",
                 *         "timezone": "Europe/Berlin"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    account_id?: string;
                    /**
                     * @description Minute, hour, day of month, month and day of week, or `@hourly`, `@daily` and so on
                     * @example 15 6 * * 1-5
                     */
                    cron: string;
                    /**
                     * @description IANA name of the time zone
                     * @default UTC
                     * @example Europe/Berlin
                     */
                    timezone?: string;
                    window?: {
                        start: string;
                        end: string;
                        /**
                         * @description IANA name of the time zone
                         * @example Europe/Berlin
                         */
                        timezone: string;
                    };
                    /** @default true */
                    enabled?: boolean;
                    /**
                     * Format: uuid
                     * @description Alias of `account_id`
                     */
                    cloud_account_id?: string;
                };
            };
        };
        responses: {
            /** @description The schedule */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
                     *       "account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "cron": "15 6 * * 1-5",
                     *       "timezone": "Europe/Berlin",
                     *       "window": {
                     *         "start": "22:00",
                     *         "end": "07:00",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "enabled": true,
                     *       "consecutive_failures": 0,
                     *       "next_run_at": "2026-10-08T04:16:53.000Z",
                     *       "last_scan_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        account_id: string;
                        /**
                         * @description Minute, hour, day of month, month and day of week, or `@hourly`, `@daily` and so on
                         * @example 15 6 * * 1-5
                         */
                        cron: string;
                        /**
                         * @description IANA name of the time zone
                         * @example Europe/Berlin
                         */
                        timezone: string;
                        window?: {
                            start: string;
                            end: string;
                            /**
                             * @description IANA name of the time zone
                             * @example Europe/Berlin
                             */
                            timezone: string;
                        };
                        enabled: boolean;
                        /** @description Consecutive failed scans. The fifth disables the schedule */
                        consecutive_failures: number;
                        /** Format: date-time */
                        disabled_at?: string;
                        /** @description Why Leeway disabled the schedule */
                        disabled_reason?: string;
                        /** Format: date-time */
                        next_run_at?: string;
                        /** Format: uuid */
                        last_scan_id?: string;
                        /** @description Time and reason of the last run that started no scan */
                        last_skip?: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        };
                        created_by: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict.no_credentials"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getScanSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
                     *       "account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "cron": "15 6 * * 1-5",
                     *       "timezone": "Europe/Berlin",
                     *       "window": {
                     *         "start": "22:00",
                     *         "end": "07:00",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "enabled": true,
                     *       "consecutive_failures": 0,
                     *       "next_run_at": "2026-10-08T04:16:53.000Z",
                     *       "last_scan_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        account_id: string;
                        /**
                         * @description Minute, hour, day of month, month and day of week, or `@hourly`, `@daily` and so on
                         * @example 15 6 * * 1-5
                         */
                        cron: string;
                        /**
                         * @description IANA name of the time zone
                         * @example Europe/Berlin
                         */
                        timezone: string;
                        window?: {
                            start: string;
                            end: string;
                            /**
                             * @description IANA name of the time zone
                             * @example Europe/Berlin
                             */
                            timezone: string;
                        };
                        enabled: boolean;
                        /** @description Consecutive failed scans. The fifth disables the schedule */
                        consecutive_failures: number;
                        /** Format: date-time */
                        disabled_at?: string;
                        /** @description Why Leeway disabled the schedule */
                        disabled_reason?: string;
                        /** Format: date-time */
                        next_run_at?: string;
                        /** Format: uuid */
                        last_scan_id?: string;
                        /** @description Time and reason of the last run that started no scan */
                        last_skip?: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        };
                        created_by: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteScanSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateScanSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Minute, hour, day of month, month and day of week, or `@hourly`, `@daily` and so on
                     * @example 15 6 * * 1-5
                     */
                    cron?: string;
                    /**
                     * @description IANA name of the time zone
                     * @example Europe/Berlin
                     */
                    timezone?: string;
                    /** @description null allows any time */
                    window?: {
                        start: string;
                        end: string;
                        /**
                         * @description IANA name of the time zone
                         * @example Europe/Berlin
                         */
                        timezone: string;
                    } | null;
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
                     *       "account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "cron": "15 6 * * 1-5",
                     *       "timezone": "Europe/Berlin",
                     *       "window": {
                     *         "start": "22:00",
                     *         "end": "07:00",
                     *         "timezone": "Europe/Berlin"
                     *       },
                     *       "enabled": true,
                     *       "consecutive_failures": 0,
                     *       "next_run_at": "2026-10-08T04:16:53.000Z",
                     *       "last_scan_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        account_id: string;
                        /**
                         * @description Minute, hour, day of month, month and day of week, or `@hourly`, `@daily` and so on
                         * @example 15 6 * * 1-5
                         */
                        cron: string;
                        /**
                         * @description IANA name of the time zone
                         * @example Europe/Berlin
                         */
                        timezone: string;
                        window?: {
                            start: string;
                            end: string;
                            /**
                             * @description IANA name of the time zone
                             * @example Europe/Berlin
                             */
                            timezone: string;
                        };
                        enabled: boolean;
                        /** @description Consecutive failed scans. The fifth disables the schedule */
                        consecutive_failures: number;
                        /** Format: date-time */
                        disabled_at?: string;
                        /** @description Why Leeway disabled the schedule */
                        disabled_reason?: string;
                        /** Format: date-time */
                        next_run_at?: string;
                        /** Format: uuid */
                        last_scan_id?: string;
                        /** @description Time and reason of the last run that started no scan */
                        last_skip?: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        };
                        created_by: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["empty_update.invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["no_credentials"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listResources: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Cloud account. Several values are alternatives. `!` before a value leaves it out */
                account_id?: string | string[];
                /** @description Category, the same in all clouds. Several values are alternatives. `!` before a value leaves it out */
                normalized_type?: ("compute_instance" | "compute_group" | "container_cluster" | "container_service" | "serverless_function" | "object_storage" | "block_storage" | "file_storage" | "database" | "database_cluster" | "cache" | "data_warehouse" | "queue" | "topic" | "stream" | "search" | "network" | "subnet" | "route" | "gateway" | "load_balancer" | "firewall" | "dns_zone" | "dns_record" | "cdn" | "certificate" | "encryption_key" | "secret" | "iam_role" | "iam_user" | "iam_policy" | "service_account" | "container_registry" | "log_group" | "monitor" | "backup" | "project" | "other" | "!compute_instance" | "!compute_group" | "!container_cluster" | "!container_service" | "!serverless_function" | "!object_storage" | "!block_storage" | "!file_storage" | "!database" | "!database_cluster" | "!cache" | "!data_warehouse" | "!queue" | "!topic" | "!stream" | "!search" | "!network" | "!subnet" | "!route" | "!gateway" | "!load_balancer" | "!firewall" | "!dns_zone" | "!dns_record" | "!cdn" | "!certificate" | "!encryption_key" | "!secret" | "!iam_role" | "!iam_user" | "!iam_policy" | "!service_account" | "!container_registry" | "!log_group" | "!monitor" | "!backup" | "!project" | "!other") | ("compute_instance" | "compute_group" | "container_cluster" | "container_service" | "serverless_function" | "object_storage" | "block_storage" | "file_storage" | "database" | "database_cluster" | "cache" | "data_warehouse" | "queue" | "topic" | "stream" | "search" | "network" | "subnet" | "route" | "gateway" | "load_balancer" | "firewall" | "dns_zone" | "dns_record" | "cdn" | "certificate" | "encryption_key" | "secret" | "iam_role" | "iam_user" | "iam_policy" | "service_account" | "container_registry" | "log_group" | "monitor" | "backup" | "project" | "other" | "!compute_instance" | "!compute_group" | "!container_cluster" | "!container_service" | "!serverless_function" | "!object_storage" | "!block_storage" | "!file_storage" | "!database" | "!database_cluster" | "!cache" | "!data_warehouse" | "!queue" | "!topic" | "!stream" | "!search" | "!network" | "!subnet" | "!route" | "!gateway" | "!load_balancer" | "!firewall" | "!dns_zone" | "!dns_record" | "!cdn" | "!certificate" | "!encryption_key" | "!secret" | "!iam_role" | "!iam_user" | "!iam_policy" | "!service_account" | "!container_registry" | "!log_group" | "!monitor" | "!backup" | "!project" | "!other")[];
                /** @description Type as the cloud names it. Several values are alternatives. `!` before a value leaves it out */
                provider_type?: string | string[];
                /** @description Region. Several values are alternatives. `!` before a value leaves it out */
                region?: string | string[];
                /** @description Tag of the live resource: `team=data`, or `team` for any value. Several values are alternatives. `!` before a value leaves it out */
                tag?: string | string[];
                /** @description Address of the module that declares the resource. Several values are alternatives. `!` before a value leaves it out */
                module_address?: string | string[];
                /** @description Whether it is declared. Several values are alternatives. `!` before a value leaves it out */
                match?: ("matched" | "undeclared" | "excluded" | "unchecked" | "!matched" | "!undeclared" | "!excluded" | "!unchecked") | ("matched" | "undeclared" | "excluded" | "unchecked" | "!matched" | "!undeclared" | "!excluded" | "!unchecked")[];
                /** @description How to treat resources that an exclusion rule matches. Default: `include` */
                excluded?: "exclude" | "include";
                /** @description Whether its properties were fetched. Several values are alternatives. `!` before a value leaves it out */
                enrichment_status?: ("none" | "enriched" | "failed" | "n/a" | "!none" | "!enriched" | "!failed" | "!n/a") | ("none" | "enriched" | "failed" | "n/a" | "!none" | "!enriched" | "!failed" | "!n/a")[];
                /** @description Part of the name, of the provider's id, of a tag (`team=data`) or of the declared address. Case doesn't matter */
                q?: string;
                seen_since?: string;
                first_seen_since?: string;
                /** @description `total_count` adds the total number, which takes longer */
                include?: "total_count";
                /** @description Alias of `account_id` */
                cloud_account_id?: string | string[];
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resources */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *           "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "provider": "aws",
                     *           "provider_resource_id": "arn:aws:sqs:eu-central-1:123456789012:orders",
                     *           "provider_type": "AWS::SQS::Queue",
                     *           "normalized_type": "queue",
                     *           "region": "eu-central-1",
                     *           "name": "orders",
                     *           "iac_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *           "enrichment_status": "none",
                     *           "match": {
                     *             "status": "matched",
                     *             "level": "identity",
                     *             "confidence": 1
                     *           },
                     *           "first_seen_at": "2026-10-07T09:30:00.000Z",
                     *           "last_seen_at": "2026-10-07T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LiveResource"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                        /** @description Absent if counting would take too long */
                        total_count?: number;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    groupResources: {
        parameters: {
            query?: {
                /** @description Value to count by. Default: `type` */
                by?: "account" | "category" | "type" | "region" | "module" | "match" | "properties";
                /** @description Cloud account. Several values are alternatives. `!` before a value leaves it out */
                account_id?: string | string[];
                /** @description Category, the same in all clouds. Several values are alternatives. `!` before a value leaves it out */
                normalized_type?: ("compute_instance" | "compute_group" | "container_cluster" | "container_service" | "serverless_function" | "object_storage" | "block_storage" | "file_storage" | "database" | "database_cluster" | "cache" | "data_warehouse" | "queue" | "topic" | "stream" | "search" | "network" | "subnet" | "route" | "gateway" | "load_balancer" | "firewall" | "dns_zone" | "dns_record" | "cdn" | "certificate" | "encryption_key" | "secret" | "iam_role" | "iam_user" | "iam_policy" | "service_account" | "container_registry" | "log_group" | "monitor" | "backup" | "project" | "other" | "!compute_instance" | "!compute_group" | "!container_cluster" | "!container_service" | "!serverless_function" | "!object_storage" | "!block_storage" | "!file_storage" | "!database" | "!database_cluster" | "!cache" | "!data_warehouse" | "!queue" | "!topic" | "!stream" | "!search" | "!network" | "!subnet" | "!route" | "!gateway" | "!load_balancer" | "!firewall" | "!dns_zone" | "!dns_record" | "!cdn" | "!certificate" | "!encryption_key" | "!secret" | "!iam_role" | "!iam_user" | "!iam_policy" | "!service_account" | "!container_registry" | "!log_group" | "!monitor" | "!backup" | "!project" | "!other") | ("compute_instance" | "compute_group" | "container_cluster" | "container_service" | "serverless_function" | "object_storage" | "block_storage" | "file_storage" | "database" | "database_cluster" | "cache" | "data_warehouse" | "queue" | "topic" | "stream" | "search" | "network" | "subnet" | "route" | "gateway" | "load_balancer" | "firewall" | "dns_zone" | "dns_record" | "cdn" | "certificate" | "encryption_key" | "secret" | "iam_role" | "iam_user" | "iam_policy" | "service_account" | "container_registry" | "log_group" | "monitor" | "backup" | "project" | "other" | "!compute_instance" | "!compute_group" | "!container_cluster" | "!container_service" | "!serverless_function" | "!object_storage" | "!block_storage" | "!file_storage" | "!database" | "!database_cluster" | "!cache" | "!data_warehouse" | "!queue" | "!topic" | "!stream" | "!search" | "!network" | "!subnet" | "!route" | "!gateway" | "!load_balancer" | "!firewall" | "!dns_zone" | "!dns_record" | "!cdn" | "!certificate" | "!encryption_key" | "!secret" | "!iam_role" | "!iam_user" | "!iam_policy" | "!service_account" | "!container_registry" | "!log_group" | "!monitor" | "!backup" | "!project" | "!other")[];
                /** @description Type as the cloud names it. Several values are alternatives. `!` before a value leaves it out */
                provider_type?: string | string[];
                /** @description Region. Several values are alternatives. `!` before a value leaves it out */
                region?: string | string[];
                /** @description Tag of the live resource: `team=data`, or `team` for any value. Several values are alternatives. `!` before a value leaves it out */
                tag?: string | string[];
                /** @description Address of the module that declares the resource. Several values are alternatives. `!` before a value leaves it out */
                module_address?: string | string[];
                /** @description Whether it is declared. Several values are alternatives. `!` before a value leaves it out */
                match?: ("matched" | "undeclared" | "excluded" | "unchecked" | "!matched" | "!undeclared" | "!excluded" | "!unchecked") | ("matched" | "undeclared" | "excluded" | "unchecked" | "!matched" | "!undeclared" | "!excluded" | "!unchecked")[];
                /** @description How to treat resources that an exclusion rule matches. Default: `include` */
                excluded?: "exclude" | "include";
                /** @description Whether its properties were fetched. Several values are alternatives. `!` before a value leaves it out */
                enrichment_status?: ("none" | "enriched" | "failed" | "n/a" | "!none" | "!enriched" | "!failed" | "!n/a") | ("none" | "enriched" | "failed" | "n/a" | "!none" | "!enriched" | "!failed" | "!n/a")[];
                /** @description Part of the name, of the provider's id, of a tag (`team=data`) or of the declared address. Case doesn't matter */
                q?: string;
                seen_since?: string;
                first_seen_since?: string;
                /** @description Alias of `account_id` */
                cloud_account_id?: string | string[];
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "key": "eu-west-1",
                     *           "count": 12
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description Value of the filter that lists the group. Absent for resources without a value */
                            key?: string;
                            count: number;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                        /** @description Whether there are too many resources to count all of them */
                        is_partial?: boolean;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getResource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "provider": "aws",
                     *       "provider_resource_id": "arn:aws:sqs:eu-central-1:123456789012:orders",
                     *       "provider_type": "AWS::SQS::Queue",
                     *       "normalized_type": "queue",
                     *       "region": "eu-central-1",
                     *       "name": "orders",
                     *       "iac_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *       "enrichment_status": "none",
                     *       "match": {
                     *         "status": "matched",
                     *         "level": "identity",
                     *         "confidence": 1,
                     *         "key": "arn:aws:sqs:eu-central-1:123456789012:orders",
                     *         "tried": [
                     *           {
                     *             "key": "arn:aws:sqs:eu-central-1:123456789012:orders",
                     *             "level": "identity",
                     *             "outcome": "matched",
                     *             "explanation": "network/prod declares it as aws_sqs_queue.orders"
                     *           }
                     *         ],
                     *         "claimed_by": [
                     *           "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99"
                     *         ]
                     *       },
                     *       "first_seen_at": "2026-10-07T09:30:00.000Z",
                     *       "last_seen_at": "2026-10-07T14:05:12.000Z",
                     *       "properties": {
                     *         "QueueName": "orders",
                     *         "VisibilityTimeout": 30
                     *       },
                     *       "redactions": [],
                     *       "tags": {
                     *         "team": "shop"
                     *       },
                     *       "comparison": {
                     *         "settable": 17,
                     *         "compared": 16,
                     *         "not_compared": [
                     *           {
                     *             "attribute": "timeouts",
                     *             "reason": "provider_only"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LiveResourceDetail"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            409: components["responses"]["ambiguous_resource"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    enrichResource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                resource_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The resource */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "provider": "aws",
                     *       "provider_resource_id": "arn:aws:sqs:eu-central-1:123456789012:orders",
                     *       "provider_type": "AWS::SQS::Queue",
                     *       "normalized_type": "queue",
                     *       "region": "eu-central-1",
                     *       "name": "orders",
                     *       "iac_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *       "enrichment_status": "enriched",
                     *       "match": {
                     *         "status": "matched",
                     *         "level": "identity",
                     *         "confidence": 1
                     *       },
                     *       "first_seen_at": "2026-10-07T09:30:00.000Z",
                     *       "last_seen_at": "2026-10-07T14:05:12.000Z",
                     *       "enriched_at": "2026-10-07T14:05:12.000Z",
                     *       "properties": {
                     *         "QueueName": "orders",
                     *         "VisibilityTimeout": 30,
                     *         "Tags": [
                     *           {
                     *             "Key": "token",
                     *             "Value": "[redacted]"
                     *           }
                     *         ]
                     *       },
                     *       "redactions": [
                     *         "/Tags/0/Value"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        cloud_account_id: string;
                        provider: string;
                        provider_resource_id: string;
                        provider_type: string;
                        /** @enum {string} */
                        normalized_type: "compute_instance" | "compute_group" | "container_cluster" | "container_service" | "serverless_function" | "object_storage" | "block_storage" | "file_storage" | "database" | "database_cluster" | "cache" | "data_warehouse" | "queue" | "topic" | "stream" | "search" | "network" | "subnet" | "route" | "gateway" | "load_balancer" | "firewall" | "dns_zone" | "dns_record" | "cdn" | "certificate" | "encryption_key" | "secret" | "iam_role" | "iam_user" | "iam_policy" | "service_account" | "container_registry" | "log_group" | "monitor" | "backup" | "project" | "other";
                        region?: string;
                        name?: string;
                        /** Format: uuid */
                        iac_resource_id?: string;
                        /** @enum {string} */
                        enrichment_status: "none" | "enriched" | "failed" | "n/a";
                        /** Format: date-time */
                        enriched_at?: string;
                        match: {
                            /** @enum {string} */
                            status: "matched" | "undeclared" | "excluded" | "unchecked";
                            /** @enum {string} */
                            level?: "identity" | "id" | "type_id" | "name" | "owner";
                            confidence?: number;
                            /** @description Whether it is declared more than once, in several sources or at several addresses */
                            conflict?: boolean;
                        };
                        /** @description Id of the exclusion rule that excludes it from the counts */
                        excluded_by?: string;
                        /** Format: date-time */
                        first_seen_at: string;
                        /** Format: date-time */
                        last_seen_at: string;
                        /** @description Properties from the cloud, redacted */
                        properties?: unknown;
                        /** @description JSON pointers to redacted values */
                        redactions?: string[];
                        enrichment_failure_reason?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["ambiguous_resource"];
            422: components["responses"]["enrichment_failed"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["registry_not_configured.unavailable"];
        };
    };
    createAdoption: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "resource_ids": [
                 *         "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98"
                 *       ]
                 *     }
                 */
                "application/json": {
                    resource_ids?: string[];
                    filter?: {
                        /** @description Cloud account. Several values are alternatives. `!` before a value leaves it out */
                        account_id?: string | string[];
                        /** @description Category, the same in all clouds. Several values are alternatives. `!` before a value leaves it out */
                        normalized_type?: ("compute_instance" | "compute_group" | "container_cluster" | "container_service" | "serverless_function" | "object_storage" | "block_storage" | "file_storage" | "database" | "database_cluster" | "cache" | "data_warehouse" | "queue" | "topic" | "stream" | "search" | "network" | "subnet" | "route" | "gateway" | "load_balancer" | "firewall" | "dns_zone" | "dns_record" | "cdn" | "certificate" | "encryption_key" | "secret" | "iam_role" | "iam_user" | "iam_policy" | "service_account" | "container_registry" | "log_group" | "monitor" | "backup" | "project" | "other" | "!compute_instance" | "!compute_group" | "!container_cluster" | "!container_service" | "!serverless_function" | "!object_storage" | "!block_storage" | "!file_storage" | "!database" | "!database_cluster" | "!cache" | "!data_warehouse" | "!queue" | "!topic" | "!stream" | "!search" | "!network" | "!subnet" | "!route" | "!gateway" | "!load_balancer" | "!firewall" | "!dns_zone" | "!dns_record" | "!cdn" | "!certificate" | "!encryption_key" | "!secret" | "!iam_role" | "!iam_user" | "!iam_policy" | "!service_account" | "!container_registry" | "!log_group" | "!monitor" | "!backup" | "!project" | "!other") | ("compute_instance" | "compute_group" | "container_cluster" | "container_service" | "serverless_function" | "object_storage" | "block_storage" | "file_storage" | "database" | "database_cluster" | "cache" | "data_warehouse" | "queue" | "topic" | "stream" | "search" | "network" | "subnet" | "route" | "gateway" | "load_balancer" | "firewall" | "dns_zone" | "dns_record" | "cdn" | "certificate" | "encryption_key" | "secret" | "iam_role" | "iam_user" | "iam_policy" | "service_account" | "container_registry" | "log_group" | "monitor" | "backup" | "project" | "other" | "!compute_instance" | "!compute_group" | "!container_cluster" | "!container_service" | "!serverless_function" | "!object_storage" | "!block_storage" | "!file_storage" | "!database" | "!database_cluster" | "!cache" | "!data_warehouse" | "!queue" | "!topic" | "!stream" | "!search" | "!network" | "!subnet" | "!route" | "!gateway" | "!load_balancer" | "!firewall" | "!dns_zone" | "!dns_record" | "!cdn" | "!certificate" | "!encryption_key" | "!secret" | "!iam_role" | "!iam_user" | "!iam_policy" | "!service_account" | "!container_registry" | "!log_group" | "!monitor" | "!backup" | "!project" | "!other")[];
                        /** @description Type as the cloud names it. Several values are alternatives. `!` before a value leaves it out */
                        provider_type?: string | string[];
                        /** @description Region. Several values are alternatives. `!` before a value leaves it out */
                        region?: string | string[];
                        /** @description Tag of the live resource: `team=data`, or `team` for any value. Several values are alternatives. `!` before a value leaves it out */
                        tag?: string | string[];
                        /** @description Address of the module that declares the resource. Several values are alternatives. `!` before a value leaves it out */
                        module_address?: string | string[];
                        /** @description Whether its properties were fetched. Several values are alternatives. `!` before a value leaves it out */
                        enrichment_status?: ("none" | "enriched" | "failed" | "n/a" | "!none" | "!enriched" | "!failed" | "!n/a") | ("none" | "enriched" | "failed" | "n/a" | "!none" | "!enriched" | "!failed" | "!n/a")[];
                        /** @description Part of the name, of the provider's id, of a tag (`team=data`) or of the declared address. Case doesn't matter */
                        q?: string;
                        /** Format: date-time */
                        seen_since?: string;
                        /** Format: date-time */
                        first_seen_since?: string;
                    };
                    /** Format: uuid */
                    source_id?: string;
                    /**
                     * @description Tool whose version and command the comment at the top of each file names
                     * @default terraform
                     * @enum {string}
                     */
                    tool?: "terraform" | "opentofu";
                    /**
                     * Format: uuid
                     * @description Alias of `source_id`
                     */
                    iac_source_id?: string;
                };
            };
        };
        responses: {
            /** @description The code */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "files": [
                     *         {
                     *           "path": "adopted.tf",
                     *           "content": "# Adopted from aws:123456789012, region eu-west-1. Configure the provider for the same.\n# Needs Terraform 1.5 or newer. Before you apply, `terraform plan` must show imports and no other changes.\n\nimport {\n  to = aws_sqs_queue.orders\n  id = \"https://sqs.eu-west-1.amazonaws.com/123456789012/orders\"\n}\n\nresource \"aws_sqs_queue\" \"orders\" {\n  name                       = \"orders\"\n  visibility_timeout_seconds = 60\n}\n"
                     *         }
                     *       ],
                     *       "resources": [
                     *         {
                     *           "resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *           "address": "aws_sqs_queue.orders",
                     *           "import_id": "https://sqs.eu-west-1.amazonaws.com/123456789012/orders",
                     *           "status": "complete",
                     *           "omitted": [],
                     *           "references": []
                     *         }
                     *       ],
                     *       "counts": {
                     *         "complete": 1,
                     *         "partial": 0,
                     *         "refused": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        files: {
                            /** @description Relative path; one folder for each account and region if there are several */
                            path: string;
                            /** @description Code as `terraform fmt` writes it */
                            content: string;
                        }[];
                        resources: {
                            /** @description The live resource: Leeway's id, in the CLI the provider's */
                            resource_id: string;
                            /** @description Address of the new resource block; absent if refused */
                            address?: string;
                            /** @description Id in its `import` block; absent if refused */
                            import_id?: string;
                            /** @enum {string} */
                            status: "complete" | "partial" | "refused";
                            /** @description Why it was refused, or why it is only partial */
                            reason?: string;
                            omitted: {
                                /** @description Path of the argument */
                                attribute: string;
                                /** @description Why it isn't written, or is a variable */
                                reason: string;
                            }[];
                            references: {
                                /** @description Path of the argument */
                                attribute: string;
                                /** @description Address of the resource that it refers to */
                                address: string;
                            }[];
                        }[];
                        counts: {
                            complete: number;
                            partial: number;
                            refused: number;
                        };
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listTypes: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The types */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "type": "aws_sqs_queue",
                     *           "provider": "aws",
                     *           "declared_count": 12,
                     *           "live_count": 14,
                     *           "undeclared_count": 3,
                     *           "settable_count": 17,
                     *           "compared_count": 16,
                     *           "compared_pct": 94.1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ResourceType"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getPosture: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rows */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "name": "production",
                     *           "provider": "aws",
                     *           "external_id": "123456789012",
                     *           "coverage_pct": 95.83,
                     *           "coverage_reliable": true,
                     *           "risk_level": "medium",
                     *           "risk_counts": {
                     *             "critical": 0,
                     *             "high": 0,
                     *             "medium": 2,
                     *             "low": 3
                     *           },
                     *           "undeclared_risk_level": "high",
                     *           "undeclared_risk_counts": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 4
                     *           },
                     *           "changed_count": 4,
                     *           "live_count": 120,
                     *           "matched_count": 115,
                     *           "undeclared_count": 5,
                     *           "unchecked_count": 0,
                     *           "excluded_count": 2,
                     *           "missing_count": 1,
                     *           "unobserved_count": 3,
                     *           "drift_status": "ready",
                     *           "drift_snapshot_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e97",
                     *           "last_scan_at": "2026-10-07T14:05:12.000Z",
                     *           "last_drift_at": "2026-10-07T14:05:12.000Z",
                     *           "latest_scan": {
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *             "status": "succeeded",
                     *             "at": "2026-10-07T14:05:12.000Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PostureRow"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getPostureTrend: {
        parameters: {
            query?: {
                account_id?: string;
                /** @description Number of days, including today */
                days?: number;
                /** @description Alias of `account_id` */
                cloud_account_id?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The points */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "date": "2026-10-07",
                     *           "drift_snapshot_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e97",
                     *           "coverage_pct": 95.83,
                     *           "coverage_reliable": true,
                     *           "risk_level": "medium",
                     *           "risk_counts": {
                     *             "critical": 0,
                     *             "high": 0,
                     *             "medium": 2,
                     *             "low": 3
                     *           },
                     *           "undeclared_risk_level": "high",
                     *           "undeclared_risk_counts": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 4
                     *           },
                     *           "changed_count": 4,
                     *           "live_count": 120,
                     *           "matched_count": 115,
                     *           "undeclared_count": 5,
                     *           "unchecked_count": 0,
                     *           "excluded_count": 2,
                     *           "missing_count": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            cloud_account_id: string;
                            /** @description `YYYY-MM-DD` */
                            date: string;
                            /** Format: uuid */
                            drift_snapshot_id: string;
                            coverage_pct: number;
                            coverage_reliable: boolean;
                            /** @enum {string} */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                            risk_counts: {
                                critical: number;
                                high: number;
                                medium: number;
                                low: number;
                            };
                            /**
                             * @description Highest level of undeclared resources, rated as if a plan created them. Not part of `risk_level`
                             * @enum {string}
                             */
                            undeclared_risk_level?: "critical" | "high" | "medium" | "low" | "none";
                            /** @description Undeclared resources by level, and undeclared grants on declared resources. Ignored ones aren't counted */
                            undeclared_risk_counts?: {
                                critical: number;
                                high: number;
                                medium: number;
                                low: number;
                            };
                            /** @description Resources whose attributes differ from their declaration, without noise */
                            changed_count: number;
                            /** @description Live resources that no exclusion rule matches */
                            live_count: number;
                            /** @description Live resources that are declared */
                            matched_count: number;
                            /** @description Live resources that aren't declared */
                            undeclared_count: number;
                            /** @description Undeclared resources of types that can't be matched reliably */
                            unchecked_count: number;
                            /** @description Resources that an exclusion rule matches */
                            excluded_count: number;
                            /** @description Declared resources that aren't live */
                            missing_count: number;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listDriftSnapshots: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                account_id?: string;
                status?: "pending" | "ready" | "error";
                /** @description Alias of `account_id` */
                cloud_account_id?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshots */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e97",
                     *           "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "scan_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *           "status": "ready",
                     *           "live_count": 120,
                     *           "matched_count": 115,
                     *           "undeclared_count": 5,
                     *           "unchecked_count": 0,
                     *           "excluded_count": 2,
                     *           "missing_count": 1,
                     *           "changed_count": 4,
                     *           "coverage_pct": 95.83,
                     *           "coverage_reliable": true,
                     *           "risk_level": "medium",
                     *           "risk_counts": {
                     *             "critical": 0,
                     *             "high": 0,
                     *             "medium": 2,
                     *             "low": 3
                     *           },
                     *           "undeclared_risk_level": "high",
                     *           "undeclared_risk_counts": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 4
                     *           },
                     *           "created_at": "2026-10-07T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DriftSnapshot"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getDriftSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                snapshot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The snapshot */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e97",
                     *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "scan_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e96",
                     *       "status": "ready",
                     *       "live_count": 120,
                     *       "matched_count": 115,
                     *       "undeclared_count": 5,
                     *       "unchecked_count": 0,
                     *       "excluded_count": 2,
                     *       "missing_count": 1,
                     *       "changed_count": 4,
                     *       "coverage_pct": 95.83,
                     *       "coverage_reliable": true,
                     *       "risk_level": "medium",
                     *       "risk_counts": {
                     *         "critical": 0,
                     *         "high": 0,
                     *         "medium": 2,
                     *         "low": 3
                     *       },
                     *       "undeclared_risk_level": "high",
                     *       "undeclared_risk_counts": {
                     *         "critical": 0,
                     *         "high": 1,
                     *         "medium": 0,
                     *         "low": 4
                     *       },
                     *       "created_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["DriftSnapshot"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listExclusionRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "aws-service-linked-roles",
                     *           "provider": "aws",
                     *           "title": "Service-linked roles, which only AWS services can change",
                     *           "enabled": true,
                     *           "excluded_count": 2
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ExclusionRule"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateExclusionRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": {
                    enabled: boolean;
                };
            };
        };
        responses: {
            /** @description The rule */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "aws-service-linked-roles",
                     *       "provider": "aws",
                     *       "title": "Service-linked roles, which only AWS services can change",
                     *       "enabled": false,
                     *       "excluded_count": 0
                     *     }
                     */
                    "application/json": components["schemas"]["ExclusionRule"];
                };
            };
            400: components["responses"]["empty_update.invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listDriftChanges: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Cloud account. Several values are alternatives. `!` before a value leaves it out */
                account_id?: string | string[];
                /** @description Kind of change. Several values are alternatives. `!` before a value leaves it out */
                kind?: ("changed" | "missing" | "undeclared" | "pending" | "!changed" | "!missing" | "!undeclared" | "!pending") | ("changed" | "missing" | "undeclared" | "pending" | "!changed" | "!missing" | "!undeclared" | "!pending")[];
                /** @description Risk level. Several values are alternatives. `!` before a value leaves it out */
                risk_level?: ("critical" | "high" | "medium" | "low" | "none" | "!critical" | "!high" | "!medium" | "!low" | "!none") | ("critical" | "high" | "medium" | "low" | "none" | "!critical" | "!high" | "!medium" | "!low" | "!none")[];
                /** @description How to treat changes that are only noise */
                noise?: "exclude" | "only" | "include";
                /** @description How to treat changes that a rule of the organization hides */
                hidden?: "exclude" | "only" | "include";
                /** @description Lowest risk level to include */
                min_risk?: "critical" | "high" | "medium" | "low" | "none";
                /** @description Decision about the change. Several values are alternatives. `!` before a value leaves it out */
                disposition?: ("open" | "acknowledged" | "ignored" | "!open" | "!acknowledged" | "!ignored") | ("open" | "acknowledged" | "ignored" | "!open" | "!acknowledged" | "!ignored")[];
                /** @description How to treat ignored changes. Default: `include` */
                ignored?: "exclude" | "include";
                /** @description Type of the resource, as its change names it. Several values are alternatives. `!` before a value leaves it out */
                resource_type?: string | string[];
                /** @description Address of the module that declares the resource. Several values are alternatives. `!` before a value leaves it out */
                module_address?: string | string[];
                /** @description Region of the live or else of the declared resource. Several values are alternatives. `!` before a value leaves it out */
                region?: string | string[];
                /** @description Tag of the live resource: `team=data`, or `team` for any value. Several values are alternatives. `!` before a value leaves it out */
                tag?: string | string[];
                /** @description Part of the address, of the name or of the provider's id. Case doesn't matter */
                q?: string;
                /** @description Author according to the cloud's audit log. Several values are alternatives. `!` before a value leaves it out */
                principal?: string | string[];
                /** @description Key of a group by person_hour: changes by the same author within an hour */
                person_hour?: string;
                /** @description Key of a group by cause: the same difference in resources of the same type */
                cause?: string;
                /** @description Lists the changes that are new or worse since this time. Accounts are compared with their last snapshot before it, or else with their first */
                since?: string;
                /** @description With `since`: lists only these changes. `gone` lists changes that no longer exist */
                movement?: "new" | "worse" | "gone";
                /** @description Order: `risk`, the default, is highest first, `first_seen_at` oldest first; a minus reverses it */
                sort?: "risk" | "-risk" | "first_seen_at" | "-first_seen_at";
                /** @description Alias of `account_id` */
                cloud_account_id?: string | string[];
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea1",
                     *           "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "kind": "changed",
                     *           "actions": [
                     *             "update"
                     *           ],
                     *           "address": "aws_lambda_function.orders",
                     *           "resource_type": "aws_lambda_function",
                     *           "provider_name": "registry.terraform.io/hashicorp/aws",
                     *           "provider_resource_id": "arn:aws:lambda:eu-west-1:123456789012:function:orders",
                     *           "live_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *           "iac_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *           "attribute_changes": [
                     *             {
                     *               "path": [
                     *                 "timeout"
                     *               ],
                     *               "before": 30,
                     *               "after": 60,
                     *               "before_sensitive": false,
                     *               "after_sensitive": false,
                     *               "unknown": false
                     *             }
                     *           ],
                     *           "risk_level": "low",
                     *           "risk_flags": [
                     *             {
                     *               "rule": "R23",
                     *               "flag": "update",
                     *               "evidence": [
                     *                 [
                     *                   "timeout"
                     *                 ]
                     *               ]
                     *             }
                     *           ],
                     *           "fingerprint": "dc1_4f1c2b7d9a3e48260b5d7c9e1f3a5b7d",
                     *           "first_seen_at": "2026-10-07T09:30:00.000Z",
                     *           "seen_count": 3,
                     *           "disposition": {
                     *             "status": "open"
                     *           },
                     *           "actor": {
                     *             "principal": "arn:aws:sts::123456789012:assumed-role/admin/anna@example.com",
                     *             "event": "UpdateFunctionConfiguration20150331v2",
                     *             "source": "aws_cloudtrail",
                     *             "at": "2026-10-07T09:12:00.000Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            cloud_account_id: string;
                            /** @enum {string} */
                            kind: "changed" | "missing" | "undeclared" | "pending";
                            actions: string[];
                            address?: string;
                            module_address?: string;
                            resource_type: string;
                            provider_name: string;
                            provider_resource_id?: string;
                            /** @description Display name of a resource that isn't declared */
                            resource_name?: string;
                            /** Format: uuid */
                            live_resource_id?: string;
                            /** Format: uuid */
                            iac_resource_id?: string;
                            /** @description `before` is the declared value, `after` the live value */
                            attribute_changes: {
                                path: (string | number)[];
                                before: unknown;
                                after: unknown;
                                before_sensitive: boolean;
                                after_sensitive: boolean;
                                /** @description Whether the value is only known after apply */
                                unknown: boolean;
                            }[];
                            /** @enum {string} */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                            risk_flags: {
                                rule: string;
                                flag: string;
                                /** @description Attributes that triggered the rule */
                                evidence: (string | number)[][];
                                /** @description Same as a finding's message. Absent if no attribute is known */
                                message?: string;
                            }[];
                            /** @description Set if the whole change is noise */
                            noise?: {
                                fingerprint: string;
                                /** @enum {string} */
                                class: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
                                confidence: number;
                            };
                            fingerprint: string;
                            /** Format: date-time */
                            first_seen_at: string;
                            /** @description Number of snapshots of the account that contained it */
                            seen_count: number;
                            disposition: {
                                /** @enum {string} */
                                status: "open" | "acknowledged" | "ignored" | "resolved";
                                /** Format: date-time */
                                until?: string;
                                reason?: string;
                                by?: components["schemas"]["Actor"];
                                /**
                                 * Format: date-time
                                 * @description Time of the decision. Absent if it is older than its recording
                                 */
                                at?: string;
                            };
                            /** @description Absent if unknown. Audit logs arrive late, and some accounts don't allow Leeway to read them */
                            actor?: {
                                /** @description Identity as the cloud names it, such as an ARN or an e-mail address */
                                principal: string;
                                /** @description The cloud's name of the operation */
                                event: string;
                                /** @enum {string} */
                                source: "aws_cloudtrail" | "gcp_audit_log" | "azure_activity_log";
                                /** Format: date-time */
                                at: string;
                            };
                            /** @description Rule of the organization */
                            hidden_by?: {
                                id: string;
                                name: string;
                            };
                            /** @description Rule of the organization that raised `risk_level`, and the level without rules */
                            raised?: {
                                /** @enum {string} */
                                from: "critical" | "high" | "medium" | "low" | "none";
                                /** @description Rule of the organization */
                                by: {
                                    id: string;
                                    name: string;
                                };
                            };
                            /** @description Labels from rules of the organization */
                            labels?: string[];
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    groupDriftChanges: {
        parameters: {
            query?: {
                by?: "cause" | "type" | "module" | "account" | "person" | "person_hour" | "kind" | "risk" | "decision" | "region";
                /** @description Cloud account. Several values are alternatives. `!` before a value leaves it out */
                account_id?: string | string[];
                /** @description Kind of change. Several values are alternatives. `!` before a value leaves it out */
                kind?: ("changed" | "missing" | "undeclared" | "pending" | "!changed" | "!missing" | "!undeclared" | "!pending") | ("changed" | "missing" | "undeclared" | "pending" | "!changed" | "!missing" | "!undeclared" | "!pending")[];
                /** @description Risk level. Several values are alternatives. `!` before a value leaves it out */
                risk_level?: ("critical" | "high" | "medium" | "low" | "none" | "!critical" | "!high" | "!medium" | "!low" | "!none") | ("critical" | "high" | "medium" | "low" | "none" | "!critical" | "!high" | "!medium" | "!low" | "!none")[];
                /** @description How to treat changes that are only noise */
                noise?: "exclude" | "only" | "include";
                /** @description How to treat changes that a rule of the organization hides */
                hidden?: "exclude" | "only" | "include";
                /** @description Lowest risk level to include */
                min_risk?: "critical" | "high" | "medium" | "low" | "none";
                /** @description Decision about the change. Several values are alternatives. `!` before a value leaves it out */
                disposition?: ("open" | "acknowledged" | "ignored" | "!open" | "!acknowledged" | "!ignored") | ("open" | "acknowledged" | "ignored" | "!open" | "!acknowledged" | "!ignored")[];
                /** @description How to treat ignored changes. Default: `include` */
                ignored?: "exclude" | "include";
                /** @description Type of the resource, as its change names it. Several values are alternatives. `!` before a value leaves it out */
                resource_type?: string | string[];
                /** @description Address of the module that declares the resource. Several values are alternatives. `!` before a value leaves it out */
                module_address?: string | string[];
                /** @description Region of the live or else of the declared resource. Several values are alternatives. `!` before a value leaves it out */
                region?: string | string[];
                /** @description Tag of the live resource: `team=data`, or `team` for any value. Several values are alternatives. `!` before a value leaves it out */
                tag?: string | string[];
                /** @description Part of the address, of the name or of the provider's id. Case doesn't matter */
                q?: string;
                /** @description Author according to the cloud's audit log. Several values are alternatives. `!` before a value leaves it out */
                principal?: string | string[];
                /** @description Key of a group by person_hour: changes by the same author within an hour */
                person_hour?: string;
                /** @description Key of a group by cause: the same difference in resources of the same type */
                cause?: string;
                /** @description Lists the changes that are new or worse since this time. Accounts are compared with their last snapshot before it, or else with their first */
                since?: string;
                /** @description With `since`: lists only these changes. `gone` lists changes that no longer exist */
                movement?: "new" | "worse" | "gone";
                /** @description Alias of `account_id` */
                cloud_account_id?: string | string[];
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The groups */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "key": "aws_lambda_function",
                     *           "count": 12,
                     *           "risk_level": "low",
                     *           "example": {
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea1",
                     *             "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *             "kind": "changed",
                     *             "actions": [
                     *               "update"
                     *             ],
                     *             "address": "aws_lambda_function.orders",
                     *             "resource_type": "aws_lambda_function",
                     *             "provider_name": "registry.terraform.io/hashicorp/aws",
                     *             "provider_resource_id": "arn:aws:lambda:eu-west-1:123456789012:function:orders",
                     *             "live_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *             "iac_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *             "attribute_changes": [
                     *               {
                     *                 "path": [
                     *                   "timeout"
                     *                 ],
                     *                 "before": 30,
                     *                 "after": 60,
                     *                 "before_sensitive": false,
                     *                 "after_sensitive": false,
                     *                 "unknown": false
                     *               }
                     *             ],
                     *             "risk_level": "low",
                     *             "risk_flags": [
                     *               {
                     *                 "rule": "R23",
                     *                 "flag": "update",
                     *                 "evidence": [
                     *                   [
                     *                     "timeout"
                     *                   ]
                     *                 ]
                     *               }
                     *             ],
                     *             "fingerprint": "dc1_4f1c2b7d9a3e48260b5d7c9e1f3a5b7d",
                     *             "first_seen_at": "2026-10-07T09:30:00.000Z",
                     *             "seen_count": 3,
                     *             "disposition": {
                     *               "status": "open"
                     *             },
                     *             "actor": {
                     *               "principal": "arn:aws:sts::123456789012:assumed-role/admin/anna@example.com",
                     *               "event": "UpdateFunctionConfiguration20150331v2",
                     *               "source": "aws_cloudtrail",
                     *               "at": "2026-10-07T09:12:00.000Z"
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description Value of the filter that lists the group. Absent for changes without a value */
                            key?: string;
                            count: number;
                            /**
                             * @description Highest level in the group
                             * @enum {string}
                             */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                            /** @description One of the changes with the highest level */
                            example: {
                                /** Format: uuid */
                                id: string;
                                /** Format: uuid */
                                cloud_account_id: string;
                                /** @enum {string} */
                                kind: "changed" | "missing" | "undeclared" | "pending";
                                actions: string[];
                                address?: string;
                                module_address?: string;
                                resource_type: string;
                                provider_name: string;
                                provider_resource_id?: string;
                                /** @description Display name of a resource that isn't declared */
                                resource_name?: string;
                                /** Format: uuid */
                                live_resource_id?: string;
                                /** Format: uuid */
                                iac_resource_id?: string;
                                /** @description `before` is the declared value, `after` the live value */
                                attribute_changes: {
                                    path: (string | number)[];
                                    before: unknown;
                                    after: unknown;
                                    before_sensitive: boolean;
                                    after_sensitive: boolean;
                                    /** @description Whether the value is only known after apply */
                                    unknown: boolean;
                                }[];
                                /** @enum {string} */
                                risk_level: "critical" | "high" | "medium" | "low" | "none";
                                risk_flags: {
                                    rule: string;
                                    flag: string;
                                    /** @description Attributes that triggered the rule */
                                    evidence: (string | number)[][];
                                    /** @description Same as a finding's message. Absent if no attribute is known */
                                    message?: string;
                                }[];
                                /** @description Set if the whole change is noise */
                                noise?: {
                                    fingerprint: string;
                                    /** @enum {string} */
                                    class: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
                                    confidence: number;
                                };
                                fingerprint: string;
                                /** Format: date-time */
                                first_seen_at: string;
                                /** @description Number of snapshots of the account that contained it */
                                seen_count: number;
                                disposition: {
                                    /** @enum {string} */
                                    status: "open" | "acknowledged" | "ignored" | "resolved";
                                    /** Format: date-time */
                                    until?: string;
                                    reason?: string;
                                    by?: components["schemas"]["Actor"];
                                    /**
                                     * Format: date-time
                                     * @description Time of the decision. Absent if it is older than its recording
                                     */
                                    at?: string;
                                };
                                /** @description Absent if unknown. Audit logs arrive late, and some accounts don't allow Leeway to read them */
                                actor?: {
                                    /** @description Identity as the cloud names it, such as an ARN or an e-mail address */
                                    principal: string;
                                    /** @description The cloud's name of the operation */
                                    event: string;
                                    /** @enum {string} */
                                    source: "aws_cloudtrail" | "gcp_audit_log" | "azure_activity_log";
                                    /** Format: date-time */
                                    at: string;
                                };
                                /** @description Rule of the organization */
                                hidden_by?: {
                                    id: string;
                                    name: string;
                                };
                                /** @description Rule of the organization that raised `risk_level`, and the level without rules */
                                raised?: {
                                    /** @enum {string} */
                                    from: "critical" | "high" | "medium" | "low" | "none";
                                    /** @description Rule of the organization */
                                    by: {
                                        id: string;
                                        name: string;
                                    };
                                };
                                /** @description Labels from rules of the organization */
                                labels?: string[];
                            };
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getDriftMovement: {
        parameters: {
            query?: {
                /** @description Default: a day ago */
                since?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "since": "2026-10-06T09:30:00.000Z",
                     *       "new_count": 3,
                     *       "worse_count": 1,
                     *       "gone_count": 2,
                     *       "accounts": [
                     *         {
                     *           "key": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "new_count": 3,
                     *           "worse_count": 1,
                     *           "gone_count": 2,
                     *           "risk_level": "high"
                     *         }
                     *       ],
                     *       "levels": [
                     *         {
                     *           "key": "high",
                     *           "new_count": 3,
                     *           "worse_count": 1,
                     *           "gone_count": 2,
                     *           "risk_level": "high"
                     *         }
                     *       ],
                     *       "types": [
                     *         {
                     *           "key": "aws_lambda_function",
                     *           "new_count": 3,
                     *           "worse_count": 1,
                     *           "gone_count": 2,
                     *           "risk_level": "high"
                     *         }
                     *       ],
                     *       "people": [
                     *         {
                     *           "key": "arn:aws:sts::123456789012:assumed-role/admin/anna@example.com",
                     *           "new_count": 3,
                     *           "worse_count": 1,
                     *           "gone_count": 2,
                     *           "risk_level": "high"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** Format: date-time */
                        since: string;
                        new_count: number;
                        /** @description Changes whose risk level is higher than before */
                        worse_count: number;
                        gone_count: number;
                        /** @description Highest risk first, at most 50 */
                        accounts: {
                            key: string;
                            new_count: number;
                            /** @description Changes whose risk level is higher than before */
                            worse_count: number;
                            gone_count: number;
                            /**
                             * @description Highest level of new and worse changes
                             * @enum {string}
                             */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                        }[];
                        /** @description Highest risk first, at most 50 */
                        levels: {
                            key: string;
                            new_count: number;
                            /** @description Changes whose risk level is higher than before */
                            worse_count: number;
                            gone_count: number;
                            /**
                             * @description Highest level of new and worse changes
                             * @enum {string}
                             */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                        }[];
                        /** @description Highest risk first, at most 50 */
                        types: {
                            key: string;
                            new_count: number;
                            /** @description Changes whose risk level is higher than before */
                            worse_count: number;
                            gone_count: number;
                            /**
                             * @description Highest level of new and worse changes
                             * @enum {string}
                             */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                        }[];
                        /** @description Highest risk first, at most 50 */
                        people: {
                            key: string;
                            new_count: number;
                            /** @description Changes whose risk level is higher than before */
                            worse_count: number;
                            gone_count: number;
                            /**
                             * @description Highest level of new and worse changes
                             * @enum {string}
                             */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getDriftChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea1",
                     *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "kind": "changed",
                     *       "actions": [
                     *         "update"
                     *       ],
                     *       "address": "aws_lambda_function.orders",
                     *       "resource_type": "aws_lambda_function",
                     *       "provider_name": "registry.terraform.io/hashicorp/aws",
                     *       "provider_resource_id": "arn:aws:lambda:eu-west-1:123456789012:function:orders",
                     *       "live_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *       "iac_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *       "attribute_changes": [
                     *         {
                     *           "path": [
                     *             "timeout"
                     *           ],
                     *           "before": 30,
                     *           "after": 60,
                     *           "before_sensitive": false,
                     *           "after_sensitive": false,
                     *           "unknown": false
                     *         }
                     *       ],
                     *       "risk_level": "low",
                     *       "risk_flags": [
                     *         {
                     *           "rule": "R23",
                     *           "flag": "update",
                     *           "evidence": [
                     *             [
                     *               "timeout"
                     *             ]
                     *           ]
                     *         }
                     *       ],
                     *       "fingerprint": "dc1_4f1c2b7d9a3e48260b5d7c9e1f3a5b7d",
                     *       "first_seen_at": "2026-10-07T09:30:00.000Z",
                     *       "seen_count": 3,
                     *       "disposition": {
                     *         "status": "open"
                     *       },
                     *       "actor": {
                     *         "principal": "arn:aws:sts::123456789012:assumed-role/admin/anna@example.com",
                     *         "event": "UpdateFunctionConfiguration20150331v2",
                     *         "source": "aws_cloudtrail",
                     *         "at": "2026-10-07T09:12:00.000Z"
                     *       },
                     *       "source": {
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
                     *         "name": "orders/production",
                     *         "repository": {
                     *           "host": "github.com",
                     *           "path": "acme/infra"
                     *         },
                     *         "planned_at": "2026-10-07T14:05:12.000Z",
                     *         "planned": "drift"
                     *       },
                     *       "versions": [
                     *         {
                     *           "risk_level": "low",
                     *           "attribute_changes": [
                     *             {
                     *               "path": [
                     *                 "timeout"
                     *               ],
                     *               "before": 30,
                     *               "after": 60,
                     *               "before_sensitive": false,
                     *               "after_sensitive": false,
                     *               "unknown": false
                     *             }
                     *           ],
                     *           "from": "2026-10-07T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "decisions": [
                     *         {
                     *           "status": "acknowledged",
                     *           "at": "2026-10-07T14:05:12.000Z",
                     *           "reason": "scaled up for the launch",
                     *           "by": {
                     *             "type": "person",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        cloud_account_id: string;
                        /** @enum {string} */
                        kind: "changed" | "missing" | "undeclared" | "pending";
                        actions: string[];
                        address?: string;
                        module_address?: string;
                        resource_type: string;
                        provider_name: string;
                        provider_resource_id?: string;
                        /** @description Display name of a resource that isn't declared */
                        resource_name?: string;
                        /** Format: uuid */
                        live_resource_id?: string;
                        /** Format: uuid */
                        iac_resource_id?: string;
                        /** @description `before` is the declared value, `after` the live value */
                        attribute_changes: {
                            path: (string | number)[];
                            before: unknown;
                            after: unknown;
                            before_sensitive: boolean;
                            after_sensitive: boolean;
                            /** @description Whether the value is only known after apply */
                            unknown: boolean;
                        }[];
                        /** @enum {string} */
                        risk_level: "critical" | "high" | "medium" | "low" | "none";
                        risk_flags: {
                            rule: string;
                            flag: string;
                            /** @description Attributes that triggered the rule */
                            evidence: (string | number)[][];
                            /** @description Same as a finding's message. Absent if no attribute is known */
                            message?: string;
                        }[];
                        /** @description Set if the whole change is noise */
                        noise?: {
                            fingerprint: string;
                            /** @enum {string} */
                            class: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
                            confidence: number;
                        };
                        fingerprint: string;
                        /** Format: date-time */
                        first_seen_at: string;
                        /** @description Number of snapshots of the account that contained it */
                        seen_count: number;
                        disposition: {
                            /** @enum {string} */
                            status: "open" | "acknowledged" | "ignored" | "resolved";
                            /** Format: date-time */
                            until?: string;
                            reason?: string;
                            by?: components["schemas"]["Actor"];
                            /**
                             * Format: date-time
                             * @description Time of the decision. Absent if it is older than its recording
                             */
                            at?: string;
                        };
                        /** @description Absent if unknown. Audit logs arrive late, and some accounts don't allow Leeway to read them */
                        actor?: {
                            /** @description Identity as the cloud names it, such as an ARN or an e-mail address */
                            principal: string;
                            /** @description The cloud's name of the operation */
                            event: string;
                            /** @enum {string} */
                            source: "aws_cloudtrail" | "gcp_audit_log" | "azure_activity_log";
                            /** Format: date-time */
                            at: string;
                        };
                        /** @description Rule of the organization */
                        hidden_by?: {
                            id: string;
                            name: string;
                        };
                        /** @description Rule of the organization that raised `risk_level`, and the level without rules */
                        raised?: {
                            /** @enum {string} */
                            from: "critical" | "high" | "medium" | "low" | "none";
                            /** @description Rule of the organization */
                            by: {
                                id: string;
                                name: string;
                            };
                        };
                        /** @description Labels from rules of the organization */
                        labels?: string[];
                        /** @description Source that declares the resource */
                        source?: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            repository?: {
                                /** @description Path including the namespace */
                                path: string;
                                /** @description Host with port. Absent if unknown */
                                host?: string;
                            };
                            /** Format: date-time */
                            planned_at?: string;
                            /**
                             * @description What the source's latest plan shows for the address: `drift` in its refresh, or `pending` changes
                             * @enum {string}
                             */
                            planned?: "drift" | "pending";
                        };
                        /** @description Values of the change over time, newest first, at most 50 */
                        versions: {
                            /** @enum {string} */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                            attribute_changes: {
                                path: (string | number)[];
                                before: unknown;
                                after: unknown;
                                before_sensitive: boolean;
                                after_sensitive: boolean;
                                /** @description Whether the value is only known after apply */
                                unknown: boolean;
                            }[];
                            /**
                             * Format: date-time
                             * @description Time of the first snapshot with these values
                             */
                            from: string;
                            /**
                             * Format: date-time
                             * @description Time of the first snapshot without them
                             */
                            until?: string;
                        }[];
                        /** @description Decisions about the change, newest first, at most 50 */
                        decisions?: {
                            /** @enum {string} */
                            status: "open" | "acknowledged" | "ignored";
                            /** Format: date-time */
                            at: string;
                            /** Format: date-time */
                            until?: string;
                            reason?: string;
                            /** @description Absent if the change reopened by itself, or if a decision on many changes was undone */
                            by?: {
                                /** @enum {string} */
                                type: "person" | "api_key" | "operator" | "system" | "code_host_user" | "ci";
                                /** @description Id of the actor. For a CI job, the `sub` claim of its token */
                                id: string;
                                /** @description Code host of a `code_host_user` or CI job */
                                host?: string;
                                /** @description User name of a `code_host_user` on the code host */
                                username?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    decideDriftChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "acknowledged",
                 *       "reason": "scaled up for the launch"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    status: "open" | "acknowledged" | "ignored";
                    /**
                     * Format: date-time
                     * @description Time at which an ignored change is reopened
                     */
                    until?: string;
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The change */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea1",
                     *       "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *       "kind": "changed",
                     *       "actions": [
                     *         "update"
                     *       ],
                     *       "address": "aws_lambda_function.orders",
                     *       "resource_type": "aws_lambda_function",
                     *       "provider_name": "registry.terraform.io/hashicorp/aws",
                     *       "provider_resource_id": "arn:aws:lambda:eu-west-1:123456789012:function:orders",
                     *       "live_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *       "iac_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *       "attribute_changes": [
                     *         {
                     *           "path": [
                     *             "timeout"
                     *           ],
                     *           "before": 30,
                     *           "after": 60,
                     *           "before_sensitive": false,
                     *           "after_sensitive": false,
                     *           "unknown": false
                     *         }
                     *       ],
                     *       "risk_level": "low",
                     *       "risk_flags": [
                     *         {
                     *           "rule": "R23",
                     *           "flag": "update",
                     *           "evidence": [
                     *             [
                     *               "timeout"
                     *             ]
                     *           ]
                     *         }
                     *       ],
                     *       "fingerprint": "dc1_4f1c2b7d9a3e48260b5d7c9e1f3a5b7d",
                     *       "first_seen_at": "2026-10-07T09:30:00.000Z",
                     *       "seen_count": 3,
                     *       "disposition": {
                     *         "status": "acknowledged",
                     *         "reason": "scaled up for the launch"
                     *       },
                     *       "actor": {
                     *         "principal": "arn:aws:sts::123456789012:assumed-role/admin/anna@example.com",
                     *         "event": "UpdateFunctionConfiguration20150331v2",
                     *         "source": "aws_cloudtrail",
                     *         "at": "2026-10-07T09:12:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        cloud_account_id: string;
                        /** @enum {string} */
                        kind: "changed" | "missing" | "undeclared" | "pending";
                        actions: string[];
                        address?: string;
                        module_address?: string;
                        resource_type: string;
                        provider_name: string;
                        provider_resource_id?: string;
                        /** @description Display name of a resource that isn't declared */
                        resource_name?: string;
                        /** Format: uuid */
                        live_resource_id?: string;
                        /** Format: uuid */
                        iac_resource_id?: string;
                        /** @description `before` is the declared value, `after` the live value */
                        attribute_changes: {
                            path: (string | number)[];
                            before: unknown;
                            after: unknown;
                            before_sensitive: boolean;
                            after_sensitive: boolean;
                            /** @description Whether the value is only known after apply */
                            unknown: boolean;
                        }[];
                        /** @enum {string} */
                        risk_level: "critical" | "high" | "medium" | "low" | "none";
                        risk_flags: {
                            rule: string;
                            flag: string;
                            /** @description Attributes that triggered the rule */
                            evidence: (string | number)[][];
                            /** @description Same as a finding's message. Absent if no attribute is known */
                            message?: string;
                        }[];
                        /** @description Set if the whole change is noise */
                        noise?: {
                            fingerprint: string;
                            /** @enum {string} */
                            class: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
                            confidence: number;
                        };
                        fingerprint: string;
                        /** Format: date-time */
                        first_seen_at: string;
                        /** @description Number of snapshots of the account that contained it */
                        seen_count: number;
                        disposition: {
                            /** @enum {string} */
                            status: "open" | "acknowledged" | "ignored" | "resolved";
                            /** Format: date-time */
                            until?: string;
                            reason?: string;
                            by?: components["schemas"]["Actor"];
                            /**
                             * Format: date-time
                             * @description Time of the decision. Absent if it is older than its recording
                             */
                            at?: string;
                        };
                        /** @description Absent if unknown. Audit logs arrive late, and some accounts don't allow Leeway to read them */
                        actor?: {
                            /** @description Identity as the cloud names it, such as an ARN or an e-mail address */
                            principal: string;
                            /** @description The cloud's name of the operation */
                            event: string;
                            /** @enum {string} */
                            source: "aws_cloudtrail" | "gcp_audit_log" | "azure_activity_log";
                            /** Format: date-time */
                            at: string;
                        };
                        /** @description Rule of the organization */
                        hidden_by?: {
                            id: string;
                            name: string;
                        };
                        /** @description Rule of the organization that raised `risk_level`, and the level without rules */
                        raised?: {
                            /** @enum {string} */
                            from: "critical" | "high" | "medium" | "low" | "none";
                            /** @description Rule of the organization */
                            by: {
                                id: string;
                                name: string;
                            };
                        };
                        /** @description Labels from rules of the organization */
                        labels?: string[];
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listSnapshotChanges: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                /** @description Kind of change. Several values are alternatives. `!` before a value leaves it out */
                kind?: ("changed" | "missing" | "undeclared" | "pending" | "!changed" | "!missing" | "!undeclared" | "!pending") | ("changed" | "missing" | "undeclared" | "pending" | "!changed" | "!missing" | "!undeclared" | "!pending")[];
                /** @description Risk level. Several values are alternatives. `!` before a value leaves it out */
                risk_level?: ("critical" | "high" | "medium" | "low" | "none" | "!critical" | "!high" | "!medium" | "!low" | "!none") | ("critical" | "high" | "medium" | "low" | "none" | "!critical" | "!high" | "!medium" | "!low" | "!none")[];
                /** @description How to treat changes that are only noise */
                noise?: "exclude" | "only" | "include";
                /** @description How to treat changes that a rule of the organization hides */
                hidden?: "exclude" | "only" | "include";
                /** @description How to treat ignored changes. Default: `include` */
                ignored?: "exclude" | "include";
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                snapshot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea1",
                     *           "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "kind": "changed",
                     *           "actions": [
                     *             "update"
                     *           ],
                     *           "address": "aws_lambda_function.orders",
                     *           "resource_type": "aws_lambda_function",
                     *           "provider_name": "registry.terraform.io/hashicorp/aws",
                     *           "provider_resource_id": "arn:aws:lambda:eu-west-1:123456789012:function:orders",
                     *           "live_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *           "iac_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *           "attribute_changes": [
                     *             {
                     *               "path": [
                     *                 "timeout"
                     *               ],
                     *               "before": 30,
                     *               "after": 60,
                     *               "before_sensitive": false,
                     *               "after_sensitive": false,
                     *               "unknown": false
                     *             }
                     *           ],
                     *           "risk_level": "low",
                     *           "risk_flags": [
                     *             {
                     *               "rule": "R23",
                     *               "flag": "update",
                     *               "evidence": [
                     *                 [
                     *                   "timeout"
                     *                 ]
                     *               ]
                     *             }
                     *           ],
                     *           "fingerprint": "dc1_4f1c2b7d9a3e48260b5d7c9e1f3a5b7d",
                     *           "first_seen_at": "2026-10-07T09:30:00.000Z",
                     *           "seen_count": 3,
                     *           "disposition": {
                     *             "status": "open"
                     *           },
                     *           "actor": {
                     *             "principal": "arn:aws:sts::123456789012:assumed-role/admin/anna@example.com",
                     *             "event": "UpdateFunctionConfiguration20150331v2",
                     *             "source": "aws_cloudtrail",
                     *             "at": "2026-10-07T09:12:00.000Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            cloud_account_id: string;
                            /** @enum {string} */
                            kind: "changed" | "missing" | "undeclared" | "pending";
                            actions: string[];
                            address?: string;
                            module_address?: string;
                            resource_type: string;
                            provider_name: string;
                            provider_resource_id?: string;
                            /** @description Display name of a resource that isn't declared */
                            resource_name?: string;
                            /** Format: uuid */
                            live_resource_id?: string;
                            /** Format: uuid */
                            iac_resource_id?: string;
                            /** @description `before` is the declared value, `after` the live value */
                            attribute_changes: {
                                path: (string | number)[];
                                before: unknown;
                                after: unknown;
                                before_sensitive: boolean;
                                after_sensitive: boolean;
                                /** @description Whether the value is only known after apply */
                                unknown: boolean;
                            }[];
                            /** @enum {string} */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                            risk_flags: {
                                rule: string;
                                flag: string;
                                /** @description Attributes that triggered the rule */
                                evidence: (string | number)[][];
                                /** @description Same as a finding's message. Absent if no attribute is known */
                                message?: string;
                            }[];
                            /** @description Set if the whole change is noise */
                            noise?: {
                                fingerprint: string;
                                /** @enum {string} */
                                class: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
                                confidence: number;
                            };
                            fingerprint: string;
                            /** Format: date-time */
                            first_seen_at: string;
                            /** @description Number of snapshots of the account that contained it */
                            seen_count: number;
                            disposition: {
                                /** @enum {string} */
                                status: "open" | "acknowledged" | "ignored" | "resolved";
                                /** Format: date-time */
                                until?: string;
                                reason?: string;
                                by?: components["schemas"]["Actor"];
                                /**
                                 * Format: date-time
                                 * @description Time of the decision. Absent if it is older than its recording
                                 */
                                at?: string;
                            };
                            /** @description Absent if unknown. Audit logs arrive late, and some accounts don't allow Leeway to read them */
                            actor?: {
                                /** @description Identity as the cloud names it, such as an ARN or an e-mail address */
                                principal: string;
                                /** @description The cloud's name of the operation */
                                event: string;
                                /** @enum {string} */
                                source: "aws_cloudtrail" | "gcp_audit_log" | "azure_activity_log";
                                /** Format: date-time */
                                at: string;
                            };
                            /** @description Rule of the organization */
                            hidden_by?: {
                                id: string;
                                name: string;
                            };
                            /** @description Rule of the organization that raised `risk_level`, and the level without rules */
                            raised?: {
                                /** @enum {string} */
                                from: "critical" | "high" | "medium" | "low" | "none";
                                /** @description Rule of the organization */
                                by: {
                                    id: string;
                                    name: string;
                                };
                            };
                            /** @description Labels from rules of the organization */
                            labels?: string[];
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    diffDriftSnapshots: {
        parameters: {
            query?: {
                /** @description Default: the previous snapshot of the account */
                base?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                snapshot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The difference */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "base": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea2",
                     *       "snapshot": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e97",
                     *       "new": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea1",
                     *           "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "kind": "changed",
                     *           "actions": [
                     *             "update"
                     *           ],
                     *           "address": "aws_lambda_function.orders",
                     *           "resource_type": "aws_lambda_function",
                     *           "provider_name": "registry.terraform.io/hashicorp/aws",
                     *           "provider_resource_id": "arn:aws:lambda:eu-west-1:123456789012:function:orders",
                     *           "live_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *           "iac_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *           "attribute_changes": [
                     *             {
                     *               "path": [
                     *                 "timeout"
                     *               ],
                     *               "before": 30,
                     *               "after": 60,
                     *               "before_sensitive": false,
                     *               "after_sensitive": false,
                     *               "unknown": false
                     *             }
                     *           ],
                     *           "risk_level": "low",
                     *           "risk_flags": [
                     *             {
                     *               "rule": "R23",
                     *               "flag": "update",
                     *               "evidence": [
                     *                 [
                     *                   "timeout"
                     *                 ]
                     *               ]
                     *             }
                     *           ],
                     *           "fingerprint": "dc1_4f1c2b7d9a3e48260b5d7c9e1f3a5b7d",
                     *           "first_seen_at": "2026-10-07T09:30:00.000Z",
                     *           "seen_count": 3,
                     *           "disposition": {
                     *             "status": "open"
                     *           },
                     *           "actor": {
                     *             "principal": "arn:aws:sts::123456789012:assumed-role/admin/anna@example.com",
                     *             "event": "UpdateFunctionConfiguration20150331v2",
                     *             "source": "aws_cloudtrail",
                     *             "at": "2026-10-07T09:12:00.000Z"
                     *           }
                     *         }
                     *       ],
                     *       "new_count": 1,
                     *       "resolved": [],
                     *       "resolved_count": 0,
                     *       "persisting_count": 4
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        base: string;
                        /** Format: uuid */
                        snapshot: string;
                        /** @description At most 500, highest risk first */
                        new: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            cloud_account_id: string;
                            /** @enum {string} */
                            kind: "changed" | "missing" | "undeclared" | "pending";
                            actions: string[];
                            address?: string;
                            module_address?: string;
                            resource_type: string;
                            provider_name: string;
                            provider_resource_id?: string;
                            /** @description Display name of a resource that isn't declared */
                            resource_name?: string;
                            /** Format: uuid */
                            live_resource_id?: string;
                            /** Format: uuid */
                            iac_resource_id?: string;
                            /** @description `before` is the declared value, `after` the live value */
                            attribute_changes: {
                                path: (string | number)[];
                                before: unknown;
                                after: unknown;
                                before_sensitive: boolean;
                                after_sensitive: boolean;
                                /** @description Whether the value is only known after apply */
                                unknown: boolean;
                            }[];
                            /** @enum {string} */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                            risk_flags: {
                                rule: string;
                                flag: string;
                                /** @description Attributes that triggered the rule */
                                evidence: (string | number)[][];
                                /** @description Same as a finding's message. Absent if no attribute is known */
                                message?: string;
                            }[];
                            /** @description Set if the whole change is noise */
                            noise?: {
                                fingerprint: string;
                                /** @enum {string} */
                                class: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
                                confidence: number;
                            };
                            fingerprint: string;
                            /** Format: date-time */
                            first_seen_at: string;
                            /** @description Number of snapshots of the account that contained it */
                            seen_count: number;
                            disposition: {
                                /** @enum {string} */
                                status: "open" | "acknowledged" | "ignored" | "resolved";
                                /** Format: date-time */
                                until?: string;
                                reason?: string;
                                by?: components["schemas"]["Actor"];
                                /**
                                 * Format: date-time
                                 * @description Time of the decision. Absent if it is older than its recording
                                 */
                                at?: string;
                            };
                            /** @description Absent if unknown. Audit logs arrive late, and some accounts don't allow Leeway to read them */
                            actor?: {
                                /** @description Identity as the cloud names it, such as an ARN or an e-mail address */
                                principal: string;
                                /** @description The cloud's name of the operation */
                                event: string;
                                /** @enum {string} */
                                source: "aws_cloudtrail" | "gcp_audit_log" | "azure_activity_log";
                                /** Format: date-time */
                                at: string;
                            };
                            /** @description Rule of the organization */
                            hidden_by?: {
                                id: string;
                                name: string;
                            };
                            /** @description Rule of the organization that raised `risk_level`, and the level without rules */
                            raised?: {
                                /** @enum {string} */
                                from: "critical" | "high" | "medium" | "low" | "none";
                                /** @description Rule of the organization */
                                by: {
                                    id: string;
                                    name: string;
                                };
                            };
                            /** @description Labels from rules of the organization */
                            labels?: string[];
                        }[];
                        new_count: number;
                        /** @description At most 500, highest risk first */
                        resolved: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            cloud_account_id: string;
                            /** @enum {string} */
                            kind: "changed" | "missing" | "undeclared" | "pending";
                            actions: string[];
                            address?: string;
                            module_address?: string;
                            resource_type: string;
                            provider_name: string;
                            provider_resource_id?: string;
                            /** @description Display name of a resource that isn't declared */
                            resource_name?: string;
                            /** Format: uuid */
                            live_resource_id?: string;
                            /** Format: uuid */
                            iac_resource_id?: string;
                            /** @description `before` is the declared value, `after` the live value */
                            attribute_changes: {
                                path: (string | number)[];
                                before: unknown;
                                after: unknown;
                                before_sensitive: boolean;
                                after_sensitive: boolean;
                                /** @description Whether the value is only known after apply */
                                unknown: boolean;
                            }[];
                            /** @enum {string} */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                            risk_flags: {
                                rule: string;
                                flag: string;
                                /** @description Attributes that triggered the rule */
                                evidence: (string | number)[][];
                                /** @description Same as a finding's message. Absent if no attribute is known */
                                message?: string;
                            }[];
                            /** @description Set if the whole change is noise */
                            noise?: {
                                fingerprint: string;
                                /** @enum {string} */
                                class: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
                                confidence: number;
                            };
                            fingerprint: string;
                            /** Format: date-time */
                            first_seen_at: string;
                            /** @description Number of snapshots of the account that contained it */
                            seen_count: number;
                            disposition: {
                                /** @enum {string} */
                                status: "open" | "acknowledged" | "ignored" | "resolved";
                                /** Format: date-time */
                                until?: string;
                                reason?: string;
                                by?: components["schemas"]["Actor"];
                                /**
                                 * Format: date-time
                                 * @description Time of the decision. Absent if it is older than its recording
                                 */
                                at?: string;
                            };
                            /** @description Absent if unknown. Audit logs arrive late, and some accounts don't allow Leeway to read them */
                            actor?: {
                                /** @description Identity as the cloud names it, such as an ARN or an e-mail address */
                                principal: string;
                                /** @description The cloud's name of the operation */
                                event: string;
                                /** @enum {string} */
                                source: "aws_cloudtrail" | "gcp_audit_log" | "azure_activity_log";
                                /** Format: date-time */
                                at: string;
                            };
                            /** @description Rule of the organization */
                            hidden_by?: {
                                id: string;
                                name: string;
                            };
                            /** @description Rule of the organization that raised `risk_level`, and the level without rules */
                            raised?: {
                                /** @enum {string} */
                                from: "critical" | "high" | "medium" | "low" | "none";
                                /** @description Rule of the organization */
                                by: {
                                    id: string;
                                    name: string;
                                };
                            };
                            /** @description Labels from rules of the organization */
                            labels?: string[];
                        }[];
                        resolved_count: number;
                        persisting_count: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    findDriftChangeDeclaration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The place in the code */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "commit": "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
                     *       "ref": "main",
                     *       "path": "envs/prod/orders.tf",
                     *       "line": 1,
                     *       "end_line": 3,
                     *       "url": "https://github.com/acme/infra/blob/9f8e7d6c5b4a39281706f5e4d3c2b1a098765432/envs/prod/orders.tf#L1-L3"
                     *     }
                     */
                    "application/json": {
                        /** @description Commit that was read */
                        commit?: string;
                        /** @description Branch, tag or commit of the source that was read */
                        ref?: string;
                        /** @description File, from the root of the repository */
                        path?: string;
                        /** @description First line of the block, from 1 */
                        line?: number;
                        /** @description Last line of the block */
                        end_line?: number;
                        /** @description Page of these lines at the code host, at the commit */
                        url?: string;
                        /** @description Set if no single block was found. `path` and `line` then show why, if there is such a place */
                        refused?: {
                            /**
                             * @description `not_applicable`: the kind of the change doesn't fit `how`; `no_source`: no IaC source declares the resource; `no_repository`: the source has no `repository`; `code_unavailable`: the code host doesn't give access to the code; `not_declared`: the folder doesn't declare the resource; `ambiguous_declaration`: the folder declares it more than once; `json_syntax`: it is declared in JSON; `unreadable_code`: a file of the folder can't be read; `generated_file`: the file is generated; `overridden`: an override file changes it; `repeated`: `count` or `for_each` repeats it, so that an edit would change several instances; `other_module`: the code of its module isn't in the folder; `shared_module`: its module is called more than once; `dynamic_block`: a `dynamic` block generates it; `missing_block`: its block isn't in the code; `ambiguous_block`: several blocks may be meant; `ambiguous_item`: several items of a list may be meant; `expression`: an expression sets the value; `heredoc`: a heredoc sets the value; `variable`: a variable sets the value, and its value isn't in the folder for certain; `shared_value`: other code reads the value, too; `secret`: the value is secret or masked; `computed`: only the provider can set it; `code_differs`: the code declares neither the declared value of the state nor the live one; `referenced`: other code refers to the resource; `overlapping`: another change of the patch edits the same code; `too_large`: the patch would be too large
                             * @enum {string}
                             */
                            code: "not_applicable" | "no_source" | "no_repository" | "code_unavailable" | "not_declared" | "ambiguous_declaration" | "json_syntax" | "unreadable_code" | "generated_file" | "overridden" | "repeated" | "other_module" | "shared_module" | "dynamic_block" | "missing_block" | "ambiguous_block" | "ambiguous_item" | "expression" | "heredoc" | "variable" | "shared_value" | "secret" | "computed" | "code_differs" | "referenced" | "overlapping" | "too_large";
                            message: string;
                            /** @description File that shows why */
                            path?: string;
                            /** @description Line in that file, from 1 */
                            line?: number;
                        };
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listPlansOfDriftChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plans */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "job_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea4",
                     *           "actions": [
                     *             "update"
                     *           ],
                     *           "risk_level": "low",
                     *           "repository": "acme/infra",
                     *           "project": {
                     *             "name": "orders/production"
                     *           },
                     *           "change_request": {
                     *             "number": 42,
                     *             "url": "https://github.com/acme/infra/pull/42"
                     *           },
                     *           "ref": "longer-timeout",
                     *           "commit_sha": "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
                     *           "planned_at": "2026-10-07T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            job_id: string;
                            /** @description Actions on the resource, in the order of the plan */
                            actions: string[];
                            /**
                             * @description Risk level of the whole plan
                             * @enum {string}
                             */
                            risk_level?: "critical" | "high" | "medium" | "low" | "none";
                            repository?: string;
                            project?: {
                                name?: string;
                                dir?: string;
                                workspace?: string;
                            };
                            change_request?: {
                                number: number;
                                url?: string;
                            };
                            /** @description Branch of the plan */
                            ref?: string;
                            commit_sha?: string;
                            /** Format: date-time */
                            planned_at: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getSettlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settlement, if one is requested */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settlement": {
                     *         "how": "accept",
                     *         "source_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
                     *         "decided_by": {
                     *           "type": "person",
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *         },
                     *         "decided_at": "2026-10-07T14:05:12.000Z",
                     *         "change_request": {
                     *           "status": "unchanged",
                     *           "branch": "leeway/settle-2026-10-07",
                     *           "number": 12,
                     *           "url": "https://gitlab.com/acme/network/-/merge_requests/12"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        settlement?: {
                            /** @enum {string} */
                            how: "accept" | "forget" | "adopt";
                            /** Format: uuid */
                            source_id: string;
                            decided_by: components["schemas"]["Actor"];
                            /** Format: date-time */
                            decided_at: string;
                            /** @description The request as Leeway last saw it. Absent if it was never opened */
                            change_request?: {
                                url?: string;
                                number?: number;
                                branch: string;
                                /** @enum {string} */
                                status: "created" | "updated" | "unchanged" | "closed" | "refused";
                                /** @description Why the code host refused it, with `refused` */
                                problem?: string;
                            };
                        };
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    settleDriftChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "how": "accept"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `accept` edits the code so that it says what is live. `revert` returns the commands that restore what the code says. `forget` removes a missing resource from code and state. `adopt` returns the import and the resource block of an undeclared resource; `POST …/adoptions` adopts several
                     * @enum {string}
                     */
                    how: "accept" | "revert" | "adopt" | "forget";
                    /**
                     * @description Whether to open or update the source's merge or pull request, with `accept`, `forget` and `adopt`
                     * @default false
                     */
                    open_change_request?: boolean;
                    /**
                     * Format: uuid
                     * @description IaC source whose code an adopted resource joins, only with `adopt`. Default with `open_change_request`: the only source with a repository
                     */
                    source_id?: string;
                    /**
                     * Format: uuid
                     * @description Alias of `source_id`
                     */
                    iac_source_id?: string;
                };
            };
        };
        responses: {
            /** @description The settlement */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "how": "accept",
                     *       "patch": "--- a/envs/prod/orders.tf\n+++ b/envs/prod/orders.tf\n@@ -1,3 +1,3 @@\n resource \"aws_lambda_function\" \"orders\" {\n-  timeout = 30\n+  timeout = 60\n }\n",
                     *       "files": [
                     *         {
                     *           "path": "envs/prod/orders.tf",
                     *           "content": "resource \"aws_lambda_function\" \"orders\" {\n  timeout = 60\n}\n"
                     *         }
                     *       ],
                     *       "explanation": "Sets `timeout` of `aws_lambda_function.orders` to what is live, in `envs/prod/orders.tf`."
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        how: "accept" | "revert" | "adopt" | "forget";
                        /** @description Unified diff from the root of the repository. Empty if no code has to change */
                        patch: string;
                        /** @description The changed files with their whole content */
                        files: {
                            path: string;
                            content: string;
                        }[];
                        explanation: string;
                        /** @description Commands that revert the change, with `revert` */
                        commands?: string[];
                        /** @description The plan that these commands should show, with `revert` */
                        expected_plan?: {
                            address: string;
                            actions: string[];
                            attribute_changes: {
                                path: (string | number)[];
                                before: unknown;
                                after: unknown;
                                before_sensitive: boolean;
                                after_sensitive: boolean;
                                /** @description Whether the value is only known after apply */
                                unknown: boolean;
                            }[];
                        };
                        /** @description Set if the change can't be settled this way */
                        refused?: {
                            /**
                             * @description `not_applicable`: the kind of the change doesn't fit `how`; `no_source`: no IaC source declares the resource; `no_repository`: the source has no `repository`; `code_unavailable`: the code host doesn't give access to the code; `not_declared`: the folder doesn't declare the resource; `ambiguous_declaration`: the folder declares it more than once; `json_syntax`: it is declared in JSON; `unreadable_code`: a file of the folder can't be read; `generated_file`: the file is generated; `overridden`: an override file changes it; `repeated`: `count` or `for_each` repeats it, so that an edit would change several instances; `other_module`: the code of its module isn't in the folder; `shared_module`: its module is called more than once; `dynamic_block`: a `dynamic` block generates it; `missing_block`: its block isn't in the code; `ambiguous_block`: several blocks may be meant; `ambiguous_item`: several items of a list may be meant; `expression`: an expression sets the value; `heredoc`: a heredoc sets the value; `variable`: a variable sets the value, and its value isn't in the folder for certain; `shared_value`: other code reads the value, too; `secret`: the value is secret or masked; `computed`: only the provider can set it; `code_differs`: the code declares neither the declared value of the state nor the live one; `referenced`: other code refers to the resource; `overlapping`: another change of the patch edits the same code; `too_large`: the patch would be too large
                             * @enum {string}
                             */
                            code: "not_applicable" | "no_source" | "no_repository" | "code_unavailable" | "not_declared" | "ambiguous_declaration" | "json_syntax" | "unreadable_code" | "generated_file" | "overridden" | "repeated" | "other_module" | "shared_module" | "dynamic_block" | "missing_block" | "ambiguous_block" | "ambiguous_item" | "expression" | "heredoc" | "variable" | "shared_value" | "secret" | "computed" | "code_differs" | "referenced" | "overlapping" | "too_large";
                            message: string;
                            /** @description File that shows why */
                            path?: string;
                            /** @description Line in that file, from 1 */
                            line?: number;
                        };
                        /** @description Merge or pull request with all settlements and fixes of the source, with `open_change_request`. Leeway never merges it */
                        change_request?: {
                            url?: string;
                            number?: number;
                            branch: string;
                            /** @enum {string} */
                            status: "created" | "updated" | "unchanged" | "closed" | "refused";
                            /** @description Why the code host refused it, with `refused` */
                            problem?: string;
                        };
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.repository_mismatch"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    withdrawSettlement: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What became of the request */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "change_request": {
                     *         "status": "closed",
                     *         "branch": "leeway/settle-2026-10-07",
                     *         "url": "https://gitlab.com/acme/network/-/merge_requests/12"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Merge or pull request with all settlements and fixes of the source, with `open_change_request`. Leeway never merges it */
                        change_request?: {
                            url?: string;
                            number?: number;
                            branch: string;
                            /** @enum {string} */
                            status: "created" | "updated" | "unchanged" | "closed" | "refused";
                            /** @description Why the code host refused it, with `refused` */
                            problem?: string;
                        };
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.repository_mismatch"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    settleDriftChanges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "how": "accept",
                 *       "fingerprints": [
                 *         "dc1_4f1c2b7d9a3e48260b5d7c9e1f3a5b7d"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `accept` and `forget` change the code of each change's source; `adopt` that of `source_id`
                     * @enum {string}
                     */
                    how: "accept" | "forget" | "adopt";
                    fingerprints: string[];
                    /**
                     * Format: uuid
                     * @description IaC source whose code adopted resources join, only with `adopt`. Default: the only source with a repository
                     */
                    source_id?: string;
                    /**
                     * Format: uuid
                     * @description Alias of `source_id`
                     */
                    iac_source_id?: string;
                };
            };
        };
        responses: {
            /** @description What became of each change, and the requests */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "settlements": [
                     *         {
                     *           "fingerprint": "dc1_4f1c2b7d9a3e48260b5d7c9e1f3a5b7d",
                     *           "explanation": "Sets `timeout` of `aws_lambda_function.orders` to what is live, in `envs/prod/orders.tf`."
                     *         }
                     *       ],
                     *       "change_requests": [
                     *         {
                     *           "source_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e95",
                     *           "status": "created",
                     *           "branch": "leeway/settle-2026-10-07",
                     *           "number": 12,
                     *           "url": "https://gitlab.com/acme/network/-/merge_requests/12"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description One for each fingerprint, in the same order */
                        settlements: {
                            fingerprint: string;
                            explanation: string;
                            /** @description Set if the change isn't in a request */
                            refused?: {
                                /**
                                 * @description `not_applicable`: the kind of the change doesn't fit `how`; `no_source`: no IaC source declares the resource; `no_repository`: the source has no `repository`; `code_unavailable`: the code host doesn't give access to the code; `not_declared`: the folder doesn't declare the resource; `ambiguous_declaration`: the folder declares it more than once; `json_syntax`: it is declared in JSON; `unreadable_code`: a file of the folder can't be read; `generated_file`: the file is generated; `overridden`: an override file changes it; `repeated`: `count` or `for_each` repeats it, so that an edit would change several instances; `other_module`: the code of its module isn't in the folder; `shared_module`: its module is called more than once; `dynamic_block`: a `dynamic` block generates it; `missing_block`: its block isn't in the code; `ambiguous_block`: several blocks may be meant; `ambiguous_item`: several items of a list may be meant; `expression`: an expression sets the value; `heredoc`: a heredoc sets the value; `variable`: a variable sets the value, and its value isn't in the folder for certain; `shared_value`: other code reads the value, too; `secret`: the value is secret or masked; `computed`: only the provider can set it; `code_differs`: the code declares neither the declared value of the state nor the live one; `referenced`: other code refers to the resource; `overlapping`: another change of the patch edits the same code; `too_large`: the patch would be too large
                                 * @enum {string}
                                 */
                                code: "not_applicable" | "no_source" | "no_repository" | "code_unavailable" | "not_declared" | "ambiguous_declaration" | "json_syntax" | "unreadable_code" | "generated_file" | "overridden" | "repeated" | "other_module" | "shared_module" | "dynamic_block" | "missing_block" | "ambiguous_block" | "ambiguous_item" | "expression" | "heredoc" | "variable" | "shared_value" | "secret" | "computed" | "code_differs" | "referenced" | "overlapping" | "too_large";
                                message: string;
                                /** @description File that shows why */
                                path?: string;
                                /** @description Line in that file, from 1 */
                                line?: number;
                            };
                        }[];
                        /** @description One for each source whose code changes */
                        change_requests: {
                            /** Format: uuid */
                            source_id: string;
                            url?: string;
                            number?: number;
                            branch: string;
                            /** @enum {string} */
                            status: "created" | "updated" | "unchanged" | "closed" | "refused";
                            /** @description Why the code host refused it, with `refused` */
                            problem?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden.repository_mismatch"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listDriftDecisions: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decisions */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea3",
                     *           "status": "acknowledged",
                     *           "reason": "known since the migration",
                     *           "decided_by": {
                     *             "type": "person",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *           },
                     *           "decided_count": 120,
                     *           "created_at": "2026-10-07T14:05:12.000Z",
                     *           "undoable_until": "2026-11-06T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            status: "open" | "acknowledged" | "ignored";
                            /** Format: date-time */
                            until?: string;
                            reason?: string;
                            decided_by: components["schemas"]["Actor"];
                            /** @description Changes that it was made on */
                            decided_count: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            undoable_until: string;
                            /** Format: date-time */
                            undone_at?: string;
                            /** @description Changes that undoing restored. Others were decided again or have other values */
                            restored_count?: number;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    decideDriftChanges: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "kind": "undeclared",
                 *         "risk_level": "low"
                 *       },
                 *       "status": "acknowledged"
                 *     }
                 */
                "application/json": {
                    /** @description The current changes to decide on, with filters of the list. A group is selected by its key, such as `cause`. Noise and hidden changes are left out by default */
                    filter?: {
                        /** @description Cloud account. Several values are alternatives. `!` before a value leaves it out */
                        account_id?: string | string[];
                        /** @description Kind of change. Several values are alternatives. `!` before a value leaves it out */
                        kind?: ("changed" | "missing" | "undeclared" | "pending" | "!changed" | "!missing" | "!undeclared" | "!pending") | ("changed" | "missing" | "undeclared" | "pending" | "!changed" | "!missing" | "!undeclared" | "!pending")[];
                        /** @description Risk level. Several values are alternatives. `!` before a value leaves it out */
                        risk_level?: ("critical" | "high" | "medium" | "low" | "none" | "!critical" | "!high" | "!medium" | "!low" | "!none") | ("critical" | "high" | "medium" | "low" | "none" | "!critical" | "!high" | "!medium" | "!low" | "!none")[];
                        /**
                         * @description How to treat changes that are only noise
                         * @default exclude
                         * @enum {string}
                         */
                        noise?: "exclude" | "only" | "include";
                        /**
                         * @description How to treat changes that a rule of the organization hides
                         * @default exclude
                         * @enum {string}
                         */
                        hidden?: "exclude" | "only" | "include";
                        /**
                         * @description Lowest risk level to include
                         * @enum {string}
                         */
                        min_risk?: "critical" | "high" | "medium" | "low" | "none";
                        /** @description Decision about the change. Several values are alternatives. `!` before a value leaves it out */
                        disposition?: ("open" | "acknowledged" | "ignored" | "!open" | "!acknowledged" | "!ignored") | ("open" | "acknowledged" | "ignored" | "!open" | "!acknowledged" | "!ignored")[];
                        /**
                         * @description How to treat ignored changes. Default: `include`
                         * @enum {string}
                         */
                        ignored?: "exclude" | "include";
                        /** @description Type of the resource, as its change names it. Several values are alternatives. `!` before a value leaves it out */
                        resource_type?: string | string[];
                        /** @description Address of the module that declares the resource. Several values are alternatives. `!` before a value leaves it out */
                        module_address?: string | string[];
                        /** @description Region of the live or else of the declared resource. Several values are alternatives. `!` before a value leaves it out */
                        region?: string | string[];
                        /** @description Tag of the live resource: `team=data`, or `team` for any value. Several values are alternatives. `!` before a value leaves it out */
                        tag?: string | string[];
                        /** @description Part of the address, of the name or of the provider's id. Case doesn't matter */
                        q?: string;
                        /** @description Author according to the cloud's audit log. Several values are alternatives. `!` before a value leaves it out */
                        principal?: string | string[];
                        /** @description Key of a group by person_hour: changes by the same author within an hour */
                        person_hour?: string;
                        /** @description Key of a group by cause: the same difference in resources of the same type */
                        cause?: string;
                    };
                    fingerprints?: string[];
                    /** @enum {string} */
                    status: "open" | "acknowledged" | "ignored";
                    /**
                     * Format: date-time
                     * @description Time at which an ignored change is reopened
                     */
                    until?: string;
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The decision */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea3",
                     *       "status": "acknowledged",
                     *       "reason": "known since the migration",
                     *       "decided_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "decided_count": 120,
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "undoable_until": "2026-11-06T14:05:12.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        status: "open" | "acknowledged" | "ignored";
                        /** Format: date-time */
                        until?: string;
                        reason?: string;
                        decided_by: components["schemas"]["Actor"];
                        /** @description Changes that it was made on */
                        decided_count: number;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        undoable_until: string;
                        /** Format: date-time */
                        undone_at?: string;
                        /** @description Changes that undoing restored. Others were decided again or have other values */
                        restored_count?: number;
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    undoDriftDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                decision_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The decision */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea3",
                     *       "status": "acknowledged",
                     *       "reason": "known since the migration",
                     *       "decided_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "decided_count": 120,
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "undoable_until": "2026-11-06T14:05:12.000Z",
                     *       "undone_at": "2026-10-07T14:05:12.000Z",
                     *       "restored_count": 120
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        status: "open" | "acknowledged" | "ignored";
                        /** Format: date-time */
                        until?: string;
                        reason?: string;
                        decided_by: components["schemas"]["Actor"];
                        /** @description Changes that it was made on */
                        decided_count: number;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        undoable_until: string;
                        /** Format: date-time */
                        undone_at?: string;
                        /** @description Changes that undoing restored. Others were decided again or have other values */
                        restored_count?: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listViews: {
        parameters: {
            query?: {
                page?: "drift" | "resources";
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The views */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7f11",
                     *           "name": "Production databases",
                     *           "page": "drift",
                     *           "filter": {
                     *             "resource_type": [
                     *               "aws_db_instance",
                     *               "aws_rds_cluster"
                     *             ],
                     *             "tag": "env=production",
                     *             "min_risk": "medium"
                     *           },
                     *           "shared": true,
                     *           "owner": {
                     *             "type": "person",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *           },
                     *           "created_at": "2026-10-07T14:05:12.000Z",
                     *           "updated_at": "2026-10-07T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** @enum {string} */
                            page: "drift" | "resources";
                            /** @description Query parameters of the page's list, `GET /drift-changes` or `GET /resources`, checked as there. `by` groups changes as in `GET /drift-change-groups` */
                            filter: {
                                [key: string]: unknown;
                            };
                            /** @description Whether the whole organization sees it. A private view is visible only to its owner. Sharing a view and changing a shared one requires the role member or above */
                            shared: boolean;
                            owner: components["schemas"]["Actor"];
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createView: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Production databases",
                 *       "page": "drift",
                 *       "filter": {
                 *         "resource_type": [
                 *           "aws_db_instance",
                 *           "aws_rds_cluster"
                 *         ],
                 *         "tag": "env=production",
                 *         "min_risk": "medium"
                 *       },
                 *       "shared": true
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    page: "drift" | "resources";
                    /** @description Query parameters of the page's list, `GET /drift-changes` or `GET /resources`, checked as there. `by` groups changes as in `GET /drift-change-groups` */
                    filter: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Whether the whole organization sees it. A private view is visible only to its owner. Sharing a view and changing a shared one requires the role member or above
                     * @default false
                     */
                    shared?: boolean;
                };
            };
        };
        responses: {
            /** @description The view */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7f11",
                     *       "name": "Production databases",
                     *       "page": "drift",
                     *       "filter": {
                     *         "resource_type": [
                     *           "aws_db_instance",
                     *           "aws_rds_cluster"
                     *         ],
                     *         "tag": "env=production",
                     *         "min_risk": "medium"
                     *       },
                     *       "shared": true,
                     *       "owner": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "updated_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** @enum {string} */
                        page: "drift" | "resources";
                        /** @description Query parameters of the page's list, `GET /drift-changes` or `GET /resources`, checked as there. `by` groups changes as in `GET /drift-change-groups` */
                        filter: {
                            [key: string]: unknown;
                        };
                        /** @description Whether the whole organization sees it. A private view is visible only to its owner. Sharing a view and changing a shared one requires the role member or above */
                        shared: boolean;
                        owner: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                view_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Databases in production"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @description Query parameters of the page's list, `GET /drift-changes` or `GET /resources`, checked as there. `by` groups changes as in `GET /drift-change-groups` */
                    filter?: {
                        [key: string]: unknown;
                    };
                    /** @description Whether the whole organization sees it. A private view is visible only to its owner. Sharing a view and changing a shared one requires the role member or above */
                    shared?: boolean;
                };
            };
        };
        responses: {
            /** @description The view */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7f11",
                     *       "name": "Databases in production",
                     *       "page": "drift",
                     *       "filter": {
                     *         "resource_type": [
                     *           "aws_db_instance",
                     *           "aws_rds_cluster"
                     *         ],
                     *         "tag": "env=production",
                     *         "min_risk": "medium"
                     *       },
                     *       "shared": true,
                     *       "owner": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "updated_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** @enum {string} */
                        page: "drift" | "resources";
                        /** @description Query parameters of the page's list, `GET /drift-changes` or `GET /resources`, checked as there. `by` groups changes as in `GET /drift-change-groups` */
                        filter: {
                            [key: string]: unknown;
                        };
                        /** @description Whether the whole organization sees it. A private view is visible only to its owner. Sharing a view and changing a shared one requires the role member or above */
                        shared: boolean;
                        owner: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["empty_update.invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rules */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7f01",
                     *           "name": "Sandbox accounts",
                     *           "on": [
                     *             "undeclared",
                     *             "changed"
                     *           ],
                     *           "when": "resource.account == \"123456789012\" && \"sandbox\" in resource.tags",
                     *           "then": {
                     *             "ignore": true
                     *           },
                     *           "reason": "Anyone may try things there.",
                     *           "owner": "platform team",
                     *           "expires_at": "2027-01-01T00:00:00Z",
                     *           "enabled": true,
                     *           "built_in": false,
                     *           "matched_count": 12,
                     *           "hidden_count": 12,
                     *           "created_by": {
                     *             "type": "person",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *           },
                     *           "created_at": "2026-10-07T14:05:12.000Z",
                     *           "updated_at": "2026-10-07T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** @description UUID, or the id of an exclusion rule */
                            id: string;
                            name: string;
                            /** @description Kinds of drift changes, and `finding` and `noise` of plans */
                            on: ("undeclared" | "changed" | "missing" | "finding" | "noise")[];
                            /**
                             * @description Absent in built-in rules
                             * @example resource.tags["env"] == "dev"
                             */
                            when?: string;
                            /** @description Effect: hide the change, raise its level to at least this one, or label it */
                            then: {
                                /** @constant */
                                ignore: true;
                            } | {
                                /** @enum {string} */
                                raise_to: "critical" | "high" | "medium" | "low";
                            } | {
                                /** @example team:payments */
                                label: string;
                            };
                            reason: string;
                            owner?: string;
                            /**
                             * Format: date-time
                             * @description Time at which the rule ends
                             */
                            expires_at?: string;
                            enabled: boolean;
                            /** @description Whether it is an exclusion rule of Leeway, of which only `enabled` can be changed */
                            built_in: boolean;
                            /** @description Current drift changes on which the rule has an effect. For built-in rules, excluded resources */
                            matched_count: number;
                            /** @description Current drift changes that the rule hides */
                            hidden_count: number;
                            created_by?: components["schemas"]["Actor"];
                            /** Format: date-time */
                            created_at?: string;
                            /** Format: date-time */
                            updated_at?: string;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createRule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Sandbox accounts",
                 *       "on": [
                 *         "undeclared",
                 *         "changed"
                 *       ],
                 *       "when": "resource.account == \"123456789012\" && \"sandbox\" in resource.tags",
                 *       "then": {
                 *         "ignore": true
                 *       },
                 *       "reason": "Anyone may try things there.",
                 *       "owner": "platform team",
                 *       "expires_at": "2027-01-01T00:00:00Z"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @description Kinds of drift changes, and `finding` and `noise` of plans */
                    on: ("undeclared" | "changed" | "missing" | "finding" | "noise")[];
                    /**
                     * @description Condition in CEL over `change`, `resource`, `declared`, `actor` and `paths`
                     * @example resource.tags["env"] == "dev"
                     */
                    when: string;
                    /** @description Effect: hide the change, raise its level to at least this one, or label it */
                    then: {
                        /** @constant */
                        ignore: true;
                    } | {
                        /** @enum {string} */
                        raise_to: "critical" | "high" | "medium" | "low";
                    } | {
                        /** @example team:payments */
                        label: string;
                    };
                    reason: string;
                    owner?: string;
                    /**
                     * Format: date-time
                     * @description Time at which the rule ends
                     */
                    expires_at?: string;
                    /** @default true */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description The rule */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7f01",
                     *       "name": "Sandbox accounts",
                     *       "on": [
                     *         "undeclared",
                     *         "changed"
                     *       ],
                     *       "when": "resource.account == \"123456789012\" && \"sandbox\" in resource.tags",
                     *       "then": {
                     *         "ignore": true
                     *       },
                     *       "reason": "Anyone may try things there.",
                     *       "owner": "platform team",
                     *       "expires_at": "2027-01-01T00:00:00Z",
                     *       "enabled": true,
                     *       "built_in": false,
                     *       "matched_count": 12,
                     *       "hidden_count": 12,
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "updated_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description UUID, or the id of an exclusion rule */
                        id: string;
                        name: string;
                        /** @description Kinds of drift changes, and `finding` and `noise` of plans */
                        on: ("undeclared" | "changed" | "missing" | "finding" | "noise")[];
                        /**
                         * @description Absent in built-in rules
                         * @example resource.tags["env"] == "dev"
                         */
                        when?: string;
                        /** @description Effect: hide the change, raise its level to at least this one, or label it */
                        then: {
                            /** @constant */
                            ignore: true;
                        } | {
                            /** @enum {string} */
                            raise_to: "critical" | "high" | "medium" | "low";
                        } | {
                            /** @example team:payments */
                            label: string;
                        };
                        reason: string;
                        owner?: string;
                        /**
                         * Format: date-time
                         * @description Time at which the rule ends
                         */
                        expires_at?: string;
                        enabled: boolean;
                        /** @description Whether it is an exclusion rule of Leeway, of which only `enabled` can be changed */
                        built_in: boolean;
                        /** @description Current drift changes on which the rule has an effect. For built-in rules, excluded resources */
                        matched_count: number;
                        /** @description Current drift changes that the rule hides */
                        hidden_count: number;
                        created_by?: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at?: string;
                        /** Format: date-time */
                        updated_at?: string;
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    previewRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "on": [
                 *         "undeclared",
                 *         "changed"
                 *       ],
                 *       "when": "resource.account == \"123456789012\" && \"sandbox\" in resource.tags",
                 *       "then": {
                 *         "ignore": true
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Kinds of drift changes, and `finding` and `noise` of plans */
                    on: ("undeclared" | "changed" | "missing" | "finding" | "noise")[];
                    /**
                     * @description Condition in CEL over `change`, `resource`, `declared`, `actor` and `paths`
                     * @example resource.tags["env"] == "dev"
                     */
                    when: string;
                    /** @description Effect: hide the change, raise its level to at least this one, or label it */
                    then: {
                        /** @constant */
                        ignore: true;
                    } | {
                        /** @enum {string} */
                        raise_to: "critical" | "high" | "medium" | "low";
                    } | {
                        /** @example team:payments */
                        label: string;
                    };
                };
            };
        };
        responses: {
            /** @description The effect */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "matched_count": 1,
                     *       "hidden_count": 1,
                     *       "raised_count": 0,
                     *       "failed_count": 3,
                     *       "evaluated_count": 120,
                     *       "counts": {
                     *         "undeclared": 0,
                     *         "changed": 1
                     *       },
                     *       "failure": "a change has no \"env\"; ask for it first, as in has(resource.tags.env) && resource.tags.env == \"dev\"",
                     *       "samples": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7ea1",
                     *           "cloud_account_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e94",
                     *           "kind": "changed",
                     *           "actions": [
                     *             "update"
                     *           ],
                     *           "address": "aws_lambda_function.orders",
                     *           "resource_type": "aws_lambda_function",
                     *           "provider_name": "registry.terraform.io/hashicorp/aws",
                     *           "provider_resource_id": "arn:aws:lambda:eu-west-1:123456789012:function:orders",
                     *           "live_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e98",
                     *           "iac_resource_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e99",
                     *           "attribute_changes": [
                     *             {
                     *               "path": [
                     *                 "timeout"
                     *               ],
                     *               "before": 30,
                     *               "after": 60,
                     *               "before_sensitive": false,
                     *               "after_sensitive": false,
                     *               "unknown": false
                     *             }
                     *           ],
                     *           "risk_level": "low",
                     *           "risk_flags": [
                     *             {
                     *               "rule": "R23",
                     *               "flag": "update",
                     *               "evidence": [
                     *                 [
                     *                   "timeout"
                     *                 ]
                     *               ]
                     *             }
                     *           ],
                     *           "fingerprint": "dc1_4f1c2b7d9a3e48260b5d7c9e1f3a5b7d",
                     *           "first_seen_at": "2026-10-07T09:30:00.000Z",
                     *           "seen_count": 3,
                     *           "disposition": {
                     *             "status": "open"
                     *           },
                     *           "actor": {
                     *             "principal": "arn:aws:sts::123456789012:assumed-role/admin/anna@example.com",
                     *             "event": "UpdateFunctionConfiguration20150331v2",
                     *             "source": "aws_cloudtrail",
                     *             "at": "2026-10-07T09:12:00.000Z"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Changes that the condition matches */
                        matched_count: number;
                        /** @description Matched changes that the rule would hide */
                        hidden_count: number;
                        /** @description Matched changes whose level the rule would raise */
                        raised_count: number;
                        /** @description Changes for which the condition fails, for example for a missing tag. They don't match */
                        failed_count: number;
                        /** @description Current changes of the kinds in `on`, without noise */
                        evaluated_count: number;
                        /** @description Matched changes by kind */
                        counts: {
                            [key: string]: number;
                        };
                        /** @description The first failure of the condition */
                        failure?: string;
                        /** @description At most 20 matched changes, worst first */
                        samples: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            cloud_account_id: string;
                            /** @enum {string} */
                            kind: "changed" | "missing" | "undeclared" | "pending";
                            actions: string[];
                            address?: string;
                            module_address?: string;
                            resource_type: string;
                            provider_name: string;
                            provider_resource_id?: string;
                            /** @description Display name of a resource that isn't declared */
                            resource_name?: string;
                            /** Format: uuid */
                            live_resource_id?: string;
                            /** Format: uuid */
                            iac_resource_id?: string;
                            /** @description `before` is the declared value, `after` the live value */
                            attribute_changes: {
                                path: (string | number)[];
                                before: unknown;
                                after: unknown;
                                before_sensitive: boolean;
                                after_sensitive: boolean;
                                /** @description Whether the value is only known after apply */
                                unknown: boolean;
                            }[];
                            /** @enum {string} */
                            risk_level: "critical" | "high" | "medium" | "low" | "none";
                            risk_flags: {
                                rule: string;
                                flag: string;
                                /** @description Attributes that triggered the rule */
                                evidence: (string | number)[][];
                                /** @description Same as a finding's message. Absent if no attribute is known */
                                message?: string;
                            }[];
                            /** @description Set if the whole change is noise */
                            noise?: {
                                fingerprint: string;
                                /** @enum {string} */
                                class: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
                                confidence: number;
                            };
                            fingerprint: string;
                            /** Format: date-time */
                            first_seen_at: string;
                            /** @description Number of snapshots of the account that contained it */
                            seen_count: number;
                            disposition: {
                                /** @enum {string} */
                                status: "open" | "acknowledged" | "ignored" | "resolved";
                                /** Format: date-time */
                                until?: string;
                                reason?: string;
                                by?: components["schemas"]["Actor"];
                                /**
                                 * Format: date-time
                                 * @description Time of the decision. Absent if it is older than its recording
                                 */
                                at?: string;
                            };
                            /** @description Absent if unknown. Audit logs arrive late, and some accounts don't allow Leeway to read them */
                            actor?: {
                                /** @description Identity as the cloud names it, such as an ARN or an e-mail address */
                                principal: string;
                                /** @description The cloud's name of the operation */
                                event: string;
                                /** @enum {string} */
                                source: "aws_cloudtrail" | "gcp_audit_log" | "azure_activity_log";
                                /** Format: date-time */
                                at: string;
                            };
                            /** @description Rule of the organization */
                            hidden_by?: {
                                id: string;
                                name: string;
                            };
                            /** @description Rule of the organization that raised `risk_level`, and the level without rules */
                            raised?: {
                                /** @enum {string} */
                                from: "critical" | "high" | "medium" | "low" | "none";
                                /** @description Rule of the organization */
                                by: {
                                    id: string;
                                    name: string;
                                };
                            };
                            /** @description Labels from rules of the organization */
                            labels?: string[];
                        }[];
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["too_slow_to_read"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                rule_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @description Kinds of drift changes, and `finding` and `noise` of plans */
                    on?: ("undeclared" | "changed" | "missing" | "finding" | "noise")[];
                    /**
                     * @description Condition in CEL over `change`, `resource`, `declared`, `actor` and `paths`
                     * @example resource.tags["env"] == "dev"
                     */
                    when?: string;
                    /** @description Effect: hide the change, raise its level to at least this one, or label it */
                    then?: {
                        /** @constant */
                        ignore: true;
                    } | {
                        /** @enum {string} */
                        raise_to: "critical" | "high" | "medium" | "low";
                    } | {
                        /** @example team:payments */
                        label: string;
                    };
                    reason?: string;
                    /** @default true */
                    enabled?: boolean;
                    owner?: string | null;
                    /** @description null: the rule doesn't end */
                    expires_at?: string | null;
                };
            };
        };
        responses: {
            /** @description The rule */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7f01",
                     *       "name": "Sandbox accounts",
                     *       "on": [
                     *         "undeclared",
                     *         "changed"
                     *       ],
                     *       "when": "resource.account == \"123456789012\" && \"sandbox\" in resource.tags",
                     *       "then": {
                     *         "ignore": true
                     *       },
                     *       "reason": "Anyone may try things there.",
                     *       "owner": "platform team",
                     *       "expires_at": "2027-01-01T00:00:00Z",
                     *       "enabled": false,
                     *       "built_in": false,
                     *       "matched_count": 12,
                     *       "hidden_count": 12,
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "updated_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description UUID, or the id of an exclusion rule */
                        id: string;
                        name: string;
                        /** @description Kinds of drift changes, and `finding` and `noise` of plans */
                        on: ("undeclared" | "changed" | "missing" | "finding" | "noise")[];
                        /**
                         * @description Absent in built-in rules
                         * @example resource.tags["env"] == "dev"
                         */
                        when?: string;
                        /** @description Effect: hide the change, raise its level to at least this one, or label it */
                        then: {
                            /** @constant */
                            ignore: true;
                        } | {
                            /** @enum {string} */
                            raise_to: "critical" | "high" | "medium" | "low";
                        } | {
                            /** @example team:payments */
                            label: string;
                        };
                        reason: string;
                        owner?: string;
                        /**
                         * Format: date-time
                         * @description Time at which the rule ends
                         */
                        expires_at?: string;
                        enabled: boolean;
                        /** @description Whether it is an exclusion rule of Leeway, of which only `enabled` can be changed */
                        built_in: boolean;
                        /** @description Current drift changes on which the rule has an effect. For built-in rules, excluded resources */
                        matched_count: number;
                        /** @description Current drift changes that the rule hides */
                        hidden_count: number;
                        created_by?: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at?: string;
                        /** Format: date-time */
                        updated_at?: string;
                    };
                };
            };
            400: components["responses"]["empty_update.invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    analyzePlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        /** @description Output of `terraform show -json PLAN` with its metadata, optionally with `Content-Encoding: gzip` */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": {
                 *         "format_version": "1.2",
                 *         "terraform_version": "1.9.8",
                 *         "resource_changes": [
                 *           {
                 *             "address": "aws_sqs_queue.orders",
                 *             "mode": "managed",
                 *             "type": "aws_sqs_queue",
                 *             "name": "orders",
                 *             "provider_name": "registry.terraform.io/hashicorp/aws",
                 *             "change": {
                 *               "actions": [
                 *                 "delete"
                 *               ],
                 *               "before": {
                 *                 "name": "orders"
                 *               },
                 *               "after": null
                 *             }
                 *           }
                 *         ]
                 *       },
                 *       "repository": "shop/infrastructure",
                 *       "ref": "feature/orders",
                 *       "commit_sha": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
                 *       "author": "grace",
                 *       "project": {
                 *         "name": "network",
                 *         "workspace": "prod"
                 *       },
                 *       "change_request": {
                 *         "number": 42,
                 *         "url": "https://gitlab.example.com/shop/infrastructure/-/merge_requests/42"
                 *       },
                 *       "tool": "terraform",
                 *       "fail_on": "high",
                 *       "risk_profile": "standard"
                 *     }
                 */
                "application/json": {
                    /** @description Output of `terraform show -json` */
                    plan: {
                        [key: string]: unknown;
                    };
                    repository?: string;
                    ref?: string;
                    commit_sha?: string;
                    /** @description Username at the code host of the person who opened the merge or pull request, or pushed */
                    author?: string;
                    project?: {
                        name?: string;
                        dir?: string;
                        workspace?: string;
                    };
                    change_request?: {
                        number: number;
                        url?: string;
                    };
                    /** @description Whether this plan will not be applied, as in a merge request. Such a plan doesn't update the drift of an account */
                    speculative?: boolean;
                    pipeline_url?: string;
                    /** @enum {string} */
                    tool?: "terraform" | "opentofu" | "terragrunt" | "pulumi";
                    /** @enum {string} */
                    fail_on?: "critical" | "high" | "medium" | "low" | "never";
                    /**
                     * @description Overrides the organization's risk profile for this analysis
                     * @enum {string}
                     */
                    risk_profile?: "standard" | "lenient";
                    /** @default true */
                    narrative?: boolean;
                    /** @default false */
                    comment?: boolean;
                    labels?: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description The queued job. `RateLimit` also shows the remaining quota of the platform's model */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9d",
                     *       "kind": "analyze",
                     *       "status": "queued",
                     *       "poll_url": "/api/v2/orgs/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90/llm-jobs/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9d",
                     *       "created_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["JobTaken"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter.plan_is_binary.plan_is_state_file.plan_is_stream.state_encrypted.unsupported_format.unsupported_plan_format"];
            401: components["responses"]["unauthenticated"];
            /** @description The plan's quota of platform AI analyses is used up, or they are disabled */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDenial"];
                };
            };
            403: components["responses"]["forbidden.repository_mismatch"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused.too_slow_to_read"];
            /** @description `rate_limited`, The hourly limit of platform AI analyses is reached, or the organization's own key keeps failing */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | (components["schemas"]["HourlyDenial"] | components["schemas"]["ByokDenial"]);
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listLlmJobs: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                kind?: "analyze" | "plan_noise_fix" | "drift_narrative";
                status?: "queued" | "running" | "done" | "error";
                /** @description Branch of the plan */
                ref?: string;
                /** @description Part of the repository, the project, the branch, the commit or the number of the request, such as `#42`. Case doesn't matter */
                q?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The jobs */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9d",
                     *           "kind": "analyze",
                     *           "status": "done",
                     *           "repository": "shop/infrastructure",
                     *           "project": {
                     *             "name": "network",
                     *             "workspace": "prod"
                     *           },
                     *           "change_request": {
                     *             "number": 42,
                     *             "url": "https://gitlab.example.com/shop/infrastructure/-/merge_requests/42"
                     *           },
                     *           "ref": "add-queue",
                     *           "commit_sha": "3f786850e387550fdab836ed7e6dc881de23001b",
                     *           "author": "grace",
                     *           "risk_level": "critical",
                     *           "gate_passed": false,
                     *           "created_at": "2026-10-07T14:05:12.000Z",
                     *           "started_at": "2026-10-07T14:05:12.000Z",
                     *           "finished_at": "2026-10-07T14:05:19.000Z",
                     *           "expires_at": "2026-11-06T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            kind: "analyze" | "plan_noise_fix" | "drift_narrative";
                            /** @enum {string} */
                            status: "queued" | "running" | "done" | "error";
                            repository?: string;
                            project?: {
                                name?: string;
                                dir?: string;
                                workspace?: string;
                            };
                            change_request?: {
                                number: number;
                                url?: string;
                            };
                            /** @description Whether this plan will not be applied, as in a merge request. Such a plan doesn't update the drift of an account */
                            speculative?: boolean;
                            /** @description Branch of the plan */
                            ref?: string;
                            commit_sha?: string;
                            /** @description Username at the code host of the person who opened the merge or pull request, or pushed */
                            author?: string;
                            pipeline_url?: string;
                            /** @description Fingerprint of the noise to fix */
                            fingerprint?: string;
                            /**
                             * Format: uuid
                             * @description Snapshot that the narrative explains
                             */
                            snapshot_id?: string;
                            /**
                             * @description Absent if the plan failed before a rule found anything
                             * @enum {string}
                             */
                            risk_level?: "critical" | "high" | "medium" | "low" | "none";
                            gate_passed?: boolean;
                            error?: {
                                code: string;
                                message: string;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            started_at?: string;
                            /** Format: date-time */
                            finished_at?: string;
                            /** Format: date-time */
                            expires_at: string;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getLlmJob: {
        parameters: {
            query?: {
                /** @description Seconds to wait for the job to finish */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9d",
                     *       "kind": "analyze",
                     *       "status": "done",
                     *       "repository": "shop/infrastructure",
                     *       "project": {
                     *         "name": "network",
                     *         "workspace": "prod"
                     *       },
                     *       "change_request": {
                     *         "number": 42,
                     *         "url": "https://gitlab.example.com/shop/infrastructure/-/merge_requests/42"
                     *       },
                     *       "ref": "add-queue",
                     *       "commit_sha": "3f786850e387550fdab836ed7e6dc881de23001b",
                     *       "author": "grace",
                     *       "risk_level": "critical",
                     *       "gate_passed": false,
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "started_at": "2026-10-07T14:05:12.000Z",
                     *       "finished_at": "2026-10-07T14:05:19.000Z",
                     *       "expires_at": "2026-11-06T14:05:12.000Z",
                     *       "result": {
                     *         "warnings": [],
                     *         "risk_profile": "standard",
                     *         "risk_level": "critical",
                     *         "risk_counts": {
                     *           "critical": 1,
                     *           "high": 0,
                     *           "medium": 0,
                     *           "low": 0
                     *         },
                     *         "summary": {
                     *           "create": 0,
                     *           "update": 1,
                     *           "replace": 0,
                     *           "delete": 1,
                     *           "import": 0,
                     *           "forget": 0,
                     *           "read": 0,
                     *           "no_op": 12
                     *         },
                     *         "findings": [
                     *           {
                     *             "id": "R01:aws_sqs_queue.orders",
                     *             "rule": "R01",
                     *             "flag": "destroy_stateful",
                     *             "risk_level": "critical",
                     *             "address": "aws_sqs_queue.orders",
                     *             "resource_type": "aws_sqs_queue",
                     *             "actions": [
                     *               "delete"
                     *             ],
                     *             "paths": [],
                     *             "message": "aws_sqs_queue.orders holds data and is destroyed."
                     *           }
                     *         ],
                     *         "drift": [],
                     *         "noise": [
                     *           {
                     *             "fingerprint": "pn1_k3jz5wq2m7ab4cd6efghijklmn",
                     *             "class": "json_policy_normalization",
                     *             "title": "The same policy in another notation",
                     *             "resource_type": "aws_iam_policy",
                     *             "provider_name": "registry.terraform.io/hashicorp/aws",
                     *             "path_pattern": "policy",
                     *             "confidence": 0.98,
                     *             "sample": {
                     *               "before": "{\"Action\":[\"sqs:*\"]}",
                     *               "after": "{\"Action\":\"sqs:*\"}"
                     *             },
                     *             "hidden": true,
                     *             "addresses": [
                     *               "aws_iam_policy.orders"
                     *             ],
                     *             "count": 1,
                     *             "fix_available": true
                     *           }
                     *         ],
                     *         "narrative": {
                     *           "text": "One queue is deleted with its messages.\n\n- `R01:aws_sqs_queue.orders`: Unread messages are lost. Check: Drain `aws_sqs_queue.orders` first.",
                     *           "source": "platform",
                     *           "model": "claude-sonnet-5",
                     *           "answer": {
                     *             "summary": "One queue is deleted with its messages.",
                     *             "findings": [
                     *               {
                     *                 "id": "R01:aws_sqs_queue.orders",
                     *                 "explanation": "Unread messages are lost.",
                     *                 "check": "Drain `aws_sqs_queue.orders` first."
                     *               }
                     *             ]
                     *           }
                     *         },
                     *         "gate": {
                     *           "fail_on": "high",
                     *           "passed": false
                     *         },
                     *         "report_url": "https://leeway.example.com/orgs/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90/plans/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9d"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LlmJob"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listPlanChanges: {
        parameters: {
            query?: {
                /** @description Lists only the changes of this address, with their attributes */
                address?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                job_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "address": "module.shop.aws_db_instance.orders",
                     *           "module_address": "module.shop",
                     *           "resource_type": "aws_db_instance",
                     *           "provider_name": "registry.terraform.io/hashicorp/aws",
                     *           "actions": [
                     *             "update"
                     *           ],
                     *           "attribute_count": 1
                     *         }
                     *       ],
                     *       "total_count": 1
                     *     }
                     */
                    "application/json": {
                        data: {
                            address: string;
                            /** @description Address before a move */
                            previous_address?: string;
                            /** @description Absent in the root module */
                            module_address?: string;
                            resource_type: string;
                            provider_name: string;
                            actions: string[];
                            /** @description Key of a deposed object */
                            deposed?: string;
                            /** @description Whether it is imported. Absent if not */
                            importing?: boolean;
                            /** @description Attributes that differ */
                            attribute_count: number;
                            /** @description The differences. Only with `address`. At most 500 */
                            attribute_changes?: {
                                path: (string | number)[];
                                before: unknown;
                                after: unknown;
                                before_sensitive: boolean;
                                after_sensitive: boolean;
                                /** @description Whether the value is only known after apply */
                                unknown: boolean;
                            }[];
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                        /** @description Changes of the plan, of which the first 10000 are listed */
                        total_count: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            422: components["responses"]["too_slow_to_read"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    narrateDriftSnapshot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
                snapshot_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The queued job. `RateLimit` also shows the remaining quota of the platform's model */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9d",
                     *       "kind": "analyze",
                     *       "status": "queued",
                     *       "poll_url": "/api/v2/orgs/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90/llm-jobs/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9d",
                     *       "created_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["JobTaken"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            /** @description The plan's quota of platform AI analyses is used up, or they are disabled */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDenial"];
                };
            };
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            422: components["responses"]["idempotency_key_reused"];
            /** @description `rate_limited`, The hourly limit of platform AI analyses is reached, or the organization's own key keeps failing */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | (components["schemas"]["HourlyDenial"] | components["schemas"]["ByokDenial"]);
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listPlanNoise: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                class?: "json_policy_normalization" | "set_order" | "tags_all_default_tags" | "external_tags" | "timestamp_value" | "computed_only" | "case_change" | "trailing_char" | "number_string_bool" | "default_materialized" | "autoscaler_owned" | "ami_or_image_latest" | "secret_rotation" | "inline_vs_standalone" | "equivalent_value" | "provider_upgrade_churn";
                status?: "active" | "muted" | "fixed";
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The kinds of noise */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "fingerprint": "pn1_k3jz5wq2m7ab4cd6efghijklmn",
                     *           "class": "json_policy_normalization",
                     *           "title": "The same policy in another notation",
                     *           "resource_type": "aws_iam_policy",
                     *           "provider_name": "registry.terraform.io/hashicorp/aws",
                     *           "path_pattern": "policy",
                     *           "confidence": 0.98,
                     *           "sample": {
                     *             "before": "{\"Action\":[\"sqs:*\"]}",
                     *             "after": "{\"Action\":\"sqs:*\"}"
                     *           },
                     *           "occurrences": 7,
                     *           "projects": [
                     *             "shop/infrastructure:network"
                     *           ],
                     *           "first_seen_at": "2026-10-01T09:30:00.000Z",
                     *           "last_seen_at": "2026-10-07T14:05:12.000Z",
                     *           "status": "active"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["PlanNoise"][];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getPlanNoise: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The kind of noise */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "fingerprint": "pn1_k3jz5wq2m7ab4cd6efghijklmn",
                     *       "class": "json_policy_normalization",
                     *       "title": "The same policy in another notation",
                     *       "resource_type": "aws_iam_policy",
                     *       "provider_name": "registry.terraform.io/hashicorp/aws",
                     *       "path_pattern": "policy",
                     *       "confidence": 0.98,
                     *       "sample": {
                     *         "before": "{\"Action\":[\"sqs:*\"]}",
                     *         "after": "{\"Action\":\"sqs:*\"}"
                     *       },
                     *       "occurrences": 7,
                     *       "projects": [
                     *         "shop/infrastructure:network"
                     *       ],
                     *       "first_seen_at": "2026-10-01T09:30:00.000Z",
                     *       "last_seen_at": "2026-10-07T14:05:12.000Z",
                     *       "status": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["PlanNoise"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    changePlanNoise: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "muted",
                 *       "reason": "the provider fixes it"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    status: "active" | "muted";
                    /** Format: date-time */
                    until?: string;
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The kind of noise */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "fingerprint": "pn1_k3jz5wq2m7ab4cd6efghijklmn",
                     *       "class": "json_policy_normalization",
                     *       "title": "The same policy in another notation",
                     *       "resource_type": "aws_iam_policy",
                     *       "provider_name": "registry.terraform.io/hashicorp/aws",
                     *       "path_pattern": "policy",
                     *       "confidence": 0.98,
                     *       "sample": {
                     *         "before": "{\"Action\":[\"sqs:*\"]}",
                     *         "after": "{\"Action\":\"sqs:*\"}"
                     *       },
                     *       "occurrences": 7,
                     *       "projects": [
                     *         "shop/infrastructure:network"
                     *       ],
                     *       "first_seen_at": "2026-10-01T09:30:00.000Z",
                     *       "last_seen_at": "2026-10-07T14:05:12.000Z",
                     *       "status": "muted",
                     *       "muted_reason": "the provider fixes it"
                     *     }
                     */
                    "application/json": components["schemas"]["PlanNoise"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    fixPlanNoise: {
        parameters: {
            query?: never;
            header?: {
                /** @description Organization to use, for people who belong to several. Same as `org_id` in the body */
                "X-Org-Id"?: components["parameters"]["Organization"];
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                 *       "source": [
                 *         {
                 *           "path": "iam.tf",
                 *           "hcl": "resource \"aws_iam_policy\" \"orders\" {\n  policy = file(\"orders.json\")\n}\n"
                 *         }
                 *       ],
                 *       "strategy": "auto"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    org_id?: string;
                    repository?: string;
                    ref?: string;
                    /** @description At most 900,000 bytes as JSON */
                    source?: {
                        path: string;
                        hcl: string;
                    }[];
                    /** @enum {string} */
                    strategy?: "auto" | "normalize" | "ignore_changes" | "upgrade_provider";
                    /**
                     * @description Whether to put the fix on the merge or pull request of the IaC source whose repository is `repository`, or by default the noise's. Leeway reads the code there, so `source` isn't allowed
                     * @default false
                     */
                    open_change_request?: boolean;
                    /**
                     * Format: uuid
                     * @description IaC source, if several have the repository
                     */
                    source_id?: string;
                    /**
                     * Format: uuid
                     * @description Alias of `source_id`
                     */
                    iac_source_id?: string;
                };
            };
        };
        responses: {
            /** @description The queued job. `RateLimit` also shows the remaining quota of the platform's model */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "job_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9d",
                     *       "kind": "analyze",
                     *       "status": "queued",
                     *       "poll_url": "/api/v2/orgs/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90/llm-jobs/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9d",
                     *       "created_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["JobTaken"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter.org_required"];
            401: components["responses"]["unauthenticated"];
            /** @description The plan's quota of platform AI analyses is used up, or they are disabled */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDenial"];
                };
            };
            403: components["responses"]["forbidden.repository_mismatch"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            /** @description `rate_limited`, The hourly limit of platform AI analyses is reached, or the organization's own key keeps failing */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | (components["schemas"]["HourlyDenial"] | components["schemas"]["ByokDenial"]);
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "risk_profile": "standard",
                     *       "comment_min_risk": "low",
                     *       "drift_narratives": true,
                     *       "comment_decisions": "acknowledge"
                     *     }
                     */
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "risk_profile": "lenient"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    risk_profile?: "standard" | "lenient";
                    /** @enum {string} */
                    comment_min_risk?: "critical" | "high" | "medium" | "low" | "none";
                    drift_narratives?: boolean;
                    /**
                     * @description Which decisions `/leeway` commands may make for the repository they are written in
                     * @enum {string}
                     */
                    comment_decisions?: "none" | "acknowledge" | "ignore";
                };
            };
        };
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "risk_profile": "lenient",
                     *       "comment_min_risk": "low",
                     *       "drift_narratives": true,
                     *       "comment_decisions": "acknowledge"
                     *     }
                     */
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["empty_update.invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getLlmConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The config */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": "anthropic",
                     *       "model": "claude-sonnet-5-5",
                     *       "key_hint": "…wxyz",
                     *       "key_fingerprint": "sha256:9f86d081",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z",
                     *       "last_used_at": "2026-10-07T14:05:12.000Z",
                     *       "breaker": {
                     *         "state": "closed",
                     *         "consecutive_failures": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LlmConfig"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["llm_config_not_found.not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    putLlmConfig: {
        parameters: {
            query?: {
                /** @description Whether to try the key first */
                validate?: boolean;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "provider": "anthropic",
                 *       "api_key": "sk-ant-example",
                 *       "model": "claude-sonnet-5-5"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    provider: "anthropic" | "openai" | "azure_openai" | "bedrock" | "google" | "openai_compatible";
                    api_key: string;
                    model?: string;
                    /** @description Public HTTPS URL that replaces the provider's own, including the version (`https://api.openai.com/v1`). Required for `azure_openai`, `openai_compatible` */
                    base_url?: string;
                    options?: {
                        /** @description Region of Bedrock */
                        region?: string;
                        /** @description Azure OpenAI deployment. Default: the model's name */
                        deployment?: string;
                        /** @description Azure OpenAI API version. Default: the v1 API */
                        api_version?: string;
                    };
                };
            };
        };
        responses: {
            /** @description The config */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": "anthropic",
                     *       "model": "claude-sonnet-5-5",
                     *       "key_hint": "…wxyz",
                     *       "key_fingerprint": "sha256:9f86d081",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z",
                     *       "last_used_at": "2026-10-07T14:05:12.000Z",
                     *       "breaker": {
                     *         "state": "closed",
                     *         "consecutive_failures": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LlmConfig"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["credential_rejected"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["provider_unavailable.unavailable"];
        };
    };
    deleteLlmConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["llm_config_not_found.not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getLlmUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The usage */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "weekly_used": 3,
                     *       "weekly_cap": 5,
                     *       "week_resets_at": "2026-10-12T00:00:00Z",
                     *       "hourly_used": 0,
                     *       "hourly_cap": -1,
                     *       "hour_resets_at": "2026-10-07T15:00:00Z",
                     *       "byok_configured": false,
                     *       "platform_model_configured": true,
                     *       "plan": "free"
                     *     }
                     */
                    "application/json": components["schemas"]["LlmUsage"];
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getLlmUsageHistory: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The days */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "date": "2026-10-07",
                     *           "consumed": 2,
                     *           "held": 1,
                     *           "released": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LlmUsageDay"][];
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listWebhookConfigs: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                source?: "planner" | "vcs";
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The configs */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9b",
                     *           "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *           "source": "planner",
                     *           "name": "atlantis",
                     *           "secret_prefix": "whsec_1a2b3c4d",
                     *           "enabled": true,
                     *           "url": "https://leeway.example.com/webhooks/planner/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *           "last_event_at": "2026-10-07T14:05:12.000Z",
                     *           "last_status": "accepted",
                     *           "consecutive_rejects": 0,
                     *           "created_by": {
                     *             "type": "person",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *           },
                     *           "created_at": "2026-10-07T09:30:00.000Z",
                     *           "updated_at": "2026-10-07T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            org_id: string;
                            /** @enum {string} */
                            source: "planner" | "vcs";
                            name?: string;
                            /** @description The first 14 characters of the secret. Nothing else of it is stored in plain text */
                            secret_prefix: string;
                            enabled: boolean;
                            /** @description Repository that events must name */
                            repo_path?: string;
                            provider_base_url?: string;
                            /** @description URL to which the source sends events */
                            url: string;
                            api_token_status?: {
                                /** @constant */
                                configured: true;
                                name: string;
                                /** @description User who writes the comments */
                                username: string;
                                scopes: string[];
                                /**
                                 * Format: date-time
                                 * @description Start (UTC) of the day on which the token expires
                                 */
                                expires_at: string;
                                days_left: number;
                                /** Format: date-time */
                                last_checked_at: string;
                                last_error?: string;
                            };
                            /** Format: date-time */
                            last_event_at?: string;
                            /** @enum {string} */
                            last_status?: "accepted" | "duplicate" | "ignored" | "rejected";
                            /** @description Rejected calls since the last accepted one. Code hosts disable webhooks that keep failing */
                            consecutive_rejects: number;
                            last_reject?: {
                                /** Format: date-time */
                                at: string;
                                reason: string;
                            };
                            created_by: components["schemas"]["Actor"];
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createWebhookConfig: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source": "planner",
                 *       "name": "atlantis"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    source: "planner" | "vcs";
                    name?: string;
                    /** @example platform/network */
                    repo_path?: string;
                    /** @default true */
                    enabled?: boolean;
                    api_token?: string;
                    /** @default https://gitlab.com */
                    provider_base_url?: string;
                };
            };
        };
        responses: {
            /** @description The config and its secret */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9b",
                     *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "source": "planner",
                     *       "name": "atlantis",
                     *       "secret_prefix": "whsec_1a2b3c4d",
                     *       "enabled": true,
                     *       "url": "https://leeway.example.com/webhooks/planner/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "consecutive_rejects": 0,
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z",
                     *       "raw_secret": "whsec_1a2b3c4d<56 more hex digits>"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        org_id: string;
                        /** @enum {string} */
                        source: "planner" | "vcs";
                        name?: string;
                        /** @description The first 14 characters of the secret. Nothing else of it is stored in plain text */
                        secret_prefix: string;
                        enabled: boolean;
                        /** @description Repository that events must name */
                        repo_path?: string;
                        provider_base_url?: string;
                        /** @description URL to which the source sends events */
                        url: string;
                        api_token_status?: {
                            /** @constant */
                            configured: true;
                            name: string;
                            /** @description User who writes the comments */
                            username: string;
                            scopes: string[];
                            /**
                             * Format: date-time
                             * @description Start (UTC) of the day on which the token expires
                             */
                            expires_at: string;
                            days_left: number;
                            /** Format: date-time */
                            last_checked_at: string;
                            last_error?: string;
                        };
                        /** Format: date-time */
                        last_event_at?: string;
                        /** @enum {string} */
                        last_status?: "accepted" | "duplicate" | "ignored" | "rejected";
                        /** @description Rejected calls since the last accepted one. Code hosts disable webhooks that keep failing */
                        consecutive_rejects: number;
                        last_reject?: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        };
                        created_by: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        /** @description `whsec_` and 64 hex digits. Use the whole text as the key */
                        raw_secret: string;
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getWebhookConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                config_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The config */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9b",
                     *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "source": "planner",
                     *       "name": "atlantis",
                     *       "secret_prefix": "whsec_1a2b3c4d",
                     *       "enabled": true,
                     *       "url": "https://leeway.example.com/webhooks/planner/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "last_event_at": "2026-10-07T14:05:12.000Z",
                     *       "last_status": "accepted",
                     *       "consecutive_rejects": 0,
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        org_id: string;
                        /** @enum {string} */
                        source: "planner" | "vcs";
                        name?: string;
                        /** @description The first 14 characters of the secret. Nothing else of it is stored in plain text */
                        secret_prefix: string;
                        enabled: boolean;
                        /** @description Repository that events must name */
                        repo_path?: string;
                        provider_base_url?: string;
                        /** @description URL to which the source sends events */
                        url: string;
                        api_token_status?: {
                            /** @constant */
                            configured: true;
                            name: string;
                            /** @description User who writes the comments */
                            username: string;
                            scopes: string[];
                            /**
                             * Format: date-time
                             * @description Start (UTC) of the day on which the token expires
                             */
                            expires_at: string;
                            days_left: number;
                            /** Format: date-time */
                            last_checked_at: string;
                            last_error?: string;
                        };
                        /** Format: date-time */
                        last_event_at?: string;
                        /** @enum {string} */
                        last_status?: "accepted" | "duplicate" | "ignored" | "rejected";
                        /** @description Rejected calls since the last accepted one. Code hosts disable webhooks that keep failing */
                        consecutive_rejects: number;
                        last_reject?: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        };
                        created_by: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteWebhookConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                config_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateWebhookConfig: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                config_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": {
                    enabled?: boolean;
                    api_token?: string;
                };
            };
        };
        responses: {
            /** @description The config */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9b",
                     *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "source": "planner",
                     *       "name": "atlantis",
                     *       "secret_prefix": "whsec_1a2b3c4d",
                     *       "enabled": true,
                     *       "url": "https://leeway.example.com/webhooks/planner/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "last_event_at": "2026-10-07T14:05:12.000Z",
                     *       "last_status": "accepted",
                     *       "consecutive_rejects": 0,
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        org_id: string;
                        /** @enum {string} */
                        source: "planner" | "vcs";
                        name?: string;
                        /** @description The first 14 characters of the secret. Nothing else of it is stored in plain text */
                        secret_prefix: string;
                        enabled: boolean;
                        /** @description Repository that events must name */
                        repo_path?: string;
                        provider_base_url?: string;
                        /** @description URL to which the source sends events */
                        url: string;
                        api_token_status?: {
                            /** @constant */
                            configured: true;
                            name: string;
                            /** @description User who writes the comments */
                            username: string;
                            scopes: string[];
                            /**
                             * Format: date-time
                             * @description Start (UTC) of the day on which the token expires
                             */
                            expires_at: string;
                            days_left: number;
                            /** Format: date-time */
                            last_checked_at: string;
                            last_error?: string;
                        };
                        /** Format: date-time */
                        last_event_at?: string;
                        /** @enum {string} */
                        last_status?: "accepted" | "duplicate" | "ignored" | "rejected";
                        /** @description Rejected calls since the last accepted one. Code hosts disable webhooks that keep failing */
                        consecutive_rejects: number;
                        last_reject?: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        };
                        created_by: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["empty_update.invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
                config_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_hours": 24
                 *     }
                 */
                "application/json": {
                    /** @default 24 */
                    overlap_hours?: number;
                };
            };
        };
        responses: {
            /** @description The config and its secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9b",
                     *       "org_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "source": "planner",
                     *       "name": "atlantis",
                     *       "secret_prefix": "whsec_1a2b3c4d",
                     *       "enabled": true,
                     *       "url": "https://leeway.example.com/webhooks/planner/018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "consecutive_rejects": 0,
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z",
                     *       "raw_secret": "whsec_1a2b3c4d<56 more hex digits>"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        org_id: string;
                        /** @enum {string} */
                        source: "planner" | "vcs";
                        name?: string;
                        /** @description The first 14 characters of the secret. Nothing else of it is stored in plain text */
                        secret_prefix: string;
                        enabled: boolean;
                        /** @description Repository that events must name */
                        repo_path?: string;
                        provider_base_url?: string;
                        /** @description URL to which the source sends events */
                        url: string;
                        api_token_status?: {
                            /** @constant */
                            configured: true;
                            name: string;
                            /** @description User who writes the comments */
                            username: string;
                            scopes: string[];
                            /**
                             * Format: date-time
                             * @description Start (UTC) of the day on which the token expires
                             */
                            expires_at: string;
                            days_left: number;
                            /** Format: date-time */
                            last_checked_at: string;
                            last_error?: string;
                        };
                        /** Format: date-time */
                        last_event_at?: string;
                        /** @enum {string} */
                        last_status?: "accepted" | "duplicate" | "ignored" | "rejected";
                        /** @description Rejected calls since the last accepted one. Code hosts disable webhooks that keep failing */
                        consecutive_rejects: number;
                        last_reject?: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        };
                        created_by: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        /** @description `whsec_` and 64 hex digits. Use the whole text as the key */
                        raw_secret: string;
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                outcome?: "pending" | "processed" | "ignored" | "failed";
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                config_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9c",
                     *           "config_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9b",
                     *           "source": "planner",
                     *           "kind": "plan",
                     *           "body_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *           "size": 48213,
                     *           "received_at": "2026-10-07T14:05:12.000Z",
                     *           "outcome": "processed",
                     *           "attempts": 1,
                     *           "processed_at": "2026-10-07T14:05:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            config_id: string;
                            /** @enum {string} */
                            source: "planner" | "vcs";
                            /** @description Kind of event. Absent if unknown */
                            kind?: string;
                            body_sha256: string;
                            /** @description Size of the body in bytes */
                            size: number;
                            /** Format: date-time */
                            received_at: string;
                            /** @enum {string} */
                            outcome: "pending" | "processed" | "ignored" | "failed";
                            /** @description Why it was ignored or failed, or has no comment */
                            reason?: string;
                            attempts: number;
                            /** Format: date-time */
                            processed_at?: string;
                            /**
                             * Format: uuid
                             * @description Job that analyzes the plan
                             */
                            job_id?: string;
                            comment_url?: string;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    replayWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
                config_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9c",
                     *       "config_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9b",
                     *       "source": "planner",
                     *       "kind": "plan",
                     *       "body_sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                     *       "size": 48213,
                     *       "received_at": "2026-10-07T14:05:12.000Z",
                     *       "outcome": "processed",
                     *       "attempts": 1,
                     *       "processed_at": "2026-10-07T14:05:12.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        config_id: string;
                        /** @enum {string} */
                        source: "planner" | "vcs";
                        /** @description Kind of event. Absent if unknown */
                        kind?: string;
                        body_sha256: string;
                        /** @description Size of the body in bytes */
                        size: number;
                        /** Format: date-time */
                        received_at: string;
                        /** @enum {string} */
                        outcome: "pending" | "processed" | "ignored" | "failed";
                        /** @description Why it was ignored or failed, or has no comment */
                        reason?: string;
                        attempts: number;
                        /** Format: date-time */
                        processed_at?: string;
                        /**
                         * Format: uuid
                         * @description Job that analyzes the plan
                         */
                        job_id?: string;
                        comment_url?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    receiveWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                source: "planner" | "vcs";
                org_id: string;
            };
            cookie?: never;
        };
        /** @description The event as the source sends it, at most 5 MiB */
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Stored, already stored before, or not of interest */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted",
                     *       "delivery_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9c"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "accepted" | "duplicate" | "ignored";
                        /** Format: uuid */
                        delivery_id: string;
                    };
                };
            };
            /** @description Authentication failed, for any reason */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unauthorized",
                     *       "message": "invalid signature"
                     *     }
                     */
                    "application/json": {
                        error: string;
                        message?: string;
                    };
                };
            };
            /** @description The event belongs to another repository than the config */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "repository_mismatch"
                     *     }
                     */
                    "application/json": {
                        error: string;
                        message?: string;
                    };
                };
            };
            /** @description The source doesn't exist */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "unknown provider",
                     *       "message": "unknown provider"
                     *     }
                     */
                    "application/json": {
                        error: string;
                        message?: string;
                    };
                };
            };
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listNotificationChannels: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channels */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
                     *           "kind": "webhook",
                     *           "name": "on-call",
                     *           "events": [
                     *             "drift.detected",
                     *             "scan.failed"
                     *           ],
                     *           "min_risk": "high",
                     *           "digest": "none",
                     *           "enabled": true,
                     *           "target": {
                     *             "host": "hooks.example.com"
                     *           },
                     *           "consecutive_failures": 0,
                     *           "last_delivered_at": "2026-10-07T14:05:12.000Z",
                     *           "created_by": {
                     *             "type": "person",
                     *             "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *           },
                     *           "created_at": "2026-10-07T09:30:00.000Z",
                     *           "updated_at": "2026-10-07T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @enum {string} */
                            kind: "webhook" | "slack" | "teams" | "email";
                            name: string;
                            events: ("scan.failed" | "scan_schedule.disabled" | "iac_source.unreadable" | "drift.detected" | "drift.resolved" | "posture.degraded" | "rule.expiring" | "vcs_token.expiring" | "quota.exhausted" | "byok.breaker_opened" | "webhook_config.rejecting" | "notification_channel.disabled")[];
                            /**
                             * @description Events below this level aren't sent. Events without a level always are
                             * @enum {string}
                             */
                            min_risk: "critical" | "high" | "medium" | "low" | "none";
                            /**
                             * Format: uuid
                             * @description Shared view of drift. `drift.detected` and `drift.resolved` then report only the changes that its filter selects; other events are sent as without it
                             */
                            view_id?: string;
                            /** @enum {string} */
                            digest: "none" | "hourly" | "daily";
                            enabled: boolean;
                            target: {
                                /** @description Host of the URL. The rest may contain a secret and isn't shown */
                                host?: string;
                                to?: string[];
                            };
                            /** @description Addresses of an e-mail channel and whether they are confirmed */
                            recipients?: {
                                /** Format: email */
                                address: string;
                                /**
                                 * @description Only `confirmed` addresses receive notifications. A `waiting` address was sent a confirmation link
                                 * @enum {string}
                                 */
                                status: "waiting" | "confirmed" | "unsubscribed";
                            }[];
                            /** @description Consecutive messages that failed for good. The tenth disables the channel */
                            consecutive_failures: number;
                            /** Format: date-time */
                            disabled_at?: string;
                            /** @description Why Leeway disabled the channel */
                            disabled_reason?: string;
                            /** Format: date-time */
                            last_delivered_at?: string;
                            /** @description The last attempt, if it failed. Absent after a success */
                            last_failure?: {
                                /** Format: date-time */
                                at: string;
                                reason: string;
                            };
                            created_by: components["schemas"]["Actor"];
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    createNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "webhook",
                 *       "name": "on-call",
                 *       "events": [
                 *         "drift.detected",
                 *         "scan.failed"
                 *       ],
                 *       "min_risk": "high",
                 *       "target": {
                 *         "url": "https://hooks.example.com/leeway"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    kind: "webhook" | "slack" | "teams" | "email";
                    name: string;
                    events: ("scan.failed" | "scan_schedule.disabled" | "iac_source.unreadable" | "drift.detected" | "drift.resolved" | "posture.degraded" | "rule.expiring" | "vcs_token.expiring" | "quota.exhausted" | "byok.breaker_opened" | "webhook_config.rejecting" | "notification_channel.disabled")[];
                    target: {
                        url?: string;
                        to?: string[];
                    };
                    /**
                     * @description Events below this level aren't sent. Events without a level always are
                     * @enum {string}
                     */
                    min_risk?: "critical" | "high" | "medium" | "low" | "none";
                    /**
                     * Format: uuid
                     * @description Shared view of drift. `drift.detected` and `drift.resolved` then report only the changes that its filter selects; other events are sent as without it
                     */
                    view_id?: string;
                    /** @enum {string} */
                    digest?: "none" | "hourly" | "daily";
                    /** @default true */
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description The channel, with the secret of a webhook */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
                     *       "kind": "webhook",
                     *       "name": "on-call",
                     *       "events": [
                     *         "drift.detected",
                     *         "scan.failed"
                     *       ],
                     *       "min_risk": "high",
                     *       "digest": "none",
                     *       "enabled": true,
                     *       "target": {
                     *         "host": "hooks.example.com"
                     *       },
                     *       "consecutive_failures": 0,
                     *       "last_delivered_at": "2026-10-07T14:05:12.000Z",
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z",
                     *       "secret": "whsec_<32 bytes in base64>"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        kind: "webhook" | "slack" | "teams" | "email";
                        name: string;
                        events: ("scan.failed" | "scan_schedule.disabled" | "iac_source.unreadable" | "drift.detected" | "drift.resolved" | "posture.degraded" | "rule.expiring" | "vcs_token.expiring" | "quota.exhausted" | "byok.breaker_opened" | "webhook_config.rejecting" | "notification_channel.disabled")[];
                        /**
                         * @description Events below this level aren't sent. Events without a level always are
                         * @enum {string}
                         */
                        min_risk: "critical" | "high" | "medium" | "low" | "none";
                        /**
                         * Format: uuid
                         * @description Shared view of drift. `drift.detected` and `drift.resolved` then report only the changes that its filter selects; other events are sent as without it
                         */
                        view_id?: string;
                        /** @enum {string} */
                        digest: "none" | "hourly" | "daily";
                        enabled: boolean;
                        target: {
                            /** @description Host of the URL. The rest may contain a secret and isn't shown */
                            host?: string;
                            to?: string[];
                        };
                        /** @description Addresses of an e-mail channel and whether they are confirmed */
                        recipients?: {
                            /** Format: email */
                            address: string;
                            /**
                             * @description Only `confirmed` addresses receive notifications. A `waiting` address was sent a confirmation link
                             * @enum {string}
                             */
                            status: "waiting" | "confirmed" | "unsubscribed";
                        }[];
                        /** @description Consecutive messages that failed for good. The tenth disables the channel */
                        consecutive_failures: number;
                        /** Format: date-time */
                        disabled_at?: string;
                        /** @description Why Leeway disabled the channel */
                        disabled_reason?: string;
                        /** Format: date-time */
                        last_delivered_at?: string;
                        /** @description The last attempt, if it failed. Absent after a success */
                        last_failure?: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        };
                        created_by: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        /** @description Signing secret of a webhook: `whsec_` and the key in base64 (Standard Webhooks) */
                        secret?: string;
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getNotificationChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
                     *       "kind": "webhook",
                     *       "name": "on-call",
                     *       "events": [
                     *         "drift.detected",
                     *         "scan.failed"
                     *       ],
                     *       "min_risk": "high",
                     *       "digest": "none",
                     *       "enabled": true,
                     *       "target": {
                     *         "host": "hooks.example.com"
                     *       },
                     *       "consecutive_failures": 0,
                     *       "last_delivered_at": "2026-10-07T14:05:12.000Z",
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        kind: "webhook" | "slack" | "teams" | "email";
                        name: string;
                        events: ("scan.failed" | "scan_schedule.disabled" | "iac_source.unreadable" | "drift.detected" | "drift.resolved" | "posture.degraded" | "rule.expiring" | "vcs_token.expiring" | "quota.exhausted" | "byok.breaker_opened" | "webhook_config.rejecting" | "notification_channel.disabled")[];
                        /**
                         * @description Events below this level aren't sent. Events without a level always are
                         * @enum {string}
                         */
                        min_risk: "critical" | "high" | "medium" | "low" | "none";
                        /**
                         * Format: uuid
                         * @description Shared view of drift. `drift.detected` and `drift.resolved` then report only the changes that its filter selects; other events are sent as without it
                         */
                        view_id?: string;
                        /** @enum {string} */
                        digest: "none" | "hourly" | "daily";
                        enabled: boolean;
                        target: {
                            /** @description Host of the URL. The rest may contain a secret and isn't shown */
                            host?: string;
                            to?: string[];
                        };
                        /** @description Addresses of an e-mail channel and whether they are confirmed */
                        recipients?: {
                            /** Format: email */
                            address: string;
                            /**
                             * @description Only `confirmed` addresses receive notifications. A `waiting` address was sent a confirmation link
                             * @enum {string}
                             */
                            status: "waiting" | "confirmed" | "unsubscribed";
                        }[];
                        /** @description Consecutive messages that failed for good. The tenth disables the channel */
                        consecutive_failures: number;
                        /** Format: date-time */
                        disabled_at?: string;
                        /** @description Why Leeway disabled the channel */
                        disabled_reason?: string;
                        /** Format: date-time */
                        last_delivered_at?: string;
                        /** @description The last attempt, if it failed. Absent after a success */
                        last_failure?: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        };
                        created_by: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteNotificationChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    updateNotificationChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    name?: string;
                    events?: ("scan.failed" | "scan_schedule.disabled" | "iac_source.unreadable" | "drift.detected" | "drift.resolved" | "posture.degraded" | "rule.expiring" | "vcs_token.expiring" | "quota.exhausted" | "byok.breaker_opened" | "webhook_config.rejecting" | "notification_channel.disabled")[];
                    target?: {
                        url?: string;
                        to?: string[];
                    };
                    /**
                     * @description Events below this level aren't sent. Events without a level always are
                     * @enum {string}
                     */
                    min_risk?: "critical" | "high" | "medium" | "low" | "none";
                    /** @description null: all drift is reported */
                    view_id?: string | null;
                    /** @enum {string} */
                    digest?: "none" | "hourly" | "daily";
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description The channel */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
                     *       "kind": "webhook",
                     *       "name": "on-call",
                     *       "events": [
                     *         "drift.detected",
                     *         "scan.failed"
                     *       ],
                     *       "min_risk": "high",
                     *       "digest": "none",
                     *       "enabled": true,
                     *       "target": {
                     *         "host": "hooks.example.com"
                     *       },
                     *       "consecutive_failures": 0,
                     *       "last_delivered_at": "2026-10-07T14:05:12.000Z",
                     *       "created_by": {
                     *         "type": "person",
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e91"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @enum {string} */
                        kind: "webhook" | "slack" | "teams" | "email";
                        name: string;
                        events: ("scan.failed" | "scan_schedule.disabled" | "iac_source.unreadable" | "drift.detected" | "drift.resolved" | "posture.degraded" | "rule.expiring" | "vcs_token.expiring" | "quota.exhausted" | "byok.breaker_opened" | "webhook_config.rejecting" | "notification_channel.disabled")[];
                        /**
                         * @description Events below this level aren't sent. Events without a level always are
                         * @enum {string}
                         */
                        min_risk: "critical" | "high" | "medium" | "low" | "none";
                        /**
                         * Format: uuid
                         * @description Shared view of drift. `drift.detected` and `drift.resolved` then report only the changes that its filter selects; other events are sent as without it
                         */
                        view_id?: string;
                        /** @enum {string} */
                        digest: "none" | "hourly" | "daily";
                        enabled: boolean;
                        target: {
                            /** @description Host of the URL. The rest may contain a secret and isn't shown */
                            host?: string;
                            to?: string[];
                        };
                        /** @description Addresses of an e-mail channel and whether they are confirmed */
                        recipients?: {
                            /** Format: email */
                            address: string;
                            /**
                             * @description Only `confirmed` addresses receive notifications. A `waiting` address was sent a confirmation link
                             * @enum {string}
                             */
                            status: "waiting" | "confirmed" | "unsubscribed";
                        }[];
                        /** @description Consecutive messages that failed for good. The tenth disables the channel */
                        consecutive_failures: number;
                        /** Format: date-time */
                        disabled_at?: string;
                        /** @description Why Leeway disabled the channel */
                        disabled_reason?: string;
                        /** Format: date-time */
                        last_delivered_at?: string;
                        /** @description The last attempt, if it failed. Absent after a success */
                        last_failure?: {
                            /** Format: date-time */
                            at: string;
                            reason: string;
                        };
                        created_by: components["schemas"]["Actor"];
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        /** @description Signing secret of a webhook: `whsec_` and the key in base64 (Standard Webhooks) */
                        secret?: string;
                    };
                };
            };
            400: components["responses"]["empty_update.invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    testNotificationChannel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted",
                     *       "delivery_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9f"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "accepted";
                        /** Format: uuid */
                        delivery_id: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    askNotificationRecipient: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "ada@example.com"
                 *     }
                 */
                "application/json": {
                    /** Format: email */
                    address: string;
                };
            };
        };
        responses: {
            /** @description The delivery */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted",
                     *       "delivery_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9f"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "accepted";
                        /** Format: uuid */
                        delivery_id: string;
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    listNotificationDeliveries: {
        parameters: {
            query?: {
                /** @description Page size. Values above 500 count as 500. `page_size` is an alias. */
                limit?: number;
                /** @description `next_cursor` of the previous page */
                cursor?: string;
                status?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
                channel_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9f",
                     *           "channel_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
                     *           "message_id": "evt_5f1c0b7e9a3d4826b1c05e7f9a3d4826",
                     *           "type": "drift.detected",
                     *           "event_ids": [
                     *             "evt_5f1c0b7e9a3d4826b1c05e7f9a3d4826"
                     *           ],
                     *           "status": "delivered",
                     *           "attempts": 1,
                     *           "created_at": "2026-10-07T14:05:12.000Z",
                     *           "last_attempt_at": "2026-10-07T14:05:12.000Z",
                     *           "delivered_at": "2026-10-07T14:05:12.000Z",
                     *           "response_status": 200
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** Format: uuid */
                            channel_id: string;
                            /** @description Value of `webhook-id`, the same for every attempt */
                            message_id: string;
                            /** @description Type of the event, `digest` for several events, `channel.test` or `channel.confirmation` */
                            type: string;
                            event_ids: string[];
                            /** @enum {string} */
                            status: "pending" | "delivered" | "failed";
                            attempts: number;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            next_attempt_at?: string;
                            /** Format: date-time */
                            last_attempt_at?: string;
                            /** Format: date-time */
                            delivered_at?: string;
                            /** @description HTTP status of the last response */
                            response_status?: number;
                            /** @description Why the last attempt failed, or why an e-mail reached only some addresses */
                            reason?: string;
                        }[];
                        /** @description Cursor of the next page. Absent on the last page */
                        next_cursor?: string;
                    };
                };
            };
            400: components["responses"]["invalid_cursor.invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    redeliverNotification: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
                channel_id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9f",
                     *       "channel_id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
                     *       "message_id": "evt_5f1c0b7e9a3d4826b1c05e7f9a3d4826",
                     *       "type": "drift.detected",
                     *       "event_ids": [
                     *         "evt_5f1c0b7e9a3d4826b1c05e7f9a3d4826"
                     *       ],
                     *       "status": "delivered",
                     *       "attempts": 1,
                     *       "created_at": "2026-10-07T14:05:12.000Z",
                     *       "last_attempt_at": "2026-10-07T14:05:12.000Z",
                     *       "delivered_at": "2026-10-07T14:05:12.000Z",
                     *       "response_status": 200
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** Format: uuid */
                        channel_id: string;
                        /** @description Value of `webhook-id`, the same for every attempt */
                        message_id: string;
                        /** @description Type of the event, `digest` for several events, `channel.test` or `channel.confirmation` */
                        type: string;
                        event_ids: string[];
                        /** @enum {string} */
                        status: "pending" | "delivered" | "failed";
                        attempts: number;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        next_attempt_at?: string;
                        /** Format: date-time */
                        last_attempt_at?: string;
                        /** Format: date-time */
                        delivered_at?: string;
                        /** @description HTTP status of the last response */
                        response_status?: number;
                        /** @description Why the last attempt failed, or why an e-mail reached only some addresses */
                        reason?: string;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["forbidden"];
            404: components["responses"]["not_found"];
            409: components["responses"]["conflict"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    operatorCreateOrganization: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example Ltd",
                 *       "owner_email": "ada@example.com",
                 *       "plan": "team"
                 *     }
                 */
                "application/json": {
                    /** @example Example Ltd */
                    name: string;
                    /**
                     * Format: email
                     * @example ada@example.com
                     */
                    owner_email?: string;
                    /** @enum {string} */
                    plan?: "free" | "team" | "enterprise";
                };
            };
        };
        responses: {
            /** @description The organization and its key */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "org": {
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *         "name": "Example Ltd",
                     *         "created_at": "2026-10-07T09:30:00.000Z",
                     *         "updated_at": "2026-10-07T09:30:00.000Z"
                     *       },
                     *       "api_key": {
                     *         "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93",
                     *         "name": "operator",
                     *         "role": "admin",
                     *         "repositories": [
                     *           "acme/*"
                     *         ],
                     *         "prefix": "leeway_4fT9xQ2b",
                     *         "created_by": {
                     *           "type": "operator",
                     *           "id": "operator"
                     *         },
                     *         "created_at": "2026-10-07T09:30:00.000Z",
                     *         "key": "leeway_4fT9xQ2b_<38 characters>"
                     *       }
                     *     }
                     */
                    "application/json": {
                        org: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                        api_key: components["schemas"]["ApiKeyWithSecret"];
                    };
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    operatorGetOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e90",
                     *       "name": "Example Ltd",
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "updated_at": "2026-10-07T09:30:00.000Z",
                     *       "plan": "team",
                     *       "weekly_platform_llm_quota": -1,
                     *       "hourly_platform_llm_limit": 20
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        /** @enum {string} */
                        plan: "free" | "team" | "enterprise";
                        weekly_platform_llm_quota: number;
                        hourly_platform_llm_limit: number;
                    };
                };
            };
            400: components["responses"]["invalid_parameter"];
            404: components["responses"]["not_found"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    operatorSetPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "plan": "enterprise",
                 *       "hourly_platform_llm_limit": 200
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    plan: "free" | "team" | "enterprise";
                    weekly_platform_llm_quota?: number;
                    hourly_platform_llm_limit?: number;
                };
            };
        };
        responses: {
            /** @description The plan with its effective caps */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "plan": "enterprise",
                     *       "weekly_platform_llm_quota": -1,
                     *       "hourly_platform_llm_limit": 200
                     *     }
                     */
                    "application/json": components["schemas"]["PlanSettings"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    operatorCreateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Within 24 hours, a repeated request with the same key gets the first response, unless that was an error
                 * @example 6f2a8c1e-5d0b-4f3a-9c7e-1b2d3e4f5a6b
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the organization */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "pipelines",
                 *       "role": "member"
                 *     }
                 */
                "application/json": {
                    /** @example ci */
                    name: string;
                    /** @enum {string} */
                    role: "admin" | "member" | "viewer";
                    /** @description Repositories the key may speak for, as paths or patterns with `*`. Default: all. A limited key only reads, submits plans and noise fixes, and pushes states */
                    repositories?: string[];
                    /** Format: date-time */
                    expires_at?: string;
                };
            };
        };
        responses: {
            /** @description The key */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e93",
                     *       "name": "pipelines",
                     *       "role": "member",
                     *       "repositories": [
                     *         "acme/*"
                     *       ],
                     *       "prefix": "leeway_4fT9xQ2b",
                     *       "created_by": {
                     *         "type": "operator",
                     *         "id": "operator"
                     *       },
                     *       "created_at": "2026-10-07T09:30:00.000Z",
                     *       "key": "leeway_4fT9xQ2b_<38 characters>"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyWithSecret"];
                };
            };
            400: components["responses"]["invalid_body.invalid_parameter"];
            404: components["responses"]["not_found"];
            408: components["responses"]["request_timeout"];
            409: components["responses"]["conflict"];
            413: components["responses"]["payload_too_large"];
            415: components["responses"]["unsupported_media_type"];
            422: components["responses"]["idempotency_key_reused"];
            429: components["responses"]["rate_limited"];
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getIssuer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The issuer */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "https://leeway.example.com",
                     *       "jwks_uri": "https://leeway.example.com/.well-known/jwks.json",
                     *       "response_types_supported": [
                     *         "id_token"
                     *       ],
                     *       "subject_types_supported": [
                     *         "public"
                     *       ],
                     *       "id_token_signing_alg_values_supported": [
                     *         "RS256"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        issuer: string;
                        jwks_uri: string;
                        response_types_supported: string[];
                        subject_types_supported: string[];
                        id_token_signing_alg_values_supported: string[];
                    };
                };
            };
            500: components["responses"]["internal"];
        };
    };
    getIssuerKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "RSA",
                     *           "use": "sig",
                     *           "alg": "RS256",
                     *           "kid": "018f6e0a-4c1d-7a53-9b7e-2f1d3c5a7e9e",
                     *           "n": "u1SU1LfVLPHCozMxH2Mo…",
                     *           "e": "AQAB"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        keys: {
                            /** @constant */
                            kty: "RSA";
                            /** @constant */
                            use: "sig";
                            /** @constant */
                            alg: "RS256";
                            /** Format: uuid */
                            kid: string;
                            n: string;
                            e: string;
                        }[];
                    };
                };
            };
            500: components["responses"]["internal"];
            503: components["responses"]["unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            500: components["responses"]["internal"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The OpenAPI document */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["invalid_parameter"];
            500: components["responses"]["internal"];
        };
    };
}
