#!/bin/sh
# Prints the Secrets that Tenantry itself needs, made again. "create" leaves those that exist as they are:
#   sh infra/k8s/secrets.sh | kubectl create -n tenantry -f -
set -eu

random() { openssl rand -hex 32; }

secret() { # of which name, of which type, then key=value …
  printf '%s\n' '---' 'apiVersion: v1' 'kind: Secret' 'metadata:' "  name: $1" "type: $2" 'stringData:'
  shift 2
  for pair; do printf '  %s: "%s"\n' "${pair%%=*}" "${pair#*=}"; done
}

secret postgres-provisioner kubernetes.io/basic-auth username=provisioner password="$(random)"
for service in auth-service leads-service users-service quotation-service; do
  secret "$service-database" Opaque owner="$(random)" runtime="$(random)"
done
secret auth-secret Opaque current="$(random)"
secret internal-api-key Opaque key="$(random)"
secret redis Opaque password="$(random)"
