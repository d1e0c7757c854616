#!/usr/bin/env bash
# Starts the storage of Ceph's S3 server in a folder, on ports of this machine: monitor, manager and one in-memory OSD. Prints
# "ready" when radosgw can be started, and stops everything when it is stopped.
#   e2e/radosgw.sh FOLDER [SECRET]    access key `aerie`; afterwards: radosgw -c FOLDER/ceph.conf -n client.rgw -f
# Needs the Debian packages radosgw, ceph-mon, ceph-mgr and ceph-osd.
set -euo pipefail
folder=$(realpath "$1")
read -r v2 v1 < <(python3 -c 'import socket
s = [socket.socket() for _ in "12"]
[x.bind(("127.0.0.1", 0)) for x in s]
print(*[x.getsockname()[1] for x in s])')
fsid=$(cat /proc/sys/kernel/random/uuid)
osd=$(cat /proc/sys/kernel/random/uuid)
# radosgw asks monitors for encrypted connections alone, which there are none of without authentication: hence the client mode.
cat > "$folder/ceph.conf" << END
[global]
fsid = $fsid
mon host = [v2:127.0.0.1:$v2,v1:127.0.0.1:$v1]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
ms mon client mode = crc
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 1
osd pool default pg autoscale mode = off
mon allow pool size one = true
mon max pg per osd = 1000
osd objectstore = memstore
memstore device bytes = 2147483648
osd crush chooseleaf type = 0
run dir = $folder
admin socket = $folder/\$name.asok
log file = $folder/\$name.log
mon data = $folder/mon
mgr data = $folder/mgr
osd data = $folder/osd
mgr initial modules =
keyring = $folder/keyring
END
mkdir "$folder/mon" "$folder/mgr" "$folder/osd"
: > "$folder/keyring"
export CEPH_CONF=$folder/ceph.conf
children=()
trap 'kill -KILL "${children[@]}" 2> /dev/null || true' EXIT
monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$v2,v1:127.0.0.1:$v1]" "$folder/monmap" > /dev/null
ceph-mon --mkfs -i a --monmap "$folder/monmap" > "$folder/out" 2>&1
setpriv --pdeathsig KILL ceph-mon -i a -f >> "$folder/out" 2>&1 & children+=($!)
setpriv --pdeathsig KILL ceph-mgr -i x -f >> "$folder/out" 2>&1 & children+=($!)
timeout 30 ceph osd new "$osd" >> "$folder/out" 2>&1
ceph-osd -i 0 --mkfs --osd-uuid "$osd" >> "$folder/out" 2>&1
setpriv --pdeathsig KILL ceph-osd -i 0 -f >> "$folder/out" 2>&1 & children+=($!)
timeout 60 radosgw-admin user create --uid aerie --display-name Aerie --access-key aerie --secret "${2:-aerieaerie}" >> "$folder/out" 2>&1
echo ready
wait
