# One pattern for all images. A service:    docker build --build-arg SERVICE=gateway -t leeway/gateway .
# What an operator runs (migrations first):  docker build --target tools -t leeway/tools .
# Where Docker Hub or npm can't be reached, BASE is Bun's image and BUN_CONFIG_REGISTRY the registry at a mirror.
ARG BASE=oven/bun:1.4.5-slim

FROM ${BASE} AS source
WORKDIR /source
COPY . .

FROM source AS service-files
ARG SERVICE
ARG BUN_CONFIG_REGISTRY
# What the gateway shows to people is bundled once, here; what bundles it stays behind.
RUN if [ "${SERVICE}" = gateway ]; then \
  bun install --frozen-lockfile --ignore-scripts --filter "@leeway/dashboard" && \
  bun packages/dashboard/build.ts && \
  rm -rf node_modules packages/dashboard/node_modules packages/dashboard/src; \
  fi
RUN bun install --frozen-lockfile --production --ignore-scripts --filter "@leeway/${SERVICE}"
# Modules are links into one store: what belongs together is copied together. Elysia brings a compiler that nothing runs.
# A checkout may be its owner's alone (umask 077), and who runs the image is another.
RUN set -eu; \
  rm -rf node_modules/.bun/typescript@* node_modules/.bun/@typescript+*; \
  mkdir -p /app/services /app/packages /app/scripts; \
  cp -a package.json node_modules /app/; \
  cp -a "services/${SERVICE}" /app/services/; \
  for link in services/"${SERVICE}"/node_modules/@leeway/*; do cp -a "packages/${link##*/}" /app/packages/; done; \
  cp scripts/healthcheck.ts /app/scripts/; \
  chmod -R a+rX /app

FROM source AS tools-files
ARG BUN_CONFIG_REGISTRY
RUN bun install --frozen-lockfile --production --omit optional --ignore-scripts --filter leeway
RUN set -eu; \
  mkdir -p /app/services /app/packages /app/scripts; \
  cp -a package.json node_modules /app/; \
  cp -a packages/shared /app/packages/; \
  cp scripts/migrate.ts scripts/schemas.ts scripts/rewrap.ts scripts/sealed-columns.ts scripts/dead-letters.ts scripts/backup.ts scripts/restore.ts \
    scripts/backup-tables.ts scripts/lines.ts scripts/within.ts /app/scripts/; \
  for schema in services/*/src/schema.ts; do \
    service="${schema%/src/schema.ts}"; \
    mkdir -p "/app/${service}/src"; \
    cp "${schema}" "/app/${service}/src/"; \
    cp -a "${service}/migrations" "/app/${service}/"; \
  done; \
  chmod -R a+rX /app

FROM ${BASE} AS runtime
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.vendor="Leeway" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
# Nothing is written to the image's own files: it runs read-only.
ENV NODE_ENV=production BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
ENTRYPOINT []
# By number, so that a cluster can see that it isn't root.
USER 1000:1000

FROM runtime AS tools
LABEL org.opencontainers.image.title="leeway-tools" \
  org.opencontainers.image.description="Migrations, and what an operator of Leeway runs by hand"
COPY --from=tools-files /app /app
WORKDIR /app
CMD ["bun", "scripts/migrate.ts"]

FROM runtime AS service
ARG SERVICE
LABEL org.opencontainers.image.title="leeway-${SERVICE}" \
  org.opencontainers.image.description="The ${SERVICE} service of Leeway"
COPY --from=service-files /app /app
WORKDIR /app/services/${SERVICE}
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --start-interval=1s \
  CMD ["bun", "/app/scripts/healthcheck.ts"]
CMD ["bun", "src/main.ts"]
