#!/usr/bin/env bash
# Makes sure that a Chromium is installed, or says in one line what is missing. With
# "both" it brings all the browsers that the tests run on.
set -euo pipefail
for b in /usr/lib/chromium/chromium-headless-shell /usr/lib/chromium/chromium \
	"$(command -v chromium-headless-shell || true)" "$(command -v chromium || true)" \
	"$(command -v google-chrome || true)" "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
	[ -n "$b" ] && [ -x "$b" ] && found=$b && break
done
# The tests need both Debian binaries, since cross-site frames differ in them, Firefox,
# WebKit and a driver that somebody else would have started.
if [ -n "${found:-}" ] && { [ "${1:-}" != both ] || { [ -x /usr/lib/chromium/chromium ] && [ -x /usr/lib/chromium/chromium-headless-shell ] && [ -x /usr/lib/firefox-esr/firefox-esr ] &&
	command -v WebKitWebDriver >/dev/null && command -v chromedriver >/dev/null && command -v Xvfb >/dev/null; }; }; then
	exit 0
fi
if ! command -v apt-get >/dev/null; then
	echo "legwork needs Chromium or Chrome: install one (macOS: brew install --cask google-chrome)" >&2
	exit 1
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || { echo "legwork needs Chromium: run as root: apt-get install -y chromium chromium-headless-shell" >&2; exit 1; }
	sudo=sudo
fi
packages="chromium chromium-headless-shell fonts-liberation"
[ "${1:-}" != both ] || packages="$packages chromium-driver firefox-esr webkit2gtk-driver xvfb"
echo "installing $packages with apt-get"
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >/dev/null
