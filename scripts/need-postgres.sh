#!/usr/bin/env bash
# Makes sure that the programs of a Postgres server are installed, or says in one line what is missing. Nothing has to
# run: the tests start a cluster of their own.
set -euo pipefail
for dir in /usr/lib/postgresql/*/bin /usr/pgsql-*/bin /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin; do
	if [ -x "$dir/initdb" ] && [ -x "$dir/postgres" ]; then exit 0; fi
done
if command -v initdb >/dev/null && command -v postgres >/dev/null; then exit 0; fi
if ! command -v apt-get >/dev/null; then
	echo "the tests need a Postgres server: install one (macOS: brew install postgresql)" >&2
	exit 1
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || { echo "the tests need a Postgres server: run as root: apt-get install -y postgresql" >&2; exit 1; }
	sudo=sudo
fi
echo "installing postgresql with apt-get"
# Debian makes and starts a cluster with the package unless it is told not to.
if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
	$sudo mkdir -p /etc/postgresql-common
	echo "create_main_cluster = false" | $sudo tee /etc/postgresql-common/createcluster.conf >/dev/null
fi
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >/dev/null
