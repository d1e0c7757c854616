"""Compares imported roofs, trees and ground with the files that they come from. Called by measured.sh."""
import collections
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

# Coordinate systems of files that name none.
CRS = {"vienna.city.jsonl": "EPSG:31256", "LYON_1ER_BATI_2015_small_house.gml": "EPSG:3946", "ahn3_cropped_1.laz": "EPSG:7415", "ahn3_cropped_2.laz": "EPSG:7415"}
failed = []


def limit(name, value, bound, is_met):
    print(f"{'ok  ' if is_met else 'MISS'}  {name}: {value} (limit {bound})", flush=True)
    if not is_met:
        failed.append(name)


def median(values, share=0.5):
    values = sorted(values)
    return values[min(int(len(values) * share), len(values) - 1)] if values else float("nan")


def transform(points, crs):
    """Longitudes and latitudes by PROJ, point by point, without any interpolation."""
    text = "\n".join(f"{x} {y}" for x, y in points)
    command = ["gdaltransform", "-output_xy", "-s_srs", crs, "-t_srs", "EPSG:4326"]
    lines = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    return [tuple(map(float, line.split()[:2])) for line in lines]


def local(origin, lon, lat):
    """Meters east and north of an origin on the ellipsoid; a millimeter off over a kilometer."""
    a, e2 = 6378137.0, 6.69437999014e-3
    phi = math.radians((lat + origin["lat"]) / 2)
    w = 1 - e2 * math.sin(phi) ** 2
    north = math.radians(lat - origin["lat"]) * a * (1 - e2) / (w * math.sqrt(w))
    east = math.radians(lon - origin["lon"]) * a / math.sqrt(w) * math.cos(phi)
    return east, north


def area(ring):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(ring, ring[1:] + ring[:1])) / 2


def inside(ring, x, y):
    found = False
    for (ax, ay, *_), (bx, by, *_) in zip(ring, ring[1:] + ring[:1]):
        if (ay > y) != (by > y) and x < ax + (bx - ax) * (y - ay) / (by - ay):
            found = not found
    return found


def height(face, x, y):
    """Height of a face's plane (Newell)."""
    n = [0.0, 0.0, 0.0]
    o = face[0]
    for a, b in zip(face, face[1:] + face[:1]):
        for k in range(3):
            u, v = (k + 1) % 3, (k + 2) % 3
            n[k] += (a[u] - b[u]) * (a[v] + b[v] - 2 * o[v])
    return None if abs(n[2]) < 1e-9 else o[2] - ((x - o[0]) * n[0] + (y - o[1]) * n[1]) / n[2]


def top(faces, x, y):
    heights = [height(face, x, y) for face in faces if inside(face, x, y)]
    return max((h for h in heights if h is not None), default=None)


class Refused(Exception):
    """An import that failed."""


class Data:
    """A data folder with what was imported into it."""

    def __init__(self, binary):
        self.binary, self.folder = binary, tempfile.mkdtemp(prefix="aerie-measured-")

    def run(self, *arguments):
        command = [self.binary, *arguments, "--data", self.folder, "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip()

    def load(self, files, crs=None):
        extra = ["--crs", crs] if crs else []
        started = time.monotonic()
        code, report = self.run("import", *extra, *map(str, files))
        if code:
            raise Refused(report)
        return report["files"], time.monotonic() - started

    def place(self, address, radius=400):
        code, place = self.run("inspect", "place", "--address", address, "--radius", str(radius))
        if code:
            raise SystemExit(f"{address}: {place}")
        return place

    def size(self):
        return sum(path.stat().st_size for path in pathlib.Path(self.folder).rglob("*") if path.is_file())

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def count_buildings(path):
    """Buildings with LoD2 in a file, counted without Aerie."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix in (".gml", ".xml"):
        parts = re.split(r"<(?:\w+:)?Building[ >]", text)[1:]
        return sum(1 for part in parts if re.search(r"lod2", part))
    count = 0
    for line in text.splitlines() if path.suffix == ".jsonl" else [text]:
        objects = json.loads(line).get("CityObjects", {}) if line.strip() else {}
        lod = lambda one: any(str(g.get("lod", "")).startswith("2") for g in one.get("geometry", []))
        for one in objects.values():
            if one["type"] == "Building":
                children = [objects[name] for name in one.get("children", []) if name in objects]
                count += lod(one) or any(map(lod, children))
    return count


def corners(path):
    """Some corners of a CityJSONSeq file in its own coordinates."""
    found, header = [], None
    for line in path.read_text().splitlines():
        one = json.loads(line)
        header = header or one
        scale, move = header["transform"]["scale"], header["transform"]["translate"]
        used = set()
        for thing in one.get("CityObjects", {}).values():
            for geometry in thing.get("geometry", []):
                if str(geometry.get("lod", "")).startswith("2"):
                    stack = [geometry["boundaries"]]
                    while stack:
                        part = stack.pop()
                        (stack.extend if isinstance(part, list) else used.add)(part)
        found += [tuple(one["vertices"][i][k] * scale[k] + move[k] for k in range(2)) for i in used]
    return found


def city_models(binary, folder, crs):
    for path in sorted(p for p in folder.rglob("*") if p.suffix in (".jsonl", ".json", ".gml", ".xml", ".zip")):
        data = Data(binary)
        there = count_buildings(path)
        try:
            files, seconds = data.load([path], crs.get(path.name))
        except Refused as error:
            limit(f"{path.name}: buildings read", f"0 of {there}: {error}", "99 %", there == 0)
            data.remove()
            continue
        read = files[0]["measured_roofs"]
        limit(f"{path.name}: buildings read", f"{read} of {there} in {seconds:.1f} s", "99 %", read >= 0.99 * there)
        if path.suffix == ".jsonl" and read:
            points = corners(path)
            system = crs.get(path.name) or files[0]["crs"]
            middle = [median([p[k] for p in points]) for k in range(2)]
            known = transform(points, system)
            near = sorted(zip(points, known), key=lambda p: math.dist(p[0], middle))
            place = None
            for _, (lon, lat) in near[:400:4]:
                code, found = data.run("inspect", "place", "--address", f"{lat:.7f}, {lon:.7f}", "--radius", "300")
                if code == 0:
                    place = found
                    break
            if place:
                grid = collections.defaultdict(list)
                for lon, lat in known:
                    x, y = local(place["origin"], lon, lat)
                    grid[round(x / 2), round(y / 2)].append((x, y))
                off = []
                for building in place["buildings"]:
                    for x, y, _ in [p for face in building.get("roof", {}).get("faces", []) for p in face]:
                        cell = [grid[round(x / 2) + i, round(y / 2) + j] for i in (-1, 0, 1) for j in (-1, 0, 1)]
                        off.append(min((math.dist((x, y), p) for part in cell for p in part), default=9.0))
                limit(f"{path.name}: position against PROJ", f"{median(off, 0.95):.3f} m", "0.3 m", median(off, 0.95) <= 0.3)
        data.remove()


def shares(place):
    """For each building with a roof: the share of the outline under its faces, and of the faces inside the outline."""
    out = []
    for building in place["buildings"]:
        faces = building.get("roof", {}).get("faces", [])
        ring = building["outline"]
        if not faces:
            out.append((building, 0.0, 0.0))
            continue
        xs, ys = [p[0] for p in ring], [p[1] for p in ring]
        step = max(math.sqrt((max(xs) - min(xs)) * (max(ys) - min(ys)) / 400), 0.2)
        cells = hits = 0
        y = min(ys) + step / 2
        while y < max(ys):
            x = min(xs) + step / 2
            while x < max(xs):
                if inside(ring, x, y):
                    cells += 1
                    hits += any(inside(face, x, y) for face in faces)
                x += step
            y += step
        plan = sum(abs(area([p[:2] for p in face])) for face in faces)
        out.append((building, hits / max(cells, 1), abs(area(ring)) / max(plan, 0.01)))
    return out


def matching(name, place, models):
    """Whether outlines have the model that lies under them, and not a neighbor's."""
    rows = [row for row in shares(place) if row[0]["id"].startswith("way/")]
    matched = sum(row[1] >= 0.6 for row in rows)
    limit(f"{name}: outlines with their model", f"{matched} of {len(rows)}, {models} models", "95 %", matched >= 0.95 * min(len(rows), models))
    neighbors = sum(0 < row[1] < 0.3 for row in rows)
    limit(f"{name}: outlines with a neighbor's model", neighbors, 0, neighbors == 0)


def surfaces(house):
    return [[tuple(p) for p in (f[0] if isinstance(f[0][0], list) else f)] for f in house["roof_surfaces_rd_nap"]]


def roofs(name, place, truth, crs, share):
    """Roofs of a point cloud beside those of a model."""
    middles, errors, within, ridges, bearings = [], [], [], [], []
    for house in truth:
        faces = surfaces(house)
        flat = [p for face in faces for p in face]
        known = transform([p[:2] for p in flat], crs)
        placed = iter([(*local(place["origin"], *at), p[2] - house["ground_nap"]) for at, p in zip(known, flat)])
        faces = [[next(placed) for _ in face] for face in faces]
        points = [p for face in faces for p in face]
        middle = [sum(p[k] for p in points) / len(points) for k in range(2)]
        own = [b for b in place["buildings"] if inside(b["outline"], *middle)] or sorted(place["buildings"], key=lambda b: math.dist(b["outline"][0], middle))[:1]
        roof = own[0].get("roof")
        if not roof:
            middles.append(None)
            errors.append(9.0)
            within.append(0.0)
            continue
        ground = house["ground_nap"] - roof["ground"]
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        differences = []
        y = min(ys)
        while y < max(ys):
            x = min(xs)
            while x < max(xs):
                a, b = top(faces, x, y), top(roof["faces"], x, y)
                if a is not None and b is not None:
                    differences.append(abs(a + ground - b))
                x += 0.5
            y += 0.5
        errors.append(median(differences))
        within.append(sum(d <= 0.3 for d in differences) / max(len(differences), 1))
        ridges.append(abs(max(p[2] for p in points) + ground - max(p[2] for face in roof["faces"] for p in face)))
    limit(f"{name}: median roof error, worst half of the houses below", f"{median(errors):.3f} m", "0.10 m", median(errors) <= 0.10)
    limit(f"{name}: roof within 0.3 m", f"{sum(within) / len(within):.1%}", f"{share:.0%}", sum(within) / len(within) >= share)
    limit(f"{name}: ridge", f"median {median(ridges):.2f} m, p90 {median(ridges, 0.9):.2f} m", "0.2 m, 0.3 m", median(ridges) <= 0.2 and median(ridges, 0.9) <= 0.3)


def places(binary, folder, crs):
    outlines, clouds = sorted(folder.glob("*.osm")), sorted(folder.glob("*.la[sz]"))
    models = sorted(folder.glob("*.city.json*"))
    if not outlines:
        return
    name = folder.name
    text = outlines[0].read_text()
    streets = re.findall(r'addr:street" v="([^"]*)".*?addr:housenumber" v="([^"]*)".*?addr:city" v="([^"]*)"', text)
    street, number, city = streets[len(streets) // 2]
    address = f"{street} {number}, {city}"
    if models:
        data = Data(binary)
        data.load(outlines)
        files, _ = data.load(models, crs.get(models[0].name))
        forth = data.place(address)
        matching(name, forth, files[0]["measured_roofs"])
        before = data.size()
        data.load(models, crs.get(models[0].name))
        limit(f"{name}: imported twice", "the same" if data.place(address) == forth else "another place", "the same", data.place(address) == forth)
        back = Data(binary)
        back.load(models, crs.get(models[0].name))
        back.load(outlines)
        limit(f"{name}: imported in the other order", "the same" if back.place(address) == forth else "another place", "the same", back.place(address) == forth)
        print(f"      {name}: pack {before / 1e6:.1f} MB with models")
        for one in (data, back):
            one.remove()
    if clouds:
        data = Data(binary)
        data.load(outlines)
        before = data.size()
        files, seconds = data.load(clouds, crs.get(clouds[0].name))
        totals = {key: sum(file[key] for file in files) for key in ("measured_roofs", "measured_trees", "measured_ground_cells", "bytes")}
        print(f"      {name}: {totals} in {seconds:.1f} s")
        square = totals["measured_ground_cells"] / 1e6
        grown = (data.size() - before) / 1e6
        limit(f"{name}: pack", f"grows by {grown:.2f} MB for {square:.3f} km2", "20 MB/km2", grown <= 20 * square)
        system = crs.get(clouds[0].name) or files[0]["crs"]
        truths = [json.loads(path.read_text()) for path in sorted(folder.glob("roof_truth_*.json"))]
        for truth in truths:
            lon, lat = transform([surfaces(truth[len(truth) // 2])[0][0][:2]], system)[0]
            everywhere = data.place(address, 5000)
            middle = min(everywhere["buildings"], key=lambda b: math.dist(b["outline"][0], local(everywhere["origin"], lon, lat)))
            address = middle["id"]
            roofs(f"{name}, point cloud", data.place(address), truth, system, 0.9)
        place = data.place(address)
        gaps = [row for row in shares(place) if row[0].get("roof", {}).get("method") in ("planes", "template")]
        whole = [row for row in gaps if row[1] >= 0.99 and abs(row[2] - 1) <= 0.01]
        limit(f"{name}: watertight in plan", f"{len(whole)} of {len(gaps)}", "all", len(whole) == len(gaps))
        rms = [row[0]["roof"]["rms"] for row in gaps]
        print(f"      {name}: rms of points to roofs, median {median(rms):.3f} m, p95 {median(rms, 0.95):.3f} m")
        data.remove()


def main():
    binary, folder = sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else os.environ.get("AERIE_TEST_DATA", ".") + "/measured")
    crs = dict(CRS)
    if (folder / "crs.json").exists():
        crs.update(json.loads((folder / "crs.json").read_text()))
    if (folder / "citymodels").is_dir():
        city_models(binary, folder / "citymodels", crs)
    for place in sorted(p for p in folder.iterdir() if p.is_dir() and p.name != "citymodels"):
        places(binary, place, crs)
    print("all limits met" if not failed else f"missed: {len(failed)}")
    sys.exit(bool(failed))


main()
