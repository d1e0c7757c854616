#!/usr/bin/env bash
# Generates the Python and TypeScript clients from the committed OpenAPI document, without edits, and runs every example against
# its own server. AERIE_BIN is the binary, VENV the Python environment with the generators (the Makefile makes both).
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
venv=${VENV:?the Python environment}
export PATH=$venv/bin:$PATH
# shellcheck source=e2e/serving.sh
. "$here/e2e/serving.sh"

# Archives and parts of uploads are files like any other.
cat > "$folder/client.yaml" <<'EOF'
content_type_overrides:
  application/zip: application/octet-stream
  application/offset+octet-stream: application/octet-stream
EOF
openapi-python-client generate --config "$folder/client.yaml" --path "$here/schemas/openapi.json" --output-path "$folder/python" --meta none > "$folder/generated.log" 2>&1 \
  || { cat "$folder/generated.log"; exit 1; }
if grep -i "^warning\|^error\|unable" "$folder/generated.log" | grep -v "some pieces may be missing"; then
  echo "openapi-python-client does not support the whole document"; exit 1
fi
mkdir "$folder/modules" && mv "$folder/python" "$folder/modules/aerie_client"
cp "$here"/examples/typescript/*.ts "$here"/examples/typescript/*.json "$folder/"
(cd "$folder" && npm install --silent --no-audit --no-fund && npx openapi-typescript "$here/schemas/openapi.json" -o schema.ts > /dev/null 2>&1 && npx tsc --noEmit)

# Markup pictures show imagery, from a server whose tiles are all the same, because to render them takes five times as long.
mkdir "$folder/tiles" && touch "$folder/tiles.log"
ffmpeg -v error -f lavfi -i mandelbrot=s=256x256 -frames:v 1 "$folder/tiles/tile.png"
setpriv --pdeathsig TERM python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$folder/tiles" > "$folder/tiles.log" 2>&1 &
tiles=$!
until tiles_url=$(grep -o 'http://127.0.0.1:[0-9]*' "$folder/tiles.log"); do kill -0 "$tiles"; sleep 0.1; done
printf '[sources.imagery.tiles]\nurl = "%s/tile.png?at={z}/{x}/{y}"\nattribution = "Aerie"\nrequests_per_second = 100.0\n' "$tiles_url" > "$folder/aerie.toml"
serve --config "$folder/aerie.toml"
organization Examples
export AERIE_KEY=$key AERIE_URL=$url
ran() {
  local name=$1; shift
  rm -f "$folder/markup.mp4"
  (cd "$folder" && "$@") | tee "$folder/said"
  grep -q '^orientations: .*bottom' "$folder/said" && grep -Eq '^boundary: [0-9.]+ m²' "$folder/said"
  ffprobe -v error -select_streams v -count_packets -show_entries stream=width,nb_read_packets -of csv=p=0 "$folder/markup.mp4" | grep -qx '720,180' \
    || { echo "$name made no video of 6 seconds"; exit 1; }
  echo "$name: workflow completed"
}
ran curl "$here/examples/curl/markup.sh"
# The others at a house without neighbors: a video of it takes half the time of one in the sample town, which the import replaces.
cat > "$folder/house.osm" <<'EOF'
<osm version="0.6">
 <node id="1" lat="47.1000" lon="9.5000"/><node id="2" lat="47.1000" lon="9.5002"/>
 <node id="3" lat="47.1001" lon="9.5002"/><node id="4" lat="47.1001" lon="9.5000"/>
 <node id="5" lat="47.0999" lon="9.4990"/><node id="6" lat="47.0999" lon="9.5010"/>
 <way id="10"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/>
  <tag k="building" v="house"/><tag k="addr:street" v="Lindenweg"/><tag k="addr:housenumber" v="7"/></way>
 <way id="11"><nd ref="5"/><nd ref="6"/><tag k="highway" v="residential"/><tag k="name" v="Lindenweg"/></way>
</osm>
EOF
"$aerie" import "$folder/house.osm" --data "$folder/data" > /dev/null
ran Python env PYTHONPATH="$folder/modules" python3 "$here/examples/python/markup.py" "Lindenweg 7"
ran TypeScript node markup.ts "Lindenweg 7"

mkdir "$folder/photos"
for number in 1 2 3; do
  ffmpeg -v error -f lavfi -i "gradients=size=1280x960:seed=$number" -frames:v 1 "$folder/photos/$number.jpg"
done
(cd "$folder" && PYTHONPATH="$folder/modules" python3 "$here/examples/python/listing.py" photos listing.zip) | tee "$folder/said"
grep -qx 'jobs: 3 completed' "$folder/said"
python3 -m zipfile -l "$folder/listing.zip" > "$folder/listed"
[ "$(grep -c 'enhanced\.jpg' "$folder/listed")" = 3 ] && grep -q media.json "$folder/listed" && grep -q contact-sheet.html "$folder/listed" \
  || { cat "$folder/listed"; exit 1; }
echo "Python: listing completed"

ffmpeg -v error -f lavfi -i "gradients=size=3200x2400:seed=4" -frames:v 1 "$folder/large.png"
python3 "$here/e2e/tus_upload.py" "$folder/large.png"
