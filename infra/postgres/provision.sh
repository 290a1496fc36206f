#!/bin/sh
# Makes the database and the three roles of each service, or brings existing ones to the same state.
#
# As an operator, with the usual PGHOST, PGPORT, PGUSER, PGPASSWORD of an administrator:
#   LEADS_SERVICE_OWNER_PASSWORD=… LEADS_SERVICE_RUNTIME_PASSWORD=… TENANTRY_SERVICES=leads-service ./provision.sh
# In a container of the postgres image: mount this folder as /docker-entrypoint-initdb.d and set the same passwords.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${TENANTRY_SERVICES:=auth-service leads-service users-service quotation-service}"
PGUSER=${PGUSER:-${POSTGRES_USER:-postgres}}
export PGUSER

password() { # of which service, for which role
  variable="$(printf '%s' "$1" | tr 'a-z-' 'A-Z_')_$2_PASSWORD"
  eval "value=\${$variable:-}"
  [ -n "$value" ] || { echo "Set $variable: the password of that role of $1." >&2; exit 1; }
  printf '%s' "$value"
}

for service in $TENANTRY_SERVICES; do
  database="tenantry_$(printf '%s' "${service%-service}" | tr - _)"
  TENANTRY_OWNER_PASSWORD=$(password "$service" OWNER)
  TENANTRY_RUNTIME_PASSWORD=$(password "$service" RUNTIME)
  export TENANTRY_OWNER_PASSWORD TENANTRY_RUNTIME_PASSWORD
  psql -X -q -v ON_ERROR_STOP=1 -v database="$database" -v here="$here" -d postgres <<'SQL'
\getenv owner_password TENANTRY_OWNER_PASSWORD
\getenv runtime_password TENANTRY_RUNTIME_PASSWORD
\set owner :database _owner
\set runtime :database _service
\set roles :here /sql/roles.sql
\set contents :here /sql/database.sql
\o /dev/null
SELECT set_config('tenantry.owner', :'owner', false), set_config('tenantry.runtime', :'runtime', false),
       set_config('tenantry.owner_password', :'owner_password', false),
       set_config('tenantry.runtime_password', :'runtime_password', false);
\i :roles
\o
SELECT format('CREATE DATABASE %I OWNER %I TEMPLATE template0 ENCODING ''UTF8'' LOCALE_PROVIDER builtin BUILTIN_LOCALE ''C.UTF-8'' LOCALE ''C''',
              :'database', :'owner')
 WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'database')
\gexec
\connect :database
\o /dev/null
SELECT set_config('tenantry.owner', :'owner', false), set_config('tenantry.runtime', :'runtime', false);
\i :contents
SQL
  echo "$service: database $database is ready"
done
