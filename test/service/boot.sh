#!/bin/bash
# Boots this machine's own files, with a throw-away layer over them, as a container of systemd.
# Run it in a mount namespace of its own: whatever is mounted here goes when it ends. boot.sh FOLDER PROJECT NAME PIPE
# Once the machine has booted, it writes a line into the pipe.
set -euo pipefail
folder=$1 project=$2 name=$3 bell=$4
mount -t tmpfs tmpfs "$folder"
mkdir -p "$folder/upper" "$folder/work" "$folder/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/upper,workdir=$folder/work" "$folder/root"
root=$folder/root

echo uninitialized >"$root/etc/machine-id"
echo 'guest:x:4711:4711::/home/guest:/bin/sh' >>"$root/etc/passwd"
echo 'guest:x:4711:' >>"$root/etc/group"
echo 'guest:*:19000:0:99999:7:::' >>"$root/etc/shadow"
mkdir -p "$root/opt/vault-steward" "$root/home/guest" "$root/srv"
chown 4711:4711 "$root/home/guest"
# Nothing of what this machine runs itself: only what the services of the steward need.
cat >"$root/etc/systemd/system/steward-test.target" <<'UNIT'
[Unit]
Requires=basic.target
Wants=dbus.service systemd-logind.service
After=basic.target dbus.service systemd-logind.service
AllowIsolate=yes
UNIT
cat >"$root/etc/systemd/system/steward-booted.service" <<'UNIT'
[Unit]
After=steward-test.target
[Service]
Type=oneshot
ExecStart=/bin/echo booted
StandardOutput=file:/run/steward-booted
UNIT
mkdir -p "$root/etc/systemd/system/steward-test.target.wants"
ln -s ../steward-booted.service "$root/etc/systemd/system/steward-test.target.wants/"

export SYSTEMD_NSPAWN_TMPFS_TMP=0
exec systemd-nspawn --quiet --directory="$root" --machine="$name" --register=no --keep-unit --private-network \
  --bind="$bell:/run/steward-booted" --bind-ro="$project:/opt/vault-steward" --console=pipe --boot -- systemd.unit=steward-test.target
