#!/bin/sh
# Builds and signs the images of a release. Needs docker with buildx, git, and for `join` cosign.
#   images.sh build REGISTRY VERSION ARCH    pushes REGISTRY/IMAGE:VERSION-ARCH with an SBOM (SPDX) and provenance (SLSA)
#   images.sh join REGISTRY VERSION ARCH…    joins them to REGISTRY/IMAGE:VERSION, signs it by digest and prints the digest
set -eu
IMAGES="gateway inventory webhooks quota analyzer tools trial"
command=$1 registry=$2 version=$3
shift 3

digest_of() { docker buildx imagetools inspect "$1" --format '{{.Manifest.Digest}}'; }

# Prints IMAGE@DIGEST of an ARG of the Dockerfile, so that every architecture and image has the same base.
pinned() {
  image=$(sed -n "s/^ARG $1=//p" Dockerfile)
  printf '%s@%s' "$image" "$(digest_of "$image")"
}

case "$command" in
  build)
    arch=$1
    base=$(pinned BASE)
    runtime=$(pinned RUNTIME)
    for image in $IMAGES; do
      case "$image" in
        tools | trial) target=$image ;;
        *) target=service ;;
      esac
      docker buildx build --target "$target" --platform "linux/$arch" \
        --build-arg "SERVICE=$image" --build-arg "BASE=$base" --build-arg "RUNTIME=$runtime" \
        --build-arg "VERSION=$version" --build-arg "REVISION=$(git rev-parse HEAD)" \
        --sbom=true --provenance=mode=max --push --tag "$registry/$image:$version-$arch" .
    done
    ;;
  join)
    for image in $IMAGES; do
      name="$registry/$image"
      sources=
      for arch in "$@"; do sources="$sources $name:$version-$arch"; done
      # shellcheck disable=SC2086 -- one word for each architecture
      docker buildx imagetools create --tag "$name:$version" $sources
      digest=$(digest_of "$name:$version")
      cosign sign --yes --recursive "$name@$digest" >&2
      printf '%s@%s\n' "$name" "$digest"
    done
    ;;
  *)
    sed -n '2,4p' "$0" >&2
    exit 64
    ;;
esac
